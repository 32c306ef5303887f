"""Requests that describe: `scene`, `open` with `describe`, `time`, `hello` and `hit`."""

from __future__ import annotations

import random
import time

import pytest
import zmq
from client import Control, Daemon
from forest import Planter
from renderer import HEADER
from scenes import KINDS, scene, still, tabs, toss

COMPONENT = ["id", "kind", "parent", "slot", "frame", "clip", "parameters", "content"]
PICTURE = ["scene", "revision", "viewport", "insets", "frame_rate", "content", "components"]


def test_a_scene_is_told_by_session_as_on_its_topic(
    daemon: Daemon, control: Control, session: str
):
    updates = daemon.subscriber(f"scene/{session}")
    given = still(insets=[20, 0, 34, 0], content={"color": "red"}, frame_rate=30)
    control.open(session, given)
    published = updates.find(f"scene/{session}").body
    assert list(published) == [*HEADER, *PICTURE]
    assert published["revision"] == 1 and published["scene"] is None
    assert published["insets"] == [20, 0, 34, 0] and published["content"] == {"color": "red"}
    assert published["frame_rate"] == 30 and published["viewport"] == [320, 568]
    told = control.ok("scene", session=session)["scene"]
    assert told | {"t": 0} == published | {"t": 0}
    assert control.snapshot(session)[f"scene/{session}"] | {"t": 0} == told | {"t": 0}
    for component, one in zip(published["components"], given["components"], strict=True):
        assert list(component) == COMPONENT and component["id"] == one["id"]
        assert component["frame"] == [0, 0, 320, 568] and component["parent"] is None
        assert component["clip"] == (one["kind"] in ("list", "reader", "navigation"))


def test_a_scene_is_told_by_name(control: Control, session: str):
    told = control.ok("scene", scene="phone")["scene"]
    assert list(told) == PICTURE and told["revision"] == 0 and told["scene"] == "phone"
    opened = control.ok("open", session=session, scene="phone", describe=True)
    assert list(opened)[2:] == ["created", "epoch", "scene"], opened
    assert opened["scene"]["epoch"] == opened["epoch"] and opened["scene"]["revision"] == 1
    for key in PICTURE[2:]:
        assert opened["scene"][key] == told[key], key
    assert set(KINDS) <= {one["id"] for one in told["components"]}
    assert told["components"][-1]["id"] == "tips", "tips are over all"


def test_a_scene_opens_again_from_what_is_told(control: Control, session: str):
    """The parameters that are told, with all defaults, make the same scene."""
    control.open(session, "phone")
    told = control.ok("scene", session=session)["scene"]
    components = []
    for one in told["components"]:
        component = {"id": one["id"], "kind": one["kind"], "clip": one["clip"]}
        component |= one["parameters"] | {"content": one["content"]}
        if one["parent"]:
            component["in"] = f'{one["parent"]}/{one["slot"]}'
        if one["kind"] != "toss":
            component["frame"] = one["frame"]
        components.append(component)
    again = {key: told[key] for key in PICTURE[2:]} | {"components": components}
    opened = control.ok("open", session=f"{session}.again", scene=again, describe=True)
    assert {key: opened["scene"][key] for key in PICTURE[2:]} == {
        key: told[key] for key in PICTURE[2:]}


@pytest.mark.parametrize("describe, has_scene", [(True, True), (False, False)])
def test_open_describes_where_it_is_asked(
    control: Control, session: str, describe: bool, has_scene: bool
):
    for created in (True, False):
        answer = control.ok("open", session=session, scene=scene(toss()), describe=describe)
        assert answer["created"] == created and ("scene" in answer) == has_scene


def test_hello_tells_where_and_by_which_clock(daemon: Daemon, control: Control):
    hello = control.ok("hello")
    assert hello["clock"] == "unix-milliseconds"
    assert abs(hello["t"] - time.time() * 1000) < 5000
    assert hello["endpoints"] == {
        "events": daemon.events.split(","), "push": daemon.push.split(","),
        "updates": daemon.updates.split(","), "control": daemon.control.split(",")}
    for endpoint, kind in (("events", zmq.XPUB), ("push", zmq.PUSH), ("updates", zmq.SUB),
                           ("control", zmq.DEALER)):
        daemon.socket(kind, hello["endpoints"][endpoint][0])


