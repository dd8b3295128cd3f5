"""Pictures of the three pages for the README: `python docs/images/web.py`, with Chromium and the extra `browser`."""

import shutil
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from engine.cards import Card
from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from firmware.web.board_site import board_part
from firmware.web.console_routes import console_site_part, open_console, with_part
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable
from firmware.web.server import Server
from firmware.web.sim_site import sim_site
from firmware.web_address import Address

HERE = Path(__file__).parent
HANDS = "JS AS KS QS 9C 10C / AC KC QC AH KH AD / 9S 9D 10D 9H 10H JD / 10S JC QH JH QD KD"


def bidden(table: SimulatedTable) -> None:
    """A trick that has begun, and a card that does not follow suit."""
    table.deal([[Card(card) for card in hand.split()] for hand in HANDS.split("/")])
    for seat, choice in ((1, "4"), (2, "pass"), (3, "pass"), (4, "pass"), (1, "S")):
        table.choose(seat, choice)
    table.tap(1, Card("9C"))
    table.tap(2, Card("AC"))
    table.tap(3, Card("9H"))
    table.tap(4, Card("QH"))


def main() -> None:
    """Write docs/images/web-*.png."""
    feed = Feed()
    file = furnish("pepper", 4, dealer=4, names=("Ann", "Ben", "Cleo", "Dan"))
    played: PlayedTable
    board = board_part(feed, lambda: played.journal)
    played = PlayedTable(lambda: SimulatedTable(file, seed=2), feed, 2, (), board.publisher.attach)
    server = Server(with_part(sim_site(played, board), console_site_part(played, feed)), feed, Address(port=0))
    token = open_console(played, shown=False)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])

        def page(path: str, dark: bool = False) -> Page:
            context = browser.new_context(
                viewport={"width": 1280, "height": 800}, color_scheme="dark" if dark else "light", locale="en-GB"
            )
            opened = context.new_page()
            opened.goto(server.address.url.rstrip("/") + path)
            return opened

        table = page("/")
        played.play(lambda playing: bidden(playing.bench.table)).result()
        time.sleep(2)
        table.screenshot(path=HERE / "web-table.png")
        shown = page("/board", dark=True)
        time.sleep(2)
        shown.screenshot(path=HERE / "web-board.png")
        console = page("/director")
        console.fill("input", token)
        console.keyboard.press("Enter")
        time.sleep(3)
        console.screenshot(path=HERE / "web-console.png")
        browser.close()
    server.close()
    played.close()
    for name in ("table", "board", "console"):
        path = HERE / f"web-{name}.png"
        Image.open(path).convert("RGB").quantize(192).save(path, optimize=True)


if __name__ == "__main__":
    main()
