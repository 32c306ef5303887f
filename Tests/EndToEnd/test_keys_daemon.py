"""Clients with keys against the real daemon: what a reload takes from them and gives back."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import pathlib
import shutil
import signal
import time
from collections.abc import Callable, Iterator

import pytest
import test_conformance
import zmq.auth
from client import DEADLINE, Daemon
from documents import wait_until

# The suite's folder is in the path now.
from peer import Adapter

CLIENTS = test_conformance.WITH_KEYS
# Seconds of a try; waits repeat those that a loaded machine misses.
TRY_SECONDS = 0.5
# The daemon says nothing to a key that it does not know; another one may say so.
OUT = ("no-answer", "unauthorized")


class Guarded:
    """A daemon with a key, and the folder of those that it takes."""

    def __init__(self, grants: str = "") -> None:
        self.daemon = Daemon("[security]\nserver_key = \"server.key_secret\"\n"
                             "authorized_keys = \"authorized_keys\"\n" + grants)
        self.keys = self.daemon.folder / "authorized_keys"
        self.keys.mkdir()
        zmq.auth.create_certificates(self.daemon.folder, "server")
        (self.daemon.folder / "server.key_secret").chmod(0o600)

    def certificate(self, name: str) -> pathlib.Path:
        """A secret certificate whose key the daemon does not know."""
        zmq.auth.create_certificates(self.daemon.folder, name)
        return self.daemon.folder / f"{name}.key_secret"

    def admit(self, *names: str) -> None:
        for name in names:
            shutil.copy(self.daemon.folder / f"{name}.key", self.keys)
        self.daemon.process.send_signal(signal.SIGHUP)

    def dismiss(self, *names: str) -> None:
        for name in names:
            (self.keys / f"{name}.key").unlink()
        self.daemon.process.send_signal(signal.SIGHUP)


class Client:
    """A client behind its adapter."""

    def __init__(self, name: str, guarded: Guarded, key: pathlib.Path):
        self.adapter = Adapter(test_conformance.CLIENTS[name].command())
        self.lines: collections.deque[dict] = collections.deque()
        daemon = guarded.daemon
        self.connected = self.tell(
            do="connect", events=daemon.events, updates=daemon.updates, control=daemon.control,
            timeout=TRY_SECONDS, key=str(key), server_key=str(daemon.folder / "server.key"))

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.adapter.close()

    def await_line(self, wanted) -> dict:
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            self.lines.extend(self.adapter.lines())
            for line in self.lines:
                if wanted(line):
                    self.lines.remove(line)
                    return line
            assert self.adapter.is_open, self.adapter.log()
            time.sleep(0.01)
        raise AssertionError(f"only {list(self.lines)}{self.adapter.log()}")

    def tell(self, **line: object) -> dict:
        self.adapter.tell(line)
        return self.await_line(lambda answer: "yield" not in answer)

    def ask(self, op: str, **fields: object) -> str:
        """The code of the answer, or `ok`."""
        answer = self.tell(do="request", op=op, fields=fields)
        return answer["failed"]["code"] if "failed" in answer else "ok"

    def open(self, session: str) -> str:
        """The same; asked once."""
        return self.ask("open", session=session, scene="kiosk")

    def like(self, session: str, ack: bool) -> str:
        answer = self.tell(do="publish", topic=f"notification/{session}", ack=ack,
                           body={"kind": "likes"})
        return answer["failed"]["code"] if "failed" in answer else "ok"

    def await_total(self, total: int) -> None:
        self.await_line(lambda line: "yield" in line and line["yield"]["body"]["total"] == total)


@pytest.fixture
def guarded() -> Iterator[Guarded]:
    guarded = Guarded()
    with guarded.daemon:
        yield guarded


def test_clients_with_keys_do_all_until_a_reload_takes_them_out(guarded: Guarded):
    """All clients at once, each with its key and its session, as they mostly wait."""
    with contextlib.ExitStack() as stack:
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(len(CLIENTS)))
        clients = {name: stack.enter_context(Client(name, guarded, guarded.certificate(name)))
                   for name in CLIENTS}
        clerk = stack.enter_context(Client("python", guarded, guarded.certificate("clerk")))

        def each(part: Callable[[str, Client], None]) -> None:
            list(pool.map(part, clients, clients.values()))

        def is_out(name: str, client: Client) -> None:
            wait_until(lambda: client.open(name) in OUT, f"{name} is out", DEADLINE)
            # To a session of its own: one that still comes through must not count below.
            wait_until(
                lambda: client.like(f"{name}-out", ack=False) in OUT, f"{name} is mute", DEADLINE)

        def works(name: str, client: Client) -> None:
            wait_until(lambda: client.open(name) == "ok", f"{name} is let in", DEADLINE)
            client.tell(do="watch", prefixes=[f"badge/{name}"])
            client.await_total(0)
            assert client.like(name, ack=True) == "ok", name
            client.await_total(1)
            wait_until(lambda: client.like(name, ack=False) == "ok", f"{name} sends", DEADLINE)
            client.await_total(2)

        def goes_on(name: str, client: Client) -> None:
            # The like that it missed comes without another change.
            client.await_total(3)
            wait_until(lambda: client.open(name) == "ok", f"{name} is let in again", DEADLINE)
            wait_until(lambda: client.like(name, ack=False) == "ok", f"{name} sends", DEADLINE)
            client.await_total(4)

        each(is_out)
        guarded.admit("clerk", *clients)
        each(works)
        guarded.dismiss(*clients)
        each(is_out)
        # The reload closed the clerk's connections, too.
        wait_until(lambda: clerk.open("clerk") == "ok", "the clerk is in", DEADLINE)
        for name, client in clients.items():
            assert clerk.like(name, ack=True) == "ok"
            client.lines.extend(client.adapter.lines())
            assert not any("yield" in line for line in client.lines), name
        guarded.admit(*clients)
        each(goes_on)


READERS = "".join(f"""
[security.clients.{name}]
publish = ["{name}*"]
control = "own"
read = ["{name}*"]
""" for name in CLIENTS)


def test_a_client_that_may_read_some_sessions_is_led_to_its_endpoint():
    """It is given the endpoint of all updates, which does not let it in."""
    guarded = Guarded(READERS)
    with guarded.daemon, contextlib.ExitStack() as stack:
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(len(CLIENTS)))
        clients = {name: stack.enter_context(Client(name, guarded, guarded.certificate(name)))
                   for name in CLIENTS}
        guarded.admit(*clients)

        def reads(name: str, client: Client) -> None:
            wait_until(lambda: client.open(name) == "ok", f"{name} is let in", DEADLINE)
            client.tell(do="watch", prefixes=[f"badge/{name}"])
            client.await_total(0)
            assert client.like(name, ack=True) == "ok", name
            client.await_total(1)
            assert client.open("another") == client.ask("stats") == "unauthorized", name
            assert client.ask("snapshot", session="another") == "unauthorized", name

        list(pool.map(reads, clients, clients.values()))
