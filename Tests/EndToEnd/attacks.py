"""Peers that mean no good: attacks.py NAME EVENTS UPDATES CONTROL SECONDS.

Each runs in a process of its own, so that it does not slow the one that measures. Prints a line
when it begins. A connection that the daemon cuts is made anew, until the time is over.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import socket
import sys
import time

GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)


def frame(body: bytes, more: bool = False) -> bytes:
    """A frame of ZMTP 3."""
    flags = 1 if more else 0
    if len(body) > 255:
        return bytes([flags | 2]) + len(body).to_bytes(8, "big") + body
    return bytes([flags, len(body)]) + body


class Raw:
    """A connection that speaks ZMTP 3.0 itself, and says what no library would."""

    def __init__(self, endpoint: str, kind: str, receive: bool = False):
        host, port = endpoint.removeprefix("tcp://").rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), timeout=30)
        self.socket.sendall(GREETING)
        self._read(64)
        body = b"\x05READY" + b"\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind.encode()
        self.socket.sendall(b"\x04" + bytes([len(body)]) + body)
        self._read(1)
        self._read(self._read(1)[0])

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the daemon closed it")
            data += part
        return data

    def send(self, *frames: bytes) -> None:
        parts = [frame(body, index < len(frames) - 1) for index, body in enumerate(frames)]
        self.socket.sendall(b"".join(parts))

    def frames(self) -> list[bytes]:
        """The next message."""
        frames = []
        while True:
            flags = self._read(1)[0]
            size = int.from_bytes(self._read(8 if flags & 2 else 1), "big")
            body = self._read(size)
            if not flags & 4:
                frames.append(body)
                if not flags & 1:
                    return frames

    def close(self) -> None:
        self.socket.close()


def repeat(endpoint: str, kind: str, chunks, end: float) -> None:
    """Sends what `chunks` yields; connects anew where it is cut."""
    while time.monotonic() < end:
        try:
            raw = Raw(endpoint, kind)
            raw.socket.settimeout(1)
            for chunk in chunks():
                try:
                    raw.socket.sendall(chunk)
                except TimeoutError:
                    # Held back. A part that was sent cannot be repeated.
                    break
                if time.monotonic() >= end:
                    break
            raw.close()
        except OSError:
            time.sleep(0.01)


def random_prefixes(events: str, updates: str, control: str, end: float) -> None:
    def chunks():
        while True:
            yield b"".join(frame(b"\1" + os.urandom(100)) for _ in range(500))
    repeat(updates, "SUB", chunks, end)


def on_and_off(events: str, updates: str, control: str, end: float) -> None:
    chunk = (frame(b"\1state/churn/") + frame(b"\0state/churn/")) * 5_000
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def resends(events: str, updates: str, control: str, end: float) -> None:
    chunk = frame(b"\1state/bystander/") * 10_000
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def syncs(events: str, updates: str, control: str, end: float) -> None:
    chunk = b"".join(frame(b"\1sync/n%d" % number) for number in range(5_000))
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def endless_frames(events: str, updates: str, control: str, end: float) -> None:
    chunk = frame(b"", more=True) * 50_000
    repeat(events, "PUB", lambda: itertools.repeat(chunk), end)


def endless_request(events: str, updates: str, control: str, end: float) -> None:
    chunk = frame(b"", more=True) * 50_000
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def many_frames(events: str, updates: str, control: str, end: float) -> None:
    def chunks():
        while True:
            for _ in range(40):
                yield frame(b"", more=True) * 50_000
            yield frame(b"")
    repeat(events, "PUB", chunks, end)


def large_requests(events: str, updates: str, control: str, end: float) -> None:
    body = b'{"op":"hello","x":"' + b"a" * (1_000_000) + b'"}'
    request = frame(body)
    repeat(control, "DEALER", lambda: itertools.repeat(request), end)


def unread_replies(events: str, updates: str, control: str, end: float) -> None:
    """Asks for the state of a large session again and again, and reads nothing."""
    chunk = frame(json.dumps({"op": "export", "session": "large"}).encode()) * 200
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def large_events(events: str, updates: str, control: str, end: float) -> None:
    body = b'{"kind":"likes","x":"' + b"a" * 65_000 + b'"}'
    chunk = b"".join(
        frame(b"notification/flooded%d" % number, more=True) + frame(body)
        for number in range(10))
    repeat(events, "PUB", lambda: itertools.repeat(chunk), end)


def handshakes(events: str, updates: str, control: str, end: float) -> None:
    while time.monotonic() < end:
        for endpoint, kind in ((events, "PUB"), (updates, "SUB"), (control, "DEALER")):
            try:
                Raw(endpoint, kind).close()
            except OSError:
                pass


ATTACKS = {
    name: value for name, value in list(globals().items())
    if callable(value) and getattr(value, "__annotations__", {}).get("events") == "str"}


def main() -> None:
    name, events, updates, control, seconds = sys.argv[1:]
    random.seed(1)
    print("begins", flush=True)
    ATTACKS[name](events, updates, control, time.monotonic() + float(seconds))


if __name__ == "__main__":
    main()
