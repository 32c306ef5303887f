"""The C code over libwebsockets, under the sanitizers, by an echo server of its own."""

from __future__ import annotations

import contextlib
import functools
import os
import pathlib
import random
import shutil
import signal
import socket
import string
import subprocess
import tempfile
import time
import urllib.request

import pytest
import wire
from client import DEADLINE, REPOSITORY
from reliability import busy_seconds
from websockets.sync.client import connect
from wire import close_of, deflated, frame

SHIM = REPOSITORY / "Sources" / "CWebSockets"


@functools.cache
def program() -> str:
    compiler = shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler: the echo server cannot be made")
    path = pathlib.Path(tempfile.mkdtemp(prefix="gestured-shim-")) / "echo"
    subprocess.run(
        [compiler, "-g", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined",
         "-fno-sanitize-recover=undefined", f"-I{SHIM}", f"-I{SHIM / 'include'}", "-o", str(path),
         str(pathlib.Path(__file__).with_name("echo.c")), *map(str, sorted(SHIM.glob("*.c"))),
         "-lwebsockets", "-lz"], check=True)
    return str(path)


class Echo:
    def __enter__(self) -> Echo:
        self.process = subprocess.Popen(
            [program()], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=DEADLINE)
        assert self.process.returncode == 0 and not errors, errors.decode()

    def connect(self, **options):
        return connect(f"ws://127.0.0.1:{self.port}/x", max_size=None, **options)

    def raw(self, *more: str) -> socket.socket:
        return wire.upgraded("127.0.0.1", self.port, *more)

    def get(self, path: str) -> bytes:
        return urllib.request.urlopen(
            f"http://127.0.0.1:{self.port}{path}", timeout=DEADLINE).read()


@pytest.fixture
def echo():
    with Echo() as echo:
        yield echo


def text_of(dice: random.Random) -> str:
    edges = [0, 1, 95, 96, 125, 126, 127, 1023, 1024, 4096, 16384, 65535, 65536, 131072, 300_000]
    count = max(0, dice.choice(edges) + dice.randint(-3, 40))
    kind = dice.random()
    if kind < 0.4:
        return "".join(dice.choices(string.printable, k=count))
    if kind < 0.5:
        return "a" * count
    if kind < 0.6:
        return "".join(chr(dice.choice([0x7F, 0x80, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF]))
                       for _ in range(min(count, 5000)))
    return ("".join(dice.choices('0123456789.,{}":', k=200)) * (count // 200 + 1))[:count]


@pytest.mark.parametrize("compression", ["deflate", None])
def test_messages_of_all_sizes_come_back_as_they_went(echo: Echo, compression) -> None:
    seed = random.randrange(1 << 32)
    dice = random.Random(seed)
    with echo.connect(compression=compression) as client:
        for number in range(400):
            text = text_of(dice)
            if dice.random() < 0.2 and text:
                cuts = sorted(dice.randint(0, len(text)) for _ in range(dice.randint(1, 8)))
                client.send([text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)])])
            else:
                client.send(text)
            assert client.recv(timeout=DEADLINE) == text, f"seed {seed}, message {number}"


@pytest.mark.parametrize("offer, answer", [
    ("permessage-deflate", "permessage-deflate"),
    ("permessage-deflate; client_max_window_bits", "permessage-deflate"),
    ("permessage-deflate; server_no_context_takeover",
     "permessage-deflate; server_no_context_takeover"),
    ("permessage-deflate; client_no_context_takeover; server_no_context_takeover",
     "permessage-deflate; client_no_context_takeover; server_no_context_takeover"),
    ("permessage-deflate; server_max_window_bits=10", None),
    ("permessage-deflate; server_max_window_bits=\"10\"", None), ("x-webkit-deflate-frame", None),
])
def test_offers_are_answered_with_what_is_done(echo: Echo, offer: str, answer) -> None:
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    with socket.create_connection(("127.0.0.1", echo.port), timeout=DEADLINE) as opened:
        opened.sendall(
            f"GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Extensions: {offer}\r\n\r\n".encode())
        head = b""
        while b"\r\n\r\n" not in head:
            head += opened.recv(4096)
        found = [
            line.split(": ", 1)[1] for line in head.decode().split("\r\n")
            if line.lower().startswith("sec-websocket-extensions")]
        assert found == ([answer] if answer else []), head
        # Both ways work as agreed, more than once.
        rsv = 4 if answer else 0
        for text in [b"hello " * 100, b"hello " * 100, b"short"]:
            opened.sendall(frame(deflated(text) if answer else text, rsv=rsv))
            got = b""
            while wire.taken(got) is None:
                got += opened.recv(65536)
            payload, rest = wire.taken(got)
            if got[0] & 0x40:
                assert answer
                unpacker = wire.zlib.decompressobj(-15)
                payload = unpacker.decompress(payload + b"\0\0\xff\xff")
                if "server_no_context_takeover" not in answer:
                    break  # The next one refers to this one.
            assert payload == text and not rest


