"""The command `tableref`. Each command imports what it needs when it is called, so that `check` is quick to start."""

import contextlib
import errno
import functools
import io
import json
import math
import os
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from engine.answers import Answer, answer_values, check_record, result_values
from engine.match import to_act
from engine.notation import RecordError, entry_text
from engine.phrases import Phrase, reason, said_by
from engine.record import Record, read_record
from engine.referee import Referee
from firmware.backup_command import backup, idle
from firmware.bundle_commands import bundle
from firmware.capture_commands import CAPTURE_OPTION, capture, open_recording, replay
from firmware.dark_command import dark
from firmware.deck_commands import deck
from firmware.doctor_commands import bind, doctor
from firmware.failures import LANG_OPTION, OK, REFUSED, UNREADABLE, Failure, Speaking, asked_for, speak
from firmware.history_commands import history
from firmware.output import Output, OutputError, complain, speaking
from firmware.phrases import tell
from firmware.web_option import WEB_OPTION, wanted_web
from firmware.wiring_commands import wiring

if TYPE_CHECKING:
    from firmware.tablefile import TableFile

MOST_RECORD = 1 << 26
"""Bytes of a record at most: a million lines and more."""
MOST_COUNTED = 100_000
"""Legal actions beyond the limit that are counted; an unknown hand can meld in more ways than anyone waits for."""


