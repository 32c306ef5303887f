"""Finds how many swinging tips hold 60 frames a second with under 1 % late or missing."""

from __future__ import annotations

import math
import statistics
import time
from dataclasses import dataclass, field

from rig import (
    Control, Elsewhere, Peer, Processor, Profile, open_sessions, start, stats, wait_for_rest)
from text import bullets, profile, spread, verdict

FRAME_RATE = 60
STEPS_PER_SECOND = 120
LATE_MAX = 0.01
# The least average share of moving tips. Below it they did not swing all the time.
MOVING_MIN = 0.97
# The least share of the daemon's states that must arrive. The watcher reports ten times a second,
# so its span differs a little from the daemon's.
ARRIVED_MIN = 0.95
# If most tries of a number of tips fail, it is multiplied by this.
STEP_DOWN = 0.9
# A tip is dragged for 0.1 s, leaves in 0.4 s and swings in for 0.6 s. The next fling catches it.
PERIOD_MS = 1_100
# Without other subscribers, the watcher subscribes to one session in this many.
PROBE_EVERY = 100
SESSIONS_MAX = 64_000


@dataclass
class Trial:
    """The result of a number of swinging tips."""

    tips: int
    # Shares of the due frames: more than a step late at the daemon, or never made.
    late: float
    missing: float
    # The share of frames that arrived more than a step after their own time.
    late_arrivals: float
    latest_ms: float
    # States arrived a second, divided by states made a second.
    arrived: float
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
    def late_in_all(self) -> float:
        """The share that the target judges: late and missing frames at the daemon."""
        return self.late + self.missing

    @property
    def step_us(self) -> float:
        """Microseconds of all the lanes' processor time for one step of one tip."""
        return self.cores["lanes"] / (self.tips * self.moving * STEPS_PER_SECOND) * 1e6

    def __str__(self) -> str:
        return (
            f"{self.tips:,} tips: {self.late:.2%} late, {self.missing:.2%} missing, arrived late "
            f"{self.late_arrivals:.2%} (at most {self.latest_ms:.0f} ms), {self.arrived:.0%} of "
            f"the states made arrived, {self.lost} lost, {self.moving:.1%} moved, "
            f"{self.steps_jumped} steps jumped, cores {self.cores['all']:.2f} "
            f"(lanes {self.cores['lanes']:.2f}, reactor {self.cores['reactor']:.2f}, "
            f"zmq {self.cores['zmq']:.2f}; elsewhere {self.elsewhere:.2f}), "
            f"{self.step_us:.2f} µs a step of a tip, control {self.control_ms[0]:.1f} ms, "
            f"at most {self.control_ms[1]:.0f} ms: {'held' if self.holds else 'NOT held'}")


