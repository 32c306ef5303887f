"""A stage within a page: its buttons click, its wheels scroll, and nothing is lost unsaid."""

from __future__ import annotations

import random
import time

import pytest
from browser import Way
from client import Daemon
from forest import Planter
from hitmodel import hits
from reliability import wait_for
from scenes import dynamics, rows, scene, still, toss
from test_web_touch import LEFT, TOP, sent, staged, wait_sent
from webpage import Page, browser, daemon, page, web

__all__ = ["browser", "daemon", "page", "web"]
# Seconds in which some heartbeats come.
HEARTBEATS = 3.2
# A button and a link on the stage. They count their clicks.
CONTROLS = """
window.clicks = { button: 0, link: 0 };
stage.innerHTML = "<button>Press</button><a href='#there'>Follow</a>";
const [button, link] = stage.children;
for (const [one, left] of [[button, 20], [link, 160]])
    Object.assign(one.style, { position: "absolute", left: `${left}px`, top: "200px",
        width: "100px", height: "60px", display: "block" });
button.addEventListener("click", () => { clicks.button += 1; });
link.addEventListener("click", () => { clicks.link += 1; });
"""
PLACES = {"button": (LEFT + 70, TOP + 230), "link": (LEFT + 210, TOP + 230)}


def clicks(page: Page) -> dict:
    return page.browser.run("return clicks")


def touch(page: Page, kind: str, *point: float) -> None:
    points = [{"x": point[0], "y": point[1], "id": 1}] if point else []
    page.browser.input("Touch", type=kind, touchPoints=points)


def test_a_refused_subscription_is_asked_for_again_and_told_once(page: Page):
    page.browser.until("client.web")
    page.browser.run("""
        window.told = [];
        client.addEventListener("error", ({ detail }) => { told.push(detail.code); });
        window.ends = [];
        for (let number = 1; number < client.web.limits.limit_subscriptions; number++)
            ends.push(client.subscribe(`x/${number}`, () => {}));
        window.heard = [];
        client.subscribe("sync/beyond", topic => heard.push(topic));
    """)
    page.browser.until("told.length === 1")
    # Refused again and again, by now.
    time.sleep(0.5)
    assert page.browser.run("return [told, heard]") == [["busy"], []]
    page.browser.run("ends[0]()")
    page.browser.until("heard.length === 1")
    assert page.browser.run("return told") == ["busy"]


def test_an_error_of_the_bridge_is_an_event_and_else_a_line(page: Page, web: Way):
    page.browser.until("client.web")
    refused = "client.publish('nowhere/alice', {}); await client.request('time')"
    page.browser.run(refused)
    (line,) = page.browser.errors()
    assert "gesture-web refused a message: bad-topic: a topic is" in line
    page.browser.run(
        "window.told = []; client.addEventListener('error', ({ detail }) => {"
        "told.push([detail instanceof web.GesturedError, detail.code, detail.message]); },"
        "{ once: true });" + refused)
    ((is_error, code, message),) = page.browser.run("return told")
    assert is_error and code == "bad-topic" and message.startswith("a topic is")
    assert page.browser.errors() == []
    # The listener is gone: the next one must not vanish.
    page.browser.run(refused)
    (line,) = page.browser.errors()
    assert "bad-topic" in line


@pytest.mark.parametrize("described", [still(), "phone"])
def test_a_page_that_loads_joins_once(page: Page, web: Way, daemon, session: str, described):
    control = daemon.requests()
    control.open(session, described)
    page.browser.run("client.close(); window.client = web.connect()")
    web.up.clear()
    page.watch(session)
    # Until the tips of the phone rest.
    time.sleep(HEARTBEATS)
    asked = [one["session"] for one in web.requests("snapshot")]
    assert asked == [session]
    counts = {kind: len(page.heard(session, kind))
              for kind in ("joined", "scene", "session", "frame")}
    assert (counts["joined"], counts["scene"], counts["session"]) == (1, 1, 1), counts
    if described != "phone":
        assert counts["frame"] == 1, counts
    page.agrees(control, session)


def test_a_sync_of_another_member_makes_nothing_join_again(
    page: Page, web: Way, daemon: Daemon, session: str
):
    """Before a cluster, answers to `sync/` may come from other members than heartbeats."""
    daemon.requests().open(session, still())

    syncs = []

    def held_back(message: dict) -> bool:
        if message.get("topic", "").startswith("sync/"):
            syncs.append({**message, "body": {**message["body"], "epoch": "another"}})
            return False
        return True

    page.browser.run("client.close(); window.client = web.connect()")
    page.browser.until("client.web")
    web.passes = held_back
    web.up.clear()
    page.browser.run("watch(args[0])", session)
    end = time.monotonic() + 2 * HEARTBEATS
    while time.monotonic() < end:
        while syncs:
            web.tell(syncs.pop(0))
        time.sleep(0.01)
    assert page.browser.run("return window[args[0]].joined", session)
    # Once by itself, and once with the first heartbeat.
    assert len(web.requests("snapshot")) <= 2


