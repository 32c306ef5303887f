"""Where a daemon is, and how sockets are made to speak with it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Union

import zmq

from .keys import Keys, load

# Bytes of a message that is accepted: 16 times the daemon's bound for input, because a snapshot or
# a list may be larger than any request.
MESSAGE_BYTES_MAX = 16 << 20
# Updates that libzmq queues for a reader that is slow: about a second of a busy daemon.
# Further ones are lost, which shows as a gap, and is healed by a snapshot.
UPDATES_QUEUED_MAX = 10_000
# Events that libzmq queues; then `publish` waits.
EVENTS_QUEUED_MAX = 1_000
# Bytes of a subscription of the daemon.
SUBSCRIPTION_BYTES_MAX = 256
# The longest pause between two attempts to connect, in milliseconds.
RECONNECT_MILLISECONDS_MAX = 1_000
# Keys apply to addresses that begin so.
KEYED = "tcp://"
# Control endpoints of a cluster that a client may be given.
SEEDS_MAX = 64
Path = Union[str, "os.PathLike[str]"]
Socket = zmq.Socket[bytes]
PORTS = {"events": 7411, "updates": 7412, "control": 7413, "push": 7414}


@dataclass(frozen=True)
class Endpoints:
    """The addresses of a daemon's sockets, in libzmq's form, and the keys for them."""

    events: str
    updates: str
    # Where requests go: the first of `seeds`, or the only address.
    control: str
    keys: Keys | None = None
    # Members of a cluster; empty: one daemon is at these addresses.
    seeds: tuple[str, ...] = ()
    # Where events are pushed; None: they are published at `events`.
    push: str | None = None

    def keys_for(self, place: str) -> Keys | None:
        """The keys for an address: processes of one machine need none."""
        return self.keys if place.startswith(KEYED) else None

    @property
    def asked(self) -> str:
        """Where requests go, for a person."""
        return ", ".join(self.seeds) or self.control

    @property
    def taker(self) -> str:
        """Where events go."""
        return self.push or self.events

    def at(self, name: str, place: str) -> Endpoints:
        """The same with another address for one of the sockets."""
        places: dict[str, Any] = {name: place}
        return replace(self, **places)

    def publishing_to(self, events: str, push: str | None) -> Endpoints:
        """The same with other addresses for events."""
        return replace(self, events=events, push=push)


def endpoints(
    events: str | None = None, updates: str | None = None,
    control: str | Sequence[str] | None = None,
    key: Path | None = None, server_key: Path | None = None, push: str | None = None,
) -> Endpoints:
    """The given addresses, else those of GESTURED_EVENTS, …, else the daemon's defaults.

    Events are pushed, unless an address for those that are published is given, or is in its
    variable and no other one is. A list of control addresses, or a text with commas, names members
    of a cluster. The keys are read where an address has a use for them. Raises `BadCertificate`,
    and ValueError for an empty address in a list.
    """
    if control is None:
        control = os.environ.get("GESTURED_CONTROL") or None
    seeds = _seeds(control)
    first = seeds[0] if seeds else control if isinstance(control, str) else None
    given = {"events": events, "updates": updates, "control": first}
    found = {
        name: place or os.environ.get(f"GESTURED_{name.upper()}") or _usual(name)
        for name, place in given.items()}
    if not push and not events:
        push = os.environ.get("GESTURED_PUSH") or (
            None if os.environ.get("GESTURED_EVENTS") else _usual("push"))
    key = key or os.environ.get("GESTURED_KEY") or None
    server_key = server_key or os.environ.get("GESTURED_SERVER_KEY") or None
    places = (*found.values(), *seeds, push or "")
    is_needed = any(place.startswith(KEYED) for place in places)
    keys = load(key, server_key) if is_needed and (key or server_key) else None
    return Endpoints(found["events"], found["updates"], found["control"], keys, seeds, push)


def _usual(name: str) -> str:
    return f"tcp://127.0.0.1:{PORTS[name]}"


def _seeds(control: str | Sequence[str] | None) -> tuple[str, ...]:
    if control is None or (isinstance(control, str) and "," not in control):
        return ()
    seeds = tuple(dict.fromkeys(
        one.strip() for one in (control.split(",") if isinstance(control, str) else control)))
    if not seeds or not all(seeds):
        raise ValueError(f"control is {control!r}: each of its addresses must be there")
    if len(seeds) > SEEDS_MAX:
        raise ValueError(f"control has {len(seeds)} addresses, at most {SEEDS_MAX} are taken")
    return seeds


def ports_of(hello: object) -> list[int]:
    """The ports of tcp at which the answer of `hello` lets its asker read updates."""
    places = hello.get("endpoints") if isinstance(hello, dict) else None
    updates = places.get("updates") if isinstance(places, dict) else None
    ports = [place.rpartition(":")[2] for place in updates or () if isinstance(place, str)
             and place.startswith(KEYED)] if isinstance(updates, list) else []
    return [int(port) for port in ports if port.isascii() and port.isdigit() and len(port) <= 5]


def prepare(socket: Socket, timeout: float) -> None:
    """Sets the options of a new socket by its type; connect it afterwards."""
    socket.linger = 0
    socket.setsockopt(zmq.RECONNECT_IVL_MAX, RECONNECT_MILLISECONDS_MAX)
    socket.setsockopt(zmq.MAXMSGSIZE, MESSAGE_BYTES_MAX)
    if socket.type == zmq.SUB:
        socket.rcvhwm = UPDATES_QUEUED_MAX
        return
    # Nothing is queued for a connection that is not there: a daemon that comes back later would
    # get what its sender has given up.
    socket.setsockopt(zmq.IMMEDIATE, 1)
    if socket.type == zmq.XPUB:
        socket.setsockopt(zmq.MAXMSGSIZE, SUBSCRIPTION_BYTES_MAX)
        # A full queue holds the publisher, where it would drop events.
        socket.setsockopt(zmq.XPUB_NODROP, 1)
    if socket.type in (zmq.XPUB, zmq.PUSH):
        socket.sndhwm = EVENTS_QUEUED_MAX
        # At the end, events that were queued still leave.
        socket.linger = int(timeout * 1000)


def parse_update(frames: list[bytes]) -> tuple[str, object, int] | None:
    """The topic, the body and its bytes; None for what is no update."""
    import json

    if len(frames) != 2:
        return None
    try:
        return frames[0].decode(), json.loads(frames[1]), len(frames[1])
    except (ValueError, RecursionError):
        return None
