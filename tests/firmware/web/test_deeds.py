"""What a page asks for: read as a whole, and refused in words before anything is done."""

import pytest

from firmware.web import deeds
from firmware.web.deeds import parse_deed
from firmware.web.world import DeedError


def test_each_deed_is_read_by_its_name() -> None:
    assert parse_deed({"do": "pad", "card": 7, "reader": "seat 1 reader"}) == deeds.Pad(7, "seat 1 reader")
    assert parse_deed({"do": "sit", "seat": 0}) == deeds.Sit(0)
    assert parse_deed({"do": "hand", "card": 7, "seat": 2, "index": 0}) == deeds.Hand(7, 2, 0)


@pytest.mark.parametrize(
    "wanted",
    [
        None,
        [],
        "press",
        {},
        {"do": "fly"},
        {"do": ["press"]},
        {"do": "press", "seat": 1},
        {"do": "press", "seat": "1", "button": "ok"},
        {"do": "press", "seat": 10, "button": "ok"},
        {"do": "press", "seat": -1, "button": "ok"},
        {"do": "press", "seat": 1, "button": "ok\n"},
        {"do": "press", "seat": 1, "button": "ok", "more": 1},
        {"do": "pad", "card": 1e300, "reader": "x"},
        {"do": "pad", "card": True, "reader": "x"},
        {"do": "pad", "card": 1, "reader": "x" * 41},
        {"do": "felt", "card": 1, "x": float("nan"), "y": 0},
        {"do": "felt", "card": 1, "x": float("inf"), "y": 0},
        {"do": "felt", "card": 1, "x": 2, "y": 0},
        {"do": "put", "card": 1, "where": "sleeve"},
        {"do": "fault", "name": "deaf", "place": 100, "on": True},
        {"do": "table", "game": "pepper", "rules": "standard", "seats": 9},
    ],
)
def test_what_cannot_be_read_is_refused_in_words(wanted: object) -> None:
    with pytest.raises(DeedError) as found:
        parse_deed(wanted)
    assert found.value.code == "unreadable"
    assert 0 < len(str(found.value)) <= 200
