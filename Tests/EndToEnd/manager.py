"""A service manager and a journal for the tests, as systemd documents their sockets."""

from __future__ import annotations

import contextlib
import os
import pathlib
import queue
import socket
import threading
import time
from dataclasses import dataclass, field

from client import DEADLINE


class Datagrams:
    """A datagram socket at a path, or at an abstract name that begins with '@'.

    It reads all the time, as a manager does: the kernel may queue only ten datagrams.
    """

    def __init__(self, path: str):
        self.path = path
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + path[1:] if path.startswith("@") else path)
        self.is_reading = threading.Event()
        self.is_reading.set()
        self.read: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        # The arrival of the last datagram that was taken.
        self.arrived = 0.0

    def _read(self) -> None:
        while datagram := self.socket.recv(65536):
            self.read.put((time.monotonic(), datagram))
            self.is_reading.wait()

    def next(self, end: float) -> bytes | None:
        with contextlib.suppress(queue.Empty):
            self.arrived, datagram = self.read.get(timeout=max(0.0, end - time.monotonic()))
            return datagram
        return None

    def stop_reading(self) -> None:
        """Stops reading, after one more datagram at most."""
        self.is_reading.clear()

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.is_reading.set()
        self.socket.shutdown(socket.SHUT_RDWR)
        self.reader.join()
        self.socket.close()
        if not self.path.startswith("@"):
            pathlib.Path(self.path).unlink()


class Manager(Datagrams):
    """Receives the daemon's messages to its manager, each a list of assignments."""

    def __init__(self, path: str):
        super().__init__(path)
        self.told: list[tuple[str, str]] = []
        self.times: dict[str, list[float]] = {}

    def take(self, seconds: float) -> None:
        """Takes the messages that arrive within this time."""
        end = time.monotonic() + seconds
        while (datagram := self.next(end)) is not None:
            self._note(datagram)

    def until(self, name: str, value: str = "", deadline: float = DEADLINE) -> str:
        """Takes messages up to an assignment that contains a text; returns its whole value."""
        end = time.monotonic() + deadline
        while (datagram := self.next(end)) is not None:
            for key, text in self._note(datagram):
                if key == name and value in text:
                    return text
        raise AssertionError(f"no {name}={value} within {deadline} s, only {self.told[-12:]}")

    def _note(self, datagram: bytes) -> list[tuple[str, str]]:
        lines = [line.split("=", 1) for line in datagram.decode().split("\n") if line]
        pairs = [(name, value) for name, value in lines]
        self.told += pairs
        for name, _ in pairs:
            self.times.setdefault(name, []).append(self.arrived)
        return pairs

    @property
    def changes(self) -> list[str]:
        return [name for name, _ in self.told if name in ("READY", "RELOADING", "STOPPING")]

    @property
    def status(self) -> str:
        """The last STATUS that arrived."""
        return [value for name, value in self.told if name == "STATUS"][-1]

    @property
    def environment(self) -> dict[str, str]:
        return {"NOTIFY_SOCKET": self.path}


@dataclass
class Entry:
    """One entry of the journal: its fields, each with all of its values."""

    fields: dict[str, list[bytes]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        values = self.fields[name]
        assert len(values) == 1, f"{name} appears {len(values)} times: {self.fields}"
        return values[0].decode()

    @classmethod
    def read(cls, datagram: bytes) -> Entry:
        entry, rest = cls(), datagram
        while rest:
            line, _, after = rest.partition(b"\n")
            if b"=" in line:
                name, _, value = line.partition(b"=")
                rest = after
            else:
                name, size = line, int.from_bytes(after[:8], "little")
                value = after[8 : 8 + size]
                assert after[8 + size : 9 + size] == b"\n", f"{name!r} does not end: {datagram!r}"
                rest = after[9 + size :]
            entry.fields.setdefault(name.decode("ascii"), []).append(value)
        return entry


class Journal(Datagrams):
    """Listens at /run/systemd/journal/socket."""

    def until(self, text: str, deadline: float = DEADLINE) -> Entry:
        end, messages = time.monotonic() + deadline, []
        while (datagram := self.next(end)) is not None:
            entry = Entry.read(datagram)
            messages.append(entry["MESSAGE"])
            if text in messages[-1]:
                return entry
        raise AssertionError(f"no entry with {text!r} within {deadline} s; there are {messages}")

    def during(self, seconds: float) -> list[Entry]:
        end, entries = time.monotonic() + seconds, []
        while (datagram := self.next(end)) is not None:
            entries.append(Entry.read(datagram))
        return entries


def can_mount() -> bool:
    """Whether this process may create a mount namespace."""
    return os.geteuid() == 0 and os.system("unshare -m true 2>/dev/null") == 0
