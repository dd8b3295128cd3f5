"""What was said of cards that nobody saw, taken back where an action shows that it was a mistake.

By buttons a seat says which card it drew or buried, and nobody else sees it. Another seat's action is judged on what
that seat may know, and may bring out the very card. Then the earlier words were wrong: they are taken back and said
again without that card, so that the record holds what really was played, each line of it legal by what stands before.
"""

from collections.abc import Iterable, Sequence

from engine.cards import COPIES, UNKNOWN
from engine.entries import Deal, Entry, SetHand, Undo
from engine.match import Match, apply, check
from engine.referee import Referee
from engine.values import Action, Refusal


def entered(referee: Referee, action: Action) -> tuple[Entry, ...] | None:
    """The entries by which a running deal comes to an action that was legal on what its seat may know.

    The action alone, or what is taken back and said again before it; None where no such entries are found. At the end
    of these all but what was mistaken has been played, and taking back goes on as if it had been played so at once.
    """
    if referee.check(action) is None:
        return (action,)
    dealt, deal, done = referee.running
    said = _doubting(dealt, deal, done, action)
    if said is None:
        return None
    same = 0
    while same < len(done) and same < len(said) and done[same] == said[same]:
        same += 1
    return (*[Undo(None)] * (len(done) - same), *said[same:], action)


def _doubting(dealt: Match, deal: Deal, done: Sequence[Entry], action: Action) -> Sequence[Entry] | None:
    """What was entered after the deal, with so much less said that the action is legal; None: it never is.

    Where less is said, a later entry may have become illegal, and still less is said before that one.
    """
    said: Sequence[Entry] | None = (*done, action)
    while said is not None:
        at, refusal = _refused(dealt, said)
        if refusal is None:
            return said[:-1]
        wrong, card = said[at], dict(refusal.facts).get("card") if refusal.code == "not-in-hand" else None
        less = None
        if isinstance(wrong, Action) and isinstance(card, int):
            less = _without(dealt, deal, said[:at], (wrong.seat, action.seat), card)
        said = None if less is None else [*less, *said[at:]]
    said = _silent(dealt, done, action.seat)
    return None if said is None or _refused(dealt, [*said, action])[1] is not None else said


def _refused(match: Match, said: Sequence[Entry]) -> tuple[int, Refusal | None]:
    """The first of these entries that is refused, and why; None: all are legal."""
    for at, entry in enumerate(said):
        refusal = check(match, entry)
        if refusal is not None:
            return at, refusal
        match = apply(match, entry)
    return len(said), None


def _played(match: Match, said: Iterable[Entry]) -> Match | None:
    """The match after these entries, or None where one of them is refused."""
    for entry in said:
        if check(match, entry) is not None:
            return None
        match = apply(match, entry)
    return match


def _without(
    dealt: Match, deal: Deal, said: Sequence[Entry], besides: tuple[int, int], card: int
) -> Sequence[Entry] | None:
    """The same with one place less where a seat, besides these, is said to have had this card, the newest first."""
    for at in range(len(said) - 1, -1, -1):
        entry = said[at]
        if isinstance(entry, SetHand) and entry.seat not in besides and _doubted(entry, card) != entry:
            return [*said[:at], _doubted(entry, card), *said[at + 1 :]]
        if not isinstance(entry, Action) or entry.seat in besides or not _names(entry, card):
            continue
        before = _played(dealt, said[:at])
        assert before is not None
        for less in before.table.game.unnamed(before.deal, entry):
            if not any(_names(step, card) for step in less):
                return [*said[:at], *less, *said[at + 1 :]]
    named = [entry.seat for entry in said if isinstance(entry, SetHand)]
    for seat, hand in enumerate(deal.dealt.hands, 1):
        if seat not in (*besides, *named) and hand is not None:
            told = SetHand(seat, hand)
            if _doubted(told, card) != told:
                return [_doubted(told, card), *said]
    return None


def _silent(match: Match, done: Iterable[Entry], seat: int) -> Sequence[Entry] | None:
    """The same where no other seat names a card that nobody saw; None where it cannot have been played so."""
    said: list[Entry] = []
    for entry in done:
        steps: Sequence[Entry] = (entry,)
        if isinstance(entry, Action) and entry.seat != seat:
            steps = (steps, *match.table.game.unnamed(match.deal, entry))[-1]
        after = _played(match, steps)
        if after is None:
            return None
        said += steps
        match = after
    return said


def _doubted(entry: SetHand, card: int) -> SetHand:
    """A hand with what may be this card unknown."""
    return entry._replace(cards=tuple([UNKNOWN if _is_same(held, card) else held for held in entry.cards]))


def _names(action: Action, card: int) -> bool:
    """Whether an action of a card, or of several, names what may be this one."""
    named = action.argument if isinstance(action.argument, tuple) else (action.argument,)
    return any(isinstance(one, int) and one < len(COPIES) and _is_same(one, card) for one in named)


def _is_same(one: int, card: int) -> bool:
    """Whether two written cards may mean the same physical one."""
    return any(copy in COPIES[card] for copy in COPIES[one])
