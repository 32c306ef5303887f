"""The bridges' units, beside the daemon's: a table's touch, a count's command, and their bounds."""

from __future__ import annotations

import json
import pathlib
import re
import shutil
import socket
import struct
import time

import pytest
from machine import (
    BRIDGES, do, is_active, likes, now, pid, property_of, run, said, tool, until)

TABLE, PANEL = "gesture-tuio@table", "gesture-badge@panel"
DEFAULTS = pathlib.Path("/etc/default")


def text(words: str) -> bytes:
    return words.encode() + bytes(4 - len(words) % 4)


def message(*arguments: str | int | float) -> bytes:
    """One message of TUIO 1.1, of Open Sound Control."""
    kinds = "".join({str: "s", int: "i", float: "f"}[type(one)] for one in arguments)
    values = [
        text(one) if isinstance(one, str) else struct.pack(
            ">i" if isinstance(one, int) else ">f", one) for one in arguments]
    return text("/tuio/2Dcur") + text("," + kinds) + b"".join(values)


def touch(x: float, y: float) -> None:
    """Sends a frame in which one finger lies there."""
    parts = [
        message("alive", 1), message("set", 1, x, y, 0.0, 0.0, 0.0), message("fseq", -1)]
    datagram = text("#bundle") + bytes(7) + b"\1"
    datagram += b"".join(struct.pack(">i", len(part)) + part for part in parts)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tracker:
        tracker.sendto(datagram, ("127.0.0.1", 3333))


@pytest.mark.parametrize("unit", BRIDGES)
def test_the_units_are_sound_and_hardened(unit: str):
    # Copies under other names, so that this machine's drop-ins do not apply.
    pathlib.Path("rated").mkdir(exist_ok=True)
    copy = pathlib.Path("rated", unit.replace("@", "@left").replace("gesture-", "rated-"))
    shutil.copy(f"/lib/systemd/system/{unit}", copy)
    result = run("systemd-analyze", "verify", str(copy))
    assert result.returncode == 0 and result.stderr == "", result.stderr
    words = do(
        "systemd-analyze", "security", "--offline=true", "--no-pager", str(copy)).splitlines()[-1]
    exposure = re.search(r"level for \S+: ([\d.]+)", words)
    # Input devices are the world's.
    assert exposure and float(exposure[1]) <= (1.3 if "evdev" in unit else 1.0), words


def test_none_runs_before_somebody_starts_it():
    assert not any(is_active(unit.replace("@", "@any")) for unit in BRIDGES)


def commands(page: str, section: str) -> list[str]:
    """An administrator's commands in a section of an installed page."""
    pages = pathlib.Path("/usr/share/doc/gestured/docs")
    heading = rf"^## (?:\d+\. )?{re.escape(section)}\n"
    _, *rest = re.split(heading, (pages / page).read_text(), flags=re.M)
    assert len(rest) == 1, f"{page} has {len(rest)} sections {section}"
    blocks = re.findall(r"^```console\n(.*?)^```", rest[0].partition("\n## ")[0], re.M | re.S)
    found = [line[2:] for block in blocks for line in block.splitlines() if line[:2] == "# "]
    assert found, f"no commands in {section} of {page}"
    return found


def test_a_table_is_set_up_as_its_page_says():
    # The instance's file is read after this one.
    (DEFAULTS / "gesture-tuio").write_text('OPTIONS="--scene phone"\n')
    for command in commands("touch-table.md", "As a service"):
        do("sh", "-c", command)
    assert is_active(TABLE) and property_of(TABLE, "NRestarts") == "0"
    assert property_of(TABLE, "UnitFileState") == "enabled"
    assert "192.0.2.7" in property_of(TABLE, "IPAddressAllow")


def test_a_table_touches_its_session():
    until(lambda: "there" in property_of(TABLE, "StatusText"), 10, "it hears the daemon")
    touch(0.5, 0.5)
    until(lambda: tool("alice", "snapshot", "table").returncode == 0, 10, "the session is open")
    lines = tool("alice", "snapshot", "table", "--json").stdout.splitlines()
    assert json.loads(lines[0])["body"]["scene"] == "kiosk"


def test_it_is_shut_in():
    assert property_of(TABLE, "DynamicUser") == "yes"
    with open(f"/proc/{pid(TABLE)}/status", encoding="ascii") as file:
        fields = dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    assert fields["NoNewPrivs"] == "1" and int(fields["CapEff"], 16) == 0
    assert fields["Uid"].split()[0] != "0"


