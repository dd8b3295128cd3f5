"""Possession: true hands behind a table that does not know them all, and players who are honest or not."""

from random import Random

import pytest
from possession_tables import KNOWLEDGE, Truth, random_table

from engine.cards import CARDS, PLAIN, Card, cards_of
from engine.entries import Deal
from engine.match import Standing, begin, to_act
from engine.possession.state import Phase
from engine.referee import Referee
from engine.values import Action


class Room:
    """A table at which the cards really lie somewhere; what its seats do is told to the referee."""

    def __init__(self, seed: str, knowledge: str, honesty: float) -> None:
        self.random = Random(seed)
        self.table = random_table(self.random, knowledge == "tracked")
        self.truth = Truth(self.random, self.table)
        self.hands = self.truth.hands
        self.stock = self.truth.stock
        self.discards = [self.truth.turn_up]
        self.honesty = honesty
        self.names = self.random.choice((0.0, 0.5, 1.0))
        """How often a drawn card is named."""
        self.referee = Referee(begin(self.table))
        told = self.truth.told(self.random, self.table, knowledge)
        assert self.referee.rule(Deal(1, told)).refusal is None
        self.reach = dict.fromkeys(range(1, self.table.seats + 1), -1)
        self.lies: set[int] = set()
        """The numbers of the actions that were false claims."""
        self.made = 0

    @property
    def running(self) -> bool:
        return self.referee.match.standing is Standing.RUNNING

    def act(self) -> list[dict[str, object]]:
        """One action of a seat that is to act; gives the facts of the false claims that it proves."""
        seat = self.random.choice(to_act(self.referee.match))
        action = self.choose(seat)
        ruling = self.referee.rule(action, self.made)
        assert ruling.refusal is None, (action, ruling.refusal)
        self.made += 1
        return [dict(notice.facts) for notice in ruling.notices if notice.code == "false-claim"]

    def choose(self, seat: int) -> Action:
        phase = self.referee.match.deal.phase
        if phase is Phase.SHOW:
            return self.show(seat)
        if phase in (Phase.STEP, Phase.MELD):
            return self.meld(seat, phase)
        return self.build(seat, phase)

    def show(self, seat: int) -> Action:
        rank = self.truth.turn_up.face % 13
        by_distance: dict[int, list[Card]] = {}
        for card in self.hands[seat - 1]:
            by_distance.setdefault(abs(card.face % 13 - rank), []).append(card)
        far = min(distance for distance in by_distance if distance > self.reach[seat])
        cards = by_distance[far]
        known = set(cards_of(self.referee.match.deal.hands.known[seat - 1]))
        hidden = [card for card in cards if card not in known]
        if hidden and len(cards) > 1 and self.random.random() > self.honesty:
            cards = [card for card in cards if card != hidden[0]]
            self.lies.add(self.made)
        self.reach[seat] = far
        return Action(seat, "show", tuple(int(very(card)) for card in cards))

    def build(self, seat: int, phase: Phase) -> Action:
        hand, top = self.hands[seat - 1], self.discards[-1]
        deal = self.referee.match.deal
        plays = [card for card in hand if touches(card, top)]
        if phase is Phase.DRAWN:
            plays = [card for card in plays if card == self.drawn]
        certain = set(cards_of(deal.hands.known[seat - 1])) & set(plays)
        cheats = bool(plays) and not certain and self.random.random() > self.honesty
        if plays and not cheats and not (phase is Phase.DRAWN and self.random.random() < 0.3):
            card = self.random.choice(plays)
            hand.remove(card)
            self.discards.append(card)
            return Action(seat, "play", (int(very(card)),))
        if phase is Phase.DRAWN:
            return Action(seat, "pass")
        if cheats and not self.table.rules.voluntary:
            self.lies.add(self.made)
        if not self.stock and len(self.discards) == 1:
            self.lies |= {self.made} if cheats else set()
            return Action(seat, "pass")
        return self.draw(seat)

    def draw(self, seat: int) -> Action:
        deal = self.referee.match.deal
        if not self.stock and deal.refills == self.table.rules.max_refills:
            return Action(seat, "draw")
        if not self.stock:
            self.stock, self.discards = self.discards[:-1], self.discards[-1:]
            if self.table.rules.shuffle:
                self.random.shuffle(self.stock)
        self.drawn = self.stock.pop(0)
        self.hands[seat - 1].append(self.drawn)
        return Action(seat, "draw", int(very(self.drawn)) if self.random.random() < self.names else None)

    def meld(self, seat: int, phase: Phase) -> Action:
        hand = self.hands[seat - 1]
        if phase is Phase.STEP:
            return self.draw(seat)
        for card in hand:
            run = [CARDS[card + step] for step in range(3)]
            if card.face % 13 < 11 and all(other in hand for other in run):
                for other in run:
                    hand.remove(other)
                return Action(seat, "meld", tuple(int(very(other)) for other in run))
        card = hand.pop(self.random.randrange(len(hand)))
        self.discards.append(card)
        return Action(seat, "discard", int(very(card)))


def very(card: Card) -> Card:
    """The card written with its pack."""
    return card if card != PLAIN[card] else CARDS[card + 109]


def touches(card: Card, top: Card) -> bool:
    return card.suit == top.suit and abs(card.face - top.face) == 1


@pytest.mark.parametrize("knowledge", KNOWLEDGE)
@pytest.mark.parametrize("seed", range(25))
def test_who_plays_by_the_rules_is_never_refused_or_blamed_and_what_is_certain_is_true(
    seed: int, knowledge: str
) -> None:
    room = Room(f"{seed}{knowledge}", knowledge, honesty=1.0)
    while room.running:
        assert room.act() == []
        deal = room.referee.match.deal
        for known, hand in zip(deal.hands.known, room.hands, strict=True):
            assert set(cards_of(known)) <= set(hand)
        assert [len(hand) for hand in room.hands] == [deal.hands.size(seat) for seat in range(1, room.table.seats + 1)]
        assert len(deal.stock.places) == len(room.stock)
        assert list(deal.discards) == room.discards


@pytest.mark.parametrize("knowledge", ["concealed", "partly"])
@pytest.mark.parametrize("seed", range(40))
def test_only_false_claims_are_proven_false_and_each_once(seed: int, knowledge: str) -> None:
    room = Room(f"{seed}{knowledge}", knowledge, honesty=0.3)
    proven: list[int] = []
    while room.running:
        for facts in room.act():
            claim = facts["claim"]
            assert isinstance(claim, int)
            proven.append(claim)
    assert len(set(proven)) == len(proven)
    assert set(proven) <= room.lies


def test_where_every_drawn_card_is_named_each_lie_is_found_when_its_card_comes_out() -> None:
    found = 0
    for seed in range(60):
        room = Room(f"found {seed}", "concealed", honesty=0.4)
        room.names = 1.0
        open_lies: dict[int, tuple[int, set[Card]]] = {}
        shows = 0
        while room.running and room.table.rules.build:
            deal = room.referee.match.deal
            if deal.phase is Phase.SHOW:
                room.act()
                shows = room.made
                continue
            seat, top, number = deal.turn, room.discards[-1], room.made
            before = set(room.hands[seat - 1])
            facts = room.act()
            out = before - set(room.hands[seat - 1])
            expected = {claim for claim, (liar, cards) in open_lies.items() if liar == seat and cards & out}
            assert {fact["claim"] for fact in facts} - set(range(shows)) == expected
            found += len(expected)
            open_lies = {claim: lie for claim, lie in open_lies.items() if claim not in expected}
            if number in room.lies:
                open_lies[number] = (seat, {card for card in before if touches(card, top)})
    assert found > 10
