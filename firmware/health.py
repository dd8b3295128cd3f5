"""How well each reader, tag and display does its work: counted since they were opened, with advice where it is bad."""

from collections.abc import Callable, Iterator

from firmware.wiring_words import WiringWords
from hal.displays import SeatDisplay
from hal.hardware import Hardware
from hal.presence import TagCounts
from hal.reader import CardReader

CLEAN = 0.95
"""Share of clean polls below which a reader's wire or supply is to be looked at."""
READ = 0.9
"""Share of polls that see a tag that lies there, below which it lies too near or too far."""
ENOUGH = 10
"""Polls below which a share says nothing."""


def health_lines(hardware: Hardware, words: WiringWords, card: Callable[[str], str] | None) -> Iterator[str]:
    """A line for each reader, each tag that is read badly, and each display. `card` names the card that a tag is in;
    without it, in a log, nothing is said about tags, for others may read it while a deal runs, nor about displays that
    never failed.
    """
    for reader in hardware.readers.values():
        yield from _reader_lines(reader, words, card)
    if card is not None:
        yield from _worn_tags(hardware, words, card)
    for display in hardware.displays.values():
        if card is not None or display.counts.failed:
            yield _display_line(display, words)


def _reader_lines(reader: CardReader, words: WiringWords, card: Callable[[str], str] | None) -> Iterator[str]:
    counts, presence = reader.counts, reader.presence_counts
    polls, clean = counts.clean + counts.garbled, counts.clean - counts.repaired
    yield words.say(
        "health.reader",
        reader=words.device(reader.name),
        clean=_percent(clean, polls),
        polls=polls,
        placed=presence.placed,
        flickers=presence.flickers,
        false_lifts=presence.false_lifts,
        stalls=counts.stalls,
        losses=counts.losses,
    )
    tags = reader.tag_counts
    if card is not None:
        for uid, tag in tags.items():
            if is_bad(tag):
                name = card(uid) or words.say("watch.no-card")
                yield words.say("health.tag", uid=uid, card=name, rate=_percent(tag.seen, tag.seen + tag.missed))
    judged = [tag for tag in tags.values() if tag.seen >= ENOUGH]
    if polls >= ENOUGH and clean < CLEAN * polls:
        yield words.say("health.supply", reader=words.device(reader.name))
    if judged and 2 * sum(map(is_bad, judged)) >= len(judged):
        yield words.say("health.distance", reader=words.device(reader.name))


def _worn_tags(hardware: Hardware, words: WiringWords, card: Callable[[str], str]) -> Iterator[str]:
    """Tags that are read badly at several readers, so that the reader is not to blame."""
    where: dict[str, int] = {}
    for reader in hardware.readers.values():
        for uid, tag in reader.tag_counts.items():
            where[uid] = where.get(uid, 0) + is_bad(tag)
    for uid, places in where.items():
        if places >= 2:
            yield words.say("health.worn", uid=uid, card=card(uid) or words.say("watch.no-card"), places=places)


def _display_line(display: SeatDisplay, words: WiringWords) -> str:
    return words.say(
        "health.display", display=words.device(display.name), failed=display.counts.failed, losses=display.counts.losses
    )


def is_bad(tag: TagCounts) -> bool:
    """Whether a tag is read badly, as far as that can be told."""
    return tag.seen >= ENOUGH and tag.rate < READ


def _percent(part: int, whole: int) -> int:
    """A share in percent, rounded down: what is not all is not 100."""
    return 100 * part // whole if whole else 0
