"""Bots: they know what their seat may know, act on wires alone, and play whole matches that the referee accepts."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from at_table import all_bots, asked, seated
from contact_sheet import HANDS, Play

from engine.answers import check_record, result_values
from engine.asks import Ask
from engine.cards import SUITS, Card, parse_card
from engine.game import games
from engine.match import to_act
from engine.record import read_record
from engine.values import Refusal
from engine.view import Hand
from firmware.bench import Bench
from firmware.bots import Bot, seat_bot
from firmware.desk import NEXT_MATCH
from firmware.furnish import furnish
from firmware.pack import Cards
from firmware.script import parse_script, run_script
from firmware.seatview import PICK, DealingView, SeatView, TableText
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.wiring import CommonRole, ReaderPlace

PEPPER = games()["pepper"]
PACK = PEPPER.pack(PEPPER.rules(4, True, PEPPER.rule_sets["standard"]))


class Hands:
    """Wires that note what hands do to them."""

    def __init__(self) -> None:
        self.done: list[tuple[str, object, object]] = []
        self.shown: list[str] = []

    def press(self, seat: int, button: Button, now: float = 0.0) -> None:
        self.done.append(("press", seat, button.value))

    def release(self, seat: int, button: Button, now: float = 0.0) -> None:
        self.done.append(("release", seat, button.value))

    def place(self, reader: str, uid: str) -> None:
        self.done.append(("place", reader, uid))
        self.shown.append(uid)

    def lift(self, reader: str, uid: str | None = None) -> None:
        self.done.append(("lift", reader, uid))

    @property
    def pressed(self) -> list[object]:
        return [what for verb, _, what in self.done if verb == "press"]


class OwnHandOnly(dict[int, list[Card]]):
    """The hands on the table, of which only one may be looked at."""

    def __init__(self, seat: int, hands: dict[int, list[Card]]) -> None:
        super().__init__(hands)
        self.seat = seat

    def get(self, seat: int, *otherwise: Any) -> Any:
        assert seat == self.seat, f"seat {self.seat} looked at the hand of seat {seat}"
        return super().get(seat, *otherwise)

    def __getitem__(self, seat: int) -> list[Card]:
        assert seat == self.seat, f"seat {self.seat} looked at the hand of seat {seat}"
        return super().__getitem__(seat)


def tags() -> dict[Card, str]:
    return {card: str(card) for card in PACK}


def cards(chance: Random, **hands: str) -> Cards:
    """The pack, and these cards in the hands of `seatN`."""
    pack = Cards(tags(), chance)
    pack.shuffle()
    pack.hands = {int(seat[4:]): [parse_card(word) for word in hand.split()] for seat, hand in hands.items()}
    return pack


def bot_that_sees(
    look: Callable[[], SeatView],
    seat: int,
    pack: Cards,
    seed: int = 1,
    mistakes: float = 0.0,
    reader: str | None = "own",
) -> tuple[Bot, Hands]:
    hands = Hands()
    bot = Bot(seat, look, hands, pack, Random(seed), reader, "pad", mistakes)  # type: ignore[arg-type]
    return bot, hands


def watch(bot: Bot, seconds: float, start: float = 0.0) -> None:
    for step in range(int(seconds / 0.02)):
        bot.poll(start + step * 0.02)


LED = ("4", "pass", "pass", "pass", "S", "9C")


# What a bot may know


def hidden_from_seat_2(other: str, third: str) -> Callable[[], SeatView]:
    play = Play().deal(4, other, HANDS[1], third, HANDS[3]).act("4", "pass", "pass", "pass", "S", "9C")
    return lambda: play.seen(2)


def test_two_tables_that_differ_in_what_is_hidden_get_the_same_of_a_bot() -> None:
    """The other hands differ; the view of seat 2, and so everything that its bot does, is the same."""
    done = []
    for other, third in ((HANDS[0], HANDS[2]), (HANDS[0].replace("10C", "9S"), HANDS[2].replace("9S", "10C"))):
        pack = cards(Random(1), seat1=other, seat2=HANDS[1], seat3=third, seat4=HANDS[3])
        pack.hands = OwnHandOnly(2, pack.hands)
        bot, hands = bot_that_sees(hidden_from_seat_2(other, third), 2, pack, mistakes=0.5)
        watch(bot, 20)
        done.append(hands.done)
    assert done[0] == done[1]
    assert done[0]


def test_a_bot_whose_hand_the_table_does_not_know_looks_into_its_own_hand_alone() -> None:
    play = Play(tracked=False).deal(4).act("4", "pass", "pass", "pass", "S", "9C")
    pack = cards(Random(1), seat1=HANDS[0], seat2=HANDS[1], seat3=HANDS[2])
    pack.hands = OwnHandOnly(2, pack.hands)
    bot, hands = bot_that_sees(lambda: play.seen(2), 2, pack)
    watch(bot, 5)
    assert set(hands.shown) <= {"AC", "KC", "QC"}
    assert hands.shown


def test_the_view_that_a_bot_is_given_names_no_card_of_another_hand() -> None:
    play = Play().deal(4, *HANDS).act(*LED)
    others = [block for block in play.seen(2).view.blocks if isinstance(block, Hand) and block.seat != 2]
    assert [hand.cards for hand in others] == [(), (), ()]


# How it acts


def test_the_same_seed_plays_the_same_and_another_another() -> None:
    play = Play().deal(4, *HANDS).act(*LED)

    def done(seed: int) -> list[tuple[str, object, object]]:
        pack = cards(Random(seed), seat2=HANDS[1])
        bot, hands = bot_that_sees(lambda: play.seen(2), 2, pack, seed, mistakes=0.3)
        watch(bot, 60)
        return hands.done

    assert done(1) == done(1)
    assert done(1) != done(2)


def test_a_bot_shows_a_card_and_takes_it_away_when_the_display_answers() -> None:
    play = Play().deal(4, *HANDS).act(*LED)
    answers = [play.seen(2)]
    bot, hands = bot_that_sees(lambda: answers[-1], 2, cards(Random(1), seat2=HANDS[1]))
    watch(bot, 1.2)
    assert [verb for verb, _, _ in hands.done] == ["place"]
    answers.append(play.seen(2, message=TableText("one-at-a-time")))
    watch(bot, 0.2, 1.2)
    assert [verb for verb, _, _ in hands.done] == ["place", "lift"]
    assert hands.done[0][1:] == hands.done[1][1:]
    assert hands.done[0][1] == "own"


def test_a_bot_takes_a_card_away_of_which_the_display_says_nothing() -> None:
    play = Play().deal(4, *HANDS).act(*LED)
    bot, hands = bot_that_sees(lambda: play.seen(2), 2, cards(Random(1), seat2=HANDS[1]))
    watch(bot, 1.4)
    assert [verb for verb, _, _ in hands.done] == ["place"]
    watch(bot, 1.0, 1.4)
    assert [verb for verb, _, _ in hands.done][:2] == ["place", "lift"]


def test_a_bot_without_a_reader_presses_buttons() -> None:
    play = Play().deal(4, *HANDS).act(*LED)
    bot, hands = bot_that_sees(lambda: play.seen(2, tapping=False), 2, cards(Random(1), seat2=HANDS[1]), reader=None)
    watch(bot, 3)
    assert not hands.shown
    assert hands.pressed[-1] == "ok" or "ok" in hands.pressed
    assert hands.done[0][0] == "press"


@pytest.mark.parametrize("cursor", [None, 0, 3, 7])
def test_a_bot_goes_the_shorter_way_to_a_choice(cursor: int | None) -> None:
    play = Play().deal(4, "9C 9D 9H 10C 10D 10H", *(hand for hand in (
        "AC KC QC AH KH AD", "9S 10S JD JS QS KS", "JC QH JH QD KD AS")))  # fmt: skip
    bot, hands = bot_that_sees(lambda: play.seen(1, cursor=cursor), 1, cards(Random(4), seat1="9C 9D 9H 10C 10D 10H"))
    watch(bot, 1.9)
    moves = hands.pressed[: hands.pressed.index("ok")]
    assert len(moves) <= 4
    assert len(set(moves)) <= 1


def test_a_bot_follows_suit_of_its_own_accord() -> None:
    play = Play(tracked=False).deal(4).act("4", "pass", "pass", "pass", "S", "9D")
    for seed in range(8):
        bot, hands = bot_that_sees(lambda: play.seen(2), 2, cards(Random(seed), seat2=HANDS[1]), seed)
        watch(bot, 2)
        assert set(hands.shown) == {"AD"}


@pytest.mark.long
@pytest.mark.parametrize("mistakes", [0.25, *(pytest.param(rate, marks=pytest.mark.soak) for rate in (0.0, 0.6))])
def test_a_bot_errs_as_often_as_it_is_told(mistakes: float) -> None:
    play = Play().deal(4, *HANDS).act(*LED)
    bot, hands = bot_that_sees(lambda: play.seen(2), 2, cards(Random(9), seat2=HANDS[1]), 9, mistakes)
    watch(bot, 900)
    wrong = sum(card not in ("AC", "KC", "QC") for card in hands.shown)
    assert len(hands.shown) > 200
    assert wrong / len(hands.shown) == pytest.approx(mistakes, abs=0.08)


@pytest.mark.long
def test_a_bot_that_errs_never_shows_a_card_that_it_does_not_hold() -> None:
    play = Play().deal(4, *HANDS).act(*LED)
    bot, hands = bot_that_sees(lambda: play.seen(2), 2, cards(Random(9), seat2=HANDS[1]), 9, 0.6)
    watch(bot, 300)
    assert set(hands.shown) == set(HANDS[1].split())


def test_a_bot_that_is_not_to_act_keeps_still() -> None:
    play = Play().deal(4, *HANDS).act(*LED)
    bot, hands = bot_that_sees(lambda: play.seen(4), 4, cards(Random(1), seat4=HANDS[3]))
    watch(bot, 30)
    assert hands.done == []


def test_now_and_then_a_bot_shows_a_card_out_of_turn() -> None:
    shown = 0
    for seed in range(60):
        play = Play().deal(4, *HANDS).act(*LED)
        bot, hands = bot_that_sees(partial(play.seen, 4), 4, cards(Random(seed), seat4=HANDS[3]), seed, 1.0)
        watch(bot, 2)
        shown += len(hands.shown)
    assert 4 <= shown <= 24


def test_a_bot_leaves_the_next_match_to_people() -> None:
    play = Play().deal(4, *HANDS)
    bot, hands = bot_that_sees(lambda: play.seen(1, question=NEXT_MATCH), 1, cards(Random(1), seat1=HANDS[0]))
    watch(bot, 20)
    assert hands.done == []


def test_a_bot_closes_a_menu_that_it_opened_by_holding_a_button_too_late(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2) as table:
        bench = all_bots(table)
        bench.play_until(lambda: bool(to_act(table.match)))
        seat = to_act(table.match)[0]
        table.hold(seat, Button.LEFT)
        table.release(seat, Button.LEFT)
        assert asked(table, seat).prompt == "menu"
        accepted = len(table.loop.lines)
        bench.play_until(lambda: len(table.loop.lines) > accepted, limit=20)


# Dealing


def test_the_dealer_touches_each_card_to_the_pad_once_it_has_read_the_one_before() -> None:
    counts = [0, 0]

    def look() -> SeatView:
        done = sum(counts)
        return Play(2).seen(2, dealing=DealingView(2, done % 2 + 1 if done < 12 else 0, (counts[0], counts[1]), 6))

    pack = cards(Random(1))
    bot, hands = bot_that_sees(look, 2, pack)
    now = 0.0
    for _ in range(12):
        before = len(hands.shown)
        while len(hands.shown) == before:
            bot.poll(now)
            now += 0.02
        counts[sum(counts) % 2] += 1
        watch(bot, 0.3, now)
        now += 0.3
    assert len(set(hands.shown)) == 12
    assert {where for verb, where, _ in hands.done if verb == "place"} == {"pad"}
    assert [str(card) for card in pack.hands[1]] == hands.shown[::2]
    assert [str(card) for card in pack.hands[2]] == hands.shown[1::2]


def test_a_card_that_was_not_read_is_touched_to_the_pad_again() -> None:
    seen = Play(2).seen(2, dealing=DealingView(2, 1, (3, 2), 6))
    pack = cards(Random(1))
    bot, hands = bot_that_sees(lambda: seen, 2, pack)
    bot._dealt = [pack.deal(seat) for seat in (1, 2, 1, 2, 1)]
    watch(bot, 6)
    assert len(hands.shown) >= 3
    assert len(set(hands.shown)) == 1


def test_a_card_that_was_withdrawn_is_touched_to_the_pad_again() -> None:
    seen = Play(2).seen(2, dealing=DealingView(2, 2, (3, 1), 6))
    pack = cards(Random(1))
    bot, hands = bot_that_sees(lambda: seen, 2, pack)
    bot._dealt = [pack.deal(seat) for seat in (1, 2, 1, 2, 1, 2)]
    watch(bot, 6)
    assert set(hands.shown) == {str(bot._dealt[4])}


def test_a_deal_that_somebody_else_has_begun_is_left_to_them() -> None:
    seen = Play(2).seen(2, dealing=DealingView(2, 2, (3, 1), 6))
    bot, hands = bot_that_sees(lambda: seen, 2, cards(Random(1)))
    watch(bot, 6)
    assert hands.done == []


def test_only_the_dealer_deals() -> None:
    seen = Play(2).seen(1, dealing=DealingView(2, 1, (0, 0), 6))
    bot, hands = bot_that_sees(lambda: seen, 1, cards(Random(1)))
    watch(bot, 5)
    assert hands.done == []


def test_the_pack_is_whole_and_is_dealt_from_the_top() -> None:
    pack = Cards(tags(), Random(5))
    pack.stack([parse_card("AS"), parse_card("9D")])
    assert [str(pack.deal(1)), str(pack.deal(2))] == ["AS", "9D"]
    rest = [pack.deal(1) for _ in range(22)]
    assert len({*rest, *pack.hands[2]}) == 23


def test_where_no_stock_lies_it_is_made_of_what_nobody_holds_or_of_all_cards() -> None:
    pack = Cards(tags(), Random(5))
    pack.hands = {2: list(PACK[:4])}  # a table that has been told that all is dealt
    assert pack.turn_up("turn-up") not in PACK[:4]
    pack = Cards(tags(), Random(5))
    everything = [pack.deal(1) for _ in PACK]
    assert {pack.deal(1)} | set(everything) == set(PACK)


def test_a_seated_bot_takes_its_own_reader_or_the_one_in_the_middle() -> None:
    own, centre, pad = (
        ReaderPlace("seat 1 reader", "/dev/a", seat=1),
        ReaderPlace("centre reader", "/dev/b", role=CommonRole.CENTRE),
        ReaderPlace("dealing reader", "/dev/c", role=CommonRole.DEALING),
    )
    play = Play().deal(4, *HANDS).act(*LED)
    for readers, where in (((own, centre, pad), "centre reader"), ((own, pad), None)):
        hands = Hands()
        pack = cards(Random(1), seat2=HANDS[1])
        bot = seat_bot(2, readers, lambda: play.seen(2), hands, pack, Random(1))  # type: ignore[arg-type]
        watch(bot, 1.8)
        assert {place for verb, place, _ in hands.done if verb == "place"} == ({where} if where else set())


# Whole matches


MATCHES = [
    # seats, rules, tracked, readers
    (2, "standard", True, "seats"),
    (3, "bowers", True, "centre"),
    pytest.param(3, "standard", False, "none", marks=pytest.mark.soak),
    pytest.param(4, "standard", False, "seats", marks=pytest.mark.soak),
]
MORE_MATCHES = [
    (seats, rules, tracked, readers)
    for seats in (2, 3, 4)
    for rules in ("standard", "bowers")
    for tracked in (True, False)
    for readers in ("seats", "centre", "none")
    if not (tracked and readers == "none")
]


def match_of_bots(seats: int, rules: str, tracked: bool, readers: str, target: int, mistakes: float) -> SimulatedTable:
    """A match from the first deal to its end; the table is switched off."""
    file = furnish("pepper", seats, rules, tracked, {"target": target}, readers)
    with SimulatedTable(file, seed=1) as table:
        bench = Bench(table, seed=1)
        for seat in range(1, seats + 1):
            bench.seat_bot(seat, mistakes)
        bench.play_until(lambda: table.loop.over)
        assert_accepted(table)
        return table


def assert_accepted(table: SimulatedTable) -> None:
    """The record of the match, as text, is refereed without a refusal and ends in the same score."""
    referee, answers = check_record(read_record(table.loop.record()))
    assert [answer.line for answer in answers if answer.ruling.refusal is not None] == []
    result = result_values(referee)
    assert result["over"]
    assert tuple(result["scores"].values()) == table.match.scores
    assert table.loop.lines


@pytest.mark.few(1)
@pytest.mark.parametrize(("seats", "rules", "tracked", "readers"), MATCHES)
def test_bots_play_a_match_that_the_referee_accepts(seats: int, rules: str, tracked: bool, readers: str) -> None:
    table = match_of_bots(seats, rules, tracked, readers, target=1, mistakes=0.2)
    refused = {heard.ruling.refusal.code for heard in table.heard if heard.ruling and heard.ruling.refusal}
    assert refused <= {"must-follow-suit", "not-your-turn", "not-in-hand"}
    assert not refused or readers != "none"


@pytest.mark.soak
@pytest.mark.parametrize(("seats", "rules", "tracked", "readers"), MORE_MATCHES)
def test_bots_play_long_matches_at_every_table(seats: int, rules: str, tracked: bool, readers: str) -> None:
    match_of_bots(seats, rules, tracked, readers, target=8, mistakes=0.1)


@pytest.fixture(scope="module")
def same_matches() -> list[list[str]]:
    return [match_of_bots(2, "standard", False, "seats", 1, 0.2).loop.lines for _ in range(2)]


@pytest.mark.long
def test_a_match_is_the_same_every_time(same_matches: list[list[str]]) -> None:
    assert same_matches[0] == same_matches[1]


# A table that was led elsewhere


@pytest.mark.few(2)
@pytest.mark.parametrize("suit", SUITS)
def test_a_bot_goes_back_from_a_list_that_a_button_has_opened_by_itself(suit: str) -> None:
    """The dealer's bot wants to pick the card that it turned up, and finds cards of another suit."""
    with SimulatedTable(furnish("vazhushal", 2, tracked=False, readers="none", dealer=1), seed=3) as table:
        bench = all_bots(table, 3)
        bench.play_until(lambda: (seen := table.loop.seat_view(1).dealing) is not None and seen.wanted is not None)
        table.choose(1, f"{PICK}{suit}")
        bench.play_until(lambda: table.loop.seat_view(1).dealing is None, limit=60.0)
        assert any(line.startswith("turn-up: ") for line in table.loop.lines)


