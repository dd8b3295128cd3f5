"""The units and what the host needs beside them: known to systemd, hardened, with just the devices of a table."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "systemd"
UNITS = ("tableref.service", "tableref-backup.service", "tableref-backup.timer")
SERVICES = tuple(name for name in UNITS if name.endswith(".service"))
MOST_EXPOSED = 2.0
DEVICES = ("gpiochip", "i2c", "spi", "ttyUSB", "ttyACM", "ttyAMA", "ttyS", "input")
"""Every kind of device that a table file can name."""

as_root = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("systemd-sysusers") is None,
    reason="gives files to others; no systemd here, or not root",
)
with_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")


def unit(name: str) -> list[tuple[str, str]]:
    """The keys of a unit with their values, in order."""
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [(key, value) for key, sign, value in (one.partition("=") for one in lines if one[:1] != "#") if sign]


def values(name: str, key: str) -> list[str]:
    return [value for found, value in unit(name) if found == key]


def systemd(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with the units and the program that they start, and nothing else."""
    units, program = tmp_path / "etc/systemd/system", tmp_path / "opt/tableref/current/bin/tableref"
    units.mkdir(parents=True)
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    for name in UNITS:
        shutil.copy(FOLDER / name, units)
    (tmp_path / "usr/lib/systemd/system").mkdir(parents=True)
    for name in ("sysinit", "basic", "multi-user", "timers", "shutdown", "time-sync", "time-set", "umount"):
        (tmp_path / f"usr/lib/systemd/system/{name}.target").write_text("[Unit]\nDescription=here\n", encoding="utf-8")
    return tmp_path


@with_systemd
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_wrong_with_a_unit(root: Path, name: str) -> None:
    checked = systemd("systemd-analyze", "verify", "--recursive-errors=yes", "--man=no", f"--root={root}", name)
    assert (checked.stderr, checked.stdout, checked.returncode) == ("", "", 0)


@with_systemd
def test_a_key_that_systemd_does_not_know_would_be_told(root: Path) -> None:
    place = root / "etc/systemd/system/tableref.service"
    place.write_text(place.read_text(encoding="utf-8").replace("WatchdogSec", "WatchDogSec"), encoding="utf-8")
    checked = systemd("systemd-analyze", "verify", "--man=no", f"--root={root}", "tableref.service")
    assert "WatchDogSec" in checked.stderr


@with_systemd
@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_exposed_to_little(name: str) -> None:
    threshold = f"--threshold={round(10 * MOST_EXPOSED)}"
    checked = systemd("systemd-analyze", "security", "--offline=yes", threshold, str(FOLDER / name))
    assert (checked.stderr, checked.returncode) == ("", 0), checked.stdout.splitlines()[-1]


def test_the_table_may_open_every_kind_of_device_that_a_table_file_can_name_and_no_other() -> None:
    allowed = [re.fullmatch(r"char-(\w+) rw?", value) for value in values("tableref.service", "DeviceAllow")]
    assert [found and found[1] for found in allowed] == list(DEVICES)
    assert values("tableref.service", "DevicePolicy") == ["closed"]
    assert "ProtectClock" not in dict(unit("tableref.service"))  # would let it read the clock's device as well


def test_a_backup_may_open_no_device_and_no_socket_to_others() -> None:
    keys = dict(unit("tableref-backup.service"))
    assert (keys["PrivateDevices"], keys["PrivateNetwork"]) == ("yes", "yes")
    assert "DeviceAllow" not in keys


def test_the_table_is_started_anew_however_often_it_must_be() -> None:
    keys = dict(unit("tableref.service"))
    assert keys["StartLimitIntervalSec"] == "0"
    assert keys["Restart"] == "on-failure"
    assert keys["Type"] == "notify"


def test_the_services_start_what_is_installed_as_its_own_user() -> None:
    for name in SERVICES:
        keys = dict(unit(name))
        assert keys["User"] == "tableref"
        assert keys["ExecStart"].split()[0] == "/opt/tableref/current/bin/tableref"
        assert keys["StateDirectory"] == "tableref"
        assert keys["StateDirectoryMode"] == "0750"


def test_backups_are_made_each_day_and_after_the_table_was_switched_on() -> None:
    keys = dict(unit("tableref-backup.timer"))
    assert keys["OnCalendar"] == "daily"
    assert keys["Persistent"] == "true"
    assert "OnBootSec" in keys


# Beside the units


def test_the_user_has_the_groups_that_the_service_asks_for() -> None:
    lines = (FOLDER / "host/sysusers.conf").read_text(encoding="utf-8").splitlines()
    member = {line.split()[2] for line in lines if line.startswith("m tableref ")}
    made = {line.split()[1] for line in lines if line.startswith("g ")}
    asked = values("tableref.service", "SupplementaryGroups")[0].split()
    assert set(asked) == member == made


@as_root
def test_systemd_makes_the_user(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    done = systemd("systemd-sysusers", f"--root={tmp_path}", str(FOLDER / "host/sysusers.conf"))
    assert done.returncode == 0, done.stderr
    users = (tmp_path / "etc/passwd").read_text(encoding="utf-8")
    assert re.search(r"^tableref:x:\d+:\d+:[^:]*:/var/lib/tableref:/usr/sbin/nologin$", users, re.MULTILINE)
    groups = (tmp_path / "etc/group").read_text(encoding="utf-8")
    for group in ("gpio", "i2c", "spi", "input", "dialout"):
        assert re.search(rf"^{group}:x:\d+:(?:.*,)?tableref\b", groups, re.MULTILINE), group


@as_root
def test_systemd_makes_the_folders(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    systemd("systemd-sysusers", f"--root={tmp_path}", str(FOLDER / "host/sysusers.conf"))
    config = tmp_path / "etc/tmpfiles.d"
    config.mkdir()
    shutil.copy(FOLDER / "host/tmpfiles.conf", config / "tableref.conf")
    done = systemd("systemd-tmpfiles", "--create", f"--root={tmp_path}", "tableref.conf")
    assert done.stderr == ""
    for name in ("", "decks", "backups"):
        assert oct((tmp_path / "var/lib/tableref" / name).stat().st_mode)[-4:] == "0750"


def test_every_line_of_the_udev_rules_is_a_rule() -> None:
    lines = (FOLDER / "host/udev.rules").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    part = r'[A-Z]+(?:\{\w+\})?(?:==|=)"[^"]+"'
    assert len(rules) == 4
    assert all(re.fullmatch(rf"{part}(?:, {part})*", line) for line in rules)
    assert 'DRIVER=="ftdi_sio", ATTR{latency_timer}="1"' in rules[-1]
