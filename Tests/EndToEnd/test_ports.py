"""The ports that tests give to their programs: none is given twice."""

from __future__ import annotations

import pathlib
import socket
import subprocess
import sys

import ports

FOLDER = pathlib.Path(__file__).parent
# Gives 20 ports of a range of 60, and waits until its input ends.
SCRIPT = f"""
import sys
sys.path.insert(0, {str(FOLDER)!r})
import ports
ports.FIRST, ports.END = int(sys.argv[1]), int(sys.argv[1]) + 60
print(*ports.free_ports(20), flush=True)
sys.stdin.read()
"""


def test_two_processes_are_never_given_the_same():
    first = ports.END - 60
    both = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(first)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    try:
        given = [int(port) for one in both for port in one.stdout.readline().split()]
    finally:
        for one in both:
            one.communicate()
    assert len(given) == 40 == len(set(given)), given


def test_a_port_somebody_listens_on_is_not_given():
    with socket.socket() as listener:
        port = ports.free_port()
        while True:
            try:
                listener.bind(("127.0.0.1", port + 1))
                break
            except OSError:
                port += 1
        listener.listen()
        given = ports.free_ports(3)
        assert port + 1 not in given, given


def test_no_connection_is_given_such_a_port():
    given = ports.free_ports(3)
    assert all(ports.FIRST <= port < ports.END for port in given), given
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        assert listener.getsockname()[1] >= ports.END
