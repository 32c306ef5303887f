"""Refused raw contacts, contacts out of order, and lost contacts."""

from __future__ import annotations

import pytest
from checks import near, settle, states, transitions
from client import Control, Daemon, Publisher, Subscriber
from fingers import Finger, lit, opened
from scenes import profile, reader, rows, scene, still, tabs, tips, toss


@pytest.fixture
def resting(daemon: Daemon, control: Control, session: str) -> Subscriber:
    """A subscriber to a session of all kinds, with the tips dismissed."""
    control.open(session, still())
    return daemon.subscriber(f"rejected/{session}", f"badge/{session}", f"state/{session}/")


def expect_codes(
    control: Control, publisher: Publisher, session: str, updates: Subscriber, sent: list
) -> list[str]:
    for topic, body in sent:
        publisher.send(topic, body)
    publisher.send(f"notification/{session}", {"kind": "done"})
    got = updates.until(lambda u: u.topic.startswith("badge/") and u.body["total"] == 1, "the end")
    return [u.body["code"] for u in got if u.topic.startswith("rejected/")]


def test_the_rest_of_a_refused_contact_is_suppressed(
    control: Control, publisher: Publisher, session: str, resting: Subscriber
):
    """The daemon refuses each contact's pan when it recognises it, and reports it once."""
    finger = Finger(control, session, "tips")
    places = [("began", 160), ("changed", 165), ("changed", 175), ("changed", 190), ("ended", 190)]
    sent = [(finger.topic, finger.body(phase, x, 284)) for phase, x in places + places]
    codes = expect_codes(control, publisher, session, resting, sent)
    assert codes == ["busy", "busy"], codes


def test_a_contact_that_has_nothing_to_pop_is_refused_once(
    control: Control, publisher: Publisher, session: str, resting: Subscriber
):
    """The navigation shows its root: a pan from the left edge finds no screen below it."""
    finger = Finger(control, session, "navigation")
    places = [("began", 5), ("changed", 9), ("changed", 40), ("changed", 80), ("ended", 80)]
    sent = [(finger.topic, finger.body(phase, x, 284)) for phase, x in places + places]
    codes = expect_codes(control, publisher, session, resting, sent)
    assert codes == ["bad-value", "bad-value"], codes


TOUCHED = ["tips", "toss", "list", "profile", "reader", "tabs", "navigation"]


@pytest.mark.parametrize("component", TOUCHED)
def test_a_contact_that_has_not_landed_is_out_of_order(
    control: Control, session: str, resting: Subscriber, component: str
):
    finger = Finger(control, session, component)
    before = control.state(session, component)
    for phase in ("changed", "ended", "cancelled"):
        assert finger.code(phase, 160, 540) == "out-of-order"
    finger.down(160, 540).up()
    assert finger.code("changed", 160, 540) == "out-of-order", "it is still down"
    finger.down(160, 540)
    assert Finger(control, session, component, pointer=2).code("ended", 1, 1) == "out-of-order"
    finger.up("cancelled")
    after = control.state(session, component)
    if component not in ("list", "tabs"):  # The contact tapped these two.
        assert (after["phase"], after["model"]) == (before["phase"], before["model"]), after


@pytest.mark.parametrize("component", TOUCHED)
@pytest.mark.parametrize("body, missing", [
    ({"gesture": "longpress"}, None), ({"gesture": "pinch", "scale": 1.5}, "scale"),
    ({"gesture": "rotation", "angle": -0.5}, "angle")], ids=["longpress", "pinch", "rotation"])
def test_no_kind_takes_the_rest_of_the_vocabulary(
    control: Control, session: str, resting: Subscriber, component: str, body: dict,
    missing: str | None
):
    topic = f"gesture/{session}/{component}"
    for phase in ("began", "changed", "ended"):
        assert control.code(topic, body | {"phase": phase}) == "unknown-gesture"
    placed = body | {"phase": "began", "x": 10, "y": 20, "velocity": 3}
    assert control.code(topic, placed) == "unknown-gesture"
    assert control.code(topic, body) == "missing-field", "without a phase"
    assert control.code(topic, body | {"phase": "later"}) == "bad-value"
    if missing:
        bare = {key: value for key, value in body.items() if key != missing}
        assert control.code(topic, bare | {"phase": "began"}) == "missing-field"
        assert control.code(topic, body | {"phase": "began", missing: "much"}) == "bad-value"
    if missing == "scale":
        assert control.code(topic, body | {"phase": "began", "scale": 0}) == "bad-value"
        assert control.code(topic, body | {"phase": "began", "scale": -1}) == "bad-value"


def test_a_contact_that_lands_twice_was_lifted_in_between(
    daemon: Daemon, control: Control, session: str
):
    """A second `began` cancels the first contact, and the view is not thrown."""
    updates = opened(daemon, control, session, toss())
    finger = Finger(control, session, "toss").down(10, 223).move(310, 223, steps=15)
    finger.down(20, 20)
    got = settle(updates, session, "toss")
    assert transitions(got) == [("return", "began"), ("return", "ended")], got
    finger.move(40, 20)
    assert control.state(session, "toss")["phase"] == "dragging"
    finger.up("cancelled")


def test_contacts_and_gestures_end_after_three_seconds_of_silence(daemon: Daemon, control: Control):
    """Contacts and clients' gestures fall silent together, each in its own session."""
    starts = {
        "toss": (toss(), (160, 223, 300, 223)), "tips": (tips(), (160, 284, 40, 284)),
        "list": (rows(), (160, 400, 160, 300)), "profile": (profile(), (160, 300, 160, 500)),
        "reader": (reader(start=1), (160, 500, 160, 300)), "tabs": (tabs(), (200, 540, 200, 540))}
    updates = daemon.subscriber(*[f"state/silent-{name}/" for name in starts])
    for name, (component, _) in starts.items():
        control.open(f"silent-{name}", scene(component))
    settle(updates, "silent-tips", "tips")
    fingers = {}
    for name, (_, (x0, y0, x, y)) in starts.items():
        fingers[name] = Finger(control, f"silent-{name}", name).down(x0, y0).move(x, y, steps=4)
    scrolls = []
    for name in ("list", "reader"):
        control.open(f"mute-{name}", scene(starts[name][0]))
        topic = f"gesture/mute-{name}/{name}"
        body = {"gesture": "scroll", "offset": 40}
        control.publish(topic, body | {"phase": "began"})
        scrolls.append((topic, body | {"phase": "changed"}))
    held = {name: control.state(f"silent-{name}", name)["t"] for name in fingers}
    assert all(control.state(f"silent-{name}", name)["model"].get("recognizer")
               for name in fingers), "something was not recognised"
    got = updates.during(3.8)
    for name, finger in fingers.items():
        free = [u.t for u in states(got) if u.topic.endswith(f"/{name}")
                and u.t > held[name] + 1000 and "recognizer" not in u.body["model"]]
        assert free and near(free[0] - held[name], 3000, 150), f"{name}: {free[:1]} of {held[name]}"
        assert finger.code("changed", 1, 1) == "out-of-order", f"{name} is still down"
    for topic, body in scrolls:
        assert control.code(topic, body) == "out-of-order", f"{topic} is still open"
    assert control.state("silent-tips", "tips")["model"]["index"] == 1
    assert control.state("silent-reader", "reader")["model"]["index"] == 1, "a cancel paged"
    assert control.state("silent-toss", "toss")["phase"] in ("returning", "resting")
    assert lit(control.state("silent-tabs", "tabs")) == []
