"""`gesturectl bridge badge`: a command at each change of a count, against the real daemon."""

from __future__ import annotations

import copy
import os
import pathlib
import re
import signal
import subprocess

import pytest
from client import Control, Daemon, binary
from documents import wait_until
from scenes import scene, toss
from tool import TIME, ctl, staying_daemon
from trackers import Bridge

# One line for each run, written at once.
TELL = 'printf "%s %s %s\\n" "$1" "$GESTURED_SESSION" "$GESTURED_COUNTS" >> '


def told(file: pathlib.Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def until(file: pathlib.Path, line: str) -> list[str]:
    """Waits until the last run has written this."""
    wait_until(lambda: line in told(file)[-1:], f"{line} is told")
    return told(file)


def test_each_total_is_told_once(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    control.notify(session, "likes", add=2)
    control.open(session + "x", scene(toss()))
    file = tmp_path / "told"
    arguments = ["--session", session, "--command", f"{TELL}{file}"]
    with Bridge(daemon, "badge", *arguments) as bridge:
        until(file, f'2 {session} {{"likes":2}}')
        control.notify(session + "x", "likes")
        control.notify(session, "mails")
        assert until(file, f'3 {session} {{"likes":2,"mails":1}}') == told(file)
        control.command(session, "badges", "clear")
        lines = until(file, f'0 {session} {{"likes":0,"mails":0}}')
        assert [line.split()[0] for line in lines] == ["2", "3", "0"]
        counters = bridge.stop()
    assert counters["runs"] == 3 and counters["failed"] == 0 and counters["published"] == 0


def test_without_a_session_it_tells_of_all(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    file = tmp_path / "told"
    with Bridge(daemon, "badge", "--command", f"{TELL}{file}") as bridge:
        for name in (session, session + "x"):
            control.open(name, scene(toss()))
            control.notify(name, "likes", set=7)
            until(file, f'7 {name} {{"likes":7}}')
        assert bridge.stop()["failed"] == 0


def test_the_newest_total_wins_while_one_runs(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    file, gate = tmp_path / "told", tmp_path / "gate"
    # It waits for the file `gate`, as a slow printer would.
    command = f'while [ ! -e {gate} ]; do sleep 0.01; done; {TELL}{file}'
    with Bridge(daemon, "badge", "--session", session, "--command", command) as bridge:
        bridge.until(runs=1)
        for _ in range(40):
            control.notify(session, "likes")
        bridge.until(updates=41)
        gate.touch()
        lines = until(file, f'40 {session} {{"likes":40}}')
        counters = bridge.stop()
    assert [line.split()[0] for line in lines] == ["0", "40"]
    assert counters["runs"] == 2 and counters["replaced"] == 39


def test_failures_and_hangs_are_counted_and_the_next_change_is_told(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    file = tmp_path / "told"
    # The child would outlive a shell that was killed alone.
    command = (
        'case $1 in 1) exit 3;; 2) kill -9 $$;; '
        f'3) (sleep 60; echo late >> {file}) & echo $! > {file}.child; wait;; '
        f'*) {TELL}{file};; esac')
    arguments = ["--session", session, "--command", command, "--kill-after", "0.3"]
    with Bridge(daemon, "badge", *arguments) as bridge:
        until(file, f"0 {session} {{}}")
        for failed in (1, 2):
            control.notify(session, "likes")
            bridge.until(failed=failed)
        control.notify(session, "likes")
        bridge.until(killed=1)
        child = int((tmp_path / "told.child").read_text())
        expect_gone(child)
        control.notify(session, "likes")
        until(file, f'4 {session} {{"likes":4}}')
        assert bridge.stop()["runs"] == 5


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_lets_the_command_end_and_tells_the_last_total(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path, number: int
):
    control.open(session, scene(toss()))
    file = tmp_path / "told"
    command = f"sleep 0.5; {TELL}{file}"
    with Bridge(daemon, "badge", "--session", session, "--command", command) as bridge:
        bridge.until(runs=1)
        control.notify(session, "likes", set=5)
        bridge.until(updates=2)
        status, said = bridge.end(number)
        assert status == 0 and "runs=2 " in said and "killed=0" in said and "untold=0" in said
    assert [line.split()[0] for line in told(file)] == ["0", "5"]


def test_a_second_signal_kills_the_command(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    file = tmp_path / "child"
    command = f"sleep 60 & echo $! > {file}; wait"
    with Bridge(daemon, "badge", "--session", session, "--command", command) as bridge:
        bridge.until(runs=1)
        until_there(file)
        control.notify(session, "likes")
        bridge.until(updates=2)
        bridge.process.send_signal(signal.SIGTERM)
        wait_until(lambda: not pending(bridge.process.pid), "the signal is read")
        status, said = bridge.end(signal.SIGTERM)
        assert status == 0 and "killed=1" in said and "untold=1" in said, said
    expect_gone(int(file.read_text()))


def test_the_command_does_not_outlive_a_bridge_that_is_killed(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    file = tmp_path / "shell"
    command = f"echo $$ > {file}; exec sleep 60"
    with Bridge(daemon, "badge", "--session", session, "--command", command) as bridge:
        bridge.until(runs=1)
        until_there(file)
        bridge.process.kill()
        expect_gone(int(file.read_text()))


def until_there(file: pathlib.Path) -> None:
    wait_until(lambda: told(file), f"{file} is written")


def pending(process: int) -> int:
    """The signals that a process has not taken yet."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"^ShdPnd:\s*(\w+)", status, re.M)[1], 16)


def expect_gone(process: int) -> None:
    wait_until(lambda: state_of(process) in ("Z", "X"), f"process {process} has ended")


def state_of(process: int) -> str:
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return "Z"


def test_it_outlives_the_daemon(tmp_path: pathlib.Path):
    file = tmp_path / "told"
    with staying_daemon() as daemon:
        control = daemon.requests()
        control.open("shop", scene(toss()))
        control.notify("shop", "orders")
        with Bridge(daemon, "badge", "--session", "shop", "--command", f"{TELL}{file}") as bridge:
            until(file, '1 shop {"orders":1}')
            control = daemon.restart(signal.SIGKILL)
            # A change that it could not hear is told, and nothing twice.
            control.notify("shop", "orders")
            assert len(until(file, '2 shop {"orders":2}')) == 2
            assert bridge.stop()["runs"] == 2


@pytest.mark.parametrize("wrong", ["updates", "control"])
def test_one_wrong_endpoint_is_told(daemon: Daemon, tmp_path: pathlib.Path, wrong: str):
    """The daemon takes events, but what the bridge follows does not come."""
    mistaken = copy.copy(daemon)
    setattr(mistaken, wrong, f"ipc://{tmp_path}/none")
    with Bridge(mistaken, "badge", "--command", "true", "--timeout", "0.3") as bridge:
        assert bridge.said(r"gesturectl: no answer from ipc://\S+/none within 0\.3 s; waiting")
        bridge.stop()


@pytest.mark.parametrize("is_journal", [False, True], ids=["a file", "a journal"])
def test_its_lines_have_times_where_no_journal_keeps_those(
    daemon: Daemon, tmp_path: pathlib.Path, is_journal: bool
):
    log = tmp_path / "stderr"
    with open(log, "wb") as errors:
        found = os.fstat(errors.fileno())
        environment = os.environ | {
            "GESTURED_EVENTS": daemon.events, "GESTURED_UPDATES": daemon.updates,
            "GESTURED_CONTROL": daemon.control,
            "JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino if is_journal else 0}"}
        process = subprocess.Popen(
            [str(binary().with_name("gesturectl")), "bridge", "badge", "--command", "true",
             "--statistics", "0.1"],
            env=environment, stdout=subprocess.PIPE, stderr=errors, stdin=subprocess.DEVNULL)
        try:
            wait_until(lambda: log.read_bytes().count(b"\n") >= 2, "it has said its counters")
        finally:
            process.terminate()
            process.communicate(timeout=30)
    said = log.read_bytes().splitlines()
    assert all(bool(TIME.match(line)) != is_journal for line in said), said
    assert all(TIME.sub(b"", line).startswith(b"bridge badge: ") for line in said), said


def test_the_command_hears_signals_and_has_no_input(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path
):
    control.open(session, scene(toss()))
    file = tmp_path / "told"
    command = f"grep -E '^Sig(Blk|Ign)' /proc/self/status > {file}; wc -c >> {file}"
    with Bridge(daemon, "badge", "--session", session, "--command", command) as bridge:
        until(file, "0")
        bridge.stop()
    # Signals 32 and 33 are the C library's own.
    masks = [int(line.split()[1], 16) & 0x7FFFFFFF for line in told(file)[:2]]
    assert masks == [0, 0], told(file)


@pytest.mark.parametrize(("arguments", "complaint"), [
    ([], "--command CMD is missing"),
    (["--command", ""], "--command CMD is missing"),
    (["--command", "true", "--session", "a/b"], "--session must be a session's name, not 'a/b'"),
    (["--command", "true", "--session", "-"], "--session must be a session's name, not '-'"),
    (["--command", "true", "--kill-after", "0"], "--kill-after must be a number from 0.1"),
    (["--command", "true", "alice"], "'alice' is one argument too many"),
])
def test_a_wrong_command_line_is_explained(arguments: list[str], complaint: str):
    ended = ctl("bridge", "badge", *arguments)
    assert ended.returncode == 2 and complaint in ended.stderr.decode(), ended.stderr


def test_the_group_explains_itself():
    listed = ctl("bridge", "--help").stdout.decode()
    assert "bridge badge" in listed and "bridge tuio" in listed
    ended = ctl("bridge")
    assert ended.returncode == 2 and b"bridge needs one of tuio, " in ended.stderr
    ended = ctl("bridge", "tuoi")
    assert ended.returncode == 2 and b"did you mean bridge tuio?" in ended.stderr
    assert b"Usage: gesturectl bridge badge" in ctl("help", "bridge", "badge").stdout
