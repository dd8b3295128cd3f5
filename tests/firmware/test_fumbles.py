"""What hands do without meaning it is never a play, and never stops the game."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from at_table import LED, all_bots, assert_record, journal_rows, messages, seated

from engine.cards import Card
from engine.options import OptionValue
from firmware.bench import Bench
from firmware.fumbles import BRUSH, Fumble, touches
from firmware.furnish import furnish
from firmware.script import parse_script
from firmware.script_words import parse_words
from firmware.simulated import SimulatedTable
from hal.reader_kinds import CAPABILITIES, SETTLE, ReaderKind


def do(table: SimulatedTable, *lines: str) -> None:
    bench = Bench(table)
    for line in lines:
        parse_words(line, 4)(bench)


def rows(table: SimulatedTable) -> list[str]:
    return [text for _, text in journal_rows(table.journal_file)]


# The settle time


def test_a_reader_that_can_watch_a_card_settle_does_so_unless_the_wiring_says_otherwise() -> None:
    assert CAPABILITIES[ReaderKind.PN532].settle == CAPABILITIES[ReaderKind.RDM6300].settle == SETTLE
    assert BRUSH < SETTLE <= 0.15
    assert all(able.sees_lifts for able in CAPABILITIES.values() if able.settle)


@pytest.mark.few(1)
@pytest.mark.parametrize("phase", [0.0, 0.02, 0.04, 0.06])
def test_a_tap_counts_within_the_settle_time_and_two_polls(tmp_path: Path, phase: float) -> None:
    with seated(tmp_path, LED) as table:
        table.wait(1 + phase)
        assert table.file.deck is not None
        since = table.clock.now()
        table.wires.place(table.reader(2), table.file.deck.uid(Card("AC")))
        while not rows(table)[-1].startswith("2 play"):
            table.wait(0.02)
        assert table.clock.now() - since <= 0.2  # from when it comes until it is written down


@pytest.mark.few(1)
@pytest.mark.parametrize("phase", [0.0, 0.02, 0.04, 0.06])
def test_a_card_that_brushes_past_is_nothing_whenever_the_reader_looks(tmp_path: Path, phase: float) -> None:
    with seated(tmp_path, LED) as table:
        before = rows(table)
        table.wait(phase)
        for card in ("AC", "AH", "9S"):  # one that may be played, one that may not, one of somebody else
            do(table, f"fumble bumped-card 2 {card}")
        assert (rows(table), messages(table, 2), table.heard) == (before, [], [])


@pytest.mark.few(1)
@pytest.mark.parametrize("phase", [0.0, 0.02, 0.04, 0.06])
def test_a_card_that_brushes_past_the_one_that_is_played_changes_nothing(tmp_path: Path, phase: float) -> None:
    with seated(tmp_path, LED) as table:
        deck, reader = table.file.deck, table.reader(2)
        assert deck is not None
        table.wait(phase)
        table.wires.place(reader, deck.uid(Card("AC")))
        table.wait(0.3)
        do(table, "fumble bumped-card 2 KC")
        table.wires.lift(reader)
        table.wait(1)
        assert rows(table)[-1] == "2 play AC"
        assert messages(table, 2) == []


def test_with_a_settle_time_of_none_a_brush_counts(tmp_path: Path) -> None:
    """What the settle time is for: without it this would be a play."""
    with seated(tmp_path, LED) as table:
        for reader in table.hardware.readers.values():
            reader._presence._settle = 0.0
        do(table, "fumble bumped-card 2 AC")
        assert rows(table)[-1] == "2 play AC"


# Each by its name


@pytest.mark.parametrize("fumble", Fumble)
def test_every_fumble_leaves_the_readers_as_they_were(fumble: Fumble) -> None:
    lying: list[tuple[str, str]] = []
    done = touches(fumble, "own", ("A1", "A2"), "beside")
    for touch in done:
        for tag in touch.tags:
            (lying.append if touch.down else lying.remove)((touch.reader, tag))
    assert lying == []
    assert len(done) >= 2


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("bumped-card 2 AC", []),
        ("two-cards 2 AC KC", ["one-at-a-time"]),
        ("wrong-deck 2", ["unknown-tag"]),
        ("pile 2", ["one-at-a-time"]),
    ],
)
def test_what_is_no_play_is_answered_at_the_seat_and_not_written_down(
    tmp_path: Path, line: str, said: Sequence[str]
) -> None:
    with seated(tmp_path, LED) as table:
        before = rows(table)
        do(table, f"fumble {line}")
        assert (rows(table), messages(table, 2)) == (before, said)
        do(table, "tap 2 AC")
        assert rows(table)[-1] == "2 play AC"


@pytest.mark.few(1)
@pytest.mark.parametrize("line", ["lifted-too-early 2 AC", "put-back 2 AC"])
def test_a_card_that_is_shown_twice_counts_once(tmp_path: Path, line: str) -> None:
    with seated(tmp_path, LED) as table:
        before = rows(table)
        do(table, f"fumble {line}")
        assert rows(table) == [*before, "2 play AC"]
        assert messages(table, 2) == (["counted-already"] if line.startswith("put") else [])


def test_a_card_at_the_neighbour_s_reader_is_refused_there(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        do(table, "fumble neighbours-pad 2 AC at 3")
        assert (messages(table, 2), messages(table, 3)) == ([], ["not-your-turn"])
        do(table, "tap 2 AC")
        assert rows(table)[-1] == "2 play AC"


@pytest.mark.parametrize(
    "line",
    [
        "fumble stumbled 2 9D", "fumble two-cards 2 9D", "fumble pile 2 9D", "fumble bumped-card 2",
        "fumble neighbours-pad 2 9D", "fumble bumped-card 2 9D at 3", "fumble bumped-card 2 XX",
        "fumble bumped-card 9 9D", "fumble neighbours-pad 2 9D at 7",
    ],
)  # fmt: skip
def test_a_fumble_that_cannot_be_is_a_mistake_in_the_script(line: str) -> None:
    with pytest.raises(ValueError, match=r"expected|no card|card"):
        parse_words(line, 4)


def test_at_a_table_without_readers_nobody_fumbles() -> None:
    script = parse_script("readers none\nhands concealed\nfumble pile 1\n")
    with SimulatedTable(script.table) as table, pytest.raises(AssertionError, match="seat 1 has no reader"):
        script.statements[0].act(Bench(table))


# Whole matches


def play(
    tmp_path: Path, game: str, seed: int, tracked: bool, options: dict[str, OptionValue], fumbles: float
) -> set[str]:
    """A match of clumsy bots, which comes to its end by itself; what was said meanwhile."""
    seats = 4 if game == "pepper" else 2
    file = furnish(game, seats, tracked=tracked, options=options, dealer=1)
    with SimulatedTable(file, tmp_path / "journal.db", seed) as table:
        bench = all_bots(table, seed)
        for bot in bench.bots.values():
            bot.fumbles = fumbles
        bench.play_until(lambda: table.loop.over, 7200)
        assert_record(table)
        return {heard.message.code for heard in table.heard if heard.message is not None}


SHORT: dict[str, dict[str, OptionValue]] = {"pepper": {"target": 1}, "possession": {"losing_score": 2}, "vazhushal": {}}


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "vazhushal" else pytest.mark.soak) for game in SHORT]
)
def test_a_match_of_clumsy_players_comes_to_its_end(tmp_path: Path, game: str) -> None:
    said = play(tmp_path, game, 1, tracked=True, options=SHORT[game], fumbles=0.3)
    assert said >= {"one-at-a-time", "unknown-tag"}


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("tracked", [True, False])
@pytest.mark.parametrize("game", SHORT)
def test_matches_of_clumsy_players_come_to_their_ends(tmp_path: Path, game: str, tracked: bool, seed: int) -> None:
    play(tmp_path, game, seed, tracked, SHORT[game], fumbles=0.4)
