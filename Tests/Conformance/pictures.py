"""The scenes that layers and hits are computed for, and the points at which hits are."""

from __future__ import annotations

import json
import math
import pathlib
from collections.abc import Iterator

SCENES = pathlib.Path(__file__).resolve().parent / "scenes"


def component(
    name: str, kind: str, frame: list[float], *, inside: str | None = None, clip: bool = False,
    **parameters: object,
) -> dict:
    parent, _, slot = (inside or "/").partition("/")
    return {"id": name, "kind": kind, "parent": parent or None, "slot": slot or None,
            "frame": frame, "clip": clip, "parameters": parameters, "content": {}}


def view(
    x: float, y: float, w: float, h: float, *, rotation: float = 0, scale: float = 1,
    alpha: float = 1, z: int = 0,
) -> dict:
    return {"x": x, "y": y, "w": w, "h": h, "rotation": rotation, "scale": scale,
            "alpha": alpha, "z": z}


def state(views: dict, phase: str = "resting") -> dict:
    return {"phase": phase, "model": {}, "views": views}


def picture(components: list[dict], states: dict, viewport: tuple = (320, 568)) -> dict:
    scene = {"scene": None, "revision": 1, "viewport": list(viewport), "insets": [0, 0, 0, 0],
             "frame_rate": 60, "content": {}, "components": components}
    return {"scene": scene, "states": states}


def plain() -> dict:
    """Two worlds beside each other, with ties and depths."""
    return picture(
        [component("back", "dynamics", [0, 0, 320, 568], items=[]),
         component("front", "dynamics", [100, 50, 200, 200], items=[])],
        {"back": state({"b": view(60, 60, 80, 80, z=1), "a": view(100, 60, 80, 80, z=1),
                        "low": view(80, 60, 160, 100, z=0)}),
         "front": state({"c": view(20, 20, 40, 40)})})


def edges() -> dict:
    """Boxes that touch without a gap, so that each edge belongs to one of them."""
    return picture(
        [component("world", "dynamics", [10, 20, 300, 300], items=[])],
        {"world": state({
            "nw": view(50, 50, 100, 100), "ne": view(150, 50, 100, 100),
            "sw": view(50, 150, 100, 100), "big": view(150, 150, 50, 50, scale=2)})})


def nested() -> dict:
    """A world in a tab's page, an item of it holds a list, whose row holds a world."""
    return picture(
        [component("tabs", "tabs", [0, 0, 320, 568], items=[{"id": "home"}]),
         component("world", "dynamics", [20, 30, 280, 400], inside="tabs/page-home",
                   items=[{"id": "card", "center": [140, 200], "size": [200, 160]}]),
         component("list", "list", [10, 10, 180, 140], inside="world/card", clip=True, rows=3),
         component("dot", "dynamics", [4, 4, 100, 40], inside="list/row-1",
                   items=[{"id": "o", "center": [20, 20], "size": [30, 30], "shape": "circle"}])],
        {"tabs": state({"page-home": view(160, 284, 320, 568),
                        "bar": view(160, 546, 320, 44, z=1)}),
         "world": state({"card": view(140, 200, 200, 160, rotation=math.pi / 6, scale=1.25,
                                      alpha=0.8)}),
         "list": state({"row-0": view(90, 30, 180, 60, z=1), "row-1": view(90, 90, 180, 60, z=1),
                        "row-2": view(90, 150, 180, 60, z=1)}, "closed"),
         "dot": state({"o": view(20, 20, 30, 30, rotation=-0.7, scale=0.9, alpha=0.5)})})


def rounded() -> dict:
    """A circle, a box of the same size, and a circle on a turned item."""
    return picture(
        [component("world", "dynamics", [0, 0, 320, 320],
                   items=[{"id": "ball", "center": [80, 80], "size": [100, 100],
                           "shape": "circle"},
                          {"id": "box", "center": [200, 80], "size": [100, 100], "shape": "box"}])],
        {"world": state({"ball": view(80, 80, 100, 100, rotation=0.3),
                         "box": view(200, 80, 100, 100, rotation=0.3, z=1)})})


