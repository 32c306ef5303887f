"""Touching a session in a real browser, and the example page."""

from __future__ import annotations

import json
import pathlib
import random
import re
import time

import pytest
from browser import ELSEWHERE, FILES, Browser, Way
from client import REPOSITORY, Control, Daemon
from forest import Planter
from hitmodel import hits
from scenes import rows, scene, toss
from tool import ctl
from webpage import Page, SETUP, browser, daemon, difference, page, web

__all__ = ["browser", "daemon", "page", "web"]
# A stage that is shown at half size, beside the page's corner.
STAGE = """
document.body.replaceChildren();
const stage = window.stage = document.createElement("div");
Object.assign(stage.style, { position: "absolute", left: "40px", top: "30px", width: "320px",
    height: "568px", background: "#ddd", transformOrigin: "0 0", transform: `scale(${args[1]})` });
document.body.append(stage);
window.release = web.capture(stage, client, args[0]);
"""
LEFT, TOP = 40, 30
# Whether the example's elements are all at the same place for a while.
RESTS = """await (async () => {
    const places = () => JSON.stringify([...document.querySelectorAll("#stage div")].map(
        (one) => [one.style.cssText, one.getBoundingClientRect()]));
    const before = places();
    await new Promise((next) => setTimeout(next, 200));
    return before === places();
})()"""
PICTURES = REPOSITORY / ".build" / "pictures"


def staged(page: Page, web: Way, control: Control, session: str, described: dict, zoom: float = 1):
    control.open(session, described)
    page.watch(session)
    page.browser.run(STAGE, session, zoom)
    web.up.clear()


def sent(web: Way, session: str) -> list[dict]:
    return [one["body"] for one in list(web.up) if one.get("topic") == f"gesture/{session}"]


def wait_sent(web: Way, session: str, count: int) -> list[dict]:
    end = time.monotonic() + 10
    while len(sent(web, session)) < count and time.monotonic() < end:
        time.sleep(0.01)
    return sent(web, session)


@pytest.mark.parametrize("zoom", [1, 0.5, 1.3])
def test_a_mouse_drags_what_lies_under_it(
    page: Page, web: Way, daemon: Daemon, session: str, zoom: float
):
    control = daemon.requests()
    staged(page, web, control, session, scene(toss(return_delay=3)), zoom)
    points = [(100, 200), (130, 230), (150, 260), (160, 280)]
    page.browser.drag([(LEFT + x * zoom, TOP + y * zoom) for x, y in points], 0.05)
    bodies = wait_sent(web, session, 5)
    assert [one["phase"] for one in bodies][:1] + [one["phase"] for one in bodies][-1:] == [
        "began", "ended"]
    for body, (x, y) in zip(bodies, [*points, points[-1]]):
        assert abs(body["x"] - x) < 1 / zoom and abs(body["y"] - y) < 1 / zoom, body
    assert len({body["pointer"] for body in bodies}) == 1
    times = [body["t"] for body in bodies]
    assert times == sorted(times) and abs(times[-1] / 1000 - time.time()) < 5
    page.browser.until(
        "window[args[0]].heard.some(([type, detail]) => type === 'frame' &&"
        "detail.states.some(({ phase }) => phase === 'dragging'))", session)
    assert not page.heard(session, "rejected")


def test_the_right_button_and_a_mere_move_touch_nothing(page: Page, web, daemon, session: str):
    staged(page, web, daemon.requests(), session, scene(toss()))
    spot = {"x": LEFT + 100, "y": TOP + 200}
    page.browser.input("Mouse", type="mouseMoved", **spot)
    for kind in ("mousePressed", "mouseReleased"):
        page.browser.input("Mouse", type=kind, button="right", clickCount=1, **spot)
    page.browser.input("Mouse", type="mouseMoved", x=LEFT + 120, y=TOP + 200)
    page.browser.run("client.publish(`gesture/${args[0]}`, { gesture: 'wheel', dy: 0 })", session)
    assert [one["gesture"] for one in wait_sent(web, session, 1)] == ["wheel"]


