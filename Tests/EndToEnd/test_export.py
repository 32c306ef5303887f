"""A session moves to another daemon and continues there, with its motion."""

from __future__ import annotations

import copy
import json
import pathlib
import random
import subprocess

import pytest
from checks import settle
from client import Control, Daemon, Subscriber, binary
from scenes import dynamics, scene

BALLS = {
    "items": [
        {"id": "a", "center": [80, 60], "size": [40, 40], "shape": "circle"},
        {"id": "b", "center": [180, 90], "size": [50, 40]},
        {"id": "c", "center": [240, 40], "size": [30, 60], "rotation": 0.5}],
    "behaviors": [
        {"id": "fall", "kind": "gravity", "items": ["a", "b", "c"], "dx": 0.05, "dy": 0.5},
        {"id": "walls", "kind": "collision", "items": ["a", "b", "c"], "bounds": True},
        {"id": "bounce", "kind": "item", "items": ["a", "b", "c"], "elasticity": 0.8},
        {"id": "rope", "kind": "attachment", "item": "a", "to": "b", "type": "limit",
         "length": 150}]}


@pytest.fixture(scope="module")
def elsewhere():
    with Daemon() as daemon:
        yield daemon
        assert daemon.is_running, f"the daemon ended on its own\n{daemon.log()}"


def places(updates: Subscriber, topic: str, seconds: float) -> list[str]:
    """A component's views, frame by frame, as text."""
    return [
        json.dumps(update.body["views"]) for update in updates.during(seconds)
        if update.topic == topic]


def test_a_world_moves_on_in_another_daemon(
    daemon: Daemon, control: Control, elsewhere: Daemon, session: str
):
    """Both show the same frames. Under load either may skip some."""
    control.open(session, scene(dynamics(**BALLS), frame_rate=120, seed=7))
    updates = daemon.subscriber(f"state/{session}/")
    topic = f"state/{session}/world"
    updates.until(lambda update: update.topic == topic and update.seq > 20)
    document = control.export(session)
    other = elsewhere.requests()
    listener = elsewhere.subscriber(f"state/{session}/", f"session/{session}")
    assert other.ok("import", session=session, document=document)["created"] is True
    assert listener.find(f"session/{session}").body["event"] == "restored"
    assert other.state(session, "world")["phase"] == "moving"
    here, there = places(updates, topic, 1.5), places(listener, topic, 1.5)
    common = set(here) & set(there)
    assert len(common) > len(set(there)) / 3, (len(here), len(there), len(common))


def test_timers_go_on_with_what_was_left_of_them(
    daemon: Daemon, control: Control, elsewhere: Daemon, session: str
):
    """A thrown view returns 0.4 s after its release, also in another daemon."""
    control.open(session, "phone")
    control.gesture(session, "toss", "pan", "began", x=160, y=220)
    control.gesture(session, "toss", "pan", "ended", x=160, y=220, vx=3000, vy=-2000)
    document = control.export(session)
    other = elsewhere.requests()
    listener = elsewhere.subscriber(f"state/{session}/toss", f"transition/{session}/toss")
    other.ok("import", session=session, document=document)
    assert other.state(session, "toss")["phase"] in ("thrown", "returning")
    listener.find(f"transition/{session}/toss", name="toss", event="ended")
    listener.find(f"transition/{session}/toss", name="return", event="began")
    assert settle(listener, session, "toss")[-1].body["phase"] == "resting"


def test_a_drag_goes_on(daemon: Daemon, control: Control, elsewhere: Daemon, session: str):
    control.open(session, "phone")
    control.gesture(session, "toss", "pan", "began", x=160, y=220)
    control.gesture(session, "toss", "pan", "changed", x=200, y=240)
    other = elsewhere.requests()
    other.ok("import", session=session, document=control.export(session))
    assert other.state(session, "toss")["phase"] == "dragging"
    other.gesture(session, "toss", "pan", "changed", x=170, y=230)
    other.gesture(session, "toss", "pan", "ended", x=170, y=230, vx=0, vy=0)
    assert other.state(session, "toss")["phase"] == "returning"


