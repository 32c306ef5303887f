"""Ten people with four fingers each, and eight tokens, on a table of 64 items: what they do.

Run as a program: crowd.py PUSH UPDATES SESSION SECONDS SEED. It prints the number of events that it
has sent. Each person has an item of their own and, again and again, puts four fingers on it, moves,
turns and scales it, and lifts them. The hand itself moves as a similarity, so the item keeps its
place in the hand.
"""

from __future__ import annotations

import json
import math
import random
import sys
import time
from dataclasses import dataclass, field

import zmq

PEOPLE, FINGERS, TOKENS = 10, 4, 8
COLUMNS, ROWS = 8, 8
# Points of the table, of one of its 64 fields, and of an item.
TABLE = (3840, 2160)
FIELD = (TABLE[0] / COLUMNS, TABLE[1] / ROWS)
ITEM = (200, 150)
# Samples of a finger or a token a second.
RATE = 60
# Seconds of a hold, between the landing of one finger and of the next, and of a pause.
HOLD, STAGGER, PAUSE = 3.0, 0.05, 0.4
# Where the fingers stand on the item, in its own points.
PLACES = ((-60, -40), (60, -40), (60, 40), (-60, 40))


def home(item: int) -> tuple[float, float]:
    return (item % COLUMNS + 0.5) * FIELD[0], (item // COLUMNS + 0.5) * FIELD[1]


def item_of(person: int) -> int:
    """No two people have neighbouring items."""
    return person * 6


def item_following(token: int) -> int:
    return token * 8 + 3


def scene() -> dict:
    items = []
    for number in range(COLUMNS * ROWS):
        item = {"id": f"i{number}", "center": list(home(number)), "size": list(ITEM)}
        if number in map(item_following, range(TOKENS)):
            item["token"] = 1 + next(
                token for token in range(TOKENS) if item_following(token) == number)
        items.append(item)
    return {"viewport": list(TABLE), "components": [
        {"id": "table", "kind": "dynamics", "items": items}]}


@dataclass
class Pose:
    x: float
    y: float
    angle: float = 0.0
    scale: float = 1.0

    def put(self, place: tuple[float, float]) -> tuple[float, float]:
        """Where a place of the item lies on the table."""
        x, y = (self.scale * one for one in place)
        sine, cosine = math.sin(self.angle), math.cos(self.angle)
        return self.x + x * cosine - y * sine, self.y + x * sine + y * cosine

    def toward(self, other: Pose, share: float) -> Pose:
        return Pose(*(a + (b - a) * share for a, b in (
            (self.x, other.x), (self.y, other.y), (self.angle, other.angle),
            (self.scale, other.scale))))


@dataclass
class Person:
    number: int
    random: random.Random
    begin: float = 0.0
    start: Pose | None = None
    goal: Pose | None = None
    down: set[int] = field(default_factory=set)

    def lay(self, begin: float, seen: Pose) -> None:
        """Begins another hold of the item where it is seen."""
        x, y = home(item_of(self.number))
        self.begin, self.start = begin, seen
        chance = self.random.uniform
        self.goal = Pose(
            x + chance(-40, 40), y + chance(-40, 40), chance(-0.5, 0.5), chance(0.7, 1.3))

    def samples(self, now: float):
        """The samples of this instant: (finger, phase, place)."""
        share = min(max((now - self.begin) / HOLD, 0), 1)
        hand = self.start.toward(self.goal, share * share * (3 - 2 * share))
        for finger, place in enumerate(PLACES):
            lands = self.begin + STAGGER * finger
            lifts = self.begin + HOLD + STAGGER * (1 + finger)
            pointer = 1 + self.number * FINGERS + finger
            if finger in self.down:
                if now >= lifts:
                    self.down.remove(finger)
                    yield pointer, "ended", hand.put(place)
                else:
                    yield pointer, "changed", hand.put(place)
            elif lands <= now < lifts:
                self.down.add(finger)
                yield pointer, "began", hand.put(place)

    def is_over(self, now: float) -> bool:
        return now >= self.begin + HOLD + STAGGER * (FINGERS + 1) + PAUSE


def token_pose(token: int, now: float) -> Pose:
    x, y = home(item_following(token))
    turn = now * (0.5 + 0.1 * token)
    return Pose(x + 30 * math.cos(turn), y + 30 * math.sin(turn), turn % (2 * math.pi))


def lies(token: int, now: float) -> bool:
    """A token lies on the table for seven seconds of eight."""
    return (now + token) % 8 >= 1


class Crowd:
    def __init__(self, push: str, updates: str, session: str, seed: int):
        context = zmq.Context.instance()
        self.push = context.socket(zmq.PUSH)
        self.push.sndhwm = 0
        self.push.connect(push)
        self.seen = context.socket(zmq.SUB)
        self.seen.rcvhwm = 0
        self.seen.subscribe(f"state/{session}/table")
        self.seen.connect(updates)
        self.topic = f"gesture/{session}".encode()
        self.views: dict[str, dict] = {}
        self.count = 0
        self.lying: set[int] = set()
        self.people = [Person(number, random.Random(seed * 100 + number))
                       for number in range(PEOPLE)]

    def send(self, **body: object) -> None:
        self.push.send_multipart([self.topic, json.dumps(body).encode()])
        self.count += 1

    def look(self) -> None:
        """Reads the newest state, as an eye does."""
        newest = None
        while self.seen.poll(0):
            newest = self.seen.recv_multipart()[1]
        if newest:
            self.views = json.loads(newest)["views"]

    def pose(self, item: int) -> Pose:
        view = self.views.get(f"i{item}")
        if view is None:
            return Pose(*home(item))
        return Pose(view["x"], view["y"], view["rotation"], view["scale"])

    def step(self, now: float, t: float, is_ending: bool) -> bool:
        """One sample of each finger and token. Returns whether anything is still down."""
        self.look()
        for person in self.people:
            if person.goal is None or person.is_over(now):
                if is_ending:
                    continue
                person.lay(now, self.pose(item_of(person.number)))
            for pointer, phase, (x, y) in person.samples(now):
                self.send(gesture="pointer", phase=phase, pointer=pointer, x=x, y=y,
                          user=f"person-{person.number}", t=t)
        for token in range(TOKENS):
            pose = token_pose(token, now)
            sample = {"symbol": 1 + token, "x": pose.x, "y": pose.y, "angle": pose.angle, "t": t}
            if lies(token, now) and not is_ending:
                phase = "changed" if token in self.lying else "began"
                self.lying.add(token)
                self.send(gesture="token", phase=phase, **sample)
            elif token in self.lying:
                self.lying.remove(token)
                self.send(gesture="token", phase="ended", **sample)
        return bool(self.lying) or any(person.down for person in self.people)

    def run(self, seconds: float) -> None:
        begin = time.monotonic()
        for person in self.people:
            # They do not all begin at once.
            person.begin = begin + 0.3 * person.number - HOLD * 2
        number = 0
        while True:
            due = begin + number / RATE
            time.sleep(max(0.0, due - time.monotonic()))
            is_ending = due - begin >= seconds
            is_down = self.step(due, time.time() * 1000, is_ending)
            if is_ending and not is_down:
                return
            number += 1


def main() -> None:
    push, updates, session, seconds, seed = sys.argv[1:]
    crowd = Crowd(push, updates, session, int(seed))
    crowd.run(float(seconds))
    print(crowd.count, flush=True)
    zmq.Context.instance().destroy(linger=10_000)


if __name__ == "__main__":
    main()
