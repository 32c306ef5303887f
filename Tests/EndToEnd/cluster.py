"""Several real daemons on one real PostgreSQL, each with a proxy before its database."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import shutil
import signal
import subprocess
import time
from collections import Counter

import zmq
import zmq.auth
from client import DEADLINE, Daemon, binary
from cluster_proxy import Proxy
from ports import free_ports
from postgres import Database, Postgres, missing
from reliability import IS_SOAK, wait_for

NAMES = ("left", "middle", "right")
# Seconds of a lease; the default.
LEASE = 1.5
databases = (f"g{number}" for number in itertools.count(1))


@functools.cache
def absent() -> str:
    """Why no cluster can run here, or nothing."""
    return missing()


def rounds(short: int, long: int) -> int:
    """How often a test does a thing; SOAK_ROUNDS=N in place of the soak's own number."""
    return int(os.environ.get("SOAK_ROUNDS") or long) if IS_SOAK else short


class Member(Daemon):
    """One daemon of a cluster. Its ports stay the same over its restarts."""

    def __init__(
        self, name: str, url: str, config: str = "", store: str = "", cluster: str = "",
        **more: object,
    ):
        ports = free_ports(3)
        self.endpoints = [f"tcp://127.0.0.1:{port}" for port in ports]
        named = "".join(
            f'{kind} = ["{endpoint}"]\n'
            for kind, endpoint in zip(("events", "updates", "control"), self.endpoints))
        super().__init__(
            f'{named}{config}\n[store]\nurl = "{url}"\n{store}[cluster]\n'
            f'name = "{name}"\n{cluster}', ports=False, **more)
        self.name = name
        self.events, self.updates, self.control = self.endpoints
        self.proxy: Proxy | None = None

    def kill(self) -> float:
        """As a machine that is gone. Returns when."""
        self.process.kill()
        began = time.monotonic()
        self.process.wait(DEADLINE)
        return began

    @contextlib.contextmanager
    def stopped(self):
        """SIGSTOP, and SIGCONT at the end."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield self
        finally:
            self.process.send_signal(signal.SIGCONT)

    def again(self) -> Member:
        """Starts it anew on its state directory, however it ended."""
        self.process.wait(DEADLINE)
        self.process.stdout.close()
        self.errors.close()
        self.start()
        return self

    def refusal(self) -> tuple[int, str]:
        """Starts it where it must not start. Returns its status and what it said; it is used up."""
        self.begun.discard(self)
        self.context.destroy(linger=0)
        try:
            return refusal(*self.arguments, **self.environment)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


def refusal(*arguments: str, **environment: str) -> tuple[int, str]:
    """Runs the daemon where it must end at once. Returns its status and what it said."""
    done = subprocess.run(
        [str(binary()), *arguments], capture_output=True, text=True, timeout=DEADLINE,
        stdin=subprocess.DEVNULL, env=os.environ | environment)
    return done.returncode, done.stderr


class Cluster:
    """Members on a new database of a server. `proxied` puts a proxy before each."""

    def __init__(
        self, postgres: Postgres, names: tuple[str, ...] = NAMES, config: str = "",
        cluster: str = "", proxied: bool = False, environment: dict[str, str] | None = None,
        store: str = "", user: str = "postgres", certificate: str = "", server_key: bytes = b"",
    ):
        """`config`, `store` and `cluster` are lines of the configuration, of these tables.

        Members that ask for keys are asked by a client's secret `certificate`.
        """
        self.keys = zmq.auth.load_certificate(certificate) if certificate else ()
        self.server_key = server_key
        self.postgres, self.config, self.store, self.table = postgres, config, store, cluster
        self.user = user
        self.proxied, self.environment = proxied, environment
        self.database_name = next(databases)
        postgres.create(self.database_name)
        self.members: dict[str, Member] = {}
        self.names = names
        self.stack = contextlib.ExitStack()
        self.context = zmq.Context()
        self.context.linger = 0

    def __enter__(self) -> Cluster:
        try:
            for name in self.names:
                self.add(name)
            self.wait_until_shared()
            wait_for(self.is_known, "every member has the database's map")
        except BaseException:
            self.__exit__(*((AssertionError, AssertionError(), None)))
            raise
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self.context.destroy(linger=0)
        for member in self.members.values():
            if member.is_running:
                member.process.send_signal(signal.SIGCONT)
                if member.proxy:
                    member.proxy.resume()
        # All at once: the last ones would take the others' shards first.
        for member in self.members.values():
            if member.is_running:
                member.process.terminate()
        self.stack.__exit__(kind, error, trace)

    def add(self, name: str, cluster: str = "", **more: object) -> Member:
        """Starts one more member."""
        member = self.make(name, cluster, **more)
        self.members[name] = self.stack.enter_context(member)
        return member

    def make(
        self, name: str, cluster: str = "", environment: dict[str, str] | None = None,
        **more: object,
    ) -> Member:
        """One that does not run yet."""
        proxy = Proxy(self.postgres.port) if self.proxied else None
        if proxy:
            self.stack.callback(proxy.close)
        member = Member(
            name, self.postgres.url(self.database_name, proxy and proxy.port, self.user),
            self.config, self.store, cluster or self.table,
            environment={**(self.environment or {}), **(environment or {})}, **more)
        member.proxy = proxy
        return member

    # MARK: What the database says

    def database(self) -> Database:
        return self.postgres.database(self.database_name)

    def owners(self) -> Counter[str]:
        """The number of shards of each member that is not gone; '' for those without an owner."""
        with self.database() as database:
            rows = database.rows(
                "SELECT m.name, count(*) FROM gestured.shard s LEFT JOIN gestured.member m"
                " ON m.id = s.owner AND m.state <> 'gone' GROUP BY 1")
        return Counter({name or "": int(count) for name, count in rows})

    def is_shared(self, names: set[str]) -> bool:
        """Whether these own all shards, in equal parts."""
        owners = self.owners()
        return set(owners) == names and max(owners.values()) - min(owners.values()) <= 1

    def is_known(self) -> bool:
        """Whether each member has looked since the last change of hands."""
        with self.database() as database:
            version = int(database.value("SELECT sum(epoch) FROM gestured.shard"))
        return all(
            self.ask("members", member)["version"] == version
            for member in self.members.values() if member.is_running)

    def wait_until_shared(self, *names: str, seconds: float = DEADLINE) -> float:
        wanted = set(names) or {
            name for name, member in self.members.items() if member.is_running}
        try:
            return wait_for(lambda: self.is_shared(wanted), "all is shared", seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}: {dict(self.owners())}\n{self.log()}") from error

    def wait_until_owned(self, names: set[str], seconds: float = DEADLINE) -> float:
        """Waits until each shard has one of these owners, in any parts. Returns when."""
        wait_for(
            lambda: set(self.owners()) <= names, f"{names} own all: {self.owners()}", seconds)
        return time.monotonic()

    def epochs(self) -> list[tuple[str | None, ...]]:
        with self.database() as database:
            return database.rows("SELECT number, epoch FROM gestured.shard ORDER BY number")

    def leases(self) -> list[tuple[float, float]]:
        """When each lease ends, and the time now, both in the database's seconds."""
        with self.database() as database:
            rows = database.rows(
                "SELECT extract(epoch FROM expires), extract(epoch FROM clock_timestamp())"
                " FROM gestured.lease JOIN gestured.member ON id = member WHERE state <> 'gone'")
        return [(float(expires), float(now)) for expires, now in rows]

    def wait_a_lease(self) -> None:
        """Waits until no member lives by a renewal that it has made by now."""
        last = max(expires for expires, _ in self.leases())
        wait_for(
            lambda: all(now > last and expires > now for expires, now in self.leases()),
            "every member lives by a later renewal")

    def wait_until_late(self) -> None:
        """Waits until each lease is over for so long that every member has looked since."""
        wait_for(
            lambda: all(now > expires + LEASE / 3 for expires, now in self.leases()),
            "every lease is over")

    def log(self) -> str:
        return "\n".join(f"{name}:\n{it.log()[-1500:]}" for name, it in self.members.items())

    # MARK: Requests that find their owner

    def controls(self) -> list[str]:
        return [member.control for member in self.members.values()]

    def ask(self, op: str, at: Member | str | None = None, **fields: object) -> dict:
        """One answer of one member; of any that runs, if none is named."""
        if at is None:
            at = next(member for member in self.members.values() if member.is_running)
        endpoint = at if isinstance(at, str) else at.control
        with self.context.socket(zmq.DEALER) as socket:
            if self.keys:
                socket.curve_publickey, socket.curve_secretkey = self.keys
                socket.curve_serverkey = self.server_key
            socket.connect(endpoint)
            socket.send(json.dumps({"id": 1, "op": op, **fields}).encode())
            assert socket.poll(DEADLINE * 1000), f"{endpoint} does not answer {op} {fields}"
            return json.loads(socket.recv_multipart()[-1])

    def locate(self, session: str, at: Member | None = None) -> dict | None:
        """The owner, as a member tells it."""
        answer = self.ask("locate", at, session=session)
        assert answer["ok"], answer
        return answer["owner"]

    def owner(self, session: str, deadline: float = DEADLINE) -> Member:
        """Waits for an owner, and returns the member."""
        found: list[str] = []

        def is_found() -> bool:
            owner = self.locate(session)
            found[:] = [owner["name"]] if owner else []
            return bool(found) and self.members[found[0]].is_running
        wait_for(is_found, f"{session} has an owner that runs", deadline)
        return self.members[found[0]]

    def request(self, op: str, session: str, deadline: float = DEADLINE, **fields: object) -> dict:
        """Asks the owner, and follows it while it moves. Repeats what is not known to be done."""
        return self._repeat(session, deadline, op, session=session, **fields)

    def _repeat(self, session: str, deadline: float, op: str, /, **fields: object) -> dict:
        answer: dict = {}

        def is_known() -> bool:
            answer.clear()
            answer.update(self.ask(op, self.owner(session), **fields))
            return answer["ok"] or answer["error"]["code"] not in ("moved", "internal")
        try:
            wait_for(is_known, f"{op} of {session} is answered", deadline)
        except AssertionError as error:
            raise AssertionError(f"{error}: {fields}: {answer}") from error
        return answer

    def ok(self, op: str, session: str, **fields: object) -> dict:
        answer = self.request(op, session, **fields)
        assert answer["ok"], f"{op} {session} {fields} was refused: {answer}"
        return answer

    def publish(self, topic: str, body: dict) -> dict:
        """An acknowledged publish at the owner."""
        session = topic.split("/")[1]
        answer = self._repeat(session, DEADLINE, "publish", topic=topic, body=body)
        assert answer["ok"], f"{topic} {body} was refused: {answer}"
        return answer

    def snapshot(self, session: str) -> dict[str, dict]:
        updates = self.ok("snapshot", session)["updates"]
        return {update["topic"]: update["body"] for update in updates}

    def stats(self, member: Member) -> dict[str, int]:
        return self.ask("stats", member)["stats"]

    def sum_of(self, figure: str) -> int:
        return sum(
            self.stats(member)[figure] for member in self.members.values() if member.is_running)

    # MARK: The end of a test

    def kill_all_and_start_one(self) -> Member:
        """Afterwards only what the database has is left."""
        for member in self.members.values():
            if member.is_running:
                member.process.send_signal(signal.SIGCONT)
                member.kill()
        first = next(iter(self.members.values()))
        first.again()
        return first

    def start_all(self) -> None:
        for member in self.members.values():
            if not member.is_running:
                member.again()
        self.wait_until_shared()
