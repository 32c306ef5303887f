"""The folder of keys: which files let a client in, and what a key without a table may do."""

from __future__ import annotations

import pathlib
import signal
import subprocess

import pytest
import zmq
from client import DEADLINE, Daemon, binary
from keys import ALL, Keys, table
from reliability import wait_for
from scenes import still

OWN = {"publish": ["kiosk1"], "control": "own", "read": ["kiosk1"]}
NOTHING = "clients without a table may do nothing but hello: "
WIDENED = "clients may do everything now: "
PASSED_OVER = "files in the folder of keys are passed over: "


@pytest.fixture
def keys(tmp_path: pathlib.Path) -> Keys:
    keys = Keys(tmp_path / "keys")
    for name in ("boss", "kiosk1"):
        keys.add(name)
    return keys


def reload(daemon: Daemon) -> None:
    count = daemon.log().count("the configuration is read again")
    daemon.process.send_signal(signal.SIGHUP)
    wait_for(
        lambda: daemon.log().count("the configuration is read again") > count, "it is read again")


def is_answered(daemon: Daemon, keys: Keys, name: str) -> bool:
    """Whether a new connection with a key is answered."""
    socket = keys.client(daemon, name).socket(zmq.DEALER, daemon.control)
    socket.send(b'{"op":"hello"}')
    found = socket.poll(500) != 0
    socket.close(linger=0)
    return found


def warnings(tmp_path: pathlib.Path, text: str) -> str:
    config = tmp_path / "gestured.toml"
    (tmp_path / "scenes").mkdir(exist_ok=True)
    config.write_text(f'auto_open = ""\nscenes = "scenes"\n{text}')
    run = subprocess.run(
        [binary(), "--check", "--config", str(config)], capture_output=True, text=True,
        timeout=DEADLINE)
    assert run.returncode == 0, run.stderr
    return run.stderr


@pytest.mark.parametrize("tables", ["", table("boss", **ALL) + table("kiosk1", **OWN)])
def test_a_key_that_is_renamed_lets_its_client_out(keys: Keys, tables: str):
    with Daemon(keys.config(tables)) as daemon:
        kiosk = keys.client(daemon, "kiosk1")
        control = kiosk.requests()
        control.open("kiosk1", still())
        publisher, updates = kiosk.publisher(), kiosk.subscriber("badge/kiosk1")
        file = keys.authorized / "kiosk1.key"
        file.rename(keys.authorized / "kiosk1.key.revoked")
        reload(daemon)
        assert f"{PASSED_OVER}{keys.authorized}: kiosk1.key.revoked: " in daemon.log()
        wait_for(lambda: not is_answered(daemon, keys, "kiosk1"), "the key is out")
        boss = keys.client(daemon, "boss").requests()
        publisher.send("notification/kiosk1", {"kind": "comments"})
        boss.notify("kiosk1", "likes")
        assert not [it for it in updates.during(0.5) if it.body.get("total")], "it reads"
        control.socket.send(b'{"op":"hello"}')
        assert not control.socket.poll(500), "its connections are closed"
        assert boss.badge("kiosk1")["counts"] == {"likes": 1}
        (keys.authorized / "kiosk1.key.revoked").rename(file)
        reload(daemon)
        wait_for(lambda: is_answered(daemon, keys, "kiosk1"), "the key is in again")


def test_a_key_under_another_name_may_do_nothing(keys: Keys):
    """Its table is that of its former name, and no table names the new one."""
    with Daemon(keys.config(table("boss", **ALL) + table("kiosk1", **OWN))) as daemon:
        boss = keys.client(daemon, "boss").requests()
        boss.open("kiosk1", still()), boss.open("alice", still())
        (keys.authorized / "kiosk1.key").rename(keys.authorized / "kiosk1-old.key")
        reload(daemon)
        assert f"{NOTHING}kiosk1-old: " in daemon.log()
        wait_for(lambda: is_answered(daemon, keys, "kiosk1"), "hello alone is answered")
        control = keys.client(daemon, "kiosk1").requests()
        for op, fields in [
            ("open", {"session": "bob", "scene": "phone"}), ("sessions", {}), ("stats", {}),
            ("snapshot", {"session": "kiosk1"}), ("close", {"session": "alice"}),
            ("publish", {"topic": "notification/alice", "body": {"kind": "likes"}})]:
            assert control.refused(op, **fields)["code"] == "unauthorized", op
        keys.client(daemon, "kiosk1").publisher().send(
            "notification/alice", {"kind": "likes"})
        boss = keys.client(daemon, "boss").requests()
        wait_for(lambda: boss.ok("stats")["stats"]["unauthorized"] >= 7, "the event is refused")
        assert boss.badge("alice")["total"] == 0
        assert not keys.client(daemon, "kiosk1").socket(zmq.SUB, daemon.updates).poll(300)


def test_a_first_table_takes_the_rights_of_keys_without_one(keys: Keys):
    with Daemon(keys.config()) as daemon:
        control = keys.client(daemon, "boss").requests()
        control.open("alice", still())
        text = daemon.config.read_text()
        daemon.config.write_text(text + table("kiosk1", **OWN))
        reload(daemon)
        assert f"{NOTHING}boss: " in daemon.log()
        control = keys.client(daemon, "boss").requests()
        assert control.refused("close", session="alice")["code"] == "unauthorized"
        daemon.config.write_text(text + table("kiosk1", **OWN) + table("*", **ALL))
        reload(daemon)
        assert daemon.log().count(NOTHING) == 1
        keys.client(daemon, "boss").requests().ok("close", session="alice")


