"""`touches/<session>`: every screen can draw all hands, unless it may not know them."""

from __future__ import annotations

import pathlib

import pytest
from client import Control, Daemon, Publisher, Subscriber, Update
from keys import ALL, Keys, table
from page import Browser
from scenes import rows, scene, still, toss
from schemas import expect, of_update
from test_key_files import reload
from tool import Tool

# The colors of contacts, as the contract lists them.
COLORS = ("#3b82f6", "#ef4444", "#22c55e", "#f59e0b", "#8b5cf6", "#06b6d4", "#ec4899", "#a3e635",
          "#b45309", "#64748b")


def contact(phase: str, pointer: int, x: float, y: float, **fields: object) -> dict:
    return {"gesture": "pointer", "phase": phase, "pointer": pointer, "x": x, "y": y, **fields}


def pointers(body: dict) -> list[int]:
    return [touch["pointer"] for touch in body.get("touches", [])]


def wait_touches(updates: Subscriber, topic: str, wanted: list[int]) -> Update:
    """The next update of a topic that has these contacts."""
    return updates.until(
        lambda it: it.topic == topic and "touches" in it.body and pointers(it.body) == wanted,
        f"{wanted} on {topic}")[-1]


def test_all_hands_are_told_and_their_leaving(
    daemon: Daemon, control: Control, publisher: Publisher, session: str,
):
    control.open(session, scene(toss()))
    assert f"touches/{session}" not in control.snapshot(session)
    updates = daemon.subscriber(f"touches/{session}", f"frame/{session}")
    publisher.send(f"gesture/{session}", contact(
        "began", 1, 10, 20, kind="pen", pressure=0.25, user="anna"))
    publisher.send(f"gesture/{session}/toss", contact("began", 2, 160, 223))
    told = wait_touches(updates, f"touches/{session}", [1, 2])
    expect(of_update(told.topic), told.body)
    first, second = told.body["touches"]
    assert first == {"pointer": 1, "x": 10, "y": 20, "kind": "pen", "pressure": 0.25,
                     "user": "anna", "color": "#a3e635"}
    assert second.keys() == {"pointer", "x", "y", "kind", "color"} and second["color"] in COLORS
    frame = wait_touches(updates, f"frame/{session}", [1, 2])
    expect(of_update(frame.topic), frame.body)
    assert frame.body["touches"] == told.body["touches"]
    # The snapshot has them, on their topic and in its frame.
    shown = control.snapshot(session)
    assert shown[f"touches/{session}"]["touches"] == told.body["touches"]
    assert shown[f"frame/{session}"]["touches"] == told.body["touches"]
    publisher.send(f"gesture/{session}", contact("changed", 1, 30, 40))
    moved = updates.until(
        lambda it: it.topic == f"touches/{session}" and it.body["touches"][0]["x"] == 30)[-1]
    assert "pressure" not in moved.body["touches"][0], "the last sample says none"
    assert moved.body["touches"][0]["user"] == "anna" and pointers(moved.body) == [1, 2]
    publisher.send(f"gesture/{session}/toss", contact("ended", 2, 160, 223))
    wait_touches(updates, f"frame/{session}", [1])
    publisher.send(f"gesture/{session}", contact("cancelled", 1, 30, 40))
    wait_touches(updates, f"frame/{session}", [])
    left = updates.during(0.4)
    assert [it for it in left if "touches" in it.body and it.topic.startswith("frame/")] == []
    assert control.snapshot(session)[f"touches/{session}"]["touches"] == []


def test_a_finger_that_moves_is_told_once_a_frame(
    daemon: Daemon, control: Control, publisher: Publisher, session: str,
):
    control.open(session, scene(toss(), frame_rate=30))
    updates = daemon.subscriber(f"touches/{session}")
    publisher.send(f"gesture/{session}", contact("began", 1, 0, 10))
    got = []
    for number in range(200):
        publisher.send(f"gesture/{session}", contact("changed", 1, number, 10))
        got += updates.during(0.005)
    # The first one may answer the subscription, and comes between two frames.
    times = [it.t for it in got if it.topic == f"touches/{session}"][1:]
    assert len(times) > 5
    assert all(later - earlier > 33 for earlier, later in zip(times, times[1:])), times


def test_a_contact_that_falls_silent_is_gone(
    daemon: Daemon, control: Control, publisher: Publisher, session: str,
):
    control.open(session, scene(toss()))
    updates = daemon.subscriber(f"touches/{session}")
    publisher.send(f"gesture/{session}", contact("began", 1, 10, 20))
    landed = wait_touches(updates, f"touches/{session}", [1])
    lost = wait_touches(updates, f"touches/{session}", [])
    assert 2_900 < lost.t - landed.t < 3_100


