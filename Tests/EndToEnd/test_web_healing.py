"""The bridge outlives its daemon, tells its clients, and ends in order."""

from __future__ import annotations

import signal
import time

import pytest
from client import Daemon
from manager import Manager
from tool import staying_daemon
from web import Web


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_daemon_that_dies_and_comes_back(number: int) -> None:
    with staying_daemon() as daemon, Web(daemon) as web, web.connect() as client:
        client.web(daemon=True)
        client.subscribe("badge/alice", "frame/alice")
        client.ok("open", session="alice", scene="phone")
        epoch = client.update("frame/alice")["epoch"]
        began = time.monotonic()
        daemon.stop(number)
        assert client.web(daemon=False)
        assert time.monotonic() - began < 6
        assert web.get("/healthz").status == 503
        assert client.ask("time")["error"]["code"] == "unavailable"
        client.send({"topic": "notification/alice", "body": {"kind": "likes"}})
        assert client.error()["code"] == "unavailable"
        daemon.restart(number) if daemon.is_running else daemon.start()
        assert client.web(daemon=True)
        # Subscriptions are in force again without a word of the client.
        client.subscribe()
        client.ok("publish", topic="notification/alice", body={"kind": "likes"})
        assert client.update("badge/alice", total=1)
        while client.update("frame/alice")["epoch"] == epoch:
            pass  # The former daemon's last words.
        deadline = time.monotonic() + 10
        while web.get("/healthz").status != 200:
            assert time.monotonic() < deadline


def test_requests_that_wait_when_the_daemon_dies_are_answered() -> None:
    with staying_daemon() as daemon, Web(daemon) as web, web.connect() as client:
        client.web(daemon=True)
        daemon.process.send_signal(signal.SIGSTOP)
        for number in range(5):
            client.send({"request": {"op": "time", "id": number}})
        daemon.process.send_signal(signal.SIGKILL)
        daemon.process.wait()
        for _ in range(5):
            reply = client.until(lambda message: "reply" in message)["reply"]
            assert not reply["ok"] and reply["error"]["code"] == "unavailable"


def test_a_daemon_that_starts_later_is_found() -> None:
    with staying_daemon() as daemon:
        daemon.stop()
        with Web(daemon) as web, web.connect() as client:
            assert client.next()["web"]["daemon"] is False
            daemon.start()
            assert client.web(daemon=True)
            assert client.ok("time")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_and_its_clients(daemon: Daemon, number: int) -> None:
    with Web(daemon) as web, web.connect() as first, web.connect(compression=None) as second:
        first.next(), second.next()
        idle = web.raw()
        web.process.send_signal(number)
        assert first.closed() == (1001, "gesture-web ends")
        assert second.closed() == (1001, "gesture-web ends")
        assert web.process.wait(10) == 0
        idle.close()


def test_a_client_that_does_not_answer_does_not_hold_up_the_end(daemon: Daemon) -> None:
    with Web(daemon) as web, web.connect() as client:
        client.next()
        client.opened.socket.setblocking(False)
        stuck = web.raw(
            f"GET / HTTP/1.1\r\nHost: {web.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            .encode())
        web.await_metric("gesture_web_clients", lambda count: count == 2)
        began = time.monotonic()
        web.process.send_signal(signal.SIGTERM)
        assert web.process.wait(10) == 0 and time.monotonic() - began < 5
        stuck.close()


def test_the_service_manager_is_told(daemon: Daemon) -> None:
    with Manager("@gesture-web-test") as manager:
        environment = {"NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "2000000"}
        with Web(daemon, environment=environment) as web:
            manager.until("READY", "1")
            manager.until("WATCHDOG", "1")
            with web.connect() as client:
                client.web(daemon=True)
                manager.until("STATUS", "1 client; gestured is there")
            web.end()
            manager.until("STOPPING", "1")
