"""Connections that speak ZMTP 3 themselves, and say what no library would.

With keys they speak CURVE (RFC 23, RFC 26).
"""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import os
import socket
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zmq.utils import z85


def greeting(mechanism: bytes = b"NULL", version: bytes = b"\x03\x00") -> bytes:
    return b"\xff" + bytes(8) + b"\x7f" + version + mechanism.ljust(20, b"\0") + bytes(32)


def frame(body: bytes, more: bool = False, command: bool = False) -> bytes:
    """A frame of ZMTP 3."""
    flags = (1 if more else 0) | (4 if command else 0)
    if len(body) > 255:
        return bytes([flags | 2]) + len(body).to_bytes(8, "big") + body
    return bytes([flags, len(body)]) + body


def metadata(kind: str, routing_id: bytes = b"") -> bytes:
    return b"".join(
        bytes([len(name)]) + name + len(value).to_bytes(4, "big") + value
        for name, value in ((b"Socket-Type", kind.encode()), (b"Identity", routing_id))
        if value)


# MARK: CURVE


@functools.cache
def sodium() -> ctypes.CDLL:
    library = ctypes.CDLL(ctypes.util.find_library("sodium") or "libsodium.so.23")
    size = ctypes.c_ulonglong
    library.crypto_box_easy_afternm.argtypes = [
        ctypes.c_char_p, ctypes.c_char_p, size, ctypes.c_char_p, ctypes.c_char_p]
    library.crypto_box_open_easy_afternm.argtypes = library.crypto_box_easy_afternm.argtypes
    return library


def pair() -> tuple[bytes, bytes]:
    """A new public key with its secret one."""
    public, secret = (ctypes.create_string_buffer(32) for _ in range(2))
    sodium().crypto_box_keypair(public, secret)
    return public.raw, secret.raw


def shared(public: bytes, secret: bytes) -> bytes:
    key = ctypes.create_string_buffer(32)
    if sodium().crypto_box_beforenm(key, public, secret):
        raise ValueError("no such key")
    return key.raw


def box(text: bytes, nonce: bytes, key: bytes) -> bytes:
    out = ctypes.create_string_buffer(len(text) + 16)
    sodium().crypto_box_easy_afternm(out, text, len(text), nonce, key)
    return out.raw


def unboxed(text: bytes, nonce: bytes, key: bytes) -> bytes:
    out = ctypes.create_string_buffer(max(1, len(text) - 16))
    if sodium().crypto_box_open_easy_afternm(out, text, len(text), nonce, key):
        raise ConnectionError("a box that does not open")
    return out.raw


@dataclass
class Keys:
    """A client's: the server's public key, and a pair of its own."""

    server: bytes
    public: bytes
    secret: bytes

    @classmethod
    def of(cls, text: str) -> Keys:
        """From the three in Z85, with spaces between."""
        return cls(*map(z85.decode, text.split(" ")))

    @classmethod
    def unknown(cls, server: bytes) -> Keys:
        return cls(server, *pair())


class Handshake:
    """A client's part of CURVE's handshake. Its short-term key may serve many connections."""

    WELCOME_BYTES = 64 + 2 + 168

    def __init__(self, keys: Keys):
        self.keys = keys
        self.public, self.secret = pair()
        self.to_server = shared(keys.server, self.secret)
        nonce = (1).to_bytes(8, "big")
        hello = (
            b"\x05HELLO\x01\0" + bytes(72) + self.public + nonce
            + box(bytes(64), b"CurveZMQHELLO---" + nonce, self.to_server))
        self.hello = frame(hello, command=True)

    def initiate(self, welcome: bytes, kind: str) -> tuple[bytes, bytes]:
        """The third command, which answers a WELCOME, and the connection's key."""
        nonce = b"WELCOME-" + welcome[8:24]
        text = unboxed(welcome[24:], nonce, self.to_server)
        theirs, cookie = text[:32], text[32:]
        key = shared(theirs, self.secret)
        place = os.urandom(16)
        vouch = box(
            self.public + self.keys.server, b"VOUCH---" + place,
            shared(theirs, self.keys.secret))
        short = (2).to_bytes(8, "big")
        content = self.keys.public + place + vouch + metadata(kind)
        body = b"\x08INITIATE" + cookie + short + box(content, b"CurveZMQINITIATE" + short, key)
        return frame(body, command=True), key


# MARK: Connections


def address(endpoint: str) -> tuple[str, int]:
    host, port = endpoint.removeprefix("tcp://").rsplit(":", 1)
    return host, int(port)


def connected(endpoint: str) -> socket.socket:
    if endpoint.startswith("tcp://"):
        return socket.create_connection(address(endpoint), timeout=30)
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(30)
    made.connect(endpoint.removeprefix("ipc://"))
    return made


class Raw:
    """A connection after its handshake."""

    def __init__(
        self, endpoint: str, kind: str, keys: Keys | None = None, seconds: float = 30,
        routing_id: bytes = b"",
    ):
        self.socket = connected(endpoint)
        self.socket.settimeout(seconds)
        self.key, self.number = b"", 2
        if keys:
            handshake = Handshake(keys)
            self.socket.sendall(greeting(b"CURVE") + handshake.hello)
            self._read(64)
            command, self.key = handshake.initiate(self._command(), kind)
            self.socket.sendall(command)
        else:
            self.socket.sendall(greeting())
            self._read(64)
            self.socket.sendall(
                frame(b"\x05READY" + metadata(kind, routing_id), command=True))
        if not (answer := self._command()).startswith(b"\x05READY"):
            raise ConnectionError(f"the daemon answers {answer!r}")

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise ConnectionError("the daemon closed it")
            data += part
        return data

    def _frame(self) -> tuple[int, bytes]:
        flags = self._read(1)[0]
        return flags, self._read(int.from_bytes(self._read(8 if flags & 2 else 1), "big"))

    def _command(self) -> bytes:
        flags, body = self._frame()
        assert flags & 4, f"no command: {body!r}"
        return body

    def pack(self, frames: Iterable[tuple[bytes, bool]]) -> Iterator[bytes]:
        """The bytes on the wire of frames, each with whether more follow; in pieces."""
        if not self.key:
            yield b"".join(frame(body, more) for body, more in frames)
            return
        parts = []
        for body, more in frames:
            self.number += 1
            short = self.number.to_bytes(8, "big")
            text = box((b"\1" if more else b"\0") + body, b"CurveZMQMESSAGEC" + short, self.key)
            parts.append(frame(b"\x07MESSAGE" + short + text))
            if len(parts) == 1_000:
                yield b"".join(parts)
                parts.clear()
        yield b"".join(parts)

    def send(self, *frames: bytes) -> None:
        for part in self.pack(
                (body, index < len(frames) - 1) for index, body in enumerate(frames)):
            self.socket.sendall(part)

    def frames(self) -> list[bytes]:
        """The next message."""
        frames = []
        while True:
            flags, body = self._frame()
            if self.key and not flags & 4:
                text = unboxed(body[16:], b"CurveZMQMESSAGES" + body[8:16], self.key)
                flags, body = text[0], text[1:]
            if not flags & 4:
                frames.append(body)
                if not flags & 1:
                    return frames

    def close(self) -> None:
        self.socket.close()
