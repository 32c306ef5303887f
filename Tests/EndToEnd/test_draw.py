"""`watch --draw` on a terminal, against the real daemon."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import termios
import time

import pytest
from client import DEADLINE, Control, Daemon, binary
from reliability import wait_for
from scenes import rows, scene, toss
from terminal import Terminal
from tool import Tool

FINGER = {"gesture": "pan", "x": 160, "y": 223}


def is_drawn(terminal: Terminal):
    return lambda: "item" in terminal.text and "resting" in terminal.text


def row_of(word: str, text: str) -> int:
    return next((n for n, line in enumerate(text.splitlines()) if word in line), -1)


def test_views_are_drawn_as_they_move(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        assert terminal.is_own and terminal.hides_cursor
        still = terminal.text
        assert session in still.splitlines()[-1] and "toss  resting" in still
        control.gesture(session, "toss", "pan", "began", x=160, y=223)
        control.gesture(session, "toss", "pan", "changed", x=160, y=423)
        terminal.until(lambda: "toss  dragging" in terminal.text, "drag")
        terminal.until(lambda: row_of("item", terminal.text) > row_of("item", still), "motion")
        control.notify(session, "likes", add=3)
        terminal.until(lambda: "badge 3" in terminal.text and "likes 3" in terminal.text, "count")
        control.gesture(session, "toss", "pan", "ended", x=160, y=423)
        terminal.until(is_drawn(terminal), "rest")
        assert terminal.end(signal.SIGINT) == 0
        terminal.expect_restored()
        assert {"36", "2"} <= terminal.colors


def test_a_scene_that_changes_is_drawn_anew(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        control.publish(
            f"command/{session}", {"command": "update", "scene": scene(rows())})
        terminal.until(lambda: "row-0" in terminal.text and "item" not in terminal.text, "rows")
        assert terminal.end(signal.SIGINT) == 0


@pytest.mark.parametrize("number", [
    signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_however_it_ends_the_terminal_is_as_before(
    daemon: Daemon, control: Control, session: str, number: int
):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        assert terminal.end(number) == 0
        terminal.expect_restored()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_ends_while_its_terminal_does_not_read(
    daemon: Daemon, control: Control, session: str, number: int
):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        # Suspends the output, as Ctrl-S does; then causes something to draw.
        termios.tcflow(terminal.slave, termios.TCOOFF)
        control.gesture(session, "toss", "pan", "began", x=160, y=223)
        for y in range(224, 424, 5):
            control.gesture(session, "toss", "pan", "changed", x=160, y=y)
        wait_for(lambda: waits_for_room(terminal.process.pid), "it waits for the terminal")
        assert terminal.end(number) == 0
        terminal.expect_restored()


def waits_for_room(process: int) -> bool:
    """Whether it is in a write, or in the 40 ms wait that only a terminal causes."""
    call = pathlib.Path(f"/proc/{process}/syscall").read_text().split()
    return is_writing(process) or call[0] == "7" and call[3] == "0x28"


def test_frames_end_while_nobody_reads_them(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Tool(daemon, "watch", "--draw", session, "--frames", "100000",
              "--size", "500x200") as tool:
        control.gesture(session, "toss", "pan", "began", x=160, y=223)
        wait_for(lambda: is_writing(tool.process.pid), "the pipe is full")
        tool.process.send_signal(signal.SIGINT)
        assert tool.process.wait(DEADLINE) == 0


def is_writing(process: int) -> bool:
    return pathlib.Path(f"/proc/{process}/syscall").read_text().split()[0] == "1"


@pytest.mark.parametrize("size", ["80xx24", "x80x24", "80x24xfoo", "80x24x", "80", "+80x24", "x"])
def test_a_size_is_two_numbers(daemon: Daemon, control: Control, session: str, size: str):
    control.open(session, scene(toss()))
    with Tool(daemon, "watch", "--draw", session, "--frames", "1", "--size", size) as tool:
        code, errors = tool.wait()
    assert code == 2 and f"--size must be columns x rows up to 500x200, as 80x24, not '{size}'" \
        in errors


def test_it_ends_after_its_time_and_restores(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session, "--for", "0.5") as terminal:
        terminal.until(lambda: terminal.process.poll() is not None, "end")
        terminal.read(0.1)
        assert terminal.process.returncode == 0
        terminal.expect_restored()


def test_a_new_size_is_redrawn(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        frames = terminal.frames
        terminal.resize(40, 12)
        terminal.process.send_signal(signal.SIGWINCH)
        terminal.until(lambda: terminal.frames > frames and is_drawn(terminal)(), "new frame")
        assert session in terminal.text.splitlines()[11]
        terminal.resize(100, 50)
        terminal.process.send_signal(signal.SIGWINCH)
        terminal.until(lambda: len(terminal.text.splitlines()) == 50 and is_drawn(terminal)(),
                       "large frame")
        assert terminal.end(signal.SIGINT) == 0


def is_stopped(process: int) -> bool:
    return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T"


def test_a_stopped_one_gives_the_terminal_back_and_goes_on(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        terminal.process.send_signal(signal.SIGTSTP)
        terminal.until(lambda: not terminal.is_own, "old screen")
        terminal.expect_restored()
        wait_for(lambda: is_stopped(terminal.process.pid), "the tool is stopped")
        terminal.process.send_signal(signal.SIGCONT)
        terminal.until(lambda: terminal.is_own and is_drawn(terminal)(), "new frame")
        assert terminal.end(signal.SIGINT) == 0
        terminal.expect_restored()


def test_at_most_thirty_frames_a_second(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss(), frame_rate=120))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        shown = []
        control.gesture(session, "toss", "pan", "began", x=160, y=223)
        take = terminal.take

        def counting() -> None:
            before = terminal.text
            take()
            if terminal.text != before:
                shown.append(terminal.text)

        terminal.take = counting
        began = time.monotonic()
        for number in range(100):
            control.gesture(session, "toss", "pan", "changed", x=160 + number, y=223 + 3 * number)
            terminal.read(0.008)
        seconds = time.monotonic() - began
        # A busy machine shows fewer.
        assert 2 < len(shown) <= 31 * seconds + 2, f"{len(shown)} frames in {seconds} s"


def test_a_session_that_closes_and_opens_again(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        control.ok("close", session=session)
        terminal.until(lambda: "closed" in terminal.text and "item" not in terminal.text, "end")
        control.open(session, scene(toss(id="other"), viewport=[600, 300]))
        terminal.until(lambda: "other" in terminal.text, "new scene")
        terminal.until(lambda: "item" in terminal.text and "closed" not in terminal.text, "view")
        widest = max(len(line) for line in terminal.text.splitlines()[:-1])
        assert widest > 60, "watch draws on the old viewport"


def test_a_silent_daemon_is_reported(session: str):
    with Daemon() as daemon:
        daemon.requests().open(session, scene(toss()))
        with Terminal(daemon, "watch", "--draw", session) as terminal:
            terminal.until(is_drawn(terminal), "view")
            daemon.process.send_signal(signal.SIGSTOP)
            terminal.until(lambda: "does not answer" in terminal.text, "notice of silence")
            assert is_drawn(terminal)(), "the last picture is gone"
            daemon.process.send_signal(signal.SIGCONT)
            terminal.until(lambda: "does not answer" not in terminal.text, "sign of life")


def test_no_color_is_heeded(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session, NO_COLOR="1") as terminal:
        terminal.until(is_drawn(terminal), "view")
        assert terminal.end(signal.SIGINT) == 0
        assert terminal.colors <= {"0"}, terminal.colors


def test_without_a_terminal_it_says_what_it_needs(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    environment = os.environ | {
        "GESTURED_EVENTS": daemon.events, "GESTURED_UPDATES": daemon.updates,
        "GESTURED_CONTROL": daemon.control}

    def run(*arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(binary().with_name("gesturectl")), "watch", *arguments], env=environment,
            capture_output=True, timeout=10, text=True, stdin=subprocess.DEVNULL)

    result = run("--draw", session)
    assert result.returncode == 2 and result.stdout == "", result
    assert "needs a terminal; --frames N" in result.stderr and "\x1b" not in result.stderr
    for arguments in (["--draw", session, "--json"], ["--frames", "1"], ["--draw", "a/b"],
                      ["--draw", session, "--frames", "1", "--size", "9"]):
        assert run(*arguments).returncode == 2, arguments
    result = run("--draw", session, "--frames", "1", "--size", "60x20")
    assert result.returncode == 0 and "item" in result.stdout and "\x1b" not in result.stdout
    rows = result.stdout.split("\n")
    assert len(rows) == 22 and max(map(len, rows)) <= 60
    with Terminal(daemon, "watch", "--draw", session, TERM="dumb") as terminal:
        assert terminal.process.wait(10) == 2


def test_colors_are_for_terminals(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    for variables in ({}, {"NO_COLOR": "1"}, {"TERM": "dumb"}):
        with Terminal(daemon, "snapshot", session, **variables) as terminal:
            terminal.is_own = False
            terminal.until(lambda: terminal.process.poll() is not None, "end")
            terminal.read(0.1)
            assert bool(terminal.colors) == (variables == {}), (variables, terminal.colors)
