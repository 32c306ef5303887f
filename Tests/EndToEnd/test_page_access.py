"""The page for everybody: an audit by axe-core, the keyboard alone, less motion, narrow windows."""

from __future__ import annotations

import pytest
from client import Control
from page import Browser
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def browser(browser: Browser) -> Browser:
    browser.renew()
    return browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_the_audit_finds_nothing(
    browser: Browser, control: Control, session: str, scheme: str, width: int,
) -> None:
    browser.prefer(scheme, "reduce")
    browser.resize(width, 800)
    browser.open(f"/?session={session}")
    browser.phase("tips", "resting")
    assert not (found := browser.audit()), "\n".join(found)
    control.command(session, "tips", "dismiss")
    control.notify(session, "likes", add=3)
    browser.phase("tips", "dismissed")
    for tab in range(5):
        control.command(session, "tabs", "select", index=tab)
        browser.phase("tabs", "resting")
        if tab == 1:
            control.gesture(session, "list", "swipe", direction="left", row=1)
            browser.phase("list", "open")
        browser.wait(f"return gestured.stage.session.states.get('tabs').model.selected === {tab}")
        assert not (found := browser.audit()), f"tab {tab}\n" + "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_audit_finds_nothing_on_the_desk(
    browser: Browser, session: str, scheme: str,
) -> None:
    browser.prefer(scheme, "reduce")
    browser.open(f"/?session={session}")
    browser.phase("tips", "resting")
    for sheet, seen in [("edit", "#scene-text"), ("record", "#record")]:
        browser.run("document.querySelector(arguments[0]).click()", f"#tab-{sheet}")
        browser.box(seen)
        if sheet == "edit":
            browser.wait("return document.querySelector('#scene-text').value.length > 100")
        assert not (found := browser.audit()), f"{sheet}\n" + "\n".join(found)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_audit_finds_nothing_in_the_gallery_and_on_the_wall(
    browser: Browser, session: str, scheme: str,
) -> None:
    browser.prefer(scheme, "reduce")
    browser.open(f"/?session={session}")
    for card in ("list", "dock", "cradle"):
        browser.run("document.querySelector(`[data-card='${arguments[0]}']`).scrollIntoView()",
                    card)
        browser.wait("return document.querySelector("
                     "`[data-card='${arguments[0]}'] [data-view]`)", card)
    assert not (found := browser.audit()), "\n".join(found)
    browser.open(f"/?session={session}&alone")
    assert not (found := browser.audit()), "\n".join(found)
    browser.open(f"/?sessions={session},{session}-b", wanted=(
        "return gestured.stages.every((one) => one.drawn > 0)"))
    assert not (found := browser.audit()), "\n".join(found)


@pytest.mark.parametrize("width", [360, 768, 1280, 1920])
def test_nothing_lies_beside_the_window(browser: Browser, session: str, width: int) -> None:
    browser.resize(width, 800)
    browser.open(f"/?session={session}")
    assert browser.run("return document.documentElement.scrollWidth") <= width
    box = browser.box(".plate .device")
    assert 0 <= box["x"] and box["x"] + box["width"] <= width


def focused(browser: Browser) -> str:
    return browser.run(
        "const one = document.activeElement; return one.getAttribute('aria-label')"
        " || one.id || one.textContent.trim().slice(0, 40)")


def walk_to(browser: Browser, name: str, most: int = 90) -> None:
    """Tabs on until the focus is on what has this name."""
    way = []
    for _ in range(most):
        if (here := focused(browser)) == name:
            return
        way.append(here)
        browser.keys(Keys.TAB)
    raise AssertionError(f"no {name} on the way {way}")


def test_all_of_it_can_be_done_by_keyboard_alone(
    browser: Browser, control: Control, session: str,
) -> None:
    browser.open(f"/?session={session}")
    browser.phase("tips", "resting")
    walk_to(browser, "Skip to the stage")
    browser.keys(Keys.ENTER)
    for _ in range(3):
        browser.phase("tips", "resting")
        walk_to(browser, browser.wait(
            "return document.querySelector('.plate [data-view=\"tip\"] > .face')?.ariaLabel"))
        index = browser.state("tips")["model"]["index"]
        browser.keys(Keys.ARROW_LEFT)
        browser.wait("const tips = gestured.stage.session.states.get('tips');"
                     "return tips.model.index > arguments[0] || tips.phase === 'dismissed'", index)
    browser.phase("tips", "dismissed")
    walk_to(browser, "Popular")
    browser.keys(Keys.ENTER)
    browser.wait("return gestured.stage.session.states.get('tabs').model.selected === 1")
    walk_to(browser, "Emmy Noether")
    browser.keys(Keys.ARROW_LEFT)
    browser.phase("list", "open")
    walk_to(browser, "Show the thread")
    browser.keys(Keys.ENTER)
    browser.wait("return gestured.stage.session.states.get('navigation').model.stack.length === 2")
    walk_to(browser, "Today")
    browser.keys(Keys.ENTER)
    browser.wait("return gestured.stage.session.states.get('navigation').model.stack.length === 1")
    walk_to(browser, "Popular")
    browser.keys(Keys.ENTER)
    walk_to(browser, "Caroline Herschel")
    before = browser.state("list")["model"]["offset"]
    browser.keys(Keys.ARROW_DOWN)
    browser.wait("return gestured.stage.session.states.get('list').model.offset > arguments[0]",
                 before)
    walk_to(browser, "Share")
    browser.keys(Keys.SPACE)
    walk_to(browser, "A picture to throw")
    browser.note_transitions()
    browser.keys(Keys.ARROW_UP)
    browser.wait("return begun.includes('toss')")
    walk_to(browser, "tab-watch")
    browser.keys(Keys.ARROW_RIGHT)
    assert focused(browser) == "tab-edit"
    browser.box("#scene-text")


def test_who_wants_less_motion_gets_no_play_by_itself(browser: Browser, session: str) -> None:
    browser.prefer("light", "reduce")
    browser.open(f"/?session={session}")
    browser.run("document.querySelector('[data-card=\"tabs\"]').scrollIntoView()")
    browser.wait("return document.querySelector('[data-card=\"tabs\"] [data-view=\"bar\"]')")
    assert not browser.run("return document.querySelector('.is-playing')")
    assert not browser.run("return document.querySelector('.card .screen [tabindex]')")
    assert browser.run("return document.querySelector('#traces').ariaPressed") == "false"
    beat = "return getComputedStyle(document.querySelector('.link i')).animationName"
    assert browser.run(beat) == "none"


def test_what_is_behind_cards_cannot_be_reached(browser: Browser, session: str) -> None:
    browser.open(f"/?session={session}")
    browser.phase("tips", "resting")
    stops = "return [...document.querySelectorAll('.plate .screen [tabindex=\"0\"]')].length"
    assert browser.run(stops) == 1
    browser.run("gestured.client.acknowledged(`command/${arguments[0]}/tips`,"
                "{command: 'dismiss'})", session)
    browser.phase("tips", "dismissed")
    browser.wait(stops.replace("return", "return 5 <=") + "")


def test_badges_and_refusals_are_told_to_those_who_listen(
    browser: Browser, control: Control, session: str,
) -> None:
    browser.open(f"/?session={session}")
    control.notify(session, "likes", add=2)
    browser.wait("return document.querySelector('#badges').textContent === 'Badges: 2 likes'")
    browser.run("gestured.client.publish(`command/${arguments[0]}/reader`,"
                "{command: 'previous'})", session)
    browser.wait("return document.querySelector('#badges').textContent.startsWith('Refused')")
    assert browser.run("return document.querySelector('.log .is-refused')?.textContent")
