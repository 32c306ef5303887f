"""gestured.js between two frames."""

from __future__ import annotations

import itertools
import json
import math
import random

import pytest
from browser import Way
from webpage import Page, browser, daemon, page, web

__all__ = ["browser", "daemon", "page", "web"]
VIEW = {"x": 10, "y": 20, "w": 30, "h": 40, "rotation": 0, "scale": 1, "alpha": 1, "z": 0}
FRAME = 1000 / 60
numbers = itertools.count(1)


def between(page: Page, a: dict, b: dict, f: float) -> dict:
    return page.browser.run("return web.interpolate(...args)", a, b, f)


def test_a_view_lies_between_two(page: Page):
    other = {"x": 20, "y": 0, "w": 40, "h": 20, "rotation": 1, "scale": 3, "alpha": 0, "z": 5}
    half = between(page, VIEW, other, 0.25)
    assert half == {"x": 12.5, "y": 15, "w": 32.5, "h": 35, "rotation": 0.25, "scale": 1.5,
                    "alpha": 0.75, "z": 0}
    assert between(page, VIEW, other, 0) == VIEW == between(page, VIEW, other, -3)
    assert between(page, VIEW, other, 1) == other == between(page, VIEW, other, 1.5)


@pytest.mark.parametrize("a, b, f, expected", [
    (3.0, -3.0, 0.5, math.pi), (3.0, -3.0, 0.75, -3.0708), (-3.0, 3.0, 0.25, -3.0708),
    (-3.0, 3.0, 0.75, 3.0708), (0.5, -0.5, 0.5, 0), (1.5, -1.5, 0.5, 0), (2, -2, 0.25, 2.5708)])
def test_a_rotation_goes_the_short_way(page: Page, a: float, b: float, f: float, expected: float):
    got = between(page, VIEW | {"rotation": a}, VIEW | {"rotation": b}, f)["rotation"]
    assert abs(math.remainder(got - expected, 2 * math.pi)) < 1e-3


@pytest.mark.parametrize("before, after", [(None, 1), (1, 2), (3, 7)])
def test_nothing_lies_between_where_a_view_is_cut(page: Page, before, after):
    a = VIEW | ({"cut": before} if before else {})
    b = VIEW | {"x": 300, "cut": after}
    assert between(page, a, b, 0.9) == a and between(page, a, b, 1) == b
    # The same cut in both cuts nothing.
    assert between(page, b | {"x": 100}, b, 0.5)["x"] == 200


class Ghost:
    """A session that only the way tells of, so that its frames come as a test wants them."""

    def __init__(self, page: Page, web: Way):
        self.page, self.web, self.name = page, web, f"ghost{next(numbers)}"
        self.seqs = {"scene": 0, "frame": 0}
        page.watch(self.name)
        # Lets no join ask for the session, which there is not.
        page.browser.until("client.web.daemon")
        web.passes = lambda message: not message.get("subscribe", "").startswith("sync/")
        self.tell("scene", 0, scene="ghost", revision=1, viewport=[320, 568], insets=[0] * 4,
                  frame_rate=60, content={}, components=[])

    def tell(self, kind: str, t: float, **fields: object) -> None:
        self.seqs[kind] += 1
        self.web.tell({"topic": f"{kind}/{self.name}", "body": {
            "epoch": "ghost.1", "seq": self.seqs[kind], "t": 1e6 + t, **fields}})
        self.page.browser.until(
            "window[args[0]].heard.filter(([type]) => type === args[1]).length >= args[2]",
            self.name, kind, self.seqs[kind])

    def frame(self, t: float, **components: dict) -> None:
        self.tell("frame", t, states=[
            {"component": name, "phase": f"at {t:g}", "model": {}, "views": views}
            for name, views in components.items()])

    def path(self, component: str = "one") -> list[tuple[float, dict]]:
        """The component's state at each half millisecond around the newest frame."""
        return json.loads(self.page.browser.run(
            "const found = [], now = performance.now();"
            "for (let at = now - 3000; at < now + 3000; at += 0.5)"
            "  found.push([at, window[args[0]].at(at).get(args[1])]);"
            "return JSON.stringify(found)", self.name, component))


