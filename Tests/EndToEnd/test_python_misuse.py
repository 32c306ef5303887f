"""The Python client in careless hands: what it is given wrongly, and what is never closed."""

from __future__ import annotations

import asyncio
import os
import pathlib
import sys

import pytest
from client import DEADLINE, REPOSITORY, Daemon

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

import gestured  # noqa: E402
from gestured import aio, watching  # noqa: E402


def connect(daemon: Daemon) -> gestured.Client:
    return gestured.connect(daemon.events, daemon.updates, daemon.control, timeout=DEADLINE)


@pytest.mark.parametrize("field", ["id", "op"])
def test_fields_that_are_the_clients_own_are_refused_at_once(daemon: Daemon, field: str):
    async def ask() -> None:
        async with aio.connect(daemon.events, daemon.updates, daemon.control) as client:
            await client.request("hello", **{field: 7})

    # Python itself knows that `op` is given twice.
    with connect(daemon) as client, pytest.raises((ValueError, TypeError), match=f"'{field}'"):
        client.request("hello", **{field: 7})
    with pytest.raises((ValueError, TypeError), match=f"'{field}'"):
        asyncio.run(ask())
