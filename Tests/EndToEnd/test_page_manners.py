"""The page at rest, when the daemon is away, on other screens, by keyboard."""

from __future__ import annotations

import time

import pytest
from client import Control
from page import Browser, Page
from reliability import wait_for
from selenium.webdriver.common.keys import Keys

# A list whose rows open.
LIST = {"viewport": [320, 568], "components": [
    {"id": "list", "kind": "list", "rows": 20, "row_height": 70, "menu": [
        {"id": "thread"}, {"id": "hide"}]}]}
# Counts the pictures that the page asks for.
PICTURES = """
window.asked = 0;
const ask = window.requestAnimationFrame;
window.requestAnimationFrame = (task) => { window.asked += 1; return ask(task); };
"""
# Names what has the focus: its view, or its own name.
FOCUSED = """
const one = document.activeElement, view = one.closest("[data-view]")?.dataset.view;
return one.dataset.action ?? view ?? (one.id || one.className || one.tagName);
"""


@pytest.fixture
def browser(browser: Browser) -> Browser:
    browser.renew()
    return browser


def test_chances_are_parts_of_one_and_every_screen_has_a_wireframe(
    browser: Browser, control: Control, session: str,
) -> None:
    control.open(session, {"viewport": [320, 568], "components": [
        {"id": "navigation", "kind": "navigation", "root": "screen0"}]})
    browser.open(f"/?session={session}")
    low, high, some = browser.run(
        "return import('/page/dom.js').then(({chance}) => {"
        " const all = Array.from({length: 2000}, (_, n) => chance(`text ${n}`));"
        " return [Math.min(...all), Math.max(...all), all.filter((one) => one < 0.5).length]; })")
    assert 0 <= low < 0.01 and 0.99 < high < 1 and 800 < some < 1200
    for number in range(1, 9):
        control.command(session, "navigation", "present", screen=f"screen{number}",
                        transition="in-via-scale")
        browser.wait("const {phase, model} = gestured.stage.session.states.get('navigation');"
                     "return phase === 'resting' && model.stack.at(-1) === arguments[0]",
                     f"screen{number}")
        assert browser.box(f".plate [data-view='screen{number}'] > .face")
        assert not browser.run("return document.querySelector('.nav-undefined')")


# A table that cannot become a word.
NO_WORD = {"toString": 0, "valueOf": 0}


@pytest.mark.parametrize("component", [
    {"kind": "button", "content": {"text": NO_WORD, "image": NO_WORD, "label": NO_WORD}},
    {"kind": "list", "row_height": 50, "rows": [
        {"id": "a", "content": {"text": "row", "detail": [NO_WORD], "image": NO_WORD}}]},
    {"kind": "list", "row_height": 50, "rows": 2,
     "content": {"rows": [NO_WORD, {"text": NO_WORD}]}},
    {"kind": "profile", "content": {"posts": [NO_WORD], "about": NO_WORD}},
    {"kind": "reader", "pages": ["a", "b"], "content": {"articles": [NO_WORD]}},
    {"kind": "tabs", "items": [{"id": "x", "content": {"text": NO_WORD, "image": NO_WORD}}],
     "content": {"gradient": {"color": NO_WORD, "height": NO_WORD}}},
    {"kind": "navigation", "root": "one", "content": {
        "screens": {"one": {"text": NO_WORD, "background": NO_WORD, "font_size": NO_WORD}}}},
    {"kind": "toss", "content": {"image": NO_WORD, "background": NO_WORD}}])
def test_content_that_is_no_word_blanks_nothing(
    browser: Browser, control: Control, session: str, component: dict,
) -> None:
    control.open(session, {"viewport": [320, 568], "components": [
        {"id": "strange", "frame": [0, 0, 320, 300], **component},
        {"id": "good", "kind": "button", "frame": [0, 400, 320, 60], "content": {"text": "good"}}]})
    browser.open(f"/?session={session}")
    browser.wait("return [...document.querySelectorAll('.plate .face')].some("
                 "  (face) => face.textContent === 'good')")
    assert browser.run("return document.querySelectorAll('.plate .face').length") > 1


