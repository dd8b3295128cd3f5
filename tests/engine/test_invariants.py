"""What holds in every state of every deal, of whatever rule set, seats, options and knowledge of the hands."""

from collections.abc import Iterator
from random import Random

import pytest
from tables import KNOWLEDGE, PACK, as_dealt, played, random_deal, random_table, random_walk, shuffled

from engine.asks import Ask, Token
from engine.cards import CARD_COUNT, CARDS, UNKNOWN, Card, cards_of, mask
from engine.entries import Deal
from engine.game import Dealt
from engine.match import Match, Standing, ask, begin, check, legal, seen_from, to_act, view
from engine.pepper.state import Phase
from engine.referee import Referee
from engine.values import Action
from engine.view import DIRECTOR, PUBLIC, Auction, Hand, Notices, Score, Trick, Turn

FOREIGN = [Card(text) for text in ("2C", "8S", "JK", "JK'4", "9C'2", "AS'2")]

EVERY_ACTION = [
    *(Action(seat, "bid", bid) for seat in range(1, 5) for bid in range(1, 10)),
    *(Action(seat, "pass") for seat in range(1, 5)),
    *(Action(seat, "trump", trump) for seat in range(1, 5) for trump in range(5)),
    *(Action(seat, "play", card) for seat in range(1, 5) for card in [*PACK, *FOREIGN]),
    *(Action(seat, "meld", "9C 10C") for seat in range(1, 5)),
]
"""Every action that the notation can write for a game with these verbs, and some that no game of Pepper knows."""

SEEDS = range(20)


def states(seed: int, deals: int = 6) -> Iterator[tuple[Match, Random]]:
    """The states of random deals in which legal actions are played at random."""
    random = Random(seed)
    for _ in range(deals):
        table = random_table(random)
        referee = Referee(begin(table))
        assert referee.rule(random_deal(random, table, random.randint(1, table.seats))).refusal is None
        for match in random_walk(random, referee):
            yield match, random


@pytest.mark.few(5)
@pytest.mark.parametrize("seed", SEEDS)
def test_check_accepts_exactly_what_legal_lists(seed: int) -> None:
    for match, _ in states(seed):
        listed = list(legal(match))
        assert len(set(listed)) == len(listed)
        assert {action for action in EVERY_ACTION if check(match, action) is None} == set(listed)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_running_deal_always_has_a_legal_action_and_a_seat_to_act(seed: int) -> None:
    for match, _ in states(seed):
        running = match.standing is Standing.RUNNING
        assert bool(next(legal(match), None)) is running
        assert bool(to_act(match)) is running
        assert {action.seat for action in legal(match)} == set(to_act(match))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_is_in_exactly_one_place(seed: int) -> None:
    for match, _ in states(seed):
        hands = match.deal.hands
        places = [*hands.known, hands.unseen]
        seen = [card for place in places for card in cards_of(place)]
        assert len(set(seen)) == len(seen)
        gone = sum(deal_gone(match))
        assert len(seen) + gone == len(PACK)
        assert not set(seen) & {card for _, card in (*match.deal.plays, *match.deal.last)}
        assert hands.unseen.bit_count() == sum(hands.unknown) + hands.hidden
        assert min(hands.unknown) >= 0


def deal_gone(match: Match) -> tuple[int, int]:
    """How many cards have been played in finished tricks, and in the running one."""
    deal = match.deal
    return sum(deal.won) * (match.table.seats - bool(deal.alone)), len(deal.plays)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_card_that_was_played_lies_in_no_hand_and_is_never_legal_again(seed: int) -> None:
    played: set[Card] = set()
    for match, _ in states(seed):
        if match.deal.phase is Phase.AUCTION:
            played = set()
        played |= {CARDS[card] for _, card in (*match.deal.plays, *match.deal.last)}
        for held in (match.deal.hands.unseen, *match.deal.hands.known):
            assert not held & mask(played)
        assert not played & {action.argument for action in legal(match) if action.verb == "play"}


@pytest.mark.parametrize("seed", SEEDS)
def test_hands_shrink_by_one_for_each_card_played(seed: int) -> None:
    for match, _ in states(seed):
        deal, seats = match.deal, match.table.seats
        sizes = [deal.hands.size(seat) for seat in range(1, seats + 1)]
        assert sum(sizes) == deal.settings.cards * seats - sum(deal_gone(match))
        active = [size for seat, size in enumerate(sizes, 1) if seat != deal.alone]
        assert max(active) - min(active) <= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_the_scores_of_a_deal_add_up_as_the_rules_say(seed: int) -> None:
    for match, _ in states(seed, deals=8):
        deal = match.deal
        if deal.outcome is None or not deal.outcome.complete:
            assert match.scores == (0,) * len(match.table.sides)
            continue
        rules, worth = deal.settings, deal.settings.cards * (2 if deal.bid == 9 else 1)
        assert sum(deal.won) == rules.cards
        if deal.penalty == "fail-bid" and deal.revokes:
            continue
        for side, points in zip(match.table.sides, match.scores, strict=True):
            took = sum(deal.won[seat - 1] for seat in side)
            if deal.bidder not in side:
                expected = took if rules.defenders_score else 0
            elif deal.bid >= 8:
                expected = worth if took == rules.cards else -worth
            elif took >= deal.bid:
                expected = took
            else:
                expected = -rules.cards if rules.failed == "all" else -deal.bid
            assert points == expected


