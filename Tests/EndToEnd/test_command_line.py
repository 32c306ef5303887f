"""The command line, the ready line and the exit."""

from __future__ import annotations

import pathlib
import re
import signal
import subprocess
import time

import pytest
from client import READY, REPOSITORY, Daemon, binary


def run(*arguments: str, deadline: float = 10) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(binary()), *arguments], capture_output=True, text=True, timeout=deadline,
        stdin=subprocess.DEVNULL)


@pytest.fixture
def place(tmp_path: pathlib.Path) -> list[str]:
    """Options for a daemon that must not start: its configuration and state directory."""
    config = tmp_path / "gestured.toml"
    config.write_text(f'scenes = "{REPOSITORY / "config" / "scenes"}"\n')
    return ["--config", str(config), "--state-dir", str(tmp_path / "state")]


def lines(text: str) -> list[str]:
    return text.strip().splitlines()


def test_version_is_one_line_and_what_hello_says():
    result = run("--version")
    assert result.returncode == 0
    assert len(lines(result.stdout)) == 1 and re.search(r"\d+\.\d+", result.stdout), result
    with Daemon() as daemon:
        assert daemon.requests().ok("hello")["version"] in result.stdout


def test_help_names_every_flag():
    result = run("--help")
    assert result.returncode == 0
    for flag in ("--config", "--events", "--updates", "--control", "--state-dir", "--check"):
        assert flag in result.stdout, f"--help does not name {flag}"


@pytest.mark.parametrize("arguments", [
    ["--colour"], ["--config"], ["extra"], ["--events"], ["-x"], ["--state-dir"]])
def test_a_wrong_flag_is_one_line_and_exit_2(arguments: list[str]):
    result = run(*arguments)
    assert result.returncode == 2, result
    assert result.stdout == "" and len(lines(result.stderr)) == 1, result
    assert arguments[0] in result.stderr, f"does not name {arguments[0]}: {result.stderr}"


def test_each_scene_that_is_given_is_checked(tmp_path):
    good, bad, gone = (tmp_path / f"{name}.toml" for name in ("good", "bad", "gone"))
    text = 'viewport = [1, 2]\n[[components]]\nid = "t"\nkind = "toss"\n'
    good.write_text(text)
    bad.write_text(text + "friction = -1\n")
    for files, status in (([good], 0), ([bad, good], 2), ([gone, good], 2), ([good, good], 0)):
        result = run(*(f"--check-scene={file}" for file in files))
        assert result.returncode == status, result
        assert result.stdout.count(f"{good}: good") == files.count(good), result
        wrong = [file for file in files if file != good]
        assert len(lines(result.stderr)) == len(wrong), result
        assert all(str(file) in result.stderr for file in wrong), result


def test_the_ready_line_has_real_ports_and_the_epoch():
    with Daemon() as daemon:
        for endpoint in (daemon.events, daemon.updates, daemon.control):
            assert re.fullmatch(r"tcp://127\.0\.0\.1:[1-9]\d*", endpoint), endpoint
        assert daemon.requests().ok("hello")["epoch"] == daemon.epoch


def test_the_ready_line_is_all_of_standard_output():
    with Daemon() as daemon:
        daemon.requests().ok("hello")
        daemon.stop()
        assert daemon.process.stdout.read() in (b"", None)


def test_endpoints_on_the_command_line_are_lists_and_replace_the_file():
    config = 'events = ["tcp://127.0.0.1:1"]\n'
    with Daemon(config) as daemon:
        socket = f"ipc://{daemon.folder}/events"
        arguments = [*daemon.arguments, "--events", socket]
        arguments[arguments.index("--state-dir") + 1] = str(daemon.folder / "other")
        process = subprocess.Popen(
            [str(binary()), *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        try:
            match = READY.match(process.stdout.readline())
            assert match, "no ready line"
            endpoints = match["events"].split(",")
            assert len(endpoints) == 2 and endpoints[1] == socket, endpoints
            assert endpoints[0].startswith("tcp://127.0.0.1:"), endpoints
            assert endpoints[0] != "tcp://127.0.0.1:1"
            first, second = daemon.publisher(endpoints[0]), daemon.publisher(endpoints[1])
            assert first and second
        finally:
            process.terminate()
            assert process.wait(10) == 0
            process.stdout.close()


def test_a_port_in_use_names_the_endpoint():
    with Daemon() as daemon:
        result = run(
            "--config", str(daemon.config), "--state-dir", str(daemon.folder / "other"),
            "--events", "tcp://127.0.0.1:*", "--updates", daemon.updates,
            "--control", "tcp://127.0.0.1:*")
        assert result.returncode not in (0, -signal.SIGABRT, -signal.SIGILL), result
        assert result.stdout == "" and len(lines(result.stderr)) == 1, result
        assert daemon.updates in result.stderr, result.stderr


@pytest.mark.parametrize("endpoint", ["", "nonsense", "tcp://", "tcp://127.0.0.1:99999", "ftp://x"])
def test_a_wrong_endpoint_is_one_line_that_names_it(place: list[str], endpoint: str):
    with_others = ["--updates", "tcp://127.0.0.1:*", "--control", "tcp://127.0.0.1:*"]
    result = run(*place, *with_others, "--events", endpoint)
    assert result.returncode == 2, result
    assert len(lines(result.stderr)) == 1 and endpoint in result.stderr, result


def test_a_second_daemon_on_the_state_directory_exits_2_and_names_it():
    with Daemon() as daemon:
        result = run(*daemon.arguments)
        assert result.returncode == 2, result
        assert str(daemon.state) in result.stderr and len(lines(result.stderr)) == 1, result
        assert daemon.requests().ok("hello"), "the first daemon does not answer"


def test_the_state_directory_is_free_again_after_the_end():
    with Daemon() as daemon:
        assert daemon.stop() == 0
        daemon.process.stdout.close()
        before = daemon.epoch
        daemon.start()
        assert daemon.epoch != before, "two lives have the same epoch"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_a_signal_ends_it_within_two_seconds_with_exit_0(number: int):
    with Daemon() as daemon:
        control = daemon.requests()
        daemon.publisher()
        daemon.subscriber("")
        control.open("moving", "phone")
        control.gesture("moving", "toss", "pan", "began", x=160, y=223)
        began = time.monotonic()
        assert daemon.stop(number) == 0, daemon.log()
        assert time.monotonic() - began < 2, "took more than 2 s"


def test_a_signal_ends_it_with_nobody_connected():
    with Daemon() as daemon:
        began = time.monotonic()
        assert daemon.stop() == 0
        assert time.monotonic() - began < 2, "took more than 2 s"


def test_accepted_events_are_published_before_the_end():
    with Daemon() as daemon:
        control, updates = daemon.requests(), daemon.subscriber("badge/")
        control.open("last", "phone")
        for _ in range(200):
            control.send("publish", topic="notification/last", body={"kind": "likes"})
        control.ok("hello")
        assert daemon.stop() == 0
        counted = updates.during(0.5)
        assert counted, "no badge was published"
        assert counted[-1].body["counts"]["likes"] == 200, counted[-1]
