"""Measures a state's cost with many subscribers, through the daemon and a bare forwarder."""

from __future__ import annotations

import statistics
import typing
from dataclasses import dataclass

import throughput
from text import bullets, spread, verdict

if typing.TYPE_CHECKING:
    from report import Report

SUBSCRIBERS = (1, 10, 100)
# The least number of windows in a run: with fewer the publisher would never wait.
WINDOWS_MIN = 5


@dataclass
class Result:
    # By number of subscribers: (gestured, forwarder) for each round.
    rounds: dict[int, list[tuple[throughput.Run, throughput.Run]]]

    def rates(self, subscribers: int, side: int) -> list[float]:
        """Deliveries a second to all subscribers together."""
        return [pair[side].rate for pair in self.rounds[subscribers]]

    def ratios(self, subscribers: int) -> list[float]:
        return [ours.rate / theirs.rate for ours, theirs in self.rounds[subscribers]]

    def cost_ratios(self, subscribers: int) -> list[float]:
        """Ratios of processor time for an event with all its deliveries."""
        return [ours.cost_us / theirs.cost_us for ours, theirs in self.rounds[subscribers]]

    def lost(self, subscribers: int) -> int:
        return sum(run.lost for pair in self.rounds[subscribers] for run in pair)


def measure(deliveries: int, rounds: int, say) -> Result:
    done: dict[int, list[tuple[throughput.Run, throughput.Run]]] = {
        subscribers: [] for subscribers in SUBSCRIBERS}
    for number in range(rounds):
        for subscribers, pairs in done.items():
            count = max(5_000, deliveries // subscribers)
            window = min(throughput.WINDOW, count // WINDOWS_MIN)
            ours = throughput.through_daemon(count, subscribers=subscribers, window=window)
            theirs = throughput.through_forwarder(count, round(ours.body), subscribers, window)
            pairs.append((ours, theirs))
            say(f"round {number + 1}, {subscribers} subscribers: {ours.rate:,.0f} and "
                f"{theirs.rate:,.0f} deliveries/s, ratio {ours.rate / theirs.rate:.2f}, of "
                f"processor time {ours.cost_us / theirs.cost_us:.2f}, "
                f"lost {ours.lost + theirs.lost}")
    return Result(done)


# MARK: Report


def rows(report: Report) -> list[tuple[str, str, str, str]]:
    if not (result := report.fanout):
        return []
    found = []
    for subscribers in SUBSCRIBERS:
        lost = result.lost(subscribers)
        title = (
            f"deliveries a second to {subscribers} subscriber{'s' if subscribers > 1 else ''}")
        found += [
            (title, spread(result.rates(subscribers, 0), ",.0f"), "nothing lost",
             verdict(lost == 0) + (f", {lost} lost" if lost else "")),
            (f"{title}, bare forwarder", spread(result.rates(subscribers, 1), ",.0f"), "", ""),
            ("… gestured ÷ forwarder, round by round",
             spread(result.ratios(subscribers), ".2f"), "", ""),
            ("… the same of processor time an event, less is better",
             spread(result.cost_ratios(subscribers), ".2f"), "", "")]
    return found


def sections(report: Report) -> list[str]:
    if not (result := report.fanout):
        return []

    def cost(subscribers: int, side: int) -> float:
        return statistics.median(pair[side].cost_us for pair in result.rounds[subscribers])

    return [
        "## Fan-out",
        "As Throughput, with each state delivered to so many subscribers, which are sockets of "
        "one process and subscribe to all states; that process takes most of a core, so that with "
        "many subscribers the rates tell of it more than of either side, and processor time tells "
        f"more. At most {throughput.WINDOW:,} events on the way, and at most 1 in {WINDOWS_MIN} "
        "of all.",
        bullets(
            f"{subscribers}: {cost(subscribers, 0):.2f} µs of processor time an event with all "
            f"its deliveries, the forwarder {cost(subscribers, 1):.2f}"
            for subscribers in SUBSCRIBERS)]


def columns(report: Report) -> dict[str, object]:
    row: dict[str, object] = {}
    for subscribers in SUBSCRIBERS:
        for side, place in (("", 0), ("_forwarder", 1)):
            row[f"deliveries_{subscribers}{side}"] = report.fanout and round(
                statistics.median(report.fanout.rates(subscribers, place)))
    return row
