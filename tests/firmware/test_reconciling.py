"""After a restart in a running deal the table says what it believes, and the players compare; nobody is held up."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from at_table import BIDDEN, DEALT, LED, messages, prompted, seated, write_journal
from lying_cards import holding, journal_entries, played

from engine.cards import Card
from engine.game import games
from engine.match import to_act
from firmware.furnish import furnish
from firmware.glyphs import Font, width
from firmware.low_screens import draw_low
from firmware.reading import shows
from firmware.reconciling import SECONDS
from firmware.script import parse_script, run_script
from firmware.seatview import TableText
from firmware.simulated import SimulatedTable
from firmware.words import LANGUAGES, Words
from hal.events import Button

SEATS = (1, 2, 3, 4)
OK, LEFT = Button.OK, Button.LEFT


@contextmanager
def came_up(
    tmp_path: Path, entries: tuple[str, ...] = LED, lying: dict[int | str, str] | None = None, **settings: Any
) -> Iterator[SimulatedTable]:
    """A table that has just come up in the middle of a match, with these cards on its readers."""
    with seated(tmp_path, entries, **settings) as table:
        for place, card in (lying or {}).items():
            table.wires.place(table.reader(place), table.uid(Card(card)))
        table.heard.clear()
        table.restart()
        table.wait(0.5)
        yield table
        for place in lying or {}:
            table.lift(place)


def comparing(table: SimulatedTable) -> list[int]:
    """The places that are asked whether it is so."""
    return [place for place in table.loop.places if prompted(table, place) == "compare"]


def said(table: SimulatedTable, seat: int) -> TableText:
    """The newest message at a seat."""
    message = next(heard.message for heard in reversed(table.heard) if heard.seat == seat and heard.message)
    assert isinstance(message, TableText)
    return message


def light(table: SimulatedTable, seat: int) -> bool:
    return table.wires.lit(seat)


# What is compared


def test_every_place_is_shown_the_running_trick_and_asked_whether_it_is_so(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        assert comparing(table) == [1, 2, 3, 4]
        for seat in SEATS:
            assert shows(table.picture(seat), "Is this right?")
            assert shows(table.picture(seat), "so it is")
        assert shows(table.picture(3), "seat 2 acts")
        assert shows(table.picture(3), "tricks 0:0")
        assert shows(table.picture(2), "your turn: begin anew")


@pytest.mark.parametrize(
    ("entries", "there"),
    [((DEALT,), "no bid yet"), ((DEALT, "1 bid 4"), "1: 4"), (BIDDEN, "1: 4 ♠")],
    ids=["dealt", "auction", "to lead"],
)
def test_before_the_first_trick_it_is_the_contract_that_is_compared(
    tmp_path: Path, entries: tuple[str, ...], there: str
) -> None:
    with came_up(tmp_path, entries) as table:
        assert all(shows(table.picture(seat), there) for seat in SEATS)


@pytest.mark.parametrize(("game", "rules"), [("possession", "melds"), ("vazhushal", "standard")])
def test_piles_melds_and_hand_counts_are_compared_in_games_that_have_them(
    tmp_path: Path, game: str, rules: str
) -> None:
    file = furnish(game, 3, rules, dealer=1)
    referee = played(Random(4), file.table, 1, 25)
    write_journal(tmp_path / "journal.db", file, journal_entries(referee))
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        assert comparing(table) == [1, 2, 3]
        waiting = next(seat for seat in (1, 2, 3) if seat not in to_act(table.match))
        assert shows(table.picture(waiting), "stock")
        assert shows(table.picture(waiting), "melds")
        assert shows(table.picture(waiting), "acts")


def test_only_the_seat_that_acts_has_its_light_on_while_all_compare(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        assert [light(table, seat) for seat in SEATS] == [False, True, False, False]


def test_a_match_that_was_not_interrupted_is_not_compared(tmp_path: Path) -> None:
    with seated(tmp_path) as table:
        table.deal([[Card(text) for text in hand.partition(": ")[2].split()] for hand in DEALT.split("\n")[1:]])
        assert comparing(table) == []


# So it is


def test_one_press_says_that_it_is_so_and_the_last_place_ends_it(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        for seat in (4, 2, 1):
            table.press(seat, OK)
        assert comparing(table) == [3]
        assert prompted(table, 2) == "play"
        table.press(3, OK)
        assert table.loop._shared is None


def test_an_action_of_the_seat_to_act_ends_it_everywhere(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        table.tap(2, Card("AC"))
        assert to_act(table.match) == (3,)
        assert comparing(table) == []
        assert table.loop._shared is None


def test_by_buttons_alone_the_seat_to_act_goes_on_after_one_press_while_others_sleep(tmp_path: Path) -> None:
    with came_up(tmp_path, readers="none", tracked=False, entries=("deal 4", "1 bid 4")) as table:
        table.press(2, OK)
        table.choose(2, "pass")
        assert to_act(table.match) == (3,)
        assert comparing(table) == []


def test_a_card_that_is_refused_at_a_seat_does_not_end_it_for_others(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        table.tap(3, Card("9S"))
        assert messages(table, 3)[-1] == "not-your-turn"
        assert comparing(table) == [1, 2, 4]


def test_a_card_that_may_be_meant_for_several_things_is_asked_about_though_the_seat_has_not_answered(
    tmp_path: Path,
) -> None:
    file = furnish("vazhushal", 2, dealer=1)
    referee = played(Random(11), file.table, 1, 6)
    write_journal(tmp_path / "journal.db", file, journal_entries(referee))
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        [seat] = to_act(table.match)
        table.tap(seat, holding(table.match, seat)[0])
        assert seat not in comparing(table)


def test_it_goes_by_itself(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        table.wait(SECONDS - 2)
        assert comparing(table) == [1, 2, 3, 4]
        table.wait(2)
        assert comparing(table) == []
        assert table.loop._shared is None
        assert prompted(table, 2) == "play"


def test_the_menu_is_open_meanwhile(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        table.hold(3, LEFT)
        table.release(3, LEFT)
        assert prompted(table, 3) == "menu"


def test_while_cards_are_locked_it_waits(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        table.hold(3, LEFT)
        table.release(3, LEFT)
        table.choose(3, "lock")
        assert prompted(table, 1) == "locked"
        table.press(1, OK)
        assert comparing(table) == [1, 2, 3, 4]


# Not so


def agree(table: SimulatedTable) -> None:
    """Whoever is asked for assent agrees."""
    for place in table.loop.places:
        if prompted(table, place) == "assent":
            table.choose(place, "agree")


def test_who_says_that_it_is_not_so_is_told_who_acted_last_and_others_learn_of_it(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        table.choose(2, "not-so")
        assert prompted(table, 2) == "what-is-wrong"
        assert shows(table.picture(2), "Last to act: seat 1")
        assert shows(table.picture(3), "seat 2: not so")


def test_the_last_action_is_taken_back_at_the_place_that_made_it(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        table.choose(1, "not-so")
        table.choose(1, "undo")
        agree(table)
        assert to_act(table.match) == (1,)
        assert table.loop.lines[-1] == "1 undo"
        assert comparing(table) == []


def test_another_place_cannot_take_it_back_alone(tmp_path: Path) -> None:
    with came_up(tmp_path) as table:
        table.choose(2, "not-so")
        table.choose(2, "undo")
        assert to_act(table.match) == (2,)
        assert "assent" in {prompted(table, place) for place in (1, 3)}


@pytest.mark.parametrize(("choice", "code"), [("card-missing", "show-missing")])
def test_what_else_can_be_done_is_said_and_play_goes_on(tmp_path: Path, choice: str, code: str) -> None:
    with came_up(tmp_path) as table:
        table.choose(4, "not-so")
        table.choose(4, choice)
        assert messages(table, 4)[-1] == code
        assert comparing(table) == [1, 2, 3]
        table.tap(2, Card("AC"))
        assert to_act(table.match) == (3,)


# Cards that lie on readers


def test_a_card_that_was_saved_as_played_agrees(tmp_path: Path) -> None:
    with came_up(tmp_path, lying={1: "9C"}) as table:
        assert said(table, 1) == TableText("counted-already", (("card", Card("9C")),))
        assert table.loop.lines[-1] == "1 play 9C"


def test_a_card_of_the_seat_that_is_to_act_was_not_saved_and_counts_when_it_is_shown_again(tmp_path: Path) -> None:
    with came_up(tmp_path, lying={2: "AC"}) as table:
        assert said(table, 2) == TableText("not-kept", (("card", Card("AC")),), bad=True)
        table.wait(3)
        assert table.loop.lines[-1] == "1 play 9C"
        table.lift(2)
        table.tap(2, Card("AC"))
        assert table.loop.lines[-1] == "2 play AC"


def test_a_card_that_is_still_in_a_hand_is_to_be_taken_up(tmp_path: Path) -> None:
    with came_up(tmp_path, lying={3: "9S"}) as table:
        assert said(table, 3).code == "in-your-hand"
        assert not any(line.startswith("# out-of-turn") for line in table.loop.lines)


def test_a_card_that_another_seat_has_laid_is_said_to_be_its(tmp_path: Path) -> None:
    with came_up(tmp_path, lying={3: "9C"}) as table:
        assert said(table, 3) == TableText("played-by", (("card", Card("9C")), ("seat", 1)), bad=True)


def test_a_card_that_is_believed_elsewhere_contradicts_and_nothing_is_said_of_whose_it_is(tmp_path: Path) -> None:
    with came_up(tmp_path, lying={3: "KD"}) as table:
        assert said(table, 3) == TableText("lies-elsewhere", (("card", Card("KD")),), bad=True)


def test_where_hands_are_not_known_any_card_may_be_the_one_that_was_not_saved(tmp_path: Path) -> None:
    entries = ("deal 4", "1 bid 4", "2 pass", "3 pass", "4 pass", "1 trump S", "1 play 9C")
    with came_up(tmp_path, entries, lying={2: "KD", 3: "AH"}, tracked=False) as table:
        assert said(table, 2).code == "not-kept"
        assert said(table, 3).code == "in-your-hand"


def test_at_one_reader_in_the_middle_every_card_of_the_trick_agrees(tmp_path: Path) -> None:
    with came_up(tmp_path, lying={"centre": "9C"}, readers="centre") as table:
        assert said(table, 2).code == "counted-already"


def test_at_one_reader_in_the_middle_a_card_of_the_seat_to_act_was_not_saved(tmp_path: Path) -> None:
    with came_up(tmp_path, lying={"centre": "AC"}, readers="centre") as table:
        assert said(table, 2).code == "not-kept"
        assert table.loop.lines[-1] == "1 play 9C"


def test_an_unknown_card_is_unknown_whenever_it_came(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wires.place(table.reader(2), "04FFEE01")
        table.restart()
        table.wait(0.5)
        assert messages(table, 2) == ["unknown-tag"]


def test_in_the_lobby_no_card_that_lies_there_is_talked_of(tmp_path: Path) -> None:
    with SimulatedTable(furnish("pepper", 4, free=True), tmp_path / "journal.db") as table:
        table.wires.place(table.reader(2), table.uid(Card("9C")))
        table.restart()
        table.wait(3)
        assert messages(table, 2) == []


# A deal in progress


def test_a_card_that_lies_on_the_pad_when_the_power_returns_is_none_of_the_deal_until_it_is_lifted(
    tmp_path: Path,
) -> None:
    with seated(tmp_path) as table:
        table.tap("dealing", Card("JS"))
        table.place("dealing", Card("AC"))
        table.restart()
        table.wait(2)
        seen = table.loop.seat_view(1).dealing
        assert seen is not None
        assert sum(seen.counts) == 0
        assert said(table, 4).code == "lift-first"
        table.lift("dealing")
        table.tap("dealing", Card("AC"))
        seen = table.loop.seat_view(1).dealing
        assert seen is not None
        assert sum(seen.counts) == 1


def test_every_place_is_told_that_a_deal_begins_anew(tmp_path: Path) -> None:
    with seated(tmp_path) as table:
        table.tap("dealing", Card("JS"))
        table.restart()
        for seat in SEATS:
            assert table.loop.seat_view(seat).message == TableText("deal-lost", bad=True)
            assert shows(table.picture(seat), "it begins anew")


def test_a_deal_is_not_begun_by_a_card_that_lay_on_the_pad_before_the_table_came_up(tmp_path: Path) -> None:
    file = furnish("pepper", 2, dealer=2)
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        table.place("dealing", Card("AC"))
        table.restart()
        table.wait(2)
        table.lift("dealing")
        seen = table.loop.seat_view(1).dealing
        assert seen is not None
        assert not seen.begun


def test_what_a_reader_sees_first_that_comes_late_may_have_been_shown_since() -> None:
    done = "unplug dealing reader", "lay dealing AC", "restart", "wait 2", "plug dealing reader", "wait 12"
    run_script(parse_script("\n".join(["seats 2", "dealer 2", *done, 'expect display 1 "to seat 2"'])))


def test_a_card_at_a_seat_s_reader_says_nothing_while_cards_are_shuffled(tmp_path: Path) -> None:
    with seated(tmp_path) as table:
        table.place(2, Card("AC"))
        table.heard.clear()
        table.restart()
        table.wait(1)
        assert messages(table, 2) == []


def test_a_match_that_is_over_is_not_compared(tmp_path: Path) -> None:
    file = furnish("pepper", 2, tracked=False, readers="none", dealer=2, options={"target": 1})
    write_journal(tmp_path / "journal.db", file, ["deal 2", "director void match"])
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        assert comparing(table) == []
        assert not any(shows(table.picture(seat), "Restarted") for seat in (1, 2))


# What is on the display


@pytest.mark.few(1)
@pytest.mark.parametrize(("language", "turn"), [("en", "seat 2 acts"), ("ru", "ход места 2")])
def test_on_32_rows_the_trick_and_whose_turn_it_is_stand_below_the_choices(
    tmp_path: Path, language: str, turn: str
) -> None:
    with came_up(tmp_path, language=language) as table:
        picture = draw_low(table.loop.seat_view(3), table.loop.words)
        assert shows(picture, turn)
        assert shows(picture, "9♣")
        assert shows(picture, "so it is" if language == "en" else "всё так")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("code", "right"),
    [("compare-yours", ""), ("compare-turn", "table.tricks"), ("compare-doubted", "")],
)
def test_what_stands_in_the_foot_line_has_room(code: str, right: str, language: str) -> None:
    words = Words(games()["pepper"], language)
    tricks = words.short("tricks", count="0:0") if right else ""
    assert width(words.short(code, seat=4), Font.TINY) + width(tricks, Font.TINY) <= 126
