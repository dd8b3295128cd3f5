"""The lobby: those who want to play join where they sit, agree on a game, and it is remembered."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from at_table import prompted

from engine.cards import Card
from engine.game import games
from engine.record import read_record
from firmware.furnish import furnish
from firmware.high_card import highest
from firmware.known_names import NAMES
from firmware.plan import BY_LOT, Plan, plan_of, setup_from
from firmware.setups import setup_of
from firmware.simulated import SimulatedTable
from firmware.splash import SECONDS
from firmware.ways import Way
from hal.events import Button

PEPPER = Plan("pepper", "standard")


@contextmanager
def lobby(folder: Path, places: int = 3, readers: str = "seats", language: str = "en") -> Iterator[SimulatedTable]:
    """A free table whose splash is over."""
    file = furnish("pepper", places, readers=readers, tracked=readers != "none", language=language, free=True)
    with SimulatedTable(file, folder / "journal.db") as table:
        table.wait(2.5)
        yield table


def join(table: SimulatedTable, *places: int) -> None:
    for place in places:
        table.choose(place, "join")


def choices(table: SimulatedTable, place: int) -> tuple[str, ...]:
    asked = table.loop.seat_view(place).ask
    return asked.choices if asked is not None else ()


def walk(table: SimulatedTable, place: int, *items: str) -> None:
    for item in items:
        table.choose(place, item)


def test_a_press_ends_the_splash_and_so_does_time(tmp_path: Path) -> None:
    with SimulatedTable(furnish("pepper", 2, free=True), tmp_path / "journal.db") as table:
        assert prompted(table, 1) == "splash"
        table.press(2, Button.OK)
        assert prompted(table, 1) == "lobby"


def test_nobody_can_begin_alone_and_only_those_who_joined_change_anything(tmp_path: Path) -> None:
    with lobby(tmp_path, places=6) as table:
        assert choices(table, 1) == ("join",)
        join(table, 1)
        assert "begin" not in choices(table, 1)
        assert "game" in choices(table, 1)
        assert choices(table, 2) == ("join",)
        join(table, 4)
        assert "begin" in choices(table, 1)


def test_more_players_than_the_game_takes_cannot_begin(tmp_path: Path) -> None:
    with lobby(tmp_path, places=6) as table:
        join(table, 1, 2, 3, 4, 5)
        assert "begin" not in choices(table, 1)
        walk(table, 1, "game", "vazhushal")
        assert "begin" in choices(table, 5)


def test_seats_are_numbered_in_the_order_of_their_places(tmp_path: Path) -> None:
    with lobby(tmp_path, places=6) as table:
        join(table, 6, 2, 3)
        walk(table, 6, "begin")
        assert table.loop.setup.places == (2, 3, 6)
        assert [table.loop.seat_view(place).seat for place in range(1, 7)] == [0, 1, 2, 0, 0, 3]


def test_a_name_is_typed_once_and_then_offered(tmp_path: Path) -> None:
    with lobby(tmp_path) as table:
        join(table, 1, 2)
        walk(table, 1, "name", "new-name", "sign:I", "sign:r", "sign:a", "done")
        walk(table, 2, "name")
        assert "name:Ira" not in choices(table, 2)  # she sits at place 1
        walk(table, 2, "go-on")
        walk(table, 1, "leave")
        walk(table, 2, "name", "name:Ira")
        walk(table, 1, "join")
        assert table.loop.seat_view(2).sheet.big.facts == (("name", "Ira"),)  # type: ignore[union-attr]
        walk(table, 1, "begin")
        assert table.match.names == ("Seat 1", "Ira")


@pytest.mark.long
def test_names_that_cannot_be_read_are_not_written_over(tmp_path: Path) -> None:
    with lobby(tmp_path) as table:
        table.loop.settings.put(NAMES, '["Anna", "Bo')
        join(table, 1, 2)
        walk(table, 1, "name", "new-name", "sign:I", "sign:r", "sign:a", "done")
        assert table.loop.settings.get(NAMES) == '["Anna", "Bo'
        walk(table, 1, "begin")
        assert table.match.names == ("Ira", "Seat 2")


def test_a_typed_sign_can_be_taken_back_by_its_choice_and_by_holding(tmp_path: Path) -> None:
    with lobby(tmp_path) as table:
        join(table, 1)
        walk(table, 1, "name", "new-name", "sign:I", "sign:r", "erase")
        table.hold(1, Button.LEFT)
        table.release(1, Button.LEFT)
        assert "done" not in choices(table, 1)
        table.hold(1, Button.LEFT)
        table.release(1, Button.LEFT)
        assert prompted(table, 1) == "name"


def test_in_russian_names_have_russian_letters(tmp_path: Path) -> None:
    with lobby(tmp_path, language="ru") as table:
        join(table, 1)
        walk(table, 1, "name", "new-name")
        assert {"sign:Я", "sign:Ё"} < {*choices(table, 1)}
        assert "sign:I" not in choices(table, 1)


@pytest.mark.long
def test_every_option_of_every_game_can_be_set(tmp_path: Path) -> None:
    with lobby(tmp_path, readers="none") as table:
        join(table, 1, 2)
        for name, game in games().items():
            walk(table, 1, "game", name, "options")
            assert {*game.options} < {*choices(table, 1)}
            for option in game.options:
                walk(table, 1, option)
                assert choices(table, 1)
                table.hold(1, Button.LEFT)
                table.release(1, Button.LEFT)
                if prompted(table, 1) == "number":  # what was typed before goes first
                    while prompted(table, 1) == "number":
                        table.hold(1, Button.LEFT)
                        table.release(1, Button.LEFT)
            walk(table, 1, "go-on")


def test_a_number_out_of_range_is_refused_with_what_can_be(tmp_path: Path) -> None:
    with lobby(tmp_path) as table:
        join(table, 1)
        walk(table, 1, "options", "target", "erase", "erase", "sign:0", "done")
        message = table.loop.seat_view(1).message
        assert message is not None
        assert message.code == "value-out-of-range"
        assert prompted(table, 1) == "number"


def test_options_that_clash_do_not_begin(tmp_path: Path) -> None:
    with lobby(tmp_path, readers="none") as table:
        join(table, 1, 2)
        walk(table, 1, "game", "vazhushal", "options", "last_card", "face-down", "go-on", "begin")
        message = table.loop.seat_view(1).message
        assert message is not None
        assert message.code == "options-clash"
        assert prompted(table, 2) == "lobby"


@pytest.mark.long
def test_what_was_agreed_is_remembered_with_who_sat_where(tmp_path: Path) -> None:
    with lobby(tmp_path, places=6) as table:
        join(table, 2, 5)
        walk(table, 5, "name", "new-name", "sign:B", "sign:e", "sign:n", "done")
        walk(table, 2, "game", "possession", "rules", "melds", "options", "sets", "true", "go-on", "dealer", "place:5")
        walk(table, 2, "begin")
        walk_to_lobby(table, 2)
        join(table, 5, 2)
        walk(table, 2, "begin")
        setup = table.loop.setup
        assert (setup.table.game.name, setup.table.rule_set, setup.table.options) == (
            "possession",
            "melds",
            (("sets", True),),
        )
        assert (setup.names, setup.dealer) == (("Seat 1", "Ben"), 2)


def walk_to_lobby(table: SimulatedTable, place: int) -> None:
    """By the menu, leave the match."""
    table.hold(place, Button.LEFT)
    table.release(place, Button.LEFT)
    walk(table, place, "new-game", "leave-match")
    assert prompted(table, place) == "lobby"


def test_a_running_match_is_left_only_when_that_is_meant(tmp_path: Path) -> None:
    with lobby(tmp_path, readers="none") as table:
        join(table, 1, 2)
        walk(table, 1, "begin")
        table.hold(1, Button.LEFT)
        table.release(1, Button.LEFT)
        walk(table, 1, "new-game", "go-on")
        assert table.loop.seat_view(1).dealing is not None
        walk_to_lobby(table, 2)


def test_the_match_goes_on_after_a_restart_where_its_players_sit(tmp_path: Path) -> None:
    with lobby(tmp_path, places=6, readers="none") as table:
        join(table, 3, 4)
        walk(table, 3, "options", "target", "erase", "erase", "sign:9", "done", "go-on", "dealer", "place:3", "begin")
        walk(table, 3, "dealt")
        walk(table, 4, "2")
        before = table.match
        table.restart()
        assert table.match == before
        assert table.loop.setup.places == (3, 4)
        assert read_record(table.loop.record()).table == before.table


def test_a_deal_way_that_the_table_has_not_is_not_offered(tmp_path: Path) -> None:
    with lobby(tmp_path / "a", readers="none") as table:
        join(table, 1, 2)
        walk(table, 1, "deal-way")
        assert choices(table, 1) == ("way:concealed",)
    with lobby(tmp_path / "b", readers="centre") as table:
        join(table, 1, 2)
        walk(table, 1, "deal-way")
        assert choices(table, 1) == ("way:pad", "way:concealed")


@pytest.fixture(autouse=True)
def folders(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()


@pytest.mark.parametrize(
    ("cards", "place"),
    [
        ({1: "9C", 2: "AH", 3: "KS"}, 2),
        ({1: "AC", 2: "AS", 3: "AD"}, 2),
        ({1: "JK", 2: "AS"}, 1),
        ({1: "7D'1", 2: "7D'2"}, None),
        ({1: "7D'1", 2: "7D'2", 3: "2C"}, None),
        ({1: "2D'1", 2: "2D'2", 3: "3C"}, 3),
    ],
)
def test_the_highest_card(cards: dict[int, str], place: int | None) -> None:
    assert highest({one: Card(text) for one, text in cards.items()}) == place


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[1]",
        '{"game": "chess", "rules": "x", "options": [], "way": "pad", "dealer": "lot"}',
        '{"game": "pepper", "rules": "x", "options": [], "way": "pad", "dealer": "lot"}',
        '{"game": "pepper", "rules": "standard", "options": [["target", "0"]], "way": "pad", "dealer": "lot"}',
        '{"game": "pepper", "rules": "standard", "options": [], "way": "air", "dealer": "lot"}',
    ],
)
def test_a_plan_that_cannot_be_played_any_more_is_forgotten(text: str) -> None:
    assert plan_of(text, PEPPER) is PEPPER


def test_a_plan_is_read_as_it_was_written() -> None:
    plan = Plan("pepper", "bowers", (("target", "9"),), Way.SCAN_IN, "3")
    assert plan_of(plan.text(), PEPPER) == plan
    assert Plan("pepper", "bowers").with_option("target", 30).options == ()


def test_where_one_has_a_name_all_have_one() -> None:
    assert setup_from(PEPPER, {1: "", 4: ""}, "Seat").names == ()
    assert setup_from(PEPPER, {1: "", 4: "Dan"}, "Seat").names == ("Seat 1", "Dan")
    assert setup_from(PEPPER._replace(dealer="4"), {1: "", 4: ""}, "Seat").dealer == 2
    assert setup_from(PEPPER._replace(dealer=BY_LOT), {1: "", 4: ""}, "Seat").dealer == 0


@pytest.mark.parametrize("places", ["1", "1 1", "1 7", "1 2 3", "a b"])
def test_a_header_whose_places_the_table_has_not_is_not_taken_up(places: str) -> None:
    header = ["game: pepper", "seats: 2", f"x-places: {places}"]
    with pytest.raises(ValueError, match="seats at places"):
        setup_of(header, 6)


def test_the_header_tells_the_setup() -> None:
    setup = setup_from(PEPPER._replace(way=Way.SCAN_IN), {2: "Ann", 5: "Ben"}, "Seat")
    assert setup_of(setup.header(), 6) == setup


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(6))
def test_a_match_that_was_not_dealt_before_a_restart_has_a_dealer_who_sits_there(tmp_path: Path, seed: int) -> None:
    file = furnish("pepper", 6, readers="none", deal="concealed", free=True)
    with SimulatedTable(file, tmp_path / f"{seed}.db", seed) as table:
        table.wait(3)
        join(table, 3, 4)
        walk(table, 3, "begin")
        table.restart()
        dealing = table.loop.dealing
        assert dealing is not None
        assert dealing.dealer in (1, 2)


# From power-on to the first deal

A_PRESS = 0.4
"""Seconds from one press of a person to the next."""
A_LOOK = 1.5
"""Seconds that it takes to read what a display offers now."""


@pytest.mark.long
def test_from_power_on_to_the_first_card_takes_less_than_two_minutes_and_no_keyboard(tmp_path: Path) -> None:
    file = furnish("pepper", 4, free=True, names=("Ann", "Ben", "Cleo", "Dan"))
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        presses = 0
        plain = table.press

        def press(seat: int, button: Button, times: int = 1) -> None:
            nonlocal presses
            presses += times
            plain(seat, button, times)

        looks = 0

        def does(place: int, *items: str) -> None:
            nonlocal looks
            for item in items:
                looks += 1
                table.choose(place, item)

        with patch.object(table, "press", press):
            table.wait(SECONDS)
            for place in table.loop.places:
                does(place, "join", "name")
                known = {1: "Ann", 2: "Ben", 3: "Cleo"}.get(place)
                does(place, *((f"name:{known}",) if known else ("new-name", "sign:E", "sign:v", "sign:e", "done")))
            does(1, "game", "vazhushal", "rules", "wipe", "options", "redeal", "off", "go-on")
            does(1, "dealer", "lot", "begin")
        assert table.loop.setup.table.rule_set == "wipe"
        assert table.loop.seat_view(1).dealing is not None
        assert SECONDS + presses * A_PRESS + looks * A_LOOK < 120
