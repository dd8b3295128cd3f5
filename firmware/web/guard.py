"""What every request has to pass, and what every answer says: for whom this server is, and what a page may do."""

import asyncio
import ipaddress
import socket
from collections.abc import Collection
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from firmware.web.complaints import Complaints

LARGEST = 64 * 1024
"""Bytes of a request's body, and of one message of a WebSocket."""
PATIENCE, LONGEST = 20.0, 300.0
"""Seconds that a body may stand still, and last in all."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
SAFE = frozenset({"GET", "HEAD"})


def own_names(further: Collection[str] = ()) -> frozenset[str]:
    """The names by which this machine may be called, in small letters."""
    host = socket.gethostname().lower()
    return frozenset({"localhost", host, f"{host.partition('.')[0]}.local", *(name.lower() for name in further)})


def is_own(host: str, names: Collection[str]) -> bool:
    """Whether a `Host` means this server: an address, or a name of its own. Another name is somebody else's, who has it
    lead here so that his pages can ask in the visitor's name (DNS rebinding).
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name.lower() in names
    return True


def guarded(names: Collection[str], complaints: Complaints) -> Middleware:
    """The middleware that lets requests of the server's own pages pass, and of programs, which send no `Origin`."""

    @web.middleware
    async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
        refused = _refusal(request, names)
        if refused is not None:
            response: web.StreamResponse = refused
        else:
            try:
                response = await handler(request)
            except web.HTTPException as error:
                response = failure(error.status, error.reason)
            except (TimeoutError, ConnectionError, web.RequestPayloadError) as error:  # nobody is to blame here
                status = 408 if isinstance(error, TimeoutError) else 400
                response = failure(status, "the request was broken off; expected all of it at once")
                response.force_close()
            except Exception as error:  # whatever it is, the server answers on, and the log says it in one line
                complaints.say(f"{request.method} {request.path}: {type(error).__name__}: {error}")
                response = failure(500, "the table could not answer")
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    return guard


def _refusal(request: web.Request, names: Collection[str]) -> web.Response | None:
    if not is_own(request.headers.get("Host", ""), names):
        return failure(421, "this table is not called that; expected its address, or its name")
    origin = request.headers.get("Origin")
    if origin is not None and _host_of(origin) != request.host:
        return failure(403, "asked by a page of another origin; expected one of this table's")
    if origin is None and request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return failure(403, "asked by a page of another site; expected one of this table's")
    return None


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def failure(status: int, why: str) -> web.Response:
    """What went wrong, in words, as every interface of the server says it."""
    return web.json_response({"error": why}, status=status)


async def body(request: web.Request, most: int = LARGEST) -> bytes:
    """All that a request brings. Raises `HTTPRequestEntityTooLarge`, and TimeoutError where it does not come: nothing
    waits for a body for ever.
    """
    data = bytearray()
    async with asyncio.timeout(LONGEST):
        while True:
            async with asyncio.timeout(PATIENCE):
                chunk = await request.content.readany()
            if not chunk:
                return bytes(data)
            data += chunk
            if len(data) > most:
                raise web.HTTPRequestEntityTooLarge(max_size=most, actual_size=len(data))
