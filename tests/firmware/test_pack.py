"""The physical cards of a simulated table: no card is ever lost, doubled, or in two places."""

from collections.abc import Callable
from random import Random

import pytest

from engine.cards import CARDS, Card
from engine.game import games
from firmware.pack import Cards

POSSESSION = games()["possession"]
TWO_PACKS = POSSESSION.pack(POSSESSION.rules(4, True, POSSESSION.rule_sets["standard"]))
SMALL = [Card(f"{rank}{suit}") for suit in "CD" for rank in ("A", "2", "3", "4", "5")]
A, TWO, THREE, FOUR, FIVE = SMALL[:5]
TWIN = CARDS[54 + TWO]
"""The two of clubs of the second pack."""


def pack_of(cards: list[Card] | tuple[Card, ...] = tuple(SMALL), seed: int = 1) -> Cards:
    pack = Cards({card: str(card) for card in cards}, Random(seed))
    pack.shuffle()
    return pack


def stacked(*top: Card, cards: list[Card] | tuple[Card, ...] = tuple(SMALL)) -> Cards:
    pack = pack_of(cards)
    pack.stack(top)
    return pack


def drawn(pack: Cards, count: int, seat: int = 9) -> list[Card]:
    return [pack.deal(seat) for _ in range(count)]


def test_a_shuffle_gathers_every_card_of_hands_and_pile() -> None:
    pack = pack_of()
    pack.deal(1)
    pack.lay(1, pack.deal(1))
    pack.shuffle()
    assert pack.hands == {}
    assert pack.newest() is None
    assert sorted(drawn(pack, 10)) == sorted(SMALL)


def test_shuffles_follow_each_other_as_their_seed_says() -> None:
    same, other = pack_of(seed=1), pack_of(seed=2)
    orders = [drawn(pack, 10) for pack in (pack_of(seed=1), same, other)]
    assert orders[0] == orders[1] != orders[2]


def test_with_two_packs_equal_cards_are_two() -> None:
    pack = pack_of(TWO_PACKS)
    assert len(set(drawn(pack, 104))) == 104


def test_stacked_cards_lie_on_top_in_their_order() -> None:
    assert drawn(stacked(FIVE, A, THREE), 3) == [FIVE, A, THREE]


# Laying open


def test_the_turn_up_is_the_top_card_and_lies_on_the_pile() -> None:
    pack = stacked(FIVE, A)
    assert pack.turn_up("turn-up") == FIVE
    assert pack.newest() == FIVE
    assert pack.top() == A


