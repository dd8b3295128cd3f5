"""A stock: what is drawn, what may be drawn next, and what a draw tells of the hands."""

import pytest

from engine.cards import UNKNOWN, Card, cards_of, mask
from engine.hands import Hands
from engine.stock import Stock, covered, draw, following, lay_down, turned_over, unsettle

A, B, C, D, E = (int(Card(text)) for text in ("AC", "2C", "3C", "4C", "5C"))


def cards(bits: int) -> set[int]:
    return {int(card) for card in cards_of(bits)}


def hidden_stock(unseen: tuple[int, ...], places: int, *unknown: int) -> tuple[Stock, Hands]:
    """A stock that nobody has seen, and hands of which nothing is known."""
    return Stock((UNKNOWN,) * places), Hands((0,) * len(unknown), unknown, mask(unseen), places)


def test_any_card_that_nobody_has_seen_may_come_from_a_hidden_stock() -> None:
    stock, hands = hidden_stock((A, B, C), 2, 1, 0)
    assert cards(following(stock, hands)) == {A, B, C}
    assert following(Stock(()), hands) == 0


def test_a_named_card_is_known_in_the_hand_and_an_unnamed_one_is_unknown() -> None:
    stock, hands = hidden_stock((A, B, C, D), 3, 1, 0)
    stock, hands, drawn = draw(stock, hands, 2, A)
    assert (drawn, hands) == (A, Hands((0, 1 << A), (1, 0), mask((B, C, D)), 2))
    stock, hands, drawn = draw(stock, hands, 1)
    assert (drawn, hands) == (UNKNOWN, Hands((0, 1 << A), (2, 0), mask((B, C, D)), 1))
    assert stock.places == (UNKNOWN,)


def test_a_known_order_gives_its_card_whether_it_is_named_or_not() -> None:
    for named in (A, UNKNOWN):
        stock, hands, drawn = draw(Stock((A, B)), Hands((0,), (0,), 0, 0), 1, named)
        assert (stock, drawn, hands.known) == (Stock((B,)), A, (1 << A,))


def test_the_last_unseen_card_is_known_by_exclusion() -> None:
    stock, hands, drawn = draw(*hidden_stock((A,), 1, 0, 0), 2)
    assert (drawn, hands) == (A, Hands((0, 1 << A), (0, 0), 0, 0, 1 << A))
    stock, hands = hidden_stock((A, B), 1, 1, 0)
    stock, hands, drawn = draw(stock, hands, 2, A)
    assert hands == Hands((1 << B, 1 << A), (0, 0), 0, 0, 1 << B)
    _, hands, drawn = draw(*hidden_stock((A, B), 1, 1), 1)
    assert (drawn, cards(hands.known[0])) == (UNKNOWN, {A, B})


def test_seen_cards_turned_over_keep_their_order() -> None:
    stock = turned_over((C, A, B))
    assert stock == Stock((C, A, B), open=True)
    assert cards(following(stock, Hands((0,), (1,), mask((D,)), 0))) == {C}


def test_shuffled_they_are_known_as_a_set_until_one_is_drawn_unnamed() -> None:
    hands = Hands((0, 0, 0), (1, 0, 1), mask((D, E)), 0)
    stock = turned_over((C, A, B), shuffled=True)
    assert cards(following(stock, hands)) == {A, B, C}
    stock, hands, drawn = draw(stock, hands, 2, A)
    assert (cards(stock.pool), drawn, hands.unseen, hands.hidden) == ({B, C}, A, mask((D, E)), 0)
    stock, hands, drawn = draw(stock, hands, 2)
    assert (stock.pool, drawn) == (0, UNKNOWN)
    assert (cards(hands.unseen), hands.hidden, hands.unknown) == ({B, C, D, E}, 1, (1, 1, 1))


def test_the_last_card_of_a_shuffled_stock_is_certain() -> None:
    stock, hands, drawn = draw(turned_over((C,), shuffled=True), Hands((0, 0), (1, 1), mask((D, E)), 0), 1)
    assert (stock.places, stock.pool, drawn, hands.known) == ((), 0, C, (1 << C, 0))


# What is believed against what was thought


@pytest.mark.parametrize(
    "stock",
    [
        Stock((A, B, UNKNOWN)),
        Stock((UNKNOWN, A, B)),
        Stock((B, UNKNOWN, A)),
        Stock((UNKNOWN,) * 2, mask((A, B)), open=True),
    ],
)
def test_a_card_that_was_thought_to_lie_elsewhere_is_believed_and_no_card_is_lost(stock: Stock) -> None:
    hands = Hands((1 << C, 0), (0, 1), mask((D, E) if UNKNOWN in stock.places and not stock.pool else (D,)),
                  0 if stock.pool else stock.places.count(UNKNOWN))  # fmt: skip
    every = {A, B, C} | cards(hands.unseen)
    for named in sorted(every - {C}):
        after, held, drawn = draw(stock, hands, 1, named)
        assert drawn == named
        assert held.known[0] >> named & 1
        lying = [card for card in after.places if card != UNKNOWN] + sorted(cards(after.pool) | cards(held.unseen))
        lying += [card for known in held.known for card in cards(known)]
        assert sorted(lying) == sorted(every)
        assert held.unseen.bit_count() == sum(held.unknown) + (0 if after.pool else after.places.count(UNKNOWN))
    after, held, drawn = draw(stock, hands, 2, C)
    assert drawn == C
    assert held.known[0] == 0


def test_a_card_laid_down_was_not_where_it_was_thought_to_lie() -> None:
    stock, hands = lay_down(Stock((A, B)), Hands((0, 1 << C), (2, 0), mask((D, E)), 0), 1, B)
    assert stock.places == (A, UNKNOWN)
    assert (hands.unknown, hands.hidden, cards(hands.unseen)) == ((1, 0), 1, {D, E})
    stock, hands = lay_down(stock, hands, 1, C)
    assert (hands.known, hands.unknown) == ((0, 0), (0, 1))


def test_a_card_that_is_known_in_the_hand_is_just_laid_down() -> None:
    stock, hands = lay_down(Stock((A,)), Hands((1 << B,), (1,), mask((D,)), 0), 1, B)
    assert (stock, hands) == (Stock((A,)), Hands((0,), (1,), mask((D,)), 0))


def test_what_is_unseen_stays_unseen() -> None:
    stock, hands = Stock((A,)), Hands((0,), (1,), mask((D,)), 0)
    assert unsettle(stock, hands, D) == (stock, hands)


def test_who_has_not_looked_into_the_stock_knows_nothing_of_it() -> None:
    hands = Hands((0,), (1,), mask((D, E)), 1)
    stock, seen = covered(Stock((A, UNKNOWN, B)), hands)
    assert (stock.places, cards(seen.unseen), seen.hidden) == ((UNKNOWN,) * 3, {A, B, D, E}, 3)
    turned = turned_over((A, B))
    assert covered(turned, hands) == (turned, hands)
