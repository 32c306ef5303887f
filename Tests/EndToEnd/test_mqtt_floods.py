"""gesturectl bridge mqtt, while others send its broker more than it can read, or less welcome."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import struct
import threading
import time
from collections.abc import Iterator

import pytest
from attacks import change
from broker import Bridge, Broker, House, bridged
from client import Control, Daemon
from costly_scenes import changed
from scenes import still

# Messages that the bridge reads and that are none of its own: of another device of the house, a
# value of another bridge, and nonsense.
FLOODS = {
    "entities": (b"homeassistant/sensor/gestured_x/y/config", b"[" + b"0," * 32_000 + b"0]"),
    "nonsense": (b"gestured/{}/notify", b"two words"),
}
FLOOD_SECONDS = 6.0
# Requests of a session that is kept busy, above the 512 that have room.
UNDER_WAY = 600


def text(part: bytes) -> bytes:
    return struct.pack(">H", len(part)) + part


def packet(kind: int, body: bytes) -> bytes:
    size, rest = b"", len(body)
    while rest or not size:
        size, rest = size + bytes([rest & 127 | (128 if rest > 127 else 0)]), rest >> 7
    return bytes([kind]) + size + body


@contextlib.contextmanager
def flooded(broker: Broker, topic: bytes, payload: bytes) -> Iterator[None]:
    """A client that publishes with QoS 0 as fast as the broker takes it."""
    sender = socket.create_connection(("127.0.0.1", broker.port), timeout=1)
    sender.sendall(packet(0x10, text(b"MQTT") + b"\x04\x02\x00\x3c" + text(b"flood")))
    assert sender.recv(4)[:1] == b"\x20"
    message = packet(0x30, text(topic) + payload)
    data = message * max(1, 1_000_000 // len(message))
    end = time.monotonic() + FLOOD_SECONDS

    def flood() -> None:
        place = 0
        while time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                place = (place + sender.send(data[place:])) % len(data)

    thread = threading.Thread(target=flood)
    thread.start()
    try:
        yield
    finally:
        thread.join()
        sender.close()


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_at_the_broker_keeps_no_value_and_no_signal_back(
    daemon: Daemon, control: Control, session: str, broker: Broker, name: str,
) -> None:
    opened = f"flooded-{session}"
    control.open(opened, still())
    topic, payload = FLOODS[name]
    with bridged(daemon, broker, opened) as (bridge, house):
        # Else it reads the flood, too, and slower.
        house.client.unsubscribe("#")
        house.client.subscribe("gestured/+/badges/total", qos=1)
        with flooded(broker, topic.replace(b"{}", opened.encode()), payload):
            time.sleep(1)
            control.ok("publish", topic=f"notification/{opened}", body={"kind": "likes"})
            house.expect(f"gestured/{opened}/badges/total", "1", seconds=3)
            began = time.monotonic()
            bridge.process.send_signal(signal.SIGTERM)
            bridge.process.wait(FLOOD_SECONDS)
            assert time.monotonic() - began < 3
    assert bridge.process.returncode == 0


@contextlib.contextmanager
def kept_busy(daemon: Daemon, session: str) -> Iterator[None]:
    """Requests that change a large scene, more than the session has room for."""
    ending = threading.Event()

    def ask() -> None:
        control, number, under_way = daemon.requests(), 0, 0
        while not ending.is_set():
            while under_way < UNDER_WAY:
                topic, body = change(session, number)
                control.socket.send(json.dumps({
                    "id": number, "op": "publish", "topic": topic.decode(),
                    "body": json.loads(body)}).encode())
                number, under_way = number + 1, under_way + 1
            while under_way and control.socket.poll(20):
                control.socket.recv_multipart()
                under_way -= 1

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ending.set()
        for thread in threads:
            thread.join()


def test_messages_for_a_busy_session_do_not_keep_those_for_others(
    daemon: Daemon, control: Control, session: str, broker: Broker,
) -> None:
    busy, calm = f"busy-{session}", f"calm-{session}"
    control.open(busy, changed(0))
    control.open(calm, "phone")
    with House(broker) as house, Bridge(daemon, broker):
        for name in (busy, calm):
            house.expect(f"gestured/{name}/availability", "online")
        with kept_busy(daemon, busy):
            time.sleep(1)
            for count in range(1, 6):
                house.publish(f"gestured/{busy}/notify", "likes")
                time.sleep(0.05)
                house.publish(f"gestured/{calm}/notify", "likes")
                # The broker hears nothing until the busy session has answered, behind all requests
                # before it, and a second or two beyond that.
                house.expect(f"gestured/{calm}/badges/total", str(count), seconds=15)
    control.ok("close", session=busy)
    control.ok("close", session=calm)
