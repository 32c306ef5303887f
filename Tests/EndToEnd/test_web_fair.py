"""Clients that ask as much as they may leave the others their share of the daemon."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import threading
import time

import pytest
import wire
from client import Daemon
from web import Web
from wire import frame

FLOODERS, UNDER_WAY = 6, 32
HEAD = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Flood(threading.Thread):
    """Clients within their bounds, each with as many unanswered requests as one may have."""

    def __init__(self, web: Web, session: str):
        super().__init__()
        self.clients = [wire.upgraded(web.host, web.port) for _ in range(FLOODERS)]
        text = json.dumps({"request": {"op": "export", "session": session, "id": 1}})
        self.request = frame(text.encode())
        self.replies, self.busy, self.is_ending = 0, 0, False

    def run(self) -> None:
        chosen = selectors.DefaultSelector()
        for one in self.clients:
            one.setblocking(False)
            chosen.register(one, selectors.EVENT_READ)
            one.sendall(self.request * UNDER_WAY)
        while not self.is_ending:
            for key, _ in chosen.select(0.1):
                with contextlib.suppress(OSError):
                    data = key.fileobj.recv(1 << 20)
                    count = data.count(b'{"reply":')
                    self.replies += count
                    self.busy += data.count(b'"busy"')
                    key.fileobj.sendall(self.request * count)

    def __enter__(self) -> Flood:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_ending = True
        self.join()
        for one in self.clients:
            one.close()


@pytest.fixture
def large(daemon: Daemon, session: str) -> str:
    """A session whose export is costly."""
    pages = [f"page {number} " + "x" * 200 for number in range(300)]
    daemon.requests().open(session, {
        "viewport": [320, 568],
        "components": [{"id": "pages", "kind": "reader", "pages": pages}]})
    return session


def test_a_newcomer_joins_while_six_others_flood(web: Web, large: str) -> None:
    with Flood(web, large) as flood:
        end = time.monotonic() + 10
        while flood.replies < 50:
            assert time.monotonic() < end, "the flood does not begin"
            time.sleep(0.01)
        slowest = 0.0
        for _ in range(5):
            with web.connect() as client:
                for op, fields in [("hello", {}), ("time", {}), ("snapshot", {"session": large})]:
                    began = time.monotonic()
                    assert client.ask(op, **fields)["ok"], op
                    slowest = max(slowest, time.monotonic() - began)
        print(f"the slowest answer took {slowest * 1000:.0f} ms; {flood.replies} others came")
        assert slowest < 3
        assert flood.busy == 0, "who stays within the bounds is not refused"


def test_a_newcomer_is_next_where_six_others_have_asked_all_they_may(
    daemon: Daemon, web: Web, session: str,
) -> None:
    """The daemon stands still meanwhile, so that nothing is answered before all have asked."""
    daemon.requests().open(session, "phone")
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(web.connect()) for _ in range(FLOODERS)]
        newcomer = stack.enter_context(web.connect())
        newcomer.web(daemon=True)
        os.kill(daemon.process.pid, signal.SIGSTOP)
        try:
            before = web.metric("gesture_web_messages_received_total")
            for client in clients:
                for number in range(UNDER_WAY):
                    client.send({"request": {"op": "time", "id": number}})
            asked = FLOODERS * UNDER_WAY
            web.await_metric(
                "gesture_web_messages_received_total", lambda count: count >= before + asked)
            for op in ("hello", "time", "snapshot"):
                newcomer.send({"request": {"op": op, "id": op, "session": session}})
            web.await_metric(
                "gesture_web_messages_received_total", lambda count: count >= before + asked + 3)
        finally:
            os.kill(daemon.process.pid, signal.SIGCONT)
        for op in ("hello", "time", "snapshot"):
            reply = newcomer.until(lambda message: "reply" in message)["reply"]
            assert reply["ok"] and reply["id"] == op, reply
        for client in clients:
            for _ in range(UNDER_WAY):
                assert client.until(lambda message: "reply" in message)["reply"]["ok"]


def test_floods_of_figures_cost_the_daemon_one_request_at_a_time(
    daemon: Daemon, web: Web,
) -> None:
    """Connections that ask at once share the daemon's answer."""
    before = daemon.requests().ok("stats")["stats"]["requests"]
    with contextlib.ExitStack() as stack:
        opened: list[socket.socket] = []
        for number in range(200):
            path = b"/metrics" if number % 2 else b"/healthz"
            one = stack.enter_context(web.raw(HEAD % path * 5))
            one.settimeout(10)
            opened.append(one)
        for one in opened:
            got = b""
            while got.count(b"HTTP/1.1 200 ") < 5:
                assert (chunk := one.recv(1 << 20)), got[-200:]
                got += chunk
    after = daemon.requests().ok("stats")["stats"]["requests"]
    assert after - before < 400, f"1,000 questions cost {after - before} requests"
