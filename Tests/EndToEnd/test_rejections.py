"""Every code of a refused event, over both sockets, reported exactly once."""

from __future__ import annotations

import json

import pytest
from client import Control, Daemon, Publisher, Update
from scenes import still

PAN = {"gesture": "pan", "phase": "began", "x": 160, "y": 223}
LIKES = {"kind": "likes"}


def without(body: dict, field: str) -> dict:
    return {key: value for key, value in body.items() if key != field}


# `{}` in a topic stands for the test's open session.
BODIES = [
    ("gesture/{}/nobody", PAN, "unknown-component"),
    ("gesture/{}/toss", {}, "missing-field"),
    ("gesture/{}/toss", {"gesture": "fly"}, "unknown-gesture"),
    ("gesture/{}/toss", {"gesture": 7}, "bad-value"),
    ("gesture/{}/toss", without(PAN, "phase"), "missing-field"),
    ("gesture/{}/toss", without(PAN, "x"), "missing-field"),
    ("gesture/{}/toss", without(PAN, "y"), "missing-field"),
    ("gesture/{}/toss", PAN | {"phase": "later"}, "bad-value"),
    ("gesture/{}/toss", PAN | {"phase": 1}, "bad-value"),
    ("gesture/{}/toss", PAN | {"x": "1"}, "bad-value"),
    ("gesture/{}/toss", PAN | {"x": None}, "bad-value"),
    ("gesture/{}/toss", PAN | {"x": [1]}, "bad-value"),
    ("gesture/{}/toss", PAN | {"x": 1_000_000.1}, "bad-value"),
    ("gesture/{}/toss", PAN | {"y": -1e7}, "bad-value"),
    ("gesture/{}/toss", PAN | {"vx": 2e6, "vy": 0}, "bad-value"),
    ("gesture/{}/toss", PAN | {"vx": "fast", "vy": 0}, "bad-value"),
    ("gesture/{}/toss", PAN | {"t": "noon"}, "bad-value"),
    ("gesture/{}/toss", PAN | {"phase": "changed"}, "out-of-order"),
    ("gesture/{}/toss", PAN | {"phase": "ended"}, "out-of-order"),
    ("gesture/{}/toss", {"gesture": "scroll", "phase": "began", "offset": 1}, "unknown-gesture"),
    ("gesture/{}/toss", {"gesture": "swipe", "direction": "left", "x": 1, "y": 1},
     "unknown-gesture"),
    ("gesture/{}/profile", PAN, "unknown-gesture"),
    ("gesture/{}/profile", {"gesture": "scroll", "phase": "began"}, "missing-field"),
    ("gesture/{}/profile", {"gesture": "scroll", "offset": 1}, "missing-field"),
    ("gesture/{}/profile", {"gesture": "scroll", "phase": "began", "offset": 2e6}, "bad-value"),
    ("gesture/{}/tabs", {"gesture": "tap"}, "missing-field"),
    ("gesture/{}/tabs", {"gesture": "tap", "index": 4}, "bad-value"),
    ("gesture/{}/tabs", {"gesture": "tap", "index": -1}, "bad-value"),
    ("gesture/{}/tabs", {"gesture": "tap", "index": 1.5}, "bad-value"),
    ("gesture/{}/tabs", {"gesture": "tap", "index": "1"}, "bad-value"),
    ("gesture/{}/tabs", {"gesture": "tap", "x": 10, "y": 10}, "bad-value"),
    ("gesture/{}/tabs", {"gesture": "tap", "x": -5, "y": 550}, "bad-value"),
    ("gesture/{}/toss", {"gesture": "pointer", "phase": "began", "x": 1, "y": 1}, "missing-field"),
    ("gesture/{}/toss", {"gesture": "pointer", "phase": "began", "pointer": 1.5, "x": 1, "y": 1},
     "bad-value"),
    ("gesture/{}/toss", {"gesture": "pointer", "phase": "changed", "pointer": 3, "x": 1, "y": 1},
     "out-of-order"),
    ("gesture/{}/navigation", {"gesture": "pointer", "phase": "changed", "pointer": 3, "x": 1,
                               "y": 1}, "out-of-order"),
    ("gesture/{}/navigation", PAN, "bad-value"),
    ("gesture/{}/list", {"gesture": "swipe", "direction": "left", "row": 20}, "bad-value"),
    ("gesture/{}/list", {"gesture": "swipe", "direction": "up", "row": 2}, "bad-value"),
    ("gesture/{}/list", {"gesture": "scroll", "phase": "changed", "offset": 1}, "out-of-order"),
    ("gesture/{}/reader", {"gesture": "scroll", "phase": "ended", "offset": 99}, "out-of-order"),
    ("gesture/{}/reader", {"gesture": "tap", "x": 1, "y": 1}, "unknown-gesture"),
    ("gesture/{}/toss", {"gesture": "wheel", "dy": 1}, "unknown-gesture"),
    ("gesture/{}/list", {"gesture": "wheel", "x": 1, "y": 1}, "missing-field"),
    ("gesture/{}/list", {"gesture": "wheel", "dy": 1, "x": 1}, "missing-field"),
    ("gesture/{}/list", {"gesture": "wheel", "dx": "1"}, "bad-value"),
    ("gesture/{}/list", {"gesture": "wheel", "dy": 1, "phase": "later"}, "bad-value"),
    ("gesture/{}/list", {"gesture": "wheel", "dy": 1, "momentum": "yes"}, "bad-value"),
    ("gesture/{}/list", {"gesture": "wheel", "dy": 1, "phase": "changed"}, "out-of-order"),
    ("gesture/{}/toss", {"gesture": "pinch", "phase": "began", "scale": 0}, "bad-value"),
    ("gesture/{}/toss", {"gesture": "rotation", "phase": "began"}, "missing-field"),
    ("gesture/{}/toss", {"gesture": "longpress", "phase": "began", "x": "left", "y": 1},
     "bad-value"),
    ("gesture/{}/tips", PAN | {"phase": "changed"}, "out-of-order"),
    ("notification/{}", {}, "missing-field"),
    ("notification/{}", {"kind": 7}, "bad-value"),
    ("notification/{}", {"kind": ""}, "bad-value"),
    ("notification/{}", {"kind": "two words"}, "bad-value"),
    ("notification/{}", {"kind": "k" * 65}, "bad-value"),
    ("notification/{}", LIKES | {"add": -1}, "bad-value"),
    ("notification/{}", LIKES | {"add": 1.5}, "bad-value"),
    ("notification/{}", LIKES | {"add": "3"}, "bad-value"),
    ("notification/{}", LIKES | {"set": -1}, "bad-value"),
    ("notification/{}", LIKES | {"set": 2**53}, "bad-value"),
    ("notification/{}", LIKES | {"set": True}, "bad-value"),
    ("notification/{}", LIKES | {"id": 7}, "bad-value"),
    ("notification/{}", LIKES | {"id": ""}, "bad-value"),
    ("notification/{}", LIKES | {"id": "i" * 65}, "bad-value"),
    ("command/{}/toss", {}, "missing-field"),
    ("command/{}/toss", {"command": 7}, "bad-value"),
    ("command/{}/toss", {"command": "dance"}, "unknown-command"),
    ("command/{}/toss", {"command": "select", "index": 0}, "unknown-command"),
    ("command/{}/nobody", {"command": "reset"}, "unknown-component"),
    ("command/{}/navigation", {"command": "back"}, "bad-value"),
    ("command/{}/navigation", {"command": "present", "screen": "a"}, "missing-field"),
    ("command/{}/reader", {"command": "previous"}, "bad-value"),
    ("command/{}/list", {"command": "reset"}, "unknown-command"),
    ("command/{}/tabs", {"command": "select"}, "missing-field"),
    ("command/{}/tabs", {"command": "select", "index": 4}, "bad-value"),
    ("command/{}/tabs", {"command": "glow", "index": -1}, "bad-value"),
    ("command/{}/tabs", {"command": "unglow"}, "missing-field"),
    ("command/{}/badges", {"command": "dance"}, "unknown-command"),
    ("command/{}/badges", {"command": "clear", "kind": 7}, "bad-value"),
    ("command/{}", {}, "missing-field"),
    ("command/{}", {"command": "dance"}, "unknown-command"),
]
TOPICS = [
    "", "/", "gesture", "gesture/", "gesture//toss", "gesture/{}/",
    "gesture/{}/toss/more", "gesture/{}/to ss", "gesture/{}/töss", "gesture/a b/toss",
    "gesture/" + "s" * 65 + "/toss", "gesture/{}/" + "c" * 65, "Gesture/{}/toss",
    "notification", "notification/", "notification/{}/more", "command/", "command/{}/a/b",
    "state/{}/toss", "badge/{}", "sync/1", "heartbeat", "notification/" + "s" * 188,
    " notification/{}", "notification/{} ", "notification/{}\n", "notification/{}\0",
]
RAW = [
    (b"", "bad-json"), (b"x", "bad-json"), (b"[]", "bad-json"), (b'"pan"', "bad-json"),
    (b"null", "bad-json"), (b"1", "bad-json"), (b'{"kind":"likes"', "bad-json"),
    (b'{"kind":"likes"}}', "bad-json"), (b"{'kind':'likes'}", "bad-json"),
    (b'{"kind":"li\xffkes"}', "bad-json"), (b"\xff\xfe{}", "bad-json"), (b"\0", "bad-json"),
    (b'{"kind":"likes","add":NaN}', "bad-json"), (b'{"kind":"likes","add":01}', "bad-json"),
    (b'{"kind":"likes","pad":"' + b"x" * 65536 + b'"}', "too-large"),
]


