"""Marked objects on a table: TUIO by real datagrams, the gesture `token`, items and reactions."""

from __future__ import annotations

import signal
import time

import pytest
from client import DEADLINE, Control, Daemon, Subscriber, Update
from pythontuio import Object, TuioServer
from scenes import dynamics, scene
from tool import staying_daemon
from trackers import Table, bundle, frame, head2, message, objects, token2

LENS = {"id": "lens", "center": [160, 100], "size": [80, 80], "token": 5}
DIAL = {"id": "dial", "center": [60, 500], "size": [60, 60], "shape": "circle", "token": 6}
PHOTO = {"id": "photo", "center": [160, 400], "size": [100, 60]}

REACTIONS = [
    {"when": {"component": "world", "token": 5, "event": "put"},
     "do": {"component": "badges", "command": "add", "kind": "put"}},
    {"when": {"component": "world", "token": 5, "event": "lifted"},
     "do": {"component": "badges", "command": "add", "kind": "lifted"}},
    {"when": {"component": "world", "token": 5, "event": "turned"},
     "do": {"component": "badges", "command": "set", "kind": "degrees", "count": "$angle"}},
    {"when": {"component": "world", "event": "put"},
     "do": {"component": "badges", "command": "add", "kind": "any", "count": "$token"}},
]


def follow(daemon: Daemon, control: Control, session: str) -> Subscriber:
    control.open(session, scene(dynamics(items=[LENS, DIAL, PHOTO]), reactions=REACTIONS))
    return daemon.subscriber(f"state/{session}/")


def lies(update: Update, item: str, x: float, y: float, rotation: float) -> bool:
    view = update.body.get("views", {}).get(item)
    return view is not None and all(
        abs(view[name] - value) < 0.01
        for name, value in {"x": x, "y": y, "rotation": rotation}.items())


def expect_at(
    updates: Subscriber, item: str, x: float, y: float, rotation: float = 0.0
) -> dict:
    """Waits until an item is at a point; returns the component's state then."""
    return updates.until(
        lambda update: lies(update, item, x, y, rotation), f"{item} at {x}, {y}")[-1].body


def token(phase: str, symbol: int, x: float, y: float, angle: float = 0.0, **fields) -> dict:
    return {"gesture": "token", "phase": phase, "symbol": symbol, "x": x, "y": y, "angle": angle,
            **fields}


def test_an_object_carries_its_item(daemon: Daemon, control: Control, session: str):
    updates = follow(daemon, control, session)
    transitions = daemon.subscriber(f"transition/{session}/")
    topic = f"transition/{session}/world"
    with Table(daemon, session) as table:
        table.send(objects(1, {12: (5, 0.5, 0.5, 0.5)}))
        state = expect_at(updates, "lens", 160, 284, 0.5)
        assert state["model"]["tokens"] == [{"symbol": 5, "x": 160, "y": 284, "angle": 0.5}]
        put = transitions.find(topic, name="token", event="began").body
        assert (put["token"], put["item"], put["angle"], put["duration"]) == (5, "lens", 0.5, 0)
        table.send(objects(2, {12: (5, 0.25, 0.75, 1.25)}))
        expect_at(updates, "lens", 80, 426, 1.25)
        turned = transitions.find(topic, name="turn", event="began").body
        assert (turned["token"], turned["angle"]) == (5, 1.25)
        table.send(objects(3, {}))
        lifted = transitions.find(topic, name="token", event="ended").body
        assert (lifted["token"], lifted["item"]) == (5, "lens")
        counters = table.stop()
    assert counters["tokens"] == 1 and counters["contacts"] == 0 and counters["ignored"] == 0
    state = control.state(session, "world")
    assert "tokens" not in state["model"]
    # It stays where it was lifted.
    assert state["views"]["lens"]["x"] == 80 and state["views"]["lens"]["y"] == 426


def test_a_tracker_from_elsewhere_puts_an_object(daemon: Daemon, control: Control, session: str):
    updates = follow(daemon, control, session)
    with Table(daemon, session) as table:
        tracker = TuioServer("127.0.0.1", table.port)
        thing = Object(12)
        thing.class_id, thing.position, thing.angle = 5, (0.5, 0.5), 0.5
        tracker.objects.append(thing)
        tracker.send_bundle()
        expect_at(updates, "lens", 160, 284, 0.5)
        thing.position = (0.75, 0.25)
        tracker.send_bundle()
        expect_at(updates, "lens", 240, 142, 0.5)
        tracker.objects.clear()
        tracker.send_bundle()
        updates.until(lambda update: "tokens" not in update.body["model"], "its end")
        assert table.stop()["tokens"] == 1


def test_the_second_version_tells_components_and_symbols(
    daemon: Daemon, control: Control, session: str
):
    updates = follow(daemon, control, session)
    with Table(daemon, session) as table:
        # One has a component; the other one's number stands in a symbol.
        table.send(bundle(
            head2(1), token2(1, 5, 0.5, 0.5, 0.5), token2(2, 0, 0.25, 0.25, 0.0),
            message("/tuio2/sym", 2, 0, 0, "fidtrk/18", "6"), message("/tuio2/alv", 1, 2)))
        state = expect_at(updates, "dial", 80, 142)
        assert [token["symbol"] for token in state["model"]["tokens"]] == [5, 6]
        table.send(bundle(
            head2(2), token2(1, 5, 0.75, 0.5, 0.5), message("/tuio2/alv", 1)))
        state = expect_at(updates, "lens", 240, 284, 0.5)
        assert [token["symbol"] for token in state["model"]["tokens"]] == [5]
        assert table.stop()["tokens"] == 2


