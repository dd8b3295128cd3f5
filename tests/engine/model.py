"""A second Pepper, slow and obvious, written from the rules alone: it judges tracked deals by asking every question
anew. Cards, bids and suits are texts; hands are lists. Nothing of the engine is used."""

from collections.abc import Mapping, Sequence

VERBS = ("bid", "pass", "trump", "play")
BIDS = ["1", "2", "3", "4", "5", "6", "7", "little", "big"]
PLAIN = ["9", "10", "J", "Q", "K", "A"]
TRUMPS = ["9", "10", "Q", "K", "A", "J"]
COLOUR_MATE = {"C": "S", "S": "C", "D": "H", "H": "D"}

STANDARD = {
    "partners": True,
    "left_bower": False,
    "small_table_cards": 6,
    "rebid": False,
    "failed": "bid",
    "defenders_score": True,
    "big_pepper_alone": False,
    "target": 30,
}
BOWERS = {
    "partners": True,
    "left_bower": True,
    "small_table_cards": 8,
    "rebid": True,
    "failed": "all",
    "defenders_score": True,
    "big_pepper_alone": True,
    "target": 30,
}
RULE_SETS = {"standard": STANDARD, "bowers": BOWERS}


class Model:
    """A match of Pepper in which every hand is known."""

    def __init__(self, seats: int, rule_set: str, options: Mapping[str, object]) -> None:
        self.options: dict[str, object] = {**RULE_SETS[rule_set], **options}
        self.seats = seats
        self.partners = seats == 4 and self.options["partners"] is True
        self.cards = 6 if seats == 4 else int(str(self.options["small_table_cards"]))
        self.sides = [[1, 3], [2, 4]] if self.partners else [[seat] for seat in range(1, seats + 1)]
        self.scores = [0 for _ in self.sides]
        self.deals = 0
        self.winner: int | None = None
        self.running = False
        self.dealer: int | None = None
        self.next_dealer: int | None = None

    def deal(self, dealer: int, hands: Sequence[Sequence[str]]) -> None:
        """A new deal; cards are those of seat 1, seat 2 and so on."""
        self.running = True
        self.dealer = dealer
        self.hands = {seat: list(cards) for seat, cards in enumerate(hands, 1)}
        self.calls: list[tuple[int, str]] = []
        self.trump: str | None = None
        self.tricks: list[list[tuple[int, str]]] = []

    def after(self, seat: int) -> int:
        return 1 if seat == self.seats else seat + 1

    # The auction

    def bids(self) -> list[tuple[int, str]]:
        return [(seat, call) for seat, call in self.calls if call != "pass"]

    def out(self) -> set[int]:
        """The seats that may not call now: those that passed, or with rebid those that passed since the last bid."""
        calls = self.calls
        if self.options["rebid"] and self.bids():
            last = max(place for place, (_, call) in enumerate(calls) if call != "pass")
            calls = calls[last:]
        return {seat for seat, call in calls if call == "pass"}

    def auction_over(self) -> bool:
        bids = self.bids()
        if not bids:
            return len(self.out()) == self.seats
        bidder, bid = bids[-1]
        return bid == "big" or self.out() == set(range(1, self.seats + 1)) - {bidder}

    def phase(self) -> str:
        if not self.auction_over():
            return "auction"
        return "play" if self.trump is not None else "trump"

    # Tricks

    def suit(self, card: str) -> str:
        """The suit that a card belongs to."""
        left = self.options["left_bower"] and self.trump not in (None, "none")
        if left and self.trump and card == "J" + COLOUR_MATE[self.trump]:
            return self.trump
        return card[-1]

    def height(self, card: str) -> tuple[int, float]:
        """Trumps above plain cards; within them the rank, the left bower between the trump ace and jack."""
        if self.suit(card) != self.trump:
            return 0, PLAIN.index(card[:-1])
        return 1, 4.5 if card[-1] != self.trump else TRUMPS.index(card[:-1])

    def won_by(self, trick: list[tuple[int, str]]) -> int:
        led = self.suit(trick[0][1])
        able = [(seat, card) for seat, card in trick if self.suit(card) in (led, self.trump)]
        return max(able, key=lambda play: self.height(play[1]))[0]

    def lone_partner(self) -> int | None:
        bidder, bid = self.bids()[-1]
        if bid == "big" and self.partners and self.options["big_pepper_alone"]:
            return {1: 3, 3: 1, 2: 4, 4: 2}[bidder]
        return None

    def size_of_trick(self) -> int:
        return self.seats - (self.lone_partner() is not None)

    def running_trick(self) -> list[tuple[int, str]]:
        """The cards on the table: none when the last trick is complete."""
        if self.tricks and len(self.tricks[-1]) < self.size_of_trick():
            return self.tricks[-1]
        return []

    # The turn

    def turn(self) -> int:
        if self.phase() == "auction":
            assert self.dealer is not None
            seat = self.after(self.calls[-1][0] if self.calls else self.dealer)
            while seat in self.out():
                seat = self.after(seat)
            return seat
        if self.phase() == "trump" or not self.tricks:
            return self.bids()[-1][0]
        if not self.running_trick():
            return self.won_by(self.tricks[-1])
        seat = self.after(self.running_trick()[-1][0])
        return self.after(seat) if seat == self.lone_partner() else seat

    # Judging

    def verdict(self, seat: int, verb: str, argument: str | None) -> str | None:
        """The code of the refusal, or None."""
        if verb not in VERBS:
            return "unknown-action"
        if self.winner is not None:
            return "match-over"
        if not self.running:
            return "wrong-phase" if self.dealer is None else "deal-over"
        phase = self.phase()
        if phase == "auction" and verb in ("bid", "pass") and not self.options["rebid"] and seat in self.out():
            return "already-passed"
        if seat != self.turn():
            return "not-your-turn"
        if {"bid": "auction", "pass": "auction", "trump": "trump", "play": "play"}[verb] != phase:
            return "wrong-phase"
        if verb == "bid":
            return self.judge_bid(str(argument))
        return self.judge_card(seat, str(argument)) if verb == "play" else None

    def judge_bid(self, bid: str) -> str | None:
        if bid.isdigit() and int(bid) >= self.cards:
            return "bid-out-of-range"
        bids = self.bids()
        if bids and BIDS.index(bid) <= BIDS.index(bids[-1][1]):
            return "bid-too-low"
        return None

    def judge_card(self, seat: int, card: str) -> str | None:
        hand = self.hands[seat]
        if card not in hand:
            return "not-in-hand"
        trick = self.running_trick()
        if trick:
            led = self.suit(trick[0][1])
            if self.suit(card) != led and any(self.suit(held) == led for held in hand):
                return "must-follow-suit"
        return None

    # Doing

    def act(self, seat: int, verb: str, argument: str | None) -> None:
        """An action that `verdict` accepts."""
        if verb in ("bid", "pass"):
            self.calls.append((seat, str(argument) if verb == "bid" else "pass"))
            if self.auction_over() and not self.bids():
                self.end(None)
        elif verb == "trump":
            self.trump = str(argument)
        else:
            if not self.running_trick():
                self.tricks.append([])
            self.tricks[-1].append((seat, str(argument)))
            self.hands[seat].remove(str(argument))
            if len(self.tricks) == self.cards and not self.running_trick():
                self.end(self.points())

    def points(self) -> list[int]:
        bidder, bid = self.bids()[-1]
        points = []
        for side in self.sides:
            took = len([trick for trick in self.tricks if self.won_by(trick) in side])
            if bidder not in side:
                points.append(took if self.options["defenders_score"] else 0)
            elif bid in ("little", "big"):
                worth = self.cards if bid == "little" else 2 * self.cards
                points.append(worth if took == self.cards else -worth)
            elif took >= int(bid):
                points.append(took)
            else:
                points.append(-self.cards if self.options["failed"] == "all" else -int(bid))
        return points

    def end(self, points: list[int] | None) -> None:
        assert self.dealer is not None
        self.running = False
        self.next_dealer = self.after(self.dealer)
        if points is None:
            return
        self.deals += 1
        self.scores = [score + more for score, more in zip(self.scores, points, strict=True)]
        best = max(self.scores)
        if best >= int(str(self.options["target"])) and self.scores.count(best) == 1:
            self.winner = self.sides[self.scores.index(best)][0]
