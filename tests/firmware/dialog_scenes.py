"""Screens of the table's own business with a place, as they come up at a simulated table: from the splash to a lock."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from at_table import write_journal
from contact_sheet import Scene
from lying_cards import journal_entries, played

from firmware.bench import Bench
from firmware.furnish import furnish
from firmware.instructions import Console
from firmware.known_names import ALPHABETS
from firmware.script import read_script
from firmware.script_words import parse_words
from firmware.seatview import SeatView
from firmware.simulated import SimulatedTable
from firmware.splash import SECONDS
from hal.events import Button

OPENED = (
    "name", "new-name", "game", "rules", "options", "value", "number", "deal-way", "first-dealer", "language",
    "leave-match",
)  # fmt: skip
"""What is opened on top of something else."""


class _Visit:
    """A table with a free choice of games, and what its places see."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table

    def seen(self, title: str, place: int, offset: int | None = None) -> Scene:
        """What a place sees; `offset`: with the cursor so many choices further."""
        seen = self.table.loop.seat_view(place)
        if offset is not None and seen.ask is not None:
            seen = seen._replace(cursor=((seen.cursor or 0) + offset) % len(seen.ask.choices))
        return Scene(title, seen)

    def into(self, title: str, place: int, *choices: str) -> Iterator[Scene]:
        """The dialogs that a place opens one after the other, and back."""
        for choice in choices:
            self.table.choose(place, choice)
            yield self.seen(f"{title}: {choice}", place)
        yield self.seen(f"{title}, the next", place, 1)
        while (sheet := self.table.loop.seat_view(place).sheet) is not None and sheet.ask.prompt in OPENED:
            self.table.hold(place, Button.LEFT)
            self.table.release(place, Button.LEFT)


def dialog_scenes(language: str) -> Iterator[Scene]:
    """All of them, in a language: names of games and options are words of the table's."""
    known = ("Ann", "Ben", "Cleo", "Вероника-Аполлинария")
    file = furnish("pepper", 4, language=language, free=True, names=known)
    with SimulatedTable(file) as table:
        visit = _Visit(table)
        yield visit.seen("splash", 1)
        table.wait(SECONDS + 1)
        yield visit.seen("lobby, nobody", 1)
        table.choose(1, "join")
        yield visit.seen("lobby, one plays", 1)
        table.choose(2, "join")
        table.choose(3, "join")
        yield visit.seen("lobby, three play", 2)
        yield visit.seen("lobby, not joined", 4)
        yield from visit.into("lobby", 2, "name", "new-name", f"sign:{ALPHABETS[language][0]}")
        table.choose(2, "name")
        table.choose(2, "name:Вероника-Аполлинария")
        yield visit.seen("lobby, a name", 2)
        yield from visit.into("lobby", 2, "name")
        yield visit.seen("lobby, no name", 2)
        table.choose(2, "name")
        yield visit.seen("lobby, without a name", 2, 1 + len(known))
        table.choose(2, "go-on")
        yield from visit.into("lobby", 2, "game")
        yield from visit.into("lobby", 2, "rules")
        yield from visit.into("lobby", 2, "options", "target")
        yield from visit.into("lobby", 2, "options", "partners")
        yield from visit.into("lobby", 2, "deal-way")
        yield from visit.into("lobby", 2, "language")
        yield from visit.into("lobby", 2, "dealer")
        for game in ("vazhushal", "possession"):
            table.choose(2, "game")
            table.choose(2, game)
            yield visit.seen(f"lobby, {game}", 2)
            yield from visit.into(game, 2, "rules")
            yield from visit.into(game, 2, "options")
        table.choose(2, "dealer")
        table.choose(2, "high-card")
        table.choose(2, "begin")
        yield visit.seen("high card, to show", 1)
        for place, card in enumerate(file.deck.held() if file.deck else (), 1):
            if place < 3:
                table.tap(place, card)
        yield visit.seen("high card, shown", 1)
        yield visit.seen("high card, not playing", 4)
        table.tap(3, sorted(file.deck.held() if file.deck else ())[12])
        yield visit.seen("agreed: deal", 1)
        yield visit.seen("agreed: a guest", 4)
        table.hold(1, Button.LEFT)
        table.release(1, Button.LEFT)
        yield visit.seen("menu", 1)
        yield visit.seen("menu, picked", 1, 1)
        yield from visit.into("menu", 1, "new-game")
        table.choose(1, "lock")
        yield visit.seen("locked", 2)


