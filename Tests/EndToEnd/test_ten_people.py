"""Ten people and eight tokens at one table: nobody takes another's item, and nothing is lost.

TEN_PEOPLE_SECONDS=600 makes it ten minutes, whose figures docs/performance.md has.
"""

from __future__ import annotations

import cmath
import math
import os
import pathlib
import subprocess
import sys
import time
from dataclasses import dataclass, field

from client import Daemon, Subscriber
from crowd import FINGERS, PEOPLE, TOKENS, item_following, item_of, scene

SECONDS = float(os.environ.get("TEN_PEOPLE_SECONDS", 10))
# Points by which an item may leave the place that it has in its hand.
SLIP_MAX = 0.5
# Milliseconds after which 99 of 100 messages have come.
DELAY_MS = 50
# Turns and scales count as points at this distance from an item's center.
ARM = 100


@dataclass
class Hand:
    """One person's fingers and item."""

    person: int
    landed: dict | None = None
    base: tuple[list[complex], dict] | None = None
    holds: int = 0
    worst: float = 0.0

    def __post_init__(self) -> None:
        first = 1 + self.person * FINGERS
        self.pointers = range(first, first + FINGERS)
        self.item = f"i{item_of(self.person)}"

    def check(self, touches: dict[int, dict], view: dict) -> None:
        """The item keeps its place in a hand of four fingers, once it has followed this."""
        down = [touches[pointer] for pointer in self.pointers if pointer in touches]
        if not down:
            self.landed = None
        elif self.landed is None:
            self.landed = view
        if len(down) < FINGERS:
            self.base = None
        elif self.base:
            self.worst = max(self.worst, slip(self.base, places(down), view))
        elif pose(view) != pose(self.landed):
            self.base = places(down), view
            self.holds += 1


def pose(view: dict) -> tuple[float, ...]:
    return view["x"], view["y"], view["rotation"], view["scale"]


def places(touches: list[dict]) -> list[complex]:
    return [complex(touch["x"], touch["y"]) for touch in touches]


def slip(base: tuple[list[complex], dict], now: list[complex], view: dict) -> float:
    """Points by which an item has left its place: the similarity with the least squares that takes
    the fingers from where they were to where they are takes the item there, too."""
    fingers, first = base
    middle, present = sum(fingers) / len(fingers), sum(now) / len(now)
    turn = sum((one - middle).conjugate() * (other - present)
               for one, other in zip(fingers, now)) / sum(abs(one - middle) ** 2 for one in fingers)
    center = present + turn * (complex(first["x"], first["y"]) - middle)
    angle = math.remainder(view["rotation"] - first["rotation"] - cmath.phase(turn), math.tau)
    return max(abs(complex(view["x"], view["y"]) - center), abs(angle) * ARM,
               abs(view["scale"] - first["scale"] * abs(turn)) * ARM)


@dataclass
class Seen:
    """All that one subscriber sees of the table."""

    views: dict[str, dict] = field(default_factory=dict)
    touches: dict[int, dict] = field(default_factory=dict)
    delays: list[float] = field(default_factory=list)
    gaps: list[float] = field(default_factory=list)
    strays: set[str] = field(default_factory=set)
    token_worst: float = 0.0
    token_looks: int = 0

    def __post_init__(self) -> None:
        self.hands = [Hand(person) for person in range(PEOPLE)]
        held = {hand.item for hand in self.hands}
        led = {f"i{item_following(token)}" for token in range(TOKENS)}
        self.still = {f"i{number}" for number in range(64)} - held - led
        self.first: dict[str, dict] = {}
        self.last = 0.0

    def take(self, body: dict) -> None:
        self.delays.append(time.time() * 1000 - body["t"])
        if self.last:
            self.gaps.append(body["t"] - self.last)
        self.last = body["t"]
        state = next((it for it in body["states"] if it["component"] == "table"), None)
        if "touches" in body:
            self.touches = {touch["pointer"]: touch for touch in body["touches"]}
        if state is None:
            return
        self.views = state["views"]
        self.first = self.first or self.views
        for item in self.still:
            if self.views[item] != self.first[item]:
                self.strays.add(item)
        for hand in self.hands:
            hand.check(self.touches, self.views[hand.item])
        for token in state["model"].get("tokens", []):
            view = self.views[f"i{item_following(token['symbol'] - 1)}"]
            self.token_looks += 1
            self.token_worst = max(self.token_worst, math.hypot(
                view["x"] - token["x"], view["y"] - token["y"]))


def follow(updates: Subscriber, topic: str, process: subprocess.Popen, seen: Seen) -> None:
    """Until the crowd has gone, and for a moment longer."""
    end = None
    while end is None or time.monotonic() < end:
        if end is None and process.poll() is not None:
            end = time.monotonic() + 1
        update = updates.next(0.1)
        if update is None:
            continue
        assert update.topic == topic, f"refused: {update}"
        seen.take(update.body)


def test_ten_people_and_eight_tokens():
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("table", scene())
        before = control.ok("stats")["stats"]
        updates = daemon.subscriber("frame/table", "rejected/")
        seen = Seen()
        process = subprocess.Popen(
            [sys.executable, pathlib.Path(__file__).with_name("crowd.py"), daemon.push,
             daemon.updates.split(",")[0], "table", str(SECONDS), "7"],
            stdout=subprocess.PIPE, text=True)
        try:
            follow(updates, "frame/table", process, seen)
            assert process.returncode == 0
            sent = int(process.stdout.read())
        finally:
            process.kill()
            process.wait()
            process.stdout.close()
        after = control.ok("stats")["stats"]
        assert control.snapshot("table")["touches/table"]["touches"] == []
    late = after["frames_late"] - before["frames_late"]
    taken = after["events"] - before["events"]
    holds = sum(hand.holds for hand in seen.hands)
    worst = max(hand.worst for hand in seen.hands)
    delays = sorted(seen.delays)
    p99 = delays[len(delays) * 99 // 100]
    print(f"\n{SECONDS:.0f} s, {sent} samples ({sent / SECONDS:.0f} a second), {holds} holds of "
          f"four fingers: an item slips by {worst:.4f} points at most, an item of a token by "
          f"{seen.token_worst:.4f}; {len(delays)} messages, p99 {p99:.1f} ms after what they show, "
          f"longest gap {max(seen.gaps):.1f} ms, {late} frames late")
    assert not seen.strays, f"items that nobody has touched have moved: {seen.strays}"
    assert holds >= PEOPLE * max(1, SECONDS // 5), "too few holds to prove anything"
    assert worst < SLIP_MAX and seen.token_worst < SLIP_MAX
    assert seen.token_looks > 100
    assert taken == sent, "an event is lost"
    assert p99 <= DELAY_MS
