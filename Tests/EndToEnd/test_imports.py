"""Checks of imports, and of worlds after a kill of the process."""

from __future__ import annotations

import copy
import json
import pathlib
import subprocess
import time

import pytest
from client import Control, Daemon, binary
from reliability import resident_mebibytes, wait_for
from scenes import dynamics, scene, tips, toss

EVERYTHING = {
    "items": [
        {"id": "a", "center": [80, 60], "size": [40, 40], "shape": "circle"},
        {"id": "b", "center": [180, 90], "size": [50, 40]},
        {"id": "c", "center": [100, 200], "size": [60, 60]},
        {"id": "d", "center": [60, 320], "size": [30, 30]},
        {"id": "e", "center": [100, 320], "size": [30, 30]},
        {"id": "f", "center": [200, 300], "size": [40, 40]},
        {"id": "g", "center": [260, 300], "size": [40, 40]},
        {"id": "h", "center": [160, 460], "size": [60, 60]}],
    "behaviors": [
        {"id": "pair", "kind": "group", "items": ["d", "e"]},
        {"id": "walls", "kind": "collision", "items": ["a", "b", "pair"], "bounds": True},
        {"id": "fall", "kind": "gravity", "items": ["a", "b"], "dy": 0.5},
        {"id": "wind", "kind": "field", "type": "vortex", "items": ["pair"],
         "position": [160, 300], "strength": 0.5},
        {"id": "weld", "kind": "attachment", "item": "f", "to": "g", "type": "fixed",
         "offset": [30, 0], "to_offset": [-30, 0]},
        {"id": "rail", "kind": "attachment", "item": "h", "anchor": [160, 440],
         "type": "sliding", "axis": [1, 0], "range": [-50, 50]}]}


@pytest.fixture(scope="module")
def fragile():
    """A daemon whose process a test may kill."""
    with Daemon() as daemon:
        yield daemon
        assert daemon.is_running, f"the daemon ended on its own\n{daemon.log()}"


# Survival


def test_a_world_in_hand_is_back_after_a_kill_as_it_lay(fragile: Daemon, session: str):
    """A group, a field, a scaled item and ties come back; the finger does not."""
    control = fragile.requests()
    control.open(session, scene(dynamics(**EVERYTHING), seed=7))
    control.gesture(session, "world", "pinch", "began", x=100, y=200, scale=1)
    control.gesture(session, "world", "pinch", "ended", scale=1.5)
    control.gesture(session, "world", "pan", "began", x=160, y=460)
    control.gesture(session, "world", "pan", "changed", x=190, y=470)
    wait_for(lambda: control.state(session, "world")["phase"] == "dragging", "it is dragged")
    # The daemon has stored everything up to its last answer.
    control.command(session, "world", "set", behavior="wind", values={"strength": 0.25})
    before = control.state(session, "world")
    control = fragile.restart()
    after = control.state(session, "world")
    assert after["phase"] == "resting" and after["model"]["dragged"] is None, after
    assert after["views"]["c"]["scale"] == 1.5
    assert set(after["views"]) == set(before["views"])
    for name, view in after["views"].items():
        # Some frames passed between that answer and the look at the views.
        assert abs(view["x"] - before["views"][name]["x"]) < 40, (name, view)
        assert abs(view["y"] - before["views"][name]["y"]) < 40, (name, view)
    assert control.ok("stats")["stats"]["worlds_unread"] == 0
    # The ties hold: the slider stays on its rail, the welded items keep their distance.
    assert abs(after["views"]["h"]["x"] - 160) <= 50.5
    control.command(session, "world", "add-velocity", item="f", dx=300, dy=-200)
    wait_for(
        lambda: abs(control.state(session, "world")["views"]["f"]["x"]
                    - after["views"]["f"]["x"]) > 5, "it moves")
    views = control.state(session, "world")["views"]
    apart = ((views["g"]["x"] - views["f"]["x"]) ** 2 + (views["g"]["y"] - views["f"]["y"]) ** 2)
    assert abs(apart ** 0.5 - 60) < 1, views
    gap = ((views["e"]["x"] - views["d"]["x"]) ** 2 + (views["e"]["y"] - views["d"]["y"]) ** 2)
    assert abs(gap ** 0.5 - 40) < 0.01, views


