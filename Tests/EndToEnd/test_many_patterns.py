"""A client that may read by many patterns asks for pages of very many stored sessions."""

from __future__ import annotations

import pathlib
import signal
import sqlite3
import threading
import time

from client import Daemon
from keys import ALL, Keys, table
from reliability import hold_to
from scenes import still

SESSIONS = 64_000
PATTERNS = [f"k{number:02}*" for number in range(64)]
# Seconds for which pages are asked for.
SECONDS = 2.0


def fill(daemon: Daemon) -> None:
    with sqlite3.connect(daemon.state / "gestured.db") as file:
        state, touched = file.execute("SELECT state, touched FROM session").fetchone()
        file.executemany(
            "INSERT INTO session (id, state, touched) VALUES (?, ?, ?)",
            ((f"k{number % 64:02}-{number}", state, touched) for number in range(SESSIONS)))
    file.close()


def test_pages_by_many_patterns_leave_the_lane_to_others(tmp_path: pathlib.Path):
    """The lane lists some patterns, and serves what waits before it lists the next ones."""
    keys = Keys(tmp_path / "keys")
    keys.add("boss"), keys.add("lister")
    tables = table("boss", **ALL) + table("lister", control="own", read=PATTERNS)
    with Daemon("lanes = 1\n" + keys.config(tables)) as daemon:
        keys.client(daemon, "boss").requests().open("bystander", still())
        daemon.stop(signal.SIGTERM)
        fill(daemon)
        daemon.restart()
        boss = keys.client(daemon, "boss").requests()
        lister = keys.client(daemon, "lister").requests()
        page = lister.ok("sessions", limit=1_000)
        assert len(page["sessions"]) == 1_000 and page["sessions"][0] == "k00-0"
        after = lister.ok("sessions", limit=1_000, after=page["next"])
        assert after["sessions"][0] > page["sessions"][-1]
        boss.ok("snapshot", session="bystander")
        hasEnded = threading.Event()

        def ask() -> None:
            while not hasEnded.is_set():
                lister.ok("sessions", limit=1_000)

        asking = threading.Thread(target=ask)
        asking.start()
        slowest, began = 0.0, time.monotonic()
        while time.monotonic() - began < SECONDS:
            sent = time.monotonic()
            assert boss.ok("time", session="bystander")
            slowest = max(slowest, time.monotonic() - sent)
            time.sleep(0.003)
        hasEnded.set()
        asking.join()
        print(f"slowest {1_000 * slowest:.1f} ms")
    hold_to(slowest, 0.1, "a bystander's answer")
