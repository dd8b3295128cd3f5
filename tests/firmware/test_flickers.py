"""A card that lies still and seems to leave, time and again: it is told what became of it once or twice, not all
evening."""

from collections.abc import Callable
from pathlib import Path

import pytest
from at_table import BIDDEN, LED, journal_rows, messages, seated
from test_resting import contrasts, rest

from engine.cards import Card
from firmware.flickers import REPEATS, Flickers
from firmware.simulated import SimulatedTable
from hal.events import TagLifted, TagPlaced
from hal.hardware import Hardware
from hal.idle import DIM_AFTER
from hal.oled import DIM

READER = "seat 1 reader"


def flicker(table: SimulatedTable, seat: int, card: str, times: int) -> None:
    """A card that lies there, and seems to leave for a moment every eight seconds."""
    uid = table.file.deck.uid(Card(card))  # type: ignore[union-attr]
    for _ in range(times):
        table.wires.lift(table.reader(seat))
        table.wait(0.6)
        table.wires.place(table.reader(seat), uid)
        table.wait(0.4)
        rest(table, 7.0)


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ("AC", "counted-already"),
        pytest.param("AH", "must-follow-suit", marks=pytest.mark.soak),
        pytest.param("JC", "not-in-hand", marks=pytest.mark.soak),
    ],
)
def test_a_card_that_flickers_is_answered_twice_and_neither_lights_nor_writes_anything(
    tmp_path: Path, card: str, said: str
) -> None:
    with seated(tmp_path, LED) as table:
        table.place(2, Card(card))
        table.wait(1.0)
        rows = journal_rows(table.journal_file)
        flicker(table, 2, card, int(DIM_AFTER / 8) + 3)
        assert set(messages(table, 2)) == {said}
        assert len(messages(table, 2)) == 1 + REPEATS
        assert journal_rows(table.journal_file) == rows
        assert contrasts(table) == {DIM}


def test_a_card_out_of_turn_that_flickers_fills_no_record(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.place(4, Card("JC"))
        table.wait(1.0)
        flicker(table, 4, "JC", 10)
        assert sum("out-of-turn" in text for _, text in journal_rows(table.journal_file)) == 1 + REPEATS


def test_a_card_that_flickered_counts_as_soon_as_it_may(tmp_path: Path) -> None:
    """Shown too early, it flickers; once it is the seat's turn, the next time that it comes back plays it."""
    with seated(tmp_path, BIDDEN) as table:
        table.place(2, Card("AC"))
        table.wait(1.0)
        flicker(table, 2, "AC", 4)
        table.tap(1, Card("9C"))
        flicker(table, 2, "AC", 1)
        assert journal_rows(table.journal_file)[-1] == (1, "2 play AC")


def test_a_card_that_was_taken_back_counts_however_often(tmp_path: Path) -> None:
    flickers = Flickers()
    for second in range(4):
        assert not flickers.take(TagPlaced(READER, "04", second), "before")
        flickers.settle(TagPlaced(READER, "04", second), "played")
        flickers.take(TagLifted(READER, "04", second + 0.5), "played")


def test_one_that_was_taken_away_is_answered_again() -> None:
    flickers = Flickers()
    silent = [flickers.take(TagPlaced(READER, "04", 20.0 * step), "same") for step in range(5)]
    assert silent == [False] * 5


def test_the_end_of_a_trick_lets_cards_count_anew_where_lifts_are_not_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But at the reader whose card has ended it: that may still be on its way down."""
    forgot: list[str | None] = []
    forget: Callable[..., None] = Hardware.forget_taps

    def noted(hardware: Hardware, besides: str | None = None) -> None:
        forgot.append(besides)
        forget(hardware, besides)

    monkeypatch.setattr(Hardware, "forget_taps", noted)
    with seated(tmp_path, BIDDEN) as table:
        for seat, card in enumerate(("9C", "AC", "9S"), 1):
            table.tap(seat, Card(card))
        assert forgot == []
        table.tap(4, Card("JC"))
        assert forgot == [table.reader(4)]
