"""What a lift means in each phase of each game: nothing. A card counted when it was seen; that it goes, early or late,
while a light or a sound still tells of it or long after, changes neither the match nor what any seat is shown."""

from pathlib import Path

import pytest
from at_table import LED, all_bots, journal_rows, seated

from engine.cards import Card
from engine.view import Turn
from firmware.furnish import furnish
from firmware.simulated import STEP, SimulatedTable
from hal.events import Event, TagLifted

TABLES = [
    ("pepper", "standard", True, {"dealing", "auction", "trump", "play"}),
    ("pepper", "standard", False, {"dealing", "auction", "trump", "play"}),
    ("possession", "standard", True, {"dealing", "build"}),
    ("possession", "melds", False, {"dealing", "show", "step", "meld"}),
    ("vazhushal", "wipe", True, {"dealing", "draw", "taken", "meld"}),
]
"""Games, and the phases that must have come at the least."""
STRANGER = "0412345678AB80"


def phase(table: SimulatedTable) -> str:
    seen = table.loop.seat_view(1)
    turns = [block.phase for block in seen.view.blocks if isinstance(block, Turn)]
    return "dealing" if seen.dealing is not None else "over" if table.loop.over else turns[0]


def everything(table: SimulatedTable) -> tuple[object, ...]:
    """All that an event could change at the table, the patterns of lights and sounds among it."""
    buzzer = table.hardware.buzzer
    assert buzzer is not None
    players = [led._player for led in table.hardware.leds.values()] + [buzzer._player]
    return (
        table.match,
        list(table.loop.lines),
        [table.loop.seat_view(seat) for seat in table.hardware.displays],
        len(table.heard),
        [(player._pattern, player._start) for player in players],
    )


class Lifts:
    """Looks at every lift that the table decides on, and in which phase it came."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.phases: set[str] = set()
        self.during_cues = 0
        self.changed: list[tuple[str, TagLifted]] = []
        self._handle = table.loop.handle
        table.loop.handle = self.handle  # type: ignore[method-assign]

    async def handle(self, event: Event) -> None:
        if not isinstance(event, TagLifted):
            await self._handle(event)
            return
        now, before = phase(self.table), everything(self.table)
        self.phases.add(now)
        self.during_cues += any(led._player.level(event.at) is not None for led in self.table.hardware.leds.values())
        await self._handle(event)
        if everything(self.table) != before:
            self.changed.append((now, event))


@pytest.mark.few(1)
@pytest.mark.parametrize(("game", "rules", "tracked", "phases"), TABLES)
def test_a_lift_changes_nothing_in_any_phase_of_any_game(
    tmp_path: Path, game: str, rules: str, tracked: bool, phases: set[str]
) -> None:
    """Bots play a deal; in each phase that comes, somebody also shows a strange card and takes it away at once."""
    file = furnish(game, 2, rules, tracked=tracked, dealer=1)
    with SimulatedTable(file, tmp_path / "journal.db", seed=2) as table:
        lifts, bench = Lifts(table), all_bots(table, seed=4, mistakes=0.1)
        shown: set[str] = set()
        deals, end = table.match.deals, table.clock.now() + 300
        while not lifts.phases >= phases and table.match.deals == deals and table.clock.now() < end:
            bench.step()
            now = phase(table)
            if now not in shown and not table.wires.readers[table.reader(2)].field:
                shown.add(now)
                table.tap(2, STRANGER)
        assert lifts.changed == []
        assert lifts.phases >= phases
        assert shown - {"over"} <= lifts.phases
        assert lifts.during_cues > 0


@pytest.mark.few(2)
@pytest.mark.parametrize("seconds", [0.04, 0.1, 0.16, 0.3])
def test_a_card_that_is_lifted_while_its_light_still_blinks_has_counted(tmp_path: Path, seconds: float) -> None:
    with seated(tmp_path, LED) as table:
        lifts, reader = Lifts(table), table.reader(2)
        assert table.file.deck is not None
        table.wires.place(reader, table.file.deck.uid(Card("AC")))
        while len(table.loop.lines) < 12:
            table.wait(STEP)
        table.wait(seconds)
        table.wires.lift(reader)
        table.wait(1.0)
        assert journal_rows(table.journal_file)[-1] == (1, "2 play AC")
        assert (lifts.phases, lifts.changed) == ({"play"}, [])


def test_a_card_that_is_gone_before_it_was_seen_is_nothing_at_all(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        lifts, before = Lifts(table), everything(table)
        assert table.file.deck is not None
        table.wires.place(table.reader(2), table.file.deck.uid(Card("AC")))
        table.wires.lift(table.reader(2))
        table.wait(1.0)
        assert lifts.phases == set()
        assert everything(table) == before
