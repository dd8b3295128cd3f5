"""Who is let in to direct: a PIN that is kept hashed, how often it may be guessed, a card, and how long it lasts."""

from pathlib import Path

import pytest
from at_table import DEALT, asked, messages, prompted, seated, standing

from engine.cards import Card
from firmware.capturing import table_text
from firmware.dialogs import Note, Say
from firmware.furnish import furnish
from firmware.instructions import Instruction, SetPin
from firmware.pin import PIN, TRIED, TRIES, WAIT, Gate, Officials, hashed, is_pin
from firmware.reading import shows
from firmware.seatview import TableText
from firmware.settings import Settings
from firmware.simulated import SimulatedTable
from firmware.splash import SECONDS
from firmware.tablefile import read_table_file
from hal.events import Button
from hal.sim.named_faults import At, Place

SALT = bytes(range(16))
CARD = "04D10C70DE80AA"


@pytest.mark.parametrize(("text", "fits"), [
    ("1234", True), ("12345678", True), ("0000", True), ("123", False), ("123456789", False), ("12a4", False),
    ("", False), ("١٢٣٤", False), ("1234\n", False),
])  # fmt: skip
def test_a_pin_is_four_to_eight_digits(text: str, fits: bool) -> None:
    assert is_pin(text) == fits


def test_a_pin_is_kept_as_a_hash_with_salt() -> None:
    kept = hashed("2468", SALT)
    assert "2468" not in kept
    assert hashed("2468", bytes(16)) != kept
    gate = Gate(Officials(), Settings({PIN: kept}))
    assert gate.opens("2468")
    assert not gate.opens("2469")


@pytest.mark.parametrize("kept", ["", "2468", "scrypt:", "scrypt:00:", "scrypt:zz:00", "scrypt:00:00"])
def test_a_damaged_setting_lets_nobody_in(kept: str) -> None:
    assert not Gate(Officials(), Settings({PIN: kept})).opens("2468")


def test_the_pin_of_the_table_file_goes_before_one_that_was_set() -> None:
    gate = Gate(Officials("1111"), Settings({PIN: hashed("2222", SALT)}))
    assert gate.opens("1111")
    assert not gate.opens("2222")


def test_three_wrong_pins_in_a_row_make_the_table_wait_and_a_right_one_starts_anew() -> None:
    settings = Settings()
    gate = Gate(Officials("1111"), settings)

    def give(pin: str) -> bool:
        outcome = gate.try_pin(pin, lambda: 10.0, lambda right: Say(TableText("pin-set" if right else "wrong-pin")))
        while isinstance(outcome, Note):
            settings.put(outcome.key, outcome.value)
            outcome = outcome.then()
        return isinstance(outcome, Say) and outcome.message.code == "pin-set"

    assert [give(pin) for pin in ("2222", "2222", "1111", "2222", "2222")] == [False, False, True, False, False]
    assert gate.wait(10.0) == 0
    assert not give("2222")
    assert TRIES == 3
    assert gate.wait(10.0) == WAIT
    assert gate.wait(10.0 + WAIT - 0.5) == 1
    assert gate.wait(10.0 + WAIT) == 0
    assert not give("2222")
    assert gate.wait(10.0 + WAIT) == 0, "three tries begin anew"


def menu(table: SimulatedTable, place: int) -> None:
    table.hold(place, Button.LEFT)
    table.release(place, Button.LEFT)


def type_pin(table: SimulatedTable, place: int, pin: str) -> None:
    for sign in pin:
        table.choose(place, f"sign:{sign}")
    table.choose(place, "done")


def test_tries_are_counted_at_all_places_together(tmp_path: Path) -> None:
    with directed(tmp_path) as table:
        for place in (1, 2, 3):
            menu(table, place)
            table.choose(place, "director")
            type_pin(table, place, "1111")
        assert [messages(table, place)[-1] for place in (1, 2, 3)] == ["wrong-pin", "wrong-pin", "pin-wait"]
        table.press(1, Button.OK)
        table.press(1, Button.OK)
        assert messages(table, 1)[-1] == "pin-wait"
        assert prompted(table, 1) == "pin"


