"""The words of table scripts: what people do at a table and what they see there; see `docs/table-script.md`."""

import re
from collections.abc import Callable
from typing import NamedTuple

from engine.answers import check_record
from engine.cards import Card, CardError, parse_card
from engine.match import Standing, to_act
from engine.record import read_record
from firmware.bench import Bench, ExpectationError
from firmware.reading import shows
from firmware.terminal import braille
from hal.events import Button

Act = Callable[[Bench], None]
"""What a line does."""
_SEAT = r"(?P<seat>[1-9])"
_BUTTON = r"(?P<button>left|ok|right)"
_PLACE = r"(?P<place>[1-9]|dealing|centre)"
_QUOTED = r'"(?P<text>[^"]+)"'


def parse_words(line: str) -> Act:
    """What a line does; raises ValueError that says what was expected."""
    for word in WORDS:
        found = re.fullmatch(word.form, line)
        if found:
            return word.act(found)
    first = line.split()[0]
    usages = [word.usage for word in WORDS if word.usage.split()[0] == first]
    if usages:
        raise ValueError(f"cannot read {line!r}; expected {' or '.join(usages)}")
    known = dict.fromkeys(word.usage.split()[0] for word in WORDS)
    raise ValueError(f"no word {first!r}; expected one of {', '.join(known)}")


class Word(NamedTuple):
    """One form of a statement: its pattern, how it is written, and what it makes of a match."""

    form: str
    usage: str
    act: Callable[[re.Match[str]], Act]


def _seat(found: re.Match[str]) -> int:
    return int(found["seat"])


def _place(found: re.Match[str]) -> int | str:
    return int(found["place"]) if found["place"].isdigit() else found["place"]


def _card(text: str) -> Card | str:
    """A card, or the UID of a tag as `tag:04A1…`."""
    if text.startswith("tag:"):
        return text[4:]
    try:
        return parse_card(text)
    except CardError as error:
        raise ValueError(str(error)) from None


def _tap(found: re.Match[str]) -> Act:
    place, card = _place(found), _card(found["card"])
    return lambda bench: bench.table.tap(place, card)


def _lay(found: re.Match[str]) -> Act:
    place, card = _place(found), _card(found["card"])
    return lambda bench: bench.table.place(place, card)


def _lift(found: re.Match[str]) -> Act:
    place = _place(found)
    return lambda bench: bench.table.lift(place)


def _press(found: re.Match[str]) -> Act:
    seat, button, times = _seat(found), Button(found["button"]), int(found["times"] or 1)
    return lambda bench: bench.table.press(seat, button, times)


def _hold(found: re.Match[str]) -> Act:
    seat, button = _seat(found), Button(found["button"])
    return lambda bench: bench.table.hold(seat, button)


def _release(found: re.Match[str]) -> Act:
    seat, button = _seat(found), Button(found["button"])
    return lambda bench: bench.table.release(seat, button)


def _choose(found: re.Match[str]) -> Act:
    seat, text = _seat(found), found["item"]

    def act(bench: Bench) -> None:
        seen = bench.table.loop.seat_view(seat)
        bench.table.choose(seat, text if seen.ask is None or seen.ask.choices else parse_card(text))

    return act


def _deal(found: re.Match[str]) -> Act:
    hands = [[_known(word) for word in hand.split()] for hand in found["hands"].split("/")]
    return lambda bench: bench.table.deal(hands)


def _known(word: str) -> Card:
    card = _card(word)
    if not isinstance(card, Card):
        raise ValueError(f"{word!r} is no card; expected one such as 9D")
    return card


def _deal_any(found: re.Match[str]) -> Act:
    def act(bench: Bench) -> None:
        dealing = bench.table.loop.seat_view(1).dealing
        if dealing is None:
            raise ExpectationError("no deal is due")
        bench.cards.shuffle()
        seats = range(1, len(dealing.counts) + 1)
        bench.table.deal([[bench.cards.deal(seat) for _ in range(dealing.size)] for seat in seats])

    return act


