"""The plug is pulled at every call that changes a file: what a table writes is then the old or the new one, whole.

Started with `plug.c` before the C library: `python plug_lives.py WHAT FOLDER STEP`. Each life is a process of its own
that ends at its Nth such call, before it or in the middle of the write. Prints how many calls there are, how many files
were renamed before they were on disk, how many lives were led, and what was found broken afterwards, as JSON.
"""

import asyncio
import ctypes
import io
import json
import os
import shutil
import sys
import tempfile
import traceback
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from firmware.backup import Places, read_backup, write_backup
from firmware.deck import deck_of
from firmware.decks import Kept, save
from firmware.errors import DamagedError
from firmware.generations import generations, is_sound, make_copy
from firmware.journal import Journal
from firmware.journal_reading import read_journal
from firmware.last_good import keep_good, kept_copy
from firmware.recovering import recover
from firmware.restoring import stage, take_up_backup
from firmware.schema import kept_as
from firmware.storage import Disk
from firmware.whole import write_whole
from hal.capture import CaptureError, read_capture
from hal.clock import SteadyClock
from hal.recorder import Recorder

HEADER = ["game: pepper", "rules: standard", "seats: 2", "hands: concealed"]
OLD = ["deal 2", "1 bid 1", "2 pass", "1 trump S"]
DECK = "04A1B2C3D4E5F6, AS\n"
MORE = DECK + "04A1B2C3D4E5F7, KS\n"


class Scene(NamedTuple):
    """What there is before, what is done, and what must hold afterwards, whenever it was cut short."""

    before: Callable[[Path], None]
    done: Callable[[Path], None]
    after: Callable[[Path], None]


def play(path: Path, *texts: str) -> None:
    with closing(Journal(path)) as journal:
        if journal.last_match() is None:
            asyncio.run(journal.begin_match(HEADER))
        for text in texts:
            asyncio.run(journal.append(text))


def entries(path: Path) -> list[str]:
    """As a table that comes up finds them; nothing may have been damaged."""
    told: list[str] = []
    recover(path, HEADER, told.append)
    assert told == [], told
    with closing(Journal(path)) as journal:
        found = journal.last_match()
    return found[1] if found is not None else []


def among(found: object, *possible: object) -> None:
    assert found in possible, found


# The journal, with settings and names in it


def journal_done(folder: Path) -> None:
    with closing(Journal(folder / "j.db")) as journal:
        journal.last_match()
        asyncio.run(journal.append("1 play 9S"))
        asyncio.run(journal.keep("names", '["New"]'))


def journal_after(folder: Path) -> None:
    found = entries(folder / "j.db")
    among(found, OLD, [*OLD, "1 play 9S"])
    with closing(Journal(folder / "j.db")) as journal:
        names = journal.setting("names")
    among(names, '["Old"]', '["New"]')
    assert names == '["Old"]' or found != OLD


def journal_before(folder: Path) -> None:
    play(folder / "j.db", *OLD)
    with closing(Journal(folder / "j.db")) as journal:
        asyncio.run(journal.keep("names", '["Old"]'))


def first_after(folder: Path) -> None:
    path = folder / "j.db"
    if path.exists():
        among(entries(path), [], ["deal 2"])


def copy_before(folder: Path) -> None:
    play(folder / "j.db", *OLD)
    for _ in range(3):
        make_copy(folder / "j.db", Disk())
    play(folder / "j.db", "1 play 9S")


def copy_after(folder: Path) -> None:
    assert entries(folder / "j.db") == [*OLD, "1 play 9S"]
    sound = [copy for copy in generations(folder / "j.db") if is_sound(copy)]
    assert len(sound) >= 2
    make_copy(folder / "j.db", Disk())


def older_before(folder: Path) -> None:
    shutil.copy(Path(__file__).parent / "old_journals" / "version-1-notes.db", folder / "j.db")


def older_after(folder: Path) -> None:
    assert entries(folder / "j.db") == OLD
    kept = kept_as(folder / "j.db", 1)
    assert not kept.exists() or list(read_journal(kept)[0].texts) == OLD


def damaged_before(folder: Path) -> None:
    play(folder / "j.db", *OLD)
    make_copy(folder / "j.db", Disk())
    data = (folder / "j.db").read_bytes()
    (folder / "j.db").write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))


def damaged_after(folder: Path) -> None:
    recover(folder / "j.db", HEADER, lambda text: None)
    assert entries(folder / "j.db") == OLD


# Files


def deck_done(folder: Path) -> None:
    path = folder / "deck.csv"
    save(Kept("deck", deck_of(MORE, "deck"), MORE, path), Kept("deck", deck_of(DECK, "deck"), DECK, path))


def whole(name: str, *possible: bytes) -> Callable[[Path], None]:
    return lambda folder: among((folder / name).read_bytes(), *possible)


def copied_after(folder: Path) -> None:
    among(kept_copy(folder / "j.db").read_bytes(), b"old\n", b"new\n")


def capture_done(folder: Path) -> None:
    with (folder / "c").open("x", encoding="utf-8") as out:
        recorder = Recorder(out, SteadyClock(), {"seed": 1})
        for number in range(6):
            recorder.note("table", "heard", f"{number}")
        recorder.end()


