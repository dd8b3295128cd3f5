"""Whose picture goes over the wires first: that of the seat that has just done something, and looks for the answer."""

from collections.abc import Callable

LONGEST = 0.1
"""Seconds after which the others wait no longer: by then a picture is on its glass, or its bus hangs."""


class RightOfWay:
    """Held by one display at most. The others keep their rectangles back meanwhile: on its bus, or on another channel
    of its multiplexer, they would be in its way, and which buses share wires no chip tells.

    Any thread may ask; `freed` is called when the others may go on.
    """

    def __init__(self, now: Callable[[], float], freed: Callable[[], None]) -> None:
        self._now = now
        self._freed = freed
        self._held: tuple[object, float] | None = None

    def take(self, display: object) -> None:
        """Let this display go first from now on."""
        self._held = display, self._now() + LONGEST

    def give(self, display: object) -> None:
        """Let the others go on, if it is this one that they wait for."""
        held = self._held
        if held is not None and held[0] is display:
            self._held = None
            self._freed()

    def is_first(self, display: object) -> bool:
        """Whether the others wait for this one."""
        held = self._held
        return held is not None and held[0] is display

    def waits(self, display: object) -> bool:
        """Whether this display has to wait for another."""
        held = self._held
        return held is not None and held[0] is not display and self._now() < held[1]
