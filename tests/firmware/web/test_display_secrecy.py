"""Law 6 at the page of the simulated table: of two worlds that look alike to a seat, it is sent the same of the others'
displays, lights and lines, whatever they show each other, and also while cards are refused.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest
from at_table import seated
from board_tables import Kept
from lying_cards import Lying, deal_cards, enter, table_of
from test_secrecy import other_world, random_play
from test_secrecy_of_piles import MOMENT, numbers, two_worlds, wait_for_a_moment

from engine.asks import Ask
from engine.cards import PLAIN, Card
from engine.game import games
from engine.match import lay_table, to_act
from engine.values import Action, Refusal
from engine.view import View
from firmware.bench import Bench
from firmware.seatview import Message, SeatView, Sheet, TableText, Wording
from firmware.simulated import STEP, SimulatedTable
from firmware.web.playing import Playing
from firmware.web.shown import Shown, is_private
from firmware.web.sim_site import topics_of
from hal.events import Button

Sent = list[tuple[str, str]]
QUEEN = Card("QC")


@contextmanager
def watched(table: SimulatedTable, viewer: int) -> Iterator[Sent]:
    """What a page at this seat is sent while time passes, but for the cards that people move by themselves."""
    feed = Kept()
    sent: Sent = []
    shown, wait = Shown(Playing(Bench(table, 1), 1), feed), table.wait

    def watch(seconds: float) -> None:
        end = table.clock.now() + seconds
        while table.clock.now() < end - 1e-6:
            wait(min(STEP, end - table.clock.now()))
            shown.publish()

    table.wait = watch  # type: ignore[method-assign]
    shown.publish()
    yield sent
    own = topics_of(viewer)
    for topic, value in feed.published:
        if topic in own or f"{topic.partition(':')[0]}:" in own:
            sent.append((topic, value))


def err(table: SimulatedTable, chance: Random, viewer: int, wrong: tuple[Card, ...]) -> None:
    """Somebody else shows the wrong card at the wrong time, peeks, or looks through a list."""
    acting = to_act(table.match)
    seat = chance.choice([seat for seat in range(1, len(wrong) + 1) if seat != viewer])
    what = chance.choice(("card", "card", "peek", "list"))
    if what == "card":
        table.tap(seat, wrong[viewer - 1] if seat in acting else wrong[seat - 1])
    elif what == "peek":
        table.hold(seat, Button.RIGHT)
        table.release(seat, Button.RIGHT)
    elif seat in acting:
        table.press(seat, Button.RIGHT, 2)
    table.wait(MOMENT * 5)  # whatever it was is forgotten
    wait_for_a_moment(table)


Play = Callable[[SimulatedTable, Action], None]


def sent_to(
    table: SimulatedTable, viewer: int, hands: tuple[tuple[Card, ...], ...], done: tuple[Action, ...], play: Play
) -> Sent:
    """What a page at this seat is sent while a deal is played, in which others err now and then."""
    chance, open_later = Random(5), {number for action in done for number in numbers(action.argument)}
    kept = [[card for card in hand if PLAIN[card] not in open_later] for hand in hands]
    wrong = tuple((own or kept[viewer - 1])[0] for own in kept)
    with patch("firmware.showing.beat", return_value=False), watched(table, viewer) as sent:  # it is of the clock alone
        for action in done:
            wait_for_a_moment(table)
            if chance.random() < 0.6:
                err(table, chance, viewer, wrong)
            play(table, action)
        wait_for_a_moment(table)
    return [(topic, value) for topic, value in sent if not topic.startswith("cards:")]


def play_pepper(table: SimulatedTable, action: Action) -> None:
    text = table.file.table.game.text(action).split()[-1]
    if action.verb == "play":
        table.tap(action.seat, Card(text))
    else:
        table.choose(action.seat, text)


@pytest.mark.long
@pytest.mark.parametrize("seed", [4, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(5, 12))])
def test_a_seat_is_sent_the_same_in_two_deals_of_tricks(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    laid = lay_table(games()["pepper"], 4)
    cards = sorted(laid.game.pack(laid.rules))
    chance.shuffle(cards)
    dealt, done = random_play(chance, laid, cards)
    mixed = other_world(chance, laid, 1, dealt, done)
    assert mixed != dealt
    told = []
    for name, one in (("one", dealt), ("other", mixed)):
        folder = tmp_path / name
        folder.mkdir()
        with seated(folder) as table:
            hands = tuple(tuple(hand or ()) for hand in one.hands)
            table.deal(hands)
            told.append(sent_to(table, 1, hands, tuple(done), play_pepper))
    compare(*told)


@pytest.mark.parametrize(
    ("kind", "seed"),
    [
        (("possession", "melds"), 1),
        (("vazhushal", "standard"), 1),
        *(pytest.param(("possession", rules), 3, marks=pytest.mark.soak) for rules in games()["possession"].rule_sets),
        *(pytest.param(("vazhushal", rules), 3, marks=pytest.mark.soak) for rules in games()["vazhushal"].rule_sets),
    ],
)
def test_a_seat_is_sent_the_same_in_two_deals_with_piles(tmp_path: Path, kind: tuple[str, str], seed: int) -> None:
    game, rules = kind
    viewer, world, other = two_worlds(kind, seed, most=8)
    told = []
    for name, one in (("one", world), ("other", other)):
        lying: Lying = one.lying
        with table_of(tmp_path / name, game, len(lying.hands), rules=rules) as table:
            deal_cards(table, lying)
            play = lambda table, action: enter(table, action, "seats")  # noqa: E731
            told.append(sent_to(table, viewer, lying.hands, one.done, play))
    compare(*told)


def compare(one: Sent, other: Sent) -> None:
    """By topic: the order of what happens at the same time tells nothing."""
    topics = sorted({topic for topic, _ in (*one, *other)})
    for topic in topics:
        assert [value for at, value in one if at == topic] == [value for at, value in other if at == topic], topic
    assert any('"covered"' in value for _, value in one)
    assert sum("bits" in value for _, value in one) > 10


# What a display may show


BARE = SeatView(2, View(2, ()), None, None, (), None, None, False, True, (), ())
CARD = (("card", int(QUEEN)),)
PRIVATE = {
    "a refusal": BARE._replace(message=Refusal("must-follow-suit", "5", (("suit", "C"),))),
    "a refusal of a card": BARE._replace(message=Refusal("not-your-turn", ""), shown=QUEEN),
    "a peek": BARE._replace(peeking=True),
    "a card that is picked": BARE._replace(ask=Ask("play", cards=(QUEEN,)), cursor=0),
    "what can be done with the hand": BARE._replace(ask=Ask("melding", ("meld", "discard")), cursor=0),
    "what was begun with it": BARE._replace(given=("meld",)),
    "cards that were given": BARE._replace(given=(QUEEN,)),
    "a sheet about a card": BARE._replace(sheet=Sheet(Ask("x", ("so",)), text=Wording("card-named", CARD))),
}
MESSAGES = ["counted-already", "does-not-fit", "in-your-hand", "lies-elsewhere", "tag-is-old", "tag-replaced"]


@pytest.mark.parametrize("seen", PRIVATE.values(), ids=PRIVATE)
def test_what_is_nobody_elses_business_is_covered(seen: SeatView) -> None:
    assert is_private(seen)


@pytest.mark.parametrize("code", MESSAGES)
def test_a_message_that_names_a_card_is_covered_however_it_names_it(code: str) -> None:
    named: list[Message] = [TableText(code, (("card", QUEEN),)), TableText(code, (("card", int(QUEEN)),))]
    assert all(is_private(BARE._replace(message=message)) for message in named)


@pytest.mark.parametrize("message", [None, TableText("locked", bad=True), TableText("seat-deals", (("seat", 2),))])
def test_what_everybody_may_know_is_shown(message: Message | None) -> None:
    assert not is_private(BARE._replace(message=message))
    assert not is_private(BARE._replace(message=message, ask=Ask("bid", ("4", "pass"))))
