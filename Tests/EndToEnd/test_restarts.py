"""Restarts: a clean end keeps everything, and versions never repeat."""

from __future__ import annotations

import contextlib
import json
import pathlib
import shutil
import signal
import sqlite3
import tempfile
import time

import pytest
from client import DEADLINE, REPOSITORY, Daemon
from preload import library
from reliability import change_store, store_waits, wait_for
from scenes import scene, still, toss


@pytest.mark.parametrize("lanes", [1, 3, 8])
def test_an_end_in_order_keeps_everything_of_every_lane(lanes: int):
    """SIGTERM comes while every lane has one commit in flight and more changes waiting."""
    with Daemon(f"lanes = {lanes}\n") as daemon:
        control, names = daemon.requests(), [f"s{number}" for number in range(32)]
        for name in names:
            control.open(name, still())
        updates, publisher = daemon.subscriber("badge/"), daemon.publisher()
        other = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        told: dict[str, dict] = {}
        for total in (1, 2):
            for name in names:
                publisher.send(f"notification/{name}", {"kind": "likes"})
            while len(told) < len(names) or any(it["total"] < total for it in told.values()):
                update = updates.next()
                assert update, f"not all of them count {total}"
                told[update.topic] = update.body
            # Longer than the store gathers changes, so the commits start before more changes come.
            # Nothing outside shows the start. Without this pause the test is only easier to pass.
            time.sleep(0.1)
        daemon.process.send_signal(signal.SIGTERM)
        wait_for(lambda: "stopping" in daemon.log(), "it stops")
        other.execute("ROLLBACK")
        other.close()
        assert daemon.process.wait(10) == 0
        with contextlib.closing(sqlite3.connect(daemon.state / "gestured.db")) as file:
            assert file.execute("SELECT life, closed FROM store").fetchall() == [(0, 1)]
        control = daemon.restart()
        for name in names:
            found, before = control.badge(name), told[f"badge/{name}"]
            assert found["counts"] == {"likes": 2}
            assert found["version"] >= before["version"]


@pytest.mark.parametrize("durability", ["full", "off"])
def test_a_reopened_session_repeats_no_version(durability: str, session: str):
    with Daemon(f'[store]\ndurability = "{durability}"\n') as daemon:
        control = daemon.requests()
        control.open(session, still())
        for _ in range(3):
            control.notify(session, "likes")
        last = control.badge(session)
        control.ok("close", session=session)
        control.open(session, still())
        found = control.badge(session)
        assert found["counts"] == {} and found["version"] > last["version"]
        update = daemon.subscriber(f"badge/{session}").find(f"badge/{session}")
        assert update.body["version"] == found["version"]


def test_a_session_without_its_scene_can_be_closed():
    """A request and an event close sessions whose scene is gone."""
    with tempfile.TemporaryDirectory(prefix="gestured-scenes-") as folder:
        phone, other = (pathlib.Path(folder) / f"{name}.toml" for name in ("phone", "other"))
        shutil.copy(REPOSITORY / "config" / "scenes" / "phone.toml", phone)
        other.write_text(phone.read_text().replace('name = "phone"', 'name = "other"'))
        with Daemon(f'scenes = "{folder}"\n') as daemon:
            control = daemon.requests()
            for name in ("one", "two"):
                control.open(name, "other")
                control.notify(name, "likes")
            version = control.badge("one")["version"]
            daemon.stop()
            other.unlink()
            control = daemon.restart()
            assert control.refused("open", session="one", scene="phone")["code"] == "unknown-scene"
            control.ok("close", session="one")
            control.publish("command/two", {"command": "close"})
            assert control.sessions() == []
            assert control.open("one", "phone")["created"] is True
            assert control.badge("one")["version"] > version
            assert daemon.restart().sessions() == ["one"]


def test_a_row_that_cannot_be_read_can_be_closed(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, "phone")
        daemon.stop()
        change_store(daemon, "UPDATE session SET state = x'7b7b'")
        control = daemon.restart()
        assert control.refused("snapshot", session=session)["code"] == "internal"
        control.ok("close", session=session)
        assert control.open(session, "phone")["created"] is True


def test_a_row_that_is_mended_comes_back_in_a_while(session: str):
    """Until then its events cost no look into the store."""
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.open(session, "phone")
        control.notify(session, "likes")
        daemon.stop()
        change_store(daemon, "UPDATE session SET state = CAST(x'7b' || state AS BLOB)")
        control = daemon.restart()
        assert control.refused("snapshot", session=session)["code"] == "internal"
        with contextlib.closing(sqlite3.connect(daemon.state / "gestured.db")) as other, other:
            other.execute("UPDATE session SET state = substr(state, 2)")
        assert control.refused("snapshot", session=session)["code"] == "internal"
        wait_for(lambda: control.ask("snapshot", session=session)["ok"], "it is read again")
        assert control.badge(session)["counts"] == {"likes": 1}


def test_a_reload_brings_a_session_back_with_its_scene():
    with tempfile.TemporaryDirectory(prefix="gestured-scenes-") as folder:
        scene_file = pathlib.Path(folder) / "phone.toml"
        shutil.copy(REPOSITORY / "config" / "scenes" / "phone.toml", scene_file)
        with Daemon(f'scenes = "{folder}"\nauto_open = ""\n') as daemon:
            control = daemon.requests()
            control.open("one", "phone")
            control.notify("one", "likes")
            daemon.stop()
            text = scene_file.read_bytes()
            scene_file.unlink()
            control = daemon.restart()
            for _ in range(2):
                assert control.refused("snapshot", session="one")["code"] == "unknown-scene"
            scene_file.write_bytes(text)
            daemon.process.send_signal(signal.SIGHUP)
            wait_for(lambda: control.ask("snapshot", session="one")["ok"], "it comes back", 5)
            assert control.badge("one")["counts"] == {"likes": 1}