def absent() -> dict:
    """A component whose slot is gone, with what it holds; and one that is scaled to nothing."""
    return picture(
        [component("tabs", "tabs", [0, 0, 320, 568], items=[{"id": "one"}, {"id": "two"}]),
         component("gone", "dynamics", [0, 0, 320, 500], inside="tabs/page-one", items=[]),
         component("deep", "toss", [0, 0, 320, 500], inside="gone/item"),
         component("point", "dynamics", [0, 0, 320, 500], items=[]),
         component("within", "toss", [0, 0, 50, 50], inside="point/zero")],
        {"tabs": state({"page-two": view(160, 284, 320, 568), "bar": view(160, 546, 320, 44, z=1)}),
         "gone": state({"item": view(100, 100, 100, 100)}),
         "deep": state({"item": view(50, 50, 100, 100)}),
         "point": state({"zero": view(160, 200, 100, 100, scale=0),
                         "small": view(160, 300, 20, 20)}),
         "within": state({"item": view(25, 25, 50, 50)})})


def kinds() -> dict:
    """One of each kind but tips in a box of its own, with something behind them all."""
    boxes = {"toss": [110, 0], "navigation": [220, 0], "profile": [0, 110],
             "list": [110, 110], "reader": [220, 110], "tabs": [0, 220], "moving": [110, 220]}
    names = {"moving": "navigation"}
    components = [component("behind", "dynamics", [-20, -20, 400, 400], items=[])] + [
        component(name, names.get(name, name), [*place, 100, 100], items=[{"id": "home"}],
                  clip=name in ("list", "reader", "navigation", "moving"))
        for name, place in boxes.items()]
    # A screen in its transition holds one.
    components.append(component("held", "toss", [0, 0, 100, 100], inside="moving/in"))
    half, whole = view(50, 50, 40, 40), view(50, 50, 100, 100)
    return picture(components, {
        "behind": state({"wall": view(200, 200, 400, 400)}),
        "toss": state({"item": half, "glow": whole}),
        "navigation": state({"start": half}),
        "profile": state({"header": view(50, 20, 40, 40)}),
        "list": state({"row-0": view(40, 20, 80, 40)}, "closed"),
        "reader": state({"page": view(50, 50, 60, 60)}),
        "tabs": state({"page-home": view(50, 40, 100, 80), "bar": view(50, 90, 100, 20, z=1),
                       "item-home": view(20, 90, 40, 20, z=2),
                       "arrow": view(20, 75, 20, 10, z=4)}),
        "moving": state({"in": view(80, 50, 100, 100), "out": view(20, 50, 40, 100)},
                        "transitioning"),
        "held": state({"item": half})})


def controls() -> dict:
    """A button under a label that changes, and a panel half up: what stands on it, its handle over
    that, and the backdrop behind."""
    return picture(
        [component("behind", "dynamics", [0, 0, 320, 568], items=[]),
         component("press", "button", [20, 20, 120, 60]),
         component("note", "label", [60, 40, 200, 60], text="new"),
         component("sheet", "panel", [10, 150, 300, 400], size=[300, 300], anchors=[]),
         component("list", "list", [0, 60, 300, 160], inside="sheet/content", clip=True, rows=2),
         component("order", "button", [20, 230, 120, 50], inside="sheet/content"),
         component("title", "label", [0, 0, 300, 60], inside="sheet/content", text="Soup"),
         component("knob", "panel", [160, 20, 140, 40], axis="horizontal", size=[40, 40],
                   anchors=[]),
         component("gone", "panel", [0, 0, 320, 568], anchors=[])],
        {"behind": state({"wall": view(160, 284, 320, 568)}),
         "press": state({"button": view(60, 30, 120, 60)}, "highlighted"),
         "note": state({"label": view(100, 30, 200, 60, alpha=0.75),
                        "former": view(100, 30, 200, 60, alpha=0.25)}, "shown"),
         "sheet": state({"backdrop": view(150, 200, 300, 400, alpha=0.25),
                         "panel": view(150, 210.5, 300, 300, z=1),
                         "content": view(150, 210.5, 300, 300, z=2),
                         "handle": view(150, 80.5, 60, 20, z=3)}, "settling"),
         "list": state({"row-0": view(150, 30, 300, 60, z=1),
                        "row-1": view(150, 90, 300, 60, z=1)}, "closed"),
         "order": state({"button": view(60, 25, 120, 50)}, "disabled"),
         "title": state({"label": view(150, 30, 300, 60)}, "shown"),
         "knob": state({"panel": view(50.5, 20, 40, 40, z=1),
                        "content": view(50.5, 20, 40, 40, z=2)}, "dragging")})


