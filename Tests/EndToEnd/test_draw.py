"""`watch --draw` on a terminal, against the real daemon."""

from __future__ import annotations

import os
import pathlib
import re
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


RED, WHITE, BLUE = "255;0;0", "255;255;255", "0;0;255"
# The picture on a terminal of 80 by 24: all rows but the last, as wide as the viewport asks.
STAGE = (26, 23)


def is_drawn(terminal: Terminal):
    return lambda: "toss  resting" in terminal.text and "q ends" in terminal.text


def colored() -> dict:
    """A red view on white, without a word on it."""
    return scene(
        toss(content={"background": "red", "color": "red"}), content={"background": "white"})


def color_at(terminal: Terminal, x: float, y: float) -> str | None:
    """The color of a point of the viewport."""
    image = terminal.pixels(*STAGE)
    return image[int(y / 568 * len(image))][int(x / 320 * len(image[0]))]


def is_near(color: str | None, wanted: str) -> bool:
    return color is not None and all(
        abs(int(a) - int(b)) < 40 for a, b in zip(color.split(";"), wanted.split(";")))


def test_views_are_drawn_as_they_move(daemon: Daemon, control: Control, session: str):
    control.open(session, colored())
    with Terminal(daemon, "watch", "--draw", session, COLORTERM="truecolor") as terminal:
        terminal.until(is_drawn(terminal), "view")
        assert terminal.is_own and terminal.hides_cursor
        # The view is 254 by 172 around (160, 223).
        for place in ((160, 223), (50, 160), (270, 290)):
            assert is_near(color_at(terminal, *place), RED), (place, terminal.text)
        for place in ((160, 40), (160, 450), (10, 223)):
            assert is_near(color_at(terminal, *place), WHITE), (place, terminal.text)
        assert terminal.text.splitlines()[-1].startswith(session)
        control.gesture(session, "toss", "pan", "began", x=160, y=223)
        control.gesture(session, "toss", "pan", "changed", x=160, y=423)
        terminal.until(lambda: "toss  dragging" in terminal.text, "drag")
        terminal.until(
            lambda: is_near(color_at(terminal, 60, 440), RED)
            and is_near(color_at(terminal, 60, 200), WHITE), "motion")
        control.notify(session, "likes", add=3)
        terminal.until(lambda: "badge 3" in terminal.text and "likes 3" in terminal.text, "count")
        control.gesture(session, "toss", "pan", "ended", x=160, y=423)
        terminal.until(is_drawn(terminal), "rest")
        terminal.until(lambda: "toss: return ended" in terminal.text, "transition")
        assert terminal.end(signal.SIGINT) == 0
        terminal.expect_restored()
        assert {"36", "2"} <= terminal.colors and not terminal.graphics


def test_one_component_alone(daemon: Daemon, control: Control, session: str):
    world = {
        "id": "w", "kind": "dynamics", "behaviors": [], "items": [
            {"id": "a", "center": [160, 480], "size": [200, 100],
             "content": {"background": "blue"}}]}
    both = colored()
    control.open(session, {**both, "components": [*both["components"], world]})
    for chosen, color in (([], BLUE), (["toss"], WHITE)):
        with Terminal(daemon, "watch", "--draw", session, *chosen, COLORTERM="truecolor") as one:
            one.until(is_drawn(one) if chosen else lambda: "w     resting" in one.text, "views")
            assert is_near(color_at(one, 160, 223), RED)
            assert is_near(color_at(one, 160, 480), color), one.text
            assert one.end(signal.SIGINT) == 0


@pytest.mark.parametrize("key", [b"q", b"Q", b"\x04"])
def test_a_key_ends_it(daemon: Daemon, control: Control, session: str, key: bytes):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        os.write(terminal.master, b"x")
        terminal.read(0.2)
        assert terminal.process.poll() is None, "any key ends it"
        os.write(terminal.master, key)
        assert terminal.process.wait(DEADLINE) == 0
        terminal.read(0.1)
        terminal.expect_restored()


@pytest.mark.parametrize(("term", "start"), [("xterm-kitty", b"_G"), ("mlterm", b"P")])
def test_terminals_with_pixels_get_them(
    daemon: Daemon, control: Control, session: str, term: str, start: bytes
):
    control.open(session, colored())
    with Terminal(daemon, "watch", "--draw", session, TERM=term) as terminal:
        terminal.until(is_drawn(terminal), "view")
        terminal.until(lambda: terminal.graphics, "pixels")
        assert all(command.startswith(start) for command in terminal.graphics)
        count = len(terminal.graphics)
        assert set(map(len, terminal.rows)) == {80}
        assert all(row[:STAGE[0]] == [" "] * STAGE[0] for row in terminal.rows[:STAGE[1]])
        control.gesture(session, "toss", "pan", "began", x=160, y=223)
        control.gesture(session, "toss", "pan", "changed", x=160, y=423)
        terminal.until(lambda: len(terminal.graphics) > count, "new pixels")
        if term == "xterm-kitty":
            # The former ones are deleted, or they would pile up.
            assert any(command.startswith(b"_Ga=d") for command in terminal.graphics[count:])
        assert terminal.end(signal.SIGINT) == 0
        terminal.expect_restored()


@pytest.mark.parametrize(("variables", "pattern"), [
    ({"TERM": "xterm-256color"}, r"[34]8;5;\d+(;[34]8;5;\d+)?"),
    ({"TERM": "xterm-256color", "COLORTERM": "truecolor"},
     r"[34]8;2;\d+;\d+;\d+(;[34]8;2;\d+;\d+;\d+)?"),
    ({"TERM": "linux"}, r"(3|4|9|10)[0-7](;(4|10)[0-7])?"),
])
def test_colors_are_those_that_the_terminal_has(
    daemon: Daemon, control: Control, session: str, variables: dict, pattern: str
):
    control.open(session, colored())
    with Terminal(daemon, "watch", "--draw", session, **variables) as terminal:
        terminal.until(is_drawn(terminal), "view")
        own = {color for color in terminal.colors if color not in ("0", "1", "2", "33", "36")}
        assert own and all(re.fullmatch(pattern, color) for color in own), own
        assert terminal.end(signal.SIGINT) == 0


def test_a_scene_that_changes_is_drawn_anew(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    with Terminal(daemon, "watch", "--draw", session) as terminal:
        terminal.until(is_drawn(terminal), "view")
        control.publish(
            f"command/{session}", {"command": "update", "scene": scene(rows())})
        terminal.until(
            lambda: "list  closed" in terminal.text and "toss" not in terminal.text, "rows")
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
    with Terminal(daemon, "watch", "--draw", session, COLORTERM="truecolor") as terminal:
        terminal.until(is_drawn(terminal), "view")
        control.ok("close", session=session)
        terminal.until(lambda: "closed" in terminal.text and "toss" not in terminal.text, "end")
        control.open(session, scene(
            toss(id="other"), viewport=[600, 300], content={"background": "blue"}))
        terminal.until(
            lambda: "other: resting" in terminal.text and "closed" not in terminal.text, "view")
        # It is so wide that the picture has the whole width.
        assert all(is_near(row[159], BLUE) for row in terminal.pixels(80, 23)[8:38])


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
    assert result.returncode == 0 and "toss  resting" in result.stdout
    assert "\x1b" not in result.stdout and re.search("[\u2801-\u28ff]{5}", result.stdout)
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
