"""Users' worlds: a scene makes them, commands change them, fingers drag them."""

from __future__ import annotations

import json
import math
import random

import pytest
from checks import expect_sane, expect_view, near, settle, states, transitions
from client import Control, Daemon, Subscriber
from hypothesis import given
from hypothesis import strategies as some
from scenes import dynamics, scene
from simulation import Script, of, step_of

CARD = {"id": "card", "center": [160, 284], "size": [100, 60]}
HOME = {"id": "home", "kind": "snap", "item": "card", "point": [160, 284], "damping": 1}
FLOOR = {"id": "floor", "kind": "collision", "items": ["card"], "mode": "boundaries",
         "bounds": True}


def opened(daemon: Daemon, control: Control, session: str, **parameters: object) -> Subscriber:
    control.open(session, scene(dynamics(**parameters), frame_rate=120, seed=7))
    return daemon.subscriber(
        f"state/{session}/", f"transition/{session}/", f"rejected/{session}")


def shown(control: Control, session: str) -> dict:
    """The state without its time."""
    body = control.state(session, "world")
    return {key: value for key, value in body.items() if key != "t"}


def message(control: Control, session: str, command: str, **fields: object) -> str:
    """`code: message` of a refused command."""
    error = control.refused(
        "publish", topic=f"command/{session}/world", body={"command": command, **fields})
    return f"{error['code']}: {error['message']}"


# MARK: Scenes


def test_a_world_at_rest_shows_its_items(daemon: Daemon, control: Control, session: str):
    updates = opened(daemon, control, session, items=[
        CARD, {"id": "ball", "center": [50, 60], "size": [20, 20], "shape": "circle",
               "rotation": 7}])
    first = updates.find(f"state/{session}/world").body
    assert first["phase"] == "resting", first
    assert first["model"] == {"count": 2, "dragged": None}, first
    assert list(first["views"]) == ["card", "ball"], first
    expect_view(first, "card", x=160, y=284, w=100, h=60, rotation=0, scale=1, alpha=1, z=0)
    expect_view(first, "ball", x=50, y=60, w=20, h=20, rotation=7 - 2 * math.pi, z=1)


def test_a_snap_draws_the_card_home(daemon: Daemon, control: Control, session: str):
    updates = opened(
        daemon, control, session, items=[{**CARD, "center": [60, 100]}], behaviors=[HOME])
    got = settle(updates, session, "world")
    assert ("rest", "ended") in transitions(got), transitions(got)
    expect_view(got[-1].body, "card", 1, x=160, y=284)
    for update in states(got):
        expect_sane(update)


# Behaviors with one error each, and words of the message.
BAD = [
    ({"id": "b", "kind": "snap", "item": "none", "point": [0, 0]},
     'behavior b, key item: there is no item "none"'),
    ({"id": "b", "kind": "snap", "item": "card"}, "behavior b, key point: is required"),
    ({"id": "b", "kind": "snap", "item": "card", "point": [0, 0], "dampng": 1},
     'behavior b: unknown key "dampng", did you mean "damping"?'),
    ({"id": "b", "kind": "snap", "item": "card", "point": [0, 1e7]},
     "behavior b, key point: must be [x, y], entry 2"),
    ({"id": "b", "kind": "snap", "item": "card", "point": [0, 0], "damping": -1},
     "behavior b, key damping: must be a number from 0"),
    ({"id": "b", "kind": "wind"}, "behavior b, key kind: must be one of"),
    ({"kind": "snap"}, "key id: is required"),
    ({"id": "b", "kind": "attachment", "item": "card"}, "behavior b, key anchor: is required"),
    ({"id": "b", "kind": "attachment", "item": "card", "to": "card"},
     "behavior b, key to: an item cannot be attached to itself"),
    ({"id": "b", "kind": "attachment", "item": "card", "anchor": [0, 0], "type": "sliding",
      "axis": [0, 0]}, "behavior b, key axis: must be at least"),
    ({"id": "b", "kind": "attachment", "item": "card", "anchor": [0, 0], "type": "pin",
      "range": [1, 0]}, "behavior b, key range: must be [low, high]"),
    ({"id": "b", "kind": "push", "items": ["card"], "mode": "continuous", "dx": 1, "angle": 1},
     "behavior b, key angle: cannot stand beside dx and dy"),
    ({"id": "b", "kind": "push", "items": ["card", "card"], "mode": "continuous", "dx": 1},
     "behavior b, key items: entry 2 is named twice"),
    ({"id": "b", "kind": "item", "items": ["card"], "density": 0},
     "behavior b, key density: must be a number above 0"),
    ({"id": "b", "kind": "collision", "items": ["card"], "bounds": [400, 0, 400, 0]},
     "behavior b, key bounds: must leave something"),
    ({"id": "b", "kind": "collision", "items": ["card"], "boundaries": [{"id": "w"}]},
     "behavior b, boundary 1, key from: is required"),
    ({"id": "b", "kind": "collision", "items": ["card"],
      "boundaries": [{"id": "w", "path": [[0, 0]]}]},
     "behavior b, boundary 1, key path: must be a list of 2"),
    ({"id": "b", "kind": "field", "items": ["card"], "type": "wind"},
     "behavior b, key type: must be one of"),
    ({"id": "b", "kind": "field", "items": ["card"], "type": "drag",
      "region": {"shape": "circle", "radius": -1}},
     "behavior b, region, key radius: must be a number from 0"),
    ({"id": "b", "kind": "group", "items": ["card", "none"]},
     'behavior b, key items: entry 2: there is no item "none"'),
]


