"""Vazhushal: what holds in every state of every deal, of whatever rule set, seats, options and knowledge."""

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest
from vazhushal_tables import Truth, listed_form, plain_form, random_deal, random_table, random_walk, very, very_cards

from engine.asks import END, Ask
from engine.cards import COPIES, JOKER, PLAIN, UNKNOWN, Card, cards_of, mask
from engine.entries import Deal, Undo
from engine.game import Dealt
from engine.match import Match, Standing, Table, ask, begin, check, lay_table, legal, seen_from, to_act, view
from engine.pieces import STANDS, piece
from engine.referee import Referee
from engine.values import Action
from engine.vazhushal import GAME
from engine.vazhushal.knowledge import UNKNOWN_CARD
from engine.view import DIRECTOR, PUBLIC, Hand, Line, Melds, Piles, Turn

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 16))]


def states(seed: int, deals: int = 3, among: int = 24) -> Iterator[tuple[Match, Random]]:
    """The states of random deals in which legal actions are played at random."""
    random = Random(seed)
    for _ in range(deals):
        table = random_table(random)
        referee = Referee(begin(table))
        assert referee.rule(random_deal(random, table, random.randint(1, table.seats))).refusal is None
        for match in random_walk(random, referee, among=among):
            yield match, random


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_listed_is_accepted_once_and_in_its_plain_form(seed: int) -> None:
    for match, random in states(seed):
        listed = list(islice(legal(match), random.choice((30, 30, 120))))
        assert len(set(listed)) == len(listed)
        for action in random.sample(listed, min(len(listed), 10)):
            assert check(match, action) is None
            assert listed_form(plain_form(match.deal, action)) == listed_form(action)


def candidates(match: Match, random: Random) -> Iterator[Action]:
    """Actions of the seat to act and of others, most of them illegal, in all spellings."""
    state = match.deal
    seat = random.choice([*to_act(match) * 4, 1])
    index = seat - 1
    hand = [int(card) for card in cards_of(state.places.known[index] | state.places.pool(seat))]
    table = [number for meld in state.melds[index] for number in meld.pieces]
    own = hand or [0]
    some = [*own, *random.sample(range(108), 3), *state.line]
    for verb in ("draw", "take", "discard", "out"):
        yield Action(seat, verb, random.choice(some))
        yield Action(seat, verb, PLAIN[random.choice(some)])
    yield Action(seat, "exchange", (random.choice(some), random.choice(range(JOKER + 1))))
    for verb in ("draw", "exchange", "return", "pass"):
        yield Action(seat, verb)
    card = random.choice(some)
    yield Action(seat, "show", (PLAIN[card], PLAIN[card]))
    for _ in range(6):
        group = _group(random, own)
        yield Action(seat, "meld", group)
        yield Action(seat, "add", (group[: random.randint(1, 3)], random.randint(1, 3)))
        yield Action(seat, "rearrange", _arranged(random, table, group))
        yield Action(seat, "declare", ((group, -1), (_group(random, own), random.choice((-1, 1)))))