@pytest.fixture
def open_session(control: Control, session: str) -> str:
    control.open(session, still())
    return session


def expect_one(daemon: Daemon, session: str, send, **fields: object) -> Update:
    """Sends once. Exactly one rejection comes, and no other update of this session."""
    updates = daemon.subscriber("rejected/", f"transition/{session}/", "session/")
    send()
    got = updates.until(lambda u: u.topic.startswith("rejected/"), f"a rejection {fields}")
    got += updates.during(0.12)  # Also keeps `rejected/-` below ten a second.
    assert len(got) == 1, f"more than one answer: {got}"
    for name, value in fields.items():
        assert got[0].body[name] == value, f"{name} is not {value!r}: {got[0]}"
    assert isinstance(got[0].body["message"], str) and got[0].body["message"], got[0]
    return got[0]


@pytest.mark.parametrize("topic, body, code", BODIES, ids=[f"{r[0]} {r[1]}" for r in BODIES])
def test_an_event_is_refused_with_its_code(
    daemon: Daemon, control: Control, publisher: Publisher, open_session: str, topic: str,
    body: dict, code: str
):
    topic = topic.format(open_session)
    before = control.snapshot(open_session)
    assert control.code(topic, body) == code
    text = json.dumps(body)
    rejected = expect_one(
        daemon, open_session, lambda: publisher.raw(topic.encode(), text.encode()), code=code,
        topic=topic, excerpt=text[:120])
    assert rejected.topic == f"rejected/{open_session}", rejected
    after = control.snapshot(open_session)
    assert {k: without(v, "t") | {"seq": 0} for k, v in after.items()} == {
        k: without(v, "t") | {"seq": 0} for k, v in before.items()}, "a refusal changed something"


