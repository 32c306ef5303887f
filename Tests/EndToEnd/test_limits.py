"""Every bound that `hello` publishes, tested from outside where possible.

`ROWS` maps wire names to functions here. Swift tests cover the others:
Tests/DaemonTests/Limits tests all bounds at their published values.
"""

from __future__ import annotations

import json
import pathlib
import re
import typing

import pytest
import zmq
from client import DEADLINE, Control, Daemon
from scenes import scene, toss
from zmq.utils.monitor import recv_monitor_message

CONFIG = "[sessions]\nmax = 3\n"
SWIFT = pathlib.Path(__file__).parent.parent / "DaemonTests" / "Limits"


def sessions(daemon: Daemon, control: Control, value: int) -> None:
    for number in range(value):
        control.open(f"s{number}", scene(toss()))
    error = control.refused("open", session="more", scene=scene(toss()))
    assert error["code"] == "session-limit", error
    for number in range(value):
        control.ok("close", session=f"s{number}")


def body_bytes(daemon: Daemon, control: Control, value: int) -> None:
    def body(count: int) -> dict:
        return {"kind": "likes", "x": "a" * (count - len(json.dumps({"kind": "likes", "x": ""})))}

    control.publish("notification/b", body(value))
    assert control.code("notification/b", body(value + 1)) == "too-large"
    control.ok("close", session="b")


def name_bytes(daemon: Daemon, control: Control, value: int) -> None:
    name = "a" * value
    control.open(name, scene(toss()))
    control.ok("close", session=name)
    error = control.refused("open", session=name + "a", scene=scene(toss()))
    assert error["code"] == "bad-value" and str(value) in error["message"], error


def id_bytes(daemon: Daemon, control: Control, value: int) -> None:
    control.publish("notification/i", {"kind": "likes", "id": "a" * value})
    assert control.code(
        "notification/i", {"kind": "likes", "id": "a" * (value + 1)}) == "bad-value"
    control.ok("close", session="i")


def count(daemon: Daemon, control: Control, value: int) -> None:
    control.publish("notification/c", {"kind": "likes", "set": value})
    control.publish("notification/c", {"kind": "likes", "add": 5})
    assert control.badge("c")["counts"]["likes"] == value
    assert control.code("notification/c", {"kind": "likes", "set": value + 1}) == "bad-value"
    control.ok("close", session="c")


def components(daemon: Daemon, control: Control, value: int) -> None:
    control.open("k", scene(*(toss(id=f"t{number}") for number in range(value))))
    control.ok("close", session="k")
    error = control.refused(
        "open", session="k", scene=scene(*(toss(id=f"t{number}") for number in range(value + 1))))
    assert error["code"] == "bad-scene", error


def variables(daemon: Daemon, control: Control, value: int) -> None:
    def named(count: int) -> dict:
        return scene(toss()) | {"variables": {f"v{number}": number for number in range(count)}}

    control.open("v", named(value))
    control.ok("close", session="v")
    assert control.refused("open", session="v", scene=named(value + 1))["code"] == "bad-scene"


def variable_bytes(daemon: Daemon, control: Control, value: int) -> None:
    control.open("w", scene(toss()) | {"variables": {"name": ""}})
    assign = {"command": "assign", "values": {"name": "a" * value}}
    control.publish("command/w", assign)
    assert control.code(
        "command/w", assign | {"values": {"name": "a" * (value + 1)}}) == "bad-value"
    control.ok("close", session="w")


def notification_data_bytes(daemon: Daemon, control: Control, value: int) -> None:
    def body(count: int) -> dict:
        return {"kind": "likes", "data": {"x": "a" * (count - len('{"x":""}'))}}

    control.publish("notification/d", body(value))
    assert control.code("notification/d", body(value + 1)) == "bad-value"
    control.ok("close", session="d")


