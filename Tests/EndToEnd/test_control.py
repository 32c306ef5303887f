"""Requests and replies: framing, ids, every operation and its errors."""

from __future__ import annotations

import json
import time

import pytest
import zmq
from client import DEADLINE, Control, Daemon
from scenes import KINDS, scene, still, toss

CODES = {
    "bad-frames", "bad-topic", "bad-json", "too-large", "unknown-session", "unknown-scene",
    "bad-scene", "unknown-component", "unknown-gesture", "unknown-command", "missing-field",
    "bad-value", "out-of-order", "busy", "duplicate", "session-limit", "unknown-op",
    "unauthorized", "moved", "internal",
}


def exchange(socket: zmq.Socket, *frames: bytes) -> list[bytes]:
    socket.send_multipart(frames)
    assert socket.poll(DEADLINE * 1000), f"no answer to {frames!r}"
    return socket.recv_multipart()


HELLO = b'{"op":"hello"}'


def test_a_dealer_may_leave_out_the_empty_frame(daemon: Daemon):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    frames = exchange(dealer, HELLO)
    assert len(frames) == 1 and json.loads(frames[0])["ok"] is True


def test_a_dealer_may_put_an_empty_frame_and_gets_it_back(daemon: Daemon):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    frames = exchange(dealer, b"", HELLO)
    assert len(frames) == 2 and frames[0] == b"" and json.loads(frames[1])["ok"] is True


def test_a_req_is_answered(daemon: Daemon):
    req = daemon.socket(zmq.REQ, daemon.control)
    for _ in range(3):
        (body,) = exchange(req, HELLO)
        assert json.loads(body)["ok"] is True


def test_a_req_that_correlates_is_answered(daemon: Daemon):
    req = daemon.socket(zmq.REQ)
    req.setsockopt(zmq.REQ_CORRELATE, 1)
    req.setsockopt(zmq.REQ_RELAXED, 1)
    req.connect(daemon.control)
    for number in range(3):
        # An answer to the first of two would be dropped by its number.
        req.send(b'{"op":"hello","id":-1}')
        (body,) = exchange(req, b'{"op":"hello","id":%d}' % number)
        assert json.loads(body)["id"] == number


def test_a_reply_goes_back_through_proxies(daemon: Daemon):
    """All frames up to the empty one come back, within bounds."""
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    limits = Control(daemon).ok("hello")["limits"]
    frames, most = limits["limit_envelope_frames"], limits["limit_envelope_bytes"]
    for route in ([b"\0\0\0\1"], [b"proxy", b"\0" * 5], [b"x"] * (frames - 1), [b"x" * most]):
        answer = exchange(dealer, *route, b"", HELLO)
        assert answer[:-1] == [*route, b""] and json.loads(answer[-1])["ok"], answer
    for route in ([b"x"] * frames, [b"x"] * 100, [b"x" * (most + 1)]):
        answer = exchange(dealer, *route, b"", HELLO)
        assert json.loads(answer[-1])["error"]["code"] == "bad-frames", answer
        assert sum(map(len, answer[:-1])) == 0, "what is beyond the bounds does not come back"


@pytest.mark.parametrize("identity", ["7", '"seven"', "0", '"ünïcode \\" quote"', "123456789012"])
def test_a_reply_carries_the_id_of_its_request(daemon: Daemon, identity: str):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    for request in ('{"id":%s,"op":"hello"}', '{"id":%s,"op":"nonsense"}', '{"id":%s}'):
        reply = json.loads(exchange(dealer, (request % identity).encode())[-1])
        assert reply["id"] == json.loads(identity), reply


@pytest.mark.parametrize("identity", [
    "18446744073709551616", "-9223372036854775809", "-99999999999999999999",
    '[1,{"a":123456789012345678901234567890}]',
])
def test_an_id_that_would_come_back_otherwise_is_refused(daemon: Daemon, identity: str):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    reply = json.loads(exchange(dealer, b'{"id":%s,"op":"hello"}' % identity.encode())[-1])
    assert reply["error"]["code"] == "bad-value" and "id" not in reply, reply


