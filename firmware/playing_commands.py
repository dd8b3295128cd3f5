"""The commands of the simulated table: `demo`, `script` and `sim`."""

import contextlib
import errno
import math
import os
import sys
from pathlib import Path

import click

from engine.phrases import Phrase, reason, said_by
from firmware.capture_commands import CAPTURE_OPTION, open_recording
from firmware.failures import OK, REFUSED, Failure, speak
from firmware.phrases import tell
from firmware.table_option import (
    TABLE_OPTION,
    Made,
    check_folder,
    made_options,
    simulated_table_file,
    write_record_file,
)
from firmware.web_option import WEB_OPTION, wanted_web


@click.command()
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
    with contextlib.closing(play):
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


@click.command()
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


@click.command()
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
