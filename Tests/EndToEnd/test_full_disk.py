"""On a full disk views still move, and the daemon acknowledges only what it has stored.

Short here; `make soak` makes the same tests long.
"""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import time

import pytest
from client import Daemon
from reliability import Versions, chance, hold_to, sized, stats, wait_for
from scenes import reader, scene, still, tabs, toss

# Stores that may draw a key with which a nearly full disk takes all or none.
DRAWS_MAX = 8
PAN = {"gesture": "pan", "x": 160, "y": 223}


@contextlib.contextmanager
def small_disk(mebibytes: int, config: str = ""):
    """A daemon that has not started, with its state on its own disk."""
    daemon = Daemon(config)
    daemon.state.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m", "tmpfs", str(daemon.state)]
    if subprocess.run(mounting, capture_output=True).returncode:
        shutil.rmtree(daemon.folder)
        pytest.skip("no disk can be mounted here")
    try:
        yield daemon
    finally:
        subprocess.run(["umount", "--lazy", str(daemon.state)], check=True)
        shutil.rmtree(daemon.folder, ignore_errors=True)


def fill(daemon: Daemon) -> None:
    with contextlib.suppress(OSError), open(daemon.state / "ballast", "wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def lines(daemon: Daemon, text: str) -> int:
    return (daemon.folder / "stderr").read_text().count(text)


def large() -> dict:
    """A scene too large for the room that is left."""
    titles = [f"{number:0400}" for number in range(100)]
    return scene(tabs(), toss(), reader(pages=titles))


def test_on_a_full_disk_motion_goes_on_and_counts_are_refused():
    dice = chance("disk")
    with small_disk(8) as unstarted, unstarted as daemon:
        control, publisher = daemon.requests(), daemon.publisher()
        control.open("before", large())
        control.notify("before", "likes", id="first")
        fill(daemon)
        updates = daemon.subscriber("state/before/toss", "badge/before")
        began, refused, slowest = time.monotonic(), [], 0.0
        while time.monotonic() - began < sized(2.5, 20):
            # Few enough to fit once there is room.
            number = len(refused) % 40
            events = [
                {"op": "open", "session": f"new{number}", "scene": large()},
                {"op": "publish", "topic": "notification/before",
                 "body": {"kind": "likes", "id": f"full{len(refused)}"}}]
            answers = [control.reply(control.send(**event)) for event in events]
            sent = time.monotonic()
            assert control.ok("hello")
            slowest = max(slowest, time.monotonic() - sent)
            refused += [
                event for event, answer in zip(events, answers) if not answer["ok"]]
            codes = {answer["error"]["code"] for answer in answers if not answer["ok"]}
            assert codes <= {"internal"}, answers
            time.sleep(dice.uniform(0, 0.05))
        assert len(refused) > 10, f"only {len(refused)} were refused: is the disk full?"
        # Views still move.
        publisher.send("gesture/before/toss", PAN | {"phase": "began"})
        publisher.send("gesture/before/toss", PAN | {"phase": "ended", "vx": 1800, "vy": 0})
        updates.find("state/before/toss", phase="thrown")
        updates.find("state/before/toss", phase="resting")
        assert stats(control)["store_commits_failed"] > 10
        complaints = lines(daemon, "nothing can be stored")
        seconds = time.monotonic() - began
        assert 1 <= complaints <= seconds + 1, f"{complaints} lines in {seconds} s"
        (daemon.state / "ballast").unlink()
        recovered = wait_for(
            lambda: control.ask("publish", topic="notification/before", body={
                "kind": "likes", "id": "first"})["ok"], "there is room again")
        print(f"{len(refused)} refused, {complaints} lines, back after {recovered:.2f} s")
        for event in refused:
            assert control.reply(control.send(**event))["ok"], event
        counts = control.snapshot("before")["badge/before"]["counts"]
        control = daemon.restart()
        assert control.snapshot("before")["badge/before"]["counts"] == counts
        names = {event["session"] for event in refused if event["op"] == "open"}
        assert names | {"before"} <= set(control.sessions())
        hold_to(slowest, 1, "an answer")
        hold_to(recovered, 2, "the recovery")


def test_a_disk_that_takes_some_commits_is_not_logged_each_time():
    """The daemon stores the sessions that fit into the file and refuses others.

    Which ones fit depends on the key that the store draws: with a few keys it is all or none.
    """
    for _ in range(DRAWS_MAX):
        with small_disk(8) as unstarted, unstarted as daemon:
            outcomes, seconds = nearly_full(daemon)
            told = lines(daemon, "nothing can be stored"), lines(daemon, "stored again")
        assert max(told) <= seconds + 1, f"{told} lines in {seconds} s"
        if len(outcomes) == 2:
            return
    pytest.fail(f"none of {DRAWS_MAX} stores took some of the sessions alone")


def nearly_full(daemon: Daemon) -> tuple[set[bool], float]:
    """Fills the disk, publishes to eight sessions for a while; returns the answers' `ok`."""
    names = [f"small{number}" for number in range(8)]
    control = daemon.requests()
    for name in names:
        control.open(name, still())
        control.notify(name, "likes", set=100_000)
    control = daemon.restart(signal.SIGTERM)
    # From now on the log has room for small changes only.
    control.notify(names[0], "likes")
    fill(daemon)
    assert control.refused("open", session="large", scene=large())["code"] == "internal"
    began, outcomes = time.monotonic(), set()
    while time.monotonic() - began < 2.5:
        for name in names:
            topic = f"notification/{name}"
            outcomes.add(control.ask("publish", topic=topic, body={"kind": "likes"})["ok"])
    return outcomes, time.monotonic() - began


def test_killed_on_a_full_disk_it_has_what_it_acknowledged():
    with small_disk(2) as unstarted, unstarted as daemon:
        control, counted, answer = daemon.requests(), 0, {"ok": True}
        control.open("before", still())
        while answer["ok"] and counted < 5_000:
            answer = control.ask(
                "publish", topic="notification/before", body={"kind": "likes", "id": f"{counted}"})
            counted += answer["ok"]
            if counted == 20:
                fill(daemon)
        assert answer["error"]["code"] == "internal", answer
        daemon.stop(signal.SIGKILL)
        (daemon.state / "ballast").unlink()
        control = daemon.restart()
        total = control.snapshot("before")["badge/before"]["total"]
        assert total in (counted, counted + 1), f"{total} instead of {counted}"
        again = control.publish("notification/before", {"kind": "likes", "id": f"{counted}"})
        assert again.get("duplicate", False) == (total > counted)


def test_a_stored_session_may_change_on_a_full_disk():
    """The session has its place in the file, so SQLite can empty the log and reuse it."""
    with small_disk(8) as unstarted, unstarted as daemon:
        control = daemon.requests()
        control.open("before", still())
        control.notify("before", "likes", set=100_000)
        control = daemon.restart(signal.SIGTERM)
        control.notify("before", "likes")
        fill(daemon)
        for _ in range(200):
            control.notify("before", "likes")
        assert stats(control)["store_commits_failed"] == 0
        control = daemon.restart()
        assert control.snapshot("before")["badge/before"]["total"] == 100_201


def test_it_starts_on_a_full_disk_and_counts_once_there_is_room():
    """No version stands for two different counts in any of the next lives."""
    with small_disk(2) as unstarted, unstarted as daemon:
        control, versions = daemon.requests(), Versions()

        def counts() -> dict[str, int]:
            for topic, body in control.snapshot("before").items():
                if topic.startswith("badge/"):
                    versions.note(topic, body)
                    return body["counts"]
            raise AssertionError("a snapshot without a badge")

        control.open("before", scene(tabs(), toss()))
        control.notify("before", "likes", add=3)
        control.notify("before", "comments", add=2)
        before, notification = counts(), {"kind": "likes", "id": "full"}
        document = control.ok("export", session="before")["document"]
        # A clean end leaves an empty log without room; a kill does not empty it.
        ends = [signal.SIGTERM, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM]
        for number in ends:
            daemon.stop(number)
            fill(daemon)
            control, publisher = daemon.restart(), daemon.publisher()
            updates = daemon.subscriber("state/before/", "badge/before")
            assert counts() == before
            refused = [
                control.refused("publish", topic="notification/before", body=notification),
                control.refused("publish", topic="notification/new", body=notification),
                control.refused("publish", topic="command/before/badges", body={
                    "command": "clear"}),
                control.refused("import", session="other", document=document),
                control.refused("close", session="before")]
            assert {error["code"] for error in refused} == {"internal"}, refused
            assert control.sessions() == ["before"]
            publisher.send("gesture/before/tabs", {"gesture": "tap", "index": 1})
            publisher.send("gesture/before/tabs", {"gesture": "tap", "index": 2})
            publisher.send("gesture/before/toss", PAN | {"phase": "began"})
            publisher.send("gesture/before/toss", PAN | {"phase": "ended", "vx": 1800, "vy": 0})
            updates.find("state/before/toss", phase="thrown")
            updates.find("state/before/toss", phase="resting")
            assert counts() == before
            assert lines(daemon, "nothing is counted until") == 1
        (daemon.state / "ballast").unlink()
        recovered = wait_for(
            lambda: control.ask("publish", topic="notification/before", body=notification)["ok"],
            "there is room again")
        for number in (signal.SIGKILL, signal.SIGTERM):
            assert counts() == before | {"likes": 4}
            control = daemon.restart(number)
        assert control.publish("notification/before", notification)["duplicate"] is True
        control.command("before", "badges", "clear")
        assert counts() == {"likes": 0, "comments": 0}
        hold_to(recovered, 2, "the recovery")


def test_it_begins_by_itself_once_there_is_room():
    """The store recovers although no request needs it."""
    with small_disk(2) as unstarted, unstarted as daemon:
        daemon.requests().open("before", still())
        daemon.stop(signal.SIGTERM)
        fill(daemon)
        control = daemon.restart()
        assert stats(control)["store_commits_failed"] == 0
        assert control.refused("close", session="before")["code"] == "internal"
        (daemon.state / "ballast").unlink()
        waited = wait_for(lambda: lines(daemon, "stored again"), "the store recovers")
        control.notify("before", "likes")
        hold_to(waited, 2, "the recovery")


def likes(control, session: str) -> int:
    return control.snapshot(session)[f"badge/{session}"]["counts"].get("likes", 0)


def fill_for_good(daemon: Daemon, control) -> None:
    """Sessions that do not fit, so that no commit of the one lane succeeds: each has them along.
    None is so large that it goes by itself."""
    fill(daemon)
    titles = [f"{number:0400}" for number in range(25)]
    filler = scene(tabs(), reader(pages=titles))
    # The first ones may find room in the log.
    answers = [control.ask("open", session=f"filler{number}", scene=filler) for number in range(8)]
    assert [it["ok"] or it["error"]["code"] for it in answers[-4:]] == ["internal"] * 4, answers



CLOSES = {
    "request": ("close", {"session": "closed"}),
    "command": ("publish", {"topic": "command/closed", "body": {"command": "close"}})}


@pytest.mark.parametrize("way", CLOSES)
def test_a_close_that_is_not_stored_is_not_taken_for_done(way: str):
    op, fields = CLOSES[way]
    with small_disk(8, "lanes = 1\n") as unstarted, unstarted as daemon:
        control = daemon.requests()
        control.open("closed", still())
        control.notify("closed", "likes")
        fill_for_good(daemon, control)
        for _ in range(3):
            assert control.refused(op, **fields)["code"] == "internal"
        assert control.refused("snapshot", session="closed")["code"] == "unknown-session"
        assert "closed" not in control.sessions()
        daemon.stop(signal.SIGKILL)
        (daemon.state / "ballast").unlink()
        control = daemon.restart()
        assert likes(control, "closed") == 1, "it is there again, as nothing else was said"
        fill_for_good(daemon, control)
        assert control.refused(op, **fields)["code"] == "internal"
        (daemon.state / "ballast").unlink()
        answers = []
        wait_for(lambda: answers.append(control.ask(op, **fields)) or answers[-1]["ok"], "room")
        assert {it["error"]["code"] for it in answers[:-1]} <= {"internal"}, answers
        assert control.refused("close", session="closed")["code"] == "unknown-session"
        control = daemon.restart()
        assert "closed" not in control.sessions()


def test_a_name_that_is_opened_again_before_its_close_is_stored_has_a_new_life():
    with small_disk(8, "lanes = 1\n") as unstarted, unstarted as daemon:
        control = daemon.requests()
        control.open("again", still())
        for _ in range(3):
            control.notify("again", "likes")
        version = control.snapshot("again")["badge/again"]["version"]
        fill_for_good(daemon, control)
        events = [
            ("close", {"session": "again"}), ("open", {"session": "again", "scene": still()}),
            ("publish", {"topic": "notification/again", "body": {"kind": "likes", "id": "a"}})]
        for op, fields in events:
            assert control.refused(op, **fields)["code"] == "internal", op
        assert likes(control, "again") == 1
        (daemon.state / "ballast").unlink()
        wait_for(lambda: control.ask(*events[1][:1], **events[1][1])["ok"], "room")
        assert control.ok(*events[2][:1], **events[2][1])["duplicate"]
        control = daemon.restart()
        assert likes(control, "again") == 1
        assert control.snapshot("again")["badge/again"]["version"] > version


def test_an_import_that_is_not_stored_is_not_taken_for_done():
    with small_disk(8, "lanes = 1\n") as unstarted, unstarted as daemon:
        control = daemon.requests()
        control.open("alice", still())
        fields = {"session": "copy", "document": control.export("alice")}
        fill_for_good(daemon, control)
        replace = {"session": "alice", "scene": large(), "replace": True}
        for op, request in [("import", fields), ("open", replace)] * 2:
            assert control.refused(op, **request)["code"] == "internal", op
        (daemon.state / "ballast").unlink()
        wait_for(lambda: control.refused("import", **fields)["code"] == "busy", "it is stored")
        control.ok("open", **replace)
        control = daemon.restart()
        assert "copy" in control.sessions()
        components = control.ok("scene", session="alice")["scene"]["components"]
        assert len(components) == len(large()["components"])
