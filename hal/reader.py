"""A card reader of the table, of any kind, behind a port that may vanish and come back."""

from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Protocol

from hal.backoff import Backoff
from hal.errors import ReaderError
from hal.events import DeviceBack, DeviceLost, Event, ReaderStalled
from hal.holders import holders, is_taken
from hal.phrases import Phrase, said_by
from hal.pn532 import PORT_FAULTS, Port
from hal.presence import Presence, PresenceCounts, Sight, TagCounts
from hal.reader_drivers import Driver, driver_for, opener
from hal.reader_kinds import CAPABILITIES, Capability, ReaderKind
from hal.tags import Garbled, PollResult, uid_text

DEAF_POLLS = 3
"""Polls in a row without a clean answer before a reader can count as lost, or as stalled."""
DEAF_TIME = 2.0
"""Seconds without a clean answer before a reader counts as lost, though its port is still there."""
STALL_TIME = 1.0
"""Seconds without a clean answer from a reader that is alive before it counts as stalled, and from one attempt to
start it anew to the next."""
STALL_LIMIT = 10.0
"""Seconds after which a stalled reader counts as lost."""
BOOT_TIME = 0.1
"""Seconds that a chip is left alone after its reset line was let go (the data sheet asks for 2 ms)."""

_FAULTS: tuple[type[Exception], ...] = (*PORT_FAULTS, ReaderError)


class ResetLine(Protocol):
    """The line to a chip's reset pin, such as an active-low `hal.cues.OutputLine`."""

    def set(self, level: bool, now: float, /) -> object:
        """Hold the chip in reset, or let it go. A pin that fails then shows in the reader, which stays lost."""


@dataclass(slots=True)
class ReaderCounts:
    """What became of a reader's polls since the start."""

    clean: int = 0
    repaired: int = 0
    """Clean polls for which a damaged answer had to be asked for again."""
    garbled: int = 0
    losses: int = 0
    stalls: int = 0


