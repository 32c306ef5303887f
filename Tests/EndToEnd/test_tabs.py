"""The tab bar: its selected item, arrow, glows and bubble."""

from __future__ import annotations

import pytest
from checks import expect_span, expect_view, near, settle, states, steps_between, transitions
from client import Control, Daemon, Subscriber
from scenes import scene, tabs

IDS = ["home", "popular", "share", "profile"]
WIDTH, TOP = 80, 524  # An item's width; the bar's top edge.


def place(index: int) -> float:
    """The middle of an item."""
    return WIDTH * index + WIDTH / 2


@pytest.fixture
def updates(daemon: Daemon, control: Control, session: str) -> Subscriber:
    control.open(session, scene(tabs(), frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/tabs")
    return updates


def state(control: Control, session: str) -> dict:
    return control.state(session, "tabs")


def selected(state: dict) -> list[str]:
    return [item["id"] for item in state["model"]["items"] if item["selected"]]


def bubble_shown(updates: Subscriber) -> None:
    updates.until(
        lambda u: u.topic.startswith("state/") and "bubble" in u.body["views"]
        and u.body["views"]["bubble"]["alpha"] == 1, "the bubble at alpha 1")


def test_at_first_the_first_item_is_selected(control: Control, session: str, updates: Subscriber):
    shown = state(control, session)
    assert shown["phase"] == "resting" and shown["model"]["selected"] == 0
    assert [item["id"] for item in shown["model"]["items"]] == IDS
    for item in shown["model"]["items"]:
        assert set(item) == {"id", "selected", "highlighted", "glow"}, item
        assert not item["highlighted"] and not item["glow"]
    assert selected(shown) == ["home"] and shown["model"]["bubble"] is None
    items = [f"item-{name}" for name in IDS]
    assert list(shown["views"]) == ["page-home", "bar", *items, "arrow"], shown
    expect_view(shown, "page-home", x=160, y=284, w=320, h=568, alpha=1, z=0)
    expect_view(shown, "bar", x=160, y=TOP + 22, w=320, h=44, alpha=1, z=1)
    for index, item in enumerate(items):
        expect_view(shown, item, x=place(index), y=TOP + 22, w=WIDTH, h=44, alpha=1, z=2)
    expect_view(shown, "arrow", x=place(0), y=TOP - 10 + 2 + 5, w=20, h=10, alpha=1, z=4)


def test_the_selected_items_page_shows_and_is_cut_when_it_comes_back(
    control: Control, session: str, updates: Subscriber
):
    for index, page, cut in [(2, "share", 0), (0, "home", 1), (2, "share", 1), (2, "share", 1)]:
        control.gesture(session, "tabs", "tap", index=index)
        views = state(control, session)["views"]
        assert [name for name in views if name.startswith("page-")] == [f"page-{page}"], views
        assert views[f"page-{page}"].get("cut", 0) == cut, views


@pytest.mark.parametrize("target", [
    {"index": 2}, {"x": 160, "y": 540}, {"x": 239.9, "y": 524}, {"x": 200, "y": 567}], ids=str)
def test_a_tap_selects_and_the_arrow_runs(
    control: Control, session: str, updates: Subscriber, target: dict
):
    control.gesture(session, "tabs", "tap", **target)
    got = settle(updates, session, "tabs")
    assert transitions(got) == [("select", "began"), ("select", "ended")], got
    began, ended = [u for u in got if u.topic.startswith("transition/")]
    assert (began.body["from"], began.body["to"], began.body["duration"]) == (0, 2, 0.2), began
    expect_span(began, ended, 0.2)
    moving = [u for u in states(got) if u.body["phase"] == "moving"]
    assert moving and all(selected(u.body) == ["share"] for u in moving), "not selected at once"
    places = [u.body["views"]["arrow"]["x"] for u in states(got)]
    assert places == sorted(places) and places[-1] == place(2), places
    halfway = [u for u in moving if near(u.t - began.t, 100, 0.01)]
    assert halfway and near(halfway[0].body["views"]["arrow"]["x"], 120), halfway


def test_the_arrow_runs_from_where_it_is_shown(
    control: Control, session: str, updates: Subscriber
):
    control.gesture(session, "tabs", "tap", index=3)
    shown = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["views"]["arrow"]["x"] > 100,
        "the arrow to run")[-1].body["views"]["arrow"]["x"]
    control.gesture(session, "tabs", "tap", index=0)
    got = settle(updates, session, "tabs")
    assert transitions(got) == [
        ("select", "cancelled"), ("select", "began"), ("select", "ended")], got
    places = [u.body["views"]["arrow"]["x"] for u in states(got)]
    assert max(places) < place(3) and max(places) >= shown - 0.001, "it jumped"
    assert places[-1] == place(0)


def test_selecting_the_selected_item_is_no_transition(
    control: Control, session: str, updates: Subscriber
):
    control.gesture(session, "tabs", "tap", index=0)
    control.command(session, "tabs", "select", index=0)
    got = updates.during(0.3)
    assert transitions(got) == [], got
    assert state(control, session)["model"]["selected"] == 0


def test_select_by_command(control: Control, session: str, updates: Subscriber):
    control.command(session, "tabs", "select", index=3)
    assert settle(updates, session, "tabs")[-1].body["model"]["selected"] == 3


def test_a_notification_of_its_kind_makes_an_item_glow(
    control: Control, session: str, updates: Subscriber
):
    control.notify(session, "mentions")
    shown = updates.until(
        lambda u: u.topic.startswith("state/") and "glow-3" in u.body["views"], "the glow")[-1].body
    assert shown["model"]["items"][3]["glow"] is True
    expect_view(shown, "glow-3", x=place(3), y=568 - 5, w=40, h=10, alpha=1, z=3)
    control.gesture(session, "tabs", "tap", index=3)
    shown = settle(updates, session, "tabs")[-1].body
    assert "glow-3" not in shown["views"]
    assert shown["model"]["items"][3]["glow"] is False
    control.notify(session, "mentions")
    assert "glow-3" not in state(control, session)["views"], "the selected item glows"


def test_glow_and_unglow_by_command_whatever_is_selected(
    control: Control, session: str, updates: Subscriber
):
    for index in (0, 1, 2):
        control.command(session, "tabs", "glow", index=index)
    assert {"glow-0", "glow-1", "glow-2"} <= set(state(control, session)["views"])
    control.command(session, "tabs", "unglow", index=1)
    control.command(session, "tabs", "unglow", index=3)
    views = set(state(control, session)["views"])
    assert "glow-1" not in views and {"glow-0", "glow-2"} <= views, views


def test_a_bubble_shows_over_its_item_and_fades_in(
    control: Control, session: str, updates: Subscriber
):
    control.notify(session, "likes", add=3)
    began = updates.find(f"transition/{session}/tabs", name="bubble-show", event="began")
    assert began.body["duration"] == 0.5, began
    ended = updates.find(f"transition/{session}/tabs", name="bubble-show", event="ended")
    expect_span(began, ended, 0.5)
    shown = state(control, session)
    assert shown["model"]["bubble"] == {"index": 1, "counts": {"comments": 0, "likes": 3}} or (
        shown["model"]["bubble"] == {"index": 1, "counts": {"likes": 3}}), shown["model"]
    expect_view(shown, "bubble", x=place(1), y=TOP - 2 - 20, w=120, h=40, alpha=1, z=5)


def test_its_counts_follow(control: Control, session: str, updates: Subscriber):
    control.notify(session, "likes", add=3)
    control.notify(session, "comments")
    control.notify(session, "likes")
    bubble = state(control, session)["model"]["bubble"]
    assert bubble == {"index": 1, "counts": {"comments": 1, "likes": 4}}, bubble


def test_over_another_item_a_bubble_fades_in_anew(
    control: Control, session: str, updates: Subscriber
):
    control.notify(session, "likes")
    bubble_shown(updates)
    control.notify(session, "followers")
    began = updates.find(f"transition/{session}/tabs", name="bubble-show", event="began")
    first = updates.find(f"state/{session}/tabs").body
    expect_view(first, "bubble", x=place(2), cut=1)
    assert first["views"]["bubble"]["alpha"] < 0.5, first["views"]["bubble"]
    ended = updates.find(f"transition/{session}/tabs", name="bubble-show", event="ended")
    expect_span(began, ended, 0.5)
    shown = state(control, session)
    expect_view(shown, "bubble", x=place(2), alpha=1, cut=1)
    assert shown["model"]["bubble"]["index"] == 2, shown["model"]


def test_a_bubble_keeps_its_numbers_until_it_has_faded(
    control: Control, session: str, updates: Subscriber
):
    control.notify(session, "likes", add=3)
    bubble_shown(updates)
    control.gesture(session, "tabs", "tap", index=1)
    updates.find(f"transition/{session}/tabs", name="bubble-hide", event="began")
    assert control.snapshot(session)[f"badge/{session}"]["counts"]["likes"] == 0
    got = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["model"]["bubble"] is None)
    bubbles = [u.body["model"]["bubble"] for u in states(got)[:-1]]
    assert bubbles and all(b["counts"]["likes"] == 3 for b in bubbles), bubbles


