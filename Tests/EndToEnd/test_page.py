"""The page's stage in a real browser: hands move views, and every screen shows the same."""

from __future__ import annotations

import signal
import time

import pytest
from client import Control, Daemon
from page import Browser, Page


# Keeps what the page sends.
SENT = """
window.sent = [];
const { send } = WebSocket.prototype;
WebSocket.prototype.send = function (text) {
    sent.push(JSON.parse(text));
    return send.call(this, text);
};
"""


def without_tips(control: Control, session: str, tab: int = 0) -> None:
    """A phone whose tips are dismissed, on one of its pages."""
    control.open(session, "phone")
    control.command(session, "tips", "dismiss")
    control.command(session, "tabs", "select", index=tab)


def test_the_address_of_a_session_opens_it_at_once(
    browser: Browser, control: Control, session: str,
) -> None:
    assert session not in control.sessions()
    browser.open(f"/?session={session}")
    assert session in control.sessions()
    shown = browser.run("return [...document.querySelectorAll('.plate [data-view]')].map("
                        "(one) => `${one.dataset.component}/${one.dataset.view}`)")
    assert {"tabs/bar", "tabs/item-home", "navigation/dashboard"} <= set(shown)
    browser.wait("return document.querySelector('#link').textContent === 'live'")


def test_what_is_nested_lies_in_its_slot_and_what_is_in_front_comes_later(
    browser: Browser, session: str,
) -> None:
    browser.open(f"/?session={session}")
    browser.phase("tips", "resting")
    assert browser.run(
        "const find = (view) => document.querySelector(`.plate [data-view='${view}']`);"
        "return find('page-home').contains(find('dashboard'))"
        " && find('bar').compareDocumentPosition(find('tip'))"
        " === Node.DOCUMENT_POSITION_FOLLOWING")


def test_views_stand_where_the_states_say(
    browser: Browser, control: Control, session: str,
) -> None:
    without_tips(control, session, 2)
    browser.open(f"/?session={session}")
    browser.phase("toss", "resting")
    zoom = browser.run("return gestured.stage.zoom")
    screen, item = browser.box(".plate .screen"), browser.view("toss", "item")
    assert item["x"] - screen["x"] == pytest.approx(33 * zoom, abs=1)
    assert item["y"] - screen["y"] == pytest.approx(137 * zoom, abs=1)
    assert item["width"] == pytest.approx(254 * zoom, abs=1)
    face = '.plate [data-view="item"][data-component="toss"] > .face'
    assert browser.run(
        "const style = getComputedStyle(document.querySelector(arguments[0]));"
        "return [style.backgroundColor, style.color, style.borderRadius]", face) == [
            "rgb(88, 86, 214)", "rgb(255, 255, 255)", "10px"]
    assert "Throw me" in browser.run(
        "return document.querySelector(arguments[0]).textContent", face)


def test_a_real_drag_tosses_the_view_and_it_returns(
    browser: Browser, control: Control, session: str,
) -> None:
    without_tips(control, session, 2)
    browser.open(f"/?session={session}")
    browser.phase("tips", "dismissed")
    before = browser.view("toss", "item")
    # The page itself notes how far the view gets: it is away for less than half a second.
    browser.run(
        "window.farthest = 0;"
        "gestured.stage.session.addEventListener('frame', () => {"
        " const {x, y} = gestured.stage.session.states.get('toss').views.item;"
        " farthest = Math.max(farthest, Math.hypot(x - 160, y - 223)); })")
    browser.throw("toss", "item")
    browser.wait("return farthest > 120")
    browser.shot("toss-thrown")
    browser.phase("toss", "resting")
    browser.wait(
        "const box = document.querySelector('.plate [data-view=\"item\"]"
        "[data-component=\"toss\"]').getBoundingClientRect();"
        "return Math.abs(box.x - arguments[0]) < 1 && Math.abs(box.y - arguments[1]) < 1",
        before["x"], before["y"])


def test_tips_page_and_leave_under_the_mouse(browser: Browser, session: str) -> None:
    browser.open(f"/?session={session}")
    for index in range(3):
        browser.phase("tips", "resting")
        assert browser.state("tips")["model"]["index"] == index
        x, y = browser.view("tips", "tip")["middle"]
        browser.drag([x + 20, y], [x - 150, y + 20], 160)
        browser.phase("tips", "leaving", "entering", "dismissing", "dismissed")
    browser.phase("tips", "dismissed")
    browser.wait("return !document.querySelector('.plate [data-view=\"backdrop\"]')")


