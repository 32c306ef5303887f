"""Measures the time from event to state at an even rate, against a bare forwarder."""

from __future__ import annotations

import statistics
import typing
from dataclasses import dataclass

from rig import PATIENCE, Control, Elsewhere, Peer, open_sessions, start, stats
from text import bullets, spread, verdict

if typing.TYPE_CHECKING:
    from report import Report

PER_SECOND = 10_000
# Enough that no session has two events in flight, even after a stall of 200 ms.
SESSIONS = 2_000
# The publisher's rate may differ by this share.
RATE_TOLERANCE = 0.01
# The most the daemon may take, as a multiple of the forwarder's latency, by quantile.
TARGETS = {"p50": 1.25, "p99": 1.4, "p999": None}
TITLES = {"p50": "p50", "p99": "p99", "p999": "p99.9"}


@dataclass
class Run:
    """One run of one side, in microseconds."""

    # By quantile, from sending an event to its state. The target judges this.
    us: dict[str, float]
    # The same from the event's due time, so that a delay of the publisher counts too.
    due_us: dict[str, float]
    # From the event's due time to its sending: the publisher's delay.
    late_us: dict[str, float]
    # Events a second that the publisher sent.
    rate: float
    # Bytes of a state.
    body: int
    elsewhere: float

    @property
    def is_at_rate(self) -> bool:
        return abs(self.rate / PER_SECOND - 1) <= RATE_TOLERANCE


@dataclass
class Result:
    # (gestured, forwarder)
    rounds: list[tuple[Run, Run]]

    def ratios(self, name: str) -> list[float]:
        return [ours.us[name] / theirs.us[name] for ours, theirs in self.rounds]

    def due_ratios(self, name: str) -> list[float]:
        return [ours.due_us[name] / theirs.due_us[name] for ours, theirs in self.rounds]

    def is_met(self, name: str) -> bool:
        return self.is_at_rate and statistics.median(self.ratios(name)) <= TARGETS[name]

    @property
    def is_at_rate(self) -> bool:
        return all(run.is_at_rate for pair in self.rounds for run in pair)


def exchange(events: str, updates: str, pid: int, count: int, body: int) -> Run:
    with Peer("latency", events, updates, SESSIONS, count, PER_SECOND, body) as peer:
        peer.line(0)
        others = Elsewhere(pid, peer.process.pid)
        found = peer.line(1, PATIENCE)
        elsewhere = others.cores()
    assert found["strange"] == found["missed"] == 0, f"unexpected or missed states: {found}"
    assert found["received"] == count and found["measured"] > 0, f"{count} were sent: {found}"
    return Run(
        found["from_sent"], found["from_due"], found["late"], found["per_second"],
        round(found["bytes"] / count), elsewhere)


def through_daemon(count: int) -> Run:
    with start() as daemon:
        control = Control(daemon)
        open_sessions(control, "profile", range(SESSIONS))
        run = exchange(daemon.events, daemon.updates, daemon.process.pid, count, 0)
        after = stats(control)
        assert after["events_applied"] == count, f"not all were applied: {after}"
        return run


def through_forwarder(count: int, body: int) -> Run:
    with Peer("forward", 1) as forwarder:
        ends = forwarder.line(0)
        return exchange(ends["events"], ends["updates"], forwarder.process.pid, count, body)


def measure(seconds: float, rounds: int, say) -> Result:
    count, done = int(PER_SECOND * seconds), []
    for number in range(rounds):
        ours = through_daemon(count)
        theirs = through_forwarder(count, ours.body)
        done.append((ours, theirs))
        say(f"round {number + 1}: " + ", ".join(
            f"{TITLES[name]} {ours.us[name]:,.0f} and {theirs.us[name]:,.0f} µs "
            f"({ours.us[name] / theirs.us[name]:.2f})" for name in TARGETS)
            + f"; sent {ours.rate:,.0f} and {theirs.rate:,.0f} a second, p99.9 "
            f"{ours.late_us['p999']:,.0f} and {theirs.late_us['p999']:,.0f} µs late; "
            f"elsewhere {ours.elsewhere:.2f} and {theirs.elsewhere:.2f} cores")
    return Result(done)


# MARK: Report


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
        found += [
            (f"… gestured ÷ forwarder, {TITLES[name]}", spread(result.ratios(name), ".2f"),
             f"≤ {target}" if target else "", verdict(result.is_met(name)) if target else ""),
            (f"… the same from when the event was due, {TITLES[name]}",
             spread(result.due_ratios(name), ".2f"), "", "")]
    runs = [run for pair in result.rounds for run in pair]
    found.append((
        "… events a second that its publisher sent, all runs",
        spread([run.rate for run in runs], ",.0f"),
        f"{PER_SECOND:,} ± {RATE_TOLERANCE:.0%}, each", verdict(result.is_at_rate)))
    return found


def sections(report: Report) -> list[str]:
    if not (result := report.latency):
        return []

    def line(side: int) -> str:
        def middle(name: str, quantile: str) -> str:
            return format(statistics.median(
                getattr(pair[side], name)[quantile] for pair in result.rounds), ",.0f")

        return (
            f"{'forwarder' if side else 'gestured'}: from when it was due "
            + ", ".join(f"{TITLES[name]} {middle('due_us', name)} µs" for name in TARGETS)
            + f"; at most {middle('us', 'max')} µs from its sending; the publisher late "
            f"p50 {middle('late_us', 'p50')} µs, p99.9 {middle('late_us', 'p999')} µs")

    return [
        "## Latency",
        f"Scrolls of {SESSIONS:,} sessions of `profile` in turn, {PER_SECOND:,} a second at an "
        "even rate; from just before an event is given to its publisher's socket until its state "
        "is taken from the subscriber's. Publisher and subscriber are threads of one process with "
        "a context each, so that one clock times both. The forwarder is sent what the daemon "
        f"sends, bodies of {result.rounds[0][0].body} bytes, because it can only pass on what it "
        "gets; the daemon's events are short. The first half second does not count.",
        "A publisher that wakes late sends late what was due meanwhile, and a clock that starts "
        "with the sending does not see that wait; from when it was due, it does, with what the "
        "publisher's own waking takes. The publisher is the same for both; targets are held to "
        "what lies between, from the sending on, and only at the publisher's full rate.",
        bullets(line(side) for side in (0, 1))]


def columns(report: Report) -> dict[str, object]:
    row: dict[str, object] = {}
    for name in TARGETS:
        for side, place in (("", 0), ("_forwarder", 1)):
            row[f"latency_us_{name}{side}"] = report.latency and round(
                statistics.median(pair[place].us[name] for pair in report.latency.rounds), 1)
            row[f"latency_due_us_{name}{side}"] = report.latency and round(
                statistics.median(pair[place].due_us[name] for pair in report.latency.rounds), 1)
    return row
