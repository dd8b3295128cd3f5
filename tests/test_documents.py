"""Every document that a document or a module points to is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = [path for room in ("engine", "hal", "firmware") for path in sorted((ROOT / room).rglob("*.py"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_the_documents_that_modules_name_exist() -> None:
    named = {
        (path.name, name) for path in SOURCES for name in re.findall(r"[\w/-]+\.md\b", path.read_text(encoding="utf-8"))
    }
    assert named, "no module names a document: the test has lost its subject"
    assert [(module, name) for module, name in sorted(named) if not (ROOT / name).exists()] == []


def test_the_documents_of_the_game_name_every_option_and_its_defaults() -> None:
    from engine.game import games
    from engine.options import option_text

    page = (ROOT / "docs" / "pepper.md").read_text(encoding="utf-8")
    game = games()["pepper"]
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*)$", page, re.MULTILINE))
    assert set(rows) == set(game.options)
    for name, row in rows.items():
        cells = [cell.strip() for cell in row.split("|")]
        assert cells[1:3] == [option_text(game.rule_sets[rules][name]) for rules in ("standard", "bowers")], name
