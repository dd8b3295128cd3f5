"""Melds: what makes a sequence or a set, what wild cards stand for, and what a player's table lacks.

The rule numbers are those of Vazhushal (`standard`: a pure first meld; `wipe`: a pure sequence, wild-rank cards), and
of Possession where it is named.
"""

from itertools import combinations, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import CARD_COUNT, CARDS, FACES, JOKER, Card, mask, parse_card, physical
from engine.melds import (
    RUN,
    SET,
    Meld,
    MeldRules,
    faults,
    melds_in,
    read_meld,
    shapes,
)
from engine.pieces import piece, piece_card, piece_face

JOKERS = mask(physical(Card(f"JK'{number}")) for number in (1, 2, 3, 4))
RED_EIGHTS = mask(Card(text) for text in ("8D", "8H", "8D'2", "8H'2"))

STANDARD = MeldRules(True, True, True, 13, JOKERS, False, "pure", False)
WIPE = STANDARD._replace(wild=JOKERS | RED_EIGHTS, first="pure-sequence")  # the negative joker is 8S
POSSESSION = MeldRules(False, True, False, 13, 0, True, "any", False)


def pieces(text: str) -> list[int]:
    """The pieces that a text names; a joker without a number is the next one of the four."""
    numbers, jokers = [], iter((1, 2, 3, 4))
    for word in text.split():
        name, _, face = word.partition("=")
        card = physical(parse_card(f"JK'{next(jokers)}" if name == "JK" else name))
        numbers.append(piece(card, physical(parse_card(face))) if face else int(card))
    return numbers


def meld(text: str, rules: MeldRules = STANDARD) -> Meld:
    """The meld that a text names."""
    found = read_meld(rules, pieces(text))
    assert isinstance(found, Meld), found
    return found


def written(found: Meld) -> str:
    """The pieces of a meld, without packs."""
    words = []
    for number in found.pieces:
        card, face = CARDS[piece_card(number)], piece_face(number)
        words.append(card.rank + card.suit + ("" if face is None else f"={CARDS[face]}"))
    return " ".join(words)


def judged(rules: MeldRules, text: str) -> str:
    """The kind of a meld, or the code of what is wrong."""
    found = read_meld(rules, pieces(text))
    return found.kind if isinstance(found, Meld) else found


def test_a_piece_is_a_card_and_what_it_stands_for() -> None:
    joker, nine = physical(Card("JK'4")), Card("9D")
    assert piece_card(piece(joker, nine)) == joker
    assert piece_face(piece(joker, nine)) == nine
    assert (piece_card(joker), piece_face(joker)) == (joker, None)
    assert piece_face(piece(joker, Card("AC"))) == 0


# The worked examples: the cards, what they make, and what is wrong with them as a first meld in each rule set


@pytest.mark.parametrize(
    ("rules", "text", "kind"),
    [
        (STANDARD, "AS 2S 3S", RUN),
        (STANDARD, "QS KS AS", RUN),
        (STANDARD, "KS AS 2S", "not-a-meld"),
        (STANDARD, "QH KH AH JK=2H", "not-a-meld"),
        (STANDARD, "3C 4C 5D", "not-a-meld"),
        (STANDARD, "5H 5D 5S", SET),
        (STANDARD, "5H 5D 5S 5C", SET),
        (STANDARD, "5H 5H'2 5S", "not-a-meld"),
        (STANDARD, "5H 5D JK=5C", SET),
        (STANDARD, "7D 8D JK=9D", RUN),
        (STANDARD, "7D JK=8D JK=9D", RUN),
        (STANDARD, "JK JK JK", "meld-all-jokers"),
        (WIPE, "8D 9D 10D", RUN),
        (WIPE, "8H=5D 5H 5S", SET),
    ],
)
def test_worked_examples(rules: MeldRules, text: str, kind: str) -> None:
    assert judged(rules, text) == kind


@pytest.mark.parametrize(
    ("text", "standard", "wipe"),
    [
        ("AS 2S 3S", None, None),
        ("QS KS AS", None, None),
        ("5H 5D 5S", None, "first-meld-not-sequence"),
        ("5H 5D 5S 5C", None, "first-meld-not-sequence"),
        ("5H 5D JK=5C", "first-meld-not-pure", "first-meld-not-sequence"),
        ("7D 8D JK=9D", "first-meld-not-pure", "first-meld-not-pure"),
        ("7D JK=8D JK=9D", "first-meld-not-pure", "first-meld-not-pure"),
    ],
)
def test_worked_examples_as_a_first_meld(text: str, standard: str | None, wipe: str | None) -> None:
    assert faults(STANDARD, [meld(text)]) == standard
    assert faults(WIPE, [meld(text, WIPE)]) == wipe


