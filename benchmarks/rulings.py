"""Random play with full rulings: what one action costs, and records of such play."""

import random
import time
from collections.abc import Iterator
from itertools import islice

from engine import entries
from engine.cards import Card
from engine.entries import Entry
from engine.game import Dealt, Game
from engine.match import Standing, Table, begin, lay_table, legal
from engine.notation import entry_text
from engine.record import deal_lines, header_lines
from engine.referee import Referee

FIRST = 24
"""Random play chooses a place among so many of the legal actions, and lists no further: `legal` is lazy."""


def tables(game: Game) -> Iterator[Table]:
    """A table with known hands for every rule set and number of seats."""
    for rule_set in game.rule_sets:
        for seats in game.seats:
            yield lay_table(game, seats, rule_set)


def microseconds(table: Table, deals: int, seed: int) -> float:
    """Microseconds an action of so many deals, each action drawn by its place in `legal` and ruled on.

    Shuffling, dealing and scoring are in it. Raises ValueError for fewer than one deal.
    """
    if deals < 1:
        raise ValueError(f"{deals} deals cannot be timed; expected at least 1")
    chance, referee, actions = random.Random(seed), Referee(begin(table)), 0
    began = time.perf_counter_ns()
    for _ in range(deals):
        if referee.match.standing is Standing.OVER:
            referee = Referee(begin(table))
        actions += len(list(play_deal(referee, chance))) - 1  # the first entry is the deal
    return (time.perf_counter_ns() - began) / 1000 / actions


def random_record(table: Table, lines: int, seed: int) -> str:
    """A record of random play with so many lines or a few more, its last deal unfinished perhaps.

    A match goes on where it would have ended: the director sets the scores back.
    """
    chance, referee = random.Random(seed), Referee(begin(table))
    written = header_lines(table)
    while len(written) < lines:
        for entry in play_deal(referee, chance):
            written += deal_lines(entry) if isinstance(entry, entries.Deal) else [entry_text(table, entry)]
        if referee.match.standing is Standing.OVER:
            for side in table.sides:
                back = entries.SetScore(side[0], 0)
                referee.rule(back)
                written.append(entry_text(table, back))
    return "\n".join(written) + "\n"


def play_deal(referee: Referee, chance: random.Random) -> Iterator[Entry]:
    """Deal, and play at random to the end of the deal; each entry once it is accepted."""
    dealer, running, rule = referee.match.next_dealer or 1, Standing.RUNNING, referee.rule
    deal = entries.Deal(dealer, _shuffled(referee.match.table, dealer, chance))
    rule(deal)
    yield deal
    while referee.match.standing is running:
        place = int(chance.random() * FIRST)
        listed = list(islice(legal(referee.match), place + 1))
        action = listed[place % len(listed)]
        ruling = rule(action)
        assert ruling.refusal is None, ruling
        yield action


def _shuffled(table: Table, dealer: int, chance: random.Random) -> Dealt:
    pack = list(table.game.pack(table.rules))
    pack.sort(key=lambda _: chance.random())
    hands: list[list[Card]] = [[] for _ in range(table.seats)]
    for place, card in zip(table.game.places(table.rules, dealer), pack, strict=False):
        if place:
            hands[place - 1].append(card)
    game, dealt = table.game, Dealt(tuple(map(tuple, hands)))
    if not game.required_lines(table.rules):
        return dealt
    return _with_stock(table, dealt, pack[sum(map(len, hands)) :])


def _with_stock(table: Table, dealt: Dealt, stock: list[Card]) -> Dealt:
    """The deal with the cards that are turned up, and the stock that is left: all of it is known."""
    while (line := table.game.wanted(table.rules, dealt)) is not None:
        if line == "buried":
            dealt = dealt._replace(buried=stock.pop())
            continue
        if dealt.turn_up:  # one that must not lie there goes back into the middle
            stock.insert(len(stock) // 2, dealt.turn_up[-1])
        dealt = dealt._replace(turn_up=(*dealt.turn_up, stock.pop(0)))
    return dealt._replace(stock=tuple(stock))
