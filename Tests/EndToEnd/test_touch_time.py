"""A state tells when its newest touch was sent, so that a screen can measure the way."""

from __future__ import annotations

import time

import pytest
from client import Control


def test_a_states_input_is_the_publishers_own_instant(control: Control, session: str) -> None:
    control.open(session, {"viewport": [320, 568], "components": [{"id": "toss", "kind": "toss"}]})
    sent = time.time() * 1000
    for phase, x in [("began", 160), ("changed", 180)]:
        control.publish(f"gesture/{session}", {
            "gesture": "pointer", "phase": phase, "pointer": 1, "x": x, "y": 223, "t": sent})
    assert control.state(session, "toss")["input"] == pytest.approx(sent, abs=0.001)