def test_a_card_turned_up_before_goes_into_the_middle_of_the_stock() -> None:
    """Rule 3: to index len // 2 of the stock without it, counted from the top; then the top card is turned."""
    pack = stacked(FIVE, *[card for card in SMALL if card != FIVE])
    assert pack.turn_up("turn-up") == FIVE
    rest = [card for card in SMALL if card != FIVE]
    rest.insert(len(rest) // 2, FIVE)
    assert pack.turn_up("turn-up") == rest[0]
    assert pack.newest() == rest[0]
    assert drawn(pack, 9) == rest[1:]


def test_the_card_under_the_stock_is_the_last_one() -> None:
    pack = stacked(*SMALL)
    assert pack.turn_up("buried") == SMALL[-1]
    assert pack.newest() is None
    assert drawn(pack, 9) == SMALL[:-1]


def test_a_card_laid_open_is_in_the_stock_no_more() -> None:
    pack = stacked(A, TWO, THREE)
    pack.show(TWO)
    assert pack.newest() == TWO
    assert drawn(pack, 2) == [A, THREE]


# Moving


def test_a_draw_takes_the_top_card_and_nothing_from_nothing() -> None:
    pack = pack_of((A,))
    pack.draw(1)
    assert pack.hands == {1: [A]}
    assert pack.top() is None
    pack.draw(1)
    assert pack.hands == {1: [A]}


def test_the_pile_under_its_top_card_is_turned_over_when_the_stock_is_empty() -> None:
    """The oldest is drawn next; the top stays (rule 4 of Possession)."""
    pack = stacked(A, TWO, THREE, FOUR, cards=SMALL[:4])
    for card in drawn(pack, 4, seat=1):
        pack.lay(1, card)
    assert pack.top() == A
    assert pack.newest() == FOUR
    assert drawn(pack, 3) == [A, TWO, THREE]
    assert pack.top() is None
    assert pack.newest() == FOUR


def test_a_card_is_laid_onto_the_pile_and_buried_under_the_stock() -> None:
    pack = stacked(*SMALL)
    first, second = drawn(pack, 2, seat=1)
    pack.lay(1, first)
    pack.bury(1, second)
    assert pack.hands == {1: []}
    assert pack.newest() == first
    assert drawn(pack, 9)[-1] == second


@pytest.mark.parametrize("seat", [1, 2])
def test_a_hand_lets_go_of_a_card_only_if_it_holds_it(seat: int) -> None:
    pack = stacked(A, TWO)
    drawn(pack, 2, seat=1)
    pack.leave(seat, A)
    assert pack.hands[1] == ([TWO] if seat == 1 else [A, TWO])


def laid(*cards: Card) -> Cards:
    """These cards on the pile, the newest last."""
    pack = stacked(*cards, cards=[*SMALL, TWIN])
    for card in drawn(pack, len(cards), seat=1):
        pack.lay(1, card)
    return pack


@pytest.mark.parametrize(
    ("down_to", "taken"),
    [(FOUR, [FOUR]), (THREE, [THREE, FOUR]), (A, [A, TWO, THREE, FOUR]), (FIVE, [A, TWO, THREE, FOUR])],
)
def test_the_pile_is_taken_down_to_a_card(down_to: Card, taken: list[Card]) -> None:
    pack = laid(A, TWO, THREE, FOUR)
    assert pack.take(2, down_to) == taken
    assert sorted(pack.hands[2]) == sorted(taken)
    assert pack.newest() == {4: None, 2: TWO, 1: THREE}[len(taken)]


@pytest.mark.parametrize("named", [TWO, TWIN])
def test_of_two_equal_cards_the_pile_is_taken_down_to_the_newest(named: Card) -> None:
    pack = laid(A, TWO, THREE, TWIN, FOUR)
    assert pack.take(2, named) == [TWIN, FOUR]
    assert pack.newest() == THREE


def in_stock(pack: Cards) -> Card:
    top = pack.top()
    assert top is not None
    return top


def on_pile(pack: Cards) -> Card:
    pack.show(TWO)
    return TWO


def in_hand(pack: Cards) -> Card:
    return pack.deal(3)


@pytest.mark.parametrize("lie", [in_stock, on_pile, in_hand])
def test_a_card_is_held_from_wherever_it_lies_and_once(lie: Callable[[Cards], Card]) -> None:
    pack = pack_of()
    card = lie(pack)
    pack.hold(3, card)
    pack.hold(3, card)
    assert pack.hands[3] == [card]
    assert card not in drawn(pack, 9)


def test_no_card_is_lost_or_doubled_whatever_is_done() -> None:
    chance = Random(5)
    pack = pack_of(TWO_PACKS)
    for _ in range(600):
        seat = chance.randint(1, 4)
        hand = pack.hands.get(seat, [])
        what = chance.choice(["draw", "lay", "bury", "take"])
        if what == "draw":
            pack.draw(seat)
        elif what == "take" and (newest := pack.newest()) is not None:
            pack.take(seat, newest)
        elif hand and what in ("lay", "bury"):
            {"lay": pack.lay, "bury": pack.bury}[what](seat, chance.choice(hand))
        held = [card for cards in pack.hands.values() for card in cards]
        assert len(held) == len(set(held))
    while pack.top() is not None:
        pack.draw(1)
    everywhere = [card for cards in pack.hands.values() for card in cards]
    newest = pack.newest()
    assert sorted([*everywhere, *([newest] if newest is not None else [])]) == sorted(TWO_PACKS)
