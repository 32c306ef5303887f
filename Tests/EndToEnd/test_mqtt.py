"""gesturectl bridge mqtt, with Debian's mosquitto and Eclipse's Python client."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator

import jinja2.sandbox
import pytest
from broker import AVAILABILITY, Bridge, Broker, House, bridged, counters
from client import DEADLINE, Control, Daemon
from documents import wait_until
from reliability import rests, wait_for
from tool import staying_daemon

numbers = itertools.count(1)


@pytest.fixture(scope="module")
def broker():
    with Broker() as broker:
        yield broker


@pytest.fixture
def opened(control: Control, session: str) -> str:
    """A session's name; the broker keeps it, so it must be no other file's."""
    name = f"house-{session}"
    control.ok("open", session=name, scene="phone")
    return name


def test_counts_and_phases_are_there_for_who_comes_later(
    daemon: Daemon, control: Control, broker: Broker, opened: str
) -> None:
    control.ok("publish", topic=f"notification/{opened}", body={"kind": "likes", "add": 3})
    with bridged(daemon, broker, opened) as (_, house):
        house.expect(f"gestured/{opened}/badges/total", "3")
        house.expect(f"gestured/{opened}/badges/counts/likes", "3")
        house.expect(f"gestured/{opened}/list/phase", "closed")
        house.expect(f"gestured/{opened}/tabs/shown", "home")
        select = {"command": "select", "index": 3}
        control.ok("publish", topic=f"command/{opened}/tabs", body=select)
        house.expect(f"gestured/{opened}/tabs/shown", "news")
        house.expect(f"gestured/{opened}/badges/counts/likes", "0")
        with House(broker) as later:
            later.expect(f"gestured/{opened}/tabs/shown", "news")
            later.expect(f"gestured/{opened}/badges/total", "0")
            later.expect(AVAILABILITY, "online")


def test_notifications_and_commands_come_in(
    daemon: Daemon, control: Control, broker: Broker, opened: str
) -> None:
    with bridged(daemon, broker, opened) as (bridge, house):
        house.tell(f"gestured/{opened}/notify", "likes")
        house.tell(f"gestured/{opened}/notify", {"kind": "likes", "add": 4, "id": "mine"})
        house.tell(f"gestured/{opened}/notify", {"kind": "likes", "add": 4, "id": "mine"})
        house.expect(f"gestured/{opened}/badges/total", "5")
        house.tell(f"gestured/{opened}/tips/command", "dismiss")
        house.expect(f"gestured/{opened}/tips/phase", "dismissed")
        house.tell(f"gestured/{opened}/navigation/command", {
            "command": "present", "screen": "compose", "transition": "in-via-scale"})
        house.expect(f"gestured/{opened}/navigation/shown", "compose")
        house.tell(f"gestured/{opened}/command", {"command": "resize", "viewport": [640, 480]})
        wait_until(
            lambda: control.ok("scene", session=opened)["scene"]["viewport"] == [640, 480],
            "the session has the other viewport")
        status, text = bridge.end(signal.SIGTERM)
    assert status == 0
    assert counters(text) | {"applied": 6, "duplicates": 1, "refused": 0} == counters(text)


REFUSED = [
    ("notify", b"", "bad-payload"), ("notify", b"{", "bad-payload"),
    ("notify", b"[1]", "bad-payload"), ("notify", b"\xff\xfe", "bad-payload"),
    ("notify", b"two words", "bad-payload"),
    ("notify", b"{}" + b" " * 65_500, "too-large"), ("notify", b"k" * 65, "bad-payload"),
    ("notify", b'{"add":1}', "missing-field"), ("notify", b'{"kind":1}', "bad-value"),
    ("notify", b'{"kind":"a","id":""}', "bad-value"),
    ("nobody/command", b"go", "unknown-component"),
    ("tabs/command", b"fly", "unknown-command"), ("a b/command", b"x", "bad-topic"),
]


def test_nonsense_is_told_and_counted_and_stops_nothing(
    daemon: Daemon, broker: Broker, opened: str
) -> None:
    with bridged(daemon, broker, opened) as (bridge, house):
        for number, (topic, payload, code) in enumerate(REFUSED):
            before = len(house.said)
            house.tell(f"gestured/{opened}/{topic}", payload)
            if number < 10:  # More are only counted in this second.
                house.wait(
                    lambda: any(
                        where == "gestured/rejected" and json.loads(text)["code"] == code
                        for where, text in house.said[before:]), f"{payload[:20]!r} is {code}")
        # Larger than the bridge allows the broker to send.
        house.tell(f"gestured/{opened}/notify", b"x" * 70_000)
        house.tell(f"gestured/{opened}/notify", "likes")
        house.expect(f"gestured/{opened}/badges/total", "1")
        status, text = bridge.end()
    assert status == 0
    found = counters(text)
    refused = sum(code in ("bad-payload", "bad-topic", "too-large") for *_, code in REFUSED)
    assert found["malformed"] == refused and found["refused"] == len(REFUSED) - refused
    assert found["applied"] == 1


def test_messages_kept_from_before_are_not_counted_at_each_start(
    daemon: Daemon, control: Control, broker: Broker, opened: str
) -> None:
    with House(broker) as house:
        house.client.publish(
            f"gestured/{opened}/notify", "likes", qos=1, retain=True).wait_for_publish(DEADLINE)
    for number in (1, 2):
        with bridged(daemon, broker, opened) as (bridge, house):
            house.tell(f"gestured/{opened}/notify", "mail")
            house.expect(f"gestured/{opened}/badges/counts/mail", str(number))
            bridge.end()
    assert f"gestured/{opened}/badges/counts/likes" not in house.values


# Home Assistant's documentation: what each platform requires beside a name and an id.
REQUIRED = {
    "sensor": {"state_topic"}, "button": {"command_topic"}, "select": {"command_topic", "options"},
    "event": {"state_topic", "event_types"}, "switch": {"command_topic"},
    "number": {"command_topic"}, "text": {"command_topic"}}
KNOWN = {
    "name", "unique_id", "state_topic", "command_topic", "command_template", "payload_press",
    "payload_on", "payload_off", "value_template", "mode", "min", "max", "step",
    "unit_of_measurement", "options", "event_types", "qos", "icon", "state_class", "availability",
    "availability_mode", "device", "origin"}


def discovered(house: House, session: str) -> dict[str, dict]:
    """All configurations of a session: they come by topic, or in the order of its scene."""
    house.wait(
        lambda: f"homeassistant/sensor/gestured_{session}/total/config" in house.values
        and f"gestured/{session}/tips/phase" in house.values
        and f"homeassistant/sensor/gestured_{session}/phase_tabs/config" in house.values,
        "it is discovered")
    return house.configs(session)


def test_home_assistant_gets_what_its_documentation_requires(
    daemon: Daemon, broker: Broker, opened: str
) -> None:
    with bridged(daemon, broker, opened) as (_, house):
        configs = discovered(house, opened)
        assert len({config["unique_id"] for config in configs.values()}) == len(configs) > 15
        for topic, config in configs.items():
            platform = topic.split("/")[1]
            assert re.fullmatch(r"homeassistant/\w+/[\w-]+/[\w-]+/config", topic)
            assert REQUIRED[platform] <= set(config) <= KNOWN, topic
            assert config["device"]["identifiers"] and config["origin"]["name"]
            assert config["availability_mode"] == "all"
            for entry in config["availability"]:
                assert house.values[entry["topic"]] == "online"
            # A value is there for what is shown; an event is told once, when it happens.
            if "state_topic" in config and platform != "event":
                house.wait(lambda: config["state_topic"] in house.values, config["state_topic"])
            if "options" in config:
                assert house.values[config["state_topic"]] in config["options"]


def test_its_buttons_and_selects_do_something(
    daemon: Daemon, broker: Broker, opened: str
) -> None:
    sandbox = jinja2.sandbox.ImmutableSandboxedEnvironment()
    with bridged(daemon, broker, opened) as (_, house):
        node = f"homeassistant/{{}}/gestured_{opened}/{{}}/config"
        configs = discovered(house, opened)
        for name, option in (("tabs", "share"), ("navigation", "compose")):
            select = configs[node.format("select", f"shown_{name}")]
            text = sandbox.from_string(select["command_template"]).render(value=option)
            house.tell(select["command_topic"], text)
            house.expect(select["state_topic"], option)
        for name, phase in (("do_tips_dismiss", "dismissed"), ("do_tips_present", "resting")):
            button = configs[node.format("button", name)]
            house.tell(button["command_topic"], button["payload_press"])
            house.expect(f"gestured/{opened}/tips/phase", phase)
        house.tell(f"gestured/{opened}/notify", "likes")
        house.expect(f"gestured/{opened}/badges/total", "1")
        clear = configs[node.format("button", "clear")]
        house.tell(clear["command_topic"], clear["payload_press"])
        house.expect(f"gestured/{opened}/badges/total", "0")


def test_a_closed_session_is_forgotten(
    daemon: Daemon, control: Control, broker: Broker, opened: str
) -> None:
    with bridged(daemon, broker, opened) as (_, house):
        house.tell(f"gestured/{opened}/notify", "likes")
        house.expect(f"gestured/{opened}/badges/total", "1")
        control.ok("close", session=opened)
        house.wait(
            lambda: not any(f"/{opened}/" in topic or f"_{opened}/" in topic
                            for topic in house.values if not topic.endswith("/notify")),
            "nothing of it is left")


def test_a_component_that_goes_is_forgotten(
    daemon: Daemon, control: Control, broker: Broker, opened: str
) -> None:
    with bridged(daemon, broker, opened) as (_, house):
        house.expect(f"gestured/{opened}/tabs/shown", "home")
        scene = {"viewport": [320, 568], "components": [{"id": "list", "kind": "list", "rows": 5}]}
        control.ok("publish", topic=f"command/{opened}", body={"command": "update", "scene": scene})
        house.expect(f"gestured/{opened}/tabs/shown", None)
        house.expect(f"homeassistant/select/gestured_{opened}/shown_tabs/config", None)
        house.expect(f"gestured/{opened}/list/phase", "closed")


def test_without_a_session_named_it_shows_all_of_them(
    daemon: Daemon, control: Control, broker: Broker, opened: str
) -> None:
    with House(broker) as house, Bridge(daemon, broker):
        house.expect(f"gestured/{opened}/availability", "online")
        control.ok("open", session=f"{opened}-later", scene="phone")
        house.expect(f"gestured/{opened}-later/tabs/shown", "home")
        house.tell(f"gestured/{opened}-later/notify", "likes")
        house.expect(f"gestured/{opened}-later/badges/total", "1")


def test_the_broker_says_when_the_bridge_is_gone(
    daemon: Daemon, broker: Broker, opened: str
) -> None:
    with bridged(daemon, broker, opened) as (bridge, house):
        bridge.end(signal.SIGKILL)
        house.expect(AVAILABILITY, "offline")
    with bridged(daemon, broker, opened) as (bridge, house):
        assert bridge.end(signal.SIGTERM)[0] == 0
        house.expect(AVAILABILITY, "offline")


def test_a_bridge_that_ends_amid_its_messages_says_so(
    daemon: Daemon, broker: Broker, opened: str
) -> None:
    with House(broker) as house:
        for _ in range(8):
            with Bridge(daemon, broker, session=opened) as bridge:
                # More messages follow than the broker takes unacknowledged.
                house.expect(AVAILABILITY, "online")
                status, said = bridge.end(signal.SIGTERM)
            assert status == 0, said
            house.expect(AVAILABILITY, "offline", 5)


def test_brokers_and_daemons_come_and_go(session: str) -> None:
    with staying_daemon() as daemon, Broker() as broker:
        daemon.requests().ok("open", session=session, scene="phone")
        broker.stop()
        with Bridge(daemon, broker, session=session) as bridge:
            bridge.said(r"gesturectl: mqtt://\S+: Connection refused; trying again")
            broker.start()
            bridge.said(r"gesturectl: mqtt://\S+: connected")
            with House(broker) as house:
                house.expect(f"gestured/{session}/availability", "online")
                broker.restart(signal.SIGKILL)
                house.wait(lambda: house.client.is_connected(), "the client is back")
                house.said.clear()
                # The broker lost everything: it is told again.
                house.expect(f"gestured/{session}/tabs/shown", "home")
                daemon.stop(signal.SIGKILL)
                house.expect(AVAILABILITY, "offline")
                house.tell(f"gestured/{session}/notify", "likes")
                daemon.restart()
                house.expect(AVAILABILITY, "online")
                # It came while nobody was there to count it.
                house.expect(f"gestured/{session}/badges/total", "1")


def test_a_bridge_without_a_daemon_takes_no_processor_time(session: str) -> None:
    with staying_daemon() as daemon, Broker() as broker, House(broker) as house:
        daemon.requests().ok("open", session=session, scene="phone")
        with Bridge(daemon, broker, session=session) as bridge:
            house.expect(AVAILABILITY, "online")
            daemon.stop(signal.SIGKILL)
            house.expect(AVAILABILITY, "offline")
            # Long enough for its first try to connect again to be due.
            wait_for(lambda: rests(bridge.process.pid, 2), "the bridge rests", 3 * DEADLINE)


def test_a_password_and_certificates(daemon: Daemon, opened: str, tmp_path) -> None:
    for tool in ("openssl", "mosquitto_passwd"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-keyout", tmp_path / "key", "-out", tmp_path / "certificate", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], check=True,
        capture_output=True)
    subprocess.run(
        ["mosquitto_passwd", "-b", "-c", tmp_path / "users", "house", "secret"], check=True)
    (tmp_path / "password").write_text("secret\n")
    (tmp_path / "wrong").write_text("guess\n")
    config = f"allow_anonymous false\npassword_file {tmp_path}/users\n"
    head = f"certfile {tmp_path}/certificate\nkeyfile {tmp_path}/key\n"
    with Broker(config, head) as broker:
        plain = ["--username", "house", "--password-file", tmp_path / "password"]
        encrypted = ["--tls-ca", tmp_path / "certificate"]
        with Bridge(daemon, broker, *plain, *encrypted, session=opened) as bridge:
            ready = bridge.process.stdout.readline().decode()
            assert ready == f"bridge mqtt ready mqtts://127.0.0.1:{broker.port} as bridge\n"
            wait_until(
                lambda: b"as bridge (p5" in (broker.folder / "log").read_bytes(), "it is let in")
        wrong = ["--username", "house", "--password-file", tmp_path / "wrong"]
        with Bridge(daemon, broker, *wrong, *encrypted, session=opened) as bridge:
            bridge.said(r"gesturectl: mqtts://\S+: Not authorized; trying again")
        with Bridge(daemon, broker, *plain, "--tls", session=opened) as bridge:
            bridge.said(r"gesturectl: mqtts://\S+: .*(certificate|TLS).*; trying again")


@pytest.mark.parametrize("arguments, message", [
    (["--broker", ":1"], "--broker"), (["--broker", "h:0"], "--broker"),
    (["--prefix", "a/#"], "--prefix"), (["--prefix", "x" * 65], "--prefix"),
    (["--session", "a b"], "--session"), (["--discovery", "/"], "--discovery"),
    (["--client-id", "a b"], "--client-id"), (["--password-file", "x"], "--username"),
    (["--username", "u", "--password-file", "/dev/null"], "/dev/null: its first line is empty"),
    (["--tls-ca", "/nowhere"], "/nowhere"), (["--ledger", "/nowhere/x"], "/nowhere/x"),
    (["more"], "more"),
])
def test_bad_options_are_named(
    daemon: Daemon, broker: Broker, arguments: list[str], message: str
) -> None:
    with Bridge(daemon, broker, *arguments) as bridge:
        status, text = bridge.wait()
    assert status == 2 and message in text, text


def test_two_bridges_do_not_share_a_ledger(daemon: Daemon, broker: Broker, opened: str) -> None:
    with bridged(daemon, broker, opened), Bridge(daemon, broker) as second:
        status, text = second.wait()
    assert status == 2 and "--client-id" in text


@contextlib.contextmanager
def killable_bridge(daemon: Daemon, broker: Broker, session: str) -> Iterator[list[Bridge]]:
    """A bridge that `kill_bridge` replaces. The last one is ended with the test."""
    bridge = [Bridge(daemon, broker, session=session)]
    try:
        yield bridge
    finally:
        bridge[0].__exit__()


def kill_bridge(bridge: list[Bridge], daemon: Daemon, broker: Broker, session: str) -> None:
    bridge[0].end(signal.SIGKILL)
    bridge[0].__exit__()
    bridge[0] = Bridge(daemon, broker, session=session)


def test_every_message_is_counted_once_whoever_is_killed(session: str) -> None:
    """The bridge and the daemon die by SIGKILL at random moments; no message has an id."""
    dice = random.Random(20)
    with staying_daemon() as daemon, Broker() as broker:
        daemon.requests().ok("open", session=session, scene="phone")
        with killable_bridge(daemon, broker, session) as bridge:
            with House(broker) as house:
                house.expect(AVAILABILITY, "online")
                sent = 0
                for turn in range(10):
                    for _ in range(300):
                        house.publish(f"gestured/{session}/notify", "likes")
                        sent += 1
                    time.sleep(dice.random() * 0.15)
                    if turn % 3 == 2:
                        daemon.restart(signal.SIGKILL)
                    else:
                        kill_bridge(bridge, daemon, broker, session)
                house.expect(f"gestured/{session}/badges/total", str(sent))
                # Nothing else comes behind it.
                house.tell(f"gestured/{session}/notify", "last")
                house.expect(f"gestured/{session}/badges/counts/last", "1")
                house.expect(f"gestured/{session}/badges/counts/likes", str(sent))
            status, text = bridge[0].end(signal.SIGTERM)
            assert status == 0, text


def test_messages_with_ids_are_counted_once_though_the_broker_restarts(session: str) -> None:
    """A client publishes again what the broker did not acknowledge, so it gives ids."""
    dice = random.Random(21)
    with staying_daemon() as daemon, Broker() as broker:
        daemon.requests().ok("open", session=session, scene="phone")
        with House(broker) as house, killable_bridge(daemon, broker, session) as bridge:
            house.expect(AVAILABILITY, "online")
            sent = 0
            for turn in range(6):
                for _ in range(200):
                    sent += 1
                    house.publish(
                        f"gestured/{session}/notify", {"kind": "likes", "id": f"n-{sent}"})
                time.sleep(dice.random() * 0.15)
                (broker.restart, daemon.restart, lambda: kill_bridge(
                    bridge, daemon, broker, session))[turn % 3]()
            house.expect(f"gestured/{session}/badges/total", str(sent))
            house.tell(f"gestured/{session}/notify", "last")
            house.expect(f"gestured/{session}/badges/counts/last", "1")
            house.expect(f"gestured/{session}/badges/counts/likes", str(sent))
        bridge[0].end(signal.SIGTERM)
