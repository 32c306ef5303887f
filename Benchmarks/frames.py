"""Finds how many moving sessions hold 60 frames a second with under 1 % late or missing."""

from __future__ import annotations

import json
import math
import pathlib
import statistics
import tempfile
import time
from dataclasses import dataclass, field

from rig import (
    Control, Elsewhere, Peer, Processor, Profile, open_sessions, start, stats, wait_for_rest)
from text import bullets, profile, spread, verdict
from ways import WAYS, Way

FRAME_RATE = 60
STEPS_PER_SECOND = 120
LATE_MAX = 0.01
# The least average share of moving sessions. Below it they did not move all the time.
MOVING_MIN = 0.97
# The least share of the daemon's states that must arrive. The watcher reports ten times a second,
# so its span differs a little from the daemon's.
ARRIVED_MIN = 0.95
# If most tries of a number fail, it is multiplied by this.
STEP_DOWN = 0.9
SESSIONS_MAX = 64_000
# Cores that others took, the machine's host among them: beyond it a try that fails says nothing.
DISTURBED_CORES = 0.1
# Tries of one number at most while others disturb them. The last one counts.
DISTURBED_MAX = 5


@dataclass
class Trial:
    """The result of a number of moving sessions."""

    way: Way
    sessions: int
    # Shares of the due frames: more than a step late at the daemon, or never made.
    late: float
    missing: float
    # The share of messages that arrived more than a step after their own time.
    late_arrivals: float
    latest_ms: float
    # Messages arrived a second, divided by messages made a second.
    arrived: float
    # Components in a message of `frame/`, on the average.
    parts: float
    lost: int
    moving: float
    steps_jumped: int
    cores: dict[str, float]
    # Cores that other processes kept busy meanwhile.
    elsewhere: float
    control_ms: tuple[float, float]
    profile: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        is_on_time = self.late_in_all < LATE_MAX and self.moving > MOVING_MIN
        is_whole = self.arrived > ARRIVED_MIN and self.lost == 0
        return is_on_time and is_whole and self.steps_jumped == 0

    @property
    def is_spoilt(self) -> bool:
        """Whether it fails, and others took too much of the machine to know why."""
        return not self.holds and self.elsewhere > DISTURBED_CORES

    @property
    def late_in_all(self) -> float:
        """The share that the target judges: late and missing frames at the daemon."""
        return self.late + self.missing

    @property
    def step_us(self) -> float:
        """Microseconds of all the lanes' processor time for one step of one session."""
        return self.cores["lanes"] / (self.sessions * self.moving * STEPS_PER_SECOND) * 1e6

    def __str__(self) -> str:
        parts = f"{self.parts:.1f} components a frame, " if self.parts else ""
        return (
            f"{self.sessions:,} {self.way.noun}: {self.late:.2%} late, {self.missing:.2%} missing, "
            f"arrived late {self.late_arrivals:.2%} (at most {self.latest_ms:.0f} ms), "
            f"{self.arrived:.0%} of the {self.way.channel}s made arrived, {self.lost} lost, "
            f"{parts}{self.moving:.1%} moved, "
            f"{self.steps_jumped} steps jumped, cores {self.cores['all']:.2f} "
            f"(lanes {self.cores['lanes']:.2f}, reactor {self.cores['reactor']:.2f}, "
            f"zmq {self.cores['zmq']:.2f}; elsewhere {self.elsewhere:.2f}), "
            f"{self.step_us:.2f} µs a step of a session, control {self.control_ms[0]:.1f} ms, "
            f"at most {self.control_ms[1]:.0f} ms: {'held' if self.holds else 'NOT held'}")


