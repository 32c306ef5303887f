#!/usr/bin/env python3
"""Measures the daemon's speed, size and durability against yardsticks and targets.

  bench.py [--short] [--only FIGURES] [--modules FILE] [--pins FILE]

Prints as it goes. Writes results.md and one line of results.csv beside this file; with --short or
--only below .build/bench, so that a part never replaces a whole run. The page names missed targets,
but the exit status stays 0: the machine's speed is no test. If a message was lost, the exit status
is 1, because loss does not depend on the machine.
"""

from __future__ import annotations

import argparse
import pathlib
import platform
import sys
import time

import durable
import fanout
import footprint
import frames
import latency
import members
import report
import rig
import scale
import screens
import throughput
import ways
import worlds


FIGURES = (
    "throughput,latency,fanout,frames,screens,footprint,scale,worlds,publishes,costs,starts,members")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--short", action="store_true",
        help="about four minutes, for CI: searches no number of moving sessions")
    parser.add_argument("--only", default=FIGURES, metavar="FIGURES", help=f"of {FIGURES}")
    parser.add_argument("--modules", type=pathlib.Path, help="the modules' own benchmarks, as told")
    parser.add_argument(
        "--pins", type=pathlib.Path, help="instructions and allocations by name, as pins.py has "
        f"written them; else {report.PINS}, if it is newer than the daemon")
    return parser.parse_args()


def say(line: str) -> None:
    print(f"  {line}", flush=True)


def main() -> int:
    chosen = options()
    for needed in (rig.BINARY, rig.PEER, worlds.OURS, worlds.THEIRS, durable.BINARY):
        if not needed.exists():
            sys.exit(f"bench: there is no {needed}; make bench builds it")
    is_short, wanted = chosen.short, chosen.only.split(",")
    # Reads the commit before any write: a write makes the tree differ from its commit.
    results = report.Report(
        is_short=is_short, began=time.time(), machine=machine(), commit=rig.commit(),
        binary=rig.binary(), pins=report.pins(chosen.pins))
    if "throughput" in wanted:
        print("\nthroughput: profile scrolls, over tcp", flush=True)
        results.throughput = throughput.measure(*((0.7, 2) if is_short else (4, 5)), say)
    if "latency" in wanted:
        print(f"\nlatency at {latency.PER_SECOND:,} events a second, over tcp", flush=True)
        results.latency = latency.measure(*((1.5, 2) if is_short else (5, 5)), say)
    if "fanout" in wanted:
        print("\nfan-out", flush=True)
        results.fanout = fanout.measure(
            *((200_000, 2) if is_short else (2_000_000, 5)), say)
    for way in ways.WAYS if "frames" in wanted else ():
        print(f"\n{way.title}", flush=True)
        results.frames.append(frames.measure(
            way, *((1.5, 1.7, 1, 0) if is_short else (3, 1.5, 2, 5)), say))
    if "screens" in wanted:
        print("\na screen by states and by frames", flush=True)
        results.screens = screens.measure(1 if is_short else 3, say)
    for scene in footprint.TARGETS if "footprint" in wanted else ():
        print(f"\nsessions at rest: {scene}", flush=True)
        results.footprints.append(footprint.measure(
            scene, *((20_000, 1, footprint.SHORT_REST_SECONDS) if is_short else (
                100_000, 3, footprint.REST_SECONDS)), say))
    if "scale" in wanted:
        print("\ncost by the number of sessions", flush=True)
        results.scale = scale.measure(
            *((10_000, 20_000, 2) if is_short else (100_000, 200_000, 5)), say)
    for scene in worlds.TARGETS if "worlds" in wanted else ():
        print(f"\n{worlds.TITLES[scene]}, beside Box2D", flush=True)
        results.worlds.append(
            worlds.measure(scene, *((0.2, 2) if is_short else (1, 5)), not is_short, say))
    measure_durability(results, is_short, wanted)
    if chosen.modules and chosen.modules.exists():
        results.modules = [
            line for line in chosen.modules.read_text().splitlines() if "checksum" in line]
    is_whole = not is_short and wanted == FIGURES.split(",")
    folder = rig.HERE if is_whole else rig.BUILD
    results.write(folder)
    print(f"\n{results.summary()}\n\nwritten to {folder}/results.md and results.csv", flush=True)
    if lost := results.lost():
        print(f"bench: {lost} messages were lost", file=sys.stderr)
        return 1
    return 0


def measure_durability(results: report.Report, is_short: bool, wanted: list[str]) -> None:
    if "publishes" in wanted:
        print("\nacknowledged publishes", flush=True)
        results.publishes = durable.publishes(*((0.3, 2) if is_short else (1.5, 5)), say)
    if "costs" in wanted:
        print("\nplain events with the store and without", flush=True)
        results.costs = durable.costs(*((0.2, 2) if is_short else (1, 5)), say)
    if "starts" in wanted:
        print("\nstart with what is kept", flush=True)
        results.starts = durable.starts(*((20_000, 1) if is_short else (100_000, 5)), say)
    if "members" in wanted:
        print("\nseveral members on one PostgreSQL", flush=True)
        results.members = members.measure(is_short, say)


def machine() -> str:
    """The processor, its number of cores, and the system."""
    model = next(
        (line.split(":", 1)[1].strip()
         for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines()
         if line.startswith("model name")), platform.machine())
    return f"{model}, {rig.cores()} cores, Linux {platform.release().split('-')[0]}"


if __name__ == "__main__":
    sys.exit(main())
