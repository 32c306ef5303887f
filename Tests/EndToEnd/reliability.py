"""Shared by the reliability tests: seeds, the model of a session, the ledger of a load."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import pathlib
import random
import re
import sqlite3
import threading
import time
from dataclasses import dataclass, field

import zmq
from client import DEADLINE, Control, Daemon, Publisher, Subscriber, Update

# `make soak` sets this and makes every test long.
IS_SOAK = bool(os.environ.get("SOAK"))
SEED = int(os.environ.get("SOAK_SEED") or random.SystemRandom().randrange(1 << 32))


def sized(short: float, long: float) -> float:
    return long if IS_SOAK else short


def chance(name: str) -> random.Random:
    """Each test's own generator. Prints the seed, so that a failure can be repeated."""
    print(f"seed: SOAK_SEED={SEED} ({name})")
    return random.Random(f"{SEED}/{name}")


def resident_mebibytes(daemon: Daemon, key: str = "VmRSS") -> float:
    """The memory that the system counts for it now, or at its peak: `VmHWM`."""
    with open(f"/proc/{daemon.process.pid}/status", encoding="ascii") as status:
        line = next(line for line in status if line.startswith(key))
    return int(line.split()[1]) / 1024


def busy_seconds(process: int) -> float:
    """A process's seconds of processor time."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rests(process: int, seconds: float = 1) -> bool:
    """Whether a process takes next to no processor time for so long."""
    used = busy_seconds(process)
    time.sleep(seconds)
    return busy_seconds(process) - used < seconds / 10


def change_store(daemon: Daemon, statement: str, *values: object) -> None:
    """Changes the database of a daemon that does not run."""
    with contextlib.closing(sqlite3.connect(daemon.state / "gestured.db")) as store, store:
        store.execute(statement, values)


def store_waits(daemon: Daemon) -> int:
    """How often the store's thread has waited. It waits again and again while it wants a lock."""
    found = [
        re.search(r"^voluntary_ctxt_switches:\s*(\d+)", (task / "status").read_text(), re.M)
        for task in pathlib.Path(f"/proc/{daemon.process.pid}/task").iterdir()
        if (task / "comm").read_text().strip() == "gestured.store"]
    assert len(found) == 1, f"{len(found)} threads may be the store's"
    return int(found[0][1])


def stats(control: Control) -> dict[str, int]:
    return control.ok("stats")["stats"]


def round_trip(control: Control, updates: Subscriber, session: str) -> float:
    """Seconds until a publish has both its answer and its update."""
    began = time.monotonic()
    control.notify(session, "likes")
    version = control.snapshot(session)[f"badge/{session}"]["version"]
    updates.find(f"badge/{session}", version=version)
    return time.monotonic() - began


class Late(AssertionError):
    """The result is right but late. A machine that stands still can cause it."""


def hold_to(seconds: float, most: float, what: str) -> None:
    """Checks a time. Call it last in a test: .ci/test may run a late test again."""
    if seconds > most:
        raise Late(f"{what} took {seconds:.3f} s, of {most} s at most")


def wait_for(holds, why: str, seconds: float = DEADLINE) -> float:
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < seconds, f"not within {seconds} s: {why}"
        time.sleep(0.02)
    return time.monotonic() - began


@dataclass(frozen=True)
class Shown:
    """The durable part of a session that the load changes."""

    counts: tuple[tuple[str, int], ...] = ()
    selected: int = 0
    glows: frozenset[int] = frozenset()

    @staticmethod
    def of(snapshot: dict[str, dict], session: str) -> Shown:
        # Nobody acknowledges events over PUB/SUB, so their order is unknown.
        counts = snapshot[f"badge/{session}"]["counts"]
        items = snapshot[f"state/{session}/tabs"]["model"]["items"]
        glows = (number for number, item in enumerate(items) if item["glow"])
        return Shown(
            tuple(sorted((k, n) for k, n in counts.items() if n and not k.startswith("pub"))),
            snapshot[f"state/{session}/tabs"]["model"]["selected"], frozenset(glows))


