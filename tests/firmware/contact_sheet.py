"""Every kind of screen that a seat can show, made from true matches, and the sheet that shows them beside each other.

.venv/bin/python tests/firmware/contact_sheet.py FILE.png [en|ru]
"""

import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PIL import Image, ImageDraw

from engine import entries
from engine.asks import Ask, Token
from engine.cards import UNKNOWN, parse_card
from engine.entries import Entry
from engine.game import Dealt, games
from engine.match import Match, ask, begin, check, lay_table, view
from engine.options import OptionValue
from engine.referee import Referee
from engine.values import Action, Notice, Refusal
from firmware.deal_lines import PROGRESS
from firmware.dealing import DEALT, DOUBT
from firmware.desk import LOCKED, NEXT_MATCH, NEXT_OR_OTHER
from firmware.narrowing import ROW, likely_of, row_of
from firmware.scanning import READ_HERE, READ_THERE, SCAN, SCANNING
from firmware.screens import draw
from firmware.seatview import DealingView, Message, SeatView, Sheet, TableText, items_of
from firmware.ways import Way
from firmware.words import Words

NAMES = ("Ann", "Ben", "Cleo", "Dan")
LONG_NAMES = ("Вероника-Аполлинария", "Maximilian von Holzhausen", "Cleo", "Константин")


class Scene(NamedTuple):
    """One screen: what it is about, and what it is drawn from."""

    title: str
    seen: SeatView


class Play:
    """A match that is entered action by action, and what a seat sees of it."""

    def __init__(
        self,
        seats: int = 4,
        rules: str = "standard",
        names: Sequence[str] = (),
        tracked: bool = True,
        **options: OptionValue,
    ) -> None:
        table = lay_table(games()["pepper"], seats, rules, tracked, options)
        self.names = tuple(names[:seats])
        self.referee = Referee(begin(table, names=self.names))

    @property
    def match(self) -> Match:
        return self.referee.match

    def enter(self, *given: Entry) -> "Play":
        """Enter what is accepted; raises AssertionError for anything else."""
        for entry in given:
            refusal = check(self.match, entry)  # the referee lets nobody begin with a result
            assert refusal is None, (entry, refusal)
            self.referee.accept(entry)
        return self

    def deal(self, dealer: int, *hands: str) -> "Play":
        """Deal these hands; none: all are unknown to the table."""
        seats = self.match.table.seats
        dealt = tuple(tuple(map(parse_card, hand.split())) for hand in hands) or (None,) * seats
        return self.enter(entries.Deal(dealer, Dealt(dealt)))

    def act(self, *tokens: str) -> "Play":
        """The seats to act give these tokens, one each, in turn."""
        for text in tokens:
            seat = self.match.table.game.to_act(self.match.deal)[0]
            token: Token = text if _is_choice(self.match, seat, text) else parse_card(text)
            action = ask(self.match, seat, (token,))
            assert isinstance(action, Action), (text, action)
            self.enter(action)
        return self

    def seen(
        self,
        seat: int,
        *,
        cursor: int | None = None,
        message: Message | None = None,
        dealing: DealingView | None = None,
        peeking: bool = False,
        tapping: bool = True,
        question: Ask | None = None,
        sheet: Sheet | None = None,
        lost: tuple[str, ...] = (),
    ) -> SeatView:
        """What a seat's display is drawn from."""
        asked = (sheet.ask if sheet else question) or (ask(self.match, seat, ()) if dealing is None else None)
        assert not isinstance(asked, Action)
        if asked is not None and 0 < len(items_of(asked)) <= ROW:
            asked = row_of(asked, (), likely_of(view(self.match, seat))).ask
        return SeatView(
            seat, view(self.match, seat), asked, cursor, (), message, dealing, peeking, tapping, self.names, lost,
            sheet=sheet, offered=asked.cards if asked is not None else (),
        )  # fmt: skip


def _is_choice(match: Match, seat: int, text: str) -> bool:
    asked = ask(match, seat, ())
    return isinstance(asked, Ask) and text in asked.choices


