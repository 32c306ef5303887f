"""The page's editor beside others: mistakes in sight, and no change overwritten unasked."""

from __future__ import annotations

import signal
import time

import pytest
from client import Control, Daemon
from page import Browser, Page

LIST = {"viewport": [320, 568], "components": [
    {"id": "list", "kind": "list", "rows": 20, "row_height": 70, "menu": [
        {"id": "thread"}, {"id": "hide"}]}]}


@pytest.fixture
def browser(page: Page):
    with Browser(page) as browser:
        yield browser


def edit(browser: Browser, control: Control, session: str, scene: object = "phone") -> None:
    control.open(session, scene)
    browser.open(f"/?session={session}")
    browser.run("document.querySelector('#tab-edit').click()")
    browser.wait("return document.querySelector('#scene-text').value.length > 50")


def write(browser: Browser, old: str, new: str) -> None:
    browser.run(
        "const text = document.querySelector('#scene-text'), [old, fresh] = arguments;"
        "if (!text.value.includes(old)) throw new Error(`no ${old}`);"
        "text.value = text.value.replace(old, fresh); text.dispatchEvent(new Event('input'));",
        old, new)


APP = {"viewport": [320, 568], "components": [
    {"id": "go", "kind": "button"},
    {"id": "sheet", "kind": "panel", "size": [320, 300], "anchors": [
        {"name": "closed", "at": "100%"}, {"name": "open", "at": "60%"}]}],
    "reactions": [{"when": {"component": "go", "transition": "tap"}, "do": [
        {"component": "sheet", "command": "toggle"}, {"component": "go", "command": "disable"}]}]}


@pytest.mark.parametrize("old, new", [
    ('"at": "60%"', '"at": "high"'), ('"disable"', '"disabel"'), ('"sheet", "command"',
                                                                  '"shete", "command"')])
def test_the_line_of_a_mistake_is_marked(
    browser: Browser, control: Control, session: str, old: str, new: str,
) -> None:
    edit(browser, control, session, APP)
    write(browser, old, new)
    browser.wait("return document.querySelector('#scene-fault.is-wrong')")
    assert browser.run(
        "const lines = document.querySelector('#scene-text').value.split('\\n');"
        "const numbers = [...document.querySelectorAll('.numbers li')];"
        "return lines[numbers.findIndex((li) => li.matches('.is-wrong'))]"
        "  .includes(arguments[0])", new)


