"""What every server refuses, whatever it offers: by whom a request comes, from where, how large, and in which form."""

import asyncio
import contextlib
import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import aiohttp
import pytest
from aiohttp import web

from firmware.web import server as serving
from firmware.web.complaints import FEW, WHILE, Complaints
from firmware.web.connections import Connections
from firmware.web.feed import Feed
from firmware.web.guard import LARGEST, is_own
from firmware.web.server import API, Server, Site
from firmware.web_address import Address


async def echo(request: web.Request) -> web.Response:
    """What a page could do here: something with a body."""
    return web.json_response({"read": len(await request.read())})


async def broken(request: web.Request) -> web.Response:
    """A mistake of the program."""
    raise ValueError("secret words")


@contextmanager
def served(feed: Feed, topics: tuple[str, ...] = ("table",)) -> Iterator[Server]:
    site = Site({"/": "table.html"}, (web.post(f"{API}/echo", echo), web.get(f"{API}/broken", broken)), topics)
    server = Server(site, feed, Address("127.0.0.1", 0))
    try:
        yield server
    finally:
        server.close()


@pytest.fixture(scope="module")
def one() -> Iterator[Server]:
    with served(Feed()) as server:
        yield server


def raw(server: Server, text: str, patience: float = 20) -> bytes:
    """What comes back for these very bytes: one answer, or nothing within so many seconds."""
    with closing(socket.create_connection(("127.0.0.1", server.address.port), timeout=patience)) as connection:
        answer = b""
        with contextlib.suppress(ConnectionError, TimeoutError):
            connection.sendall(text.encode("latin-1"))
            while not _is_whole(answer) and (chunk := connection.recv(65536)):
                answer += chunk
        return answer


def _is_whole(answer: bytes) -> bool:
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head.lower())
    return bool(end) and length is not None and len(body) >= int(length[1])


def request(server: Server, method: str = "GET", path: str = "/", body: str = "", **headers: str) -> tuple[int, bytes]:
    """The status and all of the answer to a request with these headers, `Content_Type` for Content-Type."""
    given = {"Host": f"127.0.0.1:{server.address.port}", "Connection": "close", "Content-Length": str(len(body))}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in given.items()), "", body]
    answer = raw(server, "\r\n".join(lines))
    return int(answer.split(maxsplit=2)[1]) if answer else 0, answer


# For whom it is


@pytest.mark.parametrize(("host", "own"), [
    ("127.0.0.1", True), ("127.0.0.1:8042", True), ("[::1]:8042", True), ("192.168.1.7", True), ("localhost:1", True),
    ("evil.example", False), ("localhost.evil.example", False), ("127.0.0.1.evil.example", False), ("", False),
    ("evil.example:8042", False), ("[::1", False), ("127.0.0.1@evil.example", False), ("2130706433", False),
])  # fmt: skip
def test_a_server_answers_to_its_address_and_its_own_names(host: str, own: bool) -> None:
    assert is_own(host, {"localhost"}) == own


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "evil.example:80", ""])
def test_another_host_is_refused_everywhere(one: Server, host: str) -> None:
    for path in ("/", "/static/base.js", f"{API}/texts/en", f"{API}/live", "/nowhere"):
        assert request(one, "GET", path, Host=host)[0] in (400, 421)


@pytest.mark.parametrize("origin", [
    "http://evil.example", "https://evil.example", "null", "file://", "http://127.0.0.1:1", "http://127.0.0.1",
    "http://localhost.evil.example", "chrome-extension://abc", "", "http://[",
])  # fmt: skip
def test_another_origin_is_refused_for_reading_writing_and_following(one: Server, origin: str) -> None:
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Version": "13",
               "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ=="}  # fmt: skip
    assert request(one, "GET", f"{API}/texts/en", Origin=origin)[0] == 403
    assert request(one, "POST", f"{API}/echo", "{}", Origin=origin)[0] == 403
    assert request(one, "GET", f"{API}/live", Origin=origin, **upgrade)[0] == 403