HANDS = ("JS AS KS QS 9C 10C", "AC KC QC AH KH AD", "9S 9D 10D 9H 10H JD", "10S JC QH JH QD KD")
EIGHT = ("AC KC QC JC 10C 9C AD KD", "QD JD 10D 9D AH KH QH JH", "10H 9H AS KS QS JS 10S 9S")


def scenes() -> Iterator[Scene]:
    """All scenes. The texts of messages have scenes of their own: `message_scenes`."""
    for names in ((), NAMES, LONG_NAMES):
        yield from pepper_scenes(names)
    yield from hand_scenes()


def pepper_scenes(names: Sequence[str]) -> Iterator[Scene]:
    """All scenes of Pepper with these names."""
    yield from play_scenes(names)
    yield from deal_scenes(names)
    yield from _ends(names)


def play_scenes(names: Sequence[str]) -> Iterator[Scene]:
    """The auction and the tricks."""
    yield from _auction(names)
    yield from _tricks(names)


def _auction(names: Sequence[str]) -> Iterator[Scene]:
    play = Play(names=names).deal(4, *HANDS)
    yield Scene("first to bid", play.seen(1))
    yield Scene("all bids, first", play.seen(1, cursor=0))
    yield Scene("all bids, last", play.seen(1, cursor=7))
    yield Scene("waits, no bid yet", play.seen(3))
    play.act("2")
    yield Scene("a bid stands", play.seen(2))
    play.act("little")
    yield Scene("little stands", play.seen(3, cursor=1))
    yield Scene("little stands, waits", play.seen(4))
    play.act("pass", "pass", "pass")
    yield Scene("names trump", play.seen(2))
    yield Scene("names trump, last", play.seen(2, cursor=4))
    yield Scene("waits for trump", play.seen(1))
    small = Play(3, "bowers", names).deal(3, *EIGHT)
    yield Scene("bids to 7", small.seen(1))
    yield Scene("bids to 7, 7", small.seen(1, cursor=6))
    yield Scene("bids to 7, pass", small.seen(1, cursor=9))
    small.act("6", "pass")
    yield Scene("6 stands", small.seen(3, cursor=0))
    yield Scene("two have called", small.seen(2))


def _tricks(names: Sequence[str]) -> Iterator[Scene]:
    play = Play(names=names).deal(4, *HANDS).act("4", "pass", "pass", "pass", "S")
    yield Scene("leads first", play.seen(1))
    yield Scene("leads, buttons only", play.seen(1, tapping=False))
    yield Scene("waits for the lead", play.seen(2))
    yield Scene("chooses a card", play.seen(1, cursor=2, tapping=False))
    play.act("9C")
    yield Scene("one card", play.seen(2))
    yield Scene("chooses to follow", play.seen(2, cursor=1))
    play.act("AC")
    yield Scene("two cards, waits", play.seen(1))
    play.act("9S")
    yield Scene("three cards", play.seen(4))
    yield Scene("three cards, last chooses", play.seen(4, cursor=0))
    play.act("JC")
    yield Scene("a trick ended, leads", play.seen(3))
    yield Scene("a trick ended, leads, chooses", play.seen(3, cursor=3))
    yield Scene("a trick ended, waits", play.seen(1))
    little = Play(names=names).deal(4, *HANDS).act("2", "little", "pass", "pass", "pass", "none")
    yield Scene("little, no trump, leads", little.seen(2))
    big = Play(names=names).deal(4, *HANDS).act("big", "none")
    yield Scene("big, no trump", big.seen(3))
    small = Play(3, "bowers", names).deal(3, *EIGHT).act("7", "pass", "pass", "H", "AD")
    yield Scene("7 hearts, three seats", small.seen(2))
    yield Scene("7 hearts, waits", small.seen(3))
    eight = Play(3, "bowers", names).deal(3, *EIGHT).act("6", "pass", "pass", "none")
    yield Scene("one of eight cards", eight.seen(1, cursor=0))
    yield Scene("the last of eight cards", eight.seen(1, cursor=7))
    hidden = Play(2, "bowers", names, tracked=False).deal(2).act("2", "pass", "D")
    yield Scene("any card of the pack", hidden.seen(1, cursor=0))
    yield Scene("any card, in the middle", hidden.seen(1, cursor=12, tapping=False))


