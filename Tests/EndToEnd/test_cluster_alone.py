"""Requests about a cluster, asked of a daemon that is in none."""

from __future__ import annotations

import socket

import pytest
from client import Control, Daemon

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
