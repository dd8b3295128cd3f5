"""Every document that a document or a module points to is there."""

import re
from pathlib import Path

import pytest

from hal.cues import BUZZER_PATTERNS, LED_PATTERNS
from hal.strip import COLOURS

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = [path for room in ("engine", "hal", "firmware") for path in sorted((ROOT / room).rglob("*.py"))]

RGB = {
    "white": (255, 255, 255),
    "green": (0, 255, 0),
    "yellow": (255, 160, 0),
    "red": (255, 0, 0),
    "magenta": (255, 0, 255),
    "blue": (0, 0, 255),
}
COLOUR = f"({'|'.join(RGB)})"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_headings_that_a_page_points_to_are_there(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]*\.md)?#([^)]+)\)", page.read_text(encoding="utf-8"))
    missing = [(file, anchor) for file, anchor in links if anchor not in anchors(page.parent / file if file else page)]
    assert missing == []


def anchors(page: Path) -> set[str]:
    """The headings of a page as a link names them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def test_lights_and_sounds_are_the_same_to_players_and_builders() -> None:
    """Each cue's light, colour and buzzer, in the order of both tables."""
    playing, wiring = (
        re.findall(pattern, (ROOT / "docs" / name).read_text(encoding="utf-8"), re.MULTILINE)
        for name, pattern in (
            ("playing.md", rf"^\| ([^|]+) \| {COLOUR} \| ([^|]*?) ?\|"),
            ("wiring.md", rf"^\| [^|]+ \| ([^|]+) \| {COLOUR} \| ([^|]*?) ?\|"),
        )
    )
    assert [row[:2] for row in playing] == [row[:2] for row in wiring if row[1] != "white"]
    assert len(playing) == len(LED_PATTERNS)
    for told in (playing, wiring):
        for light, colour, sound in told:
            cue = next(cue for cue, rgb in COLOURS.items() if rgb == RGB[colour])
            assert bool(sound) == (cue in BUZZER_PATTERNS)
            if "blink" in light:
                number = ("one", "two", "three").index(light.split()[0]) + 1
                assert len([on for _, on in LED_PATTERNS[cue] if on]) == number
            if "short" in sound:
                number = ("one", "two").index(sound.split()[0]) + 1
                assert len([on for _, on in BUZZER_PATTERNS[cue] if on]) == number


def test_the_documents_that_modules_name_exist() -> None:
    named = {
        (path.name, name) for path in SOURCES for name in re.findall(r"[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
    }
    assert named, "no module names a document: the test has lost its subject"
    assert [(module, name) for module, name in sorted(named) if not (ROOT / name).exists()] == []
