"""Members of a cluster that do exactly as a test says: who owns, who is silent, what is late.

Real ZeroMQ sockets of threads, with sessions that have a badge alone. A real cluster cannot be
made to name no owner, or two, at a wished moment.
"""

from __future__ import annotations

import json
import threading
import time
from typing import Any

import zmq

# The n of an epoch grows by this with each change of hands.
EPOCH = 1 << 26
LOOK_MILLISECONDS = 10


class FalseCluster:
    """Its members by their names, and who of them owns each session."""

    def __init__(self, *names: str) -> None:
        self.context = zmq.Context()
        self.lock = threading.RLock()
        self.owners: dict[str, str | None] = {}
        self.lives: dict[str, int] = {}
        self.counts: dict[str, int] = {}
        self.ids: set[str] = set()
        # Events as they came: the member, and the frames behind the body.
        self.events: list[tuple[str, list[bytes]]] = []
        self.members: dict[str, FalseMember] = {}
        for name in names:
            self.add(name)

    def __enter__(self) -> FalseCluster:
        return self

    def __exit__(self, *_: object) -> None:
        for member in self.members.values():
            member.kill()
        self.context.term()

    def add(self, name: str) -> FalseMember:
        member = FalseMember(self, name)
        with self.lock:
            self.members[name] = member
        return member

    def remove(self, name: str) -> None:
        """As a member that was fenced."""
        with self.lock:
            self.members.pop(name)

    def seeds(self, *names: str) -> list[str]:
        return [self.members[name].control for name in names]

    def own(self, session: str, name: str | None) -> None:
        """Gives a session to a member, which brings it back and tells."""
        with self.lock:
            former = self.members.get(self.owners.get(session) or "")
            late = self.epoch(session)
            self.owners[session] = name
            self.lives[session] = self.lives.get(session, 0) + EPOCH
            if former is not None:
                former.tell.append((f"session/{session}", late, {
                    "event": "moved", "owner": self.entry(name)}))
            if name is not None:
                self.members[name].tell.append(
                    (f"badge/{session}", self.epoch(session), self.badge(session)))

    def epoch(self, session: str) -> str:
        return f"k3f9-7.{self.lives.get(session, 0)}"

    def badge(self, session: str) -> dict[str, Any]:
        count = self.counts.get(session, 0)
        return {"version": count + 1, "total": count, "counts": {"likes": count}}

    def entry(self, name: str | None) -> dict[str, Any] | None:
        member = self.members.get(name or "")
        return member and {
            "name": name, "daemon": member.daemon, "events": [member.events],
            "updates": [member.updates], "control": [member.control]}


