"""An upgrade keeps all state, a removal ends the daemons, a purge leaves no file."""

from __future__ import annotations

import os
import pathlib
import re

from machine import (
    CONFIGURATION, PACKAGE, PART_PACKAGES, QUIET, TOOL_PACKAGE, counts, do, exists_user, is_active,
    likes, pid, run, tool)
from test_1_install import files

ALL = [PACKAGE, TOOL_PACKAGE, *PART_PACKAGES.values()]
NAMES = [package.stem for package in ALL]


def later_package(package: pathlib.Path) -> pathlib.Path:
    """The same package with a later version and another configuration."""
    folder = pathlib.Path("later", package.stem).resolve()
    folder.parent.mkdir(exist_ok=True)
    do("dpkg-deb", "-R", str(package), str(folder))
    control = folder / "DEBIAN" / "control"
    later = re.sub(r"(?m)^(Version: .*)$", r"\1+later", control.read_text())
    control.write_text(re.sub(r"(gesturectl \(= [^)]*)", r"\1+later", later))
    configuration = folder / "etc" / "gestured" / "gestured.toml"
    if configuration.exists():
        configuration.write_text(configuration.read_text() + "# A later version says more.\n")
    later_deb = folder.with_suffix(".deb")
    do("dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "-b", str(folder), str(later_deb))
    return later_deb


def test_an_upgrade_keeps_state_and_what_was_edited():
    likes("alice", "kept", 3)
    had = counts("alice", "kept")
    edited = CONFIGURATION.read_text().replace("frame_rate = 60", "frame_rate = 120")
    CONFIGURATION.write_text(edited)
    before = pid(), pid("gestured@left"), pid("gesture-tuio@table")
    result = run("dpkg", "--force-confdef", "--force-confold", "-i",
                 *[str(later_package(package)) for package in ALL], env=QUIET, deadline=180)
    assert result.returncode == 0, result.stdout + result.stderr
    for name in NAMES:
        assert "+later" in do("dpkg-query", "-W", "-f", "${Version}", name)
    assert CONFIGURATION.read_text() == edited
    assert is_active() and is_active("gestured@left")
    assert pid() != before[0] and pid("gestured@left") != before[1], "the old program still runs"
    assert pid("gesture-tuio@table") not in (0, before[2]), "the old bridge still runs"
    assert counts("alice", "kept") == had
    assert counts("alice", "here", "--instance", "left") == {"likes": 1}


def test_a_removal_ends_all_and_keeps_state_and_configuration():
    do("apt-get", "remove", "-y", *NAMES, env=QUIET, deadline=180)
    bridges = ("gesture-tuio@table", "gesture-badge@panel")
    for unit in ("gestured", "gestured@left", "gestured@right", *bridges):
        state = run("systemctl", "is-active", unit).stdout.strip()
        assert state in ("inactive", "unknown", "failed"), (unit, state)
    assert run("pgrep", "-x", "gestured").returncode == 1, "a daemon still runs"
    assert not os.path.exists("/usr/bin/gestured") and not os.path.exists("/usr/lib/gestured")
    assert CONFIGURATION.exists()
    assert os.path.exists("/var/lib/private/gestured/gestured.db")


def test_installed_again_it_has_what_it_had():
    do("dpkg", "--force-confold", "-i", *map(str, ALL), env=QUIET, deadline=180)
    assert is_active()
    assert "kept" in tool("alice", "sessions").stdout.split()


def test_a_purge_leaves_nothing():
    do("apt-get", "purge", "-y", *NAMES, env=QUIET, deadline=180)
    do("systemctl", "daemon-reload")
    assert run("getent", "group", "gestured").returncode != 0
    assert not exists_user("_gestured")
    units = do("systemctl", "list-units", "--all", "--no-legend", "--plain", "gestured*")
    assert not [line for line in units.splitlines() if "loaded" in line.split()[:2]], units
    before = set(pathlib.Path("files-before").read_text().splitlines())
    own = {"/run/systemd", "/var/lib/private"}
    # The administrator made this key.
    own.add("/etc/credstore/gestured-left.key")
    left = {path for path in files() - before if "gesture" in path and path not in own}
    assert left == set()
    assert {path for path in before - files() if "gesture" not in path} == set()
