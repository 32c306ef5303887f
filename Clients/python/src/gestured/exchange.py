"""Requests without asyncio: the sockets of an `Asker`, one for each address that it asks."""

from __future__ import annotations

import contextlib

import zmq

from .asking import Asker
from .endpoints import Endpoints
from .links import Link
from .members import MEMBERS_MAX
from .routing import Router

# Seconds that a wait lasts before it looks whether another thread has closed the client.
LOOK_SECONDS = 0.25


class Context(zmq.Context[zmq.Socket[bytes]]):
    """A context that the garbage collector does not wait for: its sockets may be garbage, too."""

    def __del__(self) -> None:
        pass


class Exchange:
    """Requests over DEALERs, one request at a time; not for two threads at once."""

    def __init__(self, context: Context, places: Endpoints, timeout: float):
        self._context, self._places, self._timeout = context, places, timeout
        self._links: dict[str, Link[zmq.Socket[bytes]]] = {}
        self.asker = (
            Router(places.seeds, timeout, self._trouble) if places.seeds
            else Asker(places.control, timeout, self._trouble))
        self._link(self.asker.home)

    def _link(self, place: str) -> Link[zmq.Socket[bytes]]:
        link = self._links.get(place)
        if link is None:
            for other in list(self._links)[:max(0, len(self._links) - MEMBERS_MAX)]:
                self._links.pop(other).close(linger=0)
            link = Link(
                self._context, zmq.DEALER, self._places.at("control", place), "control",
                self._timeout)
            self._links[place] = link
        return link

    def _trouble(self) -> str:
        link = self._links.get(self.asker.home)
        return "" if link is None else link.trouble

    def look(self) -> None:
        """Fails what waits where the daemon has just refused the key."""
        for link in self._links.values():
            if link.look():
                self.asker.fail(link.refusal)

    def flush(self) -> None:
        """Sends what waits, as far as the connections take it."""
        for number, message in list(self.asker.outbox.items()):
            place = self.asker.place_of(number)
            try:
                self._link(place).socket.send(message, zmq.DONTWAIT)
            except zmq.Again:
                continue
            except zmq.ZMQError:
                # A member may name an address that is none: it is as one that is away.
                if place == self._places.control:
                    raise
                continue
            self.asker.outbox.pop(number, None)

    def wait(self, seconds: float) -> None:
        """Waits for answers, or for room to send; reads all answers that have come."""
        poller = zmq.Poller()
        busy = {self.asker.place_of(number) for number in self.asker.outbox}
        for place, link in self._links.items():
            poller.register(link.socket, zmq.POLLIN | (zmq.POLLOUT if place in busy else 0))
        poller.poll(int(seconds * 1000) + 1)
        for link in self._links.values():
            self._receive(link.socket)

    def _receive(self, socket: zmq.Socket[bytes]) -> None:
        with contextlib.suppress(zmq.Again):
            while True:
                self.asker.take(socket.recv_multipart(zmq.DONTWAIT))

    def close(self) -> None:
        for link in self._links.values():
            link.close(linger=0)
