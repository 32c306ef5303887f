"""The part of a watch of a cluster that waits for nobody: its members, and who of them is heard.

It is connected to the updates of every member, and so is subscribed already wherever a session may
go. The late rule tells a former owner from the present one.
"""

from __future__ import annotations

import time
from typing import Any

import zmq

from . import epochs
from .actions import Ask, scope_of
from .asking import Asker, Reply
from .endpoints import SocketType, parse_update
from .following import MEMBERS, Following
from .joining import HEARTBEAT
from .links import Link
from .members import MEMBERS_MAX, Member, is_cluster, member_of, members_of, owner_of
from .routing import Router

# Seconds without a heartbeat, which comes once a second, until a member counts as gone.
SILENT_SECONDS = 2.0
# Seconds until the members are asked for again, while one is silent or something has changed.
AGAIN_SECONDS = 0.5
# Seconds for which a join waits for the sync of all members.
SETTLE_SECONDS = 1.0
# Seconds between two looks at who is silent.
LOOK_SECONDS = 0.25


class Directed(Following[SocketType]):
    """A watch of a cluster but for its waits."""

    def _asker(self) -> Asker:
        return Router(self.endpoints.seeds, self.timeout)

    def _open(self, context: zmq.Context[SocketType]) -> None:
        self._context = context
        # The members by the addresses of their updates, with the sockets there.
        self._members: dict[str, Member] = {}
        self._links: dict[str, Link[SocketType]] = {}
        # The control sockets by their addresses.
        self._lines: dict[str, Link[SocketType]] = {}
        self._topics: dict[str, None] = {}
        self._heard: dict[str, float] = {}
        self._silent: set[str] = set()
        self._shards: dict[str, object] = {}
        self._is_asking, self._must_ask, self._ask_at = True, False, 0.0
        self._desk.waiting.append(Ask("members", {}, MEMBERS))
        self._settle_at, self._is_cluster = 0.0, True
        for prefix in self.joiner.prefixes:
            # The event `moved` comes there.
            if (scope := scope_of(prefix)) is not None:
                self._topics[f"session/{scope}"] = None

    @property
    def router(self) -> Router:
        asker = self._desk.asker
        assert isinstance(asker, Router)
        return asker

    # Connections

    def _join_member(self, member: Member, now: float) -> bool:
        """Connects to a member's updates, and subscribes; False where its address is none."""
        places = self.endpoints.at("updates", member.updates)
        try:
            link = Link(self._context, zmq.SUB, places, "updates", self.timeout)
        except zmq.ZMQError:
            return False
        for topic in self._topics:
            link.socket.subscribe(topic)
        self._members[member.updates], self._links[member.updates] = member, link
        self._heard[member.updates] = now
        self._opened(member.updates, link)
        return True

    def _leave_member(self, place: str) -> None:
        link = self._links.pop(place)
        for table in (self._members, self._heard, self._shards):
            table.pop(place, None)
        self._silent.discard(place)
        self._shut(place, link)

    def _line_at(self, place: str) -> Link[SocketType] | None:
        """The control socket at an address; None where that is none."""
        link = self._lines.get(place)
        if link is None:
            for other in list(self._lines)[:max(0, len(self._lines) - MEMBERS_MAX)]:
                self._cut(other, self._lines.pop(other))
            try:
                link = Link(
                    self._context, zmq.DEALER, self.endpoints.at("control", place), "control",
                    self.timeout, is_watched=False)
            except zmq.ZMQError:
                return None
            self._lines[place] = link
        return link

    def _opened(self, place: str, link: Link[SocketType]) -> None:
        """A member's updates are connected."""

    def _shut(self, place: str, link: Link[SocketType]) -> None:
        link.close(linger=0)

    def _cut(self, place: str, link: Link[SocketType]) -> None:
        link.close(linger=0)

    def _subscribe(self, topic: str) -> None:
        if topic.startswith("sync/"):
            self._settle_at = time.monotonic() + SETTLE_SECONDS
        self._topics[topic] = None
        for link in self._links.values():
            link.socket.subscribe(topic)

    def _unsubscribe(self, topic: str) -> None:
        del self._topics[topic]
        for link in self._links.values():
            link.socket.unsubscribe(topic)

    def _trouble(self) -> str:
        link = self._lines.get(self.router.home)
        return "" if link is None else link.trouble

    def _look_at(self) -> float | None:
        return time.monotonic() + LOOK_SECONDS

    def _look(self) -> None:
        for link in self._links.values():
            if link.look() and not self._has_joined:
                self._refusal = link.refusal

    # What comes

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
        self.router.note(session, owner)
        if owner.updates not in self._links and len(self._links) < MEMBERS_MAX:
            self._must_ask = True
            if self._join_member(owner, now):
                self._join_all()

    # What is due

    def _turn(self) -> None:
        super()._turn()
        now = time.monotonic()
        if MEMBERS in self._desk.own:
            self._is_asking = False
            self._learn(self._desk.own.pop(MEMBERS), now)
        silent = {place for place, at in self._heard.items() if now - at > SILENT_SECONDS}
        self._silent |= silent
        if self.joiner.is_syncing and now >= self._settle_at:
            self._do(self.joiner.settle())
        if (self._must_ask or silent) and not self._is_asking and now >= self._ask_at:
            self._is_asking, self._must_ask, self._ask_at = True, False, now + AGAIN_SECONDS
            self._desk.waiting.appendleft(Ask("members", {}, MEMBERS))

    def _lead(self, now: float) -> None:
        """Follows the members instead of the key."""

    def _learn(self, reply: Reply | None, now: float) -> None:
        if reply is None:
            self._must_ask = True
            return
        home = self.router.home
        members = members_of(reply, home)
        if not members:
            one = member_of({
                "name": "", "daemon": "", "events": [self.endpoints.events],
                "push": [self.endpoints.push] if self.endpoints.push else [],
                "updates": [self.endpoints.updates], "control": [home]}, home)
            members = [one] if one is not None else []
        wanted = {one.updates: one for one in members}
        was = {place: one.daemon for place, one in self._members.items()}
        for place in set(self._links) - set(wanted):
            self._leave_member(place)
        for place, member in wanted.items():
            if place in self._links:
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
