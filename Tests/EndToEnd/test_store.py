"""Durable state survives kill, stop, parking and a damaged file."""

from __future__ import annotations

import contextlib
import json
import pathlib
import shutil
import signal
import sqlite3
import statistics
import tempfile
import time

import pytest
from client import DEADLINE, REPOSITORY, Daemon, Update
from reliability import Versions, hold_to, wait_for
from scenes import dynamics, profile, scene, still, tabs

SHORT_IDLE = "[sessions]\nidle_timeout = 0.3\n"


@pytest.fixture(scope="module")
def endings():
    with Daemon() as daemon:
        yield daemon


def placed(views: dict) -> dict:
    """Views without their cuts, which count anew in a new epoch."""
    return {name: view | {"cut": 0} for name, view in views.items()}



@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_acknowledged_changes_survive_the_end(endings: Daemon, session: str, number: int):
    control = endings.requests()
    for _ in range(3):
        control.notify(session, "likes")
    control.command(session, "tips", "present")
    control.command(session, "navigation", "present", screen="mail", transition="in-via-scale")
    control.gesture(session, "tabs", "tap", index=2)
    before = control.badge(session)
    control = endings.restart(number)
    updates = endings.subscriber(f"session/{session}")
    assert updates.find(f"session/{session}").body["event"] == "restored"
    after = control.badge(session)
    assert after["counts"] == before["counts"]
    assert after["version"] >= before["version"]
    assert control.state(session, "tips")["phase"] == "resting"
    assert control.state(session, "navigation")["model"]["stack"][-1] == "mail"
    assert control.state(session, "tabs")["model"]["selected"] == 2
    control.notify(session, "likes")
    assert control.badge(session)["version"] > before["version"]


def test_a_world_comes_back_at_rest_where_it_came_to_rest(endings: Daemon, session: str):
    """It keeps changes by commands, and values computed for an added behavior."""
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
        control = endings.restart(number)
        after = control.state(session, "world")
        assert after["phase"] == "resting"
        assert placed(after["views"]) == placed(before["views"])
        assert after["model"] == before["model"]
    control.command(session, "world", "add-velocity", item="card", dx=300, dy=0)
    assert control.state(session, "world")["phase"] == "moving"


def test_a_finger_that_lands_on_the_selected_tab_is_noted(endings: Daemon, session: str):
    """Such a tap ends at once. It clears glow and counts without a transition."""
    control = endings.requests()
    control.open(session, scene(tabs(
        items=[{"id": "home", "glow": ["mentions"]}, {"id": "news", "bubble": ["likes"]}])))
    control.command(session, "tabs", "select", index=1)
    updates = endings.subscriber(f"state/{session}/tabs")
    updates.find(f"state/{session}/tabs", phase="resting")
    control.notify(session, "likes", add=5)
    time.sleep(0.1)
    control.gesture(session, "tabs", "pointer", "began", pointer=1, x=300, y=560)
    assert control.badge(session)["counts"] == {"likes": 0}
    control = endings.restart()
    assert control.badge(session)["total"] == 0
    control.command(session, "tabs", "glow", index=1)
    assert control.state(session, "tabs")["model"]["items"][1]["glow"]
    control.gesture(session, "tabs", "pointer", "began", pointer=1, x=300, y=560)
    control = endings.restart()
    assert not control.state(session, "tabs")["model"]["items"][1]["glow"]


