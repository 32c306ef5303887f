"""gestured.js between two frames."""

from __future__ import annotations

import itertools
import json
import math

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


def test_frames_show_one_frame_after_the_fastest_came(page: Page, web: Way):
    ghost = Ghost(page, web)
    page.browser.run(
        "window.arrived = []; window[args[0]].addEventListener('frame', ({ detail }) =>"
        "arrived.push([performance.now(), detail.t]));", ghost.name)
    for number in range(5):
        ghost.frame(number * FRAME, one={"v": VIEW | {"x": number * 100}})
    shown = page.browser.run(
        "const session = window[args[0]], view = (at) => session.at(at).get('one').views.v.x;"
        "let at = performance.now() + 1000; while (view(at) === 400) at -= 0.1;"
        "return at", ghost.name)
    offset = math.inf
    arrived = page.browser.run("return window.arrived")
    for now, t in arrived:
        offset = min(now - t, offset + 1)
    assert abs(shown - (arrived[-1][1] + offset + FRAME)) < 1
