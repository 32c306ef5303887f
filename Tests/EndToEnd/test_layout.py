"""Frames that are tables of places and lengths."""

from __future__ import annotations

import json
import signal
import subprocess
import tempfile

import pytest
from client import DEADLINE, Control, Daemon, binary
from scenes import navigation, rows, scene, tabs, toss

PLACED = {"right": 0, "width": "50%", "bottom": 0, "aspect": 2, "safe": True}


def frames(control: Control, session: str) -> dict:
    told = control.ok("scene", session=session)["scene"]
    return {it["id"]: it["frame"] for it in told["components"]}


def change(control: Control, session: str, command: str, **fields: object) -> dict:
    return control.publish(f"command/{session}", {"command": command, **fields})


def test_clients_are_told_the_frames(control: Control, session: str):
    control.open(session, scene(
        rows(frame=PLACED),
        toss(frame={"center_x": "50%", "width": 100, "center_y": "25%", "height": 50}),
        viewport=[320, 568], insets=[20, 0, 34, 20]))
    assert frames(control, session)["list"] == [150, 459, 150, 75]
    assert control.state(session, "toss")["model"]["frame"] == [110, 117, 100, 50]
    assert control.state(session, "list")["views"]["row-0"]["w"] == 150


def test_a_resize_computes_them_again_also_under_way(control: Control, session: str):
    control.open(session, scene(
        navigation(spring={"duration": 5}, frame={"left": "10%", "right": "10%"}),
        rows(frame=PLACED, **{"in": "navigation/posts"}), insets=[0, 0, 34, 40]))
    control.publish(f"command/{session}/navigation", {
        "command": "present", "screen": "posts", "transition": "in-from-left"})
    # 40 points at the right leave 8 of the holder's.
    assert frames(control, session) == {
        "navigation": [32, 0, 256, 568], "list": [124, 472, 124, 62]}
    change(control, session, "resize", viewport=[400, 300], insets=[0, 0, 0, 0])
    assert frames(control, session) == {
        "navigation": [40, 0, 320, 300], "list": [160, 220, 160, 80]}
    assert control.state(session, "navigation")["phase"] == "transitioning"


def test_a_set_and_a_reaction_take_a_table(control: Control, session: str):
    control.open(session, scene(
        rows(), tabs(), reactions=[{
            "when": {"notification": "x"},
            "do": {"component": "list", "command": "set",
                   "values": {"frame": {"left": "$count", "right": 0}}}}]))
    change(control, session, "set", component="list",
           values={"frame": {"top": 10, "bottom": 48}})
    assert frames(control, session)["list"] == [0, 10, 320, 510]
    control.publish(f"notification/{session}", {"kind": "x", "add": 20})
    assert frames(control, session)["list"] == [20, 0, 300, 568]


@pytest.mark.parametrize(("frame", "words"), [
    ({"left": 1, "right": 2, "width": 3}, "frame, key width: cannot stand beside left and right"),
    ({"left": 300, "right": 300}, "frame, key right: leaves a width of -280 in 320"),
    ({"top": "4000%", "height": 1}, "frame, key top: must be a number"),
    ({"lefd": 1}, 'frame: unknown key "lefd", did you mean "left"?'),
])
def test_a_wrong_frame_changes_nothing(
        control: Control, session: str, frame: dict, words: str):
    error = control.refused("open", session=session, scene=scene(rows(frame=frame)))
    assert error["code"] == "bad-scene" and words in error["message"], error
    control.open(session, scene(rows()))
    error = control.refused("publish", topic=f"command/{session}", body={
        "command": "set", "component": "list", "values": {"frame": frame}})
    assert error["code"] == "bad-scene" and words in error["message"]
    assert frames(control, session)["list"] == [0, 0, 320, 568]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_frames_outlive_a_restart(number: int):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", scene(rows(frame=PLACED)))
        change(control, "alice", "resize", viewport=[400, 300], insets=[0, 0, 0, 100])
        assert frames(control, "alice") == {"list": [150, 225, 150, 75]}
        assert frames(daemon.restart(number), "alice") == {"list": [150, 225, 150, 75]}


def test_check_scene_names_every_fault_with_its_line():
    text = """viewport = [320, 568]
[[components]]
id = "list"
kind = "list"
rows = 2
[components.frame]
left = 1
right = "x"
height = 5
sav = true
"""
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
        file.write(text)
        file.flush()
        result = subprocess.run(
            [binary(), "--check-scene", file.name], capture_output=True, text=True,
            timeout=DEADLINE)
    assert result.returncode != 0
    lines = [line.split(":")[1] for line in result.stderr.splitlines() if ":" in line]
    assert lines[:3] == ["8", "9", "10"], result.stderr
    assert json.dumps("sav") in result.stderr
