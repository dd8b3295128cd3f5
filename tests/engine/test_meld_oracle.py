"""Melds and laying against a slow second reading of the rules (`meld_oracle`), and that one against worked examples.

More examples: `--hypothesis-profile=soak`, or any other profile that asks for more.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

import meld_oracle as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from meld_oracle import JOKER, RUN, SET, Piece, Rules

from engine.cards import CARD_COUNT, CARDS, FACES, Card, cards_of, mask
from engine.laying import Laid, lay_all, lay_most
from engine.melds import Meld, MeldRules, faults, melds_in, read_meld
from engine.pieces import piece, piece_card, piece_face

STANDARD = Rules()
WIPE = Rules(wild=frozenset([JOKER, Card("8D"), Card("8H")]), first="pure-sequence")
"""With the negative joker 8S."""
POSSESSION = Rules(ace_high=False, wild=frozenset(), identical=True, first="any")
"""With `sets`."""

FIRST = ("any", "pure", "pure-sequence")
MOST_CARDS, MOST_WILD = 9, 3
"""In a hand that is compared, or more cards and fewer wild ones: plain enumeration is slow."""


PLAIN = tuple(min(card % FACES, JOKER) for card in range(CARD_COUNT))


def plain(card: int) -> int:
    """The number of a physical card in the oracle."""
    return PLAIN[card]


def cards(text: str) -> tuple[int, ...]:
    """`8D 8D JK` as the oracle's hand."""
    return tuple(sorted(plain(Card(name)) for name in text.split()))


def pieces(text: str) -> tuple[Piece, ...]:
    """`8D JK=9D` as the oracle's pieces."""
    return tuple(
        Piece(plain(Card(card)), Card(face) if face else None)
        for card, _, face in (name.partition("=") for name in text.split())
    )


def laid(text: str) -> oracle.Meld:
    """A legal meld; every card that stands for another is named."""
    written = [Piece(card, card if face is None else face) for card, face in pieces(text)]
    judged = oracle.judge(STANDARD._replace(wild=WIPE.wild), written)
    assert not isinstance(judged, str), judged
    return oracle.Meld(judged[0], tuple(sorted(written)))


# The oracle itself.

WORKED_EXAMPLES = [
    ("AS 2S 3S", RUN, True, True),
    ("QS KS AS", RUN, True, True),
    ("KS AS 2S", "not-a-meld", False, False),
    ("QH KH AH JK=2H", "not-a-meld", False, False),
    ("3C 4C 5D", "not-a-meld", False, False),
    ("5H 5D 5S", SET, True, False),
    ("5H 5D 5S 5C", SET, True, False),
    ("5H 5H 5S", "not-a-meld", False, False),
    ("5H 5D JK=5C", SET, False, False),
    ("7D 8D JK=9D", RUN, False, False),
    ("7D JK=8D JK=9D", RUN, False, False),
    ("JK JK JK", "meld-all-jokers", False, False),
    ("8D 9D 10D", RUN, True, True),
    ("8H=5D 5H 5S", SET, False, False),
]


@pytest.mark.parametrize(("text", "kind", "standard", "wipe"), WORKED_EXAMPLES)
def test_the_oracle_on_the_worked_examples(text: str, kind: str, standard: bool, wipe: bool) -> None:
    judged = oracle.judge(WIPE, pieces(text))
    assert (judged if isinstance(judged, str) else judged[0]) == kind
    if not isinstance(judged, str):
        assert (oracle.fault(STANDARD, [laid(text)]) is None) == standard
        assert (oracle.fault(WIPE, [laid(text)]) is None) == wipe