def test_a_row_opens_by_touch_and_its_action_is_chosen(
    browser: Browser, control: Control, session: str,
) -> None:
    without_tips(control, session, 1)
    browser.open(f"/?session={session}")
    browser.phase("tips", "dismissed")
    x, y = browser.view("list", "row-2")["middle"]
    browser.drag([x + 80, y], [x - 80, y + 4], 120)
    browser.phase("list", "open")
    browser.shot("row-open")
    action = browser.box('.plate [data-action="thread"]')
    browser.tap(action["middle"])
    browser.wait("return gestured.stage.session.states.get('navigation').model.stack.at(-1)"
                 " === 'thread' && gestured.stage.session.states.get('tabs').model.selected === 0")
    browser.wait("return document.querySelector('.plate [data-view=\"thread\"]')")


def test_rows_show_their_content_and_their_own_menus(
    browser: Browser, control: Control, session: str
) -> None:
    control.open(session, {"viewport": [320, 568], "components": [{
        "id": "list", "kind": "list", "rows": [
            {"id": "soup", "content": {"text": "Soup of the day"}},
            {"id": "bread", "content": {"text": "Bread"}, "menu": [{"id": "toast"}]}],
        "menu": [{"id": "order"}]}]})
    browser.open(f"/?session={session}")
    browser.wait("return document.body.innerText.includes('Soup of the day')")
    control.command(session, "list", "insert", at=0, item={
        "id": "pie", "content": {"text": "Pie"}})
    browser.wait("return document.body.innerText.includes('Pie')")
    control.gesture(session, "list", "swipe", direction="left", row=2)
    browser.wait("return document.querySelector('.plate [data-action=\"toast\"]')")


def test_a_tab_is_chosen_and_a_bubble_comes_and_goes(
    browser: Browser, control: Control, session: str,
) -> None:
    without_tips(control, session)
    browser.open(f"/?session={session}")
    browser.phase("tips", "dismissed")
    browser.tap(browser.view("tabs", "item-popular")["middle"])
    browser.wait("return document.querySelector('.plate [data-view=\"row-3\"]')")
    control.notify(session, "likes", add=4)
    control.notify(session, "comments")
    browser.wait("return document.querySelector('.plate [data-view=\"bubble\"] .face')"
                 "?.getAttribute('aria-label') === '1 comments, 4 likes'")
    browser.wait("return document.querySelector('#badges').textContent.includes('4 likes')")
    browser.shot("bubble")
    browser.tap(browser.view("tabs", "item-news")["middle"])
    browser.wait("return !document.querySelector('.plate [data-view=\"bubble\"]')")


def test_two_browsers_show_the_same_within_a_tenth_of_a_second(
    browser: Browser, page: Page, control: Control, session: str,
) -> None:
    without_tips(control, session, 2)
    watch = (
        "const stage = gestured.stage; window.seen = [];"
        "const face = () => document.querySelector('.plate [data-view=\"item\"]"
        "[data-component=\"toss\"]')?.style.transform;"
        "const look = () => { const now = face(); if (now && now !== seen.at(-1)?.[1])"
        " seen.push([Date.now(), now]); requestAnimationFrame(look); }; look()")
    with Browser(page, 900, 700) as other:
        for one in (browser, other):
            one.open(f"/?session={session}")
            one.phase("tips", "dismissed")
            one.run(watch)
        x, y = browser.view("toss", "item")["middle"]
        browser.drag([x, y], [x + 100, y - 60], 300, lift=False)
        for one in (browser, other):
            one.phase("toss", "dragging")
        time.sleep(0.4)
        rest = [one.run("return seen.at(-1)") for one in (browser, other)]
        browser.mouse("mouseReleased", x + 100, y - 60, buttons=0)
        for one in (browser, other):
            one.phase("toss", "resting")
    assert rest[0][1] == rest[1][1]
    assert abs(rest[0][0] - rest[1][0]) < 100


def test_the_form_opens_sessions_and_gives_the_shown_one_another_scene(
    browser: Browser, control: Control, session: str,
) -> None:
    control.open(f"{session}-dock", "dock")
    browser.open(f"/?session={session}")
    browser.wait("return document.querySelectorAll('#scene option').length === arguments[0]",
                 len(control.ok("scenes")["scenes"]))
    submit = ("document.querySelector('#session').value = arguments[0];"
              "document.querySelector('#scene').value = arguments[1];"
              "document.querySelector('#opener button').click()")
    browser.run(submit, session, "kiosk")
    browser.wait("return gestured.stage.scene.scene === 'kiosk'")
    assert control.snapshot(session)[f"scene/{session}"]["revision"] == 2
    browser.run(submit, f"{session}-dock", "phone")
    browser.wait("return gestured.stage.scene?.scene === 'dock'"
                 " && document.querySelector('#scene').value === 'dock'")
    assert browser.run("return location.search") == f"?session={session}-dock"
    browser.driver.back()
    browser.wait("return gestured.stage.scene?.scene === 'kiosk'")
    browser.run("document.querySelector('#session').dispatchEvent(new FocusEvent('focus'))")
    browser.wait("return [...document.querySelectorAll('#sessions option')]"
                 ".some((one) => one.value === arguments[0])", session)


