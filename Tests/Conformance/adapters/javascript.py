#!/usr/bin/env python3
"""The adapter of Clients/web/gestured.js: in Debian's chromium, through the real gesture-web.

GESTURE_WEB_BIN or GESTURED_BIN say where gesture-web is. It follows one session as a picture, so
that it watches `scene/`, `frame/`, `session/` and `rejected/` of one session, and nothing else. It
has no hit test and no curves: the daemon says who is hit, and frames come with every step.
"""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import queue
import signal
import subprocess
import sys
import threading
import time

import zmq

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests" / "EndToEnd"))

from browser import Browser, gateway_binary  # noqa: E402
from webpage import painted  # noqa: E402

# Seconds: of a wait for the browser or the bridge; between looks at the page; until an adapter
# whose input has ended is ended.
WAIT, PAUSE, END = 20.0, 0.005, 1.0
# The beginning of gesture-web's first line.
READY = "gesture-web ready "
KINDS = ("scene", "frame", "session", "rejected")
# Runs in the page: what the client tells goes into `out`, which the adapter empties.
SETUP = """
window.client?.close();
window.web = await import("/gestured.js");
window.client = web.connect();
window.out = [];
window.asks = (promise) => promise.then(
    (done) => out.push({ done: done ?? {} }),
    ({ code, message }) => out.push({ failed: { code, message: message ?? "" } }));
window.watches = (name, kinds) => {
    const session = client.watch(name), told = new Set();
    for (const kind of kinds)
        session.addEventListener(kind, ({ detail: body }) =>
            body && out.push({ yield: { topic: `${kind}/${name}`, body } }));
};
"""


class Control(threading.Thread):
    """Stands before the control socket, and makes the peer of a case more like a daemon.

    The peer sends no heartbeats, so the bridge asks for the time as a sign of life: that is
    answered here, for a case knows nothing of it. All other requests pass. So do answers, written
    as the daemon writes them, the id first and without spaces: the bridge reads no others.
    """

    def __init__(self, endpoint: str):
        super().__init__(daemon=True)
        self.context = zmq.Context()
        self.context.linger = 0
        self.front, self.back = self.context.socket(zmq.ROUTER), self.context.socket(zmq.DEALER)
        self.endpoint = f"tcp://127.0.0.1:{self.front.bind_to_random_port('tcp://127.0.0.1')}"
        self.back.reconnect_ivl, self.back.reconnect_ivl_max = 20, 100
        self.back.connect(endpoint)
        self.start()

    def run(self) -> None:
        poller = zmq.Poller()
        poller.register(self.front, zmq.POLLIN)
        poller.register(self.back, zmq.POLLIN)
        with contextlib.suppress(zmq.ContextTerminated, zmq.ZMQError), self.front, self.back:
            while True:
                for socket, _ in poller.poll():
                    frames = socket.recv_multipart()
                    if socket is self.back:
                        self.front.send_multipart([self.bridge, as_daemon(frames[-1])])
                    else:
                        self.pass_on(frames)

    def pass_on(self, frames: list[bytes]) -> None:
        self.bridge, *rest = frames
        request = json.loads(rest[-1])
        if request.keys() == {"id", "op"} and request["op"] == "time":
            self.front.send_multipart(
                [self.bridge, as_daemon(json.dumps({"id": request["id"], "ok": True}).encode())])
        else:
            self.back.send_multipart(rest)

    def close(self) -> None:
        # The thread closes its own sockets: another one must not while it uses them.
        self.context.term()
        self.join()


def as_daemon(reply: bytes) -> bytes:
    try:
        read = json.loads(reply)
        return json.dumps({"id": read.pop("id"), **read}, separators=(",", ":")).encode()
    except (ValueError, KeyError, AttributeError):
        return reply


