"""Rows and variables on their topics: who may read them, and how they outlive a process."""

from __future__ import annotations

import pathlib

import pytest
from client import Control, Daemon, Subscriber
from cluster import Cluster, absent
from keys import ALL, Keys, table
from postgres import Postgres
from reliability import wait_for
from scenes import scene

needs_postgres = pytest.mark.skipif(bool(absent()), reason=absent())
MINE = {"publish": ["mine*"], "control": "own", "read": ["mine*"]}
TOPICS = ("rows/", "variables/", "frame/")


def shelf() -> dict:
    """Rows whose texts name a variable, and a button that counts."""
    rows = [{"id": name, "content": {"text": f"{name} for {{who}}"}} for name in ("a", "b", "c")]
    return scene(
        {"id": "list", "kind": "list", "rows": rows},
        {"id": "more", "kind": "button", "frame": [0, 0, 50, 50]},
        variables={"who": "Ann", "score": 0},
        reactions=[{"when": {"component": "more", "transition": "tap"},
                    "do": {"variable": "score", "add": 1}}])


def change(publish, session: str, number: int) -> None:
    """One row more, another name, and one point."""
    publish(f"command/{session}/list", {
        "command": "insert", "at": 0, "item": {
            "id": f"n{number}", "content": {"text": f"{number} for {{who}}"}}})
    publish(f"command/{session}", {"command": "assign", "values": {"who": f"P{number}"}})
    publish(f"command/{session}/more", {"command": "tap"})


def expect(updates: dict[str, dict], session: str, count: int) -> tuple[int, int]:
    """All that so many changes made is there. Returns the versions of rows and variables."""
    rows, variables = updates[f"rows/{session}/list"], updates[f"variables/{session}"]
    who = f"P{count}" if count else "Ann"
    assert variables["values"] == {"who": who, "score": count}, variables
    names = [f"n{number}" for number in range(count, 0, -1)] + ["a", "b", "c"]
    assert [row["id"] for row in rows["rows"]] == names, rows
    texts = [row["content"]["text"] for row in rows["rows"]]
    assert texts == [f"{name.removeprefix('n')} for {who}" for name in names], texts
    return rows["version"], variables["version"]


def listen(updates: Subscriber, session: str) -> dict[str, dict]:
    """The rows and variables that a new subscriber is told."""
    told: dict[str, dict] = {}
    wanted = {f"rows/{session}/list", f"variables/{session}"}

    def are_told(update) -> bool:
        told[update.topic] = update.body
        return wanted <= told.keys()
    updates.until(are_told, f"rows and variables of {session}")
    return told


# Clients read rows and variables only where their key allows it.


def test_a_key_gets_none_of_what_it_may_not_read(tmp_path: pathlib.Path):
    keys = Keys(tmp_path / "keys")
    for name in ("boss", "mine", "writer"):
        keys.add(name)
    tables = (table("boss", **ALL) + table("mine", **MINE)
              + table("writer", publish=["*"], control="own"))
    with Daemon(keys.config(tables)) as daemon:
        boss, mine = keys.client(daemon, "boss"), keys.client(daemon, "mine")
        control = boss.requests()
        for session in ("mine-1", "other"):
            control.open(session, shelf())
        everything = boss.subscriber(*TOPICS)
        updates = mine.subscriber(*TOPICS, "rows/other/list", "variables/other", "frame/other")
        for number, session in enumerate(("other", "other", "mine-1"), 1):
            change(control.publish, session, number)
        everything.find("variables/mine-1", values={"who": "P3", "score": 1})
        got = updates.until(
            lambda it: it.topic == "variables/mine-1" and it.body["values"]["score"] == 1)
        got += updates.during(0.5)
        assert {it.topic for it in got} == {
            "rows/mine-1/list", "variables/mine-1", "frame/mine-1"}, got
        assert not [it for it in got if "P1" in it.text or "P2" in it.text]
        refused = ("snapshot", "export", "scene")
        for op in refused:
            assert mine.requests().refused(op, session="other")["code"] == "unauthorized", op
        # A client that may only publish cannot read the values that it assigns, nor the rows.
        writer = keys.client(daemon, "writer").requests()
        change(writer.publish, "other", 4)
        for op in refused:
            assert writer.refused(op, session="other")["code"] == "unauthorized", op
        counts = {it["client"]: it["unauthorized"] for it in control.ok("stats")["clients"]}
        # Three subscriptions, and what was asked for.
        assert counts == {"boss": 0, "mine": 3 + len(refused), "writer": len(refused)}


