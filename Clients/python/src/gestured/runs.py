"""Whose updates are heard: one daemon's newest run, or the members of a cluster. No socket here."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from . import epochs

# Runs of the daemon whose late updates are dropped.
RUNS_MAX = 64


class Runs:
    """One daemon, whose runs follow each other; or several, each of which answers a sync.

    The sessions of a cluster have runs of their own, which no restart of a daemon ends.
    """

    def __init__(self) -> None:
        self._now: str | None = None
        self._former: deque[str] = deque(maxlen=RUNS_MAX)
        # The epochs of a cluster's members; empty: one daemon.
        self.members: frozenset[str] = frozenset()
        self._unsynced: set[str] = set()
        self._has_synced = False

    def meet(self, run: str) -> bool | None:
        """Whether a run of the daemon is a new one after another; None for a former one."""
        if run == self._now or self.members or epochs.is_shared(run):
            return False
        if run in self._former:
            return None
        is_first = self._now is None
        if self._now is not None:
            self._former.append(self._now)
        self._now = run
        return not is_first

    def is_now(self, run: str | None) -> bool:
        if run is None:
            return False
        return run == self._now or bool(self.members) or epochs.is_shared(run)

    def begin_sync(self) -> None:
        self._unsynced, self._has_synced = set(self.members), False

    def take_sync(self, run: str) -> bool:
        """One answer to the sync; whether it was the last one."""
        self._unsynced.discard(run)
        self._has_synced = True
        return not self._unsynced

    def lead(self, members: Iterable[str]) -> None:
        self.members = frozenset(members)

    def is_partly_synced(self) -> bool:
        """Whether some members have answered the sync, so that one can go on without the others."""
        return self._has_synced
