"""The installation, below a folder: what it lays where, that it repairs, and that nothing is ever half done."""

import fcntl
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from at_table import DEALT, write_journal

from firmware.furnish import furnish
from firmware.journal import Journal
from tests.installing import ROOT, Machine

UNITS = ("tableref.service", "tableref-backup.service", "tableref-backup.timer")
LAID = {
    "/etc/sysusers.d/tableref.conf": "host/sysusers.conf",
    "/etc/tmpfiles.d/tableref.conf": "host/tmpfiles.conf",
    "/etc/modules-load.d/tableref.conf": "host/modules-load.conf",
    "/etc/udev/rules.d/60-tableref.rules": "host/udev.rules",
    **{f"/etc/systemd/system/{unit}": unit for unit in UNITS},
}
LINKS = {
    "/usr/local/bin/tableref": "/opt/tableref/current/bin/tableref",
    "/opt/tableref/current": "releases/1",
    "/etc/systemd/system/multi-user.target.wants/tableref.service": "/etc/systemd/system/tableref.service",
    "/etc/systemd/system/timers.target.wants/tableref-backup.timer": "/etc/systemd/system/tableref-backup.timer",
}
FOLDERS = {
    "/etc/tableref": "775",
    "/var/lib/tableref": "750",
    "/var/lib/tableref/decks": "750",
    "/var/lib/tableref/backups": "750",
}
BLOCK = """\
# tableref: begin (written by systemd/install; what you want otherwise, say below the end)
[all]
dtparam=i2c_arm=on
dtparam=i2c_arm_baudrate=400000
enable_uart=1
[pi5]
dtparam=uart0=on
[all]
# tableref: end
"""
OWN_SPEED = BLOCK.replace("dtparam=i2c_arm_baudrate=400000\n", "")