def deal_scenes(names: Sequence[str]) -> Iterator[Scene]:
    """A deal in each of the three ways."""
    play = Play(names=names)
    yield Scene("deal, first card", play.seen(4, dealing=DealingView(4, 1, (0, 0, 0, 0), 6)))
    yield Scene("deal, first card to me", play.seen(1, dealing=DealingView(4, 1, (0, 0, 0, 0), 6)))
    yield Scene("deal, first card, other", play.seen(2, dealing=DealingView(4, 1, (0, 0, 0, 0), 6)))
    yield Scene("deal, dealer", play.seen(4, dealing=DealingView(4, 3, (4, 4, 3, 3), 6, begun=True)))
    yield Scene("deal, to me", play.seen(3, dealing=DealingView(4, 3, (4, 4, 3, 3), 6, begun=True)))
    yield Scene("deal, other", play.seen(2, dealing=DealingView(4, 3, (4, 4, 3, 3), 6, begun=True)))
    doubt = DealingView(4, 3, (4, 4, 3, 3), 6, begun=True)
    yield Scene("deal, one card read twice", play.seen(4, dealing=doubt, question=DOUBT))
    yield Scene("deal, one card read twice, chooses", play.seen(4, dealing=doubt, question=DOUBT, cursor=0))
    yield Scene("deal, a card again", play.seen(4, dealing=doubt._replace(again=(2, 3))))
    yield Scene("deal, a card again, other", play.seen(2, dealing=doubt._replace(again=(2, 3))))
    hidden = Play(4, "standard", names, tracked=False)
    yield Scene(
        "concealed, dealer",
        hidden.seen(4, dealing=DealingView(4, 0, (0, 0, 0, 0), 6, way=Way.CONCEALED), question=DEALT),
    )
    concealed = DealingView(4, 0, (0, 0, 0, 0), 6, way=Way.CONCEALED)
    yield Scene("concealed, dealer picks", hidden.seen(4, dealing=concealed, question=DEALT, cursor=0))
    yield Scene("concealed, other", hidden.seen(2, dealing=DealingView(4, 0, (0, 0, 0, 0), 6, way=Way.CONCEALED)))
    played = Play(names=names).deal(4, *HANDS)
    played.act("4", "pass", "pass", "pass", "S", "9C", "AC", "9S", "JC", "9D", "KD", "QS", "AD", "AS", "KC",
               "9H", "10S", "JS", "QC", "10H", "QD", "KS", "AH", "10D", "QH", "10C", "KH", "JD", "JH")  # fmt: skip
    yield Scene("between deals, dealer", played.seen(1, dealing=DealingView(1, 2, (0, 0, 0, 0), 6)))
    yield Scene("between deals, first card", played.seen(2, dealing=DealingView(1, 2, (0, 0, 0, 0), 6)))
    yield Scene("between deals, other", played.seen(3, dealing=DealingView(1, 2, (0, 0, 0, 0), 6)))
    thrown = Play(4, "standard", names, tracked=False).deal(4).act("pass", "pass", "pass", "pass")
    yield Scene(
        "thrown in, dealer",
        thrown.seen(1, dealing=DealingView(1, 0, (0, 0, 0, 0), 6, way=Way.CONCEALED), question=DEALT),
    )
    yield Scene("thrown in, other", thrown.seen(2, dealing=DealingView(1, 0, (0, 0, 0, 0), 6, way=Way.CONCEALED)))
    three = Play(3, "bowers", names, partners=False)
    three.enter(entries.SetScore(1, -16), entries.SetScore(2, 24), entries.SetScore(3, 7))
    yield from _scanning(names, played)
    yield Scene("three scores", three.seen(2, dealing=DealingView(3, 1, (0, 0, 0), 8)))


