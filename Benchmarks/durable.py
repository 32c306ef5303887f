"""Measures acknowledged publishes, plain events, and starts with stored sessions."""

from __future__ import annotations

import contextlib
import json
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

import throughput
from client import Daemon
from rig import (
    BUILD, PATIENCE, REPOSITORY, Control, Elsewhere, Processor, Profile, open_sessions, stats,
    wait_for_rest)

BINARY = BUILD / "durable"
WINDOWS = (1, 8, 64)
SIDES = ("gestured", "lean", "append", "sqlite", "redis")
SESSIONS = 1_000
SQLITE_MIN = 0.5
REDIS_MIN = 1.0
LEAN_MIN = 0.8
COST_MIN = 0.9
KNOWN_SECONDS_MAX = 1.0
BACK_SECONDS_MAX = 3.0


@contextlib.contextmanager
def folder():
    """A folder on the build's disk: the system's temporary files may be in memory."""
    with tempfile.TemporaryDirectory(prefix="durable-", dir=BUILD) as path:
        yield pathlib.Path(path)


def daemon(
    state: pathlib.Path, durability: str = "full",
    scenes: pathlib.Path = REPOSITORY / "config" / "scenes",
) -> Daemon:
    """A daemon with the default configuration, on a state folder that remains."""
    result = Daemon(
        f'scenes = "{scenes}"\nauto_open = ""\n[store]\ndurability = "{durability}"\n')
    result.arguments[result.arguments.index("--state-dir") + 1] = str(state)
    return result


def run(*words: object) -> dict:
    """Runs one mode of durable.cpp in its own process, and returns its line."""
    said = subprocess.run(
        [str(BINARY), *map(str, words)], stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
    assert said.returncode == 0, f"durable {words} ended with {said.returncode}"
    return json.loads(said.stdout)


def make_sessions(state: pathlib.Path, count: int) -> None:
    """Stores sessions of the scene `phone` in a state folder."""
    with daemon(state) as opened:
        open_sessions(Control(opened), "phone", range(count))
        assert opened.stop(signal.SIGTERM, PATIENCE) == 0


# MARK: Acknowledged publishes


@dataclass
class Answers:
    """One side's result with one number of unanswered publishes."""

    rate: float
    p50_us: float
    p99_us: float
    max_us: float
    # For the daemon alone: publishes in a commit, and microseconds of processor time for a publish.
    together: float = 0
    cost_us: float = 0

    @classmethod
    def of(cls, told: dict) -> Answers:
        assert told["count"] > 0, f"no publish was answered: {told}"
        return cls(
            told["count"] / told["seconds"], told["p50_us"], told["p99_us"], told["max_us"])


@dataclass
class Publishes:
    # By number of unanswered publishes, then by side: a value for each round.
    rounds: dict[int, dict[str, list[Answers]]]
    profile: list[str] = field(default_factory=list)

    def ratios(
        self, window: int, other: str, other_window: int | None = None, side: str = "gestured",
    ) -> list[float]:
        """Ratios by round to another side, with the same or another number unanswered."""
        theirs = self.rounds[other_window or window][other]
        return [a.rate / b.rate for a, b in zip(self.rounds[window][side], theirs)]


class Lean:
    """A server that only writes and answers: a mode of durable.cpp."""

    def __init__(self, mode: str, file: pathlib.Path):
        self.endpoint = f"tcp://127.0.0.1:{free_port()}"
        self.process = subprocess.Popen(
            [str(BINARY), mode, self.endpoint, str(file)], stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Lean:
        assert self.process.stdout.readline() == "ready\n", "the lean server does not start"
        return self

    def __exit__(self, error: object, *_: object) -> None:
        status = self.process.poll()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        assert error or status is None, f"the lean server ended with {status}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Redis:
    """Our own redis-server on a free port. It answers after it has written to the disk."""

    def __init__(self, path: pathlib.Path):
        self.port = free_port()
        path.mkdir()
        # Writes only its log: snapshots and rewriting would slow it down.
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(path),
             "--appendonly", "yes", "--appendfsync", "always", "--save", "",
             "--auto-aof-rewrite-percentage", "0"],
            stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)

    def __enter__(self) -> Redis:
        end = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return self
            except OSError:
                assert self.process.poll() is None and time.monotonic() < end, "no redis-server"
                time.sleep(0.02)

    def __exit__(self, error: object, *_: object) -> None:
        status = self.process.poll()
        self.process.kill()
        self.process.wait()
        assert error or status is None, f"redis-server ended with {status}"


