"""The part of a site that is for everybody: the board's page, and the documented interface (`docs/api.md`)."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from aiohttp import web

from firmware.errors import JournalError
from firmware.web.archive import Archive
from firmware.web.feed import Feed
from firmware.web.guard import failure
from firmware.web.publisher import HISTORY, TABLE, Publisher
from firmware.web.saying import as_json
from firmware.web.server import API
from firmware.web_part import Reveal

MOST_ASKING = 16
"""Requests that wait for the journal at a time."""
LARGEST_NUMBER = 6
"""Digits of a number in a request."""


class BoardPart(NamedTuple):
    """What the board adds to a site."""

    pages: dict[str, str]
    routes: tuple[web.RouteDef, ...]
    public: tuple[str, ...]
    publisher: Publisher


def board_part(feed: Feed, journal: Callable[[], Path], reveal: Reveal = Reveal.NEVER, title: str = "") -> BoardPart:
    """The board of the table whose journal is in this file."""
    publisher = Publisher(feed, reveal, title)
    asked = _Asked(Archive(journal, reveal))

    async def table(request: web.Request) -> web.Response:
        newest = feed.newest([TABLE]).get(TABLE)
        return _json(newest) if newest is not None else failure(503, "the table is not there yet")

    async def history(request: web.Request) -> web.Response:
        return _json(publisher.history())

    async def deals(request: web.Request) -> web.Response:
        text = request.query.get("match")
        if text is not None and _number(text) is None:
            return failure(400, "match is no number; expected the number of a match")
        up_to = None if text is None else _number(text)
        return await asked.answer(lambda archive: {"deals": archive.deals(up_to)})

    async def deal(request: web.Request) -> web.Response:
        match, number = (_number(request.match_info[key]) for key in ("match", "deal"))
        if match is None or number is None:
            return failure(404, "no such deal")
        return await asked.answer(lambda archive: archive.replay(match, number))

    async def sessions(request: web.Request) -> web.Response:
        return await asked.answer(lambda archive: {"sessions": archive.sessions()})

    async def standings(request: web.Request) -> web.Response:
        return await asked.answer(lambda archive: {"standings": archive.standings()})

    routes = (
        web.get(f"{API}/table", table),
        web.get(f"{API}/history", history),
        web.get(f"{API}/deals", deals),
        web.get(f"{API}/deals/{{match}}/{{deal}}", deal),
        web.get(f"{API}/sessions", sessions),
        web.get(f"{API}/standings", standings),
    )
    return BoardPart({"/board": "board.html"}, routes, (TABLE, HISTORY), publisher)


class _Asked:
    """One asks the archive at a time, in a thread of its own."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._waiting = 0
        self._worker: ThreadPoolExecutor | None = None

    async def answer(self, find: Callable[[Archive], object]) -> web.Response:
        """What was found as an answer; what takes too much at once is refused."""
        if self._waiting >= MOST_ASKING:
            return failure(503, "too many ask at once; expected to be asked again in a second")
        self._worker = self._worker or ThreadPoolExecutor(max_workers=1, thread_name_prefix="archive")
        self._waiting += 1
        try:
            found = await asyncio.get_running_loop().run_in_executor(self._worker, self._find, find)
        except JournalError:
            return failure(503, "the journal cannot be read")
        finally:
            self._waiting -= 1
        return failure(404, "no such deal") if found is None else _json(found)

    def _find(self, find: Callable[[Archive], object]) -> str | None:
        found = find(self._archive)
        return None if found is None else as_json(found)


def _json(text: str) -> web.Response:
    return web.Response(text=text, content_type="application/json")


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LARGEST_NUMBER else None
