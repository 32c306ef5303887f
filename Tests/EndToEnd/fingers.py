"""Raw contacts, as a touchscreen's driver sends them."""

from __future__ import annotations

import time

from checks import settle
from client import Control, Daemon, Subscriber
from scenes import scene


class Finger:
    """One contact. Its clock advances 8 ms a sample, at any speed of sending."""

    def __init__(self, control: Control, session: str, component: str, pointer: int = 1):
        self.control, self.topic = control, f"gesture/{session}/{component}"
        self.pointer, self.t = pointer, time.time() * 1000

    def body(self, phase: str, x: float, y: float) -> dict:
        self.t += 8
        self.place = x, y
        return {"gesture": "pointer", "phase": phase, "pointer": self.pointer, "x": x, "y": y,
                "t": self.t}

    def down(self, x: float, y: float) -> Finger:
        self.control.publish(self.topic, self.body("began", x, y))
        return self

    def move(self, x: float, y: float, steps: int = 1) -> Finger:
        """Moves in a straight line, in this many samples."""
        (x0, y0), bodies = self.place, []
        for step in range(1, steps + 1):
            part = step / steps
            bodies.append(self.body("changed", x0 + (x - x0) * part, y0 + (y - y0) * part))
        numbers = [
            self.control.send("publish", topic=self.topic, body=body) for body in bodies]
        answers = [self.control.reply(number) for number in numbers]
        assert all(answer["ok"] for answer in answers), answers
        return self

    def up(self, phase: str = "ended") -> None:
        self.control.publish(self.topic, self.body(phase, *self.place))

    def code(self, phase: str, x: float, y: float) -> str:
        return self.control.code(self.topic, self.body(phase, x, y))


def opened(
    daemon: Daemon, control: Control, session: str, component: dict, **fields: object
) -> Subscriber:
    """A subscriber to one component, which is at rest."""
    control.open(session, scene(component, frame_rate=120, **fields))
    updates = daemon.subscriber(
        f"state/{session}/", f"transition/{session}/", f"rejected/{session}")
    if component["kind"] == "tips" and component.get("presented", True):
        settle(updates, session, component["id"])
    else:
        updates.until(lambda u: u.topic.startswith("state/"), "the first state")
    return updates


def lit(shown: dict) -> list[str]:
    """The highlighted items."""
    return [item["id"] for item in shown["model"]["items"] if item["highlighted"]]
