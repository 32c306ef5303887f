"""The schemas of requests refuse what the daemon refuses, and those of replies take its answers."""

from __future__ import annotations

import json

import pytest
import zmq
from client import DEADLINE, Daemon
from full import SCENES
from schemas import FILES, Comparison, expect, mutants, takes

POINT = {"x": 100, "y": 200}
BEGAN = {"phase": "began", **POINT}


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    return Comparison("Events and requests")


class Wire:
    """One request after the other, since what is changed may be the id."""

    def __init__(self, daemon: Daemon):
        self.socket = daemon.socket(zmq.DEALER, daemon.control.split(",")[0])

    def ask(self, body: object) -> dict:
        self.socket.send(json.dumps(body).encode())
        assert self.socket.poll(DEADLINE * 1000), f"no answer to {body}"
        return json.loads(self.socket.recv())


@pytest.fixture(scope="module")
def wire(daemon: Daemon) -> Wire:
    return Wire(daemon)


def requests(session: str) -> dict[str, list[dict]]:
    return {
        "hello": [{}], "scenes": [{}], "stats": [{}],
        "open": [
            {"session": session, "scene": "phone", "describe": True, "replace": False},
            {"session": session, "scene": SCENES["toss"]}],
        "close": [{"session": session}], "snapshot": [{"session": session}],
        "export": [{"session": session}], "hit": [{"session": session, **POINT}],
        "scene": [{"session": session}, {"scene": "phone"}],
        "time": [{}, {"session": session}],
        "locate": [{"session": session}], "members": [{}],
        "publish": [
            {"topic": f"notification/{session}", "body": {"kind": "likes"}},
            {"topic": f"gesture/{session}/toss", "body": {"gesture": "pan", **BEGAN}},
            {"topic": f"gesture/{session}", "body": {"gesture": "pan", **BEGAN}},
            {"topic": f"command/{session}/badges", "body": {"command": "clear"}},
            {"topic": f"command/{session}", "body": {"command": "close"}}],
        "sessions": [{"after": "a", "limit": 7, "detail": True, "only": "open"}, {}],
        "import": [{"session": session}],
    }


@pytest.mark.parametrize("operation", requests(""))
def test_requests_with_one_thing_changed(
    wire: Wire, comparison: Comparison, session: str, operation: str
) -> None:
    place, reply_place = f"request-{operation}.json", f"reply-{operation}.json"
    for fields in requests(session)[operation]:
        wire.ask({"op": "open", "session": session, "scene": SCENES["toss"]})
        if operation == "import":
            fields["document"] = wire.ask({"op": "export", "session": session})["document"]
        request = {"op": operation, "id": 7, **fields}
        expect(place, request)
        for label, body in [
            ("as it is", request), *mutants(place, request, ("scene", "state", "id"))]:
            # Sessions that stand in the way of another try.
            own = body.get("session") if isinstance(body, dict) else None
            if operation in ("open", "import") and isinstance(own, str):
                wire.ask({"op": "close", "session": own})
            elif operation in ("close", "publish"):
                wire.ask({"op": "open", "session": session, "scene": SCENES["toss"]})
            reply = wire.ask(body)
            expect(reply_place, reply, f"{operation}: {label}")
            assert reply["ok"] or label != "as it is", reply
            comparison.note(operation, label, takes(place, body), reply)


def test_what_is_no_request_is_answered_as_the_schemas_say(wire: Wire) -> None:
    for body in (None, True, 0, "x", [], {}, {"op": "unheard-of"}, {"op": 7}, {"id": 1}):
        reply = wire.ask(body)
        assert not reply["ok"], reply
        for name in FILES:
            if name.startswith("request-"):
                assert not takes(name, body), name
            elif name.startswith("reply-"):
                expect(name, reply)
