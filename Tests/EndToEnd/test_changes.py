"""The scene of a running session changes: resize, update, set, and open with replace."""

from __future__ import annotations

import json
import pathlib
import signal
import subprocess
import tempfile

import pytest
from client import DEADLINE, REPOSITORY, Control, Daemon, Publisher, binary
from reliability import wait_for
from scenes import CENTER, dynamics, profile, reader, rows, scene, tabs, toss
from simulation import SESSION, Script, at_step, of
from tool import ctl

BALL = {"id": "ball", "center": [50, 50], "size": [20, 20]}
SMALL = {"name": "small", "viewport": [200, 300], "components": [
    {"id": "list", "kind": "list", "rows": 5}, {"id": "toss", "kind": "toss"}]}


def change(control: Control, session: str, command: str, **fields: object) -> dict:
    return control.publish(f"command/{session}", {"command": command, **fields})


def refused(control: Control, session: str, command: str, **fields: object) -> dict:
    before = control.snapshot(session)
    error = control.refused(
        "publish", topic=f"command/{session}", body={"command": command, **fields})
    after = control.snapshot(session)
    assert before[f"scene/{session}"] | {"t": 0} == after[f"scene/{session}"] | {"t": 0}
    return error


def shown(control: Control, session: str) -> dict:
    return control.ok("scene", session=session)["scene"]


def component(control: Control, session: str, name: str) -> dict:
    return next(it for it in shown(control, session)["components"] if it["id"] == name)


# MARK: What each command does


def test_resize_gives_each_component_its_new_frame(control: Control, session: str):
    control.open(session, scene(rows(), toss(frame=[10, 10, 50, 60]), profile(frame=[0, 0, 9, 9])))
    assert shown(control, session)["revision"] == 1
    change(control, session, "resize", viewport=[400, 800], insets=[20, 0, 30, 0])
    told = shown(control, session)
    assert told["viewport"] == [400, 800] and told["insets"] == [20, 0, 30, 0]
    assert told["revision"] == 2
    frames = {it["id"]: it["frame"] for it in told["components"]}
    assert frames == {"list": [0, 0, 400, 800], "toss": [0, 0, 400, 800], "profile": [0, 0, 9, 9]}
    assert component(control, session, "toss")["parameters"]["frame"] == [10, 10, 50, 60]
    # Insets that are not given stay.
    change(control, session, "resize", viewport=[300, 200])
    assert shown(control, session)["insets"] == [20, 0, 30, 0]
    assert control.state(session, "list")["views"]["row-0"]["w"] == 300


def test_a_change_that_changes_nothing_counts(control: Control, session: str):
    control.open(session, scene(rows()))
    for revision in (2, 3):
        change(control, session, "resize", viewport=[320, 568])
        assert shown(control, session)["revision"] == revision


def test_update_keeps_what_both_scenes_have(control: Control, session: str):
    control.open(session, scene(rows(), tabs(), reader()))
    control.command(session, "reader", "next")
    wait_for(lambda: control.state(session, "reader")["model"]["index"] == 1, "the page turns")
    control.notify(session, "likes")
    change(control, session, "update", scene=scene(
        toss(), reader(), {"id": "list", "kind": "profile"}, name="other"))
    updates = control.snapshot(session)
    assert [it["id"] for it in updates[f"scene/{session}"]["components"]] == [
        "toss", "reader", "list"]
    assert updates[f"scene/{session}"]["scene"] == "other"
    assert updates[f"state/{session}/reader"]["model"]["index"] == 1
    assert f"state/{session}/tabs" not in updates
    assert updates[f"badge/{session}"]["counts"] == {"likes": 1}
    assert control.code(f"command/{session}/tabs", {"command": "hide"}) == "unknown-component"


def test_update_takes_a_scene_by_its_name(control: Control, session: str):
    control.open(session, SMALL)
    change(control, session, "update", scene="phone")
    assert shown(control, session)["scene"] == "phone"
    entry = [it for it in control.ok("sessions", detail=True, limit=1000)["entries"]
             if it["session"] == session]
    assert entry[0]["scene"] == "phone"


