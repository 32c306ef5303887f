"""A cluster for asyncio: requests to its members, publishers to each, and watches of all."""

from __future__ import annotations

import asyncio
import contextlib
import time
import weakref
from typing import Any

import zmq
import zmq.asyncio

from .aiowatching import Watch, close_soon
from .directing import Directed
from .endpoints import Endpoints
from .following import READ_AT_ONCE
from .links import LOOK_SECONDS, Link
from .mailboxes import Mailbox, Socket, first_of
from .members import MEMBERS_MAX, Member
from .owning import Owners
from .publishing import Subscriptions
from .routing import Router

# Seconds until a message that no connection takes is tried again.
TRY_SECONDS = 0.01


def offer(socket: Socket, message: bytes | list[bytes]) -> bool:
    """Whether a connection takes a message at once."""
    frames = message if isinstance(message, list) else [message]
    sent = asyncio.ensure_future(socket.send_multipart(frames, zmq.DONTWAIT))
    error = sent.exception()
    if error is not None and not isinstance(error, zmq.Again):
        raise error
    return error is None


class Lines:
    """The control sockets of a cluster's members, by their addresses."""

    def __init__(
        self, context: zmq.asyncio.Context, places: Endpoints, timeout: float, router: Router,
    ) -> None:
        self._context, self._places, self._timeout = context, places, timeout
        self._router = router
        self._boxes: dict[str, Mailbox] = {}

    @property
    def trouble(self) -> str:
        box = self._boxes.get(self._router.home)
        return "" if box is None else box.link.trouble

    def _box(self, place: str) -> Mailbox:
        if place not in self._boxes:
            for other in list(self._boxes)[:max(0, len(self._boxes) - MEMBERS_MAX)]:
                self._boxes.pop(other).close()
            self._boxes[place] = Mailbox(Link(
                self._context, zmq.DEALER, self._places.at("control", place), "control",
                self._timeout))
        return self._boxes[place]

    def look(self) -> None:
        """Fails what waits where a member has just refused the key."""
        for box in self._boxes.values():
            if box.link.look():
                self._router.fail(box.link.refusal)

    def flush(self) -> tuple[list[asyncio.Future[Any]], float]:
        """Sends what waits; returns what to wait for, and for how many seconds at most."""
        outbox = self._router.outbox
        for number, message in list(outbox.items()):
            place = self._router.place_of(number)
            try:
                if offer(self._box(place).socket, message):
                    outbox.pop(number, None)
            except zmq.ZMQError:
                # A member may name an address that is none: it is as one that is away.
                if place == self._places.control:
                    raise
        reads: list[asyncio.Future[Any]] = [box.read for box in self._boxes.values()]
        return reads, TRY_SECONDS if outbox else LOOK_SECONDS

    def take(self) -> None:
        for box in self._boxes.values():
            while message := box.take():
                self._router.take(message)

    def close(self) -> None:
        for box in self._boxes.values():
            box.close()


class Outlets:
    """Publishers to the members of a cluster; one event at a time."""

    def __init__(
        self, context: zmq.asyncio.Context, places: Endpoints, timeout: float,
    ) -> None:
        self._context, self._places, self._timeout = context, places, timeout
        self._outlets: dict[str, tuple[Mailbox, Subscriptions]] = {}
        self.owners = Owners()

    async def send(self, member: Member, frames: list[bytes], seconds: float) -> str:
        """Queues an event for a member; empty, or why it does not take it in time.

        Raises `Error` where the member refuses the key.
        """
        deadline = time.monotonic() + seconds
        try:
            box, subscriptions = self._outlet(member)
        except zmq.ZMQError as error:
            return str(error)
        box.link.look()
        while True:
            while not subscriptions.takes_all and (message := box.take()):
                subscriptions.take(message[0])
            is_wanted = subscriptions.match(frames[0])
            if is_wanted and offer(box.socket, frames):
                return ""
            left = deadline - time.monotonic()
            if left <= 0:
                return "nothing was read" if is_wanted else "no subscription"
            if box.link.look():
                raise box.link.refusal
            pause = min(left, TRY_SECONDS if is_wanted else LOOK_SECONDS)
            if subscriptions.takes_all:
                await asyncio.sleep(pause)
            else:
                await first_of(box.read, seconds=pause)

    def _outlet(self, member: Member) -> tuple[Mailbox, Subscriptions]:
        place = member.taker
        if place not in self._outlets:
            while len(self._outlets) >= MEMBERS_MAX:
                self._outlets.pop(next(iter(self._outlets)))[0].link.close()
            places = self._places.publishing_to(member.events, member.push)
            box = Mailbox(Link.for_events(self._context, places, self._timeout))
            self._outlets[place] = box, Subscriptions(places.push is not None)
        return self._outlets[place]

    def close(self) -> None:
        for box, _ in self._outlets.values():
            # What was queued still leaves.
            box.link.close()


class _Boxes:
    """The mailboxes of a watch: those of updates and those of requests, by their addresses."""

    def __init__(self) -> None:
        self.updates: dict[str, Mailbox] = {}
        self.lines: dict[str, Mailbox] = {}

    def close(self) -> None:
        for box in (*self.updates.values(), *self.lines.values()):
            box.close()


class DirectWatch(Watch, Directed[Socket]):
    """A watch of a cluster; see `Client.watch`."""

    def _prepare(self) -> None:
        self._boxes = _Boxes()
        self._release = weakref.finalize(
            self, close_soon, asyncio.get_running_loop(), self._boxes)

    def _opened(self, place: str, link: Link[Socket]) -> None:
        self._boxes.updates[place] = Mailbox(link)

    def _shut(self, place: str, link: Link[Socket]) -> None:
        self._boxes.updates.pop(place).close()

    def _cut(self, place: str, link: Link[Socket]) -> None:
        if box := self._boxes.lines.pop(place, None):
            box.close()

    def _flush(self) -> list[asyncio.Future[Any] | None]:
        outbox, boxes = self.router.outbox, self._boxes
        for number, message in list(outbox.items()):
            place = self.router.place_of(number)
            link = self._line_at(place)
            if link is None:
                continue
            if place not in boxes.lines:
                boxes.lines[place] = Mailbox(link)
            with contextlib.suppress(zmq.ZMQError):
                if offer(link.socket, message):
                    outbox.pop(number, None)
        return [box.read for box in (*boxes.updates.values(), *boxes.lines.values())]

    def _look_at(self) -> float | None:
        return time.monotonic() + (TRY_SECONDS if self.router.outbox else LOOK_SECONDS)

    def _read(self) -> None:
        for place, box in list(self._boxes.updates.items()):
            for _ in range(READ_AT_ONCE):
                if place not in self._links or (frames := box.take()) is None:
                    break
                self._hear_at(place, frames)
        for box in self._boxes.lines.values():
            while message := box.take():
                self.router.take(message)
