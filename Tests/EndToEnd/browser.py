"""A real browser before the real daemon: Debian's chromium, gesture-web, and a way between them.

`GESTURE_WEB_BIN` names another gesture-web than the one beside the daemon.
"""

from __future__ import annotations

import asyncio
import contextlib
import http
import json
import mimetypes
import os
import pathlib
import subprocess
import threading
import time
from collections.abc import Callable, Iterator

import pytest
import zmq
from client import DEADLINE, REPOSITORY, Daemon, binary
from ports import free_port
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response

FILES = REPOSITORY / "Clients" / "web"
CHROMIUM, DRIVER = pathlib.Path("/usr/bin/chromium"), pathlib.Path("/usr/bin/chromedriver")
ELSEWHERE = "elsewhere.test"
FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
         "--hide-scrollbars", "--force-device-scale-factor=1", "--mute-audio",
         # A host that is not this machine by name, as for a phone: an insecure context.
         f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1")
# Runs a body with `await`, and gives its result or its error. The driver would sort keys, so that
# the result goes as text.
ASYNC = """
const done = arguments[arguments.length - 1];
(async (...args) => { %s })(...arguments).then(
    (value) => done({ text: JSON.stringify(value ?? null) }),
    (error) => done({ error: String(error.stack) }));
"""


def gateway_binary() -> pathlib.Path:
    default = binary().with_name("gesture-web")
    return pathlib.Path(os.environ.get("GESTURE_WEB_BIN", default)).resolve()


class Gateway:
    """gesture-web in its own process, which keeps its port over a restart."""

    def __init__(self, daemon: Daemon, *arguments: object):
        if not gateway_binary().is_file():
            pytest.skip(f"there is no gesture-web at {gateway_binary()}")
        self.daemon, self.arguments = daemon, arguments
        self.listen = f"127.0.0.1:{free_port()}"
        self.process: subprocess.Popen | None = None

    @property
    def url(self) -> str:
        return f"http://{self.listen}/"

    def start(self) -> Gateway:
        self.errors = open(self.daemon.folder / "web-stderr", "wb")
        self.process = subprocess.Popen(
            [str(gateway_binary()), "--listen", self.listen, "--files", str(FILES),
             *(word for name in ("events", "updates", "control")
               for word in (f"--{name}", getattr(self.daemon, name).split(",")[0])),
             *map(str, self.arguments)],
            stdout=subprocess.PIPE, stderr=self.errors, stdin=subprocess.DEVNULL)
        poller = zmq.Poller()
        poller.register(self.process.stdout.fileno(), zmq.POLLIN)
        line = self.process.stdout.readline() if poller.poll(DEADLINE * 1000) else b""
        assert line.startswith(f"gesture-web ready {self.url}".encode()), f"{line!r}\n{self.log()}"
        return self

    def log(self) -> str:
        return (self.daemon.folder / "web-stderr").read_text(errors="replace")[-4000:]

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(DEADLINE)
        self.process.stdout.close()
        self.errors.close()

    def restart(self) -> None:
        self.stop()
        self.start()

    def __enter__(self) -> Gateway:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()