def test_set_writes_keys_of_one_component(control: Control, session: str):
    control.open(session, scene(rows(), toss()))
    change(control, session, "set", component="list", values={"rows": 3, "row_height": 50})
    parameters = component(control, session, "list")["parameters"]
    assert parameters["rows"] == 3 and parameters["row_height"] == 50
    views = control.state(session, "list")["views"]
    assert sorted(name for name in views if name.startswith("row-")) == ["row-0", "row-1", "row-2"]


def test_set_writes_an_item_and_a_behavior_of_a_world(control: Control, session: str):
    fall = {"id": "fall", "kind": "gravity", "items": ["ball"]}
    control.open(session, scene(dynamics(items=[BALL], behaviors=[fall])))
    change(control, session, "set", component="world", item="ball", values={"center": [90, 80]})
    assert component(control, session, "world")["parameters"]["items"][0]["center"] == [90, 80]
    change(control, session, "set", component="world", behavior="fall", values={"magnitude": 0.5})
    behavior = component(control, session, "world")["parameters"]["behaviors"][0]
    assert behavior["magnitude"] == 0.5
    # An item that a command has added stands in no scene.
    control.command(session, "world", "add-item", item=BALL | {"id": "late"})
    change(control, session, "set", component="world", item="late", values={"center": [7, 9]})
    view = control.state(session, "world")["views"]["late"]
    assert abs(view["x"] - 7) < 1e-6 and abs(view["y"] - 9) < 1e-6
    assert len(component(control, session, "world")["parameters"]["items"]) == 1
    assert shown(control, session)["revision"] == 4


def test_open_with_replace_is_an_update(control: Control, session: str):
    first = control.ok("open", session=session, scene=SMALL, replace=True)
    assert first["created"] is True
    kept = control.ok("open", session=session, scene="phone")
    assert kept["created"] is False and shown(control, session)["scene"] == "small"
    answer = control.ok("open", session=session, scene="phone", replace=True, describe=True)
    assert answer["created"] is False and answer["epoch"] == first["epoch"]
    assert answer["scene"]["scene"] == "phone" and answer["scene"]["revision"] == 2
    control.publish(f"command/{session}", {"command": "open", "scene": SMALL, "replace": True})
    assert shown(control, session)["scene"] == "small"


# MARK: What is told


def test_a_change_tells_the_scene_then_states_then_one_frame(
    daemon: Daemon, control: Control, publisher: Publisher, session: str
):
    control.open(session, scene(rows(), toss()))
    subscriber = daemon.subscriber(
        f"scene/{session}", f"state/{session}/", f"frame/{session}", f"transition/{session}/")
    subscriber.find(f"frame/{session}")
    publisher.send(f"command/{session}", {"command": "resize", "viewport": [100, 200]})
    got = subscriber.until(lambda it: it.topic == f"scene/{session}" and it.body["revision"] == 2)
    assert got[-1].body["viewport"] == [100, 200]
    got = subscriber.until(lambda it: it.topic == f"frame/{session}")
    assert [it.topic for it in got] == [
        f"state/{session}/list", f"state/{session}/toss", f"frame/{session}"]
    assert [it["component"] for it in got[-1].body["states"]] == ["list", "toss"]


def test_numbers_and_cuts_do_not_fall_when_a_component_comes_back(
    daemon: Daemon, control: Control, session: str
):
    """The subscriber checks that no number of a topic is left out or comes twice."""
    whole, other = scene(rows(), toss()), scene(toss())
    control.open(session, whole)
    subscriber = daemon.subscriber(f"state/{session}/list")
    cut = 0
    for _ in range(3):
        control.command(session, "list", "scroll-to-top")
        change(control, session, "update", scene=other)
        change(control, session, "update", scene=whole)
        view = control.state(session, "list")["views"]["row-0"]
        assert view["cut"] > cut
        cut = view["cut"]
    assert subscriber.last or subscriber.find(f"state/{session}/list")
    states = subscriber.during(0.3)
    assert all(after.seq > before.seq for before, after in zip(states, states[1:]))


