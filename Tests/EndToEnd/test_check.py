"""`gesturectl check`: one line, performance data, and a monitor's exit status."""

from __future__ import annotations

import os
import re

import pytest
from client import Daemon
from tool import ctl

LINE = re.compile(r"GESTURED (OK|WARNING|CRITICAL|UNKNOWN) - ([^|\n]+)(?: \| (.+))?")
# By the monitors' guide for plugins: 'label'=value[UOM];[warn];[crit];[min];[max]
DATA = re.compile(
    r"(\w+)=(-?[0-9.]+)(ms|s|%|B|)(?:;([^;\s]*))?(?:;([^;\s]*))?(?:;([0-9.]*))?(?:;([0-9.]*))?")
FIGURES = {"answer", "latency", "sessions", "full", "moving", "events", "updates", "rejected",
           "late", "pending", "unstored", "uptime"}


def check(daemon: Daemon, *arguments: object) -> tuple[int, str, str, dict[str, re.Match]]:
    environment = os.environ | {
        "GESTURED_EVENTS": daemon.events, "GESTURED_UPDATES": daemon.updates,
        "GESTURED_CONTROL": daemon.control}
    done = ctl("check", *arguments, env=environment)
    assert done.stderr == b"", done
    line = LINE.fullmatch(done.stdout.decode().splitlines()[0])
    assert line, done.stdout
    data = {word.split("=")[0]: DATA.fullmatch(word) for word in (line[3] or "").split()}
    assert all(data.values()), line[3]
    return done.returncode, line[1], line[2], data


def test_a_good_daemon_is_ok_with_all_figures(daemon: Daemon, control):
    control.open("alice", "phone")
    status, word, text, data = check(daemon, "-d", 0.2)
    assert (status, word) == (0, "OK") and set(data) == FIGURES, text
    assert float(data["sessions"][2]) == 1 and float(data["uptime"][2]) > 0
    assert data["answer"][3] == "ms" and data["answer"][4] == "500" and data["answer"][6] == "0"


# Options, the status, and what the text says.
STATES = [
    (["-w", "sessions=0"], 1, "sessions 1 (warning 0)"),
    (["-c", "sessions=0"], 2, "sessions 1 (critical 0)"),
    (["-w", "sessions=0", "-c", "sessions=5"], 1, "sessions 1"),
    (["-w", "sessions=2:"], 1, "warning 2:"), (["-w", "sessions=1:"], 0, "1 sessions"),
    (["-w", "sessions=@1:1"], 1, "warning @1:1"), (["-w", "sessions=~:1"], 0, "1 sessions"),
    (["-w", "sessions=0,sessions=none"], 0, "1 sessions"),
    (["-s", "alice"], 0, "1 sessions"), (["-s", "bob"], 2, "session bob is not open"),
    (["-w", "session=1"], 3, "no figure 'session'; did you mean sessions?"),
    (["-w", "sessions"], 3, "no FIGURE=RANGE"), (["-c", "latency=5:1"], 3, "no FIGURE=RANGE"),
    (["--nonsense"], 3, "unknown option"), (["x"], 3, "one argument too many"),
    (["-d", "-1"], 3, "--delay must be"), (["-w", "latency=|"], 3, "latency=/"),
]


@pytest.mark.parametrize(("options", "status", "words"), STATES)
def test_thresholds_decide_the_status(daemon: Daemon, control, options, status: int, words: str):
    control.open("alice", "phone")
    got, word, text, _ = check(daemon, "--delay=0", *options)
    assert got == status == ["OK", "WARNING", "CRITICAL", "UNKNOWN"].index(word), text
    assert words in text


def test_rates_are_those_of_the_measured_time(daemon: Daemon, control):
    for _ in range(5):
        control.refused("publish", topic="command/alice/nobody", body={"command": "x"})
    status, _, _, data = check(daemon, "-d", 0.1, "-w", "rejected=0")
    assert status == 0 and float(data["rejected"][2]) == 0, "they were refused before"


def test_a_daemon_that_is_gone_is_critical():
    with Daemon() as daemon:
        daemon.stop()
        status, word, text, data = check(daemon, "--timeout", 2)
        assert (status, word, data) == (2, "CRITICAL", {}) and "no daemon listens" in text
