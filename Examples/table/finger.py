#!/usr/bin/env python3
"""Drags a finger over a touch table: finger.py FROM-X FROM-Y TO-X TO-Y [PORT]

Coordinates are 0 to 1 from the table's top left corner. It sends what a tracker sends, TUIO 1.1
over UDP, 60 frames a second for half a second.
"""

import sys

from tuio import Tracker

SECONDS = 0.5


def main():
    try:
        x, y, to_x, to_y = map(float, sys.argv[1:5])
        port = int(sys.argv[5]) if len(sys.argv) > 5 else 3333
    except ValueError as error:
        sys.exit(f"finger.py: {error}\n\n{__doc__}")
    tracker = Tracker("finger.py", port)
    tracker.play(
        tracker.contacts,
        lambda share: {1: (x + (to_x - x) * share, y + (to_y - y) * share)}, SECONDS)


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main()
