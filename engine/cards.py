"""One physical card as a small immutable value, its text both ways, and sets of cards as bit masks.

A card is an `int` below `CARD_COUNT`: `pack * 54 + face`, where faces 0–51 run A 2 … K within C D H S and 52, 53 are
the two jokers. A set of cards is an `int` with bit `1 << card` for each: hands are compared and cut with `&` and `|`.

In notation a card may be written without its pack. `7D` (and `JK`) then means any equal card that fits, and `7D'1` the
very card of the first pack, which has a number from `FIRST_PACK` on. What a written card may mean is in `COPIES`.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from engine.phrases import Phrase

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
FACES = 54
PACKS = 2
JOKER = 52
"""A joker written without its pack: any of them."""

CARD_COUNT = FACES * PACKS

FIRST_PACK = CARD_COUNT + 1
"""`FIRST_PACK + face` is, in notation only, the very card of the first pack."""

_SUIT_SIGNS = {sign: suit for signs in ("CDHS", "cdhs", "♣♦♥♠") for suit, sign in enumerate(signs)}
_RANK_TEXTS = {text: rank for rank, text in enumerate(RANKS)} | {"T": 9, "t": 9, "a": 0, "j": 10, "q": 11, "k": 12}


class CardError(ValueError):
    """A text that names no card. `offset` is the place of the first wrong character, counted from 0."""

    def __init__(self, problem: str, offset: int = 0) -> None:
        super().__init__(problem)
        self.offset = offset


class Card(int):
    """One physical card: a face and the pack that it belongs to. `Card("9D")`, `Card("9D'2")`, `Card("JK'1")`."""

    __slots__ = ()

    def __new__(cls, text: str) -> "Card":
        """Read a card; raises `CardError`. Lower case, `T` for 10 and the signs ♣♦♥♠ are read too."""
        return parse_card(text)

    @property
    def face(self) -> int:
        """0–51 for A 2 … K in C D H S, 52 and 53 for jokers."""
        return _FACE[self]

    @property
    def pack(self) -> int:
        """1 for the first pack, 2 for the second."""
        return 2 if FACES <= self < CARD_COUNT else 1

    @property
    def rank(self) -> str:
        """`A` … `K`, or `JK`."""
        return RANKS[self.face % 13] if self.face < 52 else "JK"

    @property
    def suit(self) -> str:
        """`C`, `D`, `H` or `S`; empty for a joker."""
        return SUITS[self.face // 13] if self.face < 52 else ""

    def __getnewargs__(self) -> tuple[str]:  # type: ignore[override] # copied and pickled by its text
        return (_TEXTS[self],)

    def __str__(self) -> str:
        return _TEXTS[self]

    def __repr__(self) -> str:
        return f'Card("{_TEXTS[self]}")'


def _text(number: int) -> str:
    if number == CARD_COUNT:
        return "??"
    if number == JOKER:
        return "JK"
    very = number >= FIRST_PACK
    pack, face = divmod(number - FIRST_PACK if very else number, FACES)
    if face >= 52:
        return f"JK'{pack * 2 + face - 51}"
    return RANKS[face % 13] + SUITS[face // 13] + (f"'{pack + 1}" if pack or very else "")


def _copies(number: int) -> tuple[int, ...]:
    if number == JOKER:
        return (52, 53, FACES + 52, FACES + 53)
    if number < 52:
        return (number, FACES + number)
    return (number,) if number < CARD_COUNT else (number - FIRST_PACK,) if number > CARD_COUNT else ()


_NUMBERS = range(FIRST_PACK + JOKER + 1)
_FACE = tuple(number % FACES if number < CARD_COUNT else (number - FIRST_PACK) % FACES for number in _NUMBERS)
_TEXTS = tuple(_text(number) for number in _NUMBERS)
CARDS = tuple(int.__new__(Card, number) for number in _NUMBERS)
"""Every card by its number: the physical ones, `UNKNOWN`, then the spellings `7D'1` of the first pack's."""

COPIES = tuple(_copies(number) for number in _NUMBERS)
"""The physical cards that a written card may mean, that of the lower pack first; none for `UNKNOWN`."""

