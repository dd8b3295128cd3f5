"""Vazhushal's words: every code that its sources use, in both languages and at each length."""

import re
from gettext import translation
from pathlib import Path

import pytest

from engine import vazhushal
from engine.vazhushal import GAME
from engine.vazhushal.notation import VERBS
from engine.vazhushal.state import Phase

FOLDER = Path(vazhushal.__file__).parent
SOURCE = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
GENERAL = {"unknown-action", "not-your-turn", "wrong-phase", "not-in-hand", "duplicate-card", "not-in-pack"}
MELDING = {
    "meld-too-short", "meld-all-jokers", "joker-unnamed", "not-a-meld", "meld-identical", "first-meld-not-sequence",
    "first-meld-not-pure", "take-too-deep", "take-not-melded",
}  # fmt: skip


def used() -> list[str]:
    """The messages that the sources ask for, but for those that the table words itself."""
    found = {f"refusal.{code}" for code in re.findall(r'Refusal\(\s*"([a-z-]+)"', SOURCE)}
    found |= {f"notice.{code}" for code in re.findall(r'Notice\("([a-z-]+)"', SOURCE)}
    found |= {f"ask.{code}" for code in re.findall(r'Ask\("([a-z-]+)"', SOURCE)}
    found |= {f"refusal.{code}" for code in MELDING} | {f"phase.{phase}" for phase in Phase}
    found |= {f"ask.{phase}" for phase in set(Phase) - {Phase.OVER, Phase.OUT}} | {
        "ask.discard",
        "ask.out",
        "ask.double",
    }
    found |= {f"choice.{verb}" for verb in VERBS}
    return sorted(found - {f"refusal.{code}" for code in GENERAL})


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("length", ["oled", "line", "sentence"])
def test_every_code_has_words(language: str, length: str) -> None:
    words = translation(GAME.name, str(FOLDER / "locale"), [language])
    assert [key for key in used() if words.pgettext(length, key) == key] == []


def test_the_codes_of_the_rules_are_among_them() -> None:
    codes = {key.removeprefix("refusal.") for key in used() if key.startswith("refusal.")}
    assert codes >= {
        "redeal-closed", "no-double", "already-drew", "must-draw-first", "not-in-line", "not-next", "take-too-deep",
        "take-not-melded", "not-your-meld", "not-all-melded", "must-keep-last", *MELDING,
    }  # fmt: skip
