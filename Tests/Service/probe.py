"""Tries, within the service's sandbox, the attacks of a hijacked daemon.

Prints one JSON object: for each attempt "done" or the error's name.
"""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import pathlib
import socket
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
tried: dict[str, str] = {}


def attempt(name: str, action) -> None:
    try:
        action()
        tried[name] = "done"
    except OSError as error:
        tried[name] = errno.errorcode.get(error.errno or 0, str(error))


def call(function, *arguments) -> None:
    """Calls a C function that returns -1 if it fails."""
    if function(*arguments) == -1:
        raise OSError(ctypes.get_errno(), "refused")


def write(path: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write("x")


def connect(address: str, port: int) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as peer:
        peer.settimeout(2)
        peer.connect((address, port))


def send(address: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as peer:
        peer.sendto(b"x", (address, 9))


def make_interface() -> None:
    """Asks the kernel by netlink for a dummy interface."""
    kind = struct.pack("HH", 10, 1) + b"dummy\0" + b"\0\0"
    info = struct.pack("HH", 4 + len(kind), 18) + kind
    body = struct.pack("BxHiII", 0, 0, 0, 0, 0) + info
    flags = 0x1 | 0x4 | 0x200 | 0x400
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.send(struct.pack("IHHII", 16 + len(body), 16, flags, 1, 0) + body)
        answer = kernel.recv(4096)
    code = struct.unpack_from("i", answer, 16)[0]
    if code:
        raise OSError(-code, "refused")


def favour_itself() -> None:
    """The sandbox reports success without a change, so this compares the values."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, before - 5)
    if os.getpriority(os.PRIO_PROCESS, 0) == before:
        raise OSError(errno.EPERM, "nothing was changed")


def own(variable: str) -> str:
    return os.environ[variable].split(":")[0]


# Permitted actions.
attempt("write own state", lambda: write(f"{own('STATE_DIRECTORY')}/probe"))
os.unlink(f"{own('STATE_DIRECTORY')}/probe")
attempt("write own runtime", lambda: write(f"{own('RUNTIME_DIRECTORY')}/probe"))
attempt("connect to loopback", lambda: connect("127.0.0.1", int(sys.argv[1])))
attempt("read its configuration", pathlib.Path("/etc/gestured/gestured.toml").read_text)

# Forbidden actions.
for place in ("/etc", "/usr/bin", "/usr/local", "/var/lib", "/var/log", "/opt", "/run", "/home"):
    attempt(f"write in {place}", lambda place=place: write(f"{place}/gestured-tried"))
attempt("read a user's file", (pathlib.Path(sys.argv[2]) / "letter").read_text)
attempt("read the password hashes", pathlib.Path("/etc/shadow").read_text)
attempt("read an instance's state", lambda: os.listdir("/var/lib/private/gestured-left"))
attempt("see process 1", lambda: os.stat("/proc/1"))
attempt("see the kernel's settings", lambda: os.stat("/proc/sys/kernel"))
for family in ("AF_PACKET", "AF_VSOCK", "AF_BLUETOOTH", "AF_ALG", "AF_KEY"):
    number = getattr(socket, family, None)
    if number is not None:
        attempt(f"open {family}", lambda number=number: socket.socket(number, socket.SOCK_RAW))
attempt("send to the network", lambda: send("192.0.2.1"))
attempt("make a network interface", make_interface)
attempt("make memory that runs", lambda: mmap.mmap(
    -1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC))
attempt("make a namespace", lambda: call(libc.unshare, 0x00020000))
attempt("become root", lambda: os.setuid(0))
attempt("mount", lambda: call(libc.mount, b"none", b"/tmp", b"tmpfs", 0, None))
attempt("trace process 1", lambda: call(libc.ptrace, 16, 1, None, None))
attempt("set the clock", lambda: call(libc.settimeofday, ctypes.create_string_buffer(16), None))
attempt("make a setuid file", lambda: (
    write("/tmp/probe"), os.chmod("/tmp/probe", 0o4755)))
attempt("raise its priority", favour_itself)
print(json.dumps(tried))
