"""A watch for asyncio: a thin shell around `Joiner`."""

from __future__ import annotations

import asyncio
import time
import weakref
from typing import Any, Protocol

import zmq.asyncio

from .actions import Give
from .endpoints import Endpoints
from .errors import Closed
from .following import READ_AT_ONCE, Following
from .frames import Frame, Merger
from .mailboxes import Line, Mailbox, Socket, first_of


class Watch(Following[Socket]):
    """An asynchronous iterator of `(topic, body)`; one task at a time may wait for it.

    A wait that is cancelled loses no update: the next one gives it.
    """

    _release: weakref.finalize[Any, Any]

    def __init__(
        self, context: zmq.asyncio.Context, places: Endpoints, timeout: float,
        prefixes: tuple[str, ...], quiet: float | None,
    ) -> None:
        super().__init__(places, timeout, prefixes, quiet)
        self._open(context)
        # A watch that the program has lost, as by `break`, is closed with it.
        self._prepare()
        self._release.atexit = False
        self._ended = asyncio.Event()
        self._do(self.joiner.start())

    def _prepare(self) -> None:
        self._updates, self._control = Mailbox(self._updates_link), Mailbox(self._control_link)
        self._line = Line(self._control_link.socket, self._desk.asker)
        parts = self._line, self._updates, self._control
        self._release = weakref.finalize(self, close_soon, asyncio.get_running_loop(), *parts)

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
        waits = self._flush()
        due = self._wake_at(began, quiet)
        wait = None if due is None else max(0.0, due - now)
        ended = asyncio.ensure_future(self._ended.wait())
        try:
            await first_of(*waits, ended, seconds=wait)
        finally:
            ended.cancel()
        if self.is_closed:
            return
        self._look()
        self._read()
        self._turn()

    def _flush(self) -> list[asyncio.Future[Any] | None]:
        """Sends what waits; returns what to wait for."""
        return [self._updates.read, self._control.read, self._line.flush()]

    def _read(self) -> None:
        """Takes what has come."""
        self._read_updates()
        while message := self._control.take():
            self._desk.asker.take(message)

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
        if released := self._release.detach():
            _, _, (_, *parts), _ = released
            close_all(*parts)

    # For `contextlib.aclosing`.
    aclose = close


class Part(Protocol):
    """Something that is closed with its watch."""

    def close(self) -> None: ...


def close_all(*parts: Part) -> None:
    for part in parts:
        part.close()


def close_soon(loop: asyncio.AbstractEventLoop, *parts: Part) -> None:
    """In its loop, for garbage may be collected by another thread; at once where that has ended."""
    try:
        loop.call_soon_threadsafe(close_all, *parts)
    except RuntimeError:
        close_all(*parts)


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