@pytest.mark.parametrize("topic", TOPICS, ids=repr)
def test_a_bad_topic_is_refused_as_such(
    daemon: Daemon, control: Control, publisher: Publisher, open_session: str, topic: str
):
    topic = topic.format(open_session) if "{}" in topic else topic
    assert control.code(topic, LIKES) == "bad-topic"
    rejected = expect_one(
        daemon, open_session, lambda: publisher.send(topic, LIKES), code="bad-topic")
    assert rejected.topic == "rejected/-", rejected


@pytest.mark.parametrize("body, code", RAW, ids=[repr(row[0][:30]) for row in RAW])
def test_a_bad_body_is_refused_as_such(
    daemon: Daemon, publisher: Publisher, open_session: str, body: bytes, code: str
):
    topic = f"notification/{open_session}"
    expect_one(
        daemon, open_session, lambda: publisher.raw(topic.encode(), body), code=code, topic=topic)


@pytest.mark.parametrize("frames", [1, 3, 4])
def test_other_than_two_frames_are_refused(
    daemon: Daemon, publisher: Publisher, open_session: str, frames: int
):
    parts = [f"notification/{open_session}".encode(), *[b'{"kind":"likes"}'] * (frames - 1)]
    expect_one(daemon, open_session, lambda: publisher.raw(*parts), code="bad-frames")


