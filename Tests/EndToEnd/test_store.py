"""What counts outlives the process: killed, stopped, parked, or its file damaged."""

from __future__ import annotations

import signal

import pytest
from client import Control, Daemon
from scenes import dynamics, scene

SHORT_IDLE = "[sessions]\nidle_timeout = 0.3\n"


def restart(daemon: Daemon, number: int = signal.SIGKILL) -> Control:
    """Ends the daemon and starts it again on the same state."""
    daemon.stop(number)
    daemon.process.stdout.close()
    daemon.errors.close()
    daemon.start()
    return daemon.requests()


def badge(control: Control, session: str) -> dict:
    return control.snapshot(session)[f"badge/{session}"]


@pytest.fixture(scope="module")
def endings():
    with Daemon() as daemon:
        yield daemon


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_what_was_acknowledged_is_there_after_the_end(endings: Daemon, session: str, number: int):
    control = endings.requests()
    for _ in range(3):
        control.notify(session, "likes")
    control.command(session, "tips", "present")
    control.command(session, "navigation", "present", screen="posts", transition="in-via-scale")
    control.gesture(session, "tabs", "tap", index=2)
    before = badge(control, session)
    control = restart(endings, number)
    updates = endings.subscriber(f"session/{session}")
    assert updates.find(f"session/{session}").body["event"] == "restored"
    after = badge(control, session)
    assert after["counts"] == before["counts"]
    assert after["version"] >= before["version"]
    assert control.state(session, "tips")["phase"] == "resting"
    assert control.state(session, "navigation")["model"]["stack"][-1] == "posts"
    assert control.state(session, "tabs")["model"]["selected"] == 2
    control.notify(session, "likes")
    assert badge(control, session)["version"] > before["version"]


def test_a_world_comes_back_at_rest_where_it_came_to_rest(endings: Daemon, session: str):
    """What commands made of it included, and what was settled when it was added."""
    control = endings.requests()
    control.open(session, scene(dynamics(
        items=[{"id": "card", "center": [160, 200], "size": [100, 60]}],
        behaviors=[{"id": "rope", "kind": "attachment", "item": "card", "anchor": [160, 100],
                    "type": "limit"}]), seed=7))
    control.command(session, "world", "add-item", item={
        "id": "ball", "center": [60, 400], "size": [40, 40], "shape": "circle"})
    control.command(session, "world", "set", item="card", values={"center": [200, 150]})
    updates = endings.subscriber(f"state/{session}/world")
    updates.find(f"state/{session}/world", phase="resting")
    before = control.state(session, "world")
    for number in (signal.SIGKILL, signal.SIGTERM):
        control = restart(endings, number)
        after = control.state(session, "world")
        assert after["phase"] == "resting"
        assert after["views"] == before["views"] and after["model"] == before["model"]
    control.command(session, "world", "add-velocity", item="card", dx=300, dy=0)
    assert control.state(session, "world")["phase"] == "moving"


def test_an_id_counts_once_in_the_next_life_too(endings: Daemon, session: str):
    control = endings.requests()
    control.notify(session, "likes", id="n-1")
    control = restart(endings)
    assert control.notify(session, "likes", id="n-1")["duplicate"] is True
    assert badge(control, session)["counts"] == {"likes": 1}


def test_an_idle_session_is_parked_and_comes_back(session: str):
    with Daemon(SHORT_IDLE) as daemon:
        control = daemon.requests()
        updates = daemon.subscriber("session/")
        control.notify(session, "likes", add=4)
        updates.find(f"session/{session}", event="parked")
        assert control.sessions() == [session]
        control.notify(session, "likes")
        updates.find(f"session/{session}", event="restored")
        assert badge(control, session)["counts"] == {"likes": 5}


def test_what_is_closed_stays_closed(endings: Daemon, session: str):
    control = endings.requests()
    control.notify(session, "likes")
    version = badge(control, session)["version"]
    control.ok("close", session=session)
    assert session not in control.sessions()
    control = restart(endings)
    assert session not in control.sessions()
    control.notify(session, "likes")
    assert badge(control, session)["counts"] == {"likes": 1}
    assert badge(control, session)["version"] > version


def test_without_a_store_parking_is_expiry(session: str):
    with Daemon(SHORT_IDLE + '[store]\ndurability = "off"\n') as daemon:
        control = daemon.requests()
        updates = daemon.subscriber("session/")
        control.notify(session, "likes")
        updates.find(f"session/{session}", event="expired")
        assert control.sessions() == []


def test_what_nobody_uses_expires(session: str):
    with Daemon("[sessions]\nidle_timeout = 0.2\nretention = 1\n") as daemon:
        control = daemon.requests()
        updates = daemon.subscriber("session/")
        control.notify(session, "likes")
        updates.find(f"session/{session}", event="parked")
        updates.find(f"session/{session}", event="expired")
        assert control.sessions() == []


def test_a_damaged_file_is_set_aside(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.notify(session, "likes")
        daemon.stop()
        path = daemon.state / "gestured.db"
        data = bytearray(path.read_bytes())
        data[0:64] = bytes(64)
        path.write_bytes(data)
        daemon.process.stdout.close()
        daemon.errors.close()
        daemon.start()
        assert len(list(daemon.state.glob("gestured.db.damaged-*"))) == 1
        assert "is kept as" in daemon.log()
        control = daemon.requests()
        assert control.sessions() == []
        control.notify(session, "likes")