def test_a_component_has_the_text_of_its_content(page: Page, daemon: Daemon, session: str):
    daemon.requests().open(session, scene(
        toss(content={"text": "Throw me"}), rows(content={"background": "#fff"})))
    page.watch(session)
    layers = {one["component"]: one for one in page.shown(session).layers}
    assert layers["toss"]["text"] == "Throw me" == layers["toss"]["children"][0]["text"]
    assert "text" not in layers["list"]


def test_labels_and_screens_have_the_texts_of_their_states(
    page: Page, daemon: Daemon, session: str
):
    control = daemon.requests()
    screens = [{"name": "dashboard", "title": "Today"}, {"name": "mail", "title": "Mail"},
               {"name": "bare"}]
    control.open(session, scene(
        {"id": "hello", "kind": "label", "text": "Hello", "frame": [0, 0, 99, 20]},
        {"id": "nav", "kind": "navigation", "root": "dashboard", "screens": screens}))
    page.watch(session)

    def texts() -> dict:
        layers = page.shown(session).layers
        return {layer["key"]: layer.get("text") for one in layers for layer in (
            one, *one["children"])}

    assert texts() == {"hello": "Hello", "hello/label": "Hello",
                       "nav": "Today", "nav/dashboard": "Today"}
    for screen, told in [("mail", "Mail"), ("bare", None)]:
        control.command(session, "nav", "present", screen=screen, transition="in-via-scale")
        wait_for(lambda: control.state(session, "nav")["phase"] == "resting", "it is there")
        wait_for(lambda: texts()["nav"] == told, "the page shows it")
        assert texts()[f"nav/{screen}"] == told


def test_a_row_has_the_text_of_its_content(page: Page, daemon: Daemon, session: str):
    control = daemon.requests()
    control.open(session, scene(rows(
        rows=[{"id": name, "content": {"text": name.upper()}} for name in "abc"],
        content={"color": "#111"})))
    page.watch(session)

    def texts() -> list:
        rows_ = page.shown(session).layers[0]["children"]
        return [one.get("text") for one in rows_ if one["view"].startswith("row-")]

    wait_for(lambda: texts() == ["A", "B", "C"], "the rows")
    control.command(session, "list", "insert", at=1, item={"id": "x", "content": {"text": "X"}})
    wait_for(lambda: texts() == ["A", "X", "B", "C"], "the new row")
    assert page.shown(session).layers[0]["children"][0]["content"]["color"] == "#111"


def test_touches_of_a_script_are_sent(page: Page, web: Way, daemon: Daemon, session: str):
    staged(page, web, daemon.requests(), session, scene(toss()))
    page.browser.run(
        "const at = (type, target, clientX, pointerId) => target.dispatchEvent(new PointerEvent("
        "type, { pointerId, clientX, clientY: 230, bubbles: true, pointerType: 'touch' }));"
        "at('pointerdown', stage, 140, 77); at('pointermove', stage, 160, 77);"
        "at('pointermove', document.body, 200, 77); at('pointerup', document.body, 200, 77);"
        "at('pointerdown', stage, 140, 78); at('pointercancel', stage, 140, 78);")
    bodies = wait_sent(web, session, 6)
    assert [(one["phase"], one["x"]) for one in bodies] == [
        ("began", 100), ("changed", 120), ("changed", 160), ("ended", 160),
        ("began", 100), ("cancelled", 100)]
    assert page.browser.errors() == []
    # Both have ended: nothing is repeated.
    time.sleep(1.2)
    assert len(sent(web, session)) == 6


