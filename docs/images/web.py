"""Pictures of the three pages for the README: `python docs/images/web.py`, with Chromium and the extra `browser`."""

import shutil
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from firmware.bench import Bench
from firmware.furnish import furnish
from firmware.instructions import Report
from firmware.simulated import SimulatedTable
from firmware.web.board_site import board_part
from firmware.web.console_routes import console_site_part, open_console, with_part
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable
from firmware.web.server import Server
from firmware.web.sim_site import sim_site
from firmware.web_address import Address

HERE = Path(__file__).parent


def in_a_trick(bench: Bench) -> bool:
    """Whether two cards of a later trick lie on the table."""
    plays = [line for line in bench.table.loop.lines if " play " in line]
    return len(plays) > 4 and len(plays) % 4 == 2


def into_the_next_deal(bench: Bench) -> None:
    """Play until there is a score, and two cards of the next deal lie on the table."""
    bench.play_until(lambda: bench.table.match.deals > 0)
    bench.play_until(lambda: sum(" play " in line for line in bench.table.loop.lines) % 24 == 10)
    for seat in [*bench.bots]:
        bench.unseat_bot(seat)


def main() -> None:
    """Write docs/images/web-*.png."""
    feed = Feed()
    file = furnish("pepper", 4, dealer=4, names=("Ann", "Ben", "Cleo", "Dan"))
    played: PlayedTable
    board = board_part(feed, lambda: played.journal)
    played = PlayedTable(lambda: SimulatedTable(file, seed=2), feed, 2, (1, 2, 3, 4), board.publisher.attach)
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

        table, shown = page("/"), page("/board", dark=True)
        while not played.act(in_a_trick).result():
            time.sleep(0.1)
        time.sleep(0.5)
        table.screenshot(path=HERE / "web-table.png")
        shown.screenshot(path=HERE / "web-board.png")
        played.act(into_the_next_deal).result()
        played.do(lambda loop: loop.instruct(Report(code="exposed-card", seat=2, cards=("AS",)), loop.latest)).result()
        console = page("/director")
        console.fill("input", token)
        console.keyboard.press("Enter")
        console.wait_for_selector('#kinds [data-kind="set-score"]')
        console.fill("#search", "score")  # the other rulings make room
        console.keyboard.press("Enter")
        console.fill("[name=score]", "6")
        console.fill("[name=reason]", "counted wrongly")
        time.sleep(2)
        console.set_viewport_size({"width": 1280, "height": 920})  # down to the button
        console.evaluate("scrollTo(0, 0)")
        console.screenshot(path=HERE / "web-console.png")
        browser.close()
    server.close()
    played.close()
    for name in ("table", "board", "console"):
        path = HERE / f"web-{name}.png"
        Image.open(path).convert("RGB").quantize(192).save(path, optimize=True)


if __name__ == "__main__":
    main()
