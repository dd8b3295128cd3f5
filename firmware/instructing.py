"""What comes of an instruction from beside the table: the same outcomes as of the director's menu at a place."""

from collections.abc import Iterable, Mapping

from engine import entries
from engine.cards import UNKNOWN, Card, CardError, parse_card, physical
from engine.entries import Entry
from engine.match import check
from firmware import instructions as told_as
from firmware.assent import Assent
from firmware.correcting import mended
from firmware.deal_lines import ANEW
from firmware.decks import IN_USE
from firmware.desk import Desk
from firmware.dialogs import Agreed, Correct, Do, Enter, Keep, Outcome, Say
from firmware.instructions import Instruction
from firmware.irregularities import (
    REPORTED,
    WITH_CARDS,
    WITH_COUNT,
    Unsigned,
    note_code,
    note_text,
    signature,
    unsigned,
)
from firmware.paths import hand_size
from firmware.pin import PIN, hashed
from firmware.plan import Plan, plan_from
from firmware.seatview import TableText
from firmware.setting_rows import setting_rows
from firmware.setups import Setup
from firmware.tablefile import missing_cards
from firmware.ways import Way
from firmware.ways_here import ways_here

NOT_ASKED = Say(TableText("not-asked", bad=True))
"""It is nothing that can be wanted now."""


def wanted_outcome(desk: Desk, told: Instruction) -> Outcome:
    """What the loop is to do; `Say` where it is refused before anybody rules on it."""
    match told:
        case told_as.Lock(locked=locked):
            return Do("lock" if locked else "unlock")
        case told_as.Setting(key=key, value=value):
            rows = {row.key: row for row in setting_rows(desk)}
            return Keep(key, value) if key in rows and rows[key].takes(value) else NOT_ASKED
        case told_as.SetPin(pin=pin):
            return NOT_ASKED if desk.gate.fixed else Keep(PIN, hashed(pin, desk.salt()))
        case told_as.UseDeck(deck=deck):
            return _use_deck(desk, deck)
        case _ if not desk.agreed:
            return NOT_ASKED
        case told_as.NextMatch():
            return Do("next-match") if desk.over else NOT_ASKED
        case told_as.DealAnew():
            return Do(ANEW) if desk.dealing is not None and desk.dealing.begun else NOT_ASKED
        case told_as.Agree():
            assent = desk.shared
            return Agreed(assent.asker, assent.outcome) if isinstance(assent, Assent) else NOT_ASKED
        case told_as.Correct():
            changed = _corrected(desk, told)
            return Correct(changed, told.reason) if isinstance(changed, Setup) else Say(changed)
        case told_as.Sign():
            return _sign(desk, told)
        case told_as.Report():
            return _report(desk, told)
        case _:
            entry = entry_of(desk, told)
            return Enter((entry,), told.reason) if entry is not None else NOT_ASKED


def entry_of(desk: Desk, told: Instruction) -> Entry | None:
    """The entry that an instruction is about; None where there is none, or it names what is not at this table."""
    match told:
        case told_as.Undo():
            return entries.Undo(None)
        case told_as.SetScore(side=side, score=score):
            return entries.SetScore(side, score) if side in (seats[0] for seats in desk.table.sides) else None
        case told_as.SetTurn(seat=seat):
            return entries.SetTurn(seat)
        case told_as.SetDealer(seat=seat):
            return entries.SetDealer(seat)
        case told_as.SetName(seat=seat, name=name):
            return entries.SetName(seat, name) if seat <= desk.table.seats and name not in desk.match.names else None
        case told_as.SetHand(seat=seat, cards=texts):
            cards = cards_of(desk, texts)
            right = cards is not None and seat <= desk.table.seats and len(cards) == hand_size(desk, seat)
            return entries.SetHand(seat, cards) if right and cards is not None else None
        case told_as.VoidDeal():
            return entries.VoidDeal()
        case told_as.VoidMatch():
            return entries.VoidMatch()
    return None


def cards_of(desk: Desk, texts: Iterable[str]) -> tuple[Card, ...] | None:
    """The cards that these texts name, as records of this game write them; None where one is none of its pack, or is
    there twice.
    """
    pack = desk.table.game.pack(desk.table.rules)
    cards: list[Card] = []
    for text in texts:
        try:
            card = parse_card(text)
        except CardError:
            return None
        if card != UNKNOWN:
            if physical(card) not in pack:
                return None
            card = desk.spelled(physical(card))
            if card in cards:
                return None
        cards.append(card)
    return tuple(cards)


def found_unsigned(desk: Desk, told: told_as.Sign) -> Unsigned | None:
    """The irregularity that is to be signed, if it is still there."""
    if not desk.agreed:
        return None
    wanted, found = (told.code, told.text), unsigned(desk.match, desk.comments)
    return next((one for one in found if (note_code(one.notice), one.text) == wanted), None)