def test_the_arrow_runs_by_its_curve(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(tabs(arrow_curve="linear"), frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/tabs", phase="resting")
    control.gesture(session, "tabs", "tap", index=2)
    got = settle(updates, session, "tabs")
    began = next(u for u in got if u.topic.startswith("transition/"))
    assert began.body["curve"] == "linear", began
    lefts = [(steps_between(began, u) / 24, u.body["views"]["arrow"]["x"]) for u in states(got)]
    for share, x in lefts:
        assert abs(x - (place(0) + min(1, share) * (place(2) - place(0)))) < 0.01, lefts


def expect_hidden(updates: Subscriber, session: str) -> None:
    began = updates.find(f"transition/{session}/tabs", name="bubble-hide", event="began")
    ended = updates.find(f"transition/{session}/tabs", name="bubble-hide", event="ended")
    expect_span(began, ended, 0.5)
    updates.until(
        lambda u: u.topic.startswith("state/") and "bubble" not in u.body["views"]
        and u.body["model"]["bubble"] is None, "the bubble to go")


def test_hide_hides(control: Control, session: str, updates: Subscriber):
    control.command(session, "tabs", "hide")
    assert transitions(updates.during(0.1)) == [], "hide without a bubble has an effect"
    control.notify(session, "likes")
    bubble_shown(updates)
    control.command(session, "tabs", "hide")
    expect_hidden(updates, session)
    assert control.snapshot(session)[f"badge/{session}"]["counts"]["likes"] == 1, "hide clears"


def test_selecting_its_item_hides_it_and_clears_its_counts(
    control: Control, session: str, updates: Subscriber
):
    control.notify(session, "likes", add=3)
    control.notify(session, "comments")
    control.notify(session, "others", add=9)
    bubble_shown(updates)
    control.gesture(session, "tabs", "tap", index=1)
    expect_hidden(updates, session)
    badge = control.snapshot(session)[f"badge/{session}"]
    assert badge["total"] == 9 and badge["counts"]["others"] == 9, badge


def test_it_hides_when_all_its_counts_are_0(control: Control, session: str, updates: Subscriber):
    control.notify(session, "likes")
    bubble_shown(updates)
    control.notify(session, "likes", set=0)
    expect_hidden(updates, session)


def test_a_clear_hides_it_too(control: Control, session: str, updates: Subscriber):
    control.notify(session, "likes")
    bubble_shown(updates)
    control.command(session, "badges", "clear")
    expect_hidden(updates, session)


def test_for_the_selected_item_the_counts_go_on_without_a_bubble(
    control: Control, session: str, updates: Subscriber
):
    control.gesture(session, "tabs", "tap", index=1)
    settle(updates, session, "tabs")
    control.notify(session, "likes", add=2)
    assert "bubble" not in state(control, session)["views"]
    assert control.snapshot(session)[f"badge/{session}"]["counts"]["likes"] == 2


def test_a_notification_that_leaves_no_count_shows_no_bubble(
    control: Control, session: str, updates: Subscriber
):
    control.notify(session, "likes", set=0)
    control.notify(session, "likes", add=0)
    assert "bubble" not in state(control, session)["views"]


def test_a_timeout_hides_it_and_each_notification_restarts_it(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, scene(tabs(bubble_timeout=0.6, bubble_fade=0.1)))
    updates = daemon.subscriber(f"transition/{session}/")
    control.notify(session, "likes")
    shown = updates.find(f"transition/{session}/tabs", name="bubble-show", event="ended")
    updates.during(0.3)
    control.notify(session, "likes")
    hiding = updates.find(f"transition/{session}/tabs", name="bubble-hide", event="began")
    assert hiding.t - shown.t > 600, f"hidden {hiding.t - shown.t} ms after it was shown"
    assert hiding.t - shown.t < 2500, hiding


def test_the_parameters_are_the_scenes(control: Control, session: str):
    control.open(session, scene(tabs(
        width=400, height=50, window_height=600, arrow=[30, 20], glow_size=[60, 8],
        bubble_size=[90, 30], items=[
            {"id": "a"}, {"id": "b", "glow": ["g"], "bubble": ["k"]}])))
    control.notify(session, "g")
    control.notify(session, "k")
    shown = state(control, session)
    expect_view(shown, "arrow", x=100, y=600 - 50 - 20 + 2 + 10, w=30, h=20)
    expect_view(shown, "glow-1", x=300, y=600 - 4, w=60, h=8)
    expect_view(shown, "bubble", x=300, y=550 - 2 - 15, w=90, h=30)
