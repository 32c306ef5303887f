"""gesturectl bridge mqtt as a house sees it: what is gone, what happens, and who is not known."""

from __future__ import annotations

import json
import re
import signal

import jinja2.sandbox
import pytest
from broker import AVAILABILITY, Bridge, Broker, House, bridged, counters
from client import REPOSITORY, Control, Daemon
from documents import wait_until
from scenes import dynamics, navigation, rows, scene, still

BALL = {"id": "ball", "center": [160, 200], "size": [40, 40], "shape": "circle"}
MENU = [{"id": "off"}, {"id": "on"}]


def everything() -> dict:
    """A scene with each kind."""
    made = still()
    made["components"] = [
        *(one | ({"menu": MENU} if one["id"] == "list" else {}) for one in made["components"]),
        dynamics(items=[BALL]), {"id": "button", "kind": "button", "frame": [0, 0, 80, 40]},
        {"id": "label", "kind": "label", "text": "Hello"},
        {"id": "panel", "kind": "panel", "anchors": [
            {"name": "low", "at": "80%"}, {"name": "high", "at": "20%"}]}]
    return made


@pytest.fixture
def opened(control: Control, session: str) -> str:
    name = f"panel-{session}"
    control.open(name, everything())
    return name


def left(house: House, session: str) -> list[str]:
    """The topics that the broker has of a session, and Home Assistant's."""
    node = "_".join(f"_{ord(letter):02X}" if letter in "_.~" else letter for letter in session)
    return [topic for topic in house.values
            if f"/{session}/" in topic or f"_{session}/" in topic or f"_{node}/" in topic]


@pytest.mark.parametrize("named", [True, False], ids=["named", "all"])
@pytest.mark.parametrize("restarts", [False, True], ids=["same broker", "broker restarts"])
def test_a_session_that_closed_meanwhile_leaves_no_ghost(
    daemon: Daemon, control: Control, broker: Broker, opened: str, named: bool, restarts: bool,
) -> None:
    control.publish(f"notification/{opened}", {"kind": "likes", "add": 3})
    session = opened if named else ""
    with Bridge(daemon, broker, session=session) as bridge, House(broker) as house:
        house.expect(f"gestured/{opened}/badges/counts/likes", "3")
        house.expect(f"gestured/{opened}/tabs/shown", "home")
        house.wait(
            lambda: any("event_world" in topic for topic in left(house, opened)), "all is there")
        assert bridge.end(signal.SIGTERM)[0] == 0
    control.ok("close", session=opened)
    if restarts:
        broker.restart()
    with House(broker) as house:
        house.wait(lambda: len(left(house, opened)) > 30, "the broker has its ghosts")
        with Bridge(daemon, broker, session=session):
            house.expect(AVAILABILITY, "online")
            house.wait(lambda: not left(house, opened), f"none is left of {opened}")
    with House(broker) as later:
        later.expect(AVAILABILITY, "offline")
        assert not left(later, opened)


def test_what_an_update_took_away_meanwhile_leaves_no_ghost(
    daemon: Daemon, control: Control, broker: Broker, opened: str,
) -> None:
    with bridged(daemon, broker, opened) as (bridge, house):
        house.expect(f"gestured/{opened}/tabs/shown", "home")
        assert bridge.end(signal.SIGTERM)[0] == 0
    smaller = scene(rows())
    control.publish(f"command/{opened}", {"command": "update", "scene": smaller})
    with House(broker) as house:
        house.expect(f"gestured/{opened}/tabs/shown", "home")
        with Bridge(daemon, broker, session=opened):
            house.expect(f"gestured/{opened}/tabs/shown", None)
            house.wait(
                lambda: not any("tabs" in topic or "toss" in topic or "action" in topic
                                for topic in left(house, opened)
                                if not topic.endswith("_action/config")), "no ghost is left")
            house.expect(f"gestured/{opened}/list/phase", "closed")
            shown = {topic.split("/")[3] for topic in house.configs(opened)}
            assert {"phase_list", "event_list", "total", "clear"} <= shown


def test_ghosts_of_another_program_or_a_former_version_are_cleared(
    daemon: Daemon, broker: Broker, opened: str,
) -> None:
    with House(broker) as house:
        house.client.publish("gestured/ghost/availability", "online", 1, True)
        house.client.publish("gestured/ghost/tabs/shown", "home", 1, True)
        house.client.publish("other/ghost/availability", "online", 1, True)
        house.expect("other/ghost/availability", "online")
        with Bridge(daemon, broker):
            house.expect("gestured/ghost/availability", None)
            house.expect("gestured/ghost/tabs/shown", None)
            assert house.values["other/ghost/availability"] == "online"