def test_motion_takes_one_frame_however_long_the_rest_before(page: Page, web: Way):
    ghost = Ghost(page, web)
    ghost.frame(0, one={"v": VIEW | {"x": 0}})
    ghost.frame(500, one={"v": VIEW | {"x": 100}})
    path = [(at, state["views"]["v"]["x"]) for at, state in ghost.path()]
    moving = [(at, x) for at, x in path if 0 < x < 100]
    assert path[0][1] == 0 and path[-1][1] == 100
    assert abs((moving[-1][0] - moving[0][0]) - FRAME) <= 1
    first, *_ = moving
    for at, x in moving:
        assert abs((x - first[1]) - (at - first[0]) / FRAME * 100) < 1e-3, "it is not even"


def test_motion_between_close_frames_takes_their_distance(page: Page, web: Way):
    ghost = Ghost(page, web)
    ghost.frame(0, one={"v": VIEW | {"x": 0}})
    ghost.frame(8, one={"v": VIEW | {"x": 100}})
    moving = [at for at, state in ghost.path() if 0 < state["views"]["v"]["x"] < 100]
    assert abs(moving[-1] - moving[0] - 8) <= 1


def test_a_frame_of_an_earlier_instant_shows_all_the_same(page: Page, web: Way):
    """A snapshot that was late may be of an earlier instant than what came before it."""
    ghost = Ghost(page, web)
    ghost.frame(50, one={"v": VIEW | {"x": 0}})
    ghost.frame(100, two={"v": VIEW})
    ghost.frame(90, one={"v": VIEW | {"x": 100}})
    assert ghost.path()[-1][1]["views"]["v"]["x"] == 100


def test_views_that_come_go_or_are_cut_change_at_the_newer_frame(page: Page, web: Way):
    ghost = Ghost(page, web)
    ghost.frame(0, one={"v": VIEW, "goes": VIEW, "cut": VIEW})
    ghost.frame(FRAME, one={"v": VIEW | {"x": 110}, "comes": VIEW,
                            "cut": VIEW | {"x": 110, "cut": 1}})
    for _, state in ghost.path():
        views = state["views"]
        is_new = views["v"]["x"] == 110
        assert set(views) == ({"v", "comes", "cut"} if is_new else {"v", "goes", "cut"})
        assert views["cut"]["x"] == (110 if is_new else 10)
        assert state["phase"] == ("at 16.6667" if is_new else "at 0")


def test_components_move_apart_from_each_other(page: Page, web: Way):
    ghost = Ghost(page, web)
    ghost.frame(0, one={"v": VIEW | {"x": 0}}, two={"v": VIEW | {"x": 0}})
    ghost.frame(FRAME, one={"v": VIEW | {"x": 100}})
    ghost.frame(2 * FRAME, two={"v": VIEW | {"x": 100}})
    one, two = ghost.path("one"), ghost.path("two")
    ends = [next(at for at, state in path if state["views"]["v"]["x"] == 100)
            for path in (one, two)]
    # The newer one is still on its way when the older one has arrived.
    assert ends[1] - ends[0] > FRAME - 2


def test_a_state_at_rest_stays_the_same_object(page: Page, web: Way):
    ghost = Ghost(page, web)
    ghost.frame(0, one={"v": VIEW})
    assert page.browser.run(
        "const session = window[args[0]], later = performance.now() + 1000;"
        "return session.at(later).get('one') === session.at(later + 1).get('one')", ghost.name)


# Plays frames to a client at times of its own clock, and draws at 60 pictures a second. Each frame
# puts the view `v` where its `t` says, so that even motion has even steps.
PLAY = """
const [ways, interval, held, rate] = args, real = performance.now;
let socket, clock = real.call(performance);
performance.now = () => clock;
window.WebSocket = class { constructor() { socket = this; } send() {} close() {} };
const made = web.connect();
socket.onopen();
const session = made.watch("played");
const say = (topic, body) => socket.onmessage({ data: JSON.stringify({ topic, body }) });
say("scene/played", { epoch: "play.1", seq: 1, t: 0, revision: 1, viewport: [1, 1],
    frame_rate: rate, components: [] });
const view = (x) => ({ x, y: 0, w: 1, h: 1, rotation: 0, scale: 1, alpha: 1, z: 0 });
const start = clock, drawn = [];
let next = 0, due = 0;
for (let now = start; next < ways.length; now += 1000 / 60) {
    // Updates keep their order on the way.
    while (next < ways.length) {
        due = Math.max(due, next * interval + ways[next]);
        if (due > now - start) break;
        clock = start + due;
        const t = next * interval, isHeld = held[0] <= next && next < held[1];
        say("frame/played", { epoch: "play.1", seq: next + 1, t, states: [
            { component: "one", phase: isHeld ? "dragging" : "moving", model: {},
              views: { v: view(t) } },
            { component: "world", phase: isHeld ? "dragging" : "moving",
              model: { count: 2, dragged: isHeld ? "a" : null },
              views: { a: view(t), b: view(t) } }] });
        next += 1;
    }
    clock = now;
    const states = session.at(now), world = states.get("world")?.views;
    if (world) drawn.push([now - start, states.get("one").views.v.x, world.a.x, world.b.x,
                           session.states.get("one").t]);
}
made.close();
performance.now = real;
return drawn;
"""


