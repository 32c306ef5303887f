"""The distance and speed of a contact decide the gesture. On virtual time."""

from __future__ import annotations

import pytest
from checks import near, transitions
from client import Update
from scenes import rows, scene, tips, toss
from simulation import Script, at_step, of, step_of


def moved(
    across: float, seconds: float, component: dict, along: float = 0, samples: int = 20
) -> list[Update]:
    """A contact that moves at constant speed and lifts at the end."""
    script = Script(scene(component, frame_rate=120)).wait(100)
    every = seconds * 1000 / samples
    places = [
        (160 + across * n / samples, 150 + along * n / samples) for n in range(samples + 1)]
    return script.contact(component["id"], places, every=every).run()


def expect_no_rejection(got: list[Update]) -> None:
    assert not [u for u in got if u.topic.startswith("rejected/")], got


# Points across, seconds, and the gesture. A swipe needs 50·(1 − 0.94 t) points within half a
# second. A tap may move 45.
@pytest.mark.parametrize("across, seconds, wanted", [
    (60, 0.1, "swipe"), (120, 0.2, "swipe"), (46, 0.1, "swipe"), (44, 0.1, "tap"),
    (33, 0.4, "swipe"), (30, 0.4, "tap"), (28, 0.49, "swipe"), (26, 0.49, "tap"),
    (28, 0.6, "tap"), (44, 1.2, "tap"), (46, 1.2, None), (200, 5.0, None)])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_move_across_a_list(across: float, seconds: float, wanted: str | None, sign: int):
    got = moved(sign * across, seconds, rows())
    expect_no_rejection(got)
    model = of(got, "list")[-1].body["model"]
    assert (model["selected"] is not None) == (wanted == "tap"), model
    direction = ("right" if sign > 0 else "left") if wanted == "swipe" else None
    assert model["direction"] == direction, model
    assert (("open", "ended") in transitions(got)) == (wanted == "swipe"), got


@pytest.mark.parametrize("along", [11, -11])
def test_along_first_is_a_scroll_whatever_comes_then(along: float):
    script = Script(scene(rows(), frame_rate=120)).wait(100)
    places = [(160, 300), (160, 300 + along / 2), (160, 300 + along), (230, 300 + along),
              (300, 300 + along)]
    got = script.contact("list", places, every=12.5).run()
    expect_no_rejection(got)
    seen = {u.body["model"].get("recognizer") for u in of(got, "list")}
    assert seen == {None, "scroll"} and transitions(got) == [], (seen, transitions(got))
    assert of(got, "list")[-1].body["model"]["selected"] is None, "the tap won"


def test_across_first_is_a_swipe_whatever_comes_then():
    script = Script(scene(rows(), frame_rate=120)).wait(100)
    places = [(100, 300), (130, 302), (160, 304), (160, 250), (160, 100)]
    got = script.contact("list", places, every=12.5).run()
    expect_no_rejection(got)
    seen = {u.body["model"].get("recognizer") for u in of(got, "list")}
    assert seen == {None, "swipe"}, seen
    assert of(got, "list")[-1].body["model"]["offset"] == 0, "the scroll won"


def list_open() -> Script:
    """A list with row 3 open."""
    where = Script(scene(rows(), frame_rate=120)).wait(100)
    return where.gesture("list", "swipe", direction="left", row=3).wait(400)


@pytest.mark.parametrize("places, selected", [
    ([(160, 230), (200, 230), (240, 230)], None), ([(160, 230), (120, 230), (80, 230)], None),
    ([(160, 400), (160, 385), (160, 385)], None), ([(160, 20), (161, 20)], 0),
    ([(160, 230), (160, 230), (180, 230)], 3)], ids=str)
def test_a_contact_closes_the_open_row(places: list, selected: int | None):
    got = list_open().contact("list", places).run()
    expect_no_rejection(got)
    names = transitions(got)
    selection = [("select", "began"), ("select", "ended")] if selected is not None else []
    assert names == [
        ("open", "began"), ("open", "ended"), *selection, ("close", "began"), ("close", "ended")]
    assert of(got, "list")[-1].body["model"]["selected"] == selected


def test_a_swipe_while_a_row_moves_is_refused_once():
    """The refusal covers the whole contact. A tap and a scroll still work."""
    where = list_open().command("list", "action").wait(50)
    where.contact("list", [(160, 230), (200, 230), (240, 230), (240, 100), (20, 100)]).wait(25)
    where.contact("list", [(160, 500), (160, 500)]).wait(25)
    where.contact("list", [(160, 500), (160, 480), (160, 460)], last="changed").wait(200)
    where.gesture("list", "pointer", "ended", pointer=1, x=160, y=460)
    got = where.run()
    refused = [u for u in got if u.topic.startswith("rejected/")]
    assert [u.body["code"] for u in refused] == ["busy"], refused
    model = of(got, "list")[-1].body["model"]
    assert model["selected"] == 7 and near(model["offset"], 30, 0.01), model
    assert transitions(got)[-4:] == [
        ("close", "began"), ("select", "began"), ("select", "ended"), ("close", "ended")], got


