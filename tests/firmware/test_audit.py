"""Cards looked at between deals, and by nobody while a deal runs; the pack counted; worn tags named."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from at_table import HANDS, LED, messages, pictures, prompted, seated, write_journal

from engine.cards import Card, parse_card
from firmware.audit import audit
from firmware.dialogs import Close, Shown
from firmware.furnish import furnish
from firmware.seatview import Sheet
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.presence import TagCounts

ACE, NINE = parse_card("AS"), parse_card("9D")


@contextmanager
def between(folder: Path, seats: int = 4, decks: int = 1, readers: str = "seats") -> Iterator[SimulatedTable]:
    """A table that waits for its first deal, which seat 1 deals."""
    file = furnish("pepper", seats, dealer=1, decks=decks, readers=readers)
    with SimulatedTable(file, folder / "journal.db") as table:
        yield table


def hold(table: SimulatedTable, place: int) -> None:
    table.hold(place, Button.LEFT)
    table.release(place, Button.LEFT)


def into(table: SimulatedTable, place: int, *items: str) -> None:
    hold(table, place)
    for item in ("decks", *items):
        table.choose(place, item)


def sheet(table: SimulatedTable, place: int) -> Sheet:
    seen = table.loop.seat_view(place).sheet
    assert seen is not None
    return seen


def big(table: SimulatedTable, place: int) -> object:
    """What stands big on the display of a place: the card that it names."""
    phrase = sheet(table, place).big
    return dict(phrase.facts).get("card") if phrase is not None else None


# Never while a deal runs


def test_while_a_deal_runs_no_menu_offers_the_cards(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        hold(table, 2)
        asked = table.loop.seat_view(2).ask
        assert asked is not None
        assert "decks" not in asked.choices


def test_an_audit_that_was_left_open_names_no_card_of_the_deal(tmp_path: Path) -> None:
    shown = []
    for card in ("9D", "AS"):
        (tmp_path / card).mkdir()
        with between(tmp_path / card) as table:
            into(table, 2, "audit")
            table.tap(2, NINE)
            assert big(table, 2) == NINE
            table.tap("dealing", parse_card("KC"))
            assert (big(table, 2), prompted(table, 2)) == (None, "audit")
            before = table.picture(2).tobytes()
            table.tap(2, Card(card))
            assert messages(table, 2)[-1] == "deal-runs"
            shown.append(pictures(table))
            assert before != table.picture(2).tobytes()
    assert shown[0] == shown[1]


def test_the_card_at_the_pad_is_the_dealer_s_and_no_audit_elsewhere_sees_it(tmp_path: Path) -> None:
    with between(tmp_path) as table:
        into(table, 2, "audit")
        table.tap("dealing", NINE)
        assert big(table, 2) is None
        assert sum(table.loop.seat_view(1).dealing.counts) == 1  # type: ignore[union-attr]


def test_whoever_looks_at_the_cards_does_so_openly(tmp_path: Path) -> None:
    with between(tmp_path) as table:
        into(table, 2, "audit")
        assert [getattr(table.loop.seat_view(place).message, "code", None) for place in (1, 2, 3)] == [
            "cards-open", None, "cards-open",
        ]  # fmt: skip


def test_a_count_that_was_left_open_names_nothing_either(tmp_path: Path) -> None:
    with between(tmp_path) as table:
        into(table, 2, "count-cards")
        table.tap(2, NINE)
        table.tap("dealing", ACE)
        assert (sheet(table, 2).big, sheet(table, 2).ask.choices) == (None, ("go-on",))
        table.tap(2, parse_card("KC"))
        assert messages(table, 2)[-1] == "deal-runs"


def test_the_director_may_look_at_any_time(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        uid = table.file.shelf.kept[0].deck.uid(NINE)
        assert isinstance(audit(table.loop).take(2, Shown("seat 2 reader", uid, None)), Close)
        dialog = audit(table.loop, director=True)
        assert not isinstance(dialog.take(2, Shown("seat 2 reader", uid, None)), Close)
        shown = dialog.sheet(2)
        assert shown is not None
        assert shown.big is not None
        assert dict(shown.big.facts) == {"card": NINE}


# What a card is


@pytest.mark.long
def test_a_card_is_named_with_its_deck_its_tag_and_where_it_was_last(tmp_path: Path) -> None:
    with between(tmp_path, decks=2) as table:
        into(table, 2, "audit")
        blue = table.file.shelf.kept[1].deck.uid(NINE)
        table.tap(2, blue)
        text = sheet(table, 2).text
        assert text is not None
        assert dict(text.facts) == {"tag": blue, "deck": "deck:blue", "seen": "Not seen before"}
        table.wait(180)
        table.tap(2, blue)
        text = sheet(table, 2).text
        assert text is not None
        assert dict(text.facts)["seen"] == "Seat 2, 3 min ago"


def test_with_one_reader_in_the_middle_it_belongs_to_who_looks(tmp_path: Path) -> None:
    with between(tmp_path, readers="centre") as table:
        into(table, 3, "audit")
        table.tap("centre", NINE)
        assert big(table, 3) == NINE


# Counting


def test_the_gathered_pack_is_counted_and_what_is_missing_is_named_on_request(tmp_path: Path) -> None:
    with between(tmp_path, seats=2, decks=2) as table:
        into(table, 1, "count-cards")
        cards = [Card(word) for hand in HANDS for word in hand.split()]
        for card in cards[:-2]:
            table.tap(1, card)
        counted = sheet(table, 1)
        assert counted.big is not None
        assert counted.text is not None
        assert dict(counted.big.facts) == {"count": 22, "total": 24}
        assert (counted.text.code, dict(counted.text.facts)) == ("count-missing", {"count": 2})
        table.tap(1, cards[0])
        table.tap(1, table.file.shelf.kept[1].deck.uid(cards[-1]))
        table.tap(1, "04FFEE01010101")
        assert messages(table, 1)[-3:] == ["counted-already", "other-deck", "unknown-tag"]
        table.press(1, Button.OK)
        assert dict(sheet(table, 1).text.facts) == {"count": 2, "strangers": 2}  # type: ignore[union-attr]
        table.choose(1, "which-cards")
        assert sheet(table, 1).ask.choices == ("card:QD", "card:KD", "go-on")
        table.choose(1, "go-on")
        for card in cards[-2:]:
            table.tap(1, card)
        assert dict(sheet(table, 1).big.facts) == {"count": 24, "total": 24}  # type: ignore[union-attr]
        table.choose(1, "count-anew")
        assert dict(sheet(table, 1).big.facts) == {"count": 0, "total": 24}  # type: ignore[union-attr]


# Worn tags


def test_a_tag_that_is_read_much_worse_than_the_others_is_named_and_gets_another(tmp_path: Path) -> None:
    with between(tmp_path) as table:
        deck = table.file.shelf.kept[0].deck
        tags = table.hardware.readers["seat 2 reader"]._presence.tags
        for card in deck.held():
            tags[bytes.fromhex(deck.uid(card))] = TagCounts(30, 12 if card == NINE else 1)
        into(table, 2, "worn-tags")
        assert sheet(table, 2).ask.choices == ("card:red:9D", "go-on")
        table.choose(2, "card:red:9D")
        table.tap(2, "04FFEE01010101")
        assert messages(table, 2)[-1] == "tag-replaced"
        assert table.loop.deck is not None
        assert table.loop.deck.card("04FFEE01010101") == NINE


# The deck in use


def test_the_deck_that_a_deal_was_begun_with_is_in_use_after_a_restart(tmp_path: Path) -> None:
    with between(tmp_path, decks=2) as table:
        blue = table.file.shelf.kept[1].deck
        table.tap("dealing", blue.uid(NINE))
        table.restart()
        assert table.loop.decks.in_use is not None
        assert table.loop.decks.in_use.name == "blue"


def test_a_deck_is_picked_in_the_menu(tmp_path: Path) -> None:
    with between(tmp_path, decks=2) as table:
        into(table, 2, "use-deck", "deck:blue")
        assert table.loop.decks.in_use is not None
        assert table.loop.decks.in_use.name == "blue"


def test_while_a_deal_runs_a_card_of_another_deck_is_named_as_one(tmp_path: Path) -> None:
    file = furnish("pepper", 4, dealer=4, decks=2)
    write_journal(tmp_path / "journal.db", file, LED)
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        table.tap(2, file.shelf.kept[1].deck.uid(parse_card("AC")))
        assert messages(table, 2) == ["other-deck"]
        table.tap(2, parse_card("AC"))
        assert messages(table, 2) == ["other-deck"]


# Where decks are kept


@pytest.mark.parametrize("error", [OSError(30, "Read-only file system"), OSError(28, "No space left on device")])
def test_a_deck_that_cannot_be_written_is_told_and_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError
) -> None:
    def fail(path: Path, text: str) -> None:
        raise error

    path = tmp_path / "red.csv"
    file = furnish("pepper", 2, dealer=1)
    kept = file.shelf.kept[0]._replace(path=path)
    path.write_text(kept.text, encoding="utf-8")
    monkeypatch.setattr("firmware.decks.write_whole", fail)
    with SimulatedTable(file._replace(shelf=file.shelf._replace(kept=(kept,))), tmp_path / "journal.db") as table:
        into(table, 1, "replace-card", "D", "card:9D")
        table.tap(1, "04FFEE01010101")
        assert messages(table, 1) == ["deck-not-saved"]
        assert prompted(table, 1) == "replace-tag"
        assert table.loop.decks.find("04FFEE01010101") is None
        monkeypatch.undo()
        table.tap(1, "04FFEE01010101")
        assert messages(table, 1)[-1] == "tag-replaced"
        assert "04FFEE01010101, 9D" in path.read_text(encoding="utf-8")


def test_two_places_cannot_write_over_each_other(tmp_path: Path) -> None:
    file = furnish("pepper", 2, free=True)
    with SimulatedTable(file, tmp_path / "journal.db") as table:
        table.wait(3)
        for place in (1, 2):
            into(table, place, "enrol", "deck:blue", "pack:52")
        table.tap(1, "04FFEE01010101")
        table.tap(2, "04FFEE02010101")
        assert messages(table, 2) == ["deck-changed"]
        assert table.loop.decks.find("04FFEE02010101") is None
        table.tap(1, "04FFEE02010101")
        assert table.loop.decks.find("04FFEE02010101") is not None
