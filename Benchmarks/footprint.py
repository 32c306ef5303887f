"""Resident bytes and processor time of sessions at rest."""

from __future__ import annotations

import pathlib
import time
from dataclasses import dataclass

from rig import (
    REPOSITORY, Control, Processor, open_sessions, resident_bytes, start, stats, wait_for_rest)

TARGETS = {"tips": 4 * 1024, "phone": 16 * 1024}
CORE_MAX = 0.01


@dataclass
class Footprint:
    scene: str
    sessions: int
    bytes_each: float
    # Share of one core while nothing moves and nothing is asked.
    core: float
    opened_per_second: float
    seconds_to_rest: float

    @property
    def target(self) -> int:
        return TARGETS[self.scene]

    @property
    def is_met(self) -> bool:
        return self.bytes_each <= self.target and self.core < CORE_MAX

    def __str__(self) -> str:
        return (
            f"{self.scene}: {self.bytes_each:,.0f} bytes per session ({self.sessions:,}), "
            f"{self.core:.2%} of a core at rest, opened {self.opened_per_second:,.0f}/s, "
            f"at rest after {self.seconds_to_rest:.1f} s")


def measure(scene: str, sessions: int, seconds: float) -> Footprint:
    folder = pathlib.Path(__file__).parent / "scenes"
    if scene == "phone":
        folder = REPOSITORY / "config" / "scenes"
    with start(folder) as daemon:
        pid = daemon.process.pid
        control = Control(daemon)
        stats(control)
        before, began = resident_bytes(pid), time.monotonic()
        open_sessions(control, scene, range(sessions))
        elapsed = time.monotonic() - began
        to_rest = wait_for_rest(control, 300)
        used = Processor.read(pid)
        time.sleep(seconds)
        core = Processor.read(pid).since(used)["all"] / seconds
        each = (resident_bytes(pid) - before) / sessions
        return Footprint(scene, sessions, each, core, sessions / elapsed, to_rest)
