"""Trackers of touch tables, which send TUIO to a bridge, and the bridge as a process."""

from __future__ import annotations

import re
import signal
import socket
import time

from client import DEADLINE, Daemon
from pythonosc.osc_bundle_builder import IMMEDIATELY, OscBundleBuilder
from pythonosc.osc_message import OscMessage
from pythonosc.osc_message_builder import OscMessageBuilder
from tool import Tool

CURSORS = "/tuio/2Dcur"
OBJECTS = "/tuio/2Dobj"


def message(address: str, *arguments: object) -> OscMessage:
    builder = OscMessageBuilder(address)
    for argument in arguments:
        builder.add_arg(argument)
    return builder.build()


def head2(number: int) -> OscMessage:
    """The beginning of a frame of TUIO 2.0, whose time no builder can write: it has 8 bytes."""
    builder = OscMessageBuilder("/tuio2/frm")
    for value, kind in ((number, "i"), (1, "h"), (0, "i"), ("table:0@0x7F000001", "s")):
        builder.add_arg(value, kind)
    return OscMessage(builder.build().dgram.replace(b",ihis", b",itis"))


def bundle(*parts) -> bytes:
    builder = OscBundleBuilder(IMMEDIATELY)
    for part in parts:
        builder.add_content(part)
    return builder.build().dgram


def frame(
    number: int, contacts: dict[int, tuple[float, float]], source: str | None = None,
    alive: tuple[int, ...] = (),
) -> bytes:
    """A frame of TUIO 1.1. All contacts are alive, and those in `alive` that did not move."""
    return bundle(
        *([message(CURSORS, "source", source)] if source else []),
        message(CURSORS, "alive", *contacts, *alive),
        *[message(CURSORS, "set", id, x, y, 0.0, 0.0, 0.0) for id, (x, y) in contacts.items()],
        message(CURSORS, "fseq", number))


def objects(
    number: int, tokens: dict[int, tuple[int, float, float, float]], source: str | None = None,
) -> bytes:
    """A frame of TUIO 1.1 with all objects, by their ids: symbol, place and angle."""
    return bundle(
        *([message(OBJECTS, "source", source)] if source else []),
        message(OBJECTS, "alive", *tokens),
        *[message(OBJECTS, "set", id, symbol, x, y, angle, 0.0, 0.0, 0.0, 0.0, 0.0)
          for id, (symbol, x, y, angle) in tokens.items()],
        message(OBJECTS, "fseq", number))


def token2(id: int, component: int, x: float, y: float, angle: float) -> OscMessage:
    return message("/tuio2/tok", id, 0, component, x, y, angle)


def frame2(number: int, contacts: dict[int, tuple[float, float]], *bounds: int) -> bytes:
    """A frame of TUIO 2.0, with bounds of further things beside the contacts."""
    return bundle(
        head2(number),
        *[message("/tuio2/bnd", id, 0.5, 0.5, 0.0, 0.1, 0.1, 0.01) for id in bounds],
        *[message("/tuio2/ptr", id, 0, 0, x, y, 0.0, 0.0, 0.01, 0.0)
          for id, (x, y) in contacts.items()],
        message("/tuio2/alv", *contacts, *bounds))


class Bridge(Tool):
    """`gesturectl bridge …` that has said that it is ready."""

    def __init__(self, daemon: Daemon, *arguments: object, events: str | None = None):
        super().__init__(daemon, "bridge", *arguments, events=events)
        line = self.process.stdout.readline().decode()
        assert line.startswith(f"bridge {arguments[0]} ready"), line or self.wait()
        self.ready = line.split(" ", 3)[3].rstrip("\n")

    def counters(self) -> dict[str, int]:
        """Its answer to SIGUSR1."""
        self.process.send_signal(signal.SIGUSR1)
        line = self.said(r"bridge \w+: (.*)")[1]
        return {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", line)}

    def until(self, **wanted: int) -> dict[str, int]:
        """Waits until counters have reached these values."""
        end = time.monotonic() + DEADLINE
        while True:
            found = self.counters()
            if all(found[name] >= value for name, value in wanted.items()):
                return found
            assert time.monotonic() < end, f"{found} never reached {wanted}"
            time.sleep(0.02)

    def stop(self) -> dict[str, int]:
        """Ends it as a service manager does; returns its last counters."""
        status, said = self.end(signal.SIGTERM)
        assert status == 0, said
        line = said.strip().splitlines()[-1]
        return {name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", line)}


class Table(Bridge):
    """`gesturectl bridge tuio` on a free port."""

    def __init__(
        self, daemon: Daemon, session: str, *arguments: object, events: str | None = None
    ):
        super().__init__(
            daemon, "tuio", "--session", session, "--port", "0", *arguments, events=events)
        self.port = int(re.fullmatch(r"udp://127\.0\.0\.1:(\d+)", self.ready)[1])
        self.tracker = self.another()

    def another(self) -> socket.socket:
        """One more tracker, with an address of its own."""
        tracker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        tracker.connect(("127.0.0.1", self.port))
        return tracker

    def send(self, *datagrams: bytes) -> None:
        for datagram in datagrams:
            self.tracker.send(datagram)

    def __exit__(self, *arguments: object) -> None:
        self.tracker.close()
        super().__exit__(*arguments)
