"""WebSocket frames byte by byte, to send what no library would."""

from __future__ import annotations

import base64
import contextlib
import os
import socket
import struct
import zlib


def upgraded(host: str, port: int, *more: str) -> socket.socket:
    """A bare WebSocket."""
    key = base64.b64encode(os.urandom(16)).decode()
    head = [
        "GET / HTTP/1.1", f"Host: {host}:{port}", "Upgrade: websocket",
        "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", *more]
    opened = socket.create_connection((host, port), timeout=30)
    opened.sendall("\r\n".join([*head, "", ""]).encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        if not (part := opened.recv(1)):
            raise ConnectionError(f"closed after {answer!r}")
        answer += part
    assert b" 101 " in answer, answer
    return opened


def frame(
    payload: bytes, opcode: int = 1, final: bool = True, masked: bool = True, rsv: int = 0,
) -> bytes:
    """One frame, as wrong as it is asked for."""
    head = bytes([(0x80 if final else 0) | rsv << 4 | opcode])
    bit = 0x80 if masked else 0
    if len(payload) < 126:
        head += bytes([bit | len(payload)])
    elif len(payload) < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", len(payload))
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[place & 3] for place, byte in enumerate(payload))


def close_of(opened: socket.socket, seconds: float = 10) -> int | None:
    """Reads until the end; returns the code of the close frame, if there was one."""
    opened.settimeout(seconds)
    data = b""
    with contextlib.suppress(OSError):
        while chunk := opened.recv(65536):
            data += chunk
    place, code = 0, None
    while place + 2 <= len(data):
        opcode, length = data[place] & 15, data[place + 1] & 127
        place += 2
        if length == 126:
            length, place = struct.unpack_from(">H", data, place)[0], place + 2
        elif length == 127:
            length, place = struct.unpack_from(">Q", data, place)[0], place + 8
        if opcode == 8 and length >= 2:
            code = struct.unpack_from(">H", data, place)[0]
        place += length
    return code


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH))[:-4]


def empty_blocks(size: int) -> bytes:
    """Blocks of deflate that stand for nothing, and for whose codes zlib makes large tables."""
    bits, count = 0, 0

    def put(value: int, width: int) -> None:
        nonlocal bits, count
        bits |= value << count
        count += width

    # No last block; codes of its own: 257 of lengths and literals, one of distances, 15 of lengths
    # of codes. Those of the lengths 1 and 9 and of "the last one 3 to 6 times more" have codes.
    for value, width in ((0, 1), (2, 2), (0, 5), (0, 5), (18 - 4, 4)):
        put(value, width)
    for length in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1):
        put({16: 1, 1: 2, 9: 2}.get(length, 0), 3)
    # The canonical codes: 16 is 0, 1 is 10, 9 is 11, each from its first bit on.
    repeat, one, nine = (0, 1), (0b01, 2), (0b11, 2)
    put(*nine)
    for _ in range(42):
        put(*repeat)
        put(3, 2)
    for code in (nine, nine, nine, one, one):
        put(*code)
    # The end of the block, which has the code 0.
    put(0, 1)
    unit = sum(bits << (number * count) for number in range(8)).to_bytes(count, "little")
    return unit * (size // count)


def taken(data: bytes) -> tuple[bytes, bytes] | None:
    """The first frame's payload, and what follows it."""
    if len(data) < 2:
        return None
    length, place = data[1] & 127, 2
    if length == 126:
        if len(data) < 4:
            return None
        length, place = struct.unpack_from(">H", data, 2)[0], 4
    elif length == 127:
        if len(data) < 10:
            return None
        length, place = struct.unpack_from(">Q", data, 2)[0], 10
    return (data[place:place + length], data[place + length:]) if (
        len(data) >= place + length) else None