def _group(random: Random, cards: list[int]) -> tuple[int, ...]:
    """Some cards that are likely to make a meld: one, and others near it in its suit or of its rank; perhaps jokers."""
    face = PLAIN[random.choice(cards)] % JOKER
    length = random.randint(3, 5)
    run = [face // 13 * 13 + (face + step) % 13 for step in range(length)]
    chosen = random.choice([run, random.sample(range(face % 13, JOKER, 13), min(length, 4))])
    wild = [card for card in cards if PLAIN[card] == JOKER or random.random() < 0.05]
    at = random.randrange(len(chosen))
    if wild and random.random() < 0.5:
        chosen[at] = piece(PLAIN[random.choice(wild)], chosen[at])
    return tuple(chosen)


def _arranged(random: Random, table: list[int], group: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The cards of the own melds as they lie, by suits or cut anew, with a group or without."""
    cards = sorted(table, key=lambda number: (number // STANDS - 1) % STANDS if number >= STANDS else PLAIN[number])
    cut = random.choice([3, 4, 5, len(cards) or 1])
    plain = [PLAIN[number % STANDS] + number - number % STANDS for number in cards]
    melds = [tuple(plain[start : start + cut]) for start in range(0, len(plain), cut)]
    return (*melds, group) if random.random() < 0.6 or not melds else tuple(melds)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_accepted_is_listed(seed: int) -> None:
    """Where all that is legal can be listed."""
    compared = 0
    for match, random in states(seed, deals=4):
        if random.random() < 0.85:
            continue
        found = [action for action in candidates(match, random) if check(match, action) is None]
        listed = list(islice(legal(match), 3000))
        if len(listed) < 3000:
            whole = {listed_form(action) for action in listed}
            for action in found:
                if _is_plain(match, action):
                    assert listed_form(plain_form(match.deal, action)) in whole, GAME.text(action)
                    compared += 1
    assert compared


def _is_plain(match: Match, action: Action) -> bool:
    """Whether it is an action of its own in the plain forms: not the take of the older of two equal cards."""
    if action.verb != "take":
        return True
    number = action.argument
    assert isinstance(number, int)
    newest = next(card for card in reversed(match.deal.line) if PLAIN[card] == PLAIN[number])
    return newest in COPIES[number]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_is_in_one_place(seed: int) -> None:
    for match, _ in states(seed):
        state = match.deal
        places, rules = state.places, state.settings
        found = [
            *places.known,
            places.unseen,
            *places.loose,
            mask(state.line),
            *(mask([number % STANDS for number in meld.pieces]) for melds in state.melds for meld in melds),
            mask([card for card in places.stock if 0 <= card < UNKNOWN_CARD]),
            1 << state.negative if state.negative >= 0 else 0,
        ]
        assert sum(found) == rules.pack
        assert sum(cards.bit_count() for cards in found) == rules.pack.bit_count()
        assert sum(places.unknown) + places.hidden == (places.unseen | sum(places.loose)).bit_count()
        assert places.hidden == sum(not 0 <= card < UNKNOWN_CARD for card in places.stock)
        hash(state)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_running_deal_has_a_legal_action_and_a_seat_to_act(seed: int) -> None:
    for match, _ in states(seed):
        running = match.standing is Standing.RUNNING
        assert (next(legal(match), None) is not None) == running
        assert len(to_act(match)) == running


@pytest.mark.parametrize("seed", range(4))
def test_random_play_of_the_wipe_ends(seed: int) -> None:
    random = Random(seed)
    table = lay_table(GAME, 2, "wipe", True, {"wins": 1, "rearrange": False})
    referee = Referee(begin(table))
    for _ in range(60):
        referee.rule(random_deal(random, table, 1))
        for match in random_walk(random, referee, most=5000):
            last = match
        assert last.standing in (Standing.OVER, Standing.BETWEEN)
        if last.standing is Standing.OVER:
            return
    pytest.fail("sixty deals in a row were nobody's")


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_tokens_of_a_legal_action_lead_to_it(seed: int) -> None:
    for match, random in states(seed, deals=2):
        if random.random() < 0.9:
            continue
        listed = list(islice(legal(match), 60))
        for action in random.sample(listed, min(len(listed), 3)):
            given = GAME.tokens(match.deal, action)
            for at, token in enumerate(given):
                question = ask(match, action.seat, given[:at])
                assert isinstance(question, Ask)
                assert token in (*question.choices, *question.cards, *([END] if question.end else []))
            answer = ask(match, action.seat, given)
            assert isinstance(answer, Action)
            assert listed_form(plain_form(match.deal, answer)) == listed_form(action)


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_that_is_shown_first_has_purposes_or_is_an_action(seed: int) -> None:
    for match, random in states(seed, deals=2):
        for seat in to_act(match):
            card = random.choice(GAME.pack(match.table.rules))
            answer = ask(match, seat, (card,))
            assert isinstance(answer, Ask | Action)
            if isinstance(answer, Ask) and answer.prompt == "purpose":
                for choice in answer.choices:
                    assert isinstance(ask(match, seat, (card, choice)), Ask | Action)


# Knowledge


def told_less(random: Random, dealt: Dealt, table: Table) -> tuple[Match, Referee]:
    """The same deal at a table that was told only some of it."""
    blind = lay_table(GAME, table.seats, table.rule_set, False, dict(table.options))
    share = random.choice((0.0, 0.5, 0.9))
    hands = tuple(tuple(card if random.random() < share else UNKNOWN for card in hand or ()) for hand in dealt.hands)
    referee = Referee(begin(blind))
    assert referee.rule(Deal(1, dealt._replace(hands=hands, stock=None))).refusal is None
    return referee.match, referee


def _told(random: Random, action: Action, state_before: Match) -> Action:
    """What is said of an action: the cards that it shows, and of those that stay hidden some."""
    if action.verb in ("draw", "exchange"):
        said = random.random()
        if action.verb == "draw":
            return action if said < 0.4 else Action(action.seat, "draw")
        cards = action.argument if isinstance(action.argument, tuple) else ()
        return Action(action.seat, "exchange", cards[: int(said * 4)] or None)
    return action


@pytest.mark.few(9)
@pytest.mark.parametrize("seed", range(30))
def test_what_truly_happened_is_never_refused_where_less_is_known(seed: int) -> None:
    random = Random(seed)
    table = random_table(random, tracked=True)
    table = lay_table(GAME, table.seats, table.rule_set, True, {**dict(table.options), "redeal": "off"})
    dealt = Truth(random, table).dealt(random, "tracked", stock=True)
    true = Referee(begin(table))
    assert true.rule(Deal(1, dealt)).refusal is None
    _, blind = told_less(random, dealt, table)
    for _ in range(150):
        match = true.match
        if match.standing is not Standing.RUNNING:
            break
        state = match.deal
        index = state.turn - 1
        action = random.choice([*islice(legal(match), 24)])
        if action.verb in ("draw", "exchange"):
            top = state.places.stock[0]
            buried = random.choice(list(cards_of(state.places.known[index])))
            drawn = very(top) if action.verb == "draw" else (very(buried), very(top))
            action = Action(state.turn, action.verb, drawn)
        else:
            action = very_cards(state, action)
        assert true.rule(action).refusal is None
        said = _told(random, action, match)
        if action.verb == "pass" and blind.match.deal.places.unknown[index]:
            said = Action(action.seat, "pass", tuple(very(card) for card in cards_of(state.places.known[index])))
        assert blind.rule(said).refusal is None, (GAME.text(said), seed)
        assert blind.match.standing is true.match.standing
        for certain, truth in zip(blind.match.deal.places.known, true.match.deal.places.known, strict=True):
            assert not certain & ~truth


@pytest.mark.parametrize("seed", SEEDS)
def test_views_and_questions_depend_on_what_the_viewer_may_know(seed: int) -> None:
    for match, random in states(seed, deals=2):
        viewer = random.choice([PUBLIC, *range(1, match.table.seats + 1)])
        seen = seen_from(match, viewer)
        assert GAME.blocks(match.deal, viewer) == GAME.blocks(seen.deal, viewer)
        assert GAME.seen_from(seen.deal, viewer) == seen.deal
        if viewer:
            assert ask(match, viewer, ()) == ask(seen, viewer, ())


@pytest.mark.parametrize("seed", SEEDS)
def test_two_truths_that_a_seat_cannot_tell_apart_look_alike_to_it(seed: int) -> None:
    random = Random(seed)
    table = lay_table(GAME, 3, "standard", True, {"redeal": "off"})
    truth = Truth(random, table)
    dealt = truth.dealt(random, "tracked", stock=True)
    assert dealt.stock is not None
    assert dealt.hands[1] is not None
    other = dealt._replace(
        hands=(dealt.hands[0], dealt.stock[20:33], dealt.hands[2]),
        stock=(*dealt.stock[:20], *dealt.hands[1], *dealt.stock[33:]),
    )
    if any(PLAIN[card] == JOKER for card in dealt.turn_up):
        other = other._replace(stock=dealt.stock, hands=dealt.hands)
    seen = []
    for told in (dealt, other):
        referee = Referee(begin(table))
        assert referee.rule(Deal(1, told)).refusal is None
        seen.append([GAME.blocks(referee.match.deal, viewer) for viewer in (PUBLIC, 1, 3)])
    assert seen[0] == seen[1]


def test_blocks_from_the_viewers_own_on() -> None:
    random = Random(1)
    table = lay_table(GAME, 3, "standard", True, {"redeal": "off"})
    referee = Referee(begin(table))
    referee.rule(random_deal(random, table, 1))
    blocks = view(referee.match, 2).blocks
    assert [block.seat for block in blocks if isinstance(block, Hand)] == [2, 3, 1]
    assert [block.seat for block in blocks if isinstance(block, Melds)] == [2, 3, 1]
    assert [len(block.cards) for block in blocks if isinstance(block, Hand)] == [13, 0, 0]
    piles = next(block for block in blocks if isinstance(block, Piles))
    line = next(block for block in blocks if isinstance(block, Line))
    assert (piles.stock, piles.discards, piles.top) == (68, 1, line.cards[-1])
    assert next(block for block in blocks if isinstance(block, Turn)).seats == (1,)
    hands = [block for block in view(referee.match, DIRECTOR).blocks if isinstance(block, Hand)]
    assert [len(block.cards) for block in hands] == [13, 13, 13]


@pytest.mark.parametrize("seed", SEEDS)
def test_undo_gives_the_state_before(seed: int) -> None:
    random = Random(seed)
    table = random_table(random)
    referee = Referee(begin(table))
    referee.rule(random_deal(random, table, 1))
    before = [match.deal for match in random_walk(random, referee, most=40)]
    while len(referee.accepted) > 1:
        at = len(referee.accepted) - 1
        assert referee.match.deal == before[at]
        referee.rule(Undo(1))
    assert referee.match.deal == before[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_notation_reads_what_it_writes(seed: int) -> None:
    for match, random in states(seed, deals=2):
        for action in random.sample(listed := list(islice(legal(match), 40)), min(len(listed), 5)):
            verb, *words = GAME.text(action).split()
            assert Action(action.seat, verb, GAME.parse(verb, words)) == action


def test_equal_cards_are_one_action() -> None:
    table = lay_table(GAME, 3, "standard", False)
    referee = Referee(begin(table))
    told = "7D 7D'2 8D 9D 9D'2 2C 3H KS KH 4S 5C JC QH"
    hand = tuple(Card(text) for text in told.split())
    referee.rule(Deal(1, Dealt((hand, None, None), (Card("AS"),))))
    referee.rule(Action(1, "exchange", (int(Card("2C")), int(Card("2H")))))
    listed = [GAME.text(action) for action in islice(legal(referee.match), 40)]
    assert listed.count("discard 7D") == 1
    assert [text for text in listed if text.startswith("meld")] == ["meld 7D 8D 9D"]
