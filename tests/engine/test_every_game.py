"""What holds in every state of every installed game, whatever its rules, seats, options and knowledge of the hands."""

from random import Random

import pytest
from every_game import (
    FEW,
    KNOWLEDGE,
    after,
    card_of,
    copies,
    deal_until_running,
    each_game,
    in_play,
    key,
    lay,
    lying,
    mutations,
    offered,
    pick,
    plain,
    random_deal,
    random_entry,
    random_table,
    read,
    record_of,
    respelled,
    seeds,
    single_options,
    some,
    states,
    strands,
    told,
    very,
    walk,
    whole_list,
    words_of,
    written,
)

from engine.answers import check_record, result_values
from engine.asks import END, Ask, Token
from engine.cards import CARDS, COPIES, PLAIN, UNKNOWN, Card
from engine.entries import Deal, Undo
from engine.game import Game
from engine.match import Match, Standing, Table, ask, begin, check, lay_table, legal, seen_from, to_act, view
from engine.options import OptionError
from engine.record import read_record, write_record
from engine.referee import Referee
from engine.values import Action
from engine.view import DIRECTOR, PUBLIC, Hand, Score, Turn

# Tables


@each_game
def test_every_value_of_every_option_makes_a_table_that_can_be_dealt_to_or_is_refused_by_name(game: Game) -> None:
    random = Random(game.name)
    laid, refusals = 0, list[tuple[str, str]]()
    for rule_set, name, value in single_options(game):
        try:
            table = lay_table(game, random.choice(game.seats), rule_set, True, {name: value})
        except OptionError as error:
            refusals.append((name, str(error)))
            continue
        laid += 1
        assert game.check_deal(table.rules, 1, random_deal(random, table, 1).dealt) is None
    assert laid > len(game.options)
    assert all(name in text for name, text in refusals)


@each_game
@pytest.mark.parametrize("knowledge", KNOWLEDGE)
def test_cards_that_were_dealt_as_the_game_says_can_be_told_in_every_way_of_knowing_them(
    game: Game, knowledge: str
) -> None:
    random = Random(knowledge)
    for seats in game.seats:
        for rule_set in game.rule_sets:
            table = lay_table(game, seats, rule_set, knowledge in ("tracked", "stock"))
            dealt = told(random, table, lay(random, table, 1), knowledge)
            assert game.check_deal(table.rules, 1, dealt) is None
            assert set(game.required_lines(table.rules)) <= game.deal_lines
            assert game.wanted(table.rules, dealt) is None
            assert ("turn-up" in game.required_lines(table.rules)) is bool(dealt.turn_up)
            assert ("buried" in game.required_lines(table.rules)) is (dealt.buried is not None)


@each_game
@seeds(1, 60)
def test_a_deal_with_a_card_twice_or_one_too_few_is_refused(game: Game, seed: int) -> None:
    random = Random(seed)
    table = random_table(random, game, tracked=True)
    dealt = random_deal(random, table, 1, "tracked").dealt
    one, two = dealt.hands[0], dealt.hands[1]
    assert one is not None
    assert two is not None
    card = very(table, one[0])
    both = ((card, *one[1:]), (card, *two[1:]), *dealt.hands[2:])
    refusal = game.check_deal(table.rules, 1, dealt._replace(hands=both))
    assert refusal is not None
    assert refusal.code == "duplicate-card"
    refusal = game.check_deal(table.rules, 1, dealt._replace(hands=(one[:-1], *dealt.hands[1:])))
    assert refusal is not None
    assert refusal.code == "wrong-count"


# Legal actions


