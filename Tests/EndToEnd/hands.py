"""A finger on a session's own topic, and what the session then shows and keeps."""

from __future__ import annotations

import time

from client import Control


def stroke(control: Control, session: str, *points: tuple[float, float], steps: int = 12) -> None:
    """A finger along straight legs, in samples 8 ms apart, on the session's own topic."""
    t, bodies = time.time() * 1000, []
    places = [points[0]]
    for (x0, y0), (x1, y1) in zip(points, points[1:]):
        places += [(x0 + (x1 - x0) * n / steps, y0 + (y1 - y0) * n / steps)
                   for n in range(1, steps + 1)]
    places.append(places[-1])
    for number, (x, y) in enumerate(places):
        phase = "began" if number == 0 else "ended" if number == len(places) - 1 else "changed"
        bodies.append({"gesture": "pointer", "phase": phase, "pointer": 1, "x": x, "y": y,
                       "t": t + 8 * number})
    numbers = [control.send("publish", topic=f"gesture/{session}", body=it) for it in bodies]
    answers = [control.reply(number) for number in numbers]
    assert all(answer["ok"] and answer["hit"] for answer in answers), answers


def touch(control: Control, session: str, point: tuple[float, float]) -> None:
    stroke(control, session, point, point, steps=1)


def phase(control: Control, session: str, component: str) -> str:
    return control.state(session, component)["phase"]


def body(control: Control, session: str, topic: str) -> dict:
    updates = control.ok("snapshot", session=session)["updates"]
    return next(it["body"] for it in updates if it["topic"] == topic)


def values(control: Control, session: str) -> dict:
    return body(control, session, f"variables/{session}")["values"]
