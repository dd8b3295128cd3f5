"""Tables, deals and random play of any installed game: nothing here knows the rules of one."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import entries
from engine.asks import END, Ask, Token
from engine.cards import CARDS, COPIES, FACES, FIRST_PACK, JOKER, PLAIN, UNKNOWN, Card, CardError, parse_card
from engine.entries import Deal, Entry, Undo
from engine.game import Dealt, Game, NotationError, games
from engine.match import Match, Standing, Table, begin, lay_table, legal, to_act, view
from engine.notation import entry_text
from engine.options import Choice, OptionError, OptionValue
from engine.pieces import piece_card
from engine.record import deal_lines, header_lines
from engine.referee import Referee
from engine.values import IRREGULARITIES, Action
from engine.view import DIRECTOR, Hand, Line, Melds, Piles, Trick

GAMES: tuple[Game, ...] = tuple(games().values())

RULE_SETS = [(game, rule_set) for game in GAMES for rule_set in game.rule_sets]

KNOWLEDGE = ("tracked", "stock", "concealed", "partly")
"""What the table is told of a deal: the hands, the stock too, neither, or some of it."""

MANY = 2_000
"""A list of legal actions that is longer than this is not looked through."""

FEW = 24
"""So many of the first legal actions are enough to choose from: a game may have thousands of melds of unseen cards."""

each_game = pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])


SHARE = 100 if "TABLEREF_SOAK" not in os.environ else 1
"""A soak runs one in so many of the numbers; all of them, for hours, where TABLEREF_SOAK is set."""


def seeds(few: int, many: int) -> pytest.MarkDecorator:
    """Numbers for a random test: few of them in every run, many under the mark `soak`."""
    rest = [pytest.param(seed, marks=pytest.mark.soak) for seed in range(few, few + max(few, many // SHARE))]
    return pytest.mark.parametrize("seed", [*range(few), *rest])


# Tables


def random_value(random: Random, game: Game, name: str) -> OptionValue:
    """A value of an option; of numbers a small one more often than not."""
    option = game.options[name]
    if isinstance(option, Choice):
        return random.choice(option.values)
    return random.randint(option.least, min(option.most, option.least + random.choice((0, 3, 12))))


def random_table(random: Random, game: Game, tracked: bool | None = None) -> Table:
    """A table with random seats, rule set and options: none, one alone, or several at once."""
    known = random.random() < 0.5 if tracked is None else tracked
    while True:
        names = list(game.options)
        names = random.choice([[], [random.choice(names)], [name for name in names if random.random() < 0.35]])
        options = {name: random_value(random, game, name) for name in names}
        try:
            return lay_table(game, random.choice(game.seats), random.choice(list(game.rule_sets)), known, options)
        except OptionError:  # a combination that makes no sense
            assert len(options) > 0


def single_options(game: Game) -> Iterator[tuple[str, str, OptionValue]]:
    """Every rule set with each value of each option alone; of numbers the least and the most."""
    for rule_set in game.rule_sets:
        for name, option in game.options.items():
            for value in option.values if isinstance(option, Choice) else (option.least, option.most):
                yield rule_set, name, value


# Deals


class Laid(NamedTuple):
    """How the cards of a deal really lie. `stock` is from its top down, without cards that are shown."""

    hands: tuple[tuple[Card, ...], ...]
    turn_up: tuple[Card, ...]
    stock: tuple[Card, ...]
    buried: Card | None


def lay(random: Random, table: Table, dealer: int) -> Laid:
    """A shuffled pack as the game deals it. A turn-up after which another is wanted goes back into the stock."""
    game, rules = table.game, table.rules
    pack = random.sample(game.pack(rules), len(game.pack(rules)))
    hands: list[list[Card]] = [[] for _ in range(table.seats)]
    for seat in game.places(rules, dealer):
        card = pack.pop()
        if seat:
            hands[seat - 1].append(card)
    laid = Laid(tuple(tuple(sorted(hand)) for hand in hands), (), tuple(pack), None)
    while wanted := game.wanted(rules, Dealt(laid.hands, laid.turn_up, None, laid.buried)):
        if wanted == "buried":
            laid = laid._replace(stock=laid.stock[:-1], buried=laid.stock[-1])
            continue
        assert wanted == "turn-up"
        stock = list(laid.stock)
        if laid.turn_up:
            stock.insert(len(stock) // 2, laid.turn_up[-1])
        top, *stock = stock
        laid = laid._replace(turn_up=(*laid.turn_up, top), stock=tuple(stock))
    return laid


def told(random: Random, table: Table, laid: Laid, knowledge: str) -> Dealt:
    """What the table is told of these cards; a table that tracks hands is always told those."""
    with_stock = "stock" in table.game.deal_lines
    hands: tuple[tuple[Card, ...] | None, ...] = laid.hands
    stock = laid.stock if with_stock and knowledge == "stock" else None
    if not table.tracked and knowledge in ("concealed", "partly"):
        hands = (None,) * table.seats
    if not table.tracked and knowledge == "partly":
        share = random.random()

        def some_of(cards: Iterable[Card]) -> tuple[Card, ...] | None:
            known = tuple(card if random.random() < share else UNKNOWN for card in cards)
            return known if random.random() < 0.8 else None

        hands = tuple(some_of(hand) for hand in laid.hands)
        stock = some_of(laid.stock) if with_stock else None
    return Dealt(hands, laid.turn_up, stock, laid.buried)


def random_deal(random: Random, table: Table, dealer: int, knowledge: str = "") -> Deal:
    """A deal at this table, with a random knowledge of its cards."""
    knowledge = knowledge or random.choice(KNOWLEDGE)
    return Deal(dealer, told(random, table, lay(random, table, dealer), knowledge))


def deal_until_running(random: Random, referee: Referee) -> None:
    """Deal, and deal again where the cards are thrown in at once, until a deal runs."""
    while referee.match.standing is not Standing.RUNNING:
        dealer = referee.match.next_dealer or random.randint(1, referee.match.table.seats)
        ruling = referee.rule(random_deal(random, referee.match.table, dealer))
        assert ruling.refusal is None, ruling


# Play


def some(match: Match, most: int = FEW) -> list[Action]:
    """The first legal actions."""
    return list(islice(legal(match), most))


def pick(random: Random, actions: Sequence[Action]) -> Action:
    """One of these actions, each of their verbs as likely as the others."""
    verb = random.choice(sorted({action.verb for action in actions}))
    return random.choice([action for action in actions if action.verb == verb])


def walk(random: Random, referee: Referee, most: int = 300, wide: int = FEW) -> Iterator[Match]:
    """Play legal actions at random to the end of the deal, at most so many; gives the match before each, and after."""
    for _ in range(most):
        yield referee.match
        actions = some(referee.match, wide)
        if not actions:
            return
        action = pick(random, actions)
        ruling = referee.rule(action, len(referee.accepted) + 1)
        assert ruling.refusal is None, record_of(referee, begin(referee.match.table)) + f"{ruling}"
    yield referee.match


def states(random: Random, game: Game, deals: int, most: int = 60, tracked: bool | None = None) -> Iterator[Match]:
    """The states of random deals at random tables."""
    for _ in range(deals):
        referee = Referee(begin(random_table(random, game, tracked)))
        deal_until_running(random, referee)
        yield from walk(random, referee, most)


def whole_list(match: Match) -> list[Action] | None:
    """Every legal action, where they can be looked through: the hands of the seats to act are known, the list is short.

    What a hand of unseen cards may be used for is beyond all bounds in some games.
    """
    hands = {block.seat: block for block in view(match, DIRECTOR).blocks if isinstance(block, Hand)}
    if any(hands[seat].unknown for seat in to_act(match) if seat in hands):
        return None
    listed = some(match, MANY + 1)
    return listed if len(listed) <= MANY else None


def after(match: Match, action: Action) -> Any:
    """The state of the deal after a legal action."""
    return match.table.game.apply(match.deal, action)[0]


# Cards as they are written


def packs(table: Table) -> int:
    """How many packs this table plays with."""
    return 2 if any(card >= FACES for card in table.game.pack(table.rules)) else 1


def very(table: Table, card: int) -> Card:
    """The spelling of a physical card that means no other; with one pack that is its number."""
    return CARDS[FIRST_PACK + card if packs(table) == 2 and card <= JOKER else card]


def copies(table: Table, card: int) -> list[Card]:
    """Each card of this table's packs that equals a written one, in the spelling that means no other."""
    pack = set(table.game.pack(table.rules))
    return [very(table, copy) for copy in COPIES[card] if CARDS[copy] in pack]


