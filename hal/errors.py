"""The errors that this room raises. One root; each leaf also is the standard type that it resembles.

A device that fails while the table runs is an event (`DeviceLost`), not an exception: these errors are for
what cannot start at all, or pass between a driver and the object that steps it.
"""

from hal.phrases import Phrase


class TablerefHardwareError(Exception):
    """Root of all errors of the hardware room."""


class WiringError(TablerefHardwareError, ValueError):
    """The table file cannot be used as it stands.

    `str()` is one line: ``FILE:LINE: what is wrong; expected …``.

    `line` and `column` count from 1; `column` is None where only the line is known.
    """

    def __init__(self, file: str, line: int, message: str, column: int | None = None) -> None:
        self.file = file
        self.line = line
        self.column = column
        self.message = message.mapped(_one_line) if isinstance(message, Phrase) else _one_line(message)
        super().__init__(file, line, self.message, column)

    def __str__(self) -> str:
        return str(self.said)

    @property
    def said(self) -> Phrase:
        """Place and message."""
        place = f"{self.file}:{self.line}" if self.column is None else f"{self.file}:{self.line}:{self.column}"
        return Phrase("{place}: {problem}", place=place, problem=self.message)


def _one_line(text: str) -> str:
    return " ".join(text.split())


class ReaderError(TablerefHardwareError, OSError):
    """A card reader does not answer as its kind does, or not at all. The words are for logs."""


class CommandRefusedError(ReaderError):
    """A chip that answers does not do what it was told."""
