"""Whether a hand that is known in part can be declared, and that each declaration that is legal can be entered."""

from itertools import islice
from random import Random

import pytest
from partly_known import Partly, is_declarable, random_hand, random_large
from vazhushal_tables import Played, listed_form, plain_form

from engine.asks import END, Ask, Token
from engine.cards import COPIES, FACES, Card, cards_of, mask
from engine.match import ask, check, legal
from engine.melds import Meld, MeldRules, faults, read_meld
from engine.pieces import STANDS, piece
from engine.values import Action
from engine.vazhushal import GAME
from engine.vazhushal.completing import Completion, complete
from engine.vazhushal.declaring import declaration, declarations
from engine.vazhushal.settings import RULE_SETS, TWO_PACKS, meld_rules, settings
from engine.vazhushal.settling import NEW, Step, Supply, settle
from engine.vazhushal.state import Deal as State


def rules(negative: str = "", **options: object) -> MeldRules:
    """The rules of melds of the standard game with these options."""
    table = settings(4, True, {**RULE_SETS["standard"], **options})  # type: ignore[dict-item] # values of options
    return meld_rules(table, int(Card(negative)) if negative else -1)


def cards(text: str, taken: int = 0) -> int:
    """A mask of cards that are not taken, of two packs."""
    found = 0
    for word in text.split():
        found |= 1 << next(card for card in COPIES[Card(word)] if not (found | taken) >> card & 1)
    return found


def meld(text: str) -> Meld:
    """An own meld; a joker is one of the second pack."""
    pieces, jokers = [], [FACES + 53, FACES + 52]
    for word in text.split():
        left, _, stands = word.partition("=")
        pieces.append(piece(jokers.pop(), Card(stands)) if stands else int(Card(left)))
    found = read_meld(rules(), pieces)
    assert isinstance(found, Meld)
    return found


def hand_of(hand: Partly) -> int | None:
    """The cards of a whole hand that is found, as a mask; it is laid in legal melds. None: none is found."""
    table = complete(*hand)
    if table is None:
        return None
    assert faults(hand.rules, table) is None
    assert [read_meld(hand.rules, each.pieces) for each in table] == list(table)
    pieces = [number % STANDS for each in table for number in each.pieces]
    lain = [number % STANDS for each in hand.own for number in each.pieces]
    for each, grown in zip(hand.own, table, strict=False):
        assert set(each.pieces) <= set(grown.pieces)
    whole = mask(pieces) & ~mask(lain)
    assert whole.bit_count() == len(pieces) - len(lain) == hand.known.bit_count() + hand.most
    assert whole & hand.known == hand.known
    assert not whole & ~(hand.known | hand.pool)
    return whole


def completed(known: str, pool: str, most: int, *own: str, of: MeldRules | None = None) -> str | None:
    """The cards that complete a hand, as a text; None: there are none."""
    melds = tuple([meld(text) for text in own])
    lain = mask([number % STANDS for each in melds for number in each.pieces])
    sure = cards(known, lain)
    hand = hand_of(Partly(of or rules(), sure, cards(pool, lain | sure), most, melds))
    if hand is None:
        return None
    return " ".join(sorted([card.rank + card.suit for card in cards_of(hand ^ sure)]))


# Every rule of melds


@pytest.mark.parametrize(
    ("known", "pool", "most", "found"),
    [
        ("7D 9D", "8D 8H", 1, "8D"),
        ("QH KH", "AH 2H", 1, "AH"),
        ("KS 2S", "AS 3H 4H", 1, None),
        ("KS 2S", "AS AS QS 3S", 4, "3S AS AS QS"),
        ("7D 9D", "8D 2C 3C", 2, None),
        ("7D 9D", "8D 2C 3C 4C", 4, "2C 3C 4C 8D"),
        ("5H 5H", "5D 5S 5D 5S 6C", 4, None),
        ("5H 5H", "5D 5S 5D 5S 5C 7D", 5, "5C 5D 5D 5S 5S"),
        ("7D 8D 9D 7D 8D 9D", "2C 3C", 1, None),
        ("7D 8D 9D 7D 8D 9D", "2C 10D", 1, "10D"),
        ("3C 4C 5C 8H", "JK JK 2H", 2, "JK JK"),
        ("3C 4C 8H", "JK JK JK 2H", 3, None),
        ("3C 4C 5C JK", "JK JK 2H", 2, "2H JK"),
        ("3C 4C 5C JK", "JK 9H", 1, None),
        ("3C 4C 5C 6C JK", "9H 10D", 1, None),
        ("3C 4C 5C JK JK", "9H", 1, "9H"),
        ("", "3C 4C 5C 9H", 3, "3C 4C 5C"),
        ("", "3C 4C 6C 9H", 3, None),
    ],
)
def test_a_hand_without_melds(known: str, pool: str, most: int, found: str | None) -> None:
    assert completed(known, pool, most) == found


