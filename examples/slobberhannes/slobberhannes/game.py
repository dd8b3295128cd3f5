"""Slobberhannes: a trick game without trumps in which three things must not be taken.

The numbers of rules are those of the page `rules/en.md`.
"""

from collections.abc import Mapping

from engine.cards import Card, mask
from engine.options import Number, Option, OptionValue
from engine.trick_game import TrickDeal, TrickGame, TrickRules, alone, pack_of, standard_order
from engine.values import Notice

RANKS = (6, 7, 8, 9, 10, 11, 12, 0)
"""7 8 9 10 J Q K A, low to high; an ace is rank 0, a king 12."""

BLACK_SEVENS = mask((Card("7C"), Card("7S")))


class Slobberhannes(TrickGame):
    """3 or 4 seats, everyone alone, one pack of 32."""

    name = "slobberhannes"
    catalogue = "slobberhannes"
    seats = range(3, 5)
    options: Mapping[str, Option] = {"target": Number(1, 99), "all_three": Number(0, 9)}
    rule_sets: Mapping[str, Mapping[str, OptionValue]] = {"standard": {"target": 10, "all_three": 1}}

    def rules(self, seats: int, tracked: bool, options: Mapping[str, OptionValue]) -> TrickRules:
        """With 3 seats the black sevens are left out (rule 1)."""
        pack = pack_of(*RANKS)
        if seats == 3:
            pack &= ~BLACK_SEVENS
        return TrickRules(seats, tracked, pack, standard_order(*RANKS), alone(seats), int(options["target"]), options)

    def forfeits(self, deal: TrickDeal) -> list[tuple[str, int]]:
        """What has been taken of the three so far, and by which seat (rule 4)."""
        taken = []
        for number, (trick, seat) in enumerate(zip(deal.tricks, deal.winners, strict=True), 1):
            if number == 1:
                taken.append(("first-trick", seat))
            if Card("QC") in (card for _, card in trick):
                taken.append(("queen", seat))
            if number == deal.rules.cards:
                taken.append(("last-trick", seat))
        return taken

    def points(self, deal: TrickDeal) -> tuple[int, ...]:
        """A bad point for each, and more for who took all three (rule 4)."""
        takers = [seat for _, seat in self.forfeits(deal)]
        more = int(deal.rules.options["all_three"])
        counts = [takers.count(seat) for seat in range(1, deal.rules.seats + 1)]
        return tuple(count + more if count == 3 else count for count in counts)

    def winners(self, rules: TrickRules, scores: tuple[int, ...]) -> tuple[int, ...]:
        """When somebody has reached the target the lowest total wins; equal ones win together (rule 5)."""
        if max(scores) < rules.target:
            return ()
        return tuple(place for place, score in enumerate(scores) if score == min(scores))

    def losers(self, rules: TrickRules, scores: tuple[int, ...]) -> tuple[int, ...]:
        """Who has reached the target has lost; who is between has done neither (rule 5)."""
        best = self.winners(rules, scores)
        return tuple(place for place, score in enumerate(scores) if score >= rules.target and place not in best)

    def noted(self, deal: TrickDeal) -> tuple[Notice, ...]:
        """A word for each of the three, when it is taken (rule 4)."""
        before = deal._replace(tricks=deal.tricks[:-1], winners=deal.winners[:-1])
        new = self.forfeits(deal)[len(self.forfeits(before)) :]
        return tuple(Notice("forfeit", (("seat", seat), ("what", what))) for what, seat in new)
