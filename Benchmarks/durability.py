"""Prints the cost of durability on the page and in the line of results.csv."""

from __future__ import annotations

import statistics
import typing

import durable
import throughput
from text import bullets, profile, spread, verdict

if typing.TYPE_CHECKING:
    from report import Report

KINDS = {
    "samples": "gesture samples", "notifications": "notifications that nobody waits for"}


def rows(report: Report) -> list[tuple[str, str, str, str]]:
    """Rows of the table at the head of the page."""
    found = []
    for window, sides in (report.publishes.rounds if report.publishes else {}).items():
        found.append((
            f"acknowledged publishes a second, {window} unanswered",
            spread([it.rate for it in sides["gestured"]], ",.0f"), "", ""))
        # The yardstick's name, its side, its window, and the least ratio to it.
        for name, other, theirs, least in (
                ("bare SQLite, a transaction each", "sqlite", 1, durable.SQLITE_MIN),
                (f"bare SQLite, {window} to a transaction", "sqlite", window, None),
                ("redis", "redis", window, durable.REDIS_MIN),
                ("a lean server before SQLite", "lean", window, durable.LEAN_MIN)):
            ratios = report.publishes.ratios(window, other, theirs)
            rates = [it.rate for it in report.publishes.rounds[theirs][other]]
            found.append((
                f"… ÷ {name}: {spread(rates, ',.0f')}", spread(ratios, ".2f"),
                f"≥ {least}" if least else "",
                verdict(statistics.median(ratios) >= least) if least else ""))
        # The share of redis that the least possible work reaches.
        for name, side in (
                ("a server that only appends to a file", "append"),
                (f"bare SQLite, {window} to a transaction,", "sqlite")):
            ratios = report.publishes.ratios(window, "redis", side=side)
            found.append((
                f"for comparison: {name} ÷ redis, {window} unanswered", spread(ratios, ".2f"),
                "", ""))
    for kind, cost in report.costs.items():
        found.append((
            f"{KINDS[kind]} a second, store `full` ÷ `off`", spread(cost.ratios, ".2f"),
            f"≥ {durable.COST_MIN}", verdict(cost.is_met)))
    if starts := report.starts:
        sessions = f"{starts[0].sessions:,} kept sessions"
        for title, name in (("nothing kept", "ready_empty"), (sessions, "ready")):
            found.append((
                f"seconds from the start until it is ready, {title}",
                spread([getattr(it, name) for it in starts], ".2f"), "", ""))
        found.append((
            f"seconds from the start until {sessions} are listed",
            spread([it.known for it in starts], ".2f"), f"≤ {durable.KNOWN_SECONDS_MAX:.0f}",
            verdict(durable.is_known_in_time(starts))))
        found.append((
            f"seconds from the start until {sessions} are back",
            spread([it.back for it in starts], ".2f"), f"≤ {durable.BACK_SECONDS_MAX:.0f}",
            verdict(durable.are_back_in_time(starts))))
    return found


def sections(report: Report) -> list[str]:
    parts = []
    if report.publishes:
        parts += _publishes(report.publishes)
    if report.costs:
        parts += _costs(report.costs)
    if report.starts:
        parts += [
            "## Start with what is kept",
            "Sessions of the scene `phone`, left by a daemon that ended in order. From the "
            "process's beginning: until `sessions` has listed all of them, page by page; until "
            "each was opened once, which brings it back. The state is copied just before each "
            "start, so that the system still has it in memory: what a disk takes to read it comes "
            "on top after a start of the machine.", bullets(map(str, report.starts))]
    return parts


def _publishes(result: durable.Publishes) -> list[str]:
    def line(window: int, side: str) -> str:
        found = result.rounds[window][side]

        def middle(name: str) -> float:
            return statistics.median(getattr(it, name) for it in found)

        more = (
            f", {middle('together'):.1f} publishes a commit, {middle('cost_us'):.0f} µs of "
            "processor time each" if side == "gestured" else "")
        return (
            f"{window} unanswered, {side}: {spread([it.rate for it in found], ',.0f')} a second, "
            f"p50 {middle('p50_us') / 1_000:.2f} ms, p99 {middle('p99_us') / 1_000:.2f} ms, "
            f"max {middle('max_us') / 1_000:.1f} ms{more}")

    return [
        "## Acknowledged publishes",
        f"Notifications with ids for {durable.SESSIONS:,} sessions of `phone` in turn, published "
        "over one DEALER with so many unanswered at a time; each is answered once it is on the "
        "disk (`durability = \"full\"`). Bare SQLite writes the same rows (the session's, with "
        "the bytes that the daemon keeps of it, and the mark of the id) into a copy of the same "
        "file with the same settings, in its own process and for nobody: with a transaction each, "
        "and with so many to a transaction, the best that any gathering could reach; its latency "
        "is a transaction's. The lean server is a ROUTER that writes those rows in its only "
        "thread, all that have come in one transaction, and answers: what ZeroMQ and SQLite leave "
        "to anybody. The appending one does the same with no database, by `write` and "
        "`fdatasync` of the same bytes: what ZeroMQ and the disk leave. Redis (`appendfsync "
        "always`, no snapshots) gets the same bytes as one `HSET` each, so many of them "
        "unanswered on one connection. In turns within a round, each on files of its own.",
        bullets(line(window, side) for window in durable.WINDOWS for side in durable.SIDES),
        *profile(result.profile)]


def _costs(costs: dict[str, durable.Cost]) -> list[str]:
    def line(kind: str, cost: durable.Cost) -> str:
        return (
            f"{KINDS[kind]}: `full` {spread([it.rate for it in cost.full], ',.0f')} a second, "
            f"`off` {spread([it.rate for it in cost.off], ',.0f')}; processor time "
            f"{spread([it.cost_us for it in cost.full], '.2f')} and "
            f"{spread([it.cost_us for it in cost.off], '.2f')} µs each")

    return [
        "## The price of the store for plain events",
        "Over the events socket, to a daemon with the store (`full`) and one without (`off`), in "
        f"{len(durable.TURNS)} turns within a round. Gesture samples: scrolls of "
        f"{throughput.SESSIONS:,} profiles, as in Throughput. Notifications: for "
        f"{throughput.SESSIONS:,} sessions of `tips` in turn, so that every one of them is "
        "written anew all the time: some thousand times as much as people cause.",
        bullets(line(kind, cost) for kind, cost in costs.items())]


def columns(report: Report) -> dict[str, object]:
    """Columns of the line in results.csv: medians."""
    row: dict[str, object] = {}
    for window in durable.WINDOWS:
        for side in durable.SIDES:
            row[f"{side}_publishes_{window}"] = report.publishes and round(
                statistics.median(it.rate for it in report.publishes.rounds[window][side]))
    for kind in KINDS:
        row[f"{kind}_full_of_off"] = kind in report.costs and round(
            statistics.median(report.costs[kind].ratios), 3) or None
    for name in ("ready_empty", "ready", "known", "back"):
        row[f"start_{name}_seconds"] = report.starts and round(
            statistics.median(getattr(it, name) for it in report.starts), 2) or None
    return row
