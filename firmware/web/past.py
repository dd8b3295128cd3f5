"""Deals that are over, from the journal: which there are, and each step by step with what everybody saw after it.

The engine plays them from the journal's own lines, in the thread of whoever asks. What was taken back is not told.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine import entries
from engine.entries import Entry
from engine.match import Match, Standing, apply, begin
from engine.notation import RecordError
from engine.record import read_record
from engine.referee import Referee
from engine.view import Score
from firmware.entry_words import open_cards
from firmware.journal_reading import Kept
from firmware.record_lines import record_text
from firmware.taking_up import believed
from firmware.web.block_values import score_values
from firmware.web.saying import saying_of
from firmware.web.steps import is_told, step_values
from firmware.web.table_values import game_blocks, public
from firmware.web_part import Reveal

MOST_STEPS = 2000
"""Steps of a deal that are told; no deal that people play has as many."""
Values = dict[str, Any]


class Deal(NamedTuple):
    """A deal: its number in the match, from 1, thrown-in ones included; the match before it; what was entered."""

    number: int
    before: Match
    entries: tuple[Entry, ...]
    after: Match
    ended: bool


def deals_of(kept: Kept) -> list[Deal]:
    """The deals of a match, in order; none where the engine cannot read it, for its game is not here perhaps."""
    try:
        record = read_record(record_text(kept.header, kept.texts))
    except RecordError:
        return []
    at_first = begin(record.table, record.scores, record.names)
    referee = Referee(at_first)
    for line in record.lines:
        if line.entry is None:
            continue
        refusal = referee.check(line.entry)
        if refusal is not None and not believed(line.entry, refusal.code):
            return []
        referee.accept(line.entry, line.number)
    return list(_deals(at_first, [entry for entry, _ in referee.accepted]))


def _deals(match: Match, accepted: list[Entry]) -> Iterator[Deal]:
    starts = [place for place, entry in enumerate(accepted) if isinstance(entry, entries.Deal)]
    if not starts:
        return
    for entry in accepted[: starts[0]]:
        match = apply(match, entry)
    for number, (first, end) in enumerate(zip(starts, [*starts[1:], len(accepted)], strict=True), 1):
        before, own = match, tuple(accepted[first:end])
        for entry in own:
            match = apply(match, entry)
        yield Deal(number, before, own, match, match.standing is not Standing.RUNNING)


def deal_values(kept: Kept, deal: Deal) -> Values:
    """A deal in a list of them."""
    after = deal.after
    score = next(block for block in public(after).blocks if isinstance(block, Score))
    values = {key: value for key, value in score_values(score).items() if key in ("sides", "target", "over")}
    return {
        "match": kept.number,
        "deal": deal.number,
        "game": saying_of(after.table.game.name).game(after.table.game.name),
        "dealer": after.dealer,
        "names": list(after.names),
        "points": [now - then for now, then in zip(after.scores, deal.before.scores, strict=True)],
        "steps": sum(map(is_told, deal.entries)),
        **values,
    }


def replay_values(kept: Kept, deal: Deal, reveal: Reveal) -> Values:
    """A deal that is over, with all its steps."""
    saying, match = saying_of(deal.after.table.game.name), deal.before
    revealed = reveal is Reveal.AFTER_DEAL
    steps: list[Values] = []
    lying: Counter[int] = Counter()
    for entry in deal.entries:
        match = apply(match, entry)
        seen = public(match)
        now = open_cards(seen)
        if is_told(entry) and len(steps) < MOST_STEPS:
            values = step_values(saying, match, entry, now - lying)
            blocks = game_blocks(seen, match, saying, revealed)
            steps.append(values | {"blocks": [block for block in blocks if block["block"] != "notices"]})
        lying = now
    seats = [
        {"seat": seat, "name": deal.after.names[seat - 1] if deal.after.names else ""}
        for seat in range(1, deal.after.table.seats + 1)
    ]
    return deal_values(kept, deal) | {"seats": seats, "revealed": revealed, "steps": steps}
