"""The director's console: its page, and the interface behind it, for those who are logged in."""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

from aiohttp import web

from firmware.instructions import Console, Instruction, instruction_of
from firmware.logbook import Logbook
from firmware.loop import Answer, Loop
from firmware.tokens import TOKEN, new_token
from firmware.web.console_door import PATH, Door
from firmware.web.console_files import Files
from firmware.web.console_looks import Look, basis, look_at
from firmware.web.console_watch import Watch
from firmware.web.feed import Feed
from firmware.web.guard import body, failure
from firmware.web.inside import Inside
from firmware.web.ruling_words import unfit_words
from firmware.web.server import Site, follow
from firmware.words import LANGUAGES, Length, Words

MOST_RULING = 4096
"""Bytes of an instruction."""
PAGE = {"/director": "director.html"}


class UnfitError(Exception):
    """An instruction that cannot be read: what the reader says, and what was wanted."""

    def __init__(self, problem: str, wanted: dict[str, Any]) -> None:
        super().__init__(problem)
        self.problem = problem
        self.wanted = wanted


class Part(NamedTuple):
    """What the console adds to a site: pages, routes, and what is to run beside them."""

    pages: dict[str, str]
    routes: tuple[web.RouteDef, ...]
    started: Callable[[web.Application], None]


def open_console(inside: Inside, token: str | None = None, shown: bool = True) -> str:
    """Let directors log in. The token that was made for it, at the first start; empty where there was one already.
    `shown`: on the display of the first place, too.
    """
    return inside.do(console_opening(token, shown)).result()


def console_opening(token: str | None = None, shown: bool = True) -> Callable[[Loop], Awaitable[str]]:
    """What `open_console` has done."""

    async def work(loop: Loop) -> str:
        loop.new_token = new_token
        first = not loop.settings.get(TOKEN)
        made = token or new_token()
        await loop.instruct(Console(made=first, shown=first and shown), loop.latest, made)
        return made if first and loop.settings.get(TOKEN) else ""

    return work


def console_site_part(
    inside: Inside,
    feed: Feed,
    journal: Callable[[Loop], Path] = lambda loop: loop.journal_file,
    door: Door | None = None,
    table: Path | None = None,
    captures: tuple[Path, ...] = (),
    log: Logbook | None = None,
) -> Part:
    """The console of a table. `journal` tells where its journal lies, `table` is its table file, `captures` are those
    that it writes, `log` is its log.
    """
    door = door or Door(inside)
    pages, files, inner = _Console(door, feed, journal), Files(door, journal, table, captures, log), door.guarded
    return Part(
        PAGE,
        (
            web.post(f"{PATH}/session", door.log_in),
            web.get(f"{PATH}/session", door.who),
            web.delete(f"{PATH}/session", inner(door.log_out)),
            web.get(f"{PATH}/live", inner(pages.live)),
            web.post(f"{PATH}/rulings", inner(pages.rulings)),
            web.get(f"{PATH}/journal", inner(pages.lines)),
            web.get(f"{PATH}/files", inner(files.listed)),
            web.get(f"{PATH}/files/{{name}}", inner(files.fetched)),
            web.post(f"{PATH}/restore", inner(files.restore)),
        ),
        pages.started,
    )


def with_part(site: Site, part: Part) -> Site:
    """A site with the console."""

    def started(app: web.Application) -> None:
        site.started(app)
        part.started(app)

    return site._replace(pages={**site.pages, **part.pages}, routes=(*site.routes, *part.routes), started=started)


class _Console:
    """What is answered behind the door."""

    def __init__(self, door: Door, feed: Feed, journal: Callable[[Loop], Path]) -> None:
        self.door = door
        self._watch = Watch(door, feed, journal)

    def started(self, app: web.Application) -> None:
        """Look after the table while the server runs."""

        async def run(app: web.Application) -> AsyncIterator[None]:
            task = asyncio.create_task(self._watch.run())
            yield
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        app.cleanup_ctx.append(run)

    async def live(self, request: web.Request) -> web.StreamResponse:
        """GET: a WebSocket with all that directors follow, until the session ends."""
        language = _language(request)
        session, task = self.door.session(request), asyncio.current_task()
        assert task is not None
        if session is not None:
            session.closing.add(task.cancel)
        try:
            with self._watch.follower(language) as topics:
                return await follow(request, topics, kind="director")
        finally:
            if session is not None:
                session.closing.discard(task.cancel)

    async def rulings(self, request: web.Request) -> web.StreamResponse:
        """POST: look at what would come of an instruction, or have it done."""
        if (request.content_length or MOST_RULING + 1) > MOST_RULING:
            return failure(413, f"too large; expected at most {MOST_RULING} bytes")
        if request.content_type != "application/json":
            return failure(415, "expected JSON")
        language = _language(request)
        try:
            step, state, told = _wanted(await body(request, MOST_RULING))
        except ValueError as error:
            return failure(400, str(error))
        except UnfitError as error:
            return failure(400, unfit_words(error.problem, error.wanted, language))
        if step == "look":
            look = await self.door.ask(lambda loop: look_at(loop, told, language))
            return web.json_response(_looked(look))
        return await _do(self.door.inside, told, state, language)

    async def lines(self, request: web.Request) -> web.StreamResponse:
        """GET: lines of the journal, the last ones before the line `before`."""
        language, before = _language(request), request.query.get("before", "")
        if before and not (before.isascii() and before.isdigit() and len(before) < 9):
            return failure(400, "expected before as the number of a line")
        return web.json_response(await self._watch.lines(language, int(before) if before else None))


def _language(request: web.Request) -> str:
    language = request.query.get("lang", LANGUAGES[0])
    if language not in LANGUAGES:
        raise web.HTTPNotFound(reason="no such language")
    return language


def _wanted(body: bytes) -> tuple[str, str, Instruction]:
    """The step, the state that was looked at, and the instruction; raises ValueError, or `UnfitError`."""
    try:
        wanted = json.loads(body)
    except (ValueError, RecursionError):
        raise ValueError("no JSON; expected an object with step and kind") from None
    if not isinstance(wanted, dict):
        raise ValueError("expected an object with step and kind")
    step, state = wanted.pop("step", None), wanted.pop("state", "")
    if step not in ("look", "do") or not isinstance(state, str):
        raise ValueError("expected step look, or do with the state of the last look")
    try:
        told = instruction_of(json.dumps(wanted))
    except ValueError as error:
        raise UnfitError(str(error), wanted) from None
    if isinstance(told, Console):
        raise ValueError("no such kind")
    return step, state, told


async def _do(inside: Inside, told: Instruction, state: str, language: str) -> web.StreamResponse:
    async def work(loop: Loop) -> tuple[Answer | None, Look | None, str]:
        if not secrets.compare_digest(basis(loop, told).encode(), state.encode("utf-8", "surrogatepass")):
            return None, look_at(loop, told, language), ""
        answer = await loop.instruct(told, loop.latest)
        words = Words(loop.table.game, language)
        return answer, None, words.message(answer.message, Length.SENTENCE) if answer.message is not None else ""

    answer, look, words = await asyncio.wrap_future(inside.do(work))
    if answer is None:
        assert look is not None
        return web.json_response({"error": "changed", **_looked(look)}, status=409)
    if not answer.done:
        code = answer.message.code if answer.message is not None else ""
        return web.json_response({"error": words, "code": code}, status=422)
    return web.json_response({"done": True})


def _looked(look: Look) -> dict[str, object]:
    return {**look._asdict(), "changes": [[what, before, after] for what, before, after in look.changes]}
