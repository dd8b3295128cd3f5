"""The board in a real browser: on a wall, on a phone, by keys alone, in both languages, light and dark."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware.web import server as serving

PHONE = {"width": 360, "height": 640}
WALL = {"width": 1920, "height": 1080}
NAMES = ("Ann", "Ben <b>", "Cleo", "Dan")


def play_a_deal(table: Any) -> None:
    """Have the bots play until a deal is over."""

    def deed(bench: Any) -> None:
        deals = bench.table.match.deals
        bench.play_until(lambda: bench.table.match.deals > deals)

    table.table.act(deed).result()


def play_on(table: Any, verb: str = "play") -> None:
    """Have the bots play until a card lies on the table."""
    table.table.act(
        lambda bench: bench.play_until(lambda: any(f" {verb} " in line for line in bench.table.loop.lines[-1:]))
    ).result()


@pytest.fixture
def board(playing: Callable[..., Any]) -> Callable[..., Any]:
    def opened(game: str = "pepper", seats: int = 4, **settings: Any) -> Any:
        return playing(game, seats, tuple(range(1, seats + 1)), **settings)

    return opened


def test_scores_contract_turn_and_cards_are_there(window: Callable[..., Page], board: Callable[..., Any]) -> None:
    table = board(names=NAMES)
    play_on(table)
    page = window(f"{table.url}board", viewport=WALL)
    expect(page.locator("#scores .side")).to_have_count(2)
    expect(page.locator("#scores .who").first).to_have_text("Ann + Cleo")
    expect(page.locator(".seat h2", has_text="Ben <b>")).to_be_visible()
    expect(page.locator("#state .big")).to_contain_text("plays")
    expect(page.locator(".laid .card").first).to_be_visible()
    expect(page.locator("#history li").first).to_be_visible()


@pytest.mark.parametrize(("game", "seats"), [("pepper", 4), ("vazhushal", 3)])
def test_on_a_phone_nothing_is_beside_the_screen(
    window: Callable[..., Page], board: Callable[..., Any], game: str, seats: int
) -> None:
    table = board(game, seats, names=NAMES[:seats])
    play_on(table, "play" if game == "pepper" else "discard")
    page = window(f"{table.url}board", viewport=PHONE)
    expect(page.locator(".seat")).to_have_count(seats)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"]
    edges = page.evaluate(
        "[...document.querySelectorAll('.seat, .side, .pile')].map((one) => one.getBoundingClientRect())"
        ".flatMap((box) => [box.left, box.right])"
    )
    assert min(edges) >= 0
    assert max(edges) <= PHONE["width"]


def test_it_speaks_russian_and_says_so_to_screen_readers(
    window: Callable[..., Page], board: Callable[..., Any]
) -> None:
    table = board()
    play_on(table)
    page = window(f"{table.url}board", locale="ru-RU")
    expect(page.locator("#title")).to_have_text("Перец")
    assert page.locator("html").get_attribute("lang") == "ru"
    expect(page.locator(".laid .card").first).to_have_attribute("aria-label", _russian_card())
    page.locator("#language").click()
    expect(page.locator("#title")).to_have_text("Pepper")


def _russian_card() -> Any:
    return re.compile(r"^(туз|король|дама|валет|10|9) (треф|бубен|червей|пик)$")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("game", "seats", "verb"), [("pepper", 4, "play"), ("vazhushal", 3, "discard")])
def test_names_and_contrast_are_well(
    window: Callable[..., Page],
    board: Callable[..., Any],
    axe: Callable[[Page], list[str]],
    scheme: str,
    game: str,
    seats: int,
    verb: str,
) -> None:
    table = board(game, seats)
    play_on(table, verb)
    page = window(f"{table.url}board", color_scheme=scheme, reduced_motion="reduce")
    expect(page.locator("#history li").first).to_be_visible()
    assert axe(page) == []


def test_a_finished_deal_is_gone_through_by_keys_alone(window: Callable[..., Page], board: Callable[..., Any]) -> None:
    table = board(dealer=1)
    play_a_deal(table)
    page = window(f"{table.url}board")
    expect(page.locator("#scores")).to_be_visible()
    page.locator("#past").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_have_text("1 of 31")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#count")).to_have_text("4 of 31")
    expect(page.locator("#history li")).to_have_count(4)
    page.keyboard.press("End")
    expect(page.locator("#count")).to_have_text("31 of 31")
    expect(page.locator("#next")).to_be_disabled()
    page.keyboard.press("Home")
    expect(page.locator("#count")).to_have_text("1 of 31")
    page.locator("#slider").fill("10")
    expect(page.locator("#count")).to_have_text("11 of 31")
    page.locator("#watch").click()
    expect(page.locator("#steps")).to_be_hidden()


def test_all_of_a_long_deal_can_be_read(
    window: Callable[..., Page], board: Callable[..., Any], axe: Callable[[Page], list[str]]
) -> None:
    table = board("possession", 2, names=NAMES[:2], options={"max_refills": 9})
    play_until(table, 60)
    page = window(f"{table.url}board", viewport=WALL)
    items, earlier = page.locator("#history li"), page.locator("#earlier")
    expect(items).to_have_count(40)
    expect(earlier).to_have_text("Earlier entries: 20")
    assert axe(page) == []
    newest = items.all_inner_texts()
    earlier.focus()
    page.keyboard.press("Enter")
    expect(items).to_have_count(60)
    expect(earlier).to_be_hidden()
    expect(page.locator("#log")).to_be_focused()
    assert items.all_inner_texts()[:40] == newest
    expect(items.last).to_contain_text("deals")
    whole = items.all_inner_texts()
    play_until(table, 64)
    expect(items).to_have_count(64)  # what comes is added, and nothing is lost
    assert items.all_inner_texts()[4:] == whole
    expect(earlier).to_be_hidden()


def play_until(table: Any, entries: int) -> None:
    """Have the bots play until a deal has so many entries, and no further."""

    def deed(bench: Any) -> None:
        seats = [*bench.bots] or [1, 2]
        for seat in seats:
            bench.seat_bot(seat)
        bench.play_until(lambda: len(bench.table.loop.referee.since_deal()) >= entries)
        for seat in seats:
            bench.unseat_bot(seat)

    table.table.act(deed).result()


def test_a_table_that_was_switched_off_is_said(window: Callable[..., Page], board: Callable[..., Any]) -> None:
    table = board()
    page = window(f"{table.url}board")
    expect(page.locator("#lost")).to_be_hidden()
    table.server.close()
    expect(page.locator("#lost")).to_be_visible()


def test_deals_that_cannot_be_read_are_said_to_be_so(window: Callable[..., Page], board: Callable[..., Any]) -> None:
    table = board()
    page = window(f"{table.url}board")
    page.route("**/api/v1/deals", lambda route: route.fulfill(status=200, body="no list"))
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#deal-list")).to_contain_text("cannot be read")
    page.unroute("**/api/v1/deals")
    page.get_by_role("button", name="Live").click()
    page.get_by_role("button", name="Replay").click()
    expect(page.locator("#deal-list")).to_have_text("No deal is finished yet.")


@pytest.mark.parametrize(("path", "lang", "said"), [
    ("board", "en", "Too many pages are open"), ("board", "ru", "слишком много страниц"), ("", "en", "Too many pages"),
])  # fmt: skip
def test_a_page_too_many_says_so_until_there_is_a_place(
    chromium: Browser, board: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, path: str, lang: str, said: str
) -> None:
    """In a window of its own, for a refused page is a complaint of the browser's."""
    table = board()
    with monkeypatch.context() as full:
        for kind in serving.PLACES:
            full.setitem(serving.PLACES, kind, (0, 0))
        page = chromium.new_page()
        page.goto(f"{table.url}{path}?lang={lang}")
        expect(page.locator("#lost")).to_contain_text(said)
    expect(page.locator("#lost")).to_be_hidden(timeout=15_000)
    page.close()


def test_a_joker_in_a_meld_shows_its_star_and_what_it_stands_for(
    window: Callable[..., Page], board: Callable[..., Any]
) -> None:
    page = window(f"{board('vazhushal', 3).url}board?lang=ru")
    boxes = page.evaluate(
        """async () => {
            const { card } = await import("/static/board_cards.js");
            const meld = document.createElement("span");
            meld.className = "meld";
            const small = true;
            meld.append(card("9D", { small }), card("JK", { small, as: "10D" }), card("JD", { small }));
            document.querySelector("#felt").replaceChildren(meld);
            const [, joker, next] = meld.children;
            const box = (found) => found.getBoundingClientRect();
            const parts = [".rank", ".as"].map((name) => box(joker.querySelector(name)).right);
            return [...parts, box(next).left];
        }"""
    )
    star, tag, next_card = boxes
    assert star <= next_card + 1
    assert tag <= next_card + 1
