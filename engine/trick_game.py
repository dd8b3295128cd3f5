"""A plain trick-taking game: one pack, a hand each, follow suit, points at the end of the deal.

`TrickGame` gives every answer of `engine.game.Game` for such a game, for tracked hands, concealed ones and all between.
A game inherits them, says its cards and its order in `rules`, and answers otherwise where its rules do
(`docs/writing-a-game.md`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.asks import Ask, Token
from engine.cards import CARD_COUNT, CARDS, SUITS, UNKNOWN, Card, CardError, cards_of, of_one_pack, parse_card
from engine.game import Dealt, NotationError, others
from engine.hands import Hands, deal_hands, leave, named, seen_from
from engine.options import Option, OptionValue
from engine.phrases import Phrase, said_by
from engine.tricks import NO_TRUMP, TrickOrder, may_follow, trick_order, winner
from engine.values import Action, Argument, Notice, Outcome, Refusal
from engine.view import DIRECTOR, Block, Hand, Trick, Turn

Play = tuple[int, int]
"""A seat, and the card that it played."""


class TrickRules(NamedTuple):
    """The settings of one match. `pack` is a mask; `sides` are in the order of their lowest seats."""

    seats: int
    tracked: bool
    pack: int
    order: TrickOrder
    sides: tuple[tuple[int, ...], ...]
    target: int
    options: Mapping[str, OptionValue]

    @property
    def cards(self) -> int:
        """How many cards each seat is dealt, and so the number of tricks; the rest of the pack lies unseen."""
        return self.pack.bit_count() // self.seats


class Revoke(NamedTuple):
    """In this trick (counted from 1) the seat played this card, though it held a card of the suit led."""

    seat: int
    trick: int
    card: int


class TrickDeal(NamedTuple):
    """One deal. `turn` is 0 when it is over; `winners` has the seat that won each of the finished `tricks`."""

    rules: TrickRules
    dealer: int
    turn: int
    hands: Hands
    plays: tuple[Play, ...] = ()
    tricks: tuple[tuple[Play, ...], ...] = ()
    winners: tuple[int, ...] = ()
    revokes: tuple[Revoke, ...] = ()
    outcome: Outcome | None = None

    @property
    def won(self) -> tuple[int, ...]:
        """How many tricks each seat has won."""
        return tuple(self.winners.count(seat) for seat in range(1, self.rules.seats + 1))


def alone(seats: int) -> tuple[tuple[int, ...], ...]:
    """The sides where everybody plays for themselves."""
    return tuple((seat,) for seat in range(1, seats + 1))


def pack_of(*ranks: int) -> int:
    """The cards of these ranks (A is 0, K is 12) in all suits, as a mask."""
    return sum(1 << suit * 13 + rank for suit in range(4) for rank in ranks)


def standard_order(*ranks: int) -> TrickOrder:
    """The order without trumps in which each suit ranks so, low to high."""
    return trick_order(NO_TRUMP, ranks, ranks, left_bower=False)


# What the table knows


def may_hold(hands: Hands, seat: int) -> int:
    """The cards that the seat may hold: those that it certainly does, and what nobody has seen if it has such."""
    return hands.known[seat - 1] | (hands.unseen if hands.unknown[seat - 1] else 0)


def playable(hands: Hands, seat: int, led: int, order: TrickOrder) -> int:
    """The cards that the seat may play to this suit: of the suit alone, if it certainly holds one."""
    certain = hands.known[seat - 1] & order.suits[led]
    return may_follow(order, may_hold(hands, seat), led) if certain else may_hold(hands, seat)


def proven(deal: TrickDeal, order: TrickOrder, seat: int, card: int) -> tuple[Revoke, ...]:
    """The revokes that this card shows and none before it: the seat did not follow its suit, and had it all the time.

    Nobody draws in such a game: what a hand holds now it has held from the deal on.
    """
    suit = order.suit[card]
    found = (
        Revoke(seat, number, played)
        for number, trick in enumerate(deal.tricks, 1)
        for other, played in trick
        if other == seat and order.suit[trick[0][1]] == suit != order.suit[played]
    )
    return tuple(revoke for revoke in found if revoke not in deal.revokes)


class TrickGame:
    """The answers of a plain trick game. What a game must say: its names, its seats, its options and its `rules`.

    The refusals cite the rules of its page by `cards_rule` (the pack), `deal_rule` and `play_rule`.
    """

    name: str
    catalogue: str
    seats: range
    rule_sets: Mapping[str, Mapping[str, OptionValue]]
    options: Mapping[str, Option]
    verbs = frozenset({"play"})
    silent: frozenset[str] = frozenset()
    deal_lines: frozenset[str] = frozenset()
    penalties: Mapping[str, tuple[str, ...]] = {}
    cards_rule, deal_rule, play_rule = "1", "2", "3"

    # What games differ in

    def rules(self, seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> TrickRules:
        """The settings of one match; raises `OptionError` for a combination that makes no sense."""
        raise NotImplementedError(f"{self.name} does not say its rules")

    def order(self, deal: TrickDeal) -> TrickOrder:
        """The order of the cards in this deal."""
        return deal.rules.order

    def points(self, deal: TrickDeal) -> tuple[int, ...]:
        """What each side scores in a deal in which all tricks have been played: a point a trick."""
        return tuple(sum(deal.won[seat - 1] for seat in side) for side in deal.rules.sides)

    def winners(self, rules: TrickRules, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The highest total wins when it has reached the target; equal ones play another deal."""
        best = max(scores)
        return (scores.index(best),) if best >= rules.target and scores.count(best) == 1 else ()

    def losers(self, rules: TrickRules, scores: tuple[int, ...]) -> tuple[int, ...]:
        """Who has not won has lost."""
        return others(rules.sides, self.winners(rules, scores))

    def noted(self, deal: TrickDeal) -> tuple[Notice, ...]:
        """What the table says of the trick that has just ended, but for who won it."""
        return ()

    # The match

    def required_lines(self, rules: TrickRules) -> frozenset[str]:
        """A deal has hands only."""
        return frozenset()

    def pack(self, rules: TrickRules) -> tuple[Card, ...]:
        """Every card that is dealt from."""
        return tuple(cards_of(rules.pack))

    def sides(self, rules: TrickRules) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return rules.sides

    def target(self, rules: TrickRules) -> int:
        """The score that ends the match."""
        return rules.target

    # The notation

    def parse(self, verb: str, words: Sequence[str]) -> Argument:
        """The card that is played; raises `NotationError`."""
        if len(words) != 1:
            raise NotationError(
                Phrase("{verb}: expected nothing more", verb=verb)
                if words
                else Phrase("{verb}: expected a card", verb=verb),
                min(len(words), 1),
            )
        try:
            card = of_one_pack(parse_card(words[0]))
        except CardError as error:
            raise NotationError(said_by(error), 0, error.offset) from None
        if card == UNKNOWN:
            raise NotationError(Phrase("?? cannot be played; expected a card such as 9D"), 0)
        return card

    def text(self, action: Action) -> str:
        """The action in the record's notation, without its seat."""
        return f"{action.verb} {CARDS[action.argument]}" if isinstance(action.argument, int) else action.verb

    # Dealing

    def places(self, rules: TrickRules, dealer: int) -> tuple[int, ...]:
        """One card at a time from the dealer's left."""
        return tuple((dealer + step) % rules.seats + 1 for step in range(rules.seats)) * rules.cards

    def check_deal(self, rules: TrickRules, dealer: int, dealt: Dealt) -> Refusal | None:
        """Why cards cannot have been dealt so: one twice, a wrong number, one that is not used."""
        hands = [hand for hand in dealt.hands if hand is not None]
        seen = [card for hand in hands for card in hand if card != UNKNOWN]
        twice = next((card for card in seen if seen.count(card) > 1), None)
        if twice is not None:
            return Refusal("duplicate-card", self.deal_rule, (("card", twice),))
        for seat, hand in enumerate(dealt.hands, 1):
            if hand is not None:
                count = len(hand) - (hand.count(UNKNOWN) if rules.tracked else 0)
                if count != rules.cards or len(hand) != rules.cards:
                    facts = (("seat", seat), ("count", count), ("expected", rules.cards))
                    return Refusal("wrong-count", self.deal_rule, facts)
        return self._not_in_pack(rules, seen)

    def _not_in_pack(self, rules: TrickRules, cards: Sequence[Card]) -> Refusal | None:
        foreign = next((card for card in cards if not rules.pack >> card & 1), None)
        return None if foreign is None else Refusal("not-in-pack", self.cards_rule, (("card", foreign),))

    def wanted(self, rules: TrickRules, dealt: Dealt) -> str | None:
        """Nothing but the hands."""
        return None

    def deal(self, rules: TrickRules, dealer: int, dealt: Dealt) -> tuple[TrickDeal, tuple[Notice, ...]]:
        """The dealer's left leads."""
        return TrickDeal(rules, dealer, dealer % rules.seats + 1, deal_hands(rules.pack, dealt.hands, rules.cards)), ()

    # Acting

    def to_act(self, state: TrickDeal) -> tuple[int, ...]:
        """One seat at a time."""
        return (state.turn,) if state.turn else ()

    def _playable(self, deal: TrickDeal) -> int:
        if not deal.plays:
            return may_hold(deal.hands, deal.turn)
        order = self.order(deal)
        return playable(deal.hands, deal.turn, order.suit[deal.plays[0][1]], order)

    def legal(self, state: TrickDeal) -> Iterator[Action]:
        """Every card that the seat may hold; where it certainly can follow suit, only those."""
        return (Action(state.turn, "play", card) for card in cards_of(self._playable(state) if state.turn else 0))

    def check(self, state: TrickDeal, action: Action) -> Refusal | None:
        """Why the action is illegal (`docs/judging.md`)."""
        seat, verb, card = action
        if seat != state.turn:
            return Refusal("not-your-turn", self.play_rule, (("turn", state.turn),))
        if not isinstance(card, int) or not 0 <= card < len(CARDS):
            return Refusal("unknown-action", "", (("verb", verb),))
        if not may_hold(state.hands, seat) >> card & 1:
            return Refusal("not-in-hand", self.play_rule, (("card", card),))
        if not self._playable(state) >> card & 1:
            led = SUITS[self.order(state).suit[state.plays[0][1]]]
            return Refusal("must-follow-suit", self.play_rule, (("card", card), ("suit", led)))
        return None

    def apply(self, state: TrickDeal, action: Action) -> tuple[TrickDeal, tuple[Notice, ...]]:
        """The state after a card: the next seat plays, or the winner of the trick leads, or the deal is over."""
        seat, _, card = action
        assert isinstance(card, int)
        order = self.order(state)
        shown = proven(state, order, seat, card)
        notices = tuple(
            Notice("revoke", (("seat", seat), ("trick", trick), ("played", played), ("card", card)))
            for _, trick, played in shown
        )
        deal = state._replace(
            hands=leave(state.hands, seat, card), plays=(*state.plays, (seat, card)), revokes=state.revokes + shown
        )
        played = {other for other, _ in deal.plays}
        clockwise = [(seat + step) % deal.rules.seats + 1 for step in range(deal.rules.seats)]
        waiting = [other for other in clockwise if other not in played]
        if waiting:
            return deal._replace(turn=waiting[0]), notices
        deal, ended = self._end_trick(deal, order)
        return deal, notices + ended

    def _end_trick(self, deal: TrickDeal, order: TrickOrder) -> tuple[TrickDeal, tuple[Notice, ...]]:
        taker = deal.plays[winner(order, [card for _, card in deal.plays])][0]
        tricks = (*deal.tricks, deal.plays)
        deal = deal._replace(turn=taker, plays=(), tricks=tricks, winners=(*deal.winners, taker))
        notices = (Notice("trick-won", (("seat", taker), ("trick", len(tricks)))), *self.noted(deal))
        if len(tricks) == deal.rules.cards:
            deal = deal._replace(turn=0, outcome=Outcome(self.points(deal), complete=True))
        return deal, notices

    # Asking and showing

    def ask(self, state: TrickDeal, seat: int, given: tuple[Token, ...]) -> Ask | Action | None:
        """A card is always an attempt to play it."""
        if given:
            card = given[0]
            return Action(seat, "play", card) if isinstance(card, Card) and card < CARD_COUNT else None
        if seat != state.turn:
            return None
        return Ask("play", cards=tuple(cards_of(self._playable(state))), source="hand")

    def tokens(self, state: TrickDeal, action: Action) -> tuple[Token, ...]:
        """The card itself."""
        assert isinstance(action.argument, int)
        return (CARDS[action.argument],)

    def unnamed(self, state: TrickDeal, action: Action) -> tuple[tuple[Action, ...], ...]:
        """Every card is played face up."""
        return ()

    def seen_from(self, state: TrickDeal, viewer: int) -> TrickDeal:
        """The state on what this viewer may know."""
        return state if viewer == DIRECTOR else state._replace(hands=seen_from(state.hands, viewer))

    def blocks(self, state: TrickDeal, viewer: int) -> tuple[Block, ...]:
        """Turn and trick, then the hands from the viewer's own on."""
        hands = self.seen_from(state, viewer).hands
        seats = [(max(viewer, 1) - 1 + step) % state.rules.seats + 1 for step in range(state.rules.seats)]
        known = {seat: hands.known[seat - 1] if viewer in (seat, DIRECTOR) else 0 for seat in seats}
        return (
            Turn(self.to_act(state), "play" if state.turn else "over", state.dealer),
            Trick(
                len(state.tricks) + bool(state.turn),
                tuple((seat, CARDS[card]) for seat, card in state.plays),
                tuple((seat, CARDS[card]) for seat, card in (state.tricks or ((),))[-1]),
                state.winners[-1] if state.winners else None,
                state.won,
            ),
            *(
                Hand(seat, tuple(cards_of(cards)), hands.size(seat) - cards.bit_count())
                for seat, cards in known.items()
            ),
        )

    # The director

    def with_dealer(self, state: TrickDeal, dealer: int) -> TrickDeal | None:
        """Before the first card; the left of the new dealer leads."""
        if state.plays or state.tricks:
            return None
        return state._replace(dealer=dealer, turn=dealer % state.rules.seats + 1)

    def with_turn(self, state: TrickDeal, seat: int) -> TrickDeal | None:
        """A seat that has not played to the running trick."""
        return None if not state.turn or seat in dict(state.plays) else state._replace(turn=seat)

    def check_hand(self, state: TrickDeal, seat: int, cards: tuple[Card, ...]) -> Refusal | None:
        """Why the seat cannot hold these cards: a wrong number, one that lies elsewhere, one that is not used."""
        hands, rules = state.hands, state.rules
        if len(cards) != hands.size(seat):
            facts = (("seat", seat), ("count", len(cards)), ("expected", hands.size(seat)))
            return Refusal("wrong-count", self.deal_rule, facts)
        seen = [card for card in cards if card != UNKNOWN]
        elsewhere = rules.pack & ~(hands.unseen | hands.known[seat - 1])
        for card in seen:
            if seen.count(card) > 1 or elsewhere >> card & 1:
                return Refusal("duplicate-card", self.deal_rule, (("card", card),))
        return self._not_in_pack(rules, seen)

    def with_hand(self, state: TrickDeal, seat: int, cards: tuple[Card, ...]) -> TrickDeal:
        """The state in which the seat holds these cards."""
        return state._replace(hands=named(state.hands, seat, cards))

    def with_penalty(self, state: TrickDeal, code: str, choice: str) -> TrickDeal | None:
        """The rules give the director no choice."""
        return None
