"""The daemon as a service: its messages to its manager, and the manager's signals."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pathlib
import pty
import re
import signal
import sqlite3
import subprocess
import tempfile
import time

import pytest
from client import DEADLINE, REPOSITORY, Daemon, binary
from manager import Journal, Manager, can_mount
from preload import library
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


def test_it_reports_readiness_status_and_its_stop(manager: Manager):
    with Daemon(environment=manager.environment) as daemon:
        manager.until("READY", "1")
        # The daemon bound its sockets before, so it answers now.
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


def test_an_unchanged_status_is_not_sent_again(manager: Manager):
    with Daemon(environment=manager.environment):
        manager.until("READY")
        manager.take(4.5)
        told = [value for name, value in manager.told if name == "STATUS"]
        assert 1 <= len(told) <= 5 and all(a != b for a, b in zip(told, told[1:])), told


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
        assert 20 <= max(rates) <= 400, rates


def test_figures_of_the_status_are_no_others_for_a_reload_in_the_middle(manager: Manager):
    with Daemon(environment=manager.environment) as daemon:
        publisher, control = daemon.publisher(), daemon.requests()
        control.open("alice", still())
        end = time.monotonic() + 3
        while time.monotonic() < end:
            # A burst between two reloads: a rate over this time alone would be thousands.
            daemon.process.send_signal(signal.SIGHUP)
            time.sleep(0.01)
            for _ in range(20):
                publisher.send("notification/alice", {"kind": "likes"})
            time.sleep(0.01)
            daemon.process.send_signal(signal.SIGHUP)
            time.sleep(0.18)
        manager.take(0.5)
        rates = [int(found[1]) for _, value in manager.told
                 if (found := re.search(r"(\d+) events/s", value))]
        assert 20 <= max(rates) <= 400, rates


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
            manager.stop_reading()
            # Nobody reads the messages. Each reload sends two.
            with Daemon(environment=manager.environment) as daemon:
                for _ in range(400):
                    daemon.process.send_signal(signal.SIGHUP)
                    time.sleep(0.002)
                assert daemon.requests().ok("hello")


# MARK: - The watchdog


# Long enough that a busy machine does not seem to stand still.
PATIENT = {"WATCHDOG_USEC": "2000000"}


def gaps(manager: Manager) -> list[float]:
    times = manager.times["WATCHDOG"]
    return [later - earlier for earlier, later in zip(times, times[1:])]


def test_the_watchdog_is_fed_within_half_of_its_time(manager: Manager):
    with Daemon(environment=manager.environment | PATIENT):
        manager.until("WATCHDOG")
        manager.take(4)
        # The daemon feeds it after each quarter. A busy machine gets as much again.
        assert len(gaps(manager)) >= 5 and max(gaps(manager)) < 1, gaps(manager)


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
    """Holds the locks that SQLite's readers need, so a lane that reads waits.

    They begin at byte 123 of the shared-memory file: https://www.sqlite.org/walformat.html
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
            # The lane reads the store for a session that is not in memory.
            control.send("snapshot", session="bob")
            manager.take(0.5)
            count = len(manager.times["WATCHDOG"])
            manager.take(1.5)
            assert len(manager.times["WATCHDOG"]) == count, "fed despite a stuck lane"
            # The reactor still runs.
            assert control.ok("hello")
        manager.until("WATCHDOG", deadline=15)
        wait_for(lambda: "all lanes answer again" in daemon.log(), "the log says so")
        assert "not all lanes answer: no word" in daemon.log()
        assert "the watchdog is not fed" in daemon.log()


def test_a_store_that_fails_leaves_the_watchdog_fed(manager: Manager):
    environment = manager.environment | PATIENT
    with Daemon(environment=environment) as daemon:
        control = daemon.requests()
        control.open("alice", still())
        other = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        publisher = daemon.publisher()
        publisher.send("notification/alice", {"kind": "likes"})
        manager.until("STATUS", "NOTHING CAN BE STORED")
        manager.take(2)
        assert max(gaps(manager)) < 1, gaps(manager)
        other.execute("ROLLBACK")
        other.close()
        manager.until("STATUS", "store: good")


