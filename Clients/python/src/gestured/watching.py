"""A watch without asyncio: a thin shell around `Joiner`."""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Collection
from typing import Any

import zmq

from .asking import UNANSWERED_MAX, Asker
from .endpoints import Endpoints, opened, parse_update
from .errors import Closed, NoAnswer, TooManyWatches
from .actions import Action, Ask, Give, Subscribe, Unsubscribe
from .joining import Joiner

# Watches of one client that are open at once: their two sockets each take four file descriptors,
# and half of the usual 1024 of a process are left to the program.
WATCHES_MAX = 128
# Seconds that a wait lasts before it looks whether another thread has closed the watch.
LOOK_SECONDS = 0.25
# Updates that are read before the next one is given: more would only wait in memory.
READ_AT_ONCE = 100
# Seconds without even a heartbeat, which comes once a second, until a daemon counts as gone.
SILENCE_SECONDS = 3.0


def limit_of(
    joiner: Joiner, has_joined: bool, quiet: float | None, timeout: float,
) -> float | None:
    """Seconds that a wait for the next update may take; None: for ever."""
    if not has_joined:
        return timeout
    if quiet is not None and joiner.is_joining:
        return max(quiet, timeout)
    return quiet


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
    if not session or "/" in session:
        raise ValueError(f"the session is {session!r}, not the name of one session")


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


class Watch:
    """An iterator of `(topic, body)`; see `Client.watch`. For one thread at a time."""

    def __init__(
        self, context: zmq.Context[zmq.Socket[bytes]], places: Endpoints, timeout: float,
        prefixes: tuple[str, ...], quiet: float | None,
    ) -> None:
        self.endpoints, self.timeout, self.quiet = places, timeout, quiet
        # The rule that it follows, with its counters `joins`, `snapshots`, `dropped`, `skipped`.
        self.joiner = Joiner(prefixes)
        self.is_closed = False
        self._lock = threading.Lock()
        self._ready: deque[Give] = deque()
        self._desk = Desk(Asker(places.control, timeout))
        self._has_joined = False
        # Connected before it subscribes: only then do subscriptions leave in their order.
        self._updates = opened(context, zmq.SUB, places.updates, timeout)
        try:
            self._control = opened(context, zmq.DEALER, places.control, timeout)
        except BaseException:
            self._updates.close(linger=0)
            raise
        # A watch that the program has lost, as by `break`, is closed with it.
        self._release = weakref.finalize(self, _close, self._updates, self._control)
        # At the program's end another thread may still wait for it.
        self._release.atexit = False
        self._poller = zmq.Poller()
        self._heard_at = time.monotonic()
        self._sync_at = self._heard_at + timeout
        self._do(self.joiner.start())

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

    def _is_over(self, began: float, quiet: float | None, now: float) -> bool:
        """Whether the wait has ended without an update; raises where the daemon is not there."""
        self._has_joined = self._has_joined or not self.joiner.is_joining
        limit = limit_of(self.joiner, self._has_joined, quiet, self.timeout)
        if limit is None or now - began < limit:
            return False
        if self.joiner.is_joining or now - self._heard_at >= max(self.timeout, SILENCE_SECONDS):
            raise NoAnswer(self.endpoints.control, limit)
        return True

    def _step(self, began: float, quiet: float | None, now: float) -> None:
        """Waits once for the sockets, and does what follows."""
        asker = self._desk.asker
        self._desk.fill(now)
        self._flush()
        limit = limit_of(self.joiner, self._has_joined, quiet, self.timeout)
        ends = [now + LOOK_SECONDS, asker.deadline, self.joiner.deadline,
                None if limit is None else began + limit]
        wait = max(0.0, min(end for end in ends if end is not None) - now)
        self._poller.register(self._updates, zmq.POLLIN)
        self._poller.register(
            self._control, zmq.POLLIN | (zmq.POLLOUT if asker.outbox else 0))
        for socket, _ in self._poller.poll(int(wait * 1000) + (wait > 0)):
            self._read_updates() if socket is self._updates else self._read_answers()
        now = time.monotonic()
        asker.tick(now)
        self._do(self._desk.drain(self.joiner, now))
        self._do(self.joiner.wake(now))
        if now >= self._sync_at:
            self._sync_at = now + self.timeout
            self._do(self.joiner.resync())

    def _flush(self) -> None:
        outbox = self._desk.asker.outbox
        for number, message in list(outbox.items()):
            try:
                self._control.send(message, zmq.DONTWAIT)
            except zmq.Again:
                return
            outbox.pop(number, None)

    def _read_updates(self) -> None:
        self._heard_at = time.monotonic()
        for _ in range(READ_AT_ONCE):
            try:
                frames = self._updates.recv_multipart(zmq.DONTWAIT)
            except zmq.Again:
                return
            update = parse_update(frames)
            if update is None:
                self.joiner.skipped += 1
            else:
                self._do(self.joiner.hear(*update))

    def _read_answers(self) -> None:
        while True:
            try:
                self._desk.asker.take(self._control.recv_multipart(zmq.DONTWAIT))
            except zmq.Again:
                return

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
                    self._updates.subscribe(topic)
                case Unsubscribe(topic):
                    self._updates.unsubscribe(topic)

    def close(self) -> None:
        """Ends the iteration, also that of another thread, and closes its sockets."""
        self.is_closed = True
        with self._lock:
            # At the program's end a finalizer that is called does nothing.
            if self._release.detach():
                _close(self._updates, self._control)


def _close(*sockets: zmq.Socket[bytes]) -> None:
    for socket in sockets:
        socket.close(linger=0)
