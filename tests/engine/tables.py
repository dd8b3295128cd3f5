"""Tables for the tests: records in a few words, what was ruled on each line, and deals with a known end."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from engine.answers import check_record, result_values
from engine.cards import UNKNOWN, Card, cards_of
from engine.entries import Deal
from engine.game import Dealt, games
from engine.match import Match, Table, lay_table, legal
from engine.options import Choice, OptionValue
from engine.pepper import settings
from engine.record import read_record
from engine.referee import Referee, Ruling

PACK_MASK = settings.PACK
"""The 24 cards of Pepper as a set."""

PACK = list(cards_of(PACK_MASK))
"""The 24 cards of Pepper, lowest number first."""

BIDS = ("1", "2", "3", "4", "5", "6", "7", "little", "big")

ONE_SUIT_EACH = ("9C 10C JC QC KC AC", "9D 10D JD QD KD AD", "9H 10H JH QH KH AH", "9S 10S JS QS KS AS")
"""Seat 1 holds the clubs, seat 2 the diamonds, seat 3 the hearts, seat 4 the spades."""

BY_RANK = ("9C 9D 9H 9S 10C 10D", "10H 10S JC JD JH JS", "QC QD QH QS KC KD", "KH KS AC AD AH AS")
"""Each seat holds two ranks or three, and a card of each suit."""


def header(seats: int = 4, rules: str = "standard", hands: str = "tracked", scores: str = "", **options: Any) -> str:
    """The header of a record of Pepper; further names are options."""
    lines = ["game: pepper", f"rules: {rules}", f"seats: {seats}", f"hands: {hands}"]
    if scores:
        lines.append(f"scores: {scores}")
    return "\n".join(lines + [f"option: {name} = {value}" for name, value in options.items()])


def hand_lines(hands: Sequence[str]) -> str:
    """The lines that name these hands, seat 1 first; an empty text leaves a hand out."""
    return " / ".join(f"hand {seat}: {cards}" for seat, cards in enumerate(hands, 1) if cards)


def deal_line(dealer: int, hands: Sequence[str] = ONE_SUIT_EACH) -> str:
    """A deal with its hands."""
    return f"deal {dealer} / {hand_lines(hands)}"


class Played:
    """A record that was refereed.

    `verdicts` has a text for each entry: `ok` with the codes of the notices, or the code of the refusal alone.
    """

    def __init__(self, text: str) -> None:
        self.referee, answers = check_record(read_record(text))
        self.rulings = [answer.ruling for answer in answers]
        self.verdicts = [verdict(ruling) for ruling in self.rulings]

    @property
    def last(self) -> str:
        return self.verdicts[-1]

    @property
    def match(self) -> Match:
        return self.referee.match

    @property
    def scores(self) -> tuple[int, ...]:
        return self.referee.match.scores

    @property
    def result(self) -> dict[str, Any]:
        return result_values(self.referee)

    @property
    def legal(self) -> list[str]:
        """What the table lists as legal now, without the seat."""
        return [self.match.table.game.text(action) for action in legal(self.match)]

    def rule(self, lines: str) -> list[str]:
        """Rule on further lines (parted by ` / `) and give their verdicts."""
        heading = header(self.match.table.seats, hands="concealed")
        extra = read_record("\n".join([heading, "deal 1", *lines.split(" / ")]))
        entries = [line.entry for line in extra.lines if line.entry is not None][1:]
        return [verdict(self.referee.rule(entry)) for entry in entries]


def verdict(ruling: Ruling) -> str:
    """`ok` with the codes of the notices, or the code of the refusal."""
    if ruling.refusal:
        return ruling.refusal.code
    return " ".join(["ok", *(notice.code for notice in ruling.notices)])


def played(*lines: str, **heading: Any) -> Played:
    """Referee a record; lines may be parted by ` / `, `heading` goes to `header`."""
    body = "\n".join(lines).replace(" / ", "\n")
    return Played(f"{header(**heading)}\n{body}\n")


def play_on(done: Played, most: int = 100) -> Played:
    """Play the first legal card again and again, to the end of the deal."""
    for _ in range(most):
        action = next(legal(done.match), None)
        if action is None:
            break
        ruling = done.referee.rule(action)
        assert ruling.refusal is None
        done.rulings.append(ruling)
        done.verdicts.append(verdict(ruling))
    return done


def one_takes(tricks: int) -> tuple[tuple[str, ...], str]:
    """Four hands of six and a trump with which seat 1, leading, takes so many tricks and the side 2+4 the rest.

    All play their first legal card (`play_on`). Seat 3 takes nothing, and seat 4 at most a trick with the left bower.
    """
    if tricks == 0:
        clubs, diamonds, hearts, spades = ONE_SUIT_EACH
        return (clubs, diamonds, spades, hearts), "D"
    lost = 6 - tricks
    low, high = ONE_SUIT_EACH[0].split(), ONE_SUIT_EACH[1].split()
    one = low[lost:] + high[:lost]
    two = high[lost:] + low[:lost]
    return (" ".join(one), " ".join(two), *ONE_SUIT_EACH[2:]), "none"


# Random tables

KNOWLEDGE = ("tracked", "concealed", "partly")


def random_options(random: Random) -> dict[str, OptionValue]:
    """Some options with values that they take."""
    chosen: dict[str, OptionValue] = {}
    for name, option in games()["pepper"].options.items():
        if random.random() < 0.4:
            chosen[name] = random.choice(option.values) if isinstance(option, Choice) else random.randint(1, 12)
    return chosen


def random_table(random: Random, tracked: bool | None = None) -> Table:
    """A table of Pepper with random seats, rule set and options."""
    rule_set = random.choice(["standard", "bowers"])
    known = random.random() < 0.5 if tracked is None else tracked
    return lay_table(games()["pepper"], random.randint(2, 4), rule_set, known, random_options(random))


def shuffled(random: Random, table: Table) -> list[list[Card]]:
    """True hands for a deal at this table."""
    cards = random.sample(PACK, len(PACK))
    count = table.rules.cards
    return [sorted(cards[seat * count : (seat + 1) * count]) for seat in range(table.seats)]


def as_dealt(random: Random, table: Table, hands: Sequence[Sequence[Card]], knowledge: str) -> Dealt:
    """What the table is told of these hands: all, nothing, or some cards of some hands."""
    if table.tracked or knowledge == "tracked":
        return Dealt(tuple(tuple(hand) for hand in hands))
    if knowledge == "concealed":
        return Dealt((None,) * len(hands))
    share = random.random()
    told = (tuple(card if random.random() < share else UNKNOWN for card in hand) for hand in hands)
    return Dealt(tuple(cards if random.random() < 0.8 else None for cards in told))


def random_deal(random: Random, table: Table, dealer: int | None = None) -> Deal:
    """A deal at this table with a random knowledge of its hands."""
    knowledge = random.choice(KNOWLEDGE)
    return Deal(dealer, as_dealt(random, table, shuffled(random, table), knowledge))


def random_walk(random: Random, referee: Referee) -> Iterator[Match]:
    """Play legal actions at random to the end of the deal; gives the match before each, and at the end."""
    while True:
        yield referee.match
        actions = list(legal(referee.match))
        if not actions:
            return
        assert referee.rule(random.choice(actions)).refusal is None
