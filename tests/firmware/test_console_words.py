"""`console …` in table scripts: what a director wants from beside the table, word for word."""

from collections.abc import Iterator

import pytest

from firmware.bench import Bench, ExpectationError
from firmware.console_words import console_line, instruction_in
from firmware.instructions import (
    Agree,
    Console,
    Correct,
    DealAnew,
    Instruction,
    Lock,
    NextMatch,
    Report,
    SetDealer,
    SetHand,
    SetName,
    SetPin,
    SetScore,
    Setting,
    SetTurn,
    Sign,
    Undo,
    UseDeck,
    VoidDeal,
    VoidMatch,
)  # fmt: skip
from firmware.script import parse_script
from firmware.script_words import parse_words
from firmware.simulated import SimulatedTable

ODD = 'a "quote" \\ slash, é\u2028line\x07 \U0001f0a1 = "'
WANTED: list[Instruction] = [
    Undo(), Undo(reason="slip of the hand"), SetScore(side=1, score=-5), SetTurn(seat=2), SetDealer(seat=3),
    SetHand(seat=1, cards=("9D", "10S", "JK'2", "??")), SetHand(seat=1, cards=()),
    SetName(seat=2, name="Аня <b> \"x\" \\n"),
    Sign(code="revoke", text=ODD, choice="fail-bid"), Report(code="misdeal", seat=2),
    Report(code="exposed-card", seat=1, cards=("AS",)), Report(code="wrong-count", seat=1, count=0), VoidDeal(),
    VoidMatch(reason="пожар"), DealAnew(), Agree(), Correct(option="left_bower", value="true"), Correct(way="scan-in"),
    Lock(locked=True), Lock(locked=False), NextMatch(), Setting(key="sound", value=""),
    Setting(key="sound", value="a  b"),
    UseDeck(deck=ODD), SetPin(pin="0024"), Console(), Console(made=True, shown=True),
]  # fmt: skip


@pytest.mark.parametrize("told", WANTED, ids=lambda told: type(told).__name__)
def test_each_instruction_is_a_line_that_says_it_again(told: Instruction) -> None:
    line = console_line(told)
    assert len(f"{line}\n".splitlines()) == 1
    assert instruction_in(line) == told
    assert [statement.text for statement in parse_script(f"{line}   # and a comment\n").statements] == [line]


def test_a_line_reads_as_it_is_spoken() -> None:
    wanted = SetScore(side=1, score=-5, reason="added wrong")
    assert console_line(wanted) == 'console set-score side=1 score=-5 reason="added wrong"'
    assert console_line(SetHand(seat=1, cards=("9D", "KH"))) == 'console set-hand seat=1 cards="9D KH"'
    assert instruction_in("CONSOLE Set-Score  Side=1   score=5") == SetScore(side=1, score=5)


@pytest.mark.parametrize(
    "line",
    [
        "console", "console fly", "console set-score side=1", "console set-score side=1 score=x", "console undo seat=1",
        "console undo undo", "console undo reason=a reason=b", "console undo reason=a;b", 'console undo reason="\\u00"',
        "console lock locked=perhaps", "console set-name seat=1 name=", "console set-turn seat=17",
        "console correct-setup",
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_found_before_anything_is_played(line: str) -> None:
    with pytest.raises(ValueError, match=r"cannot read|no instruction"):
        parse_words(line, 4)


@pytest.fixture
def bench() -> Iterator[Bench]:
    script = parse_script("seats 2\nhands concealed\nreaders none\ndealer 2\n")
    with SimulatedTable(script.table) as table:
        yield Bench(table)


def do(bench: Bench, *lines: str) -> None:
    for line in lines:
        parse_words(line, 2, bench.table.loop.table.game)(bench)


def test_a_director_rules_at_the_console_while_others_play(bench: Bench) -> None:
    do(bench, "choose 2 dealt", "choose 1 3", "console set-score side=2 score=7 reason=added-wrong")
    do(bench, "expect console ok", "expect score 0 7", "choose 2 pass", "console undo", "expect turn 2")
    do(bench, "console set-name seat=1 name=Ann", "expect console ok", "expect record")
    assert bench.table.loop.lines[2:3] == ["director score 2 = 7 ; added-wrong"]
    do(bench, "console undo", "console undo", "console set-turn seat=1", "expect console refused")


def test_an_expectation_of_the_console_can_fail(bench: Bench) -> None:
    with pytest.raises(ExpectationError, match="nothing was wanted at the console"):
        do(bench, "expect console ok")
    do(bench, "console next-match", "expect console refused", "expect console refused not-asked")
    with pytest.raises(ExpectationError, match="the answer was refused not-asked"):
        do(bench, "expect console ok")
    with pytest.raises(ExpectationError, match="the answer was refused not-asked"):
        do(bench, "expect console refused gone-on")
    do(bench, "console lock locked=true")
    with pytest.raises(ExpectationError, match="the answer was ok"):
        do(bench, "expect console refused")


def test_directors_can_have_a_token_made_at_a_place_once_the_console_is_open(bench: Bench) -> None:
    assert bench.table.loop.new_token is None
    do(bench, "console open made=true shown=true", "wait 1")
    shown = bench.table.loop.seat_view(1).sheet
    assert shown is not None
    assert shown.ask.prompt == "web-token"
    do(bench, "press 1 ok")
    assert bench.table.loop.seat_view(1).sheet is None
    assert bench.table.loop.new_token is not None
