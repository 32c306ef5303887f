"""The daemon sends some updates at once and others once per frame."""

from __future__ import annotations

import itertools

import pytest
from checks import STEP, near, settle, states
from client import Control, Daemon, Subscriber, Update
from reliability import stats, wait_for
from scenes import KINDS, scene, still, tips, toss


def opened_at(updates: Subscriber, session: str) -> float:
    return updates.find(f"session/{session}", event="opened").t


def expect_frames(moving: list[Update], opened: float, rate: int) -> None:
    """Every state falls on a frame, nearly every one on the next frame."""
    frame = 1000 / rate
    for update in moving:
        number = round((update.t - opened) / frame)
        assert near(update.t - opened, number * frame, 0.01), f"not on a frame of {rate}: {update}"
    distances = [round((b.t - a.t) / frame) for a, b in zip(moving, moving[1:])]
    assert all(distance > 0 for distance in distances), f"time stands still: {distances}"
    # A machine that stalls may merge a batch into its last state.
    at_once = sum(distance == 1 for distance in distances)
    assert at_once >= 0.8 * len(distances), f"frames are missing at {rate}: {distances}"


@pytest.mark.parametrize("rate", [30, 60, 120])
def test_motion_goes_out_once_per_frame_of_the_scene(daemon: Daemon, control: Control, rate: int):
    session = f"frames{rate}"
    updates = daemon.subscriber(f"session/{session}", f"state/{session}/")
    control.open(session, scene(tips(), frame_rate=rate))
    opened = opened_at(updates, session)
    moving = [
        update for update in states(settle(updates, session, "tips"))
        if update.body["phase"] == "entering"]
    assert len(moving) > rate / 2, f"only {len(moving)} states of the swinging tip"
    expect_frames(moving, opened, rate)


@pytest.mark.parametrize("rate", [30, 60, 120])
def test_the_configured_rate_is_that_of_scenes_without_one(rate: int):
    with Daemon(f"frame_rate = {rate}\n") as daemon:
        control, updates = daemon.requests(), daemon.subscriber("session/", "state/")
        control.open("alice", scene(tips()))
        opened = opened_at(updates, "alice")
        moving = [
            update for update in states(settle(updates, "alice", "tips"))
            if update.body["phase"] == "entering"]
        expect_frames(moving, opened, rate)


def test_the_daemon_counts_frames_that_only_whole_sessions_are_watched_by():
    with Daemon() as daemon:
        control, updates = daemon.requests(), daemon.subscriber("frame/")
        control.open("alice", scene(tips()))
        updates.until(lambda update: any(
            state["phase"] == "resting" for state in update.body["states"]), "rest")
        assert stats(control)["frames"] > 20
        assert stats(control)["states"] == 0


def test_a_session_at_rest_publishes_nothing(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"state/{session}/", f"badge/{session}", f"transition/{session}/")
    control.open(session, still())
    for name in KINDS:
        updates.until(lambda u, name=name: u.topic == f"state/{session}/{name}", name)
    updates.during(0.15)  # The answer to the second subscription.
    assert updates.during(0.5) == []


def test_a_component_publishes_nothing_after_it_came_to_rest(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, still())
    updates = daemon.subscriber(f"state/{session}/toss")
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    control.gesture(session, "toss", "pan", "ended", x=160, y=223, vx=1500, vy=0)
    updates.find(f"state/{session}/toss", phase="thrown")
    settle(updates, session, "toss")
    assert updates.during(0.4) == []


def test_changes_by_an_event_are_published_between_frames(
    daemon: Daemon, control: Control, session: str
):
    """At 30 frames a second some of many events do not wait for a frame."""
    updates = daemon.subscriber(f"session/{session}", f"state/{session}/profile")
    control.open(session, still(frame_rate=30))
    opened = opened_at(updates, session)
    numbers = itertools.count(1)

    def is_between() -> bool:
        number = next(numbers)
        control.gesture(session, "profile", "scroll", "changed", offset=number)
        shown = updates.until(
            lambda u: u.topic.startswith("state/") and u.body["model"]["offset"] == number,
            f"offset {number}")[-1]
        return round((shown.t - opened) / STEP) % 4 != 0
    wait_for(is_between, "a change does not wait for a frame")


def test_only_the_components_that_move_are_published(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, still())
    updates = daemon.subscriber(f"state/{session}/")
    updates.during(0.15)
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    control.gesture(session, "toss", "pan", "ended", x=160, y=223, vx=2000, vy=0)
    updates.find(f"state/{session}/toss", phase="thrown")
    got = settle(updates, session, "toss")
    assert {update.topic for update in got} == {f"state/{session}/toss"}


def test_a_session_opens_on_the_grid_of_the_daemon(daemon: Daemon, control: Control):
    """All sessions share one grid of 1/120 s, so their times differ by whole steps."""
    updates = daemon.subscriber("session/")
    times = []
    for number in range(20):
        control.open(f"grid{number}", scene(toss()))
        times.append(updates.find(f"session/grid{number}", event="opened").t)
    for time in times:
        steps = (time - times[0]) / STEP
        assert near(steps, round(steps), 0.01), f"{time} is {steps} steps after {times[0]}"
