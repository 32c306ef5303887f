"""A header follows the scroll. Every number is a function of the offset."""

from __future__ import annotations

import pytest
from checks import expect_view, near, transitions
from client import Control, Daemon, Subscriber
from scenes import profile, scene

HEADER, AVATAR = 107, 69  # Heights.
OFFSETS = [
    -200, -107, -53.5, -1, -0.001, 0, 0.5, 10, 20, 39.999, 40, 40.001, 50, 94.999, 95, 95.001, 110,
    129.999, 130, 131, 300, 632, 1000,
]


@pytest.fixture
def opened(control: Control, session: str) -> str:
    control.open(session, scene(profile()))
    return session


def scroll(control: Control, session: str, offset: float, phase: str = "changed") -> dict:
    control.gesture(session, "profile", "scroll", phase, offset=offset)
    return control.state(session, "profile")


def expected(o: float) -> dict[str, dict[str, float]]:
    """The views for an offset, from the written rules."""
    views = {"content": {"x": 160, "y": 600 - o, "w": 320, "h": 1200, "z": -1, "alpha": 1}}
    if o < 0:
        factor = -o / HEADER
        header = {"x": 160, "y": HEADER / 2 + HEADER * factor / 2, "scale": 1 + factor}
        avatar = {"x": 8 + 69 / 2, "y": 73 + AVATAR / 2 - o, "scale": 1}
    else:
        moved = min(40, o)
        header = {"x": 160, "y": HEADER / 2 - moved, "scale": 1}
        factor = moved / AVATAR / 1.4
        avatar = {
            "x": 8 + 69 / 2, "y": 73 + AVATAR / 2 - o + AVATAR * factor / 2, "scale": 1 - factor}
        translation = max(-35, 95 - o)
        if translation < 0:
            label_y = 107 + 21 / 2 - moved + translation
            views["label"] = {"x": 160, "y": label_y, "w": 320, "h": 21}
    front = 4 if o > 40 else 0
    views["header"] = header | {"w": 320, "h": HEADER, "z": front, "alpha": 1}
    views["avatar"] = avatar | {"w": 69, "h": AVATAR, "z": 3}
    blur = min(1, max(0, (o - 95) / 35))
    views["blur"] = header | {"w": 320, "h": HEADER, "z": front + 1, "alpha": blur}
    if "label" in views:
        views["label"]["z"] = front + 2
    return views


def phase(o: float) -> str:
    return "pulled" if o < 0 else "titled" if o > 95 else "collapsed" if o > 40 else "expanded"


@pytest.mark.parametrize("offset", OFFSETS)
def test_the_views_are_a_function_of_the_offset(control: Control, opened: str, offset: float):
    state = scroll(control, opened, offset)
    wanted = expected(offset)
    assert set(state["views"]) == set(wanted), f"at {offset}: {state}"
    for name, fields in wanted.items():
        expect_view(state, name, 0.0006, **fields)
    assert state["phase"] == phase(offset) and near(state["model"]["offset"], offset)


@pytest.mark.parametrize("first", ["began", "changed", "ended", "cancelled"])
def test_any_phase_in_any_order_counts(control: Control, opened: str, first: str):
    for offset, phase_name in enumerate((first, "ended", "changed", "began", "cancelled", "began")):
        assert scroll(control, opened, offset, phase_name)["model"]["offset"] == offset


def test_each_scroll_is_published_at_once(
    daemon: Daemon, control: Control, opened: str
):
    updates = daemon.subscriber(f"state/{opened}/")
    for offset in range(1, 51):
        control.gesture(opened, "profile", "scroll", "changed", offset=offset)
        updates.until(
            lambda u, offset=offset: u.body["model"]["offset"] == offset, f"offset {offset}")


@pytest.mark.parametrize("offsets, wanted", [
    ([-1], [("pull", "began")]),
    ([-1, 0], [("pull", "began"), ("pull", "ended")]),
    ([-1, -50, -2], [("pull", "began")]),
    ([40], []),
    ([40.5], [("collapse", "began")]),
    ([41, 95], [("collapse", "began")]),
    ([41, 96, 94, 40], [
        ("collapse", "began"), ("title", "began"), ("title", "ended"), ("collapse", "ended")]),
    ([200], [("collapse", "began"), ("title", "began")]),
    ([200, -10], [
        ("collapse", "began"), ("title", "began"), ("title", "ended"), ("collapse", "ended"),
        ("pull", "began")]),
    ([-10, 200], [
        ("pull", "began"), ("pull", "ended"), ("collapse", "began"), ("title", "began")]),
], ids=str)
def test_transitions_come_in_the_order_of_passing(
    daemon: Daemon, control: Control, opened: str, offsets: list[float], wanted: list
):
    updates = daemon.subscriber(f"transition/{opened}/", f"badge/{opened}")
    for offset in offsets:
        control.gesture(opened, "profile", "scroll", "changed", offset=offset)
    control.notify(opened, "done")
    got = updates.until(lambda u: u.topic.startswith("badge/") and u.body["total"] == 1, "the end")
    assert transitions(got) == wanted, got
    assert all(u.body["duration"] == 0 for u in got if u.topic.startswith("transition/")), got


def test_navigation_height_and_label_top_give_the_stops(control: Control, session: str):
    control.open(session, scene(profile(navigation_height=67, name_label_top=162)))
    views = scroll(control, session, 500)["views"]
    assert near(views["header"]["y"], HEADER / 2 - 40), views
    assert near(views["label"]["y"], 107 + 10.5 - 40 - 35), views
    assert "label" not in scroll(control, session, 95)["views"]
    assert scroll(control, session, 96)["views"]["label"]["cut"] == 1, "it was gone"


def finger(control: Control, session: str, places: list[float]) -> None:
    last = len(places) - 1
    for number, y in enumerate(places):
        phase_name = "began" if number == 0 else "ended" if number == last else "changed"
        control.gesture(
            session, "profile", "pointer", phase_name, pointer=1, x=100, y=y)


def test_one_change_is_one_state(daemon: Daemon, control: Control, opened: str):
    updates: Subscriber = daemon.subscriber(f"state/{opened}/")
    updates.find(f"state/{opened}/profile")
    control.gesture(opened, "profile", "scroll", "changed", offset=9)
    got = updates.during(0.2)
    assert len(got) == 1, got
