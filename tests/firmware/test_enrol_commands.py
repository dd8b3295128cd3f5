"""The commands that give tags to cards: at true readers over simulated wires, and with tags that are typed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.cards import parse_card
from engine.game import games
from firmware.command import main
from firmware.deck import Deck
from firmware.decks import Decks, Kept, Shelf, load
from firmware.enrol import cards_named
from firmware.enrolling import SKIP, Enrolling
from firmware.furnish import furnish
from firmware.reading import shows
from firmware.replacing import Replacing
from firmware.tag_session import TagSession
from firmware.words import Words
from hal.events import Button
from hal.hardware import Hardware
from hal.sim.board import SimulatedWires

TABLE = """
[[seat]]
number = 1
buttons = { left = 4, ok = 5, right = 6 }
reader = "/dev/simulated/one"
[deck]
file = "red.csv"
"""
A, B, C = "04FFEE01", "04FFEE02", "04FFEE03"


def tableref(folder: Path, *words: str, typed: str = "") -> Result:
    (folder / "table.toml").write_text(TABLE, encoding="utf-8")
    return CliRunner().invoke(main, ["deck", words[0], str(folder / "red.csv"), *words[1:], "--simulated"], input=typed)


def text(folder: Path) -> str:
    return (folder / "red.csv").read_text(encoding="utf-8")


def test_a_deck_is_enrolled_broken_off_and_gone_on_with(tmp_path: Path) -> None:
    result = tableref(tmp_path, "enrol", "--cards", "9D 10D JD", typed=f"{A}\n{A}\nb\n{A}\nq\n")
    assert result.exit_code == 1
    assert result.output.splitlines() == [
        "red: 1 of 3: 9♦",
        "red: 2 of 3: 10♦",
        "This tag is in the 9♦ already.",
        "red: 1 of 3: 9♦",
        "red: 2 of 3: 10♦",
        f"{tmp_path / 'red.csv'}: 1 of 3 cards have tags",
    ]
    assert text(tmp_path) == f"# unfinished: 10D JD\n{A}, 9D\n"
    result = tableref(tmp_path, "enrol", typed=f"s\n{C}\n")
    assert (result.exit_code, text(tmp_path)) == (1, f"# unfinished: 10D\n{A}, 9D\n{C}, JD\n")
    result = tableref(tmp_path, "enrol", typed=f"{B}\n")
    assert (result.exit_code, text(tmp_path)) == (0, f"{A}, 9D\n{C}, JD\n{B}, 10D\n")


def test_a_tag_of_another_kind_is_taken_when_it_is_shown_once_more_and_a_random_one_never(tmp_path: Path) -> None:
    typed = f"{A}\n04FFEE01010101\n04FFEE01010101\n08A1B2C3\n08A1B2C3\nq\n"
    result = tableref(tmp_path, "enrol", "--cards", "9D 10D JD", typed=typed)
    said = result.output.splitlines()
    assert said[2] == ("This tag is of another kind than the others (7 bytes, not 4); show it once more to take it.")
    assert said[4:6] == ["This tag makes up a new number each time; take another one."] * 2
    assert text(tmp_path) == f"# unfinished: JD\n{A}, 9D\n04FFEE01010101, 10D\n"


def test_one_card_gets_another_tag(tmp_path: Path) -> None:
    (tmp_path / "red.csv").write_text(f"# mine\n{A}, 9D  # bent\n{B}, 10D\n", encoding="utf-8")
    result = tableref(tmp_path, "replace", "9D", typed=f"{B}\n{C}\n")
    assert (result.exit_code, text(tmp_path)) == (0, f"# mine\n{C}, 9D  # bent\n{B}, 10D\n")
    assert "This tag is in the 10♦ already." in result.output
    assert tableref(tmp_path, "replace", "9D", typed="q\n").exit_code == 1
    assert "no KS in it" in tableref(tmp_path, "replace", "KS").stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "(or say which cards: --cards 52)"),
        (("--cards", "52", "--game", "pepper"), "--cards beside --game"),
        (("--cards", "9X"), "--cards: "),
        (("--game", "whist"), "no game 'whist'"),
        (("--game", "pepper", "--seats", "8"), "seats"),
        (("--cards", "52", "--table", "/no/table.toml"), "/no/table.toml: No such file or directory"),
    ],
)
def test_what_cannot_be_enrolled(tmp_path: Path, words: tuple[str, ...], said: str) -> None:
    result = tableref(tmp_path, "enrol", *words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not (tmp_path / "red.csv").exists()


def test_a_game_s_cards_are_those_that_are_asked_for(tmp_path: Path) -> None:
    result = tableref(tmp_path, "enrol", "--game", "pepper", "--seats", "4", typed="q\n")
    assert result.output.splitlines()[0] == "red: 1 of 24: A♣"


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read_only(path: Path, text: str) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("firmware.decks.write_whole", read_only)
    result = tableref(tmp_path, "enrol", "--cards", "52", typed=f"{A}\n")
    assert result.exit_code == 2
    place = tmp_path / "red.csv"
    assert result.stderr == f"{place}: Read-only file system; expected a deck file in a folder that can be written\n"


# At the devices


class Session:
    """A session at simulated devices, stepped by hand."""

    def __init__(self, *decks: Kept) -> None:
        wiring = furnish("pepper", 2).wiring
        self.wires = SimulatedWires(wiring, pause=lambda seconds: None)
        self.hardware = Hardware(wiring, self.wires)
        self.session = TagSession(Decks(Shelf(decks)), self.hardware, Words(next(iter(games().values()))), SKIP)
        self.lines: list[str] = []
        self.now = 0.0

    def close(self) -> None:
        self.hardware.close()
        self.wires.close()

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now += 0.02
            for poll in (self.hardware.poll_lines, self.hardware.poll_readers, self.hardware.poll_displays):
                for event in poll(self.now):
                    self.lines += self.session.take(event)

    def tap(self, reader: str, uid: str) -> None:
        self.wires.place(reader, uid)
        self.wait(0.3)
        self.wires.lift(reader)
        self.wait(0.5)

    def press(self, seat: int, button: Button, seconds: float = 0.06) -> None:
        self.wires.press(seat, button, self.now)
        self.wait(seconds)
        self.wires.release(seat, button, self.now)
        self.wait(0.1)


@pytest.fixture
def session() -> Iterator[Callable[..., Session]]:
    made: list[Session] = []

    def make(*decks: Kept) -> Session:
        made.append(Session(*decks))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_any_reader_takes_the_tag_and_every_display_names_the_card(
    session: Callable[..., Session], tmp_path: Path
) -> None:
    kept = Kept("red", Deck({}), "", tmp_path / "red.csv")
    at = session()
    at.lines += at.session.begin(Enrolling(at.session, kept, cards_named("9D 10D JD")))
    at.wait(0.3)
    assert all(shows(at.wires.picture(seat), "9♦") for seat in (1, 2))
    at.tap("seat 2 reader", A)
    assert load(tmp_path / "red.csv").deck.cards == {A: parse_card("9D")}
    at.tap("dealing reader", A)
    assert at.lines[-1] == "This tag is in the 9♦ already."
    at.press(1, Button.LEFT, 1.0)  # hold ◀: back
    assert load(tmp_path / "red.csv").deck.cards == {}
    assert shows(at.wires.picture(2), "9♦")
    at.tap("seat 1 reader", B)
    at.press(2, Button.RIGHT)
    at.press(2, Button.OK)  # skip
    assert shows(at.wires.picture(1), "J♦")
    at.tap("seat 1 reader", C)
    assert at.session.over
    assert load(tmp_path / "red.csv").missing == (parse_card("10D"),)


def test_a_damaged_card_is_shown_with_its_new_tag(session: Callable[..., Session], tmp_path: Path) -> None:
    (tmp_path / "red.csv").write_text(f"{A}, 9D\n{B}, 10D\n", encoding="utf-8")
    at = session(load(tmp_path / "red.csv"))
    at.lines += at.session.begin(Replacing(at.session, "red", parse_card("9D")))
    at.tap("seat 1 reader", C)
    assert at.session.over
    assert load(tmp_path / "red.csv").deck.cards == {C: parse_card("9D"), B: parse_card("10D")}
