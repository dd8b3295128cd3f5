"""What a director wants from beside the table: plain values that JSON can write, and that a capture keeps.

Each is what can be picked in the director's menu at a place (`firmware.director`), or set there.
"""

from typing import Annotated

import msgspec

from firmware.tablefile import names_problem

Text = Annotated[str, msgspec.Meta(max_length=120)]
Code = Annotated[str, msgspec.Meta(pattern=r"^[a-z]+(-[a-z]+)*\Z", max_length=40)]
Value = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_:.+-]{1,40}\Z")]
Seat = Annotated[int, msgspec.Meta(ge=1, le=16)]
Score = Annotated[int, msgspec.Meta(ge=-99999, le=99999)]
CardText = Annotated[str, msgspec.Meta(pattern=r"^[0-9A-Z?'-]{1,6}\Z")]


class Told(msgspec.Struct, tag_field="kind", forbid_unknown_fields=True, frozen=True, kw_only=True, omit_defaults=True):
    """Something that is wanted; `reason` is kept with it, where it is a ruling."""

    reason: Text = ""


class Undo(Told, tag="undo", frozen=True):
    """The last entry is taken back."""


class SetScore(Told, tag="set-score", frozen=True):
    """A side, by its lowest seat, has this score."""

    side: Seat
    score: Score


class SetTurn(Told, tag="set-turn", frozen=True):
    """This seat is to act."""

    seat: Seat


class SetDealer(Told, tag="set-dealer", frozen=True):
    """This seat was the dealer."""

    seat: Seat


class SetHand(Told, tag="set-hand", frozen=True):
    """What a seat holds: cards as records write them."""

    seat: Seat
    cards: Annotated[tuple[CardText, ...], msgspec.Meta(max_length=60)]


class SetName(Told, tag="set-name", frozen=True):
    """Who sits there."""

    seat: Seat
    name: Annotated[str, msgspec.Meta(max_length=24)]


class Sign(Told, tag="sign", frozen=True):
    """An irregularity is signed: of this code, and of the table's own the one with this text. `choice` is `accept`, a
    penalty of the game, or `void-deal`.
    """

    code: Code
    text: Text = ""
    choice: Value = "accept"


class Report(Told, tag="report", frozen=True):
    """Something irregular is reported."""

    code: Code
    seat: Seat
    cards: Annotated[tuple[CardText, ...], msgspec.Meta(max_length=60)] = ()
    count: Annotated[int, msgspec.Meta(ge=0, le=99)] | None = None


class VoidDeal(Told, tag="void-deal", frozen=True):
    """The deal is thrown in."""


class VoidMatch(Told, tag="void-match", frozen=True):
    """The match ends without a winner."""


class DealAnew(Told, tag="deal-anew", frozen=True):
    """What was read of the deal in progress is forgotten."""


class Agree(Told, tag="agree-for-all", frozen=True):
    """What all are asked for is agreed to in their name."""


class Correct(Told, tag="correct-setup", frozen=True):
    """A slip in what was agreed is mended: one of a rule set, an option with its value, and a way to deal."""

    rules: Value | None = None
    option: Value | None = None
    value: Value | None = None
    way: Value | None = None


class Lock(Told, tag="lock", frozen=True):
    """No card counts at any reader, or cards count again."""

    locked: bool


class NextMatch(Told, tag="next-match", frozen=True):
    """The same players play once more."""


class Setting(Told, tag="setting", frozen=True):
    """A setting of the table, or of a place, by its name."""

    key: Value
    value: Annotated[str, msgspec.Meta(max_length=40)]


class UseDeck(Told, tag="use-deck", frozen=True):
    """This deck is played with."""

    deck: Annotated[str, msgspec.Meta(max_length=60)]


class SetPin(Told, tag="set-pin", frozen=True):
    """The director's PIN at the places."""

    pin: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{4,8}\Z")]


class Console(Told, tag="console", frozen=True):
    """Directors can log in from beside the table from now on. `made`: there is a new token for it; `shown`: at a place,
    too.
    """

    made: bool = False
    shown: bool = False


Instruction = (
    Undo | SetScore | SetTurn | SetDealer | SetHand | SetName | Sign | Report | VoidDeal | VoidMatch | DealAnew | Agree
    | Correct | Lock | NextMatch | Setting | UseDeck | SetPin | Console
)  # fmt: skip
RULINGS = (Undo, SetScore, SetTurn, SetDealer, SetHand, SetName, Sign, Report, VoidDeal, VoidMatch, Correct)
"""Those that stand in the record of the match."""

_DECODER: msgspec.json.Decoder[Instruction] = msgspec.json.Decoder(Instruction)


def instruction_of(text: str | bytes) -> Instruction:
    """The instruction that a JSON text writes; raises ValueError with what is wrong."""
    try:
        told = _DECODER.decode(text)
    except msgspec.MsgspecError as error:
        raise ValueError(str(error)) from None
    problem = _problem(told)
    if problem:
        raise ValueError(problem)
    return told


def kind_of(told: Instruction) -> str:
    """The kind of an instruction, without its facts."""
    return str(type(told).__struct_config__.tag)


def instruction_text(told: Instruction) -> str:
    """An instruction as `instruction_of` reads it."""
    return msgspec.json.encode(told).decode()


def _problem(told: Instruction) -> str:
    """What no record could give back, or leads nowhere."""
    if not told.reason.isprintable() or set(told.reason) & set(";#"):
        return "a reason with ; or #, or with signs that cannot be printed; expected plain words"
    if isinstance(told, SetName):
        return names_problem((told.name,), 1)
    if isinstance(told, Correct):
        given = [told.rules is not None, told.option is not None and told.value is not None, told.way is not None]
        if given.count(True) != 1:
            return "expected one of rules, option with value, and way"
    return ""
