"""The token by which a director logs in from beside the table: made by chance, shown once, and kept as a hash.

At a place the director's menu makes a new one, whatever became of the old: whoever stands at the table directs it.
"""

import math
import secrets

from engine.asks import Ask, Token
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Close, Dialog, Outcome, Put
from firmware.pin import fits, hashed
from firmware.seatview import Sheet

TOKEN = "director-token"
"""Under which the token is remembered, as `firmware.pin.hashed` writes it."""
SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""The signs of a token: none looks like another."""
GROUPS, GROUP = 4, 4
MAKE = "make-token"


def new_token() -> str:
    """A token of 79 bits, such as `7KQW-M3XA-9FTD-PH2C`."""
    return "-".join("".join(secrets.choice(SIGNS) for _ in range(GROUP)) for _ in range(GROUPS))


def hidden_token() -> str:
    """What stands for a token that nobody is to know."""
    return "-".join(["·" * GROUP] * GROUPS)


def spelled(typed: str) -> str:
    """A token as it was made, of one that somebody has typed: in small letters, or without its hyphens."""
    signs = "".join(typed.upper().split()).replace("-", "")
    return "-".join(signs[start : start + GROUP] for start in range(0, len(signs), GROUP))


def is_token(typed: str, kept: str) -> bool:
    """Whether this is the token of which a hash is kept. Takes as long as a hash does."""
    return typed.isascii() and len(typed) <= 64 and fits(spelled(typed), kept)


class TokenShown(Dialog):
    """A token stands on a display until somebody presses there."""

    lasts = True
    patience = math.inf

    def __init__(self, token: str) -> None:
        self._token = token

    def sheet(self, place: int) -> Sheet:
        """The token, and the way on."""
        return Sheet(Ask("web-token", choices=(GO_ON,)), typed=self._token, start=0)

    def give(self, place: int, token: Token) -> Outcome:
        """Whoever was to read it has."""
        return Close()


class NewToken(Dialog):
    """A new token is made, and stands there once it is kept; the old one, and who came in by it, is out."""

    lasts = True

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._token = ""
        self._hash = ""

    def sheet(self, place: int) -> Sheet:
        """The question, then the token."""
        if self._hash and self._desk.settings.get(TOKEN) == self._hash:
            return TokenShown(self._token).sheet(place)
        return Sheet(Ask("new-token", choices=(MAKE, GO_ON)), start=1)

    def give(self, place: int, token: Token) -> Outcome:
        """Make it, or go on."""
        if token != MAKE or self._desk.new_token is None:
            return Close()
        self._token = self._desk.new_token()
        self._hash = hashed(self._token, self._desk.salt())
        return Put(TOKEN, self._hash)
