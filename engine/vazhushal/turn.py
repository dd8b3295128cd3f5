"""Steps 1 and 3 of a turn: a card of the stock, cards of the line, and the card that ends the turn (rule 4)."""

from engine.cards import CARDS, COPIES, mask
from engine.values import Action, Notice, Outcome, Refusal, make
from engine.vazhushal.knowledge import UNKNOWN_CARD, Places, bury, draw, find, leave, receive
from engine.vazhushal.state import DRAW, LAST, MELD, OUT, OVER, TAKEN, Deal, Phase
from engine.vazhushal.wiping import take_fault

ALREADY_DREW = Refusal("already-drew", "4")
MUST_DRAW_FIRST = Refusal("must-draw-first", "4")
TAKE_NOT_MELDED = Refusal("take-not-melded", "5")
MUST_KEEP_LAST = Refusal("must-keep-last", "12")


def not_in_hand(number: int) -> Refusal:
    """A card that certainly is not there."""
    return Refusal("not-in-hand", "4", (("card", number),))


# Step 1


def check_draw(deal: Deal, action: Action) -> Refusal | None:
    """Why a card of the stock cannot be drawn, or not this one."""
    drawn = action.argument
    if drawn is not None and not isinstance(drawn, int):
        return Refusal("unknown-action", "", (("verb", action.verb),))
    return _check_stock(deal, -1 if drawn is None else drawn, 0)


def check_exchange(deal: Deal, action: Action) -> Refusal | None:
    """Why this card cannot be buried, or the other not drawn."""
    cards = action.argument
    if cards is None:
        return _check_stock(deal, -1, 0)
    assert isinstance(cards, tuple)
    assert isinstance(cards[0], int)
    buried = find(deal.places, action.seat, cards[0])
    if buried < 0:
        return not_in_hand(cards[0])
    drawn = cards[1] if len(cards) > 1 else -1
    assert isinstance(drawn, int)
    return _check_stock(deal, drawn, 1 << buried)


def _check_stock(deal: Deal, drawn: int, buried: int) -> Refusal | None:
    """With an unknown top a drawn card must not lie elsewhere for certain; with a known top it must be that one."""
    top, places = -1, deal.places
    stock = places.stock
    if drawn >= 0 and stock:
        top = stock[0]
        if not 0 <= top < UNKNOWN_CARD:
            cards = places.top() & ~buried
            if not any(cards >> copy & 1 for copy in COPIES[drawn]):
                return not_in_hand(drawn)
    if deal.phase is not DRAW:
        return ALREADY_DREW
    if 0 <= top < UNKNOWN_CARD and top not in COPIES[drawn]:
        return Refusal("not-next", "4", (("card", drawn),))
    return None


