"""Rows with ids and content: what is told of them, and how commands change them."""

from __future__ import annotations

import pytest
from checks import eased, steps_between
from client import Control, Daemon, Subscriber
from scenes import rows, scene

LONG = [{"id": f"r{n}", "content": {"text": f"Row {n}"}} for n in range(400)]
FEW = [{"id": name, "content": {"text": name.upper()}} for name in ("a", "b", "c")]


def listed(rows_: object, **parameters: object) -> dict:
    return scene(rows(rows=rows_, **parameters), frame_rate=120)


def ids(body: dict) -> list[str]:
    return [row["id"] for row in body["rows"]]


def told(control: Control, session: str) -> dict:
    """The rows as a snapshot tells them."""
    body = control.snapshot(session)[f"rows/{session}/list"]
    return {key: value for key, value in body.items() if key not in ("epoch", "seq", "t")}


def model(control: Control, session: str) -> dict:
    return control.state(session, "list")["model"]


def scroll(control: Control, session: str, offset: float) -> None:
    for phase in ("began", "ended"):
        control.gesture(session, "list", "scroll", phase, offset=offset)


def order(control: Control, session: str) -> list[str]:
    return ids(told(control, session))


# Telling


def test_rows_are_told_with_their_content_and_the_scene_has_their_number(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, listed(FEW, menu=[{"id": "m"}]))
    updates = daemon.subscriber(f"rows/{session}/list")
    body = updates.find(f"rows/{session}/list").body
    assert list(body) == ["epoch", "seq", "t", "version", "count", "from", "rows"], body
    assert (body["seq"], body["version"], body["count"], body["from"]) == (1, 1, 3, 0), body
    assert body["rows"] == FEW
    shown = control.snapshot(session)
    assert shown[f"scene/{session}"]["components"][0]["parameters"]["rows"] == 3
    assert shown[f"frame/{session}"]["rows"] == {"list": told(control, session)}


@pytest.mark.parametrize("offset, first, end", [(0, 0, 59), (7_000, 50, 159), (27_432, 341, 400)])
def test_those_that_show_and_fifty_on_either_side_are_told(
    control: Control, session: str, offset: float, first: int, end: int
):
    control.open(session, listed(LONG))
    scroll(control, session, offset)
    body = told(control, session)
    assert (body["from"], body["count"], ids(body)) == (
        first, 400, [f"r{n}" for n in range(first, end)])


def test_a_scroll_tells_rows_only_when_it_comes_near_the_end_of_what_was_told(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, listed(LONG))
    updates = daemon.subscriber(f"rows/{session}", f"state/{session}/list")
    updates.find(f"rows/{session}/list")
    control.gesture(session, "list", "scroll", "began", offset=0)
    windows = []
    for offset in range(70, 14_000, 70):
        control.gesture(session, "list", "scroll", "changed", offset=offset)
    for update in updates.until(lambda u: u.body.get("model", {}).get("offset") == 13_930):
        if update.topic.startswith("rows/"):
            windows.append((update.body["from"], len(update.body["rows"])))
        elif windows:
            shown = [int(name[4:]) for name in update.body["views"]]
            first, count = windows[-1]
            assert first <= min(shown) and max(shown) < first + count, (windows, shown)
    assert 3 <= len(windows) <= 6, windows


def test_a_template_gives_each_row_its_number(control: Control, session: str):
    template = {"text": "Row $row of many", "n": "$row", "deep": [{"x": "$row$row"}], "y": 1}
    control.open(session, listed(1_000_000, row=template))
    scroll(control, session, 70_000)
    body = told(control, session)
    assert (body["count"], body["from"]) == (1_000_000, 950), body
    assert body["rows"][0] == {
        "content": {"text": "Row 950 of many", "n": 950, "deep": [{"x": "950950"}], "y": 1}}


