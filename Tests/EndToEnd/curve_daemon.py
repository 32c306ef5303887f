"""Daemons whose tcp endpoints speak CURVE, and the keys of their clients."""

from __future__ import annotations

import pathlib

import zmq
import zmq.auth
from client import Daemon, Publisher


class Keys:
    """A pair of keys, in the text that ZeroMQ takes."""

    def __init__(self) -> None:
        self.public, self.secret = zmq.curve_keypair()

    def write(self, folder: pathlib.Path, name: str, with_secret: bool = False) -> None:
        """Writes certificates as CZMQ does: NAME.key, and NAME.key_secret."""
        folder.mkdir(exist_ok=True)
        lines = ["metadata", "curve", f'    public-key = "{self.public.decode()}"']
        (folder / f"{name}.key").write_text("\n".join(lines) + "\n")
        if with_secret:
            path = folder / f"{name}.key_secret"
            path.touch(0o600)
            path.write_text(
                "\n".join([*lines, f'    secret-key = "{self.secret.decode()}"']) + "\n")


EVERYTHING = 'publish = ["*"]\ncontrol = "all"\nread = ["*"]'


class CurveDaemon(Daemon):
    """A daemon with a key; its sockets of `socket` are a client's that may do everything."""

    def __init__(
        self, config: str = "", clients: dict[str, str] | None = None, ipc: bool = False,
        **more: object,
    ):
        """`clients` are the tables of further clients, by name; `ipc` asks for endpoints of both
        kinds, the tcp ones first."""
        clients = clients and {"tests": EVERYTHING} | clients
        tables = "".join(
            f"[security.clients.{name}]\n{table}\n" for name, table in (clients or {}).items())
        # A key that stands first would belong to a table of `config`.
        super().__init__(
            f'{config}\n[security]\nserver_key = "server.key_secret"\n'
            f'authorized_keys = "authorized_keys"\n{tables}', ports=not ipc, **more)
        if ipc:
            endpoints = "".join(
                f'{name} = ["tcp://127.0.0.1:*", "ipc://{self.folder}/{name}"]\n'
                for name in ("events", "updates", "control"))
            # The push endpoints follow from those of events.
            self.config.write_text(endpoints + self.config.read_text())
        self.server = Keys()
        self.server.write(self.folder, "server", with_secret=True)
        self.clients = {name: Keys() for name in ("tests", *(clients or {}))}
        for name, keys in self.clients.items():
            keys.write(self.folder / "authorized_keys", name)
        self.keys: Keys | None = self.clients["tests"]

    def socket(self, kind: int, endpoint: str | None = None) -> zmq.Socket:
        """With the keys of `self.keys`, unless it goes over ipc."""
        socket = self.context.socket(kind)
        endpoint = endpoint and endpoint.split(",")[0]
        if self.keys and not (endpoint or "").startswith("ipc://"):
            socket.curve_publickey, socket.curve_secretkey = self.keys.public, self.keys.secret
            socket.curve_serverkey = self.server.public
        if endpoint is not None:
            socket.connect(endpoint)
        return socket

    def publisher(self, endpoint: str | None = None) -> Publisher:
        """It makes its socket before it names the endpoint."""
        keys = self.keys
        if endpoint and endpoint.startswith("ipc://"):
            self.keys = None
        try:
            return super().publisher(endpoint)
        finally:
            self.keys = keys
