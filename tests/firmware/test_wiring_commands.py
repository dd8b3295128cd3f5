"""What a builder sees of a table file: whether it fits, and a picture of what goes where."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from firmware.command import main
from firmware.table_option import example
from firmware.wiring_picture import picture
from firmware.wiring_words import WiringWords
from firmware.words import LANGUAGES
from hal.wiring import ButtonLines, BuzzerWiring, ChipWiring, DisplayPlace, SeatWiring, StripWiring, Wiring

EXAMPLES = ["two-seats.toml", "centre-reader.toml", "four-seats.toml", "six-seats.toml"]
SEAT = "[[seat]]\nnumber = 1\nbuttons = { left = 4, ok = 17, right = 27 }\n"


def tableref(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def shown(name: str, *options: str) -> list[str]:
    result = tableref("wiring", "show", str(example(name)), *options)
    assert result.exit_code == 0, result.output
    return result.output.splitlines()


# check


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_fit(name: str) -> None:
    result = tableref("wiring", "check", str(example(name)))
    assert result.exit_code == 0
    assert "the wiring fits" in result.output
    assert len(result.output.splitlines()) == 1


def test_what_does_not_fit_is_one_line_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(SEAT + "led = 17\n", encoding="utf-8")
    for command in (("wiring", "check"), ("wiring", "show"), ("doctor",), ("bind",)):
        result = tableref(*command, str(path))
        assert result.exit_code == 2
        assert result.stdout == ""
        assert result.stderr == (
            f"{path}:4: GPIO line 17 is taken by seat 1 ok button (line 3 of the file); expected a line of its own\n"
        )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    result = tableref("wiring", "check", str(tmp_path / "no.toml"))
    assert result.exit_code == 2
    assert result.stderr.endswith("no.toml: No such file or directory; expected a table file\n")


def test_lines_that_are_missing_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    lines = [*range(4, 28), *range(2, 10)]
    text = ""
    for seat in range(8):
        left, ok, right, led = lines[4 * seat : 4 * seat + 4]
        text += (
            f"[[seat]]\nnumber = {seat + 1}\nbuttons = {{ left = {left}, ok = {ok}, right = {right} }}\nled = {led}\n"
        )
    path.write_text(text, encoding="utf-8")
    result = tableref("wiring", "check", str(path))
    assert "32 lines are used and the header has 26: 6 are missing" in result.stderr


def test_the_language_of_the_table_file_is_spoken(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('[table]\nlanguage = "ru"\n' + SEAT, encoding="utf-8")
    assert "проводка сходится" in tableref("wiring", "check", str(path)).output
    assert "the wiring fits" in tableref("wiring", "check", str(path), "--lang", "en").output


# show


def test_the_header_shows_each_pin_with_what_goes_there() -> None:
    lines = shown("four-seats.toml")
    rows = [line for line in lines if re.search(r"│ +\d+ . +. \d+ +│", line)]
    assert len(rows) == 20
    assert re.fullmatch(r" +3V3 │  1 \+  \+ 2  │ 5V", rows[0])
    assert re.fullmatch(r" *I²C 1 SDA +GPIO2 │  3 ●  \+ 4  │ 5V", rows[1])
    assert re.fullmatch(r" *seat 1 OK +GPIO17 │ 11 ●  ● 12 │ GPIO18  buzzer", rows[5])
    assert re.fullmatch(r" +GPIO10 │ 19 ○  − 20 │ GND", rows[9])
    assert re.fullmatch(r" +GND │ 39 −  ● 40 │ GPIO21  seat 3 OK", rows[19])
    assert "26 lines, 21 used, 5 free. Free on the header: 9 10 11 14 15" in lines


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_drawing_is_straight_and_fits_a_terminal(name: str, language: str) -> None:
    lines = shown(name, "--lang", language)
    drawn = [line for line in lines if "│" in line]
    for part in (drawn[:20], drawn[20:]):
        assert len({line.index("│") for line in part}) <= 1
        assert len({line.rindex("│") for line in part}) <= 1
    assert max(map(len, lines)) <= 120
    assert max((len(line) for line in drawn), default=0) <= 80
    assert not any("{" in line or line != line.rstrip() for line in lines)


def test_every_use_is_drawn_once() -> None:
    text = "\n".join(shown("six-seats.toml"))
    for seat in range(1, 7):
        for what in ("◀", "OK", "▶", "LED"):
            assert len(re.findall(rf"seat {seat} {what}(?!\w)", text)) == 1


def test_a_further_chip_is_drawn_with_what_its_own_pins_need() -> None:
    text = "\n".join(shown("six-seats.toml"))
    assert re.search(r"seat 6 ◀ +mcp.8 GPB0 │  1 ●  ● 28 │ mcp.7 GPA7 +seat 5 LED", text)
    assert re.search(r"3V3 +VDD │  9 \+  ● 20 │ INTA +GPIO26", text)
    assert re.search(r"GND +VSS │ 10 −", text)
    assert re.search(r"● 18 │ RESET +3V3", text)
    assert re.search(r"● 15 │ A0 +GND", text)


def test_the_buses_are_listed_with_what_answers_where() -> None:
    lines = shown("six-seats.toml")
    at = lines.index("I²C buses")
    assert lines[at + 1 : at + 5] == [
        "  bus 1: SDA at pin 3, SCL at pin 5",
        "    0x20  chip mcp",
        "    0x70  multiplexer",
        "  bus 11: channel 0 of the multiplexer at 0x70 (SD0, SC0)",
    ]


def test_the_lines_of_config_txt_are_told() -> None:
    lines = shown("six-seats.toml")
    assert "  dtoverlay=mcp23017,addr=0x20,gpiopin=26" in lines


@pytest.mark.parametrize(
    ("port", "said"),
    [
        (
            "/dev/serial0",
            ["  enable_uart=1", "  # on a Pi 5 the header’s port is /dev/ttyAMA0, with dtparam=uart0=on;"],
        ),
        (
            "/dev/ttyAMA0",
            ["  dtparam=uart0=on", "  # /dev/ttyAMA0 is the header’s on a Pi 5; up to a Pi 4 name /dev/serial0"],
        ),
    ],
)
def test_a_reader_at_the_header_is_told_the_line_of_its_model_and_of_the_other(
    tmp_path: Path, port: str, said: list[str]
) -> None:
    file = tmp_path / "table.toml"
    file.write_text(example("centre-reader.toml").read_text("utf-8").replace("/dev/serial0", port), encoding="utf-8")
    lines = tableref("wiring", "show", str(file)).output.splitlines()
    config = lines[lines.index("In config.txt") :]
    assert all(any(line.startswith(text) for line in config) for text in said)


def test_there_are_no_colours_where_nobody_sees_them() -> None:
    assert not any("\033" in line for line in shown("four-seats.toml"))
    coloured = shown("four-seats.toml", "--colour")
    assert any("\033" in line for line in coloured)
    plain = [re.sub(r"\033\[\d+m", "", line).rstrip() for line in coloured]
    assert plain == shown("four-seats.toml")


def test_a_chip_whose_pins_are_not_known_is_a_list_of_lines() -> None:
    wiring = Wiring(
        (SeatWiring(1, ButtonLines("x.0", "x.1", "x.2"), display=DisplayPlace(9, 0x3C)),),
        buzzer=BuzzerWiring(18, tone=2400),
        chips=(ChipWiring("x", "pcf8575", 4),),
        strip=StripWiring(3),
    )
    lines = picture(wiring, WiringWords())
    assert "    x.1  ●  seat 1 OK" in lines
    assert "    x.3  ○" in lines
    assert "  bus 9" in lines
    assert any("strip DI" in line for line in lines)
    assert any("SPI MISO, not connected" in line for line in lines)


def test_the_reset_line_of_a_reader_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        SEAT
        + 'reader = { port = "/dev/serial0", reset = 22 }\n[[reader]]\nrole = "dealing"\nport = "/dev/x"\nreset = 23\n',
        encoding="utf-8",
    )
    result = tableref("wiring", "show", str(path))
    assert re.search(r"seat 1 reader RSTPDN +GPIO22 │ 15 ●  ● 16 │ GPIO23  reader RSTPDN", result.output)
    assert "TXD → reader’s RXD" in result.output


def test_pins_and_supply_of_multiplexers_and_readers_are_told(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    readers = 'reader = { kind = "rdm6300", port = "/dev/x" }\n[[mux]]\nchannels = [11]\naddress = 0x73\n'
    path.write_text(SEAT + readers, encoding="utf-8")
    told = tableref("wiring", "show", str(path)).output
    assert "The multiplexer at 0x73: A0 3V3, A1 3V3, A2 GND" in told
    assert "An RDM6300: 5V" in told
    assert "PN532" not in told
    assert "channel 2 of the multiplexer at 0x70 (SD2, SC2)" in "\n".join(shown("six-seats.toml"))
    assert any("A PN532 is set to HSU" in line for line in shown("centre-reader.toml"))


# What is odd

ODD = """
[[chip]]
name = "mcp"
label = "expander"
lines = 16

