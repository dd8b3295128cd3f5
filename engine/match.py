"""A match: deals, rotation, totals, the end, and the director's rulings. All of it is one immutable state.

`check` says why an entry is refused, `apply` gives the next state. Undo needs the states before, which
`engine.referee` keeps.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from engine import entries
from engine.asks import Ask, Token
from engine.entries import Entry
from engine.game import DealState, Game
from engine.options import OptionError, OptionValue
from engine.phrases import Phrase, either
from engine.values import IRREGULARITIES, Action, Irregularity, Notice, Refusal, make
from engine.view import Block, Notices, Score, Turn, View


class Table(NamedTuple):
    """What does not change in a match: the game, its settings, the seats, how hands are known."""

    game: Game
    rules: Any
    rule_set: str
    options: tuple[tuple[str, OptionValue], ...]
    seats: int
    tracked: bool
    sides: tuple[tuple[int, ...], ...]


def lay_table(
    game: Game, seats: int, rule_set: str = "standard", tracked: bool = True, options: Mapping[str, OptionValue] = {}
) -> Table:
    """A table for this game; raises `OptionError` for seats, a rule set or options that it does not have."""
    if seats not in game.seats:
        raise OptionError(
            Phrase(
                "{name} has no {seats} seats; expected {least} to {most}",
                name=game.name,
                seats=seats,
                least=game.seats[0],
                most=game.seats[-1],
            )
        )
    if rule_set not in game.rule_sets:
        raise OptionError(
            Phrase(
                "{name} has no rule set {rule_set!r}; expected {listed}",
                name=game.name,
                rule_set=rule_set,
                listed=either(game.rule_sets),
            )
        )
    for name in options:
        if name not in game.options:
            raise OptionError(
                Phrase("no option {name!r}; expected one of {listed}", name=name, listed=", ".join(game.options))
            )
    said = tuple((name, type(value), value) for name, value in options.items())
    try:
        return _laid(game, seats, rule_set, tracked, said)  # type: ignore[arg-type]
    except TypeError:  # a game that has no hash
        return _laid.__wrapped__(game, seats, rule_set, tracked, said)


@lru_cache(maxsize=32)  # each record of a journal asks for the same one
def _laid(
    game: Game, seats: int, rule_set: str, tracked: bool, options: tuple[tuple[str, type, OptionValue], ...]
) -> Table:
    said = {name: value for name, _, value in options}
    rules = game.rules(seats, tracked, {**game.rule_sets[rule_set], **said})
    return Table(game, rules, rule_set, tuple(said.items()), seats, tracked, game.sides(rules))


class Standing(StrEnum):
    """Where a match stands."""

    BEFORE = "before"
    """No deal has been dealt, or the first was taken back."""
    RUNNING = "running"
    BETWEEN = "between"
    """The last deal has ended; the next has not been dealt."""
    OVER = "over"


_RUNNING = Standing.RUNNING


class Match(NamedTuple):
    """The state of a match. Scores are by side in the order of the sides; `winners` are places in that order.

    `deal` is the running deal, or the last one until the next is dealt. `next_dealer` is 0 before the first deal.
    `step` counts the accepted entries.
    """

    table: Table
    standing: Standing
    scores: tuple[int, ...]
    names: tuple[str, ...]
    deal: Any = None
    dealer: int = 0
    next_dealer: int = 0
    deals: int = 0
    winners: tuple[int, ...] = ()
    voided: bool = False
    irregularities: tuple[Irregularity, ...] = ()
    notices: tuple[Notice, ...] = ()
    step: int = 0


def begin(table: Table, scores: tuple[int, ...] = (), names: tuple[str, ...] = ()) -> Match:
    """A match before its first deal."""
    return Match(table, Standing.BEFORE, scores or (0,) * len(table.sides), names)


def to_act(match: Match) -> tuple[int, ...]:
    """The seats that the table waits for; none between deals and after the match."""
    return match.table.game.to_act(match.deal) if match.standing is _RUNNING else ()


def legal(match: Match) -> Iterator[Action]:
    """Every legal action of the running deal."""
    return match.table.game.legal(match.deal) if match.standing is _RUNNING else iter(())


def ask(match: Match, seat: int, given: tuple[Token, ...]) -> Ask | Action | None:
    """The next question to a seat, on what that seat may know."""
    if match.standing is not _RUNNING:
        return None
    game = match.table.game
    return game.ask(game.seen_from(match.deal, seat), seat, given)


def view(match: Match, viewer: int) -> View:
    """Everything that a viewer may see; the one place where secrets are cut."""
    table = match.table
    winners = tuple(table.sides[place][0] for place in match.winners)
    over = match.standing is Standing.OVER
    target = table.game.target(table.rules)
    blocks = (Score(table.sides, match.scores, target, match.deals, over, winners), Notices(match.notices))
    dealt: tuple[Block, ...] = () if match.deal is None else table.game.blocks(match.deal, viewer)
    if match.standing is not _RUNNING:  # a deal that was thrown in waits for nobody
        dealt = tuple(block._replace(seats=()) if isinstance(block, Turn) else block for block in dealt)
    return View(viewer, (*blocks, *dealt))


def seen_from(match: Match, seat: int) -> Match:
    """The match on what one seat may know: by it an action that was entered by buttons is judged."""
    return match if match.deal is None else match._replace(deal=match.table.game.seen_from(match.deal, seat))


def side_of(table: Table, side: int) -> int:
    """The place of the side whose lowest seat this is; raises `ValueError` where there is none."""
    return [seats[0] for seats in table.sides].index(side)


# Judging

_WITHOUT_SEAT = entries.VoidDeal | entries.Accept | entries.Penalty


def check(match: Match, entry: Entry) -> Refusal | None:
    """Why an entry is refused, or None. An undo is judged by `engine.referee`, which knows what came before."""
    if isinstance(entry, Action):
        return check_action(match, entry)
    if isinstance(entry, entries.Deal):
        return _check_deal(match, entry)
    if isinstance(entry, entries.Undo):
        raise TypeError("an undo is judged by the referee")
    if isinstance(entry, entries.VoidMatch):
        return Refusal("match-over", "") if match.voided else None
    if isinstance(entry, entries.SetScore):
        return None
    if not isinstance(entry, _WITHOUT_SEAT) and not 1 <= entry.seat <= match.table.seats:
        return Refusal("wrong-phase", "", (("standing", match.standing.value),))
    if isinstance(entry, entries.SetName):
        return None
    if isinstance(entry, entries.SetHand) and match.standing is _RUNNING:
        return match.table.game.check_hand(match.deal, entry.seat, entry.cards)
    return None if _ruled(match, entry) else Refusal("wrong-phase", "", (("standing", match.standing.value),))


def check_action(match: Match, action: Action) -> Refusal | None:
    """Why a seat's action is illegal (`docs/judging.md`)."""
    game = match.table.game
    if match.standing is not _RUNNING or action.verb not in game.verbs:
        return _not_now(match, action)
    return game.check(match.deal, action)


