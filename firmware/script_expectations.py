"""The expectations of table scripts: what was ruled, what a display shows, what a light says."""

import re
from collections.abc import Callable

from PIL import Image

from engine.answers import check_record
from engine.game import Game
from engine.match import to_act
from engine.phrases import Phrase
from engine.record import read_record
from firmware.bench import Bench, ExpectationError
from firmware.reading import shows
from firmware.script_forms import CODE, QUOTED, SEAT, SEATS, Act, Form, form, seat_of, seats_of
from firmware.seatview import MESSAGES
from firmware.terminal import braille
from firmware.words import Words

PATTERN_TIME = 1.0
"""Seconds after which the longest pattern of an LED that is not of a lost device is over."""


def check_codes(found: re.Match[str], game: Game | None) -> None:
    """Raises ValueError for a code in an expectation that no message has, or no ruling of this game: it would never
    hold. Without a game, or with one that has no words, codes of rulings are as they are.
    """
    groups = found.groupdict()
    code = (groups.get("code") or "").lower()
    if code and code not in MESSAGES:
        raise ValueError(Phrase("no message {code!r}; expected one of {listed}", code=code, listed=", ".join(MESSAGES)))
    if game is None or not groups.get("codes"):
        return
    kind = "refusal" if groups["verdict"].lower() == "refused" else "notice"
    known = Words(game).codes(kind)
    for code in groups["codes"].lower().replace(",", " ").split():
        if known and code not in known:
            what = (
                Phrase("no refusal {code!r}", code=code)
                if kind == "refusal"
                else Phrase("no notice {code!r}", code=code)
            )
            raise ValueError(
                Phrase("{what} in {game}; expected one of {known}", what=what, game=game.name, known=", ".join(known))
            )


def _ruling(found: re.Match[str]) -> Act:
    """The newest ruling at a seat, with all of these codes."""
    seat = seat_of(found)
    verdict, codes = found["verdict"].lower(), set((found["codes"] or "").lower().replace(",", " ").split())

    def act(bench: Bench) -> None:
        rulings = [heard.ruling for heard in bench.table.heard if heard.ruling is not None and heard.seat == seat]
        if not rulings:
            raise ExpectationError(Phrase("nothing was ruled at seat {seat}", seat=seat))
        last = rulings[-1]
        got = {last.refusal.code} if last.refusal else {notice.code for notice in last.notices}
        if (verdict == "refused") != (last.refusal is not None) or not codes <= got:
            said = " ".join(["refused" if last.refusal else "ok", *sorted(got)])
            raise ExpectationError(Phrase("the ruling was {ruling}", ruling=said))

    return act


def _message(found: re.Match[str]) -> Act:
    seat, code = seat_of(found), found["code"].lower()

    def act(bench: Bench) -> None:
        said = [heard.message.code for heard in bench.table.heard if heard.message is not None and heard.seat == seat]
        if not said or said[-1] != code:
            raise ExpectationError(
                Phrase(
                    "the last message to seat {seat} was {code}", seat=seat, code=said[-1] if said else Phrase("none")
                )
            )

    return act


def _display(wanted: bool) -> Callable[[re.Match[str]], Act]:
    """A display shows a text, or does not."""

    def display(found: re.Match[str]) -> Act:
        seat, text = seat_of(found), found["text"]

        def act(bench: Bench) -> None:
            picture = _picture(bench, seat)
            if shows(picture, text) != wanted:
                raise ExpectationError(Phrase("the display shows\n{picture}", picture="\n".join(braille(picture))))

        return act

    return display


def _dark(found: re.Match[str]) -> Act:
    seat = seat_of(found)

    def act(bench: Bench) -> None:
        picture = _picture(bench, seat)
        if picture.getbbox() is not None:
            raise ExpectationError(Phrase("the display shows\n{picture}", picture="\n".join(braille(picture))))

    return act


def _picture(bench: Bench, seat: int) -> Image.Image:
    if seat not in bench.table.wires.glasses:
        raise ExpectationError(Phrase("seat {seat} has no display", seat=seat))
    return bench.table.picture(seat)


