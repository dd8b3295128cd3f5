"""The connections of a server: how many there may be, how long one may say nothing, and what becomes of those that do
not speak HTTP. No answer to them holds more than every other one, and no log grows by them.
"""

import asyncio
import logging
from collections import Counter
from http import HTTPStatus
from typing import Any

from aiohttp import web

from firmware.web.complaints import Complaints
from firmware.web.guard import HEADERS, failure
from firmware.web.logins import network

MOST, MOST_OF_ONE = 300, 200
"""Connections at a time: of all, and of one address."""
KEPT = 75.0
"""Seconds for which a connection is kept that asks for nothing."""
FULL = b'{"error": "too many connections; expected to be asked again in a minute"}'

logging.getLogger("aiohttp").addHandler(logging.NullHandler())  # what it has to say is said here, and less often


class Connections:
    """Those that are open, by whom."""

    def __init__(self, most: int = MOST, of_one: int = MOST_OF_ONE) -> None:
        self._most = most
        self._of_one = of_one
        self._open: Counter[str] = Counter()

    def enter(self, who: str) -> bool:
        """Whether there is a place for one more of this address, which has it then."""
        if self._open.total() >= self._most or self._open[who] >= self._of_one:
            return False
        self._open[who] += 1
        return True

    def leave(self, who: str) -> None:
        """Give the place back."""
        self._open[who] -= 1
        self._open += Counter()  # without those that have none any more


class Connection(web.RequestHandler):
    """One connection."""

    __slots__ = ("_complaints", "_connections", "_who")

    def __init__(self, server: web.Server, connections: Connections, complaints: Complaints) -> None:
        super().__init__(server, loop=asyncio.get_running_loop(), access_log=None, keepalive_timeout=KEPT)  # type: ignore[arg-type]
        self._connections = connections
        self._complaints = complaints
        self._who = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Somebody has connected: let in, or told that there are too many."""
        super().connection_made(transport)
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        who = network(str(peer[0])) if peer else ""
        if self._connections.enter(who):
            self._who = who
            return
        transport.write(_too_many())
        self.close()
        transport.close()

    def connection_lost(self, exc: BaseException | None) -> None:
        """It is over."""
        super().connection_lost(exc)
        if self._who:
            self._connections.leave(self._who)
            self._who = ""

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """One line of what went wrong, without the lines of the program."""
        error = kw.get("exc_info")
        if not isinstance(error, ConnectionError):
            self._complaints.say(f"{self._who}: {type(error).__name__}" if error else str(args[0]))

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """The answer to what is no request, or what none of the handlers has answered."""
        self.log_exception("a request was not answered", exc_info=exc)
        if request.writer.output_size > 0:
            raise ConnectionError("an answer is sent already")
        why = "no proper request; expected HTTP/1.1 with one Host, and lines of at most 8190 bytes"
        response = failure(status, why if status < HTTPStatus.INTERNAL_SERVER_ERROR else "the table could not answer")
        response.headers.update(HEADERS)
        response.force_close()
        return response


def _too_many() -> bytes:
    lines = {**HEADERS, "Content-Type": "application/json", "Content-Length": str(len(FULL)), "Connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 503 Service Unavailable\r\n{head}\r\n".encode() + FULL
