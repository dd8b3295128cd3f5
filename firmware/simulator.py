"""The simulated table at a terminal: keys are the buttons, typed words are everything else that hands can do."""

import os
import re
import select
import sys
import termios
import time
import tty
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from engine.match import to_act
from engine.phrases import Phrase, said_by
from firmware.bench import Bench
from firmware.desk import Heard
from firmware.errors import TableError
from firmware.phrases import tell
from firmware.script_words import parse_words
from firmware.simulated import STEP, SimulatedTable
from firmware.telling import heard_line, score_line
from firmware.terminal import Screen, layout, panel
from firmware.words import Words
from hal.events import Button

FRAME = 0.08
"""Real seconds between drawings."""
LINES = 200

OWN_WORDS = ("help", "quit")
"""Words beside those of table scripts."""
HELP = (
    Phrase("what goes wrong: fault garbled reader 2 · fault full-disk · mend garbled 2 · mend all"),
    Phrase("words: deal · tap 9D · tap 2 9D · draw · bots 2 3 4 · unplug reader 2 · help · quit"),
    Phrase("keys: ← → and Enter: the buttons · ↑ peek · ↓ back, menu · Tab: next seat"),
)

_KEYS = {
    b"\x1b[D": "left",
    b"\x1b[C": "right",
    b"\x1b[A": "peek",
    b"\x1b[B": "back",
    b"\x1bOD": "left",
    b"\x1bOC": "right",
    b"\x1bOA": "peek",
    b"\x1bOB": "back",
    b"\r": "ok",
    b"\n": "ok",
    b"\t": "seat",
    b"\x7f": "erase",
    b"\x08": "erase",
    b"\x04": "quit",
}


_OTHER_KEY = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O.)")
"""A key that means nothing here, such as Delete or Ctrl and an arrow."""


def keys_of(data: bytes) -> Iterator[str]:
    """The names of the keys in what a terminal sent; letters as themselves, with a `'` before."""
    while data:
        code = next((code for code in _KEYS if data.startswith(code)), None)
        if code is not None:
            yield _KEYS[code]
            data = data[len(code) :]
        elif data[0] == 0x1B:
            other = _OTHER_KEY.match(data)
            data = data[other.end() if other else 1 :]
        else:
            length = 1 if data[0] < 0x80 else 2 if data[0] < 0xE0 else 3 if data[0] < 0xF0 else 4
            letter = data[:length].decode("utf-8", "ignore")
            if letter.isprintable() and letter:
                yield "'" + letter
            data = data[length:]


