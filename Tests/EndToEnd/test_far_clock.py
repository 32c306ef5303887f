"""A wall clock that somebody has set beyond all that an integer of nanoseconds holds."""

from __future__ import annotations

import pytest
from client import Daemon
from preload import library


@pytest.mark.parametrize("second", [9_223_372_037, 10_413_792_000, 2**62, 0, -1])
def test_the_daemon_runs_at_any_time(second: int):
    environment = {"LD_PRELOAD": library("far_clock"), "FAR": str(second)}
    with Daemon(environment=environment) as daemon:
        control, updates = daemon.requests(), daemon.subscriber("state/a/", "badge/a", "heartbeat")
        control.open("a", "phone")
        control.notify("a", "likes", add=3)
        assert updates.find("badge/a").body["counts"] == {"likes": 3}
        updates.find("heartbeat")
        document = control.export("a")
        control.ok("import", session="b", document=document)
        # A stored session comes back, however long ago it seems to be.
        control = daemon.restart()
        assert control.badge("a")["counts"] == {"likes": 3}
        daemon.environment["FAR"] = "1700000000"
        control = daemon.restart()
        assert control.badge("b")["counts"] == {"likes": 3}
        assert daemon.stop() == 0
