"""Directors who send slowly, and others who are many: neither keeps a director from the table."""

import asyncio
import contextlib
import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import closing

import aiohttp
import pytest
from at_console import API, RULINGS, SESSION, Console, console
from test_every_get import everything

from firmware.web import guard
from firmware.web import server as serving

RESTORE, BACKUP = f"{API}/director/restore", f"{API}/director/files/backup.zip"


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    with console(tmp_path_factory.mktemp("console")) as made:
        yield made


def begun(table: Console, path: str, kind: str, length: int) -> socket.socket:
    """A request whose body has begun, and stands still."""
    connection = socket.create_connection(("127.0.0.1", table.port), timeout=20)
    connection.sendall(
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {table.token}\r\nX-Tableref: 1\r\n"
        f"Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n{{".encode()
    )
    return connection


def test_a_backup_can_be_fetched_while_another_one_comes_slowly(own: Console) -> None:
    headers = {**own.bearer, "X-Tableref": "1", "Content-Type": "application/zip"}
    for _ in range(50):
        with closing(begun(own, RESTORE, "application/zip", 1_000_000)):
            if own.send("POST", RESTORE, b"PK", headers).status == 503:
                assert own.send("GET", BACKUP, headers=own.bearer).status == 200
                break  # else this one was there before the slow one, which is sent away then
    else:
        raise AssertionError("nobody is told that another backup is coming")
    assert any(own.send("POST", RESTORE, b"PK", headers).status == 422 for _ in range(200))


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("path", "kind"), [(RESTORE, "application/zip"), (SESSION, "application/json"), (RULINGS, "application/json")]
)
def test_no_body_is_waited_for_for_ever(
    own: Console, path: str, kind: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(guard, "PATIENCE", 0.1)
    with closing(begun(own, path, kind, 300)) as connection:
        answer = b""
        with contextlib.suppress(TimeoutError):
            while b"}" not in answer and (chunk := connection.recv(4096)):
                answer += chunk
    assert answer.split()[1] == b"408"
    assert "error" in json.loads(answer.partition(b"\r\n\r\n")[2])
    assert capfd.readouterr().err == ""


def test_a_body_that_is_broken_off_is_no_line_in_the_log(own: Console, capfd: pytest.CaptureFixture[str]) -> None:
    for path, kind in ((RESTORE, "application/zip"), (SESSION, "application/json"), (RULINGS, "application/json")):
        begun(own, path, kind, 300).close()
    assert own.send("GET", BACKUP, headers=own.bearer).status == 200
    assert capfd.readouterr().err == ""


def test_those_who_look_on_leave_places_for_directors_and_for_the_page_that_plays(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(serving.PLACES, "public", (4, 3))

    async def play(table: Console) -> list[int]:
        async def status(path: str, headers: Mapping[str, str] = {}) -> int:
            try:
                await lines.enter_async_context(session.ws_connect(f"{API}{path}", headers=headers))
            except aiohttp.WSServerHandshakeError as error:
                return error.status
            return 101

        async with (
            asyncio.timeout(30), aiohttp.ClientSession(table.server.address.url) as session,
            contextlib.AsyncExitStack() as lines,
        ):  # fmt: skip
            found = [await status("/live") for _ in range(4)]
            return [*found, await status("/sim"), await status("/director/live?lang=en", table.bearer)]

    with everything(tmp_path_factory.mktemp("table")) as table:
        assert asyncio.run(play(table.console)) == [101, 101, 101, 503, 101, 101]


def test_who_leaves_or_says_too_much_is_no_line_in_the_log(
    tmp_path_factory: pytest.TempPathFactory, capfd: pytest.CaptureFixture[str]
) -> None:
    async def play(table: Console) -> None:
        async with asyncio.timeout(30), aiohttp.ClientSession(table.server.address.url) as session:
            async with session.ws_connect(f"{API}/sim") as line:
                await line.send_str("x" * 70_000)
                while (await line.receive()).type is aiohttp.WSMsgType.TEXT:
                    pass
            for number in range(20):
                left = await session.ws_connect(f"{API}/sim")
                await left.send_str('{"do": "sit", "seat": 1}')
                if number % 2:
                    left._response.connection.transport.abort()  # type: ignore[union-attr]
                else:
                    await left.close()

    with everything(tmp_path_factory.mktemp("table")) as table:
        asyncio.run(play(table.console))
        assert table.console.send("GET", "/").status == 200
    assert capfd.readouterr().err == ""
