"""The words of table scripts: what people do at a table and what they see there; see `docs/table-script.md`."""

import re
from collections.abc import Sequence

from engine.asks import END, Token
from engine.cards import Card
from engine.game import Game
from engine.match import Standing
from engine.phrases import Phrase, either, listing
from firmware.bench import Bench, ExpectationError
from firmware.console_words import CONSOLE
from firmware.dialogs import DONE, SIGN
from firmware.fault_words import FAULTS
from firmware.fumble_words import FUMBLES
from firmware.hand_words import HANDS
from firmware.script_expectations import EXPECTATIONS, check_codes
from firmware.script_forms import (
    BUTTON,
    CARD,
    PLACE,
    SEAT,
    SEATS,
    SECONDS,
    Act,
    Form,
    card_or_tag,
    form,
    known_card,
    place_of,
    seat_of,
    seats_of,
)
from firmware.seatview import picks_of
from firmware.sheet_screens import labels_of
from hal.events import Button
from hal.sim.named_faults import At, Place


def parse_words(line: str, seats: int, game: Game | None = None, others: Sequence[str] = ()) -> Act:
    """What a line does at a table of so many seats, and of this game if codes of its rulings are to be known; raises
    ValueError that says what was expected. `others` are further words that the caller knows.
    """
    for one in FORMS:
        found = one.pattern.fullmatch(line)
        if found:
            _check_seats(found, seats)
            check_codes(found, game)
            return one.act(found)
    first = (line.split() or [""])[0].lower()
    usages = dict.fromkeys(Phrase(one.usage) for one in FORMS if first in one.words)
    if usages:
        raise ValueError(Phrase("cannot read {line!r}; expected {listed}", line=line, listed=either(usages)))
    known = dict.fromkeys(word for one in FORMS for word in one.words)
    raise ValueError(
        Phrase("no word {first!r}; expected one of {listed}", first=first, listed=", ".join([*known, *others]))
    )


def _check_seats(found: re.Match[str], seats: int) -> None:
    groups = found.groupdict()
    named = " ".join(groups.get(group) or "" for group in ("seat", "place", "seats", "beside"))
    for digit in re.findall(r"\d", named):
        if int(digit) > seats:
            raise ValueError(Phrase("no seat {digit}; expected 1 to {seats}", digit=digit, seats=seats))


# Hands


def _reader(bench: Bench, place: int | str) -> str:
    """The name of the reader at a place; raises ExpectationError where there is none."""
    name = bench.table.reader(place)
    if name not in bench.table.wires.readers:
        there = listing(map(Phrase, bench.table.wires.readers)) or Phrase("no reader at all")
        raise ExpectationError(Phrase("no {reader}; this table has {there}", reader=Phrase(name), there=there))
    return name


def _shown(bench: Bench, card: Card | str) -> Card | str:
    """A card that has a tag, or a tag; raises ExpectationError for a card of no deck here."""
    if isinstance(card, Card) and (bench.table.file.deck is None or card not in bench.table.file.deck.held()):
        raise ExpectationError(Phrase("{card} is not in the deck of this table", card=card))
    return card


def _tap(found: re.Match[str]) -> Act:
    place, card = place_of(found), card_or_tag(found["card"])

    def act(bench: Bench) -> None:
        _reader(bench, place)
        bench.table.tap(place, _shown(bench, card))

    return act


def _draw(found: re.Match[str]) -> Act:
    """The top card of the stock is shown and goes into the hand, whatever the table says to it."""
    seat = seat_of(found)

    def act(bench: Bench) -> None:
        _reader(bench, seat)
        card = bench.cards.top()
        if card is None:
            raise ExpectationError(Phrase("no card is left to draw"))
        bench.cards.draw(seat)
        bench.table.tap(seat, card)

    return act


def _lay(found: re.Match[str]) -> Act:
    place, card = place_of(found), card_or_tag(found["card"])

    def act(bench: Bench) -> None:
        _reader(bench, place)
        bench.table.place(place, _shown(bench, card))

    return act


def _lift(found: re.Match[str]) -> Act:
    place = place_of(found)

    def act(bench: Bench) -> None:
        _reader(bench, place)
        bench.table.lift(place)

    return act


def _press(found: re.Match[str]) -> Act:
    seat, button, times = seat_of(found), Button(found["button"].lower()), int(found["times"] or 1)
    return lambda bench: bench.table.press(seat, button, times)


def _hold(found: re.Match[str]) -> Act:
    """Press and keep down; with seconds, for so long."""
    seat, button, seconds = seat_of(found), Button(found["button"].lower()), found["seconds"]

    def act(bench: Bench) -> None:
        if seconds is None:
            bench.table.hold(seat, button)
        else:
            bench.table.wires.press(seat, button, bench.table.clock.now())
            bench.table.wait(float(seconds))
            bench.table.release(seat, button)

    return act


