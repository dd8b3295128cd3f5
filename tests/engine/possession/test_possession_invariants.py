"""Possession: what holds in every state of every deal, of whatever rule set, seats, options and knowledge."""

from collections.abc import Iterator
from itertools import combinations, islice
from random import Random

import pytest
from possession_tables import KNOWLEDGE, Truth, random_deal, random_table, random_walk, some

from engine.asks import END, Ask, Token
from engine.cards import CARD_COUNT, CARDS, PLAIN, UNKNOWN, cards_of, mask
from engine.entries import Deal, Undo
from engine.game import Dealt
from engine.match import Match, Standing, ask, begin, check, legal, seen_from, to_act, view
from engine.possession import GAME
from engine.possession.state import Phase
from engine.referee import Referee
from engine.values import Action
from engine.view import DIRECTOR, PUBLIC, Hand, Melds, Notices, Piles, Score, Turn

SEEDS = [0, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 16))]
SUIT = [list(range(first, first + 13)) for first in range(0, 52, 13)]
RUNS = [tuple(suit[low : low + size]) for suit in SUIT for size in range(1, 14) for low in range(14 - size)]
SETS = [tuple(range(rank, 52, 13)) for rank in range(13)]
SETS += [tuple(face for face in four if face != out) for four in SETS for out in four]


def every_action(match: Match, random: Random) -> Iterator[Action]:
    """Every action of the game's verbs that may be legal with these melds, and many that are not; as `legal` writes."""
    for seat in range(1, match.table.seats + 1):
        yield from (Action(seat, verb) for verb in ("draw", "take", "pass"))
        for face in range(52):
            yield Action(seat, "draw", face)
            yield Action(seat, "discard", face)
        for run in RUNS:
            yield Action(seat, "play", run)
            yield Action(seat, "play", run[::-1])
            yield Action(seat, "meld", run)
        yield from (Action(seat, "meld", cards) for cards in SETS)
        for number in range(1, len(match.deal.melds[seat - 1]) + 2):
            yield from (Action(seat, "add", (cards, number)) for cards in RUNS)
            yield from (Action(seat, "add", (cards, number)) for suit in SUIT for cards in combinations(suit, 2))
            yield from (Action(seat, "add", (tuple(sorted(random.sample(suit, 3))), number)) for suit in SUIT)
        for _ in range(20):
            yield Action(seat, "show", tuple(sorted(random.sample(range(52), random.randint(1, 3)))))


def states(seed: int, deals: int = 2) -> Iterator[tuple[Match, Random]]:
    """The states of random deals in which legal actions are played at random."""
    random = Random(seed)
    for _ in range(deals):
        table = random_table(random)
        referee = Referee(begin(table))
        assert referee.rule(random_deal(random, table, random.randint(1, table.seats))).refusal is None
        for match in random_walk(random, referee, random.choice((0.0, 0.3, 1.0))):
            yield match, random


def is_blocking(match: Match) -> bool:
    """Whether the next draw blocks the hand: it is then judged as if no card were written."""
    deal = match.deal
    return not deal.stock.places and deal.refills >= deal.settings.max_refills


@pytest.mark.parametrize("seed", SEEDS)
def test_check_accepts_exactly_what_legal_lists(seed: int) -> None:
    for match, random in states(seed):
        if random.random() > 0.05:
            continue
        listed = some(match, 20_000)
        assert len(set(listed)) == len(listed)
        assert all(check(match, action) is None for action in listed)
        tried = set(every_action(match, random))
        if is_blocking(match):
            tried = {action for action in tried if action.verb != "draw" or action.argument is None}
        if match.deal.phase in (Phase.STEP, Phase.MELD) and to_act(match):  # what leads to no end is not listed
            if match.deal.hands.unknown[match.deal.turn - 1]:
                tried = {action for action in tried if action.verb != "take" or action in listed}
            if match.deal.taken:
                tried = {action for action in tried if action.verb not in ("meld", "add") or action in listed}
        accepted = {action for action in tried if check(match, action) is None}
        assert accepted <= set(listed)
        assert {action for action in listed if action.verb not in ("show", "add")} <= accepted


