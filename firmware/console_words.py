"""The words of table scripts for what a director wants from beside the table: `console KIND KEY=VALUE …`.

They are the instructions of the console (`firmware.instructions`), and a recorded session is made of them, too.
"""

import json
import re
from typing import get_args

import msgspec

from engine.phrases import Phrase
from firmware.bench import Bench, ExpectationError
from firmware.instructions import Console, Instruction, instruction_of, instruction_text, kind_of
from firmware.script_forms import CODE, Act, Form, form
from firmware.tokens import hidden_token

OPEN = "open"
"""The kind of `Console` in scripts: directors can log in, and have a token made at a place."""
_USAGE = "console KIND [KEY=VALUE…]"
_PAIR = re.compile(r'\s+([a-z]+)=("[^"]*"|[^\s"]+)', re.IGNORECASE | re.ASCII)
_BARE = re.compile(r"[A-Za-z0-9_:.+-]+", re.ASCII)
_LISTS = ("cards",)
_KINDS = (str(one.__struct_config__.tag) for one in get_args(Instruction))
KINDS = tuple(OPEN if kind == "console" else kind for kind in _KINDS)
"""What can be wanted."""


def console_line(told: Instruction) -> str:
    """The line of a script that wants this."""
    facts = msgspec.to_builtins(told)
    kind = OPEN if isinstance(told, Console) else kind_of(told)
    return " ".join(["console", kind, *(f"{key}={_text(value)}" for key, value in facts.items() if key != "kind")])


def _text(value: object) -> str:
    if isinstance(value, bool):
        text = str(value).lower()
    else:
        text = " ".join(value) if isinstance(value, list | tuple) else str(value)
    return text if _BARE.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    r"""A text between quotes, as JSON writes it; a quote in it is \u0022, since scripts end a text at the next one."""
    return '"' + "".join(sign if sign.isprintable() and sign not in '"\\' else _escaped(sign) for sign in text) + '"'


def _escaped(sign: str) -> str:
    return r"\u0022" if sign == '"' else json.dumps(sign)[1:-1]


def instruction_in(line: str) -> Instruction:
    """What a line of a script wants from beside the table; raises ValueError."""
    unreadable = ValueError(Phrase("cannot read {line!r}; expected {listed}", line=line, listed=Phrase(_USAGE)))
    _, kind, *more = line.split(maxsplit=2)
    rest = f" {more[0]}" if more else ""
    if kind.lower() not in KINDS:
        listed = ", ".join(KINDS)
        raise ValueError(Phrase("no instruction {kind!r}; expected one of {listed}", kind=kind, listed=listed))
    facts: dict[str, object] = {"kind": "console" if kind.lower() == OPEN else kind.lower()}
    at = 0
    for pair in _PAIR.finditer(rest):
        key = pair[1].lower()
        if pair.start() != at or key in facts:
            raise unreadable
        at = pair.end()
        facts[key] = _value(pair[2], unreadable)
        if key in _LISTS:
            facts[key] = str(facts[key]).split()
    if rest[at:].strip():
        raise unreadable
    try:
        return instruction_of(instruction_text(msgspec.convert(facts, Instruction, strict=False)))
    except ValueError:
        raise unreadable from None


def _value(text: str, unreadable: ValueError) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise unreadable from None


def _console(found: re.Match[str]) -> Act:
    told = instruction_in(found[0])

    def act(bench: Bench) -> None:
        table = bench.table

        async def work() -> None:
            table.loop.new_token = hidden_token
            bench.answer = await table.loop.instruct(told, table.loop.latest, hidden_token())

        table.do(work())

    return act


def _expect(found: re.Match[str]) -> Act:
    refused, code = found["verdict"].lower() == "refused", (found["code"] or "").lower()

    def act(bench: Bench) -> None:
        answer = bench.answer
        if answer is None:
            raise ExpectationError(Phrase("nothing was wanted at the console"))
        got = answer.message.code if answer.message is not None else ""
        if answer.done == refused or (code and code != got):
            raise ExpectationError(Phrase("the answer was {answer}", answer="ok" if answer.done else f"refused {got}"))

    return act


CONSOLE: tuple[Form, ...] = (
    form(r"console [a-z-]+(?: .*)?", _USAGE, _console),
    form(rf"expect console (?P<verdict>ok|refused)(?: (?P<code>{CODE}))?", "expect console ok|refused [CODE]", _expect),
)
