"""What the tests say about views and times, in the contract's units."""

from __future__ import annotations

import math

from client import Subscriber, Update

STEP = 1000 / 120  # milliseconds


def near(value: float, expected: float, tolerance: float = 0.0011) -> bool:
    return abs(value - expected) <= tolerance


def turned(rotation: float, expected: float, tolerance: float = 2e-6) -> bool:
    """Whether two rotations are the same direction."""
    return abs(math.remainder(rotation - expected, 2 * math.pi)) <= tolerance


def expect_view(body: dict, name: str, tolerance: float = 0.0011, **fields: float) -> None:
    views = body["views"]
    assert name in views, f"no view {name!r} among {sorted(views)} in {body}"
    for key, expected in fields.items():
        shown = views[name][key]
        assert near(shown, expected, tolerance), f"{name}.{key} is {shown}, not {expected}: {body}"


def milliseconds(later: Update, earlier: Update) -> float:
    return later.t - earlier.t


def expect_span(earlier: Update, later: Update, seconds: float) -> None:
    """Two updates lie a time apart, up to the step that rounds it."""
    span = milliseconds(later, earlier)
    steps = math.ceil(seconds * 120 - 1e-9)
    assert near(span, steps * STEP, 0.01), f"{span} ms instead of {steps * STEP:.3f}: {later}"


AT_REST = ("resting", "dismissed", "expanded", "collapsed", "titled")


def states(updates: list[Update]) -> list[Update]:
    return [update for update in updates if update.topic.startswith("state/")]


def settle(subscriber: Subscriber, session: str, component: str) -> list[Update]:
    """Everything until a component, having moved, is at rest."""
    topic, moved = f"state/{session}/{component}", False

    def settled(update: Update) -> bool:
        nonlocal moved
        if update.topic != topic:
            return False
        rests = update.body["phase"] in AT_REST
        moved = moved or not rests
        return moved and rests

    return subscriber.until(settled, f"{topic} to move and then to rest")


def transitions(updates: list[Update]) -> list[tuple[str, str]]:
    return [
        (update.body["name"], update.body["event"]) for update in updates
        if update.topic.startswith("transition/")]
