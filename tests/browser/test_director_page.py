"""The director's console in a browser: by keys alone, on a phone, in both languages; what people typed is text."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from firmware.web.console_routes import console_site_part, open_console, with_part
from firmware.web.feed import Feed
from firmware.web.played import PlayedTable
from firmware.web.server import Server
from firmware.web.sim_site import sim_site
from firmware.web_address import Address

PHONE = {"width": 360, "height": 640}


class Directed(NamedTuple):
    """A table with a console: where its page is, and the token."""

    table: PlayedTable
    url: str
    token: str

    def lines(self) -> list[str]:
        return self.table.act(lambda bench: [*bench.table.loop.lines]).result()


@pytest.fixture
def directed() -> Iterator[Callable[..., Directed]]:
    """Sets up a table with a console, as `playing` does."""
    with ExitStack() as close:

        def set_up(bots: tuple[int, ...] = (), **settings: Any) -> Directed:
            file, feed = furnish("pepper", 4, dealer=4, **settings), Feed()
            table = PlayedTable(lambda: SimulatedTable(file, seed=1), feed, 1, bots)
            close.callback(table.close)
            server = Server(with_part(sim_site(table), console_site_part(table, feed)), feed, Address(port=0))
            close.callback(server.close)
            return Directed(table, f"{server.address.url}director", open_console(table))

        yield set_up


def log_in(page: Page, table: Directed) -> None:
    page.locator("#token").fill(table.token.lower())
    page.keyboard.press("Enter")
    expect(page.locator("#console")).to_be_visible()
    expect(page.locator(".side")).to_have_count(2)


def test_a_score_is_set_by_keys_alone_and_stands_at_the_seats(
    window: Callable[..., Page], directed: Callable[..., Directed]
) -> None:
    table = directed()
    page = window(table.url)
    log_in(page, table)
    page.keyboard.type("score")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("12")
    page.keyboard.press("Tab")
    page.keyboard.type("counted wrongly")
    expect(page.locator("#look")).to_contain_text("0 → 12")
    assert "director score" not in table.lines()[-1:]
    expect(page.get_by_role("button", name="Do it")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator("#done")).to_contain_text("Done")
    assert table.lines()[-1] == "# setup-corrected: scores: 12 0 ; counted wrongly"  # no deal yet: the header has it
    expect(page.locator(".side b").first).to_have_text("12")
    expect(page.locator("#lines")).to_contain_text("counted wrongly")


def test_what_would_be_refused_is_said_before(window: Callable[..., Page], directed: Callable[..., Directed]) -> None:
    table = directed()
    page = window(table.url)
    log_in(page, table)
    page.get_by_role("button", name="Correct what was agreed").click()
    page.locator("select[name=what]").select_option("option:target")
    page.locator("[name=value]").fill("999999")
    expect(page.locator("#look")).to_contain_text("refused")
    expect(page.get_by_role("button", name="Do it")).to_be_disabled()


def test_a_name_is_text_and_no_markup(window: Callable[..., Page], directed: Callable[..., Directed]) -> None:
    table = directed()
    page = window(table.url)
    log_in(page, table)
    page.get_by_role("button", name="Name a player").click()
    page.locator("input[name=name]").fill("<img src=x onerror=1>")
    expect(page.get_by_role("button", name="Do it")).to_be_enabled()
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("#seats")).to_contain_text("<img src=x onerror=1>")
    expect(page.locator("#lines")).to_contain_text("<img")
    assert page.locator("main img").count() == 0


def test_a_device_that_is_lost_is_seen(window: Callable[..., Page], directed: Callable[..., Directed]) -> None:
    table = directed()
    page = window(table.url)
    log_in(page, table)
    table.table.act(lambda bench: bench.table.wires.unplug_reader("seat 2 reader")).result()
    expect(page.locator("#devices .lost")).to_contain_text("does not answer")


def test_a_setting_holds_at_once_and_logging_out_shows_the_door(
    window: Callable[..., Page], directed: Callable[..., Directed]
) -> None:
    table = directed()
    page = window(table.url)
    log_in(page, table)
    page.get_by_text("Settings").click()
    page.locator('[data-key="place:2:left-handed"]').check()
    page.wait_for_timeout(500)
    assert table.table.act(lambda bench: bench.table.loop.preferences.left_handed(2)).result()
    page.get_by_role("button", name="Log out").click()
    expect(page.locator("#login")).to_be_visible()
    page.reload()
    expect(page.locator("#login")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_screen_reader_and_weak_eyes_find_nothing_amiss_and_a_phone_has_room(
    window: Callable[..., Page],
    directed: Callable[..., Directed],
    axe: Callable[[Page], list[str]],
    scheme: str,
    language: str,
) -> None:
    table = directed(bots=(1, 2, 3, 4))
    page = window(f"{table.url}?lang={language}", viewport=PHONE, color_scheme=scheme)
    expect(page.locator("#login")).to_be_visible()
    assert axe(page) == []
    log_in(page, table)
    page.locator('#kinds [data-kind="set-score"]').click()
    page.locator("[name=score]").fill("3")
    for summary in page.locator("summary").all():
        summary.click()
    page.wait_for_timeout(500)
    assert axe(page) == []
    wide = "[...document.querySelectorAll('main *')].filter(one => one.getBoundingClientRect().right > innerWidth)"
    assert page.evaluate(f"{wide}.map(one => one.outerHTML.slice(0, 60))") == []
    assert "director." not in page.locator("main:visible").inner_text()


def test_two_directors_rule_on_the_same_and_the_second_looks_again(
    window: Callable[..., Page], directed: Callable[..., Directed]
) -> None:
    table = directed()
    first = window(table.url)
    second = window(table.url)
    second.goto(table.url)
    for page, score in ((first, "12"), (second, "5")):
        log_in(page, table)
        page.keyboard.type("score")
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.type(score)
        expect(page.locator("#look")).to_contain_text(f"0 → {score}")
    first.get_by_role("button", name="Do it").click()
    expect(first.locator("#done")).to_contain_text("Done")
    expect(second.locator("#look")).to_contain_text("12 → 5")
    expect(second.locator("#look p").first).to_contain_text("moved on meanwhile")
    second.get_by_role("button", name="Do it").click()
    expect(second.locator("#done")).to_contain_text("Done")
    expect(first.locator(".side").first).to_contain_text("5")


def test_who_is_quicker_than_the_line_is_shown_what_would_happen_now(
    chromium: Browser, directed: Callable[..., Directed]
) -> None:
    """In a window of its own, for an answer that is a conflict is a complaint of the browser's."""
    table = directed()
    page = chromium.new_page(locale="en-GB")
    page.goto(table.url)
    log_in(page, table)
    page.keyboard.type("score")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("5")
    expect(page.locator("#look")).to_contain_text("0 → 5")
    told = {"kind": "set-score", "side": 1, "score": 12}
    page.evaluate(
        """async (told) => {
            const send = async (wanted) => (await fetch("/api/v1/director/rulings", {method: "POST",
                headers: {"Content-Type": "application/json"}, body: JSON.stringify({...told, ...wanted})})).json();
            await send({step: "do", state: (await send({step: "look"})).state});
            document.querySelector("#form").requestSubmit();
        }""",
        told,
    )
    expect(page.locator("#look")).to_contain_text("12 → 5")
    expect(page.locator("#look p").first).to_contain_text("moved on meanwhile")
    expect(page.locator("#look")).not_to_contain_text("0 → 5")
    page.get_by_role("button", name="Do it").click()
    expect(page.locator("#done")).to_contain_text("Done")
    assert table.table.act(lambda bench: bench.table.match.scores).result() == (5, 0)
    page.close()
