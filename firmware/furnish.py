"""A simulated table made to order, where no table file names one: seats, readers, game and options."""

from collections.abc import Mapping
from random import Random

from engine.cards import CARD_COUNT, CARDS
from engine.game import games
from engine.match import Table, lay_table
from engine.options import OptionError, OptionValue
from engine.phrases import Phrase, either, said_by
from firmware.deck import simulated_deck
from firmware.decks import COLOURS, Shelf, made_up
from firmware.errors import TableError
from firmware.pack import Cards
from firmware.tablefile import TableFile, names_problem
from firmware.ways import WAYS, Way
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
"""Where the readers of a made table are: at every seat and a dealing pad; one in the middle and a pad; nowhere. Where
hands are scanned in there is no pad.
"""

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
    tracked: bool | None = None,
    options: Mapping[str, OptionValue] = {},
    readers: str = "seats",
    dealer: int = 0,
    names: tuple[str, ...] = (),
    language: str = "en",
    deal: str = "",
    free: bool = False,
    decks: int = 1,
) -> TableFile:
    """A table file's worth of simulated table; raises `FurnishError`.

    Where `deal` does not say how cards are dealt, they go over the pad, unless hands are not `tracked`. At a `free`
    table players agree on what is played, and its deck has all cards there are. Further decks are like the first one,
    with other tags.
    """
    if game not in games():
        raise FurnishError("game", Phrase("no game {game!r}; expected {listed}", game=game, listed=either(games())))
    way = _way(tracked, deal)
    played = min(seats, games()[game].seats[-1]) if free else seats
    try:
        table = lay_table(games()[game], played, rules, way.tracked, options)
    except OptionError as error:
        part = "seats" if played not in games()[game].seats else "rules"
        raise FurnishError(part, said_by(error)) from None
    if readers not in READERS:
        raise FurnishError(
            "readers", Phrase("no readers {readers!r}; expected {listed}", readers=readers, listed=either(READERS))
        )
    if way is Way.SCAN_IN and readers != "seats":
        raise FurnishError(
            "readers", Phrase("a deal that is scanned in needs a reader at each seat; expected readers seats")
        )
    if way is Way.PAD and readers == "none":
        raise FurnishError("readers", Phrase("tracked hands need a dealing pad; expected readers, or concealed hands"))
    problem = names_problem(names, seats)
    if problem:
        raise FurnishError("names", problem)
    if not 0 <= dealer <= seats:
        raise FurnishError(
            "dealer", Phrase("no seat {dealer}; expected 1 to {seats}, or 0 for a lot", dealer=dealer, seats=seats)
        )
    if language not in LANGUAGES:
        raise FurnishError(
            "language",
            Phrase("no language {language!r}; expected {listed}", language=language, listed=either(LANGUAGES)),
        )
    pack = CARDS[:CARD_COUNT] if free else table.game.pack(table.rules)
    if not 0 < decks <= len(COLOURS):
        raise FurnishError("decks", Phrase("{decks} decks; expected 1 to {most}", decks=decks, most=len(COLOURS)))
    made = [made_up(simulated_deck(pack, number), COLOURS[number]) for number in range(decks)]
    shelf = Shelf(tuple(made), grows=True) if readers != "none" else Shelf()
    deck = shelf.kept[0].deck if shelf.kept else None
    return TableFile(_wiring(seats, readers, way), table, deck, dealer, names, language, way, free, shelf=shelf)


def _way(tracked: bool | None, deal: str) -> Way:
    if deal and deal not in WAYS:
        raise FurnishError("deal", Phrase("no deal {deal!r}; expected {listed}", deal=deal, listed=either(WAYS)))
    if deal and tracked is not None and Way(deal).tracked != tracked:
        hands, fits = ("tracked", either(("pad", "scan-in"))) if tracked else ("concealed", "concealed")
        problem = Phrase("deal by {deal}, but hands are {hands}; expected {fits}", deal=deal, hands=hands, fits=fits)
        raise FurnishError("deal", problem)
    return Way(deal) if deal else Way.CONCEALED if tracked is False else Way.PAD


def _wiring(seats: int, readers: str, way: Way) -> Wiring:
    common = []
    if readers != "none" and way is not Way.SCAN_IN:
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
