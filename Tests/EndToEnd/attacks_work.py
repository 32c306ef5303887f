"""Attacks by what a few bytes have the daemon do; see attacks.py."""

from __future__ import annotations

import itertools
import json
import time

from costly_scenes import (
    brings_tips, brings_tips_by_itself, brings_tips_where_it_changes_itself, shared)
from scenes import VIEWPORT
from sending import EVENTS_KIND, KEYS, Chunk, opened, repeat
from zmtp import Raw

# Sessions of one scene. Together their rows have some 30 MB.
SHARING_SESSIONS = 500


def flood(events: str, frames: list[tuple[bytes, bytes]], end: float) -> None:
    parts = itertools.chain.from_iterable(((topic, True), (body, False)) for topic, body in frames)
    chunk = Chunk(*parts, times=max(1, 200 // len(frames)))
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(chunk), end)


def chains_by_events(events: str, updates: str, control: str, end: float) -> None:
    """Notifications, each of which has 32 reactions bring 1,024 tips."""
    names = opened(control, brings_tips)
    flood(events, [(f"notification/{name}".encode(), b'{"kind":"go"}') for name in names], end)


def chains_by_waiting_events(events: str, updates: str, control: str, end: float) -> None:
    """The same in scenes that their reactions may change, so that all events wait."""
    names = opened(control, brings_tips_where_it_changes_itself)
    flood(events, [(f"notification/{name}".encode(), b'{"kind":"go"}') for name in names], end)


def taps_among_views(events: str, updates: str, control: str, end: float) -> None:
    """Taps on sessions that have very many views, of which each is asked."""
    lists = [
        {"id": f"l{place}", "kind": "list", "rows": 1_000_000, "row_height": 0.001,
         "frame": [0, 0, 100, 100], "clip": False} for place in range(32)]
    body = json.dumps({"gesture": "tap", "x": 300, "y": 500}).encode()
    names = opened(control, lambda _: {"viewport": VIEWPORT, "components": lists})
    flood(events, [(f"gesture/{name}".encode(), body) for name in names], end)


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
