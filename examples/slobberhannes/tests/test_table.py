"""Slobberhannes at a simulated table: with buttons, and with cards that are shown to readers."""

from engine.answers import check_record
from engine.cards import Card
from engine.record import read_record

HANDS = (
    "QC 8D 9D 10D 7H 8H 9H 9S 10S JS",
    "AC KC 9C JD QD KD 10H JH QH 8S",
    "8C 10C JC 7D AD KH AH QS KS AS",
)


def test_a_trick_by_buttons(simulated_table):
    table = simulated_table("slobberhannes", seats=3, dealer=3)
    table.deal([[Card(word) for word in hand.split()] for hand in HANDS])
    for seat, card in [(1, "QC"), (2, "AC"), (3, "8C")]:
        table.choose(seat, Card(card))
    said = [(notice.code, dict(notice.facts).get("what")) for notice in table.match.notices]
    assert said == [("trick-won", None), ("forfeit", "first-trick"), ("forfeit", "queen")]
    assert table.loop.lines[-3:] == ["1 play QC", "2 play AC", "3 play 8C"]


def test_what_the_table_writes_is_a_record(simulated_table):
    table = simulated_table("slobberhannes", seats=3, tracked=False, readers="centre", dealer=1)
    table.choose(1, "dealt")
    for card in ("7H", "9D", "KH"):
        table.tap("centre", Card(card))
    referee, answers = check_record(read_record(table.loop.record()))
    assert [answer.ruling.refusal for answer in answers] == [None] * 4
    assert referee.match.deal.winners == (1,)
    assert referee.match.notices == table.match.notices
