"""gesturectl bridge mqtt before a cluster: what the broker delivers counts once, whoever dies."""

from __future__ import annotations

import contextlib
import time
import types
from collections.abc import Callable

import pytest
from broker import AVAILABILITY, Bridge, Broker, House
from client import DEADLINE
from cluster import LEASE, NAMES, Cluster, Member, absent
from postgres import Postgres
from reliability import wait_for

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
# Notifications while a member fails: about a second of them.
COUNT = 20
# Seconds until all of them count: another member takes over, and each may be tried some times.
SETTLED_MAX = 25.0


@contextlib.contextmanager
def killed(cluster: Cluster, member: Member):
    member.kill()
    yield
    member.again()
    cluster.wait_until_shared()


@contextlib.contextmanager
def stopped(cluster: Cluster, member: Member):
    with member.stopped():
        yield
        time.sleep(LEASE)
    cluster.wait_until_shared()


@contextlib.contextmanager
def ended(cluster: Cluster, member: Member):
    """In order: its sessions move."""
    assert member.stop() == 0
    yield
    member.again()
    cluster.wait_until_shared()


@pytest.mark.parametrize("fail", [killed, stopped, ended])
def test_what_the_broker_delivers_counts_once(session: str, fail: Callable):
    name = f"house-{session}-{fail.__name__}"
    with Broker() as broker, Postgres() as postgres, Cluster(postgres) as cluster:
        cluster.ok("open", name, scene="phone")
        everybody = types.SimpleNamespace(
            events="", updates="", control=",".join(cluster.controls()))

        def likes(failing: Member | None = None) -> int:
            """Its count, by a member that does not fail; −1 while nobody else has it."""
            witness = next(each for each in cluster.members.values() if each is not failing)
            owner = cluster.locate(name, witness)
            if owner is None or failing is not None and owner["name"] == failing.name:
                return -1
            answer = cluster.ask("snapshot", owner["control"][0], session=name)
            badges = [
                each["body"] for each in answer.get("updates", ())
                if each["topic"] == f"badge/{name}"]
            return badges[0]["counts"].get("likes", 0) if badges else -1

        with House(broker) as house, Bridge(everybody, broker, session=name):
            house.expect(AVAILABILITY, "online")
            house.tell(f"gestured/{name}/notify", "likes")
            wait_for(lambda: likes() == 1, "the first one counts", DEADLINE)
            told = 1
            # The owner, and whoever is asked first for what nobody knows.
            for member in (cluster.owner(name), cluster.members[NAMES[0]]):
                with fail(cluster, member):
                    for _ in range(COUNT):
                        house.tell(f"gestured/{name}/notify", "likes")
                        time.sleep(0.05)
                    told += COUNT
                    wait_for(lambda: likes(member) >= told, f"all {told} count", SETTLED_MAX)
            # The member that failed last may just be given its sessions again.
            wait_for(lambda: likes() == told, f"{told} count, and no more", DEADLINE)