def card_of(word: str) -> Card | None:
    """The card that a word names, whatever it stands for."""
    try:
        return parse_card(word.partition("=")[0])
    except CardError:
        return None


def respelled(word: str, spelling: Callable[[Card], Card]) -> str:
    """A word in which the card is written otherwise; other words as they are."""
    card = card_of(word)
    if card is None or card == UNKNOWN:
        return word
    _, mark, face = word.partition("=")
    return f"{spelling(card)}{mark}{face}"


def plain_word(word: str) -> str:
    """A card without its pack, and without what it stands for where that is itself."""
    word = respelled(word, lambda card: CARDS[PLAIN[card]])
    card, _, face = word.partition("=")
    return card if card == face else word


def words_of(table: Table, action: Action) -> list[str]:
    """The words of an action's argument."""
    return table.game.text(action).split()[1:]


def written(table: Table, action: Action) -> str:
    """An action as a record has it."""
    return f"{action.seat} {table.game.text(action)}"


def read(table: Table, seat: int, verb: str, words: Sequence[str]) -> Action | None:
    """The action that these words write, or None where no record can have them."""
    try:
        return Action(seat, verb, table.game.parse(verb, words))
    except NotationError:
        return None


def plain(table: Table, action: Action) -> Action:
    """The same action with every card written without its pack."""
    found = read(table, action.seat, action.verb, [plain_word(word) for word in words_of(table, action)])
    assert found is not None
    return found


