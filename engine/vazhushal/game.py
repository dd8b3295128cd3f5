"""Vazhushal's answers to the questions that every game answers (`engine.game.Game`)."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from engine.asks import Ask, Token
from engine.cards import CARDS, UNKNOWN, Card, cards_of, pack_of
from engine.game import Dealt, others
from engine.options import Option, OptionValue
from engine.values import Action, Argument, Notice, Refusal
from engine.vazhushal import asking, dealing, entering, exhaustion, knowledge, legal, melding, notation, turn
from engine.vazhushal.settings import HAND, OPTIONS, RULE_SETS, Settings, settings
from engine.vazhushal.state import DUTY, LAST, Deal, Phase
from engine.view import DIRECTOR, Block, Hand, Line, Melds, Piles, Turn

Check = Callable[[Deal, Action], Refusal | None]
Apply = Callable[[Deal, Action], tuple[Deal, tuple[Notice, ...]]]

_TURN = notation.VERBS - {"pass", "return"}
_LAST = frozenset(("meld", "add", "rearrange", "pass"))

_VERBS: Mapping[str, tuple[Check, Apply]] = {
    "show": (dealing.check_show, dealing.show),
    "exchange": (turn.check_exchange, turn.apply_exchange),
    "draw": (turn.check_draw, turn.apply_draw),
    "take": (turn.check_take, turn.apply_take),
    "return": (lambda deal, action: None, turn.apply_return),
    "meld": (melding.check_lay, melding.apply_lay),
    "add": (melding.check_lay, melding.apply_lay),
    "rearrange": (melding.check_lay, melding.apply_lay),
    "declare": (melding.check_lay, melding.apply_lay),
    "discard": (turn.check_discard, turn.apply_discard),
    "out": (turn.check_discard, turn.apply_discard),
    "pass": (exhaustion.check_pass, exhaustion.apply_pass),
}


class Vazhushal:
    """2–6 seats, a pack of 54 for two and two of them for more."""

    name = "vazhushal"
    catalogue = __package__
    seats = range(2, 7)
    rule_sets: Mapping[str, Mapping[str, OptionValue]] = RULE_SETS
    options: Mapping[str, Option] = OPTIONS
    verbs = notation.VERBS
    silent = frozenset({"take", "return"})
    """What is taken from the line lay open there."""
    deal_lines: frozenset[str] = frozenset(("turn-up", "stock", "buried"))
    penalties: Mapping[str, tuple[str, ...]] = {}

    def rules(self, seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> Settings:
        """The settings of one match; raises `OptionError` for `declare_all` with a last card face down."""
        return settings(seats, tracked, options)

    def required_lines(self, rules: Settings) -> frozenset[str]:
        """The turn-up, and the negative joker where there is one (rules 3 and 11)."""
        return frozenset(("turn-up", "buried") if rules.negative_joker else ("turn-up",))

    def pack(self, rules: Settings) -> tuple[Card, ...]:
        """One pack with its jokers, or two."""
        return pack_of(rules.pack)

    def sides(self, rules: Settings) -> tuple[tuple[int, ...], ...]:
        """Everyone plays alone."""
        return tuple([(seat,) for seat in range(1, rules.seats + 1)])

    def target(self, rules: Settings) -> int:
        """How many deals win the match (rule 9)."""
        return rules.wins

    def winners(self, rules: Settings, scores: tuple[int, ...]) -> tuple[int, ...]:
        """The one with so many deals won; where a director's scores give several that, the one with the most."""
        best = max(scores)
        return (scores.index(best),) if best >= rules.wins and scores.count(best) == 1 else ()

    def losers(self, rules: Settings, scores: tuple[int, ...]) -> tuple[int, ...]:
        """All others."""
        return others(self.sides(rules), self.winners(rules, scores))

    # The notation

    def parse(self, verb: str, words: Sequence[str]) -> Argument:
        """The cards and groups that a verb's words write; raises `NotationError`."""
        return notation.parse(verb, words)

    def text(self, action: Action) -> str:
        """The action in the record's notation, without its seat."""
        return notation.text(action)

    # Dealing

    def places(self, rules: Settings, dealer: int) -> tuple[int, ...]:
        """One card at a time from the dealer's left (rule 1)."""
        return tuple([(dealer + step) % rules.seats + 1 for step in range(rules.seats)] * HAND)

    def check_deal(self, rules: Settings, dealer: int, dealt: Dealt) -> Refusal | None:
        """Why cards cannot have been dealt so."""
        return dealing.check_deal(rules, dealt)

    def wanted(self, rules: Settings, dealt: Dealt) -> str | None:
        """The negative joker, then what is turned up."""
        return dealing.wanted(rules, dealt)

    def deal(self, rules: Settings, dealer: int, dealt: Dealt) -> tuple[Deal, tuple[Notice, ...]]:
        """The dealer begins, or the seat at its left; doubles that the table sees may end the deal at once."""
        return dealing.deal(rules, dealer, dealt)

    # Acting

    def to_act(self, state: Deal) -> tuple[int, ...]:
        """The seat whose turn it is."""
        return (state.turn,) if state.turn else ()

    def legal(self, state: Deal) -> Iterator[Action]:
        """Every action that `check` accepts."""
        return legal.legal(state)

    def check(self, state: Deal, action: Action) -> Refusal | None:
        """The codes in the order of `docs/judging.md` (4 to 7); a double may be shown by every seat."""
        seat, verb, _ = action
        if verb != "show":
            if seat != state.turn:
                return Refusal("not-your-turn", "4", (("turn", state.turn),))
            phase = state.phase
            if verb in state.settings.shut or (
                verb not in (_LAST if phase is LAST else _TURN)
                and (verb != "return" or not state.taken or phase is DUTY)
            ):
                return Refusal("wrong-phase", "4", (("phase", phase.value),))
        return _VERBS[verb][0](state, action)

    def apply(self, state: Deal, action: Action) -> tuple[Deal, tuple[Notice, ...]]:
        """The state after an action that `check` accepts."""
        return _VERBS[action.verb][1](state, action)

    # Asking and showing

    def ask(self, state: Deal, seat: int, given: tuple[Token, ...]) -> Ask | Action | None:
        """The next question to a seat, or the action that its tokens make."""
        return asking.ask(state, seat, given)

    def tokens(self, state: Deal, action: Action) -> tuple[Token, ...]:
        """What the seat gives to make a legal action."""
        return entering.tokens(self.seen_from(state, action.seat), action)

    def unnamed(self, state: Deal, action: Action) -> tuple[tuple[Action, ...], ...]:
        """A draw without its card; an exchange without the card drawn, then without the one buried too."""
        if action.verb not in ("draw", "exchange") or action.argument is None:
            return ()
        cards = action.argument if isinstance(action.argument, tuple) else ()
        less = (cards[:1],) if len(cards) > 1 else ()
        return tuple([(action._replace(argument=argument),) for argument in (*less, None)])

    def seen_from(self, state: Deal, viewer: int) -> Deal:
        """The state on what this viewer may know."""
        return state if viewer == DIRECTOR else state._replace(places=knowledge.seen_from(state.places, viewer))

    def blocks(self, state: Deal, viewer: int) -> tuple[Block, ...]:
        """Turn, piles, the line, then melds and hands from the viewer's own on."""
        seen, rules = self.seen_from(state, viewer), state.settings
        seats = [(max(viewer, 1) - 1 + step) % rules.seats + 1 for step in range(rules.seats)]
        line = tuple([CARDS[card] for card in state.line])
        if state.phase is Phase.OUT and viewer != DIRECTOR:  # the last card lies face down (rule 12)
            line = (*line[:-1], UNKNOWN)
        return (
            Turn(self.to_act(state), state.phase.value, state.dealer),
            Piles(len(state.places.stock), len(line), line[-1] if line else None),
            Line(line),
            *(Melds(seat, tuple([meld.pieces for meld in state.melds[seat - 1]])) for seat in seats),
            *(_hand(seen, seat) for seat in seats),
        )

    # The director

    def with_dealer(self, state: Deal, dealer: int) -> Deal | None:
        """Before the first action: the new dealer, or its left, begins."""
        if state.made:
            return None
        return state._replace(dealer=dealer, turn=dealing.starter(state.settings, dealer))

    def with_turn(self, state: Deal, seat: int) -> Deal | None:
        """In play, before step 1 of a turn."""
        return state._replace(turn=seat) if state.phase is Phase.DRAW else None

    def check_hand(self, state: Deal, seat: int, cards: tuple[Card, ...]) -> Refusal | None:
        """Why the seat cannot hold these cards."""
        return dealing.check_hand(state, seat, cards)

    def with_hand(self, state: Deal, seat: int, cards: tuple[Card, ...]) -> Deal:
        """The state in which the seat holds these cards."""
        return dealing.with_hand(state, seat, cards)

    def with_penalty(self, state: Deal, code: str, choice: str) -> Deal | None:
        """No irregularity of this game has choices."""
        return None


def _hand(seen: Deal, seat: int) -> Hand:
    known = seen.places.known[seat - 1]
    return Hand(seat, tuple(cards_of(known)), seen.places.size(seat) - known.bit_count())
