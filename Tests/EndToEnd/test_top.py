"""`gesturectl top`: the sessions by load, on a terminal and on a pipe."""

from __future__ import annotations

import os
import re
import signal

import pytest
from client import Control, Daemon
from scenes import scene, toss
from terminal import Terminal
from tool import Tool, staying_daemon

HEAD = re.compile(r"SESSION +SCENE +STATE +UPDATES/S +STEP µs +LOAD %")


def spin(control: Control, session: str) -> None:
    """A world in which something falls for ever, so that the session moves on."""
    control.open(session, scene({
        "id": "world", "kind": "dynamics",
        "items": [{"id": "ball", "center": [100, 100], "size": [20, 20]}],
        "behaviors": [{"id": "fall", "kind": "gravity", "items": ["ball"]}]}, name="falling"))


@pytest.fixture(scope="module")
def busy(daemon: Daemon, control: Control) -> Daemon:
    """A daemon with a session that moves, and two that rest."""
    spin(control, "busy")
    control.open("a-resting", "phone")
    control.open("b-resting", scene(toss()))
    return daemon


def rows(text: str) -> list[list[str]]:
    """The rows below the line of names."""
    lines = text.splitlines()
    # The screen is empty at first.
    begin = next((index for index, line in enumerate(lines) if HEAD.match(line)), len(lines))
    return [line.split() for line in lines[begin + 1:] if re.search(r" (moves|rests) ", line)]


def test_the_terminal_shows_who_moves_and_q_restores_it(busy: Daemon):
    subscriber = busy.subscriber("state/busy/")
    with Terminal(busy, "top", "-d", "0.2") as terminal:
        terminal.until(
            lambda: terminal.is_own and (found := rows(terminal.text))
            and found[0][0] == "busy" and found[0][-3] not in ("0", "-"), "a busy session")
        first = rows(terminal.text)[0]
        assert first[1:3] == ["falling", "moves"] and float(first[-2]) > 0 < float(first[-1])
        assert {row[0] for row in rows(terminal.text)} == {"busy", "a-resting", "b-resting"}
        terminal.until(
            lambda: "sessions 3   moving 1 " in terminal.text, "rest after the opening")
        assert len(terminal.rows) == 24 and "q ends" in terminal.text.splitlines()[-1]
        assert "32" in terminal.colors, "what moves is green"
        os.write(terminal.master, b"n")
        terminal.until(lambda: rows(terminal.text)[:1] and rows(terminal.text)[0][0] == "a-resting",
            "the order of names")
        terminal.resize(60, 9)
        terminal.process.send_signal(signal.SIGWINCH)
        terminal.until(lambda: "… 1 more" in terminal.text, "a smaller screen")
        os.write(terminal.master, b"q")
        assert terminal.process.wait(10) == 0
        terminal.read(0.1)
        terminal.expect_restored()
    assert subscriber.during(0)  # It was there all the time.


def test_the_end_of_the_daemon_is_shown_and_waited_for():
    with staying_daemon() as daemon:
        daemon.requests().open("alice", "phone")
        with Terminal(daemon, "top", "-d", "0.1", "--timeout", "0.3") as terminal:
            terminal.until(lambda: "alice" in terminal.text, "the session")
            daemon.stop(signal.SIGKILL)
            terminal.until(lambda: "no answer" in terminal.text, "a notice")
            daemon.restart()
            terminal.until(lambda: "no answer" not in terminal.text, "the end of the notice")
            assert terminal.end(signal.SIGTERM) == 0
            terminal.expect_restored()


def test_a_pipe_gets_one_table_after_the_other(busy: Daemon):
    with Tool(busy, "top", "-n", "2", "-d", "0.1", "--sort", "name") as tool:
        text = tool.process.stdout.read().decode()
        assert tool.wait() == (0, "")
    assert len(HEAD.findall(text)) == 2 and "\x1b" not in text, text
    assert all(len(line) <= 80 for line in text.splitlines())
    assert [row[0] for row in rows(text)[:3]] == ["a-resting", "b-resting", "busy"]


def test_a_pipe_waits_for_a_daemon_that_restarts():
    with staying_daemon() as daemon:
        with Tool(daemon, "top", "-d", "0.1", "--timeout", "0.3") as tool:
            lines = iter(tool.process.stdout.readline, b"")
            assert next(line for line in lines if b"SESSION" in line)
            daemon.stop(signal.SIGKILL)
            assert next(line for line in lines if b"no answer" in line)
            daemon.restart()
            daemon.requests().open("alice", "phone")
            assert next(line for line in lines if b"alice" in line)
            assert tool.end(signal.SIGINT) == (0, "")


def test_a_dumb_terminal_gets_tables_too(busy: Daemon):
    with Terminal(busy, "top", "-n", "1", "-d", "0.1", TERM="dumb") as terminal:
        assert terminal.process.wait(20) == 0
        assert not terminal.is_own


def test_a_closed_pipe_and_an_interruption_end_it(busy: Daemon):
    with Tool(busy, "top", "-d", "0.1") as tool:
        assert tool.process.stdout.readline()
        assert tool.end(signal.SIGINT) == (0, "")
    with Tool(busy, "top", "-d", "0.1") as tool:
        assert tool.process.stdout.readline()
        tool.process.stdout.close()
        assert tool.process.wait(20) == 0


def test_the_daemon_tells_who_moves_and_what_was_published(busy: Daemon, control: Control):
    entries = {it["session"]: it for it in control.ok("sessions", detail=True)["entries"]}
    assert entries["busy"]["moving"] and not entries["a-resting"]["moving"]
    assert control.ok("sessions", only="moving")["sessions"] == ["busy"]
    many = control.ok("sessions", only="open", detail=True, limit=1000)
    assert many["sessions"] == sorted(entries)
    assert control.refused("sessions", only="parked")["code"] == "bad-value"
    # A topic without subscribers is not published.
    assert entries["b-resting"]["updates"] == 0
    subscriber = busy.subscriber("state/b-resting/")
    control.gesture("b-resting", "toss", "pan", "began", x=160, y=223)
    subscriber.find("state/b-resting/toss", phase="dragging")
    entry, = [it for it in control.ok("sessions", detail=True)["entries"]
              if it["session"] == "b-resting"]
    assert entry["updates"] > 0


@pytest.mark.parametrize("option", [["-d", "0"], ["--sort", "x"], ["-n", "0"], ["x"]])
def test_wrong_usage_is_told(busy: Daemon, option: list[str]):
    with Tool(busy, "top", *option) as tool:
        status, said = tool.wait()
        assert status == 2 and said.startswith("gesturectl: "), said
