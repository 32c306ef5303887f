"""Where each view of a scene is painted, and who is hit; docs/protocol says how."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Body = Mapping[str, Any]
# Components are nested at most 8 deep; a deeper scene is none of the daemon's.
DEPTH_MAX = 32


class Matrix(NamedTuple):
    """Puts (u, v) at (a·u + c·v + tx, b·u + d·v + ty)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    tx: float = 0.0
    ty: float = 0.0

    def moved(self, x: float, y: float) -> Matrix:
        """First a move by (x, y), then this one."""
        return Matrix(self.a, self.b, self.c, self.d, *self.put(x, y))

    def put(self, u: float, v: float) -> tuple[float, float]:
        return self.a * u + self.c * v + self.tx, self.b * u + self.d * v + self.ty

    def inside(self, view: Body) -> Matrix:
        """The view's own points: first its transform, then this one."""
        k, turn = view["scale"], view["rotation"]
        cosine, sine = k * math.cos(turn), k * math.sin(turn)
        x, y = self.put(view["x"], view["y"])
        turned = Matrix(
            self.a * cosine + self.c * sine, self.b * cosine + self.d * sine,
            self.c * cosine - self.a * sine, self.d * cosine - self.b * sine, x, y)
        return turned.moved(-view["w"] / 2, -view["h"] / 2)


@dataclass(frozen=True)
class Layer:
    """One painted view. `matrix` puts its own points, (0, 0) to (w, h), into the viewport."""

    component: str
    view: str
    matrix: Matrix
    # In points, before the transform.
    w: float
    h: float
    # Multiplied through all that holds the view, 0 to 1.
    alpha: float
    # An item of a world whose shape is a circle: its radius is half of `w`.
    round: bool


class Hit(NamedTuple):
    """The component and view at a point. `view` is None where only the frame lies there."""

    component: str
    view: str | None


class _Tree:
    """The components by what holds them, in the order of painting."""

    def __init__(self, scene: Body, states: Mapping[str, Body]) -> None:
        self.states = states
        self._held: dict[tuple[str | None, str | None], list[Body]] = {}
        for component in scene["components"]:
            place = component["parent"], component["slot"]
            self._held.setdefault(place, []).append(component)

    def held(self, parent: str | None, slot: str | None) -> list[Body]:
        return [one for one in self._held.get((parent, slot), ()) if one["id"] in self.states]

    def views(self, component: Body) -> list[tuple[str, Body]]:
        """By rising z; sorting keeps the order of equal ones."""
        views = self.states[component["id"]]["views"].items()
        return sorted(views, key=lambda item: int(item[1]["z"]))


def layers(scene: Body, states: Mapping[str, Body]) -> list[Layer]:
    """All painted views, the one at the back first.

    `scene` is the body of `scene/`, `states` has the body of `state/` of each component by its id.
    Lengths are in points of the viewport. Clips are not applied: a layer may lie outside.
    """
    return list(_layers(_Tree(scene, states), None, None, Matrix(), 1.0, 0))


def _layers(
    tree: _Tree, parent: str | None, slot: str | None, outer: Matrix, alpha: float, depth: int,
) -> Iterator[Layer]:
    if depth > DEPTH_MAX:
        raise ValueError(f"the scene is nested more than {DEPTH_MAX} deep at {parent}")
    for component in tree.held(parent, slot):
        name, (x, y, _, _) = component["id"], component["frame"]
        own = outer.moved(x, y)
        for view, shown in tree.views(component):
            matrix, solid = own.inside(shown), alpha * shown["alpha"]
            yield Layer(name, view, matrix, shown["w"], shown["h"], solid,
                        is_round(component, view))
            yield from _layers(tree, name, view, matrix, solid, depth + 1)


def is_round(component: Body, view: str) -> bool:
    """Whether a view is a circle: only the items of a world can be."""
    return component["kind"] == "dynamics" and any(
        item["id"] == view and item.get("shape") == "circle"
        for item in component["parameters"].get("items", ()))


def hit(scene: Body, states: Mapping[str, Body], x: float, y: float) -> Hit | None:
    """Finds who is hit at a point of the viewport, as the daemon does; None where nobody is.

    The parameters are those of `layers`.
    """
    return _hit_in(_Tree(scene, states), None, None, x, y, 0)


def _hit_in(
    tree: _Tree, parent: str | None, slot: str | None, x: float, y: float, depth: int,
) -> Hit | None:
    if depth > DEPTH_MAX:
        raise ValueError(f"the scene is nested more than {DEPTH_MAX} deep at {parent}")
    for component in reversed(tree.held(parent, slot)):
        left, top, w, h = component["frame"]
        u, v = x - left, y - top
        if component["clip"] and not _is_in(u, v, w, h):
            continue
        if found := _hit(tree, component, u, v, depth):
            return found
    return None


def _hit(tree: _Tree, component: Body, x: float, y: float, depth: int) -> Hit | None:
    """Within one component, in its coordinates, from front to back."""
    name, kind = component["id"], component["kind"]
    state, (_, _, w, h) = tree.states[name], component["frame"]
    # A navigation whose transition runs takes also what its screens hold.
    is_sealed = kind == "navigation" and state["phase"] == "transitioning"
    for view, shown in reversed(tree.views(component)):
        inner = _into(shown, x, y)
        if inner is None:
            continue
        if not is_sealed and (found := _hit_in(tree, name, view, *inner, depth + 1)):
            return found
        if not _takes(tree, component, view, shown["alpha"]):
            continue
        is_in = _is_in_circle if is_round(component, view) else _is_in
        if is_in(*inner, shown["w"], shown["h"]):
            return Hit(name, view)
    if is_sealed or (kind in ("list", "profile", "reader") and _is_in(x, y, w, h)):
        return Hit(name, None)
    # Tips are modal: all that is beside the tip is their backdrop.
    return Hit(name, "backdrop") if kind == "tips" and "backdrop" in state["views"] else None


def _into(view: Body, x: float, y: float) -> tuple[float, float] | None:
    """A component's point in the view's own coordinates; None where it is shrunk to nothing."""
    if view["scale"] == 0:
        return None
    dx, dy = x - view["x"], y - view["y"]
    cosine, sine = math.cos(view["rotation"]), math.sin(view["rotation"])
    return ((dx * cosine + dy * sine) / view["scale"] + view["w"] / 2,
            (dy * cosine - dx * sine) / view["scale"] + view["h"] / 2)


def _is_in(u: float, v: float, w: float, h: float) -> bool:
    return 0 <= u < w and 0 <= v < h


def _is_in_circle(u: float, v: float, w: float, h: float) -> bool:
    return math.hypot(u - w / 2, v - h / 2) < w / 2


def _takes(tree: _Tree, component: Body, view: str, alpha: float) -> bool:
    """Whether a view of this kind can be hit itself."""
    match component["kind"]:
        case "toss":
            return view == "item"
        case "tips":
            return view == "tip"
        case "label":
            return False
        case "panel":
            return alpha >= 0.01 if view == "backdrop" else view != "content"
        case "tabs" if view.startswith("page-"):
            return bool(tree.held(component["id"], view))
        case "tabs":
            return view == "bar" or view.startswith("item-")
        case _:
            return True
