"""One line for what was ruled, for a terminal and a log: nothing of hands, everything of the ruling."""

import pytest
from contact_sheet import HANDS, Play

from engine import entries
from engine.cards import parse_card
from engine.game import Dealt, games
from engine.referee import Ruling
from engine.values import Action, Refusal
from firmware.desk import Heard
from firmware.seatview import TableText
from firmware.telling import device_line, heard_line, score_line
from firmware.wiring_words import WiringWords
from firmware.words import Words
from hal.events import Button, ButtonStuck, DeviceBack, DeviceLost, Event, ReaderStalled, TagConflict, TagPlaced

ENGLISH, RUSSIAN = Words(games()["pepper"]), Words(games()["pepper"], "ru")


def told(play: Play, heard: Heard, words: Words = ENGLISH) -> str:
    return heard_line(play.match.table, words, heard)


def test_an_accepted_action_and_what_it_brought_about() -> None:
    play = Play().deal(4, *HANDS).act("4", "pass", "pass", "pass")
    ruling = Ruling(Action(4, "pass"), None, play.match.notices)
    assert told(play, Heard(4, ruling, None)) == "4 pass  ✓  Seat 1 plays 4"
    assert told(play, Heard(4, ruling, None), RUSSIAN) == "4 pass  ✓  Место 1 играет 4"


def test_a_refused_action_with_its_code_and_the_words() -> None:
    play = Play().deal(4, *HANDS)
    card = parse_card("AH")
    refusal = Refusal("must-follow-suit", "5", (("card", card), ("suit", "C")))
    line = told(play, Heard(2, Ruling(Action(2, "play", card), refusal), None))
    assert line == "2 play AH  ✗ must-follow-suit: Take A♥ back, follow ♣"


def test_a_deal_is_told_without_its_cards() -> None:
    play = Play()
    dealt = Dealt(tuple(tuple(map(parse_card, hand.split())) for hand in HANDS))
    line = told(play, Heard(4, Ruling(entries.Deal(4, dealt), None), None))
    assert line == "deal 4  ✓"


def test_a_message_to_a_seat() -> None:
    assert told(Play(), Heard(3, None, TableText("unknown-tag", bad=True))).startswith("3  (Not of this deck")


def test_the_score_of_a_running_match_has_no_winner() -> None:
    assert score_line(Play().match, ENGLISH) == "Sides 1+3 : 2+4: 0 : 0 after 0 deals; winner: –"


def test_the_score_of_a_match_that_is_won() -> None:
    match = Play(2).enter(entries.SetScore(2, 31)).match
    assert score_line(match, ENGLISH) == "Sides 1 : 2: 0 : 31 after 0 deals; winner: 2"
    assert score_line(match, RUSSIAN) == "Стороны 1 : 2: 0 : 31, сдач 0; победа: 2"


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            DeviceLost("seat 2 reader", "[Errno 5] Input/output error", 1.0),
            "seat 2 reader lost: [Errno 5] Input/output error",
        ),
        (ButtonStuck("seat 2 left button", "held down", 1.0, 2, Button.LEFT), "seat 2 ◀ button stuck: it stays down"),
        (DeviceLost("dealing reader", "gone", 1.0), "dealing pad lost: gone"),
        (DeviceBack("seat 2 reader", 1.0), "seat 2 reader back"),
        (ReaderStalled("seat 2 reader", "no answer", 1.0), "seat 2 reader stalled, started anew: no answer"),
        (TagConflict(("a reader", "b reader"), "04A1B2C3", 1.0), "a reader and b reader see the same card"),
        (TagPlaced("seat 2 reader", "04A1B2C3", 1.0), None),
    ],
)
def test_a_device_that_changes_its_state_is_worth_a_line_and_a_card_is_not(event: Event, line: str | None) -> None:
    assert device_line(event) == line


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (DeviceLost("seat 1 reader", "gone", 1.0), "считыватель места 1: потеряно, gone"),
        (DeviceBack("dealing reader", 1.0), "площадка для сдачи: снова на связи"),
        (DeviceBack("seat 2 ok button", 1.0), "кнопка OK места 2: снова на связи"),
        (
            TagConflict(("seat 1 reader", "centre reader"), "", 1.0),
            "считыватель места 1 и общий считыватель видят одну карту",
        ),
    ],
)
def test_a_log_names_devices_in_the_language_of_the_table(event: Event, line: str) -> None:
    assert device_line(event, WiringWords("ru")) == line


@pytest.mark.parametrize(
    "why",
    [
        "one UID twice: 04A1B2C3D4E5F6",
        "damaged frame: data d54b010100440007 04a1b2c3d4e5f6",
        "list: 02 01 00 04 04 a1 b2 c3",
    ],
)
def test_no_line_names_a_tag_for_its_card_may_be_hidden(why: str) -> None:
    line = device_line(DeviceLost("seat 2 reader", why, 1.0))
    assert line is not None
    assert "a1" not in line.lower()
    assert "…" in line