def test_a_subscriber_gets_what_is_down(
    daemon: Daemon, control: Control, session: str,
):
    control.open(session, scene(toss()))
    first = daemon.subscriber(f"touches/{session}").find(f"touches/{session}")
    assert first.body["touches"] == []
    control.publish(f"gesture/{session}", contact("began", 7, 10, 20, user="ben"))
    second = daemon.subscriber(f"touches/{session}")
    touch, = wait_touches(second, f"touches/{session}", [7]).body["touches"]
    assert touch["user"] == "ben"
    control.publish(f"gesture/{session}", contact("ended", 7, 10, 20))


def test_points_are_of_the_viewport(control: Control, session: str):
    """A contact on the topic of a component is in the coordinates of that."""
    control.open(session, scene(rows(frame=[40, 30, 200, 200])))
    control.gesture(session, "list", "pointer", "began", pointer=1, x=100, y=90)
    touch, = control.snapshot(session)[f"touches/{session}"]["touches"]
    assert (touch["x"], touch["y"]) == (140, 120)
    control.gesture(session, "list", "pointer", "ended", pointer=1, x=100, y=90)


def test_a_contact_that_is_refused_is_none(control: Control, session: str):
    control.open(session, still())
    assert control.code(f"gesture/{session}/tabs", contact("began", 1, -400, -400)) == "bad-value"
    assert f"touches/{session}" not in control.snapshot(session)


# MARK: The configuration


def test_the_configuration_turns_it_off_and_a_reload_on():
    with Daemon("touches = false\n") as daemon:
        control, updates = daemon.requests(), daemon.subscriber("touches/", "frame/", "touches/a")
        control.open("a", scene(toss()))
        control.publish("gesture/a", contact("began", 1, 10, 20, user="anna"))
        control.publish("gesture/a", contact("changed", 1, 50, 20))
        assert [it for it in updates.during(0.4) if "touches" in it.text] == []
        assert "touches/a" not in control.snapshot("a")
        text = daemon.config.read_text(encoding="utf-8")
        daemon.config.write_text(text.replace("touches = false", "touches = true"))
        reload(daemon)
        wait_touches(updates, "touches/a", [1])
        daemon.config.write_text(text)
        reload(daemon)
        wait_touches(updates, "touches/a", [])


# MARK: Grants


@pytest.fixture
def keys(tmp_path: pathlib.Path) -> Keys:
    keys = Keys(tmp_path / "keys")
    for name in ("boss", "wall", "sign", "left", "right"):
        keys.add(name)
    return keys


def test_a_grant_withholds_the_contacts(keys: Keys):
    """A reader without them gets all else of the session, and no hole in its frames."""
    reads = {"read": ["table"], "control": "own"}
    tables = (table("boss", **ALL) + table("wall", **reads)
              + table("sign", **reads, touches=False))
    with Daemon(keys.config(tables)) as daemon:
        boss = keys.client(daemon, "boss")
        control, publisher = boss.requests(), boss.publisher()
        control.open("table", scene(toss()))
        wall, sign = keys.client(daemon, "wall"), keys.client(daemon, "sign")
        seen = wall.subscriber("touches/table", "frame/table")
        unseen = sign.subscriber("touches/table", "frame/table")
        assert wall.updates != sign.updates
        publisher.send("gesture/table", contact("began", 1, 10, 20, user="anna"))
        wait_touches(seen, "touches/table", [1])
        wait_touches(seen, "frame/table", [1])
        publisher.send("gesture/table/toss", contact("began", 2, 160, 223))
        publisher.send("gesture/table/toss", contact("changed", 2, 190, 223))
        # Sequences without holes are checked with each update.
        got = unseen.until(lambda it: any(
            state["phase"] == "dragging" for state in it.body.get("states", [])))
        got += unseen.during(0.3)
        assert got and all(it.topic == "frame/table" for it in got), got
        assert not [it for it in got if "touches" in it.text or "anna" in it.text]
        mine, others = sign.requests().snapshot("table"), wall.requests().snapshot("table")
        assert "touches/table" not in mine and "touches" not in mine["frame/table"]
        assert pointers(others["touches/table"]) == [1, 2]
        assert pointers(others["frame/table"]) == [1, 2]


def test_who_reads_everything_but_the_contacts_reads_apart(keys: Keys):
    tables = table("boss", **ALL) + table("sign", **ALL, touches=False)
    with Daemon(keys.config(tables)) as daemon:
        boss, sign = keys.client(daemon, "boss"), keys.client(daemon, "sign")
        control = boss.requests()
        control.open("table", scene(toss()))
        updates = sign.subscriber("")
        assert sign.updates not in daemon.updates.split(",")
        control.publish("gesture/table", contact("began", 1, 10, 20))
        control.notify("table", "likes")
        got = updates.until(lambda it: it.topic == "badge/table") + updates.during(0.3)
        assert not [it for it in got if "touches" in it.text]


