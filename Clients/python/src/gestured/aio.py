"""The client for asyncio: the same calls, with `await` and `async for`. For one event loop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any

from .aiowatching import Frames, Watch
from .asking import UNANSWERED_MAX, Reply, with_id
from .base import BaseClient, check_timeout
from .endpoints import Endpoints, Path, endpoints
from .errors import Closed, Error
from .eventloop import Driver
from .publishing import check_event, encoded
from .steps import Answer, Request
from .watching import check_session

__all__ = ["Client", "Frames", "Watch", "connect"]


class Client(BaseClient[Watch]):
    """One daemon; made by `gestured.aio.connect`, closed by `close` or at the end of `async with`.

    All calls may run at the same time, in tasks of one event loop. A cancelled call leaves nothing
    behind; whether its event counted is not known.
    """

    def __init__(self, places: Endpoints, timeout: float) -> None:
        super().__init__(places, timeout)
        # Who waits for which request; one task sends and receives for all of them.
        self._waiters: dict[int, asyncio.Future[Reply]] = {}
        self._serving: asyncio.Task[None] | None = None
        self._requesting = Driver()
        # A task for each request waits here, so as many as the program has begun.
        self._slots = asyncio.Semaphore(UNANSWERED_MAX)
        self._publishing = Driver()
        self._publish_lock = asyncio.Lock()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends all watches and closes all sockets. Calls that wait raise `Closed`."""
        self._is_closed = True
        for watch in list(self._watches):
            await watch.close()
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait([self._serving])
        self._fail(Closed("the client is closed"))
        self._publishing.wake()
        self._close_sockets()
        # It waits for events that were queued, so not in the loop's own thread.
        await asyncio.get_running_loop().run_in_executor(None, self._context.term)

    async def request(self, op: str, **fields: Any) -> Reply:
        """As `gestured.Client.request`."""
        async with self._slots:
            self._check()
            asker = self._requests.asker
            number = asker.begin(op, fields, time.monotonic())
            waiter = self._waiters[number] = asyncio.get_running_loop().create_future()
            if self._serving is None or self._serving.done():
                self._serving = asyncio.create_task(self._serve())
            else:
                self._requesting.wake()
            try:
                reply: Reply = await waiter
                return reply
            finally:
                asker.forget(number)
                self._waiters.pop(number, None)

    async def _serve(self) -> None:
        """Sends and receives for all requests that wait; ends when none does."""
        try:
            await self._requesting.run(self._requests.serve(self._settle), self._check)
        except Exception as error:
            self._fail(error)

    def _settle(self) -> bool:
        """Hands on what was answered or given up; whether no request waits any more."""
        results = self._requests.asker.results
        for number in list(results):
            result, waiter = results.pop(number), self._waiters.pop(number, None)
            if waiter is None or waiter.done():
                continue
            if isinstance(result, Error):
                waiter.set_exception(result)
            else:
                waiter.set_result(result)
        return not self._waiters

    def _fail(self, error: Exception) -> None:
        """Ends all requests that wait."""
        for waiter in self._waiters.values():
            if not waiter.done():
                waiter.set_exception(error)

    async def publish(self, topic: str, body: Mapping[str, Any], ack: bool = False) -> Reply:
        """As `gestured.Client.publish`."""
        check_event(topic, body)
        if ack:
            return await self.request("publish", topic=topic, body=with_id(topic, body))
        frames = [topic.encode(), encoded(body)]
        async with self._publish_lock:
            await self._publishing.run(self._publisher.send(frames), self._check, self._answer)
        return {}

    async def _answer(self, request: Request) -> Answer:
        """Sends a request of a publisher."""
        reply = await self.request(request.op, **request.fields)
        return Answer(self._requests.asker.home, reply)

    async def locate(self, session: str) -> Reply:
        """As `gestured.Client.locate`."""
        check_session(session)
        return await self.request("locate", session=session)

    async def members(self) -> Reply:
        """As `gestured.Client.members`."""
        return await self.request("members")

    def watch(self, *prefixes: str, timeout: float | None = None) -> Watch:
        """As `gestured.Client.watch`, for `async for`."""
        return self._open_watch(Watch, prefixes, timeout)

    def frames(self, session: str, timeout: float | None = None) -> Frames:
        """As `gestured.Client.frames`, for `async for`."""
        check_session(session)
        return Frames(self.watch(f"scene/{session}", f"frame/{session}", timeout=timeout), session)


def connect(
    events: str | None = None, updates: str | None = None,
    control: str | Sequence[str] | None = None, timeout: float = 5.0, *,
    key: Path | None = None, server_key: Path | None = None, push: str | None = None,
) -> Client:
    """As `gestured.connect`; call it within the event loop."""
    check_timeout(timeout)
    return Client(endpoints(events, updates, control, key, server_key, push), timeout)