class FalseMember:
    def __init__(self, cluster: FalseCluster, name: str) -> None:
        self.cluster, self.name, self.daemon = cluster, name, f"d{name}"
        # Updates that it is to send: topic, epoch, body.
        self.tell: list[tuple[str, str, dict[str, Any]]] = []
        self.is_silent = self.is_over = False
        self._is_quiet = threading.Event()
        # Its answer to whatever is asked; None: the right ones.
        self.answer_all: dict[str, Any] | None = None
        self.asked: list[str] = []
        self._seqs: dict[tuple[str, str], int] = {}
        kinds = {"events": zmq.SUB, "updates": zmq.XPUB, "control": zmq.ROUTER}
        self._sockets = {one: cluster.context.socket(kind) for one, kind in kinds.items()}
        self._sockets["events"].subscribe(b"")
        self._sockets["updates"].setsockopt(zmq.XPUB_VERBOSE, 1)
        host = "tcp://127.0.0.1"
        self.events, self.updates, self.control = (
            f"{host}:{socket.bind_to_random_port(host)}" for socket in self._sockets.values())
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def silence(self) -> None:
        """Takes nothing and says nothing until `is_silent` is false again."""
        self._is_quiet.clear()
        self.is_silent = True
        self._is_quiet.wait()

    def kill(self) -> None:
        self.is_over = True
        self._thread.join()

    def _run(self) -> None:
        poller, beat = zmq.Poller(), 0.0
        for socket in self._sockets.values():
            poller.register(socket, zmq.POLLIN)
        while not self.is_over:
            if self.is_silent:
                self._is_quiet.set()
                time.sleep(LOOK_MILLISECONDS / 1000)
                continue
            found = dict(poller.poll(LOOK_MILLISECONDS))
            with self.cluster.lock:
                if time.monotonic() > beat:
                    beat = time.monotonic() + 1
                    shards = sum(owner == self.name for owner in self.cluster.owners.values())
                    self._update("heartbeat", self.daemon, {"shards": shards, "leased": True})
                while self.tell:
                    self._update(*self.tell.pop(0))
                for name, socket in self._sockets.items():
                    if socket in found:
                        getattr(self, f"_take_{name}")(socket.recv_multipart())
        for socket in self._sockets.values():
            socket.close(linger=0)

    def _update(self, topic: str, epoch: str, body: dict[str, Any]) -> None:
        seq = self._seqs[topic, epoch] = self._seqs.get((topic, epoch), 0) + 1
        whole = {"epoch": epoch, "seq": seq, "t": time.time() * 1000, **body}
        self._sockets["updates"].send_multipart([topic.encode(), encoded(whole)])

    def _take_events(self, frames: list[bytes]) -> None:
        self.cluster.events.append((self.name, frames[2:]))
        session = frames[0].decode().split("/")[1]
        # One that is passed on comes to its owner all the same.
        owner = self.cluster.members.get(self.cluster.owners.get(session) or "")
        if owner is not None and (owner is self or frames[2:]):
            owner.apply(session, json.loads(frames[1]))

    def _take_updates(self, frames: list[bytes]) -> None:
        topic, cluster = frames[0][1:].decode(), self.cluster
        session = topic.rpartition("/")[2]
        if frames[0].startswith(b"\x01sync/"):
            self._update(topic, self.daemon, {})
        elif frames[0].startswith(b"\x01badge/") and cluster.owners.get(session) == self.name:
            self._update(topic, cluster.epoch(session), cluster.badge(session))

    def _take_control(self, frames: list[bytes]) -> None:
        ask = json.loads(frames[-1])
        self.asked.append(ask["op"])
        reply = {"id": ask.get("id"), **(self.answer_all or self._answer(ask))}
        self._sockets["control"].send_multipart([*frames[:-1], encoded(reply)])

    def apply(self, session: str, body: dict[str, Any]) -> bool:
        """Whether it was applied before."""
        cluster = self.cluster
        if body.get("id") in cluster.ids:
            return True
        if "id" in body:
            cluster.ids.add(body["id"])
        cluster.counts[session] = cluster.counts.get(session, 0) + 1
        self.tell.append((f"badge/{session}", cluster.epoch(session), cluster.badge(session)))
        return False

    def _answer(self, ask: dict[str, Any]) -> dict[str, Any]:
        cluster, op = self.cluster, ask["op"]
        if op == "members":
            return {"ok": True, "cluster": "k3f9", "shards": 256, "version": 9, "members": [
                {**(cluster.entry(name) or {}), "state": "live", "weight": 1, "shards": 1}
                for name in cluster.members]}
        session = ask.get("session") or ask.get("topic", "/").split("/")[1]
        owner = cluster.owners.get(session)
        if op == "locate":
            return {"ok": True, "session": session, "shard": 7, "version": 9,
                    "here": owner == self.name, "owner": cluster.entry(owner)}
        if not session:
            return {"ok": True, "epoch": self.daemon}
        if owner != self.name:
            return {"ok": False, "error": {
                "code": "moved", "message": f"{session} is at {owner}",
                "owner": cluster.entry(owner)}}
        if op == "publish":
            return {"ok": True, "duplicate": self.apply(session, ask["body"])}
        topic, epoch = f"badge/{session}", cluster.epoch(session)
        stamp = {"epoch": epoch, "seq": self._seqs.get((topic, epoch), 0),
                 "t": time.time() * 1000}
        return {"ok": True, "epoch": epoch, "updates": [
            {"topic": topic, "body": {**stamp, **cluster.badge(session)}}]}


def encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()
