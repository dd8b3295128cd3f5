"""The hardware part of a table file: what it gives, and the one line that says what is wrong where."""

from pathlib import Path

import pytest

from hal import wiring
from hal.errors import WiringError
from hal.panels import Controller, Panel
from hal.toml_lines import TomlFile
from hal.wiring import (
    BusWiring,
    ButtonLines,
    BuzzerWiring,
    ChipWiring,
    CommonRole,
    DisplayPlace,
    MuxWiring,
    ReaderPlace,
    SeatWiring,
    StripWiring,
    Wiring,
    read_wiring,
    wiring_of,
)
from hal.wiring_lines import LineCount, count_lines

EXAMPLES = Path(__file__).parents[2] / "examples"
OTHERS = ("game", "deck")

TABLE = """\
[game]
name = "some game"

[[seat]]
number = 1
buttons = { left = 4, ok = 17, right = 27 }
led = 22
display = { bus = 1, address = 0x3C }
reader = "/dev/serial/by-path/one"

[[seat]]
number = 2
buttons = { left = 5, ok = 6, right = 13 }
led = 19
display = { bus = 1, address = 0x3D }
reader = "/dev/serial/by-path/two"

[[reader]]
role = "dealing"
port = "/dev/serial/by-path/pad"

[buzzer]
line = 18
"""


def parsed(text: str) -> Wiring:
    return wiring_of(TomlFile("t.toml", text), OTHERS)


def complaint(text: str) -> str:
    with pytest.raises(WiringError) as caught:
        parsed(text)
    words = str(caught.value)
    assert "\n" not in words
    assert "; expected " in words
    return words


def changed(old: str, new: str) -> str:
    assert TABLE.count(old) == 1
    return complaint(TABLE.replace(old, new))


# What it gives


def test_everything_that_stands_there_is_given() -> None:
    table = parsed(TABLE)
    assert table.seats[1] == SeatWiring(
        number=2,
        buttons=ButtonLines(left=5, ok=6, right=13),
        led=19,
        display=DisplayPlace(bus=1, address=0x3D),
        reader="/dev/serial/by-path/two",
    )
    assert table.buzzer is not None
    assert table.buzzer.line == 18
    assert list(table.readers()) == [
        ReaderPlace("seat 1 reader", "/dev/serial/by-path/one", seat=1),
        ReaderPlace("seat 2 reader", "/dev/serial/by-path/two", seat=2),
        ReaderPlace("dealing reader", "/dev/serial/by-path/pad", role=CommonRole.DEALING),
    ]


def test_a_seat_needs_nothing_but_its_buttons() -> None:
    table = parsed("[[seat]]\nnumber = 1\nbuttons = { left = 4, ok = 17, right = 27 }\n")
    [seat] = table.seats
    assert (seat.led, seat.display, seat.reader) == (None, None, None)
    assert list(table.readers()) == []
    assert table.buzzer is None


def test_seats_may_stand_in_any_order() -> None:
    text = TABLE.replace("number = 1", "number = x").replace("number = 2", "number = 1").replace("= x", "= 2")
    assert [(seat.number, seat.led) for seat in parsed(text).seats] == [(1, 19), (2, 22)]


def test_what_is_read_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        parsed(TABLE).seats[0].number = 3  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (wiring.reader_name(2), "seat 2 reader"),
        (wiring.reader_name(CommonRole.DEALING), "dealing reader"),
        (wiring.reader_name(CommonRole.CENTRE), "centre reader"),
        (wiring.display_name(2), "seat 2 display"),
        (wiring.buttons_name(2), "seat 2 buttons"),
        (wiring.led_name(2), "seat 2 LED"),
        (wiring.BUZZER, "buzzer"),
    ],
)
def test_devices_go_by_these_names(name: str, words: str) -> None:
    assert name == words


def test_windows_line_ends_and_a_byte_order_mark_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode())
    assert read_wiring(path, OTHERS) == parsed(TABLE)


@pytest.mark.parametrize(("name", "seats", "readers"), [("two-seats", 2, 0), ("four-seats", 4, 5)], ids=["two", "four"])
def test_the_examples_are_right(name: str, seats: int, readers: int) -> None:
    table = read_wiring(EXAMPLES / f"{name}.toml", OTHERS)
    assert len(table.seats) == seats
    assert len(list(table.readers())) == readers
    assert all(seat.display is not None for seat in table.seats)