@pytest.mark.parametrize("seed", range(4))
def test_spoiled_frames_end_connections_and_nothing_else(echo: Echo, seed: int) -> None:
    dice = random.Random(seed)
    good = [
        frame(b"hello"), frame(deflated(b"hello" * 50), rsv=4), frame(b"a", 1, False),
        frame(b"b", 0), frame(b"ping", 9), frame(b"\x03\xe8", 8), frame(b"x" * 70_000),
        frame(b"", 1), frame(b"", 1, rsv=4), frame(b"stop"), frame(b"x", masked=False)]
    for _ in range(150):
        data = bytearray(b"".join(dice.choices(good, k=dice.randint(1, 6))))
        for _ in range(dice.randint(0, 4)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        with echo.raw("Sec-WebSocket-Extensions: permessage-deflate") as opened:
            opened.settimeout(0.02)
            with contextlib.suppress(OSError):
                place = 0
                while place < len(data):
                    step = dice.choice([1, 7, 1000, 100_000])
                    opened.sendall(data[place:place + step])
                    place += step
                while opened.recv(65536):
                    pass
    with echo.connect() as client:
        client.send("still here")
        assert client.recv(timeout=DEADLINE) == "still here"


def test_bounds_close_with_their_codes(echo: Echo) -> None:
    for data, code in [
        (frame(b"x" * 1_048_577), 1009), (frame(deflated(b"x" * 50_000_000), rsv=4), 1009),
        (frame(b"\xc0\x80"), 1007), (frame(b"\xf5"), 1007), (frame(b"x", 2), 1003),
        (frame(b"", 1, False) + frame(b"", 0, False) * 100, 1008), (frame(b"stop"), 1001),
    ]:
        with echo.raw("Sec-WebSocket-Extensions: permessage-deflate") as opened:
            with contextlib.suppress(OSError):
                opened.sendall(data)
            assert close_of(opened) == code


def test_connections_that_break_off_anywhere_leave_nothing(echo: Echo) -> None:
    dice = random.Random(7)
    request = (
        b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n", b"GET /never HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /x HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        + frame(b"x" * 100_000) * 3)
    for _ in range(200):
        data = dice.choice(request)
        with socket.create_connection(("127.0.0.1", echo.port), timeout=DEADLINE) as opened:
            with contextlib.suppress(OSError):
                opened.sendall(data[:dice.randint(1, len(data))])
                opened.settimeout(0.02)
                if dice.random() < 0.5:
                    opened.recv(dice.choice([1, 5000]))
    assert len(echo.get("/large")) == 3_000_000
    end = time.monotonic() + DEADLINE
    # Opened, closed, broken, refused; the connection that asks is there itself.
    while int(echo.get("/").split()[4]) > 1:
        assert time.monotonic() < end
        time.sleep(0.1)
    assert echo.process.poll() is None and os.getpgid(echo.process.pid)


@pytest.mark.parametrize("path", ["/never", "/large", "/"])
def test_who_sends_while_an_answer_is_due_costs_no_time(echo: Echo, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
    with contextlib.ExitStack() as stack:
        for is_closed in (False, True):
            opened = stack.enter_context(socket.create_connection(("127.0.0.1", echo.port)))
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            opened.sendall(request + b"more" * 1000)
            if is_closed:
                opened.shutdown(socket.SHUT_WR)
        time.sleep(0.2)
        before = busy_seconds(echo.process.pid)
        time.sleep(2)
        assert busy_seconds(echo.process.pid) < before + 0.3, "it runs in circles"


def test_a_connection_that_is_to_be_closed_is_closed_at_once(echo: Echo) -> None:
    began = time.monotonic()
    for head in ["HTTP/1.1\r\nHost: a\r\nConnection: close", "HTTP/1.0"]:
        with socket.create_connection(("127.0.0.1", echo.port), timeout=DEADLINE) as opened:
            opened.sendall(f"GET / {head}\r\n\r\n".encode())
            while opened.recv(4096):
                pass
    assert time.monotonic() < began + 2


def test_more_connections_than_the_bound_cut_the_oldest(echo: Echo) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(80):
            stack.enter_context(socket.create_connection(("127.0.0.1", echo.port)))
        time.sleep(0.5)
    end = time.monotonic() + DEADLINE
    while True:
        with contextlib.suppress(OSError):
            assert int(echo.get("/").split()[3]) >= 80 - 64
            return
        assert time.monotonic() < end
