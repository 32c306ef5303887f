"""Connections that send no whole request cost newcomers nothing, however many they are."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from client import Daemon
from test_web_readers import gaps, moving, p99_of, subscriber
from web import Web

HEAD = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: 127"


@pytest.fixture
def web(daemon: Daemon) -> Iterator[Web]:
    with Web(daemon) as web:
        with web.connect() as client:
            client.web(daemon=True)
        yield web


def opened(web: Web, data: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    one = socket.create_connection((web.host, web.port), timeout=10, source_address=(source, 0))
    with contextlib.suppress(OSError):
        one.sendall(data)
    return one


def answer(one: socket.socket) -> bytes:
    got = b""
    with contextlib.suppress(OSError):
        while chunk := one.recv(65536):
            got += chunk
    return got


def newcomers(web: Web, count: int, source: str = "127.0.0.1") -> None:
    """All are answered, each within a second."""
    for number in range(count):
        began = time.monotonic()
        with opened(web, HEAD, source) as one:
            assert answer(one).startswith(b"HTTP/1.1 200 "), f"newcomer {number}"
        assert time.monotonic() < began + 1, f"newcomer {number}"


def filled(web: Web, stack: contextlib.ExitStack, data: bytes, source: str) -> None:
    limit = int(web.metric("gesture_web_limit_connections"))
    for _ in range(limit + 8):
        stack.enter_context(opened(web, data, source))


@pytest.mark.parametrize("data", [b"", HALF, HEAD.replace(b"close", b"keep-alive")],
                         ids=["silent", "half", "idle"])
def test_half_open_requests_keep_nobody_out(web: Web, data: bytes) -> None:
    with contextlib.ExitStack() as stack, web.connect() as client:
        filled(web, stack, data, "127.0.0.1")
        newcomers(web, 100)
        assert web.get("/").status == 200
        assert web.metric("gesture_web_connections_cut_total", reason="room") >= 8
        assert web.metric("gesture_web_refused_total", what="connection") == 0
        assert client.ok("time"), "a WebSocket is not cut"


@pytest.mark.parametrize("path", [b"/metrics", b"/large.bin", b"/healthz", b"/nothing"])
def test_floods_of_requests_cost_no_client_a_frame(
    daemon: Daemon, web: Web, path: bytes,
) -> None:
    """Requests behind each other, on many connections, for things that cost the most."""
    (web.files / "large.bin").write_bytes(os.urandom(2_000_000))
    request = HEAD.replace(b"/healthz", path).replace(b"close", b"keep-alive")
    with moving(daemon, "beside", 1) as sessions, contextlib.ExitStack() as stack:
        bystander = stack.enter_context(subscriber(web, f"frame/{sessions[0]}"))
        floods = [stack.enter_context(opened(web, request * 10)) for _ in range(40)]
        is_ending = threading.Event()

        def ask_on() -> None:
            while not is_ending.is_set():
                for one in floods:
                    with contextlib.suppress(OSError):
                        one.settimeout(0.001)
                        one.recv(1 << 20)
                        one.sendall(request * 3)

        flood = threading.Thread(target=ask_on)
        flood.start()
        try:
            for _ in range(3):
                # The machine may stand still in one of them; one that is good is enough.
                p99 = p99_of(sorted(gaps(bystander, f"frame/{sessions[0]}", 2)))
                if p99 <= 34:
                    break
        finally:
            is_ending.set()
            flood.join()
        assert p99 <= 34, f"p99 {p99:.1f} ms"


def test_an_address_with_many_cuts_its_own(web: Web) -> None:
    """A newcomer that is slow stays while another address opens more and more."""
    with contextlib.ExitStack() as stack:
        slow = stack.enter_context(opened(web, HEAD[:20], "127.0.0.3"))
        for place in range(20, len(HEAD), 20):
            filled(web, stack, HALF, "127.0.0.2")
            slow.sendall(HEAD[place:place + 20])
        assert answer(slow).startswith(b"HTTP/1.1 200 ")


def test_a_request_that_does_not_come_in_time_is_cut_and_counted(web: Web) -> None:
    with opened(web, HALF) as one:
        began = time.monotonic()
        one.settimeout(15)
        assert answer(one) == b""
        assert 9 < time.monotonic() - began < 12
    assert web.metric("gesture_web_connections_cut_total", reason="late") == 1


def test_answers_that_nobody_takes_are_bounded_in_bytes(web: Web) -> None:
    (web.files / "large.bin").write_bytes(os.urandom(4_000_000))
    memory = web.resident()
    request = HEAD.replace(b"/healthz", b"/large.bin")
    with contextlib.ExitStack() as stack:
        for _ in range(100):
            one = stack.enter_context(socket.socket())
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect((web.host, web.port))
            one.sendall(request)
        web.await_metric(
            "gesture_web_connections_cut_total", lambda count: count >= 80, reason="slow")
        assert web.resident() < memory + 48 * 1024 * 1024
        newcomers(web, 20)
        # A client that takes its answer gets it whole.
        assert len(web.get("/large.bin").body) == 4_000_000


def test_readers_that_do_not_take_their_answers_keep_nobody_out(web: Web) -> None:
    (web.files / "some.bin").write_bytes(os.urandom(60_000))
    request = HEAD.replace(b"/healthz", b"/some.bin") * 100
    with contextlib.ExitStack() as stack:
        filled(web, stack, request, "127.0.0.1")
        newcomers(web, 50)
