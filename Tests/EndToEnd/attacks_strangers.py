"""Strangers without a key the daemon knows: attacks_strangers.py NAME SERVER-KEY ENDPOINTS SECONDS.

Each keeps very many connections to endpoints that speak CURVE, in a process of its own. Prints a
line when it begins, and a line of JSON at its end: how many connections it had made.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
import random
import resource
import select
import socket
import struct
import sys
import time
from collections.abc import Callable, Generator

from zmq.utils import z85
from zmtp import Handshake, Keys, address, frame, greeting, metadata

# The words of one connection: it yields bytes to send, and gets those that have come. Its end
# closes the connection.
Speech = Generator[bytes, bytes, None]
# Connections that one attacker keeps open, if the system lets it.
OPEN_MAX = 10_000
# Connections whose TCP handshake is under way: more than the system's queue holds would be slow.
CONNECTING_MAX = 50
RESET = struct.pack("ii", 1, 0)


def held(*pieces: bytes) -> Speech:
    """Sends these, and waits for ever."""
    for piece in pieces:
        yield piece
    while True:
        yield b""


class Crowd:
    """Makes connections to endpoints by turns, as fast as it can, until there are `most`."""

    def __init__(self, endpoints: list[str], speech: Callable[[], Speech], most: int = OPEN_MAX):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.most = min(most, hard - 100)
        self.places = itertools.cycle([address(endpoint) for endpoint in endpoints])
        self.speech = speech
        self.poll = select.epoll()
        self.open: dict[int, tuple[socket.socket, Speech]] = {}
        self.connecting: set[int] = set()
        self.made = 0

    def run(self, end: float) -> int:
        while time.monotonic() < end:
            while len(self.open) < self.most and len(self.connecting) < CONNECTING_MAX:
                self.connect()
            for number, events in self.poll.poll(0.01, 1_000):
                if number in self.open:
                    self.serve(number, events)
        return self.made

    def connect(self) -> None:
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setblocking(False)
        # No port stays taken after its end.
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        if made.connect_ex(next(self.places)) not in (0, errno.EINPROGRESS):
            made.close()
            time.sleep(0.001)
            return
        number = made.fileno()
        self.open[number] = made, self.speech()
        self.connecting.add(number)
        self.poll.register(number, select.EPOLLOUT)

    def serve(self, number: int, events: int) -> None:
        made, speech = self.open[number]
        try:
            if number in self.connecting:
                self.connecting.discard(number)
                self.made += 1
                self.poll.modify(number, select.EPOLLIN)
                made.send(next(speech))
                return
            data = made.recv(65_536)
            if not data:
                raise ConnectionError
            if answer := speech.send(data):
                made.send(answer)
        except (OSError, StopIteration, ValueError):
            self.connecting.discard(number)
            del self.open[number]
            made.close()


# MARK: Attacks


def idle(keys: Keys) -> Speech:
    return held(b"")


def half_greetings(keys: Keys) -> Speech:
    return held(greeting(b"CURVE")[:random.choice((1, 10, 11, 63))])


HELLOS: list[bytes] = []


def hello(keys: Keys) -> bytes:
    """The same again and again: it costs the daemon much and a stranger nothing."""
    if not HELLOS:
        HELLOS.append(Handshake(keys).hello)
    return HELLOS[0]


def hellos(keys: Keys) -> Speech:
    """Handshakes that never go on."""
    return held(greeting(b"CURVE") + hello(keys))


def hellos_in_a_loop(keys: Keys) -> Speech:
    """A new connection as soon as the daemon has done its part of the crypto."""
    got = len((yield greeting(b"CURVE") + hello(keys)))
    while got < Handshake.WELCOME_BYTES:
        got += len((yield b""))


def unknown_keys(keys: Keys) -> Speech:
    """Whole handshakes, with a key that nobody knows."""
    handshake = Handshake(keys)
    data = yield greeting(b"CURVE") + handshake.hello
    while len(data) < Handshake.WELCOME_BYTES:
        data += yield b""
    command, _ = handshake.initiate(data[66:Handshake.WELCOME_BYTES], "DEALER")
    yield command


def churn(keys: Keys) -> Speech:
    yield greeting(b"CURVE")


def announced(keys: Keys) -> Speech:
    """A command of nearly the largest size, and never its end; the most that a socket takes."""
    size = random.choice((200, 1_000_000, 2**31, 2**62)).to_bytes(8, "big")
    return held(greeting(b"CURVE") + b"\x06" + size + b"\x05HELLO" + bytes(900_000))


def garbage(keys: Keys) -> Speech:
    start = greeting(b"CURVE")
    bad = hello(keys)[:-1] + b"!"
    return held(random.choice((
        os.urandom(5_000), start + os.urandom(5_000), greeting(b"CURVY"),
        greeting(b"CURVE", b"\x09\x09") + os.urandom(300), start + bad,
        start + hello(keys) * 20, start + hello(keys) + os.urandom(500),
        start + hello(keys)[:100], start + frame(b"\x05HELLO", command=True),
        start + frame(b"", command=True) * 100, start + frame(b"", more=True) * 10_000,
        start + frame(b"\x08INITIATE" + bytes(300), command=True),
        start + frame(b"\x07MESSAGE" + bytes(300)),
        start + frame(b"\x05ERROR\xff", command=True), b"\xff" * 10_000, bytes(10_000))))


def other_mechanisms(keys: Keys) -> Speech:
    ready = frame(b"\x05READY" + metadata("PUB"), command=True)
    event = frame(b"notification/s", more=True) + frame(b'{"kind":"likes"}')
    plain = frame(b"\x05HELLO\x05admin\x05admin", command=True)
    return held(random.choice((
        greeting() + ready + event, greeting() + event, greeting(b"PLAIN") + plain,
        greeting(b"GSSAPI") + plain, b"\x01\x00" + event,
        b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n" + event * 100,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(500))))


ATTACKS = {
    name: value for name, value in list(globals().items())
    if callable(value) and getattr(value, "__annotations__", {}).get("return") == "Speech"
    and name != "held"}


def main() -> None:
    name, server, endpoints, seconds = sys.argv[1:]
    random.seed(1)
    keys = Keys.unknown(z85.decode(server))
    hello(keys)
    crowd = Crowd(endpoints.split(","), lambda: ATTACKS[name](keys))
    print("begins", flush=True)
    made = crowd.run(time.monotonic() + float(seconds))
    print(json.dumps({"connections": made}), flush=True)


if __name__ == "__main__":
    main()