def test_a_list_without_row_content_tells_no_rows(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, listed(20))
    updates = daemon.subscriber(f"rows/{session}/", f"frame/{session}")
    scroll(control, session, 70)
    got = updates.until(lambda u: u.body.get("states", [{}])[0].get("model", {}).get("offset"))
    assert all("rows" not in u.body for u in got), got
    assert f"rows/{session}/list" not in control.snapshot(session)


def test_a_late_subscriber_gets_the_current_rows(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, listed(FEW))
    first = daemon.subscriber(f"rows/{session}/list").find(f"rows/{session}/list")
    control.command(session, "list", "insert", item={"id": "d"})
    second = daemon.subscriber(f"rows/{session}").find(f"rows/{session}/list")
    assert second.seq > first.seq and ids(second.body) == ["a", "b", "c", "d"], second
    again = daemon.subscriber("rows/", sync=True)
    control.command(session, "list", "remove", item="a")
    assert ids(again.find(f"rows/{session}/list").body) == ["b", "c", "d"]


def test_frames_have_rows_where_they_changed(daemon: Daemon, control: Control, session: str):
    control.open(session, listed(FEW))
    frames = daemon.subscriber(f"frame/{session}")
    frames.until(lambda u: "rows" in u.body)
    control.command(session, "list", "insert", at=1, item={"id": "x", "content": {"text": "X"}})
    got = frames.until(lambda u: "rows" in u.body)[-1].body
    assert ids(got["rows"]["list"]) == ["a", "x", "b", "c"] and got["states"], got
    later = frames.until(lambda u: u.body["states"][0]["views"]["row-2"]["y"] == 175)
    assert all("rows" not in u.body for u in later), later


# Choosing


@pytest.mark.parametrize("choose", [
    lambda control, session: control.gesture(session, "list", "tap", row=1),
    lambda control, session: control.command(session, "list", "select", row=1),
    lambda control, session: control.command(session, "list", "select", item="b")])
def test_a_row_is_selected_with_its_id(
    daemon: Daemon, control: Control, session: str, choose
):
    control.open(session, listed(FEW))
    updates = daemon.subscriber(f"transition/{session}/list")
    choose(control, session)
    body = updates.find(f"transition/{session}/list", name="select", event="began").body
    assert (body["row"], body["item"]) == (1, "b"), body
    assert model(control, session)["selected"] == 1


def test_a_reaction_is_told_the_id(control: Control, session: str):
    reaction = {
        "when": {"component": "list", "transition": "select"},
        "do": {"component": "list", "command": "remove", "item": "$item"}}
    control.open(session, listed(FEW) | {"reactions": [reaction]})
    control.gesture(session, "list", "tap", row=1)
    assert order(control, session) == ["a", "c"]


def test_a_row_has_a_menu_of_its_own(daemon: Daemon, control: Control, session: str):
    menu = [{"id": "keep", "content": {"text": "Keep"}}, {"id": "drop"}]
    control.open(session, listed(
        [FEW[0], {**FEW[1], "menu": menu}], menu=[{"id": "share"}], duration=0))
    assert told(control, session)["rows"][1] == {**FEW[1], "menu": menu}
    updates = daemon.subscriber(f"transition/{session}/list")
    for row, x, action in ((1, 300, "drop"), (0, 300, "share")):
        control.gesture(session, "list", "swipe", direction="left", row=row)
        updates.find(f"transition/{session}/list", name="open", event="ended")
        control.gesture(session, "list", "tap", x=x, y=70 * row + 35)
        body = updates.find(f"transition/{session}/list", name="action").body
        assert body["action"] == action, body
        updates.find(f"transition/{session}/list", name="close", event="ended")


# Changes


