"""How the cases write updates, patterns and names; Tests/Conformance/README.md describes it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

# An update as text: topic, epoch, seq, t, and for most topics one word.
SHORT = re.compile(r"(\S+/\S+|heartbeat) (\S+) (\d+) ([\d.]+)(?: (\S+))?")
NAME = re.compile(r"[@$][a-z][a-z0-9_.]*")
PART = re.compile(r"\$\{([a-z]+)\}")
ABSENT = "!"


class Mismatch(Exception):
    """The client did something else than the case expects."""


def body_of(topic: str, word: str | None) -> dict:
    """The fields behind epoch, seq and t that a topic's body has in a case."""
    kind, number = topic.split("/")[0], int(word) if word and word.isdigit() else 0
    state = {"phase": word, "model": {}, "views": {}}
    return {
        "state": state,
        "frame": {"states": [{"component": "a", **state}]},
        "badge": {"version": 1000 + number, "total": number, "counts": {"likes": number}},
        "variables": {"version": 1000 + number, "values": {"score": number}},
        "rows": {"version": number or 1, "count": 1, "from": 0,
                 "rows": [{"id": "tea", "content": {"text": word}}]},
        "touches": {"touches": [{"pointer": number, "x": 4, "y": 5, "kind": "finger",
                                 "color": "#3b82f6"}]},
        "session": {"event": word, "scene": None},
        "scene": {"scene": None, "revision": number or 1, "viewport": [320, 568],
                  "insets": [0, 0, 0, 0], "frame_rate": 60, "content": {}, "components": []},
        "transition": {"name": word, "event": "began", "duration": 0.4, "curve": None},
        "rejected": {"code": word, "message": "no", "topic": "x", "excerpt": ""},
        "heartbeat": {"uptime": 1, "sessions": 1, "moving": 0, "events": 0, "rejected": 0,
                      "updates": 0},
    }.get(kind, {})


def update_of(text: str) -> list:
    found = SHORT.fullmatch(text)
    if not found:
        raise ValueError(f"not an update: {text!r}")
    topic, epoch, seq, t, word = found.groups()
    time = float(t)
    head = {"epoch": epoch, "seq": int(seq), "t": int(time) if time.is_integer() else time}
    return [topic, head | body_of(topic, word)]


class Names:
    """The values of a case's names: `@name` of its `let`, `$name` bound while it runs."""

    def __init__(self, let: Mapping[str, object]):
        self.values: dict[str, object] = {}
        for name, value in let.items():
            self.values["@" + name] = self.fill(value)

    def fill(self, value: object) -> object:
        """The value with every name in it replaced."""
        if isinstance(value, str) and NAME.fullmatch(value):
            if value not in self.values:
                raise ValueError(f"{value} has no value yet")
            return self.values[value]
        if isinstance(value, str):
            return PART.sub(lambda found: str(self.values["$" + found[1]]), value)
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {key: self.fill(item) for key, item in value.items()}
        return value

    def updates(self, value: object) -> list[list]:
        """Updates, each as `[topic, body]`, as text, or as a name."""
        filled = self.fill(value)
        assert isinstance(filled, list)
        return [update_of(item) if isinstance(item, str) else item for item in filled]

    def match(self, pattern: object, value: object, where: str = "") -> str | None:
        """Why a value does not match; binds the names that have no value yet."""
        if isinstance(pattern, str) and pattern.startswith("$"):
            bound = self.values.setdefault(pattern, value)
            return None if bound == value else f"{where} is {value!r}, not {bound!r} as before"
        if isinstance(pattern, dict):
            return self._match_object(pattern, value, where)
        if isinstance(pattern, list):
            if not isinstance(value, list) or len(value) != len(pattern):
                return f"{where} is {value!r}, not {pattern!r}"
            return next((why for index, (inner, item) in enumerate(zip(pattern, value))
                         if (why := self.match(inner, item, f"{where}[{index}]"))), None)
        same = pattern == value and isinstance(pattern, bool) == isinstance(value, bool)
        return None if same else f"{where or 'it'} is {value!r}, not {pattern!r}"

    def _match_object(self, pattern: dict, value: object, where: str) -> str | None:
        if not isinstance(value, dict):
            return f"{where or 'it'} is {value!r}, not an object"
        for key, inner in pattern.items():
            place = f"{where}.{key}".lstrip(".")
            if key == ABSENT:
                there = [name for name in inner if name in value]
                if there:
                    return f"{where} has {there[0]}"
            elif key not in value:
                return f"{place} is missing"
            elif why := self.match(inner, value[key], place):
                return why
        return None


def close(expected: object, value: object, within: float, where: str = "it") -> str | None:
    """Why a value is not the expected one; numbers may differ by `within`, relative above 1."""
    numbers = (int, float)
    if isinstance(expected, numbers) and not isinstance(expected, bool):
        if not isinstance(value, numbers) or isinstance(value, bool) or not math.isfinite(value):
            return f"{where} is {value!r}, not {expected!r}"
        allowed = within * max(1.0, abs(expected))
        far = abs(value - expected) > allowed
        return f"{where} is {value!r}, not {expected!r} ± {allowed:g}" if far else None
    if isinstance(expected, list):
        if not isinstance(value, list) or len(value) != len(expected):
            length = len(value) if isinstance(value, list) else repr(value)
            return f"{where} has {length}, not {len(expected)} entries"
        return next((why for index, (one, other) in enumerate(zip(expected, value))
                     if (why := close(one, other, within, f"{where}[{index}]"))), None)
    if isinstance(expected, dict):
        if not isinstance(value, dict):
            return f"{where} is {value!r}, not an object"
        return next((why for key, one in expected.items()
                     if (why := close(one, value.get(key), within, f"{where}.{key}"))), None)
    return None if expected == value and type(expected) is type(value) else (
        f"{where} is {value!r}, not {expected!r}")
