"""docs/home-assistant.md, word by word: its files, its commands, and what it promises of them."""

from __future__ import annotations

import json
import re
import shutil

import jinja2.sandbox
import pytest
import yaml
from documents import PORTS, Document, File, Shell

PAGE = Document("docs/home-assistant.md")


@pytest.fixture(scope="module")
def shell():
    assert list(PAGE.sections) == [
        "Start", "Have a broker", "Join them", "A count on a dashboard",
        "A button that moves a view", "A lamp, both ways", "An automation", "All topics",
        "Nothing lost, nothing twice", "Passwords and TLS", "Look inside", "Stop", "As a service"]
    for tool in ("mosquitto", "mosquitto_sub"):
        if shutil.which(tool, path="/usr/bin:/usr/sbin:/usr/local/bin:/usr/local/sbin") is None:
            pytest.skip(f"{tool} is not installed")
    with Shell(ports=(*PORTS, 1883)) as shell:
        # The ledger goes into the person's own folder.
        shell.run("export XDG_STATE_HOME=$PWD/state-home")
        yield shell


def in_background(shell: Shell, command: str, into: str) -> None:
    assert command.endswith(" &")
    shell.run(f"{command[:-2]} > {into} 2>&1 &")


def retained(shell: Shell, topic: str) -> str:
    """The value of a topic, or what stands under a filter."""
    return shell.run(f"timeout 5 mosquitto_sub -W 1 -v -t '{topic}' 2>/dev/null || true").strip()


def configurations(shell: Shell) -> list[tuple[str, dict]]:
    said = retained(shell, "homeassistant/#").splitlines()
    return [(topic, json.loads(text)) for topic, text in (line.split(" ", 1) for line in said)]


def entity_ids(shell: Shell) -> set[str]:
    """The ids that Home Assistant makes: of the platform, and the names of device and entity."""
    return {
        topic.split("/")[1] + "." + re.sub(
            r"[^a-z0-9]+", "_", f"{config['device']['name']} {config['name']}".lower())
        for topic, config in configurations(shell)}


def named_entities(node: object) -> set[str]:
    """The ids of entities of the session that a YAML file names."""
    platforms = "sensor|button|select|event|switch|number|text"
    return set(re.findall(rf"\b(?:{platforms})\.(?:hall|wall)_\w+", json.dumps(node)))


# The tests below are one walk through the page, in its order.

def test_start(shell: Shell) -> None:
    *services, hall, wall = PAGE.commands("Start")
    for command in services:
        shell.run(command)
    shell.until("gesturectl hello", "the daemon is there")
    assert "hall opened" in shell.run(hall)
    assert "wall opened" in shell.run(wall)


def test_have_a_broker(shell: Shell) -> None:
    file, start = PAGE.steps("Have a broker")
    assert isinstance(file, File) and file.name == "broker.conf"
    shell.take(file)
    in_background(shell, start.text, "broker.txt")
    shell.until("mosquitto_pub -t probe -m x", "the broker is there")


def test_join_them(shell: Shell) -> None:
    start, look = PAGE.commands("Join them")
    in_background(shell, start, "bridge.txt")
    shell.until(
        "grep -q 'bridge mqtt ready mqtt://localhost:1883 as gestured-' bridge.txt", "it is ready")
    shell.until(
        "mosquitto_sub -C 1 -W 1 -t gestured/hall/tips/phase", "the broker shows the session")
    _, said = shell.attempt(look)
    assert "gestured/hall/availability online" in said
    assert "homeassistant/sensor/gestured_hall/total/config {" in said


def test_a_count_on_a_dashboard(shell: Shell) -> None:
    *publish, show = [
        step for step in PAGE.steps("A count on a dashboard") if not isinstance(step, File)]
    for step in publish:
        shell.take(step)
    shell.until(f"{show.text} -W 5 | grep -qx 3", "the count is 3")
    file, = [step for step in PAGE.steps("A count on a dashboard") if isinstance(step, File)]
    card = yaml.safe_load(file.text)
    assert card["type"] == "entities" and len(card["entities"]) > 3
    assert named_entities(card) <= entity_ids(shell)


def test_a_button_that_moves_a_view(shell: Shell) -> None:
    dismiss, phase, select, snapshot = PAGE.commands("A button that moves a view")
    sent = dict(
        (config["command_topic"] + config["payload_press"], topic)
        for topic, config in configurations(shell) if "payload_press" in config)
    topic, payload = re.fullmatch(r"mosquitto_pub -q 1 -t (\S+) -m '(.*)'", dismiss).groups()
    assert "button" in sent[topic + payload]
    shell.run(dismiss)
    shell.until(f"{phase} -W 5 | grep -qx dismissed", "the tip has left")
    # The text that Home Assistant renders for its select.
    config = next(config for topic, config in configurations(shell) if "shown_tabs" in topic)
    text = jinja2.sandbox.ImmutableSandboxedEnvironment().from_string(
        config["command_template"]).render(value="news")
    assert f"-t {config['command_topic']} -m '{text}'" in select
    shell.run(select)
    shell.until(f"{snapshot} | grep -q page-news", "the tab shows")
    shell.until(
        "mosquitto_sub -C 1 -W 5 -t gestured/hall/tabs/shown | grep -qx news", "the select says so")


