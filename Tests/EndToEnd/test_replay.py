"""`gesturectl replay`: its session, its scene, its speed and its messages."""

from __future__ import annotations

import json
import pathlib
import signal
import time

import pytest
from client import Control, Daemon
from scenes import scene, toss
from tool import OWN, Tool, ctl, recording

FLICK = OWN / "others" / "flick.csv"
FINGERS = OWN / "others" / "two-fingers.evemu"


def recorded(file: pathlib.Path, *lines: dict, **header: object) -> pathlib.Path:
    text = [{"gesture-recording": 1, **header}, *lines]
    file.write_text("".join(json.dumps(line) + "\n" for line in text))
    return file


def likes(session: str, t: float = 0) -> dict:
    return {"t": t, "topic": f"notification/{session}", "body": {"kind": "likes"}}


# Session and scene.


@pytest.mark.parametrize("is_own", [True, False], ids=["ours", "csv"])
def test_a_refused_scene_plays_nothing(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path, is_own: bool
):
    updates = daemon.subscriber(f"session/{session}", "rejected/")
    file = recorded(tmp_path / "file.jsonl", likes(session)) if is_own else FLICK
    with Tool(daemon, "replay", file, "--scene", "nosuch", "--session", session) as tool:
        code, errors = tool.wait()
    assert code == 1 and errors.startswith(
        f'gesturectl: {session}: unknown-scene: there is no scene "nosuch", known ones are ')
    assert session not in control.sessions() and updates.during(0.2) == []


def test_each_session_is_opened_before_anything_is_played(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    names = [f"{session}-{number}" for number in range(3)]
    own = {"t": 0, "topic": f"command/{session}", "body": {"command": "open", "scene": "phone"}}
    file = recorded(
        tmp_path / "file.jsonl", *[likes(name) for name in names], own,
        likes(session), {"t": 60_000, "caption": "late"}, scene=scene(toss(), name="mine"))
    updates = daemon.subscriber(f"badge/{session}")
    with Tool(daemon, "replay", file) as tool:
        updates.find(f"badge/{session}")
        for name in names:
            assert control.ok("snapshot", session=name)["scene"] == "mine"
        assert control.ok("snapshot", session=session)["scene"] == "phone"
        assert tool.end() == (130, "interrupted\n")


def test_contacts_beside_the_viewport_are_told_before_they_are_played(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss(), viewport=[100, 80]))
    file = recorded(tmp_path / "beside.jsonl", *[
        {"t": 9 * number, "topic": f"gesture/{session}", "body": {
            "gesture": "pointer", "phase": phase, "pointer": 1, "x": 100, "y": 20}}
        for number, phase in enumerate(["began", "changed", "ended"])])
    with Tool(daemon, "replay", file) as tool:
        code, errors = tool.wait()
    assert code == 0
    assert "1 contact begins outside of the viewport of 100x80, where nothing can be touched; " \
        "the first at 100,20" in errors, errors


def test_it_is_mapped_to_the_viewport_that_is_open(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss(), viewport=[1080, 1920]))
    copy = tmp_path / "copy.jsonl"
    with recording(daemon, copy) as (recorder, endpoint):
        arguments = ["--session", session, "--scene", "phone", "--speed", "4"]
        with Tool(daemon, "replay", FINGERS, *arguments, events=endpoint) as tool:
            code, errors = tool.wait()
        recorder.end()
    assert code == 0 and errors == \
        f'gesturectl: {session} is open with a scene of its own, not the scene "phone"\n'
    plain = [json.loads(line) for line in ctl("convert", FINGERS).stdout.splitlines()][1:]
    far = [json.loads(line) for line in copy.read_text().splitlines()][1:]
    assert len(plain) == len(far) > 0
    for a, b in zip(plain, far):
        # One scale for both directions, here that of the height; coordinates have three decimals.
        assert abs(b["body"]["y"] - a["body"]["y"] * 1920 / 568) < 0.005


