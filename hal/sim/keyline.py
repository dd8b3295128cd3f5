"""A reader that types behind the real event device: a named pipe stands for /dev/input/…, its chip for the kernel."""

import os
from contextlib import suppress
from pathlib import Path

from hal.keyboard import EventDevice
from hal.sim.serialport import DirectLine
from hal.sim.tag_talkers import KeyboardChip


class KeyPort:
    """One opening of the event device of a reader on a line. Raises OSError where the line is unplugged, or taken."""

    def __init__(self, line: DirectLine, chip: KeyboardChip, folder: Path, path: str, *, grab: bool) -> None:
        self._wire = line.open(path)
        pipe = folder / f"event-kbd-{id(line)}"
        with suppress(FileExistsError):
            os.mkfifo(pipe)
        self._far = os.open(pipe, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            self._device = EventDevice(str(pipe), grab=grab, ioctl=chip.ioctl)
        except OSError:
            os.close(self._far)
            self._wire.close()
            raise

    @property
    def in_waiting(self) -> int:
        """What the device says."""
        return self._device.in_waiting

    def read(self, size: int) -> bytes:
        """Records that have been typed by now. Raises OSError when unplugged."""
        typed = self._wire.read(self._wire.in_waiting)
        if typed:
            with suppress(BlockingIOError):  # nobody reads: the kernel drops records, too
                os.write(self._far, typed)
        return self._device.read(size)

    def write(self, data: bytes) -> int:
        """Nothing is written to a reader of this kind."""
        return self._device.write(data)

    def reset_input_buffer(self) -> None:
        """Throw away what was typed and not read."""
        self._wire.reset_input_buffer()
        self._device.reset_input_buffer()

    def close(self) -> None:
        """Let the keys go, and give the line back."""
        self._device.close()
        self._wire.close()
        os.close(self._far)
