#!/usr/bin/env python3
"""Captures the pictures of scenes/ from a running daemon with this repository's scenes.

capture.py [CONTROL-ENDPOINT]; then run make.py.
"""

from __future__ import annotations

import json
import pathlib
import sys
import time
from collections.abc import Callable

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1] / "Clients" / "python" / "src"))

import gestured  # noqa: E402

# Seconds until a scene must look as it should.
DEADLINE = 20.0
# All kinds of holders within each other, turned and scaled.
NEST = {"viewport": [400, 600], "components": [
    {"id": "tabs", "kind": "tabs", "items": [{"id": "home"}, {"id": "more"}]},
    {"id": "way", "kind": "navigation", "in": "tabs/page-home", "root": "start",
     "frame": [20, 20, 360, 520]},
    {"id": "world", "kind": "dynamics", "in": "way/start", "items": [
        {"id": "card", "center": [170, 230], "size": [240, 300], "rotation": 0.35, "scale": 1.2},
        {"id": "coin", "center": [300, 60], "size": [70, 70], "shape": "circle",
         "rotation": -0.5}]},
    {"id": "list", "kind": "list", "in": "world/card", "frame": [10, 20, 200, 240], "rows": 9,
     "row_height": 50, "menu": [{"id": "keep"}, {"id": "drop"}]},
    {"id": "inner", "kind": "dynamics", "in": "list/row-2", "items": [
        {"id": "dot", "center": [30, 25], "size": [36, 36], "shape": "circle"},
        {"id": "bar", "center": [130, 25], "size": [90, 14], "rotation": 0.6}]},
    {"id": "face", "kind": "profile", "in": "tabs/page-more"}]}


class Stage:
    """One session that is brought into a state worth a picture."""

    def __init__(self, client: gestured.Client, name: str, scene: object):
        self.client, self.name = client, f"capture-{name}"
        client.request("open", session=self.name, scene=scene)

    def command(self, component: str, command: str, **fields: object) -> None:
        body = {"command": command, **fields}
        self.client.publish(f"command/{self.name}/{component}", body, ack=True)

    def gesture(self, component: str, gesture: str, **fields: object) -> None:
        body = {"gesture": gesture, **fields}
        self.client.publish(f"gesture/{self.name}/{component}", body, ack=True)

    def picture(self) -> dict:
        found = self.client.request("snapshot", session=self.name)["updates"]
        bodies = {update["topic"]: update["body"] for update in found}
        states = {topic.split("/", 2)[2]: bare(body) for topic, body in bodies.items()
                  if topic.startswith("state/")}
        return {"scene": bare(bodies[f"scene/{self.name}"]), "states": states}

    def wait(self, holds: Callable[[dict], bool]) -> dict:
        end = time.monotonic() + DEADLINE
        while not holds((picture := self.picture())["states"]):
            assert time.monotonic() < end, f"{self.name} does not come to its picture"
            time.sleep(0.05)
        return picture


def bare(body: dict) -> dict:
    return {key: value for key, value in body.items() if key not in ("epoch", "seq", "t")}


def phone_tips(stage: Stage) -> dict:
    return stage.wait(lambda states: states["tips"]["phase"] == "resting")


def phone_transition(stage: Stage) -> dict:
    stage.wait(lambda states: states["tips"]["phase"] == "resting")
    stage.command("tips", "dismiss")
    stage.wait(lambda states: states["tips"]["phase"] == "dismissed")
    stage.command("navigation", "present", screen="detail", transition="in-via-scale", duration=10)
    return stage.wait(lambda states: any(
        0.3 < view["scale"] < 0.9 for view in states["navigation"]["views"].values()))


def kiosk_row(stage: Stage) -> dict:
    stage.wait(lambda states: states["tour"]["phase"] == "resting")
    stage.command("tour", "dismiss")
    stage.client.publish(f"notification/{stage.name}", {"kind": "ready", "add": 3}, ack=True)
    stage.wait(lambda states: states["tour"]["phase"] == "dismissed")
    stage.gesture("dishes", "swipe", direction="left", row=2)
    return stage.wait(lambda states: states["dishes"]["phase"] == "open")


def kiosk_sheet(stage: Stage) -> dict:
    stage.wait(lambda states: states["tour"]["phase"] == "resting")
    stage.command("tour", "dismiss")
    stage.wait(lambda states: states["tour"]["phase"] == "dismissed")
    stage.command("dishes", "select", item="pasta")
    return stage.wait(lambda states: states["sheet"]["phase"] == "resting"
                      and states["sheet"]["model"]["at"] == "open")


def dock_falling(stage: Stage) -> dict:
    return stage.wait(lambda states: states["dock"]["views"]["mail"]["y"] > 330)


def nest(stage: Stage) -> dict:
    stage.gesture("list", "scroll", phase="began", offset=0)
    stage.gesture("list", "scroll", phase="changed", offset=30)
    return stage.picture()


def nest_transition(stage: Stage) -> dict:
    stage.command("way", "present", screen="next", transition="in-from-left", duration=10)
    return stage.wait(lambda states: len(states["way"]["views"]) == 2 and any(
        -60 < view["x"] < 140 for view in states["way"]["views"].values()))


PICTURES = {
    "phone-tips": ("phone", phone_tips), "phone-transition": ("phone", phone_transition),
    "kiosk-row": ("kiosk", kiosk_row), "kiosk-sheet": ("kiosk", kiosk_sheet),
    "dock-falling": ("dock", dock_falling),
    "nest": (NEST, nest),
    "nest-transition": (NEST, nest_transition)}


def main() -> None:
    with gestured.connect(control=sys.argv[1] if len(sys.argv) > 1 else None) as client:
        for name, (scene, bring) in PICTURES.items():
            stage = Stage(client, name, scene)
            picture = bring(stage)
            lines = [json.dumps(name) + ": " + json.dumps(state)
                     for name, state in picture["states"].items()]
            scene_lines = [json.dumps(component) for component in picture["scene"]["components"]]
            rest = {key: value for key, value in picture["scene"].items() if key != "components"}
            text = ('{"scene": {%s,\n "components": [\n  %s]},\n"states": {\n %s}}\n' % (
                json.dumps(rest)[1:-1], ",\n  ".join(scene_lines), ",\n ".join(lines)))
            (FOLDER / "scenes" / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