READ = [
    ("7D 8D", "meld-too-short"),
    ("JK JK", "meld-too-short"),
    ("JK=7D JK=8D JK=9D", "meld-all-jokers"),
    ("JK=7D 8H=8D JK=9D", "meld-all-jokers"),
    ("7D 8D JK", "joker-unnamed"),
    ("QD KD JK", "joker-unnamed"),
    ("7D JK JK=8D", "joker-unnamed"),
    ("5D 5H JK", "joker-unnamed"),
    ("7D JK 9D=9H", "not-a-meld"),
    ("7D 8D=8D 9D", "7D 8D 9D"),
    ("7D 8D=9D 9D", "not-a-meld"),
    ("9D 8D 7D", "7D 8D 9D"),
    ("7D JK 9D", "7D 8D 9D"),
    ("7D JK JK 10D", "7D 8D 9D 10D"),
    ("AD 2D JK", "AD 2D 3D"),
    ("KD AD JK", "QD KD AD"),
    ("5D 5H 5S JK", "5C 5D 5H 5S"),
    ("7H 8H 8D=9H", "7H 8H 9H"),
    ("7D 8H JK", "not-a-meld"),
    ("5D 5H JK JK JK", "not-a-meld"),
    ("AD 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD JK", "not-a-meld"),
]


@pytest.mark.parametrize(("text", "judged"), READ)
def test_the_oracle_reads_what_a_joker_stands_for(text: str, judged: str) -> None:
    faces = judged if "-" in judged else frozenset(cards(judged))
    found = oracle.judge(WIPE, pieces(text))
    assert (found if isinstance(found, str) else found[1]) == faces


def test_the_oracle_knows_every_meld_of_a_pack() -> None:
    """66 runs a suit from the ace to the king, ten more that end with a high ace, and five sets a rank."""
    pack = range(52)
    assert len(oracle.melds_in(POSSESSION, pack)) == 4 * 66 + 13 * 5
    assert len(oracle.melds_in(POSSESSION._replace(sets=False), pack)) == 4 * 66
    assert len(oracle.melds_in(POSSESSION._replace(ace_high=True), pack)) == 4 * (66 + 10) + 13 * 5
    assert len(oracle.melds_in(POSSESSION, sorted([*pack, *pack]))) == 4 * 66 + 13 * 5


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("6D 7D JK", 2),  # 5 6 7, 6 7 8
        ("7D JK JK", 6),  # three runs; three sets, each without one other suit
        ("7D 7D JK JK", 6),  # the same: one card cannot be there twice
        ("7D 9D JK", 1),
        ("5D 6D 7D JK", 1 + 2 + 2 + 1 + 2),  # natural; 5 6 and 6 7 with the joker; 5 7 with it; four long
        ("5D 5H 8H", 2),  # 8H as the 5C or the 5S
        ("JK JK JK", 0),
    ],
)
def test_the_oracle_finds_every_meld_with_wild_cards(text: str, count: int) -> None:
    assert len(oracle.melds_in(WIPE, cards(text))) == count


JUDGED = [
    (STANDARD, [], None),
    (STANDARD, ["7D 8D 9D", "7D 8D JK=9D"], "meld-identical"),
    (STANDARD, ["7D 8D 9D 10D", "7D 8D JK=9D"], None),
    (STANDARD._replace(identical=True), ["7D 8D 9D", "7D 8D JK=9D"], None),
    (STANDARD, ["5H 5D JK=5C", "7D JK=8D 9D"], "first-meld-not-pure"),
    (STANDARD, ["5H 5D 5C", "7D JK=8D 9D"], None),
    (STANDARD._replace(first="any"), ["7D JK=8D 9D"], None),
    (WIPE, ["5H 5D 5C"], "first-meld-not-sequence"),
    (WIPE, ["5H 5D 5C", "7D JK=8D 9D"], "first-meld-not-pure"),
    (WIPE, ["5H 5D JK=5C", "7D 8D 9D"], None),
    (STANDARD._replace(each_kind_pure=True), ["5H 5D JK=5C", "7D 8D 9D"], "first-meld-not-pure"),
    (STANDARD._replace(each_kind_pure=True), ["5H 5D JK=5C", "6H 6D 6C", "7D 8D 9D"], None),
    (STANDARD._replace(each_kind_pure=True, first="any"), ["7D JK=8D 9D"], "first-meld-not-pure"),
]


@pytest.mark.parametrize(("rules", "table", "code"), JUDGED)
def test_the_oracle_judges_a_whole_table(rules: Rules, table: list[str], code: str | None) -> None:
    assert oracle.fault(rules, [laid(text) for text in table]) == code