@pytest.mark.few(1)
@each_game
@seeds(1, 200)
def test_check_accepts_what_legal_lists_and_no_action_is_listed_twice(game: Game, seed: int) -> None:
    random = Random(seed)
    for match in states(random, game, deals=5):
        table, listed = match.table, some(match, random.choice((FEW, FEW, 100)))
        assert len(set(listed)) == len(listed)
        keys: dict[object, list[Action]] = {}
        for action in listed:
            assert check(match, action) is None, written(table, action)
            assert plain(table, action) == action
            keys.setdefault(key(table, action), []).append(action)
        for alike in keys.values():
            if len(alike) > 1:
                results = [after(match, action) for action in alike]
                assert all(result not in results[:place] for place, result in enumerate(results)), alike


@pytest.mark.few(1)
@each_game
@seeds(1, 300)
def test_check_accepts_nothing_but_what_legal_lists(game: Game, seed: int) -> None:
    """However it is written: another seat, verb, card, order, pack, a card too many or too few."""
    random = Random(seed)
    for match in states(random, game, deals=5, tracked=random.random() < 0.8):
        if random.random() > 0.25 or (listed := whole_list(match)) is None:
            continue
        keys: dict[object, list[Action]] = {}
        for action in listed:
            keys.setdefault(key(match.table, action), []).append(action)
        for action in mutations(random, match, listed, 40):
            if check(match, action) is None:
                assert is_listed(match, action, listed, keys), written(match.table, action)


def cards_in(table: Table, action: Action) -> list[Card]:
    """The cards that an action names, whatever they stand for."""
    return [card for card in map(card_of, words_of(table, action)) if card is not None]


def is_listed(match: Match, action: Action, listed: list[Action], keys: dict[object, list[Action]]) -> bool:
    """Whether a listed action is this accepted one, in its plain form.

    The order of groups only numbers them, that of equal cards only tells which of them lies where. An action that says
    less or more than it needs to does what a listed one does.
    """
    table = match.table
    bare = plain(table, action)
    if check(match, bare) is not None:
        return False
    if strands(table.game, after(match, bare)):
        return True
    alike = keys.get(key(table, bare), [])
    words = words_of(table, bare)
    cards = cards_in(table, bare)
    if bare in alike or (alike and ("/" in words or len(set(cards)) < len(cards))):
        return True
    result = after(match, bare)
    others = [other for other in listed if other[:2] == action[:2]]
    if len(set(cards)) < len(cards):  # not every joker is named
        return any(sorted(cards) == sorted(cards_in(table, other)) for other in others)
    return any(after(match, other) == result for other in others)


@each_game
@seeds(1, 100)
def test_a_card_without_its_pack_is_one_that_can_be_written_with_it(game: Game, seed: int) -> None:
    random = Random(seed)
    for match in states(random, game, deals=4):
        if random.random() > 0.3:
            continue
        table = match.table
        for action in random.sample(listed := some(match), min(len(listed), 6)):
            words = words_of(table, action)
            for place, word in enumerate(words):
                card = card_of(word)
                if card is None or card == UNKNOWN:
                    continue
                spelt = [
                    read(table, action.seat, action.verb, [*words[:place], other, *words[place + 1 :]])
                    for other in spellings(table, word)
                ]
                accepted = [other for other in spelt if other is not None and check(match, other) is None]
                assert accepted, written(table, action)


def spellings(table: Table, word: str) -> list[str]:
    """The word with its card as each one that it may mean, in the spelling that means no other."""
    card = card_of(word)
    assert card is not None
    return [f"{very}{word[len(word.partition('=')[0]) :]}" for very in copies(table, card)]


@pytest.mark.few(1)
@each_game
@seeds(1, 100)
def test_an_action_is_read_again_as_it_is_written(game: Game, seed: int) -> None:
    random = Random(seed)
    for match in states(random, game, deals=4):
        listed = some(match)
        for action in [*listed, *mutations(random, match, listed, 5)]:
            assert read(match.table, action.seat, action.verb, words_of(match.table, action)) == action


