"""`gesturectl bench`: it measures a running daemon, and leaves nothing behind."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess

import pytest
import zmq
from client import Control, Daemon
from cluster_proxy import Proxy
from documents import wait_until
from tool import Tool, ctl, staying_daemon


@pytest.fixture(scope="module")
def environment(daemon: Daemon) -> dict[str, str]:
    return os.environ | {
        "GESTURED_EVENTS": daemon.events, "GESTURED_UPDATES": daemon.updates,
        "GESTURED_CONTROL": daemon.control}


def own(control: Control) -> list[str]:
    return [name for name in control.sessions() if name.startswith("bench-")]


def test_the_figures_are_what_the_daemon_did(control: Control, environment):
    control.open("alice", "phone")
    before = control.ok("stats")["stats"]
    done = ctl("bench", "--for", 1, "--sessions", 3, "--rate", 50, "--json", env=environment)
    assert done.returncode == 0 and done.stderr == b"", done
    figures = json.loads(done.stdout)
    after = control.ok("stats")["stats"]
    measured = figures["events"] + figures["alone"]["count"] + figures["stored"]["count"]
    assert after["events"] - before["events"] == measured
    assert figures["states"] <= figures["events"] and figures["others"] == before["sessions"]
    assert 2 <= figures["alone"]["count"] <= 14, "50 a second for a quarter of a second"
    for name in ("alone", "loaded", "stored"):
        latencies = figures[name]
        assert 0 < latencies["p50_ms"] <= latencies["p99_ms"] <= latencies["max_ms"], figures
    assert figures["events_per_second"] > 100
    assert after["sessions_closed"] - before["sessions_closed"] == 3 and own(control) == []


def test_a_person_reads_a_table(control: Control, environment):
    done = ctl("bench", "--for", 1, "--sessions", 2, env=environment)
    text = done.stdout.decode()
    assert done.returncode == 0 and "2 sessions of its own" in text, done
    rows = [line.split() for line in text.splitlines() if ": " in line and line[-1].isdigit()]
    assert [row[0] for row in rows] == ["alone:", "loaded:", "stored:"], text
    assert "events a second, 64 under way" in text and "% of a core" in text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_closes_its_sessions(daemon: Daemon, control: Control, number: int):
    with Tool(daemon, "bench", "--for", 600) as tool:
        wait_until(lambda: len(own(control)) == 64, "its sessions are open")
        assert tool.end(number) == (128 + number, "")
    assert own(control) == []


def test_an_event_under_way_opens_no_session_again(daemon: Daemon, control: Control):
    """Events and requests travel apart: one that is late may come after its session's end."""
    def events() -> int:
        return control.ok("stats")["stats"]["events"]

    line = Proxy(int(daemon.events.rsplit(":", 1)[1]))
    with contextlib.closing(line), Tool(
            daemon, "bench", "--for", 600, events=f"tcp://127.0.0.1:{line.port}") as tool:
        wait_until(lambda: len(own(control)) == 64, "its sessions are open")
        line.hold()
        # One at a time: the next one waits in the line.
        held: list[int] = []
        wait_until(lambda: held.append(events()) or held[-5:] == held[-1:] * 5, "one is held")
        tool.process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            tool.process.wait(1)
        line.resume()
        wait_until(lambda: events() == held[-1] + 1, "it has come")
        assert tool.wait() == (128 + signal.SIGINT, "")
    assert own(control) == []


def test_a_daemon_that_dies_ends_it():
    with Daemon() as daemon:
        with Tool(daemon, "bench", "--for", 600, "--timeout", 0.5) as tool:
            control = daemon.requests()
            wait_until(lambda: len(own(control)) == 64, "its sessions are open")
            daemon.stop(signal.SIGKILL)
            status, said = tool.wait()
            assert status == 1 and "gesturectl: " in said, said
            assert "-1 to 64 may be left: close each" in said, said


def test_a_daemon_that_restarts_keeps_none_of_its_sessions():
    with staying_daemon() as daemon:
        with Tool(daemon, "bench", "--for", 600, "--timeout", 1.5) as tool:
            control = daemon.requests()
            wait_until(lambda: len(own(control)) == 64, "its sessions are open")
            daemon.stop(signal.SIGKILL)
            # Nobody answers until bench begins to close.
            with zmq.Context() as context, context.socket(zmq.ROUTER) as deaf:
                deaf.setsockopt(zmq.LINGER, 0)
                deaf.bind(daemon.control)
                asked: list[bytes] = []
                while not any(b'"close"' in frame for frame in asked):
                    assert deaf.poll(20_000), "bench closes its sessions"
                    asked = deaf.recv_multipart()
            daemon.restart()
            status, said = tool.wait()
            assert status == 1 and "may be left" not in said, said
        assert own(daemon.requests()) == []


@pytest.mark.parametrize("option", [["--for", "0"], ["--sessions", "0"], ["--window", "5000"]])
def test_bounds_are_told(option: list[str], environment):
    done = ctl("bench", *option, env=environment)
    assert done.returncode == 2 and option[0].encode() in done.stderr
