"""What the director's console shows of the table: plain values, taken by the task that decides and worded elsewhere."""

from typing import NamedTuple

from engine import entries
from engine.game import games
from engine.match import check, to_act
from engine.options import Choice, option_text
from engine.values import Notice
from firmware.assent import Assent
from firmware.entry_words import penalty_code
from firmware.instructing import choices_of
from firmware.irregularities import note_code, unsigned
from firmware.known_names import known_names
from firmware.loop import Loop
from firmware.paths import hand_size
from firmware.plan import plan_from
from firmware.setting_rows import SettingRow, setting_rows
from firmware.tablefile import missing_cards
from firmware.ways_here import ways_here
from firmware.words import Length, Words


class Open(NamedTuple):
    """An irregularity that is not signed, and what can be chosen for it."""

    notice: Notice
    code: str
    text: str
    penalties: tuple[str, ...]


class State(NamedTuple):
    """The table as directors see it. No card of a hand is in it."""

    game: str
    rules: str
    match: int
    deals: int
    standing: str
    agreed: bool
    locked: bool
    dealt: bool
    names: tuple[str, ...]
    places: tuple[int, ...]
    sides: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    dealer: int
    acting: tuple[int, ...]
    hands: tuple[int, ...]
    unsigned: tuple[Open, ...]
    choices: dict[str, object]
    wish: tuple[int, str] | None
    """Who wishes something that others are asked for, and what, in the words of the table."""
    decks: tuple[dict[str, object], ...]
    lost: tuple[tuple[str, str], ...]
    settings: tuple[SettingRow, ...]
    known_names: tuple[str, ...]
    setup: dict[str, object]
    fixed_pin: bool


def key_of(loop: Loop) -> tuple[object, ...]:
    """What changes whenever the state does: cheap, so that it can be looked at often."""
    dealing = loop.dealing
    return (
        loop.number, loop.line_count, id(loop.match), loop.agreed, loop.locked, loop.decks.changes,
        loop.settings.changes, tuple(loop.lost), id(loop.shared), dealing is not None and dealing.begun,
    )  # fmt: skip


def state_of(loop: Loop) -> State:
    """The state now."""
    match, seats = loop.match, range(1, loop.table.seats + 1)
    shared = loop.shared
    return State(
        game=loop.table.game.name,
        rules=loop.table.rule_set,
        match=loop.number,
        deals=match.deals,
        standing=match.standing.value,
        agreed=loop.agreed,
        locked=loop.locked,
        dealt=match.deal is not None,
        names=match.names or ("",) * loop.table.seats,
        places=loop.setup.places,
        sides=loop.table.sides,
        scores=match.scores,
        dealer=match.dealer or 0,
        acting=tuple(to_act(match)),
        hands=tuple(hand_size(loop, seat) for seat in seats),
        unsigned=_unsigned(loop),
        choices=dict(choices_of(loop)),
        wish=(loop.setup.seat(shared.asker), str(dict(shared.what.facts)["what"]))
        if isinstance(shared, Assent)
        else None,
        decks=_decks(loop),
        lost=tuple(loop.lost.items()),
        settings=setting_rows(loop),
        known_names=tuple(known_names(loop)),
        setup=_setup(loop) if loop.mendable else {},
        fixed_pin=loop.gate.fixed,
    )


def _unsigned(loop: Loop) -> tuple[Open, ...]:
    found = []
    for one in unsigned(loop.match, loop.comments) if loop.agreed else ():
        code = note_code(one.notice)
        given = () if one.text else loop.table.game.penalties.get(code, ())
        possible = tuple(choice for choice in given if check(loop.match, entries.Penalty(code, choice)) is None)
        found.append(Open(one.notice, code, one.text, possible))
    return tuple(found)


def _decks(loop: Loop) -> tuple[dict[str, object], ...]:
    return tuple(
        {
            "name": kept.name,
            "cards": len(kept.deck.cards),
            "missing": len(missing_cards(loop.table, kept.deck)),
            "in_use": kept is loop.decks.in_use,
        }
        for kept in loop.decks.kept
    )


def _setup(loop: Loop) -> dict[str, object]:
    """What can be mended of what was agreed."""
    plan = plan_from(loop.setup)
    options = []
    for name, kind in plan.played.options.items():
        values = [option_text(value) for value in kind.values] if isinstance(kind, Choice) else []
        options.append({"name": name, "value": option_text(plan.value(name)), "values": values})
    ways = [way.value for way in ways_here(loop, plan, loop.setup.places)]
    return {"rules": [*plan.played.rule_sets], "options": options, "ways": ways, "way": plan.way.value}


def worded(state: State, language: str) -> dict[str, object]:
    """The state with the words of a language, as the page shows it."""
    game = games()[state.game]
    words = Words(game, language)
    found = state._asdict()
    found["title"], found["rules_title"] = words.title(), words.rule_set(state.rules)
    found["unsigned"] = [
        {
            "code": one.code,
            "text": one.text,
            "seat": dict(one.notice.facts).get("seat", 0),
            "words": _plain(words.notice(one.notice, Length.SENTENCE)),
            "penalties": [[choice, words.choice(penalty_code(choice), Length.LINE)] for choice in one.penalties],
        }
        for one in state.unsigned
    ]
    found["settings"] = [row._asdict() for row in state.settings]
    found["lost"] = [[device, words.table("device-lost", Length.LINE, device=device)] for device, _ in state.lost]
    codes = {code: words.choice(code, Length.LINE) for code in state.choices.get("report", ())}  # type: ignore[attr-defined]
    found["report"] = codes
    if state.setup:
        rules = [[name, words.rule_set(name)] for name in game.rule_sets]
        options = [
            {
                **one,
                "title": words.option(one["name"]),
                "values": [[value, words.value(value)] for value in one["values"]],
            }
            for one in state.setup["options"]  # type: ignore[attr-defined]
        ]
        ways = [[way, words.choice(f"way:{way}", Length.LINE)] for way in state.setup["ways"]]  # type: ignore[attr-defined]
        found["setup"] = {**state.setup, "rules": rules, "options": options, "ways": ways}
    return found


def _plain(text: str) -> str:
    return text.replace("\u00a0", " ")
