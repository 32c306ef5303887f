"""The sockets of an `Asker`, one for each address that it asks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import zmq

from .asking import Asker, Reply
from .connections import LOOK_SECONDS, Connection, Context
from .endpoints import Endpoints
from .errors import Error, Refused
from .members import MEMBERS_MAX
from .routing import Router
from .steps import Interest, Steps, Wait


class RequestSockets:
    """Sends requests over DEALERs, and takes their answers. Not for two threads at once."""

    def __init__(
        self, context: Context, places: Endpoints, timeout: float, is_of_watch: bool = False,
    ) -> None:
        self._context, self._places, self._timeout = context, places, timeout
        # A watch sees at its updates what happens to its key.
        self._is_of_watch = is_of_watch
        self._connections: dict[str, Connection] = {}
        self.asker = (
            Router(places.seeds, timeout, self.trouble) if places.seeds
            else Asker(places.control, timeout, self.trouble))

    def connect(self, place: str) -> Connection:
        """The connection to an address. Raises ZMQError for what is no address."""
        connection = self._connections.get(place)
        if connection is None:
            for other in list(self._connections)[:max(0, len(self._connections) - MEMBERS_MAX)]:
                self._connections.pop(other).close(linger=0)
            connection = Connection(
                self._context, zmq.DEALER, self._places.at("control", place), "control",
                self._timeout, is_watched=not self._is_of_watch)
            self._connections[place] = connection
        return connection

    def trouble(self) -> str:
        """Why the address that is asked does not answer, as far as a key may be the reason."""
        connection = self._connections.get(self.asker.home)
        return "" if connection is None else connection.trouble

    def ask(self, op: str, fields: dict[str, Any]) -> Steps[Reply]:
        """Sends a request; the result is its answer, and its error is raised."""
        number, results = self.asker.begin(op, fields, time.monotonic()), self.asker.results
        try:
            yield from self.serve(lambda: number in results)
            result = results[number]
        finally:
            self.asker.forget(number)
        if isinstance(result, Error):
            raise result
        return result

    def serve(self, is_done: Callable[[], bool]) -> Steps[None]:
        """Sends and receives until `is_done`, which is asked before each wait."""
        # A refusal of before is none of these requests.
        self._look()
        while not is_done():
            self.flush()
            yield Wait(self.interests(), self._wake_at())
            self.receive()
            if refusal := self._look():
                self.asker.fail(refusal)
            self.asker.tick(time.monotonic())

    def flush(self) -> None:
        """Sends what waits, as far as the connections take it."""
        outbox = self.asker.outbox
        for number, message in list(outbox.items()):
            place = self.asker.place_of(number)
            try:
                self.connect(place).socket.send(message, zmq.DONTWAIT)
            except zmq.Again:
                continue
            except zmq.ZMQError:
                # A member may name an address that is none: it is as one that is away.
                if place == self._places.control and not self._is_of_watch:
                    raise
                continue
            outbox.pop(number, None)

    def interests(self) -> list[Interest]:
        """The sockets to wait for: for answers, and for room to send."""
        busy = {self.asker.place_of(number) for number in self.asker.outbox}
        return [(connection.socket, zmq.POLLIN | (zmq.POLLOUT if place in busy else 0))
                for place, connection in self._connections.items()]

    def _wake_at(self) -> float:
        now, deadline = time.monotonic(), self.asker.deadline
        if deadline is None:
            return now
        is_watched = any(one.is_watched for one in self._connections.values())
        return min(deadline, now + LOOK_SECONDS) if is_watched else deadline

    def receive(self) -> None:
        """Takes all answers that have come."""
        for connection in self._connections.values():
            for message in connection.receive():
                self.asker.take(message)

    def _look(self) -> Refused | None:
        """The refusal of a daemon that has just refused the key."""
        refusals = [one.refusal for one in self._connections.values() if one.look()]
        return refusals[0] if refusals else None

    def close(self) -> None:
        for connection in self._connections.values():
            connection.close(linger=0)
        self._connections.clear()
