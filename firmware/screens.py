"""A seat's display, drawn from its view: 128 by 64 pixels of what this player needs now.

Screens know the blocks of a view and no game. The order of importance: the own cards while peeking, then what went
wrong, then the match, the deal, and the play.
"""

from collections.abc import Sequence
from typing import TypeVar

from PIL import Image

from engine.asks import END, Ask, Token
from engine.cards import PLAIN, Card
from engine.values import Fact, Notice
from engine.view import Auction, Block, Hand, Line, Melds, Notices, Piles, Score, Trick, Turn
from firmware.choice_rows import columns_of, draw_cards, draw_choices, draw_ranks, room_of, row_width
from firmware.drawing import FOOT, HEAD, Align, Canvas
from firmware.faces import Size
from firmware.glyphs import Font, fit, width
from firmware.lacking import lacking
from firmware.narrowing import by_suit, is_ranks
from firmware.pile_rows import draw_piles, draw_piles_small, hand_counts, meld_name
from firmware.seatview import DealingView, Message, SeatView, Sheet, missing, picks_of, verbs_of
from firmware.sheet_screens import draw_sheet, how_to_choose, labels_of, title_of
from firmware.totals import final_lines, forms_of, room_beside, totals_beside
from firmware.ways import Way
from firmware.words import Length, Words

BlockT = TypeVar("BlockT", bound=Block)

BY_THEMSELVES = ("doubt", "locked")
"""Questions that fill the display, whatever else there is to see."""

_ENDLESS = 10_000
"""Columns that no text fills."""
_LAST_GIVEN = 5
"""Cards given so far that are shown, the last ones."""
_FEWEST_LETTERS = 3
"""Letters of a name below which a call is rather left out."""


def draw(seen: SeatView, words: Words) -> Image.Image:
    """The picture of a seat's display."""
    return paint(seen, words).image


def paint(seen: SeatView, words: Words, shift: int = 0) -> Canvas:
    """The canvas with the picture of a seat's display; `shift`: how far texts that go round have moved on."""
    return Screen(seen, words, Canvas(shift=shift)).draw()


