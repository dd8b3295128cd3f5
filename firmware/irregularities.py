"""Irregularities that the director has still to sign: those that the rules prove, and those that the table notes.

The rules' stand in the match. The table's are comments of its record, `# CODE: TEXT`; the director signs one with
another comment, `# accepted: CODE: TEXT`. Both are in the journal, so nothing of it is lost.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from engine.match import Match
from engine.values import Fact, Notice

ACCEPTED = "accepted"
"""The code of the comment that signs another."""
REPORTED = ("exposed-card", "wrong-count", "misdeal", "out-of-turn", "revoke", "false-claim")
"""What can be reported at the table."""
WITH_CARDS, WITH_COUNT = "exposed-card", "wrong-count"

AS_LEAD = " as lead"
"""How the comment ends on a card out of turn that would have been the first of a trick."""

_TEXT = re.compile(r"(?:seat )?(?P<seat>\d+)(?: (?P<rest>.*))?")
_TABLE = "table-"  # what the rules have proven has a notice of its own
_NOTE = re.compile(r"# (?P<code>[a-z-]+): (?P<text>[^;]*[^; ])(?: ; .*)?")


class Unsigned(NamedTuple):
    """One that is not signed. `text` is that of the table's own comment; empty where the rules have proven it."""

    notice: Notice
    text: str = ""


def note_text(seat: int, what: str = "") -> str:
    """The text of a comment: whose irregularity it is, and with which cards or how many."""
    return f"seat {seat} {what}".strip()


def notice_of(code: str, text: str) -> Notice | None:
    """A comment of the table as a notice; None for one that is no irregularity."""
    found = _TEXT.fullmatch(text)
    if code not in REPORTED or found is None:
        return None
    facts: list[tuple[str, Fact]] = [("seat", int(found["seat"]))]
    rest = found["rest"] or ""
    if code == WITH_CARDS:
        facts.append(("cards", rest))
    elif code == WITH_COUNT:
        facts.append(("count", rest))
    named = "lead-out-of-turn" if code == "out-of-turn" and text.endswith(AS_LEAD) else code
    return Notice(f"{_TABLE}{code}" if code in ("revoke", "false-claim") else named, tuple(facts))


def noted_line(line: str) -> tuple[str, str] | None:
    """The code and the text of a comment of the table; None for a line that is none."""
    note = _NOTE.fullmatch(line) if line.startswith("#") else None
    return (note["code"], note["text"]) if note is not None else None


def unsigned(match: Match, lines: Iterable[str]) -> list[Unsigned]:
    """What is not signed, the rules' first. Of the rules' with one code only the oldest, for that is signed first."""
    found: dict[str, Unsigned] = {}
    for noted in match.irregularities:
        if not noted.accepted:
            found.setdefault(noted.notice.code, Unsigned(noted.notice))
    open_notes: list[tuple[str, str]] = []
    for line in lines:
        note = noted_line(line)
        if note is None:
            continue
        code, text = note
        signed = tuple(text.split(": ", 1))
        if code == ACCEPTED and signed in open_notes:
            open_notes.remove((signed[0], signed[1]))
        elif notice_of(code, text) is not None:
            open_notes.append((code, text))
    own = [Unsigned(notice, text) for code, text in open_notes if (notice := notice_of(code, text)) is not None]
    return [*found.values(), *own]


def signature(one: Unsigned, code: str, reason: str) -> tuple[str, str]:
    """The comment that signs one of the table's own."""
    return ACCEPTED, f"{code}: {one.text}" + (f" ; {reason}" if reason else "")


def note_code(notice: Notice) -> str:
    """The code that a comment of the table is written with."""
    return notice.code.removeprefix(_TABLE).removeprefix("lead-")
