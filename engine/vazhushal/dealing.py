"""Dealing (rules 1, 3 and 11) and dealing again because of a double (rule 2)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.cards import CARD_COUNT, CARDS, COPIES, FACES, JOKER, PLAIN, UNKNOWN, Card, mask
from engine.game import Dealt
from engine.packs import place
from engine.values import Action, Notice, Outcome, Refusal
from engine.vazhushal.knowledge import UNKNOWN_CARD, Places, find_all, named, settled
from engine.vazhushal.settings import HAND, Settings, meld_rules
from engine.vazhushal.state import Deal, Phase

_RANKED = (1 << JOKER) - 1


# Where the cards can have been dealt


def check_deal(rules: Settings, dealt: Dealt) -> Refusal | None:
    """Why cards cannot have been dealt so."""
    placed = _placed(rules, dealt)
    if isinstance(placed, Card):
        return Refusal("duplicate-card", "1", (("card", int(placed)),))
    wrong = _wrong_count(rules, placed)
    if wrong is not None:
        where, seat, count, expected = wrong
        facts = (("seat", seat), ("count", count), ("expected", expected), ("place", where))
        return Refusal("wrong-count", "1", facts)
    if mask(_all_cards(placed)) & ~rules.pack:
        foreign = next(card for card in _all_cards(placed) if card != UNKNOWN and not rules.pack >> card & 1)
        return Refusal("not-in-pack", "1", (("card", int(foreign)),))
    return None


def _all_cards(dealt: Dealt) -> Iterator[Card]:
    for group in (dealt.turn_up, *dealt.hands, dealt.stock):
        yield from group or ()
    if dealt.buried is not None:
        yield dealt.buried


@lru_cache(maxsize=4)  # a deal is judged, then dealt
def _placed(rules: Settings, dealt: Dealt) -> Dealt | Card:
    """The deal with physical cards, or the first that lies twice; jokers turned before the last lie in the stock."""
    turned, stock = dealt.turn_up[:-1], dealt.stock
    if not turned or stock is None:
        return place(dealt, rules.pack)
    told = [card for card in turned if len(COPIES[card]) == 1 and COPIES[card][0] not in [c[0] for c in _single(stock)]]
    cards = list(stock)
    for card in told:
        if CARDS[JOKER] in cards and PLAIN[card] == JOKER:
            cards[cards.index(CARDS[JOKER])] = card
    placed = place(dealt._replace(turn_up=dealt.turn_up[-1:], stock=tuple(cards)), rules.pack)
    if isinstance(placed, Card) or placed.stock is None:
        return placed
    free = mask(placed.stock)
    found = []
    for card in sorted(turned, key=lambda card: len(COPIES[card])):
        there = [copy for copy in COPIES[card] if free >> copy & 1]
        if not there and PLAIN[card] == JOKER and UNKNOWN not in placed.stock:
            return card
        found.append(CARDS[there[0] if there else COPIES[card][0]])
        free &= ~mask(there[:1])
    return placed._replace(turn_up=(*found, *placed.turn_up))


def _single(cards: tuple[Card, ...]) -> list[tuple[int, ...]]:
    return [COPIES[card] for card in cards if len(COPIES[card]) == 1]


def _wrong_count(rules: Settings, dealt: Dealt) -> tuple[str, int, int, int] | None:
    """The place, the seat and the numbers of cards, told and expected, of the first that is wrong."""
    for seat, hand in enumerate(dealt.hands, 1):
        if hand is not None and (len(hand) != HAND or (rules.tracked and UNKNOWN in hand)):
            known = len(hand) - hand.count(UNKNOWN) if rules.tracked else len(hand)
            return "hand", seat, known, HAND
    turned = dealt.turn_up
    buried = [PLAIN[card] == JOKER for card in turned] if rules.bury_jokers else [False] * len(turned)
    if buried.count(False) != 1 or buried[-1] or UNKNOWN in turned:
        return "turn-up", 0, len(turned), buried.count(True) + 1
    if dealt.stock is not None and (len(dealt.stock) != rules.stock or (rules.tracked and UNKNOWN in dealt.stock)):
        return "stock", 0, len(dealt.stock) - dealt.stock.count(UNKNOWN) * rules.tracked, rules.stock
    if dealt.buried is not None and not rules.negative_joker:
        return "buried", 0, 1, 0
    return None


def wanted(rules: Settings, dealt: Dealt) -> str | None:
    """The negative joker is shown first, then cards are turned up until one stays (rules 3 and 11)."""
    if rules.negative_joker and dealt.buried is None:
        return "buried"
    if not dealt.turn_up or (rules.bury_jokers and PLAIN[dealt.turn_up[-1]] == JOKER):
        return "turn-up"
    return None


# The deal


def deal(rules: Settings, dealer: int, dealt: Dealt) -> tuple[Deal, tuple[Notice, ...]]:
    """The state after a deal; where the table sees doubles that count, the deal is over at once."""
    placed = _placed(rules, dealt)
    assert isinstance(placed, Dealt)
    turned = tuple([int(card) for card in placed.turn_up])
    stock = _stock(rules, placed)
    hands = tuple([mask(hand or ()) for hand in placed.hands])
    unseen = rules.pack & ~mask(turned[-1:]) & ~mask(stock)
    for cards in hands:
        unseen &= ~cards
    negative = -1 if placed.buried is None else int(placed.buried)
    if negative >= 0:
        unseen &= ~(1 << negative)
    places = settled(
        Places(
            known=hands,
            unknown=tuple([HAND - cards.bit_count() for cards in hands]),
            unseen=unseen,
            loose=(0,) * rules.seats,
            stock=stock,
            hidden=stock.count(UNKNOWN_CARD),
            open=mask(turned),
            buried=(0,) * rules.seats,
        )
    )
    all_known = not any(places.unknown)
    looked = all_known and rules.redeal in ("forced", "three")
    state = Deal(
        settings=rules,
        melding=meld_rules(rules, negative),
        dealer=dealer,
        phase=Phase.DRAW,
        turn=starter(rules, dealer),
        places=places,
        line=turned[-1:],
        melds=((),) * rules.seats,
        joker_first=PLAIN[turned[-1]] == JOKER,
        claims=rules.redeal != "off" and not (rules.redeal == "forced" and looked),
        looked=looked,
        negative=negative,
    )
    if looked:
        for seat, cards in enumerate(places.known, 1):
            if doubles(cards).bit_count() >= needed(rules):
                return redeal(state, seat)
    return state, ()


def _stock(rules: Settings, dealt: Dealt) -> tuple[int, ...]:
    """The stock from its top on: as it was told, or unknown but for the jokers that were turned and put back."""
    if dealt.stock is not None:
        return tuple([int(card) for card in dealt.stock])
    slots = [UNKNOWN_CARD] * (rules.stock + 1)
    for card in dealt.turn_up:
        del slots[0]
        if card != dealt.turn_up[-1]:
            slots.insert(len(slots) // 2, int(card))
    return tuple(slots)


def starter(rules: Settings, dealer: int) -> int:
    """Who begins: the dealer, or the seat at its left (rules 3 and 11)."""
    return dealer if rules.dealer_starts else dealer % rules.seats + 1


# Doubles


def doubles(cards: int) -> int:
    """The faces of which both copies are in a set of cards; jokers are no double (rule 2)."""
    return cards & cards >> FACES & _RANKED


def needed(rules: Settings) -> int:
    """How many doubles throw a deal in."""
    return 3 if rules.redeal == "three" else 1


def check_show(deal: Deal, action: Action) -> Refusal | None:
    """Why a redeal cannot be claimed with these cards."""
    cards = action.argument
    assert isinstance(cards, tuple)
    places, index = deal.places, action.seat - 1
    numbers = [number for number in cards if isinstance(number, int)]
    found = find_all(places.known[index], places.pool(action.seat), places.unknown[index], numbers)
    if isinstance(found, int):
        return Refusal("not-in-hand", "2", (("card", found),))
    if deal.made or not deal.claims:
        return Refusal("redeal-closed", "2")
    counts = Counter(PLAIN[number] for number in numbers)
    count = needed(deal.settings)
    if (
        deal.looked
        or JOKER in counts
        or len(counts) != count
        or len(numbers) != 2 * count
        or set(counts.values()) != {2}
    ):
        return Refusal("no-double", "2", (("needed", count),))
    return None


def legal_shows(deal: Deal) -> Iterator[Action]:
    """Every double that a seat may hold, or every three of them; of all seats."""
    if deal.made or not deal.claims or deal.looked:
        return
    count = needed(deal.settings)
    for seat in range(1, deal.settings.seats + 1):
        known, unknown = deal.places.known[seat - 1], deal.places.unknown[seat - 1]
        for faces in _within(known, unknown, possible_doubles(deal, seat), count):
            yield Action(seat, "show", tuple([face for face in faces for _ in (0, 1)]))


def _within(known: int, unknown: int, faces: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Every choice of so many faces of which the copies that are not known are not more than the cards unknown."""
    if not count:
        yield ()
        return
    for at, face in enumerate(faces):
        left = unknown - 2 + _copies(known, face)
        if left >= 0:
            for others in _within(known, left, faces[at + 1 :], count - 1):
                yield (face, *others)