def _not_now(match: Match, action: Action) -> Refusal:
    """The refusal of a verb that the game has not, or of one when no deal runs."""
    if action.verb not in match.table.game.verbs:
        return Refusal("unknown-action", "", (("verb", action.verb),))
    code = {Standing.OVER: "match-over", Standing.BETWEEN: "deal-over"}.get(match.standing, "wrong-phase")
    return Refusal(code, "", (("standing", match.standing.value),))


def _check_deal(match: Match, entry: entries.Deal) -> Refusal | None:
    dealer = entry.dealer or match.next_dealer
    refusal = match.table.game.check_deal(match.table.rules, dealer, entry.dealt)
    if refusal:
        return refusal
    if match.standing is _RUNNING:
        return Refusal("wrong-phase", "", (("standing", match.standing.value),))
    return Refusal("match-over", "") if match.standing is Standing.OVER else None


# Applying


def apply(match: Match, entry: Entry) -> Match:
    """The match after an entry that `check` accepts; what it brought about is in its `notices`."""
    if isinstance(entry, Action):
        after = act(match, entry, judged=True)
        assert isinstance(after, Match)
        return after
    if isinstance(entry, entries.Deal):
        return _apply_deal(match, entry)
    if isinstance(entry, entries.SetHand):
        deal = match.table.game.with_hand(match.deal, entry.seat, entry.cards)
        return match._replace(deal=deal, notices=(), step=match.step + 1)
    ruled = _ruled(match._replace(notices=()), entry)
    assert ruled is not None
    return ruled._replace(step=match.step + 1)


def act(match: Match, action: Action, judged: bool = False) -> Match | Refusal:
    """The match after an action of a seat, or why it is illegal.

    One that is `judged` is believed: entered by buttons, it was judged on less than the table knows.
    """
    (table, standing, scores, names, deal, dealer, next_dealer, deals, winners, voided,
     irregularities, _, step) = match  # fmt: skip
    game = table.game
    if not judged:
        if standing is not _RUNNING or action.verb not in game.verbs:
            return _not_now(match, action)
        refusal = game.check(deal, action)
        if refusal is not None:
            return refusal
    deal, notices = game.apply(deal, action)
    if notices:
        irregularities += tuple([Irregularity(step, notice) for notice in notices if notice.code in IRREGULARITIES])
    match = make(Match, (table, standing, scores, names, deal, dealer, next_dealer, deals, winners, voided,
                         irregularities, notices, step + 1))  # fmt: skip
    return match if deal.outcome is None else _end_deal(match)


