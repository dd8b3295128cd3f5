"""The commands about captures: `tableref capture` writes one at a table, `tableref replay` plays one back."""

import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from firmware.failures import OK, REFUSED, Failure

if TYPE_CHECKING:
    from firmware.capturing import Recording, Start
    from hal.clock import Clock

MEGABYTE = 1024 * 1024

CAPTURE_OPTION = click.option(
    "--capture", "capture_file", metavar="FILE", help="Write a capture for `tableref replay`; it holds all cards."
)
"""The option of a command that simulates a table."""


def _a_number(_: click.Context, option: click.Parameter, value: float | None) -> float | None:
    """The value of an option that is a number; no range leaves out `nan`."""
    if value is not None and math.isnan(value):
        raise Failure(f"{option.opts[0]} is no number; expected one")
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
    from hal.capture import LIMIT

    try:
        return Recording(Path(name), start, clock, complain, LIMIT if limit is None else limit)
    except OSError as error:
        raise Failure(f"{name}: {error.strerror}; expected a new file that can be written") from None


@click.command()
@click.option("--table", "table_file", required=True, metavar="FILE", help="Table file: wiring, game and deck.")
@click.option("--journal", metavar="FILE", help="Journal (default: in the service's state folder, else ./tableref.db).")
@click.option("--simulated", is_flag=True, help="On simulated wires: nobody can press or tap; for a try on a PC.")
@click.option("--to", "capture_file", default="table.capture", show_default=True, metavar="FILE",
              help="Where the capture is written: a new file.")  # fmt: skip
@click.option("--limit", type=click.IntRange(1), default=64, show_default=True, metavar="MB",
              help="Size at which the capture ends; the game goes on.")  # fmt: skip
def capture(table_file: str, journal: str | None, simulated: bool, capture_file: str, limit: int) -> None:
    """Run the table as `tableref run` does, and write down all that passes its wires, for `tableref replay`.

    A capture holds the deck with the UIDs of its tags, all hands and who pressed what: give it to nobody who plays on.
    """
    from firmware.command import run_until_stopped

    run_until_stopped(table_file, journal, simulated, capture_file, limit * MEGABYTE)


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
def replay(file: str, speed: float | None, record_file: str | None, quiet: bool) -> None:
    """Run the true drivers and the referee on a capture, and compare what they say with what was said then.

    Status 0: all rulings and messages are as captured; 1: they are not; 2: a file that is no capture.
    """
    from firmware.command import check_folder, write_record_file
    from firmware.desk import Heard
    from firmware.errors import JournalError
    from firmware.replaying import Replay
    from firmware.telling import heard_line
    from firmware.words import Words
    from hal.capture import CaptureError, read_capture
    from hal.errors import TablerefHardwareError

    if record_file:
        check_folder(record_file)

    def tell(heard: Heard) -> None:
        if not quiet:
            click.echo(f"{play.clock.now():9.3f}  {heard_line(table.table, words, heard)}")

    pause = Pace(speed) if speed else lambda seconds: None
    try:
        play = Replay(read_capture(Path(file)), (tell,), pause)
        table = play.start.table
        words = Words(table.table.game, table.language)
        outcome = play.run()
        if not play.capture.entries:
            raise CaptureError(file, 2, "nothing but a header; expected what passed the wires")
    except CaptureError as error:
        raise Failure(str(error)) from None
    except JournalError as error:
        raise Failure(f"{file}:1: {error}") from None
    except TablerefHardwareError as error:
        raise Failure(f"{file}:1: its table cannot be opened: {error}") from None
    except OSError as error:
        raise Failure(f"{file}: {error.strerror or error}; expected a capture") from None
    if record_file:
        write_record_file(record_file, outcome.record)
    ended = "" if play.capture.complete else "; the capture was cut there"
    said = len(outcome.replayed)
    counted = "1 ruling or message" if said == 1 else f"{said} rulings and messages"
    click.echo(f"{file}: {play.capture.seconds:.1f} s, {counted}{ended}")
    if outcome.same:
        click.echo("all as captured")
        sys.exit(OK)
    click.echo(str(outcome.difference))
    if outcome.event_difference is not None:
        click.echo(f"before that: {outcome.event_difference}")
    sys.exit(REFUSED)