def test_what_the_first_meld_has_to_be() -> None:
    sequence, each = rules(first_meld="pure-sequence"), rules(first_of_each_kind_pure=True)
    assert completed("5H 5D", "5S 9C", 1) == "5S"
    assert completed("5H 5D", "5S 9C", 1, of=sequence) is None
    assert completed("5H 5D 7C 8C", "5S 9C", 2, of=sequence) is not None
    assert completed("5H 5D 7C 8C", "JK 9C", 2, of=sequence) is not None
    assert completed("5H 5D 7C 8C", "5S JK", 2, of=sequence) is None
    assert completed("5H 5D 7C 8C 9C", "JK 2S", 1) == "JK"
    assert completed("5H 5D 7C 8C 9C", "JK 2S", 1, of=each) is None
    assert completed("5H 5D 7C 8C 9C", "JK 5S", 1, of=each) == "5S"
    assert completed("5H 5D JK 7C 8C 9C", "10C JK", 1, of=each) is None


def test_a_wild_rank_card_is_itself_in_a_pure_meld() -> None:
    eights = rules("8S")
    assert completed("7D 9D", "8D", 1, of=eights) == "8D"
    assert completed("7D 9D", "8S", 1, of=eights) is None
    assert completed("7C 8C 9C 5H", "8D 8H", 2, of=eights) == "8D 8H"
    assert completed("8H 8D", "8C 9C", 1, of=eights) == "8C"


def test_a_meld_of_wild_cards_is_given_a_natural_card_that_another_meld_can_spare() -> None:
    nine, sequence = 1 << Card("9H"), mask([Card("8H"), Card("9H"), Card("10H")])
    supply = Supply(sequence | cards("JK JK JK"), cards("2C"), 0, rules().wild)
    steps = [Step(NEW, sequence, 0, 0, 0, pure=False), Step(NEW, 0, 0, 0, nine | cards("9D 9S"), pure=False)]
    laid = settle(supply, steps)
    assert laid is not None
    melds = [read_meld(rules(), pieces) for _, pieces in laid]
    assert [each.faces for each in melds if isinstance(each, Meld)] == [sequence, nine | cards("9D 9S")]
    assert int(Card("9H")) in laid[1][1]
    assert settle(supply, [steps[0]._replace(pure=True), steps[1]]) is None


def test_own_melds_grow() -> None:
    assert completed("10D", "JD 2H", 1, "7D 8D 9D") == "JD"
    assert completed("JD", "10D 2H", 1, "7D 8D 9D") == "10D"
    assert completed("QD", "10D 2H", 1, "7D 8D 9D") is None
    assert completed("5C", "2H 6D", 1, "5D 5H 5S", "7D 8D 9D") == "6D"
    assert completed("2H", "JK 3S", 1, "7D 8D 9D") is None


def test_the_last_pure_own_meld_stays_pure() -> None:
    assert completed("10D JK", "2H 3H KD", 1, "7D 8D 9D") is None
    assert completed("5S JK", "2H QD 6H", 1, "7D 8D 9D", "5H 5D 5C") is None
    assert completed("5S JK JK", "6H 6H", 1, "7D 8D 9D", "5H 5D 5C") is not None


def test_a_new_meld_that_an_own_one_is_takes_another_card() -> None:
    assert completed("7D 8D", "9D 2H", 1, "7D 8D 9D") is None
    assert completed("7D 8D", "9D 10D 2H", 2, "7D 8D 9D") == "10D 9D"
    assert completed("7D 8D 9D", "6D 2H", 1, "7D 8D 9D") == "6D"


# Against every hand that it may be


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 300))])
def test_a_hand_is_found_where_there_is_one(seed: int) -> None:
    random, found = Random(seed), 0
    for _ in range(60):
        hand = random_hand(random)
        there = is_declarable(hand)
        assert (hand_of(hand) is not None) is there, hand
        found += there
    assert found


def test_cards_that_are_left_over_need_nothing() -> None:
    tens, queens = [rules(card, first_of_each_kind_pure=True) for card in ("10S", "QD")]
    pool = "10D 2H 10H QH JK 3C 10C JK"
    assert completed("6D 10H", pool, 4, of=tens) is not None
    known = "3H 10H AS JK AD 4D 6D 7H 3S"
    pool = "7D 9H 2S AC 3C 6C 7C 8C 10C 3D AH 2H 4H KH JK"
    assert completed(known, pool, 11, "5C 6C 7C 8C", of=queens) is not None


