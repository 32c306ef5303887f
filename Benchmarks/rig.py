"""Shared by all figures: the release daemon, lean peers, the kernel's counts of a process."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
import typing
from collections import Counter, defaultdict
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent
BUILD = REPOSITORY / ".build" / "bench"
PEER = BUILD / "peer"
# GESTURED_BIN=… bench.py measures another build, for comparison.
BINARY = pathlib.Path(
    os.environ.get("GESTURED_BIN", REPOSITORY / ".build" / "release" / "gestured")).resolve()
# Seconds to wait for a peer's end.
PATIENCE = 120.0

# The tests' client of the contract starts the daemon on free ports, in its own folder.
os.environ["GESTURED_BIN"] = str(BINARY)
sys.path.insert(0, str(REPOSITORY / "Tests" / "EndToEnd"))
from client import Control, Daemon  # noqa: E402
from curve_daemon import CurveDaemon, Keys  # noqa: E402


def configuration(
    scenes: pathlib.Path = HERE / "scenes", durability: str = "full", lanes: int = 0
) -> str:
    """The default, except scenes, lanes and durability."""
    return (
        f'scenes = "{scenes}"\nauto_open = ""\nlanes = {lanes}\n'
        f'[store]\ndurability = "{durability}"\n')


def start(
    scenes: pathlib.Path = HERE / "scenes", durability: str = "full", lanes: int = 0
) -> Daemon:
    return Daemon(configuration(scenes, durability, lanes))


def encrypted() -> CurveDaemon:
    """The same daemon, whose endpoints speak CURVE."""
    return CurveDaemon(configuration())


def peer_keys(daemon: CurveDaemon | None = None) -> str:
    """PEER_KEYS of peer.cpp, for a daemon or for a forwarder with keys of its own."""
    server, client = (daemon.server, daemon.clients["tests"]) if daemon else (Keys(), Keys())
    return b" ".join((server.public, server.secret, client.public, client.secret)).decode()


@contextlib.contextmanager
def launched(*lines: str) -> typing.Iterator[Daemon]:
    """A daemon started by a script of these lines, with two lanes on every machine."""
    with tempfile.TemporaryDirectory(prefix="gestured-launched-") as folder:
        script = pathlib.Path(folder) / "gestured"
        script.write_text("\n".join(
            ["#!/bin/bash", "export SWIFT_DETERMINISTIC_HASHING=1", *lines, ""]))
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        before = os.environ["GESTURED_BIN"]
        os.environ["GESTURED_BIN"] = str(script)
        try:
            with start(durability="off", lanes=2) as daemon:
                yield daemon
        finally:
            os.environ["GESTURED_BIN"] = before


def open_sessions(control: Control, scene: str, numbers: range, per_second: float = 0) -> None:
    """Opens s00000, s00001 …, with 1,000 requests in flight at most, at this rate if given."""
    began, waiting = time.monotonic(), []
    for index, number in enumerate(numbers):
        waiting.append(control.send("open", session=f"s{number:05}", scene=scene))
        if per_second and index % 20 == 19:
            time.sleep(max(0.0, began + index / per_second - time.monotonic()))
        if len(waiting) >= 1_000:
            settle(control, waiting)
    settle(control, waiting)


def settle(control: Control, waiting: list[int]) -> None:
    for number in waiting:
        answer = control.reply(number, PATIENCE)
        assert answer["ok"], f"not opened: {answer}"
    waiting.clear()


def stats(control: Control) -> dict[str, int]:
    return control.reply(control.send("stats"), PATIENCE)["stats"]


def wait_for_rest(control: Control, deadline: float = PATIENCE) -> float:
    """Waits until nothing moves and no state waits to be sent. Returns the seconds."""
    began = time.monotonic()
    while time.monotonic() - began < deadline:
        now = stats(control)
        if now["sessions_moving"] == 0 and now["outbox_bytes"] == 0:
            return time.monotonic() - began
        time.sleep(0.1)
    raise AssertionError(f"not at rest after {deadline} s: {now}")


# MARK: Peers


class Peer:
    """One mode of peer.cpp in its own process. Keeps the printed lines."""

    def __init__(self, mode: str, *arguments: object, keys: str = ""):
        self.process = subprocess.Popen(
            [str(PEER), mode, *map(str, arguments)], stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL, text=True,
            env=os.environ | ({"PEER_KEYS": keys} if keys else {}))
        self.lines: list[dict] = []
        self.has_ended = False
        self.changed = threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(json.loads(line))
                self.changed.notify_all()
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def line(self, number: int, deadline: float = 30.0) -> dict:
        """Waits for the line with this number, from 0."""
        with self.changed:
            self.changed.wait_for(
                lambda: len(self.lines) > number or self.has_ended, deadline)
            assert len(self.lines) > number, (
                f"{self.process.args} printed {len(self.lines)} lines "
                + ("and ended" if self.has_ended else f"in {deadline} s"))
            return self.lines[number]

    def last(self) -> dict:
        with self.changed:
            return self.lines[-1]

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        status = self.process.poll()
        if status is None:
            self.process.kill()
        self.process.wait()
        # A failed process has no valid figures.
        assert error or not status, f"{self.process.args} ended with {status}"


# MARK: Processes

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Processor:
    """Seconds of processor time of a process, by kind of thread.

    Taken in nanoseconds from the scheduler: a tick of the clock is as much as a thousand events.
    """

    KINDS: typing.ClassVar = ("reactor", "lanes", "zmq", "store")

    threads: dict[int, tuple[str, float]] = field(default_factory=dict)
    whole: float = 0.0

    @classmethod
    def read(cls, pid: int) -> Processor:
        # The clock of all threads of another process, also of those that have ended: see
        # clock_getcpuclockid(3).
        result = cls(whole=time.clock_gettime(~pid << 3 | 2))
        for folder in pathlib.Path(f"/proc/{pid}/task").iterdir():
            try:
                name = (folder / "comm").read_text().rstrip("\n")
                used = int((folder / "schedstat").read_text().split()[0]) / 1e9
            except OSError:  # The thread has ended.
                continue
            result.threads[int(folder.name)] = (cls.kind(pid, int(folder.name), name), used)
        return result

    @staticmethod
    def kind(pid: int, thread: int, name: str) -> str:
        """The kind of a thread. Lanes run on Dispatch's threads, which have no names of ours."""
        if thread == pid:
            return "reactor"
        named = {"ZMQbg": "zmq", "gestured.store": "store"}
        return next((kind for start, kind in named.items() if name.startswith(start)), "lanes")

    def since(self, before: Processor) -> dict[str, float]:
        """Seconds used between two readings, in all and by kind of thread."""
        used = {"all": self.whole - before.whole} | dict.fromkeys(self.KINDS, 0.0)
        for thread, (kind, seconds) in self.threads.items():
            used[kind] += seconds - before.threads.get(thread, (kind, 0.0))[1]
        return used