@pytest.mark.parametrize("behavior, error", BAD, ids=lambda value: "")
def test_scenes_and_commands_name_what_is_wrong_alike(
    control: Control, session: str, behavior: dict, error: str
):
    whole = scene(dynamics(items=[CARD], behaviors=[behavior]))
    said = control.refused("open", session=session, scene=whole)
    assert said["code"] == "bad-scene", said
    number = "" if "id" in behavior else "behavior 1, "
    assert said["message"].startswith("component world, "), said
    assert number + error in said["message"], said
    control.open(session, scene(dynamics(items=[CARD])))
    before = shown(control, session)
    said = message(control, session, "add-behavior", behavior=behavior)
    code = "missing-field" if said.endswith("is required") else "bad-value"
    assert said.startswith(f"{code}: ") and error in said, said
    assert shown(control, session) == before, "the refused command changed the state"


@pytest.mark.parametrize("item, error", [
    ({"id": "a"}, "item a, key center: is required"),
    ({"id": "a", "center": [0, 0], "size": [0, 1]}, "item a, key size: must be [w, h], entry 1"),
    ({"id": "a", "center": [0, 0], "size": [1, 1], "shape": "star"},
     'item a, key shape: must be one of "box", "circle"'),
    ({"id": "card", "center": [0, 0], "size": [1, 1]},
     "item card, key id: is taken by another item"),
    ({"id": "a/b", "center": [0, 0], "size": [1, 1]}, "key id: must be a name"),
    ("a", "must be a table"), ([], "must be a table"),
])
def test_items_are_judged_alike_too(control: Control, session: str, item: object, error: str):
    said = control.refused(
        "open", session=session, scene=scene(dynamics(items=[CARD, item])))
    assert said["code"] == "bad-scene" and error in said["message"], said
    control.open(session, scene(dynamics(items=[CARD])))
    assert error in message(control, session, "add-item", item=item)
    assert control.state(session, "world")["model"]["count"] == 1


