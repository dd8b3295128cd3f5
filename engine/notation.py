"""One line of a record as an entry, and an entry as a line (`docs/records.md`, "Actions")."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engine import entries
from engine.cards import FACES, Card, CardError, of_one_pack, parse_card
from engine.entries import Entry
from engine.game import NotationError
from engine.match import Table
from engine.phrases import Phrase, said_by
from engine.values import Action


class RecordError(ValueError):
    """A text that is no record: line and column (from 1) and what was expected there."""

    def __init__(self, line: int, column: int, problem: str) -> None:
        super().__init__(Phrase("{place}: {problem}", place=f"{line}:{column}", problem=problem))
        self.line = line
        self.column = column
        self.problem = problem


class Word(NamedTuple):
    """A word of a line and its column, from 1."""

    text: str
    column: int


def words_of(text: str, column: int = 1) -> list[Word]:
    """The words of a text that begins at this column."""
    return [Word(found.group(), column + found.start()) for found in re.finditer(r"\S+", text)]


def parse_cards(table: Table, words: Sequence[Word], line: int) -> tuple[Card, ...]:
    """The cards that these words name; raises `RecordError`. Where there is one pack only, `9D'1` is `9D`."""
    cards = []
    for word in words:
        try:
            cards.append(parse_card(word.text))
        except CardError as error:
            raise RecordError(line, word.column + error.offset, said_by(error)) from None
    return with_packs(table, cards)


def with_packs(table: Table, cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards as they are spelled at this table."""
    if max(table.game.pack(table.rules), default=0) < FACES:
        return tuple(map(of_one_pack, cards))
    return tuple(cards)


def parse_seat(table: Table, text: str, line: int, column: int) -> int:
    """The seat that a text names; raises `RecordError` where the table has no such one."""
    if not re.fullmatch(r"[1-9]\d?", text, re.ASCII) or int(text) > table.seats:
        raise RecordError(line, column, Phrase("no seat {text!r}; expected 1 to {seats}", text=text, seats=table.seats))
    return int(text)


def parse_score(text: str, line: int, column: int) -> int:
    """The score that a text writes; raises `RecordError`."""
    if not re.fullmatch(r"[-−]?\d{1,15}", text, re.ASCII):
        raise RecordError(
            line, column, Phrase("{text!r} is no score; expected a whole number of at most 15 digits", text=text)
        )
    return int(text.replace("−", "-"))


def parse_entry(table: Table, statement: str, line: int) -> Entry:
    """The entry that an action line writes, its remark and comment cut off; raises `RecordError`."""
    words = words_of(statement)
    if words[0].text == "director":
        return _parse_ruling(table, statement, line)
    if not words[0].text.isdigit():
        expected = Phrase("expected `deal`, a seat with its action, or `director`")
        raise RecordError(
            line, words[0].column, Phrase("cannot read {text!r}; {expected}", text=words[0].text, expected=expected)
        )
    seat = parse_seat(table, words[0].text, line, words[0].column)
    end = words[-1].column + len(words[-1].text)
    if len(words) == 1:
        raise RecordError(
            line,
            end,
            Phrase(
                "expected an action of seat {seat}, such as {listed}",
                seat=seat,
                listed=" or ".join(sorted(table.game.verbs)),
            ),
        )
    verb = words[1]
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", verb.text):
        raise RecordError(line, verb.column, Phrase("{text!r} is no verb; expected a lower-case word", text=verb.text))
    if verb.text == "undo":
        if len(words) > 2:
            raise RecordError(line, words[2].column, Phrase("expected nothing after undo"))
        return entries.Undo(seat)
    rest = words[2:]
    if verb.text not in table.game.verbs:
        return Action(seat, verb.text, " ".join(word.text for word in rest) or None)
    try:
        return Action(seat, verb.text, table.game.parse(verb.text, [word.text for word in rest]))
    except NotationError as error:
        column = rest[error.word].column + error.offset if error.word < len(rest) else end + 1
        raise RecordError(line, column, said_by(error)) from None


_FORMS = Phrase(
    "undo · score N = VALUE · void · void match · dealer = N · turn = N · hand N: CARDS · name N = NAME · "
    "accept CODE · penalty CODE = CHOICE"
)


def _parse_ruling(table: Table, statement: str, line: int) -> Entry:
    start = re.match(r"\s*director\s*", statement)
    assert start is not None
    for form, entry in _RULINGS.items():
        found = form.fullmatch(statement.rstrip(), start.end())
        if found:
            return entry(table, found, line)
    raise RecordError(
        line, start.end() + 1, Phrase("no such line of the director; expected one of: {forms}", forms=_FORMS)
    )


def _seat(table: Table, found: re.Match[str], line: int) -> int:
    return parse_seat(table, found["seat"], line, found.start("seat") + 1)


