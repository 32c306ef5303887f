"""Measures profile scrolls through the daemon, and similar messages through a bare forwarder."""

from __future__ import annotations

import pathlib
import statistics
import tempfile
import time
from dataclasses import dataclass, field

from rig import (
    PATIENCE, Control, Peer, Processor, Profile, busy_seconds, open_sessions, start, stats)

# Consecutive events go to different sessions: the daemon sends one state for each in a batch.
SESSIONS = 2_000
# Messages in flight at most, so that none reaches a high-water mark (100,000).
WINDOW = 20_000
TARGET = 0.6


@dataclass
class Run:
    """One run of one side."""

    rate: float
    lost: int
    # Bytes of a body on arrival and on sending.
    body: float
    sent_body: int
    # Microseconds of processor time for a message, in the process between the peers.
    cost_us: float
    threads_us: dict[str, float]
    peers_us: tuple[float, float]
    # Cores that other processes kept busy meanwhile.
    elsewhere: float
    latency_us: dict[str, int] = field(default_factory=dict)
    profile: list[str] = field(default_factory=list)


def exchange(
        events: str, updates: str, pid: int, count: int, body: int, profiled: bool,
        sessions: int = SESSIONS, window: int = WINDOW, subscribers: int = 1) -> Run:
    """Sends through the daemon or forwarder, and counts the states at all subscribers."""
    # States for each credit: few extra messages, but enough that the publisher keeps its window.
    every = max(1, window // 40)
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        credit = f"ipc://{pathlib.Path(folder) / 'credit'}"
        with Peer(
                "subscribe", updates, credit, sessions, count, subscribers,
                every) as subscriber:
            subscriber.line(0)
            before = Processor.read(pid)
            profile = Profile(pid) if profiled else None
            with Peer("publish", events, credit, sessions, count, window, body, every) as publisher:
                busy, began = busy_seconds(), time.monotonic()
                received = subscriber.line(1, PATIENCE)
                busy, elapsed = busy_seconds() - busy, time.monotonic() - began
                used = Processor.read(pid).since(before)
                sent = publisher.line(1, 10)
    assert received["strange"] == 0, f"unexpected states: {received}"
    others = max(0.0, (busy - used["all"] - sent["cpu"] - received["cpu"]) / elapsed)
    micros = {kind: seconds / count * 1e6 for kind, seconds in used.items()}
    return Run(
        rate=received["received"] / received["seconds"],
        lost=sent["sent"] * subscribers - received["received"] + received["missed"],
        body=received["bytes"] / max(1, received["received"]), sent_body=sent["body"],
        cost_us=micros.pop("all"), threads_us=micros,
        elsewhere=others, peers_us=(sent["cpu"] / count * 1e6, received["cpu"] / count * 1e6),
        profile=profile.top() if profile else [])


def through_daemon(
        count: int, profiled: bool = False, subscribers: int = 1, window: int = WINDOW) -> Run:
    with start() as daemon:
        control = Control(daemon)
        open_sessions(control, "profile", range(SESSIONS))
        run = exchange(
            daemon.events, daemon.updates, daemon.process.pid, count, 0, profiled,
            subscribers=subscribers, window=window)
        after = stats(control)
        assert after["events_rejected"] == 0, f"events were rejected: {after}"
        assert after["events_applied"] == count, f"not all were applied: {after}"
        run.latency_us = {
            name: after[f"latency_us_{name}"] for name in ("p50", "p99", "max")}
        return run


def through_forwarder(
        count: int, body: int, subscribers: int = 1, window: int = WINDOW) -> Run:
    with Peer("forward", subscribers) as forwarder:
        ends = forwarder.line(0)
        return exchange(
            ends["events"], ends["updates"], forwarder.process.pid, count, body, False,
            subscribers=subscribers, window=window)


@dataclass
class Result:
    rounds: list[tuple[Run, Run]]
    profile: list[str]

    @property
    def ratios(self) -> list[float]:
        return [ours.rate / theirs.rate for ours, theirs in self.rounds]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def lost(self) -> int:
        return sum(ours.lost + theirs.lost for ours, theirs in self.rounds)

    @property
    def is_met(self) -> bool:
        return self.ratio >= TARGET and self.lost == 0


def measure(seconds: float, rounds: int, say) -> Result:
    first = through_daemon(100_000)
    body = round(first.body)
    count = max(100_000, int(first.rate * seconds))
    count_forwarded = max(100_000, int(through_forwarder(100_000, body).rate * seconds))
    done = []
    for number in range(rounds):
        ours, theirs = through_daemon(count), through_forwarder(count_forwarded, body)
        done.append((ours, theirs))
        say(f"round {number + 1}: gestured {ours.rate:,.0f}/s, forwarder {theirs.rate:,.0f}/s, "
            f"ratio {ours.rate / theirs.rate:.2f}, lost {ours.lost + theirs.lost}, "
            f"{ours.cost_us:.1f} and {theirs.cost_us:.1f} µs each, "
            f"elsewhere {ours.elsewhere:.2f} and {theirs.elsewhere:.2f} cores")
    return Result(done, through_daemon(count, profiled=True).profile)
