"""The database of a cluster has no room, takes no writes, or waits for a standby that is gone."""

from __future__ import annotations

import errno
import itertools
import pathlib
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator

import pytest
from cluster import LEASE, Cluster, absent
from cluster_flight import catch, throw
from postgres import USER, Postgres, is_synchronous
from reliability import hold_to, wait_for
from scenes import still

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
NAMES = ("left", "right")
# Room of a small disk; the tables of an empty cluster need a part of it.
DISK_MEBIBYTES = 4
# Seconds until a publish that cannot be stored is answered.
REFUSED_MAX = 5.0
# How the log of a member tells of a lease that the database does not renew.
REASON = re.compile("the lease is late, .*read-only")


@pytest.fixture
def small_disk() -> Iterator[pathlib.Path]:
    """A file system of its own for a tablespace."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="gestured-disk-"))
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_MEBIBYTES}m,uid={USER}", "tmpfs", str(folder)],
        capture_output=True, text=True)
    if mounted.returncode:
        folder.rmdir()
        pytest.skip(f"no small disk without the right to mount: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)
    folder.rmdir()


class Kept:
    """Sessions while nothing can be stored: publishes are refused, views move on, and no shard
    changes hands."""

    def __init__(self, cluster: Cluster, session: str) -> None:
        self.cluster, self.session, self.flying = cluster, session, f"{session}-flying"
        cluster.ok("open", session, scene=still())
        throw(cluster, self.flying)
        self.epochs, self.took = cluster.epochs(), 0.0

    def publish(self) -> dict:
        """One answer of the owner, to the same publish each time."""
        began = time.monotonic()
        answer = self.cluster.ask(
            "publish", self.cluster.owner(self.session), topic=f"notification/{self.session}",
            body={"kind": "likes", "id": "once"})
        self.took = time.monotonic() - began
        return answer

    def expect_refused(self) -> None:
        answer = self.publish()
        assert not answer["ok"] and answer["error"]["code"] == "internal", answer
        self.expect_motion()

    def expect_motion(self) -> None:
        topic = f"state/{self.flying}/world"
        updates = self.cluster.owner(self.flying).subscriber(topic)
        first = updates.find(topic).body["views"]["ball"]["x"]
        updates.until(lambda update: update.body["views"]["ball"]["x"] > first + 5, "it moves on")

    def expect_once(self) -> None:
        """It is taken now, and nobody else has got a shard meanwhile."""
        wait_for(lambda: self.publish()["ok"], "it is taken")
        assert self.publish()["duplicate"]
        assert self.cluster.snapshot(self.session)[f"badge/{self.session}"]["total"] == 1
        assert self.cluster.epochs() == self.epochs, "a shard changed hands"
        catch(self.cluster, self.flying)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with Postgres() as postgres:
        yield postgres


def test_a_database_that_takes_no_writes_moves_no_shard(postgres: Postgres, session: str):
    """Nor can a lease be renewed: nobody takes over, since nobody can."""
    with Cluster(postgres, names=NAMES) as cluster:
        kept = Kept(cluster, session)
        postgres.set("default_transaction_read_only", "on")
        try:
            # A connection that is open learns of the setting a moment later.
            for member in cluster.members.values():
                # Whether it has anything to store or not.
                wait_for(lambda member=member: REASON.search(member.log()), "the log says why")
            kept.expect_refused()
            cluster.wait_until_late()
            kept.expect_refused()
            took = kept.took
        finally:
            allow_writes(postgres)
        kept.expect_once()
    hold_to(took, REFUSED_MAX, "the refusal")


def test_a_close_that_is_not_stored_is_not_taken_for_done(postgres: Postgres, session: str):
    with Cluster(postgres, names=("left",)) as cluster:
        cluster.ok("open", session, scene=still())
        member = cluster.members["left"]
        document = cluster.ok("export", session)["document"]
        copy = {"session": f"{session}-copy", "document": document}
        postgres.set("default_transaction_read_only", "on")
        try:
            wait_for(lambda: REASON.search(member.log()), "the log says why")
            for op, fields in [("close", {"session": session}), ("import", copy)] * 2:
                answer = cluster.ask(op, member, **fields)
                assert not answer["ok"] and answer["error"]["code"] == "internal", (op, answer)
        finally:
            allow_writes(postgres)
        answers = []
        wait_for(lambda: answers.append(cluster.ask("close", member, session=session))
                 or answers[-1]["ok"], "it is taken")
        assert {it["error"]["code"] for it in answers[:-1]} <= {"internal"}, answers
        again = cluster.ask("close", member, session=session)
        assert again["error"]["code"] == "unknown-session"
        assert cluster.ask("import", member, **copy)["error"]["code"] == "busy"
        member.kill()
        member.again()
        wait_for(lambda: cluster.ask("sessions", member)["ok"], "it is back")
        assert cluster.ask("sessions", member)["sessions"] == [copy["session"]]


def allow_writes(postgres: Postgres) -> None:
    with postgres.database("postgres") as database:
        database.rows("SET default_transaction_read_only = off")
        database.rows("ALTER SYSTEM RESET default_transaction_read_only")
        database.rows("SELECT pg_reload_conf()")


def test_a_database_without_room_moves_no_shard(
        postgres: Postgres, small_disk: pathlib.Path, session: str):
    """Leases are renewed in place, so they hold."""
    cluster = Cluster(postgres, names=NAMES)
    with cluster.database() as database:
        database.rows(f"CREATE TABLESPACE small LOCATION '{small_disk}'")
        database.rows(f"ALTER DATABASE {cluster.database_name} SET default_tablespace = small")
    with cluster:
        kept = Kept(cluster, session)
        filler = small_disk / "filler"
        fill(filler)
        for number in itertools.count():
            # The last page of the table has room for some.
            name = f"{session}-{number}"
            answer = cluster.ask("open", cluster.owner(name), session=name, scene=still())
            if not answer["ok"]:
                break
        assert number < 100 and answer["error"]["code"] == "internal", answer
        wait_for(lambda: "No space left" in cluster.owner(name).log(), "the log says why")
        kept.expect_motion()
        beats = [it.subscriber("heartbeat").find("heartbeat") for it in cluster.members.values()]
        assert all(beat.body["leased"] for beat in beats), beats
        filler.unlink()
        cluster.ok("open", name, scene=still())
        kept.expect_once()


def fill(file: pathlib.Path) -> None:
    """Takes all room that is left."""
    with open(file, "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(bytes(4096))
        except OSError as error:
            assert error.errno == errno.ENOSPC, error


def test_a_standby_that_is_gone_makes_commits_wait(session: str):
    """At the start a member warns of one that is not waited for. Afterwards nothing is acknowledged
    without it, leases hold, and what waited counts once."""
    with Postgres() as primary, Postgres(primary) as standby, Cluster(
            primary, names=NAMES) as cluster:
        warning = "none is in synchronous_standby_names"
        assert all(warning in it.log() for it in cluster.members.values()), cluster.log()
        primary.set("synchronous_standby_names", "standby")
        wait_for(lambda: is_synchronous(primary), "the standby is synchronous")
        third = cluster.add("third", cluster="weight = 0\n")
        assert warning not in third.log(), third.log()
        kept = Kept(cluster, session)
        standby.crash()
        kept.expect_refused()
        took = kept.took
        assert took > LEASE, "it has not waited for longer than a lease"
        beats = [it.subscriber("heartbeat").find("heartbeat") for it in cluster.members.values()]
        assert all(beat.body["leased"] for beat in beats), beats
        standby.start()
        kept.expect_once()
    hold_to(took, REFUSED_MAX, "the refusal")
