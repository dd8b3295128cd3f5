"""Table files: wiring, game and deck in one file; whatever is wrong is said in one line, with its place."""

from pathlib import Path

import pytest

from engine.cards import CARDS
from firmware.errors import FileError
from firmware.pin import Officials
from firmware.preferences import AT_FIRST, Defaults
from firmware.table_option import example
from firmware.tablefile import TableFile, fixed_table, names_problem, read_table_file
from firmware.ways import Way
from hal.cues import Cue
from hal.errors import WiringError
from hal.wiring import CommonRole

GAME = """[game]
name = "pepper"
hands = "concealed"
"""
SEATS = """
[[seat]]
number = 1
buttons = { left = 4, ok = 17, right = 27 }
display = { bus = 1, address = 0x3C }

[[seat]]
number = 2
buttons = { left = 5, ok = 6, right = 13 }
display = { bus = 1, address = 0x3D }
"""
DECK = """
[deck]
file = "deck-24.csv"
"""
PLAIN = GAME + SEATS


def read(folder: Path, text: str) -> TableFile:
    (folder / "table.toml").write_text(text, encoding="utf-8")
    return read_table_file(folder / "table.toml")


def problem_in(folder: Path, text: str) -> str:
    """What is said of a file, after its name."""
    with pytest.raises((FileError, WiringError)) as caught:
        read(folder, text)
    words = str(caught.value)
    assert "\n" not in words
    assert words.startswith(f"{folder / 'table.toml'}:")
    assert "expected" in words
    return words.removeprefix(f"{folder / 'table.toml'}:")


def line_of(text: str, key: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if key in line)


