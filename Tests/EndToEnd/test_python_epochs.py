"""The order of epochs in the Python client: what is late."""

from __future__ import annotations

import sys

import pytest
from client import REPOSITORY

sys.path.insert(0, str(REPOSITORY / "Clients" / "python" / "src"))

from gestured import epochs  # noqa: E402


@pytest.mark.parametrize("epoch, than, late", [
    ("k3f9-171.5", "k3f9-171.6", True),
    ("k3f9-171.6", "k3f9-171.6", False),
    ("k3f9-171.7", "k3f9-171.6", False),
    # As numbers, not as texts.
    ("k3f9-171.9", "k3f9-171.10", True),
    ("k3f9-171.10", "k3f9-171.9", False),
    ("k3f9-171.007", "k3f9-171.8", True),
    # Two of these are equal as doubles.
    ("a.9007199254740992", "a.9007199254740993", True),
    ("a.9007199254740993", "a.9007199254740992", False),
    ("a.9223372036854775807", "a.9999999999999999999", True),
    # Another part before the dot has no order.
    ("k3f9-170.5", "k3f9-171.6", False),
    ("x.1", "y.2", False),
    ("a.b.1", "a.b.2", True),
    ("a.1", "a.b.2", False),
    # These are no epochs of a session.
    ("mfx3k2p1", "mfx3k2p1", False), ("a", "a.2", False), ("a.1", "a", False),
    ("", "", False), (".1", ".2", False), ("a.", "a.2", False), ("a.1", "a.-2", False),
    ("a.1", "a.+2", False), ("a.1", "a. 2", False), ("a.1", "a.2e9", False),
    ("a.1", "a.٢", False), ("a.1", "a.10000000000000000000", False), ("a.1", "a.1_0", False),
])
def test_of_one_run_the_smaller_number_is_late(epoch: str, than: str, late: bool):
    assert epochs.is_late(epoch, than) is late


@pytest.mark.parametrize("run, shared", [
    ("k3f9-171", True), ("k-3f9-0", True), ("mfx3k2p1", False), ("r1", False), ("k3f9-", False),
    ("k3f9-x", False), ("k3f9-17100", False), ("", False), ("k-٢", False)])
def test_the_run_of_a_shard_is_no_daemons(run: str, shared: bool):
    assert epochs.is_shared(run) is shared
