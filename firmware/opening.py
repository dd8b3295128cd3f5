"""A table from its file to its loop: the same for one that runs, one that is simulated, and one that is replayed."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from random import Random

from firmware.capturing import Recording
from firmware.desk import Observer
from firmware.journal import Journal
from firmware.loop import Loop
from firmware.notes import Heat, Supply
from firmware.setups import Setup, everybody
from firmware.tablefile import TableFile
from hal.hardware import Hardware
from hal.wires import Wires


def setup_in(file: TableFile) -> Setup:
    """What a table file says, or proposes, that is played."""
    return everybody(file.table, () if file.free else file.names, file.dealer, file.deal)


def own_header(file: TableFile) -> list[str] | None:
    """The header of this table's matches; None where players agree on what is played."""
    return None if file.free else setup_in(file).header()


@contextmanager
def opened(
    file: TableFile,
    wires: Wires,
    journal: Journal,
    chance: Random,
    observers: tuple[Observer, ...] = (),
    wake: Callable[[], None] | None = None,
    recording: Recording | None = None,
    supply: Supply = lambda: (),
    heat: Heat = lambda: None,
) -> Iterator[Loop]:
    """The loop of a table and its hardware, which is dark and given up when the block is left. The loop is still to be
    started. `wake` is called at every edge of a button, `recording` is of what passes the wires, `supply` tells what is
    wrong with the machine's supply, `heat` how warm its processor is.

    Raises `hal.gpio.GpioError` for a GPIO line that cannot be had.
    """
    with closing(Hardware(file.wiring, recording.wires(wires) if recording else wires, wake)) as hardware:
        loop = Loop(
            setup=setup_in(file),
            places=[seat.number for seat in file.wiring.seats],
            readers=file.wiring.readers(),
            hardware=hardware,
            journal=journal,
            decks=file.decks,
            chance=chance,
            language=file.language,
            defaults=file.defaults,
            free=file.free,
            known_names=file.names,
            supply=supply,
            heat=heat,
            officials=file.officials,
        )
        loop.observers.extend(observers)
        if recording is not None:
            loop.observers.append(recording.hear)
            loop.watcher = recording
        yield loop
