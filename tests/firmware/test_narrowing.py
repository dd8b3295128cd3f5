"""By buttons alone: whatever a question offers is picked in at most eight presses, and what is likely in fewer."""

from collections.abc import Iterator
from random import Random

import pytest
from lying_cards import EVERY_RULE_SET, by_verb, deal_of, lay, some

from engine.asks import END, Ask, Token
from engine.cards import CARDS, PLAIN, Card, very
from engine.game import games
from engine.match import Table, ask, begin, lay_table, to_act, view
from engine.referee import Referee
from engine.view import Hand, Trick, View
from firmware.composer import Composer
from firmware.dealing import Dealing
from firmware.narrowing import (
    PRESSES,
    ROW,
    UNSURE,
    Likely,
    card_of,
    is_ranks,
    is_step,
    leading_to,
    likely_of,
    moves_to,
    row_of,
)
from firmware.seatview import PICK, items_of

SUITS = tuple(f"{PICK}{suit}" for suit in "CDHS")
WHOLE = Ask("discard", cards=CARDS[:52], source="hand")
JOKER = Card("JK")
PACK = WHOLE._replace(cards=(*CARDS[:52], JOKER))


def presses(asked: Ask, wanted: Token, likely: Likely = UNSURE) -> int:
    """How many presses of a composer's buttons give what is wanted, from the question on: the shorter way each time."""
    composer, count = Composer(), 0
    while True:
        row = composer.row(asked, likely)
        item = leading_to(wanted, items_of(row.ask))
        assert item is not None, (wanted, items_of(row.ask))
        moves = moves_to(items_of(row.ask), row.enter, composer.cursor, item)
        for _ in range(abs(moves)):
            composer.move(row.ask, 1 if moves > 0 else -1, 0.0, row.enter)
        count += abs(moves) + 1
        picked = composer.picked(row.ask)
        assert picked is not None
        if not composer.step(picked, asked, 0.0, likely):
            assert picked == wanted
            return count


def far(asked: Ask, likely: Likely = UNSURE) -> dict[Token, int]:
    """How many presses everything takes that a question offers: step by step, each the shorter way."""
    composer, found = Composer(), dict[Token, int]()

    def spread(before: int) -> None:
        row, path, cursor = composer.row(asked, likely), composer.path, composer.cursor
        items = items_of(row.ask)
        for item in items:
            after = before + abs(moves_to(items, row.enter, cursor, item)) + 1
            if is_step(item):
                assert composer.step(item, asked, 0.0, likely)
                spread(after)
                composer.path, composer.cursor = path, cursor
            else:
                card = card_of(item)
                given = item if card is None else card
                found[given] = min(after, found.get(given, after))

    spread(0)
    return found


def picks(asked: Ask, likely: Likely = UNSURE, *path: str) -> tuple[Token, ...]:
    return items_of(row_of(asked, path, likely).ask)


# Eight presses


def questions(table: Table, seed: int, most: int) -> Iterator[tuple[Ask, Likely]]:
    """What the seats of a random deal are asked, token after token, and what is likely for them."""
    chance = Random(seed)
    referee = Referee(begin(table))
    assert referee.rule(deal_of(table, 1, lay(chance, table, 1))).refusal is None
    for _ in range(most):
        match = referee.match
        for seat in to_act(match):
            given: tuple[Token, ...] = ()
            for _ in range(6):
                asked = ask(match, seat, given)
                if not isinstance(asked, Ask) or not items_of(asked):
                    break
                yield asked, likely_of(view(match, seat))
                given = (*given, chance.choice(items_of(asked)))
        actions = some(match, 60)
        if not actions:
            return
        assert referee.rule(by_verb(chance, actions)).refusal is None


@pytest.mark.few(1)
@pytest.mark.parametrize("tracked", [True, False])
@pytest.mark.parametrize(("game", "rules"), EVERY_RULE_SET)
def test_all_that_is_offered_in_any_game_is_within_eight_presses(game: str, rules: str, tracked: bool) -> None:
    tried, chance = set(), Random(1)
    for seats in (2, 3, 4):
        for asked, likely in questions(lay_table(games()[game], seats, rules, tracked), seats, 25):
            if (asked, likely) not in tried:
                tried.add((asked, likely))
                reached = far(asked, likely)
                assert set(reached) == set(items_of(asked))
                assert max(reached.values()) <= PRESSES, (asked, likely, reached)
                assert presses(asked, chance.choice(items_of(asked)), likely) <= PRESSES
    assert len(tried) > 20


@pytest.mark.parametrize("game", ["possession", "vazhushal"])
def test_a_card_that_is_turned_up_is_within_eight_presses(game: str) -> None:
    table = lay_table(games()[game], 2, tracked=False)
    dealing = Dealing(table, 1)
    dealing.give("dealt")
    assert dealing.question is not None
    assert len(dealing.question.cards) > ROW
    assert max(far(dealing.question).values()) <= PRESSES