def test_rows_come_go_and_move(control: Control, session: str):
    control.open(session, listed(FEW))
    for command, fields, expected in [
        ("insert", {"item": {"id": "d"}}, "abcd"),
        ("insert", {"at": 0, "item": {"id": "e", "content": {"text": "E"}}}, "eabcd"),
        ("move", {"item": "e", "at": 4}, "abcde"),
        ("move", {"item": "d", "at": 0}, "dabce"),
        ("remove", {"item": "b"}, "dace"),
        ("insert", {"at": 4, "item": {"id": "b"}}, "daceb"),
    ]:
        version = told(control, session)["version"]
        control.command(session, "list", command, **fields)
        body = told(control, session)
        assert ids(body) == list(expected) and body["version"] == version + 1, (command, body)
        assert body["count"] == len(expected), body


@pytest.mark.parametrize("rate", [30, 60, 120])
def test_rows_below_make_place_and_the_new_one_fades_in(
    daemon: Daemon, control: Control, session: str, rate: int
):
    control.open(session, listed(LONG) | {"frame_rate": rate})
    updates = daemon.subscriber(f"state/{session}/list")
    updates.find(f"state/{session}/list")
    control.command(session, "list", "insert", at=2, item={"id": "new"})
    got = updates.until(lambda u: u.body["views"]["row-3"]["y"] == 245)
    assert len(got) > rate / 10, got
    for update in got:
        share = eased("ease-in-out", min(1, steps_between(got[0], update) / 36))
        views = update.body["views"]
        assert abs(views["row-2"]["y"] - 175) < 0.0011, views
        assert abs(views["row-2"]["alpha"] - share) < 2e-6, (views, share)
        assert abs(views["row-3"]["y"] - (175 + 70 * share)) < 0.0011, (views, share)
        assert abs(views["row-1"]["y"] - 105) < 0.0011, views


def test_several_changes_at_once_overlap_without_a_jump(
    daemon: Daemon, control: Control, session: str
):
    control.open(session, listed(LONG) | {"frame_rate": 120})
    frames = daemon.subscriber(f"frame/{session}")
    frames.until(lambda u: "rows" in u.body)
    for number in range(6):
        control.command(session, "list", "insert", at=number, item={"id": f"n{number}"})
        control.command(session, "list", "remove", item=f"r{number + 2}")
        control.command(session, "list", "move", item=f"r{number + 8}", at=1)
    control.command(session, "list", "insert", at=1, item={"id": "last"})
    window: dict = {}
    places: dict[str, float] = {}
    time = None
    for update in frames.during(1.0):
        window = update.body.get("rows", {}).get("list", window)
        if not window or not update.body["states"]:
            continue
        shown = {
            window["rows"][int(name[4:]) - window["from"]]["id"]: view["y"]
            for name, view in update.body["states"][0]["views"].items()}
        steps = 1 if time is None else max(1, round((update.t - time) * 0.12))
        time = update.t
        for name in shown.keys() & places.keys():
            # Thirteen rows come above one, each in 36 steps, 1.7 times as fast in the middle. A
            # jump would be a row's height.
            assert abs(shown[name] - places[name]) < 60 * steps, (name, places[name], shown[name])
        places = shown
    assert places, "no frame came"


@pytest.mark.parametrize("command, fields, offset, top", [
    ("insert", {"at": 0, "item": {"id": "x"}}, 770, "r10"),
    ("remove", {"item": "r3"}, 630, "r10"),
    ("move", {"item": "r3", "at": 300}, 630, "r10"),
    ("move", {"item": "r300", "at": 3}, 770, "r10"),
    ("insert", {"at": 10, "item": {"id": "x"}}, 700, "x"),
    ("insert", {"at": 300, "item": {"id": "x"}}, 700, "r10")])