LAID = [
    (STANDARD, "8D 9D 10D 6H 6S 6C", [], True, 27 + 18),
    (STANDARD, "8D 9D 10D KS", [], False, 27 - 10),
    (STANDARD, "AS 2S 3S 7D", [], False, 15 - 7),
    (STANDARD, "QS KS AS JK", [], False, 30),  # the joker would make the only meld impure
    (STANDARD, "QS KS AS JK 6D", [], False, 30 - 6),
    (STANDARD, "QS KS AS JK 6D 6C", [], True, 30 + 18),
    (STANDARD, "8D 9D JK", [], False, -17),
    (STANDARD._replace(first="any"), "8D 9D JK", [], True, 27),
    (STANDARD, "8D 9D JK", ["6H 6S 6C"], True, 18 + 27),
    (STANDARD, "6D 10H", ["6H 6S 6C", "7H 8H 9H"], True, 24 + 34),
    (STANDARD, "JK", ["6H 6S 6C", "QH KH AH"], True, 18 + 40),  # as the JH
    (STANDARD, "JK", ["6H 6S 6C"], False, 18),
    (STANDARD, "2H", ["QH KH AH"], False, 30 - 2),
    (STANDARD, "7D 8D 9D", ["7D 8D 9D"], False, 24 - 24),
    (STANDARD, "7D 8D 9D 10D", ["7D 8D 9D"], True, 24 + 34),
    (WIPE, "6H 6S 6C", [], False, -18),
    (WIPE, "3H 3S 3C 4D 5D 6D", [], True, 24),
    (WIPE, "8H 6D 7D 9D", ["2S 3S 4S"], True, 9 + 30),  # 8H as the 8D
    (WIPE, "8H QS", ["2S 3S 4S"], False, 9 - 8 - 10),  # 8H as the 5S: the only pure sequence would be gone
    (WIPE, "8H QS", ["2S 3S 4S", "9S 10S JS"], True, 9 + 49),  # 8H as the KS after the QS
    (POSSESSION, "QH KH AH", [], False, -30),
    (POSSESSION, "7D 8D 9D 7D 8D 9D", [], True, 48),
]


@pytest.mark.parametrize(("rules", "hand", "own", "whole", "points"), LAID)
def test_the_oracle_lays_a_hand(rules: Rules, hand: str, own: list[str], whole: bool, points: int) -> None:
    melds = [laid(text) for text in own]
    assert oracle.can_lay_all(rules, cards(hand), melds) == whole
    assert oracle.most_points(rules, cards(hand), melds) == points


# The engine against the oracle.


@cache
def engine_rules(rules: Rules) -> MeldRules:
    """The same rules for the engine."""
    return MeldRules(
        ace_high=rules.ace_high,
        runs=True,
        sets=rules.sets,
        longest=rules.longest,
        wild=mask(card for card in range(CARD_COUNT) if plain(card) in rules.wild),
        identical=rules.identical,
        first=rules.first,
        each_kind_pure=rules.each_kind_pure,
    )


def oracle_meld(meld: Meld) -> oracle.Meld:
    """The oracle's form of an engine's meld: every piece as what it is there."""
    written = (Piece(plain(piece_card(part)), piece_face(part)) for part in meld.pieces)
    return oracle.Meld(meld.kind, tuple(sorted(Piece(c, c if face is None else face) for c, face in written)))


def assert_well_formed(rules: Rules, meld: Meld) -> None:
    """The oracle takes it for the same meld, and its pieces lie in order, natural cards as themselves alone."""
    copy = oracle_meld(meld)
    assert all(piece_face(part) != piece_card(part) % FACES for part in meld.pieces)
    assert oracle.judge(rules, copy.pieces) == (meld.kind, frozenset(cards_of(meld.faces)))
    assert meld.pure == copy.pure
    faces = tuple(piece_card(part) % FACES if (face := piece_face(part)) is None else face for part in meld.pieces)
    assert oracle.Shape(meld.kind, faces) in oracle.shapes(rules)


