"""The least that has to be written: what is left over would stay on the glass for ever, what is too much costs time."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from hal.gddram import Rect, changes, pages_of, part, whole

WIDTH = 16


def memory(*changed: tuple[int, int, int], pages: int = 3) -> bytes:
    """A memory in which these columns, from and to before, of these pages are lit."""
    data = bytearray(WIDTH * pages)
    for page, left, right in changed:
        data[page * WIDTH + left : page * WIDTH + right] = b"\xff" * (right - left)
    return bytes(data)


def written(old: bytes, new: bytes, rects: list[Rect]) -> bytes:
    """The memory after the rectangles have been written."""
    data = bytearray(old)
    for rect in rects:
        columns = rect.right - rect.left
        content = part(new, WIDTH, rect)
        for page in range(rect.top, rect.bottom):
            line, content = content[:columns], content[columns:]
            data[page * WIDTH + rect.left : page * WIDTH + rect.right] = line
        assert content == b""
    return bytes(data)


@pytest.mark.parametrize("size", [(128, 64), (128, 32), (24, 16)])
def test_a_page_holds_eight_rows_with_the_top_one_in_bit_0(size: tuple[int, int]) -> None:
    columns, rows = size
    image = Image.frombytes("1", size, Random(4).randbytes(columns * rows // 8))
    pixels = image.load()
    assert pixels is not None
    data = pages_of(image)
    assert len(data) == columns * rows // 8
    for y in range(rows):
        for x in range(columns):
            assert (data[y // 8 * columns + x] >> y % 8 & 1) == bool(pixels[x, y])


def test_nothing_changed_is_nothing_to_write() -> None:
    assert changes(memory((1, 2, 9)), memory((1, 2, 9)), WIDTH, 4, windows=True) == []


def test_one_run_is_written_and_no_more() -> None:
    assert changes(memory(), memory((1, 3, 8)), WIDTH, 4, windows=True) == [Rect(3, 8, 1, 2)]


@pytest.mark.parametrize(("gap", "count"), [(3, 1), (4, 1), (5, 2)])
def test_a_gap_is_written_when_a_header_would_cost_more(gap: int, count: int) -> None:
    new = memory((0, 0, 2), (0, 2 + gap, 9 + gap))
    assert len(changes(memory(), new, WIDTH, 4, windows=False)) == count


def test_equal_runs_on_pages_that_follow_are_one_rectangle_where_the_chip_can() -> None:
    new = memory((0, 3, 9), (1, 3, 9), (2, 3, 9))
    assert changes(memory(), new, WIDTH, 4, windows=True) == [Rect(3, 9, 0, 3)]
    assert len(changes(memory(), new, WIDTH, 4, windows=False)) == 3


def test_unequal_runs_are_one_rectangle_when_that_costs_no_more() -> None:
    assert changes(memory(), memory((0, 3, 9), (1, 5, 9)), WIDTH, 4, windows=True) == [Rect(3, 9, 0, 2)]
    assert len(changes(memory(), memory((0, 0, 3), (1, 9, 12)), WIDTH, 4, windows=True)) == 2


def test_runs_with_a_page_between_them_stay_apart() -> None:
    assert len(changes(memory(), memory((0, 3, 9), (2, 3, 9)), WIDTH, 4, windows=True)) == 2


def test_the_whole_of_a_memory() -> None:
    assert whole(WIDTH, memory()) == Rect(0, 16, 0, 3)
    assert part(memory((1, 3, 9)), WIDTH, Rect(0, 16, 0, 3)) == memory((1, 3, 9))


few_bytes = st.lists(st.sampled_from([0, 0, 0, 1]), min_size=WIDTH * 4, max_size=WIDTH * 4).map(bytes)


@given(few_bytes, few_bytes, st.integers(0, 12), st.booleans())
def test_what_is_written_makes_the_old_memory_the_new_one(old: bytes, new: bytes, header: int, windows: bool) -> None:
    rects = changes(old, new, WIDTH, header, windows=windows)
    assert written(old, new, rects) == new
    assert windows or all(rect.bottom - rect.top == 1 for rect in rects)
    differing = sum(a != b for a, b in zip(old, new, strict=True))
    assert sum(rect.size + header for rect in rects) <= differing * (header + 1)  # never dearer than byte by byte


def least(old: bytes, new: bytes, header: int) -> int:
    """The least that runs of single pages cost: of every gap, the cheaper of bridging it and of another header."""
    cost = 0
    for start in range(0, len(new), WIDTH):
        differing = [column for column in range(WIDTH) if old[start + column] != new[start + column]]
        gaps = [right - left - 1 for left, right in pairwise(differing)]
        cost += len(differing) + header * bool(differing) + sum(min(gap, header) for gap in gaps)
    return cost


@given(few_bytes, few_bytes, st.integers(0, 12))
def test_no_other_runs_of_single_pages_cost_less_and_windows_never_cost_more(
    old: bytes, new: bytes, header: int
) -> None:
    def cost(windows: bool) -> int:
        return sum(rect.size + header for rect in changes(old, new, WIDTH, header, windows=windows))

    assert cost(windows=False) == least(old, new, header)
    assert cost(windows=True) <= least(old, new, header)
