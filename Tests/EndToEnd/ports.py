"""Ports of loopback for the programs that tests start, so that none of them takes another's."""

from __future__ import annotations

import itertools
import os
import pathlib
import socket

# Below the ports that the system gives to connections, which would take one at any time.
FIRST = 10_240
_RANGE = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")
END = int(_RANGE.read_text().split()[0]) if _RANGE.exists() else 32_768
# Processes begin at different places.
_numbers = itertools.count(os.getpid() * 101)
# Holds each port's claim until this process ends.
_claims: list[socket.socket] = []


def _claim(port: int) -> bool:
    """Takes a port for this process, among all processes of tests. Says whether it was free."""
    claim = socket.socket(socket.AF_UNIX)
    try:
        # A name in the abstract namespace belongs to one process, and goes with it.
        claim.bind(f"\0gestured-test-port-{port}")
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
    except OSError:
        claim.close()
        return False
    _claims.append(claim)
    return True


def free_ports(count: int) -> list[int]:
    """Ports of loopback that nobody listens on, and that no other test is given."""
    found: list[int] = []
    for _ in range(END - FIRST):
        if len(found) == count:
            return found
        port = FIRST + next(_numbers) % (END - FIRST)
        if _claim(port):
            found.append(port)
    raise AssertionError(f"no free port from {FIRST} to {END}")


def free_port() -> int:
    return free_ports(1)[0]