def test_what_another_bridge_shows_is_left_alone(
    daemon: Daemon, control: Control, broker: Broker, opened: str,
) -> None:
    """Two bridges with one prefix, each with its own session."""
    other = f"{opened}-other"
    control.open(other, "phone")
    own = ["--client-id", "second", "--ledger", broker.folder / "second"]
    with bridged(daemon, broker, other, *own) as (_, house):
        house.expect(f"gestured/{other}/tabs/shown", "home")
        with Bridge(daemon, broker, session=opened) as bridge:
            house.expect(f"gestured/{opened}/availability", "online")
            house.client.publish("gestured/ghost/availability", "online", 1, True)
            # A session of the other one is no stray, and its message is carried once.
            house.tell(f"gestured/{other}/notify", "likes")
            house.expect(f"gestured/{other}/badges/total", "1")
            # Longer than a bridge waits for late sessions.
            assert not bridge.speaks_within(7), bridge.heard
            assert house.values[f"gestured/{other}/tabs/shown"] == "home"
            assert house.values["gestured/ghost/availability"] == "online"
            assert not [topic for topic, _ in house.said if topic == "gestured/rejected"]


def test_without_discovery_the_entities_of_before_go(
    daemon: Daemon, broker: Broker, opened: str,
) -> None:
    with bridged(daemon, broker, opened) as (bridge, house):
        house.wait(lambda: len(house.configs(opened)) > 20, "it is discovered")
        bridge.end(signal.SIGTERM)
    with bridged(daemon, broker, opened, "--no-discovery") as (bridge, house):
        house.wait(lambda: not house.configs(opened), "no entity is left")
        house.expect(f"gestured/{opened}/tabs/shown", "home")


def events(house: House, topic: str) -> list[dict]:
    return [json.loads(text) for where, text in house.said if where == topic]


def test_swiping_a_row_can_switch_a_light(
    daemon: Daemon, control: Control, broker: Broker, opened: str,
) -> None:
    with bridged(daemon, broker, opened) as (bridge, house):
        place = f"homeassistant/event/gestured_{opened.replace('_', '_5F')}/event_list/config"
        house.wait(lambda: place in house.values, "the event is discovered")
        entity = json.loads(house.values[place])
        topic = entity["state_topic"]
        control.gesture(opened, "list", "swipe", direction="left", row=2)
        house.wait(lambda: any(
            one["event_type"] == "open-ended" for one in events(house, topic)), "it has opened")
        control.publish(f"command/{opened}/list", {"command": "action", "action": "on"})
        house.wait(lambda: any(
            one["event_type"] == "close-ended" for one in events(house, topic)), "it has closed")
        told = events(house, topic)
        types = [one["event_type"] for one in told]
        assert types == ["open", "open-ended", "action", "action-ended", "close", "close-ended"]
        assert set(types) <= set(entity["event_types"])
        action = told[2]
        assert (action["row"], action["action"], action["event"]) == (2, "on", "began")
        assert told[0]["direction"] == "left" and "epoch" not in action
        # Those who come later are not told what happened.
        with House(broker) as later:
            later.expect(f"gestured/{opened}/list/phase", "closed")
            assert topic not in later.values
        status, text = bridge.end(signal.SIGTERM)
    assert counters(text)["events"] == 6 and counters(text)["events_dropped"] == 0


def kinds() -> dict[str, tuple[list[str], list[str]]]:
    """Each kind's transitions, and its commands that need no argument, as the protocol has them."""
    found = {}
    text = (REPOSITORY / "docs" / "protocol" / "scenes.md").read_text("utf-8")
    table = text.split("| kind | transitions, and the values that they tell |")[1].split("\n\n")[0]
    for line in table.splitlines()[2:]:
        kind, transitions, _, commands = (
            cell.strip() for cell in line.strip("|").split("|"))
        plain = re.sub(r"\([^)]*\)", "", transitions)
        free = [name for name, arguments in re.findall(r"`([\w-]+)`(?: \(([^)]*)\))?", commands)
                if all(one.strip().endswith("?") for one in arguments.split(",") if one)]
        found[kind.strip("`")] = (re.findall(r"`([\w-]+)`", plain), free)
    return found


