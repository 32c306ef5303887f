"""Rules for all kinds: silence, order, and velocities from samples."""

from __future__ import annotations

import time

import pytest
from checks import near, settle, states, transitions
from client import Control, Daemon, Publisher, Subscriber
from scenes import scene, tabs, toss


@pytest.fixture
def updates(daemon: Daemon, control: Control, session: str) -> Subscriber:
    control.open(session, scene(toss(), tabs()))
    updates = daemon.subscriber(f"state/{session}/toss", f"transition/{session}/toss")
    updates.find(f"state/{session}/toss", phase="resting")
    return updates


def refused(control: Control, session: str, phase: str) -> str:
    return control.code(
        f"gesture/{session}/toss", {"gesture": "pan", "phase": phase, "x": 160, "y": 223})


def test_a_gesture_that_is_silent_for_three_seconds_is_cancelled(
    control: Control, session: str, updates: Subscriber
):
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    began = updates.find(f"state/{session}/toss", phase="dragging")
    back = updates.find(f"transition/{session}/toss", name="return", event="began")
    assert near(back.t - began.t, 3000, 50), f"cancelled after {back.t - began.t} ms"
    assert refused(control, session, "changed") == "out-of-order"


def test_each_sample_restarts_the_silence(control: Control, session: str, updates: Subscriber):
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    updates.during(1.2)
    for _ in range(3):
        control.gesture(session, "toss", "pan", "changed", x=160, y=223)
        assert transitions(updates.during(1.0)) == [], "cancelled without silence"
    control.gesture(session, "toss", "pan", "ended", x=160, y=223, vx=0, vy=0)


def test_a_new_began_cancels_the_old_one(control: Control, session: str, updates: Subscriber):
    control.gesture(session, "toss", "pan", "began", x=100, y=180)
    control.gesture(session, "toss", "pan", "began", x=200, y=260)
    held = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["phase"] == "dragging"
        and near(u.body["views"]["touch"]["x"], 200), "the second touch")[-1].body
    assert near(held["views"]["anchor"]["x"], 200), held
    control.gesture(session, "toss", "pan", "ended", x=200, y=260, vx=0, vy=0)
    assert refused(control, session, "ended") == "out-of-order", "two gestures were open"


def test_out_of_order_changes_nothing(control: Control, session: str, updates: Subscriber):
    for phase in ("changed", "ended", "cancelled"):
        assert refused(control, session, phase) == "out-of-order"
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    control.gesture(session, "toss", "pan", "ended", x=160, y=223, vx=0, vy=0)
    assert refused(control, session, "changed") == "out-of-order"


def test_a_pan_counts_outside_the_view_and_the_viewport(
    control: Control, session: str, updates: Subscriber
):
    control.gesture(session, "toss", "pan", "began", x=-50, y=900)
    assert updates.find(f"state/{session}/toss", phase="dragging")


def test_a_release_long_after_the_last_sample_has_no_velocity(
    control: Control, session: str, updates: Subscriber
):
    now = time.time() * 1000
    for number in range(20):
        control.gesture(
            session, "toss", "pan", "changed" if number else "began", x=20 * number, y=223,
            t=now + 8 * number)
    control.gesture(session, "toss", "pan", "ended", x=380, y=223, t=now + 8 * 19 + 101)
    names = transitions(settle(updates, session, "toss"))
    assert ("toss", "began") not in names, names


def test_a_t_that_is_seconds_off_counts_as_now(
    control: Control, session: str, updates: Subscriber
):
    """By its own times the finger is slow; by the times of receipt it is fast."""
    long_ago = time.time() * 1000 - 3_600_000
    control.gesture(session, "toss", "pan", "began", x=0, y=223, t=long_ago)
    for number in range(1, 21):
        # Samples less than 4 ms apart count as one.
        time.sleep(0.006)
        control.publish(f"gesture/{session}/toss", {
            "gesture": "pan", "phase": "changed" if number < 20 else "ended",
            "x": 4000 * number, "y": 223, "t": long_ago + 60_000 * number})
    names = transitions(settle(updates, session, "toss"))
    assert ("toss", "began") in names, names


def test_gestures_on_two_components_do_not_mix(
    control: Control, session: str, updates: Subscriber
):
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    control.gesture(session, "tabs", "tap", index=2)
    control.gesture(session, "toss", "pan", "changed", x=161, y=223)
    assert control.state(session, "toss")["phase"] == "dragging"


def test_samples_over_the_events_socket_arrive_in_order(
    daemon: Daemon, control: Control, publisher: Publisher, session: str, updates: Subscriber
):
    """The daemon may drop a `changed` for a later one, but not began, ended or the last place."""
    topic = f"gesture/{session}/toss"
    for turn in range(20):
        publisher.send(topic, {"gesture": "pan", "phase": "began", "x": 160, "y": 223})
        for number in range(50):
            publisher.send(
                topic, {"gesture": "pan", "phase": "changed", "x": 160 + number, "y": 223 + turn})
        last = {"gesture": "pan", "phase": "ended", "x": 209, "y": 223 + turn, "vx": 0, "vy": 0}
        publisher.send(topic, last)
    publisher.send(topic, {"gesture": "pan", "phase": "began", "x": 77, "y": 88})
    held = updates.until(
        lambda u: u.topic.startswith("state/") and "touch" in u.body["views"]
        and near(u.body["views"]["touch"]["x"], 77), "the last touch")
    assert states(held)
    rejected = daemon.subscriber(f"rejected/{session}").during(0.1)
    assert rejected == []
