"""Sessions open by events or requests, expire, close, and have a limit."""

from __future__ import annotations

import pytest
from client import Control, Daemon, Publisher
from scenes import KINDS, scene, still, toss


@pytest.mark.parametrize("topic, body", [
    ("notification/{}", {"kind": "likes"}),
    ("gesture/{}/tabs", {"gesture": "tap", "index": 1}),
    ("gesture/{}/profile", {"gesture": "scroll", "phase": "began", "offset": 3}),
    ("command/{}/tips", {"command": "dismiss"}),
    ("command/{}/badges", {"command": "clear"}),
])
def test_an_event_opens_its_session_with_the_configured_scene(
    daemon: Daemon, publisher: Publisher, control: Control, session: str, topic: str, body: dict
):
    updates = daemon.subscriber(f"session/{session}", f"state/{session}/")
    publisher.send(topic.format(session), body)
    opened = updates.find(f"session/{session}", event="opened")
    assert opened.body["scene"] == "phone"
    for component in KINDS:
        assert control.state(session, component)


def test_an_event_after_the_opening_finds_the_session(
    daemon: Daemon, publisher: Publisher, control: Control, session: str
):
    updates = daemon.subscriber(f"session/{session}", f"badge/{session}")
    for _ in range(10):
        publisher.send(f"notification/{session}", {"kind": "likes"})
    got = updates.until(lambda u: u.body.get("total") == 10, "ten likes")
    assert [u.body["event"] for u in got if u.topic == f"session/{session}"] == ["opened"]


@pytest.mark.parametrize("topic, body, code", [
    ("gesture/{}/nobody", {"gesture": "tap", "x": 1, "y": 1}, "unknown-component"),
    ("gesture/{}/toss", {"gesture": "pan", "phase": "changed", "x": 1, "y": 1}, "out-of-order"),
    ("gesture/{}/tabs", {"gesture": "tap", "index": 99}, "bad-value"),
    ("notification/{}", {}, "missing-field"),
    ("command/{}/toss", {"command": "dance"}, "unknown-command"),
    ("command/{}", {"command": "open", "scene": "nowhere"}, "unknown-scene"),
    ("command/{}", {"command": "close"}, "unknown-session"),
])
def test_a_refused_event_opens_no_session(
    daemon: Daemon, publisher: Publisher, control: Control, session: str, topic: str, body: dict,
    code: str
):
    updates = daemon.subscriber("rejected/", f"session/{session}")
    publisher.send(topic.format(session), body)
    rejected = updates.find("rejected/-", topic=topic.format(session))
    assert rejected.body["code"] == code, rejected
    assert session not in control.sessions()
    assert updates.during(0.1) == []


def test_open_as_an_event_takes_a_name_or_a_scene(
    daemon: Daemon, publisher: Publisher, control: Control, session: str
):
    updates = daemon.subscriber("session/", "state/")
    named, inline = f"{session}-named", f"{session}-inline"
    publisher.send(f"command/{named}", {"command": "open", "scene": "phone"})
    assert updates.find(f"session/{named}", event="opened").body["scene"] == "phone"
    publisher.send(f"command/{inline}", {"command": "open", "scene": scene(toss(), name="own")})
    assert updates.find(f"session/{inline}", event="opened").body["scene"] == "own"
    assert control.state(inline, "toss")["phase"] == "resting"


def test_close_as_an_event_is_published_and_a_new_session_begins_empty(
    daemon: Daemon, publisher: Publisher, control: Control, session: str
):
    updates = daemon.subscriber(f"session/{session}", f"badge/{session}")
    before = control.open(session, still())["epoch"]
    control.notify(session, "likes")
    publisher.send(f"command/{session}", {"command": "close"})
    updates.find(f"session/{session}", event="closed")
    control.notify(session, "comments")
    opened = updates.find(f"session/{session}", event="opened")
    assert opened.body["epoch"] != before and opened.seq == 1, opened
    assert control.snapshot(session)[f"badge/{session}"]["counts"] == {"comments": 1}


