"""A deal over the dealing pad: card by card, silent about faces, and undone card by card."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from at_table import HANDS, bare, dealing_view, journal_rows, messages, pictures, seated

from engine.cards import Card
from engine.game import games
from engine.match import Standing, Table, lay_table
from firmware.dealing import DOUBT, Dealing
from firmware.reading import shows
from firmware.simulated import SimulatedTable
from firmware.words import Length
from hal.events import Button

CARDS = [Card(text) for text in HANDS[0].split() + HANDS[1].split()]


def dealing(tracked: bool = True, seats: int = 2, dealer: int = 2) -> Dealing:
    return Dealing(lay_table(games()["pepper"], seats, tracked=tracked), dealer)


def tap_all(deal: Dealing, cards: Sequence[Card]) -> None:
    for card in cards:
        assert deal.tap(card) is None


def test_cards_go_round_from_the_dealers_left() -> None:
    deal = dealing(seats=4, dealer=2)
    following = []
    for card in CARDS[:5]:
        following.append(deal.view().next_seat)
        deal.tap(card)
    assert following == [3, 4, 1, 2, 3]


def test_the_deal_is_an_entry_when_the_last_card_has_been_read_and_not_before() -> None:
    deal = dealing()
    tap_all(deal, CARDS[:11])
    before = deal.entry
    deal.tap(CARDS[11])
    entry = deal.entry
    assert before is None
    assert entry is not None
    assert entry.dealer == 2
    assert entry.dealt.hands == (tuple(CARDS[::2]), tuple(CARDS[1::2]))


def test_every_seat_count_and_rule_set_deals_as_many_cards_as_the_game_says() -> None:
    pack = games()["pepper"].pack(lay_table(games()["pepper"], 2).rules)
    for seats in (2, 3, 4):
        for rules in ("standard", "bowers"):
            table: Table = lay_table(games()["pepper"], seats, rules)
            deal = Dealing(table, 1)
            count = deal.view().size * seats
            tap_all(deal, list(pack)[:count])
            assert deal.entry is not None
            assert [len(hand or ()) for hand in deal.entry.dealt.hands] == [deal.view().size] * seats


def test_a_card_that_was_dealt_already_is_refused_with_the_seat_that_has_it() -> None:
    deal = dealing()
    tap_all(deal, CARDS[:2])
    wrong = deal.tap(CARDS[0])
    assert wrong is not None
    assert (wrong.code, dict(wrong.facts)["seat"], wrong.bad) == ("dealt-already", 1, True)
    assert deal.view().counts == (1, 1)


def test_a_card_that_the_game_does_not_use_is_refused() -> None:
    wrong = dealing().tap(Card("2C"))
    assert wrong is not None
    assert wrong.code == "not-of-this-game"


def test_the_last_card_can_be_withdrawn_and_dealt_again() -> None:
    deal = dealing()
    tap_all(deal, CARDS[:2])
    assert deal.back()
    assert deal.view().counts == (1, 0)
    assert deal.tap(CARDS[1]) is None


def test_there_is_nothing_to_withdraw_before_the_first_card() -> None:
    assert not dealing().back()


def test_the_view_of_a_deal_is_the_same_whatever_the_cards_are() -> None:
    one, other = dealing(), dealing()
    tap_all(one, CARDS[:7])
    tap_all(other, CARDS[::-1][:7])
    assert one.view() == other.view()


def test_a_concealed_deal_is_done_when_the_dealer_says_so() -> None:
    deal = dealing(tracked=False)
    assert deal.view().next_seat == 0
    before = deal.entry
    assert before is None
    assert deal.give("dealt") is None
    entry = deal.entry
    assert entry is not None
    assert entry.dealt.hands == (None, None)


def test_a_dealer_who_was_too_quick_takes_it_back() -> None:
    deal = dealing(tracked=False)
    deal.give("dealt")
    assert deal.back()
    assert deal.entry is None
    assert not deal.back()


# At the table


def test_a_deal_over_the_pad_becomes_one_entry_when_it_is_complete(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        for card in CARDS[:11]:
            table.tap("dealing", card)
        assert journal_rows(table.journal_file) == []
        table.tap("dealing", CARDS[11])
        rows = journal_rows(table.journal_file)
        assert [text.split("\n")[0] for _, text in rows] == ["deal 2"]
        assert table.match.standing is Standing.RUNNING


def dealt_pictures(tmp_path: Path, name: str, cards: Sequence[Card]) -> list[dict[int, bytes]]:
    """What the displays show after each of these cards."""
    shown = []
    folder = tmp_path / name
    folder.mkdir()
    with seated(folder, seats=2) as table:
        for card in cards:
            table.tap("dealing", card)
            shown.append(pictures(table))
    return shown


def test_no_display_depends_on_which_cards_are_dealt(tmp_path: Path) -> None:
    one = dealt_pictures(tmp_path, "one", CARDS[:4])
    other = dealt_pictures(tmp_path, "other", CARDS[:7:-1])
    assert one == other
    assert one[0] != one[1]


def test_a_card_dealt_twice_is_told_to_the_dealer_alone_and_not_counted(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        table.tap("dealing", CARDS[0])
        before = pictures(table)
        table.tap("dealing", CARDS[0])
        assert messages(table, 2) == ["dealt-already"]
        assert pictures(table)[1] == before[1]
        assert shows(table.picture(2), "Card dealt twice")
        assert dealing_view(table).counts == (1, 0)


def test_a_card_left_on_the_pad_is_dealt_once(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        table.place("dealing", CARDS[0])
        table.wait(5.0)
        assert dealing_view(table).counts == (1, 0)
        assert messages(table, 2) == []


def test_a_card_at_another_reader_is_not_dealt(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        table.tap(1, CARDS[0])
        assert messages(table, 1) == ["still-dealing"]
        assert sum(dealing_view(table).counts) == 0


def hold_back(table: SimulatedTable, seat: int) -> None:
    table.hold(seat, Button.LEFT)
    table.release(seat, Button.LEFT)


def test_the_dealer_withdraws_the_last_card_by_holding_back_and_nobody_else_does(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        table.tap("dealing", CARDS[0])
        hold_back(table, 1)
        assert dealing_view(table).counts == (1, 0)
        hold_back(table, 2)
        assert dealing_view(table).counts == (0, 0)
        assert shows(table.picture(2), "Withdrawn")
        table.tap("dealing", CARDS[0])
        assert dealing_view(table).counts == (1, 0)


def test_what_was_half_dealt_is_lost_at_a_restart(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        table.tap("dealing", CARDS[0])
        table.restart()
        assert dealing_view(table).counts == (0, 0)
        assert shows(table.picture(1), "Restarted")


def test_cards_beyond_a_complete_deal_are_not_dealt(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        table.deal([CARDS[:6], CARDS[6:]])
        before = bare(table.match)
        table.tap("dealing", Card("9S"))
        assert messages(table, 2) == ["pad-is-for-dealing"]
        assert bare(table.match) == before


# Concealed


def test_the_dealer_of_a_concealed_deal_says_when_all_is_dealt(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, tracked=False, readers="none") as table:
        assert shows(table.picture(2), "All dealt?")
        table.press(1, Button.OK)
        asked = table.match.standing
        assert asked is Standing.BEFORE
        table.press(2, Button.OK)
        assert table.match.standing is Standing.RUNNING
        assert journal_rows(table.journal_file) == [(1, "deal 2")]


@pytest.mark.parametrize("place", ["dealing", 1])
def test_a_card_shown_while_a_concealed_deal_is_dealt_begins_no_play(tmp_path: Path, place: int | str) -> None:
    with seated(tmp_path, seats=2, tracked=False) as table:
        table.tap(place, CARDS[0])
        assert table.match.standing is Standing.BEFORE
        assert messages(table, 1 if place == 1 else 2) == ["seat-deals"]


def test_a_concealed_hand_is_not_known_to_the_table_and_peeking_says_so(tmp_path: Path) -> None:
    with seated(tmp_path, ["deal 2"], seats=2, tracked=False) as table:
        table.hold(1, Button.RIGHT)
        assert shows(table.picture(1), table.loop.words.table("more-unknown", Length.OLED, count=6))
        table.release(1, Button.RIGHT)


def test_in_a_concealed_deal_a_card_is_known_when_it_is_played(tmp_path: Path) -> None:
    with seated(tmp_path, ["deal 2", "1 bid 1", "2 pass", "1 trump H"], seats=2, tracked=False) as table:
        table.tap(1, Card("9C"))
        table.tap(2, Card("9C"))
        assert messages(table, 2) == ["not-in-hand"]
        table.tap(2, Card("AC"))
        assert [text for _, text in journal_rows(table.journal_file)][-2:] == ["1 play 9C", "2 play AC"]


# A card that seems to be dealt twice: both reads are in doubt


def test_a_card_read_twice_is_told_with_where_and_when_it_was_read_first() -> None:
    deal = dealing(seats=4, dealer=4)
    tap_all(deal, CARDS[:7])
    wrong = deal.tap(CARDS[5])
    assert wrong is not None
    assert dict(wrong.facts) == {"seat": 2, "place": 2, "back": 2}


def test_the_earlier_card_shown_again_is_what_it_says_now_and_the_other_one_counts() -> None:
    deal = dealing()
    tap_all(deal, [CARDS[0], CARDS[9], CARDS[2]])  # the second was CARDS[1], and was misread
    assert deal.tap(CARDS[9]) is not None
    asked = deal.question
    assert asked is DOUBT
    assert deal.give("show-again") is None
    asked = deal.question
    assert asked is None
    assert deal.view().again == (2, 1)
    assert deal.tap(CARDS[1]) is None
    assert (deal.view().again, deal.view().counts) == (None, (2, 1))
    tap_all(deal, [CARDS[9], *CARDS[3:9], CARDS[10], CARDS[11]])
    entry = deal.entry
    assert entry is not None
    assert set(entry.dealt.hands[1] or ()) >= {CARDS[1], CARDS[9]}


def test_an_earlier_card_that_says_the_same_again_stays_and_the_deal_goes_on() -> None:
    deal = dealing()
    tap_all(deal, CARDS[:3])
    deal.tap(CARDS[1])
    deal.give("show-again")
    assert deal.tap(CARDS[1]) is None
    assert (deal.view().again, deal.view().counts) == (None, (2, 1))
    assert deal.question is None


def test_another_card_of_the_deal_is_not_taken_for_the_one_in_doubt() -> None:
    deal = dealing()
    tap_all(deal, CARDS[:3])
    deal.tap(CARDS[1])
    deal.give("show-again")
    wrong = deal.tap(CARDS[2])
    assert wrong is not None
    assert dict(wrong.facts) == {"seat": 1, "place": 2, "back": 1}
    assert deal.view().again == (2, 1)


@pytest.mark.parametrize("how", ["go on", "the next card", "withdraw"])
def test_a_doubt_that_nobody_follows_is_over_with_the_next_step(how: str) -> None:
    deal = dealing()
    tap_all(deal, CARDS[:3])
    deal.tap(CARDS[1])
    if how == "go on":
        deal.give("go-on")
    elif how == "withdraw":
        deal.back()
    else:
        deal.tap(CARDS[4])
    assert deal.question is None
    assert deal.view().again is None


def test_at_the_table_the_dealer_shows_the_earlier_card_again(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        for card in (CARDS[9], CARDS[1], CARDS[9]):
            table.tap("dealing", card)
        assert shows(table.picture(2), "Card 1 of seat 1")
        table.press(2, Button.OK)
        assert shows(table.picture(2), "Read twice")
        table.choose(2, "show-again")
        assert all(shows(table.picture(seat), "Seat 1, card 1") for seat in (1, 2))
        table.tap("dealing", CARDS[0])
        table.tap("dealing", CARDS[9])
        assert dealing_view(table).counts == (2, 1)


def test_what_the_dealer_began_to_check_can_be_left(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        for card in (CARDS[0], CARDS[1], CARDS[0]):
            table.tap("dealing", card)
        table.choose(2, "show-again")
        hold_back(table, 2)
        assert dealing_view(table).again is None
        assert dealing_view(table).counts == (1, 1)


def test_no_display_depends_on_what_a_card_that_is_shown_again_turns_out_to_be(tmp_path: Path) -> None:
    shown = []
    for name, again in (("same", CARDS[0]), ("other", CARDS[7])):
        folder = tmp_path / name
        folder.mkdir()
        with seated(folder, seats=2) as table:
            for card in (CARDS[0], CARDS[1], CARDS[0]):
                table.tap("dealing", card)
            table.choose(2, "show-again")
            table.tap("dealing", again)
            shown.append(pictures(table))
    assert shown[0] == shown[1]
