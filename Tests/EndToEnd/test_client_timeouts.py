"""One timeout for all tries of a request, in each client, at a daemon that does not answer."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from client import DEADLINE, Daemon
from scenes import still
from test_conformance import CLIENTS, WITH_KEYS

# Seconds of one try, as adapters are told; their clients get three times as much for all.
SHARE = 0.4
# A busy machine is late.
SLACK = 0.8


class Adapter:
    """A client's adapter, which takes and says one line of JSON after the other."""

    def __init__(self, name: str, daemon: Daemon):
        self.process = subprocess.Popen(
            CLIENTS[name].command().split(), text=True, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=sys.stderr)
        places = {"events": daemon.events, "updates": daemon.updates, "control": daemon.control}
        assert self.ask(do="connect", timeout=SHARE, **places) == {"connected": True}

    def ask(self, **line: object) -> dict:
        self.process.stdin.write(json.dumps(line) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    with Daemon() as daemon:
        daemon.requests().open("s", still())
        yield daemon
        daemon.process.send_signal(signal.SIGCONT)


@pytest.mark.parametrize("name", WITH_KEYS)
def test_the_tries_of_a_request_share_the_timeout(daemon: Daemon, name: str):
    adapter = Adapter(name, daemon)
    read = {"do": "request", "op": "snapshot", "fields": {"session": "s"}}
    event = {"do": "publish", "topic": "notification/s", "body": {"kind": "likes"}, "ack": True}
    try:
        assert "failed" not in adapter.ask(**read) and "failed" not in adapter.ask(**event)
        daemon.process.send_signal(signal.SIGSTOP)
        for line in (read, event):
            begin = time.monotonic()
            assert adapter.ask(**line)["failed"]["code"] == "no-answer"
            taken = time.monotonic() - begin
            assert 3 * SHARE - 0.1 < taken < 3 * SHARE + SLACK, f"{taken} s"
        # Within the timeout a try behind the first is answered, and the event counts once.
        resumed = going_on(daemon, 1.5 * SHARE)
        assert "failed" not in adapter.ask(**event)
        resumed.wait(DEADLINE)
        counts = daemon.requests().snapshot("s")["badge/s"]["counts"]
        assert counts["likes"] == 3
    finally:
        adapter.process.kill()
        adapter.process.communicate()


def going_on(daemon: Daemon, seconds: float) -> subprocess.Popen[bytes]:
    """Lets the daemon go on after a while."""
    return subprocess.Popen(
        ["sh", "-c", f"sleep {seconds}; kill -CONT {daemon.process.pid}"])
