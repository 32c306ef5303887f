"""Sockets for asyncio whose waits can be cancelled without a loss."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import zmq.asyncio

from .asking import Asker
from .links import Link

Socket = zmq.asyncio.Socket


class Context(zmq.asyncio.Context):
    """A context that the garbage collector does not wait for: its sockets may be garbage, too."""

    def __del__(self) -> None:
        pass


class Mailbox:
    """The receiving side of a socket: one read in flight, which a cancelled wait does not lose."""

    def __init__(self, link: Link[Socket]) -> None:
        self.link, self.socket = link, link.socket
        self._read: asyncio.Future[list[bytes]] | None = None

    @property
    def read(self) -> asyncio.Future[list[bytes]]:
        """Done when a message is there; `take` returns it."""
        if self._read is None:
            self._read = asyncio.ensure_future(self.socket.recv_multipart())
        return self._read

    def take(self) -> list[bytes] | None:
        """The next message, if it is there."""
        if not self.read.done():
            return None
        message = self.read.result()
        self._read = None
        return message

    def close(self) -> None:
        if self._read is not None:
            cancel(self._read)
        self.link.close(linger=0)


class Line:
    """The sending side of a DEALER: one message in flight, the others in the asker's outbox."""

    def __init__(self, socket: Socket, asker: Asker) -> None:
        self.socket, self.asker = socket, asker
        self._sending: asyncio.Future[Any] | None = None
        self._number = 0

    def flush(self) -> asyncio.Future[Any] | None:
        """Sends what waits; returns what to wait for before more can be sent."""
        while True:
            if self._sending is not None and not self._sending.done():
                if self.asker.is_waiting(self._number):
                    return self._sending
                # Its request was given up; a later daemon must not get it.
                self._sending.cancel()
            self._sending = None
            if not self.asker.outbox:
                return None
            self._number = next(iter(self.asker.outbox))
            message = self.asker.outbox.pop(self._number)
            self._sending = asyncio.ensure_future(self.socket.send(message))

    def close(self) -> None:
        if self._sending is not None:
            cancel(self._sending)


def cancel(future: asyncio.Future[Any]) -> None:
    """Also where its loop has ended, and with it all that would hear of this."""
    with contextlib.suppress(RuntimeError):
        future.cancel()


async def first_of(*waits: asyncio.Future[Any] | None, seconds: float | None) -> None:
    """Waits for one of these, or for the time; cancels none of them."""
    await asyncio.wait(
        [wait for wait in waits if wait is not None], timeout=seconds,
        return_when=asyncio.FIRST_COMPLETED)
