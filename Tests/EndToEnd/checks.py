"""Checks of views and times, in the contract's units."""

from __future__ import annotations

import math

from client import Subscriber, Update, listing

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
    """The time between two updates is right to within one step."""
    span = milliseconds(later, earlier)
    steps = math.ceil(seconds * 120 - 1e-9)
    assert near(span, steps * STEP, 0.01), f"{span} ms instead of {steps * STEP:.3f}: {later}"


def steps_between(earlier: Update, later: Update) -> int:
    """Steps of 1/120 s. States and transitions fall on whole steps."""
    steps = milliseconds(later, earlier) / STEP
    assert near(steps, round(steps), 0.01), f"{steps} steps from {earlier} to {later}"
    return round(steps)


# Control points of the curves, by their wire names.
CURVES = {
    "linear": (0, 0, 1, 1), "ease-in": (0.42, 0, 1, 1), "ease-out": (0, 0, 0.58, 1),
    "ease-in-out": (0.42, 0, 0.58, 1),
}


def eased(curve: str, progress: float) -> float:
    """The progress of a motion after this share of its time, both 0 to 1."""
    if not 0 < progress < 1:
        return min(1.0, max(0.0, progress))
    x1, y1, x2, y2 = CURVES[curve]

    def cubic(a: float, b: float, s: float) -> float:
        return 3 * a * s * (1 - s) ** 2 + 3 * b * s**2 * (1 - s) + s**3

    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if cubic(x1, x2, middle) < progress else (low, middle)
    return cubic(y1, y2, low)


def rubber_band(distance: float, extent: float) -> float:
    """The shown overshoot of a content when a finger pulls it this far beyond an edge."""
    return extent * (1 - 1 / (1 + 0.55 * distance / extent))


def pulled(shown: float, extent: float) -> float:
    """The finger's distance for a shown overshoot: the rubber band's inverse."""
    return extent / 0.55 * (1 / (1 - shown / extent) - 1)


def expect_sane(update: Update) -> None:
    """Every number of a state is finite and within the contract's range."""
    for name, view in update.body["views"].items():
        always = {"x", "y", "w", "h", "rotation", "scale", "alpha", "z"}
        assert set(view) in (always, always | {"cut"}), update
        cut = view.get("cut", 1)
        assert cut == int(cut) and cut > 0, f"{name}: {update}"
        for key, value in view.items():
            is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
            assert is_number and math.isfinite(value), f"{name}.{key} is {value!r}: {update}"
            assert abs(value) < 1e7, f"{name}.{key} is far away: {update}"
        assert -math.pi <= view["rotation"] <= math.pi + 1e-6, f"{name} turns too far: {update}"
        assert 0 <= view["alpha"] <= 1 and view["scale"] >= 0, f"{name}: {update}"
        assert view["w"] > 0 and view["h"] > 0 and view["z"] == int(view["z"]), f"{name}: {update}"


def expect_sequence(updates: list[Update]) -> None:
    """No topic skips a sequence number after its first update."""
    last: dict[tuple[str, str], int] = {}
    for update in updates:
        before = last.get(update.stream, 0)
        assert update.seq == before + 1, f"a hole after seq {before}: {update}"
        last[update.stream] = update.seq


AT_REST = ("resting", "dismissed", "expanded", "collapsed", "titled", "closed", "open")


def states(updates: list[Update]) -> list[Update]:
    return [update for update in updates if update.topic.startswith("state/")]


def settle(subscriber: Subscriber, session: str, component: str) -> list[Update]:
    """All updates until a component has moved and come to rest."""
    topic, moved = f"state/{session}/{component}", False

    def settled(update: Update) -> bool:
        nonlocal moved
        if update.topic != topic:
            return False
        rests = update.body["phase"] in AT_REST
        moved = moved or not rests
        return moved and rests

    return subscriber.until(settled, f"{topic} to move and then to rest")


def passage(updates: list[Update], name: str) -> list[Update]:
    """The two events of one transition that was not cancelled."""
    found = [u for u in updates if u.topic.startswith("transition/") and u.body["name"] == name]
    events = [update.body["event"] for update in found]
    assert events == ["began", "ended"], f"{name}: {events}; {listing(updates)}"
    return found


def transitions(updates: list[Update]) -> list[tuple[str, str]]:
    return [
        (update.body["name"], update.body["event"]) for update in updates
        if update.topic.startswith("transition/")]
