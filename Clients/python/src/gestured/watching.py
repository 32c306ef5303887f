"""A watch without asyncio: a thin shell around `Joiner`."""

from __future__ import annotations

import re
import threading
import time
import weakref
from collections.abc import Collection
from typing import Any

import zmq

from .actions import Give
from .endpoints import Endpoints
from .errors import Closed, TooManyWatches
from .following import READ_AT_ONCE, Following
from .links import Link
from .publishing import NAME, NAME_RULE

# Watches of one client that are open at once: their two sockets each take four file descriptors,
# with a key six, and half of the usual 1024 of a process are left to the program, or a quarter.
WATCHES_MAX = 128
# Seconds that a wait lasts before it looks whether another thread has closed the watch.
LOOK_SECONDS = 0.25


def check_room(watches: Collection[object]) -> None:
    """Raises TooManyWatches where a client may not open another one."""
    if len(watches) >= WATCHES_MAX:
        raise TooManyWatches(
            f"{WATCHES_MAX} watches of this client are open: close those that you do not read")


def check_prefixes(prefixes: tuple[str, ...]) -> None:
    """Raises TypeError for a prefix that is no text."""
    for prefix in prefixes:
        if not isinstance(prefix, str):
            raise TypeError(f"a prefix is {prefix!r}, not a str")


def check_session(session: str) -> None:
    """Raises TypeError or ValueError for what cannot be one session's name."""
    if not isinstance(session, str):
        raise TypeError(f"the session is {session!r}, not a str")
    if not re.fullmatch(NAME, session) or session == "-":
        raise ValueError(f"the session is {session!r}, not {NAME_RULE}, and not - alone")


class Watch(Following[zmq.Socket[bytes]]):
    """An iterator of `(topic, body)`; see `Client.watch`. For one thread at a time."""

    _release: weakref.finalize[Any, Any]

    def __init__(
        self, context: zmq.Context[zmq.Socket[bytes]], places: Endpoints, timeout: float,
        prefixes: tuple[str, ...], quiet: float | None,
    ) -> None:
        super().__init__(places, timeout, prefixes, quiet)
        self._lock = threading.Lock()
        # Connected before it subscribes: only then do subscriptions leave in their order.
        self._open(context)
        # A watch that the program has lost, as by `break`, is closed with it.
        self._prepare()
        # At the program's end another thread may still wait for it.
        self._release.atexit = False
        self._do(self.joiner.start())

    def _prepare(self) -> None:
        self._updates, self._control = self._updates_link.socket, self._control_link.socket
        self._release = weakref.finalize(self, _close, self._updates_link, self._control_link)
        self._poller = zmq.Poller()

    def __iter__(self) -> Watch:
        return self

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __next__(self) -> tuple[str, dict[str, Any]]:
        give = self.next_give(self.quiet)
        if give is None:
            raise StopIteration
        return give.topic, give.body

    def next(self, timeout: float | None = None) -> tuple[str, dict[str, Any]] | None:
        """The next update; None if none came within `timeout` seconds. Raises as the iterator."""
        give = self.next_give(timeout)
        return None if give is None else (give.topic, give.body)

    def next_give(self, quiet: float | None) -> Give | None:
        """The next update with what the joiner says about it."""
        began = time.monotonic()
        with self._lock:
            while True:
                if self.is_closed:
                    raise Closed("the watch is closed")
                if self._ready:
                    return self._ready.popleft()
                now = time.monotonic()
                if self._is_over(began, quiet, now):
                    return None
                self._step(began, quiet, now)

    def _step(self, began: float, quiet: float | None, now: float) -> None:
        """Waits once for the sockets, and does what follows."""
        self._desk.fill(now)
        self._flush()
        look, due = now + LOOK_SECONDS, self._wake_at(began, quiet)
        self._wait(max(0.0, (look if due is None else min(look, due)) - now))
        self._turn()

    def _wait(self, wait: float) -> None:
        """Waits once for the sockets, and takes what has come."""
        asker = self._desk.asker
        self._poller.register(self._updates, zmq.POLLIN)
        self._poller.register(
            self._control, zmq.POLLIN | (zmq.POLLOUT if asker.outbox else 0))
        found = self._poller.poll(int(wait * 1000) + (wait > 0))
        self._look()
        for socket, _ in found:
            self._read_updates() if socket is self._updates else self._read_answers()

    def _flush(self) -> None:
        outbox = self._desk.asker.outbox
        for number, message in list(outbox.items()):
            try:
                self._control.send(message, zmq.DONTWAIT)
            except zmq.Again:
                return
            outbox.pop(number, None)

    def _read_updates(self) -> None:
        for _ in range(READ_AT_ONCE):
            try:
                self._hear(self._updates.recv_multipart(zmq.DONTWAIT))
            except zmq.Again:
                return

    def _read_answers(self) -> None:
        while True:
            try:
                self._desk.asker.take(self._control.recv_multipart(zmq.DONTWAIT))
            except zmq.Again:
                return

    def close(self) -> None:
        """Ends the iteration, also that of another thread, and closes its sockets."""
        self.is_closed = True
        with self._lock:
            # At the program's end a finalizer that is called does nothing.
            if released := self._release.detach():
                _, close, links, _ = released
                close(*links)


def _close(*links: Link[zmq.Socket[bytes]]) -> None:
    for link in links:
        link.close(linger=0)
