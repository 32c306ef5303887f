"""gesture-web before a cluster: a browser sees one daemon that has all sessions."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest
from false_cluster import EPOCH, FalseCluster
from reliability import wait_for
from web import Socket, Web

LIKE = {"kind": "likes"}


@pytest.fixture
def cluster() -> Iterator[FalseCluster]:
    with FalseCluster("left", "right", "third") as cluster:
        cluster.own("s", "left")
        cluster.own("t", "right")
        yield cluster


@pytest.fixture
def client(cluster: FalseCluster) -> Iterator[Socket]:
    seeds = ",".join(cluster.seeds("right", "left"))
    with Web(None, "--control", seeds) as web, web.connect() as client:
        client.web(daemon=True)
        yield client


def badge(client: Socket, cluster: FalseCluster, seconds: float = 1) -> dict:
    """The next badge of the session's present life."""
    began = time.monotonic()
    body = client.update("badge/s", epoch=cluster.epoch("s"))
    assert time.monotonic() - began < seconds
    return body


def test_requests_reach_the_owner_of_their_session(client: Socket, cluster: FalseCluster):
    for session in ("s", "t"):
        assert client.ok("snapshot", session=session)["epoch"] == cluster.epoch(session)
    assert client.ok("publish", topic="notification/s", body=LIKE)
    assert cluster.counts == {"s": 1}
    assert client.ok("locate", session="t")["owner"]["name"] == "right"
    assert client.ok("time")


def test_a_sync_comes_once_when_all_members_have_answered(client: Socket, cluster: FalseCluster):
    cluster.members["third"].silence()
    began = time.monotonic()
    client.send({"subscribe": "sync/a"})
    client.update("sync/a")
    # A member that says nothing is waited for a second.
    assert 0.7 < time.monotonic() - began < 2
    cluster.members["third"].is_silent = False
    client.subscribe()
    assert not [one for one in client.during(0.3) if one.get("topic", "").startswith("sync/a")]


def test_heartbeats_are_those_of_one_member(client: Socket, cluster: FalseCluster):
    client.subscribe("heartbeat")
    epochs = {one["body"]["epoch"] for one in client.during(2.2) if one.get("topic")}
    assert len(epochs) == 1
    # So are the answers to a sync, however the members' answers follow each other.
    for number in range(20):
        client.send({"subscribe": f"sync/home{number}"})
        epochs.add(client.update(f"sync/home{number}")["epoch"])
    assert len(epochs) == 1


def test_events_go_to_one_member_which_may_pass_them_on(client: Socket, cluster: FalseCluster):
    client.subscribe("badge/s")
    for session in ("s", "unknown"):
        client.send({"topic": f"notification/{session}", "body": LIKE})
    badge(client, cluster)
    wait_for(lambda: len(cluster.events) == 2, "both events come")
    assert all(rest == [b"3"] for _, rest in cluster.events)


def test_a_browser_sees_a_session_go_on_elsewhere(client: Socket, cluster: FalseCluster):
    client.subscribe("badge/s")
    for name in ("right", "new"):
        if name == "new":
            cluster.add(name)
        cluster.own("s", name)
        badge(client, cluster)
        cluster.members["left"].tell.append(("badge/s", f"k3f9-7.{EPOCH}", {"late": True}))
        client.send({"topic": "notification/s", "body": LIKE})
        while badge(client, cluster)["total"] < cluster.counts.get("s", 1):
            pass
    assert not [one for one in [*client.early, *client.during(0.2)]
                if one.get("body", {}).get("late")]
    # Soon they go straight to the newest owner, which nobody has named at the start.

    def goes_straight() -> bool:
        client.send({"topic": "notification/s", "body": LIKE})
        badge(client, cluster, seconds=10)
        return cluster.events[-1] == ("new", [b"3"])

    wait_for(goes_straight, "events go to the newest owner")


def test_a_session_goes_on_when_its_member_is_gone(client: Socket, cluster: FalseCluster):
    client.subscribe("badge/s")
    client.ok("publish", topic="notification/s", body={**LIKE, "id": "1"})
    cluster.members["left"].kill()
    with cluster.lock:
        # Its heir waits until somebody asks.
        cluster.owners["s"], cluster.lives["s"] = "third", cluster.lives["s"] + EPOCH
        cluster.remove("left")
    heir = cluster.members["third"]
    wait_for(lambda: {"snapshot", "time"} & set(heir.asked), "the heir is asked", 4)
    assert client.ok("publish", topic="notification/s", body={**LIKE, "id": "2"})
    assert cluster.counts["s"] == 2


def test_a_request_waits_for_an_owner_and_counts_once(client: Socket, cluster: FalseCluster):
    client.subscribe("badge/s")
    left = cluster.members["left"]
    left.silence()
    timer = threading.Timer(1.5, lambda: (cluster.remove("left"), cluster.own("s", "third")))
    timer.start()
    assert client.ok("publish", topic="notification/s", body={**LIKE, "id": "1"})
    timer.join()
    cluster.own("s", None)
    threading.Timer(0.5, lambda: cluster.own("s", "right")).start()
    assert client.ok("publish", topic="notification/s", body={**LIKE, "id": "2"})
    left.is_silent = False
    left.kill()
    assert cluster.counts["s"] == 2


@pytest.mark.parametrize("owner", [
    7, {}, {"daemon": 7}, {"daemon": "d", "events": ["x"], "updates": ["y"], "control": ["z"]}])
def test_nonsense_about_an_owner_harms_nobody(
    client: Socket, cluster: FalseCluster, owner: object
):
    right = cluster.members["right"]
    right.answer_all = {"ok": False, "error": {
        "code": "moved", "message": "there", "owner": owner}}
    client.send({"request": {"op": "snapshot", "session": "t", "id": 1}})
    cluster.members["left"].tell.append(
        ("session/s", cluster.epoch("s"), {"event": "moved", "owner": owner}))
    client.subscribe("badge/s")
    right.answer_all = None
    assert client.ok("snapshot", session="s")
