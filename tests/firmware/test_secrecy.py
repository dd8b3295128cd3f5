"""Law 6: two deals that differ only in what is hidden from a seat put the same bytes on that seat's wires.

The deals are dealt, bid and played the same way as far as everybody can see; the cards that the other seats have not
shown yet lie differently. What the seat does in between (buttons, peeks, cards of its own at the wrong time) is the
same in both.
"""

from pathlib import Path
from random import Random

import pytest
from at_table import BIDDEN, HANDS, messages, prompted, seated, standing

from engine import entries
from engine.cards import Card
from engine.game import Dealt, games
from engine.match import Table, begin, lay_table, legal, to_act
from engine.referee import Referee
from engine.values import Action
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.trace import Trace

SEATS = 4


def random_play(chance: Random, table: Table, cards: list[Card]) -> tuple[Dealt, list[Action]]:
    """A deal, and what was done in it up to some moment after the bidding."""
    size = table.rules.cards
    dealt = Dealt(tuple(tuple(cards[seat * size : (seat + 1) * size]) for seat in range(SEATS)))
    referee = Referee(begin(table))
    referee.rule(entries.Deal(4, dealt))
    done: list[Action] = []
    for _ in range(chance.randint(6, 14)):
        actions = list(legal(referee.match))
        if not actions:
            break
        action = chance.choice(actions)
        referee.rule(action)
        done.append(action)
    return dealt, done


def other_world(chance: Random, table: Table, seat: int, dealt: Dealt, done: list[Action]) -> Dealt:
    """The same deal with the cards that seat has not seen dealt anew among the others, so that all was legal too."""
    shown = {action.argument for action in done if action.verb == "play"}
    hands = [list(hand or ()) for hand in dealt.hands]
    others = [place for place in range(SEATS) if place != seat - 1]
    for _ in range(2000):
        hidden = [card for place in others for card in hands[place] if card not in shown]
        chance.shuffle(hidden)
        mixed = Dealt(
            tuple(
                tuple(hidden.pop() if place in others and card not in shown else card for card in hand)
                for place, hand in enumerate(hands)
            )
        )
        referee = Referee(begin(table))
        referee.rule(entries.Deal(4, mixed))
        if mixed != dealt and all(referee.rule(action).refusal is None for action in done):
            return mixed
    return dealt


def wires_of(table: SimulatedTable, seat: int) -> tuple[str, str, str]:
    """The display, the LED and the buzzer that a seat sees and hears."""
    wiring = table.file.wiring
    place, buzzer = wiring.seats[seat - 1], wiring.buzzer
    assert place.display is not None
    assert buzzer is not None
    display = f"i2c-{place.display.bus} {place.display.address:02X}"
    return display, f"gpiochip0 line {place.led}", f"gpiochip0 line {buzzer.line}"


def fumble(chance: Random, table: SimulatedTable, seat: int, hand: list[Card]) -> None:
    """Something that the seat does of its own accord and that plays nothing: a peek, a list, a card out of turn."""
    acting = seat in to_act(table.match)
    what = chance.choice(["peek", "list", "menu", "card", "wait"])
    if what == "peek":
        table.hold(seat, Button.RIGHT)
        table.release(seat, Button.RIGHT)
    elif what == "list":
        table.press(seat, chance.choice([Button.LEFT, Button.RIGHT]), chance.randint(1, 4))
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)
    elif what == "menu":
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)
    elif what == "card" and not acting:
        table.tap(seat, chance.choice(hand))
    else:
        table.wait(chance.choice([0.5, 7.0, 9.0]))


