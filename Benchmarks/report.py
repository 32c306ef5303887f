"""Writes the figures as a page for people and as one line for machines."""

from __future__ import annotations

import csv
import json
import os
import pathlib
import statistics
import sys
import time
from dataclasses import dataclass, field

import durability
import durable
import fanout
import footprint
import frames
import latency
import members
import scale
import screens
import throughput
import worlds
from rig import BINARY, BUILD, Processor
from text import bullets, profile, spread, verdict

PINS = BUILD / "pins.json"
# The pins counted in instructions, and their columns. All others are allocations.
INSTRUCTIONS = {
    "a scroll with its state": "scroll_instructions",
    "an acknowledged notification, nothing stored": "publish_instructions",
}


def pins(path: pathlib.Path | None) -> dict[str, float]:
    """The daemon's counts by name. None if they are older than its build."""
    if path is None:
        is_of_this = PINS.exists() and PINS.stat().st_mtime > BINARY.stat().st_mtime
        return json.loads(PINS.read_text(encoding="utf-8")) if is_of_this else {}
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"bench: the pins cannot be read from {path}: {error}")


@dataclass
class Report:
    is_short: bool
    began: float
    machine: str
    commit: str
    # The measured daemon's hash, from `rig.binary`.
    binary: str
    # Instructions and allocations, by name.
    pins: dict[str, float]
    throughput: throughput.Result | None = None
    latency: latency.Result | None = None
    fanout: fanout.Result | None = None
    scale: scale.Result | None = None
    frames: list[frames.Result] = field(default_factory=list)
    footprints: list[footprint.Footprint] = field(default_factory=list)
    worlds: list[worlds.Result] = field(default_factory=list)
    screens: list[screens.Screens] = field(default_factory=list)
    publishes: durable.Publishes | None = None
    costs: dict[str, durable.Cost] = field(default_factory=dict)
    starts: list[durable.Start] = field(default_factory=list)
    members: members.Result | None = None
    modules: list[str] = field(default_factory=list)

    def lost(self) -> int:
        """Lost messages. Only these figures continue after a loss; all others end at once."""
        lost = self.throughput.lost if self.throughput else 0
        return lost + (
            sum(map(self.fanout.lost, fanout.SUBSCRIBERS)) if self.fanout else 0)

    def summary(self) -> str:
        rows = [("figure", "measured", "target", "")]
        if result := self.throughput:
            ours = [run.rate for run, _ in result.rounds]
            theirs = [run.rate for _, run in result.rounds]
            rows += [
                ("events a second, a state each", spread(ours, ",.0f"), "", ""),
                ("the same through a bare forwarder", spread(theirs, ",.0f"), "", ""),
                ("… gestured ÷ forwarder, round by round", spread(result.ratios, ".2f"),
                 f"≥ {throughput.TARGET}, nothing lost",
                 verdict(result.is_met) + (f", {result.lost} lost" if result.lost else "")),
                ("the same with CURVE",
                 spread([run.rate for run, _ in result.encrypted], ",.0f"), "", ""),
                ("with CURVE through a bare forwarder with CURVE",
                 spread([run.rate for _, run in result.encrypted], ",.0f"), "", ""),
                ("… ratio with CURVE ÷ ratio without, round by round",
                 spread(result.curve_ratios, ".2f"), f"≥ {throughput.CURVE_TARGET}",
                 verdict(result.is_curve_met)),
            ]
        rows += latency.rows(self) + fanout.rows(self)
        rows += frames.rows(self.frames) + footprint.rows(self) + scale.rows(self)
        for result in self.worlds:
            rows += self._compared(result)
        rows += durability.rows(self) + members.rows(self)
        rows += [
            (f"{'instructions' if name in INSTRUCTIONS else 'allocations'}: {name}",
             f"{count:,}", "", "") for name, count in self.pins.items()]
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|---|---|---|---|", *lines[1:]])

    def page(self) -> str:
        day = time.strftime("%Y-%m-%d %H:%M", time.gmtime(self.began))
        load = " ".join(f"{value:.1f}" for value in os.getloadavg())
        parts = [
            "# Figures",
            f"`make bench{' SHORT=1' if self.is_short else ''}`, {day} UTC, {self.machine}, commit "
            f"{self.commit}, binary {self.binary}; load at the end {load}. Medians, in brackets "
            "the least and the most.",
            self.summary(),
        ]
        if self.throughput:
            parts += self._throughput(self.throughput)
        parts += latency.sections(self) + fanout.sections(self)
        for result in self.frames:
            parts += frames.sections(result)
        parts += footprint.sections(self) + scale.sections(self)
        if self.screens:
            parts += [
                "## A screen by states and by frames",
                "A second of one session that moves, for one subscriber: all its states on their "
                "own topics, or `frame/`. Rounds by turns, medians.",
                bullets(map(str, self.screens))]
        if self.worlds:
            parts += self._worlds(self.worlds)
        parts += durability.sections(self) + members.sections(self)
        if self.modules:
            parts += ["## Single modules", "```\n" + "\n".join(self.modules) + "\n```"]
        return "\n\n".join(parts) + "\n"

    @staticmethod
    def _throughput(result: throughput.Result) -> list[str]:
        ours, theirs = ([pair[side] for pair in result.rounds] for side in (0, 1))
        encrypted = [[pair[side] for pair in result.encrypted] for side in (0, 1)]

        def cost(runs: list[throughput.Run]) -> str:
            threads = {
                kind: statistics.median(run.threads_us[kind] for run in runs)
                for kind in Processor.KINDS}
            return (
                f"{statistics.median(run.cost_us for run in runs):.2f} µs of processor time a "
                "message (" + ", ".join(f"{k} {v:.2f}" for k, v in threads.items()) + "); its "
                f"publisher {statistics.median(run.peers_us[0] for run in runs):.2f}, its "
                f"subscriber {statistics.median(run.peers_us[1] for run in runs):.2f}")

        latency = ", ".join(
            f"{name} {statistics.median(run.latency_us[name] for run in ours) / 1_000:.1f} ms"
            for name in ours[0].latency_us)
        parts = [
            "## Throughput",
            f"{throughput.SESSIONS:,} sessions of `profile`, scrolls round robin, at most "
            f"{throughput.WINDOW:,} on the way (credit from the subscriber) on both sides; states "
            f"of {statistics.mean(run.body for run in ours):.0f} bytes for events of "
            f"{ours[0].sent_body}. The forwarder is sent bodies as large as the states, because it "
            "can only pass on what it gets: it reads more than the daemon and writes as much. "
            "Publisher, subscriber, daemon or forwarder are processes of their own, new in each "
            "round; every topic is held to its `seq`.",
            bullets([
                f"gestured: {cost(ours)}", f"forwarder: {cost(theirs)}",
                f"gestured with CURVE: {cost(encrypted[0])}",
                f"forwarder with CURVE: {cost(encrypted[1])}",
                f"from reading to posting, with the queues full: {latency}"]),
        ]
        return parts + profile(result.profile)

    @staticmethod
    def _compared(result: worlds.Result) -> list[tuple[str, str, str, str]]:
        title = worlds.TITLES[result.scene]
        return [
            (f"time of a step, Box2D ÷ gestured, {title}", spread(result.ratios("ns"), ".1f"),
             f"≥ {worlds.TARGETS[result.scene]:.0f}", verdict(result.is_fast)),
            (f"bytes of a world, Box2D ÷ gestured, {title}",
             spread(result.ratios("bytes"), ".0f"), f"≥ {worlds.BYTES_TARGET}",
             verdict(result.is_small)),
        ]

    @staticmethod
    def _worlds(results: list[worlds.Result]) -> list[str]:
        parts = [
            "## Small worlds beside Box2D 2.4",
            "The same scenes for both, a world each, in steps of 1/120 s with 8 velocity and at "
            "most 3 position passes: the snap and the tip for 60 steps from afar, the stack for "
            "180. Nothing falls asleep in that time, on neither side. Processor time, in new "
            "processes by turns; bytes of the heap by `mallinfo2`, over 200 worlds after their "
            "steps. Ours is float64, Box2D float32, from Debian's `libbox2d-dev`. Most of Box2D's "
            "bytes are what each world allocates at once, whatever is in it: ten boxes more add "
            "about a tenth.",
            bullets(
                f"{worlds.TITLES[result.scene]}: {spread(result.ours('ns'), ',.0f')} ns a step "
                f"and {statistics.median(result.ours('bytes')):,.0f} bytes; Box2D "
                f"{spread(result.theirs('ns'), ',.0f')} ns and "
                f"{statistics.median(result.theirs('bytes')):,.0f} bytes"
                for result in results),
        ]
        for result in results:
            if result.profile:
                parts += [f"{worlds.TITLES[result.scene]}:", *profile(result.profile)]
        return parts

    def write(self, folder: pathlib.Path) -> None:
        (folder / "results.md").write_text(self.page(), encoding="utf-8")
        row = {
            "date": time.strftime("%Y-%m-%dT%H:%MZ", time.gmtime(self.began)),
            "commit": self.commit, "machine": self.machine, "short": int(self.is_short),
            "binary": self.binary}
        result = self.throughput
        row |= {
            "events_per_second": result and round(
                statistics.median(run.rate for run, _ in result.rounds)),
            "forwarder_per_second": result and round(
                statistics.median(run.rate for _, run in result.rounds)),
            "ratio": result and round(result.ratio, 3),
            "curve_ratio": result and round(result.curve_ratio, 3),
            "lost": result and result.lost}
        row |= frames.columns(self.frames) | footprint.columns(self)
        compared = {entry.scene: entry for entry in self.worlds}
        for scene in worlds.TARGETS:
            entry = compared.get(scene)
            for name, digits in (("ns", 1), ("bytes", 0)):
                row[f"{scene}_{name}"] = entry and round(
                    statistics.median(entry.ours(name)), digits)
                row[f"{scene}_{name}_box2d"] = entry and round(
                    statistics.median(entry.theirs(name)), digits)
        for figure in (latency, fanout, scale, durability, members):
            row |= figure.columns(self)
        row |= {column: self.pins.get(name) for name, column in INSTRUCTIONS.items()}
        path = folder / "results.csv"
        rows = []
        if path.exists():
            with path.open(newline="", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
        # Earlier runs have fewer figures.
        names = {name: None for entry in [*rows, row] for name in entry}
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, names, lineterminator="\n")
            writer.writeheader()
            writer.writerows([*rows, row])
