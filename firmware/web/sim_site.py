"""The site of a simulated table: its page, and the hands that it lends."""

import asyncio
import json
from collections.abc import Iterable

from aiohttp import web

from engine.phrases import said_by
from firmware.errors import TableError
from firmware.web.deeds import Press, Release, Sit, parse_deed
from firmware.web.feed import Feed, message
from firmware.web.played import PlayedTable
from firmware.web.server import API, FEED, Site, follow
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


def sim_site(played: PlayedTable) -> Site:
    """What is offered."""

    async def sim(request: web.Request) -> web.StreamResponse:
        chair = Chair(played, request.app[FEED])
        try:
            return await follow(request, chair.topics, chair.take)
        finally:
            chair.close()

    return Site(pages={"/": "table.html"}, routes=(web.get(f"{API}/sim", sim),))
