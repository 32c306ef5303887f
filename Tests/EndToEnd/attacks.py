"""Peers of the daemon that mean no good: attacks.py NAME EVENTS UPDATES CONTROL SECONDS.

Each runs in a process of its own, so that it does not slow the one that measures. Prints a line
when it begins. A connection that the daemon cuts is made anew, until the time is over. With
ATTACK_KEYS in the environment, all of them speak CURVE; with ATTACK_EVENTS_KIND=PUSH they push
events.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import random
import resource
import select
import sys
import time

from attacks_work import (
    assignments_by_events, chains_by_events, chains_by_waiting_events, chains_that_wait,
    circles_of_variables, large_frames, large_replies, large_rows, many_followers,
    many_idle_followers, rows_that_move, taps_among_views, texts_of_each_frame, timers_of_reactions,
    unread_replies_of_many)
from attacks_wire import (
    drips_of_empty_frames, empty_frames, empty_frames_asked, empty_frames_held, empty_updates,
    few_empty_frames_held, medium_requests_of_many, pings, pings_with_context,
    short_messages_of_frames, unknown_commands)
from costly_scenes import LISTS, changed, changes_itself, long
from scenes import VIEWPORT
from sending import CHANGED_SESSIONS, EVENTS_KIND, KEYS, Chunk, joined, opened, repeat
from zmtp import Raw

# Connections that one peer holds.
IDLE_MAX = 5_000
# Connections that send large requests at once.
LARGE_PEERS = int(os.environ.get("LARGE_PEERS", "20"))
# Connections that hold an unfinished message, and the bytes of one.
UNFINISHED_MAX = 750
UNFINISHED_BYTES = 1_048_000
# Requests of each session whose scene changes that are under way. Sessions have room for 512.
REQUESTS_UNDER_WAY = 400


def random_prefixes(events: str, updates: str, control: str, end: float) -> None:
    def chunks():
        while True:
            yield Chunk(*((b"\1" + os.urandom(100), False) for _ in range(500)))
    repeat(updates, "SUB", chunks, end)


def on_and_off(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk((b"\1state/churn/", False), (b"\0state/churn/", False), times=5_000)
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def beginnings_on_and_off(events: str, updates: str, control: str, end: float) -> None:
    """Prefixes of names, of every length: each concerns the sessions of all lanes."""
    chunk = Chunk(*itertools.chain.from_iterable(
        ((b"\1badge/" + name, False), (b"\0badge/" + name, False))
        for name in (b"b" * count for count in range(1, 65))), times=100)
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def resends(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk((b"\1state/bystander/", False), times=10_000)
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def syncs(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk(*((b"\1sync/n%d" % number, False) for number in range(5_000)))
    repeat(updates, "SUB", lambda: itertools.repeat(chunk), end)


def unread_scenes(events: str, updates: str, control: str, end: float) -> None:
    """Asks for large scenes again and again, and reads nothing."""
    names = opened(control, long)
    chunk = Chunk(*((b"\1scene/" + name.encode(), False) for name in names))

    def chunks():
        while time.monotonic() < end:
            yield chunk
            # The daemon answers once what comes together.
            time.sleep(0.002)
    repeat(updates, "SUB", chunks, end)


def endless_frames(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk((b"", True), times=50_000)
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(chunk), end)


def endless_request(events: str, updates: str, control: str, end: float) -> None:
    chunk = Chunk((b"", True), times=50_000)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def many_frames(events: str, updates: str, control: str, end: float) -> None:
    def chunks():
        while True:
            for _ in range(40):
                yield Chunk((b"", True), times=50_000)
            yield Chunk((b"", False))
    repeat(events, EVENTS_KIND, chunks, end)


LARGE_REQUEST = b'{"op":"hello","x":"' + b"a" * 1_000_000 + b'"}'


def large_requests(events: str, updates: str, control: str, end: float) -> None:
    request = Chunk((LARGE_REQUEST, False))
    repeat(control, "DEALER", lambda: itertools.repeat(request), end)


def large_requests_of_many(events: str, updates: str, control: str, end: float) -> None:
    """The same by many connections, each as fast as the daemon reads it."""
    poll = select.epoll()
    peers: dict[int, tuple[Raw, bytes]] = {}
    while time.monotonic() < end:
        # The first ones send while the next ones join.
        if len(peers) < LARGE_PEERS:
            # The daemon lets none in while very many bytes wait.
            with contextlib.suppress(OSError):
                raw = Raw(control, "DEALER", KEYS)
                raw.socket.setblocking(False)
                poll.register(raw.socket, select.EPOLLOUT | select.EPOLLIN)
                peers[raw.socket.fileno()] = raw, b""
        for number, ready in poll.poll(0 if len(peers) < LARGE_PEERS else 0.1, 4):
            raw, rest = peers[number]
            try:
                if ready & select.EPOLLIN and not raw.socket.recv(65_536):
                    raise ConnectionError
                if ready & select.EPOLLOUT:
                    rest = rest or b"".join(raw.pack([(LARGE_REQUEST, False)]))
                    peers[number] = raw, rest[raw.socket.send(rest):]
            except BlockingIOError:
                pass
            except OSError:
                peers.pop(number)[0].close()


# Swift sorts the marks behind a letter to compare it, in a time that grows with their square.
MARKS = "p" + "\u0301\u0316"


# Unicode's normal form has two marks for it, so that to compare it takes longest.
LONG_NAMES = {"\u0344" * 1_900 + str(number): 0 for number in range(240)}


def names_in_requests(events: str, updates: str, control: str, end: float) -> None:
    """Requests of nearly a MB that is names of members."""
    request = json.dumps({"op": "hello", **LONG_NAMES}, ensure_ascii=False).encode()
    repeat(control, "DEALER", lambda: itertools.repeat(Chunk((request, False))), end)


def marks_in_requests(events: str, updates: str, control: str, end: float) -> None:
    name = MARKS[0] + MARKS[1:] * 30_000
    request = json.dumps({"op": "hello", name: 0}, ensure_ascii=False).encode()
    repeat(control, "DEALER", lambda: itertools.repeat(Chunk((request, False))), end)


def marks_in_events(events: str, updates: str, control: str, end: float) -> None:
    name = MARKS[0] + MARKS[1:] * 15_000
    frames = []
    pointer = {"gesture": "pointer", "phase": name}
    for fields in ({"gesture": name}, pointer, {"gesture": "tap", name: 0}):
        body = json.dumps(fields, ensure_ascii=False).encode()
        frames += [(b"gesture/neighbour/toss", True), (body, False)]
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(Chunk(*frames)), end)


def unread_replies(events: str, updates: str, control: str, end: float) -> None:
    """Asks for the state of a large session again and again, and reads nothing."""
    chunk = Chunk((json.dumps({"op": "export", "session": "large"}).encode(), False), times=200)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def hits(events: str, updates: str, control: str, end: float) -> None:
    """Asks what lies under a point of its own scenes, which have very many views."""
    lists = [
        {"id": f"l{place}", "kind": "list", "rows": 1_000_000, "row_height": 0.001,
         "frame": [0, 0, 100, 100], "clip": False} for place in range(32)]
    names = opened(control, lambda _: {"viewport": VIEWPORT, "components": lists})
    requests = ({"op": "hit", "session": name, "x": 300, "y": 500} for name in names)
    chunk = Chunk(*((json.dumps(request).encode(), False) for request in requests), times=20)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def descriptions(events: str, updates: str, control: str, end: float) -> None:
    """Opens what is open, and asks for its long scene each time."""
    requests = (
        {"op": "open", "session": name, "describe": True}
        for name in opened(control, long))
    chunk = Chunk(*((json.dumps(request).encode(), False) for request in requests), times=16)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def openings(events: str, updates: str, control: str, end: float) -> None:
    """Opens and closes sessions, each with a short scene that changes itself as it opens."""
    lists = [{"id": f"l{place}", "kind": "list", "rows": 20} for place in range(24)]
    reactions = [
        {"when": {"session": "opened"},
         "do": {"component": f"l{place}", "command": "set", "values": {"rows": 30 + place}}}
        for place in range(8)]
    scene = {"viewport": VIEWPORT, "components": lists, "reactions": reactions}
    requests = itertools.chain.from_iterable(
        ({"op": "open", "session": f"mine-{number}", "scene": scene},
         {"op": "close", "session": f"mine-{number}"}) for number in range(32))
    chunk = Chunk(
        *((json.dumps(request, separators=(",", ":")).encode(), False) for request in requests))
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def taps(events: str, updates: str, control: str, end: float) -> None:
    """Asks for all tapped events again and again, of which each is as long as is told."""
    tap = Chunk((b'{"op":"tap","after":0}', False))
    raw = joined(control, "DEALER")
    raw.send(tap.frames[0][0])
    raw.frames()
    publisher = joined(events, EVENTS_KIND)
    time.sleep(0.2)
    body = b'{"kind":"likes","x":"' + b"a" * 4_060 + b'"}'
    for _ in range(2_100):
        publisher.send(b"notification/mine-tap", body)
    chunk = Chunk(tap.frames[0], times=64)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def peers_of_many(events: str, updates: str, control: str, end: float) -> None:
    """Asks for all connections again and again, of which there are very many."""
    held = [joined(updates, "SUB") for _ in range(1_000)]
    chunk = Chunk((b'{"op":"peers"}', False), times=64)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)
    for raw in held:
        raw.close()


def very_many_values(events: str, updates: str, control: str, end: float) -> None:
    """Requests whose members are short each, and have very many values together."""
    values = ",".join(['""'] * 1_300)
    members = ",".join(f'"k{number}":[{values}]' for number in range(15))
    chunk = Chunk((f'{{"op":"hello",{members}}}'.encode(), False))
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def small_events(events: str, updates: str, control: str, end: float) -> None:
    """As many as can be, each an event that counts."""
    chunk = Chunk((b"notification/flooded", True), (b'{"kind":"likes"}', False), times=2_000)
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(chunk), end)


def push_and_leave(events: str, updates: str, control: str, end: float) -> None:
    """A connection for each event."""
    parts = Chunk((b"notification/flooded", True), (b'{"kind":"likes"}', False))
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            raw = Raw(events, EVENTS_KIND, KEYS)
            for part in parts.packed(raw):
                raw.socket.sendall(part)
            raw.close()


def large_events(events: str, updates: str, control: str, end: float) -> None:
    body = b'{"kind":"likes","x":"' + b"a" * 65_000 + b'"}'
    chunk = Chunk(*itertools.chain.from_iterable(
        ((b"notification/flooded%d" % number, True), (body, False)) for number in range(10)))
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(chunk), end)


def handshakes(events: str, updates: str, control: str, end: float) -> None:
    while time.monotonic() < end:
        for endpoint, kind in ((events, EVENTS_KIND), (updates, "SUB"), (control, "DEALER")):
            try:
                Raw(endpoint, kind, KEYS).close()
            except OSError:
                pass


def idle_clients(events: str, updates: str, control: str, end: float) -> None:
    """Whole handshakes, and nothing more: up to thousands of connections that stay."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    places = itertools.cycle(((events, EVENTS_KIND), (updates, "SUB"), (control, "DEALER")))
    held = []
    while time.monotonic() < end:
        if len(held) < min(IDLE_MAX, hard - 100):
            with contextlib.suppress(OSError):
                held.append(Raw(*next(places), KEYS))
        else:
            time.sleep(0.01)