class Dealer:
    """Gives plain cards their physical ones, each once."""

    def __init__(self) -> None:
        self.free = list(range(CARD_COUNT))

    def give(self, card: int) -> int:
        """The lowest free copy of a card."""
        found = next(copy for copy in self.free if plain(copy) == card)
        self.free.remove(found)
        return found

    def parts(self, written: Sequence[Piece]) -> list[int]:
        """Pieces of physical cards, as they are written."""
        return [self.give(card) if face is None else piece(self.give(card), face) for card, face in written]


@pytest.mark.parametrize("text", [*(text for text, *_ in WORKED_EXAMPLES), *(text for text, _ in READ)])
def test_an_example_is_read_as_the_oracle_reads_it(text: str) -> None:
    found = read_meld(engine_rules(WIPE), Dealer().parts(pieces(text)))
    judged = oracle.judge(WIPE, pieces(text))
    assert (found if isinstance(found, str) else (found.kind, frozenset(cards_of(found.faces)))) == judged


@pytest.mark.parametrize(("rules", "table", "code"), JUDGED)
def test_an_example_of_a_table_is_judged_so(rules: Rules, table: list[str], code: str | None) -> None:
    dealer = Dealer()
    assert faults(engine_rules(rules), [read(engine_rules(WIPE), dealer.parts(pieces(m))) for m in table]) == code


@pytest.mark.parametrize(("rules", "hand", "own", "whole", "points"), LAID)
def test_an_example_of_a_hand_is_laid_so(rules: Rules, hand: str, own: list[str], whole: bool, points: int) -> None:
    dealer = Dealer()
    melds = [read(engine_rules(rules), dealer.parts(pieces(text))) for text in own]
    held = mask(dealer.give(card) for card in cards(hand))
    assert (lay_all(engine_rules(rules), held, melds) is not None) == whole
    assert scored(lay_most(engine_rules(rules), held, melds)) == points


class Deal(NamedTuple):
    """A hand with own melds before it, all of physical cards."""

    rules: Rules
    hand: tuple[int, ...]
    own: tuple[tuple[int, ...], ...]

    def __repr__(self) -> str:
        own = [" ".join(map(written, meld)) for meld in self.own]
        return f"{self.rules}, hand {' '.join(map(written, self.hand))}, own {own}"


def written(part: int) -> str:
    """A piece as a record has it."""
    face = piece_face(part)
    return str(CARDS[piece_card(part)]) + ("" if face is None else f"={CARDS[face]}")


@st.composite
def rule_sets(draw: st.DrawFn, wild: bool = True) -> Rules:
    """Any rules: no wild cards, printed jokers, or those and both cards of a rank and colour."""
    rank, suits = draw(st.integers(0, 12)), draw(st.sampled_from([(0, 3), (1, 2)]))
    jokers: frozenset[int] = frozenset([JOKER])
    choices = [jokers | {suit * 13 + rank for suit in suits}, jokers, frozenset[int]()]
    return Rules(
        ace_high=draw(st.booleans()),
        sets=draw(st.sampled_from([True, True, False])),
        longest=draw(st.sampled_from([13, 13, 13, 5])),
        wild=draw(st.sampled_from(choices)) if wild else frozenset(),
        identical=draw(st.booleans()),
        first=draw(st.sampled_from(FIRST)),
        each_kind_pure=draw(st.booleans()),
    )


class Pool:
    """The physical cards of two packs that nobody has yet; of those that may stand for another only so many."""

    def __init__(self, rules: Rules, most_wild: int) -> None:
        self.rules = rules
        self.free = [card for card in range(CARD_COUNT) if plain(card) != JOKER or JOKER in rules.wild]
        self.wild_free = [card for card in self.free if plain(card) in rules.wild]
        self.wild_left = most_wild

    def wild(self) -> list[int]:
        """Those that may still be taken to stand for another."""
        return self.wild_free if self.wild_left else []

    def take(self, card: int) -> int:
        """Take this very card."""
        self.free.remove(card)
        if card in self.wild_free:
            self.wild_free.remove(card)
            self.wild_left -= 1
        return card

    def natural(self, face: int) -> list[int]:
        """The copies of a face that are left to be taken."""
        if face in self.rules.wild and not self.wild_left:
            return []
        return [card for card in (face, FACES + face) if card in self.free]


