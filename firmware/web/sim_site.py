"""The site of a simulated table: its page, and the hands that it lends."""

from collections.abc import Iterable

from aiohttp import web

from firmware.web.board_site import BoardPart
from firmware.web.played import PlayedTable
from firmware.web.server import API, Site, follow

TOPICS = ("display:", "light:")


def sim_site(played: PlayedTable, board: BoardPart | None = None) -> Site:
    """What is offered."""

    def take(wanted: object) -> Iterable[str]:
        return ()

    async def sim(request: web.Request) -> web.StreamResponse:
        return await follow(request, TOPICS, take)

    routes, pages = (web.get(f"{API}/sim", sim),), {"/": "table.html"}
    if board is None:
        return Site(pages, routes)
    return Site(pages={**pages, **board.pages}, routes=(*routes, *board.routes), public=board.public)
