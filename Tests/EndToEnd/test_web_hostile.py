"""Clients that break rules lose their own connection. A bystander keeps getting every frame."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import threading
import time
import zlib

import pytest
import wire
from client import Daemon
from web import Web
from wire import close_of, deflated, frame, taken


class Bystander:
    """A client that follows a moving session in a thread, and must never miss a frame."""

    def __init__(self, web: Web, session: str):
        self.topic = f"frame/{session}"
        self.client = web.connect()
        self.client.web(daemon=True)
        self.client.subscribe(self.topic)
        self.client.ok("open", session=session, scene={
            "viewport": [320, 568], "components": [{
                "id": "world", "kind": "dynamics",
                "items": [{"id": "ball", "center": [160, 100], "size": [40, 40]}],
                "behaviors": [
                    {"id": "spring", "kind": "field", "items": ["ball"], "type": "spring",
                     "position": [160, 300]}]}]})
        self.last, self.frames, self.pause, self.holes = None, 0, 0.0, []
        self.is_ending = False
        # Seconds that it may wait for a frame; they come each 1/60 s.
        self.patience = 3
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        before = time.monotonic()
        while not self.is_ending:
            message = self.client.next(0.5)
            if message is None or message.get("topic") != self.topic:
                continue
            now, body = time.monotonic(), message["body"]
            self.pause, before = max(self.pause, now - before), now
            if self.last is not None and body.get("since", body["seq"]) != self.last + 1:
                self.holes.append((self.last, body["seq"]))
            self.last = body["seq"]
            self.frames += 1

    def end(self) -> None:
        self.is_ending = True
        self.thread.join()
        with self.client:
            pass


@pytest.fixture(scope="module")
def web(daemon: Daemon):
    with Web(daemon) as web:
        yield web


@pytest.fixture(autouse=True)
def bystander(web: Web, session: str):
    watcher = Bystander(web, session)
    yield watcher
    before = watcher.frames
    end = time.monotonic() + 5
    while watcher.frames < before + 10 and time.monotonic() < end:
        time.sleep(0.02)
    watcher.end()
    assert watcher.frames >= before + 10, "the bystander gets nothing any more"
    assert not watcher.holes, watcher.holes
    assert watcher.pause < watcher.patience, f"the bystander waited {watcher.pause} s"


def upgraded(web: Web, *more: str) -> socket.socket:
    return wire.upgraded(web.host, web.port, *more)


@pytest.mark.parametrize("data", [
    b"\0" * 1000, os.urandom(5000), b"\r\n" * 1000, b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n", b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET " + b"/" * 100_000,
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"a: b\r\n" * 100_000,
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"x" * 1_000_000, b"GET /%00 HTTP/1.1\r\n\r\n",
    b"GET /%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\n\r\n" + b"x" * 100_000,
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n"
    b"HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\nPRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0" * 100,
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: nonsense\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: " + b"x" * 3000 + b"\r\nSec-WebSocket-Version: 13\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Extensions: " + b"permessage-deflate, " * 200 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Protocol: nonsense\r\n\r\n",
])
def test_bad_http_is_answered_or_hung_up(web: Web, data: bytes) -> None:
    opened = web.raw()
    with opened, contextlib.suppress(OSError):
        opened.sendall(data)
        opened.shutdown(socket.SHUT_WR)
        opened.settimeout(15)
        got = b""
        while chunk := opened.recv(65536):
            got += chunk
        assert not got or got.startswith(b"HTTP/1."), got[:100]
        assert b"HTTP/1.1 200" not in got or data.startswith(b"GET / HTTP/9.9") or (
            b"127.0.0.1" in data), got[:100]
    assert web.get("/").status == 200


@pytest.mark.parametrize("data, code", [
    (frame(b"\xff\xfe"), 1007), (frame(b"\xed\xa0\x80"), 1007), (frame(b"x", 2), 1003),
    (frame(b"x", 3), 1002), (frame(b"x", 0), 1002), (frame(b"x", 1, rsv=4), 1002),
    (frame(b"x", 1, rsv=1), 1002), (frame(b"x", 9, final=False), 1002),
    (frame(b"x", 1, False) + frame(b"x", 1), 1002),
    (frame(b"x" * 1_100_000), 1009),
    (frame(b"x" * 600_000, 1, False) + frame(b"x" * 600_000, 0), 1009),
    (frame(b"", 1, False) + frame(b"", 0, False) * 200, 1008),
    (frame(b"\x03\xe8bye", 8), 1000),
    (frame(b"x" * 300, 9), None), (b"\x81\xff" + b"\xff" * 8 + b"\0" * 4 + b"x" * 100, None),
], ids=itertools.count())  # Their masks are random, and workers must agree on the names.
def test_frames_that_break_the_protocol_close_their_connection(
    web: Web, data: bytes, code: int | None,
) -> None:
    with upgraded(web) as opened:
        with contextlib.suppress(OSError):
            opened.sendall(data)
        assert close_of(opened) == code


def test_a_message_in_fragments_with_pings_between_them_is_whole(web: Web) -> None:
    text = json.dumps({"request": {"op": "time", "id": "fragments"}}).encode()
    with upgraded(web) as opened:
        opened.sendall(frame(text[:3], 1, False) + frame(b"ping", 9))
        for place in range(3, len(text)):
            opened.sendall(frame(text[place:place + 1], 0, False) + frame(b"", 9))
        opened.sendall(frame(b"", 0))
        opened.settimeout(10)
        got = b""
        while b'"fragments"' not in got:
            got += opened.recv(65536)
        assert b"\x8a\x04ping" in got


def test_garbage_frames_never_end_the_server(web: Web) -> None:
    clients = web.metric("gesture_web_clients")
    for _ in range(60):
        with upgraded(web, "Sec-WebSocket-Extensions: permessage-deflate") as opened:
            with contextlib.suppress(OSError):
                opened.sendall(os.urandom(3000))
    web.await_metric("gesture_web_clients", lambda count: count == clients)
    assert web.process.poll() is None and web.get("/").status == 200


@pytest.mark.parametrize("payload, code", [
    (deflated(b" " * 1_048_577), 1009), (deflated(b" " * 300_000_000), 1009),
    (b"\xff" * 100, 1007), (b"\x07", 1007), (deflated(b"\xff\xfe"), 1007),
    (zlib.compress(b"{}"), 1007),
])
def test_deflated_bombs_and_nonsense_close_their_connection(
    web: Web, payload: bytes, code: int,
) -> None:
    before = web.resident()
    with upgraded(web, "Sec-WebSocket-Extensions: permessage-deflate") as opened:
        with contextlib.suppress(OSError):
            opened.sendall(frame(payload, rsv=4))
        assert close_of(opened) == code
    assert web.resident() < before + 20_000_000


def test_a_message_of_the_largest_size_is_read(web: Web) -> None:
    for compression in ("deflate", None):
        with web.connect(compression=compression) as client:
            limit = client.next()["web"]["limits"]["limit_message_bytes"]
            text = '{"subscribe":"x"}'
            client.send(text + " " * (limit - len(text)))
            client.ok("time")
            client.send(text + " " * (limit - len(text) + 1))
            assert client.closed() == (1009, "message too large")


def test_unmasked_frames_hurt_nobody(web: Web) -> None:
    with upgraded(web) as opened:
        with contextlib.suppress(OSError):
            opened.sendall(frame(b"nonsense", masked=False) * 100 + b"\x81\x7e\0\0" + b"x" * 5000)
        # RFC 6455, section 5.1: a server closes at a frame that is not masked.
        assert close_of(opened) in (1002, None)
        with contextlib.suppress(ConnectionError):
            assert opened.recv(1) == b""


@pytest.mark.parametrize("text", [b'{"unsubscribe":"x"}', b"0," * 5_000])
def test_empty_blocks_of_deflate_are_not_inflated_for_long(web: Web, text: bytes) -> None:
    """A MB of them would take a tenth of a second. No compressor makes them."""
    data = wire.empty_blocks(1_000_000) + deflated(text)
    assert zlib.decompress(data + bytes.fromhex("0000ffff") + b"\3\0", -15) == text
    with upgraded(web, "Sec-WebSocket-Extensions: permessage-deflate") as opened:
        opened.sendall(frame(data, rsv=4))
        assert close_of(opened) == 1002


@pytest.mark.parametrize("strategy, level", [
    (zlib.Z_FIXED, 9), (zlib.Z_HUFFMAN_ONLY, 9), (zlib.Z_DEFAULT_STRATEGY, 0),
    (zlib.Z_DEFAULT_STRATEGY, 1)])
def test_what_compressors_make_of_any_text_is_inflated(web: Web, strategy: int, level: int) -> None:
    """Some of it is longer than the text: letters of nine bits, and blocks that are stored."""
    name = "".join(chr(0x4E00 + (number * 7919) % 20_000) for number in range(30_000))
    # The reply is short, so it comes as it is.
    text = json.dumps({"request": {"op": "time", "id": 1, "x": name}}, ensure_ascii=False).encode()
    packer = zlib.compressobj(level, zlib.DEFLATED, -15, 1, strategy)
    data = b"".join(
        packer.compress(text[place:place + 4_000]) + packer.flush(zlib.Z_SYNC_FLUSH)
        for place in range(0, len(text), 4_000))[:-4]
    with upgraded(web, "Sec-WebSocket-Extensions: permessage-deflate") as opened:
        opened.sendall(frame(data, rsv=4))
        opened.settimeout(10)
        got = b""
        while b'"reply"' not in got:
            assert (part := opened.recv(65_536)), got
            got += part


def test_who_floods_is_told_busy_and_closed(web: Web) -> None:
    before = web.metric("gesture_web_clients_closed_total", reason="faults")
    with web.connect(max_queue=None) as client:
        limits = client.next()["web"]["limits"]
        with contextlib.suppress(Exception):
            for _ in range(40 * limits["limit_messages_per_second"]):
                client.send('{"subscribe":"x"}')
        # A client that sends on and on is reset, which may overtake the close frame.
        code, reason = client.closed()
        assert code is None or (code == 1008 and "limit_faults" in reason)
    after = web.metric("gesture_web_clients_closed_total", reason="faults")
    assert after == before + 1
    assert web.metric("gesture_web_messages_refused_total", code="busy") > 100


def test_who_errs_again_and_again_is_told_why_it_is_closed(web: Web) -> None:
    with web.connect() as client:
        faults = client.next()["web"]["limits"]["limit_faults"]
        with contextlib.suppress(Exception):
            for _ in range(2 * faults):
                client.send("nonsense")
                client.error()
        assert client.closed() == (1008, "more than limit_faults messages were refused")


def test_who_sends_too_many_bytes_is_told_busy(web: Web) -> None:
    with web.connect(compression=None) as client:
        limits = client.next()["web"]["limits"]
        large = '{"subscribe":"x"}' + " " * (limits["limit_message_bytes"] - 100)
        for _ in range(4):
            client.send(large)
        assert client.error()["code"] == "busy"


def test_subscriptions_and_requests_of_a_client_are_bounded(web: Web) -> None:
    with web.connect() as client:
        limits = client.next()["web"]["limits"]
        for number in range(limits["limit_subscriptions"] + 1):
            client.send({"subscribe": f"x/{number}"})
        assert client.error()["code"] == "busy"
        client.send({"unsubscribe": "x/0"})
        client.send({"subscribe": "y"})
        assert client.ok("time") and not [m for m in client.early if "error" in m]
    # All of them end with their client.
    web.await_metric("gesture_web_subscriptions", lambda count: count < 10)


def test_prefixes_of_many_clients_do_not_cut_the_bridge_off(web: Web) -> None:
    """The daemon cuts a subscriber above 3 MiB of prefixes: the bridge is one for all."""
    before = web.metric("gesture_web_messages_received_total")
    with contextlib.ExitStack() as stack:
        for client in range(60):
            opened = stack.enter_context(upgraded(web))
            opened.sendall(b"".join(
                frame(json.dumps({"subscribe": f"x/{client}/{number}/".ljust(190, "y")}).encode())
                for number in range(256)))
        web.await_metric(
            "gesture_web_messages_received_total", lambda count: count >= before + 60 * 256)
        with web.connect() as late:
            late.subscribe("badge/")
        assert web.metric("gesture_web_messages_refused_total", code="busy") > 5000
    web.await_metric("gesture_web_subscriptions", lambda count: count < 10)


def test_clients_that_toggle_prefixes_do_not_cut_the_bridge_off(web: Web) -> None:
    """The daemon cuts a subscriber above 32,768 changes at once."""
    before = web.metric("gesture_web_messages_received_total")
    with contextlib.ExitStack() as stack:
        for client in range(20):
            opened = stack.enter_context(upgraded(web))
            pair = [json.dumps({verb: f"t/{client}"}) for verb in ("subscribe", "unsubscribe")]
            with contextlib.suppress(OSError):  # It may be closed for its faults.
                opened.sendall(b"".join(frame(text.encode()) for text in pair) * 1900)
        web.await_metric(
            "gesture_web_messages_received_total", lambda count: count >= before + 40_000)
    assert web.metric("gesture_web_messages_refused_total", code="busy") > 5000
    with web.connect() as client:
        client.subscribe("badge/")


def test_requests_that_the_daemon_does_not_answer_are_bounded(
    daemon: Daemon, web: Web, bystander: Bystander,
) -> None:
    bystander.patience = 10  # The daemon itself stands still.
    os.kill(daemon.process.pid, 19)
    try:
        with web.connect() as client:
            limit = client.next()["web"]["limits"]["limit_requests"]
            for number in range(limit + 5):
                client.send({"request": {"op": "time", "id": number}})
            for number in range(limit, limit + 5):
                reply = client.until(lambda message: "reply" in message)["reply"]
                assert reply["id"] == number and reply["error"]["code"] == "busy"
            assert web.get("/healthz").status == 503
    finally:
        os.kill(daemon.process.pid, 18)
    with web.connect() as client:
        client.web(daemon=True)


def test_a_slow_reader_gets_merged_frames_and_loses_nothing(
    web: Web, bystander: Bystander,
) -> None:
    """It reads for moments only; states come newest, and no transition is lost."""
    before = web.metric("gesture_web_frames_merged_total")
    with upgraded(web) as opened:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.sendall(frame(json.dumps({"subscribe": bystander.topic}).encode()))
        time.sleep(8)
        assert web.metric("gesture_web_frames_merged_total") > before
        assert web.metric("gesture_web_queue_bytes") < 100_000
        last, got, data = None, 0, b""
        opened.settimeout(10)
        while got < 200:
            data += opened.recv(65536)
            while (message := taken(data)) is not None:
                text, data = message
                body = json.loads(text).get("body", {})
                if "seq" not in body:
                    continue
                if last is not None:
                    assert body.get("since", body["seq"]) == last + 1, "a hole"
                last, got = body["seq"], got + 1


def test_who_reads_nothing_of_what_must_not_be_lost_is_closed(web: Web, session: str) -> None:
    before = web.metric("gesture_web_clients_closed_total", reason="slow")
    memory = web.resident()
    with web.connect() as writer, upgraded(web) as opened:
        writer.web(daemon=True)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        request = {"request": {"op": "snapshot", "session": session}}
        end = time.monotonic() + 30
        while web.metric("gesture_web_clients_closed_total", reason="slow") == before:
            assert time.monotonic() < end, "it was not closed"
            opened.sendall(frame(json.dumps(request).encode()) * 20)
            time.sleep(0.02)
        web.await_metric("gesture_web_queue_bytes", lambda count: count < 1_000_000)
    assert web.resident() < memory + 40_000_000


def test_more_clients_than_the_bound_are_refused(web: Web) -> None:
    with contextlib.ExitStack() as stack:
        limit = int(web.metric("gesture_web_limit_clients"))
        room = limit - int(web.metric("gesture_web_clients"))
        for _ in range(room):
            stack.enter_context(upgraded(web))
        assert web.metric("gesture_web_clients") == limit
        with pytest.raises(Exception) as caught:
            web.connect()
        assert caught.value.response.status_code == 503
        assert web.metric("gesture_web_refused_total", what="client") >= 1
    web.await_metric("gesture_web_clients", lambda count: count < 10)
    with web.connect() as client:
        assert "web" in client.next()


def test_thousands_of_idle_connections_end_at_the_bound(web: Web) -> None:
    limit = int(web.metric("gesture_web_limit_connections"))
    before = web.metric("gesture_web_connections_cut_total", reason="room")
    opened = []
    try:
        for number in range(3000):
            one = socket.create_connection((web.host, web.port), timeout=10)
            if number % 3 == 0:
                with contextlib.suppress(OSError):
                    one.sendall(b"GET / HTTP/1.1\r\nHost: 127")
            opened.append(one)
        # They end by themselves: a request must come within ten seconds.
        time.sleep(1)
    finally:
        if len(opened) < 3000:
            for one in opened:
                one.close()
    end = time.monotonic() + 40
    while True:
        with contextlib.suppress(Exception):
            count = web.metric("gesture_web_connections")
            if count < 10:
                break
            assert count <= limit
        assert time.monotonic() < end, "idle connections stay"
        time.sleep(0.2)
    after = web.metric("gesture_web_connections_cut_total", reason="room")
    assert after >= before + 3000 - limit
    for one in opened:
        one.close()


def test_a_dead_peer_is_cut(daemon: Daemon) -> None:
    with Web(daemon, "--ping", "1") as web:
        with web.connect() as living, upgraded(web) as dead:
            web.await_metric("gesture_web_clients", lambda count: count == 2)
            web.await_metric("gesture_web_clients", lambda count: count == 1)
            dead.settimeout(5)
            with contextlib.suppress(OSError):
                while dead.recv(65536):
                    pass
            assert living.ok("time"), "who answers pings stays"
