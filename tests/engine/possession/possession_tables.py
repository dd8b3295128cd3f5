"""Tables of Possession for the tests: records in a few words, what was ruled on each line, and random deals."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from engine.answers import check_record, result_values
from engine.cards import UNKNOWN, Card
from engine.entries import Deal
from engine.game import Dealt
from engine.match import Match, Table, lay_table, legal, to_act
from engine.options import Choice, OptionValue
from engine.possession import GAME
from engine.record import read_record
from engine.referee import Referee, Ruling

KNOWLEDGE = ("tracked", "concealed", "partly")


def header(seats: int = 2, rules: str = "standard", hands: str = "tracked", scores: str = "", **options: Any) -> str:
    """The header of a record of Possession; further names are options."""
    lines = ["game: possession", f"rules: {rules}", f"seats: {seats}", f"hands: {hands}"]
    if scores:
        lines.append(f"scores: {scores}")
    return "\n".join(lines + [f"option: {name} = {value}" for name, value in options.items()])


def dealt(turn_up: str, *hands: str, dealer: int = 0, stock: str = "") -> str:
    """A deal: the turn-up, the cards that matter of each hand, filled up to nine with cards that lie nowhere else.

    The cards that fill it up are far from the turn-up and from each other as far as that goes: none of the turn-up's
    suit. Hands are left out where all are empty.
    """
    seats = len(hands)
    pack = [Card(text) for text in _pack(seats)]
    named = {Card(text) for text in f"{turn_up} {' '.join(hands)} {stock}".split()}
    free = [card for card in pack if card not in named and card.suit != Card(turn_up).suit]
    free.sort(key=lambda card: (-abs(card.face % 13 - Card(turn_up).face % 13), card.face % 13, card))
    lines = [f"deal {dealer or seats}", f"turn-up: {turn_up}"]
    for seat, cards in enumerate(hands, 1):
        if any(hands):
            held = cards.split()
            lines.append(f"hand {seat}: {' '.join(held + [str(free.pop(0)) for _ in range(9 - len(held))])}")
    if stock:
        rest = [str(card) for card in pack if str(card) not in " ".join(lines).split() and card not in named]
        lines.append(f"stock: {stock} {' '.join(rest)}".rstrip())
    return " / ".join(lines)


def _pack(seats: int) -> list[str]:
    faces = [
        rank + suit for suit in "CDHS" for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    ]
    return faces + ([f"{face}'2" for face in faces] if seats == 4 else [])


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
    def deal(self) -> Any:
        return self.referee.match.deal

    @property
    def turn(self) -> tuple[int, ...]:
        return to_act(self.match)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.referee.match.scores

    @property
    def result(self) -> dict[str, Any]:
        return result_values(self.referee)

    @property
    def legal(self) -> list[str]:
        """What the table lists as legal now, without the seat."""
        return [GAME.text(action) for action in legal(self.match)]

    def rule(self, lines: str) -> list[str]:
        """Rule on further lines (parted by ` / `) and give their verdicts."""
        table = self.match.table
        heading = header(table.seats, table.rule_set, "concealed")
        extra = read_record("\n".join([heading, "deal 1", "turn-up: 8C", *lines.split(" / ")]))
        entries = [line.entry for line in extra.lines if line.entry is not None][1:]
        rulings = [self.referee.rule(entry, 1000 + number) for number, entry in enumerate(entries)]
        self.rulings += rulings
        self.verdicts += [verdict(ruling) for ruling in rulings]
        return [verdict(ruling) for ruling in rulings]

    def facts(self, code: str, place: int = -1) -> list[dict[str, object]]:
        """The facts of the notices of this code on an entry."""
        return [dict(notice.facts) for notice in self.rulings[place].notices if notice.code == code]


def verdict(ruling: Ruling) -> str:
    """`ok` with the codes of the notices, or the code of the refusal."""
    if ruling.refusal:
        return ruling.refusal.code
    return " ".join(["ok", *(notice.code for notice in ruling.notices)])


def played(*lines: str, **heading: Any) -> Played:
    """Referee a record; lines may be parted by ` / `, `heading` goes to `header`."""
    body = "\n".join(lines).replace(" / ", "\n")
    return Played(f"{header(**heading)}\n{body}\n")


# Random tables


def random_options(random: Random) -> dict[str, OptionValue]:
    """Some options with values that they take."""
    chosen: dict[str, OptionValue] = {}
    for name, option in GAME.options.items():
        if random.random() < 0.4:
            chosen[name] = random.choice(option.values) if isinstance(option, Choice) else random.randint(0, 4) + 1
    if random.random() < 0.3:
        chosen["max_refills"] = random.randint(0, 3)
    return chosen


def random_table(random: Random, tracked: bool | None = None, **options: OptionValue) -> Table:
    """A table of Possession with random seats, rule set and options."""
    known = random.random() < 0.5 if tracked is None else tracked
    chosen = {**random_options(random), **options}
    return lay_table(GAME, random.randint(2, 4), random.choice(["standard", "melds"]), known, chosen)


class Truth:
    """How the cards of a deal really lie; the table is told of it as much as it is told."""

    def __init__(self, random: Random, table: Table) -> None:
        cards = random.sample(GAME.pack(table.rules), len(GAME.pack(table.rules)))
        self.hands = [sorted(cards[seat * 9 : seat * 9 + 9]) for seat in range(table.seats)]
        self.turn_up, *self.stock = cards[table.seats * 9 :]

    def told(self, random: Random, table: Table, knowledge: str) -> Dealt:
        """What the table is told: all hands, none, or some cards of some; now and then the stock too."""
        stock = tuple(self.stock) if random.random() < 0.25 else None
        if table.tracked or knowledge == "tracked":
            return Dealt(tuple(map(tuple, self.hands)), (self.turn_up,), stock)
        if knowledge == "concealed":
            return Dealt((None,) * table.seats, (self.turn_up,), stock)
        share = random.random()
        hands = (tuple(card if random.random() < share else UNKNOWN for card in hand) for hand in self.hands)
        return Dealt(tuple(cards if random.random() < 0.8 else None for cards in hands), (self.turn_up,), stock)


def random_deal(random: Random, table: Table, dealer: int | None = None) -> Deal:
    """A deal at this table with a random knowledge of its hands."""
    return Deal(dealer, Truth(random, table).told(random, table, random.choice(KNOWLEDGE)))


def random_walk(random: Random, referee: Referee, draws: float = 0.5) -> Iterator[Match]:
    """Play legal actions at random to the end of the deal; gives the match before each, and at the end.

    So often a draw is made without its card.
    """
    while True:
        yield referee.match
        actions = some(referee.match, 500)
        if not actions:
            return
        action = random.choice(actions)
        if action.verb == "draw" and random.random() < draws:
            action = action._replace(argument=None)
        ruling = referee.rule(action)
        assert ruling.refusal is None, (action, ruling.refusal)


def some(match: Match, most: int) -> list[Any]:
    """The first so many legal actions."""
    found = []
    for action in legal(match):
        found.append(action)
        if len(found) == most:
            break
    return found


def texts(cards: Iterable[Card]) -> str:
    """Cards as a record writes them."""
    return " ".join(map(str, cards))
