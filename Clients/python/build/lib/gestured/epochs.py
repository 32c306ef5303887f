"""The order of epochs; see "Epochs and gaps" in docs/protocol.md. Touches no socket."""

from __future__ import annotations

from typing import NamedTuple


class Epoch(NamedTuple):
    """One life of a session: `run` is the daemon's part, `number` counts within it."""

    run: str
    number: int


def parse(text: str) -> Epoch | None:
    """The epoch of a session; None where the text is none: it has no `.`, or no number after it."""
    run, dot, number = text.rpartition(".")
    # A session's number has few digits; a longer one is no epoch, and would be slow to read.
    if not dot or not run or len(number) > 19 or not (number.isascii() and number.isdigit()):
        return None
    return Epoch(run, int(number))


def session_of(topic: str) -> str | None:
    """The session that a topic is about; None for `heartbeat`, `sync/…` and `rejected/-`."""
    kind, slash, rest = topic.partition("/")
    if not slash or kind == "sync" or topic == "rejected/-":
        return None
    return rest.partition("/")[0]
