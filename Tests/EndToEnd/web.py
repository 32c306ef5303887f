"""Runs gesture-web as a process, and talks to it through other people's clients."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import tempfile
import time

from client import DEADLINE, Daemon, binary
from prometheus_client.parser import text_string_to_metric_families
from websockets.sync.client import ClientConnection, connect

READY = re.compile(r"^gesture-web ready http://(\S+):(\d+)/(?:\?token=(\S+))?$")
PAGE = "<!doctype html>\n<title>A page</title>\n"
# Where the daemon is not: a port that nobody listens on.
NOWHERE = "tcp://127.0.0.1:9"


class Web:
    """The real binary in its own process, on a free port, with a folder of its own to serve."""

    def __init__(
        self, daemon: Daemon | None, *arguments: str, environment: dict[str, str] | None = None,
    ):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gestured-web-"))
        self.files = self.folder / "page"
        self.files.mkdir()
        (self.files / "index.html").write_text(PAGE)
        self.arguments = [
            "--listen", "127.0.0.1:*", "--files", str(self.files),
            "--events", daemon.events if daemon else NOWHERE,
            "--updates", daemon.updates if daemon else NOWHERE,
            "--control", daemon.control if daemon else NOWHERE, *arguments]
        self.environment = environment or {}

    def __enter__(self) -> Web:
        self.errors = open(self.folder / "stderr", "wb")
        self.process = subprocess.Popen(
            [str(program()), *self.arguments], stdout=subprocess.PIPE, stderr=self.errors,
            stdin=subprocess.DEVNULL, env=os.environ | self.environment)
        assert select.select([self.process.stdout], [], [], DEADLINE)[0], "no ready line"
        line = self.process.stdout.readline().decode().rstrip("\n")
        match = READY.match(line)
        assert match, f"not a ready line: {line!r}\n{self.log()}"
        self.host, self.port, self.token = match[1], int(match[2]), match[3]
        return self

    def __exit__(self, kind: object, error: object, _: object) -> None:
        self.end(kind is None)

    def end(self, is_checked: bool = True) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(DEADLINE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        if is_checked:
            assert self.process.returncode == 0, f"{self.process.returncode}\n{self.log()}"
        return self.process.returncode

    def log(self) -> str:
        return (self.folder / "stderr").read_text(errors="replace")

    def get(self, path: str, method: str = "GET", **headers: str) -> Answer:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=DEADLINE)
        try:
            names = {name.replace("_", "-"): value for name, value in headers.items()}
            connection.request(method, path, headers=names)
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def raw(self, data: bytes = b"") -> socket.socket:
        """A bare connection that has sent these bytes."""
        opened = socket.create_connection((self.host, self.port), timeout=DEADLINE)
        opened.sendall(data)
        return opened

    def connect(self, path: str = "/", **options) -> Socket:
        return Socket(connect(
            f"ws://{self.host}:{self.port}{path}", open_timeout=DEADLINE, max_size=None,
            **options))

    def metrics(self) -> dict[tuple[str, tuple], float]:
        """All samples of /metrics by name and labels, read strictly."""
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in families(self.get("/metrics").text) for sample in family.samples}

    def metric(self, name: str, **labels: str) -> float:
        return self.metrics()[(name, tuple(sorted(labels.items())))]

    def await_metric(self, name: str, wanted, **labels: str) -> float:
        end = time.monotonic() + DEADLINE
        while not wanted(value := self.metric(name, **labels)):
            assert time.monotonic() < end, f"{name} {labels} stayed {value}"
            time.sleep(0.02)
        return value

    def resident(self) -> int:
        return int(self.metric("process_resident_memory_bytes"))


def program() -> pathlib.Path:
    named = os.environ.get("GESTURE_WEB_BIN")
    return pathlib.Path(named).resolve() if named else binary().with_name("gesture-web")


def families(text: str) -> list:
    """Metrics as Prometheus reads them; each family once, with help and type."""
    found = list(text_string_to_metric_families(text))
    names = [family.name for family in found]
    assert len(set(names)) == len(names), "a family is there twice"
    for family in found:
        assert family.documentation and family.type != "unknown", family
    return found


class Answer:
    """An answer to a request, read whole."""

    def __init__(self, response: http.client.HTTPResponse):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.body = response.read()

    @property
    def text(self) -> str:
        return self.body.decode()


class Socket:
    """A WebSocket client of the bridge."""

    def __init__(self, manager: ClientConnection):
        self.manager = manager
        self.opened = manager.__enter__()
        self.early: list[dict] = []

    def __enter__(self) -> Socket:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(Exception):
            self.manager.__exit__(None, None, None)

    def send(self, message: object) -> None:
        self.opened.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def next(self, deadline: float = DEADLINE) -> dict | None:
        """The next message; None when the deadline passes."""
        if self.early:
            return self.early.pop(0)
        return self._next(deadline)

    def _next(self, deadline: float) -> dict | None:
        try:
            message = json.loads(self.opened.recv(timeout=deadline))
        except TimeoutError:
            return None
        assert len(set(message) & {"web", "topic", "reply", "error"}) == 1, message
        return message

    def until(self, wanted, why: str = "a message", deadline: float = DEADLINE) -> dict:
        """The next message that is wanted; others stay for later."""
        for place, message in enumerate(self.early):
            if wanted(message):
                return self.early.pop(place)
        end = time.monotonic() + deadline
        while (left := end - time.monotonic()) > 0:
            if (message := self._next(left)) is None:
                break
            if wanted(message):
                return message
            self.early.append(message)
        raise AssertionError(f"waited for {why}; came: {str(self.early)[-2000:]}")

    def web(self, **fields: object) -> dict:
        """The next word of the bridge about itself that has these fields; it drops those before."""
        while True:
            word = self.until(lambda message: "web" in message, f"web {fields}")["web"]
            if all(word[name] == value for name, value in fields.items()):
                return word

    def ask(self, op: str, **fields: object) -> dict:
        number = f"q{time.monotonic_ns()}"
        self.send({"request": {"op": op, "id": number, **fields}})
        return self.until(
            lambda message: message.get("reply", {}).get("id") == number, f"a reply to {op}")[
                "reply"]

    def ok(self, op: str, **fields: object) -> dict:
        reply = self.ask(op, **fields)
        assert reply["ok"], reply
        return reply

    def subscribe(self, *prefixes: str) -> None:
        """Waits until all are in force."""
        nonce = f"sync/w{time.monotonic_ns()}"
        for prefix in (*prefixes, nonce):
            self.send({"subscribe": prefix})
        self.update(nonce)
        self.send({"unsubscribe": nonce})

    def update(self, topic: str, **fields: object) -> dict:
        """The body of the next update of a topic that has these fields."""
        return self.until(
            lambda message: message.get("topic") == topic and all(
                message["body"].get(name, ...) == value for name, value in fields.items()),
            f"{topic} {fields}")["body"]

    def error(self) -> dict:
        return self.until(lambda message: "error" in message, "an error")["error"]

    def during(self, seconds: float) -> list[dict]:
        """All messages of a time span."""
        end = time.monotonic() + seconds
        got: list[dict] = []
        while (left := end - time.monotonic()) > 0 and (message := self.next(left)):
            got.append(message)
        return got

    def closed(self, deadline: float = DEADLINE) -> tuple[int | None, str]:
        """Waits until the bridge closes it; returns the code and the reason."""
        end = time.monotonic() + deadline
        with contextlib.suppress(Exception):
            while time.monotonic() < end:
                self.opened.recv(timeout=max(0.01, end - time.monotonic()))
        close = self.opened.protocol.close_rcvd
        return (close.code, close.reason) if close else (None, "")
