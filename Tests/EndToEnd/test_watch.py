"""`gesturectl watch` while the daemon stops and starts."""

from __future__ import annotations

import datetime
import json
import os
import re
import signal
import subprocess
import time

import pytest
from client import DEADLINE, Control, Daemon, binary
from scenes import scene, toss
from tool import Tool, staying_daemon


def test_a_silent_daemon_is_reported_once(session: str):
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
            assert update["body"]["counts"] == {"likes": 1}, "watch printed a heartbeat"
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
            tool.said(".*: restarted .*")
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
    assert result.stderr == (
        b"gesturectl: no daemon listens at ipc:///nowhere/at-all\n"
        b"Start one with 'systemctl start gestured', or with 'gestured --config FILE'.\n")


@pytest.mark.parametrize("arguments", [
    ["hello"], ["publish", "command/x", '{"command":"close"}']])
def test_without_a_daemon_a_command_says_so_within_a_second(arguments: list[str]):
    nobody = {f"GESTURED_{name}": "tcp://127.0.0.1:9" for name in ("EVENTS", "UPDATES", "CONTROL")}
    began = time.monotonic()
    result = subprocess.run(
        [str(binary().with_name("gesturectl")), *arguments], env=os.environ | nobody,
        capture_output=True, timeout=DEADLINE, stdin=subprocess.DEVNULL)
    assert time.monotonic() - began < 1, "took more than 1 s"
    assert result.returncode == 1 and b"no daemon listens at tcp://127.0.0.1:9" in result.stderr


def test_a_prefix_that_begins_no_topic_is_refused(daemon: Daemon, session: str):
    with Tool(daemon, "watch", "nonsense/alice") as tool:
        code, errors = tool.wait()
    assert code == 2 and "no topic begins with 'nonsense/alice'" in errors
    with Tool(daemon, "watch", session) as tool:
        code, errors = tool.wait()
    assert code == 2 and f"did you mean state/{session}?" in errors


def test_a_prefix_without_its_session_or_component_is_reported(
    daemon: Daemon, control: Control, session: str
):
    with Tool(daemon, "watch", "--for", "0.2", f"state/{session}") as tool:
        assert tool.wait() == (0, f"{session} is not open; waiting for it\n")
    control.open(session, scene(toss()))
    with Tool(daemon, "watch", "--for", "0.2", f"state/{session}/tosss") as tool:
        code, errors = tool.wait()
    assert code == 0 and f"nothing of {session} begins with 'state/{session}/tosss'" in errors
    assert "its components are toss" in errors
    with Tool(daemon, "watch", "--for", "0.2", f"state/{session}/to", "badge/") as tool:
        assert tool.wait() == (0, "")


def test_lines_have_the_form_that_a_person_wants(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    topic = f"state/{session}/toss"

    def watched(*arguments: str) -> str:
        with Tool(daemon, "watch", "-n1", *arguments, topic) as tool:
            text = tool.process.stdout.read().decode()
            assert tool.wait() == (0, "")
        return text

    template = "%k|%s|%c|%t|%n|%e|%-9{phase}|%8.2{views.item.x}|%.3{phase}|%{views.none.x}|%%\\t."
    kind, name, component, whole, number, epoch, *rest = watched("-f", template).split("|")
    assert [kind, name, component, whole] == ["state", session, "toss", topic]
    assert int(number) >= 0 and epoch and rest == [
        "resting  ", "  160.00", "res", "", "%\t.\n"]
    body = control.state(session, "toss")
    assert json.loads(watched("-f", "%b"))["views"] == body["views"]
    assert watched("-f", "%l").startswith("resting  item (160, ")
    instant, seconds, received, delay = watched("-f", "%T %U %R %D").split()
    stamp = datetime.datetime.fromisoformat
    assert abs(stamp(instant).timestamp() - float(seconds)) < 0.002
    assert abs((stamp(received) - stamp(instant)).total_seconds() - float(delay) / 1000) < 0.003
    assert re.match(r"\d\d:\d\d:\d\d\.\d{3}  state/", watched("-t"))
    line = json.loads(watched("-tj"))
    assert abs(line["received"] / 1000 - time.time()) < DEADLINE and line["topic"] == topic
    assert set(json.loads(watched("-f", "json"))) == {"topic", "body"}


@pytest.mark.parametrize(("arguments", "words"), [
    (["-f", "%x"], "%x means nothing"), (["-f", "x"], "must be text, json or a template"),
    (["-f", "%{a"], "no } behind"), (["-f", "%"], "ends behind a %"),
    (["-f", "%999t"], "at most 500 cells"), (["-jf", "%t"], "--json does not go with"),
    (["--draw", "-t"], "--timestamps does not go with --draw"),
])
def test_a_wrong_form_is_told(daemon: Daemon, arguments: list[str], words: str):
    with Tool(daemon, "watch", *arguments) as tool:
        status, said = tool.wait()
        assert status == 2 and words in said, said