@pytest.fixture
def stalling(tmp_path: pathlib.Path) -> dict[str, str]:
    """The environment of a daemon whose disk hangs while the file STALL exists."""
    return {"LD_PRELOAD": library("stall"), "STALL": str(tmp_path / "stall")}


def test_a_commit_that_hangs_is_reported_and_leaves_the_watchdog_fed(
    manager: Manager, stalling: dict[str, str]
):
    environment = manager.environment | PATIENT | stalling
    stall = pathlib.Path(stalling["STALL"])
    with Daemon(environment=environment) as daemon:
        control, updates = daemon.requests(), daemon.subscriber("state/alice/")
        control.open("alice", "phone")
        manager.until("STATUS", "1 session")
        stall.touch()
        asked = control.send("publish", topic="notification/alice", body={"kind": "likes"})
        status = manager.until("STATUS", "WAITS FOR THE DISK")
        assert status.startswith("1 session, 0 moving;"), status
        # Live sessions continue: a finger moves a view.
        updates.during(0.1)
        daemon.publisher().send(
            "gesture/alice/toss", {"gesture": "pan", "phase": "began", "x": 160, "y": 284})
        updates.find("state/alice/toss", phase="dragging")
        manager.take(1)
        assert max(gaps(manager)) < 1, gaps(manager)
        # The daemon checks once a second, less often on a busy machine.
        told = re.search(r"warning: the store waits for the disk: for (\d+) s", daemon.log())
        assert told and 5 <= int(told[1]) < 15, daemon.log()
        stall.unlink()
        assert control.reply(asked)["ok"]
        manager.until("STATUS", "store: good")
        wait_for(lambda: "the disk has answered the store" in daemon.log(), "the log says so")


def test_a_stop_whose_commit_hangs_asks_for_time_once_and_ends_with_the_disk(
    manager: Manager, stalling: dict[str, str]
):
    stall = pathlib.Path(stalling["STALL"])
    with Daemon("lanes = 1\n", environment=manager.environment | stalling) as daemon:
        control = daemon.requests()
        control.open("alice", still())
        stall.touch()
        asked = control.send("publish", topic="notification/alice", body={"kind": "likes"})
        # The answer shows that the reactor has passed on the earlier request.
        control.ok("stats")
        daemon.process.send_signal(signal.SIGTERM)
        manager.until("STOPPING")
        manager.take(2)
        count = len(manager.times["EXTEND_TIMEOUT_USEC"])
        manager.take(2)
        assert len(manager.times["EXTEND_TIMEOUT_USEC"]) == count, "the daemon asks for time again"
        assert daemon.is_running
        stall.unlink()
        assert daemon.process.wait(10) == 0
        assert control.reply(asked)["ok"]


def test_a_second_stop_signal_leaves_a_disk_that_hangs(stalling: dict[str, str]):
    stall = pathlib.Path(stalling["STALL"])
    with Daemon(environment=stalling) as daemon:
        control = daemon.requests()
        control.open("alice", still())
        stall.touch()
        control.send("publish", topic="notification/alice", body={"kind": "likes"})
        # The answer shows that the reactor has passed on the earlier request.
        control.ok("stats")
        daemon.process.send_signal(signal.SIGINT)
        wait_for(lambda: "stopping" in daemon.log(), "it stops")
        with pytest.raises(subprocess.TimeoutExpired):
            daemon.process.wait(0.5)
        daemon.process.send_signal(signal.SIGINT)
        assert daemon.process.wait(DEADLINE) == 0
        assert "stopped, and not everything is stored" in daemon.log()


# MARK: - The configuration, read again


class Reloading:
    """A daemon whose files a test can change, and its manager."""

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
        """Makes the daemon read its files again, and waits until it has."""
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
        assert " gestured: error: the configuration is refused" in line and place in line
        assert place in manager.status
        # Corrects the file.
        it.write(AUTO + "[sessions]\nmax = 9\n")
        it.reload()
        assert control.ok("scenes")["scenes"] == ["mini", "other"]
        assert control.ok("hello")["limits"]["limit_sessions"] == 9
        # The status comes before READY.
        assert manager.status.endswith("; store: good"), manager.status


