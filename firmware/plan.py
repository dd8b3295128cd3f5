"""What players agree on before they play: a proposal that becomes a setup, and that a table remembers."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from engine.game import Game, games
from engine.match import lay_table
from engine.options import OptionError, OptionValue, option_text, parse_option
from firmware.setups import Setup
from firmware.ways import Way

BY_LOT, BY_CARD = "lot", "high-card"
"""How the first dealer is found, where it is not agreed who deals."""


class Plan(NamedTuple):
    """What is to be played: a game by its name, a rule set, the options that differ from it, how cards are dealt, and
    who deals first: `BY_LOT`, `BY_CARD`, or the number of a place at the table.
    """

    game: str
    rules: str
    options: tuple[tuple[str, str], ...] = ()
    way: Way = Way.CONCEALED
    dealer: str = BY_LOT

    @property
    def played(self) -> Game:
        """The game itself."""
        return games()[self.game]

    def value(self, option: str) -> OptionValue:
        """The value of an option as it stands."""
        own = dict(self.options)
        given = self.played.rule_sets[self.rules][option]
        return parse_option(self.played.options, option, own[option]) if option in own else given

    def with_option(self, option: str, value: OptionValue) -> "Plan":
        """The plan with another value of an option; one that the rule set has anyway is not kept."""
        others = tuple(pair for pair in self.options if pair[0] != option)
        same = self.played.rule_sets[self.rules][option] == value
        return self._replace(options=others if same else (*others, (option, option_text(value))))

    def text(self) -> str:
        """The plan as a text that `plan_of` reads."""
        return msgspec.json.encode(self._asdict()).decode()


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    rules: str
    options: tuple[tuple[str, str], ...]
    way: Way
    dealer: str


def plan_of(text: str, otherwise: Plan) -> Plan:
    """The plan that a text tells of, if it is one that can still be played."""
    try:
        plan = Plan(**msgspec.structs.asdict(msgspec.json.decode(text, type=_Kept)))
        for option, _ in plan.options:
            plan.value(option)
        plan.played.rule_sets[plan.rules]
    except (msgspec.MsgspecError, KeyError, OptionError, ValueError):
        return otherwise
    return plan


def plan_from(setup: Setup) -> Plan:
    """The plan that led to a setup."""
    table = setup.table
    options = tuple((name, option_text(value)) for name, value in table.options)
    dealer = str(setup.place(setup.dealer)) if setup.dealer else BY_LOT
    return Plan(table.game.name, table.rule_set, options, setup.way, dealer)


def setup_from(plan: Plan, joined: Mapping[int, str], unnamed: str) -> Setup:
    """The setup of a plan for those who sit at these places with these names; raises `OptionError`.

    Where some have a name, a record needs one for each: `unnamed`, with the number of the seat, is for those without,
    and the setup says whose names are such.
    """
    places = tuple(sorted(joined))
    options = {name: plan.value(name) for name, _ in plan.options}
    table = lay_table(plan.played, len(places), plan.rules, plan.way.tracked, options)
    made_up = {place: f"{unnamed} {seat}" for seat, place in enumerate(places, 1) if not joined[place]}
    for place, name in made_up.items():
        while made_up[place] in joined.values():  # somebody is called that
            made_up[place] = f"({made_up[place]})" if made_up[place] == name else f"{made_up[place]}'"
    names = [joined[place] or made_up[place] for place in places]
    dealer = int(plan.dealer) if plan.dealer.isdecimal() else 0
    seat = places.index(dealer) + 1 if dealer in places else 0
    if not any(joined.values()):
        return Setup(table, (), places, seat, plan.way, agreed_dealer=bool(seat))
    unnamed_seats = tuple(seat for seat, place in enumerate(places, 1) if place in made_up)
    return Setup(table, tuple(names), places, seat, plan.way, agreed_dealer=bool(seat), unnamed=unnamed_seats)
