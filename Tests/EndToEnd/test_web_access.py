"""Other machines get in only where an option says what they may do; a token is a link."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Iterator

import pytest
import websockets
from browser import Browser, Gateway
from client import Daemon
from web import PAGE, Web, program

TOKEN = "0123456789abcdef-._~"


def started(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(program()), *arguments], capture_output=True, text=True, timeout=30)


@pytest.mark.parametrize("listen", [
    "0.0.0.0:*", "*:*", "[::]:*", "192.0.2.1:7480", "10.0.0.7:*", "[2001:db8::1]:*",
    "[::ffff:10.0.0.7]:*"])
def test_other_machines_are_let_in_by_a_word_alone(listen: str) -> None:
    ended = started("--listen", listen)
    assert ended.returncode == 2 and ended.stdout == "" and ended.stderr.count("\n") == 1
    for option in ("--token-file", "--read-only", "--open-to-network"):
        assert option in ended.stderr


@pytest.mark.parametrize("listen", ["127.0.0.1:*", "localhost:*", "127.1.2.3:*", "[::1]:*"])
def test_this_machine_needs_no_word(listen: str) -> None:
    with Web(None, "--listen", listen):
        pass


@pytest.mark.parametrize("option", ["--read-only", "--open-to-network"])
def test_each_word_opens(option: str) -> None:
    with Web(None, "--listen", "0.0.0.0:*", option) as web:
        web.host = "127.0.0.1"
        assert web.get("/").status == 200


@pytest.fixture
def file(tmp_path: pathlib.Path) -> pathlib.Path:
    made = tmp_path / "token"
    made.write_text(f"{TOKEN}\n")
    made.chmod(0o600)
    return made


@pytest.mark.parametrize("text", [
    "", "short\n", "0123456789abcdef \n", "0123456789abcdef\n\n", "x" * 129, "x" * 100_000,
    "0123456789abcdef&\n", "\xe4" * 20])
def test_a_secret_that_is_none_is_named(file: pathlib.Path, text: str) -> None:
    file.write_text(text)
    ended = started("--token-file", str(file))
    assert ended.returncode == 2 and ended.stderr.count("\n") == 1
    assert f"--token-file {file}: it must have 16 to 128 of" in ended.stderr
    assert not text.strip() or text.strip() not in ended.stderr, "the secret is not told"


@pytest.mark.parametrize("mode", [0o604, 0o602, 0o666])
def test_a_secret_that_others_may_read_is_refused(file: pathlib.Path, mode: int) -> None:
    file.chmod(mode)
    ended = started("--token-file", str(file))
    assert ended.returncode == 2 and "chmod 600" in ended.stderr
    assert started("--token-file", str(file.parent / "nothing")).returncode == 2


@pytest.fixture
def web(daemon: Daemon, file: pathlib.Path) -> Iterator[Web]:
    with Web(daemon, "--listen", "0.0.0.0:*", "--token-file", str(file)) as web:
        yield web


def test_the_ready_line_is_a_link_that_works(web: Web) -> None:
    assert web.token == TOKEN and web.host != "0.0.0.0"
    answer = web.get(f"/?session=a&token={TOKEN}&alone")
    assert answer.status == 200 and answer.headers["cache-control"] == "no-store"
    # Relative: a proxy may serve it at a path.
    assert 'content="0;url=./?session=a&amp;alone"' in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    cookie, *rules = answer.headers["set-cookie"].split("; ")
    assert cookie == f"gesture-web-{web.port}={TOKEN}"
    assert {"HttpOnly", "SameSite=Strict"} <= set(rules)
    assert web.get("/", Cookie=f"a=b; {cookie}").text == PAGE
    assert web.get("/", Cookie=f"gesture-web-{web.port}=stale; {cookie}").text == PAGE


def test_without_the_secret_nothing_is_given(web: Web) -> None:
    before = web.get("/metrics", Authorization=f"Bearer {TOKEN}").text
    (web.files / "a.js").write_text("x")
    tries = [{}, {"Cookie": "gesture-web="}, {"Cookie": f"other={TOKEN}"},
             {"Cookie": f"gesture-web-1={TOKEN}"},
             {"Cookie": f"gesture-web={TOKEN}x"}, {"Cookie": f"gesture-web={TOKEN[:-1]}"},
             {"Authorization": f"Basic {TOKEN}"}, {"Authorization": "Bearer "}]
    for headers in tries:
        for path in ("/", "/a.js", "/metrics", "/nothing", "/?token=", f"/?token={TOKEN[:-1]}x"):
            answer = web.get(path, **headers)
            assert answer.status == 401 and "gesture_web" not in answer.text, (path, headers)
            assert answer.headers["www-authenticate"] == "Bearer"
            assert "set-cookie" not in answer.headers
        # A WebSocket at /healthz can do all that others can.
        for path in ("/", "/healthz", "/%68ealthz"):
            with pytest.raises(websockets.exceptions.InvalidStatus) as caught:
                web.connect(path, additional_headers=headers)
            assert caught.value.response.status_code == 401
    assert web.get("/healthz").status in (200, 503)
    assert 'gesture_web_refused_total{what="token"} 0' in before
    after = web.get("/metrics", Authorization=f"Bearer {TOKEN}").text
    assert f'gesture_web_refused_total{{what="token"}} {len(tries) * 9}' in after


def test_with_the_secret_all_is_given(web: Web) -> None:
    (web.files / "a.js").write_text("x")
    own = f"gesture-web-{web.port}={TOKEN}"
    # The last one is what a former version gave; a browser keeps it beside a newer one's.
    for headers in ({"Authorization": f"Bearer {TOKEN}"}, {"Cookie": own},
                    {"Cookie": f"gesture-web-1=other; gesture-web=other; {own}"},
                    {"Cookie": f"gesture-web={TOKEN}"}):
        assert web.get("/a.js", **headers).text == "x"
        assert "gesture_web_clients" in web.get("/metrics", **headers).text
        with web.connect(additional_headers=headers) as client:
            client.web(daemon=True)
            assert client.ok("time")
    with web.connect(f"/?token={TOKEN}") as client:
        assert "web" in client.next()
    # A page of another origin gets in by no secret.
    with pytest.raises(websockets.exceptions.InvalidStatus) as caught:
        web.connect(f"/?token={TOKEN}", origin="http://evil.example")
    assert caught.value.response.status_code == 403


@pytest.mark.parametrize("path", ["//evil.example/", "/%22%3e%3cscript%3e", "/a.js", "/metrics"])
def test_a_link_leads_to_our_own_pages_alone(web: Web, path: str) -> None:
    answer = web.get(f"{path}?token={TOKEN}")
    assert "refresh" not in answer.text and "set-cookie" not in answer.headers
    answer = web.get(f"/?token={TOKEN}&a=\"%3e<script>")
    assert "<script>" not in answer.text


def test_a_browser_keeps_the_secret(daemon: Daemon, file: pathlib.Path, session: str) -> None:
    daemon.requests().open(session, "phone")
    with Gateway(daemon, "--token-file", file) as gateway, Browser() as browser:
        browser.open(f"{gateway.url}?session={session}&token={TOKEN}")
        browser.until("document.querySelector('[data-view]') !== null")
        assert browser.run("return location.href") == f"{gateway.url}?session={session}"
        assert TOKEN not in browser.run("return document.cookie")
        browser.open(gateway.url)
        browser.until("document.querySelector('#mount') !== null")
        # A browser asks for an icon once, whenever it likes.
        assert [one for one in browser.errors() if "favicon.ico" not in one] == []
