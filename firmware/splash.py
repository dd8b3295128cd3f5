"""What stands on the displays while a table comes up: its name, and that it is alive."""

from engine.asks import Ask, Token
from firmware.dialogs import Close, Dialog, Outcome
from firmware.seatview import Sheet, Wording

SECONDS = 2.0
"""Seconds that the splash stands, unless somebody presses a button."""


class Splash(Dialog):
    """The first picture; another dialog comes after it."""

    lasts = True

    def __init__(self, following: Dialog, now: float) -> None:
        self._following = following
        self._end = now + SECONDS

    def sheet(self, place: int) -> Sheet:
        """The name of the table, and that any button goes on."""
        return Sheet(
            Ask("splash", choices=("on",)),
            big=Wording("splash"),
            text=Wording("splash-place", (("place", place),)),
            start=0,
        )

    def give(self, place: int, token: Token) -> Outcome:
        """Go on."""
        return Close(dialog=self._following)

    def pass_time(self, now: float) -> Outcome | None:
        """Go on when its time is over."""
        return Close(dialog=self._following) if now >= self._end else None
