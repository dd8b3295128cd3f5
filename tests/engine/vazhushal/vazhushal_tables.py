"""Tables of Vazhushal for the tests: deals and actions in a few words, what was ruled on them, and random play."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from engine.cards import CARDS, FIRST_PACK, JOKER, PLAIN, UNKNOWN, Card
from engine.entries import Deal, Entry
from engine.game import Dealt
from engine.match import Match, Table, begin, lay_table, legal, to_act
from engine.notation import parse_cards, parse_entry, words_of
from engine.options import Choice, OptionError, OptionValue
from engine.pieces import STANDS
from engine.referee import Referee, Ruling
from engine.values import Action
from engine.vazhushal import GAME
from engine.vazhushal.knowledge import find
from engine.vazhushal.melding import Laid, lay
from engine.vazhushal.settings import HAND
from engine.vazhushal.state import Deal as State
from engine.vazhushal.turn import line_index

KNOWLEDGE = ("tracked", "concealed", "partly", "all")


class Played:
    """A table at which was played; `verdicts` has a text for each entry: `ok` with the codes of the notices, or a code.

    Options are given by their names; `hands` is `concealed` or `tracked`.
    """

    def __init__(self, *lines: str, seats: int = 3, rules: str = "standard", hands: str = "concealed", **options: Any):
        self.table = lay_table(GAME, seats, rules, hands == "tracked", options)
        self.referee = Referee(begin(self.table))
        self.verdicts: list[str] = []
        self.rule(*lines)

    def rule(self, *lines: str) -> list[str]:
        """Rule on further lines, parted by ` / ` with a line's own strokes written `|`, and give their verdicts."""
        found = [verdict(self.referee.rule(entry)) for entry in entries(self.table, " / ".join(lines))]
        self.verdicts += found
        return found

    @property
    def last(self) -> str:
        return self.verdicts[-1]

    @property
    def match(self) -> Match:
        return self.referee.match

    @property
    def state(self) -> State:
        state = self.match.deal
        assert isinstance(state, State)
        return state

    @property
    def to_act(self) -> tuple[int, ...]:
        return to_act(self.match)

    def legal(self, verb: str = "", most: int = 20_000) -> list[str]:
        """What the table lists as legal now, of one verb or of all."""
        listed = [action for action in islice(legal(self.match), most) if verb in ("", action.verb)]
        return [GAME.text(action) for action in listed]


def entries(table: Table, text: str) -> Iterator[Entry]:
    """The entries of a text; a deal's lines stand together."""
    lines = [line.replace("|", "/").strip() for line in text.split(" / ") if line.strip()]
    while lines:
        line = lines.pop(0)
        if not line.startswith("deal"):
            yield parse_entry(table, line, 1)
            continue
        cards: dict[str, tuple[Card, ...]] = {}
        while lines and lines[0].partition(":")[0].split()[0] in ("hand", "turn-up", "stock", "buried"):
            key, _, told = lines.pop(0).partition(":")
            cards[key] = parse_cards(table, words_of(told), 1)
        hands = tuple(cards.get(f"hand {seat}") for seat in range(1, table.seats + 1))
        buried = cards["buried"][0] if "buried" in cards else None
        dealer = int(line.split()[1]) if " " in line else None
        yield Deal(dealer, Dealt(hands, cards.get("turn-up", ()), cards.get("stock"), buried))


def verdict(ruling: Ruling) -> str:
    """`ok` with the codes of the notices, or the code of the refusal."""
    if ruling.refusal:
        return ruling.refusal.code
    return " ".join(["ok", *(notice.code for notice in ruling.notices)])


def tracked_deal(turn_up: str, *starts: str, dealer: int = 1, buried: str = "", last: str = "") -> str:
    """A deal whose hands begin with these cards and are filled up with cards that lie nowhere else, in a wide spread.

    No two of the cards that fill up a hand make more than a pair: there is no meld among them.
    """
    seats = len(starts)
    pack = [int(card) for card in GAME.pack(lay_table(GAME, seats, "standard").rules)]
    named: list[int] = []
    for text in f"{turn_up} {' '.join(starts)} {buried} {last}".split():
        plain = PLAIN[Card(text)]
        named.append(next(card for card in pack if PLAIN[card] == plain and card not in named))
    free = [card for card in pack if card not in named and PLAIN[card] != JOKER]
    lines = [f"deal {dealer}", f"turn-up: {turn_up}"] + ([f"buried: {buried}"] if buried else [])
    for seat, start in enumerate(starts, 1):
        hand = start.split()
        while len(hand) < HAND:
            held = {PLAIN[Card(card)] for card in hand}
            card = next(card for card in free if _is_apart(PLAIN[card], held))
            free.remove(card)
            hand.append(str(CARDS[PLAIN[card]]))
        lines.append(f"hand {seat}: {' '.join(hand)}")
    return " / ".join(lines)


def _is_apart(face: int, held: set[int]) -> bool:
    suit, rank = divmod(face, 13)
    near = {suit * 13 + (rank + step) % 13 for step in (-2, -1, 0, 1, 2)}
    return not near & held and sum(other % 13 == rank for other in held) < 2


# Random tables


def random_options(random: Random) -> dict[str, OptionValue]:
    """Some options with values that they take."""
    chosen: dict[str, OptionValue] = {}
    for name, option in GAME.options.items():
        if random.random() < 0.35:
            chosen[name] = random.choice(option.values) if isinstance(option, Choice) else random.randint(1, 3)
    return chosen