def _scanning(names: Sequence[str], played: Play) -> Iterator[Scene]:
    play, begun = Play(names=names), DealingView(4, 0, (0, 0, 0, 0), 6, way=Way.SCAN_IN, begun=True)
    before, half = begun._replace(begun=False), begun._replace(counts=(6, 4, 3, 5))
    yield Scene("scan-in, dealer before", play.seen(4, dealing=before, question=SCAN))
    yield Scene("scan-in, dealer picks", play.seen(4, dealing=before, question=SCAN, cursor=0))
    yield Scene("scan-in, other before", play.seen(1, dealing=before))
    yield Scene("scan-in, between deals, dealer", played.seen(1, dealing=before._replace(dealer=1), question=SCAN))
    yield Scene("scan-in, between deals, other", played.seen(2, dealing=before._replace(dealer=1)))
    yield Scene("scan-in, no card yet", play.seen(1, dealing=begun, question=SCANNING))
    yield Scene("scan-in, dealer", play.seen(4, dealing=half, question=PROGRESS))
    yield Scene("scan-in, dealer chooses", play.seen(4, dealing=half, question=PROGRESS, cursor=1))
    yield Scene("scan-in, some missing", play.seen(2, dealing=half, question=SCANNING))
    yield Scene("scan-in, own hand read", play.seen(1, dealing=half))
    yield Scene("scan-in, read twice here", play.seen(2, dealing=half, question=READ_HERE, cursor=0))
    yield Scene("scan-in, read at two seats", play.seen(2, dealing=half, question=READ_THERE, cursor=0))
    six = begun._replace(counts=(0, 0, 0, 0, 0, 0), size=13)
    yield Scene("scan-in, six seats of thirteen", play.seen(2, dealing=six, question=SCANNING))
    yield Scene("menu of the dealer", play.seen(4, dealing=half, sheet=DEALERS_MENU, cursor=2))


def _ends(names: Sequence[str]) -> Iterator[Scene]:
    play = Play(names=names)
    play.enter(entries.SetScore(1, 31), entries.SetScore(2, -12))
    yield Scene("match won", play.seen(1, question=NEXT_MATCH))
    yield Scene("match lost", play.seen(4, question=NEXT_MATCH))
    yield Scene("another match?", play.seen(4, question=NEXT_MATCH)._replace(cursor=1))
    yield Scene("another match or game?", play.seen(4, question=NEXT_OR_OTHER)._replace(cursor=2))
    void = Play(names=names).enter(entries.VoidMatch())
    yield Scene("match void", void.seen(2, question=NEXT_MATCH))
    alone = Play(4, "standard", names, partners=False)
    alone.enter(entries.SetScore(2, 24), entries.SetScore(3, -28), entries.SetScore(4, 30))
    yield Scene("each alone, lost", alone.seen(1, question=NEXT_MATCH))
    running = Play(names=names).deal(4, *HANDS)
    yield Scene("menu", running.seen(1, sheet=MENU))
    yield Scene("menu, first", running.seen(1, sheet=MENU, cursor=0))
    yield Scene("menu, last", running.seen(1, sheet=MENU, cursor=2))
    yield Scene("locked", running.seen(1, question=LOCKED))


def hand_scenes() -> Iterator[Scene]:
    """What those see who peek."""
    play = Play(names=NAMES).deal(4, *HANDS)
    yield Scene("peeks at six", play.seen(1, peeking=True))
    eight = Play(3, "bowers", NAMES).deal(3, *EIGHT)
    yield Scene("peeks at eight", eight.seen(3, peeking=True))
    hidden = Play(4, "standard", NAMES, tracked=False)
    hidden.deal(4)
    yield Scene("peeks, none known", hidden.seen(2, peeking=True))
    hidden.enter(entries.SetHand(2, (*map(parse_card, ("AC", "10D", "KH")), UNKNOWN, UNKNOWN, UNKNOWN)))
    yield Scene("peeks, three known", hidden.seen(2, peeking=True))
    wide = Play(3, "bowers", NAMES, tracked=False).deal(3)
    wide.enter(entries.SetHand(1, (*map(parse_card, ["10C", "10D", "10H", "10S", "9C", "9D", "9H"]), UNKNOWN)))
    yield Scene("peeks, seven known", wide.seen(1, peeking=True))
    yield Scene("peeks at one", Play(2, "standard", NAMES).deal(
        2, "AC KC QC JC 10C 9C", "AD KD QD JD 10D 9D").act("1", "pass", "C", "AC", "AD", "KC", "KD", "QC", "QD",
        "JC", "JD", "10C", "10D").seen(1, peeking=True))  # fmt: skip


