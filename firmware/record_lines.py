"""The lines of a match's record as it grows: those of long ago are read from the journal when they are asked for."""

from collections.abc import Callable, Iterable


def laid_out(texts: Iterable[str]) -> list[str]:
    """The lines of entries as they stand in the record, an empty one before each deal."""
    lines: list[str] = []
    for text in texts:
        _lay_out(lines, text, bool(lines))
    return lines


def _lay_out(lines: list[str], text: str, follows: bool) -> None:
    lines.extend(([""] if text.startswith("deal") and follows else []) + text.split("\n"))


def record_text(header: str, texts: Iterable[str]) -> str:
    """The record of a match that a journal holds, as the table exports it."""
    return "\n".join([header, "", *laid_out(texts)]) + "\n"


class RecordLines:
    """The lines without the header: of `texts`, behind so many lines that are `earlier`, with the `comments` among
    those; `load` gives the entries that they are of.
    """

    def __init__(
        self,
        texts: Iterable[str] = (),
        earlier: int = 0,
        comments: Iterable[str] = (),
        load: Callable[[], list[str]] = list,
    ) -> None:
        self._earlier = earlier
        self._load = load
        self._lines: list[str] = []
        self.comments = list(comments)
        """Those that are no entries, but tell of something."""
        for text in texts:
            self.add(text)

    def __len__(self) -> int:
        return self._earlier + len(self._lines)

    def add(self, text: str) -> None:
        """The next entry."""
        _lay_out(self._lines, text, bool(len(self)))
        if text.startswith("#"):
            self.comments += comments_in([text])

    def all(self) -> list[str]:
        """Every one of them."""
        if self._earlier:
            self._lines = laid_out(self._load()) + self._lines
            self._earlier = 0
        return self._lines

    def forget(self, earlier: int, load: Callable[[], list[str]]) -> None:
        """Have so many of the first lines no more at hand."""
        self._lines = self._lines[earlier - self._earlier :]
        self._earlier, self._load = earlier, load


def comments_in(texts: Iterable[str]) -> list[str]:
    """The comments among the lines of entries."""
    return [line for text in texts if text.startswith("#") for line in text.split("\n") if line.startswith("#")]
