"""A port of which nobody has said what is behind it: a PN532 answers, others are known when they speak."""

import pytest

from hal.em4100 import ID12LA_END, frame_of
from hal.events import DeviceLost, Event, ReaderStalled, TagPlaced
from hal.pn532 import Port
from hal.probing import ASK_AGAIN, PortProbe
from hal.reader_drivers import Opener
from hal.reader_kinds import CAPABILITIES, ReaderKind
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import DirectLine
from hal.sim.tag_talkers import Em4100Chip, KeyboardChip, TalkerChip
from hal.tags import Family, uid_text

PORT = "/dev/serial/by-path/one"
SERIAL = [ReaderKind.PN532, ReaderKind.RDM6300, ReaderKind.ID12LA]


class Line:
    """A port with a chip behind it, looked at every 20 ms."""

    def __init__(self, chip: Pn532Chip | TalkerChip, *kinds: ReaderKind) -> None:
        self.chip = chip
        self.line = DirectLine(chip)
        self.probe = PortProbe(PORT, PORT, kinds, lambda kind: self.line.open)
        self.now = 0.0

    def wait(self, seconds: float) -> list[Event]:
        events: list[Event] = []
        for _ in range(round(seconds / 0.02)):
            self.now = round(self.now + 0.02, 2)
            events += self.probe.poll(self.now)
        return events


@pytest.mark.parametrize("kind", list(ReaderKind))
@pytest.mark.parametrize("alone", [True, False], ids=["expected", "one of all"])
def test_a_card_tells_its_port_once_and_the_kind_of_reader(kind: ReaderKind, alone: bool) -> None:
    keyboard = kind is ReaderKind.KEYBOARD
    chips: dict[ReaderKind, Pn532Chip | TalkerChip] = {
        ReaderKind.PN532: Pn532Chip(),
        ReaderKind.RDM6300: Em4100Chip(repeats=True),
        ReaderKind.ID12LA: Em4100Chip(repeats=False),
        ReaderKind.KEYBOARD: KeyboardChip(),
    }
    chip = chips[kind]
    line = Line(chip, *([kind] if alone or keyboard else SERIAL))
    assert [event for event in line.wait(1.0) if not isinstance(event, DeviceLost)] == []
    uid = bytes.fromhex("04A1B2C3")[: 4 if kind is ReaderKind.PN532 else None] + (
        b"" if kind is ReaderKind.PN532 else b"\x05"
    )
    chip.field.append(uid)
    placed = line.wait(1.0)
    assert [(type(event), event.reader, event.uid) for event in placed if isinstance(event, TagPlaced)] == [
        (TagPlaced, PORT, uid_text(uid, CAPABILITIES[kind].family))
    ]
    assert line.probe.kind is kind
    line.probe.close()


def test_a_chip_that_was_put_in_later_is_asked_again_and_found() -> None:
    line = Line(Pn532Chip(), *SERIAL)
    line.chip.faults.add(Fault.DEAF)
    assert line.wait(1.0) == []
    assert line.probe.kind is None
    line.chip.faults.clear()
    line.wait(ASK_AGAIN)
    assert line.probe.kind is ReaderKind.PN532


def test_a_port_that_goes_is_lost_once_and_heard_again_when_it_is_back() -> None:
    line = Line(Em4100Chip(), ReaderKind.RDM6300, ReaderKind.ID12LA)
    line.wait(0.1)
    line.line.unplug()
    assert [type(event) for event in line.wait(1.0)] == [DeviceLost]
    line.line.plug()
    line.chip.field.append(bytes(range(1, 6)))
    assert [type(event) for event in line.wait(0.5)] == [TagPlaced]


def test_noise_is_no_reader() -> None:
    line = Line(Em4100Chip(), *SERIAL)
    line.chip.faults = {Fault.BAD_CHECKSUM, Fault.NOISE}
    line.chip.field.append(bytes(range(1, 6)))
    assert {type(event) for event in line.wait(2.0)} <= {ReaderStalled}
    assert line.probe.kind is None


# A reader that says a tag once, while something else is done at its port

TAG = bytes(range(1, 6))


class SpokenOver(Line):
    """While the port is asked for a PN532, `comes` does."""

    def __init__(self, *kinds: ReaderKind) -> None:
        super().__init__(Em4100Chip(repeats=False), *kinds)
        self.probe = PortProbe(PORT, PORT, kinds, lambda kind: self.opener(kind))
        self.comes = b""

    def opener(self, kind: ReaderKind) -> Opener:
        def opened(path: str) -> Port:
            port = self.line.open(path)
            if kind is ReaderKind.PN532:
                write = port.write

                def written(data: bytes) -> int:
                    port._received += self.comes
                    self.comes = b""
                    return write(data)

                port.write = written  # type: ignore[method-assign]
            return port

        return opened


def test_a_tag_that_is_said_once_while_a_pn532_is_asked_for_is_heard() -> None:
    line = SpokenOver(*SERIAL)
    line.comes = frame_of(TAG, ID12LA_END)
    assert [event.uid for event in line.wait(0.1) if isinstance(event, TagPlaced)] == [uid_text(TAG, Family.EM4100)]
    assert line.probe.kind is ReaderKind.ID12LA


def test_half_of_it_while_a_pn532_is_asked_for_and_half_after_it_is_heard() -> None:
    line, frame = SpokenOver(*SERIAL), frame_of(TAG, ID12LA_END)
    line.comes = frame[:7]
    line.wait(0.02)
    assert line.line._owner is None or line.line._owner.closed
    line.now += 0.02
    line.probe.poll(line.now)
    assert line.line._owner is not None
    line.line._owner._received += frame[7:]
    assert any(isinstance(event, TagPlaced) for event in line.wait(0.1))


def test_what_came_at_another_speed_and_cannot_be_read_is_told_so_that_the_card_is_shown_again() -> None:
    line = SpokenOver(*SERIAL)
    line.comes = bytes.fromhex("00 80 F8 00 78")
    events = line.wait(2.0)
    assert [type(event) for event in events] == [ReaderStalled]
    line.chip.field.append(TAG)
    assert any(isinstance(event, TagPlaced) for event in line.wait(0.5))
    assert line.probe.kind is ReaderKind.ID12LA


def test_a_tag_that_came_before_a_pn532_is_asked_for_again_is_heard() -> None:
    """What waits in the port is read first, and a frame that has begun is waited for."""
    line, frame = SpokenOver(*SERIAL), frame_of(TAG, ID12LA_END)
    line.wait(ASK_AGAIN - 0.02)
    assert line.line._owner is not None
    line.line._owner._received += frame[:9]
    line.now = round(line.now + 0.06, 2)
    opened = line.line.opened
    line.probe.poll(line.now)
    assert line.line.opened == opened
    line.line._owner._received += frame[9:]
    assert any(isinstance(event, TagPlaced) for event in line.wait(0.3))
    line.wait(1.0)
    assert line.line.opened == opened
