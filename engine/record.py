"""The card table record: a text file as a table, its entries and its layout, and back (`docs/records.md`)."""

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from engine import entries
from engine.cards import UNKNOWN, Card, CardError, parse_card
from engine.entries import Entry
from engine.game import Dealt, games
from engine.match import Table, lay_table
from engine.notation import (
    RecordError,
    entry_text,
    parse_cards,
    parse_entry,
    parse_score,
    parse_seat,
    with_packs,
    words_of,  # fmt: skip
)
from engine.options import OptionError, OptionValue, option_text, parse_option
from engine.phrases import Phrase, said_by
from engine.values import make


class Line(NamedTuple):
    """One line of a record: its statement in canonical form, the entry on it (if any), and how its text ends.

    `tail` is the comment with the blanks before it, as it was read; `remark` stands after `;`.
    """

    number: int
    statement: str = ""
    entry: Entry | None = None
    remark: str = ""
    tail: str = ""


class Record(NamedTuple):
    """A record: the table, the scores and names at the start, and all its lines."""

    table: Table
    scores: tuple[int, ...]
    names: tuple[str, ...]
    lines: tuple[Line, ...]


def read_record(text: str) -> Record:
    """The record that a text writes; raises `RecordError` at the first thing that makes it unreadable."""
    return _Reader(text.removeprefix("\ufeff")).read()


def write_record(record: Record) -> str:
    """The text of a record: what `read_record` gives for it is the same record again."""
    return "".join(_line_text(line) + "\n" for line in record.lines)


def _line_text(line: Line) -> str:
    remark = f" ; {line.remark}" if line.remark else ""
    return line.statement + remark + line.tail


class _Source(NamedTuple):
    """A line as it was read, cut at its comment and its remark."""

    number: int
    code: str
    text: str
    remark: str
    tail: str


def _cut(number: int, raw: str) -> _Source:
    code, mark, comment = raw.partition("#")
    text = code.rstrip()
    tail = code[len(text) :] + mark + comment if mark else ""
    statement, _, remark = text.partition(";")
    return _Source(number, text, statement.rstrip(), remark.strip(), tail.rstrip())


_DEAL = re.compile(r"\s*deal\b")
_FIRST_DEAL = re.compile(r"\s*deal\b(?!\s*:)")
_KEYS = ("game", "rules", "seats", "hands", "names", "scores", "option")
_DEAL_LINE = re.compile(r"(?P<key>hand\s+(?P<seat>\S+)|turn-up|stock|buried)\s*:(?P<cards>.*)")


_Known = dict[str, tuple[str, Entry, str, str]]
_MOST_KNOWN = 2_000


@lru_cache(maxsize=4)
def _known_at(table: Table) -> _Known:
    """The lines that were read at this table as entries: the same ones come again and again, in one record and in the
    next one.
    """
    return {}


