"""Recordings of real hands on a session's topic alone: the daemon finds what each one means."""

from __future__ import annotations

import json
import math
import pathlib

import pytest
from client import Control, Daemon
from recordings import DATA, missing
from scenes import dynamics, navigation, reader, rows, scene, tabs, tips, toss
from tool import Tool, ctl

PAGES = [{"id": "home"}, {"id": "share"}, {"id": "news"}]
# A card on its head, and one at half of its size.
TURNED = {"id": "card", "center": [160, 284], "size": [320, 568], "rotation": math.pi}
SMALL = {"id": "card", "center": [160, 284], "size": [320, 568], "scale": 0.5}


def app(*page: dict, first: str = "home") -> dict:
    """A tab bar with these components in one of its pages; the first page shows."""
    first_page, *rest = page
    items = [{"id": first}, *[item for item in PAGES if item["id"] != first]]
    return scene(tabs(items=items), first_page | {"in": f"tabs/page-{first}"}, *rest)


LIST_IN_SCREEN = app(navigation(), rows(**{"in": "navigation/dashboard"}))
LIST_IN_CARD = app(dynamics(items=[SMALL], drag=False), rows(**{"in": "world/card"}))
TIPS_ON_THEIR_HEAD = scene(
    rows(id="behind"), dynamics(items=[TURNED]), tips(tips=[{}] * 3, **{"in": "world/card"}))
TIPS_OVER_ALL = scene(
    tabs(items=PAGES), rows(**{"in": "tabs/page-home"}), tips(tips=[{}] * 3))
TOSS = app(toss(), first="share")
# As wide as the screens of these hands, which lie on their side.
WIDE = (946, 568)
READER = app(reader(start=4), first="news") | {"viewport": WIDE}
READER_IN_SCREEN = app(
    navigation(), reader(start=4, **{"in": "navigation/dashboard"})) | {"viewport": WIDE}

# A phone's screen twice as high as its furthest touch, so that the finger is in the middle.
HALF = ("--screen", "1020x1550")
SWIPE = ("--screen", "2676x1466")
LYING = ("--viewport", f"{WIDE[0]}x{WIDE[1]}")
# Recording, arguments, scene, component that is meant, transition, and what the model shows then.
HANDS = {
    "a drag to the right opens a row": (
        "getevent/Phone/phone-single-drag.txt", HALF, LIST_IN_SCREEN, "list", "open",
        {"direction": "right", "row": 4}),
    "a small row in a card": (
        "getevent/Phone/phone-single-drag.txt", HALF, LIST_IN_CARD, "list", "open",
        {"direction": "right", "row": 4}),
    "a trackpad opens a row": (
        "wheel-gestures/swipe-left-fast-trackpad.json", (), LIST_IN_SCREEN, "list", "open",
        {"direction": "left", "row": 4}),
    "a swipe to the right turns a tip on its head to the next": (
        "evemu-devices/tablets/Wacom ISDv4 E6 Finger.single-top-swipe.events", SWIPE,
        TIPS_ON_THEIR_HEAD, "tips", "page", {"index": 1}),
    "a swipe to the right from the first tip comes to the first": (
        "evemu-devices/tablets/Wacom ISDv4 E6 Finger.single-top-swipe.events", SWIPE,
        TIPS_OVER_ALL, "tips", "page", {"index": 0}),
    "a fast circle tosses": (
        "dollar1-unistroke/s02/fast/circle02.xml", (), TOSS, "toss", "toss", {}),
    "two fingers pull up the next page": (
        "evemu-devices/touchscreens/EP0430M09.2-finger-scroll-down.events", LYING, READER,
        "reader", "page", {"index": 5}),
    "four fingers pull down the previous page of a screen": (
        "evemu-devices/touchscreens/Atmel maXTouch Touchscreen.4-finger-drag-down.events", LYING,
        READER_IN_SCREEN, "reader", "page", {"index": 3}),
}


def routed(file: pathlib.Path, session: str, arguments: tuple[str, ...]) -> list[str]:
    """The recording's lines; each sample goes to the session, which names no component."""
    result = ctl("convert", file, "--session", session, *arguments, text=True)
    assert result.returncode == 0, result.stderr
    header, *lines = [json.loads(line) for line in result.stdout.splitlines()]
    samples = [line for line in lines if line.get("topic", "").startswith("gesture/")]
    for sample in samples:
        assert sample["topic"].count("/") == 2, sample
        sample["topic"] = f"gesture/{session}"
    return [json.dumps(line) for line in (header, *samples)]


@missing
@pytest.mark.parametrize("name", HANDS)
def test_a_hand_that_names_no_component_moves_what_it_touches(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path, name: str
):
    file, arguments, shown, component, transition, model = HANDS[name]
    copy = tmp_path / "routed.jsonl"
    copy.write_text("\n".join(routed(DATA / file, session, arguments)) + "\n")
    control.open(session, shown)
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/", "rejected/")
    if component == "tips":
        updates.find(f"state/{session}/tips", phase="resting")
    with Tool(daemon, "replay", copy) as tool:
        code, errors = tool.wait()
    assert code == 0, errors
    topic = f"transition/{session}/{component}"
    got = updates.until(
        lambda update: update.topic == topic and update.body["name"] == transition
        and update.body["event"] == "ended", f"{transition} of {component}")
    state = control.state(session, component)
    assert {key: state["model"][key] for key in model} == model, state
    others = {update.topic.split("/")[2] for update in got
              if update.topic.startswith("transition/")} - {component, "world"}
    assert not others, f"others moved, too: {others}"
    assert not [update for update in got if update.topic.startswith("rejected/")], got