@each_game
@seeds(1, 200)
def test_a_running_deal_has_a_seat_to_act_and_a_legal_action_of_it(game: Game, seed: int) -> None:
    random = Random(seed)
    for match in states(random, game, deals=6, most=100):
        running = match.standing is Standing.RUNNING
        seats = to_act(match)
        assert bool(seats) is running
        assert bool(next(legal(match), None)) is running
        assert list(seats) == sorted(set(seats))
        assert set(seats) <= set(range(1, match.table.seats + 1))
        if running:
            first = some(match)
            assert any(action.seat in seats for action in first)
        assert [block.seats for block in view(match, PUBLIC).blocks if isinstance(block, Turn)] == [seats]


@each_game
@seeds(1, 40)
def test_every_match_that_is_played_at_random_ends(game: Game, seed: int) -> None:
    random = Random(seed)
    referee = Referee(begin(random_table(random, game)))
    actions = 0
    while referee.match.standing is not Standing.OVER:
        if referee.match.deals > 40 or actions > 4_000:  # a target that is far off: the director brings it near
            return
        deal_until_running(random, referee)
        in_deal = sum(1 for _ in walk(random, referee, most=3_000))
        assert in_deal < 3_000, record_of(referee, begin(referee.match.table))
        actions += in_deal
    assert referee.match.winners


# Cards


@each_game
@seeds(1, 200)
def test_every_card_lies_in_one_place(game: Game, seed: int) -> None:
    random = Random(seed)
    for _ in range(5):
        table = random_table(random, game)
        referee = Referee(begin(table))
        deal_until_running(random, referee)
        deal, _ = referee.accepted[-1]
        assert isinstance(deal, Deal)
        for match in walk(random, referee, most=80):
            shown, count = lying(match)
            assert len(set(shown)) == len(shown)
            assert set(shown) <= set(game.pack(table.rules))
            assert count == in_play(table, deal)


@each_game
@seeds(1, 100)
def test_an_action_changes_no_hand_that_is_known_but_its_seats_own(game: Game, seed: int) -> None:
    random = Random(seed)
    for _ in range(5):
        referee = Referee(begin(random_table(random, game)))
        deal_until_running(random, referee)
        before: dict[int, Hand] = {}
        for match in walk(random, referee, most=80):
            hands = {block.seat: block for block in view(match, DIRECTOR).blocks if isinstance(block, Hand)}
            entry, _ = referee.accepted[-1]
            for seat, hand in before.items():
                if isinstance(entry, Action) and seat != entry.seat and not hand.unknown:
                    assert hands[seat] == hand
            before = hands


# Undo, records, replay


@each_game
@seeds(1, 100)
def test_undo_gives_every_former_state_again_also_over_the_deals_before(game: Game, seed: int) -> None:
    random = Random(seed)
    referee = Referee(begin(random_table(random, game)))
    kept = []
    for _ in range(70):
        entry = random_entry(random, referee)
        before = referee.match
        if not isinstance(entry, Undo) and referee.rule(entry).refusal is None:
            kept.append(before)
    assert len(kept) == len(referee.accepted)
    while kept:
        assert referee.rule(Undo(None)).refusal is None
        assert referee.match == kept.pop()._replace(notices=())
    assert referee.rule(Undo(1)).refusal is not None


@each_game
@seeds(1, 200)
def test_what_was_accepted_gives_the_same_match_in_another_referee_and_in_its_record(game: Game, seed: int) -> None:
    random = Random(seed)
    first = begin(random_table(random, game))
    referee = Referee(first)
    deal_until_running(random, referee)  # no record has a line of the director before the first deal
    for number in range(90):
        entry = random_entry(random, referee)
        if not isinstance(entry, Undo) or len(referee.accepted) > 1:
            referee.rule(entry, number)
    again = Referee(first)
    for entry, line in referee.accepted:
        assert again.rule(entry, line).refusal is None
    assert again.match._replace(notices=()) == referee.match._replace(notices=())
    assert hash(again.match.deal) == hash(referee.match.deal)
    assert again.irregularities() == referee.irregularities()
    text = record_of(referee, first)
    record = read_record(text)
    assert write_record(record) == text
    checked, answers = check_record(record)
    assert [answer.ruling.refusal for answer in answers] == [None] * len(referee.accepted)
    assert checked.match._replace(notices=()) == referee.match._replace(notices=())
    assert {**result_values(checked), "irregularities": []} == {**result_values(referee), "irregularities": []}


