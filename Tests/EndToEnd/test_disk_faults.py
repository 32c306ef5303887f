"""The disk fails, loses its power, or somebody takes the files away: the daemon keeps its word.

Short here; `make soak` makes the same tests long. Each prints its seed.
"""

from __future__ import annotations

import fcntl
import json
import os
import pathlib
import random
import shutil
import signal
import stat
import subprocess
import threading
import time

import pytest
from client import Control, Daemon, binary
from preload import Disk, cut_power, entries
from reliability import chance, sized, stats, wait_for
from scenes import still

# The exit status after which a service manager tries again.
TEMPORARY = 75


def publish(control: Control, session: str, number: int) -> int:
    """Sends a notification that counts one, with an id of its own."""
    body = {"kind": "likes", "id": f"{session}-{number}"}
    return control.send("publish", topic=f"notification/{session}", body=body)


def total(control: Control, session: str) -> int:
    return control.badge(session)["total"]


def kept(daemon: Daemon) -> list[str]:
    return sorted(path.name for path in daemon.state.glob("*.damaged-*"))


def begin(daemon: Daemon) -> Control:
    """Starts a daemon that has ended."""
    if daemon.process is not None:
        daemon.process.stdout.close()
        daemon.errors.close()
    return daemon.start().requests()


def end(daemon: Daemon, control: Control, number: int = signal.SIGKILL) -> None:
    """Ends a daemon and one of its peers: a context has only so many sockets."""
    control.socket.close(linger=0)
    daemon.stop(number)


def start_or_fail(daemon: Daemon) -> Control | None:
    """Starts a daemon, which may end because the disk fails: then it says so in one line."""
    try:
        return begin(daemon)
    except AssertionError:
        assert daemon.process.wait() == TEMPORARY, daemon.log()
        assert daemon.log().count("cannot start") == 1, daemon.log()
        return None


# MARK: Reads


@pytest.fixture
def used():
    """A daemon that has ended, and the counts of its sessions."""
    daemon = Daemon("lanes = 2\n")
    names = [f"s{number}" for number in range(40)]
    with daemon:
        control = daemon.requests()
        for name in names:
            control.open(name, still())
        for answer in [publish(control, name, 1) for name in names]:
            assert control.reply(answer)["ok"]
        daemon.stop(signal.SIGKILL)
        yield daemon, names


def test_a_disk_that_fails_to_read_costs_no_store(used: tuple[Daemon, list[str]]):
    """Reads fail at first, or now and then, while the daemon starts. It waits and tries again."""
    daemon, names = used
    dice, refused = chance("reads"), 0
    for number in range(int(sized(10, 60))):
        setting = {"first": dice.randrange(1, 40)} if number % 2 else {
            "read": dice.choice((0.01, 0.03, 0.1))}
        disk = Disk(daemon, dice.randrange(1 << 30), **({"first": 0, "read": 0} | setting))
        disk.turn(True)
        control = start_or_fail(daemon)
        disk.turn(False)
        assert kept(daemon) == [], f"set aside with {setting}"
        if control is None:
            refused += 1
            continue
        assert control.sessions() == sorted(names)
        assert [total(control, name) for name in names] == [1] * len(names)
        end(daemon, control, dice.choice((signal.SIGKILL, signal.SIGTERM)))
    print(f"{refused} starts were refused")
    daemon.environment |= {"DISK_READ": "0", "DISK_FIRST": "0"}
    control = begin(daemon)
    assert [total(control, name) for name in names] == [1] * len(names)


def test_a_disk_that_reads_nothing_refuses_the_start(used: tuple[Daemon, list[str]]):
    daemon, names = used
    before = {path.name: path.read_bytes() for path in daemon.state.glob("*.db*")}
    disk = Disk(daemon, first=1_000_000)
    disk.turn(True)
    began = time.monotonic()
    assert start_or_fail(daemon) is None
    assert 10 < time.monotonic() - began < 30
    log = daemon.log()
    assert "Input/output error; the disk failed for 15 s, and the store is left as it is" in log
    # The line that it tries again is counted, not repeated.
    assert log.count("\n") <= 4, log
    assert {path.name: path.read_bytes() for path in daemon.state.glob("*.db*")} == before
    disk.turn(False)
    assert begin(daemon).sessions() == sorted(names)