def test_a_session_used_under_a_wrong_clock_does_not_expire(session: str):
    with Daemon("[sessions]\nidle_timeout = 0.3\nretention = 5\n") as daemon:
        control = daemon.requests()
        control.open(session, "phone")
        control.open("old", "phone")
        daemon.stop()
        # One time from a clock without a battery, and a right one, a month old.
        change_store(daemon, "UPDATE session SET touched = 1000 WHERE id = ?", session)
        change_store(
            daemon, "UPDATE session SET touched = ? WHERE id = 'old'",
            int(time.time()) - 30 * 86_400)
        control = daemon.restart()
        wait_for(lambda: control.sessions() == [session], "only the old one expires")


def test_parking_waits_for_no_pause_of_a_slow_disk():
    with Daemon("[sessions]\nidle_timeout = 0.4\n") as daemon:
        control = daemon.requests()
        for number in range(20):
            control.open(f"s{number}", still())
        other = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None, timeout=5)
        end = time.monotonic() + 10
        while time.monotonic() < end and (stats := control.ok("stats")["stats"])["sessions"]:
            # Each commit takes longer than the pause between two checks for idle sessions.
            other.execute("BEGIN IMMEDIATE")
            waited = store_waits(daemon)
            time.sleep(0.15)
            wanted = store_waits(daemon) > waited
            other.execute("ROLLBACK")
            # SQLite looks for a lock every 100 ms. A shorter time might miss each look.
            deadline = time.monotonic() + (0.5 if wanted else 0.004)
            while time.monotonic() < deadline and (
                    control.ok("stats")["stats"]["store_commits"] == stats["store_commits"]):
                time.sleep(0.002)
        other.close()
        assert control.ok("stats")["stats"]["sessions_parked"] == 20


def test_a_first_event_that_is_refused_is_reported_to_its_session(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, still())
        control.notify(session, "likes", id="once")
        daemon.restart()
        updates, publisher = daemon.subscriber("rejected/"), daemon.publisher()
        publisher.send(f"notification/{session}", {"kind": "likes", "id": "once"})
        assert updates.find(f"rejected/{session}").body["code"] == "duplicate"


def test_an_id_counts_once_though_the_session_before_could_not_be_removed(session: str):
    """The store removes the old session at a later try and keeps the new session's ids."""
    with Daemon("lanes = 1\n") as daemon:
        control = daemon.requests()
        control.notify(session, "likes", id="old")
        topic = f"notification/{session}"
        other = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        commits = control.ok("stats")["stats"]["store_commits"]
        waited = store_waits(daemon)
        closing = control.send("close", session=session)
        # Many waits mean that it wants the lock; to take an order it waits twice at most.
        wait_for(
            lambda: store_waits(daemon) > waited + 5,
            "the commit with the removal alone is under way")
        opening = control.send("publish", topic=topic, body={"kind": "likes", "id": "new"})
        assert control.reply(closing)["error"]["code"] == "internal"
        other.execute("ROLLBACK")
        assert control.reply(opening)["ok"]
        wait_for(
            lambda: control.ok("stats")["stats"]["store_commits"] >= commits + 2,
            "the removal is committed")
        other.close()
        control = daemon.restart()
        assert control.notify(session, "likes", id="new")["duplicate"]
        assert control.badge(session)["counts"] == {"likes": 1}
        assert "duplicate" not in control.notify(session, "likes", id="old")


def test_an_end_under_load_stores_and_answers_all(tmp_path: pathlib.Path):
    """More changes wait than all the commits that may be in flight can take.

    The disk holds the commits up. A lock of the database would let them fail after two seconds,
    and a slow machine needs longer than that for the events.
    """
    stall = tmp_path / "stall"
    disk = {"LD_PRELOAD": library("stall"), "STALL": str(stall)}
    with Daemon("lanes = 1\n", environment=disk) as daemon:
        control, names = daemon.requests(), [f"s{number}" for number in range(20_000)]
        for number in [control.send("open", session=name, scene=scene(toss())) for name in names]:
            assert control.reply(number)["ok"]
        publisher = daemon.publisher()
        stall.touch()
        for name in names:
            publisher.send(f"notification/{name}", {"kind": "likes"})
        asked = {
            control.send("publish", topic=f"notification/{name}", body={"kind": "likes"})
            for name in names[:3_000]}
        wait_for(
            lambda: control.ok("stats")["stats"]["events_applied"] == len(names) + len(asked),
            "all are applied")
        assert not asked & control.waiting.keys(), "one is answered before it is stored"
        daemon.process.terminate()
        wait_for(lambda: "stopping" in daemon.log(), "it stops")
        stall.unlink()
        assert daemon.process.wait(DEADLINE) == 0
        answered = len(asked & control.waiting.keys())
        while control.socket.poll(200):
            answer = json.loads(control.socket.recv())
            answered += answer["ok"] and answer["id"] in asked
        assert answered == len(asked), daemon.log()
        assert "not everything is stored" not in daemon.log(), daemon.log()
        with contextlib.closing(sqlite3.connect(daemon.state / "gestured.db")) as file:
            assert file.execute("SELECT closed FROM store").fetchall() == [(1,)]
