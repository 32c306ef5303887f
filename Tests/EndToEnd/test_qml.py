"""The window of Examples/qml before the real daemon: Qt without a screen, and its own renderer."""

from __future__ import annotations

import colorsys
import importlib
import importlib.util
import itertools
import math
import pathlib
import random
import signal
import sys

import pytest
from client import REPOSITORY, Control, Daemon
from forest import Planter
from PIL import ImageColor
from qmlwindow import Window
from renderer import Area, Picture, of_snapshot
from scenes import WORDED, rows, scene, toss
from tool import staying_daemon

EXAMPLE = REPOSITORY / "Examples" / "qml"
# The plain renderer in Python says how a view looks.
sys.path.insert(0, str(REPOSITORY / "Examples"))
draw = importlib.import_module("draw")
BLACK, BLUE = (0, 0, 0), (0, 0, 255)
# Points beside an edge, where a picture mixes colors.
EDGE = 2.0


@pytest.fixture
def window(daemon: Daemon, session: str, tmp_path: pathlib.Path):
    if importlib.util.find_spec("PySide6") is None:
        pytest.skip("there is no PySide6: pip install PySide6-Essentials")
    with Window(daemon, session, tmp_path) as window:
        yield window


def colored(**fields: object) -> dict:
    return scene(
        toss(frame=[60, 100, 200, 100], content={"background": "#0000ff"}),
        content={"background": "#000000"}, **fields)


def height(shown: dict) -> float:
    return shown["views"]["toss"]["item"]["y"]


def test_the_example_is_short():
    lines = [line for file in EXAMPLE.glob("*.[pq]*") for line in file.read_text().splitlines()]
    assert len([line for line in lines if line.strip(" {}")]) < 250 and max(map(len, lines)) <= 100


def test_a_drag_of_the_mouse_moves_the_view_in_the_picture(
    window: Window, control: Control, session: str
):
    # The window was there before the session.
    control.open(session, colored())
    window.until(lambda shown: shown["phases"] == {"toss": "resting"}, "the session shows")
    before = window.picture()
    assert before.size == (320, 568)
    assert before.getpixel((70, 110)) == BLUE and before.getpixel((200, 250)) == BLACK
    window.do("mouse", phase="began", x=160, y=150)
    for step in range(1, 11):
        window.do("mouse", phase="changed", x=160 + 2 * step, y=150 + 20 * step)
    window.until(lambda shown: height(shown) == 330, "the view follows the finger")
    state = control.state(session, "toss")
    assert state["phase"] == "dragging" and state["views"]["item"]["y"] == 330
    after, item = window.picture(), state["views"]["item"]
    assert after.getpixel((round(item["x"]), round(item["y"] + 40))) == BLUE
    assert after.getpixel((70, 110)) == BLACK, "the view is still in its old place"
    window.do("mouse", phase="ended", x=180, y=350)
    window.until(lambda shown: shown["phases"]["toss"] == "resting", "the view is back")
    assert window.picture().tobytes() == before.tobytes()


def test_fingers_and_wheels_count_in_the_viewports_points_in_a_window_of_any_size(
    window: Window, control: Control, session: str
):
    control.open(session, scene(rows(frame=[0, 0, 320, 284]), toss(frame=[60, 350, 200, 100])))
    window.until(lambda shown: len(shown["phases"]) == 2, "the session shows")
    # Twice as large, with bars on both sides.
    window.do("resize", size=[1000, 1136])
    window.do("wheel", x=500, y=100, turn=-120)
    window.until(lambda _: control.state(session, "list")["model"]["offset"] == 48, "a wheel")
    for phase, x in (("began", 500), ("changed", 540), ("changed", 580)):
        window.do("fingers", points=[[1, phase, x, 800]])
    window.until(lambda shown: shown["views"]["toss"].get("anchor", {}).get("x") == 160 + 40,
                 "it hangs on the finger")
    window.do("fingers", points=[[1, "ended", 580, 800]])
    window.until(lambda shown: shown["phases"]["toss"] != "dragging", "the finger lets it go")