def test_a_disk_that_fails_now_and_then_loses_nothing_and_tells_of_no_loss():
    """Syncs and writes fail while changes come, and the process is killed again and again."""
    dice = chance("faults")
    names = [f"s{number}" for number in range(12)]
    sent, done, refusals = dict.fromkeys(names, 0), set(), 0
    with Daemon("lanes = 4\n") as daemon:
        control = daemon.requests()
        for name in names:
            control.open(name, still())
        end(daemon, control)
        for _ in range(int(sized(12, 200))):
            disk = Disk(
                daemon, dice.randrange(1 << 30), read=dice.choice((0, 0.01)),
                sync=dice.choice((0, 0.3, 0.6)), full=dice.choice((0, 0.02, 0.2)))
            disk.turn(True)
            control = start_or_fail(daemon)
            if control is None:
                continue
            asked = []
            for _ in range(dice.randrange(1, 6)):
                for name in dice.sample(names, dice.randrange(1, len(names))):
                    for _ in range(dice.randrange(1, 6)):
                        asked.append((name, sent[name], publish(control, name, sent[name])))
                        sent[name] += 1
                # Some come while the ones before wait for the disk, or for the next trial.
                time.sleep(dice.choice((0, 0, 0.02, 0.2)))
            time.sleep(dice.uniform(0, 0.4))
            daemon.stop(signal.SIGKILL)
            for name, number, request in asked:
                if not answered(control, request):
                    continue
                answer = control.reply(request)
                if answer["ok"]:
                    done.add((name, number))
                else:
                    assert answer["error"]["code"] == "internal", answer
                    refusals += 1
            control.socket.close(linger=0)
            disk.turn(False)
            assert kept(daemon) == [], daemon.log()
            assert "may be lost" not in daemon.log()
        control = begin(daemon)
        assert kept(daemon) == [] and "may be lost" not in daemon.log()
        for name in names:
            answers = [
                control.reply(publish(control, name, number)) for number in range(sent[name])]
            again = [
                number for number, answer in enumerate(answers)
                if (name, number) in done and not answer.get("duplicate")]
            assert not again, f"{name}: {again} were acknowledged and lost"
            assert total(control, name) == sent[name]
    print(f"{len(done)} acknowledged, {refusals} refused")
    assert len(done) > 50


def answered(control: Control, request: int) -> bool:
    """Whether an answer has come; the daemon has ended."""
    while request not in control.waiting and control.socket.poll(20):
        answer = json.loads(control.socket.recv_multipart()[-1])
        control.waiting[answer["id"]] = answer
    return request in control.waiting


# MARK: Files that go away


def test_a_folder_that_is_moved_away_is_told_and_recovers_once_it_is_back():
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", still())
        assert control.reply(publish(control, "alice", 1))["ok"]
        away = daemon.folder / "away"
        daemon.state.rename(away)
        # It is told though nobody publishes.
        wait_for(lambda: "it was removed or replaced" in daemon.log(), "the log says so")
        answer = control.reply(publish(control, "alice", 2))
        assert not answer["ok"] and answer["error"]["code"] == "internal"
        assert control.ok("hello") and stats(control)["store_commits_failed"] > 0
        away.rename(daemon.state)
        wait_for(lambda: control.reply(publish(control, "alice", 2))["ok"], "it recovers")
        wait_for(lambda: "it can be stored again" in daemon.log(), "the log says so")
        control = daemon.restart()
        assert total(control, "alice") == 2


