"""Articles, one above the other. A pull beyond an end brings the neighbour."""

from __future__ import annotations

import math
import time

import pytest
from checks import eased, expect_span, expect_view, near, passage, settle, states, steps_between
from checks import transitions, turned
from client import Control, Daemon, Subscriber, Update
from scenes import reader, scene

HEIGHT, EDGE = 568, 55  # Heights: of the page, of header and footer.
HEADER, FOOTER = {"header", "header_arrow"}, {"footer", "footer_arrow"}


def opened(daemon: Daemon, control: Control, session: str, **parameters: object) -> Subscriber:
    control.open(session, scene(reader(**parameters), frame_rate=120))
    updates = daemon.subscriber(f"state/{session}/", f"transition/{session}/")
    updates.find(f"state/{session}/reader", phase="resting")
    return updates


@pytest.fixture
def updates(daemon: Daemon, control: Control, session: str) -> Subscriber:
    """A subscriber to a session that shows the second of ten pages."""
    return opened(daemon, control, session, start=1)


def scroll(control: Control, session: str, phase: str, offset: float, **fields) -> None:
    control.gesture(session, "reader", "scroll", phase, offset=offset, **fields)


def pull(control: Control, session: str, offset: float) -> None:
    """Pulls the content and releases it without speed."""
    now = time.time() * 1000
    scroll(control, session, "began", 0, t=now)
    scroll(control, session, "changed", offset, t=now + 200)
    scroll(control, session, "ended", offset, t=now + 400)


def state(control: Control, session: str) -> dict:
    return control.state(session, "reader")


def expect_standing(state: dict, offset: float) -> None:
    """The offset moves page, header and footer. The arrows stay in their frames."""
    views = {
        "page": {"x": 160, "y": 284, "h": HEIGHT, "w": 320, "z": 0},
        "header": {"x": 160, "y": -27.5, "h": EDGE, "w": 320, "z": 1},
        "footer": {"x": 160, "y": HEIGHT + 27.5, "h": EDGE, "w": 320, "z": 1},
        "header_arrow": {"x": 23.5, "y": -55 + 23.5, "h": 39, "w": 21, "z": 3},
        "footer_arrow": {"x": 23.5, "y": HEIGHT + 23.5, "h": 39, "w": 21, "z": 3},
    }
    for name in state["views"]:
        view = views[name] | {"y": views[name]["y"] - offset, "scale": 1, "alpha": 1}
        expect_view(state, name, **view)


@pytest.mark.parametrize("start, ends, neighbours", [
    (0, FOOTER, [1]), (1, HEADER | FOOTER, [0, 2]), (9, HEADER, [8])])
def test_at_first_the_page_stands_between_what_it_has(
    daemon: Daemon, control: Control, session: str, start: int, ends: set, neighbours: list
):
    """The header is hidden on the first page, the footer on the last."""
    opened(daemon, control, session, start=start)
    shown = state(control, session)
    assert shown["model"] == {
        "index": start, "page": start, "incoming": None, "count": 10,
        "title": f"Page {start + 1}", "offset": 0,
        "previous_title": f"Page {start}" if start else None,
        "next_title": f"Page {start + 2}" if start < 9 else None,
        "header": "unloaded" if start else "hidden",
        "footer": "unloaded" if start < 9 else "hidden", "preload": neighbours}, shown
    assert set(shown["views"]) == {"page"} | ends, shown
    expect_standing(shown, 0)
    for name, rotation in (("header_arrow", math.pi), ("footer_arrow", 0)):
        if name in ends:
            assert turned(shown["views"][name]["rotation"], rotation), shown


def test_titles_are_the_scenes(daemon: Daemon, control: Control, session: str):
    opened(daemon, control, session, pages=["Dawn", "Noon", "Dusk"], start=1)
    model = state(control, session)["model"]
    titles = model["previous_title"], model["title"], model["next_title"]
    assert titles == ("Dawn", "Noon", "Dusk") and model["count"] == 3, model


