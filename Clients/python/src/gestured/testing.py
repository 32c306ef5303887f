"""A fixture for pytest: `gestured_daemon`, a daemon of its own for the tests of a program.

Installing the package makes the fixture known to pytest. The daemon is the real program, on sockets
in a folder of its own; it ends, and the folder goes, with the last test.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from .client import Client, connect
from .errors import Error

# Seconds that a daemon may take to start, and to end before it is killed.
START_SECONDS = STOP_SECONDS = 30.0
# The end of the daemon's log that an error shows.
LOG_CHARACTERS = 4_000
READY = re.compile(r"gestured ready events=(\S+) updates=(\S+) control=(\S+) ")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "gestured_scenes", "the folder of the scenes of gestured_daemon, relative to the root")


class Daemon:
    """A running `gestured`. The program is GESTURED_BIN, else `gestured` of the PATH."""

    def __init__(self, scenes: Path | None = None) -> None:
        """Starts it with a folder of scenes, or without any. Raises `Error` with its words."""
        program = os.environ.get("GESTURED_BIN") or shutil.which("gestured")
        if program is None:
            raise Error("there is no gestured in the PATH; set GESTURED_BIN to its path")
        # Not a folder of pytest's: a path below it can be too long for a socket.
        self._folder = Path(tempfile.mkdtemp(prefix="gestured-"))
        self._log = self._folder / "log"
        try:
            self._process = self._start(program, scenes)
            self.events, self.updates, self.control = self._read_endpoints()
        except BaseException:
            self.stop()
            raise

    def _start(self, program: str, scenes: Path | None) -> subprocess.Popen[bytes]:
        folder = self._folder / "scenes"
        folder.mkdir()
        config = self._folder / "gestured.toml"
        has_phone = scenes is not None and (scenes / "phone.toml").is_file()
        # JSON's strings are TOML's.
        config.write_text(
            f"scenes = {json.dumps(str((scenes or folder).resolve()))}\n"
            f"auto_open = \"{'phone' if has_phone else ''}\"\n", encoding="utf-8")
        command = [program, "--config", str(config), "--state-dir", str(self._folder / "state")]
        for name in ("events", "updates", "control"):
            command += [f"--{name}", f"ipc://{self._folder}/{name}"]
        with self._log.open("wb") as log:
            return subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)

    def _read_endpoints(self) -> tuple[str, str, str]:
        stream = self._process.stdout
        assert stream is not None
        end, text = time.monotonic() + START_SECONDS, b""
        while b"\n" not in text and (left := end - time.monotonic()) > 0:
            if select.select([stream], [], [], left)[0]:
                chunk = os.read(stream.fileno(), 4096)
                if not chunk:
                    break
                text += chunk
        match = READY.match(text.decode(errors="replace"))
        if match is None:
            raise Error(f"gestured did not start:\n{self.log()}")
        return match[1], match[2], match[3]

    def log(self) -> str:
        """The end of what it has said."""
        with contextlib.suppress(FileNotFoundError):
            return self._log.read_text(encoding="utf-8", errors="replace")[-LOG_CHARACTERS:]
        return ""

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which programs that a test starts find this daemon."""
        return {"GESTURED_EVENTS": self.events, "GESTURED_UPDATES": self.updates,
                "GESTURED_CONTROL": self.control}

    def connect(self, timeout: float = 5.0) -> Client:
        """A client of this daemon, as `gestured.connect`."""
        return connect(self.events, self.updates, self.control, timeout)

    def stop(self) -> None:
        """Ends it and removes its folder; may be called twice."""
        process = getattr(self, "_process", None)
        if process is not None:
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)


def _scenes(config: pytest.Config) -> Path | None:
    """The folder that pytest's file names, else GESTURED_SCENES, else that of the package."""
    if named := config.getini("gestured_scenes"):
        folder = config.rootpath / str(named)
    elif variable := os.environ.get("GESTURED_SCENES"):
        folder = Path(variable)
    else:
        installed = Path("/etc/gestured/scenes")
        return installed if installed.is_dir() else None
    if not folder.is_dir():
        raise Error(f"there is no folder of scenes at {folder}")
    return folder


@pytest.fixture(scope="session")
def gestured_daemon(pytestconfig: pytest.Config) -> Iterator[Daemon]:
    """A daemon for all tests of a run; give each test a session of its own name."""
    daemon = Daemon(_scenes(pytestconfig))
    yield daemon
    daemon.stop()
