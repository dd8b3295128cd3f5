"""A seat's display, drawn from its view: 128 by 64 pixels of what this player needs now.

Screens know the blocks of a view and no game. The order of importance: the own cards while peeking, then what went
wrong, then the match, the deal, and the play.
"""

from collections.abc import Sequence
from typing import TypeVar

from PIL import Image

from engine.asks import Ask, Token
from engine.cards import Card
from engine.values import Fact, Notice
from engine.view import Auction, Block, Hand, Notices, Score, Trick, Turn
from firmware.drawing import FOOT, HEAD, Align, Canvas
from firmware.faces import Size
from firmware.glyphs import Font, width
from firmware.seatview import DealingView, Message, SeatView
from firmware.words import Length, Words

BlockT = TypeVar("BlockT", bound=Block)


def draw(seen: SeatView, words: Words) -> Image.Image:
    """The picture of a seat's display."""
    return _Screen(seen, words).draw()


class _Screen:
    """One picture in the making."""

    def __init__(self, seen: SeatView, words: Words) -> None:
        self.seen = seen
        self.words = words
        self.canvas = Canvas()

    def draw(self) -> Image.Image:
        seen = self.seen
        score = self._block(Score)
        if seen.peeking and self._hand() is not None:
            self._draw_hand()
        elif seen.message is not None:
            self._draw_message(seen.message)
        elif seen.ask is not None and seen.ask.prompt == "menu":
            self._head(self._ask_text(Length.LINE))
            self._draw_choices(seen.ask, 26)
        elif score is not None and score.over:
            self._draw_match_over(score)
        elif seen.dealing is not None:
            self._draw_dealing(seen.dealing)
        else:
            self._draw_play()
        return self.canvas.image

    # Parts

    def _block(self, kind: type[BlockT]) -> BlockT | None:
        return next((block for block in self.seen.view.blocks if isinstance(block, kind)), None)

    def _hand(self) -> Hand | None:
        hands = [block for block in self.seen.view.blocks if isinstance(block, Hand)]
        return next((hand for hand in hands if hand.seat == self.seen.seat), None)

    def _say(self, code: str, **facts: Fact) -> str:
        return self.words.table(code, Length.OLED, **facts)

    def _line(self, code: str, **facts: Fact) -> str:
        return self.words.table(code, Length.LINE, **facts)

    def _ask_text(self, length: Length) -> str:
        return self.words.ask(self.seen.ask.prompt, length) if self.seen.ask is not None else ""

    def _name(self, seat: int) -> str:
        return self.seen.names[seat - 1] if self.seen.names else ""

    def _head(self, left: str, right: str | None = None) -> None:
        self.canvas.strip(HEAD, left, self._score() if right is None else right)

    def _score(self) -> str:
        """The totals, the own side first."""
        score = self._block(Score)
        if score is None:
            return ""
        pairs = zip(score.sides, score.totals, strict=True)
        own_first = sorted(pairs, key=lambda pair: self.seen.seat not in pair[0])
        return ":".join(str(total) for _, total in own_first)

    def _foot(self, left: str, right: str = "") -> None:
        self.canvas.strip(FOOT, left, right, inverse=False)

    def _big(self, y: int, text: str, fonts: Sequence[Font] = (Font.LARGE, Font.TITLE, Font.BOLD, Font.TEXT)) -> None:
        """A text in the largest of these fonts that holds it, in the middle of the line."""
        room = self.canvas.columns
        font = next((font for font in fonts if width(text, font) <= room), fonts[-1])
        self.canvas.text(room // 2, y + (20 - font.height) // 2, text, font, align=Align.CENTRE, room=room)

    # Screens

    def _draw_hand(self) -> None:
        hand = self._hand()
        assert hand is not None
        self._head(self._say("hand"), str(len(hand.cards) + hand.unknown))
        faces = [self.words.card(card) for card in _by_suit(hand.cards)]
        if not faces:
            self._big(24, self._say("more-unknown", count=hand.unknown))
            return
        rows = 46 if hand.unknown else 55
        self.canvas.hand(10, faces, rows)
        if hand.unknown:
            self._foot(self._say("more-unknown", count=hand.unknown))

    def _draw_message(self, message: Message) -> None:
        self._head(self._who(), None)
        short, full = (self.words.message(message, length) for length in (Length.OLED, Length.LINE))
        self._big(10, short)
        self.canvas.paragraph(1, 34, full, Font.TEXT, lines=2, room=126, align=Align.CENTRE, leading=14)

    def _who(self) -> str:
        """The player's name, or the number of the seat."""
        return self._name(self.seen.seat) or self._say("seat-acts", seat=self.seen.seat)

    def _draw_match_over(self, score: Score) -> None:
        own = next((side for side in score.sides if self.seen.seat in side), ())
        won = bool(own) and own[0] in score.winners
        self._head(self._who(), "")
        if won:
            self._big(10, self._say("won"))
        else:
            self._big(10, self._say("lost" if score.winners else "void"))
        self._big(32, self._score().replace(":", " : "))
        if self.seen.ask is not None:
            self._foot(self._ask_text(Length.LINE))

    def _draw_dealing(self, dealing: DealingView) -> None:
        mine = dealing.dealer == self.seen.seat
        seat, size = dealing.dealer, dealing.size
        self._head(self._say("you-deal") if mine else self._say("seat-deals", seat=seat))
        if not dealing.next_seat:
            scored = self._scored()
            if mine:
                self._big(12, self._ask_text(Length.OLED))
            elif scored:
                self._big(12, scored)
            self.canvas.paragraph(1, 40, self._line("you-deal" if mine else "seat-deals", seat=seat, size=size),
                                  Font.SMALL, lines=1, room=126, align=Align.CENTRE)  # fmt: skip
            self._foot(self._ask_text(Length.LINE) if mine else "")
            return
        to_me = dealing.next_seat == self.seen.seat
        scored = self._scored() if not any(dealing.counts) else ""
        if scored:
            self._big(10, scored)
        else:
            self._big(10, self._say("card-to-you") if to_me else self._say("card-to", seat=dealing.next_seat))
        dealt, total = sum(dealing.counts), size * len(dealing.counts)
        self.canvas.bar(4, 34, 120, 8, dealt / total)
        own = dealing.counts[self.seen.seat - 1]
        self.canvas.text(64, 44, self._say("read", count=own, size=size), Font.SMALL, align=Align.CENTRE, room=126)
        if scored:
            self._foot(self._line("card-to-you") if to_me else self._line("card-to", seat=dealing.next_seat))

    def _scored(self) -> str:
        """What the last deal scored, the own side's way of writing it; empty when nothing was."""
        notices = self._block(Notices)
        for notice in notices.notices if notices is not None else ():
            if notice.code in ("deal-scored", "thrown-in"):
                return self.words.notice(notice, Length.OLED)
        return ""

    def _draw_play(self) -> None:
        seen, turn = self.seen, self._block(Turn)
        self._head(self._contract())
        trick, auction = self._block(Trick), self._block(Auction)
        asked = seen.ask is not None and bool(seen.ask.choices)
        playing = auction is None or auction.trump is not None
        if trick is not None and playing:
            self._draw_trick(trick)
        elif auction is not None:
            self._draw_calls(auction, 8 if asked else 12)
        if seen.ask is not None and (seen.ask.choices or seen.cursor is not None):
            self._draw_choices(seen.ask, 36)
        elif seen.ask is not None:
            self._big(35, self._ask_text(Length.OLED), (Font.LARGE, Font.BOLD, Font.TEXT))
            self._foot(self._say("tap" if seen.tapping else "hidden-list"))
        elif turn is not None and turn.seats:
            name = self._name(turn.seats[0])
            text = self._line("name-acts", name=name) if name else self._line("seat-acts", seat=turn.seats[0])
            self._big(36, text, (Font.BOLD, Font.TEXT, Font.SMALL))
            self._foot(self._tricks(trick) if trick is not None and playing else "")

    def _contract(self) -> str:
        """Bidder, bid and trump in the head line; before the play the phase."""
        auction, turn = self._block(Auction), self._block(Turn)
        if auction is None or auction.bid is None or auction.bidder is None:
            return self.words.phase(turn.phase, Length.OLED) if turn is not None else ""
        bid = self.words.choice(auction.bid, Length.OLED)
        trump = self.words.choice(auction.trump, Length.OLED) if auction.trump else ""
        return f"{self._short(auction.bidder)}: {bid} {trump}".rstrip()

    def _short(self, seat: int) -> str:
        return self._name(seat) or str(seat)

    def _draw_trick(self, trick: Trick) -> None:
        """The running trick; between two the last one, small, with its winner."""
        if trick.plays:
            for place, (seat, card) in enumerate(trick.plays):
                x = 2 + place * 32
                self.canvas.text(x + 1, 9, self._short(seat), Font.TINY, room=30)
                self.canvas.chip(x, 18, self.words.card(card), Size.MEDIUM)
        elif trick.last and trick.winner is not None:
            facts: dict[str, Fact] = {"seat": trick.winner, "trick": sum(trick.won)}
            notice = Notice("trick-won", tuple(facts.items()))
            self.canvas.text(64, 10, self.words.notice(notice, Length.LINE), Font.SMALL, align=Align.CENTRE, room=128)
            faces = [self.words.card(card) for _, card in trick.last]
            self.canvas.chips(8, 22, faces, Size.SMALL)
        else:
            self._big(11, self._contract())

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
        """The standing bid; for those who wait also the last calls before it."""
        if auction.bid is None or auction.bidder is None:
            self._big(y, self._say("no-bid"), (Font.BOLD, Font.TEXT))
        else:
            bid = self.words.choice(auction.bid, Length.LINE)
            self._big(y, f"{self._short(auction.bidder)}: {bid}")
        if self.seen.ask is None:
            calls = [(self._short(seat), self.words.choice(call, Length.OLED)) for seat, call in auction.calls[-3:]]
            self._foot("  ".join(f"{seat}: {call}" for seat, call in calls))

    def _draw_choices(self, ask: Ask, y: int) -> None:
        """The choices or cards of a question, the picked one lit; many choices in two rows."""
        if ask.cards:
            faces = [self._token_text(card) for card in ask.cards]
            self.canvas.chips(0, y + 1, faces, Size.MEDIUM, selected=self.seen.cursor)
        else:
            labels = [self._token_text(choice) for choice in (*ask.choices, *(["end"] if ask.end else []))]
            if sum(width(label, Font.TEXT) + 8 for label in labels) <= self.canvas.columns + 2:
                self.canvas.choices(y, labels, self.seen.cursor, Font.TEXT)
                self._foot(self._say("choose"))
                return
            first = self._first_row(labels)
            for row, start, end in ((y - 7, 0, first), (y + 7, first, len(labels))):
                here = self.seen.cursor is not None and start <= self.seen.cursor < end
                selected = (self.seen.cursor or 0) - start if here else None
                self.canvas.choices(row, labels[start:end], selected, Font.SMALL)
        self._foot(self._say("choose"))

    def _first_row(self, labels: Sequence[str]) -> int:
        """How many of the choices stand in the first of two rows."""
        used = 0
        for place, label in enumerate(labels):
            used += width(label, Font.SMALL) + 8
            if used > self.canvas.columns + 2:
                return place
        return len(labels)

    def _token_text(self, token: Token) -> str:
        return self.words.card(token) if isinstance(token, Card) else self.words.choice(token, Length.OLED)


def _by_suit(cards: Sequence[Card]) -> list[Card]:
    """Black and red suits in turn, ranks upwards with the ace on top."""
    return sorted(cards, key=lambda card: ("CDSH".find(card.suit), (card.face - 1) % 13))
