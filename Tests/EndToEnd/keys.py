"""Certificates of a daemon and its clients, and clients that connect by them."""

from __future__ import annotations

import pathlib

import zmq
import zmq.auth
from client import Control, Daemon, Publisher, Subscriber


# A grant of everything.
ALL = {"publish": ["*"], "control": "all", "read": ["*"]}


class Keys:
    """A folder of certificates, made by another tool than ours."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.authorized = folder / "authorized_keys"
        self.private = folder / "private"
        for path in (self.authorized, self.private):
            path.mkdir(parents=True, exist_ok=True)
        self.server_secret = self._make("server")
        self.server_public = self.private / "server.key"
        self.server_secret.chmod(0o600)

    def _make(self, name: str) -> pathlib.Path:
        return pathlib.Path(zmq.auth.create_certificates(str(self.private), name)[1])

    def add(self, name: str) -> pathlib.Path:
        """Makes a client's certificate, which is authorized. Returns the secret one's file."""
        secret = self._make(name)
        (self.authorized / f"{name}.key").write_bytes((self.private / f"{name}.key").read_bytes())
        return secret

    def remove(self, name: str) -> None:
        (self.authorized / f"{name}.key").unlink()

    def config(self, tables: str = "") -> str:
        """The configuration's table; `tables` has those of clients."""
        return (f'[security]\nserver_key = "{self.server_secret}"\n'
                f'authorized_keys = "{self.authorized}"\n{tables}')

    def client(self, daemon: Daemon, name: str, secret: pathlib.Path | None = None) -> Client:
        return Client(daemon, self, secret or self.private / f"{name}.key_secret")


class Client:
    """A daemon as a client with a key sees it: what it makes connects by CURVE."""

    def __init__(self, daemon: Daemon, keys: Keys, secret: pathlib.Path):
        self.daemon = daemon
        self.keys = zmq.auth.load_certificate(str(secret))
        self.server = zmq.auth.load_certificate(str(keys.server_public))[0]
        self.events, self.updates, self.control = daemon.events, daemon.updates, daemon.control

    def socket(self, kind: int, endpoint: str | None = None) -> zmq.Socket:
        socket = self.daemon.socket(kind)
        socket.curve_publickey, socket.curve_secretkey = self.keys
        socket.curve_serverkey = self.server
        if endpoint is not None:
            socket.connect(endpoint)
        return socket

    def publisher(self) -> Publisher:
        return Publisher(self, self.events.split(",")[0])

    def subscriber(self, *topics: str, sync: bool = True) -> Subscriber:
        """Reads where `hello` says that this client reads."""
        self.updates = self.requests().ok("hello")["endpoints"]["updates"][0]
        return Subscriber(self, topics, sync)

    def requests(self) -> Control:
        return Control(self)


def table(name: str, **grants: object) -> str:
    """The table of a client's grants."""
    def text(value: object) -> str:
        if isinstance(value, list):
            return "[" + ", ".join(f'"{it}"' for it in value) + "]"
        if isinstance(value, bool):
            return str(value).lower()
        return f'"{value}"'
    lines = "".join(f"{key} = {text(value)}\n" for key, value in grants.items())
    return f'[security.clients."{name}"]\n{lines}'