def test_without_auto_open_an_unknown_session_is_refused():
    with Daemon('auto_open = ""\n') as daemon:
        control, publisher = daemon.requests(), daemon.publisher()
        updates = daemon.subscriber("rejected/", "session/")
        assert control.code("notification/alice", {"kind": "likes"}) == "unknown-session"
        publisher.send("notification/alice", {"kind": "likes"})
        assert updates.find("rejected/-").body["code"] == "unknown-session"
        publisher.send("gesture/alice/toss", {"gesture": "pan", "phase": "began", "x": 1, "y": 1})
        assert updates.find("rejected/-").body["code"] == "unknown-session"
        assert control.sessions() == []
        control.open("alice", "phone")
        control.notify("alice", "likes")


def test_the_session_limit_is_kept_and_freed_again():
    with Daemon("[sessions]\nmax = 3\n") as daemon:
        control, publisher = daemon.requests(), daemon.publisher()
        for name in "abc":
            control.open(name, still())
        scenes = {"scene": still()}
        assert control.refused("open", session="d", **scenes)["code"] == "session-limit"
        assert control.code("notification/d", {"kind": "likes"}) == "session-limit"
        updates = daemon.subscriber("rejected/")
        publisher.send("notification/d", {"kind": "likes"})
        assert updates.find("rejected/-").body["code"] == "session-limit"
        assert control.open("a", still())["created"] is False, "an open session opened again"
        control.notify("b", "likes")
        control.ok("close", session="c")
        assert control.open("d", still())["created"] is True
        assert control.sessions() == ["a", "b", "d"]


# With a store, the daemon parks an idle session instead.
WITHOUT_STORE = '[sessions]\nidle_timeout = 1.0\n[store]\ndurability = "off"\n'


def test_an_idle_session_expires_and_a_busy_one_stays():
    with Daemon(WITHOUT_STORE) as daemon:
        control = daemon.requests()
        updates = daemon.subscriber("session/")
        control.open("idle", still())
        control.open("busy", still())
        # Each poll asserts silence, and is the pause between two events.
        for _ in range(8):
            control.notify("busy", "likes")
            gone = [u for u in updates.during(0.3) if u.body["event"] == "expired"]
            if gone:
                break
        assert [u.topic for u in gone] == ["session/idle"], gone
        assert control.sessions() == ["busy"]
        assert control.refused("snapshot", session="idle")["code"] == "unknown-session"
        expired = updates.find("session/busy", event="expired")
        assert expired.body["scene"] is None
        reopened = control.open("busy", still())
        assert reopened["created"] is True and reopened["epoch"] != expired.body["epoch"]


def test_a_session_expires_its_idle_timeout_after_the_last_event():
    with Daemon(WITHOUT_STORE) as daemon:
        control, updates = daemon.requests(), daemon.subscriber("session/", "state/")
        control.open("alice", still())
        opened = updates.find("session/alice", event="opened")
        expired = updates.find("session/alice", event="expired")
        assert 950 <= expired.t - opened.t <= 2500, expired.t - opened.t


def test_the_heartbeat_and_the_list_agree_on_how_many_there_are():
    with Daemon() as daemon:
        control, updates = daemon.requests(), daemon.subscriber("heartbeat")
        for number in range(7):
            control.open(f"s{number}", scene(toss()))
        updates.until(lambda u: u.body["sessions"] == 7, "7 sessions in the heartbeat", 4)
        for number in range(7):
            control.ok("close", session=f"s{number}")
        updates.until(lambda u: u.body["sessions"] == 0, "no session in the heartbeat", 4)


def test_moving_sessions_are_counted_as_such():
    with Daemon() as daemon:
        control, updates = daemon.requests(), daemon.subscriber("heartbeat")
        control.open("rests", still())
        control.open("moves", still())
        control.gesture("moves", "toss", "pan", "began", x=160, y=223)
        control.gesture("moves", "toss", "pan", "changed", x=200, y=300)
        for number in range(12):  # A finger moves to and fro, for longer than a heartbeat.
            control.gesture("moves", "toss", "pan", "changed", x=200 + 20 * (number % 2), y=300)
            if any(update.body["moving"] == 1 for update in updates.during(0.25)):
                break
        else:
            raise AssertionError("no heartbeat counted one moving session")
        control.gesture("moves", "toss", "pan", "cancelled", x=200, y=300)
        updates.until(lambda u: u.body["moving"] == 0, "all to rest", 5)