def token_scenes(language: str) -> Iterator[Scene]:
    """The token of the director's page: shown at the first start, and made anew at a place."""
    token = "7KQW-M3XA-9FTD-PH2C"
    with SimulatedTable(furnish("pepper", 4, language=language, dealer=4, tracked=False)) as table:
        visit = _Visit(table)
        table.loop.new_token = lambda: token
        table.do(_shown(table, token))
        yield visit.seen("web token", 1)
        table.hold(2, Button.LEFT)
        table.release(2, Button.LEFT)
        table.choose(2, "director")
        asked = table.loop.seat_view(2).ask
        yield visit.seen("director, web token", 2, asked.choices.index("web-token") if asked is not None else None)
        for choice in ("web-token", "make-token"):
            table.choose(2, choice)
            yield visit.seen(f"director: {choice}", 2)


async def _shown(table: SimulatedTable, token: str) -> None:
    await table.loop.instruct(Console(made=True, shown=True), table.loop.latest, token)


SCRIPTS = (
    "director-pin", "way-asked", "director-pin-set", "director-rulings", "director-none", "director-card",
    "irregularities", "revoke-penalty", "setup-corrected", "undo-asked", "settings", "deck-enrol", "deck-audit",
    "deck-replace", "deck-other", "restart-not-so", "restart-compared", "undo-lost", "settings-of-the-table",
    "deck-enrolled-whole", "deck-of-two-packs", "count-the-pack", "restart-after-the-deal", "way-corrected", "worn-tag",
    "high-card-full-disk",
)  # fmt: skip
"""Table scripts that lead through what the lobby does not show."""
TABLES = Path(__file__).parent.parent / "tables"


def scripted_scenes(language: str) -> Iterator[Scene]:
    """Every sheet that comes up while the scripts are played, once."""
    met: set[object] = set()
    for name in SCRIPTS:
        script = read_script(TABLES / f"{name}.table")
        with SimulatedTable(script.table._replace(language=language), None, script.seed) as table:
            bench = Bench(table, script.seed)
            for statement in script.statements:
                if statement.text.startswith("expect"):
                    continue
                if language == "en":
                    statement.act(bench)
                else:
                    parse_words(_in_russian(statement.text), len(script.table.wiring.seats))(bench)
                for place in table.loop.places:
                    seen = table.loop.seat_view(place)
                    codes = _codes(seen)
                    if codes is not None and codes not in met:
                        met.add(codes)
                        yield Scene(f"{name}, place {place}", seen)


def compared_scenes(game: str, language: str) -> Iterator[Scene]:
    """What places are asked after a restart in a game with piles."""
    rules = "melds" if game == "possession" else "standard"
    file = furnish(game, 3, rules, dealer=1, language=language)
    referee = played(Random(4), file.table, 1, 25)
    with TemporaryDirectory() as folder:
        journal = Path(folder) / "journal.db"
        write_journal(journal, file, journal_entries(referee))
        with SimulatedTable(file, journal) as table:
            for place in table.loop.places:
                yield Scene(f"restart, place {place}", table.loop.seat_view(place))


def _codes(seen: SeatView) -> object:
    """What makes a sheet another one; None where there is no sheet, or it is covered."""
    sheet = seen.sheet
    if sheet is None or seen.message is not None:
        return None
    said = tuple((one.code, one.facts * (one.code == "wish")) for one in (sheet.big, sheet.text) if one is not None)
    return (sheet.ask.prompt, tuple(choice.partition(":")[0] for choice in sheet.ask.choices), said)


def _in_russian(text: str) -> str:
    """A statement that types letters, with those that are offered in Russian."""

    def letter(found: re.Match[str]) -> str:
        typed = ALPHABETS["ru"][ALPHABETS["en"].index(found[1].upper())]
        return f"sign:{typed if found[1].isupper() else typed.lower()}"

    return re.sub(r"sign:([A-Za-z])\b", letter, text)
