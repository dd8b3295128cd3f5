"""The commands `tableref deck enrol` and `tableref deck replace`: tags are given to cards at the table's readers."""

import contextlib
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from firmware.doctor_commands import this_machine
from firmware.failures import LANG_OPTION, OK, REFUSED, Failure
from firmware.wiring_commands import read_wiring_file

if TYPE_CHECKING:
    from engine.cards import Card
    from firmware.decks import Decks, Kept
    from firmware.dialogs import Dialog
    from firmware.tag_session import TagSession

STEP = 0.01
"""Seconds between two looks at the devices."""

TABLE_OPTION = click.option(
    "--table", "table_file", metavar="FILE", help="Table file with the readers (default: table.toml beside the deck)."
)
SIMULATED_OPTION = click.option(
    "--simulated", is_flag=True, help="On simulated wires: tags are typed; for a try on a PC."
)


class Cards(NamedTuple):
    """Which cards are enrolled, as far as the command says it."""

    game: str | None
    seats: int | None
    rules: str
    cards: str | None


@click.command()
@click.argument("file")
@TABLE_OPTION
@click.option("--game", help="The cards of this game.")
@click.option("--seats", type=click.IntRange(1, 8), help="With --game: for so many.")
@click.option("--rules", default="standard", show_default=True, help="With --game: in this rule set.")
@click.option("--cards", help='These cards: 52, 54, 104, 108, or a list such as "9C 10C JC".')
@click.option("--anew", is_flag=True, help="Ask for every card, also those that have a tag.")
@LANG_OPTION
@SIMULATED_OPTION
def enrol(
    file: str,
    table_file: str | None,
    game: str | None,
    seats: int | None,
    rules: str,
    cards: str | None,
    anew: bool,
    lang: str | None,
    simulated: bool,
) -> None:
    """Give each card of a deck its tag: the card that is named is held to any reader. The table must not run meanwhile.

    Each tag is written to FILE before the next card is named. Hold ◀ or type b: back one card; s: skip this card; q, or
    Ctrl-C: break off. Called again, it goes on where it was. Without --game and --cards: the cards that FILE says are
    missing, else those of the table's game. A tag can be typed, too.

    Status 0: every card has a tag; 1: some have none yet; 2: a file that cannot be used.
    """
    from firmware.enrolling import SKIP, Enrolling

    path, table = Path(file), _table(file, table_file)
    decks, kept = _decks(path, table)
    wanted = _wanted(Cards(game, seats, rules, cards), kept, table)
    session = _run(
        table,
        (lang, simulated, decks, SKIP),
        lambda session: Enrolling(session, kept, wanted, anew),
    )
    held = _now(decks, kept).deck.held()
    missing = [card for card in wanted if card not in held]
    if session.failed is not None:
        raise Failure(_why(session.failed, path))
    click.echo(f"{file}: {len(wanted) - len(missing)} of {len(wanted)} cards have tags")
    sys.exit(REFUSED if missing else OK)


@click.command()
@click.argument("file")
@click.argument("card")
@TABLE_OPTION
@LANG_OPTION
@SIMULATED_OPTION
def replace(file: str, card: str, table_file: str | None, lang: str | None, simulated: bool) -> None:
    """Give one CARD of the deck FILE another tag: hold it to any reader, with the new tag; the old one is forgotten.

    The table must not run meanwhile. A tag can be typed, too.

    Status 0: it has another tag; 1: it has not; 2: a file that cannot be used, or a card that is not in it.
    """
    from engine.cards import parse_card, physical
    from firmware.replacing import Replacing

    path, table = Path(file), _table(file, table_file)
    decks, kept = _decks(path, table)
    try:
        which = physical(parse_card(card))
    except ValueError as error:
        raise Failure(str(error)) from None
    if which not in kept.deck.held():
        raise Failure(f"{file}: no {which} in it; expected a card that has a tag (`tableref deck enrol` adds one)")
    session = _run(table, (lang, simulated, decks, ""), lambda session: Replacing(session, kept.name, which))
    if session.failed is not None:
        raise Failure(_why(session.failed, path))
    sys.exit(OK if _now(decks, kept) is not kept else REFUSED)