def _apply_deal(match: Match, entry: entries.Deal) -> Match:
    table = match.table
    dealer = entry.dealer or match.next_dealer
    notices: tuple[Notice, ...] = ()
    if match.next_dealer not in (0, dealer):
        notices = (Notice("wrong-dealer", (("seat", dealer), ("expected", match.next_dealer))),)
    irregularities = match.irregularities + tuple([Irregularity(match.step, notice) for notice in notices])
    deal, brought = table.game.deal(table.rules, dealer, entry.dealt)
    dealt = Match(table, Standing.RUNNING, match.scores, match.names, deal, dealer, dealer, match.deals, match.winners,
                  match.voided, irregularities, notices + brought, match.step + 1)  # fmt: skip
    return dealt if deal.outcome is None else _end_deal(dealt)


def _end_deal(match: Match) -> Match:
    """Totals, rotation and perhaps the end of the match, after a deal that has an outcome."""
    deal: DealState = match.deal
    outcome = deal.outcome
    assert outcome is not None
    (table, _, scores, names, _, dealer, _, deals, winners, voided, irregularities, notices, step) = match
    points, complete, same_dealer = outcome
    if complete:
        scores = tuple([total + more for total, more in zip(scores, points, strict=True)])
        facts = (("points", _by_side(table, points)), ("scores", _by_side(table, scores)))
        notices = (*notices, Notice("deal-scored", facts))
    next_dealer = dealer if same_dealer else dealer % table.seats + 1
    ended = make(Match, (table, Standing.BETWEEN, scores, names, deal, dealer, next_dealer, deals + complete, winners,
                         voided, irregularities, notices, step))  # fmt: skip
    return _settle(ended)


def _settle(match: Match) -> Match:
    """The match over, or open again, as its scores say; only between deals, and never after a void match."""
    if match.voided or match.standing is _RUNNING:
        return match
    table = match.table
    winners = table.game.winners(table.rules, match.scores)
    if winners == match.winners:  # then it is over, or goes on, as before
        return match
    notices = match.notices
    if winners:
        sides = tuple(table.sides[place][0] for place in winners)
        notices = (*notices, Notice("match-won", (("winners", sides), ("scores", _by_side(table, match.scores)))))
    standing = Standing.OVER if winners else Standing.BEFORE if match.deal is None else Standing.BETWEEN
    return match._replace(standing=standing, winners=winners, notices=notices)


def _by_side(table: Table, values: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple([(side[0], value) for side, value in zip(table.sides, values, strict=True)])


# The director


def _ruled(match: Match, entry: Entry) -> Match | None:
    """The match after a ruling by the director, or None where it cannot be made now."""
    return _RULINGS[type(entry)](match, entry)


def _set_score(match: Match, entry: entries.SetScore) -> Match:
    place = side_of(match.table, entry.side)
    return _settle(match._replace(scores=(*match.scores[:place], entry.score, *match.scores[place + 1 :])))


def _void_deal(match: Match, entry: entries.VoidDeal) -> Match | None:
    if match.standing is not _RUNNING:
        return None
    return _settle(match._replace(standing=Standing.BETWEEN, notices=(Notice("thrown-in"),)))


def _void_match(match: Match, entry: entries.VoidMatch) -> Match:
    return match._replace(standing=Standing.OVER, winners=(), voided=True)


def _set_dealer(match: Match, entry: entries.SetDealer) -> Match | None:
    if match.standing is not _RUNNING:
        return None
    deal = match.table.game.with_dealer(match.deal, entry.seat)
    return deal and match._replace(deal=deal, dealer=entry.seat, next_dealer=entry.seat)


def _set_turn(match: Match, entry: entries.SetTurn) -> Match | None:
    if match.standing is not _RUNNING:
        return None
    deal = match.table.game.with_turn(match.deal, entry.seat)
    return deal and match._replace(deal=deal)


def _set_hand(match: Match, entry: entries.SetHand) -> None:
    """Only between deals: a hand in a running deal is judged by the game."""


def _set_name(match: Match, entry: entries.SetName) -> Match:
    names = match.names or ("",) * match.table.seats
    return match._replace(names=(*names[: entry.seat - 1], entry.name, *names[entry.seat :]))


def _accept(match: Match, entry: entries.Accept) -> Match | None:
    for place, noted in enumerate(match.irregularities):
        if noted.notice.code == entry.code and not noted.accepted:
            signed = noted._replace(accepted=True)
            rest = match.irregularities[place + 1 :]
            return match._replace(irregularities=(*match.irregularities[:place], signed, *rest))
    return None


def _penalty(match: Match, entry: entries.Penalty) -> Match | None:
    if match.standing is not _RUNNING:
        return None
    deal = match.table.game.with_penalty(match.deal, entry.code, entry.choice)
    return deal and match._replace(deal=deal)


_RULINGS: dict[type, Callable[[Match, Any], Match | None]] = {
    entries.SetScore: _set_score,
    entries.VoidDeal: _void_deal,
    entries.VoidMatch: _void_match,
    entries.SetDealer: _set_dealer,
    entries.SetTurn: _set_turn,
    entries.SetHand: _set_hand,
    entries.SetName: _set_name,
    entries.Accept: _accept,
    entries.Penalty: _penalty,
}
