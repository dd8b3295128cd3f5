"""The clock on the wall is a label: nothing is decided by it, and what it labels says whether it was set."""

import ast
import asyncio
from contextlib import closing
from pathlib import Path

import pytest
from at_table import LED, seated

from engine.cards import Card
from engine.match import to_act
from firmware.history import played, sessions
from firmware.history_forms import HistoryWords, history_lines, history_rows, history_values
from firmware.journal import Journal
from firmware.journal_reading import read_journal
from firmware.wall_clock import RTC, TIMESYNC, is_clock_set
from hal.sim.disk import SimDisk

ROOT = Path(__file__).parents[2]
LABELS = {
    "firmware/storage.py": "the label of entries and notes",
    "hal/sim/disk.py": "the same in the simulator",
    "firmware/backup.py": "when a backup was made",
    "firmware/restoring.py": "names of files that are set aside",
    "firmware/recovering.py": "names of files that are set aside",
    "firmware/bundle.py": "when a bundle was made",
    "firmware/logbook.py": "the label of a line of the log that is downloaded",
}
"""Where the clock on the wall may be looked at, and what for."""
WALL = {"time": {"time", "time_ns", "localtime", "gmtime", "ctime", "strftime"}, "datetime": {"now", "today", "utcnow"},
        "date": {"today"}}  # fmt: skip


def looks_at_the_wall(path: Path) -> bool:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in WALL.get(node.value.id, ()):
                return True
        elif isinstance(node, ast.ImportFrom) and {name.name for name in node.names} & WALL.get(
            node.module or "", set()
        ):
            return True
    return False


def test_nothing_but_labels_comes_from_the_clock_on_the_wall() -> None:
    looking = {
        str(path.relative_to(ROOT))
        for room in ("engine", "hal", "firmware")
        for path in (ROOT / room).rglob("*.py")
        if looks_at_the_wall(path)
    }
    assert looking <= set(LABELS), "a timer, a lock or an order must not depend on a clock that jumps"


@pytest.mark.parametrize(("made", "is_set"), [(TIMESYNC, True), (RTC, True), ("etc/hostname", False)])
def test_the_network_or_a_battery_sets_the_clock(tmp_path: Path, made: str, is_set: bool) -> None:
    (tmp_path / made).parent.mkdir(parents=True)
    (tmp_path / made).touch()
    assert is_clock_set(tmp_path) is is_set


def test_of_this_machine_the_kernel_is_asked_and_answers() -> None:
    assert isinstance(is_clock_set(), bool)


@pytest.mark.parametrize("at_first", [True, False])
def test_entries_say_whether_the_clock_was_set_when_they_were_written(tmp_path: Path, at_first: bool) -> None:
    path, disk = tmp_path / "journal.db", SimDisk(lambda seconds: None)
    with closing(Journal(path, storage=disk)) as journal:
        disk.clock_set = at_first
        asyncio.run(journal.begin_match(("game: pepper", "rules: standard", "seats: 2", "hands: concealed")))
        asyncio.run(journal.append("deal 2"))
        disk.clock_set = True
        asyncio.run(journal.append("1 bid 1"))
    [kept] = read_journal(path)
    assert (kept.clock, kept.clocks) == (at_first, (at_first, True))
    match = played(kept)
    assert match.clock_set is at_first
    found = sessions([kept])
    lines = "\n".join(history_lines(found, {}, HistoryWords()))
    assert ("the clock was not set" in lines) is not at_first
    assert history_values(found, {})["sessions"][0]["matches"][0]["clock_set"] is at_first
    assert {row["clock_set"] for row in history_rows(found)} == {int(at_first)}


def test_entries_are_in_their_order_whatever_the_clock_says(tmp_path: Path) -> None:
    path, disk = tmp_path / "journal.db", SimDisk(lambda seconds: None)
    texts = ["deal 2", "1 bid 1", "2 pass", "1 trump S"]
    with closing(Journal(path, storage=disk)) as journal:
        asyncio.run(journal.begin_match(("game: pepper", "rules: standard", "seats: 2", "hands: concealed")))
        for step, text in zip((0.0, 9e6, -9e7, 3.0), texts, strict=True):
            disk.clock_step = step
            asyncio.run(journal.append(text))
    with closing(Journal(path)) as journal:
        found = journal.last_match()
        assert found is not None
        assert found[1] == texts
    [kept] = read_journal(path)
    assert list(kept.texts) == texts
    assert list(kept.times) != sorted(kept.times)


def test_a_table_whose_clock_was_never_set_plays_and_its_journal_says_so(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.disk.clock_set = False
        table.tap(2, Card("AC"))
        assert to_act(table.match) == (3,)
    [kept] = read_journal(tmp_path / "journal.db")
    assert kept.clocks[-1] is False