def test_time_tells_the_instant_that_a_session_shows(control: Control, session: str):
    control.open(session, scene(toss()))
    now = control.ok("time")
    assert list(now)[2:] == ["t"] and abs(now["t"] - time.time() * 1000) < 5000
    times = [control.ok("time", session=session) for _ in range(20)]
    for one in times:
        assert one["session"] == session
        # The machine's clock may be set meanwhile; a session's timeline never jumps.
        assert abs(one["t"] - one["instant"]) < 1000, one
    assert all(a["t"] <= b["t"] and a["instant"] <= b["instant"]
               for a, b in zip(times, times[1:]))
    shown = control.snapshot(session)[f"state/{session}/toss"]["t"]
    assert times[-1]["instant"] <= shown <= control.ok("time", session=session)["instant"]


HIT = [
    # A left or top edge belongs to the view, a right or bottom edge does not.
    ((33, 137), ("toss", "item")), ((286.99, 308.99), ("toss", "item")),
    ((287, 200), None), ((200, 309), None), ((32.99, 137), None), ((33, 136.99), None),
    ((0, 524), ("tabs", "item-home")), ((319.99, 567.99), ("tabs", "item-profile")),
    ((320, 540), None), ((100, 568), None), ((-1, 540), None), ((100, 523.99), None),
    ((1e6, -1e6), None),
]


def test_a_hit_touches_nothing(control: Control, session: str):
    control.open(session, scene(toss(), tabs()))
    before = control.snapshot(session)
    for (x, y), expected in HIT:
        hit = control.ok("hit", session=session, x=x, y=y)["hit"]
        assert (hit and (hit["component"], hit["view"])) == expected, (x, y, hit)
        answer = control.publish(f"gesture/{session}", {"gesture": "swipe", "x": x, "y": y,
                                 "direction": "up"}) if expected is None else {"hit": hit}
        assert answer["hit"] == hit
    after = control.snapshot(session)
    for topic, body in before.items():
        assert {**body, "t": 0} == {**after[topic], "t": 0}


REFUSED = [
    ("scene", {}, "missing-field"),
    ("scene", {"session": 7}, "bad-value"),
    ("scene", {"session": "no one"}, "bad-value"),
    ("scene", {"session": "nobody"}, "unknown-session"),
    ("scene", {"scene": "nothing"}, "unknown-scene"),
    ("scene", {"scene": 7}, "bad-value"),
    ("open", {"session": "desc", "scene": "phone", "describe": 1}, "bad-value"),
    ("open", {"session": "desc", "scene": "phone", "describe": "yes"}, "bad-value"),
    ("time", {"session": "nobody"}, "unknown-session"),
    ("time", {"session": 7}, "bad-value"),
    ("hit", {"session": "nobody", "x": 1, "y": 1}, "unknown-session"),
    ("hit", {"x": 1, "y": 1}, "missing-field"),
    ("hit", {"session": "SESSION", "x": 1}, "missing-field"),
    ("hit", {"session": "SESSION", "y": 1}, "missing-field"),
    ("hit", {"session": "SESSION", "x": "1", "y": 1}, "bad-value"),
    ("hit", {"session": "SESSION", "x": 1, "y": None}, "bad-value"),
    ("hit", {"session": "SESSION", "x": 1, "y": 1000001}, "bad-value"),
    ("hit", {"session": "SESSION", "x": -1000001, "y": 1}, "bad-value"),
]


@pytest.mark.parametrize("op, fields, code", REFUSED)
def test_what_cannot_be_described_is_refused(
    control: Control, session: str, op: str, fields: dict, code: str
):
    if fields.get("session") == "SESSION":
        control.open(session, scene(toss()))
        fields = fields | {"session": session}
    assert control.refused(op, **fields)["code"] == code
    assert "desc" not in control.sessions()


def test_a_scene_by_session_and_by_name_at_once(control: Control, session: str):
    """Two questions in one are no question."""
    control.open(session, scene(toss()))
    assert control.refused("scene", session=session, scene="phone")["code"] == "bad-value"


def in_order(components: list[dict], parent: str | None = None) -> list[str]:
    """Each component directly before what it holds, otherwise in the order of the scene."""
    names = []
    for one in components:
        if one.get("in", "").partition("/")[0] == (parent or ""):
            names += [one["id"], *in_order(components, one["id"])]
    return names


def test_components_are_told_in_the_order_of_painting(control: Control, session: str):
    rng = random.Random(5)
    for number in range(30):
        given = Planter(rng).plant(rng.randint(3, 20)).scene
        control.open(f"{session}.{number}", given)
        told = control.ok("scene", session=f"{session}.{number}")["scene"]["components"]
        assert [one["id"] for one in told] == in_order(given["components"])
        holders = {one["id"]: one.get("in") for one in given["components"]}
        for one in told:
            slot = one["parent"] and f'{one["parent"]}/{one["slot"]}'
            assert slot == holders[one["id"]], one
        control.ok("close", session=f"{session}.{number}")