def publishes(seconds: float, rounds: int, say) -> Publishes:
    found = {window: {side: [] for side in SIDES} for window in WINDOWS}
    with folder() as base:
        make_sessions(base / "made", SESSIONS)
        for number in range(rounds):
            for window in WINDOWS:
                with folder() as here:
                    # Each round begins with another side, so no side gains from its turn.
                    for turn in range(len(SIDES)):
                        side = SIDES[(turn + number) % len(SIDES)]
                        found[window][side].append(
                            publish(side, base / "made", here, window, seconds))
                last = {side: found[window][side][-1] for side in SIDES}
                say(f"round {number + 1}, {window} unanswered: " + ", ".join(
                    f"{side} {it.rate:,.0f}/s (p50 {it.p50_us / 1_000:.2f} ms)"
                    for side, it in last.items()) + f", {last['gestured'].together:.1f} a commit, "
                    f"{last['gestured'].cost_us:.0f} µs each")
        with folder() as here:
            shutil.copytree(base / "made", here / "gestured")
            with daemon(here / "gestured") as served:
                sampled = Profile(served.process.pid)
                run("publish", served.control, SESSIONS, WINDOWS[-1], seconds)
                return Publishes(found, sampled.top())


def publish(
    side: str, made: pathlib.Path, here: pathlib.Path, window: int, seconds: float
) -> Answers:
    """Measures one side on its own copy of the sessions."""
    shutil.copytree(made, here / side)
    file = here / side / "gestured.db"
    if side == "sqlite":
        return Answers.of(run("sqlite", file, window, seconds))
    if side in ("lean", "append"):
        with Lean(side, file) as server:
            return Answers.of(run("publish", server.endpoint, SESSIONS, window, seconds))
    if side == "redis":
        with Redis(here / side / "redis") as server:
            return Answers.of(run("redis", server.port, file, window, seconds))
    with daemon(here / side) as served:
        control, pid = Control(served), served.process.pid
        # Brings all sessions into memory, where the other sides have theirs.
        run("touch", served.control, SESSIONS, 500)
        before, used = stats(control), Processor.read(pid)
        told = run("publish", served.control, SESSIONS, window, seconds)
        used, after = Processor.read(pid).since(used), stats(control)
        result = Answers.of(told)
        result.together = told["count"] / (after["store_commits"] - before["store_commits"])
        result.cost_us = used["all"] / told["count"] * 1e6
        assert after["store_commits_failed"] == 0, f"commits failed: {after}"
        return result


# MARK: Plain events


@dataclass
class Tally:
    """One daemon's work in its turns of one round."""

    events: int = 0
    seconds: float = 0
    used: float = 0

    @property
    def rate(self) -> float:
        return self.events / self.seconds

    @property
    def cost_us(self) -> float:
        """Microseconds of the daemon's processor time for each event."""
        return self.used / self.events * 1e6


@dataclass
class Cost:
    """The work with and without the store, by round."""

    full: list[Tally] = field(default_factory=list)
    off: list[Tally] = field(default_factory=list)

    @property
    def ratios(self) -> list[float]:
        return [full.rate / off.rate for full, off in zip(self.full, self.off)]

    @property
    def is_met(self) -> bool:
        return statistics.median(self.ratios) >= COST_MIN


# This order gives neither side an advantage, and spreads disturbances over both.
TURNS = ("off", "full", "full", "off", "off", "full", "full", "off")