def test_a_second_finger_on_a_list_does_nothing():
    where = Script(scene(rows(), frame_rate=120)).wait(100)
    where.contact("list", [(160, 400), (160, 380)], last="changed")
    where.contact("list", [(100, 50), (101, 50)], pointer=2)
    where.contact("list", [(100, 50), (150, 50), (200, 50)], pointer=3)
    where.wait(25).gesture("list", "pointer", "changed", pointer=1, x=160, y=370)
    where.wait(300).gesture("list", "pointer", "ended", pointer=1, x=160, y=370)
    got = where.run()
    expect_no_rejection(got)
    model = of(got, "list")[-1].body["model"]
    assert model["selected"] is None and transitions(got) == [], model
    assert near(model["offset"], 20, 0.01), model


@pytest.mark.parametrize("dx, dy", [(10, 0), (-10, 0), (0, 10), (0, -10), (10, 9), (-9, -10)])
def test_a_pan_begins_at_ten_points_on_one_axis(dx: float, dy: float):
    script = Script(scene(toss(), frame_rate=120)).wait(100)
    script.gesture("toss", "pointer", "began", pointer=1, x=160, y=223)
    for part in (0.5, 0.99):
        script.wait(25).gesture(
            "toss", "pointer", "changed", pointer=1, x=160 + part * dx, y=223 + part * dy)
    script.wait(25).gesture("toss", "pointer", "changed", pointer=1, x=160 + dx, y=223 + dy)
    script.wait(25).gesture("toss", "pointer", "cancelled", pointer=1, x=160 + dx, y=223 + dy)
    shown = of(script.run(), "toss")
    dragging = [step_of(u) for u in shown if u.body["phase"] == "dragging"]
    assert dragging[0] == 21, f"it began at step {dragging[0]}, not at 175 ms"
    assert at_step(shown, 21)["model"]["recognizer"] == "pan"
    assert "recognizer" not in at_step(shown, 24)["model"]


@pytest.mark.parametrize("way, index", [(-120, 1), (-60, 0), (60, 0), (120, 0)])
def test_a_contact_turns_the_tips(way: float, index: int):
    script = Script(scene(tips(), frame_rate=120)).wait(4000)
    places = [(160 + way * part / 10, 284) for part in range(11)]
    script.contact("tips", [*places, (160 + way, 284)], last="changed")
    script.wait(400).gesture("tips", "pointer", "ended", pointer=1, x=160 + way, y=284)
    got = script.run()
    expect_no_rejection(got)
    pages = transitions(of(got, "tips", "transition"))[2:]
    assert pages == ([("page", "began"), ("page", "ended")] if abs(way) > 100 else []), pages
    last = of(got, "tips")[-1].body
    assert last["phase"] == "resting" and last["model"]["index"] == index, last
    seen = [u.body["model"].get("recognizer") for u in of(got, "tips")]
    assert set(seen) == {None, "pan"} and seen[-1] is None, set(seen)


def test_three_seconds_of_silence_are_three_seconds():
    """Each sample restarts them, even one that repeats the last."""
    script = Script(scene(toss(), frame_rate=120)).wait(100)
    script.gesture("toss", "pointer", "began", pointer=1, x=160, y=223)
    script.wait(100).gesture("toss", "pointer", "changed", pointer=1, x=200, y=223)
    for _ in range(4):
        script.wait(2900).gesture("toss", "pointer", "changed", pointer=1, x=200, y=223)
    began = [u for u in of(script.run(), "toss", "transition") if u.body["name"] == "return"][0]
    steps = step_of(began) - round((200 + 4 * 2900) * 0.12)
    assert 360 <= steps <= 361, f"cancelled after {steps} steps of silence"


def test_a_contact_that_is_never_lifted_comes_to_rest():
    script = Script(scene(toss(), rows(), frame_rate=120)).wait(100)
    for component in ("toss", "list"):
        script.gesture(component, "pointer", "began", pointer=1, x=160, y=223)
    script.wait(100).gesture("toss", "pointer", "changed", pointer=1, x=250, y=300)
    got = script.run()
    assert of(got, "toss")[-1].body["phase"] == "resting", of(got, "toss")[-1]
    assert step_of(got[-1]) < 600, f"it took until {got[-1]}"
    assert of(got, "list")[-1].body["model"]["selected"] is None, "a lost contact tapped"


def test_a_move_that_turns_out_to_be_along_is_a_scroll():
    script = Script(scene(rows(), frame_rate=120)).wait(100)
    places = [(100, 300), (112, 289), (112, 240), (112, 200), (112, 200)]
    got = script.contact("list", places, every=50).run()
    assert "scroll" in {u.body["model"].get("recognizer") for u in of(got, "list")}
