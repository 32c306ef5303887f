"""The scene `kiosk`: tips, dishes and a list that grows, by touches and notifications alone."""

from __future__ import annotations

import json
import tempfile
import time

from client import Control, Daemon
from reliability import wait_for
from tool import ctl

DISH = 120


def stroke(control: Control, session: str, *points: tuple[float, float], steps: int = 12) -> None:
    """A finger along straight legs, in samples 8 ms apart, on the session's own topic."""
    t, bodies = time.time() * 1000, []
    places = [points[0]]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        places += [(x0 + (x1 - x0) * n / steps, y0 + (y1 - y0) * n / steps)
                   for n in range(1, steps + 1)]
    places.append(places[-1])
    for number, (x, y) in enumerate(places):
        phase = "began" if number == 0 else "ended" if number == len(places) - 1 else "changed"
        bodies.append({"gesture": "pointer", "phase": phase, "pointer": 1, "x": x, "y": y,
                       "t": t + 8 * number})
    numbers = [control.send("publish", topic=f"gesture/{session}", body=it) for it in bodies]
    answers = [control.reply(number) for number in numbers]
    assert all(answer["ok"] and answer["hit"] for answer in answers), answers


def phase(control: Control, session: str, component: str) -> str:
    return control.state(session, component)["phase"]


def open_kiosk(control: Control, session: str) -> None:
    """Opens it and flicks both cards aside."""
    control.open(session, "kiosk")
    for _ in range(2):
        wait_for(lambda: phase(control, session, "tour") == "resting", "a card is there")
        stroke(control, session, (240, 420), (20, 440))
        wait_for(lambda: phase(control, session, "tour") != "resting", "the card leaves")
    wait_for(lambda: phase(control, session, "tour") == "dismissed", "the last card has left")


def test_a_dish_is_ordered_by_touch(daemon: Daemon, control: Control, session: str):
    open_kiosk(control, session)
    updates = daemon.subscriber(f"transition/{session}/dishes", f"rejected/{session}")
    stroke(control, session, (420, DISH), (120, DISH + 4))
    updates.find(f"transition/{session}/dishes", name="open", event="ended")
    stroke(control, session, (90, DISH), (90, DISH))
    chosen = updates.find(f"transition/{session}/dishes", name="action", event="began").body
    assert (chosen["row"], chosen["action"]) == (1, "order")


def test_a_session_whose_reaction_changed_its_scene_changes_and_closes(
        control: Control, session: str):
    """The shelf of scenes keeps the one that it was told of, not the one that a reaction made."""
    for _ in range(2):
        control.open(session, "kiosk")
        control.notify(session, "ready", add=3)
        control.publish(f"command/{session}", {"command": "resize", "viewport": [500, 800]})
        control.notify(session, "ready")
        control.ok("close", session=session)
    assert control.ok("stats")["stats"]["scene_bytes"] == 0


def test_the_list_grows_with_each_order_and_starts_over(
        daemon: Daemon, control: Control, session: str):
    open_kiosk(control, session)
    for count in (1, 2, 3):
        control.notify(session, "ready")
        views = control.state(session, "ready")["views"]
        assert {name for name in views if name.startswith("row-")} == {
            f"row-{row}" for row in range(count)}
    updates = daemon.subscriber(f"transition/{session}/ready", f"rejected/{session}")
    stroke(control, session, (80, 590), (380, 594))
    updates.find(f"transition/{session}/ready", name="open", event="ended")
    stroke(control, session, (200, 590), (200, 590))
    assert updates.find(f"transition/{session}/ready", name="action").body["action"] == "collected"
    assert control.badge(session)["counts"]["ready"] == 0

    def rows() -> list[str]:
        return [it for it in control.state(session, "ready")["views"] if it.startswith("row-")]

    wait_for(lambda: rows() == [], "the list is empty")
    control.notify(session, "ready")
    assert rows() == ["row-0"]
    assert not [it for it in updates.during(0.2) if it.topic.startswith("rejected/")]


def test_the_cards_come_back_a_minute_after_the_last_choice():
    swipe = {"gesture": "swipe", "direction": "left", "row": 2}
    lines = [
        {"gesture-recording": 1, "scene": "kiosk"},
        {"t": 0, "topic": "command/bar", "body": {"command": "open", "scene": "kiosk"}},
        {"t": 3000, "topic": "command/bar/tour", "body": {"command": "dismiss"}},
        {"t": 9000, "topic": "gesture/bar/dishes", "body": swipe},
        {"t": 10000, "topic": "command/bar/dishes", "body": {"command": "action",
                                                           "action": "more"}},
        {"t": 75000, "topic": "notification/bar", "body": {"kind": "ready"}},
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
        file.flush()
        result = ctl("simulate", file.name)
    assert result.returncode == 0, result.stderr
    shown = [json.loads(line) for line in result.stdout.splitlines()]
    presented = [it["body"]["t"] for it in shown if it["topic"] == "transition/bar/tour"
                 and it["body"]["name"] == "present" and it["body"]["event"] == "began"]
    assert [round(t / 1000, 1) for t in presented] == [0, 70.0]
