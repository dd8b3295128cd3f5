"""What the simulated chips hold is what a page shows, pixel for pixel."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect


def lit(page: Page, place: int) -> int:
    return page.evaluate(  # type: ignore[no-any-return]
        """place => {
            const canvas = document.querySelector(`canvas[data-place="${place}"]`);
            const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            let count = 0;
            for (let at = 0; at < data.length; at += 4) count += data[at] > 127;
            return count;
        }""",
        place,
    )


def test_every_lit_pixel_of_the_chip_is_lit_on_the_page(
    window: Callable[..., Page], playing: Callable[..., Any]
) -> None:
    table = playing(dealer=1)
    page = window(table.url)
    for place in (1, 2, 3, 4):
        expect(page.locator(f'canvas[data-place="{place}"]')).to_be_visible()
    page.wait_for_timeout(500)
    for place in (1, 2, 3, 4):
        picture = table.table.act(lambda bench, place=place: bench.table.picture(place)).result()
        assert abs(lit(page, place) - picture.convert("L").histogram()[255]) <= 20  # the mark that beats may have moved
