"""Placed, still there, lifted: what one reader's polls mean, in virtual time."""

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hal.events import Event, SeveralTags, TagGlimpsed, TagLifted, TagPlaced
from hal.presence import Presence
from hal.tags import Garbled, Nothing, PollResult, Tags, uid_text

A = bytes.fromhex("04A1B2C3D4E5F6")
B = bytes.fromhex("01A0B0C0")
C = bytes.fromhex("04112233445566")
READER = "seat 1 reader"
TICK = 0.1  # seconds from poll to poll

SEES_A: PollResult = Tags((A,))
SEES_B: PollResult = Tags((B,))
SEES_C: PollResult = Tags((C,))
BOTH: PollResult = Tags((A, B))
EMPTY: PollResult = Nothing()
GARBLED: PollResult = Garbled("damaged frame")


class Table:
    """A presence model that is polled every `tick` seconds."""

    def __init__(
        self, tick: float = TICK, settle: float = 0.0, known: Callable[[bytes], bool] = lambda uid: True
    ) -> None:
        self.presence = Presence(READER, settle, known=known)
        self.tick = tick
        self.polls = 0

    @property
    def now(self) -> float:
        return self.polls * self.tick

    def polled(self, *results: PollResult) -> list[Event]:
        events: list[Event] = []
        for result in results:
            self.polls += 1
            events += self.presence.feed(result, self.now)
        return events


def placed(events: list[Event]) -> list[str]:
    return [event.uid for event in events if isinstance(event, TagPlaced)]


def lifted(events: list[Event]) -> list[str]:
    return [event.uid for event in events if isinstance(event, TagLifted)]


def test_a_tag_is_placed_by_one_clean_poll() -> None:
    table = Table()
    assert table.polled(EMPTY, SEES_A) == [TagPlaced(READER, "04A1B2C3D4E5F6", table.now)]


def test_a_tag_that_nobody_knows_is_placed_when_it_was_seen_twice() -> None:
    table = Table(known={B}.__contains__)
    assert table.polled(SEES_A) == []
    assert table.polled(GARBLED, EMPTY, SEES_A) == [TagPlaced(READER, "04A1B2C3D4E5F6", table.now)]
    assert table.polled(SEES_A, SEES_A) == []
    assert Table(known={B}.__contains__).polled(SEES_B) == [TagPlaced(READER, "01A0B0C0", TICK)]


def test_tags_that_noise_makes_up_are_seen_once_each_and_placed_never() -> None:
    table = Table(known={B}.__contains__)
    made_up: list[PollResult] = [Tags((bytes([4, number, *A[2:]]),)) for number in range(50)]
    events = table.polled(*(each for result in made_up for each in (result, *[EMPTY] * 5)))
    assert len(events) == len(made_up)
    assert {type(event) for event in events} == {TagGlimpsed}


def test_a_tag_that_nobody_knows_is_a_stranger_again_after_its_lift() -> None:
    table = Table(known={B}.__contains__)
    table.polled(SEES_A, SEES_A, *[EMPTY] * 5)
    assert table.polled(SEES_A) == []
    assert placed(table.polled(SEES_A)) == [uid_text(A)]


def test_a_tag_left_lying_counts_once_however_long_it_lies() -> None:
    table = Table()
    assert placed(table.polled(*[SEES_A] * 10_000)) == [uid_text(A)]


def test_a_tag_counts_again_after_it_was_lifted() -> None:
    table = Table()
    events = table.polled(SEES_A, EMPTY, EMPTY, EMPTY, EMPTY, SEES_A)
    assert [type(event) for event in events] == [TagPlaced, TagLifted, TagPlaced]


@pytest.mark.parametrize("misses", [1, 2])
def test_one_or_two_missed_polls_are_no_lift(misses: int) -> None:
    table = Table(tick=1.0)
    assert placed(table.polled(SEES_A, *[EMPTY] * misses, SEES_A)) == [uid_text(A)]


def test_a_lift_needs_three_misses_even_when_polls_are_slow() -> None:
    table = Table(tick=5.0)
    table.polled(SEES_A)
    assert table.polled(EMPTY, EMPTY) == []
    assert table.polled(EMPTY) == [TagLifted(READER, uid_text(A), table.now)]


def test_a_lift_needs_a_quarter_of_a_second_even_when_polls_are_fast() -> None:
    table = Table(tick=1 / 64)
    table.polled(SEES_A)
    assert table.polled(*[EMPTY] * 16) == []  # 15/64 s from the first miss
    assert lifted(table.polled(EMPTY)) == [uid_text(A)]


def test_misses_must_follow_each_other() -> None:
    table = Table()
    assert lifted(table.polled(*[SEES_A, EMPTY, EMPTY] * 100)) == []


def test_a_chip_that_misses_every_second_poll_places_once_and_lifts_never() -> None:
    table = Table()
    events = table.polled(*[SEES_A, EMPTY] * 500)
    assert events == [TagPlaced(READER, uid_text(A), TICK)]


def test_garbled_polls_are_no_absence() -> None:
    table = Table()
    assert lifted(table.polled(SEES_A, *[GARBLED] * 100, SEES_A)) == []


