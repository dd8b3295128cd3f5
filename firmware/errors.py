"""Errors in what people write for the table. One root; each leaf also inherits the standard type that it is."""

from engine.phrases import Phrase


class TableError(Exception):
    """Root of the firmware's errors; its text is one line that says where and what was expected."""


class FileError(TableError, ValueError):
    """A file that cannot be used: its name, line (0: the file as a whole), and what was expected."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(Phrase("{place}: {problem}", place=f"{file}:{line}" if line else file, problem=problem))
        self.file = file
        self.line = line


class BrokenGameError(FileError):
    """A table file names a game whose package cannot be used."""


class JournalError(TableError, OSError):
    """The journal cannot be written or read."""


class DamagedError(JournalError):
    """The journal is damaged: `problem` says what is wrong in it."""

    def __init__(self, problem: str) -> None:
        super().__init__(Phrase("the journal is damaged: {problem}; move the file away to begin anew", problem=problem))
        self.problem = problem


class DiskFullError(JournalError):
    """The journal cannot be written, for its disk is full. What it holds is whole, and it goes on with room."""
