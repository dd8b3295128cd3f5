"""Words that documents quote from displays and commands are the program's; both languages tell the same."""

import re
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from firmware.tablefile import OWN
from firmware.wiring_parts import needed
from firmware.wiring_words import WiringWords
from hal.wiring import read_wiring

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
RUSSIAN = sorted(DOCS.glob("*.ru.md"))
CYRILLIC = re.compile("[А-Яа-яЁё]")


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


FILLED = r"(?:…|[^:…]{1,20})"
"""What can stand for a name, a number, a card or a path."""
DEVICES = {
    "en": ("reader", "display", "buttons", "light", "buzzer", "dealing pad"),
    "ru": ("считыватель", "дисплей", "кнопки", "светодиод", "зуммер", "площадка"),
}


@cache
def texts(language: str) -> tuple[str, ...]:
    """Every text that the program has, with `{}` for what is put into it."""
    rooms = [ROOT / "firmware" / "locale", *sorted((ROOT / "engine").glob("*/locale"))]
    found: set[str] = set()
    for path in sorted(path for room in rooms for path in (room / language / "LC_MESSAGES").glob("*.po")):
        if path.name not in ("phrases.po", "web.po", "history.po"):
            with path.open("rb") as source:
                found |= {str(message.string) for message in read_po(source) if message.id}
    # A text that is nothing but what is put into it would fit everything.
    worded = {re.sub(r"\{(?!device)[^}]*\}", "{}", text) for text in found}
    devices = sorted(text for text in found if text in DEVICES[language])
    worded |= {text.replace("{device}", device) for text in worded if "{device}" in text for device in devices}
    return tuple(sorted(text for text in worded if re.search(r"\w", text.replace("{}", "")) and "{device}" not in text))


@cache
def said_as(text: str) -> re.Pattern[str]:
    """The text with anything for what is put into it."""
    return re.compile(re.escape(text).replace(r"\{\}", FILLED))


def is_said(quoted: str, language: str) -> bool:
    """Whether the program says so: wholly, as a part of three words or more, or up to a `…` at the end."""
    if quoted.endswith("…"):
        begin = quoted.rstrip("… (:")
        return any(_begins(text, begin) for text in texts(language))
    if len(quoted.split()) > 2 and any(quoted in text for text in texts(language)):
        return True
    return any(said_as(text).fullmatch(quoted) for text in texts(language))


def _begins(text: str, begin: str) -> bool:
    """Whether a text begins so, with something for what is put into it."""
    literal = text.partition("{}")[0]
    if not (literal.startswith(begin) or begin.startswith(literal)):
        return False
    return any(said_as(text[:end]).fullmatch(begin) for end in range(len(literal), len(text) + 1)) or (
        len(begin) > 10 and literal.startswith(begin)
    )


def first_cells(text: str) -> list[str]:
    """What is quoted in the first column of tables, in their headings' order."""
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [quoted for row in rows for quoted in re.findall(r"`([^`]+)`", row.split(" | ")[0])]


def quoted_in(name: str) -> list[str]:
    return first_cells(page(name))


def test_the_signs_of_the_troubleshooting_are_the_programs_words() -> None:
    signs = quoted_in("troubleshooting.md")
    assert len(signs) >= 40
    assert [sign for sign in signs if not is_said(sign, "en")] == []


def test_the_words_beside_them_are_the_programs_too() -> None:
    """In running text: menus, choices, what the doctor says. What is typed, a key or a path is no such word."""
    for name, language in (
        ("directing.md", "en"),
        ("hosting.md", "en"),
        ("playing.md", "en"),
        ("building.md", "en"),
        ("playing.ru.md", "ru"),
        ("hosting.ru.md", "ru"),
    ):
        text = re.sub(r"^```.*?^```", "", page(name), flags=re.MULTILINE | re.DOTALL)
        quoted = {one for one in re.findall(r"`([^`]+)`", text) if not is_technical(one)}
        assert quoted
        assert [one for one in sorted(quoted) if not is_said(one, language)] == [], name


def is_technical(quoted: str) -> bool:
    """Something that one types, or a part of a file or of a picture, and no word of a display."""
    if re.search(r"[/=_\[\]*→]|tableref|systemctl|\.\w|^--|^0x|^\d|^examples$|^[A-Z]$", quoted):
        return True
    return quoted in TYPED


TYPED = {
    "-", "??",
    "reset", "address", "hosts", "by-path", "contrast", "Z", "X", "C", "Tab", "Enter", "Escape", "FAIL", "●", "○",
    "←", "↓", "→", "config.txt", "make play",
}  # fmt: skip


def test_what_has_to_be_bought_is_counted_as_the_drawings_do() -> None:
    rows = {}
    for line in page("building.md").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and cells[-1].isdigit():
            rows[cells[0]] = [int(cell) for cell in cells[2:]]
    words = WiringWords()
    expected: dict[str, list[int]] = {}
    for column, table in enumerate(("two-seats", "centre-reader", "six-seats")):
        for part in needed(read_wiring(ROOT / "examples" / f"{table}.toml", OWN)):
            expected.setdefault(words.part(part), [0, 0, 0])[column] = part.number
    assert rows == expected


# both languages


def levels(text: str) -> list[int]:
    return [len(marks) for marks in re.findall(r"^(#+) ", text, re.MULTILINE)]


def shape(text: str) -> list[int]:
    """How many rows each table has."""
    tables: list[int] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("|"):
            tables = [*tables[:-1], tables[-1] + 1] if inside else [*tables, 1]
        inside = line.startswith("|")
    return tables


def test_players_and_hosts_read_russian_too() -> None:
    assert [one.name for one in RUSSIAN] == ["hosting.ru.md", "playing.ru.md"]


@pytest.mark.parametrize("russian", RUSSIAN, ids=lambda path: path.name)
def test_a_russian_page_has_what_the_english_one_has(russian: Path) -> None:
    own, english = russian.read_text(encoding="utf-8"), page(russian.name.replace(".ru.md", ".md"))
    assert levels(own) == levels(english)
    assert shape(own) == shape(english)
    assert own.count("`") % 2 == 0
    assert '"' not in re.sub(r"```.*?```|`[^`]*`", "", own, flags=re.DOTALL), "«ёлочки»"


@pytest.mark.parametrize("russian", RUSSIAN, ids=lambda path: path.name)
def test_a_russian_page_leads_to_russian_pages_where_there_are(russian: Path) -> None:
    links = re.findall(r"\]\(([^)#]+\.md)", russian.read_text(encoding="utf-8"))
    assert [link for link in links if (DOCS / link.replace(".md", ".ru.md")).exists()] == []


@pytest.mark.parametrize("russian", RUSSIAN, ids=lambda path: path.name)
def test_headings_and_sentences_are_russian(russian: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", russian.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert [line for line in text.splitlines() if re.search("[A-Za-z]{4}", line) and not CYRILLIC.search(line)] == []
