"""Putting the simulated `lgpio` where `import lgpio` finds it, and making gpiozero believe in a Pi."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from types import ModuleType

from gpiozero.pins.local import LocalPiFactory

from hal.sim.lgpio import SimLgpio

PI_4B = 0xC03112
PI_5 = 0xC04170
PI_ZERO_2_W = 0x902120

_BOUND = ("lgpio", "gpiozero.pins.lgpio")  # the second holds a reference to the first


class _Finder(MetaPathFinder, Loader):
    def __init__(self, module: SimLgpio) -> None:
        self._module = module

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return spec_from_loader(fullname, self) if fullname == "lgpio" else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self._module

    def exec_module(self, module: ModuleType) -> None:
        self._module.start()


@contextmanager
def installed(module: SimLgpio, revision: int = PI_4B) -> Iterator[SimLgpio]:
    """While this holds, `import lgpio` gives `module`, with the side effects of the real import.

    gpiozero reads the board's revision code from the device tree, which a PC has not: it gets `revision`. The
    state from before, a real lgpio included, comes back afterwards.
    """
    before = {name: sys.modules.pop(name, None) for name in _BOUND}
    finder = _Finder(module)
    sys.meta_path.insert(0, finder)
    get_revision = LocalPiFactory._get_revision
    LocalPiFactory._get_revision = lambda self: revision
    try:
        yield module
    finally:
        LocalPiFactory._get_revision = get_revision
        sys.meta_path.remove(finder)
        for name, old in before.items():
            sys.modules.pop(name, None)
            if old is not None:
                sys.modules[name] = old
