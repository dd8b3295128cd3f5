"""What a seat's display shows: everything that matters, whole, in its place, in both languages."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import combinations
from typing import Any
from unittest.mock import patch

import pytest
from contact_sheet import EIGHT, HANDS, LONG_NAMES, MENU, MESSAGES, NAMES, Play, Scene, message_scenes, scenes, sheet
from PIL import Image, ImageChops

import firmware.drawing
from engine import entries
from engine.cards import UNKNOWN, parse_card
from engine.game import games
from engine.values import Refusal
from firmware.dealing import DEALT
from firmware.desk import LOCKED, NEXT_MATCH
from firmware.drawing import Canvas
from firmware.glyphs import Font, fit, render, wrap
from firmware.low_screens import draw_low
from firmware.reading import shows
from firmware.screens import draw
from firmware.seatview import DealingView, SeatView, TableText
from firmware.ways import Way
from firmware.words import LANGUAGES, Length, Words

Box = tuple[int, int, int, int]
ALL = [*scenes(), *message_scenes()]
IDS = [f"{number}-{scene.title}" for number, scene in enumerate(ALL)]


@cache
def words(language: str = "en") -> Words:
    return Words(games()["pepper"], language)


def shown(seen: SeatView, *texts: str, language: str = "en") -> bool:
    """Whether all of these texts can be read."""
    picture = draw(seen, words(language))
    return all(shows(picture, text) for text in texts)


# Nothing is cut, nothing runs into another


class Drawn:
    """What was drawn on a canvas: the texts that were cut, and the box of pixels that each part changed."""

    def __init__(self) -> None:
        self.cut: list[str] = []
        self.boxes: list[Box] = []
        self.past_edge: list[str] = []


@contextmanager
def watched() -> Iterator[Drawn]:
    """While this holds, all that is drawn on canvases is noted."""
    drawn = Drawn()
    busy = False

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(canvas: Canvas, *given: Any, **named: Any) -> Any:
            nonlocal busy
            if busy:
                return method(canvas, *given, **named)
            before, busy = canvas.image.copy(), True
            try:
                return method(canvas, *given, **named)
            finally:
                busy = False
                box = ImageChops.logical_xor(before, canvas.image).getbbox()
                if box is not None:
                    drawn.boxes.append(box)

        return wrapped

    text = Canvas.text

    def fitting(said: str, font: Any, room: int) -> str:
        kept = fit(said, font, room)
        drawn.cut += [said] if kept != said else []
        return kept

    def wrapping(said: str, font: Any, room: int, lines: int) -> list[str]:
        kept = wrap(said, font, room, lines)
        drawn.cut += [said] if "".join("".join(kept).split()) != "".join(said.split()) else []
        return kept

    def writing(canvas: Canvas, x: int, y: int, said: str, *given: Any, **named: Any) -> int:
        end = text(canvas, x, y, said, *given, **named)
        font = given[0] if given else Font.TEXT
        start = end - render(said, font).width
        if start < 0 or end > canvas.columns + 2 or y + font.height > canvas.rows + 4:
            drawn.past_edge.append(said)
        return end

    plain_round = Canvas.going_round

    def going(canvas: Canvas, x: int, y: int, said: str, *given: Any, **named: Any) -> None:
        plain_round(canvas, x, y, said, *given, **named)
        drawn.cut = [cut for cut in drawn.cut if cut != said]  # its end comes round

    with (
        patch.multiple(
            Canvas,
            going_round=noting(going),
            text=noting(writing),
            strip=noting(Canvas.strip),
            chip=noting(Canvas.chip),
            chips=noting(Canvas.chips),
            hand=noting(Canvas.hand),
            choices=noting(Canvas.choices),
            bar=noting(Canvas.bar),
        ),
        patch.multiple(firmware.drawing, fit=fitting, wrap=wrapping),
    ):
        yield drawn


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("scene", ALL, ids=IDS)
def test_nothing_is_cut_and_nothing_runs_into_another(scene: Scene, language: str) -> None:
    with watched() as drawn:
        draw(scene.seen, words(language))
    names = tuple(name for name in scene.seen.names if name)
    assert [text for text in drawn.cut if not (names and text.startswith(names))] == []
    assert drawn.past_edge == []
    assert drawn.boxes
    for one, other in combinations(drawn.boxes, 2):
        apart = one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        assert apart, (one, other)


def test_the_watch_sees_a_cut_and_an_overlap() -> None:
    with watched() as drawn:
        canvas = Canvas()
        canvas.strip(0, "far too long a line for a display of so few columns")
        canvas.text(0, 20, "one")
        canvas.text(3, 22, "two")
        canvas.text(120, 40, "three")
        canvas.paragraph(0, 50, "one two three", room=30, lines=1)
    assert len(drawn.cut) == 2
    assert drawn.past_edge == ["three"]
    assert drawn.boxes[1][2] > drawn.boxes[2][0]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [(), NAMES, LONG_NAMES])
def test_a_name_never_pushes_the_contract_off_the_display(names: tuple[str, ...], language: str) -> None:
    play = Play(names=names).deal(4, *HANDS).act("2", "little", "pass", "pass", "pass", "none")
    picture = draw(play.seen(2), words(language))
    short, whole = (": little no tr.", ": little no trump") if language == "en" else (": немного без к.",) * 2
    middle = picture.crop((0, 9, 128, 64))
    assert shows(middle, short) or shows(middle, whole)
    assert shows(picture, "0:0")
    led = draw(play.act("AC").seen(3), words(language))
    assert shows(led.crop((0, 0, 128, 8)), short) or shows(led.crop((0, 0, 128, 8)), whole)
    assert shows(led.crop((0, 0, 128, 8)), "0:0")


# How the match stands


def test_the_target_stands_beside_the_score() -> None:
    play = Play(names=NAMES).enter(entries.SetScore(1, 12), entries.SetScore(2, 5)).deal(1, *HANDS)
    assert shown(play.seen(2), "5:12→30")
    assert shown(play.seen(1), "12:5→30")
    assert shown(play.seen(3, peeking=True), "12:5→30")
    dealing = DealingView(4, 1, (0, 0, 0, 0), 6)
    assert shown(play.seen(1, dealing=dealing), "12:5→30")


def test_who_plays_with_whom_is_told() -> None:
    play, nameless = Play(names=NAMES).deal(4, *HANDS), Play().deal(4, *HANDS)
    for seat, partner in ((1, "Cleo"), (2, "Dan")):
        assert shown(play.seen(seat), f"partner {partner}")
        assert shown(play.seen(seat, peeking=True), f"partner {partner}")
        assert shown(nameless.seen(seat), f"partner {(seat + 1) % 4 + 1}")
        assert shown(play.seen(seat), f"партнёр {partner}", language="ru")
    alone = Play(4, "standard", NAMES, partners=False).deal(4, *HANDS)
    assert not shown(alone.seen(1, peeking=True), "partner")


def test_the_partner_s_name_is_lit_above_its_card() -> None:
    play = Play(names=NAMES).deal(4, *HANDS).act("4", "pass", "pass", "pass", "S", "9C", "AC", "9S")

    def lit(seat: int, place: int) -> bool:
        return draw(play.seen(seat), words()).getpixel((3 + place * 32, 9)) == 1

    assert [lit(4, place) for place in range(3)] == [False, True, False]
    assert shown(play.seen(1), "partner Cleo", "tricks 0:0")


def test_a_seat_without_a_name_is_no_number_beside_a_number() -> None:
    play = Play().deal(4, *HANDS).act("2")
    assert shown(play.seen(2), "Seat 1: 2")
    assert shown(play.seen(2), "Место 1: 2", language="ru")


# The auction


def test_every_bid_is_offered_at_once() -> None:
    seen = Play().deal(4, *HANDS).seen(1)
    assert shown(seen, "Your bid?", "1", "2", "3", "4", "5", "little", "big", "pass", "◀ ▶ first, then OK", "0:0→30")
    assert not shown(seen, "6")


def test_with_eight_cards_bids_go_to_seven() -> None:
    seen = Play(3, "bowers").deal(3, *EIGHT).seen(1)
    assert shown(seen, "1", "2", "3", "4", "5", "6", "7", "little", "big", "pass")


@pytest.mark.parametrize("cursor", range(8))
def test_one_choice_is_lit_and_moving_moves_nothing_else(cursor: int) -> None:
    play = Play().deal(4, *HANDS)
    above = (0, 0, 128, 56)  # below stands what the buttons do
    before, after = (draw(play.seen(1, cursor=at), words()).crop(above) for at in (None, cursor))
    box = ImageChops.logical_xor(before, after).getbbox()
    assert box is not None
    assert box[2] - box[0] <= 44
    assert box[3] - box[1] <= 13


def test_the_bid_to_beat_is_large() -> None:
    seen = Play(names=NAMES).deal(4, *HANDS).act("2").seen(2)
    assert shown(seen, "Ann: 2", "3", "pass")
    assert not shown(seen, "Your bid?")


def test_who_waits_sees_the_bid_who_acts_and_the_last_calls() -> None:
    play = Play().deal(4, *HANDS).act("2", "pass")
    assert shown(play.seen(1), "1: 2", "Seat 3 to act", "2: pass")
    assert not shown(play.seen(1), "choose")


def test_the_bidder_is_asked_for_trump_in_words() -> None:
    play = Play().deal(4, *HANDS).act("4", "pass", "pass", "pass")
    assert shown(play.seen(1), "Name trump", "♣", "♦", "♥", "♠", "no tr.", "1: 4")
    assert shown(play.seen(2), "Seat 1 to act")
    assert shown(play.seen(1), "Назовите козырь", "без к.", language="ru")


# Tricks


def test_the_leader_sees_the_contract_and_how_to_play() -> None:
    play = Play().deal(4, *HANDS).act("4", "pass", "pass", "pass", "S")
    assert shown(play.seen(1), "1: 4 ♠", "Play a card", "tap a card")
    assert shown(play.seen(1, tapping=False), "Play a card", "OK take")
    assert not shown(play.seen(1, tapping=False), "tap a card")


def test_the_cards_of_the_running_trick_have_their_players_names() -> None:
    play = Play(names=NAMES).deal(4, *HANDS).act("4", "pass", "pass", "pass", "S", "9C", "AC", "9S")
    assert shown(play.seen(4), "Ann", "Ben", "Cleo", "9♣", "A♣", "9♠", "Play a card")
    assert shown(play.seen(1), "9♣", "A♣", "9♠", "Dan to act", "tricks 0:0")


def test_own_cards_show_only_while_the_cursor_is_on_them() -> None:
    play = Play().deal(4, *HANDS).act("4", "pass", "pass", "pass", "S", "9C")
    assert shown(play.seen(2, cursor=0), "9♣", "A♣", "Q♣", "K♣")
    assert shown(play.seen(2), "9♣")
    assert not shown(play.seen(2), "K♣")


def test_all_eight_cards_to_lead_are_shown_at_once() -> None:
    play = Play(3, "bowers").deal(3, *EIGHT).act("6", "pass", "pass", "none")
    first, last = (draw(play.seen(1, cursor=cursor), words()) for cursor in (0, 7))
    box = ImageChops.logical_xor(first, last).getbbox()
    assert box is not None
    assert box[1] >= 28
    assert (first.crop((17, 28, 111, 55)).tobytes()) == last.crop((17, 28, 111, 55)).tobytes()


def test_many_possible_cards_are_shown_by_pages() -> None:
    play = Play(2, "bowers", tracked=False).deal(2).act("2", "pass", "D")
    assert shown(play.seen(1, cursor=0), "A♣", "9♣")
    assert shown(play.seen(1, cursor=12), "A♥")
    assert not shown(play.seen(1, cursor=12), "9♣")


def test_between_tricks_the_last_one_is_shown_with_its_winner() -> None:
    given = ("4", "pass", "pass", "pass", "S", "9C", "AC", "9S", "JC")
    plain, named = (Play(names=names).deal(4, *HANDS).act(*given) for names in ((), NAMES))
    assert shown(plain.seen(3), "Trick: seat 3", "9♣", "A♣", "9♠", "J♣", "Play a card")
    assert shown(named.seen(1), "Cleo takes the trick", "Cleo to act", "tricks 1:0")
    assert shown(named.seen(2), "tricks 0:1")


# Peeking


def test_who_peeks_sees_the_whole_hand_and_nothing_else() -> None:
    seen = Play().deal(4, *HANDS).seen(1, peeking=True)
    assert shown(seen, "Your hand", "6")
    assert not shown(seen, "Your bid?")
    other = Play().deal(4, *HANDS).seen(2, peeking=True)
    assert draw(seen, words()).tobytes() != draw(other, words()).tobytes()


def test_eight_cards_fit_one_line() -> None:
    picture = draw(Play(3, "bowers").deal(3, *EIGHT).seen(3, peeking=True), words())
    hand = picture.crop((0, 10, 128, 55)).getbbox()
    assert hand == (0, 9, 127, 36)


def test_unknown_cards_are_counted() -> None:
    hidden = Play(tracked=False).deal(4)
    assert shown(hidden.seen(2, peeking=True), "+6 not seen")
    some = Play(tracked=False).deal(4)
    some.enter(entries.SetHand(2, (*map(parse_card, ("AC", "10D", "KH")), UNKNOWN, UNKNOWN, UNKNOWN)))
    assert shown(some.seen(2, peeking=True), "+3 not seen")


def test_a_message_waits_while_the_player_peeks() -> None:
    play = Play().deal(4, *HANDS)
    message = Refusal("not-your-turn", "5", (("turn", 1),))
    assert shown(play.seen(2, message=message), "Not your turn", "Take it back:")
    assert not shown(play.seen(2, message=message, peeking=True), "Not your turn")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_says_which_card_why_and_what_to_do(language: str) -> None:
    play, told = Play().deal(4, *HANDS), words(language)
    for message in MESSAGES:
        if isinstance(message, Refusal):
            seen = play.seen(2, message=message)._replace(shown=parse_card("9D"))
            for drawn, rows in ((draw, 64), (draw_low, 32)):
                picture = drawn(seen, told)
                assert shows(picture, told.message(message, Length.OLED))
                two_lines = rows == 32 and len(wrap(told.message(message, Length.LINE), Font.TINY, 124, 2)) > 1
                assert two_lines or shows(picture, told.short("take-back", card=int(parse_card("9D"))))
    assert not shown(play.seen(2, message=MESSAGES[0]), "9♦")


# Dealing


def test_the_dealer_is_told_who_gets_the_next_card() -> None:
    play = Play()
    dealing = DealingView(4, 3, (4, 4, 3, 3), 6, begun=True)
    assert shown(play.seen(4, dealing=dealing), "You deal", "to seat 3", "read 3 of 6")
    assert shown(play.seen(3, dealing=dealing), "Seat 4 deals", "to you", "read 3 of 6")
    assert shown(play.seen(1, dealing=dealing), "to seat 3", "read 4 of 6")


def test_the_bar_grows_with_the_deal() -> None:
    def bright(counts: tuple[int, int, int, int]) -> int:
        picture = draw(Play().seen(1, dealing=DealingView(4, 2, counts, 6)), words())
        return sum(picture.crop((6, 36, 122, 40)).convert("L").tobytes()) // 255

    assert [bright(counts) // 4 for counts in ((0, 0, 0, 0), (3, 3, 3, 3), (6, 6, 6, 6))] == [0, 58, 116]


def test_a_concealed_deal_ends_when_the_dealer_says_so() -> None:
    play, dealing = Play(tracked=False), DealingView(4, 0, (0, 0, 0, 0), 6, way=Way.CONCEALED)
    assert shown(play.seen(4, dealing=dealing, question=DEALT), "All dealt?", "OK: all cards are dealt", "You deal")
    assert shown(play.seen(1, dealing=dealing), "Seat 4 deals", "6 each", "no hand")
    assert not shown(play.seen(1, dealing=dealing), "All dealt?")


def test_points_and_totals_begin_with_the_own_side() -> None:
    play = Play(2).deal(2, "AC KC QC JC 10C 9C", "AD KD QD JD 10D 9D")
    play.act("5", "pass", "C", *(card for pair in zip(
        ("AC", "KC", "QC", "JC", "10C", "9C"), ("AD", "KD", "QD", "JD", "10D", "9D"), strict=True) for card in pair
    ))  # fmt: skip
    dealing = DealingView(1, 2, (0, 0), 6)
    assert shown(play.seen(1, dealing=dealing), "+6 : +0", "6:0", "to seat 2")
    assert shown(play.seen(2, dealing=dealing), "+0 : +6", "0:6", "to you")


# The end of the match, the menu, devices


def test_winners_and_losers_are_told_what_they_are() -> None:
    play = Play(names=NAMES).enter(entries.SetScore(1, 31), entries.SetScore(2, -12))
    assert shown(play.seen(3, question=NEXT_MATCH), "You win!", "31 : -12", "a new match", "Cleo")
    assert shown(play.seen(4, question=NEXT_MATCH), "Match over", "-12 : 31", "Won by Ann+Cleo")
    assert not shown(play.seen(4, question=NEXT_MATCH), "You win!")


def test_a_void_match_has_no_winner() -> None:
    play = Play().enter(entries.VoidMatch())
    assert shown(play.seen(1, question=NEXT_MATCH), "Match void")
    assert not shown(play.seen(1, question=NEXT_MATCH), "wins")


def test_the_menu_offers_to_take_back() -> None:
    play = Play().deal(4, *HANDS)
    assert shown(play.seen(2, sheet=MENU), "Menu", "undo", "lock", "go on")


def test_a_lock_is_to_be_seen_whatever_the_seat_would_be_asked() -> None:
    play = Play().deal(4, *HANDS)
    for seat in (1, 2):
        assert shown(play.seen(seat, question=LOCKED), "Locked", "No card counts", "OK: unlock")


def test_a_restart_and_a_lost_device_are_told() -> None:
    play = Play().deal(4, *HANDS)
    assert shown(play.seen(1, message=TableText("restarted", bad=True)), "Restarted", "repeat what was half entered")
    lost = TableText("device-lost", (("device", "seat 1 reader"),), bad=True)
    assert shown(play.seen(1, message=lost), "No reader", "The game goes on")
    assert shown(play.seen(1, message=lost), "Сбой: считыватель", language="ru")


# As a whole


@pytest.mark.parametrize("scene", ALL, ids=IDS)
def test_a_screen_is_drawn_from_the_view_alone(scene: Scene) -> None:
    picture = draw(scene.seen, words())
    assert picture.size == (128, 64)
    assert picture.mode == "1"
    assert picture.tobytes() == draw(scene.seen, words()).tobytes()


def test_a_view_without_blocks_is_an_empty_screen_rather_than_an_error() -> None:
    seen = Play().seen(1)
    bare = seen._replace(view=seen.view._replace(blocks=()), ask=None)
    assert draw(bare, words()).size == (128, 64)


def test_the_contact_sheet_shows_every_scene() -> None:
    picture = sheet(ALL[:7], words(), across=3, scale=1)
    assert picture.size == (3 * 140, 3 * 86)
    assert picture.crop((6, 16, 134, 80)).convert("1").tobytes() == draw(ALL[0].seen, words()).tobytes()


def test_every_screen_has_its_own_look() -> None:
    pictures: dict[bytes, str] = {}
    for scene in ALL:
        pictures.setdefault(draw(scene.seen, words()).tobytes(), scene.title)
    assert len(pictures) > 100
    assert isinstance(draw(ALL[0].seen, words()), Image.Image)