def test_the_larger_example_uses_two_buses_for_its_four_displays() -> None:
    table = read_wiring(EXAMPLES / "four-seats.toml", OTHERS)
    places = [(seat.display.bus, seat.display.address) for seat in table.seats if seat.display is not None]
    assert places == [(1, 0x3C), (1, 0x3D), (3, 0x3C), (3, 0x3D)]
    assert table.buses == (BusWiring(number=3, sda=23, scl=24),)
    assert table.buzzer is not None


# Unknown, missing, of another type


def test_a_table_of_somebody_else_is_left_alone_only_when_it_is_named() -> None:
    assert len(wiring_of(TomlFile("t.toml", TABLE), ("game",)).seats) == 2
    with pytest.raises(WiringError) as caught:
        wiring_of(TomlFile("t.toml", TABLE), ("games",))
    assert (
        str(caught.value)
        == 't.toml:1: unknown key "game"; expected seat, reader, bus, mux, chip, buzzer or strip, games'
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[buzzer]\n", "[buzer]\n", 't.toml:22: unknown key "buzer"; expected seat,'),
        ("led = 22", "lde = 22", 't.toml:7: unknown key "lde"; expected [[seat]] tables'),
        ("left = 5,", "left = 5, up = 7,", 't.toml:13: unknown key "up"; expected a table with left, ok and right'),
        ('role = "dealing"\n', "", 't.toml:18: "role" is missing; expected "dealing" or "centre"'),
        ("line = 18\n", "", 't.toml:22: "line" is missing; expected the BCM number of a line, 2 to 27'),
        ("number = 2\n", "", 't.toml:11: "number" is missing; expected a whole number'),
        (" ok = 6,", "", 't.toml:13: "ok" is missing; expected the BCM number'),
        ('role = "d', 'rule = "d', 't.toml:19: unknown key "rule"; expected'),
        ("led = 22", 'led = "22"', 't.toml:7: led is "22"; expected the BCM number of a line, 2 to 27'),
        ("led = 22", "led = true", "t.toml:7: led is true; expected"),
        ("led = 22", "led = 22.0", "t.toml:7: led is 22.0; expected"),
        ("left = 5", "left = 1", "t.toml:13: left is 1; expected"),
        ("left = 5", "left = 28", "t.toml:13: left is 28; expected"),
        ("line = 18", "line = [18]", "t.toml:23: line is an array; expected"),
        ("bus = 1, address = 0x3D", "bus = -1, address = 0x3D", "t.toml:15: bus is -1; expected"),
        ("number = 2", "number = 0", "t.toml:12: number is 0; expected"),
        ('"/dev/serial/by-path/two"', "7", "t.toml:16: reader is 7; expected the path of a serial port"),
        ('role = "dealing"', 'role = "middle"', 't.toml:19: role is "middle"; expected "dealing" or "centre"'),
        ("{ left = 5, ok = 6, right = 13 }", "[5, 6, 13]", "t.toml:13: buttons is an array; expected a table"),
        ("[[reader]]", "[reader]", "t.toml:18: reader is a table; expected"),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(old: str, new: str, words: str) -> None:
    assert changed(old, new).startswith(words)


@pytest.mark.parametrize("text", ["", "# nothing\n", "[buzzer]\nline = 18\n"])
def test_a_table_without_seats_is_refused(text: str) -> None:
    assert complaint(text).startswith('t.toml:1: "seat" is missing; expected [[seat]] tables')


def test_an_empty_list_of_seats_is_refused() -> None:
    assert complaint("seat = []\n").startswith("t.toml:1: seat is an empty array; expected [[seat]] tables")


def test_a_key_with_a_line_end_in_it_still_makes_one_line() -> None:
    assert complaint('"a\\nb" = 1\n[[seat]]\nnumber = 1\nbuttons = { left = 4, ok = 5, right = 6 }\n').startswith(
        r't.toml:1: unknown key "a\nb"; expected'
    )


def test_invalid_toml_is_told_in_the_same_form() -> None:
    assert changed("led = 22", "led = ").startswith("t.toml:7:7: invalid value; expected valid TOML")


def test_the_path_of_the_file_is_in_the_line(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(TABLE.replace("led = 22", "led = 0"), encoding="utf-8")
    with pytest.raises(WiringError) as caught:
        read_wiring(path, OTHERS)
    assert str(caught.value).startswith(f"{path}:7: led is 0; expected")


def test_a_file_that_is_not_there_is_left_to_the_caller(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_wiring(tmp_path / "none.toml")


# Two that want the same


def test_a_seat_number_used_twice_is_refused() -> None:
    assert changed("number = 2", "number = 1") == (
        "t.toml:12: number 1 is taken by another seat (line 5 of the file); expected the numbers 1 to 2, each once"
    )


def test_a_gap_between_seat_numbers_is_refused() -> None:
    assert changed("number = 2", "number = 3") == ("t.toml:12: seat 3 of 2; expected the numbers 1 to 2, each once")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("ok = 6", "ok = 17", "t.toml:13: GPIO line 17 is taken by seat 1 ok button (line 6 of the file)"),
        ("right = 13", "right = 5", "t.toml:13: GPIO line 5 is taken by seat 2 left button (line 13 of the file)"),
        ("led = 19", "led = 22", "t.toml:14: GPIO line 22 is taken by seat 1 LED (line 7 of the file)"),
        ("line = 18", "line = 19", "t.toml:23: GPIO line 19 is taken by seat 2 LED (line 14 of the file)"),
        ("ok = 6", "ok = 2", "t.toml:13: GPIO line 2 is taken by SDA of I²C bus 1 (line 8 of the file)"),
        ("led = 22", "led = 3", "t.toml:7: GPIO line 3 is taken by SCL of I²C bus 1 (line 8 of the file)"),
    ],
)
def test_two_uses_of_one_line_are_refused(old: str, new: str, words: str) -> None:
    assert changed(old, new) == f"{words}; expected a line of its own"


def test_lines_of_the_main_bus_are_free_when_no_display_is_on_it() -> None:
    text = TABLE.replace("bus = 1", "bus = 11").replace("led = 22", "led = 2").replace("led = 19", "led = 3")
    assert [seat.led for seat in parsed(text).seats] == [2, 3]


def test_lines_of_a_further_bus_are_taken_by_it() -> None:
    bus = "\n[[bus]]\nnumber = 3\nsda = 22\nscl = 24\n"
    assert complaint(TABLE + bus).startswith("t.toml:7: GPIO line 22 is taken by SDA of I²C bus 3 (line 27 of")


def test_two_further_buses_of_one_number_are_refused() -> None:
    buses = "\n[[bus]]\nnumber = 3\nsda = 23\nscl = 24\n" + "[[bus]]\nnumber = 3\nsda = 25\nscl = 26\n"
    assert complaint(TABLE + buses).startswith("t.toml:30: bus 3 is taken by another [[bus]]")


def test_the_main_bus_cannot_be_given_other_lines() -> None:
    bus = "\n[[bus]]\nnumber = 1\nsda = 23\nscl = 24\n"
    assert complaint(TABLE + bus).startswith("t.toml:26: number is 1; expected")


@pytest.mark.parametrize("port", ["/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0"])
def test_a_reader_on_the_headers_own_port_takes_its_two_lines(port: str) -> None:
    text = TABLE.replace("/dev/serial/by-path/pad", port)
    assert len(parsed(text).seats) == 2
    for line, signal in ((14, "TXD"), (15, "RXD")):
        words = complaint(text.replace("line = 18", f"line = {line}"))
        assert words.startswith(f"t.toml:23: GPIO line {line} is taken by {signal} of {port} (line 20 of the file)")


def test_lines_14_and_15_are_free_when_no_reader_is_on_the_headers_port() -> None:
    text = TABLE.replace("led = 22", "led = 14").replace("led = 19", "led = 15")
    assert [seat.led for seat in parsed(text).seats] == [14, 15]


def test_a_display_is_an_upright_ssd1306_of_128_by_64_unless_the_file_says_more() -> None:
    one, other = parsed(TABLE.replace("0x3D }", '0x3D, size = "128x32", rotate = 180 }')).seats
    assert one.display is not None
    assert other.display is not None
    assert one.display.panel == Panel(Controller.SSD1306, 64, 0)
    assert other.display.panel == Panel(Controller.SSD1306, 32, 180)
    sh1106 = parsed(TABLE.replace("0x3D }", '0x3D, controller = "sh1106" }')).seats[1].display
    assert sh1106 is not None
    assert sh1106.panel == Panel(Controller.SH1106, 64, 0)


def test_an_sh1106_has_sixty_four_lines() -> None:
    words = complaint(TABLE.replace("0x3D }", '0x3D, controller = "sh1106", size = "128x32" }'))
    assert words.endswith('size is "128x32" with an sh1106; expected "128x64", or an ssd1306')


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ('controller = "ssd1309"', 'controller is "ssd1309"; expected "ssd1306" or "sh1106"'),
        ('size = "64x48"', 'size is "64x48"; expected "128x64" or "128x32"'),
        ("rotate = 90", "rotate is 90; expected 0 or 180"),
        ("rotate = true", "rotate is true; expected 0 or 180"),
        (
            "width = 128",
            'unknown key "width"; expected a table with bus and address and perhaps controller, size, rotate',
        ),
    ],
)
def test_a_kind_of_display_that_is_not_known_is_refused(key: str, words: str) -> None:
    assert complaint(TABLE.replace("0x3D }", f"0x3D, {key} }}")) == f"t.toml:15: {words}"