def _release(found: re.Match[str]) -> Act:
    seat, button = seat_of(found), Button(found["button"].lower())
    return lambda bench: bench.table.release(seat, button)


def _choose(found: re.Match[str]) -> Act:
    seat, text = seat_of(found), found["item"].strip('"')

    def act(bench: Bench) -> None:
        bench.table.choose(seat, _offered(bench, seat, text))

    return act


def _pin(found: re.Match[str]) -> Act:
    """Type a PIN where one is asked for, and end it."""
    seat, pin = seat_of(found), found["pin"]

    def act(bench: Bench) -> None:
        for sign in pin:
            bench.table.choose(seat, f"{SIGN}{sign}")
        bench.table.choose(seat, DONE)

    return act


def _offered(bench: Bench, seat: int, text: str) -> Token:
    """The choice that a text names, in any case of letters: by its code, or by the word that the display has for it;
    else the card.
    """
    seen = bench.table.loop.seat_view(seat)
    asked = seen.ask
    choices = (*asked.choices, *([END] if asked.end else [])) if asked is not None else ()
    for choice in choices:
        if choice.lower() == text.lower() or (choice == END and text.lower() == "done"):
            return choice
    shown = [] if seen.sheet is None else labels_of(seen.sheet, bench.table.loop.words)
    for said, choice in zip(shown, choices, strict=False):
        if said.lower() == text.lower():
            return choice
    return known_card(text) if asked is not None and (asked.cards or picks_of(asked)) else text


# Dealing


def _deal(found: re.Match[str]) -> Act:
    hands = [[known_card(word) for word in hand.split()] for hand in found["hands"].split("/")]
    cards = [card for hand in hands for card in hand]
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise ValueError(Phrase("{twice} twice; expected each card once", twice=twice))
    return lambda bench: _deal_hands(bench, hands)


def _deal_hands(bench: Bench, hands: list[list[Card]]) -> None:
    """Deal these hands, one for each seat, and let the players take them up."""
    dealing = bench.table.loop.seat_view(1).dealing
    if dealing is None:
        raise ExpectationError(Phrase("no deal is due"))
    seats = bench.table.loop.table.seats
    bench.shuffle_for_game()
    if [len(hand) for hand in hands] != [dealing.size] * seats:
        sizes = ", ".join(str(len(hand)) for hand in hands)
        raise ExpectationError(
            Phrase(
                "hands of {sizes} cards; this deal needs {seats} hands of {size}",
                sizes=sizes,
                seats=seats,
                size=dealing.size,
            )
        )
    for hand in hands:
        for card in hand:
            if card not in bench.cards.tags:
                raise ExpectationError(Phrase("{card} is not used in this game", card=card))
    bench.cards.shuffle()
    bench.cards.hands = {seat: list(hand) for seat, hand in enumerate(hands, 1)}
    bench.table.deal(hands)


def _turn_up(found: re.Match[str]) -> Act:
    card = known_card(found["card"])

    def act(bench: Bench) -> None:
        dealing = bench.table.loop.seat_view(1).dealing
        if dealing is None or dealing.wanted is None:
            raise ExpectationError(Phrase("no card is to be turned up"))
        bench.cards.show(card)
        bench.table.turn_up(card)

    return act


def _deal_any(found: re.Match[str]) -> Act:
    def act(bench: Bench) -> None:
        dealing = bench.table.loop.seat_view(1).dealing
        if dealing is None:
            raise ExpectationError(Phrase("no deal is due"))
        if dealing.dealer in bench.bots:
            raise ExpectationError(Phrase("seat {seat} deals, and a bot plays there", seat=dealing.dealer))
        bench.shuffle_for_game()
        bench.cards.shuffle()
        seats = range(1, bench.table.loop.table.seats + 1)
        hands = [[bench.cards.deal(seat) for _ in range(dealing.size)] for seat in seats]
        _deal_hands(bench, hands)
        while (seen := bench.table.loop.seat_view(1).dealing) is not None and seen.wanted is not None:
            bench.table.turn_up(bench.cards.turn_up(seen.wanted))

    return act


# The world around


def _unplug_reader(found: re.Match[str]) -> Act:
    place, out = place_of(found), found["verb"].lower() == "unplug"
    return lambda bench: _move_cable(bench, Place(At.READER, reader=_reader(bench, place)), out)


