"""Clients of gesture-web that mean no good: nothing that one of them does reaches another.

Each attack runs in a process of its own, beside clients of gesture-web and peers of the daemon.
The daemon behind it asks for keys, or it does not.
"""

from __future__ import annotations

import contextlib
import time

import pytest
from bystander import IS_SOAK, Arrival
from client import DEADLINE
from reliability import busy_seconds, wait_for
from target import BOUNDS, IS_DEBUG, SLOWNESS, Target, mebibytes
from web_attacks import ATTACKS

SECONDS = 20.0 if IS_SOAK else 1.5
# The share of a core that clients which read nothing may cost gesture-web.
UNREAD_CORES_MAX = 0.2
# Two frames: readers that stop cost the others none.
TIGHT = BOUNDS | {"frame": 34.0}


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "keys"])
def target(request: pytest.FixtureRequest):
    with Target(is_curve=request.param) as target:
        yield target


@pytest.mark.parametrize("name", [
    "dead_readers", "many_dead_readers", "unread_merges", "unfinished_messages", "half_open",
    "request_hogs",
    "large_messages", "deflated_messages", "many_members", "long_names", "names_in_requests",
    "costly_heads",
    "scenes_that_change_themselves", "changes_by_events",
    "changes_by_requests", "pings", "pongs", "empty_blocks", "small_bombs", "small_messages",
    "deflated_readers", "overlapping_readers", "unread_exports", "costly_requests",
    "deflated_snapshots"])
def test_another_client_notices_nothing_of(target: Target, name: str) -> None:
    assert name in ATTACKS
    target.prove(
        [target.visitor(name)], SECONDS, TIGHT if name == "dead_readers" else BOUNDS)


@pytest.mark.parametrize("name", [
    "light_requests", "churned_requests", "waiting_prefixes", "large_frames"])
def test_those_who_arrive_notice_nothing_of(target: Target, name: str) -> None:
    """Nor do the others."""
    if target.is_curve and name == "large_frames":
        name = "fewer_large_frames"
    arrival = Arrival(target.place)
    arrival.start()
    try:
        target.prove([target.visitor(name)], SECONDS, more=[arrival])
    finally:
        arrival.is_ending = True
        arrival.join(DEADLINE)


def test_a_flood_of_events_holds_no_updates_up(target: Target) -> None:
    """Four processes want all of two cores: each may wait three times as long."""
    if target.is_curve:
        pytest.skip("where all is encrypted, large_frames takes a core by itself")
    target.prove(
        [target.visitor("large_frames"), target.client("empty_frames")], 2 * SECONDS,
        {what: 3 * bound for what, bound in BOUNDS.items()})


@pytest.mark.parametrize("flood", ["small_events", "large_events"])
def test_a_flood_that_clients_follow_delays_no_other_session(target: Target, flood: str) -> None:
    """The clients follow the sessions that are flooded, too."""
    target.prove([target.visitor("overlapping_readers"), target.client(flood)], SECONDS)


def test_exports_that_wait_keep_no_small_answer_back(target: Target) -> None:
    """Others have used up the room for large replies, and clients of gesture-web ask for more."""
    # Two attacks at once may take twice the time.
    twice = {what: 2 * bound for what, bound in BOUNDS.items()}
    target.prove(
        [target.client("large_replies"), target.visitor("unread_exports")], 2 * SECONDS, twice)


def test_clients_that_read_nothing_cost_little(target: Target) -> None:
    """All that waits for them is merged, at the cost of one reader and not of each."""
    with contextlib.ExitStack() as stack:
        stack.callback(target.clean)
        shares = []
        # The same sessions with one client that reads, then with others beside it that do not.
        for name in ("read_merges", "unread_merges"):
            attack = target.visitor(name)(30 + 3 * SECONDS)
            stack.callback(attack.end)
            attack.begins()
            time.sleep(0.3)
            process, began = target.web.process.pid, time.monotonic()
            used = busy_seconds(process)
            time.sleep(SECONDS)
            shares.append((busy_seconds(process) - used) / (time.monotonic() - began))
    print(f"gesture-web takes {shares[0]:.2f} of a core, and {shares[1]:.2f} with unread clients")
    assert shares[0] > 0.01, "nothing moves"
    assert shares[1] - shares[0] <= (1.0 if IS_DEBUG else UNREAD_CORES_MAX * SLOWNESS), shares


