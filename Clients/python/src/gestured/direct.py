"""A cluster without asyncio: watches of all its members, and publishers to each."""

from __future__ import annotations

import contextlib
import time
import weakref

import zmq

from .directing import Directed
from .endpoints import Endpoints
from .errors import Error
from .exchange import LOOK_SECONDS, Context
from .following import READ_AT_ONCE
from .links import Link
from .members import MEMBERS_MAX, Member
from .owning import Owners
from .publishing import Subscriptions
from .watching import Watch

__all__ = ["DirectWatch", "Outlets", "Owners"]


class DirectWatch(Watch, Directed[zmq.Socket[bytes]]):
    """A watch of a cluster; see `Client.watch`."""

    def _prepare(self) -> None:
        self._release = weakref.finalize(self, _close, self._links, self._lines)

    def _wait(self, seconds: float) -> None:
        poller = zmq.Poller()
        outbox = self.router.outbox
        busy = {self.router.place_of(number) for number in outbox}
        for link in self._links.values():
            poller.register(link.socket, zmq.POLLIN)
        for place, link in self._lines.items():
            poller.register(link.socket, zmq.POLLIN | (zmq.POLLOUT if place in busy else 0))
        poller.poll(int(seconds * 1000) + (seconds > 0))
        self._look()
        for place, link in list(self._links.items()):
            self._read_from(place, link)
        for link in list(self._lines.values()):
            with contextlib.suppress(zmq.Again):
                while True:
                    self.router.take(link.socket.recv_multipart(zmq.DONTWAIT))

    def _read_from(self, place: str, link: Link[zmq.Socket[bytes]]) -> None:
        with contextlib.suppress(zmq.Again):
            for _ in range(READ_AT_ONCE):
                self._hear_at(place, link.socket.recv_multipart(zmq.DONTWAIT))

    def _flush(self) -> None:
        outbox = self.router.outbox
        for number, message in list(outbox.items()):
            link = self._line_at(self.router.place_of(number))
            if link is None:
                continue
            with contextlib.suppress(zmq.Again):
                link.socket.send(message, zmq.DONTWAIT)
                outbox.pop(number, None)


class Outlets:
    """Publishers to the members of a cluster; not for two threads at once."""

    def __init__(self, context: Context, places: Endpoints, timeout: float) -> None:
        self._context, self._places, self._timeout = context, places, timeout
        self._outlets: dict[str, tuple[Link[zmq.Socket[bytes]], Subscriptions]] = {}
        self.owners = Owners()

    def send(self, member: Member, frames: list[bytes], seconds: float) -> str:
        """Queues an event for a member; empty, or why it does not take it in time.

        Raises `Error` where the member refuses the key.
        """
        deadline = time.monotonic() + seconds
        try:
            link, subscriptions = self._outlet(member)
        except zmq.ZMQError as error:
            return str(error)
        link.look()
        while True:
            while link.socket.poll(0):
                subscriptions.take(link.socket.recv())
            is_wanted = subscriptions.match(frames[0])
            if is_wanted:
                with contextlib.suppress(zmq.Again):
                    link.socket.send_multipart(frames, zmq.DONTWAIT)
                    return ""
            left = deadline - time.monotonic()
            if left <= 0:
                return "nothing was read" if is_wanted else "no subscription"
            if link.look():
                refusal: Error = link.refusal
                raise refusal
            interest = zmq.POLLIN | (zmq.POLLOUT if is_wanted else 0)
            link.socket.poll(int(min(left, LOOK_SECONDS) * 1000) + 1, interest)

    def _outlet(self, member: Member) -> tuple[Link[zmq.Socket[bytes]], Subscriptions]:
        place = member.taker
        if place not in self._outlets:
            while len(self._outlets) >= MEMBERS_MAX:
                self._outlets.pop(next(iter(self._outlets)))[0].close(linger=0)
            places = self._places.publishing_to(member.events, member.push)
            link = Link.for_events(self._context, places, self._timeout)
            self._outlets[place] = link, Subscriptions(places.push is not None)
        return self._outlets[place]

    def close(self) -> None:
        for link, _ in self._outlets.values():
            link.close()


def _close(*tables: dict[str, Link[zmq.Socket[bytes]]]) -> None:
    for table in tables:
        for link in table.values():
            link.close(linger=0)