def test_a_contact_goes_on_with_what_stays_and_ends_with_what_closes(
    control: Control, session: str
):
    control.open(session, scene(toss(), rows()))
    x, y = CENTER
    control.gesture(session, "toss", "pan", "began", x=x, y=223)
    change(control, session, "update", scene=scene(toss()))
    control.gesture(session, "toss", "pan", "changed", x=x + 20, y=223)
    body = {"gesture": "pointer", "phase": "changed", "pointer": 1, "x": x, "y": y}
    answer = control.publish(f"gesture/{session}", body | {"phase": "began"})
    assert answer["hit"]["component"] == "toss"
    change(control, session, "update", scene=scene(rows()))
    assert control.publish(f"gesture/{session}", body)["hit"] is None
    assert control.publish(f"gesture/{session}", body | {"phase": "ended"})["hit"] is None


def test_an_event_id_counts_once(control: Control, session: str):
    control.open(session, scene(rows()))
    for duplicate in (None, True):
        answer = change(control, session, "resize", viewport=[100, 100], id="one")
        assert answer.get("duplicate") is duplicate
    assert shown(control, session)["revision"] == 2
    # A name that is gone meanwhile does not matter then.
    control.publish(f"notification/{session}", {"kind": "likes", "id": "two"})
    assert change(control, session, "update", scene="absent", id="two")["duplicate"] is True


# MARK: Refusals


REFUSED = [
    ("resize", {}, "missing-field", ["viewport"]),
    ("resize", {"viewport": [0, 100]}, "bad-value", ["viewport"]),
    ("resize", {"viewport": "big"}, "bad-value", ["viewport"]),
    ("resize", {"viewport": [9, 9], "insets": [1, 2, 3]}, "bad-value", ["insets"]),
    ("resize", {"viewport": [9, 9], "insets": [-1, 0, 0, 0]}, "bad-value", ["insets"]),
    ("update", {}, "missing-field", ["scene"]),
    ("update", {"scene": "absent"}, "unknown-scene", ["absent", "known ones are", "phone"]),
    ("update", {"scene": 7}, "bad-value", ["scene"]),
    ("update", {"scene": scene(rows(rows=-1))}, "bad-scene", ["list", "rows"]),
    ("set", {"values": {}}, "missing-field", ["component"]),
    ("set", {"component": "list"}, "missing-field", ["values"]),
    ("set", {"component": "list", "values": 7}, "bad-value", ["values"]),
    ("set", {"component": "nobody", "values": {}}, "unknown-component", ["nobody"]),
    ("set", {"component": "list", "values": {"rows": -1}}, "bad-scene", ["list", "rows"]),
    ("set", {"component": "list", "values": {"rowss": 1}}, "bad-scene", ["list", "rows"]),
    ("set", {"component": "list", "values": {"id": "x"}}, "bad-value", ["list", "id"]),
    ("set", {"component": "list", "item": "x", "values": {}}, "bad-value", ["list"]),
    ("set", {"component": "world", "item": "nobody", "values": {}}, "bad-value", ["nobody"]),
    ("set", {"component": "world", "item": "ball", "behavior": "x", "values": {}}, "bad-value",
     ["behavior"]),
    ("set", {"component": "world", "item": "ball", "values": {"size": [0, 1]}}, "bad-scene",
     ["ball", "size"]),
    ("set", {"component": "world", "item": "ball", "values": {"shape": "circle"}}, "bad-value",
     ["ball", "shape"]),
    ("change", {}, "unknown-command", ["change"]),
]


@pytest.mark.parametrize("command, fields, code, words", REFUSED)
def test_a_refused_change_changes_nothing(
    control: Control, session: str, command: str, fields: dict, code: str, words: list[str]
):
    control.open(session, scene(rows(), dynamics(items=[BALL])))
    error = refused(control, session, command, **fields)
    assert error["code"] == code, error
    assert all(word in error["message"] for word in words), error


def test_worlds_keep_their_bound_when_a_scene_changes(control: Control, session: str):
    items = [{"id": f"i{n}", "center": [5, 5], "size": [1, 1]} for n in range(64)]
    control.open(session, scene(dynamics(items=items), dynamics(id="second")))
    for number in range(64):
        control.command(session, "second", "add-item", item=BALL | {"id": f"late{number}"})
    three = scene(
        dynamics(items=items), dynamics(id="second"), dynamics(id="third", items=[BALL]))
    error = refused(control, session, "update", scene=three)
    assert error["code"] == "bad-scene" and "128 items" in error["message"]


