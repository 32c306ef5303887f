"""Numbers in the store that no daemon writes: damage, or an edit by hand. None ends a start."""

from __future__ import annotations

import itertools
import json
import signal
import sqlite3

import pytest
from client import Daemon
from scenes import scene, still, tabs, toss

HUGE = [2**53 + 1, 2**60, 2**62, 2**63 - 1, -1, -(2**60), -(2**63)]
TOLD = "the store is damaged: "


def edit(daemon: Daemon, statement: str, *values: object) -> None:
    with sqlite3.connect(daemon.state / "gestured.db") as file:
        file.execute(statement, values)
    file.close()


def state_of(daemon: Daemon, session: str) -> bytes:
    with sqlite3.connect(daemon.state / "gestured.db") as file:
        state, = file.execute("SELECT state FROM session WHERE id = ?", (session,)).fetchone()
    file.close()
    return state


def badge(control, session: str) -> dict:
    return control.snapshot(session)[f"badge/{session}"]


@pytest.mark.parametrize("column, number", [
    *itertools.product(["floor", "life"], HUGE), ("closed", 2**60), ("closed", -(2**63))])
def test_a_row_of_the_store_that_cannot_be_is_told_and_mended(column: str, number: int):
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open("alice", still())
        control.notify("alice", "likes")
        version = badge(control, "alice")["version"]
        daemon.stop(signal.SIGTERM)
        edit(daemon, f"UPDATE store SET {column} = ?", number)
        control = daemon.restart()
        assert f"{TOLD}{daemon.state}/gestured.db: its table store has floor " in daemon.log()
        assert badge(control, "alice")["counts"] == {"likes": 1}
        assert version < badge(control, "alice")["version"] < 2**53
        control.open("bob", still())
        control.notify("bob", "likes")
        assert version < badge(control, "bob")["version"] < 2**53
        control.ok("close", session="bob")
        control = daemon.restart(signal.SIGKILL)
        assert TOLD not in daemon.log(), "it is mended"
        assert badge(control, "alice")["counts"] == {"likes": 1}


@pytest.mark.parametrize("number", [2**53, 2**60, 2**62, 2**63 - 1, -1, -(2**62)])
@pytest.mark.parametrize("member", ["version", "life", "seen", "revision", "count"])
def test_a_session_with_such_a_number_is_set_aside(member: str, number: int):
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        for name in ("alice", "bob"):
            control.open(name, still())
            control.notify(name, "likes", id="one")
        daemon.stop(signal.SIGTERM)
        state = json.loads(state_of(daemon, "alice"))
        if member == "count":
            state["counts"]["likes"] = number
        else:
            state[member] = number
        edit(daemon, "UPDATE session SET state = ? WHERE id = 'alice'", json.dumps(state).encode())
        for number_of_end in (signal.SIGTERM, signal.SIGKILL):
            control = daemon.restart(number_of_end)
            refused = control.refused("snapshot", session="alice")
            assert refused["code"] == "internal" and "cannot be read" in refused["message"]
            assert badge(control, "bob")["counts"] == {"likes": 1}
        control.ok("close", session="alice")
        control.open("alice", still())
        assert 0 <= badge(control, "alice")["version"] < 2**53


@pytest.mark.parametrize("number", [2**62, 2**63 - 1, -(2**63)])
@pytest.mark.parametrize(
    "statement", ["UPDATE session SET touched = ?", "UPDATE seen SET place = ?"])
def test_times_and_places_that_cannot_be_end_no_start(statement: str, number: int):
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open("alice", still())
        control.notify("alice", "likes", id="one")
        daemon.stop(signal.SIGTERM)
        edit(daemon, statement, number)
        control = daemon.restart()
        assert badge(control, "alice")["counts"] == {"likes": 1}
        control.notify("alice", "likes", id="two")
        control = daemon.restart(signal.SIGKILL)
        assert badge(control, "alice")["counts"] == {"likes": 2}


@pytest.mark.parametrize("number", [2**62, 2**63 - 1, -(2**63)])
def test_a_row_with_any_number_stops_no_commit(number: int):
    """A new row has the number after the highest, which has none after it."""
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open("alice", still())
        control.notify("alice", "likes", id="one")
        daemon.stop(signal.SIGTERM)
        edit(daemon, "UPDATE seen SET session = ?", number)
        edit(daemon, "UPDATE session SET number = ?", number)
        control = daemon.restart()
        for name in ("bob", "carol", "alice"):
            control.open(name, still())
            control.notify(name, "likes", id="two")
        control = daemon.restart(signal.SIGKILL)
        for name, count in (("alice", 2), ("bob", 1), ("carol", 1)):
            assert badge(control, name)["counts"] == {"likes": count}
        assert control.notify("alice", "likes", id="one")["duplicate"], "its marks are its own"
        control.ok("close", session="alice")
        control.open("dave", still())
        assert badge(control, "bob")["counts"] == {"likes": 1}