def test_a_bad_scene_is_refused_with_all_else(manager: Manager):
    with Reloading(manager, AUTO) as it:
        it.scene("other", "throwing_treshold = 5\n")
        it.reload()
        assert it.daemon.requests().ok("scenes")["scenes"] == ["mini"]
        assert "other.toml:7" in it.daemon.log()


@pytest.mark.parametrize("words, spoil", [
    ("gestured.toml: cannot be read: it is no file", lambda config: os.mkfifo(config)),
    ("gestured.toml: cannot be read: it is no file", lambda config: config.mkdir()),
    ("gestured.toml: cannot be read: No such file", lambda config: None),
    ("gestured.toml: has more than 1048576 bytes", lambda config: config.symlink_to("/dev/zero")),
    ("gestured.toml:1: key scenes: there is no folder",
     lambda config: config.write_text('scenes = "nowhere"\n')),
], ids=["pipe", "folder", "gone", "endless", "no scenes"])
def test_a_file_that_cannot_be_had_is_refused_at_once(manager: Manager, words: str, spoil):
    with Reloading(manager, AUTO) as it:
        it.daemon.config.unlink()
        spoil(it.daemon.config)
        it.reload()
        assert words in it.daemon.log()
        if it.daemon.config.is_dir():
            it.daemon.config.rmdir()
        else:
            it.daemon.config.unlink(missing_ok=True)
        it.write(AUTO)
        it.reload()
        assert manager.status.endswith("; store: good"), manager.status


def test_keys_that_only_a_restart_changes_are_named(manager: Manager):
    with Reloading(manager, AUTO + "lanes = 2\n") as it:
        control = it.daemon.requests()
        it.write(
            AUTO + "lanes = 3\nframe_rate = 30\n"
            'updates = ["tcp://127.0.0.1:9"]\n[sessions]\nmax = 9\n'
            '[store]\ndurability = "normal"\nurl = "postgresql://u:hidden@db1/x"\n'
            '[cluster]\nlease = 2\n[sockets]\nlinger_ms = 7\n')
        it.reload()
        line = next(line for line in it.daemon.log().splitlines() if "only a restart" in line)
        # The command line's endpoints stay in force, so the file's have no effect.
        assert line.endswith(
            "only a restart changes: lanes, store.durability, store.url, cluster.lease, "
            "sockets.linger_ms")
        assert "hidden" not in it.daemon.log()
        assert "warning" in line
        assert control.ok("hello")["limits"]["limit_sessions"] == 9
        assert control.ok("stats")["stats"]["lanes"] == 2
        assert "only a restart changes lanes, store.durability" in manager.status


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
        wait_for(lambda: len(control.ok("scenes")["scenes"]) == 31, "the last file is in force")
        manager.take(0.5)
        assert manager.changes[-1] == "READY"


def test_settings_do_not_gather_before_a_lane_that_stands_still(manager: Manager):
    with Reloading(manager, AUTO + "lanes = 2\n") as it:
        control = it.daemon.requests()
        control.open("alice", "mini")
        with no_reading(it.daemon):
            asked = control.send("snapshot", session="bob")
            # The answer shows that the reactor has passed on the earlier request.
            control.ok("stats")
            for number in range(40):
                it.write(AUTO + f"lanes = 2\n[sessions]\nmax = {number + 1}\n")
                it.daemon.process.send_signal(signal.SIGHUP)
                time.sleep(0.02)
            # One configuration is in flight. The daemon may have read another one.
            assert it.daemon.log().count("the configuration is read again") == 1
        control.reply(asked)
        wait_for(lambda: control.ok("hello")["limits"]["limit_sessions"] == 40, "the last counts")
        wait_for(lambda: manager.take(0.1) or manager.changes[-1] == "READY", "it is ready")


# MARK: - The key


KEY = b"0123456789abcdef0123456789abcdef"


def key_file(folder: pathlib.Path, content: bytes = KEY) -> pathlib.Path:
    file = folder / "key"
    file.write_bytes(content)
    return file


def published_twice(daemon: Daemon) -> int:
    """Publishes an event with an id, and returns its count."""
    control = daemon.requests()
    control.open("alice", still())
    control.ask("publish", topic="notification/alice", body={"kind": "likes", "id": "one"})
    return control.badge("alice")["counts"]["likes"]


