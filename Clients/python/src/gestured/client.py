"""The client without asyncio: threads may share it, each watch belongs to one thread at a time."""

from __future__ import annotations

import atexit
import threading
import warnings
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from . import polling
from .asking import Reply, with_id
from .base import BaseClient, check_timeout
from .endpoints import Endpoints, Path, endpoints
from .frames import Frames
from .publishing import check_event, encoded
from .steps import Answer, Request
from .watching import Watch, check_session


class Client(BaseClient[Watch]):
    """One daemon; made by `gestured.connect`, closed by `close` or at the end of `with`.

    Threads may share a client: its calls wait for each other. A watch has sockets of its own, and
    is for one thread at a time. Ctrl-C ends every wait.
    """

    def __init__(self, places: Endpoints, timeout: float) -> None:
        super().__init__(places, timeout)
        # For requests, for events, and for the list of watches. Who publishes to a cluster may
        # have to ask for an owner, and so takes the first two in the order events, requests.
        self._lock = threading.Lock()
        self._publish_lock = threading.Lock()
        self._watch_lock = threading.Lock()
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
        # In the order in which a publisher takes them.
        with self._publish_lock, self._lock:
            self._close_sockets()
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
            return polling.run(self._requests.ask(op, fields), self._check)

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
            polling.run(self._publisher.send(frames), self._check, self._answer)
        return {}

    def _answer(self, request: Request) -> Answer:
        """Sends a request of a publisher."""
        with self._lock:
            reply = polling.run(self._requests.ask(request.op, request.fields), self._check)
            return Answer(self._requests.asker.home, reply)

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
        with self._watch_lock:
            return self._open_watch(Watch, prefixes, timeout)

    def frames(self, session: str, timeout: float | None = None) -> Frames:
        """The frames of a session, each with the states of *all* its components.

        An iterator of `Frame`. Ends, is closed, and raises as `watch` does; ValueError for
        what is no name of one session.
        """
        check_session(session)
        return Frames(self.watch(f"scene/{session}", f"frame/{session}", timeout=timeout), session)


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
    check_timeout(timeout)
    return Client(endpoints(events, updates, control, key, server_key, push), timeout)
