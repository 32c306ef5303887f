"""The keys of a client: its certificate and its daemon's public key. Touches no socket."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any

import zmq

from .errors import BadCertificate

# Bytes of a certificate's file: some lines, where its keys take 80.
CERTIFICATE_BYTES_MAX = 16 * 1024
# Characters of a key: 32 bytes in Z85 (ZeroMQ RFC 32).
KEY_CHARACTERS = 40
Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
# The line of a certificate's metadata that has the daemon's public key.
SERVER_KEY = "server-key"


@dataclass(frozen=True)
class Keys:
    """What CURVE needs, in Z85."""

    public: str
    secret: str = field(repr=False)
    # The daemon's public key.
    server: str

    def protect(self, socket: zmq.Socket[Any]) -> None:
        """Sets the options of a socket that is not connected yet."""
        socket.curve_publickey = self.public.encode()
        socket.curve_secretkey = self.secret.encode()
        socket.curve_serverkey = self.server.encode()


@dataclass(frozen=True)
class Certificate:
    """A certificate's file, as CZMQ, pyzmq and `gesturectl keygen` write it."""

    path: str
    public: str
    secret: str | None = field(repr=False)
    metadata: dict[str, str]


def load(key: str | os.PathLike[str] | None, server_key: str | os.PathLike[str] | None) -> Keys:
    """The keys of a secret certificate's file, and of the daemon's: a file or its 40 characters.

    Without `server_key` the certificate's metadata `server-key` is used. Raises `BadCertificate`.
    """
    if key is None:
        raise BadCertificate(
            None, None, "there is a server key, but no key: give the client's secret certificate")
    own = read(key)
    if own.secret is None:
        raise BadCertificate(
            own.path, None, "has no secret-key: a client needs its secret certificate")
    server = server_key or own.metadata.get(SERVER_KEY)
    if server is None:
        raise BadCertificate(
            own.path, None, f"has no {SERVER_KEY} in its metadata, and no server key is given")
    if not zmq.has("curve"):
        raise BadCertificate(own.path, None, "cannot be used: this libzmq was built without CURVE")
    if zmq.curve_public(own.secret.encode()).decode() != own.public:
        raise BadCertificate(own.path, None, "its public-key is not that of its secret-key")
    text = os.fspath(server)
    # A file's path may look like a key.
    is_file = server_key is not None and os.path.exists(text)
    if is_key(text) and not is_file:
        return Keys(own.public, own.secret, text)
    if server_key is None:
        raise BadCertificate(
            own.path, None, f"its {SERVER_KEY} must be the {KEY_CHARACTERS} characters of a key")
    return Keys(own.public, own.secret, read(text).public)


def read(path: str | os.PathLike[str]) -> Certificate:
    """Reads a certificate's file. Raises `BadCertificate`, which names the file and the line."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            data = file.read(CERTIFICATE_BYTES_MAX + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise BadCertificate(name, None, f"cannot be read: {reason or error}") from None
    if len(data) > CERTIFICATE_BYTES_MAX:
        raise BadCertificate(
            name, None, f"a certificate has at most {CERTIFICATE_BYTES_MAX} bytes")
    # A file of another kind would be quoted in messages.
    if any(byte == 127 or (byte < 32 and byte not in b"\t\n\r") for byte in data):
        raise BadCertificate(name, None, "is no text")
    try:
        return _parse(name, data.decode())
    except UnicodeDecodeError:
        raise BadCertificate(name, None, "is no text") from None


def is_key(text: str) -> bool:
    """Whether a text is the 40 characters of a key."""
    if len(text) != KEY_CHARACTERS or any(letter not in Z85 for letter in text):
        return False
    # Five characters are a number of 32 bits, and have room for a larger one.
    groups = (text[start:start + 5] for start in range(0, KEY_CHARACTERS, 5))
    return all(sum(Z85.index(letter) * 85 ** (4 - place) for place, letter in enumerate(group))
               < 1 << 32 for group in groups)


def _parse(path: str, text: str) -> Certificate:
    """The sections of ZPL (ZeroMQ RFC 4) that a certificate has."""
    section: str | None = None
    found: dict[str, dict[str, str]] = {"metadata": {}, "curve": {}}
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), 1):
        content = _without_comment(line).strip()
        if not content:
            continue
        name, equals, rest = content.partition("=")
        is_indented = line[0].isspace()
        if not equals:
            if is_indented:
                raise BadCertificate(path, number, 'is no `name = "value"`')
            section = content
            continue
        if not is_indented or section is None:
            raise BadCertificate(path, number, "stands in no section, which its indent would show")
        entries = found.setdefault(section, {})
        name, value = name.strip(), _value(path, number, rest.strip())
        if section == "curve":
            _check_key(path, number, name, value, entries)
        entries.setdefault(name, value)
    curve = found["curve"]
    if "public-key" not in curve:
        raise BadCertificate(path, None, "has no curve with a public-key")
    return Certificate(path, curve["public-key"], curve.get("secret-key"), found["metadata"])


def _check_key(path: str, number: int, name: str, value: str, entries: dict[str, str]) -> None:
    if name not in ("public-key", "secret-key"):
        raise BadCertificate(path, number, "curve has public-key and secret-key alone")
    if name in entries:
        raise BadCertificate(path, number, f"{name} stands here a second time")
    # The value stays out of the message: it may be most of a secret key.
    if not is_key(value):
        raise BadCertificate(
            path, number, f"{name} must be the {KEY_CHARACTERS} characters of a key (Z85)")


def _without_comment(line: str) -> str:
    quote = ""
    for place, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter == "#":
            return line[:place]
        elif letter in "\"'":
            quote = letter
    return line


def _value(path: str, number: int, text: str) -> str:
    quote = text[:1]
    if quote not in ("'", '"') or not quote:
        return text
    if len(text) < 2 or text[-1] != quote:
        raise BadCertificate(path, number, "the value's quotation mark is not closed")
    return text[1:-1]
