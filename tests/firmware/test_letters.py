"""The letters of ranks: on a Russian display В Д К Т, on an English one J Q K A; records know one spelling."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest
from contact_sheet import Scene, message_scenes, scenes
from PIL import Image
from test_pile_screens import TABLES, scenes_of

import firmware.drawing
import firmware.faces
from engine.cards import UNKNOWN, CardError, parse_card
from engine.game import games
from engine.values import Refusal
from firmware.faces import Size, face_picture
from firmware.glyphs import Font, fit, has, render
from firmware.low_screens import draw_low
from firmware.screens import draw
from firmware.seatview import SeatView
from firmware.words import Length, Words

RUSSIAN = {"A": "Т", "K": "К", "Q": "Д", "J": "В"}
"""Туз, король, дама, валет."""
LATIN = re.compile(r"(?<![A-Za-z])(?:[JQKA]|JK)(?![A-Za-z])")
Picture = Callable[[SeatView, Words], Image.Image]


def words(game: str = "pepper", language: str = "ru") -> Words:
    return Words(games()[game], language)


def test_russian_cards_have_the_letters_of_the_language() -> None:
    assert [words().card(parse_card(f"{rank}H")) for rank in RUSSIAN] == [f"{one}♥" for one in RUSSIAN.values()]
    assert [words().card(parse_card(card)) for card in ("10H", "JK", "JK'2")] == ["10♥", "Дж", "Дж"]
    assert words().card(UNKNOWN) == "??"


def test_so_have_what_stands_for_cards_and_what_a_joker_stands_for() -> None:
    told = words("vazhushal")
    assert told.choice("as:QD", Length.OLED) == "Д♦"
    assert [told.pick(f"pick:{part}") for part in ("10D-QD", "KD", "JK", "H")] == ["10–Д♦", "К♦", "Дж", "♥"]


@pytest.mark.parametrize("length", [Length.LINE, Length.SENTENCE])
def test_so_have_cards_in_messages(length: Length) -> None:
    refusal = Refusal("must-follow-suit", "", (("card", parse_card("JS")), ("suit", "D")))
    assert "В♠" in words().refusal(refusal, length)


def test_what_is_no_card_keeps_its_letters() -> None:
    assert words().choice("K", Length.OLED) == "K"
    assert "2" in words("vazhushal").choice("to:2", Length.OLED)


def test_records_and_scripts_are_written_in_their_own_letters() -> None:
    assert str(parse_card("QD")) == "QD"
    for text in ("ДD", "КD", "Т♦"):
        with pytest.raises(CardError):
            parse_card(text)


# What is drawn


@pytest.mark.parametrize("letters", [*RUSSIAN.values(), *RUSSIAN, "Дж", "JK"])
def test_every_letter_of_a_rank_has_its_glyph_in_every_font_and_fits_a_card(letters: str) -> None:
    assert [font for font in Font for letter in letters if not has(letter, font)] == []
    assert fit(letters, Font.TEXT, 13) == letters


def test_a_russian_joker_is_drawn_whole_and_unlike_any_other_card() -> None:
    for size in Size:
        pictures = [face_picture(face, size).tobytes() for face in ("Дж", "JK", "Д♦", "Д…", "Д")]
        assert len(set(pictures)) == len(pictures)


@contextmanager
def texts_drawn() -> Iterator[set[str]]:
    """All that is written on pictures while this holds."""
    written: set[str] = set()
    face_picture.cache_clear()  # a face that was drawn before is not drawn again

    def noted(text: str, font: Font) -> Image.Image:
        written.add(text)
        return render(text, font)

    with patch.object(firmware.drawing, "render", noted), patch.object(firmware.faces, "render", noted):
        yield written


def of_pepper() -> Iterator[Scene]:
    yield from scenes()
    yield from message_scenes()


@pytest.mark.few(1)
@pytest.mark.parametrize("picture", [draw, draw_low])
@pytest.mark.parametrize("language", ["en", "ru"])
def test_no_display_shows_a_rank_by_a_letter_of_the_other_language(picture: Picture, language: str) -> None:
    with texts_drawn() as written:
        for scene in of_pepper():
            picture(scene.seen._replace(names=()), words(language=language))
    assert wrong(written, language) == set()
    assert any(("Д" if language == "ru" else "Q") in text for text in written)


@pytest.mark.few(1)
@pytest.mark.parametrize("picture", [draw, draw_low])
@pytest.mark.parametrize(("game", "rules", "seats", "tracked"), TABLES)
def test_nor_does_any_in_games_with_piles(picture: Picture, game: str, rules: str, seats: int, tracked: bool) -> None:
    with texts_drawn() as written:
        for scene in scenes_of(game, rules, seats, tracked, 3, 12, 2):
            picture(scene.seen._replace(names=()), words(game))
    assert wrong(written, "ru") == set()
    assert any(re.search("[ВДКТ][♠♥♦♣]", text) for text in written)


def wrong(written: set[str], language: str) -> set[str]:
    """The texts with a rank's letter, or in English any letter, of the other language."""
    other = LATIN if language == "ru" else re.compile("[А-Яа-яё]")
    return {text for text in written if other.search(text)}
