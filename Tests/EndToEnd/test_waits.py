"""Waits of reactions outlive their process and keep their session in memory until they end."""

from __future__ import annotations

import signal
import time

import pytest
from client import Control, Daemon
from reliability import wait_for

BUTTON = {"id": "one", "kind": "button", "frame": [0, 0, 100, 50]}
TAP = {"component": "one", "transition": "tap"}


def scene(*reactions: dict) -> dict:
    return {"viewport": [320, 568], "variables": {"score": 0, "name": "a"}, "components": [BUTTON],
            "reactions": list(reactions)}


def values(control: Control, session: str) -> dict:
    updates = control.ok("snapshot", session=session)["updates"]
    return next(it["body"]["values"] for it in updates
                if it["topic"] == f"variables/{session}")


def add(when: dict, after: float = 0, by: object = 1) -> dict:
    return {"when": when, "do": {"variable": "score", "add": by}, "after": after}


def test_a_wait_and_its_data_go_on_after_a_kill():
    late = {"when": {"notification": "n"}, "after": 1.5,
            "do": {"variable": "name", "set": "$data.who"}}
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("bar", scene(late, add({"component": "one", "transition": "tap"}, 60)))
        control.publish("notification/bar", {"kind": "n", "data": {"who": "Ann"}})
        time.sleep(0.5)
        control.publish("command/bar/one", {"command": "tap"})
        control = daemon.restart()
        # Its time stood still while nobody had it in memory.
        assert values(control, "bar") == {"score": 0, "name": "a"}
        wait_for(lambda: values(control, "bar")["name"] == "Ann", "the rest of the wait")
        assert values(control, "bar")["score"] == 0


@pytest.mark.parametrize("when,after,keeps", [
    ({"component": "one", "transition": "tap"}, 2, 2), ({"every": 1.5}, 0, 1),
    ({"idle": 1.5}, 0, 1)])
def test_a_session_is_parked_when_its_next_wait_has_ended(when: dict, after: float, keeps: float):
    with Daemon("[sessions]\nidle_timeout = 0.3\n") as daemon:
        control = daemon.requests()
        control.open("bar", scene(add(when, after)))
        control.publish("command/bar/one", {"command": "tap"})
        began = time.monotonic()
        wait_for(lambda: control.ok("stats")["stats"]["sessions"] == 0, "it is parked")
        assert time.monotonic() - began > keeps
        assert values(control, "bar")["score"] >= 1


@pytest.mark.parametrize("reactions", [
    [add(TAP, 1), add(TAP, 1.4, 10)],
    [{"when": TAP, "do": [{"variable": "score", "add": 1, "after": 1},
                          {"variable": "score", "add": 10, "after": 1.4}]}],
    [add(TAP, 0.8), add({"variable": "score", "is": 1}, 0.8, 10)],
], ids=["two reactions", "two actions", "one leads to the other"])
def test_no_action_that_waits_is_cut_off_by_parking(reactions: list):
    with Daemon("[sessions]\nidle_timeout = 0.3\n") as daemon:
        control = daemon.requests()
        control.open("bar", scene(*reactions))
        control.publish("command/bar/one", {"command": "tap"})
        wait_for(lambda: control.ok("stats")["stats"]["sessions"] == 0, "it is parked")
        assert values(control, "bar")["score"] == 11


@pytest.mark.parametrize("reaction", [
    add({"idle": 4}), add({"every": 4}), add({"session": "opened"}, 4)],
    ids=["idle", "every", "after"])
def test_a_wait_goes_on_after_an_end_in_order(reaction: dict):
    passed = {"when": {"session": "opened"}, "after": 2.5,
              "do": {"variable": "name", "set": "passed"}}
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("bar", scene(reaction, passed))
        wait_for(lambda: values(control, "bar")["name"] == "passed", "2.5 s of its time")
        control = daemon.restart(signal.SIGTERM)
        assert values(control, "bar")["score"] == 0
        began = time.monotonic()
        wait_for(lambda: values(control, "bar")["score"] == 1, "the rest of the wait")
        assert 0.5 < time.monotonic() - began < 3


def test_an_acknowledged_assignment_is_on_the_disk():
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("bar", scene())
        versions = []
        for score in range(1, 6):
            control.publish("command/bar", {"command": "assign", "values": {"score": score}})
            if score == 3:
                control = daemon.restart()
            updates = daemon.subscriber("variables/bar")
            update = updates.until(lambda it: it.topic == "variables/bar", "its values")[-1]
            assert update.body["values"]["score"] == score
            versions.append(update.body["version"])
            updates.socket.close()
        assert versions == sorted(set(versions)), versions


def test_nonsense_is_refused_and_changes_nothing(daemon: Daemon, control: Control, session: str):
    control.open(session, scene())
    for body in (
        {"command": "assign"}, {"command": "assign", "values": 1},
        {"command": "assign", "values": {"score": "1"}}, {"command": "assign", "values": {"x": 1}},
        {"command": "assign", "values": {"score": None}},
        {"command": "assign", "values": {"score": 2, "name": "x" * 4097}},
        {"command": "assign", "values": {"score": 1e300}},
    ):
        reply = control.ask("publish", topic=f"command/{session}", body=body)
        assert not reply["ok"] and reply["error"]["code"] in ("bad-value", "missing-field"), body
    for data in (1, [], "x", None, {"text": "x" * 4097}):
        reply = control.ask("publish", topic=f"notification/{session}",
                            body={"kind": "n", "data": data})
        assert reply.get("error", {}).get("code") == "bad-value", (str(data)[:50], reply)
    assert values(control, session) == {"score": 0, "name": "a"}
    assert control.badge(session)["total"] == 0


def test_a_reader_of_frames_gets_the_variables(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(add({"component": "one", "transition": "tap"})))
    updates = daemon.subscriber(f"frame/{session}", f"variables/{session}")
    control.publish(f"command/{session}/one", {"command": "tap"})
    seen = updates.until(
        lambda it: it.topic.startswith("frame/")
        and it.body.get("variables", {}).get("values", {}).get("score") == 1, "a frame with it")
    told = [it.body["values"]["score"] for it in seen if it.topic.startswith("variables/")]
    assert told in ([0, 1], [1]), told


def test_data_fills_so_many_bytes(daemon: Daemon, control: Control, session: str):
    text = "$data.t" * 5
    reaction = {"when": {"notification": "n"}, "do": {
        "component": "list", "command": "insert", "item": {"id": "a", "content": {"text": text}}}}
    whole = scene(reaction)
    whole["components"] = [{"id": "list", "kind": "list", "rows": []}]
    control.open(session, whole)
    updates = daemon.subscriber(f"rejected/{session}", f"rows/{session}/list")
    control.publish(f"notification/{session}", {"kind": "n", "data": {"t": "x" * 4_000}})
    told = updates.until(lambda it: it.topic.startswith("rejected/"), "a refusal")[-1].body
    assert told["code"] == "bad-value" and "the arguments have" in told["message"], told
    control.publish(f"notification/{session}", {"kind": "n", "data": {"t": "y"}})
    rows = updates.until(
        lambda it: it.topic.startswith("rows/") and it.body["count"] == 1, "the row")[-1].body
    assert rows["rows"][0]["content"]["text"] == "yyyyy"
