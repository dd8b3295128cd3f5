"""Cards that are told to the table apart from the game: shown to a reader, or picked by rank and suit.

The display counts them and names none, for whoever sits there would read it.
"""

from collections.abc import Callable

from engine.asks import Ask, Token
from engine.cards import RANKS, UNKNOWN, Card, parse_card, physical
from firmware.desk import Desk
from firmware.dialogs import DONE, ERASE, Close, Dialog, Open, Outcome, Pick, Said, Say, Shown, Stay
from firmware.seatview import Sheet, TableText, Wording
from firmware.words import Length
from hal.cues import Cue

BY_BUTTONS, UNSEEN = "by-buttons", "unseen"


class CardEntry(Dialog):
    """Cards are given one after the other, so many, or any number to `most`. What `then` makes of them comes of it."""

    lasts = True

    def __init__(
        self,
        desk: Desk,
        prompt: str,
        then: Callable[[tuple[Card, ...]], Outcome],
        *,
        most: int,
        least: int = 1,
        unseen: bool = False,
        name: Said = str,
    ) -> None:
        self._desk = desk
        self._prompt = prompt
        self._then = then
        self._most = most
        self._least = least
        self._unseen = unseen
        """Whether a card may be told that nobody has seen."""
        self._name = name
        self.cards: list[Card] = []

    def sheet(self, place: int) -> Sheet:
        """How many were given, and how more can be."""
        count = len(self.cards)
        choices = (DONE,) if count >= self._least else ()
        if count < self._most:
            choices = (*choices, BY_BUTTONS, *((UNSEEN,) if self._unseen else ()))
        choices = (*choices, *((ERASE,) if self.cards else ()))
        facts = (("count", count), ("most", self._most))
        how = Wording("show-cards") if count < self._most else None
        return Sheet(
            Ask(self._prompt, choices=choices), (("name", self._name()),), Wording("cards-given", facts), how, start=0
        )

    def give(self, place: int, token: Token) -> Outcome:
        """Go on by buttons, take the last one back, or end."""
        if token == DONE:
            return self._then(tuple(self.cards))
        if token == ERASE:
            self.cards.pop()
        elif token == UNSEEN:
            self.cards.append(UNKNOWN)
        elif token == BY_BUTTONS:
            return Open(self._pick_rank())
        return Stay()

    def take(self, place: int, shown: Shown) -> Outcome | None:
        """A card was shown."""
        if shown.card is None:
            return None
        return self._add(shown.card) or Say(TableText("cards-given", self._facts()), Cue.ACCEPTED)

    def _add(self, card: Card) -> Outcome | None:
        spelled = self._desk.spelled(card)
        if spelled in self.cards:
            return Say(TableText("shown-already", bad=True), Cue.DUPLICATE)
        if len(self.cards) >= self._most:
            return Say(TableText("not-asked", bad=True))
        self.cards.append(spelled)
        return None

    def _facts(self) -> tuple[tuple[str, int], ...]:
        return ("count", len(self.cards)), ("most", self._most)

    # By buttons

    def _pick_rank(self) -> Dialog:
        pack = self._desk.table.game.pack(self._desk.table.rules)
        ranks = [rank for rank in (*RANKS, "JK") if any(card.rank == rank for card in pack)]
        choices = tuple(f"face:{rank}" for rank in ranks)
        return Pick("card-rank", choices, self._pick_suit, lasts=True,
                    labels=lambda: {choice: self._desk.words.choice(choice, Length.OLED) for choice in choices}
                    )  # fmt: skip

    def _pick_suit(self, choice: str) -> Outcome:
        rank = choice.removeprefix("face:")
        pack = self._desk.table.game.pack(self._desk.table.rules)
        cards = [card for card in pack if card.rank == rank]
        packs = {card.pack for card in cards}
        behind = {
            card: f" {number}" if rank == "JK" else f" {card.pack}" if len(packs) > 1 else ""
            for number, card in enumerate(cards, 1)
        }

        def labels() -> dict[str, str]:
            return {f"very:{card}": f"{self._desk.words.card(card)}{which}" for card, which in behind.items()}

        return Open(Pick("card-suit", tuple(labels()), self._picked, labels=labels, lasts=True))

    def _picked(self, choice: str) -> Outcome:
        """A card was picked: back to how many there are."""
        card = physical(parse_card(choice.removeprefix("very:")))
        return self._add(card) or Close(levels=2)
