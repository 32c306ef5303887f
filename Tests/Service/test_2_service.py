"""The service as its users and its administrator meet it."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest
from machine import (
    CONFIGURATION, as_user, ask, counts, cursor, do, is_active, journal, likes, pid, property_of,
    run, said, tool, until)


def by_socket(user: str, *arguments: str) -> subprocess.CompletedProcess:
    """As a user whose process can open sockets of the file system alone."""
    return run(
        "systemd-run", "--wait", "--pipe", "-q", "-p", f"User={user}", "-p",
        "RestrictAddressFamilies=AF_UNIX", "gesturectl", *arguments)


def test_members_of_the_group_reach_it_by_its_sockets():
    result = by_socket("alice", "hello")
    assert result.returncode == 0, result.stderr


def test_others_do_not_but_loopback_is_open_to_all():
    denied = by_socket("mallory", "--timeout", "1", "hello")
    assert denied.returncode != 0
    socket = tool("mallory", "--timeout", "1", "--control", "ipc:///run/gestured/control", "hello")
    assert socket.returncode == 1, "a user outside of the group has reached the socket"
    assert tool("mallory", "hello").returncode == 0


def test_one_user_watches_what_another_publishes():
    watcher = subprocess.Popen(
        as_user("alice", "gesturectl", "watch", "--json", "--for", "20", "badge/ann"),
        stdout=subprocess.PIPE, text=True)
    try:
        likes("mallory", "ann", 2)
        likes("mallory", "ann", 1)
        seen = []
        while not seen or seen[-1]["body"]["counts"].get("likes") != 3:
            line = watcher.stdout.readline()
            assert line, f"the watch ended with {seen}"
            seen.append(json.loads(line))
        assert all(update["topic"] == "badge/ann" for update in seen)
    finally:
        watcher.terminate()
        watcher.wait(10)


def test_a_reload_takes_a_good_file_and_loses_no_session():
    before = pid()
    likes("alice", "kept", 4)
    epoch = ask("alice", "hello")["epoch"]
    scene = pathlib.Path("/etc/gestured/scenes/second.toml")
    shutil.copy("/etc/gestured/scenes/phone.toml", scene)
    scene.write_text(scene.read_text().replace('name = "phone"', 'name = "second"'))
    since = cursor()
    do("systemctl", "reload", "gestured")
    until(lambda: "second" in tool("alice", "scenes").stdout.split(), 10, "the scene is there")
    until(lambda: any("is read again" in line for line in said(since)), 5, "the log says so")
    assert pid() == before and ask("alice", "hello")["epoch"] == epoch
    assert counts("alice", "kept") == {"likes": 4}


def test_a_reload_refuses_a_bad_file_and_keeps_the_old_one():
    before, good = pid(), CONFIGURATION.read_text()
    CONFIGURATION.write_text(good + "\ncolour = 3\n")
    line = len(CONFIGURATION.read_text().splitlines())
    try:
        since = cursor()
        refused = run("systemctl", "reload", "gestured")
        assert refused.returncode != 0, "systemctl reload says that all is well"
        told = [text for text in said(since) if f"gestured.toml:{line}:" in text]
        assert told and "colour" in told[0], said(since)
        # The daemon itself, asked without the unit's check before it.
        since = cursor()
        do("systemctl", "kill", "-s", "HUP", "gestured")
        until(
            lambda: any("refused" in text and "colour" in text for text in said(since)), 10,
            "the daemon says what is wrong")
    finally:
        CONFIGURATION.write_text(good)
    assert is_active() and pid() == before
    assert counts("alice", "kept") == {"likes": 4}
    status = property_of("gestured", "StatusText")
    assert "refused" in status or "colour" in status, status
    do("systemctl", "reload", "gestured")
    until(lambda: "refused" not in property_of("gestured", "StatusText"), 10, "all is well again")


def test_the_journal_has_fields():
    since = cursor()
    for number in range(3):
        tool("alice", "publish", f"gesture/kept/nothing{number}", '{"gesture":"tap","x":1,"y":1}')
    until(
        lambda: any("CODE" in entry for entry in journal(since=since)), 15,
        "a line about events that were refused")
    entry = next(entry for entry in journal(since=since) if "CODE" in entry)
    assert entry["CODE"] == "unknown-component"
    assert entry["SESSION"] == "kept"
    assert entry["TOPIC"].startswith("gesture/kept/nothing")
    assert entry["PRIORITY"] == "4"
    assert entry["SYSLOG_IDENTIFIER"] == "gestured"
    assert entry["_SYSTEMD_UNIT"] == "gestured.service"
    own = [entry for entry in journal() if entry.get("_COMM") == "gestured"]
    assert {"6"} <= {entry["PRIORITY"] for entry in own}
    assert all("SESSION" not in entry or entry["SESSION"] for entry in own)


def test_a_restart_brings_sessions_back():
    likes("alice", "kept", 1)
    before = pid()
    do("systemctl", "restart", "gestured")
    assert pid() != before
    assert "kept" in tool("alice", "sessions").stdout.split()
    assert counts("alice", "kept") == {"likes": 5}


def test_the_watchdog_ends_what_stands_still():
    likes("alice", "kept", 1)
    before, restarts = pid(), int(property_of("gestured", "NRestarts"))
    since = cursor()
    began = time.monotonic()
    os.kill(before, signal.SIGSTOP)
    until(lambda: pid() not in (0, before) and is_active(), 60, "it runs again")
    assert time.monotonic() - began > 5, "something else has ended it"
    assert int(property_of("gestured", "NRestarts")) == restarts + 1
    systemd = [entry["MESSAGE"] for entry in journal(since=since) if entry["_PID"] == "1"]
    assert any("Watchdog timeout" in text for text in systemd), systemd
    assert counts("alice", "kept") == {"likes": 6}


def test_what_is_killed_comes_back():
    likes("alice", "kept", 1)
    before = pid()
    do("systemctl", "kill", "-s", "KILL", "gestured")
    until(lambda: pid() not in (0, before) and is_active(), 20, "it runs again")
    assert counts("alice", "kept") == {"likes": 7}


def test_a_stop_is_clean_and_quick():
    with subprocess.Popen(
            as_user("alice", "gesturectl", "watch", "heartbeat"), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL) as watcher:
        began = time.monotonic()
        do("systemctl", "stop", "gestured")
        assert time.monotonic() - began < 5
        watcher.terminate()
    assert property_of("gestured", "Result") == "success"
    assert property_of("gestured", "ExecMainStatus") == "0"
    assert property_of("gestured", "ActiveState") == "inactive"
    assert not os.path.exists("/run/gestured"), "its sockets are left"
    do("systemctl", "start", "gestured")
    assert counts("alice", "kept") == {"likes": 7}


def test_what_a_person_must_mend_is_not_tried_again():
    good = CONFIGURATION.read_text()
    do("systemctl", "stop", "gestured")
    CONFIGURATION.write_text("colour = 3\n")
    try:
        since = cursor()
        assert run("systemctl", "start", "gestured").returncode != 0
        assert property_of("gestured", "ActiveState") == "failed"
        assert property_of("gestured", "ExecMainStatus") == "2"
        assert any("gestured.toml:1:" in text for text in said(since)), said(since)
    finally:
        CONFIGURATION.write_text(good)
    do("systemctl", "start", "gestured")


@pytest.mark.parametrize("unit, key", [("gestured", "gestured.key")])
def test_a_key_is_handed_over_to_the_service_alone(unit: str, key: str):
    store = pathlib.Path("/etc/credstore")
    store.mkdir(mode=0o700, exist_ok=True)
    (store / key).write_text("0123456789abcdef0123456789abcdef\n")
    (store / key).chmod(0o600)
    try:
        do("systemctl", "restart", unit)
        folder = pathlib.Path(f"/run/credentials/{unit}.service")
        if not (folder / "gestured.key").exists():
            pytest.skip("this machine's systemd mounts no credentials")
        assert (folder / "gestured.key").read_text().startswith("0123456789abcdef")
        assert run(*as_user("alice", "cat", f"{folder}/gestured.key")).returncode != 0
    finally:
        (store / key).unlink()
        do("systemctl", "restart", unit)
