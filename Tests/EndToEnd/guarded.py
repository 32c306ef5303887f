"""Keys, and a peer with CURVE that lets the certificates of a folder in."""

from __future__ import annotations

import pathlib

import zmq.auth

from false_daemon import FalseDaemon
from tool import ctl
from zmq.auth.thread import ThreadAuthenticator


class Keys:
    """A folder of certificates, made by `gesturectl keygen`."""

    def __init__(self, folder: pathlib.Path, *clients: str):
        self.folder = folder
        self.authorized = folder / "authorized_keys"
        self.authorized.mkdir()
        assert ctl("keygen", "server", "--folder", folder).returncode == 0
        for name in clients:
            self.make(name)
            self.let_in(name)

    @property
    def server(self) -> pathlib.Path:
        return self.folder / "server.key"

    def make(self, name: str, server: object = None) -> pathlib.Path:
        done = ctl(
            "keygen", name, "--server", server or self.server, "--folder", self.folder)
        assert done.returncode == 0, done
        return self[name]

    def __getitem__(self, name: str) -> pathlib.Path:
        return self.folder / f"{name}.key_secret"

    def let_in(self, name: str) -> None:
        (self.authorized / f"{name}.key").write_bytes((self.folder / f"{name}.key").read_bytes())

    def remove(self, name: str) -> None:
        (self.authorized / f"{name}.key").unlink()


class GuardedPeer(FalseDaemon):
    """A `FalseDaemon` that speaks CURVE."""

    def __init__(self, keys: Keys, answers: dict, updates: list[tuple] = ()):
        self.keys = keys
        super().__init__(answers, updates)

    def prepare(self) -> None:
        self.authenticator = ThreadAuthenticator(self.context)
        self.authenticator.start()
        self.reload()
        public, secret = zmq.auth.load_certificate(self.keys["server"])
        for socket in (self.control, self.updates, self.events):
            socket.curve_publickey, socket.curve_secretkey = public, secret
            socket.curve_server = True

    def reload(self) -> None:
        self.authenticator.configure_curve(domain="*", location=str(self.keys.authorized))

    def __exit__(self, *arguments: object) -> None:
        self.authenticator.stop()
        super().__exit__(*arguments)