class Swing:
    """One daemon. Trials open its sessions as they need them. Sessions rest between trials."""

    def __init__(self, daemon, is_subscribed: bool, seconds: float):
        self.daemon, self.seconds = daemon, seconds
        self.control = Control(daemon)
        self.every = 1 if is_subscribed else PROBE_EVERY
        self.opened = 0
        self.watcher = Peer("watch", daemon.updates, SESSIONS_MAX, self.every)
        self.watcher.line(0)

    def trial(self, tips: int, profiled: bool = False) -> Trial:
        if tips > self.opened:
            # Opens them over some time, so that sessions share a frame's step only by chance.
            open_sessions(self.control, "tips", range(self.opened, tips), per_second=3_000)
            self.opened = tips
        wait_for_rest(self.control)
        with Peer("swing", self.daemon.events, tips, PERIOD_MS) as swing:
            swing.line(0)
            time.sleep(PERIOD_MS / 1_000 + 0.7)
            sampled = Profile(self.daemon.process.pid) if profiled else None
            result = self._measure(tips, swing.process.pid)
            for peer in (swing, self.watcher):
                assert not peer.has_ended, f"{peer.process.args} ended too soon"
            if sampled:
                result.profile = sampled.top()
        wait_for_rest(self.control)
        return result

    def _measure(self, tips: int, swing: int) -> Trial:
        watched = math.ceil(tips / self.every)
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
        # Only moving tips owe frames: under overload flings come late, and tips rest in between.
        moved = sum(moving) / len(moving) / tips
        due = watched * moved * FRAME_RATE * elapsed
        # The daemon makes a frame without changes too, but does not send it.
        made = sum(after[name] - before[name] for name in ("frames", "frames_still"))
        arrivals = came["states"] - arrived["states"]
        arrived_rate = arrivals / (came["at"] - arrived["at"])
        made_rate = (after["states"] - before["states"]) / elapsed
        return Trial(
            tips=tips, late=(after["frames_late"] - before["frames_late"]) / due,
            missing=max(0.0, 1 - made / due),
            late_arrivals=(came["late"] - arrived["late"]) / max(1, arrivals),
            arrived=arrived_rate / made_rate if made_rate else 0,
            latest_ms=max((entry["latest_ms"] for entry in lines), default=math.nan),
            lost=came["missed"] - arrived["missed"], moving=moved,
            steps_jumped=after["steps_jumped"] - before["steps_jumped"],
            cores={kind: value / elapsed for kind, value in seconds.items()}, elsewhere=others,
            control_ms=(sorted(answers)[len(answers) // 2], max(answers)))


@dataclass
class Result:
    target: int
    # The tries of the largest number that held, and all tries in order.
    most: list[Trial]
    trials: list[Trial]
    profile: list[str]
    # How often the number found was tried again. 0: the one successful try counts.
    tries: int

    @property
    def tips(self) -> int:
        return self.most[0].tips if self.most else 0

    @property
    def is_met(self) -> bool:
        return self.tips >= self.target


def measure(
    is_subscribed: bool, target: int, seconds: float, factor: float, bisections: int, tries: int,
    say
) -> Result:
    """Searches the largest number that holds. Tries it again; lowers it while most tries fail."""
    trials: list[Trial] = []
    with start() as daemon:
        swing = Swing(daemon, is_subscribed, seconds)

        def tried(tips: int) -> Trial:
            trials.append(swing.trial(tips))
            say(str(trials[-1]))
            return trials[-1]

        with swing.watcher:
            found = search(target, factor, bisections, tried)
            most = confirm(found, tries, target // 20, tried) if tries else [
                trial for trial in trials if trial.tips == found and trial.holds]
            sampled = swing.trial(most[0].tips if most else 100, profiled=True).profile
    return Result(target, most, trials, sampled, tries)


def search(target: int, factor: float, bisections: int, tried) -> int:
    """Goes from the target by factors until the result changes, then bisects. Retries failures."""

    def holds(tips: int) -> bool:
        return tried(tips).holds or tried(tips).holds

    low, high = 0, 0
    tips = target
    if holds(tips):
        low = target
        while not high and (tips := int(tips * factor)) <= SESSIONS_MAX:
            low, high = (low, tips) if not holds(tips) else (tips, 0)
    else:
        high = tips
        while not low and (tips := int(tips / factor)) >= target // 20:
            low, high = (tips, high) if holds(tips) else (0, tips)
    for _ in range(bisections if low and high else 0):
        tips = int(math.sqrt(low * high))
        low, high = (tips, high) if holds(tips) else (low, tips)
    return low


def confirm(tips: int, tries: int, least: int, tried) -> list[Trial]:
    """New tries of this number or a lower one, most of which hold. The search's try is biased."""
    while tips >= least:
        done: list[Trial] = []
        while len(done) < tries and sum(not trial.holds for trial in done) <= tries // 2:
            done.append(tried(tips))
        if sum(trial.holds for trial in done) > tries // 2:
            return done
        tips = int(tips * STEP_DOWN)
    return []


# MARK: Report


def rows(results: dict[bool, Result]) -> list[tuple[str, str, str, str]]:
    found = []
    for is_subscribed, result in results.items():
        found.append((
            f"swinging tips at 60 Hz, {'all' if is_subscribed else 'none'} subscribed",
            f"{result.tips:,}", f"{result.target:,}", verdict(result.is_met)))
        if result.most:
            found += [
                ("… of their frames late or missing at the daemon",
                 spread([trial.late_in_all for trial in result.most], ".2%"),
                 f"< {LATE_MAX:.0%}, of the median", ""),
                ("… of their states late on arrival at the subscriber",
                 spread([trial.late_arrivals for trial in result.most], ".2%"), "", "")]
    return found


def sections(is_subscribed: bool, result: Result) -> list[str]:
    watched = (
        "One subscriber takes all states." if is_subscribed else
        f"One session in {PROBE_EVERY} is subscribed to by its name, as a probe.")
    anew = (
        f"; the number found is then tried {result.tries} times anew, and gives way to "
        f"{STEP_DOWN:.0%} of it until most tries hold" if result.tries else "")
    return [
        f"## Swinging tips, {'all' if is_subscribed else 'none'} subscribed",
        f"Each tip is dragged off once in {PERIOD_MS:,} ms and swings in again. {watched} Late: a "
        "frame more than one step (8.3 ms) after its time when the daemon has made it, before it "
        "is sent; missing: a frame that was due and not made, because a later one was. Held: both "
        "under 1 % together, no step jumped, nothing lost, and as many states arrived a second as "
        f"were made, but for {1 - ARRIVED_MIN:.0%}. Arrived late: more than a step after their "
        "time when the subscriber has them; libzmq's queues and the subscriber itself, which takes "
        "its part of the cores, count there, and no target is set for it. In the search, what does "
        f"not hold is tried once more{anew}.",
        bullets(map(str, result.trials)), *profile(result.profile)]


def columns(results: dict[bool, Result]) -> dict[str, object]:
    row: dict[str, object] = {}
    for is_subscribed, name in ((True, "tips_subscribed"), (False, "tips_unsubscribed")):
        result = results.get(is_subscribed)
        row[name] = result and result.tips
        for share, of in (("late", "late_in_all"), ("late_arrivals", "late_arrivals")):
            row[f"{name}_{share}"] = round(
                statistics.median(getattr(trial, of) for trial in result.most), 4
            ) if result and result.most else None
    return row
