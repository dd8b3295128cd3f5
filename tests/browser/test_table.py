"""The simulated table, played by hands in a real browser."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from engine.cards import PLAIN
from engine.entries import Undo
from engine.match import to_act, view
from engine.view import PUBLIC, Melds
from firmware.desk import Heard
from firmware.seatview import SeatView, verbs_of
from firmware.web.playing import Playing as Hands

PHONE = {"width": 360, "height": 640}
DESK = {"width": 1280, "height": 800}
Window = Callable[..., Page]
Table = Callable[..., Any]

OWN_CARDS = ".seat.own .hand .card"
OWN_PAD = ".seat.own .pad"


def drag(page: Page, card: Locator, to: Locator) -> None:
    """Take a card by its corner, and let it go in the middle of something."""
    at, there = card.bounding_box(), to.bounding_box()
    assert at is not None
    assert there is not None
    page.mouse.move(at["x"] + 10, at["y"] + 30)
    page.mouse.down()
    page.mouse.move(at["x"] + 40, at["y"] + 10, steps=3)
    page.mouse.move(there["x"] + there["width"] / 2, there["y"] + there["height"] / 2, steps=5)
    page.mouse.up()


def dealt(page: Page) -> None:
    """Have the cards dealt, and wait for them."""
    page.locator("#deal").click()
    expect(page.locator(OWN_CARDS)).to_have_count(6, timeout=30_000)
    expect(page.locator("#hint")).to_contain_text("Your turn", timeout=30_000)


def look(table: Any, seat: int = 1) -> SeatView:
    return table.table.act(lambda bench: bench.table.loop.seat_view(seat)).result()  # type: ignore[no-any-return]


def heard(table: Any) -> list[Heard]:
    return table.table.act(lambda bench: [*bench.table.heard]).result()  # type: ignore[no-any-return]


def turn(table: Any) -> tuple[int, ...]:
    return table.table.act(lambda bench: to_act(bench.table.match)).result()  # type: ignore[no-any-return]


def offered(table: Any) -> list[str]:
    """The names of the cards in the hand of seat 1 that it may play, as the page has them."""

    def numbers(hands: Hands) -> list[str]:
        faces = {PLAIN[card] for card in hands.bench.table.loop.seat_view(1).offered}
        held = hands.bench.cards.hands.get(1, [])
        return [str(hands.world.number(card)) for card in held if PLAIN[card] in faces]

    return table.table.play(numbers).result()  # type: ignore[no-any-return]


def choose(page: Page, table: Any, wanted: str) -> None:
    """Pick one of the choices on the display with the keys of the keyboard."""
    seen = look(table)
    assert seen.ask is not None
    verbs = verbs_of(seen.ask)
    at = verbs.index(wanted)
    for _ in range(at + 1 if seen.cursor is None else at - seen.cursor):
        page.keyboard.press("c", delay=80)
        page.wait_for_timeout(80)
    page.keyboard.press("x", delay=80)
    page.wait_for_timeout(200)


def until(page: Page, reached: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not reached():
        assert time.monotonic() < end, "that never came"
        page.wait_for_timeout(100)


def test_from_the_first_screen_to_the_first_refused_card_in_less_than_a_minute(window: Window, playing: Table) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    began = time.monotonic()
    page = window(table.url)
    dealt(page)
    drag(page, page.locator(OWN_CARDS).first, page.locator(OWN_PAD))
    expect(page.locator("#hint")).to_contain_text("Refused")
    assert time.monotonic() - began < 60
    expect(page.locator(OWN_CARDS)).to_have_count(6)
    expect(page.locator(f"{OWN_PAD} .card")).to_have_count(0)
    last = heard(table)[-1]
    assert last.seat == 1
    assert last.ruling is not None
    assert last.ruling.refusal is not None


def test_a_whole_deal_of_pepper_is_played_by_dragging_cards(window: Window, playing: Table) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    page = window(table.url)
    dealt(page)
    tricks = 0
    end = time.monotonic() + 150

    def deals() -> int:
        return table.table.act(lambda bench: bench.table.match.deals).result()  # type: ignore[no-any-return]

    while not deals() and time.monotonic() < end:
        seen = look(table)
        if turn(table) != (1,) or seen.ask is None:
            page.wait_for_timeout(150)
        elif verbs_of(seen.ask):
            choose(page, table, "pass" if "pass" in verbs_of(seen.ask) else verbs_of(seen.ask)[0])
        elif offered(table):
            before = page.locator(OWN_CARDS).count()
            drag(page, page.locator(f'.card[data-id="{offered(table)[0]}"]'), page.locator(OWN_PAD))
            expect(page.locator(OWN_CARDS)).to_have_count(before - 1)
            tricks += 1
            page.wait_for_timeout(600)
    assert deals() == 1
    assert tricks == 6
    assert not [one for one in heard(table) if one.seat == 1 and one.ruling is not None and one.ruling.refusal]


def test_a_call_is_taken_back_with_the_assent_of_the_others(window: Window, playing: Table) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    page = window(table.url)
    dealt(page)
    choose(page, table, "big")  # it is the highest bid: nobody acts before seat 1 names trump
    page.keyboard.down("z")
    until(page, lambda: look(table).sheet is not None)
    page.keyboard.up("z")
    choose(page, table, "undo")
    until(page, lambda: any(one.ruling is not None and isinstance(one.ruling.entry, Undo) for one in heard(table)))


def test_a_reader_is_unplugged_and_plugged_in(window: Window, playing: Table) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    page = window(table.url)
    dealt(page)
    page.locator("#more").click()
    fault = page.locator("details.fault", has_text="Unplugged")
    fault.locator("summary").click()
    fault.get_by_role("button", name="seat 1", exact=True).click()
    expect(fault.get_by_role("button", name="seat 1", exact=True)).to_have_attribute("aria-pressed", "true")
    until(page, lambda: "seat 1 reader" in look(table).lost)
    page.keyboard.press("Escape")
    drag(page, page.locator(OWN_CARDS).first, page.locator(OWN_PAD))
    page.wait_for_timeout(800)
    expect(page.locator(f"{OWN_PAD} .card")).to_have_count(1)  # nobody has read it
    page.locator("#more").click()
    fault.get_by_role("button", name="seat 1", exact=True).click()
    until(page, lambda: look(table).lost == ())


def test_by_keys_alone(window: Window, playing: Table) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    page = window(table.url)
    expect(page.locator("#deal")).to_be_visible()  # what is hidden takes no focus
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id === 'deal'"):
            break
    page.keyboard.press("Enter")
    expect(page.locator(OWN_CARDS)).to_have_count(6, timeout=30_000)
    expect(page.locator("#hint")).to_contain_text("Your turn", timeout=30_000)
    for _ in range(60):
        if page.evaluate("document.activeElement.matches('.seat.own .hand .card')"):
            break
        page.keyboard.press("Tab")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert name.endswith(", in your hand")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != name
    page.keyboard.press("Enter")
    expect(page.locator(OWN_PAD)).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator("#hint")).to_contain_text("Refused")
    expect(page.locator("#said")).to_have_class("aside bad")
    page.keyboard.press("x", delay=80)
    expect(page.locator("#hint")).not_to_contain_text("Refused")


def test_a_button_is_held_for_as_long_as_it_is_pressed(window: Window, playing: Table) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    page = window(table.url)
    dealt(page)
    key = page.locator(".seat.own .key").nth(2)
    box = key.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    until(page, lambda: look(table).peeking)
    page.mouse.move(5, 5)  # a finger may slip off; it is the finger that counts
    page.wait_for_timeout(200)
    assert look(table).peeking
    page.mouse.up()
    until(page, lambda: not look(table).peeking)


def test_another_player_sees_another_hand_and_no_glass_that_is_held_in_a_hand(window: Window, playing: Table) -> None:
    table = playing(bots=(3, 4), dealer=1)
    page, other = window(table.url), window(table.url)
    page.locator("#deal").click()
    expect(page.locator(OWN_CARDS)).to_have_count(6, timeout=30_000)
    expect(page.locator("#hint")).to_contain_text("is to act", timeout=30_000)
    other.locator("#more").click()
    other.locator("#sit").select_option("2")
    expect(other.locator(OWN_CARDS)).to_have_count(6)
    names = [card.get_attribute("data-name") for card in page.locator(OWN_CARDS).all()]
    others = [card.get_attribute("data-name") for card in other.locator(OWN_CARDS).all()]
    assert not set(names) & set(others)
    for name in names:
        expect(other.locator(f'[data-name="{name}"]')).to_have_count(0)
    page.keyboard.down("c")
    expect(other.locator(".device.covered")).to_have_count(1)
    expect(page.locator(".device.covered")).to_have_count(0)
    page.keyboard.up("c")
    expect(other.locator(".device.covered")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_names_for_screen_readers_and_contrast(
    window: Window, playing: Table, axe: Callable[[Page], list[str]], scheme: str, lang: str
) -> None:
    table = playing(bots=(2, 3, 4), dealer=1, language=lang)
    page = window(f"{table.url}?lang={lang}", color_scheme=scheme)
    page.locator("#deal").click()
    expect(page.locator(OWN_CARDS)).to_have_count(6, timeout=30_000)
    page.wait_for_timeout(600)
    assert axe(page) == []
    page.locator("#more").click()
    assert axe(page) == []
    page.locator("#new").click()
    assert axe(page) == []


def test_another_table_by_keys_alone_with_names_bots_and_an_option(window: Window, playing: Table) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    page = window(table.url)
    page.locator("#more").click()
    page.locator("#new").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#other [name=game]")).to_be_focused()
    to(page, "summary", "Players and bots")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Ann <b>")
    to(page, "input", "Bot, Seat 2")
    page.keyboard.press("Space")
    to(page, "summary", "Options of the rules")
    page.keyboard.press("Enter")
    to(page, "input", "play to")
    page.keyboard.press("Control+a")
    page.keyboard.type("0")
    to(page, "button", "Begin")
    page.keyboard.press("Enter")
    expect(page.locator("#other")).to_be_visible()  # 0 is no score to play to
    expect(page.locator("#other-options input:invalid")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type("7")
    expect(page.locator("#other-changed")).to_have_text("1 changed")
    page.keyboard.press("Enter")
    expect(page.locator("#other")).to_be_hidden()
    expect(page.locator("#menu")).to_be_hidden()
    expect(page.locator(".seat.own .name")).to_have_text("1 · Ann <b>")
    expect(page.locator(".seat .bot[aria-pressed=true]")).to_have_count(2)
    rules = table.table.act(lambda bench: dict(bench.table.loop.table.options)).result()
    assert rules == {"target": 7}


def to(page: Page, tag: str, name: str) -> None:
    """Press Tab until a control of this name has the focus."""
    focused = (
        "[document.activeElement.localName, document.activeElement.ariaLabel ||"
        " (document.activeElement.closest('label') ?? document.activeElement).textContent]"
    )
    for _ in range(60):
        page.keyboard.press("Tab")
        here, said = page.evaluate(focused)
        if here == tag and said.strip().startswith(name):
            return
    raise AssertionError(f"no Tab leads to {name}")


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_dialog_for_another_table_fits_a_phone_and_has_its_names(
    window: Window, playing: Table, axe: Callable[[Page], list[str]], lang: str
) -> None:
    table = playing(bots=(2, 3, 4), dealer=1, language=lang)
    page = window(f"{table.url}?lang={lang}", viewport=PHONE)
    page.locator("#more").click()
    page.locator("#new").click()
    page.locator("#other [name=game]").select_option("vazhushal")
    page.locator("#other [name=seats]").select_option("6")
    for part in page.locator("#other summary").all():
        part.click()
    assert axe(page) == []
    edges = page.evaluate(
        "[...document.querySelectorAll('#other, #other input, #other select, #other button')]"
        ".map((one) => one.getBoundingClientRect()).flatMap((box) => [box.left, box.right])"
    )
    assert min(edges) >= 0
    assert max(edges) <= PHONE["width"]
    expect(page.locator("#other-go")).to_be_in_viewport()
    page.locator("#other-players input[type=text]").first.fill("a;b")
    page.locator("#other-go").click()
    expect(page.locator("#other-wrong")).to_contain_text("a;b")


def test_on_a_phone_nothing_lies_beyond_the_edge(window: Window, playing: Table) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    page = window(table.url, viewport=PHONE, has_touch=True, is_mobile=True)
    dealt(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for query in (OWN_CARDS, OWN_PAD, ".seat.own canvas", ".seat.own .key", "#more"):
        for one in page.locator(query).all():
            box = one.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + min(box["width"], 30) <= PHONE["width"]
            assert box["y"] + box["height"] <= PHONE["height"]
    drag(page, page.locator(OWN_CARDS).first, page.locator(OWN_PAD))
    expect(page.locator("#hint")).to_contain_text("Refused")


def played_ahead(table: Any, melds: int) -> None:
    """Let the bots play until so many melds lie there, and then keep still."""

    def ahead(hands: Hands) -> None:
        for _ in range(60_000):
            hands.poll()
            blocks = view(hands.bench.table.match, PUBLIC).blocks
            if sum(len(block.melds) for block in blocks if isinstance(block, Melds)) >= melds:
                break
        for seat in [*hands.bench.bots]:
            hands.bench.unseat_bot(seat)
        for _ in range(60):
            hands.poll()

    table.table.play(ahead).result()


@pytest.mark.parametrize(("seats", "viewport"), [(4, PHONE), (6, PHONE), (4, DESK), (6, DESK)])
def test_melds_leave_the_piles_and_readers_free(
    window: Window, playing: Table, seats: int, viewport: dict[str, int]
) -> None:
    table = playing("vazhushal", seats, bots=tuple(range(1, seats + 1)))
    played_ahead(table, melds=8)
    page = window(table.url, viewport=viewport)
    expect(page.locator(".meld").nth(7)).to_be_visible()
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]
    for query in ("#stock", "#pile", "#pads", OWN_PAD, ".seat:not(.own) .device"):
        for free in page.locator(query).all():
            assert not any(overlap(card, free) for card in page.locator(".meld .card").all()), query
    widths = {round(box["width"]) for box in map(Locator.bounding_box, page.locator("#top .seat").all()) if box}
    assert viewport is DESK or len(widths) == 1


def overlap(one: Locator, other: Locator) -> bool:
    box, free = one.bounding_box(), other.bounding_box()
    assert box is not None
    assert free is not None
    across = box["x"] + box["width"] > free["x"] + 1 and free["x"] + free["width"] > box["x"] + 1
    return across and box["y"] + box["height"] > free["y"] + 1 and free["y"] + free["height"] > box["y"] + 1


def test_the_line_at_the_foot_speaks_the_language_of_the_page_and_goes_with_the_message(
    window: Window, playing: Table
) -> None:
    table = playing(bots=(2, 3, 4), dealer=1)
    page = window(table.url)
    dealt(page)
    drag(page, page.locator(OWN_CARDS).first, page.locator(OWN_PAD))
    expect(page.locator("#said")).to_have_class("aside bad")
    english = page.locator("#said").text_content()
    page.locator("#more").click()
    page.locator("#language").click()
    expect(page.locator("#spoken")).to_contain_text("Дисплеи говорят по-английски")
    expect(page.locator("#said")).not_to_have_text(english or "")
    page.keyboard.press("Escape")
    page.locator(".seat.own .key").nth(1).click(delay=80)
    expect(page.locator("#said")).not_to_have_class("aside bad")


def test_a_reader_that_is_off_is_framed_no_longer(window: Window, playing: Table) -> None:
    table = playing("possession", 2, bots=(2,), dealer=2)
    page = window(table.url)
    page.locator("#deal").click()
    expect(page.locator("#hint")).to_contain_text("Your turn", timeout=30_000)
    expect(page.locator(".seat.own .pad.lively")).to_have_count(1)

    def unplug(hands: Hands) -> None:
        faults = hands.bench.table.faults
        faults.begin("unplugged", next(one for one in faults.places("unplugged") if one.reader == "seat 1 reader"))

    table.table.play(unplug).result()
    expect(page.locator("#hint")).to_contain_text("does not answer", timeout=20_000)
    expect(page.locator(".seat.own .pad.lively")).to_have_count(0)
