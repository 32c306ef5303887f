"""Documents that are run: their files are written, their commands typed, in their order."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from client import DEADLINE, REPOSITORY, binary

SECTION = re.compile(r"^## (?:\d+\. )?(.+?)$(.*?)(?=^## |\Z)", re.M | re.S)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
# A file's name in backquotes and a colon end the paragraph before its text.
FILE = re.compile(r"`([\w./-]+)`:\n\n```\w+\n(.*?)^```", re.M | re.S)
# The usual ports of gestured, of gesture-web, and of a page of one's own.
PORTS = (7411, 7412, 7413, 7480, 7481)
# Brings a new namespace's loopback interface up, and becomes bash.
LOOPBACK = """
import fcntl, os, socket, struct
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
    fcntl.ioctl(one, 0x8914, struct.pack("16sh14x", b"lo", 0x49))
os.execvp("bash", ["bash", "--norc", "-m"])
"""


@dataclass(frozen=True)
class File:
    name: str
    text: str


@dataclass(frozen=True)
class Command:
    text: str


class Document:
    """A page of docs, by its sections: titles of the second level, without their numbers."""

    def __init__(self, name: str):
        self.text = (REPOSITORY / name).read_text(encoding="utf-8")
        self.sections = dict(SECTION.findall(self.text))

    def steps(self, section: str) -> list[File | Command]:
        """The section's files and commands, in the order in which they stand."""
        text = self.sections[section]
        found = [(one.start(), [File(*one.groups())]) for one in FILE.finditer(text)]
        found += [(one.start(), typed(one[1])) for one in CONSOLE.finditer(text)]
        return [step for _, steps in sorted(found, key=lambda one: one[0]) for step in steps]

    def commands(self, section: str) -> list[str]:
        found = [step.text for step in self.steps(section) if isinstance(step, Command)]
        assert found, f"no commands in {section}"
        return found


def typed(block: str) -> list[Command]:
    """The commands of a console block: lines after `$ `, gone on with by `> `."""
    commands: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            commands.append(line[2:])
        elif line.startswith("> ") and commands:
            commands[-1] += "\n" + line[2:]
    return [Command(text) for text in commands]


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def wait_until(condition: Callable[[], object], why: str, seconds: float = DEADLINE) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"waited {seconds} s until {why}"
        time.sleep(0.05)


def can_isolate() -> bool:
    return sys.platform == "linux" and shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "--net", "true"], stderr=subprocess.DEVNULL).returncode == 0


class Shell:
    """One interactive-like shell that runs the commands one after the other, jobs included.

    It stands in a folder that looks like the repository with its release build. `is_isolated`
    gives it a network of its own, so that the usual ports are free in it, also side by side; what
    the commands start can then be reached by commands alone. Without the right to that it takes the
    machine's ports, and skips where they are taken.
    """

    def __init__(self, is_isolated: bool = True, ports: tuple[int, ...] = PORTS):
        own = [sys.executable, "-c", LOOPBACK]
        command = ["unshare", "--net", *own]
        if not is_isolated or not can_isolate():
            command = ["bash", "--norc", "-m"]
            if taken := [port for port in ports if not is_free(port)]:
                pytest.skip(f"the document's ports {taken} are in use")
        self.temporary = tempfile.TemporaryDirectory(prefix="gestured-")
        self.folder = pathlib.Path(self.temporary.name)
        self._furnish()
        self.process = subprocess.Popen(
            command, cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.said: list[str] = []

    def __enter__(self) -> Shell:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _furnish(self) -> None:
        for one in REPOSITORY.iterdir():
            if one.name not in (".build", ".git", ".venv", "Makefile", ".ci"):
                (self.folder / one.name).symlink_to(one)
        # The scripts find their folder by their own place.
        shutil.copytree(REPOSITORY / ".ci", self.folder / ".ci", symlinks=True)
        shutil.copy(REPOSITORY / "Makefile", self.folder / "Makefile")
        (self.folder / ".build").mkdir()
        (self.folder / ".build" / "release").symlink_to(binary().parent)

    def take(self, step: File | Command, seconds: float = DEADLINE) -> str:
        """Writes the file, or runs the command."""
        if isinstance(step, Command):
            return self.run(step.text, seconds)
        path = self.folder / step.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step.text, encoding="utf-8")
        return ""

    def run(self, command: str, seconds: float = DEADLINE) -> str:
        """Runs a command that must succeed within this time; returns what it printed."""
        status, text = self.attempt(command, seconds)
        assert status == 0, f"{command} ended with {status}:\n{text}"
        return text

    def attempt(self, command: str, seconds: float = DEADLINE) -> tuple[int, str]:
        """Runs a command that may fail; returns its status, and what it printed."""
        self.process.stdin.write(f"{command}\necho DONE=$?\n")
        self.process.stdin.flush()
        printed: list[str] = []
        watchdog = subprocess.Popen(
            ["bash", "-c", f"sleep {seconds}; kill -KILL -{self.process.pid}"],
            start_new_session=True)
        try:
            for line in self.process.stdout:
                if match := re.search(r"DONE=(\d+)$", line.rstrip()):
                    self.said += printed
                    return int(match[1]), "".join(printed)
                printed.append(line)
        finally:
            os.killpg(watchdog.pid, signal.SIGKILL)
            watchdog.wait()
        raise AssertionError(f"the shell ended in {command}:\n{''.join(printed)}")

    def until(self, command: str, why: str, seconds: float = DEADLINE) -> None:
        """Runs a command again and again until it succeeds."""
        wait_until(lambda: self.attempt(command, seconds)[0] == 0, why, seconds)

    def close(self) -> None:
        # Ends the shell's jobs, which have process groups of their own.
        if self.process.poll() is None:
            self.process.stdin.write("kill -KILL $(jobs -p) 2>/dev/null; exit\n")
            self.process.stdin.close()
            self.process.wait(DEADLINE)
        self.process.stdout.close()
        self.temporary.cleanup()
