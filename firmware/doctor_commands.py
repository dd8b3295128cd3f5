"""The commands `tableref doctor` and `tableref bind`: is the table well, and which reader is whose."""

import contextlib
import sys
import termios
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from engine.phrases import Phrase, reason, said_by
from firmware.failures import LANG_OPTION, OK, REFUSED, Failure
from firmware.wiring_commands import FILE_ARGUMENT, read_wiring_file, read_wiring_lines

if TYPE_CHECKING:
    from firmware.binding import Binder
    from firmware.deck import Deck
    from firmware.doctor import System
    from firmware.wiring_words import WiringWords
    from hal.events import Event
    from hal.reader_kinds import ReaderKind
    from hal.wires import Wires
    from hal.wiring import Wiring


@contextlib.contextmanager
def this_machine(wiring: "Wiring", simulated: bool) -> Iterator[tuple["System", "Wires"]]:
    """The machine, or simulated wires in a simulated one."""
    from firmware.doctor import this_system
    from hal.wires import RealWires

    if not simulated:
        yield this_system(), RealWires()
        return
    from firmware.doctor_simulated import simulated_system
    from hal.sim.board import SimulatedWires

    with TemporaryDirectory(prefix="tableref-") as root, SimulatedWires(wiring) as wires:
        yield simulated_system(Path(root), wiring), wires


@click.command()
@FILE_ARGUMENT
@LANG_OPTION
@click.option(
    "--watch",
    is_flag=True,
    help="Then show presses and taps as they come, until Ctrl-C; then how well readers and displays worked.",
)
@click.option("--journal", default=".", show_default=True, help="Folder of the journal: is there room?")
@click.option("--simulated", is_flag=True, help="On simulated wires; for a try on a PC.")
def doctor(file: str, lang: str | None, watch: bool, journal: str, simulated: bool) -> None:
    """Look whether the table in FILE (table.toml) is well: system, lines, buttons, displays, readers.

    The table must not run meanwhile: a line has one owner.

    Status 0: all works; 1: something does not; 2: a table file that cannot be used.
    """
    from firmware.deck_check import check_deck_readers, check_table_file, readable_deck
    from firmware.doctor import fail, report
    from firmware.doctor_devices import DEVICE_CHECKS, table_runs
    from firmware.doctor_system import SYSTEM_CHECKS
    from firmware.oddities import check_oddities
    from firmware.wiring_words import WiringWords

    lines, wiring, language = read_wiring_lines(file, lang)
    words, deck = WiringWords(language), readable_deck(Path(file))
    with this_machine(wiring, simulated) as (system, wires):
        findings = [check(system, wiring, Path(journal).resolve()) for check in SYSTEM_CHECKS]
        if table_runs(wiring, wires):
            findings.append(iter([fail("in-use")]))
        else:
            findings += [check(system, wiring, wires) for check in DEVICE_CHECKS]
        findings.append(check_oddities(lines, wiring))
        findings.append(check_table_file(Path(file)))
        findings.append(check_deck_readers(deck, wiring.readers()))
        well = report(chain.from_iterable(findings), words, click.echo)
        if watch:
            _watch(wiring, wires, system, words.language, _cards(deck))
    sys.exit(OK if well else REFUSED)


def _cards(deck: "Deck | None") -> Callable[[str], str]:
    """Names the card that a tag is in."""
    cards = {} if deck is None else {uid: str(card) for uid, card in deck.cards.items()}
    return lambda uid: cards.get(uid, "")


def _watch(wiring: "Wiring", wires: "Wires", system: "System", language: str, card: Callable[[str], str]) -> None:
    from firmware.health import health_lines
    from firmware.watching import event_line, watched
    from firmware.wiring_words import WiringWords
    from hal.errors import TablerefHardwareError
    from hal.hardware import Hardware

    words = WiringWords(language)
    try:
        hardware = Hardware(wiring, wires)
    except TablerefHardwareError as error:
        raise Failure(said_by(error)) from None
    click.echo(words.say("watch.begin"))
    with contextlib.closing(hardware):
        with contextlib.suppress(KeyboardInterrupt):
            for event in watched(hardware, system):
                line = event_line(event, words, card)
                if line:
                    click.echo(line)
        click.echo(words.say("health.begin"))
        for line in health_lines(hardware, words, card):
            click.echo(line)


@click.command()
@FILE_ARGUMENT
@LANG_OPTION
@click.option("--write", is_flag=True, help="Put the lines into FILE; comments stay.")
def bind(file: str, lang: str | None, write: bool) -> None:
    """Find out which reader is whose: tap a card at each place that is named.

    Prints the lines for FILE (table.toml), and writes nothing without --write.

    Status 0: every place has its port; 1: not all of them; 2: a table file that cannot be used.
    """
    from firmware.doctor import this_system

    wiring, language = read_wiring_file(file, lang)
    sys.exit(OK if run_bind(Path(file), wiring, language, write, this_system()) else REFUSED)


