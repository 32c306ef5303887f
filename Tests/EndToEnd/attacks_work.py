"""Attacks by what a few bytes have the daemon do; see attacks.py."""

from __future__ import annotations

import contextlib
import itertools
import json
import select
import socket
import time

import zmtp
from costly_scenes import (
    brings_tips, brings_tips_by_itself, brings_tips_where_it_changes_itself, circle_of_texts,
    circle_of_variables, long, long_texts, moving, moving_rows, shared, shows_large_tips, timers)
from scenes import VIEWPORT
from sending import EVENTS_KIND, KEYS, Chunk, joined, opened, repeat
from zmtp import Raw

# Sessions of one scene. Together their rows have some 30 MB.
SHARING_SESSIONS = 500
# Connections that leave a large reply unread, and those that follow all that moves.
UNREADING_PEERS = 700
# Connections that read large replies, and what each has asked for at once.
READING_PEERS = 24
REPLIES_UNDER_WAY = 8
FOLLOWERS = 100


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


def circles_of_variables(events: str, updates: str, control: str, end: float) -> None:
    """Reactions to a variable, or to a text that names it, that assign it again."""
    opened(control, lambda number: (circle_of_variables, circle_of_texts)[number % 2](number))
    time.sleep(max(0, end - time.monotonic()))


def timers_of_reactions(events: str, updates: str, control: str, end: float) -> None:
    """Sessions of 64 reactions, each of which happens ten times a second."""
    opened(control, timers)
    time.sleep(max(0, end - time.monotonic()))


def rows_that_move(events: str, updates: str, control: str, end: float) -> None:
    """Lists of 10,000 rows that change by themselves, and one who follows all of them."""
    opened(control, moving_rows)
    peers = following(updates, b"rows/attack", 1)
    peers[0].send(b"\1state/attack")
    read_all(peers, end)


def texts_of_each_frame(events: str, updates: str, control: str, end: float) -> None:
    """Assignments that have long texts filled in with each frame, and one who follows them."""
    names = opened(control, long_texts)
    peers = following(updates, b"frame/attack", 1)
    raw = joined(events, EVENTS_KIND)
    # A PUB that has just connected loses what it sends.
    time.sleep(0.2)
    for number in itertools.count(1):
        body = json.dumps({"command": "assign", "values": {"v": number}}).encode()
        for name in names:
            raw.send(f"command/{name}".encode(), body)
        if time.monotonic() >= end:
            break
        read_all(peers, time.monotonic() + 0.008)
    raw.close()


def assignments_by_events(events: str, updates: str, control: str, end: float) -> None:
    """The same as fast as they are taken, for sessions in which each leads to a circle."""
    names = opened(control, circle_of_texts)
    bodies = [json.dumps({"command": "assign", "values": {"v": number}}).encode()
              for number in range(50)]
    flood(events, [(f"command/{name}".encode(), body) for body in bodies for name in names], end)


def large_rows(events: str, updates: str, control: str, end: float) -> None:
    """Counts in very many sessions of one scene of 60 KB, which is stored with each."""
    names = opened(control, lambda _: shared(), SHARING_SESSIONS)
    raw = joined(events, EVENTS_KIND)
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


def narrow(endpoint: str) -> socket.socket:
    """A connection for which the system holds little, so that what waits waits in the daemon."""
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 536)
    made.settimeout(30)
    made.connect(zmtp.address(endpoint))
    return made


def unread_replies_of_many(events: str, updates: str, control: str, end: float) -> None:
    """Very many connections that each ask for one scene of 780 KB, and read nothing."""
    name = opened(control, long, 1)[0]
    request = json.dumps({"op": "scene", "session": name}).encode()
    zmtp.connected = narrow
    held = []
    while len(held) < UNREADING_PEERS and time.monotonic() < end:
        held.append(joined(control, "DEALER"))
        held[-1].send(request)
    time.sleep(max(0, end - time.monotonic()))


def large_replies(events: str, updates: str, control: str, end: float) -> None:
    """Connections that ask for sessions of 780 KB, and read what comes as fast as they can."""
    names = opened(control, long, 4)
    requests = [json.dumps({"op": "export", "session": name}).encode() for name in names]
    peers = {peer.socket.fileno(): peer for peer in (
        joined(control, "DEALER") for _ in range(READING_PEERS))}
    first = next(iter(peers.values()))
    first.send(requests[0])
    size = sum(map(len, first.frames()))
    poll = select.epoll()
    for descriptor, peer in peers.items():
        poll.register(descriptor, select.EPOLLIN)
        for number in range(REPLIES_UNDER_WAY):
            peer.send(requests[number % len(requests)])
    received = dict.fromkeys(peers, 0)
    room = bytearray(1 << 20)
    while time.monotonic() < end:
        for descriptor, _ in poll.poll(0.1):
            peer = peers[descriptor]
            received[descriptor] += peer.socket.recv_into(room)
            while received[descriptor] >= size:
                received[descriptor] -= size
                peer.send(requests[descriptor % len(requests)])


def read_all(peers: list[Raw], end: float) -> None:
    """Reads what comes as fast as it can."""
    poll = select.epoll()
    sockets = {peer.socket.fileno(): peer.socket for peer in peers}
    for descriptor, one in sockets.items():
        one.setblocking(False)
        poll.register(descriptor, select.EPOLLIN)
    room = bytearray(1 << 20)
    while time.monotonic() < end:
        for descriptor, _ in poll.poll(0.1):
            with contextlib.suppress(BlockingIOError):
                if not sockets[descriptor].recv_into(room):
                    poll.unregister(descriptor)


def following(updates: str, beginning: bytes, count: int) -> list[Raw]:
    peers = [joined(updates, "SUB") for _ in range(count)]
    for peer in peers:
        peer.send(b"\1" + beginning)
    return peers


def large_frames(events: str, updates: str, control: str, end: float) -> None:
    """Sessions whose frames have 250 KB, and a subscriber that reads as fast as it can."""
    opened(control, shows_large_tips, 20)
    peers = following(updates, b"frame/attack", 1)
    peers[0].send(b"\1state/attack")
    read_all(peers, end)


def many_followers(events: str, updates: str, control: str, end: float) -> None:
    """Very many connections that follow very many moving sessions, and read all they can."""
    opened(control, lambda _: moving(), 400)
    read_all(following(updates, b"frame/attack", FOLLOWERS), end)


def many_idle_followers(events: str, updates: str, control: str, end: float) -> None:
    """Very many connections that follow very many moving sessions, and read nothing."""
    opened(control, lambda _: moving(), 400)
    peers = following(updates, b"frame/attack", FOLLOWERS)
    time.sleep(max(0, end - time.monotonic()))
    assert len(peers) == FOLLOWERS
