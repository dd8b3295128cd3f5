"""The cards in a bot's hands go where its display says that they are, however late it learns of it."""

from random import Random

import pytest

from engine.asks import Token
from engine.cards import Card, very
from engine.values import Refusal
from engine.view import Hand, Line, Melds, Piles, View
from firmware.bot_hand import BotHand
from firmware.pack import Cards
from firmware.seatview import Message, SeatView

ACE, TWO, THREE, FOUR, FIVE = (Card(f"{rank}C") for rank in ("A", "2", "3", "4", "5"))
TWIN = Card("2C'2")
PACK = (ACE, TWO, THREE, FOUR, FIVE, TWIN)
REFUSED = Refusal("not-your-turn", "")


def hand_of(*held: Card, stock: tuple[Card, ...] = ()) -> BotHand:
    """Seat 1 holds these cards; the rest is the stock, these on top."""
    cards = Cards({card: str(card) for card in PACK}, Random(1))
    cards.stack([*held, *stock])
    for _ in held:
        cards.deal(1)
    return BotHand(1, cards)


def seen(
    *cards: Card,
    unknown: int = 0,
    line: tuple[Card, ...] = (),
    melded: tuple[Card, ...] = (),
    given: tuple[Token, ...] = (),
    message: Message | None = None,
) -> SeatView:
    top = line[-1] if line else None
    blocks = (Piles(9, len(line), top), Line(line), Melds(1, (tuple(map(int, melded)),)), Hand(1, cards, unknown))
    return SeatView(1, View(1, blocks), None, None, given, message, None, False, True, (), ())


def bottom(hand: BotHand) -> Card:
    """The card under the stock."""
    return hand.cards.turn_up("buried")


def test_a_discard_lies_on_the_pile() -> None:
    hand = hand_of(ACE, TWO)
    hand.sync(seen(TWO, line=(ACE,)))
    assert hand.cards.hands[1] == [TWO]
    assert hand.cards.newest() == ACE


def test_a_card_that_lies_nowhere_open_went_under_the_stock() -> None:
    hand = hand_of(ACE, TWO, stock=(FIVE,))
    hand.sync(seen(TWO, FIVE))
    assert sorted(hand.cards.hands[1]) == [TWO, FIVE]
    assert bottom(hand) == ACE


@pytest.mark.parametrize("message", [None, REFUSED])
def test_a_refusal_that_comes_at_the_same_time_changes_nothing_about_what_was_counted(message: Message | None) -> None:
    hand = hand_of(ACE, TWO, stock=(FIVE,))
    hand.let_go(ACE, "bury")
    hand.sync(seen(TWO, FIVE, message=message))
    assert bottom(hand) == ACE


def test_an_old_refusal_on_the_display_does_not_make_it_forget_the_card_that_is_shown_next() -> None:
    hand = hand_of(ACE, TWO)
    hand.sync(seen(ACE, TWO, message=REFUSED))
    hand.let_go(ACE, "discard")
    hand.sync(seen(ACE, TWO, message=REFUSED))
    hand.sync(seen(TWO, line=()))  # somebody has taken it already
    assert hand.cards.newest() == ACE


def test_a_verb_that_was_chosen_too_late_does_not_say_where_a_card_goes() -> None:
    hand = hand_of(ACE, TWO, stock=(FIVE,))
    hand.let_go(ACE, "bury")
    hand.said("discard")
    hand.sync(seen(TWO, FIVE))
    assert bottom(hand) == ACE


def test_a_card_is_exchanged_for_its_equal() -> None:
    hand = hand_of(ACE, TWO, stock=(TWIN,))
    hand.let_go(TWO, "bury")
    hand.drawn = TWIN
    hand.sync(seen(ACE, TWIN))
    assert sorted(hand.cards.hands[1]) == [ACE, TWIN]
    assert bottom(hand) == TWO


def test_where_the_display_tells_no_packs_apart_equal_cards_stay_which_they_are() -> None:
    hand = hand_of(ACE, TWIN, stock=(FIVE,))
    hand.sync(seen(ACE, TWO))
    assert hand.cards.hands[1] == [ACE, TWIN]
    hand.sync(seen(ACE, TWO, FIVE))
    assert hand.cards.hands[1] == [ACE, TWIN, FIVE]
    hand.sync(seen(ACE, FIVE, line=(TWO,)))
    assert hand.cards.hands[1] == [ACE, FIVE]
    assert hand.cards.newest() == TWIN


