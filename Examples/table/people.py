#!/usr/bin/env python3
"""Plays people at the table of docs/touch-table.md: people.py COUNT [SECONDS] [PORT]

Each of them, at most ten, puts two fingers on a photo, and moves it, turns it by 30° and makes it
1.3 times as large, in 2 seconds or in SECONDS. It sends what a tracker sends that knows whose each
finger is: TUIO 2.0 over UDP, 60 frames a second.
"""

import math
import sys

from tuio import Tracker

PEOPLE_MAX = 10
SECONDS_MAX = 600
# The table is so many times as wide as high; other lengths are in heights of the table.
WIDTH = 16 / 9
# From the middle of a photo to each of the two fingers.
SPREAD = 0.07
TURN = math.radians(30)
GROWTH = 1.3
# So far towards the middle of the table.
WAY = 0.1


def photo(person):
    """The middle of a person's photo, 0 to 1: they stand at both long sides of the table."""
    column = (0, 2, 4, 1, 3)[person // 2]
    return 0.1 + 0.2 * column, 0.25 if person % 2 == 0 else 0.75


def fingers(person, share):
    """The places of a person's two fingers, 0 to 1, after a share of the way."""
    x, y = photo(person)
    y += WAY * share * (1 if person % 2 == 0 else -1)
    spread = SPREAD * (1 + (GROWTH - 1) * share)
    angle = TURN * share
    arm = spread * math.cos(angle) / WIDTH, spread * math.sin(angle)
    return [(x - arm[0], y - arm[1]), (x + arm[0], y + arm[1])]


def hands(count, share):
    """All fingers by their ids: the number of the person, and the place."""
    return {
        1 + 2 * person + finger: (1 + person, *place)
        for person in range(count)
        for finger, place in enumerate(fingers(person, share))}


def main():
    try:
        count = int(sys.argv[1])
        seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2
        port = int(sys.argv[3]) if len(sys.argv) > 3 else 3333
        if not 1 <= count <= PEOPLE_MAX:
            raise ValueError(f"COUNT must be from 1 to {PEOPLE_MAX}, not {count}")
        if not 0 <= seconds <= SECONDS_MAX:
            raise ValueError(f"SECONDS must be from 0 to {SECONDS_MAX}, not {seconds}")
    except ValueError as error:
        sys.exit(f"people.py: {error}\n\n{__doc__}")
    tracker = Tracker("people.py", port)
    tracker.play(tracker.pointers, lambda share: hands(count, share), seconds)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3, 4):
        sys.exit(__doc__)
    main()
