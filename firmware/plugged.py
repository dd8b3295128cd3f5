"""Games of other packages, looked for anew after one of them was mended."""

import sys
from importlib import invalidate_caches
from importlib.metadata import entry_points

from engine.game import ENTRY_POINTS, broken_games, forget_games

OWN = ("engine", "firmware", "hal")


def look_for_games() -> None:
    """Load what could not be used once more. What is well stays as it is loaded."""
    for point in entry_points(group=ENTRY_POINTS) if broken_games() else ():
        root = point.module.partition(".")[0]
        if point.name in broken_games() and root not in OWN:
            for name in [name for name in sys.modules if name == root or name.startswith(f"{root}.")]:
                del sys.modules[name]
    invalidate_caches()
    forget_games()