def _sign(desk: Desk, told: told_as.Sign) -> Outcome:
    """The signature, after a penalty where one was chosen, before the deal is thrown in (`firmware.signing`)."""
    one = found_unsigned(desk, told)
    if one is None:
        return NOT_ASKED
    ruled: tuple[Entry, ...] = () if one.text else (entries.Accept(told.code),)
    if told.choice == "void-deal":
        ruled = (*ruled, entries.VoidDeal())
    elif told.choice != "accept":
        if one.text or told.choice not in desk.table.game.penalties.get(told.code, ()):
            return NOT_ASKED
        ruled = (entries.Penalty(told.code, told.choice), *ruled)
    return Enter(ruled, told.reason, (signature(one, told.code, told.reason),) if one.text else ())


def _report(desk: Desk, told: told_as.Report) -> Outcome:
    known = told.code in REPORTED and told.seat <= desk.table.seats
    if not known or (desk.match.deal is None and told.code != "misdeal"):
        return NOT_ASKED
    what = ""
    if told.code == WITH_CARDS:
        cards = cards_of(desk, told.cards)
        if not cards:
            return NOT_ASKED
        what = " ".join(map(str, cards))
    elif told.code == WITH_COUNT:
        if told.count is None:
            return NOT_ASKED
        what = str(told.count)
    return Enter((), notes=((told.code, note_text(told.seat, what)),))


def _use_deck(desk: Desk, name: str) -> Outcome:
    kept = desk.decks.get(name)
    if kept is None or kept is desk.decks.in_use:
        return NOT_ASKED
    if not desk.quiet:
        return Say(TableText("deal-runs", bad=True))
    if missing_cards(desk.table, kept.deck):
        return Say(TableText("deck-unfinished", (("count", len(missing_cards(desk.table, kept.deck))),), bad=True))
    return Keep(IN_USE, name)


def _corrected(desk: Desk, told: told_as.Correct) -> Setup | TableText:
    if not desk.mendable or is_so(desk, told):
        return NOT_ASKED.message
    plan = _plan(desk, told)
    if isinstance(plan, TableText):
        return plan
    return mended(desk, desk.setup, plan) or TableText("options-clash", bad=True)


def is_so(desk: Desk, told: told_as.Correct) -> bool:
    """Whether what is to be corrected is so already."""
    plan = plan_from(desk.setup)
    if told.option is not None:
        kind = plan.played.options.get(told.option)
        return kind is not None and kind.parse(told.value or "") == plan.value(told.option)
    return plan.way.value == told.way if told.way is not None else plan.rules == told.rules


def _plan(desk: Desk, told: told_as.Correct) -> Plan | TableText:
    plan = plan_from(desk.setup)
    if told.rules is not None:
        return plan._replace(rules=told.rules) if told.rules in plan.played.rule_sets else NOT_ASKED.message
    if told.way is not None:
        ways = {way.value: way for way in ways_here(desk, plan, desk.setup.places)}
        return plan._replace(way=Way(ways[told.way])) if told.way in ways else NOT_ASKED.message
    kind = plan.played.options.get(told.option or "")
    value = kind.parse(told.value or "") if kind is not None else None
    if kind is None or told.option is None:
        return NOT_ASKED.message
    if value is None:
        return TableText("value-out-of-range", (("expected", kind.expected),), bad=True)
    return plan.with_option(told.option, value)


def choices_of(desk: Desk) -> Mapping[str, object]:
    """What can be ruled now: the kinds of instruction, and the seats of those that are about one."""
    if not desk.agreed:
        return {}
    seats = range(1, desk.table.seats + 1)
    turn = [seat for seat in seats if check(desk.match, entries.SetTurn(seat)) is None]
    dealer = [seat for seat in seats if check(desk.match, entries.SetDealer(seat)) is None]
    hands = [seat for seat in seats if hand_size(desk, seat)]
    found: dict[str, object] = {"set-score": [side[0] for side in desk.table.sides], "set-name": [*seats]}
    found["report"] = [code for code in REPORTED if desk.match.deal is not None or code == "misdeal"]
    found |= {"undo": True} if desk.referee.count else {}
    found |= {kind: given for kind, given in (("set-turn", turn), ("set-dealer", dealer), ("set-hand", hands)) if given}
    found |= {"void-deal": True} if check(desk.match, entries.VoidDeal()) is None else {}
    found |= {"void-match": True} if desk.referee.check(entries.VoidMatch()) is None else {}
    found |= {"deal-anew": True} if desk.dealing is not None and desk.dealing.begun else {}
    found |= {"agree-for-all": True} if isinstance(desk.shared, Assent) else {}
    found |= {"correct-setup": True} if desk.mendable else {}
    found |= {"next-match": True} if desk.over else {}
    return found
