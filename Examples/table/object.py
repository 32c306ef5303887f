#!/usr/bin/env python3
"""Moves an object over a touch table: object.py SYMBOL FROM-X FROM-Y TO-X TO-Y TURN [PORT]

Coordinates are 0 to 1 from the table's top left corner; TURN is in degrees, clockwise. The object
is put down, moved, turned and lifted. It sends what a tracker sends, TUIO 1.1 over UDP, 60 frames
a second for half a second.
"""

import math
import sys

from tuio import Tracker

SECONDS = 0.5


def main():
    try:
        symbol = int(sys.argv[1])
        x, y, to_x, to_y, turn = map(float, sys.argv[2:7])
        port = int(sys.argv[7]) if len(sys.argv) > 7 else 3333
    except ValueError as error:
        sys.exit(f"object.py: {error}\n\n{__doc__}")
    tracker = Tracker("object.py", port)
    tracker.play(
        tracker.objects,
        lambda share: {1: (symbol, x + (to_x - x) * share, y + (to_y - y) * share,
                           math.radians(turn * share))}, SECONDS)


if __name__ == "__main__":
    if len(sys.argv) not in (7, 8):
        sys.exit(__doc__)
    main()
