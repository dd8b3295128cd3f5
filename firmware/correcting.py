"""A slip in what was agreed is mended until the first deal has ended: rules, options, or how cards are dealt."""

from engine.match import Standing
from engine.options import Choice, OptionError, option_text
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Correct, Dialog, Open, Outcome, Pick, Say, Typing
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
    plan, words = plan_from(desk.setup), _words(desk)
    names = [*plan.played.rule_sets]
    labels = {name: words.rule_set(name) for name in names}

    def put(name: str) -> Outcome:
        return _mend(desk, rule, plan._replace(rules=name), labels[name])

    return Pick("rules", names, put, labels=labels, start=names.index(plan.rules), lasts=True)


def _pick_option(desk: Desk, rule: Rule) -> Dialog:
    plan, words = plan_from(desk.setup), _words(desk)
    labels = {name: f"{words.option(name)}: {words.value(plan.value(name))}" for name in plan.played.options}
    return Pick("options", [*labels, GO_ON], lambda option: _pick_value(desk, rule, plan, option), labels=labels,
                lasts=True)  # fmt: skip


def _pick_value(desk: Desk, rule: Rule, plan: Plan, option: str) -> Outcome:
    kind, words = plan.played.options[option], _words(desk)
    facts = {"option": heading(words.option(option))}

    def put(text: str) -> Outcome:
        value = kind.parse(text)
        if value is None:
            return Say(TableText("value-out-of-range", (("expected", kind.expected),), bad=True))
        return _mend(desk, rule, plan.with_option(option, value), f"{words.option(option)}: {words.value(value)}")

    if not isinstance(kind, Choice):
        most = len(str(kind.most))
        return Open(Typing("number", DIGITS, put, most=most, typed=str(plan.value(option)), facts=facts, lasts=True))
    texts = {option_text(value): words.value(value) for value in kind.values}
    start = kind.values.index(plan.value(option))
    return Open(Pick("value", [*texts], put, labels=texts, facts=facts, start=start, lasts=True))


def _pick_way(desk: Desk, rule: Rule) -> Dialog:
    plan, words = plan_from(desk.setup), desk.words

    def put(choice: str) -> Outcome:
        way = Way(choice.removeprefix("way:"))
        return _mend(desk, rule, plan._replace(way=way), words.short("deal-way"))

    ways = ways_here(desk, plan, desk.setup.places)
    start = ways.index(plan.way) if plan.way in ways else 0
    return Pick("deal-way", [f"way:{way}" for way in ways], put, start=start, lasts=True)


def _mend(desk: Desk, rule: Rule, plan: Plan, what: str) -> Outcome:
    """The same seats and names under another plan, with a reason."""
    changed = mended(desk, plan)
    if changed is None:
        return Say(TableText("options-clash", bad=True))
    return Open(pick_reason(desk, lambda reason: rule(Correct(changed, reason), what)))


def mended(desk: Desk, plan: Plan) -> Setup | None:
    """The same seats and names under another plan; None where that cannot be played here."""
    setup = desk.setup
    try:
        table = setup_from(plan, dict.fromkeys(setup.places, ""), "").table
    except OptionError:
        return None
    if table.tracked and (desk.deck is None or missing_cards(table, desk.deck)):
        return None
    return setup._replace(table=table, way=plan.way)


def correctable(desk: Desk) -> bool:
    """Until the first deal has been played to its end, a slip in what was agreed can be mended."""
    return desk.agreed and desk.match.deals == 0 and desk.match.standing is not Standing.OVER


def _words(desk: Desk) -> Words:
    return Words(desk.table.game, desk.words.language)
