"""The mutants of broken.py that misread scenes and curves."""

from __future__ import annotations

from collections.abc import Callable

from gestured import curves, scene

# By its name: what is broken, and the cases that must notice.
MUTANTS: dict[str, tuple[Callable[[], None], tuple[str, ...]]] = {}


def mutant(*cases: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    def add(breaks: Callable[[], None]) -> Callable[[], None]:
        MUTANTS[breaks.__name__] = breaks, cases
        return breaks
    return add


# Scenes


@mutant("layers: order of painting, ties of z, and depth")
def paints_by_name() -> None:
    scene._Tree.views = lambda self, component: sorted(
        self.states[component["id"]]["views"].items(), key=lambda item: (item[1]["z"], item[0]))


@mutant("layers: order of painting, ties of z, and depth")
def paints_without_z() -> None:
    scene._Tree.views = lambda self, component: list(
        self.states[component["id"]]["views"].items())


@mutant("layers: nested, turned, scaled, clipped", "hits: through rotation, scale and clip")
def turns_the_other_way() -> None:
    inside, into = scene.Matrix.inside, scene._into
    other = lambda view: {**view, "rotation": -view["rotation"]}  # noqa: E731
    scene.Matrix.inside = lambda self, view: inside(self, other(view))
    scene._into = lambda view, x, y: into(other(view), x, y)


@mutant("layers: edges that touch", "layers: nested, turned, scaled, clipped")
def scales_around_the_corner() -> None:
    scene.Matrix.inside = lambda self, view: (lambda place: scene.Matrix(
        *(number * view["scale"] for number in place[:4]), *place[4:]))(
            self.moved(view["x"] - view["w"] / 2, view["y"] - view["h"] / 2))


@mutant("layers: nested, turned, scaled, clipped")
def keeps_alpha_apart() -> None:
    layers = scene._layers

    def solid(tree: object, parent: object, slot: object, outer: object, alpha: float,
              depth: int) -> object:
        return layers(tree, parent, slot, outer, 1.0, depth)
    scene._layers = solid


@mutant("layers: circles", "hits: a circle within its circle")
def knows_no_circles() -> None:
    scene.is_round = lambda component, view: False


@mutant("layers: absent slots")
def paints_absent_slots() -> None:
    views = scene._Tree.views

    def kept(self: object, component: dict) -> list:
        return views(self, component) + [
            (slot, {"x": 0, "y": 0, "w": 0, "h": 0, "rotation": 0, "scale": 1, "alpha": 1, "z": 0})
            for parent, slot in self._held if parent == component["id"]
            and slot not in self.states[parent]["views"]]
    scene._Tree.views = kept


@mutant("hits: left and top edges belong to a view, right and bottom ones do not")
def takes_right_edges() -> None:
    scene._is_in = lambda u, v, w, h: 0 <= u <= w and 0 <= v <= h


@mutant("hits: the last of equal z is in front, then by z, then by component")
def searches_from_the_back() -> None:
    scene.reversed = lambda found: iter(list(found))


@mutant("hits: the real scene nest", "hits: through rotation, scale and clip")
def clips_nothing() -> None:
    hit_in, is_in = scene._hit_in, scene._is_in

    def loose(tree: object, *rest: object) -> object:
        for held in tree._held.values():
            for component in held:
                component["clip"] = False
        return hit_in(tree, *rest)
    scene._hit_in, scene._is_in = loose, is_in


@mutant("hits: the real scene phone-tips", "hits: modal tips")
def knows_no_modal_tips() -> None:
    hit = scene._hit
    scene._hit = lambda tree, component, *rest: (
        None if component["kind"] == "tips" else hit(tree, component, *rest))


@mutant("hits: buttons, labels and panels")
def hits_labels() -> None:
    takes = scene._takes
    scene._takes = lambda tree, component, *rest: (
        component["kind"] == "label" or takes(tree, component, *rest))


@mutant("hits: buttons, labels and panels")
def hits_slots_of_panels() -> None:
    takes = scene._takes
    scene._takes = lambda tree, component, *rest: (
        component["kind"] == "panel" or takes(tree, component, *rest))


@mutant("hits: backdrops of panels that fade")
def hits_what_is_hardly_seen() -> None:
    takes = scene._takes
    scene._takes = lambda tree, component, view, alpha: takes(tree, component, view, 1)


@mutant("hits: the real scene nest-transition", "hits: what each kind takes")
def touches_through_a_transition() -> None:
    hit = scene._hit

    def open_(tree: object, component: dict, *rest: object) -> object:
        return hit(tree, {**component, "kind": "other" if component["kind"] == "navigation"
                          else component["kind"]}, *rest)
    scene._hit = open_


@mutant("hits: absent slots and a scale of 0")
def divides_by_a_scale_of_nothing() -> None:
    into = scene._into
    scene._into = lambda view, x, y: into({**view, "scale": view["scale"] or 1}, x, y)


# Curves


@mutant("curves: ease-in", "curves: default")
def knows_lines_only() -> None:
    curves.value = lambda name, x: x


@mutant("curves: ease-in-out", "curves: ease-out")
def takes_time_for_the_parameter() -> None:
    def value(name: str, x: float) -> float:
        _, y1, _, y2 = curves.CONTROL_POINTS[name]
        return curves._bezier(y1, y2, x)
    curves.value = value


@mutant("curves: a spring thrown", "curves: a spring thrown back")
def forgets_the_velocity() -> None:
    spring = curves.spring
    curves.spring = lambda k, c, v, seconds: spring(k, c, 0, seconds)


@mutant("curves: a spring with a bounce", "curves: a spring creeping")
def damps_all_alike() -> None:
    spring = curves.spring
    curves.spring = lambda k, c, v, seconds: spring(k, 2 * k ** 0.5, v, seconds)


@mutant("curves: ease-in")
def is_not_exact() -> None:
    value = curves.value
    curves.value = lambda name, x: round(value(name, x), 4)
