"""The site of a simulated table: its page, and the hands that it lends."""

from collections.abc import Iterable

from aiohttp import web

from firmware.web.played import PlayedTable
from firmware.web.server import API, Site, follow

TOPICS = ("display:", "light:")


def sim_site(played: PlayedTable) -> Site:
    """What is offered."""

    def take(wanted: object) -> Iterable[str]:
        return ()

    async def sim(request: web.Request) -> web.StreamResponse:
        return await follow(request, TOPICS, take)

    return Site(pages={"/": "table.html"}, routes=(web.get(f"{API}/sim", sim),))
