"""Attacks, and peers beside them that measure how long they wait."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import pathlib
import socket
import subprocess
import sys
import threading
import time

import wire
import zmq
from client import DEADLINE, Control, Daemon
from costly_scenes import moving
from scenes import still
from wire import taken

# A soak goes on for longer.
IS_SOAK = bool(os.environ.get("SOAK"))
# Milliseconds that stand for a wait whose end never came.
NEVER_MS = DEADLINE * 1_000
# Kinds of WebSocket frames.
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
# Seconds after which a bystander gives up a wait and begins the next one.
PATIENCE = 10.0


class Attack:
    """An attack in its own process."""

    def __init__(self, script: str, *arguments: str, keys: str = "", events_kind: str = "PUB"):
        path = pathlib.Path(__file__).with_name(script)
        self.process = subprocess.Popen(
            [sys.executable, str(path), *arguments], stdout=subprocess.PIPE, text=True,
            env=os.environ | {"ATTACK_EVENTS_KIND": events_kind}
            | ({"ATTACK_KEYS": keys} if keys else {}))

    def begins(self) -> None:
        line = self.process.stdout.readline()
        assert line == "begins\n", f"{self.process.args} does not begin: {line!r}"

    def end(self, is_checked: bool = True) -> None:
        """Fails if it has failed: an attack that does nothing proves nothing."""
        status = self.process.poll()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        assert not is_checked or status in (None, 0), f"{self.process.args} ended with {status}"


class Bystander(threading.Thread):
    """Waits for something again and again, and notes how long."""

    # Milliseconds that a wait may take at the 99th percentile.
    bounds: dict[str, float] = {}
    rest = 0.005

    def __init__(self) -> None:
        super().__init__(daemon=True)
        # By kind: when each wait began and ended, and the milliseconds that it counts for.
        self.waits: dict[str, list[tuple[float, float, float]]] = {
            what: [] for what in self.bounds}
        # Things that must never come, as a refusal or a hole.
        self.faults: list[str] = []
        self.is_ending = False

    def look(self) -> None:
        """Waits once for each kind."""
        raise NotImplementedError

    def leave(self) -> None:
        """Closes what it has."""

    def run(self) -> None:
        try:
            while not self.is_ending:
                self.look()
                time.sleep(self.rest)
        except Exception as error:  # Its thread ends, and its waits with it.
            self.faults.append(repr(error))
            for what in self.waits:
                self.note(what, time.monotonic(), is_over=False)
        finally:
            self.leave()

    def note(self, what: str, began: float, is_over: bool = True) -> None:
        """The wait has ended, or was given up."""
        now = time.monotonic()
        self.waits[what].append((began, now, (now - began) * 1_000 if is_over else NEVER_MS))

    def between(self, what: str, begin: float, end: float) -> list[float]:
        """The milliseconds of the waits that reach into a time."""
        return [milliseconds for began, ended, milliseconds in list(self.waits[what])
                if ended >= begin and began <= end]

    def has_passed(self, instant: float) -> bool:
        """Whether a wait of each kind has ended that began later."""
        return not self.is_alive() or all(
            waits and waits[-1][0] >= instant for waits in self.waits.values())


class Shown(Bystander):
    """Publishes a scroll, and waits for the state that shows it."""

    bounds = {"state": 100}

    def __init__(
        self, daemon: Daemon, control: Control, events: str, updates: str,
        session: str = "bystander",
    ):
        super().__init__()
        self.session, self.offset = session, 0
        self.publisher = daemon.publisher(events)
        self.updates = daemon.socket(zmq.SUB, updates)
        self.updates.subscribe(f"state/{session}/profile")
        control.open(session, still())
        assert self.updates.poll(DEADLINE * 1000)

    def look(self) -> None:
        self.offset = self.offset % 500 + 1
        began = time.monotonic()
        self.publisher.send(
            f"gesture/{self.session}/profile",
            {"gesture": "scroll", "phase": "changed", "offset": self.offset})
        self.note("state", began, is_over=self.arrives(began + PATIENCE))

    def arrives(self, end: float) -> bool:
        """Whether the state comes until then."""
        while (left := end - time.monotonic()) > 0 and self.updates.poll(left * 1000):
            body = json.loads(self.updates.recv_multipart()[1])
            if body["model"]["offset"] == self.offset:
                return True
        return False

    def leave(self) -> None:
        self.updates.close()
        self.publisher.socket.close()


class Acknowledged(Bystander):
    """Publishes by requests, and waits for the answer."""

    bounds = {"publish": 300}

    def __init__(self, control: Control, *sessions: str):
        super().__init__()
        self.control, self.sessions = control, itertools.cycle(sessions)
        for session in sessions:
            control.open(session, still())

    def look(self) -> None:
        began = time.monotonic()
        answer = self.control.ask(
            "publish", topic=f"notification/{next(self.sessions)}", body={"kind": "likes"})
        self.note("publish", began)
        if not answer["ok"]:
            self.faults.append(f"a publish was refused: {answer}")

    def leave(self) -> None:
        self.control.socket.close()


class WebBystander(Bystander):
    """A WebSocket client."""

    def __init__(self, place: tuple[str, int]):
        super().__init__()
        self.socket = wire.upgraded(*place)
        self.data = b""
        self.number = 0

    def say(self, message: object) -> None:
        self.socket.sendall(wire.frame(json.dumps(message).encode()))

    def next(self, end: float = math.inf) -> dict | None:
        """The next message, {} for what is none; None at the end."""
        while (found := taken(self.data)) is None:
            left = end - time.monotonic()
            if left <= 0:
                return None
            self.socket.settimeout(min(left, PATIENCE))
            with contextlib.suppress(TimeoutError):
                self.receive()
        kind, (text, self.data) = self.data[0] & 15, found
        if kind == CLOSE:
            raise ConnectionError(f"gesture-web closes it: {text!r}")
        if kind == PING:
            self.socket.sendall(wire.frame(text, PONG))
        return json.loads(text) if kind == TEXT else {}

    def receive(self) -> None:
        part = self.socket.recv(65_536)
        if not part:
            raise ConnectionError("gesture-web closed it")
        self.data += part

    def ask(self, op: str, **fields: object) -> dict | None:
        """The reply; None if it does not come in time."""
        self.number += 1
        self.say({"request": {"op": op, "id": self.number, **fields}})
        end = time.monotonic() + PATIENCE
        while (message := self.next(end)) is not None:
            if message.get("reply", {}).get("id") == self.number:
                return message["reply"]
        return None

    def leave(self) -> None:
        self.socket.close()


class Follower(WebBystander):
    """Follows the frames of a session that moves. Its waits are the gaps between them."""

    bounds = {"frame": 100}
    rest = 0

    def __init__(self, place: tuple[str, int], session: str = "moving"):
        super().__init__(place)
        self.topic, self.last = f"frame/{session}", None
        self.say({"subscribe": self.topic})
        assert self.ask("open", session=session, scene=moving())["ok"]
        self.before = time.monotonic()

    def look(self) -> None:
        message = self.next()
        if message.get("topic") != self.topic:
            return
        self.note("frame", self.before)
        self.before = time.monotonic()
        first, last = (message["body"].get(key) for key in ("since", "seq"))
        if self.last is not None and (first or last) != self.last + 1:
            self.faults.append(f"a hole from {self.last} to {first or last}")
        self.last = last


class WebPeer(WebBystander):
    """Does in turn what clients of gesture-web do, and waits for each."""

    bounds = {"web state": 100, "web publish": 300, "snapshot": 300}

    def __init__(self, place: tuple[str, int], session: str = "visitor"):
        super().__init__(place)
        self.session, self.offset = session, 0
        assert self.ask("open", session=session, scene=still())["ok"]
        self.say({"subscribe": f"state/{session}/profile"})

    def look(self) -> None:
        self.offset = self.offset % 500 + 1
        began = time.monotonic()
        self.say({"topic": f"gesture/{self.session}/profile", "body": {
            "gesture": "scroll", "phase": "changed", "offset": self.offset}})
        self.note("web state", began, is_over=self.arrives(began + PATIENCE))
        for what, op, fields in (
            ("web publish", "publish",
             {"topic": f"notification/{self.session}", "body": {"kind": "likes"}}),
            ("snapshot", "snapshot", {"session": self.session}),
        ):
            began = time.monotonic()
            reply = self.ask(op, **fields)
            if reply and not reply["ok"]:
                self.faults.append(f"{what}: {reply['error']}")
            self.note(what, began, is_over=reply is not None)

    def arrives(self, end: float) -> bool:
        """Whether the state comes until then."""
        while (message := self.next(end)) is not None:
            if message.get("error"):
                self.faults.append(f"refused: {message}")
                return False
            if message.get("body", {}).get("model", {}).get("offset") == self.offset:
                return True
        return False


class Arrival(Bystander):
    """Opens a WebSocket each time, and waits for the answer to its first request."""

    bounds = {"first request": 300}
    rest = 0.05

    def __init__(self, place: tuple[str, int]):
        super().__init__()
        self.place, self.name = place, "arrival"

    def look(self) -> None:
        began = time.monotonic()
        client = WebBystander(self.place)
        try:
            reply = client.ask("time")
            if reply and not reply["ok"]:
                self.faults.append(f"first request: {reply['error']}")
            self.note("first request", began, is_over=reply is not None)
        finally:
            client.leave()


class Newcomer(Bystander):
    """Asks for /healthz by a new connection each time."""

    bounds = {"newcomer": 1_000}
    rest = 0.05

    def __init__(self, place: tuple[str, int]):
        super().__init__()
        self.place = place

    def look(self) -> None:
        began = time.monotonic()
        try:
            with socket.create_connection(self.place, timeout=5) as opened:
                opened.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                answer = opened.recv(65_536)
        except OSError as error:
            answer = repr(error).encode()
        is_served = answer.startswith(b"HTTP/1.1 200 ")
        if not is_served:
            self.faults.append(f"a newcomer: {answer[-60:]!r}")
        self.note("newcomer", began, is_over=is_served)


class Machine(Bystander):
    """Sleeps, asks a process of its own, and writes to the disk.

    It knows neither daemon nor gesture-web, so it notices how long the machine itself keeps a
    process waiting.
    """

    bounds = {"machine": NEVER_MS, "disk": NEVER_MS}
    ECHO = "import os\nwhile data := os.read(0, 1): os.write(1, data)"

    def __init__(self, folder: pathlib.Path):
        super().__init__()
        self.echo = subprocess.Popen(
            [sys.executable, "-c", self.ECHO], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.file = open(folder / "machine", "wb", buffering=0)

    def look(self) -> None:
        began = time.monotonic()
        self.file.seek(0)
        self.file.write(bytes(100))
        os.fsync(self.file.fileno())
        self.note("disk", began)
        due = time.monotonic() + 0.005
        time.sleep(0.005)
        os.write(self.echo.stdin.fileno(), b"x")
        os.read(self.echo.stdout.fileno(), 1)
        self.note("machine", due)

    def leave(self) -> None:
        self.file.close()
        self.echo.stdin.close()
        self.echo.wait(DEADLINE)
        self.echo.stdout.close()


class Rejected(Bystander):
    """Sends events that are refused for its own session, and waits until it hears of each."""

    bounds = {"rejection": 1_000}
    # The daemon tells ten a second.
    rest = 0.2

    def __init__(self, daemon: Daemon, control: Control, session: str):
        super().__init__()
        self.session, self.number = session, 0
        control.open(session, still())
        self.updates = daemon.subscriber(f"rejected/{session}").socket
        self.publisher = daemon.publisher()

    def look(self) -> None:
        self.number += 1
        began = time.monotonic()
        self.publisher.send(f"command/{self.session}/toss", {"command": f"own-{self.number}"})
        while self.updates.poll(max(0, began + 5 - time.monotonic()) * 1_000):
            body = json.loads(self.updates.recv_multipart()[1])
            if f'"own-{self.number}"' in body["excerpt"]:
                self.note("rejection", began)
                return
            if "own-" not in body["excerpt"]:
                self.faults.append(f"a stranger's rejection: {body['code']}, {body['excerpt']}")
        self.faults.append(f"its own rejection {self.number} never came")
        self.note("rejection", began, is_over=False)

    def leave(self) -> None:
        self.updates.close()
        self.publisher.socket.close()


def p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)] if times else NEVER_MS