def test_a_stored_session_of_the_name_of_none_is_told_and_can_be_closed():
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open("alice", still())
        daemon.stop(signal.SIGTERM)
        edit(daemon, "INSERT INTO session (id, state, touched) "
                     "SELECT '-', state, touched FROM session WHERE id = 'alice'")
        control = daemon.restart()
        assert "a stored session cannot be reached: no session has the name -" in daemon.log()
        assert control.sessions() == ["-", "alice"]
        assert control.refused("snapshot", session="-")["code"] == "bad-value"
        control.ok("close", session="-")
        assert control.sessions() == ["alice"]
        daemon.restart()
        assert "cannot be reached" not in daemon.log()


def test_counts_without_end_are_set_aside():
    """Their sum would be beyond an integer."""
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open("alice", still())
        daemon.stop(signal.SIGTERM)
        with sqlite3.connect(daemon.state / "gestured.db") as file:
            state = json.loads(file.execute("SELECT state FROM session").fetchone()[0])
        file.close()
        for counts in ({f"k{number}": 2**53 - 1 for number in range(1_100)}, {"a b": 1}):
            state["counts"] = counts
            edit(daemon, "UPDATE session SET state = ?", json.dumps(state).encode())
            control = daemon.restart(signal.SIGTERM)
            assert "cannot be read" in control.refused("snapshot", session="alice")["message"]
            daemon.stop(signal.SIGTERM)


def test_a_sum_of_counts_stays_a_number_that_json_holds(daemon: Daemon, session: str):
    control = daemon.requests()
    control.open(session, still())
    for kind in ("likes", "comments"):
        control.notify(session, kind, set=2**53 - 1)
    assert badge(control, session)["total"] == 2**53 - 1


def test_a_session_with_the_highest_cuts_can_be_exported_and_imported(
    daemon: Daemon, session: str
):
    control = daemon.requests()
    control.open(session, scene(tabs(), toss()))
    for components in ([tabs()], [tabs(), toss()]):
        control.ok("open", session=session, scene=scene(*components), replace=True)
    document = control.export(session)
    text = json.dumps(document)
    assert '"cutFloor": 1' in text, "the component that came back has one"
    for number, isGood in [(2**48, True), (2**48 + 1, False), (2**53 - 1, False)]:
        name = f"{session}-{number}"
        copy = json.loads(text.replace('"cutFloor": 1', f'"cutFloor": {number}'))
        answer = control.ask("import", session=name, document=copy)
        assert answer["ok"] == isGood, answer
        if not isGood:
            assert answer["error"]["code"] == "bad-value" and "notes" in answer["error"]["message"]
            continue
        for components in ([tabs()], [tabs(), toss()]):
            control.ok("open", session=name, scene=scene(*components), replace=True)
        again = control.export(name)
        control.ok("import", session=f"{name}-again", document=again)


@pytest.mark.parametrize("right, wrong", [
    (b'"presented":true', b'"presented":5'), (b'"viewport":[320,568]', b'"viewport":[0,568]'),
    (b'"kind":"tips"', b'"kind":"lost"'), (b'"id":"tips"', b'"id":"tips","no":1')])
def test_a_session_whose_scene_is_refused_is_set_aside(right: bytes, wrong: bytes):
    """As after damage, or by a daemon that refuses what the one before it took."""
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open("alice", scene(
            {"id": "tips", "kind": "tips", "presented": True, "tips": [{"title": "One"}]}))
        control.open("bob", still())
        for name in ("alice", "bob"):
            control.notify(name, "likes")
        daemon.stop(signal.SIGTERM)
        state = state_of(daemon, "alice")
        assert right in state, state
        edit(daemon, "UPDATE session SET state = ? WHERE id = 'alice'",
             state.replace(right, wrong, 1))
        control = daemon.restart()
        refused = control.refused("snapshot", session="alice")
        assert refused["code"] == "internal" and "cannot be read" in refused["message"]
        assert badge(control, "bob")["counts"] == {"likes": 1}
        control.ok("close", session="alice")
        control.open("alice", still())


def test_a_session_that_was_imported_with_the_highest_revision_goes_on():
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open("alice", scene(toss()))
        control.publish("command/alice", {"command": "update", "scene": scene(tabs())})
        document = control.ok("export", session="alice")["document"]
        highest = control.ok("hello")["limits"]["limit_version_imported"]
        document["state"]["revision"] = highest
        control.ok("import", session="bob", document=document)
        control.publish("command/bob", {"command": "update", "scene": scene(toss())})
        control.notify("bob", "likes")
        for number_of_end in (signal.SIGKILL, signal.SIGTERM):
            control = daemon.restart(number_of_end)
            assert badge(control, "bob")["counts"] == {"likes": 1}
