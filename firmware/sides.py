"""What the buttons of a place mean: at a left-handed place ◀ is ▶ and ▶ is ◀, with what holding them does."""

from collections.abc import Callable
from dataclasses import replace

from hal.events import Button, ButtonStuck, Chord, Event, Held, Pressed, Released

_OTHER = {Button.LEFT: Button.RIGHT, Button.RIGHT: Button.LEFT, Button.OK: Button.OK}


def meant_by(button: Button, mirrored: bool) -> Button:
    """What a button means, or which button means it."""
    return _OTHER[button] if mirrored else button


class Sides:
    """Turns events of buttons into what is meant. A button that goes down means the same until it comes up, whatever is
    set meanwhile. `mirrored` tells whether a place is left-handed now.
    """

    def __init__(self, mirrored: Callable[[int], bool]) -> None:
        self._mirrored = mirrored
        self._down: dict[tuple[int, Button], bool] = {}

    def meant(self, event: Event) -> Event:
        """The event with the buttons that are meant; any other as it is."""
        match event:
            case Pressed(seat, button):
                self._down[seat, button] = self._mirrored(seat)
                return replace(event, button=meant_by(button, self._down[seat, button]))
            case Held(seat, button):
                return replace(event, button=self._since_down(seat, button))
            case Released(seat, button) | ButtonStuck(seat=seat, button=button):
                meant = replace(event, button=self._since_down(seat, button))
                self._down.pop((seat, button), None)
                return meant
            case Chord(seat, buttons):
                return replace(event, buttons=frozenset(self._since_down(seat, button) for button in buttons))
        return event

    def _since_down(self, seat: int, button: Button) -> Button:
        return meant_by(button, self._down.get((seat, button), self._mirrored(seat)))