def entry() -> None:
    """What the shell starts: `main`, with streams that may be closed, full, or of another encoding."""
    sys.stdout = sys.stdout or io.StringIO()
    sys.stdin = sys.stdin or io.TextIOWrapper(io.BytesIO())
    if isinstance(sys.stderr, io.TextIOWrapper):
        sys.stderr.reconfigure(errors="replace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout = _output(sys.stdout)
    status: object = OK
    try:
        try:
            main(prog_name="tableref")
        except SystemExit as end:
            status = end.code
        sys.stdout.flush()
    except (OSError, OutputError) as error:
        with speaking(asked_for(sys.argv[1:])):
            complain(unforeseen(error))
        nothing = os.open(os.devnull, os.O_WRONLY)
        for descriptor in (1, 2):  # what is still to be flushed must not fail once more
            os.dup2(nothing, descriptor)
        status = UNREADABLE
    sys.exit(status if isinstance(status, int) else OK)


def unforeseen(error: OSError | OutputError) -> Phrase:
    """What is said of a file that a command could not have, or of an output that takes nothing."""
    name = getattr(error, "filename", None)
    if isinstance(error, PermissionError) and name is not None:
        return Phrase("{file}: Permission denied; as the user of the table: sudo -u tableref tableref …", file=name)
    if name is not None:
        return Phrase("{file}: {why}", file=name, why=reason(error))
    return Phrase("tableref: {why}", why=reason(error))


def _output(stream: io.TextIOWrapper) -> io.TextIOWrapper:
    """Standard output over bytes that tell by `OutputError` that they cannot be written."""
    encoding, lines = stream.encoding, stream.line_buffering or stream.write_through
    stream.flush()
    buffer = stream.detach()
    raw = buffer.detach() if isinstance(buffer, io.BufferedWriter) else buffer
    assert isinstance(raw, io.RawIOBase)
    return io.TextIOWrapper(Output(raw), encoding, "replace", line_buffering=lines)


@click.group(cls=Speaking, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="tableref")
def main() -> None:
    """A referee for card games played with real cards at a real table."""


for command in (bundle, capture, replay, wiring, deck, doctor, bind, dark, history, backup, idle):
    main.add_command(command)


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
@click.option("--lang", type=click.Choice(["en", "ru"]), default="en", help="Language of the wording.")
def legal_command(file: str, as_json: bool, limit: int, lang: str) -> None:
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


def example(name: str) -> Path:
    """A file of `examples/`: beside the packages in a checkout, else where the wheel's shared data lie."""
    import sysconfig

    checkout = Path(__file__).parent.parent / "examples"
    folder = checkout if checkout.is_dir() else Path(sysconfig.get_path("data")) / "share" / "tableref" / "examples"
    return folder / name


@main.command()
@click.argument("game")
@click.option("--lang", default="en", show_default=True, help="Language of the page: en or ru.")
def rules(game: str, lang: str) -> None:
    """Print a game's rules, options and codes, and what the table itself has decided."""
    from firmware.rulespage import RulesPageError, rules_page

    try:
        click.echo(rules_page(game, lang), nl=False)
    except RulesPageError as error:
        raise Failure(said_by(error)) from None


class Made(NamedTuple):
    """What is said of a simulated table that is made to order; None: nothing."""

    game: str | None
    seats: int | None
    rules: str | None
    readers: str | None
    lang: str | None
    deal: str | None


def simulated_table_file(name: str | None, made: Made) -> "TableFile":
    """The table of a command that simulates one: a table file's, or one made to order; raises `Failure`."""
    from engine.game import games
    from firmware.furnish import FurnishError, furnish

    said = [f"--{key}" for key, value in made._asdict().items() if value is not None]
    if not said:
        return read_table_option(name)
    if name:
        raise Failure(Phrase("--table beside {said}; expected a table file, or a table made to order", said=said[0]))
    game = made.game or next(iter(games()))
    most = games()[game].seats[-1] if game in games() else 4
    try:
        return furnish(game, made.seats or min(4, most), made.rules or "standard",
                       deal=made.deal or ("concealed" if made.readers == "none" else "pad"),
                       readers=made.readers or "seats", language=made.lang or "en")  # fmt: skip
    except FurnishError as error:
        raise Failure(said_by(error)) from None


def read_table_option(name: str | None, lang: str | None = None, copy: Path | None = None) -> "TableFile":
    """The table file of a command, in the language that was asked for, else in its own. `copy` is one of it that is to
    be read in its place.

    Raises `Failure` with file, line and what was expected.
    """
    from firmware.errors import TableError
    from firmware.tablefile import read_table_file
    from hal.errors import TablerefHardwareError

    path = Path(name) if name else example("four-seats.toml")
    speak(lang, copy or path)
    try:
        file = read_table_file(path, copy)
    except (TableError, TablerefHardwareError) as error:
        raise Failure(said_by(error)) from None
    except OSError as error:
        raise Failure(Phrase("{path}: {why}; expected a table file", path=path, why=reason(error))) from None
    return file if lang is None else file._replace(language=lang)


TABLE_OPTION = click.option("--table", "table_file", metavar="FILE", help="Table file (default: four seats).")


def made_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of a command that can make a simulated table to order, as one argument `made`."""

    @functools.wraps(command)
    def with_made(
        *given: object,
        game: str | None,
        seats: int | None,
        rule_set: str | None,
        readers: str | None,
        lang: str | None,
        deal: str | None,
        **named: object,
    ) -> None:
        command(*given, made=Made(game, seats, rule_set, readers, lang, deal), **named)

    made: Callable[..., None] = with_made
    for option in (
        click.option("--lang", help="Without a table file: the language of the displays: en or ru."),
        click.option("--deal", help="Without a table file: how cards are dealt: pad, scan-in or concealed."),
        click.option("--readers", help="Without a table file: where readers are: seats, centre or none."),
        click.option("--rules", "rule_set", help="Without a table file: the rule set."),
        click.option("--seats", type=click.IntRange(1, 8), help="Without a table file: the number of seats."),
        click.option("--game", help="Without a table file: the game that is played."),
    ):
        made = option(made)
    return made


@main.command()
@TABLE_OPTION
@made_options
@click.option(
    "--speed", type=click.FloatRange(0.1, 30), help="Times real time (default 3 at a terminal, else 15; at most 30)."
)
@click.option(
    "--pace",
    type=click.FloatRange(0.05, 10),
    help="Thinking time of the players, 1 as people do (default 0.5 at a terminal, else 0.1).",
)
@click.option(
    "--seed",
    type=int,
    default=1,
    show_default=True,
    help="The same seed shuffles the same cards; how they are played depends on the timing of the threads.",
)
@click.option("--mistakes", type=click.FloatRange(0, 1), default=0.15, show_default=True, help="Share of wrong cards.")
@click.option(
    "--record", "record_file", default="tableref-demo.ctr", show_default=True, help="Where the match is written."
)
@click.option("--faults", default="", metavar="NAMES", help="What goes wrong meanwhile: deaf,garbled,… or all.")
@CAPTURE_OPTION
def demo(
    table_file: str | None,
    made: Made,
    speed: float | None,
    pace: float | None,
    seed: int,
    mistakes: float,
    record_file: str,
    faults: str,
    capture_file: str | None,
) -> None:
    """Bots play a whole match on simulated hardware."""
    import asyncio

    from firmware.demo import Demo
    from hal.clock import SteadyClock
    from hal.sim.named_faults import FaultError

    file = simulated_table_file(table_file, made)
    check_folder(record_file)
    for name, value in (("--speed", speed), ("--pace", pace), ("--mistakes", mistakes)):
        if value is not None and math.isnan(value):
            raise Failure(Phrase("{name} is no number; expected one", name=name))
    live = sys.stdout.isatty()
    speed = speed or (3.0 if live else 15.0)
    pace = (0.5 if live else 0.1) if pace is None else pace
    names = [word.strip() for word in faults.split(",")] if faults else []
    if "" in names:
        raise Failure(
            Phrase(
                "--faults: {faults!r} has an empty name; expected names with one comma between, or all", faults=faults
            )
        )
    try:
        play = Demo(file, speed, pace, seed, mistakes, sys.stdout, names)
    except FaultError as error:
        raise Failure(Phrase("--faults: {error}", error=said_by(error))) from None
    clock = SteadyClock(speed)
    recording = open_recording(capture_file, Demo.start(file, seed), clock) if capture_file else None
    asyncio.run(play.play(recording))
    write_record_file(record_file, play.record)
    click.echo(play.score)
    file_name = Phrase("{file}: tableref check {file}", file=record_file)
    written = (
        Phrase("The match is in {file}", file=file_name)
        if play.over
        else Phrase("What was played is in {file}", file=file_name)
    )
    click.echo(tell(written, file.language))


@main.command()
@click.argument("scripts", nargs=-1, required=True, metavar="SCRIPT...")
@CAPTURE_OPTION
@click.option("--lang", type=click.Choice(["en", "ru"]), help="Default: the language of the script's table.")
def script(scripts: tuple[str, ...], capture_file: str | None, lang: str | None) -> None:
    """Play table scripts (.table) on simulated tables.

    Status 0: all is as they expect; 1: something is not; 2: a script that cannot be read.
    """
    from firmware.errors import TableError
    from firmware.script import read_script, run_script
    from hal.errors import TablerefHardwareError

    if capture_file and len(scripts) > 1:
        raise Failure(Phrase("--capture beside several scripts; expected one"))
    read = []
    for name in scripts:
        speak(lang, Path(name))
        try:
            read.append(read_script(Path(name)))
        except (TableError, TablerefHardwareError) as error:
            raise Failure(said_by(error)) from None
        except OSError as error:
            raise Failure(
                Phrase("{name}: {why}; expected a table script (.table)", name=name, why=reason(error))
            ) from None
    failed = 0
    for one in read:
        language = lang or one.table.language
        try:
            run_script(one, capture=Path(capture_file) if capture_file else None)
            lines = len(one.statements)
            well = (
                Phrase("{name}: ok, 1 line", name=one.name)
                if lines == 1
                else Phrase("{name}: ok, {lines} lines", name=one.name, lines=lines)
            )
            click.echo(tell(well, language))
        except TableError as error:
            failed += 1
            click.echo(tell(error, language))
        except OSError as error:
            raise Failure(
                Phrase(
                    "{name}: {why}; expected a new file that can be written",
                    name=capture_file,
                    why=reason(error),
                )
            ) from None
    sys.exit(REFUSED if failed else OK)


@main.command()
@TABLE_OPTION
@made_options
@click.option("--bots", default="", metavar="SEATS", help="Seats that bots play, such as 2,3,4.")
@click.option("--seed", type=int, default=1, show_default=True, help="Another seed is another shuffle.")
@click.option("--mistakes", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="The bots' wrong cards.")
@click.option("--record", "record_file", help="Where the match is written at the end.")
@click.option(
    "--journal", "journal_name", metavar="FILE", help="What is played is kept there, and goes on the next time."
)
@CAPTURE_OPTION
@WEB_OPTION
def sim(
    table_file: str | None,
    made: Made,
    bots: str,
    seed: int,
    mistakes: float,
    record_file: str | None,
    journal_name: str | None,
    capture_file: str | None,
    web: str | None,
) -> None:
    """Play at a simulated table in the terminal: keys are the buttons, `tap 2 AS` shows a card at seat 2.

    With --web: in a browser.
    """
    import signal

    from firmware.errors import JournalError
    from firmware.simulated import SimulatedTable
    from firmware.simulator import Simulator
    from firmware.telling import score_line

    if web is not None and not table_file and made.seats is None:
        made = made._replace(seats=_usual_seats(made.game))  # made to order: its session can be kept as a script
    file = simulated_table_file(table_file, made)
    for name in (record_file, capture_file, journal_name):
        if name:
            check_folder(name)
    journal = Path(journal_name) if journal_name else None
    if capture_file and Path(capture_file).exists():
        why = Phrase(os.strerror(errno.EEXIST))
        raise Failure(Phrase("{name}: {why}; expected a new file that can be written", name=capture_file, why=why))
    capture = Path(capture_file) if capture_file else None
    seen = wanted_web(web, file.web) if web is not None else None
    if seen is not None:
        from firmware.web.commands import play_in_browser

        play_in_browser(file, seen, _seats(bots, file.table.seats), seed, journal, capture, record_file, mistakes)
        return
    try:
        opened = SimulatedTable(file, journal, seed, capture=capture)
    except JournalError as error:
        raise Failure(said_by(error)) from None
    with opened as table:
        person = Simulator(table, _seats(bots, file.table.seats), seed, mistakes)
        if sys.stdin.isatty() and sys.stdout.isatty():
            for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
                signal.signal(number, signal.default_int_handler)
            with contextlib.suppress(KeyboardInterrupt):
                person.run_live(sys.stdout)
            click.echo(score_line(table.match, person.words))
        else:
            person.run_lines(sys.stdin, sys.stdout)
        if record_file:
            write_record_file(record_file, table.loop.record())
        if journal is None and table.loop.line_count:
            click.echo(tell(Phrase("not kept; with --journal FILE it goes on the next time"), file.language), err=True)


def _usual_seats(game: str | None) -> int:
    """How many sit down where nobody says it."""
    from engine.game import games

    return min(4, games()[game].seats[-1]) if game is not None and game in games() else 4


def _seats(text: str, seats: int) -> tuple[int, ...]:
    """The seats in a list such as `2,3,4`."""
    words = [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        if word not in map(str, range(1, seats + 1)):
            problem = Phrase("no seat {word!r}; expected some of 1 to {seats}, with commas", word=word, seats=seats)
            raise Failure(Phrase("--bots: {problem}", problem=problem))
    return tuple(int(word) for word in words)


def check_folder(name: str) -> None:
    """Raise `Failure` if a file of this name could not be written for want of a folder, or is one; better now than
    later.
    """
    if Path(name).is_dir():
        raise Failure(
            Phrase(
                "{name}: {why}; expected a file that can be written", name=name, why=Phrase(os.strerror(errno.EISDIR))
            )
        )
    if not Path(name).parent.is_dir():
        raise Failure(
            Phrase("{name}: no folder {parent}; expected one that is there", name=name, parent=Path(name).parent)
        )


def write_record_file(name: str, text: str) -> None:
    """Write a record, whole or not at all; raises `Failure`."""
    from firmware.whole import write_whole

    try:
        write_whole(Path(name), text)
    except OSError as error:
        raise Failure(
            Phrase("{name}: {why}; expected a file that can be written", name=name, why=reason(error))
        ) from None


@main.command()
@click.option("--table", "table_file", required=True, metavar="FILE", help="Table file: wiring, game and deck.")
@click.option("--journal", metavar="FILE", help="Journal (default: in the service's state folder, else ./tableref.db).")
@click.option("--simulated", is_flag=True, help="On simulated wires: nobody can press or tap; for a try on a PC.")
@WEB_OPTION
@LANG_OPTION
@click.option(
    "--stay/--no-stay",
    default=None,
    help="When it cannot start: stay up, say on the displays what is wrong, and start when that is mended (default: "
    "as a service).",
)
def run(
    table_file: str, journal: str | None, simulated: bool, web: str | None, lang: str | None, stay: bool | None
) -> None:
    """Run the table: what the service starts. SIGTERM or Ctrl-C ends it with all displays dark.

    With --web, or an address in [web] of the table file: the board, in a browser.
    """
    from firmware.starting import Order, keep_starting, stays
    from firmware.storage import journal_file

    if not stays(stay, os.environ):
        run_until_stopped(table_file, journal, simulated, lang, web=web)
        return
    order = Order(Path(table_file), journal_file(journal), simulated, lang, web)
    keep_starting(order, lambda: run_until_stopped(table_file, journal, simulated, lang, web=web))


def run_until_stopped(
    table_file: str,
    journal: str | None,
    simulated: bool,
    lang: str | None = None,
    capture_file: str | None = None,
    limit: int | None = None,
    web: str | None = None,
) -> None:
    """Run the table until a signal, with a capture of at most `limit` bytes if one is wanted; raises `Failure`. `web`
    is what was said of --web.
    """
    import asyncio
    from contextlib import closing
    from random import Random, SystemRandom

    from firmware.capturing import Start, remembered
    from firmware.errors import JournalError
    from firmware.journal import Journal
    from firmware.last_good import copy_instead, keep_good
    from firmware.opening import own_header
    from firmware.plugged import leave_out_what_hangs
    from firmware.recovering import recover
    from firmware.restoring import take_up_backup
    from firmware.run import run_table
    from firmware.storage import journal_file
    from firmware.trouble import broken_game_lines
    from hal.clock import SteadyClock
    from hal.errors import TablerefHardwareError
    from hal.gpio import LgpioMissingError
    from hal.wires import RealWires, Wires

    book = journal_file(journal)
    try:
        with speaking(lang or "en"):
            leave_out_what_hangs(lambda said: complain(tell(said, lang or "en")))
            take_up_backup(book)
    except JournalError as error:
        raise Failure(said_by(error)) from None
    copy = copy_instead(Path(table_file), book)
    file = read_table_option(table_file, lang, copy)
    if copy is not None:
        lost = Phrase("{file} is empty, as a power cut leaves a file; the last good one is used: {copy}; mend the file",
                      file=table_file, copy=copy)  # fmt: skip
        complain(tell(lost, file.language))
    for line in broken_game_lines():
        complain(tell(line, file.language))
    seen = wanted_web(web, file.web)
    if seen is not None:
        captures = (Path(capture_file),) if capture_file else ()
        seen = seen._replace(table=Path(table_file), captures=captures)
    wires: Wires = RealWires()
    if simulated:
        from hal.sim.board import SimulatedWires

        wires = SimulatedWires(file.wiring)
    clock, recording = SteadyClock(), None
    chance: Random = SystemRandom()
    try:
        with closing(wires):
            wires.open_chip().close()  # before a journal is begun that nobody would play with
            with contextlib.suppress(OSError):
                keep_good(Path(table_file), book)
            if capture_file:
                with speaking(file.language):
                    recover(book, own_header(file))
                with closing(Journal(book)) as before:
                    match, settings = before.last_match(), remembered(before.settings())
                seed = chance.randrange(2**32)
                recording = open_recording(capture_file, Start(file, seed, match, settings), clock, limit)
                chance = Random(seed)
            asyncio.run(run_table(file, wires, book, clock, chance, recording, web=seen))
    except LgpioMissingError as error:
        raise Failure(Phrase("{why}; on a computer without a table: --simulated", why=said_by(error))) from None
    except (JournalError, TablerefHardwareError) as error:
        raise Failure(said_by(error)) from None
