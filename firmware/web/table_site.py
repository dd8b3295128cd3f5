"""The server beside a real table. It comes after the game: where it cannot be had, that is said, and play goes on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from firmware.logbook import Logbook
from firmware.loop import Loop
from firmware.web.board_site import BoardPart, board_part
from firmware.web.console_routes import console_site_part, open_console, with_part
from firmware.web.feed import Feed
from firmware.web.inside import RunningTable
from firmware.web.server import Server, Site, WebError
from firmware.web_address import Address
from firmware.web_part import Web


def table_site(board: BoardPart) -> Site:
    """What everybody is offered beside a table that is run."""
    return Site(pages={"/": "board.html", **board.pages}, routes=board.routes, public=board.public)


@asynccontextmanager
async def served(
    loop: Loop, journal: Path, said: Web, complain: Callable[[str], None], tell: Callable[[str], None]
) -> AsyncIterator[Address | None]:
    """A server for a table that runs in this event loop, until the block is left; its address, or None where it has
    none and `complain` was told why. `tell` is told the director's token, if one was made. The deciding task waits for
    nothing of it.
    """
    feed, inside, log = Feed(), RunningTable(loop, asyncio.get_running_loop()), Logbook()
    board = board_part(feed, lambda: journal, said.reveal, said.title)
    console = console_site_part(inside, feed, table=said.table, captures=said.captures, log=log)
    site = with_part(table_site(board), console)
    async with loop.turn:
        board.publisher.attach(loop)
        log.attach(loop)
    try:
        server = await asyncio.to_thread(Server, site, feed, said.address or Address(), said.hosts)
    except WebError as error:
        complain(str(error))
        yield None
        return
    try:
        token = await asyncio.to_thread(open_console, inside)
        if token:
            tell(token)
        yield server.address
    finally:
        await asyncio.to_thread(server.close)
