"""gesture-web serves its own files and nothing else, with headers that keep pages safe."""

from __future__ import annotations

import os
import re
import socket
import subprocess

import pytest
from web import PAGE, Web, program


@pytest.fixture(scope="module")
def web():
    with Web(None) as web:
        (web.files / "page").mkdir()
        for name in ["page/a.js", "page/a.css", "a.json", "a.svg", "a.png", "a.jsonl", "a.d.ts"]:
            (web.files / name).write_text("x")
        (web.files / "large.bin").write_bytes(os.urandom(3_000_000))
        (web.files / ".hidden").write_text("secret")
        (web.folder / "secret.html").write_text("secret")
        (web.folder / "outside").mkdir()
        (web.folder / "outside" / "toss.jsonl").write_text("{}\n")
        (web.files / "recordings").symlink_to(web.folder / "outside")
        yield web


def test_the_page_stands_at_the_root(web: Web) -> None:
    for path in ["/", "/index.html", "/?session=alice", "/index.html?x"]:
        answer = web.get(path)
        assert (answer.status, answer.text) == (200, PAGE), path
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert int(answer.headers["content-length"]) == len(PAGE)


@pytest.mark.parametrize("path, kind", [
    ("/page/a.js", "text/javascript; charset=utf-8"), ("/page/a.css", "text/css; charset=utf-8"),
    ("/a.json", "application/json"), ("/a.svg", "image/svg+xml"), ("/a.png", "image/png"),
    ("/a.jsonl", "application/x-ndjson"), ("/a.d.ts", "text/plain; charset=utf-8"),
    ("/recordings/toss.jsonl", "application/x-ndjson"), ("/large.bin", "application/octet-stream"),
])
def test_files_have_their_types(web: Web, path: str, kind: str) -> None:
    answer = web.get(path)
    assert answer.status == 200 and answer.headers["content-type"] == kind


@pytest.mark.parametrize("path", [
    "/nothing.js", "/page", "/page/", "/page//a.js", "/.hidden", "/../secret.html",
    "/page/../../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "/page/%2e%2e%2f%2e%2e/",
    "/....//secret.html", "/..\\secret.html", "/%5c..%5csecret.html",
    "//etc/passwd", "/./.hidden", "/%2ehidden", "/index.html/", "/" + "a" * 900,
    "/recordings/../../secret.html", "/recordings/%2e%2e/secret.html", "/?/../secret.html/..",
])
def test_nothing_else_is_served(web: Web, path: str) -> None:
    answer = web.get(path)
    assert "secret" not in answer.text and "root:" not in answer.text
    if answer.status == 200:  # libwebsockets resolves some of them to what is served.
        assert answer.text in (PAGE, "x")
    else:
        assert answer.status in (403, 404), answer.status


def test_every_answer_forbids_foreign_content(web: Web) -> None:
    for path in ["/", "/page/a.js", "/nothing", "/healthz", "/metrics"]:
        headers = web.get(path).headers
        policy = dict(
            part.strip().split(" ", 1)
            for part in headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'" and policy["base-uri"] == "'none'"
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


def test_an_unchanged_file_is_not_sent_again(web: Web) -> None:
    first = web.get("/page/a.css")
    assert first.headers["cache-control"] == "no-cache"
    again = web.get("/page/a.css", If_None_Match=first.headers["etag"])
    assert again.status == 304 and not again.body
    assert again.headers["etag"] == first.headers["etag"]
    (web.files / "page" / "a.css").write_text("changed")
    changed = web.get("/page/a.css", If_None_Match=first.headers["etag"])
    assert changed.status == 200 and changed.text == "changed"


def test_only_get_and_head_are_answered(web: Web) -> None:
    head = web.get("/", "HEAD")
    assert head.status == 200 and not head.body
    assert int(head.headers["content-length"]) == len(PAGE)
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]:
        answer = web.get("/", method)
        assert answer.status == 405 and answer.headers["allow"] == "GET, HEAD", method


def test_a_large_file_comes_whole(web: Web) -> None:
    assert web.get("/large.bin").body == (web.files / "large.bin").read_bytes()


def test_one_connection_asks_many_times(web: Web) -> None:
    with web.raw() as opened:
        request = f"GET /a.json HTTP/1.1\r\nHost: {web.host}\r\n\r\n".encode()
        for _ in range(20):
            opened.sendall(request)
            assert b"200 OK" in answer_of(opened)
        # All at once: the answers come one behind the other.
        opened.sendall(request * 5)
        for _ in range(5):
            assert b"200 OK" in answer_of(opened)


def answer_of(opened: socket.socket) -> bytes:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = opened.recv(1)
        assert byte, f"ended behind {head!r}"
        head += byte
    length = int(head.lower().split(b"content-length: ")[1].split(b"\r")[0])
    body = b""
    while len(body) < length:
        body += opened.recv(length - len(body))
    return head + body


@pytest.mark.parametrize("arguments, words", [
    (["--listen", "127.0.0.1:99999"], "--listen"), (["--listen", "7480"], "--listen"),
    (["--listen", "nowhere.example:80"], "nowhere.example"),
    (["--listen", "192.0.2.1:7480"], "192.0.2.1"), (["--files", "/nowhere"], "/nowhere"),
    (["--events", "nonsense"], "--events"), (["--control", "tcp://127.0.0.1:99999"], "--control"),
    (["--origin", "example.org"], "--origin"), (["--origin", "https://a.org/page"], "--origin"),
    (["--ping", "0"], "--ping"), (["--read-only=yes"], "--read-only"), (["--listen"], "--listen"),
    (["--nonsense"], "--nonsense"), (["file"], "file"), (["--files", "a\x1b[31mb"], "--files"),
])
def test_what_cannot_be_served_is_said_in_one_line(
    web: Web, arguments: list[str], words: str,
) -> None:
    files = [] if "--files" in arguments else ["--files", str(web.files)]
    ended = subprocess.run(
        [str(program()), *files, *arguments], capture_output=True, text=True, timeout=30)
    assert ended.returncode == 2 and ended.stdout == ""
    # It has its time where the line of arguments was good.
    assert re.match(r"(\S+Z )?gesture-web: ", ended.stderr) and ended.stderr.count("\n") == 1
    assert words in ended.stderr and "\x1b" not in ended.stderr


def test_a_port_that_is_taken_is_named(web: Web) -> None:
    ended = subprocess.run(
        [str(program()), "--listen", f"127.0.0.1:{web.port}", "--files", str(web.files)],
        capture_output=True, text=True, timeout=30)
    assert ended.returncode == 2
    assert re.fullmatch(
        rf"\S+Z gesture-web: --listen 127\.0\.0\.1:{web.port}: Address already in use: perhaps "
        r"another gesture-web runs: stop it, or name another port by --listen "
        rf"\(ss -ltnp 'sport = :{web.port}' shows whose it is\)\n", ended.stderr), ended.stderr


def test_help_and_version_are_printed() -> None:
    for option, word in [("--version", "gesture-web "), ("--help", "--read-only"), ("-h", "usage")]:
        ended = subprocess.run([str(program()), option], capture_output=True, text=True, timeout=30)
        assert ended.returncode == 0 and word in ended.stdout and ended.stderr == ""


def test_it_listens_where_it_is_told() -> None:
    for listen, host in [("[::1]:*", "[::1]"), ("localhost:*", "127.0.0.1"), ("*:0", "0.0.0.0")]:
        with Web(None, "--listen", listen, "--open-to-network") as web:
            web.host, shown = web.host.replace("[::1]", "::1").replace("0.0.0.0", "127.0.0.1"), (
                web.host)
            assert shown == host and web.get("/").status == 200
