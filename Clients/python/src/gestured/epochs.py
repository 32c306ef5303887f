"""The order of epochs; see "Epochs and gaps" in docs/protocol/updates.md. Touches no socket."""

from __future__ import annotations

import re
from typing import NamedTuple

# Digits of a session's number: a longer one is no epoch, and would be slow to read.
NUMBER_DIGITS_MAX = 19
# A session of a cluster has the same text before the dot on every member: `<tag>-<shard>`.
SHARD = re.compile(r".*-[0-9]{1,4}", re.DOTALL)


class Epoch(NamedTuple):
    """One life of a session: `run` is the daemon's part, `number` counts within it."""

    run: str
    number: int


def parse(text: str) -> Epoch | None:
    """The epoch of a session; None where the text is none: it has no `.`, or no number after it."""
    run, dot, number = text.rpartition(".")
    if not dot or not run or len(number) > NUMBER_DIGITS_MAX:
        return None
    return Epoch(run, int(number)) if number.isascii() and number.isdigit() else None


def is_late(text: str, than: str) -> bool:
    """Whether updates of this epoch came late: another one with the same run has a greater number.

    Epochs of two runs have no order, and what is none is never late.
    """
    epoch, other = parse(text), parse(than)
    return epoch is not None and other is not None and is_earlier(epoch, other)


def is_earlier(epoch: Epoch, than: Epoch) -> bool:
    return epoch.run == than.run and epoch.number < than.number


def is_shared(run: str) -> bool:
    """Whether a session's run is that of a shard, which any member of a cluster may serve."""
    return SHARD.fullmatch(run) is not None


def session_of(topic: str) -> str | None:
    """The session that a topic is about; None for `heartbeat`, `sync/…` and `rejected/-`."""
    kind, slash, rest = topic.partition("/")
    if not slash or kind == "sync" or topic == "rejected/-":
        return None
    return rest.partition("/")[0]