@dataclass(frozen=True)
class Step:
    """One publish with its own id, and its effect on a session."""

    topic: str
    body: dict

    @property
    def request(self) -> dict:
        return {"op": "publish", "topic": self.topic, "body": self.body}

    def after(self, shown: Shown) -> Shown:
        body, counts = self.body, dict(shown.counts)
        command, index = body.get("command"), body.get("index")
        selected, glows = shown.selected, shown.glows
        if command is None:
            kind = body["kind"]
            counts[kind] = body["set"] if "set" in body else counts.get(kind, 0) + body["add"]
        elif command == "clear":
            counts[body["kind"]] = 0
        elif command == "select":
            selected, glows = index, glows - {index}
        else:
            glows = glows | {index} if command == "glow" else glows - {index}
        return Shown(tuple(sorted((k, n) for k, n in counts.items() if n)), selected, glows)


class Story:
    """All steps sent to one session, in order, and the number acknowledged."""

    def __init__(self, session: str):
        self.session = session
        self.numbers = itertools.count(1)
        self.base = Shown()
        self.done: list[Step] = []
        self.sent: list[Step] = []
        self.acknowledged: set[int] = set()

    def next_request(self, dice: random.Random) -> dict:
        session, identity = self.session, f"{self.session}-{next(self.numbers)}"
        kind = f"kind{dice.randrange(4)}"
        tabs, index = f"command/{session}/tabs", dice.randrange(4)
        topic, body = dice.choices((
            (f"notification/{session}", {"kind": kind, "add": dice.randint(1, 3)}),
            (f"notification/{session}", {"kind": kind, "set": dice.randrange(100)}),
            (f"command/{session}/badges", {"command": "clear", "kind": kind}),
            (tabs, {"command": "select", "index": index}),
            (tabs, {"command": "glow", "index": index}),
            (tabs, {"command": "unglow", "index": index}),
        ), weights=(70, 5, 3, 10, 6, 6))[0]
        self.sent.append(Step(topic, body | {"id": identity}))
        return self.sent[-1].request

    @property
    def unanswered(self) -> list[int]:
        return [number for number in range(len(self.sent)) if number not in self.acknowledged]

    def expect_a_beginning(self, control: Control) -> int:
        """The session shows the effect of its first steps, with every acknowledged one among them.

        Returns the number of these steps.
        """
        shown, state, matches = Shown.of(control.snapshot(self.session), self.session), None, []
        for number in range(len(self.sent) + 1):
            state = self.sent[number - 1].after(state) if number else self.base
            if state == shown:
                matches.append(number)
        needed = max(self.acknowledged, default=-1) + 1
        kept = [number for number in matches if number >= needed]
        assert kept, (
            f"{self.session} shows {shown}, the effect of steps {matches} of "
            f"{len(self.sent)}; {needed} were acknowledged, with effect {self.made(needed)}")
        return kept[0]

    def made(self, count: int) -> Shown:
        state = self.base
        for step in self.sent[:count]:
            state = step.after(state)
        return state

    def send_again(self, control: Control, dice: random.Random) -> None:
        """Sends the steps again: an unanswered one counts once, an answered one not again."""
        self.expect_a_beginning(control)
        numbers = [control.send(**self.sent[number].request) for number in self.unanswered]
        duplicates = [control.reply(number).get("duplicate", False) for number in numbers]
        assert duplicates == sorted(duplicates, reverse=True), (
            f"{self.session}: the daemon kept a later step but not an earlier one: {duplicates}")
        steps = (self.done + self.sent)[-400:]
        for step in dice.sample(steps, min(8, len(steps))):
            assert control.ok(**step.request).get("duplicate"), f"{step} counted again"
        shown = Shown.of(control.snapshot(self.session), self.session)
        assert shown == self.made(len(self.sent)), f"{self.session} shows {shown} in the end"
        self.base, self.done, self.sent, self.acknowledged = shown, steps, [], set()