@pytest.mark.few(1)
@pytest.mark.parametrize("wrong", [1, 2, 3])
def test_a_pulled_plug_gives_no_new_tries(tmp_path: Path, wrong: int) -> None:
    with directed(tmp_path) as table:
        for number in range(1, TRIES + 1):
            menu(table, 2)
            table.choose(2, "director")
            type_pin(table, 2, "1111")
            assert messages(table, 2)[-1] == ("wrong-pin" if number < TRIES else "pin-wait")
            if number == wrong:
                table.restart()
        menu(table, 2)
        table.choose(2, "director")
        table.choose(2, "sign:2")
        assert messages(table, 2)[-1] == "pin-wait"
        table.wait(WAIT + 1)
        type_pin(table, 2, "2468")
        assert prompted(table, 2) == "director"
        assert table.loop.gate.tries == 0


def test_a_try_counts_before_anybody_learns_that_it_was_wrong(tmp_path: Path) -> None:
    with directed(tmp_path) as table:
        menu(table, 2)
        table.choose(2, "director")
        said: list[int] = []
        table.loop.observers.append(lambda heard: said.append(table.loop.gate.tries))
        type_pin(table, 2, "1111")
        assert said == [1]
        table.restart()
        assert table.loop.settings.get(TRIED) == "1"


def test_a_pin_on_a_full_disk_is_judged_all_the_same(tmp_path: Path) -> None:
    with directed(tmp_path) as table:
        table.faults.begin("full-disk", Place(At.DISK))
        menu(table, 2)
        table.choose(2, "director")
        type_pin(table, 2, "1111")
        assert table.loop.gate.tries == 1
        table.press(2, Button.OK)
        type_pin(table, 2, "2468")
        assert prompted(table, 2) == "director"
        table.faults.mend("full-disk", Place(At.DISK))


# A table without a director


def is_directed(table: SimulatedTable) -> bool:
    return table.loop.gate.directed


def wish_pin(table: SimulatedTable, place: int, pin: str) -> None:
    menu(table, place)
    table.choose(place, "director")
    table.choose(place, "set-pin")
    type_pin(table, place, pin)
    table.press(place, Button.OK)
    type_pin(table, place, pin)


def test_while_a_match_is_agreed_no_player_alone_becomes_the_director(tmp_path: Path) -> None:
    with seated(tmp_path, seats=3, tracked=False, readers="none") as table:
        wish_pin(table, 1, "7531")
        assert not is_directed(table)
        assert [prompted(table, place) for place in (2, 3)] == ["assent", "assent"]
        table.choose(2, "agree")
        table.choose(3, "refuse")
        assert not is_directed(table)
        assert messages(table, 1)[-1] == "refused-by"
        wish_pin(table, 1, "7531")
        table.choose(2, "agree")
        table.choose(3, "agree")
        assert table.loop.gate.directed
        assert [messages(table, place)[-1] for place in (1, 2, 3)] == ["pin-set"] * 3


def test_in_the_lobby_it_is_set_at_once_and_every_display_says_so(tmp_path: Path) -> None:
    with SimulatedTable(furnish("pepper", 4, free=True), tmp_path / "journal.db") as table:
        table.wait(SECONDS + 1)
        wish_pin(table, 2, "7531")
        assert table.loop.gate.directed
        assert prompted(table, 2) == "director", "whoever has set it directs"
        assert all(messages(table, place)[-1] == "pin-set" for place in (1, 3, 4))
        assert all(shows(table.picture(place), "PIN set") for place in (1, 3, 4))


def test_who_had_the_menu_open_without_the_pin_has_it_no_longer(tmp_path: Path) -> None:
    with SimulatedTable(furnish("pepper", 4, free=True), tmp_path / "journal.db") as table:
        table.wait(SECONDS + 1)
        menu(table, 3)
        table.choose(3, "director")
        assert "set-pin" in asked(table, 3).choices
        wish_pin(table, 2, "7531")
        assert prompted(table, 3) != "director"


