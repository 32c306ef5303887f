"""A cluster's replies and updates are as the schemas say, and agree with each other."""

from __future__ import annotations

import pytest
from cluster import Cluster, Member, absent
from postgres import Postgres
from reliability import wait_for
from scenes import still
from schemas import expect

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
NAMES = ("left", "right")


@pytest.fixture(scope="module")
def cluster():
    with Postgres() as postgres, Cluster(postgres, NAMES) as cluster:
        yield cluster


def described(member: Member) -> dict:
    """The member as it is told of itself, by what it says to those who connect."""
    hello = member.requests().ok("hello")
    return {"name": member.name, "daemon": hello["epoch"], **hello["endpoints"]}


def test_all_members_tell_the_same(cluster: Cluster, session: str):
    owner = cluster.owner(session)
    for member in cluster.members.values():
        answer = member.requests().ok("locate", session=session)
        expect("reply-locate.json", answer)
        assert answer["here"] is (member is owner) and answer["owner"] == described(owner)
        assert 0 <= answer["shard"] < 256 and answer["version"] >= 256
        answer = member.requests().ok("members")
        expect("reply-members.json", answer)
        assert answer["shards"] == 256 == sum(it["shards"] for it in answer["members"])
        assert answer["cluster"]
        for one in answer["members"]:
            known = described(cluster.members[one["name"]])
            assert {key: one[key] for key in known} == known
            assert one["state"] == "live" and one["weight"] == 1
        stats = member.requests().ok("stats")["stats"]
        assert stats["members"] == 2
        assert stats["shards_owned"] == {
            one["name"]: one["shards"] for one in answer["members"]}[member.name]


def test_a_request_to_another_member_is_told_the_owner(cluster: Cluster, session: str):
    owner = cluster.owner(session)
    other = next(it for it in cluster.members.values() if it is not owner)
    control = other.requests()
    before = control.ok("stats")["stats"]["requests_moved"]
    asked = [
        ("open", {"scene": still()}), ("close", {}), ("snapshot", {}), ("export", {}),
        ("scene", {}), ("time", {}), ("hit", {"x": 1, "y": 1}), ("import", {"document": {}})]
    for op, fields in asked:
        reply = control.ask(op, session=session, **fields)
        expect(f"reply-{op}.json", reply)
        assert reply["error"]["code"] == "moved", reply
        assert reply["error"]["owner"] == described(owner) and session in reply["error"]["message"]
    reply = control.ask("publish", topic=f"notification/{session}", body={"kind": "likes"})
    expect("reply-publish.json", reply)
    assert reply["error"]["owner"] == described(owner)
    # Nothing happened there, and nothing at the owner's.
    assert session not in owner.requests().sessions()
    assert control.ok("stats")["stats"]["requests_moved"] == before + len(asked) + 1
    # A request without its fields is refused as anywhere.
    assert control.refused("hit", session=session)["code"] == "missing-field"


def test_a_session_that_moves_says_where_to(cluster: Cluster, session: str):
    owner = cluster.owner(session)
    other = next(it for it in cluster.members.values() if it is not owner)
    owner.requests().open(session, still())
    first = owner.requests().ok("snapshot", session=session)
    updates = owner.subscriber(f"session/{session}")
    owner.process.terminate()
    moved = updates.find(f"session/{session}", event="moved")
    expect("update-session.json", moved.body)
    assert moved.body["epoch"] == first["epoch"] and moved.body["owner"] == described(other)
    # The heir may hear of it a moment later than the others.
    wait_for(lambda: other.requests().ask("snapshot", session=session)["ok"], "it is there")
    second = other.requests().ok("snapshot", session=session)
    (former, n), (later, m) = (it["epoch"].rsplit(".", 1) for it in (first, second))
    assert former == later and int(m) > int(n)
    owner.again()
    cluster.wait_until_shared(*NAMES)


def test_a_heartbeat_tells_of_its_member(cluster: Cluster):
    for name, member in cluster.members.items():
        body = member.subscriber("heartbeat").find("heartbeat").body
        expect("update-heartbeat.json", body)
        assert body["member"] == name and body["leased"] is True
        assert body["shards"] == member.requests().ok("stats")["stats"]["shards_owned"] > 0

