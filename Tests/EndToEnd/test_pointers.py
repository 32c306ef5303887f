"""Each kind recognises its gestures in raw contacts."""

from __future__ import annotations

import time

import pytest
from checks import expect_view, near, settle, states, transitions
from client import Control, Daemon, Publisher, Update
from fingers import Finger, lit, opened
from scenes import profile, reader, rows, tabs, tips, toss


def expect_recognizers(got: list[Update], name: str) -> None:
    """States name this recognizer while it lasts, and no other. The last names none."""
    seen = [u.body["model"].get("recognizer", "absent") for u in states(got)]
    assert name in seen, f"no state names the {name}: {seen}"
    assert set(seen) <= {name, "absent"} and seen[-1] == "absent", seen


# Tips and toss: a pan along both axes.


def test_a_contact_pans_after_ten_points_on_one_axis(
    daemon: Daemon, control: Control, session: str
):
    updates = opened(daemon, control, session, toss())
    finger = Finger(control, session, "toss").down(160, 223)
    for x, y, phase in (
        (169, 223, "resting"), (169, 232, "resting"), (151, 214, "resting"),
        (169.9, 223, "resting"), (170, 223, "dragging"), (190, 232, "dragging"),
        (160, 223, "dragging")):
        shown = control.state(session, "toss") if finger.move(x, y) else {}
        assert shown["phase"] == phase, f"at {x}, {y}: {shown}"
        assert shown["model"].get("recognizer") == ("pan" if phase == "dragging" else None), shown
    finger.up("cancelled")
    got = settle(updates, session, "toss")
    expect_recognizers(got, "pan")
    assert ("toss", "began") not in transitions(got), got


def test_the_view_follows_the_contact_by_as_much(daemon: Daemon, control: Control, session: str):
    """After recognition the view moves as far as the contact."""
    opened(daemon, control, session, toss())
    finger = Finger(control, session, "toss").down(100, 200).move(112, 200)
    before = control.state(session, "toss")["views"]["anchor"]
    finger.move(143, 260, steps=10)
    after = control.state(session, "toss")["views"]["anchor"]
    assert near(after["x"] - before["x"], 31) and near(after["y"] - before["y"], 60), after
    assert abs(before["x"] - 112) <= 10 and near(before["y"], 200), before


# Points per sample of 8 ms, and whether their speed exceeds 1000 pt/s.
@pytest.mark.parametrize("distance, thrown", [(20, True), (10, True), (6, False), (1, False)])
@pytest.mark.parametrize("tracker", ["uikit", "least-squares"])
@pytest.mark.parametrize("gesture", ["pan", "pointer"])
def test_the_velocity_is_measured_by_t_not_by_arrival(
    daemon: Daemon, control: Control, session: str, gesture: str, tracker: str, distance: float,
    thrown: bool
):
    updates = opened(
        daemon, control, session, toss(return_delay=0.05, return_duration=0.05), velocity=tracker)
    now, count = time.time() * 1000, 40
    numbers = []
    for number in range(count):
        phase = "began" if number == 0 else "changed" if number < count - 1 else "ended"
        numbers.append(control.send("publish", topic=f"gesture/{session}/toss", body={
            "gesture": gesture, "phase": phase, "pointer": 1, "x": distance * number, "y": 223,
            "t": now + 8 * number}))
    assert all(control.reply(number)["ok"] for number in numbers)
    names = transitions(settle(updates, session, "toss"))
    assert (("toss", "began") in names) == thrown, f"{distance / 8 * 1000} pt/s: {names}"


@pytest.mark.parametrize("component", [tips(), toss()], ids=["tips", "toss"])
def test_a_second_finger_does_not_disturb_a_pan(
    daemon: Daemon, control: Control, session: str, component: dict
):
    name = component["id"]
    opened(daemon, control, session, component)
    first = Finger(control, session, name).down(160, 284).move(175, 284, steps=5)
    second = Finger(control, session, name, pointer=2).down(10, 10).move(300, 500, steps=9)
    second.up()
    Finger(control, session, name, pointer=3).down(300, 10).up("cancelled")
    assert control.state(session, name)["phase"] == "dragging"
    first.move(180, 284)
    if name == "toss":
        shown = control.state(session, name)
        assert abs(shown["views"]["anchor"]["x"] - 180) <= 10, shown
        assert near(shown["views"]["anchor"]["y"], 284), shown
    first.up()
    assert control.state(session, name)["phase"] != "dragging"


