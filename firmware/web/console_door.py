"""The door to the director's console: log in by a token, and what every request behind it has to bring."""

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from aiohttp import web

from firmware.loop import Loop
from firmware.tokens import TOKEN, is_token
from firmware.web.guard import SAFE, body, failure
from firmware.web.inside import Inside
from firmware.web.logins import Attempts, Session, Sessions

T = TypeVar("T")
COOKIE = "director"
HEADER = "X-Tableref"
"""A header that no form of another page can send."""
PATH = "/api/v1/director"
MOST_TOKEN = 64
MOST_LOGIN = 512
"""Bytes of a request to log in."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Door:
    """Lets directors in. The table itself keeps which token is right."""

    def __init__(self, inside: Inside, clock: Callable[[], float] = time.monotonic) -> None:
        self.inside = inside
        self.sessions = Sessions(clock)
        self.attempts = Attempts(clock)
        self._kept = ""

    async def ask(self, look: Callable[[Loop], T]) -> T:
        """Have the task that decides look at something."""

        async def work(loop: Loop) -> T:
            return look(loop)

        return await asyncio.wrap_future(self.inside.do(work))

    async def _kept_token(self) -> str:
        """The hash of the token that holds now. With another one, those who came in by the old are out, and whoever has
        to wait may try.
        """
        kept = await self.ask(lambda loop: loop.settings.get(TOKEN))
        if kept != self._kept:
            self._kept = kept
            self.attempts.forget()
        self.sessions.end_others(kept)
        return kept

    def guarded(self, handler: Handler) -> Handler:
        """The handler for those who are logged in."""

        async def answer(request: web.Request) -> web.StreamResponse:
            if request.method not in SAFE and not _meant(request):
                return failure(415, f"expected JSON, or the header {HEADER}")
            refused = await self._refusal(request)
            return refused if refused is not None else await handler(request)

        return answer

    async def _refusal(self, request: web.Request) -> web.Response | None:
        bearer = request.headers.get("Authorization", "")
        if bearer:
            scheme, _, token = bearer.partition(" ")
            if scheme.lower() != "bearer" or not token:
                return failure(401, "expected Authorization: Bearer TOKEN")
            return await self._try(request, token)
        session = self.session(request)
        if session is None:
            return failure(401, "log in first")
        await self._kept_token()
        return None if self.session(request) is not None else failure(401, "log in again")

    def session(self, request: web.Request) -> Session | None:
        """The session of a request."""
        secret = request.cookies.get(COOKIE, "")
        return self.sessions.find(secret) if 0 < len(secret) <= MOST_TOKEN else None

    async def _try(self, request: web.Request, token: str) -> web.Response | None:
        """Why a token is not taken; None: it is right."""
        address = request.remote or ""
        if len(token) > MOST_TOKEN:
            return failure(401, "no such token")
        if self._kept and self.sessions.knows(token, self._kept) and self._kept == await self._kept_token():
            return None
        wait = self.attempts.wait(address)
        if wait:  # unless a new token was made meanwhile
            await self._kept_token()
            wait = self.attempts.wait(address)
        if wait:
            return _later(wait)
        if not self.attempts.begin():
            return _later(1.0)
        right = False
        try:
            kept = await self._kept_token()
            right = bool(kept) and await asyncio.to_thread(is_token, token, kept)
        finally:
            self.attempts.end(address, right)
        if not right:
            return failure(401, "no such token")
        self.sessions.learn(token, kept)
        return None

    async def log_in(self, request: web.Request) -> web.StreamResponse:
        """POST: a token in, a cookie out."""
        if request.content_type != "application/json":
            return failure(415, "expected JSON")
        if (request.content_length or MOST_LOGIN + 1) > MOST_LOGIN:
            return failure(413, "too large; expected a token")
        try:
            wanted = json.loads(await body(request, MOST_LOGIN))
        except ValueError:
            return failure(400, "no JSON; expected an object with token")
        match wanted:
            case {"token": str() as token, **more} if not more:
                refused = await self._try(request, token)
            case _:
                return failure(400, "expected an object with token")
        if refused is not None:
            return refused
        response = web.json_response({"director": True})
        secret = self.sessions.begin(self._kept)
        response.set_cookie(COOKIE, secret, path=PATH, httponly=True, samesite="Strict", secure=request.secure)
        return response

    async def log_out(self, request: web.Request) -> web.StreamResponse:
        """DELETE: the session ends."""
        self.sessions.end(request.cookies.get(COOKIE, ""))
        response = web.json_response({"director": False})
        response.del_cookie(COOKIE, path=PATH, httponly=True, samesite="Strict")
        return response

    async def who(self, request: web.Request) -> web.StreamResponse:
        """GET: whether one is logged in."""
        refused = await self._refusal(request)
        if refused is not None and "Authorization" in request.headers:
            return refused
        return web.json_response({"director": refused is None})


def _meant(request: web.Request) -> bool:
    """Whether an unsafe request was sent by a script of an own page, or a program: no form can."""
    return request.content_type == "application/json" or HEADER in request.headers


def _later(wait: float) -> web.Response:
    seconds = max(1, math.ceil(wait))
    response = web.json_response({"error": "too many wrong tokens", "wait": seconds}, status=429)
    response.headers["Retry-After"] = str(seconds)
    return response
