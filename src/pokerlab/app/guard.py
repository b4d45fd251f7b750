"""Who may ask, and how much: hosts, origins, the token, a cookie for each visitor, and limits on bytes and messages.

Every request passes through `Guard` before any page sees it. Other sites cannot use a visitor's browser to reach the
server: a request must name the server's own host, and if it states an origin, that of the server. Each visitor has a
random cookie that this server signed, from which the folder of their jobs follows; nobody can name another's, or make
up visitors faster than the server lets them in. A visitor who sends too much is slowed down or refused, alone.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

VISITOR, TOKEN = "pokerlab_visitor", "pokerlab_token"
YEAR = 365 * 24 * 3600
MOST_BODY = 2_000_000  # bytes of an upload
MOST_MESSAGE = 300_000  # characters of one message from a browser
MOST_REQUESTS = 40  # of a visitor at the same time
BODY_SECONDS = 20.0  # to wait for the next piece of a body
SOCKETS = 24  # open tabs of a visitor
MOST_KNOWN = 5_000  # visitors whose use is remembered
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; "
    "form-action 'self'; base-uri 'none'; object-src 'none'"
)
PARTS: Mapping[str, Mapping[str, Any]] = {  # of the messages that a page sends, with their types
    "event": {"client_id": str, "id": int, "listener_id": str},
    "handshake": {"client_id": str, "tab_id": str, "document_id": str},
    "javascript_response": {"client_id": str, "request_id": str},
    "ack": {"client_id": str, "next_message_id": int},
}
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


@dataclass
class Bucket:
    """A budget that refills with time: `rate` a second, up to `most`."""

    rate: float
    most: float
    left: float = field(init=False)
    seen: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        self.left = self.most

    def take(self, amount: float = 1.0) -> float:
        """Take an amount, also beyond the budget; the seconds to wait until it is positive again."""
        self._refill()
        self.left -= amount
        return max(0.0, -self.left / self.rate)

    def allows(self, amount: float = 1.0) -> bool:
        """Take an amount if it is there; what is refused costs nothing."""
        self._refill()
        if self.left < amount:
            return False
        self.left -= amount
        return True

    def _refill(self) -> None:
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.seen) * self.rate)
        self.seen = now


@dataclass
class Use:
    """What a visitor uses."""

    requests: Bucket = field(default_factory=lambda: Bucket(rate=60, most=600))
    pages: Bucket = field(default_factory=lambda: Bucket(rate=4, most=60))
    messages: Bucket = field(default_factory=lambda: Bucket(rate=60, most=400))
    letters: Bucket = field(default_factory=lambda: Bucket(rate=200_000, most=2_000_000))
    sockets: int = 0
    open: int = 0  # requests that are not answered yet


class Guard:
    """An ASGI application around another one."""

    def __init__(self, app: Any, *, hosts: frozenset[str], secret: bytes, token: str = "") -> None:
        self.app, self.hosts, self.token, self._secret = app, hosts, token, secret
        self._use: OrderedDict[str, Use] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        cookies = _cookies(headers.get("cookie", ""))
        visitor = cookies.get(VISITOR, "")
        known = self._signed(visitor)
        refusal = self._refusal(scope, headers)
        if refusal:
            await _refuse(scope, receive, send, 403, refusal)
        elif self.token and not hmac.compare_digest(cookies.get(TOKEN, "").encode(), self.token.encode()):
            await self._ask_token(scope, receive, send)
        elif scope["type"] == "websocket":
            if known:
                await self._socket(scope, receive, send, self._used(visitor))
            else:
                await _refuse(scope, receive, send, 403, "open a page first: it sets the cookie that this needs")
        else:
            key = visitor if known else f"new {(scope.get('client') or ('',))[0]}"
            fresh = "" if known else self.new_cookie()
            await self._request(scope, receive, send, self._used(key), visitor=visitor if known else fresh, fresh=fresh)

    def new_cookie(self) -> str:
        """A cookie for a new visitor: random, and signed."""
        name = secrets.token_urlsafe(32)
        return f"{name}.{self._signature(name)}"

    def _signature(self, name: str) -> str:
        return hmac.digest(self._secret, name.encode(), "sha256").hex()

    def _signed(self, cookie: str) -> bool:
        name, _, signature = cookie.partition(".")
        return hmac.compare_digest(signature.encode(), self._signature(name).encode())

    # ---- refusals ----------------------------------------------------------------------------------------------------

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> str:
        """Why a request is refused from every visitor; empty if it is not."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self.token and host not in self.hosts:
            return "this address is not the server's own; open the address that `pokerlab serve` prints"
        if origin is not None and origin.partition("://")[2] != host:
            return "requests from other sites are refused"
        site, mode = headers.get("sec-fetch-site", "none"), headers.get("sec-fetch-mode", "navigate")
        if site not in ("none", "same-origin") and (mode != "navigate" or scope.get("method") not in ("GET", "HEAD")):
            return "requests from other sites are refused"
        if scope["type"] == "http":
            if scope["method"] not in ("GET", "HEAD", "POST"):
                return "only pages can be asked for"
            if scope["path"].startswith("/_nicegui_ws"):
                return "events come by a websocket"
            if scope["method"] == "POST" and headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return "requests from other sites are refused"
        return ""

    async def _ask_token(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take the token from the address into a cookie, or refuse."""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        given = query.pop("token", [""])[0]
        if scope["type"] != "http" or not hmac.compare_digest(given.encode(), self.token.encode()):
            await _refuse(
                scope, receive, send, 401, "this page needs the token that `pokerlab serve` printed: /?token=..."
            )
            return
        rest = urlencode(query, doseq=True)
        cookie = f"{TOKEN}={self.token}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict"
        location = scope["path"] + (f"?{rest}" if rest else "")
        headers = [(b"location", ("/" + location.lstrip("/")).encode()), (b"set-cookie", cookie.encode())]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    # ---- what passes -------------------------------------------------------------------------------------------------

    def _used(self, visitor: str) -> Use:
        use = self._use.pop(visitor, None) or Use()
        self._use[visitor] = use
        while len(self._use) > MOST_KNOWN:
            self._use.popitem(last=False)
        return use

    async def _request(self, scope: Scope, receive: Receive, send: Send, use: Use, *, visitor: str, fresh: str) -> None:
        """A request of a page or a file."""
        is_page = not scope["path"].startswith("/_nicegui")
        if use.open >= MOST_REQUESTS or not use.requests.allows() or (is_page and not use.pages.allows()):
            await _refuse(scope, receive, send, 429, "too many requests at once; wait a few seconds")
            return
        left, is_complete = MOST_BODY, False

        async def bounded() -> Message:
            nonlocal left, is_complete
            message = await asyncio.wait_for(receive(), None if is_complete else BODY_SECONDS)
            is_complete = not message.get("more_body")
            left -= len(message.get("body", b""))
            if left < 0:
                raise _TooMuch
            return message

        started = False

        async def protected(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = [(name, value) for name, value in message["headers"] if name not in dict(HEADERS)]
                if fresh and is_page:
                    cookie = f"{VISITOR}={fresh}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Strict"
                    own.append((b"set-cookie", cookie.encode()))
                message = {**message, "headers": [*own, *HEADERS]}
            await send(message)

        scope["visitor"] = visitor_name(visitor)
        use.open += 1
        try:
            if int(dict(scope["headers"]).get(b"content-length", b"0") or 0) > MOST_BODY:
                raise _TooMuch
            await self.app(scope, bounded, protected)
        except (_TooMuch, ValueError):
            if started:
                raise
            await _refuse(scope, receive, send, 413, f"files of more than {MOST_BODY:,} bytes are refused")
        except TimeoutError:
            if started:
                raise
            await _refuse(scope, receive, send, 408, "the request took too long to arrive")
        finally:
            use.open -= 1

    async def _socket(self, scope: Scope, receive: Receive, send: Send, use: Use) -> None:
        """The events of a page: a visitor who sends faster than any person is read more slowly."""
        if use.sockets >= SOCKETS:
            await _refuse(scope, receive, send, 403, "too many open pages")
            return

        async def paced() -> Message:
            while True:
                message = await receive()
                if message["type"] != "websocket.receive":
                    return message
                text = message.get("text")
                if text is None or len(text) > MOST_MESSAGE:
                    return {"type": "websocket.disconnect", "code": 1009}
                wait = max(use.messages.take(), use.letters.take(len(text)))
                if wait:
                    await asyncio.sleep(min(wait, 30.0))
                if is_sound(text):
                    return message

        use.sockets += 1
        try:
            await self.app(scope, paced, send)
        finally:
            use.sockets -= 1


class _TooMuch(Exception):
    """More bytes than a request may have."""


def is_sound(text: str) -> bool:
    """Whether a message is one that a page sends: of a known kind, with all its parts; others are dropped.

    >>> is_sound('42["event",{"client_id":"a","id":3,"listener_id":"b","args":["1"]}]'), is_sound('42["event",null]')
    (True, False)
    """
    if not text.startswith("42"):
        return text[:1] in ("2", "3") or text[:2] in ("40", "41")  # alive; connected and left
    try:
        packet = json.loads(text[2:].lstrip("0123456789"))
        name, words = packet
        if not isinstance(words, dict) or name not in PARTS:
            return False
        kinds = PARTS[name]
        arguments = words.get("args", [])
        if not all(isinstance(words.get(part), kind) for part, kind in kinds.items()) or not isinstance(
            arguments, list
        ):
            return False
        for argument in arguments if name == "event" else ():
            if argument is not None:
                json.loads(argument)
    except (ValueError, TypeError, RecursionError):
        return False
    return True


def visitor_name(cookie: str) -> str:
    """The name of a visitor's folder, from which their cookie cannot be found."""
    return hashlib.sha256(cookie.encode()).hexdigest()[:32]


def _cookies(text: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(text[:8000]).items()}
    except CookieError:
        return {}


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, why: str) -> None:
    """Answer with a sentence."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008, "reason": why[:100]})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"pokerlab: {why}\n".encode()})
