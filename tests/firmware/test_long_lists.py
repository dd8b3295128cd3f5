"""Lists too long to show: first the rank, then the card; they hide as other private lists do, and can be left."""

from pathlib import Path
from typing import Any

import pytest
from at_table import asked, messages, unmarked
from lying_cards import table_of

from engine.asks import END, Ask
from engine.cards import CARDS, Card
from engine.match import Standing
from firmware.composer import BLANK, LONG, Composer
from firmware.reading import shows
from firmware.seatview import RANK
from firmware.simulated import SimulatedTable
from hal.events import Button

FACES = CARDS[:52]
JOKER = Card("JK")
WHOLE = Ask("discard", cards=FACES, source="hand")
VERBS = Ask("turn", choices=("draw", "pass"), cards=FACES, source="hand")
GROUP = Ask("group", cards=FACES, source="hand", end=True)


def at_rank(rank: str) -> Composer:
    composer = Composer()
    assert composer.pick_rank(f"{RANK}{rank}")
    return composer


# By rank, then by suit


@pytest.mark.parametrize(("count", "by_rank"), [(1, False), (LONG, False), (LONG + 1, True), (52, True)])
def test_a_list_is_narrowed_only_when_it_is_too_long(count: int, by_rank: bool) -> None:
    ask = WHOLE._replace(cards=FACES[:count])
    narrowed = Composer().narrowed(ask)
    assert (narrowed != ask) == by_rank
    assert bool(narrowed.cards) != by_rank


def test_the_ranks_stand_in_the_order_of_the_cards_each_once() -> None:
    narrowed = Composer().narrowed(WHOLE._replace(cards=(*FACES, JOKER)))
    ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK")
    assert narrowed.choices == tuple(f"{RANK}{rank}" for rank in ranks)
    assert narrowed.cards == ()


def test_what_else_can_be_chosen_stands_before_the_ranks_and_the_end_after_them() -> None:
    assert Composer().narrowed(VERBS).choices[:3] == ("draw", "pass", f"{RANK}A")
    composer = Composer()
    narrowed = composer.narrowed(GROUP)
    assert composer.items(narrowed)[-1] == END


def test_after_a_rank_only_its_cards_are_offered() -> None:
    for ask in (WHOLE, VERBS, GROUP):
        composer = at_rank("10")
        narrowed = composer.narrowed(ask)
        assert composer.items(narrowed) == (Card("10C"), Card("10D"), Card("10H"), Card("10S"))
        assert narrowed.source == "hand"


def test_the_first_card_of_a_rank_is_picked_out_at_once() -> None:
    composer = at_rank("Q")
    narrowed = composer.narrowed(WHOLE)
    assert composer.picked(narrowed) == Card("QC")
    composer.move(narrowed, -1, 0.0)
    assert composer.picked(narrowed) == Card("QS")


def test_a_rank_that_the_question_does_not_offer_any_more_is_not_asked_about() -> None:
    without = WHOLE._replace(cards=tuple(card for card in FACES if card.rank != "10"))
    assert at_rank("10").narrowed(without) == Composer().narrowed(without)


def test_many_cards_of_one_rank_are_offered_as_they_are() -> None:
    same = WHOLE._replace(cards=(CARDS[9],) * (LONG + 1))
    assert Composer().narrowed(same) == same


@pytest.mark.parametrize("token", ["draw", "to:2", "as:9D", END, Card("10D")])
def test_nothing_but_a_rank_is_taken_for_one(token: str | Card) -> None:
    composer = Composer()
    composer.cursor = 3
    assert not composer.pick_rank(token)
    assert (composer.rank, composer.cursor) == ("", 3)


def test_clearing_forgets_the_rank() -> None:
    composer = at_rank("10")
    composer.clear()
    assert composer.narrowed(WHOLE).choices


@pytest.mark.parametrize("source", ["hand", "stock"])
def test_ranks_of_a_hand_hide_and_those_of_open_cards_stay(source: str) -> None:
    composer, ask = Composer(), WHOLE._replace(source=source)
    composer.move(composer.narrowed(ask), 1, 10.0)
    assert composer.expire(10.0 + BLANK) == (source == "hand")
    assert (composer.cursor is None) == (source == "hand")