def test_each_kind_has_its_events_and_its_commands(
    daemon: Daemon, broker: Broker, opened: str,
) -> None:
    with bridged(daemon, broker, opened) as (_, house):
        # They come by topic, or in the order of the scene.
        house.wait(
            lambda: sum("/event_" in topic for topic in house.configs(opened)) == len(kinds()),
            "all is there")
        configs = house.configs(opened)
        assert len(kinds()) == 11
        for kind, (transitions, commands) in kinds().items():
            id = {"dynamics": "world"}.get(kind, kind)
            event, = [config for topic, config in configs.items()
                      if topic.split("/")[1] == "event" and config["name"] == f"{id} event"]
            assert event["event_types"] == [
                f"{name}{end}" for name in transitions for end in ("", "-ended", "-cancelled")]
            pressed = {config["payload_press"] for config in configs.values()
                       if config.get("command_topic") == f"gestured/{opened}/{id}/command"
                       and "payload_press" in config}
            assert {f'{{"command":"{name}"}}' for name in commands} <= pressed, kind


# A command for each kind, and the type of the event that it causes; a profile has none, and is
# changed by the session.
REACHED = [
    ("tips", "present", "present"), ("toss", "reset", None),
    ("navigation", {"command": "present", "screen": "posts", "transition": "in-from-left"},
     "in-from-left"),
    ("list", "scroll-to-top", None), ("reader", "next", "page"),
    ("tabs", {"command": "select", "index": 1}, "select"),
    ("world", {"command": "add-velocity", "item": "ball", "dx": 50, "dy": 0}, "wake"),
    ("button", "tap", "tap"), ("label", "hide", "hide"),
    ("panel", "toggle", "settle"),
    ("badges", {"command": "clear", "kind": "likes"}, None),
]


def test_commands_reach_each_kind(
    daemon: Daemon, control: Control, broker: Broker, opened: str,
) -> None:
    with bridged(daemon, broker, opened) as (bridge, house):
        for component, command, event in REACHED:
            house.tell(f"gestured/{opened}/{component}/command", command)
            if event:
                topic = f"gestured/{opened}/{component}/event"
                house.wait(lambda: any(
                    one["event_type"] == event for one in events(house, topic)), topic)
        change = {"command": "set", "component": "profile", "values": {"header_stop": 50}}
        house.tell(f"gestured/{opened}/command", change)
        house.tell(f"gestured/{opened}/notify", "last")
        house.expect(f"gestured/{opened}/badges/total", "1")
        refused = events(house, "gestured/rejected")
        status, text = bridge.end(signal.SIGTERM)
    assert refused == [] and counters(text)["applied"] == len(REACHED) + 2, text


def test_a_storm_of_contacts_is_bounded(
    daemon: Daemon, control: Control, broker: Broker, session: str,
) -> None:
    name = f"storm-{session}"
    balls = [BALL | {"id": f"b{number}", "center": [30 + 45 * number, 30 + 20 * number]}
             for number in range(6)]
    ids = [ball["id"] for ball in balls]
    world = dynamics(items=balls, behaviors=[
        {"id": "down", "kind": "gravity", "items": ids},
        {"id": "walls", "kind": "collision", "items": ids, "bounds": True},
        {"id": "hard", "kind": "item", "items": ids, "elasticity": 1.0, "friction": 0.0}])
    control.open(name, scene(world))
    with bridged(daemon, broker, name) as (bridge, house):
        wait_until(lambda: len(events(house, f"gestured/{name}/world/event")) > 30, "it touches")
        _, text = bridge.end(signal.SIGTERM)
    control.ok("close", session=name)
    assert counters(text)["events"] > 30


def test_a_screen_that_the_scene_does_not_name_can_be_shown(
    daemon: Daemon, control: Control, broker: Broker, session: str,
) -> None:
    name = f"screens-{session}"
    control.open(name, scene(navigation()))
    sandbox = jinja2.sandbox.ImmutableSandboxedEnvironment()
    with bridged(daemon, broker, name) as (_, house):
        topic = f"gestured/{name}/navigation/shown"
        for screen in ("guest", "other"):
            command = {"command": "present", "screen": screen, "transition": "in-from-left"}
            control.publish(f"command/{name}/navigation", command)
            house.expect(topic, screen)
            select, = [config for config in house.configs(name).values() if "options" in config]
            assert screen in select["options"]
            # Home Assistant was told of the choice before it shows.
            order = [text for where, text in house.said
                     if where == topic or where.endswith("shown_navigation/config")]
            first = next(place for place, text in enumerate(order) if screen in text)
            assert order[first].startswith("{"), order
        wait_until(lambda: control.ok(
            "snapshot", session=name)["updates"] and house.values[topic] == "other", "it rests")
        house.tell(select["command_topic"], sandbox.from_string(
            select["command_template"]).render(value="guest"))
        house.expect(topic, "guest")
    control.ok("close", session=name)