@pytest.mark.parametrize("seed", SEEDS)
def test_a_running_deal_always_has_a_legal_action_and_a_seat_to_act(seed: int) -> None:
    for match, _ in states(seed):
        running = match.standing is Standing.RUNNING
        assert bool(next(legal(match), None)) is running
        assert bool(to_act(match)) is running
        if match.deal.phase is not Phase.SHOW:
            assert {action.seat for action in legal(match)} == set(to_act(match))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_is_in_exactly_one_place(seed: int) -> None:
    for match, _ in states(seed):
        deal = match.deal
        hands, places = deal.hands, [card for card in deal.stock.places if card != UNKNOWN]
        pieces = [piece for melds in deal.melds for meld in melds for piece in meld.pieces]
        lying = [*deal.discards, *pieces, *places, *cards_of(deal.stock.pool), *cards_of(hands.unseen)]
        lying += [card for known in hands.known for card in cards_of(known)]
        assert sorted(lying) == sorted(GAME.pack(match.table.rules))
        assert hands.hidden == (0 if deal.stock.pool else deal.stock.places.count(UNKNOWN))
        assert deal.stock.pool.bit_count() in (0, len(deal.stock.places))
        assert hands.unseen.bit_count() == sum(hands.unknown) + hands.hidden
        assert min(hands.unknown) >= 0


@pytest.mark.parametrize("seed", SEEDS)
def test_every_random_match_ends(seed: int) -> None:
    random = Random(seed)
    table = random_table(random, losing_score=random.randint(1, 20))
    referee = Referee(begin(table))
    deals = 0
    while referee.match.standing is not Standing.OVER:
        deals += 1
        assert deals < 400
        assert referee.rule(random_deal(random, table, referee.match.next_dealer or 1)).refusal is None
        for _ in random_walk(random, referee):
            pass
    scores = referee.match.scores
    assert max(scores) >= table.rules.losing_score
    assert GAME.losers(table.rules, scores) == (scores.index(max(scores)),)
    assert referee.match.winners == tuple(place for place, score in enumerate(scores) if score == min(scores))


@pytest.mark.parametrize("seed", SEEDS)
def test_states_are_values_and_equal_again_after_undo(seed: int) -> None:
    random = Random(seed)
    table = random_table(random)
    referee = Referee(begin(table))
    referee.rule(random_deal(random, table, 1))
    kept = [(match, repr(match.deal), hash(match.deal)) for match in random_walk(random, referee)]
    assert all((repr(match.deal), hash(match.deal)) == (text, number) for match, text, number in kept)
    for match, _, _ in reversed(kept[:-1]):
        referee.rule(Undo(None))
        assert referee.match.deal == match.deal


@pytest.mark.parametrize("seed", SEEDS)
def test_a_draw_takes_a_card_and_a_play_or_a_discard_gives_one(seed: int) -> None:
    for match, _ in states(seed):
        deal = match.deal
        held = sum(deal.hands.size(seat) for seat in range(1, match.table.seats + 1))
        laid = sum(len(meld.pieces) for melds in deal.melds for meld in melds)
        assert held + laid + len(deal.discards) + len(deal.stock.places) == len(GAME.pack(match.table.rules))


# Tokens


