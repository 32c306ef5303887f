"""The daemon's subscriptions, as a publisher's XPUB sees them. Touches no socket."""

from __future__ import annotations

# Subscriptions that are remembered: a daemon has six.
SUBSCRIPTIONS_MAX = 1_000


class Subscriptions:
    """The prefixes that somebody listens to."""

    def __init__(self) -> None:
        self._prefixes: set[bytes] = set()

    def take(self, message: bytes) -> None:
        """One message of the XPUB: byte 1 and a prefix comes, byte 0 and a prefix goes."""
        if message[:1] == b"\x01" and len(self._prefixes) < SUBSCRIPTIONS_MAX:
            self._prefixes.add(message[1:])
        elif message[:1] == b"\x00":
            self._prefixes.discard(message[1:])

    def match(self, topic: bytes) -> bool:
        """Whether an event with this topic would be heard."""
        return topic.startswith(tuple(self._prefixes))