def fill(draw: st.DrawFn, pool: Pool, faces: Sequence[int], in_wild: int = 4) -> tuple[int, ...] | None:
    """A legal meld of these faces from the pool, each in so many wild by choice; None where there is none."""
    parts: list[int] = []
    for face in faces:
        stands = [card for card in pool.wild() if plain(card) != face]
        natural = pool.natural(face)
        if natural and not (stands and draw(st.integers(1, in_wild)) == in_wild):
            parts.append(pool.take(draw(st.sampled_from(natural))))
        elif stands:
            parts.append(piece(pool.take(draw(st.sampled_from(stands))), face))
        else:
            return None
    return tuple(parts) if any(part < CARD_COUNT for part in parts) else None


@cache
def near(rules: Rules, most: int, centre: int) -> list[oracle.Shape]:
    """Shapes of few cards that touch ranks about this one: drawn from them, melds meet in the same cards."""
    ranks = {(centre + step) % 13 for step in range(-3, 4)}
    return [s for s in oracle.shapes(rules) if len(s.faces) <= most and {face % 13 for face in s.faces} <= ranks]


@st.composite
def tables(draw: st.DrawFn, most: int = 5, most_wild: int = 4) -> tuple[Rules, list[tuple[int, ...]]]:
    """Rules and up to five melds of different cards, legal each by itself."""
    rules = draw(rule_sets())
    pool = Pool(rules, most_wild)
    shapes = draw(st.lists(st.sampled_from(near(rules, most, draw(st.integers(0, 12)))), min_size=1, max_size=5))
    in_wild = draw(st.sampled_from([4, 2]))
    return rules, [meld for shape in shapes if (meld := fill(draw, pool, shape.faces, in_wild)) is not None]


@st.composite
def deals(draw: st.DrawFn, most_cards: int = MOST_CARDS, most_wild: int = MOST_WILD, owns: bool = True) -> Deal:
    """Hands that hold melds or the parts of them, own melds that some of the cards fit, and some cards beside."""
    rules = draw(rule_sets())
    pool = Pool(rules, most_wild)
    centre = draw(st.integers(0, 12))
    hand: list[int] = []
    own: list[tuple[int, ...]] = []
    for shape in draw(st.lists(st.sampled_from(near(rules, 6, centre)), max_size=4)):
        meld = fill(draw, pool, shape.faces)
        if meld is None:
            continue
        start = draw(st.integers(0, len(meld) - 3))
        kept = meld[start : start + 3] if draw(st.booleans()) else meld
        if owns and draw(st.booleans()) and owned(rules, [*own, kept]):
            own.append(kept)
            meld = tuple(part for part in meld if part not in kept)
        hand += [piece_card(part) for part in meld]
    ranks = [(centre + step) % 13 for step in (0, 1, -1, 2, -2)]
    for rank, suit in draw(st.lists(st.sampled_from(list(product(ranks, range(4)))), max_size=3)):
        hand += [pool.take(card) for card in pool.natural(suit * 13 + rank)[:1]]
    hand += [pool.take(card) for card in pool.wild()[: draw(st.integers(0, 1))]]
    return Deal(rules, tuple(hand[:most_cards]), tuple(own))


def owned(rules: Rules, melds: Sequence[tuple[int, ...]]) -> bool:
    """Whether these melds can lie before a player."""
    plainly = [as_oracle(meld) for meld in melds]
    shapes = [oracle.judge(rules, meld) for meld in plainly]
    if any(isinstance(judged, str) for judged in shapes):
        return False
    read = [oracle.Meld(judged[0], tuple(sorted(m))) for judged, m in zip(shapes, plainly, strict=True)]
    return oracle.fault(rules, read) is None


def as_oracle(meld: Sequence[int]) -> list[Piece]:
    """Named pieces of physical cards as the oracle's."""
    faces = ((plain(piece_card(part)), piece_face(part)) for part in meld)
    return [Piece(card, card if face is None else face) for card, face in faces]


