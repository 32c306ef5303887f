"""Compares how a screen is told: by the states' own topics, and by frames.

The sessions move all the time. Rounds alternate, so that the machine's noise hits both ways alike.
"""

from __future__ import annotations

import json
import statistics
import threading
import time
import tomllib
import typing
from dataclasses import dataclass

import rig
import zmq

SESSIONS = 40
SECONDS = 4.0
WAYS = ("state/", "frame/")


@dataclass
class Told:
    """A second of one session, told in one way."""

    messages: float
    kilobytes: float
    # Milliseconds of the daemon's processor time.
    processor_ms: float


@dataclass
class Screens:
    """The medians of a scene, by way."""

    title: str
    told: dict[str, Told]

    def __str__(self) -> str:
        return f"{self.title}: " + "; ".join(
            f"by {way} {told.messages:.0f} messages, {told.kilobytes:.0f} KB, "
            f"{told.processor_ms:.2f} ms of processor a second and session"
            for way, told in self.told.items())


def pan(component: str, *path: tuple[str, int, int]) -> list[tuple[str, dict]]:
    return [(f"gesture/{{}}/{component}", {"gesture": "pan", "phase": phase, "x": x, "y": y})
            for phase, x, y in path]


def drag(component: str, start: int, end: int) -> list[tuple[str, dict]]:
    places = [start + (end - start) * part // 5 for part in range(6)]
    phases = ["began", *["changed"] * 4, "ended"]
    return [(f"gesture/{{}}/{component}", {
        "gesture": "pointer", "phase": phase, "pointer": 1, "x": 160, "y": y})
        for phase, y in zip(phases, places)]


FLING = pan("tips", ("began", 160, 284), ("changed", 190, 284), ("ended", 200, 284))
# One round of hands on a whole phone: each of its seven components moves.
HANDS = [
    *FLING,
    *pan("toss", ("began", 160, 223), ("changed", 260, 223), ("ended", 300, 300)),
    *drag("list", 400, 100), *drag("list", 100, 400), *drag("profile", 400, 200),
    *drag("profile", 200, 400), *drag("reader", 200, 300),
    ("command/{}/navigation", {
        "command": "present", "screen": "more", "transition": "in-from-bottom"}),
    ("command/{}/navigation", {"command": "back"}),
    ("command/{}/tabs", {"command": "select", "index": 0}),
    ("command/{}/tabs", {"command": "select", "index": 2}),
]
PHONE = {
    "viewport": [320, 568],
    "components": [
        {"id": "tips", "kind": "tips", "tips": [{"title": "one"}] * 3},
        {"id": "toss", "kind": "toss"},
        {"id": "navigation", "kind": "navigation", "root": "dashboard"},
        {"id": "profile", "kind": "profile"},
        {"id": "list", "kind": "list", "rows": 40},
        {"id": "reader", "kind": "reader", "pages": 10},
        {"id": "tabs", "kind": "tabs", "items": [{"id": f"i{number}"} for number in range(5)]},
    ]}
# The kiosk, an app whose scene says what its touches do.
KIOSK = tomllib.loads((rig.HERE.parent / "config" / "scenes" / "kiosk.toml").read_text())
ORDERS = [
    *drag("dishes", 400, 200), *drag("dishes", 200, 400),
    ("command/{}/dishes", {"command": "select", "item": "soup"}),
    ("command/{}/plus", {"command": "tap"}), ("command/{}/less", {"command": "tap"}),
    ("command/{}/order", {"command": "tap"}),
    ("notification/{}", {"kind": "ready", "data": {"order": 17}}),
    ("command/{}/ready", {"command": "remove", "item": "order-17"}),
]
SCENES: dict[str, tuple[object, list[tuple[str, dict]]]] = {
    "tips that swing": ("tips", FLING),
    "a whole phone that moves": (PHONE, HANDS),
    "a kiosk that is used": (KIOSK, ORDERS),
}


def measure(rounds: int, say: typing.Callable[[str], None]) -> list[Screens]:
    return [measure_scene(title, scene, hands, rounds, say)
            for title, (scene, hands) in SCENES.items()]


def measure_scene(
    title: str, scene: object, hands: list[tuple[str, dict]], rounds: int,
    say: typing.Callable[[str], None],
) -> Screens:
    names = [f"s{number:05}" for number in range(SESSIONS)]
    with rig.start(durability="off") as daemon:
        control = rig.Control(daemon)
        rig.settle(control, [control.send("open", session=name, scene=scene) for name in names])
        rig.wait_for_rest(control)
        found: dict[str, list[Told]] = {way: [] for way in WAYS}
        with Hands(daemon, names, hands):
            for _ in range(rounds):
                for way in WAYS:
                    found[way].append(watch(daemon, way))
        rejected = rig.stats(control)["events_rejected"]
        assert rejected < rig.stats(control)["events"] / 4, f"{rejected} events were refused"
    screens = Screens(title, {
        way: Told(*(statistics.median(getattr(told, name) for told in of_way)
                    for name in ("messages", "kilobytes", "processor_ms")))
        for way, of_way in found.items()})
    say(str(screens))
    return screens


class Hands:
    """Plays the hands on every session, round after round, from a thread of its own."""

    def __init__(self, daemon: rig.Daemon, names: list[str], hands: list[tuple[str, dict]]):
        self.publisher, self.names, self.hands = daemon.publisher(), names, hands
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._play)

    def _play(self) -> None:
        while not self.over.is_set():
            for topic, body in self.hands:
                for name in self.names:
                    self.publisher.send(topic.format(name), body)
                self.over.wait(0.02)
            self.over.wait(0.6)

    def __enter__(self) -> Hands:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


def watch(daemon: rig.Daemon, way: str) -> Told:
    """One subscriber to all sessions, for some seconds."""
    with daemon.context.socket(zmq.SUB) as updates:
        updates.rcvhwm = 0
        updates.connect(daemon.updates)
        updates.subscribe(way)
        assert updates.poll(5_000), f"nothing comes by {way}"
        used, began = rig.Processor.read(daemon.process.pid), time.monotonic()
        messages, count = 0, 0
        while time.monotonic() - began < SECONDS:
            if not updates.poll(100):
                continue
            topic, body = updates.recv_multipart()
            messages += 1
            count += len(topic) + len(body)
        seconds = time.monotonic() - began
        cores = rig.Processor.read(daemon.process.pid).since(used)["all"] / seconds
        assert json.loads(body)["epoch"]
        return Told(
            messages / seconds / SESSIONS, count / 1_000 / seconds / SESSIONS,
            cores * 1_000 / SESSIONS)
