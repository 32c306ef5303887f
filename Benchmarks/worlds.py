"""Compares the steps and bytes of small worlds with the same scenes in Box2D 2.4."""

from __future__ import annotations

import json
import statistics
import subprocess
from dataclasses import dataclass, field

from rig import BUILD, REPOSITORY, Profile

OURS = REPOSITORY / ".build" / "release" / "worlds"
THEIRS = BUILD / "box2d"
# The least speed of our step, as a multiple of Box2D's.
TARGETS = {"snap": 8.0, "tip": 5.0, "stack": 2.0}
BYTES_TARGET = 50
TITLES = {
    "snap": "one view and its snap",
    "tip": "the tip with pin, snap and rod",
    "stack": "ten boxes falling into a stack",
}
# The largest distance (pt) between both ends. Box2D 2.4 has other springs than 2.3, and stacks are
# chaotic, so this only shows that both played the same scene.
NEAR = {"snap": 5.0, "tip": 10.0, "stack": 60.0}


@dataclass
class Result:
    scene: str
    rounds: list[tuple[dict, dict]]
    profile: list[str] = field(default_factory=list)

    def ours(self, name: str) -> list[float]:
        return [ours[name] for ours, _ in self.rounds]

    def theirs(self, name: str) -> list[float]:
        return [theirs[name] for _, theirs in self.rounds]

    def ratios(self, name: str) -> list[float]:
        return [theirs[name] / ours[name] for ours, theirs in self.rounds]

    def ratio(self, name: str) -> float:
        return statistics.median(self.ratios(name))

    @property
    def is_fast(self) -> bool:
        return self.ratio("ns") >= TARGETS[self.scene]

    @property
    def is_small(self) -> bool:
        return self.ratio("bytes") >= BYTES_TARGET


def run(binary, scene: str, seconds: float) -> dict:
    said = subprocess.run(
        [str(binary), scene, str(seconds)], capture_output=True, text=True, timeout=120)
    assert said.returncode == 0, f"{binary} {scene}: {said.stderr}"
    found = json.loads(said.stdout)
    assert found["awake"], f"{binary} {scene} fell asleep: its steps would cost nothing"
    return found


def profiled(scene: str, seconds: float) -> list[str]:
    with subprocess.Popen(
            [str(OURS), scene, str(seconds)], stdout=subprocess.DEVNULL) as process:
        profile = Profile(process.pid)
        process.wait(120)
        return [line for line in profile.top() if not line.endswith("of these:")]


def measure(scene: str, seconds: float, rounds: int, is_profiled: bool, say) -> Result:
    done = []
    for number in range(rounds):
        # In turns, each in its own process, so that other programs disturb both alike.
        ours, theirs = run(OURS, scene, seconds), run(THEIRS, scene, seconds)
        away = max(abs(ours[name] - theirs[name]) for name in "xy")
        assert away <= NEAR[scene], f"{scene} is another scene: {ours}, {theirs}"
        done.append((ours, theirs))
        say(f"{scene} {number + 1}: {ours['ns']:,.0f} ns and {theirs['ns']:,.0f} ns a step, "
            f"ratio {theirs['ns'] / ours['ns']:.2f}; {ours['bytes']:,} and {theirs['bytes']:,} "
            "bytes a world")
    return Result(scene, done, profiled(scene, 2) if is_profiled else [])