class Way:
    """Serves the files, and relays WebSockets to a gateway. It loses what a test wants lost."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        # Messages in both directions, in their order.
        self.up: list[dict] = []
        self.down: list[dict] = []
        self.passes: Callable[[dict], bool] = lambda message: True
        self.is_frozen = False
        self.pairs: set = set()
        self.connections = 0
        self.loop = asyncio.new_event_loop()
        self.ready = threading.Event()
        self.thread = threading.Thread(target=self.loop.run_until_complete, args=[self.serve()])

    def __enter__(self) -> Way:
        self.thread.start()
        assert self.ready.wait(DEADLINE), "the way does not open"
        return self

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.end.set)
        self.thread.join(DEADLINE)

    async def serve(self) -> None:
        self.end = asyncio.Event()
        async with serve(self.relay, "127.0.0.1", 0, process_request=self.file,
                         max_size=None, ping_interval=None) as server:
            self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
            self.ready.set()
            await self.end.wait()
            self.abort()

    def file(self, _, request) -> Response | None:
        if request.headers.get("Upgrade"):
            return None
        path = FILES / request.path.split("?")[0].lstrip("/")
        is_there = path.is_file() and path.resolve().is_relative_to(REPOSITORY)
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        data = path.read_bytes() if is_there else b""
        status = http.HTTPStatus.OK if is_there else http.HTTPStatus.NO_CONTENT
        return Response(status, status.phrase, Headers([
            ("Content-Type", kind), ("Content-Length", str(len(data))),
            ("Cache-Control", "no-store"), ("Connection", "close")]), data)

    async def relay(self, page) -> None:
        self.connections += 1
        # The gateway may be away; then the page's connection ends, too.
        with contextlib.suppress(OSError, ConnectionClosed, TimeoutError):
            url = self.gateway.url.replace("http", "ws")
            origin = self.gateway.url.rstrip("/")
            async with connect(url, origin=origin, max_size=None, ping_interval=None) as gateway:
                self.pairs.add((page, gateway))
                tasks = [asyncio.ensure_future(self.pump(*way)) for way in (
                    (page, gateway, self.up), (gateway, page, self.down))]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
                self.pairs.discard((page, gateway))

    async def pump(self, source, sink, log: list[dict]) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in source:
                message = json.loads(text)
                if self.is_frozen or not self.passes(message):
                    continue
                log.append(message)
                await sink.send(text)

    def abort(self) -> None:
        for page, gateway in list(self.pairs):
            page.transport.abort()
            gateway.transport.abort()

    def cut(self) -> None:
        """Breaks all connections without a word."""
        self.loop.call_soon_threadsafe(self.abort)

    def tell(self, message: dict) -> None:
        """Sends a message to the pages as if it came from the gateway."""
        async def send() -> None:
            for page, _ in list(self.pairs):
                await page.send(json.dumps(message))
        asyncio.run_coroutine_threadsafe(send(), self.loop).result(DEADLINE)

    def requests(self, op: str) -> list[dict]:
        return [one["request"] for one in list(self.up) if one.get("request", {}).get("op") == op]


class Browser:
    """Chromium with an empty profile. Every test looks at its console's errors."""

    def __init__(self, width: int = 500, height: int = 800):
        for file in (CHROMIUM, DRIVER):
            if not file.exists():
                pytest.skip(f"there is no {file}: apt-get install chromium chromium-driver")
        options = webdriver.ChromeOptions()
        options.binary_location = str(CHROMIUM)
        for flag in (*FLAGS, f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(str(DRIVER)))
        self.driver.set_script_timeout(DEADLINE)

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.quit()

    def open(self, url: str) -> None:
        self.driver.get(url)

    def run(self, script: str, *arguments: object):
        """Runs the body of an asynchronous function in the page; it may return a value."""
        answer = self.driver.execute_async_script(ASYNC % script, *arguments)
        assert "error" not in answer, f"{answer['error']}\nin {script}"
        return json.loads(answer["text"])

    def until(self, expression: str, *arguments: object, deadline: float = DEADLINE):
        """The first value of a script's expression that is true."""
        end = time.monotonic() + deadline
        while time.monotonic() < end:
            if value := self.run(f"return {expression}", *arguments):
                return value
            time.sleep(0.02)
        raise AssertionError(f"never: {expression}\n{self.errors()}")

    def errors(self) -> list[str]:
        """All that the console has told as an error or a warning since the last call."""
        return [one["message"] for one in self.driver.get_log("browser")
                if one["level"] in ("SEVERE", "WARNING")]

    def input(self, kind: str, **fields: object) -> None:
        """One real event: `Input.dispatchMouseEvent`, `dispatchTouchEvent`, …"""
        self.driver.execute_cdp_cmd(f"Input.dispatch{kind}Event", fields)

    def drag(self, points: list[tuple[float, float]], pause: float = 0.016) -> None:
        """Presses the mouse at the first point, moves it over the others, and lets it go."""
        mouse = {"button": "left", "clickCount": 1}
        (x, y), *others = points
        self.input("Mouse", type="mouseMoved", x=x, y=y)
        self.input("Mouse", type="mousePressed", x=x, y=y, buttons=1, **mouse)
        for x, y in others:
            time.sleep(pause)
            self.input("Mouse", type="mouseMoved", x=x, y=y, button="left", buttons=1)
        self.input("Mouse", type="mouseReleased", x=x, y=y, **mouse)

    def screenshot(self, path: pathlib.Path) -> pathlib.Path:
        assert self.driver.save_screenshot(str(path))
        return path


@contextlib.contextmanager
def way(daemon: Daemon) -> Iterator[Way]:
    with Gateway(daemon) as gateway, Way(gateway) as one:
        yield one