def test_what_is_seen_stays_in_view(
    control: Control, session: str, command: str, fields: dict, offset: float, top: str
):
    control.open(session, listed(LONG))
    scroll(control, session, 700)
    control.gesture(session, "list", "tap", row=12)
    control.gesture(session, "list", "swipe", direction="left", row=14)
    control.command(session, "list", command, **fields)
    state, body = control.state(session, "list"), told(control, session)
    assert state["model"]["offset"] == offset, state
    names = {n + body["from"]: row["id"] for n, row in enumerate(body["rows"])}
    assert names[int(offset // 70)] == top, names
    assert names[state["model"]["selected"]] == "r12", state
    assert names[state["model"]["row"]] == "r14", state


def test_what_goes_is_neither_open_nor_selected(control: Control, session: str):
    control.open(session, listed(FEW, duration=0))
    control.gesture(session, "list", "tap", row=1)
    control.gesture(session, "list", "swipe", direction="left", row=1)
    control.command(session, "list", "remove", item="b")
    state = control.state(session, "list")
    assert state["phase"] == "closed" and state["model"]["selected"] is None, state


def test_another_list_of_rows_keeps_what_is_open_by_id(control: Control, session: str):
    control.open(session, listed(LONG))
    scroll(control, session, 700)
    control.gesture(session, "list", "tap", row=12)
    control.publish(f"command/{session}", {
        "command": "set", "component": "list", "values": {"rows": [{"id": "new"}, *LONG[5:]]}})
    state = control.state(session, "list")
    assert state["model"]["selected"] == 8 and state["model"]["offset"] == 420, state
    body = told(control, session)
    assert (body["version"], body["count"], body["rows"][0]) == (
        2, 396, {"id": "new", "content": {}}), body


def test_commands_rows_stay_where_the_scene_changes_otherwise(control: Control, session: str):
    control.open(session, listed(FEW))
    control.command(session, "list", "insert", at=1, item={"id": "x"})
    control.publish(f"command/{session}", {"command": "resize", "viewport": [200, 300]})
    control.publish(f"command/{session}", {
        "command": "set", "component": "list", "values": {"row_height": 50}})
    assert order(control, session) == ["a", "x", "b", "c"]


# Refusals


@pytest.mark.parametrize("command, fields, code, parts", [
    ("insert", {}, "missing-field", ["key item"]),
    ("insert", {"item": {"content": {}}}, "missing-field", ["key id"]),
    ("insert", {"item": {"id": "a"}}, "bad-value", ["key id", "taken by another row"]),
    ("insert", {"item": {"id": "x", "content": 3}}, "bad-value", ["key content", "a table"]),
    ("insert", {"item": {"id": "x", "y": 3}}, "bad-value", ["unknown key"]),
    ("insert", {"item": {"id": "x"}, "at": 4}, "bad-value", ["key at", "from 0 to 3"]),
    ("insert", {"item": {"id": "x", "content": {"text": "y" * 16_400}}}, "bad-value",
     ["row x", "16411", "16384"]),
    ("remove", {}, "missing-field", ["key item"]),
    ("remove", {"item": "z"}, "bad-value", ['no row "z"']),
    ("move", {"item": "a"}, "missing-field", ["key at"]),
    ("move", {"item": "a", "at": 3}, "bad-value", ["from 0 to 2"]),
    ("select", {}, "missing-field", ["key row"]),
    ("select", {"item": "z"}, "bad-value", ['no row "z"']),
    ("select", {"item": "a", "row": 0}, "bad-value", ["beside row"])])
def test_a_wrong_command_changes_nothing(
    control: Control, session: str, command: str, fields: dict, code: str, parts: list[str]
):
    control.open(session, listed(FEW))
    topic = f"command/{session}/list"
    error = control.refused("publish", topic=topic, body={"command": command, **fields})
    assert error["code"] == code and all(part in error["message"] for part in parts), error
    assert told(control, session)["version"] == 1 and order(control, session) == list("abc")


@pytest.mark.parametrize("command, fields", [
    ("insert", {"item": {"id": "x"}}), ("remove", {"item": "a"}),
    ("move", {"item": "a", "at": 0}), ("select", {"item": "a"})])
def test_a_number_of_rows_has_no_ids(
    control: Control, session: str, command: str, fields: dict
):
    control.open(session, listed(20))
    error = control.refused(
        "publish", topic=f"command/{session}/list", body={"command": command, **fields})
    assert error["code"] == "bad-value" and "number" in error["message"], error


@pytest.mark.parametrize("parameters, parts", [
    ({"rows": "many"}, ["component list", "key rows", "number", "list"]),
    ({"rows": [{"id": "a"}, {}]}, ["component list, row 2", "key id", "required"]),
    ({"rows": [{"id": "a"}, {"id": "a"}]}, ["component list, row 2", "key id", "taken"]),
    ({"rows": [{"id": "a b"}]}, ["component list, row 1", "key id"]),
    ({"rows": [{"id": "a", "content": []}]}, ["component list, row 1", "key content", "table"]),
    ({"rows": [{"id": "a", "menu": [{}]}]}, ["row 1, action 1", "key id"]),
    ({"rows": [{"id": "a", "extra": 1}]}, ["component list, row 1", 'unknown key "extra"']),
    ({"rows": [{"id": "a"}], "row": {}}, ["component list", "key row"]),
    ({"rows": 3, "row": 4}, ["component list", "key row", "table"]),
    ({"rows": [{"id": "a", "content": {"text": "x" * 16_400}}]},
     ["component list, row a", "content", "16411", "16384"]),
    ({"rows": [{"id": f"r{n}", "content": {"text": "x" * 16_000}} for n in range(17)]},
     ["component list, row r0", "content", "16011", "262144", str(17 * 16_011)]),
    ({"rows": [{"id": f"r{n}"} for n in range(10_001)]}, ["key rows", "10000", "10001"])])
def test_a_wrong_scene_is_told_where(
    control: Control, session: str, parameters: dict, parts: list[str]
):
    error = control.refused("open", session=session, scene=listed(**{"rows_": 1} | {
        "rows_" if key == "rows" else key: value for key, value in parameters.items()}))
    assert error["code"] == "bad-scene", error
    assert all(part in error["message"] for part in parts), error


def test_commands_bring_no_more_content_than_a_scene_may_have(
    control: Control, session: str
):
    control.open(session, listed([
        {"id": f"r{n}", "content": {"text": "x" * 16_000}} for n in range(16)]))
    error = control.refused("publish", topic=f"command/{session}/list", body={
        "command": "insert", "item": {"id": "x", "content": {"text": "x" * 8_000}}})
    assert error["code"] == "bad-value" and "262144" in error["message"], error
    control.command(session, "list", "remove", item="r3")
    control.command(session, "list", "insert", item={"id": "x", "content": {"text": "x" * 8_000}})


# Surviving


def test_an_import_goes_on_with_the_rows_and_their_motion(
    control: Control, session: str
):
    control.open(session, listed(FEW))
    control.command(session, "list", "move", item="c", at=0)
    control.command(session, "list", "insert", at=1, item={"id": "x", "content": {"text": "X"}})
    document = control.export(session)
    version = told(control, session)["version"]
    control.ok("import", session=f"{session}-2", document=document)
    body = told(control, f"{session}-2")
    assert ids(body) == ["c", "x", "a", "b"] and body["version"] == version, body
    control.command(f"{session}-2", "list", "remove", item="a")
    assert order(control, f"{session}-2") == ["c", "x", "b"]


def test_what_commands_made_of_the_rows_survives_a_restart(session: str):
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, listed(LONG))
        control.command(
            session, "list", "insert", at=1, item={
                "id": "x", "content": {"text": "X"}, "menu": [{"id": "m"}]})
        control.command(session, "list", "remove", item="r0")
        control.command(session, "list", "move", item="r399", at=2)
        control.command(session, "list", "select", item="r399")
        before = told(control, session)
        control = daemon.restart()
        after = told(control, session)
        # While rows make place, those that may come into sight are more.
        for body in (before, after):
            del body["rows"][50:]
        assert after == before
        assert ids(before)[:4] == ["x", "r1", "r399", "r2"], before
        assert model(control, session)["selected"] == 2
