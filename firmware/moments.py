"""The moment for which something was ruled: a ruling that was chosen while others played on still means what was read
then, or it is refused.
"""

from typing import NamedTuple

from engine import entries
from engine.entries import Entry
from engine.match import Match
from engine.values import Action
from firmware.irregularities import Unsigned, unsigned
from firmware.setups import Setup
from firmware.sitting import Sitting


class Moment(NamedTuple):
    """A match as it stood: which one since the table came up, its setup, its state, how many entries were accepted, and
    those since the last deal, which comes first.
    """

    begun: int
    setup: Setup
    match: Match
    accepted: int
    since: tuple[Entry, ...]
    open: tuple[Unsigned, ...]
    """What was not signed."""


def moment_of(sitting: Sitting) -> Moment:
    """The moment that it is now."""
    referee = sitting.referee
    since = tuple(entry for entry, _ in referee.since_deal())
    open_ones = tuple(unsigned(sitting.match, sitting.record_lines.comments))
    return Moment(sitting.begun, sitting.setup, sitting.match, referee.count, since, open_ones)


def still_means(entry: Entry, then: Moment, now: Moment) -> bool:
    """Whether a ruling that was chosen then is about the same thing now."""
    return then.begun == now.begun and _about(entry, then) == _about(entry, now)


def still_set(then: Moment, now: Moment) -> bool:
    """Whether the setup is what it was, so that a correction of it mends nothing else."""
    return (then.begun, then.setup) == (now.begun, now.setup)


def still_open(one: Unsigned | None, then: Moment, now: Moment) -> bool:
    """Whether it is the same match, and an irregularity, if one is to be signed, is not signed yet."""
    return then.begun == now.begun and (one is None or one in now.open)


def _about(entry: Entry, at: Moment) -> object:
    """What a ruling is about: as long as that is the same it means the same."""
    match entry:
        case entries.Undo():
            return at.accepted, at.since[-1:]
        case entries.SetTurn():
            return at.accepted, at.since
        case entries.SetHand(seat, _):
            deal = _deal(at)
            return deal, [done for done in at.since if _changes(done, seat)]
        case entries.VoidDeal() | entries.SetDealer() | entries.Penalty():
            return _deal(at)
        case entries.SetScore():
            return at.match.scores
        case entries.SetName():
            return at.match.names
        case entries.Accept(code):
            return next(
                (noted for noted in at.match.irregularities if noted.notice.code == code and not noted.accepted), None
            )
        case _:
            return None


def _deal(at: Moment) -> tuple[int, Entry | None]:
    """The running deal: how many entries stand before it, and how it was dealt."""
    dealt = bool(at.since) and isinstance(at.since[0], entries.Deal)
    return (at.accepted - len(at.since), at.since[0]) if dealt else (0, None)


def _changes(entry: Entry, seat: int) -> bool:
    """Whether an entry changes, or says, what a seat holds."""
    return isinstance(entry, Action | entries.SetHand) and entry.seat == seat
