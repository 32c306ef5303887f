"""The members of a cluster, as `locate`, `members` and `moved` name them. Touches no socket."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Members that a client connects to; more are left out. Each takes a few sockets.
MEMBERS_MAX = 64
# Addresses of this machine's every interface, at which nobody can be reached from elsewhere.
WILDCARD = re.compile(r"tcp://(\*|0\.0\.0\.0|\[::\]):")


@dataclass(frozen=True)
class Member:
    """One daemon: its name, the epoch of its run, and the address of each of its sockets."""

    name: str
    daemon: str
    events: str
    updates: str
    control: str
    # Where events are pushed; None: they are published at `events`.
    push: str | None = None

    @property
    def taker(self) -> str:
        """Where events go."""
        return self.push or self.events


def owner_of(reply: object, seed: str) -> Member | None:
    """The member under `owner`, in an answer or an error; None: there is none.

    `seed` is the address that answered.
    """
    owner = reply.get("owner") if isinstance(reply, dict) else None
    return member_of(owner, seed)


def member_of(entry: object, seed: str) -> Member | None:
    if not isinstance(entry, dict):
        return None
    places = [_usable(entry.get(name), seed) for name in ("events", "updates", "control")]
    name, daemon = entry.get("name"), entry.get("daemon")
    if not isinstance(daemon, str) or None in places:
        return None
    events, updates, control = (place or "" for place in places)
    push = _usable(entry.get("push"), seed)
    return Member(name if isinstance(name, str) else "", daemon, events, updates, control, push)


def members_of(reply: object, seed: str) -> list[Member]:
    """The members that serve sessions or may soon, in the order of the answer."""
    entries = reply.get("members") if isinstance(reply, dict) else None
    found = [member_of(entry, seed) for entry in entries if isinstance(entry, dict)
             and entry.get("state") != "gone"] if isinstance(entries, list) else []
    return [one for one in found if one is not None][:MEMBERS_MAX]


def is_cluster(reply: object) -> bool:
    """Whether an answer of `locate` or `members` is of a cluster: its map has a version above 0."""
    version = reply.get("version") if isinstance(reply, dict) else None
    return type(version) is int and version > 0


def session_in(topic: str) -> str:
    """The session that an event's topic names; empty where it names none."""
    return topic.partition("/")[2].partition("/")[0]


def _usable(places: object, seed: str) -> str | None:
    """The address to connect to: of tcp, where there is one, else of this machine."""
    texts = [one for one in places if isinstance(one, str)] if isinstance(places, list) else []
    text = next((one for one in texts if one.startswith("tcp://")), texts[0] if texts else None)
    if text is None or not WILDCARD.match(text):
        return text
    host, colon, _ = seed.rpartition(":")
    if not host.startswith("tcp://") or not colon:
        host = "tcp://127.0.0.1"
    return f"{host}:{text.rpartition(':')[2]}"