def test_two_displays_at_one_address_of_one_bus_are_refused() -> None:
    assert changed("0x3D", "0x3C") == (
        "t.toml:15: address 0x3C on bus 1 is taken by seat 1 display (line 8 of the file); "
        "expected the other address, or another bus"
    )


def test_one_address_on_two_buses_is_no_clash() -> None:
    assert len(parsed(TABLE.replace("bus = 1, address = 0x3D", "bus = 3, address = 0x3C")).seats) == 2


@pytest.mark.parametrize("address", ["0x3E", "0x78", "0"])
def test_an_address_that_no_display_has_is_refused(address: str) -> None:
    words = f"t.toml:15: address is 0x{int(address, 0):02X}; expected 0x3C or 0x3D"
    assert changed("0x3D", address) == words


def test_two_readers_on_one_port_are_refused() -> None:
    assert changed("by-path/pad", "by-path/two") == (
        "t.toml:20: serial port /dev/serial/by-path/two is taken by another reader (line 16 of the file); "
        "expected a port for each reader"
    )


def test_two_names_of_one_port_are_found_out(tmp_path: Path) -> None:
    device, link = tmp_path / "device", tmp_path / "link"
    device.touch()
    link.symlink_to(device)
    text = TABLE.replace("/dev/serial/by-path/one", str(device)).replace("/dev/serial/by-path/pad", str(link))
    assert complaint(text).startswith(f"t.toml:20: serial port {link} is taken by another reader (line 9")


