"""Who has what in a table file, to find two that want the same."""

from hal.phrases import Phrase
from hal.toml_lines import KeyPath, TomlFile


class Taken:
    """Things of one kind, each with its owner and the place in the file that says so."""

    def __init__(self, file: TomlFile) -> None:
        self._file = file
        self._owners: dict[object, tuple[str, KeyPath]] = {}

    def take(self, thing: object, words: str, owner: str, path: KeyPath, expected: str) -> None:
        """Give `thing` to `owner`, as `path` says. Raises WiringError when another has it."""
        if thing in self._owners:
            first, first_path = self._owners[thing]
            where = Phrase("line {line} of the file", line=self._file.line(first_path))
            raise self._file.error(
                path,
                Phrase(
                    "{words} is taken by {first} ({where}); expected {expected}",
                    words=words,
                    first=first,
                    where=where,
                    expected=expected,
                ),
            )
        self._owners[thing] = (owner, path)