@pytest.mark.parametrize("end", [True, False])
@pytest.mark.parametrize("verbs", range(9))
@pytest.mark.parametrize("cards", [(), (JOKER,)])
def test_verbs_and_the_end_of_a_group_leave_every_card_within_eight_presses(
    verbs: int, end: bool, cards: tuple[Card, ...]
) -> None:
    asked = PACK._replace(choices=tuple(f"verb{n}" for n in range(verbs)), end=end, cards=(*CARDS[:52], *cards))
    reached = far(asked)
    assert set(reached) == set(items_of(asked))
    assert max(reached.values()) <= PRESSES


@pytest.mark.parametrize("seed", range(40))
def test_any_cards_of_a_pack_some_of_them_certain_are_within_eight_presses(seed: int) -> None:
    chance = Random(seed)
    cards = tuple(sorted(chance.sample(PACK.cards, chance.randint(1, 53))))
    sure = frozenset(map(int, chance.sample(cards, min(len(cards), chance.randint(0, 12)))))
    verbs = tuple(f"verb{n}" for n in range(chance.randint(0, 4)))
    asked = Ask("discard", verbs, cards, "hand", chance.random() < 0.5)
    likely = Likely(sure, chance.choice(["", "C", "D", "H", "S"]))
    reached = far(asked, likely)
    assert set(reached) == set(items_of(asked))
    assert max(reached.values()) <= PRESSES
    assert all(presses(asked, item, likely) <= PRESSES for item in items_of(asked))


def test_a_card_of_a_whole_pack_takes_six_presses_on_the_average() -> None:
    reached = far(PACK)
    assert sum(reached.values()) / len(reached) < 6.5
    assert reached[JOKER] == 2
    assert reached[Card("AC")] == 5


def test_packs_that_are_told_apart_stay_apart_to_the_last_step() -> None:
    both = WHOLE._replace(cards=(*map(very, CARDS[:52]), *CARDS[54:106]))
    assert set(far(both)) == set(both.cards)


# Which steps there are


@pytest.mark.parametrize(("count", "steps"), [(ROW, False), (ROW + 1, True)])
def test_a_list_is_picked_from_in_steps_only_where_one_row_would_be_too_long(count: int, steps: bool) -> None:
    asked = WHOLE._replace(cards=tuple(CARDS[:52:3][:count]))
    assert any(map(is_step, picks(asked))) == steps


def test_what_else_can_be_chosen_and_the_end_count_as_items_of_the_row() -> None:
    cards = CARDS[:52:4][:12]
    assert not any(map(is_step, picks(Ask("turn", ("draw",), cards, "hand", end=True))))
    assert any(map(is_step, picks(Ask("turn", ("draw", "pass"), cards, "hand", end=True))))


def test_first_come_the_suits_and_the_joker() -> None:
    assert picks(PACK) == (*SUITS, f"{PICK}JK")


def test_of_a_whole_suit_single_cards_stand_at_the_ends_and_most_in_the_middle() -> None:
    step = row_of(PACK, (f"{PICK}H",))
    assert items_of(step.ask) == tuple(f"{PICK}{part}" for part in ("AH", "2H-4H", "5H-9H", "10H-QH", "KH"))
    assert step.enter == 2
    assert is_ranks(step.ask)


def test_the_last_step_is_the_cards_with_the_cursor_in_the_middle() -> None:
    last = row_of(PACK, (f"{PICK}H", f"{PICK}5H-9H"))
    assert last.ask == Ask("discard", cards=tuple(Card(f"{rank}H") for rank in "56789"), source="hand")
    assert last.enter == 2


@pytest.mark.parametrize("count", range(1, 14))
def test_a_suit_of_so_many_cards_is_asked_about_once_more_only_if_it_must_be(count: int) -> None:
    cards = (*CARDS[:count], *CARDS[13:52])
    step = picks(WHOLE._replace(cards=cards), UNSURE, f"{PICK}C")
    assert (len(step) == count and all(isinstance(item, Card) for item in step)) == (1 < count <= 7)


def test_a_step_with_one_possibility_is_left_out() -> None:
    only = tuple(card for card in PACK.cards if card.suit != "H" or card.rank == "9")
    assert picks(WHOLE._replace(cards=only)) == (*SUITS[:2], SUITS[3], f"{PICK}9H", f"{PICK}JK")
    hearts = Ask("discard", ("draw", "pass"), CARDS[26:39], "hand")
    assert picks(hearts)[:4] == ("draw", "pass", f"{PICK}AH", f"{PICK}2H-4H")
    assert not is_ranks(row_of(hearts).ask)


def test_a_suit_that_has_no_card_is_not_shown() -> None:
    assert picks(WHOLE._replace(cards=CARDS[:39])) == SUITS[:3]


def test_a_step_that_the_question_does_not_offer_any_more_is_not_gone() -> None:
    without = WHOLE._replace(cards=CARDS[13:52])
    assert row_of(without, (f"{PICK}C", f"{PICK}5C-9C")) == row_of(without)


