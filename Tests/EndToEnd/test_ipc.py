"""The files of `ipc://` sockets, whatever the mask of whoever starts the daemon."""

from __future__ import annotations

import os
import pathlib
import stat

import pytest
import zmq
from client import DEADLINE, Daemon


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o027, 0o077, 0o777], ids=oct)
def test_owner_and_group_may_connect_and_nobody_else(tmp_path: pathlib.Path, mask: int):
    names = ("events", "updates", "control")
    daemon = Daemon(ports=False)
    for name in names:
        daemon.arguments += [f"--{name}", f"ipc://{daemon.folder}/{name}"]
    # A folder under this mask would be of no use.
    daemon.state.mkdir()
    daemon.wrapper = ["sh", "-c", f'umask {mask:o}; exec "$0" "$@"']
    with daemon:
        for name in names:
            mode = os.stat(daemon.folder / name).st_mode
            assert stat.S_ISSOCK(mode) and stat.S_IMODE(mode) == 0o660, (name, oct(mode))
        if mask != 0o777:
            # Files of the store keep the mask of whoever started it.
            control = daemon.requests()
            control.open("a", "phone")
            for file in daemon.state.iterdir():
                assert stat.S_IMODE(file.stat().st_mode) & mask == 0, file


def test_a_socket_of_a_folder_of_its_own_can_be_bound(tmp_path: pathlib.Path):
    endpoints = [word for name in ("events", "updates", "control")
                 for word in (f"--{name}", "ipc://*")]
    with Daemon(ports=False, arguments=endpoints, environment={"TMPDIR": "/tmp"}) as daemon:
        dealer = daemon.socket(zmq.DEALER, daemon.control)
        dealer.send(b'{"op":"hello"}')
        assert dealer.poll(DEADLINE * 1000)
