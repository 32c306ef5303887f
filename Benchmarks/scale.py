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
    # The same of the fewest and the most sessions without a store.
    unstored_us: dict[int, list[float]]
    # Resident bytes per open session, read once.
    bytes_each: dict[int, float]

    @property
    def is_met(self) -> bool:
        return spread_of_medians(self.cost_us) <= TARGET


def spread_of_medians(costs: dict[int, list[float]]) -> float:
    """The highest median divided by the lowest. The target judges this."""
    medians = [statistics.median(of_one) for of_one in costs.values()]
    return max(medians) / min(medians)


def spreads(costs: dict[int, list[float]]) -> str:
    """The spread of the medians, and the least and the most within single rounds."""
    rounds = [max(of_one) / min(of_one) for of_one in zip(*costs.values())]
    return f"{spread_of_medians(costs):.2f} ({min(rounds):.2f} … {max(rounds):.2f})"


def measure(most: int, count: int, rounds: int, say) -> Result:
    numbers = [sessions for sessions in SESSIONS if sessions <= most]
    stored: dict[int, list[float]] = {sessions: [] for sessions in numbers}
    unstored: dict[int, list[float]] = {sessions: [] for sessions in (numbers[0], numbers[-1])}
    each = {}
    with contextlib.ExitStack() as stack:
        sides = []
        for durability, costs in (("full", stored), ("off", unstored)):
            for sessions in costs:
                daemon = stack.enter_context(start(durability=durability))
                control = Control(daemon)
                stats(control)
                before = resident_bytes(daemon.process.pid)
                open_sessions(control, "profile", range(sessions))
                if durability == "full":
                    each[sessions] = (resident_bytes(daemon.process.pid) - before) / sessions
                # A session's first scroll passes the title, and its row is written. The second
                # leaves it elsewhere than a round's first one, which would show nothing else.
                scrolls(daemon, sessions, 2 * sessions)
                sides.append((daemon, sessions, costs[sessions]))
        for number in range(rounds):
            for daemon, sessions, costs in sides:
                costs.append(scrolls(daemon, sessions, count))
            say(f"round {number + 1}: " + ", ".join(
                f"{sessions:,}: {costs[-1]:.2f} µs" for sessions, costs in stored.items())
                + "; nothing stored: " + ", ".join(
                    f"{sessions:,}: {costs[-1]:.2f} µs" for sessions, costs in unstored.items()))
    return Result(stored, unstored, each)


def scrolls(daemon, sessions: int, count: int) -> float:
    """Scrolls the sessions in turn; returns microseconds of processor time an event."""
    run = throughput.exchange(
        daemon.events, daemon.updates, daemon.process.pid, count, 0, False, sessions=sessions,
        window=WINDOW)
    assert run.lost == 0, f"{run.lost} lost"
    return run.cost_us


# MARK: Report


def rows(report: Report) -> list[tuple[str, str, str, str]]:
    if not (result := report.scale):
        return []
    found = [
        (f"µs of processor time an event with {sessions:,} sessions open", spread(costs, ".2f"),
         "", "") for sessions, costs in result.cost_us.items()]
    ratio = "the most expensive ÷ the cheapest, of their medians (within single rounds)"
    found.append((f"… {ratio}", spreads(result.cost_us), f"≤ {TARGET}", verdict(result.is_met)))
    found += [
        (f"µs of processor time an event with {sessions:,} sessions open, nothing stored",
         spread(costs, ".2f"), "", "") for sessions, costs in result.unstored_us.items()]
    return [*found, (f"… {ratio}, nothing stored", spreads(result.unstored_us), "", "")]


def sections(report: Report) -> list[str]:
    if not (result := report.scale):
        return []
    return [
        "## Cost by the number of sessions",
        f"Scrolls of so many sessions of `profile` in turn, at most {WINDOW} on the way, each "
        "answered by its state; a daemon for each number, all of them open all the time, measured "
        "in turns. Each session has had its first scroll before, which passes the title and is "
        "stored. Changes by later scrolls are stored within ten seconds: with many sessions that "
        "is many rows. So the store has a part in the difference, and daemons without it show the "
        "other one. "
        "Resident bytes beside it are one reading each, before the first event, and include what "
        "the daemon has for itself:",
        bullets(
            f"{sessions:,} open: {each:,.0f} bytes each"
            for sessions, each in result.bytes_each.items())]


def columns(report: Report) -> dict[str, object]:
    return {
        f"event_us_{sessions}": round(
            statistics.median(report.scale.cost_us[sessions]), 3)
        if report.scale and sessions in report.scale.cost_us else None for sessions in SESSIONS}
