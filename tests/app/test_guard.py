"""The guard: other hosts and origins, tokens, sizes and floods, without a browser."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from pokerlab.app.guard import MOST_BODY, MOST_MESSAGE, SOCKETS, TOKEN, VISITOR, Bucket, Guard

HOST = "127.0.0.1:8770"
SECRET = b"of this server"


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answers every request with the visitor, and every message of a socket with its size."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": str(len(message["text"]))})
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": scope["visitor"].encode()})


COOKIE, SECOND, THIRD = (Guard(application, hosts=frozenset(), secret=SECRET).new_cookie() for _ in range(3))


def ask(
    guard: Guard,
    path: str = "/",
    *,
    method: str = "GET",
    kind: str = "http",
    messages: list[dict[str, Any]] | None = None,
    query: str = "",
    **headers: str,
) -> list[dict[str, Any]]:
    """What a request is answered with."""
    named = {"host": HOST} | {name.replace("_", "-"): value for name, value in headers.items()}
    scope = {"type": kind, "path": path, "method": method, "query_string": query.encode(), "client": ("1.2.3.4", 5)}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in named.items()]
    coming = iter(messages or [{"type": "http.request", "body": b""}])
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return next(coming, {"type": "websocket.disconnect"})

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    asyncio.run(guard(scope, receive, send))
    return sent


def status(answer: list[dict[str, Any]]) -> int:
    return int(answer[0].get("status", answer[0].get("code", 0)))


@pytest.fixture
def guard() -> Guard:
    return Guard(application, hosts=frozenset({HOST}), secret=SECRET)


def test_other_hosts_origins_and_methods_are_refused(guard: Guard) -> None:
    cookie = f"{VISITOR}={COOKIE}"
    assert status(ask(guard, cookie=cookie, origin=f"http://{HOST}")) == 200
    assert status(ask(guard, host="evil.example", cookie=cookie)) == 403  # a name that resolves to this machine
    assert status(ask(guard, origin="http://evil.example", cookie=cookie)) == 403
    assert status(ask(guard, origin="null", cookie=cookie)) == 403
    assert status(ask(guard, sec_fetch_site="cross-site", sec_fetch_mode="no-cors", cookie=cookie)) == 403
    assert status(ask(guard, method="POST", sec_fetch_site="cross-site", cookie=cookie)) == 403
    assert status(ask(guard, method="DELETE", cookie=cookie)) == 403
    assert status(ask(guard, "/_nicegui_ws/socket.io/", cookie=cookie)) == 403  # polling
    opening = [{"type": "websocket.connect"}]
    socket = {"kind": "websocket", "messages": opening}
    assert ask(guard, **socket, cookie=cookie)[0]["type"] == "websocket.accept"
    for wrong in ({"origin": "http://evil.example"}, {"host": "evil.example"}):
        assert ask(guard, **socket, **{"cookie": cookie} | wrong)[0]["type"] == "websocket.close"
    assert ask(guard, **socket)[0]["type"] == "websocket.close"  # without a cookie


def test_visitors_get_their_own_cookie_and_folder(guard: Guard) -> None:
    first, second = (ask(guard) for _ in range(2))
    cookies = [dict(answer[0]["headers"])[b"set-cookie"].decode() for answer in (first, second)]
    assert all("HttpOnly; SameSite=Strict" in cookie for cookie in cookies)
    value = cookies[0].split(";")[0]
    again = ask(guard, cookie=value)
    assert b"set-cookie" not in dict(again[0]["headers"])
    assert again[1]["body"] == first[1]["body"] != second[1]["body"]
    assert value.partition("=")[2].encode() not in first[1]["body"]
    for made_up in ("v" * 43, f"{'v' * 43}.{'0' * 64}", f"{COOKIE}0", COOKIE[1:], f".{COOKIE}"):
        assert b"set-cookie" in dict(ask(guard, cookie=f"{VISITOR}={made_up}")[0]["headers"])
    policy = dict(again[0]["headers"])[b"content-security-policy"].decode()
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy


def test_another_address_needs_the_token() -> None:
    guard = Guard(application, hosts=frozenset(), secret=SECRET, token="secret")
    assert status(ask(guard)) == 401
    assert status(ask(guard, query="token=wrong")) == 401
    answer = ask(guard, "/spots", query="example=river&token=secret")
    headers = dict(answer[0]["headers"])
    assert (status(answer), headers[b"location"]) == (303, b"/spots?example=river")
    assert headers[b"set-cookie"].startswith(f"{TOKEN}=secret".encode())
    assert dict(ask(guard, "//evil.example", query="token=secret")[0]["headers"])[b"location"] == b"/evil.example"
    assert status(ask(guard, cookie=f"{TOKEN}=secret")) == 200
    assert status(ask(guard, cookie=f"{TOKEN}=secret", origin="http://evil.example")) == 403


def test_large_bodies_are_refused_also_without_their_length(guard: Guard) -> None:
    cookie = f"{VISITOR}={COOKIE}"
    assert status(ask(guard, method="POST", cookie=cookie, content_length=str(MOST_BODY + 1))) == 413
    assert status(ask(guard, method="POST", cookie=cookie, content_length="many")) == 413
    piece = {"type": "http.request", "body": b"x" * 700_000, "more_body": True}
    assert status(ask(guard, method="POST", cookie=cookie, messages=[piece] * 3)) == 413


def test_a_flood_slows_its_sender_alone(guard: Guard, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", note)
    flood = [{"type": "websocket.connect"}, *[{"type": "websocket.receive", "text": "2"}] * 2000]
    assert len(ask(guard, kind="websocket", messages=flood, cookie=f"{VISITOR}={COOKIE}")) == 2001
    assert len(waits) > 1000
    waits.clear()
    few = [{"type": "websocket.connect"}, *[{"type": "websocket.receive", "text": "2"}] * 50]
    assert len(ask(guard, kind="websocket", messages=few, cookie=f"{VISITOR}={SECOND}")) == 51
    assert not waits
    large = [{"type": "websocket.connect"}, {"type": "websocket.receive", "text": "x" * (MOST_MESSAGE + 1)}]
    assert len(ask(guard, kind="websocket", messages=large, cookie=f"{VISITOR}={THIRD}")) == 1  # cut off
    pages = [status(ask(guard, cookie=f"{VISITOR}={COOKIE}")) for _ in range(100)]
    assert pages[:20] == [200] * 20
    assert pages[-1] == 429
    assert status(ask(guard, cookie=f"{VISITOR}={SECOND}")) == 200
    strangers = [status(ask(guard)) for _ in range(500)]  # without cookies they share one budget
    assert strangers.count(200) < 100
    later = time.monotonic() + 1.0
    monkeypatch.setattr("pokerlab.app.guard.time.monotonic", lambda: later)
    assert status(ask(guard)) == 200  # those who were refused owe nothing


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "5x",
        "42",
        "42[",
        "42" + "[" * 100_000,
        '42["event"]',
        '42["event",null]',
        '42["event",{}]',
        '42["event",{"client_id":"a","id":"3","listener_id":"b"}]',
        '42["event",{"client_id":"a","id":3,"listener_id":"b","args":["{"]}]',
        '42["event",{"client_id":"a","id":3,"listener_id":"b","args":{}}]',
        '42["log",{"client_id":"a","level":"error","message":"x"}]',
        '42["nonsense",{}]',
        '45-1["event",{"_placeholder":true,"num":0}]',
    ],
)
def test_messages_that_no_page_sends_are_dropped(guard: Guard, text: str) -> None:
    messages = [{"type": "websocket.connect"}, {"type": "websocket.receive", "text": text}]
    messages += [{"type": "websocket.receive", "text": '42["ack",{"client_id":"a","next_message_id":3}]'}]
    answer = ask(guard, kind="websocket", messages=messages, cookie=f"{VISITOR}={COOKIE}")
    assert len(answer) == 2  # accepted, and the sound message answered


def test_a_bucket_refills(monkeypatch: pytest.MonkeyPatch) -> None:
    bucket = Bucket(rate=2.0, most=3.0)
    assert [bucket.take() for _ in range(3)] == pytest.approx([0, 0, 0], abs=1e-3)
    assert bucket.take() == pytest.approx(0.5, abs=0.01)
    bucket.seen -= 100
    assert bucket.take() == 0


def test_so_many_pages_of_a_visitor_are_open_at_once() -> None:
    async def opened(count: int, guard: Guard, leave: asyncio.Event) -> list[str]:
        """What happens first to each of some sockets, which then stay open until they are told to leave."""
        first: list[list[str]] = [[] for _ in range(count)]
        headers = [(b"host", HOST.encode()), (b"cookie", f"{VISITOR}={COOKIE}".encode())]
        scope = {"type": "websocket", "path": "/", "query_string": b"", "client": ("1.2.3.4", 5), "headers": headers}

        async def one(said: list[str]) -> None:
            async def receive() -> dict[str, Any]:
                return {"type": "websocket.connect"}

            async def send(message: dict[str, Any]) -> None:
                said.append(message["type"])

            await guard(scope, receive, send)

        open_ones = [asyncio.create_task(one(said)) for said in first]
        while not all(first):
            await asyncio.sleep(0)
        leave.set()
        await asyncio.gather(*open_ones)
        return [said[0] for said in first]

    async def visits() -> None:
        leave = asyncio.Event()

        async def patient(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "websocket.accept"})
            await leave.wait()

        guard = Guard(patient, hosts=frozenset({HOST}), secret=SECRET)
        for _ in range(2):  # those that were closed do not count
            leave.clear()
            answers = await opened(SOCKETS + 2, guard, leave)
            assert answers == ["websocket.accept"] * SOCKETS + ["websocket.close"] * 2

    asyncio.run(asyncio.wait_for(visits(), 30))
