"""What was said of cards that nobody saw, taken back: the record of a table with buttons is legal line by line."""

from itertools import islice
from random import Random

import pytest
from every_game import (
    GAMES,
    entry_lines,
    pick,
    random_deal,
    random_table,
    read,
    respelled,
    seeds,
    very,
    words_of,
)

from engine.answers import check_record
from engine.corrections import entered
from engine.entries import Entry, Undo
from engine.game import Game, games
from engine.match import Match, Standing, Table, begin, check_action, lay_table, legal, seen_from, to_act
from engine.notation import entry_text, parse_cards, parse_entry
from engine.notation import words_of as words
from engine.record import header_lines, read_record
from engine.referee import Referee
from engine.values import Action
from engine.view import DIRECTOR, Hand


class ByButtons:
    """A table without a reader: each action is judged on what its seat may know, and the record is written as it goes.

    `corrected` counts the actions before which something had to be taken back.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.referee = Referee(begin(table))
        self.lines = header_lines(table)
        self.corrected = 0

    @property
    def match(self) -> Match:
        return self.referee.match

    def take(self, *entries: Entry) -> None:
        for entry in entries:
            self.referee.accept(entry)
            self.lines += entry_lines(self.table, entry)

    def act(self, action: Action) -> bool:
        """Accept an action; whether entries were found that the record can have."""
        assert check_action(seen_from(self.match, action.seat), action) is None
        count, steps = len(self.referee.accepted), entered(self.referee, action)
        if steps is None:
            return False
        self.corrected += len(steps) > 1
        self.take(*steps)
        assert self.referee.accepted[-1][0] == action
        assert len(self.referee.accepted) > count
        return True

    def assert_the_record_is_legal(self) -> None:
        referee, answers = check_record(read_record("\n".join(self.lines) + "\n"))
        assert [answer for answer in answers if answer.ruling.refusal is not None] == []
        assert referee.match._replace(notices=()) == self.match._replace(notices=())


def erring(random: Random, match: Match) -> Action | None:
    """Anything that a seat to act may enter: it names what it drew and buried at random."""
    seat = random.choice(to_act(match))
    own = (action for action in islice(legal(seen_from(match, seat)), 4_000) if action.seat == seat)
    actions = list(islice(own, 300))
    named = [action for action in actions if match.table.game.unnamed(match.deal, action)]
    if named and random.random() < 0.6:
        return random.choice(named)
    return pick(random, actions) if actions else None


def of_readers(random: Random, match: Match, action: Action) -> Action:
    """The same action with each card as the very one, as readers tell it, if its seat may do that."""
    words = [respelled(word, lambda card: very(match.table, card)) for word in words_of(match.table, action)]
    exact = read(match.table, action.seat, action.verb, words)
    return exact if exact and check_action(seen_from(match, action.seat), exact) is None else action


def play(random: Random, game: Game, most: int) -> ByButtons:
    """A deal of which the table knows all hands, some cards or nothing, and of no table's stock the order; played, and
    now and then taken back, by players who err.
    """
    table = ByButtons(random_table(random, game))
    deal = random_deal(
        random, table.table, random.randint(1, table.table.seats), random.choice(("partly", "concealed"))
    )
    table.take(deal._replace(dealt=deal.dealt._replace(stock=None)))
    for _ in range(most):
        action = erring(random, table.match) if table.match.standing is Standing.RUNNING else None
        if action is None:
            break
        if random.random() < 0.1:
            action = of_readers(random, table.match, action)
        assert table.act(action), "\n".join([*table.lines, entry_text(table.table, action)])
        while table.referee.accepted and random.random() < 0.1:
            table.take(Undo(action.seat))
    return table


@pytest.mark.few(3)
@pytest.mark.parametrize("game", GAMES, ids=[game.name for game in GAMES])
@seeds(2, 600)
def test_whatever_players_err_about_the_record_of_their_table_is_legal(game: Game, seed: int) -> None:
    random = Random(seed)
    tables = [play(random, game, most=60) for _ in range(8)]
    for table in tables:
        table.assert_the_record_is_legal()
    if seed == 0 and game.name in ("possession", "vazhushal"):  # where cards are drawn and buried
        assert any(table.corrected for table in tables)


# One mistake each


def at_table(game: str, *lines: str, deal: str, seats: int = 2, tracked: bool = False, **options: object) -> ByButtons:
    """A table of this game whose cards were dealt so, and what was entered there by buttons."""
    heading = "\n".join(header_lines(lay_table(games()[game], seats, "standard", tracked, options)))  # type: ignore[arg-type]
    record = read_record(f"{heading}\n\n{deal}\n")
    table = ByButtons(record.table)
    table.take(*[line.entry for line in record.lines if line.entry is not None])
    for line in lines:
        assert press(table, line), line
    return table


def press(table: ByButtons, line: str) -> bool:
    action = parse_entry(table.table, line, 1)
    assert isinstance(action, Action)
    return table.act(action)


def known(table: ByButtons, seat: int, viewer: int = DIRECTOR) -> str:
    blocks = table.table.game.blocks(table.match.deal, viewer)
    return " ".join(map(str, next(block for block in blocks if isinstance(block, Hand) and block.seat == seat).cards))


VAZHUSHAL = "deal 1\nturn-up: 2H"


def test_a_card_that_another_seat_said_it_buried_is_shown() -> None:
    table = at_table("vazhushal", "1 exchange AS", "1 discard 3C", "2 exchange", "2 discard AS", deal=VAZHUSHAL)
    assert table.lines[-8:] == [
        "2 exchange", "director undo", "director undo", "director undo",
        "1 exchange", "1 discard 3C", "2 exchange", "2 discard AS",
    ]  # fmt: skip
    table.assert_the_record_is_legal()


def test_a_card_that_another_seat_said_it_drew_is_shown() -> None:
    table = at_table("vazhushal", "1 exchange AS KS", "1 discard 3C", "2 exchange", deal=VAZHUSHAL)
    assert known(table, 1) == "KS"
    assert press(table, "2 discard KS")
    assert table.lines[-4:] == ["1 exchange AS", "1 discard 3C", "2 exchange", "2 discard KS"]
    assert known(table, 1) == ""
    table.assert_the_record_is_legal()


def test_what_the_seat_itself_said_of_its_cards_stays() -> None:
    table = at_table(
        "vazhushal", "1 exchange AS KS", "1 discard 3C", "2 exchange KD QD", "2 discard KS", deal=VAZHUSHAL
    )
    assert table.lines[-4:] == ["1 exchange AS", "1 discard 3C", "2 exchange KD QD", "2 discard KS"]
    assert known(table, 2) == "QD"


def test_taking_back_goes_on_as_if_the_mistake_had_not_been_made() -> None:
    table = at_table("vazhushal", "1 exchange AS", "1 discard 3C", "2 exchange", "2 discard AS", deal=VAZHUSHAL)
    assert [entry for entry, _ in table.referee.accepted[1:]] == [
        parse_entry(table.table, line, 1) for line in ("1 exchange", "1 discard 3C", "2 exchange", "2 discard AS")
    ]
    table.take(Undo(2), Undo(2))
    assert to_act(table.match) == (2,)
    table.assert_the_record_is_legal()


def test_a_draw_that_a_later_card_disproves() -> None:
    deal = "deal 1\nturn-up: 8C\n2 show 7S\n1 show 9D"
    table = at_table("possession", "2 draw 9C", deal=deal)
    assert press(table, "1 play 9C")
    assert table.lines[-3:] == ["director undo", "2 draw", "1 play 9C"]
    table.assert_the_record_is_legal()


def test_a_drawn_card_that_could_not_be_played_at_once_is_declined_where_it_is_not_named() -> None:
    deal = "deal 1\nturn-up: 8C\n2 show 7S\n1 show 9D"
    table = at_table("possession", "2 draw 2S", "1 draw 2S", deal=deal, play_drawn_card=True)
    assert table.lines[-4:] == ["director undo", "2 draw", "2 pass", "1 draw 2S"]
    table.assert_the_record_is_legal()


def test_a_card_that_was_dealt_to_another_seat_by_all_that_is_known() -> None:
    """Where hands are tracked: the pad was mistaken about it, or somebody picked a wrong card."""
    one, two = "4D JD QD 7H 6H 9S 9C QC AD", "5C KC 3D QS AH 2S 10D 10S 7C"
    deal = f"deal 2\nturn-up: 8H\nhand 1: {one}\nhand 2: {two}"
    lines = ("1 play 7H", "2 draw", "1 draw", "2 play 6H")
    table = at_table("possession", *lines, deal=deal, tracked=True, voluntary_draw=True)
    assert table.lines[-5:] == [f"director hand 1: {one.replace('6H', '??')}", *lines]
    table.assert_the_record_is_legal()


def test_nothing_is_taken_back_for_an_action_that_is_legal_anyhow() -> None:
    table = at_table("vazhushal", "1 exchange AS", "1 discard 3C", "2 exchange KS", deal=VAZHUSHAL)
    action = Action(2, "discard", parse_cards(table.table, words("4C"), 1)[0])
    assert entered(table.referee, action) == (action,)
    assert table.corrected == 0


def test_an_action_that_the_own_words_forbid_is_not_made_legal() -> None:
    table = at_table("vazhushal", "1 exchange AS KS", deal=VAZHUSHAL)
    assert entered(table.referee, Action(1, "discard", parse_cards(table.table, words("AS"), 1)[0])) is None


# Where saying less is not enough


def test_a_card_that_everybody_saw_another_seat_take_and_that_it_may_have_buried() -> None:
    """By all that was seen it lies in that hand or under the stock: the director's line says that it does not."""
    taken = ("1 exchange", "1 discard 9H", "2 exchange", "2 discard KD", "1 take 5H", "1 meld 5H 5D 5S", "1 discard KD")
    lines = (*taken, "2 exchange", "2 discard 7C", "1 exchange", "1 discard QS", "2 exchange")
    table = at_table("vazhushal", *lines, deal="deal 1\nturn-up: 5H")
    before = table.match
    assert press(table, "2 discard 9H")
    assert table.lines[-3:] == ["2 exchange", f"director hand 1: {' '.join(['??'] * 10)}", "2 discard 9H"]
    table.assert_the_record_is_legal()
    table.take(Undo(2), Undo(2))
    assert table.match == before._replace(notices=())