def test_a_wild_rank_card_as_itself_is_natural_and_standing_for_another_is_not() -> None:
    assert meld("8D 9D 10D", WIPE).pure
    assert meld("8D=8D 9D 10D", WIPE) == meld("8D 9D 10D", WIPE)
    assert not meld("8H=5D 5H 5S", WIPE).pure
    assert judged(WIPE, "8H=5D 8D=6D 7D") == RUN
    assert judged(WIPE, "8H=5D 8D=6D JK=7D") == "meld-all-jokers"
    assert judged(WIPE, "8H 8D JK") == "joker-unnamed"


# Rule 6, and the order of judgement


@pytest.mark.parametrize("suit", "CDHS")
def test_sequences_run_from_3_cards_to_13_with_the_ace_low_or_high(suit: str) -> None:
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    row = [*ranks, "A"]
    legal = {frozenset(row[low : low + n]) for n in range(3, 14) for low in range(15 - n)}
    for number in range(3, 14):
        for chosen in combinations(ranks, number):
            expected = RUN if frozenset(chosen) in legal else "not-a-meld"
            assert judged(STANDARD, " ".join(rank + suit for rank in chosen)) == expected


def test_possession_has_the_ace_low_only_and_sets_only_where_they_are_asked_for() -> None:
    assert judged(POSSESSION, "AC 2C 3C") == RUN
    assert judged(POSSESSION, "JC QC KC") == RUN
    assert judged(POSSESSION, "QC KC AC") == "not-a-meld"
    assert judged(POSSESSION, "5H 5D 5S") == "not-a-meld"
    assert judged(POSSESSION._replace(sets=True), "5H 5D 5S") == SET


def test_a_longest_sequence() -> None:
    five = STANDARD._replace(longest=5)
    assert judged(five, "2C 3C 4C 5C 6C") == RUN
    assert judged(five, "2C 3C 4C 5C 6C 7C") == "not-a-meld"


def test_a_meld_of_14_cards_is_too_long() -> None:
    suit = list(CARDS[:13])
    assert isinstance(read_meld(STANDARD, suit), Meld)
    assert read_meld(STANDARD, [*suit, suit[0] + FACES]) == "not-a-meld"
    assert read_meld(STANDARD, [*suit, *pieces("JK=AC")]) == "not-a-meld"
    assert read_meld(STANDARD, [*suit, *pieces("JK")]) == "not-a-meld"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "meld-too-short"),
        ("JK JK", "meld-too-short"),
        ("9D JK=10D", "meld-too-short"),
        ("8D=9D JK", "meld-too-short"),  # too short before wrongly written
        ("JK=7D JK=8D JK=9D", "meld-all-jokers"),
        ("JK=7D JK=8D JK", "meld-all-jokers"),  # before unnamed
        ("7D 8D JK", "joker-unnamed"),  # 6D or 9D
        ("QD KD JK", "joker-unnamed"),  # JD or AD
        ("5H 5D JK", "joker-unnamed"),  # 5C or 5S
        ("7D JK JK", "joker-unnamed"),
        ("8D=7D 9D JK", "not-a-meld"),  # a card that is not wild: before unnamed
        ("8D=7D 9D 10D", "not-a-meld"),
        ("7D 9H JK", "not-a-meld"),
        ("7D 8D JK=8D", "not-a-meld"),
        ("7D 8D JK=JK", "not-a-meld"),
        ("5H 5D 5S 5C JK", "not-a-meld"),
    ],
)
def test_what_is_wrong_comes_in_the_order_of_judgement(text: str, code: str) -> None:
    for order in permutations(pieces(text)):
        assert read_meld(STANDARD, order) == code


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("7D JK 9D", "7D JK=8D 9D"),
        ("AD 2D JK", "AD 2D JK=3D"),
        ("KD AD JK", "JK=QD KD AD"),
        ("5H 5D 5S JK", "JK=5C 5D 5H 5S"),
        ("7D JK=8D 9D JK JK 12", "7D JK=8D 9D JK=10D JK=JD QD"),
        ("2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS JK", "JK=AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS"),
    ],
)
def test_a_joker_need_not_be_named_where_only_one_set_of_cards_is_possible(text: str, resolved: str) -> None:
    found = meld(text.replace("12", "QD"))
    assert written(found) == resolved
    assert not found.pure


def test_without_the_high_ace_a_joker_beside_queen_and_king_is_the_jack() -> None:
    assert written(meld("QD KD JK", STANDARD._replace(ace_high=False))) == "JK=JD QD KD"


