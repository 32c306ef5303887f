"""Runs gesturectl as a process, with or without a daemon."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator

import zmq
from client import DEADLINE, REPOSITORY, Daemon, binary

OWN = REPOSITORY / "Examples" / "recordings"
# The time before a line of a program that runs as a service, where no journal reads it.
TIME = re.compile(rb"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z ")


def ctl(*arguments: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(binary().with_name("gesturectl")), *map(str, arguments)], capture_output=True,
        timeout=3 * DEADLINE, stdin=subprocess.DEVNULL, **options)


@contextlib.contextmanager
def staying_daemon(config: str = "") -> Iterator[Daemon]:
    """A daemon that keeps its endpoints over a restart."""
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        endpoints = [
            word for name in ("events", "updates", "control")
            for word in (f"--{name}", f"ipc://{folder}/{name}")]
        with Daemon(config, ports=False, arguments=endpoints) as daemon:
            yield daemon


class Tool:
    """gesturectl in its own process, connected to a daemon. The test's end kills it."""

    def __init__(
        self, daemon: Daemon, *arguments: object, events: str | None = None, **more: str,
    ):
        environment = os.environ | more | {
            "GESTURED_EVENTS": events or daemon.events, "GESTURED_UPDATES": daemon.updates,
            "GESTURED_CONTROL": daemon.control}
        self.process = subprocess.Popen(
            [str(binary().with_name("gesturectl")), *map(str, arguments)], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.heard = b""  # Unread output of standard error.

    def __enter__(self) -> Tool:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def speaks_within(self, seconds: float) -> bool:
        """Whether unread output on standard error comes within this time."""
        poller = zmq.Poller()
        poller.register(self.process.stderr.fileno(), zmq.POLLIN)
        return self.heard != b"" or bool(poller.poll(seconds * 1000))

    def said(self, pattern: str) -> re.Match:
        """Waits for the next line of standard error. Behind its time, if any, it must match."""
        end = time.monotonic() + DEADLINE
        poller = zmq.Poller()
        poller.register(self.process.stderr.fileno(), zmq.POLLIN)
        while b"\n" not in self.heard:
            left = end - time.monotonic()
            assert left > 0 and poller.poll(left * 1000), f"said only {self.heard!r}"
            chunk = os.read(self.process.stderr.fileno(), 65536)
            assert chunk, f"ended with {self.process.wait(DEADLINE)}: {self.heard!r}"
            self.heard += chunk
        line, self.heard = self.heard.split(b"\n", 1)
        line = TIME.sub(b"", line)
        match = re.fullmatch(pattern, line.decode())
        assert match, f"said {line!r}, not {pattern}"
        return match

    def end(self, number: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(number)
        return self.wait()

    def wait(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=3 * DEADLINE)
        return self.process.returncode, (self.heard + errors).decode()


@contextlib.contextmanager
def recording(
    daemon: Daemon, copy: object, *arguments: object, **environment: str,
) -> Iterator[tuple[Tool, str]]:
    """A running `record` into a file, and its endpoint for publishers."""
    command = ["record", copy, *arguments, "--bind", "tcp://127.0.0.1:*"]
    with Tool(daemon, *command, **environment) as recorder:
        yield recorder, recorder.said(r"recording events from (tcp://127\.0\.0\.1:\d+)")[1]


def lines(text: bytes | str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]