def test_bounds_of_a_world(control: Control, session: str):
    items = [{"id": f"i{n}", "center": [n, n], "size": [1, 1]} for n in range(64)]
    fields = [
        {"id": f"f{n}", "kind": "field", "items": ["i0"], "type": "drag"} for n in range(32)]
    snaps = [
        {"id": f"s{n}", "kind": "snap", "item": f"i{n}", "point": [n, n]} for n in range(32)]
    control.open(session, scene(dynamics(items=items, behaviors=fields + snaps)))
    one = {"id": "one", "center": [0, 0], "size": [1, 1]}
    assert "at most 64 items" in message(control, session, "add-item", item=one)
    snap = {"id": "more", "kind": "snap", "item": "i0", "point": [0, 0]}
    assert "at most 64 behaviors" in message(control, session, "add-behavior", behavior=snap)
    control.command(session, "world", "remove-behavior", behavior="s0")
    field = {"id": "more", "kind": "field", "items": ["i0"], "type": "drag"}
    assert "at most 32 fields" in message(control, session, "add-behavior", behavior=field)
    control.command(session, "world", "add-behavior", behavior=snap)
    path = [[n, n % 2] for n in range(258)]
    wall = {"id": "wall", "kind": "collision", "items": [], "boundaries": [
        {"id": "w", "path": path}]}
    control.command(session, "world", "remove-behavior", behavior="more")
    assert "bad-value" in message(control, session, "add-behavior", behavior=wall)
    limits = control.ok("hello")["limits"]
    assert (limits["limit_world_items"], limits["limit_world_behaviors"]) == (64, 64), limits
    assert (limits["limit_world_fields"], limits["limit_world_segments"]) == (32, 256), limits
    assert control.ok("stats")["stats"]["worlds_put_to_rest"] == 0


# MARK: Commands


def test_content_is_taken_and_not_looked_into(control: Control, session: str):
    content = {"text": "Ä", "color": [1, 0, {"deep": None}]}
    control.open(session, scene(dynamics(items=[{**CARD, "content": content}])))
    most = {"text": "x" * (control.ok("hello")["limits"]["limit_item_content_bytes"] - 11)}
    item = {"id": "more", "center": [0, 0], "size": [1, 1]}
    control.command(session, "world", "add-item", item={**item, "content": most})
    for content in ({"text": most["text"] + "x"}, "text", [], None):
        refused = {**item, "id": "other", "content": content}
        assert "bad-value" in message(control, session, "add-item", item=refused)


def test_a_view_that_was_placed_anew_is_cut(daemon: Daemon, control: Control, session: str):
    opened(daemon, control, session)
    cuts = []
    for values in ({"center": [100, 100]}, {"scale": 2}, {"scale": 1}):
        for command, fields in (("add-item", {"item": CARD}),
                                ("set", {"item": "card", "values": values}),
                                ("remove-item", {"item": "card"})):
            control.command(session, "world", command, **fields)
            views = shown(control, session)["views"]
            cuts.append(views["card"].get("cut", 0) if views else None)
    assert cuts == [0, 1, None, 2, 3, None, 4, 4, None], cuts


def test_items_and_behaviors_come_and_go(daemon: Daemon, control: Control, session: str):
    updates = opened(daemon, control, session)
    assert updates.find(f"state/{session}/world").body["views"] == {}
    control.command(session, "world", "add-item", item=CARD)
    assert updates.find(f"state/{session}/world").body["model"]["count"] == 1
    control.command(
        session, "world", "add-behavior", behavior={**HOME, "point": [200, 300]})
    got = settle(updates, session, "world")
    expect_view(got[-1].body, "card", 1, x=200, y=300)
    control.command(
        session, "world", "set", behavior="home", values={"point": [100, 200], "damping": 0.9})
    expect_view(settle(updates, session, "world")[-1].body, "card", 1, x=100, y=200)
    control.command(session, "world", "remove-behavior", behavior="home")
    control.command(session, "world", "set", item="card", values={"center": [1, 2], "scale": 2})
    shown = control.state(session, "world")
    expect_view(shown, "card", x=1, y=2, w=100, h=60, scale=2)
    control.command(session, "world", "remove-item", item="card")
    assert control.state(session, "world")["views"] == {}


def test_snaps_and_attachments_of_a_removed_item_are_removed(control: Control, session: str):
    other = {**CARD, "id": "other"}
    rod = {"id": "rod", "kind": "attachment", "item": "card", "to": "other"}
    both = {"id": "both", "kind": "gravity", "items": ["card", "other"]}
    control.open(session, scene(dynamics(items=[CARD, other], behaviors=[HOME, rod, both])))
    control.command(session, "world", "remove-item", item="card")
    for gone in ("home", "rod"):
        assert "there is no behavior" in message(
            control, session, "remove-behavior", behavior=gone)
    control.command(session, "world", "set", behavior="both", values={"magnitude": 0.5})