def test_the_order_in_which_cards_are_named_does_not_matter() -> None:
    for text in ("QS KS AS", "5H 5D 5S 5C", "7D JK 9D JK=10D"):
        assert len({read_meld(STANDARD, order) for order in permutations(pieces(text))}) == 1
    assert written(meld("AS KS QS")) == "QS KS AS"
    assert written(meld("5S 5H 5D")) == "5D 5H 5S"


def test_a_card_named_twice_makes_no_meld() -> None:
    assert judged(STANDARD, "7D 8D 8D 9D") == "not-a-meld"
    assert judged(STANDARD, "7D 7D JK=8D 9D") == "not-a-meld"
    assert judged(STANDARD, "7D JK=8D JK=8D 9D") == "not-a-meld"


def test_a_joker_that_is_not_wild_makes_no_meld() -> None:
    assert judged(POSSESSION, "7D 8D JK=9D") == "not-a-meld"
    assert judged(POSSESSION, "7D JK 9D") == "not-a-meld"


def test_kind_and_represented_cards_are_what_a_meld_is() -> None:
    one, other = meld("7D 8D 9D"), meld("7D'2 8D JK=9D")
    assert one[:2] == other[:2] == (RUN, mask([Card("7D"), Card("8D"), Card("9D")]))
    assert one.pieces != other.pieces


# Rules 7 and 8


def test_no_two_identical_melds() -> None:
    run = meld("7D 8D 9D")
    assert faults(STANDARD, [run, meld("7D'2 8D'2 JK=9D")]) == "meld-identical"
    assert faults(STANDARD, [run, meld("7D'2 8D'2 JK=9D 10D")]) is None
    assert faults(POSSESSION, [run, meld("7D'2 8D'2 9D'2")]) is None


def test_an_empty_table_lacks_nothing() -> None:
    assert faults(WIPE._replace(each_kind_pure=True), []) is None


def test_one_meld_meets_the_rule_in_whatever_order_they_lie() -> None:
    for order in permutations([meld("5H 5D 5S"), meld("7D 8D JK=9D"), meld("JC QC JK=KC")]):
        assert faults(STANDARD, order) is None
        assert faults(WIPE, order) == "first-meld-not-pure"
        assert faults(WIPE, [*order, meld("2S 3S 4S")]) is None


def test_with_a_pure_sequence_asked_for_sets_alone_are_no_sequence() -> None:
    assert faults(WIPE, [meld("5H 5D 5S"), meld("6H 6D JK=6S")]) == "first-meld-not-sequence"


def test_the_first_of_each_kind_pure() -> None:
    each = STANDARD._replace(each_kind_pure=True)
    run, joker_run, group, joker_group = (meld(t) for t in ("7D 8D 9D", "2S 3S JK=4S", "5H 5D 5S", "6H 6D JK=6S"))
    assert faults(each, [run, joker_run]) is None
    assert faults(each, [run, joker_group]) == "first-meld-not-pure"
    assert faults(each, [run, group, joker_run, joker_group]) is None
    assert faults(each, [group, joker_run]) == "first-meld-not-pure"
    assert faults(each._replace(first="pure-sequence"), [group]) == "first-meld-not-sequence"
    assert faults(each._replace(first="any"), [joker_run]) == "first-meld-not-pure"


# Every meld of a hand


def cards(text: str) -> int:
    return mask(pieces(text))


def test_every_meld_of_a_hand_is_listed_once() -> None:
    listed = [written(found) for found in melds_in(STANDARD, cards("7D 8D 9D 10D 8D'2 8H 8S"))]
    assert sorted(listed) == [
        "7D 8D 9D", "7D 8D 9D 10D", "8D 8H 8S", "8D 9D 10D",
    ]  # fmt: skip


def test_equal_cards_make_one_meld_of_the_lowest_ones() -> None:
    (found,) = melds_in(STANDARD, cards("7D 7D'2 8D'2 9D"))
    assert found.pieces == tuple(pieces("7D 8D'2 9D"))


def test_equal_jokers_make_one_meld_and_may_take_the_place_of_a_card_at_hand() -> None:
    found = [written(each) for each in melds_in(POSSESSION._replace(wild=JOKERS), cards("7D 9D JK JK"))]
    assert len(found) == len(set(found))
    assert set(found) == {
        "7D JK=8D 9D", "JK=5D JK=6D 7D", "JK=6D 7D JK=8D", "7D JK=8D JK=9D", "JK=7D JK=8D 9D", "JK=8D 9D JK=10D",
        "9D JK=10D JK=JD", "JK=6D 7D JK=8D 9D", "7D JK=8D 9D JK=10D",
    }  # fmt: skip


