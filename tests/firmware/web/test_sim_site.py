"""The simulated table over the wire: a WebSocket that plays, and what can be saved."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse

from firmware.furnish import furnish
from firmware.script import parse_script
from firmware.simulated import SimulatedTable
from firmware.web import deeds
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable
from firmware.web.server import Server
from firmware.web.sim_site import sim_site
from firmware.web.world import EVERYBODY
from firmware.web_address import Address
from hal.events import Button

Visit = Callable[["Page", PlayedTable], Awaitable[None]]


class Page:
    """A page that is open: what it was told last of each topic, and all errors."""

    def __init__(self, session: ClientSession, socket: ClientWebSocketResponse) -> None:
        self.session = session
        self.socket = socket
        self.told: dict[str, Any] = {}
        self.errors: list[str] = []

    async def do(self, **deed: object) -> None:
        await self.socket.send_str(json.dumps(deed))

    async def until(self, reached: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Read on until something is so."""
        while not reached(self.told):
            message = json.loads(await self.socket.receive_str(timeout=20.0))
            if "error" in message:
                self.errors.append(message["error"]["code"])
            self.told |= message
        return self.told

    async def error(self) -> str:
        """The next error."""
        count = len(self.errors)
        await self.until(lambda told: len(self.errors) > count)
        return self.errors[-1]


def visit(work: Visit, bots: tuple[int, ...] = (2, 3, 4)) -> None:
    feed = Feed()
    played = PlayedTable(lambda: SimulatedTable(furnish("pepper", 4), seed=1), feed, 1, bots)
    try:
        server = Server(sim_site(played), feed, Address(port=0))
        try:
            asyncio.run(_visit(server, played, work))
        finally:
            server.close()
    finally:
        played.close()


async def _visit(server: Server, played: PlayedTable, work: Visit) -> None:
    async with ClientSession(server.address.url) as session, session.ws_connect("/api/v1/sim") as socket:
        await work(Page(session, socket), played)


@pytest.mark.long
def test_a_card_is_dealt_dragged_to_the_reader_and_refused() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        await page.do(do="sit", seat=1)
        await page.until(lambda told: "cards:1" in told and "scene" in told)
        await page.do(do="deal")
        await page.until(lambda told: told["hint:1"]["code"] in ("wait", "answer", "show-or-answer", "show"))
        hand = [card for card in page.told["cards:1"]["cards"] if card["at"] == "hand" and card["seat"] == 1]
        assert len(hand) == 6
        await page.do(do="pad", card=hand[0]["id"], reader="seat 1 reader")
        await page.until(lambda told: told["hint:1"]["code"] == "refused")
        await page.until(lambda told: told["said:1"]["lines"][-1][3])
        assert not page.errors

    visit(work)


def test_who_sits_elsewhere_is_sent_that_hand_and_that_display() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        await page.do(do="sit", seat=2)
        told = await page.until(lambda told: "cards:2" in told and "glass:2" in told)
        assert not {topic for topic in told if topic in ("cards:1", "glass:1", "said:1", "cards:-1")}
        await page.do(do="sit", seat=2, all=True)
        await page.until(lambda told: "cards:-1" in told and "glass:4" in told)

    visit(work)


def test_what_cannot_be_read_or_done_is_told_and_the_line_stays_open() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        await page.do(do="sit", seat=1)
        await page.do(do="fly")
        assert await page.error() == "unreadable"
        await page.do(do="press", seat=2, button="ok")
        assert await page.error() == "not-yours"
        await page.do(do="bot", seat=7, on=True)
        assert await page.error() == "no-seat"
        await page.do(do="fault", name="no-such", place=0, on=True)
        assert await page.error() == "no-fault"
        await page.do(do="table", game="chess", rules="standard", seats=2)
        assert await page.error() == "no-table"
        await page.socket.send_str("[" * 20000)
        message = json.loads(await page.socket.receive_str(timeout=10.0))
        while "error" not in message:
            message = json.loads(await page.socket.receive_str(timeout=10.0))
        await page.do(do="fly")
        assert await page.error() == "unreadable"

    visit(work)