@pytest.mark.parametrize("command, fields, error", [
    ("remove-item", {}, "missing-field: key item: is required"),
    ("remove-item", {"item": "none"}, 'bad-value: key item: there is no item "none"'),
    ("remove-item", {"item": 7}, "bad-value: key item: must be a name"),
    ("add-item", {}, "missing-field: key item: is required"),
    ("add-item", {"item": None}, "bad-value: item: must be a table"),
    ("remove-behavior", {"behavior": "none"}, 'bad-value: key behavior: there is no behavior'),
    ("add-velocity", {"item": "card"}, "missing-field: key dx: is required"),
    ("add-velocity", {"item": "card", "dx": 1, "dy": "1"}, "bad-value: key dy: must be a number"),
    ("add-velocity", {"item": "card", "dx": 1, "dy": 1e7}, "bad-value: key dy: must be a number"),
    ("set", {"behavior": "home"}, "missing-field: key values: is required"),
    ("set", {"values": {}}, "missing-field: key behavior: is required"),
    ("set", {"item": "card", "behavior": "home", "values": {}}, "bad-value: key behavior"),
    ("set", {"behavior": "home", "values": []}, "bad-value: key values: must be a table"),
    ("set", {"behavior": "home", "values": {"id": "x"}},
     "bad-value: behavior home, key id: cannot be set"),
    ("set", {"behavior": "home", "values": {"point": [1]}},
     "bad-value: behavior home, key point: must be [x, y]"),
    ("set", {"behavior": "home", "values": {"pont": [1, 1]}},
     'bad-value: behavior home: unknown key "pont", did you mean "point"?'),
    ("set", {"behavior": "home", "values": {"damping": 2, "item": "none"}},
     'bad-value: behavior home, key item: there is no item "none"'),
    ("set", {"item": "card", "values": {"center": [5, 5], "size": [1, -1]}},
     "bad-value: item card, key size: must be [w, h], entry 2"),
    ("set", {"item": "card", "values": {"scale": 11}},
     "bad-value: item card, key scale: must be a number from 0.1 to 10"),
    ("fly", {}, "unknown-command: "),
])
def test_commands_say_what_is_wrong(
    daemon: Daemon, control: Control, session: str, command: str, fields: dict, error: str
):
    control.open(session, scene(dynamics(items=[CARD], behaviors=[HOME])))
    settled(daemon, session)
    before = shown(control, session)
    assert message(control, session, command, **fields).startswith(error)
    assert shown(control, session) == before


def settled(daemon: Daemon, session: str) -> None:
    daemon.subscriber(f"state/{session}/").find(f"state/{session}/world", phase="resting")


def test_a_velocity_is_added(control: Control):
    script = Script(scene(dynamics(items=[CARD]), frame_rate=120)).wait(100)
    script.command("world", "add-velocity", item="card", dx=120, dy=-240, angular=6)
    got = script.wait(100).command("world", "remove-item", item="card").run()
    moved = [u for u in of(got, "world") if u.body["views"]]
    first = next(u for u in moved if u.body["views"]["card"]["x"] > 160).body
    still = 1 / (1 + 0.1 / 120)
    expect_view(
        first, "card", x=160 + still, y=284 - 2 * still, rotation=0.05 * still)


# MARK: Gestures


def test_a_pan_drags_the_card_and_throws_it(daemon: Daemon, control: Control, session: str):
    updates = opened(daemon, control, session, items=[CARD])
    updates.find(f"state/{session}/world", phase="resting")
    control.gesture(session, "world", "pan", "began", x=180, y=290)
    began = updates.find(f"state/{session}/world", phase="dragging").body
    assert began["model"]["dragged"] == "card", began
    for step in range(1, 30):
        control.gesture(session, "world", "pan", "changed", x=180 + 2 * step, y=290)
    control.gesture(session, "world", "pan", "changed", x=260, y=290)
    updates.until(
        lambda u: u.topic.startswith("state/")
        and near(hooked(u.body["views"]["card"], 20, 6).real, 260, 1),
        "the card to follow the finger")
    control.gesture(session, "world", "pan", "ended", x=260, y=290, vx=0, vy=-600)
    thrown = updates.find(f"state/{session}/world", phase="moving").body
    assert thrown["model"]["dragged"] is None
    flown = updates.during(0.3)
    ys = [u.body["views"]["card"]["y"] for u in states(flown)]
    assert ys == sorted(ys, reverse=True) and ys[0] - ys[-1] > 50, ys