Key = tuple[int, str, tuple[str, ...]]


def key(table: Table, action: Action) -> Key:
    """What equal actions have in common: seat, verb, and the words without packs, in no order."""
    return action.seat, action.verb, tuple(sorted(map(plain_word, words_of(table, action))))


Change = Callable[[Random, Table, list[str], Sequence[str]], object]
"""Changes the words of an action; the last are cards to choose from."""


def _at(random: Random, words: list[str]) -> int:
    return random.randrange(len(words)) if words else 0


def _replaced(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    if words:
        words[_at(random, words)] = random.choice(cards)


def _one_more(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    words.append(random.choice(cards))


def _further_card(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    words.insert(_at(random, words), random.choice(cards))


def _twice(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    words.extend(words[:1])


def _left_out(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    if words:
        del words[_at(random, words)]


def _other_order(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    random.shuffle(words)


def _standing_for(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    if words:
        at = _at(random, words)
        card, mark, _ = words[at].partition("=")
        words[at] = card if mark and random.random() < 0.5 else f"{card}={CARDS[random.randrange(JOKER)]}"


def _number(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    if words:
        words[_at(random, words)] = str(random.randint(1, 4))


def _spelling(random: Random, table: Table, words: list[str], cards: Sequence[str]) -> None:
    for at, word in enumerate(words):
        if random.random() < 0.6:
            words[at] = respelled(word, lambda card: random.choice([CARDS[PLAIN[card]], *copies(table, card)]))


_CHANGES: tuple[Change, ...] = (
    _replaced,
    _further_card,
    _one_more,
    _twice,
    _left_out,
    _other_order,
    _standing_for,
    _number,
    _spelling,
    _spelling,
)


_ODD = ("JK", "JK'4", "7D'2", "7D'1", "2C", "9S")


def _held(match: Match, seat: int) -> Sequence[str]:
    """The cards that the seat is known to hold."""
    hands = [block for block in view(match, DIRECTOR).blocks if isinstance(block, Hand) and block.seat == seat]
    return [str(card) for block in hands for card in block.cards] or _ODD


def mutated(random: Random, match: Match, listed: Sequence[Action]) -> Action | None:
    """A listed action with something else about it; None where no record can write what came of it."""
    table, action = match.table, pick(random, listed)
    seat, verb, words = action.seat, action.verb, words_of(table, action)
    if random.random() < 0.15:
        seat = random.randint(1, table.seats)
    if random.random() < 0.15:
        verb = random.choice(sorted(table.game.verbs))
    if random.random() < 0.1:
        words = words_of(table, random.choice(listed))
    cards = random.choice((_held(match, seat), _held(match, seat), [*map(str, table.game.pack(table.rules)), *_ODD]))
    for change in random.sample(_CHANGES, random.choice((0, 1, 1, 2))):
        change(random, table, words, cards)
    return read(table, seat, verb, words)


def mutations(random: Random, match: Match, listed: Sequence[Action], count: int) -> list[Action]:
    """So many tries at actions that resemble listed ones."""
    tried = [mutated(random, match, listed) for _ in range(count)] if listed else []
    return [action for action in tried if action is not None]


def strands(game: Game, deal: Any) -> bool:
    """Whether a deal runs in which nothing is legal: a step of a turn was made that the turn cannot be ended after.

    The rules refuse only what ends such a turn, so `check` accepts the step; `legal` does not list it.
    """
    return bool(game.to_act(deal)) and next(game.legal(deal), None) is None


# Where the cards lie


class Lying(NamedTuple):
    """The cards that the director's view shows, and how many there are in all."""

    shown: tuple[Card, ...]
    total: int


def lying(match: Match) -> Lying:
    """The cards of a deal as the blocks of the director's view show and count them."""
    shown: list[Card] = []
    count = 0
    blocks = view(match, DIRECTOR).blocks
    in_line = any(isinstance(block, Line) for block in blocks)
    for block in blocks:
        if isinstance(block, Hand):
            shown += block.cards
            count += len(block.cards) + block.unknown
        elif isinstance(block, Melds):
            pieces = [piece for meld in block.melds for piece in meld]
            shown += [CARDS[piece_card(piece)] for piece in pieces]
            count += len(pieces)
        elif isinstance(block, Line):
            shown += block.cards
        elif isinstance(block, Piles):
            shown += [block.top] if block.top is not None and not in_line else []
            count += (block.stock or 0) + block.discards
        elif isinstance(block, Trick):
            shown += [card for _, card in block.plays]
            count += len(block.plays) + sum(block.won) * len(block.last)
    return Lying(tuple(shown), count)


def in_play(table: Table, deal: Deal) -> int:
    """How many cards of a deal lie in hands, piles and on the table.

    With a stock that is all but a card shown for good, else what the seats were dealt: there may be a dead hand.
    """
    if "stock" in table.game.deal_lines:
        return len(table.game.pack(table.rules)) - (deal.dealt.buried is not None)
    return sum(1 for seat in table.game.places(table.rules, deal.dealer or 1) if seat)


# Questions


def offered(answer: Ask) -> list[Token]:
    """Every token that may be given to a question."""
    return [*answer.choices, *answer.cards, *([END] if answer.end else [])]


# Everything that can be entered


def random_hand(random: Random, match: Match, seat: int) -> tuple[Card, ...]:
    """A hand that the director may name: the one that is known, with cards unknown or others in it."""
    table = match.table
    hand = next(
        (block for block in view(match, DIRECTOR).blocks if isinstance(block, Hand) and block.seat == seat), None
    )
    if hand is None:
        return (UNKNOWN,)
    cards = [*(very(table, card) for card in hand.cards), *[UNKNOWN] * hand.unknown]
    pack = table.game.pack(table.rules)
    for place in range(len(cards)):
        if random.random() < 0.15:
            cards[place] = random.choice([UNKNOWN, very(table, random.choice(pack)), random.choice(pack)])
    if random.random() < 0.2:
        cards = cards[:-1]
    random.shuffle(cards)
    return tuple(cards)


def random_ruling(random: Random, match: Match) -> Entry:
    """A line of the director, sensible or not; the match is seldom made void."""
    table = match.table
    seat = random.randint(1, table.seats)
    rulings: list[Entry] = [
        entries.SetScore(random.choice(table.sides)[0], random.randint(-3, 4)),
        entries.SetDealer(seat),
        entries.SetTurn(seat),
        entries.SetTurn(random.randint(1, table.seats)),
        entries.SetHand(seat, random_hand(random, match, seat)),
        entries.SetHand(seat, random_hand(random, match, seat)),
        entries.SetName(seat, random.choice(["Ann", "Иван", "x y"])),
        entries.Accept(random.choice(sorted(IRREGULARITIES))),
        *(entries.Penalty(code, random.choice(choices)) for code, choices in table.game.penalties.items()),
    ]
    if random.random() < 0.1:
        rulings = [entries.VoidDeal(), entries.VoidDeal(), entries.VoidMatch()]
    return random.choice(rulings)


def random_entry(random: Random, referee: Referee) -> Entry:
    """What might be entered next: mostly a legal action or a deal, often enough something else."""
    match, table = referee.match, referee.match.table
    chance = random.random()
    if match.standing is Standing.OVER and chance < 0.5:
        return Undo(random.randint(1, table.seats))
    if chance < 0.06:
        return Undo(random.choice([None, *range(1, table.seats + 1)]))
    if chance < 0.16:
        return random_ruling(random, match)
    if (match.standing is not Standing.RUNNING and chance < 0.85) or chance < 0.17:
        dealer = match.next_dealer if match.next_dealer and chance < 0.8 else random.randint(1, table.seats)
        return random_deal(random, table, dealer)
    actions = some(match) or [Action(1, random.choice(sorted(table.game.verbs)))]
    if chance < 0.32:
        tried = mutations(random, match, actions, 3)
        if tried:
            return tried[0]
    if match.standing is not Standing.RUNNING:
        return random_deal(random, table, match.next_dealer or 1)
    return pick(random, actions)


def entry_lines(table: Table, entry: Entry) -> list[str]:
    """The lines of a record that write an entry."""
    return deal_lines(entry) if isinstance(entry, Deal) else [entry_text(table, entry)]


def record_of(referee: Referee, first: Match) -> str:
    """The record of what was accepted since the match `first`."""
    lines = header_lines(first.table, first.scores, first.names)
    for entry, _ in referee.accepted:
        lines += entry_lines(first.table, entry)
    return "".join(line + "\n" for line in lines)