def test_the_bytes_of_scenes_follow_their_sessions():
    with Daemon() as daemon:
        control = daemon.requests()

        def figures() -> tuple[int, int]:
            found = control.ok("stats")["stats"]
            return found["scene_bytes"], found["sessions_changed"]

        control.open("alice", SMALL)
        small = figures()[0]
        assert small > 0
        change(control, "alice", "update", scene="phone")
        assert figures() == (0, 1)
        for name in ("alice", "bob"):
            control.ok("open", session=name, scene=SMALL, replace=True)
        assert figures() == (small, 2), "equal ones are kept once"
        for name in ("alice", "bob"):
            change(control, name, "resize", viewport=[10, 10])
        large, changes = figures()
        assert large > 0 and changes == 4
        control.refused(
            "publish", topic="command/bob",
            body={"command": "set", "component": "list", "values": {"rows": -1}})
        control.ok("close", session="alice")
        assert figures() == (large, 4)
        control.ok("close", session="bob")
        assert figures() == (0, 4)


# MARK: What outlives the process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_restart_keeps_the_changed_scene_and_the_revision(number: int):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", "phone")
        change(control, "alice", "resize", viewport=[390, 844], insets=[47, 0, 34, 0])
        change(control, "alice", "set", component="list", values={"rows": 7})
        control.open("bob", SMALL)
        change(control, "bob", "update", scene="phone")
        before = {name: shown(control, name) for name in ("alice", "bob")}
        assert before["alice"]["revision"] == 3 and before["bob"]["revision"] == 2
        control = daemon.restart(number)
        for name, told in before.items():
            found = shown(control, name)
            assert found["revision"] == told["revision"] and found["scene"] == told["scene"]
            assert found["components"] == told["components"]
            assert found["viewport"] == told["viewport"] and found["insets"] == told["insets"]


def test_an_import_keeps_the_changed_scene_and_the_revision(control: Control, session: str):
    control.open(session, "phone")
    change(control, session, "resize", viewport=[390, 844])
    document = control.export(session)
    control.ok("import", session=f"{session}-copy", document=document)
    found, told = shown(control, f"{session}-copy"), shown(control, session)
    assert found["revision"] == 2 and found["components"] == told["components"]
    assert control.export(f"{session}-copy")["scene"] == document["scene"]


def test_velocities_are_measured_as_before_after_a_change(control: Control, session: str):
    control.open(session, scene(toss()))
    change(control, session, "update", scene=scene(toss(), rows(), velocity="least-squares"))
    document = control.export(session)
    assert document["scene"]["velocity"] == "uikit"
    control.ok("import", session=f"{session}-copy", document=document)


# MARK: Simulations


def test_a_simulation_changes_scenes_as_the_daemon_does():
    script = Script(SMALL)
    script.wait(100).line(f"command/{SESSION}", {"command": "resize", "viewport": [400, 500]})
    script.wait(100).line(f"command/{SESSION}", {"command": "update", "scene": scene(toss())})
    script.wait(100).line(f"command/{SESSION}", {"command": "update", "scene": "absent"})
    updates = script.run()
    told = [it.body for it in updates if it.topic == f"scene/{SESSION}"]
    assert [(it["revision"], it["viewport"]) for it in told] == [
        (1, [200, 300]), (2, [400, 500]), (3, [320, 568])]
    assert [it.body["code"] for it in updates if it.topic.startswith("rejected/")] == [
        "unknown-scene"]


def test_a_set_of_a_behavior_acts_once():
    """A push that becomes active pushes as by the world's own command."""
    behaviors = [
        {"id": "kick", "kind": "push", "items": ["ball"], "mode": "instantaneous", "dx": 0.05,
         "active": False},
        {"id": "air", "kind": "item", "items": ["ball"], "resistance": 4}]
    kick = {"command": "set", "behavior": "kick", "values": {"active": True}}

    def place(topic: str, body: dict) -> tuple[float, float]:
        script = Script(scene(dynamics(items=[BALL], behaviors=behaviors)))
        script.wait(100).line(topic, body)
        ball = at_step(of(script.run(), "world"), 60)["views"]["ball"]
        return ball["x"], ball["y"]

    own = place(f"command/{SESSION}/world", kick)
    assert own[0] > 51
    assert place(f"command/{SESSION}", kick | {"component": "world"}) == own