def keys_set(daemon: Daemon, control: Control, value: int) -> None:
    """So many keys are looked at, and the first unknown one is named."""
    control.open("q", scene(toss()))

    def values(count: int) -> dict:
        return {"command": "set", "component": "toss",
                "values": {f"k{number}": 0 for number in range(count)}}

    assert control.code("command/q", values(value)) == "bad-scene"
    assert control.code("command/q", values(value + 1)) == "bad-value"
    control.ok("close", session="q")


def request_id_bytes(daemon: Daemon, control: Control, value: int) -> None:
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    for more, is_ok in ((0, True), (1, False)):
        identity = "a" * (value - 2 + more)
        dealer.send_json({"op": "hello", "id": identity})
        assert dealer.poll(DEADLINE * 1000)
        assert dealer.recv_json()["ok"] is is_ok


def sessions_listed(daemon: Daemon, control: Control, value: int) -> None:
    control.ok("sessions", limit=value)
    assert control.refused("sessions", limit=value + 1)["code"] == "bad-value"


def excerpt_bytes(daemon: Daemon, control: Control, value: int) -> None:
    rejected = daemon.subscriber("rejected/-")
    daemon.publisher().send("notification/e", {"kind": "a b" * value})
    update = rejected.find("rejected/-")
    assert len(update.body["excerpt"].encode()) == value, update


def drops(daemon: Daemon, socket: zmq.Socket, send: typing.Callable[[], None]) -> bool:
    """Whether the daemon drops the connection after a send."""
    monitor = socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
    send()
    is_dropped = bool(monitor.poll(2_000))
    if is_dropped:
        recv_monitor_message(monitor)
    socket.disable_monitor()
    return is_dropped


def message_bytes(daemon: Daemon, control: Control, value: int) -> None:
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    request = b'{"op":"hello"}'
    dealer.send(request + b" " * (value - len(request)))
    assert dealer.poll(DEADLINE * 1000) and dealer.recv_json()["ok"] is True
    assert drops(daemon, dealer, lambda: dealer.send(b" " * (value + 1)))


def subscription_bytes(daemon: Daemon, control: Control, value: int) -> None:
    """The test goes well beyond the bound: libzmq 4.3.4 loses prefixes of 246 to 255 bytes."""
    subscriber = daemon.socket(zmq.SUB, daemon.updates)
    subscriber.subscribe(b"sync/first")
    assert subscriber.poll(DEADLINE * 1000)
    assert drops(daemon, subscriber, lambda: subscriber.subscribe(b"s" * (value + 64)))


ROWS: dict[str, typing.Callable[[Daemon, Control, int], None]] = {
    "limit_sessions": sessions,
    "limit_body_bytes": body_bytes,
    "limit_name_bytes": name_bytes,
    "limit_id_bytes": id_bytes,
    "limit_count": count,
    "limit_components": components,
    "limit_variables": variables,
    "limit_variable_bytes": variable_bytes,
    "limit_notification_data_bytes": notification_data_bytes,
    "limit_keys_set": keys_set,
    "limit_request_id_bytes": request_id_bytes,
    "limit_sessions_listed": sessions_listed,
    "limit_excerpt_bytes": excerpt_bytes,
    "limit_message_bytes": message_bytes,
    "limit_subscription_bytes": subscription_bytes,
}


@pytest.fixture(scope="module")
def bounded():
    with Daemon(CONFIG) as daemon:
        yield daemon


@pytest.mark.parametrize("name", ROWS)
def test_a_bound_is_met_at_the_value_that_is_published(bounded: Daemon, name: str):
    control = bounded.requests()
    ROWS[name](bounded, control, control.ok("hello")["limits"][name])
    assert bounded.is_running


def test_every_published_bound_has_a_test(bounded: Daemon):
    published = set(bounded.requests().ok("hello")["limits"])
    driven = set()
    for file in SWIFT.glob("*.swift"):
        driven |= set(re.findall(r'"(limit_[a-z_]+)": ', file.read_text()))
    assert published - driven - set(ROWS) == set()
    assert set(ROWS) <= published
