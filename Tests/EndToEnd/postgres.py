"""Debian's PostgreSQL in a folder of its own, which tests crash, restart, copy and promote."""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import os
import pathlib
import pwd
import shutil
import signal
import subprocess
import tempfile
import time

from ports import free_port

# The oldest server that a cluster takes.
VERSION_MIN = 15
# Seconds until a server has started or ended, and until a statement is answered.
PATIENCE = 30.0
# It refuses to run as root; Debian's package makes this user.
USER = "postgres"


def programs() -> pathlib.Path | None:
    """The folder of the newest server's programs."""
    found = [
        path for path in pathlib.Path("/usr/lib/postgresql").glob("*/bin")
        if (path / "postgres").exists() and int(path.parent.name) >= VERSION_MIN]
    return max(found, key=lambda path: int(path.parent.name), default=None)


def missing() -> str:
    """Why no server can run here, or nothing."""
    if programs() is None:
        return f"PostgreSQL {VERSION_MIN} is not installed: apt-get install postgresql"
    if ctypes.util.find_library("pq") is None:
        return "libpq is not installed: apt-get install libpq5"
    if not shutil.which("setpriv"):
        return "there is no setpriv: apt-get install util-linux"
    return ""


class Postgres:
    """One server. `source` is a primary that it follows, `line` the port of a proxy before that."""

    def __init__(
        self, source: Postgres | None = None, line: int | None = None, **settings: object,
    ):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="gestured-pg-"))
        self.data = self.folder / "data"
        self.port = free_port()
        self.settings = {
            # Durability is not what is tested: nobody pulls the plug of this machine.
            "fsync": "off", "max_connections": 60, "shared_buffers": "32MB",
            "max_wal_senders": 4, "wal_level": "replica", "hot_standby": "on",
        } | settings
        self.process: subprocess.Popen | None = None
        if os.geteuid() == 0:
            user = pwd.getpwnam(USER)
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        if source is None:
            self.run("initdb", "-D", self.data, "-U", USER, "-A", "trust", "--no-sync",
                     "--no-instructions", "-E", "UTF8", "--locale", "C")
        else:
            self.run("pg_basebackup", "-D", self.data, "-R", "-c", "fast", "--no-sync",
                     "-d", f"{source.url('postgres', line)}&application_name=standby")

    def run(self, program: str, *arguments: object) -> str:
        """Runs one of the server's programs as its user. Returns what it printed."""
        done = subprocess.run(
            [*self.command(program), *map(str, arguments)], capture_output=True, text=True,
            timeout=PATIENCE * 2, cwd=self.folder, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"
        return done.stdout

    @staticmethod
    def command(program: str) -> list[str]:
        # It ends with the process that started it, however that ends.
        as_user = ["setpriv", "--pdeathsig", "QUIT"]
        if os.geteuid() == 0:
            as_user += ["--reuid", USER, "--regid", USER, "--clear-groups"]
        return [*as_user, str(programs() / program)]

    def start(self) -> Postgres:
        options = [f"-c{name}={value}" for name, value in self.settings.items()]
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [*self.command("postgres"), "-D", str(self.data), "-p", str(self.port),
                 "-k", str(self.folder), "-clisten_addresses=127.0.0.1", *options],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder,
                start_new_session=True)
        end = time.monotonic() + PATIENCE
        while not self.answers():
            assert self.process.poll() is None and time.monotonic() < end, self.log()
            time.sleep(0.02)
        return self

    def answers(self) -> bool:
        with contextlib.suppress(Failure), self.database("postgres") as database:
            return database.value("SELECT 1") == "1"
        return False

    def log(self) -> str:
        return (self.folder / "log").read_text(errors="replace")[-4000:]

    def stop(self, number: int = signal.SIGINT) -> None:
        """SIGINT: fast, in order. SIGQUIT: at once, as a crash."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(PATIENCE)

    def crash(self) -> None:
        """Ends as `pg_ctl -m immediate` does: it recovers from its log at the next start."""
        self.stop(signal.SIGQUIT)

    def set(self, name: str, value: str) -> None:
        """Changes a setting of the running server."""
        with self.database("postgres") as database:
            database.rows(f"ALTER SYSTEM SET {name} = '{value}'")
            database.rows("SELECT pg_reload_conf()")

    def promote(self) -> None:
        """Makes a standby the primary."""
        with self.database("postgres") as database:
            assert database.value("SELECT pg_promote(true, 30)") == "t", self.log()

    def url(self, database: str, port: int | None = None, user: str = USER) -> str:
        """Where clients reach it, perhaps by a proxy's port."""
        return f"postgresql://{user}@127.0.0.1:{port or self.port}/{database}?sslmode=disable"

    def database(self, name: str) -> Database:
        return Database(self.url(name))

    def create(self, name: str) -> None:
        with self.database("postgres") as database:
            database.rows(f"CREATE DATABASE {name}")

    def __enter__(self) -> Postgres:
        return self.start()

    def __exit__(self, *_: object) -> None:
        try:
            self.stop(signal.SIGQUIT)
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)


class Failure(Exception):
    """PostgreSQL refused a connection or a statement."""


class Database:
    """A connection for looking from outside, by libpq itself."""

    _libpq: ctypes.CDLL | None = None

    def __init__(self, url: str):
        self.pq = self.libpq()
        self.connection = self.pq.PQconnectdb(f"{url}&connect_timeout=5".encode())
        if self.pq.PQstatus(self.connection) != 0:
            text = self.pq.PQerrorMessage(self.connection).decode()
            self.close()
            raise Failure(text)

    @classmethod
    def libpq(cls) -> ctypes.CDLL:
        if cls._libpq is None:
            pq = cls._libpq = ctypes.CDLL(ctypes.util.find_library("pq"))
            pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
            for name, result, arguments in (
                    ("PQconnectdb", pointer, [text]), ("PQstatus", number, [pointer]),
                    ("PQerrorMessage", text, [pointer]), ("PQfinish", None, [pointer]),
                    ("PQexec", pointer, [pointer, text]), ("PQresultStatus", number, [pointer]),
                    ("PQntuples", number, [pointer]), ("PQnfields", number, [pointer]),
                    ("PQgetvalue", text, [pointer, number, number]),
                    ("PQgetisnull", number, [pointer, number, number]),
                    ("PQclear", None, [pointer])):
                function = getattr(pq, name)
                function.restype, function.argtypes = result, arguments
        return cls._libpq

    def rows(self, statement: str) -> list[tuple[str | None, ...]]:
        """The rows as text. Raises Failure with PostgreSQL's message."""
        pq = self.pq
        result = pq.PQexec(self.connection, statement.encode())
        try:
            if pq.PQresultStatus(result) not in (1, 2):  # COMMAND_OK, TUPLES_OK
                raise Failure(pq.PQerrorMessage(self.connection).decode())
            return [
                tuple(
                    None if pq.PQgetisnull(result, row, field)
                    else pq.PQgetvalue(result, row, field).decode()
                    for field in range(pq.PQnfields(result)))
                for row in range(pq.PQntuples(result))]
        finally:
            pq.PQclear(result)

    def value(self, statement: str) -> str | None:
        return self.rows(statement)[0][0]

    def close(self) -> None:
        if self.connection is not None:
            self.pq.PQfinish(self.connection)
            self.connection = None

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_synchronous(primary: Postgres) -> bool:
    """Whether commits wait for its one standby."""
    try:
        with primary.database("postgres") as database:
            states = database.rows("SELECT sync_state FROM pg_stat_replication")
            return states == [("sync",)]
    except Failure:
        return False