def test_fingers_drag_beside_objects(daemon: Daemon, control: Control, session: str):
    updates = follow(daemon, control, session)
    with Table(daemon, session) as table:
        table.send(objects(1, {1: (5, 0.5, 0.25, 0.0)}, "t"))
        for number in range(1, 8):
            table.send(
                frame(number, {1: (0.5, 0.68 + number / 40)}, "t"),
                objects(number + 1, {1: (5, 0.5, 0.25 + number / 100, 0.0)}, "t"))
            # Samples of one instant are told as one.
            table.until(frames=1 + 2 * number)
        updates.until(
            lambda update: update.body["views"]["photo"]["y"] > 420, "the photo on its finger")
        expect_at(updates, "lens", 160, 0.32 * 568)
        table.send(frame(8, {}, "t"), objects(9, {}, "t"))
        counters = table.stop()
    assert counters["tokens"] == 1 and counters["contacts"] == 1 and counters["late"] == 0


def test_a_silent_tracker_lifts_its_objects(daemon: Daemon, control: Control, session: str):
    follow(daemon, control, session)
    badges = daemon.subscriber(f"badge/{session}")
    with Table(daemon, session) as table:
        table.send(objects(1, {1: (5, 0.5, 0.5, 0.0)}))
        badges.until(lambda update: update.body["counts"].get("put") == 1, "the put")
        start = time.monotonic()
        badges.until(lambda update: update.body["counts"].get("lifted") == 1, "the end")
        assert 2 < time.monotonic() - start < 6
        assert table.stop()["silent"] == 1


def test_a_scene_reacts_to_put_turned_and_lifted(control: Control, session: str):
    control.open(session, scene(dynamics(items=[LENS]), reactions=REACTIONS))
    topic = f"gesture/{session}"

    def counts(body: dict) -> dict:
        control.publish(topic, body)
        return control.badge(session)["counts"]

    assert counts(token("began", 5, 100, 100)) == {"any": 5, "put": 1}
    assert counts(token("changed", 5, 110, 100, 0.25)) == {"any": 5, "put": 1}
    assert counts(token("changed", 5, 110, 100, -0.5))["degrees"] == 331
    assert counts(token("began", 9, 10, 10)) == {"any": 14, "put": 1, "degrees": 331}
    assert counts(token("ended", 5, 110, 100))["lifted"] == 1


def test_a_table_hears_of_tokens_on_its_empty_places(control: Control, session: str):
    control.open(session, scene(dynamics(items=[LENS], frame=[0, 0, 320, 284])))
    topic = f"gesture/{session}"
    answer = control.publish(topic, token("began", 7, 300, 20, user="ada"))
    assert answer["hit"] == {"component": "world", "view": None}
    # Beside it: nothing happens, and it is put where it comes to.
    assert control.publish(topic, token("began", 8, 300, 400))["hit"] is None
    answer = control.publish(topic, token("changed", 8, 300, 100))
    assert answer["hit"] == {"component": "world", "view": None}
    tokens = control.state(session, "world")["model"]["tokens"]
    assert [token["symbol"] for token in tokens] == [7, 8]


@pytest.mark.parametrize(("fields", "code"), [
    ({"symbol": -1}, "bad-value"), ({"symbol": 2**31}, "bad-value"), ({"symbol": 0.5}, "bad-value"),
    ({"symbol": None}, "bad-value"), ({"angle": "0"}, "bad-value"), ({"x": 2e6}, "bad-value"),
    ({"user": "a b"}, "bad-value"), ({"phase": "turned"}, "bad-value"),
    ({"phase": "changed"}, "out-of-order"), ({"phase": "ended"}, "out-of-order"),
])
def test_a_wrong_token_is_refused(control: Control, session: str, fields: dict, code: str):
    control.open(session, scene(dynamics(items=[LENS])))
    body = {**token("began", 5, 100, 100), **fields}
    assert control.code(f"gesture/{session}", body) == code


def test_a_token_is_no_gesture_of_other_kinds(control: Control, session: str):
    control.open(session, scene({"id": "toss", "kind": "toss"}))
    error = control.refused(
        "publish", topic=f"gesture/{session}/toss", body=token("began", 5, 100, 100))
    assert error["code"] == "unknown-gesture"
    assert control.publish(f"gesture/{session}", token("began", 5, 100, 100))["hit"] is None


def test_no_more_tokens_lie_on_a_component_than_it_takes(control: Control, session: str):
    control.open(session, scene(dynamics(items=[LENS])))
    most = control.ok("hello")["limits"]["limit_tokens"]
    topic = f"gesture/{session}/world"
    for symbol in range(most):
        control.publish(topic, token("began", symbol, 10, 10))
    assert control.code(topic, token("began", most, 10, 10)) == "bad-value"
    assert len(control.state(session, "world")["model"]["tokens"]) == most


def test_an_object_that_lies_there_is_put_again_when_the_daemon_is_back():
    with staying_daemon() as daemon:
        control = daemon.requests()
        control.open("table", scene(dynamics(items=[LENS])))
        with Table(daemon, "table") as table:
            table.send(objects(1, {1: (5, 0.5, 0.5, 0.25)}))
            table.until(tokens=1)
            daemon.restart(signal.SIGKILL)
            end, number = time.monotonic() + DEADLINE, 2
            while table.counters()["tokens"] < 2:
                # The tracker repeats what it sees.
                table.send(objects(number, {1: (5, 0.5, 0.5, 0.25)}))
                assert time.monotonic() < end, table.counters()
                time.sleep(0.05)
                number += 1
            assert table.counters()["lost"] == 0
