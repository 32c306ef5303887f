"""gesturectl bridge mqtt carries variables both ways, as entities of Home Assistant."""

from __future__ import annotations

import json
import signal

import jinja2.sandbox
import pytest
from broker import AVAILABILITY, Bridge, Broker, House, bridged, counters
from client import Control, Daemon
from documents import wait_until
from hands import stroke, touch, values
from scenes import scene
from test_mqtt import KNOWN
from tool import staying_daemon

# Middles of what a finger touches in the scene `house`, in points.
CEILING, WARMER = (96, 128), (440, 360)
PLATFORMS = {
    "ceiling": "switch", "lamp": "switch", "kitchen": "switch", "brightness": "number",
    "blind": "number", "heating": "number", "outside": "number", "mood": "text"}
LABEL = {"id": "label", "kind": "label", "text": "Hello"}


@pytest.fixture
def hall(control: Control, session: str) -> str:
    name = f"hall-{session}".replace("_", "-")
    control.open(name, "house")
    return name


def value(session: str, variable: str) -> str:
    return f"gestured/{session}/variables/{variable}/value"


def entities(house: House, session: str) -> dict[str, tuple[str, dict]]:
    """The platform and the configuration of each variable."""
    return {config["name"]: (topic.split("/")[1], config)
            for topic, config in house.configs(session).items() if "/variable_" in topic}


def entity(house: House, session: str, name: str) -> dict:
    house.wait(lambda: name in entities(house, session), f"{name} is discovered")
    return entities(house, session)[name][1]


def rendered(template: str, **names: object) -> str:
    return jinja2.sandbox.ImmutableSandboxedEnvironment().from_string(template).render(**names)


def rejected(house: House) -> list[dict]:
    return [json.loads(text) for topic, text in house.said if topic == "gestured/rejected"]


def test_each_variable_is_an_entity_of_its_type(
    daemon: Daemon, control: Control, broker: Broker, hall: str,
) -> None:
    with bridged(daemon, broker, hall) as (_, house):
        house.wait(lambda: len(entities(house, hall)) == len(PLATFORMS), "all are discovered")
        told = values(control, hall)
        for name, (platform, config) in entities(house, hall).items():
            assert platform == PLATFORMS[name] and set(config) <= KNOWN
            house.expect(config["state_topic"], json.dumps(told[name]))
            assert config["unique_id"] == f"gestured_{hall}_variable_{name}"
            assert config["availability"][1]["topic"] == f"gestured/{hall}/availability"


def test_a_touch_switches_an_entity_and_the_house_turns_the_lamp(
    daemon: Daemon, control: Control, broker: Broker, hall: str,
) -> None:
    with bridged(daemon, broker, hall) as (bridge, house):
        switch = entity(house, hall, "ceiling")
        house.expect(switch["state_topic"], switch["payload_off"])
        touch(control, hall, CEILING)
        house.expect(switch["state_topic"], switch["payload_on"])
        for payload, on, glow in (("payload_off", False, "hidden"), ("payload_on", True, "shown")):
            house.tell(switch["command_topic"], switch[payload])
            house.expect(switch["state_topic"], switch[payload])
            assert control.state(hall, "ceiling")["model"]["on"] is on
            wait_until(lambda: control.state(hall, "ceiling-glow")["phase"] == glow, "it fades")
        # A finger turns it off again, though the house turned it on.
        touch(control, hall, CEILING)
        house.expect(switch["state_topic"], switch["payload_off"])
        status, text = bridge.end(signal.SIGTERM)
        assert not rejected(house)
    assert counters(text)["applied"] == 2, text


def test_a_slider_goes_where_the_house_says_and_tells_where_it_was_dragged(
    daemon: Daemon, control: Control, broker: Broker, hall: str,
) -> None:
    def stands(place: str) -> None:
        wait_until(lambda: control.state(hall, "blind")["model"]["at"] == place, place)

    with bridged(daemon, broker, hall) as (bridge, house):
        number = entity(house, hall, "blind")
        house.tell(number["command_topic"], "100")
        house.expect(number["state_topic"], "100")
        stands("100")
        stroke(control, hall, (640, 380), (640, 120), (640, 112))
        house.wait(lambda: house.values[number["state_topic"]] in ("0", "25"), "it is dragged up")
        stands(house.values[number["state_topic"]])
        # The nearest place counts, also where the slider stands there already.
        for payload, place in (("37.4", "25"), ("30", "25"), ("1000", "100"), ("-3.5e2", "0")):
            house.tell(number["command_topic"], payload)
            stands(place)
            house.expect(number["state_topic"], place)
        heating = entity(house, hall, "heating")
        assert [heating[key] for key in ("min", "max", "step", "unit_of_measurement")] == [
            15, 28, 0.5, "°C"]
        touch(control, hall, WARMER)
        house.expect(heating["state_topic"], "21.5")
        assert not rejected(house)


def test_a_text_has_any_characters(
    daemon: Daemon, control: Control, broker: Broker, hall: str,
) -> None:
    with bridged(daemon, broker, hall) as (_, house):
        text = entity(house, hall, "mood")
        for mood in ("evening", "true", "17", "", 'a "quoted" line\n{{ 1 }} <b>', "Kino ✨"):
            house.tell(text["command_topic"], rendered(text["command_template"], value=mood))
            house.wait(
                lambda: rendered(text["value_template"], value_json=json.loads(
                    house.values[text["state_topic"]])) == mood, f"{mood!r} is told")
            assert values(control, hall)["mood"] == mood
        house.tell(text["command_topic"], "film")  # By hand, unquoted.
        house.expect(text["state_topic"], '"film"')
        house.expect(value(hall, "blind"), "100")
        assert not rejected(house)


