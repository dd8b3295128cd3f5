"""The table's own business on a display: its question is read from afar, its choices are whole."""

from collections.abc import Callable, Sequence

import pytest
from contact_sheet import HANDS, NAMES, Play
from PIL import Image

from engine.asks import Ask
from engine.cards import Card
from engine.game import games
from engine.values import Notice, Refusal
from engine.view import Hand, Trick, View
from firmware.carousel import draw_carousel
from firmware.dialogs import DONE, ERASE, SIGN, Stay, Typing
from firmware.drawing import Canvas
from firmware.low_screens import draw_low, paint_low
from firmware.reading import shows
from firmware.screens import draw, paint
from firmware.seatview import SeatView, Sheet, Wording
from firmware.words import Length, Words

Draw = Callable[[SeatView, Words], Image.Image]
BOTH = pytest.mark.parametrize("drawn", [draw, draw_low])
WORDS = Words(games()["pepper"])
ASSENT = Sheet(Ask("assent", choices=("agree", "refuse")), (("name", "Ann"),), Wording("wish", (("what", "Back: 9♠"),)))
WHOSE = Sheet(
    Ask("whose", choices=("seat:1", "seat:2", "seat:3", "seat:4", "go-on")),
    labels=(("seat:1", "Alexandra"), ("seat:2", "Ben"), ("seat:3", "Cleo"), ("seat:4", "Daniel")),
)


def seen(sheet: Sheet, cursor: int | None = None, under: Sheet | None = None) -> SeatView:
    return Play(names=NAMES).deal(4, *HANDS).seen(2, sheet=sheet, cursor=cursor)._replace(under=under)


def typed(typing: Typing, *signs: str) -> str:
    for sign in signs:
        typing.give(1, sign if sign in (DONE, ERASE) else f"{SIGN}{sign}")
    return typing.typed


# The question


def test_a_question_alone_is_large_under_what_it_was_opened_from() -> None:
    menu = Sheet(Ask("menu", choices=("lock", "go-on")))
    picture = draw(seen(WHOSE, 0, menu), WORDS)
    assert shows(picture.crop((0, 9, 128, 30)), "Who was it?")
    assert shows(picture.crop((0, 0, 128, 8)), "Menu")


def test_without_another_sheet_the_top_line_has_the_player() -> None:
    assert shows(draw(seen(WHOSE, 0), WORDS).crop((0, 0, 128, 8)), "Ben")


@pytest.mark.parametrize("cursor", range(5))
def test_on_32_rows_the_foot_line_has_the_question_whatever_is_picked(cursor: int) -> None:
    assert shows(draw_low(seen(WHOSE, cursor), WORDS).crop((0, 24, 128, 32)), "Who was it?")


def test_on_32_rows_who_is_asked_to_agree_sees_that_and_what_to_press() -> None:
    picture = draw_low(seen(ASSENT), WORDS)
    assert shows(picture, "Back: 9♠")
    assert shows(picture.crop((0, 24, 128, 32)), "agree?")
    assert shows(picture.crop((0, 24, 128, 32)), "◀ ▶")


@BOTH
def test_while_nothing_is_picked_ok_is_not_promised(drawn: Draw) -> None:
    assert shows(drawn(seen(Sheet(Ask("menu", choices=("lock", "go-on")))), WORDS), "◀ ▶ first, then OK")
    assert not shows(drawn(seen(Sheet(Ask("menu", choices=("lock", "go-on"))), 0), WORDS), "first, then")


# Choices


@pytest.mark.parametrize(
    ("labels", "whole"),
    [
        (("partners: yes", "play to: 30", "revoke: noted only"), ("play to: 30",)),
        (("a name too long", "undo", "lock", "settings"), ("undo", "lock")),
    ],
)
def test_neighbours_of_a_picked_choice_are_whole_or_not_there(labels: Sequence[str], whole: Sequence[str]) -> None:
    canvas = Canvas()
    draw_carousel(canvas, 20, labels, 1)
    assert [label for label in labels if shows(canvas.image, label)] == [*whole]
    arrows = Canvas()
    arrows.arrows(28)  # there is more this way and that, and nothing else is at the edges
    for edge in ((0, 20, 8, 36), (120, 20, 128, 36)):
        assert canvas.image.crop(edge).tobytes() == arrows.image.crop(edge).tobytes()


def test_on_32_rows_as_many_choices_stand_beside_each_other_as_have_room() -> None:
    assert shows(draw_low(seen(WHOSE, 0), WORDS), "Alexandra")
    assert shows(draw_low(seen(WHOSE, 0), WORDS), "Ben")
    assert shows(draw_low(seen(WHOSE, 4), WORDS), "go on")
    assert not shows(draw_low(seen(WHOSE, 4), WORDS), "Alexandra")


@BOTH
def test_a_lone_choice_says_how_many_there_are(drawn: Draw) -> None:
    labels = {f"option:{number}": f"a long option {number}" for number in range(9)}
    sheet = Sheet(Ask("options", choices=tuple(labels)), labels=tuple(labels.items()))
    assert shows(drawn(seen(sheet, 2), WORDS), "3/9")


