#!/usr/bin/env python3
"""Writes cases/layers.json, hits.json and curves.json: make.py [--check]

Their values come from Tests/EndToEnd/renderer.py and hitmodel.py, which were written from
docs/protocol alone, and from Bézier curves in 50 digits; none of it is a client's code. With
--check it writes nothing, and ends with 1 where a file is another.
"""

from __future__ import annotations

import decimal
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path += [str(FOLDER.parent / "EndToEnd"), str(FOLDER)]

import pictures  # noqa: E402
from hitmodel import hits  # noqa: E402
from renderer import Picture  # noqa: E402

# A point counts only where its answer is the same within this many points around it.
DOUBT = 1e-5
CONTROL_POINTS = {
    "linear": ("0", "0", "1", "1"), "ease-in": ("0.42", "0", "1", "1"),
    "ease-out": ("0", "0", "0.58", "1"), "ease-in-out": ("0.42", "0", "0.58", "1"),
    "default": ("0.25", "0.1", "0.25", "1")}


def shown(picture: dict) -> Picture:
    return Picture(picture["scene"], picture["states"])


def layers(picture: dict) -> list[dict]:
    """All painted views, the first at the back."""
    return [{
        "component": one.component, "view": one.view,
        "matrix": [getattr(one.area.matrix, name) + 0.0 for name in "abcdef"],
        "w": one.area.w, "h": one.area.h, "alpha": one.alpha, "round": one.is_circle}
        for one in shown(picture).painted()]


def asks(picture: dict, points: list[tuple[float, float]], is_exact: bool) -> list[dict]:
    """The hit at each point that is in no doubt; exact points may lie on edges."""
    states, found = picture["states"], []
    scene = {**picture["scene"], "components": [
        component for component in picture["scene"]["components"] if component["id"] in states]}
    for x, y in points:
        answers = list(hits(Picture(scene, states), x, y, 0.0 if is_exact else DOUBT))
        assert len(answers) == 1 or not is_exact, f"({x}, {y}) is in doubt: {answers}"
        if len(answers) == 1:
            answer = answers[0] and {"component": answers[0][0], "view": answers[0][1]}
            found.append({"tell": {"x": x, "y": y}, "says": {"hit": answer}})
    assert len(found) > 0.9 * len(points), f"{len(points) - len(found)} points are in doubt"
    return found


def curve(name: str, x: str) -> float:
    """The height of a Bézier curve from (0, 0) to (1, 1), by bisection in 50 digits."""
    with decimal.localcontext(prec=50):
        ax, ay, bx, by = (decimal.Decimal(number) for number in CONTROL_POINTS[name])
        wanted, low, high = decimal.Decimal(x), decimal.Decimal(0), decimal.Decimal(1)

        def place(a: decimal.Decimal, b: decimal.Decimal, s: decimal.Decimal) -> decimal.Decimal:
            return 3 * a * s * (1 - s) ** 2 + 3 * b * s**2 * (1 - s) + s**3

        for _ in range(160):
            middle = (low + high) / 2
            low, high = (middle, high) if place(ax, bx, middle) < wanted else (low, middle)
        return float(place(ay, by, (low + high) / 2))


def spring(stiffness: str, damping: str, velocity: str, seconds: str) -> float:
    """The way of a spring from 0 to 1, by the series of its differential equation in 80 digits.

    With the distance u from the end, u″ = −c·u′ − k·u gives each coefficient from those before.
    """
    with decimal.localcontext(prec=80):
        k, c, v, t = (decimal.Decimal(number) for number in (stiffness, damping, velocity, seconds))
        before, coefficient = decimal.Decimal(-1), v
        power, total = t, before + v * t
        for n in range(2, 1_000):
            before, coefficient = coefficient, (
                -c * (n - 1) * coefficient - k * before) / (n * (n - 1))
            power *= t
            total += coefficient * power
        return float(total + 1)


def layer_cases() -> list[dict]:
    return [{"name": f"layers: {name}", "why": picture.pop("why"), "picture": given,
             "tell": {"do": "layers"}, "within": 1e-6,
             "asks": [{"tell": {}, "says": {"layers": layers(picture)}}]}
            for name, given, picture in pictures.drawn()]


def hit_cases() -> list[dict]:
    found = []
    for name, why, given, picture, points, is_exact in pictures.touched():
        given_asks = asks(picture, points, is_exact)
        answers = {json.dumps(ask["says"]) for ask in given_asks}
        assert len(answers) > 1, f"{name} has one answer for all points"
        found.append({"name": f"hits: {name}", "why": why, "picture": given,
                      "tell": {"do": "hit"}, "asks": given_asks})
    return found


def curve_cases() -> list[dict]:
    places = ["0", "0.000001", "0.001", "0.01", "0.1", "0.2", "0.3", "0.42", "0.5", "0.58", "0.7",
              "0.8", "0.9", "0.99", "0.999", "0.999999", "1"]
    return [{"name": f"curves: {name}", "why": "Transitions: the control points of each curve",
             "tell": {"do": "curve", "name": name}, "within": 1e-6,
             "asks": [{"tell": {"x": float(x)}, "says": {"y": curve(name, x)}} for x in places]}
            for name in CONTROL_POINTS] + spring_cases()


# Name, stiffness, damping, velocity: without a bounce, with one, with a velocity, and slow.
SPRINGS = [("without a bounce", "157.913670", "25.132741", "0"),
           ("with a bounce", "157.913670", "17.592919", "0"),
           ("thrown", "157.913670", "25.132741", "12.5"),
           ("thrown back", "39.478418", "6.283185", "-8"),
           ("creeping", "157.913670", "50.265482", "0")]


def spring_cases() -> list[dict]:
    times = ["0", "0.008333", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.75", "1"]
    return [{"name": f"curves: a spring {name}", "why": "Transitions: springs",
             "tell": {"do": "curve",
                      "curve": {"spring": [float(k), float(c), float(v)]}, "duration": 2},
             "within": 1e-6,
             "asks": [{"tell": {"seconds": float(t)}, "says": {"y": spring(k, c, v, t)}}
                      for t in times]}
            for name, k, c, v in SPRINGS]


def text(cases: list[dict]) -> str:
    """JSON with one line for each ask and each component, so that differences can be read."""
    blocks = []
    for case in cases:
        lines = []
        for key, value in case.items():
            if key == "asks":
                rows = ",\n".join("  " + ask_text(ask) for ask in value)
                lines.append(f'"asks": [\n{rows}\n ]')
            else:
                lines.append(f"{json.dumps(key)}: {json.dumps(value)}")
        blocks.append("{" + ",\n ".join(lines) + "}")
    return "[\n" + ",\n".join(blocks) + "\n]\n"


def ask_text(ask: dict) -> str:
    if "layers" not in ask["says"]:
        return json.dumps(ask)
    rows = ",\n   ".join(json.dumps(layer) for layer in ask["says"]["layers"])
    return f'{{"tell": {{}}, "says": {{"layers": [\n   {rows}\n  ]}}}}'


def main() -> int:
    wrong = 0
    for area, cases in (("layers", layer_cases()), ("hits", hit_cases()),
                        ("curves", curve_cases())):
        path = FOLDER / "cases" / f"{area}.json"
        wanted = text(cases)
        if "--check" not in sys.argv:
            path.write_text(wanted, encoding="utf-8")
        elif path.read_text(encoding="utf-8") != wanted:
            print(f"{path} is another than make.py writes")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
