"""A request that two readers could understand differently is refused before anything else."""

from __future__ import annotations

import contextlib
import json
import socket

import pytest
from client import Daemon
from web import Web
from wire import frame

HOST = "Host: 127.0.0.1"
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
OPEN = ["Upgrade: websocket", "Connection: Upgrade", KEY, "Sec-WebSocket-Version: 13"]


def head(*lines: str) -> bytes:
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def ask(web: Web, data: bytes) -> tuple[int, dict[str, str], bytes]:
    """Sends bytes as they are; returns the status, the fields and the body of the answer."""
    with web.raw() as opened:
        opened.settimeout(5)
        with contextlib.suppress(OSError):
            opened.sendall(data)
            opened.shutdown(socket.SHUT_WR)
        got = b""
        with contextlib.suppress(OSError):
            while chunk := opened.recv(65536):
                got += chunk
    text, _, body = got.partition(b"\r\n\r\n")
    first, *lines = text.decode().split("\r\n")
    assert first.startswith("HTTP/1.1 "), got[:200]
    fields = [line.split(": ", 1) for line in lines]
    assert len({name for name, _ in fields}) == len(fields), f"a field is there twice: {lines}"
    return int(first.split()[1]), dict(fields), body


def expect_safe(fields: dict[str, str]) -> None:
    assert fields["content-security-policy"].startswith("default-src 'none'")
    assert fields["x-content-type-options"] == "nosniff"
    assert fields["referrer-policy"] == "no-referrer"


SMUGGLED = [
    # The store of libwebsockets took the rest for a line of its own, or cut the path there.
    head("GET /metrics%0aHost:127.0.0.1: HTTP/1.1", "Host: evil.example"),
    head("GET /metrics%0AHost:127.0.0.1: HTTP/1.1", "Host: evil.example"),
    head("GET /metrics%0d%0aHost:%20127.0.0.1%0d%0aa: HTTP/1.1", "Host: evil.example"),
    head("GET /metrics%0d HTTP/1.1", HOST), head("GET /metrics%0a HTTP/1.1", HOST),
    head("GET /metrics%00 HTTP/1.1", HOST), head("GET /metrics%7f HTTP/1.1", HOST),
    head("GET /metrics%1b[31m HTTP/1.1", HOST), head("GET /?a=%0d%0ab:c HTTP/1.1", HOST),
    head("GET /metrics\n HTTP/1.1", HOST), head("GET /metrics\r HTTP/1.1", HOST),
    head("GET /metrics\0 HTTP/1.1", HOST), head("GET /metrics\x7f HTTP/1.1", HOST),
    head("GET /metrics% HTTP/1.1", HOST), head("GET /metrics%2 HTTP/1.1", HOST),
    head("GET /metrics#a HTTP/1.1", HOST), head("GET /metrics\xe4 HTTP/1.1", HOST),
    # Lines and fields.
    head("GET /metrics HTTP/1.1", HOST, "Host: evil.example"),
    head("GET /metrics HTTP/1.1", "Host: evil.example", HOST),
    head("GET /metrics HTTP/1.1", HOST, HOST), head("GET /metrics HTTP/1.1"),
    head("GET /metrics HTTP/1.1", "Host:"), head("GET /metrics HTTP/1.1", "Host : 127.0.0.1"),
    head("GET /metrics HTTP/1.1", HOST, " evil.example"),
    head("GET /metrics HTTP/1.1", "a: b\nHost: 127.0.0.1"),
    head("GET /metrics HTTP/1.1", "a: b\rHost: 127.0.0.1"),
    head("GET /metrics HTTP/1.1", HOST, "a: b\0c"), head("GET /metrics HTTP/1.1", HOST, "nothing"),
    head("GET /metrics HTTP/1.1", HOST, ": nameless"),
    head("GET  /metrics HTTP/1.1", HOST), head("GET /metrics  HTTP/1.1", HOST),
    head("GET /metrics", HOST), head("GET\t/metrics HTTP/1.1", HOST),
    head(" GET /metrics HTTP/1.1", HOST), head("", "GET /metrics HTTP/1.1", HOST),
    b"GET /metrics HTTP/1.1\nHost: 127.0.0.1\n\r\n\r\n",
    # Other forms of a target.
    head("GET http://127.0.0.1/metrics HTTP/1.1", HOST), head("GET * HTTP/1.1", HOST),
    head("GET metrics HTTP/1.1", HOST),
    # Names that are none.
    head("GET /metrics HTTP/1.1", "Host: user@127.0.0.1"),
    head("GET /metrics HTTP/1.1", "Host: 127.0.0.1:80:90"),
    head("GET /metrics HTTP/1.1", "Host: 127.0.0.1:99999999"),
    head("GET /metrics HTTP/1.1", "Host: 127.0.0.1:x"),
    head("GET /metrics HTTP/1.1", "Host: 127.0.0.1/"),
    head("GET /metrics HTTP/1.1", "Host: 127.0.0.1, evil.example"),
    head("GET /metrics HTTP/1.1", "Host: [::1].evil.example"),
    head("GET /metrics HTTP/1.1", "Host: [::1]evil.example"),
    head("GET /metrics HTTP/1.1", "Host: [::1"), head("GET /metrics HTTP/1.1", "Host: [evil]"),
    head("GET /metrics HTTP/1.1", "Host: \xe4"),
    # Bodies whose length is unclear.
    head("GET /metrics HTTP/1.1", HOST, "Content-Length: 5", "Content-Length: 6"),
    head("GET /metrics HTTP/1.1", HOST, "Content-Length: 5", "Transfer-Encoding: chunked"),
    head("GET /metrics HTTP/1.1", HOST, "Content-Length: -1"),
    head("GET /metrics HTTP/1.1", HOST, "Origin: http://127.0.0.1", "Origin: http://evil.example"),
]


