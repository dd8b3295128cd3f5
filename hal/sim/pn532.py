"""A simulated PN532 chip: the bytes of the host go in, the chip's bytes come out.

It knows what the table's readers need (waking, version, field on and off, searching for type A tags) and
answers the rest with the error frame, as the chip does. No thread and no clock: whoever owns the wire calls
`feed`. Sections are those of the PN532 user manual.
"""

import re
import struct
from collections.abc import Callable
from random import Random

from hal.pn532_frames import (
    ACK,
    CHIP_TO_HOST,
    ERROR_FRAME,
    HOST_TO_CHIP,
    Ack,
    Data,
    Frame,
    Nack,
    Parser,
    frame,
)
from hal.sim.faults import STRANGER, Fault

MAX_TAGS = 2
"""The chip handles two tags at most, whatever MaxTg asks for (section 7.3.5)."""
FOR_EVER = 0xFF
"""MxRtyPassiveActivation with which a search only ends when a tag comes (section 7.3.1, item 5)."""
FIRMWARE = bytes([0x32, 0x01, 0x06, 0x07])
"""IC, version, revision, support (section 7.2.2)."""
NOISE = bytes.fromhex("A5 00 FF 12 34 00 00")
"""What the fault NOISE puts before a frame: among it a start that begins no frame."""

_WAKING = re.compile(b"\x55|\x00{5}")
"""What wakes a sleeping chip: five rising edges on its line (section 7.2.11), as 55 has, or five bytes of zeros."""
_FIFO, _SENSE = 0x6339, 0x26
"""The address of CIU_FIFOData, and what still lies there after a search to which no tag answered: SENS_REQ."""