@pytest.mark.parametrize("width", [901, 960, 1080, 1170, 1180, 1280, 1400])
def test_no_button_lies_under_the_log(browser: Browser, session: str, width: int) -> None:
    browser.resize(width, 800)
    browser.open(f"/?session={session}")
    browser.wait("return document.querySelectorAll('.machines .button').length > 8")
    covered = browser.run(
        "const log = document.querySelector('.log').getBoundingClientRect();"
        "return [...document.querySelectorAll('.machines .button, .machines input')].filter("
        " (one) => { const box = one.getBoundingClientRect();"
        " return box.right > log.left && box.left < log.right && box.bottom > log.top"
        " && box.top < log.bottom; }).map((one) => one.textContent)")
    assert covered == []
    desk = browser.box(".desk")
    assert browser.run("return document.querySelector('.machines').scrollWidth") <= desk["width"]
    browser.shot(f"desk-{width}")


def test_the_focus_stays_where_it_is_or_goes_to_the_stage(
    browser: Browser, control: Control, session: str,
) -> None:
    control.open(session, "phone")
    browser.open(f"/?session={session}")
    browser.phase("tips", "resting")
    focus = "document.querySelector(`.plate [data-view='${arguments[0]}'] > .face`).focus()"
    browser.run(focus, "tip")
    control.command(session, "tips", "dismiss")
    browser.phase("tips", "dismissed")
    browser.wait("return !document.querySelector('.plate [data-view=\"tip\"]')")
    assert browser.run(FOCUSED) == "screen"
    control.open(f"{session}-button", {"viewport": [320, 568], "components": [
        {"id": "order", "kind": "button"}]})
    browser.open(f"/?session={session}-button")
    browser.wait("return document.querySelector('.plate [data-view=button] > .face')")
    browser.run(focus, "button")
    control.command(f"{session}-button", "order", "disable")
    browser.phase("order", "disabled")
    browser.wait("return document.activeElement === document.querySelector('.plate .screen')")
    browser.open(f"/?session={session}")
    browser.phase("tips", "dismissed")
    for tab in ("popular", "share", "home", "news"):
        browser.run(focus, f"item-{tab}")
        browser.keys(Keys.ENTER)
        browser.wait("const {model, phase} = gestured.stage.session.states.get('tabs');"
                     "return phase === 'resting' && !model.items.some((one) => one.highlighted)"
                     " && model.items[model.selected].id === arguments[0]", tab)
        time.sleep(0.2)
        assert browser.run(FOCUSED) == f"item-{tab}"


COVERED = {"viewport": [320, 568], "components": [
    {"id": "list", "kind": "list", "rows": 20, "row_height": 140},
    {"id": "tabs", "kind": "tabs", "items": [{"id": "a"}, {"id": "b"}], "height": 100}]}


def test_a_row_whose_middle_is_covered_is_tapped_where_it_is_seen(
    browser: Browser, control: Control, session: str,
) -> None:
    control.open(session, COVERED)
    browser.open(f"/?session={session}")
    # The bar covers the last 100 points, and so the middle of the row from 420 to 560.
    browser.wait("return document.querySelector('.plate [data-view=row-3] > .face')")
    browser.run("document.querySelector('.plate [data-view=row-3] > .face').focus()")
    browser.keys(Keys.ENTER)
    browser.wait("return gestured.stage.session.states.get('list').model.selected === 3")
    assert browser.run("return gestured.stage.session.states.get('tabs').model.selected") == 0


SHEET = {"viewport": [320, 568], "components": [
    {"id": "sheet", "kind": "panel", "size": [320, 400], "anchors": [
        {"name": "low", "at": 500}, {"name": "middle", "at": "50%"}, {"name": "high", "at": 168}]}]}


