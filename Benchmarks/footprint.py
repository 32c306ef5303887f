"""Measures resident bytes and processor time of sessions at rest."""

from __future__ import annotations

import pathlib
import statistics
import time
import typing
from dataclasses import dataclass

from rig import (
    REPOSITORY, Control, Processor, open_sessions, resident_bytes, start, stats, wait_for_rest)
from text import bullets, spread, verdict

if typing.TYPE_CHECKING:
    from report import Report

# Lanes look within ten seconds at sessions that came or moved: they do not rest before.
SETTLE_SECONDS = 11
# Lanes look for idle sessions once a minute. A shorter span may miss that.
REST_SECONDS, SHORT_REST_SECONDS = 60, 10
TARGETS = {"tips": 4 * 1024, "phone": 16 * 1024}
CORE_MAX = 0.01


@dataclass
class Round:
    """One daemon with its sessions."""

    bytes_each: float
    # The share of one core without motion and requests.
    core: float
    opened_per_second: float
    seconds_to_rest: float


@dataclass
class Footprint:
    scene: str
    sessions: int
    # The span in which nobody asks for anything.
    seconds: int
    rounds: list[Round]

    def all(self, name: str) -> list[float]:
        return [getattr(it, name) for it in self.rounds]

    def median(self, name: str) -> float:
        return statistics.median(self.all(name))

    def __str__(self) -> str:
        return (
            f"{self.scene}, {self.sessions:,} sessions: "
            f"{spread(self.all('bytes_each'), ',.0f')} bytes each, "
            f"{spread(self.all('core'), '.2%')} of a core at rest, opened "
            f"{spread(self.all('opened_per_second'), ',.0f')}/s, "
            f"at rest after {spread(self.all('seconds_to_rest'), '.1f')} s")


def measure(scene: str, sessions: int, rounds: int, seconds: int, say) -> Footprint:
    found = Footprint(scene, sessions, seconds, [])
    for number in range(rounds):
        found.rounds.append(once(scene, sessions, seconds))
        last = found.rounds[-1]
        say(f"{scene} {number + 1}: {last.bytes_each:,.0f} bytes each, {last.core:.2%} of a core "
            f"at rest, opened {last.opened_per_second:,.0f}/s, at rest after "
            f"{last.seconds_to_rest:.1f} s")
    return found


def once(scene: str, sessions: int, seconds: int) -> Round:
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
        time.sleep(SETTLE_SECONDS)
        used = Processor.read(pid)
        time.sleep(seconds)
        core = Processor.read(pid).since(used)["all"] / seconds
        each = (resident_bytes(pid) - before) / sessions
        # A stopped daemon would use no time either.
        now = stats(control)
        assert now["sessions"] == sessions and now["sessions_moving"] == 0, f"not at rest: {now}"
        return Round(each, core, sessions / elapsed, to_rest)


# MARK: Report


def rows(report: Report) -> list[tuple[str, str, str, str]]:
    found = []
    for it in report.footprints:
        found += [
            (f"bytes of a resting session, `{it.scene}`, {it.sessions:,} open",
             spread(it.all("bytes_each"), ",.0f"), f"≤ {TARGETS[it.scene]:,}",
             verdict(it.median("bytes_each") <= TARGETS[it.scene])),
            (f"a core's share while {it.sessions:,} `{it.scene}` rest",
             spread(it.all("core"), ".2%"), f"< {CORE_MAX:.0%}",
             verdict(it.median("core") < CORE_MAX))]
    return found


def sections(report: Report) -> list[str]:
    if not report.footprints:
        return []
    return [
        "## Sessions at rest",
        f"A new daemon in each of {len(report.footprints[0].rounds)} rounds. Bytes: what is "
        "resident more than before the sessions were opened. Processor time is counted in "
        f"hundredths of a second, over {report.footprints[0].seconds} seconds in which nobody asks "
        f"for anything, {SETTLE_SECONDS} seconds after the last session has come to rest.",
        bullets(map(str, report.footprints))]


def columns(report: Report) -> dict[str, object]:
    row: dict[str, object] = {}
    found = {it.scene: it for it in report.footprints}
    for scene in TARGETS:
        it = found.get(scene)
        row[f"{scene}_bytes"] = it and round(it.median("bytes_each"))
        row[f"{scene}_core"] = it and round(it.median("core"), 5)
    return row
