"""What keeps a table from starting, and what people are to do about it: the same words on its displays, in its log, on
its page and by `tableref doctor`.
"""

from pathlib import Path
from typing import NamedTuple

from engine.game import broken_games, games
from engine.phrases import Phrase, reason, said_by
from firmware.errors import BrokenGameError, DamagedError, DiskFullError, FileError, JournalError
from firmware.schema import NewerError
from hal.errors import TablerefHardwareError, WiringError
from hal.gpio import LgpioMissingError, LineBusyError


class Trouble(NamedTuple):
    """What is wrong and what to do. `passing`: it may go by itself, without a file that changes."""

    what: str
    todo: str
    passing: bool = False


def trouble_of(error: BaseException, table_file: Path) -> Trouble:
    """What an error at the start means for those who have the table."""
    what: str = said_by(error)
    match error:
        case BrokenGameError():
            todo = Phrase("install the game's package anew, or name another game in [game] of {file}",
                          file=table_file.name)  # fmt: skip
            return Trouble(what, todo)
        case FileError() if error.file != str(table_file):
            todo = Phrase("mend the deck file; `tableref deck check` tells all that is wrong in it")
            return Trouble(what, todo)
        case FileError() | WiringError():
            return Trouble(what, Phrase("mend this line of {file}; the table starts by itself then",
                                        file=table_file.name))  # fmt: skip
        case NewerError():
            todo = Phrase("install the newer program again, or move the journal away to begin anew")
            return Trouble(what, todo)
        case DiskFullError():
            return Trouble(what, Phrase("make room on the disk; the table starts by itself then"), passing=True)
        case DamagedError():
            return Trouble(what, Phrase("move the journal away, or restore a backup"))
        case JournalError():
            todo = Phrase("see that the journal's folder is there and can be written to, and that no other table runs")
            return Trouble(what, todo, passing=True)
        case LgpioMissingError():
            return Trouble(what, Phrase("install the program anew: its GPIO library is missing"))
        case LineBusyError():
            todo = Phrase("end the other program that has the lines; `tableref doctor` tells more")
            return Trouble(what, todo, passing=True)
        case TablerefHardwareError():
            todo = Phrase("`tableref doctor` tells what is missing, and what to do about it")
            return Trouble(what, todo, passing=True)
        case OSError():
            what = Phrase("{path}: {why}; expected a table file", path=error.filename or table_file,
                          why=reason(error))  # fmt: skip
            return Trouble(what, Phrase("put the table file there; the table starts by itself then"))
        case _:
            return _unforeseen(error)


def _unforeseen(error: BaseException) -> Trouble:
    """A fault of the program itself, or of a game that was installed."""
    text = " ".join(str(error).split())[:200]
    name = type(error).__name__
    why, game = f"{name}: {text}" if text else name, _game_in(error)
    if game:
        what: str = Phrase("the game {game} has failed: {why}", game=game, why=why)
        return Trouble(what, Phrase("play another game: name it in [game] of the table file; or install this one anew"))
    what = Phrase("the program has failed: {why}", why=why)
    todo = Phrase("press OK to try again; `tableref bundle` collects what a report of it needs")
    return Trouble(what, todo)


def _game_in(error: BaseException) -> str:
    """The game of another package in which an error came about, by its name; nothing: in none."""
    roots = {type(game).__module__.partition(".")[0]: name for name, game in games().items()}
    roots.pop("engine", None)
    step, found = error.__traceback__, ""
    while step is not None:
        found = roots.get(str(step.tb_frame.f_globals.get("__name__", "")).partition(".")[0], found)
        step = step.tb_next
    return found


def broken_game_lines() -> list[str]:
    """What is to be said of games that are installed and cannot be used, whether or not one is played."""
    return [
        Phrase("the game {name} cannot be loaded: {why}; its package is left out", name=name, why=why)
        for name, why in broken_games().items()
    ]