class Swing:
    """One daemon. Trials open its sessions as they need them. Sessions rest between trials."""

    def __init__(self, daemon, way: Way, hands: pathlib.Path, seconds: float):
        self.daemon, self.way, self.hands, self.seconds = daemon, way, hands, seconds
        self.control = Control(daemon)
        self.opened = 0
        self.watcher = Peer("watch", daemon.updates, SESSIONS_MAX, way.every, way.channel)
        self.watcher.line(0)

    def trial(self, sessions: int, profiled: bool = False) -> Trial:
        if sessions > self.opened:
            # Opens them over some time, so that sessions share a frame's step only by chance.
            open_sessions(
                self.control, self.way.scene, range(self.opened, sessions), per_second=3_000)
            self.opened = sessions
        wait_for_rest(self.control)
        with Peer("swing", self.daemon.events, sessions, self.way.period_ms, self.hands) as swing:
            swing.line(0)
            time.sleep(self.way.period_ms / 1_000 + 0.7)
            sampled = Profile(self.daemon.process.pid) if profiled else None
            result = self._measure(sessions, swing.process.pid)
            for peer in (swing, self.watcher):
                assert not peer.has_ended, f"{peer.process.args} ended too soon"
            if sampled:
                result.profile = sampled.top()
        wait_for_rest(self.control)
        return result

    def _measure(self, sessions: int, swing: int) -> Trial:
        watched = math.ceil(sessions / self.way.every)
        pid = self.daemon.process.pid
        before, began = stats(self.control), time.monotonic()
        used, arrived, line = Processor.read(pid), self.watcher.last(), len(self.watcher.lines)
        elsewhere = Elsewhere(pid, swing, self.watcher.process.pid)
        moving, answers = [], []
        while time.monotonic() - began < self.seconds:
            asked = time.monotonic()
            moving.append(stats(self.control)["sessions_moving"])
            answers.append((time.monotonic() - asked) * 1_000)
            time.sleep(0.05)
        after, elapsed = stats(self.control), time.monotonic() - began
        seconds, others = Processor.read(pid).since(used), elsewhere.cores()
        # Waits one interval of the watcher, so that its count is up to date.
        time.sleep(0.1)
        came, lines = self.watcher.last(), self.watcher.lines[line:]
        assert len(lines) > 1, "the watcher prints nothing any more"
        assert came["strange"] == 0, f"unexpected states: {came}"
        # Only what moves owes frames: under overload hands come late, and tips rest in between.
        moved = sum(moving) / len(moving) / sessions
        due = watched * moved * FRAME_RATE * elapsed
        # The daemon makes a frame without changes too, but does not send it.
        made = sum(after[name] - before[name] for name in ("frames", "frames_still"))
        arrivals = came["states"] - arrived["states"]
        arrived_rate = arrivals / (came["at"] - arrived["at"])
        made_rate = (after[self.way.counter] - before[self.way.counter]) / elapsed
        counted = came["counted"] - arrived["counted"]
        return Trial(
            way=self.way, sessions=sessions,
            late=(after["frames_late"] - before["frames_late"]) / due,
            missing=max(0.0, 1 - made / due),
            late_arrivals=(came["late"] - arrived["late"]) / max(1, arrivals),
            arrived=arrived_rate / made_rate if made_rate else 0,
            parts=(came["parts"] - arrived["parts"]) / counted if counted else 0,
            latest_ms=max((entry["latest_ms"] for entry in lines), default=math.nan),
            lost=came["missed"] - arrived["missed"], moving=moved,
            steps_jumped=after["steps_jumped"] - before["steps_jumped"],
            cores={kind: value / elapsed for kind, value in seconds.items()}, elsewhere=others,
            control_ms=(sorted(answers)[len(answers) // 2], max(answers)))


@dataclass
class Result:
    way: Way
    # The tries of the largest number that held, and all tries in order.
    most: list[Trial]
    trials: list[Trial]
    profile: list[str]
    # How often the number found was tried again. 0: nothing was searched.
    tries: int

    @property
    def sessions(self) -> int:
        return self.most[0].sessions if self.most else 0

    @property
    def is_met(self) -> bool:
        return self.sessions >= self.way.target


def measure(
    way: Way, seconds: float, factor: float, bisections: int, tries: int, say
) -> Result:
    """Searches the largest number that holds. Tries it again; lowers it while most tries fail.

    Without `tries` it searches nothing: it tries a part of the target, which shows what is lost.
    """
    trials: list[Trial] = []
    with start() as daemon, tempfile.NamedTemporaryFile("w", suffix=".hands") as hands:
        for milliseconds, topic, body in way.hands:
            print(milliseconds, topic.format("s00000"), json.dumps(body), file=hands)
        hands.flush()
        swing = Swing(daemon, way, pathlib.Path(hands.name), seconds)

        def tried(sessions: int) -> Trial:
            for _ in range(DISTURBED_MAX):
                trials.append(swing.trial(sessions))
                say(str(trials[-1]))
                if not trials[-1].is_spoilt:
                    break
            return trials[-1]

        with swing.watcher:
            if tries:
                found = search(way.target, factor, bisections, tried)
                most = confirm(found, tries, way.target // 20, tried)
            else:
                trial = tried(way.target // 10)
                most = [trial] if trial.holds else []
            sampled = swing.trial(most[0].sessions if most else 100, profiled=True).profile
    return Result(way, most, trials, sampled, tries)


def search(target: int, factor: float, bisections: int, tried) -> int:
    """Goes from the target by factors until the result changes, then bisects. Retries failures."""

    def holds(sessions: int) -> bool:
        return tried(sessions).holds or tried(sessions).holds

    low, high = 0, 0
    sessions = target
    if holds(sessions):
        low = target
        while not high and (sessions := int(sessions * factor)) <= SESSIONS_MAX:
            low, high = (low, sessions) if not holds(sessions) else (sessions, 0)
    else:
        high = sessions
        while not low and (sessions := int(sessions / factor)) >= target // 20:
            low, high = (sessions, high) if holds(sessions) else (0, sessions)
    for _ in range(bisections if low and high else 0):
        sessions = int(math.sqrt(low * high))
        low, high = (sessions, high) if holds(sessions) else (low, sessions)
    return low


def confirm(sessions: int, tries: int, least: int, tried) -> list[Trial]:
    """New tries of this number or a lower one, most of which hold. The search's try is biased."""
    while sessions >= least:
        done: list[Trial] = []
        while len(done) < tries and sum(not trial.holds for trial in done) <= tries // 2:
            done.append(tried(sessions))
        if sum(trial.holds for trial in done) > tries // 2:
            return done
        sessions = int(sessions * STEP_DOWN)
    return []


# MARK: Report


def rows(results: list[Result]) -> list[tuple[str, str, str, str]]:
    found = []
    for result in results:
        searched = (f"{result.way.target:,}", verdict(result.is_met)) if result.tries else (
            "not searched", "")
        found.append((result.way.title, f"{result.sessions:,}", *searched))
        if result.most:
            found += [
                ("… of their frames late or missing at the daemon",
                 spread([trial.late_in_all for trial in result.most], ".2%"),
                 f"< {LATE_MAX:.0%}, of the median", ""),
                (f"… of their {result.way.channel}s late on arrival at the subscriber",
                 spread([trial.late_arrivals for trial in result.most], ".2%"), "", "")]
    return found


def sections(result: Result) -> list[str]:
    anew = (
        f"; the number found is then tried {result.tries} times anew, and gives way to "
        f"{STEP_DOWN:.0%} of it until most tries hold" if result.tries else "")
    return [
        f"## {result.way.title[0].upper()}{result.way.title[1:]}",
        f"{result.way.told} Late: a frame more than one step (8.3 ms) after its time when the "
        "daemon has made it, before it is sent; missing: a frame that was due and not made, "
        "because a later one was. Held: both under 1 % together, no step jumped, nothing lost, "
        f"and as many {result.way.channel}s arrived a second as were made, but for "
        f"{1 - ARRIVED_MIN:.0%}. Arrived late: more than a step after their time when the "
        "subscriber has them; libzmq's queues and the subscriber itself, which takes its part of "
        "the cores, count there, and no target is set for it. In the search, what does not hold "
        f"is tried once more{anew}. A try that does not hold while others, the machine's host "
        f"among them, take more than {DISTURBED_CORES} of a core does not count, "
        f"{DISTURBED_MAX - 1} times in a row at most.",
        bullets(map(str, result.trials)), *profile(result.profile)]


def columns(results: list[Result]) -> dict[str, object]:
    row: dict[str, object] = {}
    for way in WAYS:
        result = next((result for result in results if result.way is way), None)
        row[way.column] = result and result.sessions
        for share, of in (("late", "late_in_all"), ("late_arrivals", "late_arrivals")):
            row[f"{way.column}_{share}"] = round(
                statistics.median(getattr(trial, of) for trial in result.most), 4
            ) if result and result.most else None
    return row
