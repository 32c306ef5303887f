"""Publishes faster than the daemon can read: flood.py ENDPOINT SECONDS THOUSANDS.

Prints a line at its start. At its end prints the counts of sent and refused messages as JSON.
"""

from __future__ import annotations

import json
import sys
import time

import zmq

SESSIONS = [f"flooded{number}" for number in range(20)]
# Large, so that few messages fill the queues between publisher and daemon.
BODY_BYTES = 60_000


def messages(thousands: int) -> list[list[bytes]]:
    """Events that change nothing. The cost of reading one grows with the number of values in it.

    Commands of a component: changes of a scene would wait elsewhere, and be refused."""
    values = ",".join(["{}"] * (1_000 * thousands))
    text = f'{{"command":"select","index":0,"ignored":[{values}]'
    body = f'{text},"more":"{"x" * max(0, BODY_BYTES - len(text))}"}}'.encode()
    return [[f"command/{name}/tabs".encode(), body] for name in SESSIONS]


def main(endpoint: str, seconds: float, thousands: int) -> None:
    context = zmq.Context()
    socket = context.socket(zmq.XPUB)
    # ZeroMQ reports a full queue instead of dropping the message, so this program can count it.
    socket.setsockopt(zmq.XPUB_NODROP, 1)
    socket.linger = 0
    socket.sndhwm = 100
    socket.connect(endpoint)
    socket.recv()
    print("begins", flush=True)
    frames, taken, held = messages(thousands), 0, 0
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
