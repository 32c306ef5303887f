"""Clients with keys of a daemon with CURVE: gesturectl, a bridge, gesture-web."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import time
from collections.abc import Iterator

import pytest
from client import Daemon
from documents import wait_until
from guarded import Keys
from reliability import wait_for
from scenes import scene, toss
from test_bridge_badge import TELL, told, until
from tool import Tool, ctl, lines
from trackers import Bridge
from web import Web

GRANTS = """
[security.clients.reader]
control = "own"
read = ["kiosk-1*"]

[security.clients."*"]
publish = ["*"]
control = "all"
read = ["*"]
"""


@pytest.fixture(scope="module")
def keys(tmp_path_factory) -> Keys:
    return Keys(tmp_path_factory.mktemp("keys"), "kiosk-1", "reader")


@pytest.fixture(scope="module")
def guarded(keys: Keys) -> Iterator[Daemon]:
    config = (
        f'[security]\nserver_key = "{keys["server"]}"\n'
        f'authorized_keys = "{keys.authorized}"\n{GRANTS}')
    with Daemon(config) as daemon:
        yield daemon


def run(daemon: Daemon, key: object, *arguments: object, **options):
    environment = os.environ | {
        "GESTURED_EVENTS": daemon.events, "GESTURED_UPDATES": daemon.updates,
        "GESTURED_CONTROL": daemon.control} | ({"GESTURED_KEY": str(key)} if key else {})
    return ctl(*arguments, env=environment, **options)


def ok(*arguments: object) -> str:
    done = run(*arguments)
    assert done.returncode == 0, done
    return done.stdout.decode()


def open_session(daemon: Daemon, keys: Keys, name: str, folder: pathlib.Path) -> str:
    file = folder / "scene.json"
    file.write_text(json.dumps(scene(toss())))
    ok(daemon, keys["kiosk-1"], "open", name, file)
    return name


def reload(daemon: Daemon) -> None:
    """Has the daemon read its keys again, and waits until it has."""
    def count() -> int:
        return daemon.log().count("the configuration is read again")

    before = count()
    daemon.process.send_signal(signal.SIGHUP)
    wait_for(lambda: count() > before, "the configuration is read again")


def test_every_command_passes_with_a_key(guarded: Daemon, keys: Keys, tmp_path: pathlib.Path):
    key = keys["kiosk-1"]
    session = open_session(guarded, keys, "kiosk-1a", tmp_path)
    ok(guarded, key, "publish", f"notification/{session}", '{"kind":"likes"}')
    ok(guarded, key, "publish", "--ack", f"notification/{session}", '{"kind":"likes"}')
    counts = [
        line["body"] for line in lines(ok(guarded, key, "snapshot", session, "--json"))
        if line["topic"] == f"badge/{session}"]
    assert [body["total"] for body in counts] == [2]
    for words in (
            ["hello"], ["sessions"], ["stats"], ["scenes"], ["top", "-n", "1", "--delay", "0.1"],
            ["check", "--delay", "0.1"],
            ["bench", "--for", "1", "--sessions", "2"],
            ["watch", "--count", "1", "badge/"],
            ["watch", "--draw", session, "--frames", "1"],
            ["record", tmp_path / "events.jsonl", "--bind", "tcp://127.0.0.1:*", "--for", "0"],
            ["export", session]):
        if words[0] == "check":
            assert run(guarded, key, *words).returncode in (0, 1)
        else:
            ok(guarded, key, *words)
    recording = tmp_path / "played.jsonl"
    recording.write_text(
        '{"at":0,"topic":"notification/' + session + '","body":{"kind":"likes"}}\n')
    done = run(guarded, key, "replay", recording)
    assert done.returncode in (0, 2), done


def test_completion_finds_sessions_with_a_key(guarded: Daemon, keys: Keys, tmp_path):
    session = open_session(guarded, keys, "kiosk-1b", tmp_path)
    shown = run(guarded, keys["kiosk-1"], "complete", "gesturectl", "close", "kiosk-1b")
    assert shown.stdout.decode() == f"{session}\t\n"
    shown = run(
        guarded, None, "complete", "gesturectl", "--key", keys["kiosk-1"], "close", "kiosk-1b")
    assert shown.stdout.decode() == f"{session}\t\n"


def test_nobody_gets_in_without_an_authorized_key(guarded: Daemon, keys: Keys):
    stranger = keys.make("stranger")
    for words in (
            ["hello"], ["publish", "notification/a", '{"kind":"likes"}'], ["watch", "badge/"],
            ["bench", "--for", "1"]):
        done = run(guarded, stranger, *words, "--timeout", "0.2")
        assert done.returncode == 1, done
        assert re.search(rb"does not let this key in|this key may not be let in", done.stderr), done
    # The daemon ends the handshake after 3 s at most: sooner than the command would give up.
    done = run(guarded, stranger, "check", "--timeout", "30")
    assert done.returncode == 2, done
    assert b"CRITICAL - " in done.stdout and b"does not let this key in" in done.stdout, done
    begun = time.monotonic()
    done = run(guarded, None, "hello", "--timeout", "30")
    assert done.returncode == 1 and b"here is CURVE at that end" in done.stderr, done
    assert time.monotonic() - begun < 15


def test_another_servers_key_is_no_way_in(guarded: Daemon, keys: Keys):
    done = run(
        guarded, keys["kiosk-1"], "hello", "--server-key", keys.folder / "reader.key",
        "--timeout", "0.3")
    assert done.returncode == 1
    assert b"or its own is another than the given one" in done.stderr, done


def test_a_restricted_reader_is_led_to_its_own_endpoint(
    guarded: Daemon, keys: Keys, tmp_path: pathlib.Path
):
    session = open_session(guarded, keys, "kiosk-1c", tmp_path)
    ok(guarded, keys["kiosk-1"], "publish", "--ack", f"notification/{session}", '{"kind":"likes"}')
    shown = ok(guarded, keys["reader"], "watch", "--json", "--count", "1", f"badge/{session}")
    assert lines(shown)[0]["body"]["total"] == 1
    done = run(guarded, keys["reader"], "publish", "--ack", "notification/a", '{"kind":"likes"}')
    assert done.returncode == 1 and b"unauthorized" in done.stderr, done


def test_a_bridge_with_a_key_tells_of_a_count(guarded: Daemon, keys: Keys, tmp_path: pathlib.Path):
    session = open_session(guarded, keys, "kiosk-1d", tmp_path)
    file = tmp_path / "told"
    arguments = ["--session", session, "--command", f"{TELL}{file}", "--key", keys["kiosk-1"]]
    with Bridge(guarded, "badge", *arguments) as bridge:
        until(file, f"0 {session} {{}}")
        ok(guarded, keys["kiosk-1"], "publish", f"notification/{session}", '{"kind":"likes"}')
        until(file, f'1 {session} {{"likes":1}}')
        bridge.stop()
    assert len(told(file)) == 2


def test_gesture_web_with_a_key_shows_updates(guarded: Daemon, keys: Keys, tmp_path: pathlib.Path):
    session = open_session(guarded, keys, "kiosk-1e", tmp_path)
    with Web(guarded, "--key", str(keys["kiosk-1"])) as web, web.connect() as client:
        client.web(daemon=True)
        client.subscribe(f"badge/{session}")
        client.send({"topic": f"notification/{session}", "body": {"kind": "likes"}})
        client.update(f"badge/{session}", total=1)
        assert web.get("/healthz").status == 200
        assert web.log() == ""


def test_a_key_that_is_let_in_later_needs_no_restart(
    guarded: Daemon, keys: Keys, tmp_path: pathlib.Path
):
    session = open_session(guarded, keys, "kiosk-1f", tmp_path)
    late = keys.make("late")
    with Web(guarded, environment={"GESTURED_KEY": str(late)}) as web, web.connect() as client:
        client.web(daemon=False)
        refused = "or it does not let this key in\n"
        wait_until(lambda: web.log().endswith(refused), "it says why it hears nothing")
        with Bridge(guarded, "badge", "--command", "true", "--key", late) as bridge:
            assert bridge.said(r"gesturectl: tcp://\S+: gestured is away; waiting")
            assert bridge.said(r"gesturectl: Its key may be another .* may not be let in\.")
            keys.let_in("late")
            reload(guarded)
            assert bridge.said(r"gesturectl: tcp://\S+: gestured is there again")
            client.web(daemon=True)
            client.subscribe(f"badge/{session}")
            bridge.stop()
        # It was told once, not at every attempt.
        assert web.log().count(refused) == 1


def test_a_watch_outlives_its_keys_absence(guarded: Daemon, keys: Keys, tmp_path: pathlib.Path):
    session = open_session(guarded, keys, "kiosk-1g", tmp_path)
    visitor = keys.make("visitor")
    keys.let_in("visitor")
    reload(guarded)
    ok(guarded, visitor, "hello")
    words = ["watch", "--json", f"badge/{session}", "--key", visitor, "--timeout", "0.5"]
    with Tool(guarded, *words) as watch:
        assert json.loads(watch.process.stdout.readline())["body"]["total"] == 0
        keys.remove("visitor")
        reload(guarded)
        watch.said(r".*; waiting")
        ok(guarded, keys["kiosk-1"], "publish", f"notification/{session}", '{"kind":"likes"}')
        keys.let_in("visitor")
        reload(guarded)
        watch.said(r"tcp://\S+: heard again")
        assert json.loads(watch.process.stdout.readline())["body"]["total"] == 1
