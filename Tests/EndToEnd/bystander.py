"""What an attack does to others: peers beside it whose round trips are measured."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import zmq
from client import DEADLINE, Control, Daemon
from reliability import resident_mebibytes
from scenes import still

# A soak goes on for longer.
IS_SOAK = bool(os.environ.get("SOAK"))
# The time after an attack counts, too: it may leave work behind.
SECONDS_AFTER = 1.0


class Attack:
    """An attack in its own process."""

    def __init__(self, script: str, *arguments: str, keys: str = ""):
        path = pathlib.Path(__file__).with_name(script)
        self.process = subprocess.Popen(
            [sys.executable, str(path), *arguments], stdout=subprocess.PIPE, text=True,
            env=os.environ | ({"ATTACK_KEYS": keys} if keys else {}))
        assert self.process.stdout.readline() == "begins\n"

    def wait(self, seconds: float) -> None:
        self.process.wait(seconds + DEADLINE)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Bystander(threading.Thread):
    """Publishes a scroll, waits for the state that shows it, and begins again."""

    def __init__(
        self, daemon: Daemon, control: Control, events: str, updates: str,
        session: str = "bystander",
    ):
        super().__init__()
        self.session = session
        self.publisher = daemon.publisher(events)
        self.updates = daemon.socket(zmq.SUB, updates)
        self.updates.subscribe(f"state/{session}/profile")
        control.open(session, still())
        assert self.updates.poll(DEADLINE * 1000)
        # Milliseconds from each event to its state.
        self.times: list[float] = []
        self.is_ending = False

    def run(self) -> None:
        offset = 0
        while not self.is_ending:
            offset = offset % 500 + 1
            began = time.monotonic()
            self.publisher.send(
                f"gesture/{self.session}/profile",
                {"gesture": "scroll", "phase": "changed", "offset": offset})
            self.times.append((self.arrival(offset, began + DEADLINE) - began) * 1000)
            time.sleep(0.002)
        self.updates.close()
        self.publisher.socket.close()

    def arrival(self, offset: int, end: float) -> float:
        """When the state came; the end if it did not."""
        while (left := end - time.monotonic()) > 0 and self.updates.poll(left * 1000):
            body = json.loads(self.updates.recv_multipart()[1])
            if body["model"]["offset"] == offset:
                return time.monotonic()
        return end


@dataclass
class Harm:
    """A row of docs/security.md."""

    # Of each bystander, and of all: milliseconds.
    late: list[float]
    latest: float
    # The daemon's peak.
    mebibytes: float

    def __str__(self) -> str:
        late = " and ".join(f"{value:.1f}" for value in self.late)
        return f"p99 {late} ms, at most {self.latest:.0f} ms, {self.mebibytes:.0f} MiB"

    def hold_to(self, milliseconds: float, mebibytes: float) -> None:
        assert max(self.late) < milliseconds, self
        assert self.mebibytes < mebibytes, self


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def suffer(
    daemon: Daemon, bystanders: list[Bystander], attacks: Iterable[Callable[[], Attack]],
    seconds: float,
) -> Harm:
    """Runs attacks at once beside the bystanders."""
    for bystander in bystanders:
        bystander.start()
    try:
        with contextlib.ExitStack() as stack:
            for attack in attacks:
                stack.callback(attack().end)
            time.sleep(seconds + SECONDS_AFTER)
    finally:
        for bystander in bystanders:
            bystander.is_ending = True
        for bystander in bystanders:
            bystander.join()
    return Harm(
        [p99(bystander.times) for bystander in bystanders],
        max(max(bystander.times) for bystander in bystanders),
        resident_mebibytes(daemon, "VmHWM"))