@pytest.mark.parametrize("token", ["draw", "to:2", "as:9D", END, Card("10D"), f"{PICK}10D", f"{PICK}AC", f"{PICK}JK"])
def test_nothing_but_what_stands_for_several_cards_is_a_step(token: Token) -> None:
    composer = Composer()
    composer.cursor = 3
    assert not composer.step(token, PACK, 0.0)
    assert (composer.path, composer.cursor) == ((), 3)


@pytest.mark.parametrize(("token", "card"), [(f"{PICK}AC", Card("AC")), (f"{PICK}JK", JOKER), (f"{PICK}C", None)])
def test_a_choice_that_stands_for_one_card_is_that_card(token: str, card: Card | None) -> None:
    assert card_of(token) == card


# What is likely


def test_certain_cards_come_before_those_that_a_hand_may_hold() -> None:
    likely = Likely(frozenset({PLAIN[Card("9S")], PLAIN[JOKER]}))
    assert picks(PACK, likely) == (f"{PICK}9S", f"{PICK}JK", *SUITS)
    few = Ask("discard", cards=(Card("2C"), Card("5D"), Card("9S")), source="hand")
    assert picks(few, likely) == (Card("9S"), Card("2C"), Card("5D"))
    assert far(PACK, likely)[Card("9S")] == 2


def test_a_hand_of_certain_cards_only_has_suits_as_any_other() -> None:
    cards = CARDS[:52:2]
    assert picks(WHOLE._replace(cards=cards), Likely(frozenset(map(int, cards)))) == SUITS


def test_certain_cards_beyond_one_row_are_found_by_their_suits() -> None:
    likely = Likely(frozenset(range(40)))
    assert len(picks(PACK, likely)) == ROW
    assert set(far(PACK, likely)) == set(PACK.cards)


def test_in_the_last_step_the_cursor_is_at_the_certain_card() -> None:
    likely = Likely(frozenset({PLAIN[Card("9H")]}))
    last = row_of(PACK, (f"{PICK}H", f"{PICK}5H-9H"), likely)
    assert items_of(last.ask)[last.enter] == Card("9H")


def test_the_suit_that_was_led_comes_first() -> None:
    assert picks(WHOLE, Likely(suit="H")) == (SUITS[2], SUITS[0], SUITS[1], SUITS[3])
    few = Ask("play", cards=(Card("2C"), Card("5H"), Card("9S")), source="hand")
    assert picks(few, Likely(suit="H")) == (Card("5H"), Card("2C"), Card("9S"))


def test_what_is_likely_is_what_the_seat_itself_sees() -> None:
    hands = (Hand(1, (Card("9S"),), 4), Hand(2, (Card("KD"),), 4))
    trick = Trick(1, ((3, Card("AH")), (4, Card("2C"))), (), None, (0, 0, 0, 0))
    assert likely_of(View(1, (*hands, trick))) == Likely(frozenset({PLAIN[Card("9S")]}), "H", tricks=True)
    assert likely_of(View(2, hands)) == Likely(frozenset({PLAIN[Card("KD")]}))


# Where the cursor comes in


def test_a_first_row_is_entered_at_its_ends_where_all_is_near_enough_from_there() -> None:
    assert row_of(PACK).enter == 0
    assert row_of(PACK._replace(choices=("draw",))).enter == 0


def test_with_many_choices_a_first_row_is_entered_beside_the_first_suit() -> None:
    row = row_of(PACK._replace(choices=("meld", "add", "discard")))
    first = []
    for step in (-1, 1):
        composer = Composer()
        composer.move(row.ask, step, 0.0, row.enter)
        first.append(composer.cursor)
    assert [items_of(row.ask)[place or 0] for place in first] == [SUITS[0], SUITS[1]]


def test_the_shorter_way_is_taken() -> None:
    row = ("a", "b", "c", "d", "e")
    assert [moves_to(row, 0, None, item) for item in row] == [1, 2, 3, -2, -1]
    assert [moves_to(row, 0, 2, item) for item in row] == [-2, -1, 0, 1, 2]
    assert [moves_to(row, 3, None, item) for item in row] == [3, -2, -1, 1, 2]


def test_an_equal_card_is_found_where_the_very_one_is_not_offered() -> None:
    assert leading_to(Card("9D'2"), (Card("8D"), Card("9D"))) == Card("9D")
    assert leading_to(very(Card("9D")), (f"{PICK}C", f"{PICK}D")) == f"{PICK}D"
    assert leading_to(Card("9D"), (f"{PICK}2D-4D", f"{PICK}5D-10D")) == f"{PICK}5D-10D"
    assert leading_to(Card("9H"), (f"{PICK}2D-4D", "draw")) is None
    assert leading_to("draw", (f"{PICK}2D-4D", "draw")) == "draw"
