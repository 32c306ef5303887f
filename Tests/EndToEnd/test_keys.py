"""Clients with keys against a daemon's sockets that ask for them: refusals, ends, healing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
import test_conformance
import zmq.auth
from client import DEADLINE

# The suite's folder is in the path now.
from curve import Keys
from notation import update_of
from peer import Adapter, Peer

CLIENTS = test_conformance.WITH_KEYS
# Seconds of each try of a client.
TRY_SECONDS = 0.15


class Door:
    """A peer with keys that answers `hello` and `snapshot`, and one client behind its adapter."""

    def __init__(self, name: str, keys: Keys, timeout: float = 5.0):
        self.world = "badge/s aa.1 1 100 1"
        self.adapter = Adapter(test_conformance.CLIENTS[name].command())
        try:
            self.peer = Peer(self.adapter, timeout=timeout, keys=keys)
        except BaseException:
            self.adapter.close()
            raise
        self.peer.seconds = DEADLINE
        self.peer.answer_rest = self.answer

    def answer(self) -> None:
        while self.peer.requests:
            frames, request = self.peer.requests.popleft()
            topic, body = update_of(self.world)
            self.peer.reply(frames, request, {
                "session": "s", "scene": None, "epoch": body["epoch"],
                "updates": [{"topic": topic, "body": body}]})

    def ask(self, **line: object) -> dict:
        self.adapter.tell(line)
        return self.peer.hear(f"an answer to {line}", self.peer.take_connected)

    def hello(self) -> str:
        """The code of the answer, or `ok`."""
        answer = self.ask(do="request", op="hello", fields={})
        return answer["failed"]["code"] if "failed" in answer else "ok"

    def watch(self) -> None:
        self.peer.prefixes = ["badge/s"]
        assert self.ask(do="watch", prefixes=["badge/s"]) == {"watching": True}

    def await_total(self, total: int) -> None:
        """The next update is of this total."""
        topic, body = self.peer.hear(f"total {total}", lambda: (
            self.peer.yields.popleft() if self.peer.yields else None))
        assert (topic, body["total"]) == ("badge/s", int(total))

    def await_refusals(self, count: int) -> None:
        doorman = self.peer.doorman
        self.peer.hear(f"{count} refusals", lambda: doorman.refused >= count or None)

    def close(self) -> None:
        self.adapter.close()
        self.peer.close()


@pytest.fixture(scope="module")
def keys() -> Iterator[Keys]:
    keys = Keys()
    yield keys
    keys.close()


@pytest.fixture
def door(keys: Keys) -> Iterator[Callable[..., Door]]:
    made: list[Door] = []

    def make(name: str, keys: Keys = keys, **options: float) -> Door:
        made.append(Door(name, keys, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.parametrize("name", CLIENTS)
def test_a_refused_key_is_told_and_may_be_taken_later(name: str, door: Callable[..., Door]):
    door = door(name)
    taken = door.peer.doorman.taken
    keys = set(taken)
    taken.clear()
    door.peer.restart()
    began = time.monotonic()
    event = {"do": "publish", "topic": "notification/s", "body": {"kind": "likes"}, "ack": False}
    assert door.hello() == "unauthorized"
    assert door.ask(**event)["failed"]["code"] == "unauthorized"
    assert time.monotonic() - began < 5
    taken.update(keys)
    door.peer.hear("hello", lambda: door.hello() == "ok" or None)
    door.peer.hear("an event", lambda: "done" in door.ask(**event) or None)


@pytest.mark.parametrize("name", CLIENTS)
def test_a_wrong_server_key_is_no_answer_in_time(name: str, door: Callable[..., Door]):
    keys = Keys()
    try:
        zmq.auth.create_certificates(keys.folder, "other")
        (keys.folder / "other.key").replace(keys.folder / "server.key")
        door = door(name, keys, timeout=TRY_SECONDS)
        began = time.monotonic()
        assert door.hello() == "no-answer"
        door.ask(do="publish", topic="notification/s", body={"kind": "likes"}, ack=False)
        assert time.monotonic() - began < 20 * TRY_SECONDS
        door.watch()
    finally:
        keys.close()


@pytest.mark.parametrize("name", CLIENTS)
def test_a_watch_outlives_its_key(name: str, door: Callable[..., Door]):
    """Refused, and taken again: what it missed comes by a snapshot, in the same run."""
    door = door(name, timeout=1.0)
    door.watch()
    door.await_total(1)
    taken = door.peer.doorman.taken
    keys = set(taken)
    taken.clear()
    door.peer.restart()
    door.await_refusals(2)
    door.world = "badge/s aa.1 7 200 2"
    taken.update(keys)
    end = time.monotonic() + DEADLINE
    while not door.peer.yields and time.monotonic() < end:
        door.peer.send("heartbeat aa 9 300")
        door.peer.serve(50)
    door.await_total(2)
    assert not door.peer.yields


@pytest.mark.parametrize("name", CLIENTS)
def test_what_was_lost_while_connections_were_closed_is_healed(
        name: str, door: Callable[..., Door]):
    """As a reload closes them: the session rests since, so no gap would ever show it."""
    door = door(name)
    door.watch()
    door.await_total(1)
    door.world = "badge/s aa.1 2 200 2"
    door.peer.restart()
    door.peer.hear("a subscription", lambda: door.peer.is_subscribed(b"heartbeat") or None)
    door.peer.send("heartbeat aa 9 300")
    door.await_total(2)
    assert not door.peer.yields
