"""The director's console: who is let in, rulings in two steps, and what directors follow."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import aiohttp
import pytest
from at_console import API, RULINGS, SESSION, Console, console

from firmware.tokens import new_token
from firmware.web.logins import FREE, IDLE, LONGEST_WAIT, MOST_SESSIONS


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    with console(tmp_path_factory.mktemp("console")) as made:
        yield made


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """One of which a test changes who is let in."""
    with console(tmp_path_factory.mktemp("console")) as made:
        yield made


BEHIND = [
    ("DELETE", SESSION), ("GET", f"{API}/director/files"), ("GET", f"{API}/director/files/backup.zip"),
    ("POST", f"{API}/director/restore"), ("GET", f"{API}/director/live"), ("POST", RULINGS),
    ("GET", f"{API}/director/journal"),
]  # fmt: skip


# Who is let in


@pytest.mark.parametrize(("method", "path"), BEHIND)
def test_nothing_is_told_to_who_is_not_logged_in(one: Console, method: str, path: str) -> None:
    headers = {"X-Tableref": "1"}
    assert one.send(method, path, None, headers).status == 401
    assert one.send(method, path, None, {**headers, "Cookie": "director=guessed"}).status == 401
    assert one.send(method, path, None, {**headers, "Authorization": "Basic YTpi"}).status == 401
    assert one.send(method, path, None, {**headers, "Authorization": f"Bearer {'A' * 5000}"}).status == 401


def test_a_token_is_given_in_for_a_cookie_that_no_script_and_no_other_site_has(one: Console) -> None:
    reply = one.send("POST", SESSION, {"token": one.token.lower().replace("-", " ")})
    assert reply.status == 200
    cookie = reply.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict", "Path=/api/v1/director"} <= {*cookie.split("; ")}
    assert one.token not in cookie
    assert one.send("GET", SESSION, None, one.log_in()).json == {"director": True}


def test_who_logs_out_is_out(one: Console) -> None:
    headers = one.log_in()
    assert one.send("DELETE", SESSION, None, {**headers, "X-Tableref": "1"}).status == 200
    assert not one.send("GET", SESSION, None, headers).json["director"]


def test_a_session_that_is_not_used_ends(one: Console) -> None:
    headers = one.log_in()
    one.hand.time += IDLE - 1
    assert one.send("GET", SESSION, None, headers).json["director"]
    one.hand.time += IDLE + 1
    assert not one.send("GET", SESSION, None, headers).json["director"]


def test_the_oldest_session_makes_room(one: Console) -> None:
    first = one.log_in()
    for _ in range(MOST_SESSIONS):
        last = one.log_in()
    assert not one.send("GET", SESSION, None, first).json["director"]
    assert one.send("GET", SESSION, None, last).json["director"]


def test_a_program_sends_the_token_itself(one: Console) -> None:
    assert one.send("GET", SESSION, None, one.bearer).status == 200


def test_the_token_is_made_once_and_the_journal_holds_no_more_than_its_hash(own: Console) -> None:
    from firmware.web.console_routes import open_console

    assert open_console(own.played) == ""
    kept = own.played.act(lambda bench: bench.table.loop.settings.get("director-token")).result()
    assert kept.startswith("scrypt:")
    assert own.token.replace("-", "") not in own.played.act(
        lambda bench: bench.table.journal_file.read_bytes()
    ).result().decode("latin-1")


def test_a_new_token_that_was_made_at_a_place_ends_the_old_one_and_its_sessions(own: Console) -> None:
    headers, token = own.log_in(), new_token()

    def make(bench: Any) -> None:
        bench.table.loop.new_token = lambda: token
        bench.table.choose(1, "go-on")  # the token of the start
        from hal.events import Button

        bench.table.hold(2, Button.LEFT)
        bench.table.release(2, Button.LEFT)
        for choice in ("director", "web-token", "make-token"):
            bench.table.choose(2, choice)

    own.played.act(make).result()
    assert own.send("GET", SESSION, None, own.bearer).status == 401
    assert not own.send("GET", SESSION, None, headers).json["director"]
    own.token = token
    assert own.send("GET", SESSION, None, own.log_in()).status == 200


# Guesses


@pytest.mark.long
def test_whoever_guesses_waits_longer_each_time_and_the_director_elsewhere_does_not(own: Console) -> None:
    for _ in range(FREE):
        assert own.send("POST", SESSION, {"token": new_token()}).status == 401
    waits = []
    for _ in range(9):
        reply = own.send("POST", SESSION, {"token": new_token()})
        if reply.status == 401:
            reply = own.send("POST", SESSION, {"token": own.token})  # the right one waits too
        assert reply.status == 429
        waits.append(int(reply.headers["Retry-After"]))
        own.hand.time += waits[-1]
    assert waits[:4] == [1, 2, 4, 8]
    assert max(waits) == LONGEST_WAIT
    assert own.door.attempts.wait("192.0.2.7") == 0
    assert own.send("POST", SESSION, {"token": own.token}).status == 200


def test_who_was_let_in_is_not_kept_out_by_guesses_from_the_same_address(own: Console) -> None:
    headers = own.log_in()
    for _ in range(FREE + 2):
        last = own.send("POST", SESSION, {"token": new_token()})
    assert last.status == 429
    assert own.send("GET", SESSION, None, headers).status == 200
    assert own.send("GET", SESSION, None, own.bearer).status == 200
    assert own.send("POST", SESSION, {"token": own.token}).status == 200


@pytest.mark.few(1)
@pytest.mark.parametrize(("body", "status"), [
    (b"", 413), (b"{", 400), (b"[]", 400), (b"{}", 400), (b'{"token": 1}', 400), (b'{"token": "A", "more": 1}', 400),
    (b'{"token": "' + b"A" * 1000 + b'"}', 413), (b'{"token": "\\ud800"}', 401), (b"\xff\xfe", 400),
    (b"[" * 400, 400),
])  # fmt: skip
def test_what_is_no_token_lets_nobody_in(own: Console, body: bytes, status: int) -> None:
    assert own.send("POST", SESSION, body, {"Content-Type": "application/json"}).status == status


def test_a_form_of_another_page_can_send_nothing(one: Console) -> None:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert one.send("POST", SESSION, b"token=" + one.token.encode(), form).status == 415
    assert one.send("POST", RULINGS, b"{}", {**one.log_in(), "Content-Type": "text/plain"}).status == 415
    assert one.send("DELETE", SESSION, None, one.log_in()).status == 415


# Rulings


def test_a_ruling_is_looked_at_and_then_made(own: Console) -> None:
    told = {"kind": "set-score", "side": 1, "score": 12, "reason": "counted wrongly"}
    look = own.send("POST", RULINGS, {"step": "look", **told}, own.bearer)
    assert look.json["done"]
    assert look.json["changes"] == [["score:1+3", "0", "12"]]
    assert "12" in look.json["words"]
    assert own.lines()[-1] != "director score 1 = 12 ; counted wrongly"
    done = own.send("POST", RULINGS, {"step": "do", "state": look.json["state"], **told}, own.bearer)
    assert done.json == {"done": True}
    assert own.lines()[-1] == "director score 1 = 12 ; counted wrongly"


def test_play_goes_on_between_the_two_steps_and_only_what_conflicts_is_looked_at_anew(own: Console) -> None:
    score, turn = {"kind": "set-score", "side": 1, "score": 5}, {"kind": "set-turn", "seat": 3}
    looks = [own.send("POST", RULINGS, {"step": "look", **told}, own.bearer).json for told in (score, turn)]
    own.choose(1, "go-on")  # the token of the start
    own.choose(1, "so-it-is")
    own.choose(1, "4")
    states = [look["state"] for look in looks]
    assert own.send("POST", RULINGS, {"step": "do", "state": states[0], **score}, own.bearer).json == {"done": True}
    late = own.send("POST", RULINGS, {"step": "do", "state": states[1], **turn}, own.bearer)
    assert late.status == 409
    assert late.json["error"] == "changed"
    assert late.json["state"] != states[1]
    assert own.lines()[-1] == "director score 1 = 5"


def test_what_would_be_refused_is_said_by_the_look_and_refused_if_it_is_sent_all_the_same(one: Console) -> None:
    told = {"kind": "deal-anew"}
    look = one.send("POST", f"{RULINGS}?lang=ru", {"step": "look", **told}, one.bearer).json
    assert not look["done"]
    assert look["code"] == "not-asked"
    reply = one.send("POST", RULINGS, {"step": "do", "state": look["state"], **told}, one.bearer)
    assert (reply.status, reply.json["code"]) == (422, "not-asked")


@pytest.mark.few(5)
@pytest.mark.parametrize("body", [
    b"{", b"[]", b"null", b'{"step": "do"}', b'{"step": "look"}', b'{"step": "undo", "kind": "undo"}',
    b'{"step": "look", "kind": "undo", "place": 1}', b'{"step": "look", "kind": "console", "shown": true}',
    b'{"step": "do", "state": 5, "kind": "undo"}', b'{"step": "look", "kind": "set-name", "seat": 1, "name": "a\\n"}',
    b"[" * 2000,
])  # fmt: skip
def test_what_is_malformed_is_refused_with_words(one: Console, body: bytes) -> None:
    reply = one.send("POST", RULINGS, body, {**one.bearer, "Content-Type": "application/json"})
    assert reply.status == 400
    assert reply.json["error"]


def test_a_ruling_has_a_largest_size(one: Console) -> None:
    told = {"step": "look", "kind": "undo", "reason": "x" * 5000}
    assert one.send("POST", RULINGS, told, one.bearer).status == 413


def test_a_name_is_text_everywhere(own: Console) -> None:
    name = "<img src=x>"
    assert own.rule("set-name", seat=2, name=name).json == {"done": True}
    reply = own.send("GET", f"{API}/director/journal", None, own.bearer)
    assert reply.headers["Content-Type"].startswith("application/json")
    assert name in reply.json["lines"][-1]["words"]


# What directors follow


async def followed(one: Console, headers: dict[str, str], until: str, language: str = "en") -> dict[str, Any]:
    """What has come when a text is in it."""
    values: dict[str, Any] = {}
    url = f"http://127.0.0.1:{one.port}{API}/director/live?lang={language}"
    async with (
        asyncio.timeout(20),
        aiohttp.ClientSession() as client,
        client.ws_connect(url, headers=headers) as socket,
    ):
        while until not in json.dumps(values, ensure_ascii=False):
            values |= json.loads((await socket.receive()).data)
    return values


def test_directors_see_state_journal_and_devices_as_they_change(own: Console) -> None:
    headers = own.log_in()
    seen = asyncio.run(followed(own, headers, "health"))
    assert seen["console-en"]["scores"] == [0, 0]
    assert seen["console-en"]["choices"]["set-turn"]
    assert seen["health-en"]["devices"]
    assert {level for level, _ in seen["health-en"]["machine"]} <= {"ok", "note", "fail"}
    assert any("MB" in words for _, words in seen["health-en"]["machine"])
    own.rule("set-score", side=1, score=7, reason="a slip")
    seen = asyncio.run(followed(own, headers, "a slip"))
    assert seen["journal-en"]["lines"][-1]["by"] == "director"
    assert seen["console-en"]["scores"] == [7, 0]
    own.played.act(lambda bench: bench.table.wires.unplug_reader("seat 2 reader")).result()
    asyncio.run(followed(own, headers, '"lost": true', "ru"))


def test_no_card_of_a_hand_is_sent(own: Console) -> None:
    seen = asyncio.run(followed(own, own.log_in(), "journal-en"))
    text = json.dumps(seen)
    for card in ("JS", "AS", "9C", "10C", "J♠", "A♠", "9♣", "10♣"):
        assert card not in text


def test_a_session_that_ends_closes_what_it_follows(own: Console) -> None:
    async def play() -> bool:
        headers = own.log_in()
        url = f"http://127.0.0.1:{own.port}{API}/director/live"
        async with (
            asyncio.timeout(20),
            aiohttp.ClientSession() as client,
            client.ws_connect(url, headers=headers) as socket,
        ):
            await socket.receive()
            await asyncio.to_thread(own.send, "DELETE", SESSION, None, {**headers, "X-Tableref": "1"})
            while (await socket.receive()).type is aiohttp.WSMsgType.TEXT:
                pass
            return socket.closed

    assert asyncio.run(play())


@pytest.mark.long
def test_the_table_is_asked_nothing_while_nobody_follows(own: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []
    plain = own.played.do

    def counting(work: Any) -> Any:
        asked.append(work)
        return plain(work)

    monkeypatch.setattr(own.played, "do", counting)
    asyncio.run(asyncio.sleep(0.6))
    assert asked == []


# Files


def test_records_and_backup_are_listed_and_fetched_by_their_names(own: Console) -> None:
    listed = own.send("GET", f"{API}/director/files", None, own.bearer).json["files"]
    assert [one["name"] for one in listed] == ["backup.zip", "table.log", "match-1.ctr"]
    log = own.send("GET", f"{API}/director/files/table.log", None, own.bearer)
    assert log.headers["Content-Disposition"] == 'attachment; filename="table.log"'
    assert log.body.decode().splitlines()[0].endswith("match 1: pepper (standard), 4 seats")
    reply = own.send("GET", f"{API}/director/files/backup.zip", None, own.bearer)
    assert reply.body.startswith(b"PK")
    assert reply.headers["Content-Disposition"] == 'attachment; filename="backup.zip"'


def test_the_record_of_the_running_match_ends_before_the_deal_that_is_running(own: Console) -> None:
    own.rule("set-score", side=1, score=3)
    reply = own.send("GET", f"{API}/director/files/match-1.ctr", None, own.bearer)
    assert b"hand 1:" not in reply.body
    own.rule("void-match")
    reply = own.send("GET", f"{API}/director/files/match-1.ctr", None, own.bearer)
    assert b"hand 1:" in reply.body


@pytest.mark.few(5)
@pytest.mark.parametrize("name", [
    "..%2f..%2fetc%2fpasswd", "%2fetc%2fpasswd", "journal.db", "match-0.ctr", "match-1.ctr%00", "match-99.ctr",
    "capture-1.capture", "match-1.ctr/..", "%e2%80%ae", "match-99999999999999999999.ctr",
])  # fmt: skip
def test_no_other_file_can_be_named(one: Console, name: str) -> None:
    assert one.send("GET", f"{API}/director/files/{name}", None, one.bearer).status == 404


def test_a_backup_that_is_given_back_waits_for_the_next_start(own: Console) -> None:
    data = own.send("GET", f"{API}/director/files/backup.zip", None, own.bearer).body
    own.rule("set-score", side=1, score=3)
    headers = {**own.bearer, "Content-Type": "application/zip", "X-Tableref": "1"}
    assert own.send("POST", f"{API}/director/restore", data[:-10], headers).status == 422
    reply = own.send("POST", f"{API}/director/restore", data, headers)
    assert reply.status == 200, reply
    assert own.lines()[-1] == "director score 1 = 3"
    own.played.act(lambda bench: bench.table.restart()).result()
    assert own.lines()[-1] != "director score 1 = 3"


def test_a_backup_of_any_size_is_not_taken(own: Console) -> None:
    headers = {**own.bearer, "Content-Type": "application/zip", "X-Tableref": "1"}
    assert own.send("POST", f"{API}/director/restore", None, {**headers, "Content-Length": str(1 << 40)}).status == 413
    assert own.send("POST", f"{API}/director/restore", b"PK", {**own.bearer, "X-Tableref": "1"}).status == 415
