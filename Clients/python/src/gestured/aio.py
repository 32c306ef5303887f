"""The client for asyncio: the same calls, with `await` and `async for`. For one event loop."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import zmq
import zmq.asyncio

from .aiodirect import DirectWatch, Lines, Outlets
from .aiowatching import Frames, Watch
from .asking import UNANSWERED_MAX, Asker, Reply, with_id
from .endpoints import Endpoints, Path, endpoints
from .errors import Closed, Error, NoAnswer
from .links import LOOK_SECONDS, Link
from .mailboxes import Context, Line, Mailbox, first_of
from .members import session_in
from .owning import ATTEMPT_SECONDS, NO_SESSION, PAUSE_SECONDS
from .publishing import Subscriptions, check_event, encoded
from .routing import Router
from .watching import check_prefixes, check_room, check_session

__all__ = ["Client", "Frames", "Watch", "connect"]


class Client:
    """One daemon; made by `gestured.aio.connect`, closed by `close` or at the end of `async with`.

    All calls may run at the same time, in tasks of one event loop. A cancelled call leaves nothing
    behind; whether its event counted is not known.
    """

    def __init__(self, places: Endpoints, timeout: float) -> None:
        self.endpoints = places
        # Seconds that a daemon may take to answer one try.
        self.timeout = timeout
        self._context = Context()
        self._asker = (
            Router(places.seeds, timeout, self._trouble) if places.seeds
            else Asker(places.control, timeout, self._trouble))
        # In a cluster the sockets of its members, instead of those for one daemon.
        self._lines: Lines | None = None
        self._outlets: Outlets | None = None
        self._control: Mailbox | None = None
        self._line: Line | None = None
        self._waiters: dict[int, asyncio.Future[Reply]] = {}
        # A task for each request waits here, so as many as the program has begun.
        self._slots = asyncio.Semaphore(UNANSWERED_MAX)
        self._wake = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None
        self._events: Mailbox | None = None
        self._events_lock = asyncio.Lock()
        self._subscriptions = Subscriptions(places.push is not None)
        self._watches: weakref.WeakSet[Watch] = weakref.WeakSet()
        self._is_closed = False

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends all watches and closes all sockets. Calls that wait raise `Closed`."""
        self._is_closed = True
        for watch in list(self._watches):
            await watch.close()
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.wait([self._pump])
        for waiter in self._waiters.values():
            if not waiter.done():
                waiter.set_exception(Closed("the client is closed"))
        if self._line is not None:
            self._line.close()
        if self._control is not None:
            self._control.close()
        if self._events is not None:
            self._events.link.close()
        for one in (self._lines, self._outlets):
            if one is not None:
                one.close()
        # It waits for events that were queued, so not in the loop's own thread.
        await asyncio.get_running_loop().run_in_executor(None, self._context.term)

    async def request(self, op: str, **fields: Any) -> Reply:
        """As `gestured.Client.request`."""
        async with self._slots:
            self._check()
            number = self._asker.begin(op, fields, time.monotonic())
            waiter = self._waiters[number] = asyncio.get_running_loop().create_future()
            self._wake.set()
            if self._pump is None or self._pump.done():
                self._pump = asyncio.create_task(self._run())
            try:
                reply: Reply = await waiter
                return reply
            finally:
                self._asker.forget(number)
                self._waiters.pop(number, None)

    def _trouble(self) -> str:
        if self._lines is not None:
            return self._lines.trouble
        return "" if self._control is None else self._control.link.trouble

    async def _run(self) -> None:
        """Sends and receives for all requests that wait; ends when none does."""
        await (self._run_direct() if self.endpoints.seeds else self._run_line())

    async def _run_direct(self) -> None:
        asker = self._asker
        assert isinstance(asker, Router)
        if self._lines is None:
            self._lines = Lines(self._context, self.endpoints, self.timeout, asker)
        lines = self._lines
        lines.look()
        while self._waiters:
            self._wake.clear()
            reads, wait = lines.flush()
            woken = asyncio.ensure_future(self._wake.wait())
            left = (asker.deadline or time.monotonic()) - time.monotonic()
            try:
                await first_of(*reads, woken, seconds=max(0.0, min(left, wait)))
            finally:
                woken.cancel()
            lines.take()
            lines.look()
            self._settle()

    async def _run_line(self) -> None:
        if self._control is None:
            link = Link(self._context, zmq.DEALER, self.endpoints, "control", self.timeout)
            self._control, self._line = Mailbox(link), Line(link.socket, self._asker)
        assert self._line is not None
        link = self._control.link
        # A refusal of before is none of these requests.
        link.look()
        while self._waiters:
            self._wake.clear()
            sending = self._line.flush()
            woken = asyncio.ensure_future(self._wake.wait())
            try:
                wait = (self._asker.deadline or time.monotonic()) - time.monotonic()
                wait = min(wait, LOOK_SECONDS) if link.is_watched else wait
                await first_of(self._control.read, sending, woken, seconds=max(0.0, wait))
            finally:
                woken.cancel()
            while message := self._control.take():
                self._asker.take(message)
            if link.look():
                self._asker.fail(link.refusal)
            self._settle()

    def _settle(self) -> None:
        """Hands on what was answered or given up."""
        self._asker.tick(time.monotonic())
        for number, result in list(self._asker.results.items()):
            del self._asker.results[number]
            waiter = self._waiters.pop(number, None)
            if waiter is None or waiter.done():
                continue
            if isinstance(result, Error):
                waiter.set_exception(result)
            else:
                waiter.set_result(result)

    async def publish(self, topic: str, body: Mapping[str, Any], ack: bool = False) -> Reply:
        """As `gestured.Client.publish`."""
        check_event(topic, body)
        if ack:
            return await self.request("publish", topic=topic, body=with_id(topic, body))
        frames = [topic.encode(), encoded(body)]
        async with self._events_lock:
            self._check()
            await (self._direct(frames) if self.endpoints.seeds else self._send(frames))
        return {}

    async def _direct(self, frames: list[bytes]) -> None:
        """Sends an event to the owner of its session."""
        if self._outlets is None:
            self._outlets = Outlets(self._context, self.endpoints, self.timeout)
        outlets, session = self._outlets, session_in(frames[0].decode()) or NO_SESSION
        deadline, what = time.monotonic() + self.timeout, "no owner of the session"
        while (left := deadline - time.monotonic()) > 0:
            self._check()
            found = outlets.owners.fresh(session, time.monotonic())
            if found is None:
                reply = await self.request("locate", session=session)
                found = outlets.owners.take(session, reply, self._asker.home, time.monotonic())
            if found is None:
                await asyncio.sleep(min(left, PAUSE_SECONDS))
                continue
            why = await outlets.send(
                found.member, found.frames(*frames), min(left, ATTEMPT_SECONDS))
            if not why:
                return
            what = f"{why} at {found.member.taker}, and no other owner,"
            outlets.owners.forget(session)
            if isinstance(self._asker, Router):
                self._asker.leave(found.member.control)
        raise NoAnswer(self.endpoints.asked, self.timeout, what)

    async def locate(self, session: str) -> Reply:
        """As `gestured.Client.locate`."""
        check_session(session)
        return await self.request("locate", session=session)

    async def members(self) -> Reply:
        """As `gestured.Client.members`."""
        return await self.request("members")

    async def _send(self, frames: list[bytes]) -> None:
        if self._events is None:
            self._events = Mailbox(
                Link.for_events(self._context, self.endpoints, self.timeout))
        events, deadline = self._events, time.monotonic() + self.timeout
        link = events.link
        # A refusal of before is none of this event.
        link.look()
        sending: asyncio.Future[Any] | None = None
        try:
            while True:
                while not self.endpoints.push and (message := events.take()):
                    self._subscriptions.take(message[0])
                if sending is None and self._subscriptions.match(frames[0]):
                    sending = asyncio.ensure_future(events.socket.send_multipart(frames))
                if sending is not None and sending.done():
                    sending.result()
                    return
                left = deadline - time.monotonic()
                if left <= 0:
                    what = "no subscription" if sending is None else "nothing was read"
                    why = link.trouble if sending is None or self.endpoints.push else ""
                    raise NoAnswer(self.endpoints.taker, self.timeout, what, why)
                if link.look():
                    raise link.refusal
                self._check()
                await first_of(
                    None if self.endpoints.push else events.read, sending,
                    seconds=min(left, LOOK_SECONDS) if link.is_watched else left)
        finally:
            if sending is not None and not sending.done():
                sending.cancel()

    def watch(self, *prefixes: str, timeout: float | None = None) -> Watch:
        """As `gestured.Client.watch`, for `async for`."""
        check_prefixes(prefixes)
        self._check()
        check_room([one for one in self._watches if not one.is_closed])
        kind = DirectWatch if self.endpoints.seeds else Watch
        watch = kind(self._context, self.endpoints, self.timeout, prefixes, timeout)
        self._watches.add(watch)
        return watch

    def frames(self, session: str, timeout: float | None = None) -> Frames:
        """As `gestured.Client.frames`, for `async for`."""
        check_session(session)
        return Frames(self.watch(f"scene/{session}", f"frame/{session}", timeout=timeout), session)

    def _check(self) -> None:
        if self._is_closed:
            raise Closed("the client is closed")


def connect(
    events: str | None = None, updates: str | None = None,
    control: str | Sequence[str] | None = None, timeout: float = 5.0, *,
    key: Path | None = None, server_key: Path | None = None, push: str | None = None,
) -> Client:
    """As `gestured.connect`; call it within the event loop."""
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout!r}, not a number above 0")
    return Client(endpoints(events, updates, control, key, server_key, push), timeout)
