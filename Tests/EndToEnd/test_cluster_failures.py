"""Members and their database fail: nothing acknowledged is lost or counts twice.

Short here; `make soak` makes the same tests long. Each prints its seed.
"""

from __future__ import annotations

import time

import pytest
from cluster import LEASE, NAMES, Cluster, absent, rounds
from cluster_clients import Load
from cluster_flight import throw
from cluster_proxy import Proxy
from postgres import Postgres, is_synchronous
from reliability import IS_SOAK, chance, hold_to, sized, wait_for

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
SESSIONS = 6
# Seconds after a kill: until all shards have an owner, and until all sessions take publishes.
OWNED_MAX = 2.5
ACKNOWLEDGED_MAX = 3.0
# Beside other tests the machine is slow.
PATIENCE = 1.0 if IS_SOAK else 2.0


@pytest.fixture(scope="module")
def cluster():
    with Postgres() as postgres, Cluster(postgres, proxied=True) as cluster:
        yield cluster
        for member in cluster.members.values():
            assert member.is_running, f"{member.name} ended on its own\n{member.log()}"


def loaded(cluster: Cluster, session: str, count: int = SESSIONS, **more: object) -> Load:
    return Load(cluster, [f"{session}-{number}" for number in range(count)], **more)


def test_a_killed_member_loses_nothing(cluster: Cluster, session: str):
    """Others own its shards soon after; it comes back and gets its share."""
    dice, slowest = chance("kill"), [0.0, 0.0]
    with loaded(cluster, session) as load:
        for _ in range(rounds(2, 100)):
            load.until_more()
            victim = cluster.members[dice.choice(NAMES)]
            others = set(NAMES) - {victim.name}
            time.sleep(dice.uniform(0, 0.2))
            moment = victim.kill()
            owned = cluster.wait_until_owned(others) - moment
            slowest = [max(slowest[0], owned), max(
                slowest[1], load.acknowledged_after(moment))]
            victim.again()
            cluster.wait_until_shared()
        load.finish()
        print(f"{load.acknowledged} acknowledged, {dict(load.publishing.told)}; owned after "
              f"{slowest[0]:.2f} s, acknowledged after {slowest[1]:.2f} s at most")
        load.expect_kept()
    cluster.start_all()
    hold_to(slowest[0], OWNED_MAX * PATIENCE, "the owner of every shard")
    hold_to(slowest[1], ACKNOWLEDGED_MAX * PATIENCE, "an answer for every session")


def test_a_restart_at_once_waits_for_no_lease(cluster: Cluster, session: str):
    """Its instance says that its predecessor is dead."""
    dice, slowest = chance("restart"), 0.0
    with loaded(cluster, session) as load:
        for _ in range(rounds(1, 100)):
            load.until_more()
            victim = cluster.members[dice.choice(NAMES)]
            moment = victim.kill()
            victim.again()
            slowest = max(slowest, cluster.wait_until_owned(set(NAMES)) - moment)
            # A client that found the member silent leaves it alone for a while, which is no lease.
            load.acknowledged_after(moment)
            cluster.wait_until_shared()
        load.finish()
        load.expect_kept()
    cluster.start_all()
    hold_to(slowest, LEASE * PATIENCE, "the owner of every shard after a restart")


def test_a_stopped_member_stores_nothing_any_more(cluster: Cluster, session: str):
    """It wakes up with publishes in its sockets; it asks before it tells, and joins anew."""
    dice = chance("stop")
    with loaded(cluster, session) as load:
        for _ in range(rounds(1, 100)):
            load.until_more()
            victim = cluster.members[dice.choice(NAMES)]
            seconds = dice.uniform(2, sized(2.6, 10 if dice.random() < 0.2 else 3))
            with victim.stopped():
                end = time.monotonic() + seconds
                cluster.wait_until_owned(set(NAMES) - {victim.name})
                load.acknowledged_after(end - seconds)
                time.sleep(max(0.0, end - time.monotonic()))
            cluster.wait_until_shared()
            load.until_more(5)
        load.finish()
        load.expect_kept()
    cluster.start_all()


def test_a_short_stop_changes_no_owner(cluster: Cluster, session: str):
    """Shorter than its lease."""
    with loaded(cluster, session) as load:
        load.until_more()
        before = cluster.epochs()
        with cluster.members["middle"].stopped():
            time.sleep(LEASE / 3)
        load.until_more()
        assert cluster.epochs() == before
        load.finish()


@pytest.mark.parametrize("how", ["all", "old"])
def test_bytes_that_stand_still_and_arrive_late_change_nothing(
        cluster: Cluster, session: str, how: str):
    """`all`: the member is cut off alone. `old`: what it sent on former connections comes last."""
    dice = chance(f"hold {how}")
    with loaded(cluster, session) as load:
        for _ in range(rounds(1, 20)):
            load.until_more()
            proxy = cluster.members[dice.choice(NAMES)].proxy
            moment = time.monotonic()
            proxy.hold() if how == "all" else proxy.hold_old()
            # Publishes at the member go on meanwhile, so a commit is on the way.
            time.sleep(dice.uniform(2.2, sized(2.4, 5)))
            if how == "old":
                load.acknowledged_after(moment)
            proxy.resume()
            load.acknowledged_after(moment)
            cluster.wait_until_shared()
            load.until_more(5)
        load.finish()
        load.expect_kept()
    cluster.start_all()


