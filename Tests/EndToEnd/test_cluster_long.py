"""A cluster under load while each member is killed, stopped, cut off and restarted in turn.

Some rounds in a usual run; in the soak ten minutes (`SOAK_SECONDS=N` in place of 600). A browser
looks at one session all the while.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
from collections import defaultdict

import pytest
import zmq
from cluster import LEASE, NAMES, Cluster, Member, absent
from cluster_clients import Load
from page import Browser, Page
from postgres import Postgres
from reliability import IS_SOAK, hold_to

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
SECONDS = float(os.environ.get("SOAK_SECONDS", "600")) if IS_SOAK else 0.0
SHOWN = "shown"
SAMPLES = 24


class Hand(threading.Thread):
    """Gestures on one session, again and again, sent to all members: its owner takes them."""

    def __init__(self, cluster: Cluster):
        super().__init__(daemon=True)
        self.is_over = threading.Event()
        self.socket = cluster.context.socket(zmq.PUB)
        for member in cluster.members.values():
            self.socket.connect(member.events)

    def run(self) -> None:
        for turn in itertools.count():
            x = 160 + 60 * (-1) ** turn
            for sample in range(SAMPLES):
                phase = "began" if sample == 0 else "ended" if sample == SAMPLES - 1 else "changed"
                # Each sample moves the view: a still finger would show nothing new.
                body = {"gesture": "pan", "phase": phase, "x": x + 2 * sample, "y": 300 + sample}
                self.socket.send_multipart(
                    [f"gesture/{SHOWN}/tips".encode(), json.dumps(body).encode()])
                if self.is_over.wait(0.016):
                    self.socket.close(linger=0)
                    return


def watch(browser: Browser) -> None:
    browser.run(
        "const told = window.told = {last: performance.now(), longest: 0, count: 0};"
        "gestured.stage.session.addEventListener('frame', () => {"
        " const now = performance.now();"
        " told.longest = Math.max(told.longest, now - told.last);"
        " told.last = now; told.count += 1; });")


def longest(browser: Browser) -> float:
    """Seconds without a frame, since this was asked last."""
    told = browser.run(
        "const told = window.told; const now = performance.now();"
        "const longest = Math.max(told.longest, now - told.last); told.longest = 0;"
        "return longest / 1000")
    return told


def kill(cluster: Cluster, member: Member) -> None:
    member.kill()
    cluster.wait_until_owned(set(NAMES) - {member.name})
    member.again()


def stop(_: Cluster, member: Member) -> None:
    with member.stopped():
        time.sleep(LEASE + 1)


def cut_off(_: Cluster, member: Member) -> None:
    member.proxy.hold()
    time.sleep(LEASE + 1)
    member.proxy.resume()


def restart(_: Cluster, member: Member) -> None:
    assert member.stop() == 0
    member.again()


# Seconds without a new picture that each fault may cause: until another member owns the session of
# one that is gone, and for a planned move, which takes longer here, beside a browser.
PAUSE_MAX = {kill: 3.0, stop: 3.0, cut_off: 3.0, restart: 0.5}
FAULTS = tuple(PAUSE_MAX)


def test_each_member_in_turn():
    pauses = defaultdict(list)
    with Postgres() as postgres, Cluster(postgres, proxied=True) as cluster, Page(
        None, "--control", ",".join(cluster.controls())
    ) as page, Browser(page, 480, 900) as browser:
        cluster.ok("open", SHOWN, scene="phone")
        hand = Hand(cluster)
        with Load(cluster, [f"load-{number}" for number in range(8)]) as load:
            load.until_more()
            hand.start()
            browser.open(f"/?session={SHOWN}")
            watch(browser)
            browser.wait("return window.told.count > 60")
            began, rounds = time.monotonic(), 0
            longest(browser)
            while rounds < len(FAULTS) or time.monotonic() - began < SECONDS:
                fault = FAULTS[rounds % len(FAULTS)]
                # By laps of all faults: one meets the owner of the session that is shown, the next
                # each member by turns, since there are four of the one and three of these.
                lap, turn = divmod(rounds, len(FAULTS))
                member = cluster.owner(SHOWN) if lap % 2 == 0 else (
                    cluster.members[NAMES[(lap // 2 + turn) % len(NAMES)]])
                fault(cluster, member)
                cluster.wait_until_shared()
                load.until_more(3)
                pauses[fault.__name__].append(longest(browser))
                rounds += 1
            hand.is_over.set()
            hand.join()
            load.finish()
            load.expect_kept()
            print(f"{rounds} faults in {time.monotonic() - began:.0f} s, {load.acknowledged} "
                  "acknowledged; the browser's longest pauses: " + ", ".join(
                      f"{name} {max(found):.2f} s" for name, found in pauses.items()))
    for fault in FAULTS:
        name = fault.__name__
        hold_to(max(pauses[name]), PAUSE_MAX[fault], f"the browser's pause at {name}")
