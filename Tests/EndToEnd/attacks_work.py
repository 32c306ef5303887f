"""Attacks by what a few bytes have the daemon do; see attacks.py."""

from __future__ import annotations

import itertools
import json
import time

from costly_scenes import brings_tips, brings_tips_by_itself
from scenes import VIEWPORT
from sending import EVENTS_KIND, Chunk, opened, repeat


def flood(events: str, frames: list[tuple[bytes, bytes]], end: float) -> None:
    parts = itertools.chain.from_iterable(((topic, True), (body, False)) for topic, body in frames)
    chunk = Chunk(*parts, times=max(1, 200 // len(frames)))
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(chunk), end)


def chains_by_events(events: str, updates: str, control: str, end: float) -> None:
    """Notifications, each of which has 32 reactions bring 1,024 tips."""
    body = json.dumps({"kind": "go"}).encode()
    names = opened(control, brings_tips)
    flood(events, [(f"notification/{name}".encode(), body) for name in names], end)


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
