"""Displays in a terminal: braille, panels, the layout of a whole screen, and what is sent to the terminal."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from firmware.terminal import Screen, braille, cells, clip, grid, layout, panel, plain

DISPLAY = Image.new("1", (128, 64))


def pixels(lines: list[str]) -> set[tuple[int, int]]:
    """The lit pixels that braille shows, decoded by the numbers of its dots as Unicode gives them."""
    places = {1: (0, 0), 2: (0, 1), 3: (0, 2), 4: (1, 0), 5: (1, 1), 6: (1, 2), 7: (0, 3), 8: (1, 3)}
    return {
        (column * 2 + x, row * 4 + y)
        for row, line in enumerate(lines)
        for column, char in enumerate(line)
        for dot, (x, y) in places.items()
        if ord(char) - 0x2800 & 1 << dot - 1
    }


# Braille


def test_a_display_is_64_by_16_cells() -> None:
    lines = braille(DISPLAY)
    assert len(lines) == 16
    assert {len(line) for line in lines} == {64}
    assert set("".join(lines)) == {"\u2800"}


def test_a_lit_display_is_all_dots() -> None:
    assert set("".join(braille(Image.new("1", (128, 64), 1)))) == {"\u28ff"}


@given(st.sets(st.tuples(st.integers(0, 20), st.integers(0, 10))))
def test_every_lit_pixel_is_one_dot_in_its_place(lit: set[tuple[int, int]]) -> None:
    image = Image.new("1", (21, 11))
    for place in lit:
        image.putpixel(place, 1)
    lines = braille(image)
    assert pixels(lines) == lit
    assert (len(lines[0]), len(lines)) == (11, 3)


# Widths


@pytest.mark.parametrize(
    ("text", "columns"), [("", 0), ("Anna", 4), ("Анна ♠", 6), ("山田", 4), ("e\u0301", 1), ("⣿⣿", 2)]
)
def test_columns_are_counted_as_a_terminal_does(text: str, columns: int) -> None:
    assert cells(text) == columns


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("Anna", 6, "Anna  "),
        ("Anna", 4, "Anna"),
        ("Anna", 3, "An…"),
        ("Anna", 1, "…"),
        ("Anna", 0, ""),
        ("山田太郎", 6, "山田… "),
    ],
)
def test_text_is_clipped_to_exactly_its_columns(text: str, columns: int, expected: str) -> None:
    assert clip(text, columns) == expected


@given(st.text(), st.integers(0, 30))
def test_clipped_text_always_has_its_columns(text: str, columns: int) -> None:
    assert cells(clip(text, columns)) == columns


def test_a_name_cannot_steer_the_terminal() -> None:
    assert plain("A\x1b[2Jn\x9b5n\na\u202e\ud800") == "A[2Jn5n a"
    assert "\x1b" not in "".join(layout([panel(DISPLAY, "\x1b[2J", False)], ["\x1b]0;x\x07"], 80, 24))


def test_a_drawn_line_cannot_steer_the_terminal_either() -> None:
    out = io.StringIO()
    Screen(out).draw(["\x1b]0;x\x07"], 8, 1)
    assert out.getvalue() == "\x1b[2J\x1b[1;1H]0;x    "


# Panels


def test_a_panel_frames_the_picture_with_title_and_led() -> None:
    image = DISPLAY.copy()
    image.putpixel((0, 0), 1)
    lines = panel(image, "2 Анна", led_on=True)
    assert lines[0] == "╭─ ● 2 Анна " + "─" * 53 + "╮"
    assert lines[-1] == "╰" + "─" * 64 + "╯"
    assert [line[1:-1] for line in lines[1:-1]] == braille(image)
    assert {line[0] + line[-1] for line in lines[1:-1]} == {"││"}


def test_a_dark_led_is_a_hollow_circle() -> None:
    assert panel(DISPLAY, "2 Анна", led_on=False)[0].startswith("╭─ ○ 2 Анна ─")


@pytest.mark.parametrize("title", ["", "x" * 60, "x" * 63, "x" * 64, "x" * 200, "山" * 31, "山" * 90])
def test_all_lines_of_a_panel_are_equally_wide_whatever_the_title(title: str) -> None:
    assert {cells(line) for line in panel(DISPLAY, title, led_on=True)} == {66}


# Layout


def six() -> list[list[str]]:
    return [panel(DISPLAY, f"seat {seat}", led_on=False) for seat in range(1, 7)]


def seats(lines: list[str]) -> list[list[str]]:
    """The seats shown in each line that has any."""
    found = [re.findall(r"seat \d", line) for line in lines]
    return [line for line in found if line]


SIZES = [(80, 24), (66, 18), (100, 30), (120, 40), (133, 40), (140, 60), (200, 50), (240, 100), (400, 18)]


@pytest.mark.few(7)
@pytest.mark.parametrize(("columns", "rows"), [*SIZES, (1, 1), (20, 5), (79, 23), (3, 50), (500, 2)])
@pytest.mark.parametrize("count", [0, 1, 2, 4, 6])
def test_a_layout_is_exactly_as_large_as_the_terminal(columns: int, rows: int, count: int) -> None:
    lines = layout(six()[:count], ["one line", "another, " * 40], columns, rows)
    assert len(lines) == rows
    assert {cells(line) for line in lines} == {columns}


@pytest.mark.parametrize(("columns", "rows"), [(0, 24), (80, 0), (-1, -1)])
def test_a_terminal_without_room_shows_nothing(columns: int, rows: int) -> None:
    assert layout(six(), ["log"], columns, rows) == []


def test_80_by_24_shows_the_acting_seat_and_five_lines_of_log() -> None:
    lines = layout(six(), [f"ruling {number}" for number in range(9)], 80, 24, first=3)
    assert seats(lines) == [["seat 4"]]
    assert lines[17].rstrip().endswith("╯")
    assert lines[18].startswith("─ +5 ─")
    assert [line.rstrip() for line in lines[19:]] == [f"ruling {number}" for number in range(4, 9)]


def test_a_wide_terminal_shows_seats_beside_each_other_going_round_from_the_acting_one() -> None:
    lines = layout(six(), [], 200, 50, first=4)
    assert seats(lines) == [["seat 5", "seat 6", "seat 1"], ["seat 2", "seat 3", "seat 4"]]


def test_all_seats_shown_leave_no_count_of_hidden_ones() -> None:
    lines = layout(six(), [], 200, 50)
    assert lines[36] == "─" * 200


def test_a_last_row_may_be_shorter() -> None:
    lines = layout(six()[:3], [], 140, 44)
    assert seats(lines) == [["seat 1", "seat 2"], ["seat 3"]]


def test_room_beside_the_displays_is_given_to_the_log() -> None:
    lines = layout(six()[:2], ["trick to seat 2"], 120, 40)
    assert seats(lines)[0] == ["seat 1"]
    assert lines[0][67:] == "─" * 53
    assert lines[1][67:].rstrip() == "trick to seat 2"
    assert lines[18][:66].startswith("╭─ ○ seat 2")


def test_a_log_beside_the_displays_fills_the_height() -> None:
    log = [f"ruling {number}" for number in range(100)]
    lines = layout(six()[:2], log, 120, 40)
    assert [line[67:].rstrip() for line in lines[1:]] == log[-39:]


def test_long_log_entries_are_broken_at_spaces_and_set_in() -> None:
    entry = "2 Boris: refused, must follow ♣ (rule 7.2); take back 9♦ and play a club that you hold in hand"
    lines = [line.rstrip() for line in layout(six(), ["earlier", entry], 80, 24)[19:]]
    assert lines == [
        "earlier",
        "2 Boris: refused, must follow ♣ (rule 7.2); take back 9♦ and play a club that",
        "  you hold in hand",
        "",
        "",
    ]


def test_only_whole_entries_are_shown_but_the_newest_as_far_as_it_goes() -> None:
    long = "word " * 30
    lines = [line.rstrip() for line in layout(six(), [long, *"abcd"], 80, 24)[19:]]
    assert lines == ["a", "b", "c", "d", ""]
    lines = layout(six(), ["earlier", "word " * 200], 80, 24)[19:]
    assert all(line.strip().startswith("word word") for line in lines)


def test_an_entry_without_spaces_is_broken_anywhere() -> None:
    lines = layout([], ["x" * 100], 40, 10)
    assert [line.rstrip() for line in lines[1:5]] == ["x" * 40, "  " + "x" * 38, "  " + "x" * 22, ""]


def test_a_terminal_narrower_than_a_display_shows_its_left_part() -> None:
    lines = layout(six(), ["log"], 40, 24)
    assert lines[0] == panel(DISPLAY, "seat 1", led_on=False)[0][:40]
    assert lines[19].rstrip() == "log"


@pytest.mark.parametrize(
    ("count", "columns", "rows", "expected"),
    [
        (6, 80, 24, (1, 1)),
        (6, 133, 24, (2, 1)),
        (6, 132, 24, (1, 1)),
        (6, 200, 40, (3, 2)),
        (6, 200, 39, (3, 1)),
        (4, 300, 100, (4, 1)),
        (1, 300, 100, (1, 1)),
        (6, 10, 5, (1, 1)),
        (2, 120, 36, (1, 2)),
    ],
)
def test_how_many_displays_fit(count: int, columns: int, rows: int, expected: tuple[int, int]) -> None:
    assert grid(count, 66, 18, columns, rows) == expected


# Screen


class Terminal:
    """Just enough of a terminal to see what a screen makes of it: moves, erasing, modes."""

    def __init__(self, columns: int, rows: int) -> None:
        self.grid = [[" "] * columns for _ in range(rows)]
        self.modes = {25: True, 7: True, 1049: False}

    def feed(self, data: str) -> None:
        row = column = 0
        for sequence, char in re.findall(r"(\x1b\[[?\d;]*[A-Za-z])|(.)", data):
            if char:
                self.grid[row][column] = char
                column = min(column + 1, len(self.grid[0]) - 1)
            elif sequence.endswith("H"):
                row, column = (int(number) - 1 for number in sequence[2:-1].split(";"))
            elif sequence in ("\x1b[2J", "\x1b[2K"):
                for line in self.grid if sequence.endswith("J") else [self.grid[row]]:
                    line[:] = [" "] * len(line)
            elif sequence[-1] in "hl":
                self.modes[int(sequence[3:-1])] = sequence[-1] == "h"
            else:
                assert sequence == "\x1b[0m"

    @property
    def lines(self) -> list[str]:
        return ["".join(line) for line in self.grid]


def sent(out: io.StringIO) -> str:
    """What was written since the last look."""
    text = out.getvalue()
    out.seek(0)
    out.truncate()
    return text


def test_a_drawn_screen_shows_its_lines_up_to_the_last_column() -> None:
    out, terminal = io.StringIO(), Terminal(8, 3)
    with Screen(out) as screen:
        screen.draw(["abcdefgh", "", "ijklmnop"], 8, 3)
        terminal.feed(sent(out))
    assert terminal.lines == ["abcdefgh", "        ", "ijklmnop"]


def test_only_lines_that_changed_are_sent() -> None:
    out = io.StringIO()
    screen = Screen(out)
    screen.draw(["one", "two", "three"], 8, 3)
    sent(out)
    screen.draw(["one", "TWO", "three"], 8, 3)
    assert sent(out) == "\x1b[2;1HTWO     "
    screen.draw(["one", "TWO", "three"], 8, 3)
    assert sent(out) == ""


@given(st.lists(st.tuples(st.lists(st.text("ab ♠", max_size=9), max_size=5), st.integers(1, 8), st.integers(1, 4))))
def test_after_any_draws_and_resizes_the_terminal_shows_the_last_lines(
    draws: list[tuple[list[str], int, int]],
) -> None:
    out = io.StringIO()
    screen = Screen(out)
    size = (0, 0)
    terminal = Terminal(1, 1)
    for lines, columns, rows in draws:
        if (columns, rows) != size:
            terminal, size = Terminal(columns, rows), (columns, rows)
        screen.draw(lines, columns, rows)
        terminal.feed(sent(out))
        expected = [clip(line, columns) for line in lines[:rows]]
        assert terminal.lines == expected + [" " * columns] * (rows - len(expected))


def test_another_size_clears_and_draws_all() -> None:
    out = io.StringIO()
    screen = Screen(out)
    screen.draw(["one", "two"], 8, 3)
    sent(out)
    screen.draw(["one", "two"], 9, 3)
    assert sent(out) == "\x1b[2J\x1b[1;1Hone      \x1b[2;1Htwo      "


def test_the_cursor_is_hidden_while_open_and_all_is_restored_after() -> None:
    out, terminal = io.StringIO(), Terminal(80, 24)
    before = dict(terminal.modes)
    with Screen(out) as screen:
        terminal.feed(sent(out))
        assert terminal.modes == {25: False, 7: False, 1049: True}
        screen.draw(["x"], 80, 24)
    terminal.feed(sent(out))
    assert terminal.modes == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_the_terminal_is_restored_after_an_interrupt(error: type[BaseException]) -> None:
    out, terminal = io.StringIO(), Terminal(80, 24)
    with pytest.raises(error), Screen(out):
        raise error
    terminal.feed(sent(out))
    assert terminal.modes == {25: True, 7: True, 1049: False}


def test_opening_and_closing_twice_sends_once() -> None:
    out = io.StringIO()
    screen = Screen(out)
    screen.close()
    assert sent(out) == ""
    screen.open()
    once = sent(out)
    screen.open()
    assert (bool(once), sent(out)) == (True, "")
    screen.close()
    assert sent(out)
    screen.close()
    assert sent(out) == ""


def test_a_screen_opened_again_draws_all_again() -> None:
    out = io.StringIO()
    screen = Screen(out)
    for _ in range(2):
        screen.open()
        screen.draw(["one"], 8, 3)
        assert "one" in sent(out)
        screen.close()


class Gone(io.StringIO):
    """A terminal that fails to write while `gone`."""

    gone = False

    def write(self, text: str) -> int:
        if self.gone:
            raise OSError(5, "Input/output error")
        return super().write(text)


def test_a_terminal_that_is_gone_is_an_os_error_when_drawing_and_none_when_closing() -> None:
    out = Gone()
    screen = Screen(out)
    screen.open()
    out.gone = True
    with pytest.raises(OSError, match="Input/output"):
        screen.draw(["one"], 8, 3)
    screen.close()


def test_a_draw_that_failed_is_followed_by_a_full_one() -> None:
    out = Gone()
    screen = Screen(out)
    screen.draw(["one", "two"], 8, 3)
    out.gone = True
    with pytest.raises(OSError, match="Input/output"):
        screen.draw(["one", "TWO"], 8, 3)
    out.gone = False
    sent(out)
    screen.draw(["one", "TWO"], 8, 3)
    assert sent(out).startswith("\x1b[2J\x1b[1;1Hone")


def test_an_interrupt_in_the_middle_of_opening_still_restores() -> None:
    class Interrupted(io.StringIO):
        def flush(self) -> None:
            if not self.getvalue().endswith("1049l"):
                raise KeyboardInterrupt

    out = Interrupted()
    screen = Screen(out)
    with pytest.raises(KeyboardInterrupt):
        screen.open()
    screen.close()
    assert out.getvalue().endswith("\x1b[?1049l")
