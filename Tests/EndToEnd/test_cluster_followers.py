"""Our clients on a real cluster: what they publish counts once, and they show the last state."""

from __future__ import annotations

import asyncio
import json
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from client import DEADLINE, REPOSITORY, binary
from cluster import Cluster, Member, absent
from postgres import Postgres
from reliability import wait_for
from web import Web

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

import gestured  # noqa: E402
import gestured.aio  # noqa: E402

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
# Seconds after a kill within which a session takes acknowledged events again, and shows them.
PAUSE_MAX = 3.0
SESSIONS = [f"follow-{number}" for number in range(6)]
LIKE = {"kind": "likes"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with Postgres() as postgres, Cluster(postgres) as cluster:
        yield cluster


class Publisher(threading.Thread):
    """Publishes to each session in turn with an answer, by a client that follows."""

    def __init__(self, cluster: Cluster) -> None:
        super().__init__(daemon=True)
        self.client = gestured.connect(control=cluster.controls(), timeout=5)
        self.counts = dict.fromkeys(SESSIONS, 0)
        self.is_over, self.failure, self.longest = False, None, 0.0
        # A session remembers the ids of former publishers.
        self.run_id = secrets.token_hex(8)

    def run(self) -> None:
        try:
            while not self.is_over:
                for session in SESSIONS:
                    began = time.monotonic()
                    self._publish(session)
                    self.longest = max(self.longest, time.monotonic() - began)
                    self.counts[session] += 1
        except BaseException as error:
            self.failure = error

    def _publish(self, session: str) -> None:
        event = {**LIKE, "id": f"{self.run_id}-{self.counts[session]}"}
        end = time.monotonic() + DEADLINE
        while True:
            try:
                self.client.publish(f"notification/{session}", event, ack=True)
                return
            except gestured.Refused as refusal:
                # Nobody knows whether it counted: the same id is sent again.
                if refusal.code != "internal" or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def end(self) -> dict[str, int]:
        self.is_over = True
        self.join(DEADLINE)
        assert not self.is_alive()
        self.client.close()
        if self.failure is not None:
            raise self.failure
        return self.counts


class Watcher(threading.Thread):
    """Shows the badges of all sessions by a client that follows."""

    def __init__(self, cluster: Cluster, *prefixes: str) -> None:
        super().__init__(daemon=True)
        self.client = gestured.connect(control=cluster.controls(), timeout=5)
        self.watch = self.client.watch(*prefixes)
        self.totals: dict[str, int] = {}
        self.epochs: dict[str, str] = {}
        self.fallen: list[tuple[str, int, int]] = []

    def run(self) -> None:
        try:
            for topic, body in self.watch:
                self._take(topic, body)
        except gestured.Closed:
            return

    def _take(self, topic: str, body: dict) -> None:
        session = topic.partition("/")[2]
        if body["total"] < self.totals.get(session, 0):
            self.fallen.append((session, self.totals[session], body["total"]))
        self.totals[session] = body["total"]
        self.epochs[session] = body["epoch"]

    def expect(self, counts: dict[str, int]) -> None:
        wait_for(
            lambda: all(self.totals.get(one) == count for one, count in counts.items()),
            f"{counts} are shown")
        self.client.close()
        self.join(DEADLINE)
        assert not self.fallen


def until_more(publisher: Publisher, count: int = 5) -> None:
    wanted = {session: have + count for session, have in publisher.counts.items()}

    def is_reached() -> bool:
        assert publisher.failure is None, publisher.failure
        return all(publisher.counts[session] >= have for session, have in wanted.items())
    wait_for(is_reached, f"{count} events more each")


@pytest.mark.parametrize("how", ["kill", "leave"])
def test_what_clients_publish_counts_once_and_is_shown(cluster: Cluster, how: str):
    publisher = Publisher(cluster)
    before = totals(cluster)
    named = Watcher(cluster, *(f"badge/{session}" for session in SESSIONS))
    everything = Watcher(cluster, "badge/")
    for thread in (named, everything, publisher):
        thread.start()
    until_more(publisher)
    goer = cluster.owner(SESSIONS[0])
    if how == "kill":
        goer.kill()
    else:
        assert goer.stop() == 0
    until_more(publisher)
    goer.again()
    cluster.wait_until_shared()
    until_more(publisher)
    counts = {one: before[one] + count for one, count in publisher.end().items()}
    named.expect(counts)
    everything.expect({**before, **counts})
    assert totals(cluster) == counts
    print(f"{how}: the longest event took {publisher.longest:.2f} s")
    assert publisher.longest < PAUSE_MAX + 1


def totals(cluster: Cluster) -> dict[str, int]:
    with gestured.connect(control=cluster.controls()) as client:
        found = {}
        for session in SESSIONS:
            client.request("open", session=session, scene="phone")
            snapshot = client.request("snapshot", session=session)
            bodies = {one["topic"]: one["body"] for one in snapshot["updates"]}
            found[session] = bodies[f"badge/{session}"]["total"]
        return found


def test_a_browser_shows_no_more_than_a_pause(cluster: Cluster):
    session = "browsed"
    with Web(None, "--control", ",".join(cluster.controls())) as web, web.connect() as client:
        client.web(daemon=True)
        client.ok("open", session=session, scene="phone")
        client.subscribe(f"badge/{session}", f"session/{session}")
        had = client.ok("publish", topic=f"notification/{session}", body={**LIKE, "id": "0"})
        assert had["ok"]
        client.update(f"badge/{session}", total=1)
        owner = cluster.owner(session)
        began = owner.kill()
        assert client.ok("publish", topic=f"notification/{session}", body={**LIKE, "id": "1"})
        client.update(f"badge/{session}", total=2)
        assert time.monotonic() - began < PAUSE_MAX + 1
        owner.again()
        cluster.wait_until_shared()
        # It leaves in order: the session is elsewhere at once.
        owner = cluster.owner(session)
        moving = threading.Thread(target=owner.stop)
        moving.start()
        for number in range(2, 30):
            event = {**LIKE, "id": str(number)}
            while not (reply := client.ask(
                    "publish", topic=f"notification/{session}", body=event))["ok"]:
                assert reply["error"]["code"] in ("internal", "unavailable"), reply
        moving.join()
        client.update(f"badge/{session}", total=30)
        owner.again()
        cluster.wait_until_shared()


def test_figures_are_those_of_one_member(cluster: Cluster):
    """Before all of them a bridge tells its own: another one may answer the next time."""
    owned = 0.0
    for member in cluster.members.values():
        with Web(member) as web:
            web.await_metric("gestured_up", lambda value: value == 1)
            assert web.metric("gestured_shards") == 256 and web.metric("gestured_leased") == 1
            owned += web.metric("gestured_shards_owned")
    assert owned == 256
    with Web(None, "--control", ",".join(cluster.controls())) as web:
        web.await_metric("gestured_up", lambda value: value == 1)
        names = {name for name, _ in web.metrics()}
        assert {name for name in names if name.startswith("gestured_")} == {"gestured_up"}


def test_a_browser_at_rest_sees_its_session_come_back(cluster: Cluster):
    session = "resting"
    with Web(None, "--control", ",".join(cluster.controls())) as web, web.connect() as client:
        client.web(daemon=True)
        client.ok("open", session=session, scene="phone")
        client.subscribe(f"badge/{session}", f"session/{session}", f"frame/{session}")
        epoch = client.ok("snapshot", session=session)["epoch"]
        owner = cluster.owner(session)
        began = owner.kill()
        while client.update(f"frame/{session}")["epoch"] == epoch:
            pass
        assert time.monotonic() - began < PAUSE_MAX + 1
        owner.again()
        cluster.wait_until_shared()


def test_asyncio_follows_too(cluster: Cluster):
    session = "asynchronous"

    async def play() -> float:
        async with gestured.aio.connect(control=cluster.controls()) as client:
            await client.request("open", session=session, scene="phone")
            watch = client.watch(f"badge/{session}")
            assert await watch.next(DEADLINE)
            owner = cluster.owner(session)
            began = owner.kill()
            await client.publish(f"notification/{session}", LIKE, ack=True)
            await client.publish(f"notification/{session}", LIKE)
            while (update := await watch.next(DEADLINE)) and update[1]["total"] < 2:
                pass
            assert update and update[1]["total"] == 2
            took = time.monotonic() - began
            await asyncio.to_thread(again, cluster, owner)
            return took
    assert asyncio.run(play()) < PAUSE_MAX + 1


def again(cluster: Cluster, member: Member) -> None:
    member.again()
    cluster.wait_until_shared()


def test_gesturectl_follows(cluster: Cluster):
    ctl = [str(binary().with_name("gesturectl")), "--control", ",".join(cluster.controls())]

    def run(*words: str) -> str:
        done = subprocess.run(
            [*ctl, *words], capture_output=True, text=True, timeout=DEADLINE, check=True)
        return done.stdout
    run("open", "tool", "phone")
    lines = run("members").splitlines()[1:]
    assert sorted(line.split()[0] for line in lines) == sorted(cluster.members)
    with subprocess.Popen(
            [*ctl, "watch", "--json", "badge/tool"], stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True) as watch:
        assert watch.stdout is not None
        try:
            assert json.loads(watch.stdout.readline())["body"]["total"] == 0
            owner = cluster.owner("tool")
            assert f"owner.name {owner.name}\n" in run("locate", "tool")
            began = owner.kill()
            run("publish", "--ack", "notification/tool", json.dumps({**LIKE, "id": "1"}))
            run("publish", "notification/tool", json.dumps(LIKE))
            while json.loads(watch.stdout.readline())["body"]["total"] < 2:
                pass
            assert time.monotonic() - began < PAUSE_MAX + 2
            again(cluster, owner)
        finally:
            watch.terminate()
