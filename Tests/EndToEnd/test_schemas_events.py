"""The schemas of events refuse what the daemon refuses, and take what it takes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from client import Control
from full import BALL, BEHAVIORS, BOX, FIELDS, SCENES, one
from schemas import FILES, Comparison, expect, mutants, of_event, takes

WORLD = one("dynamics", items=[BALL, BOX], behaviors=[BEHAVIORS[0], FIELDS[0]])
TABS = one("tabs", items=[{"id": "a"}, {"id": "b"}, {"id": "c"}])
NAVIGATION = one("navigation", root="home")
POINT = {"x": 100, "y": 200}
BEGAN = {"phase": "began", **POINT}
ENVELOPE = {"t": 1_700_000_000_000.5, "id": "e-1"}
MEMBERS = 30  # Requests that are under way at once.


@dataclass(frozen=True)
class Event:
    """An event that the daemon takes, on a session of its own."""

    scene: dict
    topic: str  # Behind the session's name.
    body: dict
    # Events that come before it.
    before: list[dict] = field(default_factory=list)
    # Members whose insides the schema of scenes answers for.
    within: tuple[str, ...] = ()

    def full(self, session: str) -> str:
        word, *rest = self.topic.split("/")
        return "/".join([word, session, *rest])

    @property
    def schema(self) -> str:
        place = of_event(self.full("s"))
        component = self.topic.partition("/")[2]
        if not place.endswith("/component"):
            return place
        kinds = {one["id"]: one["kind"] for one in self.scene["components"]}
        return place.replace("component", kinds[component])


def gesture(
    kind: str, gesture: str, scene: dict | None = None, /, **fields: object
) -> Event:
    before = [{"gesture": gesture, **BEGAN, **fields, "phase": "began"}]
    phase = fields.get("phase")
    return Event(
        scene or SCENES[kind], f"gesture/{kind}", {"gesture": gesture, **fields},
        before if phase and phase != "began" else [])


def command(scene: dict, component: str, command: str, /, **fields: object) -> Event:
    return Event(
        scene, f"command/{component}" if component else "command",
        {"command": command, **fields, **ENVELOPE}, within=("tips", "item", "behavior", "scene"))


EVENTS = [
    gesture("toss", "pan", **BEGAN, vx=5, vy=-6.5, t=1_700_000_000_000.5),
    gesture("toss", "pan", phase="ended", **POINT),
    gesture("toss", "pointer", **BEGAN, pointer=3),
    gesture("toss", "pointer", **BEGAN, pointer=3, kind="pen", pressure=0.5, user="alice"),
    gesture("list", "swipe", one("list", rows=20), direction="left", row=1),
    gesture("list", "swipe", one("list", rows=20), direction="right", **POINT),
    gesture("list", "tap", row=2),
    gesture("list", "tap", **POINT),
    gesture("tabs", "tap", TABS, index=1, row=7, **POINT),
    gesture("list", "scroll", phase="began", offset=-12.5),
    gesture("list", "wheel", dx=1, dy=20, **BEGAN, momentum=False),
    gesture("list", "wheel", dy=-3),
    gesture("dynamics", "pinch", WORLD, phase="began", x=50, y=60, scale=1.5, velocity=2),
    gesture("dynamics", "rotation", WORLD, phase="changed", x=50, y=60, angle=0.5, velocity=1),
    gesture("dynamics", "token", WORLD, phase="began", symbol=5, x=50, y=60, angle=-7),
    gesture("dynamics", "token", WORLD, phase="began", symbol=0, x=1, y=2, angle=0, user="ada"),
    gesture("button", "longpress", **BEGAN),
    gesture("button", "longpress", phase="ended", **POINT),
    gesture("tabs", "tap", TABS, x=100, y=550),
    Event(SCENES["toss"], "gesture", {"gesture": "pan", **BEGAN, "vx": 1, "vy": 2}),
    Event(one("list", rows=20), "gesture", {"gesture": "tap", **POINT}),
    Event(SCENES["toss"], "notification", {"kind": "likes", "add": 3, **ENVELOPE}),
    Event(SCENES["toss"], "notification", {"kind": "likes", "set": 3}),
    Event(SCENES["toss"], "notification", {"kind": "likes", "data": {"a": {"b": 1}}}),
    command(SCENES["toss"], "badges", "clear", kind="likes"),
    command(SCENES["toss"], "badges", "add", kind="likes", count=2),
    command(SCENES["toss"], "badges", "set", kind="likes", count=2),
    command({**SCENES["toss"], "variables": {"score": 1, "on": True, "name": "a"}}, "", "assign",
            values={"score": 2.5, "on": False, "name": "b"}),
    command(SCENES["toss"], "", "open", scene="phone", replace=False),
    command(SCENES["toss"], "", "open", scene=SCENES["toss"], replace=True),
    command(SCENES["toss"], "", "update", scene=SCENES["toss"]),
    command(SCENES["toss"], "", "resize", viewport=[300, 500], insets=[1, 2, 3, 4]),
    command(SCENES["toss"], "", "set", component="toss", values={"friction": 1}),
    command(WORLD, "", "set", component="dynamics", item="ball", values={"scale": 2}),
    command(WORLD, "", "set", component="dynamics", behavior="a1", values={"damping": 1}),
    command(SCENES["toss"], "", "close"),
    command(SCENES["tips"], "tips", "present", tips=[{"title": "New"}]),
    command(SCENES["tips"], "tips", "dismiss"),
    command(SCENES["toss"], "toss", "reset"),
    command(
        NAVIGATION, "navigation", "present", screen="a", transition="in-via-scale", duration=1),
    command(
        SCENES["screens"], "navigation", "present", screen="mail", transition="in-via-scale"),
    command(SCENES["list"], "list", "action"),
    command(SCENES["list"], "list", "scroll-to-top"), command(SCENES["list"], "list", "deselect"),
    command(one("list", rows=1_000_000), "list", "select", row=7),
    command(SCENES["rows"], "list", "select", item="soup"),
    command(SCENES["rows"], "list", "insert", at=1, item={
        "id": "pie", "content": {"text": "Pie"}, "menu": [{"id": "m", "content": {"a": 1}}]}),
    command(SCENES["rows"], "list", "remove", item="soup"),
    command(SCENES["rows"], "list", "move", item="soup", at=1),
    command(SCENES["button"], "button", "tap"),
    command(SCENES["button"], "button", "enable"),
    command(SCENES["button"], "button", "disable"),
    command(SCENES["button"], "button", "turn", on=False),
    command(SCENES["label"], "label", "show"),
    command(SCENES["label"], "label", "hide"),
    command(SCENES["panel"], "panel", "go", to="off", animated=False),
    command(SCENES["panel"], "panel", "toggle"),
    command(SCENES["tabs"], "tabs", "show", index=0),
    command(SCENES["pages"], "reader", "next"),
    command(TABS, "tabs", "select", index=1),
    command(TABS, "tabs", "glow", index=2),
    command(WORLD, "dynamics", "add-item", item={"id": "new", "center": [1, 2], "size": [3, 4]}),
    command(WORLD, "dynamics", "remove-item", item="box"),
    command(WORLD, "dynamics", "add-behavior", behavior={
        "id": "new", "kind": "gravity", "items": ["box"]}),
    command(WORLD, "dynamics", "remove-behavior", behavior="a1"),
    command(WORLD, "dynamics", "set", item="ball", values={
        "center": [1, 2], "scale": 2}),
    command(WORLD, "dynamics", "set", behavior="f1", values={
        "strength": 2, "items": ["box"]}),
    command(WORLD, "dynamics", "add-velocity", item="ball", dx=1, dy=2, angular=3),
]


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return Comparison("Events and requests")


@pytest.mark.parametrize("number", range(len(EVENTS)), ids=[
    f"{event.topic}-{event.body.get('gesture', event.body.get('command', ''))}"
    for event in EVENTS])
def test_events_with_one_thing_changed(
    control: Control, comparison: Comparison, number: int
) -> None:
    """Each on a session of its own, so that none meets what another one did."""
    event = EVENTS[number]
    tried = [("as it is", event.body), *mutants(event.schema, event.body, event.within)]
    expect(event.schema, event.body)
    for first in range(0, len(tried), MEMBERS):
        asked = []
        for place, (_, body) in enumerate(tried[first:first + MEMBERS]):
            session = f"e{number}-{first + place}"
            control.send("open", session=session, scene=event.scene)
            for before in event.before:
                control.send("publish", topic=event.full(session), body=before)
            asked.append(control.send("publish", topic=event.full(session), body=body))
        for (label, body), request in zip(tried[first:], asked):
            reply = control.reply(request)
            if label == "as it is":
                assert reply["ok"], reply
            comparison.note(event.topic, label, takes(event.schema, body), reply)


def test_a_point_says_who_is_meant(control: Control, comparison: Comparison) -> None:
    event = {"gesture": "tap", "row": 1}
    control.open("pointless", SCENES["list"])
    reply = control.ask("publish", topic="gesture/pointless", body=event)
    comparison.note("gesture", "without a point", takes("event-gesture.json", event), reply)


def test_at_the_root_there_is_no_way_back(control: Control, comparison: Comparison) -> None:
    event = {"command": "back", "transition": "out-to-top"}
    control.open("rooted", SCENES["screens"])
    reply = control.ask("publish", topic="command/rooted/navigation", body=event)
    comparison.note("command", "at the root", takes("event-command.json", event), reply)


def test_enough_events_were_taken_and_refused(comparison: Comparison) -> None:
    assert comparison.counts[True] > 500 and comparison.counts[False] > 2000, comparison.counts


def test_every_sentence_of_the_readme_is_needed(comparison: Comparison) -> None:
    idle = {message for message in comparison.idle if "document" not in message}
    assert not idle, f"no event was refused so: {idle}"


def test_every_gesture_and_command_is_among_them() -> None:
    gestures = {event.body.get("gesture") for event in EVENTS}
    assert gestures >= set(FILES["event-gesture.json"]["$defs"])
    commands = {event.body.get("command") for event in EVENTS}
    known = set(FILES["event-command.json"]["properties"]["command"]["enum"])
    assert known <= commands | {"back", "previous", "unglow"}, known - commands
