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


def script_line(name: str, place: Place, on: bool) -> str:
    """The same in the words of table scripts."""
    where = f" {place}" if place.reader else f" {place.at.value} {place.seat}" if place.seat else ""
    return f"{'fault' if on else 'mend'} {name}{where}"


def switch(bench: Bench, name: str, number: int, on: bool) -> str:
    """Switch a fault on or off; gives the line of a script that does the same. Raises `DeedError`."""
    faults = bench.table.faults
    try:
        place = faults.places(name)[number]
    except (FaultError, IndexError):
        raise DeedError("no-fault", f"no fault {name!r} at place {number} of this table") from None
    if on != ((name, place) in faults.on):
        if on:
            faults.begin(name, place)
        else:
            faults.mend(name, place)
        bench.table.wait(SETTLE)
    return script_line(name, place, on)
