"""Two instances beside the service, set up as docs/operations.md says."""

from __future__ import annotations

import os
import pathlib

from machine import (
    as_user, ask, counts, do, is_active, likes, now, pid, property_of, run, said, tool)


KEY = pathlib.Path("/etc/credstore/gestured-left.key")
SECRET = "0123456789abcdef0123456789abcdef"


def make(name: str, ports: str) -> None:
    text = pathlib.Path("/etc/gestured/gestured.toml").read_text()
    text = text.replace("/run/gestured/", f"/run/gestured-{name}/").replace(":741", f":{ports}")
    pathlib.Path(f"/etc/gestured/{name}.toml").write_text(text)


def test_two_run_beside_the_service():
    make("left", "742")
    make("right", "743")
    store = pathlib.Path("/etc/credstore")
    store.mkdir(mode=0o700, exist_ok=True)
    KEY.write_text(SECRET)
    KEY.chmod(0o400)
    do("systemctl", "enable", "--now", "gestured@left", "gestured@right")
    units = ["gestured", "gestured@left", "gestured@right"]
    assert all(is_active(unit) for unit in units)
    assert len({pid(unit) for unit in units}) == 3
    epochs = {ask("alice", *options, "hello")["epoch"] for options in (
        (), ("--instance", "left"), ("--instance", "right"))}
    assert len(epochs) == 3


def test_each_has_state_of_its_own():
    likes("alice", "here", 1, "--instance", "left")
    likes("alice", "here", 2, "--instance", "right")
    assert counts("alice", "here", "--instance", "left") == {"likes": 1}
    assert counts("alice", "here", "--instance", "right") == {"likes": 2}
    assert "here" not in tool("alice", "sessions").stdout.split()
    for name in ("left", "right"):
        assert os.path.exists(f"/var/lib/private/gestured-{name}/gestured.db")
        assert os.path.exists(f"/run/gestured-{name}/control")


def test_an_instance_is_found_by_the_environment_too():
    result = run(
        "runuser", "-u", "alice", "--", "env", "GESTURED_INSTANCE=right", "gesturectl", "sessions")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["here"], result.stderr
    unknown = tool("alice", "--instance", "middle", "hello")
    assert unknown.returncode == 2 and "middle" in unknown.stderr


def test_the_end_of_one_is_not_the_others():
    others = pid("gestured"), pid("gestured@right")
    do("systemctl", "restart", "gestured@left")
    assert (pid("gestured"), pid("gestured@right")) == others
    assert counts("alice", "here", "--instance", "left") == {"likes": 1}
    assert property_of("gestured@left", "Result") == "success"


def test_a_key_is_handed_to_its_instance_alone():
    given = pathlib.Path("/run/credentials/gestured@left.service/gestured.key")
    assert given.read_text() == SECRET
    assert run(*as_user("alice", "cat", str(given))).returncode != 0
    assert not pathlib.Path("/run/credentials/gestured@right.service/gestured.key").exists()
    lines = {name: said(0, f"gestured@{name}") for name in ("left", "right")}
    assert any("ids are kept by a key" in line for line in lines["left"]), lines["left"]
    assert not any("ids are kept by a key" in line for line in lines["right"])
    assert not any(SECRET in line for line in lines["left"])


def test_a_store_refuses_another_key():
    KEY.chmod(0o600)
    KEY.write_text(SECRET[::-1])
    try:
        since = now()
        assert run("systemctl", "restart", "gestured@left").returncode != 0
        assert property_of("gestured@left", "ExecMainStatus") == "2"
        assert any("cannot start" in line for line in said(since, "gestured@left"))
    finally:
        KEY.write_text(SECRET)
    do("systemctl", "start", "gestured@left")
    assert counts("alice", "here", "--instance", "left") == {"likes": 1}
