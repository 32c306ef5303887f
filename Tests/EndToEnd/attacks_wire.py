"""Attacks by bytes that are few on the wire, or that are no messages; see attacks.py."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import struct
import time
from collections.abc import Iterator

from sending import EVENTS_KIND, KEYS
from zmtp import Raw, box, frame

# Connections that each of these attacks holds.
PEERS = 64
# Connections that send requests of 60 KB, ten times as many as once delayed others.
ASKING_PEERS = int(os.environ.get("ASKING_PEERS", "300"))
# Connections that hold few frames each, and these: 14 KB on the wire, 450 KB in libzmq.
HOLDING_PEERS = 2_500
FEW_FRAMES = 7_000
# Empty frames of one message: 1 MB on the wire, 32 MB in libzmq.
FRAMES = 500_000
# Bytes that one connection is given at a time.
PIECE_BYTES = 1 << 18


class Flood:
    """Connections that send what `stream` yields, as fast as the daemon takes it from each.

    Where one is cut, or is not let in, it connects again. Answers are read, and nothing is done
    with them.
    """

    def __init__(self, places: list[tuple[str, str]], peers: int, stream) -> None:
        self.places, self.peers, self.stream = itertools.cycle(places), peers, stream
        self.poll = select.epoll()
        self.open: dict[int, tuple[Raw, Iterator[bytes], memoryview]] = {}
        self.joining = 0.0

    def join(self) -> None:
        try:
            raw = Raw(*next(self.places), KEYS, seconds=1)
        except (OSError, AssertionError):
            self.joining = time.monotonic() + 0.02
            return
        raw.socket.setblocking(False)
        self.open[raw.socket.fileno()] = raw, self.stream(raw), memoryview(b"")
        self.poll.register(raw.socket, select.EPOLLOUT | select.EPOLLIN)

    def serve(self, number: int, ready: int) -> None:
        raw, stream, rest = self.open[number]
        try:
            if ready & select.EPOLLIN and not raw.socket.recv(1 << 18):
                raise ConnectionError
            if ready & select.EPOLLOUT:
                rest = rest or memoryview(next(stream, b""))
                if not rest:
                    self.poll.modify(number, select.EPOLLIN)
                    return
                sent = raw.socket.send(rest[:PIECE_BYTES])
                self.open[number] = raw, stream, rest[sent:]
        except BlockingIOError:
            pass
        except OSError:
            self.open.pop(number)[0].close()

    def run(self, end: float, is_at_once: bool = False) -> None:
        """`is_at_once`: none sends before all are there."""
        while is_at_once and len(self.open) < self.peers and time.monotonic() < end:
            self.join()
        while (now := time.monotonic()) < end:
            if len(self.open) < self.peers and now >= self.joining:
                self.join()
            for number, ready in self.poll.poll(0.01, 16):
                self.serve(number, ready)


# MARK: Frames


def many(raw: Raw, count: int) -> Iterator[bytes]:
    """So many empty frames, after which more are announced."""
    if not raw.key:
        yield frame(b"", True) * count
        return
    for _ in range(count // 1_000):
        yield from raw.pack([(b"", True)] * 1_000)


def messages_of_frames(raw: Raw) -> Iterator[bytes]:
    while True:
        yield from many(raw, FRAMES)
        yield from raw.pack([(b"", False)])


def empty_frames(events: str, updates: str, control: str, end: float) -> None:
    """Messages of half a million empty frames, each of them whole."""
    Flood([(events, EVENTS_KIND)], PEERS, messages_of_frames).run(end)


def empty_frames_asked(events: str, updates: str, control: str, end: float) -> None:
    Flood([(control, "DEALER")], PEERS, messages_of_frames).run(end)


def empty_frames_held(events: str, updates: str, control: str, end: float) -> None:
    """Each connection sends as many frames of a message that does not end, and waits."""
    places = [(events, EVENTS_KIND), (control, "DEALER")]
    Flood(places, PEERS, lambda raw: many(raw, FRAMES)).run(end)


def few_empty_frames_held(events: str, updates: str, control: str, end: float) -> None:
    """The same by very many connections, of which each holds few."""
    places = [(events, EVENTS_KIND), (control, "DEALER")]
    Flood(places, HOLDING_PEERS, lambda raw: many(raw, FEW_FRAMES)).run(end)


def drips_of_empty_frames(events: str, updates: str, control: str, end: float) -> None:
    """The same a few at a time, by connections that have all come before, after a whole message."""
    peers = []
    with contextlib.suppress(OSError):
        for _ in range(HOLDING_PEERS):
            peers.append(Raw(events, EVENTS_KIND, KEYS, seconds=1))
    piece = frame(b"", True) * 250
    for raw in peers:
        raw.send(b"")
        raw.socket.setblocking(False)
    for _ in range(FEW_FRAMES // 250):
        for raw in peers:
            # Cut, it is not replaced.
            with contextlib.suppress(OSError):
                raw.socket.send(piece)
        time.sleep(0.05)
    time.sleep(max(0, end - time.monotonic()))


def short_messages_of_frames(events: str, updates: str, control: str, end: float) -> None:
    """Messages of a thousand empty frames, each far too small to be found while it comes."""
    def stream(raw: Raw) -> Iterator[bytes]:
        while True:
            for _ in range(100):
                yield from many(raw, 1_000)
                yield from raw.pack([(b"", False)])
    Flood([(events, EVENTS_KIND), (control, "DEALER")], PEERS, stream).run(end)


def empty_updates(events: str, updates: str, control: str, end: float) -> None:
    """Messages to the socket of updates that are no subscriptions, and have no bytes."""
    def stream(raw: Raw) -> Iterator[bytes]:
        while True:
            yield from raw.pack([(b"", False)] * 10_000)
    Flood([(updates, "SUB")], PEERS, stream).run(end)


# MARK: Commands


def commands(raw: Raw, body: bytes) -> Iterator[bytes]:
    """The same command of ZMTP again and again."""
    while True:
        if not raw.key:
            yield frame(body, command=True) * 2_000
            continue
        parts = []
        for _ in range(200):
            raw.number += 1
            short = raw.number.to_bytes(8, "big")
            text = box(b"\2" + body, b"CurveZMQMESSAGEC" + short, raw.key)
            parts.append(frame(b"\x07MESSAGE" + short + text))
        yield b"".join(parts)


def flood_of(body: bytes, events: str, updates: str, control: str, end: float) -> None:
    places = [(events, EVENTS_KIND), (updates, "SUB"), (control, "DEALER")]
    Flood(places, PEERS, lambda raw: commands(raw, body)).run(end)


def pings(events: str, updates: str, control: str, end: float) -> None:
    """libzmq answers each at once, by a call of the system of its own."""
    flood_of(b"\4PING" + struct.pack(">H", 0), events, updates, control, end)


def pings_with_context(events: str, updates: str, control: str, end: float) -> None:
    flood_of(b"\4PING" + struct.pack(">H", 0) + b"c" * 16, events, updates, control, end)


def unknown_commands(events: str, updates: str, control: str, end: float) -> None:
    """Nothing answers them, and the reactor never sees them."""
    flood_of(b"\7UNKNOWN", events, updates, control, end)


# MARK: Requests


def medium_requests_of_many(events: str, updates: str, control: str, end: float) -> None:
    """Requests of 60 KB, of which none is large by itself."""
    members = {f"k{number}": "a" * 230 for number in range(250)}
    request = json.dumps({"op": "hello", **members}).encode()

    def stream(raw: Raw) -> Iterator[bytes]:
        while True:
            yield from raw.pack([(request, False)])
    Flood([(control, "DEALER")], ASKING_PEERS, stream).run(end, is_at_once=True)
