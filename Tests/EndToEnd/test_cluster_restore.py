"""A cluster comes back from a backup: clients that saw what came after it follow."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator

import pytest
from client import DEADLINE, REPOSITORY
from cluster import Cluster, absent
from postgres import Postgres
from reliability import wait_for

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

import gestured  # noqa: E402

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())
NAMES = ("left", "right")


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with Postgres() as postgres:
        yield postgres


def documented() -> str:
    """The statements that docs/scale.md has after a restore."""
    text = (REPOSITORY / "docs" / "scale.md").read_text()
    found = re.search(r"To restore: .*?```sql\n(.*?)```", text, re.DOTALL)
    assert found, "docs/scale.md does not tell how to restore"
    return found[1]


class Shown(threading.Thread):
    """Our client with one badge; it leaves out what is late."""

    def __init__(self, cluster: Cluster, session: str):
        super().__init__(daemon=True)
        self.client = gestured.connect(control=cluster.controls(), timeout=5)
        self.watch = self.client.watch(f"badge/{session}")
        self.bodies: list[dict] = []

    def run(self) -> None:
        try:
            for _, body in self.watch:
                self.bodies.append(body)
        except gestured.Closed:
            return

    def wait_for_total(self, total: int) -> dict:
        wait_for(
            lambda: any(body["total"] == total for body in self.bodies[-1:]),
            f"the client shows {total}: {self.bodies[-3:]}")
        return self.bodies[-1]

    def end(self) -> None:
        self.client.close()
        self.join(DEADLINE)


def restore(postgres: Postgres, name: str, archive: str) -> None:
    reach = ("-h", "127.0.0.1", "-p", postgres.port, "-U", "postgres")
    with postgres.database("postgres") as database:
        database.rows(f"DROP DATABASE {name} WITH (FORCE)")
    postgres.create(name)
    postgres.run("pg_restore", *reach, "-d", name, archive)


def test_clients_take_what_comes_after_a_restore(postgres: Postgres, session: str):
    reach = ("-h", "127.0.0.1", "-p", postgres.port, "-U", "postgres")
    archive = postgres.folder / "backup"
    with Cluster(postgres, NAMES, cluster="shards = 8\n") as cluster:
        def like() -> None:
            cluster.publish(f"notification/{session}", {"kind": "likes"})

        like()
        name = cluster.database_name
        postgres.run("pg_dump", *reach, "-Fc", "-f", archive, name)
        # All shards change hands several times: their numbers are beyond the backup's.
        for _ in range(2):
            for member in list(cluster.members.values()):
                assert member.stop() == 0
                member.again()
                cluster.wait_until_shared()
        shown = Shown(cluster, session)
        shown.start()
        like()
        like()
        before = shown.wait_for_total(3)
        for member in cluster.members.values():
            assert member.stop() == 0
        restore(postgres, name, str(archive))
        with cluster.database() as database:
            database.rows(documented())
        cluster.start_all()
        like()
        after = shown.wait_for_total(2)
        shown.end()
    (tag, former), (other, n) = (body["epoch"].rsplit(".", 1) for body in (before, after))
    assert int(n) < int(former) and tag != other, "the backup was not older"
    assert after["version"] > before["version"]
