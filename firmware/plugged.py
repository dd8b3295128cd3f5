"""Games of other packages: what never comes to an end is left out, and what was mended is looked for anew."""

import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module, invalidate_caches
from importlib.metadata import entry_points
from threading import Thread

from engine.game import ENTRY_POINTS, broken_games, forget_games
from engine.phrases import Phrase

OWN = ("engine", "firmware", "hal")
PATIENCE = 20.0
"""Seconds in which the package of a game is imported, or is left out."""


def leave_out_what_hangs(tell: Callable[[str], None]) -> None:
    """See to it that no package keeps the table from starting: one that is not imported in time counts as broken."""
    for point in entry_points(group=ENTRY_POINTS):
        if point.module.partition(".")[0] in OWN or point.module in sys.modules:
            continue
        thread = Thread(target=_try, args=(point.module,), name=f"game {point.name}", daemon=True)
        thread.start()
        thread.join(PATIENCE)
        if thread.is_alive():
            sys.modules[point.module] = None  # type: ignore[assignment]  # whoever imports it is told so at once
            tell(Phrase("the package of the game {name} does not come to an end when it is loaded", name=point.name))


def _try(module: str) -> None:
    with suppress(BaseException):  # whatever it does, it is told when the game is looked for
        import_module(module)


def look_for_games() -> None:
    """Load what could not be used once more. What is well stays as it is loaded."""
    for point in entry_points(group=ENTRY_POINTS) if broken_games() else ():
        root = point.module.partition(".")[0]
        if point.name in broken_games() and root not in OWN:
            for name in [name for name in sys.modules if name == root or name.startswith(f"{root}.")]:
                del sys.modules[name]
    invalidate_caches()
    forget_games()
