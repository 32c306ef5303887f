"""The wall clock jumps: no session expires by a clock that may be wrong."""

from __future__ import annotations

import pathlib
import signal
import sqlite3
import time

import pytest
from client import Daemon
from preload import Clocks
from reliability import change_store, stats, wait_for
from scenes import still

DAY = 86_400
# Seconds for which a clock must stand until it is believed, after a jump and after a start.
STANDS, STANDS_AT_START = 3_600, 600
CONFIG = "[sessions]\nidle_timeout = 0.3\nretention = 864000\n"


@pytest.fixture
def clocks(tmp_path: pathlib.Path) -> Clocks:
    return Clocks(tmp_path / "clocks")


def parked(daemon: Daemon, *names: str) -> None:
    control = daemon.requests()
    for name in names:
        control.open(name, still())
    wait_for(lambda: stats(control)["sessions"] == 0, "all are parked")


def marks(daemon: Daemon) -> dict[str, int]:
    """When each stored session counts as last used, in seconds from now."""
    other = sqlite3.connect(daemon.state / "gestured.db")
    found = dict(other.execute("SELECT id, touched FROM session"))
    other.close()
    return {name: used - int(time.time()) for name, used in found.items()}


def test_a_clock_that_jumps_and_comes_back_expires_nothing(clocks: Clocks):
    with Daemon(CONFIG, environment=clocks.environment()) as daemon:
        control = daemon.requests()
        parked(daemon, "a", "b", "c")
        clocks.set(wall=40 * DAY)
        wait_for(lambda: stats(control)["clock_jumps"] == 1, "the jump is seen")
        assert "the clock jumped, and no session expires until it is clear" in daemon.log()
        assert abs(stats(control)["clock_wrong_s"] - 40 * DAY) < 60
        # Used while the clock is wrong.
        parked(daemon, "d")
        time.sleep(2)
        assert control.sessions() == ["a", "b", "c", "d"]
        clocks.set()
        wait_for(lambda: stats(control)["clock_wrong_s"] == 0, "it is believed again")
        assert "the clock is believed again" in daemon.log()
        assert control.sessions() == ["a", "b", "c", "d"]
        # Its mark does not stay in the future.
        wait_for(lambda: max(marks(daemon).values()) < 120, "the marks are right")
        assert stats(control)["sessions_expired"] == 0


def test_a_clock_that_stands_is_believed_and_sessions_expire_by_it(clocks: Clocks):
    """The clock is put right after the start. Sessions of this run were used just now."""
    with Daemon(CONFIG, environment=clocks.environment()) as daemon:
        parked(daemon, "old")
        daemon.stop()
        change_store(daemon, "UPDATE session SET touched = touched - 3 * 86400")
        control = daemon.restart()
        parked(daemon, "new")
        clocks.set(wall=9 * DAY)
        wait_for(lambda: stats(control)["clock_jumps"] == 1, "the jump is seen")
        time.sleep(1)
        assert control.sessions() == ["new", "old"]
        # The machine sleeps for as long.
        clocks.set(wall=9 * DAY + STANDS + 60, boot=STANDS + 60)
        wait_for(lambda: control.sessions() == ["new"], "the old one expires")
        assert stats(control)["clock_wrong_s"] == 0
        assert "the clock is believed again: it has stood" in daemon.log()
        assert abs(marks(daemon)["new"] - 9 * DAY - STANDS) < 180


def test_a_start_far_ahead_of_the_last_write_expires_nothing_at_once(clocks: Clocks):
    with Daemon(CONFIG, environment=clocks.environment()) as daemon:
        parked(daemon, "a", "b")
        daemon.stop(signal.SIGKILL)
        clocks.set(wall=40 * DAY)
        control = daemon.restart()
        assert "the clock jumped" in daemon.log()
        time.sleep(2)
        assert control.sessions() == ["a", "b"]
        clocks.set(wall=40 * DAY + STANDS_AT_START + 60, boot=STANDS_AT_START + 60)
        wait_for(lambda: control.sessions() == [], "the clock has stood, and both are too old")


def test_a_start_behind_the_last_write_marks_no_session_as_used_long_ago(clocks: Clocks):
    with Daemon(CONFIG, environment=clocks.environment()) as daemon:
        parked(daemon, "a")
        daemon.stop()
        clocks.set(wall=-400 * DAY)
        control = daemon.restart()
        assert "behind its time" in daemon.log()
        parked(daemon, "b")
        assert abs(marks(daemon)["b"]) < 120
        clocks.set()
        wait_for(lambda: stats(control)["clock_wrong_s"] == 0, "the clock is put right")
        time.sleep(1)
        assert control.sessions() == ["a", "b"]


def test_a_machine_that_slept_has_a_right_clock(clocks: Clocks):
    with Daemon(CONFIG, environment=clocks.environment()) as daemon:
        control = daemon.requests()
        parked(daemon, "a")
        clocks.set(wall=40 * DAY, boot=40 * DAY)
        wait_for(lambda: control.sessions() == [], "it expires")
        assert stats(control)["clock_jumps"] == 0


def test_a_clock_before_2020_is_never_believed(clocks: Clocks):
    with Daemon(CONFIG, environment=clocks.environment()) as daemon:
        control = daemon.requests()
        parked(daemon, "a")
        back = -int(time.time()) + 1_000
        clocks.set(wall=back)
        wait_for(lambda: stats(control)["clock_jumps"] == 1, "the jump is seen")
        clocks.set(wall=back + 2 * STANDS, boot=2 * STANDS)
        time.sleep(2)
        assert stats(control)["clock_wrong_s"] < 0
        assert control.sessions() == ["a"]
