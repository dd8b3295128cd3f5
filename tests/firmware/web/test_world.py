"""Cards in people's hands at the simulated table: a card on a pad is a tag in the reader's field, and nothing more."""

import json

import pytest
from hands import acting, as_the_table_says, deal, look, own, play_on, playing, show, until_asked, wait

from engine.cards import CARDS, PLAIN, Card
from engine.match import view
from engine.pieces import piece_card
from engine.view import PUBLIC, Melds
from firmware.furnish import furnish
from firmware.web import deeds
from firmware.web.playing import Playing
from firmware.web.world import EVERYBODY, DeedError


def field(played: Playing, seat: int = 1) -> list[bytes]:
    return played.bench.table.wires.readers[f"seat {seat} reader"].field


def test_a_card_on_a_pad_is_a_tag_in_that_readers_field_until_it_is_lifted() -> None:
    with playing() as played:
        played.world.tidy = False
        deal(played)
        played.bench.cards.hold_all(1, [*played.bench.cards.tags][:1])
        card = own(played)[0]
        show(played, card)
        assert len(field(played)) == 1
        wait(played, 3.0)
        assert len(field(played)) == 1
        played.do(deeds.Hand(played.world.number(card), 1), 1)
        assert not field(played)


@pytest.mark.long
def test_a_refused_card_is_told_on_the_display_and_goes_back_into_the_hand() -> None:
    with playing() as played:
        deal(played)
        wait(played, 5.0)
        card = own(played)[2]
        show(played, card)
        wait(played, 0.3)
        last = played.bench.table.heard[-1]
        assert last.ruling is not None
        assert last.ruling.refusal is not None
        wait(played, 1.0)
        assert not field(played)
        assert sorted(own(played)).count(card) == 1
        assert len(own(played)) == 6


@pytest.mark.long
def test_a_whole_deal_is_played_and_the_hands_are_those_that_the_table_counts() -> None:
    with playing() as played:
        deal(played)
        played_cards = 0
        while until_asked(played):
            assert as_the_table_says(played)
            played_cards += bool(look(played).offered)
            play_on(played)
        assert played_cards >= 6
        assert played.bench.table.match.deals == 1


def test_a_card_that_is_drawn_from_the_stock_comes_into_the_hand() -> None:
    with playing(furnish("possession", 2, dealer=2)) as played:
        deal(played)
        assert until_asked(played)
        played.bench.table.choose(1, "draw")
        top = played.bench.cards.stock[-1]
        show(played, top)
        wait(played, 1.0)
        assert top in own(played)
        assert as_the_table_says(played)


@pytest.mark.long
def test_who_deals_by_hand_drags_each_card_over_the_pad_and_it_goes_to_its_seat() -> None:
    with playing(people=4) as played:
        for _ in range(24):
            top = next(card["id"] for card in played.world.seen(1)["cards"] if card["at"] == "stock")
            played.do(deeds.Pad(top, "dealing reader"), 1)
            wait(played, 1.0)
        assert not played.deal_is_due
        assert [len(own(played, seat)) for seat in range(1, 5)] == [6, 6, 6, 6]
        assert as_the_table_says(played)


def test_a_card_that_was_laid_aside_stays_there_whatever_the_table_counts() -> None:
    with playing() as played:
        deal(played)
        card = own(played)[0]
        played.do(deeds.Felt(played.world.number(card), 0.2, 0.4), 1)
        played.do(deeds.Press(1, "right"), 1)
        wait(played, 3.0)
        assert card not in own(played)
        assert played.world.places[card].kind == "felt"


def test_nobody_is_sent_a_face_that_he_may_not_see() -> None:
    with playing(people=2) as played:
        deal(played)
        for viewer in (0, 1, 2):
            for card in played.world.seen(viewer)["cards"]:
                hidden = card["at"] == "stock" or (card["at"] == "hand" and card["seat"] != viewer)
                assert ("face" in card) == (not hidden)
        assert sum("face" in card for card in played.world.seen(EVERYBODY)["cards"]) == 24


def test_what_others_hold_makes_no_difference_to_what_a_viewer_is_sent() -> None:
    with playing(people=4) as played:
        deal(played)
        before = json.dumps(played.world.seen(1))
        played.do(deeds.Sort(3), 3)
        played.bench.cards.hands[3].reverse()
        played.world.poll()
        assert json.dumps(played.world.seen(1)) == before
        assert json.dumps(played.world.seen(3)) != before