@pytest.mark.parametrize("offset", [-40, -0.5, 0, 12.5, 54.9])
def test_while_dragged_everything_follows_the_offset(
    control: Control, session: str, updates: Subscriber, offset: float
):
    scroll(control, session, "began", 1)
    scroll(control, session, "changed", offset)
    shown = updates.until(
        lambda u: u.topic.startswith("state/") and u.body["model"]["offset"] == offset)[-1].body
    assert shown["phase"] == "dragging" and set(shown["views"]) == {"page"} | HEADER | FOOTER
    expect_standing(shown, offset)


@pytest.mark.parametrize("start, offset, header, footer", [
    (1, -55, "unloaded", "unloaded"), (1, -55.01, "loaded", "unloaded"),
    (1, 55, "unloaded", "unloaded"), (1, 55.01, "unloaded", "loaded"),
    (0, -300, "hidden", "unloaded"), (0, 56, "hidden", "loaded"),
    (9, 300, "unloaded", "hidden"), (9, -56, "loaded", "hidden")])
def test_beyond_its_height_an_end_is_loaded_where_there_is_a_page(
    daemon: Daemon, control: Control, session: str, start: int, offset: float, header: str,
    footer: str
):
    updates = opened(daemon, control, session, start=start)
    scroll(control, session, "began", offset)
    model = state(control, session)["model"]
    assert (model["header"], model["footer"]) == (header, footer), model
    scroll(control, session, "changed", math.copysign(55, offset))
    model = state(control, session)["model"]
    assert "loaded" not in (model["header"], model["footer"]), "still loaded at 55"
    names = [name for name in ("header", "footer") if model[name] == "unloaded"
             and "loaded" == {"header": header, "footer": footer}[name]]
    wanted = [pair for name in names for pair in (
        (f"{name}-loaded", "began"), (f"{name}-loaded", "cancelled"),
        (f"{name}-unloaded", "began"))]
    assert transitions(updates.during(0.1)) == wanted


@pytest.mark.parametrize("end, offset, before, after", [
    ("header", -60, math.pi, 0), ("footer", 60, 0, math.pi)])
def test_its_arrow_turns_in_a_fifth_of_a_second_and_back(
    control: Control, session: str, updates: Subscriber, end: str, offset: float, before: float,
    after: float
):
    """The header's arrow turns from π to 0, the footer's from 0 to π, never beyond."""
    scroll(control, session, "began", offset)
    for name, start, to in ((f"{end}-loaded", before, after), (f"{end}-unloaded", after, before)):
        got = updates.until(lambda u, name=name: (
            u.body.get("name"), u.body.get("event")) == (name, "ended"), f"{name} to end")
        began, ended = passage(got, name)
        assert began.body["duration"] == 0.2 and began.body["curve"] == "ease-in-out", began
        expect_span(began, ended, 0.2)
        turning = [u for u in states(got) if u.t >= began.t]
        assert len(turning) > 4, f"only {len(turning)} states on the way"
        for update in turning:
            way = eased("ease-in-out", steps_between(began, update) / 24)
            rotation = update.body["views"][f"{end}_arrow"]["rotation"]
            assert near(rotation, start + (to - start) * way, 3e-6), update
        scroll(control, session, "changed", 0)


def test_an_arrow_on_its_way_turns_back_from_where_it_is_shown(
    control: Control, session: str, updates: Subscriber
):
    scroll(control, session, "began", 60)
    updates.until(lambda u: u.topic.startswith("state/")
                  and u.body["views"]["footer_arrow"]["rotation"] > 1, "the arrow to turn")
    scroll(control, session, "changed", 10)
    got = updates.find(f"transition/{session}/reader", name="footer-unloaded", event="began")
    back = updates.until(lambda u: u.body.get("event") == "ended", "the arrow to be back")
    expect_span(got, back[-1], 0.2)
    back += updates.until(lambda u: u.topic.startswith("state/"), "the last state")
    turns = [u.body["views"]["footer_arrow"]["rotation"] for u in states(back)]
    assert turns == sorted(turns, reverse=True) and turns[0] > 0.9, f"it jumped: {turns}"
    assert turns[-1] == 0