def test_a_panel_is_moved_by_keys(browser: Browser, control: Control, session: str) -> None:
    control.open(session, SHEET)
    browser.open(f"/?session={session}")
    face = "document.querySelector('.plate [data-view=panel] > .face')"
    browser.wait(f"return {face}")
    browser.run(f"{face}.focus()")
    for key, anchor, now in ((Keys.ARROW_UP, "middle", "50"), (Keys.ARROW_UP, "high", "100"),
                             (Keys.ARROW_DOWN, "middle", "50"), (Keys.ENTER, "high", "100"),
                             (Keys.ENTER, "low", "0")):
        browser.keys(key)
        browser.wait(
            f"const face = {face}; return face.ariaValueText === arguments[0]"
            " && face.ariaValueNow === arguments[1] && document.activeElement === face",
            anchor, now)


def test_a_command_keeps_the_focus(browser: Browser, control: Control, session: str) -> None:
    control.open(session, {"viewport": [320, 568], "components": [
        {"id": "label", "kind": "label", "text": "Hello"}]})
    browser.open(f"/?session={session}")
    button = "document.querySelector('.machines .commands .button')"
    browser.wait(f"return {button}?.textContent === 'Hide'")
    browser.run(f"{button}.focus()")
    browser.keys(Keys.ENTER)
    browser.wait(f"return {button}.textContent === 'Show'")
    assert browser.run("return document.activeElement.textContent") == "Show"


def test_a_rows_actions_follow_the_row(browser: Browser, control: Control, session: str) -> None:
    control.open(session, LIST)
    browser.open(f"/?session={session}")
    control.gesture(session, "list", "swipe", direction="left", row=2)
    browser.phase("list", "open")
    browser.wait("return document.querySelector('.plate [data-action]')")
    browser.run("document.querySelector('.plate .screen').focus()")
    way = []
    for _ in range(6):
        browser.keys(Keys.TAB)
        way.append(browser.run(FOCUSED))
    assert way == ["row-0", "row-1", "row-2", "thread", "hide", "row-3"]
    # The menu still lies behind its row.
    depth = ("return Number(getComputedStyle(document.querySelector("
             "`.plate [data-view='${arguments[0]}']`)).zIndex)")
    assert browser.run(depth, "menu") < browser.run(depth, "row-2")
    browser.shot("row-menu")


def asked_a_second(browser: Browser) -> float:
    """Pictures that the page asks for in a second, by the page's clock, over two seconds."""
    return browser.driver.execute_async_script(
        "const done = arguments[0], former = asked, start = performance.now();"
        "setTimeout(() => done((asked - former) * 1000 / (performance.now() - start)), 2000);")


def test_at_rest_the_page_draws_nothing(browser: Browser, control: Control, session: str) -> None:
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=PICTURES)
    control.open(session, LIST)
    browser.open(f"/?session={session}")
    # The timeline's marks drift on, four times a second, until they have left it.
    wait_for(lambda: asked_a_second(browser) <= 6, "only the marks are drawn", 20)
    wait_for(lambda: asked_a_second(browser) <= 0.5, "nothing is drawn", 40)
    assert not browser.run("return document.getAnimations().length")
    drawn = browser.run("return gestured.stage.drawn")
    control.gesture(session, "list", "swipe", direction="left", row=1)
    browser.wait("return gestured.stage.drawn > arguments[0] + 3", drawn)


# A card that lies on the floor, and so touches it for ever.
LYING = {"viewport": [320, 568], "components": [
    {"id": "world", "kind": "dynamics", "items": [
        {"id": "card", "center": [160, 530], "size": [60, 60]}], "behaviors": [
        {"id": "down", "kind": "gravity", "items": ["card"]},
        {"id": "floor", "kind": "collision", "items": ["card"], "bounds": True}]}]}


