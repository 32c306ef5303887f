"""How the page draws bars of screens, lists and panels, and what it shows alone."""

from __future__ import annotations

import pytest
from client import Control
from page import Browser
from selenium.webdriver.common.keys import Keys

STACK = "return gestured.stage.session.states.get('nav').model.stack.join(' ')"
# A screen's bar as it is shown: the title, the word that leads back, arrows, the grip's name.
BAR = """
const face = document.querySelector(`.plate [data-view="${arguments[0]}"] > .face`);
const bar = face?.querySelector('.nav-bar');
return face && [
    bar?.querySelector('strong').textContent ?? null,
    bar?.querySelector('.nav-back')?.textContent ?? null,
    face.querySelectorAll('.nav-back svg').length,
    face.querySelector('[data-back]')?.getAttribute('aria-label') ?? null,
];
"""


@pytest.fixture
def browser(browser: Browser) -> Browser:
    browser.renew()
    return browser


def stacked(
    browser: Browser, control: Control, session: str, root: dict, upper: dict, **more: object,
) -> list:
    """The bar of a screen that lies above a root, as it is shown."""
    screens = [{"name": "low", **root}, {"name": "high", **upper}]
    control.open(session, {"viewport": [320, 568], "language": "de", "components": [
        {"id": "nav", "kind": "navigation", "root": "low", "screens": screens, **more}]})
    control.command(session, "nav", "present", screen="high", transition="in-from-right",
                    duration=0)
    browser.open(f"/?session={session}")
    browser.wait(f"{STACK} === 'low high'")
    return browser.wait(BAR, "high")


TITLES = {"title": {"en": "Today", "de": "Heute"}}


@pytest.mark.parametrize("root, upper, more, bar", [
    (TITLES, {"title": "Mail"}, {}, ["Mail", "Heute", 1, "Heute"]),
    (TITLES, {}, {}, ["", "Heute", 1, "Heute"]),
    # A word of ours would be in one language: an arrow alone.
    ({}, {"title": "Post"}, {}, ["Post", "", 1, "Back"]),
    # A scene without titles has no bar.
    ({}, {}, {}, [None, None, 0, "Back"]),
    ({}, {}, {"pop_edge": 0}, [None, None, 0, None]),
    # No finger at the edge leads back, so no key does.
    (TITLES, {"title": "Mail"}, {"pop_edge": 0}, ["Mail", "Heute", 1, None]),
])
def test_a_bar_shows_the_titles_that_the_scene_gives(
    browser: Browser, control: Control, session: str, root: dict, upper: dict, more: dict,
    bar: list,
) -> None:
    assert stacked(browser, control, session, root, upper, **more) == bar


def test_without_a_bar_the_grip_shows_with_the_focus_and_leads_back(
    browser: Browser, control: Control, session: str,
) -> None:
    # A list on the screen covers its edge.
    stacked(browser, control, session, {}, {})
    control.publish(f"command/{session}", {"command": "update", "scene": {
        "viewport": [320, 568], "components": [
            {"id": "nav", "kind": "navigation", "root": "low",
             "screens": [{"name": "low"}, {"name": "high"}]},
            {"id": "rows", "kind": "list", "in": "nav/high", "rows": 40}]}})
    browser.wait("return document.querySelector('.plate [data-component=rows]')")
    opacity = "return getComputedStyle(document.querySelector('[data-back]')).opacity"
    assert browser.run(opacity) == "0"
    browser.keys(Keys.TAB)
    for _ in range(40):
        if browser.run("return document.activeElement.dataset.back === ''"):
            break
        browser.keys(Keys.TAB)
    assert browser.run(opacity) == "0.5"
    browser.keys(Keys.ENTER)
    browser.wait(f"{STACK} === 'low'")


def test_a_navigation_without_screens_offers_no_grip_that_does_nothing(
    browser: Browser, control: Control, session: str,
) -> None:
    for edge, count in ((20, 1), (0, 0)):
        control.ok("open", session=session, replace=True, scene={
            "viewport": [320, 568], "components": [
                {"id": "nav", "kind": "navigation", "root": "low", "pop_edge": edge}]})
        control.command(session, "nav", "present", screen="high", transition="in-from-right",
                        duration=0)
        browser.open(f"/?session={session}")
        browser.wait(f"{STACK} === 'low high'")
        browser.wait("return document.querySelector('.plate [data-view=high]')")
        assert browser.run("return document.querySelectorAll('[data-back]').length") == count


def test_a_list_fills_its_frame_and_its_selected_row_has_the_color_of_its_words(
    browser: Browser, control: Control, session: str,
) -> None:
    rows = [{"id": name, "content": {"text": name}} for name in ("a", "b")]
    shown = {"kind": "list", "rows": rows, "row_height": 50}
    look = {"background": "#102030", "color": "#f0e0d0"}
    control.open(session, {"viewport": [320, 568], "components": [
        {"id": "menu", "frame": [0, 0, 320, 280], "content": look, **shown},
        {"id": "gone", "frame": [0, 280, 320, 280], "content": {**look, "hidden": True}, **shown}]})
    control.command(session, "menu", "select", item="b")
    browser.open(f"/?session={session}")
    part = ("return getComputedStyle(document.querySelector("
            "`.plate .part[data-component=${arguments[0]}]`)).backgroundColor")
    assert browser.wait(part, "menu") == "rgb(16, 32, 48)"
    assert browser.run(part, "gone") == "rgba(0, 0, 0, 0)", "it is not drawn"
    shade = browser.wait("const face = document.querySelector('.face.row.is-selected');"
                         "return face && getComputedStyle(face).boxShadow")
    # A part of the color of the words, as in pictures.
    assert "0.09" in shade and "inset" in shade
    assert "240, 224, 208" in shade or "0.941176 0.878431 0.815686" in shade


def test_a_panel_out_of_sight_casts_no_shadow_on_the_edge(
    browser: Browser, control: Control, session: str,
) -> None:
    control.open(session, {"viewport": [320, 568], "components": [
        {"id": "sheet", "kind": "panel", "size": [320, 300], "anchors": [
            {"name": "closed", "at": "100%"}, {"name": "open", "at": 268}]}]})
    browser.open(f"/?session={session}")
    look = ("const face = document.querySelector('.plate [data-view=panel] > .face');"
            "const shadow = face && getComputedStyle(face).boxShadow;")
    assert browser.wait(f"{look} return shadow") == "none"
    control.command(session, "sheet", "go", to="open")
    browser.wait(f"{look} return shadow !== 'none'")
    control.command(session, "sheet", "go", to="closed")
    browser.wait(f"{look} return shadow === 'none'")


def test_alone_there_is_nothing_but_the_session(
    browser: Browser, control: Control, session: str,
) -> None:
    browser.open(f"/?session={session}&alone")
    browser.phase("tips", "resting")
    seen = browser.run(
        "return [...document.querySelectorAll('a, button, input, select, textarea, .below *')]"
        ".filter((one) => one.checkVisibility()).map((one) => one.id || one.className)")
    assert seen == []
    control.command(session, "tips", "dismiss")
    browser.phase("tips", "dismissed")
    assert browser.run("return !gestured.stage.trails.on && gestured.stage.trails.isClear")
    there = browser.run("return location.href")
    browser.keys(Keys.ESCAPE)
    for _ in range(30):
        browser.keys(Keys.TAB, Keys.ENTER)
        assert browser.run("return location.href") == there, "a guest stays"
    # The address without `alone` is the way back.
    browser.open(f"/?session={session}")
    assert browser.box("#whole") and browser.run("return gestured.stage.trails.on")