# Top edges in the content, before and after, by direction and offset: of the incoming page, the
# outgoing page, and the pulled end.
WAYS = {
    1: lambda o: {"incoming": (HEIGHT + o, 0), "page": (0, -HEIGHT - EDGE),
                  "footer": (HEIGHT, -EDGE)},
    -1: lambda o: {"incoming": (-HEIGHT + o, 0), "page": (0, HEIGHT + EDGE),
                   "header": (-EDGE, HEIGHT)},
}


def expect_paging(got: list[Update], direction: int, first: float, start: int = 1) -> None:
    """The page turns in 0.2 s while the offset runs to 0."""
    began, ended = passage(got, "page")
    for update in (began, ended):
        assert (update.body["from"], update.body["to"]) == (start, start + direction), update
        assert update.body["duration"] == 0.2, update
    expect_span(began, ended, 0.2)
    moving = [u for u in states(got) if u.body["phase"] == "paging"]
    assert len(moving) > 4, f"only {len(moving)} states on the way"
    for update in moving:
        way = eased("ease-in-out", steps_between(began, update) / 24)
        offset = first * (1 - way)
        assert near(update.body["model"]["offset"], offset), update
        pages = {key: update.body["model"][key] for key in ("index", "page", "incoming")}
        assert pages == {"index": start, "page": start, "incoming": start + direction}, update
        for name, (before, after) in WAYS[direction](first).items():
            height = EDGE if name in ("header", "footer") else HEIGHT
            top = before + (after - before) * way - offset
            expect_view(update.body, name, x=160, y=top + height / 2, w=320, h=height)
            if height == EDGE:
                expect_view(update.body, f"{name}_arrow", x=23.5, y=top + 23.5, z=3)
        expect_view(update.body, "incoming", z=2)
    last = got[-1].body
    assert last["model"]["index"] == last["model"]["page"] == start + direction, last
    assert last["model"]["incoming"] is None and last["views"]["page"]["cut"] > 0, last
    assert last["model"]["offset"] == 0 and "incoming" not in last["views"], last
    assert got[-1].t >= ended.t


@pytest.mark.parametrize("direction, end", [(1, "footer"), (-1, "header")])
def test_let_go_beyond_an_end_the_neighbour_comes(
    daemon: Daemon, control: Control, session: str, direction: int, end: str
):
    updates = opened(daemon, control, session, start=4)
    scroll(control, session, "began", 20 * direction)
    scroll(control, session, "ended", 80 * direction)
    got = settle(updates, session, "reader")
    expect_paging(got, direction, 80 * direction, start=4)
    got += updates.until(
        lambda u: u.body.get("name") == f"{end}-unloaded" and u.body["event"] == "ended")
    paged, back = passage(got, "page")[1], passage(got, f"{end}-unloaded")
    assert back[0].t == paged.t, "the arrow did not turn back at the page's arrival"
    expect_span(*back, 0.2)
    shown = state(control, session)
    assert shown["model"]["header"] == shown["model"]["footer"] == "unloaded", shown
    assert set(shown["views"]) == {"page"} | HEADER | FOOTER, shown
    expect_standing(shown, 0)


@pytest.mark.parametrize("command, direction", [("next", 1), ("previous", -1)])
def test_a_command_pages_from_the_shown_offset(
    control: Control, session: str, updates: Subscriber, command: str, direction: int
):
    control.command(session, "reader", command)
    expect_paging(settle(updates, session, "reader"), direction, 0)


def test_a_command_while_returning_goes_on_from_there(
    control: Control, session: str, updates: Subscriber
):
    pull(control, session, 50)
    control.command(session, "reader", "next")
    got = settle(updates, session, "reader")
    first = next(u for u in states(got) if u.body["phase"] == "paging")
    assert 0 < first.body["model"]["offset"] <= 50, first
    expect_paging(got, 1, first.body["model"]["offset"])