def test_the_headers_port_has_two_names_and_takes_one_reader() -> None:
    text = TABLE.replace("by-path/one", "x").replace("/dev/serial/x", "/dev/serial0")
    words = complaint(text.replace("/dev/serial/by-path/pad", "/dev/ttyAMA0"))
    assert words.startswith("t.toml:20: serial port /dev/ttyAMA0 is taken by another reader (line 9")


@pytest.mark.parametrize("port", ["/dev/ttyUSB0", "/dev/ttyUSB12", "/dev/ttyACM0"])
def test_a_port_name_that_moves_at_restart_is_refused(port: str) -> None:
    assert changed("/dev/serial/by-path/two", port) == (
        f"t.toml:16: {port} can be another device after a restart; expected its name under /dev/serial/by-path"
    )


@pytest.mark.parametrize("port", ["", "ttyUSB0", "COM3", "by-path/two", "/dev/x\\u0000"])
def test_a_port_that_is_no_path_is_refused(port: str) -> None:
    assert changed("/dev/serial/by-path/two", port).startswith("t.toml:16: port is ")


def test_two_readers_of_one_role_are_refused() -> None:
    second = '\n[[reader]]\nrole = "dealing"\nport = "/dev/serial/by-path/pad-2"\n'
    assert complaint(TABLE + second).startswith('t.toml:26: role "dealing" is taken by another reader (line 19')


def test_a_dealing_pad_and_a_centre_reader_go_together() -> None:
    second = '\n[[reader]]\nrole = "centre"\nport = "/dev/serial/by-path/centre"\n'
    assert [reader.name for reader in parsed(TABLE + second).readers()][2:] == ["dealing reader", "centre reader"]


# Lines on further chips

CHIP = '\n[[chip]]\nname = "mcp"\nlabel = "mcp23017"\nlines = 16\n'


