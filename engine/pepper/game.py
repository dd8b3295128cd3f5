"""Pepper's answers to the questions that every game answers (`engine.game.Game`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.asks import Ask, Token
from engine.cards import (
    CARD_COUNT,
    CARDS,
    UNKNOWN,
    Card,
    CardError,
    cards_of,
    mask,
    of_one_pack,
    pack_of,
    parse_card,
    parse_suit,
    shown,
)
from engine.game import Dealt, NotationError, others
from engine.hands import deal_hands, named, seen_from
from engine.options import Option, OptionValue
from engine.pepper import auction, play
from engine.pepper.scoring import winners
from engine.pepper.settings import OPTIONS, PACK, RULE_SETS, Settings, settings
from engine.pepper.state import AUCTION, OVER, PLAY, TRUMP, Deal, Phase
from engine.phrases import Phrase, said_by
from engine.tricks import NO_TRUMP
from engine.values import Action, Argument, Notice, Refusal
from engine.view import DIRECTOR, Auction, Block, Hand, Trick, Turn

_PACK = frozenset(cards_of(PACK))

_LEGAL: Mapping[Phase, Callable[[Deal], Iterator[Action]]] = {
    AUCTION: auction.legal_calls,
    TRUMP: auction.legal_trumps,
    PLAY: play.legal_plays,
    OVER: lambda deal: iter(()),
}


_Check = Callable[[Deal, Action], Refusal | None]
_Apply = Callable[[Deal, Action], tuple[Deal, tuple[Notice, ...]]]

_VERBS: Mapping[str, tuple[Phase, _Check, _Apply]] = {
    "bid": (AUCTION, auction.check_bid, auction.call),
    "pass": (AUCTION, auction.check_pass, auction.call),
    "trump": (TRUMP, auction.check_trump, auction.name_trump),
    "play": (PLAY, play.check_play, play.play),
}
"""The phase that a verb belongs to, why it is illegal at the turn of its seat, and what it does."""


class Pepper:
    """2–4 seats, one pack of 24."""

    name = "pepper"
    catalogue = __package__
    seats = range(2, 5)
    rule_sets: Mapping[str, Mapping[str, OptionValue]] = RULE_SETS
    options: Mapping[str, Option] = OPTIONS
    verbs = frozenset(_VERBS)
    silent = frozenset({"bid", "pass", "trump"})
    deal_lines: frozenset[str] = frozenset()
    penalties: Mapping[str, tuple[str, ...]] = {"revoke": ("none", "fail-bid")}

    def rules(self, seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> Settings:
        """The settings of one match; every combination of options makes sense."""
        return settings(seats, tracked, options)

    def required_lines(self, rules: Settings) -> frozenset[str]:
        """A deal of Pepper has hands only."""
        return frozenset()

    def pack(self, rules: Settings) -> tuple[Card, ...]:
        """The 24 cards (rule 1)."""
        return pack_of(PACK)

    def sides(self, rules: Settings) -> tuple[tuple[int, ...], ...]:
        """Partners 1+3 and 2+4, or each seat alone."""
        return rules.sides

    def target(self, rules: Settings) -> int:
        """The score that ends the match (rule 7)."""
        return rules.target

    def winners(self, rules: Settings, scores: tuple[int, ...]) -> tuple[int, ...]:
        """Rule 7."""
        return winners(rules.target, scores)

    def losers(self, rules: Settings, scores: tuple[int, ...]) -> tuple[int, ...]:
        """Who has not won has lost."""
        return others(rules.sides, self.winners(rules, scores))

    # The notation

    def parse(self, verb: str, words: Sequence[str]) -> Argument:
        """The number of a bid, of a trump suit, or of a card; raises `NotationError`."""
        needed = 0 if verb == "pass" else 1
        if len(words) != needed:
            wanted = {
                "bid": Phrase("a bid: 1 to 7, little or big"),
                "trump": Phrase("a trump: C, D, H, S or none"),
                "play": Phrase("a card"),
            }
            expected = wanted[verb] if len(words) < needed else Phrase("nothing more")
            raise NotationError(
                Phrase("{verb}: expected {expected}", verb=verb, expected=expected), min(len(words), needed)
            )
        if verb == "bid":
            if words[0] not in auction.BIDS[1:]:
                raise NotationError(Phrase("{words!r} is no bid; expected 1 to 7, little or big", words=words[0]), 0)
            return auction.BIDS.index(words[0])
        if verb == "trump":
            suit = NO_TRUMP if words[0] == "none" else parse_suit(words[0])
            if suit is None:
                raise NotationError(
                    Phrase("{words} is no trump; expected C, D, H, S or none", words=shown(words[0])), 0
                )
            return suit
        return _parse_played(words[0]) if verb == "play" else None

    def text(self, action: Action) -> str:
        """The action in the record's notation, without its seat."""
        argument = action.argument
        if action.verb == "pass" or not isinstance(argument, int):
            return action.verb
        names: Sequence[object] = {"bid": auction.BIDS, "trump": auction.TRUMPS}.get(action.verb, CARDS)
        return f"{action.verb} {names[argument]}"

    # Dealing

    def places(self, rules: Settings, dealer: int) -> tuple[int, ...]:
        """One card at a time from the dealer's left; a dead hand is dealt third in turn (rule 2)."""
        turn = [(dealer + step) % rules.seats + 1 for step in range(rules.seats)]
        return tuple((turn + [0] * rules.dead_hand) * rules.cards)

    def check_deal(self, rules: Settings, dealer: int, dealt: Dealt) -> Refusal | None:
        """Why cards cannot have been dealt so."""
        if _is_whole(rules.cards, dealt.hands):
            return None
        seen = [card for hand in dealt.hands if hand is not None for card in hand if card != UNKNOWN]
        distinct = set(seen)
        if len(distinct) < len(seen):
            twice = next(card for card in seen if seen.count(card) > 1)
            return Refusal("duplicate-card", "2", (("card", twice),))
        for seat, hand in enumerate(dealt.hands, 1):
            if hand is not None and (len(hand) != rules.cards or (rules.tracked and UNKNOWN in hand)):
                known = len(hand) - hand.count(UNKNOWN) if rules.tracked else len(hand)
                return Refusal("wrong-count", "2", (("seat", seat), ("count", known), ("expected", rules.cards)))
        if not distinct <= _PACK:
            return Refusal("not-in-pack", "1", (("card", next(card for card in seen if card not in _PACK)),))
        return None

    def wanted(self, rules: Settings, dealt: Dealt) -> None:
        """Nothing but the hands."""

    def deal(self, rules: Settings, dealer: int, dealt: Dealt) -> tuple[Deal, tuple[Notice, ...]]:
        """The auction begins at the dealer's left."""
        hands = deal_hands(PACK, dealt.hands, rules.cards)
        turn = rules.next_seat[dealer][0]
        deal = Deal(rules, dealer, AUCTION, turn, hands, voids=(0,) * rules.seats, penalty=rules.revoke_penalty)
        return deal, ()

    # Acting

    def to_act(self, state: Deal) -> tuple[int, ...]:
        """One seat at a time."""
        return (state.turn,) if state.turn else ()

    def legal(self, state: Deal) -> Iterator[Action]:
        """Every action that `check` accepts."""
        return _LEGAL[state.phase](state)

    def check(self, state: Deal, action: Action) -> Refusal | None:
        """The codes in the order of `docs/judging.md` (3 to 7)."""
        seat, verb, _ = action
        phase, check, _ = _VERBS[verb]
        if seat != state.turn:
            out = phase is AUCTION is state.phase and state.out >> seat & 1 and not state.settings.rebid
            return Refusal("already-passed", "3") if out else Refusal("not-your-turn", "5", (("turn", state.turn),))
        if phase is not state.phase:
            return Refusal("wrong-phase", "4", (("phase", state.phase.value),))
        return check(state, action)

    def apply(self, state: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
        """The state after an action that `check` accepts."""
        _, _, apply = _VERBS[action.verb]
        return apply(state, action)

    # Asking and showing

    def ask(self, state: Deal, seat: int, given: tuple[Token, ...]) -> Ask | Action | None:
        """One token makes an action: a bid, a trump, or a card; a card is always an attempt to play it."""
        if given:
            return _meant(seat, given[0])
        if seat != state.turn:
            return None
        if state.phase is AUCTION:
            calls = [auction.BIDS[action.argument] if isinstance(action.argument, int) else action.verb
                     for action in auction.legal_calls(state)]  # fmt: skip
            return Ask("bid", choices=tuple(calls))
        if state.phase is TRUMP:
            return Ask("trump", choices=auction.TRUMPS)
        return Ask("play", cards=tuple(cards_of(play.playable(state.hands, state.turn, state.led))), source="hand")

    def tokens(self, state: Deal, action: Action) -> tuple[Token, ...]:
        """The bid, the trump or the card itself."""
        if action.argument is None or not isinstance(action.argument, int):
            return (action.verb,)
        if action.verb == "play":
            return (CARDS[action.argument],)
        return ((auction.BIDS if action.verb == "bid" else auction.TRUMPS)[action.argument],)

    def unnamed(self, state: Deal, action: Action) -> tuple[tuple[Action, ...], ...]:
        """Every card is played face up."""
        return ()

    def seen_from(self, state: Deal, viewer: int) -> Deal:
        """The state on what this viewer may know."""
        return state if viewer == DIRECTOR else state._replace(hands=seen_from(state.hands, viewer))

    def blocks(self, state: Deal, viewer: int) -> tuple[Block, ...]:
        """Turn, auction, trick, then the hands from the viewer's own on."""
        seen, rules = self.seen_from(state, viewer), state.settings
        seats = [(max(viewer, 1) - 1 + step) % rules.seats + 1 for step in range(rules.seats)]
        return (
            Turn(self.to_act(state), state.phase.value, state.dealer),
            Auction(
                tuple((seat, auction.BIDS[bid] if bid else "pass") for seat, bid in state.calls),
                state.bidder or None,
                auction.BIDS[state.bid] if state.bid else None,
                auction.TRUMPS[state.trump] if state.trump >= 0 else None,
            ),
            Trick(
                len(state.tricks) + (state.phase is PLAY),
                tuple((seat, CARDS[card]) for seat, card in state.plays),
                tuple((seat, CARDS[card]) for seat, card in state.last),
                state.winner or None,
                state.won,
            ),
            *(_hand(seen, seat, shown=seat == viewer or viewer == DIRECTOR) for seat in seats),
        )

    # The director

    def with_dealer(self, state: Deal, dealer: int) -> Deal | None:
        """The auction begins at the left of the new dealer."""
        if state.calls:
            return None
        return state._replace(dealer=dealer, turn=dealer % state.settings.seats + 1)

    def with_turn(self, state: Deal, seat: int) -> Deal | None:
        """In the auction a seat that is in it and has not the standing bid; in a trick one that has not played."""
        if state.phase is AUCTION:
            out = state.out >> seat & 1 and not state.settings.rebid
            return None if out or seat == state.bidder else state._replace(turn=seat)
        if state.phase is not PLAY or state.out >> seat & 1:
            return None
        return state._replace(turn=seat)

    def check_hand(self, state: Deal, seat: int, cards: tuple[Card, ...]) -> Refusal | None:
        """Why the seat cannot hold these cards: the number, a card that lies elsewhere or twice, a card of no pack."""
        hands = state.hands
        if len(cards) != hands.size(seat):
            count = (("seat", seat), ("count", len(cards)), ("expected", hands.size(seat)))
            return Refusal("wrong-count", "2", count)
        known = [card for card in cards if card != UNKNOWN]
        free = hands.unseen | hands.known[seat - 1]
        for card in known:
            if known.count(card) > 1 or (PACK >> card & 1 and not free >> card & 1):
                return Refusal("duplicate-card", "2", (("card", card),))
        for card in known:
            if not PACK >> card & 1:
                return Refusal("not-in-pack", "1", (("card", card),))
        return None

    def with_hand(self, state: Deal, seat: int, cards: tuple[Card, ...]) -> Deal:
        """The state in which the seat holds these cards."""
        return state._replace(hands=named(state.hands, seat, cards))

    def with_penalty(self, state: Deal, code: str, choice: str) -> Deal | None:
        """The choice holds for every revoke of this deal."""
        return state._replace(penalty=choice) if code == "revoke" and state.revokes else None


def _is_whole(size: int, hands: tuple[tuple[Card, ...] | None, ...]) -> bool:
    """Whether every hand is known in full, with cards of the pack only and none of them twice."""
    cards = 0
    for hand in hands:
        if hand is None or len(hand) != size:
            return False
        cards |= mask(hand)
    return cards.bit_count() == size * len(hands) and not cards & ~PACK


def _parse_played(word: str) -> Card:
    """A card; a joker may say which card it stands for, and is a card that this game does not use all the same."""
    card, mark, meaning = word.partition("=")
    joker = bool(mark) and card.upper().startswith("JK")
    try:
        played = parse_card(card if joker else word)
    except CardError as error:
        raise NotationError(said_by(error), 0, error.offset) from None
    try:
        if joker and parse_card(meaning) == UNKNOWN:
            raise CardError(Phrase("a joker stands for a known card; expected one such as 9D"))
    except CardError as error:
        raise NotationError(said_by(error), 0, error.offset + len(card) + 1) from None
    if played == CARD_COUNT:
        raise NotationError(Phrase("?? cannot be played; expected a card such as 9D"), 0)
    return of_one_pack(played)


def _meant(seat: int, token: Token) -> Action | None:
    if isinstance(token, Card):
        return play.PLAY[seat][token] if token != UNKNOWN else None
    if token == "pass":
        return auction.PASS[seat]
    if token in auction.TRUMPS:
        return auction.TRUMP[seat][auction.TRUMPS.index(token)]
    return auction.BID[seat][auction.BIDS.index(token)] if token in auction.BIDS[1:] else None


def _hand(state: Deal, seat: int, shown: bool) -> Hand:
    known = state.hands.known[seat - 1] if shown else 0
    return Hand(seat, tuple(cards_of(known)), state.hands.size(seat) - known.bit_count())
