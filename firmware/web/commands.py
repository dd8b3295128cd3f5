"""Commands with `--web`: the server beside the table, until Ctrl-C."""

import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from engine.phrases import said_by
from firmware.errors import JournalError
from firmware.failures import Failure
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from firmware.web.board_site import board_part
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable
from firmware.web.server import Server, WebError
from firmware.web.sim_site import sim_site
from firmware.web_address import Address
from firmware.web_part import Web
from firmware.whole import write_whole


def play_in_browser(
    file: TableFile,
    web: Web,
    bots: tuple[int, ...],
    seed: int,
    journal: Path | None,
    capture: Path | None,
    record: str | None,
) -> None:
    """A simulated table that is played in a browser; raises `Failure`."""
    feed = Feed()
    played: PlayedTable
    board = board_part(feed, lambda: played.journal, web.reveal, web.title)
    table = partial(SimulatedTable, file, journal, seed, capture=capture)
    try:
        played = PlayedTable(table, feed, seed, bots, board.publisher.attach)
    except JournalError as error:
        raise Failure(said_by(error)) from None
    try:
        server = _started(lambda: Server(sim_site(played, board), feed, web.address or Address(), web.hosts))
        try:
            click.echo(server.address.url)
            _until_stopped()
        finally:
            server.close()
        if record:
            write_whole(Path(record), played.act(lambda bench: bench.table.loop.record()).result())
    finally:
        played.close()


def _started(start: Callable[[], Server]) -> Server:
    try:
        return start()
    except WebError as error:
        raise Failure(said_by(error)) from None


def _until_stopped() -> None:
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(number, lambda *_: stop.set())
    stop.wait()
