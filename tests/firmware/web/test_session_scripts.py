"""A session at the simulated table as a script: played again, it leads to the same rulings."""

import pytest

from engine.cards import Card
from firmware.bench import Bench
from firmware.desk import Heard
from firmware.furnish import furnish
from firmware.instructions import Console, Instruction, Lock, Report, SetName, SetScore, Undo, VoidDeal
from firmware.script import parse_script
from firmware.simulated import SimulatedTable
from firmware.tablefile import TableFile
from firmware.web import deeds
from firmware.web.playing import Playing
from firmware.web.scripting import script_headings
from firmware.web.world import EVERYBODY

SEED = 5


def told(heard: list[Heard]) -> list[str]:
    return [str(one) for one in heard]


def played_again(text: str) -> tuple[list[str], str]:
    script = parse_script(text)
    with SimulatedTable(script.table, seed=script.seed) as table:
        bench = Bench(table, script.seed)
        for statement in script.statements:
            statement.act(bench)
        return told(table.heard), table.loop.record()


def for_a_while(playing: Playing, steps: int) -> None:
    for _ in range(steps):
        playing.poll()


def number_of(playing: Playing, at: str, seat: int = 0) -> int:
    """The number of the first card there."""
    cards = playing.world.seen(EVERYBODY)["cards"]
    return next(int(card["id"]) for card in cards if card["at"] == at and card["seat"] == seat)


@pytest.mark.long
def test_bots_and_a_person_with_faults_and_a_restart() -> None:
    with SimulatedTable(furnish("pepper", 4), seed=SEED) as table:
        bench = Bench(table, SEED)
        for seat in (2, 3, 4):
            bench.seat_bot(seat, mistakes=0.2)
        playing = Playing(bench, SEED)
        playing.do(deeds.Fault("bounce", 1, on=True), 1)
        playing.do(deeds.DealForMe(), 1)
        for_a_while(playing, 700)
        playing.do(deeds.Pad(number_of(playing, "hand", 1), "seat 1 reader"), 1)  # a refusal
        for_a_while(playing, 60)
        playing.do(deeds.Press(1, "ok"), 1)
        for_a_while(playing, 7)
        playing.do(deeds.Release(1, "ok"), 1)
        for_a_while(playing, 30)
        playing.do(deeds.Restart(), 1)
        for_a_while(playing, 300)
        playing.do(deeds.Bot(1, on=True), 1)
        for_a_while(playing, 2500)
        assert len(table.heard) > 30
        assert any(one.ruling is not None and one.ruling.refusal is not None for one in table.heard)
        assert "restart" in playing.script.text()
        assert played_again(playing.script.text()) == (told(table.heard), table.loop.record())


@pytest.mark.long
def test_what_was_ruled_at_the_console_is_ruled_again() -> None:
    with SimulatedTable(furnish("pepper", 4, names=("Ann", "Ben", "Cleo", "Dan")), seed=SEED) as table:
        bench = Bench(table, SEED)
        for seat in (1, 2, 3, 4):
            bench.seat_bot(seat, mistakes=0.1)
        playing = Playing(bench, SEED)
        answers = [told_at_console(playing, Console(made=True))]
        for_a_while(playing, 1200)
        for wanted in (
            SetScore(side=1, score=12, reason="счёт с бумаги"),
            SetName(seat=2, name="Benjamin"),
            SetScore(side=4, score=1),  # no side is called that: refused
            Lock(locked=True),
        ):
            for_a_while(playing, 7)
            answers.append(told_at_console(playing, wanted))
        for_a_while(playing, 200)
        answers.append(told_at_console(playing, Lock(locked=False)))
        for_a_while(playing, 90)
        answers += [
            told_at_console(playing, Undo(reason="too early")),
            told_at_console(playing, Report(code="misdeal", seat=3)),
        ]
        playing.do(deeds.Restart(), 1)
        while table.match.deal is None or table.clock.now() < 60:
            playing.poll()
        answers.append(told_at_console(playing, VoidDeal(reason="a card fell down")))
        for_a_while(playing, 1500)
        assert answers == [True, True, True, False, True, True, True, True, True]
        text, record = playing.script.text(), table.loop.record()
        assert "director score 1 = 12 ; счёт с бумаги" in record
        assert "director void" in record
        assert text.count("\nconsole ") == len(answers)
        assert not [line for line in text.splitlines() if line.startswith("#")]
        assert played_again(text) == (told(table.heard), record)
        without = "\n".join(line for line in text.splitlines() if not line.startswith("console set-score side=1"))
        assert played_again(without)[1] != record


def told_at_console(playing: Playing, wanted: Instruction) -> bool:
    """Whether the table does what a director wants from beside it."""
    return playing.inside(lambda loop: loop.instruct(wanted, loop.latest, "7KQW-M3XA-9FTD-PH2C")).done


def test_the_headings_say_the_table() -> None:
    tables = (
        furnish("vazhushal", 6, "wipe", deal="scan-in", language="ru"),
        furnish("possession", 2, tracked=False, readers="none", names=("Ann", "Ben"), dealer=2),
        furnish("pepper", 3, options={"target": 50}, readers="centre", free=True, decks=2),
    )
    for table in tables:
        assert said_again(table) == table


def said_again(table: TableFile) -> TableFile:
    headings = script_headings(table)
    assert headings is not None
    return parse_script("\n".join(headings)).table


def test_a_table_that_headings_cannot_say_has_no_script() -> None:
    made = furnish("pepper", 4)
    assert made.deck is not None
    cards = {uid: card for uid, card in made.deck.cards.items() if card != Card("9C")}
    assert script_headings(made._replace(deck=made.deck._replace(cards=cards))) is None