@pytest.mark.parametrize("other", [None, "empty", "copy"])
def test_a_store_that_is_removed_or_replaced_takes_no_more_changes(other: str | None):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", still())
        assert control.reply(publish(control, "alice", 1))["ok"]
        path = daemon.state / "gestured.db"
        data = path.read_bytes()
        path.unlink()
        if other:
            path.write_bytes(data if other == "copy" else b"")
        for number in range(2, 6):
            answer = control.reply(publish(control, "alice", number))
            assert not answer["ok"] and answer["error"]["code"] == "internal", answer
        assert "nothing can be stored" in daemon.log()
        assert daemon.stop() == 0
        assert "stopped, and not everything is stored" in daemon.log()


def test_a_log_that_is_removed_costs_nothing_that_was_acknowledged():
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", still())
        for number in range(10):
            assert control.reply(publish(control, "alice", number))["ok"]
        (daemon.state / "gestured.db-wal").unlink()
        answer = control.reply(publish(control, "alice", 10))
        assert not answer["ok"] and answer["error"]["code"] == "internal"
        control = daemon.restart()
        again = [control.reply(publish(control, "alice", number)) for number in range(11)]
        assert all(answer.get("duplicate") for answer in again[:10]), again
        assert total(control, "alice") == 11


# MARK: The lock


def refused_start(daemon: Daemon) -> str:
    ended = subprocess.run(
        [str(binary()), *daemon.arguments], capture_output=True, text=True, timeout=60,
        cwd=daemon.folder)
    assert ended.returncode == 2, ended
    return ended.stderr


