"""What a check answers: one plain value for each ruling, and the result at the end (`docs/records.md`)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.cards import CARDS
from engine.match import Standing, begin, to_act
from engine.notation import action_text, entry_seat
from engine.record import Record
from engine.referee import Referee, Ruling
from engine.values import Fact, Notice, make


class Answer(NamedTuple):
    """The ruling on one line of a record."""

    line: int
    ruling: Ruling


def check_record(record: Record) -> tuple[Referee, Iterator[Answer]]:
    """A referee, and its answers line by line as they are taken."""
    referee = Referee(begin(record.table, record.scores, record.names))
    return referee, (
        make(Answer, (number, referee.rule(entry, number)))
        for number, _, entry, _, _ in record.lines
        if entry is not None
    )


def answer_values(referee: Referee, answer: Answer, message: str | None) -> dict[str, Any]:
    """The answer as JSON takes it; `message` is the wording of a refusal."""
    ruling = answer.ruling
    return {
        "line": answer.line,
        "seat": entry_seat(ruling.entry),
        "action": action_text(referee.match.table, ruling.entry),
        "verdict": "refused" if ruling.refusal else "ok",
        "code": ruling.refusal.code if ruling.refusal else None,
        "notices": [notice_values(notice) for notice in ruling.notices],
        "message": message,
    }


def notice_values(notice: Notice) -> dict[str, Any]:
    """A notice as JSON takes it: its code, then its facts; cards in text, figures by side as an object."""
    return {"code": notice.code} | {key: _fact_value(key, value) for key, value in notice.facts}


_CARD_FACTS = frozenset({"card", "played"})


def _fact_value(key: str, value: Fact) -> Any:
    if key in _CARD_FACTS and isinstance(value, int):
        return str(CARDS[value])
    if not isinstance(value, tuple):
        return value
    by_side = {str(item[0]): item[1] for item in value if isinstance(item, tuple)}
    return by_side or list(value)


def result_values(referee: Referee) -> dict[str, Any]:
    """The result of a record as JSON takes it; sides are numbered by their lowest seats."""
    match = referee.match
    sides = [seats[0] for seats in match.table.sides]
    won = [sides[place] for place in match.winners]
    lost = match.table.game.losers(match.table.rules, match.scores) if won else ()
    return {
        "deals": match.deals,
        "over": match.standing is Standing.OVER,
        "scores": {str(side): score for side, score in zip(sides, match.scores, strict=True)},
        "winners": won,
        "losers": [sides[place] for place in lost],
        "to_act": list(to_act(match)),
        "irregularities": [{"line": line} | notice_values(notice) for line, notice in referee.irregularities()],
    }
