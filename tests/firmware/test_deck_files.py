"""A deck's file that is changed beside a running table: noticed between deals, said, and never written over."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from at_table import HANDS, messages
from test_audit import into

from engine.cards import Card
from firmware.deck_files import DeckFiles
from firmware.decks import load
from firmware.furnish import furnish
from firmware.pin import Officials
from firmware.reading import shows
from firmware.simulated import SimulatedTable

NEW = "04FFEE01010101"
DIRECTOR = "04D10C70DE80AA"


@contextmanager
def table_with_file(tmp_path: Path) -> Iterator[tuple[SimulatedTable, Path]]:
    """A table of four whose deck lies in a file."""
    file, path = furnish("pepper", 4, dealer=4), tmp_path / "red.csv"
    kept = file.shelf.kept[0]._replace(path=path)
    path.write_text(kept.text, encoding="utf-8")
    file = file._replace(shelf=file.shelf._replace(kept=(kept,)), officials=Officials("", frozenset({DIRECTOR})))
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        yield table, path


def replace_tag(path: Path, card: str, uid: str) -> str:
    """Do what `tableref deck replace` does to a file; the tag that the card had."""
    kept = load(path)
    old = next(tag for tag, held in kept.deck.cards.items() if str(held) == card)
    path.write_text(kept.with_tag(next(iter({held for held in kept.deck.held() if str(held) == card})), uid).text,
                    encoding="utf-8")  # fmt: skip
    return old


def test_between_deals_it_is_read_anew_at_the_next_card_and_every_display_says_so(tmp_path: Path) -> None:
    with table_with_file(tmp_path) as (table, path):
        table.tap("dealing", NEW)
        assert messages(table, 4)[-1:] != ["deck-reread"]
        old = replace_tag(path, "9C", NEW)
        table.tap(1, NEW)
        for place in table.loop.places:
            assert "deck-reread" in messages(table, place)
        assert shows(table.picture(2), "Changed: red.csv, 24 cards")
        found = table.loop.decks.find(NEW)
        assert found is not None
        assert str(found.card) == "9C"
        assert table.loop.decks.find(old) is None
        said = messages(table, 2).count("deck-reread")
        table.tap(1, NEW)
        assert messages(table, 2).count("deck-reread") == said, "once"


def test_never_while_a_deal_runs(tmp_path: Path) -> None:
    with table_with_file(tmp_path) as (table, path):
        table.deal([[Card(name) for name in hand.split()] for hand in HANDS])
        old = replace_tag(path, "9C", NEW)
        table.choose(1, "4")
        table.tap(1, NEW)
        assert "deck-reread" not in messages(table, 1)
        assert table.loop.decks.find(old) is not None
        assert table.loop.decks.find(NEW) is None


@pytest.mark.parametrize("text", ["04AABBCC, no card\n", None])
def test_a_file_that_is_no_good_leaves_the_deck_as_it_was(tmp_path: Path, text: str | None) -> None:
    with table_with_file(tmp_path) as (table, path):
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
        before = table.loop.decks.kept
        table.tap(1, NEW)
        assert "deck-unread" in messages(table, 3)
        assert table.loop.decks.kept == before
        assert path.exists() == (text is not None)


def test_what_another_wrote_is_not_written_over_and_then_can_be_gone_on_from(tmp_path: Path) -> None:
    with table_with_file(tmp_path) as (table, path):
        into(table, 1, "replace-card", "D", "card:9D")
        replace_tag(path, "9C", "04FFEE02010101")
        table.tap(1, NEW)
        assert "deck-reread" in messages(table, 2)
        held = {uid: str(card) for uid, card in load(path).deck.cards.items()}
        assert (held["04FFEE02010101"], held.get(NEW)) == ("9C", "9D")
        assert len(held) == len({*held.values()}), "each card once"


def test_the_director_s_card_is_known_after_a_deck_has_changed(tmp_path: Path) -> None:
    with table_with_file(tmp_path) as (table, path):
        replace_tag(path, "9C", NEW)
        table.tap(1, NEW)
        table.tap(2, DIRECTOR)
        sheet = table.loop.seat_view(2).sheet
        assert sheet is not None
        assert sheet.ask.prompt == "director"


def test_a_file_is_read_only_where_its_date_or_its_size_is_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "red.csv"
    path.write_text("04AABBCC, 9C\n", encoding="utf-8")
    files, kept = DeckFiles(), load(path)
    assert files.changed([kept]) == []
    with monkeypatch.context() as patched:
        patched.setattr("firmware.deck_files.read_text", lambda path: pytest.fail("it was read"))
        assert files.changed([kept]) == []
    path.write_text("04AABBCC, 9D\n04AABBCD, 9C\n", encoding="utf-8")
    [reread] = files.changed([kept])
    assert reread.kept is not None
    assert len(reread.kept.deck.cards) == 2
