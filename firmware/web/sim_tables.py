"""Tables that can be had in place of a simulated one: what there is to choose from, and what is made of a choice."""

from collections.abc import Mapping
from typing import Any

from engine.game import games
from engine.options import Choice, Option, OptionError, option_text, parse_option
from engine.phrases import said_by
from firmware.furnish import READERS, FurnishError, furnish
from firmware.phrases import tell
from firmware.tablefile import TableFile
from firmware.ways import WAYS
from firmware.web.deeds import Table
from firmware.web.world import DeedError
from firmware.words import LANGUAGES, Words


def choices() -> dict[str, Any]:
    """Every game with its rule sets, options and numbers of seats, with titles in each language; readers; ways of
    dealing.
    """
    return {"games": [_game(name) for name in games()], "readers": list(READERS), "ways": list(WAYS)}


def _game(name: str) -> dict[str, Any]:
    game = games()[name]
    words = {language: Words(game, language) for language in LANGUAGES}
    rules = [
        {
            "name": one,
            "title": {language: said.rule_set(one) for language, said in words.items()},
            "options": {option: option_text(value) for option, value in values.items()},
        }
        for one, values in game.rule_sets.items()
    ]
    title = {language: said.title() for language, said in words.items()}
    options = [_option(option, kind, words) for option, kind in game.options.items()]
    return {"name": name, "title": title, "seats": list(game.seats), "rules": rules, "options": options}


def _option(name: str, kind: Option, words: Mapping[str, Words]) -> dict[str, Any]:
    """An option with the values that it takes: a few, with their words, or all numbers between two."""
    about: dict[str, Any] = {"name": name, "title": {lang: said.option(name) for lang, said in words.items()}}
    if isinstance(kind, Choice):
        values = [
            {"value": option_text(value), "title": {lang: said.value(value) for lang, said in words.items()}}
            for value in kind.values
        ]
        return {**about, "values": values}
    return {**about, "least": kind.least, "most": kind.most}


def table_of(wanted: Table) -> TableFile:
    """The table that was chosen; raises `DeedError`, in the language of the table."""
    declared = games()[wanted.game].options if wanted.game in games() else {}
    try:
        options = {name: parse_option(declared, name, text) for name, text in wanted.options.items() if declared}
        return furnish(
            wanted.game, wanted.seats, wanted.rules, options=options, readers=wanted.readers, names=wanted.names,
            deal=wanted.deal, language=wanted.language,
        )  # fmt: skip
    except (FurnishError, OptionError) as error:
        raise DeedError("no-table", tell(said_by(error), wanted.language)) from None


def bots_of(wanted: Table) -> tuple[int, ...]:
    """The seats that bots sit at; raises `DeedError`."""
    if wanted.bots is None:
        return tuple(range(2, wanted.seats + 1))
    if any(seat > wanted.seats for seat in wanted.bots):
        raise DeedError("no-seat", f"no seat {max(wanted.bots)}; expected 1 to {wanted.seats}")
    return tuple(sorted({*wanted.bots}))
