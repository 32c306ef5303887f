"""Requests to a cluster: which member is asked, and when another one. Touches no socket."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .asking import Asker, Call, Reply
from .errors import NoAnswer
from .members import MEMBERS_MAX, Member, members_of, owner_of, session_in

# Seconds that a member may take to answer, before the next one is asked.
ATTEMPT_SECONDS = 1.0
# Seconds until a session without an owner is asked for again.
PAUSE_SECONDS = 0.1
# Members in a row that may send a request on, before it waits: two may not agree yet.
HOPS_MAX = 3
# Sessions whose owners are remembered; the least recent one goes.
OWNERS_MAX = 10_000


@dataclass
class _Way:
    """Where a request is."""

    session: str | None
    place: str
    # When it is given up.
    end: float
    hops: int = 0
    # It waits for an owner: from the next look on, or already.
    is_moved: bool = False
    is_pausing: bool = False


class Router(Asker):
    """An `Asker` that sends each request to the owner of its session, as far as it is known.

    A member that is not the owner says who is; one that says nothing is left for the next one. Send
    each message of `outbox` to `place_of` its number.
    """

    def __init__(
        self, seeds: Sequence[str], timeout: float, trouble: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__(", ".join(seeds), timeout, trouble)
        # Where it asks; the members that were heard of stand behind the seeds.
        self._places = list(seeds)
        self._seeds = tuple(seeds)
        self.home = self._places[0]
        self._owners: OrderedDict[str, Member] = OrderedDict()
        self._ways: dict[int, _Way] = {}

    def begin(self, op: str, fields: Mapping[str, object], now: float) -> int:
        number = super().begin(op, fields, now)
        session = _session(op, fields)
        call = self._calls[number]
        place = self._place(session)
        self._ways[number] = _Way(session, place, now + self.timeout)
        call.deadline = now + min(ATTEMPT_SECONDS, self.timeout)
        return number

    def place_of(self, number: int) -> str:
        way = self._ways.get(number)
        return self.home if way is None else way.place

    def note(self, session: str, owner: Member | None) -> None:
        """Remembers who owns a session; None: nobody knows."""
        self._owners.pop(session, None)
        if owner is None:
            return
        self._owners[session] = owner
        if len(self._owners) > OWNERS_MAX:
            self._owners.popitem(last=False)

    def meet(self, members: list[Member]) -> None:
        """Members that may be asked in place of seeds that are gone."""
        places = dict.fromkeys((*self._seeds, *(one.control for one in members)))
        if self.home not in places:
            self.home = self._seeds[0]
        self._places = list(places)[:len(self._seeds) + MEMBERS_MAX]

    def leave(self, place: str) -> None:
        """Asks at another member from now on, if it asked at this one. For any thread."""
        places = self._places
        if place == self.home:
            at = places.index(place) if place in places else -1
            self.home = places[(at + 1) % len(places)]

    def forget(self, number: int) -> None:
        super().forget(number)
        self._ways.pop(number, None)

    def _place(self, session: str | None) -> str:
        owner = self._owners.get(session) if session is not None else None
        return self.home if owner is None else owner.control

    def _finish(self, number: int, reply: Reply) -> None:
        way = self._ways.get(number)
        place = self.place_of(number)
        if way is None or reply["ok"] or not _is_moved(reply) or way.session is None:
            self.meet_reply(reply, place)
            super()._finish(number, reply)
            return
        owner = owner_of(reply.get("error"), place)
        self.note(way.session, owner)
        way.hops += 1
        if owner is None or owner.control == place or way.hops % HOPS_MAX == 0:
            # The next `tick` begins the pause: it has the time.
            way.is_moved, self._calls[number].deadline = True, 0.0
            return
        self._send(number, way, self._calls[number])

    def meet_reply(self, reply: Reply, place: str) -> None:
        if "members" in reply and (members := members_of(reply, place)):
            self.meet(members)

    def _send(self, number: int, way: _Way, call: Call) -> None:
        way.place = self._place(way.session)
        self.outbox[number] = call.message

    def tick(self, now: float) -> None:
        for number, call in list(self._calls.items()):
            if now >= call.deadline:
                self._turn(number, call, self._ways[number], now)

    def _turn(self, number: int, call: Call, way: _Way, now: float) -> None:
        if now >= way.end:
            what = "no owner of its session" if way.is_pausing or way.is_moved else "no answer"
            trouble = self._trouble()
            self.forget(number)
            self.results[number] = NoAnswer(self.endpoint, self.timeout, what, trouble)
            return
        if way.is_moved:
            way.is_moved, way.is_pausing = False, True
            call.deadline = min(now + PAUSE_SECONDS, way.end)
            return
        if not way.is_pausing:
            self.silences += 1
            is_unsent = number in self.outbox
            self.leave(way.place)
            if way.session is not None:
                self.note(way.session, None)
            if call.tries == 1 and not is_unsent:
                # It may have had its effect: nobody else may be asked.
                call.deadline = way.end
                return
        way.is_pausing = False
        call.made += 1
        self._send(number, way, call)
        call.deadline = min(now + ATTEMPT_SECONDS, way.end)


def _session(op: str, fields: Mapping[str, object]) -> str | None:
    """The session whose owner answers a request; None: any member answers it."""
    if op == "locate":
        return None
    if op == "publish":
        topic = fields.get("topic")
        return (session_in(topic) or None) if isinstance(topic, str) else None
    session = fields.get("session")
    return session if isinstance(session, str) else None


def _is_moved(reply: Reply) -> bool:
    error = reply.get("error")
    return isinstance(error, dict) and error.get("code") == "moved"