def possible_doubles(deal: Deal, seat: int) -> list[int]:
    """The faces of which the seat may hold both copies."""
    places = deal.places
    faces = doubles(places.known[seat - 1] | places.pool(seat))
    return [
        face
        for face in range(JOKER)
        if faces >> face & 1 and 2 - _copies(places.known[seat - 1], face) <= places.unknown[seat - 1]
    ]


def _copies(cards: int, face: int) -> int:
    return (cards >> face & 1) + (cards >> face + FACES & 1)


def show(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal is thrown in; the same dealer deals again."""
    return redeal(deal._replace(made=deal.made + 1), action.seat)


def redeal(deal: Deal, seat: int) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal is over because of a seat's doubles."""
    outcome = Outcome((0,) * deal.settings.seats, complete=False, same_dealer=True)
    return deal._replace(phase=Phase.OVER, turn=0, outcome=outcome), (Notice("redeal", (("seat", seat),)),)


# The director


def check_hand(deal: Deal, seat: int, cards: tuple[Card, ...]) -> Refusal | None:
    """Why the seat cannot hold these cards: the number, an open take, one that lies elsewhere or twice, or is none."""
    places = deal.places
    if len(cards) != places.size(seat):
        facts = (("seat", seat), ("count", len(cards)), ("expected", places.size(seat)), ("place", "hand"))
        return Refusal("wrong-count", "1", facts)
    if deal.taken:
        return Refusal("wrong-phase", "", (("phase", deal.phase.value),))
    numbers = [int(card) for card in cards if card != UNKNOWN]
    foreign = [number for number in numbers if not any(deal.settings.pack >> copy & 1 for copy in COPIES[number])]
    found = held_cards(deal, seat, [number for number in numbers if number not in foreign])
    if isinstance(found, int):
        return Refusal("duplicate-card", "1", (("card", found),))
    return Refusal("not-in-pack", "1", (("card", foreign[0]),)) if foreign else None


def held_cards(deal: Deal, seat: int, numbers: list[int]) -> tuple[int, ...] | int:
    """The cards that the director means by these, or the first that lies in another known place."""
    places = deal.places
    free = places.unseen
    for cards in places.loose:
        free |= cards
    return find_all(places.known[seat - 1], free, CARD_COUNT, numbers) if numbers else ()


def with_hand(deal: Deal, seat: int, cards: tuple[Card, ...]) -> Deal:
    """The deal in which the seat holds these cards."""
    found = held_cards(deal, seat, [int(card) for card in cards if card != UNKNOWN])
    assert isinstance(found, tuple)
    unknown = (UNKNOWN_CARD,) * cards.count(UNKNOWN)
    return deal._replace(places=named(deal.places, seat, (*found, *unknown)))
