"""Counts the daemon's allocations for an event with a preloaded counter, after its buffers grew.

Each load runs several times. The result is the run with the fewest allocations, less those of an
idle daemon in the same time (its heartbeat): ours for each event, and libzmq's for each state.
libzmq allocates each message beyond 33 bytes. An event's own allocations occur in every run. If the
machine stands still, a larger burst than ever makes buffers grow in one run.
"""

from __future__ import annotations

import json
import pathlib
import struct
import tempfile
import time
import typing
from dataclasses import dataclass

import rig
import throughput
import zmq

COUNTER = rig.BUILD / "allocations.so"
# Bytes of the scenes' names and of the longest names. Beyond 15 bytes a text is on the heap.
SHORT, LONG = 6, 64
SESSIONS = 100
# So many that hundreds move in one step of a lane.
MANY = 600
# The required parameters of each kind.
REQUIRED = {
    "tips": {"tips": [{}]},
    "dynamics": {"items": [{"id": "item", "center": [160, 284], "size": [100, 100]}]},
    "list": {"rows": 20},
    "reader": {"pages": 2},
}
# Too large for the reactor to apply itself, so even a single event takes the lane's queue.
QUEUED_BYTES = 5_000
# Runs after the first, in which buffers grow; the maximum is for a machine that stands still.
RUNS, RUNS_MAX = 3, 16
# Our allocations for an event. The tolerance covers bursts larger than all earlier ones.
OURS_MAX = 0.03
# Time to count the idle daemon's allocations. It contains one barrier through the lanes.
IDLE_SECONDS = 2.5


@dataclass
class Load:
    """A load on a daemon. `run` returns the number of events or frames that it caused."""

    title: str
    run: typing.Callable[[Bench], int]
    kind: str = "profile"
    # The drag's sample for a phase and a distance.
    sample: typing.Callable[[str, int], dict] | None = None
    # Bytes of each name.
    name_bytes: int = SHORT
    sessions: int = SESSIONS
    # Whether its events name no component: the session finds out which one is meant.
    is_routed: bool = False


class Bench:
    """One daemon with open sessions, a publisher and a subscriber to their states."""

    def __init__(self, daemon: rig.Daemon, load: Load, counted: pathlib.Path):
        self.daemon, self.counted, self.load = daemon, counted, load
        self.component = load.kind.ljust(load.name_bytes, "-") if load.name_bytes == LONG else (
            load.kind)
        self.sessions = [
            f"s{number:05}".ljust(load.name_bytes, "-") for number in range(load.sessions)]
        self.round = 0
        # States received.
        self.states = 0
        self.before, self.began = (0, 0), 0.0
        self.updates = daemon.context.socket(zmq.SUB)
        self.updates.rcvhwm = 0
        self.updates.connect(daemon.updates)
        self.updates.subscribe("state/")
        self.events = daemon.context.socket(zmq.XPUB)
        self.events.connect(daemon.events)
        assert self.events.poll(5_000), "the daemon does not subscribe to events"
        self.events.recv()

    def open(self, scene: object) -> None:
        control = rig.Control(self.daemon)
        rig.settle(control, [
            control.send("open", session=name, scene=scene) for name in self.sessions])
        rig.wait_for_rest(control)
        self.take()

    def send(self, session: str, body: bytes) -> None:
        address = session if self.load.is_routed else f"{session}/{self.component}"
        topic = f"gesture/{address}".encode()
        self.events.send_multipart([topic, body], copy=True)

    def take(self) -> int:
        """Reads the waiting states and returns their number."""
        count = 0
        while self.updates.poll(0):
            self.updates.recv_multipart()
            count += 1
        self.states += count
        return count

    def mark(self) -> None:
        """Counts allocations from now on."""
        self.before, self.began = self.allocated(), time.monotonic()

    def allocated(self) -> tuple[int, int]:
        ours, theirs = struct.unpack("QQ", self.counted.read_bytes())
        return ours, theirs


def alone(bench: Bench, padding: int = 0, count: int = 4_000) -> int:
    """Scrolls one at a time: each waits for the last one's state, so each is its own batch."""
    for number in range(count):
        if number % SESSIONS == 0:
            bench.round += 1
        body = b'{"gesture":"scroll","phase":"changed","offset":%d.5}' % (bench.round % 500)
        bench.send(bench.sessions[number % SESSIONS], body + b" " * padding)
        assert bench.updates.poll(5_000), f"event {number} made no state"
        bench.take()
    return count


def queued(bench: Bench) -> int:
    return alone(bench, QUEUED_BYTES)


def full(bench: Bench, count: int = 240_000) -> int:
    """Scrolls as fast as the daemon takes them, through leaner peers than this one."""
    bench.updates.close()
    throughput.exchange(
        bench.daemon.events, bench.daemon.updates, bench.daemon.process.pid, count, 0, False)
    bench.states += count
    return count


def wave(bench: Bench, phase: str, by: int) -> None:
    """Sends the same sample to every session."""
    body = json.dumps(bench.load.sample(phase, by)).encode()
    for session in bench.sessions:
        bench.send(session, body)


