"""Every message of a running daemon is as the schemas say: thousands, of all kinds."""

from __future__ import annotations

import collections
import json
import time

import pytest
from client import Control, Daemon, Publisher, Subscriber
from documents import wait_until
from full import SCENES
from scenes import dynamics, still
from schemas import FILES, expect, of_event, of_update, takes
from tool import OWN

# Recordings are played this much faster, side by side.
SPEED = 15
# States of each phase that are held against what their kind shows; all are held against any kind.
EACH = 40
WORDS = [name.partition("-")[2][:-5] for name in FILES if name.startswith("update-")]


class Watch:
    """Updates as they come, and the kinds of the components that they are about."""

    def __init__(self):
        self.counts: collections.Counter[str] = collections.Counter()
        self.kinds: dict[tuple[str, str], str] = {}
        self.shown: collections.Counter[str] = collections.Counter()
        self.recognized: set[str] = set()
        self.last: dict[str, dict] = {}

    def see(self, topic: str, body: dict) -> None:
        expect(of_update(topic), body, topic)
        word, *names = topic.split("/")
        self.counts[word] += 1
        self.last[word] = body
        if word == "scene":
            for component in body["components"]:
                self.kinds[names[0], component["id"]] = component["kind"]
        states = body.get("states", [])
        if word == "state":
            states = [{"component": names[1], **body}]
        for state in states:
            kind = self.kinds.get((names[0], state["component"]))
            if kind is None:
                continue
            phase = f"{kind} {state['phase']}"
            self.shown[phase] += 1
            if self.shown[phase] <= EACH:
                expect(f"update-state.json#/$defs/shown-{kind}", state, topic)
            if "recognizer" in state["model"]:
                self.recognized.add(state["model"]["recognizer"])


@pytest.fixture(scope="module")
def watch() -> Watch:
    return Watch()


def recordings() -> list[tuple[float, str, dict]]:
    """All events of our recordings on one timeline, each recording on sessions of its own."""
    events = []
    for path in sorted(OWN.glob("*.jsonl")):
        head, *lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        sessions = {line["topic"].split("/")[1] for line in lines if "topic" in line}
        for session in sessions:
            scene = {"command": "open", "scene": head["scene"]}
            events.append((0.0, f"command/{path.stem}-{session}", scene))
        for line in lines:
            if "topic" in line:
                word, session, *rest = line["topic"].split("/")
                topic = "/".join([word, f"{path.stem}-{session}", *rest])
                events.append((line["t"] / SPEED / 1000, topic, line["body"]))
    return sorted(events, key=lambda event: event[0])


def test_all_recordings_at_once(
    daemon: Daemon, publisher: Publisher, watch: Watch
) -> None:
    # States stand in frames, too; the other test hears them on their own topics.
    topics = [f"{word}/" for word in WORDS if word not in ("state", "sync", "heartbeat")]
    listener = daemon.subscriber("heartbeat", *topics)
    events, start, updates = recordings(), time.monotonic(), []
    for when, topic, body in events:
        expect(of_event(topic), body, topic)
        while (left := start + when - time.monotonic()) > 0:
            updates += listener.during(min(left, 0.01))
        publisher.send(topic, body)
    updates += listener.during(0.5)
    for update in updates:
        watch.see(update.topic, update.body)


def everything(listener: Subscriber, watch: Watch, seconds: float) -> None:
    for update in listener.during(seconds):
        watch.see(update.topic, update.body)


