"""Views in mid-air, and how a subscriber sees them change their owner."""

from __future__ import annotations

import itertools
import statistics
from dataclasses import dataclass

from cluster import Cluster
from cluster_clients import Heard
from scenes import dynamics, scene

# Points per second of what flies, and per frame.
SPEED = 60
FRAMES_PER_SECOND = 60
STEP = SPEED / FRAMES_PER_SECOND


def flight() -> dict:
    """One item that nothing slows; it has room for a minute."""
    return scene(dynamics(
        items=[{"id": "ball", "center": [20, 50], "size": [20, 20]}],
        behaviors=[{"id": "free", "kind": "item", "items": ["ball"], "resistance": 0}]),
    ) | {"viewport": [6_000, 568]}


@dataclass
class Move:
    """A session's change of owner, as a subscriber sees it."""

    session: str
    way: tuple[str, str]
    # Seconds between the last update of the former owner and the first of the next.
    pause: float
    # Points from the former's last place to the next one's first.
    jump: float
    # Points per frame before and afterwards.
    speeds: tuple[float, float]


def moves(histories: dict[str, list[Heard]]) -> list[Move]:
    found = []
    for session, history in histories.items():
        for index, (before, after) in enumerate(itertools.pairwise(history)):
            if before[1] != after[1]:
                found.append(Move(
                    session, (before[1], after[1]), after[0] - before[0],
                    place(after) - place(before),
                    (speed(history[:index + 1][-6:]), speed(history[index + 1:][:6]))))
    return found


def place(entry: Heard) -> float:
    return entry[2]["views"]["ball"]["x"]


def speed(entries: list[Heard]) -> float:
    """By the session's clock: a subscription is answered with the last state once more, and an
    event has a state go out between two frames."""
    speeds = [
        (place(after) - place(before)) / frames
        for before, after in itertools.pairwise(entries)
        if (frames := (after[2]["t"] - before[2]["t"]) * FRAMES_PER_SECOND / 1000) > 0]
    return statistics.median(speeds) if speeds else STEP


def expect_continuous(found: list[Move]) -> None:
    for move in found:
        assert -STEP <= move.jump <= 3 * STEP, f"it did not go on from where it was: {move}"
        assert all(abs(each - STEP) < 0.3 * STEP for each in move.speeds), f"its velocity: {move}"


def throw(cluster: Cluster, session: str) -> None:
    cluster.ok("open", session, scene=flight())
    cluster.publish(f"command/{session}/world", {
        "command": "add-velocity", "item": "ball", "dx": SPEED, "dy": 0})


def put_back(cluster: Cluster, session: str) -> None:
    """To its first place, from where it goes on: a world may move alone for a minute."""
    cluster.publish(f"command/{session}/world", {
        "command": "set", "item": "ball", "values": {"center": [20, 50]}})


def catch(cluster: Cluster, session: str) -> None:
    cluster.publish(f"command/{session}/world", {
        "command": "remove-behavior", "behavior": "free"})


def percentile(pauses: list[float], share: float) -> float:
    ordered = sorted(pauses)
    return ordered[int(share * (len(ordered) - 1))]