def test_garbled_polls_are_no_presence_either() -> None:
    table = Table()
    assert table.polled(GARBLED, GARBLED) == []
    table.polled(SEES_A, EMPTY, EMPTY, GARBLED, GARBLED)
    assert lifted(table.polled(EMPTY)) == [uid_text(A)]


def test_time_that_passed_garbled_does_not_count_as_time_away() -> None:
    table = Table(tick=1 / 64)
    table.polled(SEES_A, *[GARBLED] * 100)
    assert table.polled(EMPTY, EMPTY, EMPTY) == []


def test_one_card_after_another_is_placed_without_waiting_for_the_lift() -> None:
    table = Table()
    events = table.polled(SEES_A, SEES_B, SEES_B, SEES_B, SEES_B)
    assert placed(events) == [uid_text(A), uid_text(B)]
    assert lifted(events) == [uid_text(A)]
    assert not any(isinstance(event, SeveralTags) for event in events)


def test_with_a_settle_time_a_tag_that_passes_by_is_not_placed() -> None:
    table = Table(settle=0.3)
    assert placed(table.polled(SEES_A, SEES_A, EMPTY, EMPTY, EMPTY, EMPTY)) == []


def test_with_a_settle_time_a_tag_is_placed_when_it_has_passed() -> None:
    table = Table(tick=0.125, settle=0.25)
    assert table.polled(SEES_A, SEES_A) == []
    assert placed(table.polled(SEES_A)) == [uid_text(A)]


# Several tags


def test_two_tags_are_reported_once_and_neither_is_placed() -> None:
    table = Table()
    assert table.polled(*[BOTH] * 50) == [SeveralTags(READER, (uid_text(B), uid_text(A)), TICK)]


def test_the_order_in_which_a_chip_lists_two_tags_does_not_matter() -> None:
    table = Table()
    table.polled(BOTH)
    assert table.polled(Tags((B, A)), BOTH) == []


def test_a_chip_that_shows_two_tags_now_and_then_reports_them_once() -> None:
    table = Table()
    events = table.polled(*[BOTH, SEES_A, EMPTY] * 50)
    assert [type(event) for event in events] == [SeveralTags]


def test_when_one_of_two_is_taken_away_the_other_counts() -> None:
    table = Table()
    table.polled(BOTH)
    events = table.polled(*[SEES_A] * 10)
    assert placed(events) == [uid_text(A)]
    assert lifted(events) == []  # the other was never placed
    assert events[0].at >= table.tick + 0.25


def test_when_two_are_taken_away_together_neither_ever_counted() -> None:
    table = Table()
    assert [type(event) for event in table.polled(BOTH, SEES_A, *[EMPTY] * 20)] == [SeveralTags]


def test_a_card_laid_onto_one_that_counted_counts_when_the_first_is_taken_away() -> None:
    table = Table()
    events = table.polled(SEES_A, BOTH, BOTH, *[SEES_B] * 10)
    assert [type(event) for event in events] == [TagPlaced, SeveralTags, TagLifted, TagPlaced]
    assert placed(events) == [uid_text(A), uid_text(B)]


def test_a_card_that_counted_does_not_count_twice_for_a_neighbour_that_came_and_went() -> None:
    table = Table()
    events = table.polled(SEES_A, BOTH, BOTH, *[SEES_A] * 10)
    assert placed(events) == [uid_text(A)]


def test_a_third_tag_is_a_new_set() -> None:
    table = Table()
    table.polled(BOTH)
    [event] = table.polled(Tags((B, C)))
    assert isinstance(event, SeveralTags)
    assert set(event.uids) == {uid_text(A), uid_text(B), uid_text(C)}
    assert table.polled(BOTH, Tags((A, C)), Tags((B, C))) == []


def test_two_tags_that_come_back_after_a_clear_field_are_reported_again() -> None:
    table = Table()
    events = table.polled(BOTH, *[EMPTY] * 5, BOTH)
    assert [type(event) for event in events] == [SeveralTags, SeveralTags]


# Forgetting


def test_a_card_taken_back_can_be_played_again_at_once() -> None:
    table = Table()
    table.polled(SEES_A)
    table.presence.forget()
    assert placed(table.polled(SEES_A, SEES_A)) == [uid_text(A)]


def test_forgetting_reports_nothing_by_itself() -> None:
    table = Table()
    table.polled(SEES_A)
    table.presence.forget()
    assert table.polled(EMPTY, GARBLED) == []


def test_a_card_that_was_away_when_forgotten_is_still_lifted() -> None:
    table = Table()
    table.polled(SEES_A, EMPTY)
    table.presence.forget()
    assert [type(event) for event in table.polled(EMPTY, EMPTY, EMPTY, EMPTY)] == [TagLifted]


def test_two_tags_still_lying_are_reported_again_when_forgotten() -> None:
    table = Table()
    table.polled(BOTH)
    table.presence.forget()
    assert [type(event) for event in table.polled(BOTH, BOTH)] == [SeveralTags]


def test_forgetting_an_empty_field_places_nothing() -> None:
    table = Table()
    table.presence.forget()
    assert table.polled(EMPTY) == []