def test_after_a_shuffle_a_number_says_nothing_of_a_card() -> None:
    with playing() as played:
        deal(played)
        before = {played.world.number(card): card for card in own(played)}
        played.do(deeds.Shuffle(), 1)
        deal_again = [card for number, card in before.items() if played.world.number(card) == number]
        assert len(deal_again) < len(before) / 2


def test_others_cards_and_buttons_are_theirs() -> None:
    with playing(people=2) as played:
        deal(played)
        with pytest.raises(DeedError, match="seat 2 holds this card"):
            played.do(deeds.Pad(played.world.number(own(played, 2)[0]), "seat 1 reader"), 1)
        with pytest.raises(DeedError, match="buttons of seat 2"):
            played.do(deeds.Press(2, "ok"), 1)
        with pytest.raises(DeedError, match="bot at seat 3"):
            played.do(deeds.Pad(played.world.number(own(played, 3)[0]), "seat 3 reader"), EVERYBODY)
        played.do(deeds.Pad(played.world.number(own(played, 2)[0]), "seat 2 reader"), EVERYBODY)
        assert len(field(played, 2)) == 1


@pytest.mark.long
def test_a_bot_sits_down_and_stands_up_in_the_middle_of_a_deal() -> None:
    with playing() as played:
        deal(played)
        played.do(deeds.Bot(1, on=True), 1)
        wait(played, 20.0)
        played.do(deeds.Bot(1, on=False), 1)
        assert 1 not in played.bench.bots
        while until_asked(played):
            assert as_the_table_says(played)
            play_on(played)
        assert played.bench.table.match.deals == 1


def test_a_card_and_its_number_are_found_again_after_a_restart() -> None:
    with playing() as played:
        deal(played)
        number, card = played.world.number(own(played)[0]), own(played)[0]
        played.do(deeds.Restart(), 1)
        wait(played, 2.0)
        assert played.world.card(number) == card
        assert isinstance(card, Card)


@pytest.mark.few(1)
@pytest.mark.parametrize("by", ["reader", "buttons"])
def test_a_drawn_card_whose_equal_lies_on_the_pile_is_the_one_that_comes(by: str) -> None:
    with playing(furnish("possession", 4, dealer=4), seed=5) as played:
        deal(played)
        assert until_asked(played)
        cards = played.bench.cards
        top = cards.newest()
        assert top is not None
        twin = next(card for card in cards.stock if PLAIN[card] == PLAIN[top])
        cards.put(twin, "stock")
        played.bench.table.choose(1, "draw")
        if by == "reader":
            show(played, twin)
        else:
            played.bench.table.choose(1, Card(f"{twin.rank}{twin.suit}"))
        wait(played, 1.0)
        assert twin in own(played)
        assert top in cards.pile
        assert as_the_table_says(played)


def test_a_trick_lies_in_front_of_the_seats_until_the_next_is_led() -> None:
    with playing(people=4) as played:
        deal(played)
        table = played.bench.table
        while not look(played, acting(played)[0]).ask.source:  # type: ignore[union-attr]
            seat = acting(played)[0]
            choices = look(played, seat).ask.choices  # type: ignore[union-attr]
            table.choose(seat, "pass" if "pass" in choices else choices[0])
        lying = []
        for _ in range(5):
            seat = acting(played)[0]
            card = next(
                card for card in own(played, seat) if PLAIN[card] in {PLAIN[one] for one in look(played, seat).offered}
            )
            show(played, card, seat)
            wait(played, 1.2)
            lying.append((card, seat))
            tricks = {(card, place.seat) for card, place in played.world.places.items() if place.kind == "trick"}
            assert tricks == {*lying[4:]} or tricks == {*lying[:4]}
        assert {played.world.places[card].kind for card, _ in lying[:4]} == {"away"}


@pytest.mark.long
def test_the_cards_of_a_meld_lie_as_the_table_tells_them() -> None:
    with playing(furnish("vazhushal", 2, dealer=1), people=0) as played:
        melds: list[Melds] = []
        for _ in range(20_000):
            played.poll()
            melds = [block for block in view(played.bench.table.match, PUBLIC).blocks if isinstance(block, Melds)]
            if sum(len(block.melds) for block in melds) > 3:
                break
        wait(played, 3.0)
        told = {
            (block.seat, index): [str(CARDS[PLAIN[piece_card(piece)]]) for piece in meld]
            for block in melds
            for index, meld in enumerate(block.melds)
        }
        shown: dict[tuple[int, int], list[str]] = {}
        for card in played.world.seen(0)["cards"]:
            if card["at"] == "meld":
                shown.setdefault((card["seat"], card["index"]), []).append(card["face"])
        assert {place: shown[place] for place in told} == told