def test_fingers_touch_each_for_itself_and_rest(page: Page, web: Way, daemon, session: str):
    staged(page, web, daemon.requests(), session, scene(toss()))
    one = {"x": LEFT + 50, "y": TOP + 200, "id": 1}
    two = {"x": LEFT + 150, "y": TOP + 220, "id": 2}
    page.browser.input("Touch", type="touchStart", touchPoints=[one])
    page.browser.input("Touch", type="touchStart", touchPoints=[one, two])
    page.browser.input("Touch", type="touchMove", touchPoints=[one, two | {"y": TOP + 260}])
    bodies = wait_sent(web, session, 7)
    assert len({body["pointer"] for body in bodies}) == 2
    # Contacts that rest are repeated.
    assert {body["pointer"] for body in bodies[-2:]} == {body["pointer"] for body in bodies[:2]}
    page.browser.input("Touch", type="touchEnd", touchPoints=[])
    ended = [one for one in wait_sent(web, session, len(bodies) + 2) if one["phase"] == "ended"]
    assert len(ended) == 2
    count = len(sent(web, session))
    time.sleep(1.2)
    assert len(sent(web, session)) == count


def test_a_page_of_an_insecure_host_is_touched(page: Page, web: Way, daemon, session: str):
    page.browser.open(web.url.replace("127.0.0.1", ELSEWHERE) + "gestured.js")
    page.browser.run(SETUP)
    assert page.browser.run("return [isSecureContext, 'getCoalescedEvents' in "
                            "PointerEvent.prototype]") == [False, False]
    staged(page, web, daemon.requests(), session, scene(toss()))
    page.browser.drag([(LEFT + 100, TOP + 200), (LEFT + 130, TOP + 230)])
    phases = [body["phase"] for body in wait_sent(web, session, 3)]
    assert phases[:1] + phases[-1:] == ["began", "ended"]


@pytest.mark.parametrize("how", ["touch", "release"])
def test_a_contact_that_breaks_off_is_cancelled(page: Page, web, daemon, session: str, how: str):
    staged(page, web, daemon.requests(), session, scene(toss()))
    point = {"x": LEFT + 50, "y": TOP + 200, "id": 1}
    page.browser.input("Touch", type="touchStart", touchPoints=[point])
    if how == "touch":
        page.browser.input("Touch", type="touchCancel", touchPoints=[])
    else:
        page.browser.run("release()")
    assert [one["phase"] for one in wait_sent(web, session, 2)] == ["began", "cancelled"]
    if how == "release":
        page.browser.input("Touch", type="touchEnd", touchPoints=[])
    assert page.browser.run("return stage.style.touchAction") == (
        "none" if how == "touch" else "")


def test_a_wheel_turns_in_points(page: Page, web: Way, daemon: Daemon, session: str):
    staged(page, web, daemon.requests(), session, scene(rows(row_height=70)))
    spot = {"x": LEFT + 160, "y": TOP + 300}
    page.browser.input("Mouse", type="mouseWheel", deltaX=0, deltaY=120, **spot)
    (body,) = wait_sent(web, session, 1)
    assert (body["gesture"], body["dx"], body["dy"]) == ("wheel", 0, 120)
    assert "phase" not in body and abs(body["x"] - 160) < 1
    page.browser.until("window[args[0]].states.get('list').model.offset === 120", session)
    page.browser.run(
        "for (const deltaMode of [1, 2]) stage.dispatchEvent(new WheelEvent('wheel',"
        "{ deltaY: 2, deltaMode, cancelable: true, clientX: 100, clientY: 100 }));"
        "stage.dispatchEvent(new WheelEvent('wheel', { deltaY: 9, ctrlKey: true }));")
    assert [one["dy"] for one in wait_sent(web, session, 3)[1:]] == [32, 1136]


def test_a_line_of_a_wheel_log_is_a_line_of_the_page(tmp_path: pathlib.Path):
    turn = {"deltaX": 0, "deltaY": 2, "deltaMode": 1, "timeStamp": 1}
    (tmp_path / "lines.json").write_text(json.dumps({"wheelEvents": [turn]}))
    converted = ctl("convert", tmp_path / "lines.json")
    assert converted.returncode == 0, converted
    (moved,) = [line["body"]["dy"] for line in map(json.loads, converted.stdout.splitlines())
                if line.get("body", {}).get("gesture") == "wheel"]
    (unit,) = re.findall(r"POINTS_PER_LINE = (\d+);", (FILES / "gestured.js").read_text())
    assert moved == 2 * int(unit)