@pytest.mark.parametrize("seed", SEEDS)
def test_every_random_match_ends(seed: int) -> None:
    random = Random(seed)
    table = random_table(random)
    referee = Referee(begin(table))
    deals = 0
    while referee.match.standing is not Standing.OVER:
        deals += 1
        assert deals < 400
        assert referee.rule(random_deal(random, table, referee.match.next_dealer or 1)).refusal is None
        while actions := list(legal(referee.match)):
            modest = [action for action in actions if action.verb == "pass" or action.argument == 1]
            referee.rule(random.choice(modest if actions[0].verb == "bid" and modest else actions))
    best = max(referee.match.scores)
    assert best >= table.rules.target
    assert referee.match.scores.index(best) == referee.match.winners[0]
    assert referee.match.scores.count(best) == len(referee.match.winners) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_applying_an_action_leaves_the_state_before_as_it_was(seed: int) -> None:
    random = Random(seed)
    table = random_table(random)
    referee = Referee(begin(table))
    referee.rule(random_deal(random, table, 1))
    kept = [(match, repr(match)) for match in random_walk(random, referee)]
    assert all(repr(match) == text for match, text in kept)


# Tokens


@pytest.mark.parametrize("seed", SEEDS)
def test_every_legal_action_is_reached_by_tokens_that_the_questions_offer(seed: int) -> None:
    for match, _ in states(seed):
        for seat in to_act(match):
            question = ask(match, seat, ())
            assert isinstance(question, Ask)
            assert bool(question.choices) != bool(question.cards)
            tokens: list[Token] = [*question.choices, *question.cards]
            offered = [ask(match, seat, (token,)) for token in tokens]
            assert {action for action in legal(match) if action.seat == seat} <= set(offered)
            assert all(isinstance(action, Action) and action.seat == seat for action in offered)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_questions_offer_what_is_legal_on_what_the_seat_may_know(seed: int) -> None:
    for match, _ in states(seed):
        for seat in to_act(match):
            question = ask(match, seat, ())
            assert isinstance(question, Ask)
            own = seen_from(match, seat)
            tokens: list[Token] = [*question.choices, *question.cards]
            offered = [ask(match, seat, (token,)) for token in tokens]
            assert set(offered) == set(legal(own))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_seat_that_is_not_to_act_is_asked_nothing(seed: int) -> None:
    for match, _ in states(seed):
        for seat in set(range(1, match.table.seats + 1)) - set(to_act(match)):
            assert ask(match, seat, ()) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(3))
def test_every_card_that_a_seat_shows_is_an_action_that_check_judges(seed: int) -> None:
    for match, _ in states(seed, deals=2):
        for seat in range(1, match.table.seats + 1):
            for card in CARDS[:CARD_COUNT]:
                action = ask(match, seat, (card,))
                if match.standing is not Standing.RUNNING:
                    assert action is None
                    continue
                assert action == Action(seat, "play", card)
                assert isinstance(action, Action)
                refusal = check(match, action)
                assert (refusal is None) is (action in set(legal(match)))


def test_a_card_that_nobody_has_seen_and_a_token_of_no_game_are_no_action() -> None:
    match, _ = next(states(1))
    assert ask(match, 1, (UNKNOWN,)) is None
    assert ask(match, 1, ("banana",)) is None
    assert ask(match, 1, ("0",)) is None


# Secrets


