"""Screens on a stack. They come and go over each other."""

from __future__ import annotations

import pytest
from checks import eased, expect_span, expect_view, near, passage, settle, states, steps_between
from checks import transitions
from client import Control, Daemon, Subscriber, Update
from scenes import navigation, scene

FULL = {"x": 160, "y": 284, "w": 320, "h": 568, "rotation": 0, "scale": 1, "alpha": 1}
# A transition's duration and curve.
RULES = {
    "in-via-scale": (0.3, "ease-out"), "out-via-scale": (0.28, "ease-in"),
}
SIDES = {"bottom": (0, 568), "top": (0, -568), "left": (-320, 0), "right": (320, 0)}
RULES |= {f"in-from-{side}": (0.3, "ease-in-out") for side in SIDES}
RULES |= {f"out-to-{side}": (0.28, "ease-in-out") for side in SIDES}


@pytest.fixture
def updates(daemon: Daemon, control: Control, session: str) -> Subscriber:
    control.open(session, scene(navigation(), frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/navigation", phase="resting")
    return updates


@pytest.fixture
def hasty(daemon: Daemon, control: Control, session: str) -> Subscriber:
    """A session with short transitions: 0.1 s in, 0.08 s out."""
    control.open(session, scene(navigation(duration=0.1), frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/navigation", phase="resting")
    return updates


def present(control: Control, session: str, screen: str, transition: str = "in-via-scale") -> None:
    control.command(session, "navigation", "present", screen=screen, transition=transition)


def shown(control: Control, session: str, updates: Subscriber, *screens: str) -> None:
    """Presents screens in turn, and waits for rest after each."""
    for screen in screens:
        present(control, session, screen)
        settle(updates, session, "navigation")


def model(*stack: str) -> dict:
    back_title = None if len(stack) == 1 else "Back"
    return {"stack": list(stack), "title": None, "back_title": back_title}


def expect_rest(state: dict, *stack: str) -> None:
    assert state["phase"] == "resting" and state["model"] == model(*stack), state
    assert set(state["views"]) == {stack[-1]}, state
    expect_view(state, stack[-1], 0, z=0, **FULL)


def test_at_first_the_root_is_shown(control: Control, session: str, updates: Subscriber):
    expect_rest(control.state(session, "navigation"), "dashboard")


def moving_view(transition: str, seconds: float) -> dict[str, float]:
    """The top screen, this long after its transition began."""
    if transition == "in-via-scale":
        return FULL | {"scale": 0.1 + 0.9 * eased("ease-out", seconds / 0.3)}
    if transition == "out-via-scale":
        return FULL | {"scale": 1 - 0.99 * eased("ease-in", (seconds - 0.02) / 0.3)}
    way = eased("ease-in-out", seconds / 0.3)
    if transition.startswith("in-"):
        way = 1 - way
    x, y = SIDES[transition.rsplit("-", 1)[1]]
    return FULL | {"x": 160 + x * way, "y": 284 + y * way}


@pytest.mark.parametrize("transition", RULES)
def test_one_screen_moves_over_the_other_that_stands(
    control: Control, session: str, updates: Subscriber, transition: str
):
    """In: in 0.3 s from scale 0.1 to 1, or up from one height below; the stack grows at the end.

    Out: in 0.28 s towards scale 0.01, from 0.02 s on, or down one height; the stack shrinks first.
    """
    comes = transition.startswith("in-")
    present(control, session, "posts", transition)
    got = settle(updates, session, "navigation")
    began, ended = passage(got, transition)
    duration, curve = RULES[transition]
    for update in (began, ended):
        assert (update.body["from"], update.body["to"]) == ("dashboard", "posts"), update
        assert near(update.body["duration"], duration, 1e-6), update
        assert update.body["curve"] == curve, update
    expect_span(began, ended, duration)
    over, under = ("posts", "dashboard") if comes else ("dashboard", "posts")
    moving = [u for u in states(got) if u.body["phase"] == "transitioning"]
    assert len(moving) > 5, f"only {len(moving)} states on the way"
    for update in moving:
        assert update.body["model"] == (
            model("dashboard") if comes else model("dashboard", "posts")), update
        assert set(update.body["views"]) == {"posts", "dashboard"}, update
        expect_view(update.body, under, 0, z=0, **FULL)
        seconds = steps_between(began, update) / 120
        expect_view(update.body, over, z=1, **moving_view(transition, seconds))
    expect_rest(got[-1].body, "dashboard", "posts")
    assert 0 <= steps_between(ended, got[-1]) < 12, "it remains after the transition ends"


@pytest.mark.parametrize("transition", RULES)
def test_presenting_a_screen_of_the_stack_pops_to_it(
    control: Control, session: str, hasty: Subscriber, transition: str
):
    shown(control, session, hasty, "posts", "comments", "likes")
    present(control, session, "posts", transition)
    began = hasty.find(f"transition/{session}/navigation", event="began")
    assert (began.body["from"], began.body["to"]) == ("likes", "posts"), began
    expect_rest(settle(hasty, session, "navigation")[-1].body, "dashboard", "posts")
    present(control, session, "dashboard", transition)
    expect_rest(settle(hasty, session, "navigation")[-1].body, "dashboard")


@pytest.mark.parametrize("transition", RULES)
def test_presenting_the_shown_screen_has_no_effect(
    control: Control, session: str, updates: Subscriber, transition: str
):
    present(control, session, "dashboard", transition)
    assert updates.during(0.15) == []
    expect_rest(control.state(session, "navigation"), "dashboard")


def test_back_shrinks_the_screen_away(control: Control, session: str, updates: Subscriber):
    shown(control, session, updates, "posts", "comments")
    control.command(session, "navigation", "back")
    got = settle(updates, session, "navigation")
    began, ended = passage(got, "out-via-scale")
    assert (began.body["from"], began.body["to"]) == ("comments", "posts"), began
    expect_span(began, ended, 0.28)
    first = next(u for u in states(got) if u.body["phase"] == "transitioning")
    assert first.body["model"] == model("dashboard", "posts"), "the stack did not change at once"
    expect_rest(got[-1].body, "dashboard", "posts")


def test_a_command_has_a_duration_of_its_own(
    control: Control, session: str, updates: Subscriber
):
    control.command(session, "navigation", "present", screen="posts", transition="in-from-left",
                    duration=0.6)
    got = settle(updates, session, "navigation")
    began, ended = passage(got, "in-from-left")
    assert near(began.body["duration"], 0.6, 1e-6), began
    expect_span(began, ended, 0.6)
    control.command(session, "navigation", "back", duration=0.12)
    began, ended = passage(settle(updates, session, "navigation"), "out-via-scale")
    assert near(began.body["duration"], 0.1, 1e-6), began
    expect_span(began, ended, 0.1)
    for wrong in (-1, 3601, "long"):
        body = {"command": "back", "duration": wrong}
        assert control.code(f"command/{session}/navigation", body) == "bad-value"


def test_there_is_no_way_back_from_the_root(control: Control, session: str, updates: Subscriber):
    assert control.code(f"command/{session}/navigation", {"command": "back"}) == "bad-value"
    shown(control, session, updates, "posts")
    control.command(session, "navigation", "back")
    settle(updates, session, "navigation")
    assert control.code(f"command/{session}/navigation", {"command": "back"}) == "bad-value"
    expect_rest(control.state(session, "navigation"), "dashboard")


def send(control: Control, session: str, *screens: str | None) -> list[dict]:
    """Sends all requests together, so that no transition ends before the last. None: back."""
    numbers = [
        control.send("publish", topic=f"command/{session}/navigation", body={
            "command": "present", "screen": screen, "transition": "in-from-bottom"}
            if screen else {"command": "back"})
        for screen in screens]
    return [control.reply(number) for number in numbers]


def ways(updates: list[Update]) -> list[tuple]:
    return [
        (u.body["event"], u.body["from"], u.body["to"]) for u in updates
        if u.topic.startswith("transition/")]


def until_stack(updates: Subscriber, *stack: str) -> list[Update]:
    return updates.until(
        lambda u: u.topic.startswith("state/") and u.body["phase"] == "resting"
        and u.body["model"]["stack"] == list(stack), f"the stack {stack}")


def test_eight_wait_while_one_runs_and_the_ninth_is_refused(
    control: Control, session: str, hasty: Subscriber
):
    """The daemon judges each in its turn: the last `back` finds the root, and is dropped."""
    answers = send(control, session, "a", "b", "c", None, None, "d", None, None, None, "e")
    assert [answer["ok"] for answer in answers] == [True] * 9 + [False], answers
    assert answers[-1]["error"]["code"] == "busy", answers
    got = until_stack(hasty, "dashboard")
    wanted = [("dashboard", "a"), ("a", "b"), ("b", "c"), ("c", "b"), ("b", "a"), ("a", "d"),
              ("d", "a"), ("a", "dashboard")]
    assert ways(got) == [(event, *way) for way in wanted for event in ("began", "ended")], got
    passed = [u for u in got if u.topic.startswith("transition/")]
    for ended, began in zip(passed[1::2], passed[2::2]):
        assert ended.t == began.t, f"the next transition waits: {ended} {began}"
    assert hasty.during(0.2) == [], "the daemon did not drop the impossible `back`"


def test_a_waiting_present_of_the_shown_screen_has_no_effect(
    control: Control, session: str, hasty: Subscriber
):
    assert all(answer["ok"] for answer in send(control, session, "a", "a", "b"))
    got = until_stack(hasty, "dashboard", "a", "b")
    assert ways(got) == [
        ("began", "dashboard", "a"), ("ended", "dashboard", "a"), ("began", "a", "b"),
        ("ended", "a", "b")], got


def test_a_refused_command_does_not_wait(control: Control, session: str, hasty: Subscriber):
    topic = f"command/{session}/navigation"
    first = control.send("publish", topic=topic, body={
        "command": "present", "screen": "a", "transition": "in-via-scale"})
    wrong = [control.send("publish", topic=topic, body=body) for body in (
        {"command": "present", "screen": "b", "transition": "sideways"}, {"command": "dance"})]
    codes = [control.reply(number)["error"]["code"] for number in wrong]
    assert codes == ["bad-value", "unknown-command"] and control.reply(first)["ok"]
    assert len(ways(until_stack(hasty, "dashboard", "a"))) == 2


def test_the_queue_is_the_scenes(control: Control, session: str):
    control.open(session, scene(navigation(queue=1)))
    answers = send(control, session, "a", "b", "c")
    assert [answer["ok"] for answer in answers] == [True, True, False], answers


PRESENT = {"command": "present", "screen": "posts", "transition": "in-via-scale"}


@pytest.mark.parametrize("body, code", [
    ({"command": "present"}, "missing-field"),
    ({"command": "present", "screen": "posts"}, "missing-field"),
    ({"command": "present", "transition": "in-via-scale"}, "missing-field"),
    (PRESENT | {"screen": 7}, "bad-value"),
    (PRESENT | {"screen": ""}, "bad-value"),
    (PRESENT | {"screen": "two words"}, "bad-value"),
    (PRESENT | {"screen": "s" * 65}, "bad-value"),
    (PRESENT | {"transition": "fade"}, "bad-value"),
    (PRESENT | {"transition": 7}, "bad-value"),
    ({"command": "select", "index": 0}, "unknown-command"),
], ids=str)
def test_a_command_is_refused_with_its_code(
    control: Control, session: str, updates: Subscriber, body: dict, code: str
):
    assert control.code(f"command/{session}/navigation", body) == code
    expect_rest(control.state(session, "navigation"), "dashboard")
    assert transitions(updates.during(0.05)) == []


def test_any_id_of_a_topics_form_is_a_screen(control: Control, session: str, hasty: Subscriber):
    screen = ("ABCZabcz0189._~-" * 4)[:64]
    shown(control, session, hasty, screen)
    expect_rest(control.state(session, "navigation"), "dashboard", screen)


def test_the_parameters_are_the_scenes(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(navigation(
        root="home", duration=0.5, start_delay=0.1, removal_lead=0.2, scale_in_from=0.4,
        scale_out_to=0.2), viewport=[200, 400], frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/navigation", phase="resting")
    present(control, session, "posts")
    got = settle(updates, session, "navigation")
    began, ended = passage(got, "in-via-scale")
    expect_span(began, ended, 0.5)
    for update in (u for u in states(got) if u.body["phase"] == "transitioning"):
        way = eased("ease-out", steps_between(began, update) / 60)
        expect_view(update.body, "posts", x=100, y=200, w=200, h=400, scale=0.4 + 0.6 * way)
    control.command(session, "navigation", "back")
    got = settle(updates, session, "navigation")
    began, ended = passage(got, "out-via-scale")
    assert near(began.body["duration"], 0.3, 1e-6), began
    expect_span(began, ended, 0.3)
    for update in (u for u in states(got) if u.body["phase"] == "transitioning"):
        way = eased("ease-in", (steps_between(began, update) / 120 - 0.1) / 0.5)
        expect_view(update.body, "posts", scale=1 - 0.8 * way)
    assert got[-1].body["model"] == model("home"), got[-1]
