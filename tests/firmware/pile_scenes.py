"""A screen for every question and every phase of the games with piles, as they come up in records of play."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from engine.asks import Ask, Token
from engine.cards import Card, parse_card
from engine.entries import Entry
from engine.game import games
from engine.match import Match, ask, begin, lay_table, to_act, view
from engine.record import read_record
from engine.referee import Referee
from engine.values import Action
from engine.view import Turn
from firmware.composer import Composer
from firmware.dealing import Dealing
from firmware.seatview import SeatView, items_of
from firmware.words import Words

_HERE = Path(__file__).parent.parent
_PLAYED, _RECORDS = _HERE / "engine" / "playthroughs", _HERE / "records"
FILES = {
    "possession": (
        _PLAYED / "possession-standard.txt",
        _PLAYED / "possession-melds.txt",
        _RECORDS / "possession" / "director-turn-after-a-drawn-card.ctr",
        _RECORDS / "possession" / "melds-add-both-ends.ctr",
        _RECORDS / "possession" / "melds-concealed-counts.ctr",
    ),
    "vazhushal": (
        _PLAYED / "vazhushal-standard.txt",
        _RECORDS / "vazhushal" / "r4-rearrange-numbers-anew.ctr",
        _RECORDS / "vazhushal" / "deal-after-match-over.ctr",
        _RECORDS / "vazhushal" / "deal-wrong-dealer-after-redeal.ctr",
        _RECORDS / "vazhushal" / "option-exchange-in-wipe.ctr",
        _RECORDS / "vazhushal" / "open-exhaustion-empty-hand.ctr",
        _RECORDS / "vazhushal" / "r13-pass-names-then-the-other-is-known.ctr",
    ),
}
"""Records in which every question of a game comes up."""


class Met(NamedTuple):
    """What a screen is about, and what it is drawn from."""

    title: str
    seen: SeatView


def game_prompts(game: str) -> set[str]:
    """The questions that a game asks, and not the table itself."""
    of_the_table = {*Words(games()["pepper"]).codes("ask")} - {"bid", "play", "trump"}
    return {*Words(games()[game]).codes("ask")} - of_the_table


def pile_scenes(game: str, names: Sequence[str]) -> Iterator[Met]:
    """Each question and each phase when it comes up for the first time; of the phases what those see who wait."""
    wanted, phases = game_prompts(game), set[str]()
    for file in FILES[game]:
        for match, entry in matches(file):
            match = match._replace(names=tuple(names[: match.table.seats]))
            for seat, given in _givens(match, entry):
                seen = seat_view(match, seat, given)
                if seen.ask is not None and seen.ask.prompt in wanted:
                    wanted.discard(seen.ask.prompt)
                    yield from _asked(seen, seen.ask)
            turn = next((block for block in view(match, 1).blocks if isinstance(block, Turn)), None)
            if turn is not None and turn.seats and turn.phase not in phases:
                phases.add(turn.phase)
                other = next((seat for seat in range(1, match.table.seats + 1) if seat not in turn.seats), 1)
                yield Met(f"{turn.phase}, waits", seat_view(match, other))
                yield Met(f"{turn.phase}, peeks", seat_view(match, other)._replace(peeking=True))


def wanted_scenes(game: str) -> Iterator[Met]:
    """What a deal needs after the hands, by each rule set."""
    for rules in games()[game].rule_sets:
        table = lay_table(games()[game], 2, rules, tracked=False)
        deal, match = Dealing(table, 1), begin(table)
        deal.give("dealt")
        while (line := deal.wanted) is not None:
            for seat, cursor in ((1, None), (2, None), (1, 0)):
                asked = Composer().row(deal.question).ask if seat == 1 and deal.question is not None else None
                yield Met(f"{rules}: {line}", SeatView(
                    seat, view(match, seat), asked, cursor, (), None, deal.view(), False, seat == 1, (), (),
                ))  # fmt: skip
            deal.tap(parse_card("9D" if line == "buried" else "8D"))


def matches(file: Path) -> Iterator[tuple[Match, Entry]]:
    """The states of a record, each with what was accepted next."""
    record = read_record(file.read_text(encoding="utf-8"))
    referee = Referee(begin(record.table))
    for line in record.lines:
        if line.entry is not None:
            before = referee.match
            if referee.rule(line.entry, line.number).refusal is None:
                yield before, line.entry


def _givens(match: Match, entry: Entry) -> Iterator[tuple[int, tuple[Token, ...]]]:
    """What seats have given on the way to an action; also, of its first card, before the purpose is known."""
    for seat in to_act(match):
        yield seat, ()
    if isinstance(entry, Action):
        tokens = match.table.game.tokens(match.deal, entry)
        for count in range(1, len(tokens)):
            yield entry.seat, tokens[:count]
        for token in tokens:
            if isinstance(token, Card):
                yield entry.seat, (token,)


def _asked(seen: SeatView, asked: Ask) -> Iterator[Met]:
    yield Met(f"asked: {asked.prompt}", seen)
    offered = items_of(asked)
    if len(offered) > 1:
        yield Met(f"{asked.prompt}: first", seen._replace(cursor=0))
    if offered:
        yield Met(f"{asked.prompt}: last", seen._replace(cursor=len(offered) - 1, tapping=False))


def seat_view(match: Match, seat: int, given: tuple[Token, ...] = ()) -> SeatView:
    """What a seat's display is drawn from in the middle of a deal."""
    answer = ask(match, seat, given)
    row = Composer().row(answer) if isinstance(answer, Ask) else None
    return SeatView(
        seat, view(match, seat), row.ask if row else None, None, given, None, None, False, True, match.names, (),
        offered=row.offered if row else (), enter=row.enter if row else 0,
    )  # fmt: skip
