"""A simulated table with its console behind a real server, and what a browser or a program sends to it."""

import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from at_table import DEALT, write_journal

from firmware.furnish import furnish
from firmware.logbook import Logbook
from firmware.simulated import SimulatedTable
from firmware.web.console_door import Door
from firmware.web.console_routes import console_site_part, open_console, with_part
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable
from firmware.web.server import Server, Site
from firmware.web_address import Address

API = "/api/v1"
SESSION, RULINGS = f"{API}/director/session", f"{API}/director/rulings"


class Reply(NamedTuple):
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)


class Hand:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


class Console:
    """The server of a table, its token, and its clock of sessions and attempts."""

    def __init__(self, played: PlayedTable, server: Server, token: str, hand: Hand, door: Door) -> None:
        self.played = played
        self.server = server
        self.token = token
        self.hand = hand
        self.door = door

    @property
    def port(self) -> int:
        """Where it listens."""
        return self.server.address.port

    def send(self, method: str, path: str, body: object = None, headers: Mapping[str, str] = {}) -> Reply:
        """One request; a body that is no bytes goes as JSON."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            kind = {} if body is None or isinstance(body, bytes) else {"Content-Type": "application/json"}
            connection.request(method, path, data, {**kind, **headers})
            response = connection.getresponse()
            return Reply(response.status, dict(response.headers.items()), response.read())

    def log_in(self) -> dict[str, str]:
        """The headers of a browser that is logged in."""
        reply = self.send("POST", SESSION, {"token": self.token})
        assert reply.status == 200, reply
        return {"Cookie": reply.headers["Set-Cookie"].partition(";")[0]}

    @property
    def bearer(self) -> dict[str, str]:
        """The header of a program."""
        return {"Authorization": f"Bearer {self.token}"}

    def rule(self, kind: str, **facts: object) -> Reply:
        """Look at a ruling, and have it made."""
        look = self.send("POST", RULINGS, {"step": "look", "kind": kind, **facts}, self.bearer)
        if look.status != 200 or not look.json["done"]:
            return look
        wanted = {"step": "do", "state": look.json["state"], "kind": kind, **facts}
        return self.send("POST", RULINGS, wanted, self.bearer)

    def lines(self) -> list[str]:
        """The lines of the match."""
        return self.played.act(lambda bench: [*bench.table.loop.lines]).result()

    def choose(self, seat: int, choice: str) -> None:
        """Have a seat choose something."""
        self.played.act(lambda bench: bench.table.choose(seat, choice)).result()


@contextmanager
def console(folder: Path, **settings: Any) -> Iterator[Console]:
    """A table of four where seat 1 is to bid."""
    file, journal = furnish("pepper", 4, dealer=4, **settings), folder / "journal.db"
    write_journal(journal, file, [DEALT])
    feed, hand, log = Feed(), Hand(), Logbook()
    played = PlayedTable(lambda: SimulatedTable(file, journal), feed, 0, begun=log.attach)
    try:
        door = Door(played, hand)
        part = console_site_part(played, feed, lambda loop: loop.journal_file, door, log=log)
        server = Server(with_part(Site({}), part), feed, Address("127.0.0.1", 0))
        try:
            yield Console(played, server, open_console(played), hand, door)
        finally:
            server.close()
    finally:
        played.close()
