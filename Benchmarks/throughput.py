"""Measures profile scrolls through the daemon, and similar messages through a bare forwarder."""

from __future__ import annotations

import pathlib
import statistics
import tempfile
import time
from dataclasses import dataclass, field

from rig import (
    PATIENCE, Control, Peer, Processor, Profile, busy_seconds, encrypted, open_sessions,
    peer_keys, start, stats)

# Consecutive events go to different sessions: the daemon sends one state for each in a batch.
SESSIONS = 2_000
# Messages in flight at most, so that none reaches a high-water mark (100,000).
WINDOW = 20_000
TARGET = 0.85
# The ratio to the forwarder where both speak CURVE, by the ratio where neither does.
CURVE_TARGET = 0.8


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
        sessions: int = SESSIONS, window: int = WINDOW, subscribers: int = 1,
        keys: str = "") -> Run:
    """Sends through the daemon or forwarder, and counts the states at all subscribers."""
    # States for each credit: few extra messages, but enough that the publisher keeps its window.
    every = max(1, window // 40)
    with tempfile.TemporaryDirectory(prefix="gestured-") as folder:
        credit = f"ipc://{pathlib.Path(folder) / 'credit'}"
        with Peer(
                "subscribe", updates, credit, sessions, count, subscribers,
                every, keys=keys) as subscriber:
            subscriber.line(0)
            before = Processor.read(pid)
            profile = Profile(pid) if profiled else None
            with Peer(
                    "publish", events, credit, sessions, count, window, body, every,
                    keys=keys) as publisher:
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
        count: int, profiled: bool = False, subscribers: int = 1, window: int = WINDOW,
        curve: bool = False) -> Run:
    with encrypted() if curve else start() as daemon:
        control = Control(daemon)
        open_sessions(control, "profile", range(SESSIONS))
        run = exchange(
            daemon.events, daemon.updates, daemon.process.pid, count, 0, profiled,
            subscribers=subscribers, window=window, keys=peer_keys(daemon) if curve else "")
        after = stats(control)
        assert after["events_rejected"] == 0, f"events were rejected: {after}"
        assert after["events_applied"] == count, f"not all were applied: {after}"
        run.latency_us = {
            name: after[f"latency_us_{name}"] for name in ("p50", "p99", "max")}
        return run


def through_forwarder(
        count: int, body: int, subscribers: int = 1, window: int = WINDOW,
        curve: bool = False) -> Run:
    keys = peer_keys() if curve else ""
    with Peer("forward", subscribers, keys=keys) as forwarder:
        ends = forwarder.line(0)
        return exchange(
            ends["events"], ends["updates"], forwarder.process.pid, count, body, False,
            subscribers=subscribers, window=window, keys=keys)


@dataclass
class Result:
    # The daemon and the forwarder, each without CURVE and with it, by turns.
    rounds: list[tuple[Run, Run]]
    encrypted: list[tuple[Run, Run]]
    profile: list[str]

    @staticmethod
    def _ratios(rounds: list[tuple[Run, Run]]) -> list[float]:
        return [ours.rate / theirs.rate for ours, theirs in rounds]

    @property
    def ratios(self) -> list[float]:
        return self._ratios(self.rounds)

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def curve_ratios(self) -> list[float]:
        """The ratio with CURVE by the ratio without it."""
        return [
            curve / plain for plain, curve in zip(self.ratios, self._ratios(self.encrypted))]

    @property
    def curve_ratio(self) -> float:
        return statistics.median(self.curve_ratios)

    @property
    def lost(self) -> int:
        return sum(ours.lost + theirs.lost for ours, theirs in self.rounds + self.encrypted)

    @property
    def is_met(self) -> bool:
        return self.ratio >= TARGET and self.lost == 0

    @property
    def is_curve_met(self) -> bool:
        return self.curve_ratio >= CURVE_TARGET and self.lost == 0


def told(ours: Run, theirs: Run) -> str:
    return (
        f"gestured {ours.rate:,.0f}/s, forwarder {theirs.rate:,.0f}/s, "
        f"ratio {ours.rate / theirs.rate:.2f}, lost {ours.lost + theirs.lost}, "
        f"{ours.cost_us:.1f} and {theirs.cost_us:.1f} µs each, "
        f"elsewhere {ours.elsewhere:.2f} and {theirs.elsewhere:.2f} cores")


def measure(seconds: float, rounds: int, say) -> Result:
    first = through_daemon(100_000)
    body = round(first.body)

    def enough(rate: float) -> int:
        return max(100_000, int(rate * seconds))

    count, count_forwarded = enough(first.rate), enough(through_forwarder(100_000, body).rate)
    curve_rate = through_forwarder(30_000, body, curve=True).rate
    count_encrypted = max(30_000, int(curve_rate * seconds))
    plain, secured = [], []
    for number in range(rounds):
        plain.append((through_daemon(count), through_forwarder(count_forwarded, body)))
        say(f"round {number + 1}: {told(*plain[-1])}")
        secured.append((
            through_daemon(count_encrypted, curve=True),
            through_forwarder(count_encrypted, body, curve=True)))
        say(f"round {number + 1}, CURVE: {told(*secured[-1])}")
    return Result(plain, secured, through_daemon(count, profiled=True).profile)
