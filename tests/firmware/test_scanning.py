"""A deal that is scanned in: each seat shows its own hand at its own reader, in any order, and nothing tells a face."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from at_table import HANDS, LED, all_bots, asked, dealing_view, journal_rows, messages, pictures, seated, take_back
from lying_cards import EVERY_RULE_SET, lay, table_of
from test_loop_taps import buzzer_wire, led_wire, writes
from test_notes import notes_of

from engine.cards import Card
from engine.game import games
from engine.match import Standing, lay_table
from firmware.deal_lines import ANEW, PROGRESS
from firmware.errors import JournalError
from firmware.furnish import furnish
from firmware.reading import shows
from firmware.scanning import READ_HERE, READ_THERE, SCAN, SCANNING, Scanning
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from firmware.ways import Way
from hal.events import Button
from hal.sim.trace import Trace

ONE, TWO = ([Card(text) for text in hand.split()] for hand in HANDS[:2])
SPARE = Card("9S")
STRANGER = "0412345678AB80"


def scanning(seats: int = 2, dealer: int = 2, begun: bool = True, game: str = "pepper") -> Scanning:
    deal = Scanning(lay_table(games()[game], seats), dealer)
    if begun:
        assert deal.give("scan", dealer) is None
    return deal


def show_all(deal: Scanning, seat: int, cards: Sequence[Card]) -> None:
    for card in cards:
        assert deal.tap(card, seat) is None


def code(wrong: object) -> str:
    return getattr(wrong, "code", "")


# The deal


def test_no_card_counts_before_the_dealer_says_that_all_is_dealt() -> None:
    deal = scanning(begun=False)
    assert [code(deal.closed(seat, False)) for seat in (1, 2)] == ["before-scanning"] * 2
    assert (deal.asked(2), deal.asked(1), deal.begun) == (SCAN, None, False)
    deal.give("scan", 2)
    assert [deal.closed(seat, False) for seat in (1, 2)] == [None, None]
    assert deal.begun


def test_seats_show_their_hands_in_any_order_and_the_last_card_makes_the_deal() -> None:
    deal = scanning()
    for own, other in zip(ONE[:5], TWO[:5], strict=True):
        show_all(deal, 2, [other])
        show_all(deal, 1, [own])
    show_all(deal, 1, ONE[5:])
    before = deal.entry
    show_all(deal, 2, TWO[5:])
    entry = deal.entry
    assert before is None
    assert entry is not None
    assert (entry.dealer, entry.dealt.hands) == (2, (tuple(ONE), tuple(TWO)))


def test_the_view_of_a_deal_is_the_same_whatever_the_cards_are() -> None:
    one, other = scanning(), scanning()
    show_all(one, 1, ONE[:4])
    show_all(other, 1, TWO[2:])
    assert one.view() == other.view()
    assert one.view().counts == (4, 0)


@pytest.mark.parametrize("pad", [True, False])
def test_no_common_reader_takes_a_card_of_a_hand_but_what_lies_open(pad: bool) -> None:
    deal = scanning(game="possession")
    assert code(deal.closed(None, pad)) == "own-reader"
    lying = lay(Random(1), deal.table, 2)
    for seat, hand in enumerate(lying.hands, 1):
        show_all(deal, seat, hand)
    assert deal.wanted == "turn-up"
    assert deal.closed(None, pad) is None


def test_a_turn_up_is_the_dealer_s_to_show_and_another_card_at_another_seat_is_one_too_many() -> None:
    deal = scanning(game="possession")
    lying = lay(Random(1), deal.table, 2)
    for seat, hand in enumerate(lying.hands, 1):
        show_all(deal, seat, hand)
    (_, card) = lying.shown[0]
    assert code(deal.tap(card, 1)) == "hand-full"
    assert deal.wanted == "turn-up"
    assert deal.tap(card, 2) is None
    entry = deal.entry
    assert entry is not None
    assert entry.dealt.turn_up == (card,)


def test_while_a_card_lies_open_no_hand_changes_and_only_the_dealer_withdraws_it() -> None:
    deal = Scanning(lay_table(games()["vazhushal"], 2, "wipe"), 2)
    deal.give("scan", 2)
    lying = lay(Random(1), deal.table, 2)
    for seat, hand in enumerate(lying.hands, 1):
        show_all(deal, seat, hand)
    show_all(deal, 2, [lying.shown[0][1]])
    assert not deal.back(1)
    assert deal.back(2)
    assert deal.view().wanted == "buried"
    assert deal.back(1)
    assert deal.view().wanted is None
    assert deal.view().counts == (12, 13)


# Taking back


def test_each_seat_withdraws_its_own_last_card() -> None:
    deal = scanning()
    show_all(deal, 1, ONE[:2])
    show_all(deal, 2, TWO[:2])
    assert deal.back(1)
    assert deal.view().counts == (1, 2)
    assert deal.tap(ONE[0], 1) is not None
    assert deal.tap(ONE[1], 1) is None
    assert [deal.back(2) for _ in range(2)] == [True, True]
    assert deal.view().counts == (2, 0)


def test_only_the_dealer_leaves_the_scanning_and_only_while_no_card_was_read() -> None:
    deal = scanning()
    show_all(deal, 1, ONE[:1])
    assert not deal.back(2)
    assert deal.back(1)
    assert not deal.back(1)
    assert deal.back(2)
    assert not deal.begun


# Misdeals


def test_a_card_more_than_its_number_is_told_at_that_seat_and_counts_nowhere() -> None:
    deal = scanning()
    show_all(deal, 1, ONE)
    wrong = deal.tap(SPARE, 1)
    assert (code(wrong), deal.view().counts) == ("hand-full", (6, 0))
    assert deal.tap(SPARE, 2) is None


def test_who_goes_on_while_cards_miss_is_told_which_seats_miss_how_many() -> None:
    deal = scanning(seats=3)
    show_all(deal, 2, TWO)
    show_all(deal, 1, ONE[:4])
    for seat in (1, 3):
        wrong = deal.give("go-on", seat)
        assert wrong is not None
        assert dict(wrong.facts) == {"missing": ((1, 2), (3, 6))}


def test_a_card_that_the_same_seat_shows_twice_is_no_fault_and_the_next_one_goes_on() -> None:
    deal = scanning()
    show_all(deal, 1, ONE[:3])
    wrong = deal.tap(ONE[1], 1)
    assert wrong is not None
    assert (wrong.code, wrong.bad, dict(wrong.facts)) == ("read-here", False, {"place": 2})
    assert (deal.asked(1), deal.view().counts) == (READ_HERE, (3, 0))
    show_all(deal, 1, ONE[3:4])
    assert (deal.asked(1), deal.view().counts) == (SCANNING, (4, 0))


def test_a_seat_that_lost_count_shows_its_whole_hand_anew_and_no_other_does() -> None:
    deal = scanning()
    show_all(deal, 1, ONE[:3])
    show_all(deal, 2, TWO[:2])
    deal.tap(ONE[1], 1)
    assert deal.give("scan-anew", 1) is None
    assert deal.view().counts == (0, 2)
    show_all(deal, 1, ONE)


def test_a_card_that_was_read_at_another_seat_is_asked_about() -> None:
    deal = scanning()
    show_all(deal, 1, ONE[:3])
    wrong = deal.tap(ONE[1], 2)
    assert wrong is not None
    assert (wrong.code, wrong.bad, dict(wrong.facts)) == ("read-there", True, {"seat": 1})
    assert (deal.asked(2), deal.asked(1)) == (READ_THERE, SCANNING)
    assert deal.waits(2)


@pytest.mark.parametrize(("answer", "counts"), [("mine", (2, 1)), ("go-on", (3, 0))])
def test_it_counts_where_its_seat_says_that_it_is(answer: str, counts: tuple[int, int]) -> None:
    deal = scanning()
    show_all(deal, 1, ONE[:3])
    deal.tap(ONE[1], 2)
    assert deal.give(answer, 2) is None
    assert deal.view().counts == counts
    told = [(seat, text.code) for seat, text in deal.told()]
    assert told == ([(1, "moved-away")] if answer == "mine" else [])
    assert deal.told() == []


def test_a_full_hand_takes_over_no_card() -> None:
    deal = scanning()
    show_all(deal, 2, TWO)
    show_all(deal, 1, ONE[:1])
    deal.tap(ONE[0], 2)
    assert code(deal.give("mine", 2)) == "hand-full"
    assert deal.view().counts == (1, 6)


def test_a_doubt_ends_when_the_card_is_withdrawn_where_it_was_read() -> None:
    deal = scanning()
    show_all(deal, 1, ONE[:1])
    deal.tap(ONE[0], 2)
    assert deal.back(1)
    assert deal.asked(2) == PROGRESS
    assert deal.tap(ONE[0], 2) is None


def test_a_hold_leaves_the_doubt_and_withdraws_the_last_card() -> None:
    deal = scanning()
    show_all(deal, 1, ONE[:2])
    deal.tap(ONE[0], 1)
    assert deal.back(1)
    assert (deal.asked(1), deal.view().counts) == (SCANNING, (1, 0))


def test_a_card_of_another_game_is_refused() -> None:
    deal = scanning()
    assert code(deal.tap(Card("2C"), 1)) == "not-of-this-game"
    assert deal.view().counts == (0, 0)


# At the table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SimulatedTable]:
    """Pepper for two with a reader at each seat and no pad; seat 2 deals and has said that all is dealt."""
    with seated(tmp_path, seats=2, deal="scan-in") as table:
        table.choose(2, "scan")
        yield table


def hold_back(table: SimulatedTable, seat: int) -> None:
    table.hold(seat, Button.LEFT)
    table.release(seat, Button.LEFT)


def with_pad(seats: int = 2) -> TableFile:
    """A table that is scanned in, though it has a pad."""
    return furnish("pepper", seats, dealer=seats)._replace(deal=Way.SCAN_IN)


@pytest.mark.few(1)
@pytest.mark.parametrize(("game", "rules"), EVERY_RULE_SET)
def test_every_game_is_scanned_in_and_is_one_entry(tmp_path: Path, game: str, rules: str) -> None:
    with table_of(tmp_path, game, 2, rules=rules, deal="scan-in") as table:
        lying = lay(Random(3), table.file.table, 1)
        table.deal(lying.hands)
        for _, card in lying.shown:
            assert journal_rows(table.journal_file) == []
            table.turn_up(card)
        assert len(journal_rows(table.journal_file)) == 1
        assert table.match.standing is Standing.RUNNING
        assert shows(table.picture(1), "Seat 1 deals") is False


def test_the_way_is_shown_before_the_first_card_and_the_own_count_while_scanning(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, deal="scan-in") as table:
        assert shows(table.picture(2), "All dealt?")
        assert all(shows(table.picture(seat), "cards at its reader") for seat in (1, 2))
        table.choose(2, "scan")
        for card in ONE[:4]:
            table.tap(1, card)
        assert shows(table.picture(1), "4 of 6")
        assert shows(table.picture(2), "0 of 6")
        assert all(shows(table.picture(seat), "Missing 1:2 2:6") for seat in (1, 2))
        for card in ONE[4:]:
            table.tap(1, card)
        assert shows(table.picture(1), "your hand is read")
        assert shows(table.picture(1), "Missing 2:6")


def test_a_tap_at_another_seat_is_that_seat_s_card_until_it_says_otherwise(table: SimulatedTable) -> None:
    table.tap(2, ONE[0])  # a slip: it is seat 1's
    assert dealing_view(table).counts == (0, 1)
    table.tap(1, ONE[0])
    assert messages(table, 1) == ["read-there"]
    assert shows(table.picture(1), "Read at seat 2")
    table.press(1, Button.OK)
    assert asked(table, 1) == READ_THERE
    table.choose(1, "mine")
    assert dealing_view(table).counts == (1, 0)
    assert shows(table.picture(2), "One card less")


def test_each_seat_withdraws_its_own_last_card_by_holding_back(table: SimulatedTable) -> None:
    table.tap(1, ONE[0])
    table.tap(2, TWO[0])
    hold_back(table, 1)
    assert dealing_view(table).counts == (0, 1)
    assert shows(table.picture(1), "Withdrawn")


def test_a_card_at_the_pad_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with SimulatedTable(with_pad(), tmp_path / "journal.db") as table:
        table.choose(2, "scan")
        table.tap("dealing", ONE[0])
        assert messages(table, 2) == ["own-reader"]
        assert shows(table.picture(2), "your own reader")
        assert dealing_view(table).counts == (0, 0)


def test_messages_of_one_seat_stay_while_another_goes_on(table: SimulatedTable) -> None:
    table.tap(1, STRANGER)
    table.tap(2, TWO[0])
    assert shows(table.picture(1), "Unknown card")
    table.tap(1, ONE[0])
    assert not shows(table.picture(1), "Unknown card")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("card", "said"),
    [(STRANGER, "unknown-tag"), (Card("9C"), "read-here"), (Card("AC"), "read-there"), (Card("9S"), "hand-full")],
)
def test_every_misdeal_is_told_at_its_seat_alone(table: SimulatedTable, card: Card | str, said: str) -> None:
    table.tap(2, Card("AC"))
    for own in ONE:
        table.tap(1, own)
    before = pictures(table)[2]
    table.tap(1, card)
    assert (messages(table, 1), messages(table, 2)) == ([said], [])
    assert pictures(table)[2] == before
    assert dealing_view(table).counts == (6, 1)


def test_ok_says_who_misses_how_many_and_what_to_do_with_an_unreadable_card(table: SimulatedTable) -> None:
    for card in ONE:
        table.tap(1, card)
    table.choose(2, "go-on")
    assert messages(table, 2) == ["missing"]
    assert shows(table.picture(2), "Missing 2:6")
    assert shows(table.picture(2), "Unreadable?")
    assert shows(table.picture(2), "deal anew")


def test_the_light_is_on_where_cards_are_missing(table: SimulatedTable) -> None:
    table.wait(1.0)
    assert [table.wires.lit(seat) for seat in (1, 2)] == [True, True]
    for card in ONE:
        table.tap(1, card)
    table.wait(1.0)
    assert [table.wires.lit(seat) for seat in (1, 2)] == [False, True]


def test_after_a_restart_the_dealer_begins_again(table: SimulatedTable) -> None:
    table.tap(1, ONE[0])
    table.restart()
    assert dealing_view(table).counts == (0, 0)
    assert not dealing_view(table).begun


def test_a_deal_that_cannot_be_kept_waits_for_its_last_card_once_more(table: SimulatedTable) -> None:
    async def full(text: str, stood: str = "") -> None:
        raise JournalError("the disk is full")

    for seat, cards in ((1, ONE), (2, TWO[:5])):
        for card in cards:
            table.tap(seat, card)
    with patch.object(table.journal, "append", full):
        table.tap(2, TWO[5])
    assert messages(table, 2) == ["not-saved"]
    assert dealing_view(table).counts == (6, 5)
    table.tap(2, TWO[5])
    assert table.match.standing is Standing.RUNNING


def test_a_deal_without_actions_is_taken_back_and_scanned_in_again(table: SimulatedTable) -> None:
    table.deal([ONE, TWO])
    take_back(table, 2)
    assert not dealing_view(table).begun
    table.deal([TWO, ONE])
    assert [text.split("\n")[0] for _, text in journal_rows(table.journal_file)] == ["deal 2", "2 undo", "deal 2"]


# Deal anew


@pytest.mark.parametrize("deal", ["pad", "scan-in"])
def test_the_dealer_deals_anew_all_is_forgotten_and_the_journal_says_so(tmp_path: Path, deal: str) -> None:
    with seated(tmp_path, seats=2, deal=deal) as table:
        if deal == "scan-in":
            table.choose(2, "scan")
        table.tap(1 if deal == "scan-in" else "dealing", ONE[0])
        table.choose(2, ANEW)
        assert (dealing_view(table).counts, dealing_view(table).dealer, dealing_view(table).begun) == ((0, 0), 2, False)
        assert all(shows(table.picture(seat), "Misdeal") for seat in (1, 2))
        rows = [text for _, text in journal_rows(table.journal_file)]
        assert rows == ["# misdeal: seat 2 deals anew; read: seat 1 1 of 6, seat 2 0 of 6"]
        for seat in (1, 2):
            table.press(seat, Button.OK)
        table.deal([ONE, TWO])
        assert table.match.standing is Standing.RUNNING
        assert table.match.dealer == 2


def test_the_menu_of_the_dealer_offers_it_while_a_deal_is_in_progress_and_no_other_does(table: SimulatedTable) -> None:
    table.tap(1, ONE[0])
    hold_back(table, 2)
    assert "deal-anew" in asked(table, 2).choices
    table.tap(2, TWO[0])
    assert "deal-anew" in asked(table, 2).choices  # a card does not close it
    table.choose(2, ANEW)
    assert dealing_view(table).counts == (0, 0)
    hold_back(table, 2)
    assert "deal-anew" not in asked(table, 2).choices


def test_a_card_that_is_dealt_closes_what_the_dealer_had_opened(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        table.tap("dealing", ONE[0])
        table.press(2, Button.RIGHT)
        assert shows(table.picture(2), "deal anew")
        table.tap("dealing", ONE[1])
        assert not shows(table.picture(2), "deal anew")
        assert dealing_view(table).counts == (1, 1)


def test_over_the_pad_too_the_dealer_is_told_what_is_missing(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        for card in ONE[:3]:
            table.tap("dealing", card)
        table.choose(2, "go-on")
        assert messages(table, 2) == ["missing"]
        assert shows(table.picture(2), "Missing 1:4 2:5")


def test_a_misdeal_that_cannot_be_kept_forgets_nothing(table: SimulatedTable) -> None:
    async def full(text: str, stood: str = "") -> None:
        raise JournalError("the disk is full")

    table.tap(1, ONE[0])
    with patch.object(table.journal, "append", full):
        table.choose(2, ANEW)
    assert messages(table, 2) == ["not-saved"]
    assert dealing_view(table).counts == (1, 0)


def test_a_second_misdeal_before_any_card_leaves_the_record_readable(table: SimulatedTable) -> None:
    for _ in range(2):
        table.choose(2, ANEW)
        table.press(2, Button.OK)
        table.choose(2, "scan")
    table.restart()
    assert [text.split(":")[0] for _, text in journal_rows(table.journal_file)] == ["# misdeal", "# misdeal"]
    assert table.match.standing is Standing.BEFORE


# Shuffling over readers between deals


WAYS = [("pad", 2), ("scan-in", 1), ("concealed", 1)]


@pytest.mark.few(1)
@pytest.mark.parametrize(("deal", "place"), WAYS)
def test_cards_that_are_gathered_over_a_seat_s_reader_make_no_sound_no_light_and_no_text(
    tmp_path: Path, deal: str, place: int
) -> None:
    trace = Trace()
    with seated(tmp_path, seats=2, deal=deal, trace=trace) as table:
        table.wait(3.0)
        mark, before = trace.seq, (pictures(table), dealing_view(table))
        for card in (ONE[0], STRANGER, ONE[1], ONE[2]):
            table.tap(place, card)
        table.wires.place(table.reader(place), table.uid(ONE[0]))
        table.wires.place(table.reader(place), table.uid(ONE[1]))
        table.wait(2.0)
        assert (pictures(table), dealing_view(table)) == before
        assert [writes(trace, mark, wire) for wire in (led_wire(table, place), buzzer_wire(table))] == [[], []]
        assert "one-at-a-time" in messages(table, place)
        assert len({note.what for _, note in notes_of(table)}) == 3  # all the same the journal has them


@pytest.mark.parametrize(
    "entries",
    [("deal 2", "1 pass", "2 pass"), ("deal 2", "1 pass", "2 pass", "director score 1 = 31")],
    ids=["between deals", "over"],
)
def test_the_cards_of_a_deal_or_of_a_match_that_has_ended_are_gathered_in_silence(
    tmp_path: Path, entries: tuple[str, ...]
) -> None:
    trace = Trace()
    with seated(tmp_path, entries, seats=2, tracked=False, trace=trace) as table:
        assert table.match.standing in (Standing.BETWEEN, Standing.OVER)
        table.wait(3.0)
        mark, before = trace.seq, pictures(table)
        for place in (1, 2, "dealing"):
            table.tap(place, ONE[0])
            table.tap(place, STRANGER)
        table.wait(1.0)
        assert pictures(table) == before
        assert writes(trace, mark, buzzer_wire(table)) == []


@pytest.mark.parametrize("deal", ["pad", "scan-in"])
def test_once_the_deal_is_in_progress_a_wrong_card_is_heard(tmp_path: Path, deal: str) -> None:
    trace = Trace()
    with seated(tmp_path, seats=2, deal=deal, trace=trace) as table:
        if deal == "scan-in":
            table.choose(2, "scan")
        else:
            table.tap("dealing", ONE[0])
        table.wait(2.0)
        mark = trace.seq
        table.tap(1, STRANGER)
        table.wait(1.0)
        assert writes(trace, mark, buzzer_wire(table)) != []


def test_a_first_card_of_a_stranger_at_the_pad_is_heard_and_a_pile_there_is_not(tmp_path: Path) -> None:
    trace = Trace()
    with seated(tmp_path, seats=2, trace=trace) as table:
        mark = trace.seq
        for card in ONE[:2]:
            table.wires.place(table.reader("dealing"), table.uid(card))
        table.wait(2.0)
        assert messages(table, 2) == ["one-at-a-time"]
        assert writes(trace, mark, buzzer_wire(table)) == []
        assert shows(table.picture(2), "One card only")
        table.lift("dealing")
        table.tap("dealing", STRANGER)
        table.wait(1.0)
        assert messages(table, 2)[-1] == "unknown-tag"
        assert writes(trace, mark, buzzer_wire(table)) != []


def test_in_a_trick_a_wrong_card_is_heard_as_before(tmp_path: Path) -> None:
    trace = Trace()
    with seated(tmp_path, LED, trace=trace) as table:
        mark = trace.seq
        table.tap(2, STRANGER)
        table.wait(1.0)
        assert writes(trace, mark, buzzer_wire(table)) != []


# Secrecy


def wires_while_scanning(folder: Path, hand: Sequence[Card], seat: int) -> list[tuple[str, str, bytes | int]]:
    """What passes the display and the LED of a seat, and the buzzer, while the other scans a hand and errs."""
    folder.mkdir()
    trace = Trace()
    with seated(folder, seats=2, deal="scan-in", trace=trace) as table:
        display = table.file.wiring.seats[seat - 1].display
        assert display is not None
        wires = (f"i2c-{display.bus} {display.address:02X}", led_wire(table, seat), buzzer_wire(table))
        table.choose(2, "scan")
        table.tap(seat, SPARE)
        for card in hand:
            table.tap(3 - seat, card)
        table.tap(3 - seat, hand[0])
        table.tap(3 - seat, Card("9D"))
        hold_back(table, 3 - seat)
        table.tap(3 - seat, hand[-1])
        return [(entry.wire, entry.what, entry.data) for entry in trace if entry.wire in wires]


@pytest.mark.few(1)
@pytest.mark.parametrize("seat", [1, 2])
def test_what_a_seat_scans_puts_the_same_bytes_on_the_wires_of_another(tmp_path: Path, seat: int) -> None:
    one = wires_while_scanning(tmp_path / "one", ONE, seat)
    other = wires_while_scanning(tmp_path / "other", TWO[::-1], seat)
    assert one == other
    assert sum(wire.startswith("i2c") for wire, _, _ in one) > 6


# Bots


@pytest.mark.few(1)
@pytest.mark.parametrize("game", ["pepper", "possession", "vazhushal"])
def test_bots_scan_their_hands_in_and_play_on(tmp_path: Path, game: str) -> None:
    with table_of(tmp_path, game, 2, deal="scan-in") as table:
        bench = all_bots(table, mistakes=0.5)
        bench.play_until(lambda: table.match.standing is Standing.RUNNING and table.match.step > 2, 600.0)
        assert journal_rows(table.journal_file)[0][1].startswith("deal 1")


def test_a_scan_that_a_button_began_before_all_was_dealt_is_dealt_first(tmp_path: Path) -> None:
    with table_of(tmp_path, "pepper", 2, deal="scan-in") as table:
        table.choose(1, "scan")  # nobody holds a card yet
        bench = all_bots(table)
        bench.play_until(lambda: table.match.standing is Standing.RUNNING, 120.0)


def test_a_dealer_whose_seats_showed_what_was_not_dealt_deals_anew(tmp_path: Path) -> None:
    with table_of(tmp_path, "pepper", 2, deal="scan-in") as table:
        table.choose(1, "scan")
        table.tap(2, ONE[0])
        bench = all_bots(table)
        bench.play_until(lambda: table.match.standing is Standing.RUNNING, 120.0)
        assert journal_rows(table.journal_file)[0][1].startswith("# misdeal: seat 1 deals anew")