class Churn(Story):
    """A session that is opened, used and closed again and again. None: it does not exist."""

    def __init__(self, session: str):
        super().__init__(session)
        self.base = None

    def next_request(self, dice: random.Random) -> dict:
        state = self.made(len(self.sent))
        if state is None:
            self.sent.append(0)
            return {"op": "open", "session": self.session, "scene": "phone"}
        if dice.random() < 0.3:
            self.sent.append(None)
            return {"op": "close", "session": self.session}
        self.sent.append(state + 1)
        body = {"kind": "likes"}
        return {"op": "publish", "topic": f"notification/{self.session}", "body": body}

    def made(self, count: int) -> int | None:
        return self.sent[count - 1] if count else self.base

    def send_again(self, control: Control, dice: random.Random) -> None:
        shown = None
        if self.session in control.sessions():
            counts = control.snapshot(self.session)[f"badge/{self.session}"]["counts"]
            shown = counts.get("likes", 0)
        needed = max(self.acknowledged, default=-1) + 1
        later = [self.made(number) for number in range(needed, len(self.sent) + 1)]
        assert shown in later, f"{self.session} is at {shown}, not at one of {later}"
        self.base, self.sent, self.acknowledged = shown, [], set()


@dataclass
class Versions:
    """Every published version of counts, over all lives of the daemon."""

    told: dict[tuple[str, int], str] = field(default_factory=dict)
    highest: dict[str, int] = field(default_factory=dict)

    def note(self, topic: str, body: dict) -> None:
        version, counts = body["version"], json.dumps(body["counts"], sort_keys=True)
        before = self.told.setdefault((topic, version), counts)
        assert before == counts, f"{topic}: version {version} was {before} and is {counts}"

    def hear(self, update: Update) -> None:
        if not update.topic.startswith("badge/"):
            return
        self.note(update.topic, update.body)
        version, highest = update.body["version"], self.highest.get(update.topic, 0)
        assert version >= highest, f"{update.topic}: version {version} after {highest}"
        self.highest[update.topic] = version


class Load:
    """Publishes in flight for all stories, and unacknowledged traffic beside them."""

    IN_FLIGHT = 24

    def __init__(self, daemon: Daemon, stories: list[Story], versions: Versions, dice):
        self.daemon, self.stories, self.versions, self.dice = daemon, stories, versions, dice
        self.updates = daemon.subscriber("badge/", "session/")
        self.publisher = Publisher(daemon, daemon.events)
        self.socket = daemon.requests().socket
        self.waiting: dict[int, tuple[Story, int]] = {}
        self.acknowledged = 0
        self.numbers = itertools.count(1)

    def run_until(self, process_ends: threading.Event, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not process_ends.is_set() and time.monotonic() < end:
            for story in self.stories:
                while len(story.sent) - len(story.acknowledged) < self.IN_FLIGHT:
                    self._send(story)
                # It would open the closed session again.
                if not isinstance(story, Churn):
                    self._play(story.session)
            self._hear(10)
        while self._hear(100):
            pass

    def _send(self, story: Story) -> None:
        request, number = story.next_request(self.dice), next(self.numbers)
        self.waiting[number] = (story, len(story.sent) - 1)
        with contextlib.suppress(zmq.Again):
            self.socket.send(json.dumps({"id": number} | request).encode(), zmq.DONTWAIT)

    def _play(self, session: str) -> None:
        """Sends samples that move views and get no answer."""
        finger = {"gesture": "pan", "x": 160 + self.dice.uniform(-9, 9), "y": 223}
        phase = self.dice.choice(("began", "changed", "ended"))
        self.publisher.send(f"gesture/{session}/toss", finger | {"phase": phase, "vx": 1500})
        self.publisher.send(f"notification/{session}", {"kind": "pub"})

    def _hear(self, milliseconds: int) -> bool:
        heard = False
        while self.socket.poll(0 if heard else milliseconds):
            answer = json.loads(self.socket.recv_multipart()[-1])
            assert answer["ok"] and "duplicate" not in answer, answer
            story, number = self.waiting.pop(answer["id"])
            story.acknowledged.add(number)
            self.acknowledged += 1
            heard = True
        for update in self.updates.early + self.updates.during(0):
            self.versions.hear(update)
            heard = True
        self.updates.early.clear()
        return heard

    def close(self) -> None:
        for socket in (self.updates.socket, self.publisher.socket, self.socket):
            socket.close(linger=0)