# MARK: Command lines


def ctl_of(daemon: Daemon, *words: object):
    result = ctl(
        *words, "--events", daemon.events, "--updates", daemon.updates, "--control",
        daemon.control)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def test_open_says_that_another_scene_is_open(daemon: Daemon, control: Control, session: str):
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        file = pathlib.Path(folder) / "small.json"
        file.write_text(json.dumps(SMALL), encoding="utf-8")
        assert ctl_of(daemon, "open", session, file)[0] == 0
        for scene_word in (file, "small"):
            status, output, _ = ctl_of(daemon, "open", session, scene_word)
            assert status == 0 and "was open" in output
        status, output, errors = ctl_of(daemon, "open", session, "phone")
        assert status == 1 and not output
        assert "another scene, small" in errors and "--replace" in errors
        assert "the command update" in errors
        assert shown(control, session)["scene"] == "small"
        file.write_text(json.dumps(SMALL | {"viewport": [201, 300]}), encoding="utf-8")
        assert ctl_of(daemon, "open", session, file)[0] == 1
        status, output, _ = ctl_of(daemon, "open", "--replace", session, "phone")
        assert status == 0 and f"{session} changed" in output
        assert shown(control, session)["scene"] == "phone"


def test_update_changes_sessions_by_their_names(daemon: Daemon, control: Control, session: str):
    names = [f"{session}-{number}" for number in range(3)]
    for name in names[:2]:
        control.open(name, SMALL)
    status, output, errors = ctl_of(daemon, "update", *names, "phone")
    assert status == 1 and "1 of 3 not changed" in errors
    assert f"{names[2]}: " in errors and "unknown-session" in errors
    assert output.splitlines() == [f"{name} changed" for name in names[:2]]
    for name in names[:2]:
        assert shown(control, name)["scene"] == "phone"
    assert names[2] not in control.sessions()
    assert ctl_of(daemon, "update", names[0])[0] == 2
    assert ctl_of(daemon, "update", names[0], "absent")[0] == 1


def test_update_all_of_a_scene(daemon: Daemon, control: Control, session: str):
    only = f"{session}-scene"
    control.open(session, SMALL | {"name": only})
    control.open(f"{session}-2", SMALL | {"name": only})
    control.open(f"{session}-3", SMALL)
    status, output, _ = ctl_of(daemon, "update", "--all-of", only, "phone")
    assert status == 0 and sorted(output.split()) == sorted(
        [session, "changed", f"{session}-2", "changed"])
    assert shown(control, session)["scene"] == "phone"
    assert shown(control, f"{session}-3")["scene"] == "small"
    assert ctl_of(daemon, "update", "--all-of", "phone")[0] == 0
    assert shown(control, session)["revision"] == 3


def test_check_scene_says_all_that_is_wrong():
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        file = pathlib.Path(folder) / "bad.toml"
        file.write_text(
            'viewport = [320, 568]\nframe_rate = 50\n[[components]]\nid = "l"\nkind = "list"\n'
            'rows = -1\nrow_hight = 3\n', encoding="utf-8")
        result = subprocess.run(
            [binary(), "--check-scene", file], capture_output=True, text=True, timeout=DEADLINE)
        assert result.returncode == 2 and not result.stdout
        lines = result.stderr.splitlines()
        assert len(lines) == 3
        for number, (line, key) in enumerate(
                zip((2, 6, 7), ("frame_rate", "rows", "row_hight"))):
            assert lines[number].startswith(f"{file}:{line}: ") and key in lines[number]
        phone = REPOSITORY / "config" / "scenes" / "phone.toml"
        result = subprocess.run(
            [binary(), "--check-scene", phone], capture_output=True, text=True, timeout=DEADLINE)
        assert result.returncode == 0 and result.stdout == f"{phone}: good\n"