class CardReader:
    """One reader, stepped by `poll`. It owns its port, and one thread at a time may call it.

    `name` is the device's name in the wiring, `port` the path of its serial port or event device. A reader that
    cannot be opened raises nothing: it is reported as lost, and tried again. `settle` and `release` are in
    seconds (see `Presence`); by default, `release` is its kind's. With a `reset` line, a lost chip is reset
    before it is tried again.
    """

    def __init__(
        self,
        name: str,
        port: str,
        settle: float = 0.0,
        open_port: Callable[[str], Port] | None = None,
        kind: ReaderKind = ReaderKind.PN532,
        release: float | None = None,
        reset: ResetLine | None = None,
    ) -> None:
        self.name = name
        self.port = port
        self.kind = kind
        self.counts = ReaderCounts()
        able = self.capability
        self._open_port = open_port or opener(kind)
        self._presence = Presence(
            name,
            settle,
            lift_time=able.release if release is None else release,
            family=able.family,
            sees_lifts=able.sees_lifts,
            known=self._is_believed,
            first_time=able.release if able.sees_lifts and not able.answers else 0.0,
        )
        self._reset = reset
        self._enrolled: frozenset[str] = frozenset()
        self._opened: Port | None = None
        self._driver: Driver | None = None
        self._repeats = 0
        self._backoff = Backoff()
        self._last_clean = 0.0
        self._garbled_polls = 0
        self._stalled = False
        self._restart_due = 0.0
        self._held = False  # in reset
        self._boots_until: float | None = None

    @property
    def capability(self) -> Capability:
        """What a reader of this kind can do."""
        return CAPABILITIES[self.kind]

    @property
    def connected(self) -> bool:
        """Whether a reader has shown on the port that it is one, and has not been lost since."""
        return self._driver is not None and self._driver.proven and not self._backoff.failing

    @property
    def troubled(self) -> bool:
        """Whether its last polls gave nothing clean: it sees nothing now, and every poll may take its time."""
        return self._garbled_polls >= DEAF_POLLS

    @property
    def is_open(self) -> bool:
        """Whether its port is open, so that it may tell of a tag, though it has shown nothing yet."""
        return self._driver is not None

    @property
    def clear(self) -> bool:
        """Whether its last poll gave a clean answer: what it did not see then, it did not see."""
        return self._driver is not None and not self._garbled_polls

    @property
    def stirs(self) -> bool:
        """Whether its field is not at rest (see `Presence.stirs`)."""
        return self._presence.stirs

    @property
    def presence_counts(self) -> PresenceCounts:
        """What its presence is worth."""
        return self._presence.counts

    @property
    def tag_counts(self) -> dict[str, TagCounts]:
        """How well each tag is read here, by its canonical text; nothing where a tag is told once, when it comes."""
        if not self.capability.sees_lifts:
            return {}
        return {uid_text(uid, self.capability.family): counts for uid, counts in self._presence.tags.copy().items()}

    def poll(self, now: float) -> list[Event]:
        """Step the reader: open the port when that is due, look for tags once; give what happened at `now`.

        Raises nothing that a port or a chip can cause.
        """
        driver = self._driver
        if driver is None:
            return self._try_to_open(now)
        before = driver.repeats
        try:
            result = driver.poll(now)
            events = self._judge(driver, result, now)
        except _FAULTS as fault:
            return self._lose(said_by(fault), now)
        if driver.proven and self._backoff.worked():
            events.append(DeviceBack(self.name, now))
        return events + self._presence.feed(result, now, repaired=driver.repeats != before)

    def forget(self) -> None:
        """Let the tag that lies on the reader count anew (see `Presence.forget`)."""
        self._presence.forget()

    def last_seen(self, uid: str) -> Sight | None:
        """When a tag that lies here was last seen, by its canonical text; None when it does not lie here."""
        return self._presence.last_seen(uid)

    def lay_there(self, uid: str) -> bool:
        """Whether a tag lay here when the reader was looked at for the first time, by its canonical text."""
        return self._presence.lay_there(uid)

    def enrol(self, uids: Collection[str]) -> None:
        """These tags, by their canonical texts, are the table's: they are believed when they are seen once."""
        self._enrolled = frozenset(uids)

    def close(self) -> None:
        """Turn the field off and give the port back. A later `poll` opens it again."""
        if self._driver is not None:
            with suppress(*_FAULTS):
                self._driver.stop()
        self._release()

    def _judge(self, driver: Driver, result: PollResult, now: float) -> list[Event]:
        """Count what a poll gave. A reader that gives nothing clean is deaf, or stalled by what lies on it."""
        if not isinstance(result, Garbled):
            self.counts.clean += 1
            self.counts.repaired += driver.repeats != self._repeats
            self._repeats = driver.repeats
            self._clean(now)
            return []
        self._repeats = driver.repeats
        self.counts.garbled += 1
        self._garbled_polls += 1
        silence = now - self._last_clean
        # What cannot be asked cannot be found deaf: what it garbles comes from its field.
        alive = result.alive or not self.capability.answers
        if self._garbled_polls < DEAF_POLLS or silence < (STALL_TIME if alive else DEAF_TIME):
            return []
        if not alive or silence >= STALL_LIMIT:
            raise ReaderError(Phrase("no clean answer for {silence:.1f} s: {why}", silence=silence, why=result.why))
        events: list[Event] = []
        if not self._stalled:
            self._stalled = True
            self.counts.stalls += 1
            events.append(ReaderStalled(self.name, result.why, now))
        if now >= self._restart_due:
            self._restart_due = now + STALL_TIME
            driver.start(now)
        return events

    def _clean(self, now: float) -> None:
        self._last_clean = now
        self._garbled_polls = 0
        self._stalled = False

    def _try_to_open(self, now: float) -> list[Event]:
        """Open the port. Where the reader can be asked, it counts as open once it has told what it is and answered
        one poll cleanly, so that a chip that answers everything but polls does not come and go.
        """
        if not self._backoff.due(now):
            return []
        if self._reset is not None and self._held:
            self._held = False
            self._boots_until = now + BOOT_TIME
            self._reset.set(False, now)
            return []
        if self._boots_until is not None and now < self._boots_until:
            return []
        try:
            self._opened = self._open_port(self.port)
            driver = driver_for(self.kind, self._opened, self._is_enrolled)
            driver.start(now)
            result = driver.poll(now)
            if isinstance(result, Garbled) and self.capability.answers:
                raise ReaderError(result.why)
        except _FAULTS as fault:
            owners = ", ".join(holders(self.port)) if is_taken(fault) and not self._backoff.failing else ""
            why = said_by(fault)
            return self._lose(Phrase("{why}; {owners} has it", why=why, owners=owners) if owners else why, now)
        self._driver, self._repeats = driver, driver.repeats
        self._clean(now)
        back: list[Event] = [DeviceBack(self.name, now)] if driver.proven and self._backoff.worked() else []
        return back + self._presence.feed(result, now)

    def _lose(self, why: str, now: float) -> list[Event]:
        """Give up the port and plan the next try; report the loss if it is news.

        What lay in the field is remembered: a tag that still lies there when the reader is back is not
        placed twice.
        """
        self._release()
        if self._reset is not None:
            self._held = True
            self._reset.set(True, now)
        if not self._backoff.failed(now):
            return []
        self.counts.losses += 1
        return [DeviceLost(self.name, why, now)]

    def _is_believed(self, uid: bytes) -> bool:
        """Whether a tag counts when it was seen once: one of the table's, any where the table has said none, and
        any of a reader that speaks by itself, whose driver sees to that."""
        return not self._enrolled or not self.capability.answers or self._is_enrolled(uid)

    def _is_enrolled(self, uid: bytes) -> bool:
        return uid_text(uid, self.capability.family) in self._enrolled

    def _release(self) -> None:
        self._driver = None
        if self._opened is not None:
            with suppress(*PORT_FAULTS):
                self._opened.close()
            self._opened = None
