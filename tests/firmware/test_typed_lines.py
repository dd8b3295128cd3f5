"""Lines that are typed meanwhile: taken whole, and waited for by nobody."""

import io
import os

from firmware.typed_lines import TypedLines


def test_a_line_counts_once_it_is_whole() -> None:
    out, into = os.pipe()
    with os.fdopen(out) as stream:
        typed = TypedLines(stream)
        assert list(typed.poll()) == []
        os.write(into, b"s\n04A1")
        assert list(typed.poll()) == ["s"]
        os.write(into, b"B2C3\nq\n")
        assert list(typed.poll()) == ["04A1B2C3", "q"]
        os.write(into, b"b")
        os.close(into)
        assert list(typed.poll()) == []
        assert list(typed.poll()) == ["b"]
        assert typed.ended
        assert list(typed.poll()) == []


def test_text_in_memory_is_all_there() -> None:
    typed = TypedLines(io.StringIO("s\nq"))
    assert list(typed.poll()) == ["s", "q"]
    assert typed.ended
