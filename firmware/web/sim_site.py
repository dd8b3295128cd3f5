"""The site of a simulated table: its page, and the hands that it lends."""

import asyncio
import json
from collections.abc import Iterable

from aiohttp import web

from engine.phrases import said_by
from firmware.errors import TableError
from firmware.web.board_site import BoardPart
from firmware.web.deeds import Capture, Press, Release, Sit, Table, parse_deed
from firmware.web.feed import Feed, message
from firmware.web.played import PlayedTable
from firmware.web.playing import Captured, Playing
from firmware.web.server import API, FEED, Site, follow
from firmware.web.sim_tables import bots_of, choices, table_of
from firmware.web.world import EVERYBODY, DeedError
from hal.events import Button

TOPICS = ("display:", "light:", "sound", "strip", "scene", "faults")
"""What everybody at a simulated table sees and hears."""


def topics_of(viewer: int) -> set[str]:
    """What somebody at this seat follows besides: the own hand, the own display, what is said there."""
    own = {"glass:"} if viewer == EVERYBODY else {f"glass:{viewer}"}
    return {*TOPICS, f"cards:{viewer}", f"said:{viewer}", f"hint:{viewer}"} | own


class Chair:
    """One page at a simulated table: where it sits, and which buttons it holds down."""

    def __init__(self, played: PlayedTable, feed: Feed) -> None:
        self._played = played
        self._feed = feed
        self._viewer = 0
        self._held: set[tuple[int, str]] = set()
        self.topics = topics_of(0)

    async def take(self, wanted: object) -> Iterable[str]:
        """Do what the page asks for; what it is told at once."""
        try:
            deed = parse_deed(wanted)
            if isinstance(deed, Sit):
                return self._sit(deed)
            if isinstance(deed, Press):
                self._held.add((deed.seat, deed.button))
            elif isinstance(deed, Release):
                self._held.discard((deed.seat, deed.button))
            elif isinstance(deed, Table):
                file = table_of(deed)
                self._played.begin(file, bots_of(deed), deed.capture)
                return ()
            elif isinstance(deed, Capture):
                bench = await asyncio.wrap_future(self._played.act(lambda bench: bench))
                self._played.begin(bench.table.file, tuple(bench.bots), captured=True)
                return ()
            viewer = self._viewer
            await asyncio.wrap_future(self._played.play(lambda playing: playing.do(deed, viewer)))
        except DeedError as error:
            return (_failed(error.code, said_by(error)),)
        except (TableError, ValueError) as error:
            return (_failed("cannot", said_by(error)),)
        return ()

    def _sit(self, deed: Sit) -> Iterable[str]:
        self._let_go()
        self._viewer = EVERYBODY if deed.all else deed.seat
        wanted = topics_of(self._viewer)
        if deed.all:
            wanted |= {f"said:{deed.seat}", f"hint:{deed.seat}"}
        self.topics.clear()
        self.topics.update(wanted)
        return (message(self._feed.newest(self.topics)),)

    def _let_go(self) -> None:
        """Nobody's finger stays on a button when the page is gone."""
        viewer, held = self._viewer, [*self._held]
        self._held.clear()
        for seat, button in held:
            self._played.play(lambda playing, s=seat, b=button: playing.button(s, Button(b), False, viewer))  # type: ignore[misc]

    def close(self) -> None:
        """The page has left."""
        self._let_go()


def _failed(code: str, why: str) -> str:
    return json.dumps({"error": {"code": code, "says": why}})


def sim_site(played: PlayedTable, board: BoardPart | None = None) -> Site:
    """What is offered."""

    async def sim(request: web.Request) -> web.StreamResponse:
        chair = Chair(played, request.app[FEED])
        try:
            return await follow(request, chair.topics, chair.take, "table")
        finally:
            chair.close()

    async def script(request: web.Request) -> web.StreamResponse:
        def told(playing: Playing) -> str:
            playing.check_may_be_told(_viewer(request))
            return playing.script.text()

        try:
            text = await asyncio.wrap_future(played.play(told))
        except DeedError as error:
            return _conflict(error)
        return _download(text.encode(), "session.table")

    async def capture(request: web.Request) -> web.StreamResponse:
        def look(playing: Playing) -> None:
            if playing.capture is not Captured.ENDED:
                raise DeedError("no-capture", "no capture has ended")
            playing.check_may_be_told(_viewer(request))

        try:
            await asyncio.wrap_future(played.play(look))
        except DeedError as error:
            return _conflict(error)
        data = await asyncio.to_thread(played.capture_file.read_bytes)
        return _download(data, "session.capture")

    async def tables(request: web.Request) -> web.StreamResponse:
        return web.json_response(choices())

    routes = (
        web.get(f"{API}/sim", sim),
        web.get(f"{API}/sim/script", script),
        web.get(f"{API}/sim/capture", capture),
        web.get(f"{API}/sim/tables", tables),
    )
    pages = {"/": "table.html"}
    if board is None:
        return Site(pages, routes)
    return Site({**pages, **board.pages}, (*routes, *board.routes), board.public)


def _viewer(request: web.Request) -> int:
    """Who asks: somebody who has hands on all, or who looks on."""
    return EVERYBODY if request.query.get("all") == "1" else 0


def _conflict(error: DeedError) -> web.Response:
    return web.json_response({"error": {"code": error.code, "says": said_by(error)}}, status=409)


def _download(data: bytes, name: str) -> web.Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return web.Response(body=data, content_type="text/plain", charset="utf-8", headers=headers)