@pytest.mark.parametrize("names", [("left", "right"), ("right", "left")])
def test_a_color_is_its_publishers(keys: Keys, names: tuple[str, str]):
    """By the names of clients, whatever runs, comes first or has the same numbers."""
    tables = table("boss", **ALL) + "".join(
        table(name, publish=["table"], control="own") for name in names)
    with Daemon(keys.config(tables)) as daemon:
        control = keys.client(daemon, "boss").requests()
        control.open("table", scene(toss()))
        colors = {}
        for number, name in enumerate(names):
            client = keys.client(daemon, name)
            client.requests().publish("gesture/table", contact("began", number, 10, 20))
            updates = keys.client(daemon, "boss").subscriber("touches/table")
            client.publisher().send("gesture/table", contact("began", number + 9, 10, 20))
            touches = updates.until(lambda it: number + 9 in pointers(it.body))[-1]
            own = {it["color"] for it in touches.body["touches"] if it["pointer"] % 9 == number}
            assert len(own) == 1, "asked for an answer or not"
            colors[name] = own.pop()
    assert colors == {"left": COLORS[0], "right": COLORS[5]}


# MARK: Users in reactions


def test_a_reaction_names_the_user(control: Control, session: str):
    reaction = {"when": {"component": "toss", "transition": "tap"},
                "do": {"variable": "winner", "set": "$user"}}
    control.open(session, scene(toss(), variables={"winner": "-"}, reactions=[reaction]))

    def tap(**fields: object) -> str:
        for phase in ("began", "ended"):
            control.publish(f"gesture/{session}", contact(phase, 1, 160, 223, **fields))
            fields = {}
        return control.snapshot(session)[f"variables/{session}"]["values"]["winner"]

    assert tap(user="anna") == "anna"
    assert tap() == "", "nobody says who it was"


# MARK: Tools and the page


def test_gesturectl_prints_them(daemon: Daemon, control: Control, session: str):
    control.open(session, scene(toss()))
    control.publish(f"gesture/{session}", contact("began", 1, 10, 20, kind="pen", user="anna"))
    with Tool(daemon, "watch", f"touches/{session}", "--count", 1) as tool:
        out, _ = tool.process.communicate(timeout=30)
    assert b"anna pen (10, 20)" in out, out


def test_the_page_draws_the_hands_of_others(
    browser: Browser, control: Control, publisher: Publisher, session: str,
):
    control.open(session, scene(toss()))
    browser.open(f"/?session={session}")
    browser.wait("return gestured.stage.session?.joined")
    publisher.send(f"gesture/{session}", contact("began", 1, 40, 60, user="anna"))
    browser.wait("return document.querySelector('.hand b')?.textContent === 'anna'")
    across, color = browser.run(
        "const hand = document.querySelector('.hand');"
        "return [hand.getBoundingClientRect().width / gestured.stage.zoom,"
        "getComputedStyle(hand).borderTopColor]")
    assert abs(across - 44) < 0.5 and color == "rgb(163, 230, 53)"
    publisher.send(f"gesture/{session}", contact("ended", 1, 40, 60))
    browser.wait("return !document.querySelector('.hand')")


def test_a_page_says_who_touches_it(
    browser: Browser, daemon: Daemon, control: Control, session: str,
):
    control.open(session, scene(toss()))
    updates = daemon.subscriber(f"touches/{session}")
    browser.open(f"/?session={session}&user=carla")
    browser.wait("return gestured.stage.session?.joined")
    browser.run(
        "const {screen} = gestured.stage, box = screen.getBoundingClientRect();"
        "const at = {clientX: box.x + 20, clientY: box.y + 20, pointerId: 3, bubbles: true,"
        "pointerType: 'touch', button: 0, buttons: 1, isPrimary: true};"
        "screen.dispatchEvent(new PointerEvent('pointerdown', at));")
    touch, = updates.until(lambda it: bool(it.body["touches"]))[-1].body["touches"]
    assert touch["user"] == "carla" and touch["kind"] == "finger"
    browser.wait("return document.querySelector('.hand b')?.textContent === 'carla'")
    assert browser.run("return document.querySelectorAll('.ring').length") == 1
    browser.run("window.dispatchEvent(new PointerEvent('pointerup', {pointerId: 3}))")
    updates.until(lambda it: it.body["touches"] == [])
