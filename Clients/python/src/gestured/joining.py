"""The join rule, healing and the order of epochs of docs/protocol/updates.md. Touches no socket.

A `Joiner` takes what comes (updates, answers, the time) and returns what to do (`Action`s). Watches
with and without asyncio follow it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

from . import epochs
from .actions import Action, Ask, Body, Give, Subscribe, Unsubscribe
from .actions import is_update, run_of, scope_of
from .errors import Error, Refused
from .runs import Runs
from .sessions import Session

# Updates kept while a snapshot is awaited, about a second of a busy daemon, and their bytes.
# Further ones are dropped and counted, and one more snapshot is asked for.
HELD_MAX = 10_000
HELD_BYTES_MAX = 64 << 20
# Sessions whose epochs are remembered; the least recent one goes. A daemon has 100,000 at most.
SESSIONS_MAX = 100_000
# Topics of one session: 32 components with a few topics each. More are forgotten.
TOPICS_MAX = 256
# Snapshots asked for one after the other until one is as new as what was seen.
SNAPSHOTS_MAX = 3
# Seconds until a request that was refused as busy is sent again.
BUSY_SECONDS = 0.2
# Pages of sessions of one join: 1,000 names each.
PAGES_MAX = 1_000
HEARTBEAT = "heartbeat"
# The code of what is outside the grant of this client's key; time does not mend it.
UNAUTHORIZED = "unauthorized"
# The code of what the daemon has no time for now.
BUSY = "busy"


class Joiner:
    """One watch. All methods return what to do, in order."""

    def __init__(self, prefixes: Iterable[str]) -> None:
        self.prefixes = tuple(prefixes)
        scopes = [scope_of(prefix) for prefix in self.prefixes]
        self._named = sorted({scope for scope in scopes if scope})
        self._wants_all = "" in scopes
        self._nonce = ""
        # Whether it waits for the update on `sync/<nonce>`.
        self.is_syncing = False
        self._is_listing = False
        self._listed: set[str] = set()
        self._pages = 0
        self._sessions: dict[str, Session] = {}
        self._asked: set[str] = set()
        self._runs = Runs()
        # The epoch and seq of the last one.
        self._heartbeat = ("", 0)
        self._waiting: list[tuple[str, Body, int]] = []
        self._held_count = self._held_bytes = 0
        self._again: list[tuple[float, Ask]] = []
        # What the daemon does not let this client read; its user is to hear it.
        self.refusal: Refused | None = None
        # Counts: joins, snapshots, updates beyond a bound, messages that are no updates.
        self.joins = self.snapshots = self.dropped = self.skipped = 0

    def start(self) -> list[Action]:
        """Call once, after the socket has connected."""
        topics = dict.fromkeys((*self.prefixes, HEARTBEAT))
        return [*(Subscribe(topic) for topic in topics), *self._join()]

    @property
    def is_joining(self) -> bool:
        """Whether what it gives is not the whole picture yet."""
        return self.is_syncing or self._is_listing or bool(self._asked)

    @property
    def deadline(self) -> float | None:
        """When `wake` is due; None if it is not."""
        return min((at for at, _ in self._again), default=None)

    def wake(self, now: float) -> list[Action]:
        """Sends again what was refused as busy."""
        due: list[Action] = [ask for at, ask in self._again if at <= now]
        self._again = [(at, ask) for at, ask in self._again if at > now]
        return due

    def resync(self) -> list[Action]:
        """Asks for the sync once more, where it was not answered in time."""
        return self._subscribe_sync() if self.is_syncing else []

    def rejoin(self) -> list[Action]:
        """Joins everything again: updates may have been lost without a gap to show it."""
        return self._join()

    def lead(self, members: Iterable[str]) -> list[Action]:
        """Joins at these members of a cluster, by their epochs; at none: at one daemon."""
        self._runs.lead(members)
        return self._join()

    def settle(self) -> list[Action]:
        """Goes on without the members that have not answered the sync, if others have."""
        return self._synced() if self.is_syncing and self._runs.is_partly_synced() else []

    def _join(self) -> list[Action]:
        self.joins += 1
        self._is_listing = False
        for name in self._asked:
            session = self._sessions[name]
            self._waiting += session.held
            session.held, session.is_asked, session.has_lost = [], False, False
        self._asked.clear()
        self._again.clear()
        return self._subscribe_sync()

    def _subscribe_sync(self) -> list[Action]:
        former, self._nonce = self._nonce, secrets.token_hex(8)
        gone: list[Action] = [Unsubscribe("sync/" + former)] if former else []
        self.is_syncing = True
        self._runs.begin_sync()
        return [*gone, Subscribe("sync/" + self._nonce)]

    def _synced(self) -> list[Action]:
        actions: list[Action] = [Unsubscribe("sync/" + self._nonce)]
        self._nonce, self.is_syncing = "", False
        if self._wants_all:
            self._is_listing, self._listed, self._pages = True, set(self._named), 0
            return [*actions, self._list({})]
        return actions + self._ask_all(self._named)

    def _list(self, fields: dict[str, Any]) -> Ask:
        self._pages += 1
        return Ask("sessions", fields, f"sessions {self.joins}")

    def _ask_all(self, names: Iterable[str]) -> list[Action]:
        actions: list[Action] = []
        # Sessions that went while nobody looked are asked for too, and found to be unknown.
        for name in sorted({*names, *(self._known() if self._wants_all else ())}):
            actions += self._ask(name, self._session(name))
        waiting, self._waiting = self._waiting, []
        for topic, body, size in waiting:
            self._held_count -= 1
            self._held_bytes -= size
            actions += self._judge(topic, body, size)
        return actions

    def _known(self) -> list[str]:
        return [name for name, session in self._sessions.items() if session.shown]

    def answer(self, tag: str, result: Body | Error, now: float) -> list[Action]:
        """The answer of an `Ask`, or why there is none."""
        op, _, rest = tag.partition(" ")
        if op == "sessions":
            return self._take_page(tag, result, now)
        number, _, name = rest.partition(" ")
        session = self._sessions.get(name)
        if session is None or not session.is_asked or number != str(self.joins):
            return []
        if isinstance(result, Refused) and result.code == "unknown-session":
            session.forget()
            session.is_gone = True
            return self._release(name, session)
        if isinstance(result, Refused) and result.code == UNAUTHORIZED:
            self.refusal = result
            return self._release(name, session)
        if isinstance(result, Refused) and result.code != BUSY and name not in self._named:
            # One of very many cannot be read: the others are shown nevertheless.
            return self._release(name, session)
        if isinstance(result, Error):
            return self._ask_again(Ask("snapshot", {"session": name}, tag), result, now)
        return self._show(name, session, result)

    def _ask_again(self, ask: Ask, why: Error, now: float) -> list[Action]:
        """At once after a silence, which took its time; after a pause where the daemon refused."""
        if not isinstance(why, Refused):
            return [ask]
        self._again.append((now + BUSY_SECONDS, ask))
        return []

    def _take_page(self, tag: str, result: Body | Error, now: float) -> list[Action]:
        if not self._is_listing or tag != f"sessions {self.joins}":
            return []
        if isinstance(result, Refused) and result.code == UNAUTHORIZED:
            self.refusal, result = result, {}
        if isinstance(result, Error):
            return self._ask_again(Ask("sessions", {}, tag), result, now)
        names = result.get("sessions")
        if isinstance(names, list):
            self._listed.update(name for name in names if isinstance(name, str))
        after = result.get("next")
        if isinstance(after, str) and self._pages < PAGES_MAX:
            return [self._list({"after": after})]
        self._is_listing = False
        return self._ask_all(self._listed)

    def _ask(self, name: str, session: Session) -> list[Action]:
        """Asks for a snapshot; what comes of the session meanwhile is held."""
        session.is_asked, session.tries = True, session.tries + 1
        self._asked.add(name)
        self.snapshots += 1
        return [Ask("snapshot", {"session": name}, f"snapshot {self.joins} {name}")]

    def _show(self, name: str, session: Session, reply: Body) -> list[Action]:
        """Gives what a snapshot has that is newer, then what was held."""
        actions: list[Action] = []
        newest = -1.0
        session.is_gone = False
        updates = reply.get("updates")
        for entry in updates if isinstance(updates, list) else []:
            topic = entry.get("topic") if isinstance(entry, dict) else None
            body = entry.get("body") if isinstance(entry, dict) else None
            if not isinstance(topic, str) or not is_update(body):
                self.skipped += 1
                continue
            epoch = epochs.parse(body["epoch"])
            if epoch is None or epochs.session_of(topic) != name:
                self.skipped += 1
                continue
            begun = self._runs.meet(epoch.run)
            if begun is None:
                continue
            if begun:
                # The daemon was restarted while it answered: everything is joined again.
                return actions + self._join()
            if session.epoch != epoch:
                if _is_older(epoch, session.epoch):
                    continue
                session.forget()
                session.epoch = epoch
            newest = max(newest, body["t"])
            actions += self._give_newer(session, topic, body)
        if (newest < session.needed or session.has_lost) and session.tries < SNAPSHOTS_MAX:
            session.has_lost = False
            return actions + self._ask(name, session)
        return actions + self._release(name, session)

    def _give_newer(self, session: Session, topic: str, body: Body) -> list[Action]:
        now, last = (body["seq"], body["t"]), session.shown.get(topic)
        if last is not None and (now[0] < last[0] or now[1] < last[1] or (
                now == last and topic not in session.torn)):
            return []
        if not self._is_wanted(topic):
            return []
        self._note(session, topic, now)
        return [Give(topic, body)]

    def _release(self, name: str, session: Session) -> list[Action]:
        session.is_asked, session.tries, session.needed = False, 0, 0.0
        session.has_lost = False
        session.torn.clear()
        self._asked.discard(name)
        held, session.held = session.held, []
        actions: list[Action] = []
        for topic, body, size in held:
            self._held_count -= 1
            self._held_bytes -= size
            actions += self._judge(topic, body, size)
        return actions

    # Updates

    def hear(self, topic: str, body: object, size: int) -> list[Action]:
        """One message of the updates socket; `size` is the bytes of its body."""
        if not is_update(body):
            self.skipped += 1
            return []
        if topic.startswith("sync/"):
            if not self.is_syncing or topic != "sync/" + self._nonce:
                return []
            self._runs.meet(body["epoch"])
            return self._synced() if self._runs.take_sync(body["epoch"]) else []
        run = run_of(topic, body)
        if run is None:
            self.skipped += 1
            return []
        # Met as it comes: an update that is judged later may be of a run that has ended since.
        begun = self._runs.meet(run)
        if begun is None:
            return []
        if self.is_syncing or (self._is_listing and not begun):
            self._hold(None, topic, body, size)
            return []
        if begun:
            return [*self._give_first(topic, body), *self._join()]
        return self._judge(topic, body, size)

    def _give_first(self, topic: str, body: Body) -> list[Action]:
        """The first update of another run of the daemon."""
        name = epochs.session_of(topic)
        if name is None:
            return self._judge_daemons(topic, body)
        session = self._session(name)
        session.forget()
        session.epoch = epochs.parse(body["epoch"])
        return self._give(session, topic, body, True)

    def _hold(self, session: Session | None, topic: str, body: Body, size: int) -> None:
        if self._held_count >= HELD_MAX or self._held_bytes + size > HELD_BYTES_MAX:
            self.dropped += 1
            if session is not None:
                session.has_lost = True
            return
        self._held_count += 1
        self._held_bytes += size
        (self._waiting if session is None else session.held).append((topic, body, size))

    def _judge(self, topic: str, body: Body, size: int) -> list[Action]:
        if self.is_syncing:
            self._hold(None, topic, body, size)
            return []
        if not self._runs.is_now(run_of(topic, body)):
            return []
        name, epoch = epochs.session_of(topic), epochs.parse(body["epoch"])
        if name is None or epoch is None:
            return self._judge_daemons(topic, body)
        session = self._session(name)
        if session.is_asked:
            self._hold(session, topic, body, size)
            return []
        actions = self._judge_of(name, session, epoch, topic, body)
        has_moved = topic.startswith("session/") and body.get("event") == "moved"
        if has_moved and session.epoch == epoch and not session.is_asked:
            # Its heir brings it back for this, if nothing else asks for it.
            actions += self._ask_of(name, session)
        return actions

    def _judge_of(
        self, name: str, session: Session, epoch: epochs.Epoch, topic: str, body: Body,
    ) -> list[Action]:
        """The table of "Joining" in docs/protocol/updates.md."""
        if session.epoch is not None and epoch != session.epoch:
            if _is_older(epoch, session.epoch):
                return []
            session.forget()
            session.epoch = epoch
            if session.is_gone and body["seq"] == 1:
                return self._give(session, topic, body, False)
            return self._give_and_heal(name, session, topic, body)
        session.epoch = epoch
        last = session.shown.get(topic)
        if last is None or body["seq"] == last[0] + 1:
            return self._give(session, topic, body, False)
        if body["seq"] <= last[0]:
            return []
        return self._give_and_heal(name, session, topic, body)

    def _give_and_heal(
        self, name: str, session: Session, topic: str, body: Body,
    ) -> list[Action]:
        actions = self._give(session, topic, body, True)
        session.needed = max(session.needed, body["t"])
        return actions + self._ask_of(name, session)

    def _ask_of(self, name: str, session: Session) -> list[Action]:
        """Asks for a snapshot where the prefixes have a use for one."""
        return self._ask(name, session) if self._wants_all or name in self._named else []

    def _give(self, session: Session, topic: str, body: Body, breaks: bool) -> list[Action]:
        if not self._is_wanted(topic):
            return []
        self._note(session, topic, (body["seq"], body["t"]))
        session.is_gone = False
        is_torn = breaks and topic.startswith("frame/") and body["seq"] != 1
        if is_torn:
            session.torn.add(topic)
        if topic.startswith("session/") and body.get("event") in ("closed", "expired", "parked"):
            session.forget()
            self._note(session, topic, (body["seq"], body["t"]))
            session.is_gone = True
        return [Give(topic, body, is_torn)]

    def _judge_daemons(self, topic: str, body: Body) -> list[Action]:
        """`heartbeat` and `rejected/-`: nothing heals them, and none is resent."""
        if topic == HEARTBEAT:
            now = body["epoch"], body["seq"]
            if now == self._heartbeat:
                return []
            self._heartbeat = now
        return [Give(topic, body)] if self._is_wanted(topic) else []

    def _session(self, name: str) -> Session:
        session = self._sessions.pop(name, None) or Session()
        # The last of the dictionary is the most recent one.
        self._sessions[name] = session
        if len(self._sessions) > SESSIONS_MAX:
            oldest = next(iter(self._sessions))
            if not self._sessions[oldest].is_asked:
                del self._sessions[oldest]
        return session

    def _note(self, session: Session, topic: str, now: tuple[int, float]) -> None:
        if len(session.shown) >= TOPICS_MAX and topic not in session.shown:
            session.forget()
        session.shown[topic] = now

    def _is_wanted(self, topic: str) -> bool:
        return topic.startswith(self.prefixes)


def _is_older(epoch: epochs.Epoch, than: epochs.Epoch | None) -> bool:
    """Within one run; another run was met, so it is the newer one."""
    return than is not None and epochs.is_earlier(epoch, than)
