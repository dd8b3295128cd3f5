"""Finished deals from the journal, step by step, and what a journal tells to everybody who asks."""

from pathlib import Path

import pytest
from at_table import BIDDEN, HANDS, LED, seated, write_journal
from test_publisher import PLAYED

from benchmarks.rulings import random_record, tables
from engine.answers import check_record
from engine.cards import Card
from engine.game import games
from engine.record import read_record
from firmware.furnish import furnish
from firmware.journal_reading import Kept
from firmware.web import archive as archived
from firmware.web.archive import Archive
from firmware.web.past import Deal, deals_of, replay_values
from firmware.web_part import Reveal

HEADER = "game: pepper\nrules: standard\nseats: 4\nhands: tracked\nnames: Ann, Ben, Cleo, Dan"


def kept(*texts: str, header: str = HEADER) -> Kept:
    return Kept(1, header, 0.0, texts, (0.0,) * len(texts))


def test_a_deal_has_a_step_for_each_entry_with_what_everybody_saw_then() -> None:
    match = kept(*PLAYED)
    (deal,) = deals_of(match)
    told = replay_values(match, deal, Reveal.NEVER)
    assert (told["match"], told["deal"], told["dealer"]) == (1, 1, 4)
    assert told["points"] == list(deal.after.scores)
    assert [one["kind"] for one in told["steps"]][:2] == ["deal", "action"]
    assert len(told["steps"]) == len(PLAYED)
    lead = told["steps"][len(BIDDEN)]
    trick = next(one for one in lead["blocks"] if one["block"] == "trick")
    assert trick["plays"] == [{"seat": 1, "card": "JS"}]
    assert [one["name"] for one in told["seats"]] == ["Ann", "Ben", "Cleo", "Dan"]


def test_hands_are_shown_in_a_replay_only_where_the_table_says_so() -> None:
    match = kept(*PLAYED)
    (deal,) = deals_of(match)
    for reveal, cards in ((Reveal.NEVER, 0), (Reveal.AFTER_DEAL, 6)):
        first = replay_values(match, deal, reveal)["steps"][0]
        hands = [one for one in first["blocks"] if one["block"] == "hand"]
        assert [len(one["cards"]) for one in hands] == [cards] * 4
        assert len(HANDS[0].split()) == 6


def test_what_was_taken_back_is_no_step() -> None:
    match = kept(*PLAYED[:-1], "4 undo", *PLAYED[-2:])
    (deal,) = deals_of(match)
    assert len(replay_values(match, deal, Reveal.NEVER)["steps"]) == len(PLAYED)


def test_a_match_without_a_deal_has_none() -> None:
    assert deals_of(kept()) == []
    assert deals_of(kept("# setup-corrected: scores: 7 0")) == []


def test_a_match_that_the_engine_fails_at_is_told_once_and_takes_no_other_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(match: Kept) -> list[Deal]:
        if match.number == 1:
            raise KeyError("seat")
        return deals_of(match)

    file, journal = furnish("pepper", 4), tmp_path / "journal.db"
    write_journal(journal, file, PLAYED)
    write_journal(journal, file, PLAYED)
    monkeypatch.setattr(archived, "deals_of", fails)
    archive = Archive(lambda: journal, Reveal.NEVER, lambda: 0.0)
    assert [(one["match"], one["deal"]) for one in archive.deals()] == [(2, 1)]
    assert archive.replay(1, 1) is None
    assert archive.replay(2, 1) is not None
    assert capsys.readouterr().err == "match 1 cannot be told: KeyError: 'seat'\n"


def test_a_deal_that_was_thrown_in_is_one_that_is_over_and_counts() -> None:
    deals = deals_of(kept(*LED, "director void", *LED))
    assert [(deal.number, deal.ended) for deal in deals] == [(1, True), (2, False)]


def test_a_match_that_cannot_be_read_has_no_deals() -> None:
    assert deals_of(kept("1 play AS")) == []
    assert deals_of(kept(*LED, "3 play 9S")) == []
    assert deals_of(kept(*LED, header="game: tarock\nseats: 4")) == []


@pytest.mark.parametrize("game", sorted(games()))
def test_the_deals_of_random_play_add_up_to_what_the_engine_says_of_it(game: str) -> None:
    record = random_record(next(tables(games()[game])), 300, seed=2)
    header, _, body = record.partition("\ndeal ")
    match = kept(f"deal {body}", header=header)
    deals = deals_of(match)
    assert deals
    for deal in deals:
        told = replay_values(match, deal, Reveal.NEVER)
        assert [side["score"] for side in told["sides"]] == list(deal.after.scores)
        assert len(told["steps"]) == len(deal.entries)
    referee, answers = check_record(read_record(record))
    assert [answer.ruling.refusal for answer in answers if answer.ruling.refusal] == []
    assert deals[-1].after == referee.match


# The archive


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_the_list_is_read_anew_after_a_second_and_not_before(tmp_path: Path) -> None:
    clock = Clock()
    with seated(tmp_path, PLAYED[:-1]) as table:
        archive = Archive(lambda: table.journal_file, Reveal.NEVER, clock)
        assert archive.deals() == []
        table.tap(4, Card("KD"))
        assert archive.deals() == []
        clock.time = 2.0
        (listed,) = archive.deals()
        assert (listed["match"], listed["deal"], listed["steps"]) == (1, 1, len(PLAYED))
        told = archive.replay(1, 1)
        assert told is not None
        assert len(told["steps"]) == len(PLAYED)
        assert archive.replay(1, 2) is None
        assert archive.replay(2, 1) is None


def test_a_running_deal_cannot_be_replayed(tmp_path: Path) -> None:
    with seated(tmp_path, LED) as table:
        archive = Archive(lambda: table.journal_file, Reveal.AFTER_DEAL)
        assert archive.deals() == []
        assert archive.replay(1, 1) is None


def test_sessions_and_standings_are_those_of_the_history(tmp_path: Path) -> None:
    with seated(tmp_path, PLAYED, names=("Ann", "Ben", "Cleo", "Dan")) as table:
        archive = Archive(lambda: table.journal_file, Reveal.NEVER)
        (session,) = archive.sessions()
        assert [match["names"] for match in session["matches"]] == [["Ann", "Ben", "Cleo", "Dan"]]
        assert archive.standings() == {}
