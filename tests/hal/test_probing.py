"""A port of which nobody has said what is behind it: a PN532 answers, others are known when they speak."""

import pytest

from hal.events import DeviceLost, Event, TagPlaced
from hal.probing import ASK_AGAIN, PortProbe
from hal.reader_kinds import CAPABILITIES, ReaderKind
from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import DirectLine
from hal.sim.tag_talkers import Em4100Chip, KeyboardChip, TalkerChip
from hal.tags import uid_text

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
    assert line.wait(2.0) == []
    assert line.probe.kind is None
