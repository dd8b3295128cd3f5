"""The server beside a real table. It comes after the game: where it cannot be had, that is said, and play goes on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from firmware.loop import Loop
from firmware.web.board_site import BoardPart, board_part
from firmware.web.feed import Feed
from firmware.web.server import Server, Site, WebError
from firmware.web_address import Address
from firmware.web_part import Web


def table_site(board: BoardPart) -> Site:
    """What is offered beside a table that is run."""
    return Site(pages={"/": "board.html", **board.pages}, routes=board.routes, public=board.public)


@asynccontextmanager
async def served(
    loop: Loop, journal: Path, said: Web, complain: Callable[[str], None]
) -> AsyncIterator[Address | None]:
    """A server for a table that runs in this event loop, until the block is left; its address, or None where it has
    none and `complain` was told why. The deciding task waits for nothing of it.
    """
    feed = Feed()
    board = board_part(feed, lambda: journal, said.reveal, said.title)
    async with loop.turn:
        board.publisher.attach(loop)
    try:
        server = await asyncio.to_thread(Server, table_site(board), feed, said.address or Address(), said.hosts)
    except WebError as error:
        complain(str(error))
        yield None
        return
    try:
        yield server.address
    finally:
        await asyncio.to_thread(server.close)
