"""Clients of a cluster: they find the owner, follow it, and leave out what comes late."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from client import DEADLINE, REPOSITORY, binary
from false_cluster import FalseCluster
from reliability import wait_for

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

import gestured  # noqa: E402
import gestured.aio  # noqa: E402

LIKE = {"kind": "likes"}
# Seconds for all tries of a call: long enough for a member's end to be noticed.
TIMEOUT = 6


@pytest.fixture
def cluster() -> Iterator[FalseCluster]:
    with FalseCluster("left", "right", "third") as cluster:
        cluster.own("s", "left")
        yield cluster


class Python:
    """The client without asyncio."""

    def __init__(self, seeds: list[str]) -> None:
        self.client = gestured.connect(control=seeds, timeout=TIMEOUT)
        self.locate, self.members = self.client.locate, self.client.members
        self.publish, self.request = self.client.publish, self.client.request
        self.watch: Any = None

    def begin(self, *prefixes: str) -> None:
        self.watch = self.client.watch(*prefixes)

    def next(self, seconds: float = DEADLINE) -> Any:
        return self.watch.next(seconds)

    def close(self) -> None:
        self.client.close()


class Asyncio:
    """The client for asyncio, in a loop of another thread."""

    def __init__(self, seeds: list[str]) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.client = self.run(self._connect, seeds)

    async def _connect(self, seeds: list[str]) -> gestured.aio.Client:
        return gestured.aio.connect(control=",".join(seeds), timeout=TIMEOUT)

    def run(self, call: Callable[..., Any], *values: Any, **named: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(call(*values, **named), self.loop).result(60)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *values, **named: self.run(getattr(self.client, name), *values, **named)

    def begin(self, *prefixes: str) -> None:
        async def watch() -> Any:
            return self.client.watch(*prefixes)
        self.watched = self.run(watch)

    def next(self, seconds: float = DEADLINE) -> Any:
        return self.run(self.watched.next, seconds)

    def close(self) -> None:
        self.run(self.client.close)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()


@pytest.fixture(params=[Python, Asyncio])
def client(request: pytest.FixtureRequest, cluster: FalseCluster) -> Iterator[Any]:
    one = request.param(cluster.seeds("right", "left"))
    yield one
    one.close()


@pytest.fixture
def hasty(cluster: FalseCluster) -> Iterator[gestured.Client]:
    """A client that gives up soon."""
    with gestured.connect(control=cluster.seeds("right", "left"), timeout=0.4) as client:
        yield client


def until(client: Any, wanted: Callable[[str, dict[str, Any]], bool]) -> dict[str, Any]:
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        update = client.next(end - time.monotonic())
        if update is not None and wanted(*update):
            return update[1]
    raise AssertionError("it did not come")


def test_it_tells_who_owns_and_who_is_there(client: Any):
    assert client.locate("s")["owner"]["name"] == "left"
    assert client.locate("nobody")["owner"] is None
    names = [one["name"] for one in client.members()["members"]]
    assert names == ["left", "right", "third"]


def test_an_event_goes_to_the_owner_alone_and_may_be_passed_on(
    client: Any, cluster: FalseCluster
):
    client.publish("notification/s", LIKE)
    wait_for(lambda: cluster.events, "the event comes")
    cluster.own("s", "third")
    assert client.publish("notification/s", LIKE, ack=True)["ok"]
    assert cluster.events == [("left", [b"3"])] and cluster.counts["s"] == 2
    # An owner is believed for a second; then it is asked for.
    def is_found() -> bool:
        client.publish("notification/s", LIKE)
        return ("third", [b"3"]) in cluster.events
    wait_for(is_found, "events go to the new owner")


def test_a_watch_goes_on_where_the_session_goes(client: Any, cluster: FalseCluster):
    client.begin("badge/s")
    assert until(client, lambda *_: True)["epoch"] == cluster.epoch("s")
    for name in ("right", "new"):
        if name == "new":
            cluster.add(name)
        cluster.own("s", name)
        began = time.monotonic()
        until(client, lambda _, body: body["epoch"] == cluster.epoch("s"))
        assert time.monotonic() - began < 1
        # The former owner still says something.
        cluster.members["left"].tell.append(("badge/s", "k3f9-7.67108864", {"late": True}))
        client.publish("notification/s", LIKE, ack=True)
        body = until(client, lambda _, body: body["total"] == cluster.counts["s"])
        assert "late" not in body


def test_an_acknowledged_event_counts_once_when_its_owner_dies(
    client: Any, cluster: FalseCluster
):
    client.begin("badge/s")
    until(client, lambda *_: True)
    dead = cluster.members["left"]
    dead.silence()
    timer = threading.Timer(1.5, lambda: (cluster.remove("left"), cluster.own("s", "third")))
    timer.start()
    began = time.monotonic()
    assert client.publish("notification/s", LIKE, ack=True)["ok"]
    until(client, lambda _, body: body["total"] == 1)
    assert time.monotonic() - began < 4
    timer.join()
    dead.is_silent = False
    dead.kill()
    assert cluster.counts["s"] == 1


def test_a_session_at_rest_is_asked_for_when_its_member_is_gone(
    client: Any, cluster: FalseCluster
):
    client.begin("badge/s")
    until(client, lambda *_: True)
    cluster.members["left"].kill()
    with cluster.lock:
        # Its heir waits until somebody asks.
        cluster.owners["s"], cluster.lives["s"] = "third", cluster.lives["s"] + (1 << 26)
        cluster.counts["s"] = 7
        cluster.remove("left")
    assert until(client, lambda _, body: body["epoch"] == cluster.epoch("s"))["total"] == 7


def test_nobody_owns_it_for_a_moment(client: Any, cluster: FalseCluster):
    cluster.own("s", None)
    threading.Timer(0.5, lambda: cluster.own("s", "third")).start()
    assert client.publish("notification/s", LIKE, ack=True)["ok"]
    cluster.own("s", None)
    threading.Timer(0.5, lambda: cluster.own("s", "right")).start()
    client.publish("notification/s", LIKE)
    wait_for(lambda: cluster.counts["s"] == 2, "both count")


def test_members_that_do_not_agree_are_not_asked_without_end(
    hasty: gestured.Client, cluster: FalseCluster
):
    left, right = cluster.members["left"], cluster.members["right"]
    for one, other in ((left, "right"), (right, "left")):
        one.answer_all = {"ok": False, "error": {
            "code": "moved", "message": "there", "owner": cluster.entry(other)}}
    with pytest.raises(gestured.NoAnswer) as failure:
        hasty.request("close", session="s")
    assert left.control in str(failure.value) and right.control in str(failure.value)
    # Three at once, then a pause of 100 ms, for 0.4 s.
    assert len(left.asked + right.asked) < 3 * 8


@pytest.mark.parametrize("owner", [
    7, [], {}, {"daemon": "d"}, {"daemon": 7, "control": "x"}, None,
    {"daemon": "d", "events": ["nonsense"], "updates": [""], "control": ["tcp://nowhere"]},
    {"daemon": "d", "events": [7], "updates": {}, "control": [None]}])
def test_nonsense_about_an_owner_ends_as_no_answer(
    hasty: gestured.Client, cluster: FalseCluster, owner: object
):
    for member in cluster.members.values():
        member.answer_all = {"ok": False, "error": {
            "code": "moved", "message": "there", "owner": owner}}
    with pytest.raises(gestured.NoAnswer):
        hasty.request("close", session="s")


def test_a_request_without_an_id_is_sent_once(client: Any, cluster: FalseCluster):
    client.request("snapshot", session="s")
    left = cluster.members["left"]
    left.silence()
    with pytest.raises(gestured.NoAnswer):
        client.request("close", session="s")
    left.is_silent = False
    wait_for(lambda: "close" in left.asked, "the owner is asked")
    assert not any("close" in cluster.members[name].asked for name in ("right", "third"))


@pytest.mark.parametrize("control", [
    "a,", ",a", ["a", ""], [], ["a", " "], [f"tcp://h:{port}" for port in range(65)]])
def test_a_bad_list_of_endpoints_is_refused(control: Any):
    with pytest.raises(ValueError):
        gestured.connect(control=control)


def ctl(cluster: FalseCluster, *words: str, status: int = 0) -> str:
    seeds = ",".join(cluster.seeds("right", "left"))
    done = subprocess.run(
        [str(binary().with_name("gesturectl")), "--control", seeds, *words], text=True,
        capture_output=True, timeout=DEADLINE, env=os.environ | {"NO_COLOR": "1"})
    assert done.returncode == status, done
    return done.stdout + done.stderr


def test_gesturectl_tells_who_owns_and_who_is_there(cluster: FalseCluster):
    lines = ctl(cluster, "members").splitlines()
    assert lines[0].split() == ["NAME", "STATE", "SHARDS", "WEIGHT", "CONTROL"]
    assert [line.split()[0] for line in lines[1:]] == ["left", "right", "third"]
    assert len(json.loads(ctl(cluster, "members", "--json"))["members"]) == 3
    assert "owner.name left" in ctl(cluster, "locate", "s")
    assert "nobody has this session" in ctl(cluster, "locate", "t", status=1)


def test_gesturectl_reaches_the_owner(cluster: FalseCluster):
    ctl(cluster, "publish", "notification/s", json.dumps(LIKE))
    wait_for(lambda: cluster.counts.get("s") == 1, "it counts")
    assert cluster.events == [("left", [b"3"])]
    ctl(cluster, "publish", "--ack", "notification/s", json.dumps(LIKE))
    assert "total=2" in ctl(cluster, "snapshot", "s")
    assert "total=2" in ctl(cluster, "watch", "--count", "1", "badge/s")
    assert "3, not" not in ctl(cluster, "--control", "a,,b", "members", status=2)


def test_gesturectl_asks_the_next_member(cluster: FalseCluster):
    cluster.members["right"].silence()
    assert "owner.name left" in ctl(cluster, "locate", "s")
    cluster.members["right"].is_silent = False


def test_gesturectl_watches_on_where_the_session_goes(cluster: FalseCluster):
    seeds = ",".join(cluster.seeds("right", "left"))
    with subprocess.Popen(
            [str(binary().with_name("gesturectl")), "--control", seeds, "watch", "--json",
             "badge/s"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as watch:
        assert watch.stdout is not None
        try:
            for name in ("left", "right", "new"):
                if name == "new":
                    cluster.add(name)
                if name != "left":
                    cluster.own("s", name)
                    cluster.members["left"].tell.append(
                        ("badge/s", "k3f9-7.67108864", {"late": True}))
                for line in watch.stdout:
                    body = json.loads(line)["body"]
                    assert "late" not in body
                    if body["epoch"] == cluster.epoch("s"):
                        break
        finally:
            watch.terminate()