def _unplug(found: re.Match[str]) -> Act:
    place, kind, out = _place(found), found["kind"], found["verb"] == "unplug"

    def act(bench: Bench) -> None:
        wires = bench.table.wires
        if kind == "display":
            (wires.unplug_display if out else wires.plug_display)(int(place))
        else:
            name = bench.table.reader(place)
            (wires.unplug_reader if out else wires.plug_reader)(name)
        bench.table.wait(0.3)

    return act


def _wait(found: re.Match[str]) -> Act:
    seconds = float(found["seconds"])
    return lambda bench: bench.table.wait(seconds)


def _bots(found: re.Match[str]) -> Act:
    seats = [int(word) for word in found["seats"].split()]
    mistakes = int(found["share"] or 0) / 100

    def act(bench: Bench) -> None:
        for seat in seats:
            bench.seat_bot(seat, mistakes)

    return act


def _play(found: re.Match[str]) -> Act:
    goal = found["goal"]

    def act(bench: Bench) -> None:
        deals = bench.table.match.deals

        def reached() -> bool:
            match = bench.table.match
            return match.standing is Standing.OVER or (goal == "deal" and match.deals > deals)

        bench.play_until(reached)

    return act


def _restart(found: re.Match[str]) -> Act:
    return lambda bench: bench.table.restart()


# Expectations


def _expect_ruling(found: re.Match[str]) -> Act:
    seat, verdict, codes = _seat(found), found["verdict"], set((found["codes"] or "").split())

    def act(bench: Bench) -> None:
        rulings = [heard.ruling for heard in bench.table.heard if heard.ruling is not None and heard.seat == seat]
        if not rulings:
            raise ExpectationError(f"nothing was ruled at seat {seat}")
        last = rulings[-1]
        got = {last.refusal.code} if last.refusal else {notice.code for notice in last.notices}
        if (verdict == "ok") == (last.refusal is not None) or not codes <= got:
            said = "refused" if last.refusal else "ok"
            raise ExpectationError(f"the ruling was {said} {' '.join(sorted(got))}".rstrip())

    return act


def _expect_message(found: re.Match[str]) -> Act:
    seat, code = _seat(found), found["code"]

    def act(bench: Bench) -> None:
        said = [heard.message.code for heard in bench.table.heard if heard.message is not None and heard.seat == seat]
        if not said or said[-1] != code:
            raise ExpectationError(f"the last message to seat {seat} was {said[-1] if said else 'none'}")

    return act


def _expect_display(found: re.Match[str]) -> Act:
    seat, text, wanted = _seat(found), found["text"], found["no"] is None

    def act(bench: Bench) -> None:
        picture = bench.table.picture(seat)
        if shows(picture, text) != wanted:
            raise ExpectationError("\n".join(["the display shows", *braille(picture)]))

    return act


def _expect_dark(found: re.Match[str]) -> Act:
    seat = _seat(found)

    def act(bench: Bench) -> None:
        picture = bench.table.picture(seat)
        if picture.getbbox() is not None:
            raise ExpectationError("\n".join(["the display shows", *braille(picture)]))

    return act


def _expect_led(found: re.Match[str]) -> Act:
    seat, wanted = _seat(found), found["state"] == "on"

    def act(bench: Bench) -> None:
        bench.table.wait(1.0)  # until patterns are over
        if bench.table.wires.lit(seat) != wanted:
            raise ExpectationError(f"the LED of seat {seat} is {'off' if wanted else 'on'}")

    return act


def _expect_turn(found: re.Match[str]) -> Act:
    wanted = () if found["seats"] == "nobody" else tuple(int(word) for word in found["seats"].split())

    def act(bench: Bench) -> None:
        acting = to_act(bench.table.match)
        if acting != wanted:
            raise ExpectationError(f"to act: {' '.join(map(str, acting)) or 'nobody'}")

    return act