def costs(seconds: float, rounds: int, say) -> dict[str, Cost]:
    """Measures gesture samples and notifications without an id. All change durable state."""
    scenes = pathlib.Path(__file__).parent / "scenes"
    found = {}
    for kind, scene, measured in (
            ("samples", "profile", samples), ("notifications", "tips", notifications)):
        found[kind] = Cost()
        with folder() as here, contextlib.ExitStack() as running:
            daemons = {
                durability: running.enter_context(
                    daemon(here / durability, durability, scenes))
                for durability in ("full", "off")}
            for served in daemons.values():
                control = Control(served)
                open_sessions(control, scene, range(throughput.SESSIONS))
                wait_for_rest(control)
            for number in range(rounds):
                tallies = {"full": Tally(), "off": Tally()}
                for durability in TURNS:
                    measured(daemons[durability], seconds, tallies[durability])
                found[kind].full.append(tallies["full"])
                found[kind].off.append(tallies["off"])
                full, off = tallies["full"], tallies["off"]
                say(f"round {number + 1}, {kind}: {full.rate:,.0f}/s of {off.rate:,.0f}/s "
                    f"({full.rate / off.rate:.2f}), {full.cost_us:.2f} and {off.cost_us:.2f} µs "
                    "of processor time each")
    return found


def samples(served: Daemon, seconds: float, tally: Tally) -> None:
    count = int(seconds * 150_000)
    run = throughput.exchange(
        served.events, served.updates, served.process.pid, count, 0, False)
    assert run.lost == 0, f"{run.lost} states were lost"
    tally.events += count
    tally.seconds += count / run.rate
    tally.used += count * run.cost_us / 1e6


def notifications(served: Daemon, seconds: float, tally: Tally) -> None:
    used = Processor.read(served.process.pid)
    told = run(
        "notify", served.events, served.updates, throughput.SESSIONS, seconds, throughput.WINDOW)
    tally.events += told["count"]
    tally.seconds += told["seconds"]
    tally.used += Processor.read(served.process.pid).since(used)["all"]


# MARK: Start


@dataclass
class Start:
    """One start with stored sessions, in seconds since the process began."""

    sessions: int
    # The time of a start without stored sessions, just before.
    ready_empty: float
    ready: float
    known: float
    back: float
    # Seconds of the daemon's processor time, and cores that other processes kept busy.
    used: float
    elsewhere: float

    def __str__(self) -> str:
        return (
            f"nothing kept: ready after {self.ready_empty:.2f} s; "
            f"{self.sessions:,} kept: ready after {self.ready:.2f} s, all listed after "
            f"{self.known:.2f} s, all back after {self.back:.2f} s, {self.used:.2f} s of processor "
            f"time, elsewhere {self.elsewhere:.2f} cores")


def is_known_in_time(found: list[Start]) -> bool:
    return statistics.median(it.known for it in found) <= KNOWN_SECONDS_MAX


def are_back_in_time(found: list[Start]) -> bool:
    return statistics.median(it.back for it in found) <= BACK_SECONDS_MAX


def starts(sessions: int, rounds: int, say) -> list[Start]:
    found = []
    with folder() as base:
        make_sessions(base / "made", sessions)
        for _ in range(rounds):
            with folder() as here:
                shutil.copytree(base / "made", here / "state")
                began = time.monotonic()
                with daemon(here / "empty"):
                    empty = time.monotonic() - began
                found.append(start(here / "state", sessions, empty))
            say(str(found[-1]))
    return found


def start(state: pathlib.Path, sessions: int, ready_empty: float) -> Start:
    began = time.monotonic()
    with daemon(state) as served:
        ready = time.monotonic() - began
        pid = served.process.pid
        others = Elsewhere(pid)
        control, known, after = Control(served), 0, ""
        while after is not None:
            page = control.reply(
                control.send("sessions", limit=1_000, **({"after": after} if after else {})))
            known, after = known + len(page["sessions"]), page["next"]
        assert known == sessions, f"{known} of {sessions} are known"
        listed = time.monotonic() - began
        run("touch", served.control, sessions, 4_000)
        back = time.monotonic() - began
        used, elsewhere = Processor.read(pid).whole, others.cores()
        now = stats(control)
        assert now["sessions"] == now["sessions_restored"] == sessions, f"not all back: {now}"
        return Start(sessions, ready_empty, ready, listed, back, used, elsewhere)
