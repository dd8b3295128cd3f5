"""A simulated table made to order, where no table file names one: seats, readers, game and options."""

from collections.abc import Mapping
from random import Random

from engine.cards import CARD_COUNT, CARDS
from engine.game import games
from engine.match import Table, lay_table
from engine.options import OptionError, OptionValue
from firmware.deck import simulated_deck
from firmware.decks import COLOURS, Shelf, made_up
from firmware.errors import TableError
from firmware.pack import Cards
from firmware.tablefile import TableFile, names_problem
from firmware.words import LANGUAGES
from hal.wiring import (
    ADDRESSES,
    ButtonLines,
    BuzzerWiring,
    CommonRole,
    DisplayPlace,
    ReaderWiring,
    SeatWiring,
    Wiring,
)

READERS = ("seats", "centre", "none")
"""Where the readers of a made table are: at every seat and a dealing pad; one in the middle and a pad; nowhere."""

_FIRST_LINE = 4
_LINES = 4  # three buttons and an LED


class FurnishError(TableError, ValueError):
    """A table that cannot be made: what was wanted and what can be had. `part` is the argument that is wrong."""

    def __init__(self, part: str, problem: str) -> None:
        super().__init__(problem)
        self.part = part


def furnish(
    game: str,
    seats: int,
    rules: str = "standard",
    tracked: bool = True,
    options: Mapping[str, OptionValue] = {},
    readers: str = "seats",
    dealer: int = 0,
    names: tuple[str, ...] = (),
    language: str = "en",
    free: bool = False,
    decks: int = 1,
) -> TableFile:
    """A table file's worth of simulated table; raises `FurnishError`. At a `free` one players agree on what is played,
    and its deck has all cards there are. Further decks are like the first one, with other tags.
    """
    if game not in games():
        raise FurnishError("game", f"no game {game!r}; expected {' or '.join(games())}")
    played = min(seats, games()[game].seats[-1]) if free else seats
    try:
        table = lay_table(games()[game], played, rules, tracked, options)
    except OptionError as error:
        part = "seats" if played not in games()[game].seats else "rules"
        raise FurnishError(part, str(error)) from None
    if readers not in READERS:
        raise FurnishError("readers", f"no readers {readers!r}; expected {' or '.join(READERS)}")
    if tracked and readers == "none":
        raise FurnishError("readers", "tracked hands need a dealing pad; expected readers, or concealed hands")
    problem = names_problem(names, seats)
    if problem:
        raise FurnishError("names", problem)
    if not 0 <= dealer <= seats:
        raise FurnishError("dealer", f"no seat {dealer}; expected 1 to {seats}, or 0 for a lot")
    if language not in LANGUAGES:
        raise FurnishError("language", f"no language {language!r}; expected {' or '.join(LANGUAGES)}")
    pack = CARDS[:CARD_COUNT] if free else table.game.pack(table.rules)
    if not 0 < decks <= len(COLOURS):
        raise FurnishError("decks", f"{decks} decks; expected 1 to {len(COLOURS)}")
    made = [made_up(simulated_deck(pack, number), COLOURS[number]) for number in range(decks)]
    shelf = Shelf(tuple(made), grows=True) if readers != "none" else Shelf()
    deck = shelf.kept[0].deck if shelf.kept else None
    return TableFile(_wiring(seats, readers), table, deck, dealer, names, language, free, shelf)


def _wiring(seats: int, readers: str) -> Wiring:
    common = []
    if readers != "none":
        common.append(ReaderWiring(role=CommonRole.DEALING, port="/dev/simulated/dealing"))
    if readers == "centre":
        common.append(ReaderWiring(role=CommonRole.CENTRE, port="/dev/simulated/centre"))
    return Wiring(
        seats=tuple(_seat(seat, readers == "seats") for seat in range(1, seats + 1)),
        common_readers=tuple(common),
        buzzer=BuzzerWiring(_FIRST_LINE + _LINES * seats) if _FIRST_LINE + _LINES * seats <= 27 else None,
    )


def _seat(seat: int, reader: bool) -> SeatWiring:
    """Lines in a row; two displays on each channel of a multiplexer."""
    first = _FIRST_LINE + _LINES * (seat - 1)
    return SeatWiring(
        number=seat,
        buttons=ButtonLines(left=first, ok=first + 1, right=first + 2),
        led=first + 3,
        display=DisplayPlace(bus=11 + (seat - 1) // 2, address=ADDRESSES[(seat - 1) % 2]),
        reader=f"/dev/simulated/seat-{seat}" if reader else None,
    )


def physical_cards(file: TableFile, chance: Random, table: Table | None = None) -> Cards:
    """The cards that lie on a simulated table; where nothing reads them they have no tags. `table` is what is played
    there, if that is not what the file says.
    """
    table = table or file.table
    used = table.game.pack(table.rules)
    if file.deck is None:
        return Cards(dict.fromkeys(used, ""), chance)
    tags = {card: uid for uid, card in file.deck.cards.items()}
    return Cards({card: tags[card] for card in used}, chance)
