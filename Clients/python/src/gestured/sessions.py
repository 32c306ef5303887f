"""One session as a watch has shown it. Touches no socket."""

from __future__ import annotations

from dataclasses import dataclass, field

from . import epochs
from .actions import Body


@dataclass
class Session:
    """One session as the user knows it."""

    epoch: epochs.Epoch | None = None
    # The last update given on each topic: its seq and t.
    shown: dict[str, tuple[int, float]] = field(default_factory=dict)
    # Frames that were given behind a gap: the next snapshot's is given, even at the same seq.
    torn: set[str] = field(default_factory=set)
    is_asked: bool = False
    # It is closed, as far as is known: its next life is heard from its beginning.
    is_gone: bool = False
    # The instant that a snapshot must reach to hold all that may have been lost.
    needed: float = 0.0
    tries: int = 0
    held: list[tuple[str, Body, int]] = field(default_factory=list)
    has_lost: bool = False

    def forget(self) -> None:
        self.shown.clear()
        self.torn.clear()
