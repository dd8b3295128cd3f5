"""The half-given input of one seat: a cursor over what a question offers, and what hides by itself."""

import pytest

from engine.asks import END, Ask
from engine.cards import Card
from firmware.composer import BLANK, MESSAGE, Composer
from firmware.dialogs import GO_ON, Do, Pick
from firmware.seatview import TableText

BID = Ask("bid", choices=("pass", "1", "2"))
PLAY = Ask("play", cards=(Card("9C"), Card("10D")), source="hand")
ONE_CARD = Ask("play", cards=(Card("9C"),), source="hand")
MELD = Ask("meld", cards=(Card("9C"), Card("10D")), source="hand", end=True)
SAYING = TableText("withdrawn")


@pytest.mark.parametrize(("step", "first"), [(1, 0), (-1, 2)])
def test_the_cursor_comes_in_from_the_side_that_it_moves_from(step: int, first: int) -> None:
    composer = Composer()
    composer.move(BID, step, 0.0)
    assert composer.cursor == first


def test_the_cursor_goes_round() -> None:
    composer = Composer()
    places = []
    for _ in range(4):
        composer.move(BID, 1, 0.0)
        places.append(composer.cursor)
    assert places == [0, 1, 2, 0]


def test_the_end_of_a_group_comes_before_its_cards() -> None:
    composer = Composer()
    composer.move(MELD, 1, 0.0)
    assert composer.picked(MELD) == END


def test_ok_without_a_pick_ends_a_group_in_which_a_card_is_given_or_a_draw() -> None:
    composer = Composer()
    assert composer.picked(MELD) is None
    composer.given = ("meld",)
    assert composer.picked(MELD) is None
    composer.given = ("meld", Card("9C"))
    assert composer.picked(MELD) == END
    assert composer.picked(PLAY) is None
    assert Composer().picked(MELD._replace(source="stock")) == END


def test_ok_gives_what_the_cursor_points_at() -> None:
    composer = Composer()
    composer.move(PLAY, 1, 0.0)
    composer.move(PLAY, 1, 0.0)
    assert composer.picked(PLAY) == Card("10D")


def test_without_a_cursor_ok_gives_nothing_where_there_is_a_choice() -> None:
    assert Composer().picked(BID) is None


def test_the_only_choice_needs_no_cursor() -> None:
    assert Composer().picked(Ask("dealt", choices=("dealt",))) == "dealt"


def test_the_only_card_is_not_given_before_it_was_shown() -> None:
    assert Composer().picked(ONE_CARD) is None


def test_a_cursor_beyond_what_is_offered_now_gives_nothing() -> None:
    composer = Composer()
    composer.move(BID, -1, 0.0)
    assert composer.picked(PLAY) is None


def test_a_question_that_offers_nothing_moves_no_cursor() -> None:
    composer = Composer()
    composer.move(Ask("draw"), 1, 0.0)
    assert composer.cursor is None


def test_a_private_list_hides_after_its_time_and_not_before() -> None:
    composer = Composer()
    composer.move(PLAY, 1, 10.0)
    assert not composer.expire(10.0 + BLANK - 0.01)
    assert composer.cursor == 0
    assert composer.expire(10.0 + BLANK)
    assert composer.cursor is None


def test_each_press_keeps_a_private_list_for_longer() -> None:
    composer = Composer()
    composer.move(PLAY, 1, 10.0)
    composer.move(PLAY, 1, 10.0 + BLANK - 0.01)
    assert not composer.expire(10.0 + 2 * BLANK - 0.02)


def test_choices_that_everybody_may_see_stay() -> None:
    composer = Composer()
    composer.move(BID, 1, 0.0)
    assert not composer.expire(100 * BLANK)


def test_a_message_goes_after_its_time_and_not_before() -> None:
    composer = Composer()
    composer.say(SAYING, 5.0)
    assert not composer.expire(5.0 + MESSAGE - 0.01)
    assert composer.message == SAYING
    assert composer.expire(5.0 + MESSAGE)
    assert composer.message is None


def test_a_newer_message_has_its_own_time() -> None:
    composer = Composer()
    composer.say(SAYING, 5.0)
    composer.say(SAYING, 9.0)
    assert not composer.expire(5.0 + MESSAGE)


def test_nothing_expires_twice() -> None:
    composer = Composer()
    composer.say(SAYING, 0.0)
    composer.move(PLAY, 1, 0.0)
    assert composer.expire(100.0)
    assert not composer.expire(200.0)


def half_given() -> Composer:
    composer = Composer()
    composer.given, composer.peeking = ("meld",), True
    composer.open(Pick("menu", ("undo", GO_ON), Do), 0.0)
    composer.move(PLAY, 1, 0.0)
    composer.say(SAYING, 0.0)
    return composer


def test_clearing_forgets_input_and_menu_and_keeps_the_message_and_the_peek() -> None:
    composer = half_given()
    composer.clear()
    assert (composer.given, composer.cursor, composer.dialogs) == ((), None, [])
    assert (composer.message, composer.peeking) == (SAYING, True)