@pytest.mark.parametrize("start, command, left, hidden", [
    (1, "previous", FOOTER, "header"), (8, "next", HEADER, "footer")])
def test_the_outermost_pages_hide_their_outer_end(
    daemon: Daemon, control: Control, session: str, start: int, command: str, left: set,
    hidden: str
):
    updates = opened(daemon, control, session, start=start)
    control.command(session, "reader", command)
    shown = settle(updates, session, "reader")[-1].body
    assert set(shown["views"]) == {"page"} | left and shown["model"][hidden] == "hidden", shown
    body = {"command": command}
    assert control.code(f"command/{session}/reader", body) == "bad-value", "no page exists there"


@pytest.mark.parametrize("offset", [-50, 30, 55])
def test_let_go_before_an_end_it_springs_back(
    control: Control, session: str, updates: Subscriber, offset: float
):
    """A release without speed: 0.99 of the offset remains each ms, until it is within 0.5."""
    pull(control, session, offset)
    got = settle(updates, session, "reader")
    assert transitions(got) == [], got
    shown = [u for u in states(got) if u.body["phase"] in ("returning", "resting")]
    for update in shown:
        steps = steps_between(shown[0], update)
        wanted = shown[0].body["model"]["offset"] * 0.99 ** (steps * 25 / 3)
        assert near(update.body["model"]["offset"], wanted if abs(wanted) > 0.5 else 0), update
        expect_standing(update.body, update.body["model"]["offset"])
    assert len(shown) > 8 and abs(shown[0].body["model"]["offset"]) >= abs(offset) * 0.919, shown
    assert got[-1].body["phase"] == "resting" and got[-1].body["model"]["offset"] == 0


@pytest.mark.parametrize("offset", [-80, 80])
def test_cancelled_beyond_an_end_it_springs_back_too(
    control: Control, session: str, updates: Subscriber, offset: float
):
    scroll(control, session, "began", offset)
    scroll(control, session, "cancelled", offset)
    got = settle(updates, session, "reader") + updates.during(0.4)
    assert not [u for u in got if u.body.get("name") == "page"], got
    shown = state(control, session)
    assert shown["phase"] == "resting" and shown["model"]["index"] == 1, shown
    assert shown["model"]["header"] == shown["model"]["footer"] == "unloaded", shown
    assert turned(shown["views"]["footer_arrow"]["rotation"], 0), shown


def test_the_offset_at_the_end_decides_the_page(
    control: Control, session: str, updates: Subscriber
):
    scroll(control, session, "began", 80)
    scroll(control, session, "ended", 55)
    got = settle(updates, session, "reader")
    assert ("page", "began") not in transitions(got), got
    scroll(control, session, "began", 0)
    scroll(control, session, "ended", 56)
    assert settle(updates, session, "reader")[-1].body["model"]["index"] == 2


def test_a_finger_catches_what_returns(control: Control, session: str, updates: Subscriber):
    pull(control, session, 50)
    updates.find(f"state/{session}/reader", phase="returning")
    scroll(control, session, "began", 33)
    caught = updates.find(f"state/{session}/reader", phase="dragging")
    assert caught.body["model"]["offset"] == 33, caught
    # A finger that rests causes no state; the next one shows that nothing has moved.
    assert not [u for u in states(updates.during(0.2)) if u.body["model"]["offset"] != 33]
    scroll(control, session, "changed", 34)
    moved = updates.find(f"state/{session}/reader")
    assert moved.body["phase"] == "dragging" and moved.body["model"]["offset"] == 34, moved


def codes(control: Control, session: str, sent: list[tuple[str, dict]]) -> list[str | None]:
    numbers = [
        control.send("publish", topic=f"{kind}/{session}/reader", body=body) for kind, body in sent]
    return [control.reply(number).get("error", {}).get("code") for number in numbers]


