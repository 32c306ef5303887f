"""What an operation waits for. An operation is a generator that never blocks: drivers run it.

`polling.run` runs one in a thread, `eventloop.Driver` in an event loop. Both take a step, wait for
it, and resume the operation, which then reads and sends whatever its sockets let it.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple, Optional, TypeVar, Union

from .asking import Reply
from .endpoints import Socket

# A socket, and what must be possible there: zmq.POLLIN, zmq.POLLOUT, or one of both.
Interest = tuple[Socket, int]


class Wait(NamedTuple):
    """Resume when a socket is ready, or at an instant; sooner does no harm."""

    sockets: list[Interest]
    # An instant of `time.monotonic`; None: there is none.
    until: float | None


class Request(NamedTuple):
    """Resume with the `Answer` to a request of the client; its error is raised instead."""

    op: str
    fields: dict[str, Any]


class Answer(NamedTuple):
    """The address that answered, and its answer."""

    place: str
    reply: Reply


Result = TypeVar("Result")
Steps = Generator[Union[Wait, Request], Optional[Answer], Result]
