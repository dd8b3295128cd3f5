"""The walk through a pack: which card is asked for, whose a tag is, and what is left."""

import pytest

from engine.cards import CARDS, parse_card
from firmware.deck import Deck, deck_of, simulated_deck
from firmware.decks import Decks, Kept, Shelf, made_up
from firmware.enrol import Enrolment, Replacement, Step, cards_named, whole_pack

PACK = cards_named("9D 10D JD")
NINE, TEN, JACK = PACK
EMPTY = Kept("red", Deck({}))
BLUE = made_up(simulated_deck(CARDS[:52], 1), "blue")
A, B, C = "04FFEE01", "04FFEE02", "04FFEE03"


def give(walk: Enrolment, *uids: str) -> Enrolment:
    for uid in uids:
        assert walk.whose(uid, Decks(Shelf((BLUE,)))) is None
        walk.taken(walk.take(uid))
    return walk


def back(walk: Enrolment) -> None:
    step = walk.back()
    assert step is not None
    walk.taken(step)


def test_cards_are_asked_for_in_order_and_each_gets_its_tag() -> None:
    walk = Enrolment(EMPTY, PACK)
    assert [walk.card, walk.number, walk.missing] == [NINE, 1, PACK]
    give(walk, A, B)
    assert [walk.card, walk.number, walk.missing] == [JACK, 3, (JACK,)]
    give(walk, C)
    assert (walk.card, walk.missing) == (None, ())
    assert walk.kept.deck.cards == {A: NINE, B: TEN, C: JACK}
    assert walk.kept.text == f"{A}, 9D\n{B}, 10D\n{C}, JD\n"


def test_a_step_counts_only_once_it_was_taken() -> None:
    walk = Enrolment(EMPTY, PACK)
    step = walk.take(A)
    assert isinstance(step, Step)
    assert (walk.card, walk.kept) == (NINE, EMPTY)


def test_a_tag_that_a_card_has_already_is_that_card_s() -> None:
    walk = give(Enrolment(EMPTY, PACK), A)
    found = walk.whose(A, Decks(Shelf()))
    assert found is not None
    assert found.card == NINE


def test_a_tag_of_another_deck_is_that_deck_s() -> None:
    found = Enrolment(EMPTY, PACK).whose(BLUE.deck.uid(JACK), Decks(Shelf((BLUE,))))
    assert found is not None
    assert (found.kept.name, found.card) == ("blue", JACK)


def test_what_is_done_is_marked_as_unfinished_until_it_is_complete() -> None:
    walk = give(Enrolment(EMPTY, PACK), A)
    assert walk.kept.missing == (TEN, JACK)
    again = Enrolment(walk.kept, (*walk.kept.deck.held(), *walk.kept.missing))
    assert again.card == TEN
    give(again, B, C)
    assert again.kept.missing == ()
    assert "unfinished" not in again.kept.text


def test_going_back_forgets_the_tag_so_that_it_can_be_given_to_another_card() -> None:
    walk = give(Enrolment(EMPTY, PACK), B, A)  # the ten was shown first
    back(walk)
    back(walk)
    assert (walk.card, walk.kept.deck.cards) == (NINE, {})
    assert walk.back() is None
    give(walk, A, B)
    assert walk.kept.deck.cards == {A: NINE, B: TEN}


def test_a_card_that_is_skipped_is_missing_and_asked_for_the_next_time() -> None:
    walk = Enrolment(EMPTY, PACK)
    walk.taken(walk.skip())
    give(walk, B)
    back(walk)
    back(walk)
    assert walk.card == NINE
    walk.taken(walk.skip())
    give(walk, B, C)
    assert walk.missing == (NINE,)
    assert Enrolment(walk.kept, PACK).card == NINE


def test_anew_every_card_is_asked_for_and_old_tags_may_have_changed_places() -> None:
    done = give(Enrolment(EMPTY, PACK), A, B, C).kept
    assert Enrolment(done, PACK).card is None
    walk = give(Enrolment(done, PACK, anew=True), B)  # it was in the ten before
    assert walk.kept.deck.cards == {B: NINE, C: JACK}
    found = walk.whose(B, Decks(Shelf()))
    assert found is not None
    assert found.card == NINE
    give(walk, A, C)
    assert walk.kept.deck.cards == {A: TEN, B: NINE, C: JACK}


def test_one_card_gets_another_tag_and_the_old_one_is_forgotten() -> None:
    done = give(Enrolment(EMPTY, PACK), A, B).kept
    decks = Decks(Shelf((done, BLUE)))
    replacement = Replacement(done, NINE)
    for uid, card in ((A, NINE), (B, TEN), (BLUE.deck.uid(JACK), JACK)):
        found = replacement.whose(uid, decks)
        assert found is not None
        assert found.card == card
    assert replacement.whose(C, decks) is None
    replaced = replacement.take(C)
    assert replaced.deck.cards == {C: NINE, B: TEN}
    assert replaced.missing == (JACK,)
    assert deck_of(replaced.text, "red") == replaced.deck


@pytest.mark.parametrize(("name", "count", "jokers"), [("52", 52, 0), ("54", 54, 2), ("104", 104, 0), ("108", 108, 4)])
def test_whole_packs(name: str, count: int, jokers: int) -> None:
    cards = whole_pack(name)
    assert len({*cards}) == count
    assert sum(card.rank == "JK" for card in cards) == jokers
    assert cards_named(name) == cards


@pytest.mark.parametrize(("text", "said"), [("", "no cards"), ("9D 9D", "9D twice"), ("9X", "9X"), ("??", "no card")])
def test_cards_that_cannot_be_enrolled(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said.replace("?", r"\?")):
        cards_named(text)


def test_the_second_pack_s_cards_are_cards_of_their_own() -> None:
    assert cards_named("9D 9D'2") == (NINE, parse_card("9D'2"))