@pytest.mark.parametrize("hand", ["mouse", "touch"])
@pytest.mark.parametrize("what", ["button", "link"])
def test_buttons_and_links_on_a_stage_are_clicked(
    page: Page, web: Way, daemon: Daemon, session: str, what: str, hand: str
):
    staged(page, web, daemon.requests(), session, scene(toss()))
    page.browser.run(CONTROLS)
    x, y = PLACES[what]
    if hand == "mouse":
        page.browser.drag([(x, y), (x + 3, y + 2)])
    else:
        touch(page, "touchStart", x, y)
        touch(page, "touchEnd")
    page.browser.until("clicks[args[0]] === 1", what)
    # The session is touched all the same.
    phases = [one["phase"] for one in wait_sent(web, session, 2)]
    assert (phases[0], phases[-1]) == ("began", "ended")
    web.up.clear()
    # A drag that begins there clicks nothing, and goes on beside the stage.
    if hand == "mouse":
        page.browser.drag([(x, y), (x + 15, y), (x + 60, y + 20), (LEFT + 400, y), (x + 5, y)])
    else:
        touch(page, "touchStart", x, y)
        for step in (15, 40, 90):
            touch(page, "touchMove", x + step, y)
        touch(page, "touchEnd")
    end = time.monotonic() + 10
    while not any(one["phase"] == "ended" for one in sent(web, session)):
        assert time.monotonic() < end, sent(web, session)
        time.sleep(0.02)
    time.sleep(0.3)
    assert clicks(page)[what] == 1
    phases = [one["phase"] for one in sent(web, session)]
    assert phases[0] == "began" and phases[-1] == "ended" and phases.count("ended") == 1
    assert "changed" in phases and "cancelled" not in phases


@pytest.mark.parametrize("first", ["left", "right"])
def test_the_left_button_counts_beside_another_one(
    page: Page, web: Way, daemon: Daemon, session: str, first: str
):
    """A browser tells of a further button of the mouse by `pointermove` alone."""
    staged(page, web, daemon.requests(), session, scene(toss()))
    x, y = LEFT + 160, TOP + 223
    bits, down = {"left": 1, "right": 2}, 0
    for button in (first, "right" if first == "left" else "left"):
        down |= bits[button]
        page.browser.input("Mouse", type="mousePressed", x=x, y=y, button=button, buttons=down,
                           clickCount=1)
    phases = [one["phase"] for one in wait_sent(web, session, 1)]
    assert phases[0] == "began" and "ended" not in phases
    page.browser.input("Mouse", type="mouseReleased", x=x, y=y, button="left", buttons=2,
                       clickCount=1)
    wait_for(lambda: sent(web, session)[-1]["phase"] == "ended", "the left button is up")
    phases = [one["phase"] for one in sent(web, session)]
    assert phases.count("ended") == 1
    page.browser.input("Mouse", type="mouseReleased", x=x, y=y, button="right", buttons=0,
                       clickCount=1)
    page.browser.run("await client.request('time')")
    assert len(sent(web, session)) == len(phases)


def test_a_wheel_over_nothing_scrolls_the_page(page: Page, web: Way, daemon, session: str):
    control = daemon.requests()
    ball = {"id": "ball", "center": [280, 40], "size": [40, 40]}
    staged(page, web, control, session, scene(
        rows(frame=[0, 200, 320, 200], row_height=70),
        dynamics(frame=[0, 0, 320, 100], items=[ball])))
    page.browser.run("document.body.style.height = '5000px'")
    try:
        for x, y in ((160, 500), (280, 40)):
            before = page.browser.run("return scrollY")
            page.browser.input("Mouse", type="mouseWheel", deltaX=0, deltaY=40,
                               x=LEFT + x, y=TOP + y - before)
            page.browser.until("scrollY > args[0]", before)
            page.browser.run("await new Promise((next) => setTimeout(next, 400))")
        assert sent(web, session) == []
        page.browser.run("scrollTo(0, 0)")
        page.browser.input("Mouse", type="mouseWheel", deltaX=0, deltaY=120,
                           x=LEFT + 160, y=TOP + 300)
        (body,) = wait_sent(web, session, 1)
        assert body["dy"] == 120
        page.browser.until("window[args[0]].states.get('list').model.offset === 120", session)
        assert page.browser.run("return scrollY") == 0
        assert not page.heard(session, "rejected")
    finally:
        page.browser.run("scrollTo(0, 0); document.body.style.height = ''")


def test_a_hit_is_found_as_the_document_says(page: Page, web: Way, daemon: Daemon):
    control, rng, found = daemon.requests(), random.Random(21), 0
    for number in range(12):
        name, tree = f"aim{number}", Planter(rng, still=True).plant(rng.randint(3, 12))
        control.open(name, tree.scene)
        for topic, body in tree.events:
            control.publish(topic % name, body)
        page.watch(name)
        page.browser.run("await new Promise((next) => setTimeout(next, 500))")
        picture = page.agrees(control, name).picture
        points = [(rng.uniform(0, 320), rng.uniform(0, 568)) for _ in range(40)]
        answers = page.browser.run(
            "const { scene, states } = window[args[0]];"
            "return args[1].map(([x, y]) => web.hit(scene, states, x, y))", name, points)
        for (x, y), answer in zip(points, answers):
            got = answer and (answer["component"], answer["view"])
            assert got in hits(picture, x, y, 0.002), (name, x, y, got)
            found += answer is not None
        page.browser.run("window[args[0]].close()", name)
    assert found > 100
