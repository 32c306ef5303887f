"""The service as users and the administrator meet it."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import time

from machine import (
    CONFIGURATION, as_user, ask, counts, do, is_active, journal, likes, now, pid, property_of,
    run, said, tool, until)


def by_socket(user: str, *arguments: str) -> subprocess.CompletedProcess:
    """Runs gesturectl as a user who can open only Unix sockets."""
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
    assert socket.returncode == 1, "a user outside the group reached the socket"
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
    since = now()
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
        since = now()
        refused = run("systemctl", "reload", "gestured")
        assert refused.returncode != 0, "systemctl reload reports success"
        told = [text for text in said(since) if f"gestured.toml:{line}:" in text]
        assert told and "colour" in told[0], said(since)
        # Signals the daemon without the unit's check.
        since = now()
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
    since = now()
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
    started = next(entry for entry in journal() if entry["MESSAGE"].startswith("started:"))
    assert started["PRIORITY"] == "6" and "SESSION" not in started and "CODE" not in started
    # A hundred events add no line to the journal.
    since = now()
    subprocess.run(
        as_user("alice", "gesturectl", "publish", "--ack", "notification/quiet", "-"),
        input='{"kind":"likes"}\n' * 100, text=True, timeout=30, check=True)
    own = [entry for entry in journal(since=since) if entry.get("_COMM") == "gestured"]
    assert len(own) <= 2, own


def test_a_restart_brings_sessions_back():
    likes("alice", "kept", 1)
    before = pid()
    do("systemctl", "restart", "gestured")
    assert pid() != before
    assert "kept" in tool("alice", "sessions").stdout.split()
    assert counts("alice", "kept") == {"likes": 5}


def test_the_watchdog_restarts_a_hanging_daemon():
    likes("alice", "kept", 1)
    before, restarts = pid(), int(property_of("gestured", "NRestarts"))
    since = now()
    began = time.monotonic()
    do("systemctl", "kill", "-s", "STOP", "gestured")
    until(lambda: pid() not in (0, before) and is_active(), 60, "it runs again")
    assert time.monotonic() - began > 5, "the daemon ended before the watchdog's time"
    assert int(property_of("gestured", "NRestarts")) == restarts + 1
    systemd = [entry["MESSAGE"] for entry in journal(since=since) if entry["_PID"] == "1"]
    assert any("Watchdog timeout" in text for text in systemd), systemd
    assert counts("alice", "kept") == {"likes": 6}


def test_a_killed_service_restarts():
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
    assert not os.path.exists("/run/gestured"), "its sockets remain"
    do("systemctl", "start", "gestured")
    assert counts("alice", "kept") == {"likes": 7}


def test_a_backup_can_be_restored():
    state = pathlib.Path("/var/lib/gestured")
    copy = pathlib.Path("backup.db").resolve()
    with sqlite3.connect(state / "gestured.db") as source, sqlite3.connect(copy) as target:
        source.backup(target)
    source.close()
    target.close()
    likes("alice", "kept", 10)
    do("systemctl", "stop", "gestured")
    assert (state / "gestured.db-wal").stat().st_size == 0, "a clean stop left a log"
    for name in ("gestured.db-wal", "gestured.db-shm"):
        (state / name).unlink(missing_ok=True)
    shutil.copy(copy, state / "gestured.db")
    do("chown", f"--reference={state}/lock", f"{state}/gestured.db")
    do("systemctl", "start", "gestured")
    assert counts("alice", "kept") == {"likes": 7}


def test_a_bad_configuration_is_not_retried():
    good = CONFIGURATION.read_text()
    do("systemctl", "stop", "gestured")
    CONFIGURATION.write_text("colour = 3\n")
    try:
        since = now()
        assert run("systemctl", "start", "gestured").returncode != 0
        assert property_of("gestured", "ActiveState") == "failed"
        assert property_of("gestured", "ExecMainStatus") == "2"
        assert any("gestured.toml:1:" in text for text in said(since)), said(since)
    finally:
        CONFIGURATION.write_text(good)
    do("systemctl", "start", "gestured")
