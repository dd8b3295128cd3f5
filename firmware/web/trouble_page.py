"""The page of a table that cannot start: what is wrong, and what to do. No card and no name is in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

from aiohttp import web

from firmware.web.feed import Feed
from firmware.web.server import Server, Site, WebError
from firmware.web_address import Address
from firmware.web_part import Web

_PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>{title}</title></head>
<body><main><h1>{title}</h1>{texts}</main></body></html>
"""


def trouble_page(language: str, title: str, texts: tuple[str, ...]) -> str:
    """The page, which looks again by itself."""
    said = "".join(f"<p>{escape(text)}</p>" for text in texts)
    return _PAGE.format(language=escape(language), title=escape(title), texts=said)


@contextmanager
def served_trouble(said: Web, language: str, title: str, texts: tuple[str, ...]) -> Iterator[Address | None]:
    """A server of this page alone until the block is left; its address, or None where it has none."""
    page = trouble_page(language, title, texts)

    async def answer(request: web.Request) -> web.Response:
        return web.Response(text=page, content_type="text/html", status=503, headers={"Retry-After": "5"})

    site = Site(pages={}, routes=(web.get("/", answer), web.get("/board", answer), web.get("/director", answer)))
    try:
        server = Server(site, Feed(), said.address or Address(), said.hosts)
    except WebError:
        yield None
        return
    try:
        yield server.address
    finally:
        server.close()
