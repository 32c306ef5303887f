"""A line between one member and its database, which tests hold, cut and lead elsewhere."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from dataclasses import dataclass, field

CHUNK_BYTES = 65_536


@dataclass(eq=False)
class Side:
    """One direction of a connection: what has come and is not yet passed on."""

    source: socket.socket
    target: socket.socket
    waiting: bytearray = field(default_factory=bytearray)
    has_ended: bool = False
    is_shut: bool = False


@dataclass(eq=False)
class Line:
    """Both directions of one connection."""

    sides: tuple[Side, Side]
    is_held: bool = False

    @property
    def sockets(self) -> tuple[socket.socket, socket.socket]:
        return self.sides[0].source, self.sides[0].target


class Proxy:
    """Passes bytes on, on a thread of its own. All orders may come from any thread.

    It goes on reading what it holds: bytes of a connection that its client has given up are kept,
    and arrive when it lets them go.
    """

    def __init__(self, port: int):
        self.target = port
        self.holds_all = self.refuses = False
        self.lines: list[Line] = []
        self.lock = threading.Lock()
        self.selector = selectors.DefaultSelector()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.waker, self.woken = socket.socketpair()
        for each in (self.listener, self.woken):
            each.setblocking(False)
            self.selector.register(each, selectors.EVENT_READ)
        self.is_ending = False
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    # MARK: Orders

    def hold(self) -> None:
        """Nothing passes any more, on any connection; new ones are taken and stand still."""
        self._order(lambda: setattr(self, "holds_all", True))

    def hold_old(self) -> None:
        """Nothing passes on the present connections; new ones are as ever."""
        def apply() -> None:
            for line in self.lines:
                line.is_held = True
        self._order(apply)

    def resume(self) -> None:
        """Everything that was held arrives now, also from connections that were given up."""
        def apply() -> None:
            self.holds_all = self.refuses = False
            for line in self.lines:
                line.is_held = False
        self._order(apply)

    def cut(self) -> None:
        """Ends the present connections; new ones are refused until `resume`."""
        def apply() -> None:
            self.refuses = True
            for line in list(self.lines):
                self._close(line)
        self._order(apply)

    def lead_to(self, port: int) -> None:
        """New connections go there; the present ones end."""
        def apply() -> None:
            self.target = port
            for line in list(self.lines):
                self._close(line)
        self._order(apply)

    def _order(self, apply) -> None:
        with self.lock:
            apply()
        self.waker.send(b"x")

    def close(self) -> None:
        self.is_ending = True
        self.waker.send(b"x")
        self.thread.join(10)
        with self.lock:
            for line in list(self.lines):
                self._close(line)
        for each in (self.listener, self.waker, self.woken):
            each.close()
        self.selector.close()

    # MARK: The thread

    def _run(self) -> None:
        while not self.is_ending:
            ready = self.selector.select(1)
            with self.lock:
                for key, _ in ready:
                    self._serve(key)
                for line in list(self.lines):
                    self._pass_on(line)

    def _serve(self, key: selectors.SelectorKey) -> None:
        if key.fileobj is self.listener:
            self._accept()
        elif key.fileobj is self.woken:
            self.woken.recv(1_024)
        elif key.fileobj.fileno() >= 0:
            self._read(*key.data)

    def _accept(self) -> None:
        client, _ = self.listener.accept()
        server = None
        if not self.refuses:
            with contextlib.suppress(OSError):
                server = socket.create_connection(("127.0.0.1", self.target), 1)
        if server is None:
            client.close()
            return
        for each in (client, server):
            each.setblocking(False)
            each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        line = Line((Side(client, server), Side(server, client)))
        self.lines.append(line)
        for side in line.sides:
            self.selector.register(side.source, selectors.EVENT_READ, (line, side))

    def _read(self, line: Line, side: Side) -> None:
        try:
            chunk = side.source.recv(CHUNK_BYTES)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        side.waiting += chunk
        if not chunk:
            side.has_ended = True
            self.selector.unregister(side.source)

    def _pass_on(self, line: Line) -> None:
        if self.holds_all or line.is_held:
            return
        for side in line.sides:
            with contextlib.suppress(BlockingIOError):
                try:
                    while side.waiting:
                        del side.waiting[:side.target.send(side.waiting)]
                    if side.has_ended and not side.is_shut:
                        side.is_shut = True
                        side.target.shutdown(socket.SHUT_WR)
                except BlockingIOError:
                    raise
                except OSError:
                    side.waiting.clear()
                    side.is_shut = True
        if all(side.has_ended and not side.waiting for side in line.sides):
            self._close(line)

    def _close(self, line: Line) -> None:
        for each in line.sockets:
            with contextlib.suppress(KeyError, ValueError):
                self.selector.unregister(each)
            each.close()
        if line in self.lines:
            self.lines.remove(line)
