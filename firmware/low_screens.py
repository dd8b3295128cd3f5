"""A seat's display of 128 by 32 pixels: of each screen what the player acts by, on one big line and a foot line."""

from functools import partial

from PIL import Image

from engine.asks import Ask
from engine.cards import Card
from engine.view import Auction, Piles, Score, Trick, Turn
from firmware.choice_rows import draw_choices, draw_low_cards, draw_one_row, draw_ranks, room_of, row_width
from firmware.drawing import Align, Canvas
from firmware.faces import Size
from firmware.glyphs import Font, width, wrap
from firmware.narrowing import is_ranks
from firmware.screens import Screen
from firmware.seatview import DealingView, Message, SeatView, Sheet, verbs_of
from firmware.sheet_screens import draw_low_sheet, labels_of
from firmware.totals import forms_of
from firmware.ways import Way
from firmware.words import Length, Words

ROWS = 32
_FOOT = 24
_CARDS = 5
"""The row at which a line of cards begins."""


def draw_low(seen: SeatView, words: Words) -> Image.Image:
    """The picture of a seat's display that has 32 rows."""
    return paint_low(seen, words).image


def paint_low(seen: SeatView, words: Words, shift: int = 0) -> Canvas:
    """The canvas with the picture of a seat's display that has 32 rows; for `shift` see `paint`."""
    return _LowScreen(seen, words, Canvas(128, ROWS, shift)).draw()


