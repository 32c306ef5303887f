"""How `gesturectl bridge mqtt` is given its broker."""

from __future__ import annotations


import pytest
from broker import Broker, House
from client import Control, Daemon
from tool import Tool, ctl


@pytest.fixture
def opened(control: Control, session: str) -> str:
    name = f"place-{session}"
    control.open(name, "phone")
    return name


@pytest.mark.parametrize("form", ["mqtt://{}", "MQTT://{}/", "{}", "mqtt://{}/"])
def test_the_broker_is_taken_as_the_bridge_prints_it(
    daemon: Daemon, broker: Broker, opened: str, form: str,
) -> None:
    place = f"127.0.0.1:{broker.port}"
    words = ["bridge", "mqtt", "--ledger", broker.folder / "ledger", "--session", opened]
    with House(broker) as house, \
            Tool(daemon, *words, "--broker", form.format(place)) as bridge:
        assert f"ready mqtt://{place} as ".encode() in bridge.process.stdout.readline()
        house.expect(f"gestured/{opened}/availability", "online")


@pytest.mark.parametrize("place", [
    "http://localhost:1883", "mqtt://", "mqtt://user:secret@localhost", "mqtt://localhost/topic",
    "mqtt://localhost:x", "://localhost", "localhost/", "mqtt://mqtt://localhost"])
def test_a_broker_that_cannot_be_is_refused_with_what_can(place: str) -> None:
    ended = ctl("bridge", "mqtt", "--broker", place)
    assert ended.returncode == 2, ended
    assert b"--broker must be HOST, HOST:PORT, mqtt://HOST:PORT or mqtts://" in ended.stderr


def test_mqtts_is_tls(daemon: Daemon, broker: Broker) -> None:
    """The broker speaks no TLS, so the bridge says that it cannot agree on it."""
    words = ["bridge", "mqtt", "--ledger", broker.folder / "ledger"]
    with Tool(daemon, *words, "--broker", f"mqtts://127.0.0.1:{broker.port}") as bridge:
        assert b"ready mqtts://127.0.0.1" in bridge.process.stdout.readline()
        bridge.said(rf"gesturectl: mqtts://127\.0\.0\.1:{broker.port}: .*; trying again")
