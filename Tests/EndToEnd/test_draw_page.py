"""docs/draw.md, word by word: each language draws the same session."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

import pytest
from browser import CHROMIUM
from documents import Document, Shell

PAGE = Document("docs/draw.md")
LOOK = pathlib.Path(__file__).with_name("look.py")


@pytest.fixture(scope="module")
def shell():
    with Shell() as shell:
        # The Python with pyzmq; and no screen for Qt.
        shell.run(f"export PATH={pathlib.Path(sys.executable).parent}:$PATH "
                  "QT_QPA_PLATFORM=offscreen QT_QUICK_BACKEND=software")
        yield shell


def take(shell: Shell, section: str) -> list[str]:
    return [shell.take(step) for step in PAGE.steps(section)]


# The tests below are one walk through the page, in its order.

def test_start(shell: Shell):
    assert [re.sub(r"^\d+\. ", "", title) for title in re.findall(r"^## (.+)$", PAGE.text, re.M)
            ] == list(PAGE.sections)
    take(shell, "Start")
    # The cards would hide what the page is about.
    shell.run("gesturectl publish command/alice/tips '{\"command\":\"dismiss\"}' --ack")
    shell.until("gesturectl snapshot alice | grep -q 'tips.*dismissed'", "the cards are gone")


def test_a_picture(shell: Shell):
    take(shell, "A picture")
    drawing = ElementTree.fromstring((shell.folder / "alice.svg").read_text(encoding="utf-8"))
    assert (drawing.get("width"), drawing.get("height")) == ("320", "568")
    assert "Throw me" in "".join(drawing.itertext())


def test_web(shell: Shell):
    url, = re.findall(r"<(http://\S+)>", PAGE.sections["Web"])
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    shell.until("echo > /dev/tcp/127.0.0.1/7480", "the page is served")
    shell.run(f"python3 {LOOK} '{url}' 'Throw me'", 60)


def test_python(shell: Shell):
    said = take(shell, "Python")[-1].splitlines()
    shown = re.search(r"\$ python3 boxes\.py\n(.*?)```", PAGE.sections["Python"], re.S)[1]
    *first, dots = shown.splitlines()
    assert dots == "…" and said[:len(first)] == first, said


@pytest.mark.skipif(importlib.util.find_spec("PySide6") is None, reason="there is no PySide6")
def test_qml(shell: Shell):
    command, = PAGE.commands("QML")
    shell.run(f"{command[:-2]} >window.txt 2>&1 & window=$!")
    # Both of its topics are watched once the daemon knows them; it goes on then.
    shell.until("[ $(ls /proc/$window/task | wc -l) -gt 4 ]", "the window follows the session")
    shell.run("sleep 0.5; kill -0 $window && [ ! -s window.txt ]")


def test_c(shell: Shell):
    said = take(shell, "C")
    assert re.search(r'"toss" "thrown"  "item" \(-?[\d.]+, -?[\d.]+\)', said[-1]), said


def test_swift():
    text = re.search(r"```swift\n(.*?)```", PAGE.sections["Swift"], re.S)[1]
    source = (pathlib.Path(__file__).parents[2] / "Examples" / "swift" / "Sources" / "subscriber"
              / "main.swift").read_text(encoding="utf-8")
    # The example, which another test builds and runs, says the same of the picture.
    for line in ("var picture = SessionPicture()", "picture.take(update)", "picture.layers"):
        assert line in text and line in source, line


@pytest.mark.skipif(shutil.which("mcs") is None, reason="there is no mcs")
def test_c_sharp(shell: Shell):
    said = take(shell, "C#")[-1].splitlines()
    words = {line.split(" at ")[0] for line in said}
    assert {"toss began", "thrown", "toss ended", "return began", "return ended"} <= words, said


def test_a_renderer_of_your_own(shell: Shell):
    said, = take(shell, "A renderer of your own")
    assert re.search(r"^\d\d passed, 0 failed$", said, re.M), said


def test_stop(shell: Shell):
    take(shell, "Stop")
    assert shell.run("jobs") == ""