def _unplug_display(found: re.Match[str]) -> Act:
    seat, out = seat_of(found), found["verb"].lower() == "unplug"

    def act(bench: Bench) -> None:
        if seat not in bench.table.wires.glasses:
            raise ExpectationError(Phrase("seat {seat} has no display", seat=seat))
        _move_cable(bench, Place(At.DISPLAY, seat=seat), out)

    return act


def _move_cable(bench: Bench, place: Place, out: bool) -> None:
    """The switch of `fault unplugged` and `mend`: a cable is in or out, whoever has pulled it."""
    faults = bench.table.faults
    if out == (("unplugged", place) in faults.on):
        raise ExpectationError(
            Phrase("the {place} is out already", place=place.words)
            if out
            else Phrase("the {place} is in already", place=place.words)
        )
    if out:
        faults.begin("unplugged", place)
    else:
        faults.mend("unplugged", place)
    bench.table.wait(0.3)


def _wait(found: re.Match[str]) -> Act:
    seconds = float(found["seconds"])
    return lambda bench: bench.table.wait(seconds)


def _restart(found: re.Match[str]) -> Act:
    return Bench.restart


# Bots


def _bots(found: re.Match[str]) -> Act:
    seats, mistakes, fumbles = seats_of(found), int(found["share"] or 0) / 100, int(found["fumbles"] or 0) / 100

    def act(bench: Bench) -> None:
        for seat in seats:
            bench.seat_bot(seat, mistakes, fumbles)

    return act


def _play(found: re.Match[str]) -> Act:
    goal = found["goal"].lower()

    def act(bench: Bench) -> None:
        if not bench.bots:
            raise ExpectationError(Phrase("nobody plays; expected `bots` before it"))
        if goal == "deal" and bench.table.loop.over:
            raise ExpectationError(Phrase("the match is over"))
        deals = bench.table.match.deals

        def reached() -> bool:
            match = bench.table.match
            return match.standing is Standing.OVER or (goal == "deal" and match.deals > deals)

        bench.play_until(reached)

    return act


FORMS: tuple[Form, ...] = (
    form(rf"tap {PLACE}:? {CARD}", "tap SEAT CARD", _tap),
    form(rf"tap {CARD} at {PLACE}", "tap SEAT CARD", _tap),
    form(rf"(?:lay|place) {PLACE}:? {CARD}", "lay|place SEAT CARD", _lay),
    form(rf"(?:lay|place) {CARD} (?:at|on) {PLACE}", "lay|place SEAT CARD", _lay),
    form(rf"draw {SEAT}", "draw SEAT", _draw),
    form(rf"lift {PLACE}", "lift SEAT", _lift),
    form(rf"press {SEAT} {BUTTON}(?: (?:x ?)?(?P<times>[1-9]\d?)(?: times)?)?", "press SEAT left|ok|right [xTIMES]",
         _press),
    form(rf"hold {SEAT} {BUTTON}(?: (?:for )?{SECONDS})?", "hold SEAT left|ok|right [SECONDS]", _hold),
    form(rf"release {SEAT} {BUTTON}", "release SEAT left|ok|right", _release),
    form(r"turn up (?P<card>\S+)", "turn up CARD", _turn_up),
    form(rf"choose {SEAT}:? (?P<item>\"[^\"]+\"|\S+)", "choose SEAT CHOICE", _choose),
    form(rf"pin {SEAT}:? (?P<pin>\d{{1,8}})", "pin SEAT DIGITS", _pin),
    form(r"deal (?P<hands>[^/]+(?:/[^/]+)+)", "deal HAND / HAND / …", _deal),
    form(r"deal", "deal", _deal_any),
    form(rf"(?P<verb>unplug|plug) reader {PLACE}", "unplug|plug reader SEAT", _unplug_reader),
    form(rf"(?P<verb>unplug|plug) {PLACE}(?<=reader)", "unplug|plug reader SEAT", _unplug_reader),
    form(rf"(?P<verb>unplug|plug) (?:display {SEAT})", "unplug|plug display SEAT", _unplug_display),
    form(rf"(?P<verb>unplug|plug) {SEAT} display", "unplug|plug display SEAT", _unplug_display),
    form(rf"wait {SECONDS}", "wait SECONDS", _wait),
    form(rf"bots? {SEATS}(?: mistakes (?P<share>\d{{1,2}})%?)?(?: fumbles (?P<fumbles>\d{{1,2}})%?)?",
         "bots SEATS [mistakes N%] [fumbles N%]", _bots),
    form(r"play (?P<goal>deal|match)", "play deal|match", _play),
    form(r"restart", "restart", _restart),
    *FAULTS,
    *FUMBLES,
    *HANDS,
    *EXPECTATIONS,
    *CONSOLE,
)  # fmt: skip
"""Every form of a line; the first that fits is taken."""
