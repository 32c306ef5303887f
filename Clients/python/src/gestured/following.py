"""The part of a watch that waits for nobody: when it is over, and what is due."""

from __future__ import annotations

import time
from collections import deque
from typing import Any

import zmq

from .actions import Action, Ask, Give, Subscribe, Unsubscribe
from .asking import UNANSWERED_MAX, Asker
from .endpoints import Endpoints, parse_update
from .errors import NoAnswer
from .joining import Joiner

# Updates that are read before the next one is given: more would only wait in memory.
READ_AT_ONCE = 100
# Seconds without even a heartbeat, which comes once a second, until a daemon counts as gone.
SILENCE_SECONDS = 3.0


class Desk:
    """The requests of a watch: a bounded number in flight, and what each answer is for."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        # At most one for each session that a join lists.
        self.waiting: deque[Ask] = deque()
        self._tags: dict[int, str] = {}

    def fill(self, now: float) -> None:
        while self.waiting and self.asker.unanswered < UNANSWERED_MAX:
            ask = self.waiting.popleft()
            self._tags[self.asker.begin(ask.op, ask.fields, now)] = ask.tag

    def drain(self, joiner: Joiner, now: float) -> list[Action]:
        """Hands all answers on."""
        actions: list[Action] = []
        for number in list(self.asker.results):
            result = self.asker.results.pop(number)
            actions += joiner.answer(self._tags.pop(number), result, now)
        return actions


class Following:
    """A watch but for its waits: a kind of watch reads its sockets, and hands on what came."""

    # Set before `_do`; subscriptions go out by it.
    _subscriber: zmq.Socket[Any]

    def __init__(
        self, places: Endpoints, timeout: float, prefixes: tuple[str, ...], quiet: float | None,
    ) -> None:
        self.endpoints, self.timeout, self.quiet = places, timeout, quiet
        # The rule that it follows, with its counters `joins`, `snapshots`, `dropped`, `skipped`.
        self.joiner = Joiner(prefixes)
        self.is_closed = False
        self._ready: deque[Give] = deque()
        self._desk = Desk(Asker(places.control, timeout))
        self._has_joined = False
        self._heard_at = time.monotonic()
        self._sync_at = self._heard_at + timeout

    def _limit(self, quiet: float | None) -> float | None:
        """Seconds that a wait for the next update may take; None: for ever."""
        if not self._has_joined:
            return self.timeout
        if quiet is not None and self.joiner.is_joining:
            return max(quiet, self.timeout)
        return quiet

    def _is_over(self, began: float, quiet: float | None, now: float) -> bool:
        """Whether the wait has ended without an update; raises where the daemon is not there."""
        self._has_joined = self._has_joined or not self.joiner.is_joining
        limit = self._limit(quiet)
        if limit is None or now - began < limit:
            return False
        if self.joiner.is_joining or now - self._heard_at >= max(self.timeout, SILENCE_SECONDS):
            raise NoAnswer(self.endpoints.control, limit)
        return True

    def _wake_at(self, began: float, quiet: float | None) -> float | None:
        """The instant at which something is due though nothing comes; None: there is none."""
        limit = self._limit(quiet)
        ends = [self._desk.asker.deadline, self.joiner.deadline,
                None if limit is None else began + limit,
                self._sync_at if self.joiner.is_syncing else None]
        return min((end for end in ends if end is not None), default=None)

    def _hear(self, frames: list[bytes]) -> None:
        self._heard_at = time.monotonic()
        update = parse_update(frames)
        if update is None:
            self.joiner.skipped += 1
        else:
            self._do(self.joiner.hear(*update))

    def _turn(self) -> None:
        """Does what has become due, and hands all answers on."""
        now = time.monotonic()
        self._desk.asker.tick(now)
        self._do(self._desk.drain(self.joiner, now))
        self._do(self.joiner.wake(now))
        if now >= self._sync_at:
            self._sync_at = now + self.timeout
            self._do(self.joiner.resync())

    def _do(self, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Give():
                    self._ready.append(action)
                case Ask():
                    self._desk.waiting.append(action)
                case Subscribe(topic):
                    if topic.startswith("sync/"):
                        self._sync_at = time.monotonic() + self.timeout
                    self._subscriber.subscribe(topic)
                case Unsubscribe(topic):
                    self._subscriber.unsubscribe(topic)