def _table(file: str, table_file: str | None) -> Path:
    """The table file of a command."""
    table = Path(table_file) if table_file else Path(file).parent / "table.toml"
    if not table.exists():
        raise Failure(f"{table}: No such file or directory; expected a table file (--table)")
    return table


def _decks(path: Path, table: Path) -> "tuple[Decks, Kept]":
    """The deck in a file, which may still be to be made, and all decks of the table; raises `Failure`."""
    from firmware.deck import Deck
    from firmware.decks import Decks, Kept, Shelf, load_all
    from firmware.errors import FileError, TableError
    from firmware.tablefile import deck_places
    from hal.errors import TablerefHardwareError

    try:
        others = [place for place in deck_places(table) if place.exists() and place.resolve() != path.resolve()]
        loaded = load_all([*([path] if path.exists() else []), *others])
    except (FileError, TableError, TablerefHardwareError) as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{error.filename or path}: {error.strerror}; expected a deck file") from None
    if path.exists():
        return Decks(Shelf(loaded)), loaded[0]
    if not path.parent.is_dir():
        raise Failure(f"{path}: no folder {path.parent}; expected one that is there")
    return Decks(Shelf(loaded)), Kept(path.stem, Deck({}), "", path)


def _wanted(said: Cards, kept: "Kept", table: Path) -> "list[Card]":
    """The cards that are enrolled; raises `Failure`."""
    from engine.cards import CARDS
    from engine.game import games
    from engine.match import lay_table
    from engine.options import OptionError
    from firmware.enrol import cards_named
    from firmware.errors import TableError
    from firmware.tablefile import read_table

    if said.cards and said.game:
        raise Failure("--cards beside --game; expected one of them")
    if said.cards:
        try:
            return sorted(cards_named(said.cards))
        except ValueError as error:
            raise Failure(f"--cards: {error}") from None
    if said.game:
        if said.game not in games():
            raise Failure(f"no game {said.game!r}; expected {' or '.join(games())}")
        game = games()[said.game]
        try:
            played = lay_table(game, said.seats or game.seats[0], said.rules)
        except OptionError as error:
            raise Failure(str(error)) from None
    elif kept.missing:
        return sorted({*kept.deck.held(), *kept.missing})
    else:
        try:
            played = read_table(table)
        except TableError as error:
            raise Failure(f"{error} (or say which cards: --cards 52)") from None
    return sorted(CARDS[card] for card in played.game.pack(played.rules))


def _run(
    table: Path, said: "tuple[str | None, bool, Decks, str]", dialog: "Callable[[TagSession], Dialog]"
) -> "TagSession":
    """A session at the devices of a table, until it is over or broken off."""
    from engine.game import games
    from firmware.tag_session import TagSession
    from firmware.typed_lines import TypedLines
    from firmware.words import Words
    from hal.errors import TablerefHardwareError
    from hal.hardware import Hardware

    lang, simulated, decks, skip = said
    wiring, language = read_wiring_file(str(table), lang)
    words = Words(next(iter(games().values())), language)
    with this_machine(wiring, simulated) as (system, wires):
        try:
            hardware = Hardware(wiring, wires)
        except TablerefHardwareError as error:
            raise Failure(str(error)) from None
        with contextlib.closing(hardware), contextlib.suppress(KeyboardInterrupt):
            session, typed = TagSession(decks, hardware, words, skip), TypedLines(sys.stdin)
            _say(session.begin(dialog(session)))
            while not session.over and not (simulated and typed.ended):
                for line in typed.poll():
                    _say(session.type(line, system.now()))
                now = system.now()
                for event in (*hardware.poll_lines(now), *hardware.poll_readers(now), *hardware.poll_displays(now)):
                    _say(session.take(event))
                system.sleep(STEP)
    return session


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _now(decks: "Decks", kept: "Kept") -> "Kept":
    """The deck as it has become."""
    return decks.get(kept.name) or kept


def _why(error: Exception, path: Path) -> str:
    if isinstance(error, OSError):
        return f"{path}: {error.strerror}; expected a deck file in a folder that can be written"
    return str(error)
