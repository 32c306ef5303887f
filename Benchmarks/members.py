"""Measures several daemons on one PostgreSQL: publishes, events, kills, moves, and rest."""

from __future__ import annotations

import contextlib
import pathlib
import statistics
import time
import typing
from dataclasses import dataclass, field

import durable
import zmq
from cluster import NAMES, Cluster, absent
from cluster_clients import Load
from cluster_flight import moves, percentile, put_back, throw
from postgres import Postgres
from rig import HERE, REPOSITORY, TICKS, Control, Processor, open_sessions, stats
from text import bullets, spread, verdict

if typing.TYPE_CHECKING:
    from report import Report

# Sessions of each member.
SESSIONS = 200
# Events of each member in a batch, and seconds between batches: 4,000 events a second. Batches of
# one size keep the wake-ups an event the same, however many members share the cores.
BATCH, BATCH_INTERVAL = 20, 0.005
# Sessions that fly while members leave and join, and those that a kill interrupts.
FLYING, KILLED = 30, 24
# Seconds between two publishes of a view that flies: publishers as fast as they can would measure
# how threads wait for two cores.
FLYING_INTERVAL = 0.1
FLAT_MAX = 1.15
OWNED_MAX, ACKNOWLEDGED_MAX = 2.5, 3.0
PAUSE_MAX = 0.1
PHONES = f'scenes = "{REPOSITORY / "config" / "scenes"}"\n'
PROFILES = f'scenes = "{HERE / "scenes"}"\n'


@dataclass
class Result:
    # By number of unanswered publishes, then by store: publishes a second, round by round.
    publishes: dict[int, dict[str, list[durable.Answers]]] = field(default_factory=dict)
    # By number of members: microseconds of all daemons' processor time an event.
    costs: dict[int, list[float]] = field(default_factory=dict)
    owned: list[float] = field(default_factory=list)
    acknowledged: list[float] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    # Shares of a core, of three members at rest and of the database.
    idle: float = 0
    idle_database: float = 0

    @property
    def flatness(self) -> float:
        medians = [statistics.median(costs) for costs in self.costs.values()]
        return max(medians) / min(medians)


def measure(is_short: bool, say) -> Result | None:
    if why := absent():
        say(f"not measured: {why}")
        return None
    result = Result()
    rounds = 2 if is_short else 5
    with Postgres(fsync="on") as postgres:
        measure_publishes(result, postgres, 0.3 if is_short else 1.5, rounds, say)
    with Postgres() as postgres:
        measure_costs(result, postgres, 2 if is_short else 5, rounds, say)
        measure_rest(result, postgres, 5 if is_short else 20, say)
        measure_kills(result, postgres, 3 if is_short else 30, say)
        measure_moves(result, postgres, 2 if is_short else 10, say)
    return result


# MARK: Publishes


