"""What was said of cards that nobody saw, taken back where an action shows that it was a mistake.

By buttons a seat says which card it drew or buried, and nobody else sees it. Another seat's action is judged on what
that seat may know, and may bring out the very card. Then the earlier words were wrong: they are taken back and said
again without that card, so that the record holds what really was played, each line of it legal by what stands before.
Where saying less does not help, a line of the director says that a hand is not what it was believed to be.
"""

from collections.abc import Iterable, Iterator, Sequence

from engine.cards import CARDS, COPIES, PLAIN, UNKNOWN, Card, very
from engine.entries import Deal, Entry, SetHand, Undo
from engine.match import Match, Standing, apply, check, check_action, seen_from, view
from engine.pieces import piece_card
from engine.referee import Referee
from engine.values import Action, Refusal
from engine.view import DIRECTOR, Hand, Line, Melds, Piles

MOST = 24
"""So many times less is said in one place; after that, all at once."""


def entered(referee: Referee, action: Action) -> tuple[Entry, ...] | None:
    """The entries by which a running deal comes to an action that was legal on what its seat may know.

    The action alone, or what is taken back and said again before it; None where no such entries are found. At the end
    of these all but what was mistaken has been played, and taking back goes on as if it had been played so at once;
    a line of the director is one more to be taken back.
    """
    if referee.check(action) is None:
        return (action,)
    match = referee.match
    if match.standing is not Standing.RUNNING or check_action(seen_from(match, action.seat), action) is not None:
        return None
    dealt, deal, done = referee.running
    said = (
        _doubting(dealt, deal, done, action, action.seat)
        or _explained(dealt, done, action)
        or _doubting(dealt, deal, done, action)
        or _silent(dealt, done, action)
    )
    if said is None:
        return None
    same = 0
    while same < len(done) and same < len(said) and done[same] == said[same]:
        same += 1
    return (*[Undo(None)] * (len(done) - same), *said[same:])


class _Telling:
    """A deal told anew: what was said since the cards were dealt, and the match before each of it."""

    def __init__(self, dealt: Match) -> None:
        self.match = dealt
        self.said: list[Entry] = []
        self._before: list[Match] = []

    def before(self, at: int) -> Match:
        """The match before what was said there."""
        return self._before[at] if at < len(self._before) else self.match

    def say(self, entries: Iterable[Entry]) -> Refusal | None:
        """Go on with these; gives why one is refused, and then goes no further."""
        for entry in entries:
            refusal = check(self.match, entry)
            if refusal is not None:
                return refusal
            self._before.append(self.match)
            self.said.append(entry)
            self.match = apply(self.match, entry)
        return None

    def back(self, at: int) -> list[Entry]:
        """Go back to this place; gives what had been said from there on."""
        since = self.said[at:]
        self.match = self.before(at)
        del self.said[at:], self._before[at:]
        return since

    def says(self, entries: Iterable[Entry]) -> bool:
        """Go on with all of these or with none; whether it could be done."""
        at = len(self.said)
        if self.say(entries) is None:
            return True
        self.back(at)
        return False


# Less is said


def _doubting(
    dealt: Match, deal: Deal, done: Sequence[Entry], action: Action, believed: int = 0
) -> Sequence[Entry] | None:
    """What was entered after the deal, with so much less said that the action is legal; None: it is not found.

    What the seat that is `believed` said stays. Where less is said, a later entry may have become illegal, and still
    less is said before that one.
    """
    telling, left = _Telling(dealt), [*done, action]
    for _ in range(MOST):
        first = len(telling.said)
        refusal = telling.say(left)
        if refusal is None:
            return telling.said
        left = left[len(telling.said) - first :]
        wrong, card = left[0], _card(refusal)
        if not isinstance(wrong, Action) or card is None:
            return None
        less = _without(telling, deal, (wrong.seat, believed), card)
        if less is None:
            return None
        at, count, steps = less
        left = [*steps, *telling.back(at)[count:], *left]
    return None


def _card(refusal: Refusal) -> int | None:
    """The card that certainly is not in the hand."""
    card = dict(refusal.facts).get("card") if refusal.code == "not-in-hand" else None
    return card if isinstance(card, int) else None


def _without(
    telling: _Telling, deal: Deal, besides: tuple[int, int], card: int
) -> tuple[int, int, Sequence[Entry]] | None:
    """The newest place where a seat, besides these, is said to have had this card: how many entries there are to be
    replaced, and by which.
    """
    said = telling.said
    for at in range(len(said) - 1, -1, -1):
        entry = said[at]
        if isinstance(entry, SetHand) and entry.seat not in besides and _doubted(entry, card) != entry:
            return at, 1, [_doubted(entry, card)]
        if not isinstance(entry, Action) or entry.seat in besides or not _names(entry, card):
            continue
        before = telling.before(at)
        for less in before.table.game.unnamed(before.deal, entry):
            if not any(_names(step, card) for step in less):
                return at, 1, less
    named = [entry.seat for entry in said if isinstance(entry, SetHand)]
    for seat, hand in enumerate(deal.dealt.hands, 1):
        if seat not in (*besides, *named) and hand is not None:
            told = SetHand(seat, hand)
            if _doubted(told, card) != told:
                return 0, 0, [_doubted(told, card)]
    return None


def _doubted(entry: SetHand, card: int) -> SetHand:
    """A hand with what may be this card unknown."""
    return entry._replace(cards=tuple([UNKNOWN if _is_same(held, card) else held for held in entry.cards]))


def _names(action: Action, card: int) -> bool:
    """Whether an action of a card, or of several, names what may be this one."""
    named = action.argument if isinstance(action.argument, tuple) else (action.argument,)
    return any(isinstance(one, int) and one < len(COPIES) and _is_same(one, card) for one in named)