class _LowScreen(Screen):
    """One picture in the making. Which screen comes before which is the same as on the higher displays."""

    # Parts

    def _line_of(self, text: str, foot: str = "", right: str = "") -> None:
        """A text as large as it fits, over a foot line."""
        fonts = (Font.TITLE, Font.BOLD, Font.TEXT)
        font = next((font for font in fonts if width(text, font) <= room_of(self.canvas)), Font.TEXT)
        self.canvas.text(64, (_FOOT - font.height) // 2, text, font, align=Align.CENTRE, room=128)
        self._foot(foot, right)

    def _head(self, left: str, right: str | None = None) -> None:
        """There is no room for one."""

    def _foot(self, left: str, right: str = "") -> None:
        self.canvas.strip(_FOOT, left, right, inverse=False)

    def _cards(self, faces: list[str], cursor: int | None = None) -> None:
        draw_low_cards(self.canvas, _CARDS, faces, cursor)

    # Screens

    def _draw_hand(self) -> None:
        hand = self._hand()
        assert hand is not None
        faces = self._hand_faces(hand)
        unknown = self._say("more-unknown", count=hand.unknown) if hand.unknown else ""
        if not faces:
            self._line_of(unknown)
            self._draw_standing("")
        elif row_width(faces, Size.MEDIUM) <= self.canvas.columns:
            self._cards(faces)
            self._draw_standing(unknown)
        else:
            if self.canvas.hand(0, faces, ROWS) <= _FOOT:
                self._draw_standing(unknown)

    def _draw_message(self, message: Message) -> None:
        short, full = (self.words.message(message, length) for length in (Length.OLED, Length.LINE))
        font = Font.BOLD if width(short, Font.BOLD) <= room_of(self.canvas) else Font.TEXT
        self.canvas.text(64, 0, short, font, align=Align.CENTRE, room=128)
        room = room_of(self.canvas)
        self.canvas.paragraph(2, 16, full, Font.TINY, lines=2, room=room, align=Align.CENTRE)
        if self.seen.shown is not None and len(wrap(full, Font.TINY, room, 2)) < 2:
            self._foot(self._say("take-back", card=int(self.seen.shown)))

    def _draw_sheet(self, sheet: Sheet) -> None:
        if sheet.table:
            self._draw_comparison(sheet)
            return
        draw_low_sheet(self.canvas, sheet, self.words, self.seen.cursor)

    def _draw_comparison(self, sheet: Sheet) -> None:
        """The choices, and in the foot line what lies open: there is no room for cards."""
        trick, piles = self._block(Trick), self._block(Piles)
        draw_choices(self.canvas, _CARDS, labels_of(sheet, self.words), self.seen.cursor)
        if trick is not None and trick.plays:
            lying = " ".join(self.words.card(card) for _, card in trick.plays)
        elif piles is not None and piles.top is not None:
            lying = self.words.card(piles.top)
        else:
            lying = self._contract(Font.TINY, self._head_room())
        said = self._sheet_text(sheet)
        self._foot(said if self._is_room(said, lying) else "", lying)

    def _draw_question(self, ask: Ask) -> None:
        self._draw_choices(ask)

    def _draw_match_over(self, score: Score) -> None:
        if self.seen.ask is not None and self.seen.cursor is not None:
            self._draw_choices(self.seen.ask)
            return
        won = any(self.seen.seat in side and side[0] in score.winners for side in score.sides)
        result = "won" if won else "lost" if score.winners else "void"
        self.canvas.text(64, 0, self._say(result), Font.BOLD, align=Align.CENTRE, room=128)
        every = forms_of(score, self.seen.seat)[1]
        self.canvas.going_round(1, 15, every, Font.TINY, self.canvas.columns - 2)
        self._foot(self._ask_text(Length.LINE) if self.seen.ask is not None else "")

    def _draw_dealing(self, dealing: DealingView) -> None:
        mine = dealing.dealer == self.seen.seat
        ended = self._ended() if not any(dealing.counts) else ""
        if mine and self.seen.ask is not None and self.seen.cursor is not None:
            self._draw_choices(self.seen.ask)
        elif dealing.again is not None:
            owner, place = dealing.again
            self._line_of(self._say("again", seat=owner, place=place), self._line("again", seat=owner, place=place))
        elif dealing.wanted is not None:
            self._line_of(self.words.ask(dealing.wanted, Length.OLED), self._score_beside(""))
        elif dealing.way is Way.SCAN_IN and dealing.begun:
            count, size = dealing.counts[self.seen.seat - 1], dealing.size
            self._line_of(self._say("scan-count", count=count, size=size))
            self._draw_missing(dealing)
        elif not dealing.next_seat:
            deals = self._say("you-deal") if mine else self._seat_or_name("deals", dealing.dealer, 77)
            foot = self._ask_text(Length.LINE) if mine else self._say(f"way-{dealing.way}", size=dealing.size)
            self._line_of(self._ask_text(Length.OLED) if mine else ended or deals, foot)
        else:
            mine = dealing.next_seat == self.seen.seat
            whose = self._say("card-to-you") if mine else self._card_to(dealing.next_seat, Font.LARGE)
            counts, size = dealing.counts, dealing.size
            count = counts[self.seen.seat - 1] if self.seen.seat else sum(counts)
            read = self._say("read", count=count, size=size if self.seen.seat else size * len(counts))
            own = read if dealing.begun else self._say(f"way-{dealing.way}", size=size)
            self._line_of(whose, own, ended if ended and self._is_room(own, ended) else self._score_beside(own))

    def _draw_play(self) -> None:
        seen, turn = self.seen, self._block(Turn)
        trick, auction = self._block(Trick), self._block(Auction)
        running = trick is not None and bool(trick.plays) and (auction is None or auction.trump is not None)
        if seen.ask is not None and (seen.cursor is not None or (verbs_of(seen.ask) and self._block(Piles) is None)):
            self._draw_choices(seen.ask)
            return
        asked = self._ask_text(Length.OLED)
        acts = partial(self._acts, turn)
        if running and trick is not None:
            self._draw_low_trick(trick)
            said = asked or ("" if turn is None or not turn.seats else self._line("seat-acts", seat=turn.seats[0]))
            taken = width(said, Font.TINY) + 2 + Font.TINY.cell
            contract = self._contract(Font.TINY, min(60, self.canvas.columns - taken))
            room = self.canvas.columns - 2 - width(contract, Font.TINY) - Font.TINY.cell
            self._foot(asked or acts(Font.TINY, room), contract)
        else:
            self._line_of(
                asked or acts(Font.TEXT, self.canvas.columns),
                self._subject(),
                self._score_beside(self._subject()),
            )

    def _subject(self) -> str:
        """The contract: it has no other place here. While there is none, the partner."""
        auction, room = self._block(Auction), self._head_room()
        bid = auction is not None and auction.bid is not None
        return ("" if bid else self._partner(room)) or self._contract(Font.TINY, room)

    def _draw_low_trick(self, trick: Trick) -> None:
        """The running trick, with the names above it."""
        for place, (seat, card) in enumerate(trick.plays):
            self._draw_owner(3 + place * 32, 0, seat)
            self.canvas.chip(2 + place * 32, 9, self.words.card(card), Size.MEDIUM)

    def _acts(self, turn: Turn | None, font: Font, room: int) -> str:
        """Who is to act, with the name cut so that the rest has room."""
        if turn is None or not turn.seats:
            return ""
        seat = turn.seats[0]
        if not self._name(seat):
            return self._line("seat-acts", seat=seat)
        name = self._short(seat, self._line("name-acts", name=""), font, room)
        return self._line("name-acts", name=name)

    def _draw_choices(self, ask: Ask, y: int = 0) -> None:
        """The choices or cards of a question, the picked one lit, and the question below where there is room; all has
        its place, whatever `y` is.
        """
        foot, cursor = self._ask_text(Length.OLED), self.seen.cursor
        labels, faces = self._labels(ask), self._faces(ask)
        if labels and faces:
            self.canvas.mixed(_CARDS, labels, faces, cursor)
        elif is_ranks(ask):
            draw_ranks(self.canvas, _CARDS, faces, cursor)
        elif faces:
            self._cards(faces, cursor)
        else:
            draw_one_row(self.canvas, _CARDS, labels, cursor)
        given = sum(isinstance(token, Card) for token in self.seen.given)
        self._foot(foot, self._say("given", count=given) if given and foot else "")