def test_no_finger_stays_on_a_button_when_the_page_is_gone() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        def level(down: bool) -> Callable[[], bool]:
            def is_so() -> bool:
                return played.act(
                    lambda bench: (
                        bench.table.wires.lgpio.level(*bench.table.wires.line(1, Button.OK)) == (0 if down else 1)
                    )
                ).result()

            return is_so

        await page.do(do="sit", seat=1)
        await page.do(do="press", seat=1, button="ok")
        await _until(level(down=True))
        await page.socket.close()
        await _until(level(down=False))

    visit(work)


async def _until(reached: Callable[[], bool]) -> None:
    for _ in range(200):
        if await asyncio.to_thread(reached):
            return
    raise AssertionError("that never came")


def test_another_table_takes_the_place_of_this_one_and_is_captured() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        await page.do(do="sit", seat=1)
        await page.do(do="table", game="possession", rules="standard", seats=2, language="ru", capture=True)
        told = await page.until(lambda told: told.get("scene", {}).get("game") == "possession")
        assert told["scene"]["language"] == "ru"
        assert [seat["bot"] for seat in told["scene"]["seats"]] == [False, True]
        assert (await page.session.get("/api/v1/sim/capture")).status == 409
        await page.do(do="restart")
        await page.until(lambda told: told["scene"]["capture"] == "ended")
        answer = await page.session.get("/api/v1/sim/capture")
        assert answer.status == 200
        assert (await answer.text()).count("\n") > 10

    visit(work)


def test_the_session_is_saved_as_a_script_that_can_be_read() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        await page.do(do="sit", seat=1)
        await page.do(do="press", seat=1, button="ok")
        await page.do(do="release", seat=1, button="ok")
        await page.do(do="fault", name="unplugged", place=0, on=True)
        await page.until(lambda told: any(place["on"] for one in told.get("faults", ()) for place in one["places"]))
        answer = await page.session.get("/api/v1/sim/script")
        assert "session.table" in answer.headers["Content-Disposition"]
        text = await answer.text()
        assert [line for line in text.splitlines() if not line.startswith("wait")][-4:] == [
            "", "down 1 ok", "up 1 ok", "fault unplugged seat 1 reader",
        ]  # fmt: skip
        assert parse_script(text).statements

    visit(work)


def test_the_tables_to_choose_from_are_listed_in_both_languages() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        choices = await (await page.session.get("/api/v1/sim/tables")).json()
        assert {"pepper", "possession", "vazhushal"} <= {game["name"] for game in choices["games"]}
        for game in choices["games"]:
            assert set(game["title"]) == {"en", "ru"}
            assert game["seats"]
            for option in game["options"]:
                assert set(option["title"]) == {"en", "ru"}
                taken = [one["value"] for one in option.get("values", ())]
                for rules in game["rules"]:
                    given = rules["options"][option["name"]]
                    assert given in taken or option["least"] <= int(given) <= option["most"]

    visit(work)


def test_another_table_has_the_options_the_names_and_the_bots_that_were_chosen() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        names = ["Аня", "Ben <b>", "Cleo"]
        await page.do(do="sit", seat=1)
        await page.do(
            do="table", game="pepper", rules="standard", seats=3, names=names, bots=[2],
            options={"target": "50", "left_bower": "true"},
        )  # fmt: skip
        told = await page.until(lambda told: len(told.get("scene", {}).get("seats", ())) == 3)
        assert [seat["name"] for seat in told["scene"]["seats"]] == names
        assert [seat["bot"] for seat in told["scene"]["seats"]] == [False, True, False]
        table = await asyncio.to_thread(lambda: played.act(lambda bench: bench.table.loop.table).result())
        assert dict(table.options) == {"target": 50, "left_bower": True}
        text = await (await page.session.get("/api/v1/sim/script")).text()
        assert "option target = 50" in text
        assert "names Аня, Ben <b>, Cleo" in text

    visit(work)


def test_a_table_that_cannot_be_is_told_in_the_language_of_its_displays() -> None:
    async def refused(page: Page, **wanted: object) -> str:
        await page.do(do="table", **{"game": "pepper", "rules": "standard", "seats": 2, "language": "ru", **wanted})
        while True:
            message = json.loads(await page.socket.receive_str(timeout=10.0))
            if "error" in message:
                assert message["error"]["code"] in ("no-table", "no-seat")
                return str(message["error"]["says"])

    async def work(page: Page, played: PlayedTable) -> None:
        assert "нет игры" in await refused(page, game="chess", options={"target": "50"})
        assert "нет настройки 'wings'" in await refused(page, options={"wings": "2"})
        assert "нужно целое число от 1 до 999" in await refused(page, options={"target": "0"})
        assert "имя одно, а нужно 2" in await refused(page, names=["Ann"])
        assert "no seat 3" in await refused(page, bots=[1, 3])
        number = await asyncio.to_thread(lambda: played.play(lambda playing: playing.number).result())
        assert number == 1  # the same table is there

    visit(work)


