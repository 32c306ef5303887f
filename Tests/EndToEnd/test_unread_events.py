"""Events that nobody can read yet, because a lane is behind: what waits of them is bounded."""

from __future__ import annotations

import contextlib
import pathlib

import pytest
import zmq
from client import Daemon
from preload import label, library
from reliability import resident_mebibytes, wait_for
from scenes import still
from target import MEMORY_MEBIBYTES_MAX
from zmtp import Raw

# As large as a message may be; the daemon refuses it for its size once it reads it.
HUGE = b'{"kind":"likes","x":"' + b"a" * 1_000_000 + b'"}'
CONNECTIONS, SECONDS = 12, 0.5


@pytest.mark.parametrize("kind", ["PUB", "PUSH"])
def test_peers_that_come_and_go_leave_no_more_than_the_bound(tmp_path: pathlib.Path, kind: str):
    """libzmq keeps what a connection has sent when it ends."""
    hang = tmp_path / "hang"
    environment = {"LD_PRELOAD": library("hang"), "HANG": str(hang)} | label()
    with Daemon("lanes = 1\n", environment=environment) as daemon:
        control = daemon.requests()
        control.open("s", still())
        pushes = daemon.push.split(",")[0]
        endpoint = pushes if kind == "PUSH" else daemon.events.split(",")[0]
        hang.touch()
        refused, most = 0, 0.0
        for _ in range(CONNECTIONS):
            try:
                raw = Raw(endpoint, kind, seconds=SECONDS)
            except OSError:
                refused += 1
                continue
            # Then it is held back, or cut.
            with contextlib.suppress(TimeoutError, ConnectionError):
                for _ in range(1_000):
                    raw.send(b"notification/s", HUGE)
            raw.close()
            memory = resident_mebibytes(daemon)
            most = max(most, memory)
        print(f"at most {most:.0f} MiB")
        assert most < MEMORY_MEBIBYTES_MAX
        assert 0 < refused < CONNECTIONS
        assert "events that wait have too many bytes" in daemon.log()
        # One that comes meanwhile waits outside, and loses nothing.
        push = daemon.socket(zmq.PUSH, pushes)
        push.send_multipart([b"notification/s", b'{"kind":"likes"}'])
        hang.unlink()
        wait_for(lambda: control.badge("s")["counts"] == {"likes": 1}, "its event counts")