@pytest.mark.parametrize("where", ["pile", "stock"])
def test_who_compares_after_a_restart_holds_of_equal_cards_the_one_that_the_table_means(where: str) -> None:
    hand = hand_of(TWO, FIVE)
    hand.cards.put(TWIN, where)
    hand.sort_out(seen(TWIN, FIVE))
    assert sorted(hand.cards.hands[1]) == sorted((TWIN, FIVE))
    assert TWO in (hand.cards.pile if where == "pile" else hand.cards.stock)
    hand.sort_out(seen(TWIN, FIVE))
    assert sorted(hand.cards.hands[1]) == sorted((TWIN, FIVE))


def test_who_compares_leaves_a_hand_that_is_as_the_table_means_and_one_that_lacks_a_card() -> None:
    hand = hand_of(TWO, TWIN)
    hand.sort_out(seen(TWO, TWIN, ACE))
    assert sorted(hand.cards.hands[1]) == sorted((TWO, TWIN))


def test_melded_cards_have_left_the_hand() -> None:
    hand = hand_of(ACE, TWO, THREE, FOUR)
    hand.sync(seen(FOUR, melded=(ACE, TWO, THREE)))
    assert hand.cards.hands[1] == [FOUR]
    assert hand.cards.newest() is None


def test_taken_cards_go_back_onto_the_pile_in_their_order() -> None:
    hand = hand_of(FOUR, stock=(ACE, TWO, THREE))
    for _ in range(3):
        hand.cards.lay(1, hand.cards.deal(1))
    hand.said("take")
    hand.sync(seen(ACE, TWO, THREE, FOUR))
    assert hand.cards.newest() is None
    hand.said("return")
    hand.sync(seen(FOUR, line=(ACE, TWO, THREE)))
    assert [hand.cards.newest(), *hand.cards.take(1, ACE)] == [THREE, ACE, TWO, THREE]


def test_an_unseen_hand_follows_the_number_of_its_cards() -> None:
    hand = hand_of(ACE, TWO, THREE, stock=(FIVE,))
    hand.let_go(TWO, "discard")
    hand.sync(seen(unknown=2, line=(TWO,)))
    assert hand.cards.hands[1] == [ACE, THREE]
    hand.drawn = FIVE
    hand.sync(seen(unknown=3))
    assert hand.cards.hands[1] == [ACE, THREE, FIVE]


def test_an_unseen_exchange_leaves_the_number_as_it_is() -> None:
    hand = hand_of(ACE, TWO, stock=(FIVE,))
    hand.let_go(ACE, "bury")
    hand.sync(seen(unknown=2, given=("exchange", ACE)))
    hand.drawn = FIVE
    hand.sync(seen(unknown=2))
    assert hand.cards.hands[1] == [TWO, FIVE]
    assert bottom(hand) == ACE


def test_given_cards_are_not_among_the_own_ones_by_their_pack_where_that_was_said() -> None:
    hand = hand_of(ACE, TWO, TWIN)
    assert hand.own(seen(given=("meld", TWIN))) == [ACE, TWO]
    assert hand.own(seen(given=("meld", very(TWO)))) == [ACE, TWIN]
    assert hand.own(seen(given=("meld", TWO))) == [ACE, TWIN]


@pytest.mark.parametrize(("before", "after", "come"), [(1, 1, TWIN), (1, 0, TWO)], ids=["drawn", "taken"])
def test_of_two_equal_cards_the_one_comes_that_lies_where_cards_were_taken_from(
    before: int, after: int, come: Card
) -> None:
    hand = hand_of(ACE, TWO, stock=(TWIN,))
    hand.cards.lay(1, TWO)
    hand.sync(seen(ACE, line=(TWO,) * before))
    hand.sync(seen(ACE, TWO, line=(TWO,) * after))
    assert hand.cards.hands[1] == [ACE, come]