# How long it takes: melds tried, some hundred thousand in a second


def tried(hand: Partly) -> int:
    """How many melds the search for a hand tries."""
    completion = Completion(hand.rules, Supply(hand.known, hand.pool, hand.most, hand.rules.wild), hand.own)
    completion.table()
    return completion.tried


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 4))])
def test_few_melds_are_tried(seed: int) -> None:
    random = Random(seed)
    tries = sorted([tried(random_large(random)) for _ in range(100)])
    assert tries[50] < 50
    assert tries[-1] < 20_000


APART = "2C 6D 10H AS"
FAR = "2C 3C 5C 6C 2D 4D 8D 9D 6H 7H QH KH AS 5S 9S 10S"


@pytest.mark.parametrize(
    ("known", "pool", "most", "is_there"),
    [
        (APART, "", 7, False),  # four melds take twelve cards
        (APART, "", 8, True),
        (FAR, "4C 7C 3D 10D 5H JH KS QS", 7, False),
        (FAR, "4C 3D 10D 5H 8H AH 2S 3S 6S JS", 9, False),
    ],
)
def test_hands_that_no_trying_of_one_meld_after_another_decides(
    known: str, pool: str, most: int, is_there: bool
) -> None:
    hand = Partly(rules(), cards(known), cards(pool) if pool else TWO_PACKS & ~cards(known), most, ())
    assert (hand_of(hand) is not None) is is_there
    assert tried(hand) < 2_000


# At the table


def at_the_table(hand: Partly) -> State:
    """A deal in which the seat to act has this hand."""
    table = Played("deal 1 / turn-up: 2H", seats=3)
    deal = table.state
    places = deal.places
    unknown = (hand.most, *places.unknown[1:])
    places = places._replace(known=(hand.known, 0, 0), unknown=unknown, unseen=hand.pool)
    return deal._replace(melding=hand.rules, places=places, melds=(hand.own, (), ()))


def enter(deal: State, action: Action) -> Action:
    """What the seat enters for an action, token by token."""
    given = GAME.tokens(deal, action)
    answer = GAME.ask(deal, action.seat, given)
    assert isinstance(answer, Action), GAME.text(action)
    return answer


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 4))])
def test_every_declaration_that_is_listed_can_be_entered_and_none_is_offered_where_there_is_none(seed: int) -> None:
    random, entered = Random(seed), 0
    for _ in range(20):
        hand = random_hand(random)
        deal = at_the_table(hand)
        listed = list(islice(declarations(deal), 50))
        assert len({frozenset(way) for way in listed}) == len(listed)
        question = GAME.ask(deal, 1, ())
        assert isinstance(question, Ask)
        assert ("declare" in question.choices) is bool(listed) is is_declarable(hand)
        for way in listed[:4]:
            action = Action(1, "declare", way)
            assert GAME.check(deal, action) is None
            answer = enter(deal, action)
            assert listed_form(plain_form(deal, answer)) == listed_form(action)
            entered += 1
    assert entered


def test_a_seat_that_enters_whatever_is_offered_gets_to_a_declaration() -> None:
    random, anew = Random(1), 0
    for _ in range(30):
        deal = at_the_table(random_hand(random))
        question = GAME.ask(deal, 1, ())
        assert isinstance(question, Ask)
        if "declare" not in question.choices:
            continue
        given: tuple[Token, ...] = ("declare",)
        while not isinstance(question := GAME.ask(deal, 1, given), Action):
            assert isinstance(question, Ask)
            offered: tuple[Token, ...] = (*question.choices, *question.cards)
            given = (*given, random.choice(offered) if offered else END)
            anew += not offered
        assert GAME.check(deal, question) is None
    assert anew


def test_a_hand_of_which_a_little_is_known_is_declared_at_the_table() -> None:
    unknown = " ".join(["??"] * 9)
    table = Played(f"deal 1 / turn-up: 2H / hand 1: {APART} {unknown}", seats=3)
    question = ask(table.match, 1, ())
    assert isinstance(question, Ask)
    assert "declare" in question.choices
    first = next(action for action in legal(table.match) if action.verb == "declare")
    assert check(table.match, first) is None
    assert enter(table.state, first).verb == "declare"


def test_the_list_of_what_is_legal_ends_where_no_card_completes_the_hand() -> None:
    deal = at_the_table(Partly(rules(), cards(APART), TWO_PACKS & ~cards(APART), 7, ()))
    assert list(declarations(deal)) == []
    assert declaration(deal) is None
    question = GAME.ask(deal, 1, ())
    assert isinstance(question, Ask)
    assert "declare" not in question.choices
