"""Tossing a view: above a threshold speed it flies off, below it returns."""

from __future__ import annotations

import cmath

import pytest
from checks import expect_span, expect_view, near, settle, states, transitions, turned
from client import Control, Daemon, Subscriber, Update
from scenes import scene, toss

REST = {"x": 160, "y": 223, "w": 254, "h": 172, "rotation": 0, "scale": 1, "alpha": 1, "z": 0}


@pytest.fixture
def updates(daemon: Daemon, control: Control, session: str) -> Subscriber:
    control.open(session, scene(toss(), frame_rate=120, seed=7))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/toss", phase="resting")
    return updates


def throw(control: Control, session: str, vx: float, vy: float = 0.0) -> None:
    """Touches the middle and releases it at once, so the flight starts there."""
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    control.gesture(session, "toss", "pan", "ended", x=160, y=223, vx=vx, vy=vy)


def lever(steps: int) -> float:
    """The distance for each unit of speed, after some steps with resistance 0.1."""
    velocity, travel = 1.0, 0.0
    for _ in range(steps):
        velocity /= 1 + 0.1 / 120
        travel += velocity / 120
    return travel


def speed(release: float) -> float:
    """The velocity of a throw: a push of release/35 on the mass of 254×172 pt."""
    return release / 35 * 100 / (254 * 172 / 1e4)


def test_at_rest(control: Control, session: str, updates: Subscriber):
    state = control.state(session, "toss")
    assert state["phase"] == "resting" and state["model"] == {"frame": [33, 137, 254, 172]}
    assert set(state["views"]) == {"item"}
    expect_view(state, "item", **REST)


def test_a_finger_shows_the_touch_and_the_anchor(
    control: Control, session: str, updates: Subscriber
):
    control.gesture(session, "toss", "pan", "began", x=100, y=180)
    began = updates.find(f"state/{session}/toss", phase="dragging").body
    assert set(began["views"]) == {"item", "touch", "anchor"}
    for name, z in (("touch", 1), ("anchor", 2)):
        expect_view(began, name, x=100, y=180, w=8, h=8, alpha=1, scale=1, z=z)
    control.gesture(session, "toss", "pan", "changed", x=120, y=260)
    moved = updates.until(
        lambda u: u.topic.startswith("state/") and near(u.body["views"]["anchor"]["x"], 120),
        "the anchor to follow")[-1].body
    expect_view(moved, "anchor", x=120, y=260)
    expect_view(moved, "touch", x=100, y=180)


@pytest.mark.parametrize("markers, resting, dragging", [
    ("dragging", False, True), ("always", True, True), ("never", False, False)])
def test_the_marks_are_shown_as_the_scene_says(
    control: Control, session: str, markers: str, resting: bool, dragging: bool
):
    control.open(session, scene(toss(markers=markers)))
    for shown in (resting, dragging):
        views = control.state(session, "toss")["views"]
        assert ("touch" in views, "anchor" in views) == (shown, shown), views
        control.gesture(session, "toss", "pan", "began", x=100, y=180)


def test_the_view_hangs_and_turns_on_the_finger(
    control: Control, session: str, updates: Subscriber
):
    """The touched point of the view stays under the finger."""
    control.gesture(session, "toss", "pan", "began", x=60, y=160)
    for step in range(1, 31):
        control.gesture(session, "toss", "pan", "changed", x=60 + 3 * step, y=160 + 2 * step)
    hanging = updates.until(
        lambda u: u.topic.startswith("state/") and near(u.body["views"]["anchor"]["x"], 150),
        "the finger to arrive")[-1]
    still = [hanging] + states(updates.during(0.5))
    item = still[-1].body["views"]["item"]
    offset, turn = complex(60 - 160, 160 - 223), cmath.exp(1j * item["rotation"])
    touched = complex(item["x"], item["y"]) + offset * turn
    assert abs(touched - complex(150, 220)) < 1.0, f"the view slipped to {touched}: {still[-1]}"
    assert abs(item["rotation"]) > 0.01, f"it did not turn: {item}"


