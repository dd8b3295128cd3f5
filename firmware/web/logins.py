"""Who is let in as a director: sessions that last while they are used, and how often a token may be tried.

Whoever tries wrong tokens waits, longer each time. An address from which nothing wrong came has its try at once; the
right token, once it was used, is taken at any time; and a new token, which takes a hand at the table, lets everybody
try again. So nobody can keep the director out.
"""

import hmac
import ipaddress
import secrets
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256

IDLE = 4 * 3600.0
"""Seconds for which a session lasts that is not used."""
MOST_SESSIONS = 16
FREE = 4
"""Wrong tokens from one address that cost no wait."""
FIRST_WAIT, LONGEST_WAIT = 1.0, 60.0
"""Seconds to wait after the next wrong one, doubled with each, and at most."""
MOST_ADDRESSES = 1000
MOST_AT_ONCE = 4
"""Tokens that are looked at, at a time: a hash costs a tenth of a second on a small Pi."""


class Attempts:
    """Counts wrong tokens by address. `clock` tells seconds that only grow."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._trying = 0

    def wait(self, address: str) -> float:
        """Seconds until this address may try; 0: now."""
        _, until = self._wrong.get(network(address), (0, 0.0))
        return max(0.0, until - self._clock())

    def begin(self) -> bool:
        """Take one of the few places where a token is looked at; whether there was one."""
        if self._trying >= MOST_AT_ONCE:
            return False
        self._trying += 1
        return True

    def end(self, address: str, right: bool) -> None:
        """Give the place back, and count what was found."""
        self._trying -= 1
        key = network(address)
        if right:
            self._wrong.pop(key, None)
            return
        count = self._wrong.pop(key, (0, 0.0))[0] + 1
        over = min(count - FREE - 1, 16)
        wait = 0.0 if over < 0 else min(LONGEST_WAIT, FIRST_WAIT * 2**over)
        self._wrong[key] = (count, self._clock() + wait)
        while len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)

    def forget(self) -> None:
        """Let everybody try again."""
        self._wrong.clear()


def network(address: str) -> str:
    """Whom an address belongs to: of IPv6 one has 2⁶⁴ of them."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if found.version == 6:
        mapped = found.ipv4_mapped
        return str(mapped) if mapped is not None else str(ipaddress.ip_network((found, 64), strict=False))
    return str(found)


class Session:
    """A director who is logged in. `closing` are called when it ends."""

    def __init__(self, kept: str, used: float) -> None:
        self.kept = kept
        """The hash of the token that it was begun with: another token ends it."""
        self.used = used
        self.closing: set[Callable[[], object]] = set()

    def end(self) -> None:
        """Close what it has open."""
        for close in [*self.closing]:
            close()


class Sessions:
    """Those that are open, by the hash of their secret: the memory of this process holds no secret that lets one in."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._open: OrderedDict[bytes, Session] = OrderedDict()
        self._known: tuple[bytes, str] | None = None

    def begin(self, kept: str) -> str:
        """Begin one with a token of which this is kept; its secret. The one unused for longest makes room."""
        secret = secrets.token_urlsafe(32)
        self._open[_hash(secret)] = Session(kept, self._clock())
        while len(self._open) > MOST_SESSIONS:
            self._open.popitem(last=False)[1].end()
        return secret

    def find(self, secret: str) -> Session | None:
        """The session with this secret, which is used by that; None: there is none, or its time is over."""
        key = _hash(secret)
        session = self._open.get(key)
        if session is None:
            return None
        now = self._clock()
        if now - session.used > IDLE:
            del self._open[key]
            session.end()
            return None
        session.used = now
        self._open.move_to_end(key)
        return session

    def end(self, secret: str) -> None:
        """End a session."""
        session = self._open.pop(_hash(secret), None)
        if session is not None:
            session.end()

    def end_others(self, kept: str) -> bool:
        """End those that were begun with another token than the one of which this is kept; whether there were any."""
        others = [key for key, session in self._open.items() if session.kept != kept]
        for key in others:
            self._open.pop(key).end()
        return bool(others)

    def knows(self, token: str, kept: str) -> bool:
        """Whether a token was found right before: programs send theirs with each request."""
        known = self._known
        return known is not None and known[1] == kept and hmac.compare_digest(known[0], _hash(token))

    def learn(self, token: str, kept: str) -> None:
        """Note that a token is right."""
        self._known = (_hash(token), kept)


def _hash(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "surrogatepass")).digest()
