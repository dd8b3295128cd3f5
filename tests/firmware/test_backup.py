"""A backup: whole or not at all, checked before anything is touched, taken up at the next start."""

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from at_table import DEALT, journal_rows, write_journal

from firmware.backup import JOURNAL, LARGEST, MANIFEST, BackupError, Places, read_backup, write_backup
from firmware.decks import load
from firmware.errors import JournalError
from firmware.furnish import furnish
from firmware.generations import generation
from firmware.restoring import stage, staged, take_up_backup
from firmware.simulated import SimulatedTable

FILE = furnish("pepper", 4, dealer=4)


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """A journal with a deal, a table file, and a deck in a folder of decks."""
    journal, table, decks = tmp_path / "journal.db", tmp_path / "table.toml", tmp_path / "decks"
    write_journal(journal, FILE, [DEALT])
    table.write_text("# a table\n", encoding="utf-8")
    decks.mkdir()
    (decks / "red.csv").write_text("04A1B2C3D4E5F6, 9C\n", encoding="utf-8")
    return Places(journal, table, (load(decks / "red.csv"),), decks)


def backup(places: Places) -> bytes:
    out = io.BytesIO()
    write_backup(places, out)
    return out.getvalue()


def packed(files: dict[str, bytes], manifest: object = None) -> bytes:
    """A ZIP file of these files, with a manifest that lists them unless another is given."""
    listed = {name: {"size": len(data), "sha256": sha256(data).hexdigest()} for name, data in files.items()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        told = manifest if manifest is not None else {"format": "tableref-backup", "version": 1, "files": listed}
        archive.writestr(MANIFEST, json.dumps(told))
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_a_backup_lists_what_it_holds_with_sizes_and_sums(places: Places) -> None:
    with zipfile.ZipFile(io.BytesIO(backup(places))) as archive:
        manifest = json.loads(archive.read(MANIFEST))
        assert {*manifest["files"]} == {JOURNAL, "table.toml", "decks/red.csv"} == {*archive.namelist()} - {MANIFEST}
        for name, facts in manifest["files"].items():
            data = archive.read(name)
            assert (facts["size"], facts["sha256"]) == (len(data), sha256(data).hexdigest())


def test_a_journal_is_copied_as_it_is_at_one_moment_while_a_table_writes(places: Places, tmp_path: Path) -> None:
    with SimulatedTable(FILE, places.journal) as table:
        table.choose(1, "so-it-is")
        table.choose(1, "4")
        files = read_backup(backup(places), places)
        table.choose(2, "pass")
    copy = tmp_path / "copy.db"
    copy.write_bytes(files[JOURNAL])
    assert [text for _, text in journal_rows(copy)] == [DEALT, "1 bid 4"]


def _with_sum(listed: Any) -> dict[str, object]:
    return {name: {**facts, "sha256": "0" * 64} for name, facts in listed.items()}


def broken() -> list[tuple[str, Callable[[dict[str, bytes]], bytes]]]:
    good = {"format": "tableref-backup", "version": 1}

    def with_manifest(change: Callable[[dict[str, object]], object]) -> Callable[[dict[str, bytes]], bytes]:
        def made(files: dict[str, bytes]) -> bytes:
            listed = {name: {"size": len(data), "sha256": sha256(data).hexdigest()} for name, data in files.items()}
            return packed(files, change({**good, "files": listed}))

        return made

    def damaged(files: dict[str, bytes]) -> bytes:
        data = bytearray(packed(files))
        data[len(data) // 3] ^= 0xFF
        return bytes(data)

    def twice(files: dict[str, bytes]) -> bytes:
        out = io.BytesIO(packed(files))
        with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(out, "a") as archive:
            archive.writestr(JOURNAL, b"")
        return out.getvalue()

    return [
        ("nothing", lambda files: b""),
        ("no archive", lambda files: b"PK\x03\x04" + b"\0" * 100),
        ("cut off", lambda files: packed(files)[:-40]),
        ("a byte changed", damaged),
        ("a file twice", twice),
        ("no manifest", lambda files: packed(files).replace(b"manifest.json", b"manifest.jsom")),
        ("another version", with_manifest(lambda told: {**told, "version": 2})),
        ("a list", with_manifest(lambda told: [])),
        ("sizes that are no numbers", with_manifest(lambda told: {**told, "files": {JOURNAL: {"size": "1"}}})),
        ("another sum", with_manifest(lambda told: {**told, "files": _with_sum(told["files"])})),
        ("no journal", lambda files: packed({"table.toml": b"x"})),
        ("a path upward", lambda files: packed({**files, "../evil.csv": b"x"})),
        ("an absolute path", lambda files: packed({**files, "/tmp/evil.csv": b"x"})),
        ("a path upward in decks", lambda files: packed({**files, "decks/../../evil.csv": b"x"})),
        ("a hidden file", lambda files: packed({**files, "decks/.evil.csv": b"x"})),
        ("a program", lambda files: packed({**files, "run.sh": b"x"})),
        ("too many files", lambda files: packed({**files, **{f"decks/{number}.csv": b"" for number in range(50)}})),
        ("a journal that is none", lambda files: packed({**files, JOURNAL: b"SQLite format 3\0" + b"\0" * 200})),
        ("a deck that is no text", lambda files: packed({**files, "decks/red.csv": b"\xff\xfe"})),
        ("a bomb", lambda files: packed({**files, "decks/bomb.csv": b"\0" * (LARGEST + 1)})),
    ]  # fmt: skip


@pytest.mark.few(4)
@pytest.mark.parametrize(("what", "make"), broken(), ids=[what for what, _ in broken()])
def test_what_is_no_backup_is_refused_and_nothing_is_touched(
    places: Places, tmp_path: Path, what: str, make: Callable[[dict[str, bytes]], bytes]
) -> None:
    files = read_backup(backup(places), places)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(BackupError):
        read_backup(make(files), places)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_a_file_that_unpacks_to_more_than_its_manifest_says_is_read_no_further(places: Places) -> None:
    files = read_backup(backup(places), places)
    listed = {name: {"size": 10, "sha256": "0" * 64} for name in files}
    data = packed({**files, "table.toml": b"\0" * 30_000_000},
                  {"format": "tableref-backup", "version": 1, "files": listed})  # fmt: skip
    with pytest.raises(BackupError, match="larger"):
        read_backup(data, places)


# Restoring


def restored(places: Places) -> list[str]:
    said: list[str] = []
    take_up_backup(places.journal, said.append)
    return said


def test_a_staged_backup_is_taken_up_at_the_next_start_and_what_was_there_is_kept(
    places: Places, tmp_path: Path
) -> None:
    data = backup(places)
    with SimulatedTable(FILE, places.journal) as table:
        table.choose(1, "so-it-is")
        table.choose(1, "4")
        assert places.table is not None
        places.table.write_text("# another\n", encoding="utf-8")
        stage(read_backup(data, places), places)
        assert journal_rows(places.journal)[-1][1] == "1 bid 4"  # not yet
        table.restart()
        assert table.loop.lines[-1] != "1 bid 4"
    assert places.table.read_text(encoding="utf-8") == "# a table\n"
    assert [path.read_text(encoding="utf-8") for path in tmp_path.glob("table.toml.before-*")] == ["# another\n"]
    kept = [path for path in tmp_path.glob("journal.db.before-*") if not path.name.endswith(("-wal", "-shm"))]
    assert [text for _, text in journal_rows(kept[0])] == [DEALT, "1 bid 4"]
    assert not staged(places.journal).exists()


def test_copies_of_the_journal_before_do_not_come_back_in_the_place_of_the_restored_one(places: Places) -> None:
    data = backup(places)
    with SimulatedTable(FILE, places.journal) as table:
        table.choose(1, "so-it-is")
        table.choose(1, "4")
        table.journal.copy()
    assert generation(places.journal, 1).exists()
    stage(read_backup(data, places), places)
    with SimulatedTable(FILE, places.journal) as table:
        assert "1 bid 4" not in table.loop.lines


def test_nothing_staged_does_nothing(places: Places) -> None:
    before = places.journal.read_bytes()
    assert restored(places) == []
    assert places.journal.read_bytes() == before


@pytest.mark.parametrize("moves", range(4))
def test_a_start_that_is_cut_short_is_gone_on_with_at_the_next(
    places: Places, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    from firmware import restoring

    data, plain, done = backup(places), restoring._move, 0
    places.journal.write_bytes(places.journal.read_bytes())
    with closing(sqlite3.connect(places.journal)) as file:
        file.execute("INSERT INTO line (match, number, text, wall_time) VALUES (1, 2, '1 bid 4', 0.0)")
        file.commit()
    stage(read_backup(data, places), places)

    def cut(kept: Path, target: Path) -> None:
        nonlocal done
        if done == moves:
            raise KeyboardInterrupt
        done += 1
        plain(kept, target)

    with monkeypatch.context() as patch:
        patch.setattr(restoring, "_move", cut)
        if moves < 3:
            with pytest.raises(KeyboardInterrupt):
                restored(places)
            assert staged(places.journal).exists()
    restored(places)
    assert [text for _, text in journal_rows(places.journal)] == [DEALT]
    assert not staged(places.journal).exists()


@pytest.mark.parametrize(
    ("name", "text", "why"), [("0", b"other", "not as it was staged"), ("plan.json", b"", ""), ("plan.json", b"[]", "")]
)
def test_what_was_staged_and_is_damaged_by_then_is_set_aside_and_play_goes_on(
    places: Places, name: str, text: bytes, why: str
) -> None:
    stage(read_backup(backup(places), places), places)
    (staged(places.journal) / name).write_bytes(text)
    before, told = places.journal.read_bytes(), list[str]()
    take_up_backup(places.journal, told.append)
    assert places.journal.read_bytes() == before
    [said] = told
    assert why in said
    [aside] = places.journal.parent.glob("*.restore.damaged-*")
    assert aside.name in said
    assert not staged(places.journal).exists()


def test_a_backup_that_waits_goes_as_a_whole_when_another_is_staged(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage(read_backup(backup(places), places), places)
    waiting = {path.name: path.read_bytes() for path in staged(places.journal).iterdir()}

    other = read_backup(backup(places), places)

    def cut(folder: Path, *, ignore_errors: bool = False) -> None:
        if folder.exists():
            raise KeyboardInterrupt

    monkeypatch.setattr("firmware.restoring.shutil.rmtree", cut)
    with pytest.raises(KeyboardInterrupt):
        stage(other, places)
    assert {path.name for path in staged(places.journal).iterdir()} == set(waiting), "the one or the other, whole"


def test_nobody_takes_up_a_backup_under_a_table_that_runs(places: Places) -> None:
    stage(read_backup(backup(places), places), places)
    folder = staged(places.journal)
    hidden = folder.rename(folder.with_name("hidden"))
    with SimulatedTable(FILE, places.journal):
        hidden.rename(folder)
        with pytest.raises(JournalError):
            restored(places)
