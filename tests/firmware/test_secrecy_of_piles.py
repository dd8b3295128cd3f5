"""Law 6 in games with a stock: two tables that differ only in what a seat may not know look the same at that seat.

The deals are dealt and played the same way as far as everybody can see. The hands of the others and the stock lie
differently, so the others bury and draw other cards; what they lay open is the same.
"""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest.mock import patch

import pytest
from lying_cards import RULE_SETS, Lying, deal_cards, deal_of, enter, lay, table_of
from test_secrecy import wires_of

from engine.cards import CARDS, PLAIN, Card
from engine.game import games
from engine.match import Match, Table, begin, lay_table, legal, to_act
from engine.referee import Referee
from engine.values import Action, Notice
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.trace import Trace

MOMENT = 4.0
"""Every action begins at a whole multiple of these seconds: how long a hidden choice takes tells nothing here."""
DRAWS = ("draw", "exchange")


class World(NamedTuple):
    """How the cards lie, what was done, and what everybody was told of it."""

    lying: Lying
    done: tuple[Action, ...]
    told: tuple[tuple[Notice, ...], ...]


def fully_named(action: Action, top: Card) -> bool:
    """Whether an action of the stock names the card that really lies on top; any other action."""
    argument = action.argument
    if action.verb == "draw":
        return argument == PLAIN[top]
    if action.verb == "exchange":
        return isinstance(argument, tuple) and len(argument) == 2 and argument[1] == PLAIN[top]
    return True


def play(chance: Random, table: Table, most: int) -> World:
    """A random deal and a random play of it, in which each card drawn is the one that lies on top."""
    lying = lay(chance, table, 1)
    referee, stock = Referee(begin(table)), list(lying.stock)
    referee.rule(deal_of(table, 1, lying))
    done: list[Action] = []
    told = [referee.match.notices]
    while len(done) < most and len(stock) > 2:
        actions = [action for action in islice(legal(referee.match), 1500) if fully_named(action, stock[0])]
        actions = [action for action in actions if action.verb not in ("rearrange", "declare", "show")]
        if not actions:
            break
        verb = chance.choice(sorted({action.verb for action in actions}))
        action = chance.choice([action for action in actions if action.verb == verb])
        assert referee.rule(action).refusal is None
        done.append(action)
        told.append(referee.match.notices)
        if verb in DRAWS:
            stock.pop(0)
    return World(lying, tuple(done), tuple(told))


def numbers(argument: object) -> set[int]:
    """The cards in an argument, written without their pack; other numbers too, which does no harm."""
    if isinstance(argument, tuple):
        return set().union(*map(numbers, argument))
    return {argument % 256} if isinstance(argument, int) else set()


def seen_cards(world: World, seat: int) -> set[int]:
    """The cards that a seat has seen: its own, those that were shown, laid open, buried or drawn by itself. Jokers."""
    seen = {PLAIN[card] for card in world.lying.hands[seat - 1]} | {52}
    seen |= {PLAIN[card] for _, card in world.lying.shown}
    for action in world.done:
        if action.seat == seat or action.verb not in DRAWS:
            seen |= numbers(action.argument)
    return seen


def moved(action: Action, seat: int, places: Mapping[int, int]) -> Action:
    """The same action in the other world: what others bury and draw is another card there."""
    argument = action.argument
    if action.seat == seat or action.verb not in DRAWS:
        return action
    if isinstance(argument, tuple):
        return action._replace(argument=tuple(places[card] for card in argument if isinstance(card, int)))
    return action._replace(argument=places[argument]) if isinstance(argument, int) else action


def replayed(table: Table, lying: Lying, done: tuple[Action, ...]) -> tuple[tuple[Notice, ...], ...] | None:
    """What everybody is told in this world, or None where the play is not legal in it."""
    referee = Referee(begin(table))
    referee.rule(deal_of(table, 1, lying))
    told = [referee.match.notices]
    for action in done:
        if referee.rule(action).refusal is not None:
            return None
        told.append(referee.match.notices)
    return tuple(told)


def other_world(chance: Random, table: Table, seat: int, world: World) -> World | None:
    """The same public play with the cards that the seat has not seen in other places; None where none was found."""
    seen = seen_cards(world, seat)
    hidden = [card for card in table.game.pack(table.rules) if PLAIN[card] not in seen]
    for attempt in range(400):
        count = max(2, len(hidden) >> attempt // 40)
        taken = chance.sample(hidden, min(count, len(hidden)))
        mixed = chance.sample(taken, len(taken))
        places = {number: number for number in range(53)} | dict(zip(taken, mixed, strict=True))
        cards = {card: CARDS[places[card]] if card in places else card for card in table.game.pack(table.rules)}
        hands = tuple(tuple(cards[card] for card in hand) for hand in world.lying.hands)
        lying = Lying(hands, world.lying.shown, tuple(cards[card] for card in world.lying.stock))
        done = tuple(moved(action, seat, places) for action in world.done)
        if {frozenset(hand) for hand in hands} == {frozenset(hand) for hand in world.lying.hands}:
            continue
        if replayed(table, lying, done) == world.told:
            return World(lying, done, world.told)
    return None


def fumble(chance: Random, table: SimulatedTable, seat: int) -> None:
    """Something that the seat does of its own accord and that plays nothing."""
    what = chance.choice(["peek", "list", "menu", "card", "wait"])
    if what == "peek":
        table.hold(seat, Button.RIGHT)
        table.release(seat, Button.RIGHT)
    elif what == "list":
        table.press(seat, chance.choice([Button.LEFT, Button.RIGHT]), chance.randint(1, 3))
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)
        leave_menu(table, seat)
    elif what == "menu":
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)
        leave_menu(table, seat)
    elif what == "card" and seat not in to_act(table.match):
        table.tap(seat, chance.choice(table.file.table.game.pack(table.file.table.rules)))
    else:
        table.wait(chance.choice([0.5, 7.0, 9.0]))


