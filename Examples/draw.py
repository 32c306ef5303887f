#!/usr/bin/env python3
"""Draws a session as it is now: draw.py SESSION [CONTROL-ENDPOINT] > picture.svg

It needs pyzmq only, and shows how little a renderer has to know: a scene, the states of one frame,
and the order of painting. docs/protocol/draw.md says the rest.
"""

import json
import math
import sys
from xml.sax.saxutils import escape, quoteattr

import zmq

# The views that look as the component's own content says. All others have an entry of their name.
OWN = {"tips": "tip", "toss": "item", "navigation": "", "profile": "content", "list": "row",
       "reader": ("page", "incoming"), "tabs": "bar", "button": "button",
       "label": ("label", "former"), "panel": "panel"}


def snapshot(session, endpoint):
    """The last update of each of the session's topics."""
    socket = zmq.Context.instance().socket(zmq.REQ)
    socket.linger = 0
    socket.connect(endpoint)
    socket.send_json({"op": "snapshot", "session": session})
    if not socket.poll(5000):
        sys.exit(f"draw.py: no daemon answers at {endpoint}. Start one with: make run")
    answer = socket.recv_json()
    if not answer["ok"]:
        sys.exit(answer["error"]["message"])
    return {update["topic"].split("/")[0]: update["body"] for update in answer["updates"]}


def look(component, state, view, told=None):
    """How a view looks: its colors, and its text. `told` are the rows that a list tells."""
    told = told or {}
    kind, content, model = component["kind"], component["content"], state["model"]
    name, _, rest = view.partition("-")
    own = {key: value for key, value in content.items() if not isinstance(value, dict)}
    items = component["parameters"].get("items", [])
    item = next((item for item in items if item["id"] in (view, kind == "tabs" and rest)), {})
    if kind == "tabs" and name == "page":
        return {}
    if item and name != "glow":
        round_one = {"corner_radius": item["size"][0] / 2} if item.get("shape") == "circle" else {}
        return item.get("content", {}) | round_one
    entry = content.get("screens", {}).get(view) or content.get(
        "name" if kind == "profile" and name == "label" else name, {})
    # A view `label` may have a content whose `label` is a text for a screen reader.
    entry = entry if isinstance(entry, dict) else {}
    number = (model.get("row") or 0 if view == "menu" else int(rest)) if kind == "list" else 0
    place = number - told.get("from", 0)
    row = told["rows"][place] if 0 <= place < len(told.get("rows", [])) else {}
    menu = row.get("menu", component["parameters"].get("menu", []))
    news = sum((model.get("bubble") or {}).get("counts", {}).values())
    text = {"tip": model.get("title"), "page": model.get("title"),
            "row": None if row else f"Row {rest}",
            "label": model.get("text"), "former": model.get("former_text"),
            "bubble": f"{news} new",
            "menu": "   ".join(action["id"] for action in menu)}.get(name)
    is_own = kind in OWN and name.startswith(OWN[kind])
    return ({} if text is None else {"text": text}) | (own if is_own else {}) | entry | (
        row.get("content", {}) if name == "row" else {})


def draw_view(component, state, view, shown, told):
    """A box, with its text in the middle."""
    style, w, h = look(component, state, view, told), shown["w"], shown["h"]
    line = "#cccccc" if view.startswith("row-") else "none"
    box = (f'<rect width="{w}" height="{h}" rx="{style.get("corner_radius", 0)}" '
           f'fill={quoteattr(style.get("background", style.get("color", "none")))}'
           f' stroke="{line}"/>')
    screens = state["model"].get("screens") or [] if component["kind"] == "navigation" else []
    title = next((one.get("title") for one in screens if one["name"] == view), None)
    if title:
        return (f'{box}<text x="{w / 2}" y="28" font-family="sans-serif" font-size="17" '
                f'text-anchor="middle">{escape(title)}</text>')
    if not style.get("text"):
        return box
    fill, size = quoteattr(style.get("color", "#000000")), style.get("font_size", 12)
    return (f'{box if "background" in style else ""}<text x="{w / 2}" y="{h / 2 + size / 3}" '
            f'fill={fill} font-family="sans-serif" font-size="{size}" text-anchor="middle">'
            f'{escape(str(style["text"]))}</text>')


def draw(scene, states, rows, parent=None, slot=None):
    """All that stands in a slot, from back to front; without one, all that stands on the screen."""
    lines = []
    for component in scene["components"]:
        if (component["parent"], component["slot"]) != (parent, slot):
            continue
        (x, y, w, h), state = component["frame"], states[component["id"]]
        clip = f"clip-{component['id']}"
        lines.append(f'<g transform="translate({x} {y})">')
        if component["clip"]:
            lines[-1] = (f'<clipPath id="{clip}"><rect x="{x}" y="{y}" width="{w}" height="{h}"/>'
                         f'</clipPath><g clip-path="url(#{clip})">') + lines[-1]
        for view, shown in sorted(state["views"].items(), key=lambda item: item[1]["z"]):
            lines.append(
                f'<g opacity="{shown["alpha"]}" transform="translate({shown["x"]} {shown["y"]}) '
                f'rotate({math.degrees(shown["rotation"]):.4f}) scale({shown["scale"]}) '
                f'translate({-shown["w"] / 2} {-shown["h"] / 2})">')
            lines.append(
                draw_view(component, state, view, shown, rows.get(component["id"], {})))
            lines += draw(scene, states, rows, component["id"], view)
            lines.append("</g>")
        lines.append("</g></g>" if component["clip"] else "</g>")
    return lines


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__.splitlines()[0])
    endpoint = (sys.argv[2:] or ["tcp://127.0.0.1:7413"])[0]
    try:
        shown = snapshot(sys.argv[1], endpoint)
    except zmq.ZMQError as error:
        sys.exit(f"{endpoint}: {error}; an endpoint is as tcp://127.0.0.1:7413")
    w, h = shown["scene"]["viewport"]
    states = {state["component"]: state for state in shown["frame"]["states"]}
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}">',
          *draw(shown["scene"], states, shown["frame"].get("rows", {})), "</svg>", sep="\n")
