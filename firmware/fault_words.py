"""The words of table scripts for what goes wrong with devices, disk and clock: `fault NAME PLACE` and `mend`."""

import re

from engine.phrases import Phrase, either, listing, neither, said_by
from firmware.bench import Bench, ExpectationError
from firmware.script_forms import Act, Form, form
from hal.events import Button
from hal.sim.named_faults import NAMED, At, FaultError, Place, named
from hal.wiring import CommonRole, reader_name

SETTLE = 0.3
"""Seconds that pass after a fault has come or gone, as after a change of cables."""

_WHERE = r"(?P<place>(?: (?:seat|readers?|pad|displays?|buttons?|dealing|centre|center|left|ok|right|[1-9])\b)+)?"
_NUMBER = r"(?P<amount>[+-]?\d{1,6}(?:\.\d{1,3})?)"
_UNIT = r"(?: ?(?P<unit>s|min|h|d))"
_TIMED = f"(?P<name>{'|'.join(name for name, fault in NAMED.items() if fault.amount)})"
"""The faults that take an amount and no place, so that a bare number is seconds and no seat."""
_NAME = r"(?P<name>[a-z]+(?:-[a-z]+)*)"
_SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_KINDS = {"reader": At.READER, "pad": At.READER, "display": At.DISPLAY, "button": At.BUTTONS}

_FAULT = "fault NAME [PLACE] [AMOUNT]"
_MEND, _NO_FAULT = "mend NAME [PLACE]|all", "no fault NAME [PLACE]"


def _places(name: str, found: re.Match[str]) -> list[Place]:
    """The places that a line may mean, in the order in which they are tried; none: everywhere. Raises ValueError."""
    words = (found.groupdict().get("place") or "").lower().split()
    if not words:
        return []
    named_places = [word for word in words if word.isdigit() or word in ("dealing", "centre", "center")]
    kinds_named = [word for word in words if word.rstrip("s") in _KINDS and word != "pad"]
    buttons_named = [word for word in words if word in list(Button)]
    if len(named_places) > 1 or len(kinds_named) > 1 or len(buttons_named) > 1:
        raise ValueError(
            Phrase("{name} at {place!r}; expected one place, or none: everywhere", name=name, place=" ".join(words))
        )
    device = next((_KINDS[word.rstrip("s")] for word in words if word.rstrip("s") in _KINDS), None)
    where = next(iter(named_places), None)
    button = Button(buttons_named[0]) if buttons_named else None
    expected = either(_usage(name, at) for at in named(name).at)
    kinds = [at for at in named(name).at if device in (None, at)]
    made = [place for at in kinds if where and (place := _place(at, where, button)) is not None]
    if not made:
        raise ValueError(
            Phrase(
                "{name} cannot be at {place!r}; expected {expected}",
                name=name,
                place=" ".join(words),
                expected=expected,
            )
        )
    return made


def _place(at: At, where: str, button: Button | None) -> Place | None:
    """A place of this kind, if there can be one of that name."""
    if at is At.READER and button is None:
        role = "centre" if where == "center" else where
        return Place(at, reader=reader_name(int(where) if where.isdigit() else CommonRole(role)))
    if at is At.DISPLAY and where.isdigit() and button is None:
        return Place(at, seat=int(where))
    if at is At.BUTTONS and where.isdigit():
        return Place(at, seat=int(where), button=button)
    return None


def _usage(name: str, at: At) -> str:
    """How a place of this kind is written."""
    button = " [left|ok|right]" if name == "stuck-button" else ""
    devices = {
        At.READER: Phrase("`reader PLACE`"),
        At.DISPLAY: Phrase("`display SEAT`"),
        At.BUTTONS: Phrase("`buttons SEAT{button}`", button=button),
    }
    return devices.get(at, Phrase("no place"))


def _amount(name: str, found: re.Match[str]) -> float | None:
    if found["amount"] is None:
        return None
    unit = (found["unit"] or "s").lower()
    if not named(name).amount:
        raise ValueError(Phrase("{name} takes no time; expected that with slow-disk and clock-step only", name=name))
    seconds = float(found["amount"]) * _SECONDS[unit]
    if name == "slow-disk" and seconds <= 0:
        raise ValueError(Phrase("a disk that takes {seconds:g} s; expected more than none", seconds=seconds))
    return seconds


def _fault(found: re.Match[str]) -> Act:
    name = found["name"].lower()
    named(name)
    places, amount = _places(name, found), _amount(name, found)

    def act(bench: Bench) -> None:
        faults = bench.table.faults
        there = faults.places(name)
        chosen = [one for one in places if one._replace(button=None) in there][:1] if places else there
        if not places and name == "unplugged":  # those that are out stay out
            chosen = [one for one in there if (name, one) not in faults.on]
        if not there or (places and not chosen):
            wanted = Phrase("no place for {name}", name=name)
            if places:
                wanted = Phrase("no {places} for {name}", places=neither(one.words for one in places), name=name)
            raise ExpectationError(
                Phrase(
                    "{wanted} at this table; there is {there}",
                    wanted=wanted,
                    there=listing(one.words for one in there) if there else Phrase("none"),
                )
            )
        try:
            for place in chosen:
                faults.begin(name, place, amount)
        except FaultError as error:
            raise ExpectationError(said_by(error)) from None
        bench.table.wait(SETTLE)

    return act


def _mend(found: re.Match[str]) -> Act:
    name = found["name"].lower()
    if name == "all" and found["place"]:
        raise ValueError(Phrase("`mend all` mends everything, everywhere; expected no place"))
    places = _places(name, found) if name != "all" and named(name) else []

    def act(bench: Bench) -> None:
        faults = bench.table.faults
        if name == "all":
            faults.mend()
        elif not sum(faults.mend(name, place) for place in places or (None,)):
            on = listing(Phrase("{name} {place}", name=one, place=place.words) for one, place in faults.on)
            raise ExpectationError(
                Phrase("there is no {name} to mend; on: {on}", name=name, on=on or Phrase("nothing"))
            )
        bench.table.wait(SETTLE)

    return act


FAULTS: tuple[Form, ...] = (
    form(rf"fault {_TIMED} {_NUMBER}{_UNIT}?", _FAULT, _fault),
    form(rf"fault {_NAME}{_WHERE}(?: {_NUMBER}{_UNIT})?", _FAULT, _fault),
    form(rf"mend {_NAME}{_WHERE}", _MEND, _mend),
    form(rf"no fault {_NAME}{_WHERE}", _NO_FAULT, _mend),
)
