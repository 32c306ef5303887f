"""docs/swift.md, word by word. Its programs are compiled of our own build, as SwiftPM would."""

from __future__ import annotations

import pathlib
import re
import subprocess

import pytest
from client import DEADLINE
from documents import Document, File, Shell
from test_swift_examples import CLIENT, CLIENT_FLAGS, CORE, built, compiled

PAGE = Document("docs/swift.md")
# Runs the program that is built already, in place of `swift run --package-path FOLDER PROGRAM`.
RUN = '#!/bin/sh\nname=$4\nshift 4\nexec "${0%/*}/$name" "$@"\n'


@pytest.fixture(scope="module")
def shell():
    with Shell() as shell:
        programs = shell.folder / "built"
        programs.mkdir()
        built(programs, "embedded", CORE, [])
        built(programs, "subscriber", CLIENT, CLIENT_FLAGS)
        (programs / "swift").write_text(RUN)
        (programs / "swift").chmod(0o755)
        shell.run("export PATH=$PWD/built:$PWD/.build/release:$PATH")
        yield shell


# The tests below are one walk through the page, in its order.

def test_run_it(shell: Shell):
    first, head = PAGE.commands("Run it")
    shell.run(first)
    assert re.search(r"^(t,session.*)$", PAGE.sections["Run it"], re.M)[1] in shell.run(head)
    assert "thrown" in shell.run("cat toss.csv")


def test_move_a_view_of_your_own(tmp_path: pathlib.Path):
    file, = PAGE.steps("Move a view of your own")
    assert isinstance(file, File)
    source = tmp_path / "main.swift"
    source.write_text(file.text, encoding="utf-8")
    program = compiled(tmp_path / "card", source, CORE, [])
    done = subprocess.run(
        [program], capture_output=True, text=True, check=True, timeout=DEADLINE)
    lines = [line.split() for line in done.stdout.splitlines()]
    phases = list(dict.fromkeys(line[1] for line in lines))
    assert phases == ["resting", "dragging", "thrown"]
    assert float(lines[-1][2]) > float(lines[0][2])


def test_the_same_bits(shell: Shell):
    for command in PAGE.commands("The same bits"):
        shell.run(command)
    assert int(shell.run("wc -l < ours.csv")) > 80


def test_follow_a_daemon(shell: Shell):
    *before, tap = PAGE.commands("Follow a daemon")
    for command in before:
        shell.run(command)
    # The subscriber has joined once it prints what is there.
    shell.until("grep -q tabs/bar frames.txt", "the first frame")
    lines = int(shell.run("wc -l < frames.txt"))
    shell.run(tap)
    shell.until(f"[ $(wc -l < frames.txt) -gt {lines} ]", "the next frame")


def test_stop(shell: Shell):
    # The shell says which jobs it ended.
    running = shell.run("jobs -p").split()
    assert len(running) == 2
    for command in PAGE.commands("Stop"):
        shell.run(command)
    assert not any(pathlib.Path(f"/proc/{one}").exists() for one in running)