def measure_publishes(
    result: Result, postgres: Postgres, seconds: float, rounds: int, say,
) -> None:
    """One member on PostgreSQL and one daemon on its file, by turns, each with `fdatasync`."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(durable.folder())
        cluster = stack.enter_context(
            Cluster(postgres, names=("left",), config=f'{PHONES}auto_open = ""\n'))
        alone = stack.enter_context(durable.daemon(folder / "state"))
        sides = {"PostgreSQL": cluster.members["left"], "SQLite": alone}
        for daemon in sides.values():
            open_sessions(Control(daemon), "phone", range(durable.SESSIONS))
        for number in range(rounds):
            for window in durable.WINDOWS:
                found = result.publishes.setdefault(window, {side: [] for side in sides})
                for side, daemon in sides.items():
                    told = durable.run(
                        "publish", daemon.control, durable.SESSIONS, window, seconds)
                    found[side].append(durable.Answers.of(told))
                say(f"round {number + 1}, {window} unanswered: " + ", ".join(
                    f"{side} {found[side][-1].rate:,.0f}/s (p50 "
                    f"{found[side][-1].p50_us / 1_000:.2f} ms)" for side in sides))
        for side, daemon in sides.items():
            assert stats(Control(daemon))["store_commits_failed"] == 0, f"{side}: commits failed"


# MARK: Processor time


def measure_costs(result: Result, postgres: Postgres, seconds: float, rounds: int, say) -> None:
    """Scrolls at an even rate, as many a second to each member, by turns with each number."""
    with contextlib.ExitStack() as stack:
        clusters = [
            stack.enter_context(Cluster(postgres, NAMES[:count], f'{PROFILES}auto_open = ""\n'))
            for count in (1, 2, 3)]
        shares = [share(cluster) for cluster in clusters]
        for number in range(rounds):
            for cluster, owned in zip(clusters, shares):
                count, cost = len(owned), scroll(cluster, owned, seconds)
                result.costs.setdefault(count, []).append(cost)
                say(f"round {number + 1}: {count} members, {cost:.2f} µs an event")


def share(cluster: Cluster) -> dict[str, list[str]]:
    """Opens as many sessions at each member. Returns them by member."""
    owned: dict[str, list[str]] = {name: [] for name in cluster.members}
    number = 0
    while any(len(names) < SESSIONS for names in owned.values()):
        name, number = f"s{number:05}", number + 1
        at = cluster.locate(name)["name"]
        if len(owned[at]) < SESSIONS:
            owned[at].append(name)
            cluster.ok("open", name, scene="profile")
    return owned


def scroll(cluster: Cluster, owned: dict[str, list[str]], seconds: float) -> float:
    pids = [member.process.pid for member in cluster.members.values()]
    with contextlib.ExitStack() as stack:
        lines = []
        for name, member in cluster.members.items():
            socket = stack.enter_context(cluster.context.socket(zmq.XPUB))
            socket.connect(member.events)
            assert socket.poll(30_000), "the daemon does not subscribe"
            lines.append((socket, [f"gesture/{it}/profile".encode() for it in owned[name]]))
        before = sum(cluster.stats(it)["events_applied"] for it in cluster.members.values())
        used = sum(Processor.read(pid).whole for pid in pids)
        began, number = time.monotonic(), 0
        while (elapsed := time.monotonic() - began) < seconds:
            if elapsed < number // BATCH * BATCH_INTERVAL:
                time.sleep(0.0005)
                continue
            offset = number // SESSIONS % 90
            body = b'{"gesture":"scroll","phase":"changed","offset":%d.0}' % offset
            for socket, topics in lines:
                for place in range(number, number + BATCH):
                    socket.send_multipart([topics[place % SESSIONS], body])
            number += BATCH
        used = sum(Processor.read(pid).whole for pid in pids) - used
        after = sum(cluster.stats(it)["events_applied"] for it in cluster.members.values())
        assert after - before > 0.9 * number * len(lines), f"{after - before} of {number} applied"
        return used / (after - before) * 1e6


def measure_rest(result: Result, postgres: Postgres, seconds: float, say) -> None:
    with Cluster(postgres) as cluster:
        daemons = [member.process.pid for member in cluster.members.values()]

        def used() -> tuple[float, float]:
            return sum(map(seconds_of_tree, daemons)), seconds_of_tree(postgres.process.pid)
        before = used()
        time.sleep(seconds)
        result.idle, result.idle_database = (
            (b - a) / seconds for a, b in zip(before, used()))
        say(f"three members at rest: {result.idle:.2%} of a core, "
            f"PostgreSQL {result.idle_database:.2%}")


def seconds_of_tree(pid: int) -> float:
    """Processor time of a process and its children, also of those that have ended."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    total = sum(map(int, fields[11:15])) / TICKS
    for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        with contextlib.suppress(FileNotFoundError):
            total += seconds_of_tree(int(child))
    return total


# MARK: Kills and moves


def measure_kills(result: Result, postgres: Postgres, rounds: int, say) -> None:
    sessions = [f"killed-{number}" for number in range(KILLED)]
    with Cluster(postgres) as cluster, Load(cluster, sessions) as load:
        for number in range(rounds):
            load.until_more()
            victim = cluster.members[NAMES[number % 3]]
            moment = victim.kill()
            owned = cluster.wait_until_owned(set(NAMES) - {victim.name}) - moment
            result.owned.append(owned)
            result.acknowledged.append(load.acknowledged_after(moment))
            say(f"kill {number + 1}: owned after {owned:.2f} s, acknowledged after "
                f"{result.acknowledged[-1]:.2f} s")
            victim.again()
            cluster.wait_until_shared()
        load.finish()


