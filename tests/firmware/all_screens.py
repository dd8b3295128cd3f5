"""All screens in a picture for each topic and language, as `docs/images/screens-TOPIC.LANGUAGE.png` keep them.

`make screens` draws them anew. It is no command of the wheel: the scenes are matches and tables that tests make.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from string import Formatter
from typing import NamedTuple

from contact_sheet import (
    HANDS,
    LONG_NAMES,
    MESSAGES,
    NAMES,
    Play,
    Scene,
    deal_scenes,
    hand_scenes,
    message_scenes,
    pepper_scenes,
    play_scenes,
)
from dialog_scenes import compared_scenes, dialog_scenes, scripted_scenes, token_scenes
from displays_picture import displays
from PIL import Image
from pile_scenes import Met, pile_scenes, wanted_scenes

from engine.cards import parse_card
from engine.game import games
from engine.values import Fact, Notice, Refusal
from firmware.glyphs import Font, fit, render
from firmware.low_screens import draw_low
from firmware.screens import draw
from firmware.seatview import MESSAGES as TABLE_MESSAGES
from firmware.seatview import Message, TableText
from firmware.words import LANGUAGES, Words

FOLDER = Path(__file__).parent.parent.parent / "docs" / "images"
DISPLAYS = FOLDER / "displays.png"
"""The first picture of the README."""
PILED = ("possession", "vazhushal")
ACROSS, COLUMNS, ROWS, TITLE, GAP, HEADING, SCALE = 6, 128, 64, 9, 4, 26, 2
TOPICS = ("lobby", "director", "pepper", *PILED, "messages")
FACTS: dict[str, Fact] = {
    "back": 24, "bid": "little", "button": "left", "card": parse_card("10H"), "cards": (13, 9, 13), "claim": 2,
    "count": 13, "device": "seat 2 reader", "expected": 13, "hand": 13, "meld": 2, "missing": ((1, 3), (2, 5)),
    "most": "5", "name": "Cleo", "needed": 6, "number": 2, "option": "target", "place": 13,
    "played": parse_card("10D"), "points": ((1, -16), (2, 3)), "scores": ((1, -20), (2, 28)), "seat": 4, "size": 13,
    "standing": "big", "suit": "D", "trick": 8, "turn": 3, "verb": "meld", "winners": (1,),
    "names": "Alexandra", "line": "director hand", "seconds": 30, "least": 4, "deck": "deck:red", "file": "red.csv",
    "folder": "/var/lib/tableref/decks", "tag": "04A1B2C3D4E5F6", "what": "Cleo: 10H", "pack": 2, "ago": 59, "seen": 51,
    "strangers": 3, "total": 108, "value": "3", "way": "pad", "side": 1, "game": "Pepper", "rules": "bowers",
    "deals": 12,
}  # fmt: skip
"""A value for each fact that a message tells, the longest ones that occur."""


class Drawn(NamedTuple):
    """A scene, and the game whose words it is drawn in. It stands under `heading` in the picture of its `topic`."""

    game: str
    scene: Scene
    topic: str
    heading: str


@cache
def words(game: str, language: str) -> Words:
    """The words of a game."""
    return Words(games()[game], language)


@cache
def all_scenes(language: str) -> tuple[Drawn, ...]:
    """Every screen that can stand on a display."""
    return tuple(_all(language))


def _all(language: str) -> Iterator[Drawn]:
    def drawn(topic: str, heading: str, scenes: Iterable[Scene], game: str = "pepper") -> Iterator[Drawn]:
        return (Drawn(game, scene, topic, heading) for scene in scenes)

    yield from drawn("lobby", "From the lobby to the first deal", dialog_scenes(language))
    yield from drawn("director", "The director, settings, the cards, after a restart", scripted_scenes(language))
    yield from drawn("director", "The token of the director's console", token_scenes(language))
    yield from drawn("pepper", "Pepper, players with names", pepper_scenes(NAMES))
    yield from drawn("pepper", "Players without names", (*play_scenes(()), *deal_scenes(())))
    yield from drawn("pepper", "Players with long names", play_scenes(LONG_NAMES))
    yield from drawn("pepper", "Looking at the own hand", hand_scenes())
    for game in PILED:
        met = (Scene(met.title, met.seen) for met in (*wanted_scenes(game), *_piled(game)))
        yield from drawn(game, game.capitalize(), met, game)
        yield from drawn(game, "After a restart", compared_scenes(game, language), game)
    yield from drawn("messages", "Messages at Pepper", message_scenes())
    told = {message.code for message in MESSAGES}
    for game in ("pepper", *PILED):
        seen = Play(names=NAMES).deal(4, *HANDS).seen(2) if game == "pepper" else _piled(game)[0].seen
        for message in messages_of(game):
            if message.code not in told:
                told.add(message.code)
                scene = Scene(message.code, seen._replace(message=message))
                yield from drawn("messages", f"Other messages at {game.capitalize()}", (scene,), game)


@cache
def _piled(game: str) -> tuple[Met, ...]:
    return tuple(pile_scenes(game, (*NAMES, "Eve", "Fay")))


def messages_of(game: str) -> Iterator[Message]:
    """Everything that may be told a seat in this game, by the codes that there are words for."""
    told = words(game, "en")
    for code in told.codes("refusal"):
        yield Refusal(code, "", facts_of(told, f"refusal.{code}"))
    for code in told.codes("notice"):
        yield Notice(code, facts_of(told, f"notice.{code}"))
    for code in TABLE_MESSAGES:
        yield TableText(code, facts_of(told, f"table.{code}"), bad=True)


def facts_of(told: Words, key: str) -> tuple[tuple[str, Fact], ...]:
    """A value for each fact in a text; KeyError for one that has none here."""
    names = {name for text in told.texts(key) for _, name, _, _ in Formatter().parse(text) if name}
    return tuple((name, FACTS[name]) for name in sorted(names))


def cell(drawn: Drawn, language: str) -> Image.Image:
    """A screen on both heights of displays, under its title."""
    picture = Image.new("1", (COLUMNS, TITLE + ROWS + GAP + ROWS // 2))
    seen, said = drawn.scene.seen, words(drawn.game, language)
    title = fit(drawn.scene.title, Font.TINY, COLUMNS)
    picture.paste(render(title, Font.TINY), (0, 0))
    picture.paste(draw(seen, said), (0, TITLE))
    picture.paste(draw_low(seen, said), (0, TITLE + ROWS + GAP))
    return picture


def picture(topic: str, language: str) -> Image.Image:
    """The screens of a topic under their headings, on a lit ground, so that the edges of the displays are seen."""
    scenes = [drawn for drawn in all_scenes(language) if drawn.topic == topic]
    parts = [(heading, [*part]) for heading, part in groupby(scenes, key=lambda drawn: drawn.heading)]
    wide, high = COLUMNS + GAP, TITLE + ROWS + GAP + ROWS // 2 + GAP
    rows = sum(HEADING + high * -(-len(part) // ACROSS) for _, part in parts)
    sheet, top = Image.new("1", (wide * ACROSS + GAP, rows + GAP), 1), 0
    for heading, part in parts:
        sheet.paste(0, (GAP, top + 3), render(heading, Font.LARGE))
        for place, drawn in enumerate(part):
            _paste(sheet, place % ACROSS * wide + GAP, top + HEADING + place // ACROSS * high, cell(drawn, language))
        top += HEADING + high * -(-len(part) // ACROSS)
    return sheet.resize((sheet.width * SCALE, sheet.height * SCALE), Image.Resampling.NEAREST)


def _paste(sheet: Image.Image, x: int, y: int, one: Image.Image) -> None:
    """A screen on both heights, with its title in dark letters."""
    for top, rows in ((TITLE, ROWS), (TITLE + ROWS + GAP, ROWS // 2)):
        sheet.paste(one.crop((0, top, COLUMNS, top + rows)), (x, y + top))
    sheet.paste(0, (x, y, x + COLUMNS, y + TITLE), one.crop((0, 0, COLUMNS, TITLE)))


def file_of(topic: str, language: str) -> Path:
    """Where the picture of a topic is kept."""
    return FOLDER / f"screens-{topic}.{language}.png"


def main(languages: Sequence[str] = LANGUAGES) -> None:
    """Draw the pictures that are kept."""
    displays().save(DISPLAYS, optimize=True)
    for language in languages:
        for topic in TOPICS:
            picture(topic, language).save(file_of(topic, language), optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:] or LANGUAGES)