@pytest.mark.parametrize("seed", SEEDS)
def test_every_legal_action_is_reached_by_tokens_that_the_questions_offer(seed: int) -> None:
    for match, random in states(seed):
        if random.random() > 0.2:
            continue
        actions = some(match, 2000)
        for action in random.sample(actions, min(len(actions), 4)):
            given = GAME.tokens(match.deal, action)
            for number, token in enumerate(given):
                question = ask(match, action.seat, given[:number])
                assert isinstance(question, Ask)
                assert token in (*question.choices, *question.cards, *([END] if question.end else []))
            assert ask(match, action.seat, given) == action


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_a_seat_gives_of_what_is_offered_ends_in_an_action_that_is_legal_on_what_it_may_know(
    seed: int,
) -> None:
    for match, random in states(seed):
        for seat in to_act(match):
            given: tuple[Token, ...] = ()
            answer = ask(match, seat, given)
            while isinstance(answer, Ask):
                offered: list[Token] = [*answer.choices, *answer.cards, *([END] if answer.end else [])]
                assert len(set(offered)) == len(offered) > 0
                given = (*given, random.choice(offered))
                answer = ask(match, seat, given)
            assert answer is not None
            assert answer.seat == seat
            assert check(seen_from(match, seat), answer) is None, (given, answer)


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_every_card_that_is_shown_is_an_action_or_a_question_of_its_purpose(seed: int) -> None:
    for match, random in states(seed, deals=2):
        if match.standing is not Standing.RUNNING or random.random() > 0.2:
            continue
        for seat in range(1, match.table.seats + 1):
            for card in random.sample(CARDS[:CARD_COUNT], 20):
                answer = ask(match, seat, (card,))
                if seat not in to_act(match):
                    assert isinstance(answer, Action)
                    assert check(match, answer) is not None
                elif isinstance(answer, Action):
                    assert answer.seat == seat
                    meant = [(card,), (PLAIN[card],), card, PLAIN[card]]
                    assert answer.verb in ("take", "add") or answer.argument in meant
                else:
                    assert answer is not None


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(4))
def test_a_seat_that_is_not_to_act_is_asked_nothing_and_nonsense_is_no_action(seed: int) -> None:
    for match, _ in states(seed, deals=2):
        for seat in range(1, match.table.seats + 1):
            if seat not in to_act(match):
                assert ask(match, seat, ()) is None
            assert ask(match, seat, (UNKNOWN,)) is None
            if match.deal.phase is not Phase.SHOW:
                assert ask(match, seat, ("banana",)) is None


# Secrets


def two_tables(random: Random, seat: int) -> tuple[Referee, Referee]:
    """Two tables that differ only in what this seat does not see."""
    table = random_table(random, tracked=True)
    one = Truth(random, table)
    own = one.hands[seat - 1]
    others = [card for hand in one.hands if hand is not own for card in hand] + one.stock
    random.shuffle(others)
    other_hands = [own if hand is own else sorted(others.pop() for _ in range(9)) for hand in one.hands]
    with_stock = random.random() < 0.5
    dealer = random.randint(1, table.seats)
    referees = []
    for hands, stock in ((one.hands, one.stock), (other_hands, others)):
        referee = Referee(begin(table))
        told = Dealt(tuple(map(tuple, hands)), (one.turn_up,), tuple(stock) if with_stock else None)
        assert referee.rule(Deal(dealer, told)).refusal is None
        referees.append(referee)
    return referees[0], referees[1]


@pytest.mark.few(5)
@pytest.mark.parametrize("seed", range(30))
def test_what_a_seat_sees_and_is_told_does_not_depend_on_what_it_does_not_see(seed: int) -> None:
    random = Random(seed)
    seat = random.randint(1, 2)
    one, two = two_tables(random, seat)
    if one.match.deal.turn != two.match.deal.turn:
        return  # who starts is said aloud
    for _ in range(40):
        assert view(one.match, seat) == view(two.match, seat)
        assert view(one.match, PUBLIC) == view(two.match, PUBLIC)
        mine, theirs = seen_from(one.match, seat), seen_from(two.match, seat)
        if one.match.table.seats < 4:  # which of two equal cards was meant may depend on where the other one lies
            assert mine.deal == theirs.deal
        assert GAME.seen_from(mine.deal, seat) == mine.deal
        assert ask(one.match, seat, ()) == ask(two.match, seat, ())
        tried = [action for action in every_action(mine, random) if action.seat == seat]
        for action in random.sample(tried, 100):
            assert check(mine, action) == check(theirs, action)
        same = sorted(set(some(one.match, 500)) & set(some(two.match, 500)), key=repr)
        same = [action for action in same if action.argument is None or action.verb != "draw"]
        if not same or one.match.standing is not Standing.RUNNING:
            return
        action = random.choice(same)
        if action.verb == "draw" and action.seat == seat:
            named = set(cards_of(one.match.deal.hands.unseen)) & set(cards_of(two.match.deal.hands.unseen))
            if not named:
                return
            action = action._replace(argument=int(PLAIN[random.choice(sorted(named))]))
        if one.rule(action).refusal is not None or two.rule(action).refusal is not None:
            return