@pytest.mark.parametrize("way", ["removed", "replaced", "renamed"])
def test_a_lock_file_that_is_gone_lets_nobody_in(way: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", still())
        lock = daemon.state / "lock"
        lock.unlink() if way != "renamed" else lock.rename(daemon.state / "other")
        if way == "replaced":
            lock.touch()
        assert "another gestured runs on this state" in refused_start(daemon)
        assert control.reply(publish(control, "alice", 1))["ok"]


def test_a_start_waits_for_a_lock_that_is_about_to_go():
    """After `kill -9` the system may still be ending the former daemon."""
    daemon = Daemon()
    daemon.state.mkdir()
    held = os.open(daemon.state, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    threading.Timer(0.5, os.close, [held]).start()
    began = time.monotonic()
    with daemon:
        assert time.monotonic() - began >= 0.5
        daemon.requests().open("alice", still())


def test_a_lock_that_is_a_link_is_not_followed():
    daemon = Daemon()
    daemon.state.mkdir()
    victim = daemon.folder / "victim"
    (daemon.state / "lock").symlink_to(victim)
    assert "lock: cannot be opened" in refused_start(daemon)
    assert not victim.exists()
    shutil.rmtree(daemon.folder)


# MARK: Rights


def test_nobody_else_may_read_what_is_stored():
    """Whatever the umask is, and where an earlier version was more generous."""
    daemon = Daemon(wrapper=["/bin/sh", "-c", 'umask 0; exec "$@"', "sh"])
    daemon.state.mkdir()
    path = daemon.state / "gestured.db"

    def rights() -> dict[str, int]:
        files = [found for found in daemon.state.iterdir() if found.is_file()]
        return {found.name: stat.S_IMODE(found.stat().st_mode) for found in files}

    with daemon:
        control = daemon.requests()
        control.open("alice", still())
        for number in range(20):
            assert control.reply(publish(control, "alice", number))["ok"]
        assert {"gestured.db", "gestured.db-wal", "gestured.db-shm", "lock"} <= set(rights())
        assert set(rights().values()) == {0o600}, rights()
        daemon.stop(signal.SIGKILL)
        log = pathlib.Path(f"{path}-wal")
        for file in (path, log):
            file.chmod(0o666)
        # The copy of a damaged log, and a database that is set aside.
        data = bytearray(log.read_bytes())
        middle = 32 + (len(data) // 2) // (24 + 4096) * (24 + 4096)
        data[middle + 24:middle + 88] = b"\xa5" * 64
        log.write_bytes(data)
        daemon.restart()
        assert len(kept(daemon)) == 1
        daemon.stop()
        path.chmod(0o666)
        path.write_bytes(b"\xa5" * 4096)
        daemon.restart()
        assert len(kept(daemon)) == 2
        assert all(mode & ~0o640 == 0 for mode in rights().values()), rights()


# MARK: Power


def test_a_loss_of_power_loses_and_doubles_nothing_that_was_acknowledged():
    """Each cut leaves what was synced, and any part of what was written since.

    The disk's calls are recorded while changes come. The files are then built as a loss of power
    at some moment would have left them, and the daemon starts on them.
    """
    dice, cuts = chance("power"), 0
    with Daemon() as daemon:
        disk = Disk(daemon)
        before: dict[str, bytes] = {}
        sent = 0
        daemon.stop()
        lay_out(daemon, before)
        floor = dict.fromkeys(("a", "b", "c"), 0)
        for _ in range(int(sized(4, 50))):
            disk.change(log=disk.log)
            moments, sent = record(daemon, disk, floor, sent, dice)
            calls = entries(disk.log)
            first = moments[0][0]
            for _ in range(int(sized(3, 4))):
                cut = dice.choice([entry.end for entry in calls if entry.end >= first])
                files = cut_power(before, [it for it in calls if it.end <= cut], dice)
                lay_out(daemon, files)
                daemon.environment.pop("DISK_LOG")
                control = begin(daemon)
                safe = {name: max(
                    [number for end, who, number in moments if who == name and end <= cut],
                    default=floor[name]) for name in floor}
                shown = {name: total(control, name) for name in floor}
                assert all(safe[name] <= shown[name] <= sent for name in floor), (
                    f"{shown} is shown, and {safe} were acknowledged")
                expect_each_once(control, shown, sent, dice)
                end(daemon, control)
                assert kept(daemon) == [] and "may be lost" not in daemon.log(), daemon.log()
                cuts += 1
                disk.change(log=disk.log)
            # The next life goes on from what the last cut left.
            before, floor = files, shown
            lay_out(daemon, files)
            disk.log.unlink()
    print(f"{cuts} cuts, {sent} changes in each session")


def record(
    daemon: Daemon, disk: Disk, floor: dict[str, int], sent: int, dice: random.Random
) -> tuple[list[tuple[int, str, int]], int]:
    """Publishes for a while. Returns where the disk's log ended when each answer came."""
    control = begin(daemon)
    for name in floor:
        control.open(name, still())
    moments = [(disk.log.stat().st_size, name, floor[name]) for name in floor]
    number, waiting = min(floor.values()), []
    last = sent + dice.randrange(20, 120)
    while number < last or waiting:
        if number < last and len(waiting) < 24:
            waiting += [(name, number, publish(control, name, number)) for name in floor]
            number += 1
            continue
        name, done, request = waiting.pop(0)
        assert control.reply(request)["ok"]
        moments.append((disk.log.stat().st_size, name, done + 1))
    end(daemon, control, dice.choice((signal.SIGKILL, signal.SIGTERM)))
    return moments, last


def lay_out(daemon: Daemon, files: dict[str, bytes]) -> None:
    for path in daemon.state.glob("gestured.db*"):
        path.unlink()
    for name, data in files.items():
        (daemon.state / name).write_bytes(data)


def expect_each_once(
    control: Control, shown: dict[str, int], sent: int, dice: random.Random
) -> None:
    """Changes that are shown are known again; later ones count once."""
    for name, count in shown.items():
        # The daemon remembers the last 1,024 ids of a session.
        for number in {count - 1, dice.randrange(max(0, count - 1_000), count)} if count else ():
            assert control.reply(publish(control, name, number)).get("duplicate"), (name, number)
        if count < sent:
            assert "duplicate" not in control.reply(publish(control, name, count)), (name, count)
            assert total(control, name) == count + 1
