"""Cards of one action that are given one after the other: each is judged at once, and none counts twice."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from at_table import messages
from lying_cards import deal_cards, lay, table_of

from engine.asks import END
from engine.cards import Card, physical
from firmware.simulated import SimulatedTable

FOUR, FIVE, SIX = (Card(f"{rank}C") for rank in "456")
KING = Card("KH")


@pytest.fixture(params=[2, 3], ids=["one pack", "two packs"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[SimulatedTable]:
    """Seat 1 holds a run and has had its first step of the turn."""
    with table_of(tmp_path, "vazhushal", request.param, options={"redeal": "off"}) as table:
        dealt = lay(Random(3), table.file.table, 1)
        wanted = (FOUR, FIVE, SIX, KING)
        spare = iter(card for card in dealt.hands[0] if card not in wanted)
        swaps = {card: next(spare) for card in wanted if card not in dealt.hands[0]}
        swaps |= {there: here for here, there in swaps.items()}
        hands = tuple(tuple(swaps.get(card, card) for card in hand) for hand in dealt.hands)
        shown = tuple((line, swaps.get(card, card)) for line, card in dealt.shown)
        stock = tuple(swaps.get(card, card) for card in dealt.stock)
        deal_cards(table, dealt._replace(hands=hands, shown=shown, stock=stock))
        table.choose(1, "exchange")
        for card in (hands[0][-1], stock[0]):
            table.tap(1, card)
        table.heard.clear()
        yield table


def given(table: SimulatedTable) -> list[Card | str]:
    return [physical(token) if isinstance(token, Card) else token for token in table.loop.seat_view(1).given]


@pytest.mark.few(1)
def test_a_card_that_was_given_is_not_given_once_more(table: SimulatedTable) -> None:
    table.choose(1, "meld")
    for card in (FOUR, FOUR, FIVE, FOUR):
        table.tap(1, card)
    assert given(table) == ["meld", FOUR, FIVE]
    assert messages(table, 1) == ["counted-already", "counted-already"]


@pytest.mark.few(1)
def test_a_card_that_fits_nothing_is_refused_at_once_and_the_others_stay_given(table: SimulatedTable) -> None:
    table.choose(1, "meld")
    for card in (FOUR, FIVE, KING):
        table.tap(1, card)
    assert messages(table, 1) == ["does-not-fit"]
    assert given(table) == ["meld", FOUR, FIVE]
    table.tap(1, SIX)
    if given(table):
        table.choose(1, END)
    assert table.loop.lines[-1].startswith("1 meld 4C")
