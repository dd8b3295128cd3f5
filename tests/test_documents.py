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