@each_game
@seeds(1, 60)
def test_a_refused_entry_changes_nothing_and_is_refused_again(game: Game, seed: int) -> None:
    random = Random(seed)
    referee = Referee(begin(random_table(random, game)))
    for _ in range(80):
        entry = random_entry(random, referee)
        before = referee.match
        refusal = referee.check(entry) if not isinstance(entry, Deal) else None
        ruling = referee.rule(entry)
        if not isinstance(entry, Deal):
            assert ruling.refusal == refusal
        if ruling.refusal is not None:
            assert referee.match is before
            assert ruling.refusal.code


# Values


@each_game
@seeds(1, 60)
def test_states_are_values_that_nothing_changes_afterwards(game: Game, seed: int) -> None:
    random = Random(seed)
    for _ in range(3):
        referee = Referee(begin(random_table(random, game)))
        deal_until_running(random, referee)
        kept = []
        for match in walk(random, referee, most=40):
            kept.append((match, hash(match.deal), repr(match.deal)))
            for action in random.sample(listed := some(match), min(len(listed), 3)):
                one, two = after(match, action), after(match, action)
                assert one == two
                assert hash(one) == hash(two)
                assert one != match.deal
            view(match, DIRECTOR)
            seen_from(match, 1)
        assert all((hash(match.deal), repr(match.deal)) == (number, text) for match, number, text in kept)


# Scores


@each_game
def test_winners_and_losers_are_told_from_the_totals_and_never_the_same(game: Game) -> None:
    random = Random(game.name)
    ended = 0
    for _ in range(200):
        table = random_table(random, game)
        target = game.target(table.rules)
        scores = tuple(target - random.randint(-3, 5) for _ in table.sides)
        winners, losers = game.winners(table.rules, scores), game.losers(table.rules, scores)
        assert bool(winners) is bool(losers)
        assert not set(winners) & set(losers)
        assert set(winners) | set(losers) <= set(range(len(table.sides)))
        below = tuple(min(score, target - 1) for score in scores)
        assert not game.winners(table.rules, below)
        ended += bool(winners)
    assert 20 < ended < 200


@each_game
@seeds(1, 100)
def test_totals_change_by_what_the_deal_scored_and_the_end_is_said(game: Game, seed: int) -> None:
    random = Random(seed)
    referee = Referee(begin(random_table(random, game)))
    for _ in range(5):
        if referee.match.standing is Standing.OVER:
            break
        deal_until_running(random, referee)
        before = referee.match
        for match in walk(random, referee, most=1_000):
            if match.standing is Standing.RUNNING:
                assert match.scores == before.scores
        check_scores(before, referee.match)


def check_scores(before: Match, match: Match) -> None:
    """The totals after a deal, and what its last notices say about them."""
    table = match.table
    assert match.standing is not Standing.RUNNING
    notices = {notice.code: dict(notice.facts) for notice in match.notices}
    outcome = match.deal.outcome
    sides = [side[0] for side in table.sides]
    scores = tuple(zip(sides, match.scores, strict=True))
    assert ("deal-scored" in notices) is outcome.complete
    assert match.deals == before.deals + outcome.complete
    points = outcome.points if outcome.complete else (0,) * len(sides)
    assert match.scores == tuple(total + won for total, won in zip(before.scores, points, strict=True))
    if outcome.complete:
        assert notices["deal-scored"] == {"points": tuple(zip(sides, points, strict=True)), "scores": scores}
    winners = table.game.winners(table.rules, match.scores)
    losers = table.game.losers(table.rules, match.scores)
    assert match.winners == winners
    assert (match.standing is Standing.OVER) is bool(winners) is bool(losers) is ("match-won" in notices)
    assert not set(winners) & set(losers)
    assert set(winners) | set(losers) <= set(range(len(sides)))
    if winners:
        assert notices["match-won"] == {"winners": tuple(sides[place] for place in winners), "scores": scores}
    shown = [block for block in view(match, PUBLIC).blocks if isinstance(block, Score)]
    assert [(block.totals, block.over) for block in shown] == [(match.scores, match.standing is Standing.OVER)]