def test_a_bot_picks_another_card_where_going_back_does_not_offer_its_own() -> None:
    pack = cards(Random(1))
    asks = Ask("draw", cards=tuple(PACK[:3]), source="stock")
    play = Play().deal(4, *HANDS).act("4", "pass", "pass", "pass", "S")
    seen = play.seen(1)._replace(ask=asks, given=(), tapping=False)
    pack.stack([PACK[9]])
    bot, hands = bot_that_sees(lambda: seen, 1, pack, reader=None)
    watch(bot, 20.0)
    assert hands.pressed[:1] == ["left"]
    assert "ok" in hands.pressed


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("game", "seats", "readers", "told"),
    [
        pytest.param("possession", 3, "seats", "press 3 ok", marks=pytest.mark.soak),
        pytest.param("vazhushal", 2, "none", "press 2 ok", marks=pytest.mark.soak),
        ("vazhushal", 2, "none", "fault stuck-button 2 ok"),
        ("pepper", 2, "none", "press 2 ok"),
    ],
)
def test_bots_play_where_the_table_was_told_too_early_that_all_is_dealt(
    game: str, seats: int, readers: str, told: str
) -> None:
    bots = " ".join(map(str, range(1, seats + 1)))
    text = f"game {game}\nseats {seats}\nhands concealed\nreaders {readers}\ndealer {seats}\n"
    text += f"bots {bots}\n{told}\nmend all\nplay deal\nexpect record\n"
    run_script(parse_script(text))