class Simulator:
    """A person at a simulated table. `seat` is the seat that the keys belong to."""

    def __init__(self, table: SimulatedTable, bots: tuple[int, ...], seed: int, mistakes: float) -> None:
        self.bench = Bench(table, seed)
        self.table = table
        self.words = Words(table.file.table.game, table.file.language)
        self.seat = next((seat for seat in range(1, table.file.table.seats + 1) if seat not in bots), 1)
        self.line = ""
        self.done = False
        self.log: deque[str] = deque(maxlen=LINES)
        self._peeking: tuple[int, Button] | None = None
        for seat in bots:
            self.bench.seat_bot(seat, mistakes)
        table.loop.observers.append(self._hear)

    def _hear(self, heard: Heard) -> None:
        self.log.append(heard_line(self.table.loop.table, self.table.loop.words, heard))

    def _tell(self, said: str) -> str:
        return tell(said, self.words.language)

    # Input

    def say(self, text: str) -> None:
        """Do what a typed line says; what is wrong with it goes into the log."""
        words = text.split()
        if not words:
            return
        if words == ["quit"]:
            self.done = True
            return
        if words == ["help"]:
            self.log.extend(self._tell(line) for line in HELP)
            return
        if (words[0] in ("tap", "place", "lay") and len(words) == 2) or words == ["draw"]:
            words.insert(1, str(self.seat))
        try:
            laid = self.table.file.table
            parse_words(" ".join(words), laid.seats, laid.game, OWN_WORDS)(self.bench)
            if words == ["restart"]:
                self.table.loop.observers.append(self._hear)
        except (TableError, ValueError) as error:
            self.log.append(f"? {self._tell(said_by(error))}")

    def key(self, name: str) -> None:
        """What a key does: a button of the seat, or a letter of a typed line."""
        if name.startswith("'"):
            self.line += name[1:]
        elif name == "erase":
            self.line = self.line[:-1]
        elif name == "quit":
            self.done = True
        elif name == "seat":
            self._stop_peeking()
            self.seat = self.seat % self.table.file.table.seats + 1
        elif name == "ok" and self.line:
            text, self.line = self.line, ""
            self.say(text)
        elif name == "peek":
            self._peek()
        elif name == "back":
            back = self.table.button(self.seat, Button.LEFT)
            self.table.hold(self.seat, back)
            self.table.release(self.seat, back)
        else:
            self._stop_peeking()
            self.table.press(self.seat, Button(name))

    def _peek(self) -> None:
        if self._peeking is None:
            self._peeking = self.seat, self.table.button(self.seat, Button.RIGHT)
            self.table.wires.press(*self._peeking, self.table.clock.now())
        else:
            self._stop_peeking()

    def _stop_peeking(self) -> None:
        if self._peeking is not None:
            self.table.release(*self._peeking)
            self._peeking = None

    # Output

    def screen(self, columns: int, rows: int) -> list[str]:
        """The displays, the rulings, and the line that is being typed."""
        panels = [self._panel(seat) for seat in range(1, self.table.file.table.seats + 1)]
        acting = to_act(self.table.match)
        first = acting[0] if acting and acting[0] not in self.bench.bots else self.seat
        lines = layout(panels, [*self.log], columns, rows - 1, first=first - 1)
        return [*lines, self._tell(Phrase("seat {seat}> {line}█", seat=self.seat, line=self.line))]

    def _panel(self, seat: int) -> list[str]:
        names = self.table.file.names
        title = f"{seat} {names[seat - 1]}" if names else str(seat)
        mark = self._tell(Phrase(" (bot)")) if seat in self.bench.bots else " <" if seat == self.seat else ""
        return panel(self.table.picture(seat), title + mark, self.table.wires.lit(seat))

    # The two ways of running

    def run_live(self, out: TextIO) -> None:
        """Play at a terminal in real time, until `quit` or Ctrl-C."""
        self.log.extend(self._tell(line) for line in HELP)
        with _unbuffered(sys.stdin.fileno()), Screen(out) as screen:
            last = time.monotonic()
            while not self.done:
                ready, _, _ = select.select([sys.stdin], [], [], FRAME)
                if ready:
                    data = os.read(sys.stdin.fileno(), 1024)
                    self.done |= not data
                    for name in keys_of(data):
                        self.key(name)
                last = max(last, time.monotonic() - 10 * STEP)  # after a halt the table does not rush to catch up
                while time.monotonic() - last >= STEP:
                    self.bench.step()
                    last += STEP
                size = screen.size
                screen.draw(self.screen(size.columns, size.lines), size.columns, size.lines)

    def run_lines(self, lines: TextIO, out: TextIO) -> None:
        """Play what is typed line by line; after each the bots play until a person is to act."""
        self._bots_play(out)
        for text in lines:
            self.say(text.strip())
            self._bots_play(out)
            if self.done:
                break
        print(score_line(self.table.match, self.words), file=out)

    def _print(self, out: TextIO) -> None:
        while self.log:
            print(self.log.popleft(), file=out, flush=True)

    def _bots_play(self, out: TextIO) -> None:
        """Let the bots act until nothing has happened for a while, or the match is over; what is said is printed."""
        quiet_since, heard = self.table.clock.now(), len(self.table.heard)
        while self.bench.bots and not self.table.loop.over and self.table.clock.now() - quiet_since < 5.0:
            self.bench.step()
            self._print(out)
            if len(self.table.heard) != heard or self.table.loop.seat_view(1).dealing is not None:
                heard = len(self.table.heard)
                dealing = self.table.loop.seat_view(1).dealing
                if dealing is None or dealing.dealer in self.bench.bots:
                    quiet_since = self.table.clock.now()
        self._print(out)


@contextmanager
def _unbuffered(terminal: int) -> Iterator[None]:
    """While this holds, the terminal gives each key at once and shows none."""
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    try:
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
