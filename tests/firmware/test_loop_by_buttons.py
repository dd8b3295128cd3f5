"""Everything that the engine lists as legal can be entered: a card by a tap, and all of it by buttons alone."""

from pathlib import Path
from random import Random

import pytest
from at_table import BIDDEN, Order, all_bots, asked, bare, journal_rows, seated, take_back
from lying_cards import EVERY_RULE_SET, by_verb, played, some, table_of

from engine.asks import Token
from engine.game import games
from engine.match import Match, Standing, act, lay_table, legal, to_act
from engine.notation import entry_text
from engine.values import Action
from firmware.narrowing import PRESSES
from firmware.seatview import verbs_of
from firmware.simulated import SimulatedTable
from hal.events import Button


def items(table: SimulatedTable, seat: int) -> tuple[Token, ...]:
    """What a seat can pick now, in one step or in several."""
    return (*verbs_of(asked(table, seat)), *table.loop.seat_view(seat).offered)


def token(table: SimulatedTable, action: Action) -> Token:
    """What a seat gives for an action of Pepper: the call, the trump, or the card."""
    text = table.file.table.game.text(action).split()[-1]
    return next(item for item in items(table, action.seat) if str(item) == text)


def offered(table: SimulatedTable) -> set[str]:
    """What the seat that is to act is offered."""
    return {str(item) for item in items(table, to_act(table.match)[0])}


@pytest.mark.few(1)
@pytest.mark.parametrize("settings", [
    {"seats": 2, "tracked": False, "readers": "none"},
    {"seats": 3, "tracked": False, "readers": "none", "rules": "bowers"},
    {"seats": 4, "tracked": False, "readers": "none", "rules": "bowers"},
])  # fmt: skip
def test_every_legal_action_of_a_deal_is_offered_and_entered_by_buttons_alone(tmp_path: Path, settings: Order) -> None:
    chance = Random(7)
    with seated(tmp_path, **settings) as table:
        table.choose(table.file.table.seats, "dealt")
        while table.match.standing is Standing.RUNNING:
            actions = list(legal(table.match))
            assert offered(table) == {table.file.table.game.text(action).split()[-1] for action in actions}
            action = chance.choice(actions)
            expected = act(table.match, action)
            assert isinstance(expected, Match)
            table.choose(action.seat, token(table, action))
            assert bare(table.match) == bare(expected)
            assert journal_rows(table.journal_file)[-1][1] == entry_text(table.file.table, action)


@pytest.mark.long
def test_each_of_the_legal_cards_can_be_entered_by_a_tap_and_by_buttons(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        for action in list(legal(table.match)):
            for by_tap in (True, False):
                card = token(table, action)
                if by_tap:
                    table.tap(1, card)
                else:
                    table.choose(1, card)
                assert journal_rows(table.journal_file)[-1][1] == entry_text(table.file.table, action)
                take_back(table, 1)


@pytest.mark.few(1)
@pytest.mark.parametrize(("game", "rules"), EVERY_RULE_SET)
def test_at_a_table_without_readers_each_thing_given_takes_at_most_eight_presses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, rules: str
) -> None:
    pressed: list[Button] = []
    chance, seats = Random(3), min(games()[game].seats)
    referee = played(chance, lay_table(games()[game], seats, rules, tracked=False), 1, 8)
    with table_of(tmp_path, game, seats, referee, rules=rules, tracked=False, readers="none") as table:
        press = table.wires.press

        def counted(seat: int, button: Button, now: float) -> None:
            pressed.append(button)
            press(seat, button, now)

        monkeypatch.setattr(table.wires, "press", counted)
        most, given = 0, 0
        while table.match.standing is Standing.RUNNING and given < 20:
            action = by_verb(chance, some(table.match, 60))
            for token in table.file.table.game.tokens(table.match.deal, action):
                pressed.clear()
                table.choose(action.seat, token)
                most, given = max(most, len(pressed)), given + 1
        assert 0 < most <= PRESSES


MATCHES = {"possession": {"losing_score": 1}, "vazhushal": {"wins": 1}}


@pytest.mark.long
@pytest.mark.parametrize("game", ["possession", "vazhushal"])
def test_a_match_of_any_game_is_played_by_buttons_alone(tmp_path: Path, game: str) -> None:
    with table_of(tmp_path, game, 2, tracked=False, readers="none", options=MATCHES[game]) as table:
        all_bots(table, seed=2).play_until(lambda: table.loop.over)
        assert table.match.winners


@pytest.mark.few(1)
@pytest.mark.parametrize("seats", [2, 3])
def test_a_table_without_readers_plays_a_whole_match(tmp_path: Path, seats: int) -> None:
    with seated(tmp_path, seats=seats, tracked=False, readers="none", options={"target": 2}) as table:
        all_bots(table, seed=seats).play_until(lambda: table.loop.over)
        assert table.match.winners


@pytest.mark.long
def test_a_table_with_one_reader_in_the_middle_plays_a_whole_match(tmp_path: Path) -> None:
    with seated(tmp_path, readers="centre", options={"target": 2}) as table:
        all_bots(table, mistakes=0.1).play_until(lambda: table.loop.over)
        assert table.match.winners
