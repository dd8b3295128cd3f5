"""One text for each tag, and no tag of two texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.tags import UID_LENGTHS, Family, impossible, read_uid, uid_text


@pytest.mark.parametrize(
    ("uid", "family", "text"),
    [
        ("04000aff", Family.TYPE_A, "04000AFF"),
        ("04000aff000000", Family.TYPE_A, "04000AFF000000"),
        ("62e3086ced", Family.EM4100, "EM-62E3086CED"),
        ("0006543210", Family.KEYS, "KB-0006543210"),
    ],
)
def test_the_text_keeps_zeros_length_and_family(uid: str, family: Family, text: str) -> None:
    assert uid_text(bytes.fromhex(uid), family) == text
    assert read_uid(text) == (bytes.fromhex(uid), family)


@given(st.data(), st.sampled_from(Family))
def test_every_uid_that_is_possible_comes_back_from_its_text(data: st.DataObject, family: Family) -> None:
    length = data.draw(st.sampled_from(UID_LENGTHS[family]))
    uid = data.draw(st.binary(min_size=length, max_size=length).filter(lambda uid: impossible(uid, family) is None))
    assert read_uid(uid_text(uid, family)) == (uid, family)


@pytest.mark.parametrize("written", ["04a1b2c3", "04:A1:B2:C3", "04 a1 b2 c3"])
def test_a_uid_may_be_written_as_other_programs_show_it(written: str) -> None:
    assert uid_text(*read_uid(written)) == "04A1B2C3"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4A1B2C3", "'4A1B2C3' has 7 digits, so one is missing; expected two for each byte"),
        ("EM-62E3086CE", "has 9 digits"),
        ("04A1B2", "3 bytes; expected 4 or 7 or 10"),
        ("04A1B2C3D4", "5 bytes; expected 4 or 7 or 10"),
        ("EM-62E3086C", "4 bytes; expected 5"),
        ("KB-12", "1 bytes; expected 2 to 16"),
        ("XX-62E3086CED", "is no tag; expected hex digits"),
        ("04A1B2CX", "is no tag; expected hex digits"),
        ("", "0 bytes"),
        ("00000000", "all 00 or FF"),
        ("FFFFFFFFFFFFFF", "all 00 or FF"),
        ("EM-0000000000", "all 00 or FF"),
        ("8804A1B2", "the beginning of a longer one"),
    ],
)
def test_what_no_tag_has_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        read_uid(text)
    assert why in str(caught.value)
    assert "expected" in str(caught.value)


def test_four_bytes_are_not_the_same_four_with_zeros_behind_them() -> None:
    assert read_uid("04A1B2C3") != read_uid("04A1B2C3000000")
