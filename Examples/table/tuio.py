"""Sends what the tracker of a touch table sends: TUIO over UDP. It needs nothing but Python.

Coordinates are 0 to 1 from the table's top left corner; angles are in radians, clockwise.
"""

import socket
import struct
import time

FRAMES_PER_SECOND = 60
# The person's number stands in the upper two bytes of the field "type and user".
USER = 1 << 16


class Tracker:
    """Sends the whole table in each frame, so that lost datagrams do no harm."""

    def __init__(self, name, port):
        self.name = name
        self.port = port
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        # The numbers of frames go on from run to run, as those of one tracker do.
        self.number = int(time.time() * 100) % 2_000_000_000

    def contacts(self, places):
        """A frame of TUIO 1.1 with the fingers by their ids: place."""
        self._frame("/tuio/2Dcur", {
            id: (x, y, 0.0, 0.0, 0.0) for id, (x, y) in places.items()})

    def objects(self, places):
        """A frame of TUIO 1.1 with the objects by their ids: symbol, place and angle."""
        self._frame("/tuio/2Dobj", {
            id: (symbol, x, y, angle, 0.0, 0.0, 0.0, 0.0, 0.0)
            for id, (symbol, x, y, angle) in places.items()})

    def pointers(self, places):
        """A frame of TUIO 2.0 with the fingers by their ids: the number of the person, and place.

        A datagram holds about 20 of them, so a frame may come in several bundles of one number.
        """
        self.number += 1
        head = message("/tuio2/frm", self.number, Instant(1), 0, f"{self.name}:0@0x7F000001")
        parts = [
            message("/tuio2/ptr", id, person * USER, 0, x, y, 0.0, 0.0, 0.01, 0.0)
            for id, (person, x, y) in places.items()]
        for first in range(0, len(parts), 20):
            self._send(head, *parts[first:first + 20])
        self._send(head, message("/tuio2/alv", *places))

    def play(self, send, places, seconds):
        """Sends the places at each share of the way, from 0 to 1, and then an empty table."""
        steps = max(1, round(seconds * FRAMES_PER_SECOND))
        for step in range(steps + 1):
            send(places(step / steps))
            time.sleep(1 / FRAMES_PER_SECOND)
        send({})

    def _frame(self, profile, values):
        self.number += 1
        self._send(
            message(profile, "source", f"{self.name}@localhost"),
            message(profile, "alive", *values),
            *[message(profile, "set", id, *rest) for id, rest in values.items()],
            message(profile, "fseq", self.number))

    def _send(self, *parts):
        bundle = padded("#bundle") + struct.pack(">Q", 1) + b"".join(
            struct.pack(">i", len(part)) + part for part in parts)
        self.socket.sendto(bundle, ("127.0.0.1", self.port))


class Instant(int):
    """A time of OSC; 1 is now."""


def padded(text):
    """OSC's strings end with a zero and fill words of 4 bytes."""
    return text.encode() + bytes(4 - len(text) % 4)


def message(address, *arguments):
    """One message of OSC: its address, letters for the types, then the values."""
    letters, values = ",", b""
    for argument in arguments:
        letter, form = {
            str: ("s", ""), int: ("i", ">i"), float: ("f", ">f"), Instant: ("t", ">Q"),
        }[type(argument)]
        letters += letter
        values += padded(argument) if letter == "s" else struct.pack(form, argument)
    return padded(address) + padded(letters) + values
