"""Words for codes: the one place where a ruling becomes a text, in a language and at a length.

The catalogues are gettext's; a message's id is `refusal.CODE`, `notice.CODE`, `ask.CODE`, `choice.CODE`,
`phase.CODE`, `table.CODE`, `rank.RANK` or `device.KIND`, its context is the length. A game brings its own catalogue,
which goes before the table's.
"""

import gettext
import re
from collections.abc import Iterable
from copy import copy
from enum import StrEnum
from importlib.resources import files
from string import Formatter

from engine.cards import CARDS, PLAIN, RANKS
from engine.game import Game
from engine.options import OptionValue, option_text
from engine.values import Fact, Notice, Refusal
from firmware.lacking import lacking
from firmware.narrowing import card_of, span_of
from firmware.phrases import tell
from firmware.seatview import PICK, Message

LANGUAGES = ("en", "ru")
LANGUAGE_NAMES = {"en": "English", "ru": "Русский"}
NO_BREAK_SPACE = "\u00a0"
TITLE = "title"
"""The id of a game's name."""
_SUIT_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_JOKER = "JK"
_BUTTON_SIGNS = {"left": "◀", "ok": "OK", "right": "▶"}
_VALUED = re.compile(r"([a-z]+):(\S+)")
_ROOM = 12
"""Letters in which those are listed who have not all cards: with what is said before them they fill a line."""
_CARDS = frozenset({"card", "played"})
_SEATS = frozenset({"seat", "turn", "side", "winners", "expected"})
"""Facts for which a text that names players has their names."""
_NAMED = "named."
"""How the ids of texts begin that name players instead of counting seats."""
_LETTERS = 12
"""Letters to which names are cut."""


class Length(StrEnum):
    """How much room a text has: a line of a seat's display, a line of a screen, or a sentence."""

    OLED = "oled"
    LINE = "line"
    SENTENCE = "sentence"


_LONGEST = {Length.OLED: 20, Length.LINE: 38, Length.SENTENCE: 200}
"""Letters of a text that names players: beyond them the numbers of seats have to do."""


