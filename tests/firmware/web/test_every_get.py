"""Whatever state a table is in, no reading of its interface is an error of the server."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from at_console import Console, Hand
from at_table import BIDDEN, DEALT, LED, write_journal
from test_publisher import PLAYED

from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from firmware.web import deeds
from firmware.web.board_site import board_part
from firmware.web.console_door import Door
from firmware.web.console_routes import console_site_part, open_console, with_part
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable
from firmware.web.server import Server, Site, application
from firmware.web.sim_site import sim_site
from firmware.web_address import Address

Deed = Callable[[Console], object]
API = "/api/v1"


class Whole(NamedTuple):
    """A simulated table with all that is offered beside it."""

    console: Console
    site: Site

    def paths(self) -> Iterator[str]:
        """Every path that can be read, with numbers that are there and others."""
        routes = application(self.site, Feed(), ()).router.routes()
        for route in routes:
            if route.method != "GET" or route.resource is None:
                continue
            path = route.resource.canonical
            if "{match}" in path:
                for match, deal in ((1, 1), (1, 2), (2, 1), (0, 0), (3, 9)):
                    yield path.format(match=match, deal=deal)
            elif "{name}" in path:
                for name in ("base.js", "backup.zip", "match-1.ctr", "match-2.ctr", "capture-1.capture", "log.txt"):
                    yield path.format(name=name)
            else:
                yield path.format(language="ru")
        yield from (f"{API}/deals?match={number}" for number in (0, 1, 2, 999999))
        yield from (f"{API}/director/journal?{asked}" for asked in ("before=1", "before=0", "lang=ru", "lang=de"))


@contextmanager
def everything(folder: Path, *matches: tuple[str, ...], free: bool = False) -> Iterator[Whole]:
    """A table of four: simulated, with a board and a console."""
    file, journal = furnish("pepper", 4, dealer=4, free=free), folder / "journal.db"
    for entries in matches:
        write_journal(journal, file, entries)
    feed, hand = Feed(), Hand()
    played: PlayedTable
    board = board_part(feed, lambda: played.journal)
    with ExitStack() as close:
        played = PlayedTable(lambda: SimulatedTable(file, journal), feed, 0, begun=board.publisher.attach)
        close.callback(played.close)
        door = Door(played, hand)
        site = with_part(sim_site(played, board), console_site_part(played, feed, door=door))
        server = Server(site, feed, Address("127.0.0.1", 0))
        close.callback(server.close)
        yield Whole(Console(played, server, open_console(played), hand, door), site)


def ruled(kind: str, **facts: object) -> Deed:
    """A ruling of the director, which is taken."""

    def rule(table: Console) -> None:
        reply = table.rule(kind, **facts)
        assert reply.status == 200, reply
        assert reply.json["done"], reply

    return rule


def restarted(table: Console) -> None:
    """The table is switched off and on."""
    table.played.play(lambda playing: playing.do(deeds.Restart(), 1)).result()


TO_THE_END = ruled("set-score", side=1, score=60)
STATES: dict[str, tuple[tuple[str, ...], tuple[Deed, ...]]] = {
    "fresh": ((), ()),
    "a score before the first deal": ((), (ruled("set-score", side=1, score=7),)),
    "a name before the first deal": ((), (ruled("set-name", seat=2, name="Ben"),)),
    "another way to deal": ((), (ruled("correct-setup", way="scan-in"),)),
    "dealt": ((DEALT,), ()),
    "dealt, and corrected": ((DEALT,), (ruled("correct-setup", option="target", value="42"),)),
    "bidden": (BIDDEN, ()),
    "led": (LED, ()),
    "locked": (LED, (ruled("lock", locked=True),)),
    "taken back": (LED, (ruled("undo"),)),
    "all taken back": ((DEALT,), (ruled("undo"),)),
    "thrown in": (LED, (ruled("void-deal"),)),
    "between two deals": (PLAYED, ()),
    "between two deals, a score set": (PLAYED, (ruled("set-score", side=1, score=7),)),
    "void": (LED, (ruled("void-match"),)),
    "over": (PLAYED, (TO_THE_END,)),
    "the next match": (PLAYED, (TO_THE_END, ruled("next-match"))),
    "restarted": (LED, (restarted,)),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("state", STATES)
def test_every_reading_answers_in_every_state_of_a_table(
    state: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries, done = STATES[state]
    with everything(tmp_path, *[entries] if entries else []) as table:
        for deed in done:
            deed(table.console)
        assert failed(table) == {}
    assert capsys.readouterr().err == ""


@pytest.mark.long
def test_every_reading_answers_in_a_lobby(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with everything(tmp_path, free=True) as table:
        assert table.console.send("GET", f"{API}/table").json["standing"] == "lobby"
        assert failed(table) == {}
    assert capsys.readouterr().err == ""


@pytest.mark.long
def test_a_match_without_a_deal_and_one_that_nobody_can_read_take_no_other_with_them(tmp_path: Path) -> None:
    with everything(tmp_path, (), PLAYED, ("deal 4\nhand 1: XX",), PLAYED) as table:
        with closing(sqlite3.connect(tmp_path / "journal.db")) as file, file:
            file.execute("UPDATE match SET header = 'game: chess' WHERE number = 3")
        told = table.console.send("GET", f"{API}/deals").json["deals"]
        assert [(one["match"], one["deal"]) for one in told] == [(4, 1), (2, 1)]
        assert failed(table) == {}


def failed(table: Whole) -> dict[str, int]:
    """The paths that a reader may have and has an error of the server for."""
    answers = {path: table.console.send("GET", path, headers=table.console.bearer).status for path in table.paths()}
    assert len(answers) > 20
    return {path: status for path, status in answers.items() if status >= 500}
