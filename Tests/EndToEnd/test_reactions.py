"""Reactions of a scene: what happens there does something there, and no client takes part."""

from __future__ import annotations

import time

import pytest
from checks import near, steps_between
from client import Control, Daemon
from reliability import wait_for
from scenes import navigation, reader, rows, scene, tabs, tips, toss
from simulation import Script


def when(cause: dict, component: str, command: str, after: float | None = None, **rest) -> dict:
    reaction = {"when": cause, "do": {"component": component, "command": command, **rest}}
    return reaction if after is None else reaction | {"after": after}


def push(cause: dict, screen: str, **fields) -> dict:
    style = {"screen": screen, "transition": "in-from-bottom"}
    return when(cause, "navigation", "present", **style, **fields)


def stack(control: Control, session: str) -> list[str]:
    return control.state(session, "navigation")["model"]["stack"]


def app(*reactions: dict, **fields) -> dict:
    return scene(
        tips(presented=False), tabs(), navigation(), reader(), rows(), toss(),
        reactions=list(reactions), **fields)


def passages(daemon: Daemon, session: str):
    return daemon.subscriber(f"transition/{session}/", f"rejected/{session}")


def test_a_selected_tab_pushes_its_screen(daemon: Daemon, control: Control, session: str):
    control.open(session, app(push({"component": "tabs", "transition": "select"}, "$item")))
    updates = passages(daemon, session)
    control.command(session, "tabs", "select", index=2)
    updates.find(f"transition/{session}/tabs", name="select", event="began", to=2)
    found = updates.find(f"transition/{session}/navigation", event="began").body
    assert (found["name"], found["to"]) == ("in-from-bottom", "share")
    updates.find(f"transition/{session}/navigation", event="ended")
    assert stack(control, session) == ["dashboard", "share"]


def test_dismissed_tips_turn_a_page(daemon: Daemon, control: Control, session: str):
    gone = {"component": "tips", "transition": "dismiss", "event": "ended"}
    control.open(session, app(when(gone, "reader", "next")))
    control.command(session, "tips", "present")
    wait_for(lambda: control.state(session, "tips")["phase"] == "resting", "a tip is there")
    updates = passages(daemon, session)
    control.command(session, "tips", "dismiss")
    ended = updates.find(f"transition/{session}/tips", name="dismiss", event="ended")
    turned = updates.find(f"transition/{session}/reader", name="page", event="began")
    assert turned.t == ended.t, "at the same step"
    updates.find(f"transition/{session}/reader", name="page", event="ended")
    assert control.state(session, "reader")["model"]["index"] == 1


def test_a_notification_pushes_its_screen(control: Control, session: str):
    control.open(session, app(push({"notification": "message"}, "$kind")))
    control.notify(session, "likes")
    assert control.state(session, "navigation")["phase"] == "resting"
    control.notify(session, "message")
    assert control.state(session, "navigation")["phase"] == "transitioning"
    wait_for(lambda: stack(control, session) == ["dashboard", "message"], "the screen is there")


def test_a_crowd_s_likes_slide_one_screen_up(daemon: Daemon, control: Control, session: str):
    """The default scene's own reactions, thirty in 0.3 s, are no reason to refuse any of them."""
    control.ok("open", session=session, scene="phone")
    before = control.ok("stats")["stats"]["reactions_refused"]
    updates = passages(daemon, session)
    for number in range(30):
        control.notify(session, ("likes", "comments", "followers")[number % 3])
        time.sleep(0.01)
    told = updates.during(1.0)
    assert not [update for update in told if update.topic.startswith("rejected/")], told
    ways = [update.body for update in told if update.topic.endswith("/navigation")]
    assert [(way["event"], way["to"]) for way in ways] == [
        ("began", "notifications"), ("ended", "notifications")]
    assert stack(control, session) == ["dashboard", "notifications"]
    assert control.badge(session)["total"] == 30
    assert control.ok("stats")["stats"]["reactions_refused"] == before


def test_a_crowd_turns_one_page(daemon: Daemon, control: Control, session: str):
    control.open(session, app(when({"notification": "likes"}, "reader", "next")))
    updates = passages(daemon, session)
    # Together, so that a busy machine lets no page come in between.
    like = {"topic": f"notification/{session}", "body": {"kind": "likes"}}
    for number in [control.send("publish", **like) for _ in range(10)]:
        assert control.reply(number)["ok"]
    told = updates.until(lambda u: u.topic.endswith("/reader") and u.body["event"] == "ended")
    assert not [update for update in told if update.topic.startswith("rejected/")], told
    assert control.state(session, "reader")["model"]["index"] == 1
    control.notify(session, "likes")
    updates.find(f"transition/{session}/reader", event="ended")
    assert control.state(session, "reader")["model"]["index"] == 2


