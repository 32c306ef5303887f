#!/usr/bin/env python3
"""Drags a finger over a touch table: finger.py FROM-X FROM-Y TO-X TO-Y [PORT]

Coordinates are 0 to 1 from the table's top left corner. It sends what a tracker sends, TUIO 1.1
over UDP, 60 frames a second for half a second, and needs nothing but Python.
"""

import socket
import struct
import sys
import time

FRAMES = 30


def padded(text):
    """OSC's strings end with a zero and fill words of 4 bytes."""
    return text.encode() + bytes(4 - len(text) % 4)


def message(*arguments):
    """One message of the profile of cursors: letters for the types, then the values."""
    letters, values = ",", b""
    for argument in arguments:
        kind = {str: "s", int: "i", float: "f"}[type(argument)]
        letters += kind
        values += padded(argument) if kind == "s" else struct.pack(">" + kind, argument)
    return padded("/tuio/2Dcur") + padded(letters) + values


def frame(number, contacts):
    """All contacts of one instant, by their ids: who is alive, and where."""
    parts = [message("source", "finger.py@localhost"), message("alive", *contacts)]
    parts += [message("set", id, x, y, 0.0, 0.0, 0.0) for id, (x, y) in contacts.items()]
    parts.append(message("fseq", number))
    return padded("#bundle") + struct.pack(">Q", 1) + b"".join(
        struct.pack(">i", len(part)) + part for part in parts)


def main():
    try:
        x, y, to_x, to_y = map(float, sys.argv[1:5])
        port = int(sys.argv[5]) if len(sys.argv) > 5 else 3333
    except ValueError as error:
        sys.exit(f"finger.py: {error}\n\n{__doc__}")
    tracker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    # The numbers of frames go on from run to run, as those of one tracker do.
    first = int(time.time() * 100) % 2_000_000_000
    for step in range(FRAMES + 1):
        share = step / FRAMES
        place = (x + (to_x - x) * share, y + (to_y - y) * share)
        tracker.sendto(frame(first + step, {1: place}), ("127.0.0.1", port))
        time.sleep(1 / 60)
    tracker.sendto(frame(first + FRAMES + 1, {}), ("127.0.0.1", port))


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main()