def test_connections_that_the_database_ends_change_nothing(cluster: Cluster, session: str):
    with loaded(cluster, session) as load:
        load.until_more()
        before = cluster.epochs()
        for _ in range(rounds(3, 100)):
            with cluster.database() as database:
                ended = database.rows(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE application_name LIKE 'gestured %'")
            assert len(ended) >= 3, "there are three connections for each member"
            moment = time.monotonic()
            load.acknowledged_after(moment)
        assert cluster.epochs() == before, "a shard changed hands"
        load.finish()
        load.expect_kept()
    cluster.start_all()


def test_a_crash_of_the_database_moves_no_shard(cluster: Cluster, session: str):
    """`pg_ctl -m immediate`. It comes back from its log; motion went on, and no lease lapsed."""
    seconds = [0.1, 2.0]
    with loaded(cluster, session) as load:
        for number in range(rounds(2, 20)):
            load.until_more()
            before = cluster.epochs()
            cluster.postgres.crash()
            time.sleep(seconds[number % 2])
            cluster.postgres.start()
            moment = time.monotonic()
            taken = load.acknowledged_after(moment)
            assert cluster.epochs() == before, "a shard changed hands"
        load.finish()
        load.expect_kept()
    cluster.start_all()
    hold_to(taken, 2 * PATIENCE, "an answer after a crash of the database")


def test_without_its_database_a_member_moves_and_refuses(cluster: Cluster, session: str):
    """The heartbeat says so, publishes are answered `internal`, and its epochs are the smaller
    ones."""
    flying = f"{session}-flying"
    throw(cluster, flying)
    like = {"kind": "likes", "id": "once"}
    with loaded(cluster, session) as load:
        load.until_more()
        owner = cluster.owner(flying)

        def beats_leased(wanted: bool) -> bool:
            _, beat = load.watching.beats.get(owner.name, (0.0, {}))
            return beat.get("leased") is wanted
        load.wait(lambda: beats_leased(True), "the heartbeat says that it has a lease")
        owner.proxy.hold()
        load.wait(lambda: beats_leased(False), "the heartbeat says that the lease is lost")
        answer = cluster.ask("publish", owner, topic=f"notification/{flying}", body=like)
        assert not answer["ok"] and answer["error"]["code"] == "internal", answer
        cluster.wait_until_owned(set(NAMES) - {owner.name})
        updates = owner.subscriber(f"state/{flying}/world")
        first = updates.find(f"state/{flying}/world").body
        updates.until(lambda update: place(update.body) > place(first) + 5, "it moves on here")
        another = next(it for it in cluster.members.values() if it is not owner)

        def is_elsewhere() -> bool:
            found = cluster.locate(flying, another)
            return bool(found) and found["name"] != owner.name
        wait_for(is_elsewhere, "another member says that it has the session")
        heir = cluster.members[cluster.locate(flying, another)["name"]]
        there = cluster.ask("snapshot", heir, session=flying)
        assert there["ok"] and n_of(first) < n_of(there), (first, there)
        owner.proxy.resume()
        load.wait(lambda: beats_leased(True), "the heartbeat says that it has one again")
        cluster.wait_until_shared()
        cluster.publish(f"notification/{flying}", like)
        assert cluster.publish(f"notification/{flying}", like)["duplicate"]
        assert cluster.snapshot(flying)[f"badge/{flying}"]["total"] == 1
        load.finish()


def place(body: dict) -> float:
    return body["views"]["ball"]["x"]


def n_of(body: dict) -> int:
    """The number of an epoch, which only grows."""
    return int(body["epoch"].rpartition(".")[2])


@pytest.fixture
def line():
    """Between a primary and its standby."""
    proxy = Proxy(0)
    yield proxy
    proxy.close()


@pytest.mark.parametrize("is_held", [False, True], ids=["alive", "behind a line that stands still"])
def test_promotion_of_a_synchronous_standby_loses_nothing(
        session: str, line: Proxy, is_held: bool):
    """With the line held, the old primary has what no standby confirmed; nobody was told of it."""
    for _ in range(rounds(1, 5)):
        line.resume()
        with Postgres() as primary:
            line.target = primary.port
            with Postgres(primary, line.port) as standby:
                promote_under_load(primary, standby, session, line if is_held else None)


def promote_under_load(
        primary: Postgres, standby: Postgres, session: str, held: Proxy | None) -> None:
    primary.set("synchronous_standby_names", "standby")
    wait_for(lambda: is_synchronous(primary), "the standby is synchronous")
    with Cluster(primary, proxied=True) as cluster, loaded(cluster, session) as load:
        load.until_more()
        if held:
            held.hold()
            time.sleep(0.3)
        primary.crash()
        if held:
            held.cut()
        standby.promote()
        cluster.postgres = standby
        for member in cluster.members.values():
            member.proxy.lead_to(standby.port)
        moment = time.monotonic()
        taken = load.acknowledged_after(moment)
        load.finish()
        load.expect_kept()
    hold_to(taken, 3 * PATIENCE, "an answer after a promotion")