def played(page: Page, ways: list[float], interval: float, held=(0, 0), rate=60) -> list[list]:
    """Each picture: its time, the places of `one/v`, `world/a` and `world/b`, the newest `t`."""
    page.browser.run("window.RealSocket ??= WebSocket")
    try:
        return page.browser.run(PLAY, ways, interval, held, rate)
    finally:
        page.browser.run("window.WebSocket = RealSocket")


def steps(pictures: list[list], place: int) -> list[float]:
    return [later[place] - earlier[place] for earlier, later in itertools.pairwise(pictures)]


@pytest.mark.parametrize("interval, jitter, rate, lag", [
    (FRAME, 0, 60, FRAME), (FRAME, 12, 60, FRAME + 12), (1000 / 30, 0, 30, 1000 / 30),
    # A bridge that merges two frames of sixty a second.
    (2 * FRAME, 4, 60, 2 * FRAME + 4), (45, 4, 60, 50), (1000 / 120, 1, 120, 1000 / 120 + 1)])
def test_motion_is_even_however_frames_come(
    page: Page, interval: float, jitter: float, rate: int, lag: float
):
    rng = random.Random(5)
    ways = [2 + rng.uniform(0, jitter) for _ in range(240)]
    pictures = played(page, ways, interval, rate=rate)[60:-6]
    assert len(pictures) > 50
    for place in (1, 2, 3):
        for step in steps(pictures, place):
            assert abs(step - FRAME) < FRAME / 4, step
    # It is as late as that needs, and not more.
    for time, x, *_ in pictures:
        assert time - x < 2 + lag + 1.5, (time, x)


def test_some_late_frames_make_nothing_later(page: Page):
    ways = [2 + (25 if number % 60 == 59 else 0) for number in range(240)]
    pictures = played(page, ways, FRAME)
    lags = sorted(time - x for time, x, *_ in pictures[30:])
    assert lags[len(lags) // 2] < 2 + FRAME + 2


def test_a_hand_sees_the_newest_and_what_it_lets_go_goes_on(page: Page):
    rng = random.Random(9)
    ways = [2 + rng.uniform(0, 5) for _ in range(240)]
    pictures = played(page, ways, FRAME, held=(60, 120))
    is_held = [60 * FRAME + 10 < time < 120 * FRAME for time, *_ in pictures]
    for held, (_, one, a, b, newest) in zip(is_held, pictures):
        if held:
            assert one == a == newest > b > newest - 50
    for place in (1, 2):
        released = [picture for picture in pictures if picture[0] > 121 * FRAME]
        # It neither stalls nor goes back, and some time later it is as late as the rest.
        for step in steps(released, place)[:-3]:
            assert FRAME / 2 < step < 2 * FRAME + 1, step
        assert abs(released[-6][place] - released[-6][3]) < 0.01


def test_a_wheel_and_a_recognizer_are_hands_too(page: Page, web: Way):
    ghost = Ghost(page, web)
    ghost.frame(0, one={"v": VIEW}, two={"v": VIEW})
    moved = {"phase": "closed"}
    # At the very moment of each frame, the newest state is still to come for all but a hand.
    page.browser.run(
        "const session = window[args[0]]; window.news = [];"
        "session.addEventListener('frame', () => { const shown = session.at();"
        " news.push(['one', 'two', 'three'].map((name) =>"
        " shown.get(name) === session.states.get(name))); });", ghost.name)
    for number in (1, 2):
        moved["views"] = {"v": VIEW | {"x": 100 * number}}
        # So far ahead in its own time that it is the fastest yet, however slow the machine.
        ghost.tell("frame", number * 5000, states=[
            {"component": "one", **moved, "model": {}, "input": 5 + number},
            {"component": "two", **moved, "model": {"recognizer": "scroll"}},
            {"component": "three", **moved, "model": {}}])
    # The second frame is the first that finds a state of each.
    assert page.browser.run("return news")[1] == [True, True, False]