[[seat]]
number = 2
buttons = { left = "mcp.0", ok = "mcp.1", right = "mcp.2" }
display = { bus = 14, address = 0x3C }

[[seat]]
number = 1
buttons = { left = 4, ok = 17, right = 27 }

[[mux]]
channels = [11, 12]
"""


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(ODD, encoding="utf-8")
    return path


def test_what_is_odd_is_noted_with_its_line_and_what_was_expected(odd: Path) -> None:
    result = tableref("wiring", "check", str(odd))
    assert result.exit_code == 0
    bus, mux, label, fits = result.output.splitlines()
    assert bus.startswith(f"note  {odd}:10: seat 2 display is on I²C bus 14, ")
    assert "expected one of 1, 11, 12" in bus
    assert mux.startswith(f"note  {odd}:17: nothing is behind the multiplexer at 0x70")
    assert label.startswith(f"note  {odd}:4: no driver in the kernel is known to give the label expander")
    assert "the wiring fits" in fits


def test_what_is_odd_is_seen_in_the_picture_and_by_the_doctor_too(odd: Path) -> None:
    lines = tableref("wiring", "show", str(odd)).output.splitlines()
    assert sum("expander" in line and str(odd) in line for line in lines) == 1
    told = tableref("doctor", "--simulated", str(odd)).output.splitlines()
    assert len([line for line in told if line.startswith("note") and f"{odd}:" in line]) == 3


def test_a_chip_whose_overlay_is_not_known_is_not_passed_over_in_silence(odd: Path) -> None:
    lines = tableref("wiring", "show", str(odd)).output.splitlines()
    config = lines[lines.index("In config.txt") :]
    assert "  # chip mcp (expander) on bus 1 at 0x20: its overlay is not known here" in config
    odd.write_text(ODD.replace("expander", "mcp23017").replace("[[mux]]", "[[mux]]\nbus = 3"), encoding="utf-8")
    lines = tableref("wiring", "show", str(odd)).output.splitlines()
    assert "  dtoverlay=mcp23017,addr=0x20,noints" in lines
    assert "  # multiplexer on bus 3 at 0x70: its overlay is not known here" in lines


@pytest.mark.parametrize("label", ["mcp23017", "pcf8575", "1-0020"])
def test_labels_that_drivers_give_are_not_noted(odd: Path, label: str) -> None:
    odd.write_text(ODD.replace("expander", label), encoding="utf-8")
    assert "the label" not in tableref("wiring", "check", str(odd)).output


@pytest.mark.parametrize("label", ["MCP23017", "mcp-23017"])
@pytest.mark.parametrize("command", [("wiring", "check"), ("wiring", "show"), ("doctor", "--simulated")])
def test_a_label_that_no_chip_can_have_is_refused_with_the_one_that_is_meant(
    odd: Path, label: str, command: tuple[str, ...]
) -> None:
    odd.write_text(ODD.replace("expander", label), encoding="utf-8")
    result = tableref(*command, str(odd))
    assert result.exit_code != 0
    assert f"{odd}:4: no driver in the kernel gives a chip the label {label}; expected mcp23017" in result.output
