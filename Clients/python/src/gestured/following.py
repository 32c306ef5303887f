"""The sockets and the state of a watch of one daemon: what it reads, asks and gives."""

from __future__ import annotations

import time
from collections import deque
from itertools import islice

import zmq

from .actions import Action, Ask, Give, Subscribe, Unsubscribe
from .asking import TRIES, UNANSWERED_MAX, Asker, Reply
from .connections import LOOK_SECONDS, Connection, Context
from .endpoints import Endpoints, parse_update, ports_of
from .errors import Error, NoAnswer, Refused
from .joining import Joiner
from .requests import RequestSockets
from .steps import Interest, Steps, Wait

# Updates that are read before the next one is given: more would only wait in memory.
READ_AT_ONCE = 100
# Seconds until a client with a key that nothing lets in asks where it may read.
LEAD_SECONDS = 0.5
HELLO = "hello"
MEMBERS = "members"
# Seconds without even a heartbeat, which comes once a second, until a daemon counts as gone.
SILENCE_SECONDS = 3.0


class RequestQueue:
    """The requests of a watch: a bounded number in flight, and what each answer is for."""

    def __init__(self, asker: Asker) -> None:
        self.asker = asker
        # At most one for each session that a join lists.
        self.waiting: deque[Ask] = deque()
        self._tags: dict[int, str] = {}
        # The answers to the watch's own questions, `hello` and `members`, until they are read.
        self.own: dict[str, Reply | None] = {}

    def fill(self, now: float) -> None:
        while self.waiting and self.asker.unanswered < UNANSWERED_MAX:
            ask = self.waiting.popleft()
            self._tags[self.asker.begin(ask.op, ask.fields, now)] = ask.tag

    def drain(self, joiner: Joiner, now: float) -> list[Action]:
        """Hands all answers on."""
        actions: list[Action] = []
        for number in list(self.asker.results):
            result = self.asker.results.pop(number)
            tag = self._tags.pop(number)
            if tag in (HELLO, MEMBERS):
                self.own[tag] = None if isinstance(result, Error) else result
            else:
                actions += joiner.answer(tag, result, now)
        return actions


