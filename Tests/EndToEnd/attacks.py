"""Peers that mean no good: attacks.py NAME EVENTS UPDATES CONTROL SECONDS.

Each runs in a process of its own, so that it does not slow the one that measures. Prints a line
when it begins. A connection that the daemon cuts is made anew, until the time is over. With
ATTACK_KEYS in the environment, all of them speak CURVE.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import random
import resource
import sys
import time

from zmtp import Keys, Raw, frame

# Connections that one peer holds.
IDLE_MAX = 5_000
KEYS = Keys.of(os.environ["ATTACK_KEYS"]) if "ATTACK_KEYS" in os.environ else None


class Chunk:
    """Frames that are sent together, each with whether more follow."""

    def __init__(self, *frames: tuple[bytes, bool], times: int = 1):
        self.frames, self.times = frames, times

    @functools.cached_property
    def plain(self) -> bytes:
        return b"".join(frame(body, more) for body, more in self.frames) * self.times

    def packed(self, raw: Raw):
        """For one connection: with CURVE, the same bytes cannot be sent twice."""
        if not raw.key:
            return [self.plain]
        return raw.pack(itertools.chain.from_iterable(itertools.repeat(self.frames, self.times)))

def repeat(endpoint: str, kind: str, chunks, end: float) -> None:
    """Sends what `chunks` yields; connects anew where it is cut."""
    while time.monotonic() < end:
        try:
            raw = Raw(endpoint, kind, KEYS)
            raw.socket.settimeout(1)
            for part in itertools.chain.from_iterable(chunk.packed(raw) for chunk in chunks()):
                try:
                    raw.socket.sendall(part)
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
            yield Chunk(*((b"\1" + os.urandom(100), False) for _ in range(500)))
    repeat(updates, "SUB", chunks, end)


def on_and_off(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk((b"\1state/churn/", False), (b"\0state/churn/", False), times=5_000)
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def resends(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk((b"\1state/bystander/", False), times=10_000)
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def syncs(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk(*((b"\1sync/n%d" % number, False) for number in range(5_000)))
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def endless_frames(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk((b"", True), times=50_000)
    repeat(events, "PUB", lambda: itertools.repeat(chunk), end)


def endless_request(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk((b"", True), times=50_000)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def many_frames(events: str, updates: str, control: str, end: float) -> None:
    def chunks():
        while True:
            for _ in range(40):
                yield Chunk((b"", True), times=50_000)
            yield Chunk((b"", False))
    repeat(events, "PUB", chunks, end)


def large_requests(events: str, updates: str, control: str, end: float) -> None:
    request = Chunk((b'{"op":"hello","x":"' + b"a" * 1_000_000 + b'"}', False))
    repeat(control, "DEALER", lambda: itertools.repeat(request), end)


def unread_replies(events: str, updates: str, control: str, end: float) -> None:
    """Asks for the state of a large session again and again, and reads nothing."""
    chunk = Chunk((json.dumps({"op": "export", "session": "large"}).encode(), False), times=200)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def large_events(events: str, updates: str, control: str, end: float) -> None:
    body = b'{"kind":"likes","x":"' + b"a" * 65_000 + b'"}'
    chunk = Chunk(*itertools.chain.from_iterable(
        ((b"notification/flooded%d" % number, True), (body, False)) for number in range(10)))
    repeat(events, "PUB", lambda: itertools.repeat(chunk), end)


def handshakes(events: str, updates: str, control: str, end: float) -> None:
    while time.monotonic() < end:
        for endpoint, kind in ((events, "PUB"), (updates, "SUB"), (control, "DEALER")):
            try:
                Raw(endpoint, kind, KEYS).close()
            except OSError:
                pass


def idle_clients(events: str, updates: str, control: str, end: float) -> None:
    """Whole handshakes, and nothing more: up to thousands of connections that stay."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    places = itertools.cycle(((events, "PUB"), (updates, "SUB"), (control, "DEALER")))
    held = []
    while time.monotonic() < end:
        if len(held) < min(IDLE_MAX, hard - 100):
            held.append(Raw(*next(places), KEYS))
        else:
            time.sleep(0.01)


# MARK: Beyond a grant


def foreign_events(events: str, updates: str, control: str, end: float) -> None:
    """Events of sessions that the key may not touch."""
    chunk = Chunk(
        (b"gesture/bystander/profile", True),
        (b'{"gesture":"scroll","phase":"changed","offset":7}', False), times=2_000)
    repeat(events, "PUB", lambda: itertools.repeat(chunk), end)


def foreign_requests(events: str, updates: str, control: str, end: float) -> None:
    requests = (
        {"op": "close", "session": "bystander"}, {"op": "export", "session": "large"},
        {"op": "open", "session": "foreign", "scene": "phone"}, {"op": "stats"})
    chunk = Chunk(*((json.dumps(request).encode(), False) for request in requests), times=500)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def foreign_updates(events: str, updates: str, control: str, end: float) -> None:
    """Connects where it may not read. No answer comes."""
    while time.monotonic() < end:
        try:
            Raw(updates, "SUB", KEYS, seconds=0.01).close()
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
