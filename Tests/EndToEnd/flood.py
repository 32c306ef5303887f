"""Publishes faster than the daemon can read: flood.py ENDPOINT SECONDS COMPONENTS.

Prints a line at its start. At its end prints the counts of sent and refused messages as JSON.
"""

from __future__ import annotations

import json
import sys
import time

import zmq
from scenes import scene, tabs

SESSIONS = [f"flooded{number}" for number in range(20)]
# Large, so that few messages fill the queues between publisher and daemon.
BODY_BYTES = 60_000


def messages(components: int) -> list[list[bytes]]:
    """Events that change nothing. The cost of reading one grows with the number of components."""
    items = [{"id": f"i{number}", "glow": ["likes"], "bubble": ["likes"]} for number in range(16)]
    many = [tabs(items=items) | {"id": f"tabs{number}"} for number in range(components)]
    text = json.dumps({"command": "open", "scene": scene(*many)})
    body = f'{text[:-1]}, "ignored": "{"x" * (BODY_BYTES - len(text))}"}}'.encode()
    return [[f"command/{name}".encode(), body] for name in SESSIONS]


def main(endpoint: str, seconds: float, components: int) -> None:
    context = zmq.Context()
    socket = context.socket(zmq.XPUB)
    # ZeroMQ reports a full queue instead of dropping the message, so this program can count it.
    socket.setsockopt(zmq.XPUB_NODROP, 1)
    socket.linger = 0
    socket.sndhwm = 100
    socket.connect(endpoint)
    socket.recv()
    print("begins", flush=True)
    frames, taken, held = messages(components), 0, 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for topic, body in frames:
            try:
                socket.send(topic, zmq.DONTWAIT | zmq.SNDMORE)
                socket.send(body, zmq.DONTWAIT)
                taken += 1
            except zmq.Again:
                held += 1
    print(json.dumps({"taken": taken, "held": held}), flush=True)
    # Drops queued messages.
    context.destroy(linger=0)


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
