"""How many bytes an action sends to all displays together: `python -m benchmarks.sent`.

Bots play on simulated wires, by a clock that is stepped, so the same seed gives the same bytes. Beside it what whole
frames would be, sent as luma.oled does: one to each display for each action, and none for all that changes meanwhile,
such as a cursor that moves, cards that are looked through, or the mark of a table that lives. And what the pictures
themselves would take: a whole frame for each of them, and the bytes that differ from one to the next, without which
nothing could be shown at all; pictures that differ in that mark alone are none here.
"""

from collections.abc import Iterator
from operator import ne
from typing import NamedTuple

from benchmarks.displays import figures as change_figures
from benchmarks.row import Row
from engine.game import games
from engine.values import Action
from firmware.bench import Bench
from firmware.desk import Heard
from firmware.furnish import furnish
from firmware.simulated import SimulatedTable
from hal.gddram import pages_of
from hal.panels import MARK, Controller

ACTIONS = 60
SHARE = 10.0
"""Percent of whole frames that an action is to send at most."""
SEED = 1


class Sent(NamedTuple):
    """Bytes on the wires of all displays, addresses included, and the actions that they were sent for; how many
    pictures were seen, and in how many bytes of a display's memory each differed from the one before, together.
    """

    bytes: int
    actions: int
    seats: int
    pictures: int
    different: int

    @property
    def each(self) -> float:
        """Bytes an action."""
        return self.bytes / self.actions

    @property
    def share(self) -> float:
        """Percent of a whole frame for each display and action."""
        return 100 * self.each / (self.seats * whole_frame())

    @property
    def least(self) -> float:
        """The same of the bytes that differ, were there nothing to be sent beside them."""
        return 100 * self.different / (self.actions * self.seats * whole_frame())

    @property
    def of_pictures(self) -> float:
        """Percent of a whole frame for each picture."""
        return 100 * self.bytes / (self.pictures * whole_frame())


def whole_frame() -> int:
    """Bytes of luma's frame on an SSD1306."""
    return next(shown.bytes for shown in change_figures() if shown.controller is Controller.SSD1306)


def sent(game: str, seats: int, actions: int = ACTIONS, seed: int = SEED) -> Sent:
    """What bots send in play, from the first question after the deal on, so many actions long or a few more."""
    with SimulatedTable(furnish(game, seats, dealer=1), seed=seed) as table:
        bench, ruled = Bench(table, seed), 0

        def hear(heard: Heard) -> None:
            nonlocal ruled
            ruling = heard.ruling
            ruled += ruling is not None and ruling.refusal is None and isinstance(ruling.entry, Action)

        table.loop.observers.append(hear)
        for seat in range(1, seats + 1):
            bench.seat_bot(seat)
        bench.play_until(lambda: ruled > 0)
        before, ruled, pictures, different = _on_the_wires(table), 0, 0, 0
        seen = [_memory(table, seat) for seat in range(1, seats + 1)]
        while ruled < actions:
            bench.step()
            for index, old in enumerate(seen):
                new = seen[index] = _memory(table, index + 1)
                pictures += new != old
                different += sum(map(ne, old, new)) if new != old else 0
        return Sent(_on_the_wires(table) - before, ruled, seats, pictures, different)


def _memory(table: SimulatedTable, seat: int) -> bytes:
    """What a display holds, without the mark."""
    picture = table.picture(seat)
    picture.paste(0, MARK)
    return pages_of(picture)


def _on_the_wires(table: SimulatedTable) -> int:
    return sum(bus.bytes for bus in table.wires.buses.values())


def rows(actions: int = ACTIONS) -> Iterator[Row]:
    """Every game with all its seats."""
    for game in games().values():
        seats = max(game.seats)
        found = sent(game.name, seats, actions)
        yield Row(f"{game.name}, {seats} displays: an action", "bytes", [found.each])
        yield Row(f"{game.name}, {seats} displays: of whole frames", "%", [found.share], SHARE)
        yield Row(f"{game.name}, {seats} displays: bytes that differ, of whole frames", "%", [found.least])
        yield Row(f"{game.name}, {seats} displays: of a whole frame each picture", "%", [found.of_pictures])


def main() -> None:
    """Print the figures."""
    for row in rows():
        print(f"{row.name:64} {row.median:8.1f} {row.unit}")


if __name__ == "__main__":
    main()