def swapped(random: Random, table_seats: int, hands: list[list[Card]], seat: int) -> list[list[Card]]:
    """The same hand of one seat, and other hands of the others."""
    size = len(hands[0])
    others = random.sample([card for card in PACK if card not in hands[seat - 1]], len(PACK) - size)
    return [
        hands[seat - 1] if other == seat else [others.pop() for _ in range(size)] for other in range(1, table_seats + 1)
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_seat_sees_and_is_told_does_not_depend_on_the_hands_of_others(seed: int) -> None:
    random = Random(seed)
    for _ in range(6):
        table = random_table(random, tracked=True)
        hands = shuffled(random, table)
        seat = random.randint(1, table.seats)
        others = swapped(random, table.seats, hands, seat)
        dealer = random.randint(1, table.seats)
        one, two = (Referee(begin(table)) for _ in range(2))
        for referee, deal in ((one, hands), (two, others)):
            assert referee.rule(Deal(dealer, Dealt(tuple(map(tuple, deal))))).refusal is None
        while True:
            same = list(set(legal(one.match)) & set(legal(two.match)))
            assert view(one.match, seat) == view(two.match, seat)
            assert view(one.match, PUBLIC) == view(two.match, PUBLIC)
            assert ask(one.match, seat, ()) == ask(two.match, seat, ())
            mine, theirs = seen_from(one.match, seat), seen_from(two.match, seat)
            assert mine == theirs
            for action in EVERY_ACTION:
                if action.seat == seat:
                    assert check(mine, action) == check(theirs, action)
            if not same:
                break
            action = random.choice(sorted(same, key=repr))
            one.rule(action)
            two.rule(action)


@pytest.mark.few(6)
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
                    assert mask(hand.cards) == match.deal.hands.known[seat - 1]
        director = [block for block in view(match, DIRECTOR).blocks if isinstance(block, Hand)]
        assert [mask(hand.cards) for hand in director] == list(match.deal.hands.known)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_view_has_each_of_its_blocks_once_and_a_hand_for_each_seat_from_the_viewer_on(seed: int) -> None:
    for match, random in states(seed, deals=2):
        viewer = random.randint(1, match.table.seats)
        blocks = view(match, viewer).blocks
        assert [type(block) for block in blocks] == [Score, Notices, Turn, Auction, Trick] + [Hand] * match.table.seats
        hands = [block.seat for block in blocks if isinstance(block, Hand)]
        assert hands == [(viewer - 1 + step) % match.table.seats + 1 for step in range(match.table.seats)]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_turn_of_a_view_is_the_seat_that_the_table_waits_for(seed: int) -> None:
    for match, _ in states(seed):
        turns = [block for block in view(match, PUBLIC).blocks if isinstance(block, Turn)]
        assert [turn.seats for turn in turns] == [to_act(match)]


@pytest.mark.parametrize("ending", ["director void", "director void match"])
def test_after_a_void_the_view_shows_nobody_to_act(ending: str) -> None:
    match = played(f"deal 4 / 1 bid 2 / {ending}", hands="concealed").match
    assert to_act(match) == ()
    assert [block.seats for block in view(match, PUBLIC).blocks if isinstance(block, Turn)] == [()]


# True hands behind a table that does not know them


@pytest.mark.parametrize("knowledge", KNOWLEDGE)
@pytest.mark.parametrize("seed", range(8))
def test_what_the_table_is_certain_of_is_true_and_who_follows_is_never_refused(seed: int, knowledge: str) -> None:
    random = Random(f"{seed}{knowledge}")
    for _ in range(4):
        table = random_table(random, tracked=knowledge == "tracked")
        truth = shuffled(random, table)
        referee = Referee(begin(table))
        assert referee.rule(Deal(1, as_dealt(random, table, truth, knowledge))).refusal is None
        while referee.match.standing is Standing.RUNNING:
            deal = referee.match.deal
            for known, hand in zip(deal.hands.known, truth, strict=True):
                assert set(cards_of(known)) <= set(hand)
            if deal.phase is not Phase.PLAY:
                referee.rule(random.choice(list(legal(referee.match))))
                continue
            hand = truth[deal.turn - 1]
            order = deal.settings.orders[deal.trump]
            able = [card for card in hand if deal.plays and order.suit[card] == order.suit[deal.plays[0][1]]]
            card = random.choice(able or hand)
            ruling = referee.rule(Action(deal.turn, "play", card))
            assert ruling.refusal is None
            assert "revoke" not in [notice.code for notice in ruling.notices]
            hand.remove(card)


@pytest.mark.parametrize("seed", range(16))
def test_every_revoke_that_shows_itself_is_noted_once_and_no_other(seed: int) -> None:
    random = Random(seed)
    for _ in range(4):
        table = random_table(random, tracked=False)
        truth = shuffled(random, table)
        referee = Referee(begin(table))
        assert referee.rule(Deal(1, as_dealt(random, table, truth, random.choice(KNOWLEDGE[1:])))).refusal is None
        failures: list[tuple[int, int, int, Card]] = []  # seat, suit, trick, card
        while referee.match.standing is Standing.RUNNING:
            deal = referee.match.deal
            if deal.phase is not Phase.PLAY:
                referee.rule(random.choice(list(legal(referee.match))))
                continue
            seat, order = deal.turn, deal.settings.orders[deal.trump]
            allowed = {action.argument for action in legal(referee.match)}
            card = random.choice([card for card in truth[seat - 1] if card in allowed])
            proven = [entry for entry in failures if entry[0] == seat and entry[1] == order.suit[card]]
            notices = referee.rule(Action(seat, "play", card)).notices
            assert [dict(notice.facts) for notice in notices if notice.code == "revoke"] == [
                {"seat": seat, "trick": trick, "played": thrown, "card": card} for _, _, trick, thrown in proven
            ]
            failures = [entry for entry in failures if entry not in proven]
            truth[seat - 1].remove(card)
            if deal.plays and order.suit[card] != order.suit[deal.plays[0][1]]:
                failures.append((seat, order.suit[deal.plays[0][1]], sum(deal.won) + 1, card))
