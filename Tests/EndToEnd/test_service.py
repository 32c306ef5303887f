"""The daemon as a service: what it tells its manager, and what it takes from it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import pytest
from client import REPOSITORY, Daemon, binary
from manager import Manager
from reliability import wait_for
from scenes import still

SCENES = REPOSITORY / "config" / "scenes"
MINI = 'name = "{}"\nviewport = [320, 568]\n\n[[components]]\nid = "toss"\nkind = "toss"\n'


@pytest.fixture
def manager():
    # Not pytest's folder: a path below it can be too long for a socket.
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        with Manager(f"{folder}/notify") as manager:
            yield manager


# MARK: - Notifications


def test_it_tells_when_it_is_ready_how_it_fares_and_that_it_stops(manager: Manager):
    with Daemon(environment=manager.environment) as daemon:
        manager.until("READY", "1")
        # It was bound before: what is asked then is answered.
        control = daemon.requests()
        control.open("alice", "phone")
        status = manager.until("STATUS", "1 session, 0 moving")
        assert re.fullmatch(
            r"1 session, 0 moving; \d+ events/s, \d+ updates/s; store: good", status), status
        assert daemon.stop() == 0
        manager.take(0.1)
    assert manager.changes == ["READY", "STOPPING"]
    after = manager.told.index(("STOPPING", "1"))
    assert "EXTEND_TIMEOUT_USEC" in [name for name, _ in manager.told[after:]]


def test_an_abstract_name_is_a_path_as_well():
    with Manager(f"@gestured-{os.getpid()}") as manager:
        with Daemon(environment=manager.environment):
            manager.until("READY", "1")


def test_what_does_not_change_is_not_told_again(manager: Manager):
    with Daemon(environment=manager.environment):
        manager.until("READY")
        manager.take(4.5)
        told = [value for name, value in manager.told if name == "STATUS"]
        # A heartbeat is an update: none, then one a second.
        assert 1 <= len(told) <= 3, told


def test_figures_of_the_status_are_those_of_the_second(manager: Manager):
    with Daemon(environment=manager.environment) as daemon:
        publisher, control = daemon.publisher(), daemon.requests()
        control.open("alice", still())
        end = time.monotonic() + 3.5
        while time.monotonic() < end:
            publisher.send("notification/alice", {"kind": "likes"})
            time.sleep(0.01)
        manager.take(0.5)
        rates = [int(found[1]) for _, value in manager.told
                 if (found := re.search(r"(\d+) events/s", value))]
        assert max(rates) >= 20 and max(rates) <= 110, rates


def test_a_start_that_fails_says_why_and_is_never_ready(manager: Manager, tmp_path: pathlib.Path):
    file = tmp_path / "gestured.toml"
    file.write_text("frame_rate = 50\n")
    result = subprocess.run(
        [str(binary()), "--config", str(file)], capture_output=True, text=True, timeout=10,
        env=os.environ | manager.environment)
    assert result.returncode == 2 and len(result.stderr.splitlines()) == 1, result
    assert "frame_rate" in manager.until("STATUS")
    assert manager.changes == []


def test_a_manager_that_is_gone_or_does_not_read_stops_nothing(tmp_path: pathlib.Path):
    with Daemon(environment={"NOTIFY_SOCKET": str(tmp_path / "nobody")}) as daemon:
        assert daemon.requests().ok("hello")
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        with Manager(f"{folder}/notify") as manager:
            # Nobody takes any of them; each reload is two.
            with Daemon(environment=manager.environment) as daemon:
                for _ in range(400):
                    daemon.process.send_signal(signal.SIGHUP)
                    time.sleep(0.002)
                assert daemon.requests().ok("hello")


# MARK: - The watchdog


def gaps(manager: Manager) -> list[float]:
    times = manager.times["WATCHDOG"]
    return [later - earlier for earlier, later in zip(times, times[1:])]


def test_the_watchdog_is_fed_within_half_of_its_time(manager: Manager):
    environment = manager.environment | {"WATCHDOG_USEC": "1000000"}
    with Daemon(environment=environment):
        manager.until("WATCHDOG")
        manager.take(3)
        # A quarter of it apart, and as much again for a machine that is busy.
        assert len(gaps(manager)) >= 6 and max(gaps(manager)) < 0.5, gaps(manager)


@pytest.mark.parametrize("environment", [
    {}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "some"},
    {"WATCHDOG_USEC": "200000", "WATCHDOG_PID": "1"},
], ids=["none", "zero", "no number", "another process"])
def test_no_watchdog_is_fed_that_nobody_asked_for(manager: Manager, environment: dict):
    with Daemon(environment=manager.environment | environment):
        manager.until("READY")
        manager.take(1)
        assert "WATCHDOG" not in manager.times


def test_the_watchdog_is_not_fed_while_the_process_stands_still(manager: Manager):
    environment = manager.environment | {"WATCHDOG_USEC": "1000000"}
    with Daemon(environment=environment) as daemon:
        manager.until("WATCHDOG")
        daemon.process.send_signal(signal.SIGSTOP)
        manager.take(0.2)
        count = len(manager.times["WATCHDOG"])
        manager.take(1.5)
        assert len(manager.times["WATCHDOG"]) == count
        daemon.process.send_signal(signal.SIGCONT)
        manager.until("WATCHDOG")


@contextlib.contextmanager
def no_reading(daemon: Daemon):
    """Holds the locks by which SQLite's readers mark what they read: a lane that reads waits.

    They stand from byte 123 on in the file that is shared: https://www.sqlite.org/walformat.html
    """
    with open(daemon.state / "gestured.db-shm", "r+b") as file:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 5, 123)
        yield
        fcntl.lockf(file, fcntl.LOCK_UN, 5, 123)


def test_the_watchdog_is_not_fed_while_a_lane_stands_still(manager: Manager):
    environment = manager.environment | {"WATCHDOG_USEC": "1000000"}
    with Daemon("lanes = 2\n", environment=environment) as daemon:
        control = daemon.requests()
        control.open("alice", "phone")
        manager.until("WATCHDOG")
        with no_reading(daemon):
            # What is not in memory is looked for in the store.
            control.send("snapshot", session="bob")
            manager.take(0.5)
            count = len(manager.times["WATCHDOG"])
            manager.take(1.5)
            assert len(manager.times["WATCHDOG"]) == count, "fed while a lane stood still"
            # The reactor itself goes on.
            assert control.ok("hello")
        manager.until("WATCHDOG", deadline=15)
        wait_for(lambda: "all lanes answer again" in daemon.log(), "the log tells of it")
        assert "not all lanes answer: no word" in daemon.log()
        assert "the watchdog is not fed" in daemon.log()


def test_a_disk_that_stands_still_leaves_the_watchdog_fed(manager: Manager):
    """What is live goes on without it; that it waits is told."""
    import sqlite3

    environment = manager.environment | {"WATCHDOG_USEC": "1000000"}
    with Daemon(environment=environment) as daemon:
        control = daemon.requests()
        control.open("alice", still())
        other = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        publisher = daemon.publisher()
        publisher.send("notification/alice", {"kind": "likes"})
        manager.take(3)
        assert max(gaps(manager)) < 0.5, gaps(manager)
        assert any("NOTHING CAN BE STORED" in value for _, value in manager.told), manager.told
        other.execute("ROLLBACK")
        other.close()
        manager.until("STATUS", "store: good")


# MARK: - The configuration, read again


class Reloading:
    """A daemon whose files can be changed, with the manager that it tells of it."""

    def __init__(self, manager: Manager, text: str = "", arguments: list[str] | None = None):
        self.manager = manager
        self.daemon = Daemon(
            'scenes = "scenes"\n' + text, arguments, environment=manager.environment)
        self.folder = self.daemon.folder
        (self.folder / "scenes").mkdir()
        self.scene("mini")

    def scene(self, name: str, more: str = "") -> None:
        (self.folder / "scenes" / f"{name}.toml").write_text(MINI.format(name) + more)

    def write(self, text: str) -> None:
        self.daemon.config.write_text('scenes = "scenes"\n' + text)

    def reload(self) -> None:
        """Has the files read again, and waits until that is over."""
        before = len(self.manager.told)
        self.daemon.process.send_signal(signal.SIGHUP)
        self.manager.until("RELOADING", "1")
        self.manager.until("READY", "1")
        told = dict(self.manager.told[before:])
        now = time.clock_gettime(time.CLOCK_MONOTONIC) * 1e6
        assert 0 <= now - int(told["MONOTONIC_USEC"]) < 10e6

    def __enter__(self):
        self.daemon.start()
        self.manager.until("READY", "1")
        return self

    def __exit__(self, *error: object) -> None:
        self.daemon.__exit__(*error)


AUTO = 'auto_open = "mini"\n'


def test_a_reload_takes_new_scenes_and_loses_no_session(manager: Manager):
    with Reloading(manager, AUTO + "lanes = 3\n") as it:
        control, updates = it.daemon.requests(), it.daemon.subscriber("session/", "badge/")
        names = [f"s{number}" for number in range(12)]
        for name in names:
            control.open(name, "mini")
            control.notify(name, "likes")
        before = {name: control.snapshot(name) for name in names}
        it.scene("other")
        it.scene("mini", 'throwing_threshold = 500\n[[components]]\nid = "two"\nkind = "toss"\n')
        it.write('auto_open = "other"\nlanes = 3\nframe_rate = 120\n')
        updates.during(0.3)
        it.reload()
        assert control.ok("scenes")["scenes"] == ["mini", "other"]
        for name in names:
            now = control.snapshot(name)
            assert now.keys() == before[name].keys(), "an open session has another scene"
            assert now[f"badge/{name}"]["version"] == before[name][f"badge/{name}"]["version"]
            assert now[f"session/{name}"]["epoch"] == before[name][f"session/{name}"]["epoch"]
        assert [u for u in updates.during(0.3) if u.topic.startswith("session/")] == []
        control.open("new", "mini")
        assert "state/new/two" in control.snapshot("new")
        control.notify("first", "likes")
        assert control.ok("snapshot", session="first")["scene"] == "other"
        assert "only a restart" not in it.daemon.log()


def test_a_bad_file_is_refused_whole(manager: Manager):
    with Reloading(manager, AUTO + "[sessions]\nmax = 7\n") as it:
        control = it.daemon.requests()
        it.scene("other")
        it.write(AUTO + "[sessions]\nmax = 9\n[log]\nlevel = \"loud\"\n")
        it.reload()
        assert control.ok("scenes")["scenes"] == ["mini"]
        assert control.ok("hello")["limits"]["limit_sessions"] == 7
        place = f"{it.daemon.config}:6: log, key level"
        line = next(line for line in it.daemon.log().splitlines() if "refused" in line)
        assert line.startswith("gestured: error: the configuration is refused") and place in line
        manager.until("STATUS", place)
        # The same file, mended.
        it.write(AUTO + "[sessions]\nmax = 9\n")
        it.reload()
        assert control.ok("scenes")["scenes"] == ["mini", "other"]
        assert control.ok("hello")["limits"]["limit_sessions"] == 9
        manager.until("STATUS", "store: good")
        assert "refused" not in manager.told[-1][1]


def test_a_bad_scene_is_refused_with_all_else(manager: Manager):
    with Reloading(manager, AUTO) as it:
        it.scene("other", "throwing_treshold = 5\n")
        it.reload()
        assert it.daemon.requests().ok("scenes")["scenes"] == ["mini"]
        assert "other.toml:7" in it.daemon.log()


def test_keys_that_only_a_restart_changes_are_named(manager: Manager):
    with Reloading(manager, AUTO + "lanes = 2\n") as it:
        control = it.daemon.requests()
        it.write(
            AUTO + "lanes = 3\nframe_rate = 30\n"
            'updates = ["tcp://127.0.0.1:9"]\n[sessions]\nmax = 9\n'
            '[store]\ndurability = "normal"\n[sockets]\nlinger_ms = 7\n')
        it.reload()
        line = next(line for line in it.daemon.log().splitlines() if "only a restart" in line)
        # The endpoints of the command line stay in force, so the file's change nothing.
        assert line.endswith("only a restart changes: lanes, store.durability, sockets.linger_ms")
        assert "warning" in line
        assert control.ok("hello")["limits"]["limit_sessions"] == 9
        assert control.ok("stats")["stats"]["lanes"] == 2
        manager.until("STATUS", "only a restart changes lanes, store.durability")


def test_sessions_settings_are_in_force_at_once(manager: Manager):
    text = AUTO + "[sessions]\nidle_timeout = 1000.0\n"
    with Reloading(manager, text) as it:
        control = it.daemon.requests()
        control.open("alice", "mini")
        it.write(AUTO + "[sessions]\nidle_timeout = 0.2\nmax = 1\n")
        it.reload()
        assert control.refused("open", session="bob", scene="mini")["code"] == "session-limit"
        wait_for(lambda: control.ok("stats")["stats"]["sessions_parked"] == 1, "alice is parked")
        control.open("bob", "mini")


def test_the_level_of_the_log_is_in_force_at_once(manager: Manager):
    with Reloading(manager, AUTO + '[log]\nlevel = "error"\n') as it:
        it.reload()
        assert it.daemon.log() == ""
        it.write(AUTO + '[log]\nlevel = "info"\n')
        it.reload()
        assert "gestured: info: the configuration is read again" in it.daemon.log()


def test_reloads_one_upon_the_other_end_with_the_last(manager: Manager):
    with Reloading(manager, AUTO) as it:
        for number in range(30):
            it.scene(f"n{number}")
            it.daemon.process.send_signal(signal.SIGHUP)
        control = it.daemon.requests()
        wait_for(lambda: len(control.ok("scenes")["scenes"]) == 31, "the last one is in force")
        manager.take(0.5)
        assert manager.changes[-1] == "READY"
