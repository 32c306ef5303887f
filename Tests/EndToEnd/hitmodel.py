"""Who is touched at a point: a model of the hit test, written from docs/protocol/touch.md alone.

It carries the point inwards, from what holds to what is held. Published numbers are rounded, so it
carries their error along, and gives every answer that is possible within it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from renderer import Picture, is_circle

# The rounding of points, and of rotations and scales.
POINT, RATIO = 0.0005, 0.0000005
NOTHING = None
Answer = tuple[str, str | None] | None


@dataclass(frozen=True)
class Place:
    """A point in somebody's coordinates, and how far from it the true one may lie."""

    x: float
    y: float
    error: float = 0.0

    def moved(self, x: float, y: float) -> Place:
        return Place(self.x - x, self.y - y, self.error)

    def inside(self, view: dict) -> Place | None:
        """In the untransformed view's coordinates; None where it is shrunk to nothing."""
        if view["scale"] == 0:
            return None
        dx, dy = self.x - view["x"], self.y - view["y"]
        cosine, sine = math.cos(view["rotation"]), math.sin(view["rotation"])
        error = self.error
        if error > 0:
            error += 2 * POINT + 4 * RATIO * math.hypot(dx, dy) / min(1, view["scale"])
        return Place(
            (dx * cosine + dy * sine) / view["scale"] + view["w"] / 2,
            (dy * cosine - dx * sine) / view["scale"] + view["h"] / 2, error / view["scale"])

    def within(self, w: float, h: float) -> set[bool]:
        """Whether it lies in a rectangle from (0, 0): perhaps both."""
        inner = self.error <= self.x < w - self.error and self.error <= self.y < h - self.error
        outer = (-self.error <= self.x < w + self.error
                 and -self.error <= self.y < h + self.error)
        return {inner, outer}

    def within_circle(self, w: float, h: float) -> set[bool]:
        distance = math.hypot(self.x - w / 2, self.y - h / 2)
        # The contract does not say whom the circle's edge belongs to.
        return {distance < w / 2 - self.error - 1e-9, distance < w / 2 + self.error + 1e-9}


def first(candidates: Iterator[set[Answer]]) -> set[Answer]:
    """The answers of the first candidate that answers; perhaps several are possible."""
    answers: set[Answer] = set()
    for candidate in candidates:
        answers |= candidate - {NOTHING}
        if NOTHING not in candidate:
            return answers
    return answers | {NOTHING}


def perhaps(is_so: set[bool], answer: Answer) -> set[Answer]:
    return {answer if one else NOTHING for one in is_so}


def hits(picture: Picture, x: float, y: float, error: float = 0.0) -> set[Answer]:
    return held(picture, (None, None), Place(x, y, error))


def held(picture: Picture, holder, place: Place) -> set[Answer]:
    """Who is hit in a slot, or in the viewport: the last component is in front."""
    return first(
        component_hits(picture, component, place)
        for component in reversed(list(picture.components(*holder))))


def component_hits(picture: Picture, component: dict, outer: Place) -> set[Answer]:
    x, y, w, h = component["frame"]
    place = outer.moved(x, y)
    is_in = place.within(w, h) if component["clip"] else {True}
    answers = {NOTHING} if False in is_in else set()
    return answers | (first(candidates(picture, component, place)) if True in is_in else set())


def candidates(picture: Picture, component: dict, place: Place) -> Iterator[set[Answer]]:
    """The places in a component that may be hit, from front to back."""
    name, kind = component["id"], component["kind"]
    state, (_, _, w, h) = picture.states[name], component["frame"]
    views = sorted(state["views"].items(), key=lambda item: item[1]["z"])
    in_transition = kind == "navigation" and state["phase"] == "transitioning"
    for view, shown in reversed(views):
        inner = place.inside(shown)
        if inner is None:
            continue
        # A navigation in a transition takes also what its screens hold.
        if not in_transition:
            yield held(picture, (name, view), inner)
        if takes(picture, component, view, shown["alpha"]):
            measure = inner.within_circle if is_circle(component, view) else inner.within
            yield perhaps(measure(shown["w"], shown["h"]), (name, view))
    if kind in ("list", "profile", "reader"):
        yield perhaps(place.within(w, h), (name, None))
    if in_transition:
        yield {(name, None)}
    if kind == "tips" and state["views"]:
        yield {(name, "backdrop")}


def takes(picture: Picture, component: dict, view: str, alpha: float) -> bool:
    """Whether a view of this component can be hit itself."""
    match component["kind"]:
        case "toss":
            return view == "item"
        case "tips":
            return view == "tip"
        case "label":
            return False
        case "panel":
            # A backdrop that is hardly seen lets touches through.
            return alpha >= 0.01 if view == "backdrop" else view != "content"
        case "tabs":
            if view.startswith("page-"):
                return any(picture.components(component["id"], view))
            return view == "bar" or view.startswith("item-")
        case _:
            return True
