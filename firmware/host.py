"""What a table has of the machine that it runs on: who watches over it, and how its supply is."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from firmware.doctor import this_system
from firmware.notes import Heat, Supply
from firmware.supervisor import Supervisor
from firmware.supply import degrees, supply_codes
from hal.pulse import SILENCE

PLENTY = 1 << 40
NOBODY = Supervisor({})
"""No supervisor that wants to hear anything."""


class Host(NamedTuple):
    """By default nobody watches and nothing tells of the supply, as on a simulated table."""

    supervisor: Supervisor = NOBODY
    silence: float = SILENCE
    """Real seconds after which what does not go round stands still."""
    supply: Supply = lambda: ()
    heat: Heat = lambda: None
    """How warm the processor is, in degrees Celsius; None: nothing tells."""
    free: Callable[[Path], int] = lambda folder: PLENTY
    """Bytes that are left where a folder lies; raises OSError."""


def this_host() -> Host:
    """The machine that this runs on."""
    system = this_system()
    return Host(Supervisor(os.environ), supply=lambda: supply_codes(system) or (), heat=lambda: degrees(system),
                free=system.free)  # fmt: skip
