"""The HTTP server: in a thread of its own, so that no browser slows the table."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from aiohttp import WSMsgType, web

from engine.phrases import Phrase, reason
from firmware.errors import TableError
from firmware.web.assets import assets
from firmware.web.complaints import Complaints
from firmware.web.connections import Connection, Connections
from firmware.web.feed import Feed, message
from firmware.web.guard import LARGEST, failure, guarded, own_names
from firmware.web.logins import network
from firmware.web.texts import web_texts
from firmware.web_address import EVERYWHERE, Address
from firmware.words import LANGUAGES

ALIVE = 20.0
"""Seconds between signs of life on a WebSocket; who gives none is gone."""
PLACES = {"public": (100, 60), "table": (40, 20), "director": (20, 20)}
"""WebSockets at a time, and those of one address: of everybody, of the pages that play, and of directors, whom nobody
else can lock out."""
Take = Callable[[object], Iterable[str] | Awaitable[Iterable[str]]]
VERSION = "v1"
API = f"/api/{VERSION}"


class WebError(TableError):
    """The server cannot be started. The text says why, and what was expected."""


class Site(NamedTuple):
    """What a server offers beside its files and words: pages by path (each the name of a file), further routes, and the
    topics that anybody may follow.
    """

    pages: dict[str, str]
    routes: tuple[web.RouteDef, ...] = ()
    public: tuple[str, ...] = ()
    started: Callable[[web.Application], None] = lambda app: None


class Clients:
    """The WebSockets that are open, so that there are never too many of a kind, or of one address."""

    def __init__(self) -> None:
        self.open: set[web.WebSocketResponse] = set()
        self._taken: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def place(self, kind: str, address: str) -> Iterator[bool]:
        """While this holds, one more of a kind has a place; False: there is none."""
        key, (most, of_one) = (kind, network(address)), PLACES[kind]
        taken = sum(count for (other, _), count in self._taken.items() if other == kind)
        if taken >= most or self._taken[key] >= of_one:
            yield False
            return
        self._taken[key] += 1
        try:
            yield True
        finally:
            self._taken[key] -= 1
            self._taken += Counter()  # without those that have none any more


FEED = web.AppKey("feed", Feed)
CLIENTS = web.AppKey("clients", Clients)


def application(
    site: Site, feed: Feed, names: Collection[str], complaints: Complaints | None = None
) -> web.Application:
    """All routes of a server."""
    app = web.Application(middlewares=[guarded(names, complaints or Complaints())], client_max_size=LARGEST)
    app[FEED] = feed
    app[CLIENTS] = Clients()
    files = assets()

    def page(name: str) -> Callable[[web.Request], "asyncio.Future[web.Response]"]:
        async def answer(request: web.Request) -> web.Response:
            return web.Response(body=files[name].data, content_type=files[name].kind, charset="utf-8")

        return answer  # type: ignore[return-value]

    async def static(request: web.Request) -> web.Response:
        asset = files.get(request.match_info["name"])
        if asset is None:
            return failure(404, "no such file")
        return web.Response(body=asset.data, content_type=asset.kind, charset=_charset(asset.kind))

    async def texts(request: web.Request) -> web.Response:
        language = request.match_info["language"]
        if language not in LANGUAGES:
            return failure(404, f"no language {language[:8]!r}; expected {' or '.join(LANGUAGES)}")
        return web.json_response(web_texts(language))

    async def live(request: web.Request) -> web.StreamResponse:
        return await follow(request, site.public)

    app.add_routes([web.get(path, page(name)) for path, name in site.pages.items()])
    app.add_routes([web.get("/static/{name}", static), web.get(f"{API}/texts/{{language}}", texts)])
    app.add_routes([web.get(f"{API}/live", live), *site.routes])
    site.started(app)
    return app


def _charset(kind: str) -> str | None:
    return "utf-8" if kind.startswith("text/") else None


async def follow(
    request: web.Request,
    topics: Collection[str],
    take: Take | None = None,
    kind: str = "public",
) -> web.StreamResponse:
    """A WebSocket on which these topics are sent as they change. `take` is given each message, and gives the answers;
    without it messages are not read. `kind` is whose place it takes (`PLACES`).
    """
    with request.app[CLIENTS].place(kind, request.remote or "") as there:
        if not there:
            return failure(503, "too many pages are open; expected one of them to be closed")
        return await _follow(request, topics, take)


async def _follow(request: web.Request, topics: Collection[str], take: Take | None) -> web.StreamResponse:
    feed, clients = request.app[FEED], request.app[CLIENTS]
    socket = web.WebSocketResponse(heartbeat=ALIVE, max_msg_size=LARGEST, compress=False)  # else anew for each client
    await socket.prepare(request)
    clients.open.add(socket)
    sending = asyncio.create_task(_send(socket, feed, topics))
    try:
        async for received in socket:
            if take is None or received.type is not WSMsgType.TEXT:
                continue
            try:
                wanted = json.loads(received.data)
            except (ValueError, RecursionError):
                await socket.send_str('{"error":"no JSON; expected an object"}')
                continue
            answers = take(wanted)
            for answer in await answers if isinstance(answers, Awaitable) else answers:
                await socket.send_str(answer)
    except ConnectionError:
        pass  # it has left
    finally:
        clients.open.discard(socket)
        sending.cancel()
    return socket


async def _send(socket: web.WebSocketResponse, feed: Feed, topics: Collection[str]) -> None:
    try:
        async for changed in feed.changes(topics):
            await socket.send_str(message(changed))
    except ConnectionError:
        pass  # it has left


def _wrong(what: dict[str, Any]) -> str:
    """What an event loop has to tell of itself, as one line."""
    error = what.get("exception")
    return f"web: {what.get('message', '')}" + (f": {type(error).__name__}: {error}" if error else "")


class Server:
    """A server that runs until it is stopped."""

    def __init__(self, site: Site, feed: Feed, address: Address, names: Collection[str] = ()) -> None:
        """`names` are further names of this machine that browsers may call it by. Raises `WebError` where the address
        cannot be had; when it returns, it listens. A port of 0 is any that is free: `address` says which.
        """
        self.address = address
        self._feed = feed
        self._site = site
        self._names = own_names((*names, *(() if address.host in EVERYWHERE else (address.host,))))
        self._listening = threading.Event()
        self._failed: OSError | None = None
        self._here: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()
        self._listening.wait()
        self._check()

    def _check(self) -> None:
        if self._failed is not None:
            self._thread.join()
            where, why = f"{self.address.host}:{self.address.port}", reason(self._failed)
            raise WebError(Phrase("{where}: {why}; expected an address that is free here", where=where, why=why))

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self._here, self._stop = asyncio.get_running_loop(), asyncio.Event()
        complaints = Complaints()
        self._here.set_exception_handler(lambda here, what: complaints.say(_wrong(what)))
        app = application(self._site, self._feed, self._names, complaints)
        runner = web.AppRunner(app, shutdown_timeout=1.0)
        await runner.setup()
        try:
            listening = await self._listen(runner, complaints)
        except OSError as error:
            self._failed = error
            await runner.cleanup()
            self._listening.set()
            return
        self.address = Address(self.address.host, listening.sockets[0].getsockname()[1])
        self._feed.serve(self._here)
        self._listening.set()
        try:
            await self._stop.wait()
        finally:
            self._feed.serve(None)
            listening.close()
            for socket in [*app[CLIENTS].open]:
                await socket.close()
            await runner.cleanup()

    async def _listen(self, runner: web.AppRunner, complaints: Complaints) -> asyncio.Server:
        server, connections = runner.server, Connections()
        assert server is not None

        def connected() -> Connection:
            return Connection(server, connections, complaints)

        return await asyncio.get_running_loop().create_server(connected, self.address.host, self.address.port)

    def close(self) -> None:
        """Stop; browsers are told."""
        if self._here is not None and self._stop is not None and self._thread.is_alive():
            self._here.call_soon_threadsafe(self._stop.set)
        self._thread.join()