def hooked(view: dict, dx: float, dy: float) -> complex:
    """The place of a point given in the view's own coordinates."""
    turn = complex(math.cos(view["rotation"]), math.sin(view["rotation"]))
    return complex(view["x"], view["y"]) + complex(dx, dy) * turn


@pytest.mark.parametrize("x, y", [(0, 0), (211, 284), (160, 253)])
def test_a_pan_beside_the_items_is_refused(control: Control, session: str, x: float, y: float):
    control.open(session, scene(dynamics(items=[CARD])))
    topic = f"gesture/{session}/world"
    body = {"gesture": "pan", "phase": "began", "x": x, "y": y}
    assert control.code(topic, body) == "bad-value"
    assert control.code(topic, {**body, "gesture": "pinch", "scale": 1}) == "bad-value"
    swipe = {"gesture": "swipe", "direction": "left", "x": 160, "y": 284}
    assert control.code(topic, swipe) == "unknown-gesture"


def test_pinch_and_rotation(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(dynamics(items=[CARD])))
    control.gesture(session, "world", "pinch", "began", x=160, y=284, scale=1)
    control.gesture(session, "world", "pinch", "changed", scale=1.5)
    control.gesture(session, "world", "rotation", "began", x=160, y=284, angle=0)
    control.gesture(session, "world", "rotation", "changed", angle=0.25)
    body = control.state(session, "world")
    assert body["phase"] == "dragging"
    expect_view(body, "card", w=100, h=60, scale=1.5, rotation=0.25)
    control.gesture(session, "world", "pinch", "ended", scale=100)
    control.gesture(session, "world", "rotation", "ended", angle=0.5)
    settled(daemon, session)
    expect_view(control.state(session, "world"), "card", scale=10, rotation=0.5)


def contacts(script: Script, *ways: list[tuple[float, float]]) -> Script:
    """Fingers that land in turn and move together, 8 ms a sample."""
    for number, way in enumerate(ways):
        script.gesture("world", "pointer", "began", pointer=number, x=way[0][0], y=way[0][1])
    for places in zip(*(way[1:] for way in ways)):
        script.wait(8)
        for number, (x, y) in enumerate(places):
            script.gesture("world", "pointer", "changed", pointer=number, x=x, y=y)
    script.wait(8)
    for number, way in enumerate(ways):
        script.gesture("world", "pointer", "ended", pointer=number, x=way[-1][0], y=way[-1][1])
    return script


def test_raw_contacts_drag_pinch_and_turn():
    script = Script(scene(dynamics(items=[CARD]), frame_rate=120)).wait(100)
    got = contacts(script, [(160 + 2 * n, 284) for n in range(30)]).run("--until", "2000")
    recognized = {u.body["model"].get("recognizer") for u in of(got, "world")}
    assert recognized == {None, "pan"}, recognized
    assert of(got, "world")[-1].body["views"]["card"]["x"] > 220, of(got, "world")[-1]

    script = Script(scene(dynamics(items=[CARD]), frame_rate=120)).wait(100)
    spread = [(140 - n, 284) for n in range(31)], [(180 + n, 284) for n in range(31)]
    got = contacts(script, *spread).run()
    recognized = {u.body["model"].get("recognizer") for u in of(got, "world")}
    assert recognized == {None, "pinch"}, recognized
    # Scale 1 is the distance when the pinch began, at least 8 points after the landing.
    assert 1.8 < of(got, "world")[-1].body["views"]["card"]["scale"] < 100 / 48 + 0.001

    script = Script(scene(dynamics(items=[CARD]), frame_rate=120)).wait(100)
    angles = [math.radians(n) for n in range(46)]
    round_ = ([(160 - 30 * math.cos(a), 284 - 30 * math.sin(a)) for a in angles],
              [(160 + 30 * math.cos(a), 284 + 30 * math.sin(a)) for a in angles])
    got = contacts(script, *round_).run()
    assert "rotation" in {u.body["model"].get("recognizer") for u in of(got, "world")}
    turned = of(got, "world")[-1].body["views"]["card"]["rotation"]
    assert math.radians(37) < turned <= math.radians(40.5), math.degrees(turned)