def test_a_body_of_64_kib_is_not_too_large(
    daemon: Daemon, publisher: Publisher, open_session: str
):
    updates = daemon.subscriber(f"badge/{open_session}")
    start = b'{"kind":"likes","pad":"'
    body = start + b"x" * (65536 - len(start) - 2) + b'"}'
    assert len(body) == 65536
    publisher.raw(f"notification/{open_session}".encode(), body)
    updates.find(f"badge/{open_session}", total=1)


def test_numbers_beyond_a_double_are_refused(
    daemon: Daemon, publisher: Publisher, open_session: str
):
    body = b'{"gesture":"scroll","phase":"began","offset":1e999}'
    topic = f"gesture/{open_session}/profile".encode()
    rejected = expect_one(daemon, open_session, lambda: publisher.raw(topic, body))
    assert rejected.body["code"] in ("bad-json", "bad-value"), rejected


def test_an_excerpt_is_at_most_120_bytes_of_text(
    daemon: Daemon, publisher: Publisher, open_session: str
):
    body = json.dumps({"kind": "ü€😀" * 40, "add": -1}, ensure_ascii=False).encode()
    topic = f"notification/{open_session}".encode()
    rejected = expect_one(daemon, open_session, lambda: publisher.raw(topic, body))
    excerpt = rejected.body["excerpt"].rstrip("\N{REPLACEMENT CHARACTER}").encode()
    assert 110 <= len(excerpt) <= 120 and body.startswith(excerpt), rejected


def test_unknown_fields_are_ignored(control: Control, open_session: str):
    control.notify(open_session, "likes", colour="red", nested={"add": [-1]})
    control.gesture(open_session, "profile", "scroll", "changed", offset=4, pressure="hard", x=1e9)
    assert control.state(open_session, "profile")["model"]["offset"] == 4


def test_the_limits_of_numbers_are_within(control: Control, open_session: str):
    for offset in (1_000_000, -1_000_000, 1e-300, 0):
        control.gesture(open_session, "profile", "scroll", "changed", offset=offset)


def test_a_name_of_64_bytes_of_every_kind_is_good(control: Control):
    alphabet = "ABCZabcz0189._~-"
    name = (alphabet * 4)[:64]
    control.notify(name, name)
    assert control.snapshot(name)[f"badge/{name}"]["counts"] == {name: 1}


def test_a_rejection_of_a_session_that_is_not_open_goes_to_a_dash(
    daemon: Daemon, publisher: Publisher, session: str
):
    updates = daemon.subscriber("rejected/")
    publisher.send(f"notification/{session}", {"kind": 7})
    rejected = updates.find("rejected/-", code="bad-value")
    assert rejected.body["topic"] == f"notification/{session}"
    assert rejected.body["epoch"] == daemon.epoch


def test_a_refused_began_suppresses_the_rest_of_its_contact(
    daemon: Daemon, control: Control, publisher: Publisher, open_session: str
):
    """The daemon counts the rest and does not report it."""
    control.command(open_session, "tips", "dismiss")
    updates = daemon.subscriber(f"rejected/{open_session}")
    for phase in ("began", "changed", "changed", "ended"):
        publisher.send(f"gesture/{open_session}/tips", PAN | {"phase": phase})
    publisher.send(f"gesture/{open_session}/tips", PAN | {"phase": "changed"})
    got = [updates.next(), updates.next(), *updates.during(0.2)]
    assert [update.body["code"] for update in got] == ["busy", "out-of-order"], got


