"""The trace orders what happened on all simulated wires."""

from threading import Thread

from hal.sim.trace import Trace


def test_entries_of_different_wires_are_numbered_in_the_order_they_came() -> None:
    trace = Trace()
    trace.note("i2c-1 3C", "write", b"\x40\x01")
    trace.note("gpiochip0 line 17", "write", 1)
    assert [(entry.seq, entry.wire, entry.data) for entry in trace] == [
        (1, "i2c-1 3C", b"\x40\x01"),
        (2, "gpiochip0 line 17", 1),
    ]


def test_a_mark_separates_what_came_before_from_what_came_after() -> None:
    trace = Trace()
    trace.note("journal", "commit")
    mark = trace.seq
    trace.note("i2c-1 3C", "write", b"\x00\xaf")
    assert [entry.wire for entry in trace.since(mark)] == ["i2c-1 3C"]
    assert trace.since(trace.seq) == []


def test_entries_are_found_by_the_beginning_of_the_wires_name() -> None:
    trace = Trace()
    for wire in ("i2c-1 3C", "i2c-1 3D", "i2c-10 3C", "gpiochip0 line 1"):
        trace.note(wire, "write")
    assert [entry.wire for entry in trace.on("i2c-1 ")] == ["i2c-1 3C", "i2c-1 3D"]


def test_a_limited_trace_keeps_the_newest_and_goes_on_counting() -> None:
    trace = Trace(limit=2)
    for level in range(5):
        trace.note("line", "write", level)
    assert [(entry.seq, entry.data) for entry in trace] == [(4, 3), (5, 4)]
    assert len(trace) == 2


def test_notes_from_several_threads_get_different_numbers() -> None:
    trace = Trace()

    def note_often() -> None:
        for _ in range(500):
            trace.note("wire", "write")

    threads = [Thread(target=note_often) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [entry.seq for entry in trace] == list(range(1, 2001))