DEALERS_MENU = Sheet(Ask("menu", choices=("undo", "lock", "deal-anew", "go-on")))
MENU = Sheet(Ask("menu", choices=("undo", "lock", "go-on")))

TEN, NINE = parse_card("10H"), parse_card("9D")

MESSAGES: tuple[Message, ...] = (
    Refusal("unknown-action", "", (("verb", "meld"),)),
    Refusal("match-over", ""),
    Refusal("deal-over", ""),
    Refusal("not-your-turn", "5", (("turn", 3),)),
    Refusal("wrong-phase", "4"),
    Refusal("not-in-hand", "5", (("card", TEN),)),
    Refusal("nothing-to-undo", ""),
    Refusal("duplicate-card", "2", (("card", TEN),)),
    Refusal("wrong-count", "2", (("seat", 2), ("count", 5), ("expected", 6))),
    Refusal("not-in-pack", "1", (("card", parse_card("2C")),)),
    Refusal("already-passed", "3"),
    Refusal("bid-out-of-range", "3", (("bid", "7"), ("most", "5"))),
    Refusal("bid-too-low", "3", (("bid", "little"), ("standing", "big"))),
    Refusal("bid-too-low", "3", (("bid", "2"), ("standing", "little"))),
    Refusal("must-follow-suit", "5", (("card", TEN), ("suit", "D"))),
    Notice("trick-won", (("seat", 4), ("trick", 8))),
    Notice("auction-won", (("seat", 4), ("bid", "little"))),
    Notice("auction-won", (("seat", 4), ("bid", "big"))),
    Notice("thrown-in"),
    Notice("deal-scored", (("points", ((1, -16), (2, 3))), ("scores", ((1, -20), (2, 28))))),
    Notice("match-won", (("winners", (1,)), ("scores", ((1, 31), (2, -12))))),
    Notice("wrong-dealer", (("seat", 2), ("expected", 4))),
    Notice("revoke", (("seat", 4), ("trick", 8), ("played", TEN), ("card", NINE))),
    Notice("out-of-turn", (("seat", 4),)),
    TableText("dealt-already", (("seat", 3), ("place", 6), ("back", 24)), bad=True),
    TableText("not-of-this-game", bad=True),
    TableText("restarted", bad=True),
    TableText("deal-lost", bad=True),
    TableText("lift-first", bad=True),
    TableText("not-kept", (("card", TEN),), bad=True),
    TableText("in-your-hand", (("card", TEN),), bad=True),
    TableText("lies-elsewhere", (("card", TEN),), bad=True),
    TableText("played-by", (("card", TEN), ("seat", 3)), bad=True),
    TableText("show-missing", (("seat", 3),)),
    TableText("call-director"),
    TableText("journal-restored", bad=True),
    TableText("journal-restored-all", (("count", 0),), bad=True),
    TableText("journal-restored-count", (("count", 128),), bad=True),
    TableText("journal-anew", bad=True),
    TableText("journal-kept", (("count", 128),), bad=True),
    TableText("one-at-a-time", bad=True),
    TableText("one-place", bad=True),
    TableText("unknown-tag", bad=True),
    TableText("pad-is-for-dealing", bad=True),
    TableText("still-dealing", bad=True),
    TableText("withdrawn"),
    TableText("before-scanning", (("seat", 4),), bad=True),
    TableText("own-reader", bad=True),
    TableText("hand-full", (("size", 13),), bad=True),
    TableText("misdeal", (("seat", 4),)),
    TableText("missing", (("missing", ((1, 3), (2, 5), (4, 6))),), bad=True),
    TableText("missing", (("missing", tuple((seat, 13) for seat in range(1, 7))),), bad=True),
    TableText("moved-away", (("seat", 4),)),
    TableText("read-here", (("place", 13),)),
    TableText("read-there", (("seat", 4),), bad=True),
    TableText("asked-already", bad=True),
    TableText("assent-lost", (("names", "Alexandra"),), bad=True),
    TableText("assent-void"),
    TableText("refused-by", (("name", "Alexandra"),), bad=True),
    TableText("wish-withdrawn"),
    TableText("wrong-pin", bad=True),
    TableText("pin-wait", (("seconds", 30),), bad=True),
    TableText("pin-length", (("least", 4), ("most", 8)), bad=True),
    TableText("pin-once-more"),
    TableText("pins-differ", bad=True),
    TableText("director-card-wanted", bad=True),
    TableText("no-score", bad=True),
    TableText("cards-given", (("count", 5), ("most", 13))),
    TableText("noted"),
    TableText("corrected"),
    TableText("line-refused", (("line", "director hand 2: AC"), ("number", 123)), bad=True),
    TableText("counted-already", (("card", TEN),)),
    TableText("not-saved", bad=True),
    TableText("locked", bad=True),
    TableText("disk-full", bad=True),
    TableText("disk-low", bad=True),
    TableText("log-lost", bad=True),
    TableText("save-late", (("seconds", 5),), bad=True),
    TableText("device-lost", (("device", "seat 2 reader"),), bad=True),
    TableText("device-lost", (("device", "seat 2 display"),), bad=True),
    TableText("device-lost", (("device", "seat 2 buttons"),), bad=True),
    TableText("device-lost", (("device", "dealing reader"),), bad=True),
    TableText("button-stuck", (("button", "left"),), bad=True),
    TableText("button-stuck", (("button", "ok"),), bad=True),
    TableText("cards-open", (("seat", 4),)),
    TableText("deal-runs", bad=True),
    TableText("deck-changed", (("file", "blue.csv"), ("folder", "/etc/tableref")), bad=True),
    TableText("deck-reread", (("file", "blue.csv"), ("folder", "/etc/tableref"), ("count", 52))),
    TableText("deck-unread", (("file", "blue.csv"), ("folder", "/etc/tableref")), bad=True),
    TableText("deck-not-saved", (("file", "blue.csv"), ("folder", "/etc/tableref")), bad=True),
    TableText("deck-unfinished", (("count", 104),)),
    TableText("other-deck", (("deck", "deck:yellow"),), bad=True),
    TableText("tag-is-old", (("card", TEN),), bad=True),
    TableText("tag-of-deck", (("card", TEN), ("deck", "deck:yellow")), bad=True),
    TableText("tag-odd", (("size", 10), ("most", 7)), bad=True),
    TableText("tag-random", bad=True),
    TableText("tag-replaced", (("card", TEN),)),
    TableText("tag-taken", (("card", TEN),), bad=True),
)
"""A message of every code, with the longest facts that occur."""


def message_scenes() -> Iterator[Scene]:
    """Every message at a seat of a running deal."""
    play = Play(names=NAMES).deal(4, *HANDS)
    for message in MESSAGES:
        yield Scene(message.code, play.seen(2, message=message))
    for message in MESSAGES:
        if isinstance(message, Refusal):
            yield Scene(f"{message.code}, by a card", play.seen(2, message=message)._replace(shown=TEN))


def sheet(shown: Sequence[Scene], words: Words, across: int = 6, scale: int = 2) -> Image.Image:
    """The scenes beside each other, with their titles."""
    width, height = 128 * scale + 12, 64 * scale + 22
    picture = Image.new("RGB", (width * across, height * -(-len(shown) // across)), "#303040")
    pen = ImageDraw.Draw(picture)
    for place, scene in enumerate(shown):
        x, y = place % across * width + 6, place // across * height + 16
        pen.text((x, y - 13), scene.title, fill="white")
        picture.paste(draw(scene.seen, words).resize((128 * scale, 64 * scale)), (x, y))
    return picture


if __name__ == "__main__":
    file, language = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "en"
    sheet([*scenes(), *message_scenes()], Words(games()["pepper"], language)).save(file)
