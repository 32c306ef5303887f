"""gesture-web behind Debian's nginx, at a path."""

from __future__ import annotations

import contextlib
import pathlib
import shutil
import socket
import subprocess
from collections.abc import Iterator

import pytest
from browser import FILES, Browser, Gateway
from client import DEADLINE, Control, Daemon
from documents import wait_until
from ports import free_port
from test_web_origins import status
from web import Web

TOKEN = "0123456789abcdef-._~"

CONFIG = """\
daemon off; pid %(folder)s/pid; error_log %(folder)s/err.log; worker_processes 1; user root;
events { worker_connections 64; }
http {
    access_log off;
    client_body_temp_path %(folder)s/b; proxy_temp_path %(folder)s/p;
    fastcgi_temp_path %(folder)s/f; uwsgi_temp_path %(folder)s/u; scgi_temp_path %(folder)s/s;
    map $http_upgrade $cu { default upgrade; '' close; }
    server {
        listen 127.0.0.1:%(port)d;
        proxy_http_version 1.1;
        proxy_set_header Upgrade $http_upgrade;
        proxy_set_header Connection $cu;
        proxy_set_header Host %(host)s;
%(places)s
    }
}
"""


@contextlib.contextmanager
def proxy(
    folder: pathlib.Path, places: dict[str, str], host: str = "$host:$server_port",
) -> Iterator[str]:
    """An nginx with servers behind paths; gives its address."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if program is None:
        pytest.skip("nginx is not installed")
    port = free_port()
    lines = "\n".join(
        f"        location {path} {{ proxy_pass http://{server}/; }}"
        for path, server in places.items())
    config = folder / "nginx.conf"
    config.write_text(CONFIG % {
        "folder": folder, "port": port, "host": host, "places": lines})
    process = subprocess.Popen([program, "-p", str(folder), "-e", str(folder / "err.log"),
                                "-c", str(config)], stdin=subprocess.DEVNULL)
    try:
        def accepts() -> bool:
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0
        wait_until(accepts, "nginx listens")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(DEADLINE)


def test_the_page_works_at_a_path(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path,
) -> None:
    control.open(session, "phone")
    other = f"{session}-other"
    with Gateway(daemon) as gateway, \
            proxy(tmp_path, {"/motion/": gateway.listen}) as address, Browser() as browser:
        top = f"{address}/motion/"
        browser.open(f"{top}?session={session}")
        browser.until("document.querySelector('#mount [data-view]') !== null")
        browser.until("document.querySelector('#link').textContent.trim() === 'live'")
        browser.run("document.querySelector('#gallery').scrollIntoView()")
        browser.until("document.querySelector('.card [data-view]') !== null")
        # Everything that it loads and leads to lies below the path.
        urls = browser.run(
            "return [...performance.getEntriesByType('resource').map(({name}) => name),"
            " ...[...document.querySelectorAll('a[href]')].map(({href}) => href)]")
        assert any(url.endswith(".jsonl") for url in urls) and len(urls) > 40
        assert [url for url in urls if not url.startswith(top)] == []
        browser.run("document.querySelector('#session').value = '%s';"
                    "document.querySelector('#opener').requestSubmit()" % other)
        browser.until(f"location.href === '{top}?session={other}'")
        browser.until(f"gestured.stage.scene && gestured.stage.session.name === '{other}'")
        browser.run("document.querySelector('#whole').click()")
        browser.until(f"location.href === '{top}?session={other}&alone'")
        browser.until("document.querySelector('#mount [data-view]') !== null")
        browser.open(f"{top}?sessions={session},{other}")
        browser.until("document.querySelectorAll('.wall a').length === 2")
        links = browser.run(
            "return [...document.querySelectorAll('.wall a')].map(({href}) => href)")
        assert links == [f"{top}?session={session}", f"{top}?session={other}"]
        assert browser.errors() == []
        control.ok("close", session=other)


@pytest.mark.parametrize("path", ["/", "/motion/", "/a/long/way/"])
def test_a_page_that_only_calls_connect_works_at_a_path(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path, path: str,
) -> None:
    control.open(session, "phone")
    with Gateway(daemon) as gateway, \
            proxy(tmp_path, {path: gateway.listen}) as address, Browser() as browser:
        browser.open(f"{address}{path}example.html?session={session}")
        browser.until("document.querySelector('#stage div div') !== null")
        assert browser.errors() == []


def test_two_links_with_tokens_behind_one_name(
    daemon: Daemon, control: Control, session: str, tmp_path: pathlib.Path,
) -> None:
    """Each has its own cookie, which the other path is not sent."""
    control.open(session, "phone")
    files = [tmp_path / name for name in ("one", "two")]
    for number, file in enumerate(files):
        file.write_text(f"{TOKEN}{number}")
        file.chmod(0o600)
    with Gateway(daemon, "--token-file", files[0]) as one, \
            Gateway(daemon, "--token-file", files[1]) as two, \
            proxy(tmp_path, {"/one/": one.listen, "/two/": two.listen}) as address, \
            Browser() as browser:
        for number, name in enumerate(("one", "two")):
            browser.open(f"{address}/{name}/?session={session}&token={TOKEN}{number}")
            browser.until("document.querySelector('#mount [data-view]') !== null")
            assert browser.run("return location.href") == f"{address}/{name}/?session={session}"
        for name in ("one", "two"):
            browser.open(f"{address}/{name}/?session={session}")
            browser.until("document.querySelector('#link').textContent.trim() === 'live'")
        assert [one for one in browser.errors() if "favicon.ico" not in one] == []


def test_a_proxy_that_leaves_the_port_out_is_refused_with_what_would_help(
    daemon: Daemon, tmp_path: pathlib.Path,
) -> None:
    with Web(daemon) as web, \
            proxy(tmp_path, {"/motion/": f"{web.host}:{web.port}"}, "$host") as address:
        socket_address = address.replace("http", "ws") + "/motion/"
        assert status(socket_address, origin=address) == 403
        wait_until(lambda: "403" in web.log(), "the refusal is told")
        line, = web.log().splitlines()
        assert "Z gesture-web: refused a WebSocket (403): " in line and line.endswith(
            f'its page is of "{address}", and it calls "127.0.0.1"; '
            f"--origin {address} lets it in")
        # The page itself cannot read the answer, and says where the reason stands.
        shutil.copytree(FILES, web.files, dirs_exist_ok=True)
        with Browser() as browser:
            browser.open(f"{address}/motion/")
            browser.until("document.querySelector('#link').textContent.includes('log says why')")
        assert web.log().count("(403)") == 1
    with Web(daemon, "--origin", address) as web, \
            proxy(tmp_path, {"/motion/": f"{web.host}:{web.port}"}, "$host") as again:
        assert status(again.replace("http", "ws") + "/motion/", origin=address) == 101
        assert web.log() == ""