class Bridge:
    """gesture-web before the sockets of a case."""

    def __init__(self, line: dict):
        self.control = Control(line["control"])
        # The system chooses the port: one that was free a moment ago may be taken.
        self.process = subprocess.Popen(
            [str(gateway_binary()), "--listen", "127.0.0.1:*", "--files",
             str(ROOT / "Clients" / "web"), "--events", line["events"], "--updates",
             line["updates"], "--control", self.control.endpoint],
            stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        ready = self.process.stdout.readline()
        if not ready.startswith(READY):
            raise SystemExit(f"gesture-web did not start: {ready!r}")
        self.address = ready.removeprefix(READY).strip()

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.control.close()


class Adapter:
    def __init__(self, browser: Browser):
        self.browser, self.bridge, self.watched = browser, None, []
        self.lines: queue.SimpleQueue = queue.SimpleQueue()
        self.has_ended = threading.Event()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        for line in sys.stdin:
            self.lines.put(json.loads(line))
        self.lines.put(None)
        # A case may have failed while the page waits for an answer that never comes: then only
        # this thread can end the browser.
        if not self.has_ended.wait(END):
            if self.bridge:
                self.bridge.process.kill()
            self.browser.driver.quit()
            os._exit(1)

    def run(self) -> None:
        try:
            self.answer_all()
        finally:
            self.has_ended.set()
            if self.bridge:
                self.bridge.close()

    def answer_all(self) -> None:
        while True:
            try:
                line = self.lines.get(timeout=PAUSE)
            except queue.Empty:
                self.drain()
                continue
            if line is None:
                return
            self.say(getattr(self, line["do"])(line))

    @staticmethod
    def say(line: dict) -> None:
        print(json.dumps(line), flush=True)

    def drain(self) -> dict | None:
        """Tells what the page was told; returns an answer if there is one."""
        answer = None
        if self.bridge is not None:
            for line in self.browser.run("return out.splice(0)"):
                if "yield" not in line:
                    answer = line
                elif any(line["yield"]["topic"].startswith(one) for one in self.watched):
                    self.say(line)
        return answer

    def do(self, script: str, *arguments: object):
        """Runs a script, whose `args` are given as text: the driver would sort the keys."""
        return self.browser.run(
            f"args = JSON.parse(args[0]); return {script}", json.dumps(arguments))

    def awaited(self, script: str, *arguments: object) -> dict:
        self.do(f"void asks({script})", *arguments)
        while (answer := self.drain()) is None:
            time.sleep(PAUSE)
        return answer

    def connect(self, line: dict) -> dict:
        if self.bridge:
            self.bridge.close()
        self.bridge, self.watched = Bridge(line), []
        self.browser.open(f"{self.bridge.address}gestured.js")
        self.browser.run(SETUP)
        self.browser.until("client.state === 'open' && client.web?.daemon", deadline=WAIT)
        return {"connected": True}

    def watch(self, line: dict) -> dict:
        places = {prefix.partition("/")[::2] for prefix in line["prefixes"]}
        names = {name for _, name in places}
        if len(names) != 1 or not {kind for kind, _ in places} <= set(KINDS):
            raise SystemExit(f"gestured.js cannot watch {line['prefixes']}")
        self.watched = line["prefixes"]
        self.do("watches(...args)", names.pop(), sorted({kind for kind, _ in places}))
        return {"watching": True}

    def publish(self, line: dict) -> dict:
        topic, body = line["topic"], line["body"]
        if line["ack"]:
            return self.awaited("client.acknowledged(...args)", topic, body)
        self.do("client.publish(...args)", topic, body)
        return {"done": {}}

    def request(self, line: dict) -> dict:
        return self.awaited("client.request(...args)", line["op"], line["fields"])

    def curve(self, line: dict) -> dict:
        """It moves from frame to frame in a straight line, and knows no other curve."""
        if line.get("name") != "linear":
            raise SystemExit(f"gestured.js has no curve {line.get('name', line.get('curve'))}")
        nothing = dict.fromkeys(("x", "y", "w", "h", "rotation", "scale", "alpha"), 0)
        moved = self.do("web.interpolate(...args)", nothing, nothing | {"x": 1}, line["x"])
        return {"y": moved["x"]}

    def layers(self, line: dict) -> dict:
        found = self.do(
            "web.layers(args[0], new Map(args[1]))", line["scene"], list(line["states"].items()))
        return {"layers": [
            {"component": one.component, "view": one.view, "w": one.area.w, "h": one.area.h,
             "matrix": [one.area.matrix.a, one.area.matrix.b, one.area.matrix.c,
                        one.area.matrix.d, one.area.matrix.e, one.area.matrix.f],
             "alpha": one.alpha, "round": one.is_circle} for one in painted(found)]}


if __name__ == "__main__":
    # An order to end ends the browser, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    os.environ.setdefault("GESTURED_BIN", str(ROOT / ".build" / "debug" / "gestured"))
    with Browser() as browser:
        Adapter(browser).run()
