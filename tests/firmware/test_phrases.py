"""What the rooms say has a Russian text, with the same facts; nobody who plays in Russian meets an English sentence."""

import ast
import errno
import os
import re
import string
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
import serial
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

import engine.phrases
import hal.phrases
from firmware.phrases import FOREIGN, tell
from hal.phrases import Phrase, both, either, listing, said_by
from tests.russian import english_in

ROOT = Path(__file__).parents[2]
PLACES = [ROOT / "firmware", *(ROOT / "engine" / game for game in ("pepper", "possession", "vazhushal"))]
CATALOGUES = [place / "locale" / "ru" / "LC_MESSAGES" / "phrases.po" for place in PLACES]
SOURCES = [path for room in ("engine", "hal", "firmware") for path in sorted((ROOT / room).rglob("*.py"))]


def texts(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may be."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from texts(one)
            yield from texts(other)


def templates() -> dict[str, str]:
    """Every template in the sources that has words, with the file that it stands in."""
    found: dict[str, str] = {}
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Phrase":
                found |= dict.fromkeys(texts(node.args[0]), path.name)
    return {text: file for text, file in found.items() if re.search("[A-Za-z]", re.sub(r"\{[^{}]*\}", "", text))}


def fields(template: str) -> set[tuple[str, str]]:
    """The facts of a template, each with what is done to it."""
    parts = string.Formatter().parse(template)
    return {(name, f"{conversion or ''}:{spec}") for _, name, spec, conversion in parts if name is not None}


def written(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        return {str(one.id): str(one.string) for one in read_po(file, locale="ru") if one.id}


def catalogue() -> dict[str, str]:
    return {text: russian for path in CATALOGUES for text, russian in written(path).items()}


def test_two_rooms_say_it_in_the_same_way() -> None:
    sources = [Path(module.__file__ or "").read_text(encoding="utf-8") for module in (engine.phrases, hal.phrases)]
    assert sources[0] == sources[1]


def test_every_template_has_a_russian_text() -> None:
    known = catalogue()
    assert {text: file for text, file in templates().items() if not known.get(text)} == {}
    assert {template for _, template in FOREIGN if template != "{why}" and not known.get(template)} == set()


@pytest.mark.long
def test_a_russian_text_has_the_facts_of_the_english_one() -> None:
    of_phrases = templates().keys() | {template for _, template in FOREIGN}
    with_facts = {one: other for one, other in catalogue().items() if one in of_phrases}
    assert [one for one, other in with_facts.items() if fields(one) != fields(other)] == []


@pytest.mark.long
def test_no_russian_text_is_left_of_a_template_that_is_gone() -> None:
    of_phrases = templates().keys() | {template for _, template in FOREIGN}
    assert [one for one in catalogue() if "{" in one and one not in of_phrases] == []


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.parts[-5])
def test_what_is_compiled_is_what_is_written(path: Path) -> None:
    compiled = read_mo(BytesIO(path.with_suffix(".mo").read_bytes()))
    assert {str(one.id): str(one.string) for one in compiled if one.id} == written(path), "run `make catalogues`"


def test_no_game_is_named_outside_of_its_own_catalogue() -> None:
    assert not [text for text in written(CATALOGUES[0]) if re.search("pepper|possession|vazhushal", text)]


def test_a_phrase_is_its_english_sentence() -> None:
    said = Phrase("{port} is taken by {owner}", port="COM3", owner=either(["minicom", "screen"]))
    assert said == "COM3 is taken by minicom or screen"
    assert tell(said, "en") == said
    assert Phrase("{no facts}") == "{no facts}"


def test_facts_that_are_phrases_are_told_too() -> None:
    said = Phrase("{first}, {second}", first=Phrase("seat {seat} display", seat=2), second=both(["mcp", "mcq"]))
    assert tell(said, "ru") == "дисплей места 2, mcp и mcq"


def test_the_texts_of_facts_can_be_changed() -> None:
    inner = Phrase("{path}: {problem}", path=Path("/tmp/x/deck.csv"), problem="cut")
    said = Phrase("{first}, {second}", first=inner, second=3).mapped(lambda text: text.replace("/tmp/x/", ""))
    assert said == "deck.csv: cut, 3"


def test_what_a_phrase_quotes_is_not_translated() -> None:
    assert tell(Phrase("no game {name!r}; expected {listed}", name="nothing", listed="pepper"), "ru") == (
        "нет игры 'nothing'; нужно pepper"
    )


def test_nothing_to_list_is_nothing() -> None:
    assert listing([]) == ""


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/dev/ttyX"),
        OSError(errno.EIO, os.strerror(errno.EIO)),
        OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO)),
        PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/dev/i2c-1"),
        serial.SerialException(
            2, "could not open port /dev/x: [Errno 2] No such file or directory: '/dev/x'"
        ),
        serial.SerialException("device reports readiness to read but returned no data "
                               "(device disconnected or multiple access on port?)"),
        serial.SerialException("read failed: [Errno 5] Input/output error"),
        serial.SerialException("write failed: [Errno 5] Input/output error"),
        serial.SerialException(
            11, "Could not exclusively lock port /dev/x: [Errno 11] Resource temporarily unavailable"
        ),
        serial.SerialTimeoutException("Write timeout"),
        serial.PortNotOpenError(),
        Exception("(5, 'Input/output error')"),
        Exception("'GPIO busy'"),
        Exception("I2C device not found on address: 0x3C"),
    ],
    ids=str,
)  # fmt: skip
def test_what_libraries_and_the_system_say_of_a_lost_device_is_told_in_russian(error: Exception) -> None:
    said = tell(said_by(error), "ru")
    assert english_in(said) == []
    assert re.search("[а-я]", said)


def test_the_words_of_an_unknown_library_stay() -> None:
    assert tell(said_by(RuntimeError("flux capacitor drained")), "ru") == "flux capacitor drained"
