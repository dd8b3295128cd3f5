"""How well readers, tags and displays work: counted, shown, with advice; and silent about tags where others read it."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from at_table import LED, seated

from firmware.health import health_lines
from firmware.wiring_words import WiringWords
from hal.hardware import Hardware
from hal.sim.board import SimulatedWires
from hal.sim.faults import Fault
from hal.wiring import ButtonLines, DisplayPlace, SeatWiring, Wiring

WIRING = Wiring(
    seats=(
        SeatWiring(1, ButtonLines(4, 17, 27), display=DisplayPlace(1, 0x3C), reader="/dev/serial/by-path/one"),
        SeatWiring(2, ButtonLines(5, 6, 13), display=DisplayPlace(1, 0x3D), reader="/dev/serial/by-path/two"),
    )
)
GOOD, BAD = "04A0015EC0DE80", "04A0025EC0DE80"
CARDS = {GOOD: "AS", BAD: "KS"}


class Table:
    """The devices of two seats, polled by hand."""

    def __init__(self, wires: SimulatedWires, hardware: Hardware) -> None:
        self.wires = wires
        self.hardware = hardware
        self.now = 0.0

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.02)):
            self.now += 0.02
            self.hardware.poll_readers(self.now)
            self.hardware.poll_displays(self.now)

    def lay(self, seat: int, uid: str, seconds: float, *faults: Fault) -> None:
        """A card lies on a reader for a while, and is taken away."""
        reader = f"seat {seat} reader"
        self.wires.place(reader, uid)
        self.wires.readers[reader].faults |= set(faults)
        self.wait(seconds)
        self.wires.readers[reader].faults -= set(faults)
        self.wires.lift(reader)
        self.wait(2.0)

    def page(self, tags: bool = True, language: str = "en") -> list[str]:
        card = (lambda uid: CARDS.get(uid, "")) if tags else None
        return list(health_lines(self.hardware, WiringWords(language), card))

    def line(self, start: str) -> str:
        return next(line for line in self.page() if line.startswith(start))


@pytest.fixture
def table() -> Iterator[Table]:
    with SimulatedWires(WIRING) as wires, closing(Hardware(WIRING, wires)) as hardware:
        yield Table(wires, hardware)


def test_a_table_that_is_well_has_nothing_but_figures(table: Table) -> None:
    table.lay(1, GOOD, 2.0)
    page = table.page()
    assert page[0].startswith("seat 1 reader: 100 % of polls clean (")
    assert "cards 1, flickers 0, false lifts 0, stalls 0, losses 0" in page[0]
    assert page[-2:] == [f"seat {seat} display: failed writes 0, losses 0" for seat in (1, 2)]
    assert len(page) == 4


def test_devices_are_named_in_the_language_that_is_spoken(table: Table) -> None:
    table.lay(1, GOOD, 2.0)
    page = table.page(language="ru")
    assert page[0].startswith("считыватель места 1: ")
    assert [line.split(":")[0] for line in page[-2:]] == ["дисплей места 1", "дисплей места 2"]


def test_a_tag_that_is_seen_by_half_of_the_polls_is_named_with_its_share_and_the_distance_to_try(table: Table) -> None:
    table.lay(1, BAD, 4.0, Fault.EVERY_SECOND_POLL_MISSES)
    bad = next(line for line in table.page() if line.startswith("  tag "))
    assert bad.startswith(f"  tag {BAD}, KS: ")
    assert 45 <= int(bad.split(": ")[1].split()[0]) <= 55
    assert any("too near or too far" in line and "seat 1 reader" in line for line in table.page())
    assert not any("seat 2 reader: cards" in line for line in table.page())


def test_one_bad_tag_among_good_ones_is_no_fault_of_the_reader(table: Table) -> None:
    for uid in (GOOD, "04A0035EC0DE80", "04A0045EC0DE80"):
        table.lay(1, uid, 2.0)
    table.lay(1, BAD, 4.0, Fault.EVERY_SECOND_POLL_MISSES)
    assert [line for line in table.page() if line.startswith("  tag ")] != []
    assert not any("too near" in line for line in table.page())


def test_a_tag_that_is_bad_at_two_readers_is_to_be_replaced(table: Table) -> None:
    for seat in (1, 2):
        table.lay(seat, BAD, 4.0, Fault.EVERY_SECOND_POLL_MISSES)
    assert f"tag {BAD}, KS: bad at 2 readers, so the tag is to blame: replace it" in table.page()


def test_false_lifts_are_shown_for_the_reader_that_has_them(table: Table) -> None:
    reader = "seat 2 reader"
    table.wires.place(reader, GOOD)
    table.wait(0.5)
    for _ in range(3):
        table.wires.lift(reader)
        table.wait(0.5)
        table.wires.place(reader, GOOD)
        table.wait(0.5)
    assert "false lifts 3" in table.line("seat 2 reader")
    assert "false lifts 0" in table.line("seat 1 reader")


def test_false_lifts_and_misses_are_counted_for_the_tag_too(table: Table) -> None:
    table.lay(2, BAD, 2.0, Fault.EVERY_SECOND_POLL_MISSES)
    table.lay(2, GOOD, 2.0)
    counts = table.hardware.readers["seat 2 reader"].tag_counts
    assert counts[BAD].returns > 5
    assert counts[BAD].missed >= counts[BAD].returns
    assert (counts[GOOD].returns, counts[GOOD].repaired) == (0, 0)


@pytest.mark.long
def test_a_tag_whose_answers_are_damaged_is_known_by_it(table: Table) -> None:
    table.lay(1, GOOD, 2.0)
    table.lay(1, BAD, 4.0, Fault.GARBLED_FRAMES)
    counts = table.hardware.readers["seat 1 reader"].tag_counts
    assert counts[BAD].repaired > 3
    assert counts[GOOD].repaired == 0


def test_the_misses_that_end_in_a_true_lift_are_no_fault_of_the_tag(table: Table) -> None:
    for _ in range(5):
        table.lay(1, GOOD, 1.5)
    assert table.hardware.readers["seat 1 reader"].tag_counts[GOOD].rate == 1.0


@pytest.mark.long
def test_garbled_answers_point_to_cable_and_supply(table: Table) -> None:
    table.wait(1.0)
    table.wires.readers["seat 1 reader"].faults.add(Fault.GARBLED_FRAMES)
    table.wait(1.5)
    assert int(table.line("seat 1 reader").split(": ")[1].split()[0]) < 95
    assert any("many garbled answers" in line for line in table.page())


def test_failed_writes_of_a_display_are_counted_and_shown(table: Table) -> None:
    table.wait(0.1)
    table.wires.buses[1].nak.add(0x3C)
    table.hardware.displays[1].refresh()
    table.wait(0.1)
    assert table.line("seat 1 display") == "seat 1 display: failed writes 9, losses 1"
    assert table.line("seat 2 display") == "seat 2 display: failed writes 0, losses 0"


def test_a_write_that_fails_once_is_counted_though_the_display_is_not_lost(table: Table) -> None:
    table.wait(0.1)
    bus = table.wires.buses[1]
    bus.nak_every = bus.transfers + 1
    table.hardware.displays[1].refresh()
    table.hardware.poll_displays(table.now + 0.02)
    assert table.hardware.displays[1].counts.failed == 1
    assert table.hardware.displays[1].counts.losses == 0


def test_a_log_names_the_displays_that_failed_alone(table: Table) -> None:
    table.wait(0.1)
    table.wires.buses[1].nak.add(0x3C)
    table.hardware.displays[1].refresh()
    table.wait(0.1)
    assert [line for line in table.page(tags=False) if "display" in line] == [table.line("seat 1 display")]


def test_where_others_may_read_it_nothing_is_said_about_tags(table: Table) -> None:
    for seat in (1, 2):
        table.lay(seat, BAD, 4.0, Fault.EVERY_SECOND_POLL_MISSES)
    page = table.page(tags=False)
    assert not any(BAD in line or "KS" in line for line in page)
    assert "flickers" in page[0]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_page_is_said_whole(table: Table, language: str) -> None:
    for seat in (1, 2):
        table.lay(seat, BAD, 4.0, Fault.EVERY_SECOND_POLL_MISSES)
    table.wires.readers["seat 1 reader"].faults.add(Fault.GARBLED_FRAMES)
    table.wait(1.5)
    assert table.hardware.readers["seat 1 reader"].counts.garbled > 0
    page = table.page(language=language)
    assert len(page) >= 9
    assert not any("health." in line or "{" in line for line in page)


def test_a_table_in_play_counts_its_readers_too(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.wait(1.0)
        page = list(health_lines(table.hardware, WiringWords(), None))
        assert sum("polls clean" in line for line in page) == 5
