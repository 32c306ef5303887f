"""The client without asyncio: threads may share it, each watch belongs to one thread at a time."""

from __future__ import annotations

import atexit
import threading
import time
import warnings
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import zmq

from .asking import Reply, with_id
from .direct import DirectWatch, Outlets
from .endpoints import Endpoints, Path, endpoints
from .errors import Closed, Error, NoAnswer
from .exchange import LOOK_SECONDS, Context, Exchange
from .frames import Frames
from .links import Link
from .members import session_in
from .owning import ATTEMPT_SECONDS, NO_SESSION, PAUSE_SECONDS
from .publishing import Subscriptions, check_event, encoded
from .routing import Router
from .watching import Watch, check_prefixes, check_room, check_session
class Client:
    """One daemon; made by `gestured.connect`, closed by `close` or at the end of `with`.

    Threads may share a client: its calls wait for each other. A watch has sockets of its own, and
    is for one thread at a time. Ctrl-C ends every wait.
    """

    def __init__(self, places: Endpoints, timeout: float) -> None:
        self.endpoints = places
        # Seconds that a call waits for the daemon, over all its tries.
        self.timeout = timeout
        self._context: Context = Context()
        self._lock = threading.Lock()
        self._publish_lock = threading.Lock()
        self._exchange: Exchange | None = None
        self._publisher: Link[zmq.Socket[bytes]] | None = None
        self._outlets: Outlets | None = None
        self._subscriptions = Subscriptions(places.push is not None)
        self._watch_lock = threading.Lock()
        self._watches: weakref.WeakSet[Watch] = weakref.WeakSet()
        self._is_closed = False
        unclosed.add(self)

    def __del__(self) -> None:
        if not getattr(self, "_is_closed", True):
            warnings.warn("unclosed gestured.Client", ResourceWarning, 2, source=self)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends all watches and closes all sockets; unsent events may take up to `timeout`.

        May be called twice, and by another thread: calls that wait raise `Closed` soon.
        """
        self._is_closed = True
        unclosed.discard(self)
        with self._watch_lock:
            watches = list(self._watches)
        for watch in watches:
            watch.close()
        # In the order in which a publisher takes them, which may have to ask for an owner.
        with self._publish_lock, self._lock:
            for one in (self._exchange, self._publisher, self._outlets):
                if one is not None:
                    one.close()
            self._exchange = self._publisher = self._outlets = None
        self._context.term()

    def request(self, op: str, **fields: Any) -> Reply:
        """Sends a request, such as `open` or `snapshot`; returns the answer.

        docs/protocol/requests.md lists the requests. The answer has `"ok": True` and the fields of
        the operation. Reads are sent again when no answer comes, three times in all. Raises
        `Refused` with the daemon's code; `NoAnswer` after `timeout` seconds for all tries
        together; `Closed`; TypeError or ValueError for what is no JSON, and for the fields `id`
        and `op`, which the client writes. Numbers and arrays of NumPy are JSON, too.
        """
        with self._lock:
            self._check()
            return self._ask(self._exchanged(), op, fields)

    def _exchanged(self) -> Exchange:
        if self._exchange is None:
            self._exchange = Exchange(self._context, self.endpoints, self.timeout)
        return self._exchange

    def _ask(self, exchange: Exchange, op: str, fields: Mapping[str, Any]) -> Reply:
        asker = exchange.asker
        # A refusal of before is none of this request.
        exchange.look()
        number = asker.begin(op, fields, time.monotonic())
        try:
            while number not in asker.results:
                exchange.flush()
                left = (asker.deadline or 0.0) - time.monotonic()
                exchange.wait(max(0.0, min(left, LOOK_SECONDS)))
                exchange.look()
                asker.tick(time.monotonic())
                self._check()
            result = asker.results[number]
        finally:
            asker.forget(number)
        if isinstance(result, Error):
            raise result
        return result

    def publish(self, topic: str, body: Mapping[str, Any], ack: bool = False) -> Reply:
        """Sends one event: `topic` as `gesture/alice`, `body` one JSON object of docs/protocol.

        Without `ack` it returns `{}` when the event is queued for a daemon that is there, which
        tells a refusal on `rejected/…` only. Events come in the order in which they were sent.

        With `ack` it returns the daemon's answer when the event is applied and durable. A
        notification or command without an `id` gets a random one, and is sent again with the same
        id when no answer comes, three times in all: it counts once. `"duplicate": True` in the
        answer means that an earlier try had counted. Gestures are sent once.

        Raises `NoAnswer` where no daemon listens or answers in time, `Refused` (without `ack` only
        for what is no topic, and for a body that is too large), `Closed`, TypeError or ValueError
        for what is no JSON object.
        """
        check_event(topic, body)
        if ack:
            return self.request("publish", topic=topic, body=with_id(topic, body))
        frames = [topic.encode(), encoded(body)]
        with self._publish_lock:
            self._check()
            self._direct(frames) if self.endpoints.seeds else self._send(frames)
        return {}

    def _direct(self, frames: list[bytes]) -> None:
        """Sends an event to the owner of its session."""
        if self._outlets is None:
            self._outlets = Outlets(self._context, self.endpoints, self.timeout)
        outlets, session = self._outlets, session_in(frames[0].decode()) or NO_SESSION
        deadline, what = time.monotonic() + self.timeout, "no owner of the session"
        while (left := deadline - time.monotonic()) > 0:
            self._check()
            found = outlets.owners.fresh(session, time.monotonic())
            if found is None:
                seed, reply = self._locate(session)
                found = outlets.owners.take(session, reply, seed, time.monotonic())
            if found is None:
                time.sleep(min(left, PAUSE_SECONDS))
                continue
            why = outlets.send(
                found.member, found.frames(*frames), min(left, ATTEMPT_SECONDS))
            if not why:
                return
            what = f"{why} at {found.member.taker}, and no other owner,"
            outlets.owners.forget(session)
            self._leave(found.member.control)
        raise NoAnswer(self.endpoints.asked, self.timeout, what)

    def locate(self, session: str) -> Reply:
        """A session's `owner` with its name, `daemon` and endpoints; None: nobody yet.

        In a cluster the answer has `version`, that of the map. Raises as `request`.
        """
        check_session(session)
        return self.request("locate", session=session)

    def members(self) -> Reply:
        """The daemons of a cluster under `members`, each with its name, state and endpoints.

        Raises as `request`.
        """
        return self.request("members")

    def _locate(self, session: str) -> tuple[str, Reply]:
        """The address that answered, and its answer."""
        with self._lock:
            self._check()
            exchange = self._exchanged()
            reply = self._ask(exchange, "locate", {"session": session})
            return exchange.asker.home, reply

    def _leave(self, place: str) -> None:
        """Asks elsewhere than at a member that takes nothing."""
        with self._lock:
            asker = self._exchanged().asker
            if isinstance(asker, Router):
                asker.leave(place)

    def _send(self, frames: list[bytes]) -> None:
        if self._publisher is None:
            self._publisher = Link.for_events(self._context, self.endpoints, self.timeout)
        link, socket = self._publisher, self._publisher.socket
        deadline = time.monotonic() + self.timeout
        # A refusal of before is none of this event.
        link.look()
        while True:
            while socket.poll(0):
                self._subscriptions.take(socket.recv())
            is_wanted = self._subscriptions.match(frames[0])
            if is_wanted:
                try:
                    socket.send_multipart(frames, zmq.DONTWAIT)
                    return
                except zmq.Again:
                    pass
            left = deadline - time.monotonic()
            if left <= 0:
                what = "nothing was read" if is_wanted else "no subscription"
                why = "" if is_wanted and not self.endpoints.push else link.trouble
                raise NoAnswer(self.endpoints.taker, self.timeout, what, why)
            if link.look():
                raise link.refusal
            self._check()
            interest = zmq.POLLIN | (zmq.POLLOUT if is_wanted else 0)
            socket.poll(int(min(left, LOOK_SECONDS) * 1000) + 1, interest)

    def watch(self, *prefixes: str, timeout: float | None = None) -> Watch:
        """The current state, then every change, of all topics that begin with one of `prefixes`.

        An iterator of `(topic, body)` with a daemon's bodies. It joins by the rule of
        docs/protocol/updates.md, gives nothing twice and nothing old, heals what was lost by a
        snapshot, and joins again when the session or the daemon starts again. End a session's name
        by `/` where another name could begin with it: `state/alice/`.

        It ends when nothing came for `timeout` seconds (None: never). Raises `NoAnswer` if the
        daemon does not answer the first join in the client's `timeout`, or has not come back when
        the iteration would end; the next call goes on. Raises `Closed` after `close`.

        `with`, or its `close`, frees its sockets; so does its end as garbage. Raises
        `TooManyWatches` where `watching.WATCHES_MAX` of this client are open.
        """
        check_prefixes(prefixes)
        with self._watch_lock:
            self._check()
            check_room([one for one in self._watches if not one.is_closed])
            kind = DirectWatch if self.endpoints.seeds else Watch
            watch = kind(self._context, self.endpoints, self.timeout, prefixes, timeout)
            self._watches.add(watch)
        return watch

    def frames(self, session: str, timeout: float | None = None) -> Frames:
        """The frames of a session, each with the states of *all* its components.

        An iterator of `Frame`. Ends, is closed, and raises as `watch` does; ValueError for
        what is no name of one session.
        """
        check_session(session)
        return Frames(self.watch(f"scene/{session}", f"frame/{session}", timeout=timeout), session)

    def _check(self) -> None:
        if self._is_closed:
            raise Closed("the client is closed")


# Clients that are still open when the program ends: what they queued still leaves.
unclosed: weakref.WeakSet[Client] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for client in list(unclosed):
        client.close()


def connect(
    events: str | None = None, updates: str | None = None,
    control: str | Sequence[str] | None = None, timeout: float = 5.0, *,
    key: Path | None = None, server_key: Path | None = None, push: str | None = None,
) -> Client:
    """A client of the daemon at these endpoints; nothing is sent before the first call.

    The defaults are GESTURED_EVENTS, GESTURED_UPDATES, GESTURED_CONTROL and GESTURED_PUSH, as for
    gesturectl, then tcp://127.0.0.1:7411 to 7414. `timeout` is in seconds, for each wait for the
    daemon; the tries of a request share it. Events without `ack` go to `push`; where `events` alone
    is given, to that.

    Several control endpoints, in a list or a text with commas, are members of a cluster: the
    client asks them who has a session, speaks with that one, and follows where it moves. Then
    `events`, `updates` and `push` are used only where no cluster answers.

    `key` is the file of the client's secret certificate, for endpoints that begin with `tcp://`;
    `server_key` the daemon's public certificate, or its key's 40 characters. The defaults are
    GESTURED_KEY and GESTURED_SERVER_KEY, then the metadata `server-key` of the secret certificate.
    Raises `BadCertificate`, which names the file and the line.
    """
    if not timeout > 0:
        raise ValueError(f"timeout is {timeout!r}, not a number above 0")
    return Client(endpoints(events, updates, control, key, server_key, push), timeout)
