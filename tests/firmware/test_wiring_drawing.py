"""The drawing of a table's wiring: everything of the file is in it, where it belongs, and can be read."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from firmware.command import main
from firmware.svg import Box, Text, Wire
from firmware.table_option import example
from firmware.tablefile import OWN
from firmware.wiring_drawing import SHEET, drawing
from firmware.wiring_parts import needed
from firmware.wiring_words import BUTTON_SIGNS, WiringWords
from firmware.words import LANGUAGES
from hal.header import HEADER_PINS, by_place
from hal.lines import place_of
from hal.panels import Controller
from hal.reader_kinds import ReaderKind
from hal.reader_wiring import ReaderSettings
from hal.wiring import (
    BusWiring,
    ButtonLines,
    BuzzerWiring,
    ChipWiring,
    CommonRole,
    DisplayPlace,
    MuxWiring,
    ReaderWiring,
    SeatWiring,
    StripWiring,
    Wiring,
    read_wiring,
)
from hal.wiring_buses import answers
from hal.wiring_lines import HEADER_UARTS

ROOT = Path(__file__).parents[2]
KEPT = {"two-seats": "two-seats", "centre-reader": "centre-reader", "six-seats": "six-seats"}
"""The drawings in docs/images, and the table file of each."""
WORDS = WiringWords()
SVG = "{http://www.w3.org/2000/svg}"

CHIPS = (
    ChipWiring("left", "mcp23017", 16),
    ChipWiring("right", "mcp23017", 16, address=0x21, interrupt=26),
    ChipWiring("pcf", "pcf8574", 8, address=0x22),
)
ODD = {
    "a seat alone": Wiring((SeatWiring(1, ButtonLines(4, 17, 27)),)),
    "two expanders and an unknown one": Wiring(
        (
            SeatWiring(
                1,
                ButtonLines("left.0", "left.1", "left.2"),
                "left.7",
                DisplayPlace(1, 0x3C, Controller.SH1106, rotate=180),
            ),
            SeatWiring(2, ButtonLines("right.0", "right.1", "pcf.0"), None, DisplayPlace(1, 0x3D, size="128x32")),
        ),
        chips=CHIPS,
        buzzer=BuzzerWiring("left.15"),
    ),
    "a strip, and readers of all kinds": Wiring(
        (
            SeatWiring(1, ButtonLines(4, 17, 27), reader=ReaderSettings(port="/dev/serial0", reset=5)),
            SeatWiring(
                2,
                ButtonLines(12, 13, 16),
                reader=ReaderSettings(
                    port="/dev/input/by-path/platform-fd500000.pcie-pci-0000:01:00.0-usb-0:1.1.1:1.0-event-kbd",
                    kind=ReaderKind.KEYBOARD,
                ),
            ),
            SeatWiring(
                3, ButtonLines(20, 21, 22), reader=ReaderSettings(port="/dev/serial/by-path/a", kind=ReaderKind.RDM6300)
            ),
        ),
        (ReaderWiring(port="/dev/ttyAMA2", kind=ReaderKind.ID12LA, role=CommonRole.DEALING),),
        buzzer=BuzzerWiring(18, tone=2400),
        strip=StripWiring(9),
    ),
    "a bus behind two multiplexers": Wiring(
        (SeatWiring(1, ButtonLines(4, 17, 27), display=DisplayPlace(31, 0x3C)),),
        buses=(BusWiring(3, 23, 24),),
        muxes=(MuxWiring((20, 21)), MuxWiring((30, 31), bus=20, address=0x77)),
        chips=(ChipWiring("a-chip-with-a-very-long-name-indeed", "a-label-that-nobody-has-ever-heard-of", 8, bus=3),),
    ),
}
TABLES = {
    name: read_wiring(example(f"{name}.toml"), OWN)
    for name in ("two-seats", "centre-reader", "four-seats", "six-seats")
} | ODD
SLIPS = pytest.mark.parametrize("name", TABLES)


def drawn(name: str, language: str = "en") -> ElementTree.Element:
    return ElementTree.fromstring(drawing(TABLES[name], WiringWords(language), name))


def groups(root: ElementTree.Element) -> dict[str, ElementTree.Element]:
    found = list(root.iter(f"{SVG}g"))
    assert len({group.get("id") for group in found}) == len(found)
    return {str(group.get("id")): group for group in found}


def texts(group: ElementTree.Element) -> list[Text]:
    return [
        Text(
            float(one.get("x", "")),
            float(one.get("y", "")),
            one.text or "",
            float(one.get("font-size", "")),
            one.get("text-anchor", "start"),  # type: ignore[arg-type]
            one.get("font-weight") == "bold",
        )
        for one in group.iter(f"{SVG}text")
    ]


def said(group: ElementTree.Element) -> list[str]:
    return [text.text for text in texts(group)]


def rows(group: ElementTree.Element) -> dict[float, list[str]]:
    """The texts of each base line, from left to right."""
    found: dict[float, list[str]] = {}
    for text in sorted(texts(group), key=lambda text: text.x):
        found.setdefault(text.y, []).append(text.text)
    return found


def rects(root: ElementTree.Element) -> Iterator[Box]:
    for one in root.iter(f"{SVG}rect"):
        x, y = float(one.get("x", "0")), float(one.get("y", "0"))
        yield Box(x, y, x + float(one.get("width", "")), y + float(one.get("height", "")))


def wires(root: ElementTree.Element) -> Iterator[Box]:
    for one in root.iter(f"{SVG}polyline"):
        points = [tuple(map(float, point.split(","))) for point in one.get("points", "").split()]
        yield from Wire(tuple((x, y) for x, y in points), thick=float(one.get("stroke-width", ""))).boxes


# what can be read


@pytest.mark.few(4)
@pytest.mark.parametrize("language", LANGUAGES)
@SLIPS
def test_no_text_lies_on_another_or_on_a_wire_or_over_an_edge(name: str, language: str) -> None:
    root = drawn(name, language)
    boxes = [(text.text, text.box) for text in texts(root)]
    along, areas = list(wires(root)), list(rects(root))
    for index, (text, box) in enumerate(boxes):
        assert not [other for other, there in boxes[index + 1 :] if box.meets(there)], text
        assert not [there for there in along if box.meets(there)], text
        assert not [there for there in areas if box.meets(there) and not there.holds(box)], text


@SLIPS
def test_parts_lie_beside_each_other_on_their_sheets(name: str) -> None:
    root = drawn(name)
    width, height = (float(size) for size in root.get("viewBox", "").split()[2:])
    paper = Box(0, 0, width, height)
    frames = []
    for part, group in groups(root).items():
        if part == "heading":
            continue
        edge, *inside = rects(group)
        frames.append(edge)
        assert paper.holds(edge)
        assert edge.top // SHEET[1] == edge.bottom // SHEET[1], f"{part} lies on two sheets"
        assert all(edge.holds(box) for box in (*inside, *(text.box for text in texts(group)), *wires(group))), part
    assert not [(one, other) for index, one in enumerate(frames) for other in frames[index + 1 :] if one.meets(other)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [name for name in TABLES if name != "a bus behind two multiplexers"])
def test_unless_names_are_very_long_nothing_is_cut(name: str, language: str) -> None:
    root = drawn(name, language)
    assert not [text for text in said(root) if text.endswith("…") and not text.startswith("/dev/")]
    assert not [text for text in said(root) if text.startswith(("drawing.", "part.", "kind.")) or "{" in text]
    assert min(text.size for text in texts(root)) >= 8


@SLIPS
def test_the_same_file_gives_the_same_bytes(name: str) -> None:
    assert drawing(TABLES[name], WORDS, name) == drawing(TABLES[name], WORDS, name)


# what is in it


@SLIPS
def test_the_header_has_its_forty_pins_with_what_goes_there(name: str) -> None:
    header = rows(groups(drawn(name))["header"])
    used = by_place(TABLES[name])
    for left, right in zip(HEADER_PINS[::2], HEADER_PINS[1::2], strict=True):
        expected = []
        for pin, outwards in ((left, -1), (right, 1)):
            use = used.get(pin.place) if pin.place else None
            side = [str(pin.number), pin.name, *([WORDS.use(use)] if use else [])]
            expected.append(side[::outwards])
        row = [text for left, right in [expected] for text in (*left, *right)]
        assert list(header.values()).count(row) == 1


@SLIPS
def test_each_seat_has_its_lines_once(name: str) -> None:
    wiring = TABLES[name]
    parts = groups(drawn(name))
    pins = {pin.place: pin.number for pin in HEADER_PINS if pin.place is not None}
    for seat in wiring.seats:
        found = [" ".join(row) for row in rows(parts[f"seat-{seat.number}"]).values()]
        lines = {BUTTON_SIGNS[key]: getattr(seat.buttons, key) for key in ("left", "ok", "right")}
        if seat.led is not None:
            lines["LED"] = seat.led
        for sign, line in lines.items():
            place = place_of(line)
            begin = f"{sign} {place}" if place.chip else f"{sign} {pins[place]} GPIO{line}"
            assert len([row for row in found if re.match(rf"{re.escape(begin)}(?!\d)", row)]) == 1
        display = [] if seat.display is None else [f"I²C {seat.display.bus}, 0x{seat.display.address:02X}"]
        assert [text for text in said(parts[f"seat-{seat.number}"]) if text.startswith("I²C")] == display
        assert any(text.startswith("reader") for text in said(parts[f"seat-{seat.number}"])) == bool(seat.reader)


@SLIPS
def test_each_line_of_a_chip_is_at_its_pin(name: str) -> None:
    wiring = TABLES[name]
    parts = groups(drawn(name))
    assert {part for part in parts if part.startswith("chip-")} == {f"chip-{chip.name}" for chip in wiring.chips}
    for place, use in by_place(wiring).items():
        if place.chip:
            chip = next(chip for chip in wiring.chips if chip.name == place.chip)
            port = f"GP{'AB'[place.number // 8]}{place.number % 8}" if chip.label == "mcp23017" else str(place)
            row = [row for row in rows(parts[f"chip-{chip.name}"]).values() if port in row]
            assert len(row) == 1
            assert abs(row[0].index(port) - row[0].index(WORDS.use(use))) <= 2


@SLIPS
def test_each_bus_has_all_that_answers_on_it_and_its_pull_ups(name: str) -> None:
    wiring = TABLES[name]
    parts = groups(drawn(name))
    found = list(answers(wiring))
    numbers = {answer.bus for answer in found} | {bus.number for bus in wiring.buses}
    numbers |= {channel for mux in wiring.muxes for channel in mux.channels}
    assert {part for part in parts if part.startswith("bus-")} == {f"bus-{number}" for number in numbers}
    for number in numbers:
        bus = said(parts[f"bus-{number}"])
        here = [answer for answer in found if answer.bus == number]
        assert Counter(text for text in bus if re.fullmatch(r"0x..", text)) == Counter(
            f"0x{answer.address:02X}" for answer in here
        )
        assert [text for text in bus if text.endswith("kΩ")] == (["1.8 kΩ"] * 2 if number == 1 else ["4.7 kΩ"] * 2)


@SLIPS
def test_each_reader_stands_at_its_port(name: str) -> None:
    wiring = TABLES[name]
    parts = groups(drawn(name))
    places = list(wiring.readers())
    if not places:
        assert "readers" not in parts
        return
    ports = said(parts["readers"])
    begin = next((text.removesuffix("…") for text in ports if re.fullmatch("/dev/.*…", text)), "")
    for place in places:
        assert len([text for text in ports if text.startswith(f"{WORDS.reader(place)}: ")]) == 1
        assert len([text for text in ports if place.port in (text, begin + text.removeprefix("…"))]) == 1
    assert any(part.startswith("header-") for part in parts) == any(place.port in HEADER_UARTS for place in places)


def test_a_display_on_two_pins_of_the_header_shows_their_numbers() -> None:
    bus = rows(groups(drawn("centre-reader"))["bus-3"])
    assert ["16", "SDA", "4.7 kΩ", "3V3"] in bus.values()
    assert ["18", "SCL", "4.7 kΩ", "3V3"] in bus.values()
    behind = rows(groups(drawn("six-seats"))["bus-12"])
    assert ["0x70 SD1", "4.7 kΩ", "3V3"] in behind.values()


# what has to be bought


def test_parts_are_counted() -> None:
    parts = {(part.code, part.what): part.number for part in needed(TABLES["six-seats"])}
    assert parts == {
        ("pi", ""): 1,
        ("button", ""): 18,
        ("led", ""): 6,
        ("led-resistor", ""): 6,
        ("display", "SSD1306 128×64"): 6,
        ("reader", "pn532"): 7,
        ("adapter", ""): 7,
        ("hub", ""): 1,
        ("chip", "MCP23017"): 1,
        ("mux", ""): 1,
        ("buzzer", ""): 1,
        ("transistor", ""): 1,
    }


def test_a_reader_at_the_header_or_with_a_plug_of_its_own_needs_no_adapter() -> None:
    parts = {part.code: part.number for part in needed(TABLES["a strip, and readers of all kinds"])}
    assert parts["adapter"] == 1
    assert parts["hub"] == 1
    assert parts["strip-led"] == 9
    assert "passive-buzzer" in parts


# the command, and what is kept


def test_the_command_writes_the_drawing_beside_the_file(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[[seat]]\nnumber = 1\nbuttons = { left = 4, ok = 17, right = 27 }\n", encoding="utf-8")
    result = CliRunner().invoke(main, ["wiring", "draw", str(table)])
    assert (result.exit_code, result.output) == (0, f"{tmp_path / 'table.svg'}: written.\n")
    assert ElementTree.parse(tmp_path / "table.svg").getroot().tag == f"{SVG}svg"
    out = tmp_path / "ru.svg"
    assert CliRunner().invoke(main, ["wiring", "draw", str(table), "--lang", "ru", "--out", str(out)]).exit_code == 0
    assert "Разъём на 40 контактов" in out.read_text(encoding="utf-8")


def test_a_drawing_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    out = tmp_path / "no" / "drawing.svg"
    result = CliRunner().invoke(main, ["wiring", "draw", str(example("two-seats.toml")), "--out", str(out)])
    assert result.exit_code == 2
    assert result.stderr == f"{out}: No such file or directory; expected a file that can be written\n"


@pytest.mark.parametrize(("image", "table"), KEPT.items())
def test_the_drawings_of_the_documents_are_current(image: str, table: str) -> None:
    kept = (ROOT / "docs" / "images" / f"wiring-{image}.svg").read_text(encoding="utf-8")
    assert kept == drawing(TABLES[table], WORDS, table), "run `make pages`"
