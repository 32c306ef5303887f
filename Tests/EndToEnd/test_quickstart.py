"""docs/quickstart.md, word by word: its files, its commands, and the pages that it promises."""

from __future__ import annotations

import pytest
from browser import Browser
from documents import PORTS, Document, File, Shell, is_free, wait_until

PAGE = Document("docs/quickstart.md")
VIEW = ("document.querySelector(`[data-component=\"${args[0]}\"]"
        "[data-view=\"${args[1]}\"]`)")
SHOWN = f"!!{VIEW}"
# The middle of the card on the own page, and its top.
CARD = """(() => {
    const card = [...document.querySelectorAll("main div")].find(
        (one) => one.textContent === "Hello" && !one.firstElementChild);
    const box = card?.getBoundingClientRect();
    return box && [box.x + box.width / 2, box.y + box.height / 2, box.y];
})()"""


@pytest.fixture(scope="module")
def shell():
    assert list(PAGE.sections) == [
        "See it", "Run it yourself", "Talk to it", "Write a scene", "Write a page",
        "Keep a moment", "Stop"]
    # The browser is outside, so the page's ports must be the machine's.
    with Shell(is_isolated=False) as shell:
        yield shell


@pytest.fixture(scope="module")
def browser():
    with Browser(1200, 900) as browser:
        yield browser


def write_files(shell: Shell, section: str) -> list[str]:
    files = [step for step in PAGE.steps(section) if isinstance(step, File)]
    for file in files:
        shell.take(file)
    return [file.name for file in files]


# The tests below are one walk through the page, in its order; test_first_command has "See it".

def test_run_it_yourself(shell: Shell, browser: Browser):
    for command in PAGE.commands("Run it yourself"):
        shell.run(command)
    wait_until(lambda: not is_free(7480) and not is_free(7413), "both programs are there")
    browser.open("http://127.0.0.1:7480/?session=alice")
    browser.until(SHOWN, "tabs", "bar")


def test_talk_to_it(shell: Shell, browser: Browser):
    likes, select = PAGE.commands("Talk to it")
    shell.run(likes)
    assert "3" in browser.until(f"{VIEW}?.textContent", "tabs", "bubble")
    shell.run(select)
    browser.until(SHOWN, "toss", "item")


def test_write_a_scene(shell: Shell, browser: Browser):
    assert write_files(shell, "Write a scene") == ["hello.toml"]
    check, opened, update = PAGE.commands("Write a scene")
    assert "good" in shell.run(check)
    shell.run(opened)
    browser.open("http://127.0.0.1:7480/?session=hello")
    browser.until(SHOWN, "sky", "ball")
    path = shell.folder / "hello.toml"
    text = path.read_text(encoding="utf-8")
    lighter = text.replace('id = "fall"', 'id = "fall"\nmagnitude = 0.3')
    assert lighter != text
    path.write_text(lighter, encoding="utf-8")
    shell.run(update)


def test_write_a_page(shell: Shell, browser: Browser):
    for command in PAGE.commands("Write a page")[:2]:
        shell.run(command)
    assert write_files(shell, "Write a page") == ["mine/index.html", "mine/page.js"]
    shell.run(PAGE.commands("Write a page")[2])
    wait_until(lambda: not is_free(7481), "the own page is served")
    browser.open("http://127.0.0.1:7481/")
    x, y, top = browser.until(CARD)
    hand = [(x + n, y - 4 * n) for n in range(40)]
    mouse = {"button": "left", "clickCount": 1, "buttons": 1}
    browser.input("Mouse", type="mousePressed", x=x, y=y, **mouse)
    for x, y in hand:
        browser.input("Mouse", type="mouseMoved", x=x, y=y, button="left", buttons=1)
    browser.until(f"{CARD}[2] < args[0]", top - 75)
    browser.input("Mouse", type="mouseReleased", x=x, y=y, button="left", clickCount=1)
    # Browsers ask for an icon by themselves.
    assert [one for one in browser.errors() if "favicon.ico" not in one] == []


def test_keep_a_moment(shell: Shell):
    for command in PAGE.commands("Keep a moment"):
        shell.run(command)
    assert "state/" in (shell.folder / "toss-updates.txt").read_text(encoding="utf-8")
    assert (shell.folder / "toss.png").read_bytes().startswith(b"\x89PNG")


def test_stop(shell: Shell):
    for command in PAGE.commands("Stop"):
        shell.run(command)
    wait_until(lambda: all(map(is_free, PORTS)), "all programs have ended")
