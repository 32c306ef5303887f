"""Watches and frames for asyncio."""

from __future__ import annotations

import asyncio
import weakref
from typing import Any

from .actions import Give
from .connections import Context
from .endpoints import Endpoints
from .eventloop import Driver
from .following import Follower
from .frames import Frame, Merger
from .watching import BaseWatch


class Watch(BaseWatch):
    """An asynchronous iterator of `(topic, body)`; one task at a time may wait for it.

    A wait that is cancelled loses no update: the next one gives it.
    """

    def __init__(
        self, context: Context, places: Endpoints, timeout: float, prefixes: tuple[str, ...],
        quiet: float | None,
    ) -> None:
        loop = asyncio.get_running_loop()
        super().__init__(context, places, timeout, prefixes, quiet)
        self._driver = Driver()
        self._lock = asyncio.Lock()
        # A watch that the program has lost, as by `break`, is closed with it.
        self._release = weakref.finalize(self, _close_soon, loop, self._follower)
        self._release.atexit = False

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
        self._check()
        give = self._follower.take()
        if give is not None:
            return give
        async with self._lock:
            return await self._driver.run(self._follower.follow(quiet), self._check)

    async def close(self) -> None:
        """Ends the iteration, also in another task, and closes its sockets."""
        self.is_closed = True
        self._driver.wake()
        if self._release.detach():
            self._follower.close()

    # For `contextlib.aclosing`.
    aclose = close


def _close_soon(loop: asyncio.AbstractEventLoop, follower: Follower) -> None:
    """In its loop, for garbage may be collected by another thread; at once where that has ended."""
    try:
        loop.call_soon_threadsafe(follower.close)
    except RuntimeError:
        follower.close()


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
