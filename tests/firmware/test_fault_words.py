"""The words `fault` and `mend`: every fault has a script, and what cannot be is said with its line."""

from pathlib import Path

import pytest

from firmware.bench import Bench
from firmware.errors import FileError
from firmware.script import parse_script, run_script
from firmware.script_words import parse_words
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.named_faults import NAMED, At, Place

TABLES = Path(__file__).parents[1] / "tables"
GUIDE = Path(__file__).parents[2] / "docs" / "table-script.md"


def misread(line: str) -> str:
    with pytest.raises(FileError) as caught:
        parse_script(f"seats 2\n{line}\n")
    return str(caught.value)


def play(*lines: str) -> None:
    run_script(parse_script("\n".join(("seats 2", *lines))))


def failure(*lines: str) -> str:
    script = parse_script("\n".join(("seats 2", *lines)))
    with pytest.raises(FileError) as caught:
        run_script(script)
    return str(caught.value)


@pytest.mark.parametrize("name", NAMED)
def test_every_fault_has_a_script(name: str) -> None:
    assert f"fault {name}" in (TABLES / f"fault-{name}.table").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMED)
def test_every_fault_is_in_the_guide(name: str) -> None:
    assert f"| `{name}` |" in GUIDE.read_text(encoding="utf-8")


def test_a_fault_that_is_none_is_said_with_its_line_and_all_that_are() -> None:
    said = misread("fault bouncing buttons 2")
    assert said.startswith("script:2: no fault 'bouncing'; expected one of bounce, glitch, ")
    assert all(name in said for name in NAMED)
    assert misread("mend bouncing").startswith("script:2: no fault 'bouncing'; expected one of ")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("fault deaf display 2", "deaf cannot be at 'display 2'; expected `reader PLACE`"),
        ("fault bounce reader 2", "bounce cannot be at 'reader 2'; expected `buttons SEAT`"),
        ("fault nak dealing", "nak cannot be at 'dealing'; expected `display SEAT`"),
        ("fault full-disk 2", "full-disk cannot be at '2'; expected no place"),
        ("fault deaf reader", "deaf cannot be at 'reader'; expected `reader PLACE`"),
        ("fault deaf 3", "no seat 3; expected 1 to 2"),
        ("fault slow-disk 0s", "a disk that takes 0 s; expected more than none"),
        ("fault garbled 2 3s", "garbled takes no time; expected that with slow-disk and clock-step only"),
        ("fault", "cannot read 'fault'; expected fault NAME [PLACE] [AMOUNT]"),
        ("mend all reader 2", "`mend all` mends everything, everywhere; expected no place"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_played(line: str, said: str) -> None:
    assert misread(line) == f"script:2: {said}"


def test_what_this_table_has_not_is_said_where_it_is_played() -> None:
    assert "no centre reader for deaf at this table; there is seat 1 reader" in failure("fault deaf centre")
    assert "there is no deaf to mend; on: bounce seat 1 buttons" in failure("fault bounce 1", "mend deaf")
    assert "the seat 1 reader is out already" in failure("unplug reader 1", "fault unplugged reader 1")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("line", "places"),
    [
        ("fault deaf reader 2", ["seat 2 reader"]),
        ("Fault DEAF seat 2 reader", ["seat 2 reader"]),
        ("fault deaf 2", ["seat 2 reader"]),
        ("fault deaf dealing pad", ["dealing reader"]),
        ("fault deaf", ["seat 1 reader", "seat 2 reader", "dealing reader"]),
        ("fault unplugged 2", ["seat 2 reader"]),
        ("fault unplugged display 2", ["seat 2 display"]),
        ("fault bounce buttons 1", ["seat 1 buttons"]),
        ("fault stuck-button 1 left", ["seat 1 left button"]),
        ("fault slow-disk 0.5s", ["disk"]),
        ("fault slow-disk 3", ["disk"]),
        ("fault clock-step -2h", ["clock"]),
    ],
)
def test_a_fault_is_where_the_line_says(line: str, places: list[str]) -> None:
    with SimulatedTable(parse_script("seats 2").table) as table:
        bench = Bench(table)
        parse_words(line, 2)(bench)
        assert [str(place) for _, place in table.faults.on] == places
        parse_words("mend all", 2)(bench)
        assert table.faults.on == []


def test_an_amount_is_taken_as_it_is_said() -> None:
    with SimulatedTable(parse_script("seats 2").table) as table:
        for line, step in (
            ("fault clock-step", 7200),
            ("fault clock-step -90min", -5400),
            ("fault clock-step +1d", 86400),
            ("fault clock-step 9", 9),
        ):
            parse_words(line, 2)(Bench(table))
            assert table.disk.clock_step == step


def test_what_is_wrong_stays_so_when_the_table_is_switched_off_and_on() -> None:
    with SimulatedTable(parse_script("seats 2").table) as table:
        table.faults.begin("unplugged", Place(At.READER, reader="seat 1 reader"))
        table.faults.begin("stuck-button", Place(At.BUTTONS, seat=2, button=Button.RIGHT))
        before = table.faults.on
        table.restart()
        table.wait(1.0)
        assert table.faults.on == before
        lost = {name for name, reader in table.hardware.readers.items() if not reader.connected}
        assert lost == {"seat 1 reader"}
        assert [seat for seat in (1, 2) if table.loop.seat_view(seat).peeking] == [2]
        table.faults.mend()
        table.wait(3.0)
        assert {name for name, reader in table.hardware.readers.items() if not reader.connected} == set()
        assert [seat for seat in (1, 2) if table.loop.seat_view(seat).peeking] == []


@pytest.mark.few(1)
@pytest.mark.parametrize("device", ["reader", "display"])
@pytest.mark.parametrize(
    ("out", "back"), [("unplug", "mend unplugged"), ("fault unplugged", "plug"), ("unplug", "mend all")]
)
def test_a_cable_has_one_switch_whatever_word_moves_it(device: str, out: str, back: str) -> None:
    place = "" if back == "mend all" else f" {device} 1"
    play(f"{out} {device} 1", f"{back}{place}", f"unplug {device} 1")
    assert "out already" in failure(f"{out} {device} 1", f"unplug {device} 1")
    assert "in already" in failure(f"{out} {device} 1", f"{back}{place}", f"plug {device} 1")


def test_a_cable_that_was_pulled_stays_out_through_a_restart() -> None:
    play("unplug display 1", "restart", "expect dark 1", "wait 5", "expect dark 1", "plug display 1", "wait 5")
    assert "the display shows" in failure("unplug display 1", "restart", "mend all", "wait 5", "expect dark 1")


def test_a_display_without_its_cable_is_dark_at_once() -> None:
    play("unplug display 1", "expect dark 1")
    play("unplug display 1", "fault unplugged", "expect dark 1", "expect dark 2")


@pytest.mark.parametrize(
    "line",
    ["fault garbled reader 1 reader 2", "fault garbled 1 2", "mend nak display 1 2", "fault stuck-button 1 ok left"],
)
def test_two_places_in_one_line_are_refused(line: str) -> None:
    assert "; expected one place, or none: everywhere" in misread(line)