def unfinished(events: str, updates: str, control: str, end: float) -> None:
    """Each connection sends all but the last byte of a frame, and waits."""
    start = b"\2" + UNFINISHED_BYTES.to_bytes(8, "big") + bytes(UNFINISHED_BYTES - 1)
    places = itertools.cycle(((events, EVENTS_KIND), (control, "DEALER")))
    held: dict[int, Raw] = {}
    poll = select.epoll()
    while time.monotonic() < end:
        try:
            if len(held) < UNFINISHED_MAX:
                raw = Raw(*next(places), KEYS, seconds=1)
                raw.socket.sendall(start)
                held[raw.socket.fileno()] = raw
                poll.register(raw.socket, select.EPOLLRDHUP | select.EPOLLHUP | select.EPOLLERR)
        except OSError:
            pass
        for number, _ in poll.poll(0 if len(held) < UNFINISHED_MAX else 0.01):
            held.pop(number).close()


# MARK: Changes of scenes


def change(session: str, number: int) -> tuple[bytes, bytes]:
    """An event that sets one list's rows."""
    body = {"command": "set", "component": f"list{number % LISTS}",
            "values": {"rows": number % 50}}
    return f"command/{session}".encode(), json.dumps(body).encode()


def scenes_that_change_themselves(events: str, updates: str, control: str, end: float) -> None:
    opened(control, changes_itself)
    time.sleep(max(0, end - time.monotonic()))