@pytest.mark.parametrize("seed", SEEDS)
def test_the_view_of_a_seat_never_holds_a_card_of_another_hand(seed: int) -> None:
    for match, _ in states(seed):
        for viewer in (PUBLIC, *range(1, match.table.seats + 1)):
            hands = {block.seat: block for block in view(match, viewer).blocks if isinstance(block, Hand)}
            assert set(hands) == set(range(1, match.table.seats + 1))
            for seat, hand in hands.items():
                assert len(hand.cards) + hand.unknown == match.deal.hands.size(seat)
                if seat != viewer:
                    assert hand.cards == ()
                else:
                    shown = [int(card) for card in hand.cards]
                    known = sorted(PLAIN[card] for card in cards_of(match.deal.hands.known[seat - 1]))
                    assert all(shown.count(card) >= known.count(card) for card in known)
        director = [block for block in view(match, DIRECTOR).blocks if isinstance(block, Hand)]
        assert [mask(hand.cards) for hand in director] == list(match.deal.hands.known)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_has_turn_piles_melds_and_hands_from_the_viewer_on(seed: int) -> None:
    for match, random in states(seed, deals=2):
        seats = match.table.seats
        viewer = random.randint(1, seats)
        blocks = view(match, viewer).blocks
        melds = [] if match.table.rules.build else [Melds] * seats
        assert [type(block) for block in blocks] == [Score, Notices, Turn, Piles, *melds, *[Hand] * seats]
        order = [(viewer - 1 + step) % seats + 1 for step in range(seats)]
        assert [block.seat for block in blocks if isinstance(block, Hand)] == order
        turn, piles = blocks[2], blocks[3]
        assert isinstance(turn, Turn)
        assert isinstance(piles, Piles)
        assert turn.seats == to_act(match)
        assert (piles.stock, piles.discards) == (len(match.deal.stock.places), len(match.deal.discards))
        assert piles.top == (CARDS[PLAIN[match.deal.discards[-1]]] if match.deal.discards else None)


# What is entered at a seat is judged on what that seat may know; the table then believes it


@pytest.mark.few(8)
@pytest.mark.parametrize("seed", range(20))
def test_an_action_that_contradicts_what_the_table_knew_is_believed_and_no_card_is_lost(seed: int) -> None:
    random = Random(seed)
    table = random_table(random)
    deal, _ = GAME.deal(table.rules, 1, random_deal(random, table, 1).dealt)
    while deal.outcome is None:
        seat = random.choice(GAME.to_act(deal))
        own = (action for action in GAME.legal(GAME.seen_from(deal, seat)) if action.seat == seat)
        deal, _ = GAME.apply(deal, random.choice(list(islice(own, 200))))
        places = [card for card in deal.stock.places if card != UNKNOWN]
        lying = [*deal.discards, *(piece for melds in deal.melds for meld in melds for piece in meld.pieces), *places]
        lying += [*cards_of(deal.stock.pool), *cards_of(deal.hands.unseen)]
        lying += [card for known in deal.hands.known for card in cards_of(known)]
        assert sorted(lying) == sorted(GAME.pack(table.rules))
        hidden = 0 if deal.stock.pool else deal.stock.places.count(UNKNOWN)
        assert deal.hands.unseen.bit_count() == sum(deal.hands.unknown) + hidden


@pytest.mark.parametrize("knowledge", KNOWLEDGE)
def test_every_way_of_knowing_is_dealt(knowledge: str) -> None:
    random = Random(knowledge)
    table = random_table(random, tracked=knowledge == "tracked")
    told = Truth(random, table).told(random, table, knowledge)
    assert GAME.check_deal(table.rules, 1, told) is None
