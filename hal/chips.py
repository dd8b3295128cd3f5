"""The gpiochips of a table, each opened when its first line is wanted."""

from collections import Counter

from hal.gpio import GpioChip, I2cPlace
from hal.lines import place_of
from hal.phrases import Phrase, both
from hal.wires import Wires
from hal.wiring import ChipWiring, Wiring


class Chips:
    """Opens chips by the names that the table file gives them."""

    def __init__(self, wiring: Wiring, wires: Wires) -> None:
        self._further = {chip.name: chip for chip in wiring.chips}
        self._labels = Counter(chip.label for chip in wiring.chips)
        self._wires = wires
        self._open: dict[str, GpioChip] = {}

    def at(self, line: int | str) -> tuple[GpioChip, int]:
        """The chip and the number of a line of the file. Raises `GpioError` or `LgpioMissingError`."""
        place = place_of(line)
        return self.open(place.chip), place.number

    def open(self, name: str = "") -> GpioChip:
        """A chip by its name in the file; without one that behind the header. Raises as `at`."""
        if name not in self._open:
            self._open[name] = self._opened(self._further[name]) if name else self._wires.open_chip()
        return self._open[name]

    def _opened(self, chip: ChipWiring) -> GpioChip:
        place, twin = I2cPlace(chip.bus, chip.address), self._labels[chip.label] > 1
        return self._wires.open_chip(chip.label, place, twin=twin)

    def __str__(self) -> str:
        return str(self.words)

    @property
    def words(self) -> Phrase:
        """What drives the pins, for logs: "LGPIOFactory on pinctrl-rp1 and mcp23017"."""
        factories = sorted({type(chip.factory).__name__ for chip in self._open.values()})
        labels = [chip.label for chip in self._open.values()]
        return Phrase("{factories} on {labels}", factories=both(factories), labels=both(labels))

    def close(self) -> None:
        """Set all lines free."""
        for chip in self._open.values():
            chip.close()
