"""Backups in a folder, made while the table runs; and whether a table may be stopped."""

import zipfile
from contextlib import closing
from pathlib import Path

import pytest
from at_table import DEALT, LED, write_journal
from click.testing import CliRunner, Result

from firmware.backup import JOURNAL, TABLE, Places, read_backup
from firmware.backups import backups, keep_backup
from firmware.command import main
from firmware.furnish import furnish
from firmware.journal import Journal
from firmware.journal_lock import is_held
from firmware.journal_reading import read_journal
from firmware.table_option import example

FILE = furnish("pepper", 4, dealer=4)


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    path = tmp_path / "tableref.db"
    write_journal(path, FILE, [DEALT])
    return path


def go_on(journal: Path) -> None:
    """Something more is played: what is to be kept has changed."""
    write_journal(journal, FILE, [DEALT])


def back_up(journal: Path, folder: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["backup", "--journal", str(journal), "--to", str(folder), *options])


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# Backups


def test_a_backup_can_be_brought_back(journal: Path, tmp_path: Path) -> None:
    done = back_up(journal, tmp_path / "kept")
    assert done.exit_code == 0
    assert names(tmp_path / "kept") == ["tableref-000001.zip"]
    files = read_backup(Path(done.output.strip()).read_bytes(), Places(journal))
    copy = tmp_path / "copy.db"
    copy.write_bytes(files[JOURNAL])
    assert read_journal(copy) == read_journal(journal)


def test_table_file_and_decks_are_kept_too(journal: Path, tmp_path: Path) -> None:
    table = example("four-seats.toml")
    back_up(journal, tmp_path / "kept", "--table", str(table))
    with zipfile.ZipFile(tmp_path / "kept/tableref-000001.zip") as archive:
        assert archive.read(TABLE) == table.read_bytes()
        assert archive.read("decks/deck-24.csv") == (table.parent / "deck-24.csv").read_bytes()


def test_a_table_that_runs_with_the_journal_writes_on(journal: Path, tmp_path: Path) -> None:
    with closing(Journal(journal)) as running:
        before = running.last_match()
        assert back_up(journal, tmp_path / "kept").exit_code == 0
        assert running.last_match() == before
        assert is_held(journal)
    assert read_journal(journal)


def test_the_newest_ones_are_kept(journal: Path, tmp_path: Path) -> None:
    for _ in range(4):
        back_up(journal, tmp_path / "kept", "--keep", "2")
        go_on(journal)
    assert names(tmp_path / "kept") == ["tableref-000003.zip", "tableref-000004.zip"]


def test_where_nothing_has_changed_no_old_one_is_pushed_out(journal: Path, tmp_path: Path) -> None:
    back_up(journal, tmp_path / "kept", "--keep", "1")
    done = back_up(journal, tmp_path / "kept", "--keep", "1", "--lang", "ru")
    assert (done.exit_code, done.output) == (0, "со времени последней резервной копии ничего не изменилось\n")
    assert names(tmp_path / "kept") == ["tableref-000001.zip"]


def test_a_damaged_journal_pushes_out_no_good_backup(journal: Path, tmp_path: Path) -> None:
    back_up(journal, tmp_path / "kept", "--keep", "1")
    kept = (tmp_path / "kept/tableref-000001.zip").read_bytes()
    data = bytearray(journal.read_bytes())
    data[4096:4400] = bytes(300)
    journal.write_bytes(data)
    done = back_up(journal, tmp_path / "kept", "--keep", "1")
    assert done.exit_code == 2
    assert len(done.output.splitlines()) == 1
    assert names(tmp_path / "kept") == ["tableref-000001.zip"]
    assert (tmp_path / "kept/tableref-000001.zip").read_bytes() == kept


