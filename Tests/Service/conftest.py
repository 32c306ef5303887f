"""Prepares the machine once: users, and what it must have for systemd to do all it can."""

from __future__ import annotations

import os
import pathlib
import shutil

import pytest
from machine import PACKAGE, do, home, run

# Directives of the units that a machine within a machine may not support.
MAY_BE_MISSING = {
    "PrivateUsers": "this machine makes no user namespaces (it runs in a changed root, as a "
    "container may)",
    "PrivateIPC": "this machine makes no namespaces of System V IPC",
}


def can(name: str) -> bool:
    """Whether systemd can start something with a directive."""
    return run("systemd-run", "--wait", "-q", "-p", f"{name}=yes", "/bin/true").returncode == 0


@pytest.fixture(scope="session", autouse=True)
def machine() -> dict[str, str]:
    """Directives that this machine does not support, with the reason: the tests switch them off."""
    if os.environ.get("GESTURED_THROWAWAY_MACHINE") != "yes":
        pytest.exit("this changes the machine: only with GESTURED_THROWAWAY_MACHINE=yes", 2)
    with open("/proc/1/comm", encoding="ascii") as name:
        if name.read().strip() != "systemd":
            pytest.exit("process 1 is not systemd", 2)
    assert PACKAGE.exists(), f"there is no {PACKAGE}"
    # A whole machine's mounts are shared; credentials are mounted for a service and rely on it.
    run("mount", "--make-rshared", "/")
    # An image of a container may forbid that a package starts its service.
    pathlib.Path("/usr/sbin/policy-rc.d").unlink(missing_ok=True)
    missing = {name: reason for name, reason in MAY_BE_MISSING.items() if not can(name)}
    for unit in ("gestured.service", "gestured@.service"):
        folder = pathlib.Path(f"/run/systemd/system/{unit}.d")
        if missing:
            folder.mkdir(parents=True, exist_ok=True)
            lines = [f"{name}=no" for name in missing]
            (folder / "machine.conf").write_text("\n".join(["[Service]", *lines, ""]))
    # A package of an earlier run, where the machine is one of its own.
    if shutil.which("gestured"):
        run("apt-get", "purge", "-y", "gestured")
    for user in ("alice", "mallory"):
        if run("id", user).returncode != 0:
            do("useradd", "--create-home", "--shell", "/bin/sh", user)
        os.chmod(home(user), 0o755)
    # Readable for all that can see it.
    letter = home("mallory") / "letter"
    letter.write_text("private\n")
    letter.chmod(0o644)
    return missing
