"""Cards as a shuffle lays them for any game, and simulated tables in the middle of such a deal.

Nothing here knows the rules of a game: what goes where is what the game itself answers.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from at_table import assert_record, write_journal

from engine import entries
from engine.asks import Token
from engine.cards import COPIES, Card, physical, very
from engine.game import Dealt, games
from engine.match import Match, Standing, Table, ask, begin, legal, view
from engine.notation import entry_text
from engine.record import deal_lines
from engine.referee import Referee
from engine.values import Action
from engine.view import DIRECTOR, Hand
from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.trace import Trace

NEW_GAMES = ("possession", "vazhushal")
RULE_SETS = [(name, rules) for name in NEW_GAMES for rules in games()[name].rule_sets]
EVERY_RULE_SET = [(name, rules) for name, game in games().items() for rules in game.rule_sets]


class Lying(NamedTuple):
    """How the cards of a deal really lie: the hands by seat, what the deal shows (in order), the stock from its top."""

    hands: tuple[tuple[Card, ...], ...]
    shown: tuple[tuple[str, Card], ...]
    stock: tuple[Card, ...]

    @property
    def lines(self) -> Dealt:
        """What lies open, as the deal's own lines."""
        buried = [card for line, card in self.shown if line == "buried"]
        turned = tuple(card for line, card in self.shown if line == "turn-up")
        return Dealt((None,) * len(self.hands), turned, buried=buried[0] if buried else None)


def lay(chance: Random, table: Table, dealer: int) -> Lying:
    """A shuffled pack as the game deals it. A turn-up after which another is wanted goes back into the stock."""
    game, rules = table.game, table.rules
    pack = chance.sample(game.pack(rules), len(game.pack(rules)))
    hands: list[list[Card]] = [[] for _ in range(table.seats)]
    for seat in game.places(rules, dealer):
        card = pack.pop(0)
        if seat:
            hands[seat - 1].append(card)
    lying = Lying(tuple(map(tuple, hands)), (), tuple(pack))
    while (line := game.wanted(rules, lying.lines)) is not None:
        stock = list(lying.stock)
        if lying.lines.turn_up:
            stock.insert(len(stock) // 2, lying.lines.turn_up[-1])
        card = stock.pop() if line == "buried" else stock.pop(0)
        lying = lying._replace(shown=(*lying.shown, (line, card)), stock=tuple(stock))
    return lying


def deal_of(table: Table, dealer: int, lying: Lying) -> entries.Deal:
    """The deal as the table learns of it."""
    hands = lying.hands if table.tracked else (None,) * table.seats
    return entries.Deal(dealer, lying.lines._replace(hands=hands))


def some(match: Match, most: int = 24) -> list[Action]:
    """The first legal actions: of a hand of unseen cards there may be thousands."""
    return list(islice(legal(match), most))


def by_verb(chance: Random, actions: Sequence[Action]) -> Action:
    """One of these actions, each of their verbs as likely as the others."""
    verb = chance.choice(sorted({action.verb for action in actions}))
    return chance.choice([action for action in actions if action.verb == verb])


def played(chance: Random, table: Table, dealer: int, most: int) -> Referee:
    """A deal with at most so many actions, all of them legal; it still runs: one that ended is played less far."""
    while True:
        referee = Referee(begin(table))
        assert referee.rule(deal_of(table, dealer, lay(chance, table, dealer))).refusal is None
        for _ in range(most):
            actions = some(referee.match, 60)
            if not actions:
                break
            assert referee.rule(by_verb(chance, actions)).refusal is None
        if referee.match.standing is Standing.RUNNING:
            return referee
        most = chance.randint(0, most)


def journal_entries(referee: Referee) -> list[str]:
    """What a referee has accepted, as a journal holds it."""
    table = referee.match.table
    return [
        "\n".join(deal_lines(entry)) if isinstance(entry, entries.Deal) else entry_text(table, entry)
        for entry, _ in referee.accepted
    ]


@contextmanager
def table_of(
    folder: Path, game: str, seats: int, referee: Referee | None = None, trace: Trace | None = None, **settings: Any
) -> Iterator[SimulatedTable]:
    """A table of this game, where it has got as far as a referee has. At the end its record must be a good one."""
    folder.mkdir(parents=True, exist_ok=True)
    file, journal = furnish(game, seats, **{"dealer": 1, **settings}), folder / "journal.db"
    if referee is not None:
        write_journal(journal, file, journal_entries(referee))
    with SimulatedTable(file, journal, trace=trace) as table:
        if referee is not None:
            for seat in range(1, seats + 1):
                table.press(seat, Button.OK)  # the message that the table was restarted
        table.heard.clear()
        yield table
        assert_record(table)


def deal_hands(table: SimulatedTable, hands: Sequence[Sequence[Card]]) -> None:
    """Deal these hands as the dealer would, who touches a card to the pad once more when it was not read."""
    left = [list(hand) for hand in hands]
    while (seen := table.loop.seat_view(1).dealing) is not None and seen.wanted is None:
        if seen.next_seat:
            table.tap("dealing", left[seen.next_seat - 1][seen.counts[seen.next_seat - 1]])
        else:
            table.choose(seen.dealer, "dealt")


def deal_cards(table: SimulatedTable, lying: Lying) -> None:
    """Deal these cards and show what the deal shows."""
    deal_hands(table, lying.hands)
    for _, card in lying.shown:
        table.turn_up(card)


def holding(match: Match, seat: int) -> list[Card]:
    """The cards that the table knows to be in a hand."""
    blocks = view(match, DIRECTOR).blocks
    return [card for block in blocks if isinstance(block, Hand) and block.seat == seat for card in block.cards]


def as_cards_lie(table: SimulatedTable, action: Action) -> tuple[Token, ...]:
    """The tokens of a legal action with such cards of the packs that the action is legal with these very ones.

    One card after the other: a card without its pack means any, so what has been found holds with some of the rest.
    """
    match, seat = table.match, action.seat
    game, pack = match.table.game, match.table.game.pack(match.table.rules)
    two_packs, held = max(card.pack for card in pack) > 1, holding(match, seat)
    tokens = list(game.tokens(match.deal, action))
    for place, token in enumerate(tokens):
        copies = [card for card in pack if isinstance(token, Card) and card in COPIES[token]]
        for card in sorted(copies, key=lambda card: card not in held):
            tokens[place] = very(card) if two_packs or card.rank == "JK" else card
            made = ask(match, seat, tuple(tokens))
            if isinstance(made, Action) and game.check(match.deal, made) is None:
                break
        else:
            assert not copies, f"no {token} makes {action}"
    return tuple(tokens)


def enter(table: SimulatedTable, action: Action, reader: str) -> None:
    """Enter an action as its seat would: cards by the reader ("seats", "centre"), all by buttons where it is none."""
    seat = action.seat
    if reader == "none":
        for token in table.match.table.game.tokens(table.match.deal, action):
            table.choose(seat, token)
        return
    for token in as_cards_lie(table, action):
        if isinstance(token, Card):
            table.tap(seat if reader == "seats" else "centre", physical(token))
        else:
            table.choose(seat, token)


def plain(table: Table, action: Action) -> tuple[int, list[str]]:
    """What equal actions have in common: packs do not matter, nor in which order cards are named."""
    return action.seat, sorted(re.sub(r"'\d", "", table.game.text(action)).split())
