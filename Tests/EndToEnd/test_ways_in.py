"""The same body gets the same answer and the same counters, whichever way it comes."""

from __future__ import annotations

import json

import pytest
import zmq
from client import DEADLINE, Control, Daemon, Update
from reliability import stats, wait_for

COUNTERS = ("events", "events_applied", "events_duplicate", "events_rejected", "events_swallowed")
REJECTED = COUNTERS.index("events_rejected")


def nested(depth: int, inner: str = "1") -> str:
    """A body with one member more than it needs, of `depth` levels with the body's own."""
    deep = "[" * (depth - 1) + inner + "]" * (depth - 1)
    return '{"kind":"likes","more":' + deep + "}"


LARGE = '{"kind":"likes","more":"' + "x" * 65_536 + '"}'
WIDE = '{"kind":"likes"' + " " * 65_536 + "}"
# Topic behind the kind's slash, body.
BODIES = [
    ("notification/S", nested(31)), ("notification/S", nested(32)), ("notification/S", nested(33)),
    ("notification/S", nested(32, "[]")), ("notification/S", nested(33, "")),
    ("notification/S", nested(34, "")), ("notification/S", nested(100)),
    ("notification/S", nested(2_000)), ("command/S/toss", nested(33)),
    ("gesture/S/toss", '{"gesture":"pan","phase":"began","x":1,"y":1,"z":' + nested(32) + "}"),
    ("notification/S", LARGE), ("notification/S", WIDE), ("notification/S", LARGE[:-3] + '"}'),
    ("notification/S", '{"kind":"likes","add":1e999}'), ("notification/S", '{"kind":"no name"}'),
    ("notification/S", "[]"), ("notification/S", "7"), ("notification/S", '"x"'),
    ("notification/S", '{"kind":"likes","kind":7}'),
    ("notification/S", '{"kind":"likes","set":123456789012345678901234567890}'),
    ("notification/S", '{"k\\u0069nd":"likes"}'), ("notification/S/x", '{"kind":"likes"}'),
    ("nonsense/S", '{"kind":"likes"}'), ("notification/S x", '{"kind":"likes"}'),
    ("gesture/S/nobody", '{"gesture":"tap","index":0}'),
    ("gesture/S/tabs", '{"gesture":"tap","index":1}'),
]


def counts(control: Control) -> list[int]:
    found = stats(control)
    return [found[name] for name in COUNTERS]


def decided(counts: list[int]) -> int:
    """The number of events that were applied or refused; those swallowed count as refused, too."""
    return sum(counts[1:REJECTED + 1])


def is_rejection(update: Update) -> bool:
    return update.topic.startswith("rejected/")


@pytest.mark.parametrize("key", ["body", "b\\u006fdy"], ids=["plain", "escaped"])
@pytest.mark.parametrize("topic, body", BODIES, ids=[f"{t}-{b[:20]}-{len(b)}" for t, b in BODIES])
def test_both_ways_agree(daemon: Daemon, session: str, key: str, topic: str, body: str):
    results = []
    for way in ("pub", "control"):
        name = f"{session}-{way}"
        control = daemon.requests()
        control.open(name, "phone")
        updates = daemon.subscriber("rejected/", "badge/" + name)
        before = counts(control)
        place = topic.replace("S", name)
        if way == "pub":
            publisher = daemon.publisher()
            publisher.raw(place.encode(), body.encode())
            # It is followed by one that shows, so that its own end is known.
            publisher.send(f"notification/{name}", {"kind": "end"})
            got = updates.until(
                lambda u: u.topic.startswith("badge/") and "end" in u.body["counts"])
            # A bad topic may be another lane's, which counts and reports it in its own time.
            wait_for(
                lambda: decided(counts(control)) == decided(before) + 2, "both events are counted")
            after = counts(control)
            if after[REJECTED] > before[REJECTED] and not any(map(is_rejection, got)):
                got += updates.until(is_rejection, "the rejection that is counted")
            refused = [u.body for u in got if is_rejection(u)]
            answer = (refused[0]["code"], refused[0]["message"]) if refused else None
            after[0], after[1] = after[0] - 1, after[1] - 1
        else:
            request = f'{{"op":"publish","topic":{json.dumps(place)},"{key}":{body}}}'
            dealer = daemon.socket(zmq.DEALER, daemon.control)
            dealer.send(request.encode())
            assert dealer.poll(DEADLINE * 1000)
            reply = json.loads(dealer.recv())
            answer = None if reply["ok"] else (reply["error"]["code"], reply["error"]["message"])
            after = counts(control)
        grown = {n: b - a for n, a, b in zip(COUNTERS, before, after)}
        results.append((answer and (answer[0], answer[1].replace(name, "S")), grown))
        control.ok("close", session=name)
    assert results[0] == results[1]


@pytest.mark.parametrize("depth, code", [(32, None), (33, "bad-json")])
def test_a_body_has_as_many_levels_as_any_document(
    daemon: Daemon, session: str, depth: int, code: str | None
):
    control = daemon.requests()
    assert control.ok("hello")["limits"]["limit_document_depth"] == 32
    reply = control.ask(
        "publish", topic=f"notification/{session}", body=json.loads(nested(depth)))
    assert reply.get("error", {}).get("code") == code, reply
