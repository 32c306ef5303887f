"""The refusals of a daemon whose store is a PostgreSQL: it does not start, and says why."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from client import REPOSITORY, Daemon
from cluster import Cluster, Member, absent, refusal
from postgres import USER, Postgres
from reliability import hold_to, wait_for
from scenes import still
from tool import ctl

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())


@pytest.fixture(scope="module")
def postgres():
    with Postgres() as postgres:
        yield postgres


def expect_refusal(member: Member, *words: str) -> None:
    """It ends with the status that is not tried again, and says why."""
    status, said = member.refusal()
    assert status == 2, f"{status}: {said}"
    assert "cannot start" in said and all(word in said for word in words), said


def test_a_second_daemon_of_a_name_does_not_start(postgres: Postgres):
    """It waits for as long as a lease may last, and names the member that has the name."""
    with Cluster(postgres, names=("left",)) as cluster:
        began = time.monotonic()
        expect_refusal(cluster.make("left"), "left")
        took = time.monotonic() - began
        assert cluster.owners() == {"left": 256}
    assert took > 2, "it did not try again"
    hold_to(took, 12, "the refusal")


def test_members_that_start_at_once_make_the_tables_once(postgres: Postgres):
    """All find an empty database; one of them makes the tables, and the others wait for it."""
    cluster = Cluster(postgres, names=())
    made = [cluster.make(name) for name in ("left", "middle", "right", "fourth")]
    with ThreadPoolExecutor(len(made)) as threads:
        list(threads.map(lambda member: cluster.stack.enter_context(member), made))
    cluster.members = {member.name: member for member in made}
    with cluster:
        assert set(cluster.owners()) == set(cluster.members)


def test_a_copy_of_a_state_directory_is_named(postgres: Postgres):
    """As in a cloned image: the former stays out, and the two do not end each other for ever."""
    with Cluster(postgres, names=("left",)) as cluster:
        left, copy = cluster.members["left"], cluster.make("copy")
        copy.state.mkdir()
        shutil.copy(left.state / "instance", copy.state)
        cluster.members["copy"] = cluster.stack.enter_context(copy)
        cluster.wait_until_shared("copy")
        wait_for(lambda: "copy runs from a copy" in left.log(), "the log names the other one")
        epochs = cluster.epochs()
        cluster.wait_a_lease()
        assert cluster.epochs() == epochs, "they end each other"
        assert copy.stop() == 0
        cluster.wait_until_shared("left")


def test_another_secret_does_not_start(postgres: Postgres, session: str, tmp_path):
    for name in ("mine", "other"):
        (tmp_path / name).write_bytes(os.urandom(32))
    with Cluster(postgres, names=("left",), store=f'key_file = "{tmp_path}/mine"\n') as cluster:
        cluster.ok("open", session, scene=still())
        cluster.publish(f"notification/{session}", {"kind": "likes", "id": "once"})
        cluster.store = f'key_file = "{tmp_path}/other"\n'
        expect_refusal(cluster.make("right"), "key")
        cluster.store = ""
        expect_refusal(cluster.make("right"), "key")


def test_another_layout_does_not_start(postgres: Postgres):
    with Cluster(postgres, names=("left",)) as cluster:
        with cluster.database() as database:
            database.rows("UPDATE gestured.cluster SET layout = 9999")
        expect_refusal(cluster.make("right"), "9999")
        with cluster.database() as database:
            assert database.value("SELECT layout FROM gestured.cluster") == "9999"


def test_another_number_of_shards_is_that_of_the_database(postgres: Postgres):
    with Cluster(postgres, names=("left",), cluster="shards = 16\n") as cluster:
        assert cluster.owners() == {"left": 16}
        cluster.add("right", cluster="shards = 512\n")
        cluster.wait_until_shared()
        assert cluster.owners() == {"left": 8, "right": 8}


def test_a_database_that_is_away_is_tried_again_by_the_manager():
    """Its status is that of a disk that fails: it may pass."""
    with Postgres() as postgres, Cluster(postgres, names=("left",)) as cluster:
        member = cluster.make("right")
        cluster.members["left"].stop()
        postgres.crash()
        status, said = member.refusal()
        assert status == 75 and "cannot start" in said, f"{status}: {said}"


@pytest.mark.parametrize(("tables", "words"), [
    ('[store]\nurl = "postgresql://127.0.0.1:1/g"\ndurability = "off"\n', ("durability", "url")),
    ('[store]\nurl = "mysql://127.0.0.1/g"\n', ("url",)),
    ('[cluster]\nname = "left"\n', ("cluster",)),
    ('[store]\nurl = "postgresql://127.0.0.1:1/g"\n[cluster]\nlease = 0.5\n', ("lease",)),
    ('[store]\nurl = "postgresql://127.0.0.1:1/g"\n[cluster]\nshards = 5000\n', ("shards",)),
    ('[store]\nurl = "postgresql://127.0.0.1:1/g"\n[cluster]\nweight = -1\n', ("weight",)),
])
def test_a_wrong_configuration_is_named(tables: str, words: tuple[str, ...], tmp_path):
    file = tmp_path / "gestured.toml"
    file.write_text(f'scenes = "{REPOSITORY / "config" / "scenes"}"\n{tables}')
    status, said = refusal("--check", "--config", str(file))
    assert status == 2 and all(word in said for word in words), f"{status}: {said}"


def certify(folder: pathlib.Path) -> None:
    """A certificate of an authority of its own, for the server at 127.0.0.1."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext",
         "subjectAltName=IP:127.0.0.1", "-keyout", "server.key", "-out", "server.crt"],
        cwd=folder, check=True, capture_output=True)
    if os.geteuid() == 0:
        shutil.chown(folder / "server.key", USER)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl")
