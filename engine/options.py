"""Options of a rule set: their values, and what is said of a wrong one."""

from collections.abc import Mapping
from typing import NamedTuple

from engine.phrases import Phrase, either

OptionValue = bool | int | str


class OptionError(ValueError):
    """An option that a game does not have, or a value that it does not take. The text names both and what it takes."""


class Choice(NamedTuple):
    """An option that takes one of a few values, each written as its text."""

    values: tuple[OptionValue, ...]

    @property
    def expected(self) -> str:
        """The values in words."""
        return either(option_text(value) for value in self.values)

    def parse(self, text: str) -> OptionValue | None:
        """The value that a text writes, or None."""
        return next((value for value in self.values if option_text(value) == text), None)


class Number(NamedTuple):
    """An option that takes a whole number from `least` to `most`."""

    least: int
    most: int

    @property
    def expected(self) -> str:
        """The values in words."""
        return Phrase("a whole number from {least} to {most}", least=self.least, most=self.most)

    def parse(self, text: str) -> OptionValue | None:
        """The value that a text writes, or None."""
        if not (text.isascii() and text.isdigit() and (text == "0" or text[0] != "0") and len(text) < 10):
            return None
        return int(text) if self.least <= int(text) <= self.most else None


Option = Choice | Number
BOOLEAN = Choice((True, False))


def option_text(value: OptionValue) -> str:
    """An option's value as records write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def parse_option(options: Mapping[str, Option], name: str, text: str) -> OptionValue:
    """The value that `text` gives to the option `name`; raises `OptionError`."""
    if name not in options:
        raise OptionError(Phrase("no option {name!r}; expected one of {listed}", name=name, listed=", ".join(options)))
    value = options[name].parse(text)
    if value is None:
        raise OptionError(
            Phrase(
                "option {name} cannot be {text!r}; expected {expected}",
                name=name,
                text=text,
                expected=options[name].expected,
            )
        )
    return value
