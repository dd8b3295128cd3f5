"""Worn tags: judged against the others, for where all are read badly a reader is to blame."""

from firmware.sightings import Sightings
from firmware.tag_health import TagHealth, tags_read, worn
from hal.presence import TagCounts


def tag(uid: str, seen: int, missed: int = 0, repaired: int = 0) -> TagHealth:
    return TagHealth(uid, seen, missed, repaired, 0)


GOOD = [tag(f"04A1B2{number:02X}", 40, 1) for number in range(10)]


def test_a_tag_that_is_missed_much_more_often_than_others_is_worn() -> None:
    bad = tag("04FFEE01", 30, 12)
    assert worn([*GOOD, bad]) == [bad]


def test_so_is_one_whose_answers_have_to_be_asked_for_again() -> None:
    bad = tag("04FFEE01", 30, repaired=9)
    assert worn([*GOOD, bad]) == [bad]


def test_the_worst_comes_first() -> None:
    bad, worse = tag("04FFEE01", 30, 12), tag("04FFEE02", 20, 20)
    assert worn([*GOOD, bad, worse]) == [worse, bad]


def test_where_all_are_read_badly_none_is_worn() -> None:
    assert worn([tag(f"04A1B2{number:02X}", 30, 12) for number in range(10)]) == []


def test_a_few_polls_say_nothing() -> None:
    assert worn([*GOOD, tag("04FFEE01", 9, 9)]) == []
    assert worn([]) == []


def test_one_miss_makes_no_tag_worn_though_the_others_have_none() -> None:
    assert worn([*(tag(f"04A1B2{number:02X}", 40) for number in range(10)), tag("04FFEE01", 40, 1)]) == []


def test_what_all_readers_have_counted_is_taken_together() -> None:
    one = {"04FFEE01": TagCounts(10, 2, 1, 2)}
    other = {"04FFEE01": TagCounts(5, 3, 0, 1), "04FFEE02": TagCounts(1)}
    assert tags_read([one, other]) == [TagHealth("04FFEE01", 15, 5, 1, 3), TagHealth("04FFEE02", 1, 0, 0, 0)]


def test_the_last_sighting_of_a_tag_is_known_and_no_more_than_so_many() -> None:
    seen = Sightings(most=2)
    for at, uid in enumerate(["A", "B", "A", "C"]):
        seen.note(uid, f"reader {at}", float(at))
    assert seen.last("A") == ("reader 2", 2.0)
    assert seen.last("B") is None
    assert seen.last("C") == ("reader 3", 3.0)
