"""The client for asyncio: the same calls, with `await` and `async for`. For one event loop."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Mapping
from typing import Any

import zmq
import zmq.asyncio

from .actions import Give
from .asking import UNANSWERED_MAX, Asker, Reply, with_id
from .endpoints import Endpoints, Path, endpoints
from .errors import Closed, Error, NoAnswer
from .following import READ_AT_ONCE, Following
from .frames import Frame, Merger
from .links import LOOK_SECONDS, Link
from .mailboxes import Context, Line, Mailbox, Socket, first_of
from .publishing import Subscriptions, encoded
from .watching import check_prefixes, check_room, check_session


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
        self._asker = Asker(places.control, timeout, self._trouble)
        self._control: Mailbox | None = None
        self._line: Line | None = None
        self._waiters: dict[int, asyncio.Future[Reply]] = {}
        # A task for each request waits here, so as many as the program has begun.
        self._slots = asyncio.Semaphore(UNANSWERED_MAX)
        self._wake = asyncio.Event()
        self._pump: asyncio.Task[None] | None = None
        self._events: Mailbox | None = None
        self._events_lock = asyncio.Lock()
        self._subscriptions = Subscriptions()
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
        return "" if self._control is None else self._control.link.trouble

    async def _run(self) -> None:
        """Sends and receives for all requests that wait; ends when none does."""
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
        if ack:
            return await self.request("publish", topic=topic, body=with_id(topic, body))
        frames = [topic.encode(), encoded(body)]
        async with self._events_lock:
            self._check()
            await self._send(frames)
        return {}

    async def _send(self, frames: list[bytes]) -> None:
        if self._events is None:
            self._events = Mailbox(Link(
                self._context, zmq.XPUB, self.endpoints, "events", self.timeout))
        events, deadline = self._events, time.monotonic() + self.timeout
        link = events.link
        # A refusal of before is none of this event.
        link.look()
        sending: asyncio.Future[Any] | None = None
        try:
            while True:
                while message := events.take():
                    self._subscriptions.take(message[0])
                if sending is None and self._subscriptions.match(frames[0]):
                    sending = asyncio.ensure_future(events.socket.send_multipart(frames))
                if sending is not None and sending.done():
                    sending.result()
                    return
                left = deadline - time.monotonic()
                if left <= 0:
                    what = "no subscription" if sending is None else "nothing was read"
                    why = link.trouble if sending is None else ""
                    raise NoAnswer(self.endpoints.events, self.timeout, what, why)
                if link.look():
                    raise link.refusal
                self._check()
                await first_of(
                    events.read, sending,
                    seconds=min(left, LOOK_SECONDS) if link.is_watched else left)
        finally:
            if sending is not None and not sending.done():
                sending.cancel()

    def watch(self, *prefixes: str, timeout: float | None = None) -> Watch:
        """As `gestured.Client.watch`, for `async for`."""
        check_prefixes(prefixes)
        self._check()
        check_room([one for one in self._watches if not one.is_closed])
        watch = Watch(self._context, self.endpoints, self.timeout, prefixes, timeout)
        self._watches.add(watch)
        return watch

    def frames(self, session: str, timeout: float | None = None) -> Frames:
        """As `gestured.Client.frames`, for `async for`."""
        check_session(session)
        return Frames(self.watch(f"scene/{session}", f"frame/{session}", timeout=timeout), session)

    def _check(self) -> None:
        if self._is_closed:
            raise Closed("the client is closed")


class Watch(Following[Socket]):
    """An asynchronous iterator of `(topic, body)`; one task at a time may wait for it.

    A wait that is cancelled loses no update: the next one gives it.
    """

    def __init__(
        self, context: zmq.asyncio.Context, places: Endpoints, timeout: float,
        prefixes: tuple[str, ...], quiet: float | None,
    ) -> None:
        super().__init__(places, timeout, prefixes, quiet)
        self._open(context)
        self._updates, self._control = Mailbox(self._updates_link), Mailbox(self._control_link)
        self._line = Line(self._control_link.socket, self._desk.asker)
        parts = self._line, self._updates, self._control
        # A watch that the program has lost, as by `break`, is closed with it.
        self._release = weakref.finalize(self, _close_soon, asyncio.get_running_loop(), *parts)
        self._release.atexit = False
        self._ended = asyncio.Event()
        self._do(self.joiner.start())

    def __aiter__(self) -> Watch:
        return self

    async def __aenter__(self) -> Watch:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def __anext__(self) -> tuple[str, dict[str, Any]]:
        give = await self.next_give(self.quiet)
        if give is None:
            raise StopAsyncIteration
        return give.topic, give.body

    async def next(self, timeout: float | None = None) -> tuple[str, dict[str, Any]] | None:
        """The next update; None if none came within `timeout` seconds. Raises as the iterator."""
        give = await self.next_give(timeout)
        return None if give is None else (give.topic, give.body)

    async def next_give(self, quiet: float | None) -> Give | None:
        """The next update with what the joiner says about it."""
        began = time.monotonic()
        while True:
            if self.is_closed:
                raise Closed("the watch is closed")
            if self._ready:
                return self._ready.popleft()
            now = time.monotonic()
            if self._is_over(began, quiet, now):
                return None
            await self._step(began, quiet, now)

    async def _step(self, began: float, quiet: float | None, now: float) -> None:
        """Waits once for the sockets, and does what follows."""
        self._desk.fill(now)
        sending = self._line.flush()
        due = self._wake_at(began, quiet)
        wait = None if due is None else max(0.0, due - now)
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            await first_of(self._updates.read, self._control.read, sending, ended, seconds=wait)
        finally:
            ended.cancel()
        if self.is_closed:
            return
        self._look()
        self._read_updates()
        while message := self._control.take():
            self._desk.asker.take(message)
        self._turn()

    def _read_updates(self) -> None:
        for _ in range(READ_AT_ONCE):
            frames = self._updates.take()
            if frames is None:
                return
            self._hear(frames)

    async def close(self) -> None:
        """Ends the iteration, also in another task, and closes its sockets."""
        self.is_closed = True
        self._ended.set()
        if self._release.detach():
            _close(self._line, self._updates, self._control)

    # For `contextlib.aclosing`.
    aclose = close


def _close(*parts: Line | Mailbox) -> None:
    for part in parts:
        part.close()


def _close_soon(loop: asyncio.AbstractEventLoop, *parts: Line | Mailbox) -> None:
    """In its loop, for garbage may be collected by another thread; at once where that has ended."""
    try:
        loop.call_soon_threadsafe(_close, *parts)
    except RuntimeError:
        _close(*parts)


class Frames:
    """An asynchronous iterator of whole frames; see `gestured.Client.frames`."""

    def __init__(self, watch: Watch, session: str) -> None:
        self.watch = watch
        self._merger = Merger(session)

    def __aiter__(self) -> Frames:
        return self

    async def __aenter__(self) -> Frames:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def __anext__(self) -> Frame:
        while give := await self.watch.next_give(self.watch.quiet):
            if frame := self._merger.take(give):
                return frame
        raise StopAsyncIteration

    async def close(self) -> None:
        await self.watch.close()

    # For `contextlib.aclosing`.
    aclose = close


def connect(
    events: str | None = None, updates: str | None = None, control: str | None = None,
    timeout: float = 5.0, *, key: Path | None = None, server_key: Path | None = None,
) -> Client:
    """As `gestured.connect`; call it within the event loop."""
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout!r}, not a number above 0")
    return Client(endpoints(events, updates, control, key, server_key), timeout)