def busy_seconds() -> float:
    """Seconds that the machine's processors were busy, stolen time included."""
    fields = pathlib.Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    idle, waiting = int(fields[3]), int(fields[4])
    return (sum(map(int, fields)) - idle - waiting) / TICKS


class Elsewhere:
    """Cores busy with other processes, which disturbed the measurement.

    Our processes are this one, the named ones, and children of this one that have ended.
    """

    def __init__(self, *pids: int):
        self.pids, self.began = (os.getpid(), *pids), time.monotonic()
        self.busy, self.ours = busy_seconds(), self._ours()

    def _ours(self) -> float:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        running = sum(Processor.read(pid).whole for pid in self.pids)
        return running + ended.ru_utime + ended.ru_stime

    def cores(self) -> float:
        used = busy_seconds() - self.busy - (self._ours() - self.ours)
        return max(0.0, used / (time.monotonic() - self.began))


def resident_bytes(pid: int) -> int:
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


# MARK: Profiles


class Profile:
    """Samples a process. Without perf, the result says so."""

    def __init__(self, pid: int, count: int = 10):
        self.pid, self.count = pid, count
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gestured-perf-"))
        self.data = self.folder / "data"
        self.process = None
        if shutil.which("perf"):
            self.process = subprocess.Popen(
                ["perf", "record", "-q", "-F", "999", "-p", str(pid), "-o", str(self.data)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def top(self) -> list[str]:
        """Stops, and lists each kind of thread with its share and its hottest functions."""
        try:
            if self.process is None:
                return ["perf is not installed: no profile"]
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
            report = subprocess.run(
                ["perf", "report", "-i", str(self.data), "--stdio", "--no-children", "-q",
                 "--sort", "pid,symbol", "--percent-limit", "0.01"],
                capture_output=True, text=True, timeout=120)
            return self._read(report.stdout) or ["perf has no samples: not permitted here?"]
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    LINE = re.compile(r"^\s*([\d.]+)%\s+(\d+):?\s*(\S*)\s+\[(.)\]\s+(.*?)\s*(?:-\s+-)?\s*$")

    def _read(self, text: str) -> list[str]:
        kinds: dict[str, Counter] = defaultdict(Counter)
        for share, thread, name, space, symbol in map(
                re.Match.groups, filter(None, map(self.LINE.match, text.splitlines()))):
            kind = Processor.kind(self.pid, int(thread), name)
            kinds[kind][symbol if space == "." else f"[kernel] {symbol}"] += float(share)
        lines = []
        for kind, symbols in sorted(kinds.items(), key=lambda entry: -entry[1].total()):
            lines.append(f"{symbols.total():5.1f} %  {kind}, of all samples; of these:")
            lines += [
                f"   {share:5.1f} %  {symbol}" for symbol, share in symbols.most_common(self.count)]
        if shutil.which("swift"):
            readable = subprocess.run(
                ["swift", "demangle", "--simplified"], input="\n".join(lines),
                capture_output=True, text=True, timeout=60).stdout.splitlines()
            lines = readable or lines
        return [line.rstrip()[:120] for line in lines]


def cores() -> int:
    return len(os.sched_getaffinity(0))


# MARK: The measured build


def commit() -> str:
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=REPOSITORY, capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def binary() -> str:
    """The beginning of the daemon's digest. One commit can have several builds."""
    return hashlib.sha256(BINARY.read_bytes()).hexdigest()[:12]