# List: a swipe across, a scroll along, a tap.


@pytest.mark.parametrize("direction, sign", [("left", -1), ("right", 1)])
def test_a_quick_move_across_is_a_swipe(
    daemon: Daemon, control: Control, session: str, direction: str, sign: int
):
    """The list recognises it during the movement, on the row of the landing."""
    updates = opened(daemon, control, session, rows())
    finger = Finger(control, session, "list").down(160, 150).move(160 + 90 * sign, 155, steps=9)
    opens = updates.until(lambda u: u.body.get("name") == "open", "the row to open")
    finger.move(160 + 120 * sign, 260, steps=8).up()
    got = opens + settle(updates, session, "list")
    assert transitions(got) == [("open", "began"), ("open", "ended")], got
    expect_recognizers(got, "swipe")
    model = got[-1].body["model"]
    assert (model["row"], model["direction"]) == (2, direction), model
    assert model["selected"] is None and model["offset"] == 0, "the rest had an effect"
    expect_view(got[-1].body, "row-2", x=160 + 320 * sign, y=175)


def test_a_move_along_is_a_scroll(daemon: Daemon, control: Control, session: str):
    updates = opened(daemon, control, session, rows())
    finger = Finger(control, session, "list").down(160, 400).move(165, 300, steps=20)
    shown = control.state(session, "list")
    assert near(shown["model"]["offset"], 90) and shown["model"]["recognizer"] == "scroll", shown
    finger.move(20, 300, steps=5)
    assert control.state(session, "list")["phase"] == "closed", "the scroll lost the contact"
    finger.up()
    got = updates.during(0.3)
    assert transitions(got) == [] and states(got)[-1].body["model"]["selected"] is None, got
    expect_recognizers(got, "scroll")


def test_a_scroll_begun_by_a_contact_closes_too(daemon: Daemon, control: Control, session: str):
    updates = opened(daemon, control, session, rows(duration=0.05))
    control.gesture(session, "list", "swipe", direction="left", row=2)
    settle(updates, session, "list")
    finger = Finger(control, session, "list").down(160, 400).move(160, 380, steps=5)
    got = settle(updates, session, "list")
    assert transitions(got) == [("close", "began"), ("close", "ended")], got
    finger.up()


@pytest.mark.parametrize("places", [[], [(165, 155)], [(190, 150)]], ids=str)
def test_a_contact_that_hardly_moves_is_a_tap(
    daemon: Daemon, control: Control, session: str, places: list
):
    """The list recognises it when the contact lifts, on the row of the landing."""
    updates = opened(daemon, control, session, rows())
    finger = Finger(control, session, "list").down(160, 150)
    for place in places:
        finger.move(*place)
    assert control.state(session, "list")["model"]["selected"] is None, "the tap came too soon"
    finger.up()
    shown = control.state(session, "list")
    assert shown["model"]["selected"] == 2 and shown["phase"] == "closed", shown
    assert "recognizer" not in shown["model"], shown
    assert transitions(updates.during(0.1)) == [("select", "began"), ("select", "ended")]


def test_a_cancelled_contact_is_no_tap(daemon: Daemon, control: Control, session: str):
    opened(daemon, control, session, rows())
    Finger(control, session, "list").down(160, 150).up("cancelled")
    assert control.state(session, "list")["model"]["selected"] is None


def test_a_swipe_the_other_way_is_no_swipe(daemon: Daemon, control: Control, session: str):
    """A swipe's samples never go backwards."""
    updates = opened(daemon, control, session, rows())
    finger = Finger(control, session, "list").down(160, 150)
    finger.move(180, 150, steps=2).move(170, 150).move(215, 150, steps=3).up()
    assert transitions(updates.during(0.1)) == []