def faded() -> dict:
    """Two panels on their way out: the backdrop of the first is hardly seen, that of the second
    just enough."""
    def leaving(alpha: float) -> dict:
        return state({"backdrop": view(75, 200, 150, 400, alpha=alpha),
                      "panel": view(75, 250, 150, 100, z=1),
                      "content": view(75, 250, 150, 100, z=2)}, "settling")
    return picture(
        [component("behind", "dynamics", [0, 0, 320, 568], items=[]),
         component("left", "panel", [5, 50, 150, 400], size=[150, 100], anchors=[]),
         component("right", "panel", [165, 50, 150, 400], size=[150, 100], anchors=[])],
        {"behind": state({"wall": view(160, 284, 320, 568)}),
         "left": leaving(0.009999), "right": leaving(0.01)})


def modal() -> dict:
    """Tips over a list: beside the frame, too, all is their backdrop."""
    return picture(
        [component("list", "list", [0, 0, 320, 568], clip=True, rows=2),
         component("tips", "tips", [60, 100, 200, 300])],
        {"list": state({"row-0": view(160, 50, 320, 100, z=1)}, "closed"),
         "tips": state({"backdrop": view(100, 150, 200, 300, alpha=0.5),
                        "tip": view(100, 150, 120, 160, rotation=-0.4, z=1)}, "entering")})


def deep() -> dict:
    """Eight components within each other, each turned, scaled and moved a little more."""
    components, states = [], {}
    for depth in range(8):
        components.append(component(
            f"w{depth}", "dynamics", [3.5 * depth, 2.25 * depth, 200, 200],
            inside=f"w{depth - 1}/i" if depth else None, clip=depth == 5,
            items=[{"id": "i", "center": [100, 100], "size": [180, 160],
                    "shape": "circle" if depth == 7 else "box"}]))
        states[f"w{depth}"] = state({"i": view(
            100 + depth, 100 - depth / 2, 180 - depth, 160 + depth,
            rotation=(-1) ** depth * 0.11 * depth, scale=1.1 if depth % 2 else 0.94,
            alpha=1 - depth / 16, z=depth % 3 - 1)})
    return picture(components, states)


def odd() -> dict:
    """Negative z, alpha and scale of 0, a component without a state, one in a slot of nobody."""
    return picture(
        [component("world", "dynamics", [-40.5, 30.25, 400, 400], items=[]),
         component("stateless", "toss", [0, 0, 320, 568]),
         component("lost", "toss", [0, 0, 50, 50], inside="stateless/item"),
         component("first", "toss", [5, 5, 50, 50], inside="world/a"),
         component("second", "toss", [15, 15, 50, 50], inside="world/a"),
         component("list", "list", [200, 400, 100, 100], clip=False, rows=1,
                   items=[{"id": "row-0", "shape": "circle"}])],
        {"world": state({"a": view(120, 120, 120, 90, rotation=math.pi, z=-1),
                         "ghost": view(130, 120, 60, 60, alpha=0, z=-2),
                         "flat": view(300, 60, 60, 60, scale=0, z=5),
                         "b": view(120, 160, 50.5, 30.5, rotation=-math.pi / 2, scale=0.1, z=-1)}),
         "lost": state({"item": view(25, 25, 50, 50)}),
         "first": state({"item": view(25, 25, 50, 50, alpha=0.5)}),
         "second": state({"item": view(25, 25, 50, 50, alpha=0.25)}),
         "list": state({"row-0": view(50, 20, 100, 40, z=1)}, "closed")})


