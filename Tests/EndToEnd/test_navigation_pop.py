"""A pan from the left edge draws a screen off the one below, by whatever way the finger is sent."""

from __future__ import annotations

import pytest
from checks import expect_view, near, settle, states
from client import Control, Daemon, Subscriber
from fingers import Finger
from scenes import navigation, rows, scene

SCENE = scene(
    navigation(), rows(id="under", **{"in": "navigation/dashboard"}),
    rows(**{"in": "navigation/posts"}), frame_rate=120)


@pytest.fixture
def updates(daemon: Daemon, control: Control, session: str) -> Subscriber:
    """The posts are above the dashboard, and each holds a list."""
    control.open(session, SCENE)
    updates = daemon.subscriber(f"state/{session}/navigation", f"transition/{session}/navigation")
    updates.find(f"state/{session}/navigation", phase="resting")
    control.command(session, "navigation", "present", screen="posts", transition="in-from-right")
    settle(updates, session, "navigation")
    return updates


class SessionFinger(Finger):
    """A contact on the session's own topic: the daemon finds out who is meant."""

    def __init__(self, control: Control, session: str, component: str = "", pointer: int = 1):
        super().__init__(control, session, component, pointer)
        self.topic = f"gesture/{session}"


def way(control: Control, session: str) -> float:
    """How far the posts are drawn off their place."""
    state = control.state(session, "navigation")
    expect_view(state, "dashboard", 0, z=0, x=160, y=284)
    assert state["views"]["posts"]["z"] == 1, state
    return state["views"]["posts"]["x"] - 160


def ends(updates: Subscriber, session: str) -> tuple[str, list[str]]:
    """The event that ended the pop, and the stack then."""
    got = settle(updates, session, "navigation")
    told = [u.body for u in got if u.topic.startswith("transition/")]
    assert {(t["name"], t["from"], t["to"]) for t in told} == {
        ("pop", "posts", "dashboard")}, told
    assert told[0]["event"] == "began", told
    assert len(told) == 2, told
    return told[1]["event"], states(got)[-1].body["model"]["stack"]


@pytest.mark.parametrize("finger", [Finger, SessionFinger])
def test_the_screen_follows_the_finger_and_goes(
    control: Control, session: str, updates: Subscriber, finger: type[Finger]
):
    hand = finger(control, session, "navigation").down(5, 300)
    for x in (65, 165, 115, 265):
        hand.move(x, 310, steps=10)
        # The recognizer takes its slop of 10 points off.
        assert near(way(control, session), x - 15)
        state = control.state(session, "navigation")
        assert state["phase"] == "transitioning", state
        assert state["model"]["recognizer"] == "pan", state
        assert state["model"]["stack"] == ["dashboard", "posts"], state
    assert control.state(session, "list")["phase"] == "closed"
    hand.up()
    assert ends(updates, session) == ("ended", ["dashboard"])


@pytest.mark.parametrize("finger", [Finger, SessionFinger])
def test_before_the_half_it_comes_back(
    control: Control, session: str, updates: Subscriber, finger: type[Finger]
):
    hand = finger(control, session, "navigation").down(19, 300).move(150, 300, steps=30)
    # So many samples in one place have no velocity.
    hand.move(150, 300, steps=30)
    hand.up()
    assert ends(updates, session) == ("cancelled", ["dashboard", "posts"])


def test_a_flick_is_enough(control: Control, session: str, updates: Subscriber):
    """70 points in 8 samples of 8 ms: more than 1,000 points a second."""
    SessionFinger(control, session).down(5, 300).move(75, 300, steps=8).up()
    assert ends(updates, session) == ("ended", ["dashboard"])


def test_a_lost_contact_lets_it_come_back(control: Control, session: str, updates: Subscriber):
    SessionFinger(control, session).down(5, 300).move(300, 300, steps=20).up("cancelled")
    assert ends(updates, session) == ("cancelled", ["dashboard", "posts"])


@pytest.mark.parametrize("x", [20, 160])
def test_elsewhere_the_list_has_the_finger(
    control: Control, session: str, updates: Subscriber, x: float
):
    hand = SessionFinger(control, session).down(x, 300).move(x + 90, 300, steps=6)
    hand.up()
    assert control.state(session, "list")["phase"] in ("opening", "open")
    assert control.state(session, "navigation")["phase"] == "resting"


def test_up_and_down_the_edge_scrolls(control: Control, session: str, updates: Subscriber):
    hand = SessionFinger(control, session).down(5, 400).move(8, 300, steps=10)
    assert control.state(session, "list")["model"]["recognizer"] == "scroll"
    assert control.state(session, "navigation")["phase"] == "resting"
    hand.up()


def test_a_recognised_pan_pops_and_catches(control: Control, session: str, updates: Subscriber):
    """By `pan` on the component's topic, caught in flight and thrown back."""
    topic = f"gesture/{session}/navigation"

    def pan(phase: str, x: float, **fields: float) -> None:
        body = {"gesture": "pan", "phase": phase, "x": x, "y": 99, **fields}
        control.publish(topic, body)

    pan("began", 10)
    pan("changed", 210)
    assert near(way(control, session), 200)
    pan("ended", 210, vx=0, vy=0)
    pan("began", 300)
    caught = way(control, session)
    assert 200 <= caught < 320, caught
    pan("changed", 200)
    assert near(way(control, session), caught - 100)
    pan("ended", 200, vx=-2000, vy=0)
    assert ends(updates, session) == ("cancelled", ["dashboard", "posts"])


def test_a_pan_beside_the_edge_is_refused(control: Control, session: str, updates: Subscriber):
    body = {"gesture": "pan", "phase": "began", "x": 20, "y": 99}
    assert control.code(f"gesture/{session}/navigation", body) == "bad-value"
    assert control.state(session, "navigation")["phase"] == "resting"
