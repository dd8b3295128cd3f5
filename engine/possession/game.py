"""Possession's answers to the questions that every game answers (`engine.game.Game`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.asks import Ask, Token
from engine.cards import CARDS, PLAIN, UNKNOWN, Card, cards_of, mask, pack_of
from engine.game import Dealt
from engine.hands import Hands, deal_hands, named
from engine.hands import seen_from as hands_seen_from
from engine.options import Option, OptionValue
from engine.packs import place
from engine.possession import asking, build, meld, naming, scoring, start
from engine.possession.claims import NONE, misread
from engine.possession.settings import BOTH, HAND, OPTIONS, RULE_SETS, Settings, settings
from engine.possession.state import BUILD, DRAWN, MELD, SHOW, STEP, Deal, Phase
from engine.stock import Stock, covered
from engine.values import Action, Argument, Notice, Refusal
from engine.view import DIRECTOR, Block, Hand, Melds, Piles, Turn

_Check = Callable[[Deal, Action], Refusal | None]
_Apply = Callable[[Deal, Action], tuple[Deal, tuple[Notice, ...]]]


class _Verb(NamedTuple):
    """Whether an argument may be one of the verb's, why an action is illegal at its seat's turn, and what it does."""

    reads: Callable[[Argument], bool]
    check: _Check
    apply: _Apply


def _cards(argument: Argument) -> bool:
    return isinstance(argument, tuple) and bool(argument)


def _nothing(argument: Argument) -> bool:
    return argument is None


def _card_or_nothing(argument: Argument) -> bool:
    return argument is None or (isinstance(argument, int) and 0 <= argument < naming.WRITTEN and argument != UNKNOWN)


_SHOW = {"show": _Verb(_cards, start.check_show, start.show)}
_BUILD = {
    "play": _Verb(_cards, build.check_play, build.play),
    "draw": _Verb(_card_or_nothing, build.check_draw, build.draw),
    "pass": _Verb(_nothing, build.check_pass, build.decline),
}
_MELD = {
    "draw": _Verb(_card_or_nothing, meld.check_draw, meld.draw),
    "take": _Verb(_nothing, meld.check_take, meld.take),
    "meld": _Verb(_cards, meld.check_meld, meld.meld),
    "add": _Verb(lambda argument: bool(naming.addition(argument)[0]), meld.check_addition, meld.add),
    "discard": _Verb(lambda argument: isinstance(argument, int), meld.check_discard, meld.discard),
}


class Possession:
    """2–4 seats, everyone alone; one pack of 52, two for 4 seats."""

    name = "possession"
    catalogue = __package__
    seats = range(2, 5)
    rule_sets: Mapping[str, Mapping[str, OptionValue]] = RULE_SETS
    options: Mapping[str, Option] = OPTIONS
    verbs = frozenset((*_SHOW, *_BUILD, *_MELD))
    silent = frozenset({"pass"})
    deal_lines = frozenset({"turn-up", "stock", "buried"})
    """A card that was buried is read, and refused: this game buries none."""
    penalties: Mapping[str, tuple[str, ...]] = {}

    def rules(self, seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> Settings:
        """The settings of one match; every combination of options makes sense."""
        return settings(seats, tracked, options)

    def required_lines(self, rules: Settings) -> frozenset[str]:
        """The card that starts the discard pile (rule 1)."""
        return frozenset({"turn-up"})

    def pack(self, rules: Settings) -> tuple[Card, ...]:
        """The 52 cards, or both packs."""
        return pack_of(rules.pack)

    def sides(self, rules: Settings) -> tuple[tuple[int, ...], ...]:
        """Each seat alone."""
        return tuple((seat,) for seat in range(1, rules.seats + 1))

    def target(self, rules: Settings) -> int:
        """The score that ends the match (rule 7)."""
        return rules.losing_score

    def winners(self, rules: Settings, scores: tuple[int, ...]) -> tuple[int, ...]:
        """Rule 7."""
        return scoring.winners(rules, scores)

    def losers(self, rules: Settings, scores: tuple[int, ...]) -> tuple[int, ...]:
        """Rule 7: one seat, not all that have not won."""
        return scoring.losers(rules, scores)

    # The notation

    def parse(self, verb: str, words: Sequence[str]) -> Argument:
        """The argument that a verb's words write; raises `NotationError`."""
        return naming.parse(verb, words)

    def text(self, action: Action) -> str:
        """The action in the record's notation, without its seat."""
        return naming.text(action)

    # Dealing

    def places(self, rules: Settings, dealer: int) -> tuple[int, ...]:
        """Three rounds of three cards each, one seat after the other from the dealer's left (rule 1)."""
        return tuple(seat for _ in range(3) for seat in rules.from_left(dealer) for _ in range(3))

    def check_deal(self, rules: Settings, dealer: int, dealt: Dealt) -> Refusal | None:
        """Why cards cannot have been dealt so."""
        rest = rules.pack.bit_count() - HAND * rules.seats - 1
        if _is_whole(rules, dealt, rest):
            return None
        placed = place(dealt, rules.pack)
        if isinstance(placed, Card):
            return Refusal("duplicate-card", "1", (("card", placed),))
        if placed.buried is not None:
            return Refusal("wrong-count", "1", (("count", 1), ("expected", 0)))
        counted = [(hand, HAND) for hand in placed.hands if hand is not None]
        counted += [(placed.turn_up, 1), *([(placed.stock, rest)] if placed.stock is not None else [])]
        for cards, expected in counted:
            unknown = cards.count(UNKNOWN) if rules.tracked or cards is placed.turn_up else 0
            if len(cards) != expected or unknown:
                return Refusal("wrong-count", "1", (("count", len(cards) - unknown), ("expected", expected)))
        seen = [card for cards, _ in counted for card in cards if card != UNKNOWN]
        foreign = next((card for card in seen if not rules.pack >> card & 1), None)
        return None if foreign is None else Refusal("not-in-pack", "1", (("card", foreign),))

    def wanted(self, rules: Settings, dealt: Dealt) -> str | None:
        """The turn-up."""
        return None if dealt.turn_up else "turn-up"

    def deal(self, rules: Settings, dealer: int, dealt: Dealt) -> tuple[Deal, tuple[Notice, ...]]:
        """The state after the deal, and who starts if all hands are known."""
        rest = rules.pack.bit_count() - HAND * rules.seats - 1
        placed = dealt if _is_whole(rules, dealt, rest) else place(dealt, rules.pack)
        assert isinstance(placed, Dealt)
        stock = (UNKNOWN,) * rest if placed.stock is None else placed.stock
        elsewhere = mask((*placed.turn_up, *stock))
        deal = Deal(
            settings=rules,
            dealer=dealer,
            phase=Phase.SHOW,
            turn=0,
            hands=deal_hands(rules.pack & ~elsewhere, placed.hands, HAND),
            stock=Stock(stock),
            discards=placed.turn_up,
            refills=0,
            passes=0,
            made=0,
            drawn=0,
            taken=0,
            melds=((),) * rules.seats,
            claims=(NONE,) * rules.seats,
        )
        deal = start.begin(deal)
        return deal, start.starts(deal)

    # Acting

    def to_act(self, state: Deal) -> tuple[int, ...]:
        """One seat at a time; before the start all that owe a show."""
        return (state.turn,) if state.turn else start.owing(state)

    def legal(self, state: Deal) -> Iterator[Action]:
        """Every action that `check` accepts."""
        phase = state.phase
        if phase is BUILD:
            return build.legal_turn(state)
        if phase is STEP:
            return meld.legal_step(state)
        if phase is MELD:
            return meld.legal_melding(state)
        if phase is DRAWN:
            return build.legal_drawn(state)
        return start.legal_shows(state) if phase is SHOW else iter(())

    def check(self, state: Deal, action: Action) -> Refusal | None:
        """The codes in the order of judgement: the turn, the phase, the cards, then the game's own."""
        seat, verb, argument = action
        turn = state.turn
        if seat != turn and (turn or seat not in start.owing(state)):
            return Refusal("not-your-turn", "3", (("turn", turn or start.owing(state)),))
        judge = (_SHOW if not turn else _BUILD if state.settings.build else _MELD).get(verb)
        if judge is None:
            return Refusal("wrong-phase", "", (("phase", state.phase.value),))
        reads, check, _ = judge
        return check(state, action) if reads(argument) else Refusal("unknown-action", "", (("verb", verb),))

    def apply(self, state: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
        """The state after an action that `check` accepts."""
        _, _, apply = (_SHOW if not state.turn else _BUILD if state.settings.build else _MELD)[action.verb]
        return apply(state, action)

    # Asking and showing

    def ask(self, state: Deal, seat: int, given: tuple[Token, ...]) -> Ask | Action | None:
        """The next question to a seat, or the action that its tokens make."""
        return asking.ask(state, seat, given)

    def tokens(self, state: Deal, action: Action) -> tuple[Token, ...]:
        """What the seat gives, asked on what it may know."""
        return asking.tokens(self.seen_from(state, action.seat), action)

    def unnamed(self, state: Deal, action: Action) -> tuple[tuple[Action, ...], ...]:
        """A draw without its card; where that one might be played at once and could not be, it is declined."""
        if action.verb != "draw" or action.argument is None:
            return ()
        ended = state.phase is BUILD and state.settings.play_drawn and self.apply(state, action)[0].phase is not DRAWN
        draw = action._replace(argument=None)
        return ((draw, Action(action.seat, "pass")) if ended else (draw,),)

    def seen_from(self, state: Deal, viewer: int) -> Deal:
        """The state on what this viewer may know: a stock that nobody has seen open is as unknown as other hands."""
        if viewer == DIRECTOR:
            return state
        stock, hands = covered(state.stock, state.hands)
        return state._replace(
            hands=hands_seen_from(hands, viewer, state.open),
            stock=stock,
            drawn=state.drawn if viewer == state.turn or not state.drawn else BOTH,
            claims=(NONE,) * state.settings.seats,
        )

    def blocks(self, state: Deal, viewer: int) -> tuple[Block, ...]:
        """Turn, piles, melds (where the game has them), then the hands, from the viewer's own on.

        Only the director sees which of two equal cards lies where: it may have been told by where the other one is.
        """
        seen, rules, very = self.seen_from(state, viewer), state.settings, viewer == DIRECTOR
        seats = [(max(viewer, 1) - 1 + step) % rules.seats + 1 for step in range(rules.seats)]
        melds = [Melds(seat, tuple([_named(laid.pieces, very) for laid in state.melds[seat - 1]])) for seat in seats]
        return (
            Turn(self.to_act(seen), state.phase.value, state.dealer),
            Piles(len(state.stock.places), len(state.discards), next(iter(_named(state.discards[-1:], very)), None)),
            *([] if rules.build else melds),
            *(_hand(seen.hands, seat, seat == viewer or very, very) for seat in seats),
        )

    # The director

    def with_dealer(self, state: Deal, dealer: int) -> Deal | None:
        """Who starts is found again: seat order may decide it (rule 2)."""
        return None if state.made else start.begin(state._replace(dealer=dealer))

    def with_turn(self, state: Deal, seat: int) -> Deal | None:
        """At the start of a turn, nothing drawn or taken."""
        return state._replace(turn=seat) if state.phase in (Phase.BUILD, Phase.STEP) else None

    def check_hand(self, state: Deal, seat: int, cards: tuple[Card, ...]) -> Refusal | None:
        """Why the seat cannot hold these cards: the number, a card that lies elsewhere or twice, a card of no pack."""
        hands = state.hands
        if len(cards) != hands.size(seat):
            return Refusal("wrong-count", "1", (("count", len(cards)), ("expected", hands.size(seat))))
        placed = naming.place_hand(state.settings.pack, hands.known[seat - 1], hands.unseen, cards)
        return placed if isinstance(placed, Refusal) else None

    def with_hand(self, state: Deal, seat: int, cards: tuple[Card, ...]) -> Deal:
        """The state in which the seat holds these cards; a duty that they cannot meet is set aside."""
        index, known = seat - 1, state.hands.known[seat - 1]
        placed = naming.place_hand(state.settings.pack, known, state.hands.unseen, cards)
        assert not isinstance(placed, Refusal)
        hands = named(state.hands, seat, tuple([CARDS[card] for card in placed]))
        held = hands.known[index]
        claims, gone = state.claims, known & ~held
        if gone.bit_count() > hands.unknown[index]:  # else they may be among the cards that were not named
            claims = build.put_claims(claims, index, misread(claims[index], gone))
        deal = state._replace(hands=hands, claims=claims, open=state.open & ~gone)
        if seat == deal.turn and deal.drawn and not deal.drawn & (held | (hands.unseen if hands.unknown[index] else 0)):
            deal = deal._replace(drawn=BOTH)
        if seat == deal.turn and deal.taken:
            hand, sets = meld.held(hands, seat), state.settings.melds.sets
            usable = meld.is_usable(hand, deal.melds[index], naming.faces(deal.taken), sets)
            deal = deal if usable and held & deal.taken else deal._replace(taken=0)
        return start.renamed(deal)

    def with_penalty(self, state: Deal, code: str, choice: str) -> None:
        """The rules give the director no choices."""


def _is_whole(rules: Settings, dealt: Dealt, rest: int) -> bool:
    """Whether every hand is known in full and each card stands once, none by a name that needs to be looked up."""
    if len(dealt.turn_up) != 1 or dealt.buried is not None or (dealt.stock is not None and len(dealt.stock) != rest):
        return False
    cards = mask(dealt.turn_up) | mask(dealt.stock or ())
    for hand in dealt.hands:
        if hand is None or len(hand) != HAND:
            return False
        cards |= mask(hand)
    count = HAND * rules.seats + 1 + len(dealt.stock or ())
    return cards.bit_count() == count and not cards & ~rules.pack


def _hand(hands: Hands, seat: int, shown: bool, very: bool) -> Hand:
    known = hands.known[seat - 1] if shown else 0
    return Hand(seat, tuple(sorted(_named(tuple(cards_of(known)), very))), hands.size(seat) - known.bit_count())


def _named(cards: tuple[int, ...], very: bool) -> tuple[Card, ...]:
    """Cards with their packs, or without them."""
    return tuple([CARDS[card] for card in cards]) if very else tuple([CARDS[PLAIN[card]] for card in cards])
