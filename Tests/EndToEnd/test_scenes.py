"""Scenes on the wire. An error names its component and key."""

from __future__ import annotations

import pytest
from client import Control
from scenes import ITEMS, navigation, profile, reader, rows, scene, still, tabs, tips, toss


def many(count: int) -> list[dict]:
    return [{"id": f"c{number}", "kind": "toss"} for number in range(count)]


# A scene, and words of the message.
BAD = [
    ({"components": [toss()]}, ["viewport"]),
    ({"viewport": [320, 568]}, ["components"]),
    (scene(), ["components"]),
    (scene(*many(33)), ["components"]),
    (scene(toss(), viewport=[0, 568]), ["viewport"]),
    (scene(toss(), viewport=[320, -1]), ["viewport"]),
    (scene(toss(), viewport=[320]), ["viewport"]),
    (scene(toss(), viewport="big"), ["viewport"]),
    (scene(toss(), viewprt=[1, 1]), ["viewprt", "viewport"]),
    (scene(toss(), frame_rate=50), ["frame_rate"]),
    (scene(toss(), frame_rate="60"), ["frame_rate"]),
    (scene(toss(), velocity="fast"), ["velocity"]),
    (scene(toss(), seed="dice"), ["seed"]),
    (scene(toss(), name=7), ["name"]),
    (scene(toss(), name="two words"), ["name"]),
    (scene(toss(), toss()), ["toss"]),
    (scene({"kind": "toss"}), ["id"]),
    (scene({"id": "toss"}), ["kind"]),
    (scene({"id": "to ss", "kind": "toss"}), ["id"]),
    (scene({"id": "badges", "kind": "toss"}), ["badges"]),
    (scene({"id": "x", "kind": "tosss"}), ["x", "tosss"]),
    (scene({"id": "x", "kind": 7}), ["x", "kind"]),
    (scene(7), ["component"]),
    (scene({"id": "mine", "kind": "tips"}), ["mine", "tips"]),
    (scene(tips(tips="three")), ["tips"]),
    (scene(tips(size=[0, 400])), ["tips", "size"]),
    (scene(tips(thresold=5)), ["tips", "thresold", "threshold"]),
    (scene(tips(fade=-1)), ["tips", "fade"]),
    (scene(tips(exit_duration=-0.1)), ["tips", "exit_duration"]),
    (scene(tips(presented="yes")), ["tips", "presented"]),
    (scene(tips(tips=[{"titel": "x"}])), ["tips", "titel", "title"]),
    (scene(toss(frame=[0, 0, 0, 10])), ["toss", "frame"]),
    (scene(toss(frame=[0, 0, 10])), ["toss", "frame"]),
    (scene(toss(spin=[9, -10])), ["toss", "spin"]),
    (scene(toss(velocity_padding=0)), ["toss", "velocity_padding"]),
    (scene(toss(return_duration=-1)), ["toss", "return_duration"]),
    (scene(toss(throwing_threshold="high")), ["toss", "throwing_threshold"]),
    (scene(profile(header=[0, 0, 320, 0])), ["profile", "header"]),
    (scene(profile(avatar=[8, 73, 69, -69])), ["profile", "avatar"]),
    (scene(profile(header_stopp=5)), ["profile", "header_stopp", "header_stop"]),
    (scene({"id": "tabs", "kind": "tabs"}), ["tabs", "items"]),
    (scene(tabs(items=[])), ["tabs", "items"]),
    (scene(tabs(items=[{"id": f"i{n}"} for n in range(17)])), ["tabs", "items"]),
    (scene(tabs(items=[{}])), ["tabs", "id"]),
    (scene(tabs(items=ITEMS + ITEMS[:1])), ["tabs", "id"]),
    (scene(tabs(height=0)), ["tabs", "height"]),
    (scene(tabs(arrow_duration=-1)), ["tabs", "arrow_duration"]),
    (scene(tabs(items=[{"id": "a", "glows": []}])), ["tabs", "glows", "glow"]),
    (scene({"id": "mine", "kind": "navigation"}), ["mine", "root"]),
    (scene(navigation(root="two words")), ["navigation", "root"]),
    (scene(navigation(root=7)), ["navigation", "root"]),
    (scene(navigation(duration=-0.1)), ["navigation", "duration"]),
    (scene(navigation(start_delay=-0.1)), ["navigation", "start_delay"]),
    (scene(navigation(removal_lead=-0.1)), ["navigation", "removal_lead"]),
    (scene(navigation(queue=-1)), ["navigation", "queue"]),
    (scene(navigation(queue=1.5)), ["navigation", "queue"]),
    (scene(navigation(scale_in=0.1)), ["navigation", "scale_in", "scale_in_from"]),
    (scene({"id": "mine", "kind": "list"}), ["mine", "rows"]),
    (scene(rows(rows=-1)), ["list", "rows"]),
    (scene(rows(rows=2.5)), ["list", "rows"]),
    (scene(rows(row_height=0)), ["list", "row_height"]),
    (scene(rows(style="pull")), ["list", "style"]),
    (scene(rows(duration=-1)), ["list", "duration"]),
    (scene(rows(bounces=5)), ["list", "bounces", "bounce"]),
    (scene({"id": "mine", "kind": "reader"}), ["mine", "pages"]),
    (scene(reader(pages=0)), ["reader", "pages"]),
    (scene(reader(pages=[])), ["reader", "pages"]),
    (scene(reader(pages=[7])), ["reader", "pages"]),
    (scene(reader(pages="ten")), ["reader", "pages"]),
    (scene(reader(start=10)), ["reader", "start"]),
    (scene(reader(start=-1)), ["reader", "start"]),
    (scene(reader(size=[320, 0])), ["reader", "size"]),
    (scene(reader(header_height=0)), ["reader", "header_height"]),
    (scene(reader(footer_height=-55)), ["reader", "footer_height"]),
    (scene(reader(arrow=[13, 4, 21])), ["reader", "arrow"]),
    (scene(reader(duration=-1)), ["reader", "duration"]),
]