def drag(bench: Bench, waves: int = 60) -> int:
    """Sends samples to each session at 100 Hz, with the frames that show them."""
    if bench.round == 0:
        wave(bench, "began", 0)
    for _ in range(waves):
        bench.round += 1
        wave(bench, "changed", bench.round % 100)
        time.sleep(0.01)
    # Waits for the last states.
    time.sleep(0.1)
    assert bench.take() > len(bench.sessions), "no item is dragged"
    return waves * len(bench.sessions)


def swing(bench: Bench) -> int:
    """Counts the frames of tips that swing back, between release and rest."""
    time.sleep(1.5)
    for phase, by in (("began", 0), ("changed", 30), ("ended", 30)):
        wave(bench, phase, by)
        time.sleep(0.1)
    bench.take()
    bench.mark()
    bench.states = 0
    time.sleep(0.5)
    count = bench.take()
    assert count > SESSIONS, f"{count} frames of {SESSIONS} tips: they do not swing"
    return count


# MARK: Samples, by distance to the right and down from the middle


def pan(phase: str, by: int) -> dict:
    return {"gesture": "pan", "phase": phase, "x": 160 + by, "y": 284 + by}


def pointer(phase: str, by: int) -> dict:
    return {"gesture": "pointer", "phase": phase, "pointer": 1, "x": 160 + by, "y": 284 + by}


def pinch(phase: str, by: int) -> dict:
    return {
        "gesture": "pinch", "phase": phase, "scale": 1 + by / 100, "velocity": 0, "x": 160,
        "y": 284}


def scroll(phase: str, by: int) -> dict:
    return {"gesture": "scroll", "phase": phase, "offset": by / 2}


LOADS = {
    "full": Load("a scroll at full load", full, sessions=throughput.SESSIONS),
    "alone": Load("a scroll that comes alone", alone),
    "alone_long": Load(
        f"a scroll that comes alone, with names of {LONG} bytes", alone, name_bytes=LONG),
    "queued": Load("a scroll by its lane's queue", queued),
    "queued_long": Load(
        f"a scroll by its lane's queue, with names of {LONG} bytes", queued, name_bytes=LONG),
    "drag": Load("a sample of a tip's drag", drag, "tips", pan),
    "drag_many": Load(
        "a sample of a tip's drag, of many sessions", drag, "tips", pan, sessions=MANY),
    "drag_routed": Load(
        "a sample of a contact that the session routes", drag, "tips", pointer, is_routed=True),
    "drag_toss": Load("a sample of a toss's drag", drag, "toss", pan),
    "drag_pointer": Load("a sample of a raw contact on a toss", drag, "toss", pointer),
    "drag_world": Load("a sample of a world's drag", drag, "dynamics", pan),
    "pinch_world": Load("a sample of a pinch on a world's item", drag, "dynamics", pinch),
    "scroll_list": Load("a sample of a list's scroll", drag, "list", scroll),
    "scroll_reader": Load("a sample of a reader's scroll", drag, "reader", scroll),
    "frame": Load("a frame of a tip that swings", swing, "tips", pan),
    "frame_long": Load(
        f"a frame of a tip that swings, with names of {LONG} bytes", swing, "tips", pan, LONG),
}


def measure(load: Load) -> tuple[float, float]:
    """Our allocations for each event or frame, and libzmq's for each state."""
    with tempfile.TemporaryDirectory(prefix="gestured-allocations-") as folder:
        counted = pathlib.Path(folder) / "counted"
        line = f"ALLOCATIONS={counted} LD_PRELOAD={COUNTER} exec {rig.BINARY} \"$@\""
        with rig.launched(line) as daemon:
            bench = Bench(daemon, load, counted)
            bench.open(scene(bench.component, load.kind))
            # The first heartbeat allocates more than the others.
            time.sleep(1)
            bench.mark()
            time.sleep(IDLE_SECONDS)
            idle = [late - early for early, late in zip(bench.before, bench.allocated())]
            load.run(bench)
            found = [run(bench, load, idle) for _ in range(RUNS)]
            while len(found) < RUNS_MAX and min(found)[0] > OURS_MAX:
                found.append(run(bench, load, idle))
            stats = rig.stats(rig.Control(daemon))
            assert stats["events_applied"] == stats["events"], f"not all were applied: {stats}"
    return min(found)


def run(bench: Bench, load: Load, idle: list[int]) -> tuple[float, float]:
    bench.mark()
    bench.states = 0
    count = load.run(bench)
    after, took = bench.allocated(), time.monotonic() - bench.began
    ours, theirs = (
        max(0.0, late - early - rest * took / IDLE_SECONDS)
        for early, late, rest in zip(bench.before, after, idle))
    return ours / count, theirs / bench.states


def scene(component: str, kind: str) -> object:
    """The benchmarks' scene, or a scene of one component with default parameters."""
    if (rig.HERE / "scenes" / f"{component}.toml").exists():
        return kind
    return {
        "viewport": [320, 568],
        "components": [{"id": component, "kind": kind} | REQUIRED.get(kind, {})]}
