"""The command `run`: a table, until it is told to stop."""

import contextlib
import os
from pathlib import Path

import click

from engine.phrases import Phrase, said_by
from firmware.capture_commands import open_recording
from firmware.failures import LANG_OPTION, Failure
from firmware.output import complain, speaking
from firmware.phrases import tell
from firmware.table_option import read_table_option
from firmware.web_option import WEB_OPTION, wanted_web


@click.command()
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