def test_counts_go_on_and_versions_never_fall(
    daemon: Daemon, control: Control, elsewhere: Daemon, session: str
):
    other = elsewhere.requests()
    for _ in range(5):
        other.notify(session, "likes")
    before = other.snapshot(session)[f"badge/{session}"]["version"]
    other.ok("close", session=session)
    control.notify(session, "likes", add=2, id="n-1")
    other.ok("import", session=session, document=control.export(session))
    badge = other.snapshot(session)[f"badge/{session}"]
    assert badge["counts"] == {"likes": 2}
    other.notify(session, "likes")
    assert other.snapshot(session)[f"badge/{session}"]["version"] > before


def test_ids_count_once_where_they_were_applied(daemon: Daemon, control: Control, session: str):
    control.notify(session, "likes", id="n-1")
    document = control.export(session)
    control.ok("close", session=session)
    control.ok("import", session=session, document=document)
    assert control.notify(session, "likes", id="n-1")["duplicate"] is True


def test_an_open_session_is_not_replaced(daemon: Daemon, control: Control, session: str):
    control.notify(session, "likes")
    document = control.export(session)
    assert control.refused("import", session=session, document=document)["code"] == "busy"
    control.ok("import", session=f"{session}-b", document=document)
    control.ok("close", session=session)
    control.ok("import", session=session, document=document)


def test_an_imported_session_survives_a_restart(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, scene(dynamics(**BALLS), seed=7))
        control.notify(session, "likes")
        document = control.export(session)
        control.ok("close", session=session)
        control.ok("import", session=session, document=document)
        daemon.stop()
        daemon.process.stdout.close()
        daemon.errors.close()
        daemon.start()
        control = daemon.requests()
        assert control.badge(session)["counts"] == {"likes": 1}
        assert control.state(session, "world")["phase"] == "resting"


# Changes after which reactions and texts of a session name things that are not there any more.
LOSSES = {
    "anchor": ("panel", {"anchors": [{"name": "low", "at": "100%"}]}),
    "item": ("tabs", {"items": [{"id": "one"}]}),
    "menu": ("list", {"menu": []}),
    "rows": ("list", {"rows": []}),
    "brace": ("label", {"text": "a { b"}),
    "name": ("label", {"text": "{nobody}"}),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_a_session_moves_that_lost_what_its_reactions_name(
    control: Control, session: str, loss: str,
):
    def when(component: str, transition: str, component_to: str, command: str, **more) -> dict:
        return {"when": {"component": component, "transition": transition},
                "do": {"component": component_to, "command": command, **more}}

    control.open(session, scene(
        {"id": "button", "kind": "button"}, {"id": "label", "kind": "label", "text": "a"},
        {"id": "panel", "kind": "panel", "anchors": [
            {"name": "low", "at": "100%"}, {"name": "high", "at": "0%"}]},
        {"id": "tabs", "kind": "tabs", "items": [{"id": "one"}, {"id": "two"}]},
        {"id": "list", "kind": "list", "rows": [{"id": "x"}], "menu": [{"id": "act"}]},
        reactions=[
            when("button", "tap", "panel", "go", to="high"),
            when("button", "long-press", "tabs", "select", index=1),
            when("tabs", "select", "list", "action", action="act"),
            {"when": {"component": "list", "transition": "select", "item": "x"},
             "do": {"component": "label", "command": "hide"}}]))
    component, values = LOSSES[loss]
    control.publish(f"command/{session}", {
        "command": "set", "component": component, "values": values})
    document = control.export(session)
    control.ok("import", session=f"{session}-2", document=document)
    control.publish(f"command/{session}-2/button", {"command": "tap"})
    assert control.export(f"{session}-2")["scene"] == document["scene"]


def test_unknown_versions_are_refused_clearly(daemon: Daemon, control: Control, session: str):
    control.notify(session, "likes")
    document = control.export(session)
    for change in ({"gestured-session": 2}, {"gestured-session": "x"},
                   {"state": {**document["state"], "format": 99}}):
        error = control.refused("import", session="nobody", document={**document, **change})
        assert error["code"] == "bad-value" and "version" in error["message"], error
    assert control.refused("export", session="nobody")["code"] == "unknown-session"
    assert control.refused("import", session="nobody")["code"] == "missing-field"
    for wrong in (None, 1, [], {}, "x", {"gestured-session": 1}):
        assert control.refused("import", session="nobody", document=wrong)["code"] == "bad-value"


def spoiled(document: dict, chance: random.Random) -> dict:
    """A copy with one changed value in its state."""
    document = copy.deepcopy(document)
    place = document["state"]
    while True:
        keys = list(place.keys() if isinstance(place, dict) else range(len(place)))
        key = chance.choice(keys)
        if isinstance(place[key], (dict, list)) and place[key] and chance.random() < 0.9:
            place = place[key]
            continue
        place[key] = chance.choice(
            [None, -1, 0, 1, 2**53, -2**63, 1e300, 0.5, "", "inf", [], {}, True])
        return document


def test_no_document_ends_the_daemon(daemon: Daemon, control: Control, session: str):
    chance = random.Random(5)
    control.open(session, scene(dynamics(**BALLS), seed=7))
    document = control.export(session)
    for number in range(200):
        name = f"{session}-{number}"
        answer = control.ask("import", session=name, document=spoiled(document, chance))
        if answer["ok"]:
            control.ask("publish", topic=f"gesture/{name}/world", body={
                "gesture": "pan", "phase": "began", "x": 80, "y": 60})
            control.snapshot(name)
            control.ok("close", session=name)
        else:
            assert answer["error"]["code"] == "bad-value", answer
    assert daemon.is_running


def tool(daemon: Daemon, *words: str, text: str | None = None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(binary().with_name("gesturectl")), *words, "--control", daemon.control.split(",")[0]],
        capture_output=True, text=True, timeout=20, input=text)


