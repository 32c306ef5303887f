#!/usr/bin/env python3
"""Compares an event's instructions and allocations with pins.json. Neither depends on time.

  pins.py [--record]

Callgrind counts the instructions of the whole daemon with its libraries. The figure is the
difference of two runs with different numbers of events, without start and end. allocations.py
counts the allocations. Writes the figures to .build/bench/pins.json, for the page of all figures.
Ends with `N passed, N failed`. --record replaces pins.json.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import typing
from dataclasses import dataclass

import allocations
import rig
import throughput

PINS = rig.HERE / "pins.json"
FOUND = rig.BUILD / "pins.json"
# Two runs of one binary differ by up to 1.5 %, because their batches differ. One beyond its limit is
# counted again, and the least counts: what an event costs more, it costs in each run.
INSTRUCTIONS_TOLERANCE = 0.03
# The C library copies and compares by other instructions on other processors, and a slower one has
# other batches: one binary took 3.5 to 4.7 % more on another processor than the pins' own.
OTHER_MACHINE_TOLERANCE = 0.07
RUNS_MAX = 3
# libzmq's allocations for a state vary by less, with the bytes of each read.
LIBZMQ_TOLERANCE = 0.1
FEW, MANY = 4_000, 12_000


def scrolls(daemon: rig.Daemon, count: int) -> None:
    """Scrolls, each with a state to one subscriber. The window batches as a busy daemon does."""
    rig.open_sessions(rig.Control(daemon), "profile", range(100))
    exchanged = throughput.exchange(
        daemon.events, daemon.updates, daemon.process.pid, count, 0, False, sessions=100,
        window=64)
    assert exchanged.lost == 0, f"{exchanged.lost} of {count} were lost"


def publishes(daemon: rig.Daemon, count: int) -> None:
    """Notifications over control. The daemon answers each and stores none."""
    control, waiting = rig.Control(daemon), []
    rig.open_sessions(control, "profile", range(100))
    for number in range(count):
        waiting.append(control.send(
            "publish", topic=f"notification/s{number % 100:05}", body={"kind": "likes"}))
        if len(waiting) == 50:
            rig.settle(control, waiting)
    rig.settle(control, waiting)


def samples(daemon: rig.Daemon, count: int, topic: str) -> None:
    """Samples of contacts that drag a profile, over control: the answers pace them. Nobody watches,
    and nothing moves by itself, which would cost by the time that the run takes."""
    control, sessions = rig.Control(daemon), 100
    rig.open_sessions(control, "profile", range(sessions))
    waiting: list[int] = []

    def send(number: int, phase: str, y: int) -> None:
        address = topic.format(f"s{number % sessions:05}")
        waiting.append(control.send("publish", topic=address, body={
            "gesture": "pointer", "phase": phase, "pointer": 1, "x": 160, "y": y}))
        if len(waiting) == 50:
            rig.settle(control, waiting)

    for number in range(sessions):
        send(number, "began", 400)
    for number in range(count):
        send(number, "changed", 380 - number // sessions % 20)
    rig.settle(control, waiting)
    assert rig.stats(control)["events_unhit"] == 0, "samples hit nothing"


def addressed(daemon: rig.Daemon, count: int) -> None:
    samples(daemon, count, "gesture/{}/profile")


def routed(daemon: rig.Daemon, count: int) -> None:
    samples(daemon, count, "gesture/{}")


# The loads, and the name of one of their events.
LOADS: dict[str, tuple[typing.Callable[[rig.Daemon, int], None], str]] = {
    "scroll": (scrolls, "a scroll with its state"),
    "publish": (publishes, "an acknowledged notification, nothing stored"),
    "addressed": (addressed, "an acknowledged sample of a contact on a component"),
    "routed": (routed, "an acknowledged sample of a contact that the session routes"),
}


@dataclass
class Figure:
    """A count and its limit. Without a limit it is only reported."""

    title: str
    unit: str
    found: float
    # The limit, with tolerance.
    most: float | None
    pin: float | None = None

    @property
    def label(self) -> str:
        return f"{self.title}: {self.unit}"

    @property
    def is_met(self) -> bool:
        return self.most is None or self.found <= self.most

    def __str__(self) -> str:
        pinned = f" (pinned {self.pin:,})" if self.pin is not None else ""
        return f"{self.title}: {self.found:,} {self.unit}{pinned}"


def instructions(binary: pathlib.Path, load: typing.Callable, count: int) -> int:
    with tempfile.TemporaryDirectory(prefix="gestured-callgrind-") as folder:
        said = pathlib.Path(folder) / "said"
        with rig.launched(
                "exec valgrind --tool=callgrind "
                f"--callgrind-out-file={folder}/out {binary} \"$@\" 2>{said}") as daemon:
            load(daemon, count)
            daemon.process.terminate()
            status = daemon.process.wait(rig.PATIENCE)
        assert status == 0, f"the daemon ended with {status}: {said.read_text()[-500:]}"
        found = re.search(r"Collected : (\d+)", said.read_text())
        assert found, f"callgrind counted nothing: {said.read_text()[-500:]}"
        return int(found[1])


def of_one(binary: pathlib.Path, load: typing.Callable) -> int:
    """The instructions of one event of a load."""
    few, many = (instructions(binary, load, count) for count in (FEW, MANY))
    return round((many - few) / (MANY - FEW))


def measure(
    pins: dict[str, float], tolerance: float,
) -> typing.Iterator[tuple[str, Figure]]:
    """Yields each figure with its key in the pins, as soon as it is counted."""
    assert shutil.which("valgrind"), "valgrind is not installed"
    with tempfile.TemporaryDirectory(prefix="gestured-stripped-") as folder:
        # Valgrind 3.19 does not read Swift's debugging sections.
        stripped = pathlib.Path(folder) / "gestured"
        subprocess.run(["objcopy", "--strip-debug", rig.BINARY, stripped], check=True)
        for name, (load, title) in LOADS.items():
            key = f"{name}_instructions"
            pin = pins.get(key)
            figure = Figure(
                title, "instructions", of_one(stripped, load),
                pin and pin * (1 + tolerance), pin)
            for _ in range(RUNS_MAX - 1):
                if figure.is_met:
                    break
                figure.found = min(figure.found, of_one(stripped, load))
            yield key, figure
    for name, load in allocations.LOADS.items():
        ours, theirs = allocations.measure(load)
        yield f"{name}_allocations", Figure(
            load.title, "allocations of ours", round(ours, 4), allocations.OURS_MAX)
        key = f"{name}_allocations_libzmq"
        pin = pins.get(key)
        yield key, Figure(
            load.title, "allocations of libzmq's a state", round(theirs, 2),
            None if pin is None else pin + LIBZMQ_TOLERANCE, pin)


def machine() -> dict[str, str]:
    """Processor and compiler of the counts: others may give other numbers."""
    cpu = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    swift = subprocess.run(["swift", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\S+)", swift)
    libzmq = subprocess.run(
        ["dpkg-query", "--show", "--showformat=${Version}", "libzmq5"], capture_output=True,
        text=True).stdout
    return {
        "processor": cpu[1] if cpu else "unknown", "swift": version[1] if version else "unknown",
        "libzmq": libzmq or "unknown"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write pins.json anew")
    is_recording = parser.parse_args().record
    kept = json.loads(PINS.read_text()) if PINS.exists() else {}
    is_own = machine() == kept.get("machine")
    tolerance = INSTRUCTIONS_TOLERANCE if is_own else OTHER_MACHINE_TOLERANCE
    figures = {}
    for key, figure in measure({} if is_recording else kept["pins"], tolerance):
        figures[key] = figure
        print(f"  {figure}", flush=True)
    FOUND.write_text(json.dumps(
        {figure.label: figure.found for figure in figures.values()}, indent=2) + "\n")
    if is_recording:
        # Our own allocations have a fixed limit and need no pin.
        pins = {key: it.found for key, it in figures.items() if it.most != allocations.OURS_MAX}
        PINS.write_text(json.dumps({"machine": machine(), "pins": pins}, indent=2) + "\n")
        print(f"written to {PINS}")
    wrong = [figure for figure in figures.values() if not figure.is_met]
    for figure in wrong:
        print(f"pins: {figure}, at most {figure.most:,}", file=sys.stderr)
    if wrong and not is_own:
        print(f"pins: they were recorded on {kept.get('machine')}, this is {machine()}",
              file=sys.stderr)
    print(f"{len(figures) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