def test_a_world_and_its_counts_come_back_whichever_of_them_changed(
        endings: Daemon, session: str):
    """The store does not rewrite a resting world, but stores its session's other changes."""
    control = endings.requests()
    items = [{"id": f"i{k}", "center": [20 + k % 8 * 38, 100 + k // 8 * 38], "size": [20, 20]}
             for k in range(64)]
    control.open(session, scene(dynamics(items=items, behaviors=[
        {"id": "walls", "kind": "collision", "items": [item["id"] for item in items],
         "bounds": True}])))
    updates = endings.subscriber(f"state/{session}/world")
    updates.find(f"state/{session}/world", phase="resting")
    for count in range(1, 4):
        control.notify(session, "likes")
        control.command(session, "world", "set", item="i63", values={"center": [160, 500 + count]})
        control.notify(session, "likes")
        before = control.state(session, "world")["views"]
        control = endings.restart()
        assert placed(control.state(session, "world")["views"]) == placed(before)
        assert control.badge(session)["counts"] == {"likes": 2 * count}


def test_an_id_counts_once_across_a_restart(endings: Daemon, session: str):
    control = endings.requests()
    control.notify(session, "likes", id="n-1")
    control = endings.restart()
    assert control.notify(session, "likes", id="n-1")["duplicate"] is True
    assert control.badge(session)["counts"] == {"likes": 1}


def test_an_idle_session_is_parked_and_comes_back(session: str):
    with Daemon(SHORT_IDLE) as daemon:
        control = daemon.requests()
        updates = daemon.subscriber("session/")
        control.notify(session, "likes", add=4)
        updates.find(f"session/{session}", event="parked")
        assert control.sessions() == [session]
        control.notify(session, "likes")
        updates.find(f"session/{session}", event="restored")
        assert control.badge(session)["counts"] == {"likes": 5}


def test_what_samples_alone_change_is_stored_within_ten_seconds():
    """Without an end of the gesture, in sessions that came to rest before and in a restored one."""
    with Daemon() as daemon:
        control, names = daemon.requests(), [f"s{number:03}" for number in range(200)]
        for name in names:
            control.open(name, scene(profile()))
        for offset in (30.5, 60.5):
            for name in names:
                control.gesture(name, "profile", "scroll", phase="changed", offset=offset)
            time.sleep(10.2)
            control = daemon.restart()
            found = {name: control.state(name, "profile")["model"]["offset"] for name in names}
            assert found == dict.fromkeys(names, offset)


def test_a_closed_session_stays_closed(endings: Daemon, session: str):
    control = endings.requests()
    control.notify(session, "likes")
    version = control.badge(session)["version"]
    control.ok("close", session=session)
    assert session not in control.sessions()
    control = endings.restart()
    assert session not in control.sessions()
    control.notify(session, "likes")
    assert control.badge(session)["counts"] == {"likes": 1}
    assert control.badge(session)["version"] > version


def test_without_a_store_parking_is_expiry(session: str):
    with Daemon(SHORT_IDLE + '[store]\ndurability = "off"\n') as daemon:
        control = daemon.requests()
        updates = daemon.subscriber("session/")
        control.notify(session, "likes")
        updates.find(f"session/{session}", event="expired")
        assert control.sessions() == []


def test_an_unused_session_expires(session: str):
    with Daemon("[sessions]\nidle_timeout = 0.2\nretention = 1\n") as daemon:
        control = daemon.requests()
        updates = daemon.subscriber("session/")
        control.notify(session, "likes")
        updates.find(f"session/{session}", event="parked")
        updates.find(f"session/{session}", event="expired")
        assert control.sessions() == []


def test_a_parked_session_expires_without_being_restored():
    with Daemon("[sessions]\nidle_timeout = 0.2\nretention = 1\n") as daemon:
        control = daemon.requests()
        for number in range(40):
            control.notify(f"s{number}", "likes")
        wait_for(lambda: control.ok("stats")["stats"]["sessions_expired"] == 40, "all expire")
        assert control.ok("stats")["stats"]["sessions_restored"] == 0
        assert control.sessions() == []
        control.notify("s7", "likes")
        assert control.badge("s7")["counts"] == {"likes": 1}
        assert control.badge("s7")["version"] > 1


def test_a_session_without_its_scene_expires(session: str):
    """A session without its scene expires, and does not block others."""
    with tempfile.TemporaryDirectory(prefix="gestured-scenes-") as folder:
        shutil.copy(REPOSITORY / "config" / "scenes" / "phone.toml", folder)
        other = pathlib.Path(folder) / "other.toml"
        other.write_text((pathlib.Path(folder) / "phone.toml").read_text().replace(
            'name = "phone"', 'name = "other"'))
        config = f'scenes = "{folder}"\n[sessions]\nidle_timeout = 0.2\nretention = 1\n'
        with Daemon(config) as daemon:
            control = daemon.requests()
            control.open(session, "other")
            daemon.stop(signal.SIGTERM)
            other.unlink()
            control = daemon.restart()
            assert control.refused("open", session=session, scene="phone")
            wait_for(lambda: control.sessions() == [], "it expires")
            assert control.open(session, "phone")["created"] is True


def test_a_damaged_file_is_set_aside(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.notify(session, "likes")
        daemon.stop()
        path = daemon.state / "gestured.db"
        data = bytearray(path.read_bytes())
        data[0:64] = bytes(64)
        path.write_bytes(data)
        control = daemon.restart()
        assert len(list(daemon.state.glob("gestured.db.damaged-*"))) == 1
        assert "is kept as" in daemon.log()
        assert control.sessions() == []
        control.notify(session, "likes")


def test_a_log_with_commits_behind_its_damage_is_reported_and_kept(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        for _ in range(20):
            control.notify(session, "likes")
        daemon.stop(signal.SIGKILL)
        path = daemon.state / "gestured.db-wal"
        log = bytearray(path.read_bytes())
        middle = 32 + (len(log) // 2) // (24 + 4096) * (24 + 4096)
        log[middle + 24:middle + 88] = b"\xa5" * 64
        path.write_bytes(log)
        control = daemon.restart()
        copies = list(daemon.state.glob("gestured.db-wal.damaged-*"))
        assert [copy.read_bytes() for copy in copies] == [log]
        assert daemon.log().count(f"it is kept as {copies[0]}") == 1
        control.notify(session, "likes")


@pytest.mark.parametrize("durability", ["full", "normal", "off"])
def test_versions_grow_where_nothing_is_known_of_those_before(session: str, durability: str):
    """Versions grow without a store, with a new one and with an older copy of the file."""
    with Daemon(f'[store]\ndurability = "{durability}"\n') as daemon:
        control, versions, copy = daemon.requests(), Versions(), daemon.folder / "copy.db"

        def count(times: int) -> None:
            for _ in range(times):
                control.notify(session, "likes")
                versions.hear(Update(f"badge/{session}", control.badge(session), ""))

        count(8)
        control = daemon.restart(signal.SIGTERM)
        count(5)
        if durability != "off":
            daemon.stop(signal.SIGTERM)
            path = daemon.state / "gestured.db"
            shutil.copy(path, copy)
            control = daemon.restart()
            count(20)
            for end in (b"damaged" * 1000, copy.read_bytes()):
                daemon.stop(signal.SIGTERM)
                path.write_bytes(end)
                control = daemon.restart()
                count(3)
            assert control.badge(session)["counts"] == {"likes": 16}
        config = daemon.config.read_text()
        for other in ("off", "full"):
            daemon.stop(signal.SIGTERM)
            daemon.config.write_text(config.replace(f'"{durability}"', f'"{other}"'))
            control = daemon.restart()
            count(3)
        assert max(version for _, version in versions.told) < 1 << 53


def test_versions_grow_after_a_restore_from_before_many_kills(session: str):
    """A copy knows of fewer lives than clients have seen, in little time."""
    with Daemon('[store]\ndurability = "full"\n') as daemon:
        control, versions, copy = daemon.requests(), Versions(), daemon.folder / "copy.db"

        def count() -> None:
            control.notify(session, "likes")
            versions.hear(Update(f"badge/{session}", control.badge(session), ""))

        count()
        daemon.stop(signal.SIGTERM)
        shutil.copy(daemon.state / "gestured.db", copy)
        control = daemon.restart()
        for _ in range(8):
            count()
            control = daemon.restart(signal.SIGKILL)
        count()
        for _ in range(2):
            daemon.stop(signal.SIGTERM)
            shutil.copy(copy, daemon.state / "gestured.db")
            control = daemon.restart()
            count()
        assert control.badge(session)["counts"] == {"likes": 2}
        config = daemon.config.read_text()
        for other in ("off", "full"):
            daemon.stop(signal.SIGTERM)
            daemon.config.write_text(config.replace('"full"', f'"{other}"'))
            control = daemon.restart()
            count()


def test_without_a_store_the_ids_have_a_key_of_each_run():
    marks = set()
    with Daemon('[store]\ndurability = "off"\n') as daemon:
        for _ in range(2):
            control = daemon.requests()
            control.open("keyed", "phone")
            marks.add(control.ok("export", session="keyed")["document"]["state"]["keyMark"])
            daemon.restart()
    assert len(marks) == 2


def test_with_normal_acknowledged_changes_outlive_the_process(session: str):
    with Daemon('[store]\ndurability = "normal"\n') as daemon:
        control = daemon.requests()
        for number in range(1, 6):
            for _ in range(10):
                control.notify(session, "likes")
            control = daemon.restart(signal.SIGKILL)
            assert control.badge(session)["counts"] == {"likes": 10 * number}


def test_a_pub_sub_event_is_committed_within_50_ms(session: str):
    """Another program polls the file for the commit."""
    with Daemon() as daemon:
        control, publisher, waits = daemon.requests(), daemon.publisher(), []
        asking = "SELECT state FROM session WHERE id = ?"
        control.open(session, "phone")
        file = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None)
        for number in range(1, 31):
            sent = time.monotonic()
            publisher.send(f"notification/{session}", {"kind": "likes"})
            while True:
                (state,) = file.execute(asking, [session]).fetchone()
                if json.loads(state)["counts"].get("likes") == number:
                    break
                assert time.monotonic() - sent < DEADLINE, f"{number} is not committed"
                time.sleep(0.001)
            waits.append(time.monotonic() - sent)
            # Varies the pause after the last commit.
            time.sleep(number % 7 * 0.004)
        file.close()
        print(f"median {statistics.median(waits) * 1e3:.1f} ms, most {max(waits) * 1e3:.1f} ms")
        hold_to(statistics.median(waits), 0.05, "half of the commits")


def test_few_and_many_publishes_at_a_time_keep_their_order(session: str):
    """The reactor applies few itself if the lane is idle. The lane applies all others."""
    with Daemon("lanes = 1\n") as daemon:
        control, number = daemon.requests(), 0
        control.open(session, "phone")
        for count in [1, 1, 30, 1, 4, 5, 2, 60, 1, 3] * 5:
            asked = []
            for _ in range(count):
                number += 1
                body = {"kind": "likes", "set": number, "id": f"n{number}"}
                asked.append(control.send("publish", topic=f"notification/{session}", body=body))
            # The lane always answers this one.
            listed = control.send("sessions")
            assert all(control.reply(each)["ok"] for each in asked)
            assert control.reply(listed)["sessions"]
            assert control.badge(session)["counts"]["likes"] == number


@contextlib.contextmanager
def held_up(daemon: Daemon):
    """Another program holds the file's lock. Commits wait for it and fail after two seconds."""
    other = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_a_publish_repeated_while_it_waits_is_a_duplicate(endings: Daemon, session: str):
    control = endings.requests()
    control.open(session, "phone")
    event = {"topic": f"notification/{session}", "body": {"kind": "likes", "id": "once"}}
    with held_up(endings):
        first = control.send("publish", **event)
        time.sleep(0.1)
        again = control.send("publish", **event)
        time.sleep(0.1)
    assert control.reply(first)["ok"]
    assert control.reply(again)["duplicate"] is True


def test_a_session_closed_again_after_a_failed_removal_is_gone(session: str):
    """After a failed commit the next try contains a closing and an opening too."""
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, "phone")
        with held_up(daemon):
            assert control.refused("close", session=session)["code"] == "internal"
            opening = control.send("open", session=session, scene="phone")
            time.sleep(0.5)
            closing = control.send("close", session=session)
            time.sleep(0.1)
        control.reply(opening)
        assert control.reply(closing)["ok"]
        assert control.sessions() == []
        assert daemon.restart().sessions() == []


def test_pages_of_sessions_go_on_behind_those_that_are_being_forgotten():
    names = [f"page{number}" for number in range(6)]
    with Daemon() as daemon:
        control = daemon.requests()
        for name in names:
            control.open(name, "phone")
        control = daemon.restart()
        with held_up(daemon):
            for name in names[:2]:
                control.send("close", session=name)
            page = control.ok("sessions", limit=2)
            assert page["sessions"] == [names[2]] and page["next"] == names[2]
            assert control.ok("sessions", limit=2, after=page["next"])["sessions"] == names[3:5]


def test_a_store_that_takes_nothing_is_reported_and_recovers_by_itself(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, "phone")
        event = {"topic": f"notification/{session}", "body": {"kind": "likes", "id": "once"}}
        with held_up(daemon):
            assert control.refused("publish", **event)["code"] == "internal"
            assert control.ok("stats")["stats"]["store_commits_failed"] > 0
        assert control.ok("publish", **event)["duplicate"] is True
        assert "nothing can be stored" in daemon.log() and "stored again" in daemon.log()
        control = daemon.restart()
        assert control.badge(session)["counts"] == {"likes": 1}


def test_a_publish_is_answered_though_more_waits_than_goes_in_one_piece():
    """A full backlog of sessions does not delay the answer while the disk takes nothing."""
    with Daemon("lanes = 1\n") as daemon:
        control, names = daemon.requests(), [f"s{number}" for number in range(700)]
        for number in [control.send("open", session=name, scene=still()) for name in names]:
            assert control.reply(number)["ok"]
        other = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        publisher = daemon.publisher()
        for name in names:
            publisher.send(f"notification/{name}", {"kind": "likes"})
        wait_for(
            lambda: control.ok("stats")["stats"]["events_applied"] == len(names), "all are applied")
        asked = {"topic": "notification/s1", "body": {"kind": "likes", "id": "once"}}
        assert control.refused("publish", **asked)["code"] == "internal"
        other.execute("ROLLBACK")
        other.close()
        assert control.ok("publish", **asked)["duplicate"]
        assert control.badge("s1")["counts"] == {"likes": 2}


def test_sessions_lists_states_and_scenes_on_request():
    """Without `detail`, or with it false, the reply stays the same."""
    with Daemon(SHORT_IDLE) as daemon:
        control = daemon.requests()
        control.open("named", "phone")
        control.open("nameless", scene(tabs(items=[{"id": "a"}])))
        control.open("inline", scene(tabs(items=[{"id": "a"}]), name="mine"))
        names = ["inline", "named", "nameless"]
        scenes = {"named": "phone", "nameless": None, "inline": "mine"}
        for state in ("open", "parked"):
            if state == "parked":
                wait_for(
                    lambda: control.ok("stats")["stats"]["sessions"] == 0, "all are parked")
            reply = control.ok("sessions", detail=True)
            assert reply["sessions"] == names and reply["next"] is None
            fields = ("session", "state", "scene")
            assert [{key: it[key] for key in fields} for it in reply["entries"]] == [
                {"session": name, "state": state, "scene": scenes[name]} for name in names]
            assert {("updates" in it) for it in reply["entries"]} == {state == "open"}
            assert control.ok("sessions", only="open")["sessions"] == (
                names if state == "open" else [])
        page = control.ok("sessions", detail=True, limit=2)
        assert page["sessions"] == names[:2] == [it["session"] for it in page["entries"]]
        assert page["next"] == names[1]
        for plain in (control.ok("sessions"), control.ok("sessions", detail=False)):
            assert set(plain) == {"id", "ok", "sessions", "next"}, plain
        assert control.refused("sessions", detail=1)["code"] == "bad-value"
