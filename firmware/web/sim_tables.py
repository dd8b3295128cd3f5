"""Tables that can be had in place of a simulated one: what there is to choose from, and what is made of a choice."""

from typing import Any

from engine.game import games
from engine.phrases import said_by
from firmware.furnish import READERS, FurnishError, furnish
from firmware.tablefile import TableFile
from firmware.ways import WAYS
from firmware.web.deeds import Table
from firmware.web.world import DeedError
from firmware.words import LANGUAGES, Words


def choices() -> dict[str, Any]:
    """Every game with its rule sets and numbers of seats, with titles in each language; readers; ways of dealing."""
    return {"games": [_game(name) for name in games()], "readers": list(READERS), "ways": list(WAYS)}


def _game(name: str) -> dict[str, Any]:
    game = games()[name]
    words = {language: Words(game, language) for language in LANGUAGES}
    rules = [
        {"name": one, "title": {language: said.rule_set(one) for language, said in words.items()}}
        for one in game.rule_sets
    ]
    title = {language: said.title() for language, said in words.items()}
    return {"name": name, "title": title, "seats": list(game.seats), "rules": rules}


def table_of(wanted: Table) -> TableFile:
    """The table that was chosen; raises `DeedError`."""
    try:
        return furnish(
            wanted.game, wanted.seats, wanted.rules, readers=wanted.readers, deal=wanted.deal, language=wanted.language
        )
    except FurnishError as error:
        raise DeedError("no-table", said_by(error)) from None


def bots_of(wanted: Table) -> tuple[int, ...]:
    """The seats that bots sit at."""
    return tuple(range(2, wanted.seats + 1)) if wanted.bots else ()