def test_titles_and_texts_are_those_that_the_states_tell(
    window: Window, control: Control, session: str
):
    control.open(session, WORDED)
    first = {"Today", "Tides", "Looms", "3 left"}
    window.until(lambda shown: first <= set(shown["words"]), "the texts of the beginning")
    assert "unseen" not in window.do("shown")["words"]
    gray = window.picture().convert("L")
    # The title stands in a bar of 44 points, and nothing below it.
    assert gray.crop((60, 0, 260, 44)).getextrema()[0] < 128
    assert gray.crop((60, 60, 260, 140)).getextrema() == (255, 255)
    control.command(session, "navigation", "present", screen="mail", transition="in-via-scale")
    control.publish(f"command/{session}", {
        "command": "assign", "values": {"language": "de", "unread": 4}})
    control.command(session, "reader", "next")
    then = {"Post (4)", "‹ Heute", "Gezeiten", "Webstühle", "4 übrig"}
    window.until(lambda shown: then <= set(shown["words"]), "the texts of another language")
    window.until(lambda shown: not first & set(shown["words"]), "the former texts are gone")


def test_a_window_shows_the_session_again_after_a_restart_of_the_daemon(tmp_path: pathlib.Path):
    with staying_daemon() as daemon, Window(daemon, "s", tmp_path) as window:
        daemon.requests().open("s", colored())
        window.until(lambda shown: shown["phases"] == {"toss": "resting"}, "the session shows")
        before = window.picture()
        daemon.stop(signal.SIGKILL)
        # Nobody takes it, and the window does not wait for long.
        window.do("mouse", phase="began", x=160, y=150)
        window.do("mouse", phase="ended", x=160, y=150)
        daemon.restart().command("s", "toss", "reset")
        window.do("warm")
        assert window.picture().tobytes() == before.tobytes()
        window.do("mouse", phase="began", x=160, y=150)
        window.do("mouse", phase="changed", x=160, y=250)
        window.until(lambda shown: shown["phases"]["toss"] == "dragging", "it hears the touch")


def tinted(tree: dict) -> dict:
    """The scene with another color for each thing that a scene can give one."""
    hues = itertools.count(1)

    def tint(one: dict) -> None:
        red, green, blue = (n * 255 for n in colorsys.hls_to_rgb(next(hues) * 0.381, 0.5, 0.8))
        color = f"#{int(red):02x}{int(green):02x}{int(blue):02x}"
        one["content"] = one.get("content", {}) | {"background": color, "color": color}

    for component in tree["components"]:
        tint(component)
        kept = component["kind"] in ("tabs", "dynamics")
        for item in component.get("items", []) if kept else []:
            tint(item)
    return tree | {"content": {"background": "#000000"}}


def expected(picture: Picture, x: float, y: float) -> tuple[int, ...] | None:
    """The color at a point, from back to front; None beside an edge."""
    components = {one["id"]: one for one in picture.scene["components"]}
    color = (0.0, 0.0, 0.0)
    for one in picture.painted():
        component, state = components[one.component], picture.states[one.component]
        background = draw.look(component, state, one.view).get("background")
        areas = (one.area, *one.clips)
        if background is None:
            continue
        corners = [(x + dx, y + dy) for dx in (-EDGE, EDGE) for dy in (-EDGE, EDGE)]
        inside = {all(is_in(area, one.is_circle and area is one.area, *corner) for area in areas)
                  for corner in corners}
        if len(inside) == 2:
            return None
        if inside == {True}:
            paint = ImageColor.getrgb(background)
            color = tuple(
                back + (front - back) * one.alpha for back, front in zip(color, paint))
    return tuple(map(round, color))


def is_in(area: Area, is_round: bool, x: float, y: float) -> bool:
    place = area.matrix.inverse(x, y)
    if place is None or not is_round:
        return place is not None and area.contains(x, y)
    return math.hypot(place[0] - area.w / 2, place[1] - area.h / 2) < area.w / 2


@pytest.mark.parametrize("seed", [0, 4, 7])
def test_nested_turned_and_clipped_views_are_painted_where_the_document_says(
    window: Window, control: Control, session: str, seed: int, tmp_path: pathlib.Path
):
    tree = Planter(random.Random(seed)).plant(10)
    control.open(session, tinted(tree.scene))
    for topic, body in tree.events:
        control.publish(topic % session, body)
    there = Picture()

    def shows_all(shown: dict) -> bool:
        nonlocal there
        there = of_snapshot(control.ok("snapshot", session=session))
        return shown["phases"] == {name: one["phase"] for name, one in there.states.items()}

    window.until(shows_all, "the window shows what a snapshot does")
    image, wrong, compared = window.picture(), [], 0
    for x in range(4, 320, 12):
        for y in range(4, 568, 12):
            color = expected(there, x + 0.5, y + 0.5)
            if color is None:
                continue
            compared += 1
            found = image.getpixel((x, y))
            if max(abs(one - other) for one, other in zip(color, found)) > 4:
                wrong.append((x, y, color, found))
    # The others are texts.
    assert compared > 800 and len(wrong) < compared / 50, (compared, len(wrong), wrong[:5])