def test_what_no_recording_does(
    daemon: Daemon, publisher: Publisher, control: Control, session: str, watch: Watch
) -> None:
    """Two fingers, contacts, wheels, a full list of changes, refusals, and a session's life."""
    listener = daemon.subscriber("")
    world = dynamics(
        items=[{"id": "ball", "center": [100, 100], "size": [90, 90]},
               {"id": "other", "center": [250, 400], "size": [40, 40]}],
        behaviors=[{"id": "g", "kind": "gravity", "items": ["other"]},
                   {"id": "c", "kind": "collision", "items": ["ball", "other"],
                    "bounds": True}])
    scene = still()
    controls = [{"id": "button", "kind": "button"}, {"id": "label", "kind": "label", "text": "Hi"},
                {"id": "panel", "kind": "panel", "size": [320, 200], "backdrop_alpha": 0.4,
                 "anchors": [{"name": "low", "at": 500}, {"name": "high", "at": 300}]}]
    control.open(session, {**scene, "components": [*scene["components"], world, *controls]})

    def touch(component: str, phase: str, pointer: int, x: float, y: float) -> None:
        body = {"gesture": "pointer", "phase": phase, "pointer": pointer, "x": x, "y": y,
                "t": time.time() * 1000}
        publisher.send(f"gesture/{session}/{component}", body)

    for component in ("world", "list", "toss", "reader", "profile", "tabs", "button", "panel"):
        for pointer in (1, 2):
            touch(component, "began", pointer, 80 + 40 * pointer, 100)
        for step in range(8):
            touch(component, "changed", 1, 120 - 3 * step, 100 + 10 * step)
            touch(component, "changed", 2, 160 + 5 * step, 100 - 4 * step)
            everything(listener, watch, 0.02)
        for pointer in (1, 2):
            touch(component, "ended", pointer, 100, 150)
    for phase, angle in (("began", 0), ("changed", 1), ("ended", 1)):
        control.publish(f"gesture/{session}/world", {
            "gesture": "token", "phase": phase, "symbol": 5, "x": 200, "y": 300, "angle": angle})
        everything(listener, watch, 0.05)
    for component in ("list", "reader", "profile"):
        for _ in range(5):
            body = {"gesture": "wheel", "dy": 30, "dx": 0}
            publisher.send(f"gesture/{session}/{component}", body)
            everything(listener, watch, 0.02)
    control.command(session, "button", "tap")
    control.command(session, "button", "disable")
    for name in ("hide", "show"):
        control.command(session, "label", name)
        everything(listener, watch, 0.4)
    control.command(session, "tips", "present", tips=[{"title": "New", "content": {"a": 1}}])
    # The wheel may have brought a page in, and the reader refuses others meanwhile.
    wait_until(lambda: control.state(session, "reader")["phase"] == "resting", "the page rests")
    control.command(session, "reader", "next")
    control.notify(session, "likes")
    control.publish(f"command/{session}", {"command": "resize", "viewport": [400, 700]})
    control.publish(f"command/{session}", {"command": "update", "scene": "kiosk"})
    for body in (b"{}", b"\xff", b"{", b'{"command":"x"}', b"[]"):
        publisher.raw(f"command/{session}".encode(), body)
        publisher.raw(b"nonsense", body)
    everything(listener, watch, 1.5)
    control.ok("close", session=session)
    document = None
    for name, scene in SCENES.items():
        control.open(f"{session}-{name}", scene)
        document = control.export(f"{session}-{name}")
        expect("common.json#/$defs/exported", document)
        snapshot = control.ask("snapshot", session=f"{session}-{name}")
        expect("reply-snapshot.json", snapshot)
    control.ok("import", session=f"{session}-again", document=document)
    control.ask("close", session="nobody")
    listener.subscribe("sync/live")
    for update in listener.until(lambda update: update.topic == "sync/live"):
        watch.see(update.topic, update.body)


def test_every_word_and_phase_was_seen(daemon: Daemon, watch: Watch) -> None:
    assert set(watch.counts) == set(WORDS), set(WORDS) ^ set(watch.counts)
    assert sum(watch.counts.values()) > 2000, watch.counts
    phases = {
        f"{name.partition('-')[2]} {phase}"
        for name, table in FILES["update-state.json"]["$defs"].items()
        if name.startswith("shown-") for phase in table["properties"]["phase"]["enum"]}
    # A card leaves and a header is titled for a moment only.
    assert len(phases - set(watch.shown)) <= 2, phases - set(watch.shown)
    assert not set(watch.shown) - phases


# Members that only some updates of a topic have.
OPTIONAL = {
    "transitions", "badge", "running", "input", "reaction", "from", "to", "row", "direction",
    "action", "on", "items", "boundary", "point", "impulse", "touches", "token", "angle"}


def test_a_schema_of_updates_is_exact(watch: Watch) -> None:
    """Each member is needed and has a type; others may come."""
    for word, body in watch.last.items():
        place = f"update-{word}.json"
        expect(place, {**body, "new-field": {"of": "a later version"}})
        for key, value in body.items():
            for other in (None, True, 7.5, "\n", [None], {"x": None}):
                if type(other) is not type(value) and not (
                        isinstance(other, float) and isinstance(value, int)):
                    wrong = {**body, key: other}
                    may_be = key in ("scene", "curve") and None in (other, value)
                    assert may_be or not takes(place, wrong), f"{place}: {key} = {other}"
            rest = {name: one for name, one in body.items() if name != key}
            assert key in OPTIONAL or not takes(place, rest), f"{place}: without {key}"
