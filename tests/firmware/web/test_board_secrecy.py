"""Law 6 at the board: what everybody sees is made of the public view alone, in every game."""

import json
from pathlib import Path
from random import Random

import pytest
from board_tables import Kept, watched
from lying_cards import deal_of
from test_secrecy import other_world, random_play
from test_secrecy_of_piles import World, two_worlds

from engine.answers import check_record
from engine.cards import Card
from engine.game import Dealt, games
from engine.match import Match, Table, begin, lay_table, view
from engine.record import read_record
from engine.referee import Referee
from engine.values import Action
from engine.view import PUBLIC
from firmware.setups import everybody
from firmware.ways import Way
from firmware.web.saying import as_json, saying_of
from firmware.web.steps import Steps
from firmware.web.table_values import Stand, table_values
from firmware.web_part import Reveal

RECORDS = Path(__file__).parents[2] / "records"


def published(match: Match) -> str:
    """The table as it is published in this state."""
    stand = Stand(match, 1, 1, everybody(match.table, (), 1, Way.PAD), True, False, None)
    saying = saying_of(match.table.game.name)
    return as_json(table_values(stand, view(match, PUBLIC), saying, "", Reveal.NEVER))


def all_published(table: Table, deal: object, done: tuple[Action, ...]) -> list[str]:
    """What is published after each entry, and the history then."""
    referee, steps = Referee(begin(table)), Steps(saying_of(table.game.name))
    told = []
    for entry in (deal, *done):
        assert referee.rule(entry).refusal is None  # type: ignore[arg-type]
        steps.take(referee, view(referee.match, PUBLIC))
        told += [published(referee.match), *steps.told]
    return told


@pytest.mark.parametrize("kind", [("possession", "melds"), ("vazhushal", "standard")], ids="-".join)
def test_two_worlds_that_differ_in_hidden_cards_are_published_alike(kind: tuple[str, str]) -> None:
    _, world, other = two_worlds(kind, 1, most=12)
    game, rules = kind

    def told(one: World) -> list[str]:
        table = lay_table(games()[game], len(one.lying.hands), rules)
        return all_published(table, deal_of(table, 1, one.lying), one.done)

    assert world.lying.hands != other.lying.hands
    assert told(world) == told(other)


@pytest.mark.parametrize("seed", [5, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(1, 5))])
def test_two_deals_with_the_same_play_are_published_alike(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)
    table = lay_table(games()["pepper"], 4)
    cards = sorted(table.game.pack(table.rules))
    chance.shuffle(cards)
    dealt, done = random_play(chance, table, cards)
    mixed = other_world(chance, table, 1, dealt, done)
    one, other = (at_the_table(tmp_path / name, dealt_so, done) for name, dealt_so in (("one", dealt), ("two", mixed)))
    assert one == other
    assert len(one) > len(done)


def at_the_table(folder: Path, dealt: Dealt, done: list[Action]) -> list[tuple[str, str]]:
    """All that a table publishes while this is dealt and played there."""
    folder.mkdir()
    feed: Kept
    with watched(folder) as (table, feed):
        table.deal([list(hand or ()) for hand in dealt.hands])
        for action in done:
            word = table.file.table.game.text(action).split()[-1]
            if action.verb == "play":
                table.tap(action.seat, Card(word))
            else:
                table.choose(action.seat, word)
    return feed.published


@pytest.mark.few(1)
@pytest.mark.parametrize("game", sorted(games()))
def test_a_state_with_all_that_is_hidden_taken_out_is_published_alike(game: str) -> None:
    """Whatever a record has led to: nothing is told that the public view does not hold."""
    compared = 0
    for path in sorted((RECORDS / game).glob("*.ctr"))[::7]:
        try:
            record = read_record(path.read_text(encoding="utf-8"))
        except ValueError:
            continue
        referee, answers = check_record(record)
        for _ in answers:
            match = referee.match
            if match.deal is None:
                continue
            bare = match._replace(deal=match.table.game.seen_from(match.deal, PUBLIC))
            assert json.loads(published(bare)) == json.loads(published(match)), path.name
            compared += 1
    assert compared > 50
