"""The topics that a daemon takes, as its subscriptions tell an XPUB. Touches no socket."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from .errors import Refused

# Bytes of an event's body, the contract's bound: the daemon cuts the connection of far larger ones.
BODY_BYTES_MAX = 64 << 10

# Names of sessions and components, and the topics of events, as docs/protocol has them.
NAME = r"[A-Za-z0-9._~-]{1,64}"
NAME_RULE = "a name of 1 to 64 bytes of A-Z a-z 0-9 . _ ~ -"
TOPIC = re.compile(rf"(?:(?:gesture|command)/{NAME}(?:/{NAME})?|notification/{NAME})")

# Characters of a wrong value that an error shows.
SHOWN_MAX = 80

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


def check_event(topic: str, body: Mapping[str, object]) -> None:
    """Raises for what the daemon would refuse, which it cannot tell without an answer.

    TypeError for a topic that is no text and for a body that is no mapping, `Refused` for what is
    no topic.
    """
    if not isinstance(topic, str):
        raise TypeError(f"the topic is {topic!r}, not a str")
    if not isinstance(body, Mapping):
        raise TypeError(f"the body is {shortened(body)}, not a dict such as {{'kind': 'likes'}}")
    if not TOPIC.fullmatch(topic) or topic.split("/")[1] == "-":
        raise Refused(
            "bad-topic",
            f"{topic!r} is not gesture/<session>, gesture/<session>/<component>, "
            "notification/<session>, command/<session>/<component> or command/<session>, of "
            f"names, each {NAME_RULE}")


def shortened(value: object) -> str:
    """The beginning of a value, for an error."""
    text = repr(value)
    return text if len(text) <= SHOWN_MAX else text[:SHOWN_MAX] + "…"


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