def run_bind(file: Path, wiring: "Wiring", language: str, write: bool, system: "System") -> bool:
    """Bind with the ports of `system`; whether every place has one. Raises `Failure` for one not to be written."""
    from firmware.binding import Binder, compass, file_lines, kinds_to_find, places_to_bind
    from firmware.wiring_words import WiringWords
    from hal.probing import PortProbe

    words = WiringWords(language)
    ports = ports_to_probe(kinds_to_find(wiring), wiring, system)
    if not ports:
        click.echo(words.say("bind.no-ports"), err=True)
        return False
    click.echo(words.say("bind.ports", count=len(ports)))
    binder = Binder(places_to_bind(wiring), any_kind=not list(wiring.readers()))
    readers = [PortProbe(port, str(system.at(port)), kinds) for port, kinds in ports.items()]
    told, found = None, []
    with contextlib.ExitStack() as close, contextlib.suppress(KeyboardInterrupt):
        for reader in readers:
            close.callback(reader.close)
            found.append(reader.poll(system.now()))  # it takes a while to find out, and nobody taps a card yet
        while (asked := binder.asked) is not None and len(binder.bound) < len(ports):
            if asked != told:
                told = asked
                side = compass(asked, len(wiring.seats))
                where = words.say(f"bind.{side}", seat=asked.seat) if side else words.place(asked)
                click.echo(words.say("bind.tap", place=where))
            for reader, events in zip(readers, found, strict=True):
                for event in events:
                    line = _take(binder, event, reader.kind, words)
                    if line:
                        click.echo(line)
            system.sleep(0.02)
            found = [reader.poll(system.now()) for reader in readers]
    _forget_typing()
    for place, line in file_lines(binder):
        click.echo(f"{line}  # {words.place(place)}")
    if write and binder.bound:
        _write(file, binder)
        click.echo(words.say("bind.written", file=file))
    return binder.asked is None


def _take(binder: "Binder", event: "Event", kind: "ReaderKind | None", words: "WiringWords") -> str:
    """What is to be said of an event at a port where a reader of this kind is."""
    from hal.events import DeviceLost, ReaderStalled, TagPlaced

    if isinstance(event, DeviceLost):
        return words.say("bind.silent", port=event.device, why=event.why)
    if isinstance(event, ReaderStalled) and kind is None:
        return words.say("bind.again", port=event.reader)
    asked = binder.asked
    if not isinstance(event, TagPlaced) or kind is None or asked is None:
        return ""
    owner = binder.take(event, kind)
    if owner is not None:
        return words.say("bind.bound-already", place=words.place(owner))
    return words.say("bind.other-kind", kind=kind, wanted=asked.kind) if binder.asked is asked else ""


def _forget_typing() -> None:
    """Readers that type have typed at this terminal, too: nobody took their keys away, as one may be the keyboard."""
    if sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)


def ports_to_probe(
    kinds: frozenset["ReaderKind"], wiring: "Wiring", system: "System"
) -> dict[str, frozenset["ReaderKind"]]:
    """The ports of `system` at which readers of these kinds may be, those in the table file among them, and which of
    the kinds each may have.
    """
    from hal.reader_kinds import ReaderKind

    typing = frozenset({ReaderKind.KEYBOARD})
    ports = dict.fromkeys(
        system.names("/dev/serial/by-path/*") or system.names("/dev/serial/by-id/*") if kinds - typing else (),
        kinds - typing,
    )
    if kinds & typing:
        names = system.names("/dev/input/by-path/*-event-kbd") or system.names("/dev/input/by-id/*-event-kbd")
        ports |= dict.fromkeys(names, typing)
    for place in wiring.readers():
        if place.port not in ports and system.at(place.port).exists():
            ports[place.port] = typing if place.kind is ReaderKind.KEYBOARD else kinds - typing
    return ports


def _write(file: Path, binder: "Binder") -> None:
    from firmware.binding import values_of
    from firmware.whole import write_whole
    from hal.toml_edit import EditError, with_values
    from hal.toml_lines import read_toml

    data = read_toml(file).data
    values = values_of(binder, data)
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            text = opened.read()
        write_whole(file, with_values(text, values))
    except EditError as error:
        raise Failure(
            Phrase(
                "{file}: {error}; expected [[seat]] tables with a line for each key", file=file, error=said_by(error)
            )
        ) from None
    except OSError as error:
        raise Failure(
            Phrase("{file}: {why}; expected a file that can be written", file=file, why=reason(error))
        ) from None
