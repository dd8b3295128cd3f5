"""The page of the interface: its examples run, and every field that is sent stands on it."""

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from firmware.bench import Bench
from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from firmware.web.board_site import board_part
from firmware.web.feed import Feed
from firmware.web.server import Server
from firmware.web.table_site import table_site
from firmware.web_address import Address

PAGE = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
HERE = "http://127.0.0.1:8042"


@contextmanager
def table_with_a_deal(game: str) -> Iterator[str]:
    """The address of a table at which bots have played a deal."""
    feed = Feed()
    with SimulatedTable(furnish(game, 2)) as table:
        board = board_part(feed, lambda: table.journal_file)
        board.publisher.attach(table.loop)
        bench = Bench(table, 3)
        for seat in (1, 2):
            bench.seat_bot(seat)
        bench.play_until(lambda: table.match.deals >= 1)
        server = Server(table_site(board), feed, Address(port=0))
        try:
            yield server.address.url.rstrip("/")
        finally:
            server.close()


def code(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return found[1]


def ask(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=20) as answer:
        return json.load(answer)


def fields(value: Any) -> set[str]:
    """All keys in a value; those of words and of figures by side are no fields."""
    if isinstance(value, list):
        return set().union(*map(fields, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    own = {key for key in value if not key.isdigit()}
    return own.union(*(fields(each) for each in value.values()))


@pytest.mark.threads
def test_the_examples_do_what_they_say() -> None:
    with table_with_a_deal("pepper") as url:
        curl = subprocess.run(
            code("sh").replace(HERE, url).split(), capture_output=True, text=True, check=True, timeout=30
        )
        assert json.loads(curl.stdout)["standing"] in ("between", "running")
        program = subprocess.Popen([sys.executable, "-c", code("python"), url], stdout=subprocess.PIPE, text=True)
        with program:
            assert program.stdout is not None
            line = program.stdout.readline()
            program.terminate()
        assert re.fullmatch(r"between -?\d+ -?\d+\n", line)


def test_the_python_example_has_ten_lines() -> None:
    assert len([line for line in code("python").splitlines() if line.strip()]) == 10


@pytest.mark.few(1)
@pytest.mark.parametrize("game", ["pepper", "vazhushal"])
def test_every_field_that_is_sent_stands_on_the_page(game: str) -> None:
    with table_with_a_deal(game) as url:
        sent = fields(ask(f"{url}/api/v1/table")) | fields(ask(f"{url}/api/v1/history"))
        sent |= fields(ask(f"{url}/api/v1/deals")) | fields(ask(f"{url}/api/v1/deals/1/1"))
    facts = {"en", "ru", "code", "trick", "points", "scores", "winners", "cards"}  # of words and of notices
    missing = sorted(field for field in sent - facts if f"`{field}`" not in PAGE and f'"{field}"' not in PAGE)
    assert missing == []


def test_every_path_of_the_page_is_there() -> None:
    with table_with_a_deal("pepper") as url:
        for path in re.findall(r"^\| `GET (/api/v1/[^`]+)`", PAGE, re.MULTILINE):
            if "live" not in path:
                concrete = path.replace("MATCH/DEAL", "1/1").replace("LANGUAGE", "ru")
                assert ask(url + concrete)
