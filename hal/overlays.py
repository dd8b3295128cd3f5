"""What the Pi's config.txt must say, so that the kernel serves what a table file names."""

from collections.abc import Iterator

from hal.header import MCP23017
from hal.wiring import ChipWiring, MuxWiring, Wiring
from hal.wiring_buses import answers
from hal.wiring_lines import HEADER_UARTS, MAIN_BUS, PI_5_UART

MUX_CHIP = "pca9548"
"""The multiplexer that the overlay is told of; a TCA9548A is the same to it."""


def has_overlay(part: ChipWiring | MuxWiring) -> bool:
    """Whether the overlay of a chip or a multiplexer is known here; else the builder has to find it."""
    return part.bus == MAIN_BUS and (isinstance(part, MuxWiring) or part.label == MCP23017)


def uart_line(port: str) -> str:
    """The line that switches the header's serial port of this name on. Up to a Pi 4 that is /dev/serial0, whichever of
    two UARTs it is, for Bluetooth may have the other; on a Pi 5 it is /dev/ttyAMA0, and /dev/serial0 the debug socket.
    """
    return "dtparam=uart0=on" if port == PI_5_UART else "enable_uart=1"


def config_lines(wiring: Wiring) -> Iterator[str]:
    """The lines of config.txt, as far as the table file tells them."""
    if any(answer.bus == MAIN_BUS for answer in answers(wiring)):
        yield "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
    for bus in wiring.buses:
        yield f"dtoverlay=i2c-gpio,bus={bus.number},i2c_gpio_sda={bus.sda},i2c_gpio_scl={bus.scl}"
    for mux in wiring.muxes:
        if has_overlay(mux):
            yield f"dtoverlay=i2c-mux,{MUX_CHIP},addr=0x{mux.address:02x}"
    for chip in wiring.chips:
        if has_overlay(chip):
            interrupt = "noints" if chip.interrupt is None else f"gpiopin={chip.interrupt}"
            yield f"dtoverlay={MCP23017},addr=0x{chip.address:02x},{interrupt}"
    yield from dict.fromkeys(uart_line(place.port) for place in wiring.readers() if place.port in HEADER_UARTS)
    if wiring.strip is not None:
        yield "dtparam=spi=on"
        if wiring.strip.two_wires:
            yield "dtoverlay=spi0-0cs,no_miso"