def test_the_widest_ids_come_back_as_they_were(daemon: Daemon):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    for identity in (2**63 - 1, 2**63, 2**64 - 1, -(2**63), [2**62, 0.5], {"a": [None, 1e18]}):
        request = json.dumps({"id": identity, "op": "hello"}).encode()
        reply = json.loads(exchange(dealer, request)[-1])
        assert reply["id"] == identity and reply["ok"], reply


def test_a_request_without_an_id_gets_a_reply_without_one(daemon: Daemon):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    assert json.loads(exchange(dealer, HELLO)[-1]).get("id") is None


MALFORMED = [
    (b"nonsense", "bad-json"),
    (b"[]", "bad-json"),
    (b'"hello"', "bad-json"),
    (b"null", "bad-json"),
    (b"7", "bad-json"),
    (b'{"op":"hello"', "bad-json"),
    (b'{"op":"hello"} x', "bad-json"),
    (b'{"op":"h\xff"}', "bad-json"),
    (b"\x00", "bad-json"),
    (b"{}", "missing-field"),
    (b'{"op":7}', "bad-value"),
    (b'{"op":null}', "bad-value"),
    (b'{"op":"dance"}', "unknown-op"),
    (b'{"op":""}', "unknown-op"),
    (b'{"op":"HELLO"}', "unknown-op"),
]


@pytest.mark.parametrize("empty", [[], [b""]], ids=["bare", "delimited"])
@pytest.mark.parametrize("body, code", MALFORMED, ids=[repr(row[0]) for row in MALFORMED])
def test_a_malformed_request_is_answered(
    daemon: Daemon, control: Control, empty: list[bytes], body: bytes, code: str
):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    reply = json.loads(exchange(dealer, *empty, body)[-1])
    assert reply["ok"] is False and reply["error"]["code"] == code, reply
    assert reply["error"]["message"], reply
    assert control.ok("hello")


@pytest.mark.parametrize("rest", [b'"op":"hello"', b'"op":"hello","x":]}', b'"op"}',
                                  b'"x":"' + 8_192 * b"x" + b'"'])
def test_a_request_that_is_no_json_is_answered_with_its_id(daemon: Daemon, rest: bytes):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    reply = json.loads(exchange(dealer, b'{"id":"seven",' + rest)[-1])
    assert reply["id"] == "seven" and reply["error"]["code"] == "bad-json", reply


@pytest.mark.parametrize("identity", [b'"' + 1_100 * b"x" + b'"', b"18446744073709551616"])
def test_an_id_that_no_reply_may_have_comes_with_none(daemon: Daemon, identity: bytes):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    reply = json.loads(exchange(dealer, b'{"op":"hello","id":' + identity + b',"x":')[-1])
    assert "id" not in reply and reply["error"]["code"] == "bad-json", reply


@pytest.mark.parametrize("frames", [[b""], [b"", b""]], ids=["one", "two"])
def test_empty_frames_alone_are_answered(daemon: Daemon, frames: list[bytes]):
    reply = json.loads(exchange(daemon.socket(zmq.DEALER, daemon.control), *frames)[-1])
    assert reply["error"]["code"] in ("bad-json", "bad-frames"), reply


def test_too_many_frames_are_answered(daemon: Daemon):
    dealer = daemon.socket(zmq.DEALER, daemon.control)
    reply = json.loads(exchange(dealer, b"a", b"b", b"c", HELLO)[-1])
    assert reply["ok"] or reply["error"]["code"] == "bad-frames", reply


