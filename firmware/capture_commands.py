"""The commands about captures: `tableref capture` writes one at a table, `tableref replay` plays one back."""

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine.phrases import Phrase, reason, said_by
from firmware.failures import LANG_OPTION, OK, REFUSED, Failure, speak

if TYPE_CHECKING:
    from firmware.capturing import Recording, Start
    from firmware.comparing import Outcome
    from firmware.replaying import Replay
    from hal.clock import Clock

MEGABYTE = 1024 * 1024

CAPTURE_OPTION = click.option(
    "--capture", "capture_file", metavar="FILE", help="Write a capture for `tableref replay`; it holds all cards."
)
"""The option of a command that simulates a table."""


def _a_number(_: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """The value of an option that is a number; no range leaves out `nan`."""
    if value is not None and math.isnan(value):
        raise Failure(Phrase("{opts} is no number; expected one", opts=option.opts[0]))
    return value


class Pace:
    """Lets the time of a table pass so many times as fast as the world's, and makes up for steps that took longer."""

    def __init__(
        self,
        speed: float,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._speed = speed
        self._sleep = sleep
        self._clock = clock
        self._due = clock()

    def __call__(self, seconds: float) -> None:
        """Wait until so many seconds more of the table's time may have passed."""
        self._due += seconds / self._speed
        left = self._due - self._clock()
        if left > 0:
            self._sleep(left)


def open_recording(name: str, start: "Start", clock: "Clock", limit: int | None = None) -> "Recording":
    """A capture that is begun in a file of this name; raises `Failure`. What stops it later is said on stderr."""
    from firmware.capturing import Recording
    from firmware.output import complain
    from firmware.phrases import tell
    from hal.capture import LIMIT

    try:
        language = start.table.language
        return Recording(
            Path(name),
            start,
            clock,
            lambda problem: complain(tell(problem, language)),
            LIMIT if limit is None else limit,
        )
    except OSError as error:
        raise Failure(
            Phrase("{name}: {why}; expected a new file that can be written", name=name, why=reason(error))
        ) from None


@click.command()
@click.option("--table", "table_file", required=True, metavar="FILE", help="Table file: wiring, game and deck.")
@click.option("--journal", metavar="FILE", help="Journal (default: in the service's state folder, else ./tableref.db).")
@click.option("--simulated", is_flag=True, help="On simulated wires: nobody can press or tap; for a try on a PC.")
@click.option("--to", "capture_file", default="table.capture", show_default=True, metavar="FILE",
              help="Where the capture is written: a new file.")  # fmt: skip
@click.option("--limit", type=click.IntRange(1), default=64, show_default=True, metavar="MB",
              help="Size at which the capture ends; the game goes on.")  # fmt: skip
@LANG_OPTION
def capture(
    table_file: str, journal: str | None, simulated: bool, capture_file: str, limit: int, lang: str | None
) -> None:
    """Run the table as `tableref run` does, and write down all that passes its wires, for `tableref replay`.

    A capture holds the deck with the UIDs of its tags, all hands and who pressed what: give it to nobody who plays on.
    """
    from firmware.run_command import run_until_stopped

    run_until_stopped(table_file, journal, simulated, lang, capture_file, limit * MEGABYTE)


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--speed",
    type=click.FloatRange(0.1, 1000),
    callback=_a_number,
    help="Times the captured time (default: as fast as it goes).",
)
@click.option("--record", "record_file", metavar="FILE", help="Where the record of what was played is written.")
@click.option("--quiet", is_flag=True, help="Say only whether all is as captured.")
@LANG_OPTION
def replay(file: str, speed: float | None, record_file: str | None, quiet: bool, lang: str | None) -> None:
    """Run the true drivers and the referee on a capture, and compare what they say with what was said then.

    Status 0: all rulings and messages are as captured; 1: they are not; 2: a file that is no capture.
    """
    from firmware.desk import Heard
    from firmware.errors import JournalError
    from firmware.replaying import Replay
    from firmware.table_option import check_folder, write_record_file
    from firmware.telling import heard_line
    from firmware.words import Words
    from hal.capture import CaptureError, read_capture
    from hal.errors import TablerefHardwareError

    if record_file:
        check_folder(record_file)

    def hear(heard: Heard) -> None:
        if not quiet:
            click.echo(f"{play.clock.now():9.3f}  {heard_line(table.table, words, heard)}")

    pause = Pace(speed) if speed else lambda seconds: None
    try:
        play = Replay(read_capture(Path(file)), (hear,), pause)
        table = play.start.table
        language = speak(lang or table.language, Path(file))
        words = Words(table.table.game, language)
        outcome = play.run()
        if not play.capture.entries:
            raise CaptureError(file, 2, Phrase("nothing but a header; expected what passed the wires"))
    except CaptureError as error:
        raise Failure(said_by(error)) from None
    except JournalError as error:
        raise Failure(Phrase("{file}:1: {error}", file=file, error=said_by(error))) from None
    except TablerefHardwareError as error:
        raise Failure(
            Phrase("{file}:1: its table cannot be opened: {error}", file=file, error=said_by(error))
        ) from None
    except OSError as error:
        raise Failure(Phrase("{file}: {why}; expected a capture", file=file, why=reason(error))) from None
    if record_file:
        write_record_file(record_file, outcome.record)
    _tell_outcome(file, play, outcome, language)
    sys.exit(OK if outcome.same else REFUSED)


def _tell_outcome(file: str, play: "Replay", outcome: "Outcome", language: str) -> None:
    """Say how long the capture was, and whether all is as it was or what differs first."""
    from firmware.phrases import tell

    said = len(outcome.replayed)
    counted = Phrase("1 ruling or message") if said == 1 else Phrase("{count} rulings and messages", count=said)
    summary = Phrase("{file}: {seconds:.1f} s, {counted}", file=file, seconds=play.capture.seconds, counted=counted)
    if not play.capture.complete:
        summary = Phrase("{summary}; the capture was cut there", summary=summary)
    click.echo(tell(summary, language))
    if outcome.difference is None:
        click.echo(tell(Phrase("all as captured"), language))
        return
    click.echo(tell(outcome.difference.words, language))
    if outcome.event_difference is not None:
        before = Phrase("before that: {difference}", difference=outcome.event_difference.words)
        click.echo(tell(before, language))