class Words:
    """The words of one language for one game."""

    def __init__(self, game: Game, language: str = "en") -> None:
        self.language = language
        self.game = game.name
        self._catalogues = [
            _catalogue(game.catalogue, game.name, language),
            _catalogue("firmware", "tableref", language),
        ]
        self._codes: dict[str, list[str]] = {}
        self._names: tuple[str, ...] = ()
        self._sides: tuple[tuple[int, ...], ...] = ()
        self._among: dict[object, Words] = {}

    def among(self, names: tuple[str, ...], sides: tuple[tuple[int, ...], ...] = ()) -> "Words":
        """The same words where players have these names: texts say them instead of numbers of seats, and instead of a
        side all who are of it, as far as a display has room.
        """
        if (names, sides) == (self._names, self._sides):
            return self
        if (names, sides) not in self._among:
            words = copy(self)
            words._names, words._sides, words._among = names, sides, {}
            self._among = {(names, sides): words}  # of the others a table has no use any more
        return self._among[names, sides]

    def codes(self, kind: str) -> list[str]:
        """The codes of one kind, such as `refusal`, that the game and the table have words for; none where the game
        brings no catalogue.
        """
        if kind not in self._codes:
            game, table = ({*getattr(one, "_catalog", ())} for one in self._catalogues)  # gettext cannot list them
            ids = {key.partition("\x04")[2] for key in game | table if isinstance(key, str)} if game else set()
            self._codes[kind] = sorted(one.removeprefix(f"{kind}.") for one in ids if one.startswith(f"{kind}."))
        return self._codes[kind]

    def texts(self, key: str) -> list[str]:
        """The texts of an id at all lengths, with their facts still to be filled in."""
        found = (
            (catalogue, catalogue.pgettext(length.value, key)) for length in Length for catalogue in self._catalogues
        )
        return [text for _, text in found if text != key]

    def refusal(self, refusal: Refusal, length: Length) -> str:
        """Why an action was refused."""
        return self._say(f"refusal.{refusal.code}", length, refusal.facts) or refusal.code

    def notice(self, notice: Notice, length: Length) -> str:
        """What an action brought about."""
        return self._say(f"notice.{notice.code}", length, notice.facts) or notice.code

    def message(self, message: Message, length: Length) -> str:
        """Whatever is said to a seat."""
        if isinstance(message, Refusal):
            return self.refusal(message, length)
        if isinstance(message, Notice):
            return self.notice(message, length)
        return self.table(message.code, length, **dict(message.facts))

    def ask(self, prompt: str, length: Length, facts: Iterable[tuple[str, Fact]] = ()) -> str:
        """What a seat is asked."""
        return self._say(f"ask.{prompt}", length, facts) or prompt

    def choice(self, code: str, length: Length) -> str:
        """A choice by its code, such as a bid, a suit or a pass; one with a value is written `code:value`."""
        valued = _VALUED.fullmatch(code)
        if valued:
            value = self._face(valued[2])
            return self._say(f"choice.{valued[1]}", length, (("value", value),)) or value
        return _SUIT_SIGNS.get(code) or self._say(f"choice.{code}", length) or code

    def title(self) -> str:
        """The name of the game."""
        return self._say(TITLE, Length.OLED) or self.game.replace("-", " ").capitalize()

    def rule_set(self, name: str) -> str:
        """The name of a rule set."""
        return self._say(f"rules.{name}", Length.OLED) or name

    def option(self, name: str) -> str:
        """What an option is about, in a few words."""
        return self._say(f"option.{name}", Length.OLED) or name.replace("_", " ")

    def value(self, value: OptionValue) -> str:
        """The value of an option."""
        text = option_text(value)
        return self._say(f"value.{text}", Length.OLED) or text

    def short(self, code: str, **facts: Fact) -> str:
        """A text of the table itself at the length of a display's line."""
        return self.table(code, Length.OLED, **facts)

    def phase(self, code: str, length: Length) -> str:
        """A phase of a deal."""
        return self._say(f"phase.{code}", length) or code

    def table(self, code: str, length: Length, **facts: Fact) -> str:
        """A text of the table itself, not of a game."""
        return self._say(f"table.{code}", length, facts.items()) or code

    def card(self, card: int) -> str:
        """A card with the letter of its rank in this language, and its suit sign."""
        return self._face(str(CARDS[PLAIN[card]]))

    def pick(self, code: str) -> str:
        """A choice that stands for cards in a long list: one card, a suit, or ranks beside each other."""
        span = span_of(code)
        if span is None:
            card = card_of(code)
            return self.choice(code.removeprefix(PICK), Length.OLED) if card is None else self.card(card)
        first, last = map(self.card, span)
        return f"{first[:-1]}–{last}"

    def _face(self, text: str) -> str:
        """A card's text with its letter and its sign; what is no card stays as it is."""
        rank, suit = (text[:-1], text[-1]) if text[-1:] in _SUIT_SIGNS else (text, "")
        if rank not in RANKS and text != _JOKER:
            return text
        letter = self._say(f"rank.{rank}", Length.OLED) or rank
        return f"{letter}{_SUIT_SIGNS[suit]}" if suit else letter

    def _say(self, key: str, length: Length, facts: Iterable[tuple[str, Fact]] = ()) -> str:
        for catalogue in self._catalogues:
            text = catalogue.pgettext(length.value, key)
            if text != key:
                given = dict(facts)
                said = {name: self._fact(name, value, length) for name, value in given.items()}
                named = self._naming(catalogue.pgettext(length.value, f"{_NAMED}{key}"), given, said)
                return named if named and len(named) <= _LONGEST[length] else text.format_map(said)
        return ""

    def _naming(self, text: str, facts: dict[str, Fact], said: dict[str, str]) -> str:
        """A text that names players; empty where there is none, or one of them has no name."""
        if not self._names or text.startswith(_NAMED):
            return ""
        wanted = {name for _, name, _, _ in Formatter().parse(text) if name in _SEATS}
        named = {name: self._called(name, facts[name]) for name in wanted}
        return text.format_map(said | named) if all(named.values()) else ""

    def _called(self, fact: str, value: Fact) -> str:
        """The name of a seat, or those of all on a side that is told by its first seat; empty where one has none."""
        seats = [seat for seat in (value if isinstance(value, tuple) else (value,)) if isinstance(seat, int)]
        if fact in ("side", "winners"):
            seats = [seat for first in seats for side in self._sides if first in side for seat in side]
        names = [self._names[seat - 1] if 0 < seat <= len(self._names) else "" for seat in seats]
        return "+".join(map(_shortened, names)) if all(names) else ""

    def _fact(self, name: str, value: Fact, length: Length) -> str:
        if name in _CARDS and isinstance(value, int):
            return self.card(value)
        if name == "cards" and isinstance(value, str):
            return " ".join(map(self._face, value.split()))
        if name == "device" and isinstance(value, str):
            kind = value.rpartition(" ")[2].lower()
            named = self._say(f"device.{value.replace(' ', '-')}", length)
            return named or self._say(f"device.{kind}", length) or value
        if name == "button" and isinstance(value, str):
            return _BUTTON_SIGNS.get(value, value)
        if name == "missing" and isinstance(value, tuple):
            pairs = [item for item in value if isinstance(item, tuple)]
            return lacking(pairs, self._names, _ROOM if length is Length.OLED else _LONGEST[length])
        if isinstance(value, tuple):
            pairs = [item for item in value if isinstance(item, tuple)]
            return " : ".join(f"{points:+d}" if name == "points" else str(points) for _, points in pairs) or ", ".join(
                map(str, value)
            )
        if hasattr(value, "template"):
            return tell(value, self.language)
        return self.choice(value, length) if isinstance(value, str) else str(value)


def heading(text: str) -> str:
    """A text as the heading of a display: it begins with a capital, as sentences do."""
    return text[:1].upper() + text[1:]


def _shortened(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1].rstrip()}…"


def _catalogue(package: str, domain: str, language: str) -> gettext.NullTranslations:
    folder = files(package) / "locale"
    return gettext.translation(domain, str(folder), [language], fallback=True)
