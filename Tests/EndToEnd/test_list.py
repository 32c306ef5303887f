"""A swipe opens rows. They close with a bounce."""

from __future__ import annotations

import pytest
from checks import eased, expect_span, expect_view, passage, settle, states, steps_between
from checks import transitions
from client import Control, Daemon, Subscriber
from scenes import rows, scene

SIGNS = {"left": -1, "right": 1}
CLOSED = {"row": None, "direction": None}
CLOSING = [("close", "began"), ("close", "ended")]
SELECTION = [("select", "began"), ("select", "ended")]


def opened(daemon: Daemon, control: Control, session: str, **parameters: object) -> Subscriber:
    control.open(session, scene(rows(**parameters), frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/list", phase="closed")
    return updates


@pytest.fixture
def updates(daemon: Daemon, control: Control, session: str) -> Subscriber:
    return opened(daemon, control, session)


@pytest.fixture
def hasty(daemon: Daemon, control: Control, session: str) -> Subscriber:
    """Shortens the motion, for tests that do not look at it."""
    return opened(daemon, control, session, duration=0.05)


def swipe(control: Control, session: str, direction: str, **target: object) -> None:
    control.gesture(session, "list", "swipe", direction=direction, **target)


def open_row(control: Control, session: str, updates: Subscriber, row: int = 2) -> None:
    swipe(control, session, "left", row=row)
    settle(updates, session, "list")


def scroll(control: Control, session: str, phase: str, offset: float) -> None:
    control.gesture(session, "list", "scroll", phase, offset=offset)


def state(control: Control, session: str) -> dict:
    return control.state(session, "list")


def expect_rows(shown: dict, rows: list[int] | range, offset: float = 0) -> None:
    """These rows are all the views, each in its place."""
    assert list(shown["views"]) == [f"row-{row}" for row in rows], shown
    for row in rows:
        expect_view(shown, f"row-{row}", x=160, y=row * 70 - offset + 35, w=320, h=70, z=1)


def test_at_first_nothing_is_open(control: Control, session: str, updates: Subscriber):
    shown = state(control, session)
    assert shown["phase"] == "closed", shown
    expect_rows(shown, range(9))
    assert shown["model"] == {**CLOSED, "selected": None, "offset": 0}, shown


@pytest.mark.parametrize("offset, shown", [
    (62, range(9)), (63, range(10)), (70, range(1, 10)), (832, range(11, 20)), (-100, range(7)),
    (1399, range(19, 20)), (1400, []), (-568, [])])
def test_a_row_that_shows_is_a_view(
    control: Control, session: str, updates: Subscriber, offset: float, shown: list
):
    scroll(control, session, "began", offset)
    expect_rows(state(control, session), shown, offset)


def test_of_a_million_rows_those_on_screen_are_told(
    daemon: Daemon, control: Control, session: str
):
    opened(daemon, control, session, rows=1_000_000)
    scroll(control, session, "began", 700_000)
    expect_rows(state(control, session), range(10_000, 10_009), 700_000)


def test_at_most_256_rows_are_views(daemon: Daemon, control: Control, session: str):
    opened(daemon, control, session, rows=1_000_000, row_height=0.5)
    assert list(state(control, session)["views"]) == [f"row-{n}" for n in range(256)]


def cuts(control: Control, session: str, rows: list[int]) -> list[int]:
    views = state(control, session)["views"]
    return [views[f"row-{row}"].get("cut", 0) for row in rows]


def test_a_row_that_left_and_one_that_was_placed_elsewhere_have_a_cut(
    control: Control, session: str, hasty: Subscriber
):
    for offset in (0, 140, 70):
        scroll(control, session, "began", offset)
    assert cuts(control, session, [1, 2, 8]) == [1, 0, 0]
    open_row(control, session, hasty, 3)
    assert cuts(control, session, [1, 2, 3]) == [1, 0, 0], "a row that opens is moved"
    assert "cut" not in state(control, session)["views"]["menu"]
    swipe(control, session, "left", row=4)
    assert cuts(control, session, [1, 2, 3, 4]) == [1, 0, 0, 0], "a row that closes is moved"
    assert state(control, session)["views"]["menu"]["cut"] == 1
    settle(hasty, session, "list")
    control.command(session, "list", "scroll-to-top")
    assert cuts(control, session, [1, 2]) == [2, 1]


def menu_x(style: str, sign: int, out: float) -> float:
    """The menu's x: behind the row, or beside it on the side that the row leaves."""
    return 160 if style == "reveal" else 160 + out - 320 * sign


@pytest.mark.parametrize("style", ["reveal", "push"])
@pytest.mark.parametrize("direction, sign", SIGNS.items())
def test_a_swipe_opens_its_row_by_the_width(
    daemon: Daemon, control: Control, session: str, style: str, direction: str, sign: int
):
    """The row moves from 0 to ±320 in 0.2 s. The menu stays, or moves along from ∓320 to 0."""
    updates = opened(daemon, control, session, style=style)
    swipe(control, session, direction, row=2)
    got = settle(updates, session, "list")
    assert transitions(got) == [("open", "began"), ("open", "ended")], got
    began, ended = passage(got, "open")
    assert began.body["duration"] == 0.2 and began.body["curve"] == "ease-in-out", began
    expect_span(began, ended, 0.2)
    moving = [u for u in states(got) if u.body["phase"] == "opening"]
    assert len(moving) > 5, f"only {len(moving)} states on the way"
    for update in states(got):
        out = 320 * sign * eased("ease-in-out", steps_between(began, update) / 24)
        assert set(update.body["views"]) == {"menu"} | {f"row-{n}" for n in range(9)}, update
        frame = {"y": 175, "w": 320, "h": 70, "scale": 1, "alpha": 1, "rotation": 0}
        expect_view(update.body, "row-2", x=160 + out, z=1, **frame)
        expect_view(update.body, "menu", x=menu_x(style, sign, out), z=0, **frame)
        model = update.body["model"]
        assert (model["row"], model["direction"]) == (2, direction), update
    assert got[-1].body["phase"] == "open" and 0 <= steps_between(ended, got[-1]) < 12, got[-1]


def closing(sign: int, steps: int) -> float:
    """The row's x while it closes, in three parts of 0.2 s."""
    part, progress = steps // 24, steps % 24 / 24
    if part == 0:
        return sign * (320 + (5 - 320) * eased("ease-in-out", progress))
    if part == 1:
        return sign * (5 + 5 * progress)
    return sign * max(0.0, 10 - 10 * progress)


@pytest.mark.parametrize("style", ["reveal", "push"])
@pytest.mark.parametrize("direction, sign", SIGNS.items())
def test_closing_bounces_in_three_steps(
    daemon: Daemon, control: Control, session: str, style: str, direction: str, sign: int
):
    """The row eases to ±5, then moves to ±10 and to 0 at constant speeds, 0.2 s each."""
    updates = opened(daemon, control, session, style=style)
    swipe(control, session, direction, row=2)
    settle(updates, session, "list")
    control.command(session, "list", "action")
    got = settle(updates, session, "list")
    assert transitions(got) == CLOSING, got
    began, ended = passage(got, "close")
    assert began.body["duration"] == 0.6 and began.body["curve"] is None, began
    expect_span(began, ended, 0.6)
    moving = [u for u in states(got) if u.body["phase"] == "closing"]
    assert len(moving) > 15, f"only {len(moving)} states on the way"
    for update in moving:
        out = closing(sign, steps_between(began, update))
        expect_view(update.body, "row-2", x=160 + out, y=175, z=1)
        expect_view(update.body, "menu", x=menu_x(style, sign, out), y=175, z=0)
    assert got[-1].body["phase"] == "closed", got[-1]
    expect_rows(got[-1].body, range(9))
    assert got[-1].body["model"].items() >= CLOSED.items(), got[-1]


CLOSERS = {
    "a swipe on it to the left": ("gesture", {"gesture": "swipe", "direction": "left", "row": 2}),
    "a swipe on it to the right": ("gesture", {"gesture": "swipe", "direction": "right", "row": 2}),
    "a tap on it": ("gesture", {"gesture": "tap", "row": 2}),
    "a tap elsewhere": ("gesture", {"gesture": "tap", "x": 10, "y": 500}),
    "a scroll": ("gesture", {"gesture": "scroll", "phase": "began", "offset": 0}),
    "a menu button": ("command", {"command": "action"}),
}


@pytest.mark.parametrize("closer", CLOSERS)
def test_taps_swipes_scrolls_and_commands_close_the_open_row(
    control: Control, session: str, hasty: Subscriber, closer: str
):
    open_row(control, session, hasty)
    kind, body = CLOSERS[closer]
    control.publish(f"{kind}/{session}/list", body)
    got = settle(hasty, session, "list")
    selection = SELECTION if closer.startswith("a tap") else []
    assert transitions(got) == selection + CLOSING, got
    began, ended = passage(got, "close")
    expect_span(began, ended, 0.15)
    selected = 2 if closer == "a tap on it" else 7 if closer == "a tap elsewhere" else None
    assert got[-1].body["model"]["selected"] == selected, got[-1]


@pytest.mark.parametrize("body", [
    {"gesture": "tap", "row": 3}, {"gesture": "scroll", "phase": "began", "offset": 0}], ids=str)
def test_nothing_open_nothing_closes(
    control: Control, session: str, updates: Subscriber, body: dict
):
    control.publish(f"gesture/{session}/list", body)
    control.command(session, "list", "action")
    control.command(session, "list", "scroll-to-top")
    got = updates.during(0.1)
    assert transitions(got) == (SELECTION if body["gesture"] == "tap" else []), got
    shown = state(control, session)
    assert shown["phase"] == "closed", shown
    expect_rows(shown, range(9))


@pytest.mark.parametrize("target, row", [
    ({"row": 0}, 0), ({"row": 19}, 19), ({"x": 5, "y": 0}, 0), ({"x": 5, "y": 69.9}, 0),
    ({"x": 315, "y": 70}, 1), ({"x": 160, "y": 567}, 8)], ids=str)
def test_a_tap_selects(
    control: Control, session: str, updates: Subscriber, target: dict, row: int
):
    control.gesture(session, "list", "tap", **target)
    assert state(control, session)["model"]["selected"] == row
    control.gesture(session, "list", "tap", row=4)
    assert state(control, session)["model"]["selected"] == 4
    got = updates.during(0.1)
    assert transitions(got) == SELECTION * 2, got
    told = [u.body["row"] for u in got if u.topic.startswith("transition/")]
    assert told == [row, row, 4, 4], got


def test_a_swipe_on_another_row_closes_the_open_one_at_once(
    daemon: Daemon, control: Control, session: str
):
    updates = opened(daemon, control, session, others="at-once")
    open_row(control, session, updates, 2)
    swipe(control, session, "right", row=5)
    got = settle(updates, session, "list")
    assert transitions(got) == CLOSING + [("open", "began"), ("open", "ended")], got
    closed = passage(got, "close")
    opens, _ = passage(got, "open")
    assert [u.body["duration"] for u in closed] == [0, 0], closed
    assert closed[0].t == closed[1].t == opens.t, got
    first = next(u for u in states(got))
    assert first.body["phase"] == "opening" and first.body["model"]["row"] == 5, first
    for update in states(got):
        out = 320 * eased("ease-in-out", steps_between(opens, update) / 24)
        expect_view(update.body, "row-5", x=160 + out, y=5 * 70 + 35)
    model = got[-1].body["model"]
    assert (model["row"], model["direction"]) == (5, "right"), model


def test_the_open_row_closes_while_another_one_opens(
    control: Control, session: str, updates: Subscriber
):
    open_row(control, session, updates, 2)
    swipe(control, session, "right", row=5)
    got = updates.until(
        lambda u: u.topic.startswith("transition/") and u.body["name"] == "close"
        and u.body["event"] == "ended")
    told = [(u.body["name"], u.body["event"], u.body["row"], u.body["direction"])
            for u in got if u.topic.startswith("transition/")]
    assert told == [
        ("close", "began", 2, "left"), ("open", "began", 5, "right"),
        ("open", "ended", 5, "right"), ("close", "ended", 2, "left")], told
    began, ended = passage(got, "close")
    expect_span(began, ended, 0.6)
    both = [u.body["views"] for u in states(got) if u.body["phase"] == "opening"]
    assert any(v["row-2"]["x"] < 150 and v["row-5"]["x"] > 170 for v in both), both
    assert all("cut" not in v["row-2"] and v["menu"]["cut"] == 1 for v in both), both
    running = {(r["name"], r["row"]) for u in states(got) for r in u.body.get("running", [])}
    assert {("close", 2), ("open", 5)} <= running, running


@pytest.mark.parametrize("side, other", [("left", "right"), ("right", "left")])
def test_rows_open_to_their_side_only(
    daemon: Daemon, control: Control, session: str, side: str, other: str
):
    updates = opened(daemon, control, session, side=side)
    swiped = {"gesture": "swipe", "direction": other, "row": 2}
    assert control.code(f"gesture/{session}/list", swiped) == "bad-value"
    swipe(control, session, side, row=2)
    assert settle(updates, session, "list")[-1].body["model"]["direction"] == side


MENU = [{"id": "reply", "content": {"text": "Reply"}}, {"id": "delete"}]


@pytest.mark.parametrize("x, action", [(100, "reply"), (200, "delete")])
def test_a_tap_on_the_open_menu_chooses_an_action(
    daemon: Daemon, control: Control, session: str, x: float, action: str
):
    updates = opened(daemon, control, session, menu=MENU)
    open_row(control, session, updates, 2)
    control.gesture(session, "list", "tap", x=x, y=175)
    told = updates.find(f"transition/{session}/list", name="action", event="began")
    assert (told.body["row"], told.body["action"], told.body["duration"]) == (2, action, 0), told
    updates.find(f"transition/{session}/list", name="close", event="ended", row=2)
    assert state(control, session)["model"]["selected"] is None


def test_the_command_action_takes_an_action(daemon: Daemon, control: Control, session: str):
    updates = opened(daemon, control, session, menu=MENU)
    topic = f"command/{session}/list"
    assert control.code(topic, {"command": "action", "action": "reply"}) == "out-of-order"
    open_row(control, session, updates, 2)
    assert control.code(topic, {"command": "action", "action": "like"}) == "bad-value"
    control.command(session, "list", "action", action="delete")
    told = updates.find(f"transition/{session}/list", name="action", event="ended")
    assert (told.body["row"], told.body["action"]) == (2, "delete"), told


def test_scroll_to_top_closes_at_once(control: Control, session: str, hasty: Subscriber):
    scroll(control, session, "began", 100)
    scroll(control, session, "ended", 100)
    open_row(control, session, hasty, 3)
    control.command(session, "list", "scroll-to-top")
    got = hasty.until(lambda u: u.topic.startswith("state/") and u.body["phase"] == "closed")
    assert transitions(got) == CLOSING, got
    assert all(u.body["duration"] == 0 for u in passage(got, "close")), got
    shown = got[-1].body
    assert shown["model"]["offset"] == 0, shown
    expect_rows(shown, range(9))
    assert hasty.during(0.1) == []


def test_a_row_is_where_the_scroll_has_brought_it(
    control: Control, session: str, hasty: Subscriber
):
    """The row is ⌊(y + offset)/70⌋ and its top edge 70 · row − offset."""
    for phase, offset in (("began", 0), ("changed", 50), ("ended", 75)):
        scroll(control, session, phase, offset)
        assert state(control, session)["model"]["offset"] == offset
    swipe(control, session, "left", x=100, y=64.9)
    got = settle(hasty, session, "list")
    assert got[-1].body["model"]["row"] == 1, got[-1]
    expect_view(got[-1].body, "row-1", x=160 - 320, y=70 - 75 + 35)
    expect_view(got[-1].body, "menu", x=160, y=70 - 75 + 35)
    control.gesture(session, "list", "tap", x=100, y=65)
    assert state(control, session)["model"]["selected"] == 2
    settle(hasty, session, "list")


def test_a_scroll_takes_the_closing_row_with_it(
    control: Control, session: str, updates: Subscriber
):
    open_row(control, session, updates, 4)
    scroll(control, session, "began", 10)
    scroll(control, session, "changed", 40)
    moved = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["model"]["offset"] == 40, "the offset")
    assert moved[-1].body["phase"] == "closing", moved[-1]
    expect_view(moved[-1].body, "row-4", y=4 * 70 + 35 - 40)
    expect_view(moved[-1].body, "menu", y=4 * 70 + 35 - 40)
    assert transitions(moved + settle(updates, session, "list")) == CLOSING


@pytest.mark.parametrize("phase", ["opening", "closing"])
def test_while_animating_most_is_refused_and_the_rest_closes_nothing(
    control: Control, session: str, updates: Subscriber, phase: str
):
    swipe(control, session, "left", row=2)
    if phase == "closing":
        settle(updates, session, "list")
        control.command(session, "list", "action")
    swiped = {"gesture": "swipe", "direction": "left"}
    sent = [
        ("gesture", swiped | {"row": 2}), ("gesture", swiped | {"row": 6}),
        ("gesture", swiped | {"direction": "right", "x": 1, "y": 1}),
        ("command", {"command": "action"}), ("command", {"command": "scroll-to-top"}),
        ("gesture", {"gesture": "tap", "row": 6}),
        ("gesture", {"gesture": "scroll", "phase": "began", "offset": 20}),
        ("gesture", {"gesture": "scroll", "phase": "ended", "offset": 30})]
    numbers = [
        control.send("publish", topic=f"{kind}/{session}/list", body=body) for kind, body in sent]
    answers = [control.reply(number) for number in numbers]
    assert [answer.get("error", {}).get("code") for answer in answers] == ["busy"] * 5 + [None] * 3
    got = settle(updates, session, "list")
    name = "open" if phase == "opening" else "close"
    assert sorted(transitions(got)) == sorted([(name, "began"), (name, "ended"), *SELECTION]), got
    shown = got[-1].body
    assert shown["phase"] == ("open" if phase == "opening" else "closed"), shown
    assert shown["model"]["selected"] == 6 and shown["model"]["offset"] == 30, shown


@pytest.mark.parametrize("body, code", [
    ({"gesture": "swipe", "direction": "up", "row": 2}, "bad-value"),
    ({"gesture": "swipe", "direction": "down", "x": 1, "y": 1}, "bad-value"),
    ({"gesture": "swipe", "direction": "away", "row": 2}, "bad-value"),
    ({"gesture": "swipe", "row": 2}, "missing-field"),
    ({"gesture": "swipe", "direction": "left"}, "missing-field"),
    ({"gesture": "swipe", "direction": "left", "row": 20}, "bad-value"),
    ({"gesture": "swipe", "direction": "left", "row": -1}, "bad-value"),
    ({"gesture": "swipe", "direction": "left", "row": 0.5}, "bad-value"),
    ({"gesture": "swipe", "direction": "left", "x": 1, "y": -1}, "bad-value"),
    ({"gesture": "swipe", "direction": "left", "x": 1, "y": 1400}, "bad-value"),
    ({"gesture": "tap"}, "missing-field"),
    ({"gesture": "tap", "row": 20}, "bad-value"),
    ({"gesture": "tap", "x": 1, "y": -0.1}, "bad-value"),
    ({"gesture": "scroll", "phase": "changed", "offset": 1}, "out-of-order"),
    ({"gesture": "scroll", "phase": "ended", "offset": 1}, "out-of-order"),
    ({"gesture": "pan", "phase": "began", "x": 1, "y": 1}, "unknown-gesture"),
], ids=str)
def test_a_gesture_is_refused_with_its_code(
    control: Control, session: str, updates: Subscriber, body: dict, code: str
):
    assert control.code(f"gesture/{session}/list", body) == code
    shown = state(control, session)
    assert shown["model"] == {**CLOSED, "selected": None, "offset": 0}, shown


def test_an_unknown_command_is_refused(control: Control, session: str, updates: Subscriber):
    assert control.code(f"command/{session}/list", {"command": "reset"}) == "unknown-command"


def test_the_parameters_are_the_scenes(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(
        rows(rows=3, row_height=100, duration=0.1, bounce=20, style="push"),
        viewport=[200, 400], frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/list", phase="closed")
    body = {"gesture": "tap", "x": 1, "y": 300}
    assert control.code(f"gesture/{session}/list", body) == "bad-value", "a fourth row exists"
    swipe(control, session, "right", x=1, y=299)
    got = settle(updates, session, "list")
    expect_span(*passage(got, "open"), 0.1)
    expect_view(got[-1].body, "row-2", x=300, y=250, w=200, h=100)
    control.command(session, "list", "action")
    got = settle(updates, session, "list")
    began, ended = passage(got, "close")
    expect_span(began, ended, 0.3)
    for update in (u for u in states(got) if u.body["phase"] == "closing"):
        steps = steps_between(began, update)
        if steps >= 12:
            out = 20 + 20 * (steps - 12) / 12 if steps < 24 else 40 - 40 * (steps - 24) / 12
            expect_view(update.body, "row-2", x=100 + out)
            expect_view(update.body, "menu", x=100 + out - 200)
