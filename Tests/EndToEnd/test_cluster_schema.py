"""A database whose tables are not those of a cluster: a member ends once, and says why."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator

import pytest
from cluster import Cluster, Member, absent
from postgres import Postgres
from reliability import wait_for
from scenes import still

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with Postgres() as postgres:
        yield postgres


def expect_refusal(member: Member, *words: str) -> None:
    """It ends with the status that is not tried again, and says why in one line."""
    status, said = member.refusal()
    assert status == 2, f"{status}: {said}"
    assert said.count("\n") == 1 and all(word in said for word in ("cannot start", *words)), said


@pytest.mark.parametrize("statement, words", [
    ("CREATE TABLE gestured.session (x integer)", ("the tables session",)),
    ("CREATE TABLE gestured.member (x integer); CREATE VIEW gestured.seen AS SELECT 1 AS y",
     ("the tables member, seen",)),
    ("CREATE TABLE gestured.cluster (name text)", ("lacks cluster.key, cluster.layout",)),
    ("CREATE TABLE gestured.cluster (layout integer NOT NULL, tag text)", ("the tables cluster",)),
])
def test_another_programs_tables_are_left_alone(
        postgres: Postgres, statement: str, words: tuple[str, ...]):
    cluster = Cluster(postgres, names=())
    with cluster.database() as database:
        database.rows("CREATE SCHEMA gestured")
        for part in statement.split("; "):
            database.rows(part)
    expect_refusal(cluster.make("left"), "the schema gestured", "take another database", *words)


@pytest.mark.parametrize("statement, words", [
    ("DELETE FROM gestured.shard WHERE number IN (3, 17)", "for 3, 17 of 256 shards"),
    ("DELETE FROM gestured.shard WHERE number > 99",
     "for 100, 101, 102, 103, 104, 105, 106, 107 and 148 more of 256 shards"),
    ("INSERT INTO gestured.shard (number) VALUES (256)", "for 256 of 256 shards"),
    ("UPDATE gestured.shard SET epoch = 4611686018427387904 WHERE number = 5", "for 5 of 256"),
    ("UPDATE gestured.shard SET floor = -1 WHERE number = 0", "for 0 of 256 shards"),
    ("UPDATE gestured.cluster SET shards = 2000000000", "the database has 2000000000 shards"),
    ("ALTER TABLE gestured.shard DROP COLUMN floor", "lacks shard.floor"),
])
def test_rows_that_no_member_wrote_are_told_at_the_start(
        postgres: Postgres, statement: str, words: str):
    with Cluster(postgres, names=("left",)) as cluster:
        cluster.members["left"].kill()
        with cluster.database() as database:
            database.rows(statement)
        expect_refusal(cluster.make("right"), "PostgreSQL: ", words)


def test_very_many_members_end_none(postgres: Postgres):
    """As many as libzmq has sockets; another program wrote them, and they never answer."""
    with Cluster(postgres, names=("left",)) as cluster:
        member = cluster.members["left"]
        with cluster.database() as database:
            database.rows(
                "WITH new AS (INSERT INTO gestured.member "
                "(instance, name, daemon, endpoints, weight) "
                "SELECT gen_random_uuid(), 'm' || n, 'd' || n, jsonb_build_object('events', "
                "ARRAY['tcp://127.0.0.1:9'], 'updates', ARRAY['tcp://127.0.0.1:9'], 'control', "
                "ARRAY['tcp://127.0.0.1:9']), 0 FROM generate_series(1, 1200) n RETURNING id) "
                "INSERT INTO gestured.lease SELECT id, now() + interval '1 hour' FROM new")
            database.rows("NOTIFY gestured")
        wait_for(lambda: len(cluster.ask("members", member)["members"]) == 1_201, "it knows them")
        assert cluster.owners() == {"left": 256}
        cluster.ok("open", "alice", scene=still())
        sockets = len(list(pathlib.Path(f"/proc/{member.process.pid}/fd").iterdir()))
        assert sockets < 1_000, f"{sockets} descriptors"
