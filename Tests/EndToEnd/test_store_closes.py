"""Closing many sessions at once delays nobody's acknowledged publish."""

from __future__ import annotations

import json
import sqlite3
import time

import zmq
from bystander import Acknowledged
from client import Daemon
from reliability import stats, wait_for

SESSIONS = 150
# Ids that a session remembers.
IDS = 1_024
# Publishes of the bystander in each of the two measured times.
PUBLISHES = 100
# Milliseconds. Deleting all their marks in one commit takes some 400.
BOUND = 150


def fill(daemon: Daemon) -> None:
    """Has each session remember as many ids as it can."""
    with zmq.Context() as context, context.socket(zmq.PUSH) as push:
        push.connect(daemon.push)
        for number in range(IDS):
            body = json.dumps({"kind": "likes", "id": str(number)}).encode()
            for session in range(SESSIONS):
                push.send_multipart([f"notification/s{session}".encode(), body])
    control = daemon.requests()
    wait_for(
        lambda: stats(control)["events_applied"] >= SESSIONS * IDS, "all are applied", 60)
    control.publish("notification/s0", {"kind": "last"})


def longest_of_the_next(bystander: Acknowledged, began: float = 0) -> float:
    """Milliseconds of the longest publish since then, once so many more are answered."""
    count = len(bystander.waits["publish"]) + PUBLISHES
    wait_for(lambda: len(bystander.waits["publish"]) >= count, "the bystander is answered")
    return max(bystander.between("publish", began, time.monotonic()))


def marks(daemon: Daemon) -> int:
    with sqlite3.connect(daemon.state / "gestured.db") as file:
        return file.execute("SELECT count(*) FROM seen").fetchone()[0]


def test_many_sessions_that_close_hold_no_publish_up(daemon: Daemon) -> None:
    fill(daemon)
    wait_for(lambda: marks(daemon) >= SESSIONS * IDS, "all ids are stored")
    bystander = Acknowledged(daemon.requests(), "bystander")
    bystander.start()
    try:
        quiet = longest_of_the_next(bystander)
        control, began = daemon.requests(), time.monotonic()
        closes = [control.send("close", session=f"s{session}") for session in range(SESSIONS)]
        for number in closes:
            assert control.reply(number)["ok"]
        longest = longest_of_the_next(bystander, began)
    finally:
        bystander.is_ending = True
        bystander.join()
    assert not bystander.faults
    assert longest < max(BOUND, 5 * quiet), f"{longest:.0f} ms; without closes {quiet:.0f} ms"
    # The marks go nevertheless: with the bystander's commits, and while there are none.
    before = marks(daemon)
    wait_for(lambda: marks(daemon) < before, "marks go while nothing is committed")
