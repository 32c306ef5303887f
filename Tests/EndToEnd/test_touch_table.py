"""docs/touch-table.md, word by word: its file, its commands, and what it promises of them."""

from __future__ import annotations

import json
import math
import re

import pytest
from documents import Document, File, Shell

PAGE = Document("docs/touch-table.md")
# The photos that six people hold, and those that nobody touches.
HELD = ("harbor", "mill", "hills", "garden", "station", "island")
LEFT = ("bay", "coast", "bridge")


@pytest.fixture(scope="module")
def shell():
    assert list(PAGE.sections) == [
        "Start", "Put photos on the table", "Carry the touches", "Move a photo",
        "Six people at once", "Put an object on it", "Connect the tracker", "Fit the picture",
        "Look inside", "Several tables", "Stop", "As a service"]
    with Shell() as shell:
        yield shell


def place(snapshot: str, item: str) -> tuple[float, float]:
    """An item's center in what `gesturectl snapshot` prints."""
    found = re.search(rf"\b{item} \((-?[\d.]+), (-?[\d.]+)\)", snapshot)
    assert found, snapshot
    return float(found[1]), float(found[2])


def views(shell: Shell) -> dict[str, dict]:
    """All items, as `gesturectl snapshot --json` tells them."""
    lines = map(json.loads, shell.run("gesturectl snapshot table --json").splitlines())
    return next(it["body"]["views"] for it in lines if it["topic"] == "state/table/table")


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
    before = place(shell.run("gesturectl snapshot table"), "tower")
    finger, snapshot = PAGE.commands("Move a photo")
    shell.run(finger)
    shell.until(f"{snapshot} | grep -q 'table.*resting'", "the photo has come to rest")
    after = place(shell.run(snapshot), "tower")
    assert 180 < before[1] - after[1] < 330 and abs(after[0] - before[0]) < 20, after


def test_six_people_at_once(shell: Shell):
    before = views(shell)
    people, snapshot = PAGE.commands("Six people at once")
    shell.run(people)
    shell.until(f"{snapshot} | grep -q 'table.*resting'", "everything has come to rest")
    after = views(shell)
    for item in HELD:
        turn = math.degrees(after[item]["rotation"] - before[item]["rotation"]) % 360
        assert 22 < turn < 28 and 1.2 < after[item]["scale"] < 1.3, (item, turn, after[item])
    for item in LEFT:
        assert after[item] == before[item], item


def test_put_an_object_on_it(shell: Shell):
    token, snapshot = PAGE.commands("Put an object on it")
    shell.run(token)
    shell.until(f"{snapshot} | grep -q 'table.*resting'", "everything has come to rest")
    shown = shell.run(snapshot)
    assert "lens (576, 270)" in shown and "↻1.571" in shown, shown
    assert re.search(r"badge/table.*lens\D*1", shown), shown


def test_fit_the_picture(shell: Shell):
    before = place(shell.run("gesturectl snapshot table"), "bridge")
    start, finger, snapshot = PAGE.commands("Fit the picture")
    shell.run(f"{start[:-2]} > turned.txt 2>&1 &")
    shell.until("grep -q ready turned.txt", "it is ready")
    shell.run(finger)
    shell.until(f"{snapshot} | grep -q 'table.*resting'", "the photo has come to rest")
    assert place(shell.run(snapshot), "bridge")[0] < before[0] - 100


def test_look_inside(shell: Shell):
    for command in PAGE.commands("Look inside"):
        shell.run(command)
    shell.until("grep -q 'bridge tuio: packets=' bridge.txt", "it has said what it counted")
    line = shell.run("grep packets= bridge.txt")
    names = set(re.findall(r"(\w+)=", line))
    table = re.findall(r"^\| (`.*?`) \|", PAGE.sections["Look inside"], re.M)
    told = {name for cell in table[:7] for name in re.findall(r"`(\w+)`", cell)}
    assert told == names
    # A finger's frames, two seconds of six people, and an object's.
    assert "contacts=13 " in line and "tokens=1 " in line and "frames=186 " in line, line


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