def test_a_removal_of_the_last_table_names_those_that_may_do_everything_now(keys: Keys):
    """The administrator takes a client away with its table, which is the last one."""
    with Daemon(keys.config(table("kiosk1", **OWN))) as daemon:
        keys.add("other")
        text = daemon.config.read_text()
        (keys.authorized / "kiosk1.key").unlink()
        daemon.config.write_text(text[:text.index("[security.clients")] + "[security.clients]\n")
        reload(daemon)
        assert f"{NOTHING}boss, other: " in daemon.log()
        for name in ("boss", "other"):
            control = keys.client(daemon, name).requests()
            assert control.refused("stats")["code"] == "unauthorized"
        assert WIDENED not in daemon.log()
        daemon.config.write_text(text[:text.index("[security.clients")])
        reload(daemon)
        assert f"{WIDENED}boss, other: " in daemon.log(), daemon.log()
        keys.client(daemon, "other").requests().ok("stats")
        reload(daemon)
        assert daemon.log().count(WIDENED) == 1


def test_a_check_tells_of_keys_beside_an_empty_table(keys: Keys, tmp_path: pathlib.Path):
    told = f"{NOTHING}boss, kiosk1: give each a table [security.clients.NAME]"
    assert NOTHING not in warnings(tmp_path, keys.config())
    for empty in ("[security.clients]\n", "clients = {}\n"):
        assert told in warnings(tmp_path, keys.config(empty)), empty


def test_a_check_tells_which_files_are_passed_over(keys: Keys, tmp_path: pathlib.Path):
    for name in (".hidden.key", "kiosk1.key~", "#kiosk1.key#", "kiosk1.key.revoked", "a.pub"):
        (keys.authorized / name).write_text("no certificate")
    (keys.authorized / "away").mkdir()
    (keys.authorized / "boss.key_secret").write_text("no certificate")
    found = warnings(tmp_path, keys.config())
    names = "#kiosk1.key#, .hidden.key, a.pub, away, kiosk1.key.revoked, kiosk1.key~"
    assert f"{PASSED_OVER}{keys.authorized}: {names}: a client's key is a file NAME.key" in found
    assert "a secret key can be read by others: " in found and "boss.key_secret: a secret" in found
    assert NOTHING not in found
    for number in range(20):
        (keys.authorized / f"b-{number:02}.bak").write_text("no certificate")
    found = warnings(tmp_path, keys.config(table("kiosk1", **OWN)))
    assert "b-03.bak and 18 more: " in found
    assert f"{NOTHING}boss: give each a table [security.clients.NAME]" in found


@pytest.mark.parametrize("other", ["tcp://127.0.0.1:7491", "tcp://0.0.0.0:7491"])
def test_two_groups_of_readers_have_no_endpoint_in_common(
    keys: Keys, tmp_path: pathlib.Path, other: str
):
    endpoint = "tcp://127.0.0.1:7491"
    tables = table("boss", read=["a", "b"], updates=[endpoint])
    same = table("kiosk1", read=["a", "b"], updates=[endpoint])
    (tmp_path / "scenes").mkdir()
    config = tmp_path / "gestured.toml"

    def check(text: str, *arguments: str) -> subprocess.CompletedProcess:
        config.write_text(f'auto_open = ""\nscenes = "scenes"\n{text}')
        return subprocess.run(
            [binary(), *arguments, "--config", str(config)], capture_output=True, text=True,
            timeout=DEADLINE)

    assert check(keys.config(tables + same), "--check").returncode == 0
    clash = tables + table("kiosk1", read=["a"], updates=[other])
    for arguments in (["--check"], ["--state-dir", str(tmp_path / "state")]):
        found = check(keys.config(clash), *arguments)
        assert found.returncode == 2 and found.stderr.count("\n") == 1, found.stderr
        assert (f'security.clients.kiosk1, key updates: "{other}" is in use by '
                f'security.clients.boss, which has "{endpoint}"') in found.stderr
    taken = check(f'control = ["{other}"]\n{keys.config(tables)}', "--check")
    assert taken.returncode == 2 and "is in use by key control" in taken.stderr


@pytest.mark.parametrize("folder, message", [
    ("authorized_keys", "has more than 16384 files; give a folder of keys alone"),
    ("scenes", "has 1025 files *.toml; a folder of scenes has at most 1024")])
def test_a_folder_of_very_many_files_is_refused(
    keys: Keys, tmp_path: pathlib.Path, folder: str, message: str
):
    (tmp_path / "scenes").mkdir()
    where = keys.authorized if folder == "authorized_keys" else tmp_path / "scenes"
    for number in range(16_385 if folder == "authorized_keys" else 1_025):
        (where / f"{number}.toml").touch()
    config = tmp_path / "gestured.toml"
    config.write_text(f'auto_open = ""\nscenes = "scenes"\n{keys.config()}')
    run = subprocess.run(
        [binary(), "--check", "--config", str(config)], capture_output=True, text=True,
        timeout=DEADLINE)
    assert run.returncode == 2 and message in run.stderr, run.stderr
