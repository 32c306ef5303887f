"""`gesturectl record` and scenes that no event can hold, or that it cannot get."""

from __future__ import annotations

import json
import pathlib

from client import Control, Daemon
from reliability import wait_for
from scenes import rows, scene
from tool import Tool, ctl, lines, recording

EVENT_BYTES_MAX = 65_536


def large(width: int) -> dict:
    """A scene without a name, several times larger than an event."""
    content = [{"id": f"r{n}", "content": {"title": "x" * 400}} for n in range(400)]
    own = scene(rows(rows=content), viewport=[width, 568])
    assert len(json.dumps(own)) > 2 * EVENT_BYTES_MAX
    return own


def width(scene: dict) -> float:
    return scene["viewport"][0]


def shown(control: Control, session: str) -> float:
    return width(control.snapshot(session)[f"scene/{session}"])


def test_a_scene_larger_than_an_event_is_recorded_and_played(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    """The scene of the first session stands in the header, another one in a line of its own."""
    widths = {session: 310, session + "-b": 300}
    for name, own in widths.items():
        control.open(name, large(own))
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        for name in widths:
            publisher.send(f"notification/{name}", {"kind": "likes"})
        wait_for(lambda: copy.read_bytes().count(b"\n") == 4, "both events are recorded")
        assert recorder.end() == (0, "2 events recorded\n")
    header, first, opening, second = lines(copy.read_text())
    assert width(header["scene"]) == 310 and first["topic"] == f"notification/{session}"
    assert opening["session"] == session + "-b" and width(opening["scene"]) == 300
    assert second["topic"] == f"notification/{session}-b"

    played = ctl("simulate", copy, "--scenes", tmp_path)
    assert played.returncode == 0 and not played.stderr, played.stderr
    bodies = {line["topic"]: line["body"] for line in lines(played.stdout)}
    for name, own in widths.items():
        assert width(bodies[f"scene/{name}"]) == own
        assert bodies[f"badge/{name}"]["counts"] == {"likes": 1}
    assert lines(ctl("convert", copy).stdout) == lines(copy.read_text())

    for name in widths:
        control.ok("close", session=name)
    with Tool(daemon, "replay", copy) as player:
        assert player.wait() == (0, "")
    for name, own in widths.items():
        wait_for(lambda: control.badge(name)["counts"] == {"likes": 1}, "it is played")
        assert shown(control, name) == own


def test_a_scene_that_is_missing_is_told_when_it_is_recorded_and_when_it_is_played(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, large(310))
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, endpoint):
        publisher = daemon.publisher(endpoint)
        publisher.send(f"notification/{session}", {"kind": "likes"})
        # It is refused, so that it opens no session that could have a scene.
        publisher.send(f"notification/{session}-b", {"kind": 5})
        recorder.said(
            f"gesturectl: the scene of session {session}-b is missing in the recording: "
            "unknown-session: .*")
        assert recorder.end() == (0, "2 events recorded; 1 scene missing\n")
    played = ctl("simulate", copy)
    assert played.returncode == 0
    assert played.stderr.decode() == (
        f"gesturectl: {copy}:3: the scene of session {session}-b is missing: it is played in "
        "another one; --scene SCENE|FILE names one\n")
    assert not ctl("simulate", copy, "--scene", "phone").stderr