def test_a_number_for_a_label_stops_nothing(
    browser: Browser, control: Control, session: str,
) -> None:
    control.open(session, {"viewport": [320, 568], "components": [
        {"id": "tabs", "kind": "tabs", "items": [
            {"id": "one", "content": {"label": 5}}, {"id": "two", "content": {"text": 70}}]}]})
    browser.open(f"/?session={session}")
    browser.wait("return [...document.querySelectorAll('.plate .initial')]"
                 ".map((one) => one.textContent).join() === '5,7'")
    control.command(session, "tabs", "select", index=1)
    browser.wait("return document.querySelector('.plate [data-view=\"item-two\"] .face')"
                 ".ariaSelected === 'true'")


def test_content_loads_no_picture(browser: Browser, control: Control, session: str) -> None:
    url = "url(/page/icon.svg?looked)"
    control.open(session, {"viewport": [320, 568], "components": [
        {"id": "tabs", "kind": "tabs", "items": [
            {"id": "one", "content": {"background": url}}, {"id": "two"}],
         "content": {"background": "#123456", "gradient": {
             "color": f"red, blue), {url}, linear-gradient(red"}}}]})
    images = ("return [...document.querySelectorAll('body *')].map((one) =>"
              " getComputedStyle(one).backgroundImage).filter((one) => one.includes('looked'))")
    browser.open(f"/?session={session}")
    browser.wait("return document.querySelector('.plate [data-view=\"item-one\"]')")
    assert browser.run(images) == []
    browser.open(f"/example.html?session={session}",
                 wanted="return document.querySelectorAll('#stage div').length > 4")
    assert browser.run(images) == []


def test_a_picture_that_fails_stops_no_other(browser: Browser, session: str) -> None:
    browser.open(f"/?session={session}")
    browser.run("import('/page/loop.js').then(({each}) => { window.turns = 0;"
                " each(() => { turns += 1; throw new Error('a broken picture'); });"
                " each(() => { window.others = (window.others ?? 0) + 1; }); })")
    browser.wait("return turns > 5 && others > 5")
    before = browser.run("return gestured.stage.drawn")
    browser.run("gestured.client.acknowledged(`command/${arguments[0]}/tips`,"
                " {command: 'dismiss'})", session)
    browser.wait("return gestured.stage.drawn > arguments[0] + 5", before)
    (line,) = browser.console()
    assert "a broken picture" in line


def test_the_form_lists_many_sessions(browser: Browser, control: Control, session: str) -> None:
    names = [f"{session}-{number:03}" for number in range(220)]
    for name in names:
        control.open(name, {"viewport": [100, 100], "components": [{"id": "toss", "kind": "toss"}]})
    try:
        browser.open(f"/?session={session}")
        browser.wait("const all = [...document.querySelectorAll('#sessions option')].map("
                     "(one) => one.value); return arguments[0].every((one) => all.includes(one))",
                     names)
    finally:
        for name in names:
            control.ok("close", session=name)


def test_a_window_scales_the_page_and_never_the_session(
    browser: Browser, control: Control, session: str,
) -> None:
    browser.open(f"/?session={session}")
    browser.phase("tips", "resting")
    zoom = "return gestured.stage.zoom"
    try:
        for path, most in (("", 1.5), ("&alone", 8)):
            browser.resize(1280, 800)
            browser.open(f"/?session={session}{path}")
            before = browser.wait(zoom)
            browser.resize(1100, 620)
            browser.wait(f"{zoom} < arguments[0]", before)
            browser.resize(700, 500)
            time.sleep(0.5)
            box = browser.box(".plate .screen")
            assert box["width"] <= 700 and box["height"] <= 500 and browser.run(zoom) <= most
            assert box["width"] / box["height"] == pytest.approx(320 / 568, rel=0.02)
            # Nothing of it reaches those who watch the session, too.
            scene = control.snapshot(session)[f"scene/{session}"]
            assert (scene["viewport"], scene["revision"]) == ([320, 568], 1)
    finally:
        browser.resize(1280, 800)


