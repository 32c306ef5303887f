"""Measures one event's cost with a hundred to a hundred thousand open sessions."""

from __future__ import annotations

import contextlib
import statistics
import typing
from dataclasses import dataclass

import throughput
from rig import Control, open_sessions, resident_bytes, start, stats
from text import bullets, spread, verdict

if typing.TYPE_CHECKING:
    from report import Report

SESSIONS = (100, 1_000, 10_000, 100_000)
# Events in flight at most: below the smallest number of sessions, so that no session has two and
# all numbers of sessions see batches of the same size.
WINDOW = 64
# The highest cost may be this multiple of the lowest.
TARGET = 1.1


@dataclass
class Result:
    # Microseconds of the daemon's processor time for an event, by round.
    cost_us: dict[int, list[float]]
    # Resident bytes per open session, read once.
    bytes_each: dict[int, float]

    @property
    def spreads(self) -> list[float]:
        """The highest cost divided by the lowest, by round."""
        return [max(costs) / min(costs) for costs in zip(*self.cost_us.values())]

    @property
    def spread(self) -> float:
        """The ratio of the medians. The target judges this."""
        medians = [statistics.median(costs) for costs in self.cost_us.values()]
        return max(medians) / min(medians)

    @property
    def is_met(self) -> bool:
        return self.spread <= TARGET


def measure(most: int, count: int, rounds: int, say) -> Result:
    numbers = [sessions for sessions in SESSIONS if sessions <= most]
    costs: dict[int, list[float]] = {sessions: [] for sessions in numbers}
    each = {}
    with contextlib.ExitStack() as stack:
        daemons = {}
        for sessions in numbers:
            daemon = daemons[sessions] = stack.enter_context(start())
            control = Control(daemon)
            stats(control)
            before = resident_bytes(daemon.process.pid)
            open_sessions(control, "profile", range(sessions))
            each[sessions] = (resident_bytes(daemon.process.pid) - before) / sessions
        for number in range(rounds):
            for sessions, daemon in daemons.items():
                run = throughput.exchange(
                    daemon.events, daemon.updates, daemon.process.pid, count, 0, False,
                    sessions=sessions, window=WINDOW)
                assert run.lost == 0, f"{run.lost} lost"
                costs[sessions].append(run.cost_us)
            say(f"round {number + 1}: " + ", ".join(
                f"{sessions:,}: {costs[sessions][-1]:.2f} µs" for sessions in numbers))
    return Result(costs, each)


# MARK: Report


def rows(report: Report) -> list[tuple[str, str, str, str]]:
    if not (result := report.scale):
        return []
    found = [
        (f"µs of processor time an event with {sessions:,} sessions open", spread(costs, ".2f"),
         "", "") for sessions, costs in result.cost_us.items()]
    return [*found, (
        "… the most expensive ÷ the cheapest, of their medians (within single rounds)",
        f"{result.spread:.2f} ({min(result.spreads):.2f} … {max(result.spreads):.2f})",
        f"≤ {TARGET}", verdict(result.is_met))]


def sections(report: Report) -> list[str]:
    if not (result := report.scale):
        return []
    return [
        "## Cost by the number of sessions",
        f"Scrolls of so many sessions of `profile` in turn, at most {WINDOW} on the way, each "
        "answered by its state; a daemon for each number, all of them open all the time, measured "
        "in turns. Resident bytes beside it are one reading each, before the first event, and "
        "include what the daemon has for itself:",
        bullets(
            f"{sessions:,} open: {each:,.0f} bytes each"
            for sessions, each in result.bytes_each.items())]


def columns(report: Report) -> dict[str, object]:
    return {
        f"event_us_{sessions}": round(
            statistics.median(report.scale.cost_us[sessions]), 3)
        if report.scale and sessions in report.scale.cost_us else None for sessions in SESSIONS}
