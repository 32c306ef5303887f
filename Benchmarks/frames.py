"""How many swinging tips hold 60 frames a second with under 1 % late or missing frames."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field

from rig import (
    Control, Elsewhere, Peer, Processor, Profile, open_sessions, start, stats, wait_for_rest)

FRAME_RATE = 60
STEPS_PER_SECOND = 120
LATE_MAX = 0.01
# Of the tips, on average over the time: else they were not swinging all the time.
MOVING_MIN = 0.97
# A fling is dragged for 0.1 s, leaves for 0.4 s and swings in for 0.6 s: caught before it rests.
PERIOD_MS = 1_100
# With nobody else listening, one session in so many is watched by its name, as a probe.
PROBE_EVERY = 100
SESSIONS_MAX = 64_000


@dataclass
class Trial:
    """What a number of swinging tips led to."""

    tips: int
    # Of the frames that were due: later than a step at the daemon, or never made.
    late: float
    missing: float
    # Of the frames that arrived: more than a step after the time that they show.
    late_arrivals: float
    latest_ms: float
    lost: int
    moving: float
    steps_jumped: int
    cores: dict[str, float]
    # Cores that other processes of the machine kept busy meanwhile.
    elsewhere: float
    control_ms: tuple[float, float]
    profile: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        is_on_time = self.late + self.missing < LATE_MAX and self.moving > MOVING_MIN
        return is_on_time and self.steps_jumped == 0 and self.lost == 0

    @property
    def step_us(self) -> float:
        """Microseconds of the lanes' processor time for one step of one tip, all included."""
        return self.cores["lanes"] / (self.tips * self.moving * STEPS_PER_SECOND) * 1e6

    def __str__(self) -> str:
        return (
            f"{self.tips:,} tips: {self.late:.2%} late, {self.missing:.2%} missing, arrived late "
            f"{self.late_arrivals:.2%} (at most {self.latest_ms:.0f} ms), {self.moving:.1%} moved, "
            f"{self.steps_jumped} steps jumped, cores {self.cores['all']:.2f} "
            f"(lanes {self.cores['lanes']:.2f}, reactor {self.cores['reactor']:.2f}, "
            f"zmq {self.cores['zmq']:.2f}; elsewhere {self.elsewhere:.2f}), "
            f"{self.step_us:.2f} µs a step of a tip, control {self.control_ms[0]:.1f} ms, "
            f"at most {self.control_ms[1]:.0f} ms: {'held' if self.holds else 'NOT held'}")


class Swing:
    """One daemon; its sessions are opened as trials need them, and rest between them."""

    def __init__(self, daemon, is_subscribed: bool, seconds: float):
        self.daemon, self.seconds = daemon, seconds
        self.control = Control(daemon)
        self.every = 1 if is_subscribed else PROBE_EVERY
        self.opened = 0
        self.watcher = Peer("watch", daemon.updates, SESSIONS_MAX, self.every)
        self.watcher.line(0)

    def trial(self, tips: int, profiled: bool = False) -> Trial:
        if tips > self.opened:
            # Spread over time: sessions share a frame's step only as they would by chance.
            open_sessions(self.control, "tips", range(self.opened, tips), per_second=3_000)
            self.opened = tips
        wait_for_rest(self.control)
        with Peer("swing", self.daemon.events, tips, PERIOD_MS) as swing:
            swing.line(0)
            time.sleep(PERIOD_MS / 1_000 + 0.7)
            profile = Profile(self.daemon.process.pid) if profiled else None
            result = self._measure(tips, swing.process.pid)
            if profile:
                result.profile = profile.top()
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
        # What the watcher counts stands still for no more than its interval.
        time.sleep(0.1)
        came, lines = self.watcher.last(), self.watcher.lines[line:]
        # A frame is due of what moves: in overload, flings come late and tips rest in between.
        moved = sum(moving) / len(moving) / tips
        due = watched * moved * FRAME_RATE * elapsed
        # One that showed nothing new was made as well, only not sent.
        made = sum(after[name] - before[name] for name in ("frames", "frames_still"))
        arrivals = max(1, came["states"] - arrived["states"])
        return Trial(
            tips=tips, late=(after["frames_late"] - before["frames_late"]) / due,
            missing=max(0.0, 1 - made / due),
            late_arrivals=(came["late"] - arrived["late"]) / arrivals,
            latest_ms=max((entry["latest_ms"] for entry in lines), default=math.nan),
            lost=came["missed"] - arrived["missed"], moving=moved,
            steps_jumped=after["steps_jumped"] - before["steps_jumped"],
            cores={kind: value / elapsed for kind, value in seconds.items()}, elsewhere=others,
            control_ms=(sorted(answers)[len(answers) // 2], max(answers)))


@dataclass
class Result:
    target: int
    # The most that held, and what was tried, in order.
    most: Trial | None
    trials: list[Trial]
    profile: list[str]

    @property
    def tips(self) -> int:
        return self.most.tips if self.most else 0

    @property
    def is_met(self) -> bool:
        return self.tips >= self.target


def measure(
    is_subscribed: bool, target: int, seconds: float, factor: float, bisections: int, say
) -> Result:
    """From the target by factors to where it changes, then halved; what fails is tried again."""
    with start() as daemon:
        swing = Swing(daemon, is_subscribed, seconds)
        trials: list[Trial] = []

        def holds(tips: int) -> bool:
            for _ in range(2):
                trials.append(swing.trial(tips))
                say(str(trials[-1]))
                if trials[-1].holds:
                    return True
            return False

        with swing.watcher:
            low, high = 0, 0
            tips = target
            if holds(tips):
                while not high and (tips := int(tips * factor)) <= SESSIONS_MAX:
                    low, high = (low, tips) if not holds(tips) else (tips, 0)
                low = max(low, target)
            else:
                high = tips
                while not low and (tips := int(tips / factor)) >= target // 20:
                    low, high = (tips, high) if holds(tips) else (0, tips)
            for _ in range(bisections if low and high else 0):
                tips = int(math.sqrt(low * high))
                low, high = (tips, high) if holds(tips) else (low, tips)
            profile = swing.trial(max(low, 100), profiled=True).profile
        held = [trial for trial in trials if trial.holds]
        most = max(held, key=lambda trial: trial.tips, default=None)
        return Result(target, most, trials, profile)
