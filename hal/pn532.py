"""The PN532 card reader on a serial line: just enough of it to see which tags lie in its field.

Sections are those of the PN532 user manual. Nothing here looks at a clock: every wait is one read of the
port, and that read is bounded by the port's own timeout.
"""

import errno
import os
import termios
from dataclasses import dataclass
from typing import Protocol, cast

import serial

from hal.errors import CommandRefusedError, ReaderError
from hal.phrases import Phrase, said_by
from hal.pn532_frames import ACK, CHIP_TO_HOST, ERROR_TFI, HOST_TO_CHIP, NACK, Ack, Bad, Data, Frame, Parser, frame
from hal.tags import Family, Garbled, Nothing, PollResult, Tags, impossible, uid_text

BAUD = 115_200
READ_TIMEOUT = 0.25
"""Longest silence, in seconds, before an exchange is given up. A chip that searches may need more than 0.1
s."""

GET_FIRMWARE_VERSION = 0x02
SAM_CONFIGURATION = 0x14
RF_CONFIGURATION = 0x32
IN_LIST_PASSIVE_TARGET = 0x4A

WAKE_UP = bytes.fromhex("5555") + bytes(14)
"""Wakes a chip that sleeps; one that is awake takes it for the lead-in of a frame (section 7.2.11)."""
LEAD_IN = bytes(12)
"""Sent before each frame: 1 ms at 115200 baud. A chip that gets a command sooner after an answer may miss
it."""

NORMAL_MODE = bytes([0x01, 0x14, 0x01])  # section 7.2.10: no SAM, timeout 1 s (unused), IRQ pin driven
FIELD_OFF = bytes([0x01, 0x00])  # section 7.3.1, item 1
ONE_RETRY = bytes([0x05, 0xFF, 0x01, 0x01])  # item 5: MxRtyATR, MxRtyPSL, MxRtyPassiveActivation
MOST_TAGS = 2
"""Tags that the chip can list at once (section 7.3.5)."""
TWO_TAGS_TYPE_A = bytes([MOST_TAGS, 0x00])  # section 7.3.5: MaxTg, 106 kbit/s type A

REPEATS = 2
"""How often a damaged answer is asked for anew (section 6.2.1.5)."""

WAITS = REPEATS + 1
"""Reads of an exchange that may last as long as the port's timeout: those for which too little comes."""
POLL_WAITS = WAITS + 1
"""As many of a whole poll, which so lasts no longer than a second; turning the field off has one of them at least."""

_PIECES = 12  # reads of an exchange that have to wait; four or less are usual
_LITTLE = 4  # bytes: a read that had to wait and brought fewer, and no answer, may have lasted as long as one in vain
_FLOOD = 1024  # bytes of an exchange without the awaited frame: more is noise, and noise must not hold the thread
_CHIP = 0x32  # IC byte of a PN532 (section 7.2.2)
_HAS_ATS = 0x20  # bit of SEL_RES: the tag speaks ISO 14443-4, so the chip appends its ATS

PORT_FAULTS: tuple[type[Exception], ...] = (OSError, termios.error)
"""What a port raises when its device has gone. pyserial's own error is an OSError; flushing raises
termios.error."""


class Port(Protocol):
    """What the driver asks of a serial port: the part of pyserial's `Serial` that it uses."""

    @property
    def in_waiting(self) -> int:
        """Bytes that can be read at once."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; fewer, or none, when the port's timeout passes."""

    def write(self, data: bytes, /) -> int | None:
        """Send `data`."""

    def reset_input_buffer(self) -> None:
        """Throw away what has come and was not read."""

    def close(self) -> None:
        """Give the port back."""


def open_port(path: str, timeout: float = READ_TIMEOUT) -> Port:
    """Open the serial port at `path` for this process alone. `timeout` bounds every read and write, in
    seconds.

    Raises one of `PORT_FAULTS` when there is no such port or another process has it.
    """
    return open_serial(path, BAUD, timeout)