# MARK: Contacts and rest


def test_a_card_falls_on_the_floor(daemon: Daemon, control: Control, session: str):
    gravity = {"id": "gravity", "kind": "gravity", "items": ["card"]}
    updates = opened(
        daemon, control, session, items=[CARD], behaviors=[gravity, FLOOR])
    got = settle(updates, session, "world")
    # Box2D's polygons have a skin: the card rests some 2 points above the floor.
    expect_view(got[-1].body, "card", 2.5, x=160, y=538)
    told = [u.body for u in got if u.body.get("name") == "contact"]
    first = told[0]
    assert first["event"] == "began" and first["items"] == ["card"], first
    assert first["boundary"] == "bounds" and near(first["point"][1], 568, 3), first
    assert first["duration"] == 0 and first["curve"] is None, first
    assert all(abs(u.body["views"]["card"]["y"]) < 540 for u in states(got))


def test_two_items_meet():
    items = [{"id": "a", "center": [50, 100], "size": [20, 20], "shape": "circle"},
             {"id": "b", "center": [150, 100], "size": [20, 20], "shape": "circle"}]
    meet = {"id": "meet", "kind": "collision", "items": ["a", "b"], "mode": "items"}
    script = Script(scene(dynamics(items=items, behaviors=[meet]), frame_rate=120)).wait(100)
    script.command("world", "add-velocity", item="a", dx=400, dy=0)
    got = script.run("--until", "1000")
    told = [u.body for u in of(got, "world", "transition") if u.body["name"] == "contact"]
    assert [u["event"] for u in told] == ["began", "ended"], told
    assert sorted(told[0]["items"]) == ["a", "b"] and "boundary" not in told[0], told
    assert near(told[0]["point"][1], 100, 1), told
    # Both change by half the velocity, and by 0.2 of that for their bounce.
    assert near(told[0]["impulse"], math.pi / 100 * 400 / 2 * 1.2, 0.3), told
    assert "impulse" not in told[1], told


def test_a_world_that_nothing_drives_is_put_to_rest_after_60_s():
    slick = {"id": "slick", "kind": "item", "items": ["card"], "resistance": 0,
             "angular_resistance": 0}
    script = Script(scene(dynamics(items=[CARD], behaviors=[slick]), frame_rate=30))
    got = script.wait(100).command(
        "world", "add-velocity", item="card", dx=100, dy=0).run("--until", "70000")
    last = of(got, "world")[-1]
    assert last.body["phase"] == "resting", last
    moved = [u for u in of(got, "world", "transition") if u.body["name"] == "rest"]
    # The command disturbed the world at step 12; 60 s are 7,200 steps.
    assert step_of(moved[-1]) == 12 + 7200, moved[-1]


# MARK: Determinism