def measure_moves(result: Result, postgres: Postgres, rounds: int, say) -> None:
    sessions = [f"flying-{number}" for number in range(FLYING)]
    with Cluster(postgres) as cluster:
        for session in sessions:
            throw(cluster, session)
        with Load(cluster, sessions, window=1, interval=FLYING_INTERVAL) as load:
            load.until_more(3)
            for number in range(rounds):
                for session in sessions:
                    put_back(cluster, session)
                load.keep_history()
                leaver = cluster.members[NAMES[number % 3]]
                leaver.stop()
                cluster.wait_until_shared()
                load.until_more(3)
                leaver.again()
                cluster.wait_until_shared()
                load.until_more(3)
                found = [move.pause for move in moves(load.history())]
                result.pauses += found
                say(f"{leaver.name} left and came: {len(found)} moves, the longest pause "
                    f"{max(found, default=0) * 1e3:.0f} ms")


# MARK: Report


def rows(report: Report) -> list[tuple[str, str, str, str]]:
    if not (result := report.members):
        return []
    found = []
    for window, sides in result.publishes.items():
        ratios = [
            ours.rate / theirs.rate for ours, theirs in zip(sides["PostgreSQL"], sides["SQLite"])]
        found += [
            (f"acknowledged publishes a second on PostgreSQL, {window} unanswered",
             spread([it.rate for it in sides["PostgreSQL"]], ",.0f"), "", ""),
            ("… ÷ the same on SQLite", spread(ratios, ".2f"), "", "")]
    found += [
        (f"µs of processor time an event, {count} members", spread(costs, ".2f"), "", "")
        for count, costs in result.costs.items()]
    p95 = percentile(result.pauses, 0.95)
    return [
        *found,
        ("… the most expensive ÷ the cheapest", f"{result.flatness:.2f}", f"≤ {FLAT_MAX}",
         verdict(result.flatness <= FLAT_MAX)),
        ("seconds from a kill until all is owned", spread(result.owned, ".2f"), f"≤ {OWNED_MAX}",
         verdict(max(result.owned) <= OWNED_MAX)),
        ("seconds from a kill until all sessions take acknowledged publishes",
         spread(result.acknowledged, ".2f"), f"≤ {ACKNOWLEDGED_MAX}",
         verdict(max(result.acknowledged) <= ACKNOWLEDGED_MAX)),
        ("ms that a planned move pauses a view in mid-air, 95th percentile",
         f"{p95 * 1e3:.0f} (p50 {statistics.median(result.pauses) * 1e3:.0f}, "
         f"most {max(result.pauses) * 1e3:.0f})", f"< {PAUSE_MAX * 1e3:.0f}",
         verdict(p95 < PAUSE_MAX)),
        ("a core's share while three members rest, and PostgreSQL's",
         f"{result.idle:.2%}, {result.idle_database:.2%}", "", "")]


def sections(report: Report) -> list[str]:
    if not report.members:
        return []
    return [
        "## Several members on one PostgreSQL",
        "Debian's PostgreSQL, members and clients on the same machine.",
        bullets((
            "Publishes: as in Acknowledged publishes, one member on PostgreSQL (`fsync = on`, "
            "`synchronous_commit = on`) and one daemon on its file, by turns.",
            f"Events: scrolls of {SESSIONS} sessions of `profile` for each member, {BATCH} each "
            f"{BATCH_INTERVAL * 1e3:.0f} ms, without subscribers; the processor time of all "
            "members together, by turns with one, two and three.",
            f"Kills: `kill -9` of one of three while {KILLED} sessions take acknowledged "
            "publishes; until each shard has another owner, and until each session has answered "
            "a publish that was sent later.",
            f"Moves: {FLYING} views fly, each with {1 / FLYING_INTERVAL:.0f} acknowledged publishes "
            "a second, while a member leaves and comes back; from the last update of the former "
            "owner to the first of the next, at one subscriber."))]


def columns(report: Report) -> dict[str, object]:
    result = report.members
    row: dict[str, object] = {
        f"postgres_publishes_{window}": result and round(
            statistics.median(it.rate for it in result.publishes[window]["PostgreSQL"]))
        for window in durable.WINDOWS}
    return row | {
        f"event_us_{count}_members": result and round(statistics.median(result.costs[count]), 3)
        for count in (1, 2, 3)} | {
        "owned_seconds": result and round(statistics.median(result.owned), 3),
        "acknowledged_seconds": result and round(statistics.median(result.acknowledged), 3),
        "move_pause_p95_ms": result and round(percentile(result.pauses, 0.95) * 1e3),
        "idle_members_share": result and round(result.idle, 5)}
