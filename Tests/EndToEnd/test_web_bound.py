"""Sessions that live as long as the page that bound them."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Iterable

import pytest
from client import Control, Daemon
from web import Socket, Web

# Seconds for which a session waits for its page, and those in which the bridge must act then.
WAITS, ACTS = 10, 5
SCENE = {"viewport": [100, 100], "components": [{"id": "toss", "kind": "toss"}]}


@pytest.fixture(scope="module")
def web(daemon: Daemon):
    with Web(daemon) as web:
        yield web


def opened(client: Socket, *names: str) -> None:
    client.web(daemon=True)
    for name in names:
        client.send({"bind": name})
        client.ok("open", session=name, scene=SCENE)


def die(client: Socket) -> float:
    """Ends a connection without a word of farewell, as of a browser that was killed."""
    client.opened.socket.shutdown(socket.SHUT_RDWR)
    return time.monotonic()


def await_only(control: Control, names: Iterable[str], left: set[str], end: float) -> None:
    """Waits until only these of the sessions are left."""
    while (there := set(names) & set(control.sessions())) != left:
        assert time.monotonic() < end, there
        time.sleep(0.1)


def test_sessions_of_a_page_that_died_are_closed(web: Web, control: Control) -> None:
    names = [f"bound{number}" for number in range(11)]
    with web.connect() as client, web.connect() as other:
        opened(client, *names)
        # The first two have another page, the third one is given up; somebody looks on at the last.
        opened(other, *names[:2])
        client.send({"unbind": names[2]})
        other.subscribe(f"frame/{names[10]}", "frame/", "state")
        client.ok("time")
        assert web.metric("gesture_web_sessions_bound") == 10
        died = die(client)
        web.await_metric("gesture_web_clients", lambda count: count == 1)
        with web.connect() as back:
            # A page that lost its connection comes back.
            opened(back, names[3])
            await_only(control, names, {*names[:4], names[10]}, died + WAITS + ACTS)
            assert time.monotonic() - died > WAITS - 1
            assert web.await_metric(
                "gesture_web_sessions_closed_total", lambda count: count == 6) == 6
            time.sleep(1)
            assert {*names[:4], names[10]} <= set(control.sessions())
    await_only(control, names, {names[2]}, time.monotonic() + 2 * WAITS + ACTS)
    web.await_metric("gesture_web_sessions_bound", lambda count: count == 0)
    assert web.metric("gesture_web_sessions_closed_total") == 10


def test_one_that_was_closed_meanwhile_is_closed_no_more(web: Web, control: Control) -> None:
    closed = web.metric("gesture_web_sessions_closed_total")
    with web.connect() as client:
        opened(client, "gone")
        client.ok("close", session="gone")
        died = die(client)
    web.await_metric("gesture_web_clients", lambda count: count == 0)
    while web.metric("gesture_web_sessions_bound"):
        assert time.monotonic() < died + WAITS + ACTS
        time.sleep(0.1)
    assert web.metric("gesture_web_sessions_closed_total") == closed


def test_a_bridge_without_its_daemon_waits_and_one_that_restarts_forgets() -> None:
    with Daemon() as daemon:
        control = daemon.requests()
        with Web(daemon) as former, former.connect() as client:
            opened(client, "back", "forgotten")
        with Web(daemon) as web:
            with web.connect() as client:
                opened(client, "back")
                died = die(client)
            daemon.process.send_signal(signal.SIGSTOP)
            try:
                time.sleep(WAITS + 2)
                assert web.metric("gesture_web_sessions_bound") == 1
            finally:
                daemon.process.send_signal(signal.SIGCONT)
            await_only(control, ["back", "forgotten"], {"forgotten"}, died + 2 * WAITS + ACTS)


def test_what_cannot_be_bound_is_refused(web: Web, daemon: Daemon) -> None:
    with web.connect() as client:
        most = client.web(daemon=True)["limits"]["limit_bound_sessions"]
        for wrong in ("", "-", "a/b", "a" * 65, 5):
            client.send({"bind": wrong})
            assert client.error()["code"] == "bad-value"
        for number in range(most):
            client.send({"bind": f"many{number}"})
        client.send({"bind": "many0"})
        client.send({"bind": "one-more"})
        error = client.error()
        assert error["code"] == "busy" and "limit_bound_sessions" in error["message"]
        for number in range(most):
            client.send({"unbind": f"many{number}"})
        client.ok("time")


def test_a_bridge_that_is_read_only_binds_nothing(daemon: Daemon, control: Control) -> None:
    control.open("alice", SCENE)
    with Web(daemon, "--read-only") as web:
        with web.connect() as client:
            client.web(daemon=True)
            client.send({"bind": "alice"})
            assert client.error()["code"] == "unauthorized"
        web.await_metric("gesture_web_clients", lambda count: count == 0)
        assert web.metric("gesture_web_sessions_bound") == 0