def everything() -> dict:
    items = [
        {"id": f"i{n}", "center": [40 + 60 * (n % 4), 80 + 60 * (n // 4)], "size": [30, 20 + n],
         "shape": "circle" if n % 3 == 0 else "box", "rotation": n / 7} for n in range(12)]
    names = [item["id"] for item in items]
    return dynamics(items=items, behaviors=[
        {"id": "gravity", "kind": "gravity", "items": names, "angle": 1.4, "magnitude": 0.6},
        {"id": "walls", "kind": "collision", "items": names, "bounds": [10, 10, 10, 10],
         "boundaries": [{"id": "ramp", "from": [20, 300], "to": [200, 420]}]},
        {"id": "heavy", "kind": "item", "items": names[:3], "density": 4, "elasticity": 0.6},
        {"id": "rod", "kind": "attachment", "item": "i0", "to": "i1"},
        {"id": "hinge", "kind": "attachment", "item": "i4", "anchor": [40, 140], "type": "pin",
         "offset": [10, 0], "friction_torque": 0.1, "range": [-1, 1]},
        {"id": "rail", "kind": "attachment", "item": "i5", "anchor": [100, 140],
         "type": "sliding", "axis": [1, 1], "range": [-40, 40]},
        {"id": "rope", "kind": "attachment", "item": "i6", "anchor": [160, 60], "type": "limit"},
        {"id": "weld", "kind": "attachment", "item": "i7", "to": "i8", "type": "fixed"},
        {"id": "snap", "kind": "snap", "item": "i9", "point": [250, 250]},
        {"id": "wind", "kind": "push", "items": ["i10"], "mode": "continuous", "dx": 0.3},
        {"id": "noise", "kind": "field", "items": names, "type": "noise", "strength": 0.2,
         "animation_speed": 1, "region": {"shape": "inverse", "of": [
             {"shape": "circle", "radius": 60, "center": [160, 284]}]}}])


@pytest.mark.parametrize("rate", [30, 60])
def test_every_frame_rate_shows_the_same_motion(rate: int):
    def run(rate: int) -> list:
        script = Script(scene(everything(), frame_rate=rate)).wait(500)
        script.command("world", "add-velocity", item="i2", dx=-300, dy=-200, angular=3)
        return of(script.wait(500).command(
            "world", "remove-behavior", behavior="rod").run("--until", "3000"), "world")
    fine = {step_of(u): u.body["views"] for u in run(120)}
    coarse = {step_of(u): u.body["views"] for u in run(rate)}
    common = [step for step in coarse if step % (120 // rate) == 0]
    assert len(common) > rate * 2, len(common)
    assert all(fine[step] == coarse[step] for step in common)


def test_the_same_recording_gives_the_same_bytes():
    def run() -> list[str]:
        return [u.text for u in Script(scene(everything())).wait(100).command(
            "world", "add-velocity", item="i3", dx=500, dy=0).run("--until", "2000")]
    assert run() == run()


# MARK: Nonsense

numbers = some.one_of(
    some.floats(allow_nan=False, allow_infinity=False), some.integers(-10**7, 10**7),
    some.sampled_from([0, -0.0, 1e-320, 1e6, -1e6, 1e300]))
words = some.sampled_from([
    "card", "ball", "b1", "b2", "box", "circle", "snap", "attachment", "push", "gravity",
    "collision", "item", "field", "group", "distance", "fixed", "pin", "sliding", "limit",
    "instantaneous", "continuous", "everything", "noise", "velocity", "vortex", "drag", ""])
values = some.recursive(
    some.one_of(some.none(), some.booleans(), numbers, words),
    lambda inner: some.one_of(
        some.lists(inner, max_size=4),
        some.dictionaries(some.sampled_from(
            ["shape", "radius", "of", "id", "from", "to", "path"]), inner, max_size=4)),
    max_leaves=6)
points = some.lists(numbers, min_size=2, max_size=2)
keys = {
    "id": words, "kind": words, "item": words, "to": words, "items": some.lists(words, max_size=3),
    "center": points, "size": points, "point": points, "anchor": points, "offset": points,
    "axis": points, "direction": points, "position": points, "range": points, "type": words,
    "mode": words, "shape": words, "rotation": numbers, "damping": numbers, "frequency": numbers,
    "length": numbers, "dx": numbers, "dy": numbers, "angle": numbers, "magnitude": numbers,
    "density": numbers, "friction": numbers, "elasticity": numbers, "resistance": numbers,
    "anchored": some.booleans(), "bounds": values, "boundaries": values, "strength": numbers,
    "falloff": numbers, "region": values, "animation_speed": numbers, "scale": numbers}
tables = some.dictionaries(some.sampled_from(sorted(keys)), some.just(0), max_size=8).flatmap(
    lambda picked: some.fixed_dictionaries({
        key: some.one_of(keys[key], keys[key], keys[key], values) for key in picked}))


@given(commands=some.lists(some.tuples(
    some.sampled_from(["add-item", "add-behavior", "remove-item", "remove-behavior", "set",
                       "add-velocity"]),
    some.one_of(words, tables), some.one_of(words, tables), some.one_of(tables, values)),
    max_size=12))
def test_nonsense_is_refused_and_harms_nothing(daemon_of_nonsense, commands: list):
    daemon, control, updates = daemon_of_nonsense
    for command, item, behavior, table in commands:
        body = {"command": command, "item": item, "behavior": behavior, "values": table,
                "dx": 1, "dy": 1}
        answer = control.ask("publish", topic="command/mad/world", body=body)
        assert answer["ok"] or answer["error"]["code"] in (
            "bad-value", "missing-field"), answer
    for update in updates.during(0.02):
        assert "NaN" not in update.text and "nan" not in update.text, update
        json.loads(update.text)
    assert control.ok("hello") and daemon.is_running


@pytest.fixture(scope="module")
def daemon_of_nonsense(daemon: Daemon, control: Control):
    control.open("mad", scene(dynamics(items=[
        CARD, {"id": "ball", "center": [60, 60], "size": [30, 30], "shape": "circle"}],
        behaviors=[FLOOR]), frame_rate=120))
    return daemon, control, daemon.subscriber("state/mad/", "transition/mad/")


def test_enormous_velocities_and_loops_of_rods_stay_bounded(
    daemon: Daemon, control: Control, session: str
):
    dice = random.Random(5)
    names = [f"i{n}" for n in range(8)]
    items = [{"id": name, "center": [40 * n, 50 * (n % 3)], "size": [20, 10]}
             for n, name in enumerate(names)]
    rods = [{"id": f"r{n}", "kind": "attachment", "item": names[n], "to": names[(n + 1) % 8],
             "length": dice.choice([0, 10, 400])} for n in range(8)]
    rods += [{"id": f"w{n}", "kind": "attachment", "item": names[n], "to": names[(n + 3) % 8],
              "type": "fixed"} for n in range(8)]
    updates = opened(daemon, control, session, items=items, behaviors=rods)
    for name in names:
        control.command(
            session, "world", "add-velocity", item=name, dx=dice.choice([-1e6, 1e6]),
            dy=dice.choice([-1e6, 1e6]), angular=1e6)
    for update in states(updates.during(1.0)):
        for view in update.body["views"].values():
            assert all(math.isfinite(value) for value in view.values()), update
            assert abs(view["x"]) < 1e6 and abs(view["y"]) < 1e6, update
    control.ok("hello")


# MARK: Determinism

def falling(lanes: int, names: list[str]) -> dict[str, dict[int, str]]:
    """Views of several worlds without events: session → step → views as text."""
    items = [{"id": f"box{n}", "center": [60 + 45 * n, 60 + 31 * n], "size": [40, 36],
              "rotation": 0.3 * n} for n in range(5)]
    ids = [item["id"] for item in items]
    behaviors = [
        {"id": "gravity", "kind": "gravity", "items": ids},
        {"id": "walls", "kind": "collision", "items": ids, "bounds": True},
        {"id": "wind", "kind": "field", "type": "noise", "items": ids, "strength": 0.4,
         "animation_speed": 1},
        {"id": "rope", "kind": "attachment", "item": "box0", "to": "box1", "type": "limit"}]
    with Daemon(f"lanes = {lanes}\n") as daemon:
        control = daemon.requests()
        updates = daemon.subscriber("session/", "state/")
        for name in names:
            control.open(name, scene(
                dynamics(items=items, behaviors=behaviors), frame_rate=60, seed=7))
        opened, found = {}, {name: {} for name in names}
        while any(max(steps, default=0) < 180 for steps in found.values()):
            update = updates.next()
            assert update, "the worlds stopped publishing"
            name = update.topic.split("/")[1]
            if update.topic.startswith("session/"):
                opened[name] = update.t
            else:
                step = round((update.t - opened[name]) * 120 / 1000)
                found[name][step] = json.dumps(update.body["views"])
        return found


def test_one_lane_shows_what_eight_show():
    names = [f"lane-{n}" for n in range(6)]
    one, eight = falling(1, names), falling(8, names)
    for name in names:
        common = [step for step in one[name] if step in eight[name] and step <= 180]
        # A loaded machine may skip frames but not change them.
        assert len(common) >= 45, f"{name}: {len(common)} frames of 90 in both"
        assert {s: one[name][s] for s in common} == {s: eight[name][s] for s in common}
        assert one[name][max(common)] != one[name][min(common)]