def _is_same(one: int, card: int) -> bool:
    """Whether two written cards may mean the same physical one."""
    return any(copy in COPIES[card] for copy in COPIES[one])


# The director says


def _explained(dealt: Match, done: Sequence[Entry], action: Action) -> Sequence[Entry] | None:
    """The same as it was entered, and before its end which hands are not what they were believed to be."""
    telling = _Telling(dealt)
    telling.say(done)
    return telling.said if _corrected(telling, [action]) else None


def _corrected(telling: _Telling, steps: Sequence[Action]) -> bool:
    """Go on with these of one seat, after as few lines of the director about other hands as make them legal, right
    before them or, where cards are taken and not yet used, before the turn; whether it could be done.
    """
    seat, now = steps[0].seat, len(telling.said)
    refusal = telling.say(steps)
    telling.back(now)
    start = now
    while start and isinstance(entry := telling.said[start - 1], Action) and entry.seat == seat:
        start -= 1
    for at in dict.fromkeys((now, start)):
        since = telling.back(at)
        for hands in _believed(telling.match, seat, refusal):
            if telling.says([*hands, *since, *steps]):
                _shorten(telling, at, hands, [*since, *steps])
                return True
        telling.say(since)
    return False


def _believed(match: Match, seat: int, refusal: Refusal | None) -> Iterator[list[SetHand]]:
    """What the director may say of the hands of other seats: not that card, then nothing."""
    others = [hand for hand in _hands(match) if hand.seat != seat]
    card = None if refusal is None else _card(refusal)
    if card is not None:
        yield [_doubted(hand, card) for hand in others]
    yield [hand._replace(cards=(UNKNOWN,) * len(hand.cards)) for hand in others]


def _shorten(telling: _Telling, at: int, hands: Sequence[SetHand], then: Sequence[Entry]) -> None:
    """Leave out each of these lines, said at this place, that is not needed for what comes then."""
    needed = list(hands)
    for hand in hands:
        fewer = [other for other in needed if other is not hand]
        telling.back(at)
        if telling.says([*fewer, *then]):
            needed = fewer
        else:
            telling.say([*needed, *then])


def _hands(match: Match) -> list[SetHand]:
    """What is known of each hand, each card as that very one."""
    return [
        SetHand(block.seat, (*[_very(match, card) for card in block.cards], *[UNKNOWN] * block.unknown))
        for block in view(match, DIRECTOR).blocks
        if isinstance(block, Hand)
    ]


def _very(match: Match, card: Card) -> Card:
    """The spelling of a physical card that means no other of this table's."""
    pack = match.table.game.pack(match.table.rules)
    return very(card) if sum(CARDS[copy] in pack for copy in COPIES[PLAIN[card]]) > 1 else card


# Nothing is said


def _silent(dealt: Match, done: Iterable[Entry], action: Action) -> Sequence[Entry] | None:
    """The same where no other seat names a card that nobody saw; None where it cannot have been played so."""
    telling, was = _Telling(dealt), dealt
    for entry in done:
        if isinstance(entry, Action):
            less = was.table.game.unnamed(was.deal, entry)[-1:]
            ways = [*less, [_exact(was, entry)]]
            if entry.seat == action.seat:
                ways.reverse()
            if not any(telling.says(way) for way in ways) and not any(_corrected(telling, way) for way in ways):
                return None
        else:
            telling.says([entry])  # a signature under what is no longer proven is none
        was = apply(was, entry)
    return telling.said if any(way(telling, [action]) for way in (_Telling.says, _corrected, _respelled)) else None


def _respelled(telling: _Telling, steps: Sequence[Action]) -> bool:
    """Go on with these after a card that was named unseen and without its pack is the other copy; whether it could be
    done.
    """
    at = len(telling.said)
    refusal = telling.say(steps)
    telling.back(at)
    card = None if refusal is None else _card(refusal)
    if card is None or len(COPIES[card]) > 1:
        return False
    game, plain = telling.match.table.game, str(CARDS[PLAIN[card]])
    others = [copy for copy in COPIES[PLAIN[card]] if copy not in COPIES[card]]
    for at in range(len(telling.said) - 1, -1, -1):
        entry = telling.said[at]
        if not isinstance(entry, Action):
            continue
        words = game.text(entry).split()[1:]
        for copy in others if plain in words else ():
            place, since = words.index(plain), telling.back(at)
            argument = game.parse(entry.verb, [*words[:place], str(very(CARDS[copy])), *words[place + 1 :]])
            if telling.says([entry._replace(argument=argument), *since[1:], *steps]):
                return True
            telling.say(since)
    return False


def _exact(match: Match, action: Action) -> Action:
    """The action with each of its cards that came to lie open as that very one."""
    game = match.table.game
    shown = _open(apply(match, action)) - _open(match)
    words = game.text(action).split()[1:]
    for place, word in enumerate(words):
        named, mark, face = word.partition("=")
        copy = next((card for card in shown if str(CARDS[PLAIN[card]]) == named), None)
        if copy is not None:
            shown.remove(copy)
            words[place] = f"{_very(match, copy)}{mark}{face}"
    return action._replace(argument=game.parse(action.verb, words))


def _open(match: Match) -> set[Card]:
    """The cards that lie open, each as that very one."""
    cards: list[int] = []
    for block in view(match, DIRECTOR).blocks:
        if isinstance(block, Melds):
            cards += [piece_card(piece) for meld in block.melds for piece in meld]
        elif isinstance(block, Line):
            cards += block.cards
        elif isinstance(block, Piles) and block.top is not None:
            cards.append(block.top)
    return {CARDS[card] for card in cards}
