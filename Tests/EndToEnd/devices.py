"""Input devices that are named pipes, and what a bridge makes of them."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import struct
import time
from collections.abc import Iterable

import zmq
from client import DEADLINE, Daemon
from preload import library
from tool import Tool

EVENT = struct.Struct("@qqHHi")
SYN, KEY, REL, ABS = range(4)
REPORT = (SYN, 0, 0)
DROPPED = (SYN, 3, 0)
# Codes of linux/input-event-codes.h.
LIST_END = (SYN, 2, 0)
LEFT, TOUCH = 0x110, 0x14A
X, Y, SLOT, MT_X, MT_Y, TRACKING = 0x00, 0x01, 0x2F, 0x35, 0x36, 0x39
TOOL, PALM = 0x37, 2
WHEEL, ACROSS, FINE, FINE_ACROSS = 0x08, 0x06, 0x0B, 0x0C


def described(
    name: str, keys: Iterable[int] = (), relative: Iterable[int] = (),
    axes: dict[int, tuple[int, int]] | None = None
) -> str:
    """A device in the words of evemu."""
    axes = axes or {}
    lines = [f"N: {name}"]
    types = {SYN: [0], KEY: list(keys), REL: list(relative), ABS: list(axes)}
    types[SYN] = [number for number, codes in types.items() if codes or number == SYN]
    for number, codes in types.items():
        mask = bytearray(96)
        for code in codes:
            mask[code // 8] |= 1 << code % 8
        lines += [
            f"B: {number:02x} " + " ".join(f"{byte:02x}" for byte in mask[place:place + 8])
            for place in range(0, 96, 8)]
    lines += [f"A: {code:02x} {low} {high} 0 0 0" for code, (low, high) in axes.items()]
    return "\n".join(lines) + "\n"


SCREEN = described("a screen", [TOUCH], axes={
    SLOT: (0, 4), MT_X: (0, 999), MT_Y: (100, 599), TRACKING: (0, 65535)})
PALM_SCREEN = described("a screen that knows palms", [TOUCH], axes={
    SLOT: (0, 4), MT_X: (0, 999), MT_Y: (0, 999), TOOL: (0, 15), TRACKING: (0, 65535)})
OLD_SCREEN = described("an old screen", [TOUCH], axes={MT_X: (0, 999), MT_Y: (0, 999)})
PEN = described("a pen", [TOUCH], axes={X: (0, 999), Y: (0, 999)})
TABLET = described(
    "a machine's tablet", [LEFT], [WHEEL], axes={X: (0, 32767), Y: (0, 32767)})
MOUSE = described("a mouse", [LEFT], [0, 1, WHEEL, ACROSS, FINE, FINE_ACROSS])
OLD_MOUSE = described("an old mouse", [LEFT], [0, 1, WHEEL])
KEYBOARD = described("a keyboard", [30, 31, 32])


class Device:
    """A named pipe that answers as a device; see input.c."""

    def __init__(self, folder: pathlib.Path, description: str, name: str = "event0"):
        self.path = folder / name
        self.beside("description").write_text(description)
        self.writer = -1
        self.plug()

    def beside(self, suffix: str) -> pathlib.Path:
        return self.path.with_name(f"{self.path.name}.{suffix}")

    def plug(self) -> None:
        os.mkfifo(self.path)
        # For reading too, so that it does not wait for a reader.
        self.writer = os.open(self.path, os.O_RDWR)

    def unplug(self) -> None:
        self.path.unlink()
        os.close(self.writer)

    def state(self, *lines: str) -> None:
        """Sets the device's present state, as input.c says."""
        self.beside("state").write_text("".join(f"{line}\n" for line in lines))

    def send(self, *events: tuple[int, int, int]) -> None:
        now = time.monotonic_ns() // 1000
        data = b"".join(EVENT.pack(now // 10**6, now % 10**6, *event) for event in events)
        assert os.write(self.writer, data) == len(data)

    def report(self, *events: tuple[int, int, int]) -> None:
        self.send(*events, REPORT)


class Inputs:
    """A bridge of devices, whose events come here instead of to the daemon."""

    def __init__(self, daemon: Daemon, session: str, *arguments: object):
        self.session = session
        self.socket = daemon.context.socket(zmq.SUB)
        self.socket.rcvhwm = 0
        self.socket.subscribe("")
        port = self.socket.bind_to_random_port("tcp://127.0.0.1")
        os.environ["LD_PRELOAD"] = library("input")
        try:
            self.tool = Tool(
                daemon, "bridge", "evdev", "--session", session, *arguments,
                events=f"tcp://127.0.0.1:{port}")
        finally:
            del os.environ["LD_PRELOAD"]

    def next(self, deadline: float = DEADLINE) -> dict:
        """The next event's body."""
        assert self.socket.poll(deadline * 1000), "no event came"
        topic, body = self.socket.recv_multipart()
        assert topic.decode() == f"gesture/{self.session}"
        return json.loads(body)

    def expect(self, **fields: object) -> dict:
        """The next event, but for repeats, must have these fields."""
        while True:
            body = self.next()
            found = {name: body.get(name) for name in fields}
            if found == fields:
                return body
            is_repeat = body.get("phase") == "changed" and fields.get("phase") != "changed"
            assert is_repeat, f"{body}, not {fields}"

    def contact(self, phase: str, x: float, y: float) -> dict:
        body = self.expect(gesture="pointer", phase=phase)
        assert abs(body["x"] - x) < 0.01 and abs(body["y"] - y) < 0.01, (body, x, y)
        return body

    def said(self, pattern: str) -> None:
        self.tool.said(pattern)

    def __enter__(self) -> Inputs:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(zmq.ZMQError):
            self.socket.close(0)
        self.tool.__exit__()
