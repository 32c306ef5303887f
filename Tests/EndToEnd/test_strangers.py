"""Events that their senders may not publish: who is told of them, and how much."""

from __future__ import annotations

import pathlib

import pytest
from client import Daemon
from keys import ALL, Keys, table
from scenes import still

# More than a session's ten and a client's ten in a second.
FLOOD = 400
WORDS = "read this " * 40


def own(session: str, *read: str) -> dict[str, object]:
    return {"publish": [session], "control": "own", "read": [session, *read]}


@pytest.fixture
def keys(tmp_path: pathlib.Path) -> Keys:
    keys = Keys(tmp_path / "keys")
    for name in ("boss", "loud", "shy", "owner"):
        keys.add(name)
    return keys


@pytest.fixture
def kiosks(keys: Keys):
    tables = table("boss", **ALL) + table("loud", **own("kiosk-1")) + table("shy", **own("kiosk-3"))
    # The pattern of a mischievous owner: it is no way to read what belongs to no session.
    tables += table("owner", **own("kiosk-2", "-*"))
    with Daemon(keys.config(tables)) as daemon:
        keys.client(daemon, "boss").requests().open("kiosk-2", still())
        yield daemon


def test_a_strangers_text_reaches_no_reader_of_the_session(kiosks: Daemon, keys: Keys):
    """Nor does it take the place of what the owner's own events are told."""
    owner = keys.client(kiosks, "owner")
    told, publisher = owner.subscriber("rejected/"), owner.publisher()
    everything = keys.client(kiosks, "boss").subscriber("rejected/", "heartbeat")
    loud, shy = (keys.client(kiosks, name).publisher() for name in ("loud", "shy"))
    for number in range(FLOOD):
        loud.send("notification/kiosk-2", {"kind": WORDS, "number": number})
    got = everything.until(
        lambda it: it.topic == "heartbeat" and it.body["rejected"] >= FLOOD, "all are refused")
    shy.send("notification/kiosk-2", {"kind": "shy"})
    for number in range(10):
        publisher.send("notification/kiosk-2", {"kind": number})
    own_reports = [told.find("rejected/kiosk-2") for _ in range(10)]
    assert [it.body["code"] for it in own_reports] == ["bad-value"] * 10
    assert not [it for it in told.during(0.3) if it.body.get("code") == "unauthorized"]
    got += everything.until(lambda it: "shy" in it.body.get("excerpt", ""), "each has its own ten")
    reports = [it for it in got if it.body.get("code") == "unauthorized"]
    assert {it.topic for it in reports} == {"rejected/-"}
    seconds = (got[-1].t - got[0].t) / 1000 + 1
    assert 10 <= len(reports) - 1 <= 10 * (int(seconds) + 1), f"{len(reports)} in {seconds} s"
    assert all(len(it.body["excerpt"].encode()) <= 120 for it in reports)
    assert all(it.body["topic"] == "notification/kiosk-2" for it in reports)


def test_bad_topics_leave_room_for_the_reports_of_sessions(keys: Keys):
    """A client with a grant sends topics that name no session, and sessions that are not open."""
    config = 'auto_open = ""\n' + keys.config()
    with Daemon(config) as daemon:
        boss = keys.client(daemon, "boss")
        boss.requests().open("kiosk-2", still())
        told = boss.subscriber("rejected/kiosk-2")
        everything = boss.subscriber("rejected/-", "heartbeat")
        loud, publisher = keys.client(daemon, "loud").publisher(), boss.publisher()
        for number in range(2 * FLOOD):
            loud.send(f"nonsense {number}", {})
            loud.send(f"notification/name-{number}", {"kind": "likes"})
        publisher.send("notification/kiosk-2", {"kind": 7})
        told.find("rejected/kiosk-2", code="bad-value")
        got = everything.until(
            lambda it: it.topic == "heartbeat" and it.body["rejected"] > 4 * FLOOD,
            "all are refused")
        bad = [it for it in got if it.body.get("code") == "bad-topic"]
        seconds = (got[-1].t - got[0].t) / 1000 + 1
        assert 100 <= len(bad) <= 100 * (int(seconds) + 1), f"{len(bad)} in {seconds} s"


def test_no_session_has_the_name_of_those_that_are_none(daemon: Daemon):
    control = daemon.requests()
    for op, fields in [
        ("open", {"scene": still()}), ("snapshot", {}), ("export", {}),
        ("import", {"document": {}})]:
        refused = control.refused(op, session="-", **fields)
        assert refused["code"] == "bad-value" and "not - alone" in refused["message"], op
    assert control.code("notification/-", {"kind": "likes"}) == "bad-topic"
    assert control.code("command/-", {"command": "open", "scene": "phone"}) == "bad-topic"
    assert "-" not in control.sessions()
    control.open("--", still())
