"""The topics that a daemon takes, as its subscriptions tell an XPUB. Touches no socket."""

from __future__ import annotations

import json
from collections.abc import Mapping

from .errors import Refused

# Bytes of an event's body, the contract's bound: the daemon cuts the connection of far larger ones.
BODY_BYTES_MAX = 64 << 10

# Subscriptions that are remembered: a daemon has six.
SUBSCRIPTIONS_MAX = 1_000


class Subscriptions:
    """The prefixes that somebody listens to."""

    def __init__(self, takes_all: bool = False) -> None:
        # A PUSH needs no subscription.
        self.takes_all = takes_all
        self._prefixes: set[bytes] = set()

    def take(self, message: bytes) -> None:
        """One message of the XPUB: byte 1 and a prefix comes, byte 0 and a prefix goes."""
        if message[:1] == b"\x01" and len(self._prefixes) < SUBSCRIPTIONS_MAX:
            self._prefixes.add(message[1:])
        elif message[:1] == b"\x00":
            self._prefixes.discard(message[1:])

    def match(self, topic: bytes) -> bool:
        """Whether an event with this topic would be heard."""
        return self.takes_all or topic.startswith(tuple(self._prefixes))


def plain(value: object) -> object:
    """NumPy's numbers and arrays as Python's own, for `json`. Raises TypeError for what is neither.

    They are known by their method, so that NumPy need not be there.
    """
    to_list = getattr(value, "tolist", None)
    if to_list is None:
        raise TypeError(f"an object of type {type(value).__name__} is no JSON: {value!r}")
    return to_list()


def encoded(body: Mapping[str, object]) -> bytes:
    """The body of an event. Raises `Refused` for too large a one, TypeError for what is no JSON."""
    data = json.dumps(body, allow_nan=False, default=plain).encode()
    check_size(len(data))
    return data


def check_size(size: int) -> None:
    """Raises `Refused` as the daemon would, which cannot tell it of an event without an answer."""
    if size > BODY_BYTES_MAX:
        raise Refused("too-large", f"the body has {size} bytes, at most {BODY_BYTES_MAX} are taken")


def compact_size(body: object) -> int:
    """The least number of bytes that a body can have on the wire."""
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=plain)
    return len(text.encode(errors="surrogatepass"))
