"""A subscriber on a slow link: what others receive does not count against it."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator

import zmtp
from attacks_work import narrow
from client import Daemon
from costly_scenes import moving
from reliability import stats
from target import MEMORY_MEBIBYTES_MAX, forget_peak, mebibytes
from zmtp import Raw

SESSIONS, ITEMS, FOLLOWERS = 200, 24, 4
# One who reads everything receives so much meanwhile: more than may wait for one subscriber.
BYTES_FOR_OTHERS = 250_000_000
SECONDS_MAX = 240
# The link takes 64 KB in a second, and its session has more than that while it moves.
LINK_BYTES, LINK_SECONDS = 3_277, 0.05
SLOW_ITEMS = 24


class Followers:
    """Subscribers that read all of `frame/other` as fast as it comes."""

    def __init__(self, endpoint: str):
        self.received = 0
        self.peers = [Raw(endpoint, "SUB") for _ in range(FOLLOWERS)]
        for peer in self.peers:
            peer.send(b"\1frame/other")
        self.threads = [
            threading.Thread(target=self.read, args=(peer, place), daemon=True)
            for place, peer in enumerate(self.peers)]
        for thread in self.threads:
            thread.start()

    def read(self, peer: Raw, place: int) -> None:
        room = bytearray(1 << 20)
        with contextlib.suppress(OSError):
            while count := peer.socket.recv_into(room):
                if place == 0:
                    self.received += count


def messages(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The updates among bytes of a connection; the last one may be unfinished."""
    frames: list[bytes] = []
    place = 0
    while place + 9 <= len(data):
        flags = data[place]
        head = 9 if flags & 2 else 2
        end = place + head + int.from_bytes(data[place + 1:place + head], "big")
        if end > len(data):
            return
        if not flags & 4:
            frames.append(data[place + head:end])
            if not flags & 1:
                yield frames[0], frames[1]
                frames.clear()
        place = end


def test_a_slow_subscriber_is_not_cut_for_what_others_receive(monkeypatch):
    with Daemon("[sessions]\nidle_timeout = 86400\n") as daemon:
        control = daemon.requests()
        control.open("slow", moving(SLOW_ITEMS))
        for number in range(SESSIONS):
            control.open(f"other{number}", moving(ITEMS))
        updates = daemon.updates.split(",")[0]
        others = Followers(updates)
        with monkeypatch.context() as patch:
            patch.setattr(zmtp, "connected", narrow)
            slow = Raw(updates, "SUB")
        slow.send(b"\1frame/slow")
        # It is behind from now on.
        time.sleep(2)
        forget_peak(daemon.process.pid)
        others.received = 0
        received = bytearray()
        began = time.monotonic()
        last = began
        while others.received < BYTES_FOR_OTHERS:
            part = slow.socket.recv(LINK_BYTES)
            assert part, f"it is cut after {others.received / 1e6:.0f} MB\n{daemon.log()}"
            received += part
            now = time.monotonic()
            assert now - began < SECONDS_MAX, f"only {others.received / 1e6:.0f} MB for others"
            time.sleep(max(0, last + LINK_SECONDS * len(part) / LINK_BYTES - now))
            last = time.monotonic()
        memory = mebibytes(daemon.process.pid, "VmHWM")
        found = list(messages(bytes(received)))
        print(f"{others.received / 1e6:.0f} MB in {time.monotonic() - began:.0f} s for others, "
              f"{len(received) / 1e3:.0f} KB in {len(found)} updates for it; {memory:.0f} MiB")
        assert {topic for topic, _ in found} == {b"frame/slow"}
        numbers = [json.loads(body)["seq"] for _, body in found]
        assert len(numbers) > 100
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "none is missing"
        assert stats(control)["peers_cut"] == 0
        assert memory < MEMORY_MEBIBYTES_MAX