def test_a_session_is_resized_by_a_button_and_back_by_another(
    browser: Browser, control: Control, session: str,
) -> None:
    browser.open(f"/?session={session}")
    click = "document.querySelector(arguments[0]).click()"
    assert browser.run("return document.querySelector('#undo-resize').hidden")
    browser.run(click, "#resize")
    browser.wait("return gestured.stage.scene.viewport[0] !== 320")
    scene = control.snapshot(session)[f"scene/{session}"]
    assert scene["viewport"][0] > 320 and scene["revision"] == 2
    browser.wait("return !document.querySelector('#undo-resize').hidden")
    browser.run(click, "#undo-resize")
    browser.wait("return String(gestured.stage.scene.viewport) === '320,568'")
    browser.wait("return document.querySelector('#undo-resize').hidden")
    # The button takes back the size of this session, and of no other.
    browser.run(click, "#resize")
    browser.wait("return !document.querySelector('#undo-resize').hidden")
    browser.run("document.querySelector('#session').value = arguments[0];"
                "document.querySelector('#opener button').click()", f"{session}-other")
    browser.wait("return gestured.stage.session.name === arguments[0] && gestured.stage.scene",
                 f"{session}-other")
    assert browser.run("return document.querySelector('#undo-resize').hidden")


def test_the_timeline_keeps_its_canvas_between_pictures(browser: Browser, session: str) -> None:
    try:
        browser.resize(1280, 800, 1.25)
        browser.open(f"/?session={session}")
        # Setting a canvas's height makes it anew, also where the height stays.
        browser.run(
            "window.made = window.pictures = 0; const canvas = document.querySelector('.timeline');"
            "const {get, set} = Object.getOwnPropertyDescriptor("
            "HTMLCanvasElement.prototype, 'height');"
            "Object.defineProperty(canvas, 'height', {get: () => get.call(canvas),"
            " set: (value) => { made += 1; set.call(canvas, value); }});"
            "const pen = canvas.getContext('2d'), {clearRect} = pen;"
            "pen.clearRect = (...box) => { pictures += 1; clearRect.call(pen, ...box); }")
        browser.wait("return pictures > 20")
        assert browser.run("return made") <= 1
    finally:
        browser.resize(1280, 800)


def test_a_read_only_page_says_so_and_moves_nothing(
    daemon: Daemon, control: Control, session: str,
) -> None:
    without_tips(control, session, 2)
    with Page(daemon, "--read-only") as page, Browser(page) as browser:
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=SENT)
        browser.open(f"/?session={session}")
        browser.wait("return document.querySelector('#link').textContent.includes('read only')")
        x, y = browser.view("toss", "item")["middle"]
        browser.drag([x, y], [x + 80, y], 100)
        browser.wait("return document.querySelector('#caption').textContent.includes('read only')")
        browser.shot("read-only")
        assert browser.run("return sent.length > 0")
        assert not browser.run("return sent.filter((one) => 'topic' in one)")
        assert control.state(session, "toss")["phase"] == "resting"


def test_the_page_heals_when_the_daemon_is_killed_and_started(session: str) -> None:
    with Daemon(ports=False, arguments=list(endpoints(session))) as daemon:
        with Page(daemon) as page, Browser(page) as browser:
            browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=SENT)
            browser.open(f"/?session={session}")
            browser.phase("tips", "resting")
            daemon.stop(signal.SIGKILL)
            browser.wait("return document.querySelector('#link').textContent.includes('waiting')"
                         " && document.querySelector('#caption').textContent.includes('away')")
            # A hand that moves on does not count as one that floods.
            browser.run("sent.length = 0")
            x, y = browser.box(".plate .screen")["middle"]
            browser.drag([x, y], [x + 80, y], 100)
            assert not browser.run("return sent.filter((one) => 'topic' in one)")
            daemon.restart()
            browser.wait("return document.querySelector('#link').textContent === 'live'"
                         " && gestured.stage.session.epoch.startsWith(arguments[0])",
                         daemon.epoch)
            browser.phase("tips", "resting", "dismissed", "presenting", "entering")
            daemon.requests().command(session, "tabs", "select", index=2)
            browser.wait("return document.querySelector('.plate [data-view=\"item\"]')")


def endpoints(name: str):
    """Fixed places for one daemon, so that it returns where it was."""
    for socket in ("events", "updates", "control"):
        yield f"--{socket}"
        yield f"ipc:///tmp/gestured-page-{name}-{time.monotonic_ns()}-{socket}"