def test_the_same_scene_is_no_other_one(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    own = scene(toss())
    control.open(session, own)
    file = recorded(tmp_path / "file.jsonl", likes(session), scene=own)
    with Tool(daemon, "replay", file) as tool:
        assert tool.wait() == (0, "")


# Refusals.


def test_refused_events_are_reported_and_counted(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, "phone")
    topic = f"gesture/{session}/nosuch"
    with Tool(daemon, "replay", FLICK, "--session", session, "--component", "nosuch",
              "--speed", "20") as tool:
        code, errors = tool.wait()
    first, last = errors.splitlines()
    assert code == 0 and first.startswith(f"gesturectl: refused: {topic}: unknown-component: ")
    assert last == "gesturectl: 1 refused in all"
    tap = {"gesture": "tap", "x": 1, "y": 1}
    file = recorded(tmp_path / "file.jsonl", *[
        {"t": number, "topic": topic, "body": tap} for number in range(4)])
    with Tool(daemon, "replay", file) as tool:
        code, errors = tool.wait()
    assert code == 0 and errors.splitlines()[-1] == "gesturectl: 4 refused in all"


def test_others_refusals_are_not_reported(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, "phone")
    file = recorded(tmp_path / "file.jsonl", likes(session), likes(session, 60_000))
    updates = daemon.subscriber(f"badge/{session}", f"rejected/{session}")
    with Tool(daemon, "replay", file) as tool:
        updates.find(f"badge/{session}", total=1)
        tap = {"gesture": "tap", "x": 1, "y": 1}
        assert control.code(f"gesture/{session}/nosuch", tap) == "unknown-component"
        assert tool.end() == (130, "interrupted\n")


# Speed.


def test_a_slow_replay_keeps_what_is_down(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    topic = f"gesture/{session}/toss"
    rejected = daemon.subscriber(f"rejected/{session}")
    for gesture in ({"gesture": "pan"}, {"gesture": "pointer", "pointer": 1}):
        body = gesture | {"phase": "began", "x": 160, "y": 223}
        file = recorded(
            tmp_path / "file.jsonl", {"t": 0, "topic": topic, "body": body},
            {"t": 20, "topic": topic, "body": body | {"phase": "changed", "x": 200}},
            {"t": 520, "topic": topic, "body": body | {"phase": "changed", "x": 220}},
            {"t": 540, "topic": topic, "body": body | {"phase": "ended", "x": 220}})
        # Half a second takes four here. Without repeated samples 3 s of silence would cancel it.
        with Tool(daemon, "replay", file, "--speed", "0.125") as tool:
            began = time.monotonic()
            assert tool.wait() == (0, ""), "the daemon refused a later sample"
        assert time.monotonic() - began > 4 and rejected.during(0.2) == []


def test_a_replay_that_stood_still_plays_the_rest_later(
    daemon: Daemon, session: str, tmp_path: pathlib.Path
):
    """All that is overdue would come at once, and tell another story."""
    file = recorded(
        tmp_path / "file.jsonl", *[likes(session, number * 700) for number in range(4)])
    updates = daemon.subscriber(f"badge/{session}")
    with Tool(daemon, "replay", file) as tool:
        updates.find(f"badge/{session}", total=1)
        tool.process.send_signal(signal.SIGSTOP)
        time.sleep(2)
        tool.process.send_signal(signal.SIGCONT)
        times = []
        for total in (2, 3, 4):
            updates.find(f"badge/{session}", total=total)
            times.append(time.monotonic())
        assert tool.wait() == (0, "")
    assert all(after - before > 0.5 for before, after in zip(times, times[1:])), times


def test_a_gesture_that_was_silent_too_long_is_cancelled_again(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    topic = f"gesture/{session}/toss"
    body = {"gesture": "pan", "phase": "began", "x": 160, "y": 223}
    file = recorded(
        tmp_path / "file.jsonl", {"t": 0, "topic": topic, "body": body},
        {"t": 3_300, "topic": topic, "body": body | {"phase": "changed"}})
    with Tool(daemon, "replay", file) as tool:
        code, errors = tool.wait()
    assert code == 0 and "out-of-order" in errors and "1 refused in all" in errors


def test_captions_alone_are_printed(daemon: Daemon, tmp_path: pathlib.Path):
    file = recorded(
        tmp_path / "file.jsonl", {"t": 0, "caption": "one"}, {"t": 30, "caption": "two"})
    with Tool(daemon, "replay", file) as tool:
        assert tool.wait() == (0, "one\ntwo\n")


# Without a daemon.


@pytest.mark.parametrize("arguments, header, words", [
    (["--scene", "nosuch"], {}, 'unknown-scene: there is no scene "nosuch", known ones are '),
    ([], {"scene": "fone"},
     '{file}:1: unknown-scene: there is no scene "fone", known ones are dock, house, '
     'kiosk, phone, pinball'),
    (["--scenes", "{folder}"], {}, 'unknown-scene: there is no scene "phone"; looked for '
     "scenes in {folder}")])
def test_simulate_needs_its_scene(
    tmp_path: pathlib.Path, arguments: list, header: dict, words: str
):
    file, folder = recorded(tmp_path / "file.jsonl", likes("a"), **header), tmp_path / "empty"
    folder.mkdir()
    result = ctl("simulate", file, *[word.format(folder=folder) for word in arguments])
    assert (result.returncode, result.stdout) == (2, b"")
    said = result.stderr.decode()
    assert said.startswith(f"gesturectl: {words.format(file=file, folder=folder)}")
    assert said.count("\n") == 1


@pytest.mark.parametrize("command, words", [
    ({"command": "open", "scene": "fone"},
     'open of session b: unknown-scene: there is no scene "fone", known ones are dock'),
    ({"command": "open", "scene": "fone", "replace": True}, "open of session b: unknown-scene: "),
    ({"command": "open"}, "open of session b: missing-field: key scene"),
    ({"command": "open", "scene": {"viewport": [1, 2]}}, "open of session b: bad-scene: ")])
@pytest.mark.parametrize("header", [{}, {"scene": "dock"}])
def test_a_scene_that_a_recording_opens_in_vain_is_an_error(
    tmp_path: pathlib.Path, command: dict, words: str, header: dict
):
    opens = {"t": 1, "topic": "command/b", "body": command}
    file = recorded(
        tmp_path / "file.jsonl", likes("a"), opens, likes("b") | {"t": 2}, **header)
    film = tmp_path / "film.png"
    for arguments in (["simulate", file], ["render", file, "-o", film]):
        result = ctl(*arguments)
        said = result.stderr.decode()
        assert (result.returncode, result.stdout) == (2, b""), said
        assert said.startswith(f"gesturectl: {file}:3: {words}"), said
        assert said.count("\n") == 1 and not film.exists()


@pytest.mark.parametrize("first, is_told", [
    ({"command": "resize", "viewport": [300, 500]}, True), ({"command": "close"}, True),
    ({"command": "open", "scene": "dock"}, False)])
def test_sessions_that_get_the_default_scene_are_told(
    tmp_path: pathlib.Path, first: dict, is_told: bool
):
    file = recorded(
        tmp_path / "file.jsonl", {"t": 0, "topic": "command/b", "body": first},
        likes("b") | {"t": 2})
    result = ctl("simulate", file)
    assert result.returncode == 0
    assert (b"names no scene for b" in result.stderr) == is_told, result.stderr


def test_a_session_that_is_opened_again_by_an_event_is_told(tmp_path: pathlib.Path):
    own = {"command": "open", "scene": "dock"}
    file = recorded(
        tmp_path / "file.jsonl", {"t": 0, "topic": "command/b", "body": own},
        {"t": 1, "topic": "command/b", "body": {"command": "close"}}, likes("b") | {"t": 2})
    result = ctl("simulate", file)
    assert result.returncode == 0 and b"names no scene for b" in result.stderr


def test_a_refused_topic_cannot_control_the_terminal(daemon: Daemon, tmp_path: pathlib.Path):
    evil = {"t": 0, "topic": "gesture/\u001b[31mred/x", "body": {"gesture": "tap"}}
    with Tool(daemon, "replay", recorded(tmp_path / "file.jsonl", evil)) as tool:
        code, errors = tool.wait()
    assert code == 0 and "refused: gesture/\\u{1b}[31mred/x: bad-topic" in errors, errors
    assert "\u001b" not in errors
