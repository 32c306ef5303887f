"""Debian's mosquitto as a process, and other people's client of it."""

from __future__ import annotations

import contextlib
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator

import paho.mqtt.client as paho
import pytest
from client import DEADLINE, Daemon, binary
from documents import wait_until
from ports import free_port
from tool import Tool

CLIENT = "bridge"
# Where the bridge of most tests says whether it is there.
AVAILABILITY = f"gestured/bridges/{CLIENT}/availability"
STEADY = "max_queued_messages 0\nautosave_interval 1\n"


def mosquitto() -> str:
    # Debian puts it where only root's path leads.
    found = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip("mosquitto is not installed")
    return found


class Broker:
    """A mosquitto on a free port that keeps its sessions on its disk."""

    def __init__(self, config: str = "allow_anonymous true\n", head: str = ""):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gestured-mqtt-"))
        self.port = free_port()
        self.config = self.folder / "mosquitto.conf"
        listener = f"listener {self.port} 127.0.0.1\n{head}"
        self.config.write_text(
            f"{STEADY}persistence true\npersistence_location {self.folder}/\n"
            # Started as root it would change to a user who may not write here.
            f"user root\n{listener}{config}", encoding="utf-8")
        self.process: subprocess.Popen | None = None

    def start(self) -> Broker:
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [mosquitto(), "-c", str(self.config)], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log)
        wait_until(self.accepts, "mosquitto listens")
        return self

    def accepts(self) -> bool:
        assert self.process.poll() is None, self.log()
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.connect(("127.0.0.1", self.port))
            return True
        return False

    def log(self) -> str:
        return (self.folder / "log").read_text()

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(DEADLINE)

    def restart(self, number: int = signal.SIGTERM) -> None:
        self.stop(number)
        self.start()

    def __enter__(self) -> Broker:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class House:
    """A client of the broker that sees everything, and publishes with QoS 1."""

    def __init__(self, broker: Broker, **user: str):
        self.broker = broker
        # After each new connection it publishes again what the broker had not acknowledged.
        self.connections = 0
        self.changed = threading.Condition()
        self.values: dict[str, str] = {}
        self.said: list[tuple[str, str]] = []
        self.client = paho.Client(paho.CallbackAPIVersion.VERSION2)
        self.client.max_inflight_messages_set(200)
        self.client.reconnect_delay_set(1, 1)
        self.client.on_connect = self._subscribe
        self.client.on_message = self._take
        if user:
            self.client.username_pw_set(user["username"], user["password"])
        subscribed = threading.Event()
        self.client.on_subscribe = lambda *_: subscribed.set()
        self.client.connect("127.0.0.1", broker.port)
        self.client.loop_start()
        assert subscribed.wait(DEADLINE), "the broker does not answer its own client"

    def _subscribe(self, client: paho.Client, *_: object) -> None:
        self.connections += 1
        client.subscribe("#", qos=1)

    def _take(self, client: object, owner: object, message: paho.MQTTMessage) -> None:
        text = message.payload.decode(errors="replace")
        with self.changed:
            self.said.append((message.topic, text))
            if text:
                self.values[message.topic] = text
            else:
                self.values.pop(message.topic, None)
            self.changed.notify_all()

    def wait(self, condition: Callable[[], object], why: str, seconds: float = DEADLINE) -> None:
        with self.changed:
            assert self.changed.wait_for(condition, seconds), (
                f"waited {seconds} s until {why}; connected {self.connections} times; the last "
                f"messages: {self.said[-6:]}; the broker: {self.broker.log()[-1_000:]}")

    def expect(self, topic: str, text: str | None, seconds: float = DEADLINE) -> None:
        """Waits for a topic's value; None: for it to be forgotten."""
        self.wait(
            lambda: self.values.get(topic) == text, f"{topic} is {text}, not "
            f"{self.values.get(topic)}", seconds)

    def publish(self, topic: str, body: object) -> paho.MQTTMessageInfo:
        text = body if isinstance(body, (str, bytes)) else json.dumps(body)
        return self.client.publish(topic, text, qos=1)

    def tell(self, topic: str, body: object) -> None:
        """Publishes, and waits until the broker has it."""
        info = self.publish(topic, body)
        info.wait_for_publish(DEADLINE)
        assert info.is_published(), f"the broker did not take {topic}"

    def configs(self, session: str) -> dict[str, dict]:
        """The configurations of a session for Home Assistant, by topic."""
        pattern = re.compile(rf"homeassistant/[a-z]+/gestured_{session}/[\w-]+/config")
        with self.changed:
            return {
                topic: json.loads(text) for topic, text in self.values.items()
                if pattern.fullmatch(topic)}

    def __enter__(self) -> House:
        return self

    def __exit__(self, *_: object) -> None:
        self.client.disconnect()
        self.client.loop_stop()


class Bridge(Tool):
    """`gesturectl bridge mqtt` in its own process."""

    def __init__(self, daemon: Daemon, broker: Broker, *arguments: object, session: str = ""):
        assert binary().with_name("gesturectl").is_file()
        words = ["bridge", "mqtt", "--broker", f"127.0.0.1:{broker.port}"]
        words += ["--ledger", broker.folder / "ledger", "--client-id", CLIENT]
        words += ["--session", session] if session else []
        super().__init__(daemon, *words, *arguments)


@contextlib.contextmanager
def bridged(
    daemon: Daemon, broker: Broker, session: str, *arguments: object
) -> Iterator[tuple[Bridge, House]]:
    """A bridge of one session that is there, and a client that sees it."""
    words = dict(zip(arguments, arguments[1:]))
    client = words.get("--client-id", CLIENT)
    with House(broker) as house, Bridge(daemon, broker, *arguments, session=session) as bridge:
        house.expect(f"gestured/bridges/{client}/availability", "online")
        house.expect(f"gestured/{session}/availability", "online")
        yield bridge, house


def counters(text: str) -> dict[str, int]:
    """The counters of a bridge's last line."""
    line = re.findall(r"^(?:\S+Z )?bridge .*", text, re.M)[-1]
    return {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", line)}
