"""What the supervisor is told: that the table is ready, what it is doing, and, again and again, that it lives
(sd_notify(3)).

It lives while its deciding task and the threads of all devices go round. systemd starts anew what is silent for
`WatchdogSec`; without a supervisor a standstill is said in the log alone.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Event, Thread

from engine.phrases import Phrase, listing
from hal.clock import Clock
from hal.pulse import SILENCE, Pulse

EXTENDED, ASKED_EVERY, LONGEST_START = 30.0, 10.0, 600.0
"""Real seconds: more time that is asked for while the table starts, how often, and how long a start may take. One that
takes longer hangs, and is to be ended.
"""


class Supervisor:
    """The process that started this one, as far as its environment names one that wants to hear."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        limit = environment.get("WATCHDOG_USEC", "") if for_us else ""
        self.interval = int(limit) / 2e6 if limit.isdecimal() and int(limit) else None
        """Real seconds from one sign of life to the next: half of what it waits for. None: it expects none."""

    @property
    def listens(self) -> bool:
        """Whether there is one that wants to hear."""
        return self._address.startswith(("/", "@"))

    @contextmanager
    def taking_time(self, every: float = ASKED_EVERY) -> Iterator[None]:
        """While this holds, it is asked every so many real seconds for more time than `TimeoutStartSec`: a long journal
        is read, or a copy of a damaged one is looked for.
        """
        done = Event()

        def ask() -> None:
            for _ in range(round(LONGEST_START / ASKED_EVERY)):
                self.say(f"EXTEND_TIMEOUT_USEC={round(EXTENDED * 1e6)}")
                if done.wait(every):
                    return

        asking = Thread(target=ask, name="start", daemon=True)
        if self.listens:
            asking.start()
        try:
            yield
        finally:
            done.set()
            if self.listens:
                asking.join()

    def say(self, state: str) -> bool:
        """Tell it, such as `READY=1`; whether that could be done."""
        if not self.listens:
            return False
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.setblocking(False)
                out.sendto(state.encode(), address)
        except OSError:
            return False
        return True


class Status:
    """Tells the supervisor in one line how the table stands, as often as that changes; stepped by `tick`."""

    def __init__(self, supervisor: Supervisor, line: Callable[[], str]) -> None:
        self._supervisor = supervisor
        self._line = line
        self._told = ""

    def tick(self) -> None:
        """Tell it, if it wants to hear and does not know."""
        if not self._supervisor.listens:
            return
        line = self._line()
        if line != self._told and self._supervisor.say(f"STATUS={line}"):
            self._told = line


class Watchdog:
    """Gives the signs of life; stepped by `tick`. `log` is told once of each standstill, and of its end."""

    def __init__(
        self, pulse: Pulse, clock: Clock, supervisor: Supervisor, log: Callable[[str], None], silence: float = SILENCE
    ) -> None:
        self._pulse = pulse
        self._clock = clock
        self._supervisor = supervisor
        self._log = log
        self._silence = silence
        self._still: tuple[str, ...] = ()
        self._due = float("-inf")

    def tick(self) -> None:
        """Look whether everything goes round; give a sign of life if so and if one is due."""
        now, second = self._clock.now(), self._clock.real(1.0)
        scale = 1 / second if second else 1.0  # a clock that is moved on by hand counts as it is
        still = self._pulse.still(now, self._silence * scale)
        if still != self._still:
            self._still = still
            if still:
                self._log(
                    Phrase(
                        "standing still: {who}",
                        who=listing(Phrase(one) for names in still for one in names.split(", ")),
                    )
                )
            else:
                self._log(Phrase("everything goes round again"))
        interval = self._supervisor.interval
        if not still and interval is not None and now >= self._due:
            self._due = now + interval * scale
            self._supervisor.say("WATCHDOG=1")
