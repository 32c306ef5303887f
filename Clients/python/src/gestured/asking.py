"""Requests and their answers: ids, timeouts, tries. Touches no socket; time is an argument."""

from __future__ import annotations

import itertools
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .errors import Error, NoAnswer, Refused
from .publishing import BODY_BYTES_MAX, check_size, compact_size, plain

# Tries of what may be repeated without harm: one lost answer, and one more behind a restart.
TRIES = 3
# Requests that change nothing.
READS = frozenset((
    "hello", "scene", "hit", "time", "snapshot", "export", "sessions", "scenes", "stats",
    "locate", "members"))
# The fields of a request that the client itself writes.
OWN_FIELDS = ("id", "op")
# Bytes of a random id in base 16: 128 bits never meet twice.
ID_BYTES = 16
# Requests of one client in flight: far below the daemon's bound for one session, 512.
UNANSWERED_MAX = 64
Reply = dict[str, object]


def with_id(topic: str, body: Mapping[str, object]) -> dict[str, object]:
    """The body of an event that may be sent again without counting twice, if it can have an id."""
    if "id" in body or not topic.startswith(("notification/", "command/")):
        return dict(body)
    return {**body, "id": secrets.token_hex(ID_BYTES)}


def tries_of(op: str, fields: Mapping[str, object]) -> int:
    """How often a request may be sent: a read, or an event with an id, may be repeated."""
    if op == "publish":
        body = fields.get("body")
        return TRIES if isinstance(body, Mapping) and "id" in body else 1
    return TRIES if op in READS else 1


@dataclass
class Call:
    message: bytes
    tries: int
    # Seconds that each try waits for an answer.
    seconds: float
    deadline: float
    # How often it was sent, or should have been.
    made: int = 1


class Asker:
    """The requests that wait for answers, and the messages that wait to be sent.

    `timeout` is in seconds, for all tries of a request together: each has its share.

    Send every message of `outbox` and remove it; hand each message that comes to `take`, and call
    `tick` at `deadline`. A finished request stands in `results` by its number, once.
    """

    def __init__(
        self, endpoint: str, timeout: float, trouble: Callable[[], str] = lambda: "",
    ) -> None:
        # The address that it names where nobody answers, and the one that it asks.
        self.endpoint = self.home = endpoint
        # Why nobody may have answered, for a person.
        self._trouble = trouble
        self.timeout = timeout
        # Messages to send, by the request's number; a repeated one replaces itself.
        self.outbox: dict[int, bytes] = {}
        self.results: dict[int, Reply | Error] = {}
        # Answers that nobody waits for any more, or that cannot be read.
        self.skipped = 0
        # Tries that nobody answered in time.
        self.silences = 0
        self._calls: dict[int, Call] = {}
        self._numbers = itertools.count(1)

    def begin(self, op: str, fields: Mapping[str, object], now: float) -> int:
        """Queues a request and returns its number.

        Raises TypeError for what is no JSON, ValueError for a field that is the client's own,
        `Refused` for an event that is too large.
        """
        for name in OWN_FIELDS:
            if name in fields:
                raise ValueError(f"the field {name!r} is the client's own: it numbers its requests")
        number = next(self._numbers)
        # A NaN would be no JSON, and the daemon could not even read the request's id.
        message = json.dumps(
            {"id": number, "op": op, **fields}, allow_nan=False, default=plain).encode()
        if op == "publish" and len(message) > BODY_BYTES_MAX:
            check_size(compact_size(fields.get("body")))
        tries = tries_of(op, fields)
        share = self.timeout / tries
        self._calls[number] = Call(message, tries, share, now + share)
        self.outbox[number] = message
        return number

    def take(self, frames: list[bytes]) -> None:
        """Reads one message of the control socket."""
        reply = _parse(frames[-1]) if frames else None
        number = reply.get("id") if reply else None
        if reply and "id" not in reply and not reply["ok"] and len(self._calls) == 1:
            # The daemon could not read the request, so neither its id.
            number = next(iter(self._calls))
        # `true` is no number, though Python takes it for 1.
        if reply is None or type(number) is not int or number not in self._calls:
            self.skipped += 1
            return
        self._finish(number, reply)

    def _finish(self, number: int, reply: Reply) -> None:
        self.forget(number)
        self.results[number] = reply if reply["ok"] else _refusal(reply)

    def place_of(self, number: int) -> str:
        """The address that a message of the outbox goes to."""
        return self.home

    def tick(self, now: float) -> None:
        """Sends again, or gives up, what was not answered in time."""
        for number, call in list(self._calls.items()):
            if now < call.deadline:
                continue
            self.silences += 1
            if call.made < call.tries:
                call.made += 1
                call.deadline = now + call.seconds
                self.outbox[number] = call.message
            else:
                self.forget(number)
                self.results[number] = NoAnswer(self.endpoint, self.timeout, why=self._trouble())

    def fail(self, why: Error) -> None:
        """Gives up all requests that wait."""
        for number in list(self._calls):
            self.forget(number)
            self.results[number] = why

    def forget(self, number: int) -> None:
        """Nobody waits for this request any more."""
        self._calls.pop(number, None)
        self.outbox.pop(number, None)
        self.results.pop(number, None)

    @property
    def deadline(self) -> float | None:
        """When `tick` is due; None if nothing waits."""
        return min((call.deadline for call in self._calls.values()), default=None)

    def is_waiting(self, number: int) -> bool:
        return number in self._calls

    @property
    def unanswered(self) -> int:
        return len(self._calls)


def _parse(data: bytes) -> Reply | None:
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return reply if isinstance(reply, dict) and isinstance(reply.get("ok"), bool) else None


def _refusal(reply: Reply) -> Refused:
    error = reply.get("error")
    if not isinstance(error, dict):
        return Refused("internal", "the daemon refused without a code")
    return Refused(
        str(error.get("code", "internal")), str(error.get("message", "")), error.get("owner"))