def with_chip(*changes: tuple[str, str], chip: str = CHIP) -> str:
    text = TABLE + chip
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def test_a_line_may_lie_on_a_further_chip() -> None:
    table = parsed(with_chip(("led = 22", 'led = "mcp.0"'), ("line = 18", 'line = "mcp.15"')))
    assert table.seats[0].led == "mcp.0"
    assert table.buzzer == BuzzerWiring("mcp.15")
    assert table.chips == (ChipWiring("mcp", "mcp23017", 16, bus=1, address=0x20, interrupt=None),)


def test_a_line_on_a_chip_that_is_not_in_the_file_is_refused() -> None:
    assert changed("led = 22", 'led = "mcp.0"') == (
        't.toml:7: "mcp.0" is on no chip of the file; expected a [[chip]] of that name'
    )


def test_a_line_beyond_the_end_of_its_chip_is_refused() -> None:
    assert complaint(with_chip(("led = 22", 'led = "mcp.16"'))) == (
        "t.toml:7: mcp.16 does not exist; expected mcp.0 to mcp.15"
    )


@pytest.mark.parametrize("line", [7, 15])
def test_the_two_lines_of_an_mcp23017_that_are_no_inputs_take_no_button(line: int) -> None:
    assert complaint(with_chip(("ok = 6", f'ok = "mcp.{line}"'))) == (
        f"t.toml:13: line mcp.{line} of an mcp23017 can be an output only; expected another line for a button"
    )
    assert parsed(with_chip(("led = 22", f'led = "mcp.{line}"'))).seats[0].led == f"mcp.{line}"
    other = CHIP.replace("mcp23017", "pcf8575")
    assert len(parsed(with_chip(("ok = 6", f'ok = "mcp.{line}"'), chip=other)).seats) == 2


def test_two_uses_of_a_line_of_a_chip_are_refused() -> None:
    text = with_chip(("led = 22", 'led = "mcp.3"'), ("led = 19", 'led = "mcp.3"'))
    assert complaint(text) == (
        "t.toml:14: line mcp.3 is taken by seat 1 LED (line 7 of the file); expected a line of its own"
    )


def test_one_number_on_two_chips_is_no_clash() -> None:
    assert parsed(with_chip(("led = 22", 'led = "mcp.17"'), ("lines = 16", "lines = 18"))).seats[0].buttons.ok == 17


@pytest.mark.parametrize("line", ['"mcp"', '"mcp."', '"MCP.1"', '"mcp.-1"', '"17"', "17.0", "true", '"mcp.123"'])
def test_what_is_no_line_is_refused(line: str) -> None:
    assert complaint(with_chip(("led = 22", f"led = {line}"))).endswith(
        'expected the BCM number of a line, 2 to 27, or a line of a [[chip]], such as "mcp.5"'
    )


def test_the_interrupt_of_a_chip_takes_a_line_of_the_header() -> None:
    text = TABLE + CHIP + "interrupt = 22\n"
    assert complaint(text).startswith("t.toml:7: GPIO line 22 is taken by interrupt of chip mcp (line 29 of the file)")


def test_a_chip_on_the_main_bus_takes_its_two_lines() -> None:
    text = with_chip(("led = 22", "led = 2")).replace("bus = 1", "bus = 11")
    assert complaint(text).startswith("t.toml:7: GPIO line 2 is taken by SDA of I²C bus 1 (line 25 of the file)")


@pytest.mark.parametrize(
    ("second", "words"),
    [
        (CHIP.replace("23017", "23018"), "t.toml:31: name mcp is taken by another chip (line 26"),
        (CHIP.replace('"mcp"', '"other"'), "t.toml:30: address 0x20 on bus 1 is taken by chip mcp (line 25"),
        (
            CHIP.replace('"mcp"', '"other"').replace("23017", "23018"),
            "t.toml:30: address 0x20 on bus 1 is taken by chip mcp (line 25",
        ),
    ],
)
def test_two_chips_need_two_names_and_addresses(second: str, words: str) -> None:
    assert complaint(TABLE + CHIP + second).startswith(words)


@pytest.mark.parametrize("apart", ["address = 0x21", "bus = 11"])
def test_two_chips_may_have_one_label_where_they_are_at_two_places(apart: str) -> None:
    wiring = parsed(TABLE + CHIP + CHIP.replace('"mcp"', '"other"') + apart + "\n")
    assert [(chip.name, chip.label) for chip in wiring.chips] == [("mcp", "mcp23017"), ("other", "mcp23017")]