def changes_by_events(events: str, updates: str, control: str, end: float) -> None:
    names = opened(control, changed)
    flood = itertools.chain.from_iterable(
        ((topic, True), (body, False))
        for number in range(50) for topic, body in (change(name, number) for name in names))
    chunk = Chunk(*flood)
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(chunk), end)


def changes_by_requests(events: str, updates: str, control: str, end: float) -> None:
    """As many requests as one session may have under way, for each; it reads the answers."""
    names = opened(control, changed)
    poll, peers = select.epoll(), {}

    def ask(raw: Raw, name: str, count: int) -> None:
        for number in range(count):
            topic, body = change(name, number)
            raw.send(b'{"op":"publish","topic":"%s","body":%s}' % (topic, body))

    def join(name: str) -> None:
        raw = joined(control, "DEALER")
        poll.register(raw.socket, select.EPOLLIN)
        peers[raw.socket.fileno()] = raw, name
        ask(raw, name, REQUESTS_UNDER_WAY)

    for name in names:
        join(name)
    while time.monotonic() < end:
        for number, _ in poll.poll(0.1):
            raw, name = peers[number]
            try:
                raw.frames()
                ask(raw, name, 1)
            except OSError:
                peers.pop(number)[0].close()
                join(name)


# MARK: Beyond a grant