def test_a_badge_passes_its_bound(control: Control, session: str):
    control.open(session, app(
        when({"badge": "likes", "above": 2}, "badges", "clear", kind="$kind"),
        when({"badge": "likes", "above": 2}, "tabs", "glow", index="$count")))
    control.notify(session, "mentions")
    for count in (1, 2):
        control.notify(session, "likes")
        assert control.badge(session)["counts"]["likes"] == count
    control.notify(session, "likes")
    assert control.badge(session)["counts"] == {"likes": 0, "mentions": 1}
    items = control.state(session, "tabs")["model"]["items"]
    assert [item["glow"] for item in items] == [False, False, False, True]


def test_a_phase_is_entered_by_touch(control: Control, session: str):
    control.open(session, app(when({"component": "toss", "phase": "dragging"}, "tips", "present")))
    assert control.state(session, "tips")["phase"] == "dismissed"
    control.gesture(session, "toss", "pan", "began", x=160, y=223)
    assert control.state(session, "tips")["phase"] == "presenting"


def test_a_wait_is_in_time_and_begins_anew(daemon: Daemon, control: Control, session: str):
    """The wait is on the grid of steps, whatever the frame rate is."""
    control.open(session, app(
        when({"notification": "a"}, "tips", "present", after=0.3), frame_rate=30))
    updates = daemon.subscriber(f"transition/{session}/", f"badge/{session}")
    control.notify(session, "a")
    updates.find(f"badge/{session}", total=1)
    control.notify(session, "a")
    last = updates.find(f"badge/{session}", total=2)
    began = updates.find(f"transition/{session}/tips", name="present", event="began")
    assert steps_between(last, began) == 36
    assert not [
        update for update in updates.during(0.4) if update.body.get("event") == "began"]


def test_a_session_that_comes_back(session: str):
    """Its waits go on; what it does then outlives the next restart."""
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, app(
            when({"session": "restored"}, "tabs", "select", index=2),
            when({"session": "opened"}, "tabs", "select", index=1),
            push({"notification": "a"}, "late", after=1.0)))
        assert control.state(session, "tabs")["model"]["selected"] == 1
        control.notify(session, "a")
        control = daemon.restart()
        assert control.state(session, "tabs")["model"]["selected"] == 2
        updates = daemon.subscriber(f"transition/{session}/navigation")
        updates.find(
            f"transition/{session}/navigation", name="in-from-bottom", event="ended")
        assert stack(control, session) == ["dashboard", "late"]


def test_an_export_goes_on_waiting(session: str):
    with Daemon() as daemon, Daemon() as other:
        control, there = daemon.requests(), other.requests()
        control.open(session, app(push({"notification": "a"}, "$kind", after=0.5)))
        control.notify(session, "a")
        document = control.export(session)
        assert len(document["state"]["reactions"]) == 1
        there.ok("import", session=session, document=document)
        wait_for(lambda: stack(there, session) == ["dashboard", "a"], "the screen is there")


# Reactions to one event, and the index of the refused one with its code.
REFUSED = [
    ([when({"notification": "a"}, "reader", "previous")], 0, "bad-value"),
    ([when({"notification": "a"}, "tips", "present"),
      when({"notification": "a"}, "tabs", "glow", index="$count")], 1, "bad-value"),
    ([when({"notification": "a"}, "reader", "next"),
      when({"notification": "a"}, "reader", "next")], 1, "busy"),
]


@pytest.mark.parametrize("reactions,index,code", REFUSED)
def test_a_refused_command_is_told(
    daemon: Daemon, control: Control, session: str, reactions: list[dict], index: int, code: str
):
    control.open(session, app(*reactions))
    updates = daemon.subscriber(f"rejected/{session}")
    before = control.ok("stats")["stats"]
    control.notify(session, "a", add=9)
    told = updates.find(f"rejected/{session}")
    deed = reactions[index]["do"]
    assert (told.body["reaction"], told.body["code"]) == (index, code)
    assert told.body["topic"] == f"command/{session}/{deed['component']}"
    assert f'"command":"{deed["command"]}"' in told.body["excerpt"]
    after = control.ok("stats")["stats"]
    assert after["reactions_refused"] == before["reactions_refused"] + 1
    assert after["events_rejected"] == before["events_rejected"]


def test_a_hostile_circle_stops(daemon: Daemon, control: Control, session: str):
    control.open(session, app(
        when({"component": "tabs", "transition": "select", "to": 1}, "tabs", "select", index=2),
        when({"component": "tabs", "transition": "select", "to": 2}, "tabs", "select", index=1)))
    updates = passages(daemon, session)
    before = control.ok("stats")["stats"]
    control.command(session, "tabs", "select", index=1)
    found = updates.until(lambda update: update.topic == f"rejected/{session}")
    assert found[-1].body["code"] == "reaction-limit" and found[-1].body["reaction"] == 0
    began = [update for update in found if update.body.get("event") == "began"]
    assert len(began) == 1 + control.ok("stats")["stats"]["limit_reaction_chain"]
    after = control.ok("stats")["stats"]
    assert after["reactions_stopped"] == before["reactions_stopped"] + 1
    assert after["reactions_refused"] == before["reactions_refused"]
    control.command(session, "tabs", "hide")


