"""`make run` in a terminal: the tour is drawn, and everything stays until Ctrl-C."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import time
import urllib.error
import urllib.request

import pytest
import zmq
from client import DEADLINE, REPOSITORY, binary

SEQUENCE = re.compile(r"\x1b\[\??[\d;]*[A-Za-z]")


class Show:
    """A script in a terminal of its own, as its controlling one."""

    def __init__(self, *arguments: str, script: str = ".ci/show", **variables: str):
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(REPOSITORY)
            os.environ.update(
                {"TERM": "xterm-256color", "SHOW_BUILD": str(binary().parent)} | variables)
            os.execv(script, [script, *arguments])
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.raw = b""
        self.status: int | None = None

    def __enter__(self) -> Show:
        return self

    def __exit__(self, *_: object) -> None:
        if self.status is None:
            os.kill(self.pid, signal.SIGTERM)
            self.wait()
        os.close(self.master)

    @property
    def text(self) -> str:
        return SEQUENCE.sub("", self.raw.decode(errors="replace"))

    def read(self) -> None:
        poller = zmq.Poller()
        poller.register(self.master, zmq.POLLIN)
        if poller.poll(50):
            try:
                self.raw += os.read(self.master, 65536)
            except OSError:  # The script has ended.
                time.sleep(0.05)

    def until(self, wanted: str, deadline: float = DEADLINE) -> re.Match:
        end = time.monotonic() + deadline
        while not (match := re.search(wanted, self.text)):
            assert time.monotonic() < end, f"no {wanted!r}:\n{self.text[-2000:]}"
            self.read()
        return match

    def press(self, key: str) -> None:
        os.write(self.master, key.encode())

    def wait(self) -> int:
        end = time.monotonic() + DEADLINE
        while self.status is None:
            assert time.monotonic() < end, f"the show goes on:\n{self.text[-2000:]}"
            self.read()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status


def serves(address: str) -> bool:
    try:
        return urllib.request.urlopen(address, timeout=DEADLINE).status == 200
    except urllib.error.URLError:
        return False


@pytest.fixture
def recording(tmp_path):
    path = tmp_path / "short.jsonl"
    path.write_text(
        '{"gesture-recording":1,"scene":"phone","seed":1}\n'
        '{"t":0,"caption":"One likes it"}\n'
        '{"t":1500,"topic":"notification/alice","body":{"kind":"likes"}}\n', encoding="utf-8")
    return str(path)


def test_the_tour_is_drawn_with_captions_and_stays_until_interrupted(recording: str):
    with Show(recording) as show:
        address = show.until(r"Open (http://127\.0\.0\.1:\d+/)\?session=alice")[1]
        assert serves(address)
        show.until("One likes it")
        show.until("likes 1")
        show.until(r"Now you: http://\S+")
        assert serves(address)
        show.press("\x03")
        assert show.wait() == 130
        assert "have ended" in show.text
        assert not serves(address)


def test_q_leaves_the_picture_and_the_page_stays(recording: str):
    with Show(recording) as show:
        address = show.until(r"Open (http://127\.0\.0\.1:\d+/)\?session=alice")[1]
        show.until("q ends")
        show.press("q")
        show.until(r"The page stays at")
        assert serves(address)
        show.press("\x03")
        assert show.wait() == 130
        assert not serves(address)


def test_a_terminal_that_cannot_draw_gets_captions_and_the_page_stays(recording: str):
    with Show(recording, TERM="dumb") as show:
        address = show.until(r"Open (http://127\.0\.0\.1:\d+/)\?session=alice")[1]
        show.until("One likes it")
        show.until(r"The page stays at")
        assert serves(address)
        show.press("\x03")
        assert show.wait() == 130


def test_a_pipe_beside_a_terminal_stays_too(recording: str):
    """`make run | tee` has a person who may touch the page."""
    own, terminal = pty.openpty()
    show = subprocess.Popen(
        [".ci/show", recording], cwd=REPOSITORY, stdin=terminal, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, env=os.environ | {"SHOW_BUILD": str(binary().parent)},
        start_new_session=True, text=True)
    try:
        text = ""
        for line in show.stdout:
            text += line
            if "The page stays at" in line:
                break
        assert "you may touch it at any time" in text and "One likes it" in text
        assert show.poll() is None
    finally:
        os.killpg(show.pid, signal.SIGINT)
        assert show.wait(DEADLINE) == 130
        os.close(own)
        os.close(terminal)


def test_it_runs_beside_another_daemon_at_the_usual_endpoints(recording: str):
    holders = []
    with zmq.Context() as context:
        try:
            for port in (7411, 7412, 7413, 7480):
                holder = context.socket(zmq.ROUTER)
                holder.linger = 0
                holders.append(holder)
                try:
                    holder.bind(f"tcp://127.0.0.1:{port}")
                except zmq.ZMQError:
                    pass  # Somebody else holds it, which is as good.
            result = subprocess.run(
                [".ci/show", recording], cwd=REPOSITORY, capture_output=True, text=True,
                timeout=DEADLINE * 3, stdin=subprocess.DEVNULL,
                env=os.environ | {"SHOW_BUILD": str(binary().parent)})
        finally:
            for holder in holders:
                holder.close()
    assert result.returncode == 0, result.stdout + result.stderr
    address = re.search(r"Open http://127\.0\.0\.1:(\d+)/", result.stdout)
    assert address and address[1] != "7480"
    assert "export GESTURED_CONTROL=tcp://127.0.0.1:" in result.stdout
    assert "One likes it" in result.stdout
    assert "touch it at any time" not in result.stdout, "it ends with the tour"


def test_a_missing_program_is_named(tmp_path):
    result = subprocess.run(
        [".ci/show"], cwd=REPOSITORY, capture_output=True, text=True, timeout=DEADLINE,
        stdin=subprocess.DEVNULL, env=os.environ | {"SHOW_BUILD": str(tmp_path)})
    assert result.returncode == 1
    assert f"there is no {tmp_path}/gestured; make build makes the programs" in result.stderr
