"""The command `tableref`. Each command imports what it needs when it is called, so that `check` is quick to start."""

import json
import sys
from pathlib import Path

import click

from engine.answers import Answer, answer_values, check_record, result_values
from engine.match import legal
from engine.notation import RecordError, entry_text
from engine.record import Record, read_record
from engine.referee import Referee

OK, REFUSED, UNREADABLE = 0, 1, 2


class Failure(click.ClickException):
    """A one-line error with status 2."""

    exit_code = UNREADABLE

    def show(self, file: object = None) -> None:
        """Print the line on standard error."""
        click.echo(self.message, err=True)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tableref")
def main() -> None:
    """A referee for card games played with real cards at a real table."""


def read_record_file(name: str) -> Record:
    """The record in a file, or on standard input for `-`; raises `Failure` with file, line, column and reason."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise Failure(f"{name}: {error.strerror}; expected a record (.ctr)") from None
    try:
        return read_record(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise Failure(f"{name}:{line}:{column}: not UTF-8; expected a text file in UTF-8") from None
    except RecordError as error:
        raise Failure(f"{name}:{error.line}:{error.column}: {error.problem}") from None


@main.command()
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


@main.command("legal")
@click.argument("file")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--limit", type=click.IntRange(min=0), default=1000, show_default=True, help="List so many at the most.")
def legal_command(file: str, as_json: bool, limit: int) -> None:
    """List every legal action of the seats to act at the end of a record (`-`: standard input)."""
    record = read_record_file(file)
    referee, answers = check_record(record)
    rulings = [answer.ruling for answer in answers]
    rest = 0
    for count, action in enumerate(legal(referee.match)):
        if count >= limit:
            rest += 1
            continue
        text = record.table.game.text(action)
        click.echo(json.dumps({"seat": action.seat, "action": text}) if as_json else f"{action.seat} {text}")
    if rest:
        click.echo(json.dumps({"more": rest}) if as_json else f"and {rest} more")
    sys.exit(REFUSED if any(ruling.refusal for ruling in rulings) else OK)
