"""The tables of docs/architecture.md, beside what a real event does in the daemon."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
from collections.abc import Callable

import pytest
from client import REPOSITORY, Control, Daemon, Publisher
from reliability import wait_for
from scenes import scene, toss

# Not optimised, for of the optimised program no trace is left of many a function: a build for the
# tests in Swift, or the one that TRACED_BIN names.
PROGRAM = pathlib.Path(
    os.environ.get("TRACED_BIN") or REPOSITORY / ".build" / "debug" / "gestured")
pytestmark = [
    pytest.mark.skipif(not PROGRAM.is_file(), reason=f"there is no {PROGRAM}: swift build"),
    pytest.mark.skipif(not shutil.which("gdb"), reason="gdb is not installed"),
]
SOURCES = REPOSITORY / "Sources"
# Part of the names of Dispatch's threads. An idle lane runs on the reactor's.
WORKERS = "qos"


def table(title: str) -> list[tuple[str, str]]:
    """The steps below a title: each function, as `Type.function`, and its file."""
    text = (REPOSITORY / "docs" / "architecture.md").read_text().split(f"\n## {title}\n")[1]
    rows = re.findall(r"^\| \d+ \| `([\w.]+)` \| `([^`]+)` \|", text.split("\n## ")[0], re.M)
    assert rows
    return rows


def symbols(functions: list[str]) -> dict[str, list[str]]:
    """The linker's names of functions, all overloads of each."""
    lines = subprocess.run(["nm", PROGRAM], capture_output=True, text=True, check=True).stdout
    mangled = re.findall(r" (\$s\S*)$", lines, re.M)
    read = subprocess.run(
        ["swift", "demangle", "--simplified"], input="\n".join(mangled), capture_output=True,
        text=True, check=True).stdout.splitlines()
    found: dict[str, list[str]] = {name: [] for name in functions}
    for name, text in zip(mangled, read, strict=True):
        match = re.match(r"(?:static )?([\w.]+)(?:<[\w, ]+>)?\(", text)
        if match and match[1] in found and "closure" not in text:
            found[match[1]].append(name)
    return found


def traced(
    daemon: Daemon, functions: list[str], folder: pathlib.Path, act: Callable[[], object],
    without: str = "",
) -> list[str]:
    """The functions in the order in which the daemon reaches them, from the first one on. Threads
    whose names contain `without` are not looked at."""
    known = symbols(functions)
    assert not (unknown := [name for name, found in known.items() if not found]), (
        f"the program has no {unknown}")
    trace = folder / "trace"
    steps = [[name, known[name]] for name in functions]
    script, log = pathlib.Path(__file__).with_name("trace_steps.py"), folder / "gdb.log"
    with log.open("w") as output, subprocess.Popen(
        ["gdb", "-nx", "-batch", "-iex", "set complaints 0", "-p", str(daemon.process.pid),
         "-x", script],
        env=os.environ | {
            "TRACE_FILE": str(trace), "TRACE_STEPS": json.dumps(steps), "TRACE_WITHOUT": without},
        stdout=output, stderr=subprocess.STDOUT,
    ) as gdb:
        try:
            wait_for(lambda: trace.exists() or gdb.poll() is not None, "gdb is ready", 60)
            if gdb.poll() is None:
                act()
            gdb.wait(60)
        finally:
            gdb.kill()
    if "Operation not permitted" in log.read_text():
        pytest.skip("the system lets nobody trace another process")
    assert trace.exists(), log.read_text()
    lines = trace.read_text().split()
    assert lines[0] == "ready" and len(lines) > 1, log.read_text()
    return lines[1:]


@pytest.fixture
def traceable(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GESTURED_BIN", str(PROGRAM))
    with Daemon() as daemon:
        control = daemon.requests()
        control.open("alice", scene(toss(), frame_rate=120, seed=7))
        updates = daemon.subscriber("state/alice/", "badge/alice")
        updates.find("state/alice/toss", phase="resting")
        yield daemon, control, daemon.publisher()


Traceable = tuple[Daemon, Control, Publisher]


@pytest.mark.parametrize("title", [
    "An event, file by file", "A frame, file by file", "An acknowledged publish, file by file"])
def test_each_function_is_in_its_file(title: str) -> None:
    for function, file in table(title):
        name = function.split(".")[-1]
        beginning = "init[?(<]" if name == "init" else rf"func {name}\b"
        assert re.search(rf"\b{beginning}", (SOURCES / file).read_text()), (
            f"{file} has no function {name}")


def test_an_event_takes_the_way_of_its_table(traceable: Traceable, tmp_path: pathlib.Path) -> None:
    daemon, _, publisher = traceable
    # The reactor waits all the time, so the trace begins with the second step.
    (waits, _), *steps = table("An event, file by file")
    assert waits == "Poller.wait"
    functions = [function for function, _ in steps]
    assert traced(daemon, functions, tmp_path, lambda: publisher.send("gesture/alice/toss", {
        "gesture": "pan", "phase": "began", "x": 120, "y": 200}), WORKERS) == functions


def test_a_frame_takes_the_way_of_its_table(traceable: Traceable, tmp_path: pathlib.Path) -> None:
    daemon, _, publisher = traceable
    # The first frames step no world, so the trace begins where one does, and goes on with the next.
    ticks, *loop, steps, flushes = [function for function, _ in table("A frame, file by file")]
    assert (ticks, steps) == ("LaneMotion.tick", "Animator.step")
    functions = [steps, flushes, *loop]

    def throw() -> None:
        publisher.send("gesture/alice/toss", {
            "gesture": "pan", "phase": "began", "x": 160, "y": 223})
        publisher.send("gesture/alice/toss", {
            "gesture": "pan", "phase": "ended", "x": 160, "y": 223, "vx": 2_400, "vy": 0})

    assert traced(daemon, functions, tmp_path, throw) == functions


def test_an_acknowledged_publish_takes_the_way_of_its_table(
    traceable: Traceable, tmp_path: pathlib.Path,
) -> None:
    daemon, control, _ = traceable
    functions = [function for function, _ in table("An acknowledged publish, file by file")]
    assert traced(daemon, functions, tmp_path, lambda: control.ask(
        "publish", topic="notification/alice", body={"kind": "likes"}), WORKERS) == functions
