"""Readers in a table file: what a table gives, and the one line that says what is wrong with it."""

from pathlib import Path

import pytest

from hal.errors import WiringError
from hal.reader_kinds import ReaderKind
from hal.reader_wiring import port_problem
from hal.toml_lines import TomlFile
from hal.wiring import CommonRole, ReaderPlace, Wiring, wiring_of

TABLE = """\
[[seat]]
number = 1
buttons = { left = 4, ok = 17, right = 27 }
reader = "/dev/serial/by-path/one"

[[seat]]
number = 2
buttons = { left = 5, ok = 6, right = 13 }
reader = { kind = "rdm6300", port = "/dev/serial/by-path/two", settle = 0.1, release = 0.5 }

[[reader]]
role = "dealing"
port = "/dev/serial/by-path/pad"
reset = 12
apart = true

[[reader]]
role = "centre"
kind = "keyboard"
port = "/dev/input/by-path/kbd"
grab = false
"""


def parsed(text: str) -> Wiring:
    return wiring_of(TomlFile("t.toml", text))


def changed(old: str, new: str) -> str:
    assert TABLE.count(old) == 1
    with pytest.raises(WiringError) as caught:
        parsed(TABLE.replace(old, new))
    words = str(caught.value)
    assert "\n" not in words
    assert "; expected " in words
    return words


def test_a_reader_is_given_by_its_port_alone_or_by_a_table() -> None:
    assert list(parsed(TABLE).readers()) == [
        ReaderPlace("seat 1 reader", "/dev/serial/by-path/one", seat=1),
        ReaderPlace(
            "seat 2 reader", "/dev/serial/by-path/two", seat=2, kind=ReaderKind.RDM6300, settle=0.1, release=0.5
        ),
        ReaderPlace("dealing reader", "/dev/serial/by-path/pad", role=CommonRole.DEALING, reset=12, apart=True),
        ReaderPlace(
            "centre reader", "/dev/input/by-path/kbd", role=CommonRole.CENTRE, kind=ReaderKind.KEYBOARD, grab=False
        ),
    ]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('kind = "rdm6300"', 'kind = "rdm630"', 't.toml:9: kind is "rdm630"; expected "pn532", "rdm6300", "id12la"'),
        ("settle = 0.1", "setle = 0.1", 't.toml:9: unknown key "setle"; expected'),
        ("settle = 0.1", 'settle = "0.1"', 't.toml:9: settle is "0.1"; expected seconds from 0 to 10'),
        ("release = 0.5", "release = -1", "t.toml:9: release is -1; expected seconds from 0 to 10"),
        ("release = 0.5", "release = 11", "t.toml:9: release is 11; expected seconds"),
        ('port = "/dev/serial/by-path/two", ', "", 't.toml:9: "port" is missing; expected the path of a serial port'),
        ("reset = 12", "reset = 1", "t.toml:14: reset is 1; expected the BCM number of the line on the chip's RSTPDN"),
        ("reset = 12", "reset = 17", "t.toml:14: GPIO line 17 is taken by seat 1 ok button (line 3 of the file)"),
        ("apart = true", "apart = 1", "t.toml:15: apart is 1; expected true or false"),
        (
            'kind = "rdm6300", port',
            'kind = "rdm6300", reset = 16, port',
            "t.toml:9: a reader of kind rdm6300 has no reset pin; expected none here",
        ),
        ('"keyboard"', '"id12la"', "t.toml:21: a reader of kind id12la types nothing; expected no grab here"),
        ("grab = false", "settle = 0.2", "t.toml:21: a reader of kind keyboard tells a card once and cannot watch it"),
        (
            "/dev/input/by-path/kbd",
            "/dev/input/event3",
            "t.toml:20: /dev/input/event3 can be another device after a restart; expected its name under /dev/input/b",
        ),
        ("/dev/serial/by-path/two", "/dev/ttyUSB0", "t.toml:9: /dev/ttyUSB0 can be another device after a restart"),
        ("by-path/two", "by-path/pad", "t.toml:13: serial port /dev/serial/by-path/pad is taken by another reader (l"),
        ("/dev/serial/by-path/two", "two", 't.toml:9: port is "two"; expected a path'),
    ],
)
def test_what_does_not_fit_is_named_with_its_line(old: str, new: str, words: str) -> None:
    assert changed(old, new).startswith(words)


# Names of devices


class Links:
    """A folder like /dev/serial, with names that lead to devices."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "by-id").mkdir()
        (folder / "by-path").mkdir()

    def link(self, name: str, device: str) -> str:
        (self.folder / device).touch()
        (self.folder / name).symlink_to(self.folder / device)
        return str(self.folder / name)


@pytest.fixture
def links(tmp_path: Path) -> Links:
    return Links(tmp_path)


def test_a_name_by_id_will_do_where_every_device_has_one(links: Links) -> None:
    links.link("by-path/platform-usb-0:1.1", "ttyUSB0")
    links.link("by-path/platform-usbv2-0:1.1", "ttyUSB0")
    links.link("by-path/platform-usb-0:1.2", "ttyUSB1")
    links.link("by-id/usb-FTDI_A10K", "ttyUSB0")
    port = links.link("by-id/usb-FTDI_B20L", "ttyUSB1")
    assert port_problem(port) is None


def test_a_name_by_id_is_refused_where_twins_share_it(links: Links) -> None:
    links.link("by-path/platform-usb-0:1.1", "ttyUSB0")
    links.link("by-path/platform-usb-0:1.2", "ttyUSB1")
    port = links.link("by-id/usb-1a86_USB_Serial", "ttyUSB1")
    problem = port_problem(port)
    assert problem is not None
    assert problem.startswith(f"{port} may mean more than one device: {links.folder}/ttyUSB0 has no such name")
    assert problem.endswith(f"expected its name under {links.folder}/by-path")


def test_a_name_by_path_will_do_also_for_twins(links: Links) -> None:
    links.link("by-id/usb-1a86_USB_Serial", "ttyUSB1")
    links.link("by-path/platform-usb-0:1.1", "ttyUSB0")
    assert port_problem(links.link("by-path/platform-usb-0:1.2", "ttyUSB1")) is None


def test_mice_and_other_devices_are_no_twins_of_a_keyboard(links: Links) -> None:
    links.link("by-path/platform-usb-0:1.1-event-mouse", "event0")
    links.link("by-path/platform-usb-0:1.2-event-kbd", "event1")
    assert port_problem(links.link("by-id/usb-Sycreader-event-kbd", "event1")) is None


def test_twin_keyboards_are_found_out(links: Links) -> None:
    links.link("by-path/platform-usb-0:1.1-event-kbd", "event0")
    links.link("by-path/platform-usb-0:1.2-event-kbd", "event1")
    assert "more than one device" in (port_problem(links.link("by-id/usb-Sycreader-event-kbd", "event1")) or "")


def test_a_device_that_is_not_there_yet_is_no_problem(tmp_path: Path) -> None:
    assert port_problem(str(tmp_path / "by-id" / "usb-FTDI_A10K")) is None


def test_two_paths_to_one_device_refuse_to_start(links: Links) -> None:
    one = links.link("by-path/platform-usb-0:1.1", "ttyUSB0")
    two = links.link("by-id/usb-FTDI_A10K", "ttyUSB0")
    text = TABLE.replace("/dev/serial/by-path/one", one).replace("/dev/serial/by-path/two", two)
    with pytest.raises(WiringError, match="is taken by another reader"):
        parsed(text)
