"""docs/two-processes.md, word by word: a kiosk of three processes, each of which is killed."""

from __future__ import annotations

import pathlib
import re
import sys

import pytest
from documents import Document, File, Shell

PAGE = Document("docs/two-processes.md")


@pytest.fixture(scope="module")
def shell():
    with Shell() as shell:
        # The Python with pyzmq.
        shell.run(f"export PATH={pathlib.Path(sys.executable).parent}:$PATH")
        yield shell


def shows(shell: Shell, *words: str) -> None:
    """Waits until the render process has painted these texts."""
    for word in words:
        shell.until(f"grep -qF '>{word}<' screen.svg", f"the screen shows {word}")


def take(shell: Shell, section: str) -> list[str]:
    return [shell.take(step) for step in PAGE.steps(section)]


# The tests below are one walk through the page, in its order.

def test_start(shell: Shell):
    assert [re.sub(r"^\d+\. ", "", title) for title in re.findall(r"^## (.+)$", PAGE.text, re.M)
            ] == list(PAGE.sections)
    take(shell, "Start")
    shell.until("gesturectl snapshot bar | grep -q 'tour.*dismissed'", "the cards are gone")


def test_the_input_process(shell: Shell):
    file, *_ = PAGE.steps("The input process")
    assert isinstance(file, File) and file.name == "touches.c"
    take(shell, "The input process")


def test_the_render_process(shell: Shell):
    take(shell, "The render process")
    shows(shell, "Green salad   5.20 €")


def test_use_it(shell: Shell):
    said = take(shell, "Use it")
    assert re.search(r"state/bar/dishes #\d+  open ", said[2]), said
    shows(shell, "order   more")
    shows(shell, "Order 1", "Order 2")


def test_kill_the_screen(shell: Shell):
    take(shell, "Kill the screen")
    shell.until("[ -f screen.svg ]", "there is a new picture")
    shows(shell, "order   more")
    shows(shell, "Order 1", "Order 2", "Order 3")


def test_kill_the_input(shell: Shell):
    *kill, swipe = PAGE.commands("Kill the input")
    said = [shell.run(command) for command in kill]
    assert "recognizer=scroll" in said[1], said
    shell.until("! gesturectl snapshot bar | grep -q recognizer", "the finger is cancelled")
    shell.run(swipe)
    shell.until("gesturectl snapshot bar | grep -q 'state/bar/ready .* open '", "a row opens")


def test_kill_the_daemon(shell: Shell):
    said = take(shell, "Kill the daemon")
    assert "counts.ready=3" in said[2]
    assert "duplicate" in said[3]
    # The render process has joined again: its picture follows.
    order = '{"kind":"ready","data":{"order":4}}'
    shell.run(f"gesturectl publish notification/bar '{order}' --ack")
    shows(shell, "Order 4")


def test_stop(shell: Shell):
    take(shell, "Stop")
    # Bash may still tell of jobs that are done.
    assert shell.run("jobs -r") == ""
