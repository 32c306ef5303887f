"""Numbers in content: they reach renderers as they came, and come back from the store."""

from __future__ import annotations

import signal

import pytest
from client import Control, Daemon
from scenes import rows, scene

# A row of another session, which must be stored all the same.
PLAIN = scene(rows(rows=[{"id": "a"}]))


def told(control: Control, session: str) -> list[dict]:
    return [row["content"] for row in control.snapshot(session)[f"rows/{session}/list"]["rows"]]


@pytest.mark.parametrize("number", [
    2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30, -(2**63), -(2**63) - 2**12, 1e300, 0.1])
def test_a_number_in_content_stays_that_number(session: str, number: float):
    is_whole = isinstance(number, int) and -(2**63) <= number < 2**64
    expected = number if is_whole else float(number)
    content = {"number": number, "list": [number, {"deep": number}]}
    with Daemon() as daemon:
        control = daemon.requests()
        control.open(session, scene(rows(rows=[{"id": "a", "content": content}])))
        control.command(session, "list", "insert", item={"id": "b", "content": content})
        control.open(f"{session}-2", PLAIN)
        for _ in range(2):
            for got in told(control, session):
                assert got == {"number": expected, "list": [expected, {"deep": expected}]}, got
            for name in (session, f"{session}-2"):
                control.command(name, "list", "select", item="a")
            control = daemon.restart(signal.SIGKILL)
        assert control.state(f"{session}-2", "list")["model"]["selected"] == 0


def test_a_number_beyond_a_double_is_null(control: Control, session: str):
    control.open(session, scene(rows(rows=[{"id": "a", "content": {"number": 10**400}}])))
    assert told(control, session) == [{"number": None}]
