"""The drawer of faults: what can go wrong at this table and where, and its switches."""

from typing import Any

from firmware.bench import Bench
from firmware.fault_words import SETTLE
from firmware.web.world import DeedError
from hal.sim.named_faults import NAMED, FaultError, Place


def drawer(bench: Bench) -> list[dict[str, Any]]:
    """All faults that can be here: where, by number, and where they are on."""
    faults = bench.table.faults
    on = set(faults.on)
    listed = []
    for name in NAMED:
        places = faults.places(name)
        if places:
            there = [{"place": number, **_place(place), "on": (name, place) in on}
                     for number, place in enumerate(places)]  # fmt: skip
            listed.append({"name": name, "places": there})
    return listed


def _place(place: Place) -> dict[str, Any]:
    return {"at": place.at.value, "reader": place.reader, "seat": place.seat}


def switch_line(bench: Bench, name: str, number: int, on: bool) -> str:
    """The line of a script that does the same as `switch`; empty where there is nothing to do. Raises `DeedError`."""
    place = _at(bench, name, number)
    if on == ((name, place) in bench.table.faults.on):
        return ""
    where = f" {place}" if place.reader else f" {place.at.value} {place.seat}" if place.seat else ""
    return f"{'fault' if on else 'mend'} {name}{where}"


def switch(bench: Bench, name: str, number: int, on: bool) -> None:
    """Switch a fault on or off; a moment passes, as in a script. Raises `DeedError`."""
    faults, place = bench.table.faults, _at(bench, name, number)
    if on == ((name, place) in faults.on):
        return
    if on:
        faults.begin(name, place)
    else:
        faults.mend(name, place)
    bench.table.wait(SETTLE)


def _at(bench: Bench, name: str, number: int) -> Place:
    try:
        return bench.table.faults.places(name)[number]
    except (FaultError, IndexError):
        raise DeedError("no-fault", f"no fault {name!r} at place {number} of this table") from None
