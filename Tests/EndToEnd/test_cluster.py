"""Several daemons on one PostgreSQL: who owns what, and how clients find it."""

from __future__ import annotations

import json

import pytest
import zmq
from client import DEADLINE, Daemon, Subscriber
from cluster import NAMES, Cluster, Member, absent
from cluster_clients import Load
from postgres import Postgres
from reliability import wait_for
from scenes import still

needs_postgres = pytest.mark.skipif(bool(absent()), reason=absent())


@pytest.fixture(scope="module")
def postgres():
    with Postgres() as postgres:
        yield postgres


@pytest.fixture(scope="module")
def cluster(postgres: Postgres):
    with Cluster(postgres) as cluster:
        yield cluster
        for member in cluster.members.values():
            assert member.is_running, f"{member.name} ended on its own\n{member.log()}"


def endpoints(member: Member) -> dict:
    return {kind: [endpoint] for kind, endpoint in zip(
        ("events", "updates", "control"), member.endpoints)}


def strangers(cluster: Cluster, session: str) -> list[Member]:
    """The members that do not own a session."""
    owner = cluster.owner(session)
    return [member for member in cluster.members.values() if member is not owner]


# MARK: Alone


def test_a_single_daemon_names_itself(daemon: Daemon, session: str):
    """Clients that follow owners need no cluster."""
    control = daemon.requests()
    answer = control.ok("locate", session=session)
    assert answer["here"] is True and answer["session"] == session
    owner = answer["owner"]
    hello = control.ok("hello")
    assert owner["control"] == hello["endpoints"]["control"]
    assert owner["events"] == hello["endpoints"]["events"]
    assert owner["updates"] == hello["endpoints"]["updates"]
    assert owner["daemon"] == hello["epoch"]


def test_a_single_daemon_takes_an_event_of_three_frames(daemon: Daemon, session: str):
    control, publisher = daemon.requests(), daemon.publisher()
    control.open(session, still())
    body = json.dumps({"kind": "likes"}).encode()
    publisher.raw(f"notification/{session}".encode(), body, b"3")
    wait_for(lambda: control.badge(session)["total"] == 1, "it counts")


# MARK: Who owns what


@needs_postgres
def test_all_members_name_the_same_owner(cluster: Cluster):
    names = [f"kiosk-{number}" for number in range(40)]
    for name in names:
        told = [cluster.ask("locate", member, session=name) for member in cluster.members.values()]
        assert all(answer["ok"] for answer in told), told
        assert len({json.dumps(answer["owner"], sort_keys=True) for answer in told}) == 1, told
        assert [answer["here"] for answer in told].count(True) == 1
        assert len({answer["shard"] for answer in told}) == 1 and 0 <= told[0]["shard"] < 256
        owner = cluster.members[told[0]["owner"]["name"]]
        assert told[0]["owner"] | endpoints(owner) == told[0]["owner"]
        assert told[0]["owner"]["daemon"] == owner.epoch
    shards = {cluster.ask("locate", session=name)["shard"] for name in names}
    assert len(shards) > 20, f"40 names in {len(shards)} of 256 shards"


@needs_postgres
def test_every_member_lists_all(cluster: Cluster):
    owned = cluster.owners()
    for member in cluster.members.values():
        answer = cluster.ask("members", member)
        assert answer["ok"] and answer["shards"] == 256, answer
        found = {it["name"]: it for it in answer["members"]}
        assert set(found) == set(NAMES)
        for name, it in found.items():
            assert (it["state"], it["weight"], it["shards"]) == ("live", 1, owned[name]), it
            assert it | endpoints(cluster.members[name]) == it
    with cluster.database() as database:
        tag, version = database.rows(
            "SELECT tag, (SELECT sum(epoch) FROM gestured.shard) FROM gestured.cluster")[0]
    assert (answer["cluster"], answer["version"]) == (tag, int(version))


@needs_postgres
def test_only_the_owner_takes_a_request(cluster: Cluster, session: str):
    """The others say where it is, and do nothing."""
    owner = cluster.owner(session)
    cluster.ok("open", session, scene=still())
    requests = (
        {"op": "publish", "topic": f"notification/{session}", "body": {"kind": "likes"}},
        {"op": "open", "session": session, "scene": "phone"},
        {"op": "snapshot", "session": session}, {"op": "close", "session": session},
        {"op": "export", "session": session}, {"op": "hit", "session": session, "x": 1, "y": 1})
    for stranger in strangers(cluster, session):
        for request in requests:
            answer = cluster.ask(at=stranger, **request)
            assert not answer["ok"] and answer["error"]["code"] == "moved", answer
            assert answer["error"]["owner"]["control"] == [owner.control]
            assert owner.name in answer["error"]["message"]
    assert cluster.snapshot(session)[f"badge/{session}"]["total"] == 0


@needs_postgres
def test_an_epoch_names_cluster_shard_and_turn(cluster: Cluster, session: str):
    located = cluster.ask("locate", session=session)
    epoch = cluster.ok("open", session, scene=still())["epoch"]
    tag = cluster.ask("members")["cluster"]
    part, n = epoch.split(".")
    assert part == f"{tag}-{located['shard']}"
    with cluster.database() as database:
        turn = int(database.value(
            f"SELECT epoch FROM gestured.shard WHERE number = {located['shard']}"))
    assert int(n) // 2**26 == turn
    cluster.ok("close", session)
    again = cluster.ok("open", session, scene=still())["epoch"]
    assert again.split(".")[0] == part and int(again.split(".")[1]) > int(n)