def refused_start(daemon: Daemon, *words: str) -> None:
    daemon.stop()
    environment = os.environ | daemon.environment
    result = subprocess.run(
        [str(binary()), *daemon.arguments], capture_output=True, text=True, timeout=10,
        env=environment)
    lines = result.stderr.splitlines()
    assert result.returncode == 2 and result.stdout == "" and len(lines) == 1, result
    for word in words:
        assert word in lines[0], lines[0]


def test_ids_are_known_again_by_the_same_key_alone(tmp_path: pathlib.Path):
    file = key_file(tmp_path)
    with Daemon(f'[store]\nkey_file = "{file}"\n') as daemon:
        assert published_twice(daemon) == 1
        daemon.restart(signal.SIGTERM)
        assert published_twice(daemon) == 1
        assert "ids are kept by a key" in daemon.log()
        file.write_bytes(KEY[::-1])
        refused_start(daemon, "gestured.db", "another key")
        file.write_bytes(KEY)
        daemon.restart(signal.SIGTERM)
        assert published_twice(daemon) == 1
        daemon.config.write_text(f'scenes = "{SCENES}"\n')
        refused_start(daemon, "was begun with a key", "key_file")


def test_a_store_that_was_begun_without_a_key_takes_none(tmp_path: pathlib.Path):
    with Daemon() as daemon:
        assert published_twice(daemon) == 1
        daemon.config.write_text(
            f'scenes = "{SCENES}"\n[store]\nkey_file = "{key_file(tmp_path)}"\n')
        refused_start(daemon, "was begun without a key", "start without the key")


def test_the_credential_goes_before_the_file(tmp_path: pathlib.Path):
    (tmp_path / "gestured.key").write_bytes(KEY)
    environment = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    with Daemon('[store]\nkey_file = "nowhere"\n', environment=environment) as daemon:
        assert published_twice(daemon) == 1
        (tmp_path / "gestured.key").unlink()
        refused_start(daemon, "gestured.toml:3: store, key key_file:", "nowhere")


def test_a_credential_that_is_there_and_cannot_be_read_is_not_taken_for_none(
    tmp_path: pathlib.Path
):
    (tmp_path / "gestured.key").symlink_to("gestured.key")
    with Daemon(environment={"CREDENTIALS_DIRECTORY": "/nowhere"}) as daemon:
        daemon.environment = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
        refused_start(daemon, "credential gestured.key:", "symbolic links")


