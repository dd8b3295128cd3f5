"""The doctor: each check sees what is wrong on a machine and at a table where it is made to be wrong."""

import os
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from shutil import rmtree

import pytest
from click.testing import CliRunner, Result

from firmware.command import main
from firmware.doctor import Finding, Level, System, finding_line, report
from firmware.doctor_devices import (
    check_buttons,
    check_displays,
    check_lines,
    check_readers,
    check_strip,
    table_runs,
)
from firmware.doctor_simulated import make_root
from firmware.doctor_system import SYSTEM_CHECKS
from firmware.table_option import example
from firmware.watching import event_line, watched
from firmware.wiring_words import WiringWords
from hal.clock import SteppedClock
from hal.events import Button, ButtonStuck, DeviceBack, Event, SeveralTags, TagLifted, TagPlaced
from hal.hardware import Hardware
from hal.sim.board import CHIP, SimulatedWires
from hal.wiring import (
    ButtonLines,
    ChipWiring,
    DisplayPlace,
    MuxWiring,
    SeatWiring,
    StripWiring,
    Wiring,
)

PORT = "/dev/serial/by-path/one"
WIRING = Wiring(
    seats=(
        SeatWiring(1, ButtonLines(4, 17, 27), led=22, display=DisplayPlace(1, 0x3C), reader=PORT),
        SeatWiring(2, ButtonLines("mcp.0", "mcp.1", "mcp.2"), display=DisplayPlace(1, 0x3D)),
    ),
    chips=(ChipWiring("mcp", "mcp23017", 16),),
)
CHIP_X = ChipWiring("x", "mcp23017", 16)
UID = "04A0015EC0DE80"
THROTTLED = "/sys/devices/platform/soc@107c000000/soc@107c000000:firmware/get_throttled"


