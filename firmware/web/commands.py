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
from firmware.logbook import Logbook
from firmware.loop import Loop
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from firmware.web.board_site import board_part
from firmware.web.console_routes import console_opening, console_site_part, open_console, with_part
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
    mistakes: float = 0.0,
) -> None:
    """A simulated table that is played in a browser; raises `Failure`. `mistakes` is the bots' share of wrong cards."""
    feed, log = Feed(), Logbook()
    played: PlayedTable
    board = board_part(feed, lambda: played.journal, web.reveal, web.title)
    token: str | None = None

    def begun(loop: Loop) -> None:
        board.publisher.attach(loop)
        log.attach(loop)
        if token is not None:  # another table, or this one anew: whoever directs need not look for another token
            opening = played.do(console_opening(token or None, shown=False))
            opening.add_done_callback(lambda done: echo_token(done.result()))

    table = partial(SimulatedTable, file, journal, seed, capture=capture)
    try:
        played = PlayedTable(table, feed, seed, bots, begun, mistakes, journal)
    except JournalError as error:
        raise Failure(said_by(error)) from None
    try:
        console = console_site_part(played, feed, lambda loop: loop.journal_file, log=log)
        site = with_part(sim_site(played, board), console)
        server = _started(lambda: Server(site, feed, web.address or Address(), web.hosts))
        try:
            click.echo(server.address.url)
            token = open_console(played, shown=False)  # whoever plays has the terminal, too
            echo_token(token)
            _until_stopped()
        finally:
            server.close()
        if record:
            write_whole(Path(record), played.act(lambda bench: bench.table.loop.record()).result())
    finally:
        played.close()


def echo_token(token: str) -> None:
    """Say the token of the director's page, if one was made: it is said nowhere else but at the first place."""
    if token:
        click.echo(f"/director: {token}")


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