def test_cards_of_a_rank_hide_and_the_next_press_shows_the_same_rank() -> None:
    composer = at_rank("10")
    composer.move(composer.narrowed(WHOLE), 1, 10.0)
    assert composer.expire(10.0 + BLANK)
    assert composer.picked(composer.narrowed(WHOLE)) is None
    composer.move(composer.narrowed(WHOLE), 1, 20.0)
    assert composer.picked(composer.narrowed(WHOLE)) == Card("10C")


# At the table: a concealed hand may hold any card


def discarding(table: SimulatedTable) -> int:
    """Deal a concealed hand of Vazhushal, up to the seat that is to bury a card."""
    table.choose(1, "dealt")
    table.choose(1, Card("QC"))
    table.choose(1, "exchange")
    assert table.match.standing is Standing.RUNNING
    return 1


CONCEALED: dict[str, Any] = {"tracked": False, "readers": "none"}


def test_a_card_that_may_be_any_is_picked_by_rank_and_suit(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.press(seat, Button.RIGHT)
        table.press(seat, Button.RIGHT)
        assert asked(table, seat).choices[:2] == (f"{RANK}A", f"{RANK}2")
        table.press(seat, Button.OK)
        assert asked(table, seat).cards == tuple(Card(f"2{suit}") for suit in "CDHS")
        assert not shows(table.picture(seat), "3")
        table.press(seat, Button.RIGHT, 2)
        table.press(seat, Button.OK)
        assert table.loop.seat_view(seat).given == ("exchange", Card("2H"))
        table.choose(seat, END)
        assert table.loop.lines[-1] == "1 exchange 2H"


def test_all_ranks_and_the_end_are_shown_at_once(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.press(seat, Button.RIGHT)
        ranks = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "JK", "done")
        assert [rank for rank in ranks if not shows(table.picture(seat), rank)] == []


def test_holding_back_leaves_the_rank_and_the_action(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.choose(seat, f"{RANK}7")
        assert asked(table, seat).cards == tuple(Card(f"7{suit}") for suit in "CDHS")
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)
        assert table.loop.seat_view(seat).given == ()
        assert "exchange" in asked(table, seat).choices
        table.choose(seat, "exchange")
        assert f"{RANK}7" in asked(table, seat).choices


def test_a_list_of_one_rank_is_hidden_after_its_time_and_ok_gives_nothing_then(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        hidden = []
        for rank in ("7", "9"):
            table.choose(seat, f"{RANK}{rank}")
            assert shows(table.picture(seat), rank)
            table.wait(BLANK + 1.0)
            hidden.append(unmarked(table.picture(seat)))
            table.press(seat, Button.OK)
            assert table.loop.seat_view(seat).given == ("exchange",)
            table.hold(seat, Button.LEFT)
            table.release(seat, Button.LEFT)
            table.choose(seat, "exchange")
        assert hidden[0] == hidden[1]  # nor can one see which rank it was


def test_the_rank_is_forgotten_with_the_action_of_another_seat(tmp_path: Path) -> None:
    """What a rank was picked for is over: the next question begins with the ranks again."""
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.choose(seat, Card("2H"))
        table.choose(seat, Card("3H"))
        assert table.loop.lines[-1] == "1 exchange 2H 3H"
        table.choose(seat, "discard")
        table.choose(seat, Card("3H"))
        table.choose(2, "exchange")
        assert f"{RANK}3" in asked(table, 2).choices
        assert messages(table, 2) == []


def test_a_joker_has_a_rank_of_its_own(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, **CONCEALED) as table:
        seat = discarding(table)
        table.press(seat, Button.LEFT)
        table.press(seat, Button.LEFT)  # past the end of the group
        table.press(seat, Button.OK)
        assert asked(table, seat).cards == (JOKER,)
        assert table.loop.seat_view(seat).cursor == 0
        table.press(seat, Button.OK)
        assert table.loop.seat_view(seat).given == ("exchange", JOKER)
