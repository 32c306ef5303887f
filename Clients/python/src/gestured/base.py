"""What the client with and the one without asyncio have in common: sockets and watches."""

from __future__ import annotations

import weakref
from typing import Generic, TypeVar

from .connections import Context
from .endpoints import Endpoints
from .errors import Closed
from .publishers import ClusterPublisher, Publisher
from .requests import RequestSockets
from .routing import Router
from .watching import BaseWatch, check_prefixes, check_room

AnyWatch = TypeVar("AnyWatch", bound=BaseWatch)


def check_timeout(timeout: float) -> None:
    """Raises ValueError for what is no time to wait."""
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout!r}, not a number above 0")


class BaseClient(Generic[AnyWatch]):
    """A client but for its drivers."""

    def __init__(self, places: Endpoints, timeout: float) -> None:
        self.endpoints = places
        # Seconds that a call waits for the daemon, over all its tries.
        self.timeout = timeout
        self._context = Context()
        self._requests = RequestSockets(self._context, places, timeout)
        self._publisher = self._make_publisher()
        self._watches: weakref.WeakSet[AnyWatch] = weakref.WeakSet()
        self._is_closed = False

    def _make_publisher(self) -> Publisher | ClusterPublisher:
        asker = self._requests.asker
        if isinstance(asker, Router):
            return ClusterPublisher(self._context, self.endpoints, self.timeout, asker)
        return Publisher(self._context, self.endpoints, self.timeout)

    def _open_watch(
        self, kind: type[AnyWatch], prefixes: tuple[str, ...], quiet: float | None,
    ) -> AnyWatch:
        check_prefixes(prefixes)
        self._check()
        check_room([one for one in self._watches if not one.is_closed])
        watch = kind(self._context, self.endpoints, self.timeout, prefixes, quiet)
        self._watches.add(watch)
        return watch

    def _close_sockets(self) -> None:
        """Closes all sockets but those of watches; events that were queued still leave."""
        self._requests.close()
        self._publisher.close()

    def _check(self) -> None:
        if self._is_closed:
            raise Closed("the client is closed")