# Tokens


def asked_in_turn(match: Match, action: Action, given: tuple[Token, ...]) -> Ask | Action | None:
    """What the seat is asked at the end of these tokens, each of which the question before it offers."""
    for number, token in enumerate(given):
        question = ask(match, action.seat, given[:number])
        assert isinstance(question, Ask), (written(match.table, action), given[:number], question)
        assert token in offered(question), (written(match.table, action), given[: number + 1], question)
        assert (token != END) or question.end
    return ask(match, action.seat, given)


def does_the_same(match: Match, one: object, action: Action) -> bool:
    """Whether what the tokens made is this action, in whatever order and spelling."""
    if not isinstance(one, Action) or check(match, one) is not None:
        return False
    return (
        one == action or key(match.table, one) == key(match.table, action) or after(match, one) == after(match, action)
    )


@pytest.mark.few(1)
@each_game
@seeds(1, 200)
def test_every_legal_action_is_entered_by_tokens_that_the_questions_offer(game: Game, seed: int) -> None:
    random = Random(seed)
    for match in states(random, game, deals=3, most=40):
        if random.random() > 0.25:
            continue
        listed = some(match, random.choice((FEW, FEW, 60)))
        for action in random.sample(listed, min(len(listed), 5)):
            given = game.tokens(match.deal, action)
            assert given
            made = asked_in_turn(match, action, given)
            assert does_the_same(match, made, action), (written(match.table, action), given, made)


@pytest.mark.few(1)
@each_game
@seeds(1, 200)
def test_every_legal_action_is_entered_by_taps_of_the_cards_themselves(game: Game, seed: int) -> None:
    """A tap says which of two equal cards it is: the one that the seat holds, or that lies there, does the same."""
    random = Random(seed)
    for match in states(random, game, deals=3, most=40):
        if random.random() > 0.2:
            continue
        for action in random.sample(listed := some(match), min(len(listed), 4)):
            given = game.tokens(match.deal, action)
            tapped = taps(match, action, given)
            made = ask(match, action.seat, tapped)
            assert does_the_same(match, made, action), (written(match.table, action), tapped, made)


