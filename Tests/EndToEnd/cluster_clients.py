"""Clients of a cluster, written from the protocol alone: a publisher and a subscriber that follow.

Both run on one thread of their own, so that a test can break things meanwhile. They check what must
always hold, and keep figures of what may take a while.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import threading
import time
from collections import Counter
from dataclasses import dataclass, field

import zmq
from client import DEADLINE
from cluster import Cluster
from reliability import wait_for

# Seconds without an answer until a request is repeated by the next member.
SILENCE = 1.0
# Seconds until a session without an owner is looked for again.
RETRY = 0.1
# Kinds of notifications, in turn: a lost one and a doubled one of different kinds do not cancel.
KINDS = 16


# When an update was taken, whose it was, and its body.
Heard = tuple[float, str, dict]


@dataclass
class Sent:
    """One publish, until it is answered."""

    number: int
    began: float
    # When it went out last; 0: it waits to go out.
    at: float = 0.0
    tries: int = 0


@dataclass
class Account:
    """All that is published to one session."""

    session: str
    owner: str | None = None
    asked: float = 0.0
    waiting: dict[int, Sent] = field(default_factory=dict)
    sent: int = 0
    # When the next publish may begin.
    next: float = 0.0
    # When each publish was answered, and how long that took.
    answered: list[tuple[float, float]] = field(default_factory=list)

    def body(self, number: int) -> dict:
        return {"kind": f"k{number % KINDS}", "id": f"{self.session}-{number}"}

    def counts(self) -> dict[str, int]:
        """The counts with which the session must end."""
        return dict(Counter(f"k{number % KINDS}" for number in range(self.sent)))


class Publishing:
    """Acknowledged publishes with ids, so many unanswered for each session, and each session's so
    many seconds apart."""

    def __init__(
        self, cluster: Cluster, sessions: list[str], window: int, interval: float,
        context: zmq.Context,
    ):
        self.cluster, self.context = cluster, context
        self.window, self.interval = window, interval
        self.accounts = {session: Account(session) for session in sessions}
        self.sockets: dict[str, zmq.Socket] = {}
        self.requests: dict[int, tuple[Account, Sent | None]] = {}
        self.ids = itertools.count(1)
        self.seeds = itertools.count()
        # When a member that left something unanswered was found out.
        self.silent: dict[str, float] = {}
        self.told: Counter[str] = Counter()
        self.is_open = True

    def step(self, now: float) -> None:
        for account in self.accounts.values():
            if account.owner is None and now - account.asked > (
                    SILENCE if account.asked else 0):
                self._locate(account, now)
            while (
                    self.is_open and len(account.waiting) < self.window
                    and now >= account.next):
                account.waiting[account.sent] = Sent(account.sent, now)
                account.sent += 1
                account.next = now + self.interval
            if account.owner is not None:
                self._send(account, now)

    def _send(self, account: Account, now: float) -> None:
        """Sends what waits; if something got no answer, the session is looked for first."""
        for sent in account.waiting.values():
            if sent.at and now - sent.at > SILENCE:
                self.told["silences"] += 1
                self.silent[account.owner] = now
                self._lose(account, now)
                return
        for sent in account.waiting.values():
            if sent.at == 0:
                sent.at, sent.tries = now, sent.tries + 1
                self._ask(
                    account.owner, (account, sent), op="publish",
                    topic=f"notification/{account.session}", body=account.body(sent.number))

    def _lose(self, account: Account, now: float) -> None:
        account.owner, account.asked = None, 0.0
        for sent in account.waiting.values():
            sent.at = 0

    def _locate(self, account: Account, now: float) -> None:
        controls = self.cluster.controls()
        answering = [it for it in controls if not self._is_silent(it, now)] or controls
        account.asked = now
        self._ask(
            answering[next(self.seeds) % len(answering)], (account, None), op="locate",
            session=account.session)

    def _is_silent(self, endpoint: str, now: float) -> bool:
        """Whether it left something unanswered a moment ago."""
        return now - self.silent.get(endpoint, 0.0) < 2 * SILENCE

    def _ask(self, endpoint: str, what: tuple[Account, Sent | None], **request: object) -> None:
        if endpoint not in self.sockets:
            socket = self.sockets[endpoint] = self.context.socket(zmq.DEALER)
            socket.connect(endpoint)
        number = next(self.ids)
        self.requests[number] = what
        # An event that finds no room is as one that is lost on the way.
        with contextlib.suppress(zmq.Again):
            self.sockets[endpoint].send(
                json.dumps({"id": number} | request).encode(), zmq.DONTWAIT)

    def hear(self, socket: zmq.Socket, now: float) -> None:
        while socket.poll(0):
            answer = json.loads(socket.recv_multipart()[-1])
            account, sent = self.requests.pop(answer["id"])
            if sent is None:
                self._found(account, answer, now)
            else:
                self._answered(account, sent, answer, now)

    def _found(self, account: Account, answer: dict, now: float) -> None:
        if account.owner is None:
            self._follow(account, answer.get("owner") if answer["ok"] else None, now)

    def _follow(self, account: Account, owner: dict | None, now: float) -> None:
        account.owner = owner["control"][0] if owner else None
        if account.owner and self._is_silent(account.owner, now):
            account.owner = None
        # Nobody has it yet, nobody knows, or it is said to be where nobody answers: ask again soon.
        account.asked = now - SILENCE + RETRY

    def _answered(self, account: Account, sent: Sent, answer: dict, now: float) -> None:
        if sent.number not in account.waiting:
            self.told["answered twice"] += 1
            return
        if answer["ok"]:
            is_repeated = answer.get("duplicate", False)
            assert not is_repeated or sent.tries > 1, f"sent once, and a duplicate: {answer}"
            del account.waiting[sent.number]
            account.answered.append((now, now - sent.began))
            self.told["duplicate" if is_repeated else "ok"] += 1
            return
        code = answer["error"]["code"]
        assert code in ("moved", "internal", "busy"), f"{account.session}: {answer}"
        self.told[code] += 1
        sent.at = 0
        if code == "moved":
            self._follow(account, answer["error"].get("owner"), now)
        elif code == "internal":
            self._lose(account, now)
            account.asked = now - SILENCE + RETRY


@dataclass
class Shown:
    """One session as a subscriber shows it."""

    # The part of the epoch before the dot, and the number behind it.
    part: str = ""
    n: int = 0
    seqs: dict[str, int] = field(default_factory=dict)
    bodies: dict[str, dict] = field(default_factory=dict)
    # States, as they were taken: for what moves.
    history: list[Heard] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)


class Watching:
    """Connected to every member; leaves out what comes in an epoch that is not the latest."""

    def __init__(self, cluster: Cluster, sessions: list[str], context: zmq.Context):
        self.cluster, self.context = cluster, context
        self.shown = {session: Shown() for session in sessions}
        self.sockets: dict[str, zmq.Socket] = {}
        self.latest: dict[tuple[str, str], int] = {}
        self.versions: dict[tuple[str, int], str] = {}
        self.beats: dict[str, tuple[float, dict]] = {}
        self.told: Counter[str] = Counter()
        self.keeps_history = False

    def connect(self) -> None:
        """Connects to members that are new."""
        for name, member in list(self.cluster.members.items()):
            if name in self.sockets:
                continue
            socket = self.sockets[name] = self.context.socket(zmq.SUB)
            socket.rcvhwm = 0
            socket.connect(member.updates)
            socket.subscribe("heartbeat")
            for session in self.shown:
                for kind in ("session", "badge", "state"):
                    socket.subscribe(f"{kind}/{session}")

    def hear(self, name: str, now: float) -> None:
        socket = self.sockets[name]
        while socket.poll(0):
            topic, text = (frame.decode() for frame in socket.recv_multipart())
            body = json.loads(text)
            if topic == "heartbeat":
                self.beats[name] = now, body
                continue
            session = topic.split("/")[1]
            if session in self.shown:
                self._take(name, session, topic, body, now)

    def _take(self, name: str, session: str, topic: str, body: dict, now: float) -> None:
        shown = self.shown[session]
        part, dot, n = body["epoch"].rpartition(".")
        assert dot and n.isdigit(), f"{topic}: an epoch {body['epoch']}"
        assert shown.part in ("", part), f"{topic}: {part} after {shown.part}"
        before = self.latest.get((name, session), 0)
        assert int(n) >= before, f"{topic}: {name} tells {n} after {before}"
        shown.part, self.latest[name, session] = part, int(n)
        if int(n) < shown.n:
            self.told["late"] += 1
            return
        if int(n) > shown.n:
            shown.n, shown.seqs = int(n), {}
            shown.owners.append(name)
        elif body["seq"] <= shown.seqs.get(topic, 0):
            return
        if topic.startswith("badge/"):
            self._check(topic, shown.bodies.get(topic), body)
        shown.seqs[topic], shown.bodies[topic] = body["seq"], body
        if self.keeps_history and topic.startswith("state/"):
            shown.history.append((now, name, body))

    def _check(self, topic: str, before: dict | None, body: dict) -> None:
        counts = json.dumps(body["counts"], sort_keys=True)
        known = self.versions.setdefault((topic, body["version"]), counts)
        assert known == counts, f"{topic}: version {body['version']} was {known}, is {counts}"
        if before:
            assert body["version"] >= before["version"], f"{topic}: {body} after {before}"


class Load:
    """A publisher and a subscriber of some sessions, on a thread, until `finish`."""

    def __init__(
        self, cluster: Cluster, sessions: list[str], window: int = 4, interval: float = 0,
    ):
        self.cluster = cluster
        self.context = zmq.Context()
        self.context.linger = 0
        self.publishing = Publishing(cluster, sessions, window, interval, self.context)
        self.watching = Watching(cluster, sessions, self.context)
        self.error: BaseException | None = None
        self.is_ending = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Load:
        self.watching.connect()
        self.thread.start()
        return self

    def __exit__(self, kind: object, error: object, _: object) -> None:
        self.is_ending.set()
        self.thread.join(DEADLINE)
        self.context.destroy(linger=0)

    def _run(self) -> None:
        try:
            while not self.is_ending.is_set():
                self._turn()
        except BaseException as error:  # The test's thread raises it.
            self.error = error

    def _turn(self) -> None:
        self.watching.connect()
        poller = zmq.Poller()
        sockets = self.publishing.sockets | self.watching.sockets
        for socket in sockets.values():
            poller.register(socket, zmq.POLLIN)
        poller.poll(10)
        now = time.monotonic()
        for socket in list(self.publishing.sockets.values()):
            self.publishing.hear(socket, now)
        for name in list(self.watching.sockets):
            self.watching.hear(name, now)
        self.publishing.step(now)

    def check(self) -> None:
        if self.error:
            raise AssertionError(f"{self.error}\n{self.cluster.log()}") from self.error

    def wait(self, holds, why: str, seconds: float = DEADLINE) -> float:
        def both() -> bool:
            self.check()
            return holds()
        return wait_for(both, why, seconds)

    # MARK: Figures

    def acknowledged_after(self, moment: float, seconds: float = DEADLINE) -> float:
        """Waits until every session has an answer to a publish that began later. Seconds until the
        last of them had its first."""
        def first(account: Account) -> float | None:
            return next((at for at, took in account.answered if at - took >= moment), None)
        accounts = self.publishing.accounts.values()
        self.wait(
            lambda: all(first(account) is not None for account in accounts),
            "every session takes publishes again", seconds)
        return max(first(account) for account in accounts) - moment

    def longest_pause(self, since: float) -> float:
        """The longest time that a session was without an answer."""
        longest = 0.0
        for account in self.publishing.accounts.values():
            times = [since, *(at for at, _ in account.answered if at > since)]
            longest = max(longest, *(b - a for a, b in itertools.pairwise([*times, times[-1]])))
        return longest

    @property
    def acknowledged(self) -> int:
        return sum(len(account.answered) for account in self.publishing.accounts.values())

    def until_more(self, count: int = 20) -> None:
        """Waits until every session has so many more answers."""
        before = {
            account.session: len(account.answered)
            for account in self.publishing.accounts.values()}
        self.wait(lambda: all(
            len(account.answered) >= before[account.session] + count
            for account in self.publishing.accounts.values()), f"{count} answers more each")

    def keep_history(self) -> None:
        self.history()
        self.watching.keeps_history = True

    def history(self) -> dict[str, list[Heard]]:
        """All states since `keep_history`, by session."""
        self.watching.keeps_history = False
        found = {session: list(it.history) for session, it in self.watching.shown.items()}
        for shown in self.watching.shown.values():
            shown.history.clear()
        return found

    # MARK: The end

    def finish(self) -> None:
        """All is answered in the end; then counts, the database and the subscriber agree."""
        self.publishing.is_open = False
        self.wait(
            lambda: not any(it.waiting for it in self.publishing.accounts.values()),
            f"the last publishes are answered: {self.publishing.told}")
        for session, account in self.publishing.accounts.items():
            badge = self.cluster.snapshot(session)[f"badge/{session}"]
            assert badge["counts"] == account.counts(), (
                f"{session} counts {badge['counts']}, and {account.counts()} were acknowledged")
            self.wait(lambda: self.shows(session), f"{session} is shown as it is")
        self.check()

    def shows(self, session: str) -> bool:
        """Whether the subscriber shows what the owner has."""
        now, shown = self.cluster.snapshot(session), self.watching.shown[session].bodies
        badge, known = now[f"badge/{session}"], shown.get(f"badge/{session}", {})
        states = {topic for topic in now if topic.startswith("state/")}
        return (badge["counts"], badge["version"]) == (
            known.get("counts"), known.get("version")) and all(
                now[topic]["views"] == shown.get(topic, {}).get("views") for topic in states)

    def expect_kept(self) -> None:
        """Only what the database has is left, and it is all."""
        self.is_ending.set()
        self.thread.join(DEADLINE)
        self.cluster.kill_all_and_start_one()
        for session, account in self.publishing.accounts.items():
            badge = self.cluster.snapshot(session)[f"badge/{session}"]
            assert badge["counts"] == account.counts(), f"{session} came back with {badge}"