def test_a_database_is_verified_by_its_authority(session: str, tmp_path):
    """libpq finds no authority by itself. A copied store finds its password by PGPASSFILE."""
    server = Postgres(ssl="on", ssl_cert_file="server.crt", ssl_key_file="server.key")
    certify(server.data)
    with server as postgres:
        with postgres.database("postgres") as database:
            database.rows("CREATE ROLE keeper LOGIN PASSWORD 'opens it'")
            database.rows("CREATE DATABASE verified OWNER keeper")
        (postgres.data / "pg_hba.conf").write_text(
            "hostssl all keeper 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n")
        with postgres.database("postgres") as database:
            database.rows("SELECT pg_reload_conf()")
        secret = tmp_path / "gestured.pgpass"
        secret.write_text("*:*:verified:keeper:opens it\n")
        secret.chmod(0o600)
        url = f"postgresql://keeper@127.0.0.1:{postgres.port}/verified?sslmode=verify-full"
        known = f"{url}&sslrootcert={postgres.data}/server.crt"
        environment = {"CREDENTIALS_DIRECTORY": str(tmp_path), "HOME": str(tmp_path)}
        status, said = Member("left", url, environment=environment).refusal()
        assert status and "cannot start" in said and "root.crt" in said, f"{status}: {said}"
        with Daemon(environment={"HOME": str(tmp_path)}) as alone:
            alone.requests().open(session, still())
            assert alone.stop() == 0
            copied = ctl(
                "store", "copy", "--shards", "16", alone.state / "gestured.db", known,
                env=os.environ | {"PGPASSFILE": str(secret)})
            assert copied.stdout == b"copied 1 sessions into 16 shards\n", copied
        with Member("left", known, environment=environment) as member:
            control = member.requests()
            assert control.sessions() == [session]
            assert control.ok("members")["shards"] == 16


def test_a_password_is_a_credential(postgres: Postgres, session: str, tmp_path):
    """It stands in no configuration and in no environment."""
    with postgres.database("postgres") as database:
        database.rows("CREATE ROLE keeper LOGIN PASSWORD 'opens it'")
    rules = postgres.data / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text("host all keeper 127.0.0.1/32 scram-sha-256\n" + before)
    with postgres.database("postgres") as database:
        database.rows("SELECT pg_reload_conf()")
    secret = tmp_path / "gestured.pgpass"
    secret.write_text("*:*:*:keeper:wrong\n")
    secret.chmod(0o600)
    cluster = Cluster(
        postgres, names=(), environment={"CREDENTIALS_DIRECTORY": str(tmp_path)}, user="keeper")
    with postgres.database("postgres") as database:
        database.rows(f"ALTER DATABASE {cluster.database_name} OWNER TO keeper")
    expect_refusal(cluster.make("left"), "password")
    secret.write_text("*:*:*:keeper:opens it\n")
    cluster.names = ("left",)
    with cluster:
        cluster.ok("open", session, scene=still())