def test_bots_make_the_mistakes_that_were_asked_for_at_the_command() -> None:
    feed = Feed()
    played = PlayedTable(lambda: SimulatedTable(furnish("pepper", 4), seed=1), feed, 1, (2, 3), mistakes=0.3)
    try:
        played.play(lambda playing: playing.do(deeds.Bot(4, on=True), EVERYBODY)).result()
        assert shares(played) == {2: 0.3, 3: 0.3, 4: 0.3}
        played.play(lambda playing: playing.do(deeds.Restart(), EVERYBODY)).result()
        assert shares(played) == {2: 0.3, 3: 0.3, 4: 0.3}
        played.begin(furnish("possession", 2), (1, 2))
        while shares(played).keys() != {1, 2}:
            pass
        assert shares(played) == {1: 0.3, 2: 0.3}
    finally:
        played.close()


def shares(played: PlayedTable) -> dict[int, float]:
    return played.act(lambda bench: {seat: bot.mistakes for seat, bot in bench.bots.items()}).result()


@pytest.mark.long
def test_what_hands_have_done_is_told_in_mid_deal_to_those_alone_who_see_all_hands() -> None:
    async def work(page: Page, played: PlayedTable) -> None:
        await page.do(do="sit", seat=1)
        assert (await page.session.get("/api/v1/sim/script")).status == 200
        await page.do(do="capture")
        await page.until(lambda told: told.get("scene", {}).get("capture") == "running")
        await page.do(do="deal")
        await page.until(lambda told: sum(card["at"] == "hand" for card in told["cards:1"]["cards"]) > 8)
        await page.do(do="restart")
        await page.until(lambda told: told["scene"]["capture"] == "ended")
        await page.do(do="deal")
        await page.until(lambda told: told["hint:1"]["code"] == "being-dealt")
        await page.until(lambda told: told["hint:1"]["code"] != "being-dealt")
        for what in ("script", "capture"):
            answer = await page.session.get(f"/api/v1/sim/{what}")
            assert answer.status == 409
            assert (await answer.json())["error"]["code"] == "deal-runs"
            assert (await page.session.get(f"/api/v1/sim/{what}?all=1")).status == 200

    visit(work)


def test_another_table_keeps_its_journal_beside_and_the_last_match_goes_on_at_the_next_start(tmp_path: Path) -> None:
    journal, feed = tmp_path / "evening.db", Feed()
    for start in (1, 2):
        played = PlayedTable(lambda: SimulatedTable(furnish("pepper", 4), journal, 1), feed, 1, (), journal=journal)
        try:
            assert scene(feed)["journals"] == ["evening.db", f"evening-{start + 1}.db"]
            assert played.act(lambda bench: bench.table.match.table.game.name).result() == "pepper"
            assert played.act(lambda bench: bench.table.loop.number).result() == 1
            played.begin(furnish("possession", 2), ())
            for _ in range(500):
                if played.journal == tmp_path / f"evening-{start + 1}.db" and scene(feed)["game"] == "possession":
                    break
                time.sleep(0.01)
            assert scene(feed)["journals"] == [f"evening-{start + 1}.db", f"evening-{start + 2}.db"]
        finally:
            played.close()
    assert {path.name for path in tmp_path.glob("*.db")} == {"evening.db", "evening-2.db", "evening-3.db"}


def test_a_table_without_a_journal_that_is_kept_names_none() -> None:
    feed = Feed()
    played = PlayedTable(lambda: SimulatedTable(furnish("pepper", 4)), feed, 1)
    try:
        assert scene(feed)["journals"] is None
    finally:
        played.close()


def scene(feed: Feed) -> dict[str, Any]:
    """What there is at the table."""
    values: dict[str, Any] = json.loads(feed.newest(["scene"])["scene"])
    return values
