"""The page's cards play by hand and by recording, and many sessions show side by side."""

from __future__ import annotations

import contextlib
import time

import pytest
from client import Control
from page import Browser, Page

CARDS = ["tips", "toss", "navigation", "profile", "list", "reader", "tabs", "button", "label",
         "panel", "dock", "notifications", "cradle", "sheet"]


@pytest.fixture(scope="module")
def opened(page: Page):
    with Browser(page) as browser:
        browser.prefer("light", "reduce")
        browser.open("/?session=gallery")
        yield browser


def show(browser: Browser, card: str) -> str:
    """Scrolls to a card, and waits until it shows its session; gives the session's name."""
    browser.run("document.querySelector(`[data-card='${arguments[0]}']`)"
                ".scrollIntoView({block: 'center'})", card)
    return browser.wait(
        "const card = gestured.cards.find((one) => one.name === arguments[0]);"
        "return card.stage.drawn > 0 && card.element.querySelector('[data-view]')"
        " && card.session", card)


@pytest.mark.parametrize("card", CARDS)
def test_a_card_plays_its_recording_with_captions(browser: Browser, card: str) -> None:
    show(browser, card)
    selector = f'[data-card="{card}"]'
    text = browser.run("return document.querySelector(arguments[0]).textContent",
                       f"{selector} .card-caption")
    browser.run("document.querySelector(arguments[0]).click()", f"{selector} .button")
    browser.wait("return document.querySelector(arguments[0]).textContent !== arguments[1]",
                 f"{selector} .card-caption", text)
    before = browser.wait(
        "const {stage} = gestured.cards.find((one) => one.name === arguments[0]);"
        "return stage.session?.joined && stage.drawn", card)
    # Pictures in which something has moved: a recording moves at once, and for a while.
    browser.wait("return gestured.cards.find((one) => one.name === arguments[0]).stage.drawn"
                 " > arguments[1] + 12", card, before)
    browser.shot(f"card-{card}", selector)
    browser.run("document.querySelector(arguments[0]).click()", f"{selector} .button")
    browser.wait("return !document.querySelector(arguments[0]).classList.contains('is-playing')",
                 selector)


def test_a_card_is_played_by_hand(browser: Browser, control: Control) -> None:
    session = show(browser, "toss")
    box = browser.box('[data-card="toss"] [data-component="toss"][data-view="item"]')
    x, y = box["middle"]
    browser.drag([x, y], [x + 40, y - 30], 200, lift=False)
    browser.wait("return gestured.cards[1].stage.session.states.get('toss').phase === 'dragging'")
    assert control.state(session, "toss")["phase"] == "dragging"
    browser.mouse("mouseReleased", x + 40, y - 30, buttons=0)


def test_the_sessions_of_cards_go_when_the_page_goes(page: Page, control: Control) -> None:
    with Browser(page) as browser:
        browser.prefer("light", "reduce")
        browser.open("/?session=leaving")
        session = show(browser, "tabs")
        assert session in control.sessions()
        browser.driver.get("about:blank")
        end = time.monotonic() + 10
        while session in control.sessions():
            assert time.monotonic() < end, "the card's session stayed"
            time.sleep(0.05)


def test_the_sessions_of_a_page_that_crashed_go_with_its_connection(
    page: Page, control: Control,
) -> None:
    browser = Browser(page)
    try:
        browser.prefer("light", "reduce")
        browser.open("/?session=crashing")
        sessions = {show(browser, card) for card in ("tips", "cradle")}
        assert sessions <= set(control.sessions())
        # It says no farewell. The driver waits for an answer that cannot come.
        browser.driver.set_page_load_timeout(1)
        with contextlib.suppress(Exception):
            browser.driver.get("chrome://crash")
        end = time.monotonic() + 20
        while sessions & set(control.sessions()):
            assert time.monotonic() < end, "the cards' sessions stayed"
            time.sleep(0.1)
        assert "crashing" in control.sessions()
    finally:
        with contextlib.suppress(Exception):
            browser.driver.quit()


def test_forty_sessions_open_at_once(page: Page, control: Control) -> None:
    names = [f"crowd{number}" for number in range(40)]
    with Browser(page) as browser:
        browser.open(f"/?sessions={','.join(names)}", wanted=(
            "return gestured.stages.length === 40"
            " && gestured.stages.every((one) => one.drawn > 0)"))
        browser.shot("crowd")
    assert set(names) <= set(control.sessions())