def test_a_power_cut_while_it_is_written_leaves_the_others_and_no_half_one(
    journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kept"
    keep_backup(Places(journal), folder, 1)
    go_on(journal)

    def cut(descriptor: int) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("firmware.backups.os.fsync", cut)
        with pytest.raises(KeyboardInterrupt):
            keep_backup(Places(journal), folder, 1)
    assert [path.name for path in backups(folder)] == ["tableref-000001.zip"]
    keep_backup(Places(journal), folder, 1)
    assert names(folder) == ["tableref-000002.zip"]


def test_a_wrong_table_file_is_kept_as_it_is_and_said(journal: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    table.write_text("[table\n", encoding="utf-8")
    done = back_up(journal, tmp_path / "kept", "--table", str(table))
    assert done.exit_code == 0
    assert "the backup is without decks" in done.output
    with zipfile.ZipFile(tmp_path / "kept/tableref-000001.zip") as archive:
        assert archive.read(TABLE) == b"[table\n"


def test_without_a_table_file_the_journal_is_kept(journal: Path, tmp_path: Path) -> None:
    done = back_up(journal, tmp_path / "kept", "--table", str(tmp_path / "none.toml"))
    assert done.exit_code == 0
    assert "no such file; the backup is without it" in done.output


@pytest.mark.parametrize("language", ["en", "ru"])
def test_without_a_journal_none_is_made_and_none_is_begun(tmp_path: Path, language: str) -> None:
    done = back_up(tmp_path / "none.db", tmp_path / "kept", "--lang", language)
    assert done.exit_code == 2
    assert len(done.output.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_told(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = back_up(journal, tmp_path / "file" / "kept", "--lang", "ru")
    assert done.exit_code == 2
    assert done.output.startswith("не удалось сделать резервную копию в ")


# Whether it may be stopped


def idle(journal: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["idle", "--journal", str(journal), *options])


def test_a_table_with_a_match_that_is_not_over_may_not_be_stopped(journal: Path) -> None:
    with closing(Journal(journal)):
        done = idle(journal)
        assert (done.exit_code, done.output) == (1, "a game runs: pepper, match 1\n")
        assert idle(journal, "--lang", "ru").output == "идёт игра: pepper, матч 1\n"
    done = idle(journal)
    assert (done.exit_code, done.output) == (0, "no table runs\n")


def test_a_table_whose_match_is_over_may_be_stopped(tmp_path: Path) -> None:
    journal = tmp_path / "tableref.db"
    write_journal(journal, FILE, [*LED, "director void match"])
    with closing(Journal(journal)):
        done = idle(journal)
        assert (done.exit_code, done.output) == (0, "a table runs, and nobody plays\n")


def test_a_table_at_which_nobody_has_dealt_yet_may_be_stopped(tmp_path: Path) -> None:
    journal = tmp_path / "tableref.db"
    write_journal(journal, FILE, [])
    with closing(Journal(journal)):
        done = idle(journal)
        assert (done.exit_code, done.output) == (0, "a table runs, and nobody plays\n")


def test_where_no_journal_is_no_table_runs(tmp_path: Path) -> None:
    assert idle(tmp_path / "none.db").exit_code == 0
    assert list(tmp_path.iterdir()) == []


def test_who_only_looks_takes_no_lock(journal: Path) -> None:
    with closing(Journal(journal)):
        for _ in range(3):
            assert is_held(journal)
    assert not is_held(journal)
    with closing(Journal(journal)):
        pass


def test_where_the_kernel_tells_of_no_locks_none_is_held(journal: Path, tmp_path: Path) -> None:
    with closing(Journal(journal)):
        assert not is_held(journal, tmp_path / "locks")
        (tmp_path / "locks").write_text(f"1: -> FLOCK  ADVISORY  WRITE 12 00:1f:{journal.stat().st_ino} 0 EOF\n")
        assert not is_held(journal, tmp_path / "locks")


def test_a_table_file_that_is_far_too_large_is_left_out_and_said(journal: Path, tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    with table.open("wb") as huge:
        huge.truncate(1 << 40)
    done = back_up(journal, tmp_path / "kept", "--table", str(table))
    assert done.exit_code == 0
    assert "table.toml: File too large; the backup is without it" in done.output


def test_what_is_damaged_or_no_file_pushes_no_good_backup_out(journal: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    keep_backup(Places(journal), folder, 2)
    (folder / "tableref-000002.zip").write_bytes(b"PK damaged")
    (folder / "tableref-000009.zip").mkdir()
    go_on(journal)
    keep_backup(Places(journal), folder, 2)
    assert {"tableref-000001.zip", "tableref-000003.zip"} <= {path.name for path in backups(folder)}
