"""The machine of a member has a fault: a lane hangs, an heir dies, a clock is wrong."""

from __future__ import annotations

import pathlib
import time
from collections.abc import Iterator

import pytest
from cluster import LEASE, Cluster, Member, absent
from cluster_flight import throw
from postgres import Postgres
from preload import Clocks, label, library
from reliability import hold_to
from scenes import still

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
# Seconds for which lanes may say nothing until their member renews its lease no more.
LANES_MAX = 5.0
DAY = 86_400


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with Postgres() as postgres:
        yield postgres


def start(cluster: Cluster, name: str, environment: dict[str, str]) -> Member:
    """One more member, with the faults of this environment."""
    member = cluster.add(name, environment=environment)
    cluster.wait_until_shared()
    return member


def session_of(cluster: Cluster, member: Member, session: str) -> str:
    """The name of a session that a member owns."""
    for number in range(1000):
        name = f"{session}-{number}"
        if cluster.owner(name) is member:
            return name
    raise AssertionError(f"{member.name} owns none of {session}-N")


def test_a_member_whose_lane_hangs_lets_others_take_over(
        postgres: Postgres, session: str, tmp_path: pathlib.Path):
    """Its other threads go on, and could renew its lease for ever."""
    hang = tmp_path / "hang"
    with Cluster(postgres, names=("left",)) as cluster:
        member = start(
            cluster, "right", {"LD_PRELOAD": library("hang"), "HANG": str(hang)} | label())
        name = session_of(cluster, member, session)
        throw(cluster, name)
        body = {"kind": "likes", "id": "once"}
        cluster.publish(f"notification/{name}", body)
        hang.touch()
        began = time.monotonic()
        owned = cluster.wait_until_owned({"left"}) - began
        assert cluster.ask("hello", member)["ok"], "its reactor hangs as well"
        assert cluster.ask("publish", cluster.members["left"], topic=f"notification/{name}",
                           body=body)["duplicate"]
        hang.unlink()
        cluster.wait_until_shared()
        assert cluster.publish(f"notification/{name}", body)["duplicate"]
        assert cluster.snapshot(name)[f"badge/{name}"]["total"] == 1
    assert owned > 2 * LEASE, "it lets a lane that is slow no time"
    hold_to(owned, LANES_MAX + 2 * LEASE + 1, "the owner of every shard")


def test_what_an_heir_takes_as_it_dies_comes_back_at_rest(postgres: Postgres, session: str):
    """The motion was for the heir's epoch; in the next one it does not go on."""
    with Cluster(postgres, names=("left", "heir"), proxied=True) as cluster:
        leaver, heir = cluster.members["left"], cluster.members["heir"]
        name = session_of(cluster, leaver, session)
        throw(cluster, name)
        cluster.publish(f"notification/{name}", {"kind": "likes", "id": "once"})
        heir.proxy.hold()
        leaver.process.terminate()
        assert leaver.process.wait(10) == 0
        heir.kill()
        heir.proxy.resume()
        with cluster.database() as database:
            state = database.rows(
                "SELECT motion IS NOT NULL AND motion_for = s.epoch, m.name"
                " FROM gestured.session JOIN gestured.shard s ON s.number = shard"
                f" JOIN gestured.member m ON m.id = s.owner WHERE session.id = '{name}'")
        assert state == [("t", "heir")], f"{state}: it has not died while it took"
        third = cluster.add("third")
        cluster.wait_until_owned({"third"})
        snapshot = cluster.snapshot(name)
        assert cluster.owner(name) is third
        assert snapshot[f"badge/{name}"]["total"] == 1
        assert snapshot[f"state/{name}/world"]["phase"] == "resting", snapshot


def test_a_members_clock_that_is_wrong_changes_times_alone(
        postgres: Postgres, session: str, tmp_path: pathlib.Path):
    """A year ahead: no session expires, and no number of counts falls when they go elsewhere."""
    clocks = Clocks(tmp_path / "clocks")
    clocks.set(wall=365 * DAY)
    with Cluster(postgres, names=("left",)) as cluster:
        member = start(cluster, "right", clocks.environment())
        names = [session_of(cluster, it, f"{session}-{it.name}") for it in (
            member, cluster.members["left"])]
        for name in names:
            cluster.ok("open", name, scene=still())
        owned = cluster.epochs()
        cluster.wait_a_lease()
        assert cluster.epochs() == owned, "a shard changed hands"
        before = [publish(cluster, name) for name in names]
        assert before[0]["t"] - before[1]["t"] > 300 * DAY * 1000, "its clock is right"
        assert member.stop() == 0
        after = [publish(cluster, name) for name in names]
        assert [it["total"] for it in after] == [2, 2]
        assert all(b["version"] > a["version"] for a, b in zip(before, after)), (before, after)
        assert n_of(after[0]) > n_of(before[0])
        listed = cluster.ask("sessions", limit=1000)["sessions"]
        assert set(names) <= set(listed)


def publish(cluster: Cluster, session: str) -> dict:
    cluster.publish(f"notification/{session}", {"kind": "likes"})
    return cluster.snapshot(session)[f"badge/{session}"]


def n_of(body: dict) -> int:
    return int(body["epoch"].rpartition(".")[2])