def test_the_least_that_explains_it_is_said_about_hands() -> None:
    """Of the other hands and cards the table knows what it knew."""
    taken = ("1 exchange", "1 discard 9H", "2 exchange", "2 discard KD", "3 exchange 2S 3S", "3 discard 4S")
    lines = (*taken, "1 take 5H", "1 meld 5H 5D 5S", "1 discard KD", "2 exchange", "2 discard 7C", "3 exchange 3S 6S")
    then = ("3 discard 8S", "1 exchange QS 2D", "1 discard QC", "2 exchange")
    table = at_table("vazhushal", *lines, *then, deal="deal 1\nturn-up: 5H", seats=3)
    assert press(table, "2 discard 9H'1")
    assert [line for line in table.lines if line.startswith("director hand")] == [
        "director hand 1: 2D'1 ?? 4S'1" + " ??" * 8
    ]
    assert known(table, 3) == "6S"
    table.assert_the_record_is_legal()


def test_an_equal_card_in_a_meld_was_the_other_one() -> None:
    """Seat 1 did not bury the 4C of the first pack; told without that, seat 2 has still melded the other one."""
    lines = ("1 exchange 4C", "1 discard KD", "2 exchange", "2 meld 3C 4C 5C", "2 discard KH", "3 exchange")
    table = at_table("vazhushal", *lines, deal=VAZHUSHAL, seats=3)
    assert press(table, "3 discard 4C'1")
    told = ["1 exchange", "1 discard KD'1", "2 exchange", "2 meld 3C'1 4C'2 5C'1", "2 discard KH'1", "3 exchange"]
    assert table.lines[-7:] == [*told, "3 discard 4C'1"]
    table.assert_the_record_is_legal()


def test_an_equal_card_that_the_seat_itself_buried_was_the_other_one() -> None:
    """So it is where what seat 1 buried was not the one of the first pack."""
    lines = ("1 exchange 4C", "1 discard KD", "2 exchange", "2 discard KH", "3 exchange 4C", "3 discard KS")
    table = at_table("vazhushal", *lines, "1 exchange", "1 discard QD", "2 exchange", "2 discard QH", "3 exchange",
                     deal=VAZHUSHAL, seats=3)  # fmt: skip
    assert press(table, "3 discard 4C'1")
    assert "3 exchange 4C'2" in table.lines[-9:]
    table.assert_the_record_is_legal()
