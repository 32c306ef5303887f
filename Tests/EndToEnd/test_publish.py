"""docs/publish.md, word by word: each language adds one like, and the daemon counts it."""

from __future__ import annotations

import pathlib
import re
import shutil
import sys

import pytest
from browser import CHROMIUM
from documents import Document, File, Shell

PAGE = Document("docs/publish.md")
LOOK = pathlib.Path(__file__).with_name("look.py")
COUNT = re.compile(r"counts\.likes=(\d+)")


@pytest.fixture(scope="module")
def shell():
    with Shell() as shell:
        # The Python with pyzmq.
        shell.run(f"export PATH={pathlib.Path(sys.executable).parent}:$PATH")
        yield shell


def likes(shell: Shell) -> int:
    found = COUNT.search(shell.run("gesturectl snapshot alice"))
    return int(found[1]) if found else 0


def walk(shell: Shell, section: str, more: int = 1) -> list[str]:
    """Takes all steps; then there are so many likes more. Returns what the commands said."""
    before = likes(shell)
    said = [text for step in PAGE.steps(section) if (text := shell.take(step))]
    shell.until(f"gesturectl snapshot alice | grep -q 'counts.likes={before + more}'", section)
    return said


# The tests below are one walk through the page, in its order.

def test_start(shell: Shell):
    assert [re.sub(r"^\d+\. ", "", title) for title in re.findall(r"^## (.+)$", PAGE.text, re.M)
            ] == list(PAGE.sections)
    *start, watch = PAGE.commands("Start")
    for command in start:
        shell.run(command)
    # As it stands, but what it says is kept for the tests below.
    assert watch.endswith(" &") and "In the same terminal, watch" in PAGE.sections["Start"]
    shell.run(f"{watch[:-2]} > watched.txt 2>&1 &")


def test_shell(shell: Shell):
    said = walk(shell, "Shell", 2)
    assert "duplicate: this event was applied before" in said[-1]
    shell.until("grep -q 'badge/alice.*total=2' watched.txt", "the watcher tells of both")


def test_python(shell: Shell):
    assert walk(shell, "Python") == ["counted\n"]


def test_javascript(shell: Shell):
    for step in PAGE.steps("JavaScript"):
        shell.take(step)
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    shell.until("echo > /dev/tcp/127.0.0.1/7481", "the page is served")
    before = likes(shell)
    shell.run(f"python3 {LOOK} http://127.0.0.1:7481/ counted button", 60)
    assert likes(shell) == before + 1


def test_c(shell: Shell):
    assert walk(shell, "C") == ["counted\n"]


def test_swift(shell: Shell, tmp_path: pathlib.Path):
    from test_swift_examples import CLIENT, CLIENT_FLAGS, compiled
    file, = PAGE.steps("Swift")
    assert isinstance(file, File)
    source = tmp_path / "main.swift"
    source.write_text(file.text, encoding="utf-8")
    program = compiled(tmp_path / "publish", source, CLIENT, CLIENT_FLAGS)
    before = likes(shell)
    assert shell.run(str(program)) == "counted\n"
    assert likes(shell) == before + 1


@pytest.mark.skipif(shutil.which("mcs") is None, reason="there is no mcs")
def test_c_sharp(shell: Shell):
    assert walk(shell, "C#") == ["counted\n"]


def test_any_language(shell: Shell):
    said = walk(shell, "Any language with ZeroMQ", 2)
    assert said == ['{"ok":true}\n']


def test_stop(shell: Shell):
    for command in PAGE.commands("Stop"):
        shell.run(command)
    assert "rejected" not in shell.run("cat watched.txt")
