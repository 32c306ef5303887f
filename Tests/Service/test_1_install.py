"""Installs the package and checks its files, units and users."""

from __future__ import annotations

import gzip
import os
import pathlib
import re
import shutil
import stat

import pytest
from machine import (
    PACKAGE, PART_PACKAGES, QUIET, TOOL_PACKAGE, do, exists_user, is_active, property_of, run, tool)

UNIT = "/lib/systemd/system/gestured.service"
INSTANCE = "/lib/systemd/system/gestured@.service"
# Folders that the service must not touch.
LISTED = ["/etc", "/usr", "/var/lib", "/run", "/opt", "/home"]
# Files that any installation touches.
PASSING = re.compile(
    r"^(/var/lib/(dpkg|apt|systemd|ucf|man-db)|/run/(systemd|user|log|udev|credentials|lock)"
    r"|/etc/(ld\.so\.cache|group-|gshadow-|passwd-|shadow-|subgid|subuid|mailcap|\.pwd\.lock)"
    r"|/etc/\.pwd\.lock|/run/dbus|/run/initctl|/run/utmp|/run/[a-z-]+\.(pid|lock)"
    # Files of other programs on the machine.
    r"|/var/lib/(postgresql|mysql|redis)|/run/postgresql|.*/__pycache__)")


def files() -> set[str]:
    """The machine's files, without those that any installation touches."""
    found: set[str] = set()
    for top in LISTED:
        for folder, folders, names in os.walk(top):
            folders[:] = [each for each in folders if not PASSING.match(f"{folder}/{each}")]
            found.update(f"{folder}/{name}" for name in [*names, *folders])
    return {path for path in found if not PASSING.match(path)}


@pytest.fixture(scope="module")
def before() -> set[str]:
    return files()


@pytest.mark.parametrize(
    "package", [PACKAGE, TOOL_PACKAGE, *PART_PACKAGES.values()], ids=lambda path: path.stem)
def test_lintian_finds_no_error(package: pathlib.Path):
    if shutil.which("lintian") is None:
        pytest.skip("lintian is not installed")
    result = run(
        "lintian", "--fail-on", "error,warning", "--allow-root", str(package), deadline=300)
    assert result.returncode == 0, result.stdout + result.stderr


def depends(package: pathlib.Path) -> set[str]:
    words = do("dpkg-deb", "-f", str(package), "Depends")
    return {word.split()[0] for word in words.split(",")}


# Debian's packages of the libraries that only a part of the tool links.
DRAWING = {"libcairo2", "libpango-1.0-0", "libpangocairo-1.0-0", "libchafa0", "libwebp7"}
BRIDGING = {"libmosquitto1", "libevdev2", "liblo7"}


@pytest.mark.parametrize(("package", "some", "others"), [
    (PACKAGE, {"libzmq5", "libsqlite3-0"}, DRAWING | BRIDGING | {"gesturectl"}),
    (TOOL_PACKAGE, {"libzmq5"}, DRAWING | BRIDGING | {"gestured"}),
    (PART_PACKAGES["pictures"], {"gesturectl", *DRAWING}, BRIDGING),
    (PART_PACKAGES["bridges"], {"gesturectl", *BRIDGING}, DRAWING),
], ids=lambda value: getattr(value, "stem", None))
def test_it_depends_on_what_it_links_and_on_debians_libraries_only(
        package: pathlib.Path, some: set[str], others: set[str]):
    names = depends(package)
    assert some <= names and not others & names, names
    for name in names - {"gesturectl"}:
        assert run("dpkg-query", "-W", name).returncode == 0, f"{name} is not Debian's"
    assert not [name for name in names if "swift" in name]


def test_it_installs_and_starts(before: set[str]):
    # The last test compares this list with the files after the purge.
    pathlib.Path("files-before").write_text("\n".join(sorted(before)))
    result = run(
        "apt-get", "install", "-y", "--no-install-recommends", str(PACKAGE), str(TOOL_PACKAGE),
        deadline=180, env=QUIET)
    assert result.returncode == 0, result.stdout + result.stderr
    assert is_active(), run("systemctl", "status", "--no-pager", "-l", "gestured").stdout
    assert property_of("gestured", "UnitFileState") == "enabled"
    assert "not found" not in do("ldd", "/usr/bin/gestured")
    assert "swift" not in do("ldd", "/usr/bin/gestured", "/usr/bin/gesturectl").lower()


RECORDING = "/usr/share/doc/gestured/examples/recordings/toss.jsonl"