class _Reader:
    """Reads a record from its first line to its last."""

    def __init__(self, text: str) -> None:
        raw = re.split(r"\r\n|\n", text)
        if raw[-1] == "":
            raw.pop()
        self.raw = raw
        self.lines: list[Line] = []
        self.last_line = max(len(raw), 1)
        self._known: _Known = {}

    def read(self) -> Record:
        head: list[_Source] = []
        for number, line in enumerate(self.raw, 1):
            source = _cut(number, line)
            if _FIRST_DEAL.match(source.text):
                break
            head.append(source)
        header = _Header(head, self.last_line)
        table, scores, names = header.read()
        self.lines = header.lines
        with suppress(TypeError):  # of a game whose settings have no hash nothing is remembered
            self._known = _known_at(table)
        place = len(head)
        while place < len(self.raw):
            place = self._read_deal(table, place)
        return Record(table, scores, names, tuple(self.lines))

    def _read_deal(self, table: Table, start: int) -> int:
        """Read the deal whose `deal` line is `raw[start]`, with its actions; gives the place of the next deal."""
        cards: dict[str, tuple[Card, ...]] = {}
        body: list[Line] = []
        acted = False
        place, known = start, self._known
        for place in range(start + 1, len(self.raw)):
            raw = self.raw[place]
            read = known.get(raw)
            if read is not None:
                acted = True
                body.append(make(Line, (place + 1, *read)))
                continue
            source = _cut(place + 1, raw)
            text = source.text
            if not text:
                body.append(_layout(source))
            elif text[0].isdigit():
                body.append(self._read_entry(table, raw, source))
                acted = True
            elif _DEAL.match(text):
                break
            elif _DEAL_LINE.fullmatch(text.strip()):
                body.append(_read_cards(table, source, cards, acted))
            else:
                body.append(self._read_entry(table, raw, source))
                acted = True
        else:
            place += 1
        self.lines.append(self._deal_line(table, _cut(start + 1, self.raw[start]), cards))
        self.lines.extend(body)
        return place

    def _read_entry(self, table: Table, raw: str, source: _Source) -> Line:
        """A line that is an entry; one without a remark is read once."""
        entry = parse_entry(table, source.text, source.number)
        statement = entry_text(table, entry)
        if not source.remark and not source.tail and len(self._known) < _MOST_KNOWN:
            self._known[raw] = statement, entry, "", ""
        return Line(source.number, statement, entry, source.remark, source.tail)

    def _deal_line(self, table: Table, source: _Source, cards: dict[str, tuple[Card, ...]]) -> Line:
        words = words_of(source.text)
        if words[0].text != "deal" or len(words) > 2:
            wrong = words[0] if words[0].text != "deal" else words[2]
            raise RecordError(
                source.number, wrong.column, Phrase("cannot read {text!r}; expected `deal` and a seat", text=wrong.text)
            )
        dealer = parse_seat(table, words[1].text, source.number, words[1].column) if len(words) == 2 else None
        if dealer is None and not any(isinstance(line.entry, entries.Deal) for line in self.lines):
            end = words[0].column + len(words[0].text) + 1
            raise RecordError(
                source.number,
                end,
                Phrase("the first deal has no dealer; expected a seat 1 to {seats}", seats=table.seats),
            )
        self._require(table, source, cards)
        hands = tuple(cards.get(f"hand {seat}") for seat in range(1, table.seats + 1))
        buried = cards.get("buried")
        dealt = Dealt(hands, cards.get("turn-up", ()), cards.get("stock"), buried[0] if buried else None)
        statement = "deal" if dealer is None else f"deal {dealer}"
        return Line(source.number, statement, entries.Deal(dealer, dealt), source.remark, source.tail)

    def _require(self, table: Table, source: _Source, cards: dict[str, tuple[Card, ...]]) -> None:
        needed = sorted(table.game.required_lines(table.rules))
        if table.tracked:
            needed += [f"hand {seat}" for seat in range(1, table.seats + 1)]
        for key in needed:
            if key not in cards:
                why = (
                    Phrase("hands are tracked")
                    if key.startswith("hand")
                    else Phrase("{name} has one", name=table.game.name)
                )
                raise RecordError(
                    source.number,
                    1,
                    Phrase("this deal has no line `{key}:`; expected one, for {why}", key=key, why=why),
                )


def _layout(source: _Source) -> Line:
    if source.remark:
        raise RecordError(source.number, 1, Phrase("a remark stands alone; expected an action before `;`"))
    return Line(source.number, tail=source.tail)


