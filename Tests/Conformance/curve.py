"""CURVE for the peer: its keys, a client's, and the handler that says whose key is taken."""

from __future__ import annotations

import contextlib
import pathlib
import shutil
import tempfile
import threading

import zmq
import zmq.auth
import zmq.utils.z85

# The handler of ZAP (ZeroMQ RFC 27) is bound here, once for a context.
ZAP = "inproc://zeromq.zap.01"


class Keys:
    """A folder with the certificates of a daemon and of a client, as CZMQ's tools write them."""

    def __init__(self) -> None:
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="conformance-"))
        for name in ("server", "client"):
            zmq.auth.create_certificates(self.folder, name)
        self.server = zmq.auth.load_certificate(self.folder / "server.key_secret")
        self.client = zmq.auth.load_certificate(self.folder / "client.key_secret")

    @property
    def fields(self) -> dict[str, str]:
        """The members of `connect` beside the endpoints."""
        return {"key": str(self.folder / "client.key_secret"),
                "server_key": str(self.folder / "server.key")}

    def protect(self, socket: zmq.Socket) -> None:
        """Makes a socket a server of CURVE; bind it afterwards."""
        socket.curve_server = True
        socket.curve_secretkey = self.server[1]

    def close(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


class Doorman:
    """Answers ZAP for one context in a thread: which keys come in."""

    def __init__(self, context: zmq.Context, taken: set[bytes]):
        # Public keys in Z85; tests change it meanwhile.
        self.taken = taken
        # How many handshakes were refused.
        self.refused = 0
        self.socket = context.socket(zmq.REP)
        self.socket.linger = 0
        self.socket.bind(ZAP)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self) -> None:
        with contextlib.suppress(zmq.ContextTerminated, zmq.ZMQError):
            while True:
                version, number, _, _, _, mechanism, *keys = self.socket.recv_multipart()
                is_taken = mechanism == b"CURVE" and bool(keys) and (
                    zmq.utils.z85.encode(keys[0]) in self.taken)
                self.refused += not is_taken
                status = (b"200", b"OK") if is_taken else (b"400", b"unknown key")
                self.socket.send_multipart([version, number, *status, b"", b""])
        self.socket.close(linger=0)

    def close(self) -> None:
        """After the context has ended."""
        self.thread.join()
