"""WebSocket and HTTP clients that mean no good: web_attacks.py NAME HOST:PORT SECONDS.

Each runs in a process of its own, so that it does not slow the one that measures. Prints a line
when it begins, once what it needs is there. A connection that gesture-web closes is made again.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import select
import socket
import string
import sys
import threading
import time

from attacks import CHANGED_SESSIONS, LONG_NAMES, change
from attacks_strangers import Crowd, held
from costly_scenes import changed, changes_itself, long, moving, shows_large_tips
from wire import deflated, taken, upgraded
from wire import empty_blocks as blocks

# Clients that one attacker holds: gesture-web lets 256 in, and the bystanders need some.
CLIENTS_MAX = 240
# Requests that gesture-web lets one client have under way.
REQUESTS_UNDER_WAY = 32
MESSAGE_BYTES = 1_048_576
# One client's allowance a second, for ever.
MESSAGES_A_SECOND, BYTES_A_SECOND = 1_900, 1_000_000
HALF_OPEN_MAX = 5_200
# Seconds in which the connections of an attack that has ended are gone.
JOIN_SECONDS = 5.0
has_begun = threading.Event()
# Sessions that move, the items of each, and clients that follow them and read nothing.
DEAD_SESSIONS, MERGED_SESSIONS, MERGED_ITEMS, DEAD_READERS = 100, 30, 30, 10
HOGS = 60
# Sessions whose frames have 247 KB, each with a client that follows it. With keys the daemon itself
# encrypts no more of them in time.
LARGE_FRAMES, FEWER_LARGE_FRAMES = 20, 10
# Prefixes that others have, of one client.
SHARED_PREFIXES = 253
DEFLATE = "permessage-deflate"


def framed(text: bytes, rsv: int = 0) -> bytes:
    """A message in one frame. Its mask is zero, for a large one takes long to mask here."""
    size = len(text)
    if size < 126:
        head = bytes([0x81, 0x80 | size])
    elif size < 65_536:
        head = b"\x81\xfe" + size.to_bytes(2, "big")
    else:
        head = b"\x81\xff" + size.to_bytes(8, "big")
    return bytes([head[0] | rsv << 4]) + head[1:] + bytes(4) + text


def said(message: object) -> bytes:
    return framed(json.dumps(message).encode())


def request(op: str, **fields: object) -> bytes:
    return said({"request": {"op": op, "id": 1, **fields}})


def begins() -> None:
    print("begins", flush=True)
    has_begun.set()


def joined(place: str, *more: str) -> socket.socket:
    """A WebSocket. Until this attack begins, those of the one before it may still be there."""
    end = time.monotonic() + (0 if has_begun.is_set() else JOIN_SECONDS)
    while True:
        try:
            return upgraded(*place.rsplit(":", 1), *more)
        except AssertionError as error:
            if time.monotonic() > end:
                raise ConnectionError("refused") from error
            time.sleep(0.1)


class Peer:
    """A WebSocket client that sends as it may and, if it reads, counts the replies."""

    def __init__(self, place: str, receive_bytes: int = 0, extension: str = ""):
        more = [f"Sec-WebSocket-Extensions: {extension}"] if extension else []
        self.socket = joined(place, *more)
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
        self.data = self.last = b""

    def replies(self) -> int:
        """How many have come; reads once what is there. Keeps the last one."""
        part = self.socket.recv(1 << 20)
        if not part:
            raise ConnectionError("closed")
        self.data += part
        count = 0
        while found := taken(self.data):
            text, self.data = found
            if text.startswith(b'{"reply"'):
                self.last = text
                count += 1
        return count

    def do(self, data: bytes) -> None:
        """Sends one request, which must be done. Another attack may keep the daemon busy."""
        for _ in range(100):
            self.socket.sendall(data)
            while not self.replies():
                pass
            reply = json.loads(self.last)["reply"]
            if reply["ok"]:
                return
            assert reply["error"]["code"] == "busy", self.last
            time.sleep(0.1)
        raise AssertionError(self.last)


def open_sessions(place: str, count: int, scene) -> list[str]:
    names = [f"attack{os.getpid()}-{number}" for number in range(count)]
    peer, spent = Peer(place), 0
    for number, name in enumerate(names):
        data = request("open", session=name, scene=scene(number))
        if spent + len(data) > 3 * MESSAGE_BYTES // 2:
            # Its allowance is used up.
            peer.socket.close()
            peer, spent = Peer(place), 0
        spent += len(data)
        try:
            peer.do(data)
        except ConnectionError:
            # Beside another attack it may be cut.
            peer, spent = Peer(place), len(data)
            peer.do(data)
    peer.socket.close()
    return names


def follow_unread(place: str, end: float, sessions: int, items: int) -> None:
    open_sessions(place, sessions, lambda _: moving(items))
    begins()
    hold(place, end, DEAD_READERS, said({"subscribe": "frame/"}), receive_bytes=4_096)


def hold(place: str, end: float, count: int, start: bytes, receive_bytes: int = 0) -> None:
    """Clients that send this, and neither send nor read any more."""
    peers: dict[int, Peer] = {}
    poll = select.poll()
    while time.monotonic() < end:
        if len(peers) < count:
            with contextlib.suppress(OSError):
                peer = Peer(place, receive_bytes)
                peer.socket.settimeout(0.5)
                peer.socket.sendall(start)
                peers[peer.socket.fileno()] = peer
                poll.register(peer.socket, select.POLLRDHUP | select.POLLHUP | select.POLLERR)
        for number, _ in poll.poll(0 if len(peers) < count else 10):
            poll.unregister(number)
            peers.pop(number).socket.close()


def paced(
    place: str, end: float, count: int, chunks, seconds: float, extension: str = "",
) -> None:
    """Clients that each send the next chunk as often as their allowance has room for it."""
    peers: list[Peer | None] = [None] * count
    begins()
    due = time.monotonic()
    while time.monotonic() < end:
        for number in range(count):
            try:
                peers[number] = peers[number] or Peer(place, extension=extension)
                # One that cannot send for so long is made again.
                peers[number].socket.settimeout(1)
                peers[number].socket.sendall(next(chunks))
                peers[number].socket.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    peers[number].replies()
            except OSError:
                peers[number] = None
        due = max(due + seconds, time.monotonic())
        time.sleep(max(0, min(end, due) - time.monotonic()))


def closed_loop(place: str, end: float, count: int, chunks, under_way: int) -> None:
    """Clients with so many requests each under way. They read the replies."""
    poll, peers = select.epoll(), {}
    begins()

    def join() -> None:
        peer = Peer(place)
        peers[peer.socket.fileno()] = peer
        poll.register(peer.socket, select.EPOLLIN)
        peer.socket.sendall(b"".join(itertools.islice(chunks, under_way)))

    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            while len(peers) < count and time.monotonic() < end:
                join()
        for number, _ in poll.poll(0.1):
            try:
                more = itertools.islice(chunks, peers[number].replies())
                peers[number].socket.sendall(b"".join(more))
            except OSError:
                peers.pop(number).socket.close()


def full_speed(place: str, end: float, count: int, frame: bytes) -> None:
    """Clients that send one frame again and again as fast as it is taken, and drop what comes."""
    data = memoryview(frame * (1 << 18))
    poll, peers, sent = select.epoll(), {}, {}
    begins()
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            while len(peers) < count:
                peer = Peer(place).socket
                peer.setblocking(False)
                peers[peer.fileno()], sent[peer.fileno()] = peer, 0
                poll.register(peer, select.EPOLLIN | select.EPOLLOUT)
        for number, what in poll.poll(0.1):
            try:
                if what & select.EPOLLOUT:
                    # Goes on within the frame of which a part was taken.
                    sent[number] += peers[number].send(data[sent[number] % len(frame):])
                if what & ~select.EPOLLOUT and not peers[number].recv(1 << 20):
                    raise ConnectionError("closed")
            except BlockingIOError:
                continue
            except OSError:
                peers.pop(number).close()


# MARK: Attacks


def dead_readers(place: str, end: float) -> None:
    """Follow many sessions that move, and read nothing."""
    follow_unread(place, end, DEAD_SESSIONS, items=1)


def many_dead_readers(place: str, end: float) -> None:
    """Very many of them, which follow all there is."""
    open_sessions(place, DEAD_SESSIONS, lambda _: moving())
    begins()
    hold(place, end, CLIENTS_MAX, said({"subscribe": ""}), receive_bytes=4_096)


def unread_merges(place: str, end: float) -> None:
    """The same with large frames, which gesture-web merges."""
    follow_unread(place, end, MERGED_SESSIONS, MERGED_ITEMS)


def read_merges(place: str, end: float) -> None:
    """No attack: one client that follows the same sessions, and reads."""
    open_sessions(place, MERGED_SESSIONS, lambda _: moving(MERGED_ITEMS))
    peer = Peer(place)
    peer.socket.sendall(said({"subscribe": "frame/"}))
    begins()
    while time.monotonic() < end:
        peer.socket.recv(1 << 20)


def unfinished_messages(place: str, end: float) -> None:
    """All but the last byte of the largest message, by as many clients as get in."""
    start = framed(b'{"topic":"' + b"a" * (MESSAGE_BYTES - 10))[:-1]
    begins()
    hold(place, end, CLIENTS_MAX, start)


def half_open(place: str, end: float) -> None:
    """Requests that never end, by thousands."""
    begins()
    Crowd([f"tcp://{place}"], lambda: held(b"GET / HTTP/1.1\r\nHost: 127"), HALF_OPEN_MAX).run(end)


def request_hogs(place: str, end: float) -> None:
    """Clients that keep as many requests under way as one may have."""
    closed_loop(place, end, HOGS, itertools.repeat(request("snapshot", session="large")),
                REQUESTS_UNDER_WAY)


def large_messages(place: str, end: float) -> None:
    """Requests of nearly the largest size, as many as each client's allowance has room for."""
    text = json.dumps({"request": {"op": "hello", "id": 1, "x": "a" * (BYTES_A_SECOND - 100)}})
    paced(place, end, HOGS, itertools.repeat(framed(text.encode())), 1.0)