TWO_SEATS = (Path(__file__).parent.parent / "examples" / "two-seats.toml").read_text(encoding="utf-8")
"""A table file that fits."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> tuple[Machine, str]:
    """A machine after the first installation, and what was said. Not to be changed."""
    made = Machine.new(tmp_path_factory.mktemp("machine"))
    return made, made.install()


@pytest.fixture
def machine(fresh: tuple[Machine, str], tmp_path: Path) -> Machine:
    """A machine after the first installation."""
    return fresh[0].copy(tmp_path)


@pytest.fixture
def playing(machine: Machine) -> Iterator[Machine]:
    """A machine whose table runs, in the middle of a match."""
    place = machine.file("/var/lib/tableref/tableref.db")
    write_journal(place, furnish("pepper", 4, dealer=4), [DEALT])
    with closing(Journal(place)):
        yield machine


# The first time


def test_files_links_and_folders_are_where_they_belong(fresh: tuple[Machine, str]) -> None:
    found = fresh[0].files()
    for place, shipped in LAID.items():
        assert found[place] == ("644", (ROOT / "systemd" / shipped).read_text(encoding="utf-8"))
    assert {place: where for place, (kind, where) in found.items() if kind == "link"} == LINKS
    assert {place: found[place][0] for place in FOLDERS} == FOLDERS
    for example, place in (("four-seats.toml", "table.toml"), ("deck-24.csv", "deck-24.csv")):
        assert found[f"/etc/tableref/{place}"] == ("644", (ROOT / "examples" / example).read_text(encoding="utf-8"))


def test_nothing_else_is_there(fresh: tuple[Machine, str]) -> None:
    files = {
        name for name, (mode, _) in fresh[0].system().items() if not fresh[0].file(name).is_dir() or mode == "link"
    }
    boot = {f"/boot/firmware/{name}{end}" for name in ("config.txt", "cmdline.txt") for end in ("", ".before-tableref")}
    yours = {"/etc/tableref/table.toml", "/etc/tableref/deck-24.csv"}
    assert files == LAID.keys() | (LINKS.keys() - {"/opt/tableref/current"}) | yours | boot


def test_it_is_said_what_to_do_next(fresh: tuple[Machine, str]) -> None:
    said = fresh[1].splitlines()
    assert "  written: /etc/systemd/system/tableref.service" in said
    rest = said[said.index("Next:") :]
    assert any("table.toml" in line for line in rest)
    assert any("sudo reboot" in line for line in rest)
    assert any("tableref doctor" in line for line in rest)
    assert any("systemctl start tableref" in line for line in rest)


def test_packages_are_pinned_with_sums_and_nothing_is_compiled(fresh: tuple[Machine, str]) -> None:
    calls = (fresh[0].stand_in / "pip").read_text(encoding="utf-8").splitlines()
    assert len(calls) == 4
    for call in calls[:2]:
        assert "--require-hashes" in call
        assert "--only-binary=:all:" in call
        assert "/requirements/" in call
    for call in calls[2:]:
        assert "--no-index" in call
        assert "--no-deps" in call


def test_what_runs_there_knows_nothing_of_where_it_was_made(fresh: tuple[Machine, str]) -> None:
    program = fresh[0].file("/opt/tableref/current/bin/tableref").read_text(encoding="utf-8")
    assert program.startswith("#!/opt/tableref/releases/1/bin/python\n")
    told = {name for name, (_, text) in fresh[0].files().items() if str(fresh[0].root) in text}
    assert told == set()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_finds_nothing_wrong_in_that_root(machine: Machine) -> None:
    for name in ("sysinit", "basic", "multi-user", "timers", "shutdown", "time-sync", "time-set", "umount"):
        target = machine.file(f"/usr/lib/systemd/system/{name}.target")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("[Unit]\nDescription=here\n", encoding="utf-8")
    for unit in (*UNITS, "multi-user.target"):
        checked = subprocess.run(
            ["systemd-analyze", "verify", "--recursive-errors=yes", "--man=no", f"--root={machine.root}", unit],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert (checked.stderr, checked.returncode) == ("", 0)


def test_without_boot_files_none_are_made(tmp_path: Path) -> None:
    machine = Machine.new(tmp_path)
    shutil.rmtree(machine.root / "boot")
    said = machine.install()
    assert not (machine.root / "boot").exists()
    assert "sudo reboot" not in said


def test_a_table_of_your_own_is_laid_with_its_deck(tmp_path: Path) -> None:
    machine = Machine.new(tmp_path)
    own = tmp_path / "own.toml"
    own.write_text(TWO_SEATS.replace("deck-24.csv", "red.csv"), encoding="utf-8")
    (tmp_path / "red.csv").write_text("04A1B2C3D4E5F6, 9C\n", encoding="utf-8")
    machine.install("--table", str(own))
    assert sorted(path.name for path in machine.file("/etc/tableref").iterdir()) == ["red.csv", "table.toml"]


def test_a_table_file_that_does_not_fit_is_not_laid_and_the_line_is_named(tmp_path: Path) -> None:
    machine = Machine.new(tmp_path)
    own = tmp_path / "own.toml"
    own.write_text("[[seat]\n", encoding="utf-8")
    said = machine.refused("--table", str(own))
    assert "own.toml:1:" in said
    assert "mend the table file" in said
    assert not machine.file("/etc/tableref/table.toml").exists()


# Once more


def test_a_second_run_changes_nothing_and_says_so(machine: Machine) -> None:
    before = machine.files()
    times = {path: path.lstat().st_mtime_ns for path in machine.root.rglob("*") if path.is_file()}
    assert machine.install() == "all is as it should be: nothing was changed\n"
    assert machine.files() == before
    assert {path: path.lstat().st_mtime_ns for path in machine.root.rglob("*") if path.is_file()} == times


@pytest.mark.few(1)
@pytest.mark.parametrize("place", [*LAID, "mode", "/usr/local/bin/tableref"])
def test_what_is_damaged_is_put_right_and_said(machine: Machine, place: str) -> None:
    before = machine.files()
    if place == "mode":
        place = "/etc/systemd/system/tableref.service"
        machine.file(place).chmod(0o600)
    elif place in LAID:
        machine.file(place).write_text("", encoding="utf-8")
    else:
        machine.file(place).unlink()
    said = machine.install()
    assert machine.files() == before
    assert [line for line in said.splitlines() if place in line]


@pytest.mark.few(1)
@pytest.mark.parametrize("place", ["lib/program", "bin/tableref", ".files"])
def test_a_damaged_program_is_built_anew_beside_the_damaged_one(machine: Machine, place: str) -> None:
    before = machine.system()
    machine.file(f"/opt/tableref/current/{place}").write_text("damaged", encoding="utf-8")
    machine.install()
    assert str(machine.file("/opt/tableref/current").readlink()) == "releases/2"
    assert machine.file("/opt/tableref/current/lib/program").read_text(encoding="utf-8") == "the program\n"
    assert machine.system() == before


def test_another_python_of_the_system_has_the_program_built_anew(machine: Machine) -> None:
    machine.behaves(version="Python 3.13.5")
    machine.install()
    assert str(machine.file("/opt/tableref/current").readlink()) == "releases/2"


def test_what_is_yours_is_never_overwritten(machine: Machine) -> None:
    table, own = machine.file("/etc/tableref/table.toml"), machine.stand_in / "other.toml"
    table.write_text("# mine\n", encoding="utf-8")
    machine.file("/etc/tableref/deck-24.csv").unlink()
    machine.install()
    assert not machine.file("/etc/tableref/deck-24.csv").exists()
    own.write_text(TWO_SEATS, encoding="utf-8")
    said = machine.install("--table", str(own))
    assert "left as it is: /etc/tableref/table.toml" in said
    assert table.read_text(encoding="utf-8") == "# mine\n"
    assert table.with_name("table.toml.new").read_text(encoding="utf-8") == TWO_SEATS
    assert machine.install("--table", str(own)) == "all is as it should be: nothing was changed\n"


def test_a_table_that_is_not_to_start_by_itself_stays_so(machine: Machine) -> None:
    machine.file("/etc/systemd/system/multi-user.target.wants/tableref.service").unlink()
    assert "sudo systemctl enable tableref" in machine.install()
    assert not machine.file("/etc/systemd/system/multi-user.target.wants/tableref.service").is_symlink()


# Another version


def test_the_version_before_is_kept_and_comes_back(machine: Machine) -> None:
    for version in ("3.11.3", "3.11.4"):
        machine.behaves(version=f"Python {version}")
        machine.install()
    assert sorted(path.name for path in machine.file("/opt/tableref/releases").iterdir()) == ["2", "3"]
    machine.install("--back")
    assert str(machine.file("/opt/tableref/current").readlink()) == "releases/2"
    machine.install("--back")
    assert str(machine.file("/opt/tableref/current").readlink()) == "releases/3"


def test_where_there_is_none_before_nothing_is_done(machine: Machine) -> None:
    before = machine.files()
    assert "there is no version before" in machine.refused("--back")
    assert machine.files() == before


@pytest.mark.few(1)
@pytest.mark.parametrize("step", ["requirements/pi.txt", "requirements/build.txt", "wheel ", ".whl"])
def test_a_build_that_fails_leaves_all_as_it_was_and_says_how_to_go_on(machine: Machine, step: str) -> None:
    before = machine.files()
    machine.behaves(version="Python 3.13.5", fails=step)
    said = machine.refused()
    assert "no such package" in said
    assert "what was there before is as it was" in said
    assert machine.files() == before
    machine.behaves(fails=None)
    machine.install()
    assert str(machine.file("/opt/tableref/current").readlink()) == "releases/2"


def test_a_first_installation_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    machine = Machine.new(tmp_path)
    before = machine.system()
    machine.behaves(fails=".whl")
    machine.refused()
    laid = {name: what for name, what in machine.system().items() if name not in before and name != "/opt"}
    assert laid == {"/opt/tableref": ("755", "")}
    assert list(machine.file("/opt/tableref/releases").iterdir()) == []


def test_a_version_that_does_not_know_its_rules_is_not_switched_to(machine: Machine) -> None:
    before = machine.files()
    machine.behaves(version="Python 3.13.5", rules=None)
    assert "the new version does not run here" in machine.refused()
    assert machine.files() == before


def test_a_version_without_a_true_lgpio_is_not_switched_to(machine: Machine) -> None:
    before = machine.files()
    machine.behaves(version="Python 3.13.5", lgpio=None)
    said = machine.refused()
    assert "no usable lgpio" in said
    assert "sudo apt install python3-lgpio" in said
    assert machine.files() == before


@pytest.mark.few(1)
@pytest.mark.parametrize("signal_name", ["TERM", "KILL"])
def test_cut_short_it_leaves_the_version_in_use_and_the_next_run_tidies_up(machine: Machine, signal_name: str) -> None:
    before = machine.system()
    machine.behaves(version="Python 3.13.5", fails="wheel ", kills=signal_name)
    done = machine.run()
    assert done.returncode in (128 + signal.SIGTERM, -signal.SIGKILL)
    assert str(machine.file("/opt/tableref/current").readlink()) == "releases/1"
    assert machine.file("/opt/tableref/releases/2").exists() == (signal_name == "KILL")
    assert machine.system() == before
    machine.behaves(fails=None, kills=None)
    with machine.file("/opt/tableref/.lock").open("a", encoding="utf-8") as ours:
        fcntl.flock(ours, fcntl.LOCK_EX)  # what it had started may take a moment longer
    machine.install()
    assert machine.system() == before
    assert not [one for one in machine.file("/opt/tableref/releases").iterdir() if not (one / ".files").exists()]


def test_two_at_once_are_one_too_many(machine: Machine) -> None:
    with machine.file("/opt/tableref/.lock").open("w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert "another install runs" in machine.refused()


def test_an_older_installation_in_the_folder_itself_goes(machine: Machine) -> None:
    (machine.file("/opt/tableref/pyvenv.cfg")).write_text("home = /usr/bin\n", encoding="utf-8")
    (machine.file("/opt/tableref/bin")).mkdir()
    machine.install()
    assert not machine.file("/opt/tableref/bin").exists()


# While a game runs


def test_while_a_game_runs_nothing_is_changed(playing: Machine) -> None:
    before = playing.system()
    playing.behaves(version="Python 3.13.5")
    said = playing.refused()
    assert "a game runs: pepper, match 1; nothing was changed" in said
    assert "--now" in said
    assert playing.system() == before
    assert str(playing.file("/opt/tableref/current").readlink()) == "releases/1"
    assert [path.name for path in playing.file("/opt/tableref/releases").iterdir()] == ["1"]


def test_with_now_it_is_done_all_the_same(playing: Machine) -> None:
    playing.behaves(version="Python 3.13.5")
    playing.install("--now")
    assert str(playing.file("/opt/tableref/current").readlink()) == "releases/2"


def test_a_repair_that_needs_no_new_program_goes_on_while_a_game_runs(playing: Machine) -> None:
    playing.file("/etc/udev/rules.d/60-tableref.rules").unlink()
    assert "60-tableref.rules" in playing.install()


@pytest.mark.long
def test_a_game_holds_up_the_way_back_and_the_removal_too(playing: Machine) -> None:
    playing.behaves(version="Python 3.13.5")
    playing.install("--now")
    assert "a game runs" in playing.refused("--back")
    assert "a game runs" in playing.refused(program="uninstall")
    assert playing.file("/opt/tableref/current/bin/tableref").exists()


# Buses and serial port


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("dtparam=audio=on\n", f"dtparam=audio=on\n{BLOCK}"),
        ("no newline", f"no newline\n{BLOCK}"),
        (f"a\n{BLOCK}dtparam=i2s=on\n", f"a\n{BLOCK}dtparam=i2s=on\n"),
        (f"a\n{BLOCK.replace('400000', '1')}b\n", f"a\n{BLOCK}b\n"),
        ("a\n# tableref: begin\nb\n", f"a\nb\n{BLOCK}"),
        ("#dtparam=i2c_arm_baudrate=1\n", f"#dtparam=i2c_arm_baudrate=1\n{BLOCK}"),
        ("a\r\nb\r\n", f"a\r\nb\r\n{BLOCK}"),
        (
            "dtparam=i2c_arm=on,i2c_arm_baudrate=100000\nenable_uart=0\n",
            "dtparam=i2c_arm=on,i2c_arm_baudrate=100000\nenable_uart=0\n"
            + OWN_SPEED.replace("enable_uart=1\n", ""),
        ),
        (f"{BLOCK}dtparam=i2c_arm_baudrate=1000\n", f"{OWN_SPEED}dtparam=i2c_arm_baudrate=1000\n"),
    ],
)  # fmt: skip
def test_config_txt_gets_one_part_and_keeps_what_is_yours(machine: Machine, before: str, after: str) -> None:
    place = machine.file("/boot/firmware/config.txt")
    place.write_bytes(before.encode())
    machine.install()
    assert place.read_bytes().decode() == after
    assert machine.install() == "all is as it should be: nothing was changed\n"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("console=serial0,115200 console=tty1 root=x\n", "console=tty1 root=x\n"),
        ("root=x console=ttyAMA0,115200 rootwait\n", "root=x rootwait\n"),
        ("root=x console=ttyS0\n", "root=x\n"),
        ("console=tty1 root=x\n", "console=tty1 root=x\n"),
    ],
)
def test_no_console_stays_on_the_serial_port(machine: Machine, before: str, after: str) -> None:
    place = machine.file("/boot/firmware/cmdline.txt")
    place.write_text(before, encoding="utf-8")
    said = machine.install()
    assert place.read_text(encoding="utf-8") == after
    assert ("sudo reboot" in said) == (before != after)


def test_a_console_that_is_wanted_stays(tmp_path: Path) -> None:
    machine = Machine.new(tmp_path)
    machine.install("--keep-console")
    assert "console=serial0" in machine.file("/boot/firmware/cmdline.txt").read_text(encoding="utf-8")


def test_the_copy_is_of_what_was_there_before_us(machine: Machine) -> None:
    place = machine.file("/boot/firmware/config.txt")
    place.write_text("own\n", encoding="utf-8")
    machine.install()
    kept = place.with_name("config.txt.before-tableref")
    assert kept.read_text(encoding="utf-8") == "dtparam=audio=on\n\n[all]\n"


def test_an_older_system_has_its_files_elsewhere(tmp_path: Path) -> None:
    machine = Machine.new(tmp_path)
    for name in ("config.txt", "cmdline.txt"):
        (machine.root / "boot/firmware" / name).rename(machine.root / "boot" / name)
    machine.install()
    assert BLOCK in machine.file("/boot/config.txt").read_text(encoding="utf-8")
    assert "serial0" not in machine.file("/boot/cmdline.txt").read_text(encoding="utf-8")


# What it asks for before it begins


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"bits": "4"}, "64-bit Raspberry Pi OS"),
        ({"old": "yes"}, "3.11 or newer is needed"),
        ({"own_lgpio": None}, "sudo apt install python3-lgpio"),
    ],
)
def test_a_system_that_will_not_do_is_told_at_once(machine: Machine, how: dict[str, str | None], said: str) -> None:
    before = machine.files()
    machine.behaves(**how)
    assert said in machine.refused()
    assert machine.files() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [("--tabel", "no option --tabel"), ("--table", "--table says nothing"), ("--table /none", "no file /none")],
)
def test_a_slip_in_the_options_changes_nothing(machine: Machine, options: str, said: str) -> None:
    before = machine.files()
    assert said in machine.refused(*options.split())
    assert machine.files() == before


@pytest.mark.parametrize("program", ["install", "uninstall"])
def test_without_a_folder_it_needs_root(machine: Machine, program: str) -> None:
    (machine.stand_in / "id").write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    (machine.stand_in / "id").chmod(0o755)
    done = machine.run(program, DESTDIR="")
    assert done.returncode == 1
    assert "this needs root" in done.stderr


def test_the_page_tells_of_what_there_is(fresh: tuple[Machine, str]) -> None:
    page = (ROOT / "docs/installing.md").read_text(encoding="utf-8")
    usage = fresh[0].install("--help")
    told = re.findall(r"^\| `(--[a-z-]+)", page, re.MULTILINE)
    assert len(told) >= 4
    assert [option for option in [*told, "--keep-console"] if f"  {option} " not in usage] == []
    commands = set(re.findall(r"^sudo sh (\S+)", page, re.MULTILINE))
    assert commands == {"systemd/install", "systemd/uninstall"}
    for folder in ("/etc/sysusers.d", "/etc/tableref", "/var/lib/tableref", "/etc/systemd/system", "/etc/udev/rules.d"):
        assert f"`{folder}`" in page
        assert fresh[0].file(folder).is_dir()


# Away again


def test_what_is_yours_stays_when_it_is_removed(machine: Machine) -> None:
    machine.file("/var/lib/tableref/match-1.ctr").write_text("game: pepper\n", encoding="utf-8")
    machine.file("/etc/systemd/system/tableref.service.d").mkdir()
    before = machine.files()
    done = machine.run("uninstall")
    assert (done.returncode, done.stderr) == (0, "")
    assert "/etc/tableref" in done.stdout
    assert "/var/lib/tableref" in done.stdout
    left = {name: what for name, what in before.items() if name in machine.files()}
    assert machine.files() == left
    gone = {name for name in before.keys() - left.keys() if not name.startswith("/opt/tableref/")}
    assert gone == LAID.keys() | LINKS.keys() - {"/opt/tableref/current"} | {"/opt/tableref"}


def test_it_can_be_installed_again(machine: Machine) -> None:
    before = machine.system()
    machine.run("uninstall")
    machine.install()
    assert machine.system() == before
