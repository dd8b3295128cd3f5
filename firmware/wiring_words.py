"""Words about the wires of a table: a catalogue of their own, for commands that need no game."""

import gettext
import re
from importlib.resources import files

from firmware.phrases import tell, told
from firmware.wiring_parts import Needed
from hal.events import Button
from hal.reader_kinds import ReaderKind
from hal.strip import STRIP
from hal.wiring import BUZZER, CommonRole, ReaderPlace, reader_name
from hal.wiring_buses import Answer, AnswerKind
from hal.wiring_lines import Use, UseKind

BUTTON_SIGNS = {Button.LEFT.value: "◀", Button.OK.value: "OK", Button.RIGHT.value: "▶"}

_SEATS_OWN = re.compile(r"seat (?P<seat>\d+) (?:(?P<what>reader|display|buttons|LED)|(?P<button>left|ok|right) button)")


class WiringWords:
    """The words of one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        folder = files("firmware") / "locale"
        self._catalogue = gettext.translation("wiring", str(folder), [language], fallback=True)

    def say(self, code: str, **facts: object) -> str:
        """The text of a code; the code itself where it has none. A code may have another text for a `count` of one."""
        one = f"{code}.one"
        if facts.get("count") == 1 and (text := self._catalogue.pgettext("line", one)) != one:
            return text.format_map(told(facts, self.language))
        text = self._catalogue.pgettext("line", code)
        return text.format_map(told(facts, self.language)) if text != code else code

    def tell(self, said: object) -> str:
        """What a driver, a file's reader or another room says."""
        return tell(said, self.language)

    def use(self, use: Use) -> str:
        """What a line is used for."""
        match use.kind:
            case UseKind.BUTTON:
                return self.say("use.button", seat=use.of, button=BUTTON_SIGNS[use.name])
            case UseKind.LED:
                return self.say("use.led", seat=use.of)
            case UseKind.BUZZER:
                return self.say("use.buzzer")
            case UseKind.I2C:
                return self.say("use.i2c", bus=use.of, signal=use.name)
            case UseKind.UART:
                return self.say("use.uart", signal=use.name, other="RXD" if use.name == "TXD" else "TXD")
            case UseKind.SPI if use.name == "MOSI":
                return self.say("use.strip-data")
            case UseKind.SPI if use.name == "SCLK":
                return self.say("use.strip-clock")
            case UseKind.SPI:
                return self.say("use.spi", signal=use.name)
            case UseKind.RESET:
                return self.say("use.reset-seat", seat=use.of) if use.of else self.say("use.reset")
            case UseKind.INTERRUPT:
                return self.say("use.interrupt", chip=use.name)

    def answer(self, answer: Answer) -> str:
        """What answers on a bus."""
        match answer.kind:
            case AnswerKind.DISPLAY:
                return self.say("answer.display", seat=answer.of)
            case AnswerKind.CHIP:
                return self.say("answer.chip", chip=answer.of)
            case AnswerKind.MUX:
                return self.say("answer.mux")

    def part(self, part: Needed) -> str:
        """What has to be bought; how many of it stands apart."""
        what = self.reader_kind(ReaderKind(part.what)) if part.code == "reader" else part.what
        return self.say(f"part.{part.code}", what=what)

    def reader_kind(self, kind: ReaderKind) -> str:
        """A kind of reader, as shops call it."""
        return self.say(f"kind.{kind}")

    def reader(self, place: ReaderPlace) -> str:
        """A reader by its place."""
        if place.seat is not None:
            return self.say("reader.seat", seat=place.seat)
        return self.say("reader.dealing" if place.role is CommonRole.DEALING else "reader.centre")

    def device(self, name: str) -> str:
        """A device by its name in the wiring (`hal.wiring`), as events call it; one of another name stays as it is."""
        common = {reader_name(role): f"reader.{role}" for role in CommonRole}
        common |= {BUZZER: "use.buzzer", STRIP: "device.strip"}
        if name in common:
            return self.say(common[name])
        found = _SEATS_OWN.fullmatch(name)
        if found is None:
            return name
        if found["button"]:
            return self.say("device.button", seat=found["seat"], button=BUTTON_SIGNS[found["button"]])
        match found["what"]:
            case "reader":
                return self.say("reader.seat", seat=found["seat"])
            case "display":
                return self.say("answer.display", seat=found["seat"])
            case "buttons":
                return self.say("device.buttons", seat=found["seat"])
            case _:
                return self.say("device.led", seat=found["seat"])

    def place(self, place: ReaderPlace) -> str:
        """The place of a reader."""
        if place.seat is not None:
            return self.say("place.seat", seat=place.seat)
        return self.say("place.dealing" if place.role is CommonRole.DEALING else "place.centre")
