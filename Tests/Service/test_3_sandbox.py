"""Checks the sandbox: a probe runs with all directives of the service."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import socket
import subprocess

import pytest
from machine import do, home, run

UNIT = pathlib.Path("/lib/systemd/system/gestured.service")
# The sandbox can read only files that every user can read.
PROBE = pathlib.Path("/usr/local/share/gestured-probe.py")
ALLOWED = {
    "write own state", "write own runtime", "connect to loopback", "read its configuration"}


def denied_in(directives: list[str]) -> dict[str, str]:
    """The result of each attempt of the probe, under the unit's directives."""
    lines = [
        line for line in UNIT.read_text().splitlines()
        if not re.match(r"(ExecReload|WatchdogSec|Type|Restart|NotifyAccess|Timeout)", line)]
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        text = "\n".join(lines).replace("[Install]", "\n".join(directives) + "\n[Install]")
        command = f"ExecStart=/usr/bin/python3 {PROBE} {port} {home('mallory')}"
        text = re.sub(r"^ExecStart=.*", command, text, flags=re.M)
        text = text.replace("[Service]", "[Service]\nType=oneshot\nStandardError=journal")
        # The probe gets its own folders, apart from the running service's.
        text = text.replace("Directory=gestured", "Directory=gestured-probe")
        text = text.replace("User=_gestured", "User=_gestured-probe")
        unit = pathlib.Path("/run/systemd/system/gestured-probe.service")
        unit.write_text(text)
        do("systemctl", "daemon-reload")
        started = run("systemctl", "start", "gestured-probe")
        log = do("journalctl", "-b", "-o", "cat", "-u", "gestured-probe")
        assert started.returncode == 0, log
    unit.unlink()
    do("systemctl", "daemon-reload")
    return next(json.loads(line) for line in log.splitlines() if line.startswith("{"))


@pytest.fixture(scope="module")
def came_of(machine: dict[str, str]):
    here = pathlib.Path(__file__).parent
    shutil.copy(here / "probe.py", PROBE)
    PROBE.chmod(0o644)
    os.makedirs("/var/lib/private/gestured-left", exist_ok=True)
    try:
        yield denied_in([f"{name}=no" for name in machine])
    finally:
        PROBE.unlink()
        shutil.rmtree("/var/lib/private/gestured-probe", ignore_errors=True)
        pathlib.Path("/var/lib/gestured-probe").unlink(missing_ok=True)


def test_it_can_do_what_it_is_for(came_of: dict[str, str]):
    assert {name: came_of[name] for name in ALLOWED} == dict.fromkeys(ALLOWED, "done")


def test_it_can_do_nothing_else(came_of: dict[str, str]):
    done = {name for name, result in came_of.items() if result == "done"}
    assert done - {"send to the network"} == ALLOWED


def test_every_other_attempt_is_refused_for_the_right_reason(came_of: dict[str, str]):
    for name, result in came_of.items():
        if name.startswith("write in"):
            assert result in ("EROFS", "EACCES", "ENOENT"), (name, result)
        elif name.startswith("open AF_"):
            assert result == "EAFNOSUPPORT", (name, result)
    # The sandbox hides homes and other services' state.
    assert came_of["read a user's file"] in ("ENOENT", "EACCES")
    assert came_of["read an instance's state"] in ("ENOENT", "EACCES")
    assert came_of["make a network interface"] == "EPERM"
    assert came_of["see process 1"] == "ENOENT"
    assert came_of["see the kernel's settings"] == "ENOENT"


def test_beyond_loopback_there_is_nothing(came_of: dict[str, str]):
    plain = subprocess.run(
        ["systemd-run", "--wait", "-q", "-p", "IPAddressDeny=any", "-p", "DynamicUser=yes",
         "/usr/bin/python3", "-c",
         "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM)"
         ".sendto(b'x', ('127.0.0.1', 9))"], check=False)
    if plain.returncode == 0:
        pytest.skip("this machine's control groups filter no addresses (no BPF for them)")
    assert came_of["send to the network"] in ("EPERM", "EACCES")


def test_missing_abilities_of_this_machine_are_named(machine: dict[str, str]):
    if machine:
        pytest.skip("; ".join(f"{name}: {reason}" for name, reason in machine.items()))