def _score(table: Table, found: re.Match[str], line: int) -> Entry:
    sides = [str(side[0]) for side in table.sides]
    if found["side"] not in sides:
        raise RecordError(
            line,
            found.start("side") + 1,
            Phrase("no side {side!r}; expected {listed}", side=found["side"], listed=" or ".join(sides)),
        )
    return entries.SetScore(int(found["side"]), parse_score(found["value"], line, found.start("value") + 1))


def _hand(table: Table, found: re.Match[str], line: int) -> Entry:
    return entries.SetHand(
        _seat(table, found, line), parse_cards(table, words_of(found["cards"], found.start("cards") + 1), line)
    )


def _name(table: Table, found: re.Match[str], line: int) -> Entry:
    return entries.SetName(_seat(table, found, line), found["name"])


def _penalty(table: Table, found: re.Match[str], line: int) -> Entry:
    choices = table.game.penalties.get(found["code"], ())
    if not choices:
        known = ", ".join(table.game.penalties) or "none"
        problem = Phrase(
            "{name} gives no choices for {code!r}; expected one of: {known}",
            name=table.game.name,
            code=found["code"],
            known=known,
        )
        raise RecordError(line, found.start("code") + 1, problem)
    if found["choice"] not in choices:
        problem = Phrase(
            "{choice!r} is no choice for {code}; expected {listed}",
            choice=found["choice"],
            code=found["code"],
            listed=" or ".join(choices),
        )
        raise RecordError(line, found.start("choice") + 1, problem)
    return entries.Penalty(found["code"], found["choice"])


_CODE = r"(?P<code>[a-z]+(?:-[a-z]+)*)"
_SEAT = r"(?P<seat>\d+)"


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII)


_RULINGS: dict[re.Pattern[str], Callable[[Table, re.Match[str], int], Entry]] = {
    _form("undo"): lambda table, found, line: entries.Undo(None),
    _form(r"score\s+(?P<side>\d+)\s*=\s*(?P<value>[-−]?\d+)"): _score,
    _form("void"): lambda table, found, line: entries.VoidDeal(),
    _form(r"void\s+match"): lambda table, found, line: entries.VoidMatch(),
    _form(rf"dealer\s*=\s*{_SEAT}"): lambda table, found, line: entries.SetDealer(_seat(table, found, line)),
    _form(rf"turn\s*=\s*{_SEAT}"): lambda table, found, line: entries.SetTurn(_seat(table, found, line)),
    _form(rf"hand\s+{_SEAT}\s*:(?P<cards>.*)"): _hand,
    _form(rf"name\s+{_SEAT}\s*=\s*(?P<name>.*\S)"): _name,
    _form(rf"accept\s+{_CODE}"): lambda table, found, line: entries.Accept(found["code"]),
    _form(rf"penalty\s+{_CODE}\s*=\s*(?P<choice>\S+)"): _penalty,
}


def entry_text(table: Table, entry: Entry) -> str:
    """The line that writes an entry, without the lines of a deal's cards; the seat of an action is in it."""
    if isinstance(entry, Action | entries.Undo) and entry.seat is not None:
        return f"{entry.seat} {action_text(table, entry)}"
    if isinstance(entry, entries.Deal) and entry.dealer is not None:
        return f"deal {entry.dealer}"
    return action_text(table, entry)


def entry_seat(entry: Entry) -> int | None:
    """The seat that an entry belongs to: the dealer of a deal, none for the director."""
    if isinstance(entry, entries.Deal):
        return entry.dealer
    return entry.seat if isinstance(entry, Action | entries.Undo) else None


def action_text(table: Table, entry: Entry) -> str:
    """The entry as the answers of a check write it: without the seat, a deal without its dealer."""
    if isinstance(entry, Action):
        if entry.verb in table.game.verbs:
            return table.game.text(entry)
        return entry.verb if entry.argument is None else f"{entry.verb} {entry.argument}"
    if isinstance(entry, entries.Deal):
        return "deal"
    if isinstance(entry, entries.Undo):
        return "undo" if entry.seat else "director undo"
    return f"director {_ruling_text(entry)}"


def _ruling_text(entry: entries.Ruled) -> str:
    match entry:
        case entries.SetScore(side, score):
            return f"score {side} = {score}"
        case entries.VoidDeal():
            return "void"
        case entries.VoidMatch():
            return "void match"
        case entries.SetDealer(seat):
            return f"dealer = {seat}"
        case entries.SetTurn(seat):
            return f"turn = {seat}"
        case entries.SetHand(seat, cards):
            return f"hand {seat}: {' '.join(map(str, cards))}".rstrip()
        case entries.SetName(seat, name):
            return f"name {seat} = {name}"
        case entries.Accept(code):
            return f"accept {code}"
        case entries.Penalty(code, choice):
            return f"penalty {code} = {choice}"
