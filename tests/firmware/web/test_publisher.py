"""What the board is told: the table as everybody sees it, as it changes, and no more often."""

import json
from pathlib import Path

from at_table import BIDDEN, DEALT, HANDS, LED
from board_tables import block, history_of, table_of, watched

from engine.cards import Card
from engine.entries import SetHand, SetScore, Undo
from firmware.dialogs import Enter
from firmware.web_part import Reveal
from hal.events import Button

PLAYED = (
    *BIDDEN,
    *(f"{seat} play {card}" for trick in (
        ((1, "JS"), (2, "AC"), (3, "9S"), (4, "10S")), ((1, "AS"), (2, "KC"), (3, "9D"), (4, "JC")),
        ((1, "KS"), (2, "QC"), (3, "10D"), (4, "QH")), ((1, "QS"), (2, "AH"), (3, "9H"), (4, "JH")),
        ((1, "9C"), (2, "KH"), (3, "10H"), (4, "QD")), ((1, "10C"), (2, "AD"), (3, "JD"), (4, "KD")),
    ) for seat, card in trick),
)  # fmt: skip


def test_a_table_says_what_is_played_by_whom_and_how_it_stands(tmp_path: Path) -> None:
    with watched(tmp_path, LED, names=("Ann", "Ben", "Cleo", "Dan")) as (_, feed):
        told = table_of(feed)
    assert (told["version"], told["title"], told["standing"], told["deal"]) == (1, "Club", "running", 1)
    assert told["game"] == {"code": "pepper", "en": "Pepper", "ru": "Перец"}
    assert told["phase"] == {"code": "play", "en": "Play", "ru": "Розыгрыш"}
    assert [(one["name"], one["dealer"], one["turn"], one["cards"]) for one in told["seats"]] == [
        ("Ann", False, False, 5), ("Ben", False, True, 6), ("Cleo", False, False, 6), ("Dan", True, False, 6),
    ]  # fmt: skip
    assert told["sides"][0] == {"side": 1, "seats": [1, 3], "score": 0, "won": False}
    assert told["turn"] == [2]


def test_a_card_on_the_table_stands_in_the_trick_and_in_the_history(tmp_path: Path) -> None:
    with watched(tmp_path, BIDDEN) as (table, feed):
        table.tap(1, Card("9C"))
        assert block(feed, "trick")["plays"] == [{"seat": 1, "card": "9C"}]
        newest = history_of(feed)[-1]
        assert (newest["kind"], newest["seat"], newest["en"], newest["ru"]) == ("action", 1, "9♣", "9♣")
        table.tap(2, Card("QC"))
        assert history_of(feed)[-1]["ru"] == "Д♣"
    contract = block(feed, "auction")
    assert (contract["bidder"], contract["bid"]["code"], contract["trump"]["en"]) == (1, "4", "♠")


def test_no_card_of_a_hand_is_ever_told(tmp_path: Path) -> None:
    with watched(tmp_path, (DEALT,)) as (table, feed):
        table.choose(1, "4")
        for seat in (2, 3, 4):
            table.choose(seat, "pass")
        table.choose(1, "S")
        told = "".join(value for _, value in feed.published)
    assert table.match.deal is not None
    assert [card for hand in HANDS for card in hand.split() if f'"{card}"' in told] == []


def test_what_is_taken_back_is_gone_from_the_history(tmp_path: Path) -> None:
    with watched(tmp_path, (*LED, "2 play QC")) as (table, feed):
        assert [one["en"] for one in history_of(feed)][-2:] == ["9♣", "Q♣"]
        table.do(table.loop._enter(1, Enter((Undo(None),)), table.clock.now()))
        assert [one["en"] for one in history_of(feed)][-1] == "9♣"
        table.tap(2, Card("KC"))
        assert [one["en"] for one in history_of(feed)][-2:] == ["9♣", "K♣"]


def test_a_hand_that_is_corrected_is_not_told(tmp_path: Path) -> None:
    with watched(tmp_path, LED) as (table, feed):
        before, count = table_of(feed), len(history_of(feed))
        held = tuple(Card(card) for card in HANDS[2].split())
        table.do(table.loop._enter(1, Enter((SetHand(3, held),)), table.clock.now()))
        assert any("hand" in line for line in table.loop.lines[-1:])
        assert len(history_of(feed)) == count
        assert table_of(feed)["blocks"][1:] == before["blocks"][1:]


def test_a_ruling_on_the_score_is_told(tmp_path: Path) -> None:
    with watched(tmp_path, LED) as (table, feed):
        table.do(table.loop._enter(1, Enter((SetScore(2, 7),)), table.clock.now()))
        assert [side["score"] for side in table_of(feed)["sides"]] == [0, 7]
        assert (history_of(feed)[-1]["kind"], history_of(feed)[-1]["seat"]) == ("ruling", None)
        assert "7" in history_of(feed)[-1]["en"]


def test_an_irregularity_is_told_and_whether_it_is_signed(tmp_path: Path) -> None:
    with watched(tmp_path, LED) as (table, feed):
        table.tap(3, Card("9S"))
        (noted,) = table_of(feed)["irregularities"]
        assert (noted["code"], noted["seat"], noted["signed"]) == ("out-of-turn", 3, False)
        table.do(table.loop._enter(1, Enter((), notes=(("accepted", "out-of-turn: 3 play 9S"),)), 1.0))
        assert [one["signed"] for one in table_of(feed)["irregularities"]] == [True]


def test_a_deal_in_progress_is_told_by_its_numbers(tmp_path: Path) -> None:
    with watched(tmp_path) as (table, feed):
        assert table_of(feed)["standing"] == "before"
        table.tap("dealing", Card("9C"))
        dealing = table_of(feed)["dealing"]
    assert dealing == {"dealer": 4, "next": 2, "counts": [1, 0, 0, 0], "size": 6}
    assert not any('"9C"' in value for _, value in feed.published)


def test_nothing_is_published_where_nothing_changed_that_everybody_sees(tmp_path: Path) -> None:
    with watched(tmp_path, LED) as (table, feed):
        count = len(feed.published)
        table.hold(2, Button.RIGHT)
        table.release(2, Button.RIGHT)
        table.press(2, Button.LEFT, 3)
        table.wait(3.0)
        assert len(feed.published) == count


def test_hands_stay_hidden_after_the_deal_unless_the_table_says_otherwise(tmp_path: Path) -> None:
    thrown = (*LED, "director void")
    for reveal, seen in ((Reveal.NEVER, 0), (Reveal.AFTER_DEAL, 5)):
        folder = tmp_path / reveal.value
        folder.mkdir()
        with watched(folder, thrown, reveal) as (_, feed):
            assert len(block(feed, "hand")["cards"]) == seen


def test_a_running_deal_is_hidden_whatever_the_table_says(tmp_path: Path) -> None:
    with watched(tmp_path, LED, Reveal.AFTER_DEAL) as (_, feed):
        assert block(feed, "hand") == {"block": "hand", "seat": 1, "cards": [], "unknown": 5}


def test_points_of_a_deal_are_told_at_its_end(tmp_path: Path) -> None:
    with watched(tmp_path, PLAYED[:-1]) as (table, feed):
        table.tap(4, Card("KD"))
        told = table_of(feed)
        codes = [one["code"] for one in block(feed, "notices")["notices"]]
    assert told["standing"] == "between"
    assert "deal-scored" in codes
    assert [side["score"] for side in told["sides"]] == list(table.match.scores)
    assert json.loads(feed.newest(["history"])["history"])["match"] == 1
