"""The pins that a builder solders to, and the lines of config.txt that go with them."""

import pytest

from hal.header import HEADER_PINS, PinKind, address_levels, bus_pins, chip_pins
from hal.lines import HEADER_LINES, LinePlace, place_of
from hal.overlays import config_lines
from hal.wiring import (
    BusWiring,
    ButtonLines,
    ChipWiring,
    DisplayPlace,
    MuxWiring,
    SeatWiring,
    StripWiring,
    Wiring,
)

SEAT = SeatWiring(1, ButtonLines(4, 17, 27), display=DisplayPlace(1, 0x3C))


@pytest.mark.parametrize(
    ("pin", "line"),
    [
        (3, 2),
        (5, 3),
        (7, 4),
        (8, 14),
        (10, 15),
        (11, 17),
        (12, 18),
        (13, 27),
        (15, 22),
        (16, 23),
        (18, 24),
        (19, 10),
        (21, 9),
        (22, 25),
        (23, 11),
        (24, 8),
        (26, 7),
        (29, 5),
        (31, 6),
        (32, 12),
        (33, 13),
        (35, 19),
        (36, 16),
        (37, 26),
        (38, 20),
        (40, 21),
    ],
)
def test_each_line_is_at_its_pin(pin: int, line: int) -> None:
    assert HEADER_PINS[pin - 1].number == pin
    assert HEADER_PINS[pin - 1].place == LinePlace("", line)


def test_the_header_has_forty_pins_and_every_line_once() -> None:
    assert [pin.number for pin in HEADER_PINS] == list(range(1, 41))
    assert sorted(pin.place.number for pin in HEADER_PINS if pin.place is not None) == list(HEADER_LINES)


def test_the_supply_and_the_ground_are_where_they_do_no_harm() -> None:
    assert {pin.number: pin.name for pin in HEADER_PINS if pin.kind is PinKind.SUPPLY} == {
        1: "3V3",
        2: "5V",
        4: "5V",
        17: "3V3",
    }
    assert [pin.number for pin in HEADER_PINS if pin.kind is PinKind.GROUND] == [6, 9, 14, 20, 25, 30, 34, 39]


def test_an_mcp23017_has_its_lines_at_its_pins() -> None:
    pins = chip_pins(ChipWiring("mcp", "mcp23017", 16))
    assert [pin.number for pin in pins] == list(range(1, 29))
    lines = {pin.place.number: (pin.number, pin.name) for pin in pins if pin.place is not None}
    assert lines[0] == (21, "GPA0")
    assert lines[7] == (28, "GPA7")
    assert lines[8] == (1, "GPB0")
    assert lines[15] == (8, "GPB7")
    assert (pins[8].name, pins[9].name, pins[11].name, pins[12].name) == ("VDD", "VSS", "SCL", "SDA")


def test_a_chip_that_is_not_known_has_no_pins() -> None:
    assert chip_pins(ChipWiring("other", "pcf8575", 16)) == ()


@pytest.mark.parametrize(
    ("address", "levels"), [(0x20, (False, False, False)), (0x21, (True, False, False)), (0x26, (False, True, True))]
)
def test_the_address_pins_make_the_address(address: int, levels: tuple[bool, bool, bool]) -> None:
    found = address_levels(ChipWiring("mcp", "mcp23017", 16, address=address))
    assert (found["A0"], found["A1"], found["A2"]) == levels


def test_a_bus_is_at_the_pins_of_its_lines() -> None:
    wiring = Wiring((SEAT,), buses=(BusWiring(3, 23, 24),))
    assert bus_pins(1, wiring) == {"SDA": 3, "SCL": 5}
    assert bus_pins(3, wiring) == {"SDA": 16, "SCL": 18}
    assert bus_pins(11, wiring) == {}


def test_a_line_is_a_number_or_a_chip_with_a_number() -> None:
    assert place_of(17) == LinePlace("", 17)
    assert place_of("mcp-2.5") == LinePlace("mcp-2", 5)
    assert [str(place_of(line)) for line in (17, "mcp.5")] == ["17", "mcp.5"]


# config.txt


def test_config_txt_says_what_the_table_needs() -> None:
    seats = (
        SeatWiring(1, ButtonLines(4, 17, 27), display=DisplayPlace(11, 0x3C)),
        SeatWiring(2, ButtonLines("mcp.0", "mcp.1", "mcp.2"), reader="/dev/serial0"),
    )
    chips = (ChipWiring("mcp", "mcp23017", 16, address=0x21, interrupt=26),)
    wiring = Wiring(
        seats,
        buses=(BusWiring(3, 23, 24),),
        chips=chips,
        muxes=(MuxWiring((11, 12)),),
        strip=StripWiring(4, two_wires=True),
    )
    assert list(config_lines(wiring)) == [
        "dtparam=i2c_arm=on,i2c_arm_baudrate=400000",
        "dtoverlay=i2c-gpio,bus=3,i2c_gpio_sda=23,i2c_gpio_scl=24",
        "dtoverlay=i2c-mux,pca9548,addr=0x70",
        "dtoverlay=mcp23017,addr=0x21,gpiopin=26",
        "enable_uart=1",
        "dtparam=spi=on",
        "dtoverlay=spi0-0cs,no_miso",
    ]


@pytest.mark.parametrize(
    ("port", "lines"),
    [
        ("/dev/ttyAMA0", ["dtparam=uart0=on"]),
        ("/dev/serial0", ["enable_uart=1"]),
        ("/dev/ttyS0", ["enable_uart=1"]),
        ("/dev/serial/by-path/x", []),
    ],
)
def test_the_headers_serial_port_is_switched_on_by_the_line_of_its_name(port: str, lines: list[str]) -> None:
    assert list(config_lines(Wiring((SeatWiring(1, ButtonLines(4, 17, 27), reader=port),)))) == lines


def test_a_chip_without_interrupt_must_not_take_line_4() -> None:
    """The overlay takes GPIO line 4 for it when it is told nothing."""
    wiring = Wiring((SEAT,), chips=(ChipWiring("mcp", "mcp23017", 16),))
    assert list(config_lines(wiring))[-1] == "dtoverlay=mcp23017,addr=0x20,noints"


def test_buttons_alone_need_nothing() -> None:
    assert list(config_lines(Wiring((SeatWiring(1, ButtonLines(4, 17, 27)),)))) == []