def foreign_events(events: str, updates: str, control: str, end: float) -> None:
    """Events of sessions that the key may not touch."""
    chunk = Chunk(
        (b"gesture/bystander/profile", True),
        (b'{"gesture":"scroll","phase":"changed","offset":7}', False), times=2_000)
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(chunk), end)


def foreign_rejections(events: str, updates: str, control: str, end: float) -> None:
    """Events of another's session, which are refused: what does its owner hear of that?"""
    chunk = Chunk((b"notification/kiosk-2", True), (b'{"kind":"likes"}', False), times=2_000)
    repeat(events, EVENTS_KIND, lambda: itertools.repeat(chunk), end)


def foreign_requests(events: str, updates: str, control: str, end: float) -> None:
    requests = (
        {"op": "close", "session": "bystander"}, {"op": "export", "session": "large"},
        {"op": "open", "session": "foreign", "scene": "phone"}, {"op": "stats"})
    chunk = Chunk(*((json.dumps(request).encode(), False) for request in requests), times=500)
    repeat(control, "DEALER", lambda: itertools.repeat(chunk), end)


def foreign_updates(events: str, updates: str, control: str, end: float) -> None:
    """Connects where it may not read. No answer comes."""
    while time.monotonic() < end:
        try:
            Raw(updates, "SUB", KEYS, seconds=0.01).close()
        except OSError:
            pass


ATTACKS = {
    name: value for name, value in list(globals().items())
    if callable(value) and getattr(value, "__annotations__", {}).get("events") == "str"}


def main() -> None:
    name, events, updates, control, seconds = sys.argv[1:]
    random.seed(1)
    print("begins", flush=True)
    ATTACKS[name](events, updates, control, time.monotonic() + float(seconds))


if __name__ == "__main__":
    main()