def test_a_wish_that_waits_is_void_once_there_is_a_director(tmp_path: Path) -> None:
    with seated(tmp_path, seats=3, tracked=False, readers="none") as table:
        wish_pin(table, 1, "7531")
        table.do(told(table, SetPin("2468")))
        assert [prompted(table, place) for place in (2, 3)] == ["", "dealt"]
        assert table.loop.gate.opens("2468")


async def told(table: SimulatedTable, instruction: Instruction) -> None:
    await table.loop.instruct(instruction, table.loop.latest)


def directed(tmp_path: Path, pin: str = "2468", cards: tuple[str, ...] = (CARD,), dealt: bool = True) -> SimulatedTable:
    file = furnish("pepper", 4, dealer=4)._replace(officials=Officials(pin, frozenset(cards)))
    table = SimulatedTable(file, tmp_path / "journal.db")
    if dealt:
        table.deal([[Card(word) for word in line.split(": ")[1].split()] for line in DEALT.splitlines()[1:]])
    return table


def test_what_is_typed_is_not_shown_and_not_kept_in_clear(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, tracked=False, readers="none") as table:
        menu(table, 1)
        table.choose(1, "director")
        table.choose(1, "set-pin")
        table.choose(1, "sign:7")
        sheet = table.loop.seat_view(1).sheet
        assert sheet is not None
        assert sheet.typed == "•"
        for sign in "531":
            table.choose(1, f"sign:{sign}")
        table.choose(1, "done")
        table.press(1, Button.OK)
        type_pin(table, 1, "7531")
        table.choose(2, "agree")
        assert table.loop.gate.directed
        assert b"7531" not in table.journal_file.read_bytes()


def test_a_pin_that_cannot_be_saved_is_none(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, tracked=False, readers="none") as table:
        menu(table, 1)
        table.choose(1, "director")
        table.choose(1, "set-pin")
        table.faults.begin("full-disk", Place(At.DISK))
        type_pin(table, 1, "7531")
        table.press(1, Button.OK)
        type_pin(table, 1, "7531")
        table.choose(2, "agree")
        assert messages(table, 1)[-1] == "disk-full"
        assert not table.loop.gate.directed
        table.faults.mend("full-disk", Place(At.DISK))


def test_the_pin_of_a_table_file_is_not_changed_at_the_table(tmp_path: Path) -> None:
    with directed(tmp_path) as table:
        menu(table, 1)
        table.choose(1, "director")
        type_pin(table, 1, "2468")
        assert "set-pin" not in asked(table, 1).choices


def test_a_card_that_lies_about_does_nothing_while_a_deal_runs(tmp_path: Path) -> None:
    with directed(tmp_path) as table:
        before = standing(table)
        table.tap(2, CARD)
        assert prompted(table, 2) == "direct-here"
        table.press(2, Button.OK)  # what is picked out is to go on
        assert prompted(table, 2) == ""
        assert standing(table) == before


def test_between_deals_a_card_lets_the_director_in_at_once(tmp_path: Path) -> None:
    with directed(tmp_path, dealt=False) as table:
        table.tap(3, CARD)
        assert prompted(table, 3) == "director"
        assert prompted(table, 1) == ""


def test_while_the_table_is_locked_no_card_directs(tmp_path: Path) -> None:
    with directed(tmp_path) as table:
        menu(table, 1)
        table.choose(1, "lock")
        table.tap(3, CARD)
        assert prompted(table, 3) == "locked"


@pytest.mark.long
def test_the_session_ends_a_minute_after_the_last_press(tmp_path: Path) -> None:
    with directed(tmp_path) as table:
        table.tap(3, CARD)
        table.choose(3, "direct")
        table.wait(50.0)
        table.choose(3, "set-score")
        table.wait(50.0)
        assert prompted(table, 3) == "set-score"
        table.wait(11.0)
        assert prompted(table, 3) == ""


def test_a_capture_knows_who_directs(tmp_path: Path) -> None:
    """Else a replay would ask all players where the table asked for a PIN."""
    file = furnish("pepper", 2, tracked=False, readers="none")._replace(officials=Officials("0246", frozenset({CARD})))
    (tmp_path / "table.toml").write_text(table_text(file), encoding="utf-8")
    assert read_table_file(tmp_path / "table.toml").officials == file.officials