def test_touches_of_random_trees_go_where_the_document_says(page: Page, web: Way, daemon: Daemon):
    control, rng, touched = daemon.requests(), random.Random(11), 0
    for number in range(8):
        name, tree = f"touch{number}", Planter(rng, still=True).plant(rng.randint(3, 12))
        staged(page, web, control, name, tree.scene)
        for topic, body in tree.events:
            control.publish(topic % name, body)
        page.browser.run("await new Promise((next) => setTimeout(next, 700))")
        for _ in range(6):
            x, y = rng.randint(0, 319), rng.randint(0, 567)
            web.up.clear()
            page.browser.input("Mouse", type="mousePressed", x=LEFT + x, y=TOP + y,
                               button="left", clickCount=1)
            page.browser.input("Mouse", type="mouseReleased", x=LEFT + x, y=TOP + y,
                               button="left", clickCount=1)
            body = wait_sent(web, name, 2)[0]
            before = page.agrees(control, name).picture
            hit = control.ok("hit", session=name, x=body["x"], y=body["y"])["hit"]
            got = hit and (hit["component"], hit["view"])
            # A scene that moved meanwhile proves nothing.
            if not difference(before, page.agrees(control, name).picture):
                assert got in hits(before, x, y, 0.002), (x, y, body, got)
                touched += hit is not None
        page.browser.run("release(); window[args[0]].close()", name)
    assert touched > 10


def test_the_example_draws_a_phone_that_can_be_touched(page: Page, web: Way, browser: Browser):
    lines = [(FILES / name).read_text().splitlines() for name in ("example.html", "example.js")]
    assert sum(map(len, lines)) <= 100
    gateway = web.gateway.url
    browser.open(f"{gateway}example.html?session=friend")
    browser.until("document.querySelectorAll('#stage div').length > 8")
    browser.until("document.body.innerText.includes(\"Don't Blink\")")
    PICTURES.mkdir(parents=True, exist_ok=True)
    browser.screenshot(PICTURES / "example-tips.png")
    stage = browser.run("const { x, y } = document.querySelector('#stage')"
                        ".getBoundingClientRect(); return [x, y]")

    def at(x: float, y: float) -> tuple[float, float]:
        return stage[0] + x, stage[1] + y

    # Three tips leave to the left.
    for title in ("Explore", "Take in the Moment", ""):
        browser.until(RESTS)
        browser.drag([at(280 - 25 * step, 300) for step in range(11)], 0.03)
        browser.until("document.body.innerText.includes(args[0])", title)
    browser.until("!document.body.innerText.includes('Take in the Moment')")
    browser.drag([at(160, 550), at(160, 550)])
    browser.until("document.body.innerText.includes('Throw me')")
    browser.until(RESTS)
    browser.screenshot(PICTURES / "example-toss.png")
    place = ("[...document.querySelectorAll('#stage div')]"
             ".find((one) => one.firstChild?.data === 'Throw me').getBoundingClientRect()")
    rest = browser.run(f"return {place}.x")
    browser.drag([at(160 + 8 * step, 220) for step in range(10)])
    browser.until(f"{place}.x > args[0] + 20", rest)
    browser.screenshot(PICTURES / "example-drag.png")
    browser.until(f"Math.abs({place}.x - args[0]) < 0.1", rest)
    assert browser.errors() == []
    browser.open(web.url + "gestured.js")
    browser.run(SETUP)


def test_the_page_of_the_readme_draws(page: Page, web: Way, daemon: Daemon):
    readme = (FILES / "README.md").read_text()
    script = readme.partition("```js\n")[2].partition("```")[0]
    names, _, body = script.partition(' from "./gestured.js";\n')
    assert names.startswith("import {") and "requestAnimationFrame" in body
    page.browser.run(
        "document.body.innerHTML = '<main id=stage></main>';"
        "window.painted = []; const paint = (_, list) => painted.push(list);"
        f'{names.replace("import", "const")} = await import("/gestured.js"); {body}')
    page.browser.until("window.painted.at(-1)?.length > 1")
    assert page.browser.run("return painted.at(-1).map(({ key }) => key)") == ["tabs", "tips"]
