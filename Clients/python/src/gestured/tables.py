"""Tables of fields, for pandas (the extra `tables`)."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Union

from .epochs import session_of
from .errors import Error
from .frames import NUMBERS, Frame

if TYPE_CHECKING:
    import pandas

Row = Union[Frame, tuple[str, dict[str, Any]]]


def table(rows: Iterable[Row], fields: Sequence[str]) -> pandas.DataFrame:
    """A table of fields of states: columns `t` (milliseconds), `session`, and each field.

    `rows` are frames, or updates `(topic, body)` of `state/…` or `frame/…` (others are passed
    over); an iterator is read to its end. A field is named as for `gesturectl simulate --field`:
    `toss.item.x`, `toss.phase`, `tabs.model.items.0.glow`. Each instant that shows one of the
    components is a row; what is absent then is missing (NaN or None). Lengths are in points, angles
    in radians. Raises KeyError for a field that was never there, though states were.
    """
    import pandas

    if isinstance(fields, str):
        raise TypeError(f"fields are a list of names, not the text {fields!r}")
    found: list[dict[str, Any]] = []
    met: set[str] = set()
    is_empty = True
    columns = ["t", "session", *fields]
    for session, t, states in _instants(rows):
        cells: dict[str, Any] = {}
        for component, state in states:
            is_empty = False
            for name in fields:
                if name.startswith(component + "."):
                    try:
                        cells[name] = _value(name[len(component) + 1:], state)
                        met.add(name)
                    except LookupError:
                        cells[name] = None
        if not cells:
            continue
        if found and (found[-1]["t"], found[-1]["session"]) == (t, session):
            found[-1].update(cells)
        else:
            found.append({"t": t, "session": session, **cells})
    missing = [name for name in fields if name not in met]
    if missing and not is_empty:
        raise KeyError(f"no state had a field {missing[0]!r}")
    return pandas.DataFrame(found, columns=pandas.Index(columns))


def _instants(rows: Iterable[Row]) -> Iterator[tuple[str, float, list[tuple[str, Any]]]]:
    """Session, time, and the states of one instant, by their components."""
    for row in rows:
        if isinstance(row, Frame):
            yield row.session, row.t, list(row.states.items())
            continue
        topic, body = row
        kind, session = topic.partition("/")[0], session_of(topic)
        if session is None:
            continue
        if kind == "state":
            yield session, body["t"], [(topic.split("/", 2)[2], body)]
        elif kind == "frame":
            yield session, body["t"], [(state["component"], state) for state in body["states"]]


def _value(path: str, state: Any) -> Any:
    """A part of a state by its name: `phase`, `model.…`, or a view's number.

    Raises LookupError for a part that this state does not have. What lies in a part of the model
    that is null now may be there at another time: it is None.
    """
    if path == "phase":
        return state["phase"]
    if path.startswith("model."):
        node = state["model"]
        for part in path.split(".")[1:]:
            if node is None:
                return None
            if isinstance(node, list) and part.isdigit():
                node = node[int(part)]
            elif isinstance(node, dict):
                node = node[part]
            else:
                raise LookupError(part)
        return node
    view, _, key = path.rpartition(".")
    if key not in NUMBERS:
        raise LookupError(key)
    return state["views"][view][key]


def simulate(
    file: str | os.PathLike[str], *, until: float | None = None, seeds: int | str | None = None,
    fields: Sequence[str] | None = None, arguments: Sequence[str] = (),
) -> pandas.DataFrame:
    """The table of `gesturectl simulate FILE --format csv`: a recording without a daemon.

    `until` is in milliseconds after the first event. Without `fields` each view of each state is a
    row; with `fields` (named as for `table`) each instant that shows one of them. With `seeds`
    (1000, or "1..1000") each seed is a row, with the last value of each field. `arguments` are
    handed on, as `["--scenes", "my-scenes"]`. The program is GESTURECTL, else `gesturectl` of the
    PATH. Raises `Error` with its words where it fails.
    """
    import pandas

    program = os.environ.get("GESTURECTL") or shutil.which("gesturectl")
    if program is None:
        raise Error("there is no gesturectl in the PATH; set GESTURECTL to its path")
    if isinstance(fields, str):
        raise TypeError(f"fields are a list of names, not the text {fields!r}")
    # A name that begins as an option does would be one.
    path = os.fspath(file)
    if path.startswith("-"):
        path = os.path.join(os.curdir, path)
    command = [program, "simulate", path, "--format", "csv", *arguments]
    options = {"--until": until, "--seeds": seeds, "--field": ",".join(fields) if fields else None}
    for option, given in options.items():
        if given is not None:
            command += [option, str(given)]
    done = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Error(done.stderr.decode(errors="replace").strip()
                    or f"{program} ended with {done.returncode}")
    # The digest of a run may look like a number.
    return pandas.read_csv(io.BytesIO(done.stdout), dtype={"run": str})