def read(rules: MeldRules, meld: Sequence[int]) -> Meld:
    """A meld that is known to be one."""
    found = read_meld(rules, meld)
    assert isinstance(found, Meld), found
    return found


CHANGES = ("joker", "joker", "card", "drop", "name", "false", "twice")


def changed(draw: st.DrawFn, meld: list[int], free: list[int]) -> list[int]:
    """The pieces with one of them gone, renamed or replaced, or with one of the free cards more."""
    place, change = draw(st.integers(0, len(meld) - 1)), draw(st.sampled_from(CHANGES))
    old = meld[place]
    face = plain(old) if piece_face(old) is None else piece_face(old)
    before, after = meld[:place], meld[place + 1 :]
    if change == "drop":
        return before + after
    if change == "name":
        return [*before, piece(piece_card(old), draw(st.integers(0, 51))), *after]
    wanted = [card for card in free if (plain(card) == JOKER) == (change == "joker")]
    if not wanted or face is None or face == JOKER:
        return meld
    if change == "twice":
        wanted = [card for card in free if plain(card) in (face, JOKER)] or wanted
    new = draw(st.sampled_from(wanted))
    free.remove(new)
    if change == "joker":
        return [*before, new, *after]
    if change == "false":  # named as the card that it replaces
        return [*before, piece(new, face), *after]
    if change == "twice":  # one more of a face that is there
        return [*meld, piece(new, face)]
    return [*meld, new]


@st.composite
def attempts(draw: st.DrawFn) -> tuple[Rules, list[int]]:
    """Pieces that a player might name: melds, some with a card too many, too few, wrong, unnamed or wrongly named."""
    rules, melds = draw(tables(most=13, most_wild=5))
    meld = list(draw(st.sampled_from(melds))) if melds else []
    free = [card for card in Pool(rules, 0).free if card not in {piece_card(part) for part in meld}]
    if draw(st.integers(0, 7)) == 7:  # wild cards alone
        wild = [card for card in free if plain(card) in rules.wild]
        meld = [piece(card, draw(st.sampled_from(sorted(set(range(52)) - {plain(card)})))) for card in wild[:4]]
        free = [card for card in free if card not in wild[:4]]
    for _ in range(draw(st.sampled_from([0, 1, 1, 2]))):
        meld = changed(draw, meld, free) if meld else []
    unnamed = draw(st.booleans())
    meld = [piece_card(part) if unnamed and plain(piece_card(part)) == JOKER else part for part in meld]
    for place, part in enumerate(meld):
        if part < CARD_COUNT and plain(part) != JOKER and draw(st.integers(0, 7)) == 7:
            meld[place] = piece(part, plain(part))  # 8D=8D is 8D itself
    if draw(st.integers(0, 3)) == 3:  # judged by other rules than it was made for
        rules = rules._replace(ace_high=draw(st.booleans()), sets=draw(st.booleans()), longest=5)
    return rules, draw(st.permutations(meld))


@given(attempts())
def test_a_meld_is_read_as_the_oracle_reads_it(attempt: tuple[Rules, list[int]]) -> None:
    rules, parts = attempt
    judged = oracle.judge(rules, [Piece(plain(piece_card(part)), piece_face(part)) for part in parts])
    found = read_meld(engine_rules(rules), parts)
    if isinstance(judged, str):
        assert found == judged, " ".join(map(written, parts))
        return
    assert isinstance(found, Meld), (found, " ".join(map(written, parts)))
    assert (found.kind, frozenset(cards_of(found.faces))) == judged
    assert_well_formed(rules, found)
    assert sorted(map(piece_card, found.pieces)) == sorted(map(piece_card, parts))
    standing = {piece_card(part): piece_face(part) for part in found.pieces}
    for part in parts:
        assert piece_face(part) in (None, plain(piece_card(part)), standing[piece_card(part)])


