#!/usr/bin/env python3
"""What an event costs in instructions and allocations, held to pins.json: neither depends on time.

  pins.py [--record]

Instructions by callgrind, of the whole daemon with its libraries; allocations by a preloaded
counter. Two runs that differ only in the number of events are compared, so that starting and
ending do not count. Ends with `N passed, N failed`; --record writes pins.json anew.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
import typing

import rig
import throughput

PINS = rig.HERE / "pins.json"
COUNTER = rig.BUILD / "allocations.so"
# Two runs of one binary differ by 1 % at most: by how many events came together.
INSTRUCTIONS_TOLERANCE = 0.03
# Of ours, not of libzmq's, which allocates every message beyond 33 bytes. A batch costs some,
# whatever it holds: at full load it holds dozens of events.
ALLOCATIONS_MAX = 0.2
FEW, MANY = 4_000, 12_000


def scrolls(daemon: rig.Daemon, count: int) -> None:
    """Each with a state to one subscriber; a window that batches as a busy daemon does."""
    rig.open_sessions(rig.Control(daemon), "profile", range(100))
    throughput.exchange(
        daemon.events, daemon.updates, daemon.process.pid, count, 0, False, sessions=100,
        window=64)


def publishes(daemon: rig.Daemon, count: int) -> None:
    """Notifications over control, each answered; nothing is stored."""
    control, waiting = rig.Control(daemon), []
    rig.open_sessions(control, "profile", range(100))
    for number in range(count):
        waiting.append(control.send(
            "publish", topic=f"notification/s{number % 100:05}", body={"kind": "likes"}))
        if len(waiting) == 50:
            rig.settle(control, waiting)
    rig.settle(control, waiting)


# What is done so often, and what one of it is called.
LOADS: dict[str, tuple[typing.Callable[[rig.Daemon, int], None], str]] = {
    "scroll": (scrolls, "a scroll with its state"),
    "publish": (publishes, "an acknowledged notification, nothing stored"),
}


@contextlib.contextmanager
def launched(*lines: str) -> typing.Iterator[rig.Daemon]:
    """A daemon that is started by a script of these lines."""
    with tempfile.TemporaryDirectory(prefix="gestured-pins-") as folder:
        script = pathlib.Path(folder) / "gestured"
        script.write_text("\n".join(
            ["#!/bin/bash", "export SWIFT_DETERMINISTIC_HASHING=1", *lines, ""]))
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        before = os.environ["GESTURED_BIN"]
        os.environ["GESTURED_BIN"] = str(script)
        try:
            with rig.start(durability="off") as daemon:
                yield daemon
        finally:
            os.environ["GESTURED_BIN"] = before


def instructions(binary: pathlib.Path, load: typing.Callable, count: int) -> int:
    with tempfile.TemporaryDirectory(prefix="gestured-callgrind-") as folder:
        said = pathlib.Path(folder) / "said"
        with launched(
                "exec valgrind --tool=callgrind "
                f"--callgrind-out-file={folder}/out {binary} \"$@\" 2>{said}") as daemon:
            load(daemon, count)
            daemon.process.terminate()
            daemon.process.wait(rig.PATIENCE)
        found = re.search(r"Collected : (\d+)", said.read_text())
        assert found, f"callgrind counted nothing: {said.read_text()[-500:]}"
        return int(found[1])


def allocations(binary: pathlib.Path, count: int) -> tuple[float, float]:
    """Per scroll at full load, once buffers have grown: ours, and libzmq's."""
    with tempfile.TemporaryDirectory(prefix="gestured-allocations-") as folder:
        counted = pathlib.Path(folder) / "counted"

        def run(daemon: rig.Daemon) -> tuple[int, int]:
            throughput.exchange(
                daemon.events, daemon.updates, daemon.process.pid, count, 0, False)
            return struct.unpack("QQ", counted.read_bytes())

        with launched(
                f"ALLOCATIONS={counted} LD_PRELOAD={COUNTER} exec {binary} \"$@\"") as daemon:
            rig.open_sessions(rig.Control(daemon), "profile", range(throughput.SESSIONS))
            before, after = run(daemon), run(daemon)
    ours, theirs = ((late - early) / count for early, late in zip(before, after))
    return ours, theirs


def measure() -> dict[str, float]:
    assert shutil.which("valgrind"), "valgrind is not installed"
    found = {}
    with tempfile.TemporaryDirectory(prefix="gestured-stripped-") as folder:
        # Valgrind 3.19 does not read Swift's debugging sections.
        stripped = pathlib.Path(folder) / "gestured"
        subprocess.run(["objcopy", "--strip-debug", rig.BINARY, stripped], check=True)
        for name, (load, _) in LOADS.items():
            few, many = (instructions(stripped, load, count) for count in (FEW, MANY))
            found[f"{name}_instructions"] = round((many - few) / (MANY - FEW))
    ours, theirs = allocations(rig.BINARY, 20 * MANY)
    found["scroll_allocations"], found["scroll_allocations_libzmq"] = round(ours, 4), round(
        theirs, 2)
    return found


def judge(found: dict[str, float], pins: dict[str, float]) -> list[str]:
    """What is worse than its pin allows; a pin that is too lax by far is told, too."""
    wrong = []
    for name, (_, title) in LOADS.items():
        key = f"{name}_instructions"
        measured, pin = found[key], pins[key]
        print(f"  {title}: {measured:,} instructions (pinned {pin:,})")
        if measured > pin * (1 + INSTRUCTIONS_TOLERANCE):
            wrong.append(f"{title}: {measured:,} instructions, pinned at {pin:,}")
        elif measured < pin * (1 - INSTRUCTIONS_TOLERANCE):
            print("    fewer than pinned: pins.py --record keeps it so")
    ours = found["scroll_allocations"]
    print(f"  a scroll with its state: {ours} allocations of ours, "
          f"{found['scroll_allocations_libzmq']} of libzmq's")
    if ours > ALLOCATIONS_MAX:
        wrong.append(f"{ours} allocations an event, at most {ALLOCATIONS_MAX}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--record", action="store_true", help="write pins.json anew")
    found = measure()
    if parser.parse_args().record:
        PINS.write_text(json.dumps(found, indent=2) + "\n")
        print(f"written to {PINS}: {found}")
        return 0
    wrong = judge(found, json.loads(PINS.read_text()))
    for line in wrong:
        print(f"pins: {line}", file=sys.stderr)
    print(f"{len(LOADS) + 1 - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
