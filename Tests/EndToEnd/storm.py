"""A scene of nested components of all kinds, and random events on it."""

from __future__ import annotations

import random

from scenes import VIEWPORT, dynamics, navigation, profile, reader, rows, scene, tabs, tips, toss

PAGES = ("home", "news", "share", "world", "profile", "pages")
ITEMS = [{"id": page, "glow": ["mentions"], "bubble": ["likes"]} for page in PAGES]
BOXES = [
    {"id": "box", "center": [120, 200], "size": [160, 200], "rotation": 0.4},
    {"id": "ball", "center": [250, 80], "size": [80, 80], "shape": "circle"},
]
SNAPS = [{"id": f"{item['id']}-place", "kind": "snap", "item": item["id"],
          "point": item["center"]} for item in BOXES]
# Without it, nothing slows the boxes down.
DRAG = {"id": "drag", "kind": "item", "resistance": 6, "angular_resistance": 6}
# The codes with which a storm may be refused.
ALLOWED = {"busy", "bad-value", "out-of-order", "unknown-gesture"}


def nested(**fields: object) -> dict:
    """Lists in a screen, a page, a tip, a world's item and a profile; a toss in a page."""
    return scene(
        tabs(items=ITEMS, bubble_timeout=1),
        navigation(**{"in": "tabs/page-home"}),
        rows(id="screen", **{"in": "navigation/dashboard", "frame": [10, 40, 300, 400]}),
        rows(**{"in": "tabs/page-news"}, style="push"),
        dynamics(id="inlay", items=BOXES[:1], behaviors=[DRAG | {"items": ["box"]}],
                 **{"in": "list/row-1"}),
        toss(**{"in": "tabs/page-share"}),
        reader(id="card", **{"in": "toss/item", "clip": True}),
        dynamics(items=BOXES, behaviors=[*SNAPS, DRAG | {"items": ["box", "ball"]}],
                 **{"in": "tabs/page-world"}),
        rows(id="held", row_height=40, **{"in": "world/box"}),
        profile(**{"in": "tabs/page-profile"}),
        rows(id="posts", **{"in": "profile/content", "frame": [0, 200, 320, 600]}),
        reader(**{"in": "tabs/page-pages"}),
        tips(), rows(id="inside", **{"in": "tips/tip", "frame": [20, 20, 200, 200]}),
        **fields)


class Storm:
    """Random events as topics and bodies. The same seed makes the same storm."""

    def __init__(self, session: str, seed: int):
        self.session, self.rng = session, random.Random(seed)

    def burst(self) -> list[tuple[str, dict]]:
        """The next events: a few samples of one gesture, a command, or a notification."""
        make = self.rng.choice([
            self.contact, self.contact, self.contact, self.pan, self.at_once, self.pair,
            self.scroll, self.command, self.command, self.select, self.notify])
        return make()

    def point(self) -> dict:
        return {axis: round(self.rng.uniform(0, side), 1)
                for axis, side in zip("xy", VIEWPORT)}

    def topic(self, *components: str) -> str:
        """The session's topic, or now and then a component's."""
        if components and self.rng.random() < 0.3:
            return f"gesture/{self.session}/{self.rng.choice(components)}"
        return f"gesture/{self.session}"

    def series(self, topic: str, **body: object) -> list[tuple[str, dict]]:
        """A gesture from a random point, straight in a random direction."""
        at, way = self.point(), (self.rng.uniform(-90, 90), self.rng.uniform(-140, 140))
        phases = ["began"] + ["changed"] * self.rng.randint(1, 6) + [
            self.rng.choice(["ended", "ended", "cancelled"])]
        last = len(phases) - 1
        return [(topic, {**body, "phase": phase, "x": at["x"] + way[0] * step / last,
                         "y": at["y"] + way[1] * step / last})
                for step, phase in enumerate(phases)]

    def contact(self):
        topic = self.topic("toss", "list", "reader", "world", "profile", "tabs", "tips")
        return self.series(topic, gesture="pointer", pointer=self.rng.randint(1, 3))

    def pan(self):
        events = self.series(self.topic("toss", "world", "tips"), gesture="pan")
        events[-1][1].update(vx=self.rng.uniform(-2e3, 2e3), vy=self.rng.uniform(-2e3, 2e3))
        return events

    def pair(self):
        events = self.series(self.topic("world"), gesture="pinch")
        way = self.rng.choice([0.05, -0.05])
        for step, (_, body) in enumerate(events):
            body["scale"] = 1 - step * way
        if self.rng.random() < 0.5:
            for step, (_, body) in enumerate(events):
                body.update(gesture="rotation", angle=step * 0.1)
        return events

    def at_once(self):
        return [(self.topic("list", "screen", "posts", "held", "inside"), self.rng.choice([
            {"gesture": "tap", **self.point()},
            {"gesture": "wheel", "dy": self.rng.uniform(-60, 60), **self.point()},
            {"gesture": "swipe", "direction": self.rng.choice(["left", "right"]),
             **self.point()}]))]

    def scroll(self):
        name = self.rng.choice(["list", "profile", "reader", "posts", "card"])
        return [(f"gesture/{self.session}/{name}",
                 {"gesture": "scroll", "phase": phase, "offset": self.rng.uniform(-80, 200)})
                for phase in ("began", "changed", "ended")]

    def command(self):
        name, body = self.rng.choice([
            ("toss", {"command": "reset"}), ("reader", {"command": "next"}),
            ("reader", {"command": "previous"}), ("card", {"command": "next"}),
            ("tips", {"command": "present"}), ("tips", {"command": "dismiss"}),
            ("tips", {"command": "dismiss"}), ("list", {"command": "scroll-to-top"}),
            ("navigation", {"command": "back"}), ("navigation", {
                "command": "present", "screen": self.rng.choice(["dashboard", "other"]),
                "transition": self.rng.choice(["in-via-scale", "out-to-bottom"])}),
            ("world", {"command": "add-velocity", "item": "box", "dx": 300, "dy": 50,
                       "angular": 2}),
            ("world", {"command": "set", "item": "ball", "values": {
                "center": [self.rng.uniform(60, 260), 100]}}),
            ("inlay", {"command": "add-velocity", "item": "box", "dx": 5, "dy": 5})])
        return [(f"command/{self.session}/{name}", body)]

    def select(self):
        index = self.rng.randrange(len(PAGES))
        return [(f"command/{self.session}/tabs", {"command": "select", "index": index})]

    def notify(self):
        kind = self.rng.choice(["likes", "mentions", "other"])
        return [(f"notification/{self.session}", {"kind": kind})]
