"""Frames of the PN532, checked against bytes written out by hand from the user manual and from captures."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.pn532_frames import (
    ACK,
    CHIP_TO_HOST,
    ERROR_FRAME,
    ERROR_TFI,
    HOST_TO_CHIP,
    LONGEST,
    NACK,
    Ack,
    Bad,
    Data,
    Frame,
    Nack,
    Parser,
    frame,
)

GET_VERSION = bytes.fromhex("00 00 FF 02 FE D4 02 2A 00")
VERSION = bytes.fromhex("00 00 FF 06 FA D5 03 32 01 06 07 E8 00")
NO_TAG = bytes.fromhex("00 00 FF 03 FD D5 4B 00 E0 00")

bodies = st.binary(min_size=0, max_size=LONGEST - 1)


def parse(data: bytes) -> list[Frame]:
    return Parser().feed(data)


def good(frames: list[Frame]) -> list[Frame]:
    return [found for found in frames if not isinstance(found, Bad)]


@pytest.mark.parametrize(
    ("tfi", "body", "wire"),
    [
        (HOST_TO_CHIP, "02", GET_VERSION),
        (CHIP_TO_HOST, "03 32 01 06 07", VERSION),
        (CHIP_TO_HOST, "4B 00", NO_TAG),
        (HOST_TO_CHIP, "14 01 14 01", bytes.fromhex("00 00 FF 05 FB D4 14 01 14 01 02 00")),
        (HOST_TO_CHIP, "4A 02 00", bytes.fromhex("00 00 FF 04 FC D4 4A 02 00 E0 00")),
    ],
)
def test_a_frame_is_built_and_read_as_the_manual_writes_it(tfi: int, body: str, wire: bytes) -> None:
    assert frame(tfi, bytes.fromhex(body)) == wire
    assert parse(wire) == [Data(tfi, bytes.fromhex(body))]


def test_acknowledgements_and_the_error_frame_have_their_own_forms() -> None:
    assert parse(ACK) == [Ack()]
    assert parse(NACK) == [Nack()]
    assert parse(ERROR_FRAME) == [Data(ERROR_TFI, b"")]


def test_an_extended_frame_counts_its_length_in_two_bytes() -> None:
    body = bytes(range(256))
    wire = frame(HOST_TO_CHIP, body)
    assert wire[:8] == bytes.fromhex("00 00 FF FF FF 01 01 FE")  # 257 = 0x0101
    assert parse(wire) == [Data(HOST_TO_CHIP, body)]


def test_255_bytes_still_fit_a_normal_frame() -> None:
    body = bytes(254)
    wire = frame(CHIP_TO_HOST, body)
    assert wire[:5] == bytes.fromhex("00 00 FF FF 01")
    assert parse(wire) == [Data(CHIP_TO_HOST, body)]


def test_a_body_that_no_frame_can_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="264 bytes"):
        frame(HOST_TO_CHIP, bytes(LONGEST))


@given(body=bodies)
def test_every_body_comes_back_as_it_was(body: bytes) -> None:
    assert parse(frame(CHIP_TO_HOST, body)) == [Data(CHIP_TO_HOST, body)]


def test_an_answer_may_be_cut_at_any_byte() -> None:
    wire = ACK + VERSION + ACK + NO_TAG
    whole = parse(wire)
    assert len(whole) == 4
    for cut in range(len(wire) + 1):
        parser = Parser()
        assert parser.feed(wire[:cut]) + parser.feed(wire[cut:]) == whole, cut


def test_an_answer_may_come_byte_by_byte() -> None:
    parser = Parser()
    wire = ACK + ERROR_FRAME + frame(CHIP_TO_HOST, bytes(260))
    found = [one for byte in wire for one in parser.feed(bytes([byte]))]
    assert found == [Ack(), Data(ERROR_TFI, b""), Data(CHIP_TO_HOST, bytes(260))]


@pytest.mark.parametrize("place", range(3, len(VERSION) - 1))
def test_a_frame_with_any_one_byte_wrong_is_never_taken_for_good(place: int) -> None:
    damaged = bytearray(VERSION)
    damaged[place] ^= 0x10
    assert not any(isinstance(found, Data) for found in parse(bytes(damaged)))


def test_damage_is_reported_with_its_bytes() -> None:
    damaged = VERSION[:-2] + b"\x00\x00"
    [found] = parse(damaged)
    assert isinstance(found, Bad)
    assert "d50332010607" in found.why


@pytest.mark.parametrize(
    "noise",
    ["A5 5A", "00", "00 00 00 00", "FF FF", "00 FF 12 34", "00 00 FF", "00 FF FF FF 00 00 00", "55 55 00 00"],
)
def test_the_frame_behind_noise_is_found(noise: str) -> None:
    assert good(parse(bytes.fromhex(noise) + VERSION))[-1:] == good(parse(VERSION))


def test_a_true_frame_inside_a_false_one_is_found() -> None:
    # The false start claims 9 bytes (09 F7), which is as far as the true frame reaches.
    false_start = bytes.fromhex("00 FF 09 F7")
    assert good(parse(false_start + GET_VERSION + b"\x00")) == [Data(HOST_TO_CHIP, b"\x02")]


def test_a_frame_that_breaks_off_does_not_hide_the_next_for_ever() -> None:
    parser = Parser()
    parser.feed(VERSION[:7])
    parser.reset()
    assert parser.feed(VERSION) == parse(VERSION)


def test_noise_without_end_is_not_stored() -> None:
    parser = Parser()
    for _ in range(1000):
        assert parser.feed(b"\xaa" * 100 + b"\x00") == []
    assert len(parser._buffer) <= 1


@given(noise=st.binary(max_size=40).filter(lambda data: b"\x00\xff" not in data + b"\x00"), body=bodies)
def test_noise_that_holds_no_start_never_costs_a_frame(noise: bytes, body: bytes) -> None:
    assert parse(noise + frame(CHIP_TO_HOST, body)) == [Data(CHIP_TO_HOST, body)]


@given(data=st.binary(max_size=200), cuts=st.lists(st.integers(0, 200), max_size=5))
def test_what_is_found_does_not_depend_on_where_the_stream_is_cut(data: bytes, cuts: list[int]) -> None:
    parser = Parser()
    edges = [0, *sorted(cuts), len(data)]
    pieces = [data[a:b] for a, b in itertools.pairwise(edges)]
    assert [one for piece in pieces for one in parser.feed(piece)] == parse(data)


@pytest.mark.parametrize("length", [1, 2, 30, 255, 260])
@pytest.mark.parametrize("cut", range(8))
def test_no_more_is_missing_than_what_an_acknowledgement_and_an_answer_still_have(length: int, cut: int) -> None:
    """What waits for more than that would wait in vain."""
    parser, stream, frames = Parser(), ACK + frame(CHIP_TO_HOST, bytes(length - 1)), 0
    frames += len(parser.feed(stream[:cut]))
    place = cut
    while frames < 2:
        step = parser.missing
        assert 1 <= step <= len(stream) - place
        frames += len(parser.feed(stream[place : place + step]))
        place += step
