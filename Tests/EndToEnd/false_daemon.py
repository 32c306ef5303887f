"""A peer that speaks the protocol's frames and puts whatever it likes into every field."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

import zmq

# Characters that a terminal obeys, that forge a line, or that turn the writing direction around.
CONTROLS = (
    [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))]
    + list("\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e")
    + list("\u2066\u2067\u2068\u2069\ufeff\U000e0001"))
HOSTILE = "a\x1b]0;x\x07\x9b2J\r" + "".join(CONTROLS) + "é🚀"


class FalseDaemon:
    """Answers each request by `answers[op]`, on loopback, until the end of the block."""

    def __init__(self, answers: dict[str, Callable[[dict], dict]], updates: list[tuple] = ()):
        self.answers = answers
        # Topics and bodies to publish once somebody subscribes to `prefix`.
        self.due = list(updates)
        self.context = zmq.Context()
        self.context.linger = 0
        self.control = self.context.socket(zmq.ROUTER)
        self.updates = self.context.socket(zmq.XPUB)
        self.events = self.context.socket(zmq.SUB)
        self.events.subscribe(b"")
        self.prepare()
        self.endpoints = {}
        for name in ("control", "updates", "events"):
            port = getattr(self, name).bind_to_random_port("tcp://127.0.0.1")
            self.endpoints[f"GESTURED_{name.upper()}"] = f"tcp://127.0.0.1:{port}"
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.serve)

    def prepare(self) -> None:
        """Called before the sockets are bound."""

    def __enter__(self) -> FalseDaemon:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopped.set()
        self.thread.join()
        self.context.destroy(linger=0)

    def serve(self) -> None:
        poller = zmq.Poller()
        for socket in (self.control, self.updates, self.events):
            poller.register(socket, zmq.POLLIN)
        while not self.stopped.is_set():
            for socket, _ in poller.poll(20):
                frames = socket.recv_multipart()
                if socket is self.control:
                    self.answer(frames)
                elif socket is self.updates:
                    self.welcome(frames[0])

    def answer(self, frames: list[bytes]) -> None:
        request = json.loads(frames[-1])
        reply = self.answers[request["op"]](request)
        frames[-1] = json.dumps({"ok": True, "id": request["id"], **reply}).encode()
        self.control.send_multipart(frames)

    def welcome(self, subscription: bytes) -> None:
        """Answers a subscription to `sync/…` as the protocol has it, then publishes."""
        topic = subscription[1:]
        if subscription[:1] != b"\1" or not topic.startswith(b"sync/"):
            return
        self.publish(topic.decode(), {"epoch": "e", "seq": 1, "t": 0})
        due, self.due = self.due, []
        for topic, body in due:
            self.publish(topic, body)

    def publish(self, topic: str, body: dict) -> None:
        # Characters go out as they are: an escape in the JSON would not be the peer's.
        text = json.dumps(body, ensure_ascii=False)
        self.updates.send_multipart([topic.encode(), text.encode()])


def refuse(request: dict) -> dict:
    return {"ok": False, "error": {"code": HOSTILE, "message": HOSTILE, HOSTILE: HOSTILE}}