def _read_cards(table: Table, source: _Source, cards: dict[str, tuple[Card, ...]], acted: bool) -> Line:
    """Read a line of a deal's cards into `cards`."""
    found = _DEAL_LINE.match(source.text, len(source.text) - len(source.text.lstrip()))
    assert found is not None
    column = found.start() + 1
    key = found["key"]
    if found["seat"] is not None:
        key = f"hand {parse_seat(table, found['seat'], source.number, found.start('seat') + 1)}"
    elif key not in table.game.deal_lines:
        raise RecordError(
            source.number,
            column,
            Phrase("{name} has no line `{key}:`; expected a hand or an action", name=table.game.name, key=key),
        )
    if acted:
        raise RecordError(
            source.number, column, Phrase("`{key}:` stands after the first action; expected it before", key=key)
        )
    if key in cards:
        raise RecordError(source.number, column, Phrase("a second line `{key}:`; expected one in a deal", key=key))
    if source.remark:
        raise RecordError(source.number, column, Phrase("a remark in a line of cards; expected it in an action line"))
    cards[key] = _cards_of(table, found, source.number)
    if key == "buried" and (len(cards[key]) != 1 or cards[key][0] == UNKNOWN):
        raise RecordError(source.number, column, Phrase("expected one card after `buried:`"))
    if not cards[key]:
        raise RecordError(source.number, found.start("cards") + 1, Phrase("expected cards after `{key}:`", key=key))
    return Line(source.number, f"{key}: {' '.join(map(str, cards[key]))}", tail=source.tail)


def _cards_of(table: Table, found: re.Match[str], number: int) -> tuple[Card, ...]:
    try:
        return with_packs(table, map(parse_card, found["cards"].split()))
    except CardError:  # once more, to tell which word it is
        return parse_cards(table, words_of(found["cards"], found.start("cards") + 1), number)


class _Header:
    """Reads what stands before the first deal."""

    def __init__(self, sources: list[_Source], last_line: int) -> None:
        self.sources = sources
        self.last_line = last_line
        self.lines: list[Line] = []
        self.values: dict[str, tuple[str, int, int]] = {}
        self.options: dict[str, tuple[str, int, int]] = {}

    def read(self) -> tuple[Table, tuple[int, ...], tuple[str, ...]]:
        for source in self.sources:
            self.lines.append(self._read_line(source) if source.code else _layout(source))
        return self._resolve()

    def _read_line(self, source: _Source) -> Line:
        column = len(source.code) - len(source.code.lstrip()) + 1
        found = re.compile(r"(?P<key>[A-Za-z][\w-]*)\s*:\s*(?P<value>.*)").fullmatch(source.code, column - 1)
        if not found:
            first = words_of(source.code)[0].text
            problem = Phrase(
                "cannot read {first!r} before the first deal; expected a header such as `game: {game}`, or `deal`",
                game=next(iter(games())),
                first=first,
            )
            raise RecordError(source.number, column, problem)
        key, value, start = found["key"], found["value"], found.start("value") + 1
        if key not in _KEYS and not key.startswith("x-"):
            raise RecordError(
                source.number,
                column,
                Phrase("unknown key {key!r}; expected {listed} or x-…", key=key, listed=", ".join(_KEYS)),
            )
        if key == "option":
            return self._read_option(source, value, start)
        if key in self.values:
            raise RecordError(source.number, column, Phrase("a second line `{key}:`; expected one", key=key))
        self.values[key] = (value, source.number, start)
        return Line(source.number, f"{key}: {value}".rstrip(), tail=source.tail)

    def _read_option(self, source: _Source, value: str, start: int) -> Line:
        found = re.fullmatch(r"(?P<name>\w+)\s*=\s*(?P<text>\S+)", value)
        if not found:
            raise RecordError(
                source.number, start, Phrase("cannot read {value!r}; expected `option: NAME = VALUE`", value=value)
            )
        name = found["name"]
        if name in self.options:
            raise RecordError(source.number, start, Phrase("option {name} is set twice; expected it once", name=name))
        self.options[name] = (found["text"], source.number, start)
        return Line(source.number, f"option: {name} = {found['text']}", tail=source.tail)

    def _resolve(self) -> tuple[Table, tuple[int, ...], tuple[str, ...]]:
        game_name, line, column = self._required("game", Phrase("such as `game: {game}`", game=next(iter(games()))))
        if game_name not in games():
            raise RecordError(
                line,
                column,
                Phrase("no game {game!r}; expected {listed}", game=game_name, listed=" or ".join(games())),
            )
        game = games()[game_name]
        text, line, column = self._required(
            "seats", Phrase("{least} to {most}", least=game.seats[0], most=game.seats[-1])
        )
        if text not in [str(seats) for seats in game.seats]:
            problem = Phrase(
                "{name} has no {text!r} seats; expected {least} to {most}",
                name=game.name,
                text=text,
                least=game.seats[0],
                most=game.seats[-1],
            )
            raise RecordError(line, column, problem)
        hands, line, column = self.values.get("hands", ("tracked", 0, 0))
        if hands not in ("tracked", "concealed"):
            raise RecordError(
                line, column, Phrase("hands cannot be {hands!r}; expected tracked or concealed", hands=hands)
            )
        options: dict[str, OptionValue] = {}
        for name, (value, line, column) in self.options.items():
            try:
                options[name] = parse_option(game.options, name, value)
            except OptionError as error:
                raise RecordError(line, column, said_by(error)) from None
        rules, line, column = self.values.get("rules", ("standard", self.last_line, 1))
        try:
            table = lay_table(game, int(text), rules, hands == "tracked", options)
        except OptionError as error:
            if options and rules in game.rule_sets:
                _, line, column = list(self.options.values())[-1]
            raise RecordError(line, column, said_by(error)) from None
        return table, self._scores(table), self._names(table)

    def _required(self, key: str, expected: str) -> tuple[str, int, int]:
        if key not in self.values:
            line = self.sources[-1].number + 1 if self.sources else 1
            raise RecordError(
                line,
                1,
                Phrase("no line `{key}:` before the first deal; expected one, {expected}", key=key, expected=expected),
            )
        return self.values[key]

    def _scores(self, table: Table) -> tuple[int, ...]:
        if "scores" not in self.values:
            return (0,) * len(table.sides)
        text, line, column = self.values["scores"]
        words = words_of(text, column)
        scores = [parse_score(word.text, line, word.column) for word in words]
        if len(scores) != len(table.sides):
            raise RecordError(
                line,
                column,
                Phrase(
                    "{count} scores; expected {sides}, one for each side", count=len(scores), sides=len(table.sides)
                ),
            )
        if table.game.winners(table.rules, tuple(scores)):
            target = table.game.target(table.rules)
            raise RecordError(
                line,
                column,
                Phrase("these scores end the match before it begins; expected less than {target}", target=target),
            )
        return tuple(scores)

    def _names(self, table: Table) -> tuple[str, ...]:
        if "names" not in self.values:
            return ()
        text, line, column = self.values["names"]
        names = tuple(name.strip() for name in text.split(","))
        if len(names) != table.seats or "" in names:
            count = sum(bool(name) for name in names)
            raise RecordError(
                line,
                column,
                Phrase("{count} names; expected {seats}, with commas between them", count=count, seats=table.seats),
            )
        return names


