"""docs/touch-table.md, word by word: its file, its commands, and what it promises of them."""

from __future__ import annotations

import re

import pytest
from documents import Document, File, Shell

PAGE = Document("docs/touch-table.md")


@pytest.fixture(scope="module")
def shell():
    assert list(PAGE.sections) == [
        "Start", "Put photos on the table", "Carry the touches", "Move a photo",
        "Connect the tracker", "Fit the picture", "Look inside", "Several tables", "Stop",
        "As a service"]
    with Shell() as shell:
        yield shell


def place(snapshot: str, item: str) -> float:
    """The x of an item's center in what `gesturectl snapshot` prints."""
    found = re.search(rf"\b{item} \((-?[\d.]+), -?[\d.]+\)", snapshot)
    assert found, snapshot
    return float(found[1])


# The tests below are one walk through the page, in its order.

def test_start(shell: Shell):
    for command in PAGE.commands("Start"):
        shell.run(command)
    shell.until("gesturectl hello", "the daemon is there")


def test_put_photos_on_the_table(shell: Shell):
    file, opened = PAGE.steps("Put photos on the table")
    assert isinstance(file, File) and file.name == "table.toml"
    shell.take(file)
    assert "table opened" in shell.take(opened)


def test_carry_the_touches(shell: Shell):
    start, = PAGE.commands("Carry the touches")
    shell.run(f"{start[:-2]} > bridge.txt 2>&1 &")
    shell.until("grep -q 'bridge tuio ready udp://127.0.0.1:3333' bridge.txt", "it is ready")


def test_move_a_photo(shell: Shell):
    before = place(shell.run("gesturectl snapshot table"), "harbour")
    finger, snapshot = PAGE.commands("Move a photo")
    shell.run(finger)
    shell.until(f"{snapshot} | grep -q 'photos.*resting'", "the photo has come to rest")
    moved = place(shell.run(snapshot), "harbour") - before
    assert 380 < moved < 700, moved


def test_fit_the_picture(shell: Shell):
    before = place(shell.run("gesturectl snapshot table"), "market")
    start, finger, snapshot = PAGE.commands("Fit the picture")
    shell.run(f"{start[:-2]} > turned.txt 2>&1 &")
    shell.until("grep -q ready turned.txt", "it is ready")
    shell.run(finger)
    shell.until(f"{snapshot} | grep -q 'photos.*resting'", "the photo has come to rest")
    assert place(shell.run(snapshot), "market") < before - 100


def test_look_inside(shell: Shell):
    for command in PAGE.commands("Look inside"):
        shell.run(command)
    shell.until("grep -q 'bridge tuio: packets=' bridge.txt", "it has said what it counted")
    line = shell.run("grep packets= bridge.txt")
    names = set(re.findall(r"(\w+)=", line))
    table = re.findall(r"^\| (`.*?`) \|", PAGE.sections["Look inside"], re.M)
    told = {name for cell in table[:7] for name in re.findall(r"`(\w+)`", cell)}
    assert told == names
    assert "contacts=1 " in line and "frames=32 " in line, line


def test_several_tables(shell: Shell):
    start, finger, sessions = PAGE.commands("Several tables")
    shell.run(f"{start[:-2]} > left.txt 2>&1 &")
    shell.until("grep -q ready left.txt", "it is ready")
    shell.run(finger)
    shell.until(f"{sessions} | grep -q '^left .*phone'", "the touch opened the session")


def test_stop(shell: Shell):
    stop, wait = PAGE.commands("Stop")
    shell.run(stop)
    shell.attempt(wait)
    assert shell.run("jobs -r") == ""
    for name in ("bridge.txt", "turned.txt", "left.txt"):
        assert "packets=" in shell.run(f"tail -1 {name}")
