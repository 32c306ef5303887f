"""A member without its lease, and one that has lost its life, on real daemons."""

from __future__ import annotations

import time

import pytest
from cluster import Cluster, absent
from postgres import Postgres
from reliability import hold_to, wait_for
from scenes import still

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
NAMES = ("left", "right")
SESSIONS = 24


@pytest.fixture(scope="module")
def postgres():
    with Postgres() as postgres:
        yield postgres


def test_a_lost_member_says_that_its_sessions_have_moved(postgres: Postgres, session: str):
    """It stood still for longer than its lease, and finds out when it wakes up."""
    with Cluster(postgres, NAMES) as cluster:
        names = [f"{session}-{number}" for number in range(SESSIONS)]
        victim = cluster.members["left"]
        mine = [name for name in names if cluster.owner(name) is victim]
        assert len(mine) > 2
        epochs = {
            name: cluster.ok("open", name, scene=still())["epoch"] for name in mine}
        updates = victim.subscriber("session/")
        with victim.stopped():
            cluster.wait_until_owned({"right"})
        told: dict[str, dict] = {}
        while len(told) < len(mine):
            update = updates.until(lambda it: it.body.get("event") == "moved", "all move")[-1]
            told[update.topic.removeprefix("session/")] = update.body
        assert {name: body["epoch"] for name, body in told.items()} == epochs
        assert all(body["owner"] is None or body["owner"]["name"] == "right"
                   for body in told.values())
        cluster.wait_until_shared()


def test_nothing_is_acknowledged_without_a_lease(postgres: Postgres, session: str):
    """Not even what needs no commit: another member may own the session by now."""
    with Cluster(postgres, ("left",), proxied=True) as cluster:
        member = cluster.members["left"]
        cluster.ok("open", session, scene=still())
        like = {"topic": f"notification/{session}", "body": {"kind": "likes", "id": "once"}}
        touch = {"topic": f"gesture/{session}", "body": {
            "gesture": "pointer", "phase": "began", "pointer": 1, "x": 1, "y": 1}}
        open_again = {"session": session, "scene": still()}
        assert cluster.ask("publish", **like)["ok"] and cluster.ask("publish", **touch)["ok"]
        beats = member.subscriber("heartbeat")
        member.proxy.hold()
        beats.find("heartbeat", leased=False)
        for op, fields in (("publish", like), ("publish", touch), ("open", open_again)):
            answer = cluster.ask(op, **fields)
            assert not answer["ok"] and answer["error"]["code"] == "internal", (op, answer)
        # It shows all that it still has.
        assert cluster.ask("snapshot", session=session)["ok"]
        member.proxy.resume()
        beats.find("heartbeat", leased=True)
        wait_for(lambda: cluster.ask("publish", **like)["ok"], "publishes are acknowledged again")
        assert cluster.ask("publish", **like)["duplicate"] is True
        assert cluster.snapshot(session)[f"badge/{session}"]["counts"] == {"likes": 1}


def test_an_orderly_end_waits_for_no_lease(postgres: Postgres, session: str):
    """With a long lease, too; its shards are free at once."""
    with Cluster(postgres, ("left",), cluster="lease = 60\n") as cluster:
        member = cluster.members["left"]
        cluster.ok("open", session, scene=still())
        began = time.monotonic()
        assert member.stop() == 0
        took = time.monotonic() - began
        assert cluster.owners() == {"": 256}
        log = member.log()
        assert "another member has taken over" not in log and "ended" not in log, log
    hold_to(took, 3, "an orderly end")
