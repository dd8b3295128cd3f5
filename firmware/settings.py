"""What a table remembers from one evening to the next: settings by name, in the journal.

A setting is a text; what it means stands with the one who asks for it. One that is not there, or that is damaged, is as
if it had never been set.
"""

from collections.abc import Mapping

LANGUAGE = "language"


class Settings:
    """Settings by name. They are changed after they are durable."""

    def __init__(self, values: Mapping[str, str] = {}) -> None:
        self._values = dict(values)
        self.changes = 0
        """How often one was set."""

    def get(self, key: str, otherwise: str = "") -> str:
        """The text of a setting."""
        return self._values.get(key, otherwise)

    def number(self, key: str, otherwise: int, least: int, most: int) -> int:
        """A setting that is a whole number within bounds."""
        text = self._values.get(key, "")
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 6 else otherwise
        return value if least <= value <= most else otherwise

    def put(self, key: str, value: str) -> None:
        """Note a setting that is durable now."""
        self._values[key] = value
        self.changes += 1
