"""Spinning tips: users present, turn, page and dismiss them."""

from __future__ import annotations

import collections
import itertools
import math
from collections.abc import Iterator

import pytest
from checks import expect_span, expect_view, near, settle, states, transitions, turned
from client import Control, Daemon, Subscriber, Update
from scenes import TIPS, scene, tips

# The pin of every tip on the viewport.
PIVOT = complex(160, 784)
# The swing by its step of 1/120 s, as Box2D computes it.
ENTRY = {
    10: (332.97362, 314.873, 0.35325), 20: (122.88622, 285.37934, -0.0743),
    60: (161.42256, 284.00199, 0.00285), 120: (159.99379, 284.00004, -0.00001),
}
# Sessions that come to rest while a test runs: the next ones need not wait for that.
AHEAD = 4


@pytest.fixture(scope="module")
def resting(daemon: Daemon, control: Control) -> Iterator[tuple[str, Subscriber]]:
    """Sessions of three tips that rest on the first, or soon will, and subscribers from before."""
    def ahead() -> Iterator[tuple[str, Subscriber]]:
        waiting: collections.deque[tuple[str, Subscriber]] = collections.deque()
        for number in itertools.count():
            name = f"resting-{number}"
            waiting.append((name, daemon.subscriber(f"state/{name}/", f"transition/{name}/")))
            control.open(name, scene(tips(), frame_rate=120))
            if number >= AHEAD:
                yield waiting.popleft()
    return ahead()


@pytest.fixture
def session(request: pytest.FixtureRequest, session: str) -> str:
    if "updates" not in request.fixturenames:
        return session
    request.node.updates = next(request.getfixturevalue("resting"))
    return request.node.updates[0]


@pytest.fixture
def updates(request: pytest.FixtureRequest, session: str) -> Subscriber:
    """A subscriber to a session of three tips, at rest on the first."""
    _, updates = request.node.updates
    settle(updates, session, "tips")
    return updates


def pan(control: Control, session: str, phase: str, x: float, y: float = 284) -> None:
    control.gesture(session, "tips", "pan", phase, x=x, y=y)


def fling(control: Control, session: str, to: float) -> None:
    pan(control, session, "began", 160)
    pan(control, session, "changed", to)
    pan(control, session, "ended", to)


def phases(updates: list[Update]) -> list[str]:
    """The phases in order, each run of one phase once."""
    shown: list[str] = []
    for update in states(updates):
        if shown[-1:] != [update.body["phase"]]:
            shown.append(update.body["phase"])
    return shown


def test_presented_at_opening_fades_in_then_swings_in(
    daemon: Daemon, control: Control, session: str
):
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    control.open(session, scene(tips(), frame_rate=120))
    got = settle(updates, session, "tips")
    assert phases(got) == ["presenting", "entering", "resting"], phases(got)
    assert transitions(got) == [("present", "began"), ("present", "ended")], got
    began, ended = [u for u in got if u.topic.startswith("transition/")]
    assert began.body["duration"] == 0.3, began
    expect_span(began, ended, 0.3)
    alphas = [u.body["views"]["backdrop"]["alpha"] for u in states(got)]
    assert alphas[0] == 0 and alphas[-1] == 0.5 and alphas == sorted(alphas), alphas
    presenting = [u for u in states(got) if u.body["phase"] == "presenting"]
    assert all("tip" not in u.body["views"] for u in presenting), "the tip is there too soon"
    halfway = [u for u in presenting if near(u.t - began.t, 150, 0.01)]
    assert halfway and near(halfway[0].body["views"]["backdrop"]["alpha"], 0.25), halfway


def test_the_swing_is_that_of_box2d(daemon: Daemon, control: Control, session: str):
    """A stalled machine merges frames, so the test opens sessions until it has seen all steps."""
    seen: set[int] = set()
    for attempt in range(5):
        name = f"{session}-{attempt}"
        updates = daemon.subscriber(f"state/{name}/", f"transition/{name}/")
        control.open(name, scene(tips(), frame_rate=120))
        got = settle(updates, name, "tips")
        placed = next(u.t for u in got if u.body.get("event") == "ended")
        for update in states(got):
            if update.body["phase"] != "entering":
                continue
            tip = update.body["views"]["tip"]
            steps = round((update.t - placed) * 120 / 1000)
            # The placing and the first physics step may share a frame.
            for shift in (0, 1):
                x, y, rotation = ENTRY.get(steps + shift, (math.inf, 0, 0))
                if near(tip["x"], x, 0.05) and near(tip["y"], y, 0.05):
                    assert turned(tip["rotation"], rotation, 1e-3), update
                    seen.add(steps + shift)
        if seen == set(ENTRY):
            return
    raise AssertionError(f"only the steps {sorted(seen)} of {sorted(ENTRY)} were as computed")


