"""A whole table on simulated wires, stepped by hand: for tests, scripts, and authors of other games.

The true drivers and the true firmware run; only the wires and the clock are simulated. Nothing happens between
calls, and a second of the table's time takes as long as its work does.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Self

from PIL import Image

from engine.asks import Token
from engine.cards import Card
from engine.match import Match
from engine.phrases import Phrase
from firmware.capturing import Recording, Start, remembered
from firmware.deciding import Deciding, SlowWrite
from firmware.desk import Heard
from firmware.journal import Journal
from firmware.narrowing import card_of, is_step, leading_to, moves_to
from firmware.opening import opened, own_header
from firmware.output import complain
from firmware.phrases import tell
from firmware.recovering import recover
from firmware.restoring import take_up_backup
from firmware.seatview import DealingView, items_of
from firmware.sides import meant_by
from firmware.tablefile import TableFile
from firmware.ways import Way
from hal.clock import SteppedClock
from hal.events import Button
from hal.sim.board import SimulatedWires
from hal.sim.disk import SimDisk
from hal.sim.named_faults import NamedFaults
from hal.sim.trace import Trace
from hal.wiring import CommonRole, reader_name

STEP = 0.03
"""Seconds from one look at all devices to the next: as often as the device threads look at buttons at rest."""
LEAST = 0.0001
"""Seconds from one look to the next, where contacts bounce."""
PRESS = 0.06
"""Seconds that a short press lasts, and that follow it."""
PEEK = 0.8
"""Seconds after which a press is a hold for certain."""
READ = 0.18
"""Seconds in which a card that is shown is read."""
READ_AT_REST = 0.3
"""The same at a table at which nothing happened for a while."""
GONE = 0.44
"""Seconds after which a card that was lifted has left for certain."""


class SimulatedTable:
    """A table as its file describes it. Use as a context manager, or `close` it.

    `journal` is the journal's file; without one it is kept in a folder that goes with the table. `trace` is told
    what passes the wires and, as the wire `journal`, each stage of a commit. `capture` is the file of a capture, which
    ends when the table is switched off for the first time. Raises `JournalError`, and OSError for the capture.
    """

    def __init__(
        self,
        file: TableFile,
        journal: Path | None = None,
        seed: int = 0,
        trace: Trace | None = None,
        capture: Path | None = None,
    ) -> None:
        self.file = file
        self.clock = SteppedClock()
        self.heard: list[Heard] = []
        """Rulings and messages, in order."""
        self._seed = seed
        self._given_trace = trace
        self._capture = capture
        self._close = ExitStack()
        self._asyncio = asyncio.new_event_loop()
        self._close.callback(self._asyncio.close)
        self._slow_write = SlowWrite(self.clock)
        self.disk = SimDisk(self._slow_write)
        self._faults: NamedFaults | None = None
        self._lying: dict[str, list[bytes]] = {}
        if journal is None:
            folder = self._close.enter_context(TemporaryDirectory(prefix="tableref-"))
            journal = Path(folder) / "journal.db"
        self.journal_file = journal
        try:
            self._power_on()
        except BaseException:
            self.close()
            raise

    def _power_on(self) -> None:
        self._power = ExitStack()
        self.wires = SimulatedWires(self.file.wiring, self._given_trace, pause=lambda seconds: None)
        self._power.callback(self.wires.close)
        for name, tags in self._lying.items():
            self.wires.readers[name].field.extend(tags)
        note = self.wires.trace.note
        if self._faults is None:
            self._faults = NamedFaults(self.wires, self.disk, self._seed)
        else:
            self._faults.move(self.wires)  # a table that was switched off is no better for it
        take_up_backup(self.journal_file, lambda said: None)
        recover(self.journal_file, own_header(self.file))
        self.journal = Journal(self.journal_file, lambda stage: note("journal", stage, b""), self.disk)
        self._power.callback(self.journal.close)
        recording = self._record()
        opening = opened(
            self.file, self.wires, self.journal, Random(self._seed), (self.heard.append,), recording=recording
        )
        self.loop = self._power.enter_context(opening)
        self.hardware = self.loop.hardware
        if recording is not None:
            self._power.callback(lambda: recording.end(self.loop.record()))
        self._deciding = Deciding(self.loop, self._asyncio, self._slow_write)
        self._power.callback(self._deciding.close)
        self._deciding.finish(self.loop.start(self.clock.now()), self._wait_for_disk)
        self.wait(STEP)

    def do(self, work: Coroutine[None, None, None]) -> None:
        """Have something done by the task that decides, to its end."""
        self._deciding.finish(work, self._wait_for_disk)
        self.loop.refresh(self.clock.now())

    def _wait_for_disk(self) -> None:
        self.clock.time += STEP
        self._slow_write.poll(self.clock.time)

    @property
    def faults(self) -> NamedFaults:
        """What is wrong with the table's devices, its disk and its clock: switches by name."""
        assert self._faults is not None
        return self._faults

    def _record(self) -> Recording | None:
        """Begin the capture, if one is wanted and was not begun already."""
        if self._capture is None:
            return None
        path, self._capture = self._capture, None
        start = Start(self.file, self._seed, self.journal.last_match(), remembered(self.journal.settings()))
        return Recording(path, start, self.clock, self._complain)

    def _complain(self, problem: str) -> None:
        complain(tell(problem, self.file.language))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Switch the table off and leave its displays dark. Closing again does nothing."""
        self._power.close()
        self._close.close()

    def restart(self) -> None:
        """Switch the table off and on again: what is left is the journal, its decks, and the cards that lie there."""
        self._lying = {name: [*reader.field] for name, reader in self.wires.readers.items()}
        self._power.close()
        shelf = self.file.shelf._replace(kept=self.loop.decks.kept)
        self.file = self.file._replace(deck=self.loop.deck, shelf=shelf)
        self._power_on()

    # Time

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        end = self.clock.time + seconds
        while self.clock.time < end - 1e-6:
            now = self.clock.time = self._next(end)
            self.faults.poll(now)
            self._deciding.take(self.hardware.poll_lines(now) + self.hardware.poll_readers(now), now)
            self.loop.tick(now)
            self._deciding.take(self.hardware.poll_displays(now), now)

    def _next(self, end: float) -> float:
        """When to look at the devices again: sooner where a line changes by itself; as a capture writes times."""
        step, due = min(end, self.clock.time + STEP), self.faults.due
        return round(step if due is None else min(step, max(due, self.clock.time + LEAST)), 6)

    # What people do

    def press(self, seat: int, button: Button, times: int = 1) -> None:
        """Press a button shortly, once or several times."""
        for _ in range(times):
            self.wires.press(seat, button, self.clock.time)
            self.wait(PRESS)
            self.wires.release(seat, button, self.clock.time)
            self.wait(PRESS)

    def button(self, seat: int, meant: Button) -> Button:
        """Which button of a seat means this: the other one where the place is left-handed."""
        return meant_by(meant, self.loop.seat_view(seat).mirrored)

    def hold(self, seat: int, button: Button) -> None:
        """Press a button and keep it down, until `release`."""
        self.wires.press(seat, button, self.clock.time)
        self.wait(PEEK)

    def release(self, seat: int, button: Button) -> None:
        """Let a button go."""
        self.wires.release(seat, button, self.clock.time)
        self.wait(PRESS)

    def reader(self, place: int | str) -> str:
        """The name of the reader at a seat, or of the common one with this role."""
        return reader_name(place if isinstance(place, int) else CommonRole(place))

    def place(self, place: int | str, card: Card | str) -> None:
        """Lay a card, or a tag by its UID, on a reader and leave it there."""
        rests = self.loop.hardware.at_rest(self.clock.now())
        self.wires.place(self.reader(place), self.uid(card))
        self.wait(READ_AT_REST if rests else READ)

    def lift(self, place: int | str) -> None:
        """Take everything off a reader."""
        self.wires.lift(self.reader(place))
        self.wait(GONE)

    def tap(self, place: int | str, card: Card | str) -> None:
        """Show a card to a reader and take it away again."""
        self.place(place, card)
        self.lift(place)

    def uid(self, card: Card | str) -> str:
        """The tag of a card; a tag is itself. Raises ValueError where there is no deck, KeyError for a card of none."""
        if not isinstance(card, Card):
            return card
        if self.file.deck is None:
            raise ValueError(Phrase("this table has no deck"))
        return self.file.deck.uid(card)

    def choose(self, seat: int, item: Token) -> None:
        """Press what it takes to pick a choice or a card that the display offers; raises ValueError if it does not."""
        seen = self.loop.seat_view(seat)
        offered = items_of(seen.ask) if seen.ask else ()
        found = leading_to(item, offered)
        missing = isinstance(item, Card) and leading_to(item, seen.offered) is None  # its suit may be there
        if found is None or missing:
            plain = [one for one in offered if card_of(one) is None and not is_step(one)]
            raise ValueError(
                Phrase(
                    "seat {seat} is offered {listed}, not {item}",
                    seat=seat,
                    listed=" ".join(map(str, [*plain, *seen.offered])) or Phrase("nothing"),
                    item=item,
                )
            )
        if len(offered) > 1 or isinstance(item, Card):
            moves = moves_to(offered, seen.enter, seen.cursor, found)
            self.press(seat, meant_by(Button.RIGHT if moves > 0 else Button.LEFT, seen.mirrored), abs(moves))
        elif seen.message is not None:
            self.press(seat, Button.OK)  # a message goes first
        self.press(seat, Button.OK)
        if found != item and is_step(found) and self.loop.seat_view(seat).ask != seen.ask:  # else a press was lost
            self.choose(seat, item)

    def deal(self, hands: Sequence[Sequence[Card]]) -> None:
        """Deal these hands, by seat: over the pad, at the seats' readers, or by saying so when all is dealt."""
        seen = self.loop.seat_view(1).dealing
        if seen is None:
            raise ValueError(Phrase("no deal is due"))
        if not self.loop.table.tracked:
            self.choose(self.loop.setup.place(seen.dealer), "dealt")
            return
        if seen.way is Way.SCAN_IN:
            self._scan_in(seen, hands)
            return
        left = [list(hand) for hand in hands]
        while (seen := self.loop.seat_view(1).dealing) is not None and seen.next_seat:
            if not left[seen.next_seat - 1]:
                raise ValueError(Phrase("seat {seat} is to get {size} cards", seat=seen.next_seat, size=seen.size))
            self.tap(CommonRole.DEALING.value, left[seen.next_seat - 1].pop(0))

    def _scan_in(self, seen: DealingView, hands: Sequence[Sequence[Card]]) -> None:
        """The dealer says when all hold their hands; each seat shows what was not read of its own."""
        if not seen.begun:
            self.choose(self.loop.setup.place(seen.dealer), "scan")
        for seat, (hand, count) in enumerate(zip(hands, seen.counts, strict=True), 1):
            for card in hand[count:]:
                self.tap(self.loop.setup.place(seat), card)

    def turn_up(self, card: Card) -> None:
        """Show the card that the deal still needs, such as a turn-up: to a reader, or by the dealer's buttons."""
        seen = self.loop.seat_view(1).dealing
        if seen is None or seen.wanted is None:
            raise ValueError(Phrase("no card is to be turned up"))
        places = [place.seat or place.role for place in self.file.wiring.readers()]
        dealer = self.loop.setup.place(seen.dealer)
        own = dealer if seen.way is Way.SCAN_IN else next(iter(places), None)
        place = CommonRole.DEALING if CommonRole.DEALING in places else own
        if place is not None and self.file.deck is not None:
            self.tap(place, card)
        else:
            self.choose(dealer, card)

    # What people see

    def picture(self, seat: int) -> Image.Image:
        """What the seat's display shows."""
        return self.wires.picture(seat)

    @property
    def match(self) -> Match:
        """The state of the match."""
        return self.loop.match
