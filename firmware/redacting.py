"""What is cut out of a text that leaves the house: names, cards, tags, and what lets a director in (law 6).

What is known to be secret is replaced wherever it stands; beside that whatever looks like a card or a tag, for a log is
written by many hands.
"""

import json
import re
from collections.abc import Iterable
from html import escape
from unicodedata import normalize
from urllib.parse import quote

HIDDEN = "**"
"""What stands for a card."""
_CARD = re.compile(
    r"(?<![\w])(?:10|[2-9AJQKTТВДК])(?:[CDHS](?:'\d)?(?!\w)|\uFE0E?[♠♣♥♦])|(?<![\w])JK(?:'\d)?(?!\w)|[♠♣♥♦]",
    re.IGNORECASE,
)
_GLUED = re.compile(r"(?<![\w])(?:(?:10|[2-9AJQKT])[CDHS]){2,}(?!\w)", re.IGNORECASE)
_TAG = re.compile(r"(?<![0-9A-Za-z])(?:0x|EM)?(?:[0-9A-Fa-f]{2}[ :-]?){4,}[0-9A-Fa-f]?(?![0-9A-Za-z])", re.IGNORECASE)
_BYTES = re.compile(r"b(['\"])(?:\\x[0-9a-f]{2}|[ -~])*?\\x(?:\\x[0-9a-f]{2}|[ -~])*?\1")
"""Bytes as Python writes them: a tag is mostly among them."""
_KEY = re.compile(r"(\btoken=|\bBearer\s+)[^\s&'\"]+", re.IGNORECASE)
_TOKEN = re.compile(r"\b[2-9A-HJ-NP-Z]{4}(?:-[2-9A-HJ-NP-Z]{4}){3}\b", re.IGNORECASE)
_HASH = re.compile(r"scrypt:[0-9a-f:]+")


class Redactor:
    """Replaces secrets, each by the same word wherever it stands, so that one can be told from another."""

    def __init__(self, names: Iterable[str] = (), tags: Iterable[str] = (), pins: Iterable[str] = ()) -> None:
        self._names: dict[str, str] = {}
        for number, name in enumerate(_longest(names), 1):
            for form in _forms(name):
                self._names.setdefault(form.casefold(), f"name-{number}")
        self._tags: dict[str, str] = {}
        self._pins = tuple(pin for pin in pins if pin)
        for uid in tags:
            self.tag(uid)
        words = "|".join(re.escape(name) for name in _longest(self._names))
        self._name = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None
        self._long = tuple(name for name in self._names if len(name) >= 4)

    def tag(self, uid: str) -> str:
        """What stands for a tag."""
        key = _digits(uid)
        return self._tags.setdefault(key, f"tag-{len(self._tags) + 1}") if key else ""

    def text(self, text: str) -> str:
        """A text without any secret."""
        text = _KEY.sub(r"\1…", _HASH.sub("…", _TOKEN.sub("…", text)))
        text = _BYTES.sub("b'…'", text)
        text = _TAG.sub(lambda found: self.tag(found[0]), text)
        if self._name is not None:
            text = self._name.sub(lambda found: self._names[found[0].casefold()], text)
        for name in self._long:  # also within a word, such as a Russian ending or the name of a file
            text = re.sub(re.escape(name), self._names[name], text, flags=re.IGNORECASE)
        text = _CARD.sub(HIDDEN, _GLUED.sub(HIDDEN, text))
        for pin in self._pins:
            text = text.replace(pin, ("0" if set(pin) != {"0"} else "1") * len(pin))
        return text


def _forms(name: str) -> list[str]:
    """How a name may stand in a log: whole, in its parts, and as programs write what is no plain letter."""
    parts = [part for part in re.split(r"[\s,]+", name) if len(part) > 2 and part != name]
    forms = [name, *parts]
    for text in (name, *parts):
        forms += [normalize("NFC", text), normalize("NFD", text), json.dumps(text)[1:-1], escape(text), quote(text)]
    return [*dict.fromkeys(forms)]


def _longest(texts: Iterable[str]) -> list[str]:
    """Each once, the longest first: a short name may be the beginning of a long one."""
    return sorted({text.strip() for text in texts if text.strip()}, key=lambda text: (-len(text), text))


def _digits(uid: str) -> str:
    return re.sub(r"[^0-9A-F]", "", uid.upper())