class Follower:
    """A watch of one daemon, but for its waits. Not for two threads at once."""

    def __init__(
        self, context: Context, places: Endpoints, timeout: float, prefixes: tuple[str, ...],
    ) -> None:
        self._context, self._places, self._timeout = context, places, timeout
        # The rule that it follows, with its counters `joins`, `snapshots`, `dropped`, `skipped`.
        self.joiner = Joiner(prefixes)
        self._ready: deque[Give] = deque()
        self._requests = RequestSockets(context, places, timeout, is_of_watch=True)
        self._queue = RequestQueue(self._requests.asker)
        self._has_joined = False
        self._heard_at = time.monotonic()
        self._sync_at = self._heard_at + self._sync_seconds
        # What the user is to hear, once.
        self._refusal: Refused | None = None
        # Handshakes of updates, and tries that nobody answered, as far as they were considered.
        self._joins = 0
        self._silences = 0
        self._lead_at = self._heard_at + LEAD_SECONDS
        # The joins that there were when the daemon was away, until it is heard again.
        self._heal_from: int | None = None
        self._open()
        self._do(self.joiner.start())

    def _open(self) -> None:
        """Opens the two sockets, or none. Updates are connected before they are subscribed to:
        only then do subscriptions leave in their order."""
        self.updates = Connection(
            self._context, zmq.SUB, self._places, "updates", self._timeout)
        try:
            self._control = self._requests.connect(self._places.control)
        except BaseException:
            self.updates.close(linger=0)
            raise

    def close(self) -> None:
        """Closes the sockets; nothing else may be called then."""
        self.updates.close(linger=0)
        self._requests.close()

    # What comes next

    def take(self) -> Give | None:
        """The next update, if it has been read already."""
        return self._ready.popleft() if self._ready else None

    def follow(self, quiet: float | None) -> Steps[Give | None]:
        """The next update; None if none came within `quiet` seconds, which None does not bound.

        Raises where the daemon is not there, or does not let the client read.
        """
        began = time.monotonic()
        while not self._ready:
            now = time.monotonic()
            if self._is_over(began, quiet, now):
                return None
            self._queue.fill(now)
            self._requests.flush()
            yield Wait(
                [*self._interests(), *self._requests.interests()], self._wake_at(began, quiet))
            self._look()
            self._read()
            self._requests.receive()
            self._turn()
        return self._ready.popleft()

    def _interests(self) -> list[Interest]:
        return [(self.updates.socket, zmq.POLLIN)]

    def _read(self) -> None:
        """Reads updates that have come."""
        for frames in islice(self.updates.receive(), READ_AT_ONCE):
            self._hear(frames)

    @property
    def _sync_seconds(self) -> float:
        """Seconds until a sync that was not answered is asked for again."""
        return self._timeout / TRIES

    def _limit(self, quiet: float | None) -> float | None:
        """Seconds that a wait for the next update may take; None: for ever."""
        if not self._has_joined:
            return self._timeout
        if quiet is not None and self.joiner.is_joining:
            return max(quiet, self._timeout)
        return quiet

    def _is_over(self, began: float, quiet: float | None, now: float) -> bool:
        """Whether the wait has ended without an update; raises where the daemon is not there."""
        self._has_joined = self._has_joined or not self.joiner.is_joining
        if refusal := self._refusal:
            self._refusal = None
            raise refusal
        limit = self._limit(quiet)
        if limit is None or now - began < limit:
            return False
        if self.joiner.is_joining or now - self._heard_at >= max(self._timeout, SILENCE_SECONDS):
            raise NoAnswer(self._places.asked, limit, why=self._trouble())
        return True

    def _trouble(self) -> str:
        """Why there is no connection, as far as a key may be the reason."""
        return self.updates.trouble if self.updates.is_refused else self._control.trouble

    def _wake_at(self, began: float, quiet: float | None) -> float | None:
        """The instant at which something is due though nothing comes; None: there is none."""
        limit = self._limit(quiet)
        ends = [self._queue.asker.deadline, self.joiner.deadline,
                None if limit is None else began + limit,
                self._sync_at if self.joiner.is_syncing else None,
                self._look_at()]
        return min((end for end in ends if end is not None), default=None)

    def _look_at(self) -> float | None:
        """When the connections are to be looked at; None: they tell by themselves."""
        return time.monotonic() + LOOK_SECONDS if self.updates.is_watched else None

    def _hear(self, frames: list[bytes]) -> None:
        self._heard_at = time.monotonic()
        update = parse_update(frames)
        if update is None:
            self.joiner.skipped += 1
        else:
            self._do(self.joiner.hear(*update))
            if self._heal_from is not None:
                self._heal()

    def _turn(self) -> None:
        """Does what has become due, and hands all answers on."""
        now = time.monotonic()
        self._queue.asker.tick(now)
        self._do(self._queue.drain(self.joiner, now))
        self._do(self.joiner.wake(now))
        self._lead(now)
        if self.joiner.refusal is not None:
            self._refusal, self.joiner.refusal = self.joiner.refusal, None
        if now >= self._sync_at:
            self._sync_at = now + self._sync_seconds
            self._do(self.joiner.resync())

    def _look(self) -> None:
        """With a key: dials again what the daemon refused, and notes when it was away."""
        updates, silences = self.updates, self._queue.asker.silences
        was_refused = updates.is_refused
        if updates.look() and not self._has_joined:
            self._refusal = updates.refusal
        if updates.joins > self._joins:
            is_first, self._joins = updates.joins == 1 and not updates.dials, updates.joins
            if self.joiner.is_syncing and not is_first:
                # A new connection gets its subscriptions in any order, and the sync must be last.
                self._do(self.joiner.resync())
            elif not is_first:
                self._heal_from = self.joiner.joins
        is_taken = was_refused and not updates.is_refused
        if updates.is_watched and (silences > self._silences or is_taken):
            self._control.dial()
        self._silences = silences

    def _lead(self, now: float) -> None:
        """With a key: a client that may read some sessions only is led to its own endpoint."""
        if not self.updates.is_watched:
            return
        if (hello := self._queue.own.pop(HELLO, None)) is not None:
            self.updates.move(ports_of(hello))
        if now >= max(self._lead_at, self._heard_at + SILENCE_SECONDS * bool(self._joins)):
            self._lead_at = now + SILENCE_SECONDS
            self._queue.waiting.append(Ask(HELLO, {}, HELLO))

    def _heal(self) -> None:
        """Joins again where the daemon was away: the last update of a session shows no gap.

        What it sends first tells whether it is another run, which the joiner joins by itself.
        """
        if self._heal_from == self.joiner.joins:
            self._do(self.joiner.rejoin())
        self._heal_from = None

    def _do(self, actions: list[Action]) -> None:
        for action in actions:
            match action:
                case Give():
                    self._ready.append(action)
                case Ask():
                    self._queue.waiting.append(action)
                case Subscribe(topic):
                    if topic.startswith("sync/"):
                        self._sync_at = time.monotonic() + self._sync_seconds
                    self._subscribe(topic)
                case Unsubscribe(topic):
                    self._unsubscribe(topic)

    def _subscribe(self, topic: str) -> None:
        self.updates.socket.subscribe(topic)

    def _unsubscribe(self, topic: str) -> None:
        self.updates.socket.unsubscribe(topic)
