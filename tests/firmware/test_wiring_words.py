"""The words about wires: both languages have them all, and what is compiled is what is written."""

import io
import re
import string
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po

import firmware
from firmware.supply import THROTTLED
from firmware.wiring_words import WiringWords
from firmware.words import LANGUAGES
from hal.events import Button
from hal.strip import STRIP
from hal.wiring import BUZZER, CommonRole, ReaderPlace, buttons_name, display_name, led_name, reader_name

FOLDER = Path(firmware.__file__).parent


def catalogue(language: str) -> Catalog:
    with (FOLDER / "locale" / language / "LC_MESSAGES" / "wiring.po").open("rb") as file:
        return read_po(file, language, "wiring")


def texts(language: str) -> dict[str, str]:
    return {str(message.id): str(message.string) for message in catalogue(language) if message.id}


def facts_in(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def codes_in_the_sources() -> set[str]:
    modules = (
        "telling",
        "wiring_words",
        "wiring_picture",
        "wiring_commands",
        "watching",
        "doctor",
        "doctor_commands",
        "health",
        "status",
    )
    found: set[str] = set()
    for module in modules:
        source = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        found |= set(
            re.findall(
                r'"((?:use|answer|reader|place|picture|bus|advice|check|watch|health|bind|log|device|status)\.[a-z-]+)"',
                source,
            )
        )
    for module in ("doctor_system", "doctor_devices", "doctor_commands", "deck_check", "oddities"):
        source = (FOLDER / f"{module}.py").read_text(encoding="utf-8")
        found |= {f"doctor.{code}" for code in re.findall(r'\b(?:ok|note|fail)\(\s*"([a-z-]+)"', source)}
    return found | {f"doctor.{code}" for code in THROTTLED.values()}


def test_the_codes_are_found_in_the_sources() -> None:
    found = codes_in_the_sources()
    assert {"use.button", "picture.header", "doctor.no-right", "bind.tap", "watch.tag", "doctor.hot-now"} <= found
    assert len(found) > 70


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words(language: str) -> None:
    assert codes_in_the_sources() - texts(language).keys() == set()


def test_both_languages_say_the_same_things_with_the_same_facts() -> None:
    english, russian = texts("en"), texts("ru")
    assert english.keys() == russian.keys()
    for code, text in english.items():
        assert facts_in(text) == facts_in(russian[code]), code


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(language))
    compiled.seek(0)
    with (FOLDER / "locale" / language / "LC_MESSAGES" / "wiring.mo").open("rb") as file:
        shipped = {str(message.id): message.string for message in read_mo(file) if message.id}
    assert shipped == {str(message.id): message.string for message in read_mo(compiled) if message.id}


def test_what_is_counted_is_said_of_one_in_words_of_its_own() -> None:
    words = WiringWords()
    assert words.say("doctor.deck-kind", count=1, size=5, family="KB") == "1 tag of 5 bytes (KB)"
    assert words.say("doctor.deck-kind", count=2, size=5, family="KB") == "2 tags of 5 bytes (KB)"
    for code, text in texts("en").items():
        if re.search(r"\{count\} \w+s\b", text):
            assert f"{code}.one" in texts("en"), code


def test_every_device_has_a_name_in_each_language() -> None:
    names = [
        reader_name(1),
        *map(reader_name, CommonRole),
        display_name(1),
        buttons_name(1),
        led_name(1),
        BUZZER,
        STRIP,
    ]
    names += [f"seat 1 {button} button" for button in Button]
    russian = [WiringWords("ru").device(name) for name in names]
    assert not [name for name in russian if re.search("[a-z]", name)]
    assert WiringWords("ru").device("seat 1 reader") == "считыватель места 1"
    assert WiringWords().device("dealing reader") == WiringWords().reader(ReaderPlace("", "", role=CommonRole.DEALING))
    assert WiringWords().device("/dev/ttyUSB0") == "/dev/ttyUSB0"


def test_a_code_without_words_is_said_as_it_is() -> None:
    assert WiringWords().say("no.such-code") == "no.such-code"