def open_serial(path: str, baud: int, timeout: float) -> Port:
    """Open a serial port for this process alone; raises as `open_port`. Of a port that cannot be opened pyserial says
    the path and the error twice over; here it is the system's own error.
    """
    try:
        return cast(Port, serial.Serial(path, baud, timeout=timeout, write_timeout=1.0, exclusive=True))
    except serial.SerialException as error:
        if error.errno in (None, errno.EAGAIN, errno.EWOULDBLOCK):
            raise
        raise OSError(error.errno, os.strerror(error.errno), path) from None


@dataclass(frozen=True, slots=True)
class Firmware:
    """What the chip says that it is (section 7.2.2)."""

    version: int
    revision: int
    support: int


class Pn532:
    """One chip behind one port. Every method may raise one of `PORT_FAULTS` when the port itself fails."""

    proven = True
    """`start` has heard its version."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._parser = Parser()
        self._waited = 0  # reads of the exchange for which too little came
        self.repeats = 0
        """How often a damaged answer was asked for again."""

    def start(self, now: float = 0.0) -> Firmware:
        """Wake the chip and make it ready to be polled; the field stays off until then.

        Raises ReaderError when what answers is no PN532, or nothing answers.
        """
        # Whatever an earlier run left half done is aborted first; a chip that sleeps or is idle takes no notice.
        self._port.write(ACK)
        self._ask(SAM_CONFIGURATION, NORMAL_MODE, WAKE_UP)
        version = self._ask(GET_FIRMWARE_VERSION)
        if len(version) != 4 or version[0] != _CHIP:
            raise ReaderError(Phrase("not a PN532: version answer {bytes}", bytes=version.hex(" ") or Phrase("empty")))
        self._ask(RF_CONFIGURATION, ONE_RETRY)
        self._ask(RF_CONFIGURATION, FIELD_OFF)
        return Firmware(*version[1:])

    def poll(self, now: float = 0.0) -> PollResult:
        """Look for tags once: field on, search, field off. This also is the ping: a chip that found nothing readable
        but turns its field off when told to is alive.

        With the field off, neighbours can take their turn, and a tag that was selected starts afresh; left
        on, it would stay selected and ignore every second search.
        """
        refused = False
        try:
            answer = self._ask(IN_LIST_PASSIVE_TARGET, TWO_TAGS_TYPE_A)
            result: PollResult = tags_of(answer)
        except ReaderError as error:
            refused = isinstance(error, CommandRefusedError)
            result = Garbled(said_by(error))
        try:
            self._ask(RF_CONFIGURATION, FIELD_OFF, waits=POLL_WAITS - self._waited)
            if isinstance(result, Garbled):
                result = Garbled(result.why, alive=not refused)
        except ReaderError as error:
            # The tags were read all the same; a chip that has gone deaf is found out by the next poll.
            if isinstance(result, Nothing):
                result = Garbled(said_by(error))
        return result

    def stop(self) -> None:
        """Turn the field off. Raises ReaderError when the chip does not confirm it."""
        self._ask(RF_CONFIGURATION, FIELD_OFF)

    def _ask(self, command: int, arguments: bytes = b"", lead_in: bytes = LEAD_IN, waits: int = WAITS) -> bytes:
        """Send a command; give what its answer carries. Raises ReaderError when no right answer comes within so many
        `waits`.
        """
        self._port.reset_input_buffer()
        self._parser.reset()
        self._port.write(lead_in + frame(HOST_TO_CHIP, bytes([command]) + arguments))
        try:
            return self._answer(command, waits)
        except ReaderError:
            self._port.write(ACK)  # aborts the command, so that its answer cannot come late
            raise

    def _answer(self, command: int, waits: int) -> bytes:
        acknowledged = damaged = False
        damage: str = ""
        received = repeats = pieces = self._waited = 0
        while received < _FLOOD and self._waited < waits and pieces < _PIECES:
            waiting, wanted, data = self._port.in_waiting, 0, b""
            if waiting:
                data = self._port.read(waiting)
            elif not damaged or repeats == REPEATS:
                # As much as must come at the least: what comes byte by byte, and slower than the line, is noise, and
                # for each byte the port would wait anew.
                wanted = self._parser.missing
                data = self._port.read(wanted)
                pieces += 1
            frames = self._parser.feed(data)
            whole = any(isinstance(found, Data) for found in frames)
            self._waited += bool(wanted) and len(data) < max(wanted, _LITTLE) and not whole
            lost = acknowledged and (damage or self._parser.begun)
            if not data and lost and repeats < REPEATS:
                # The chip has answered, and some of it is lost on the way: it still knows what it said.
                repeats, damaged = repeats + 1, False
                self.repeats += 1
                self._parser.reset()
                self._port.write(LEAD_IN + NACK)
                continue
            if not data:
                none = Phrase("no answer") if acknowledged else Phrase("no acknowledgement")
                raise ReaderError(Phrase("{none}{damage}", none=none, damage=damage))
            received += len(data)
            for found in frames:
                if isinstance(found, Ack):
                    acknowledged = True
                elif isinstance(found, Bad):
                    damage = Phrase("; damaged frame: {why}", why=found.why)  # may be noise in front of the true answer
                    damaged = acknowledged and found.whole
                # What comes before the acknowledgement answers an earlier command: too late, dropped.
                elif acknowledged and (answer := answer_of(command, found)) is not None:
                    return answer
        raise ReaderError(Phrase("{received} bytes and no answer among them{damage}", received=received, damage=damage))


def answer_of(command: int, found: Frame) -> bytes | None:
    """What `found` carries when it answers `command`; None when it answers another one.

    Raises CommandRefusedError for the frame by which the chip refuses the command.
    """
    if not isinstance(found, Data):
        return None
    if found.tfi == ERROR_TFI:
        raise CommandRefusedError(Phrase("command {command:02X} refused", command=command))
    if found.tfi != CHIP_TO_HOST or found.body[:1] != bytes([command + 1]):
        return None
    return found.body[1:]


def tags_of(answer: bytes) -> PollResult:
    """The tags in an answer to InListPassiveTarget for type A (section 7.3.5).

    A UID of a length that does not exist, or of zeros or ones alone, is noise: the whole answer is garbled
    then.
    """
    if not answer:
        return Garbled(Phrase("empty list of tags"))
    count, rest = answer[0], answer[1:]
    if count > MOST_TAGS:
        return Garbled(Phrase("{count} tags in a list; the chip finds {most} at most", count=count, most=MOST_TAGS))
    uids: list[bytes] = []
    for number in range(1, count + 1):
        # Tg, SENS_RES (2), SEL_RES, UID length, UID, and the ATS (its first byte is its own length) if there
        # is one
        if len(rest) < 5 or rest[0] != number or len(rest) < 5 + rest[4]:
            return Garbled(Phrase("list of tags is cut off: {bytes}", bytes=answer.hex(" ")))
        uid = rest[5 : 5 + rest[4]]
        problem = impossible(uid, Family.TYPE_A)
        if problem is not None:
            return Garbled(
                Phrase("impossible UID {uid}: {problem}", uid=uid_text(uid) or Phrase("of no bytes"), problem=problem)
            )
        uids.append(uid)
        after = rest[5 + rest[4] :]
        ats = after[0] if rest[3] & _HAS_ATS and after else 0
        if ats > len(after):
            return Garbled(Phrase("list of tags is cut off: {bytes}", bytes=answer.hex(" ")))
        rest = after[ats:]
    if rest:
        return Garbled(Phrase("more behind a list of tags: {bytes}", bytes=answer.hex(" ")))
    if len(set(uids)) != len(uids):
        return Garbled(Phrase("one UID twice: {uid}", uid=uid_text(uids[0])))
    return Tags(tuple(uids)) if uids else Nothing()