def test_after_a_crash_it_comes_back_and_it_outlives_the_daemons_restart():
    before = pid(TABLE)
    do("systemctl", "kill", "-s", "KILL", TABLE)
    until(lambda: pid(TABLE) not in (0, before) and is_active(TABLE), 20, "it is back")
    before = pid(TABLE)
    do("systemctl", "restart", "gestured")
    until(lambda: "AWAY" not in property_of(TABLE, "StatusText"), 20, "it hears the new daemon")
    assert pid(TABLE) == before and is_active(TABLE)


def test_a_table_whose_address_is_not_free_is_tried_again():
    run("systemctl", "start", "gesture-tuio@second")
    until(lambda: property_of("gesture-tuio@second", "NRestarts") not in ("0", ""), 20, "a try")
    assert any("Address already in use" in line for line in said(0, "gesture-tuio@second"))
    # Each table of a machine has a port of its own.
    (DEFAULTS / "gesture-tuio@second").write_text("OPTIONS=--port 3334\n")
    until(lambda: is_active("gesture-tuio@second"), 20, "it has a port")
    do("systemctl", "stop", "gesture-tuio@second")


def test_a_table_with_a_wrong_option_ends_for_good():
    (DEFAULTS / "gesture-tuio@second").write_text("OPTIONS=--listen table\n")
    run("systemctl", "start", "gesture-tuio@second")
    assert property_of("gesture-tuio@second", "ActiveState") == "failed"
    assert property_of("gesture-tuio@second", "NRestarts") == "0"


def test_a_badge_runs_its_command():
    (DEFAULTS / "gesture-badge@panel").write_text(
        """COMMAND='echo "the panel shows $1 of $GESTURED_SESSION"'\n""")
    do("systemctl", "start", PANEL)
    likes("alice", "panel", 4)
    until(lambda: "the panel shows 4 of panel" in said(0, PANEL), 10, "the command ran")


def test_a_stop_lets_a_badges_command_end():
    (DEFAULTS / "gesture-badge@slow").write_text(
        """COMMAND='sleep 1; echo "the command has told $1"'\n""")
    likes("alice", "slow", 2)
    do("systemctl", "start", "gesture-badge@slow")
    until(lambda: "1 runs" in property_of("gesture-badge@slow", "StatusText"), 10, "it runs")
    do("systemctl", "stop", "gesture-badge@slow")
    assert "the command has told 2" in said(0, "gesture-badge@slow")
    assert property_of("gesture-badge@slow", "Result") == "success"


def test_a_badge_is_set_up_as_the_page_says():
    for command in commands("operations.md", "Bridges"):
        do("sh", "-c", command)
    likes("alice", "shop", 3)
    until(lambda: "3 orders" in said(0, "gesture-badge@shop"), 10, "the command ran")
    do("systemctl", "disable", "--now", "gesture-badge@shop")


def test_a_bridge_without_what_it_needs_says_so_once():
    # A whole machine has this group by udev.
    run("groupadd", "--system", "--force", "input")
    for unit, word in (("gesture-badge@bare", "--command"), ("gesture-evdev@bare", "DEVICE")):
        run("systemctl", "start", unit)
        assert property_of(unit, "Result") == "exit-code" and pid(unit) == 0
        assert any(f"{word}" in line and "missing" in line for line in said(0, unit)), unit
        assert property_of(unit, "NRestarts") == "0"


def test_the_house_waits_for_its_broker():
    do("systemctl", "start", "gesture-mqtt")
    assert is_active("gesture-mqtt")
    assert pathlib.Path("/var/lib/private/gesture-mqtt").is_dir()
    time.sleep(1.5)
    assert is_active("gesture-mqtt") and property_of("gesture-mqtt", "NRestarts") == "0"
    do("systemctl", "stop", "gesture-mqtt")


def test_a_stop_prints_the_counters():
    since = now()
    do("systemctl", "stop", TABLE, PANEL)
    assert any("packets=" in line for line in said(since, TABLE))
    assert any("runs=" in line for line in said(since, PANEL))
    assert property_of(TABLE, "Result") == "success"
    # The administrator made it.
    shutil.rmtree(f"/etc/systemd/system/{TABLE}.service.d")
    do("systemctl", "daemon-reload")
    # The upgrade and the purge after this one meet them running.
    do("systemctl", "start", TABLE, PANEL)