def test_an_import_that_was_answered_outlives_a_kill(fragile: Daemon, session: str):
    control = fragile.requests()
    control.open(session, scene(dynamics(**EVERYTHING), seed=7))
    control.notify(session, "likes", add=3)
    document = control.export(session)
    other = f"{session}-b"
    control.ok("import", session=other, document=document)
    control = fragile.restart()
    assert control.badge(other)["counts"] == {"likes": 3}
    assert control.state(other, "world")["phase"] == "resting"
    version = control.badge(other)["version"]
    control.notify(other, "likes")
    assert control.badge(other)["version"] > version


# Time


def test_a_throw_is_one_after_a_pause_too(daemon: Daemon, control: Control, session: str):
    """A finger that was fast at the export is still fast after a later import."""
    control.open(session, "phone")
    x = 100
    control.gesture(session, "toss", "pan", "began", x=x, y=220)
    for _ in range(8):
        x += 60
        time.sleep(0.02)
        control.gesture(session, "toss", "pan", "changed", x=x, y=220)
    document = control.export(session)
    time.sleep(0.5)
    other = f"{session}-b"
    control.ok("import", session=other, document=document)
    control.gesture(other, "toss", "pan", "ended", x=x, y=220)
    assert control.state(other, "toss")["phase"] == "thrown"


# Refusals


def crowd(document: dict, count: int) -> dict:
    """A thrown view whose world holds many extra bodies, all in one place."""
    document = copy.deepcopy(document)
    machine = document["state"]["machines"][0]
    animator = machine["world"]["animator"]
    # A body is a list: its number comes first, its count of behaviors next to last.
    *body, _, still = animator["bodies"][0][1:]
    animator["bodies"] += [[number, *body, 0, still] for number in range(1, count)]
    animator.update(itemsGiven=count, awakeCount=count)
    return document


