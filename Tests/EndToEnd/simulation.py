"""`gesturectl simulate`: the exact updates of a recording, on virtual time."""

from __future__ import annotations

import json
import subprocess
import tempfile

from checks import STEP, expect_sequence
from client import DEADLINE, Update, binary
from recordings import Sample

SESSION = "alice"


class Script:
    """A recording, written line by line; `now` is the time of the next line.

    Times are milliseconds. Each multiple of 25 ms falls exactly on a step.
    """

    def __init__(self, scene: object, now: float = 1000.0):
        self.header = {"gesture-recording": 1, "scene": scene, "seed": 7}
        self.lines: list[dict] = []
        self.now = now
        self.line(f"command/{SESSION}", {"command": "open", "scene": scene})

    def line(self, topic: str, body: dict) -> None:
        self.lines.append({"t": round(self.now, 3), "topic": topic, "body": body})

    def wait(self, milliseconds: float) -> Script:
        self.now += milliseconds
        return self

    def gesture(self, component: str, gesture: str, phase: str | None = None, **fields) -> Script:
        body = {"gesture": gesture, **({"phase": phase} if phase else {}), **fields}
        self.line(f"gesture/{SESSION}/{component}", body)
        return self

    def command(self, component: str, command: str, **fields) -> Script:
        self.line(f"command/{SESSION}/{component}", {"command": command, **fields})
        return self

    def notify(self, kind: str, **fields) -> Script:
        self.line(f"notification/{SESSION}", {"kind": kind, **fields})
        return self

    def contact(
        self, component: str, places, every: float = 25.0, pointer: int = 1, last: str = "ended"
    ) -> Script:
        """A raw contact through these places, at one interval in milliseconds."""
        for number, (x, y) in enumerate(places):
            phase = "began" if number == 0 else last if number == len(places) - 1 else "changed"
            if number:
                self.wait(every)
            self.gesture(component, "pointer", phase, pointer=pointer, x=x, y=y)
        return self

    def touched(self, components: list[str], samples: list[Sample]) -> Script:
        """Plays a touchscreen's recording on each of these components, from now on."""
        began = self.now
        for sample in samples:
            self.now = began + sample.seconds * 1000
            for component in components:
                self.gesture(
                    component, "pointer", sample.phase, pointer=sample.pointer, x=sample.x,
                    y=sample.y)
        return self

    def run(self, *arguments: str) -> list[Update]:
        """All updates except heartbeats. Asserts that no topic has a gap."""
        lines = [self.header, *sorted(self.lines, key=lambda line: line["t"])]
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines))
            file.flush()
            result = subprocess.run(
                [str(binary().with_name("gesturectl")), "simulate", file.name, *arguments],
                capture_output=True, text=True, timeout=6 * DEADLINE, stdin=subprocess.DEVNULL)
        assert result.returncode == 0, result.stderr
        updates = []
        for line in result.stdout.splitlines():
            message = json.loads(line)
            text = line[line.index('"body":') + len('"body":'):-1]
            updates.append(Update(message["topic"], message["body"], text))
        expect_sequence(updates)
        return [update for update in updates if update.topic != "heartbeat"]


def of(updates: list[Update], component: str, kind: str = "state") -> list[Update]:
    return [update for update in updates if update.topic == f"{kind}/{SESSION}/{component}"]


def step_of(update: Update, began: float = 1000.0) -> int:
    """The step of an update, counted from the session's opening."""
    steps = (update.t - began) / STEP
    assert abs(steps - round(steps)) < 0.01, f"between two steps: {update}"
    return round(steps)


def at_step(states: list[Update], step: int) -> dict:
    """The state shown at a step: the last one up to it."""
    shown = [state for state in states if step_of(state) <= step]
    assert shown, f"nothing is shown yet at step {step}: {states[:1]}"
    return shown[-1].body
