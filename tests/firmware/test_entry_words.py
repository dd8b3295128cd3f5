"""What was entered is told to everybody in a few words: no card is named that anybody has not seen by it."""

import re
from random import Random

import pytest
from lying_cards import EVERY_RULE_SET, by_verb, deal_of, lay, some

from engine.cards import PLAIN, Card
from engine.game import games
from engine.match import begin, lay_table, view
from engine.pieces import piece_card
from engine.referee import Referee
from engine.values import Action
from engine.view import PUBLIC, Melds
from firmware.entry_words import action_words
from firmware.words import Words

HIDDEN = ("draw", "exchange", "bid", "pass", "trump")
"""Verbs that lay no card open."""


@pytest.mark.few(2)
@pytest.mark.parametrize(("game", "rules"), EVERY_RULE_SET)
@pytest.mark.parametrize("tracked", [True, False])
def test_a_card_that_was_drawn_or_buried_is_not_named(game: str, rules: str, tracked: bool) -> None:
    chance, words = Random(f"{game} {rules}"), Words(games()[game])
    table = lay_table(games()[game], 4, rules, tracked)
    told = set()
    for _ in range(5):
        referee = Referee(begin(table))
        referee.rule(deal_of(table, 1, lay(chance, table, 1)))
        for _ in range(60):
            actions = some(referee.match, 60)
            if not actions:
                break
            before, action = referee.match, by_verb(chance, actions)
            assert referee.rule(action).refusal is None
            named = cards_in(action_words(words, before, referee.match, action))
            if action.verb in HIDDEN:
                assert named == []
            assert set(named) <= open_faces(view(referee.match, PUBLIC).blocks)
            if named:
                told.add(action.verb)
    assert told & {"play", "discard"}


def cards_in(text: str) -> list[int]:
    """The faces of the cards that a text names."""
    suits = str.maketrans("♣♦♥♠", "CDHS")
    found = re.findall(r"(?<!\S)((?:10|[2-9AJQK])[♣♦♥♠])", text)
    return [PLAIN[Card(card.translate(suits))] for card in found]


def open_faces(value: object) -> set[int]:
    """All cards in a view, whether in a block or in a meld's numbers."""
    if isinstance(value, Melds):
        return {PLAIN[piece_card(piece)] for meld in value.melds for piece in meld}
    if isinstance(value, tuple):
        return {face for part in value for face in open_faces(part)}
    return {PLAIN[value]} if isinstance(value, int) and 0 <= value < len(PLAIN) else set()


@pytest.mark.long
def test_an_equal_card_that_lies_open_does_not_give_a_drawn_one_away() -> None:
    """Of two packs: the 9D that was drawn has no name, though another 9D lies in the line."""
    table = lay_table(games()["vazhushal"], 3, "wipe", tracked=True)
    chance, words, seen = Random(9), Words(table.game), 0
    for _ in range(60):
        referee = Referee(begin(table))
        referee.rule(deal_of(table, 1, lay(chance, table, 1)))
        for _ in range(40):
            actions = some(referee.match, 40)
            if not actions:
                break
            before, action = referee.match, by_verb(chance, actions)
            referee.rule(action)
            if action.verb == "draw" and isinstance(action.argument, int):
                lies_open = PLAIN[action.argument] in open_faces(view(before, PUBLIC).blocks)
                seen += lies_open
                assert cards_in(action_words(words, before, referee.match, Action(*action))) == []
    assert seen
