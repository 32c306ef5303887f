"""The drop-in of a cluster's members: systemd takes it, and the service starts under it."""

from __future__ import annotations

import pathlib
import shutil

import pytest
from machine import do, is_active, property_of

DROP_IN = pathlib.Path("/usr/share/gestured/cluster.conf")
UNIT = "gestured@member"


@pytest.fixture(scope="module", autouse=True)
def member():
    text = pathlib.Path("/etc/gestured/gestured.toml").read_text()
    text = text.replace("/run/gestured/", "/run/gestured-member/").replace(":741", ":744")
    configuration = pathlib.Path("/etc/gestured/member.toml")
    configuration.write_text(text)
    folder = pathlib.Path(f"/etc/systemd/system/{UNIT}.service.d")
    folder.mkdir(parents=True)
    shutil.copy(DROP_IN, folder / "cluster.conf")
    do("systemctl", "daemon-reload")
    yield
    do("systemctl", "stop", UNIT)
    shutil.rmtree(folder)
    configuration.unlink()
    shutil.rmtree("/var/lib/private/gestured-member", ignore_errors=True)
    do("systemctl", "daemon-reload")


def test_the_drop_in_opens_what_a_member_needs():
    assert "192.0.2.0/24" in property_of(UNIT, "IPAddressAllow")
    assert "gestured.pgpass" in do("systemctl", "cat", UNIT)
    assert "network-online.target" in property_of(UNIT, "After")
    # The rest of the sandbox stays.
    assert property_of(UNIT, "ProtectSystem") == "strict"


def test_a_service_starts_under_it():
    """A missing credential is no error: the database may need no password."""
    do("systemctl", "start", UNIT)
    assert is_active(UNIT)
