"""The driver for asyncio: it waits in the event loop of the task that calls it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import zmq

from .steps import Answer, Interest, Request, Result, Steps, Wait

# Seconds until sockets are looked at again in a loop that cannot watch them: Windows' usual one.
LOOK_SECONDS = 0.01


class Driver:
    """Runs operations in an event loop, one at a time.

    A task that is cancelled ends its operation at a wait, so that no message is lost.
    """

    def __init__(self) -> None:
        # There while an operation waits, with the descriptors that the loop watches for it.
        self._waiter: asyncio.Future[None] | None = None
        self._descriptors: list[int] = []

    async def run(
        self, steps: Steps[Result], check: Callable[[], None],
        ask: Callable[[Request], Awaitable[Answer]] | None = None,
    ) -> Result:
        """Runs an operation to its end, and returns its result; see `polling.run`."""
        answer: Answer | None = None
        try:
            while True:
                check()
                step = steps.send(answer)
                answer = None
                if isinstance(step, Wait):
                    await self._wait(step)
                elif ask is not None:
                    answer = await ask(step)
        except StopIteration as end:
            result: Result = end.value
            return result
        finally:
            steps.close()

    def wake(self) -> None:
        """Ends a wait. The loop's own thread calls this, also before it closes a socket."""
        waiter, self._waiter = self._waiter, None
        if waiter is None:
            return
        loop = waiter.get_loop()
        while self._descriptors:
            loop.remove_reader(self._descriptors.pop())
        if not waiter.done():
            waiter.set_result(None)

    async def _wait(self, wait: Wait) -> None:
        # A descriptor only tells that something has changed since the last look, so look first.
        if any(int(socket.get(zmq.EVENTS)) & events for socket, events in wait.sockets):
            # The loop's other tasks get their turn all the same.
            await asyncio.sleep(0)
            return
        loop = asyncio.get_running_loop()
        self._waiter = loop.create_future()
        until = wait.until
        if not self._watch(loop, wait.sockets):
            look = time.monotonic() + LOOK_SECONDS
            until = look if until is None else min(until, look)
        timer = None if until is None else loop.call_later(
            max(0.0, until - time.monotonic()), self.wake)
        try:
            await self._waiter
        finally:
            if timer is not None:
                timer.cancel()
            self.wake()

    def _watch(self, loop: asyncio.AbstractEventLoop, sockets: list[Interest]) -> bool:
        """Whether the loop calls `wake` when something changes at one of these sockets."""
        try:
            for socket, _ in sockets:
                descriptor = int(socket.get(zmq.FD))
                loop.add_reader(descriptor, self.wake)
                self._descriptors.append(descriptor)
        except NotImplementedError:
            return False
        return True