def refusing(seen: SeatView, hands: Hands) -> SeatView:
    """The same display, once it has refused what was shown last."""
    if not hands.shown:
        return seen
    return seen._replace(message=Refusal("not-there", ""), shown=parse_card(hands.shown[-1]))


def test_a_drawn_card_that_is_refused_twice_goes_under_the_stock_and_the_next_is_shown() -> None:
    pack = cards(Random(1), seat1=HANDS[0])
    seen = Play().deal(4, *HANDS).act("4", "pass", "pass", "pass", "S").seen(1)
    seen = seen._replace(ask=Ask("draw", cards=tuple(PACK), source="stock", end=True), given=(), offered=PACK)
    first, second = pack.stock[-1], pack.stock[-2]
    bot, hands = bot_that_sees(lambda: refusing(seen, hands), 1, pack)
    watch(bot, 12.0)
    assert hands.shown[:4] == [str(first), str(first), str(second), str(second)]
    assert pack.stock[0] in (first, second)


def test_a_card_of_the_hand_that_is_refused_twice_is_left_alone_and_the_buttons_are_the_last_resort() -> None:
    pack = cards(Random(1), seat2=HANDS[1])
    seen = Play().deal(4, *HANDS).act(*LED).seen(2)
    bot, hands = bot_that_sees(lambda: refusing(seen, hands), 2, pack)
    watch(bot, 30.0)
    assert sorted(hands.shown) == ["AC", "AC", "KC", "KC", "QC", "QC"]
    assert "ok" in hands.pressed


def test_the_first_card_of_a_deal_that_was_not_read_is_shown_again_and_no_other() -> None:
    """It may have been read all the same, and be told late: another one would be the second card of the deal."""
    with SimulatedTable(furnish("pepper", 4, dealer=1), seed=1) as table:
        bench = Bench(table, 1)
        for seat in range(1, 5):
            bench.seat_bot(seat)
        table.wires.unplug_reader("dealing reader")
        for _ in range(100):
            bench.step()
        table.wires.plug_reader("dealing reader")
        bench.play_until(lambda: table.match.deal is not None)
        assert bench.cards.shuffles == 1