def test_each_phase_of_a_refused_gesture_has_the_code_of_its_began(
    control: Control, open_session: str
):
    topic = f"gesture/{open_session}/tips"
    codes = [control.code(topic, PAN | {"phase": phase}) for phase in (
        "began", "changed", "ended", "changed")]
    assert codes == ["busy", "busy", "busy", "out-of-order"]


def test_rejections_go_out_at_most_ten_a_second_but_all_are_counted():
    with Daemon() as daemon:
        control, publisher = daemon.requests(), daemon.publisher()
        control.open("alice", still())
        updates = daemon.subscriber("rejected/", "heartbeat")
        for _ in range(500):
            publisher.send("notification/alice", {"kind": 7})
        got = updates.until(
            lambda u: u.topic == "heartbeat" and u.body["rejected"] >= 500, "500 rejections")
        assert got[-1].body["rejected"] == 500, got[-1]
        rejected = [update for update in got if update.topic == "rejected/alice"]
        seconds = (got[-1].t - rejected[0].t) / 1000 + 1
        assert 10 <= len(rejected) <= 10 * (int(seconds) + 1), f"{len(rejected)} in {seconds} s"


def test_one_sessions_rejections_leave_room_for_anothers(
    daemon: Daemon, control: Control, publisher: Publisher, session: str
):
    loud, shy = f"{session}-loud", f"{session}-shy"
    control.open(loud, still())
    control.open(shy, still())
    updates = daemon.subscriber(f"rejected/{loud}", f"rejected/{shy}")
    for _ in range(200):
        publisher.send(f"notification/{loud}", {"kind": 7})
    publisher.send(f"notification/{shy}", {"kind": 7})
    updates.find(f"rejected/{shy}", code="bad-value")


def test_a_session_that_is_not_open_leaves_room_for_anothers():
    with Daemon('auto_open = ""\n') as daemon:
        publisher, updates = daemon.publisher(), daemon.subscriber("rejected/-", "heartbeat")
        for _ in range(3000):
            publisher.send("notification/loud", {"kind": "likes"})
        publisher.send("notification/shy", {"kind": "likes"})
        got = updates.until(
            lambda u: u.topic == "heartbeat" and u.body["rejected"] >= 3001, "all are refused")
        told = [u.body["topic"] for u in got if u.topic == "rejected/-"]
        seconds = (got[-1].t - got[0].t) / 1000 + 1
        assert told.count("notification/shy") == 1
        assert 10 <= told.count("notification/loud") <= 10 * (int(seconds) + 1)


def test_wrong_frames_are_reported_on_the_session_that_they_name(
    daemon: Daemon, control: Control, publisher: Publisher, session: str
):
    control.open(session, still())
    updates = daemon.subscriber(f"rejected/{session}")
    topic = f"notification/{session}".encode()
    publisher.raw(topic, b'{"kind":"y"}', b"z")
    told = updates.find(f"rejected/{session}", code="bad-frames")
    assert told.body["topic"] == topic.decode() and told.body["excerpt"] == '{"kind":"y"}', told
    publisher.raw(topic)
    updates.find(f"rejected/{session}", code="bad-frames", excerpt="")


def test_a_refused_contact_is_suppressed_where_no_session_is_open(
    daemon: Daemon, publisher: Publisher, session: str
):
    updates = daemon.subscriber("rejected/-")
    topic = f"gesture/{session}/toss"
    publisher.send(topic, {"gesture": "pan", "phase": "began", "x": "bad", "y": 1})
    for phase in ("changed", "changed", "ended"):
        publisher.send(topic, {"gesture": "pan", "phase": phase, "x": 1, "y": 1})
    publisher.send(f"notification/{session}", {"kind": "last word!"})
    codes = []
    while not codes or codes[-1] != "the end":
        told = updates.find("rejected/-")
        if session in told.body["topic"]:
            codes.append("the end" if "notification" in told.body["topic"] else told.body["code"])
    assert codes == ["bad-value", "the end"], codes