def copy_deck(folder: Path, name: str = "deck-24.csv", without: str = "\0") -> None:
    lines = example("deck-24.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / name).write_text("".join(line for line in lines if without not in line), encoding="utf-8")


# What is read


def test_two_seats_with_buttons_and_displays_are_a_table(tmp_path: Path) -> None:
    file = read(tmp_path, PLAIN)
    assert (file.table.game.name, file.table.seats, file.table.rule_set) == ("pepper", 2, "standard")
    assert not file.table.tracked
    assert (file.deck, file.dealer, file.names, file.language) == (None, 0, (), "en")


def test_everything_that_can_be_said_of_the_game(tmp_path: Path) -> None:
    game = GAME + 'rules = "bowers"\ndealer = 2\nnames = ["Ann", "Ben"]\noptions = { target = 15, rebid = false }\n'
    file = read(tmp_path, game + '[table]\nlanguage = "ru"\n' + SEATS)
    assert file.table.rule_set == "bowers"
    assert dict(file.table.options) == {"target": 15, "rebid": False}
    assert (file.dealer, file.names, file.language) == (2, ("Ann", "Ben"), "ru")


@pytest.mark.parametrize("name", ["two-seats.toml", "four-seats.toml"])
def test_the_examples_are_tables(name: str) -> None:
    file = read_table_file(example(name))
    assert file.deck is not None
    assert file.table.tracked == (CommonRole.DEALING in {reader.role for reader in file.wiring.readers()})


READERS = SEATS.replace("number = 1", 'number = 1\nreader = "/dev/serial/by-path/1"').replace(
    "number = 2", 'number = 2\nreader = "/dev/serial/by-path/2"'
)
PAD = '[[reader]]\nrole = "dealing"\nport = "/dev/serial/by-path/pad"\n'


@pytest.mark.parametrize(
    ("said", "pad", "way"),
    [
        ('hands = "tracked"\n', False, Way.SCAN_IN),
        ('hands = "tracked"\n', True, Way.PAD),
        ("", True, Way.PAD),
        ("", False, Way.SCAN_IN),
        ('deal = "scan-in"\n', True, Way.SCAN_IN),
        ('hands = "tracked"\ndeal = "scan-in"\n', True, Way.SCAN_IN),
        ('deal = "concealed"\n', True, Way.CONCEALED),
        ('hands = "concealed"\n', False, Way.CONCEALED),
    ],
)
def test_the_deal_is_as_the_file_says_or_as_its_readers_allow(tmp_path: Path, said: str, pad: bool, way: Way) -> None:
    copy_deck(tmp_path)
    file = read(tmp_path, '[game]\nname = "pepper"\n' + said + READERS + PAD * pad + DECK)
    assert (file.deal, file.table.tracked) == (way, way.tracked)


def test_files_of_any_editor_are_read(tmp_path: Path) -> None:
    plain = read(tmp_path, PLAIN)
    (tmp_path / "table.toml").write_bytes(("\ufeff" + PLAIN.replace("\n", "\r\n")).encode())
    assert read_table_file(tmp_path / "table.toml") == plain


def test_the_deck_lies_beside_the_table_file(tmp_path: Path) -> None:
    copy_deck(tmp_path)
    file = read(tmp_path, PLAIN + DECK)
    assert file.deck is not None
    assert len(file.deck.cards) == 24


def test_a_deck_may_hold_more_cards_than_the_game_uses(tmp_path: Path) -> None:
    copy_deck(tmp_path)
    with (tmp_path / "deck-24.csv").open("a", encoding="utf-8") as deck:
        deck.write("04FF00FF, 2C\n")
    file = read(tmp_path, PLAIN + DECK)
    assert file.deck is not None
    assert CARDS[1] in file.deck.held()


def test_a_director_has_a_pin_or_cards(tmp_path: Path) -> None:
    assert read(tmp_path, PLAIN).officials == Officials()
    file = read(tmp_path, '[director]\npin = "0246"\ncards = ["04:d1:0c:70:de:80:aa"]\n' + PLAIN)
    assert file.officials == Officials("0246", frozenset({"04D10C70DE80AA"}))


def test_a_card_that_is_played_with_directs_nothing(tmp_path: Path) -> None:
    copy_deck(tmp_path)
    deck = read(tmp_path, PLAIN + DECK).deck
    assert deck is not None
    text = f'[director]\ncards = ["{next(iter(deck.cards))}"]\n{PLAIN}{DECK}'
    assert problem_in(tmp_path, text).startswith("2: tag ")


# What is wrong


@pytest.mark.parametrize(
    ("old", "new", "key", "said"),
    [
        ('name = "pepper"', 'name = "whist"', "name", 'no game "whist"; expected pepper'),
        ('name = "pepper"', "name = 3", "name", "name is 3; expected the name of a game"),
        ('name = "pepper"\n', "", "[game]", '"name" is missing; expected the name of a game'),
        ('"concealed"', '"open"', "hands", 'hands is "open"; expected tracked or concealed'),
        (
            '"concealed"',
            '"tracked"',
            "hands",
            'no reader has the role "dealing" and seat 1 has no reader; expected one of both, or hands = "concealed"',
        ),
        (
            '"concealed"',
            '"tracked"\ndeal = "pad"',
            "deal",
            'no reader has the role "dealing"; expected one, or another deal',
        ),
        ('hands = "concealed"', 'deal = "scan-in"', "deal", "seat 1 has no reader; expected one at each seat"),
        (
            '"concealed"',
            '"concealed"\ndeal = "pad"',
            "deal",
            "deal is pad, but hands are concealed; expected concealed",
        ),
        ('"concealed"', '"tracked"\ndeal = "concealed"', "deal", "hands are tracked; expected pad or scan-in"),
        ('hands = "concealed"', 'deal = "cut"', "deal", 'deal is "cut"; expected pad or scan-in or concealed'),
        ('hands = "concealed"', "deal = 3", "deal", 'deal is 3; expected "pad", "scan-in" or "concealed"'),
        ('hands = "concealed"', 'rules = "x"', "rules", "pepper has no rule set 'x'; expected standard or bowers"),
        ("[game]\n", "[game]\nrule = 3\n", "rule", 'unknown key "rule"; expected name, rules, hands, deal, dealer'),
        ("[game]\n", "[game]\ndealer = 3\n", "dealer", "no seat 3; expected 1 to 2, or 0 for a lot"),
        ("[game]\n", "[game]\ndealer = -1\n", "dealer", "dealer is -1; expected the number of a seat"),
        ("[game]\n", '[game]\nnames = ["Ann"]\n', "names", "1 name; expected 2, one for each seat"),
        ("[game]\n", '[game]\nnames = ["Ann", 2]\n', "names", "names is 2; expected a list of names"),
        ("[game]\n", '[game]\nnames = "Ann"\n', "names", 'names is "Ann"; expected a list of names'),
        ("[game]\n", '[game]\nnames = ["Ann", "B, C"]\n', "names", '"B, C" is no name; expected one without ,'),
        ("[game]\n", '[game]\nnames = ["Ann", " "]\n', "names", '" " is no name; expected'),
        ("[game]\n", '[game]\nnames = ["Ann", "B\\u001b"]\n', "names", "is no name; expected"),
        ("[game]\n", "[game]\noptions = { goal = 3 }\n", "options", "no option 'goal'; expected one of"),
        ("[game]\n", "[game]\noptions = { target = 0 }\n", "options", "cannot be '0'; expected a whole number"),
        ("[game]\n", "[game]\noptions = { rebid = 1 }\n", "options", "cannot be '1'; expected true or false"),
        ("[game]\n", "[game]\noptions = { target = 1.5 }\n", "options", "expected"),
        ("[game]\n", "[game]\noptions = { target = [1] }\n", "options", "expected"),
        ("[game]\n", "[game]\noptions = 3\n", "options", "options is 3; expected a table of option names"),
        ("[game]\n", '[table]\nlanguage = "de"\n[game]\n', "language", 'language is "de"; expected en or ru'),
        ("[game]\n", '[table]\nlang = "en"\n[game]\n', "lang", 'unknown key "lang"; expected language'),
        ("[game]\n", "[deck]\n[game]\n", "[deck]", "nothing in [deck]; expected file, files or folder"),
        ("[game]\n", "[deck]\nfile = 3\n[game]\n", "file", "file is 3; expected the name of a deck file"),
        ("[game]\n", '[deck]\nfile = "no.csv"\n[game]\n', "file", "no.csv: No such file or directory; expected a deck"),
        ("[game]\n", '[deck]\nfile = "."\n[game]\n', "file", "Is a directory; expected a deck file"),
        ("[game]\n", "[seats]\nn = 2\n[game]\n", "[seats]", 'unknown key "seats"; expected seat, reader, bus'),
        ("[game]\n", '[director]\npin = "123"\n[game]\n', "pin", "no such PIN; expected a PIN of 4 to 8 digits"),
        ("[game]\n", '[director]\npin = "12a4"\n[game]\n', "pin", "no such PIN; expected a PIN of 4 to 8 digits"),
        ("[game]\n", '[director]\npin = ""\n[game]\n', "pin", "no such PIN; expected a PIN of 4 to 8 digits"),
        ("[game]\n", "[director]\npin = 2468\n[game]\n", "pin", "pin is 2468; expected a PIN of 4 to 8 digits"),
        ("[game]\n", '[director]\nname = "Eva"\n[game]\n', "name", 'unknown key "name"; expected pin or cards'),
        ("[game]\n", '[director]\ncards = ["04A"]\n[game]\n', "cards", "expected"),
        ("[game]\n", '[director]\ncards = ["04A1B2C3", "04:a1:b2:c3"]\n[game]\n', "cards", "a second time"),
        ("right = 13", "right = 4", "right = 4", "GPIO line 4 is taken by seat 1 left button"),
        ("0x3D", "0x3C", "", "address 0x3C on bus 1 is taken by seat 1 display"),
        ("0x3D", "0x3E", "0x3E", "address is 0x3E; expected 0x3C or 0x3D"),
        ("[game]", "[game", "[game", "expected valid TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, old: str, new: str, key: str, said: str) -> None:
    assert old in PLAIN
    text = PLAIN.replace(old, new)
    problem = problem_in(tmp_path, text)
    assert said in problem
    line = line_of(text, key) if key else len(PLAIN.splitlines())
    assert problem.startswith(f"{line}:")


@pytest.mark.parametrize("given", ['game = "pepper"\n', "game = 3\n"])
def test_a_game_that_is_no_table(tmp_path: Path, given: str) -> None:
    assert "no [game]; expected one with name" in problem_in(tmp_path, given + SEATS)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ('deck = "deck.csv"\n', 'deck is "deck.csv"; expected a [deck] table with file'),
        ("table = 3\n", "table is 3; expected a [table] table with language"),
    ],
)
def test_a_table_that_is_no_table(tmp_path: Path, given: str, said: str) -> None:
    assert problem_in(tmp_path, given + PLAIN).startswith(f"1: {said}")


def test_too_many_seats_for_the_game(tmp_path: Path) -> None:
    more = "".join(
        f"[[seat]]\nnumber = {seat}\nbuttons = {{ left = {line}, ok = {line + 1}, right = {line + 2} }}\n"
        for seat, line in ((3, 18), (4, 21), (5, 24))
    )
    text = PLAIN.replace("[game]\n", "[game]\noptions = { target = 5 }\n") + more
    problem = problem_in(tmp_path, text)
    assert problem == f"{line_of(text, 'name')}: pepper has no 5 seats; expected 2 to 4"


def test_readers_need_a_deck(tmp_path: Path) -> None:
    reader = '\n[[reader]]\nrole = "centre"\nport = "/dev/serial/by-path/one"\n'
    assert "a table with readers has no [deck]; expected one with file" in problem_in(tmp_path, PLAIN + reader)


def test_a_deck_that_lacks_cards_of_the_game(tmp_path: Path) -> None:
    copy_deck(tmp_path, without=", 9")
    text = PLAIN + DECK
    problem = problem_in(tmp_path, text)
    assert problem.startswith(f"{line_of(text, 'deck-24')}: ")
    assert "has no tag for 9C, 9D, 9H, 9S; expected every card that the game uses" in problem


def test_an_error_in_the_deck_file_names_the_deck_file(tmp_path: Path) -> None:
    (tmp_path / "deck-24.csv").write_text("04A1B2C3, AS\n04A1B2C3, KS\n", encoding="utf-8")
    with pytest.raises(FileError) as caught:
        read(tmp_path, PLAIN + DECK)
    assert str(caught.value).startswith(f"{tmp_path / 'deck-24.csv'}:2: tag 04A1B2C3 is in AS already")


def two_decks(folder: Path, third: str = "") -> None:
    """A red deck, a blue one with other tags, and perhaps another text."""
    copy_deck(folder, "red.csv")
    red = (folder / "red.csv").read_text(encoding="utf-8")
    (folder / "blue.csv").write_text(red.replace("\n04A0", "\n04A1"), encoding="utf-8")
    if third:
        (folder / "third.csv").write_text(third, encoding="utf-8")


FILES = '\n[deck]\nfiles = ["red.csv", "blue.csv"]\n'
FOLDER = '\n[deck]\nfolder = "decks"\n'


def test_several_decks_lie_at_a_table(tmp_path: Path) -> None:
    two_decks(tmp_path)
    file = read(tmp_path, PLAIN + FILES)
    assert [kept.name for kept in file.shelf.kept] == ["red", "blue"]
    assert file.deck == file.shelf.kept[0].deck
    assert not file.shelf.grows


def test_the_first_deck_that_has_all_cards_is_the_one_that_is_played_with(tmp_path: Path) -> None:
    two_decks(tmp_path)
    copy_deck(tmp_path, "red.csv", without=", 9D")
    file = read(tmp_path, PLAIN + FILES)
    assert file.deck == file.shelf.kept[1].deck


def test_a_tag_in_two_decks_is_an_error_with_both_lines(tmp_path: Path) -> None:
    two_decks(tmp_path, "# mine\n04A1B2C3, KS\n04A0005EC0DE80, AC\n")
    with pytest.raises(FileError) as caught:
        read(tmp_path, PLAIN + '\n[deck]\nfiles = ["red.csv", "third.csv"]\n')
    assert str(caught.value) == (
        f"{tmp_path / 'third.csv'}:3: tag 04A0005EC0DE80 is in AC of {tmp_path / 'red.csv'}:2 already; "
        "expected each tag in one deck"
    )


def test_a_folder_of_decks_takes_further_ones(tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    two_decks(tmp_path / "decks")
    file = read(tmp_path, PLAIN + FOLDER)
    assert [kept.name for kept in file.shelf.kept] == ["blue", "red"]
    assert (file.shelf.folder, file.shelf.grows) == (tmp_path / "decks", True)


def test_where_players_agree_on_the_game_the_first_deck_may_be_enrolled_at_the_table(tmp_path: Path) -> None:
    (tmp_path / "decks").mkdir()
    reader = '\n[[reader]]\nrole = "centre"\nport = "/dev/serial/by-path/one"\n'
    file = read(tmp_path, SEATS + reader + FOLDER)
    assert (file.deck, file.shelf.kept) == (None, ())
    assert "no deck file in" in problem_in(tmp_path, PLAIN + reader + FOLDER)


@pytest.mark.parametrize(
    ("deck", "said"),
    [
        (
            'file = "red.csv"\nfiles = ["blue.csv"]',
            "file, files side by side in [deck]; expected file, files or folder",
        ),
        ("files = []", "[] names no file; expected a list of names of deck files"),
        ("files = 3", "files is 3; expected a list of names of deck files"),
        ('files = ["red.csv", ""]', '"" is no file name; expected a list of names of deck files'),
        ('files = ["red.csv", "no.csv"]', "no.csv: No such file or directory; expected a deck file"),
        ('folder = "nowhere"', "nowhere; expected one that is there, for deck files"),
        ('folder = "red.csv"', "red.csv; expected one that is there, for deck files"),
        ('folders = "decks"', "folders"),
    ],
)
def test_what_is_wrong_with_several_decks(tmp_path: Path, deck: str, said: str) -> None:
    two_decks(tmp_path)
    assert said in problem_in(tmp_path, PLAIN + f"\n[deck]\n{deck}\n")


# Names


@pytest.mark.parametrize("name", ["Ann", "Анна-Мария", "李", "O’Neil", "Ann B."])
def test_a_name_may_be_what_people_are_called(name: str) -> None:
    assert names_problem((name, "Ben"), 2) == ""


@pytest.mark.parametrize("name", ["", " Ann", "Ann ", "a,b", "a;b", "#1", "a\tb", "a\nb", "\x1b[2J"])
def test_a_name_that_a_record_or_a_terminal_would_not_give_back(name: str) -> None:
    assert "is no name" in names_problem(("Ann", name), 2)


def test_how_the_table_says_things_is_as_the_file_says_or_as_usual(tmp_path: Path) -> None:
    assert read(tmp_path, PLAIN).defaults == AT_FIRST
    said = 'sound = false\nlights = []\nsounds = ["your-turn", "unknown-tag"]\nleft_handed = [2]\ncontrast = 128\n'
    assert read(tmp_path, "[table]\n" + said + PLAIN).defaults == Defaults(
        sound=False,
        lights=frozenset(),
        sounds=frozenset({Cue.YOUR_TURN, Cue.UNKNOWN_TAG}),
        left_handed=frozenset({2}),
        contrast=128,
    )


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("sound = 1", "sound is 1; expected true or false"),
        ("contrast = 0", "contrast is 0; expected 1 to 207"),
        ("contrast = 208", "contrast is 208; expected 1 to 207"),
        ("contrast = true", "contrast is true; expected 1 to 207"),
        ("left_handed = [1, 3]", "no seat 3; expected 1 to 2"),
        ("left_handed = 2", "left_handed is 2; expected a list of the numbers of seats"),
        ('left_handed = ["2"]', 'left_handed is "2"; expected a list of the numbers of seats'),
        ('lights = ["off"]', '"off" in lights; expected your-turn or accepted or refused or duplicate or '),
        (
            'sounds = ["refused", "loud"]',
            '"loud" in sounds; expected your-turn or accepted or refused or duplicate or ',
        ),
        ('sounds = "refused"', 'sounds is "refused"; expected a list of what the buzzer says'),
        ("loud = true", 'unknown key "loud"; expected language, lobby, sound, lights, sounds, left_handed or contrast'),
    ],
)
def test_what_is_wrong_with_how_the_table_says_things_is_said_with_its_line(
    tmp_path: Path, said: str, problem: str
) -> None:
    text = f"[table]\n{said}\n{PLAIN}"
    assert problem_in(tmp_path, text).startswith(f"2: {problem}")


@pytest.mark.parametrize(
    ("pad", "readers", "way"),
    [(True, True, Way.PAD), (True, False, Way.PAD), (False, True, Way.SCAN_IN), (False, False, Way.CONCEALED)],
)
def test_without_a_game_it_is_proposed_that_the_table_knows_the_hands_where_it_can(
    tmp_path: Path, pad: bool, readers: bool, way: Way
) -> None:
    port = "/dev/serial/by-path/usb"
    lines = []
    for seat, (left, ok, right) in enumerate([(4, 17, 27), (5, 6, 13)], 1):
        lines += ["[[seat]]", f"number = {seat}", f"buttons = {{ left = {left}, ok = {ok}, right = {right} }}"]
        lines += [f'reader = {{ port = "{port}-{seat}" }}'] if readers else []
    lines += ["[[reader]]", 'role = "dealing"', f'port = "{port}-0"'] if pad else []
    path = tmp_path / "table.toml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    file = read_table_file(path)
    assert (file.free, file.deal, file.table.tracked) == (True, way, way.tracked)
    assert fixed_table(path) is None