def test_while_paging_everything_is_refused(control: Control, session: str, updates: Subscriber):
    scrolled = {"gesture": "scroll", "offset": 5}
    assert codes(control, session, [
        ("command", {"command": "next"}), ("command", {"command": "next"}),
        ("command", {"command": "previous"}), ("gesture", scrolled | {"phase": "began"}),
        ("gesture", scrolled | {"phase": "changed"}), ("gesture", scrolled | {"phase": "ended"}),
    ]) == [None] + ["busy"] * 5
    expect_paging(settle(updates, session, "reader"), 1, 0)


def test_while_dragging_commands_are_refused(control: Control, session: str, updates: Subscriber):
    scroll(control, session, "began", 10)
    for command in ("next", "previous"):
        assert control.code(f"command/{session}/reader", {"command": command}) == "busy"
    scroll(control, session, "changed", 12)
    assert state(control, session)["model"]["offset"] == 12


@pytest.mark.parametrize("kind, body, code", [
    ("gesture", {"gesture": "scroll", "phase": "changed", "offset": 1}, "out-of-order"),
    ("gesture", {"gesture": "scroll", "phase": "ended", "offset": 90}, "out-of-order"),
    ("gesture", {"gesture": "scroll", "phase": "began"}, "missing-field"),
    ("gesture", {"gesture": "swipe", "direction": "left", "x": 1, "y": 1}, "unknown-gesture"),
    ("command", {"command": "select", "index": 1}, "unknown-command"),
], ids=str)
def test_an_event_is_refused_with_its_code(
    control: Control, session: str, updates: Subscriber, kind: str, body: dict, code: str
):
    assert control.code(f"{kind}/{session}/reader", body) == code
    shown = state(control, session)
    assert shown["phase"] == "resting" and shown["model"]["offset"] == 0, shown


def test_a_single_page_has_no_neighbours(daemon: Daemon, control: Control, session: str):
    updates = opened(daemon, control, session, pages=1)
    for offset in (-200, 200):
        pull(control, session, offset)
        got = settle(updates, session, "reader")
        assert transitions(got) == [] and set(got[-1].body["views"]) == {"page"}, got[-1]
    refused = codes(control, session, [
        ("command", {"command": "next"}), ("command", {"command": "previous"})])
    assert refused == ["bad-value"] * 2
    assert state(control, session)["model"]["preload"] == []


def test_the_parameters_are_the_scenes(daemon: Daemon, control: Control, session: str):
    updates = opened(
        daemon, control, session, pages=3, start=1, size=[200, 300], header_height=30,
        footer_height=40, arrow=[10, 2, 8, 6], duration=0.1)
    shown = state(control, session)
    expect_view(shown, "page", x=100, y=150, w=200, h=300)
    expect_view(shown, "header", x=100, y=-15, w=200, h=30)
    expect_view(shown, "footer", x=100, y=320, w=200, h=40)
    expect_view(shown, "header_arrow", x=14, y=-25, w=8, h=6)
    expect_view(shown, "footer_arrow", x=14, y=305, w=8, h=6)
    scroll(control, session, "began", 40)
    assert state(control, session)["model"]["footer"] == "unloaded"
    scroll(control, session, "changed", 40.5)
    assert state(control, session)["model"]["footer"] == "loaded"
    scroll(control, session, "ended", 40.5)
    got = settle(updates, session, "reader")
    began, ended = passage(got, "page")
    expect_span(began, ended, 0.1)
    assert began.body["duration"] == 0.1, began
    for update in (u for u in states(got) if u.body["phase"] == "paging"):
        left = 1 - eased("ease-in-out", steps_between(began, update) / 12)
        gone = -(300 + 30) * (1 - left) - 40.5 * left
        expect_view(update.body, "incoming", y=300 * left + 150)
        expect_view(update.body, "page", y=gone + 150)
