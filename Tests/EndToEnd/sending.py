"""How an attack sends: the same frames again and again, over one connection after another."""

from __future__ import annotations

import functools
import itertools
import json
import os
import time

from reliability import wait_for
from zmtp import Keys, Raw, frame

# Sessions that one attack opens.
CHANGED_SESSIONS = 10
KEYS = Keys.of(os.environ["ATTACK_KEYS"]) if "ATTACK_KEYS" in os.environ else None
# PUSH where the endpoint of events is the one for that.
EVENTS_KIND = os.environ.get("ATTACK_EVENTS_KIND", "PUB")


# Seconds for which a connection that the daemon does not let in tries again, as those of ZeroMQ do.
JOIN_SECONDS = 10.0


def joined(endpoint: str, kind: str) -> Raw:
    """A connection. The attack before this one, or its own, may still keep newcomers out."""
    end = time.monotonic() + JOIN_SECONDS
    while True:
        try:
            return Raw(endpoint, kind, KEYS)
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


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


# Seconds in which an attack opens its sessions, beside another one that has the daemon busy.
OPENING_SECONDS = 20.0


def is_done(raw: Raw, request: dict) -> bool:
    """Sends a request. False: the daemon is busy, and it may be sent again."""
    raw.send(json.dumps(request).encode())
    answer = json.loads(raw.frames()[-1])
    assert answer["ok"] or answer["error"]["code"] == "busy", answer
    return answer["ok"]


def opened(control: str, scene, count: int = CHANGED_SESSIONS) -> list[str]:
    """Opens sessions, whose names begin with `attack`, and waits for the answers.

    Another attack may have the daemon busy, so it asks again, as the answer says.
    """
    raw = joined(control, "DEALER")
    names = [f"attack{os.getpid()}-{number}" for number in range(count)]
    for number, name in enumerate(names):
        request = {"op": "open", "session": name, "scene": scene(number), "id": number}
        wait_for(lambda request=request: is_done(raw, request), f"{name} opens", OPENING_SECONDS)
    raw.close()
    return names