def captured(name: str) -> dict:
    return json.loads((SCENES / f"{name}.json").read_text(encoding="utf-8"))


OWN = {
    "order of painting, ties of z, and depth": (plain, "Draw a session, rules 2 and 5"),
    "edges that touch": (edges, "Rule 3: a scale works around the center"),
    "nested, turned, scaled, clipped": (nested, "Rules 3 and 4; alphas multiply"),
    "circles": (rounded, "Rule 6: only the items of a world are round"),
    "eight deep": (deep, "A component whose slot is turned, scaled and faded turns with it"),
    "odd values": (odd, "A z may be negative; nothing is left out because it cannot be seen"),
    "a button, a label that changes and a panel": (controls, "Controls: views, depths and slots"),
    "absent slots": (absent, "Rule 3: what stands in a view that is gone is not painted"),
}


def drawn() -> Iterator[tuple[str, object, dict]]:
    """Name, the picture as the case has it, and the picture."""
    for name, (build, why) in OWN.items():
        yield name, build(), {**build(), "why": why}
    for path in sorted(SCENES.glob("*.json")):
        yield f"the real scene {path.stem}", path.stem, {
            **captured(path.stem), "why": "As the daemon published it"}


def grid(x: float, y: float, w: float, h: float, step: float) -> list[tuple[float, float]]:
    """Points at odd places, away from edges at whole numbers."""
    across, down = int(w // step), int(h // step)
    return [(round(x + i * step + 0.37, 2), round(y + j * step + 0.41, 2))
            for j in range(down) for i in range(across)]


def touched() -> Iterator[tuple]:
    """Name, why, the picture as the case has it, the picture, points, whether they are exact."""
    corners = [(x, y) for x in (10, 110, 209.5, 210) for y in (20, 120, 219.5, 220)]
    yield ("left and top edges belong to a view, right and bottom ones do not",
           "Touch a session: the hit", edges(), edges(), corners + [(9.5, 20), (10, 19.5)], True)
    yield ("the last of equal z is in front, then by z, then by component",
           "The exact reverse of painting", plain(), plain(), grid(5, 5, 200, 130, 17), False)
    yield ("through rotation, scale and clip", "Rotations, scales and clips count; alphas do not",
           nested(), nested(), grid(10, 60, 300, 500, 29), False)
    yield ("a circle within its circle", "The table of kinds", rounded(), rounded(),
           grid(20, 20, 260, 130, 17), False)
    yield ("absent slots and a scale of 0", "What is not painted is not hit",
           absent(), absent(), [(100, 100), (50, 50), (160, 200), (160, 300), (160, 550)], False)
    yield ("what each kind takes", "The table of kinds", kinds(), kinds(),
           grid(-15, -15, 390, 390, 18), False)
    yield ("buttons, labels and panels", "A label is no target, nor is a panel's slot itself",
           controls(), controls(), grid(5, 5, 310, 560, 19), False)
    yield ("backdrops of panels that fade", "The table of kinds: an alpha of 0.01",
           faded(), faded(), grid(3, 40, 316, 420, 47), False)
    yield ("modal tips", "Everything while the backdrop is there, also beside the frame",
           modal(), modal(), grid(-50, -50, 420, 660, 43), False)
    yield ("eight deep", "Rotations, scales and clips count", deep(), deep(),
           grid(-40, -40, 320, 320, 23), False)
    yield ("odd values", "Alphas do not count; where all is shrunk to nothing, nothing is hit",
           odd(), odd(), grid(-45, 20, 400, 540, 31), False)
    for path in sorted(SCENES.glob("*.json")):
        yield (f"the real scene {path.stem}", "As the daemon published it", path.stem,
               captured(path.stem), [(x, y) for x, y in grid(
                   -10, -10, *[side + 20 for side in captured(path.stem)["scene"]["viewport"]],
                   53)], False)
