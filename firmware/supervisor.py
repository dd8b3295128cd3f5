"""What the supervisor is told: that the table is ready, and, again and again, that it lives (sd_notify(3)).

It lives while its deciding task and the threads of all devices go round. systemd starts anew what is silent for
`WatchdogSec`; without a supervisor a standstill is said in the log alone.
"""

import os
import socket
from collections.abc import Callable, Mapping

from engine.phrases import Phrase, listing
from hal.clock import Clock
from hal.pulse import SILENCE, Pulse


class Supervisor:
    """The process that started this one, as far as its environment names one that wants to hear."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        limit = environment.get("WATCHDOG_USEC", "") if for_us else ""
        self.interval = int(limit) / 2e6 if limit.isdecimal() and int(limit) else None
        """Real seconds from one sign of life to the next: half of what it waits for. None: it expects none."""

    def say(self, state: str) -> bool:
        """Tell it, such as `READY=1`; whether that could be done."""
        if not self._address.startswith(("/", "@")):
            return False
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.setblocking(False)
                out.sendto(state.encode(), address)
        except OSError:
            return False
        return True


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
