"""The driver without asyncio: it waits in the thread that calls it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import zmq

from .steps import Answer, Request, Result, Steps, Wait

# Seconds that a wait lasts before it looks whether another thread has closed the client or watch.
LOOK_SECONDS = 0.25


def run(
    steps: Steps[Result], check: Callable[[], None],
    ask: Callable[[Request], Answer] | None = None,
) -> Result:
    """Runs an operation to its end, and returns its result.

    `check` is called before each step, and may raise. `ask` is for operations with requests.
    """
    answer: Answer | None = None
    try:
        while True:
            check()
            step = steps.send(answer)
            answer = None
            if isinstance(step, Wait):
                _wait(step)
            elif ask is not None:
                answer = ask(step)
    except StopIteration as end:
        result: Result = end.value
        return result
    finally:
        steps.close()


def _wait(wait: Wait) -> None:
    seconds = LOOK_SECONDS
    if wait.until is not None:
        seconds = max(0.0, min(wait.until - time.monotonic(), LOOK_SECONDS))
    if not wait.sockets:
        # A poller without sockets does not wait.
        time.sleep(seconds)
        return
    poller = zmq.Poller()
    for socket, events in wait.sockets:
        poller.register(socket, events)
    poller.poll(math.ceil(seconds * 1000))
