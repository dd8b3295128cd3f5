"""What one player wishes, others agree to on their displays; play goes on meanwhile, and one refusal ends it."""

from pathlib import Path
from random import Random

import pytest
from at_table import BIDDEN, LED, all_bots, asked, bare, messages, prompted, seated, standing, take_back

from engine.cards import Card
from engine.match import Standing, to_act
from firmware.entry_words import entry_words
from firmware.reading import shows
from firmware.simulated import SimulatedTable
from hal.events import Button
from hal.sim.named_faults import At, Place


def wish_undo(table: SimulatedTable, place: int) -> None:
    table.hold(place, Button.LEFT)
    table.release(place, Button.LEFT)
    table.choose(place, "undo")


def asking(table: SimulatedTable) -> list[int]:
    """The places that are asked for assent."""
    return [place for place in table.loop.places if prompted(table, place) == "assent"]


def test_the_other_side_is_asked_and_the_partner_is_not(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        wish_undo(table, 1)
        assert asking(table) == [2, 4]
        assert prompted(table, 3) == ""
        before = table.match
        table.choose(4, "agree")
        assert table.match is before
        assert asking(table) == [2]
        table.choose(2, "agree")
        assert to_act(table.match) == (1,)
        assert table.loop.lines[-1] == "1 undo"


def test_who_did_it_is_asked_though_the_partner_wishes_it(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        wish_undo(table, 3)
        assert asking(table) == [1, 2, 4]


def test_one_refusal_ends_it_and_the_asker_is_told_whose(tmp_path: Path) -> None:
    with seated(tmp_path, LED, names=("Ann", "Ben", "Cleo", "Dan")) as table:
        before = standing(table)
        wish_undo(table, 1)
        table.choose(4, "refuse")
        assert asking(table) == []
        assert messages(table, 1) == ["refused-by"]
        assert shows(table.picture(1), "Dan does not agree")
        assert standing(table) == before


@pytest.mark.parametrize("back", [False, True])
def test_the_asker_withdraws_by_choice_or_by_going_back(tmp_path: Path, back: bool) -> None:
    with seated(tmp_path, LED) as table:
        before = standing(table)
        wish_undo(table, 1)
        if back:
            table.hold(1, Button.LEFT)
            table.release(1, Button.LEFT)
        else:
            table.choose(1, "withdraw")
        assert asking(table) == []
        assert standing(table) == before


def test_play_is_not_held_up_and_makes_the_question_void(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        wish_undo(table, 1)
        table.tap(2, Card("AC"))
        assert to_act(table.match) == (3,)
        assert asking(table) == []
        said = [table.loop.seat_view(place).message for place in (1, 4)]
        assert [message.code for message in said if message is not None] == ["assent-void"] * 2
        assert table.loop.seat_view(3).message is None


def test_an_agreement_that_comes_after_play_went_on_takes_nothing_back(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        wish_undo(table, 1)
        table.choose(4, "agree")
        table.tap(2, Card("AC"))
        before = table.match
        table.press(2, Button.OK)
        table.press(4, Button.OK)
        assert table.match is before


def test_who_is_asked_comes_to_the_own_menu_by_holding_back(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        wish_undo(table, 1)
        table.hold(2, Button.LEFT)
        table.release(2, Button.LEFT)
        assert prompted(table, 2) == "menu"
        assert "undo" not in asked(table, 2).choices
        table.choose(2, "go-on")
        assert asking(table) == [2, 4]


def test_the_light_is_on_where_an_answer_is_missing(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        table.tap(2, Card("AC"))  # seat 3 is to act
        wish_undo(table, 2)
        table.wait(1.0)
        assert [table.wires.lit(place) for place in (1, 2, 3, 4)] == [True, False, True, False]


def test_two_wishes_are_not_mixed_up(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        wish_undo(table, 1)
        table.hold(3, Button.LEFT)
        table.release(3, Button.LEFT)
        assert "undo" not in asked(table, 3).choices
        table.choose(3, "director")
        table.choose(3, "void-deal")
        table.choose(3, "no-reason")
        assert messages(table, 3)[-1] == "asked-already"
        assert asking(table) == [2, 4]


@pytest.mark.few(1)
@pytest.mark.parametrize("device", ["display", "buttons"])
def test_who_cannot_answer_leaves_it_open_and_the_asker_is_told(tmp_path: Path, device: str) -> None:
    with seated(tmp_path, LED) as table:
        table.loop._devices.lost[f"seat 4 {device}"] = "test"
        wish_undo(table, 1)
        assert messages(table, 1) == ["assent-lost"]
        table.press(1, Button.OK)
        assert shows(table.picture(1), "No answer: Seat 4")
        table.choose(2, "agree")
        table.wait(30.0)
        assert prompted(table, 1) == "assent-lost"
        del table.loop._devices.lost[f"seat 4 {device}"]
        table.choose(4, "agree")
        assert to_act(table.match) == (1,)


def test_a_display_that_is_pulled_while_it_is_asked_is_told_too(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        wish_undo(table, 1)
        table.faults.begin("unplugged", Place(At.DISPLAY, seat=4))
        table.choose(2, "agree")
        table.tap(3, Card("JD"))  # told at all displays
        table.wait(3.0)
        assert prompted(table, 1) == "assent-lost"


def test_bots_agree(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        bench = all_bots(table)
        del bench.bots[1], bench.bots[2]
        wish_undo(table, 1)
        for _ in range(200):
            bench.step()
        assert asking(table) == [2]


@pytest.mark.long
def test_a_match_with_bots_plays_on_after_undoes(tmp_path: Path) -> None:
    chance = Random(5)
    with seated(tmp_path, seats=2, tracked=False, readers="none", options={"target": 3}) as table:
        bench = all_bots(table, seed=1)
        for _ in range(6):
            for _ in range(chance.randint(50, 300)):
                bench.step()
            if table.loop.undoing(1).entry is not None and not table.loop.over and asking(table) == []:
                bot = bench.bots.pop(1)
                table.wait(1.0)
                table.hold(1, Button.LEFT)
                table.release(1, Button.LEFT)
                if prompted(table, 1) == "menu":  # else what was begun there is withdrawn
                    table.choose(1, "undo" if "undo" in asked(table, 1).choices else "go-on")
                bench.bots[1] = bot
        bench.play_until(lambda: table.loop.over)
        assert any(line.endswith("undo") for line in table.loop.lines)


@pytest.mark.long
def test_undoes_go_back_from_a_won_match_to_before_the_first_deal(tmp_path: Path) -> None:
    with seated(tmp_path, seats=2, tracked=False, readers="none", options={"target": 2}) as table:
        all_bots(table, seed=2).play_until(lambda: table.loop.over)
        table.wait(9.0)
        for _ in range(200):
            if table.match.standing is Standing.BEFORE:
                break
            before = bare(table.match)
            take_back(table, 1)
            assert bare(table.match) != before
        assert table.match.standing is Standing.BEFORE
        assert table.match.deal is None
        table.hold(1, Button.LEFT)
        table.release(1, Button.LEFT)
        assert "undo" not in asked(table, 1).choices


def test_a_card_is_named_only_where_all_have_seen_it(tmp_path: Path) -> None:
    with seated(tmp_path, BIDDEN) as table:
        table.tap(1, Card("9C"))
        entry = table.loop.undoing(1).entry
        assert entry is not None
        assert entry_words(table.loop, entry) == "Seat 1: 9♣"