class Screen:
    """One picture in the making."""

    def __init__(self, seen: SeatView, words: Words, canvas: Canvas) -> None:
        self.seen = seen
        score = self._block(Score)
        self.words = words.among(seen.names, score.sides if score is not None else ())
        self.plain = words
        """The same with numbers of seats, for where names have no room."""
        self.canvas = canvas

    def draw(self) -> Canvas:
        """Draw what this seat needs most, and nothing else."""
        seen = self.seen
        score = self._block(Score)
        if seen.peeking and self._hand() is not None:
            self._draw_hand()
        elif seen.message is not None:
            self._draw_message(seen.message)
        elif seen.sheet is not None and seen.ask is not None and seen.ask.prompt != "locked":
            self._draw_sheet(seen.sheet)
        elif seen.ask is not None and seen.ask.prompt in BY_THEMSELVES:
            self._draw_question(seen.ask)
        elif score is not None and score.over:
            self._draw_match_over(score)
        elif seen.dealing is not None:
            self._draw_dealing(seen.dealing)
        else:
            self._draw_play()
        if seen.notice is not None and seen.message is None and not seen.peeking:
            self._draw_notice(seen.notice)
        return self.canvas

    # Parts

    def _block(self, kind: type[BlockT]) -> BlockT | None:
        return next((block for block in self.seen.view.blocks if isinstance(block, kind)), None)

    def _blocks(self, kind: type[BlockT]) -> list[BlockT]:
        return [block for block in self.seen.view.blocks if isinstance(block, kind)]

    def _hand(self) -> Hand | None:
        hands = self._blocks(Hand)
        return next((hand for hand in hands if hand.seat == self.seen.seat), None)

    def _say(self, code: str, **facts: Fact) -> str:
        return self.words.table(code, Length.OLED, **facts)

    def _line(self, code: str, **facts: Fact) -> str:
        return self.words.table(code, Length.LINE, **facts)

    def _ask_text(self, length: Length) -> str:
        return self.words.ask(self.seen.ask.prompt, length) if self.seen.ask is not None else ""

    def _name(self, seat: int) -> str:
        return self.seen.names[seat - 1] if self.seen.names and seat else ""

    def _short(self, seat: int, others: str, font: Font, room: int | None = None) -> str:
        """A player's name, or the seat's number; a name is cut so that the others on its line have room."""
        name = self._name(seat) or str(seat)
        return fit(name, font, (self.canvas.columns if room is None else room) - width(others, font))

    def _head(self, left: str, right: str | None = None) -> None:
        self.canvas.strip(HEAD, left, self._score_beside(left) if right is None else right)

    def _head_room(self) -> int:
        """Columns that the score leaves of the head line."""
        score, columns = self._block(Score), self.canvas.columns
        return columns if score is None else room_beside(score, self.seen.seat, columns)

    def _score_beside(self, text: str) -> str:
        """As much of the score as there is room for beside another text."""
        score = self._block(Score)
        return "" if score is None else totals_beside(score, self.seen.seat, text, self.canvas.columns)

    def _partners(self) -> tuple[int, ...]:
        """The other seats of the own side."""
        score = self._block(Score)
        own = next((side for side in score.sides if self.seen.seat in side), ()) if score is not None else ()
        return tuple(seat for seat in own if seat != self.seen.seat)

    def _partner(self, room: int | None = None) -> str:
        """Who plays with this seat; empty for one that plays alone."""
        partners = self._partners()
        if not partners:
            return ""
        if not all(map(self._name, partners)):
            return self._say("partner", name=", ".join(map(str, partners)))
        return self._say("partner", name=self._short(partners[0], self._say("partner", name=""), Font.TINY, room))

    def _foot(self, left: str, right: str = "") -> None:
        self.canvas.strip(FOOT, left, right, inverse=False)

    def _paragraph(self, y: int, text: str, font: Font = Font.SMALL, leading: int | None = None) -> None:
        """A text in two lines in the middle."""
        self.canvas.paragraph(2, y, text, font, lines=2, room=room_of(self.canvas), align=Align.CENTRE, leading=leading)

    def _big(self, y: int, text: str, fonts: Sequence[Font] = (Font.LARGE, Font.TITLE, Font.BOLD, Font.TEXT)) -> None:
        """A text in the largest of these fonts that holds it, in the middle of the line."""
        room = room_of(self.canvas)
        font = next((font for font in fonts if width(text, font) <= room), fonts[-1])
        self.canvas.text(
            self.canvas.columns // 2, y + (20 - font.height) // 2, text, font, align=Align.CENTRE, room=room
        )

    # Screens

    def _draw_hand(self) -> None:
        hand = self._hand()
        assert hand is not None
        self._head(self._say("hand"), str(len(hand.cards) + hand.unknown))
        faces = self._hand_faces(hand)
        if not faces:
            self._big(24, self._say("more-unknown", count=hand.unknown))
            self._draw_standing("")
            return
        columns = row_width(faces, Size.TALL)
        if columns <= self.canvas.columns:
            self.canvas.chips((self.canvas.columns - columns) // 2, 19, faces, Size.TALL)
        else:
            self.canvas.hand(10, faces, 45)
        self._draw_standing(self._say("more-unknown", count=hand.unknown) if hand.unknown else "")

    def _hand_faces(self, hand: Hand) -> list[str]:
        """The cards of a hand in the order in which the game has them: in tricks the ace is the highest."""
        in_tricks = self._block(Trick) is not None
        cards = by_suit(hand.cards) if in_tricks else sorted(hand.cards, key=PLAIN.__getitem__)
        return [self.words.card(card) for card in cards]

    def _draw_standing(self, said: str) -> None:
        """In the foot line what is said, else who the partner is; and how the match stands. This is where all totals
        are to be seen: what is too long goes round.
        """
        score = self._block(Score)
        if score is None:
            self._foot(said)
            return
        whole, every, *_ = forms_of(score, self.seen.seat)
        said = said or self._partner(self.canvas.columns - width(whole, Font.TINY) - 8)
        room = self.canvas.columns - (width(said, Font.TINY) + Font.TINY.cell if said else 0) - 2
        fitting = next((form for form in (whole, every) if width(form, Font.TINY) <= room), None)
        self._foot(said, fitting or "")
        if fitting is None:
            self.canvas.going_round(self.canvas.columns - 1 - room, self.canvas.rows - 8, every, Font.TINY, room)

    def _draw_message(self, message: Message) -> None:
        self._head(self._who(), None)
        short, full = (self.words.message(message, length) for length in (Length.OLED, Length.LINE))
        self._big(10, short)
        y, leading = (34, 14) if self.seen.shown is None else (30, 13)  # the card stands below
        self._paragraph(y, full, Font.TEXT, leading)
        if self.seen.shown is not None:
            self._foot(self._say("take-back", card=int(self.seen.shown)))

    def _draw_notice(self, notice: Notice) -> None:
        """A line over whatever stands at the foot."""
        texts = [self.words.notice(notice, length) for length in (Length.LINE, Length.OLED)]
        fitting = next((text for text in texts if width(text, Font.TINY) < self.canvas.columns), texts[-1])
        self.canvas.strip(self.canvas.rows - Font.TINY.height, fitting)

    def _who(self) -> str:
        """The player's name, or the number of the seat."""
        return self._name(self.seen.seat) or self._say("seat-acts", seat=self.seen.seat)

    def _draw_sheet(self, sheet: Sheet) -> None:
        """The table's own business with this place."""
        if sheet.table:
            self._draw_comparison(sheet)
            return
        draw_sheet(self.canvas, sheet, self.words, self.seen.cursor, self._opened_from())

    def _opened_from(self) -> str:
        """What the sheet was opened from: another one, or the game of this player."""
        if self.seen.under is not None:
            return title_of(self.seen.under, self.words, self.canvas.columns - 32)
        return self._who() if self.seen.seat else self.words.title()

    def _draw_comparison(self, sheet: Sheet) -> None:
        """What lies open on the table as the game shows it, over the choices; below what there is to say."""
        trick, auction, piles = self._block(Trick), self._block(Auction), self._block(Piles)
        self._head(self.words.ask(sheet.ask.prompt, Length.OLED))
        if piles is not None:
            draw_piles(self.canvas, self.words, piles, self._block(Line), hand_counts(self._blocks(Hand)))
        elif trick is not None and (auction is None or auction.trump is not None):
            self._draw_trick(trick)
        elif auction is not None and auction.bidder is not None:
            self._draw_contract(11)
        else:
            self._big(11, self._say("no-bid"), (Font.BOLD, Font.TEXT))
        draw_choices(self.canvas, 36, labels_of(sheet, self.words), self.seen.cursor)
        said, laid = self._sheet_text(sheet), self._laid(trick, auction)
        self._foot(said, laid if self._is_room(said, laid) else "")

    def _sheet_text(self, sheet: Sheet) -> str:
        return "" if sheet.text is None else self._say(sheet.text.code, **dict(sheet.text.facts))

    def _is_room(self, left: str, right: str) -> bool:
        """Whether both fit into one line of small letters."""
        return width(left, Font.TINY) + width(right, Font.TINY) <= self.canvas.columns - 8

    def _laid(self, trick: Trick | None, auction: Auction | None) -> str:
        """What a seat has won or laid out: its side's tricks, or its melds."""
        own = next((melds for melds in self._blocks(Melds) if melds.seat == self.seen.seat), None)
        if own is not None:
            return self._say("own-melds", count=len(own.melds))
        playing = trick is not None and (auction is None or auction.trump is not None)
        return self._tricks(trick) if trick is not None and playing else ""

    def _draw_question(self, ask: Ask) -> None:
        """A question of the table itself. A lock is to be seen from afar."""
        whole, short = self._ask_text(Length.LINE), self._ask_text(Length.OLED)
        if ask.prompt == "locked":
            self._head(whole)
            self._big(10, short)
        else:
            self._head(self._who())
            self._big(10, whole if width(whole, Font.TEXT) <= room_of(self.canvas) else short)
        self._draw_choices(ask, 36)

    def _draw_match_over(self, score: Score) -> None:
        own = next((side for side in score.sides if self.seen.seat in side), ())
        won = bool(own) and own[0] in score.winners
        self._head(self._who(), "")
        if won:
            self._big(10, self._say("won"))
        else:
            self._big(10, self._say("lost" if score.winners else "void"))
        if self.seen.ask is not None and self.seen.cursor is not None:
            self._draw_choices(self.seen.ask, 36)
            return
        self._draw_final(score)
        if score.winners and not won:
            self.canvas.text(64, 46, self._winners(score), Font.SMALL, align=Align.CENTRE, room=127)
        if self.seen.ask is not None:
            self._foot(self._ask_text(Length.LINE))

    def _draw_final(self, score: Score) -> None:
        """All totals, in two lines where one is too short."""
        lines, font = final_lines(score, self.seen.seat, room_of(self.canvas))
        y = 28 + (20 - font.height * len(lines)) // 2
        for line in lines:
            self.canvas.text(self.canvas.columns // 2, y, line, font, align=Align.CENTRE)
            y += font.height

    def _winners(self, score: Score) -> str:
        """Who has won, by name where that has room."""
        said = [spoken.table("lost", Length.LINE, winners=score.winners) for spoken in (self.words, self.plain)]
        return next((text for text in said if width(text, Font.SMALL) < self.canvas.columns), said[-1])

    def _draw_dealing(self, dealing: DealingView) -> None:
        mine, size = dealing.dealer == self.seen.seat, dealing.size
        deals = self._say("you-deal") if mine else self._seat_or_name("deals", dealing.dealer)
        if mine and self.seen.ask is not None and self.seen.ask.prompt == "dealing" and self.seen.cursor is not None:
            self._draw_question(self.seen.ask)
            return
        self._head(deals)
        if dealing.again is not None:
            owner, place = dealing.again
            self._big(11, self._say("again", seat=owner, place=place))
            self._paragraph(34, self._line("again", seat=owner, place=place))
            return
        if dealing.wanted is not None:
            self._draw_wanted(dealing.wanted, mine)
            return
        if dealing.way is Way.SCAN_IN and dealing.begun:
            self._draw_scanning(dealing)
            return
        if not dealing.next_seat:
            self._big(11, self._ask_text(Length.OLED) if mine else self._ended() or deals)
            text = self._line(f"way-{dealing.way}", size=size)
            self._paragraph(34, text)
            self._foot(self._ask_text(Length.LINE) if mine else "")
            return
        to_me = dealing.next_seat == self.seen.seat
        ended = self._ended() if not any(dealing.counts) else ""
        whose = self._say("card-to-you") if to_me else self._card_to(dealing.next_seat, Font.LARGE)
        dealt, total = sum(dealing.counts), size * len(dealing.counts)
        if ended:
            self._big(6, ended, (Font.BOLD, Font.TEXT))
            self._big(24, whose)
        else:
            self._big(10, whose)
            self.canvas.bar(4, 34, 120, 8, dealt / total)
        own = (dealing.counts[self.seen.seat - 1], size) if self.seen.seat else (dealt, total)
        read = self._say("read", count=own[0], size=own[1])
        text = read if dealing.begun else self._line(f"way-{dealing.way}", size=size)
        self.canvas.text(64, 45 if ended else 44, text, Font.SMALL, align=Align.CENTRE, room=126)

    def _seat_or_name(self, what: str, seat: int, room: int | None = None) -> str:
        """Who does something, by name where there is one, cut so that the score has room beside it."""
        if not self._name(seat):
            return self._say(f"seat-{what}", seat=seat)
        room = self._head_room() if room is None else room
        return self._say(f"name-{what}", name=self._short(seat, self._say(f"name-{what}", name=""), Font.TINY, room))

    def _card_to(self, seat: int, font: Font) -> str:
        """To whom the next card goes; a name is cut to what has room in this font."""
        length = Length.OLED if font is Font.LARGE else Length.LINE
        if not self._name(seat):
            return self.words.table("card-to", length, seat=seat)
        name = self._short(seat, self.words.table("card-to-name", length, name=""), font, room_of(self.canvas))
        return self.words.table("card-to-name", length, name=name)

    def _draw_scanning(self, dealing: DealingView) -> None:
        """Each seat shows its own hand: how many of it are read, and which seats miss some."""
        own, size = dealing.counts[self.seen.seat - 1], dealing.size
        self._big(10, self._say("scan-count", count=own, size=size))
        self.canvas.bar(4, 34, 120, 8, own / size)
        text = self._say("show-hand" if own < size else "hand-read")
        self.canvas.text(64, 44, text, Font.SMALL, align=Align.CENTRE, room=126)
        self._draw_missing(dealing)

    def _draw_missing(self, dealing: DealingView) -> None:
        """In the foot line who has not all cards yet; where not all of them have room there, that goes round."""
        short, before = missing(dealing.counts, dealing.size), self._say("missing", missing=())
        if not short:
            self._foot("")
            return
        letters = (self.canvas.columns - 2) // Font.TINY.cell - len(before)
        said = lacking(short, self.seen.names, letters)
        whole = lacking(short, self.seen.names, _ENDLESS)
        self._foot("" if said.endswith("…") else before + said)
        if said.endswith("…"):
            self.canvas.going_round(1, self.canvas.rows - 8, before + whole, Font.TINY, self.canvas.columns - 2)

    def _draw_wanted(self, line: str, mine: bool) -> None:
        """A card that everybody may see is still needed, such as a turn-up."""
        if mine and self.seen.ask is not None and self.seen.cursor is not None:
            self._head(self._ask_text(Length.OLED))
            self._draw_choices(self.seen.ask, 30)
            return
        self._big(11, self.words.ask(line, Length.OLED))
        self._paragraph(34, self.words.ask(line, Length.LINE))
        if mine:
            self._foot(self._say("tap" if self.seen.tapping else "hidden-list"))

    def _ended(self) -> str:
        """How the last deal ended, with the own side's score first as in the head line; empty when none did."""
        notices = self._block(Notices)
        for notice in notices.notices if notices is not None else ():
            if notice.code in ("deal-scored", "thrown-in", "redeal"):
                own = Notice(notice.code, tuple((name, self._own_first(value)) for name, value in notice.facts))
                said = self.words.notice(own, Length.OLED)
                if width(said, Font.TEXT) <= room_of(self.canvas):
                    return said
                alone = tuple((name, value[:1] if isinstance(value, tuple) else value) for name, value in own.facts)
                return self.words.notice(Notice(notice.code, alone), Length.OLED)
        return ""

    def _own_first(self, value: Fact) -> Fact:
        """Figures by side with those of the own side before the others."""
        score = self._block(Score)
        if not isinstance(value, tuple) or score is None:
            return value
        own = next((side[0] for side in score.sides if self.seen.seat in side), 0)
        pairs = [item for item in value if isinstance(item, tuple)]
        return tuple(sorted(pairs, key=lambda pair: pair[0] != own)) if len(pairs) == len(value) else value

    def _draw_play(self) -> None:
        seen, turn = self.seen, self._block(Turn)
        self._head(self._subject())
        if self._block(Piles) is not None:
            self._draw_piles()
            return
        trick, auction = self._block(Trick), self._block(Auction)
        asked = seen.ask is not None and bool(verbs_of(seen.ask))
        playing = auction is None or auction.trump is not None
        if trick is not None and playing:
            self._draw_trick(trick)
        elif auction is not None:
            self._draw_calls(auction, 8 if asked else 12)
        if seen.ask is not None and (verbs_of(seen.ask) or seen.cursor is not None):
            self._draw_choices(seen.ask, 36)
        elif seen.ask is not None:
            self._big(35, self._ask_text(Length.OLED), (Font.LARGE, Font.BOLD, Font.TEXT))
            self._foot(self._say("tap" if seen.tapping else "hidden-list"))
        elif turn is not None and turn.seats:
            self._draw_who_acts(turn.seats[0])
            if trick is not None and playing:
                tricks = self._tricks(trick)
                self._foot(tricks, self._partner(self.canvas.columns - width(tricks, Font.TINY) - 8))
            else:
                self._foot(self._calls(auction))

    def _subject(self) -> str:
        """What the head line is about: the contract; where that stands below in large letters, the partner."""
        auction, trick = self._block(Auction), self._block(Trick)
        room = self._head_room()
        bidding = auction is not None and auction.trump is None and not self._names_trump(auction)
        led = trick is not None and bool(trick.plays or trick.last)
        large = bidding or (auction is not None and auction.trump is not None and not led)
        return (self._partner(room) if large else "") or self._contract(Font.TINY, room)

    def _names_trump(self, auction: Auction) -> bool:
        """Whether the seat that won the auction is asked what is trump, in letters that leave no room for its bid."""
        return self.seen.ask is not None and auction.bidder == self.seen.seat

    def _draw_piles(self) -> None:
        """Piles and melds: what lies on the table above, what the seat is asked or who acts below."""
        seen, turn, piles, line = self.seen, self._block(Turn), self._block(Piles), self._block(Line)
        assert piles is not None
        if seen.ask is not None and seen.cursor is not None:
            self._head(self._ask_text(Length.OLED))
            if seen.given:
                self._draw_given(seen.given)
            else:
                draw_piles_small(self.canvas, self.words, piles, line)
            self._draw_choices(seen.ask, 36)
            return
        draw_piles(self.canvas, self.words, piles, line, hand_counts(self._blocks(Hand)))
        if seen.ask is not None:
            self._big(36, self._ask_text(Length.OLED), (Font.BOLD, Font.TEXT))
            cards = sum(isinstance(token, Card) for token in seen.given)
            hint = self._say("tap" if seen.tapping else "hidden-list")
            self._foot(self._say("given", count=cards) if cards else hint)
        elif turn is not None and turn.seats:
            self._draw_who_acts(turn.seats[0])

    def _draw_given(self, given: tuple[Token, ...]) -> None:
        """What the seat has given so far towards an action."""
        labels = [self._token_text(token, Length.LINE if len(given) == 1 else Length.OLED)
                  for token in given if not isinstance(token, Card)]  # fmt: skip
        faces = [self._token_text(token) for token in given if isinstance(token, Card)]
        self.canvas.mixed(10, labels, faces[-_LAST_GIVEN:], None)

    def _draw_who_acts(self, seat: int) -> None:
        if not self._name(seat):
            self._big(36, self._line("seat-acts", seat=seat), (Font.BOLD, Font.TEXT, Font.SMALL))
            return
        room = room_of(self.canvas)
        font = Font.BOLD if width(self._line("name-acts", name=self._name(seat)), Font.BOLD) <= room else Font.TEXT
        name = self._short(seat, self._line("name-acts", name=""), font, room)
        self._big(36, self._line("name-acts", name=name), (font,))

    def _contract(self, font: Font, room: int) -> str:
        """Bidder, bid and trump, in full where they fit; before there is a bid the phase."""
        whole = self._contract_at(Length.LINE, font, _ENDLESS)
        return whole if width(whole, font) <= room else self._contract_at(Length.OLED, font, room)

    def _contract_at(self, trump: Length, font: Font, room: int) -> str:
        auction, turn = self._block(Auction), self._block(Turn)
        if auction is None or auction.bid is None or auction.bidder is None:
            return self.words.phase(turn.phase, Length.OLED) if turn is not None else ""
        bid = self.words.choice(auction.bid, Length.OLED)
        if auction.trump:
            bid = f"{bid} {self.words.choice(auction.trump, trump)}"
        if not self._name(auction.bidder):
            whole = self._say("from-seat", seat=auction.bidder, bid=bid)
            return whole if width(whole, font) <= room else f"{auction.bidder}: {bid}"
        return self._short(auction.bidder, f": {bid}", font, room) + f": {bid}"

    def _draw_contract(self, y: int) -> None:
        """The contract as large as it fits; a name that fits in no font is cut."""
        whole, room = self._contract_at(Length.OLED, Font.TEXT, _ENDLESS), room_of(self.canvas)
        font = next((font for font in (Font.LARGE, Font.BOLD) if width(whole, font) <= room), Font.TEXT)
        self._big(y, self._contract(font, room), (font,))

    def _draw_trick(self, trick: Trick) -> None:
        """The running trick; between two the last one, small, with its winner."""
        if trick.plays:
            for place, (seat, card) in enumerate(trick.plays):
                x = 2 + place * 32
                self._draw_owner(x + 1, 9, seat)
                self.canvas.chip(x, 18, self.words.card(card), Size.MEDIUM)
        elif trick.last and trick.winner is not None:
            notice = Notice("trick-won", (("seat", trick.winner), ("trick", sum(trick.won))))
            text = self.words.notice(notice, Length.OLED)
            if self._name(trick.winner):
                name = self._short(trick.winner, self._line("name-takes", name=""), Font.SMALL)
                text = self._line("name-takes", name=name)
            self.canvas.text(64, 9, text, Font.SMALL, align=Align.CENTRE, room=128)
            faces = [self.words.card(card) for _, card in trick.last]
            x = (self.canvas.columns - row_width(faces, Size.SMALL)) // 2
            self.canvas.chips(x, 19, faces, Size.SMALL)
        else:
            self._draw_contract(8 if self.seen.cursor is not None else 11)

    def _draw_owner(self, x: int, y: int, seat: int) -> None:
        """Whose card lies below: the partner's name is lit as a whole."""
        name, partner = self._short(seat, "", Font.TINY, 28), seat in self._partners()
        self.canvas.text(x, y, name, Font.TINY, inverse=partner)

    def _tricks(self, trick: Trick) -> str:
        """The tricks of each side, the own first."""
        score = self._block(Score)
        if score is None:
            return ""
        counts = sorted(
            ((side, sum(trick.won[seat - 1] for seat in side)) for side in score.sides),
            key=lambda pair: self.seen.seat not in pair[0],
        )
        return self._say("tricks", count=":".join(str(count) for _, count in counts))

    def _draw_calls(self, auction: Auction, y: int) -> None:
        """The bid to beat; where there is none, the question."""
        if self.seen.ask is not None and auction.bidder in (None, self.seen.seat):
            self._big(y, self._ask_text(Length.OLED))
        elif auction.bidder is None:
            self._big(y, self._say("no-bid"), (Font.BOLD, Font.TEXT))
        else:
            self._draw_contract(y)

    def _calls(self, auction: Auction | None) -> str:
        """The last calls, for those who wait."""
        calls = [] if auction is None else list(auction.calls[-3:])
        rests = [f": {self.words.choice(call, Length.OLED)}" for _, call in calls]
        while calls:
            room = self.canvas.columns - 2 - width("  ".join(rests), Font.TINY)
            letters = room // (len(calls) * Font.TINY.cell)
            if letters >= _FEWEST_LETTERS or not self.seen.names:
                break
            del calls[0], rests[0]
        names = [self._short(seat, "", Font.TINY, _ENDLESS)[:letters] for seat, _ in calls]
        return "  ".join(name + rest for name, rest in zip(names, rests, strict=True))

    def _draw_choices(self, ask: Ask, y: int) -> None:
        """The choices or cards of a question, the picked one lit."""
        trick, cursor = self._block(Trick), self.seen.cursor
        labels, faces = self._labels(ask), self._faces(ask)
        if labels and faces:
            self.canvas.mixed(y + 1, labels, faces, cursor)
        elif is_ranks(ask):
            draw_ranks(self.canvas, y + 1, faces, cursor)
        elif faces:
            tall = trick is None or not trick.plays  # a running trick needs the room
            draw_cards(self.canvas, faces, cursor, tall)
        else:
            draw_choices(self.canvas, y, labels, cursor)
        self._foot(how_to_choose(self.words, [*labels, *faces], cursor))

    def _labels(self, ask: Ask) -> list[str]:
        """What is written in boxes: all choices that stand for no cards. Words are cut short only where all do not have
        room in one row.
        """
        tokens = [*verbs_of(ask), *[END] * ask.end]
        labels = [self._token_text(token) for token in tokens]
        whole = [self._token_text(token, Length.LINE) if "." in text else text
                 for token, text in zip(tokens, labels, strict=True)]  # fmt: skip
        faces = self._faces(ask)
        beside = row_width(faces, Size.MEDIUM) + 2 if faces else 0
        return whole if columns_of(whole, Font.TEXT) + beside <= room_of(self.canvas) else labels

    def _faces(self, ask: Ask) -> list[str]:
        """What is drawn as cards: cards, and what stands for several of them."""
        return [self.words.pick(pick) for pick in picks_of(ask)] + [self.words.card(card) for card in ask.cards]

    def _token_text(self, token: Token, length: Length = Length.OLED) -> str:
        if isinstance(token, Card):
            return self.words.card(token)
        own = next((melds for melds in self._blocks(Melds) if melds.seat == self.seen.seat), None)
        if own is not None and token.startswith("to:"):
            number = int(token.removeprefix("to:"))
            return meld_name(self.words, number, own.melds[number - 1])
        return self.words.choice(token, length)