# What is typed


@BOTH
def test_what_is_typed_has_a_cursor(drawn: Draw) -> None:
    sheet = Typing("score", "0123456789", lambda _: Stay(), most=6, typed="30").sheet(1)
    assert shows(drawn(seen(sheet._replace(facts=(("side", 1),)), 0), WORDS), "30_")


def test_the_first_digit_takes_the_place_of_what_was_proposed() -> None:
    def proposed() -> Typing:
        return Typing("number", "0123456789", lambda _: Stay(), most=2, typed="30")

    assert f"{SIGN}5" in proposed().sheet(1).ask.choices
    assert typed(proposed(), "5") == "5"
    assert typed(proposed(), "5", "1") == "51"
    assert typed(proposed(), ERASE) == "3"
    assert typed(proposed(), ERASE, "2") == "32"


# Names


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Take it back: Cleo is to act"), ("ru", "Верните карту: ходит Cleo")]
)
def test_players_are_called_by_name_where_all_of_a_text_have_one(language: str, said: str) -> None:
    words, refusal = Words(games()["pepper"], language), Refusal("not-your-turn", "5", (("turn", 3),))
    assert words.among(NAMES).refusal(refusal, Length.LINE) == said
    unnamed = words.refusal(refusal, Length.LINE)
    assert unnamed != said
    assert words.among(("Ann", "Ben", "", "Dan")).refusal(refusal, Length.LINE) == unnamed


def test_a_side_is_called_by_all_who_are_of_it() -> None:
    won = Notice("match-won", (("winners", (2,)), ("scores", ((1, 3), (2, 31)))))
    assert WORDS.among(NAMES, ((1, 3), (2, 4))).notice(won, Length.LINE) == "Won by Ben+Dan, 3 : 31"


def test_a_name_that_leaves_no_room_gives_way_to_the_number_of_the_seat() -> None:
    notice, long = Notice("revoke", (("seat", 1), ("trick", 2))), ("Maximilian von Holzhausen", "Ben")
    assert WORDS.among(("Maximilian", "Ben")).notice(notice, Length.OLED) == "Revoke: Maximilian"
    assert WORDS.among(long).notice(notice, Length.OLED) == "Revoke: Maximilian…"
    assert WORDS.among(long).notice(Notice("table-false-claim", (("seat", 1),)), Length.LINE) == (
        "A claim of Maximilian… is in doubt"
    )
    assert WORDS.among(long).notice(Notice("lead-out-of-turn", (("seat", 1),)), Length.OLED) == "Lead: Maximilian…"


# The own hand


@BOTH
def test_a_hand_is_in_the_order_of_its_game(drawn: Draw) -> None:
    hand = Hand(1, tuple(map(Card, ("2C", "AC", "KC", "2C'2"))), 0)
    looking = seen(WHOSE)._replace(peeking=True, seat=1, sheet=None)
    bare = Trick(1, (), (), None, (0, 0, 0, 0))

    def order(*blocks: Hand | Trick) -> bool:
        """Whether the hand is drawn with the ace as the lowest card."""
        one = drawn(looking._replace(view=View(1, blocks)), WORDS)
        low = [Card("AC"), Card("2C"), Card("2C"), Card("KC")]
        return one.tobytes() == drawn(looking._replace(view=View(1, (Hand(1, tuple(low), 0),))), WORDS).tobytes()

    assert order(hand)
    assert not order(hand, bare)


# Long questions

LONG = "Back: Аполлинария: adds to a meld 10♠ 10♥ 10♦ Q♣"


def asks(what: str) -> Sheet:
    return ASSENT._replace(big=Wording("wish", (("what", what),)))


def widest(sheet: Sheet, cursor: int | None, painted: Callable[..., Canvas]) -> bool:
    """Whether all of the wish can be read, at once or one part after the other."""
    assert sheet.big is not None
    said = dict(sheet.big.facts)["what"]
    shifts = range(0, painted(seen(sheet, cursor), WORDS).round or 1, 2)
    parts = [painted(seen(sheet, cursor), WORDS, shift).image for shift in shifts]
    return all(any(shows(part, word) for part in parts) for word in str(said).split())


@pytest.mark.few(1)
@pytest.mark.parametrize("painted", [paint, paint_low])
@pytest.mark.parametrize("cursor", [None, 0, 1])
@pytest.mark.parametrize(
    "what", ["Back: Konstantin: 10♥", "Вернуть: Место 3: взяла 10♥", LONG, f"{LONG} K♣ and what an Aleksandra adds"]
)
def test_what_all_are_asked_to_agree_to_can_be_read_to_its_end(
    what: str, cursor: int | None, painted: Callable[..., Canvas]
) -> None:
    assert widest(asks(what), cursor, painted)
    assert shows(painted(seen(asks(what), cursor), WORDS).image, "agree?")
