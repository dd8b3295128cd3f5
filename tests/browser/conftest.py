"""Pages in a real browser: Debian's Chromium, driven by Playwright. What a page complains of fails a test."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from firmware.web.board_site import board_part
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable
from firmware.web.server import Server
from firmware.web.sim_site import sim_site
from firmware.web_address import Address

PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
WALL = {"width": 1920, "height": 1080}
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser; a missing one is a failure, not a reason to skip."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert program, "no Chromium: apt-get install chromium"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*QUIET])
        yield browser
        browser.close()


@pytest.fixture
def window(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a window of its own, as another person would: `window(url, viewport=PHONE, color_scheme="dark")`."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def opened(url: str, **settings: Any) -> Page:
        settings.setdefault("viewport", DESK)
        settings.setdefault("locale", "en-GB")
        context = chromium.new_context(**settings)
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(url)
        return page

    yield opened
    for context in contexts:
        context.close()
    complaints = [one for one in complaints if "ERR_CONNECTION_REFUSED" not in one]  # a table that was switched off
    assert complaints == []


class Playing(NamedTuple):
    """A simulated table that is played in real time, and where its page is."""

    table: PlayedTable
    server: Server

    @property
    def url(self) -> str:
        return self.server.address.url


@pytest.fixture
def playing() -> Iterator[Callable[..., Playing]]:
    """Sets up a simulated table and its server: `playing("pepper", 4, bots=(2, 3, 4), dealer=4)`, as `furnish` does."""
    with ExitStack() as close:

        def set_up(game: str = "pepper", seats: int = 4, bots: tuple[int, ...] = (), **settings: Any) -> Playing:
            file, feed = furnish(game, seats, **settings), Feed()
            table: PlayedTable
            board = board_part(feed, lambda: table.journal)
            table = PlayedTable(lambda: SimulatedTable(file, seed=1), feed, 1, bots, board.publisher.attach)
            close.callback(table.close)
            server = Server(sim_site(table, board), feed, Address(port=0))
            close.callback(server.close)
            return Playing(table, server)

        yield set_up


@pytest.fixture
def axe() -> Callable[[Page], list[str]]:
    """What axe-core has to say against a page: names for screen readers, contrast, order. Empty: nothing."""
    from axe_core_python import sync_playwright as axe_package

    source = (Path(axe_package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")

    def run(page: Page) -> list[str]:
        page.evaluate(source)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [
            f"{one['id']}: {node['target']} {node['failureSummary']}"
            for one in found["violations"]
            for node in one["nodes"]
        ]

    return run
