"""A renderer of sessions, written from docs/protocol/draw.md alone.

A `Picture` keeps the last scene and the last states of one session, from `frame/` or from the
states' own topics. `painted` gives each visible view with its place on the screen, in the order of
painting; `svg` draws them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

# The first fields of a frame and of a state, which say when and not what.
HEADER = ("epoch", "seq", "t")


@dataclass(frozen=True)
class Matrix:
    """Puts (u, v) at (a·u + c·v + e, b·u + d·v + f)."""

    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def __call__(self, u: float, v: float) -> tuple[float, float]:
        return self.a * u + self.c * v + self.e, self.b * u + self.d * v + self.f

    def __matmul__(self, inner: Matrix) -> Matrix:
        """First `inner`, then this one."""
        e, f = self(inner.e, inner.f)
        return Matrix(
            self.a * inner.a + self.c * inner.b, self.b * inner.a + self.d * inner.b,
            self.a * inner.c + self.c * inner.d, self.b * inner.c + self.d * inner.d, e, f)

    def inverse(self, x: float, y: float) -> tuple[float, float] | None:
        """Where a point of the screen lies, or None where all is shrunk to nothing."""
        area = self.a * self.d - self.b * self.c
        if area == 0:
            return None
        dx, dy = x - self.e, y - self.f
        return (self.d * dx - self.c * dy) / area, (self.a * dy - self.b * dx) / area

    @staticmethod
    def moved(x: float, y: float) -> Matrix:
        return Matrix(e=x, f=y)

    @staticmethod
    def of(view: dict) -> Matrix:
        """From a view's own points, which begin at its top left corner, to its component's."""
        cosine, sine = (
            view["scale"] * turn(view["rotation"]) for turn in (math.cos, math.sin))
        turned = Matrix(cosine, sine, -sine, cosine, view["x"], view["y"])
        return turned @ Matrix.moved(-view["w"] / 2, -view["h"] / 2)


@dataclass(frozen=True)
class Area:
    """A rectangle from (0, 0), somewhere on the screen."""

    matrix: Matrix
    w: float
    h: float

    def contains(self, x: float, y: float) -> bool:
        """Its left and top edges belong to it, its right and bottom edges do not."""
        place = self.matrix.inverse(x, y)
        return place is not None and 0 <= place[0] < self.w and 0 <= place[1] < self.h


@dataclass(frozen=True)
class Painted:
    """One visible view on the screen."""

    component: str
    view: str
    area: Area
    alpha: float
    clips: tuple[Area, ...]
    z: int
    # The views that it stands in, the outermost first: ("component", "view").
    holders: tuple[tuple[str, str], ...]
    is_circle: bool = False


@dataclass
class Picture:
    scene: dict | None = None
    states: dict[str, dict] = field(default_factory=dict)
    badge: dict | None = None

    def take(self, topic: str, body: dict) -> None:
        """Shows an update. The caller chooses between `frame/` and the single topics."""
        kind, _, rest = topic.partition("/")
        shown = {key: value for key, value in body.items() if key not in HEADER}
        match kind:
            case "scene":
                names = {component["id"] for component in shown["components"]}
                self.scene = shown
                self.states = {name: self.states[name] for name in self.states if name in names}
            case "state":
                self.states[rest.partition("/")[2]] = shown
            case "badge":
                self.badge = shown
            case "frame":
                for state in body["states"]:
                    self.states[state["component"]] = {
                        key: value for key, value in state.items() if key != "component"}
                self.badge = body.get("badge", self.badge)

    def copy(self) -> Picture:
        return Picture(self.scene, dict(self.states), self.badge)

    def components(self, parent: str | None, slot: str | None) -> Iterator[dict]:
        """The components in a slot, or in the viewport, the first at the back."""
        for component in self.scene["components"]:
            if (component["parent"], component["slot"]) == (parent, slot):
                yield component

    def painted(self) -> list[Painted]:
        """All visible views, the first at the back."""
        return list(self._held((None, None), Matrix(), 1.0, (), ()))

    def _held(self, holder, matrix: Matrix, alpha: float, clips, holders) -> Iterator[Painted]:
        for component in self.components(*holder):
            if component["id"] in self.states:
                yield from self._painted(component, matrix, alpha, clips, holders)

    def _painted(self, component, outer: Matrix, alpha: float, clips, holders):
        name, (x, y, w, h) = component["id"], component["frame"]
        own = outer @ Matrix.moved(x, y)
        if component["clip"]:
            clips = (*clips, Area(own, w, h))
        views = self.states[name]["views"].items()
        # Sorting keeps the order of equal z.
        for view, shown in sorted(views, key=lambda item: item[1]["z"]):
            matrix = own @ Matrix.of(shown)
            solid = alpha * shown["alpha"]
            yield Painted(
                name, view, Area(matrix, shown["w"], shown["h"]), solid, clips, shown["z"],
                holders, is_circle(component, view))
            yield from self._held(
                (name, view), matrix, solid, clips, (*holders, (name, view)))

    def svg(self) -> str:
        """The picture as a drawing, each view as a box with its name."""
        w, h = self.scene["viewport"]
        lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w:g} {h:g}">']
        cuts: dict[Area, str] = {}
        for one in self.painted():
            for area in one.clips:
                if area not in cuts:
                    cuts[area] = f"c{len(cuts)}"
                    lines.append(f'<clipPath id="{cuts[area]}">{box(area)}</clipPath>')
            cut = [f'<g clip-path="url(#{cuts[area]})">' for area in one.clips]
            title = f"<title>{escape(one.component)}/{escape(one.view)}</title>"
            color = f"hsl({hash_of(one.component)} 60% 60%)"
            lines.append(
                "".join(cut) + f'<g fill="{color}" stroke="black" opacity="{one.alpha:g}">'
                + box(one.area, title, one.is_circle) + "</g>" + "</g>" * len(cut))
        return "\n".join([*lines, "</svg>"])


def is_circle(component: dict, view: str) -> bool:
    """Only the items of a world have shapes."""
    return component["kind"] == "dynamics" and any(
        item["id"] == view and item.get("shape") == "circle"
        for item in component["parameters"]["items"])


def box(area: Area, title: str = "", rounded: bool = False) -> str:
    m = area.matrix
    numbers = " ".join(f"{number:g}" for number in (m.a, m.b, m.c, m.d, m.e, m.f))
    corner = f' rx="{area.w / 2:g}"' if rounded else ""
    return (f'<rect width="{area.w:g}" height="{area.h:g}"{corner} '
            f'transform="matrix({numbers})">{title}</rect>')


def hash_of(name: str) -> int:
    """A hue that a name keeps."""
    return sum(name.encode()) * 47 % 360


def of_snapshot(answer: dict, single: bool = False) -> Picture:
    """The picture that a snapshot shows: by its frame, or by its single states."""
    picture = Picture()
    for update in answer["updates"]:
        kind = update["topic"].partition("/")[0]
        if kind == "scene" or (kind in ("state", "badge") if single else kind == "frame"):
            picture.take(update["topic"], update["body"])
    return picture


def difference(first: Picture, second: Picture) -> str:
    """The first place where two pictures differ; empty if they are the same."""
    if first.scene != second.scene:
        return "the scenes differ"
    for name in sorted(first.states.keys() | second.states.keys()):
        one, other = (picture.states.get(name) for picture in (first, second))
        if one != other:
            return f"{name}:\n{json.dumps(one)}\n{json.dumps(other)}"
    return "" if first.badge == second.badge else f"badge: {first.badge} {second.badge}"