def leave_menu(table: SimulatedTable, seat: int) -> None:
    """Leave the menu where it is open."""
    ask = table.loop.seat_view(seat).ask
    if ask is not None and ask.prompt == "menu":
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)


def wait_for_a_moment(table: SimulatedTable) -> None:
    table.wait(MOMENT - table.clock.now() % MOMENT)


def traffic(folder: Path, kind: tuple[str, str], seed: int, seat: int, world: World) -> list[tuple[str, str, object]]:
    """What passes the wires of a seat while a world is dealt and played."""
    chance, trace = Random(seed), Trace()
    game, rules = kind
    with table_of(folder, game, len(world.lying.hands), trace=trace, rules=rules) as table:
        wires = wires_of(table, seat)
        deal_cards(table, world.lying)
        for action in world.done:
            wait_for_a_moment(table)
            if chance.random() < 0.3:
                fumble(chance, table, seat)
                wait_for_a_moment(table)
            enter(table, action, "seats")
        wait_for_a_moment(table)
        table.hold(seat, Button.RIGHT)
        table.release(seat, Button.RIGHT)
        assert len([line for line in table.loop.lines if line[:1].isdigit()]) == len(world.done)
        return [(entry.wire, entry.what, entry.data) for entry in trace if entry.wire in wires]


def two_worlds(kind: tuple[str, str], seed: int, most: int) -> tuple[int, World, World]:
    """A seat, and two worlds that look the same to it."""
    game, rules = kind
    chance = Random(seed)
    while True:
        table = lay_table(games()[game], 2 if game == "vazhushal" else chance.choice((2, 3)), rules)
        seat = chance.randint(1, table.seats)
        world = play(chance, table, chance.randint(4, most))
        other = other_world(chance, table, seat, world)
        if other is not None and len(world.done) > 3:
            return seat, world, other


COMPARED = [
    (("possession", "melds"), 1),
    (("vazhushal", "standard"), 1),
    *(pytest.param(kind, seed, marks=pytest.mark.soak) for kind in RULE_SETS for seed in range(2, 6)),
]


@pytest.mark.long
@pytest.mark.parametrize(("kind", "seed"), COMPARED)
def test_two_tables_that_differ_in_what_a_seat_may_not_know_look_the_same_there(
    tmp_path: Path, kind: tuple[str, str], seed: int
) -> None:
    seat, world, other = two_worlds(kind, seed, most=4 if seed == 1 else 16)
    assert world.lying.hands[seat - 1] == other.lying.hands[seat - 1]
    assert world.lying.hands != other.lying.hands
    with patch("firmware.showing.beat", return_value=False):  # it is of the clock alone, and others may take longer
        one, two = (traffic(tmp_path / name, kind, seed, seat, each) for name, each in (("one", world), ("two", other)))
    assert one == two
    shown = sum(wire.startswith("i2c") for wire, _, _ in one)
    assert shown > len(world.done), "the display was written less often than there were actions: nothing was compared"


@pytest.mark.long
@pytest.mark.parametrize("kind", [("vazhushal", "wipe")], ids="-".join)
def test_the_wires_of_a_seat_that_may_see_the_difference_do_differ(tmp_path: Path, kind: tuple[str, str]) -> None:
    seat, world, other = two_worlds(kind, 3, most=4)
    may_see = next(
        place for place, hand in enumerate(world.lying.hands, 1) if set(hand) != set(other.lying.hands[place - 1])
    )
    assert may_see != seat
    one, two = (traffic(tmp_path / name, kind, 3, may_see, each) for name, each in (("one", world), ("two", other)))
    assert one != two


def hidden_names(match: Match, seat: int, lying: Lying) -> list[str]:
    text = repr(match.table.game.blocks(match.deal, seat))
    hidden = [card for place, hand in enumerate(lying.hands, 1) if place != seat for card in hand]
    return [str(card) for card in (*hidden, *lying.stock) if f'Card("{card}")' in text]


@pytest.mark.parametrize("kind", RULE_SETS, ids="-".join)
@pytest.mark.parametrize("seats", [2, 4])
def test_a_view_names_no_card_of_another_hand_or_of_the_stock(kind: tuple[str, str], seats: int) -> None:
    game, rules = kind
    table = lay_table(games()[game], seats, rules)
    chance = Random(4)
    lying = lay(chance, table, 1)
    referee = Referee(begin(table))
    referee.rule(deal_of(table, 1, lying))
    for seat in range(1, seats + 1):
        own = {PLAIN[card] for card in lying.hands[seat - 1]} | {PLAIN[card] for _, card in lying.shown}
        assert [name for name in hidden_names(referee.match, seat, lying) if PLAIN[Card(name)] not in own] == []
        assert len({PLAIN[card] for card in lying.hands[seat - 1]}) > 3