def test_memory_is_given_back_after_a_surge() -> None:
    with Target() as target:
        process = target.web.process.pid
        before = mebibytes(process, "VmRSS")
        peak = 0.0
        for name in ("large_messages", "deflated_messages", "many_members"):
            peak = max(peak, target.judge([target.visitor(name)], 2.0).memory["gesture-web"])
        assert peak > before + 32, f"no surge: from {before:.0f} to {peak:.0f} MiB"
        # As much as it may keep by `MemoryReturn`.
        wait_for(
            lambda: mebibytes(process, "VmRSS") <= before + 18,
            f"what grew from {before:.0f} to {peak:.0f} MiB is given back")


def test_newcomers_join_while_others_begin_and_end_prefixes(target: Target) -> None:
    """They are not refused, and wait for one prefix of each other client at most."""
    attack = target.visitor("churn")(30.0)
    try:
        attack.begins()
        # By then all clients together have used up what they may begin at once.
        refused = target.web.metric("gesture_web_subscriptions_waiting")
        end = time.monotonic() + 15
        while not refused and time.monotonic() < end:
            time.sleep(0.1)
            refused = target.web.metric("gesture_web_subscriptions_waiting")
        assert refused, "the rate is not used up"
        waits = []
        for number in range(10):
            with target.web.connect() as client:
                client.web(daemon=True)
                began = time.monotonic()
                for kind in ("scene", "frame", "session", "rejected"):
                    client.send({"subscribe": f"{kind}/newcomer{number}"})
                client.subscribe("badge/newcomer")
                waits.append(time.monotonic() - began)
                assert not [message for message in client.early if "error" in message]
    finally:
        attack.end(is_checked=False)
    print(f"newcomers waited at most {max(waits):.2f} s")
    assert max(waits) < 2, waits


UPGRADE = (
    "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: {}\r\n")
OWN, FOREIGN = "Host: 127.0.0.1\r\n", "Host: elsewhere.example\r\n"


HEADS = {
    "a line feed in a path": "GET /metrics%0aHost:127.0.0.1: HTTP/1.1\r\n" + FOREIGN,
    "the same of the own host": "GET /metrics%0aHost:127.0.0.1: HTTP/1.1\r\n" + OWN,
    "a line's end in a path": "GET /metrics%0d%0aHost:127.0.0.1: HTTP/1.1\r\n" + FOREIGN,
    "a carriage return at the end": "GET /metrics%0d HTTP/1.1\r\n" + OWN,
    "a line feed at the end": "GET /metrics%0a HTTP/1.1\r\n" + OWN,
    "a foreign host behind the own": "GET /metrics HTTP/1.1\r\n" + OWN + FOREIGN,
    "a foreign host before the own": "GET /metrics HTTP/1.1\r\n" + FOREIGN + OWN,
    "the own host twice": "GET / HTTP/1.1\r\n" + OWN + OWN + UPGRADE.format(13),
    "version 12": "GET / HTTP/1.1\r\n" + OWN + UPGRADE.format(12),
    "an upgrade by POST": "POST / HTTP/1.1\r\n" + OWN + UPGRADE.format(13),
    "an upgrade by HTTP 1.0": "GET / HTTP/1.0\r\n" + OWN + UPGRADE.format(13),
}


@pytest.mark.parametrize("name", HEADS)
def test_a_request_is_refused_that_has(target: Target, name: str) -> None:
    with target.web.raw(HEADS[name].encode() + b"\r\n") as opened:
        opened.settimeout(2)
        answer = b""
        # One that is upgraded stays open.
        with contextlib.suppress(TimeoutError, ConnectionResetError):
            while part := opened.recv(65_536):
                answer += part
    assert answer.startswith((b"HTTP/1.1 4", b"HTTP/1.0 4")), answer[:200]
    assert b"gesture_web_" not in answer and b"gestured_" not in answer, answer[:2_000]
