"""The director signs what was irregular, with what the rules give for it."""

from engine import entries
from engine.entries import Entry
from engine.match import check
from firmware.desk import Desk
from firmware.dialogs import GO_ON, Dialog, Enter, Open, Outcome, Pick
from firmware.entry_words import penalty_code
from firmware.irregularities import Unsigned, note_code, signature, unsigned
from firmware.moments import Moment
from firmware.paths import Rule, pick_reason
from firmware.seatview import Wording
from firmware.words import Length


def sign_menu(desk: Desk, rule: Rule) -> Dialog:
    """What is not signed yet, in words."""
    found = unsigned(desk.match, desk.comments)

    def labels() -> dict[str, str]:
        return {f"open:{at}": _label(desk, one) for at, one in enumerate(found)}

    def chosen(choice: str) -> Outcome:
        return Open(_options(desk, rule, found[int(choice.removeprefix("open:"))]))

    return Pick("sign", (*labels(), GO_ON), chosen, labels=labels, lasts=True)


def _label(desk: Desk, one: Unsigned) -> str:
    """What has happened, and who did it."""
    return desk.named.notice(one.notice, Length.LINE)


def _options(desk: Desk, rule: Rule, one: Unsigned) -> Dialog:
    """The choices that the rules give for it now, throwing the deal in, and the signature alone."""
    code = note_code(one.notice)
    given = () if one.text else desk.table.game.penalties.get(code, ())
    penalties = [choice for choice in given if check(desk.match, entries.Penalty(code, choice)) is None]
    given_now = tuple(f"penalty:{choice}" for choice in penalties)
    void = ("void-deal",) if check(desk.match, entries.VoidDeal()) is None else ()
    since = desk.moment

    def labels() -> dict[str, str]:
        said = {f"penalty:{choice}": desk.words.choice(penalty_code(choice), Length.OLED) for choice in penalties}
        return said | {"accept": desk.words.short("sign-only")} if said else {}

    return Pick("irregular", ("accept", *given_now, *void, GO_ON), lambda choice: _sign(desk, rule, since, one, choice),
                labels=labels, facts=lambda: {"what": desk.named.notice(one.notice, Length.OLED)},
                text=lambda: Wording("irregular", (("what", _label(desk, one)),)), lasts=True)  # fmt: skip


def _sign(desk: Desk, rule: Rule, since: Moment, one: Unsigned, choice: str) -> Outcome:
    """The signature, after a penalty where one was chosen, before the deal is thrown in."""
    code = note_code(one.notice)
    ruled: tuple[Entry, ...] = () if one.text else (entries.Accept(code),)
    if choice == "void-deal":
        ruled = (*ruled, entries.VoidDeal())
    elif choice != "accept":
        ruled = (entries.Penalty(code, choice.removeprefix("penalty:")), *ruled)

    def reasoned(reason: str) -> Outcome:
        notes = (signature(one, code, reason),) if one.text else ()
        return rule(Enter(ruled, reason, notes, since, one), lambda: desk.named.notice(one.notice, Length.OLED))

    return Open(pick_reason(desk, reasoned))