def test_the_tool_carries_a_session_over(
    daemon: Daemon, control: Control, elsewhere: Daemon, session: str, tmp_path: pathlib.Path
):
    control.notify(session, "likes", add=3)
    exported = tool(daemon, "export", session)
    assert exported.returncode == 0, exported
    file = tmp_path / "session.json"
    file.write_text(exported.stdout)
    assert tool(elsewhere, "import", str(file)).returncode == 0
    again = tool(elsewhere, "import", str(file))
    assert again.returncode == 1 and "busy" in again.stderr, again
    named = tool(elsewhere, "import", "--as", f"{session}-b", "-", text=exported.stdout)
    assert named.returncode == 0 and f"{session}-b imported" in named.stdout, named
    other = elsewhere.requests()
    for name in (session, f"{session}-b"):
        assert other.snapshot(name)[f"badge/{name}"]["counts"] == {"likes": 3}


def test_an_imported_scene_in_another_unicode_form_stays_as_it_is(tmp_path: pathlib.Path):
    """Its text looks the same as that of the daemon's own scene of this name."""
    scenes = tmp_path / "scenes"
    scenes.mkdir()
    short, long = "\u00e9", "e\u0301"
    (scenes / "mine.toml").write_text(
        'viewport = [320, 568]\n[[components]]\nid = "r"\nkind = "reader"\n'
        f'pages = ["{short}"]\n', encoding="utf-8")
    with Daemon(f'scenes = "{scenes}"\nauto_open = ""\n') as daemon:
        control = daemon.requests()
        control.open("a", "mine")
        document = control.export("a")
        text = json.dumps(document, ensure_ascii=False)
        assert text.count(short) == 1
        for name, pages in (("same", short), ("other", long)):
            control.ok("import", session=name, document=json.loads(text.replace(short, pages)))
            found = control.snapshot(name)[f"scene/{name}"]["components"][0]
            assert found["parameters"]["pages"] == [pages], found
            exported = json.dumps(control.export(name), ensure_ascii=False)
            assert exported.count(pages) == 1 and len(exported.encode()) >= len(text) - 99
