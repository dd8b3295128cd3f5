"""One tag at two readers: a conflict, said once, and not two cards."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.conflicts import LOOK_TIME, TELL_TIME, Conflicts
from hal.events import DeviceLost, Event, TagConflict, TagLifted, TagPlaced
from hal.presence import Presence, Sight
from hal.tags import Nothing, Tags

UID = "04A1B2C3D4E5F6"
OTHER = "01A0B0C0"


class Table:
    """Readers a, b and c with what each of them sees. Those in `away` do not work."""

    def __init__(self, *, asked: bool = True) -> None:
        self.seen: dict[tuple[str, str], Sight] = {}
        self.looks: Counter[str] = Counter()
        self.away: set[str] = set()
        self.conflicts = Conflicts(lambda reader, uid: self.seen.get((reader, uid)), asked=asked)

    def poll(self, reader: str, now: float, *uids: str, lost: str = "", clean: bool = True) -> list[Event]:
        """One poll that sees `uids`; those that it had not seen before are placed, and `lost` is lifted."""
        events: list[Event] = []
        self.looks[reader] += 1
        for uid in uids:
            if (reader, uid) not in self.seen:
                events.append(TagPlaced(reader, uid, now, self.looks[reader]))
            self.seen[reader, uid] = Sight(now, self.looks[reader])
        if lost:
            del self.seen[reader, lost]
            events.append(TagLifted(reader, lost, now))
        return self.conflicts.feed(reader, events, {"a", "b", "c"} - {reader} - self.away, now, clean=clean)

    def round(self, readers: str, now: float, uid: str = "", step: float = 0.02) -> list[Event]:
        """A poll of each, `step` seconds apart; "a" sees `uid`."""
        events: list[Event] = []
        for number, reader in enumerate(readers):
            events += self.poll(reader, now + number * step, *([uid] if uid and reader == "a" else []))
        return events


@pytest.fixture
def table() -> Table:
    made = Table()
    for number, reader in enumerate("abc"):
        made.poll(reader, number / 100)
    return made


def test_a_tag_counts_when_all_others_have_looked_twice_and_did_not_see_it(table: Table) -> None:
    assert table.poll("a", 1.0, UID) == []
    assert table.round("bca", 1.02, UID) == []
    assert table.poll("b", 1.08) == []
    assert table.poll("c", 1.1) == [TagPlaced("a", UID, 1.0)]
    assert table.poll("a", 1.12, UID) == []


def test_a_neighbour_that_misses_every_second_poll_is_waited_for(table: Table) -> None:
    table.poll("a", 1.0, UID)
    assert table.round("bca", 1.02, UID) == []
    assert table.poll("b", 1.08, UID) == [TagConflict(("a", "b"), UID, 1.08)]


def test_a_look_that_came_back_garbled_is_none(table: Table) -> None:
    table.poll("a", 1.0, UID)
    for now in (1.02, 1.08):
        table.poll("c", now)
        assert table.poll("b", now + 0.02, clean=False) == []
    assert table.poll("b", 1.14, UID) == [TagConflict(("a", "b"), UID, 1.14)]


def test_slow_neighbours_are_not_waited_for_twice(table: Table) -> None:
    table.poll("a", 1.0, UID)
    assert table.poll("b", 1.0 + LOOK_TIME / 2) == []
    assert table.poll("a", 1.0 + LOOK_TIME, UID) == []
    assert table.poll("c", 1.02 + LOOK_TIME) == [TagPlaced("a", UID, 1.0)]


def test_readers_that_speak_by_themselves_are_listened_to_for_a_while() -> None:
    table = Table(asked=False)
    table.poll("a", 1.0, UID)
    for step in range(1, 10):
        assert table.round("bca", 1.0 + step * 0.03, UID) == []
    assert table.conflicts.due == 1.0 + TELL_TIME
    assert table.conflicts.awaited(1.29) == set()
    assert table.conflicts.awaited(1.3) == {"b", "c"}
    table.poll("b", 1.3)
    assert table.poll("c", 1.31) == [TagPlaced("a", UID, 1.0)]
    assert table.conflicts.due == float("inf")


def test_a_reader_that_speaks_by_itself_and_tells_the_tag_late_disputes_it() -> None:
    table = Table(asked=False)
    table.poll("a", 1.0, UID)
    table.round("bc", 1.1)
    assert table.poll("b", 1.3, UID) == [TagConflict(("a", "b"), UID, 1.3)]


def test_a_tag_that_is_lifted_while_it_is_held_back_is_disputed_all_the_same(table: Table) -> None:
    table.poll("a", 1.0, UID)
    assert table.poll("a", 1.1, lost=UID) == []
    assert table.poll("b", 1.12, UID) == [TagConflict(("a", "b"), UID, 1.12)]


def test_a_tag_that_is_lifted_while_it_is_held_back_then_comes_and_goes(table: Table) -> None:
    table.poll("a", 1.0, UID)
    assert table.poll("a", 1.1, lost=UID) == []
    table.round("bcb", 1.12)
    assert table.poll("c", 1.2) == [TagPlaced("a", UID, 1.0), TagLifted("a", UID, 1.1)]


def test_a_reader_alone_waits_for_nobody(table: Table) -> None:
    table.away = {"b", "c"}
    assert table.poll("a", 1.0, UID) == [TagPlaced("a", UID, 1.0)]


def test_whoever_has_looked_in_the_same_moment_is_not_waited_for(table: Table) -> None:
    table.round("abab", 1.0, step=0.0)
    table.poll("c", 1.0, UID)
    table.poll("a", 1.1)
    assert table.poll("b", 1.1) == [TagPlaced("c", UID, 1.0)]


def test_a_reader_that_is_lost_meanwhile_is_not_waited_for(table: Table) -> None:
    table.poll("a", 1.0, UID)
    table.poll("b", 1.05)
    table.away = {"c"}
    assert table.poll("b", 1.1) == [TagPlaced("a", UID, 1.0)]


def test_two_that_see_one_tag_in_one_round_conflict_and_neither_counts(table: Table) -> None:
    assert table.poll("a", 1.0, UID) == []
    assert table.poll("b", 1.1, UID) == [TagConflict(("a", "b"), UID, 1.1)]
    for step in range(1, 9):
        for reader in "cab":
            assert table.poll(reader, 1.1 + step / 10, *([UID] if reader != "c" else [])) == []


def test_a_third_reader_that_sees_it_too_is_said_and_does_not_count(table: Table) -> None:
    table.poll("a", 1.0, UID)
    table.poll("b", 1.1, UID)
    assert table.poll("c", 1.2, UID) == [TagConflict(("b", "c"), UID, 1.2)]
    assert table.poll("a", 1.3, UID) == []


def test_other_tags_are_not_held_up_by_a_conflict(table: Table) -> None:
    table.poll("a", 1.0, UID)
    table.poll("b", 1.1, UID)
    table.poll("c", 1.2, OTHER)
    table.round("ab", 1.25, UID)
    table.poll("a", 1.3, UID)
    assert table.poll("b", 1.4, UID) == [TagPlaced("c", OTHER, 1.2)]


def test_when_one_of_the_two_has_lost_it_the_card_counts_where_it_still_lies(table: Table) -> None:
    table.poll("a", 1.0, UID)
    table.poll("b", 1.1, UID)
    assert table.poll("a", 1.4, lost=UID) == []
    assert table.poll("b", 1.5, UID) == [TagPlaced("b", UID, 1.5)]
    assert table.poll("b", 1.9, lost=UID) == [TagLifted("b", UID, 1.9)]


def test_a_card_taken_away_from_between_two_readers_never_counted(table: Table) -> None:
    table.poll("a", 1.0, UID)
    table.poll("b", 1.1, UID)
    assert table.poll("a", 1.4, lost=UID) == []
    assert table.poll("b", 1.5) == []  # not seen in this poll: it goes as well
    assert table.poll("b", 1.6, lost=UID) == []
    table.poll("a", 2.0, UID)
    table.round("bcb", 2.02)
    assert table.poll("c", 2.2) == [TagPlaced("a", UID, 2.0)]


def test_a_neighbour_that_begins_to_see_a_card_that_counted_does_not_count_it_again(table: Table) -> None:
    table.poll("a", 1.0, UID)
    table.round("bcbc", 1.0)
    table.poll("a", 1.3, UID)
    assert table.poll("b", 1.4, UID) == [TagConflict(("a", "b"), UID, 1.4)]
    assert table.poll("b", 1.8, lost=UID) == []
    assert table.poll("a", 1.9, UID) == []  # it was counted there
    assert table.poll("a", 2.5, lost=UID) == [TagLifted("a", UID, 2.5)]


def test_a_card_carried_from_one_reader_to_another_counts_at_both(table: Table) -> None:
    table.poll("a", 1.0, UID)
    table.round("bcbc", 1.0)
    assert table.poll("a", 1.5, lost=UID) == [TagLifted("a", UID, 1.5)]
    table.poll("b", 1.6, UID)
    table.round("cac", 1.6)
    assert table.poll("a", 1.8) == [TagPlaced("b", UID, 1.6)]


def test_what_a_reader_saw_long_ago_is_no_conflict(table: Table) -> None:
    table.poll("a", 1.0, UID)
    table.round("bcbc", 1.0)
    table.poll("b", 1.6, UID)  # "a" tells tags once, and has not said since that it is still there
    table.round("cac", 1.6)
    assert table.poll("a", 1.8) == [TagPlaced("b", UID, 1.6)]


def test_a_tag_lifted_before_all_have_looked_is_placed_first(table: Table) -> None:
    table.poll("a", 1.0, UID)
    assert table.poll("a", 1.4, lost=UID) == [TagPlaced("a", UID, 1.0), TagLifted("a", UID, 1.4)]


def test_what_is_no_tag_passes_at_once(table: Table) -> None:
    lost = DeviceLost("a", "gone", 1.0)
    assert table.conflicts.feed("a", [lost], {"b", "c"}, 1.0) == [lost]


def test_a_conflict_says_at_which_poll_of_each_reader_the_tag_was_seen() -> None:
    table = Table()
    for look in range(5):
        table.poll("b", 0.1 * look)
    table.poll("a", 0.5, UID)
    [conflict] = table.poll("b", 0.55, UID)
    assert isinstance(conflict, TagConflict)
    assert (conflict.readers, conflict.looks) == (("a", "b"), (1, 6))


# Whatever the readers see

SEEN = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=60)


@given(SEEN)
def test_one_card_never_counts_at_two_readers_at_a_time(rounds: list[tuple[bool, bool, bool]]) -> None:
    presences = {reader: Presence(reader) for reader in "abc"}
    conflicts = Conflicts(lambda reader, uid: presences[reader].last_seen(uid))
    counts: str | None = None
    now = 0.0
    for seen in [*rounds, *[(False, False, False)] * 12]:
        for reader, sees in zip("abc", seen, strict=True):
            now += 1 / 32
            events = presences[reader].feed(Tags((bytes.fromhex(UID),)) if sees else Nothing(), now)
            for event in conflicts.feed(reader, events, {"a", "b", "c"} - {reader}, now):
                if isinstance(event, TagPlaced):
                    assert counts is None
                    counts = event.reader
                elif isinstance(event, TagLifted):
                    assert event.reader == counts
                    counts = None
    assert counts is None
    assert not conflicts._disputed
    assert not conflicts._held