def test_a_crowd_of_bodies_is_refused_at_once(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    control.gesture(session, "toss", "pan", "began", x=160, y=220)
    control.gesture(session, "toss", "pan", "ended", x=160, y=220, vx=3000, vy=100)
    document = crowd(control.export(session), 1_000)
    before = resident_mebibytes(daemon)
    for number in range(5):
        began = time.monotonic()
        error = control.refused("import", session=f"{session}-{number}", document=document)
        assert error["code"] == "bad-value" and "machines.0" in error["message"], error
        # The import stalls its lane and all sessions there. This bounds the stall.
        assert time.monotonic() - began < 2, number
    assert resident_mebibytes(daemon) - before < 128


def test_a_crowd_of_counts_is_refused_at_once(daemon: Daemon, control: Control, session: str):
    control.notify(session, "likes")
    document = control.export(session)
    document["state"]["badges"]["counts"] = [
        {"kind": f"{35_000 - number:06}", "count": 1} for number in range(20_000)]
    began = time.monotonic()
    error = control.refused("import", session=f"{session}-b", document=document)
    assert error["code"] == "bad-value" and "counts" in error["message"], error
    assert time.monotonic() - began < 1


def test_versions_never_pass_what_json_holds(daemon: Daemon, control: Control, session: str):
    control.notify(session, "likes")
    document = control.export(session)
    for version in (2**53 - 1, 2**53 - 2**20, 7 * 2**50):
        document["state"]["badges"]["version"] = version
        error = control.refused("import", session=f"{session}-b", document=document)
        assert error["code"] == "bad-value" and "badges" in error["message"], error
    document["state"]["badges"]["version"] = 6 * 2**50
    control.ok("import", session=f"{session}-b", document=document)


@pytest.mark.parametrize("pointer", [
    2**53 - 1, 2**53, 2**53 + 1, 2**63 - 1, -(2**53) - 1, -(2**63)])
@pytest.mark.parametrize("component, wanted", [("toss", True), ("tabs", False)])
def test_a_contact_of_any_number_comes_along(
    daemon: Daemon, control: Control, session: str, component: str, wanted: bool, pointer: int
):
    """A finger that is down, or one that was refused, goes on after the import."""
    def touch(name: str, phase: str, y: int) -> bool:
        body = {"gesture": "pointer", "pointer": pointer, "phase": phase, "x": 160, "y": y}
        topic = f"gesture/{name}/{component}"
        return control.ask("publish", topic=topic, body=body)["ok"]

    control.open(session, "phone")
    assert touch(session, "began", 220) is wanted
    document = control.export(session)
    assert str(pointer) in json.dumps(document)
    control.ok("import", session=f"{session}-b", document=document)
    assert touch(f"{session}-b", "changed", 240) is wanted
    control.ok("import", session=f"{session}-c", document=control.export(f"{session}-b"))
    assert touch(f"{session}-c", "ended", 240) is wanted


@pytest.mark.parametrize("number", [3.5e38, -3.5e38, 1e300, 1.7e308])
def test_what_single_precision_cannot_hold_is_refused(
    daemon: Daemon, control: Control, session: str, number: float
):
    control.open(session, scene(dynamics(**EVERYTHING), seed=7))
    document = control.export(session)
    contacts = document["state"]["machines"][0]["bodies"]["animator"]["collisionStore"][0][
        "contacts"]
    contacts["parts"][0][-1] = [number, 0, 1, 1]
    error = control.refused("import", session=f"{session}-b", document=document)
    assert error["code"] == "bad-value" and "parts" in error["message"], error


def test_refused_contacts_come_along(daemon: Daemon, control: Control, session: str):
    control.open(session, "phone")
    wrong = {"gesture": "pan", "phase": "began", "x": 1, "y": 1}
    control.code(f"gesture/{session}/navigation", wrong)
    document = control.export(session)
    other = f"{session}-b"
    control.ok("import", session=other, document=document)
    updates, publisher = daemon.subscriber(f"rejected/{other}"), daemon.publisher()
    topic = f"gesture/{other}/navigation"
    publisher.send(topic, {**wrong, "phase": "changed"})
    publisher.send(topic, {**wrong, "gesture": "swipe", "direction": "left"})
    # The daemon reports only the swipe: the other sample belongs to the refused contact.
    assert "swipe" in updates.find(f"rejected/{other}").body["message"]
    assert not updates.during(0.2)


def crowded(count: int) -> dict:
    """A scene of worlds with the most items allowed, all at rest, so they cost no time."""
    names = [f"i{number}" for number in range(64)]
    items = [
        {"id": name, "center": [20 + number % 8 * 35, 20 + number // 8 * 35], "size": [30, 30]}
        for number, name in enumerate(names)]
    ties = [
        {"id": f"t{number}", "kind": "attachment", "item": names[number],
         "to": names[number + 1], "frequency": 2} for number in range(60)]
    behaviors = [
        {"id": "walls", "kind": "collision", "items": names, "bounds": True}, *ties]
    return scene(*[
        {"id": f"w{world}", "kind": "dynamics", "items": items, "behaviors": behaviors}
        for world in range(count)], seed=1)


def test_an_oversized_document_is_refused(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    """Both the daemon and the tool name the limit."""
    limit = control.ok("hello")["limits"]["limit_export_bytes"]
    control.open(session, crowded(2))
    document = control.export(session)
    assert len(json.dumps(document)) < limit
    large = f"{session}-large"
    # The scene fits a message, and with the state it does not.
    control.open(large, scene(tips(tips=[{"title": "a" * 1_012}] * 1_020)))
    error = control.refused("export", session=large)
    assert error["code"] == "too-large" and str(limit) in error["message"], error
    control.ok("close", session=large)
    document["state"]["machines"] *= 20
    file = tmp_path / "session.json"
    file.write_text(json.dumps({"session": large, "document": document}))
    done = subprocess.run(
        [str(binary().with_name("gesturectl")), "import", str(file), "--control",
         daemon.control.split(",")[0]], capture_output=True, text=True, timeout=20)
    assert done.returncode == 2, done
    assert "limit_export_bytes" in done.stderr and str(limit) in done.stderr, done
    assert "session.json" in done.stderr and daemon.is_running