def deflated_messages(place: str, end: float) -> None:
    """A KiB from each client, that stands for a MiB of small values; from all of them at once."""
    text = b'{"topic":"gesture/a/b","body":[' + b"0," * 480_000 + b"0]}"
    data = deflated(text)
    head = bytes([0xC1, 0xFE]) + len(data).to_bytes(2, "big") + bytes(4)
    peers: list[Peer | None] = [
        Peer(place, extension="permessage-deflate") for _ in range(CLIENTS_MAX)]
    begins()
    while time.monotonic() < end:
        for number in range(CLIENTS_MAX):
            try:
                peers[number] = peers[number] or Peer(place, extension="permessage-deflate")
                peers[number].socket.setblocking(False)
                peers[number].socket.sendall(head + data)
                with contextlib.suppress(BlockingIOError):
                    peers[number].replies()
            except OSError:
                peers[number] = None
        time.sleep(max(0, min(1.0, end - time.monotonic())))


def many_members(place: str, end: float) -> None:
    """The same of as many members as fit."""
    members = ",".join(f'"{number:x}":0' for number in range(100_000))
    text = f'{{"request":{{"op":"hello",{members}}}}}'
    assert len(text) < BYTES_A_SECOND
    paced(place, end, HOGS, itertools.repeat(framed(text.encode())), 1.0)