@needs_postgres
def test_every_member_lists_all_sessions(cluster: Cluster):
    names = [f"listed-{number:02}" for number in range(12)]
    for name in names:
        cluster.ok("open", name, scene=still())
    for member in cluster.members.values():
        told = cluster.ask("sessions", member, limit=1000)["sessions"]
        assert [name for name in told if name.startswith("listed-")] == names, member.name


@needs_postgres
def test_the_heartbeat_says_who_and_how_many(cluster: Cluster):
    for member in cluster.members.values():
        beat = member.subscriber("heartbeat").find("heartbeat").body
        assert (beat["member"], beat["leased"]) == (member.name, True), beat
        assert beat["shards"] == cluster.owners()[member.name]


# MARK: Events


@needs_postgres
def test_an_event_for_one_member_alone_reaches_the_owner(cluster: Cluster, session: str):
    """Its third frame says that nobody else got it."""
    cluster.ok("open", session, scene=still())
    body = json.dumps({"kind": "likes"}).encode()
    for number, member in enumerate(cluster.members.values(), 1):
        member.publisher().raw(f"notification/{session}".encode(), body, b"3")
        wait_for(
            lambda: cluster.snapshot(session)[f"badge/{session}"]["total"] == number,
            f"what {member.name} got counts")


@needs_postgres
def test_an_event_of_two_frames_is_the_owners_alone(cluster: Cluster, session: str):
    """A publisher that is connected to all sends it to all: it counts once."""
    cluster.ok("open", session, scene=still())
    with cluster.context.socket(zmq.XPUB) as publisher:
        publisher.setsockopt(zmq.XPUB_VERBOSE, 1)
        for member in cluster.members.values():
            publisher.connect(member.events)
        for _ in cluster.members:
            assert publisher.poll(DEADLINE * 1000), "not all members subscribe"
            publisher.recv()
        before = cluster.sum_of("events_elsewhere")
        body = json.dumps({"kind": "likes"}).encode()
        publisher.send_multipart([f"notification/{session}".encode(), body])
        wait_for(
            lambda: cluster.sum_of("events_elsewhere") == before + 2, "two members leave it")
    wait_for(
        lambda: cluster.snapshot(session)[f"badge/{session}"]["total"] == 1, "it counts once")


@needs_postgres
def test_each_member_answers_sync(cluster: Cluster):
    for member in cluster.members.values():
        updates = Subscriber(member, ("sync/mine",), sync=False)
        answer = updates.find("sync/mine").body
        assert answer["epoch"].startswith(member.epoch) or answer.get("daemon") == member.epoch


# MARK: A planned move


@needs_postgres
def test_a_session_that_moves_says_so(postgres: Postgres, session: str):
    """Its last word at the former owner is `moved`, with the new one."""
    with Cluster(postgres, names=("left", "right")) as cluster:
        for number in range(6):
            cluster.ok("open", f"{session}-{number}", scene=still())
        leaver = cluster.owner(f"{session}-0")
        updates = leaver.subscriber(f"session/{session}-0")
        other = next(it for it in cluster.members.values() if it is not leaver)
        assert leaver.stop() == 0
        told = updates.find(f"session/{session}-0", event="moved").body
        assert told["owner"]["name"] == other.name and told["owner"]["control"] == [other.control]
        assert cluster.owners() == {other.name: 256}
        assert [it["name"] for it in cluster.ask("members", other)["members"]] == [other.name]
        with Load(cluster, [f"{session}-{number}" for number in range(6)]) as load:
            load.until_more()
            leaver.again()
            cluster.wait_until_shared()
            load.until_more()
            load.finish()


@needs_postgres
def test_weight_zero_owns_nothing(postgres: Postgres, session: str):
    """It answers for the others all the same."""
    with Cluster(postgres, names=("left",)) as cluster:
        member = cluster.add("front", cluster="weight = 0\n")
        cluster.wait_until_shared("left")
        assert cluster.locate(session, member)["name"] == "left"
        answer = cluster.ask("open", member, session=session, scene=still())
        assert answer["error"]["code"] == "moved"
        assert cluster.owners() == {"left": 256}


# MARK: Time alone


@needs_postgres
@pytest.mark.parametrize("is_watched", [False, True])
def test_a_parked_session_expires(postgres: Postgres, session: str, is_watched: bool):
    """The database answers late; the sweep waits for that. A watched session says that it ends."""
    config = "[sessions]\nidle_timeout = 0.2\nretention = 1\n"
    with Cluster(postgres, names=("left",), config=config) as cluster:
        member = cluster.members["left"]
        updates = member.subscriber(f"session/{session}") if is_watched else None
        cluster.ok("open", session, scene=still())
        wait_for(lambda: cluster.ask("stats", member)["stats"]["sessions_expired"] == 1,
                 "it expires")
        if updates:
            updates.find(f"session/{session}", event="expired")
        with cluster.database() as database:
            wait_for(lambda: not database.rows("SELECT * FROM gestured.session"), "its row goes")