def test_a_slow_release_returns_at_once(control: Control, session: str, updates: Subscriber):
    throw(control, session, 1000)
    got = settle(updates, session, "toss")
    assert transitions(got) == [("return", "began"), ("return", "ended")], got
    phases = [u.body["phase"] for u in states(got)]
    assert "thrown" not in phases and phases[-1] == "resting", phases


@pytest.mark.parametrize("vx, vy", [(1001, 0), (-1001, 0), (0, 1001), (0, -1001), (708, 708)])
def test_a_fast_release_is_thrown_then_returns(
    control: Control, session: str, updates: Subscriber, vx: float, vy: float
):
    throw(control, session, vx, vy)
    got = settle(updates, session, "toss")
    assert transitions(got) == [
        ("toss", "began"), ("toss", "ended"), ("return", "began"), ("return", "ended")], got
    thrown, landed, leaving, back = [u for u in got if u.topic.startswith("transition/")]
    assert thrown.body["duration"] == 0.4 and leaving.body["duration"] == 0.45, got
    expect_span(thrown, landed, 0.4)
    expect_span(leaving, back, 0.45)
    assert landed.t == leaving.t
    phases = list(dict.fromkeys(u.body["phase"] for u in states(got)))
    assert phases in (["dragging", "thrown", "returning", "resting"],
                      ["thrown", "returning", "resting"]), phases
    expect_view(got[-1].body, "item", **REST)
    assert set(got[-1].body["views"]) == {"item"}


@pytest.mark.parametrize("vx, vy", [(1000, 0), (0, -1000), (707, 707), (0, 0)])
def test_the_threshold_itself_is_not_above_it(
    control: Control, session: str, updates: Subscriber, vx: float, vy: float
):
    throw(control, session, vx, vy)
    phases = {u.body["phase"] for u in states(settle(updates, session, "toss"))}
    assert "thrown" not in phases, phases


def flight(updates: Subscriber, session: str) -> list[Update]:
    return [u for u in states(settle(updates, session, "toss")) if u.body["phase"] == "thrown"]


def test_the_flight_is_that_of_a_push_with_resistance(
    control: Control, session: str, updates: Subscriber
):
    """From 160 at 1500 pt/s: at 168.168 after one step, 544.492 after 48, as in Box2D."""
    assert near(160 + speed(1500) * lever(1), 168.168)
    assert near(160 + speed(1500) * lever(48), 544.492)
    throw(control, session, 1500)
    flown = flight(updates, session)
    assert len(flown) > 24, f"only {len(flown)} states of 48 steps"
    places = [160 + speed(1500) * lever(steps) for steps in range(50)]
    turns = []
    for update in flown:
        item = update.body["views"]["item"]
        steps = min(range(50), key=lambda k, x=item["x"]: abs(places[k] - x))
        assert near(item["x"], places[steps], 0.02), f"not on the way of a push: {update}"
        assert near(item["y"], 223, 0.02), f"left its line: {update}"
        if steps:
            turns.append((steps, item["rotation"]))
    fitting = [
        spin for spin in range(-10, 10)
        if all(turned(rotation, spin * lever(steps), 2e-5) for steps, rotation in turns)]
    assert len(fitting) == 1, f"not a whole spin from −10 to 9: {turns[:5]}"


def test_the_same_seed_throws_the_same_way(daemon: Daemon, control: Control, session: str):
    ways = []
    for seed in (7, 7, 8, 9, 10):
        name = f"{session}-{len(ways)}"
        control.open(name, scene(toss(), frame_rate=120, seed=seed))
        updates = daemon.subscriber(f"state/{name}/")
        throw(control, name, 1500)
        ways.append({
            u.body["views"]["item"]["x"]: u.body["views"]["item"]["rotation"]
            for u in flight(updates, name)})

    def same(a: dict, b: dict) -> bool:
        common = [x for x in a.keys() & b.keys() if x > 160]
        assert common, "no common place on the way"
        return all(a[x] == b[x] for x in common)

    assert same(ways[0], ways[1]), "one seed, two spins"
    assert not all(same(ways[0], way) for way in ways[2:]), "every seed spins the same way"


