"""Publishers of events without an answer: to one daemon, or to the owners of sessions."""

from __future__ import annotations

import contextlib
import time

import zmq

from .connections import LOOK_SECONDS, Connection, Context
from .endpoints import Endpoints
from .errors import NoAnswer
from .members import MEMBERS_MAX, Member, session_in
from .owning import ATTEMPT_SECONDS, NO_SESSION, PAUSE_SECONDS, Owners
from .publishing import Subscriptions
from .routing import Router
from .steps import Request, Steps, Wait

# Seconds until an XPUB whose queue is full is tried again: it always tells that it can send.
TRY_SECONDS = 0.01
UNREAD, UNSUBSCRIBED = "nothing was read", "no subscription"


class EventSocket:
    """Sends events to one daemon, one at a time."""

    def __init__(self, context: Context, places: Endpoints, timeout: float) -> None:
        self._connection = Connection.for_events(context, places, timeout)
        self._subscriptions = Subscriptions(places.push is not None)

    def send(self, frames: list[bytes], seconds: float) -> Steps[str]:
        """Queues an event; the result is empty, or why the daemon does not take it in time.

        Raises `Refused` where the daemon refuses the key.
        """
        connection, subscriptions = self._connection, self._subscriptions
        deadline = time.monotonic() + seconds
        # A refusal of before is none of this event.
        connection.look()
        while True:
            if not subscriptions.takes_all:
                for message in connection.receive():
                    subscriptions.take(message[0])
            is_wanted = subscriptions.match(frames[0])
            if is_wanted:
                with contextlib.suppress(zmq.Again):
                    connection.socket.send_multipart(frames, zmq.DONTWAIT)
                    return ""
            if time.monotonic() >= deadline:
                return UNREAD if is_wanted else UNSUBSCRIBED
            if connection.look():
                raise connection.refusal
            yield self._wait(is_wanted, deadline)

    def _wait(self, is_wanted: bool, deadline: float) -> Wait:
        """Until the daemon subscribes, or there is room in the queue."""
        now = time.monotonic()
        if self._connection.is_watched:
            deadline = min(deadline, now + LOOK_SECONDS)
        if self._subscriptions.takes_all:
            return Wait([(self._connection.socket, zmq.POLLOUT)], deadline)
        if is_wanted:
            deadline = min(deadline, now + TRY_SECONDS)
        return Wait([(self._connection.socket, zmq.POLLIN)], deadline)

    def trouble(self, why: str) -> str:
        """Why the daemon did not take an event, as far as a key may be the reason."""
        is_connected = why == UNREAD and not self._subscriptions.takes_all
        return "" if is_connected else self._connection.trouble

    def close(self) -> None:
        """Events that were queued still leave."""
        self._connection.close()


class Publisher:
    """Sends events to one daemon."""

    def __init__(self, context: Context, places: Endpoints, timeout: float) -> None:
        self._context, self._places, self._timeout = context, places, timeout
        self._socket: EventSocket | None = None

    def send(self, frames: list[bytes]) -> Steps[None]:
        """Queues an event; raises where the daemon does not take it in time."""
        if self._socket is None:
            self._socket = EventSocket(self._context, self._places, self._timeout)
        why = yield from self._socket.send(frames, self._timeout)
        if why:
            raise NoAnswer(self._places.taker, self._timeout, why, self._socket.trouble(why))

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket = None


class ClusterPublisher:
    """Sends each event to the owner of its session."""

    def __init__(
        self, context: Context, places: Endpoints, timeout: float, router: Router,
    ) -> None:
        self._context, self._places, self._timeout = context, places, timeout
        self._router = router
        self._owners = Owners()
        # By the addresses of the members.
        self._sockets: dict[str, EventSocket] = {}

    def send(self, frames: list[bytes]) -> Steps[None]:
        """Queues an event; raises where no owner takes it in time."""
        session = session_in(frames[0].decode()) or NO_SESSION
        deadline, what = time.monotonic() + self._timeout, "no owner of the session"
        while (left := deadline - time.monotonic()) > 0:
            found = self._owners.fresh(session, time.monotonic())
            if found is None:
                answer = yield Request("locate", {"session": session})
                assert answer is not None
                found = self._owners.take(session, answer.reply, answer.place, time.monotonic())
            if found is None:
                yield Wait([], time.monotonic() + min(left, PAUSE_SECONDS))
                continue
            why = yield from self._send_to(
                found.member, found.frames(*frames), min(left, ATTEMPT_SECONDS))
            if not why:
                return
            what = f"{why} at {found.member.taker}, and no other owner,"
            self._owners.forget(session)
            # Requests go elsewhere than to a member that takes nothing.
            self._router.leave(found.member.control)
        raise NoAnswer(self._places.asked, self._timeout, what)

    def _send_to(self, member: Member, frames: list[bytes], seconds: float) -> Steps[str]:
        """Queues an event for a member, as `EventSocket.send`."""
        try:
            socket = self._socket(member)
        except zmq.ZMQError as error:
            return str(error)
        return (yield from socket.send(frames, seconds))

    def _socket(self, member: Member) -> EventSocket:
        place = member.taker
        if place not in self._sockets:
            while len(self._sockets) >= MEMBERS_MAX:
                self._sockets.pop(next(iter(self._sockets))).close()
            places = self._places.publishing_to(member.events, member.push)
            self._sockets[place] = EventSocket(self._context, places, self._timeout)
        return self._sockets[place]

    def close(self) -> None:
        for socket in self._sockets.values():
            socket.close()
        self._sockets.clear()
