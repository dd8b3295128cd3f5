"""Golden playthroughs: one long record of every rule set, each line with the answer beside it.

`python tests/engine/playthrough.py` plays new ones for rule sets that have none and writes the answers of all anew;
with `--new` all are played anew.
"""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from every_game import (
    GAMES,
    KNOWLEDGE,
    deal_until_running,
    entry_lines,
    mutations,
    pick,
    random_deal,
    random_ruling,
    some,
)

from engine.answers import Answer, check_record, notice_values
from engine.entries import Deal, Entry, SetScore, Undo
from engine.game import Game
from engine.match import Standing, Table, begin, lay_table
from engine.record import header_lines, read_record
from engine.referee import Referee
from engine.values import Notice

FOLDER = Path(__file__).with_name("playthroughs")

LINES = 150
"""About so many entries are in a playthrough."""

SHOWN = 40
"""Legal actions are counted to this number."""


def file_of(game: Game, rule_set: str) -> Path:
    """Where the playthrough of a rule set is."""
    return FOLDER / f"{game.name}-{rule_set}.txt"


def table_of(game: Game, rule_set: str) -> Table:
    """The table of a playthrough: tracked hands for the first rule set, concealed ones for the next, and so on."""
    number = list(game.rule_sets).index(rule_set)
    return lay_table(game, game.seats[(number + 1) % len(game.seats)], rule_set, number % 2 == 0)


def entries_of(random: Random, referee: Referee) -> Iterator[Entry]:
    """What is entered: legal and illegal actions, undo, lines of the director, deals; the same for the same seed."""
    table, line = referee.match.table, 0
    while True:
        line += 1
        match = referee.match
        chance = random.random()
        if match.standing is not Standing.RUNNING and chance < 0.9:
            if match.standing is Standing.OVER:  # a score that the director sets opens the match again
                highest = match.scores.index(max(match.scores))
                yield Undo(None) if match.voided else SetScore(table.sides[highest][0], 0)
                continue
            dealer = match.next_dealer if match.next_dealer and chance < 0.8 else random.randint(1, table.seats)
            yield random_deal(random, table, dealer, random.choice(KNOWLEDGE))
        elif chance < 0.07:
            yield Undo(random.choice([None, 1, 2]))
        elif chance < 0.17:
            yield random_ruling(random, match)
        elif actions := some(match):
            tried = mutations(random, match, actions, 3) if chance < 0.4 else []
            yield tried[0] if tried else pick(random, actions)


def play(game: Game, rule_set: str) -> str:
    """A record of a rule set, without answers."""
    table = table_of(game, rule_set)
    random = Random(f"{game.name} {rule_set}")
    referee = Referee(begin(table))
    deal_until_running(random, referee)
    lines = [*header_lines(table), *entry_lines(table, referee.accepted[-1][0])]
    for entry in islice(entries_of(random, referee), LINES):
        if isinstance(entry, Undo) and len(referee.accepted) == 1:
            continue  # no record has anything before its first deal
        referee.rule(entry, len(lines))
        lines += entry_lines(table, entry)
    return "".join(line + "\n" for line in lines)


def answered(text: str) -> str:
    """The record with the answer to each line behind it, in place of the comment there."""
    lines = [line.partition("#")[0].rstrip() for line in text.splitlines()]
    referee, answers = check_record(read_record(text))
    for answer in answers:
        lines[answer.line - 1] = f"{lines[answer.line - 1]:<40} # {_answer(referee, answer)}"
    return "".join(line + "\n" for line in lines)


def _answer(referee: Referee, answer: Answer) -> str:
    """The verdict with its facts, who is to act next, and how many actions are legal."""
    ruling = answer.ruling
    if ruling.refusal is not None:
        said = [
            f"refused {_facts(Notice(ruling.refusal.code, ruling.refusal.facts))} (rule {ruling.refusal.rule or '–'})"
        ]
    else:
        said = [" ".join(["ok", *map(_facts, ruling.notices)])]
    seats = " ".join(map(str, _to_act(referee)))
    count = sum(1 for _ in islice(referee.legal(), SHOWN + 1))
    said.append(f"to act: {seats or '–'}; legal: {count if count <= SHOWN else f'over {SHOWN}'}")
    if isinstance(ruling.entry, Deal) and ruling.refusal is None:
        said.append(f"scores: {' '.join(map(str, referee.match.scores))}")
    return "; ".join(said)


def _to_act(referee: Referee) -> tuple[int, ...]:
    match = referee.match
    return match.table.game.to_act(match.deal) if match.standing is Standing.RUNNING else ()


def _facts(notice: Notice) -> str:
    """A code with its facts."""
    values = notice_values(notice)
    facts = ", ".join(f"{name} {value}" for name, value in values.items() if name != "code")
    return f"{values['code']} [{facts}]" if facts else str(values["code"])


def main(anew: bool) -> None:
    """Write the files."""
    FOLDER.mkdir(exist_ok=True)
    for game in GAMES:
        for rule_set in game.rule_sets:
            file = file_of(game, rule_set)
            text = file.read_text(encoding="utf-8") if file.exists() and not anew else play(game, rule_set)
            file.write_text(answered(text), encoding="utf-8")


if __name__ == "__main__":
    main("--new" in sys.argv)
