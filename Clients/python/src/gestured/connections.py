"""Connected sockets: with a key, what became of their handshakes, and when to dial again."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator

import zmq
from zmq.utils.monitor import parse_monitor_message

from .endpoints import Endpoints, Socket, prepare
from .errors import Refused

# Seconds until a daemon that refused the key is asked again: it may know the key by then.
PAUSE_SECONDS = 1.0
# Seconds that a wait lasts before it looks what became of a handshake.
LOOK_SECONDS = 0.25
# None of these repeats while nobody looks, but the first, once for each daemon that comes back.
EVENTS = (zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_HANDSHAKE_FAILED_AUTH
          | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL)
# All of these close the connection without a word.
UNMET = ("perhaps no daemon is there, it does not take this client's key, or its own is not the"
         " server key")
READS_SOME = ("; one that may read some sessions only has an updates endpoint of its own, which the"
              " request hello tells")
numbers = itertools.count()


class Context(zmq.Context[Socket]):
    """A context that the garbage collector does not wait for: its sockets may be garbage, too."""

    def __del__(self) -> None:
        pass


class Connection:
    """A socket that is connected to one address. Not for two threads at once.

    libzmq tries for ever where a connection breaks, but gives up after a handshake that the daemon
    refused in words. With a key this watches for that, and dials again. Raises ZMQError for a bad
    address, and leaves no socket then.
    """

    def __init__(
        self, context: Context, kind: int, places: Endpoints, name: str, timeout: float,
        is_watched: bool = True,
    ) -> None:
        self.place: str = getattr(places, name)
        self.socket = context.socket(kind)
        # Handshakes that succeeded, and how often this dialed; libzmq connects again by itself.
        self.joins = 0
        self.dials = 0
        # Whether the daemon did not take the key, when it was asked last.
        self.is_refused = False
        self._said = ""
        self._has_keys = False
        self._dial_at: float | None = None
        self._monitor: Socket | None = None
        try:
            prepare(self.socket, timeout)
            if keys := places.keys_for(self.place):
                keys.protect(self.socket)
                self._has_keys = True
                if is_watched:
                    self._watch(context)
            self.socket.connect(self.place)
        except BaseException:
            self.close(linger=0)
            raise

    @classmethod
    def for_events(cls, context: Context, places: Endpoints, timeout: float) -> Connection:
        """The way of events to a daemon: pushed where it has an address for that."""
        kind, name = (zmq.PUSH, "push") if places.push else (zmq.XPUB, "events")
        return cls(context, kind, places, name, timeout)

    def _watch(self, context: Context) -> None:
        address = f"inproc://gestured-connection-{next(numbers)}"
        self.socket.monitor(address, EVENTS)
        self._monitor = context.socket(zmq.PAIR)
        self._monitor.connect(address)

    def receive(self) -> Iterator[list[bytes]]:
        """The messages that have come."""
        with contextlib.suppress(zmq.Again):
            while True:
                yield self.socket.recv_multipart(zmq.DONTWAIT)

    @property
    def is_watched(self) -> bool:
        return self._monitor is not None

    @property
    def trouble(self) -> str:
        """Why nothing comes by a connection with a key, for a person; empty where there is one."""
        if not self._has_keys or self._said:
            return self._said
        # Nothing can be sent by such a socket before it is connected.
        tells = self.socket.type in (zmq.DEALER, zmq.PUSH)
        events = int(self.socket.get(zmq.EVENTS)) if tells else 0
        return "" if events & zmq.POLLOUT else UNMET

    def look(self) -> bool:
        """Reads what happened, and dials when it is due; whether the key was refused just now."""
        if self._monitor is None:
            return False
        was_refused = False
        with contextlib.suppress(zmq.Again):
            while True:
                event = parse_monitor_message(self._monitor.recv_multipart(zmq.DONTWAIT))
                was_refused |= self._take(event["event"])
        if self._dial_at is not None and time.monotonic() >= self._dial_at:
            self.dial()
        return was_refused

    def _take(self, event: int) -> bool:
        if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
            self.joins += 1
            self.is_refused, self._said, self._dial_at = False, "", None
        elif event in (zmq.EVENT_HANDSHAKE_FAILED_AUTH, zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL):
            self.is_refused = event == zmq.EVENT_HANDSHAKE_FAILED_AUTH
            self._said = ("the daemon does not take this client's key" if self.is_refused
                          else "the daemon there takes no keys")
            self._dial_at = time.monotonic() + PAUSE_SECONDS
        return self.is_refused

    @property
    def refusal(self) -> Refused:
        hint = READS_SOME if self.socket.type == zmq.SUB else ""
        return Refused("unauthorized", f"{self.place}: {self._said}{hint}")

    def dial(self) -> None:
        """Connects anew; what waits in the connection is lost."""
        self._dial_at, self.dials = None, self.dials + 1
        with contextlib.suppress(zmq.ZMQError):
            self.socket.disconnect(self.place)
        self.socket.connect(self.place)

    def move(self, ports: list[int]) -> bool:
        """Connects to the first of these ports of the same host; not where it is at one of them."""
        host, _, port = self.place.rpartition(":")
        if not ports or not host or port in map(str, ports):
            return False
        with contextlib.suppress(zmq.ZMQError):
            self.socket.disconnect(self.place)
        self.place = f"{host}:{ports[0]}"
        self.dial()
        return True

    def close(self, linger: int | None = None) -> None:
        if self._monitor is not None:
            # First, as an event that nobody takes would hold libzmq up.
            with contextlib.suppress(zmq.ZMQError):
                self.socket.disable_monitor()
            self._monitor.close(linger=0)
        self.socket.close(linger)
