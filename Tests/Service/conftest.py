"""Prepares the machine once: its users, its mounts and the directives that it lacks."""

from __future__ import annotations

import os
import pathlib
import shutil

import pytest
from machine import BRIDGES, PACKAGE, PART_PACKAGES, TOOL_PACKAGE, do, home, run

# The units' directives that a container may not support.
MAY_BE_MISSING = {
    "PrivateUsers": "this machine makes no user namespaces (it runs in a changed root, as a "
    "container may)",
    "PrivateIPC": "this machine makes no namespaces of System V IPC",
}


def can(name: str) -> bool:
    """Whether systemd can start a program under this directive."""
    return run("systemd-run", "--wait", "-q", "-p", f"{name}=yes", "/bin/true").returncode == 0


@pytest.fixture(scope="session", autouse=True)
def machine() -> dict[str, str]:
    """The directives that this machine lacks, with the reason. The tests switch them off."""
    if os.environ.get("GESTURED_THROWAWAY_MACHINE") != "yes":
        pytest.exit("this changes the machine: only with GESTURED_THROWAWAY_MACHINE=yes", 2)
    with open("/proc/1/comm", encoding="ascii") as name:
        if name.read().strip() != "systemd":
            pytest.exit("process 1 is not systemd", 2)
    for package in (PACKAGE, TOOL_PACKAGE, *PART_PACKAGES.values()):
        assert package.exists(), f"there is no {package}"
    # systemd mounts credentials for a service. This needs shared mounts, as on a real machine.
    run("mount", "--make-rshared", "/")
    # A container image may forbid packages to start services.
    pathlib.Path("/usr/sbin/policy-rc.d").unlink(missing_ok=True)
    missing = {name: reason for name, reason in MAY_BE_MISSING.items() if not can(name)}
    for unit in ("gestured.service", "gestured@.service", "gesture-web.service", *BRIDGES):
        folder = pathlib.Path(f"/run/systemd/system/{unit}.d")
        if missing:
            folder.mkdir(parents=True, exist_ok=True)
            lines = [f"{name}=no" for name in missing]
            (folder / "machine.conf").write_text("\n".join(["[Service]", *lines, ""]))
    # An earlier run may have left its packages.
    if shutil.which("gestured") or shutil.which("gesturectl"):
        run("dpkg", "--purge", "gesture-web", "gesturectl-pictures", "gesturectl-bridges",
            "gesturectl", "gestured")
    for user in ("alice", "mallory"):
        if run("id", user).returncode != 0:
            do("useradd", "--create-home", "--shell", "/bin/sh", user)
        os.chmod(home(user), 0o755)
    # Every user that sees the file may read it.
    letter = home("mallory") / "letter"
    letter.write_text("private\n")
    letter.chmod(0o644)
    return missing
