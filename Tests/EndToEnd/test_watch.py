"""`watch` while the daemon comes and goes."""

from __future__ import annotations

import json
import os
import signal
import subprocess

import pytest
from client import DEADLINE, Control, Daemon, binary
from scenes import scene, toss
from tool import Tool, staying_daemon


def test_a_daemon_of_which_nothing_is_heard_is_told_once(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, scene(toss()))
        with Tool(daemon, "watch", "--json", f"badge/{session}") as tool:
            assert json.loads(tool.process.stdout.readline())["topic"] == f"badge/{session}"
            daemon.process.send_signal(signal.SIGSTOP)
            source = daemon.updates.replace(".", r"\.")
            tool.said(f"{source}: nothing heard for 3 s; waiting")
            daemon.process.send_signal(signal.SIGCONT)
            tool.said(f"{source}: heard again")
            control.notify(session, "likes")
            update = json.loads(tool.process.stdout.readline())
            assert update["body"]["counts"] == {"likes": 1}, "the beat is printed"
            assert tool.end() == (0, "")


def test_a_daemon_that_dies_is_waited_for(session: str):
    with staying_daemon() as daemon:
        daemon.requests().open(session, scene(toss()))
        with Tool(daemon, "watch", "--json", f"session/{session}") as tool:
            assert json.loads(tool.process.stdout.readline())["topic"] == f"session/{session}"
            daemon.stop(signal.SIGKILL)
            tool.said(".*/updates: nothing heard for 3 s; waiting")
            daemon.restart()
            tool.said(".*/updates: heard again")
            tool.said(".*: began anew .*")
            again = json.loads(tool.process.stdout.readline())
            assert again["body"]["epoch"].startswith(daemon.epoch)
            assert tool.end()[0] == 0


def test_a_watch_that_stood_still_blames_nobody(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Tool(daemon, "watch", "--json", f"badge/{session}") as tool:
        tool.process.stdout.readline()
        tool.process.send_signal(signal.SIGSTOP)
        beats = daemon.subscriber("heartbeat")
        for _ in range(5):
            beats.find("heartbeat")
        tool.process.send_signal(signal.SIGCONT)
        control.notify(session, "likes")
        assert json.loads(tool.process.stdout.readline())["body"]["total"] == 1
        assert tool.end() == (0, "")


@pytest.mark.parametrize("arguments", [
    ["hello"], ["watch"], ["watch", "--draw", "x", "--frames", "1"], ["snapshot", "x"]])
def test_where_no_daemon_is_every_command_says_so_and_ends(arguments: list[str]):
    nobody = {f"GESTURED_{name}": "ipc:///nowhere/at-all" for name in (
        "EVENTS", "UPDATES", "CONTROL")}
    result = subprocess.run(
        [str(binary().with_name("gesturectl")), *arguments, "--timeout", "0.2"],
        env=os.environ | nobody, capture_output=True, timeout=DEADLINE,
        stdin=subprocess.DEVNULL)
    assert result.returncode == 1 and result.stdout == b"", result
    assert result.stderr == b"gesturectl: no answer from ipc:///nowhere/at-all within 0.2 s\n"