# Tabs: a tap at the landing.


def test_a_contact_selects_at_touch_down_and_highlights(
    daemon: Daemon, control: Control, session: str
):
    updates = opened(daemon, control, session, tabs())
    finger = Finger(control, session, "tabs").down(200, 540)
    shown = control.state(session, "tabs")
    assert shown["model"]["selected"] == 2 and lit(shown) == ["share"], shown
    assert shown["model"]["recognizer"] == "tap", shown
    finger.up()
    assert lit(control.state(session, "tabs")) == []
    got = settle(updates, session, "tabs")
    assert transitions(got) == [("select", "began"), ("select", "ended")], got
    expect_recognizers(got, "tap")


@pytest.mark.parametrize("x, y", [(160, 523.9), (-0.1, 540), (320, 540), (160, 100)])
def test_a_contact_beside_the_bar_is_refused_once(
    daemon: Daemon, control: Control, publisher: Publisher, session: str, x: float, y: float
):
    updates = opened(daemon, control, session, tabs())
    finger = Finger(control, session, "tabs")
    for phase in ("began", "changed", "changed", "ended"):
        publisher.send(finger.topic, finger.body(phase, x, y))
    publisher.send(finger.topic, finger.body("began", 280, 540))
    got = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["model"]["selected"] == 3, "the tap")
    rejected = [u.body["code"] for u in got if u.topic.startswith("rejected/")]
    assert rejected == ["bad-value"], got


# Profile and reader: a vertical pan that scrolls.


@pytest.mark.parametrize("component, way", [(profile(), 90), (reader(start=1), 40)],
                         ids=["profile", "reader"])
def test_a_vertical_pan_scrolls(
    daemon: Daemon, control: Control, session: str, component: dict, way: float
):
    name = component["id"]
    updates = opened(daemon, control, session, component)
    finger = Finger(control, session, name).down(160, 300).move(160, 291)
    shown = control.state(session, name)
    assert shown["model"]["offset"] == 0 and "recognizer" not in shown["model"], shown
    finger.move(160, 290 - way, steps=30)
    shown = control.state(session, name)
    assert shown["model"]["recognizer"] == "scroll", shown
    if name == "profile":
        assert near(shown["model"]["offset"], way), shown
    else:
        assert shown["phase"] == "dragging" and 20 < shown["model"]["offset"] < way, shown
    second = Finger(control, session, name, pointer=2).down(20, 20).move(20, 400, steps=5)
    assert control.state(session, name)["model"]["offset"] == shown["model"]["offset"]
    second.up()
    finger.t += 150  # The finger rests, so its release flings nothing.
    finger.up()
    got = updates.during(0.1)
    assert not [u for u in got if u.topic.startswith("rejected/")], got
    updates.during(0.7)
    shown = control.state(session, name)
    assert near(shown["model"]["offset"], way if name == "profile" else 0), shown
    assert shown["phase"] != "returning" and "recognizer" not in shown["model"], shown


def test_a_sideways_move_scrolls_nothing(daemon: Daemon, control: Control, session: str):
    opened(daemon, control, session, profile())
    Finger(control, session, "profile").down(20, 300).move(300, 305, steps=20).up()
    assert control.state(session, "profile")["model"] == {"offset": 0}


def test_a_contact_pulls_the_next_article(daemon: Daemon, control: Control, session: str):
    """Beyond an edge the content lags: 55 points need 111 of the finger, after the first 10."""
    updates = opened(daemon, control, session, reader())
    finger = Finger(control, session, "reader").down(160, 400).move(160, 280, steps=20)
    assert control.state(session, "reader")["model"]["footer"] == "unloaded"
    finger.move(160, 270, steps=5)
    assert control.state(session, "reader")["model"]["footer"] == "loaded"
    finger.up()
    got = settle(updates, session, "reader")
    assert ("page", "ended") in transitions(got) and got[-1].body["model"]["index"] == 1, got[-1]