def long_names(place: str, end: float) -> None:
    """Messages of a MB that is the name of one member, which Swift takes longest to compare."""
    name = "\u0344" * (BYTES_A_SECOND // 2 - 100)
    text = f'{{"unsubscribe":"x","{name}":0}}'.encode()
    paced(place, end, HOGS, itertools.repeat(framed(text)), 1.0)


def names_in_requests(place: str, end: float) -> None:
    """Requests of many such names, which go on to the daemon."""
    text = json.dumps(
        {"request": {"op": "hello", "id": 1, **LONG_NAMES}}, ensure_ascii=False).encode()
    assert len(text) < BYTES_A_SECOND
    paced(place, end, HOGS, itertools.repeat(framed(text)), 1.0)


def costly_heads(place: str, end: float) -> None:
    """HTTP requests that are refused, with as many elements in a field as fit."""
    head = (b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\nForwarded: " + b"a;" * 3_900
            + b"\r\n\r\n")
    host, port = place.rsplit(":", 1)
    poll, peers, sent = select.epoll(), {}, {}
    begins()
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            while len(peers) < CLIENTS_MAX:
                peer = socket.create_connection((host, int(port)), timeout=5)
                peer.setblocking(False)
                peers[peer.fileno()], sent[peer.fileno()] = peer, 0
                poll.register(peer, select.EPOLLIN | select.EPOLLOUT)
        for number, what in poll.poll(0.1):
            try:
                if what & select.EPOLLIN and not peers[number].recv(1 << 16):
                    raise ConnectionError("closed")
                if what & select.EPOLLOUT:
                    sent[number] += peers[number].send(head[sent[number] % len(head):])
            except BlockingIOError:
                continue
            except OSError:
                peers.pop(number).close()


def scenes_that_change_themselves(place: str, end: float) -> None:
    open_sessions(place, CHANGED_SESSIONS, changes_itself)
    begins()
    time.sleep(max(0, end - time.monotonic()))


def changes(names: list[str], wrap):
    """Messages that each change one of these sessions' scenes, by turns."""
    messages = [
        wrap(*(part.decode() for part in change(name, number)))
        for number in range(50) for name in names]
    return itertools.cycle(messages)


def changes_by_events(place: str, end: float) -> None:
    names = open_sessions(place, CHANGED_SESSIONS, changed)
    events = changes(names, lambda topic, body: said({"topic": topic, "body": json.loads(body)}))
    share = MESSAGES_A_SECOND // 50
    bundles = itertools.cycle([b"".join(itertools.islice(events, share)) for _ in range(100)])
    paced(place, end, 10, bundles, 0.02)


def changes_by_requests(place: str, end: float) -> None:
    names = open_sessions(place, CHANGED_SESSIONS, changed)
    requests = changes(
        names, lambda topic, body: request("publish", topic=topic, body=json.loads(body)))
    closed_loop(place, end, 10, requests, REQUESTS_UNDER_WAY)


def deflated_snapshots(place: str, end: float) -> None:
    """Snapshots of 250 KB, which are deflated for as many clients as get in."""
    def reader(number: int) -> dict[str, object]:
        pages = [os.urandom(60).hex() for _ in range(1_000)]
        return {"id": f"r{number}", "kind": "reader", "pages": pages}

    name, = open_sessions(
        place, 1, lambda _: {"viewport": [320, 568], "components": [reader(0), reader(1)]})
    poll, peers, taken_bytes = select.epoll(), {}, {}
    frame = request("snapshot", session=name)
    begins()
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            while len(peers) < CLIENTS_MAX and time.monotonic() < end:
                peer = Peer(place, extension=DEFLATE).socket
                peers[peer.fileno()], taken_bytes[peer.fileno()] = peer, 0
                poll.register(peer, select.EPOLLIN)
                peer.sendall(frame * 4)
        for number, _ in poll.poll(0.1):
            try:
                part = peers[number].recv(1 << 20)
                if not part:
                    raise ConnectionError("closed")
                # About one answer has come, and the next one is asked for.
                taken_bytes[number] += len(part)
                if taken_bytes[number] > 100_000:
                    taken_bytes[number] = 0
                    peers[number].sendall(frame)
            except OSError:
                peers.pop(number).close()


def pings(place: str, end: float) -> None:
    """Control frames, which are answered before anybody counts them."""
    full_speed(place, end, HOGS, b"\x89\x80" + bytes(4))


def pongs(place: str, end: float) -> None:
    """The same that answer nothing, by as many clients as get in."""
    full_speed(place, end, CLIENTS_MAX, b"\x8a\x80" + bytes(4))


def empty_blocks(place: str, end: float) -> None:
    """A MB of deflate each, that costs zlib much and stands for nothing."""
    data = framed(blocks(1_000_000) + deflated(b'{"unsubscribe":"x"}'), rsv=4)
    paced(place, end, 4, itertools.repeat(data), 0.05, DEFLATE)


def small_bombs(place: str, end: float) -> None:
    """Messages of 127 bytes that stand for 80 KB, sixteen of each client at once."""
    data = deflated(b'{"unsubscribe":"x","y":[' + b"0," * 40_000 + b"0]}")
    assert len(data) <= 127, len(data)
    bundle = itertools.repeat(framed(data, rsv=4) * 16)
    paced(place, end, CLIENTS_MAX, bundle, 2.0, f"{DEFLATE}; client_no_context_takeover")


def small_messages(place: str, end: float) -> None:
    """Messages of nearly 16 KB with many members, as many as the allowances have room for."""
    text = b'{"unsubscribe":"x",' + b",".join(b'"%x":0' % number for number in range(250))
    text += b',"y":[' + b"0," * ((16_000 - len(text)) // 2) + b"0]}"
    paced(place, end, CLIENTS_MAX, itertools.repeat(framed(text)), len(text) / BYTES_A_SECOND)


def read_all(peers: dict[int, socket.socket], poll: select.epoll, end: float) -> None:
    """Reads all that comes to clients, until they are closed or the time is over."""
    while time.monotonic() < end:
        for number, _ in poll.poll(0.05):
            if not peers[number].recv(1 << 18):
                poll.unregister(number)
                peers.pop(number).close()


def readers(place: str, end: float, count: int, start: bytes, extension: str) -> None:
    """Clients that subscribe and read all that comes."""
    peers, poll = {}, select.epoll()
    while len(peers) < count:
        peer = Peer(place, extension=extension).socket
        peer.sendall(start)
        peers[peer.fileno()] = peer
        poll.register(peer, select.EPOLLIN)
    begins()
    read_all(peers, poll, end)


def deflated_readers(place: str, end: float) -> None:
    """Each follows many sessions that move, and has their frames deflated."""
    open_sessions(place, DEAD_SESSIONS, lambda _: moving(1))
    readers(place, end, HOGS, said({"subscribe": "frame/"}), DEFLATE)


def overlapping_readers(place: str, end: float) -> None:
    """Each subscribes to all beginnings of the topics of sessions that move."""
    stem = f"attack{os.getpid()}-".ljust(60, "a")
    peer = Peer(place)
    for number in range(20):
        peer.do(request("open", session=f"{stem}{number:04}", scene=moving()))
    peer.socket.close()
    topic = f"frame/{stem}"
    start = b"".join(said({"subscribe": topic[:size]}) for size in range(len(topic) + 1))
    begins()
    hold(place, end, CLIENTS_MAX, start, receive_bytes=4_096)


def unread_exports(place: str, end: float) -> None:
    """Clients that read none of the MiBs they asked for, and others whose message has no end."""
    name, = open_sessions(place, 1, long)
    held = []
    begins()
    start = framed(b'{"topic":"' + b"a" * (MESSAGE_BYTES - 10))[:-1]
    for number in range(250):
        with contextlib.suppress(OSError):
            peer = Peer(place, receive_bytes=4_096 if number % 2 else 0)
            peer.socket.settimeout(1)
            peer.socket.sendall(request("export", session=name) * 5 if number % 2 else start)
            held.append(peer)
    time.sleep(max(0, end - time.monotonic()))


def costly_requests(place: str, end: float) -> None:
    """Requests that change large lists, by as many clients as get in."""
    names = open_sessions(place, CHANGED_SESSIONS, changed)
    requests = changes(
        names, lambda topic, body: request("publish", topic=topic, body=json.loads(body)))
    closed_loop(place, end, CLIENTS_MAX, requests, REQUESTS_UNDER_WAY)


def churn(place: str, end: float) -> None:
    """Clients that begin and end prefixes of three letters a little faster than they may."""
    names = itertools.cycle("".join(letters) for letters in itertools.product(
        "zyxw", string.ascii_letters, string.ascii_letters))
    peers = [Peer(place) for _ in range(24)]
    held: list[list[str]] = [[] for _ in peers]
    begins()
    while time.monotonic() < end:
        for number, peer in enumerate(peers):
            fresh = list(itertools.islice(names, 10))
            changes = [{"unsubscribe": name} for name in held[number]]
            changes += [{"subscribe": name} for name in fresh]
            held[number] = fresh
            try:
                peer.socket.settimeout(1)
                peer.socket.sendall(b"".join(map(said, changes)))
                peer.socket.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    peer.replies()
            except OSError:
                peers[number], held[number] = Peer(place), []
        time.sleep(0.02)


def light_requests(place: str, end: float) -> None:
    """Requests that are answered at once, as many under way as a client may have."""
    one, word = request("time"), b'"reply":'
    poll, peers, tails = select.epoll(), {}, {}
    for _ in range(48):
        peer = Peer(place).socket
        peers[peer.fileno()], tails[peer.fileno()] = peer, b""
        poll.register(peer, select.EPOLLIN)
        peer.sendall(one * REQUESTS_UNDER_WAY)
    begins()
    while time.monotonic() < end:
        for number, _ in poll.poll(0.05):
            data = peers[number].recv(1 << 18)
            # As fast as may be: it only counts them. A reply may come in two parts.
            count = (tails[number] + data).count(word)
            tails[number] = data[1 - len(word):]
            peers[number].sendall(one * count)


def churned_requests(place: str, end: float) -> None:
    """Clients that ask for 3 MB, and are gone before it comes; others come in their place."""
    names = open_sessions(place, 4, long)
    asked = itertools.cycle([request("snapshot", session=name) * 4 for name in names])
    held: list[Peer] = []
    begins()
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            held.append(Peer(place))
            held[-1].socket.sendall(next(asked))
        if len(held) >= HOGS:
            held.pop(0).socket.close()


def waiting_prefixes(place: str, end: float) -> None:
    """Prefixes that others have, each client's behind a new one that waits for the rate of all."""
    stem = f"attack{os.getpid()}-".ljust(SHARED_PREFIXES + 1, "a")
    shared = [said({"subscribe": stem[:-size]}) for size in range(1, SHARED_PREFIXES - 20)]
    shared += [said({"subscribe": f"b{stem[:size]}"}) for size in range(20, 41)]
    leaders = [Peer(place) for _ in range(10)]
    for number, leader in enumerate(leaders):
        leader.socket.sendall(b"".join(shared[number::len(leaders)]))
    time.sleep(0.3)
    crowd = [Peer(place) for _ in range(CLIENTS_MAX - 20)]
    for number, hasty in enumerate(Peer(place) for _ in range(10)):
        names = [f"{number}-{count}-{os.getpid()}".ljust(200, "c") for count in range(140)]
        hasty.socket.sendall(b"".join(
            said({"subscribe": name}) + said({"unsubscribe": name}) for name in names))
        leaders.append(hasty)
    time.sleep(0.5)
    begins()
    for number, peer in enumerate(crowd):
        new = said({"subscribe": f"{number}-{os.getpid()}".ljust(200, "d")})
        peer.socket.sendall(new + b"".join(shared))
    time.sleep(max(0, end - time.monotonic()))


def large_frames(place: str, end: float) -> None:
    """Sessions that move, and whose frames have 247 KB; each has a client that follows it."""
    follow_large_frames(place, end, LARGE_FRAMES)


def fewer_large_frames(place: str, end: float) -> None:
    follow_large_frames(place, end, FEWER_LARGE_FRAMES)


def follow_large_frames(place: str, end: float, count: int) -> None:
    names = open_sessions(place, count, shows_large_tips)
    peers, poll = {}, select.epoll()
    for name in names:
        peer = Peer(place).socket
        peer.sendall(said({"subscribe": f"frame/{name}"}))
        peers[peer.fileno()] = peer
        poll.register(peer, select.EPOLLIN)
    begins()
    read_all(peers, poll, end)


ATTACKS = {
    value.__name__: value for value in (
        dead_readers, many_dead_readers, unread_merges, read_merges, unfinished_messages,
        half_open, request_hogs, large_messages, deflated_messages, many_members, long_names,
        names_in_requests, costly_heads, scenes_that_change_themselves,
        changes_by_events, changes_by_requests, pings, pongs, empty_blocks, small_bombs,
        small_messages, deflated_readers, overlapping_readers, unread_exports, costly_requests,
        churn, light_requests, churned_requests, waiting_prefixes, large_frames,
        fewer_large_frames, deflated_snapshots)}


def main() -> None:
    name, place, seconds = sys.argv[1:]
    ATTACKS[name](place, time.monotonic() + float(seconds))


if __name__ == "__main__":
    main()
