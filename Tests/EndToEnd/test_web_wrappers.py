"""The `pointer-events` of elements around, over and in a stage, and its touches."""

from __future__ import annotations

import time

import pytest
from browser import Way
from client import Daemon
from scenes import rows, scene
from test_web_touch import LEFT, TOP, sent, staged, wait_sent
from webpage import Page, browser, daemon, page, web

__all__ = ["browser", "daemon", "page", "web"]
# A wrapper with a button, where `place` says: around the stage, over it or in it.
WRAPPER = """
const [place, events, own] = args;
const wrapper = document.createElement("div"), button = document.createElement("button");
Object.assign(wrapper.style, { position: "absolute", left: 0, top: 0, width: "500px",
    height: "700px", pointerEvents: events });
Object.assign(button.style, { position: "absolute", left: "100px", top: "200px", width: "100px",
    height: "60px", pointerEvents: own });
window.clicks = 0;
button.addEventListener("click", () => { clicks += 1; });
stage.style.pointerEvents = place === "around" ? own : "";
if (place === "around") { document.body.append(wrapper); wrapper.append(stage); }
if (place === "over") { document.body.append(wrapper); wrapper.append(button); }
if (place === "in") { stage.append(wrapper); wrapper.append(button); }
"""
BUTTON = (110, 210)
EMPTY = (20, 500)
# The place of the wrapper, its `pointer-events`, that of the button (of the stage, where the
# wrapper is around it); whether the stage is touched beside the button, and at it; and whether the
# button is clicked.
WRAPPERS = [
    ("around", "", "", True, True, 0),
    ("around", "none", "", False, False, 0),
    ("around", "none", "auto", True, True, 0),
    ("over", "", "", False, False, 1),
    ("over", "none", "", True, True, 0),
    ("over", "none", "auto", True, False, 1),
    ("in", "", "", True, True, 1),
    ("in", "none", "", True, True, 0),
    ("in", "none", "auto", True, True, 1),
]


@pytest.mark.parametrize("place, events, own, beside, at, clicks", WRAPPERS)
def test_wrappers_pass_touches_as_the_page_says(
    page: Page, web: Way, daemon: Daemon, session: str, place: str, events: str, own: str,
    beside: bool, at: bool, clicks: int
):
    staged(page, web, daemon.requests(), session, scene(rows()))
    page.browser.run(WRAPPER, place, events, own)
    for point, is_touched in ((EMPTY, beside), (BUTTON, at)):
        web.up.clear()
        x, y = LEFT + point[0], TOP + point[1]
        page.browser.drag([(x, y), (x + 3, y + 2)])
        page.browser.input("Mouse", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=5)
        if is_touched:
            bodies = wait_sent(web, session, 3)
            gestures = {one["gesture"] for one in bodies}
            until = time.monotonic() + 10
            while gestures != {"pointer", "wheel"} and time.monotonic() < until:
                time.sleep(0.01)
                gestures = {one["gesture"] for one in sent(web, session)}
            assert gestures == {"pointer", "wheel"}, (point, bodies)
        else:
            time.sleep(0.4)
            assert sent(web, session) == [], point
        # A wheel is not turned on after another at the same place.
        page.browser.input("Mouse", type="mouseMoved", x=600, y=650)
    page.browser.until("clicks === args[0]", clicks)
