"""Keys of clients: `gesturectl keygen`, and a peer of pyzmq that speaks CURVE."""

from __future__ import annotations

import os
import pathlib
import stat
import time

import pytest
import zmq.auth
from client import Daemon
from guarded import GuardedPeer, Keys
from tool import ctl

HELLO = {"hello": lambda _: {"name": "gestured"}}


@pytest.fixture
def keys(tmp_path: pathlib.Path) -> Keys:
    return Keys(tmp_path, "kiosk-1")


def hello(peer: GuardedPeer, *arguments: object, **variables: object):
    environment = os.environ | peer.endpoints | {
        name: str(value) for name, value in variables.items()}
    return ctl("hello", *arguments, env=environment)


def test_pyzmq_reads_what_keygen_writes(keys: Keys):
    public, secret = zmq.auth.load_certificate(keys["kiosk-1"])
    assert secret and zmq.curve_public(secret) == public
    assert zmq.auth.load_certificate(keys.folder / "kiosk-1.key") == (public, None)
    assert {name for name, _ in zmq.auth.load_certificates(keys.authorized).items()} == {public}
    modes = {
        file.name: stat.S_IMODE(file.stat().st_mode) for file in keys.folder.glob("kiosk-1.*")}
    assert modes == {"kiosk-1.key": 0o644, "kiosk-1.key_secret": 0o600}
    assert secret.decode() not in (keys.folder / "kiosk-1.key").read_text()


def test_keygen_says_what_it_wrote_and_what_comes_next(keys: Keys):
    done = ctl("keygen", "other", "--server", keys.server, cwd=keys.folder)
    wrote, following = done.stdout.decode().splitlines()
    assert wrote == "wrote other.key, the public key, and other.key_secret, both keys: a secret"
    assert following == (
        "next: put other.key into the daemon's authorized_keys and reload it; "
        "the client connects with --key other.key_secret")
    assert done.stderr == b""


@pytest.mark.parametrize("kept", ["kiosk-1.key", "kiosk-1.key_secret"])
def test_keygen_overwrites_nothing(keys: Keys, kept: str):
    file = keys.folder / kept
    (keys.folder / ({"kiosk-1.key", "kiosk-1.key_secret"} - {kept}).pop()).unlink()
    before = file.read_bytes()
    done = ctl("keygen", "kiosk-1", cwd=keys.folder)
    assert done.returncode == 2 and done.stderr.decode() == f"gesturectl: {kept}: File exists\n"
    assert file.read_bytes() == before
    assert [file.name for file in keys.folder.glob("kiosk-1.*")] == [kept]


@pytest.mark.parametrize("name", ["", ".hidden", "../kiosk", "a b", "a" * 65])
def test_keygen_takes_names_alone(tmp_path: pathlib.Path, name: str):
    done = ctl("keygen", name, cwd=tmp_path)
    assert done.returncode == 2 and b"KEYNAME must be a name" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_pyzmqs_certificates_open_the_door(keys: Keys):
    zmq.auth.create_certificates(keys.folder, "theirs")
    # It leaves the secret one open to all.
    keys["theirs"].chmod(0o600)
    keys.let_in("theirs")
    with GuardedPeer(keys, HELLO) as peer:
        for server in (keys.server, zmq.auth.load_certificate(keys.server)[0].decode()):
            done = hello(peer, "--key", keys["theirs"], "--server-key", server)
            assert (done.returncode, done.stderr) == (0, b""), done
        # The certificate of `keygen --server` names the server itself.
        assert hello(peer, GESTURED_KEY=keys["kiosk-1"]).returncode == 0


def test_a_key_that_is_not_let_in_is_told_at_once(keys: Keys):
    stranger = keys.make("stranger")
    with GuardedPeer(keys, HELLO) as peer:
        begun = time.monotonic()
        done = hello(peer, "--key", stranger, "--timeout", "30")
        assert done.returncode == 1 and time.monotonic() - begun < 10
        assert done.stderr.decode() == (
            f"gesturectl: {peer.endpoints['GESTURED_CONTROL']}: "
            "the daemon does not let this key in\n")


def test_silence_says_what_may_be_wrong_with_the_keys(keys: Keys, daemon: Daemon):
    other = keys.make("other", server=keys.folder / "kiosk-1.key")
    keys.let_in("other")
    with GuardedPeer(keys, HELLO) as peer:
        done = hello(peer, "--key", other, "--timeout", "0.5")
        assert done.returncode == 1
        assert b"or its own is another than the given one" in done.stderr
        done = hello(peer, "--timeout", "0.2")
        assert done.returncode == 1 and b"here is CURVE at that end" in done.stderr, done
    done = ctl("hello", "--control", daemon.control, "--key", keys["kiosk-1"], "--timeout", "0.2")
    assert done.returncode == 1 and b"here is no CURVE at that end" in done.stderr, done


@pytest.mark.parametrize("arguments, message", [
    (["--key", "none"], "none: No such file or directory"),
    (["--key", "kiosk-1.key"],
     "kiosk-1.key: has no secret-key: it is a certificate to show to others"),
    (["--key", "nonsense"], "nonsense:2: secret-key must be the 40 characters of a key (Z85)"),
    (["--key", "server.key_secret"],
     "server.key_secret: names no server-key, and none is given beside it"),
    (["--key", "kiosk-1.key_secret", "--server-key", "abc"],
     "abc is neither a key of 40 characters nor a file"),
    (["--key", "."], ".: is no plain file"),
    (["--server-key", "server.key"], "--server-key needs --key\nTry 'gesturectl hello --help'."),
])
def test_bad_keys_are_named(keys: Keys, arguments: list[str], message: str):
    (keys.folder / "nonsense").write_text('curve\n    secret-key = "short"\n')
    done = ctl("hello", *arguments, cwd=keys.folder)
    assert (done.returncode, done.stderr.decode()) == (2, f"gesturectl: {message}\n")


def test_a_secret_that_all_can_read_is_warned_of(keys: Keys):
    keys["kiosk-1"].chmod(0o644)
    with GuardedPeer(keys, HELLO) as peer:
        done = hello(peer, "--key", keys["kiosk-1"])
        assert done.returncode == 0
        assert done.stderr.decode() == (
            f"gesturectl: {keys['kiosk-1']}: every user of this machine can read this secret key: "
            "chmod 600 it\n")