def test_a_wild_rank_card_serves_as_itself_and_for_another() -> None:
    found = {written(each) for each in melds_in(WIPE, cards("8D 9D 10D"))}
    assert found == {"8D 9D 10D", "9D 10D 8D=JD"}
    both = [each for each in melds_in(WIPE, cards("8D 8D'2 9D")) if each.kind == RUN]
    assert "8D 9D 8D=10D" in {written(each) for each in both}
    (one,) = (each for each in both if written(each) == "8D 9D 8D=10D")
    assert one.pieces == tuple(pieces("8D 9D 8D'2=10D"))  # the card that is itself is the lowest


def test_a_hand_of_wild_cards_has_no_meld() -> None:
    assert list(melds_in(STANDARD, JOKERS)) == []


def test_the_melds_of_a_large_hand_come_one_by_one() -> None:
    hand = mask(CARDS[:20]) | JOKERS | RED_EIGHTS  # far too many to list
    first = next(melds_in(WIPE, hand))
    assert read_meld(WIPE, first.pieces) == first


def by_trying(rules: MeldRules, hand: list[int]) -> set[tuple[str, int, tuple[str, ...]]]:
    """Every meld of a small hand by trying everything, as what it is and the texts of its cards."""
    found = set()
    for number in range(3, len(hand) + 1):
        for chosen in combinations(hand, number):
            choices = [
                [card, *[piece(card, face) for face in range(52)]] if rules.wild >> card & 1 else [card]
                for card in chosen
            ]
            for tried in product(*choices):
                each = read_meld(rules, tried)
                if isinstance(each, Meld):
                    found.add((each.kind, each.faces, tuple(written(each).split())))
    return found


@given(
    st.lists(st.sampled_from([card for text in "67890" for card in range(104) if CARDS[card].rank in text + "JQ"])
             , min_size=3, max_size=5, unique=True),
    st.sampled_from(["", "JK", "8D", "8H'2"]),
    st.booleans(),
)  # fmt: skip
def test_every_meld_is_found_that_trying_everything_finds(natural: list[int], wild: str, ace_high: bool) -> None:
    rules = WIPE._replace(ace_high=ace_high)
    hand = sorted({*(card for card in natural if not RED_EIGHTS >> card & 1), *pieces(wild)})
    listed = list(melds_in(rules, mask(hand)))
    identities = [(each.kind, each.faces, tuple(written(each).split())) for each in listed]
    assert len(identities) == len(set(identities))
    assert set(identities) == by_trying(rules, hand)
    for each in listed:
        assert read_meld(rules, each.pieces) == each


def test_there_are_no_other_shapes() -> None:
    assert len(shapes(STANDARD)) == 4 * (66 + 10) + 13 * 5
    assert len(shapes(POSSESSION)) == 4 * 66


# what stands for nothing that could be


JOKER_1, JOKER_2, JOKER_3, JOKER_4 = (physical(Card(f"JK'{number}")) for number in (1, 2, 3, 4))
TWO, THREE, NINE, TEN, JACK = (int(physical(Card(text))) for text in ("2C", "3C", "9C", "10C", "JC"))


@pytest.mark.parametrize("rules", [STANDARD, WIPE], ids=["standard", "wipe"])
@pytest.mark.parametrize("number", [CARD_COUNT, CARD_COUNT + 1, CARD_COUNT + JACK])
def test_a_card_that_is_not_known_and_a_number_of_no_card_make_no_meld(rules: MeldRules, number: int) -> None:
    assert read_meld(rules, [NINE, TEN, number]) == "not-a-meld"
    assert read_meld(rules, [number, number, number]) == "not-a-meld"
    assert read_meld(rules, [NINE, TEN, number][::-1]) == "not-a-meld"
    assert read_meld(rules, [TWO, THREE, number]) == "not-a-meld"  # it is no ace


@pytest.mark.parametrize("face", [JOKER, JOKER + 1])
@pytest.mark.parametrize("joker", [JOKER_1, JOKER_2])
def test_jokers_that_stand_for_jokers_are_all_jokers_and_beside_a_card_no_meld(joker: int, face: int) -> None:
    stands = piece(joker, face)
    assert read_meld(STANDARD, [stands, JOKER_3, JOKER_4]) == "meld-all-jokers"
    assert read_meld(STANDARD, [stands, NINE, TEN]) == "not-a-meld"


def test_a_card_that_may_stand_for_no_other_is_still_no_joker() -> None:
    assert read_meld(STANDARD, [piece(NINE, physical(Card("JC"))), JOKER_1, JOKER_2]) == "not-a-meld"


def test_two_cards_of_no_number_and_two_natural_ones_are_counted_as_what_they_are() -> None:
    assert read_meld(STANDARD, [JOKER_1, JOKER_2, CARD_COUNT]) == "not-a-meld"
    assert read_meld(STANDARD, [NINE, NINE, JOKER_1]) == "not-a-meld"
