"""From an event to its state, at an even rate, through the daemon and through a bare forwarder."""

from __future__ import annotations

import statistics
import typing
from dataclasses import dataclass

from rig import PATIENCE, Control, Elsewhere, Peer, open_sessions, start, stats
from text import spread, verdict

if typing.TYPE_CHECKING:
    from report import Report

PER_SECOND = 10_000
# No session has two events on the way, even after a stall of 200 ms.
SESSIONS = 2_000
# As the daemon's states have: the same through the forwarder.
BODY = 451
# How much of the forwarder's latency is allowed, by quantile.
TARGETS = {"p50": 1.5, "p99": 2.0, "p999": None}
TITLES = {"p50": "p50", "p99": "p99", "p999": "p99.9"}


@dataclass
class Run:
    """One run of one side, in microseconds."""

    us: dict[str, float]
    max_us: float
    elsewhere: float


@dataclass
class Result:
    # (gestured, forwarder)
    rounds: list[tuple[Run, Run]]

    def ratios(self, name: str) -> list[float]:
        return [ours.us[name] / theirs.us[name] for ours, theirs in self.rounds]

    def is_met(self, name: str) -> bool:
        return statistics.median(self.ratios(name)) <= TARGETS[name]


def exchange(events: str, updates: str, pid: int, count: int, body: int) -> Run:
    with Peer("latency", events, updates, SESSIONS, count, PER_SECOND, body) as peer:
        peer.line(0)
        others = Elsewhere(pid, peer.process.pid)
        found = peer.line(1, PATIENCE)
        elsewhere = others.cores()
    assert found["strange"] == found["missed"] == 0, f"not what was sent: {found}"
    assert found["received"] == count, f"{count} were sent: {found}"
    return Run({name: found[name] for name in TARGETS}, found["max"], elsewhere)


def through_daemon(count: int) -> Run:
    with start() as daemon:
        control = Control(daemon)
        open_sessions(control, "profile", range(SESSIONS))
        run = exchange(daemon.events, daemon.updates, daemon.process.pid, count, 0)
        after = stats(control)
        assert after["events_applied"] == count, f"not all were applied: {after}"
        return run


def through_forwarder(count: int) -> Run:
    with Peer("forward", 1) as forwarder:
        ends = forwarder.line(0)
        return exchange(ends["events"], ends["updates"], forwarder.process.pid, count, BODY)


def measure(seconds: float, rounds: int, say) -> Result:
    count, done = int(PER_SECOND * seconds), []
    for number in range(rounds):
        ours, theirs = through_daemon(count), through_forwarder(count)
        done.append((ours, theirs))
        say(f"round {number + 1}: " + ", ".join(
            f"{TITLES[name]} {ours.us[name]:,.0f} and {theirs.us[name]:,.0f} µs "
            f"({ours.us[name] / theirs.us[name]:.2f})" for name in TARGETS)
            + f"; elsewhere {ours.elsewhere:.2f} and {theirs.elsewhere:.2f} cores")
    return Result(done)


# MARK: Telling


def rows(report: Report) -> list[tuple[str, str, str, str]]:
    if not (result := report.latency):
        return []
    found = []
    for name, target in TARGETS.items():
        title = f"µs from event to state at {PER_SECOND:,}/s, {TITLES[name]}"
        for side, runs in (("", 0), (", bare forwarder", 1)):
            found.append((
                title + side, spread([pair[runs].us[name] for pair in result.rounds], ",.0f"),
                "", ""))
        found.append((
            f"… ratio, {TITLES[name]}", spread(result.ratios(name), ".2f"),
            f"≤ {target}" if target else "", verdict(result.is_met(name)) if target else ""))
    return found


def sections(report: Report) -> list[str]:
    if not report.latency:
        return []
    return [
        "## Latency",
        f"Scrolls of {SESSIONS:,} sessions of `profile` in turn, {PER_SECOND:,} a second at an "
        "even rate; from just before an event is given to its publisher's socket until its state "
        "is taken from the subscriber's. Publisher and subscriber are threads of one process with "
        "a context each, so that one clock times both. The same through the forwarder, with "
        f"bodies of {BODY} bytes. The first half second does not count."]


def columns(report: Report) -> dict[str, object]:
    row: dict[str, object] = {}
    for name in TARGETS:
        for side, place in (("", 0), ("_forwarder", 1)):
            row[f"latency_us_{name}{side}"] = report.latency and round(
                statistics.median(pair[place].us[name] for pair in report.latency.rounds), 1)
    return row