def test_a_store_that_another_program_holds_is_begun_later_also_with_a_key(
    tmp_path: pathlib.Path
):
    with Daemon(f'[store]\nkey_file = "{key_file(tmp_path)}"\n') as daemon:
        assert published_twice(daemon) == 1
        daemon.stop()
        other = sqlite3.connect(daemon.state / "gestured.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        daemon.restart(signal.SIGTERM)
        assert "nothing is counted until it can be" in daemon.log()
        other.execute("ROLLBACK")
        other.close()
        wait_for(lambda: published_twice(daemon) == 1, "ids are known again")


@pytest.mark.parametrize("content, words", [
    (KEY[:15], "not 15"), (b"", "not 0"), (KEY * 129, "not more"), (None, "cannot be read"),
])
def test_a_bad_key_is_named_with_its_place(tmp_path: pathlib.Path, content: bytes, words: str):
    file = tmp_path / "gestured.toml"
    (tmp_path / "scenes").mkdir()
    file.write_text('auto_open = ""\n[store]\nkey_file = "key"\n')
    if content is not None:
        key_file(tmp_path, content)
    result = subprocess.run(
        [str(binary()), "--check", "--config", str(file)], capture_output=True, text=True,
        timeout=10)
    # A daemon at the usual ports is a warning.
    errors = [line for line in result.stderr.splitlines() if " warning: " not in line]
    assert result.returncode == 2 and len(errors) == 1, result
    for word in (f"{file}:3: store, key key_file:", str(tmp_path / "key"), words):
        assert word in result.stderr, result.stderr


def test_a_reload_with_another_key_is_refused(manager: Manager, tmp_path: pathlib.Path):
    text = AUTO + f'[store]\nkey_file = "{key_file(tmp_path)}"\n'
    with Reloading(manager, text) as it:
        control = it.daemon.requests()
        it.reload()
        assert "refused" not in it.daemon.log()
        it.scene("other")
        key_file(tmp_path, KEY[::-1])
        it.reload()
        assert "started with another key" in it.daemon.log()
        it.write(AUTO)
        it.reload()
        assert "the key is gone" in it.daemon.log()
        assert control.ok("scenes")["scenes"] == ["mini"]
        key_file(tmp_path)
        it.write(text)
        it.reload()
        assert control.ok("scenes")["scenes"] == ["mini", "other"]
        # The log may mention the key, but never its content.
        assert KEY.decode() not in it.daemon.log() and KEY[::-1].decode() not in it.daemon.log()


# MARK: - The log


def test_every_figure_of_stats_is_explained_and_no_other():
    text = (REPOSITORY / "docs" / "operations.md").read_text(encoding="utf-8")
    section = text.split("\n## Figures of `stats`\n")[1].split("\n## ")[0]
    told = re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
    with Daemon() as daemon:
        stats = daemon.requests().ok("stats")["stats"]
    figures = [name for name in stats if not name.startswith("limit_")]
    assert told == [*figures, "limit_…"]


def test_a_flood_of_rejections_is_few_lines_with_their_number():
    with Daemon() as daemon:
        publisher, control = daemon.publisher(), daemon.requests()
        end, sent = time.monotonic() + 3, 0
        while time.monotonic() < end:
            for _ in range(100):
                publisher.raw(b"gesture/alice/x", b'{"secret": "hunter2"')
            sent += 100
            time.sleep(0.01)
        wait_for(
            lambda: control.ok("stats")["stats"]["events_rejected"] == sent, "all are refused")
        beats = daemon.subscriber("heartbeat")
        # By the second heartbeat the log has every line of that second.
        for _ in range(2):
            assert beats.next(), "no heartbeat"
        lines = [line for line in daemon.log().splitlines() if "events are refused" in line]
        assert len(lines) == 1, daemon.log()
        assert re.search(
            r'^\S+Z gestured: warning: events are refused: \d+; the last one: bad-json, of topic '
            r'"gesture/alice/x"$', lines[0]), lines
        assert "hunter2" not in daemon.log()


def test_a_topic_of_lines_and_controls_is_one_line():
    with Daemon() as daemon:
        publisher = daemon.publisher()
        publisher.raw(b"gesture/a\ngestured: error: forged\x1b[2J\xff/x", b"{}")
        wait_for(lambda: "events are refused" in daemon.log(), "the refusal is logged")
        line = next(line for line in daemon.log().splitlines() if "are refused" in line)
        assert "bad-topic" in line and "forged\\u{1b}[2J" in line, line
        lines = daemon.log().splitlines()
        assert not any(re.match(r"(\S+Z )?gestured: error", line) for line in lines)


def test_a_standard_error_that_nobody_reads_stops_nothing(tmp_path: pathlib.Path):
    os.mkfifo(tmp_path / "fifo")
    reader = os.open(tmp_path / "fifo", os.O_RDWR)
    fcntl.fcntl(reader, fcntl.F_SETPIPE_SZ, 8192)
    redirected = f'exec "$0" "$@" 2>"{tmp_path}/fifo"'
    with Daemon(wrapper=["sh", "-c", redirected]) as daemon:
        control = daemon.requests()

        def dropped() -> int:
            daemon.process.send_signal(signal.SIGHUP)
            return control.ok("stats")["stats"]["log_lines_dropped"]

        wait_for(lambda: dropped() > 5, "the daemon drops lines")
        told = os.read(reader, 65536).decode()
        assert "the configuration is read again" in told
        wait_for(lambda: dropped() and b"lines of the log found no room" in os.read(reader, 65536),
                 "the drop is logged")
        assert daemon.stop() == 0
    os.close(reader)


def test_a_terminal_that_nobody_reads_stops_nothing():
    terminal, other = pty.openpty()
    redirected = f'exec "$0" "$@" 2>"{os.ttyname(other)}"'
    with Daemon(wrapper=["sh", "-c", redirected]) as daemon:
        control = daemon.requests()

        def dropped() -> int:
            daemon.process.send_signal(signal.SIGHUP)
            return control.ok("stats")["stats"]["log_lines_dropped"]

        wait_for(lambda: dropped() > 5, "the daemon drops lines", 60)
        assert daemon.stop() == 0
    os.close(terminal)
    os.close(other)


def test_a_standard_stream_that_is_closed_becomes_no_file_of_the_daemon():
    closed = 'exec "$0" "$@" <&- >&- 2>&-'
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        daemon = Daemon(ports=False)
        daemon.arguments += [
            word for name in ("events", "updates", "control")
            for word in (f"--{name}", f"ipc://{folder}/{name}")]
        process = subprocess.Popen(
            ["sh", "-c", closed, str(binary()), *daemon.arguments])
        try:
            daemon.control = f"ipc://{folder}/control"
            assert daemon.requests().ok("hello")
            streams = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in range(3)]
            assert streams == ["/dev/null"] * 3
        finally:
            process.terminate()
            assert process.wait(10) == 0
            daemon.__exit__(None, None, None)


