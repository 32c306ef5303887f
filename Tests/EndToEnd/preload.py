"""Libraries in C that stand between a daemon and the system: failing disks, jumping clocks."""

from __future__ import annotations

import functools
import pathlib
import random
import re
import shutil
import struct
import subprocess
import tempfile
from dataclasses import dataclass

import pytest
from client import Daemon, binary

HERE = pathlib.Path(__file__).parent
ENTRY = struct.Struct("<BBxxIQ")
SECTOR = 512


@functools.cache
def library(name: str) -> str:
    """Compiles a library, once."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        pytest.skip(f"no C compiler: {name} cannot be made")
    path = pathlib.Path(tempfile.mkdtemp(prefix="gestured-preload-")) / f"{name}.so"
    subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", "-o", str(path), str(HERE / f"{name}.c")], check=True)
    return str(path)


def label() -> dict[str, str]:
    """Tells the library of hanging lanes where a program has its own libdispatch, if it has."""
    symbols = subprocess.run(
        ["nm", binary()], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^([0-9a-f]+) [tT] dispatch_queue_get_label$", symbols, re.MULTILINE)
    return {"LABEL": found[1]} if found else {}


class Clocks:
    """The clocks of a daemon, which the test moves."""

    def __init__(self, path: pathlib.Path):
        self.path = path
        self.set()

    def environment(self) -> dict[str, str]:
        return {"LD_PRELOAD": library("clock"), "CLOCKS": str(self.path)}

    def set(self, wall: int = 0, boot: int = 0) -> None:
        """Seconds that each clock is ahead."""
        mode = "r+b" if self.path.exists() else "wb"
        with open(self.path, mode, buffering=0) as file:
            file.write(struct.pack("<qq", wall, boot))


class Disk:
    """The disk under a daemon's database. Its faults happen while it is switched on."""

    def __init__(self, daemon: Daemon, seed: int = 0, **settings: object):
        """Settings are those of disk.c, in lower case and without their beginning."""
        self.daemon = daemon
        self.switch = daemon.folder / "switch"
        self.log = daemon.folder / "disk.log"
        daemon.environment |= {
            "LD_PRELOAD": library("disk"), "DISK_FILE": str(daemon.state / "gestured.db"),
            "DISK_SWITCH": str(self.switch), "DISK_SEED": str(seed)}
        self.change(**settings)

    def change(self, **settings: object) -> None:
        """Takes effect at the next start."""
        self.daemon.environment |= {
            f"DISK_{name.upper()}": str(value) for name, value in settings.items()}

    def turn(self, is_on: bool) -> None:
        self.switch.touch() if is_on else self.switch.unlink(missing_ok=True)


@dataclass(frozen=True)
class Entry:
    """One call in the log of a disk, and where it ends in that log."""

    kind: str
    file: str
    place: int
    data: bytes
    end: int


def entries(log: pathlib.Path) -> list[Entry]:
    found, data, place = [], log.read_bytes(), 0
    while place + ENTRY.size <= len(data):
        kind, is_log, length, where = ENTRY.unpack_from(data, place)
        place += ENTRY.size
        if place + length > len(data):
            break
        name = "gestured.db-wal" if is_log else "gestured.db"
        found.append(Entry(chr(kind), name, where, data[place:place + length], place + length))
        place += length
    return found


def cut_power(
    before: dict[str, bytes], calls: list[Entry], dice: random.Random
) -> dict[str, bytes]:
    """The files as a loss of power after these calls leaves them.

    A file has all writes before its last sync. It has any part of the later ones, in sectors: some
    did not reach the disk, some overtook earlier ones.
    """
    files = {name: bytearray(data) for name, data in before.items()}
    synced = {
        entry.file: number for number, entry in enumerate(calls) if entry.kind == "s"}
    # Nothing, nearly nothing, some, nearly all, all.
    share = dice.choice((0, 0.05, 0.5, 0.95, 1))
    for number, entry in enumerate(calls):
        data = files.setdefault(entry.file, bytearray())
        is_safe = number < synced.get(entry.file, -1)
        if entry.kind == "t":
            if is_safe or dice.random() < share:
                resize(data, entry.place)
        elif entry.kind == "w":
            first = 0
            while first < len(entry.data):
                # Up to the end of the disk's sector.
                last = first + SECTOR - (entry.place + first) % SECTOR
                if is_safe or dice.random() < share:
                    write(data, entry.place + first, entry.data[first:last])
                first = last
    return {name: bytes(data) for name, data in files.items()}


def resize(data: bytearray, length: int) -> None:
    del data[length:]
    data.extend(bytes(length - len(data)))


def write(data: bytearray, place: int, part: bytes) -> None:
    if len(data) < place + len(part):
        data.extend(bytes(place + len(part) - len(data)))
    data[place:place + len(part)] = part