def apply_draw(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after the top card of the stock was drawn."""
    drawn = -1 if action.argument is None else _drawn(deal, action.argument, 0)
    return _drew(deal, draw(deal.places, action.seat, drawn)), ()


def apply_exchange(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after a card was put under the stock and the top one drawn."""
    seat, cards, places = action.seat, action.argument, deal.places
    buried = drawn = -1
    if isinstance(cards, tuple):
        assert isinstance(cards[0], int)
        buried = find(places, seat, cards[0])
        if buried < 0:
            buried = COPIES[cards[0]][0]
        if len(cards) > 1:
            drawn = _drawn(deal, cards[1], 1 << buried)
    return _drew(deal, draw(bury(places, seat, buried), seat, drawn)), ()


def _drew(deal: Deal, places: Places) -> Deal:
    """The deal after step 1."""
    (rules, melding, dealer, _, turn, _, line, melds, joker_first, taken, duty, rest, made, claims, looked, negative,
     outcome) = deal  # fmt: skip
    return make(Deal, (rules, melding, dealer, MELD, turn, places, line, melds, joker_first, taken, duty, rest,
                       made + 1, claims, looked, negative, outcome))  # fmt: skip


def _drawn(deal: Deal, number: object, buried: int) -> int:
    """The card that a written drawn one means; where none of them should lie there, one that does not lie open."""
    assert isinstance(number, int)
    copies = COPIES[number]
    top = deal.places.top() & ~buried
    away = buried | mask(deal.line) | deal.places.known[deal.turn - 1]
    return next((card for card in copies if top >> card & 1), next((c for c in copies if not away >> c & 1), copies[0]))


def line_index(deal: Deal, number: int) -> int:
    """Where in the line the newest card lies that a written one means; -1: none."""
    line, copies = deal.line, COPIES[number]
    for index in range(len(line) - 1, -1, -1):
        if line[index] in copies:
            return index
    return -1


def check_take(deal: Deal, action: Action) -> Refusal | None:
    """Why the line cannot be wiped down to this card."""
    number = action.argument
    assert isinstance(number, int)
    if not any(deal.settings.pack >> copy & 1 for copy in COPIES[number]):
        return not_in_hand(number)
    if deal.phase is not DRAW:
        return ALREADY_DREW
    index = line_index(deal, number)
    if index < 0:
        return Refusal("not-in-line", "4", (("card", number),))
    fault = take_fault(deal, index)
    return None if fault is None else Refusal(fault, "5", (("card", number),))


def apply_take(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after cards were taken from the end of the line; the deepest has to be melded.

    The joker that was turned up first is taken by right and need not be (rule 12).
    """
    assert isinstance(action.argument, int)
    index = line_index(deal, action.argument)
    taken, by_right = deal.line[index:], deal.joker_first and index == 0
    state = deal._replace(
        places=receive(deal.places, action.seat, mask([CARDS[card] for card in taken])),
        line=deal.line[:index],
        joker_first=deal.joker_first and not by_right,
        phase=MELD if by_right else TAKEN,
        taken=taken,
        duty=-1 if by_right else taken[0],
        made=deal.made + 1,
    )
    return state, ()


def apply_return(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after the cards taken went back in their order; the turn is at step 1 again."""
    state = deal._replace(
        places=leave(deal.places, action.seat, mask([CARDS[card] for card in deal.taken])),
        line=deal.line + deal.taken,
        joker_first=deal.joker_first or deal.duty < 0,
        phase=DRAW,
        taken=(),
        duty=-1,
        made=deal.made + 1,
    )
    return state, ()


# Step 3


def check_discard(deal: Deal, action: Action) -> Refusal | None:
    """Why this card cannot be laid face up on the line, or (`out`) face down as the last one."""
    number = action.argument
    assert isinstance(number, int)
    if find(deal.places, action.seat, number) < 0:
        return not_in_hand(number)
    if deal.phase is DRAW:
        return MUST_DRAW_FIRST
    if deal.duty >= 0:
        return TAKE_NOT_MELDED
    if deal.settings.face_down and (deal.places.size(action.seat) == 1) != (action.verb == "out"):
        return MUST_KEEP_LAST
    return None


def apply_discard(deal: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal after the card that ends the turn; an empty hand has won (rule 9)."""
    seat, verb, number = action
    assert isinstance(number, int)
    (rules, melding, dealer, _, _, before, line, melds, joker_first, _, duty, _, made, claims, looked, negative,
     outcome) = deal  # fmt: skip
    card = find(before, seat, number)
    if card < 0:  # the seat says so, and the table was wrong about where the card lies
        card = next((copy for copy in COPIES[number] if copy not in line), COPIES[number][0])
    places, seats = leave(before, seat, 1 << card), rules.seats
    phase, rest = (DRAW, 0) if places.stock else (LAST, seats)
    state = make(Deal, (rules, melding, dealer, phase, seat % seats + 1, places, (*line, card), melds, joker_first, (),
                        duty, rest, made + 1, claims, looked, negative, outcome))  # fmt: skip
    return (state, ()) if places.size(seat) else won(state, seat, OUT if verb == "out" else OVER)


def won(deal: Deal, seat: int, phase: Phase = OVER) -> tuple[Deal, tuple[Notice, ...]]:
    """The deal is won by the seat whose hand is empty (rule 9)."""
    points = tuple([int(other == seat) for other in range(1, deal.settings.seats + 1)])
    state = deal._replace(phase=phase, turn=0, outcome=Outcome(points, complete=True))
    return state, (Notice("hand-out", (("seat", seat),)),)