class Machine:
    """A healthy machine below a folder, with a clock that only sleeping moves."""

    def __init__(self, root: Path, wiring: Wiring = WIRING) -> None:
        make_root(root, wiring)
        self.root = root
        self.wiring = wiring
        self.clock = SteppedClock()
        self.system = System(root, 0, frozenset(), lambda folder: 8 * 10**9, self.clock.now, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.clock.time += seconds

    def write(self, path: str, data: str | bytes) -> None:
        place = self.system.at(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data.encode() if isinstance(data, str) else data)

    def findings(self, **changes: object) -> list[Finding]:
        system = replace(self.system, **changes)  # type: ignore[arg-type] # fields of the system by their names
        return [one for check in SYSTEM_CHECKS for one in check(system, self.wiring, self.root)]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def codes(findings: Iterable[Finding], level: Level = Level.FAIL) -> list[str]:
    return [one.code for one in findings if one.level is level]


# The system


def test_a_healthy_machine_has_nothing_to_note(machine: Machine) -> None:
    found = machine.findings()
    assert {one.level for one in found} == {Level.OK}
    assert [one.code for one in found] == ["model", "files", "speed", "supply", "heat", "disk", "clock"]


def test_what_is_no_pi_is_noted(machine: Machine) -> None:
    machine.system.at("/proc/device-tree/model").unlink()
    assert codes(machine.findings(), Level.NOTE) == ["no-model"]


@pytest.mark.parametrize(
    ("path", "code"), [("/dev/gpiochip0", "missing-gpio"), ("/dev/i2c-1", "missing-i2c-dev"), (PORT, "missing-port")]
)
def test_a_device_file_that_is_not_there_is_named(machine: Machine, path: str, code: str) -> None:
    machine.system.at(path).unlink()
    (found,) = [one for one in machine.findings() if one.level is Level.FAIL]
    assert found.code == code
    assert found.facts["path"] == path


@pytest.mark.parametrize(
    ("gone", "code", "said"),
    [
        ([], "missing-i2c-dev", ["sudo modprobe i2c-dev", "/etc/modules-load.d/i2c-dev.conf"]),
        (["i2c-dev"], "missing-i2c-dev", ["sudo modprobe i2c-dev", "/etc/modules-load.d/i2c-dev.conf"]),
        (["i2c-adapter"], "missing-i2c", ["tableref wiring show"]),
        (["i2c-adapter", "i2c-dev"], "missing-i2c-both", ["tableref wiring show", "/etc/modules-load.d/i2c-dev.conf"]),
    ],
)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_a_bus_that_is_off_is_told_from_a_module_that_is_not_loaded(
    machine: Machine, gone: list[str], code: str, said: list[str], language: str
) -> None:
    machine.system.at("/dev/i2c-1").unlink()
    for folder in gone:
        rmtree(machine.system.at(f"/sys/class/{folder}"))
    (found,) = [one for one in machine.findings() if one.level is Level.FAIL]
    line = finding_line(found, WiringWords(language))
    assert found.code == code
    assert all(text in line for text in [*said, "/dev/i2c-1"])


def test_a_bus_is_served_where_the_kernel_has_it_in_its_other_folder_alone(machine: Machine) -> None:
    machine.system.at("/dev/i2c-1").unlink()
    rmtree(machine.system.at("/sys/class/i2c-adapter"))
    machine.write("/sys/bus/i2c/devices/i2c-1/name", "bcm2835")
    assert codes(machine.findings()) == ["missing-i2c-dev"]


# A reader at the header's serial port


def at_header(root: Path, port: str) -> Machine:
    return Machine(root, Wiring((SeatWiring(1, ButtonLines(4, 17, 27), reader=port),)))


@pytest.mark.parametrize(
    ("port", "line"),
    [("/dev/ttyAMA0", "dtparam=uart0=on"), ("/dev/serial0", "enable_uart=1"), ("/dev/ttyS0", "enable_uart=1")],
)
def test_a_header_port_that_is_off_is_told_with_its_line(tmp_path: Path, port: str, line: str) -> None:
    machine = at_header(tmp_path, port)
    assert codes(machine.findings()) == []
    machine.system.at(port).unlink()
    (found,) = [one for one in machine.findings() if one.level is Level.FAIL]
    assert (found.code, found.facts["line"]) == ("missing-uart", line)


def test_the_debug_socket_of_a_pi_5_is_not_the_header(tmp_path: Path) -> None:
    machine = at_header(tmp_path, "/dev/serial0")
    machine.system.at("/dev/serial0").rename(machine.system.at("/dev/ttyAMA10"))
    machine.system.at("/dev/serial0").symlink_to("ttyAMA10")
    (found,) = [one for one in machine.findings() if one.level is Level.FAIL]
    assert found.code == "uart-debug"
    assert (found.facts["header"], found.facts["line"]) == ("/dev/ttyAMA0", "dtparam=uart0=on")


@pytest.mark.parametrize(
    ("port", "bluetooth", "failures"),
    [
        ("/dev/ttyAMA0", "ttyAMA0", ["uart-bluetooth"]),
        ("/dev/ttyS0", "ttyS0", ["uart-bluetooth"]),
        ("/dev/ttyAMA0", "ttyS0", []),
        ("/dev/serial0", "ttyAMA0", []),
    ],
)
def test_the_port_that_bluetooth_has_is_not_the_header(
    tmp_path: Path, port: str, bluetooth: str, failures: list[str]
) -> None:
    machine = at_header(tmp_path, port)
    machine.system.at("/dev/serial1").symlink_to(bluetooth)
    assert codes(machine.findings()) == failures


def test_the_ports_that_are_there_are_named_beside_the_one_that_is_not(machine: Machine) -> None:
    machine.system.at(PORT).rename(machine.system.at("/dev/serial/by-path/other"))
    (found,) = [one for one in machine.findings() if one.level is Level.FAIL]
    assert found.facts["here"] == "/dev/serial/by-path/other"


def test_a_strip_without_its_port_is_told_how_to_get_one(tmp_path: Path) -> None:
    machine = Machine(tmp_path, Wiring(WIRING.seats[:1], strip=StripWiring(4)))
    machine.system.at("/dev/spidev0.0").unlink()
    assert codes(machine.findings()) == ["missing-spi"]


def test_a_device_that_is_closed_to_the_user_names_the_group_that_is_missing(machine: Machine) -> None:
    device = machine.system.at("/dev/i2c-1")
    device.chmod(0o660)
    found = machine.findings(uid=device.stat().st_uid + 1)
    (closed,) = [one for one in found if one.code == "no-right" and one.facts["path"] == "/dev/i2c-1"]
    assert closed.facts["group"] == machine.system.group("/dev/i2c-1")


def test_who_is_in_the_group_may_use_it(machine: Machine) -> None:
    stranger = machine.system.at("/dev/i2c-1").stat().st_uid + 1
    groups = set()
    for path in ("/dev/i2c-1", "/dev/gpiochip0", PORT):
        machine.system.at(path).chmod(0o660)
        groups.add(machine.system.at(path).stat().st_gid)
    assert codes(machine.findings(uid=stranger)) == ["no-right"] * 3
    assert codes(machine.findings(uid=stranger, groups=frozenset(groups))) == []


@pytest.mark.parametrize(("mode", "allowed"), [(0o600, True), (0o400, False), (0o066, False)])
def test_the_owner_has_the_rights_of_the_owner(machine: Machine, mode: int, allowed: bool) -> None:
    device = machine.system.at(PORT)
    device.chmod(mode)
    owner = replace(machine.system, uid=12345)
    os_owner = device.stat().st_uid
    if os.geteuid() == 0:
        os.chown(device, 12345, -1)
    else:
        owner = replace(owner, uid=os_owner)
    assert owner.may_use(PORT) is allowed


def test_others_may_use_what_is_open_to_all(machine: Machine) -> None:
    machine.system.at(PORT).chmod(0o666)
    assert replace(machine.system, uid=machine.system.at(PORT).stat().st_uid + 1).may_use(PORT)


@pytest.mark.parametrize("console", ["serial0", "ttyAMA0", "ttyS0"])
def test_a_console_on_the_readers_port_is_found(tmp_path: Path, console: str) -> None:
    seat = SeatWiring(1, ButtonLines(4, 17, 27), reader="/dev/serial0")
    machine = Machine(tmp_path, Wiring((seat,)))
    assert "no-console" in codes(machine.findings(), Level.OK)
    machine.write("/proc/cmdline", f"console={console},115200 console=tty1 root=x")
    (found,) = [one for one in machine.findings() if one.code == "console"]
    assert (found.level, found.facts["port"]) == (Level.FAIL, console)


def test_a_console_where_no_reader_is_does_no_harm(machine: Machine) -> None:
    machine.write("/proc/cmdline", "console=serial0,115200")
    assert codes(machine.findings()) == []


def test_a_slow_bus_is_noted_with_what_a_picture_takes(machine: Machine) -> None:
    machine.write("/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency", (100_000).to_bytes(4, "big"))
    (found,) = [one for one in machine.findings() if one.code == "slow"]
    assert found.facts == {"bus": 1, "speed": 100, "picture": 95}


def test_the_bus_of_a_multiplexer_is_looked_at_that_all_pictures_go_over(tmp_path: Path) -> None:
    seats = (
        SeatWiring(1, ButtonLines(4, 17, 27), display=DisplayPlace(11, 0x3C)),
        SeatWiring(2, ButtonLines(5, 6, 13), display=DisplayPlace(12, 0x3C)),
    )
    machine = Machine(tmp_path, Wiring(seats, muxes=(MuxWiring((11, 12)),)))
    assert [one.facts["bus"] for one in machine.findings() if one.code == "speed"] == [1]
    machine.write("/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency", (100_000).to_bytes(4, "big"))
    assert [one.facts["bus"] for one in machine.findings() if one.code == "slow"] == [1]


def test_the_simulated_machine_is_of_one_model(machine: Machine, wires: SimulatedWires) -> None:
    """The chip behind the header tells the model: pinctrl-rp1 is that of a Pi 5."""
    (label,) = [
        one.facts["label"] for one in check_lines(machine.system, WIRING, wires) if one.facts.get("number") == CHIP
    ]
    (model,) = [one.facts["model"] for one in machine.findings() if one.code == "model"]
    assert (label, str(model).startswith("Raspberry Pi 5 ")) == ("pinctrl-rp1", True)


@pytest.mark.parametrize(
    ("flags", "failures", "notes"),
    [
        ("0x1", ["voltage-now"], []),
        ("50005", ["voltage-now", "throttled-now"], ["voltage-before", "throttled-before"]),
        ("50000", [], ["voltage-before", "throttled-before"]),
        ("8", ["hot-now"], []),
    ],
)
def test_under_voltage_and_throttling_are_told(
    machine: Machine, flags: str, failures: list[str], notes: list[str]
) -> None:
    machine.write(THROTTLED, flags + "\n")
    assert codes(machine.findings()) == failures
    assert codes(machine.findings(), Level.NOTE) == notes


def test_where_the_firmware_is_silent_the_voltage_sensor_is_asked(machine: Machine) -> None:
    machine.system.at(THROTTLED).unlink()
    machine.write("/sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    machine.write("/sys/class/hwmon/hwmon0/in0_lcrit_alarm", "1\n")
    machine.write("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    machine.write("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    assert "supply" in codes(machine.findings(), Level.OK)
    machine.write("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert codes(machine.findings()) == ["voltage-now"]


@pytest.mark.parametrize(("free", "level"), [(10**6, Level.FAIL), (10**8, Level.NOTE), (10**10, Level.OK)])
def test_the_room_for_the_journal_is_looked_at(machine: Machine, free: int, level: Level) -> None:
    (found,) = [one for one in machine.findings(free=lambda folder: free) if one.code == "disk"]
    assert (found.level, found.facts["free"]) == (level, free // 10**6)


def test_a_folder_that_is_not_there_is_told(machine: Machine) -> None:
    def free(folder: Path) -> int:
        raise FileNotFoundError(2, "No such file or directory")

    assert codes(machine.findings(free=free)) == ["no-folder"]


def test_a_clock_that_nobody_set_is_noted_and_no_failure(machine: Machine) -> None:
    machine.system.at("/run/systemd/timesync/synchronized").unlink()
    assert codes(machine.findings()) == []
    assert codes(machine.findings(), Level.NOTE) == ["clock-unset"]
    machine.write("/dev/rtc0", "")
    assert codes(machine.findings(), Level.NOTE) == []


# The devices


@pytest.fixture
def wires() -> Iterator[SimulatedWires]:
    with SimulatedWires(WIRING) as made:
        yield made


def test_all_devices_of_a_whole_table_are_well(machine: Machine, wires: SimulatedWires) -> None:
    found = [
        *check_lines(machine.system, WIRING, wires),
        *check_buttons(machine.system, WIRING, wires),
        *check_displays(machine.system, WIRING, wires),
        *check_readers(machine.system, WIRING, wires),
    ]
    assert {one.level for one in found} == {Level.OK}
    assert [one.code for one in found] == ["chip-found"] * 2 + ["buttons-up"] * 2 + ["display"] * 2 + ["reader"]
    Hardware(WIRING, wires).close()  # and the doctor has given everything back


def test_a_chip_that_is_not_there_is_told_with_those_that_are(machine: Machine, wires: SimulatedWires) -> None:
    del wires.lgpio.chips[1]
    (found,) = [one for one in check_lines(machine.system, WIRING, wires) if one.level is Level.FAIL]
    assert "no gpiochip is labelled mcp23017; found: pinctrl-rp1" in str(found.facts["why"])
    assert codes(check_buttons(machine.system, WIRING, wires)) == ["buttons"]


def test_an_empty_lgpio_is_no_pin_factory(
    machine: Machine, wires: SimulatedWires, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(type(wires.lgpio), "gpiochip_open")
    (found,) = check_lines(machine.system, WIRING, wires)
    assert (found.level, "empty wheel" in str(found.facts["why"])) == (Level.FAIL, True)
    assert list(check_buttons(machine.system, WIRING, wires)) == []  # it is said already


def test_a_chip_that_is_missing_for_several_seats_is_told_once_with_all_of_them(tmp_path: Path) -> None:
    lines = (ButtonLines(4, 17, 27), ButtonLines("x.0", "x.1", "x.2"), ButtonLines("x.3", "x.4", "x.5"))
    wiring = Wiring(tuple(SeatWiring(seat, each) for seat, each in enumerate(lines, 1)), chips=(CHIP_X,))
    machine = Machine(tmp_path, wiring)
    with SimulatedWires(wiring) as wires:
        del wires.lgpio.chips[1]
        found = list(check_buttons(machine.system, wiring, wires))
    assert [(one.code, one.facts.get("seats")) for one in found] == [("buttons-up", None), ("buttons-of", "2, 3")]


def test_a_line_that_another_program_has_is_named(machine: Machine, wires: SimulatedWires) -> None:
    wires.lgpio.occupy(CHIP, 22)
    wires.lgpio.occupy(CHIP, 17)
    (line,) = [one for one in check_lines(machine.system, WIRING, wires) if one.level is Level.FAIL]
    assert "line 22 of pinctrl-rp1 is in use by another program" in str(line.facts["why"])
    (buttons,) = [one for one in check_buttons(machine.system, WIRING, wires) if one.level is Level.FAIL]
    assert buttons.facts["seat"] == 1
    assert "line 17" in str(buttons.facts["why"])


@pytest.mark.parametrize("lines", [(4, 17, 27), (4,), (22,)])
def test_a_table_that_runs_is_not_disturbed(
    wires: SimulatedWires, lines: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All buttons are another program's: then its displays are not set up anew under its hands."""
    wires.lgpio.occupy(1, 1)
    for line in lines:
        wires.lgpio.occupy(CHIP, line)
    assert table_runs(WIRING, wires) is (4 in lines)
    monkeypatch.setattr("firmware.doctor_devices.table_runs", lambda wiring, wires: True)
    result = doctor(str(example("four-seats.toml")))
    assert result.exit_code == 1
    assert "FAIL  The table runs" in result.output
    assert "Display" not in result.output


def test_a_button_that_is_down_while_nobody_presses_is_named(machine: Machine, wires: SimulatedWires) -> None:
    wires.press(2, Button.RIGHT)
    (found,) = [one for one in check_buttons(machine.system, WIRING, wires) if one.level is Level.FAIL]
    assert (found.code, found.facts) == ("button-down", {"seat": 2, "buttons": "▶"})


def test_buttons_of_a_chip_that_does_not_answer_are_told(machine: Machine, wires: SimulatedWires) -> None:
    wires.lgpio.chips[1].absent = True
    assert codes(check_buttons(machine.system, WIRING, wires)) == ["buttons"]


def test_a_display_that_is_off_is_named_with_bus_and_address(machine: Machine, wires: SimulatedWires) -> None:
    wires.unplug_display(2)
    (found,) = [one for one in check_displays(machine.system, WIRING, wires) if one.level is Level.FAIL]
    assert {name: found.facts[name] for name in ("seat", "bus", "address")} == {"seat": 2, "bus": 1, "address": "0x3D"}
    assert machine.clock.time < 3.0


def test_a_display_that_answers_at_the_second_try_only_is_noted(machine: Machine, wires: SimulatedWires) -> None:
    wires.unplug_display(1)

    def plug_in(seconds: float) -> None:
        machine.sleep(seconds)
        if 0x3C not in wires.buses[1].chips:
            wires.plug_display(1)

    system = replace(machine.system, sleep=plug_in)
    (found,) = [one for one in check_displays(system, WIRING, wires) if one.level is Level.NOTE]
    assert (found.code, found.facts["tries"]) == ("display-late", 2)


def test_a_reader_that_is_unplugged_is_named_with_its_port(machine: Machine, wires: SimulatedWires) -> None:
    wires.unplug_reader("seat 1 reader")
    (found,) = check_readers(machine.system, WIRING, wires)
    assert (found.code, found.facts["port"]) == ("no-reader", PORT)


def test_a_strip_is_told_as_far_as_anyone_can(machine: Machine, wires: SimulatedWires) -> None:
    assert list(check_strip(machine.system, WIRING, wires)) == []
    wiring = Wiring(WIRING.seats, chips=WIRING.chips, strip=StripWiring(4))
    assert codes(check_strip(machine.system, wiring, wires)) == ["no-strip"]
    with SimulatedWires(Wiring(WIRING.seats[:1], strip=StripWiring(4))) as with_strip:
        assert codes(check_strip(machine.system, wiring, with_strip), Level.OK) == ["strip"]


# The report and the command


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_report_says_each_finding_and_whether_all_is_well(
    machine: Machine, wires: SimulatedWires, language: str
) -> None:
    said: list[str] = []
    words = WiringWords(language)
    assert report(iter(machine.findings()), words, said.append)
    machine.system.at(PORT).unlink()
    wires.unplug_reader("seat 1 reader")
    assert not report(iter(machine.findings()), words, said.append)
    assert not report(check_readers(machine.system, WIRING, wires), words, said.append)
    assert not any("{" in line or "doctor." in line or "ReaderPlace" in line for line in said)


def test_where_no_port_is_that_is_said_in_words(machine: Machine) -> None:
    machine.system.at(PORT).unlink()
    said: list[str] = []
    report(iter(machine.findings()), WiringWords(), said.append)
    assert f"FAIL  {PORT} is not there. Ports there: none" in said


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["doctor", "--simulated", *arguments])


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["two-seats.toml", "centre-reader.toml", "four-seats.toml", "six-seats.toml"])
def test_the_reference_tables_are_well(name: str) -> None:
    result = doctor(str(example(name)))
    assert result.exit_code == 0, result.output
    assert "FAIL" not in result.output
    assert result.output.splitlines()[-1].endswith("0 to note, 0 failed")


def test_a_pc_is_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.doctor_devices.PAUSE", 0.001)
    result = CliRunner().invoke(main, ["doctor", str(example("two-seats.toml"))])
    assert result.exit_code == 1
    assert "FAIL" in result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)


# Watching


def test_presses_and_taps_are_shown_as_they_come(machine: Machine, wires: SimulatedWires) -> None:
    hardware = Hardware(WIRING, wires)
    cards = {UID: "AS"}
    words = WiringWords()
    steps = iter(range(1000))

    def sleep(seconds: float) -> None:
        machine.sleep(seconds)
        match next(steps):
            case 5:
                wires.press(2, Button.OK, machine.clock.time)
            case 15:
                wires.release(2, Button.OK, machine.clock.time)
            case 30:
                wires.place("seat 1 reader", UID)
            case 60:
                wires.lift("seat 1 reader")
            case 120:
                wires.place("seat 1 reader", "04FFFF5EC0DE80")
            case 140:
                wires.press(1, Button.LEFT, machine.clock.time)
            case 200:
                wires.unplug_reader("seat 1 reader")
            case 260:
                raise KeyboardInterrupt

    seen: list[str] = []
    events = watched(hardware, replace(machine.system, sleep=sleep))
    with closing(hardware), suppress(KeyboardInterrupt):
        seen.extend(event_line(event, words, lambda uid: cards.get(uid, "")) for event in events)
    assert [line for line in seen if line][:6] == [
        "seat 2 OK down",
        "seat 2 OK up",
        f"seat 1 reader: tag {UID}, AS",
        "seat 1 reader: tag 04FFFF5EC0DE80, not in the deck file",
        "seat 1 ◀ down",
        "seat 1 ◀ held",
    ]
    assert seen[-1].startswith("seat 1 reader: lost, ")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (SeveralTags("centre reader", ("AA", "BB"), 0.0), "centre reader: several tags, one card at a time: AA BB"),
        (DeviceBack("seat 1 display", 0.0), "seat 1 display: back"),
        (TagLifted("centre reader", "AA", 0.0), ""),
    ],
)
def test_other_events_are_told_too_as_far_as_they_matter(event: Event, line: str) -> None:
    assert event_line(event, WiringWords(), lambda uid: "") == line


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (SeveralTags("centre reader", ("AA", "BB"), 0.0), "общий считыватель: несколько меток, по одной карте: AA BB"),
        (DeviceBack("seat 1 display", 0.0), "дисплей места 1: снова на связи"),
        (ButtonStuck("seat 1 left button", "", 0.0, 1, Button.LEFT), "кнопка ◀ места 1: залипла, остаётся нажатой"),
        (TagPlaced("dealing reader", "AA", 0.0), "площадка для сдачи: метка AA, нет в файле колоды"),
    ],
)
def test_devices_are_named_in_the_language_that_is_spoken(event: Event, line: str) -> None:
    assert event_line(event, WiringWords("ru"), lambda uid: "") == line


def test_the_doctor_goes_on_watching_until_it_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("firmware.watching.STEP", -1.0)
    monkeypatch.setattr("time.sleep", lambda seconds: interrupted(seconds) if seconds < 0 else None)
    result = doctor("--watch", str(example("four-seats.toml")))
    assert result.exit_code == 0, result.output
    lines = result.output.splitlines()
    begin = lines.index("Press and tap; Ctrl-C ends it.")
    assert lines[begin + 1] == "How well readers and displays worked:"
    assert lines[begin + 2].startswith("seat 1 reader: ")
    assert lines[-1] == "seat 4 display: failed writes 0, losses 0"