def seats_of(count: int) -> str:
    """Seats with three buttons and an LED each, from the header's lines and then from those of a chip."""
    lines = [str(line) for line in range(4, 28)] + [f'"mcp.{line}"' for line in range(16)]
    text = ""
    for seat in range(count):
        left, ok, right, led = lines[4 * seat : 4 * seat + 4]
        text += (
            f"[[seat]]\nnumber = {seat + 1}\nbuttons = {{ left = {left}, ok = {ok}, right = {right} }}\nled = {led}\n"
        )
    return text


def test_six_seats_with_leds_and_two_buses_need_a_chip() -> None:
    """Twenty-six lines would do for six seats with nothing else, but not with a buzzer and a serial port beside."""
    text = seats_of(6) + '[buzzer]\nline = 2\n[[reader]]\nrole = "centre"\nport = "/dev/serial0"\n'
    assert complaint(text).endswith(
        "27 lines are used and the header has 26: 1 is missing; expected fewer, or a [[chip]] with more lines"
    )


def test_eight_seats_are_too_many_for_the_header_and_not_with_a_chip() -> None:
    eight = seats_of(8)
    without = eight.replace('"mcp.', "1").replace('"', "")
    assert "32 lines are used and the header has 26: 6 are missing" in complaint(without)
    table = parsed(eight + CHIP)
    assert count_lines(table) == LineCount(there=42, used=34)  # with the two of the chip's own bus


def test_with_a_chip_too_the_lines_can_be_too_few() -> None:
    text = seats_of(8) + CHIP.replace("16", "4")
    assert "34 lines are used and the header and the chips have 30: 4 are missing" in complaint(text)


# Multiplexers

MUX = "\n[[mux]]\naddress = 0x70\nchannels = [11, 12, 13]\n"


def test_each_channel_of_a_multiplexer_is_a_bus() -> None:
    text = TABLE.replace("bus = 1, address = 0x3C", "bus = 11, address = 0x3C")
    text = text.replace("bus = 1, address = 0x3D", "bus = 12, address = 0x3C")
    assert parsed(text + MUX).muxes == (MuxWiring((11, 12, 13), bus=1, address=0x70),)


def test_a_multiplexer_on_the_main_bus_takes_its_two_lines() -> None:
    text = TABLE.replace("bus = 1", "bus = 11").replace("led = 22", "led = 3") + MUX
    assert complaint(text).startswith("t.toml:7: GPIO line 3 is taken by SCL of I²C bus 1 (line 25 of the file)")


def test_a_display_behind_a_multiplexer_and_one_beside_it_cannot_have_one_address() -> None:
    """An open channel lets both through: what is written to one reaches the other."""
    text = TABLE.replace("bus = 1, address = 0x3D", "bus = 11, address = 0x3C") + MUX
    assert complaint(text) == (
        "t.toml:15: address 0x3C behind a multiplexer is that of seat 1 display on bus 1 too (line 8 of the file); "
        "expected another address there"
    )


def test_other_addresses_beside_a_multiplexer_are_no_clash() -> None:
    text = TABLE.replace("bus = 1, address = 0x3D", "bus = 11, address = 0x3D") + MUX
    assert len(parsed(text).muxes) == 1


@pytest.mark.parametrize(
    ("channels", "words"),
    [
        ("[11, 11]", "t.toml:27: bus 11 is taken by another bus (line 27"),
        ("[3]", "t.toml:27: bus 3 is taken by another [[bus]] (line 30"),
        ("[1]", "t.toml:27: channels is 1; expected the numbers of one to eight buses"),
        ("[]", "t.toml:27: channels is an empty array; expected"),
        ("[2, 3, 4, 5, 6, 7, 8, 9, 10]", "t.toml:27: channels is an array; expected"),
    ],
)
def test_channels_are_buses_of_their_own(channels: str, words: str) -> None:
    bus = "\n[[bus]]\nnumber = 3\nsda = 23\nscl = 24\n"
    assert complaint(TABLE + MUX.replace("[11, 12, 13]", channels) + bus).startswith(words)


def test_a_multiplexer_and_a_chip_at_one_address_are_refused() -> None:
    assert complaint(TABLE + CHIP + MUX.replace("0x70", "0x20")).startswith(
        "t.toml:31: address 0x20 on bus 1 is taken by chip mcp (line 25 of the file)"
    )


