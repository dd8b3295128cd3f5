"""The words of the pages: a catalogue of their own, sent whole in the language that a page speaks."""

import gettext
from importlib.resources import files

from firmware.words import LANGUAGES

PREFIX = "web."


def web_texts(language: str) -> dict[str, str]:
    """All texts by their codes; `{name}` stands for what a page puts in. English where a language lacks one."""
    folder = str(files("firmware") / "locale")
    found: dict[str, str] = {}
    for one in dict.fromkeys(("en", language if language in LANGUAGES else "en")):
        catalogue = gettext.translation("web", folder, [one])
        assert isinstance(catalogue, gettext.GNUTranslations)
        found |= {code: text for code, text in _entries(catalogue).items() if text}
    return found


def _entries(catalogue: gettext.GNUTranslations) -> dict[str, str]:
    entries: dict[object, str] = catalogue._catalog  # type: ignore[attr-defined]
    return {code: text for code, text in entries.items() if isinstance(code, str) and code}
