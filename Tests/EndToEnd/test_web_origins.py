"""Pages of other origins and requests by other names: what is the same, and what the log says."""

from __future__ import annotations

import functools
import http.server
import pathlib
import shutil
import threading

import pytest
import websockets
from browser import FILES, Browser, Gateway
from client import DEADLINE, Control, Daemon
from documents import wait_until
from web import Web
from websockets.sync.client import connect

TOKEN = "0123456789abcdef-._~"


def status(address: str, **options: object) -> int:
    """The status of the answer to a WebSocket's opening."""
    try:
        with connect(address, open_timeout=DEADLINE, **options):
            return 101
    except websockets.exceptions.InvalidStatus as refused:
        return refused.response.status_code


def opens(web: Web, host: str, origin: str) -> bool:
    """Whether a WebSocket opens that a proxy passes on with this `Host`."""
    head = (f"GET / HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n")
    with web.raw(head.encode()) as one:
        answer = one.recv(4_096)
    assert answer.startswith((b"HTTP/1.1 101 ", b"HTTP/1.1 403 ")), answer
    return answer.startswith(b"HTTP/1.1 101 ")


# The proxy of a house names the port that the scheme has anyway.
@pytest.mark.parametrize("origin, host", [
    ("https://motion.lan", "motion.lan:443"), ("http://motion.lan", "motion.lan:80"),
    ("https://MOTION.lan", "motion.LAN")])
@pytest.mark.parametrize("added", ["{}", "{}/", "{upper}", "{upper}/"])
def test_origins_are_the_same_however_they_are_written(
    daemon: Daemon, origin: str, host: str, added: str,
) -> None:
    named = added.format(origin, upper=origin.upper())
    with Web(daemon, "--origin", named) as web:
        assert web.get("/", Host=host).status == 200
        with web.connect(origin=origin.lower()) as client:
            assert "web" in client.next()
        assert opens(web, host, origin.lower())
        assert web.log() == ""


@pytest.mark.parametrize("origin, host, is_served", [
    ("http://localhost", "localhost:80", True), ("https://localhost", "localhost:443", True),
    ("https://localhost", "LocalHost", True), ("http://127.0.0.1", "127.0.0.1:80", True),
    ("https://localhost", "localhost:80", False), ("http://localhost", "localhost:8080", False),
    ("http://localhost:8080", "localhost", False)])
def test_a_proxy_may_name_the_usual_port(
    daemon: Daemon, origin: str, host: str, is_served: bool,
) -> None:
    with Web(daemon) as web:
        assert opens(web, host, origin) == is_served
        assert (web.log() == "") == is_served


@pytest.mark.parametrize("fields, advice", [
    ({"X_Forwarded_Proto": "HTTPS, http"}, "--origin https://motion.lan adds it"),
    ({"X_Forwarded_Proto": "http"}, "--origin http://motion.lan adds it"),
    ({"Forwarded": 'for=192.0.2.1;proto="https"'}, "--origin https://motion.lan adds it"),
    ({"X_Forwarded_Ssl": "on"}, "--origin https://motion.lan adds it"),
    ({"X_Forwarded_Port": "443"}, "--origin https://motion.lan adds it"),
    ({"Origin": "https://motion.lan"}, "--origin https://motion.lan adds it"),
    ({"Sec_Fetch_Mode": "navigate"}, "--origin https://motion.lan adds it"),
    ({}, "--origin http://motion.lan adds it, or https://motion.lan where a proxy speaks TLS")])
def test_a_name_is_added_by_the_scheme_of_its_page(daemon: Daemon, fields: dict, advice: str):
    with Web(daemon) as web:
        answer = web.get("/", Host="motion.lan", **fields)
        assert answer.status == 421 and advice in answer.text
        assert advice in web.log()


def test_each_refusal_is_told_once_with_what_would_allow_it(
    daemon: Daemon, tmp_path: pathlib.Path,
) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN)
    token.chmod(0o600)
    with Web(daemon, "--token-file", str(token)) as web:
        bearer = {"Authorization": f"Bearer {TOKEN}"}
        place = f"ws://{web.host}:{web.port}/"
        for _ in range(3):
            assert web.get("/", Host="motion.lan:8080").status == 421
            assert web.get("/", Host="motion.lan", X_Forwarded_Proto="https").status == 421
            assert web.get("/").status == 401
            for origin in ("null", "http://localhost:5173", "capacitor://localhost"):
                assert status(place, origin=origin, additional_headers=bearer) == 403
            with web.raw(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n") as one:
                assert one.recv(1_000).startswith(b"HTTP/1.1 400")
        lines = web.log().splitlines()
        for words in (
            '(421): it calls "motion.lan:8080", no name of mine; --origin http://motion.lan:8080 ',
            '(421): it calls "motion.lan", no name of mine; --origin https://motion.lan adds it',
            "(401): it does not show the secret of --token-file; the link that was printed ",
            '(403): its page is of "null", and it calls ', "; that is what pages of files ",
            "; --origin http://localhost:5173 lets it in", "(400): host is there twice",
            'of "capacitor://localhost"',
        ):
            assert sum(words in line for line in lines) == 1, (words, lines)
        assert all("Z gesture-web: refused " in line for line in lines), lines
        assert TOKEN not in web.log() and "\x1b" not in web.log()


def test_the_server_of_a_developer_needs_a_word(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path,
) -> None:
    """A page that comes from elsewhere: it is refused, told why, and let in by --origin."""
    control.open(session, "phone")
    shutil.copy(FILES / "gestured.js", tmp_path)
    for file in ("example.js", "example.html"):
        shutil.copy(FILES / file, tmp_path)
    handler = functools.partial(
        http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    origin = f"http://localhost:{server.server_port}"
    gateway = Gateway(daemon)
    text = (tmp_path / "example.js").read_text()
    assert "connect()" in text
    (tmp_path / "example.js").write_text(
        text.replace("connect()", f"connect('ws://{gateway.listen}/')"))
    try:
        with Browser() as browser:
            with gateway:
                browser.open(f"{origin}/example.html?session={session}")
                wait_until(lambda: "(403)" in gateway.log(), "the refusal is told")
                assert f"; --origin {origin} lets it in" in gateway.log()
                # The console tells it a little later than the log, on a busy machine.
                wait_until(browser.errors, "the browser says that it was refused, not why")
            gateway.arguments = ("--origin", f"{origin}/")
            with gateway:
                browser.until("document.querySelector('#stage div div') !== null")
    finally:
        server.shutdown()
