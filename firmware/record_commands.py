"""The commands that need no table: `check` and `legal`, which read records, and `rules`."""

import errno
import json
import os
import sys
from itertools import islice
from pathlib import Path

import click

from engine.answers import Answer, answer_values, check_record, result_values
from engine.match import to_act
from engine.notation import RecordError, entry_text
from engine.phrases import Phrase, reason, said_by
from engine.record import Record, read_record
from engine.referee import Referee
from firmware.failures import OK, REFUSED, Failure
from firmware.phrases import tell

MOST_RECORD = 1 << 26
"""Bytes of a record at most: a million lines and more."""
MOST_COUNTED = 100_000
"""Legal actions beyond the limit that are counted; an unknown hand can meld in more ways than anyone waits for."""


def _bytes_of(record: Path) -> bytes:
    with record.open("rb") as file:
        data = file.read(MOST_RECORD + 1)
    if len(data) > MOST_RECORD:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
    return data


def read_record_file(name: str) -> Record:
    """The record in a file, or on standard input for `-`; raises `Failure` with file, line, column and reason."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else _bytes_of(Path(name))
    except OSError as error:
        raise Failure(Phrase("{name}: {why}; expected a record (.ctr)", name=name, why=reason(error))) from None
    try:
        return read_record(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise Failure(
            Phrase(
                "{name}:{line}:{column}: not UTF-8; expected a text file in UTF-8", name=name, line=line, column=column
            )
        ) from None
    except RecordError as error:
        raise Failure(
            Phrase(
                "{name}:{line}:{column}: {problem}",
                name=name,
                line=error.line,
                column=error.column,
                problem=error.problem,
            )
        ) from None


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--lang", type=click.Choice(["en", "ru"]), default="en", help="Language of the wording.")
def check(files: tuple[str, ...], as_json: bool, lang: str) -> None:
    """Referee records from the first line to the last (`-`: standard input).

    Status 0: every deal and action accepted; 1: at least one refused; 2: a file that is no record.
    """
    records = [read_record_file(name) for name in files]
    status = OK
    for name, record in zip(files, records, strict=True):
        if len(files) > 1 and not as_json:
            click.echo(f"{name}:")
        if _check_one(record, as_json, lang):
            status = REFUSED
    sys.exit(status)


def _check_one(record: Record, as_json: bool, lang: str) -> bool:
    """Print the answers and the result of one record; whether anything was refused."""
    from firmware.words import Length, Words

    words = Words(record.table.game, lang)
    referee, answers = check_record(record)
    refused = False
    for answer in answers:
        refusal = answer.ruling.refusal
        refused |= refusal is not None
        message = words.refusal(refusal, Length.SENTENCE) if refusal else None
        if as_json:
            click.echo(json.dumps(answer_values(referee, answer, message), ensure_ascii=False))
        else:
            click.echo(_answer_line(referee, answer, message))
    result = result_values(referee)
    if as_json:
        click.echo(json.dumps({"result": result}, ensure_ascii=False))
    else:
        _print_result(result)
    return refused


def _answer_line(referee: Referee, answer: Answer, message: str | None) -> str:
    ruling = answer.ruling
    if ruling.refusal:
        verdict = f"refused {ruling.refusal.code}: {message}"
    else:
        verdict = " ".join(["ok", *(notice.code for notice in ruling.notices)])
    return f"{answer.line}  {entry_text(referee.match.table, ruling.entry)}  {verdict}"


def _print_result(result: dict[str, object]) -> None:
    for key, value in result.items():
        text = json.dumps(value, ensure_ascii=False)
        click.echo(f"{key}: {text}")


@click.command()
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--limit", type=click.IntRange(min=0), default=1000, show_default=True, help="List so many at the most.")
@click.option("--lang", type=click.Choice(["en", "ru"]), default="en", help="Language of the wording.")
def legal(file: str, as_json: bool, limit: int, lang: str) -> None:
    """List every legal action of the seats to act at the end of a record (`-`: standard input).

    Beyond the limit they are only counted, and beyond 100,000 more not even that.
    """
    record = read_record_file(file)
    referee, answers = check_record(record)
    rulings = [answer.ruling for answer in answers]
    acting = to_act(referee.match)
    actions = (action for action in referee.legal() if action.seat in acting)
    for action in islice(actions, limit):
        text = record.table.game.text(action)
        click.echo(json.dumps({"seat": action.seat, "action": text}) if as_json else f"{action.seat} {text}")
    rest = sum(1 for _ in islice(actions, MOST_COUNTED + 1))
    if rest:
        many = rest > MOST_COUNTED
        more = (
            Phrase("and more than {count} more", count=MOST_COUNTED) if many else Phrase("and {count} more", count=rest)
        )
        counted = {"more": min(rest, MOST_COUNTED)} | ({"at_least": True} if many else {})
        click.echo(json.dumps(counted) if as_json else tell(more, lang))
    sys.exit(REFUSED if any(ruling.refusal for ruling in rulings) else OK)


@click.command()
@click.argument("game")
@click.option("--lang", default="en", show_default=True, help="Language of the page: en or ru.")
def rules(game: str, lang: str) -> None:
    """Print a game's rules, options and codes, and what the table itself has decided."""
    from firmware.rulespage import RulesPageError, rules_page

    try:
        click.echo(rules_page(game, lang), nl=False)
    except RulesPageError as error:
        raise Failure(said_by(error)) from None
