"""What directors take from the table, and bring back: records, captures, the log, and a backup. A request names a file
of a list that the server has made, never a path.
"""

import asyncio
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from aiohttp import web

from firmware.backup import LARGEST, BackupError, Places, read_backup, write_backup
from firmware.errors import JournalError
from firmware.generations import FAULTS
from firmware.journal_reading import Kept, read_journal
from firmware.logbook import Logbook
from firmware.loop import Loop
from firmware.record_lines import record_text
from firmware.restoring import stage
from firmware.web.console_door import HEADER, Door
from firmware.web.guard import body, failure

BACKUP, LOG = "backup.zip", "table.log"
_RECORD = re.compile(r"match-([1-9][0-9]{0,8})\.ctr", re.ASCII)
_DEAL = "deal"


class Offered(NamedTuple):
    """A file that can be fetched: its name, what it is, and its bytes where that is known."""

    name: str
    kind: str
    size: int = 0


class Now(NamedTuple):
    """What the table tells of its files."""

    places: Places
    match: int
    dealt: bool


class Files:
    """The downloads of a table. `table` is its table file, `captures` are those that it has written or writes, and
    `log` its last lines.
    """

    def __init__(
        self,
        door: Door,
        journal: Callable[[Loop], Path],
        table: Path | None = None,
        captures: tuple[Path, ...] = (),
        log: Logbook | None = None,
    ) -> None:
        self._door = door
        self._journal = journal
        self._table = table
        self._captures = {f"capture-{number}.capture": path for number, path in enumerate(captures, 1)}
        self._log = log
        self._busy = asyncio.Lock()
        self._coming = False

    async def _now(self) -> Now:
        def look(loop: Loop) -> Now:
            places = Places.of(self._journal(loop), self._table, loop.decks.kept, loop.decks.shelf)
            return Now(places, loop.number, loop.match.deal is not None and not loop.over)

        return await self._door.ask(look)

    async def listed(self, request: web.Request) -> web.StreamResponse:
        """GET: what there is."""
        now = await self._now()
        try:
            matches = await asyncio.to_thread(read_journal, now.places.journal)
        except JournalError as error:
            return failure(503, str(error))
        offered = [Offered(BACKUP, "backup")]
        offered += [Offered(LOG, "log", len(self._log.text().encode()))] if self._log is not None else []
        offered += [
            Offered(name, "capture", path.stat().st_size) for name, path in self._captures.items() if path.is_file()
        ]
        offered += [Offered(f"match-{kept.number}.ctr", "record") for kept in reversed(matches) if kept.texts][:200]
        return web.json_response({"files": [one._asdict() for one in offered]})

    async def fetched(self, request: web.Request) -> web.StreamResponse:
        """GET: one of them."""
        name = request.match_info["name"]
        found = _RECORD.fullmatch(name)
        if found is not None:
            return await self._record(int(found[1]), name)
        if name == BACKUP:
            return await self._backup()
        if name == LOG and self._log is not None:
            return web.Response(text=self._log.text(), headers=_saved(name))
        path = self._captures.get(name)
        if path is None or not path.is_file():
            return failure(404, "no such file")
        return web.FileResponse(path, headers=_saved(name))

    async def _record(self, number: int, name: str) -> web.StreamResponse:
        """The record of a match: of the running one without the deal that is running, for hands are in it."""
        now = await self._now()
        try:
            matches = await asyncio.to_thread(read_journal, now.places.journal)
        except JournalError as error:
            return failure(503, str(error))
        kept = next((one for one in matches if one.number == number), None)
        if kept is None:
            return failure(404, "no such file")
        running = number == now.match and now.dealt
        text = record_text(kept.header, _ended(kept) if running else kept.texts)
        return web.Response(text=text, headers=_saved(name))

    async def _backup(self) -> web.StreamResponse:
        if self._busy.locked():
            return failure(503, "another backup is looked at; try again")
        async with self._busy:
            now, out = await self._now(), io.BytesIO()
            try:
                await asyncio.to_thread(write_backup, now.places, out)
            except FAULTS as error:
                return failure(503, f"no backup can be made: {error}")
            return web.Response(body=out.getvalue(), content_type="application/zip", headers=_saved(BACKUP))

    async def restore(self, request: web.Request) -> web.StreamResponse:
        """POST: a backup, which takes effect at the next start."""
        if request.content_type != "application/zip" or HEADER not in request.headers:
            return failure(415, f"expected a ZIP file, and the header {HEADER}")
        length = request.content_length
        if length is None or length > LARGEST:
            return failure(413, f"expected at most {LARGEST} bytes, and how many")
        if self._coming or self._busy.locked():
            return failure(503, "another backup is looked at; try again")
        self._coming = True
        try:
            data = await body(request, length)  # whoever fetches one meanwhile does not wait for it
        finally:
            self._coming = False
        if self._busy.locked():
            return failure(503, "another backup is looked at; try again")
        async with self._busy:
            now = await self._now()
            try:
                files = await asyncio.to_thread(read_backup, data, now.places)
                await asyncio.to_thread(stage, files, now.places)
            except BackupError as error:
                return failure(422, str(error))
            except OSError as error:
                return failure(503, f"the backup cannot be kept: {error.strerror}")
            return web.json_response({"restored": sorted(files), "at": "next start"})


def _ended(kept: Kept) -> tuple[str, ...]:
    """The entries before the last deal."""
    deals = [place for place, text in enumerate(kept.texts) if text.startswith(_DEAL)]
    return kept.texts[: deals[-1]] if deals else kept.texts


def _saved(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}
