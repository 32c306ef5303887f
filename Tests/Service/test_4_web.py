"""gesture-web's package: its unit beside the daemon's, the page, a WebSocket, a crash, a purge."""

from __future__ import annotations

import json
import os
import shutil
import urllib.error
import urllib.request

import pytest
from machine import QUIET, WEB_PACKAGE, do, is_active, pid, property_of, run, until
from websockets.sync.client import connect

UNIT = "gesture-web"
PAGE = "http://127.0.0.1:7480"


def status(path: str) -> int:
    try:
        return urllib.request.urlopen(PAGE + path, timeout=10).status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


def test_lintian_finds_no_error():
    if shutil.which("lintian") is None:
        pytest.skip("lintian is not installed")
    result = run(
        "lintian", "--fail-on", "error,warning", "--allow-root", str(WEB_PACKAGE), deadline=300)
    assert result.returncode == 0, result.stdout + result.stderr


def test_it_installs_and_starts():
    do("dpkg", "-i", str(WEB_PACKAGE), env=QUIET, deadline=180)
    until(lambda: is_active(UNIT), 10, "gesture-web is active")
    assert property_of(UNIT, "NRestarts") == "0"
    until(lambda: status("/healthz") == 200, 10, "the bridge hears the daemon")


def test_it_serves_the_page_and_its_parts():
    page = urllib.request.urlopen(PAGE, timeout=10).read().decode()
    assert "<title>gestured</title>" in page
    for path in ("/gestured.js", "/page/main.js", "/recordings/toss.jsonl", "/metrics"):
        assert status(path) == 200, path
    assert status("/../gestured.toml") in (400, 403, 404)


def test_a_browser_reaches_the_daemon_through_it():
    with connect("ws://127.0.0.1:7480/", open_timeout=10) as socket:
        socket.send(json.dumps({"request": {"op": "hello", "id": 1}}))
        while "reply" not in (message := json.loads(socket.recv(timeout=10))):
            pass
        assert message["reply"]["ok"] and message["reply"]["name"] == "gestured"


def test_it_is_shut_in():
    assert property_of(UNIT, "DynamicUser") == "yes"
    with open(f"/proc/{pid(UNIT)}/status", encoding="ascii") as file:
        fields = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    assert fields["NoNewPrivs"] == "1" and int(fields["CapEff"], 16) == 0
    assert fields["Uid"].split()[0] != "0"


def test_after_a_crash_it_comes_back():
    before = pid(UNIT)
    do("systemctl", "kill", "-s", "KILL", UNIT)
    until(lambda: pid(UNIT) not in (0, before) and status("/healthz") == 200, 20, "it is back")


def test_it_outlives_the_daemons_restart():
    before = pid(UNIT)
    do("systemctl", "restart", "gestured")
    until(lambda: status("/healthz") == 200, 20, "the bridge hears the new daemon")
    assert pid(UNIT) == before


def test_a_purge_leaves_nothing():
    do("apt-get", "purge", "-y", "gesture-web", env=QUIET, deadline=180)
    do("systemctl", "daemon-reload")
    assert status("/") == 0
    assert is_active("gestured")
    for path in ("/usr/bin/gesture-web", "/usr/share/gesture-web",
                 "/lib/systemd/system/gesture-web.service", "/usr/share/man/man8/gesture-web.8.gz"):
        assert not os.path.exists(path), path
