"""Who may direct: a PIN that is typed, or a card with a tag of its own. And how often a PIN may be guessed."""

import hashlib
import hmac
import math
import re
from collections.abc import Callable
from typing import NamedTuple

from engine.asks import Token
from firmware.dialogs import Note, Outcome, Say, Typing
from firmware.seatview import TableText
from firmware.settings import Settings

PIN = "director-pin"
"""Under which a PIN that was set at the table is remembered, as `hashed` writes it."""
TRIED = "director-tries"
"""Under which it is remembered how many wrong PINs were given in a row: a pulled plug gives no new ones."""
LEAST, MOST = 4, 8
"""Digits of a PIN."""
TRIES = 3
"""Wrong PINs in a row after which the table waits."""
WAIT = 30.0
"""Seconds for which it takes no PIN then."""
DIGITS = "0123456789"

_COST, _BLOCKS, _SALT = 2**12, 8, 16  # 4 MB and some 10 ms on a PC, a tenth of a second on a Pi Zero 2


class Officials(NamedTuple):
    """Who directs, by the table file: a PIN, and the tags of cards."""

    pin: str = ""
    cards: frozenset[str] = frozenset()


NOBODY = Officials()


def is_pin(text: str) -> bool:
    """Whether a text can be a PIN."""
    return re.fullmatch(rf"[0-9]{{{LEAST},{MOST}}}", text) is not None


def hashed(pin: str, salt: bytes) -> str:
    """A PIN as it is kept: `scrypt`, the salt and the hash, in hex."""
    return f"scrypt:{salt.hex()}:{_scrypt(pin, salt).hex()}"


def _scrypt(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=_COST, r=_BLOCKS, p=1)


def fits(pin: str, kept: str) -> bool:
    """Whether a PIN is the one of which this is kept."""
    found = re.fullmatch(r"scrypt:((?:[0-9a-f]{2})+):((?:[0-9a-f]{2})+)", kept)
    return found is not None and hmac.compare_digest(_scrypt(pin, bytes.fromhex(found[1])), bytes.fromhex(found[2]))


class Gate:
    """Lets the director in. A table where neither a PIN nor a card is known has no director."""

    def __init__(self, officials: Officials, settings: Settings) -> None:
        self.cards = officials.cards
        self._pin = officials.pin
        self._settings = settings
        self._until = 0.0

    def begin(self, now: float) -> None:
        """The table comes up: what was left to wait before is waited anew."""
        if self.tries >= TRIES:
            self._until = now + WAIT

    @property
    def tries(self) -> int:
        """The wrong PINs in a row, as they are remembered."""
        return self._settings.number(TRIED, 0, 0, TRIES)

    @property
    def directed(self) -> bool:
        """Whether the table has a director."""
        return self.has_pin or bool(self.cards)

    @property
    def has_pin(self) -> bool:
        """Whether there is a PIN."""
        return bool(self._pin or self._settings.get(PIN))

    @property
    def fixed(self) -> bool:
        """Whether the PIN stands in the table file: then it is not changed at the table."""
        return bool(self._pin)

    def wait(self, now: float) -> int:
        """Seconds for which no PIN is taken."""
        return max(0, math.ceil(self._until - now))

    def try_pin(self, pin: str, clock: Callable[[], float], then: Callable[[bool], Outcome]) -> Outcome:
        """What `then` makes of whether this is the PIN. A wrong one counts, at whatever place it is typed, and before
        anybody learns that it is wrong.
        """
        count = self.tries % TRIES + 1

        def judged() -> Outcome:
            if self.opens(pin):
                return Note(TRIED, "0", lambda: then(True))
            if count == TRIES:
                self._until = clock() + WAIT
            return then(False)

        return Note(TRIED, str(count), judged)

    def opens(self, pin: str) -> bool:
        """Whether this is the PIN."""
        return hmac.compare_digest(pin, self._pin) if self._pin else fits(pin, self._settings.get(PIN))


class PinPad(Typing):
    """The director's PIN is typed; what is right leads on. `clock` tells the time."""

    def __init__(self, gate: Gate, clock: Callable[[], float], then: Callable[[], Outcome]) -> None:
        super().__init__("pin", DIGITS, self._try, most=MOST, secret=True, lasts=True)
        self._gate = gate
        self._clock = clock
        self._open = then

    def give(self, place: int, token: Token) -> Outcome:
        """Take a digit, unless too many wrong ones were given."""
        wait = self._gate.wait(self._clock())
        if wait:
            return Say(TableText("pin-wait", (("seconds", wait),), bad=True))
        return super().give(place, token)

    def _try(self, typed: str) -> Outcome:
        self.typed = ""
        return self._gate.try_pin(typed, self._clock, self._answer)

    def _answer(self, right: bool) -> Outcome:
        if right:
            return self._open()
        wait = self._gate.wait(self._clock())
        return Say(TableText("pin-wait", (("seconds", wait),), bad=True) if wait else TableText("wrong-pin", bad=True))


class NewPin(Typing):
    """A PIN is set: typed twice alike. `then` is told it."""

    def __init__(self, then: Callable[[str], Outcome]) -> None:
        super().__init__("new-pin", DIGITS, self._take, most=MOST, secret=True, lasts=True)
        self._first = ""
        self._keep = then

    def _take(self, typed: str) -> Outcome:
        self.typed = ""
        if not is_pin(typed):
            return Say(TableText("pin-length", (("least", LEAST), ("most", MOST)), bad=True))
        if not self._first:
            self._first, self._prompt = typed, "pin-again"
            return Say(TableText("pin-once-more"))
        if typed != self._first:
            self._first, self._prompt = "", "new-pin"
            return Say(TableText("pins-differ", bad=True))
        return self._keep(typed)