@pytest.mark.parametrize("width, height", [(360, 640), (1000, 700), (1280, 800), (2560, 1300)])
def test_a_mistake_is_told_in_sight_of_the_text(
    browser: Browser, control: Control, session: str, width: int, height: int,
) -> None:
    browser.resize(width, height)
    edit(browser, control, session)
    text = "document.querySelector('#scene-text')"
    browser.run(f"{text}.scrollIntoView({{block: 'center', behavior: 'instant'}});"
                f"{text}.scrollTop = 1e6")
    write(browser, '"root": "dashboard"', '"root": true')
    browser.wait("return document.querySelector('#scene-fault.is-wrong')")
    browser.run(f"{text}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    time.sleep(0.3)
    fault, box = browser.box("#scene-fault"), browser.box("#scene-text")
    assert 0 <= fault["y"] and fault["y"] + fault["height"] <= height, fault
    assert box["height"] < height, box
    # And the line that is wrong, unless the person is writing.
    line = browser.box(".numbers .is-wrong")
    assert box["y"] <= line["y"] < box["y"] + box["height"], (line, box)
    browser.shot(f"editor-{width}")


def test_a_text_that_was_not_sent_comes_back_with_its_session(
    browser: Browser, control: Control, session: str,
) -> None:
    other = f"{session}-other"
    control.open(other, LIST)
    edit(browser, control, session)
    write(browser, '"root": "dashboard"', '"root": true')
    browser.wait("return document.querySelector('#scene-fault.is-wrong')")
    for name, words in ((other, '"row_height": 70'), (session, '"root": true')):
        browser.run(
            "const field = document.querySelector('#session'); field.value = arguments[0];"
            "document.querySelector('#scene').value = '';"
            "document.querySelector('#opener').requestSubmit()", name)
        browser.wait("return gestured.stage.session.name === arguments[0]"
                     " && document.querySelector('#scene-text').value.includes(arguments[1])",
                     name, words)


def test_a_text_of_more_than_a_message_is_refused_at_once(
    browser: Browser, control: Control, session: str,
) -> None:
    edit(browser, control, session, LIST)
    browser.run("window.states = []; gestured.client.addEventListener("
                "'state', () => states.push(gestured.client.state))")
    write(browser, '"viewport"', f'"x": "{"z" * 1_100_000}", "viewport"')
    browser.wait("return document.querySelector('#scene-fault').textContent.includes('at most')")
    # A connection answers in order, so one that was to be cut would have been.
    states = browser.run("return gestured.client.request('time').then(() => states)")
    assert states == [], "it stays connected"


def test_two_editors_overwrite_nothing_unasked(
    browser: Browser, page: Page, control: Control, session: str,
) -> None:
    edit(browser, control, session, LIST)
    fault = "return document.querySelector('#scene-fault').textContent"

    def rows() -> int:
        document = control.ok("export", session=session)["document"]
        return document["scene"]["components"][0]["rows"]

    with Browser(page) as other:
        edit(other, control, session, LIST)
        # A text that nobody has touched follows.
        write(browser, '"rows": 20', '"rows": 21')
        browser.wait("return document.querySelector('#scene-fault').textContent === 'Applied'")
        other.wait("return document.querySelector('#scene-text').value.includes('\"rows\": 21')")
        # One that was begun is kept, and sent no more.
        write(other, '"rows": 21', '"rows": ')
        other.wait(f"{fault}.startsWith('Line')")
        write(browser, '"rows": 21', '"rows": 22')
        other.wait(f"{fault}.includes('changed elsewhere')")
        write(other, '"rows": ', '"rows": 30')
        other.wait("return !document.querySelector('#overwrite').hidden")
        time.sleep(1)
        assert rows() == 22 and "changed elsewhere" in other.run(fault)
        other.shot("editor-conflict")
        # The row of tools has grown, and the text gave way to it.
        editor = other.box(".editor")
        assert editor["height"] <= other.run("return innerHeight") - 130
        other.run("document.querySelector('#overwrite').click()")
        other.wait(f"{fault} === 'Applied'")
        assert rows() == 30
        browser.wait("return document.querySelector('#scene-text').value.includes('\"rows\": 30')")
        assert other.run("return document.querySelector('#overwrite').hidden")
        # Both write on by turns.
        write(browser, '"rows": 30', '"rows": 31')
        other.wait("return document.querySelector('#scene-text').value.includes('\"rows\": 31')")
        write(other, '"rows": 31', '"rows": 32')
        other.wait(f"{fault} === 'Applied'")
        assert rows() == 32


def test_a_change_that_was_not_heard_of_is_not_overwritten(
    browser: Browser, control: Control, session: str,
) -> None:
    edit(browser, control, session, LIST)
    # Both at the same time: the text is sent before the page hears of the other change.
    browser.run("const {dispatchEvent} = gestured.stage.session;"
                "gestured.stage.session.dispatchEvent = function (event) {"
                " return event.type === 'scene' || dispatchEvent.call(this, event); }")
    write(browser, '"rows": 20', '"rows": 25')
    control.publish(f"command/{session}", {
        "command": "set", "component": "list", "values": {"rows": 40}})
    browser.wait("return document.querySelector('#scene-fault').textContent"
                 ".includes('changed elsewhere')")
    document = control.ok("export", session=session)["document"]
    assert document["scene"]["components"][0]["rows"] == 40


def test_of_two_texts_sent_at_once_the_second_is_not_applied(
    browser: Browser, control: Control, session: str,
) -> None:
    edit(browser, control, session, LIST)
    # Another's change comes in after the page has asked all that it asks.
    browser.run(
        "const { client } = gestured;"
        "const { acknowledged } = client;"
        "client.acknowledged = async function (topic, body) {"
        " delete client.acknowledged;"
        " await acknowledged.call(client, topic,"
        "  { command: 'set', component: 'list', values: { rows: 40 } });"
        " return acknowledged.call(client, topic, body); }")
    write(browser, '"rows": 20', '"rows": 25')
    browser.wait("return document.querySelector('#scene-fault').textContent"
                 ".includes('changed elsewhere')")
    document = control.ok("export", session=session)["document"]
    assert document["scene"]["components"][0]["rows"] == 40


def test_a_text_that_is_written_while_the_daemon_is_away_is_sent_when_it_is_back(
    browser: Browser, daemon: Daemon, control: Control, session: str,
) -> None:
    edit(browser, control, session, LIST)
    buttons = ("return ['#read-scene', '#overwrite'].map("
               "(name) => document.querySelector(name).inert)")
    fault = "document.querySelector('#scene-fault').textContent"
    assert browser.run(buttons) == [False, False]
    daemon.process.send_signal(signal.SIGSTOP)
    try:
        browser.wait("return document.body.classList.contains('is-away')")
        assert browser.run(buttons) == [True, True]
        write(browser, '"rows": 20', '"rows": 21')
        browser.wait(f"return {fault}.startsWith('Not applied yet')")
    finally:
        daemon.process.send_signal(signal.SIGCONT)
    browser.wait(f"return {fault} === 'Applied'")
    assert browser.run(buttons) == [False, False]
    document = control.ok("export", session=session)["document"]
    assert document["scene"]["components"][0]["rows"] == 21