@pytest.mark.parametrize(("site", "status"), [
    ("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200), ("nonsense", 403),
])  # fmt: skip
def test_a_page_of_another_site_is_refused(one: Server, site: str, status: int) -> None:
    assert request(one, "POST", f"{API}/echo", "{}", Sec_Fetch_Site=site)[0] == status


def test_an_own_page_and_a_program_are_let_pass(one: Server) -> None:
    assert request(one, "POST", f"{API}/echo", "{}", Origin=f"http://127.0.0.1:{one.address.port}")[0] == 200
    assert request(one, "POST", f"{API}/echo", "{}")[0] == 200


# What every answer says


@pytest.mark.parametrize(("method", "path"), [
    ("GET", "/"), ("GET", "/static/base.js"), ("GET", f"{API}/texts/en"), ("GET", "/nowhere"), ("POST", "/"),
    ("GET", f"{API}/broken"),
])  # fmt: skip
def test_every_answer_says_what_a_page_may_do(one: Server, method: str, path: str) -> None:
    answer = request(one, method, path)[1].lower()
    assert b"content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'" in answer
    assert b"unsafe" not in answer.split(b"\r\n\r\n")[0]
    assert b"x-content-type-options: nosniff" in answer
    assert b"frame-ancestors 'none'" in answer
    assert b"access-control-allow-origin" not in answer


def test_a_mistake_of_the_program_tells_nothing_of_itself(one: Server) -> None:
    status, answer = request(one, "GET", f"{API}/broken")
    assert status == 500
    assert b"secret" not in answer
    assert b"Traceback" not in answer


# What it is


@pytest.mark.parametrize(("method", "path", "status"), [
    ("GET", "/nowhere", 404), ("GET", "/api/v1/nowhere", 404), ("GET", "/api/v2/texts/en", 404), ("HEAD", "/", 200),
    ("OPTIONS", "/", 405), ("TRACE", "/", 405), ("DELETE", "/", 405), ("PUT", f"{API}/texts/en", 405),
    ("GET", f"{API}/echo", 405), ("GET", f"{API}/texts/de", 404), ("GET", f"{API}/texts/../../etc", 404),
    ("CONNECT", "/", 404), ("BREW", "/", 405), ("GET", f"{API}/live", 400),
])  # fmt: skip
def test_what_is_not_offered_is_refused(one: Server, method: str, path: str, status: int) -> None:
    assert request(one, method, path)[0] in (status, 400, 421)
    assert method != "HEAD" or request(one, method, path)[0] == 200


@pytest.mark.parametrize("path", [
    "/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/server.py", "/static/..\\server.py",
    "/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static/base.js%00.css", "/static/.", "/static/", "/static",
    "/static/base.js/", "/static/BASE.JS", "/static/base.py", "/static/..;/server.py", "/static/base.js\u00ff",
    "/static/%c0%ae%c0%ae/server.py", "//static/../../etc/passwd", "/static/" + "a" * 4000,
])  # fmt: skip
def test_no_path_leads_out_of_the_files_of_the_pages(one: Server, path: str) -> None:
    status, answer = request(one, "GET", path)
    assert status in (0, 400, 404)
    assert b"root:" not in answer
    assert b"import" not in answer


@pytest.mark.few(2)
@pytest.mark.parametrize("text", [
    "GET / HTTP/1.1\r\n\r\n", "GET /\r\n\r\n", "\r\n\r\n", "\0" * 100, "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    "POST /api/v1/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "POST /api/v1/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nX" + "y" * 20000 + ": 1\r\n\r\n",
    "GET /?" + "q" * 20000 + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
])  # fmt: skip
def test_what_is_no_proper_request_is_none(one: Server, text: str, capfd: pytest.CaptureFixture[str]) -> None:
    answer = raw(one, text, patience=1)
    if answer:
        head, _, said = answer.partition(b"\r\n\r\n")
        assert int(answer.split(maxsplit=2)[1]) >= 400
        assert {*json.loads(said)} == {"error"}
        assert b"content-security-policy: default-src 'none'" in head.lower()
        assert b"nosniff" in head
    assert request(one)[0] == 200  # and the server lives
    assert len(capfd.readouterr().err.splitlines()) <= 1


def test_whoever_asks_for_nonsense_again_and_again_fills_no_log(capfd: pytest.CaptureFixture[str]) -> None:
    with served(Feed()) as server:
        for _ in range(30):
            raw(server, "GET / HTTP/9.9\r\nHost: localhost\r\n\r\n")
            request(server, "GET", f"{API}/broken")
        raw(server, f"GET {API}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Sec-WebSocket-Protocol: {'x' * 500}\r\n\r\n", patience=0.5)  # fmt: skip
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == FEW
    assert "Traceback" not in lines
    assert "127.0.0.1: BadStatusLine" in lines


def test_lines_that_were_left_out_are_counted() -> None:
    now, said = [0.0], list[str]()
    complaints = Complaints(lambda: now[0], said.append)
    for number in range(FEW + 3):
        complaints.say(f"{number}\n{number}")
    assert said == [f"{number} {number}" for number in range(FEW)]
    now[0] = WHILE
    complaints.say("again")
    assert said[FEW:] == ["3 more lines of this kind were left out", "again"]


def test_nothing_of_a_request_comes_back_in_a_header(one: Server) -> None:
    _, answer = request(one, "GET", "/nowhere%0d%0aSet-Cookie:%20a=b?x=%0d%0aY:%20z")
    assert b"set-cookie" not in answer.lower()


# How large


def test_a_body_has_a_largest_size_whether_or_not_it_says_its_own(one: Server) -> None:
    assert request(one, "POST", f"{API}/echo", "x" * LARGEST)[0] == 200
    assert request(one, "POST", f"{API}/echo", "x" * (LARGEST + 1))[0] == 413
    head = f"POST {API}/echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    chunk = "8000\r\n" + "x" * 0x8000 + "\r\n"
    answer = raw(one, head + chunk * 4 + "0\r\n\r\n")
    assert not answer or answer.split(maxsplit=2)[1] == b"413"


def live(server: Server) -> str:
    return f"http://127.0.0.1:{server.address.port}{API}/live"


def test_a_message_has_a_largest_size(one: Server) -> None:
    async def play() -> aiohttp.WSMsgType:
        async with asyncio.timeout(20), aiohttp.ClientSession() as client, client.ws_connect(live(one)) as line:
            await line.send_str("x" * (LARGEST + 1))
            return (await line.receive()).type

    assert asyncio.run(play()) in (aiohttp.WSMsgType.CLOSE, aiohttp.WSMsgType.CLOSED)


@pytest.mark.few(2)
@pytest.mark.parametrize("sent", ["{", "[]", "\0", '{"a":', "[" * 10000])
def test_what_is_said_on_a_public_line_does_nothing(sent: str) -> None:
    feed = Feed()
    feed.publish("table", "1")
    feed.publish("journal-en", "2")

    async def play(server: Server) -> list[object]:
        async with asyncio.timeout(20), aiohttp.ClientSession() as client, client.ws_connect(live(server)) as line:
            first = json.loads((await line.receive()).data)
            await line.send_str(sent)
            feed.publish("journal-en", "3")
            feed.publish("table", "4")
            return [first, json.loads((await line.receive()).data)]

    with served(feed) as server:
        assert asyncio.run(play(server)) == [{"table": 1}, {"table": 4}]


def test_there_are_never_too_many_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(serving.PLACES, "public", (3, 3))

    async def play(server: Server) -> int:
        async with asyncio.timeout(20), aiohttp.ClientSession() as client:
            open_lines = [await client.ws_connect(live(server)) for _ in range(3)]
            try:
                await client.ws_connect(live(server))
            except aiohttp.WSServerHandshakeError as error:
                status = error.status
            await open_lines[0].close()
            again = await client.ws_connect(live(server))
            for line in (*open_lines, again):
                await line.close()
            return status

    with served(Feed()) as server:
        assert asyncio.run(play(server)) == 503


def test_one_address_cannot_have_all_lines_of_a_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(serving.PLACES, "public", (3, 2))
    clients = serving.Clients()
    with ExitStack() as pages:
        wanted = [("public", 1), ("public", 1), ("public", 1), ("public", 2), ("public", 3), ("director", 1)]
        found = [pages.enter_context(clients.place(kind, f"10.0.0.{one}")) for kind, one in wanted]
        assert found == [True, True, False, True, False, True]
    with clients.place("public", "10.0.0.1") as again:
        assert again


def test_one_address_cannot_have_all_connections() -> None:
    connections = Connections(3, 2)
    assert [connections.enter("a"), connections.enter("a"), connections.enter("a")] == [True, True, False]
    assert [connections.enter("b"), connections.enter("c")] == [True, False]
    connections.leave("a")
    assert connections.enter("c")


def test_a_connection_too_many_is_told_so_and_a_place_comes_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connections.__init__, "__defaults__", (2, 2))
    with served(Feed()) as server:
        address = ("127.0.0.1", server.address.port)
        with closing(socket.create_connection(address)), closing(socket.create_connection(address)):
            status, answer = request(server)
            assert status == 503
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"].startswith("too many connections")
        for _ in range(100):
            if request(server)[0] == 200:
                break
        else:
            raise AssertionError("no place comes free")


