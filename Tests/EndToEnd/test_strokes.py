"""Strokes of real hands as pans. The view shows every frame and returns to rest."""

from __future__ import annotations

import concurrent.futures
import functools
import pathlib
import time
from collections.abc import Callable

import pytest
from checks import near, settle, states
from client import Daemon, Publisher, Update
from recordings import STROKES, missing, stroke
from scenes import scene, tips, toss

FILES = [file for file in STROKES if file.name[0] in "acpsv" and file.stem.endswith("01")][::2]


def play(publisher: Publisher, topic: str, points, pause) -> None:
    """Publishes a stroke at its own pace."""
    began, now = time.monotonic(), time.time() * 1000
    for number, (x, y, seconds) in enumerate(points):
        pause(max(0.0, seconds - (time.monotonic() - began)))
        phase = "began" if number == 0 else "ended" if number == len(points) - 1 else "changed"
        publisher.send(topic, {
            "gesture": "pan", "phase": phase, "x": x, "y": y, "t": now + seconds * 1000})


def heard(daemon: Daemon, file: pathlib.Path, component: str) -> tuple[float, list[Update]]:
    """When a session opened, and all that came of it until the stroke's view rested."""
    session = f"{component}-{file.parent.name}-{file.stem}"
    updates = daemon.subscriber(f"session/{session}", f"state/{session}/", "rejected/")
    daemon.requests().open(session, scene(tips() if component == "tips" else toss(), frame_rate=60))
    opened = updates.find(f"session/{session}", event="opened").t
    if component == "tips":
        settle(updates, session, component)
    got = []
    play(daemon.publisher(), f"gesture/{session}/{component}", stroke(file),
         lambda seconds: got.extend(updates.during(seconds)))
    return opened, got + settle_rest(updates, f"state/{session}/{component}", got)


@pytest.fixture(scope="module")
def strokes(daemon: Daemon) -> Callable[[str], dict[pathlib.Path, concurrent.futures.Future]]:
    """Plays all strokes on a component at once, each in its own session: hands mostly wait."""
    @functools.cache
    def played(component: str) -> dict[pathlib.Path, concurrent.futures.Future]:
        with concurrent.futures.ThreadPoolExecutor(len(FILES)) as pool:
            return {file: pool.submit(heard, daemon, file, component) for file in FILES}
    return played


@missing
@pytest.mark.parametrize("component", ["toss", "tips"])
@pytest.mark.parametrize("file", FILES, ids=[f"{f.parent.name}-{f.stem}" for f in FILES])
def test_a_stroke_moves_a_view_gapless_and_per_frame(
    strokes: Callable, file: pathlib.Path, component: str
):
    opened, got = strokes(component)[file].result()
    assert not [u for u in got if u.topic.startswith("rejected/")], got
    shown = states(got)
    assert len(shown) > 20, f"only {len(shown)} states"
    frame = 1000 / 60
    free = [u for u in shown if u.body["phase"] in ("thrown", "returning", "entering")]
    on_frames = sum(
        near(u.t - opened, round((u.t - opened) / frame) * frame, 0.01) for u in free)
    assert on_frames >= len(free) - 4, f"{on_frames} of {len(free)} free states are on frames"
    assert all(a.t <= b.t for a, b in zip(shown, shown[1:]))
    assert len({update.topic for update in shown}) == 1


def settle_rest(updates, topic: str, got) -> list:
    """Updates until the component rests; none if it already rests."""
    if got and got[-1].topic == topic and got[-1].body["phase"] in ("resting", "dismissed"):
        return []
    return updates.until(
        lambda u: u.topic == topic and u.body["phase"] in ("resting", "dismissed"), "rest")