def test_asleep_the_tip_is_exactly_in_its_place(control: Control, session: str, updates):
    state = control.state(session, "tips")
    assert state["phase"] == "resting"
    assert state["model"] == {
        "index": 0, "count": 3, "title": "One", "summary": "First", "image": None}
    assert set(state["views"]) == {"backdrop", "tip"}
    expect_view(state, "backdrop", 0, x=160, y=284, w=320, h=568, rotation=0, scale=1, alpha=0.5,
                z=0)
    expect_view(state, "tip", 0, x=160, y=284, w=300, h=400, rotation=0, scale=1, alpha=1, z=1)


def test_the_pin_holds_while_it_swings(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"state/{session}/")
    control.open(session, scene(tips(), frame_rate=120))
    for update in states(settle(updates, session, "tips")):
        if "tip" in update.body["views"]:
            expect_pinned(update, 1.0)


def expect_pinned(update: Update, tolerance: float) -> None:
    tip = update.body["views"]["tip"]
    turn = complex(math.cos(tip["rotation"]), math.sin(tip["rotation"]))
    pinned = complex(tip["x"], tip["y"]) + complex(0, 500) * turn
    assert abs(pinned - PIVOT) <= tolerance, f"the pin is off by {abs(pinned - PIVOT)}: {update}"