def taps(match: Match, action: Action, given: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens with each card as the very one that may be meant by it."""
    table, words = match.table, words_of(match.table, action)
    cards: list[Card] = []
    for place, word in enumerate(words):
        if card_of(word) is None:
            continue
        for other in spellings(table, word):
            spelt = read(table, action.seat, action.verb, [*words[:place], other, *words[place + 1 :]])
            if spelt is not None and check(match, spelt) is None:
                words[place] = other
                break
        card = card_of(words[place])
        assert card is not None
        cards.append(card)
    tapped: list[Token] = []
    for token in given:
        same = [card for card in cards if isinstance(token, Card) and PLAIN[card] == PLAIN[token]]
        if same:
            cards.remove(same[0])
        tapped.append(same[0] if same else token)
    return tuple(tapped)


@pytest.mark.few(1)
@each_game
@seeds(1, 200)
def test_whatever_a_seat_gives_of_what_is_offered_ends_in_an_action_that_is_legal_on_what_it_may_know(
    game: Game, seed: int
) -> None:
    random = Random(seed)
    for match in states(random, game, deals=4, most=50):
        for seat in range(1, match.table.seats + 1):
            given: tuple[Token, ...] = ()
            answer = ask(match, seat, given)
            if answer is None and seat not in to_act(match):
                continue  # what a seat may do out of turn is asked too
            while isinstance(answer, Ask):
                tokens = offered(answer)
                assert len(set(tokens)) == len(tokens) > 0, (given, answer)
                assert len(given) < 60
                given = (*given, random.choice(tokens))
                answer = ask(match, seat, given)
            assert answer is not None, given
            assert answer.seat == seat
            refusal = check(seen_from(match, seat), answer)
            assert refusal is None, (given, written(match.table, answer), refusal)


@pytest.mark.few(1)
@each_game
@seeds(1, 60)
def test_a_card_that_is_shown_is_a_question_an_attempt_of_its_seat_or_nothing(game: Game, seed: int) -> None:
    random = Random(seed)
    for match in states(random, game, deals=3, most=40):
        if random.random() > 0.3 or match.standing is not Standing.RUNNING:
            continue
        pack = game.pack(match.table.rules)
        for seat in range(1, match.table.seats + 1):
            for card in random.sample(pack, 6):
                answer = ask(match, seat, (copies(match.table, card)[0],))
                if isinstance(answer, Action):
                    assert answer.seat == seat
                    assert answer.verb in game.verbs
                    check(match, answer)
                    check(seen_from(match, seat), answer)
                elif isinstance(answer, Ask):
                    assert offered(answer)
                else:
                    assert answer is None


# Secrets


def two_tables(random: Random, game: Game, seat: int) -> tuple[Referee, Referee] | None:
    """Two tables that differ in what this seat does not see: the hands of the others, perhaps the stock too.

    None where what the deal brought about is said aloud and differs.
    """
    table = random_table(random, game, tracked=True)
    dealer = random.randint(1, table.seats)
    one = lay(random, table, dealer)
    own = one.hands[seat - 1]
    with_stock = random.random() < 0.5
    hidden = [card for hand in one.hands if hand is not own for card in hand]
    hidden += [card for card in one.stock if with_stock and card not in one.turn_up]
    random.shuffle(hidden)
    hands = tuple(hand if hand is own else tuple(sorted(hidden.pop() for _ in hand)) for hand in one.hands)
    stock = tuple(card if card in one.turn_up or not with_stock else hidden.pop() for card in one.stock)
    two = one._replace(hands=hands, stock=stock)
    knowledge = random.choice(("tracked", "stock"))
    referees = []
    for laid in (one, two):
        referee = Referee(begin(table))
        assert referee.rule(Deal(dealer, told(random, table, laid, knowledge))).refusal is None
        referees.append(referee)
    same = referees[0].match.notices == referees[1].match.notices
    return (referees[0], referees[1]) if same else None


@each_game
@seeds(2, 600)
def test_what_a_seat_is_shown_asked_and_told_does_not_depend_on_what_it_does_not_see(game: Game, seed: int) -> None:
    random = Random(seed)
    seat = random.randint(1, game.seats[0])
    tables = two_tables(random, game, seat)
    if tables is None:
        return
    one, two = tables
    for _ in range(60):
        for viewer in (seat, PUBLIC):
            for block, other in zip(view(one.match, viewer).blocks, view(two.match, viewer).blocks, strict=True):
                assert block == other, record_of(one, begin(one.match.table)) + record_of(two, begin(one.match.table))
        mine, theirs = seen_from(one.match, seat), seen_from(two.match, seat)
        compare_questions(random, one.match, two.match, seat)
        listed = some(mine)
        for action in mutations(random, mine, [action for action in listed if action.seat == seat], 10):
            if action.seat == seat:
                assert check(mine, action) == check(theirs, action), written(mine.table, action)
        tried = [very_action(random, one.match.table, action) for action in some(one.match) for _ in range(2)]
        same = [action for action in tried if check(one.match, action) is check(two.match, action) is None]
        if not same or one.match.standing is not Standing.RUNNING:
            return
        action = pick(random, same)
        one.rule(action)
        two.rule(action)
        if action.seat == seat and own_hand(one.match, seat, seat) != own_hand(two.match, seat, seat):
            return  # the seat has seen what it drew


def very_action(random: Random, table: Table, action: Action) -> Action:
    """The action with each card as one that it may mean: else two tables may take different ones for it."""
    words = [respelled(word, lambda card: random.choice(copies(table, card))) for word in words_of(table, action)]
    found = read(table, action.seat, action.verb, words)
    assert found is not None
    return found


def own_hand(match: Match, seat: int, viewer: int) -> tuple[Hand, ...]:
    return tuple(block for block in view(match, viewer).blocks if isinstance(block, Hand) and block.seat == seat)


def compare_questions(random: Random, one: Match, two: Match, seat: int) -> None:
    """The same questions in the same order, whatever is given."""
    given: tuple[Token, ...] = ()
    for _ in range(12):
        answer = ask(one, seat, given)
        assert answer == ask(two, seat, given)
        if not isinstance(answer, Ask) or not offered(answer):
            return
        given = (*given, random.choice(offered(answer)))


@each_game
@seeds(1, 60)
def test_what_a_seat_may_know_says_nothing_more_when_it_is_cut_again(game: Game, seed: int) -> None:
    random = Random(seed)
    for match in states(random, game, deals=3, most=40):
        for viewer in (PUBLIC, *range(1, match.table.seats + 1)):
            seen = game.seen_from(match.deal, viewer)
            assert game.seen_from(seen, viewer) == seen
            assert game.blocks(seen, viewer) == game.blocks(match.deal, viewer)


@pytest.mark.few(1)
@each_game
@seeds(1, 60)
def test_a_view_shows_every_hand_by_its_number_and_no_other_hand_that_nobody_saw(game: Game, seed: int) -> None:
    """Of another seat's hand only what lay open, was named, or was in the viewer's hand before, or all the rest."""
    random = Random(seed)
    for _ in range(4):
        referee = Referee(begin(random_table(random, game)))
        deal_until_running(random, referee)
        pack = set(game.pack(referee.match.table.rules))
        viewers = (PUBLIC, *range(1, referee.match.table.seats + 1))
        seen = {viewer: turned_up(referee) for viewer in viewers}
        for match in walk(random, referee, most=60):
            director = {block.seat: block for block in view(match, DIRECTOR).blocks if isinstance(block, Hand)}
            for viewer in viewers:
                seen[viewer] |= open_cards(match) | named_aloud(referee)
                hands = {block.seat: block for block in view(match, viewer).blocks if isinstance(block, Hand)}
                assert hands.keys() == director.keys() == set(range(1, match.table.seats + 1))
                for seat, hand in hands.items():
                    whole = director[seat]
                    assert len(hand.cards) + hand.unknown == len(whole.cards) + whole.unknown
                    if seat == viewer:
                        seen[viewer] |= set(hand.cards)
                others = {card for seat, hand in hands.items() if seat != viewer for card in hand.cards}
                assert others - seen[viewer] in (set(), pack - seen[viewer])


def turned_up(referee: Referee) -> set[Card]:
    """What the last deal showed before the first action, jokers that went back into the stock among it."""
    deal = next(entry for entry, _ in reversed(referee.accepted) if isinstance(entry, Deal))
    return {card for card in (*deal.dealt.turn_up, deal.dealt.buried) if card is not None}


def named_aloud(referee: Referee) -> set[Card]:
    """The cards of the last action, where it is one by which a seat says what it holds."""
    action = referee.accepted[-1][0]
    if not isinstance(action, Action) or action.verb not in ("show", "pass"):
        return set()
    named = [card for word in words_of(referee.match.table, action) if (card := card_of(word))]
    return {CARDS[copy] for card in named for copy in COPIES[card]}


def open_cards(match: Match) -> set[Card]:
    """The cards that lie open now: all that the director's view shows but the hands."""
    hands = {card for block in view(match, DIRECTOR).blocks if isinstance(block, Hand) for card in block.cards}
    return set(lying(match).shown) - hands