def test_what_touches_at_rest_is_drawn_no_more(
    browser: Browser, control: Control, session: str,
) -> None:
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", source=PICTURES)
    control.open(session, LYING)
    browser.open(f"/?session={session}")
    browser.phase("world", "resting")
    browser.run("window.told = []; gestured.stage.session.addEventListener('transition',"
                " ({detail}) => { if (detail.name === 'contact') told.push(detail.event); })")
    control.command(session, "world", "add-velocity", item="card", dx=0, dy=-500)
    browser.wait("return told.length > 1")
    browser.phase("world", "resting")
    # The transition goes on, and its band fills the timeline.
    assert browser.run("return told.at(-1)") == "began"
    wait_for(lambda: asked_a_second(browser) == 0, "nothing is drawn", 40)
    assert browser.run("return told.at(-1)") == "began"


@pytest.mark.parametrize("width, height", [
    (1280, 600), (1280, 457), (960, 340), (800, 360), (360, 457)])
def test_in_a_low_window_the_buttons_are_in_sight(
    browser: Browser, control: Control, session: str, width: int, height: int,
) -> None:
    control.open(session, "phone")
    browser.resize(width, height)
    browser.open(f"/?session={session}")
    browser.wait("return document.querySelector('#link').textContent === 'live'")
    # With the one that takes a resize back, and a long message.
    browser.run("document.querySelector('#resize').click()")
    browser.wait("return !document.querySelector('#undo-resize').hidden")
    browser.run("document.querySelector('#caption').textContent = 'It is refused. '.repeat(12)")
    unseen = browser.run(
        "return [...document.querySelectorAll('#tools .button')].filter((one) => {"
        " const {left, right, top, bottom} = one.getBoundingClientRect();"
        " const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);"
        " return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight"
        "  || !one.contains(seen); }).map((one) => one.id)")
    assert unseen == []
    browser.shot(f"low-{width}-{height}")
    stage = browser.box(".plate .device")
    assert stage["height"] > 100 and 0 <= stage["x"], stage
    assert stage["x"] + stage["width"] <= browser.box("#traces")["x"]


def hints(browser: Browser, text: str) -> None:
    """Waits until the line under the stage says this, and sees that it goes on saying so."""
    said = "return document.querySelector('#caption').textContent === arguments[0]"
    browser.wait(said, text)
    # A heartbeat comes each second.
    time.sleep(1.2)
    assert browser.run(said, text)


@pytest.mark.parametrize("component, text, command", [
    ({"kind": "tips", "tips": [{}]}, "Drag the card aside and let go.", {"command": "dismiss"}),
    ({"kind": "button"}, "Tap it, or hold it.", {"command": "disable"}),
    ({"kind": "reader", "pages": 2}, "Pull up past the end for the next page.",
     {"command": "next"}),
    ({"kind": "panel", "anchors": [{"name": "open", "at": "50%"}, {"name": "out", "at": "100%"}]},
     "Drag it from one place to the next.", {"command": "go", "to": "out"}),
    ({"kind": "navigation", "root": "one"}, "", None),
    ({"kind": "list", "rows": 20, "side": "none"}, "Fling the rows.", None),
    ({"kind": "list", "rows": 2}, "Swipe a row aside.", None),
    ({"kind": "list", "rows": 0}, "", None),
    ({"kind": "tips", "tips": [{}], "presented": False}, "", None)])
def test_a_hint_stands_only_while_a_hand_can_do_it(
    browser: Browser, control: Control, session: str, component: dict, text: str,
    command: dict | None,
) -> None:
    control.open(session, {"viewport": [320, 568], "components": [{"id": "one", **component}]})
    browser.open(f"/?session={session}")
    hints(browser, text)
    if command:
        control.publish(f"command/{session}/one", command)
        hints(browser, "")


def test_a_hint_leaves_with_its_cards_also_while_a_recording_plays(
    browser: Browser, control: Control, session: str,
) -> None:
    control.open(session, "phone")
    browser.open(f"/?session={session}")
    hints(browser, "Drag the card aside and let go.")
    # Without a caption: a hand that dismisses the cards, and goes on for a while.
    browser.run("gestured.tape.read(arguments[0])", "\n".join([
        '{"gesture-recording":1,"scene":"phone"}',
        '{"t":0,"topic":"command/a/tips","body":{"command":"dismiss"}}',
        '{"t":9000,"topic":"notification/a","body":{"kind":"likes"}}']))
    browser.wait("return gestured.stage.session.name.startsWith('page-replay-a')")
    hints(browser, "Tap it, or hold it.")
    assert browser.run("return gestured.tape.isPlaying")


