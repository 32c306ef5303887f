"""Attacks by what a few bytes have the daemon do; see attacks.py."""

from __future__ import annotations

import time

from costly_scenes import brings_tips_by_itself
from sending import opened


def chains_that_wait(events: str, updates: str, control: str, end: float) -> None:
    """Sessions at rest whose reactions have each other do much at each step."""
    opened(control, brings_tips_by_itself)
    time.sleep(max(0, end - time.monotonic()))
