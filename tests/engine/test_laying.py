"""How much of a hand can be laid: examples by hand, and small hands against every table that can be made of them."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_melds import JOKERS, POSSESSION, RED_EIGHTS, STANDARD, WIPE, cards, meld, written

from benchmarks import melds as benchmark
from engine.cards import CARDS, Card, cards_of, mask
from engine.laying import POINTS, Laid, lay_all, lay_most, points
from engine.melds import Meld, MeldRules, faults, melds_in, read_meld
from engine.pieces import piece, piece_card

FREE = STANDARD._replace(first="any")
FREE_WIPE = WIPE._replace(first="any")


def laid(found: Laid | None) -> list[str]:
    """The melds, as text."""
    assert found is not None
    return [written(each) for each in found.melds]


def left(found: Laid) -> str:
    """The cards left, as text."""
    return " ".join(card.rank + card.suit for card in cards_of(found.left))


def test_what_cards_count() -> None:
    assert [POINTS[Card(rank + "D")] for rank in ("A", "2", "9", "10", "J", "Q", "K")] == [10, 2, 9, 10, 10, 10, 10]
    assert points(mask(CARDS[:13])) == 10 + sum(range(2, 11)) + 30
    assert points(mask([Card("9C"), Card("2D"), Card("AH"), Card("KS")])) == 31


# The whole hand


def test_a_hand_of_melds_is_laid() -> None:
    found = lay_all(STANDARD, cards("7D 8D 9D 5H 5D 5S QC KC AC"))
    assert sorted(laid(found)) == ["5D 5H 5S", "7D 8D 9D", "QC KC AC"]


def test_one_card_too_many_cannot_be_laid() -> None:
    assert lay_all(STANDARD, cards("7D 8D 9D 5H 5D 5S QC KC 2C")) is None


def test_an_empty_hand_is_laid_already() -> None:
    own = (meld("7D 8D 9D"),)
    assert lay_all(STANDARD, 0, own) == Laid(own, 0)


def test_a_card_is_put_where_the_others_leave_room_for_it() -> None:
    # The 7D belongs to the set, though a longer sequence could take it.
    assert sorted(laid(lay_all(STANDARD, cards("4D 5D 6D 7D 7H 7S")))) == ["4D 5D 6D", "7D 7H 7S"]


def test_jokers_fill_gaps_and_lengthen_what_is_full() -> None:
    assert sorted(laid(lay_all(STANDARD, cards("2S 3S 4S 7D 9D JK")))) == ["2S 3S 4S", "7D JK=8D 9D"]
    assert laid(lay_all(FREE._replace(longest=4), cards("2S 3S 4S JK"))) in (["JK=AS 2S 3S 4S"], ["2S 3S 4S JK=5S"])
    assert lay_all(STANDARD._replace(longest=4, first="any"), cards("2S 3S 4S JK JK")) is None
    assert lay_all(FREE, cards("5C 5D 5H 5S JK")) is None  # a set has four suits, and one five alone has one joker


def test_a_joker_cannot_be_left_over_and_jokers_alone_are_no_meld() -> None:
    assert lay_all(FREE, cards("JK JK JK")) is None
    assert lay_all(FREE, cards("7D JK JK")) is not None
    assert lay_all(POSSESSION, cards("7D 8D 9D JK")) is None


def test_the_first_meld_must_be_pure_in_the_whole_hand() -> None:
    hand = cards("7D 8D JK 5H 5D 5S")
    assert lay_all(STANDARD, hand) is not None
    assert lay_all(WIPE, hand) is None
    assert lay_all(STANDARD._replace(each_kind_pure=True), hand) is None
    assert lay_all(STANDARD, cards("7D 8D JK")) is None


def test_no_two_identical_melds_are_laid() -> None:
    hand = cards("7D 8D 9D 7D'2 8D'2 9D'2")
    assert lay_all(STANDARD, hand) is None
    assert laid(lay_all(POSSESSION, hand)) == ["7D 8D 9D", "7D 8D 9D"]
    assert sorted(laid(lay_all(STANDARD, hand | cards("10D")))) == ["7D 8D 9D", "7D 8D 9D 10D"]
    assert lay_all(STANDARD, cards("7D 8D 9D"), [meld("7D'2 8D'2 JK=9D")]) is None


def test_own_melds_are_extended_and_stay_what_they_are() -> None:
    own = [meld("7D JK=8D 9D"), meld("5H 5D 5S")]
    found = lay_all(STANDARD, cards("6D 10D 5C"), own)
    assert laid(found) == ["6D 7D JK=8D 9D 10D", "5C 5D 5H 5S"]
    assert lay_all(STANDARD, cards("8D"), own) is None  # the joker stays 8D


def test_an_extension_may_not_make_an_own_meld_impure_unless_another_meets_the_rule() -> None:
    own = (meld("7D 8D 9D"),)
    assert lay_all(STANDARD, cards("JK"), own) is None
    assert lay_most(STANDARD, cards("JK"), own) == Laid(own, cards("JK"))
    assert laid(lay_most(STANDARD, cards("JK 3S 4S 5S"), own)) == ["7D 8D 9D JK=10D", "3S 4S 5S"]
    assert laid(lay_all(FREE, cards("JK"), own)) in (["7D 8D 9D JK=10D"], ["JK=6D 7D 8D 9D"])


def test_a_wild_rank_card_is_itself_or_another() -> None:
    assert laid(lay_all(WIPE, cards("8D 9D 10D"))) == ["8D 9D 10D"]
    assert sorted(laid(lay_all(WIPE, cards("2S 3S 4S 8H 5C 6C")))) in (
        ["2S 3S 4S", "8H=4C 5C 6C"],
        ["2S 3S 4S", "5C 6C 8H=7C"],
    )
    assert lay_all(STANDARD, cards("2S 3S 4S 8H 5C 6C")) is None


def test_a_joker_takes_the_place_of_a_card_that_alone_makes_another_meld() -> None:
    # One sequence with the queen in it counts 1 less: the jokers would have to be 9C and 10C at best.
    found = lay_most(FREE, cards("JC QC KC JK JK JK"))
    assert found.left == 0
    assert sum(points(each.faces) for each in found.melds) == 60


# The most points


def test_nothing_is_laid_where_no_first_meld_can_be() -> None:
    hand = cards("7D 8D JK 5H 5D 2C")
    assert lay_most(STANDARD, hand) == Laid((), hand)
    assert lay_most(FREE, hand).melds != ()


def test_the_dearer_of_two_melds_is_laid() -> None:
    found = lay_most(STANDARD, cards("4D 5D 6D 6H 6S KC"))
    assert laid(found) == ["6D 6H 6S"]
    assert left(found) == "KC 4D 5D"


def test_a_joker_stands_for_what_counts_most() -> None:
    assert laid(lay_most(FREE, cards("9D 10D JK"))) == ["9D 10D JK=JD"]
    assert laid(lay_most(FREE, cards("2S 3S JK"))) == ["JK=AS 2S 3S"]
    assert laid(lay_most(FREE._replace(ace_high=False), cards("QD KD JK"))) == ["JK=JD QD KD"]


def test_a_wild_rank_card_counts_what_it_stands_for_and_left_what_it_is() -> None:
    # As itself the 8H counts 8, as a king 10; in the hand it would cost 8.
    assert laid(lay_most(FREE_WIPE, cards("8H JS QS"))) in (["JS QS 8H=KS"], ["8H=10S JS QS"])
    assert left(lay_most(FREE_WIPE, cards("8H 2C 9S"))) == "2C 8H 9S"


def test_an_addition_to_an_own_meld_counts() -> None:
    found = lay_most(STANDARD, cards("10D 6D 6C 6H"), [meld("7D 8D 9D")])
    assert laid(found) == ["7D 8D 9D 10D", "6C 6D 6H"]


def test_equal_cards_are_laid_the_lowest_first() -> None:
    assert lay_most(FREE, cards("7D 8D'2 9D 9D'2")).left == cards("9D'2")


# Everything that can be laid, one meld after another


def tables(rules: MeldRules, hand: int, melds: tuple[Meld, ...]) -> Iterator[tuple[tuple[Meld, ...], int]]:
    """Every table that more melds of the hand lead to, with the cards left."""
    yield melds, hand
    for each in melds_in(rules, hand):
        yield from tables(rules, hand & ~mask(map(piece_card, each.pieces)), (*melds, each))


def extended(rules: MeldRules, hand: int, own: Sequence[Meld]) -> Iterator[tuple[tuple[Meld, ...], int]]:
    """Every way to extend own melds, one card after another."""
    if not own:
        yield (), hand
        return
    reached, fresh = {(own[0], hand)}, [(own[0], hand)]
    for each, rest in fresh:
        for card in cards_of(rest):
            faces = [piece(card, face) for face in range(52)] if rules.wild >> card & 1 else []
            for number in (int(card), *faces):
                longer = read_meld(rules, (*each.pieces, number))
                if isinstance(longer, Meld) and (state := (longer, rest & ~(1 << card))) not in reached:
                    reached.add(state)
                    fresh.append(state)
    for each, rest in reached:
        for others, rest_of_all in extended(rules, rest, own[1:]):
            yield (each, *others), rest_of_all


def value(melds: Sequence[Meld], hand: int) -> int:
    """Melded less unmelded points."""
    unmelded = sum(POINTS[card.face] for card in cards_of(hand) if card.face < 52)
    return sum(points(each.faces) for each in melds) - unmelded


def assert_as_good_as_trying_everything(rules: MeldRules, hand: int, own: tuple[Meld, ...]) -> None:
    best, whole = value(own, hand), not hand
    for longer, rest in extended(rules, hand, own):
        for melds, remaining in tables(rules, rest, longer):
            if faults(rules, melds) is None:
                best, whole = max(best, value(melds, remaining)), whole or not remaining
    found = lay_most(rules, hand, own)
    assert value(found.melds, found.left) == best
    assert_legal(rules, hand, own, found)
    every = lay_all(rules, hand, own)
    assert (every is not None) == whole
    if every is not None:
        assert every.left == 0
        assert_legal(rules, hand, own, every)


def assert_legal(rules: MeldRules, hand: int, own: tuple[Meld, ...], found: Laid) -> None:
    """Every meld is legal, the table too, own melds are in their places, and no card came or went."""
    assert faults(rules, found.melds) is None
    for each in found.melds:
        assert read_meld(rules, each.pieces) == each
    for before, after in zip(own, found.melds[: len(own)], strict=True):
        assert before.kind == after.kind
        assert set(before.pieces) <= set(after.pieces)
    lying = [piece_card(number) for each in found.melds for number in each.pieces]
    had = [piece_card(number) for each in own for number in each.pieces]
    assert sorted([*lying, *cards_of(found.left)]) == sorted([*had, *cards_of(hand)])


NEAR = [card for card in range(104) if CARDS[card].suit in ("D", "H", "S") and CARDS[card].rank in "5678JQKA"]
"""Cards that often make melds together."""

OWN = {
    "nothing": "",
    "pure run": "9D 10D JD",
    "pure set": "9C 9D 9H",
    "joker run": "9D 10D JK=JD",
    "pure and joker": "9H 10H JH / 9D 10D JK=JD",
}

RULES = {
    "free": FREE,
    "standard": STANDARD,
    "wipe": WIPE,
    "each kind": STANDARD._replace(each_kind_pure=True),
    "each kind in wipe": WIPE._replace(each_kind_pure=True),
    "identical": FREE_WIPE._replace(identical=True, ace_high=False),
    "runs": STANDARD._replace(sets=False, longest=5),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())
@settings(max_examples=60)
@given(st.data())
def test_small_hands_against_trying_everything(rules: MeldRules, data: st.DataObject) -> None:
    wild = data.draw(st.sampled_from(["", "", "JK'2", "8H", "8D", "JK'2 JK'4", "JK'2 8D'2"]))
    most = 6 if len(wild) < 5 else 5
    natural = data.draw(st.lists(st.sampled_from(NEAR), min_size=1, max_size=most, unique=True))
    hand = mask(natural) & ~RED_EIGHTS | cards(wild)
    own = [meld(text) for text in OWN[data.draw(st.sampled_from(sorted(OWN)))].split(" / ") if text]
    owned = mask(piece_card(number) for each in own for number in each.pieces)
    if hand & owned or faults(rules, own) is not None or any(each.kind == "set" and not rules.sets for each in own):
        own = []
    assert_as_good_as_trying_everything(rules, hand, tuple(own))


@pytest.mark.few(1)
@pytest.mark.parametrize("number", [3, 4])
@settings(max_examples=40)
@given(st.data())
def test_many_jokers_against_trying_everything(number: int, data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from([FREE, STANDARD, FREE_WIPE]))
    natural = data.draw(st.lists(st.sampled_from(NEAR), min_size=1, max_size=6 - number, unique=True))
    jokers = mask(list(cards_of(JOKERS))[:number])
    assert_as_good_as_trying_everything(rules, mask(natural) | jokers, ())


# Large hands, where nothing else can say what is best: what must hold of every answer


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", [2, 3])
def test_large_hands_are_laid_legally_and_never_worse_than_the_whole(seed: int) -> None:
    whole = 0
    for held in benchmark.hands(True, 100, seed):
        most, every = lay_most(*held), lay_all(*held)
        assert_legal(held.rules, held.hand, held.own, most)
        assert value(most.melds, most.left) >= value(held.own, held.hand)
        if every is not None:
            assert_legal(held.rules, held.hand, held.own, every)
            assert value(most.melds, most.left) >= value(every.melds, 0)
            whole += 1
    assert whole > 5


@pytest.mark.parametrize("seed", [4, 5])
def test_a_card_more_to_lay_never_takes_points_away(seed: int) -> None:
    # What can be laid with a hand can be laid with a card more, which then stays in the hand.
    for held in benchmark.hands(True, 40, seed):
        most = lay_most(*held)
        card = next(iter(cards_of(held.hand)))
        fewer = lay_most(held.rules, held.hand & ~(1 << card), held.own)
        own = POINTS[card.face] if card.face < 52 else 0
        assert value(most.melds, most.left) >= value(fewer.melds, fewer.left) - own


def test_the_benchmark_measures_the_same_hands_of_14_cards_each_time() -> None:
    hands = list(benchmark.hands(True, 40, 7))
    assert hands == list(benchmark.hands(True, 40, 7))
    assert hands != list(benchmark.hands(True, 40, 8))
    assert {held.hand.bit_count() for held in hands} == {14}
    assert {(held.hand & JOKERS).bit_count() for held in hands} == {0, 1, 2, 3, 4}
    assert {len(held.own) for held in hands} == {0, 1}
    assert all(not held.hand >> piece_card(number) & 1 for held in hands for own in held.own for number in own.pieces)


def test_the_benchmark_has_a_figure_for_each_function(capsys: pytest.CaptureFixture[str]) -> None:
    figures = benchmark.figures(6, 1)
    assert [(figure.name, figure.hands) for figure in figures] == [
        (f"{name}, {cards}", 6) for cards in ("jokers", "jokers and a wild rank") for name in ("lay_all", "lay_most")
    ]
    assert all(0 < figure.median <= figure.worst for figure in figures)
    benchmark.main(6)
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["lay_all,", "lay_most,"] * 2
