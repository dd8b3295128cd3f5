"""A director beside the table: the same rulings as at a place, no seat is answered, and a replay rules so too."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from at_table import DEALT, HANDS, assert_record, pictures, seated, standing, write_journal

from engine.match import to_act
from firmware.capturing import heard_text
from firmware.decks import IN_USE
from firmware.furnish import furnish
from firmware.instructions import instruction_of, instruction_text
from firmware.loop import Answer
from firmware.replaying import Replay
from firmware.simulated import SimulatedTable
from firmware.tokens import TOKEN, hidden_token, is_token, new_token, spelled
from hal.capture import TABLE, read_capture
from hal.events import Button
from hal.sim.named_faults import At, Place


def instruct(table: SimulatedTable, kind: str, token: str = "", **facts: object) -> Answer:
    """What becomes of an instruction."""
    return instruct_by(table, {"kind": kind, **facts}, token)


def instruct_by(table: SimulatedTable, wanted: dict[str, object], token: str = "") -> Answer:
    answers: list[Answer] = []
    told = instruction_of(json.dumps(wanted))

    async def work() -> None:
        answers.append(await table.loop.instruct(told, table.loop.latest, token))

    table.do(work())
    return answers[0]


def said(answer: Answer) -> str:
    return answer.message.code if answer.message is not None else ""


# The rulings


def test_a_score_is_set_with_its_reason_and_every_display_shows_it(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        before = pictures(table)
        assert instruct(table, "set-score", side=1, score=12, reason="counted wrongly") == Answer(True)
        assert table.match.scores[0] == 12
        assert table.loop.lines[-1] == "director score 1 = 12 ; counted wrongly"
        table.wait(1)
        assert all(picture != before[seat] for seat, picture in pictures(table).items())
        assert [(heard.seat, heard_text(table.loop.table, heard)) for heard in table.heard] == [
            (0, "director score 1 = 12: ok")
        ]


RULED = [
    ({"kind": "undo"}, "director undo"),
    ({"kind": "set-turn", "seat": 3}, "director turn = 3"),
    ({"kind": "set-dealer", "seat": 2}, "director dealer = 2"),
    ({"kind": "set-name", "seat": 2, "name": "<b>Zoë</b>"}, "director name 2 = <b>Zoë</b>"),
    ({"kind": "void-deal"}, "director void"),
    ({"kind": "void-match"}, "director void match"),
    ({"kind": "set-hand", "seat": 1, "cards": HANDS[0].split()}, f"director hand 1: {HANDS[0]}"),
    ({"kind": "report", "code": "exposed-card", "seat": 2, "cards": ["9D"]}, "# exposed-card: seat 2 9D"),
    ({"kind": "report", "code": "wrong-count", "seat": 2, "count": 7}, "# wrong-count: seat 2 7"),
]


@pytest.mark.few(1)
@pytest.mark.parametrize(("told", "line"), RULED, ids=lambda told: told["kind"] if isinstance(told, dict) else "")
def test_each_ruling_stands_in_the_record_as_one_made_at_a_place(
    tmp_path: Path, told: dict[str, object], line: str
) -> None:
    with seated(tmp_path, [DEALT], tracked=False) as table:
        answer = instruct_by(table, told)
        assert answer == Answer(True), answer
        assert table.loop.lines[-1] == line


def test_what_is_irregular_is_signed_and_the_tables_own_by_its_text(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        instruct(table, "report", code="misdeal", seat=2)
        assert said(instruct(table, "sign", code="misdeal", text="seat 3")) == "not-asked"
        assert instruct(table, "sign", code="misdeal", text="seat 2", reason="agreed") == Answer(True)
        assert table.loop.lines[-1] == "# accepted: misdeal: seat 2 ; agreed"


REFUSED = [
    {"kind": "set-score", "side": 3, "score": 1},
    {"kind": "set-turn", "seat": 9},
    {"kind": "set-name", "seat": 9, "name": "Zoe"},
    {"kind": "set-hand", "seat": 1, "cards": ["9C"]},
    {"kind": "set-hand", "seat": 1, "cards": ["9C"] * 6},
    {"kind": "set-hand", "seat": 1, "cards": ["2C", "10C", "JC", "QC", "KC", "AC"]},
    {"kind": "sign", "code": "revoke"},
    {"kind": "report", "code": "tiredness", "seat": 1},
    {"kind": "deal-anew"},
    {"kind": "agree-for-all"},
    {"kind": "next-match"},
    {"kind": "setting", "key": "director-token", "value": "on"},
    {"kind": "setting", "key": "language", "value": "de"},
    {"kind": "setting", "key": "place:1:contrast", "value": "999"},
    {"kind": "use-deck", "deck": "/etc/passwd"},
    {"kind": "correct-setup", "rules": "none-such"},
    {"kind": "correct-setup", "option": "none-such", "value": "1"},
    {"kind": "correct-setup", "option": "target", "value": "-1"},
    {"kind": "correct-setup", "way": "by-post"},
]


@pytest.mark.few(1)
@pytest.mark.parametrize("told", REFUSED, ids=lambda told: "-".join(map(str, told.values()))[:40])
def test_what_cannot_be_ruled_is_refused_and_changes_nothing(tmp_path: Path, told: dict[str, object]) -> None:
    with seated(tmp_path, [DEALT], tracked=False) as table:
        before = standing(table)
        answer = instruct_by(table, told)
        assert not answer.done
        assert said(answer)
        assert standing(table) == before


MALFORMED = [
    "", "{}", "[]", '"undo"', '{"kind": "undo", "extra": 1}', '{"kind": "open-door"}',
    '{"kind": "set-score", "side": 1}',
    '{"kind": "set-score", "side": true, "score": 1}', '{"kind": "set-score", "side": 1, "score": 1e99}',
    '{"kind": "undo", "reason": "two\\nlines"}', '{"kind": "undo", "reason": "; director void match"}',
    '{"kind": "undo", "reason": "# accepted"}', '{"kind": "undo", "reason": "%s"}' % ("x" * 121),
    '{"kind": "set-name", "seat": 1, "name": "a;b"}', '{"kind": "set-name", "seat": 1, "name": ""}',
    '{"kind": "set-name", "seat": 1, "name": "a\\u0000b"}', '{"kind": "setting", "key": "../../x", "value": "1"}',
    '{"kind": "correct-setup"}', '{"kind": "correct-setup", "rules": "a", "way": "pad"}',
    '{"kind": "set-pin", "pin": "12"}',
    '{"kind": "set-hand", "seat": 1, "cards": ["9C\\n"]}', '{"kind": "report", "code": "x: y", "seat": 1}',
]  # fmt: skip


@pytest.mark.parametrize("text", MALFORMED)
def test_what_is_malformed_is_no_instruction(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        instruction_of(text)


@pytest.mark.parametrize("told", [told for told, _ in RULED], ids=lambda told: told["kind"])
def test_an_instruction_is_written_as_it_is_read(told: dict[str, object]) -> None:
    read = instruction_of(json.dumps(told))
    assert instruction_of(instruction_text(read)) == read


def test_a_slip_in_what_was_agreed_is_mended_until_a_deal_was_played(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        assert instruct(table, "correct-setup", option="target", value="99", reason="agreed") == Answer(True)
        assert dict(table.loop.table.options)["target"] == 99
        assert "agreed" in table.loop.lines[-1]


def test_settings_hold_at_once(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        assert instruct(table, "setting", key="place:2:left-handed", value="on").done
        assert table.loop.preferences.left_handed(2)
        assert instruct(table, "setting", key="language", value="ru").done
        assert table.loop.words.language == "ru"
        assert said(instruct(table, "use-deck", deck="deck")) == "not-asked"  # it is in use
        assert table.loop.settings.get(IN_USE) == ""


def test_cards_are_locked_and_unlocked(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        assert instruct(table, "lock", locked=True).done
        assert table.loop.seat_view(1).ask is not None
        assert table.loop.locked
        assert instruct(table, "lock", locked=False).done
        assert not table.loop.locked


def test_an_undo_for_which_all_are_asked_is_agreed_to_in_their_name(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT, "1 bid 4"]) as table:
        table.hold(2, Button.LEFT)
        table.release(2, Button.LEFT)
        table.choose(2, "undo")
        assert table.loop.shared is not None
        assert instruct(table, "agree-for-all").done
        assert table.loop.lines[-1] == "2 undo"


# At the seats


def test_no_seat_is_told_an_answer_and_half_given_input_stays_where_it_fits(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        seat = to_act(table.match)[0]
        table.press(seat, Button.RIGHT)
        instruct(table, "set-score", side=9, score=1)
        assert [table.loop.seat_view(place).message for place in table.loop.places] == [None] * 4
        assert table.loop.seat_view(seat).cursor is not None
        assert table.heard[-1].seat == 0


def test_a_ruling_that_cannot_be_saved_is_not_made(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        before = standing(table)
        table.disk.full = True
        answer = instruct(table, "set-score", side=1, score=12)
        table.disk.full = False
        assert said(answer) == "disk-full"
        assert standing(table) == before


# The token


def test_a_token_is_random_readable_and_taken_in_small_letters_too() -> None:
    tokens = {new_token() for _ in range(200)}
    assert len(tokens) == 200
    assert not {*"".join(tokens)} & {*"01IlO"}
    assert spelled("7kqw m3xa-9ftdph2c") == "7KQW-M3XA-9FTD-PH2C"


@pytest.mark.long
def test_a_new_token_is_kept_as_a_hash_and_stands_on_a_display_until_somebody_presses_there(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        token = new_token()
        instruct(table, "console", token, made=True, shown=True)
        kept = table.loop.settings.get(TOKEN)
        assert is_token(token, kept)
        assert not is_token(new_token(), kept)
        assert token.split("-")[0] not in kept
        table.wait(300)
        sheet = table.loop.seat_view(1).sheet
        assert sheet is not None
        assert sheet.typed == token
        assert table.loop.seat_view(2).sheet is None
        table.press(1, Button.OK)  # wakes the display
        table.press(1, Button.OK)
        assert table.loop.seat_view(1).sheet is None


def test_a_director_at_a_place_makes_a_new_token(tmp_path: Path) -> None:
    with seated(tmp_path, [DEALT]) as table:
        table.loop.new_token = lambda: "AAAA-BBBB-CCCC-DDDD"
        table.hold(2, Button.LEFT)
        table.release(2, Button.LEFT)
        for choice in ("director", "web-token", "make-token"):
            table.choose(2, choice)
        sheet = table.loop.seat_view(2).sheet
        assert sheet is not None
        assert sheet.typed == "AAAA-BBBB-CCCC-DDDD"
        assert is_token("aaaa bbbb cccc dddd", table.loop.settings.get(TOKEN))


# Captures


def replays(tmp_path: Path, play: Callable[[SimulatedTable], None], slow: bool = False) -> None:
    """What happens is captured, and ruled and said again by a replay."""
    file, journal, path = furnish("pepper", 4, dealer=4), tmp_path / "journal.db", tmp_path / "one.capture"
    write_journal(journal, file, [DEALT])
    with SimulatedTable(file, journal, capture=path) as table:
        for seat in (1, 2, 3, 4):
            table.press(seat, Button.OK)
        play(table)
        assert_record(table)
        captured = [heard_text(table.loop.table, heard) for heard in table.heard]
    outcome = Replay(read_capture(path)).run()
    assert outcome.difference is None
    assert outcome.same
    assert [said.text for said in outcome.replayed] == captured


def test_rulings_from_beside_the_table_are_made_again_by_a_replay(tmp_path: Path) -> None:
    def play(table: SimulatedTable) -> None:
        table.choose(1, "4")
        instruct(table, "set-score", side=2, score=-3, reason="a slip")
        table.choose(2, "pass")
        assert not instruct(table, "sign", code="revoke").done
        instruct(table, "undo")
        instruct(table, "set-name", seat=3, name="Zoë")
        table.wait(2)
        table.choose(2, "pass")

    replays(tmp_path, play)


@pytest.mark.long
def test_a_replay_knows_no_token_and_its_display_asks_for_the_same_press(tmp_path: Path) -> None:
    def play(table: SimulatedTable) -> None:
        table.loop.new_token = new_token
        instruct(table, "console", "7KQW-M3XA-9FTD-PH2C", made=True, shown=True)
        table.press(1, Button.OK)
        table.choose(1, "4")
        table.hold(2, Button.LEFT)
        table.release(2, Button.LEFT)
        table.choose(2, "director")
        table.choose(2, "web-token")
        table.choose(2, "make-token")
        table.choose(2, "go-on")
        table.choose(2, "leave-director")
        table.choose(2, "pass")

    replays(tmp_path, play)
    text = (tmp_path / "one.capture").read_text(encoding="utf-8")
    assert "7KQW" not in text
    told = [
        entry.data[1] for entry in read_capture(tmp_path / "one.capture").wires()[TABLE] if entry.kind == "instructed"
    ]
    assert told == ['{"kind":"console","made":true,"shown":true}']
    assert hidden_token() not in text


def test_a_ruling_waits_for_what_a_slow_disk_still_writes_and_is_replayed_so(tmp_path: Path) -> None:
    def play(table: SimulatedTable) -> None:
        table.faults.begin("slow-disk", Place(At.DISK), 0.5)
        table.choose(1, "4")
        assert instruct(table, "set-score", side=1, score=4).done
        table.wait(2)
        assert table.loop.lines[-2:] == ["1 bid 4", "director score 1 = 4"]

    replays(tmp_path, play)


def test_what_is_asked_of_the_table_finds_decided_what_came_before_it(tmp_path: Path) -> None:
    seen: list[str] = []
    with seated(tmp_path, [DEALT]) as table:
        table.faults.begin("slow-disk", Place(At.DISK), 0.5)
        table.choose(1, "4")

        async def look() -> None:
            seen.append(table.loop.lines[-1])

        table.do(look())
        table.wait(1)
    assert seen == ["1 bid 4"]
