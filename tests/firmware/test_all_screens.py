"""No screen exists that the kept pictures do not show, and they show what is drawn now."""

import string
from collections.abc import Callable, Iterator
from functools import cache
from unittest.mock import patch

import pytest
from all_screens import DISPLAYS, PILED, TOPICS, Drawn, all_scenes, cell, file_of, messages_of, picture
from displays_picture import displays
from PIL import Image, ImageChops

from engine.game import games
from firmware.drawing import Canvas
from firmware.low_screens import paint_low
from firmware.screens import paint
from firmware.seatview import MESSAGES
from firmware.words import LANGUAGES, Words

ELSEWHERE = {
    "table.another-table", "table.final-score", "table.goodbye", "table.your-turn", "table.seat-name",
    "choice.place", "choice.sign", "choice.to", "phase.out", "phase.over", "phase.play", "phase.trump",
    "choice.wrong-dealer", "table.last-action",
}  # fmt: skip
"""Words that are said at a terminal or in the log only, or for which displays have others: names, signs, melds; a wrong
dealer, who is known from records alone; and an action of a game that has no words for it, which none of these is.
"""
KINDS = ("ask", "choice", "table", "refusal", "notice", "phase")


@cache
def drawn_and_said(language: str) -> tuple[tuple[Drawn, ...], frozenset[str]]:
    """All screens, and the ids of all words that are asked for while they come up and are drawn."""
    keys: set[str] = set()
    plain = Words._say

    def noting(words: Words, key: str, *given: object, **named: object) -> str:
        keys.add(key)
        return plain(words, key, *given, **named)  # type: ignore[arg-type]

    with patch.object(Words, "_say", noting):
        drawn = all_scenes(language)
        for one in drawn:
            cell(one, language)
    return drawn, frozenset(keys)


def codes(game: str) -> Iterator[str]:
    words = Words(games()[game])
    return (f"{kind}.{code}" for kind in KINDS for code in words.codes(kind))


@pytest.mark.long
@pytest.mark.parametrize("game", ["pepper", *PILED])
def test_every_question_choice_message_and_phase_is_on_some_screen(game: str) -> None:
    assert {*codes(game)} - drawn_and_said("en")[1] - ELSEWHERE == set()


@pytest.mark.long
def test_every_message_of_the_table_is_on_some_screen() -> None:
    shown = {drawn.scene.seen.message.code for drawn in drawn_and_said("en")[0] if drawn.scene.seen.message is not None}
    assert {*MESSAGES} - shown == set()
    for game in ("pepper", *PILED):
        assert {message.code for message in messages_of(game)} - shown == set()


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_kept_pictures_show_what_is_drawn_now(language: str) -> None:
    assert {drawn.topic for drawn in drawn_and_said(language)[0]} == {*TOPICS}
    for topic in TOPICS:
        file = file_of(topic, language)
        kept, now = Image.open(file), picture(topic, language)
        assert kept.mode == "1"
        assert kept.size == now.size, "make screens"
        assert ImageChops.logical_xor(kept, now).getbbox() is None, "make screens"
        assert file.stat().st_size < 250_000


def test_so_does_the_first_picture_of_the_readme() -> None:
    kept, now = Image.open(DISPLAYS).convert("RGB"), displays().convert("RGB")
    assert kept.size == now.size, "make screens"
    assert ImageChops.difference(kept, now).getbbox() is None, "make screens"


# Names in any script


NAMES = (
    "محمد عبد الله",
    "日本語の名前",
    "🎲👩\u200d👧 Zoë",
    "e\u0301\u0323\u0302 combining",
    "\u202eright to left",
    "नमस्ते",
    "\ud800 half a pair",
    "\u200d\u200b",
    "\x07\n\ufffd",
    "x" * 200,
)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_a_name_in_any_script_never_breaks_a_display(name: str) -> None:
    for drawn in drawn_and_said("en")[0][:: 1 if name in NAMES[:2] else 7]:
        seen = drawn.scene.seen._replace(names=(name,) * len(drawn.scene.seen.names or ("",) * 6))
        for painted, rows in ((paint, 64), (paint_low, 32)):
            for shift in (0, 3):
                assert painted(seen, Words(games()[drawn.game]), shift).image.size == (128, rows)


@pytest.mark.long
def test_a_letter_that_no_font_has_is_a_box() -> None:
    seen = next(drawn.scene.seen for drawn in drawn_and_said("en")[0] if drawn.scene.title == "first to bid")
    there, plain = (
        paint(seen._replace(names=("Ann", "Ben", name, "Dan")), Words(games()["pepper"])).image.crop((40, 0, 60, 8))
        for name in ("日本", string.whitespace)
    )
    assert ImageChops.logical_xor(there, plain).getbbox() is not None


# The margin

_MESSAGES: dict[Callable[..., Canvas], tuple[int, int]] = {paint: (9, 56), paint_low: (16, 32)}
"""The rows in which messages and sentences stand, above the foot line."""


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("painted", [paint, paint_low])
def test_no_message_begins_nearer_to_the_edge_than_other_texts(painted: Callable[..., Canvas], language: str) -> None:
    top, end = _MESSAGES[painted]
    for drawn in drawn_and_said(language)[0]:
        seen = drawn.scene.seen
        if seen.message is not None and not seen.peeking and seen.shown is None:
            image = painted(seen, Words(games()[drawn.game], language)).image
            for left, right in ((0, 2), (126, 128)):
                assert image.crop((left, top, right, end)).getbbox() is None, drawn.scene.title
