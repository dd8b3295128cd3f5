"""The board's part of a server, as a program sees it that knows nothing but HTTP."""

import asyncio
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from at_table import LED, seated
from test_publisher import PLAYED

from engine.cards import Card
from firmware.simulated import SimulatedTable
from firmware.web.board_site import board_part
from firmware.web.feed import Feed
from firmware.web.server import Server
from firmware.web.table_site import table_site
from firmware.web_address import Address, address_of


@contextmanager
def served(tmp_path: Path, *entries: str) -> Iterator[tuple[SimulatedTable, str]]:
    feed = Feed()
    with seated(tmp_path, entries) as table:
        board = board_part(feed, lambda: table.journal_file)
        board.publisher.attach(table.loop)
        server = Server(table_site(board), feed, Address(port=0))
        try:
            yield table, server.address.url.rstrip("/")
        finally:
            server.close()


def get(url: str) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(url, timeout=20) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_the_table_its_history_and_its_deals_can_be_asked_for(tmp_path: Path) -> None:
    with served(tmp_path, *PLAYED) as (_, url):
        status, table = get(f"{url}/api/v1/table")
        assert (status, table["standing"], table["deal"]) == (200, "between", 1)
        status, history = get(f"{url}/api/v1/history")
        assert len(history["entries"]) == len(PLAYED)
        status, deals = get(f"{url}/api/v1/deals")
        assert [(one["match"], one["deal"]) for one in deals["deals"]] == [(1, 1)]
        status, deal = get(f"{url}/api/v1/deals/1/1")
        assert len(deal["steps"]) == len(PLAYED)
        assert get(f"{url}/api/v1/standings") == (200, {"standings": {}})
        assert len(get(f"{url}/api/v1/sessions")[1]["sessions"]) == 1


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("deals/1/2", 404),
        ("deals/9999999/1", 404),
        ("deals/-1/1", 404),
        ("deals/1/%2e%2e", 404),
        ("deals/\u0661/1", 404),
        ("deals?match=x", 400),
        ("deals?match=1", 200),
        ("nothing", 404),
    ],
)
def test_what_is_not_there_is_said_in_json(tmp_path: Path, path: str, status: int) -> None:
    with served(tmp_path, *LED) as (_, url):
        found, said = get(f"{url}/api/v1/{urllib.parse.quote(path, safe='/?=%')}")
        assert found == status
        assert ("error" in said) == (status != 200)


def test_a_journal_that_is_gone_is_said_and_nothing_breaks(tmp_path: Path) -> None:
    feed = Feed()
    board = board_part(feed, lambda: tmp_path / "none.db")
    server = Server(table_site(board), feed, Address(port=0))
    try:
        url = server.address.url
        assert get(f"{url}api/v1/deals")[0] == 503
        assert get(f"{url}api/v1/table")[0] == 503
    finally:
        server.close()


def test_who_follows_the_live_line_hears_of_each_change(tmp_path: Path) -> None:
    async def follow(url: str, act: Any) -> list[Any]:
        heard: list[Any] = []
        async with aiohttp.ClientSession() as session, session.ws_connect(f"{url}/api/v1/live") as line:
            heard.append(await line.receive_json(timeout=20))
            await asyncio.to_thread(act)
            newest = dict(heard[0])
            while newest["history"] == heard[0]["history"]:  # a topic may come behind the other
                newest |= await line.receive_json(timeout=20)
            heard.append(newest)
        return heard

    with served(tmp_path, *LED) as (table, url):
        first, then = asyncio.run(follow(url, lambda: table.tap(2, Card("QC"))))
    assert {*first} == {"table", "history"}
    assert first["table"]["turn"] == [2]
    assert then["table"]["turn"] == [3]
    assert [one["en"] for one in then["history"]["entries"]][-1] == "Q♣"


def test_the_board_is_a_page_without_anything_from_elsewhere(tmp_path: Path) -> None:
    with served(tmp_path, *LED) as (_, url):
        for path in ("/", "/board"):
            with urllib.request.urlopen(url + path, timeout=20) as answer:
                page = answer.read().decode()
            assert "/static/board.js" in page
            assert "http://" not in page
            assert "style=" not in page


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("8042", Address("127.0.0.1", 8042)),
        ("0.0.0.0:80", Address("0.0.0.0", 80)),
        ("[::1]:81", Address("::1", 81)),
        ("cards.local", Address("cards.local", 8042)),
    ],
)
def test_an_address_is_a_host_a_port_or_both(text: str, address: Address) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["a:b", ":80", "host:99999"])
def test_what_is_no_address_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="expected HOST:PORT"):
        address_of(text)
