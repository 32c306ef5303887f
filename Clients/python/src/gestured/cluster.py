"""The sockets and the state of a watch of a cluster: its members, and which of them are heard.

It is connected to the updates of every member, and so is subscribed already wherever a session may
go. The late rule tells a former owner from the present one.
"""

from __future__ import annotations

import time
from itertools import islice
from typing import Any

import zmq

from . import epochs
from .actions import Ask, scope_of
from .asking import Reply
from .connections import Connection
from .endpoints import parse_update
from .following import MEMBERS, READ_AT_ONCE, Follower
from .joining import HEARTBEAT
from .members import MEMBERS_MAX, Member, is_cluster, member_of, members_of, owner_of
from .routing import Router
from .steps import Interest

# Seconds without a heartbeat, which comes once a second, until a member counts as gone.
SILENT_SECONDS = 2.0
# Seconds until the members are asked for again, while one is silent or something has changed.
AGAIN_SECONDS = 0.5
# Seconds for which a join waits for the sync of all members.
SETTLE_SECONDS = 1.0
# Seconds between two looks at who is silent.
LOOK_SECONDS = 0.25


class ClusterFollower(Follower):
    """A watch of a cluster, but for its waits."""

    def _open(self) -> None:
        # The members by the addresses of their updates, with the connections there.
        self._members: dict[str, Member] = {}
        self._connections: dict[str, Connection] = {}
        self._topics: dict[str, None] = {}
        self._heard: dict[str, float] = {}
        self._silent: set[str] = set()
        self._shards: dict[str, object] = {}
        self._is_asking, self._must_ask, self._ask_at = True, False, 0.0
        self._queue.waiting.append(Ask("members", {}, MEMBERS))
        self._settle_at, self._is_cluster = 0.0, True
        for prefix in self.joiner.prefixes:
            # The event `moved` comes there.
            if (scope := scope_of(prefix)) is not None:
                self._topics[f"session/{scope}"] = None

    def close(self) -> None:
        for connection in self._connections.values():
            connection.close(linger=0)
        self._requests.close()

    @property
    def _router(self) -> Router:
        asker = self._requests.asker
        assert isinstance(asker, Router)
        return asker

    # Connections

    def _join_member(self, member: Member, now: float) -> bool:
        """Connects to a member's updates, and subscribes; False where its address is none."""
        places = self._places.at("updates", member.updates)
        try:
            connection = Connection(self._context, zmq.SUB, places, "updates", self._timeout)
        except zmq.ZMQError:
            return False
        for topic in self._topics:
            connection.socket.subscribe(topic)
        self._members[member.updates], self._connections[member.updates] = member, connection
        self._heard[member.updates] = now
        return True

    def _leave_member(self, place: str) -> None:
        self._connections.pop(place).close(linger=0)
        for table in (self._members, self._heard, self._shards):
            table.pop(place, None)
        self._silent.discard(place)

    def _subscribe(self, topic: str) -> None:
        if topic.startswith("sync/"):
            self._settle_at = time.monotonic() + SETTLE_SECONDS
        self._topics[topic] = None
        for connection in self._connections.values():
            connection.socket.subscribe(topic)

    def _unsubscribe(self, topic: str) -> None:
        del self._topics[topic]
        for connection in self._connections.values():
            connection.socket.unsubscribe(topic)

    def _trouble(self) -> str:
        return self._requests.trouble()

    def _look_at(self) -> float | None:
        return time.monotonic() + LOOK_SECONDS

    def _look(self) -> None:
        for connection in self._connections.values():
            if connection.look() and not self._has_joined:
                self._refusal = connection.refusal

    # What comes

    def _interests(self) -> list[Interest]:
        return [(connection.socket, zmq.POLLIN) for connection in self._connections.values()]

    def _read(self) -> None:
        for place, connection in list(self._connections.items()):
            for frames in islice(connection.receive(), READ_AT_ONCE):
                self._hear_at(place, frames)

    def _hear_at(self, place: str, frames: list[bytes]) -> None:
        now = time.monotonic()
        self._heard_at = self._heard[place] = now
        update = parse_update(frames)
        if update is None:
            self.joiner.skipped += 1
            return
        topic, body, _ = update
        if isinstance(body, dict):
            if topic == HEARTBEAT:
                self._note_heartbeat(place, body)
            elif topic.startswith("session/") and body.get("event") == "moved":
                self._note_move(place, topic, body, now)
        self._do(self.joiner.hear(*update))
        if place in self._silent:
            # Its updates in between are lost, and a session that rests shows no gap.
            self._silent.discard(place)
            self._do(self.joiner.rejoin())

    def _note_heartbeat(self, place: str, body: dict[str, Any]) -> None:
        is_other = body.get("epoch") != self._members[place].daemon
        if is_other or self._shards.get(place, body.get("shards")) != body.get("shards"):
            self._must_ask = True
        self._shards[place] = body.get("shards")

    def _note_move(self, place: str, topic: str, body: dict[str, Any], now: float) -> None:
        session = epochs.session_of(topic)
        owner = owner_of(body, place)
        if session is None or owner is None:
            return
        self._router.note(session, owner)
        if owner.updates not in self._connections and len(self._connections) < MEMBERS_MAX:
            self._must_ask = True
            if self._join_member(owner, now):
                self._join_all()

    # What is due

    def _turn(self) -> None:
        super()._turn()
        now = time.monotonic()
        if MEMBERS in self._queue.own:
            self._is_asking = False
            self._learn(self._queue.own.pop(MEMBERS), now)
        silent = {place for place, at in self._heard.items() if now - at > SILENT_SECONDS}
        self._silent |= silent
        if self.joiner.is_syncing and now >= self._settle_at:
            self._do(self.joiner.settle())
        if (self._must_ask or silent) and not self._is_asking and now >= self._ask_at:
            self._is_asking, self._must_ask, self._ask_at = True, False, now + AGAIN_SECONDS
            self._queue.waiting.appendleft(Ask("members", {}, MEMBERS))

    def _lead(self, now: float) -> None:
        """Follows the members instead of the key."""

    def _learn(self, reply: Reply | None, now: float) -> None:
        if reply is None:
            self._must_ask = True
            return
        home = self._router.home
        members = members_of(reply, home)
        if not members:
            one = member_of({
                "name": "", "daemon": "", "events": [self._places.events],
                "push": [self._places.push] if self._places.push else [],
                "updates": [self._places.updates], "control": [home]}, home)
            members = [one] if one is not None else []
        wanted = {one.updates: one for one in members}
        was = {place: one.daemon for place, one in self._members.items()}
        for place in set(self._connections) - set(wanted):
            self._leave_member(place)
        for place, member in wanted.items():
            if place in self._connections:
                self._members[place] = member
            else:
                self._join_member(member, now)
        is_same = was == {place: one.daemon for place, one in self._members.items()}
        if not is_same:
            self._is_cluster = is_cluster(reply)
            self._join_all()

    def _join_all(self) -> None:
        daemons = [one.daemon for one in self._members.values()] if self._is_cluster else []
        self._do(self.joiner.lead(daemons))
