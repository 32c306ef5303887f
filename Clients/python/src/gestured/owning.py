"""The owners of the sessions that a client publishes to, for a moment each. Touches no socket."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from .members import Member, is_cluster, owner_of

# Seconds for which an owner is believed without a word: it passes on what is no more its own.
FRESH_SECONDS = 1.0
# Sessions that are remembered; the least recent one goes.
OWNERS_MAX = 10_000
# Seconds that a member may take to let events in, before its successor is asked for.
ATTEMPT_SECONDS = 1.0
# Seconds until a session without an owner is asked for again.
PAUSE_SECONDS = 0.1
# An event whose topic names no session goes where this one's would go.
NO_SESSION = "-"
# The third frame of an event that goes to one member alone: how often it may be passed on.
PASSES = b"3"


@dataclass(frozen=True)
class Found:
    """Where events of a session go."""

    member: Member
    is_cluster: bool
    until: float

    def frames(self, topic: bytes, body: bytes) -> list[bytes]:
        return [topic, body, PASSES] if self.is_cluster else [topic, body]


class Owners:
    """The newest owner of each session, as far as an answer of `locate` has said."""

    def __init__(self) -> None:
        self._found: OrderedDict[str, Found] = OrderedDict()

    def fresh(self, session: str, now: float) -> Found | None:
        found = self._found.get(session)
        return found if found is not None and now < found.until else None

    def take(self, session: str, reply: object, seed: str, now: float) -> Found | None:
        """Reads an answer of `locate`; None where the session has no owner now."""
        self.forget(session)
        owner = owner_of(reply, seed)
        if owner is None:
            return None
        found = Found(owner, is_cluster(reply), now + FRESH_SECONDS)
        self._found[session] = found
        if len(self._found) > OWNERS_MAX:
            self._found.popitem(last=False)
        return found

    def forget(self, session: str) -> None:
        self._found.pop(session, None)