COPIES_MASK = tuple(sum(1 << copy for copy in copies) for copies in COPIES)
"""The same as masks."""

PLAIN = tuple(number if number == CARD_COUNT else min(_FACE[number], JOKER) for number in _NUMBERS)
"""By number the equal card written without its pack: 0–51, or 52 for any joker; `UNKNOWN` is itself."""

UNKNOWN = CARDS[CARD_COUNT]
"""A card that the table has not seen, written `??`."""


@lru_cache(maxsize=1024)  # a record writes the same ones again and again
def parse_card(text: str) -> Card:
    """The card that a text names, with or without its pack; raises `CardError`."""
    if text == "??":
        return UNKNOWN
    face, mark, pack = text.partition("'")
    if mark and pack not in ("1", "2", "3", "4"):
        raise CardError(Phrase("{text!r} names no pack; expected '1 or '2 after the card", text=text), len(face) + 1)
    if face in ("JK", "jk", "Jk", "jK"):
        joker = int(pack or "1") - 1
        return CARDS[FIRST_PACK + JOKER if pack == "1" else joker // 2 * FACES + JOKER + joker % 2]
    if mark and pack not in ("1", "2"):
        raise CardError(Phrase("{text!r} names no pack; expected '1 or '2 after the card", text=text), len(face) + 1)
    return CARDS[{"": 0, "1": FIRST_PACK, "2": FACES}[pack] + _parse_face(face)]


def very(card: Card) -> Card:
    """The spelling that means this very physical card: `7D'1` for the first pack's 7D."""
    return CARDS[FIRST_PACK + card] if card <= JOKER else card


def physical(card: Card) -> Card:
    """The physical card that a spelling means first: the first pack's where no pack is written."""
    return CARDS[COPIES[card][0]] if COPIES[card] else card


def of_one_pack(card: Card) -> Card:
    """The card where there is one pack only: `9D'1` is `9D`; jokers are still told apart."""
    return CARDS[card - FIRST_PACK] if FIRST_PACK <= card < FIRST_PACK + JOKER else card


def _parse_face(text: str) -> int:
    offset = next((place for place, letter in enumerate(text) if "\u0400" <= letter <= "\u04ff"), None)
    if offset is not None:
        expected = Phrase("expected Latin letters: a rank A 2 3 4 5 6 7 8 9 10 J Q K, then a suit C D H S")
        raise CardError(Phrase("{text} is no card; {expected}", text=shown(text), expected=expected), offset)
    if not text:
        raise CardError(Phrase("expected a card such as 9D, 10S or JK"))
    suit = parse_suit(text[-1])
    if suit is None:
        raise CardError(
            Phrase("{text} is no card; expected a suit C, D, H or S at its end", text=shown(text)), len(text) - 1
        )
    rank = _RANK_TEXTS.get(text[:-1])
    if rank is None:
        raise CardError(
            Phrase("{text} is no card; expected a rank A 2 3 4 5 6 7 8 9 10 J Q K before the suit", text=shown(text))
        )
    return suit * 13 + rank


_SHOWN = 60
"""Letters of a wrong text that a message repeats."""


def shown(text: str) -> str:
    """A text for a message about it, cut; a Cyrillic letter in it, which may look like a Latin one, is named."""
    text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    letter = next((letter for letter in text if "\u0400" <= letter <= "\u04ff"), None)
    if letter is None:
        return repr(text)
    return Phrase("{text!r} (with the Cyrillic letter {letter!r})", text=text, letter=letter)


def parse_suit(text: str) -> int | None:
    """The number of a suit, 0–3 for C D H S, written as a letter or as a sign; None for anything else."""
    return _SUIT_SIGNS.get(text)


_ALL = (1 << CARD_COUNT) - 1


def mask(cards: Iterable[int]) -> int:
    """The set of these cards; an unknown card is in no set."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits & _ALL


@lru_cache(maxsize=16)
def pack_of(bits: int) -> tuple[Card, ...]:
    """The cards of a pack, lowest number first."""
    return tuple(cards_of(bits))


def cards_of(bits: int) -> Iterator[Card]:
    """The cards of a set, lowest number first."""
    while bits:
        low = bits & -bits
        yield CARDS[low.bit_length() - 1]
        bits ^= low
