"""A watch without asyncio, and what every watch has."""

from __future__ import annotations

import re
import threading
import weakref
from collections.abc import Collection
from typing import Any

from . import polling
from .actions import Give
from .cluster import ClusterFollower
from .connections import Context
from .endpoints import Endpoints
from .errors import Closed, TooManyWatches
from .following import Follower
from .publishing import NAME, NAME_RULE

# Watches of one client that are open at once: their two sockets each take four file descriptors,
# with a key six, and half of the usual 1024 of a process are left to the program, or a quarter.
WATCHES_MAX = 128


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


class BaseWatch:
    """A watch but for its driver."""

    def __init__(
        self, context: Context, places: Endpoints, timeout: float, prefixes: tuple[str, ...],
        quiet: float | None,
    ) -> None:
        self.endpoints, self.timeout, self.quiet = places, timeout, quiet
        self.is_closed = False
        kind = ClusterFollower if places.seeds else Follower
        self._follower = kind(context, places, timeout, prefixes)
        # The rule that it follows, with its counters `joins`, `snapshots`, `dropped`, `skipped`.
        self.joiner = self._follower.joiner

    def _check(self) -> None:
        if self.is_closed:
            raise Closed("the watch is closed")


class Watch(BaseWatch):
    """An iterator of `(topic, body)`; see `Client.watch`. For one thread at a time."""

    def __init__(
        self, context: Context, places: Endpoints, timeout: float, prefixes: tuple[str, ...],
        quiet: float | None,
    ) -> None:
        super().__init__(context, places, timeout, prefixes, quiet)
        self._lock = threading.Lock()
        # A watch that the program has lost, as by `break`, is closed with it.
        self._release = weakref.finalize(self, self._follower.close)
        # At the program's end another thread may still wait for it.
        self._release.atexit = False

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
        with self._lock:
            self._check()
            give = self._follower.take()
            if give is not None:
                return give
            return polling.run(self._follower.follow(quiet), self._check)

    def close(self) -> None:
        """Ends the iteration, also that of another thread, and closes its sockets."""
        self.is_closed = True
        with self._lock:
            # At the program's end a finalizer that is called does nothing.
            if self._release.detach():
                self._follower.close()
