"""A simulated table made to order: what was ordered, or one line that says what can be had."""

from random import Random

import pytest

from engine.cards import CARDS
from firmware.furnish import READERS, FurnishError, furnish, physical_cards
from firmware.ways import Way
from hal.wiring import CommonRole


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("readers", READERS)
def test_a_table_of_each_size_and_with_each_kind_of_readers(seats: int, readers: str) -> None:
    file = furnish("pepper", seats, tracked=readers != "none", readers=readers)
    assert len(file.wiring.seats) == file.table.seats == seats
    places = list(file.wiring.readers())
    roles = {place.role for place in places if place.role is not None}
    assert (
        roles
        == {
            "seats": {CommonRole.DEALING},
            "centre": {CommonRole.DEALING, CommonRole.CENTRE},
            "none": set(),
        }[readers]
    )
    assert [place.seat for place in places if place.seat] == ([*range(1, seats + 1)] if readers == "seats" else [])
    assert (file.deck is None) == (readers == "none")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_two_things_share_a_line_a_port_or_an_address(seats: int) -> None:
    wiring = furnish("pepper", seats).wiring
    lines = [
        line for seat in wiring.seats for line in (seat.buttons.left, seat.buttons.ok, seat.buttons.right, seat.led)
    ]
    lines += [wiring.buzzer.line] if wiring.buzzer else []
    assert len(set(lines)) == len(lines)
    assert all(isinstance(line, int) and 4 <= line <= 27 for line in lines)
    ports = [place.port for place in wiring.readers()]
    assert len(set(ports)) == len(ports)
    displays = [(seat.display.bus, seat.display.address) for seat in wiring.seats if seat.display]
    assert len(set(displays)) == seats


def test_the_rest_of_the_order_is_kept() -> None:
    file = furnish("pepper", 2, "bowers", False, {"target": 7}, "none", 2, ("Ann", "Ben"), "ru")
    assert (file.table.rule_set, file.table.tracked, dict(file.table.options)) == ("bowers", False, {"target": 7})
    assert (file.dealer, file.names, file.language) == (2, ("Ann", "Ben"), "ru")


@pytest.mark.parametrize(
    ("order", "part", "said"),
    [
        ({"game": "whist"}, "game", "no game 'whist'; expected pepper"),
        ({"seats": 5}, "seats", "pepper has no 5 seats; expected 2 to 4"),
        ({"seats": 0}, "seats", "pepper has no 0 seats; expected 2 to 4"),
        ({"rules": "mine"}, "rules", "no rule set 'mine'; expected standard or bowers"),
        ({"options": {"goal": 3}}, "rules", "no option 'goal'; expected one of"),
        ({"readers": "none"}, "readers", "tracked hands need a dealing pad; expected readers, or concealed hands"),
        ({"deal": "scan-in", "readers": "centre"}, "readers", "needs a reader at each seat; expected readers seats"),
        ({"deal": "scan-in", "readers": "none"}, "readers", "needs a reader at each seat; expected readers seats"),
        ({"deal": "cut"}, "deal", "no deal 'cut'; expected pad or scan-in or concealed"),
        ({"deal": "pad", "tracked": False}, "deal", "deal by pad, but hands are concealed; expected concealed"),
        ({"deal": "concealed", "tracked": True}, "deal", "hands are tracked; expected pad or scan-in"),
        ({"readers": "two"}, "readers", "no readers 'two'; expected seats or centre or none"),
        ({"names": ("Ann",)}, "names", "1 name; expected 4, one for each seat"),
        ({"names": ("Ann", "Ben", "C,", "Dan")}, "names", '"C," is no name; expected'),
        ({"dealer": 5}, "dealer", "no seat 5; expected 1 to 4, or 0 for a lot"),
        ({"dealer": -1}, "dealer", "no seat -1; expected 1 to 4"),
        ({"language": "de"}, "language", "no language 'de'; expected en or ru"),
    ],
)
def test_what_cannot_be_had_is_said(order: dict[str, object], part: str, said: str) -> None:
    wanted: dict[str, object] = {"game": "pepper", "seats": 4, **order}
    with pytest.raises(FurnishError) as caught:
        furnish(**wanted)  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert caught.value.part == part


@pytest.mark.parametrize(
    ("order", "way", "pad"),
    [
        ({}, Way.PAD, True),
        ({"tracked": False}, Way.CONCEALED, True),
        ({"deal": "scan-in"}, Way.SCAN_IN, False),
        ({"deal": "scan-in", "tracked": True}, Way.SCAN_IN, False),
        ({"deal": "concealed"}, Way.CONCEALED, True),
    ],
)
def test_the_deal_is_as_ordered_or_as_the_hands_are(order: dict[str, object], way: Way, pad: bool) -> None:
    file = furnish("pepper", 2, **order)  # type: ignore[arg-type]
    assert (file.deal, file.table.tracked) == (way, way.tracked)
    assert (CommonRole.DEALING in {place.role for place in file.wiring.readers()}) == pad


def test_the_cards_on_the_table_have_the_tags_of_the_deck() -> None:
    file = furnish("pepper", 2)
    cards = physical_cards(file, Random(1))
    assert file.deck is not None
    assert len(cards.tags) == 24
    assert all(file.deck.card(uid) == card for card, uid in cards.tags.items())


def test_cards_that_nothing_reads_have_no_tags() -> None:
    cards = physical_cards(furnish("pepper", 2, tracked=False, readers="none"), Random(1))
    assert set(cards.tags.values()) == {""}
    assert CARDS[1] not in cards.tags  # the two of clubs is not in this pack
