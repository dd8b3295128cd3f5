"""A ruling before it is made: what would come of it, and what it depends on."""

from hashlib import sha256
from typing import NamedTuple

from engine import entries
from engine.match import apply, to_act
from firmware import instructions as told_as
from firmware.dialogs import Enter, Say
from firmware.entry_words import entry_words
from firmware.instructing import entry_of, found_unsigned, is_so, wanted_outcome
from firmware.instructions import Instruction
from firmware.loop import Loop
from firmware.setting_rows import setting_rows
from firmware.web.ruling_words import wish_words
from firmware.web.texts import web_texts
from firmware.words import NO_BREAK_SPACE, Length, Words


class Look(NamedTuple):
    """What would come of an instruction now. `state` is the part of the table that it depends on, as a short text."""

    state: str
    done: bool
    code: str
    words: str
    """What would be done, or why it is refused."""
    changes: tuple[tuple[str, str, str], ...]
    """What would be another: score, dealer, turn, name or standing, with what it is and what it would be."""


def look_at(loop: Loop, told: Instruction, language: str) -> Look:
    """What would come of it; changes nothing."""
    words = Words(loop.table.game, language)
    state = basis(loop, told)
    outcome = wanted_outcome(loop, told)
    if isinstance(outcome, Say):
        if isinstance(told, told_as.Correct) and loop.mendable and is_so(loop, told):
            return Look(state, False, "so-already", web_texts(language)["director.so-already"], ())
        return Look(state, False, outcome.message.code, words.message(outcome.message, Length.SENTENCE), ())
    if isinstance(outcome, Enter):
        for first in outcome.entries[:1]:
            refusal = None if loop.heads(first) else loop.referee.check(first)
            if refusal is not None:
                return Look(state, False, refusal.code, words.refusal(refusal, Length.SENTENCE), ())
    entry, said = entry_of(loop, told) if loop.agreed else None, ""
    last = loop.referee.last if isinstance(told, told_as.Undo) else None
    if last is not None:
        said = words.short("undo-of", what=entry_words(Telling(loop, words), last))
    elif entry is not None:
        said = entry_words(Telling(loop, words), entry)
    else:
        said = wish_words(loop, told, language)
    return Look(state, True, "", said.replace(NO_BREAK_SPACE, " "), changes(loop, told))


class Telling:
    """A table in the words of another language."""

    def __init__(self, loop: Loop, words: Words) -> None:
        self.words = words
        self.match = loop.match
        self.referee = loop.referee

    def who(self, seat: int) -> str:
        """The name of a seat, or its number in words."""
        named = self.match.names[seat - 1] if seat and self.match.names else ""
        return named or self.words.short("seat-acts", seat=seat)


def changes(loop: Loop, told: Instruction) -> tuple[tuple[str, str, str], ...]:
    """What everybody sees of the match that would be another."""
    entry = entry_of(loop, told) if loop.agreed else None
    before = loop.match
    undone = loop.referee.before if isinstance(entry, entries.Undo) else None
    after = apply(before, entry) if entry is not None and not isinstance(entry, entries.Undo) else undone
    if after is None:
        return ()
    found = []
    for side, old, new in zip(loop.table.sides, before.scores, after.scores, strict=True):
        if old != new:
            found.append((f"score:{'+'.join(map(str, side))}", str(old), str(new)))
    pairs = (
        ("dealer", str(before.dealer or ""), str(after.dealer or "")),
        ("turn", " ".join(map(str, to_act(before))), " ".join(map(str, to_act(after)))),
        ("deals", str(before.deals), str(after.deals)),
        ("standing", before.standing.value, after.standing.value),
    )
    found += [(what, old, new) for what, old, new in pairs if old != new]
    names = zip(before.names or ("",) * loop.table.seats, after.names or ("",) * loop.table.seats, strict=True)
    found += [(f"name:{seat}", old, new) for seat, (old, new) in enumerate(names, 1) if old != new]
    return tuple(found)


def basis(loop: Loop, told: Instruction) -> str:
    """What an instruction depends on: as long as that is the same, nothing has come between that conflicts with it."""
    match told:
        case told_as.SetScore():
            what: object = loop.match.scores
        case told_as.SetName():
            what = loop.match.names
        case told_as.Report() | told_as.NextMatch() | told_as.VoidMatch():
            what = loop.over
        case told_as.VoidDeal():
            what = loop.match.deals, loop.match.standing.value
        case told_as.Sign():
            what = found_unsigned(loop, told) is not None, told.choice != "accept" and loop.match.deals
        case told_as.DealAnew():
            what = loop.dealing is not None and loop.dealing.begun
        case told_as.Agree():
            what = id(loop.shared)
        case told_as.Lock():
            what = loop.locked
        case told_as.Setting(key=key):
            what = {row.key: row.value for row in setting_rows(loop)}.get(key)
        case told_as.UseDeck():
            what = loop.decks.changes, loop.quiet
        case told_as.SetPin():
            what = 0
        case _:
            what = loop.line_count
    return sha256(repr((loop.number, loop.agreed, type(told).__name__, what)).encode()).hexdigest()[:12]
