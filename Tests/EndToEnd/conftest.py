"""One daemon for each file of tests, and one session for each test."""

from __future__ import annotations

import itertools
import os

import hypothesis
import pytest
import zmq
from client import REPOSITORY, Control, Daemon, Publisher, binary
from hypothesis.configuration import set_hypothesis_home_dir

set_hypothesis_home_dir(REPOSITORY / ".build" / "hypothesis")
hypothesis.settings.register_profile(
    "bounded", derandomize=True, deadline=None, database=None,
    max_examples=int(os.environ.get("FUZZ_EXAMPLES", "50")))
hypothesis.settings.load_profile("bounded")
numbers = itertools.count(1)
# Files of tests that take half a minute or more.
LONG = [f"test_{name}" for name in (
    "first_command", "web_hostile", "tips", "conformance", "mqtt_house", "mqtt_bridges",
    "page_access", "strokes",
    "page_gallery", "page_manners", "web_heals", "web_bound", "disk_faults", "web_healing",
    "cluster_mqtt")]


# Python may collect the context of a failed test before its sockets, and would wait for them for
# ever: one test that failed would hold up all others.
zmq.Context.__del__ = lambda self: None


def pytest_sessionstart() -> None:
    if not binary().is_file():
        pytest.exit(f"there is no daemon at {binary()}: make build, or set GESTURED_BIN", 2)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where several files run at a time, none of the long ones is left at the end."""
    items.sort(key=lambda item: item.path.stem not in LONG)


def pytest_sessionfinish() -> None:
    for daemon in list(Daemon.begun):
        daemon.context.destroy(linger=0)


@pytest.fixture(scope="module")
def daemon():
    with Daemon() as daemon:
        yield daemon
        assert daemon.is_running, f"the daemon ended on its own\n{daemon.log()}"


@pytest.fixture(scope="module")
def control(daemon: Daemon) -> Control:
    return daemon.requests()


@pytest.fixture(scope="module")
def publisher(daemon: Daemon) -> Publisher:
    return daemon.publisher()


@pytest.fixture
def session() -> str:
    """A name that no other test uses."""
    return f"s{next(numbers)}"


@pytest.fixture(scope="module")
def web(daemon: Daemon):
    """A gesture-web that hears the daemon."""
    from web import Web  # Only its tests need other people's WebSocket clients.
    with Web(daemon) as web:
        with web.connect() as client:
            client.web(daemon=True)
        yield web


@pytest.fixture
def broker():
    """A broker of MQTT."""
    from broker import Broker  # Only tests of MQTT need a broker and its client.
    with Broker() as broker:
        yield broker


@pytest.fixture(scope="module")
def page(daemon: Daemon):
    """gesture-web with the project's own page."""
    from page import Page  # Only tests of the page need a browser's driver.
    with Page(daemon) as page:
        yield page


@pytest.fixture(scope="module")
def opened(page):
    from page import Browser
    with Browser(page) as browser:
        yield browser


@pytest.fixture
def browser(opened):
    """One browser for a file of tests; nothing may be written to its console."""
    yield opened
    assert not (lines := opened.console()), lines