# How they outlive a process


def others_hear(daemon: Daemon, session: str, count: int, after: tuple[int, int]) -> None:
    """A subscriber of the topics hears the same as a snapshot, and of one more change."""
    updates = daemon.subscriber(f"rows/{session}", f"variables/{session}")
    assert expect(listen(updates, session), session, count) >= after
    control = daemon.requests()
    change(control.publish, session, count + 1)
    told: dict[str, dict] = {}

    def are_told(update) -> bool:
        """Either may come first."""
        told[update.topic] = update.body
        rows, variables = told.get(f"rows/{session}/list"), told.get(f"variables/{session}")
        if not rows or not variables:
            return False
        return (variables["values"] == {"who": f"P{count + 1}", "score": count + 1}
                and rows["rows"][0]["content"]["text"] == f"{count + 1} for P{count + 1}")
    updates.until(are_told, f"the change of {session}")
    assert told[f"rows/{session}/list"]["version"] > after[0]


def follow(former: tuple[int, int], versions: tuple[int, int]) -> None:
    """The same content may have the same versions, in whatever epoch it is told."""
    assert versions[0] >= former[0] and versions[1] >= former[1], (former, versions)


def test_a_parked_session_comes_back_with_its_rows_and_variables(session: str):
    with Daemon("[sessions]\nidle_timeout = 0.3\n") as daemon:
        control = daemon.requests()
        control.open(session, shelf())
        former = expect(control.snapshot(session), session, 0)
        for number in range(1, 4):
            change(control.publish, session, number)
            versions = expect(control.snapshot(session), session, number)
            assert versions[0] > former[0] and versions[1] > former[1], (former, versions)
            wait_for(lambda: control.ok("stats")["stats"]["sessions"] == 0, "it is parked")
            former, versions = versions, expect(control.snapshot(session), session, number)
            follow(former, versions)
            former = versions
        wait_for(lambda: control.ok("stats")["stats"]["sessions"] == 0, "it is parked")
        others_hear(daemon, session, 3, former)


def test_a_killed_daemon_comes_back_with_all_that_it_acknowledged(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, shelf())
        former = expect(control.snapshot(session), session, 0)
        for number in range(1, 4):
            change(control.publish, session, number)
            control = daemon.restart()
            versions = expect(control.snapshot(session), session, number)
            follow(former, versions)
            former = versions
        others_hear(daemon, session, 3, former)


@needs_postgres
def test_they_go_on_where_a_member_leaves_and_where_it_is_killed(session: str):
    with Postgres() as postgres, Cluster(postgres, names=("left", "right")) as cluster:
        cluster.ok("open", session, scene=shelf())
        former = expect(cluster.snapshot(session), session, 0)
        count = 0
        for end in ("stop", "kill", "stop"):
            count += 1
            change(cluster.publish, session, count)
            versions = expect(cluster.snapshot(session), session, count)
            assert versions[0] > former[0] and versions[1] > former[1], (former, versions)
            former = versions
            owner = cluster.owner(session)
            if end == "stop":
                assert owner.stop() == 0, owner.log()
            else:
                owner.kill()
            versions = expect(cluster.snapshot(session), session, count)
            follow(former, versions)
            former = versions
            others_hear(cluster.owner(session), session, count, former)
            count += 1
            former = expect(cluster.snapshot(session), session, count)
            owner.again()
            cluster.wait_until_shared()


def test_an_import_goes_on(control: Control, session: str):
    """Under another name, in another epoch."""
    control.open(session, shelf())
    for number in (1, 2):
        change(control.publish, session, number)
    former = expect(control.snapshot(session), session, 2)
    control.ok("import", session=f"{session}-2", document=control.export(session))
    versions = expect(control.snapshot(f"{session}-2"), f"{session}-2", 2)
    follow(former, versions)
