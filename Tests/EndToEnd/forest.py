"""Random scenes in which components of all kinds hold each other, and events that stir them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

from scenes import VIEWPORT

DEPTH_MAX = 8
# A motion that lasts this long stands still for a test.
LONG = 3600
SCREENS = ("a", "b", "c")


@dataclass
class Tree:
    """A scene, and the events that bring it to where it is tested."""

    scene: dict
    events: list[tuple[str, dict]] = field(default_factory=list)


class Planter:
    """Makes one random tree."""

    def __init__(self, rng: random.Random, exact: bool = False, still: bool = False):
        self.rng, self.exact, self.still = rng, exact, still
        self.tree = Tree({})
        self.is_shown = False
        # Slots that a later component may stand in: component, slot, size, depth.
        self.slots: list[tuple[str, str, list[float], int]] = []

    def plant(self, count: int) -> Tree:
        components = [self.component(f"c{number}") for number in range(count)]
        self.tree.scene = {"viewport": VIEWPORT, "components": components}
        return self.tree

    def number(self, low: float, high: float) -> float:
        return self.rng.randint(round(low), round(high)) if self.exact else round(
            self.rng.uniform(low, high), 2)

    def component(self, name: str) -> dict:
        rng = self.rng
        inner = [slot for slot in self.slots if slot[3] < DEPTH_MAX]
        # Late slots are deep.
        slot = rng.choice(inner[-6:]) if inner and rng.random() < 0.75 else None
        size, depth = (slot[2], slot[3] + 1) if slot else (VIEWPORT, 1)
        kind = rng.choice(
            ["tips", "toss", "navigation", "profile", "list", "reader", "tabs", "dynamics",
             "tabs", "dynamics", "navigation", "profile", "button", "label", "panel"])
        one: dict = {"id": name, "kind": kind}
        if slot:
            one["in"] = f"{slot[0]}/{slot[1]}"
        own = size
        if kind != "toss" and rng.random() < 0.6:
            own = [self.number(max(20, size[0] / 2), size[0] + 20),
                   self.number(max(60, size[1] / 2), max(80, size[1] + 20))]
            one["frame"] = [
                self.number(-20, size[0] / 3), self.number(-20, size[1] / 3), *own]
        if rng.random() < 0.4:
            one["clip"] = rng.random() < 0.5
        getattr(self, kind)(one, own, depth)
        return one

    def stir(self, name: str, **body: object) -> None:
        kind = "command" if "command" in body else "gesture"
        self.tree.events.append((f"{kind}/%s/{name}", body))

    def tips(self, one: dict, size: list[float], depth: int) -> None:
        # Modal tips hide all behind them, so few are shown.
        one["presented"] = not self.is_shown and self.rng.random() < 0.15
        self.is_shown = self.is_shown or one["presented"]
        tip = [self.number(20, 300), self.number(20, 300)]
        one |= {"tips": [{}, {}], "fade": self.rng.choice([0, 0, LONG]), "size": tip}
        if one["presented"]:
            self.slots.append((one["id"], "tip", tip, depth))

    def toss(self, one: dict, size: list[float], depth: int) -> None:
        w, h = self.number(20, 200), self.number(20, 200)
        x, y = self.number(0, size[0] / 2), self.number(0, size[1] / 2)
        one |= {"frame": [x, y, w, h], "return_duration": LONG, "return_delay": LONG}
        self.slots.append((one["id"], "item", [w, h], depth))
        if self.still or self.rng.random() < 0.4:
            return
        finger = [("began", x + w / 4, y + h / 5)] + [
            ("changed", x + self.number(-60, 60), y + self.number(-60, 60)) for _ in range(6)]
        for phase, at, down in [*finger, ("cancelled", *finger[-1][1:])]:
            self.stir(one["id"], gesture="pan", phase=phase, x=at, y=down)

    def navigation(self, one: dict, size: list[float], depth: int) -> None:
        one |= {"root": "a", "duration": LONG}
        screen = "a"
        if not self.still and self.rng.random() < 0.5:
            screen = self.rng.choice("ab")
            transition = self.rng.choice(["in-via-scale", "out-via-scale", "in-from-bottom"])
            self.stir(one["id"], command="present", screen="b", transition=transition)
        self.slots.append((one["id"], screen, size, depth))

    def profile(self, one: dict, size: list[float], depth: int) -> None:
        height = self.number(size[1], 900)
        one["content_height"] = height
        self.slots.append((one["id"], "content", [size[0], height], depth))
        if self.rng.random() < 0.7:
            offset = self.number(-40, 150)
            self.stir(one["id"], gesture="scroll", phase="changed", offset=offset)

    def list(self, one: dict, size: list[float], depth: int) -> None:
        height = self.number(30, 90)
        one |= {"rows": self.rng.randint(1, 12), "row_height": height, "duration": 0.05,
                "style": self.rng.choice(["reveal", "push"])}
        offset = self.number(0, 90)
        for phase in ("began", "ended"):
            self.stir(one["id"], gesture="scroll", phase=phase, offset=offset)
        row = self.rng.randrange(one["rows"])
        if self.rng.random() < 0.6:
            self.stir(one["id"], gesture="swipe", row=row,
                      direction=self.rng.choice(["left", "right"]))
        slot = self.rng.choice(["menu", f"row-{row}"])
        self.slots.append((one["id"], slot, [size[0], height], depth))

    def reader(self, one: dict, size: list[float], depth: int) -> None:
        one |= {"pages": 4, "start": 1}
        if not self.still and self.rng.random() < 0.5:
            one["duration"] = LONG
            self.stir(one["id"], command="next")

    def tabs(self, one: dict, size: list[float], depth: int) -> None:
        count = self.rng.randint(1, 4)
        one |= {"items": [{"id": f"i{number}", "bubble": ["likes"], "glow": ["likes"]}
                          for number in range(count)],
                "height": self.number(10, 40), "arrow_duration": 0}
        selected = self.rng.randrange(count)
        self.stir(one["id"], command="select", index=selected)
        for number in {selected, self.rng.randrange(count)}:
            self.slots.append((one["id"], f"page-i{number}", size, depth))

    def button(self, one: dict, size: list[float], depth: int) -> None:
        one |= {"enabled": self.rng.random() < 0.7, "toggle": self.rng.random() < 0.5}

    def label(self, one: dict, size: list[float], depth: int) -> None:
        one |= {"text": "a", "fade": LONG, "shown": self.rng.random() < 0.8}
        if not self.still and self.rng.random() < 0.4:
            self.stir(one["id"], command=self.rng.choice(["show", "hide"]))

    def panel(self, one: dict, size: list[float], depth: int) -> None:
        is_down = self.rng.random() < 0.6
        box = [self.number(40, 300), self.number(40, 300)]
        places = sorted({self.number(-20, 60), self.number(80, 200)})
        one |= {"axis": "vertical" if is_down else "horizontal", "size": box,
                "anchors": [{"name": name, "at": at} for name, at in zip("ab", places)],
                "start": self.rng.choice("ab"), "drag": "none",
                "backdrop_alpha": self.rng.choice([0, 0, 0.5])}
        if self.rng.random() < 0.5:
            one["handle"] = [self.number(0, 20), self.number(0, 20),
                             self.number(10, 60), self.number(10, 30)]
        self.slots.append((one["id"], "content", box, depth))
        if not self.still and self.rng.random() < 0.4:
            self.stir(one["id"], command="toggle")

    def dynamics(self, one: dict, size: list[float], depth: int) -> None:
        one["items"] = []
        for number in range(self.rng.randint(1, 4)):
            item: dict = {
                "id": f"d{number}", "size": [self.number(20, 220), self.number(20, 220)],
                "center": [self.number(0, size[0]), self.number(0, size[1])]}
            if self.exact:
                item["size"] = [2 * (side // 2) for side in item["size"]]
            else:
                item["rotation"] = round(self.rng.uniform(-math.pi, math.pi), 3)
                item["scale"] = round(math.exp(self.rng.uniform(-1, 0.8)), 3)
                item["shape"] = self.rng.choice(["box", "box", "circle"])
            one["items"].append(item)
            self.slots.append((one["id"], item["id"], item["size"], depth))
        if self.rng.random() < 0.3:
            one["behaviors"] = [{"id": "still", "kind": "item", "items": ["d0"],
                                 "anchored": True}]


def points(rng: random.Random, picture, count: int, exact: bool) -> list[tuple[float, float]]:
    """Points at random, and at the edges of what is painted."""
    areas = [one.area for one in picture.painted()]
    got = []
    for _ in range(count):
        if areas and rng.random() < 0.7:
            area = rng.choice(areas)
            near = rng.choice([0, 0, 1, -1]) if exact else rng.choice([0, 0.1, -0.1, 3, -3])
            along = rng.choice([rng.random(), 0, 1, 0.5])
            u, v = rng.choice([(near, along * area.h), (area.w + near, along * area.h),
                               (along * area.w, near), (along * area.w, area.h + near),
                               (area.w * rng.random(), area.h * rng.random())])
            x, y = area.matrix(u, v)
        else:
            x, y = (rng.uniform(-20, side + 20) for side in VIEWPORT)
        got.append((float(round(x)), float(round(y))) if exact else (x, y))
    return got
