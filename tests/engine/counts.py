"""Counts of positions: how many sequences of legal actions there are from fixed deals, of one action, of two, …

`python -m tests.engine.counts` writes `counts.json` anew: new deals for games that have none, and all numbers.
"""

import json
import sys
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from every_game import GAMES, random_deal

from engine.answers import check_record
from engine.game import Game
from engine.match import Match, Standing, Table, begin, lay_table, legal
from engine.options import OptionValue
from engine.record import deal_lines, header_lines, read_record
from engine.referee import Referee

FILE = Path(__file__).with_name("counts.json")

MOST = 10_000
"""Sequences of one more action are counted while there are no more than this."""

CONCEALED: dict[str, dict[str, OptionValue]] = {"vazhushal": {"redeal": "off", "declare_all": False}}
"""Options for the deal with unseen hands, where a game has endless ways to use these."""


def count(match: Match, length: int, most: int = MOST) -> int:
    """How many sequences of so many legal actions begin here; one more than `most` stands for all numbers above."""
    found = 0
    for action in legal(match):
        if length == 1:
            found += 1
        else:
            state, _ = match.table.game.apply(match.deal, action)
            standing = Standing.RUNNING if state.outcome is None else Standing.BETWEEN
            found += count(match._replace(deal=state, standing=standing), length - 1, most - found)
        if found > most:
            return most + 1
    return found


def position(record: str) -> Match:
    """Where a record ends."""
    referee, answers = check_record(read_record(record))
    assert all(answer.ruling.refusal is None for answer in answers)
    return referee.match


def counts(record: str) -> list[int]:
    """The numbers for a record's last position, as far as they are small."""
    match, numbers = position(record), list[int]()
    while len(numbers) < 10 and 0 < (number := count(match, len(numbers) + 1)) <= MOST:
        numbers.append(number)
    return numbers


def positions(game: Game, rule_set: str) -> list[str]:
    """Two deals as records: one tracked, of which the table knows the stock too, and one of which it knows no hand."""
    records = []
    for knowledge in ("stock", "concealed"):
        random = Random(f"{game.name} {rule_set} {knowledge}")
        options = CONCEALED.get(game.name, {}) if knowledge == "concealed" else {}
        seats = random.choice(game.seats) if knowledge == "stock" else game.seats[0]
        table = lay_table(game, seats, rule_set, knowledge == "stock", options)
        records.append(_record(random, table, knowledge))
    return records


def _record(random: Random, table: Table, knowledge: str) -> str:
    while True:
        deal = random_deal(random, table, random.randint(1, table.seats), knowledge)
        referee = Referee(begin(table))
        assert referee.rule(deal).refusal is None
        if referee.match.standing is Standing.RUNNING:
            return "\n".join([*header_lines(table), *deal_lines(deal)]) + "\n"


def stored() -> list[dict[str, Any]]:
    """What the file holds: for each position its record, line by line, and the numbers."""
    entries: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else []
    return entries


def regenerated() -> list[dict[str, Any]]:
    """The positions of the file, and new ones for what it has none of, with the numbers of today."""
    known = stored()
    entries = []
    for game in GAMES:
        for rule_set in game.rule_sets:
            head = [f"game: {game.name}", f"rules: {rule_set}"]
            records = ["\n".join(entry["record"]) + "\n" for entry in known if entry["record"][:2] == head]
            entries += [
                {"record": record.splitlines(), "counts": counts(record)}
                for record in records or positions(game, rule_set)
            ]
    return entries


def main() -> None:
    """Write the file."""
    FILE.write_text(json.dumps(regenerated(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
