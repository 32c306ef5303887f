"""Attacks by what a few bytes have the daemon do; see attacks.py."""

from __future__ import annotations

import itertools
import json
import time

from costly_scenes import brings_tips_by_itself, shared
from sending import EVENTS_KIND, KEYS, opened
from zmtp import Raw

# Sessions of one scene. Together their rows have some 30 MB.
SHARING_SESSIONS = 500


def chains_that_wait(events: str, updates: str, control: str, end: float) -> None:
    """Sessions at rest whose reactions have each other do much at each step."""
    opened(control, brings_tips_by_itself)
    time.sleep(max(0, end - time.monotonic()))


def large_rows(events: str, updates: str, control: str, end: float) -> None:
    """Counts in very many sessions of one scene of 60 KB, which is stored with each."""
    names = opened(control, lambda _: shared(), SHARING_SESSIONS)
    raw = Raw(events, EVENTS_KIND, KEYS)
    # A PUB that has just connected loses what it sends.
    time.sleep(0.2)
    for number in itertools.count(1):
        body = json.dumps({"kind": "likes", "set": number}).encode()
        for name in names:
            raw.send(f"notification/{name}".encode(), body)
        if time.monotonic() >= end:
            break
        time.sleep(0.05)
    raw.close()