@given(deals(owns=False))
def test_the_melds_in_a_hand_are_those_of_the_oracle_each_once(deal: Deal) -> None:
    """Each is read as the same meld again, and of equal cards it uses the lowest."""
    found = list(melds_in(engine_rules(deal.rules), mask(deal.hand)))
    as_found = [oracle_meld(meld) for meld in found]
    assert set(as_found) == oracle.melds_in(deal.rules, tuple(map(plain, deal.hand)))
    assert len(as_found) == len(set(as_found))
    for meld in found:
        assert_well_formed(deal.rules, meld)
        assert read_meld(engine_rules(deal.rules), meld.pieces) == meld
        used = {piece_card(part) for part in meld.pieces}
        for card, count in Counter(map(plain, used)).items():
            copies = sorted(copy for copy in deal.hand if plain(copy) == card)
            assert used & set(copies) == set(copies[:count])


@given(tables())
def test_a_table_is_judged_as_the_oracle_judges_it(table: tuple[Rules, list[tuple[int, ...]]]) -> None:
    rules, melds = table
    found = [read(engine_rules(rules), meld) for meld in melds]
    assert faults(engine_rules(rules), found) == oracle.fault(rules, [oracle_meld(meld) for meld in found])


def scored(result: Laid) -> int:
    """The points of a laying, as the oracle counts them."""
    return oracle.score(
        oracle.Table(tuple(map(oracle_meld, result.melds)), tuple(plain(card) for card in cards_of(result.left)))
    )


def assert_laid(deal: Deal, own: Sequence[Meld], result: Laid) -> None:
    """No card is lost or used twice, the own melds are still there in their order, and the table is legal."""
    assert len(result.melds) >= len(own)
    for before, after in zip(own, result.melds, strict=False):
        assert set(before.pieces) <= set(after.pieces)
        assert before.kind == after.kind
    for meld in result.melds:
        assert_well_formed(deal.rules, meld)
    lying, held = (sorted(piece_card(part) for meld in melds for part in meld.pieces) for melds in (result.melds, own))
    assert sorted([*lying, *cards_of(result.left)]) == sorted([*held, *deal.hand])
    assert oracle.fault(deal.rules, [oracle_meld(meld) for meld in result.melds]) is None


@given(deals() | deals(most_cards=14, most_wild=1))
def test_the_whole_hand_is_laid_exactly_where_the_oracle_lays_it(deal: Deal) -> None:
    own = [read(engine_rules(deal.rules), meld) for meld in deal.own]
    result = lay_all(engine_rules(deal.rules), mask(deal.hand), own)
    possible = oracle.can_lay_all(deal.rules, tuple(map(plain, deal.hand)), [oracle_meld(meld) for meld in own])
    assert (result is not None) == possible
    if result is not None:
        assert result.left == 0
        assert_laid(deal, own, result)


@given(deals(most_cards=8, most_wild=2) | deals(most_cards=11, most_wild=1))
def test_as_many_points_are_laid_as_the_oracle_can_lay(deal: Deal) -> None:
    own = [read(engine_rules(deal.rules), meld) for meld in deal.own]
    result = lay_most(engine_rules(deal.rules), mask(deal.hand), own)
    assert_laid(deal, own, result)
    best = oracle.most_points(deal.rules, tuple(map(plain, deal.hand)), [oracle_meld(meld) for meld in own])
    assert scored(result) == best


@given(tables(most=7), st.integers(0, 2))
def test_a_hand_that_was_made_of_melds_is_laid(table: tuple[Rules, list[tuple[int, ...]]], own: int) -> None:
    """Hands of any size: how they were made is the proof that there is a way."""
    rules, melds = table
    while melds and not owned(rules, melds):
        melds.pop()
    own = own if owned(rules, melds[:own]) else 0
    hand = tuple(piece_card(part) for meld in melds[own:] for part in meld)
    deal = Deal(rules, hand, tuple(melds[:own]))
    before = [read(engine_rules(rules), meld) for meld in deal.own]
    result = lay_all(engine_rules(rules), mask(hand), before)
    assert result is not None
    assert result.left == 0
    assert_laid(deal, before, result)
    most = lay_most(engine_rules(rules), mask(hand), before)
    assert_laid(deal, before, most)
    assert scored(result) <= scored(most)
