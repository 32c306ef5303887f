"""The scene `kiosk`: an app in a file, by touches and notifications alone."""

from __future__ import annotations

import json
import tempfile

from client import Control, Daemon
from hands import body, phase, stroke, touch, values
from reliability import wait_for
from tool import ctl

# Middles of what a finger touches, in points: the second dish, the buttons, the first ready order.
DISH, PLUS, LESS, ORDER = (240, 120), (392, 620), (88, 620), (240, 722)
ENGLISH, GERMAN, READY = (390, 580), (450, 580), (80, 630)


def orders(control: Control, session: str) -> list[str]:
    return [row["content"]["text"] for row in
            body(control, session, f"rows/{session}/ready")["rows"]]


def open_kiosk(control: Control, session: str) -> None:
    """Opens it and flicks both cards aside."""
    control.open(session, "kiosk")
    for _ in range(2):
        wait_for(lambda: phase(control, session, "tour") == "resting", "a card is there")
        stroke(control, session, (240, 420), (20, 440))
        wait_for(lambda: phase(control, session, "tour") != "resting", "the card leaves")
    wait_for(lambda: phase(control, session, "tour") == "dismissed", "the last card has left")


def sheet_is(control: Control, session: str, place: str) -> None:
    wait_for(lambda: control.state(session, "sheet")["model"]["at"] == place, f"it is {place}")


def ready(control: Control, session: str, number: int) -> None:
    control.publish(f"notification/{session}", {"kind": "ready", "data": {"order": number}})


def test_a_dish_is_ordered_by_touch(daemon: Daemon, control: Control, session: str):
    open_kiosk(control, session)
    updates = daemon.subscriber(f"rejected/{session}")
    touch(control, session, DISH)
    sheet_is(control, session, "open")
    assert values(control, session) == {
        "dish": "salad", "count": 1, "price": 5.2, "language": "en"}
    assert control.state(session, "chosen")["model"]["text"] == "Green salad"
    for button, count in ((LESS, 1), (PLUS, 2), (PLUS, 3), (LESS, 2)):
        touch(control, session, button)
        assert values(control, session)["count"] == count
    assert control.state(session, "amount")["model"]["text"] == "2 × 5.20 €"
    touch(control, session, ORDER)
    sheet_is(control, session, "closed")
    assert control.badge(session)["counts"]["orders"] == 1
    # The menu of a row does the same.
    stroke(control, session, (420, 40), (120, 44))
    wait_for(lambda: phase(control, session, "dishes") == "open", "the row is open")
    touch(control, session, (90, 40))
    sheet_is(control, session, "open")
    assert control.state(session, "chosen")["model"]["text"] == "Tomato soup"
    assert not updates.during(0.2)


def test_orders_that_are_ready_are_taken_off(daemon: Daemon, control: Control, session: str):
    open_kiosk(control, session)
    updates = daemon.subscriber(f"rejected/{session}")
    for number in (17, 18, 19):
        ready(control, session, number)
    assert orders(control, session) == ["Order 19", "Order 18", "Order 17"]
    first = {"x": 240, "y": 30, "alpha": 1}
    wait_for(lambda: first.items() <= control.state(session, "ready")["views"]["row-0"].items(),
             "the rows rest")
    touch(control, session, READY)
    assert orders(control, session) == ["Order 18", "Order 17"]
    touch(control, session, GERMAN)
    assert orders(control, session) == ["Bestellung 18", "Bestellung 17"]
    assert not updates.during(0.2)


def test_it_speaks_two_languages(daemon: Daemon, control: Control, session: str):
    open_kiosk(control, session)
    scenes = daemon.subscriber(f"scene/{session}")

    def labels() -> set[str]:
        scene = body(control, session, f"scene/{session}")
        return {it["content"].get("label", "") for it in scene["components"]}

    assert "Dishes" in labels()
    touch(control, session, GERMAN)
    assert {"Gerichte", "Ihre Bestellung", "English", "Deutsch"} <= labels()
    rows = body(control, session, f"rows/{session}/dishes")["rows"]
    assert rows[1]["content"]["text"].startswith("Grüner Salat")
    scenes.until(lambda it: "Gerichte" in it.text, "the scene is told again")
    touch(control, session, ENGLISH)
    assert "Dishes" in labels()


def test_what_was_chosen_and_told_survives_a_kill():
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("bar", "kiosk")
        control.publish("command/bar/tour", {"command": "dismiss"})
        control.publish("command/bar/dishes", {"command": "select", "item": "cake"})
        control.publish("command/bar", {"command": "assign", "values": {"language": "de"}})
        ready(control, "bar", 17)
        control = daemon.restart()
        assert values(control, "bar") == {
            "dish": "cake", "count": 1, "price": 3.9, "language": "de"}
        assert orders(control, "bar") == ["Bestellung 17"]
        assert control.state("bar", "chosen")["model"]["text"] == "Apfelkuchen"


def test_a_session_whose_reaction_changed_its_scene_changes_and_closes(
        control: Control, session: str):
    """The shelf of scenes keeps the one that it was told of, not the one that a reaction made."""
    before = control.ok("stats")["stats"]["scene_bytes"]
    for _ in range(2):
        control.open(session, "kiosk")
        control.publish(f"command/{session}/dishes", {"command": "select", "item": "soup"})
        control.publish(f"command/{session}", {"command": "resize", "viewport": [500, 800]})
        control.publish(f"command/{session}/dishes", {"command": "select", "item": "cake"})
        control.ok("close", session=session)
    assert control.ok("stats")["stats"]["scene_bytes"] == before


def test_it_starts_over_a_minute_after_the_last_touch():
    tap = {"gesture": "tap", "x": 450, "y": 580}
    lines = [
        {"gesture-recording": 1, "scene": "kiosk"},
        {"t": 0, "topic": "command/bar", "body": {"command": "open", "scene": "kiosk"}},
        {"t": 3000, "topic": "command/bar/tour", "body": {"command": "dismiss"}},
        {"t": 9000, "topic": "gesture/bar", "body": tap},
        {"t": 40000, "topic": "notification/bar", "body": {"kind": "ready", "data": {"order": 1}}},
        {"t": 75000, "topic": "command/bar/tour", "body": {"command": "dismiss"}},
        {"t": 200000, "topic": "notification/bar", "body": {"kind": "end"}},
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
        file.flush()
        result = ctl("simulate", file.name)
    assert result.returncode == 0, result.stderr
    shown = [json.loads(line) for line in result.stdout.splitlines()]
    presented = [it["body"]["t"] for it in shown if it["topic"] == "transition/bar/tour"
                 and it["body"]["name"] == "present" and it["body"]["event"] == "began"]
    assert [round(t / 1000, 1) for t in presented] == [0, 69.0]
    languages = [it["body"]["values"]["language"] for it in shown
                 if it["topic"] == "variables/bar"]
    assert languages == ["en", "de", "en"]
