"""The curves of transitions: cubic Béziers from (0, 0) to (1, 1), and springs."""

from __future__ import annotations

import math

# The two control points of each: x1, y1, x2, y2.
CONTROL_POINTS = {
    "linear": (0.0, 0.0, 1.0, 1.0),
    "ease-in": (0.42, 0.0, 1.0, 1.0),
    "ease-out": (0.0, 0.0, 0.58, 1.0),
    "ease-in-out": (0.42, 0.0, 0.58, 1.0),
    "default": (0.25, 0.1, 0.25, 1.0),
}
# Halvings of the parameter's interval: its error is then below that of doubles.
HALVINGS = 60


def value(name: str, x: float) -> float:
    """How far a transition with this curve is, 0 to 1, at the part `x` of its duration.

    `x` before 0 counts as 0, after 1 as 1. The error is below 1e-12. Raises KeyError for a curve
    that does not exist.
    """
    if name not in CONTROL_POINTS:
        raise KeyError(f"no curve {name!r}, only {', '.join(CONTROL_POINTS)}")
    x1, y1, x2, y2 = CONTROL_POINTS[name]
    if name == "linear" or x <= 0 or x >= 1:
        return min(1.0, max(0.0, x))
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if _bezier(x1, x2, middle) < x:
            low = middle
        else:
            high = middle
    return _bezier(y1, y2, (low + high) / 2)


def spring(stiffness: float, damping: float, velocity: float, seconds: float) -> float:
    """How far a spring is on its way from 0 to 1, where it may go beyond, after so many seconds.

    The three numbers are those of the wire: on a mass of 1 in 1/s² and 1/s, and the speed at the
    beginning in ways per second.
    """
    if seconds <= 0:
        return 0.0
    half = damping / 2
    square = half * half - stiffness
    root = math.sqrt(abs(square))
    push = velocity - half
    if root * seconds < 1e-6:
        return 1 - (1 - push * seconds) * math.exp(-half * seconds)
    if square < 0:
        angle = root * seconds
        return 1 - (math.cos(angle) - push / root * math.sin(angle)) * math.exp(-half * seconds)
    slow, quick = math.exp((root - half) * seconds), math.exp((-root - half) * seconds)
    return 1 - ((slow + quick) / 2 - push / root * (slow - quick) / 2)


def progress(curve: str | dict[str, list[float]] | None, seconds: float, duration: float) -> float:
    """How far a transition is after so many seconds: `curve` and `duration` are its own.

    One without a curve moves evenly. Where a spring's duration has passed it is at its end.
    """
    if seconds >= duration:
        return 1.0
    if isinstance(curve, dict):
        stiffness, damping, velocity = curve["spring"]
        return spring(stiffness, damping, velocity, seconds)
    return value(curve or "linear", seconds / duration)


def _bezier(first: float, second: float, s: float) -> float:
    return ((1 - s) ** 2 * 3 * first + (1 - s) * s * 3 * second + s * s) * s