class Pn532Chip:
    """One chip, freshly powered: asleep until the host wakes it, and refusing to search until
    SAMConfiguration.

    `field` holds the UIDs (4 or 7 bytes) of the tags that lie on its antenna; `faults` the faults that are
    on; `neighbours` the chips whose fields reach into this one's. Faults draw from `chance`.
    """

    KNOWS = frozenset(Fault)
    """The faults that it can have."""

    def __init__(self, seed: int = 0) -> None:
        self.field: list[bytes] = []
        self.faults: set[Fault] = set()
        self.neighbours: list[Pn532Chip] = []
        self.clashes = 0
        """Times that the field went on while a neighbour's was."""
        self.chance = Random(seed)
        self.polls = 0
        """Searches made since power came on."""
        self._parser = Parser()
        self._last = b""
        self._commands: dict[int, Callable[[bytes], bytes | None]] = {
            0x00: self._diagnose,
            0x02: lambda _: FIRMWARE,
            0x04: self._general_status,
            0x06: self._read_registers,
            0x08: self._write_registers,
            0x10: lambda arguments: arguments[1:],  # SetSerialBaudRate: the line has no speed
            0x12: lambda _: b"",  # SetParameters
            0x14: self._configure_sam,
            0x16: self._power_down,
            0x32: self._configure_rf,
            0x4A: self._search,
            0x52: self._release,
        }
        self.held = False
        """Whether the reset pin (RSTPDN, section 2) is low."""
        self.reset()

    def reset(self) -> None:
        """Power off and on again: asleep, field off, retries as at delivery. Tags and lasting faults stay."""
        self.faults.discard(Fault.DEAF_UNTIL_RESET)
        self._late = b""
        self.asleep = True
        self.field_on = False
        self._ready = False  # SAMConfiguration came: the chip has left its low battery mode
        self._retries = FOR_EVER
        self._selected: set[bytes] = set()
        self._pending: tuple[int, bytes] | None = None  # a search that goes on: its MaxTg, and the UID it is for
        self._registers: dict[int, int] = {}
        self._parser.reset()

    def feed(self, data: bytes) -> bytes:
        """Take what the host sent; give what the chip sends back by now.

        Without data it gives the answer of a search that has waited for a tag, once there is one.
        """
        if self.held or self.faults & {Fault.DEAF, Fault.DEAF_UNTIL_RESET}:
            self._parser.reset()
            return b""
        if self.asleep:
            waking = _WAKING.search(data)
            if waking is None:
                return b""
            self.asleep = False
            data = data[waking.start() :]
        out = b""
        if data:
            out, self._late = self._late, b""
        out += b"".join(map(self._receive, self._parser.feed(data)))
        return out + self._waited_for()

    def pin(self, level: int) -> None:
        """Put a level on the reset pin: while it is low nothing works, and then the chip starts afresh."""
        self.held = not level
        self.reset()

    def _receive(self, found: Frame) -> bytes:
        if isinstance(found, Nack):
            return self._sent(self._last)
        if isinstance(found, Ack):
            self._pending = None
            return b""
        if not isinstance(found, Data):
            return b""  # damaged frames are not even acknowledged
        self._pending = None  # a new command, too, ends one that still runs
        if found.tfi != HOST_TO_CHIP or not found.body:
            return self._acknowledged(ERROR_FRAME)
        code, arguments = found.body[0], found.body[1:]
        try:
            answer = self._commands[code](arguments)
        except LookupError:  # no such command, or too few arguments for it
            return self._acknowledged(ERROR_FRAME)
        return self._acknowledged(b"" if answer is None else self._answer(code, answer))

    def _acknowledged(self, answer: bytes) -> bytes:
        self._last = answer
        acknowledgement = b"" if Fault.LOST_ACK in self.faults else self._noisy(ACK)
        if Fault.LATE_ANSWER in self.faults:
            self._late = answer
            return acknowledgement
        return acknowledgement + self._sent(answer)

    def _answer(self, code: int, body: bytes) -> bytes:
        return frame(CHIP_TO_HOST, bytes([code + 1]) + body)

    def _sent(self, clean: bytes) -> bytes:
        """An answer as it reaches the host: each time it is sent, the wire has another go at it."""
        answer = bytearray(clean)
        if not answer or clean == ERROR_FRAME:
            return self._noisy(clean)
        if Fault.BAD_CHECKSUM in self.faults:
            answer[-2] ^= 0xFF
        if Fault.GARBLED_FRAMES in self.faults and not self.chance.randrange(3):
            answer[self.chance.randrange(3, len(answer) - 1)] ^= 1 << self.chance.randrange(8)
        if Fault.CUT_FRAMES in self.faults and not self.chance.randrange(3):
            del answer[self.chance.randrange(1, len(answer) - 1) :]
        return self._noisy(bytes(answer))

    def _noisy(self, data: bytes) -> bytes:
        return NOISE + data if data and Fault.NOISE in self.faults else data

    def _waited_for(self) -> bytes:
        """The answer of a pending search if a tag has come."""
        if self._pending is None:
            return b""
        found = self._find(*self._pending)
        if not found:
            return b""
        self._pending = None
        self._last = self._answer(0x4A, found)
        return self._sent(self._last)

    def _diagnose(self, arguments: bytes) -> bytes:
        """The tests of the line, which sends everything back, of ROM and RAM (section 7.2.1)."""
        match arguments[0]:
            case 0x00:
                return arguments
            case 0x01 | 0x02:
                return b"\x00"
            case _:
                raise LookupError

    def _read_registers(self, arguments: bytes) -> bytes:
        """Section 7.2.4. They hold what was written; only the FIFO tells something by itself."""
        if not arguments or len(arguments) % 2:
            raise LookupError
        return bytes(self._registers.get(address, 0) for (address,) in struct.iter_unpack(">H", arguments))

    def _write_registers(self, arguments: bytes) -> bytes:
        """Section 7.2.5."""
        if not arguments or len(arguments) % 3:
            raise LookupError
        self._registers.update(struct.iter_unpack(">HB", arguments))
        return b""

    def _general_status(self, _: bytes) -> bytes:
        """Section 7.2.3: last error, external field, number of targets, SAM status."""
        return bytes([0x00, 0x00, 0x00, 0x80])

    def _configure_sam(self, arguments: bytes) -> bytes:
        self._ready = arguments[0] == 0x01  # normal mode; the SAM modes have nothing to talk to here
        return b""

    def _power_down(self, _: bytes) -> bytes:
        self._turn_field(on=False)
        self.asleep = True
        return b"\x00"

    def _configure_rf(self, arguments: bytes) -> bytes:
        """Section 7.3.1: item 1 is the field, item 5 the retries; other items are taken and change
        nothing."""
        item = arguments[0]
        if item == 0x01:
            self._turn_field(on=bool(arguments[1] & 0x01))
        elif item == 0x05:
            self._retries = arguments[3]
        return b""

    def _release(self, _: bytes) -> bytes:
        self._selected.clear()
        return b"\x00"

    def _search(self, arguments: bytes) -> bytes | None:
        """InListPassiveTarget (section 7.3.5). None: the search goes on, and answers when a tag comes."""
        max_tags, kind, wanted = arguments[0], arguments[1], whole_uid(arguments[2:])
        if not self._ready or not max_tags:
            raise LookupError
        self.polls += 1
        self._turn_field(on=True)
        if Fault.PILE_STALLS in self.faults and len(self._lying()) > 1:
            return None
        missed = Fault.EVERY_SECOND_POLL_MISSES in self.faults and self.polls % 2 == 0
        found = b"" if missed or kind != 0x00 else self._find(max_tags, wanted)  # 0: 106 kbit/s type A
        if not found and self._retries == FOR_EVER:
            self._pending = max_tags, wanted
            return None
        self._registers[_FIFO] = 0 if found else _SENSE
        return found or b"\x00"

    def _find(self, max_tags: int, wanted: bytes) -> bytes:
        """The list of tags as the answer carries it; empty when no tag answers. `wanted`: only the tag of this
        UID, or any."""
        present = self._lying()
        if Fault.CROSS_TALK in self.faults:
            present += [uid for chip in self.neighbours for uid in list(chip.field) if uid not in present]
        if not present and Fault.PHANTOM in self.faults and not self.chance.randrange(3):
            present = [self.chance.choice((bytes(4), b"\xff" * 7, self.chance.randbytes(7)))]
        self._selected.intersection_update(present)  # a tag that leaves the field loses its power
        if Fault.TAG_STAYS_SELECTED in self.faults:
            silent = set(self._selected)
            self._selected.clear()  # the search that it ignores puts it back to idle
            present = [uid for uid in present if uid not in silent]
        if wanted:
            present = [uid for uid in present if uid == wanted]
        present = present[: min(max_tags, MAX_TAGS)]
        self._selected.update(present)
        if not present:
            return b""
        return bytes([len(present)]) + b"".join(target(n, uid) for n, uid in enumerate(present, start=1))

    def _lying(self) -> list[bytes]:
        """What lies in the field, with what sticks to it."""
        field = list(self.field)
        return [*field, STRANGER] if field and Fault.TWO_TAGS in self.faults else field

    def _turn_field(self, *, on: bool) -> None:
        if on and not self.field_on:
            self.clashes += any(chip.field_on for chip in self.neighbours)
        self.field_on = on
        if not on:
            self._selected.clear()


def whole_uid(data: bytes) -> bytes:
    """The UID in the initiator data of a search: longer ones come in parts, with 88 before all but the last (section
    7.3.5)."""
    match len(data):
        case 8:
            return data[1:]
        case 12:
            return data[1:4] + data[5:]
        case _:
            return data


def target(number: int, uid: bytes) -> bytes:
    """One tag in the answer to InListPassiveTarget: a MIFARE Classic 1K for a UID of 4 bytes, else an
    NTAG."""
    sens_res, sel_res = (b"\x00\x04", 0x08) if len(uid) == 4 else (b"\x00\x44", 0x00)
    return bytes([number]) + sens_res + bytes([sel_res, len(uid)]) + uid