@pytest.mark.parametrize("distance", [99.9, -99.9, 0])
def test_within_the_threshold_it_swings_back(
    control: Control, session: str, updates: Subscriber, distance: float
):
    fling(control, session, 160 + distance)
    got = settle(updates, session, "tips")
    assert "leaving" not in phases(got) and "returning" in phases(got), phases(got)
    assert transitions(got) == [], got
    assert got[-1].body["model"]["index"] == 0
    expect_view(got[-1].body, "tip", 0, x=160, y=284, rotation=0)
    released = [u for u in states(got) if u.body["phase"] == "returning"]
    for update in released[len(released) // 3:]:
        expect_pinned(update, 1.0)


@pytest.mark.parametrize("distance", [-100, -140])
def test_beyond_the_threshold_to_the_left_the_next_tip_comes(
    control: Control, session: str, updates: Subscriber, distance: float
):
    fling(control, session, 160 + distance)
    got = settle(updates, session, "tips")
    order = phases(got)
    assert order[-3:] == ["leaving", "entering", "resting"], order
    assert transitions(got) == [("page", "began"), ("page", "ended")], got
    began, ended = [u for u in got if u.topic.startswith("transition/")]
    for update in (began, ended):
        assert (update.body["from"], update.body["to"]) == (0, 1), update
        assert update.body["duration"] == 0.4, update
    expect_span(began, ended, 0.4)
    model = got[-1].body["model"]
    assert model == {"index": 1, "count": 3, "title": "Two", "summary": "No Summary",
                     "image": "two.png"}, model
    first = next(u for u in states(got) if u.body["phase"] == "entering" and u.t >= ended.t)
    assert first.body["views"]["tip"]["x"] > 160, "the next tip does not come from the right"


def test_to_the_right_the_previous_tip_comes_from_the_left(
    control: Control, session: str, updates: Subscriber
):
    fling(control, session, 40)
    settle(updates, session, "tips")
    fling(control, session, 280)
    got = settle(updates, session, "tips")
    page = next(u for u in got if u.body.get("event") == "began")
    assert (page.body["from"], page.body["to"]) == (1, 0), page
    assert got[-1].body["model"]["index"] == 0
    first = next(u for u in states(got) if u.body["phase"] == "entering")
    assert first.body["views"]["tip"]["x"] < 160, f"not from the left: {first}"


def test_before_the_first_it_stays_and_comes_from_the_right(
    control: Control, session: str, updates: Subscriber
):
    fling(control, session, 300)
    got = settle(updates, session, "tips")
    assert transitions(got) == [("page", "began"), ("page", "ended")], got
    page = next(u for u in got if u.body.get("event") == "ended")
    assert (page.body["from"], page.body["to"]) == (0, 0), page
    first = next(u for u in states(got) if u.body["phase"] == "entering")
    assert first.body["views"]["tip"]["x"] > 160, f"not from the right: {first}"
    assert got[-1].body["model"]["index"] == 0


def test_after_the_last_it_is_dismissed(control: Control, session: str, updates: Subscriber):
    for index in (1, 2):
        fling(control, session, 20)
        assert settle(updates, session, "tips")[-1].body["model"]["index"] == index
    fling(control, session, 20)
    got = settle(updates, session, "tips")
    assert phases(got)[-3:] == ["leaving", "dismissing", "dismissed"], phases(got)
    dismiss = [u for u in got if u.body.get("name") == "dismiss"]
    assert [u.body["event"] for u in dismiss] == ["began", "ended"], got
    expect_span(*dismiss, 0.3)
    assert got[-1].body["views"] == {}


def test_two_quick_flicks_turn_two_pages(control: Control, session: str, updates: Subscriber):
    fling(control, session, 20)
    fling(control, session, 20)
    got = settle(updates, session, "tips")
    assert got[-1].body["model"]["index"] == 2, got[-1]
    pages = [(u.body["event"], u.body["from"], u.body["to"]) for u in got
             if u.body.get("name") == "page"]
    assert pages == [("began", 0, 1), ("ended", 0, 1), ("began", 1, 2), ("ended", 1, 2)], pages


def test_the_exit_is_seen(control: Control, session: str, updates: Subscriber):
    """Sent out from the middle, without a rod, the tip shows on its way to the left."""
    fling(control, session, 20)
    got = settle(updates, session, "tips")
    leaving = [u for u in states(got) if u.body["phase"] == "leaving"]
    turns = [u.body["views"]["tip"]["rotation"] for u in leaving]
    assert sum(-1.5 < turn < -0.02 for turn in turns) > 6, turns
    assert turns == sorted(turns, reverse=True) and near(turns[-1], -math.pi / 2, 0.02), turns


def test_a_finger_that_comes_first_holds_the_tip(daemon: Daemon, control: Control, session: str):
    """The first touch opens a session with tips over all of it, and is not lost."""
    updates = daemon.subscriber(f"state/{session}/tips")
    body = {"gesture": "pan", "phase": "began", "x": 160, "y": 284}
    control.publish(f"gesture/{session}/tips", body)
    held = updates.find(f"state/{session}/tips", phase="dragging").body
    assert held["views"]["tip"]["rotation"] > 1, held
    control.publish(f"gesture/{session}/tips", {**body, "phase": "ended"})
    settle(updates, session, "tips")


def test_a_finger_catches_it_in_every_other_phase(
    control: Control, session: str, updates: Subscriber
):
    fling(control, session, 20)
    updates.find(f"state/{session}/tips", phase="entering")
    pan(control, session, "began", 160)
    updates.find(f"state/{session}/tips", phase="dragging")
    pan(control, session, "cancelled", 160)
    updates.find(f"state/{session}/tips", phase="returning")
    pan(control, session, "began", 160)
    updates.find(f"state/{session}/tips", phase="dragging")
    pan(control, session, "ended", 160)
    assert settle(updates, session, "tips")[-1].body["model"]["index"] == 1


def test_cancelled_beyond_the_threshold_leaves_too(
    control: Control, session: str, updates: Subscriber
):
    pan(control, session, "began", 160)
    pan(control, session, "cancelled", 20)
    assert settle(updates, session, "tips")[-1].body["model"]["index"] == 1


def test_present_and_dismiss_by_command(control: Control, session: str, updates: Subscriber):
    control.command(session, "tips", "present")
    assert updates.during(0.15) == [], "present while shown has an effect"
    control.command(session, "tips", "dismiss")
    got = settle(updates, session, "tips")
    assert transitions(got) == [("dismiss", "began"), ("dismiss", "ended")], got
    assert got[-1].body["phase"] == "dismissed" and got[-1].body["views"] == {}
    control.command(session, "tips", "dismiss")
    assert updates.during(0.15) == [], "dismiss while dismissed has an effect"
    control.command(session, "tips", "present")
    got = settle(updates, session, "tips")
    assert phases(got) == ["presenting", "entering", "resting"], phases(got)


def test_a_present_begins_with_the_first_tip(control: Control, session: str, updates: Subscriber):
    fling(control, session, 20)
    settle(updates, session, "tips")
    control.command(session, "tips", "dismiss")
    settle(updates, session, "tips")
    control.command(session, "tips", "present")
    assert settle(updates, session, "tips")[-1].body["model"]["index"] == 0


def test_a_present_while_dismissing_brings_back_the_tip(
    control: Control, session: str, updates: Subscriber
):
    fling(control, session, 20)
    settle(updates, session, "tips")
    control.command(session, "tips", "dismiss")
    control.command(session, "tips", "present")
    got = settle(updates, session, "tips")
    assert "entering" not in phases(got) and got[-1].body["phase"] == "resting", phases(got)
    assert got[-1].body["model"]["index"] == 1
    alphas = [u.body["views"]["tip"]["alpha"] for u in states(got)]
    assert alphas[-1] == 1 and min(alphas) > 0.2, alphas


def test_a_present_while_dismissing_goes_on_from_the_alphas_shown(
    control: Control, session: str, updates: Subscriber
):
    control.command(session, "tips", "dismiss")
    faded = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["views"]["backdrop"]["alpha"] < 0.4,
        "the backdrop to fade")[-1].body["views"]["backdrop"]["alpha"]
    control.command(session, "tips", "present")
    got = settle(updates, session, "tips")
    assert ("dismiss", "cancelled") in transitions(got), got
    presenting = [u for u in states(got) if u.body["phase"] == "presenting"]
    alphas = [u.body["views"]["backdrop"]["alpha"] for u in presenting]
    assert alphas and alphas[0] <= faded and alphas == sorted(alphas), (faded, alphas)
    assert got[-1].body["phase"] == "resting"


