"""Which ways of dealing a table has, for those who sit at it and what they play."""

from collections.abc import Iterable

from engine.options import OptionError
from firmware.desk import Desk
from firmware.plan import Plan, setup_from
from firmware.tablefile import missing_cards
from firmware.ways import Way
from hal.wiring import CommonRole


def ways_here(desk: Desk, plan: Plan, places: Iterable[int]) -> list[Way]:
    """The ways of dealing, the best first, for players at these places."""
    sitting, ways = {*places}, [Way.CONCEALED]
    try:
        table = setup_from(plan._replace(way=Way.PAD, options=()), dict.fromkeys(sorted(sitting), ""), "").table
    except OptionError:
        return ways
    if desk.deck is None or missing_cards(table, desk.deck):
        return ways
    if sitting <= {reader.seat for reader in desk.readers}:
        ways.insert(0, Way.SCAN_IN)
    if CommonRole.DEALING in {reader.role for reader in desk.readers}:
        ways.insert(0, Way.PAD)
    return ways