# Writing what was played


def header_lines(table: Table, scores: Iterable[int] = (), names: Iterable[str] = ()) -> list[str]:
    """The header of a record of this table."""
    scores, names = tuple(scores), tuple(names)
    lines = [f"game: {table.game.name}", f"rules: {table.rule_set}", f"seats: {table.seats}"]
    lines.append(f"hands: {'tracked' if table.tracked else 'concealed'}")
    if any(names):
        lines.append(f"names: {', '.join(names)}")
    if any(scores):
        lines.append(f"scores: {' '.join(map(str, scores))}")
    return lines + [f"option: {name} = {option_text(value)}" for name, value in table.options]


def deal_lines(deal: entries.Deal) -> list[str]:
    """The lines of a deal: the dealer, the turn-up, the hands that are known, the stock."""
    lines = [f"deal {deal.dealer}"]
    dealt = deal.dealt
    if dealt.buried is not None:
        lines.append(f"buried: {dealt.buried}")
    if dealt.turn_up:
        lines.append(f"turn-up: {' '.join(map(str, dealt.turn_up))}")
    for seat, hand in enumerate(dealt.hands, 1):
        if hand is not None:
            lines.append(f"hand {seat}: {' '.join(map(str, hand))}")
    if dealt.stock is not None:
        lines.append(f"stock: {' '.join(map(str, dealt.stock))}")
    return lines
