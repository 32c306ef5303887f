"""Shared by tests of gestured.js: a page that has the module, and layers as a renderer has them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from browser import Browser, Way, way
from client import DEADLINE, Control, Daemon
from renderer import HEADER, Area, Matrix, Painted, Picture
from tool import staying_daemon

# Fields of a state in the page that are not of the state's own topic.
OWN = ("component", "seq", "t", "former")
# Makes the module `web` and a client `client` of a page, and helpers for the tests.
SETUP = """
window.web = await import("/gestured.js");
window.client = web.connect();
window.watch = (name) => {
    const session = window[name] = client.watch(name);
    session.heard = [];
    for (const type of ["scene", "frame", "transition", "badge", "session", "rejected",
                        "joined", "gap"])
        session.addEventListener(type, ({ detail }) => session.heard.push([type, detail]));
};
"""
# A page's view of a session.
SHOWN = """
const session = window[arguments_[0]], states = arguments_[1] ? session.at() : session.states;
return { scene: session.scene, states: [...states], badge: session.badge,
         layers: web.layers(session.scene, states), epoch: session.epoch };
""".replace("arguments_", "args")


@dataclass
class Shown:
    picture: Picture
    layers: list[dict]
    epoch: str


class Page:
    def __init__(self, browser: Browser, way: Way):
        self.browser, self.way = browser, way
        browser.open(way.url + "gestured.js")
        browser.run(SETUP)

    def watch(self, name: str) -> None:
        self.browser.run("watch(args[0])", name)
        self.browser.until("window[args[0]].joined", name)

    def heard(self, name: str, kind: str) -> list:
        return self.browser.run(
            "return window[args[0]].heard.filter(([type]) => type === args[1])"
            ".map(([, detail]) => detail)", name, kind)

    def shown(self, name: str, now: bool = False) -> Shown:
        answer = self.browser.run(SHOWN, name, now)
        states = {name: {key: value for key, value in state.items() if key not in OWN}
                  for name, state in answer["states"]}
        scene = answer["scene"] and {
            key: value for key, value in answer["scene"].items() if key not in HEADER}
        return Shown(Picture(scene, states, answer["badge"]), answer["layers"], answer["epoch"])

    def agrees(self, control: Control, name: str, deadline: float = DEADLINE) -> Shown:
        """Waits until the page shows what a snapshot does."""
        end, different = time.monotonic() + deadline, ""
        while time.monotonic() < end:
            here = self.shown(name)
            snapshot = {topic.partition("/")[0]: body
                        for topic, body in control.snapshot(name).items()}
            there = Picture()
            for kind in ("scene", "frame"):
                there.take(f"{kind}/{name}", snapshot[kind])
            different = difference(here.picture, there)
            if not different and here.epoch == snapshot["scene"]["epoch"]:
                return here
            time.sleep(0.05)
        raise AssertionError(f"the page never agrees: {different}")


def difference(here: Picture, there: Picture) -> str:
    if here.scene != there.scene:
        return "the scenes differ"
    for name in there.states.keys() | here.states.keys():
        # A newer `input` alone is published with the next state.
        one, other = ({key: value for key, value in (picture.states.get(name) or {}).items()
                       if key != "input"} for picture in (here, there))
        if one != other:
            return f"{name}:\n{one}\n{other}"
    return "" if here.badge == there.badge else f"badge: {here.badge} {there.badge}"


def painted(layers: list[dict]) -> list[Painted]:
    """Nested layers as a renderer's list of views, the first at the back."""
    return list(flattened(layers, Matrix(), 1.0, (), ()))


def flattened(layers, outer: Matrix, alpha: float, clips, holders) -> Iterator[Painted]:
    for layer in layers:
        # A layer turns and grows about its center.
        middle = {"x": layer["left"] + layer["w"] / 2, "y": layer["top"] + layer["h"] / 2}
        matrix = outer @ Matrix.of({**layer, **middle})
        area, solid = Area(matrix, layer["w"], layer["h"]), alpha * layer["alpha"]
        cuts = (*clips, area) if layer["clip"] else clips
        if layer["view"] is None:
            assert layer["key"] == layer["component"], layer
            yield from flattened(layer["children"], matrix, solid, cuts, holders)
            continue
        name = (layer["component"], layer["view"])
        assert layer["key"] == "/".join(name), layer
        yield Painted(*name, area, solid, cuts, layer["z"], holders, layer["round"])
        yield from flattened(layer["children"], matrix, solid, cuts, (*holders, name))


def expect_same(layers: list[dict], picture: Picture) -> int:
    """Compares layers with the renderer that was written from the document."""
    ours, theirs = painted(layers), picture.painted()
    assert [(one.component, one.view, one.holders) for one in ours] == [
        (one.component, one.view, one.holders) for one in theirs]
    for one, other in zip(ours, theirs):
        assert one.is_circle == other.is_circle, other
        assert abs(one.alpha - other.alpha) < 1e-9, other
        assert len(one.clips) == len(other.clips), other
        for area, same in zip((one.area, *one.clips), (other.area, *other.clips)):
            for u, v in ((0, 0), (area.w, 0), (0, area.h)):
                for here, there in zip(area.matrix(u, v), same.matrix(u, v)):
                    assert abs(here - there) < 1e-6 * (1 + abs(there)), (one, other)
    return len(ours)


@pytest.fixture(scope="module")
def daemon():
    with staying_daemon() as daemon:
        yield daemon


@pytest.fixture(scope="module")
def web(daemon: Daemon):
    with way(daemon) as one:
        yield one


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, web: Way):
    web.passes, web.is_frozen = lambda message: True, False
    page = Page(browser, web)
    browser.errors()
    yield page
    browser.run("client.close()")
    # A connection that a test breaks is an error to the console.
    errors = [one for one in browser.errors() if "WebSocket connection" not in one]
    assert not errors, errors
