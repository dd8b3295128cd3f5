"""The words of table scripts for what hands do without meaning it: `fumble NAME SEAT CARD…`."""

import re

from engine.cards import Card
from engine.phrases import Phrase
from firmware.bench import Bench, ExpectationError
from firmware.fumbles import Fumble, act_out, touches
from firmware.script_forms import SEAT, Act, Form, form, known_card, seat_of

_USAGE = "fumble NAME SEAT [CARD…] [at SEAT]"


def _fumble(found: re.Match[str]) -> Act:
    name, seat, cards = found["name"].lower(), seat_of(found), _cards(found["cards"])
    if name not in list(Fumble):
        raise ValueError(Phrase("no fumble {name!r}; expected one of {listed}", name=name, listed=", ".join(Fumble)))
    fumble, beside = Fumble(name), int(found["beside"]) if found["beside"] else 0
    if len(cards) != fumble.cards:
        raise ValueError(
            Phrase("{name} with {count} cards; expected {cards}", name=name, count=len(cards), cards=fumble.cards)
        )
    if bool(beside) != (fumble is Fumble.NEIGHBOURS_PAD):
        raise ValueError(
            Phrase("{name}; expected {expected}", name=name, expected=Phrase("`at SEAT` with neighbours-pad only"))
        )

    def act(bench: Bench) -> None:
        table = bench.table
        readers = [_reader(bench, one) for one in (seat, beside or seat)]
        tags = [_tag(bench, card) for card in cards]
        act_out(touches(fumble, readers[0], tags, readers[1]), table.wires.place, table.wires.lift, table.wait)

    return act


def _cards(text: str | None) -> list[Card]:
    return [known_card(word) for word in (text or "").split()]


def _reader(bench: Bench, seat: int) -> str:
    """The reader of a seat, or the one in the middle; raises ExpectationError where there is neither."""
    names = [bench.table.reader(place) for place in (seat, "centre")]
    found = next((name for name in names if name in bench.table.wires.readers), None)
    if found is None:
        raise ExpectationError(Phrase("seat {seat} has no reader", seat=seat))
    return found


def _tag(bench: Bench, card: Card) -> str:
    deck = bench.table.file.deck
    if deck is None or card not in deck.held():
        raise ExpectationError(Phrase("{card} is not in the deck of this table", card=card))
    return deck.uid(card)


_NAME = r"(?P<name>[a-z]+(?:-[a-z]+)*)"
_GIVEN = r"(?P<cards>(?: (?!at\b)[^\s\"]+)+)?"
FUMBLES: tuple[Form, ...] = (
    form(rf"fumble {_NAME} {SEAT}{_GIVEN}(?: at (?:seat )?(?P<beside>[1-9]))?", _USAGE, _fumble),
)
"""Its one form."""