REFUSED = [
    ({"op": "open"}, "missing-field"),
    ({"op": "open", "session": "c", "scene": "nowhere"}, "unknown-scene"),
    ({"op": "open", "session": "c", "scene": 7}, "bad-value"),
    ({"op": "open", "session": 7, "scene": "phone"}, "bad-value"),
    ({"op": "open", "session": "a b", "scene": "phone"}, "bad-value"),
    ({"op": "open", "session": "", "scene": "phone"}, "bad-value"),
    ({"op": "open", "session": "x" * 65, "scene": "phone"}, "bad-value"),
    ({"op": "open", "session": "a/b", "scene": "phone"}, "bad-value"),
    ({"op": "open", "session": "c", "scene": {}}, "bad-scene"),
    ({"op": "close"}, "missing-field"),
    ({"op": "close", "session": "nobody"}, "unknown-session"),
    ({"op": "close", "session": []}, "bad-value"),
    ({"op": "snapshot"}, "missing-field"),
    ({"op": "snapshot", "session": "nobody"}, "unknown-session"),
    ({"op": "snapshot", "session": None}, "bad-value"),
    ({"op": "publish"}, "missing-field"),
    ({"op": "publish", "topic": "notification/c"}, "missing-field"),
    ({"op": "publish", "body": {"kind": "likes"}}, "missing-field"),
    ({"op": "publish", "topic": 7, "body": {}}, "bad-value"),
    ({"op": "publish", "topic": "nonsense", "body": {}}, "bad-topic"),
    ({"op": "publish", "topic": "notification/c", "body": 7}, "bad-json"),
    ({"op": "publish", "topic": "notification/c", "body": {}}, "missing-field"),
    ({"op": "sessions", "limit": 0}, "bad-value"),
    ({"op": "sessions", "limit": -1}, "bad-value"),
    ({"op": "sessions", "limit": "all"}, "bad-value"),
    ({"op": "sessions", "after": 7}, "bad-value"),
]


@pytest.mark.parametrize("request_, code", REFUSED, ids=[json.dumps(row[0]) for row in REFUSED])
def test_a_refusal_has_its_code_and_opens_nothing(control: Control, request_: dict, code: str):
    before = control.sessions()
    fields = {key: value for key, value in request_.items() if key != "op"}
    error = control.refused(request_["op"], **fields)
    accepted = {code, "bad-value"} if fields.get("body") == 7 else {code}
    assert error["code"] in accepted, error
    assert control.sessions() == before


def test_hello_says_who_and_what(daemon: Daemon, control: Control):
    hello = control.ok("hello")
    assert hello["protocol"] == 1 and hello["epoch"] == daemon.epoch
    assert hello["name"] == "gestured" and isinstance(hello["version"], str)
    assert abs(hello["t"] - time.time() * 1000) < 2000, hello
    assert isinstance(hello["limits"], dict) and hello["limits"], hello
    assert all(type(value) in (int, float) for value in hello["limits"].values()), hello


def test_open_says_whether_it_is_new(control: Control, session: str):
    first = control.open(session, still())
    assert first["created"] is True and isinstance(first["epoch"], str)
    again = control.open(session, "phone")
    assert again["created"] is False and again["epoch"] == first["epoch"]


def test_open_on_an_open_session_ignores_its_scene(control: Control, session: str):
    control.open(session, scene(toss(), name="mine"))
    control.open(session, still(name="other"))
    snapshot = control.ok("snapshot", session=session)
    assert snapshot["scene"] == "mine", snapshot["scene"]
    assert [u["topic"] for u in snapshot["updates"] if u["topic"].startswith("state/")] == [
        f"state/{session}/toss"]


def test_close_removes_at_once(control: Control, session: str):
    control.open(session, still())
    control.ok("close", session=session)
    assert session not in control.sessions()
    assert control.refused("snapshot", session=session)["code"] == "unknown-session"
    assert control.refused("close", session=session)["code"] == "unknown-session"


def test_a_snapshot_has_state_badge_and_session(control: Control, session: str):
    epoch = control.open(session, still(name="mine"))["epoch"]
    control.notify(session, "likes")
    snapshot = control.ok("snapshot", session=session)
    assert snapshot["session"] == session and snapshot["scene"] == "mine"
    assert snapshot["epoch"] == epoch
    topics = {update["topic"]: update["body"] for update in snapshot["updates"]}
    components = {f"state/{session}/{name}" for name in KINDS}
    whole = {f"{word}/{session}" for word in ("scene", "badge", "session", "frame")}
    assert set(topics) == components | whole
    for body in topics.values():
        assert list(body)[:3] == ["epoch", "seq", "t"] and body["epoch"] == epoch, body
    assert len({body["t"] for body in topics.values()}) == 1, "the topics differ in time"


def test_a_snapshot_has_every_acknowledged_change_of_its_connection(control: Control, session: str):
    control.open(session, still())
    for number in range(1, 201):
        control.notify(session, "likes")
        counts = control.snapshot(session)[f"badge/{session}"]["counts"]
        assert counts["likes"] == number


