"""A flood of events at a member that does not own their sessions."""

from __future__ import annotations

import contextlib
import itertools
import time

import pytest
from client import DEADLINE
from cluster import NAMES, Cluster, absent
from postgres import Postgres
from reliability import resident_mebibytes
from target import MEMORY_MEBIBYTES_MAX
from zmtp import Raw, frame

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
# More than a member may use: it reads them faster than the owner takes them.
FLOOD_BYTES = 3_000_000_000


def test_events_for_a_slow_owner_use_up_no_memory_of_the_member_that_passes_them_on():
    with Postgres() as postgres, Cluster(postgres) as cluster:
        member, owner = (cluster.members[name] for name in NAMES[:2])
        session = next(name for number in itertools.count()
                       if cluster.owner(name := f"flooded{number}") is owner)
        cluster.ok("open", session, scene="phone")
        body = b'{"kind":"likes","x":"' + b"a" * 60_000 + b'"}'
        # The third frame says how often it may be passed on.
        event = frame(f"notification/{session}".encode(), True) + frame(body, True) + frame(b"3")
        raw = Raw(member.events, "PUB", seconds=1)
        sent, peak, end = 0, 0.0, time.monotonic() + DEADLINE
        with contextlib.suppress(TimeoutError):
            while sent < FLOOD_BYTES and time.monotonic() < end:
                raw.socket.sendall(event * 20)
                sent += 20 * len(event)
                peak = max(peak, resident_mebibytes(member))
        print(f"{sent / 1e6:.0f} MB, at most {peak:.0f} MiB")
        assert sent > FLOOD_BYTES / 10, sent
        assert peak < MEMORY_MEBIBYTES_MAX, peak
        raw.close()