def test_without_the_bridge_nothing_looks_alive(
    daemon, control: Control, session: str,
) -> None:
    control.open(session, LIST)
    with Page(daemon) as page, Browser(page) as browser:
        browser.open(f"/?session={session}")
        browser.wait("return !document.body.classList.contains('is-away')")
        look = ("return [getComputedStyle(document.querySelector('.plate .screen')).filter,"
                " ...['.machines', '#opener', '#cards', '#resize'].map((name) =>"
                " document.querySelector(name).inert)]")
        assert browser.run(look) == ["none", False, False, False, False]
        page.end()
        browser.wait("return document.body.classList.contains('is-away')")
        filtered, *inert = browser.run(look)
        assert "grayscale" in filtered and inert == [True] * 4
        browser.wait("return document.querySelector('#caption').textContent.includes('is lost')")
        browser.wait("return getComputedStyle(document.querySelector('.machines')).opacity < 0.5")
        browser.shot("away")
        # A broken connection is told by the browser, too.
        browser.console()
        browser.driver.get("about:blank")
        browser.console()


def test_forced_colors_show_what_is_pressed(browser: Browser, session: str) -> None:
    browser.open(f"/?session={session}")
    browser.devtools("Emulation.setEmulatedMedia", features=[
        {"name": "forced-colors", "value": "active"}])
    look = ("const style = getComputedStyle(document.querySelector(arguments[0]));"
            "return [style.backgroundColor, style.color, style.borderBottomColor]")
    browser.run("document.querySelector('#traces').ariaPressed === 'true'"
                " || document.querySelector('#traces').click()")
    pressed = browser.run(look, "#traces")
    browser.run("document.querySelector('#traces').click()")
    assert browser.run(look, "#traces")[:2] != pressed[:2]
    assert browser.run(look, "#tab-watch") != browser.run(look, "#tab-edit")
    browser.shot("forced-colors")


def swipe(browser: Browser, x: float, y: float) -> None:
    """A finger that goes up, and lifts."""
    for number in range(12):
        browser.devtools("Input.dispatchTouchEvent", type="touchMove" if number else "touchStart",
                         touchPoints=[{"x": x, "y": y - 12 * number, "id": 1}])
        time.sleep(0.016)
    browser.devtools("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])


@pytest.mark.parametrize("width, height", [(360, 640), (412, 915)])
def test_a_telephone_scrolls_the_page(
    browser: Browser, control: Control, session: str, width: int, height: int,
) -> None:
    control.open(session, "phone")
    browser.devtools("Emulation.setTouchEmulationEnabled", enabled=True)
    browser.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=True)
    browser.open(f"/?session={session}")
    box = browser.box(".plate .screen")
    # There is room for a finger beside the stage, and one sees that the page goes on.
    assert box["x"] >= 24 and box["x"] + box["width"] <= width - 24
    assert browser.box("#desk")["y"] < height - 40
    browser.shot(f"telephone-{width}")
    x, y = box["x"] / 2, box["middle"][1]
    swipe(browser, x, y)
    browser.wait("return scrollY > 60")
    # A card in the gallery is passed by: a finger that goes up or down scrolls the page.
    browser.run("document.querySelector('[data-card=\"list\"]').scrollIntoView("
                "{block: 'center', behavior: 'instant'})")
    browser.wait("return document.querySelector('[data-card=\"list\"] [data-view=\"row-0\"]')")
    before = browser.run("return scrollY")
    swipe(browser, *browser.box('[data-card="list"] .screen')["middle"])
    browser.wait("return scrollY > arguments[0] + 60", before)