def traffic(folder: Path, seed: int, seat: int, dealt: Dealt, done: list[Action]) -> list[tuple[str, str, bytes | int]]:
    """What passes the wires of a seat while a deal is dealt and played; other seats are never wrong."""
    folder.mkdir()
    chance, trace = Random(seed), Trace()
    own = list(dealt.hands[seat - 1] or ())
    with seated(folder, trace=trace) as table:
        wires = wires_of(table, seat)
        table.deal([list(hand or ()) for hand in dealt.hands])
        for action in done:
            if chance.random() < 0.3:
                fumble(chance, table, seat, own)
            if action.verb == "play":
                table.tap(action.seat, Card(table.file.table.game.text(action).split()[-1]))
            else:
                seen = table.loop.seat_view(action.seat)
                assert seen.ask is not None
                if prompted(table, action.seat) == "menu":
                    table.choose(action.seat, "go-on")  # it stays until it is left
                table.choose(action.seat, table.file.table.game.text(action).split()[-1])
        table.hold(seat, Button.RIGHT)
        table.release(seat, Button.RIGHT)
        assert [line for line in table.loop.lines if line[:1].isdigit()] == [
            f"{action.seat} {table.file.table.game.text(action)}" for action in done
        ]
        return [(entry.wire, entry.what, entry.data) for entry in trace if entry.wire in wires]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 40))])
def test_two_deals_that_differ_only_in_what_is_hidden_from_a_seat_look_the_same_there(
    tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    table = lay_table(games()["pepper"], SEATS)
    seat = chance.randint(1, SEATS)
    cards = sorted(table.game.pack(table.rules))
    chance.shuffle(cards)
    dealt, done = random_play(chance, table, cards)
    mixed = other_world(chance, table, seat, dealt, done)
    assert mixed != dealt or seed > 2
    one = traffic(tmp_path / "one", seed, seat, dealt, done)
    other = traffic(tmp_path / "other", seed, seat, mixed, done)
    assert one == other
    shown = sum(wire.startswith("i2c") for wire, _, _ in one)
    assert shown > len(done), "the seat's display was written less often than there were actions: nothing was compared"


def peeked(folder: Path, entered: tuple[str, ...], seat: int) -> list[tuple[str, bytes | int]]:
    """What passes the wire of a seat's display at a peek."""
    folder.mkdir()
    trace = Trace()
    with seated(folder, entered, trace=trace, readers="centre") as table:
        mark, display = trace.seq, wires_of(table, seat)[0]
        table.hold(seat, Button.RIGHT)
        table.release(seat, Button.RIGHT)
        return [(entry.what, entry.data) for entry in trace.since(mark) if entry.wire == display]


@pytest.mark.few(1)
@pytest.mark.parametrize(("seat", "same"), [(1, True), (2, False), (3, False), (4, True)])
def test_a_card_that_lies_elsewhere_shows_at_the_seats_that_may_see_it_and_at_no_other(
    tmp_path: Path, seat: int, same: bool
) -> None:
    one = peeked(tmp_path / "one", BIDDEN, seat)
    other = peeked(tmp_path / "other", swap_ace_of_hearts(BIDDEN), seat)
    assert len(one) > 1
    assert (one == other) == same


def test_a_seat_cannot_ask_by_buttons_who_holds_a_card(tmp_path: Path) -> None:
    answers: list[tuple[object, object]] = []
    for name, entered in (("one", BIDDEN), ("other", swap_ace_of_hearts(BIDDEN))):
        folder = tmp_path / name
        folder.mkdir()
        with seated(folder, entered, readers="centre") as table:
            seen = table.loop.seat_view(1)
            answers.append((seen.ask, seen.view))
            before = standing(table)
            table.press(1, Button.RIGHT, 6)
            table.press(1, Button.OK)
            answers.append((messages(table, 1), standing(table) != before))
    assert answers[:2] == answers[2:]


def swap_ace_of_hearts(entered: tuple[str, ...]) -> tuple[str, ...]:
    """Seat 2's ace of hearts for seat 3's nine of hearts."""
    two, three = HANDS[1].replace("AH", "9H"), HANDS[2].replace("9H", "AH")
    return (entered[0].replace(HANDS[1], two).replace(HANDS[2], three), *entered[1:])


@pytest.mark.few(2)
@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_a_seat_sees_the_cards_of_no_other_seat_in_its_view(tmp_path: Path, seat: int) -> None:
    with seated(tmp_path, BIDDEN, readers="centre") as table:
        table.hold(seat, Button.RIGHT)
        text = repr(table.loop.seat_view(seat))
        table.release(seat, Button.RIGHT)
        foreign = {card for place, hand in enumerate(HANDS, 1) if place != seat for card in hand.split()}
        assert not {card for card in foreign if f'Card("{card}")' in text}
        assert all(f'Card("{card}")' in text for card in HANDS[seat - 1].split())
