"""What a display of 32 rows shows: less of everything, but whole, and enough to act by."""

from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from at_table import HANDS as DEALT_HANDS
from contact_sheet import EIGHT, HANDS, MENU, NAMES, Play, Scene, message_scenes, scenes
from lying_cards import RULE_SETS
from test_pile_screens import scenes_of, watched

from engine import entries
from engine.cards import UNKNOWN, Card, parse_card
from engine.game import games
from engine.match import to_act
from firmware.desk import NEXT_MATCH
from firmware.furnish import furnish
from firmware.low_screens import ROWS, draw_low
from firmware.reading import shows
from firmware.seatview import DealingView, SeatView
from firmware.simulated import SimulatedTable
from firmware.words import LANGUAGES, Length, Words
from hal.panels import Controller

PEPPER = [*message_scenes(), *(scene for scene in scenes() if NAMES[0] not in scene.seen.names)]
IDS = [f"{number}-{scene.title}" for number, scene in enumerate(PEPPER)]


@cache
def words(game: str = "pepper", language: str = "en") -> Words:
    return Words(games()[game], language)


def shown(seen: SeatView, *texts: str) -> bool:
    """Whether all of these texts can be read."""
    picture = draw_low(seen, words())
    return all(shows(picture, text) for text in texts)


def check_drawing(scene: Scene, spoken: Words) -> None:
    """Nothing is cut but names, nothing leaves the display, nothing runs into another."""
    with watched() as drawn:
        picture = draw_low(scene.seen, spoken)
    assert picture.size == (128, ROWS)
    assert picture.getbbox() is not None
    names = tuple(name for name in scene.seen.names if name)
    assert [text for text in drawn.cut if not any(name in text for name in names)] == []
    assert drawn.past_edge == []
    for (_, one), (_, other) in combinations(drawn.boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (scene.title, one, other)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", PEPPER, ids=IDS)
def test_nothing_is_cut_and_nothing_runs_into_another(scene: Scene, language: str) -> None:
    check_drawing(scene, words("pepper", language))


@pytest.mark.few(4)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "rules"), RULE_SETS)
def test_nor_in_games_with_piles(game: str, rules: str, language: str) -> None:
    for scene in scenes_of(game, rules, 3, True, seed=3, most=24, every=8):
        check_drawing(scene, words(game, language))


@pytest.mark.parametrize("scene", list(message_scenes()), ids=lambda scene: scene.title)
def test_a_message_is_there_short_and_in_full(scene: Scene) -> None:
    assert scene.seen.message is not None
    for length in (Length.OLED, Length.LINE):
        said = words().among(NAMES, ((1, 3), (2, 4)))
        assert shown(scene.seen, said.message(scene.seen.message, length))


def test_the_question_stands_under_what_can_be_picked() -> None:
    play = Play(names=NAMES).deal(4, *HANDS).act("4", "pass", "pass", "pass")
    assert shown(play.seen(1, cursor=0), "♣", "♦", "♥", "♠", "no tr.", "Name trump")


def test_a_long_list_of_bids_leaves_the_question_its_line() -> None:
    play = Play(3, "bowers").deal(3, *EIGHT)
    assert shown(play.seen(1), "1", "7", "Your bid?")
    assert shown(play.seen(1, cursor=9), "little", "big", "pass", "Your bid?")


def test_a_running_trick_is_seen_with_who_acts_and_the_contract() -> None:
    play = Play(names=NAMES).deal(4, *HANDS).act("4", "pass", "pass", "pass", "S", "9C", "AC")
    assert shown(play.seen(1), "9♣", "A♣", "Cleo to act", "Ann: 4 ♠")
    assert shown(play.seen(3), "9♣", "A♣", "Play a card", "Ann: 4 ♠")


def test_before_the_lead_the_score_is_there() -> None:
    play = Play(names=NAMES).deal(4, *HANDS).act("4", "pass", "pass", "pass", "S")
    assert shown(play.seen(2), "Ann to act", "Ann: 4 ♠", "0:0")


def test_the_own_hand_shows_while_peeking_and_nowhere_else() -> None:
    hidden = Play(4, "standard", NAMES, tracked=False).deal(4)
    hidden.enter(entries.SetHand(2, (*map(parse_card, ("AC", "10D", "KH")), UNKNOWN, UNKNOWN, UNKNOWN)))
    assert shown(hidden.seen(2, peeking=True), "A♣", "10♦", "K♥", "+3 not seen")
    assert not shown(hidden.seen(2), "A♣")
    whole = Play().deal(4, *HANDS)
    pictures = [draw_low(whole.seen(1, peeking=peeking), words()) for peeking in (True, False)]
    assert pictures[0].tobytes() != pictures[1].tobytes()


def test_the_end_of_a_match_has_its_scores() -> None:
    play = Play(names=NAMES).enter(entries.SetScore(1, 31), entries.SetScore(2, -12))
    assert shown(play.seen(1, question=NEXT_MATCH), "You win!", "31:-12", "a new match")


def test_the_menu_names_itself() -> None:
    assert shown(Play().deal(4, *HANDS).seen(1, sheet=MENU, cursor=0), "undo", "go on", "Menu")


def test_the_next_card_of_a_deal_names_its_seat() -> None:
    dealing = DealingView(4, 3, (4, 4, 3, 3), 6, begun=True)
    assert shown(Play().seen(4, dealing=dealing), "to seat 3", "read 3 of 6")
    assert shown(Play().seen(3, dealing=dealing), "to you")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("controller", "size"),
    [(Controller.SSD1306, "128x32"), (Controller.SH1106, "128x64"), (Controller.SH1106, "128x32")],
)
def test_a_table_with_any_kind_of_display_shows_its_screens(
    tmp_path: Path, controller: Controller, size: Literal["128x64", "128x32"]
) -> None:
    file = furnish("pepper", 4, dealer=4)
    replace = msgspec.structs.replace
    seats = tuple(
        replace(seat, display=replace(seat.display, controller=controller, size=size))
        for seat in file.wiring.seats
        if seat.display is not None
    )
    with SimulatedTable(file._replace(wiring=replace(file.wiring, seats=seats)), tmp_path / "journal.db") as table:
        table.deal([[Card(name) for name in hand.split()] for hand in DEALT_HANDS])
        assert to_act(table.match) == (1,)
        assert shows(table.picture(1), "4")
        assert shows(table.picture(2), "Seat 1 to act")
        table.choose(1, "4")
        table.choose(2, "pass")
        assert shows(table.picture(1), "Seat 3 to act")
        assert all(glass.complaints == [] for glass in table.wires.glasses.values())
    assert all(table.picture(seat).getbbox() is None for seat in (1, 2, 3, 4))