def test_a_lamp_both_ways(shell: Shell) -> None:
    tap, value, off, down, snapshot = PAGE.commands("A lamp, both ways")
    shell.run(tap)
    shell.until(f"{value} -W 5 | grep -qx true", "the finger has turned it on")
    sent = {config["command_topic"]: config for _, config in configurations(shell)
            if config.get("state_topic", "").startswith("gestured/wall/variables/")}
    for command in (off, down):
        topic, payload = re.fullmatch(r"mosquitto_pub -q 1 -t (\S+) -m (\S+)", command).groups()
        assert payload in (sent[topic].get("payload_off"), "75")
        shell.run(command)
    shell.until(f"{value} -W 5 | grep -qx false", "the house has turned it off")
    shell.until(f"{snapshot} | grep -q 'Blind 75 %'", "the blind is down")
    told = set(re.findall(r"`(\w+\.wall_\w+)`", PAGE.sections["A lamp, both ways"]))
    assert len(told) == 3 and told <= entity_ids(shell)
    file, = [step for step in PAGE.steps("A lamp, both ways") if isinstance(step, File)]
    automations = yaml.safe_load(file.text)
    assert named_entities(automations) == {"switch.wall_ceiling"}
    sandbox = jinja2.sandbox.ImmutableSandboxedEnvironment()
    for automation, action in zip(automations, ("light.turn_on", "switch.turn_on")):
        trigger, = automation["triggers"]
        # A state, and no truth value, as YAML has it for the bare words.
        assert trigger["to"] == ["on", "off"]
        event = {"to_state": {"state": "on"}}
        text = sandbox.from_string(automation["actions"][0]["action"]).render(trigger=event)
        assert text == action


def test_an_automation(shell: Shell) -> None:
    file, = PAGE.steps("An automation")
    automations = yaml.safe_load(file.text)
    assert named_entities(automations) <= entity_ids(shell)
    for automation in automations:
        assert {"alias", "triggers", "actions"} == set(automation)
    data = automations[0]["actions"][0]["data"]
    event = {"to_state": {"context": {"id": "01JABCDEFGHJKMNPQRSTVWXYZ0"}}}
    payload = jinja2.sandbox.ImmutableSandboxedEnvironment().from_string(
        data["payload"]).render(trigger=event)
    for _ in range(2):
        shell.run(f"mosquitto_pub -q {data['qos']} -t {data['topic']} -m '{payload}'")
    shell.until(
        "mosquitto_sub -C 1 -W 5 -t gestured/hall/badges/counts/bell | grep -qx 1", "it counts")
    trigger, = automations[2]["triggers"]
    assert trigger["to"] in next(
        config for config in (config for _, config in configurations(shell))
        if config["name"] == "list event")["event_types"]
    option = automations[1]["actions"][0]["data"]["option"]
    assert option in next(
        config for topic, config in configurations(shell) if "shown_tabs" in topic)["options"]


def test_all_topics(shell: Shell) -> None:
    """The tables name each topic that the broker shows of the session, and no other."""
    said = {line.split(" ")[0] for line in retained(shell, "gestured/#").splitlines()}
    cells = re.findall(r"^\| `(gestured/.*?)` \|", PAGE.sections["All topics"], re.M)
    patterns = {cell: re.sub(r"<\w+>", r"[\\w.~-]+", cell) for cell in cells}
    assert not {topic for topic in said
                if not any(re.fullmatch(pattern, topic) for pattern in patterns.values())}
    for cell in cells:
        is_input = cell.endswith(("/notify", "/command"))
        assert is_input or any(re.fullmatch(patterns[cell], topic) for topic in said), cell


def test_passwords_and_tls(shell: Shell) -> None:
    password, start = PAGE.commands("Passwords and TLS")
    shell.run(password)
    in_background(shell, start, "second.txt")
    shell.until("grep -q ' as second' second.txt", "it is ready")
    shell.until("grep -q 'as second (p5' broker.txt", "the broker lets it in")


def test_look_inside(shell: Shell) -> None:
    shell.run(*PAGE.commands("Look inside"))
    shell.until("grep -q 'bridge mqtt: connections=' bridge.txt", "it has said what it counted")
    line = shell.run("grep connections= bridge.txt").splitlines()[0]
    names = set(re.findall(r"(\w+)=", line))
    table = PAGE.sections["Look inside"].split("| seen |")[0]
    told = {
        name for cell in re.findall(r"^\| (`.*?`) \|", table, re.M)
        for name in re.findall(r"`(\w+)`", cell)}
    assert told == names
    assert "duplicates=1 " in line and "malformed=0 " in line


def test_stop(shell: Shell) -> None:
    for command in PAGE.commands("Stop"):
        shell.attempt(command)
    assert "bridge mqtt: connections=1 " in shell.run("tail -1 bridge.txt")