@pytest.fixture
def journal():
    """A journal with a wrapper: a daemon under it finds this journal at the real path."""
    if not can_mount():
        pytest.skip("no mount namespace may be had: only root can put a journal in its place")
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        with Journal(f"{folder}/socket") as journal:
            journal.wrapper = [
                "unshare", "-m", "sh", "-c",
                "mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/journal && "
                f'mount --bind "{folder}" /run/systemd/journal && exec "$0" "$@"']
            yield journal


def with_journal(journal: Journal, config: str = "") -> Daemon:
    daemon = Daemon(config, wrapper=journal.wrapper)
    stderr = daemon.folder / "stderr"
    stderr.touch()
    found = stderr.stat()
    daemon.environment = {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}"}
    return daemon


def test_the_journal_gets_entries_with_fields(journal: Journal):
    with with_journal(journal) as daemon:
        entry = journal.until("started: ")
        assert entry["PRIORITY"] == "6" and entry["SYSLOG_IDENTIFIER"] == "gestured"
        daemon.publisher().raw(b"gesture/alice/toss", b"no")
        entry = journal.until("events are refused")
        assert entry["PRIORITY"] == "4" and entry["CODE"] == "bad-json"
        assert entry["SESSION"] == "alice" and entry["TOPIC"] == "gesture/alice/toss"
        daemon.config.write_text("frame_rate = 50\n")
        daemon.process.send_signal(signal.SIGHUP)
        entry = journal.until("the configuration is refused")
        assert entry["PRIORITY"] == "3" and "gestured.toml:1: key frame_rate" in entry["MESSAGE"]
        assert daemon.stop() == 0
        journal.until("stopped")
        assert daemon.log() == ""


def test_a_hostile_topic_forges_no_field_of_the_journal(journal: Journal):
    with with_journal(journal) as daemon:
        daemon.publisher().raw(b"gesture/a\nPRIORITY=0\nMESSAGE=forged/x", b"{}")
        entry = journal.until("events are refused")
        assert entry["PRIORITY"] == "4" and "forged" not in entry["MESSAGE"].split("\n")[0][:20]
        assert entry["TOPIC"] == "gesture/a\\u{a}PRIORITY=0\\u{a}MESSAGE=forged/x"
        assert "\n" not in entry["MESSAGE"]


def test_a_journal_that_nobody_reads_stops_nothing(journal: Journal):
    journal.stop_reading()
    with with_journal(journal) as daemon:
        control = daemon.requests()

        def dropped() -> int:
            daemon.process.send_signal(signal.SIGHUP)
            return control.ok("stats")["stats"]["log_lines_dropped"]

        wait_for(lambda: dropped() > 0, "the daemon drops lines", 60)
        assert journal.during(0.1)


def test_a_journal_that_is_gone_leaves_lines_on_standard_error(journal: Journal):
    with with_journal(journal) as daemon:
        journal.until("started")
        pathlib.Path(journal.path).unlink()
        daemon.process.send_signal(signal.SIGHUP)
        wait_for(lambda: "the configuration is read again" in daemon.log(), "the reload is logged")
        pathlib.Path(journal.path).touch()