# Buzzer and strip


def test_a_passive_buzzer_has_a_tone() -> None:
    assert parsed(TABLE.replace("line = 18", "line = 18\ntone = 2400")).buzzer == BuzzerWiring(18, 2400)
    assert changed("line = 18", "line = 18\ntone = 20").startswith("t.toml:24: tone is 20; expected a frequency")


def test_a_tone_cannot_be_made_over_a_bus() -> None:
    assert complaint(with_chip(("line = 18", 'line = "mcp.1"\ntone = 2400'))) == (
        "t.toml:24: tone on line mcp.1: a chip on a bus is too slow for a tone; "
        "expected a line of the header, or an active buzzer"
    )


def test_a_strip_takes_the_lines_of_its_port() -> None:
    assert parsed(TABLE + "[strip]\nleds = 4\n").strip == StripWiring(4, "/dev/spidev0.0", 8, two_wires=False)
    for line, signal in ((7, "CE1"), (8, "CE0"), (9, "MISO"), (10, "MOSI"), (11, "SCLK")):
        words = complaint(TABLE.replace("led = 22", f"led = {line}") + "[strip]\nleds = 4\n")
        assert words.startswith(f"t.toml:7: GPIO line {line} is taken by {signal} of /dev/spidev0.0 (line 24")
    text = TABLE.replace("led = 22", "led = 9").replace("led = 19", "led = 8")
    assert parsed(text + "[strip]\nleds = 4\ntwo_wires = true\n").seats[0].led == 9


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("leds = 5", "t.toml:25: 5 LEDs do not go round 2 seats; expected a multiple of 2"),
        ("leds = 0", "t.toml:25: leds is 0; expected how many LEDs the strip has"),
        ("leds = 4\nbrightness = 32", "t.toml:26: brightness is 32; expected 1 to 31"),
        ('leds = 4\nport = "/dev/spidev1.0"', 't.toml:26: port is "/dev/spidev1.0"; expected /dev/spidev0.0 or'),
        ("led = 4", 't.toml:25: unknown key "led"; expected a [strip] table with leds'),
    ],
)
def test_a_strip_that_cannot_be_is_refused(keys: str, words: str) -> None:
    assert complaint(f"{TABLE}[strip]\n{keys}\n").startswith(words)


# What cannot be there


@pytest.mark.parametrize(
    ("added", "words"),
    [
        ("[[mux]]\nbus = 10\nchannels = [10, 11]\n", "bus 10 is reached through the multiplexer itself; expected"),
        (
            "[[mux]]\nbus = 11\nchannels = [10]\n[[mux]]\nbus = 10\nchannels = [11]\n",
            "bus 11 is reached through the multiplexer itself; expected",
        ),
        ('[[chip]]\nname = "x"\nlabel = "pinctrl-rp1"\nlines = 16\n', "label pinctrl-rp1 is that of the header itself"),
        ("[[mux]]\nbus = 10000000000000000000000\nchannels = [10]\n", "bus is 10000000000000000000000; expected"),
        ("[[mux]]\nbus = 1000\nchannels = [10]\n", "bus is 1000; expected"),
    ],
)
def test_a_bus_or_a_chip_that_cannot_be_is_refused(added: str, words: str) -> None:
    said = complaint(TABLE + added)
    assert words in said
    assert "expected" in said


@pytest.mark.parametrize(
    ("reader", "words"),
    [
        ('"/dev/../dev/ttyUSB0"', "can be another device after a restart; expected its name"),
        ('"//dev/./ttyACM1"', "can be another device after a restart; expected its name"),
        ('"/dev/../dev/serial0"', "expected it as /dev/serial0"),
        ('{ kind = "keyboard", port = "/dev/serial0" }', "port of a keyboard is "),
        (
            '{ kind = "pn532", port = "/dev/serial/../ttyUSB0" }',
            "can be another device after a restart; expected its name",
        ),
    ],
)
def test_a_port_that_only_looks_like_another_is_refused(reader: str, words: str) -> None:
    text = "[[seat]]\nnumber = 1\nbuttons = { left = 5, ok = 6, right = 13 }\nreader = " + reader + "\n"
    said = complaint(text)
    assert said.startswith("t.toml:4: ")
    assert words in said