def _expect_score(found: re.Match[str]) -> Act:
    wanted = tuple(int(word) for word in found["scores"].split())

    def act(bench: Bench) -> None:
        if bench.table.match.scores != wanted:
            raise ExpectationError(f"the score is {' '.join(map(str, bench.table.match.scores))}")

    return act


def _expect_over(found: re.Match[str]) -> Act:
    def act(bench: Bench) -> None:
        if not bench.table.loop.over:
            raise ExpectationError(f"the match goes on, {' : '.join(map(str, bench.table.match.scores))}")

    return act


def _expect_record(found: re.Match[str]) -> Act:
    def act(bench: Bench) -> None:
        _, answers = check_record(read_record(bench.table.loop.record()))
        for answer in answers:
            if answer.ruling.refusal is not None:
                raise ExpectationError(f"line {answer.line} of the record is refused: {answer.ruling.refusal.code}")

    return act


def _word(form: str, usage: str, act: Callable[[re.Match[str]], Act]) -> Word:
    return Word(form.replace(" ", r"\s+"), usage, act)


WORDS: tuple[Word, ...] = (
    _word(rf"tap {_PLACE} (?P<card>\S+)", "tap SEAT CARD", _tap),
    _word(rf"(?:place|lay) {_PLACE} (?P<card>\S+)", "place SEAT CARD", _lay),
    _word(rf"lift {_PLACE}", "lift SEAT", _lift),
    _word(rf"press {_SEAT} {_BUTTON}(?: x(?P<times>[1-9]\d?))?", "press SEAT left|ok|right [xTIMES]", _press),
    _word(rf"hold {_SEAT} {_BUTTON}", "hold SEAT left|ok|right", _hold),
    _word(rf"release {_SEAT} {_BUTTON}", "release SEAT left|ok|right", _release),
    _word(rf"choose {_SEAT} (?P<item>\S+)", "choose SEAT CHOICE", _choose),
    _word(r"deal (?P<hands>[^/]+(?:/[^/]+)+)", "deal HAND / HAND / …", _deal),
    _word(r"deal", "deal", _deal_any),
    _word(rf"(?P<verb>unplug|plug) (?P<kind>reader|display) {_PLACE}", "unplug reader|display SEAT", _unplug),
    _word(r"wait (?P<seconds>\d{1,5}(?:\.\d+)?)\s?s?", "wait SECONDS", _wait),
    _word(r"bots (?P<seats>[1-9](?: [1-9])*)(?: mistakes (?P<share>\d{1,2})%?)?", "bots SEATS [mistakes N%]", _bots),
    _word(r"play (?P<goal>deal|match)", "play deal|match", _play),
    _word(r"restart", "restart", _restart),
    _word(
        rf"expect ruling {_SEAT} (?P<verdict>ok|refused)(?P<codes>(?: [a-z-]+)*)",
        "expect ruling SEAT ok|refused [CODE]",
        _expect_ruling,
    ),
    _word(rf"expect message {_SEAT} (?P<code>[a-z-]+)", "expect message SEAT CODE", _expect_message),
    _word(rf"expect (?P<no>no )?display {_SEAT} {_QUOTED}", 'expect [no] display SEAT "TEXT"', _expect_display),
    _word(rf"expect dark {_SEAT}", "expect dark SEAT", _expect_dark),
    _word(rf"expect led {_SEAT} (?P<state>on|off)", "expect led SEAT on|off", _expect_led),
    _word(r"expect turn (?P<seats>nobody|[1-9](?: [1-9])*)", "expect turn SEAT|nobody", _expect_turn),
    _word(r"expect score (?P<scores>-?\d+(?: -?\d+)+)", "expect score SCORE SCORE …", _expect_score),
    _word(r"expect over", "expect over", _expect_over),
    _word(r"expect record", "expect record", _expect_record),
)
