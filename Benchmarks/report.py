"""The figures as a page for people, and as one line for machines."""

from __future__ import annotations

import csv
import os
import pathlib
import statistics
import subprocess
import time
from dataclasses import dataclass, field

import durability
import durable
import fanout
import footprint
import frames
import latency
import scale
import throughput
import worlds
from rig import REPOSITORY
from text import bullets, profile, spread, verdict


def commit() -> str:
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=REPOSITORY, capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


@dataclass
class Report:
    is_short: bool
    began: float
    machine: str
    throughput: throughput.Result | None = None
    latency: latency.Result | None = None
    fanout: fanout.Result | None = None
    scale: scale.Result | None = None
    # By whether all are subscribed.
    frames: dict[bool, frames.Result] = field(default_factory=dict)
    footprints: list[footprint.Footprint] = field(default_factory=list)
    worlds: list[worlds.Result] = field(default_factory=list)
    publishes: durable.Publishes | None = None
    costs: dict[str, durable.Cost] = field(default_factory=dict)
    starts: list[durable.Start] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)

    def summary(self) -> str:
        rows = [("figure", "measured", "target", "")]
        if result := self.throughput:
            ours = [run.rate for run, _ in result.rounds]
            theirs = [run.rate for _, run in result.rounds]
            rows += [
                ("events a second, a state each", spread(ours, ",.0f"), "", ""),
                ("the same through a bare forwarder", spread(theirs, ",.0f"), "", ""),
                ("ratio, round by round", spread(result.ratios, ".2f"),
                 f"≥ {throughput.TARGET}, nothing lost",
                 verdict(result.is_met) + (f", {result.lost} lost" if result.lost else "")),
            ]
        rows += latency.rows(self) + fanout.rows(self)
        for is_subscribed, result in self.frames.items():
            late = f"{result.most.late + result.most.missing:.2%} late" if result.most else "none"
            rows.append((
                f"swinging tips at 60 Hz, {'all' if is_subscribed else 'none'} subscribed",
                f"{result.tips:,} ({late})", f"{result.target:,}", verdict(result.is_met)))
        for found in self.footprints:
            rows.append((
                f"bytes of a resting session, `{found.scene}`, {found.sessions:,} open",
                f"{found.bytes_each:,.0f}", f"≤ {found.target:,}",
                verdict(found.bytes_each <= found.target)))
            rows.append((
                f"a core's share while {found.sessions:,} `{found.scene}` rest",
                f"{found.core:.2%}", f"< {footprint.CORE_MAX:.0%}",
                verdict(found.core < footprint.CORE_MAX)))
        rows += scale.rows(self)
        for result in self.worlds:
            rows += self._compared(result)
        rows += durability.rows(self)
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|---|---|---|---|", *lines[1:]])

    def page(self) -> str:
        day = time.strftime("%Y-%m-%d %H:%M", time.gmtime(self.began))
        load = " ".join(f"{value:.1f}" for value in os.getloadavg())
        parts = [
            "# Figures",
            f"`make bench{' SHORT=1' if self.is_short else ''}`, {day} UTC, {self.machine}, commit "
            f"{commit()}; load at the end {load}. Medians, in brackets the least and the most.",
            self.summary(),
        ]
        if self.throughput:
            parts += self._throughput(self.throughput)
        parts += latency.sections(self) + fanout.sections(self)
        for is_subscribed, result in self.frames.items():
            parts += self._frames(is_subscribed, result)
        if self.footprints:
            parts += ["## Sessions at rest", bullets(map(str, self.footprints))]
        parts += scale.sections(self)
        if self.worlds:
            parts += self._worlds(self.worlds)
        parts += durability.sections(self)
        if self.modules:
            parts += ["## Single modules", "```\n" + "\n".join(self.modules) + "\n```"]
        return "\n\n".join(parts) + "\n"

    @staticmethod
    def _throughput(result: throughput.Result) -> list[str]:
        ours = [run for run, _ in result.rounds]
        theirs = [run for _, run in result.rounds]

        def cost(runs: list[throughput.Run]) -> str:
            threads = {
                kind: statistics.median(run.threads_us[kind] for run in runs)
                for kind in ("reactor", "lanes", "zmq")}
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
            f"of {statistics.mean(run.body for run in ours):.0f} bytes, and the forwarder gets "
            "bodies of that size. Publisher, subscriber, daemon or forwarder are processes of "
            "their own, new in each round; every topic is held to its `seq`.",
            bullets([
                f"gestured: {cost(ours)}", f"forwarder: {cost(theirs)}",
                f"from reading to posting, with the queues full: {latency}"]),
        ]
        return parts + profile(result.profile)

    @staticmethod
    def _frames(is_subscribed: bool, result: frames.Result) -> list[str]:
        watched = (
            "One subscriber takes all states." if is_subscribed else
            f"One session in {frames.PROBE_EVERY} is subscribed to by its name, as a probe.")
        return [
            f"## Swinging tips, {'all' if is_subscribed else 'none'} subscribed",
            f"Each tip is dragged off once in {frames.PERIOD_MS:,} ms and swings in again. "
            f"{watched} Late: a frame more than one step (8.3 ms) after its time at the daemon; "
            "missing: a frame that was due and not made, because a later one was; held: both "
            "under 1 % together, no step jumped, nothing lost. What does not hold is tried again.",
            bullets(map(str, result.trials)), *profile(result.profile),
        ]

    @staticmethod
    def _compared(result: worlds.Result) -> list[tuple[str, str, str, str]]:
        title = worlds.TITLES[result.scene]
        return [
            (f"steps of ours in one of Box2D's, {title}", spread(result.ratios("ns"), ".1f"),
             f"≥ {worlds.TARGETS[result.scene]:.0f}", verdict(result.is_fast)),
            (f"worlds of ours in the bytes of one of Box2D's, {title}",
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
            "steps. Ours is float64, Box2D float32, from Debian's `libbox2d-dev`.",
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
            "commit": commit(), "machine": self.machine, "short": int(self.is_short)}
        result = self.throughput
        row |= {
            "events_per_second": result and round(
                statistics.median(run.rate for run, _ in result.rounds)),
            "forwarder_per_second": result and round(
                statistics.median(run.rate for _, run in result.rounds)),
            "ratio": result and round(result.ratio, 3), "lost": result and result.lost}
        for is_subscribed, name in ((True, "tips_subscribed"), (False, "tips_unsubscribed")):
            row[name] = self.frames[is_subscribed].tips if is_subscribed in self.frames else None
        found = {entry.scene: entry for entry in self.footprints}
        for scene in footprint.TARGETS:
            row[f"{scene}_bytes"] = scene in found and round(found[scene].bytes_each) or None
            row[f"{scene}_core"] = round(found[scene].core, 5) if scene in found else None
        compared = {entry.scene: entry for entry in self.worlds}
        for scene in worlds.TARGETS:
            entry = compared.get(scene)
            for name, digits in (("ns", 1), ("bytes", 0)):
                row[f"{scene}_{name}"] = entry and round(
                    statistics.median(entry.ours(name)), digits)
                row[f"{scene}_{name}_box2d"] = entry and round(
                    statistics.median(entry.theirs(name)), digits)
        for figure in (latency, fanout, scale, durability):
            row |= figure.columns(self)
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