# Slow and dead


def followed_and_not_read(server: Server) -> socket.socket:
    """A client that asks for the table's topics and reads nothing that comes."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", server.address.port))
    connection.sendall(
        f"GET {API}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".encode()
    )
    return connection


def test_a_client_that_never_reads_costs_no_memory_and_no_time() -> None:
    """What is newer takes the place of what was not sent: publishing costs the same, and little is kept."""
    import tracemalloc

    feed, text = Feed(), json.dumps("x" * 200_000)
    with served(feed) as server, closing(followed_and_not_read(server)):
        time.sleep(0.3)
        tracemalloc.start()
        longest = 0.0
        for number in range(400):
            start = time.thread_time()
            feed.publish("table", f"[{number}, {text}]")
            longest = max(longest, time.thread_time() - start)
            time.sleep(0.002)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert request(server)[0] == 200
    assert longest < 0.02
    assert peak < 8_000_000  # of 80 MB that were published


def test_a_dead_client_is_dropped_after_the_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "ALIVE", 0.3)
    feed = Feed()
    with served(feed) as server, closing(followed_and_not_read(server)) as connection:
        end = time.monotonic() + 10
        data = b""
        while time.monotonic() < end:  # it reads, but answers no ping: dead for all that can be told
            chunk = connection.recv(4096)
            data += chunk
            if not chunk:
                break
        assert data.startswith(b"HTTP/1.1 101")
        assert time.monotonic() < end