def test_sessions_come_in_pages_in_byte_order(daemon: Daemon):
    with Daemon() as fresh:
        control = fresh.requests()
        names = ["Zoe", "a", "a.b", "a-b", "a_b", "aa", "b", "~x", "0", "10", "9"]
        for name in names:
            control.open(name, scene(toss()))
        ordered = sorted(names, key=str.encode)
        assert control.ok("sessions")["sessions"] == ordered
        pages, after = [], None
        for _ in range(10):
            page = control.ok("sessions", limit=3, **({"after": after} if after else {}))
            pages.append(page["sessions"])
            after = page["next"]
            if after is None:
                break
            assert after == page["sessions"][-1], page
        assert [len(page) for page in pages] == [3, 3, 3, 2] and sum(pages, []) == ordered
        assert control.ok("sessions", after="~x") | {"id": 0} == {
            "id": 0, "ok": True, "sessions": [], "next": None}
        assert control.ok("sessions", after="a.a")["sessions"] == ordered[ordered.index("a.b"):]


def test_scenes_are_named(control: Control):
    assert "phone" in control.ok("scenes")["scenes"]


def test_stats_are_numbers_by_name(control: Control, session: str):
    control.open(session, still())
    stats = control.ok("stats")["stats"]
    assert len(stats) >= 5, stats

    def leaves(value: object):
        if isinstance(value, dict):
            for inner in value.values():
                yield from leaves(inner)
        else:
            yield value

    for leaf in leaves(stats):
        assert leaf is None or type(leaf) in (int, float, str), stats


def test_a_publish_of_each_kind_of_event(control: Control, session: str):
    control.publish(f"command/{session}", {"command": "open", "scene": "phone"})
    control.publish(f"notification/{session}", {"kind": "likes"})
    control.publish(f"gesture/{session}/tabs", {"gesture": "tap", "index": 1})
    control.publish(f"command/{session}/tabs", {"command": "select", "index": 2})
    assert control.state(session, "tabs")["model"]["selected"] == 2
    control.publish(f"command/{session}", {"command": "close"})
    assert session not in control.sessions()


def test_a_publish_that_opened_its_session_says_so(control: Control, session: str):
    """A misspelt name opens a session, too: only the answer can tell."""
    topic, likes = f"notification/{session}", {"kind": "likes"}
    refused = control.refused("publish", topic=f"gesture/{session}/nobody",
                              body={"gesture": "tap", "x": 1, "y": 1})
    assert refused["code"] == "unknown-component"
    assert control.publish(topic, likes | {"id": "1"})["created"] is True
    again = control.publish(topic, likes | {"id": "1"})
    assert again["duplicate"] is True and "created" not in again
    assert "created" not in control.publish(topic, likes)
    control.publish(f"command/{session}", {"command": "close"})
    opened = control.publish(f"command/{session}", {"command": "open", "scene": "phone"})
    assert opened["created"] is True
    control.open(f"{session}-2", still())
    assert "created" not in control.publish(f"notification/{session}-2", likes)


def test_a_repeated_id_is_ok_and_a_duplicate(control: Control, session: str):
    control.open(session, still())
    first = control.notify(session, "likes", id="once")
    assert not first.get("duplicate"), first
    assert control.notify(session, "likes", id="once")["duplicate"] is True
    assert control.snapshot(session)[f"badge/{session}"]["counts"] == {"likes": 1}


def test_requests_may_be_sent_without_waiting(control: Control, session: str):
    control.open(session, still())
    numbers = [
        control.send("publish", topic=f"notification/{session}", body={"kind": "likes"})
        for _ in range(400)]
    assert all(control.reply(number)["ok"] for number in numbers)
    assert control.snapshot(session)[f"badge/{session}"]["total"] == 400


def test_every_code_that_comes_back_is_one_of_the_contract(control: Control):
    for request_, _ in REFUSED:
        fields = {key: value for key, value in request_.items() if key != "op"}
        assert control.refused(request_["op"], **fields)["code"] in CODES


def test_a_peer_that_leaves_before_its_answer_harms_nobody(daemon: Daemon, control: Control):
    for _ in range(50):
        socket = daemon.context.socket(zmq.DEALER)
        socket.connect(daemon.control)
        socket.send(HELLO)
        socket.close(linger=50)
    assert control.ok("hello")
