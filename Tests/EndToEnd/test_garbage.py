"""Garbage on every socket. The daemon answers or counts it, and survives."""

from __future__ import annotations

import json
import random
import socket as sockets

import pytest
import zmq
from client import Control, Daemon, Publisher
from hypothesis import given
from hypothesis import strategies as some
from scenes import still
from test_control import CODES, exchange

JSON = some.recursive(
    some.none() | some.booleans() | some.integers(-2**63, 2**64 - 1)
    | some.floats(allow_nan=False, allow_infinity=False)
    | some.text(alphabet=some.characters(exclude_categories=["Cs"]), max_size=20),
    lambda inner: some.lists(inner, max_size=4)
    | some.dictionaries(some.text("abdegintxyp", max_size=8), inner, max_size=4), max_leaves=12)
FIELDS = some.sampled_from([
    "gesture", "phase", "x", "y", "vx", "vy", "offset", "index", "pointer", "direction", "row",
    "kind", "add", "set", "id", "t", "command", "screen", "scene", "transition", "scale", "angle",
    "velocity", "dx", "dy", "momentum", "symbol"])
WORDS = some.sampled_from([
    "pan", "tap", "swipe", "scroll", "wheel", "pointer", "began", "changed", "ended", "cancelled",
    "present", "reset", "select", "clear", "glow", "hide", "open", "phone", "likes", "left", "",
    "longpress", "pinch", "rotation", "back", "action", "next", "previous", "scroll-to-top",
    "in-via-scale", "token"])
NUMBERS = some.integers(-5, 600) | some.floats(-1e7, 1e7) | some.sampled_from(
    [2**53, -2**63, 1e308, -1e308, 5e-324])
BODIES = some.dictionaries(FIELDS, WORDS | NUMBERS | JSON, max_size=7)
TOPICS = some.sampled_from([
    "gesture/fuzz/toss", "gesture/fuzz/tips", "gesture/fuzz/profile", "gesture/fuzz/tabs",
    "gesture/fuzz/list", "gesture/fuzz/reader", "gesture/fuzz/navigation", "command/fuzz/list",
    "command/fuzz/reader", "command/fuzz/navigation", "gesture/fuzz/badges", "notification/fuzz",
    "command/fuzz/toss", "command/fuzz/tips", "command/fuzz/profile", "command/fuzz/tabs",
    "command/fuzz/badges", "state/fuzz/toss"])


@pytest.fixture(autouse=True, scope="module")
def open_session(control: Control) -> None:
    control.open("fuzz", still())


def expect_alive(daemon: Daemon, control: Control) -> None:
    """The daemon runs, answers, counts and publishes."""
    assert daemon.is_running, f"the daemon died\n{daemon.log()}"
    control.open("fuzz", still())
    updates = daemon.subscriber("badge/fuzz")
    before = control.snapshot("fuzz")["badge/fuzz"]["counts"].get("alive", 0)
    control.notify("fuzz", "alive", set=(before + 1) % 1000 + 1)
    updates.until(lambda u: u.body["counts"].get("alive") == (before + 1) % 1000 + 1, "a badge")
    updates.socket.close()


@given(body=some.binary(max_size=300))
def test_any_bytes_as_a_request_are_answered_once(daemon: Daemon, body: bytes):
    dealer = daemon.context.socket(zmq.DEALER)
    try:
        dealer.connect(daemon.control)
        reply = json.loads(exchange(dealer, body)[-1])
        assert reply["ok"] is False and reply["error"]["code"] in CODES, reply
        assert not dealer.poll(0), "answered twice"
    finally:
        dealer.close(linger=0)


@given(request_=some.dictionaries(
    some.sampled_from(["op", "id", "session", "scene", "topic", "body", "after", "limit"]),
    some.sampled_from(["open", "close", "hello", "publish", "snapshot", "sessions", "scenes",
                       "stats", "locate", "members", "fuzz2", "phone",
                       "notification/fuzz"]) | JSON))
def test_any_object_as_a_request_is_answered_once(daemon: Daemon, request_: dict):
    dealer = daemon.context.socket(zmq.DEALER)
    try:
        dealer.connect(daemon.control)
        reply = json.loads(exchange(dealer, json.dumps(request_).encode())[-1])
        assert isinstance(reply["ok"], bool), reply
        assert reply["ok"] or reply["error"]["code"] in CODES, reply
    finally:
        dealer.close(linger=0)


@given(topic=TOPICS, body=BODIES)
def test_any_event_is_applied_or_refused_with_a_code(
    daemon: Daemon, control: Control, topic: str, body: dict
):
    answer = control.ask("publish", topic=topic, body=body)
    assert answer["ok"] or answer["error"]["code"] in CODES, answer


@given(components=some.lists(
    some.dictionaries(
        some.sampled_from(["id", "kind", "tips", "size", "frame", "items", "fade", "header",
                           "threshold", "spin", "height", "width", "arrow", "bubble_timeout",
                           "root", "rows", "row_height", "style", "pages", "start", "duration"]),
        some.sampled_from(["toss", "tips", "profile", "tabs", "navigation", "list", "reader"])
        | NUMBERS
        | some.lists(NUMBERS, max_size=4) | JSON, max_size=6), max_size=3),
    viewport=some.lists(NUMBERS, max_size=3) | JSON)
def test_any_scene_opens_or_is_refused(
    control: Control, components: list, viewport: object
):
    scene = {"viewport": viewport, "components": components}
    answer = control.ask("open", session="any-scene", scene=scene)
    if answer["ok"]:
        control.snapshot("any-scene")
        control.ok("close", session="any-scene")
    else:
        assert answer["error"]["code"] in CODES, answer