def test_dismiss_ends_an_open_gesture(control: Control, session: str, updates: Subscriber):
    pan(control, session, "began", 160)
    control.command(session, "tips", "dismiss")
    body = {"gesture": "pan", "phase": "changed", "x": 160, "y": 284}
    assert control.code(f"gesture/{session}/tips", body) in ("out-of-order", "busy")
    assert settle(updates, session, "tips")[-1].body["phase"] == "dismissed"


def test_not_presented_and_dismissed_tips_refuse_fingers(control: Control, session: str):
    control.open(session, scene(tips(presented=False)))
    state = control.state(session, "tips")
    assert state["phase"] == "dismissed" and state["views"] == {}
    body = {"gesture": "pan", "phase": "began", "x": 160, "y": 284}
    assert control.code(f"gesture/{session}/tips", body) == "busy"


def test_no_tips_at_all(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(tips(tips=[])))
    state = control.state(session, "tips")
    assert state["phase"] == "dismissed" and state["model"]["count"] == 0, state
    updates = daemon.subscriber(f"state/{session}/")
    control.command(session, "tips", "present")
    model = settle(updates, session, "tips")[-1].body["model"]
    assert (model["count"], model["title"]) == (1, "No Title"), model


def test_present_takes_cards(control: Control, session: str, updates: Subscriber):
    control.command(session, "tips", "present", tips=[{"title": "A"}, {"title": "B"}])
    model = updates.find(f"state/{session}/tips", phase="resting").body["model"]
    assert (model["count"], model["title"], model["index"]) == (2, "A", 0), model
    card = {"title": "A", "content": {"color": [1, 0.5]}}
    control.command(session, "tips", "present", tips=[card, {}])
    model["content"] = {"color": [1, 0.5]}
    assert control.state(session, "tips")["model"] == model
    topic = f"command/{session}/tips"
    most = control.ok("hello")["limits"]["limit_presented_tips_bytes"]
    # A title of 986 letters is a card of 999 bytes with its comma.
    cards = [{"title": "x" * 986}] * (most // 999 + 1)
    for wrong in (cards, [{"titel": "A"}], "A", [1]):
        assert control.code(topic, {"command": "present", "tips": wrong}) == "bad-value"
    assert control.state(session, "tips")["model"] == model


def test_a_dragged_tip_follows_the_finger(control: Control, session: str, updates: Subscriber):
    pan(control, session, "began", 160)
    for x in range(162, 232, 2):
        pan(control, session, "changed", x)
    # The rod has length 0: it pulls the tip's middle to the finger, as far as the pin allows.
    followed = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["views"]["tip"]["x"] > 200,
        "the tip to follow the finger")[-1]
    assert followed.body["phase"] == "dragging"
    assert followed.body["views"]["tip"]["rotation"] > 0, f"it does not turn: {followed}"


def test_the_parameters_are_the_scenes(daemon: Daemon, control: Control, session: str):
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    control.open(session, scene(tips(
        tips=TIPS[:1], size=[100, 80], fade=0.1, backdrop_alpha=0.8, threshold=20,
        exit_duration=0.2)))
    got = settle(updates, session, "tips")
    expect_span(*[u for u in got if u.topic.startswith("transition/")], 0.1)
    expect_view(got[-1].body, "tip", w=100, h=80)
    expect_view(got[-1].body, "backdrop", alpha=0.8)
    fling(control, session, 139)
    got = settle(updates, session, "tips")
    assert got[-1].body["phase"] == "dismissed", got[-1]
    leaving = next(u for u in states(got) if u.body["phase"] == "leaving")
    dismissing = next(u for u in got if u.body.get("name") == "dismiss")
    assert near(dismissing.t - leaving.t, 200, 17), f"{dismissing.t - leaving.t} ms to leave"