@pytest.mark.parametrize("data", SMUGGLED, ids=range(len(SMUGGLED)))
def test_what_is_not_clear_is_refused(web: Web, data: bytes) -> None:
    before = web.metric("gesture_web_refused_total", what="request")
    status, fields, body = ask(web, data)
    assert status == 400 and b"gesture_web" not in body
    expect_safe(fields)
    assert fields["connection"] == "close"
    assert web.metric("gesture_web_refused_total", what="request") == before + 1


@pytest.mark.parametrize("lines, status", [
    (["GET / HTTP/1.1", HOST, *OPEN[:3], "Sec-WebSocket-Version: 12"], 426),
    (["GET / HTTP/1.1", HOST, *OPEN[:3], "Sec-WebSocket-Version: 8"], 426),
    (["GET / HTTP/1.1", HOST, *OPEN[:3]], 426),
    (["GET / HTTP/1.1", HOST, *OPEN, "Sec-WebSocket-Version: 13"], 400),
    (["POST / HTTP/1.1", HOST, *OPEN], 405), (["HEAD / HTTP/1.1", HOST, *OPEN], 405),
    (["PUT / HTTP/1.1", HOST, *OPEN], 405), (["GET / HTTP/1.0", HOST, *OPEN], 400),
    (["GET / HTTP/1.1", HOST, "Upgrade: websocket", KEY, "Sec-WebSocket-Version: 13"], 400),
    (["GET / HTTP/1.1", HOST, *OPEN[:2], "Sec-WebSocket-Version: 13"], 400),
    (["GET / HTTP/1.1", HOST, *OPEN[:2], "Sec-WebSocket-Key: short", OPEN[3]], 400),
    (["GET / HTTP/1.1", HOST, *OPEN, KEY], 400),
    (["GET / HTTP/1.1", HOST, *OPEN, "Content-Length: 3"], 400),
    (["GET / HTTP/1.1", HOST, *OPEN, "Sec-WebSocket-Protocol: nonsense"], 400),
    (["GET / HTTP/1.1", HOST, *OPEN, "Origin: http://127.0.0.1", "Origin: http://evil.a"], 400),
    (["GET / HTTP/1.1", HOST, *OPEN, "Origin: http://evil.example"], 403),
    (["GET / HTTP/1.1", "Host: evil.example", *OPEN], 421),
    (["GET / HTTP/2.0", HOST], 505), (["GET /" + "a" * 3000 + " HTTP/1.1", HOST], 414),
    (["GET / HTTP/1.1", HOST, "a: " + "b" * 9000], 431),
    (["GET / HTTP/1.1", HOST, *["a: b"] * 200], 431),
    (["DELETE / HTTP/1.1", HOST], 405), (["GET /nothing HTTP/1.1", HOST], 404),
    (["GET /../../etc/passwd HTTP/1.1", HOST], 404), (["GET //a HTTP/1.1", HOST], 404),
])
def test_each_refusal_has_its_status_and_is_safe(
    web: Web, lines: list[str], status: int,
) -> None:
    found, fields, _ = ask(web, head(*lines))
    assert found == status
    expect_safe(fields)
    if status == 426:
        assert fields["sec-websocket-version"] == "13"
    if status == 405:
        assert fields["allow"].startswith("GET")


def test_nothing_behind_a_refused_request_is_read(web: Web) -> None:
    data = head("GET /metrics%0d HTTP/1.1", HOST) + head("GET /metrics HTTP/1.1", HOST)
    status, _, body = ask(web, data)
    assert status == 400 and b"gesture_web" not in body and b"HTTP/1.1 200" not in body


def test_a_body_that_looks_like_a_request_is_none(web: Web) -> None:
    inner = head("GET /metrics HTTP/1.1", HOST)
    for method in ("GET", "POST"):
        data = head(f"{method} / HTTP/1.1", HOST, f"Content-Length: {len(inner)}") + inner
        assert b"gesture_web" not in ask(web, data)[2]


def test_frames_right_behind_the_handshake_are_read(daemon: Daemon, web: Web) -> None:
    text = json.dumps({"request": {"op": "time", "id": "early"}}).encode()
    with web.raw(head("GET /any?path=1 HTTP/1.1", HOST, *OPEN) + frame(text)) as opened:
        opened.settimeout(10)
        got = b""
        while b'"early"' not in got:
            assert (chunk := opened.recv(65536)), got
            got += chunk
        assert got.startswith(b"HTTP/1.1 101 ")