def capture_after(folder: Path) -> None:
    if not (folder / "c").exists():
        return
    try:
        found = [entry.data for entry in read_capture(folder / "c").entries if entry.kind == "heard"]
    except CaptureError as error:
        if error.line != 1:
            raise
        return
    assert found == [str(number) for number in range(len(found))]


def zip_done(folder: Path) -> None:
    out = folder / "b.zip"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("log.txt", "x" * 9000)
    write_whole(out, data.getvalue())


def zip_after(folder: Path) -> None:
    if (folder / "b.zip").exists():
        with zipfile.ZipFile(folder / "b.zip") as archive:
            assert archive.testzip() is None


# A backup


def backup_before(folder: Path) -> None:
    places = places_of(folder)
    (folder / "t.toml").write_text("# of the backup\n", encoding="utf-8")
    play(folder / "j.db", "deal 2")
    out = io.BytesIO()
    write_backup(places, out)
    (folder / "backup.zip").write_bytes(out.getvalue())
    for entry in folder.glob("j.db*"):
        entry.unlink()
    play(folder / "j.db", *OLD)
    (folder / "t.toml").write_text("# newer\n", encoding="utf-8")


def places_of(folder: Path) -> Places:
    return Places(folder / "j.db", folder / "t.toml")


def backup_done(folder: Path) -> None:
    places = places_of(folder)
    stage(read_backup((folder / "backup.zip").read_bytes(), places), places)
    take_up_backup(folder / "j.db", lambda text: None)


def backup_after(folder: Path) -> None:
    take_up_backup(folder / "j.db", lambda text: None)
    found, table = entries(folder / "j.db"), (folder / "t.toml").read_text(encoding="utf-8")
    among((found, table), (OLD, "# newer\n"), (["deal 2"], "# of the backup\n"))


def writes(name: str, text: str) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / name).write_text(text, encoding="utf-8")

    return write


def good_before(folder: Path) -> None:
    (folder / "t.toml").write_text("old\n", encoding="utf-8")
    keep_good(folder / "t.toml", folder / "j.db")
    (folder / "t.toml").write_text("new\n", encoding="utf-8")


# What must be found out


def in_place(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def unsynced(path: Path, text: str) -> None:
    fresh = path.with_name("fresh")
    fresh.write_text(text, encoding="utf-8")
    fresh.replace(path)


SCENES = {
    "journal": Scene(journal_before, journal_done, journal_after),
    "first": Scene(lambda folder: None, lambda folder: play(folder / "j.db", "deal 2"), first_after),
    "copy": Scene(copy_before, lambda folder: make_copy(folder / "j.db", Disk()), copy_after),
    "older": Scene(older_before, lambda folder: Journal(folder / "j.db").close(), older_after),
    "damaged": Scene(damaged_before, lambda folder: recover(folder / "j.db", HEADER, lambda text: None), damaged_after),
    "deck": Scene(writes("deck.csv", DECK), deck_done, whole("deck.csv", DECK.encode(), MORE.encode())),
    "export": Scene(writes("m.ctr", "old"), lambda folder: write_whole(folder / "m.ctr", "new" * 9000),
                    whole("m.ctr", b"old", b"new" * 9000)),
    "table": Scene(good_before, lambda folder: keep_good(folder / "t.toml", folder / "j.db"), copied_after),
    "capture": Scene(lambda folder: None, capture_done, capture_after),
    "bundle": Scene(lambda folder: None, zip_done, zip_after),
    "in place": Scene(writes("t", "old" * 9000), lambda folder: in_place(folder / "t", "new" * 9000),
                      whole("t", b"old" * 9000, b"new" * 9000)),
    "unsynced": Scene(writes("t", "old"), lambda folder: unsynced(folder / "t", "new"), whole("t", b"old", b"new")),
    "backup": Scene(backup_before, backup_done, backup_after),
}  # fmt: skip


def life(plug: ctypes.CDLL, scene: Scene, folder: Path, calls: int, half: bool) -> tuple[int, int]:
    """Lead one; how many calls it came to, or -1 where it was ended; and how many files it has renamed too early."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        status = 0
        try:
            plug.plug_arm(str(folder).encode(), calls, int(half))
            scene.done(folder)
            os.write(writing, f"{plug.plug_count()} {plug.plug_early()}".encode())
        except BaseException:
            os.write(writing, b"0 0")
            status = 1
            traceback.print_exc()
        os._exit(status)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    os.waitpid(child, 0)
    count, early = said.split() if said else ("-1", "0")
    return int(count), int(early)


def main(what: str, below: Path, step: int) -> None:
    plug, scene = ctypes.CDLL(None), SCENES[what]
    sys.stderr, silent = io.StringIO(), sys.stderr
    template = below / "template"
    template.mkdir()
    scene.before(template)
    tempfile.tempdir = str(below)
    broken, lives = [], 0

    def fresh() -> Path:
        folder = below / "here"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(template, folder)
        return folder

    total, early = life(plug, scene, fresh(), 0, half=False)
    for half in (False, True):
        for calls in range(1 + half * (step // 2), total + 1, step):
            folder = fresh()
            ended = life(plug, scene, folder, calls, half)
            lives += 1
            try:
                assert ended == (-1, 0), "it was not ended"
                scene.after(folder)
            except (Exception, DamagedError) as error:
                broken.append([calls, half, f"{type(error).__name__}: {error}"])
    sys.stderr = silent
    print(json.dumps({"calls": total, "early": early, "lives": lives, "broken": broken}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
