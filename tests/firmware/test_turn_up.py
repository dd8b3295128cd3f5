"""Cards that a deal shows once the hands are dealt: a turn-up, and the card under the stock."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from at_table import asked, dealing_view, journal_rows, messages, pictures, take_back
from lying_cards import RULE_SETS, Lying, deal_cards, deal_hands, lay, table_of

from engine.cards import CARDS, COPIES, PLAIN, Card
from engine.game import games
from engine.match import Standing, lay_table
from engine.values import Refusal
from firmware.dealing import DEALT, Dealing
from firmware.errors import JournalError
from firmware.reading import shows
from firmware.seatview import PICK
from firmware.simulated import SimulatedTable
from hal.events import Button

JOKERS = [CARDS[number] for number in COPIES[Card("JK")]]


def dealing(game: str, seats: int = 2, rules: str = "standard", tracked: bool = True, **options: bool | str) -> Dealing:
    return Dealing(lay_table(games()[game], seats, rules, tracked, options), 1)


def hands_dealt(deal: Dealing, seed: int = 1) -> tuple[Dealing, list[Card]]:
    """The deal after its hands, and what is left of the pack; no joker was dealt."""
    table = deal.table
    pack = list(table.game.pack(table.rules))
    if not table.tracked:
        assert deal.give("dealt") is None
        return deal, pack
    plain = [card for card in pack if card not in JOKERS]
    Random(seed).shuffle(plain)
    while deal.view().next_seat:
        assert deal.tap(plain.pop()) is None
    return deal, [*plain, *(card for card in pack if card in JOKERS)]


# What is wanted


@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
@pytest.mark.parametrize("tracked", [True, False])
def test_no_card_is_wanted_while_the_hands_are_dealt(game: str, rules: str, tracked: bool) -> None:
    deal = dealing(game, rules=rules, tracked=tracked)
    assert deal.wanted is None
    assert deal.view().wanted is None
    dealt, _ = hands_dealt(deal)
    assert dealt.wanted is not None
    assert dealt.view().wanted == dealt.wanted
    assert dealt.entry is None


def test_the_turn_up_completes_the_deal_of_possession() -> None:
    deal, left = hands_dealt(dealing("possession"))
    assert deal.wanted == "turn-up"
    assert deal.tap(left[0]) is None
    entry = deal.entry
    assert entry is not None
    assert (entry.dealer, entry.dealt.turn_up, entry.dealt.buried) == (1, (left[0],), None)
    assert [len(hand or ()) for hand in entry.dealt.hands] == [9, 9]


def test_a_joker_that_is_turned_up_is_followed_by_another_card() -> None:
    """Rule 3: it goes back into the stock, and the next card is turned."""
    deal, left = hands_dealt(dealing("vazhushal"))
    for card in (JOKERS[1], JOKERS[0]):
        assert deal.tap(card) is None
        assert deal.wanted == "turn-up"
        assert deal.entry is None
    assert deal.tap(left[0]) is None
    entry = deal.entry
    assert entry is not None
    assert entry.dealt.turn_up == (JOKERS[1], JOKERS[0], left[0])


def test_the_card_under_the_stock_comes_before_the_turn_up() -> None:
    """Rule 11."""
    deal, left = hands_dealt(dealing("vazhushal", rules="wipe"))
    wanted = [deal.wanted]
    for card in left[:2]:
        assert deal.tap(card) is None
        wanted.append(deal.wanted)
    entry = deal.entry
    assert wanted == ["buried", "turn-up", None]
    assert entry is not None
    assert (entry.dealt.buried, entry.dealt.turn_up) == (left[0], (left[1],))


def test_a_joker_under_the_stock_is_no_turned_joker() -> None:
    deal, left = hands_dealt(dealing("vazhushal", rules="wipe", first_joker="bury"))
    for card, wanted in ((JOKERS[0], "turn-up"), (JOKERS[1], "turn-up"), (left[0], None)):
        assert deal.tap(card) is None
        assert deal.wanted == wanted


# What cannot be shown


def test_a_card_of_a_hand_cannot_lie_open_and_its_seat_is_told() -> None:
    deal = dealing("possession")
    first = Card("9C")
    deal.tap(first)
    pack = [card for card in deal.table.game.pack(deal.table.rules) if card != first]
    for card in pack[:17]:
        deal.tap(card)
    wrong = deal.tap(first)
    assert wrong is not None
    assert (wrong.code, dict(wrong.facts)["seat"]) == ("dealt-already", 2)
    assert deal.wanted == "turn-up"


def test_a_card_that_was_shown_cannot_be_shown_again() -> None:
    deal, left = hands_dealt(dealing("vazhushal", rules="wipe"))
    deal.tap(left[0])
    wrong = deal.tap(left[0])
    assert wrong is not None
    assert (wrong.code, wrong.bad) == ("shown-already", True)
    assert deal.wanted == "turn-up"


def test_a_card_that_the_game_does_not_use_cannot_be_shown() -> None:
    deal, _ = hands_dealt(dealing("possession"))
    for card in (JOKERS[0], Card("9D'2")):
        wrong = deal.tap(card)
        assert wrong is not None
        assert wrong.code == "not-of-this-game"
    assert deal.wanted == "turn-up"


# Taking back


def test_what_was_shown_is_withdrawn_from_the_last_to_the_first_then_what_was_dealt() -> None:
    deal, left = hands_dealt(dealing("vazhushal", rules="wipe"))
    deal.tap(left[0])
    deal.tap(left[1])
    states = []
    for _ in range(3):
        assert deal.back()
        states.append((deal.wanted, sum(deal.view().counts)))
    assert states == [("turn-up", 26), ("buried", 26), (None, 25)]
    assert deal.view().next_seat == 1


def test_a_concealed_deal_is_taken_back_as_a_whole_after_what_was_shown() -> None:
    deal, left = hands_dealt(dealing("possession", tracked=False))
    deal.tap(left[0])
    wanted = []
    for _ in range(2):
        assert deal.back()
        wanted.append(deal.wanted)
    assert wanted == ["turn-up", None]
    assert deal.question == DEALT
    assert not deal.back()


# The dealer's buttons


def test_where_hands_are_known_a_card_must_be_shown_to_a_reader() -> None:
    deal, _ = hands_dealt(dealing("possession"))
    assert deal.question is None


def test_the_dealer_is_asked_for_the_card_once_all_is_dealt() -> None:
    deal = dealing("vazhushal", rules="wipe", tracked=False)
    assert deal.question == DEALT
    deal.give("dealt")
    question = deal.question
    assert question is not None
    assert (question.prompt, question.choices, question.source) == ("buried", (), "stock")
    assert question.cards == (*CARDS[:52], Card("JK"))


def test_with_two_packs_each_card_is_offered_once() -> None:
    deal, _ = hands_dealt(dealing("possession", 4, tracked=False))
    question = deal.question
    assert question is not None
    assert question.cards == CARDS[:52]


def test_equal_cards_are_given_one_after_the_other_and_then_no_more() -> None:
    """Rule 3, with the four jokers of two packs."""
    deal, _ = hands_dealt(dealing("vazhushal", 3, tracked=False))
    for _ in JOKERS:
        assert deal.give(Card("JK")) is None
    wrong = deal.give(Card("JK"))
    assert wrong is not None
    assert wrong.code == "shown-already"
    deal.give(Card("9D"))
    entry = deal.entry
    assert entry is not None
    assert entry.dealt.turn_up == (*JOKERS, Card("9D"))
    assert entry.dealt.hands == (None, None, None)


@pytest.mark.parametrize("pack", [0, 1])
def test_with_two_packs_the_very_card_that_was_shown_lies_there(pack: int) -> None:
    deal, _ = hands_dealt(dealing("possession", 4, tracked=False))
    card = CARDS[COPIES[Card("9D")][pack]]
    assert deal.tap(card) is None
    entry = deal.entry
    assert entry is not None
    assert entry.dealt.turn_up == (card,)


# At the table


KINDS = [
    *((game, rules, 4, False, "none") for game, rules in RULE_SETS),
    *((game, rules, 2, False, "centre") for game, rules in RULE_SETS),
    ("possession", "standard", 2, True, "seats"),
    ("vazhushal", "wipe", 2, True, "centre"),
]


def shown_lines(table: SimulatedTable) -> dict[str, str]:
    return {
        line.split(":")[0]: line.split(": ")[1] for line in table.loop.lines if line.startswith(("turn-up", "buri"))
    }


@pytest.mark.few(3)
@pytest.mark.parametrize(("game", "rules", "seats", "tracked", "readers"), KINDS)
def test_a_deal_is_complete_when_its_last_card_was_shown_and_not_before(
    tmp_path: Path, game: str, rules: str, seats: int, tracked: bool, readers: str
) -> None:
    with table_of(tmp_path, game, seats, rules=rules, tracked=tracked, readers=readers) as table:
        lying = lay(Random(3), table.file.table, 1)
        deal_hands(table, lying.hands)
        for line, card in lying.shown:
            assert table.match.standing is Standing.BEFORE
            assert journal_rows(table.journal_file) == []
            assert dealing_view(table).wanted == line
            table.turn_up(card)
        assert table.match.standing is Standing.RUNNING
        assert len(journal_rows(table.journal_file)) == 1
        said = {line: PLAIN[Card(cards.split()[-1])] for line, cards in shown_lines(table).items()}
        assert said == {line: PLAIN[card] for line, card in lying.shown}


def dealt(table: SimulatedTable, seed: int = 3) -> Lying:
    """The hands are dealt; what is shown is not yet."""
    lying = lay(Random(seed), table.file.table, 1)
    deal_hands(table, lying.hands)
    return lying


@pytest.fixture
def concealed(tmp_path: Path) -> Iterator[SimulatedTable]:
    """Possession for two with a reader at each seat; seat 1 has dealt, the table has seen no card."""
    with table_of(tmp_path, "possession", 2, tracked=False) as table:
        table.choose(1, "dealt")
        yield table


@pytest.mark.parametrize("place", [1, 2, "dealing"])
def test_any_reader_takes_a_card_that_lies_open(concealed: SimulatedTable, place: int | str) -> None:
    concealed.tap(place, Card("9D"))
    assert concealed.match.standing is Standing.RUNNING
    assert shown_lines(concealed) == {"turn-up": "9D"}


def test_a_card_at_a_seat_is_no_turn_up_before_the_hands_are_dealt(tmp_path: Path) -> None:
    with table_of(tmp_path, "possession", 2) as table:
        table.tap(1, Card("9D"))
        assert messages(table, 1) == ["still-dealing"]
    with table_of(tmp_path / "concealed", "possession", 2, tracked=False) as table:
        table.tap(2, Card("9D"))
        assert messages(table, 2) == ["seat-deals"]
        assert dealing_view(table).wanted is None


def test_everybody_is_told_what_the_table_waits_for(concealed: SimulatedTable) -> None:
    assert shows(concealed.picture(1), "Turn-up?")
    assert shows(concealed.picture(2), "Turn-up?")
    assert shows(concealed.picture(1), "tap a card")
    assert not shows(concealed.picture(2), "tap a card")


def test_a_card_shown_twice_is_told_at_that_reader_alone(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, rules="wipe", tracked=False) as table:
        table.choose(1, "dealt")
        table.tap("dealing", Card("9D"))
        other = pictures(table)[2]
        table.tap("dealing", Card("9D"))
        assert messages(table, 1) == ["shown-already"]
        assert pictures(table)[2] == other
        assert dealing_view(table).wanted == "turn-up"


def test_a_card_left_on_the_reader_is_shown_once(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, rules="wipe", tracked=False) as table:
        table.choose(1, "dealt")
        table.place("dealing", Card("9D"))
        table.wait(5.0)
        assert dealing_view(table).wanted == "turn-up"
        assert messages(table, 1) == []


def hold_back(table: SimulatedTable, seat: int) -> None:
    table.hold(seat, Button.LEFT)
    table.release(seat, Button.LEFT)


def test_the_dealer_withdraws_a_shown_card_and_nobody_else_does(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, rules="wipe", tracked=False) as table:
        table.choose(1, "dealt")
        table.tap("dealing", Card("9D"))
        hold_back(table, 2)
        assert dealing_view(table).wanted == "turn-up"
        hold_back(table, 1)
        assert dealing_view(table).wanted == "buried"
        assert shows(table.picture(1), "Withdrawn")
        table.tap("dealing", Card("9D"))
        table.tap("dealing", Card("8D"))
        assert shown_lines(table) == {"buried": "9D", "turn-up": "8D"}


def test_the_last_card_of_a_hand_is_withdrawn_when_no_card_was_shown(tmp_path: Path) -> None:
    with table_of(tmp_path, "possession", 2) as table:
        lying = dealt(table)
        hold_back(table, 1)
        assert dealing_view(table).counts == (8, 9)
        assert dealing_view(table).wanted is None
        table.tap("dealing", lying.hands[0][-1])
        assert dealing_view(table).wanted == "turn-up"


def test_what_was_shown_is_lost_with_the_hands_at_a_restart(tmp_path: Path) -> None:
    with table_of(tmp_path, "vazhushal", 2, rules="wipe") as table:
        lying = dealt(table)
        table.turn_up(lying.shown[0][1])
        table.restart()
        assert dealing_view(table).counts == (0, 0)
        assert dealing_view(table).wanted is None


def test_without_readers_the_dealer_picks_the_card_by_suit_and_rank(tmp_path: Path) -> None:
    with table_of(tmp_path, "possession", 2, tracked=False, readers="none") as table:
        table.choose(1, "dealt")
        assert asked(table, 1).choices == tuple(f"{PICK}{suit}" for suit in "CDHS")
        table.choose(1, f"{PICK}D")
        table.choose(1, f"{PICK}5D-9D")
        assert asked(table, 1).cards == tuple(Card(f"{rank}D") for rank in "56789")
        assert shows(table.picture(1), "7")
        assert not shows(table.picture(2), "7")
        table.press(1, Button.OK)
        assert shown_lines(table) == {"turn-up": "7D"}
        assert table.match.standing is Standing.RUNNING


def test_holding_back_leaves_the_list_step_by_step_before_it_takes_back_the_deal(tmp_path: Path) -> None:
    with table_of(tmp_path, "possession", 2, tracked=False, readers="none") as table:
        table.choose(1, "dealt")
        table.choose(1, f"{PICK}S")
        table.choose(1, f"{PICK}10S-QS")
        for offered in (f"{PICK}10S-QS", f"{PICK}S"):
            hold_back(table, 1)
            assert offered in asked(table, 1).choices
            assert dealing_view(table).wanted == "turn-up"
        hold_back(table, 1)  # the list is closed
        assert table.loop.seat_view(1).cursor is None
        hold_back(table, 1)
        assert asked(table, 1) == DEALT


def test_only_the_dealer_is_asked_for_the_card(tmp_path: Path) -> None:
    with table_of(tmp_path, "possession", 2, tracked=False, readers="none") as table:
        table.choose(1, "dealt")
        assert table.loop.seat_view(2).ask is None
        before = pictures(table)
        table.press(2, Button.RIGHT, 3)
        table.press(2, Button.OK)
        assert pictures(table) == before
        assert dealing_view(table).wanted == "turn-up"


def test_a_second_pack_s_card_is_dealt_shown_and_kept_apart(tmp_path: Path) -> None:
    with table_of(tmp_path, "possession", 4) as table:
        lying = lay(Random(3), table.file.table, 1)
        (_, turn_up) = lying.shown[0]
        twin = next(CARDS[copy] for copy in COPIES[PLAIN[turn_up]] if copy != turn_up)
        hands = [[card for card in hand if card != twin] for hand in lying.hands]
        spare = (card for card in lying.stock if card != twin)
        hands = [[*hand, *(next(spare) for _ in range(9 - len(hand)))] for hand in hands]
        hands[0][0] = twin
        deal_hands(table, hands)
        table.tap("dealing", twin)
        assert messages(table, 1) == ["dealt-already"]
        table.tap("dealing", turn_up)
        assert shown_lines(table) == {"turn-up": str(turn_up)}


def test_a_deal_that_is_refused_waits_for_its_last_card_once_more(concealed: SimulatedTable) -> None:
    game = type(concealed.file.table.game)
    with patch.object(game, "check_deal", lambda *given: Refusal("wrong-count", "1", COUNTED)):
        concealed.tap(1, Card("9D"))
    assert messages(concealed, 1) == ["wrong-count"]
    assert journal_rows(concealed.journal_file) == []
    assert dealing_view(concealed).wanted == "turn-up"
    concealed.tap(1, Card("9D"))
    assert concealed.match.standing is Standing.RUNNING


COUNTED = (("seat", 1), ("count", 8), ("expected", 9))


def test_a_deal_that_cannot_be_kept_waits_for_its_last_card_once_more(concealed: SimulatedTable) -> None:
    async def full(text: str, stood: str = "") -> None:
        raise JournalError("the disk is full")

    with patch.object(concealed.journal, "append", full):
        concealed.tap(1, Card("9D"))
    assert messages(concealed, 1) == ["not-saved"]
    assert dealing_view(concealed).wanted == "turn-up"
    concealed.tap(1, Card("9D"))
    assert shown_lines(concealed) == {"turn-up": "9D"}


def test_the_next_deal_wants_a_card_of_its_own(tmp_path: Path) -> None:
    with table_of(tmp_path, "possession", 2) as table:
        deal_cards(table, lay(Random(1), table.file.table, 1))
        take_back(table, 1)
        assert dealing_view(table).counts == (0, 0)
        assert dealing_view(table).wanted is None
        deal_cards(table, lay(Random(2), table.file.table, 1))
        assert len(shown_lines(table)) == 1


def test_a_card_cannot_be_turned_up_when_none_is_wanted(tmp_path: Path) -> None:
    with table_of(tmp_path, "possession", 2) as table:
        with pytest.raises(ValueError, match="no card is to be turned up"):
            table.turn_up(Card("9D"))
        deal_cards(table, lay(Random(1), table.file.table, 1))
        with pytest.raises(ValueError, match="no card is to be turned up"):
            table.turn_up(Card("9D"))


def test_no_display_depends_on_which_cards_are_dealt_until_one_lies_open(tmp_path: Path) -> None:
    shown: list[Mapping[int, bytes]] = []
    for seed in (1, 2):
        with table_of(tmp_path / str(seed), "possession", 2) as table:
            dealt(table, seed)
            shown.append(pictures(table))
    assert shown[0] == shown[1]


@pytest.mark.long
def test_a_deal_that_the_table_throws_in_itself_is_dealt_anew_by_the_same_dealer(tmp_path: Path) -> None:
    """Vazhushal rule 3: three doubles in one hand."""
    with table_of(tmp_path, "vazhushal", 3, options={"redeal": "three"}) as table:
        lying = with_three_doubles(lay(Random(1), table.file.table, 1))
        deal_cards(table, lying)
        assert [heard.ruling.notices[0].code for heard in table.heard if heard.ruling is not None] == ["redeal"]
        assert dealing_view(table).dealer == 1
        assert dealing_view(table).counts == (0, 0, 0)
        for seat in (1, 2):
            assert shows(table.picture(seat), "Redeal")
        deal_cards(table, lay(Random(1), table.file.table, 1))
        assert table.match.standing is Standing.RUNNING


def with_three_doubles(lying: Lying) -> Lying:
    """The same deal, but that seat 1 has three pairs of equal cards, which it gets from the stock and seat 2."""
    first = [card for card in lying.hands[0] if card.pack == 1 and card not in JOKERS][:3]
    twins = [CARDS[COPIES[card][1]] for card in first]
    spare = [card for card in lying.hands[0] if card not in first and card not in twins]
    swaps = {twin: card for twin, card in zip(twins, spare, strict=False) if twin not in lying.hands[0]}
    swaps |= {card: twin for twin, card in swaps.items()}

    def swapped(cards: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(swaps.get(card, card) for card in cards)

    shown = tuple((line, swaps.get(card, card)) for line, card in lying.shown)
    return Lying(tuple(map(swapped, lying.hands)), shown, swapped(lying.stock))
