"""The scene `house`: what is turned is a variable, and a variable that is assigned turns it."""

from __future__ import annotations

import time

import pytest
from client import Control, Daemon
from hands import phase, stroke, touch, values
from reliability import wait_for

# Middles of what a finger touches, in points.
LIGHTS = {"ceiling": (96, 128), "lamp": (256, 128), "kitchen": (416, 128)}
COOLER, WARMER, EDGE = (72, 360), (440, 360), (400, 456)
MOODS = {"morning": (112, 380), "evening": (304, 380), "film": (496, 380), "all-off": (688, 380)}


def assign(control: Control, session: str, **changed: object) -> None:
    control.publish(f"command/{session}", {"command": "assign", "values": changed})


def stands(control: Control, session: str, panel: str, place: str) -> None:
    wait_for(lambda: control.state(session, panel)["model"]["at"] == place, f"{panel}: {place}")


@pytest.mark.parametrize("light", LIGHTS)
def test_a_light_is_turned_by_touch_and_by_the_house(
    daemon: Daemon, control: Control, session: str, light: str,
):
    control.open(session, "house")
    updates = daemon.subscriber(f"rejected/{session}")
    turned = values(control, session)[light]
    for step in range(6):
        turned = not turned
        if step % 3 < 2:
            touch(control, session, LIGHTS[light])
        else:
            assign(control, session, **{light: turned})
        assert values(control, session)[light] is turned
        assert control.state(session, light)["model"]["on"] is turned
        glow = "shown" if turned else "hidden"
        wait_for(lambda: phase(control, session, f"{light}-glow") == glow, glow)
    assert not updates.during(0.2)


@pytest.mark.parametrize("value, place", [
    (-10, 0), (0, 0), (12.4, 0), (12.5, 25), (25, 25), (30, 25), (37.5, 50), (60, 50), (62.5, 75),
    (87, 75), (87.5, 100), (100, 100), (1e9, 100)])
@pytest.mark.parametrize("slider", ["brightness", "blind"])
def test_a_value_sends_the_slider_to_the_nearest_place(
    daemon: Daemon, control: Control, session: str, slider: str, value: float, place: int,
):
    control.open(session, "house")
    topic = f"transition/{session}/{slider}"
    updates = daemon.subscriber(f"rejected/{session}", topic)
    assign(control, session, **{slider: value})
    stands(control, session, slider, str(place))
    assert values(control, session)[slider] == place
    later = updates.during(0.2)
    told = [it.body["event"] for it in later if it.topic == topic]
    assert told in ([], ["began", "ended"]), "it goes there once"
    assert not [it for it in later if it.topic.startswith("rejected")]


def test_a_slider_that_is_dragged_tells_its_place(daemon: Daemon, control: Control, session: str):
    control.open(session, "house")
    updates = daemon.subscriber(f"rejected/{session}")
    stroke(control, session, (340, 248), (40, 248), (36, 248))
    stands(control, session, "brightness", "0")
    assert values(control, session)["brightness"] == 0
    stroke(control, session, (60, 248), (460, 248), (464, 248))
    stands(control, session, "brightness", "100")
    assert values(control, session)["brightness"] == 100
    assert control.state(session, "brightness-text")["model"]["text"] == "Brightness 100 %"
    assert not updates.during(0.2)


def test_the_house_does_not_tear_a_slider_from_a_finger(
    daemon: Daemon, control: Control, session: str,
):
    control.open(session, "house")
    t, topic = time.time() * 1000, f"gesture/{session}"

    def finger(name: str, y: float, after: int) -> None:
        control.publish(topic, {"gesture": "pointer", "phase": name, "pointer": 1, "x": 640,
                                "y": y, "t": t + after})

    finger("began", 100, 0)
    for step in range(1, 11):
        finger("changed", 100 + 14 * step, 16 * step)
    updates = daemon.subscriber(f"rejected/{session}")
    assign(control, session, blind=0)
    updates.find(f"rejected/{session}", code="busy")
    assert phase(control, session, "blind") == "dragging"
    finger("changed", 240, 500)
    finger("ended", 240, 516)
    stands(control, session, "blind", "75")
    assert values(control, session)["blind"] == 75, "where the finger left it is what counts"


def test_the_heating_has_ends(daemon: Daemon, control: Control, session: str):
    control.open(session, "house")
    assign(control, session, heating=27.5)
    for _ in range(3):
        touch(control, session, WARMER)
    assert values(control, session)["heating"] == 28
    assign(control, session, heating=15.5)
    for _ in range(3):
        touch(control, session, COOLER)
    assert values(control, session)["heating"] == 15
    for value, kept in ((99, 28), (-5, 15)):
        assign(control, session, heating=value)
        assert values(control, session)["heating"] == kept


def test_moods_by_touch_and_by_the_house(daemon: Daemon, control: Control, session: str):
    control.open(session, "house")
    updates = daemon.subscriber(f"rejected/{session}")

    def choose(mood: str) -> None:
        touch(control, session, EDGE)
        stands(control, session, "sheet", "open")
        touch(control, session, MOODS[mood])
        stands(control, session, "sheet", "closed")

    evening = {"ceiling": False, "lamp": True, "kitchen": False, "brightness": 50, "blind": 50}
    choose("evening")
    assert evening.items() <= values(control, session).items()
    # Chosen again, after somebody has turned a light on.
    touch(control, session, LIGHTS["kitchen"])
    assert values(control, session)["kitchen"] is True
    choose("evening")
    assert evening.items() <= values(control, session).items()
    assign(control, session, mood="film")
    assert values(control, session)["blind"] == 100
    stands(control, session, "blind", "100")
    choose("all-off")
    told = values(control, session)
    assert not any(told[light] for light in LIGHTS) and told["mood"] == "all-off"
    choose("morning")
    assert values(control, session)["blind"] == 0
    assert not updates.during(0.2)


def test_the_bell_and_the_weather_show(control: Control, session: str):
    control.open(session, "house")
    assign(control, session, outside=-3.25)
    assert control.state(session, "weather")["model"]["text"] == "Outside -3.2 °C"
    control.notify(session, "bell")
    wait_for(lambda: phase(control, session, "bell") == "shown", "the bell shows")


def test_what_was_turned_survives_a_kill():
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("hall", "house")
        assign(control, "hall", ceiling=True, brightness=25, blind=100)
        stands(control, "hall", "blind", "100")
        before = values(control, "hall")
        control = daemon.restart()
        assert values(control, "hall") == before
        assert control.state("hall", "ceiling")["model"]["on"] is True
        assert phase(control, "hall", "ceiling-glow") == "shown"
        for slider, place in (("brightness", "25"), ("blind", "100")):
            assert control.state("hall", slider)["model"]["at"] == place