def test_a_message_for_a_session_that_is_not_carried_is_told(
    daemon: Daemon, broker: Broker, opened: str,
) -> None:
    with bridged(daemon, broker, opened) as (bridge, house):
        for topic in ("hal/notify", "hal/tips/command", "hal/command"):
            before = len(house.said)
            house.tell(f"gestured/{topic}", "likes")
            house.wait(
                lambda: any(where == "gestured/rejected" for where, _ in house.said[before:]),
                f"{topic} is told")
            told, = events(house, "gestured/rejected")[-1:]
            assert told["code"] == "unknown-session" and told["topic"] == f"gestured/{topic}"
            assert "--session" in told["message"] and "hal" in told["message"]
        bridge.said(r"gesturectl: .*gestured/hal/notify: --session does not name hal")
        house.tell(f"gestured/{opened}/notify", "likes")
        house.expect(f"gestured/{opened}/badges/total", "1")
        status, text = bridge.end(signal.SIGTERM)
    found = counters(text)
    assert (found["received"], found["applied"], found["refused"]) == (4, 1, 3), text
    assert text.count("does not name") == 0, "each session is named once"


def test_messages_that_come_by_two_subscriptions_count_once(
    daemon: Daemon, broker: Broker, opened: str,
) -> None:
    """With QoS 0, 1 and 2, to a bridge that also hears of other sessions."""
    with bridged(daemon, broker, opened) as (bridge, house):
        for quality in (0, 1, 2):
            for _ in range(5):
                house.client.publish(f"gestured/{opened}/notify", "likes", quality)
        house.tell(f"gestured/{opened}/notify", "last")
        house.expect(f"gestured/{opened}/badges/counts/last", "1")
        house.expect(f"gestured/{opened}/badges/counts/likes", "15")
        status, text = bridge.end(signal.SIGTERM)
    assert counters(text)["received"] == 16, text


@pytest.mark.parametrize("first, second", [(True, False), (False, True)],
                         ids=["some, then all", "all, then some"])
def test_other_options_than_before_count_nothing_twice(
    daemon: Daemon, broker: Broker, opened: str, first: bool, second: bool,
) -> None:
    """The broker keeps the subscriptions of the former run, and what came meanwhile."""
    for turn, named in enumerate((first, second), 1):
        with House(broker) as house:
            with Bridge(daemon, broker, session=opened if named else "") as bridge:
                house.expect(AVAILABILITY, "online")
                # The broker has answered all subscriptions before this one's message.
                house.tell(f"gestured/{opened}/notify", "mark")
                house.expect(f"gestured/{opened}/badges/counts/mark", str(turn))
                for quality in (0, 1, 2):
                    house.client.publish(f"gestured/{opened}/notify", "likes", quality)
                counts = "3" if turn == 1 else "9"
                house.expect(f"gestured/{opened}/badges/counts/likes", counts)
                # Nothing else comes behind it.
                house.tell(f"gestured/{opened}/notify", f"last-{turn}")
                house.expect(f"gestured/{opened}/badges/counts/last-{turn}", "1")
                house.expect(f"gestured/{opened}/badges/counts/likes", counts)
                assert bridge.end(signal.SIGTERM)[0] == 0
            if turn == 1:
                # The broker keeps these three for the next run.
                for _ in range(3):
                    house.tell(f"gestured/{opened}/notify", "likes")


def test_a_session_that_is_named_no_more_is_carried_no_more(
    daemon: Daemon, control: Control, broker: Broker, opened: str,
) -> None:
    other = f"{opened}-other"
    control.open(other, "phone")
    with bridged(daemon, broker, opened) as (bridge, house):
        assert bridge.end(signal.SIGTERM)[0] == 0
    with bridged(daemon, broker, other) as (bridge, house):
        # Its values are this bridge's own of before, and are cleared.
        house.expect(f"gestured/{opened}/availability", None)
        house.tell(f"gestured/{opened}/notify", "likes")
        house.wait(lambda: events(house, "gestured/rejected"), "it is told")
        house.tell(f"gestured/{other}/notify", "likes")
        house.expect(f"gestured/{other}/badges/total", "1")
        _, text = bridge.end(signal.SIGTERM)
    assert counters(text)["applied"] == 1, text