@pytest.mark.parametrize("bad, words", BAD, ids=[str(row[1]) for row in BAD])
def test_a_bad_scene_is_refused_and_says_why(
    control: Control, session: str, bad: dict, words: list[str]
):
    error = control.refused("open", session=session, scene=bad)
    assert error["code"] == "bad-scene", error
    for word in words:
        assert word in error["message"], f"does not name {word!r}: {error['message']}"
    assert "\n" not in error["message"], "a message is one line"
    topic = f"command/{session}"
    assert control.code(topic, {"command": "open", "scene": bad}) == "bad-scene"
    assert session not in control.sessions()


def test_32_components_of_all_kinds_are_good(control: Control, session: str):
    control.open(session, scene(*many(32)))
    assert len(control.snapshot(session)) == 36


def test_the_same_kind_may_stand_twice(control: Control, session: str):
    control.open(session, scene(toss(), {"id": "other", "kind": "toss", "frame": [0, 0, 10, 10]}))
    control.gesture(session, "other", "pan", "began", x=5, y=5)
    assert control.state(session, "other")["phase"] == "dragging"
    assert control.state(session, "toss")["phase"] == "resting"


def test_the_scene_phone_is_as_written(control: Control, session: str):
    control.open(session, "phone")
    shown = control.snapshot(session)
    tips_model = shown[f"state/{session}/tips"]["model"]
    assert tips_model["count"] == 3 and tips_model["title"] == "Don't Blink", tips_model
    assert tips_model["summary"] not in ("", "No Summary"), tips_model
    assert shown[f"state/{session}/toss"]["model"]["frame"] == [33, 137, 254, 172]
    items = shown[f"state/{session}/tabs"]["model"]["items"]
    assert [item["id"] for item in items] == ["home", "popular", "share", "news", "profile"], items
    assert shown[f"state/{session}/navigation"]["model"]["stack"] == ["dashboard"]
    assert shown[f"state/{session}/reader"]["model"]["count"] == 10
    assert control.code(
        f"gesture/{session}/list", {"gesture": "tap", "row": 20}) == "bad-value", "over 20 rows"
    control.gesture(session, "list", "tap", row=19)
    for kind, index in (("comments", 3), ("likes", 3), ("followers", 3)):
        control.notify(session, kind)
        assert control.state(session, "tabs")["model"]["bubble"]["index"] == index, kind
    control.notify(session, "mentions")
    assert control.state(session, "tabs")["model"]["items"][4]["glow"] is True
    # Beside the states of components and the rows of lists, as whole as these.
    kinds = {topic.partition("/")[0] for topic in shown}
    assert kinds == {
        "badge", "frame", "rows", "scene", "session", "state", "variables"}, sorted(shown)


def test_all_kinds_of_this_version_open(control: Control, session: str):
    control.open(session, still())
    assert len(control.snapshot(session)) == 11
