"""A wheel scrolls what knows it, with and without phases, over the real daemon."""

from __future__ import annotations

import time

import pytest
from checks import near, rubber_band, settle, steps_between, transitions
from client import Control, Daemon, Subscriber
from scenes import profile, reader, rows, scene

HEIGHT = 568
ENDS = {"list": 20 * 70 - HEIGHT, "profile": 1200 - HEIGHT}


@pytest.fixture
def updates(daemon: Daemon, control: Control, session: str) -> Subscriber:
    control.open(session, scene(rows(), profile(), reader(start=4), frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/reader", phase="resting")
    return updates


def turn(control: Control, session: str, component: str, dy: float, phase=None, **fields) -> float:
    """The offset after an event."""
    control.gesture(session, component, "wheel", phase, dy=dy, **fields)
    return control.state(session, component)["model"]["offset"]


@pytest.mark.parametrize("component", ENDS)
def test_without_phases_the_content_follows_within_its_edges(
    control: Control, session: str, updates: Subscriber, component: str
):
    def turned(dy: float, **fields) -> float:
        return turn(control, session, component, dy, **fields)

    assert turned(120.5) == 120.5
    assert turned(-20, dx=7, x=10, y=20) == 100.5
    assert turned(-1000) == 0 and turned(-1) == 0
    assert turned(1_000_000) == ENDS[component] and turned(5) == ENDS[component]
    control.gesture(session, component, "wheel", dx=50)
    assert turned(-2) == ENDS[component] - 2
    time.sleep(0.2)  # The series is over.
    assert control.state(session, component)["model"]["offset"] == ENDS[component] - 2


@pytest.mark.parametrize("component", ENDS)
def test_with_phases_it_stretches_and_springs_back(
    control: Control, session: str, updates: Subscriber, component: str
):
    assert turn(control, session, component, 0, "began") == 0
    assert near(turn(control, session, component, -100, "changed"), -rubber_band(100, HEIGHT))
    updates.during(0.05)
    control.gesture(session, component, "wheel", "ended", dy=0)
    control.gesture(session, component, "wheel", "changed", dy=-9, momentum=True)
    topic = f"state/{session}/{component}"
    got = updates.until(
        lambda u: u.topic == topic and u.body["model"]["offset"] == 0, "the edge")
    shown = [u.body["model"]["offset"] for u in got if u.topic == topic]
    assert len(shown) > 20, shown
    assert all(a <= b for a, b in zip(shown, shown[1:])), f"momentum pulled again: {shown}"
    assert turn(control, session, component, 9, "changed", momentum=True) == 9
    code = control.code(f"gesture/{session}/{component}", {
        "gesture": "wheel", "phase": "changed", "dy": 3})
    assert code == "out-of-order"


def test_a_wheel_closes_the_open_row(control: Control, session: str, updates: Subscriber):
    control.gesture(session, "list", "swipe", direction="left", row=2)
    settle(updates, session, "list")
    assert control.state(session, "list")["phase"] == "open"
    control.gesture(session, "list", "wheel", dy=30)
    assert control.state(session, "list")["phase"] == "closing"


@pytest.mark.parametrize("way, index", [(70, 5), (-70, 3)])
def test_the_end_of_a_series_pages(
    control: Control, session: str, updates: Subscriber, way: float, index: int
):
    """Two turns load the neighbour; 150 ms after the second the page comes in."""
    for _ in range(2):
        control.gesture(session, "reader", "wheel", dy=way)
    got = settle(updates, session, "reader")
    bar = "footer" if way > 0 else "header"
    assert [name for name in transitions(got) if name[0] in ("page", f"{bar}-loaded")] == [
        (f"{bar}-loaded", "began"), ("page", "began"), (f"{bar}-loaded", "ended"),
        ("page", "ended")]
    loaded = next(u for u in got if u.body.get("name") == f"{bar}-loaded")
    paged = next(u for u in got if u.body.get("name") == "page")
    assert steps_between(loaded, paged) == 18, (loaded, paged)
    assert control.state(session, "reader")["model"]["index"] == index


def test_an_end_of_phases_pages(control: Control, session: str, updates: Subscriber):
    assert turn(control, session, "reader", 0, "began") == 0
    assert near(turn(control, session, "reader", 200, "changed"), rubber_band(200, HEIGHT))
    time.sleep(0.3)  # Longer than a pause that ends a series without phases.
    assert control.state(session, "reader")["phase"] == "dragging"
    control.gesture(session, "reader", "wheel", "ended", dy=0)
    assert control.state(session, "reader")["phase"] == "paging"
    topic = f"gesture/{session}/reader"
    assert control.code(topic, {"gesture": "wheel", "dy": 5}) == "busy"
    control.gesture(session, "reader", "wheel", "changed", dy=50, momentum=True)
    settle(updates, session, "reader")
    shown = control.state(session, "reader")
    assert (shown["model"]["index"], shown["model"]["offset"]) == (5, 0), shown


def test_a_finger_that_drags_refuses_wheels(
    control: Control, session: str, updates: Subscriber
):
    topic = f"gesture/{session}/list"
    for phase, y in (("began", 300), ("changed", 285), ("changed", 270)):
        control.gesture(session, "list", "pointer", phase, pointer=1, x=160, y=y)
    before = control.state(session, "list")["model"]["offset"]
    assert control.code(topic, {"gesture": "wheel", "dy": 5}) == "busy"
    assert control.code(topic, {"gesture": "wheel", "dy": 5, "phase": "began"}) == "busy"
    control.gesture(session, "list", "pointer", "changed", pointer=1, x=160, y=260)
    assert control.state(session, "list")["model"]["offset"] == before + 10
    control.gesture(session, "list", "pointer", "cancelled", pointer=1, x=160, y=260)
    assert turn(control, session, "list", 5) == before + 15


def test_a_series_goes_on_in_an_imported_session(
    control: Control, session: str, updates: Subscriber
):
    turn(control, session, "list", -100, "began")
    document = control.ok("export", session=session)["document"]
    control.ok("import", session=f"{session}-2", document=document)
    other = f"{session}-2"
    assert near(turn(control, other, "list", -50, "changed"), -rubber_band(150, HEIGHT))
    control.gesture(other, "list", "wheel", "cancelled", dy=0)
    control.ok("close", session=other)
