"""Acts as administrator and users of a throwaway machine with systemd."""

from __future__ import annotations

import json
import os
import pathlib
import pwd
import subprocess
import time
from collections.abc import Callable, Iterator

# The folder of the packages, each under its own name.
PACKAGES = pathlib.Path(os.environ.get("GESTURED_DEBS", ".")).resolve()
PACKAGE = PACKAGES / "gestured.deb"
TOOL_PACKAGE = PACKAGES / "gesturectl.deb"
PART_PACKAGES = {
    "pictures": PACKAGES / "gesturectl-pictures.deb",
    "bridges": PACKAGES / "gesturectl-bridges.deb",
}
WEB_PACKAGE = PACKAGES / "gesture-web.deb"
BRIDGES = (
    "gesture-tuio@.service", "gesture-evdev@.service", "gesture-badge@.service",
    "gesture-mqtt.service")
CONFIGURATION = pathlib.Path("/etc/gestured/gestured.toml")
# The environment in which a package asks nothing.
QUIET = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}


def run(*command: str, deadline: float = 60, **more) -> subprocess.CompletedProcess:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=deadline, stdin=subprocess.DEVNULL,
        **more)


def do(*command: str, deadline: float = 60, **more) -> str:
    """Runs a command that must succeed, and returns its standard output."""
    result = run(*command, deadline=deadline, **more)
    assert result.returncode == 0, f"{' '.join(command)}: {result.stdout}{result.stderr}"
    return result.stdout


def until(condition: Callable[[], bool], deadline: float, what: str) -> None:
    end = time.monotonic() + deadline
    while not condition():
        assert time.monotonic() < end, f"not within {deadline} s: {what}"
        time.sleep(0.05)


def as_user(name: str, *command: str) -> list[str]:
    """The command as another user, with only that user's groups."""
    return ["runuser", "-u", name, "--", *command]


def tool(user: str, *arguments: str, deadline: float = 20) -> subprocess.CompletedProcess:
    return run(*as_user(user, "gesturectl", *arguments), deadline=deadline)


def ask(user: str, *arguments: str) -> dict:
    """The daemon's reply."""
    result = tool(user, *arguments, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def property_of(unit: str, name: str) -> str:
    return do("systemctl", "show", "--value", "-p", name, unit).strip()


def pid(unit: str = "gestured") -> int:
    return int(property_of(unit, "MainPID"))


def is_active(unit: str = "gestured") -> bool:
    return property_of(unit, "ActiveState") == "active"


def journal(unit: str = "gestured", since: int = 0) -> Iterator[dict]:
    """The unit's journal entries after a moment, in order, with their fields."""
    do("journalctl", "--sync")
    for line in do("journalctl", "-b", "-o", "json", "-u", unit).splitlines():
        entry = json.loads(line)
        # --after-cursor loses an entry if the cursor points to another unit's entry.
        if int(entry["__MONOTONIC_TIMESTAMP"]) > since:
            yield entry


def now() -> int:
    """The time of the journal's last entry."""
    do("journalctl", "--sync")
    last = json.loads(do("journalctl", "-b", "-n", "1", "-o", "json"))
    return int(last["__MONOTONIC_TIMESTAMP"])


def said(since: int, unit: str = "gestured") -> list[str]:
    return [entry["MESSAGE"] for entry in journal(unit, since) if "MESSAGE" in entry]


def counts(user: str, session: str, *options: str) -> dict[str, int]:
    """A session's badge counts, by kind."""
    result = tool(user, *options, "snapshot", session, "--json")
    assert result.returncode == 0, result.stderr
    for line in result.stdout.splitlines():
        update = json.loads(line)
        if update["topic"] == f"badge/{session}":
            return update["body"]["counts"]
    raise AssertionError(f"no badge in {result.stdout}")


def likes(user: str, session: str, count: int, *options: str) -> None:
    """Adds likes, and returns once they are on the disk."""
    body = json.dumps({"kind": "likes", "add": count})
    result = tool(user, *options, "publish", "--ack", f"notification/{session}", body)
    assert result.returncode == 0, result.stderr


def home(user: str) -> pathlib.Path:
    return pathlib.Path(pwd.getpwnam(user).pw_dir)


def exists_user(name: str) -> bool:
    try:
        pwd.getpwnam(name)
        return True
    except KeyError:
        return False