def test_the_tool_names_the_package_of_a_part_and_performs_it_once_it_is_there():
    picture = pathlib.Path("toss.png").resolve()
    draw = ("gesturectl", "render", RECORDING, "--at", "0.3", "-o", str(picture))
    wanted = {"pictures": draw, "bridges": ("gesturectl", "bridge", "tuio")}
    for part, command in wanted.items():
        result = run(*command)
        assert result.returncode == 2, result.stdout + result.stderr
        assert f"apt install gesturectl-{part}" in result.stderr
    result = run(
        "apt-get", "install", "-y", "--no-install-recommends",
        *map(str, PART_PACKAGES.values()), deadline=180, env=QUIET)
    assert result.returncode == 0, result.stdout + result.stderr
    do(*draw)
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert "--session SESSION is missing" in run(*wanted["bridges"]).stderr


def test_the_units_are_sound_and_hardened():
    # Copies under other names, so that this machine's drop-ins do not apply.
    for source, name in ((UNIT, "rated.service"), (INSTANCE, "rated@left.service")):
        pathlib.Path("rated").mkdir(exist_ok=True)
        unit = f"rated/{name}"
        shutil.copy(source, unit)
        result = run("systemd-analyze", "verify", unit)
        assert result.returncode == 0 and result.stderr == "", result.stderr
        words = do(
            "systemd-analyze", "security", "--offline=true", "--no-pager", unit).splitlines()[-1]
        exposure = re.search(r"level for \S+: ([\d.]+)", words)
        assert exposure and float(exposure[1]) <= 1.0, words


def test_an_instance_differs_from_the_service_in_names_alone():
    def directives(path: str) -> list[str]:
        lines = pathlib.Path(path).read_text().splitlines()
        return [line for line in lines if line and not line.startswith("#")]

    service, instance = directives(UNIT), directives(INSTANCE)
    renamed = [
        line.replace("gestured/gestured.toml", "gestured/%i.toml")
        .replace("Directory=gestured", "Directory=gestured-%i")
        .replace("User=_gestured", "User=_gestured-%i")
        .replace("Credential=gestured.key", "Credential=gestured.key:gestured-%i.key")
        .replace("Credential=gestured.server_key",
                 "Credential=gestured.server_key:gestured-%i.server_key")
        .replace("Description=Motion server", "Description=Motion server (instance %i)")
        for line in service]
    assert renamed == instance


def test_its_sockets_are_for_its_group():
    folder = os.stat("/run/gestured")
    assert stat.S_IMODE(folder.st_mode) == 0o750
    group = do("getent", "group", "gestured").split(":")[2]
    assert folder.st_gid == int(group)
    for name in ("events", "push", "updates", "control"):
        mode = os.stat(f"/run/gestured/{name}").st_mode
        assert os.stat(f"/run/gestured/{name}").st_gid == int(group), name
        assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o660, oct(mode)
    state = os.stat("/var/lib/private/gestured")
    assert stat.S_IMODE(state.st_mode) == 0o700
    assert exists_user("_gestured"), "the dynamic user has no name"


def test_its_pages_and_completions_are_there():
    for page in ("man1/gesturectl.1", "man5/gestured.toml.5", "man8/gestured.8"):
        text = gzip.decompress(pathlib.Path(f"/usr/share/man/{page}.gz").read_bytes())
        assert b".SH NAME" in text
        name = page.split("/")[1].rpartition(".")[0]
        # Some machines lack documentation. The test then checks only the file.
        if shutil.which("man"):
            result = run("man", "--warnings", "-E", "UTF-8", name)
            assert result.returncode == 0 and result.stderr == "", result.stderr
    for path in (
            "bash-completion/completions/gesturectl", "bash-completion/completions/gestured",
            "zsh/vendor-completions/_gesturectl", "fish/vendor_completions.d/gesturectl.fish",
            "fish/vendor_completions.d/gestured.fish", "doc/gestured/README.md",
            "doc/gestured/docs/operations.md", "doc/gestured/docs/protocol/README.md",
            "doc/gestured/copyright"):
        assert pathlib.Path(f"/usr/share/{path}").stat().st_size > 0, path


def test_the_configuration_is_good_and_a_conffile():
    assert "good" in do("gestured", "--check", "--config", "/etc/gestured/gestured.toml")
    conffiles = do("dpkg-query", "-W", "-f", "${Conffiles}", "gestured")
    assert "/etc/gestured/gestured.toml" in conffiles
    assert "/etc/gestured/scenes/phone.toml" in conffiles


def test_status_reads_well():
    text = do("systemctl", "status", "--no-pager", "-l", "gestured")
    assert "gestured.service - Motion server" in text
    assert "Active: active (running)" in text
    assert "man:gestured(8)" in text
    status = re.search(r'Status: "(.*)"', text)
    assert status and "session" in status[1] and "store" in status[1], text


def test_the_tool_finds_the_service_by_itself():
    do("usermod", "-a", "-G", "gestured", "alice")
    assert tool("alice", "hello").returncode == 0
    assert tool("mallory", "hello").returncode == 0