def rejected(daemon: Daemon, send) -> int:
    """The rejections in the heartbeats, up to a marker that `send` sends last."""
    updates = daemon.subscriber("heartbeat", "badge/fuzz")
    before = updates.find("heartbeat").body["rejected"]
    send()
    updates.until(lambda u: "marker" in u.body.get("counts", {}), "the marker", 30)
    beat = updates.find("heartbeat").body
    return updates.until(
        lambda u: u.topic == "heartbeat" and u.body["uptime"] > beat["uptime"],
        "a heartbeat")[-1].body["rejected"] - before


def test_random_frames_as_events_are_each_refused_once(daemon: Daemon, control: Control,
                                                       publisher: Publisher):
    dice = random.Random(20)
    frames = []
    for _ in range(2000):
        count = dice.choice([1, 2, 2, 2, 2, 3, 7])
        topic = dice.choice([b"", b"gesture/fuzz/toss", b"notification/fuzz", b"x", None])
        parts = [dice.randbytes(dice.choice([0, 1, 8, 60, 300])) for _ in range(count)]
        if topic is not None:
            parts[0] = topic
        frames.append(parts)

    def send() -> None:
        for parts in frames:
            publisher.raw(*parts)
        publisher.send("notification/fuzz", {"kind": "marker"})

    assert rejected(daemon, send) == len(frames)
    control.command("fuzz", "badges", "clear", kind="marker")
    expect_alive(daemon, control)


def test_mutilated_events_harm_nobody(daemon: Daemon, control: Control, publisher: Publisher):
    """The daemon survives good events with a few changed bytes."""
    dice = random.Random(21)
    good = [
        (b"gesture/fuzz/toss", b'{"gesture":"pan","phase":"began","x":1.5,"y":2,"t":1e3}'),
        (b"gesture/fuzz/tabs", b'{"gesture":"tap","index":3}'),
        (b"notification/fuzz", b'{"kind":"likes","add":12,"id":"abc"}'),
        (b"command/fuzz/tabs", b'{"command":"select","index":2}'),
    ]
    for _ in range(3000):
        topic, body = (bytearray(part) for part in dice.choice(good))
        for _ in range(dice.randint(1, 4)):
            part = body if dice.random() < 0.8 else topic
            if part:
                part[dice.randrange(len(part))] = dice.randrange(256)
            if dice.random() < 0.2:
                del part[dice.randrange(len(part) + 1):]
        publisher.raw(bytes(topic), bytes(body))
    expect_alive(daemon, control)


def test_messages_beyond_the_sockets_limit_drop_only_their_peer(daemon: Daemon, control: Control):
    rude = daemon.publisher()
    rude.raw(b"notification/fuzz", b'{"kind":"' + b"x" * 2_000_000 + b'"}')
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    dealer.send(b"x" * 2_000_000)
    expect_alive(daemon, control)


GREETING = b"\xff\0\0\0\0\0\0\0\x01\x7f\x03\0NULL" + b"\0" * 16 + b"\0" + b"\0" * 31


@pytest.mark.parametrize("start", [b"", GREETING, b"GET / HTTP/1.1\r\n\r\n", b"\xff" * 64],
                         ids=["bare", "greeting", "http", "ones"])
@pytest.mark.parametrize("name", ["events", "updates", "control"])
def test_raw_bytes_on_a_port_harm_nobody(
    daemon: Daemon, control: Control, name: str, start: bytes
):
    dice = random.Random(22)
    host, port = getattr(daemon, name).removeprefix("tcp://").split(":")
    for size in (0, 1, 7, 100, 5000):
        with sockets.create_connection((host, int(port)), timeout=5) as raw:
            try:
                raw.sendall(start + dice.randbytes(size))
            except OSError:
                pass  # ZeroMQ has closed the connection, as it should.
    expect_alive(daemon, control)


def test_subscriptions_of_garbage_harm_nobody(daemon: Daemon, control: Control):
    dice = random.Random(23)
    rude = daemon.socket(zmq.XSUB, daemon.updates)
    for _ in range(2000):
        rude.send(dice.choice([b"\x01", b"\0", b"\x02", b""]) + dice.choice(
            [b"", b"state/", b"sync/", b"badge/fuzz/", b"state/fuzz/../", b"session/"]
        ) + dice.randbytes(dice.choice([0, 3, 40, 180])))
    expect_alive(daemon, control)


@pytest.mark.parametrize("nonce", ["", "a/b", "x" * 240, "ü", "\0", " "], ids=repr)
def test_odd_nonces_harm_nobody(daemon: Daemon, control: Control, nonce: str):
    updates = daemon.subscriber(sync=False)
    updates.subscribe(f"sync/{nonce}")
    updates.during(0.05)
    expect_alive(daemon, control)


@pytest.mark.parametrize("kind", [zmq.PUSH, zmq.REQ, zmq.PAIR, zmq.PUB, zmq.DEALER],
                         ids=["PUSH", "REQ", "PAIR", "PUB", "DEALER"])
@pytest.mark.parametrize("name", ["events", "push", "updates", "control"])
def test_sockets_of_the_wrong_kind_harm_nobody(
    daemon: Daemon, control: Control, name: str, kind: int
):
    wrong = daemon.socket(kind, getattr(daemon, name))
    try:
        wrong.send(b"garbage", zmq.DONTWAIT)
    except zmq.Again:
        pass
    expect_alive(daemon, control)
