"""The simulated PN532 and two drivers that others wrote, with and without faults: each sees what the chip shows."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import serial
from adafruit_pn532.uart import PN532_UART
from at_wires import FOUR, SEVEN
from nfc.clf import RemoteTarget
from nfc.clf import pn532 as nfcpy
from nfc.clf.transport import TTY

from hal.sim.faults import Fault
from hal.sim.pn532 import Pn532Chip
from hal.sim.serialport import SerialBench

pytestmark = pytest.mark.threads


TEN = bytes.fromhex("04A1B2C3D4E5F6010203")


@pytest.fixture
def chip() -> Pn532Chip:
    return Pn532Chip()


@pytest.fixture
def path(tmp_path: Path, chip: Pn532Chip) -> Iterator[str]:
    with SerialBench(tmp_path) as wires:
        yield str(wires.plug("reader", chip))


# nfcpy


@contextmanager
def nfcpy_device(path: str) -> Iterator[Any]:
    device = nfcpy.init(TTY(path))
    try:
        yield device
    finally:
        device.chipset.transport.close()


def sensed(device: Any, **wanted: bytes) -> bytes | None:
    found = device.sense_tta(RemoteTarget("106A", **wanted))
    return None if found is None else bytes(found.sdd_res)


def test_nfcpy_starts_a_sleeping_chip_and_its_own_diagnosis_is_content(path: str) -> None:
    with nfcpy_device(path) as device:
        assert device.chipset_name == "PN532v1.6"
        assert [device.chipset.diagnose(test) for test in ("line", "rom", "ram")] == [True] * 3
        assert device.chipset.get_general_status()[2] == 0


@pytest.mark.parametrize("uid", [FOUR, SEVEN, TEN], ids=["4 bytes", "7 bytes", "10 bytes"])
def test_nfcpy_reads_tags_of_every_length_and_sees_them_leave(chip: Pn532Chip, path: str, uid: bytes) -> None:
    with nfcpy_device(path) as device:
        assert sensed(device) is None
        chip.field = [uid]
        assert sensed(device) == uid
        chip.field = []
        assert sensed(device) is None


def test_nfcpy_finds_the_one_tag_that_it_asks_for(chip: Pn532Chip, path: str) -> None:
    with nfcpy_device(path) as device:
        chip.field = [FOUR, SEVEN, TEN]
        assert [sensed(device, sel_req=uid) for uid in (TEN, SEVEN, FOUR)] == [TEN, SEVEN, FOUR]
        assert sensed(device, sel_req=bytes.fromhex("04112233445566")) is None


def test_nfcpy_writes_and_reads_registers(path: str) -> None:
    with nfcpy_device(path) as device:
        device.chipset.write_register(("CIU_RxMode", 0x80), ("CIU_TxMode", 0x08))
        assert device.chipset.read_register("CIU_TxMode", "CIU_RxMode") == [0x08, 0x80]


def test_nfcpy_closes_the_chip_and_it_can_be_started_again(chip: Pn532Chip, path: str) -> None:
    device = nfcpy.init(TTY(path))
    device.close()
    assert chip.asleep
    with nfcpy_device(path) as device:
        chip.field = [SEVEN]
        assert sensed(device) == SEVEN


@pytest.mark.parametrize("fault", [Fault.DEAF, Fault.BAD_CHECKSUM])
def test_nfcpy_reports_a_fault_and_works_when_it_is_over(chip: Pn532Chip, path: str, fault: Fault) -> None:
    with nfcpy_device(path) as device:
        chip.field, chip.faults = [SEVEN], {fault}
        with pytest.raises(OSError, match=r".") as caught:
            sensed(device)
        assert caught.value.errno == errno.EIO
        chip.faults.clear()
        assert sensed(device) == SEVEN


@pytest.mark.long
def test_nfcpy_gives_up_a_search_in_a_pile_and_the_chip_lives_on(chip: Pn532Chip, path: str) -> None:
    with nfcpy_device(path) as device:
        chip.field, chip.faults = [FOUR, SEVEN], {Fault.PILE_STALLS}
        with pytest.raises(OSError, match=r".") as caught:
            sensed(device)
        assert caught.value.errno == errno.ETIMEDOUT
        assert device.chipset.get_firmware_version()[0] == 0x32
        chip.field = [SEVEN]
        assert sensed(device) == SEVEN


# Adafruit's


@contextmanager
def adafruit(path: str) -> Iterator[PN532_UART]:
    with serial.Serial(path, 115_200, timeout=0.1) as port:
        yield PN532_UART(port)


@pytest.mark.few(1)
@pytest.mark.parametrize("fault", [Fault.BAD_CHECKSUM, Fault.LOST_ACK])
def test_adafruits_driver_reports_a_fault_and_works_when_it_is_over(chip: Pn532Chip, path: str, fault: Fault) -> None:
    with adafruit(path) as driver:
        chip.field, chip.faults = [SEVEN], {fault}
        with pytest.raises(RuntimeError):
            driver.read_passive_target(timeout=0.5)
        chip.faults.clear()
        assert driver.read_passive_target(timeout=1) == SEVEN


def test_adafruits_driver_sees_every_second_search_fail(chip: Pn532Chip, path: str) -> None:
    chip.field, chip.faults = [FOUR], {Fault.EVERY_SECOND_POLL_MISSES}
    with adafruit(path) as driver:
        driver.call_function(0x32, params=[0x05, 0xFF, 0x01, 0x01])  # a search ends, though it finds nothing
        for _ in range(2):
            assert driver.read_passive_target(timeout=1) == FOUR
            with pytest.raises(RuntimeError):  # what it says of a list that does not hold exactly one tag
                driver.read_passive_target(timeout=1)
