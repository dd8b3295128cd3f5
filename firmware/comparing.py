"""What a replay said, beside what was said at the captured table."""

from itertools import zip_longest
from typing import NamedTuple, Self

from engine.phrases import Phrase
from hal.capture import TABLE, Capture


class Said(NamedTuple):
    """Something that the table ruled or said, or that a device reported, so many seconds after the start."""

    at: float
    text: str
    wire: str = TABLE


class Difference(NamedTuple):
    """The first thing on a wire that is not as in the capture; None: there is nothing on that side."""

    wire: str
    captured: Said | None
    replayed: Said | None

    def __str__(self) -> str:
        return str(self.words)

    @property
    def words(self) -> Phrase:
        """The difference for people."""
        captured, replayed = (
            Phrase("{text!r}", text=said.text) if said else Phrase("nothing") for said in (self.captured, self.replayed)
        )
        return Phrase(
            "{at:.3f} s, {wire}: captured {captured}, now {replayed}",
            at=_at(self.captured, self.replayed),
            wire=self.wire if isinstance(self.wire, Phrase) else Phrase(self.wire),
            captured=captured,
            replayed=replayed,
        )


def _at(captured: Said | None, replayed: Said | None) -> float:
    return (captured or replayed or Said(0.0, "")).at


class Outcome(NamedTuple):
    """What a replay gave. `captured_record` is None where the capture was cut; events are what the loop was told."""

    captured: tuple[Said, ...]
    replayed: tuple[Said, ...]
    captured_record: str | None
    record: str
    captured_events: tuple[Said, ...] = ()
    events: tuple[Said, ...] = ()

    @classmethod
    def of(cls, capture: Capture, replayed: tuple[Said, ...], events: tuple[Said, ...], record: str) -> Self:
        """What a replay of this capture gave."""
        told = [entry for entry in capture.entries if entry.wire == TABLE]
        records = [entry.data for entry in told if entry.kind == "record"]
        return cls(
            captured=tuple(Said(entry.at, entry.data) for entry in told if entry.kind == "heard"),
            replayed=replayed,
            captured_record=records[-1] if records and capture.complete else None,
            record=record,
            captured_events=tuple(
                Said(entry.at, text, device)
                for entry in told
                if entry.kind == "event"
                for _, device, text in [entry.data]
            ),
            events=events,
        )

    @property
    def difference(self) -> Difference | None:
        """The first ruling or message that differs, or else the first line of the record; None: all is as captured.
        What a cut capture does not tell counts for nothing.
        """
        found = self._first(self.captured, self.replayed)
        if found is not None:
            return Difference(TABLE, *found)
        if self.captured_record in (None, self.record):
            return None
        at = self.captured[-1].at if self.captured else 0.0
        assert self.captured_record is not None
        lines = [tuple(Said(at, line) for line in text.splitlines()) for text in (self.captured_record, self.record)]
        for number, (captured, replayed) in enumerate(zip_longest(*lines), 1):
            if captured != replayed:
                return Difference(Phrase("table, line {number} of the record", number=number), captured, replayed)
        return Difference(Phrase("table, ends of lines of the record"), lines[0][-1], lines[1][-1])

    @property
    def event_difference(self) -> Difference | None:
        """The first event that the loop took and that differs, up to the first ruling or message that does: most often
        the cause of it.
        """
        found, ruled = self._first(self.captured_events, self.events), self.difference
        if found is None:
            return None
        captured, replayed = found
        if ruled is not None and _at(captured, replayed) > _at(ruled.captured, ruled.replayed):
            return None  # it came of what differs
        return Difference((captured or replayed or Said(0.0, "")).wire, captured, replayed)

    @property
    def same(self) -> bool:
        """Whether rulings, messages and the record are those of the capture."""
        return self.difference is None

    def _first(self, captured: tuple[Said, ...], replayed: tuple[Said, ...]) -> tuple[Said | None, Said | None] | None:
        for one, other in zip_longest(captured, replayed):
            if one is None and self.captured_record is None:
                return None
            if one is None or other is None or one.text != other.text:
                return one, other
        return None
