"""Scenes in which every key stands, and events and requests with every field."""

from __future__ import annotations

import json
import pathlib
import tomllib

from client import REPOSITORY

SCENE_FILES = sorted(
    path for folder in ("config/scenes", "Examples/scenes")
    for path in pathlib.Path(REPOSITORY, folder).glob("*.toml"))


def one(kind: str, **keys: object) -> dict:
    return {
        "viewport": [320, 568],
        "components": [{
            "id": kind, "kind": kind, "clip": True, "content": {"color": "#123456"}, **keys}]}


FRAME = [0, 10, 320, 500]
BALL = {
    "id": "ball", "center": [50, 60], "size": [40, 40], "rotation": 0.5, "shape": "circle",
    "scale": 2, "token": 5, "content": {"text": "o"}}
BOX = {"id": "box", "center": [150, 60], "size": [40, 30]}
BEHAVIORS = [
    {"id": "a1", "kind": "attachment", "item": "ball", "offset": [1, 2], "anchor": [3, 4],
     "type": "distance", "length": 50, "frequency": 1, "damping": 0.5},
    {"id": "a2", "kind": "attachment", "item": "ball", "to": "box", "to_offset": [1, 1],
     "type": "fixed", "frequency": 2, "damping": 1},
    {"id": "a3", "kind": "attachment", "item": "box", "anchor": [3, 4], "type": "pin",
     "friction_torque": 1, "range": [-1, 1]},
    {"id": "a4", "kind": "attachment", "item": "box", "anchor": [3, 4], "type": "sliding",
     "axis": [1, 0], "range": [-10, 10]},
    {"id": "a5", "kind": "attachment", "item": "box", "anchor": [3, 4], "type": "limit",
     "length": 100},
    {"id": "s1", "kind": "snap", "item": "box", "point": [1, 2], "damping": 0.2},
    {"id": "p1", "kind": "push", "items": ["box"], "mode": "continuous", "dx": 1, "dy": 2,
     "offset": [1, 1], "active": False},
    {"id": "p2", "kind": "push", "items": ["box", "ball"], "mode": "instantaneous",
     "angle": 1, "magnitude": 2},
    {"id": "g1", "kind": "gravity", "items": ["ball"], "angle": 1, "magnitude": 0.5},
    {"id": "g2", "kind": "gravity", "items": ["box"], "dx": 1, "dy": 0},
    {"id": "c1", "kind": "collision", "items": ["ball", "box"], "mode": "everything",
     "bounds": [1, 2, 3, 4], "boundaries": [
         {"id": "b1", "from": [0, 0], "to": [10, 10]},
         {"id": "b2", "path": [[0, 0], [5, 5], [9, 0]]}]},
    {"id": "i1", "kind": "item", "items": ["ball"], "elasticity": 0.5, "friction": 0.1,
     "density": 2, "resistance": 0.1, "angular_resistance": 0.2, "allows_rotation": True,
     "charge": -1, "anchored": False},
]
FIELDS = [
    {"id": "f1", "kind": "field", "items": ["ball"], "type": "noise", "position": [1, 2],
     "strength": 2, "falloff": 1, "minimum_radius": 3, "direction": [0, 1], "smoothness": 0.5,
     "animation_speed": 2, "region": {"shape": "circle", "radius": 50, "center": [1, 1]}},
    {"id": "f2", "kind": "field", "items": [], "type": "linear-gravity", "region": {
        "shape": "union", "of": [
            {"shape": "rectangle", "size": [10, 20], "center": [0, 0]},
            {"shape": "inverse", "of": [{"shape": "infinite"}]}]}},
    {"id": "all", "kind": "group", "items": ["box"]},
]
REACTIONS = [
    {"when": {"component": "tabs", "transition": "select", "event": "ended", "from": 0, "to": 1,
              "item": "b"},
     "do": {"component": "navigation", "command": "present", "screen": "$item",
            "transition": "in-from-left", "duration": 0.5}, "after": 1.5},
    {"when": {"component": "tabs", "phase": "moving"},
     "do": {"component": "tabs", "command": "glow", "index": 1}},
    {"when": {"notification": "likes"},
     "do": {"component": "tabs", "command": "set",
            "values": {"height": 50, "bubble_timeout": "$count"}}},
    {"when": {"badge": "likes", "above": 9},
     "do": {"component": "badges", "command": "clear", "kind": "$kind"}},
    {"when": {"session": "opened"},
     "do": {"component": "world", "command": "add-velocity", "item": "ball", "dx": 1, "dy": 2,
            "angular": 3}},
    {"when": {"session": "resized"},
     "do": {"component": "world", "command": "add-item",
            "item": {"id": "new", "center": [1, 2], "size": [3, 4]}}},
    {"when": {"session": "restored"},
     "do": {"component": "world", "command": "set", "item": "ball",
            "values": {"center": [1, 2]}}},
    {"when": {"component": "world", "transition": "contact", "item": "ball"},
     "do": {"component": "world", "command": "remove-item", "item": "$item"}},
    {"when": {"session": "opened"},
     "do": {"component": "world", "command": "add-behavior",
            "behavior": {"id": "down", "kind": "gravity", "items": ["ball"]}}},
    {"when": {"session": "opened"},
     "do": {"component": "tips", "command": "present", "tips": [{"title": "One"}]}},
    {"id": "late", "when": [{"idle": 60}, {"every": 0.5}, {"badge": "likes", "below": 3}],
     "if": [{"component": "tips", "phase": "resting"}, {"not": {"badge": "likes", "is": 3}},
            {"variable": "score", "above": 1, "below": 9}],
     "do": [{"variable": "score", "add": 2, "after": 1}, {"cancel": "late"},
            {"component": "badges", "command": "add", "kind": "likes", "count": 2}]},
    {"when": {"variable": "open", "is": True},
     "if": {"component": "tabs", "item": "b", "selected": False},
     "do": [{"session": "resize", "viewport": [300, 500], "insets": [1, 2, 3, 4]},
            {"variable": "name", "set": "x"}]},
    {"when": {"notification": "likes"},
     "do": [{"variable": "score", "set": "$count"}, {"variable": "name", "set": "$data.a.b"},
            {"component": "badges", "command": "set", "kind": "$kind", "count": "$count"}]},
    {"when": {"component": "world", "transition": "contact", "item": "ball", "boundary": "b1"},
     "do": {"component": "badges", "command": "clear"}},
    {"when": {"component": "world", "token": 5, "event": "turned", "item": "ball"},
     "do": {"component": "badges", "command": "set", "kind": "likes", "count": "$angle"}},
    {"when": {"component": "world", "transition": "token", "event": "ended", "token": 5},
     "do": {"component": "badges", "command": "add", "kind": "likes", "count": "$token"}},
]
SCENES = {
    "tips": one(
        "tips", frame=FRAME, spring={"duration": 0.4, "bounce": 0.1}, tips=[
            {"title": "One", "summary": "First", "image": "one.png", "content": {"a": 1}}, {}],
        size=[200, 300], pivot_offset=600, threshold=80, exit_duration=0.5, exit_travel=0.2,
        snap_damping=0.4, resistance=1, backdrop_alpha=0.4, fade=0.2, presented=False),
    "toss": one(
        "toss", frame=[30, 100, 200, 150], throwing_threshold=900, velocity_padding=30,
        spin=[-5, 5], friction=0.3, return_delay=0.3, return_duration=0.4, markers="always",
        reach="all", spring={"duration": 0.4, "bounce": 0.1}),
    "navigation": one(
        "navigation", frame=FRAME, root="home", duration=0.4, start_delay=0.01,
        removal_lead=0.03, scale_in_from=0.2, scale_out_to=0.02, queue=4, pop_edge=30),
    "slides": one("navigation", root="home", spring={"duration": 0.4, "bounce": 0.1}),
    "screens": one("navigation", root="home", screens=[
        {"name": "home", "title": {"en": "Home", "de": "Start"}},
        {"name": "mail", "title": "Mail", "back": "out-to-top", "origin": [60, 80]}]),
    "titles": one("reader", pages=["One", {"en": "Two", "de": "Zwei"}],
                  spring={"duration": 0.4, "bounce": 0.1}),
    "profile": one(
        "profile", frame=FRAME, header=[0, 0, 320, 100], avatar=[8, 70, 60, 60],
        label=[0, 100, 320, 20], header_stop=30, label_offset=90, label_distance=30,
        avatar_slowdown=1.5, content_height=2000),
    "bar": one("profile", navigation_height=64, name_label_top=130),
    "list": one(
        "list", frame=FRAME, spring={"duration": 0.4, "bounce": 0.1}, rows=30, row_height=60,
        style="push", duration=0.3, bounce=6, side="left", opens="right", others="at-once",
        menu=[{"id": "order", "content": {"text": "Order"}}, {"id": "more"}]),
    "rows": one("list", rows=[
        {"id": "soup", "content": {"text": "Soup"}, "menu": [{"id": "more", "content": {"a": 1}}]},
        {"id": "bread"}]),
    "numbered": one("list", rows=7, row={"text": "Row $row"}),
    "reader": one(
        "reader", frame=FRAME, pages=["One", "Two", "Three"], start=1, size=[300, 500],
        header_height=50, footer_height=60, arrow=[10, 5, 20, 30], duration=0.3),
    "pages": one("reader", pages=7),
    "tabs": one(
        "tabs", frame=FRAME,
        spring={"duration": 0.4, "bounce": 0.1}, bubble_spring={"bounce": -0.1}, items=[
            {"id": "a", "glow": ["mentions"], "bubble": ["likes", "comments"],
             "content": {"text": "A"}}, {"id": "b"}],
        width=300, height=50, window_height=480, arrow=[10, 5], glow_size=[30, 8],
        bubble_size=[100, 30], arrow_duration=0.3, arrow_curve="ease-in", bubble_fade=0.4,
        bubble_timeout=5, bar_covers=False),
    "button": one(
        "button", frame={"left": 1, "width": "50%", "bottom": 2, "height": 60}, enabled=True,
        toggle=True, on=True, repeat=0.5),
    "label": one(
        "label", frame={"left": "10%", "right": 5, "center_y": "50%", "aspect": 2, "safe": True},
        text="Hello", image="star", fade=0.5, shown=False, spring={"duration": 0.4, "bounce": 0.1}),
    "panel": one(
        "panel", frame=FRAME, axis="horizontal", size=[40, 40],
        anchors=[{"name": "off", "at": 0}, {"name": "on", "at": "60%"}], start="on",
        spring={"duration": 0.4, "bounce": 0.2}, drag="handle", handle=[0, 0, 40, 40],
        overshoot=False, backdrop_alpha=0.4),
    "world": one(
        "dynamics", frame=FRAME, items=[BALL], behaviors=[], drag=False, drag_frequency=2,
        drag_damping=0.5),
    "whole": {
        "$schema": "scene.json", "name": "whole", "viewport": [320, 568],
        "insets": [10, 0, 20, 0], "frame_rate": 30, "seed": 7, "velocity": "least-squares",
        "content": {"background": "#fff"}, "components": [
            {"id": "tabs", "kind": "tabs", "items": [{"id": "a"}]},
            {"id": "toss", "kind": "toss", "in": "tabs/page-a"}]},
}
# Scenes as people write them: some changes of these are tried, not all.
WRITTEN = {path.stem: tomllib.loads(path.read_text(encoding="utf-8")) for path in SCENE_FILES}
assert json.loads(json.dumps(SCENES)) == SCENES, "scenes are JSON"
