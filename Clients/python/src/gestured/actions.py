"""The orders of a `Joiner` to its watch, and the shape of what it reads. Touches no socket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeGuard, Union

from . import epochs

Body = dict[str, Any]

# The first words of the topics that a snapshot holds.
KINDS = ("state", "badge", "variables", "session", "scene", "frame", "rows", "touches")


@dataclass(frozen=True)
class Subscribe:
    topic: str


@dataclass(frozen=True)
class Unsubscribe:
    topic: str


@dataclass(frozen=True)
class Ask:
    """Send a request, and hand its answer to `answer` with this `tag`."""

    op: str
    fields: dict[str, Any]
    tag: str


@dataclass(frozen=True)
class Give:
    """An update for the user. `is_torn`: a frame behind a gap, whose snapshot follows."""

    topic: str
    body: Body
    is_torn: bool = False


Action = Union[Subscribe, Unsubscribe, Ask, Give]


def scope_of(prefix: str) -> str | None:
    """The session that a prefix names; empty for all sessions, None where no snapshot has it."""
    kind, slash, rest = prefix.partition("/")
    if slash:
        return rest.partition("/")[0] if kind in KINDS else None
    return "" if any(name.startswith(kind) for name in KINDS) else None


def is_update(body: object) -> TypeGuard[Body]:
    """Whether a body has the three fields of every update."""
    if not isinstance(body, dict):
        return False
    seq, t = body.get("seq"), body.get("t")
    return (isinstance(body.get("epoch"), str) and type(seq) is int
            and isinstance(t, (int, float)) and not isinstance(t, bool))


def run_of(topic: str, body: Body) -> str | None:
    """The run of the daemon that an update is of; None where its epoch is none."""
    if epochs.session_of(topic) is None:
        return str(body["epoch"])
    epoch = epochs.parse(body["epoch"])
    return epoch.run if epoch else None
