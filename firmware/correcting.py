"""A slip in what was agreed is mended until the first deal has ended: rules, options, or how cards are dealt."""

from engine.options import Choice, OptionError, OptionValue, option_text
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Correct, Dialog, Open, Outcome, Pick, Said, Say, Typing
from firmware.moments import Moment
from firmware.paths import Rule, pick_reason
from firmware.pin import DIGITS
from firmware.plan import Plan, plan_from, setup_from
from firmware.seatview import TableText
from firmware.setups import Setup
from firmware.tablefile import missing_cards
from firmware.ways import Way
from firmware.ways_here import ways_here
from firmware.words import Words, heading


def correct_menu(desk: Desk, rule: Rule) -> Dialog:
    """What can be mended."""

    def chosen(choice: str) -> Outcome:
        return Open({"rules": _pick_rules, "options": _pick_option, "deal-way": _pick_way}[choice](desk, rule))

    return Pick("correct-setup", ("rules", "options", "deal-way", GO_ON), chosen, lasts=True)


def _pick_rules(desk: Desk, rule: Rule) -> Dialog:
    plan, since = plan_from(desk.setup), desk.moment
    names = [*plan.played.rule_sets]

    def labels() -> dict[str, str]:
        return {name: desk.words.rule_set(name) for name in names}

    def put(name: str) -> Outcome:
        return _mend(desk, rule, since, plan._replace(rules=name), lambda: desk.words.rule_set(name))

    return Pick("rules", names, put, labels=labels, start=names.index(plan.rules), lasts=True)


def _pick_option(desk: Desk, rule: Rule) -> Dialog:
    plan, since = plan_from(desk.setup), desk.moment

    def labels() -> dict[str, str]:
        return {name: _set(desk.words, name, plan.value(name)) for name in plan.played.options}

    return Pick("options", [*plan.played.options, GO_ON], lambda option: _pick_value(desk, rule, since, plan, option),
                labels=labels, lasts=True)  # fmt: skip


def _pick_value(desk: Desk, rule: Rule, since: Moment, plan: Plan, option: str) -> Outcome:
    kind = plan.played.options[option]
    values = kind.values if isinstance(kind, Choice) else ()

    def facts() -> dict[str, str]:
        return {"option": heading(desk.words.option(option))}

    def labels() -> dict[str, str]:
        return {option_text(value): desk.words.value(value) for value in values}

    def put(text: str) -> Outcome:
        value = kind.parse(text)
        if value is None:
            return Say(TableText("value-out-of-range", (("expected", kind.expected),), bad=True))
        changed = plan.with_option(option, value)
        return _mend(desk, rule, since, changed, lambda: _set(desk.words, option, changed.value(option)))

    if not isinstance(kind, Choice):
        most = len(str(kind.most))
        return Open(Typing("number", DIGITS, put, most=most, typed=str(plan.value(option)), facts=facts, lasts=True))
    start = kind.values.index(plan.value(option))
    return Open(Pick("value", [*labels()], put, labels=labels, facts=facts, start=start, lasts=True))


def _pick_way(desk: Desk, rule: Rule) -> Dialog:
    plan, since = plan_from(desk.setup), desk.moment

    def put(choice: str) -> Outcome:
        way = Way(choice.removeprefix("way:"))
        return _mend(desk, rule, since, plan._replace(way=way), lambda: desk.words.short("deal-way"))

    ways = ways_here(desk, plan, desk.setup.places)
    start = ways.index(plan.way) if plan.way in ways else 0
    return Pick("deal-way", [f"way:{way}" for way in ways], put, start=start, lasts=True)


def _mend(desk: Desk, rule: Rule, since: Moment, plan: Plan, what: Said) -> Outcome:
    """The same seats and names under another plan, with a reason."""
    changed = mended(desk, since.setup, plan)
    if changed is None:
        return Say(TableText("options-clash", bad=True))
    return Open(pick_reason(desk, lambda reason: rule(Correct(changed, reason, since), what)))


def mended(desk: Desk, setup: Setup, plan: Plan) -> Setup | None:
    """The same seats and names under another plan; None where that cannot be played here."""
    try:
        table = setup_from(plan, dict.fromkeys(setup.places, ""), "").table
    except OptionError:
        return None
    if table.tracked and (desk.deck is None or missing_cards(table, desk.deck)):
        return None
    return setup._replace(table=table, way=plan.way)


def _set(words: Words, option: str, value: OptionValue) -> str:
    """An option with its value, in the words of the table."""
    return f"{words.option(option)}: {words.value(value)}"
