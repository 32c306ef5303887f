"""A small, strict client of the wire contract, written from the contract alone.

It shares no code with the daemon or its client library, so it tests both against the
contract. Every wait has a deadline. A wait that misses it reports the updates that came.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

import zmq

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# Seconds until a wait fails: far more than a loaded machine needs.
DEADLINE = 30.0
# The signals of a crash.
CRASHES = {signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGSEGV}
READY = re.compile(
    r"^gestured ready events=(?P<events>\S+) updates=(?P<updates>\S+) "
    r"control=(?P<control>\S+) epoch=(?P<epoch>\S+)$"
)
nonces = (f"n{number}" for number in itertools.count())


def binary() -> pathlib.Path:
    default = REPOSITORY / ".build" / "debug" / "gestured"
    return pathlib.Path(os.environ.get("GESTURED_BIN", default)).resolve()


@dataclass
class Update:
    """One message of the updates socket."""

    topic: str
    body: dict
    text: str

    def __repr__(self) -> str:
        return f"{self.topic} {self.text[:160]}"

    @property
    def seq(self) -> int:
        return self.body["seq"]

    @property
    def t(self) -> float:
        return self.body["t"]

    @property
    def stream(self) -> tuple[str, str]:
        """The topic and epoch whose updates one sequence counts."""
        return self.topic, self.body["epoch"]


def listing(updates: list[Update]) -> str:
    shown = "\n  ".join(repr(update) for update in updates[-12:])
    return f"{len(updates)} updates" + (f", the last:\n  {shown}" if updates else "")


class Daemon:
    """The real binary in its own process, on free ports, with its own folder."""

    # Keeps running daemons alive: a context collected before its sockets waits for ever.
    begun: set[Daemon] = set()

    def __init__(
        self, config: str = "", arguments: list[str] | None = None, ports: bool = True,
        environment: dict[str, str] | None = None, wrapper: list[str] | None = None,
    ):
        # Not pytest's folder: a path below it can be too long for a socket.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gestured-"))
        self.state = self.folder / "state"
        self.config = self.folder / "gestured.toml"
        if "scenes =" not in config:
            config = f'scenes = "{REPOSITORY / "config" / "scenes"}"\n' + config
        self.config.write_text(config, encoding="utf-8")
        self.arguments = ["--config", str(self.config), "--state-dir", str(self.state)]
        if ports:
            for name in ("events", "updates", "control"):
                self.arguments += [f"--{name}", "tcp://127.0.0.1:*"]
        self.arguments += arguments or []
        # Added to this process's environment; and a command that executes the daemon.
        self.environment = environment or {}
        self.wrapper = wrapper or []
        self.process: subprocess.Popen | None = None
        self.context = zmq.Context()
        # Bounds every blocking send and receive.
        self.context.rcvtimeo = self.context.sndtimeo = int(DEADLINE * 1000)
        self.context.linger = 0
        self.begun.add(self)

    def start(self) -> Daemon:
        self.errors = open(self.folder / "stderr", "wb")
        self.process = subprocess.Popen(
            [*self.wrapper, str(binary()), *self.arguments], stdout=subprocess.PIPE,
            stderr=self.errors, stdin=subprocess.DEVNULL, cwd=self.folder,
            env=os.environ | self.environment)
        line = self._first_line()
        match = READY.match(line)
        assert match, f"not a ready line: {line!r}\n{self.log()}"
        self.events, self.updates = match["events"], match["updates"]
        self.control, self.epoch = match["control"], match["epoch"]
        return self

    def _first_line(self) -> str:
        """Reads the first line. Never blocks beyond the deadline."""
        stream = self.process.stdout
        os.set_blocking(stream.fileno(), False)
        poller = zmq.Poller()
        poller.register(stream.fileno(), zmq.POLLIN)
        text, end = b"", time.monotonic() + DEADLINE
        while b"\n" not in text:
            left = end - time.monotonic()
            assert left > 0, f"no ready line within {DEADLINE} s\n{self.log()}"
            poller.poll(left * 1000)
            chunk = os.read(stream.fileno(), 65536) if poller.poll(0) else None
            assert chunk != b"", f"ended with {self.process.wait(DEADLINE)}\n{self.log()}"
            text += chunk or b""
        return text.split(b"\n")[0].decode()

    def log(self) -> str:
        with contextlib.suppress(FileNotFoundError):
            return (self.folder / "stderr").read_text(errors="replace")[-4000:]
        return ""

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def stop(self, number: int = signal.SIGTERM, deadline: float = DEADLINE) -> int:
        """Stops the daemon as a service manager does. Returns the exit code."""
        self.process.send_signal(number)
        return self.process.wait(deadline)

    def restart(self, number: int = signal.SIGKILL) -> Control:
        """Ends the daemon if it still runs, and starts it again on the same state."""
        self.stop(number)
        self.process.stdout.close()
        self.errors.close()
        self.start()
        return self.requests()

    def __enter__(self) -> Daemon:
        return self.start()

    def __exit__(self, kind: object, error: object, _: object) -> None:
        self.begun.discard(self)
        self.context.destroy(linger=0)
        try:
            if self.is_running:
                self.process.terminate()
                try:
                    self.process.wait(DEADLINE)
                except subprocess.TimeoutExpired:
                    self.process.kill()
                    self.process.wait()
                    # Reports an earlier failure instead.
                    assert error is not None, "SIGTERM did not end the daemon"
            assert self.process is None or -(self.process.returncode or 0) not in CRASHES, (
                f"the daemon ended on its own, by signal {-self.process.returncode}\n{self.log()}")
        finally:
            # A test that fails shows what the daemon said.
            if error is not None:
                print(self.log())
            if self.process is not None:
                self.process.stdout.close()
                self.errors.close()
            shutil.rmtree(self.folder, ignore_errors=True)

    def socket(self, kind: int, endpoint: str | None = None) -> zmq.Socket:
        socket = self.context.socket(kind)
        if endpoint is not None:
            socket.connect(endpoint)
        return socket

    @property
    def push(self) -> str:
        """The endpoints for a PUSH, as `hello` tells them."""
        return ",".join(self.requests().ok("hello")["endpoints"]["push"])

    def publisher(self, endpoint: str | None = None) -> Publisher:
        return Publisher(self, (endpoint or self.events).split(",")[0])

    def subscriber(self, *topics: str, sync: bool = True) -> Subscriber:
        return Subscriber(self, topics, sync)

    def requests(self) -> Control:
        return Control(self)


class Publisher:
    """Sends events through an XPUB, which knows when the daemon has subscribed."""

    def __init__(self, daemon: Daemon, endpoint: str):
        self.socket = daemon.socket(zmq.XPUB)
        self.socket.sndhwm = 0
        self.socket.connect(endpoint)
        assert self.socket.poll(DEADLINE * 1000), "the daemon does not subscribe to its publishers"
        assert self.socket.recv().startswith(b"\x01")

    def send(self, topic: str, body: object) -> None:
        self.raw(topic.encode(), json.dumps(body).encode())

    def raw(self, *frames: bytes) -> None:
        self.socket.send_multipart(frames)


class Subscriber:
    """Listens to the updates socket and checks the sequence of every stream."""

    def __init__(self, daemon: Daemon, topics: tuple[str, ...], sync: bool):
        self.socket = daemon.socket(zmq.SUB)
        self.socket.rcvhwm = 0
        self.socket.connect(daemon.updates.split(",")[0])
        self.last: dict[tuple[str, str], Update] = {}
        self.early: list[Update] = []
        for topic in topics:
            self.socket.subscribe(topic)
        if sync:
            self.synchronise()

    def synchronise(self) -> None:
        """Waits until all subscriptions are in force. Keeps earlier updates to be read."""
        topic = f"sync/{next(nonces)}"
        self.socket.subscribe(topic)
        end = time.monotonic() + DEADLINE
        while True:
            update = self._next(end)
            assert update, f"no answer on {topic}; {listing(self.early)}"
            if update.topic == topic:
                break
            self.early.append(update)
        self.socket.unsubscribe(topic)

    def subscribe(self, *topics: str) -> None:
        for topic in topics:
            self.socket.subscribe(topic)

    def _next(self, end: float) -> Update | None:
        if not self.socket.poll(max(0.0, end - time.monotonic()) * 1000):
            return None
        frames = self.socket.recv_multipart()
        assert len(frames) == 2, f"an update of {len(frames)} frames: {frames!r}"
        text = frames[1].decode("utf-8")
        update = Update(frames[0].decode("utf-8"), json.loads(text), text)
        assert list(update.body)[:3] == ["epoch", "seq", "t"], f"wrong first fields: {update}"
        self._follow(update)
        return update

    def _follow(self, update: Update) -> None:
        """No stream may skip a number. A repeated number must repeat the update."""
        before = self.last.get(update.stream)
        self.last[update.stream] = update
        if before is None:
            return
        if update.seq == before.seq:
            assert update.text == before.text, f"one seq, two bodies:\n{before}\n{update}"
        else:
            assert update.seq == before.seq + 1, f"a hole after seq {before.seq}: {update}"

    def next(self, deadline: float = DEADLINE) -> Update | None:
        """The next update, or None when the deadline passes."""
        if self.early:
            return self.early.pop(0)
        return self._next(time.monotonic() + deadline)

    def until(self, wanted, why: str = "", deadline: float = DEADLINE) -> list[Update]:
        """All updates up to and including the first one wanted."""
        end = time.monotonic() + deadline
        got: list[Update] = []
        while True:
            update = self.early.pop(0) if self.early else self._next(end)
            assert update, f"waited {deadline} s for {why or 'an update'}; {listing(got)}"
            got.append(update)
            if wanted(update):
                return got

    def find(self, topic: str, /, *, deadline: float = DEADLINE, **fields: object) -> Update:
        """The next update of a topic whose body has these fields."""
        why = f"{topic} {fields}"
        return self.until(matching(topic, **fields), why, deadline)[-1]

    def during(self, seconds: float) -> list[Update]:
        """All updates of a time span. Shows that an update does *not* arrive."""
        end = time.monotonic() + seconds
        got: list[Update] = []
        while update := (self.early.pop(0) if self.early else self._next(end)):
            got.append(update)
        return got


def matching(topic: str, /, **fields: object):
    return lambda update: update.topic == topic and all(
        update.body.get(name, ...) == value for name, value in fields.items())


@dataclass
class Control:
    """Sends requests to the control socket through a DEALER and matches answers by id."""

    daemon: Daemon
    waiting: dict = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.socket = self.daemon.socket(zmq.DEALER, self.daemon.control.split(",")[0])
        self.socket.rcvhwm = self.socket.sndhwm = 0
        self.ids = itertools.count(1)

    def send(self, op: str, **fields: object) -> int:
        number = next(self.ids)
        self.socket.send(json.dumps({"id": number, "op": op, **fields}).encode())
        return number

    def reply(self, number: int, deadline: float = DEADLINE) -> dict:
        end = time.monotonic() + deadline
        while number not in self.waiting:
            left = end - time.monotonic()
            assert left > 0 and self.socket.poll(left * 1000), f"request {number} was not answered"
            answer = json.loads(self.socket.recv_multipart()[-1])
            assert isinstance(answer.get("ok"), bool), f"an answer without ok: {answer}"
            self.waiting[answer.get("id")] = answer
        return self.waiting.pop(number)

    def ask(self, op: str, **fields: object) -> dict:
        return self.reply(self.send(op, **fields))

    def ok(self, op: str, **fields: object) -> dict:
        answer = self.ask(op, **fields)
        assert answer["ok"], f"{op} {fields} was refused: {answer}"
        return answer

    def refused(self, op: str, **fields: object) -> dict:
        answer = self.ask(op, **fields)
        assert not answer["ok"], f"{op} {fields} was accepted: {answer}"
        error = answer["error"]
        assert isinstance(error["message"], str) and error["message"], answer
        return error

    def open(self, session: str, scene: object) -> dict:
        return self.ok("open", session=session, scene=scene)

    def publish(self, topic: str, body: object) -> dict:
        return self.ok("publish", topic=topic, body=body)

    def code(self, topic: str, body: object) -> str:
        """The code of an event's refusal."""
        return self.refused("publish", topic=topic, body=body)["code"]

    def gesture(
        self, session: str, component: str, gesture: str, phase: str | None = None, **fields
    ) -> dict:
        body = {"gesture": gesture, **({"phase": phase} if phase else {}), **fields}
        return self.publish(f"gesture/{session}/{component}", body)

    def command(self, session: str, component: str, command: str, **fields) -> dict:
        return self.publish(f"command/{session}/{component}", {"command": command, **fields})

    def notify(self, session: str, kind: str, **fields: object) -> dict:
        return self.publish(f"notification/{session}", {"kind": kind, **fields})

    def snapshot(self, session: str) -> dict[str, dict]:
        """A session's current updates: topic → body."""
        answer = self.ok("snapshot", session=session)
        return {update["topic"]: update["body"] for update in answer["updates"]}

    def state(self, session: str, component: str) -> dict:
        topic = f"state/{session}/{component}"
        updates = self.snapshot(session)
        assert topic in updates, f"the snapshot has no {topic}: {sorted(updates)}"
        return updates[topic]

    def badge(self, session: str) -> dict:
        return self.snapshot(session)[f"badge/{session}"]

    def export(self, session: str) -> dict:
        return self.ok("export", session=session)["document"]

    def sessions(self) -> list[str]:
        """All open sessions, page by page."""
        names, after = [], ""
        for _ in range(1000):
            page = self.ok("sessions", limit=100, **({"after": after} if after else {}))
            names += page["sessions"]
            if page["next"] is None:
                return names
            after = page["next"]
        raise AssertionError("the pages of sessions never end")