def random_table(random: Random, tracked: bool | None = None) -> Table:
    """A table with random seats, rule set and options."""
    while True:
        rule_set, known = random.choice(["standard", "wipe"]), random.random() < 0.5 if tracked is None else tracked
        try:
            return lay_table(GAME, random.randint(2, 6), rule_set, known, random_options(random))
        except OptionError:
            continue


class Truth:
    """Where the cards of a deal truly lie."""

    def __init__(self, random: Random, table: Table) -> None:
        rules = table.rules
        cards = list(GAME.pack(rules))
        random.shuffle(cards)
        self.hands = [cards[seat * HAND : (seat + 1) * HAND] for seat in range(table.seats)]
        self.stock = cards[table.seats * HAND :]
        self.buried = self.stock.pop() if rules.negative_joker else None
        self.turned: list[Card] = []
        while not self.turned or (rules.bury_jokers and PLAIN[self.turned[-1]] == JOKER):
            card = self.stock.pop(0)
            self.turned.append(card)
            if rules.bury_jokers and PLAIN[card] == JOKER:
                self.stock.insert(len(self.stock) // 2, card)

    def dealt(self, random: Random, knowledge: str, stock: bool) -> Dealt:
        """What the table is told of it."""
        told: list[tuple[Card, ...] | None] = []
        share = {"tracked": 1.0, "all": 1.0, "concealed": 0.0}.get(knowledge, random.random())
        for hand in self.hands:
            cards = tuple(card if random.random() < share else UNKNOWN for card in hand)
            told.append(None if set(cards) == {UNKNOWN} and random.random() < 0.5 else cards)
        return Dealt(tuple(told), tuple(self.turned), tuple(self.stock) if stock else None, self.buried)


def random_deal(random: Random, table: Table, dealer: int | None = None) -> Deal:
    """A deal at this table with a random knowledge of its hands and stock."""
    knowledge = "tracked" if table.tracked else random.choice(KNOWLEDGE[1:])
    return Deal(dealer, Truth(random, table).dealt(random, knowledge, random.random() < 0.4))


def random_walk(random: Random, referee: Referee, most: int = 120, among: int = 24) -> Iterator[Match]:
    """Play one of the first legal actions again and again; gives the match before each, and at the end."""
    for _ in range(most):
        yield referee.match
        actions = list(islice(legal(referee.match), among))
        if not actions:
            return
        assert referee.rule(random.choice(actions)).refusal is None
    yield referee.match


# What is one action


def plain_form(state: State, action: Action) -> Action:
    """A legal action as `legal` lists it: cards without their pack, the cards of a meld in its order."""
    seat, verb, argument = action
    if verb in ("meld", "add", "rearrange", "declare"):
        return Action(seat, verb, _laid_form(state, action))
    if isinstance(argument, int):
        return Action(seat, verb, PLAIN[argument])
    if isinstance(argument, tuple):
        cards = [PLAIN[number] for number in argument if isinstance(number, int)]
        return Action(seat, verb, tuple(cards if verb == "exchange" else sorted(cards)))
    return action


def _laid_form(state: State, action: Action) -> Any:
    own, laid, argument = state.melds[action.seat - 1], lay(state, action), action.argument
    assert isinstance(laid, Laid)
    assert isinstance(argument, tuple)
    melds = [meld.pieces for meld in laid.melds]
    if action.verb == "meld":
        return _plain(melds[-1])
    if action.verb == "rearrange":
        return tuple(map(_plain, melds))
    added = [
        (_plain([piece for piece in pieces if at > len(own) or piece not in own[at - 1].pieces]), at)
        for at, pieces in enumerate(melds, 1)
    ]
    if action.verb == "add":
        return next(part for part in added if part[1] == argument[1])
    return frozenset((cards, at if at <= len(own) else -1) for cards, at in added if cards)


def _plain(pieces: Any) -> tuple[int, ...]:
    return tuple(PLAIN[piece % STANDS] + piece - piece % STANDS for piece in pieces)


def very_cards(state: State, action: Action) -> Action:
    """A legal action of a seat whose hand is known, with the pack of each card that it means."""
    seat, verb, argument = action
    if isinstance(argument, int):
        places = state.places
        card = find(places, seat, argument) if verb in ("discard", "out") else state.line[line_index(state, argument)]
        return Action(seat, verb, very(card))
    if verb not in ("meld", "add", "rearrange", "declare"):
        return action
    own, laid = state.melds[seat - 1], lay(state, action)
    assert isinstance(laid, Laid)
    melds = [meld.pieces for meld in laid.melds]
    new = [
        (tuple(very(piece) for piece in pieces if at >= len(own) or piece not in own[at].pieces), at + 1)
        for at, pieces in enumerate(melds)
    ]
    if verb == "meld":
        return Action(seat, verb, new[-1][0])
    if verb == "rearrange":
        return Action(seat, verb, tuple(tuple(map(very, pieces)) for pieces in melds))
    parts = tuple((cards, at if at <= len(own) else -1) for cards, at in new if cards)
    return Action(seat, verb, parts if verb == "declare" else parts[0])


def very(number: int) -> int:
    """A piece whose card is that of its pack and no other."""
    card = number % STANDS
    return number + (FIRST_PACK if card <= JOKER else 0)


def listed_form(action: Action) -> Action:
    """A listed action, where the parts of a declaration have no order."""
    if action.verb == "declare" and isinstance(action.argument, tuple):
        return Action(action.seat, action.verb, frozenset(action.argument))  # type: ignore[arg-type] # for tests
    return action
