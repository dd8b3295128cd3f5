"""The table file: the wiring, the game that is played and the deck that it is played with."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from msgspec import Meta, Struct

from engine.cards import CARDS
from engine.game import broken_games, games
from engine.match import Table, lay_table
from engine.options import OptionError, OptionValue, option_text, parse_option
from engine.phrases import Phrase, either, reason, said_by
from firmware.deck import Deck
from firmware.decks import ENDING, Shelf, load_all, made_up
from firmware.errors import BrokenGameError, FileError
from firmware.pin import NOBODY, Officials, is_pin
from firmware.preferences import AT_FIRST, Defaults
from firmware.table_part import EXPECTED, TablePart, defaults_of
from firmware.ways import WAYS, Way
from firmware.web_part import EXPECTED as WEB_EXPECTED
from firmware.web_part import Web, WebPart, web_of
from firmware.words import LANGUAGES
from hal.errors import TablerefHardwareError
from hal.tags import read_uid, uid_text
from hal.toml_lines import TomlFile, read_toml
from hal.toml_types import shown, typed
from hal.wiring import CommonRole, Wiring, wiring_of

StructT = TypeVar("StructT", bound=Struct)

OWN = frozenset({"game", "deck", "table", "director", "web"})
"""The tables of the file that are not wiring."""


class GamePart(Struct, frozen=True, forbid_unknown_fields=True):
    """`[game]`: what is played. `dealer` 0: the first dealer is drawn by lot. `hands` and `deal` are empty where the
    file does not say.
    """

    name: str
    rules: str = "standard"
    hands: str = ""
    deal: str = ""
    dealer: Annotated[int, Meta(ge=0)] = 0
    names: tuple[str, ...] = ()
    options: dict[str, Any] = {}


class DeckPart(Struct, frozen=True, forbid_unknown_fields=True):
    """`[deck]`: the file that says which tag is in which card, several of them, or a folder of such files; beside the
    table file. Into a folder further decks can be enrolled at the table.
    """

    file: str | None = None
    files: tuple[str, ...] | None = None
    folder: str | None = None


class DirectorPart(Struct, frozen=True, forbid_unknown_fields=True):
    """`[director]`: who directs, by a PIN of 4 to 8 digits or by cards with these tags."""

    pin: str = ""
    cards: tuple[str, ...] = ()


_EXPECTED = {
    **EXPECTED,
    **WEB_EXPECTED,
    "director": Phrase("pin or cards"),
    "pin": Phrase("a PIN of 4 to 8 digits, in quotes"),
    "cards": Phrase('a list of tags in hex, such as ["04A1B2C3D4E5F6"]'),
    "game": Phrase("name, rules, hands, deal, dealer, names or options"),
    "name": Phrase("the name of a game"),
    "rules": Phrase("the name of a rule set"),
    "hands": Phrase('"tracked" or "concealed"'),
    "deal": Phrase('"pad", "scan-in" or "concealed"'),
    "dealer": Phrase("the number of a seat, or 0 for one drawn by lot"),
    "names": Phrase("a list of names, one for each seat"),
    "options": Phrase("a table of option names and values"),
    "file": Phrase("the name of a deck file"),
    "files": Phrase("a list of names of deck files"),
    "folder": Phrase("the name of a folder with deck files"),
    "deck": Phrase("file, files or folder"),
}


class TableFile(NamedTuple):
    """What a table file says. `deck` is None on a table that has none: cards are then entered by buttons."""

    wiring: Wiring
    table: Table
    deck: Deck | None
    dealer: int
    names: tuple[str, ...]
    language: str
    deal: Way
    free: bool = False
    """Whether players agree at the table on what is played; what the file says of it is what is proposed."""
    officials: Officials = NOBODY
    """Who directs."""
    shelf: Shelf = Shelf()
    """All decks. Where `deck` is none of them, there is that alone."""
    defaults: Defaults = AT_FIRST
    """How the table is until somebody sets it otherwise."""
    web: Web = Web()
    """Where the table can be seen in a browser."""

    @property
    def decks(self) -> Shelf:
        """The decks that the table starts with."""
        kept = self.shelf.kept
        if self.deck is None or any(one.deck == self.deck for one in kept):
            return self.shelf
        return Shelf((made_up(self.deck, "deck"),))


def read_table_file(path: Path, copy: Path | None = None) -> TableFile:
    """The table file at `path`; raises `FileError` or `WiringError` with file and line, or OSError. `copy` is one of it
    that is to be read in its place: decks still lie beside `path`.
    """
    file = read_toml(path) if copy is None else read_toml(copy, str(path))
    wiring = wiring_of(file, OWN)
    part = _part(file, "table", TablePart)
    free = part.lobby or "game" not in file.data
    table, game = _proposed(wiring) if "game" not in file.data else _game(file, wiring, free)
    language, defaults = _language(file, part), defaults_of(file, part, len(wiring.seats))
    shelf = _shelf(file, path)
    deck = _deck(file, shelf, None if free else table)
    way = _proposed_way(wiring, table, game) if free else _way(file, wiring, game)
    if any(wiring.readers()) and deck is None and not free:
        raise _wrong(file, ("deck",), Phrase("a table with readers has no [deck]; expected one with file"))
    officials = _officials(file, deck)
    web = web_of(file, _part(file, "web", WebPart))
    names = game.names
    return TableFile(wiring, table, deck, game.dealer, names, language, way, free, officials, shelf, defaults, web)


def _way(file: TomlFile, wiring: Wiring, game: GamePart) -> Way:
    """How cards are dealt, which the readers must allow."""
    pad = any(reader.role is CommonRole.DEALING for reader in wiring.readers())
    bare = [seat.number for seat in wiring.seats if seat.reader is None]
    if _tracked(game):
        way = Way(game.deal) if game.deal else Way.PAD if pad or bare else Way.SCAN_IN
        if way is Way.PAD and not pad:
            if game.deal:
                problem = Phrase('deal is pad, but no reader has the role "dealing"; expected one, or another deal')
                raise _wrong(file, ("game", "deal"), problem)
            problem = Phrase(
                'hands are tracked, but no reader has the role "dealing" and seat {seat} has no reader; expected one '
                'of both, or hands = "concealed"',
                seat=bare[0],
            )
            raise _wrong(file, ("game", "hands"), problem)
        if way is Way.SCAN_IN and bare:
            problem = Phrase(
                "deal is scan-in, but seat {seat} has no reader; expected one at each seat, or another deal",
                seat=bare[0],
            )
            raise _wrong(file, ("game", "deal"), problem)
        return way
    return Way.CONCEALED


def _tracked(game: GamePart) -> bool:
    """Whether hands are known: as `hands` says, or as the deal is."""
    return (game.hands or ("concealed" if game.deal == Way.CONCEALED else "tracked")) == "tracked"


def _proposed(wiring: Wiring) -> tuple[Table, GamePart]:
    """What is proposed where the file says nothing: the first game that can be played at the table."""
    places = len(wiring.seats)
    game = next((game for game in games().values() if game.seats[0] <= places), next(iter(games().values())))
    seats = max((seats for seats in game.seats if seats <= places), default=game.seats[0])
    way = _best_way(wiring)
    return lay_table(game, seats, tracked=way.tracked), GamePart(game.name, deal=way.value)


def _proposed_way(wiring: Wiring, table: Table, game: GamePart) -> Way:
    """How cards are dealt unless players agree otherwise; the lobby looks whether that can be."""
    if not table.tracked:
        return Way.CONCEALED
    best = _best_way(wiring)
    return Way(game.deal) if game.deal else best if best.tracked else Way.PAD


def _best_way(wiring: Wiring) -> Way:
    """How cards are dealt where nobody says: the table knows the hands if its readers allow that."""
    if any(reader.role is CommonRole.DEALING for reader in wiring.readers()):
        return Way.PAD
    return Way.SCAN_IN if wiring.seats and all(seat.reader for seat in wiring.seats) else Way.CONCEALED


def _game(file: TomlFile, wiring: Wiring, free: bool = False) -> tuple[Table, GamePart]:
    """What the file says is played: by as many as the table has places, where it is `free` by no more than can play."""
    if not isinstance(file.data.get("game"), dict):
        raise _wrong(file, ("game",), Phrase("no [game]; expected one with name, and perhaps rules, hands and options"))
    part = _part(file, "game", GamePart)
    _check_known(file, part.name)
    if part.hands not in ("", "tracked", "concealed"):
        raise _wrong(
            file, ("game", "hands"), Phrase("hands is {hands}; expected tracked or concealed", hands=shown(part.hands))
        )
    if part.deal and part.deal not in WAYS:
        raise _wrong(
            file,
            ("game", "deal"),
            Phrase("deal is {deal}; expected {listed}", deal=shown(part.deal), listed=either(WAYS)),
        )
    if part.deal and part.hands and Way(part.deal).tracked != _tracked(part):
        fits = either(("pad", "scan-in")) if part.hands == "tracked" else "concealed"
        raise _wrong(
            file,
            ("game", "deal"),
            Phrase(
                "deal is {deal}, but hands are {hands}; expected {fits}", deal=part.deal, hands=part.hands, fits=fits
            ),
        )
    game, seats = games()[part.name], len(wiring.seats)
    if free:
        seats = min(seats, game.seats[-1])
    options: dict[str, OptionValue] = {}
    for name, value in part.options.items():
        try:
            text = option_text(value) if isinstance(value, bool | int | str) else shown(value)
            options[name] = parse_option(game.options, name, text)
        except OptionError as error:
            raise _wrong(file, ("game", "options", name), said_by(error)) from None
    try:
        table = lay_table(game, seats, part.rules, _tracked(part), options)
    except OptionError as error:
        key = "rules" if seats in game.seats else "name"
        raise _wrong(file, ("game", key), said_by(error)) from None
    if part.dealer > seats:
        raise _wrong(
            file,
            ("game", "dealer"),
            Phrase("no seat {dealer}; expected 1 to {seats}, or 0 for a lot", dealer=part.dealer, seats=seats),
        )
    problem = names_problem(part.names, len(part.names) if free else seats)
    if problem:
        raise _wrong(file, ("game", "names"), problem)
    return table, part


def _check_known(file: TomlFile, name: str) -> None:
    """Whether there is such a game, and it can be played."""
    if name in broken_games():
        why = broken_games()[name]
        said = Phrase("the game {name} cannot be loaded: {why}; expected its package to be whole", name=name, why=why)
        raise BrokenGameError(file.name, file.line(("game", "name")), said)
    if name not in games():
        raise _wrong(
            file,
            ("game", "name"),
            Phrase("no game {name}; expected {listed}", name=shown(name), listed=either(games())),
        )


def names_problem(names: tuple[str, ...], seats: int) -> str:
    """What is wrong with the names of the players; empty when nothing is. A record must give them back as they are."""
    if names and len(names) != seats:
        if len(names) == 1:
            return Phrase("1 name; expected {seats}, one for each seat", seats=seats)
        return Phrase("{count} names; expected {seats}, one for each seat", count=len(names), seats=seats)
    for name in names:
        if not name.isprintable() or not name or name != name.strip() or set(name) & set(",;#"):
            return Phrase(
                "{name} is no name; expected one without , ; and #, and no space at its ends", name=shown(name)
            )
    return ""


def _language(file: TomlFile, part: TablePart) -> str:
    if part.language not in LANGUAGES:
        expected = either(LANGUAGES)
        raise _wrong(
            file,
            ("table", "language"),
            Phrase("language is {language}; expected {expected}", language=shown(part.language), expected=expected),
        )
    return part.language


def read_table(path: Path) -> Table:
    """What is played at the table in a file, whatever its deck; raises as `read_table_file`."""
    file = read_toml(path)
    return _game(file, wiring_of(file, OWN))[0]


def fixed_table(path: Path) -> Table | None:
    """What is always played at the table in a file; None where players agree on it. Raises as `read_table_file`."""
    file = read_toml(path)
    free = _part(file, "table", TablePart).lobby or "game" not in file.data
    return None if free else _game(file, wiring_of(file, OWN))[0]


def readable_web(path: Path) -> Web:
    """Where the table in a file can be seen in a browser, whatever else is wrong there; nowhere where that cannot be
    read.
    """
    try:
        file = read_toml(path)
        return web_of(file, _part(file, "web", WebPart))
    except (ValueError, OSError, TablerefHardwareError):
        return Web()


def deck_places(path: Path) -> tuple[Path, ...]:
    """The deck files that the table file at `path` names, whatever else is wrong there; none where it names none.
    Raises `FileError` or `WiringError`, or OSError.
    """
    return _deck_places(read_toml(path), path)


def missing_cards(table: Table, deck: Deck) -> list[str]:
    """The cards that the game uses and the deck has no tag for."""
    held = deck.held()
    return [str(CARDS[card]) for card in table.game.pack(table.rules) if card not in held]


def _deck_part(file: TomlFile) -> tuple[str, DeckPart]:
    """`[deck]`, and the key by which it names its files."""
    part = _part(file, "deck", DeckPart)
    said = [key for key in ("file", "files", "folder") if getattr(part, key) is not None]
    if len(said) != 1:
        found = Phrase("{listed} side by side", listed=", ".join(said)) if said else Phrase("nothing")
        problem = Phrase("{found} in [deck]; expected file, files or folder", found=found)
        raise _wrong(file, ("deck", *said[1:2]), problem)
    if part.files == ():
        raise _wrong(
            file, ("deck", "files"), Phrase("[] names no file; expected {expected}", expected=_EXPECTED["files"])
        )
    for name in part.files or (part.file or part.folder,):
        if not name or not name.isprintable():
            expected = _EXPECTED[said[0]]
            problem = Phrase("{file} is no file name; expected {expected}", file=shown(name), expected=expected)
            raise _wrong(file, ("deck", said[0]), problem)
    return said[0], part


def _deck_places(file: TomlFile, path: Path) -> tuple[Path, ...]:
    if "deck" not in file.data:
        return ()
    _, part = _deck_part(file)
    if part.folder is not None:
        return tuple(sorted((path.parent / part.folder).glob(f"*{ENDING}")))
    return tuple(path.parent / name for name in part.files or (part.file,) if name)


def _shelf(file: TomlFile, path: Path) -> Shelf:
    """The decks that the file names."""
    if "deck" not in file.data:
        return Shelf()
    key, part = _deck_part(file)
    folder = None if part.folder is None else path.parent / part.folder
    if folder is not None and not folder.is_dir():
        raise _wrong(
            file, ("deck", key), Phrase("no folder {folder}; expected one that is there, for deck files", folder=folder)
        )
    places = _deck_places(file, path)
    try:
        return Shelf(load_all(places), folder, grows=folder is not None)
    except OSError as error:
        place = error.filename or places[0]
        problem = Phrase("{place}: {why}; expected a deck file", place=place, why=reason(error))
        raise _wrong(file, ("deck", key), problem) from None


def _deck(file: TomlFile, shelf: Shelf, table: Table | None) -> Deck | None:
    """The first deck that has every card of the game, if one is fixed."""
    if "deck" not in file.data:
        return None
    if table is None:
        return shelf.kept[0].deck if shelf.kept else None
    key, _ = _deck_part(file)
    whole = next((kept.deck for kept in shelf.kept if not missing_cards(table, kept.deck)), None)
    if whole is not None:
        return whole
    if not shelf.kept:
        problem = Phrase("no deck file in {folder}; expected one (`tableref deck enrol`)", folder=shelf.folder)
        raise _wrong(file, ("deck", key), problem)
    first = shelf.kept[0]
    problem = Phrase(
        "{place} has no tag for {listed}; expected every card that the game uses",
        place=first.path,
        listed=", ".join(missing_cards(table, first.deck)),
    )
    raise _wrong(file, ("deck", key), problem)


def _officials(file: TomlFile, deck: Deck | None) -> Officials:
    """Who directs; a director's card is none that is played with."""
    part = _part(file, "director", DirectorPart)
    if (part.pin and not is_pin(part.pin)) or (part.pin == "" and "pin" in file.data.get("director", {})):
        raise _wrong(file, ("director", "pin"), Phrase("no such PIN; expected {expected}", expected=_EXPECTED["pin"]))
    cards = []
    for text in part.cards:
        try:
            uid = uid_text(*read_uid(text))
        except ValueError as error:
            raise _wrong(file, ("director", "cards"), said_by(error)) from None
        card = deck.card(uid) if deck is not None else None
        if card is not None:
            problem = Phrase("tag {uid} is in {card}; expected a card that is not played with", uid=uid, card=card)
            raise _wrong(file, ("director", "cards"), problem)
        if uid in cards:
            problem = Phrase("tag {uid} a second time; expected each once", uid=uid)
            raise _wrong(file, ("director", "cards"), problem)
        cards.append(uid)
    return Officials(part.pin, frozenset(cards))


def _part(file: TomlFile, name: str, kind: type[StructT]) -> StructT:
    """One table of the file as typed values; one that is left out says nothing."""
    data = file.data.get(name, {})
    if not isinstance(data, dict):
        raise _wrong(
            file,
            (name,),
            Phrase(
                "{name} is {data}; expected a [{name}] table with {expected}",
                name=name,
                data=shown(data),
                expected=_EXPECTED[name],
            ),
        )
    return typed(file, data, kind, _EXPECTED | {"": _EXPECTED[name]}, (name,))


def _wrong(file: TomlFile, path: tuple[str, ...], problem: str) -> FileError:
    return FileError(file.name, file.line(path), problem)
