"""Plays a daemon for one client: three real sockets, and the client's adapter behind two pipes."""

from __future__ import annotations

import collections
import contextlib
import json
import os
import random
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable

import zmq
from curve import Doorman, Keys
from notation import Mismatch, update_of

# Seconds for an adapter to start, which may begin with a browser, however short the steps are.
CONNECT_SECONDS = 10.0
# Seconds until a step fails: far more than a loaded machine needs.
STEP_SECONDS = float(os.environ.get("CONFORMANCE_SECONDS", "20"))
# Seconds that an adapter may take to end after its input has ended.
END_SECONDS = 5.0
# Bytes of one line of an adapter: a scene with all its layers has some 100 KiB.
LINE_BYTES_MAX = 16 << 20
# Milliseconds that one wait for sockets and pipes takes at most.
POLL_MILLISECONDS = 50
ANSWERS = ("done", "failed", "layers", "hit", "y", "connected", "watching")


class Adapter:
    """A client's program: JSON objects as lines, in and out."""

    def __init__(self, command: str):
        self.errors = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self.errors)
        except (OSError, ValueError, IndexError) as error:
            self.errors.close()
            raise Mismatch(f"{command!r} cannot be run: {error}") from None
        self.heard = b""
        self.is_open = True
        os.set_blocking(self.process.stdout.fileno(), False)

    def tell(self, line: dict) -> None:
        try:
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Mismatch(f"the adapter has ended{self.log()}") from None

    def lines(self) -> list[dict]:
        """The lines that have come."""
        while self.is_open:
            try:
                chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            except BlockingIOError:
                break
            self.is_open = chunk != b""
            self.heard += chunk
            if len(self.heard) > LINE_BYTES_MAX:
                raise Mismatch("the adapter wrote a line without an end")
        *lines, self.heard = self.heard.split(b"\n")
        try:
            found = [json.loads(line) for line in lines]
        except ValueError:
            raise Mismatch(f"the adapter wrote no JSON: {lines[0][:200]!r}") from None
        if not all(isinstance(line, dict) for line in found):
            raise Mismatch(f"the adapter wrote no object: {found!r:.200}")
        return found

    def log(self) -> str:
        self.errors.seek(0, os.SEEK_END)
        self.errors.seek(max(0, self.errors.tell() - 2000))
        text = self.errors.read().decode(errors="replace").strip()
        return f"; its standard error:\n{text}" if text else ""

    def close(self) -> None:
        """Ends the program's input, and then the program if it does not end by itself."""
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            # A client may have others to end, such as a browser.
            self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            try:
                self.process.wait(END_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.errors.close()


class Peer:
    """The daemon's side of one case, and all that the client has done so far."""

    def __init__(self, adapter: Adapter, *, manual: bool = False, timeout: float = 5.0,
                 late: list[str] = (), epoch: str = "aa", seconds: float = STEP_SECONDS,
                 keys: Keys | None = None):
        self.adapter, self.is_manual, self.epoch = adapter, manual, epoch
        # The time of one step.
        self.seconds = seconds
        self.late = set(late)
        # An address of its own: a stray client of other tests may still call ports of 127.0.0.1.
        self.address = ".".join(["127", *(str(random.randrange(1, 255)) for _ in range(3))])
        self.context = zmq.Context()
        self.context.linger = 0
        # With keys its sockets speak CURVE, and take this client's key alone.
        self.keys = keys
        self.doorman = Doorman(self.context, {keys.client[0]}) if keys else None
        self.endpoints: dict[str, str] = {}
        self.sockets: dict[str, zmq.Socket] = {}
        self.prefixes: list[str] = []
        self.nonces: set[bytes] = set()
        self.yields: collections.deque = collections.deque()
        self.says: collections.deque = collections.deque()
        self.shown: dict[str, dict] = {}
        # Answers what the case does not play.
        self.answer_rest: Callable[[], object] = lambda: None
        # Whether a step is to come that waits for a sync.
        self.awaits_sync: Callable[[], bool] = lambda: self.is_manual
        self.poller = zmq.Poller()
        self.poller.register(adapter.process.stdout.fileno(), zmq.POLLIN)
        self.begin()
        fields = keys.fields if keys else {}
        adapter.tell({"do": "connect", **self.endpoints, "timeout": timeout, **fields})
        try:
            self.hear("an answer to connect", self.take_connected, CONNECT_SECONDS)
        except BaseException:
            # Nobody else knows the sockets: a context with one left waits for it for ever.
            self.close()
            raise

    def begin(self) -> None:
        """Binds the sockets; a second time at the same endpoints."""
        self.subscriptions: set[bytes] = set()
        self.syncs: collections.deque = collections.deque()
        self.requests: collections.deque = collections.deque()
        self.events: collections.deque = collections.deque()
        for name, kind in (("events", zmq.SUB), ("updates", zmq.XPUB), ("control", zmq.ROUTER)):
            socket = self.context.socket(kind)
            self.sockets[name] = socket
            if self.keys:
                self.keys.protect(socket)
            if name == "events":
                socket.subscribe(b"")
            if name == "updates":
                # Each subscription is told, also one that is there already.
                socket.setsockopt(zmq.XPUB_VERBOSER, 1)
            if name not in self.late or name not in self.endpoints:
                self.bind(name)
                if name in self.late:
                    socket.unbind(self.endpoints[name])
            self.poller.register(socket, zmq.POLLIN)

    def bind(self, name: str) -> None:
        socket, end = self.sockets[name], time.monotonic() + self.seconds
        if name not in self.endpoints:
            port = socket.bind_to_random_port(f"tcp://{self.address}")
            self.endpoints[name] = f"tcp://{self.address}:{port}"
            return
        while True:
            try:
                return socket.bind(self.endpoints[name])
            except zmq.ZMQError as error:
                # The socket that had the port is closed by a thread of its own.
                if error.errno != zmq.EADDRINUSE or time.monotonic() > end:
                    raise
            time.sleep(0.01)

    def restart(self) -> None:
        self.unbind()
        self.begin()

    def unbind(self) -> None:
        for socket in self.sockets.values():
            self.poller.unregister(socket)
            socket.close(linger=0)

    def close(self) -> None:
        self.unbind()
        if self.doorman:
            # Its socket is closed by its own thread.
            self.context.term()
            self.doorman.close()
        self.context.destroy(linger=0)

    def hear(self, why: str, take: Callable[[], object], seconds_min: float = 0) -> object:
        """Serves everything until `take` returns something that is not None."""
        seconds = max(self.seconds, seconds_min)
        end = time.monotonic() + seconds
        while (found := take()) is None:
            if time.monotonic() > end:
                raise Mismatch(f"waited {seconds:g} s for {why}{self.rest()}")
            self.serve(POLL_MILLISECONDS)
            if not self.adapter.is_open and take() is None:
                raise Mismatch(f"the adapter ended before {why}{self.adapter.log()}")
        return found

    def serve(self, milliseconds: int) -> None:
        for found, _ in self.poller.poll(milliseconds):
            if found == self.adapter.process.stdout.fileno():
                for line in self.adapter.lines():
                    self.take_line(line)
                if not self.adapter.is_open:
                    self.poller.unregister(found)
                continue
            frames = found.recv_multipart()
            if found is self.sockets["updates"]:
                self.take_subscription(frames[0])
            elif found is self.sockets["control"]:
                self.take_request(frames)
            else:
                self.events.append([frame.decode(errors="replace") for frame in frames])

    def take_line(self, line: dict) -> None:
        if "yield" in line:
            update = line["yield"]
            self.check(update)
            self.yields.append([update["topic"], update["body"]])
        elif any(key in line for key in ANSWERS):
            self.says.append(line)
        else:
            raise Mismatch(f"the adapter wrote an unknown line: {line!r:.200}")

    def check(self, update: dict) -> None:
        """Holds of every update that a client gives, whatever the case is about."""
        topic, body = update["topic"], update["body"]
        if not any(topic.startswith(prefix) for prefix in self.prefixes):
            raise Mismatch(f"gave {topic}, which nobody watches")
        last, self.shown[topic] = self.shown.get(topic), body
        if last is None or last["epoch"] != body["epoch"]:
            return
        # A snapshot's frame may have more states than the published one of its seq.
        if body == last:
            raise Mismatch(f"gave {topic} {body['epoch']} seq {body['seq']} twice")
        if body["seq"] < last["seq"]:
            raise Mismatch(f"gave {topic} seq {body['seq']} after {last['seq']}")

    def take_subscription(self, frame: bytes) -> None:
        kind, topic = frame[0], frame[1:]
        if kind == 0:
            self.subscriptions.discard(topic)
            return
        self.subscriptions.add(topic)
        if not topic.startswith(b"sync/") or topic in self.nonces:
            return
        self.nonces.add(topic)
        for prefix in self.prefixes:
            if not self.is_subscribed(prefix.encode()):
                raise Mismatch(f"subscribed to sync/ before {prefix!r}")
        if self.awaits_sync():
            self.syncs.append(topic[5:].decode())
        else:
            self.send([topic.decode(), {"epoch": self.epoch, "seq": 1, "t": 0}])

    def is_subscribed(self, topic: bytes) -> bool:
        return any(topic.startswith(prefix) for prefix in self.subscriptions)

    def take_request(self, frames: list[bytes]) -> None:
        try:
            request = json.loads(frames[-1])
        except ValueError:
            raise Mismatch(f"asked with no JSON: {frames[-1][:200]!r}") from None
        if not isinstance(request, dict) or "op" not in request:
            raise Mismatch(f"asked without op: {request!r:.200}")
        self.requests.append((frames, request))
        self.answer_rest()

    def take_connected(self) -> object:
        return self.says.popleft() if self.says else None

    def send(self, update: object) -> None:
        topic, body = update_of(update) if isinstance(update, str) else update
        text = body if isinstance(body, str) else json.dumps(body)
        if topic == "heartbeat" and isinstance(body, dict):
            self.epoch = body["epoch"]
        self.sockets["updates"].send_multipart([topic.encode(), text.encode()])

    def reply(self, frames: list[bytes], request: dict, answer: object) -> None:
        """Sends one answer with the request's envelope: an object with its id, or raw text."""
        if isinstance(answer, dict):
            answer = {"id": request.get("id"), "ok": True} | answer
            answer = json.dumps(answer)
        self.sockets["control"].send_multipart([*frames[:-1], answer.encode()])

    def rest(self) -> str:
        """All that the client did and the case did not ask for."""
        found = [f"gave {topic} {json.dumps(body)}" for topic, body in self.yields]
        found += [f"said {json.dumps(line)}" for line in self.says]
        found += [f"asked {json.dumps(request)}" for _, request in self.requests]
        found += [f"published {event}" for event in self.events]
        found += [f"subscribed to sync/{nonce}" for nonce in self.syncs]
        return "".join(f"\n    it {text:.400}" for text in found)
