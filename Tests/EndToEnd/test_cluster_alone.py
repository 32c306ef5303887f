"""Requests about a cluster, asked of a daemon that is in none."""

from __future__ import annotations

import os
import pathlib
import socket
import subprocess

import pytest
from client import DEADLINE, Control, Daemon, binary

NOTHING = object()


def own(control: Control) -> dict:
    """The daemon as `owner` and `members` describe it."""
    hello = control.ok("hello")
    return {"name": socket.gethostname(), "daemon": hello["epoch"], **hello["endpoints"]}


def test_locate_names_the_daemon_itself(daemon: Daemon, control: Control, session: str):
    expected = {
        "ok": True, "session": session, "shard": 0, "version": 0, "here": True,
        "owner": own(control)}
    before = control.ok("stats")["stats"]["sessions_opened"]
    for _ in range(2):
        answer = control.ok("locate", session=session)
        assert {key: answer[key] for key in answer if key != "id"} == expected
    assert control.ok("stats")["stats"]["sessions_opened"] == before, "it opens none"
    assert session not in control.sessions()


def test_members_are_the_daemon_alone(daemon: Daemon, control: Control):
    answer = control.ok("members")
    assert {key: answer[key] for key in answer if key not in ("id", "ok")} == {
        "cluster": None, "shards": 1, "version": 0,
        "members": [{**own(control), "state": "live", "weight": 1, "shards": 1}]}


@pytest.mark.parametrize("session, code", [
    (NOTHING, "missing-field"), (None, "bad-value"), ("", "bad-value"), (7, "bad-value"),
    (["alice"], "bad-value"), ({}, "bad-value"), (True, "bad-value"), ("a/b", "bad-value"),
    ("a" * 65, "bad-value"), ("a\n", "bad-value"), ("\0", "bad-value"), ("ä", "bad-value")])
def test_nonsense_is_located_nowhere(control: Control, session: object, code: str):
    fields = {} if session is NOTHING else {"session": session}
    error = control.refused("locate", **fields)
    assert error["code"] == code and "session" in error["message"]


def test_other_members_of_the_requests_are_passed_over(control: Control):
    longest = "a" * 64
    answer = control.ok("locate", session=longest, shard=9, owner=None, here=False, version="x")
    assert answer["session"] == longest and answer["shard"] == 0 and answer["here"]
    assert len(control.ok("members", session=[], members=7, limit=-1)["members"]) == 1


def test_a_heartbeat_says_nothing_of_a_cluster(daemon: Daemon):
    beat = daemon.subscriber("heartbeat").find("heartbeat")
    assert not {"member", "shards", "leased"} & set(beat.body)


# MARK: - Configuration


def check(folder: pathlib.Path, text: str, **environment: str) -> subprocess.CompletedProcess:
    (folder / "scenes").mkdir(exist_ok=True)
    file = folder / "gestured.toml"
    file.write_text(f'auto_open = ""\n{text}')
    return subprocess.run(
        [binary(), "--check", "--config", str(file)], capture_output=True, text=True,
        timeout=DEADLINE, env=os.environ | environment)


URL = '[store]\nurl = "postgresql://db1,db2/gestured?target_session_attrs=read-write"\n'


def test_a_check_takes_a_member_and_connects_to_nothing(tmp_path: pathlib.Path):
    done = check(tmp_path, URL + '[cluster]\nname = "left"\nweight = 0\n')
    assert done.returncode == 0 and not done.stderr, done


@pytest.mark.parametrize("text, place", [
    ('[cluster]\nname = "left"\n', ":3: cluster, key name: needs url in [store]"),
    (URL + '[cluster]\nshards = 4097\n', ":5: cluster, key shards: must be a whole number"),
    (URL + '[cluster]\nname = "a b"\n', ":5: cluster, key name: must be a name"),
    (URL + 'durability = "off"\n', ":4: store, key durability: "),
    ('[store]\nurl = "postgresql://db1/a?password"\n', ":3: store, key url: missing key/value")])
def test_a_check_names_the_key_that_no_member_can_have(
    tmp_path: pathlib.Path, text: str, place: str
):
    done = check(tmp_path, text)
    assert done.returncode == 2 and not done.stdout and len(done.stderr.splitlines()) == 1, done
    assert place in done.stderr


def test_a_machine_without_libpq_keeps_sessions_in_a_file_alone(tmp_path: pathlib.Path):
    (tmp_path / "libpq.so.5").write_text("this is no library")
    done = check(tmp_path, URL, LD_LIBRARY_PATH=str(tmp_path))
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1, done
    assert ":3: store, key url: needs libpq, which is not installed (Debian: libpq5)" in (
        done.stderr)
    with Daemon(environment={"LD_LIBRARY_PATH": str(tmp_path)}) as daemon:
        assert daemon.requests().ok("hello")


def test_passwords_that_are_there_and_cannot_be_read_are_not_taken_for_none(
    tmp_path: pathlib.Path
):
    (tmp_path / "gestured.pgpass").symlink_to("gestured.pgpass")
    done = check(tmp_path, URL, CREDENTIALS_DIRECTORY=str(tmp_path))
    assert done.returncode == 2 and "credential gestured.pgpass: " in done.stderr, done
    assert check(tmp_path, "", CREDENTIALS_DIRECTORY=str(tmp_path)).returncode == 0