# Whatever the polls say

POLLS = st.sampled_from([EMPTY, GARBLED, SEES_A, SEES_B, SEES_C, BOTH, Tags((B, C))])


@given(st.lists(POLLS, max_size=60))
def test_placed_and_lifted_take_turns_for_each_tag(results: list[PollResult]) -> None:
    events = Table().polled(*results)
    for uid in map(uid_text, (A, B, C)):
        own = [type(event) for event in events if isinstance(event, TagPlaced | TagLifted) and event.uid == uid]
        assert own == list(itertools.islice(itertools.cycle([TagPlaced, TagLifted]), len(own)))


@given(st.lists(POLLS, max_size=60))
def test_only_a_tag_seen_alone_in_that_very_poll_is_placed(results: list[PollResult]) -> None:
    table = Table()
    for result in results:
        for uid in placed(table.polled(result)):
            assert isinstance(result, Tags)
            assert [uid_text(one) for one in result.uids] == [uid]


@given(st.lists(POLLS, max_size=60))
def test_a_field_left_empty_ends_with_everything_lifted(results: list[PollResult]) -> None:
    events = Table().polled(*results, *[EMPTY] * 10)
    assert sorted(placed(events)) == sorted(lifted(events))


# What can be proven afterwards


def test_an_event_says_at_which_poll_the_tag_was_seen_garbled_ones_counted() -> None:
    table = Table()
    [placed_a] = table.polled(EMPTY, GARBLED, SEES_A)
    [several] = table.polled(GARBLED, BOTH)
    assert isinstance(placed_a, TagPlaced)
    assert isinstance(several, SeveralTags)
    assert (placed_a.look, several.look) == (3, 5)


def test_a_tag_that_goes_without_having_counted_is_glimpsed_once_with_the_last_poll_that_saw_it() -> None:
    table = Table(known=lambda uid: False)
    events = table.polled(EMPTY, SEES_A, *[EMPTY] * 6)
    assert events == [TagGlimpsed(READER, uid_text(A), 6 * TICK)]
    assert isinstance(events[0], TagGlimpsed)
    assert events[0].look == 2


def test_a_card_that_was_too_quick_for_the_settle_time_is_glimpsed() -> None:
    table = Table(settle=0.5)
    assert table.polled(SEES_A, SEES_A, *[EMPTY] * 6) == [TagGlimpsed(READER, uid_text(A), 6 * TICK)]


def test_a_tag_of_which_something_was_told_is_not_glimpsed() -> None:
    events = Table().polled(SEES_B, *[EMPTY] * 6, BOTH, *[EMPTY] * 6)
    assert [type(event) for event in events] == [TagPlaced, TagLifted, SeveralTags]


# Touches that nobody meant


def test_a_tag_that_brushes_past_another_makes_no_two_of_them() -> None:
    table = Table(tick=0.05, settle=0.075)
    assert placed(table.polled(SEES_A, SEES_A, SEES_A)) == [uid_text(A)]
    assert table.polled(BOTH, BOTH, *[SEES_A] * 20) == [TagGlimpsed(READER, uid_text(B), 0.55, 5)]


def test_two_tags_that_stay_together_are_two_after_the_settle_time() -> None:
    table = Table(tick=0.05, settle=0.075)
    assert table.polled(BOTH, BOTH) == []
    assert [type(event) for event in table.polled(BOTH, BOTH)] == [SeveralTags]


def test_each_time_that_tags_come_together_the_settle_time_begins_anew() -> None:
    table = Table(tick=0.05, settle=0.075)
    for _ in range(5):
        assert not any(isinstance(event, SeveralTags) for event in table.polled(BOTH, BOTH, *[EMPTY] * 10))


def test_a_tag_that_brushes_past_before_the_one_that_is_meant_delays_nothing() -> None:
    table = Table(tick=0.05, settle=0.075)
    assert placed(table.polled(SEES_B, SEES_A, SEES_A)) == []
    assert placed(table.polled(SEES_A)) == [uid_text(A)]


# What lay there before

UID_A, UID_B = uid_text(A), uid_text(B)


def test_what_the_first_clean_look_sees_lay_there_before_and_nothing_that_comes_later() -> None:
    presence = Presence(READER)
    presence.feed(GARBLED, 0.0)
    presence.feed(SEES_A, 0.1)
    presence.feed(SEES_B, 0.6)
    assert presence.lay_there(UID_A)
    assert not presence.lay_there(UID_B)


def test_an_empty_field_at_first_means_that_nothing_lay_there() -> None:
    presence = Presence(READER)
    presence.feed(EMPTY, 0.0)
    presence.feed(SEES_A, 0.1)
    assert not presence.lay_there(UID_A)


def test_a_reader_that_is_not_asked_may_tell_a_little_later_what_lay_there() -> None:
    presence = Presence(READER, first_time=0.4)
    presence.feed(EMPTY, 0.0)
    presence.feed(SEES_A, 0.3)
    presence.feed(SEES_B, 0.5)
    assert presence.lay_there(UID_A)
    assert not presence.lay_there(UID_B)
