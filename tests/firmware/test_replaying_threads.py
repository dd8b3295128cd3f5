"""Tables whose devices are polled by threads, faster than they can be punctual: a replay says what they said."""

import asyncio
from functools import partial
from pathlib import Path
from random import Random

import pytest

from firmware.bots import seat_bot
from firmware.capturing import Recording, Start
from firmware.comparing import Said
from firmware.furnish import furnish, physical_cards
from firmware.replaying import Replay
from firmware.run import recorded
from firmware.tablefile import TableFile
from hal.capture import read_capture
from hal.clock import SteadyClock
from hal.sim.board import SimulatedWires

pytestmark = pytest.mark.threads

SPEED = 12.0


async def play(file: TableFile, folder: Path, seconds: float) -> str:
    """Let bots play for so long by the table's time; halfway a reader is gone for a while. The record of what they
    played, with a capture in the folder.

    No display is pulled here: a capture does not say which picture a poll of a display found, so under load its loss
    may be told by the next poll in a replay, and stand in another place among what other devices tell.
    """
    clock, chance = SteadyClock(SPEED), Random(2)
    recording = Recording(folder / "one.capture", Start(file, 1, None), clock)
    wires = SimulatedWires(file.wiring)
    async with recorded(recording, file, wires, folder / "journal.db", clock, Random(1), ()) as loop:
        cards, readers = physical_cards(file, Random(3)), tuple(file.wiring.readers())
        bots = [
            seat_bot(seat, readers, partial(loop.seat_view, seat), wires, cards, chance, 0.2, 0.1)
            for seat in range(1, file.table.seats + 1)
        ]
        begin, pulled = clock.now(), False
        while (now := clock.now() - begin) < seconds and not loop.over:
            if (seconds / 3 < now < 2 * seconds / 3) is not pulled:
                pulled = not pulled
                (wires.unplug_reader if pulled else wires.plug_reader)("seat 1 reader")
            for bot in bots:
                bot.poll(clock.now())
            await asyncio.sleep(0.002)
        return loop.record()


def untimed(said: tuple[Said, ...]) -> list[tuple[str, str]]:
    return [(each.wire, each.text) for each in said]


@pytest.mark.parametrize(
    ("game", "seats"),
    [("pepper", 4), *(pytest.param(*table, marks=pytest.mark.soak) for table in (("possession", 3), ("vazhushal", 6)))],
)
def test_a_table_with_threads_is_ruled_and_recorded_again(game: str, seats: int, tmp_path: Path) -> None:
    record = asyncio.run(play(furnish(game, seats, tracked=False), tmp_path, 27.0))
    capture = read_capture(tmp_path / "one.capture")
    outcome = Replay(capture).run()
    assert outcome.difference is None
    assert outcome.captured_record == outcome.record
    assert outcome.record.startswith(record)  # what was being decided when the block ended is in the capture
    assert untimed(outcome.events) == untimed(outcome.captured_events)
    assert len(outcome.captured) > 3
    told = {each.text.split(" ")[0] for each in outcome.events if each.wire == "seat 1 reader"}
    assert "DeviceLost" in told


@pytest.mark.long
def test_two_replays_of_one_capture_say_the_same(tmp_path: Path) -> None:
    asyncio.run(play(furnish("pepper", 2), tmp_path, 12.0))
    capture = read_capture(tmp_path / "one.capture")
    assert Replay(capture).run() == Replay(capture).run()
