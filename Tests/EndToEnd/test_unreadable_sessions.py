"""One stored session that cannot be read hides no other one from those who follow all of them."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from ccode import compiled
from client import DEADLINE, REPOSITORY, Daemon, binary
from reliability import change_store
from test_c_client import ADAPTERS, Program, endpoints

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

import gestured  # noqa: E402


@pytest.fixture
def daemon() -> Iterator[Daemon]:
    """With the sessions `a`, whose row is damaged, and `b`."""
    with Daemon() as daemon:
        control = daemon.requests()
        for name in ("a", "b"):
            control.open(name, "phone")
            control.notify(name, "likes")
        daemon.stop()
        change_store(daemon, "UPDATE session SET state = x'7b7b' WHERE id = 'a'")
        control = daemon.restart()
        assert control.refused("snapshot", session="a")["code"] == "internal"
        yield daemon


def test_gesturectl_watches_the_others(daemon: Daemon) -> None:
    command = [os.fspath(binary().with_name("gesturectl")), "watch", "--json"]
    with subprocess.Popen(
            command, env=os.environ | endpoints(daemon), stdout=subprocess.PIPE, text=True
    ) as watch, contextlib.closing(watch.stdout):
        try:
            assert watch.stdout is not None
            assert any("badge/b" in line for line in iter(watch.stdout.readline, ""))
        finally:
            watch.kill()


def test_python_watches_the_others(daemon: Daemon) -> None:
    places = {"events": daemon.events, "updates": daemon.updates, "control": daemon.control}
    with gestured.connect(**places, timeout=DEADLINE) as client, client.watch("badge/") as watch:
        topic, body = watch.next(DEADLINE)
        assert topic == "badge/b" and body["total"] == 1
        # It has joined: a later change of the other one comes, too.
        control = daemon.requests()
        control.ok("close", session="a")
        control.open("a", "phone")
        control.notify("a", "likes")
        while topic != "badge/a":
            topic, body = watch.next(DEADLINE)


def test_c_watches_the_others(daemon: Daemon) -> None:
    with Program(compiled("conform", ADAPTERS / "conform.c")) as adapter:
        adapter.tell(do="connect", timeout=5, **{
            name: getattr(daemon, name) for name in ("events", "updates", "control")})
        adapter.tell(do="watch", prefixes=["badge/"])
        line = adapter.await_line('"topic":"badge/b"')
        assert json.loads(line)["yield"]["body"]["total"] == 1