def test_cancelled_never_throws(control: Control, session: str, updates: Subscriber):
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    control.gesture(session, "toss", "pan", "cancelled", x=160, y=223, vx=5000, vy=0)
    got = settle(updates, session, "toss")
    assert transitions(got) == [("return", "began"), ("return", "ended")], got


def test_a_return_runs_from_what_is_shown_to_its_frame(
    control: Control, session: str, updates: Subscriber
):
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    for step in range(1, 20):
        control.gesture(session, "toss", "pan", "changed", x=160 + 4 * step, y=223 - 3 * step)
    # The view follows with each step, not with each event. Waits until it has followed.
    updates.until(
        lambda u: u.topic.startswith("state/") and u.body["views"]["item"]["x"] > 220)
    control.gesture(session, "toss", "pan", "ended", x=236, y=166, vx=0, vy=0)
    moving = [u for u in states(settle(updates, session, "toss")) if u.body["phase"] == "returning"]
    xs = [u.body["views"]["item"]["x"] for u in moving]
    assert len(xs) > 20 and all(a >= b - 0.0011 for a, b in zip(xs, xs[1:])), xs
    assert xs[0] > xs[-1] >= 160, xs


def test_a_new_finger_catches_what_flies(control: Control, session: str, updates: Subscriber):
    throw(control, session, 2000)
    updates.find(f"state/{session}/toss", phase="thrown")
    control.gesture(session, "toss", "pan", "began", x=200, y=223)
    got = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["phase"] == "dragging"
        and "anchor" in u.body["views"] and near(u.body["views"]["anchor"]["x"], 200),
        "the view to be caught")
    cancelled = [u for u in got if u.body.get("event") == "cancelled"]
    assert [u.body["name"] for u in cancelled] == ["toss"], got
    # The finger holds it: no pending return pulls it away.
    control.gesture(session, "toss", "pan", "changed", x=201, y=223)
    later = updates.during(0.7)
    assert all(u.body["phase"] == "dragging" for u in states(later)), later
    assert not [u for u in later if u.topic.startswith("transition/")], later


def test_a_new_finger_catches_what_returns(control: Control, session: str, updates: Subscriber):
    throw(control, session, 10)
    updates.find(f"state/{session}/toss", phase="returning")
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    cancelled = updates.find(f"transition/{session}/toss", event="cancelled")
    assert cancelled.body["name"] == "return", cancelled


def test_reset_returns_from_every_phase(control: Control, session: str, updates: Subscriber):
    control.command(session, "toss", "reset")
    assert control.state(session, "toss")["phase"] in ("resting", "returning")
    control.gesture(session, "toss", "pan", "began", x=100, y=180)
    control.gesture(session, "toss", "pan", "changed", x=150, y=280)
    control.command(session, "toss", "reset")
    code = control.code(
        f"gesture/{session}/toss", {"gesture": "pan", "phase": "changed", "x": 1, "y": 1})
    assert code == "out-of-order", "the reset left the gesture open"
    throw(control, session, 3000)
    updates.find(f"state/{session}/toss", phase="thrown")
    control.command(session, "toss", "reset")
    updates.find(f"transition/{session}/toss", name="toss", event="cancelled")
    expect_view(settle(updates, session, "toss")[-1].body, "item", **REST)


def test_the_parameters_are_the_scenes(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss(
        frame=[10, 20, 100, 50], throwing_threshold=200, velocity_padding=70, return_delay=0.1,
        return_duration=0.2)))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    control.gesture(session, "toss", "pan", "began", x=60, y=45)
    control.gesture(session, "toss", "pan", "ended", x=60, y=45, vx=201, vy=0)
    got = settle(updates, session, "toss")
    durations = [u.body["duration"] for u in got if u.topic.startswith("transition/")]
    assert durations == [0.1, 0.1, 0.2, 0.2], got
    expect_view(got[-1].body, "item", x=60, y=45, w=100, h=50)


def test_a_still_finger_publishes_nothing(control: Control, session: str, updates: Subscriber):
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    updates.find(f"state/{session}/toss", phase="dragging")
    control.gesture(session, "toss", "pan", "changed", x=160, y=223)
    told = [u for u in updates.during(0.5) if u.topic.startswith("state/")]
    assert told == [], f"{len(told)} states of a view that stands still"
