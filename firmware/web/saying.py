"""Codes with their words in every language, as the interface of the web gives them."""

import json
from functools import lru_cache
from typing import Any

from engine.answers import notice_values
from engine.game import Game, games
from engine.values import Notice
from firmware.words import LANGUAGES, Length, Words

Said = dict[str, Any]
"""A code and, by language, its words."""


class Saying:
    """The words of one game in all languages."""

    def __init__(self, game: Game) -> None:
        self.each = {language: Words(game, language) for language in LANGUAGES}
        self._choices: dict[str, Said] = {}
        for words in self.each.values():
            words.codes("choice")  # looked up now, and not behind the first card

    def choice(self, code: str | None) -> Said | None:
        """A bid, a suit, a pass."""
        if code is None:
            return None
        if code not in self._choices:
            self._choices[code] = {"code": code} | {
                language: words.choice(code, Length.LINE) for language, words in self.each.items()
            }
        return self._choices[code]

    def phase(self, code: str) -> Said:
        """A phase of a deal."""
        return {"code": code} | {language: words.phase(code, Length.LINE) for language, words in self.each.items()}

    def game(self, code: str) -> Said:
        """The game itself."""
        return {"code": code} | {language: words.title() for language, words in self.each.items()}

    def rule_set(self, code: str) -> Said:
        """A rule set."""
        return {"code": code} | {language: words.rule_set(code) for language, words in self.each.items()}

    def notice(self, notice: Notice) -> Said:
        """What was brought about: the code, the facts, the words; not a line of the record, which nobody sees here."""
        values = {key: value for key, value in notice_values(notice).items() if key != "claim"}
        return values | {language: words.notice(notice, Length.LINE) for language, words in self.each.items()}


@lru_cache(maxsize=8)
def saying_of(game: str) -> Saying:
    """The words of an installed game."""
    return Saying(games()[game])


def as_json(values: object) -> str:
    """Values as text, as short as it gets."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))
