"""`make cluster`: members are killed while the tour plays, and a table shows who owns what."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest
from client import DEADLINE, REPOSITORY, binary
from cluster import NAMES, absent
from test_show import Show

pytestmark = pytest.mark.skipif(bool(absent()), reason=absent())


@pytest.fixture
def recording(tmp_path):
    """Long enough for one kill."""
    path = tmp_path / "short.jsonl"
    path.write_text(
        '{"gesture-recording":1,"scene":"phone","seed":1}\n'
        '{"t":0,"topic":"command/alice","body":{"command":"open","scene":"phone"}}\n'
        '{"t":100,"caption":"One likes it"}\n'
        + "".join(
            f'{{"t":{time},"topic":"notification/alice","body":{{"kind":"likes"}}}}\n'
            for time in range(100, 6_000, 100)), encoding="utf-8")
    return str(path)


def test_elsewhere_a_line_tells_each_change(recording: str):
    result = subprocess.run(
        [sys.executable, ".ci/cluster", recording], cwd=REPOSITORY, capture_output=True,
        text=True, timeout=DEADLINE * 3, stdin=subprocess.DEVNULL,
        env=os.environ | {"GESTURED_BIN": str(binary())})
    said = result.stdout
    assert result.returncode == 0, said + result.stderr
    assert "\x1b" not in said and all(name in said for name in NAMES)
    assert "“One likes it”" in said
    for wanted in (
            r"kill -9 (left|middle|right): it had alice and 8[56] shards",
            r"the others own its shards, \d\.\d s after the kill",
            r"(left|middle|right) answers, \d\.\d s after the kill", "is started again",
            r"the tour has ended: 60 events were answered"):
        assert re.search(wanted, said), f"no {wanted}:\n{said}"


def test_a_terminal_shows_who_owns_what_until_it_is_interrupted(recording: str):
    with Show(
            ".ci/cluster", recording, script=sys.executable,
            GESTURED_BIN=str(binary())) as show:
        show.until(r"member +state +shards")
        for name in NAMES:
            show.until(rf"{name} +live +8[56]  █+")
        show.until(r"alice lives at (left|middle|right)")
        show.press("\x03")
        assert show.wait() == 130
        assert "all daemons have ended" in show.text