def _led(found: re.Match[str]) -> Act:
    seat, wanted = seat_of(found), found["state"].lower() == "on"

    def act(bench: Bench) -> None:
        bench.table.wait(PATTERN_TIME)
        if bench.table.wires.lit(seat) != wanted:
            raise ExpectationError(
                Phrase("the LED of seat {seat} is off", seat=seat)
                if wanted
                else Phrase("the LED of seat {seat} is on", seat=seat)
            )

    return act


def _turn(found: re.Match[str]) -> Act:
    wanted = seats_of(found)

    def act(bench: Bench) -> None:
        acting = to_act(bench.table.match)
        if acting != wanted:
            raise ExpectationError(Phrase("to act: {seats}", seats=" ".join(map(str, acting)) or Phrase("nobody")))

    return act


def _score(found: re.Match[str]) -> Act:
    wanted = tuple(int(word) for word in re.findall(r"-?\d+", found["scores"]))

    def act(bench: Bench) -> None:
        if bench.table.match.scores != wanted:
            raise ExpectationError(Phrase("the score is {score}", score=" ".join(map(str, bench.table.match.scores))))

    return act


def _over(found: re.Match[str]) -> Act:
    def act(bench: Bench) -> None:
        if not bench.table.loop.over:
            raise ExpectationError(
                Phrase("the match goes on, {score}", score=" : ".join(map(str, bench.table.match.scores)))
            )

    return act


def _record(found: re.Match[str]) -> Act:
    """The record, read again and checked, has no refusal."""

    def act(bench: Bench) -> None:
        _, answers = check_record(read_record(bench.table.loop.record()))
        for answer in answers:
            if answer.ruling.refusal is not None:
                raise ExpectationError(
                    Phrase(
                        "line {line} of the record is refused: {code}",
                        line=answer.line,
                        code=answer.ruling.refusal.code,
                    )
                )

    return act


_VERDICT = r"(?P<verdict>ok|accepted|refused)"
_CODES = rf"(?P<codes>(?:,? {CODE})*)"
_RULING = "expect ruling SEAT ok|refused [CODE …]"
_SHOWS = 'expect [no] display SEAT "TEXT"'

EXPECTATIONS: tuple[Form, ...] = (
    form(rf"expect (?:ruling )?{SEAT} {_VERDICT}{_CODES}", _RULING, _ruling),
    form(rf"expect (?:ruling )?{_VERDICT} {SEAT}{_CODES}", _RULING, _ruling),
    form(rf"expect message {SEAT} (?P<code>{CODE})", "expect message SEAT CODE", _message),
    form(rf"expect (?:display|text) {SEAT}(?: shows)? {QUOTED}", _SHOWS, _display(True)),
    form(rf"expect (?:text )?{QUOTED} (?:on|at) (?:display )?{SEAT}", _SHOWS, _display(True)),
    form(rf"expect no (?:display|text) {SEAT} {QUOTED}", _SHOWS, _display(False)),
    form(rf"expect (?:display|text) {SEAT} (?:no|not) {QUOTED}", _SHOWS, _display(False)),
    form(rf"expect no (?:text )?{QUOTED} (?:on|at) (?:display )?{SEAT}", _SHOWS, _display(False)),
    form(rf"expect dark (?:display )?{SEAT}", "expect dark SEAT", _dark),
    form(rf"expect display {SEAT} dark", "expect dark SEAT", _dark),
    form(rf"expect led {SEAT} (?P<state>on|off)", "expect led SEAT on|off", _led),
    form(rf"expect turn (?:nobody|none|{SEATS})", "expect turn SEAT|nobody", _turn),
    form(r"expect score (?P<scores>-?\d{1,6}(?:(?: ?[:,] ?| )-?\d{1,6})+)", "expect score SCORE SCORE …", _score),
    form(r"expect over", "expect over", _over),
    form(r"expect record", "expect record", _record),
)