# Reactions that no scene can have, and words of the message.
BAD = [
    (when({"component": "nobody", "phase": "resting"}, "reader", "next"),
     ["reaction 1", "component", '"nobody"']),
    (when({"component": "tabs", "transition": "open"}, "reader", "next"),
     ["reaction 1", "transition", '"open"', "select"]),
    (when({"component": "tabs", "transition": "select", "to": 4}, "reader", "next"), ["to", "4"]),
    (when({"component": "tabs", "phase": "asleep"}, "reader", "next"), ["phase", '"asleep"']),
    (when({"session": "closed"}, "reader", "next"), ["session", '"closed"']),
    (when({"notification": "a"}, "reader", "jump"), ["command", '"jump"', "next"]),
    (when({"notification": "a"}, "tabs", "select", index="$item"), ["index", '"$item"']),
    (when({"notification": "a"}, "tabs", "select", index="$sum"), ["index", '"$sum"']),
    (when({"notification": "a"}, "reader", "next", after=-1), ["after"]),
    ({"when": {"notification": "a"}}, ["do"]),
]


@pytest.mark.parametrize("reaction,words", BAD)
def test_a_bad_reaction_says_what_and_where(
    control: Control, session: str, reaction: dict, words: list[str]
):
    error = control.refused("open", session=session, scene=app(reaction))
    assert error["code"] == "bad-scene"
    for word in words:
        assert word in error["message"], error
    assert session not in control.sessions()


def test_a_simulation_obeys_reactions():
    reactions = [
        when({"component": "tabs", "transition": "select"}, "tips", "present", after=0.1),
        when({"notification": "a"}, "reader", "previous")]
    script = Script(app(*reactions)).wait(100).command("tabs", "select", index=2)
    updates = script.wait(500).notify("a").run()
    selected = next(update for update in updates if update.body.get("name") == "select")
    presented = next(update for update in updates if update.body.get("name") == "present")
    assert near(presented.t - selected.t, 100)
    [told] = [update for update in updates if update.topic.startswith("rejected/")]
    assert told.body["reaction"] == 1


def test_a_notification_makes_a_list_longer(daemon: Daemon, control: Control, session: str):
    longer = when({"notification": "ready"}, "list", "set", values={"rows": "$count"})
    control.open(session, scene(rows(rows=0), reactions=[longer]))
    updates = daemon.subscriber(f"scene/{session}", f"state/{session}/")
    for count in (1, 2):
        control.notify(session, "ready")
        told = updates.find(f"scene/{session}", revision=count + 1)
        shown = updates.find(f"state/{session}/list")
        assert told.t == shown.t and f"row-{count - 1}" in shown.body["views"]
    control.notify(session, "ready", set=100_000_000)
    assert control.ok("scene", session=session)["scene"]["revision"] == 3


def test_a_set_that_cannot_be_is_told(daemon: Daemon, control: Control, session: str):
    longer = when({"notification": "ready"}, "list", "set", values={"row_height": "$count"})
    control.open(session, scene(rows(rows=3), reactions=[longer]))
    updates = daemon.subscriber(f"rejected/{session}")
    control.notify(session, "ready", set=0)
    told = updates.find(f"rejected/{session}").body
    assert (told["code"], told["reaction"]) == ("bad-scene", 0)
    assert "row_height" in told["message"]
    assert control.ok("scene", session=session)["scene"]["revision"] == 1


def test_a_resize_is_answered(control: Control, session: str):
    control.open(session, app(push({"session": "resized"}, "wide")))
    control.publish(f"command/{session}", {"command": "resize", "viewport": [320, 568]})
    assert stack(control, session) == ["dashboard"], "it is the same size"
    control.publish(f"command/{session}", {"command": "resize", "viewport": [568, 320]})
    wait_for(lambda: stack(control, session) == ["dashboard", "wide"], "the screen is there")


def test_a_rows_action_pushes_its_screen(daemon: Daemon, control: Control, session: str):
    chosen = {"component": "list", "transition": "action"}
    menu = [{"id": "reply"}, {"id": "delete"}]
    control.open(session, scene(
        rows(menu=menu), navigation(), tabs(),
        reactions=[push(chosen, "$item"), when(chosen, "tabs", "select", index="$row")]))
    updates = passages(daemon, session)
    control.gesture(session, "list", "swipe", direction="left", row=3)
    updates.find(f"transition/{session}/list", name="open", event="ended")
    control.command(session, "list", "action", action="delete")
    assert updates.find(f"transition/{session}/navigation", event="began").body["to"] == "delete"
    assert control.state(session, "tabs")["model"]["selected"] == 3
