"""docs/quickstart.md, word by word: its files, its commands, and the pages that it promises."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

import pytest
from browser import Browser
from client import DEADLINE, REPOSITORY, binary

TEXT = (REPOSITORY / "docs" / "quickstart.md").read_text(encoding="utf-8")
SECTION = re.compile(r"^## \d\. (.+?)$(.*?)(?=^## |\Z)", re.M | re.S)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
FILE = re.compile(r"`([\w./]+)`:\n\n```(?:toml|html|js)\n(.*?)^```", re.M | re.S)
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
# The page's words use the programs' usual ports, so the test does, too.
PORTS = (7411, 7412, 7413, 7480, 7481)


def sections() -> dict[str, str]:
    found = dict(SECTION.findall(TEXT))
    assert list(found) == [
        "See it", "Run it yourself", "Talk to it", "Write a scene", "Write a page",
        "Keep a moment", "Stop"]
    return found


def commands(section: str) -> list[str]:
    found = [line[2:] for block in CONSOLE.findall(sections()[section])
             for line in block.splitlines() if line.startswith("$ ")]
    assert found, f"no commands in {section}"
    return found


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


class Shell:
    """One interactive-like shell that runs the commands one after the other, jobs included."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.process = subprocess.Popen(
            ["bash", "--norc", "-m"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.said: list[str] = []

    def run(self, command: str, seconds: float = DEADLINE) -> str:
        """Runs a command that must succeed within this time; returns what it printed."""
        self.process.stdin.write(f"{command}\necho DONE=$?\n")
        self.process.stdin.flush()
        printed: list[str] = []
        watchdog = subprocess.Popen(
            ["bash", "-c", f"sleep {seconds}; kill -KILL -{self.process.pid}"],
            start_new_session=True)
        try:
            for line in self.process.stdout:
                if match := re.search(r"DONE=(\d+)$", line.rstrip()):
                    text = "".join(printed)
                    assert match[1] == "0", f"{command} ended with {match[1]}:\n{text}"
                    self.said += printed
                    return text
                printed.append(line)
        finally:
            os.killpg(watchdog.pid, signal.SIGKILL)
            watchdog.wait()
        raise AssertionError(f"the shell ended in {command}:\n{''.join(printed)}")

    def close(self) -> None:
        # Ends the shell's jobs, which have process groups of their own.
        if self.process.poll() is None:
            self.process.stdin.write("kill -KILL $(jobs -p) 2>/dev/null; exit\n")
            self.process.stdin.close()
            self.process.wait(DEADLINE)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def shell():
    taken = [port for port in PORTS if not is_free(port)]
    if taken:
        pytest.skip(f"the quickstart's ports {taken} are in use")
    with tempfile.TemporaryDirectory(prefix="gestured-") as name:
        folder = pathlib.Path(name)
        for one in REPOSITORY.iterdir():
            if one.name not in (".build", ".git", ".venv"):
                (folder / one.name).symlink_to(one)
        # The scripts find their folder by their own place.
        for own in ("Makefile", ".ci"):
            (folder / own).unlink()
        shutil.copytree(REPOSITORY / ".ci", folder / ".ci", symlinks=True)
        shutil.copy(REPOSITORY / "Makefile", folder / "Makefile")
        (folder / ".build").mkdir()
        (folder / ".build" / "release").symlink_to(binary().parent)
        shell = Shell(folder)
        yield shell
        shell.close()


@pytest.fixture(scope="module")
def browser():
    with Browser(1200, 900) as browser:
        yield browser


def wait_until(condition, why: str, seconds: float = DEADLINE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s until {why}"
        time.sleep(0.05)


def write_files(shell: Shell, section: str) -> list[str]:
    found = FILE.findall(sections()[section])
    for name, text in found:
        path = shell.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return [name for name, _ in found]


# The tests below are one walk through the page, in its order.

def test_see_it(shell: Shell):
    assert commands("See it") == ["make run"]
    # The programs are built already; everything else is what `make run` does.
    said = shell.run("make -o build run", 180)
    assert re.search(r"Open http://127\.0\.0\.1:\d+/\?session=alice", said), said
    assert "9 A world of one's own" in said
    assert "rejected" not in said, said


def test_run_it_yourself(shell: Shell, browser: Browser):
    for command in commands("Run it yourself"):
        shell.run(command)
    wait_until(lambda: not is_free(7480) and not is_free(7413), "both programs are there")
    browser.open("http://127.0.0.1:7480/?session=alice")
    browser.until(SHOWN, "tabs", "bar")


def test_talk_to_it(shell: Shell, browser: Browser):
    likes, select = commands("Talk to it")
    shell.run(likes)
    assert "3" in browser.until(f"{VIEW}?.textContent", "tabs", "bubble")
    shell.run(select)
    browser.until(SHOWN, "toss", "item")


def test_write_a_scene(shell: Shell, browser: Browser):
    assert write_files(shell, "Write a scene") == ["hello.toml"]
    check, opened, update = commands("Write a scene")
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
    for command in commands("Write a page")[:2]:
        shell.run(command)
    assert write_files(shell, "Write a page") == ["mine/index.html", "mine/page.js"]
    shell.run(commands("Write a page")[2])
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
    for command in commands("Keep a moment"):
        shell.run(command)
    assert "state/" in (shell.folder / "toss-updates.txt").read_text(encoding="utf-8")
    assert (shell.folder / "toss.png").read_bytes().startswith(b"\x89PNG")


def test_stop(shell: Shell):
    for command in commands("Stop"):
        shell.run(command)
    wait_until(lambda: all(map(is_free, PORTS)), "all programs have ended")
