"""A card that a reader without lifts has told counts once for a long time, yet never beyond what the game has left
behind: a new deal and a new match let it count again at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from at_table import assert_record, dealing_view, journal_rows, messages, write_journal

from engine.cards import Card
from engine.match import Standing, to_act
from firmware.deck import Deck
from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.reader_kinds import ReaderKind
from hal.reader_wiring import ReaderSettings
from hal.tags import Family, uid_text

FOR_EVER = 60.0
"""Seconds in which the same card does not count again: longer than all that is done here."""
HANDS = ("AC KC QC JC 10C 9C", "AD KD QD JD 10D 9D")
TRICKS = [f"{seat} play {hand.split()[trick]}" for trick in range(5) for seat, hand in enumerate(HANDS, 1)]
DEALT = "\n".join(["deal 2", *(f"hand {seat}: {hand}" for seat, hand in enumerate(HANDS, 1))])
LAST_TRICK = [DEALT, "1 bid 1", "2 pass", "1 trump C", *TRICKS]
"""Seat 1 leads to the last trick, 9C."""


@contextmanager
def table_of(folder: Path, entries: list[str], target: int) -> Iterator[SimulatedTable]:
    """Two seats with readers that tell a card once, when it comes, and again only after `FOR_EVER`."""
    file = furnish("pepper", 2, dealer=2, options={"target": target})
    assert file.deck is not None
    kind = ReaderKind.ID12LA
    seats = tuple(
        msgspec.structs.replace(
            seat, reader=ReaderSettings(kind=kind, port=f"/dev/one/{seat.number}", release=FOR_EVER)
        )
        for seat in file.wiring.seats
    )
    common = tuple(
        msgspec.structs.replace(reader, kind=kind, port="/dev/one/pad", release=FOR_EVER)
        for reader in file.wiring.common_readers
    )
    deck = Deck({uid_text(bytes([1, int(card), 0, 0, 7]), Family.EM4100): card for card in file.deck.cards.values()})
    wiring = msgspec.structs.replace(file.wiring, seats=seats, common_readers=common)
    file = file._replace(wiring=wiring, deck=deck)
    write_journal(folder / "journal.db", file, entries)
    with SimulatedTable(file, folder / "journal.db") as table:
        for seat in (1, 2):
            table.press(seat, Button.OK)
        table.heard.clear()
        yield table
        assert_record(table)


def hands() -> list[list[Card]]:
    return [[Card(card) for card in hand.split()] for hand in HANDS]


def test_within_a_deal_such_a_card_counts_once(tmp_path: Path) -> None:
    with table_of(tmp_path, LAST_TRICK, target=99) as table:
        for _ in range(3):
            table.tap(1, Card("9C"))
        assert to_act(table.match) == (2,)
        assert messages(table, 1) == []


def test_a_card_of_the_last_deal_counts_in_the_next_one_at_once(tmp_path: Path) -> None:
    with table_of(tmp_path, LAST_TRICK, target=99) as table:
        table.tap(1, Card("9C"))
        table.tap(2, Card("9D"))
        assert table.match.deals == 1
        table.deal(hands())
        for seat, choice in ((2, "pass"), (1, "1"), (1, "C")):
            table.choose(seat, choice)
        table.tap(1, Card("9C"))
        assert journal_rows(table.journal_file)[-1] == (1, "1 play 9C")


def test_a_card_that_was_dealt_can_be_dealt_again_in_the_next_deal(tmp_path: Path) -> None:
    with table_of(tmp_path, [], target=99) as table:
        table.deal(hands())
        for seat in (1, 2):
            table.choose(seat, "pass")
        assert sum(dealing_view(table).counts) == 0
        table.deal(hands())
        assert table.match.standing is Standing.RUNNING


def test_a_card_of_the_last_match_counts_in_the_new_one_at_once(tmp_path: Path) -> None:
    with table_of(tmp_path, LAST_TRICK, target=1) as table:
        table.tap(1, Card("9C"))
        table.tap(2, Card("9D"))
        assert table.loop.over
        table.tap("dealing", Card("AC"))
        assert "pad-is-for-dealing" in messages(table, 1) + messages(table, 2)
        table.choose(1, "next-match")
        first = dealing_view(table).next_seat
        dealt = hands() if first == 1 else hands()[::-1]
        table.tap("dealing", dealt[0][0])
        assert dealing_view(table).counts[first - 1] == 1
