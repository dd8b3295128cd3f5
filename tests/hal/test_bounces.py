"""Bouncing contacts, long wires and fingers that press together: a press is one press."""

from collections.abc import Iterator
from random import Random

import pytest
from at_wires import LINES

from hal.buttons import TOGETHER, Buttons
from hal.events import Button, Chord, Event, Held, Pressed, Released
from hal.gpio import GpioChip
from hal.sim.lgpio import SimLgpio

BUSY, IDLE = 0.004, 0.03
"""Seconds between two looks of the table's thread: while a button is busy, and at rest without an edge."""

# Bounces of tact switches, as seconds from one change of the level to the next; the level is low after the last.
TRACES = {
    "clean": (),
    "1 ms": (0.001,) * 8,
    "short": (0.0002, 0.0001, 0.0004, 0.0002),
    "worn": (0.0005, 0.0021, 0.0003, 0.0042, 0.0002, 0.0007, 0.0001, 0.0031),
    "long": (0.004, 0.0006) * 6,
}


class Thread:
    """What the lines' thread does, without a thread: looks at once at an edge, else after its intervals."""

    def __init__(self, lgpio: SimLgpio, chip: GpioChip) -> None:
        self.lgpio = lgpio
        self.woken = False
        self.buttons = Buttons(1, {button: (chip, line) for button, line in LINES.items()}, wake=self._wake)
        self.now = 10.0
        self.events: list[Event] = []
        self._due = self.now

    def _wake(self) -> None:
        self.woken = True

    def wait(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.now = min(self.now + 0.0001, end)
            if self.now >= self._due or (self.woken and not self.buttons.busy):
                self.woken = False
                self.events += self.buttons.poll(self.now)
                self._due = self.now + (BUSY if self.buttons.busy else IDLE)

    def drive(self, button: Button, down: bool) -> None:
        self.lgpio.drive(0, LINES[button], 0 if down else None, self.now)

    def change(self, button: Button, down: bool, bounces: tuple[float, ...] = ()) -> None:
        """A contact that closes or opens, with its bounces."""
        level = down if len(bounces) % 2 == 0 else not down
        self.drive(button, level)
        for seconds in bounces:
            self.wait(seconds)
            level = not level
            self.drive(button, level)


@pytest.fixture
def thread(lgpio: SimLgpio, chip: GpioChip) -> Iterator[Thread]:
    made = Thread(lgpio, chip)
    yield made
    made.buttons.close()


def kinds(thread: Thread) -> list[type[Event]]:
    return [type(event) for event in thread.events]


@pytest.mark.parametrize("edges", [True, False], ids=["edges", "no-edges"])
@pytest.mark.parametrize("bounces", TRACES)
def test_a_bouncing_press_is_one_press(thread: Thread, bounces: str, edges: bool) -> None:
    thread.lgpio.lose_edges = not edges
    thread.change(Button.OK, True, TRACES[bounces])
    thread.wait(0.15)
    thread.change(Button.OK, False, TRACES[bounces])
    thread.wait(0.15)
    assert kinds(thread) == [Pressed, Released]


def test_fifty_presses_with_random_bounces_are_fifty(thread: Thread) -> None:
    chance = Random(5)
    for _ in range(50):
        for down in (True, False):
            bounces = tuple(chance.expovariate(1 / 0.001) for _ in range(chance.randrange(12)))
            thread.change(Button.OK, down, tuple(min(bounce, 0.005) for bounce in bounces))
            thread.wait(0.03 + 0.05 * chance.random())
    assert kinds(thread) == [Pressed, Released] * 50


def test_noise_on_a_long_wire_is_no_press(thread: Thread) -> None:
    chance = Random(6)
    for _ in range(300):
        thread.change(Button.LEFT, True)
        thread.wait(0.0001 + 0.003 * chance.random())
        thread.change(Button.LEFT, False)
        thread.wait(0.02 * chance.random())
    assert thread.events == []


def test_a_press_that_bounces_in_the_middle_of_a_hold_is_held_once(thread: Thread) -> None:
    thread.change(Button.RIGHT, True)
    for _ in range(12):
        thread.wait(0.1)
        thread.change(Button.RIGHT, True, (0.002,) * 3)  # ends low: the finger did not leave
    thread.change(Button.RIGHT, False)
    thread.wait(0.1)
    assert kinds(thread).count(Pressed) == kinds(thread).count(Held) == kinds(thread).count(Released) == 1


def test_a_hold_whose_release_edge_is_lost_is_not_held_any_longer(thread: Thread) -> None:
    thread.change(Button.RIGHT, True)
    thread.wait(0.5)
    thread.lgpio.lose_edges = True
    thread.change(Button.RIGHT, False)
    thread.wait(1.0)
    assert kinds(thread) == [Pressed, Released]


# Together


def test_two_buttons_held_together_are_a_chord_and_no_holds(thread: Thread) -> None:
    thread.change(Button.LEFT, True)
    thread.wait(TOGETHER / 2)
    thread.change(Button.RIGHT, True)
    thread.wait(1.0)
    thread.change(Button.RIGHT, False)
    thread.change(Button.LEFT, False)
    thread.wait(0.1)
    assert kinds(thread) == [Pressed, Pressed, Chord, Released, Released]
    assert [event.buttons for event in thread.events if isinstance(event, Chord)] == [{Button.LEFT, Button.RIGHT}]
    assert all(event.held for event in thread.events if isinstance(event, Released))


def test_all_three_are_one_chord(thread: Thread) -> None:
    for button in Button:
        thread.change(button, True, TRACES["1 ms"])
    thread.wait(1.0)
    assert [event.buttons for event in thread.events if isinstance(event, Chord)] == [frozenset(Button)]
    assert Held not in kinds(thread)


@pytest.mark.parametrize("step", [0.05, 0.1, 0.14])
def test_three_fingers_that_come_one_after_the_other_are_one_chord(thread: Thread, step: float) -> None:
    for button in Button:
        thread.change(button, True)
        thread.wait(step)
    thread.wait(1.0)
    for button in Button:
        thread.change(button, False)
    thread.wait(0.1)
    assert [event.buttons for event in thread.events if isinstance(event, Chord)] == [frozenset(Button)]
    assert Held not in kinds(thread)


@pytest.mark.parametrize("touch", [0.1, 0.4, 0.55, 0.58])
def test_a_hold_is_told_though_another_button_was_touched_meanwhile(thread: Thread, touch: float) -> None:
    """The touch begins together with the hold, and ends before it could be a chord."""
    thread.change(Button.LEFT, True)
    thread.wait(0.1)
    thread.change(Button.RIGHT, True)
    thread.wait(touch)
    thread.change(Button.RIGHT, False)
    thread.wait(1.0)
    thread.change(Button.LEFT, False)
    thread.wait(0.1)
    told = [(type(event), event.button) for event in thread.events if isinstance(event, Held | Released)]
    assert told == [(Released, Button.RIGHT), (Held, Button.LEFT), (Released, Button.LEFT)] or told == [
        (Held, Button.LEFT),
        (Released, Button.RIGHT),
        (Released, Button.LEFT),
    ]
    assert Chord not in kinds(thread)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_no_button_is_ever_released_from_a_hold_that_was_not_told(thread: Thread, seed: int) -> None:
    chance, down = Random(seed), set[Button]()
    for _ in range(60):
        button = chance.choice(list(Button))
        thread.change(button, button not in down)
        down ^= {button}
        thread.wait(chance.choice([0.03, 0.1, 0.3, 0.55, 0.7]))
    told: set[Button] = set()
    for event in thread.events:
        match event:
            case Pressed(button=button):
                told.discard(button)
            case Held(button=button):
                told.add(button)
            case Chord(buttons=buttons):
                told |= buttons
            case Released(button=button, held=held):
                assert held == (button in told)


@pytest.mark.few(1)
@pytest.mark.parametrize("edges", [True, False], ids=["edges", "no-edges"])
@pytest.mark.parametrize("seed", range(3))
def test_short_and_long_presses_with_bounces_all_count_edges_or_none(thread: Thread, seed: int, edges: bool) -> None:
    thread.lgpio.lose_edges = not edges
    chance, pressed = Random(seed), list[tuple[Button, bool]]()
    for _ in range(60):
        button, long = chance.choice(list(Button)), chance.random() < 0.2
        for down, seconds in ((True, 0.8 if long else chance.uniform(0.06, 0.08)), (False, chance.uniform(0.06, 0.2))):
            thread.change(button, down, tuple(chance.uniform(0.00005, 0.006) for _ in range(chance.randrange(14))))
            thread.wait(seconds)
        pressed.append((button, long))
    assert [(event.button, event.held) for event in thread.events if isinstance(event, Released)] == pressed


def test_one_that_comes_later_is_a_hold_of_its_own(thread: Thread) -> None:
    thread.change(Button.RIGHT, True)
    thread.wait(TOGETHER * 2)
    thread.change(Button.LEFT, True)
    thread.wait(1.0)
    assert kinds(thread) == [Pressed, Pressed, Held, Held]


def test_two_fast_fingers_are_two_presses(thread: Thread) -> None:
    """OK while ▶ is still down, as fast players do: both count."""
    thread.change(Button.RIGHT, True)
    thread.wait(0.05)
    thread.change(Button.OK, True)
    thread.wait(0.05)
    thread.change(Button.RIGHT, False)
    thread.wait(0.05)
    thread.change(Button.OK, False)
    thread.wait(0.1)
    released = [(event.button, event.held) for event in thread.events if isinstance(event, Released)]
    assert released == [(Button.RIGHT, False), (Button.OK, False)]


def test_a_chord_that_was_given_up_leaves_nothing_behind(thread: Thread) -> None:
    """The second finger leaves just before the hold time: the next hold is a hold again."""
    thread.change(Button.LEFT, True)
    thread.wait(0.1)
    thread.change(Button.RIGHT, True)
    thread.wait(0.55)
    thread.change(Button.RIGHT, False)
    thread.wait(0.2)
    thread.change(Button.LEFT, False)
    thread.wait(0.2)
    thread.events.clear()
    thread.change(Button.LEFT, True)
    thread.wait(1.0)
    assert kinds(thread) == [Pressed, Held]
