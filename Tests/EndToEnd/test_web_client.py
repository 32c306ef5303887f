"""gestured.js in a real browser: what it draws of real sessions, and how it joins and heals."""

from __future__ import annotations

import random
import time

import pytest
from browser import FILES, Browser, Way, way
from client import Control, Daemon
from forest import Planter
from renderer import Picture
from scenes import still
from storm import Storm, nested
from tool import staying_daemon
from webpage import Page, expect_same

# Bytes of the library as it stands.
BYTES_MAX = 10_000


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


def test_the_library_is_small_and_readable():
    source = (FILES / "gestured.js").read_bytes()
    assert len(source) < BYTES_MAX, f"{len(source)} bytes"
    assert max(map(len, source.decode().splitlines())) <= 100


@pytest.mark.parametrize("seed", range(3))
def test_a_storm_of_touches_is_drawn_as_the_document_says(
    page: Page, daemon: Daemon, session: str, seed: int
):
    control = daemon.requests()
    control.open(session, nested())
    page.watch(session)
    storm, compared, moving = Storm(session, seed), 0, 0
    for round_ in range(12):
        for _ in range(4):
            for topic, body in storm.burst():
                control.ask("publish", topic=topic, body=body)
        for now in (False, True):
            here = page.shown(session, now)
            compared += expect_same(here.layers, here.picture)
            moving += here.picture.states["tabs"]["phase"] == "moving"
    assert compared > 100
    here = page.agrees(control, session)
    expect_same(here.layers, here.picture)
    assert not page.heard(session, "gap")


def test_random_trees_are_drawn_as_the_document_says(page: Page, daemon: Daemon):
    control, rng, compared = daemon.requests(), random.Random(7), 0
    for number in range(30):
        name, tree = f"tree{number}", Planter(rng).plant(rng.randint(2, 14))
        control.open(name, tree.scene)
        for topic, body in tree.events:
            control.publish(topic % name, body)
        page.watch(name)
        here = page.shown(name)
        compared += expect_same(here.layers, here.picture)
        there = Picture()
        there.take("scene/", control.snapshot(name)[f"scene/{name}"])
        assert here.picture.scene == there.scene
        page.browser.run("window[args[0]].close()", name)
    assert compared > 300


def test_a_page_that_comes_midway_shows_the_whole(page: Page, daemon: Daemon, session: str):
    control = daemon.requests()
    control.open(session, nested())
    storm = Storm(session, 5)
    for number in range(8):
        for topic, body in storm.burst():
            control.ask("publish", topic=topic, body=body)
        name = "window" if number == 0 else session
        page.browser.run("watch(args[0])", session)
        assert name
    page.browser.until("window[args[0]].joined", session)
    page.agrees(control, session)