# Payloads that a variable does not take, the code, and words of the message.
HOSTILE = [
    ("ceiling", "ON", "bad-value", "ceiling"), ("ceiling", "1", "bad-value", "ceiling"),
    ("blind", "true", "bad-value", "blind"), ("blind", "wide open", "bad-value", "blind"),
    ("blind", "1e17", "bad-value", "blind"), ("blind", "1e999", "bad-value", "no value"),
    ("blind", "null", "bad-value", "no value"), ("blind", "[1]", "bad-value", "no value"),
    ("blind", '{"set":1}', "bad-value", "no value"), ("mood", "", "bad-value", "no value"),
    ("mood", b"\xff\xfe", "bad-value", "no value"), ("mood", "7", "bad-value", "mood"),
    ("mood", "x" * 4_097, "value-too-long", "4096"),
    ("mood", "[" * 60_000, "value-too-long", "4096"),
    ("mood", "x" * 65_500, "too-large", "65408"),
    ("cellar", "true", "bad-value", "cellar")]


@pytest.mark.parametrize(
    "name, payload, code, words", HOSTILE,
    ids=[f"{name}-{str(payload)[:10]}" for name, payload, *_ in HOSTILE])
def test_a_value_of_another_kind_is_refused_and_the_log_says_why(
    daemon: Daemon, control: Control, broker: Broker, hall: str, name: str,
    payload: str | bytes, code: str, words: str,
) -> None:
    with bridged(daemon, broker, hall) as (bridge, house):
        house.expect(value(hall, "mood"), '"none"')
        before = values(control, hall)
        topic = f"gestured/{hall}/variables/{name}/command"
        house.tell(topic, payload)
        house.wait(lambda: rejected(house), "it is told")
        told, = rejected(house)
        assert (told["code"], told["topic"]) == (code, topic) and words in told["message"]
        bridge.said(rf"gesturectl: mqtt://.*: {topic}: {code}: .*{words}.*")
        assert values(control, hall) == before
        # It goes on.
        house.tell(f"gestured/{hall}/variables/ceiling/command", "true")
        house.expect(value(hall, "ceiling"), "true")


def test_a_flood_of_wrong_values_fills_no_log(
    daemon: Daemon, control: Control, broker: Broker, hall: str,
) -> None:
    with bridged(daemon, broker, hall) as (bridge, house):
        for number in range(200):
            house.publish(f"gestured/{hall}/variables/blind/command", f"wrong {number}")
        house.tell(f"gestured/{hall}/variables/blind/command", "50")
        house.expect(value(hall, "blind"), "50")
        status, text = bridge.end(signal.SIGTERM)
    assert counters(text)["refused"] == 200 and counters(text)["applied"] == 1, text
    lines = [line for line in text.splitlines() if "bad-value" in line]
    assert len(lines) == 10 and "gestured/rejected" in lines[-1], text


def test_a_variable_that_goes_takes_its_entity_along(
    daemon: Daemon, control: Control, broker: Broker, session: str,
) -> None:
    name = f"going-{session}".replace("_", "-")

    def show(variables: dict) -> dict:
        return scene(LABEL, variables=variables)

    control.open(name, show({"lamp": True, "level": 3, "word": "a"}))
    with bridged(daemon, broker, name) as (_, house):
        house.wait(lambda: len(entities(house, name)) == 3, "all are discovered")
        # One goes, one becomes another type, and one comes.
        changed = show({"lamp": True, "level": "high", "new": 1})
        control.publish(f"command/{name}", {"command": "update", "scene": changed})
        house.expect(value(name, "word"), None)
        house.wait(
            lambda: {key: platform for key, (platform, _) in entities(house, name).items()} == {
                "lamp": "switch", "level": "text", "new": "number"}, "they have changed")
        house.wait(lambda: sum("/variable_" in it for it in house.configs(name)) == 3, "no ghost")
        house.expect(value(name, "level"), '"high"')
        control.publish(f"command/{name}", {"command": "update", "scene": scene(LABEL)})
        house.wait(lambda: not entities(house, name), "none is left")
        house.expect(value(name, "lamp"), None)
        control.ok("close", session=name)


@pytest.mark.parametrize("ends", ["closes", "update"])
def test_what_went_while_the_bridge_was_away_leaves_no_ghost(
    daemon: Daemon, control: Control, broker: Broker, hall: str, ends: str,
) -> None:
    with bridged(daemon, broker, hall) as (bridge, house):
        house.expect(value(hall, "lamp"), "true")
        entity(house, hall, "mood")
        bridge.end(signal.SIGTERM)
    if ends == "closes":
        control.ok("close", session=hall)
    else:
        control.publish(f"command/{hall}", {"command": "update", "scene": scene(
            LABEL, variables={"lamp": False})})
    with House(broker) as house, Bridge(daemon, broker, session=hall):
        house.expect(value(hall, "mood"), None)
        left = {"lamp"} if ends == "update" else set()
        house.wait(lambda: set(entities(house, hall)) == left, "no entity is left")
        # It has the same name and type as before, so it kept its value.
        house.expect(value(hall, "lamp"), "true" if left else None)


def test_a_value_that_comes_while_the_daemon_is_away_is_kept(broker: Broker) -> None:
    with staying_daemon() as daemon:
        daemon.requests().open("hall", "house")
        with bridged(daemon, broker, "hall") as (_, house):
            house.expect(value("hall", "ceiling"), "false")
            daemon.stop(signal.SIGKILL)
            house.expect(AVAILABILITY, "offline")
            house.tell("gestured/hall/variables/ceiling/command", "true")
            control = daemon.restart()
            house.expect(value("hall", "ceiling"), "true", seconds=30)
            assert control.state("hall", "ceiling")["model"]["on"] is True
